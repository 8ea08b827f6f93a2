#!/usr/bin/env python3
"""The scenes of this folder, played and drawn. Usage: tests/petween/scenes.py PROGRAM [NAME...] [--frames | --sheets DIR]

Each scenes/NAME.expected.jsonl (document profile; NAME.original.expected.jsonl the other) has a first line that says what the
scene is about, which pet of pets/ it is and at which times a frame is decisive, then a line for each step of
NAME.script.json: what the trace must say there. It is derived by hand from the format's rules, as the first line tells.
`events` are all events of the step; of the other members those that stand there must be so. `runs` must be as many, with
the members named. `values` are held to 1e-9 of the larger of 1 and the figure; a channel that the trace leaves out is at
rest. The decisive frames are drawn at 96x96, and their hashes kept in frames.txt; `--frames` prints that file anew, and
`--sheets DIR` draws them large, side by side, to be looked at.
"""
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
faults = []


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True)
    if done.returncode != 0:
        raise RuntimeError("%s: exit %d: %s" % (" ".join(arguments), done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def near(expected, found):
    return abs(expected - found) <= 1e-9 * max(1.0, abs(expected))


def rest_of(channel):
    return 1.0 if channel.rsplit(".", 1)[1] in ("scaleX", "scaleY", "opacity") else 0.0


def differences(expected, found):
    """What is not as expected, each as a text."""
    for member, value in expected.items():
        if member == "values":
            for channel, figure in value.items():
                shown = found["values"].get(channel, rest_of(channel))
                if figure is not None and not near(figure, shown):
                    yield "%s is %.17g, not %.17g" % (channel, shown, figure)
        elif member == "runs":
            names = [one["clip"] for one in found["runs"]]
            if names != [one["clip"] for one in value]:
                yield "the runs are %s" % names
            else:
                for one, other in zip(value, found["runs"]):
                    for part in one:
                        if one[part] != other.get(part):
                            yield "%s of %s is %s, not %s" % (part, one["clip"], other.get(part), one[part])
        elif value != found.get(member):
            if member == "events":
                extra = [e for e in found["events"] if e not in value]
                missing = [e for e in value if e not in found["events"]]
                yield "events: missing %s, not expected %s%s" % (
                    missing, extra, "" if extra or missing else "; in another order: %s" % found["events"])
            else:
                yield "%s is %s, not %s" % (member, found.get(member), value)


class Scene:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.head, self.expected = lines[0], lines[1:]
        self.file = os.path.basename(path)[:-len(".expected.jsonl")]
        self.script = os.path.join(here, "scenes", self.file.split(".")[0] + ".script.json")
        self.arguments = [os.path.join(here, "pets", self.head["pet"]), "--script", self.script,
                          "--profile", self.head["profile"]]
        self.times = self.head.get("frames_ms", [])

    def play(self, program):
        traced = [json.loads(line) for line in run(program, "trace", *self.arguments, "--values").splitlines()]
        if len(traced) != len(self.expected):
            faults.append("%s: %d lines, not %d" % (self.file, len(traced), len(self.expected)))
        for expected, found in zip(self.expected, traced):
            if "events" not in expected:
                faults.append("%s: step %d says nothing of events" % (self.file, found["step"]))
            for text in differences(expected, found):
                faults.append("%s: step %d, %g ms: %s" % (self.file, found["step"], found["t_ms"], text))

    def draw(self, program, folder):
        for ms in self.times:
            out = os.path.join(folder, "frame.rgba")
            run(program, "render", *self.arguments, "-o", out, "--size", "96x96", "--fps", "1000", "--from",
                "%dms" % ms, "--to", "%dms" % (ms + 1), "-q")
            with open(out, "rb") as file:
                yield "%s %d %s" % (self.file, ms, hashlib.sha256(file.read()).hexdigest()[:32])


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    program = os.path.abspath(words[0])
    sheets = words.pop() if "--sheets" in sys.argv else None
    scenes = [Scene(path) for path in sorted(glob.glob(os.path.join(here, "scenes", "*.expected.jsonl")))]
    scenes = [scene for scene in scenes if len(words) == 1 or scene.file.split(".")[0] in words[1:]]
    with tempfile.TemporaryDirectory() as folder:
        if sheets:
            for scene in scenes:
                for ms in scene.times:
                    run(program, "render", *scene.arguments, "-o", os.path.join(sheets, "%s-%d.png" % (scene.file, ms)),
                        "--size", "200x200", "--at", "%dms" % ms, "--background", "#f4f4f0", "-q")
            return 0
        drawn = [line for scene in scenes for line in scene.draw(program, folder)]
        if "--frames" in sys.argv:
            print("\n".join(drawn))
            return 0
        with open(os.path.join(here, "frames.txt"), encoding="utf-8") as file:
            kept = [line for line in file.read().splitlines() if any(line.split()[0] == s.file for s in scenes)]
        faults.extend("frames.txt has: %s" % line for line in kept if line not in drawn)
        faults.extend("drawn: %s" % line for line in drawn if line not in kept)
        for scene in scenes:
            scene.play(program)
    for fault in faults:
        print(fault)
    print("%d scenes, %d frames, %d faults" % (len(scenes), len(drawn), len(faults)))
    return 1 if faults or not scenes else 0


sys.exit(main())
