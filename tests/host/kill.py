#!/usr/bin/env python3
"""Processes that change a library are killed at random points. Usage: kill.py WRITER [PROGRAM]

WRITER is the program of tests/host/writer.c, PROGRAM zoetrope, which serves a library to clients that change it. After
each SIGKILL the library must open, the check must find nothing in it, every change that was acknowledged must be there,
and whatever was under way must have happened wholly or not at all. ZO_KILLS says how often each is killed; 30 and 10.
"""
import sys

here = sys.path.pop(0)  # a file beside this one is called like a module of Python's own
import hashlib
import http.client
import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time

sys.path.append(here)
from serving import SLOW, Client, Server, check, definition, end, pack

IMPORT = 12
CLIENTS = 4
writer = os.path.abspath(sys.argv[1])
program = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
rounds = int(os.environ.get("ZO_KILLS", "30"))


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
    return things, revision[0] if revision else 0


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
            things, now = look(library)
            there = {name: int(change) for name, change in things.items()}
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


class Changer(threading.Thread):
    """A client with things of its own, which it makes, changes, deletes and imports until the server is gone."""

    def __init__(self, number, round, state, server):
        super().__init__()
        self.chance = random.Random(number * 1000 + round)
        self.number, self.state, self.server = number, state, server
        self.etags = {}
        self.doubt = None  # names and the hashes that they would have (None: not there; "any": whatever it is)
        self.done = 0

    def run(self):
        try:
            self.client = Client(self.server)
            while True:
                self.change()
        except (OSError, http.client.HTTPException):
            pass

    def change(self):
        kind, number = self.chance.random(), self.chance.randrange(1 << 30)
        name = "user:c%d-%d" % (self.number, self.chance.randrange(6))
        if kind < 0.15:
            names = ["user:c%d-i%d-%d" % (self.number, number, part) for part in range(IMPORT)]
            self.doubt = dict.fromkeys(names, "any")
            status, _, body = self.client.ask("POST", "/api/v1/import", pack(names, number))
            wanted = (200, 201)
        elif kind < 0.8 or name not in self.state:
            self.doubt = {name: hashlib.sha256(definition(name, number)).hexdigest()}
            status, _, body = self.client.put(name, number, self.etag(name) if name in self.state else None)
            wanted = (200, 201)
        else:
            self.doubt = {name: None}
            status, _, body = self.client.ask("DELETE", "/api/v1/items/" + name, If_Match=self.etag(name))
            wanted = (200, 204)
        check(status in wanted, "%s: %d %s" % (list(self.doubt)[0], status, body[:500]))
        self.state.update(self.doubt)
        for name in [name for name, hash in self.doubt.items() if hash is None]:
            del self.state[name]
        self.doubt = None
        self.done += 1

    def etag(self, name):
        return self.client.ask("GET", "/api/v1/items/" + name)[1]["etag"]


def kill_the_server():
    chance = random.Random(4)
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "library.db")
        states, revision, done, doubt, half = [{} for _ in range(CLIENTS)], 0, 0, 0, 0
        began = time.monotonic()
        for number in range(max(1, rounds // 3)):
            server = Server(program, library)
            clients = [Changer(i, number, states[i], server) for i in range(CLIENTS)]
            for one in clients:
                one.start()
            time.sleep(chance.choice((0.05, 0.3)) * chance.random() * SLOW)
            server.process.send_signal(signal.SIGKILL)
            check(server.process.wait() == -signal.SIGKILL, "the server ended by itself: " + server.text()[-2000:])
            for one in clients:
                one.join()
            things, now = look(library)
            check(now >= revision, "the library went back from revision %d to %d" % (revision, now))
            revision = now
            for one in clients:
                done += one.done
                happened = {name: hash is None and name not in things or hash in (things.get(name), "any") and name in things
                            for name, hash in (one.doubt or {}).items()}
                check(len(set(happened.values())) < 2, "half of an import is there: %s" % happened)
                if one.doubt and all(happened.values()):
                    half += 1
                    one.state.update(one.doubt)
                doubt += one.doubt is not None
                for name, hash in list(one.state.items()):
                    if hash is None:
                        check(name not in things, "%s was deleted, and is there" % name)
                        del one.state[name]
                    else:
                        check(name in things and hash in (things[name], "any"),
                              "%s was acknowledged, and is %s" % (name, "another" if name in things else "not there"))
                for name in set(things) - set(one.state):
                    check(not name.startswith("user:c%d-" % one.number), "%s is there, and should not be" % name)
        print("%d kills of a server, %d changes acknowledged, %d under way of which %d had happened, %.0f s" % (
            max(1, rounds // 3), done, doubt, half, time.monotonic() - began))
        check(done > rounds, "hardly anything was written: %d changes" % done)


kill_the_writer()
if program:
    kill_the_server()
end()
