#!/usr/bin/env python3
"""Renders under /api/v1/renders, of a real server on a free port. Usage: render.py PROGRAM [PART...]

What comes out is held against `zoetrope render` of the same files; whatever is started, cancelled, killed or stopped must leave
no process and no folder. Answers are judged against host/openapi.json (openapi.py), all of whose statuses of these paths must
have been shown in the end.
"""
import sys

here = sys.path.pop(0)  # a file beside this one is called like a module of Python's own
import hashlib
import http.client
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import zipfile

sys.path.append(here)
from openapi import Description

program = os.path.abspath(sys.argv[1])
root = os.path.abspath(os.path.join(here, "..", ".."))
examples = os.path.join(root, "examples")
SLOW = float(os.environ.get("ZO_SLOW", "0")) or 1.0
faults = []
description = Description(os.path.join(root, "host", "openapi.json"))
RENDERS = "/api/v1/renders"
# Frames without end: what is cancelled, killed or stopped must not be done before.
LONG = {"id": "builtin:jelly", "format": "webp", "width": 1024, "height": 1024, "fps": 60, "toMs": 3600000}


def check(right, what):
    if not right:
        faults.append(what)
        print("FAULT: " + what, flush=True)
    return right


def read(path):
    with open(path, "rb") as file:
        return file.read()


def children(pid):
    """Processes that it has started, by what /proc says; not those that have ended already."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                state, parent = read("/proc/%s/stat" % name).decode(errors="replace").rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if int(parent) == pid and state not in "ZX":
                found.append(int(name))
    return found


def in_folder(folder):
    """Processes that work below this folder."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink("/proc/%s/cwd" % name).startswith(folder):
                found.append(int(name))
        except OSError:
            pass
    return found


