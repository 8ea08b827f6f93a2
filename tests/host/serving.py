"""A `zoetrope serve` on a free port, and clients of its: what kill.py, faults.py and hammer.py share."""
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time

SLOW = float(os.environ.get("ZO_SLOW", "0")) or 1.0  # how much longer things may take, under sanitizers
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
faults = []

with open(os.path.join(ROOT, "examples/petween/slam-land.json"), encoding="utf-8") as file:
    SLAM = json.load(file)


def check(right, what):
    if not right:
        faults.append(what)
        if len(faults) <= 50:
            print("FAULT: " + what, flush=True)


def end():
    print("%d faults" % len(faults))
    sys.exit(1 if faults else 0)


def definition(name, number):
    """An animation that says by its name what it is; of several lengths."""
    return json.dumps(dict(SLAM, id=name, name="%s %d" % (name, number)), indent=number % 3 or None).encode()


def pack(names, number):
    return json.dumps({"format": "motion-pack", "version": 1, "name": "Pack %d" % number, "namespace": "user",
                       "animations": [dict(SLAM, id=name, name="%s %d" % (name, number)) for name in names]}).encode()


class Server:
    def __init__(self, program, library, *options, environment=None, before=None):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program, "serve", "--library", library, "--port", "0", "--log", "errors", *options],
                                        stdout=subprocess.PIPE, stderr=self.log, preexec_fn=before,
                                        env=dict(os.environ, **(environment or {})))
        line = self.process.stdout.readline().decode()
        found = re.match(r"listening on http://127\.0\.0\.1:(\d+)/\n", line)
        if not found:
            self.process.wait(30 * SLOW)
            raise RuntimeError("the server says: " + line + self.text())
        self.port = int(found.group(1))

    def text(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def end(self):
        """Asks it to end; its exit code."""
        self.process.terminate()
        try:
            code = self.process.wait(60 * SLOW)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "none: it does not end"
        self.process.stdout.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        code = self.end() if self.process.returncode is None else self.process.returncode
        check(code == 0, "the server's exit: %s %s" % (code, self.text()[-3000:]))
        check("Sanitizer" not in self.text() and "runtime error" not in self.text(), self.text()[-3000:])


class Client:
    """A kept connection. ask() gives status, headers with names in small letters, and body."""

    def __init__(self, server, timeout=60):
        self.kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout * SLOW)

    def ask(self, method, target, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.kept.request(method, target, body, headers)
        reply = self.kept.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()

    def put(self, name, number, etag):
        """Puts the definition in place of the one with that ETag (None: nothing is there)."""
        match = {"If_None_Match": "*"} if etag is None else {"If_Match": etag}
        return self.ask("PUT", "/api/v1/items/" + name, definition(name, number), **match)

    def content(self, name):
        return self.ask("GET", "/api/v1/items/%s/content" % name)

    def close(self):
        self.kept.close()


def eventually(what, seconds=30):
    """Waits until what() is true; whether it came to be."""
    until = time.monotonic() + seconds * SLOW
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.02)
    return False
