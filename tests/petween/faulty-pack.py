#!/usr/bin/env python3
"""Three faults in a pack of fifty: check lists exactly those, each at its place, and an import writes nothing. Usage:
tests/petween/faulty-pack.py PROGRAM"""
import json
import os
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
COUNT = 50
faults = []


def animation(number):
    # One animation a line, so that its line is known: number + 4.
    return ('{"version": 1, "id": "user:a%d", "name": "A", "kind": "ambient", "durationMs": 900, "repeat": {"mode": "loop"}, '
            '"tracks": [{"property": "sway.rotation", "keyframes": [{"at": 0, "value": 0}, {"at": 0.5, "value": 5}, '
            '{"at": 1, "value": 0}]}]}' % number)


# Which animation, what is written there in place of what, the rule that it breaks, and where that is: the pointer's end and
# the text that the column points to.
WRONG = [
    (7, '"durationMs": 900', '"durationMs": 0', "petween/durationMs", "/durationMs", "0, "),
    (23, '"at": 0.5', '"at": 1.5', "petween/at", "/tracks/0/keyframes/1/at", "1.5"),
    (49, '"sway.rotation"', '"sway.turn"', "petween/property", "/tracks/0/property", '"sway.turn"'),
]


def expect(condition, text):
    if not condition:
        faults.append(text)


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    lines = [animation(number) for number in range(COUNT)]
    for number, good, bad, *_ in WRONG:
        expect(lines[number].count(good) == 1, "the test's own text")
        lines[number] = lines[number].replace(good, bad)
    text = ('{\n"format": "motion-pack", "version": 1, "name": "Fifty", "namespace": "user",\n"animations": [\n' +
            ",\n".join(lines) + "\n]}\n")
    with open("pack.json", "w", encoding="utf-8") as file:
        file.write(text)
    code, out, _ = run("check", "pack.json", "--output", "json")
    expect(code == 1, "check: exit %d" % code)
    found = [one for one in json.loads(out)["diagnostics"] if one["severity"] == "error"]
    expect(len(found) == len(WRONG), "%d errors: %s" % (len(found), [one["id"] for one in found]))
    for one, (number, _, _, rule, pointer, at) in zip(found, WRONG):
        line, column = one["line"], one["column"]
        expect(one["id"] == rule, "%s, not %s" % (one["id"], rule))
        expect(one["pointer"] == "/animations/%d%s" % (number, pointer), "at %s" % one["pointer"])
        expect(line == number + 4, "%s: line %d, not %d" % (rule, line, number + 4))
        expect(text.split("\n")[line - 1][column - 1:].startswith(at), "%s: column %d" % (rule, column))
    code, out, _ = run("check", "pack.json")
    for number, _, _, rule, _, _ in WRONG:
        expect("pack.json:%d:" % (number + 4) in out and rule in out, "the text says nothing of line %d" % (number + 4))

    # Into a folder that is not there, and into one that holds something: as before, to the byte.
    code, _, said = run("library", "import", "pack.json", "--dir", "new")
    expect(code == 1 and not os.path.exists("new"), "an import made a folder (exit %d)" % code)
    for _, _, _, rule, _, _ in WRONG:
        expect(rule in said, "the import says nothing of %s" % rule)
    os.mkdir("held")
    with open("held/user_a1.json", "w", encoding="utf-8") as file:
        file.write(animation(1))
    before = os.stat("held/user_a1.json")
    code, _, _ = run("library", "import", "pack.json", "--dir", "held")
    expect(code == 1 and os.listdir("held") == ["user_a1.json"], "an import wrote: %s" % os.listdir("held"))
    after = os.stat("held/user_a1.json")
    expect((before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns), "what was held was written again")

    # Mended, it goes in whole.
    for number, good, bad, *_ in WRONG:
        text = text.replace(bad, good)
    with open("pack.json", "w", encoding="utf-8") as file:
        file.write(text)
    code, _, said = run("library", "import", "pack.json", "--dir", "held")
    expect(code == 0 and len(os.listdir("held")) == COUNT, "the mended pack: exit %d, %d files; %s" %
           (code, len(os.listdir("held")), said))
    os.chdir("/")

for fault in faults:
    print(fault)
print("%d faults" % len(faults))
sys.exit(1 if faults else 0)
