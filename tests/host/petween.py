#!/usr/bin/env python3
"""petween's HTTP interface, with real requests against a real server. Usage: petween.py ZOETROPE

Every part starts servers of its own on a free port over a library of its own. What is answered is written down, and at
the end every row of the table of statuses and every route must have been met.
"""
import sys
sys.path.pop(0)  # http.py lies beside this file and is not the http of Python
import http.client
import io
import json
import os
import re
import shutil
import socket
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import urllib.parse
import zipfile
import zlib
from hashlib import sha256

program = sys.argv[1]
faults = []
met = set()    # (status, code)
routes = set()  # (method, pattern) that succeeded
SLOW = float(os.environ.get("ZO_SLOW", "0")) or 1.0
SLOTS = ("idle", "thinking", "working", "waiting", "success", "error")
API = "/api/petween"


def check(right, what):
    if not right:
        faults.append(what)
        print("FAULT: " + what, flush=True)


def equal(got, wanted, what):
    check(got == wanted, "%s: %s, not %s" % (what, repr(got)[:300], repr(wanted)[:300]))


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        error = self.json.get("error", {})
        return error if isinstance(error, str) else error.get("code")

    @property
    def details(self):
        return self.json["error"].get("details")


PATTERNS = ((r"/pets/(?!import$)[^/]+/(apply|export)$", r"/pets/ID/\1"), (r"/(pets|assets|animations)/(?!import$)[^/]+$", r"/\1/ID"),
            (r"^/petween-assets/.+", "/petween-assets/ID"))


