#!/usr/bin/env python3
"""What a host does when its library cannot be written, is locked, or is damaged. Usage: faults.py WRITER PROGRAM

WRITER is the program of tests/host/writer.c. Each time: a clear error for what cannot be done, reads go on, nothing that
was acknowledged is lost, and when the fault is gone the library is whole.
"""
import sys

here = sys.path.pop(0)  # a file beside this one is called like a module of Python's own
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time

sys.path.append(here)
from serving import SLOW, Client, Server, check, definition, end, eventually

writer, program = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PAGE = 4096


def name_of(number):
    return "user:fault-%d" % number


def fill(library, count):
    """A library with so many things, each of which was changed once."""
    with Server(program, library) as server:
        client = Client(server)
        for number in range(count):
            status, headers, body = client.put(name_of(number), 0, None)
            check(status == 201, "put: %d %s" % (status, body[:300]))
            status, headers, body = client.put(name_of(number), number, headers["etag"])
            check(status == 200, "changed: %d %s" % (status, body[:300]))


def run(*arguments, wanted=0, **more):
    got = subprocess.run([writer, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120 * SLOW, **more)
    text = got.stdout.decode(errors="replace")
    check(got.returncode == wanted and not got.stderr, "%s: exit %d %s %s" % (arguments, got.returncode, text[-500:],
                                                                            got.stderr[-2000:]))
    return text.split("\n")


def is_whole(library, things):
    """Nothing is wrong in the library, and exactly these things are in it. {name: number}"""
    lines = run(library, "look")
    there = dict(line.split(" ")[1:] for line in lines if line.startswith("thing "))
    check(not [line for line in lines if line.startswith("finding")], "\n".join(lines[:5]))
    for name, number in things.items():
        check(there.get(name) == hashlib.sha256(definition(name, number)).hexdigest(), "%s is not as it was put" % name)
    check(set(there) == set(things), "there is something else: %s" % sorted(set(there) ^ set(things)))


def is_read(client, name, number, timeout=5):
    began = time.monotonic()
    status, _, body = client.content(name)
    check(status == 200 and body == definition(name, number), "%s is not read any more: %d %s" % (name, status, body[:300]))
    check(time.monotonic() - began < timeout * SLOW, "%s was read in %.1f s" % (name, time.monotonic() - began))


def is_problem(answer, status, code):
    body = answer[2].decode(errors="replace")
    right = answer[0] == status and answer[1].get("content-type") == "application/problem+json"
    problem = json.loads(body) if right else {}
    check(right and problem.get("code") == code and len(problem.get("detail", "")) > 10,
          "%d %s was to be answered: %d %s" % (status, code, answer[0], body[:500]))
    return problem.get("detail", "")


# ---- No room ----

def put_until_full(client, things, first, limit=3000):
    """Puts new things until one is refused; the answer."""
    for number in range(first, first + limit):
        answer = client.put(name_of(number), number, None)
        if answer[0] != 201:
            return answer
        things[name_of(number)] = number
    check(False, "%d things went into a disk that is full" % limit)
    return answer


def no_room_for_a_file(folder):
    library = os.path.join(folder, "limit.db")
    fill(library, 5)
    things = {name_of(number): number for number in range(5)}
    most = os.path.getsize(library) + 300000

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    with Server(program, library, before=limit) as server:
        client = Client(server)
        answer = put_until_full(client, things, 100)
        detail = is_problem(answer, 507, "full")
        check("limit.db" in detail and "room" in detail, "the detail of 507: " + detail)
        for name, number in things.items():
            is_read(client, name, number)
        is_problem(client.put(name_of(9999), 1, None), 507, "full")
        check(client.ask("GET", "/healthz")[0] == 200, "healthz")
        check(len(json.loads(client.ask("GET", "/api/v1/items?limit=3")[2])["items"]) == 3, "a page of a full library")
    is_whole(library, things)
    with Server(program, library) as server: # and with room again
        client = Client(server)
        check(client.put(name_of(9999), 9999, None)[0] == 201, "there is room again")
        things[name_of(9999)] = 9999
    is_whole(library, things)


MOUNT = """
mount -t tmpfs -o size=2m none "$1" && cp "$2" "$1/library.db" && head -c 1200000 /dev/zero > "$1/pad" && echo mounted || exit 9
shift 2
"$@" &
read line
rm pad 2>/dev/null; rm "$PAD"
echo freed
read line
kill -TERM $!
wait $!
code=$?
cp "$FULL" "$KEPT"
exit $code
"""


def a_disk_that_is_full(folder):
    """A file system of two megabytes, where this machine lets one be made."""
    library, mount, kept = (os.path.join(folder, name) for name in ("library.db", "mount", "kept.db"))
    os.mkdir(mount)
    fill(library, 5)
    things = {name_of(number): number for number in range(5)}
    inside = os.path.join(mount, "library.db")
    shell = subprocess.Popen(["unshare", "-rm", "sh", "-c", MOUNT, "sh", mount, library, program, "serve", "--library", inside,
                              "--port", "0", "--log", "errors"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE,
                             env=dict(os.environ, PAD=os.path.join(mount, "pad"), FULL=inside, KEPT=kept))
    if shell.stdout.readline() != b"mounted\n":
        print("no file system of one's own can be mounted here: not tested")
        shell.communicate(timeout=60)
        return
    line = shell.stdout.readline().decode()

    class Here:
        port = int(line.rstrip("/\n").rsplit(":", 1)[1])

    client = Client(Here)
    is_problem(put_until_full(client, things, 100), 507, "full")
    for name, number in things.items():
        is_read(client, name, number)
    shell.stdin.write(b"\n")
    shell.stdin.flush()
    check(shell.stdout.readline() == b"freed\n", "the disk was not made free")
    # The same server goes on by itself.
    check(client.put(name_of(9999), 9999, None)[0] == 201, "there is room again")
    things[name_of(9999)] = 9999
    client.close()
    shell.stdin.write(b"\n")
    _, text = shell.communicate(timeout=60 * SLOW)
    check(shell.returncode == 0, "the server's exit: %s %s" % (shell.returncode, text[-2000:]))
    is_whole(kept, things)


# ---- No right to write ----

def nothing_may_be_written(folder):
    """A file, a folder or both that cannot be written to: what is there is served."""
    library = os.path.join(folder, "library.db")
    fill(library, 5)
    things = {name_of(number): number for number in range(5)}
    nobody = None
    if os.geteuid() == 0: # who may do everything is stopped by no mode

        def nobody():
            os.setgid(65534)
            os.setuid(65534)

    for file_mode, folder_mode in ((0o444, 0o555), (0o444, 0o777), (0o666, 0o555)):
        os.chmod(library, file_mode)
        os.chmod(folder, folder_mode)
        before = open(library, "rb").read()
        with Server(program, library, before=nobody) as server:
            client = Client(server)
            for name, number in things.items():
                is_read(client, name, number)
            etag = client.ask("GET", "/api/v1/items/" + name_of(0))[1]["etag"]
            is_problem(client.put(name_of(0), 7, etag), 403, "read-only")
            is_problem(client.put(name_of(77), 7, None), 403, "read-only")
            is_problem(client.ask("DELETE", "/api/v1/items/" + name_of(0), If_Match=etag), 403, "read-only")
            is_read(client, name_of(0), 0)
        check(open(library, "rb").read() == before, "%o in %o was written to" % (file_mode, folder_mode))
    os.chmod(folder, 0o755)
    os.chmod(library, 0o644)
    is_whole(library, things)
    shut = os.path.join(folder, "shut")
    os.mkdir(shut, 0o555)
    try: # there is no library, and none can be made
        Server(program, os.path.join(shut, "library.db"), before=nobody).end()
        check(False, "a library was made in a folder that cannot be written to")
    except RuntimeError as error:
        check("library.db" in str(error) and "written" in str(error), str(error))


# ---- Another program ----

def another_is_writing(folder):
    library = os.path.join(folder, "library.db")
    fill(library, 3)
    with Server(program, library) as server:
        client, other = Client(server), Client(server)
        holder = subprocess.Popen([writer, library, "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        check(holder.stdout.readline() + holder.stdout.readline() == b"open\nheld\n", "it is not held")
        began = time.monotonic()
        other.kept.request("PUT", "/api/v1/items/" + name_of(50), definition(name_of(50), 50), {"If-None-Match": "*"})
        for _ in range(20): # reads do not wait for it
            is_read(client, name_of(1), 1, 1)
        reply = other.kept.getresponse()
        detail = is_problem((reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()), 503,
                            "busy")
        check("another program" in detail, detail)
        check(reply.headers["retry-after"] is not None, "a client is told to come again")
        check(3 < time.monotonic() - began < 20 * SLOW, "it waited %.1f s" % (time.monotonic() - began))
        holder.stdin.close()
        check(holder.wait(30 * SLOW) == 0, "the holder")
        holder.stdout.close()
        check(other.put(name_of(50), 50, None)[0] == 201, "free again")
    is_whole(library, dict({name_of(number): number for number in range(3)}, **{name_of(50): 50}))


# ---- Damage ----

def a_page_is_damaged(folder):
    """Pages are overwritten, one at a time: everything is right or an error, and a repair makes the rest whole again."""
    library, kept = os.path.join(folder, "library.db"), os.path.join(folder, "kept.db")
    count = 60
    fill(library, count)
    os.rename(library, kept)
    pages = os.path.getsize(kept) // PAGE
    chance = random.Random(7)
    places = [0] + sorted(chance.sample(range(1, pages), 11))
    served = refused = lost = 0
    for place in places:
        for suffix in ("", "-wal", "-shm", ".damaged"):
            if os.path.exists(library + suffix):
                os.unlink(library + suffix)
        shutil.copy(kept, library)
        with open(library, "r+b") as file:
            file.seek(place * PAGE)
            file.write(bytes(chance.randrange(256) for _ in range(PAGE)))
        damaged = open(library, "rb").read()
        try:
            server = Server(program, library)
        except RuntimeError as error: # not even opened, and said why
            check("library.db" in str(error) and ("damaged" in str(error) or "no library" in str(error)), str(error))
            server = None
        if server is not None:
            with server:
                client = Client(server)
                check(client.ask("GET", "/healthz")[0] == 200, "healthz")
                for number in range(count):
                    status, headers, body = client.content(name_of(number))
                    if status == 200:
                        check(body == definition(name_of(number), number), "page %d: wrong bytes were served" % place)
                        served += 1
                    else: # or its row cannot be seen any more
                        check(status in (404, 500), "page %d: %d %s" % (place, status, body[:300]))
                        if status == 500:
                            is_problem((status, headers, body), 500, "corrupt")
                        refused += 1
                status, headers, body = client.put("user:after", 1, None)
                if status != 201:
                    is_problem((status, headers, body), 500, "corrupt")
            if status != 201:
                check(open(library, "rb").read() == damaged, "page %d: something was written, and refused" % place)
        text = run(library, "repair")
        lines = run(library, "look")
        check(not [line for line in lines if line.startswith("finding")], "after the repair: " + "\n".join(lines[:5]))
        there = dict(line.split(" ")[1:] for line in lines if line.startswith("thing "))
        for number in range(count):
            name = name_of(number)
            forms = [hashlib.sha256(definition(name, change)).hexdigest() for change in (number, 0)]
            check(there.get(name) in forms + [None], "page %d: %s is something else" % (place, name))
            if there.get(name) != forms[0]:
                lost += 1
                check([line for line in text if line.startswith("repair %s:" % name)], "page %d: nobody was told that %s is "
                      "lost" % (place, name))
    print("%d pages damaged: %d things served as they were, %d refused; after the repairs %d lost or older" % (
        len(places), served, refused, lost))
    check(served > count * len(places) // 3, "hardly anything was served")


def main():
    parts = (no_room_for_a_file, a_disk_that_is_full, nothing_may_be_written, another_is_writing, a_page_is_damaged)
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            began = time.monotonic()
            part(folder)
            print("%s: %.1f s" % (part.__name__, time.monotonic() - began), flush=True)
    end()


main()
