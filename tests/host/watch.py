#!/usr/bin/env python3
"""`serve --watch` against a folder in which people work. Usage: watch.py ZOETROPE HOST_LIBRARY EXAMPLES

HOST_LIBRARY is the program of tests/host/library.c, which changes the library as another process would. What is in the
library is read from its file; what the host says, from its log.
"""
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

sys.path.pop(0)  # where http.py is not Python's own
import urllib.request

program, changer, examples = sys.argv[1:4]
SLOW = float(os.environ.get("ZO_SLOW", "0")) or 1.0  # how much longer things may take, under sanitizers
faults = []
part = ""


def check(right, what):
    if not right:
        faults.append(part + ": " + what)
        print("FAULT: " + part + ": " + what, flush=True)


class Place:
    """A folder, a library, and a host in between that may be ended and begun again."""

    def __init__(self):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="zoetrope-watch-"))
        self.folder = os.path.join(self.base, "motions")
        self.library = os.path.join(self.base, "library.db")
        os.mkdir(self.folder)
        self.process = self.log = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process is not None:
            self.end()
        shutil.rmtree(self.base)

    def begin(self):
        self.log = open(os.path.join(self.base, "log"), "w+b")
        self.process = subprocess.Popen([program, "serve", "--library", self.library, "--port", "0", "--watch",
                                         self.folder], stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        found = re.match(r"listening on (http://127\.0\.0\.1:\d+/)\n", line)
        if not found:
            sys.exit("the host says: " + line + open(os.path.join(self.base, "log")).read())
        self.url = found.group(1)
        self.mark = 0
        self.said("ready", path=None)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        code = self.process.wait(60 * SLOW)
        check(code == 0, "exit %s" % code)
        for entry in self.entries(0):
            check("time" in entry and "level" in entry and "event" in entry, "no line of the log: %s" % entry)
        self.process.stdout.close()
        self.log.close()
        self.process = None

    def again(self):
        self.end()
        self.begin()

    def entries(self, since=None):
        """What the watch has said since the mark."""
        with open(os.path.join(self.base, "log"), "rb") as log:
            text = log.read()
        lines = text[:text.rfind(b"\n") + 1].decode().splitlines()
        found = []
        for line in lines[self.mark if since is None else since:]:
            try:
                found.append(json.loads(line))
            except ValueError:
                check(False, "no JSON in the log: " + line[:300])
        return found

    def here(self):
        """What comes from now on counts."""
        self.mark += len(self.entries())

    def said(self, action, path="", id=None, seconds=20):
        """Waits for a line; the mark is set behind it."""
        until = time.monotonic() + seconds * SLOW
        while time.monotonic() < until:
            for n, entry in enumerate(self.entries()):
                if entry["event"] == "watch" and entry["action"] == action and \
                        (path in ("", None) or entry.get("path") == path) and (id is None or entry.get("id") == id):
                    self.mark += n + 1
                    return entry
            time.sleep(0.02)
        check(False, "'%s' of '%s' is never said; but: %s" % (action, path or id, self.entries()[-6:]))
        return {}

    def quiet(self, seconds=1.1):
        """Nothing is said for so long."""
        self.here()
        time.sleep(seconds)
        entries = [e for e in self.entries() if e["event"] == "watch"]
        check(not entries, "something is said: %s" % entries[:3])

    # The library

    def ask(self, sql, *values):
        with sqlite3.connect("file:%s?mode=ro" % self.library, uri=True, timeout=20) as connection:
            return connection.execute(sql, values).fetchall()

    def things(self):
        return {id: (area, revision, origin) for area, id, revision, origin in
                self.ask("SELECT i.area, i.id, i.revision, p.origin FROM item i JOIN past p USING (revision)")}

    def files(self, id):
        return dict(self.ask("SELECT f.name, b.bytes FROM item i JOIN past_file f USING (revision) JOIN blob b"
                             " ON b.id = f.blob WHERE i.id = ? ORDER BY position", id))

    def bytes_of(self, id):
        return list(self.files(id).values())[:1]

    def history(self, id):
        """Actions, the oldest first: 1 created, 2 changed, 3 deleted."""
        return [action for action, in self.ask("SELECT action FROM past WHERE id = ? ORDER BY revision", id)]

    def change(self, *words):
        done = subprocess.run([changer, self.library, *words], capture_output=True)
        check(done.returncode == 0, "%s: %s" % (words, done.stderr.decode()))

    # The folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, text, mode="wb"):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), mode) as out:
            out.write(text)


def motion(id, name="Float"):
    with open(os.path.join(examples, "petween/gentle-float.json"), "rb") as file:
        text = file.read()
    text = re.sub(rb'"id": *"[^"]*"', b'"id": "%s"' % id.encode(), text, count=1)
    return re.sub(rb'"name": *"[^"]*"', b'"name": "%s"' % name.encode(), text, count=1)


def pack(*definitions, name="Pack"):
    return json.dumps({"format": "motion-pack", "version": 1, "name": name, "namespace": "user",
                       "animations": [json.loads(d) for d in definitions]}).encode()


# ---- Parts ----

def files_come_change_and_go():
    with Place() as p:
        p.put("a.json", motion("user:a"))
        p.begin()
        check(p.bytes_of("user:a") == [motion("user:a")], "not byte for byte")
        check(p.things()["user:a"][2] == p.path("a.json"), "origin")
        p.put("a.json", motion("user:a", "Other"))
        p.said("changed", "a.json")
        check(p.bytes_of("user:a") == [motion("user:a", "Other")], "the change")
        p.put("deep/er/b.json", motion("user:b"))
        entry = p.said("created", "deep/er/b.json")
        check(entry.get("id") == "user:b" and entry.get("area") == "item" and entry.get("revision") == 3,
              "line: %s" % entry)
        os.remove(p.path("a.json"))
        p.said("removed", "a.json")
        check(set(p.things()) == {"user:b"}, "things: %s" % p.things())
        check(p.history("user:a") == [1, 2, 3], "history: %s" % p.history("user:a"))
        p.put("a.json", motion("user:a", "Other"))  # comes back the same
        p.said("created", "a.json")
        p.put("a.json", motion("user:c"))  # becomes another
        p.said("removed", id="user:a")
        check(set(p.things()) == {"user:b", "user:c"}, "things: %s" % p.things())
        os.utime(p.path("a.json"))  # nothing of it changes
        p.quiet()
        check(p.history("user:c") == [1], "touched: %s" % p.history("user:c"))
        numbers = urllib.request.urlopen(p.url + "metrics").read().decode()
        check("zoetrope_watch_stored 2" in numbers and "zoetrope_watch_polled 0" in numbers, "metrics")


def editors_save():
    with Place() as p:
        p.put("a.json", motion("user:a", "0"))
        p.begin()
        at = p.path("a.json")

        def vim(text):
            p.put("4913", b"")
            os.remove(p.path("4913"))
            p.put(".a.json.swp", b"x")
            os.rename(at, at + "~")
            p.put("a.json", text)
            os.remove(at + "~")
            os.remove(p.path(".a.json.swp"))

        def code(text):
            with open(at, "r+b") as file:
                file.truncate(0)
                file.flush()
                time.sleep(0.05)
                file.write(text[:100])
                file.flush()
                time.sleep(0.2)
                file.write(text[100:])

        def jetbrains(text):
            p.put("a.json___jb_tmp___", text)
            os.rename(at, at + "___jb_old___")
            os.rename(at + "___jb_tmp___", at)
            os.remove(at + "___jb_old___")

        def atomic(text):
            p.put("tmpx8fj2", text)
            os.rename(p.path("tmpx8fj2"), at)

        def gone_first(text):
            os.remove(at)
            time.sleep(0.25)
            p.put("a.json", text)

        for n, save in enumerate((vim, code, jetbrains, atomic, gone_first), 1):
            save(motion("user:a", save.__name__))
            p.said("changed", "a.json")
            check(p.bytes_of("user:a") == [motion("user:a", save.__name__)], save.__name__ + ": content")
            check(p.history("user:a") == [1] + [2] * n, save.__name__ + ": history %s" % p.history("user:a"))
        p.quiet()
        check(set(p.things()) == {"user:a"}, "things: %s" % p.things())


def half_written_files_replace_nothing():
    with Place() as p:
        p.put("a.json", motion("user:a"))
        p.begin()
        text = motion("user:a", "Later")
        with open(p.path("a.json"), "wb") as file:
            file.write(text[:200])
            file.flush()
            p.quiet(1.0)
            check(p.bytes_of("user:a") == [motion("user:a")], "half a file was taken")
            file.write(text[200:])
        p.said("changed", "a.json")
        check(p.bytes_of("user:a") == [text], "the whole was not")
        p.put("a.json", text[:200])  # and closed
        entry = p.said("refused", "a.json")
        check(entry.get("level") == "error" and entry.get("errors", 0) > 0 and
              entry["diagnostics"][0].get("line", 0) > 0, "refused: %s" % entry)
        check(p.bytes_of("user:a") == [text], "a broken file was taken")
        p.put("a.json", b"{}")
        p.said("refused", "a.json")
        p.put("a.json", b"")
        p.said("refused", "a.json")
        p.put("b.json", b"[1, 2")  # a new one
        p.said("refused", "b.json")
        p.put("b.json", b"[1, 2]")  # which is nothing of ours
        check(p.history("user:a") == [1, 2], "history: %s" % p.history("user:a"))
        p.again()  # what cannot be read now is what it was
        check(set(p.things()) == {"user:a"}, "things: %s" % p.things())
        p.put("a.json", motion("user:a", "Mended"))
        p.said("changed", "a.json")


def renamed_files_keep_what_they_are():
    with Place() as p:
        shutil.copytree(os.path.join(examples, "enemy"), p.path("enemy"))
        p.put("a.json", motion("user:a"))
        p.begin()
        os.rename(p.path("a.json"), p.path("b.json"))
        p.said("moved", "b.json", id="user:a")
        check(p.history("user:a") == [1, 2], "history: %s" % p.history("user:a"))
        check(p.things()["user:a"][2] == p.path("b.json"), "origin")
        os.rename(p.path("enemy/hop.json"), p.path("enemy/leap.json"))
        p.said("created", "enemy/leap.json", id="enemy.leap")
        p.said("removed", "enemy/hop.json", id="enemy.hop")
        check(p.history("enemy.hop") == [1, 3], "history of what went: %s" % p.history("enemy.hop"))
        os.mkdir(p.path("new"))
        os.rename(p.path("b.json"), p.path("new/b.json"))
        p.said("moved", "new/b.json", id="user:a")
        os.rename(p.path("new"), p.path("newer"))  # the folder
        p.said("moved", "newer/b.json", id="user:a")
        p.put("newer/b.json", motion("user:a", "In a moved folder"))
        p.said("changed", "newer/b.json")
        os.rename(p.path("newer"), os.path.join(p.base, "out"))
        p.said("removed", "newer/b.json", id="user:a")
        os.rename(os.path.join(p.base, "out"), p.path("in"))
        p.said("created", "in/b.json", id="user:a")
        check(3 not in p.history("user:a")[:-2], "history: %s" % p.history("user:a"))


def what_is_used_stays():
    with Place() as p:
        shutil.copytree(os.path.join(examples, "enemy"), p.path("enemy"))
        for name in os.listdir(p.path("enemy")):
            if name in ("attack.json", "hop.json", "idle.json"):
                os.remove(p.path("enemy/" + name))
        p.begin()
        check("enemy.rig" in p.things(), "a rig that nobody names is a thing: %s" % list(p.things()))
        p.change("put", os.path.join(examples, "enemy/idle.json"), "enemy/idle.json")
        check(p.ask("SELECT count(*) FROM ref WHERE to_id = 'enemy.rig'")[0][0] > 0, "it is used")
        os.remove(p.path("enemy/rig.json"))
        entry = p.said("left", "enemy/rig.json")
        check("enemy.idle" in entry.get("why", ""), "why: %s" % entry)
        check("enemy.rig" in p.things(), "it is there")
        p.again()  # nor after a restart
        check(any(e.get("action") == "left" for e in p.entries(0)), "which is said")
        check("enemy.rig" in p.things(), "it is still there")
        p.change("remove", "enemy.idle")  # now nobody uses it
        p.said("removed", "enemy/rig.json")


def the_library_is_never_written_back():
    with Place() as p:
        p.put("a.json", motion("user:a"))
        p.put("b.json", motion("user:b"))
        p.begin()
        before = {name: os.stat(p.path(name)).st_mtime_ns for name in ("a.json", "b.json")}
        p.put("../a2.json", motion("user:a", "From elsewhere"))
        p.change("put", os.path.join(p.base, "a2.json"))
        p.change("remove", "user:b")
        p.quiet(1.5)
        check(before == {name: os.stat(p.path(name)).st_mtime_ns for name in before}, "a file was written")
        check(sorted(os.listdir(p.folder)) == ["a.json", "b.json"], "the folder: %s" % os.listdir(p.folder))
        check(p.bytes_of("user:a") == [motion("user:a", "From elsewhere")], "the change stays")
        check("user:b" not in p.things(), "what was removed stays away")
        p.again()
        check(p.bytes_of("user:a") == [motion("user:a", "From elsewhere")], "the change stays after a restart")
        check(any(e.get("action") == "kept" and e.get("path") == "a.json" for e in p.entries(0)), "which is said")
        check("user:b" in p.things(), "what is not there is imported in the beginning")
        os.remove(p.path("a.json"))
        p.said("left", "a.json")
        check("user:a" in p.things(), "what came from elsewhere is not removed")
        p.put("a.json", motion("user:a", "Newer"))
        p.said("changed", "a.json")
        check(p.bytes_of("user:a") == [motion("user:a", "Newer")], "the file counts when it changes")
        # What the library had before, from elsewhere
        p.put("../c.json", motion("user:c"))
        p.change("put", os.path.join(p.base, "c.json"))
        p.put("c.json", motion("user:c"))
        p.quiet()
        os.remove(p.path("c.json"))
        p.said("left", "c.json")
        check(p.history("user:c") == [1], "history: %s" % p.history("user:c"))


def what_happened_while_it_was_away():
    with Place() as p:
        for name in "abcde":
            p.put(name + ".json", motion("user:" + name))
        p.begin()
        last = p.ask("SELECT max(revision) FROM past")[0][0]
        p.again()
        check(p.ask("SELECT max(revision) FROM past")[0][0] == last, "a restart changes something")
        p.end()
        p.put("a.json", motion("user:a", "Changed"))
        os.remove(p.path("b.json"))
        os.rename(p.path("c.json"), p.path("moved.json"))
        p.put("d.json", b"{ broken")
        p.put("f.json", motion("user:f"))
        p.begin()
        check(p.history("user:a") == [1, 2] and p.history("user:b") == [1, 3] and p.history("user:c") == [1, 2] and
              p.history("user:d") == [1] and p.history("user:e") == [1] and p.history("user:f") == [1],
              "histories: %s" % [p.history("user:" + n) for n in "abcdef"])
        os.remove(p.path("d.json"))  # which could not be read since, and was what it had been
        p.said("removed", "d.json", id="user:d")
        p.end()
        os.rename(p.folder, p.folder + ".away")  # a disk that is not there
        os.mkdir(p.folder)
        things = set(p.things())
        p.begin()
        check(any(e.get("action") == "empty" for e in p.entries(0)), "which is said")
        check(set(p.things()) == things, "an empty folder takes nothing away")
        p.end()
        os.rmdir(p.folder)
        os.rename(p.folder + ".away", p.folder)
        p.begin()
        os.rename(p.folder, p.folder + ".away")  # while it runs
        p.said("folder-gone")
        p.quiet()
        check(set(p.things()) == things, "nor does one that is gone")
        os.rename(p.folder + ".away", p.folder)
        p.said("folder-back")
        p.put("e.json", motion("user:e", "Back"))
        p.said("changed", "e.json")


def things_of_several_files():
    with Place() as p:
        shutil.copytree(os.path.join(examples, "forge/owl"), p.path("owl"))
        shutil.copytree(os.path.join(examples, "charpack/vesper"), p.path("vesper"))
        shutil.copytree(os.path.join(examples, "enemy"), p.path("enemy"))
        p.begin()
        owl = "owl.assets.zoetrope.asms.block.owl"
        first = "owl/assets/zoetrope/asms/block/owl.json"
        things = p.things()
        check(set(things) == {owl, "vesper", "enemy.attack", "enemy.hop", "enemy.idle"}, "things: %s" % list(things))
        check(len(p.files(owl)) == 5, "files of the machine: %s" % list(p.files(owl)))
        check(list(p.files(owl))[0] == first, "the machine is the first")
        check("runtime_manifest.json" in p.files("vesper") and len(p.files("vesper")) > 200, "files of the pack")
        picture = "owl/assets/zoetrope/textures/block/owl.png"
        shutil.copy(os.path.join(examples, "petween/pet/idle.png"), p.path(picture))
        p.said("changed", first, id=owl)
        with open(p.path(picture), "rb") as file:
            check(p.files(owl)[picture] == file.read(), "the texture")
        armature = "owl/assets/zoetrope/armatures/block/owl.json"
        text = open(p.path(armature), "rb").read()
        p.put(armature, text[:100])
        p.said("refused", first)
        check(p.files(owl)[armature] == text, "a broken part replaces nothing")
        p.put(armature, text + b"\n")
        p.said("changed", first)
        check(p.files(owl)[armature] == text + b"\n", "the armature")
        os.remove(p.path(armature))  # without it there is still a machine
        p.said("changed", first)
        check(armature not in p.files(owl), "what is gone is no part")
        p.put(armature, text)
        p.said("changed", first)
        check(len(p.files(owl)) == 5 and set(p.things()) == set(things), "all is as before: %s" % list(p.things()))
        # One rig of three clips
        rig = open(p.path("enemy/rig.json"), "rb").read()
        p.put("enemy/rig.json", rig + b"\n")
        for name in ("attack", "hop", "idle"):
            p.said("changed", "enemy/%s.json" % name)
            check(p.history("enemy." + name) == [1, 2], name + ": %s" % p.history("enemy." + name))
        # A part that nobody names any more is a thing of its own, and the other way round
        p.here()
        for name in ("attack", "hop", "idle"):
            os.rename(p.path("enemy/%s.json" % name), os.path.join(p.base, name))
        p.said("created", "enemy/rig.json", id="enemy.rig")
        os.rename(os.path.join(p.base, "idle"), p.path("enemy/idle.json"))
        p.said("created", "enemy/idle.json")
        p.said("removed", id="enemy.rig")
        # The pack: any file of its folder
        frames = sorted(n for n in p.files("vesper") if n.endswith(".ktx2"))
        one, other = p.path("vesper/" + frames[0]), p.path("vesper/" + frames[-1])
        p.here()
        os.rename(one, one + ".tmp")
        os.rename(other, one)
        os.rename(one + ".tmp", other)
        p.said("changed", "vesper/runtime_manifest.json", id="vesper")
        with open(one, "rb") as file:
            check(p.files("vesper")[frames[0]] == file.read(), "the frame")
        p.put("vesper/notes.txt", b"mine")
        p.said("changed", "vesper/runtime_manifest.json", id="vesper")
        check(p.files("vesper").get("notes.txt") == b"mine", "all of its folder belongs to it")
        os.rename(p.path("vesper/runtime_manifest.json"), os.path.join(p.base, "manifest"))
        p.said("refused", "vesper/runtime_manifest.json")
        check("vesper" in p.things() and p.history("vesper") == [1, 2, 2], "it stays: %s" % p.history("vesper"))
        os.rename(os.path.join(p.base, "manifest"), p.path("vesper/runtime_manifest.json"))
        p.quiet()
        os.rename(p.path("vesper"), p.path("dusk"))  # its id is its own
        p.said("moved", "dusk/runtime_manifest.json", id="vesper")
        shutil.rmtree(p.path("dusk"))
        p.said("removed", id="vesper")
        check(not any("vesper" in o or "dusk" in o for _, _, o in p.things().values()), "left: %s" % p.things())


def pictures():
    with Place() as p:
        shutil.copy(os.path.join(examples, "petween/pet/idle.png"), p.path("idle.png"))
        p.begin()
        check([a for a, _, _ in p.things().values()] == [4], "a picture: %s" % p.things())
        first = list(p.things())[0]
        shutil.copy(os.path.join(examples, "petween/pet/error.png"), p.path("idle.png"))
        p.said("created", "idle.png")
        p.said("removed", id=first)
        p.put("bad.png", b"\x89PNG and no more")
        p.said("refused", "bad.png")
        check(len(p.things()) == 1, "things: %s" % p.things())


def packs():
    with Place() as p:
        p.put("lone.json", motion("user:lone"))
        p.put("pack.json", pack(motion("user:a"), motion("user:b"), motion("user:lone")))
        p.begin()
        things = p.things()
        check(set(things) == {"user:a", "user:b", "user:lone"}, "things: %s" % list(things))
        check(things["user:lone"][2] == p.path("lone.json"), "a file of its own goes before a pack")
        p.put("pack.json", pack(motion("user:a", "Changed"), motion("user:c")))
        p.said("removed", id="user:b")
        check(set(p.things()) == {"user:a", "user:c", "user:lone"}, "no copies: %s" % list(p.things()))
        check(p.history("user:a") == [1, 2], "history: %s" % p.history("user:a"))
        p.put("pack.json", pack(motion("user:a", "Again"), motion("user:bad").replace(b"keyframes", b"keyframe")))
        p.said("refused", "pack.json")
        check(p.history("user:a") == [1, 2] and "user:c" in p.things(), "all or nothing")
        p.put("twin.json", motion("user:lone", "Other"))
        entry = p.said("refused", "twin.json")
        check("lone.json" in entry.get("why", ""), "why: %s" % entry)
        os.remove(p.path("lone.json"))  # then the other one is meant
        p.said("moved", "twin.json", id="user:lone")
        check(p.bytes_of("user:lone") == [motion("user:lone", "Other")], "the twin")
        os.remove(p.path("pack.json"))
        p.said("removed", id="user:a")
        check(3 not in p.history("user:lone"), "never gone: %s" % p.history("user:lone"))
        p.put("b.json", motion("builtin:mine"))
        p.said("refused", "b.json")


def packages():
    with Place() as p:
        done = subprocess.run([program, "convert", os.path.join(examples, "petween/praxi/pet.json"), "--to",
                               "pet-package", "-o", os.path.join(p.base, "praxi.zip")], capture_output=True)
        check(done.returncode == 0, "convert: %s" % done.stderr.decode())
        p.begin()
        shutil.copy(os.path.join(p.base, "praxi.zip"), p.path("praxi.zip"))
        p.said("imported", "praxi.zip")
        things = p.things()
        check({a for a, _, _ in things.values()} >= {1, 2}, "areas: %s" % things)
        p.again()
        check(p.things() == things, "it is not imported again")
        p.put("evil.zip", b"")
        with zipfile.ZipFile(p.path("evil.zip"), "w") as out:
            out.writestr("../../pet.json", b"{}")
        p.said("refused", "evil.zip")
        os.remove(p.path("praxi.zip"))
        p.said("removed", "praxi.zip")
        time.sleep(0.5 * SLOW)
        check(not p.things(), "what it brought goes: %s" % list(p.things()))


def what_is_passed_over():
    with Place() as p:
        outside = os.path.join(p.base, "outside")
        os.mkdir(outside)
        with open(os.path.join(outside, "secret.json"), "wb") as file:
            file.write(motion("user:secret"))
        for name in (".hidden.json", "a.json~", "a.json.swp", "4913", "a.tmp", "#a.json#", ".git/a.json"):
            p.put(name, motion("user:" + re.sub("[^a-z0-9]", "", name)))
        p.put("readme.txt", b"text")
        p.put("package.json", b'{"name": "something else"}')
        os.symlink(os.path.join(outside, "secret.json"), p.path("link.json"))
        os.symlink(outside, p.path("folder"))
        os.symlink("../outside/secret.json", p.path("up.json"))
        os.mkfifo(p.path("pipe.json"))
        with open(p.path("large.json"), "wb") as file:
            file.truncate(300 << 20)
        os.makedirs(p.path("/".join(["d"] * 40)))
        p.begin()
        p.put("a.json", motion("user:a"))
        p.said("created", "a.json")
        entries = p.entries(0)
        check(any(e.get("action") == "refused" and e.get("path") == "large.json" and "256 MiB" in e.get("why", "")
                  for e in entries), "a file that is too large is said to be")
        check(any(e.get("action") == "too-deep" for e in entries), "a folder that is too deep is said to be")
        check(set(p.things()) == {"user:a"}, "things: %s" % list(p.things()))
        check(not any("secret" in str(e) for e in entries), "somebody looked outside")
        os.symlink("a.json", p.path("in.json"))  # the same file once more is nothing by itself
        p.quiet()


def many_at_once():
    with Place() as p:
        p.begin()
        from_ = time.monotonic()
        for n in range(500):
            p.put("m%03d.json" % n, motion("user:m%03d" % n))
        until = time.monotonic() + 60 * SLOW
        while len(p.things()) < 500 and time.monotonic() < until:
            time.sleep(0.05)
        took = time.monotonic() - from_
        check(len(p.things()) == 500, "%d of 500" % len(p.things()))
        print("500 files: %.2f s" % took)
        time.sleep(0.5)
        check(p.ask("SELECT max(revision) FROM past")[0][0] == 500, "each once")
        for n in range(500):
            p.put("m%03d.json" % n, motion("user:m%03d" % n, "Changed"))
        until = time.monotonic() + 60 * SLOW
        while p.ask("SELECT max(revision) FROM past")[0][0] < 510 and time.monotonic() < until:
            time.sleep(0.01)
        p.end()  # in the midst
        check(p.ask("PRAGMA integrity_check")[0][0] == "ok", "the file is whole")
        print("at SIGTERM: %d of 500 changed" % (p.ask("SELECT max(revision) FROM past")[0][0] - 500))
        p.begin()
        check(all(p.history("user:m%03d" % n) == [1, 2] for n in range(0, 500, 7)), "the rest comes after")
        shutil.rmtree(p.folder, ignore_errors=True)
        p.said("folder-gone")


def a_library_that_is_busy():
    with Place() as p:
        p.begin()
        with sqlite3.connect(p.library, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            p.put("a.json", motion("user:a"))
            entry = p.said("library")
            check(entry.get("level") == "error" and entry.get("why"), "line: %s" % entry)
            other.execute("ROLLBACK")
        p.said("created", "a.json")
        check(p.history("user:a") == [1], "history: %s" % p.history("user:a"))


def a_library_in_the_folder():
    with Place() as p:
        p.library = p.path("minimal/library.db")
        shutil.copytree(os.path.join(examples, "character-pack-minimal"), p.path("minimal"))
        p.begin()
        check(set(p.things()) == {"minimal"}, "things: %s" % p.things())
        check(not any("library" in name for name in p.files("minimal")), "files: %s" % list(p.files("minimal")))
        p.put("a.json", motion("user:a"))
        p.said("created", "a.json")
        p.quiet()
        check(p.history("minimal") == [1], "history: %s" % p.history("minimal"))


def it_wants_a_folder():
    with Place() as p:
        def run(*options):
            return subprocess.run([program, "serve", "--port", "0", *options], capture_output=True, timeout=20 * SLOW)
        done = run("--library", p.library, "--watch", os.path.join(p.base, "nowhere"))
        check(done.returncode == 3 and b"nowhere" in done.stderr, "%s" % done)
        p.put("file", b"")
        done = run("--library", p.library, "--watch", p.path("file"))
        check(done.returncode == 3, "%s" % done)


parts = [files_come_change_and_go, editors_save, half_written_files_replace_nothing, renamed_files_keep_what_they_are,
         what_is_used_stays, the_library_is_never_written_back, what_happened_while_it_was_away,
         things_of_several_files, pictures, packs, packages, what_is_passed_over, many_at_once, a_library_that_is_busy,
         a_library_in_the_folder, it_wants_a_folder]
for one in parts:
    if len(sys.argv) > 4 and one.__name__ not in sys.argv[4:]:
        continue
    part = one.__name__
    began = time.monotonic()
    one()
    print("%s: %.1f s" % (part, time.monotonic() - began), flush=True)
print("%d faults" % len(faults))
sys.exit(1 if faults else 0)
