#!/usr/bin/env python3
"""Many clients read and change the same things at once. Usage: hammer.py WRITER PROGRAM

64 clients for ZO_HAMMER seconds (4 when it is not set). Things that all of them change count up by one, each change from
the state that its If-Match names: in the end each must have as many changes as were acknowledged, one for each number, or
an update was lost. Meanwhile another process changes the library too. To be run against programs with sanitizers.
"""
import sys

here = sys.path.pop(0)  # a file beside this one is called like a module of Python's own
import collections
import http.client
import json
import os
import random
import re
import resource
import subprocess
import tempfile
import threading
import time

sys.path.append(here)
from serving import SLOW, Client, Server, check, definition, end

CLIENTS, SHARED, LISTENERS = 64, 6, 4
writer, program = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
seconds = float(os.environ.get("ZO_HAMMER", "4"))
most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most[1]), most[1]))

stop = threading.Event()
lock = threading.Lock()
acknowledged = collections.defaultdict(list)  # of shared things: the numbers that were put
answers = collections.Counter()
NUMBER = re.compile(rb'"name":\s*"user:\S+ (\d+)"')


class Hammer(threading.Thread):
    def __init__(self, number, server):
        super().__init__()
        self.number, self.server, self.chance = number, server, random.Random(number)
        self.own = {}  # name: (number, etag)
        self.seen = {}  # the newest state that it saw of what all change
        self.mine = collections.defaultdict(list)

    def run(self):
        try:
            self.client = Client(self.server, 120)
            while not stop.is_set():
                self.chance.choice((self.count_up, self.count_up, self.read, self.read, self.look_around, self.change_own))()
            for name, (number, etag) in self.own.items():
                status, headers, body = self.client.content(name)
                check(status == 200 and body == definition(name, number) and headers["etag"] == etag,
                      "%s is not what its only client put: %d %s" % (name, status, headers))
            self.client.close()
        except Exception as error:  # of any kind: it would be the server's fault
            check(False, "client %d: %r" % (self.number, error))
        with lock:
            for name, numbers in self.mine.items():
                acknowledged[name] += numbers

    def state_of(self, name):
        status, headers, body = self.client.content(name)
        check(status == 200, "%s: %d %s" % (name, status, body[:300]))
        number = int(NUMBER.search(body).group(1))
        check(body == definition(name, number), "%s is half of this and half of that" % name)
        revision = int(headers["etag"].strip('"'))
        before = self.seen.get(name, (revision, number))
        check(revision >= before[0] and number >= before[1] and (revision == before[0]) == (number == before[1]),
              "%s went from %s to %s" % (name, before, (revision, number)))
        self.seen[name] = (revision, number)
        return number, headers["etag"]

    def put(self, name, number, etag):
        """The new ETag, or None: another was faster."""
        status, headers, body = self.client.put(name, number, etag)
        answers[status] += 1
        if status in (412, 503):  # 503: the other process held the library for too long
            return None
        check(status == (201 if etag is None else 200), "PUT %s: %d %s" % (name, status, body[:300]))
        return headers.get("etag")

    def count_up(self):
        name = "user:shared-%d" % self.chance.randrange(SHARED)
        number, etag = self.state_of(name)
        new = self.put(name, number + 1, etag)
        if new is not None:
            self.mine[name].append(number + 1)
            self.seen[name] = (int(new.strip('"')), number + 1)

    def read(self):
        self.state_of("user:shared-%d" % self.chance.randrange(SHARED))
        answers["read"] += 1

    def look_around(self):
        target = self.chance.choice(("/api/v1/items?limit=50", "/api/v1/search?query=shared", "/api/v1/library", "/metrics",
                                     "/api/v1/items/user:shared-1/history?limit=5", "/api/v1/items/user:shared-2",
                                     "/api/v1/items/user:shared-3/program", "/api/v1/changes?after=0&limit=20", "/healthz"))
        status, _, body = self.client.ask("GET", target)
        check(status == 200, "%s: %d %s" % (target, status, body[:300]))
        answers["look"] += 1

    def change_own(self):
        name = "user:own-%d-%d" % (self.number, self.chance.randrange(3))
        number, etag = self.own.get(name, (0, None))
        if etag is not None and self.chance.random() < 0.3:
            status, _, body = self.client.ask("DELETE", "/api/v1/items/" + name, If_Match=etag)
            answers[status] += 1
            check(status in (200, 204, 503), "DELETE %s: %d %s" % (name, status, body[:300]))
            if status != 503:
                del self.own[name]
            return
        new = self.put(name, number + 1, etag)
        if new is not None:
            self.own[name] = (number + 1, new)


class Listener(threading.Thread):
    """Follows the stream of changes."""

    def __init__(self, server):
        super().__init__()
        self.server, self.lines = server, 0

    def run(self):
        try:
            kept = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
            kept.request("GET", "/api/v1/events")
            reply = kept.getresponse()
            check(reply.status == 200, "events: %d" % reply.status)
            while True:
                line = reply.readline()
                if not line:
                    return
                self.lines += line.startswith(b"data:")
        except (OSError, http.client.HTTPException):
            pass


def main():
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "library.db")
        with Server(program, library) as server:
            first = Client(server)
            for number in range(SHARED):
                check(first.put("user:shared-%d" % number, 0, None)[0] == 201, "the beginning")
            first.close()
            listeners = [Listener(server) for _ in range(LISTENERS)]
            hammers = [Hammer(number, server) for number in range(CLIENTS)]
            began = time.monotonic()
            for one in listeners + hammers:
                one.start()
            time.sleep(seconds / 3)
            other = subprocess.run([writer, library, "write", "1", "20"], stdout=subprocess.PIPE, timeout=300 * SLOW)
            check(other.returncode == 0, "the other process: %s" % other.stdout[-300:])
            while time.monotonic() - began < seconds:
                time.sleep(0.1)
            stop.set()
            for one in hammers:
                one.join(300 * SLOW)
                check(not one.is_alive(), "client %d does not end" % one.number)
            first = Client(server)
            for number in range(SHARED):
                name = "user:shared-%d" % number
                status, _, body = first.content(name)
                there = int(NUMBER.search(body).group(1))
                numbers = sorted(acknowledged[name])
                check(numbers == list(range(1, there + 1)), "%s is at %d, and %d changes were acknowledged: an update is lost" % (
                    name, there, len(numbers)))
                told, cursor = [], ""
                while cursor is not None:
                    page = json.loads(first.ask("GET", "/api/v1/items/%s/history?limit=1000%s" % (name, cursor))[2])
                    told += [one["revision"] for one in page["history"]]
                    cursor = page["next"] and "&cursor=" + page["next"]
                check(len(told) == there + 1 and told == sorted(told, reverse=True), "the history of %s has %d changes of %d" % (
                    name, len(told), there + 1))
            first.close()
        for one in listeners:
            one.join(60)
            check(one.lines > 0, "nothing was heard of any change")
        got = subprocess.run([writer, library, "look"], stdout=subprocess.PIPE, timeout=300 * SLOW).stdout.decode()
        check("finding" not in got and "revision" in got, got[:1000])
        changes = sum(len(numbers) for numbers in acknowledged.values())
        check(changes > 10, "hardly anything was changed")
        print("%d clients, %.0f s: %d counted up, %s" % (CLIENTS, seconds, changes, dict(answers)))
    end()


main()
