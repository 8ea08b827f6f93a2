#!/usr/bin/env python3
"""A process that changes a library is killed at random points. Usage: kill.py WRITER [ROUNDS]

WRITER is the program of tests/host/writer.c. After each SIGKILL the library must open, the check must find nothing in it,
every change that was acknowledged must be there, and the one that was under way must have happened wholly or not at all.
ROUNDS is 30, or what ZO_KILLS says.
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

IMPORT = 12
writer = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ZO_KILLS", "30"))
SLOW = float(os.environ.get("ZO_SLOW", "0")) or 1.0
faults = []


def check(right, what):
    if not right:
        faults.append(what)
        print("FAULT: " + what, flush=True)


class Model:
    """What the library holds: the change that each thing comes from, and those that it came from before."""

    def __init__(self):
        self.past = {}  # id: [change or None for a deletion, ...]

    def now(self):
        return {name: past[-1] for name, past in self.past.items() if past[-1] is not None}

    def after(self, number, what, name):
        """The same with one change more."""
        new = Model()
        new.past = {key: list(past) for key, past in self.past.items()}
        if what == "import":
            for part in range(IMPORT):
                new.past.setdefault("%s%d" % (name, part), []).append(number)
        elif what == "put":
            new.past.setdefault(name, []).append(number)
        elif what == "delete":
            new.past[name].append(None)
        else:  # what it was before its last change; a thing with one change is left as it is
            past = new.past[name]
            last = past[-2] if len(past) > 1 else past[-1]
            back = last if last is not None else [change for change in past if change is not None and past.index(change)
                                                  < len(past) - 1][-1]
            if back != past[-1]:
                past.append(back)
        return new


def look(library):
    got = subprocess.run([writer, library, "look"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60 * SLOW)
    lines = got.stdout.decode().split("\n")
    check(got.returncode == 0 and not got.stderr, "look: exit %d %s %s" % (got.returncode, lines[-3:], got.stderr[-2000:]))
    for line in lines:
        check(not line.startswith(("finding", "failed")), line)
    things = dict(line.split(" ")[1:] for line in lines if line.startswith("thing "))
    revision = [int(line.split(" ")[1]) for line in lines if line.startswith("revision ")]
    return {name: int(change) for name, change in things.items()}, revision[0] if revision else 0


def run_and_kill(library, seed, wait):
    """Lines that the writer could say before it was killed, `wait` seconds after it began to open the library."""
    process = subprocess.Popen([writer, library, "write", str(seed)], stdout=subprocess.PIPE)
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    text = process.stdout.read().decode()
    check(process.wait() == -signal.SIGKILL, "the writer ended by itself: %d %s" % (process.returncode, text[-500:]))
    process.stdout.close()
    return text.split("\n")[:-1]


def follow(model, lines, revision):
    """The model after all that was acknowledged, the one after what was tried as well, the last acknowledged revision."""
    maybe = model
    for line in lines:
        words = line.split(" ")
        if words[0] == "try":
            maybe = model.after(int(words[1]), words[2], words[3])
        elif words[0] == "done":
            check(int(words[2]) >= revision, "%s after revision %d" % (line, revision))
            revision = int(words[2])
            model = maybe
        elif words[0] != "open":
            check(False, "the writer says: " + line)
    return model, maybe, revision


def kill_the_writer():
    chance = random.Random(20261203)
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "library.db")
        model, revision, done, doubt, half = Model(), 0, 0, 0, 0
        began = time.monotonic()
        for number in range(rounds):
            lines = run_and_kill(library, number + 1, chance.choice((0.01, 0.05, 0.2)) * chance.random() * SLOW)
            sure, maybe, revision = follow(model, lines, revision)
            there, now = look(library)
            check(now >= revision, "revision %d was acknowledged, and the library is at %d" % (revision, now))
            revision = now
            if there == maybe.now() and maybe is not sure:
                half += 1
                model = maybe
            elif there == sure.now():
                model = sure
            else:
                wanted = sure.now()
                check(False, "round %d: the library has neither what was acknowledged nor that and what was tried: %s; %s" % (
                    number, {key: (wanted.get(key), there.get(key)) for key in set(wanted) | set(there)
                             if wanted.get(key) != there.get(key)}, lines[-2:]))
                break
            done += sum(line.startswith("done") for line in lines)
            doubt += maybe is not sure
        print("%d kills, %d changes acknowledged, %d under way of which %d had happened, %.0f s" % (
            rounds, done, doubt, half, time.monotonic() - began))
        check(done > rounds, "hardly anything was written: %d changes" % done)


kill_the_writer()
print("%d faults" % len(faults))
sys.exit(1 if faults else 0)