class Host:
    def __init__(self, folder):
        self.library = os.path.join(folder, "library.db")
        self.start()

    def start(self):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program, "serve", "--library", self.library, "--port", "0", "--log", "errors"],
                                        stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        found = re.match(r"listening on http://127\.0\.0\.1:(\d+)/\n", line)
        if not found:
            self.log.seek(0)
            sys.exit("the server says: %r %r" % (line, self.log.read()))
        self.port = int(found.group(1))

    def stop(self):
        self.process.terminate()
        code = self.process.wait(30 * SLOW)
        self.process.stdout.close()
        check(code == 0, "exit %s" % code)
        self.log.seek(0)
        for line in self.log.read().decode("utf-8", "replace").split("\n"):
            if line:
                try:
                    json.loads(line)
                except ValueError:
                    check(False, "no line of the log: " + line[:300])
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.returncode is None:
            self.stop()

    def ask(self, method, path, body=None, headers=None, raw=None):
        headers = dict(headers or {})
        if raw is not None:
            body = raw
        elif body is not None:
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        one = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60 * SLOW)
        try:
            one.putrequest(method, path, skip_accept_encoding=True)
            for name, value in headers.items():
                one.putheader(name, value)
            if body is not None and "Content-Length" not in headers:
                one.putheader("Content-Length", str(len(body)))
            one.endheaders()
            if body:
                try:
                    one.send(body)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # it was refused by its length
            got = one.getresponse()
            reply = Reply(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            one.close()
        if reply.status >= 400 and method != "HEAD":
            met.add((reply.status, reply.code))
        else:
            pattern = path.split("?")[0]
            for form, name in PATTERNS:
                pattern = re.sub(form, name, pattern)
            routes.add((method, pattern))
        return reply

    def get(self, path):
        reply = self.ask("GET", API + path)
        equal(reply.status, 200, "GET %s: %s" % (path, reply.body[:200]))
        equal(reply.headers["content-type"], "application/json; charset=utf-8", "type of " + path)
        return reply.json

    def fine(self, method, path, body=None, raw=None, headers=None):
        reply = self.ask(method, API + path, body, headers, raw)
        equal(reply.status, 200, "%s %s: %s" % (method, path, reply.body[:300]))
        return reply.json if reply.status == 200 else {}

    def refused(self, status, code, method, path, body=None, raw=None, headers=None):
        reply = self.ask(method, path if path.startswith("/") and not path.startswith("//") else API + path[1:], body,
                         headers, raw)
        equal((reply.status, reply.code), (status, code), "%s %s %s" % (method, path, repr(body or raw)[:150]))
        check("allow" not in reply.headers, "an Allow header at " + path)
        if code not in ("ANIMATION_IN_USE", "ASSET_IN_USE"):
            error = reply.json["error"]
            check(set(error) <= {"code", "message", "details"} and error["message"], "an error has the form %s" % error)
        return reply


class hosts:
    """As many hosts, each over a library of its own."""
    def __init__(self, count=1):
        self.folders = [tempfile.mkdtemp() for _ in range(count)]

    def __enter__(self):
        self.all = [Host(folder) for folder in self.folders]
        return self.all[0] if len(self.all) == 1 else self.all

    def __exit__(self, kind, value, trace):
        for one in self.all:
            one.__exit__(kind, value, trace)
        for folder in self.folders:
            shutil.rmtree(folder)


# ---- Things ----

def animation(name, kind="transition", **more):
    layer = {"transition": "transition.scaleX", "ambient": "sway.rotation", "interaction": "transition.y"}[kind]
    one = {"version": 1, "id": name, "name": "One", "kind": kind, "durationMs": 300,
           "repeat": {"mode": "loop" if kind == "ambient" else "once"},
           "tracks": [{"property": layer, "keyframes": [{"at": 0, "value": 1}, {"at": 1, "value": 2}]}]}
    if kind == "transition":
        one["events"] = [{"at": 0.5, "type": "pose-swap"}]
    one.update(more)
    return one


def put(host, name, kind="transition", **more):
    one = animation(name, kind, **more)
    host.fine("PUT", "/animations/" + name, one)
    return one


def png(width=3, height=2, tail=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\x20\x80\xC0\xFF" * width for _ in range(height)) if width * height < 1 << 16 else b""
    return (b"\x89PNG\r\n\x1A\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"") + tail)


def webp(width=5, height=4):
    data = b"VP8L" + struct.pack("<I", 6) + b"\x2F" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\0" * 9
    return b"RIFF" + struct.pack("<I", len(data) + 4) + b"WEBP" + data


def jpeg(width=7, height=6):
    return b"\xFF\xD8\xFF\xC0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0\xFF\xD9"


def form(data, kind="image/png", name="file", boundary="xyz"):
    head = '--%s\r\nContent-Disposition: form-data; name="%s"; filename="../../a.png"\r\n' % (boundary, name)
    head += "Content-Type: %s\r\n" % kind if kind is not None else ""
    return head.encode() + b"\r\n" + data + b"\r\n--%s--\r\n" % boundary.encode()


FORM = {"Content-Type": "multipart/form-data; boundary=xyz"}


def upload(host, data, kind="image/png"):
    return host.fine("POST", "/assets", raw=form(data, kind), headers=FORM).get("asset", {})


AREAS = {"item": 1, "pet": 2, "config": 3, "asset": 4}
BLOB_OF = ("SELECT blob.id, blob.bytes FROM item JOIN past_file USING(revision) JOIN blob ON blob.id = past_file.blob "
           "WHERE item.area = ? AND item.id = ? ORDER BY position")


def stored(host, area, name):
    """The bytes of a thing's first file, as the library's file has them."""
    db = sqlite3.connect("file:%s?mode=ro" % host.library, uri=True)
    rows = db.execute(BLOB_OF, (AREAS[area], name)).fetchall()
    db.close()
    return bytes(rows[0][1]) if rows else None


# ---- Parts ----

def meta_and_config():
    with hosts() as h:
        got = h.get("/meta")
        equal(got["apiVersion"], 1, "apiVersion")
        equal(got["configVersion"], 1, "configVersion")
        equal(got["revision"], 0, "revision of an empty library")
        equal(got["features"], ["config", "config.revision", "config.preset-authority", "assets", "animations", "packs",
                                "pets", "pets.draft", "pets.packages", "events.sse", "meta"], "features")
        got = h.get("/config")
        config = got["config"]
        equal((got["assets"], got["revision"], list(got)), ({}, 0, ["config", "assets", "revision"]), "GET config")
        equal(list(config), ["version", "enabled", "global", "poses", "states", "overlay", "advanced", "interactions",
                             "activePetId"], "members of a configuration")
        equal((config["version"], config["global"]["scale"]), (1, 1), "defaults")
        equal(config["interactions"], {"click": {"animation": "builtin:click-pop", "pose": None}}, "click")
        equal(sorted(config["poses"]), sorted(SLOTS), "poses")

        # There is always an active pet: until something is written it is only shown, by every path that shows pets.
        pet = config["activePetId"]
        check(re.fullmatch(r"pet_[a-z0-9]+", pet or ""), "an active pet: %s" % pet)
        pets = h.get("/pets")
        equal((len(pets["pets"]), pets["activePetId"], pets["pets"][0]["name"]), (1, pet, "Unnamed pet"), "the one pet")
        equal(h.get("/pets/" + pet), {"pet": pets["pets"][0]}, "by itself")
        equal(json.loads(unzipped(export(h, pet))["manifest.json"])["name"], "Unnamed pet", "in a package")
        equal((stored(h, "pet", pet), h.get("/state")["revision"]), (None, 0), "no GET has written")

        # Global members: the pet comes into the library with the first write.
        got = h.fine("PUT", "/config", {"enabled": False, "global": {"errorHoldMs": 7}, "mine": {"a": [1.50]},
                                        "overlay": {"x": 1.5}})
        config = got["config"]
        equal((config["enabled"], config["global"]["errorHoldMs"], config["overlay"]), (False, 7, {"x": 1.5, "y": None}),
              "a patch")
        equal(config["global"]["successHoldMs"], 1600, "what the patch does not say")
        check("mine" not in config and got["revision"] > 0, "unknown members are not answered")
        equal(h.get("/pets"), pets, "the pet is the one that was shown")
        check(stored(h, "pet", pet) is not None, "it is stored")
        check(b'"mine":{"a": [1.5]}' in stored(h, "config", "petween"), "unknown members are stored")
        equal(h.get("/meta")["revision"], got["revision"], "revision")
        same = h.fine("PUT", "/config", {"enabled": False})
        equal(same["revision"], got["revision"], "a patch that changes nothing")

        # The slice belongs to the pet.
        got = h.fine("PUT", "/config", {"global": {"scale": 2.0}, "poses": {"idle": {"zoom": 3}},
                                        "states": {"idle": {"enter": {"strength": 2}, "u": 1}}})
        equal(got["config"]["activePetId"], pet, "the pet")
        equal(got["config"]["global"]["scale"], 2, "scale")
        equal(got["config"]["states"]["idle"]["enter"]["strength"], 2, "strength")
        pets = h.get("/pets")
        equal((len(pets["pets"]), pets["activePetId"]), (1, pet), "the pet")
        equal(pets["pets"][0]["poses"]["idle"], {"anchor": {"x": 0.5, "y": 0.96}, "zoom": 3}, "its pose")
        check("u" not in pets["pets"][0]["states"]["idle"], "unknown members of pets")
        check(b'"u":1' in stored(h, "pet", pet) and b"poses" not in stored(h, "config", "petween"), "what goes where")
        got = h.fine("PUT", "/config", {"activePetId": None})
        equal(got["config"]["activePetId"], pet, "null changes nothing")
        got = h.fine("PUT", "/config", {"states": {"idle": {"ambient": {"bounce": {"intervalMinMs": 900}}}}})
        equal(got["config"]["states"]["idle"]["enter"]["strength"], 2, "a patch keeps what it does not say")
        whole = h.get("/config")["config"]
        equal(h.fine("PUT", "/config", whole)["config"], whole, "the whole, sent back")

        # What is wrong: all of it, and nothing happens.
        before = h.get("/config")
        put(h, "user:amb", "ambient")
        got = h.refused(400, "INVALID_CONFIG", "PUT", API + "/config", {
            "enabled": 1, "global": {"scale": 9, "transition": {"preset": "global"}},
            "poses": {"idle": {"assetId": "../x"}},
            "states": {"idle": {"enter": {"animationId": "user:gone", "durationMs": 1}},
                       "error": {"enter": {"animationId": "user:amb"},
                                 "ambient": {"customAnimationId": "builtin:soft", "sway": {"angleDeg": 61}}}},
            "interactions": {"click": {"animation": ""}}, "activePetId": "../pet"})
        equal(sorted(one["path"] for one in got.details),
              ["activePetId", "enabled", "global.scale", "global.transition.preset", "interactions.click.animation",
               "poses.idle.assetId", "states.error.ambient.customAnimationId", "states.error.ambient.sway.angleDeg",
               "states.error.enter.animationId", "states.idle.enter.animationId", "states.idle.enter.durationMs"],
              "every path")
        check(all(one["message"] for one in got.details), "messages")
        for body in ([], "x", None, 7):
            raw = json.dumps(body).encode()
            h.refused(400, "INVALID_CONFIG", "PUT", API + "/config", raw=raw)
        for raw in (b"", b"{", b"{\"a\":\xFF}", b"\xEF\xBB\xBF{}", b"{} {}", b"{\"a\":01}"):
            h.refused(400, "INVALID_JSON", "PUT", API + "/config", raw=raw)
        h.refused(413, "PAYLOAD_TOO_LARGE", "PUT", API + "/config", raw=b"{\"a\":\"" + b"x" * 65536 + b"\"}")
        h.refused(413, "PAYLOAD_TOO_LARGE", "PUT", API + "/config", {str(n): 1 for n in range(1001)})
        h.refused(404, "NOT_FOUND", "PUT", API + "/config", {"activePetId": "pet_none", "enabled": True})
        equal({key: h.get("/config")[key] for key in ("config", "revision")},
              {key: before[key] for key in ("config", "revision")}, "what was refused changed nothing")

        # The header with the revision that was seen.
        now = before["revision"]
        def expecting(revision, body=None):
            return h.ask("PUT", API + "/config", body or {"enabled": True}, {"x-petween-expected-revision": revision})
        for bad in ("-1", "0x10", "1e2", "1.0", "a", " 1 2"):
            got = expecting(bad)
            equal((got.status, got.code), (400, "INVALID_REQUEST"), "revision %r" % bad)
        for stale in ("0", str(now + 1), "9" * 30):
            got = expecting(stale)
            equal((got.status, got.code, got.details), (409, "REVISION_MISMATCH", {"currentRevision": now}),
                  "revision %r" % stale)
        check(not h.get("/config")["config"]["enabled"], "a stale write does nothing")
        equal(expecting("").status, 200, "an empty header is none")
        now = h.get("/meta")["revision"]
        got = expecting("0" + str(now), {"enabled": False})
        equal(got.status, 200, "the current one")
        check(got.json["revision"] > now, "revisions rise")
        h.stop()
        h.start()
        equal(h.get("/config")["config"], got.json["config"], "after a new start")


def kept_answers():
    with hosts() as h:
        tags = {}
        for path in ("/config", "/animations", "/pets"):
            got = h.ask("GET", API + path)
            tags[path] = got.headers["etag"]
            got = h.ask("GET", API + path, headers={"If-None-Match": tags[path]})
            equal((got.status, got.body), (304, b""), "304 of " + path)
        put(h, "user:a")
        equal(h.ask("GET", API + "/animations", headers={"If-None-Match": tags["/animations"]}).status, 200, "changed")
        equal(h.ask("GET", API + "/pets", headers={"If-None-Match": tags["/pets"]}).status, 304, "pets did not change")
        for path in ("/config", "/animations", "/pets", "/meta", "/state"):
            got = h.ask("HEAD", API + path)
            check(got.status == 200 and int(got.headers["content-length"]) > 2 and got.body == b"", "HEAD " + path)


def animations():
    with hosts() as h:
        equal(h.get("/animations"), {"customs": [], "warnings": [], "normalized": []}, "none")
        text = (b' {"version": 1.0, "id": "user:a", "extra": {"z": 1e0, "a": [ ]}, "name": "\\u0041", "kind": "transition",'
                b'\n "durationMs": 3e2, "repeat": {"mode": "once"}, "tracks": [], "10": 1, "2": 2,'
                b' "events": [{"at": 5e-1, "type": "pose-swap"}]}\n')
        got = h.ask("PUT", API + "/animations/user:a", raw=text)
        equal((got.status, got.json), (200, {"animation": json.loads(text)}), "PUT")
        check(text.strip() in got.body, "the body as it was sent")
        equal(stored(h, "item", "user:a"), text, "stored byte for byte")
        got = h.ask("GET", API + "/animations")
        check(text.strip() in got.body and got.json["customs"] == [json.loads(text)], "listed")
        put(h, "user:b", "ambient")
        put(h, "my-1:C_d-2", "interaction")
        equal([one["id"] for one in h.get("/animations")["customs"]], ["my-1:C_d-2", "user:a", "user:b"], "all")
        equal(h.fine("DELETE", "/animations/user%3Ab"), {"deleted": "user:b"}, "DELETE")
        h.refused(404, "NOT_FOUND", "DELETE", API + "/animations/user:b")

        # The order of checks: form of the id, size, JSON, id, kind, rules, reserved.
        for name in ("x", "user:", ":a", "User:a", "user:a%20b", "user:%C3%A9", "user:..", "user:" + "a" * 250):
            for raw in (b"{", b"x" * 65537):
                h.refused(404, "NOT_FOUND", "PUT", API + "/animations/" + name, raw=raw)
            h.refused(404, "NOT_FOUND", "DELETE", API + "/animations/" + name)
        h.refused(413, "PAYLOAD_TOO_LARGE", "PUT", API + "/animations/user:a", raw=b"x" * 65537)
        h.refused(400, "INVALID_JSON", "PUT", API + "/animations/user:a", raw=b"{\"id\":\"user:b\"")
        for other in ("user:b", "", None, 7, "user:a\0"):
            h.refused(400, "ID_MISMATCH", "PUT", API + "/animations/user:a", dict(animation("user:a"), id=other))
        for body in ([], "user:a", 7, {}):
            h.refused(400, "ID_MISMATCH", "PUT", API + "/animations/user:a", raw=json.dumps(body).encode())
        got = h.refused(400, "INVALID_ANIMATION", "PUT", API + "/animations/user:a",
                        dict(animation("user:a", durationMs=0, repeat={"mode": "twice"}), kind="walk", name=""))
        check(len(got.details) >= 4 and all(isinstance(one, str) for one in got.details), "all faults: %s" % got.details)
        h.refused(400, "INVALID_ANIMATION", "PUT", API + "/animations/user:a", {"id": "user:a"})
        bad = animation("user:a", tracks=[{"property": "a.b", "keyframes": []}])
        for method, path, body, place in (("PUT", "/animations/user:a", bad, "tracks[0].property: "),
                                          ("POST", "/packs/import", {"format": "motion-pack", "version": 1, "name": "P",
                                           "namespace": "user", "animations": [bad]},
                                           "animations[0].tracks[0].property: ")):
            details = h.ask(method, API + path, body).json["error"]["details"]
            check(any(one.startswith(place) for one in details), "places as petween writes them: %s" % details)
        h.refused(400, "INVALID_ANIMATION", "PUT", API + "/animations/user:a", animation("user:a", version=2))
        for name in ("builtin:soft", "builtin:mine", "user:0draft"):
            h.refused(400, "INVALID_ANIMATION", "PUT", API + "/animations/" + name, animation(name))
            h.refused(404, "NOT_FOUND", "DELETE", API + "/animations/" + name)
        equal(stored(h, "item", "user:a"), text, "what was refused changed nothing")


def uses_of(reply):
    equal(reply.json["error"], "ANIMATION_IN_USE", "the flat form")
    return sorted((use["area"], use["where"], use["role"]) for use in reply.json["usedBy"])


def animations_in_use():
    with hosts() as h:
        for name, kind in (("user:t", "transition"), ("user:a", "ambient"), ("user:i", "interaction"),
                           ("user:t2", "transition")):
            put(h, name, kind)
        first = h.fine("POST", "/pets", {"from": "blank", "name": "One"})["pet"]["id"]
        h.fine("PUT", "/config", {"states": {"idle": {"enter": {"animationId": "user:t"},
                                                      "ambient": {"customAnimationId": "user:a"}},
                                             "error": {"enter": {"animationId": "builtin:jelly"}}},
                                  "interactions": {"click": {"animation": "user:i"}}})
        def used(method, name, wanted, body=None):
            equal(uses_of(h.refused(409, "ANIMATION_IN_USE", method, API + "/animations/" + name, body)), wanted,
                  "%s %s" % (method, name))
        enter = [("pet", "/states/idle/enter/animationId", "enter")]
        ambient = [("pet", "/states/idle/ambient/customAnimationId", "ambient")]
        click = [("config", "/interactions/click/animation", "click")]
        for _ in range(2):
            used("DELETE", "user:t", enter)
            used("DELETE", "user:a", ambient)
            used("DELETE", "user:i", click)
            used("PUT", "user:t", enter, animation("user:t", "ambient"))
            used("PUT", "user:a", ambient, animation("user:a", "interaction"))
            used("PUT", "user:i", click, animation("user:i", "ambient"))
            # The kind comes before the rules, but only one of the three.
            used("PUT", "user:t", enter, dict(animation("user:t", "ambient"), durationMs=-1))
            h.refused(400, "INVALID_ANIMATION", "PUT", API + "/animations/user:t", dict(animation("user:t"), kind="walk"))
            put(h, "user:t", durationMs=500)  # of the same kind
            # The same when another pet is active: an inactive one counts as well.
            h.fine("POST", "/pets", {"from": "blank", "name": "Two"})
        put(h, "user:t2", "ambient")
        h.fine("DELETE", "/animations/user:t2")
        h.fine("PUT", "/config", {"activePetId": first,
                                  "states": {"idle": {"enter": {"animationId": None},
                                                      "ambient": {"customAnimationId": None}}},
                                  "interactions": {"click": {"animation": "builtin:click-pop"}}})
        for name in ("user:t", "user:a", "user:i"):
            h.fine("DELETE", "/animations/" + name)
        equal(h.get("/animations")["customs"], [], "all are gone")


def pack(*animations, name="A pack", namespace="mine", **more):
    return dict({"format": "motion-pack", "version": 1, "name": name, "namespace": namespace,
                 "animations": list(animations)}, **more)


def packs():
    with hosts() as h:
        one, two = animation("mine:p", extra=[1, {"b": 2, "a": 1}]), animation("mine:p-2", "ambient")
        mounts = {"idle": {"enter": "mine:p", "ambient": "mine:p-2"}, "error": {}}
        got = h.fine("POST", "/packs/import", pack(one, two, name=" A pack ", mounts=mounts))
        equal({key: got.get(key) for key in got if key != "warnings"},
              {"name": "A pack", "namespace": "mine",
               "entries": [{"requestedId": "mine:p", "finalId": "mine:p", "status": "imported"},
                           {"requestedId": "mine:p-2", "finalId": "mine:p-2", "status": "imported"}],
               "mounts": mounts,
               "applyPatch": {"states": {"idle": {"enter": {"animationId": "mine:p"},
                                                  "ambient": {"customAnimationId": "mine:p-2"}}, "error": {}}}}, "import")
        check(isinstance(got["warnings"], list), "warnings")
        equal([one["id"] for one in h.get("/animations")["customs"]], ["mine:p", "mine:p-2"], "stored, and no pack")
        got = h.fine("POST", "/packs/import", pack(one, two))
        equal([entry["status"] for entry in got["entries"]], ["identical", "identical"], "again")
        check("applyPatch" not in got and got["mounts"] == {}, "no mounts")
        got = h.fine("POST", "/packs/import", pack(animation("mine:p", durationMs=9), two,
                                                   mounts={"idle": {"enter": "mine:p"}}))
        equal(got["entries"], [{"requestedId": "mine:p", "finalId": "mine:p-3", "status": "remapped"},
                               {"requestedId": "mine:p-2", "finalId": "mine:p-2", "status": "identical"}], "remapped")
        equal(got["applyPatch"], {"states": {"idle": {"enter": {"animationId": "mine:p-3"}}}}, "final ids")
        equal(h.fine("PUT", "/config", got["applyPatch"])["config"]["states"]["idle"]["enter"]["animationId"],
              "mine:p-3", "the patch can be put")
        equal([one["id"] for one in h.get("/animations")["customs"]], ["mine:p", "mine:p-2", "mine:p-3"], "stored")

        before = h.get("/animations")
        for bad, least in (([], 1), ({}, 4), (7, 1), (pack(), 1), (animation("mine:x"), 1),
                           (pack(one, name="x" * 121, namespace="builtin", version="1"), 3),
                           (pack(one, version=2), 1), (pack(animation("other:x")), 1), (pack(one, one), 1),
                           (pack(animation("builtin:x"), namespace="mixed"), 1),
                           (pack(animation("user:0draft"), namespace="user"), 1),
                           (pack(dict(animation("mine:x", durationMs=0), name=3)), 2),
                           (pack(one, mounts={"idle": {"ambient": "mine:p"}, "sleep": {}}), 2)):
            got = h.refused(400, "PACK_INVALID", "POST", API + "/packs/import", raw=json.dumps(bad).encode())
            check(isinstance(got.details, list) and len(got.details) >= least, "faults of %s: %s" % (bad, got.details))
        h.refused(400, "INVALID_JSON", "POST", API + "/packs/import", raw=b"{\"format\":")
        h.refused(413, "PAYLOAD_TOO_LARGE", "POST", API + "/packs/import", raw=b" " * (2 << 20) + b"{}")
        equal(h.get("/animations"), before, "what was refused changed nothing")

        got = h.ask("GET", API + "/packs/export?ids=mine:p,%20mine:p-3%20,,mine:p")
        exported = got.json
        equal((exported["format"], exported["name"], exported["namespace"],
               [one["id"] for one in exported["animations"]]),
              ("motion-pack", "Motion Pack", "mine", ["mine:p", "mine:p-3"]), "export")
        equal(exported["animations"][0], one, "an exported one")
        check("mounts" not in exported, "no mounts")
        put(h, "user:x")
        exported = h.get("/packs/export?ids=mine:p,user:x")
        equal(exported["namespace"], "mixed", "mixed")
        got = h.fine("POST", "/packs/import", exported)
        equal([entry["status"] for entry in got["entries"]], ["identical", "identical"], "export and import")
        for query in ("", "?ids=", "?ids=%20,%20,", "?id=mine:p"):
            h.refused(400, "PACK_EXPORT_EMPTY", "GET", API + "/packs/export" + query)
        got = h.refused(400, "PACK_EXPORT_UNKNOWN", "GET",
                        API + "/packs/export?ids=mine:z,mine:p,builtin:soft,mine:%C3%A9,mine:z")
        equal(got.details, ["mine:z", "builtin:soft", "mine:\u00e9"], "unknown ids, in order")


def pets():
    with hosts() as h:
        put(h, "user:t")
        for body in ({}, [], {"from": "x", "name": "A"}, {"name": "A"}, {"from": ["blank"], "name": "A"},
                     {"from": "draft", "name": "A"}, {"from": "draft", "name": "A", "pet": []}):
            h.refused(400, "INVALID_REQUEST", "POST", API + "/pets", raw=json.dumps(body).encode())
        for name in (None, "", " \u3000\t", 7, "x" * 121, "\U0001F600" * 61):
            for origin in ("current", "blank", "draft"):
                h.refused(400, "INVALID_PRESET", "POST", API + "/pets", {"from": origin, "name": name, "pet": {}})
        h.refused(400, "INVALID_JSON", "POST", API + "/pets", raw=b"[")
        h.refused(413, "PAYLOAD_TOO_LARGE", "POST", API + "/pets", {"from": "blank", "name": "x" * 65536})
        first = h.get("/pets")
        equal((len(first["pets"]), h.get("/state")["revision"]), (1, 1), "what was refused made none")

        h.fine("PUT", "/config", {"global": {"scale": 1.5}})
        got = h.fine("POST", "/pets", {"from": "current", "name": " Copy\u00e9 "})
        copy = got["pet"]
        equal((list(copy), copy["name"], copy["scale"]),
              (["id", "name", "scale", "poses", "states", "createdAt", "updatedAt"], "Copy\u00e9", 1.5), "a copy")
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", copy["createdAt"]), "its time")
        equal((got["config"]["activePetId"], got["config"]["global"]["scale"]), (copy["id"], 1.5), "it is active")
        got = h.fine("POST", "/pets", {"from": "blank", "name": "x" * 120})
        blank = got["pet"]
        equal((blank["scale"], got["config"]["activePetId"], got["config"]["global"]["scale"]), (1, blank["id"], 1),
              "a blank one")
        draft_slice = {"id": "pet_mine", "name": "no", "createdAt": "no", "attribution": {"character": "no"}, "scale": 3,
                       "states": {"idle": {"enter": {"animationId": "user:t"}, "mine": 1.50}}}
        got = h.fine("POST", "/pets", {"from": "draft", "name": "Draft", "pet": draft_slice})
        draft = got["pet"]
        equal((list(got), draft["name"], draft["scale"], draft["states"]["idle"]["enter"]["animationId"]),
              (["pet"], "Draft", 3, "user:t"), "a draft")
        check("attribution" not in draft and draft["id"] != "pet_mine" and draft["createdAt"] != "no", "only the slice")
        check(b'"mine": 1.5' in stored(h, "pet", draft["id"]), "unknown members of a draft are stored")
        equal(h.get("/pets")["activePetId"], blank["id"], "a draft is not active")
        got = h.refused(400, "INVALID_CONFIG", "POST", API + "/pets",
                        {"from": "draft", "name": "A", "pet": {"scale": 99, "states": {"idle": {
                            "enter": {"animationId": "user:gone"}}, "error": {"pose": "x"}}}})
        equal(sorted(one["path"] for one in got.details), ["scale", "states.error.pose", "states.idle.enter.animationId"],
              "strictly")
        equal(len(h.get("/pets")["pets"]), 4, "pets")

        # One of them.
        equal(h.get("/pets/" + draft["id"]), {"pet": draft}, "GET")
        got = h.fine("PUT", "/pets/" + draft["id"], {"name": " New ", "attribution": {
            "character": " Fox ", "creators": ["A", "B "], "sourceUrl": "https://example.org", "mine": 1}})["pet"]
        equal((got["name"], got["attribution"]), ("New", {"character": "Fox", "creators": ["A", "B"],
                                                          "sourceUrl": "https://example.org"}), "renamed")
        check(got["updatedAt"] >= draft["updatedAt"] and got["createdAt"] == draft["createdAt"], "times")
        got = h.fine("PUT", "/pets/" + draft["id"], {"attribution": {"creators": None, "license": "MIT"}})["pet"]
        equal((got["name"], got["attribution"]), ("New", {"character": "Fox", "sourceUrl": "https://example.org",
                                                          "license": "MIT"}), "a part of it")
        equal(h.fine("PUT", "/pets/" + draft["id"], {})["pet"], got, "nothing")
        check("attribution" not in h.fine("PUT", "/pets/" + draft["id"], {"attribution": None})["pet"], "none of it")
        h.refused(400, "INVALID_JSON", "PUT", API + "/pets/" + draft["id"], raw=b"")
        h.refused(413, "PAYLOAD_TOO_LARGE", "PUT", API + "/pets/" + draft["id"], {"name": "x" * 65536})
        for bad in ([], "x", 7, True):
            h.refused(400, "INVALID_REQUEST", "PUT", API + "/pets/" + draft["id"], {"attribution": bad})
        for bad in ({"character": "x" * 201}, {"creators": ["x"] * 9}, {"creators": ["x" * 121]}, {"creators": "x"},
                    {"sourceUrl": "x" * 501}, {"license": 7}, {"character": " "}):
            h.refused(400, "INVALID_PRESET", "PUT", API + "/pets/" + draft["id"], {"attribution": bad, "name": "B"})
        h.refused(400, "INVALID_PRESET", "PUT", API + "/pets/" + draft["id"], {"name": ""})
        equal(h.get("/pets/" + draft["id"])["pet"]["name"], "New", "what was refused changed nothing")
        for name in ("pet_none", "pet_", "pet_A", "x", "pet_..", "pet_" + "a" * 200):
            for method, rest, body in (("GET", "", None), ("PUT", "", {"name": "x"}), ("DELETE", "", None),
                                       ("POST", "/apply", None), ("GET", "/export", None), ("POST", "/export", {})):
                h.refused(404, "NOT_FOUND", method, API + "/pets/" + name + rest, body)

        # Which one is active.
        got = h.fine("POST", "/pets/%s/apply" % draft["id"])
        equal((got["config"]["activePetId"], got["config"]["global"]["scale"]), (draft["id"], 3), "applied")
        got = h.fine("PUT", "/config", {"activePetId": copy["id"]})
        equal((got["config"]["activePetId"], got["config"]["global"]["scale"]), (copy["id"], 1.5), "switched")
        got = h.fine("PUT", "/config", {"activePetId": blank["id"], "global": {"scale": 2.5}})
        equal((got["config"]["activePetId"], got["config"]["global"]["scale"]), (blank["id"], 2.5),
              "switched, and changed")
        equal((h.get("/pets/" + copy["id"])["pet"]["scale"], h.get("/pets/" + blank["id"])["pet"]["scale"]), (1.5, 2.5),
              "the pet that was named is the one that was changed")
        equal(h.fine("DELETE", "/pets/" + copy["id"]), {"deleted": copy["id"]}, "an inactive one")
        h.fine("PUT", "/pets/" + draft["id"], {"name": "Newest"})
        got = h.fine("DELETE", "/pets/" + blank["id"])
        equal((got["deleted"], got["config"]["activePetId"]), (blank["id"], draft["id"]), "on to the newest")
        left = [pet["id"] for pet in h.get("/pets")["pets"] if pet["id"] != draft["id"]]
        for one in left + [draft["id"]]:
            got = h.fine("DELETE", "/pets/" + one)
        now = h.get("/pets")
        equal((len(now["pets"]), now["activePetId"]), (1, got["config"]["activePetId"]), "there is always one")
        equal(now["pets"][0]["scale"], 1, "a new one")
    for number in range(4):  # whatever is written first, the pet that was shown is there before it
        with hosts() as h:
            pet = h.get("/config")["config"]["activePetId"]
            if number == 0:
                equal(h.fine("PUT", "/pets/" + pet, {"name": "Mine"})["pet"]["id"], pet, "renamed")
            elif number == 1:
                new = h.fine("POST", "/pets", {"from": "blank", "name": "Two"})["pet"]["id"]
                equal(sorted(one["id"] for one in h.get("/pets")["pets"]), sorted([pet, new]), "two")
                equal(h.fine("POST", "/pets/%s/apply" % pet)["config"]["activePetId"], pet, "back to the first")
            elif number == 2:
                equal(h.fine("POST", "/pets/%s/apply" % pet)["config"]["activePetId"], pet, "applied")
            else:
                got = h.fine("DELETE", "/pets/" + pet)
                check(got["config"]["activePetId"] not in (None, pet), "another one instead")
                continue
            check(stored(h, "pet", pet) is not None and pet.encode() in stored(h, "config", "petween"), "it is there")


def assets():
    with hosts() as h:
        pictures = {"image/png": png(), "image/webp": webp(), "image/jpeg": jpeg()}
        sizes = {"image/png": (3, 2), "image/webp": (5, 4), "image/jpeg": (7, 6)}
        endings = {"image/png": "png", "image/webp": "webp", "image/jpeg": "jpg"}
        for kind, data in pictures.items():
            name = sha256(data).hexdigest()[:16]
            for declared in (kind, kind.upper() + "; a=b", "application/octet-stream", None):
                got = upload(h, data, declared)
                equal(got, {"id": name, "url": "/petween-assets/" + name, "width": sizes[kind][0],
                            "height": sizes[kind][1]}, "upload of %s as %s" % (kind, declared))
            equal(h.get("/config")["assets"].get(name),
                  {"id": name, "fileName": "%s.%s" % (name, endings[kind]), "mimeType": kind, "width": sizes[kind][0],
                   "height": sizes[kind][1], "sizeBytes": len(data), "sha256": sha256(data).hexdigest(),
                   "url": "/petween-assets/" + name}, "what is told of it")
            got = h.ask("GET", "/petween-assets/" + name)
            equal((got.status, got.body, got.headers["content-type"], got.headers["cache-control"],
                   got.headers["x-content-type-options"]),
                  (200, data, kind, "public, max-age=31536000, immutable", "nosniff"), "GET of it")
            got = h.ask("HEAD", "/petween-assets/" + name)
            equal((got.status, got.body, got.headers["content-length"], got.headers["cache-control"]),
                  (200, b"", str(len(data)), "public, max-age=31536000, immutable"), "HEAD of it")
            equal(h.ask("GET", "/petween-assets/" + name, headers={"If-None-Match": '"%s"' % name}).status, 304, "304")
        equal(len(h.get("/config")["assets"]), 3, "the same bytes are one picture")
        for name in ("0123456789abcdef", "x", "0123456789ABCDEF", "..%2f..", "0123456789abcdef0", "a/b"):
            h.refused(404, "NOT_FOUND", "GET", "/petween-assets/" + name)
            h.refused(404, "NOT_FOUND", "DELETE", API + "/assets/" + name)
        h.refused(404, "NOT_FOUND", "GET", "/petween-assets/")

        def refused(status, code, raw, headers=None):
            h.refused(status, code, "POST", API + "/assets", raw=raw, headers=headers or FORM)
        for headers in ({"Content-Type": "image/png"}, {"Content-Type": "multipart/form-data"},
                        {"Content-Type": "multipart/form-data; boundary=abc"}, {"X": "none"}):
            refused(400, "BAD_MULTIPART", form(png()), headers)
        refused(400, "BAD_MULTIPART", form(png())[:-6])
        refused(400, "BAD_MULTIPART", b"")
        refused(400, "FILE_FIELD_MISSING", form(png(), name="picture"))
        refused(400, "FILE_FIELD_MISSING", b"--xyz--\r\n")
        svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
        for data, kind in ((svg, "image/svg+xml"), (svg, "image/png"), (b"", "image/png"), (b"GIF89a" + b"\0" * 40, None),
                           (png()[:20], "image/png"), (b"<html>", "text/html")):
            refused(415, "UNSUPPORTED_TYPE", form(data, kind))
        refused(415, "MIME_MISMATCH", form(png(), "image/jpeg"))
        refused(415, "MIME_MISMATCH", form(jpeg(), "text/html"))
        refused(413, "DIMENSIONS_TOO_LARGE", form(png(4097, 1)))
        refused(413, "DIMENSIONS_TOO_LARGE", form(png(1, 4097)))
        refused(413, "PAYLOAD_TOO_LARGE", form(png(tail=b"\0" * (10 << 20))))
        refused(413, "PAYLOAD_TOO_LARGE", form(b"\0" * ((10 << 20) + (256 << 10))))
        equal(len(h.get("/config")["assets"]), 3, "what was refused is not there")
        upload(h, png(4096, 4096))

        # In use, by an active pet, and by one that is not.
        name = sha256(png()).hexdigest()[:16]
        h.fine("PUT", "/config", {"poses": {"idle": {"assetId": name}}})
        for _ in range(2):
            got = h.refused(409, "ASSET_IN_USE", "DELETE", API + "/assets/" + name)
            equal([(use["area"], use["where"], use["role"]) for use in got.json["usedBy"]],
                  [("pet", "/poses/idle/assetId", "pose")], "who uses it")
            first = h.get("/pets")["pets"][0]["id"]
            h.fine("POST", "/pets", {"from": "blank", "name": "Other"})
        h.fine("PUT", "/config", {"activePetId": first, "poses": {"idle": {"zoom": 1}}})  # whole: without a picture
        equal(h.fine("DELETE", "/assets/" + name), {"deleted": name}, "DELETE")
        h.refused(404, "NOT_FOUND", "GET", "/petween-assets/" + name)
        check(name not in h.get("/config")["assets"], "it is gone")

        # All together.
        for i in range(6):
            upload(h, png(tail=bytes([i]) + b"\0" * ((10 << 20) - 200)))
        refused(413, "TOTAL_SIZE_EXCEEDED", form(png(tail=b"\xFF" * 4096)))
        upload(h, png(tail=bytes([3]) + b"\0" * ((10 << 20) - 200)))  # it is there already
        for data, wanted in ((png(tail=b"\xFE" * 4096), 413), (webp(), 200)):  # a package with a picture more, and without
            name, kind = sha256(data).hexdigest()[:16], "webp" if wanted == 200 else "png"
            before = h.get("/pets")
            size = (5, 4) if wanted == 200 else (3, 2)
            package = zipped({"assets/%s.%s" % (name, kind): data, "manifest.json": json.dumps({
                "format": "pet-package", "version": 1, "name": "A", "pet": {"poses": {"idle": {"assetId": name}}},
                "assets": [{"id": name, "sha256": sha256(data).hexdigest(), "file": "assets/%s.%s" % (name, kind),
                            "mimeType": "image/" + kind, "width": size[0], "height": size[1]}]})})
            if wanted == 200:
                h.fine("POST", "/pets/import", raw=package)
            else:
                h.refused(413, "TOTAL_SIZE_EXCEEDED", "POST", API + "/pets/import", raw=package)
                equal(h.get("/pets"), before, "nothing of it is there")
                h.refused(404, "NOT_FOUND", "GET", "/petween-assets/" + name)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def export(host, pet, body=None):
    got = host.ask("GET" if body is None else "POST", API + "/pets/%s/export" % pet, body)
    equal((got.status, got.headers["content-type"]), (200, "application/zip"), "export: %s" % got.body[:300])
    return got.body


def packages():
    with hosts(2) as (a, b):
        ids = [upload(a, data, kind)["id"] for data, kind in ((png(), "image/png"), (webp(), "image/webp"),
                                                              (jpeg(), "image/jpeg"))]
        put(a, "user:t", extra=[1])
        put(a, "user:amb", "ambient")
        got = a.fine("POST", "/pets", {"from": "draft", "name": "Fox", "pet": {
            "scale": 1.25,
            "poses": {"idle": {"assetId": ids[0]}, "error": {"assetId": ids[0]}, "success": {"assetId": ids[1]},
                      "waiting": {"assetId": ids[2], "zoom": 2}},
            "states": {"idle": {"enter": {"animationId": "user:t"}, "ambient": {"customAnimationId": "user:amb"}},
                       "error": {"enter": {"animationId": "builtin:jelly"}},
                       "success": {"enter": {"animationId": "user:t"}}}}})
        pet = got["pet"]["id"]
        a.fine("PUT", "/pets/" + pet, {"attribution": {"character": "Fox", "license": "MIT"}})
        plugins = {"petween-physics": {"config": {"slide": "user:t", "g": 1.5}},
                   "another": {"config": None, "animationIdRemap": {"x:y": "user:t"}}}
        plain, whole = export(a, pet), export(a, pet, {"pluginConfigs": plugins})
        equal(export(a, pet), plain, "the same bytes again")
        equal(a.ask("POST", API + "/pets/%s/export" % pet).status, 200, "POST without a body")
        for data, has_plugins in ((plain, False), (whole, True)):
            files = unzipped(data)
            manifest = json.loads(files.pop("manifest.json"))
            equal(sorted(files), sorted("assets/%s.%s" % pair for pair in zip(ids, ("png", "webp", "jpeg"))), "pictures")
            equal((manifest["format"], manifest["version"], manifest["name"], manifest["attribution"]),
                  ("pet-package", 1, "Fox", {"character": "Fox", "license": "MIT"}), "manifest")
            equal(sorted(manifest["pet"]), ["poses", "scale", "states"], "only the slice")
            equal((manifest["motionPack"]["namespace"], manifest["motionPack"]["mounts"]),
                  ("mixed", {"idle": {"enter": "user:t", "ambient": "user:amb"}, "success": {"enter": "user:t"}}),
                  "its pack")
            equal([one["id"] for one in manifest["motionPack"]["animations"]], ["user:t", "user:amb"], "animations")
            equal(manifest["motionPack"]["animations"][0]["extra"], [1], "unknown members")
            equal({asset["id"]: (asset["file"], asset["mimeType"], asset["sha256"]) for asset in manifest["assets"]},
                  {name: ("assets/%s.%s" % (name, ending), kind, sha256(picture).hexdigest())
                   for name, ending, kind, picture in zip(ids, ("png", "webp", "jpeg"),
                                                          ("image/png", "image/webp", "image/jpeg"),
                                                          (png(), webp(), jpeg()))}, "assets")
            equal("pluginConfigs" in manifest, has_plugins, "plugins")

        # Into another library, where one id is taken.
        put(b, "user:t", durationMs=9)
        upload(b, jpeg(), "image/jpeg")
        got = b.ask("POST", API + "/pets/import", raw=whole)
        equal(got.status, 200, "import: %s" % got.body[:500])
        got = got.json
        new = got["pet"]
        report = got["report"]
        equal((sorted(report["assetsAdded"]), report["assetsReused"]), (sorted(ids[:2]), [ids[2]]), "pictures")
        equal(sorted((one["requestedId"], one["finalId"], one["status"]) for one in report["entries"]),
              [("user:amb", "user:amb", "imported"), ("user:t", "user:t-2", "remapped")], "animations")
        equal(report["mounts"], {"idle": {"enter": "user:t-2", "ambient": "user:amb"}, "success": {"enter": "user:t-2"}},
              "mounts")
        equal(report["pluginConfigs"], ["another", "petween-physics"], "plugins")
        check(isinstance(report["warnings"], list), "warnings")
        equal((new["name"], new["scale"], new["attribution"]), ("Fox", 1.25, {"character": "Fox", "license": "MIT"}),
              "the pet")
        check(re.fullmatch(r"pet_[a-z0-9]+", new["id"]) and new["createdAt"], "its id and time: %s" % new["id"])
        equal((new["states"]["idle"]["enter"]["animationId"], new["states"]["success"]["enter"]["animationId"],
               new["states"]["error"]["enter"]["animationId"], new["states"]["idle"]["ambient"]["customAnimationId"]),
              ("user:t-2", "user:t-2", "builtin:jelly", "user:amb"), "final ids")
        equal(new["poses"]["waiting"]["assetId"], ids[2], "its pictures")
        equal(new["pluginConfigs"], {
            "petween-physics": {"config": {"slide": "user:t", "g": 1.5},
                                "animationIdRemap": {"user:t": "user:t-2", "user:amb": "user:amb"}},
            "another": {"config": None, "animationIdRemap": {"user:t": "user:t-2", "user:amb": "user:amb"}}},
            "what plugins keep")
        equal((got["config"]["activePetId"], got["config"]["global"]["scale"]), (new["id"], 1.25), "it is active")
        equal(b.get("/pets/" + new["id"])["pet"], new, "stored")
        equal(b.ask("GET", "/petween-assets/" + ids[1]).body, webp(), "a picture of it")
        b.refused(409, "ASSET_IN_USE", "DELETE", API + "/assets/" + ids[1])
        b.refused(409, "ANIMATION_IN_USE", "DELETE", API + "/animations/user:t-2")
        again = b.fine("POST", "/pets/import", raw=plain)
        check(again["pet"]["id"] != new["id"] and "pluginConfigs" not in again["report"], "one more pet")
        equal(sorted(entry["status"] for entry in again["report"]["entries"]), ["identical", "identical"],
              "the same animations")
        equal((again["report"]["assetsAdded"], len(again["report"]["assetsReused"])), ([], 3), "the same pictures")

        # Refused, and nothing is done.
        before = (b.get("/pets"), b.get("/animations"), b.get("/config"))
        files = unzipped(plain)
        manifest = json.loads(files["manifest.json"])

        def with_manifest(change, but=()):
            other = json.loads(json.dumps(manifest))
            change(other)
            left = {name: data for name, data in files.items() if name not in but}
            return zipped(dict(left, **{"manifest.json": json.dumps(other)}))
        bad = {
            "no zip": b"{}", "empty": b"", "a zip cut off": plain[:-30], "no manifest": zipped({"a.txt": b""}),
            "no JSON": zipped({"manifest.json": b"{"}), "only a pack": zipped({"manifest.json": json.dumps(pack(
                animation("mine:q")))}),
            "a way out": zipped(dict(files, **{"../evil.png": png()})),
            "an absolute path": zipped(dict(files, **{"/etc/evil.png": png()})),
            "a drive": zipped(dict(files, **{"C:\\evil.png": png()})),
            "a stray file": zipped(dict(files, **{"readme.txt": b""})),
            "65 entries": zipped(dict(files, **{"assets/%016x.png" % n: b"" for n in range(65)})),
            "no picture": with_manifest(lambda m: None, ("assets/%s.png" % ids[0],)),
            "another picture": zipped(dict(files, **{"assets/%s.png" % ids[0]: png(9, 9)})),
            "no name": with_manifest(lambda m: m.update(name=" ")),
            "a bad scale": with_manifest(lambda m: m["pet"].update(scale=99)),
            "no animation": with_manifest(lambda m: m["motionPack"]["animations"].pop()),
            "a bad animation": with_manifest(lambda m: m["motionPack"]["animations"][0].update(durationMs=0)),
            "a bad attribution": with_manifest(lambda m: m.update(attribution={"license": 7})),
            "a bad plugin": with_manifest(lambda m: m.update(pluginConfigs={"A B": {"config": 1}})),
        }
        for what, data in bad.items():
            got = b.refused(400, "PET_PACKAGE_INVALID", "POST", API + "/pets/import", raw=data)
            check(got.details and all(isinstance(one, str) for one in got.details), "%s: %s" % (what, got.details))
        b.refused(400, "PACK_VERSION_NEWER", "POST", API + "/pets/import", raw=with_manifest(lambda m: m.update(version=2)))
        b.refused(413, "PAYLOAD_TOO_LARGE", "POST", API + "/pets/import", raw=b"",
                  headers={"Content-Length": str((48 << 20) + 1)})
        equal((b.get("/pets"), b.get("/animations"), b.get("/config")), before, "what was refused changed nothing")

        for bad in ({"pluginConfigs": []}, {"pluginConfigs": {"A": {"config": 1}}}, {"pluginConfigs": {"a": 1}},
                    {"pluginConfigs": {"a": {}}}, {"pluginConfigs": {str(n): {"config": 1} for n in range(9)}},
                    {"pluginConfigs": {"a": {"config": "x" * 17000}}},
                    {"pluginConfigs": {"a": {"config": 1, "animationIdRemap": {"a": 1}}}}, {"pluginConfigs": None}, []):
            got = a.refused(400, "INVALID_PLUGIN_CONFIGS", "POST", API + "/pets/%s/export" % pet,
                            raw=json.dumps(bad).encode())
            check(got.details, "details")
        a.refused(400, "INVALID_JSON", "POST", API + "/pets/%s/export" % pet, raw=b"{")
        a.refused(413, "PAYLOAD_TOO_LARGE", "POST", API + "/pets/%s/export" % pet, raw=b" " * 65537)
        got = a.fine("POST", "/pets", {"from": "draft", "name": "Torn", "pet": {
            "poses": {"idle": {"assetId": "0123456789abcdef"}, "error": {"assetId": ids[0]}}}})
        got = a.refused(400, "EXPORT_INCOMPLETE", "GET", API + "/pets/%s/export" % got["pet"]["id"])
        equal(got.details, ["0123456789abcdef"], "what is missing")


class Events:
    def __init__(self, host):
        self.one = socket.create_connection(("127.0.0.1", host.port), 20 * SLOW)
        self.one.sendall(b"GET %s/events?session=a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % API.encode())
        self.file = self.one.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        for line in iter(self.file.readline, b"\r\n"):
            name, value = line.decode().split(":", 1)
            self.headers[name.lower()] = value.strip()
        self.text = b""

    def next(self):
        """The next event: its name and data."""
        while True:
            while b"\n\n" not in self.text:
                size = int(self.file.readline(), 16)  # chunks
                self.text += self.file.read(size)
                self.file.readline()
            block, self.text = self.text.split(b"\n\n", 1)
            fields = [line.split(b": ", 1) for line in block.split(b"\n") if b": " in line]
            data = b"\n".join(value for name, value in fields if name == b"data")
            if data:
                return ([value for name, value in fields if name == b"event"] + [b"message"])[0].decode(), json.loads(data)

    def close(self):
        self.file.close()
        self.one.close()


def events():
    with hosts() as h:
        equal(h.get("/state"), {"events": [], "revision": 0}, "state")
        stream = Events(h)
        equal((stream.status, stream.headers["content-type"].split(";")[0]), (200, "text/event-stream"), "the stream")
        equal(stream.next(), ("message", {"kind": "snapshot", "events": [], "revision": 0}), "the snapshot")
        routes.add(("GET", API + "/events"))
        put(h, "user:a")
        name, data = stream.next()
        equal((name, data["kind"], [(one["area"], one["id"], one["action"]) for one in data["changes"]]),
              ("change", "change", [("item", "user:a", "created")]), "a change")
        equal(h.get("/state"), {"events": [], "revision": data["revision"]}, "state")
        h.fine("POST", "/pets", {"from": "blank", "name": "A"})
        name, data = stream.next()
        equal(sorted((one["area"], one["action"]) for one in data["changes"]), [("config", "created"), ("pet", "created"),
                                                                              ("pet", "created")],
              "one write, one event: the pet, and the one that was there before it")
        h.refused(400, "INVALID_CONFIG", "PUT", API + "/config", {"enabled": 1})
        h.fine("PUT", "/config", {"enabled": False})
        equal([(one["area"], one["action"]) for one in stream.next()[1]["changes"]], [("config", "changed")],
              "what is refused is no event")
        # Another process.
        second = os.path.join(os.path.dirname(h.library), "second.py")
        other = Host.__new__(Host)
        other.library = h.library
        other.start()
        put(other, "user:b")
        equal([one["id"] for one in h.get("/animations")["customs"]], ["user:a", "user:b"], "of another process, at once")
        equal([one["id"] for one in stream.next()[1]["changes"]], ["user:b"], "told to the clients")
        other.stop()
        check(not os.path.exists(second), "nothing else is there")
        late = Events(h)
        equal(late.next()[1]["revision"], h.get("/state")["revision"], "a later snapshot")
        late.close()
        stream.close()


def methods_and_origins():
    """Every route with every method that it does not have, and every write from elsewhere."""
    has = {"/meta": "GET", "/config": "GET PUT", "/animations": "GET", "/animations/user:a": "PUT DELETE",
           "/packs/import": "POST", "/packs/export": "GET", "/pets": "GET POST", "/pets/pet_a": "GET PUT DELETE",
           "/pets/pet_a/apply": "POST", "/pets/import": "POST GET PUT DELETE", "/pets/pet_a/export": "GET POST",
           "/assets": "POST", "/assets/0123456789abcdef": "DELETE", "/events": "GET", "/state": "GET"}
    with hosts() as h:
        for path, methods in has.items():
            for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
                if method not in methods.split():
                    h.refused(405, "METHOD_NOT_ALLOWED", method, API + path)
                elif method != "GET":
                    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"},
                                    {"Origin": "http://evil.example"},
                                    {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"}):
                        h.refused(403, "CROSS_ORIGIN", method, API + path, raw=b"{}", headers=headers)
        for method in ("POST", "PUT", "DELETE"):
            h.refused(405, "METHOD_NOT_ALLOWED", method, "/petween-assets/0123456789abcdef")
        for path in ("", "/", "/x", "/metadata", "/config/x", "/packs", "/packs/x", "/pets/pet_a/x", "/pets/pet_a/apply/x",
                     "/assets/a/b", "/animations/user:a/b", "/animations/user:a%2fb", "/animations/..%2f..%2fetc",
                     "/pets/%00", "/animations/user:a%5Cb"):
            got = h.ask("GET", API + path)
            check((got.status, got.code) in ((404, "NOT_FOUND"), (400, "PATH_REFUSED")), "%s: %d" % (path, got.status))
        h.refused(404, "NOT_FOUND", "GET", API + "/x")
        own = "http://127.0.0.1:%d" % h.port
        for headers in ({"Origin": own}, {"Sec-Fetch-Site": "same-origin", "Origin": own}, {"Sec-Fetch-Site": "none"}):
            equal(h.ask("PUT", API + "/config", {"enabled": True}, headers).status, 200, "from our own pages")
        equal(h.get("/animations")["customs"], [], "nothing was written")


def damage():
    """A library whose bytes are not what they were: an error for what is damaged, and the rest goes on."""
    with hosts() as h:
        put(h, "user:a")
        put(h, "user:b")
        pet = h.fine("POST", "/pets", {"from": "blank", "name": "A"})["pet"]["id"]
        h.fine("POST", "/pets", {"from": "blank", "name": "B"})
        h.stop()
        for area, name in (("config", "petween"), ("item", "user:a"), ("pet", pet)):
            db = sqlite3.connect(h.library)
            found, data = db.execute(BLOB_OF, (AREAS[area], name)).fetchone()
            db.execute("UPDATE blob SET bytes = ? WHERE id = ?", (bytes(data[:-2]) + b" }", found))
            db.commit()
            db.close()
        h.start()
        for path in ("/config", "/meta", "/pets"):
            got = h.refused(500, "INTERNAL", "GET", API + path)
            check("petween" in got.json["error"]["message"], "what is damaged: %s" % got.body)
        h.refused(500, "INTERNAL", "PUT", API + "/config", {"enabled": True})
        got = h.get("/animations")
        equal(([one["id"] for one in got["customs"]], len(got["warnings"])), (["user:b"], 1), "the other one is there")
        check(got["warnings"][0].startswith("user:a: "), "the warning: %s" % got["warnings"])
        h.refused(404, "NOT_FOUND", "GET", API + "/pets/" + pet)


def older_rules():
    """Animations from before 27 August 2026, as a library has them that was filled long ago, and those that are none."""
    with hosts() as h:
        put(h, "user:t")
        put(h, "user:newer")
        h.fine("POST", "/pets", {"from": "blank", "name": "A"})
        h.fine("PUT", "/config", {"states": {"idle": {"enter": {"animationId": "user:t"}}}})
        keys = [{"at": 0, "value": 1}, {"at": 0, "value": 7}, {"at": 1, "value": 2}]
        old = animation("user:t", tracks=[{"property": "transition.scaleX", "keyframes": keys}])
        h.stop()
        db = sqlite3.connect(h.library)
        for name, text in (("user:t", json.dumps(old).encode()), ("user:newer", b'{"version": 2, "id": "user:newer"}')):
            found = db.execute(BLOB_OF, (AREAS["item"], name)).fetchone()[0]
            db.execute("UPDATE blob SET bytes = ?, hash = ?, size = ? WHERE id = ?",
                       (text, sha256(text).digest(), len(text), found))
        db.commit()
        db.close()
        h.start()
        got = h.get("/animations")
        equal([one["tracks"][0]["keyframes"] for one in got["customs"]], [[keys[0], keys[2]]], "mended")
        check(len(got["normalized"]) == 1 and got["normalized"][0].startswith("user:t: "), "told: %s" % got["normalized"])
        check(len(got["warnings"]) == 1 and "newer" in got["warnings"][0], "told: %s" % got["warnings"])
        files = unzipped(export(h, h.get("/pets")["activePetId"]))
        equal(json.loads(files["manifest.json"])["motionPack"]["animations"], got["customs"], "so it goes into a package")


def members(text):
    """The members of an object, or the items of an array, as they are spelled."""
    decoder, found, at = json.JSONDecoder(), {}, 1
    while True:
        at = re.compile(r"[\s,]*").match(text, at).end()
        if text[at] in "}]":
            return found
        name = len(found)
        if text[0] == "{":
            name, at = decoder.raw_decode(text, at)
            at = re.compile(r"\s*:\s*").match(text, at).end()
        end = decoder.raw_decode(text, at)[1]
        found[name] = text[at:end]
        at = end


def vectors():
    """The cases of packs: what the original program does to a library, and where the document says otherwise, that."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors", "petween", "packs.json"),
              encoding="utf-8") as file:
        cases = [members(one) for one in members(file.read().strip()).values()]
    counts = {"imported": 0, "refused": 0, "exported": 0}
    with hosts() as h:
        def fill(case):
            library = list(members(case["library"]).values())
            if library:
                text = '{"format":"motion-pack","version":1,"name":"x","namespace":"mixed","animations":[%s]}'
                got = h.fine("POST", "/packs/import", raw=(text % ",".join(library)).encode())
                check(all(one["status"] == "imported" for one in got["entries"]), "library of %s" % case["name"])
        for case in cases:
            name = case["name"]
            result = dict(json.loads(case["result"]), **json.loads(case.get("alternative", "{}")))
            fill(case)
            if "export" in case:
                ids = json.loads(case["export"])["ids"]
                got = h.ask("GET", API + "/packs/export?ids=" + urllib.parse.quote(ids))
                if got.status == 200:
                    equal(got.json, result["pack"], name)
                    counts["exported"] += 1
                else:
                    equal((got.status, got.code, got.details), (400, result["error"], result.get("details")), name)
            else:
                before = h.ask("GET", API + "/animations").body
                got = h.ask("POST", API + "/packs/import", raw=case["pack"].encode())
                if result["ok"]:
                    equal(got.status, 200, "%s: %s" % (name, got.body[:300]))
                    wanted = {key: result.get(key) for key in ("name", "namespace", "entries", "mounts", "applyPatch")}
                    if "entries" in result:  # else it is only said that the document takes it
                        equal({key: got.json.get(key) for key in wanted}, wanted, name)
                    all_there = {one["id"]: one for one in h.get("/animations")["customs"]}
                    for one in result.get("writes", []):
                        equal(json.dumps(all_there.get(one["id"])), json.dumps(one), "%s: %s" % (name, one["id"]))
                    counts["imported"] += 1
                else:
                    equal((got.status, got.code), (400, "PACK_INVALID"), name)
                    equal(h.ask("GET", API + "/animations").body, before, "%s: nothing is stored" % name)
                    counts["refused"] += 1
            for one in h.get("/animations")["customs"]:
                h.fine("DELETE", "/animations/" + one["id"])
    print("vectors: %s" % counts)
    check(min(counts.values()) > 5, "few cases: %s" % counts)


def many_at_once():
    """Writers that go by the revision that they have seen: every change of each is there in the end."""
    count, each = 8, 6
    with hosts() as h:
        h.fine("POST", "/pets", {"from": "blank", "name": "A"})
        done = []

        def writer(number):
            for step in range(each):
                put(h, "w%d:a%d" % (number, step))
                while True:
                    now = h.get("/config")
                    hold = now["config"]["global"]["errorHoldMs"]
                    got = h.ask("PUT", API + "/config", {"global": {"errorHoldMs": hold + 1}},
                                {"x-petween-expected-revision": str(now["revision"])})
                    if got.status == 200:
                        done.append(1)
                        break
                    if got.code != "REVISION_MISMATCH":
                        check(False, "writer: %s" % got.body)
                        return
        threads = [threading.Thread(target=writer, args=(number,)) for number in range(count)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        equal(h.get("/config")["config"]["global"]["errorHoldMs"], 1800 + count * each, "no update is lost")
        equal((len(h.get("/animations")["customs"]), len(done)), (count * each, count * each), "all animations are there")


TABLE = {
    (400, "INVALID_JSON"), (400, "ID_MISMATCH"), (400, "INVALID_ANIMATION"), (400, "PACK_INVALID"),
    (400, "PACK_EXPORT_EMPTY"), (400, "PACK_EXPORT_UNKNOWN"), (400, "INVALID_CONFIG"), (400, "INVALID_REQUEST"),
    (400, "INVALID_PRESET"), (400, "PET_PACKAGE_INVALID"), (400, "PACK_VERSION_NEWER"), (400, "EXPORT_INCOMPLETE"),
    (400, "INVALID_PLUGIN_CONFIGS"), (400, "BAD_MULTIPART"), (400, "FILE_FIELD_MISSING"), (403, "CROSS_ORIGIN"),
    (404, "NOT_FOUND"), (405, "METHOD_NOT_ALLOWED"), (409, "ANIMATION_IN_USE"), (409, "ASSET_IN_USE"),
    (409, "REVISION_MISMATCH"), (413, "PAYLOAD_TOO_LARGE"), (413, "TOTAL_SIZE_EXCEEDED"), (413, "DIMENSIONS_TOO_LARGE"),
    (415, "UNSUPPORTED_TYPE"), (415, "MIME_MISMATCH"), (500, "INTERNAL"),
}
ROUTES = {(method, path if path.startswith("/petween-assets") else API + path) for path, methods in {
    "/meta": "GET HEAD", "/config": "GET PUT HEAD", "/animations": "GET", "/animations/ID": "PUT DELETE",
    "/packs/import": "POST", "/packs/export": "GET", "/pets": "GET POST", "/pets/ID": "GET PUT DELETE",
    "/pets/ID/apply": "POST", "/pets/import": "POST", "/pets/ID/export": "GET POST", "/assets": "POST",
    "/assets/ID": "DELETE", "/petween-assets/ID": "GET HEAD", "/events": "GET", "/state": "GET"}.items()
    for method in methods.split()}

if __name__ == "__main__":
    parts = (meta_and_config, kept_answers, animations, animations_in_use, packs, pets, assets, packages, events,
             methods_and_origins, damage, older_rules, vectors, many_at_once)
    chosen = [part for part in parts if not sys.argv[2:] or part.__name__ in sys.argv[2:]]
    for part in chosen:
        begin = time.time()
        part()
        print("%s: %.1f s" % (part.__name__, time.time() - begin), flush=True)
    if not sys.argv[2:]:
        equal(sorted(TABLE - met), [], "rows of the table that were not met")
        equal(sorted(ROUTES - routes), [], "routes that did not answer 200")
        equal(sorted(met - TABLE - {(400, "PATH_REFUSED")}), [], "answers that are in no table")
    sys.exit(1 if faults else 0)
