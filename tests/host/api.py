#!/usr/bin/env python3
"""The general interface, /api/v1, of a real server on a free port: what it answers, and whether host/openapi.json says so.
Usage: api.py PROGRAM LOAD [PART...]

LOAD is the program of tests/host/load.c.

Every answer is judged against the file (openapi.py); in the end every path, status and parameter of the file must have been
shown by some answer, and every route of the sources must be in the file.
"""
import sys

here = sys.path.pop(0)  # a file beside this one is called like a module of Python's own
import glob
import hashlib
import http.client
import io
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
import zipfile

sys.path.append(here)
from openapi import Description

program, load = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SLOW = float(os.environ.get("ZO_SLOW", "0")) or 1.0
faults = []
description = Description(os.path.join(root, "host", "openapi.json"))


def check(right, what):
    if not right:
        faults.append(what)
        print("FAULT: " + what, flush=True)


def example(path):
    with open(os.path.join(root, "examples", path), "rb") as file:
        return file.read()


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def etag(self):
        return self.headers.get("etag")

    @property
    def code(self):
        return self.json.get("code")


class Server:
    def __init__(self, library, *options, wanted=0):
        self.log = tempfile.TemporaryFile()
        self.library, self.wanted = library, wanted
        self.process = subprocess.Popen([program, "serve", "--library", library, "--port", "0", "--log", "errors", *options],
                                        stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        found = re.match(r"listening on (http://127\.0\.0\.1:(\d+)/)\n", line)
        if not found:
            self.log.seek(0)
            sys.exit("the server says: " + line + self.log.read().decode())
        self.url, self.port = found.group(1).rstrip("/"), int(found.group(2))
        self.kept = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.process.terminate()
        try:
            code = self.process.wait(30 * SLOW)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "none: it does not end"
        self.log.seek(0)
        text = self.log.read().decode(errors="replace")
        check(code == self.wanted, "exit %s, not %s: %s" % (code, self.wanted, text[-3000:]))
        found = re.search(r".*(Sanitizer|runtime error)(.*\n){0,80}", text)
        check(found is None, found and found.group(0))

    def raw(self, method, target, body=b"", headers=None):
        """One request, on a kept connection."""
        for attempt in (0, 1):
            try:
                if self.kept is None:
                    self.kept = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * SLOW)
                self.kept.request(method, target, body or None, headers or {})
                reply = self.kept.getresponse()
                answer = Answer(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
                if answer.headers.get("connection", "").lower() == "close":
                    self.kept.close()
                    self.kept = None
                return answer
            except (http.client.HTTPException, ConnectionError):
                self.kept = None
                if attempt:
                    raise

    def ask(self, method, target, body=b"", headers=None, status=None):
        """The same, judged. A GET that goes well is asked again with its ETag, and by HEAD."""
        headers = dict(headers or {})
        answer = self.raw(method, target, body, headers)
        for fault in description.answered(method, target, headers, answer.status, answer.headers, answer.body):
            check(False, fault)
        wanted = (status,) if isinstance(status, int) else status
        check(wanted is None or answer.status in wanted,
              "%s %s: %d, not %s: %s" % (method, target, answer.status, status, answer.body[:600]))
        if method == "GET" and answer.status == 200 and answer.etag:
            again = self.raw("GET", target, headers=dict(headers, **{"If-None-Match": answer.etag}))
            for fault in description.answered("GET", target, {}, again.status, again.headers, again.body):
                check(False, fault)
            check(again.status == 304 and again.etag == answer.etag, "%s again: %d" % (target, again.status))
            head = self.raw("HEAD", target, headers=headers)
            check(head.status == 200 and head.etag == answer.etag and not head.body and
                  head.headers["content-length"] == str(len(answer.body)), "HEAD %s: %d" % (target, head.status))
        return answer

    def get(self, target, status=200):
        return self.ask("GET", target, status=status)

    def put(self, target, body, match=None, status=(200, 201)):
        return self.ask("PUT", target, body, {"If-None-Match": "*"} if match is None else {"If-Match": match}, status)


def zipped(files):
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w") as archive:
        for name, body in files:
            archive.writestr(zipfile.ZipInfo(name) if isinstance(name, str) else name, body, zipfile.ZIP_DEFLATED, 1)
    return to.getvalue()


def query(**values):
    return "?" + urllib.parse.urlencode(values)


SLAM = example("petween/slam-land.json")
PEEKABOO = example("petween/peekaboo.json")
FLOAT = example("petween/gentle-float.json")
PACK = example("petween/praxi-pack.json")
CONFIG = example("petween/praxi/pet.json")
PICTURE = example("petween/pet/idle.png")
OTHER_PICTURE = example("petween/pet/error.png")


def renamed(definition, id):
    text = re.sub(rb'"id":\s*"[^"]*"', b'"id": "%s"' % id.encode(), definition, 1)
    assert id.encode() in text
    return text


def listing(blob):
    """What is in a compiled program."""
    return subprocess.run([load], input=blob, stdout=subprocess.PIPE, check=True).stdout


def dump(path, folder):
    return subprocess.run([program, "dump", path], cwd=folder, stdout=subprocess.PIPE, check=True).stdout


# ---- The file ----

def described(folder):
    for fault in description.faults():
        check(False, "openapi.json: " + fault)
    routes = set()
    for path in glob.glob(os.path.join(root, "host", "api*.c")) + [os.path.join(root, "host", "http.c")]:
        with open(path, encoding="utf-8") as file:
            for pattern, method in re.findall(r'\{\s*"(/[^"]*)",\s*HTTP_(GET|PUT|POST|PATCH|DELETE)\b', file.read()):
                routes.add((method, pattern.replace("...}", "}")))
    told = {(method.upper(), path) for path, method, _ in description.operations()}
    check(len(routes) > 20, "routes are not found in the sources any more: %d" % len(routes))
    check(not routes - told, "served, and not described: %s" % sorted(routes - told))
    check(not told - routes, "described, and not served: %s" % sorted(told - routes))


# ---- Areas and things ----

def things(folder):
    with Server(os.path.join(folder, "things.db")) as s:
        page = s.get("/")
        check(b"/openapi.json" in page.body and "default-src 'none'" in page.headers["content-security-policy"], "page")
        for link in re.findall(rb'href="(/[^"]*)"', page.body):
            ask = s.raw if b"/petween/" in link else s.ask  # which is described elsewhere
            check(ask("GET", link.decode()).status == 200, "a link of the page: %s" % link)
        check(json.loads(s.get("/openapi.json").body) == description.doc, "/openapi.json is another one")
        library = s.get("/api/v1/library").json
        check(library["revision"] == 0 and sum(library["counts"].values()) == 0, "a new library: %s" % library)
        names = [one["name"] for one in s.get("/api/v1/formats").json["formats"]]
        check("petween" in names and len(names) == len(set(names)), "formats: %s" % names)
        for one in s.get("/api/v1/formats").json["formats"]:
            got = s.get("/api/v1/schemas/" + one["name"], 200 if one["schema"] else 404)
            check(not one["schema"] or "$schema" in got.json, "schema of " + one["name"])
        s.get("/api/v1/schemas/petween?profile=original")
        s.get("/api/v1/schemas/petween?profile=x", 400)
        for target in ("/api/v1", "/api/v1/nothing", "/api/v1/nothing/x", "/api/v1/nothing/x/content", "/api/v1/items/a/b",
                       "/api/v1/items/a/content/b"):
            got = s.get(target, 404)
            check(got.code == "not-found" and got.headers["content-type"] == "application/problem+json", target)
        got = s.ask("DELETE", "/api/v1/items", status=405)
        check(got.headers["allow"] == "GET, HEAD", "405: %s" % got.headers)

        # One thing from its beginning to its end.
        at = "/api/v1/items/user:slam-land"
        check(s.ask("PUT", at, SLAM, status=428).code == "precondition-required", "428")
        check(s.ask("PUT", at, SLAM, {"If-Match": "*"}, 412).json["revision"] == 0, "* matches nothing that is not there")
        check(s.ask("PUT", at, SLAM, {"If-Match": '"1"'}, 412).code == "stale", "no state of it is there")
        check(s.ask("PUT", at, SLAM, {"If-None-Match": '"1"'}, 400).code == "bad-precondition", "only * goes with a change")
        check(s.ask("PUT", at, b"", {"If-None-Match": "*"}, 400).code == "no-body", "no body")
        made = s.put(at, SLAM, status=201)
        first = made.etag
        check(made.headers["location"] == at and first == '"%d"' % made.json["revision"], "made: %s" % made.headers)
        check(made.json["kind"] == "transition" and made.json["name"] == "Slam Land" and made.json["format"] == "petween" and
              made.json["durationMs"] == 320 and made.json["files"][0]["hash"] == hashlib.sha256(SLAM).hexdigest(),
              "what it is: %s" % made.json)
        whole = s.get(at)
        check(whole.json == made.json and whole.etag == first, "GET gives what PUT gave")
        content = s.get(at + "/content")
        check(content.body == SLAM and content.etag == first and content.headers["content-type"] == "application/json",
              "the bytes as they were given")
        file = s.get(at + "/files/" + made.json["files"][0]["name"])
        check(file.body == SLAM, "the file by its name")
        s.get(at + "/files/nothing", 404)
        check(s.put(at, SLAM, status=412).json["revision"] == made.json["revision"], "it is there already")
        check(s.ask("PUT", at, SLAM, {"If-None-Match": "*", "If-Match": first}, 412).code == "stale", "both cannot hold")
        check(s.put(at, SLAM, first, 200).etag == first, "the same is no change")
        spaced = SLAM.replace(b'"version": 1', b'"version":   1')
        second = s.put(at, spaced, first, 200)
        check(second.etag != first and second.json["version"] == 2, "another spelling is a change")
        check(s.get(at + "/content").body == spaced, "what is kept in memory is no older than what is stored")
        check(s.get(at).etag == second.etag, "the same of what it is")
        stale = s.put(at, SLAM, first, 412)
        check(stale.json["revision"] == second.json["revision"], "stale: %s" % stale.json)
        check(s.put(at, SLAM, 'W/' + second.etag, 412).code == "stale", "a weak ETag matches nothing")
        check(s.get(at + "/content?revision=" + first.strip('"')).body == SLAM, "as it was")
        was = s.get(at + "?revision=" + first.strip('"'))
        check(was.json["action"] == "created" and was.etag == first and "uses" not in was.json, "what it was: %s" % was.json)
        check(s.get(at + "/files/%s?revision=%s" % (made.json["files"][0]["name"], first.strip('"'))).body == SLAM, "file then")
        for more in ("", "/content", "/archive", "/files/" + made.json["files"][0]["name"], "/program"):
            for value, status in (("0", 400), ("x", 400), ("-1", 400), ("", 400), ("99999999999999999999", 400), ("977", 404)):
                s.get(at + more + "?revision=" + value, status)
        history = s.get(at + "/history").json
        check([one["action"] for one in history["history"]] == ["changed", "created"] and history["next"] is None,
              "history: %s" % history)
        some = s.get(at + "/history?limit=1").json
        rest = s.get(at + "/history?limit=1&cursor=" + some["next"]).json
        check(some["history"] + rest["history"] == history["history"] and rest["next"] is None, "history by pages")
        bad = s.put(at, SLAM.replace(b'"at": 0.3', b'"at": 1.3', 1), second.etag, 422)
        check(bad.code == "invalid-content" and "petween/at" in [one["id"] for one in bad.json["diagnostics"]] and
              bad.json["diagnostics"][0]["pointer"].startswith("/tracks/0/keyframes"), "errors are told: %s" % bad.json)
        check(s.put(at, PEEKABOO, second.etag, (400, 422)).json["detail"], "another id in the content")
        check(s.put("/api/v1/items/builtin:pop", renamed(SLAM, "builtin:pop"), status=(400, 422)).json["detail"], "reserved")
        for id in ("a%20b", ".x", "a" * 201, "a%C3%A4"):
            got = s.put("/api/v1/items/" + id, SLAM, status=400)
            check(got.json["detail"], "no id: " + id)
            s.get("/api/v1/items/" + id, (400, 404))
            s.ask("DELETE", "/api/v1/items/" + id, headers={"If-Match": "*"}, status=(400, 404))
        s.put("/api/v1/nothing/x", SLAM, status=404)
        s.ask("DELETE", "/api/v1/nothing/x", headers={"If-Match": "*"}, status=404)
        for name in ("../x", "/etc/x", "C:x", "a\\b", "a//b", "a/./b", "x\n"):
            got = s.ask("PUT", at + query(file=name), SLAM, {"If-Match": second.etag}, 400)
            check(got.code == "invalid", "a name that tries to leave: %r: %s" % (name, got.json))
        check(s.ask("DELETE", at, status=428).code == "precondition-required", "428 of DELETE")
        check(s.ask("DELETE", at, headers={"If-None-Match": "*"}, status=428).code == "precondition-required", "428 of DELETE")
        s.ask("DELETE", at, headers={"If-None-Match": second.etag}, status=400)
        check(s.ask("DELETE", at, headers={"If-Match": first}, status=412).code == "stale", "412 of DELETE")
        s.ask("DELETE", at, headers={"If-Match": second.etag}, status=204)
        for more in ("", "/content", "/archive", "/users", "/program", "/diagnostics", "/pictures/x"):
            s.get(at + more, 404)
        s.ask("DELETE", at, headers={"If-Match": "*"}, status=404)
        check([one["action"] for one in s.get(at + "/history").json["history"]] == ["deleted", "changed", "created"], "gone")
        check(s.get(at + "/content?revision=" + first.strip('"')).body == SLAM, "as it was, after its end")

        # And back.
        s.ask("POST", at + "/restore?revision=1", status=428)
        s.ask("POST", at + "/restore", headers={"If-None-Match": "*"}, status=400)
        s.ask("POST", at + "/restore?revision=999", headers={"If-None-Match": "*"}, status=404)
        s.ask("POST", at + "/restore?revision=1", headers={"If-Match": "*"}, status=412)
        back = s.ask("POST", at + "/restore?revision=" + first.strip('"'), headers={"If-None-Match": "*"}, status=201)
        check(s.get(at + "/content").body == SLAM and back.headers["location"] == at, "restored")
        again = s.ask("POST", at + "/restore?revision=" + second.etag.strip('"'), headers={"If-Match": back.etag}, status=200)
        check(s.get(at + "/content").body == spaced and again.etag != back.etag, "restored once more")
        s.ask("POST", at + "/restore?revision=1", headers={"If-Match": back.etag}, status=412)

        # Pictures are called by their content.
        picture = hashlib.sha256(PICTURE).hexdigest()[:16]
        asset = s.put("/api/v1/assets/" + picture, PICTURE, status=201)
        check(asset.json["kind"] == "image/png" and asset.json["width"] > 0, "a picture: %s" % asset.json)
        got = s.get("/api/v1/assets/%s/content" % picture)
        check(got.body == PICTURE and got.headers["content-type"] == "image/png", "its bytes and type")
        check("immutable" in got.headers["cache-control"] and content.headers["cache-control"] == "no-cache", "caches")
        s.put("/api/v1/assets/" + picture, OTHER_PICTURE, asset.etag, 400)
        s.put("/api/v1/assets/0123456789abcdef", b"no picture", status=400)

        # A configuration, and what it refers to.
        made = s.put("/api/v1/configs/petween" + query(name="Mine", origin="a test"), CONFIG, status=201)
        check(s.get("/api/v1/configs/petween/content").body == CONFIG, "a configuration's bytes")
        check(made.json["name"] == "Mine" and made.json["origin"] == "a test", "name and origin: %s" % made.json)
        check([one["id"] for one in s.get("/api/v1/configs").json["items"]] == ["petween"], "configurations")
        metrics = s.ask("GET", "/metrics").body.decode()
        check(re.search(r"^zoetrope_api_cache_hits_total [1-9]", metrics, re.M), "replies are kept")
        s.ask("GET", "/healthz", status=200)


def pages(folder):
    with Server(os.path.join(folder, "pages.db")) as s:
        ids = ["user:wave-%03d" % i for i in range(25)] + ["other:hop-%02d" % i for i in range(8)]
        for id in ids:
            s.put("/api/v1/items/" + id, renamed(FLOAT if "hop" in id else SLAM, id), status=201)
        everything, cursor, pages = [], None, 0
        while True:
            got = s.get("/api/v1/items?limit=7" + ("&cursor=" + cursor if cursor else "")).json
            everything += [one["id"] for one in got["items"]]
            pages += 1
            cursor = got["next"]
            if cursor is None:
                break
        check(everything == sorted(ids) and pages == 5, "all pages have all of it, once: %d pages, %s" % (pages, everything))
        check(s.get("/api/v1/items?total=true&limit=1").json["total"] == 33, "counted")
        for more, count in (("prefix=user:", 25), ("prefix=user:wave-00", 10), ("kind=transition", 25), ("kind=ambient", 8),
                            ("format=petween", 33), ("format=b3d", 0), ("query=hop", 8), ("query=wave-01", 10), ("query=hop+wave", 0),
                            ("kind=ambient&prefix=user:", 0)):
            got = s.get("/api/v1/items?limit=1000&" + more).json
            check(len(got["items"]) == count, "%s: %d, not %d" % (more, len(got["items"]), count))
        for more in ("limit=0", "limit=1001", "limit=x", "limit=", "cursor=zzz", "cursor=0", "total=yes"):
            check(s.get("/api/v1/items?" + more, 400).code == "bad-parameter", more)
        found = s.get("/api/v1/search?query=wave-013").json["items"]
        check([one["id"] for one in found] == ["user:wave-013"], "found: %s" % found)
        check(len(s.get("/api/v1/search?query=hop&area=items&format=petween&kind=ambient&prefix=other:&limit=3").json["items"])
              == 3, "a search with all filters")
        check(s.get("/api/v1/search?query=hop&area=pets").json["items"] == [], "found elsewhere")
        for more in ("", "?query=a&area=x", "?query=a&limit=0"):
            check(s.get("/api/v1/search" + more, 400).code == "bad-parameter", "search" + more)
        for words in ('"', "*", "a OR", "-", "NEAR(", "' --", "%00"):
            s.ask("GET", "/api/v1/search" + ("?query=" + words if "%" in words else query(query=words)), status=(200, 400))
        changes, after = [], 0
        while after is not None:
            got = s.get("/api/v1/changes?limit=10&after=%d" % after).json
            changes += got["changes"]
            after = got["next"]
        check([one["id"] for one in changes] == ids and {one["action"] for one in changes} == {"created"}, "changes")
        check(s.get("/api/v1/changes?after=%d" % changes[-1]["revision"]).json["changes"] == [], "nothing after the last")
        s.get("/api/v1/changes?after=-1", 400)
        # The ETag of a page is that of the library: it holds until anything changes.
        etag = s.get("/api/v1/items").etag
        s.put("/api/v1/items/user:new", renamed(SLAM, "user:new"), status=201)
        check(s.get("/api/v1/items").etag != etag, "a page's ETag")


def bad_requests(folder):
    """What every path says to an area, an id or a number that is none."""
    with Server(os.path.join(folder, "bad.db")) as s:
        for path, method, operation in description.operations():
            if not path.startswith("/api/v1/") or method != "get" or "renders" in path or "events" in path:
                continue
            target = path.replace("{area}", "items").replace("{name}", "x").replace("{id}", "a%20b")
            names = [description.resolve(one) for one in operation.get("parameters", [])]
            numbers = [one["name"] for one in names if one["in"] == "query" and one["schema"].get("type") == "integer"]
            if "{id}" in path:
                s.ask("GET", target, status=(400, 404))
                s.get(path.replace("{area}", "nothing").replace("{name}", "x").replace("{id}", "x"), 404)
            for name in numbers:
                check(s.get(target + "?%s=x" % name, 400).json["parameter"] == name, "%s of %s" % (name, target))
            if "400" in operation["responses"] and not numbers:
                s.ask("GET", target, status=(400, 404))


# ---- What contents mean ----

def diagnostics(folder):
    mistakes = os.path.join(root, "tests", "cli", "ten-mistakes.json")
    with open(mistakes, "rb") as file:
        ten = file.read()
    with Server(os.path.join(folder, "look.db")) as s:
        shutil.copy(mistakes, folder)
        said = subprocess.run([program, "check", "--output", "json", "ten-mistakes.json"], cwd=folder, stdout=subprocess.PIPE).stdout
        got = s.ask("POST", "/api/v1/diagnostics?file=ten-mistakes.json", ten, status=200)
        check(got.body == said, "it says what the command says: %s" % got.body[:500])
        check(got.json["errors"] >= 10, "all of its mistakes")
        got = s.ask("POST", "/api/v1/diagnostics?file=a.json&maxErrors=3&strict=true&format=petween&profile=original&model=auto"
                    "&area=items&lone=true", ten, status=200)
        check(len(got.json["diagnostics"]) == 3 and got.json["dropped"] > 0, "three of them: %s" % got.json)
        check(s.ask("POST", "/api/v1/diagnostics", SLAM, status=200).json["errors"] == 0, "nothing wrong")
        check(s.ask("POST", "/api/v1/diagnostics", PICTURE, status=200).json["errors"] == 0, "nothing wrong with a picture")
        check(s.ask("POST", "/api/v1/diagnostics", b"{", status=200).json["errors"] > 0, "no JSON")
        for more in ("format=x", "profile=x", "model=x", "strict=x", "maxErrors=0", "area=x", "lone=1"):
            check(s.ask("POST", "/api/v1/diagnostics?" + more, SLAM, status=400).code == "bad-parameter", more)
        s.ask("POST", "/api/v1/diagnostics?file=../x", SLAM, status=400)
        check(s.ask("POST", "/api/v1/diagnostics", b"", status=400).code == "no-body", "no body")
        check(s.get("/api/v1/library").json["revision"] == 0, "nothing of it was stored")
        s.put("/api/v1/items/user:slam-land" + query(file="slam.json", format="petween", profile="document", strict="true",
                                                     model="contract", maxErrors=5), SLAM, status=201)
        got = s.get("/api/v1/items/user:slam-land/diagnostics")
        check(got.json["errors"] == 0 and got.json["files"][0]["file"] == "slam.json", "what is stored: %s" % got.json)
        s.get("/api/v1/items/user:slam-land/diagnostics?strict=true&profile=original&model=renderer&maxErrors=9")
        s.get("/api/v1/items/user:slam-land/diagnostics?strict=x", 400)
        with open(os.path.join(folder, "slam.json"), "wb") as file:
            file.write(SLAM)
        for more in ("", "?revision=1", "?profile=document&strict=true&model=auto&maxErrors=5"):
            got = s.get("/api/v1/items/user:slam-land/program" + more)
            check(listing(got.body) == dump("slam.json", folder), "the program is that of the source")
        s.get("/api/v1/items/user:slam-land/program?profile=x", 400)
        s.put("/api/v1/items/9user:slam", renamed(SLAM, "9user:slam"), status=201)
        got = s.get("/api/v1/items/9user:slam/program?profile=original", 422)
        check(got.json["diagnostics"][0]["pointer"] == "/id", "what the program behind it refuses: %s" % got.json)


def archives(folder):
    """Things of several files go in and out as one zip."""
    pack = {}
    top = os.path.join(root, "examples", "charpack", "vesper")
    for path in glob.glob(os.path.join(top, "**"), recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                pack[os.path.relpath(path, top)] = file.read()
    with Server(os.path.join(folder, "archives.db")) as s:
        at = "/api/v1/items/vesper"
        sent = zipped(sorted(pack.items()))
        made = s.put(at, sent, status=201)
        check(made.json["fileCount"] == len(pack) and made.json["files"][0]["name"].endswith("runtime_manifest.json"),
              "a character pack: %s" % str(made.json)[:300])
        for one in made.json["files"][:5]:
            check(s.get(at + "/files/" + one["name"]).body == pack[one["name"]], "its file " + one["name"])
        out = s.get(at + "/archive")
        with zipfile.ZipFile(io.BytesIO(out.body)) as archive:
            check({one: archive.read(one) for one in archive.namelist()} == pack, "out comes what went in")
            check(archive.namelist()[0].endswith("runtime_manifest.json"), "what it is about comes first")
        check(s.get(at + "/archive").body == out.body, "the same bytes each time")
        check(s.put(at, out.body, made.etag, 200).etag == made.etag, "putting it back is no change")
        check(s.get(at + "/content").body == pack["runtime_manifest.json"], "its first file")
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(top, os.path.join(place, "vesper"))
            check(listing(s.get(at + "/program").body) == dump("vesper", place), "its program")
        some = next(name for name in pack if name.endswith(".ktx2"))
        s.get(at + "/pictures/" + some)
        s.get(at + "/pictures/nothing.ktx2", 404)
        check(s.ask("POST", "/api/v1/diagnostics", sent, status=200).json["errors"] == 0, "looked at in a zip")

        # What it is about is the first, or is said.
        clip, rig = example("enemy/hop.json"), example("enemy/rig.json")
        others = [(name, example("enemy/" + name)) for name in ("sprites.json", "sprites.png")]
        files = [("rig.json", rig), ("hop.json", clip)] + others
        made = s.put("/api/v1/items/hop?first=hop.json", zipped(files), status=201)
        check(made.json["files"][0]["name"] == "hop.json" and made.json["fileCount"] == 4, "the first: %s" % made.json)
        check("'x'" in s.put("/api/v1/items/hop?first=x", zipped(files), made.etag, 400).json["detail"], "no such file")
        out = s.get("/api/v1/items/hop/archive").body
        check(s.put("/api/v1/items/hop", out, made.etag, 200).etag == made.etag, "out and in again")
        s.get("/api/v1/items/hop/archive?revision=%d" % made.json["revision"])
        got = s.ask("POST", "/api/v1/diagnostics?first=hop.json", zipped(files), status=200)
        check(got.json["files"][0]["file"] == "hop.json" and got.json["errors"] == 0, "the one that is meant: %s" % got.json)
        large = zipped(sorted(pack.items()) + [("notes.bin", bytes(65 << 20))])
        s.put("/api/v1/items/large", large, status=201)
        check(s.get("/api/v1/items/large/archive", 413).code == "too-large", "too large for one zip")

        # Zips that try to leave, or to be more than they are: refused by name, and nothing is stored.
        revision = s.get("/api/v1/library").json["revision"]
        link = zipfile.ZipInfo("link.json")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        for name in ("../x.json", "/x.json", "C:/x.json", "a\\b.json", "a/../../x.json", link):
            for target in ("/api/v1/diagnostics", "/api/v1/import"):
                shown = name if isinstance(name, str) else name.filename
                got = s.ask("POST", target, zipped([("a.json", SLAM), (name, SLAM)]), status=(400, 413, 422))
                told = json.dumps(got.json)
                check(json.dumps(shown).strip('"').split("/")[-1] in told, "%s at %s: %s" % (shown, target, told))
            s.put("/api/v1/items/x", zipped([("a.json", SLAM), (name, SLAM)]), status=(400, 413, 422))
        bomb = zipped([(name, b" " * (50 << 20)) for name in ("a.json", "b.json", "c.json", "d.json", "e.json", "f.json")])
        check(len(bomb) < 2 << 20, "a bomb is small")
        check("f.json" in s.put("/api/v1/items/x", bomb, status=(400, 413)).json["detail"], "a bomb is refused by name")
        for broken in (sent[:len(sent) // 2], sent[:-30], b"PK\3\4", b"PK\5\6" + bytes(18),
                       sent.replace(b"PK\1\2", b"PK\1\3", 1)):
            s.put("/api/v1/items/x", broken, status=(400, 413, 422))
        lies = bytearray(zipped([("a.json", b" " * 100000)]))  # the directory says ten bytes
        at = lies.index(b"PK\1\2") + 24
        lies[at:at + 4] = (10).to_bytes(4, "little")
        check("a.json" in s.put("/api/v1/items/x", bytes(lies), status=400).json["detail"], "an entry larger than it says")
        encrypted = bytearray(zipped([("a.json", SLAM)]))
        encrypted[encrypted.index(b"PK\1\2") + 8] |= 1
        encrypted[6] |= 1
        check("a.json" in s.put("/api/v1/items/x", bytes(encrypted), status=400).json["detail"], "an encrypted entry")
        check(s.get("/api/v1/library").json["revision"] == revision, "nothing of it was stored")


def imports(folder):
    with Server(os.path.join(folder, "imports.db")) as s:
        got = s.ask("POST", "/api/v1/import?dryRun=true", PACK, status=200).json
        check(got["shape"] == "pack" and got["dryRun"] and {one["outcome"] for one in got["entries"]} == {"imported"}, "dry run")
        check(s.get("/api/v1/library").json["revision"] == 0, "a dry run stores nothing")
        got = s.ask("POST", "/api/v1/import" + query(file="pack.json", origin="a test", mend="true", strict="false",
                                                     format="motion-pack", profile="document", model="auto", maxErrors=50), PACK, status=200).json
        ids = [one["id"] for one in got["entries"]]
        check(got["name"] == "Praxi's motions" and got["namespace"] == "user" and len(ids) >= 4, "imported: %s" % got)
        for one in got["entries"]:
            check(s.get("/api/v1/items/" + one["id"]).json["revision"] == one["revision"], "entry %s" % one)
        again = s.ask("POST", "/api/v1/import", PACK, status=200).json
        check({one["outcome"] for one in again["entries"]} == {"identical"}, "the same again: %s" % again)
        out = s.get("/api/v1/export?" + urllib.parse.urlencode({"ids": ",".join(ids), "name": "Mine"}))
        check(out.json["name"] == "Mine" and len(out.json["animations"]) == len(ids), "exported")
        back = s.ask("POST", "/api/v1/import", out.body, status=200).json
        check({one["outcome"] for one in back["entries"]} == {"identical"}, "export and import: all identical: %s" % back)
        other = PACK.replace(b'"durationMs": 320', b'"durationMs": 330')
        got = s.ask("POST", "/api/v1/import", other, status=200).json
        check([one["outcome"] for one in got["entries"]].count("remapped") == 1, "another content under one id: %s" % got)
        check(s.ask("POST", "/api/v1/import", b'{"format": "motion-pack", "version": 1}', status=422).json["diagnostics"], "bad")
        check(s.ask("POST", "/api/v1/import", b"", status=400).code == "no-body", "no body")
        s.ask("POST", "/api/v1/import?dryRun=1", PACK, status=400)
        got = s.get("/api/v1/export?ids=user:slam-land,user:nothing", 404)
        check(got.json["unknown"] == ["user:nothing"], "not there: %s" % got.json)
        s.get("/api/v1/export", 400)
        s.get("/api/v1/export?ids=,", (400, 404))
        s.get("/api/v1/export?" + urllib.parse.urlencode({"ids": ids[0], "name": "x" * 500}), 413)
        lone = s.ask("POST", "/api/v1/import", PICTURE, status=200)
        check(lone.json["shape"] == "thing" and lone.json["entries"][0]["area"] == "assets", "a picture: %s" % lone.json)
        lone = s.ask("POST", "/api/v1/import?id=slime&first=rig.json", zipped([("rig.json", example("enemy/rig.json"))]), status=200)
        check(lone.json["entries"][0]["id"] == "slime", "a thing by the id given: %s" % lone.json)

        # What others refer to stays, and of the kind that it is.
        pet = s.put("/api/v1/configs/petween", CONFIG, status=201)
        check(pet.json["uses"] and {one["fromArea"] for one in pet.json["uses"]} == {"configs"}, "uses: %s" % pet.json)
        used = s.get("/api/v1/items/user:slam-land/users").json["users"]
        check([(one["fromArea"], one["from"], one["where"], one["role"]) for one in used] ==
              [("configs", "petween", "/states/waiting/enter/animationId", "enter")], "who uses it: %s" % used)
        kept = s.get("/api/v1/items/user:slam-land")
        got = s.ask("DELETE", "/api/v1/items/user:slam-land", headers={"If-Match": kept.etag}, status=409)
        check(got.code == "in-use" and got.json["uses"] == used and got.json["useTotal"] == 1, "in use: %s" % got.json)
        got = s.put("/api/v1/items/user:slam-land", renamed(FLOAT, "user:slam-land"), kept.etag, 409)
        check(got.code == "in-use" and got.json["uses"] == used, "it cannot become of another kind: %s" % got.json)
        s.ask("DELETE", "/api/v1/configs/petween", headers={"If-Match": pet.etag}, status=204)
        s.ask("DELETE", "/api/v1/items/user:slam-land", headers={"If-Match": kept.etag}, status=204)

        # A thing that needs another one: a clip its rig. That one cannot go, and the clip cannot come back without it.
        rig = s.get("/api/v1/items/slime")
        clip = s.put("/api/v1/items/hop?file=hop.json", example("enemy/hop.json"), status=201)
        check([(one["to"], one["needed"]) for one in clip.json["uses"]] == [("slime", True)], "uses: %s" % clip.json["uses"])
        got = s.ask("DELETE", "/api/v1/items/slime", headers={"If-Match": rig.etag}, status=409)
        check(got.json["uses"][0]["from"] == "hop", "needed: %s" % got.json)
        s.ask("DELETE", "/api/v1/items/hop", headers={"If-Match": clip.etag}, status=204)
        s.ask("DELETE", "/api/v1/items/slime", headers={"If-Match": rig.etag}, status=204)
        back = "/restore?revision="
        got = s.ask("POST", "/api/v1/items/hop" + back + clip.etag.strip('"'), headers={"If-None-Match": "*"}, status=409)
        check(got.code == "dangling" and got.json["uses"][0]["to"] == "slime", "dangling: %s" % got.json)
        s.ask("POST", "/api/v1/items/slime" + back + rig.etag.strip('"'), headers={"If-None-Match": "*"}, status=201)
        s.ask("POST", "/api/v1/items/hop" + back + clip.etag.strip('"'), headers={"If-None-Match": "*"}, status=201)
        got = s.ask("POST", "/api/v1/import?id=hop&file=hop.json", example("enemy/hop.json") + b"\n", status=409)
        check(got.code == "taken", "an import replaces nothing: %s" % got.json)
        same = s.ask("POST", "/api/v1/import?id=hop&file=hop.json", example("enemy/hop.json"), status=200)
        check(same.json["entries"][0]["outcome"] == "identical", "what is there already: %s" % same.json)


def packages(folder):
    """A pet package becomes animations, pictures and a pet, and the pet is a thing as any other."""
    shutil.copytree(os.path.join(root, "examples", "petween", "praxi"), os.path.join(folder, "praxi"))
    for path in glob.glob(os.path.join(root, "examples", "petween", "pet", "*.png")):
        shutil.copy(path, os.path.join(folder, "praxi"))
    subprocess.run([program, "convert", "praxi", "--to", "pet-package", "-o", "praxi.zip"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "praxi.zip"), "rb") as file:
        package = file.read()
    with Server(os.path.join(folder, "packages.db")) as s:
        got = s.ask("POST", "/api/v1/import", package, status=200).json
        areas = [one["area"] for one in got["entries"]]
        check(got["shape"] == "package" and (areas.count("items"), areas.count("assets"), areas.count("pets")) == (4, 6, 1),
              "a package: %s" % got)
        at = "/api/v1/pets/" + got["pet"]
        pet = s.get(at)
        roles = sorted(one["role"] for one in pet.json["uses"])
        check(roles == ["ambient"] + ["click"] * ("click" in roles) + ["enter"] * 2 + ["pose"] * 6, "what it uses: %s" % roles)
        check([one["id"] for one in s.get("/api/v1/pets").json["items"]] == [got["pet"]], "pets")
        check(s.get("/api/v1/items/%s/content" % got["provenance"]).body == package, "the package itself")
        check(s.get(at + "/diagnostics").json["errors"] == 0 and listing(s.get(at + "/program").body), "its program")
        check(s.get(at + "/pictures/idle").body == PICTURE, "its picture")
        picture = s.get("/api/v1/assets/%s/users" % hashlib.sha256(PICTURE).hexdigest()[:16]).json["users"]
        check([(one["from"], one["where"]) for one in picture] == [(got["pet"], "/poses/idle/assetId")], "who shows it")
        content = s.get(at + "/content").body
        renamed_pet = content.replace(b'"name": "praxi"', b'"name": "Other"', 1)
        check(renamed_pet != content, "the pet has a name")
        changed = s.put(at, renamed_pet, pet.etag, 200)
        check(changed.json["name"] == "Other" and s.get(at + "/content").body == renamed_pet, "a pet is put")
        check(s.put(at, b'{"version": 1, "states": {"idle": 3}}', changed.etag, 422).json["diagnostics"], "no pet")
        s.ask("DELETE", "/api/v1/assets/" + picture[0]["to"], headers={"If-Match": "*"}, status=409)
        s.ask("DELETE", at, headers={"If-Match": changed.etag}, status=204)
        s.ask("DELETE", "/api/v1/assets/" + picture[0]["to"], headers={"If-Match": "*"}, status=204)
        check(s.ask("POST", "/api/v1/import", package[:-40], status=(400, 422)).json["detail"], "cut off")
        check(s.ask("POST", "/api/v1/import?format=pet-package", zipped([("a.json", SLAM)]), status=422).json["diagnostics"],
              "no package")


# ---- Changes as they happen ----

class Listener:
    def __init__(self, server):
        self.one = socket.create_connection(("127.0.0.1", server.port), 20 * SLOW)
        self.one.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.text = ""

    def until(self, mark, seconds=15):
        end = time.time() + seconds * SLOW
        while mark not in self.text and time.time() < end:
            self.text += self.one.recv(65536).decode()
        return mark in self.text

    def events(self, name):
        return [json.loads(data) for data in re.findall(r"event: %s\ndata: (.*)\n\n" % name, re.sub(r"\r\n[0-9a-f]+\r\n", "", self.text))]


def events(folder):
    path = os.path.join(folder, "events.db")
    with Server(path) as s:
        s.put("/api/v1/items/user:slam-land", SLAM, status=201)
        listener = Listener(s)
        check(listener.until("event: snapshot"), "a snapshot: " + listener.text)
        made = s.put("/api/v1/items/user:peekaboo", PEEKABOO, status=201)
        s.ask("DELETE", "/api/v1/items/user:peekaboo", headers={"If-Match": made.etag}, status=204)
        check(listener.until('"deleted"') and listener.until("\n\n"), "events: " + listener.text)
        snapshot, changes = listener.events("snapshot"), listener.events("change")
        check(len(snapshot) == 1 and snapshot[0]["revision"] == 1, "snapshot: %s" % snapshot)
        check([(one["id"], one["action"]) for one in changes] ==
              [("user:peekaboo", "created"), ("user:peekaboo", "deleted")], "changes: %s" % changes)
        for name, ones in (("Snapshot", snapshot), ("Change", changes)):
            for one in ones:
                for fault in description.judge(one, description.doc["components"]["schemas"][name]):
                    check(False, "event %s: %s" % (name, fault))
        description.seen[("/api/v1/events", "get", "200")] = 1
        check(changes == s.get("/api/v1/changes?after=1").json["changes"], "the same as by asking")
        # Another process changes what is kept in memory here: it is told of, and not kept any longer.
        at = "/api/v1/items/user:slam-land"
        kept = s.get(at + "/content")
        with Server(path) as other:
            spaced = SLAM.replace(b'"version": 1', b'"version":  1')
            there = other.put(at, spaced, kept.etag, 200)
        check(listener.until('"revision": %d' % there.json["revision"]), "changes by others: " + listener.text[-300:])
        check(s.get(at + "/content").body == spaced and s.get(at).etag == there.etag, "what others have changed")
        head = s.raw("HEAD", "/api/v1/events")
        check(head.status == 200 and not head.body, "HEAD of a stream: %d" % head.status)


def clients(folder):
    """Readers and writers at once: no reader sees less than what was acknowledged before it asked."""
    with Server(os.path.join(folder, "clients.db")) as s:
        at = "/api/v1/items/user:slam-land"
        s.put(at, SLAM, status=201)
        acknowledged, wrong, count, end = [1], [], [0], time.time() + 2

        def read():
            one = http.client.HTTPConnection("127.0.0.1", s.port, timeout=30 * SLOW)
            while time.time() < end:
                known = acknowledged[0]
                one.request("GET", at + "/content")
                reply = one.getresponse()
                body = reply.read()
                if int(reply.getheader("ETag").strip('"')) < known or not body.startswith(b"{"):
                    wrong.append("%s after %d" % (reply.getheader("ETag"), known))
                count[0] += 1

        def write():
            one = http.client.HTTPConnection("127.0.0.1", s.port, timeout=30 * SLOW)
            etag, spaces = '"1"', 0
            while time.time() < end:
                spaces += 1
                one.request("PUT", at, SLAM.replace(b'"version": 1', b'"version":%s1' % (b" " * (spaces % 50 + 2))), {"If-Match": etag})
                reply = one.getresponse()
                reply.read()
                if reply.status != 200:
                    wrong.append("PUT: %d" % reply.status)
                    return
                etag = reply.getheader("ETag")
                acknowledged[0] = int(etag.strip('"'))

        threads = [threading.Thread(target=work) for work in [read] * 4 + [write]]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        check(not wrong, "readers and writers: %s" % wrong[:5])
        check(acknowledged[0] > 5 and count[0] > 50, "little happened: %d reads, %d writes" % (count[0], acknowledged[0]))
        print("    %d reads, %d writes" % (count[0], acknowledged[0]))


def limits(folder):
    path = os.path.join(folder, "limits.db")
    with Server(path) as s:
        for target in ("/api/v1/diagnostics", "/api/v1/import"):
            got = s.ask("POST", target, headers={"Content-Length": str((64 << 20) + 1)}, status=413)
            s.kept = None
        s.ask("PUT", "/api/v1/items/x", headers={"If-None-Match": "*", "Content-Length": str((64 << 20) + 1)}, status=413)
        s.kept = None
        for method, target in (("PUT", "/api/v1/items/x"), ("DELETE", "/api/v1/items/x"), ("POST", "/api/v1/import"),
                               ("POST", "/api/v1/items/x/restore?revision=1")):
            got = s.ask(method, target, headers={"Origin": "http://evil.example", "If-Match": "*"}, status=403)
            check(got.code == "cross-origin", "%s %s: %s" % (method, target, got.json))
    if os.geteuid() != 0:
        os.chmod(path, 0o444)
    with Server(path, "--token", "0123456789abcdef-secret") as s:
        s.ask("GET", "/api/v1/items", status=401)
        got = s.ask("GET", "/api/v1/items", headers={"Authorization": "Bearer 0123456789abcdef-secret"}, status=200)
        check(got.status == 200, "with the token")


def documented(folder):
    """The examples of docs/api.md do what they say, one after the other."""
    with Server(os.path.join(folder, "motions.db")) as s:
        with open(os.path.join(root, "docs", "api.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.M | re.S)
        shutil.copytree(os.path.join(root, "examples", "petween"), folder, dirs_exist_ok=True)
        shutil.copytree(os.path.join(root, "examples", "charpack", "vesper"), os.path.join(folder, "vesper"))
        count = 0
        for block in blocks:
            if "zoetrope serve" in block:
                continue
            count += block.count("curl ")
            script = "set -e\n" + block.replace("http://127.0.0.1:8420", s.url).replace("curl ", "curl -sSf --max-time 20 ")
            done = subprocess.run(["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            check(done.returncode == 0, "docs/api.md: exit %d: %s%s" % (done.returncode, block, done.stderr.decode()))
        check(count >= 8, "docs/api.md shows only %d requests" % count)


# What takes a full disk, a lock or no memory to bring about, and is brought about by other tests.
HARD = {"503", "507"}

parts = (described, things, pages, bad_requests, diagnostics, archives, imports, packages, events, clients, limits, documented)
for part in parts:
    if sys.argv[3:] and part.__name__ not in sys.argv[3:]:
        continue
    begin = time.time()
    with tempfile.TemporaryDirectory() as work:
        part(work)
    print("%s: %.1f s" % (part.__name__, time.time() - begin), flush=True)
if not sys.argv[3:]:
    for fault in description.left(HARD):
        if "/render" not in fault:  # shown by the tests of renders
            check(False, fault)
sys.exit(1 if faults else 0)