def until(is_so, seconds=10):
    end = time.time() + seconds * SLOW
    while not is_so() and time.time() < end:
        time.sleep(0.02)
    return is_so()


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    def __init__(self, folder, *options, wanted=0, env=None):
        self.library, self.wanted = os.path.join(folder, "library.db"), wanted
        self.tmp = os.path.join(folder, "tmp")
        os.makedirs(self.tmp, exist_ok=True)
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program, "serve", "--library", self.library, "--port", "0", "--log", "errors", *options],
                                        stdout=subprocess.PIPE, stderr=self.log,
                                        env={**os.environ, "TMPDIR": self.tmp, **(env or {})})
        found = re.match(r"listening on http://127\.0\.0\.1:(\d+)/\n", self.process.stdout.readline().decode())
        if not found:
            self.log.seek(0)
            sys.exit("the server says: " + self.log.read().decode())
        self.port = int(found.group(1))

    def __enter__(self):
        return self

    def end(self):
        if self.process.returncode is None:
            self.process.terminate()
            try:
                self.process.wait(20 * SLOW)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                check(False, "the server does not end")
        return self.process.returncode

    def __exit__(self, kind, value, trace):
        code = self.end()
        self.log.seek(0)
        text = self.log.read().decode(errors="replace")
        check(code == self.wanted, "exit %s, not %s: %s" % (code, self.wanted, text[-3000:]))
        check("Sanitizer" not in text and "runtime error" not in text, text[-3000:])
        if code == 0:
            check(os.listdir(self.tmp) == [], "left behind: %s" % os.listdir(self.tmp))
            check(until(lambda: in_folder(self.tmp) == []), "processes that are left: %s" % in_folder(self.tmp))

    def ask(self, method, target, body=b"", status=None, headers=None, judged=True):
        one = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * SLOW)
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        if body and "Content-Type" not in headers:
            headers["Content-Type"] = "application/json"
        one.request(method, target, body or None, headers)
        reply = one.getresponse()
        answer = Answer(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
        one.close()
        for fault in description.answered(method, target, headers, answer.status, answer.headers, answer.body) if judged else ():
            check(False, fault)
        wanted = (status,) if isinstance(status, int) else status
        check(wanted is None or answer.status in wanted,
              "%s %s: %d, not %s: %s" % (method, target, answer.status, status, answer.body[:600]))
        return answer

    def put(self, target, body, headers=None):
        return self.ask("PUT", target, body, (200, 201), dict(headers or {}, **{"If-None-Match": "*"})).json

    def order(self, **order):
        """Ordered, and its id."""
        got = self.ask("POST", RENDERS, order, (200, 202))
        check(got.headers["location"] == RENDERS + "/" + got.json["id"], "where it is: %s" % got.headers)
        return got.json["id"]

    def state(self, id):
        return self.ask("GET", RENDERS + "/" + id, status=200).json

    def wait(self, id, state, seconds=60):
        until(lambda: self.state(id)["state"] not in ("waiting", "running") or self.state(id)["state"] == state, seconds)
        one = self.state(id)
        check(one["state"] == state, "not %s: %s" % (state, one))
        return one

    def render(self, **order):
        """The bytes of what is ordered, and what is said of them."""
        one = self.wait(self.order(**order), "done")
        got = self.ask("GET", RENDERS + "/" + one["id"] + "/result", status=200)
        result = one["result"]
        check(got.headers["content-type"] == result["type"] and len(got.body) == result["size"] and
              hashlib.sha256(got.body).hexdigest() == result["hash"], "what is said of the result: %s" % one)
        return got.body, one


def native(folder, path, name, *options):
    """What the command makes of it."""
    out = os.path.join(folder, name)
    done = subprocess.run([program, "render", path, "-q", "-o", out, *options], stderr=subprocess.PIPE, cwd=folder)
    check(done.returncode == 0, "render %s: %s" % (path, done.stderr.decode()))
    return read(out) if done.returncode == 0 else b""


def decoded(folder, name, bytes, width, height):
    """How many frames there are, by a program that knows nothing of ours."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(bytes)
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgba",
                          "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(raw.returncode == 0 and len(raw.stdout) % (width * height * 4) == 0, "ffmpeg reads %s: %s" % (name, raw.stderr))
    return len(raw.stdout) // (width * height * 4)


def zipped(folder, *names):
    """All that is in it; these first."""
    to = io.BytesIO()
    every = [os.path.relpath(os.path.join(at, one), folder) for at, _, files in os.walk(folder) for one in files]
    with zipfile.ZipFile(to, "w") as archive:
        for name in list(names) + sorted(set(every) - set(names)):
            archive.writestr(zipfile.ZipInfo(name), read(os.path.join(folder, name)), zipfile.ZIP_DEFLATED, 1)
    return to.getvalue()


SLAM = os.path.join(examples, "petween", "slam-land.json")
HAS_FFMPEG = shutil.which("ffmpeg") is not None


# ---- The parts ----

def formats(folder):
    with Server(folder, "--renders", "2") as s:
        s.put("/api/v1/items/user:slam-land", read(SLAM))
        of = {"id": "user:slam-land", "width": 48, "height": 40}
        size = ("--size", "48x40")
        got, one = s.render(format="png", atMs=120.5, **of)
        check(got == native(folder, SLAM, "at.png", "--at", "120.5ms", *size), "png")
        check(got[:8] == b"\x89PNG\r\n\x1a\n" and one["result"]["frames"] == 0, "a png: %s" % one)
        got, one = s.render(format="png", sheet=6, **of)
        check(got == native(folder, SLAM, "sheet.png", "--sheet", "6", *size), "a sheet")
        check(int.from_bytes(got[16:20], "big") > 48, "a sheet has several")
        kinds = ["webp", "gif", "apng"] + (["mp4", "webm"] if HAS_FFMPEG else [])
        for kind in kinds:
            got, one = s.render(format=kind, fps=20, loop=2, background="#ff8800", **of)
            check(got == native(folder, SLAM, "a." + kind, "--fps", "20", "--loop", "2", "--background", "#ff8800", *size), kind)
            frames = one["result"]["frames"]
            check(one["result"]["width"] == 48 and one["result"]["height"] == 40 and frames == (34 if kind[0] in "mw" and kind != "webp" else 17),
                  "%s: %s" % (kind, one))
            if kind in ("mp4", "webm"):  # the others join frames that are alike
                check(decoded(folder, "b." + kind, got, 48, 40) == frames, "frames of " + kind)
        # The options.
        plain, _ = s.render(format="webp", **of)
        for more, words in (({"scale": 0.5, "nearest": True}, ("--scale", "0.5", "--nearest")), ({"seed": 7}, ("--seed", "7")),
                            ({"fromMs": 100, "toMs": 200}, ("--from", "100ms", "--to", "200ms")),
                            ({"reducedMotion": True}, ("--reduced-motion",)), ({"show": "error"}, ("--show", "error")),
                            ({"next": "success"}, ("--next", "success")), ({"durationMs": 400}, ("--duration", "400ms")),
                            ({"repeat": "loop", "toMs": 700}, ("--repeat", "loop", "--to", "700ms")),
                            ({"set": {"strength": 1.5}}, ("--set", "strength=1.5")), ({"clip": "user:slam-land"}, ()),
                            ({"nearest": False}, ())):
            got, one = s.render(format="webp", **of, **more)
            check(got == native(folder, SLAM, "o.webp", *size, *words), "options: %s" % more)
            if words:  # else it is one that was ordered before in other words
                check({**{"width": 48, "height": 40}, **more} == one["options"], "what was wished for: %s" % one)
        # The same once more is the same, and done.
        first = s.ask("POST", RENDERS, dict(of, format="webp"), 200)
        check(first.json["state"] == "done", "known: %s" % first.json)
        result = RENDERS + "/" + first.json["id"] + "/result"
        got = s.ask("GET", result, status=200)
        check(s.ask("GET", result, status=304, headers={"If-None-Match": got.headers["etag"]}).headers["etag"] == got.headers["etag"], "304")
        for target in (RENDERS, RENDERS + "/" + first.json["id"]):
            tag = s.ask("GET", target, status=200).headers["etag"]
            s.ask("GET", target, status=304, headers={"If-None-Match": tag})
        # Another content is another render; the old revision is still what it was.
        text = read(SLAM).replace(b'"durationMs": 320', b'"durationMs": 640')
        changed = s.ask("PUT", "/api/v1/items/user:slam-land", text, 200, {"If-Match": '"1"'}).json
        new, one = s.render(format="webp", **of)
        check(new != plain and one["revision"] == changed["revision"] and one["id"] != first.json["id"], "changed: %s" % one)
        old, one = s.render(format="webp", revision=1, **of)
        check(old == plain and one["id"] == first.json["id"], "as it was")
        s.ask("POST", RENDERS, dict(of, format="webp", revision=77), 404)
        s.ask("DELETE", "/api/v1/items/user:slam-land", status=204, headers={"If-Match": '"%d"' % changed["revision"]})
        s.ask("POST", RENDERS, dict(of, format="webp"), 404)
        check(s.render(format="webp", revision=1, **of)[0] == plain, "as it was, after its end")
        got, one = s.render(format="gif", id="builtin:jelly", width=20, height=20)
        check(got == native(folder, "builtin:jelly", "j.gif", "--size", "20x20"), "one that comes along")
        # Forgotten.
        all = s.ask("GET", RENDERS, status=200).json
        check(len(all["renders"]) > 10 and all["renders"][0]["id"] == one["id"], "the newest first")
        check([x for x in all["formats"] if x not in kinds] == ["png"], "formats: %s" % all["formats"])
        s.ask("DELETE", RENDERS + "/" + one["id"], status=204)
        for method, more in (("GET", ""), ("GET", "/result"), ("DELETE", "")):
            s.ask(method, RENDERS + "/" + one["id"] + more, status=404)
        metrics = s.ask("GET", "/metrics", status=200).body.decode()
        done = int(re.search(r'zoetrope_renders_total\{outcome="done"\} (\d+)', metrics).group(1))
        check(done >= len(all["renders"]) and 'zoetrope_renders{state="waiting"} 0\n' in metrics, "metrics")


def with_others(folder):
    """Things that need others of the library, or that have several files."""
    with Server(folder, "--renders", "2") as s:
        petween = os.path.join(examples, "petween")
        # A pet: its animations and pictures are things of their own.
        pet = os.path.join(folder, "pet")
        shutil.copytree(os.path.join(petween, "praxi"), pet)
        os.makedirs(os.path.join(pet, "assets"))
        document = json.loads(read(os.path.join(pet, "pet.json")))
        document["poses"] = {}
        for name in ("idle", "thinking", "working", "success"):
            picture = read(os.path.join(petween, "pet", name + ".png"))
            id = hashlib.sha256(picture).hexdigest()[:16]
            s.put("/api/v1/assets/" + id, picture, {"Content-Type": "image/png"})
            document["poses"][name] = {"assetId": id}
            with open(os.path.join(pet, "assets", id + ".png"), "wb") as file:
                file.write(picture)
        with open(os.path.join(pet, "pet.json"), "w") as file:
            json.dump(document, file)
        for name in os.listdir(os.path.join(pet, "animations")):
            got = s.ask("POST", "/api/v1/import?file=" + name, read(os.path.join(pet, "animations", name)), 200)
        s.put("/api/v1/configs/petween", read(os.path.join(pet, "pet.json")))
        of = {"area": "configs", "id": "petween", "format": "webp", "width": 40, "height": 40, "fps": 12}
        size = ("--size", "40x40", "--fps", "12")
        got, one = s.render(**of)
        check(got == native(folder, pet, "pet.webp", *size), "a pet")
        film = json.loads(read(os.path.join(pet, "film.json")))
        got, one = s.render(script=film, toMs=3000, **of)
        check(got == native(folder, pet, "film.webp", "--script", "pet/film.json", "--to", "3s", *size), "a pet's film")
        check("script" not in one["options"], "a script is not said again")
        with open(os.path.join(folder, "state.json"), "w") as file:
            json.dump([{"request": "working"}, {"advance_ms": 3000}], file)
        got, one = s.render(state="working", **of)
        check(got == native(folder, pet, "state.webp", "--script", "state.json", *size), "a state")
        # An enemy: clips, rig, sheet in one thing.
        enemy = os.path.join(examples, "enemy")
        s.put("/api/v1/items/slime?first=idle.json", zipped(enemy), {"Content-Type": "application/zip"})
        for clip in (None, "hop"):
            names = [x for x in subprocess.run([program, "info", "--output", "json", enemy], stdout=subprocess.PIPE).stdout.decode().split('"')
                     if clip and x.endswith(clip)]
            more = {"clip": names[0]} if clip else {}
            got, one = s.render(id="slime", format="webp", width=40, height=40, **more)
            check(got == native(folder, enemy, "e.webp", "--size", "40x40", *(("--clip", names[0]) if clip else ())), "an enemy: %s" % clip)
        # A clip alone: its rig and the sheet are others.
        s.ask("DELETE", "/api/v1/items/slime", status=204, headers={"If-Match": "*"})
        alone = os.path.join(folder, "alone")
        os.makedirs(alone)
        for name in ("rig.json", "sprites.json", "sprites.png"):
            shutil.copy(os.path.join(enemy, name), alone)
        s.put("/api/v1/items/lone-rig", zipped(alone, "rig.json"), {"Content-Type": "application/zip"})
        s.put("/api/v1/items/lone-hop?file=hop.json", read(os.path.join(enemy, "hop.json")))
        shutil.copy(os.path.join(enemy, "hop.json"), alone)
        got, one = s.render(id="lone-hop", format="webp", width=40, height=40)
        check(got == native(folder, os.path.join(alone, "hop.json"), "h.webp", "--size", "40x40"), "a clip whose rig is another thing")
        # A character of many pictures.
        vesper = os.path.join(examples, "charpack", "vesper")
        s.put("/api/v1/items/vesper", zipped(vesper), {"Content-Type": "application/zip"})
        got, one = s.render(id="vesper", format="png", width=90, height=120, atMs=700)
        check(got == native(folder, vesper, "v.png", "--size", "90x120", "--at", "700ms"), "a character: %s" % one)
        # A machine: its armature and models are others, in folders.
        owl = os.path.join(examples, "forge", "owl")
        machine = next(os.path.relpath(os.path.join(at, one), owl) for at, _, files in sorted(os.walk(owl)) for one in sorted(files)
                       if "/asm" in at + "/" and one.endswith(".json") or "afsm" in at and one.endswith(".json"))
        s.put("/api/v1/items/owl?first=" + machine, zipped(owl), {"Content-Type": "application/zip"})
        got, one = s.render(id="owl", format="webp", width=40, height=40, fps=10, toMs=1500, camera={"yaw": 200, "zoom": 1.5})
        check(got == native(folder, os.path.join(owl, machine), "m.webp", "--size", "40x40", "--fps", "10", "--to", "1500ms", "--camera",
                            "200,30,1.5"), "a machine")


def refusals(folder):
    with Server(folder) as s:
        s.put("/api/v1/items/user:slam-land", read(SLAM))
        picture = read(os.path.join(examples, "petween", "pet", "idle.png"))
        s.put("/api/v1/assets/" + hashlib.sha256(picture).hexdigest()[:16], picture, {"Content-Type": "image/png"})
        good = {"id": "user:slam-land", "format": "webp"}
        for body in (b"", b"{", b"[]", b"3", b"\xff", b'{"id": "\xff"}', b'{"id": "a", }'):
            got = s.ask("POST", RENDERS, body, (400, 415), {"Content-Type": "application/json"}).json
            check(got["code"] == "bad-body" and got["pointer"] == "", "%r: %s" % (body, got))
        check(s.ask("POST", RENDERS, b"{}", 415, {"Content-Type": "text/plain"}).json["code"] == "bad-type", "a type")
        s.ask("POST", RENDERS, b'"' + b"x" * 300000 + b'"', 413)
        got = s.ask("POST", RENDERS, b'{"id": "user:slam-land", "format": "webp", "id": "x"}', 400).json
        check(got["pointer"] == "/id", "twice: %s" % got)
        for more, pointer in (
                ({"format": None}, "/format"), ({"format": "tiff"}, "/format"), ({"format": "Webp"}, "/format"), ({"id": 3}, "/id"),
                ({"id": ""}, "/id"), ({"id": "x\0y"}, "/id"), ({"area": "assets"}, "/area"), ({"area": "item"}, "/area"),
                ({"width": 10}, "/height"), ({"height": 10}, "/width"), ({"width": 0, "height": 10}, "/width"),
                ({"width": 10, "height": 2049}, "/height"), ({"width": 1.5, "height": 10}, "/width"), ({"width": "9", "height": 9}, "/width"),
                ({"width": 1e300, "height": 9}, "/width"), ({"fps": 0}, "/fps"), ({"fps": 241}, "/fps"), ({"fps": None}, "/fps"),
                ({"fromMs": -1}, "/fromMs"), ({"toMs": 3600001}, "/toMs"), ({"toMs": 0}, "/toMs"), ({"fromMs": 9, "toMs": 9}, "/toMs"),
                ({"atMs": 3}, "/atMs"), ({"sheet": 3}, "/sheet"), ({"format": "png", "fps": 3}, "/fps"), ({"format": "png", "loop": 3}, "/loop"),
                ({"format": "png", "sheet": 257}, "/sheet"), ({"format": "png", "sheet": 2, "atMs": 1}, "/atMs"),
                ({"format": "png", "toMs": 3}, "/toMs"), ({"loop": 1001}, "/loop"), ({"loop": 1.5}, "/loop"), ({"seed": -1}, "/seed"),
                ({"seed": 2 ** 53}, "/seed"), ({"repeat": "twice"}, "/repeat"), ({"background": "red"}, "/background"),
                ({"background": "#12345"}, "/background"), ({"background": "#12345g"}, "/background"), ({"nearest": 1}, "/nearest"),
                ({"reducedMotion": "yes"}, "/reducedMotion"), ({"camera": 3}, "/camera"), ({"camera": {"yaw": "x"}}, "/camera/yaw"),
                ({"camera": {"pitch": 91}}, "/camera/pitch"), ({"camera": {"roll": 1}}, "/camera/roll"), ({"set": []}, "/set"),
                ({"set": {"nothing": 1}}, "/set/nothing"), ({"set": {"strength": None}}, "/set/strength"), ({"set": {"a/b~c": 1}}, "/set/a~1b~0c"),
                ({"script": {}}, "/script"), ({"script": [], "state": "idle"}, "/state"), ({"state": "idle", "clip": "x"}, "/clip"),
                ({"out": "/etc/x"}, "/out"), ({"--out": "x"}, "/--out"), ({"ID": "x"}, "/ID"), ({"a/b~c": 1}, "/a~1b~0c"), ({"scale": 0}, "/scale"),
                ({"durationMs": 0}, "/durationMs"), ({"revision": 0}, "/revision"), ({"clip": "x" * 1025}, "/clip")):
            got = s.ask("POST", RENDERS, dict(good, **more), 400).json
            check(got["code"] == "bad-member" and got["pointer"] == pointer, "%s: %s" % (more, got))
        for member in ("id", "format"):
            got = s.ask("POST", RENDERS, {name: value for name, value in good.items() if name != member}, 400).json
            check(got["pointer"] == "/" + member, "without %s: %s" % (member, got))
        for more, pointer in (({"clip": "nothing"}, "/clip"), ({"clip": "../x"}, "/clip"), ({"show": "nothing"}, "/show"), ({"next": "nothing"}, "/next"),
                              ({"state": "nothing"}, "/state"), ({"scale": 999}, "/scale")):
            got = s.ask("POST", RENDERS, dict(good, **more), 422).json
            check(got["code"] == "bad-option" and got["pointer"] == pointer, "%s: %s" % (more, got))
        for id in ("nothing", "builtin:nothing", "user:Slam-Land"):
            s.ask("POST", RENDERS, dict(good, id=id), 404)
        for id in ("../../etc/passwd", ".x", "a/b", "builtin:../../x", "-o", "x" * 201):
            s.ask("POST", RENDERS, dict(good, id=id), (400, 404))
        for id in ("x", "0" * 32, "0" * 31, "F" * 32):
            s.ask("GET", RENDERS + "/" + id, status=404)
        s.ask("PUT", RENDERS, b"{}", 405)
        check(s.ask("GET", RENDERS, status=200).json["renders"] == [], "nothing was ordered by that")
        # A script that does not fit is found by who plays it, and told.
        one = s.wait(s.order(script=[{"jump": 1}], **good), "failed")
        check(one["problem"]["code"] in ("invalid", "refused") and "jump" in one["note"] and "zoetrope-render" not in one["note"],
              "a script: %s" % one)
        got = s.ask("GET", RENDERS + "/" + one["id"] + "/result", status=409).json
        check(got["code"] == "no-result", "no result: %s" % got)
    with Server(folder, env={"PATH": "/nowhere"}) as s:
        for kind in ("mp4", "webm"):
            got = s.ask("POST", RENDERS, dict(good, format=kind), 501).json
            check(got["code"] == "no-ffmpeg" and got["pointer"] == "/format", "without ffmpeg: %s" % got)
        check(s.ask("GET", RENDERS).json["formats"] == ["png", "webp", "gif", "apng"], "formats without ffmpeg")
        s.render(width=20, height=20, **good)


class Listener:
    """A client of the stream, on a thread of its own."""
    def __init__(self, server):
        self.one = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60 * SLOW)
        self.one.request("GET", RENDERS + "/events")
        self.reply = self.one.getresponse()
        check(self.reply.status == 200 and self.reply.headers["Content-Type"].startswith("text/event-stream"), "the stream")
        description.seen[(RENDERS + "/events", "get", "200")] = 1
        self.events = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        name = ""
        try:
            for line in self.reply:
                line = line.decode().rstrip("\r\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    self.events.append((name, json.loads(line[6:])))
        except (OSError, ValueError, http.client.HTTPException):
            pass

    def of(self, id):
        return [one for name, one in list(self.events) if name == "render" and one["id"] == id]


def progress(folder):
    with Server(folder, "--renders", "1") as s:
        first, _ = s.render(id="builtin:jelly", format="gif", width=20, height=20), None
        listener = Listener(s)
        check(until(lambda: listener.events), "a snapshot")
        name, snapshot = listener.events[0]
        check(name == "snapshot" and [one["id"] for one in snapshot["renders"]] == [first[1]["id"]], "snapshot: %s" % snapshot)
        order = {"id": "builtin:jelly", "format": "webp", "width": 300, "height": 300, "fps": 60, "toMs": 4000}
        id = s.order(**order)
        s.wait(id, "done")
        until(lambda: any(one["state"] == "done" for one in listener.of(id)))
        events = listener.of(id)
        states = [one["state"] for one in events]
        amounts = [one["progress"] for one in events]
        check(states[0] == "waiting" and "running" in states and states[-1] == "done", "states: %s" % states)
        check(amounts == sorted(amounts) and amounts[0] == 0 and amounts[-1] == 1, "progress: %s" % amounts)
        check(any(0 < x < 1 for x in amounts), "progress on the way: %s" % amounts)
        schema = {"$ref": "#/components/schemas/Render"}
        for one in events:
            for fault in description.judge(one, schema):
                check(False, "event: " + fault)
        for fault in description.judge(snapshot, {"$ref": "#/components/schemas/Renders"}):
            check(False, "snapshot: " + fault)
        s.ask("DELETE", RENDERS + "/" + id, status=204)
        other = s.order(**LONG)
        s.ask("DELETE", RENDERS + "/" + other, status=204)
        check(until(lambda: any(one["state"] == "cancelled" for one in listener.of(other))), "cancelled is told")


def running(s, **order):
    """One that runs, and its process."""
    id = s.order(**dict(LONG, **order))
    check(until(lambda: s.state(id)["state"] == "running"), "it runs")
    check(until(lambda: children(s.process.pid)), "a process runs")
    pids = children(s.process.pid)
    check(until(lambda: s.state(id)["progress"] > 0 or s.state(id)["state"] != "running", 30), "it comes on: %s" % s.state(id))
    return id, pids


def ended(pids, what):
    """They and what they had started."""
    check(until(lambda: not any(os.path.exists("/proc/%d" % pid) and read("/proc/%d/stat" % pid).rpartition(b")")[2].split()[0] not in b"ZX"
                                for pid in pids), 5), what + ": a process goes on")


def cancelling(folder):
    with Server(folder, "--renders", "1", "--renders-waiting", "2") as s:
        for kind in ["webp", "gif"] + (["mp4"] if HAS_FFMPEG else []):
            id, pids = running(s, format=kind, seed=1)
            pids = in_folder(s.tmp)
            check(pids and len(pids) == (2 if kind == "mp4" else 1), "processes: %s" % pids)
            s.ask("GET", RENDERS + "/" + id + "/result", status=409)
            s.ask("DELETE", RENDERS + "/" + id, status=204)
            check(s.state(id)["state"] == "cancelled", "cancelled")
            ended(pids, "cancelled")
            check(until(lambda: os.listdir(os.path.join(s.tmp, os.listdir(s.tmp)[0])) == []), "its folder is left")
            s.ask("GET", RENDERS + "/" + id + "/result", status=409)
        first, pids = running(s, seed=2)
        second, third = s.order(**dict(LONG, seed=3)), s.order(**dict(LONG, seed=4))
        check([s.state(x).get("position") for x in (first, second, third)] == [None, 0, 1], "positions")
        got = s.ask("POST", RENDERS, dict(LONG, seed=5), 503)
        check(got.json["code"] == "queue-full" and int(got.headers["retry-after"]) > 0, "too many: %s" % got.json)
        check(s.order(**dict(LONG, seed=4)) == third, "what waits already takes no place")
        s.ask("DELETE", RENDERS + "/" + second, status=204)
        check(s.state(third)["position"] == 0, "it has come forward")
        for id in (third, first):
            s.ask("DELETE", RENDERS + "/" + id, status=204)
        ended(pids, "the first")
        s.render(id="builtin:jelly", format="png", width=20, height=20)
    with Server(folder, "--renders", "2", "--render-seconds", "1") as s:  # too slow
        id = s.order(**LONG)
        one = s.wait(id, "failed", 20)
        check(one["problem"]["code"] == "too-slow", "too slow: %s" % one)
        check(in_folder(s.tmp) == [], "too slow: a process goes on")


def accidents(folder):
    with Server(folder, "--renders", "1") as s:  # the process is killed by somebody
        for number, sign in enumerate((signal.SIGKILL, signal.SIGABRT, signal.SIGTERM)):
            id, pids = running(s, seed=10 + number)
            os.kill(pids[0], sign)
            one = s.wait(id, "failed")
            check(one["problem"]["code"] == "killed", "killed: %s" % one)
        if HAS_FFMPEG:
            id, pids = running(s, format="mp4")
            os.kill(next(pid for pid in in_folder(s.tmp) if pid not in pids), signal.SIGKILL)
            one = s.wait(id, "failed")
            check(one["problem"]["code"] == "not-made" and "ffmpeg" in one["note"], "ffmpeg is killed: %s" % one)
        s.render(id="builtin:jelly", format="png", width=20, height=20)
        id, pids = running(s, seed=20)
        s.order(**dict(LONG, seed=21))
        begin = time.time()
        check(s.end() == 0, "it ends while something is rendered")
        check(time.time() - begin < 5 * SLOW, "it waits for what is rendered")
        ended(pids, "the server's end")
    with Server(folder, "--renders", "1", wanted=-9) as s:  # the server is killed
        id, pids = running(s)
        s.process.kill()
        s.process.wait()
        ended(pids, "the server was killed")
        check(len(os.listdir(s.tmp)) == 1, "who is killed leaves its folder")
    os.mkdir(os.path.join(folder, "tmp", "zoetrope-other"))
    with Server(folder) as s:
        left = os.listdir(s.tmp)
        check(len(left) == 2 and "zoetrope-other" in left, "the next one removes it, and nothing else: %s" % left)
        os.rmdir(os.path.join(folder, "tmp", "zoetrope-other"))
    with Server(folder, env={"TMPDIR": "/nowhere/at/all"}) as s:  # everything else is served
        s.ask("GET", "/api/v1/items", status=200)
        check(s.ask("GET", RENDERS, status=404, judged=False).json["code"] == "not-found", "no renders")


parts = (formats, with_others, refusals, progress, cancelling, accidents)
for part in parts:
    if sys.argv[2:] and part.__name__ not in sys.argv[2:]:
        continue
    begin = time.time()
    with tempfile.TemporaryDirectory() as work:
        part(work)
    print("%s: %.1f s" % (part.__name__, time.time() - begin), flush=True)
if not sys.argv[2:]:
    for fault in description.left({"507", "501"} if not HAS_FFMPEG else {"507"}):
        if "/render" in fault and not fault.endswith("events never answered 503"):
            check(False, fault)
sys.exit(1 if faults else 0)
