#!/usr/bin/env python3
"""tests/cli/play.py PROGRAM: `zoetrope play` in a terminal of its own, as somebody would use it.

A pseudo-terminal, and behind it as much of a terminal as the program counts on: a grid of cells, colours, modes. What is
held is what a user would see, and that the terminal is afterwards what it was, whatever ended the program. Only
what Python itself has is used. Prints each thing that is not as it should be; exit 1 if there was any.
"""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PETS = os.path.join(ROOT, 'examples', 'petween')
SLOW = 8 if os.environ.get('ZO_SLOW') else 1
faults = []


def fault(text):
    faults.append(text)
    print('FAULT: ' + text, flush=True)


def expect(fact, text):
    if not fact:
        fault(text)


def wide(char):
    code = ord(char)
    return 0x1100 <= code <= 0x115F or 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7A3 or 0xFF00 <= code <= 0xFF60


class Screen:
    """What a terminal would show. Anything that it does not know is a fault."""

    BLANK = (' ', None, None, frozenset())

    def __init__(self, columns, rows):
        self.modes = {7: True, 25: True}
        self.main, self.faults, self.frames, self.pictures = None, [], 0, 0
        self.left = b''
        self.resize(columns, rows)
        self.reset_pen()

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[self.BLANK] * columns for _ in range(rows)]
        self.row = self.column = 0

    def reset_pen(self):
        self.ink = self.paper = None
        self.style = frozenset()

    def text(self):
        return [''.join(cell[0] for cell in row) for row in self.cells]

    def feed(self, data):
        data = self.left + data
        self.left = b''
        at = 0
        while at < len(data):
            if data[at] == 0x1B:
                found = re.match(rb'\x1b(\[([<?]?)([0-9;]*)([A-Za-z])|[_P][^\x1b]*\x1b\\|\\)', data[at:])
                if not found:
                    if len(data) - at < 64 or data[at + 1:at + 2] in (b'_', b'P'):
                        break
                    self.faults.append('unknown sequence %r' % data[at:at + 12])
                    at += 1
                    continue
                if found.group(4):
                    self.control(found.group(2).decode(), found.group(3).decode(), found.group(4).decode())
                elif data[at + 1:at + 2] in (b'_', b'P'):
                    self.pictures += 1
                at += found.end()
                continue
            if data[at] < 0x20:
                if data[at] == 13:
                    self.column = 0
                elif data[at] == 10:
                    self.row = min(self.row + 1, self.rows - 1)
                at += 1
                continue
            size = 1 if data[at] < 0x80 else 2 if data[at] < 0xE0 else 3 if data[at] < 0xF0 else 4
            if at + size > len(data):
                break
            self.put(data[at:at + size].decode('utf-8', 'replace'))
            at += size
        self.left = data[at:]

    def put(self, char):
        if self.column >= self.columns:
            if not self.modes[7]:
                self.column = self.columns - 1
            else:
                self.column = 0
                self.row = min(self.row + 1, self.rows - 1)
        cell = (char, self.ink, self.paper, self.style)
        self.cells[self.row][self.column] = cell
        if wide(char) and self.column + 1 < self.columns:
            self.cells[self.row][self.column + 1] = ('', self.ink, self.paper, self.style)
            self.column += 1
        self.column += 1

    def control(self, sign, text, final):
        numbers = [int(n) if n else 0 for n in text.split(';')]
        if sign == '?' and final in 'hl':
            for n in numbers:
                self.modes[n] = final == 'h'
                if n == 2026 and final == 'l':
                    self.frames += 1
                if n == 1049 and final == 'h' and self.main is None:
                    self.main = self.cells
                    self.cells = [[self.BLANK] * self.columns for _ in range(self.rows)]
                if n == 1049 and final == 'l' and self.main is not None:
                    self.cells, self.main = self.main, None
        elif final == 'H':
            self.row = min(max(numbers[0], 1), self.rows) - 1
            self.column = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
            if numbers[0] > self.rows or (len(numbers) > 1 and numbers[1] > self.columns):
                self.faults.append('the cursor is sent outside: %s' % text)
        elif final == 'C':
            self.column = min(self.column + max(numbers[0], 1), self.columns - 1)
        elif final == 'J':
            self.cells = [[self.BLANK] * self.columns for _ in range(self.rows)]
        elif final == 'm':
            self.pen(numbers)
        else:
            self.faults.append('unknown sequence ESC [ %s%s%s' % (sign, text, final))

    def pen(self, n):
        at = 0
        while at < len(n):
            if n[at] == 0:
                self.reset_pen()
            elif n[at] in (1, 2, 7):
                self.style = self.style | {n[at]}
            elif 30 <= n[at] <= 37: # of reports, before the screen is ours
                self.ink = palette(n[at] - 30)
            elif n[at] in (38, 48) and n[at + 1] == 2:
                color = tuple(n[at + 2:at + 5])
                self.ink, self.paper = (color, self.paper) if n[at] == 38 else (self.ink, color)
                at += 4
            elif n[at] in (38, 48) and n[at + 1] == 5:
                color = palette(n[at + 2])
                self.ink, self.paper = (color, self.paper) if n[at] == 38 else (self.ink, color)
                at += 2
            else:
                self.faults.append('unknown colour %r' % (n,))
            at += 1


def palette(n):
    basic = [(0, 0, 0), (205, 49, 49), (13, 188, 121), (229, 229, 16), (36, 114, 200), (188, 63, 188), (17, 168, 205),
             (229, 229, 229)]
    if n < 8:
        return basic[n]
    if n < 16:
        return tuple(min(c + 60, 255) for c in basic[n - 8])
    if n < 232:
        n -= 16
        return tuple((0, 95, 135, 175, 215, 255)[v] for v in (n // 36, n // 6 % 6, n % 6))
    return (8 + 10 * (n - 232),) * 3


class Player:
    """The program in a terminal of its own."""

    def __init__(self, program, words, columns=80, rows=24, env=None, shell=False):
        self.screen = Screen(columns, rows)
        self.raw = b''
        self.status = None
        master, slave = pty.openpty()
        self.master, self.slave = master, slave
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        environment = {**os.environ, 'TERM': 'xterm-256color', 'COLORTERM': 'truecolor', **(env or {})}
        said, self.say = os.pipe()
        self.hear, saying = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for n in range(3):
                os.dup2(slave, n)
            if shell:
                self.be_a_shell(program, words, environment, said, saying)
            os.closerange(3, 64)
            os.execve(program, [program, 'play'] + words, environment)
        os.close(said)
        os.close(saying)

    @staticmethod
    def be_a_shell(program, words, environment, said, saying):
        """Runs it as a job: says when it stops, continues it when told to, ends as it ends."""
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.closerange(3, 64)
            os.execve(program, [program, 'play'] + words, environment)
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            os.tcsetpgrp(0, os.getpgrp())
            if not os.WIFSTOPPED(status):
                os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
            os.write(saying, b'stopped')
            os.read(said, 1)
            os.tcsetpgrp(0, job)
            os.kill(job, signal.SIGCONT)

    def see(self, seconds):
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return
            ready, _, _ = select.select([self.master], [], [], left)
            if not ready:
                return
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                return
            self.raw += data
            self.screen.feed(data)

    def until(self, wanted, seconds=5.0):
        """Looks until the screen's text has `wanted` (a regular expression). False: it never had."""
        end = time.monotonic() + seconds * SLOW
        while time.monotonic() < end:
            if re.search(wanted, '\n'.join(self.screen.text())):
                return True
            self.see(0.03)
        return False

    def press(self, keys):
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def claim_pixels(self, columns, rows, width, height):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, width, height))

    def kill(self, number):
        os.kill(self.pid, number)

    def wait(self, seconds=5.0):
        """The exit status as a shell has it: signals are 128 and more. None: it goes on."""
        end = time.monotonic() + seconds * SLOW
        while self.status is None and time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
            else:
                self.see(0.02)
        if self.status is not None:  # what it wrote before it ended is all there, however long it takes to read
            while select.select([self.master], [], [], 0)[0]:
                self.see(0.05)
        return self.status

    def end(self, what):
        """Ends it if it still goes on; holds that the terminal is what it was."""
        if self.wait(0.01) is None:
            self.press('q')
            if self.wait() is None:
                fault(what + ': does not end')
                self.kill(signal.SIGKILL)
                self.wait()
        self.given_back(what)
        for text in self.screen.faults[:3]:
            fault(what + ': ' + text)
        for descriptor in (self.master, self.slave, self.say, self.hear):
            os.close(descriptor)
        return self.status

    def given_back(self, what):
        after = termios.tcgetattr(self.slave)
        expect(after == self.before, what + ': the terminal has other modes than before')
        modes = self.screen.modes
        for mode, name in ((1049, 'the other screen'), (1000, 'mouse reports'), (1006, 'mouse reports'),
                           (2004, 'marks of pasted text'), (2026, 'a frame that does not end')):
            expect(not modes.get(mode), what + ': leaves behind ' + name)
        expect(modes[25], what + ': leaves no cursor')
        expect(modes[7], what + ': lines do not wrap any more')

    def picture_cells(self, rows):
        return [cell for row in self.screen.cells[:rows] for cell in row]


# ------------------------------------------------------------------------------------------------ without a terminal

def without_a_terminal(program):
    """Usage is told before anything is touched; render is where such a user wants to be."""
    for words, said in (([PETS + '/praxi'], "'zoetrope render'"), (['-'], 'standard input'), ([], 'wants a file'),
                        (['--watch', 'builtin:jelly'], 'built in'), (['--fps', '0', 'x'], '--fps'),
                        (['--terminal', 'paper', 'x'], '--terminal'), (['--to', 'noon', 'x'], '--to')):
        done = subprocess.run([program, 'play'] + words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        expect(done.returncode == 2, 'exit %d, not 2: %s' % (done.returncode, words))
        expect(said in done.stderr, '%s does not say %s: %s' % (words, said, done.stderr))
        expect(done.stdout == '', 'there is output: %s' % words)


# ------------------------------------------------------------------------------------------------ as it is used

def refuses_before_it_starts(program, work):
    broken = os.path.join(work, 'broken.json')
    with open(broken, 'w') as out:
        out.write('{"version": 1, "id": "user:x", "name": "X", "kind": "dance", "durationMs": 260, "tracks": []}')
    for words, env, code, said in (([PETS + '/praxi'], {'TERM': 'dumb'}, 2, 'dumb'), ([broken], {}, 1, 'petween/'),
                                   ([PETS + '/slam-land.json', '--clip', 'slam'], {}, 2, 'slam-land'),
                                   ([PETS + '/praxi', '--show', 'idle'], {}, 2, '--clip'), (['none.json'], {}, 3, 'none')):
        player = Player(program, words, env=env)
        player.wait()
        expect(player.end('refused') == code, '%s ends with %s, not %d' % (words, player.status, code))
        expect(said in player.raw.decode(), '%s does not say %s' % (words, said))
        expect(b'1049' not in player.raw, 'the screen was taken for %s' % words)


def shows_and_quits(program):
    player = Player(program, [PETS + '/praxi'])
    expect(player.until(r'praxi +idle .* s '), 'no line that says where it stands')
    expect(player.until(r' [12]\.\d s') and player.until('2 thinking') and player.until('q quit'), 'no keys')
    colors = {cell[1:3] for cell in player.picture_cells(20)}
    expect(len(colors) > 20, 'a picture of %d colours' % len(colors))
    modes = player.screen.modes
    expect(modes.get(1049) and not modes[25] and not modes[7] and modes.get(1006), 'modes of the screen: %s' % modes)
    player.see(0.5)
    expect(player.screen.frames > 5 or SLOW > 1, 'only %d frames' % player.screen.frames)
    player.press('q')
    player.wait()
    expect(player.end('q') == 0, 'q ends with %s' % player.status)


def obeys_keys(program):
    player = Player(program, [PETS + '/praxi', '--fps', '60'])
    expect(player.until('praxi +idle'), 'keys: does not begin')
    for key, shown in (('5', 'praxi +success'), ('3', 'praxi +working'), ('2', 'praxi +thinking'), ('c', 'peekaboo'),
                       ('f', 'picture '), ('n', 'p plays builtin:comic-pop, 3 of'), ('N', 'p plays builtin:soft, 2 of'),
                       ('h', ' hidden '), ('hm', 'less motion'), ('m+', '×2'), ('--', '×1/2'), ('=?', 'this help')):
        player.press(key)
        expect(player.until(shown), 'key %s: no %s' % (key, shown))
    player.press('\x1b')
    expect(player.until('(?s)^((?!this help).)*$'), 'an escape leaves the help')
    player.press('mnnnp')
    expect(player.until('praxi +thinking.* jump '), 'p does not play the fifth clip')
    player.press('\x1b[200~q5\x1b[201~')
    player.press('1\x1b[<0;40;10M')
    expect(player.until('praxi +idle.* peekaboo'), 'a click of the mouse')
    player.press('r')
    expect(player.until(r' 0\.\d s'), 'r does not begin anew')
    player.end('keys')


def picture(path, width, height, colour):
    rows = (b'\0' + bytes(colour) * width) * height

    def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 6, 0, 0, 0)) +
                   chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def make_pack(program, work, replace=False):
    """A character of three labels: red at rest, then green or blue. Returns the pack's folder."""
    source, pack = os.path.join(work, 'lamp-source'), os.path.join(work, 'lamp')
    clips = (('rest', (220, 40, 40, 255)), ('go', (40, 200, 40, 255)), ('sing', (40, 40, 220, 255)))
    for label, colour in clips:
        os.makedirs(os.path.join(source, label), exist_ok=True)
        for i in range(4):
            picture(os.path.join(source, label, '%d.png' % i), 20 + i, 30, colour)
    save(os.path.join(source, 'pack.json'), json.dumps({
        'schemaVersion': 1, 'type': 'characterPackSource', 'id': 'lamp', 'displayName': 'Lamp', 'version': '1',
        'clips': [{'label': label, 'folder': label, 'fps': 10} for label, _ in clips],
        'nodes': [{'id': 'n0', 'label': 'rest', 'isRoot': True}, {'id': 'n1', 'label': 'go'}, {'id': 'n2', 'label': 'sing'}],
        'edges': [{'from': 'n0', 'to': 'n0', 'prob': 1}, {'from': 'n0', 'to': 'n1', 'prob': 0},
                  {'from': 'n1', 'to': 'n1', 'prob': 1}, {'from': 'n0', 'to': 'n2', 'prob': 0},
                  {'from': 'n2', 'to': 'n2', 'prob': 1}]}))
    words = [program, 'charpack', 'build', source, '-o', pack, '--quiet'] + (['--replace'] if replace else [])
    expect(subprocess.run(words).returncode == 0, 'the pack is not built')
    return pack


def mostly(player, red, green, blue):
    """Whether cells of that colour are seen before long."""
    end = time.monotonic() + 5 * SLOW
    while time.monotonic() < end:
        cells = [colour for cell in player.picture_cells(20) for colour in cell[1:3] if colour]
        near = [c for c in cells if all(abs(a - b) < 12 for a, b in zip(c, (red, green, blue)))]
        if len(near) > 20:
            return True
        player.see(0.05)
    return False


def asks_a_graph(program, work):
    pack = make_pack(program, work)
    player = Player(program, [pack, '--background', '#808080'])
    expect(player.until('lamp +n0 · rest|lamp +n0'), 'graph: does not begin')
    expect(player.until('1 rest') and player.until('2 go') and player.until('3 sing'), 'graph: no labels')
    expect(mostly(player, 220, 40, 40), 'graph: the first clip is not seen')
    player.press('2')
    expect(player.until('lamp +n1') and mostly(player, 40, 200, 40), 'graph: 2 does not ask for the second label')
    player.press('b')
    expect(player.until('lamp +n0') and mostly(player, 220, 40, 40), 'graph: b does not lead back')
    player.press('nnp')
    expect(player.until('lamp +n2') and mostly(player, 40, 40, 220), 'graph: p does not ask for the chosen label')
    player.press('s')
    expect(player.until('speaks, 0.6'), 'graph: s does not speak')
    player.press('\x1b[A')
    expect(player.until('mouth 0.7'), 'graph: the arrow up is not louder')
    player.press('\x1b[B\x1b[B')
    expect(player.until('mouth 0.5'), 'graph: the arrow down is not softer')
    player.press('s\x1b[B')
    expect(player.until('mouth 0.0, and nobody speaks'), 'graph: s does not stop speaking')
    player.press('a')
    expect(player.until('lamp +n2'), 'graph: a does not ask')
    player.press('c')
    expect(player.until('nobody here minds a click'), 'graph: a click')
    player.press('?')
    expect(player.until('back to the root') and not player.until('next picture', 0.1), 'graph: the help')
    player.press('\x1b')
    player.see(0.3)
    player.end('graph')
    # One texture is damaged: the picture before it stays, and that is told once.
    damaged = os.path.join(pack, 'rest', '1.ktx2')
    save(damaged, 'x' * os.path.getsize(damaged))
    player = Player(program, [pack], columns=160)
    expect(player.until("rest/1.ktx2' cannot be shown, so the picture before it stays"), 'graph: a fault is not told')
    player.see(0.5)
    expect(player.end('graph') == 0, 'graph: a fault ends it')
    # What is built anew is taken in where it stands.
    player = Player(program, [pack, '--watch'], columns=120)
    expect(player.until('lamp +n0'), 'graph: does not begin')
    player.press('3')
    expect(player.until('lamp +n2'), 'graph: does not sing')
    make_pack(program, work, replace=True)
    expect(player.until('taken in', 10), 'graph: what was built anew is not taken in')
    expect(player.until('lamp +n2'), 'graph: does not go on singing')
    player.end('graph')


def stands_still_and_goes_back(program):
    player = Player(program, [PETS + '/praxi'])
    clock = lambda: float(re.search(r'(\d+\.\d) s ', '\n'.join(player.screen.text())).group(1))
    expect(player.until(r' 1\.\d s'), 'the clock does not run')
    player.press(' ')
    expect(player.until('paused'), 'space does not pause')
    player.see(0.2)
    before, size = clock(), len(player.raw)
    for _ in range(12):
        player.see(0.05)
    expect(clock() == before, 'the clock runs on')
    expect(len(player.raw) - size < 100, '%d bytes are sent while nothing moves' % (len(player.raw) - size))
    player.press('\x1b[C')
    player.until(r' %.1f s' % (before + 1))
    expect(abs(clock() - before - 1) < 0.15, 'right: from %s to %s' % (before, clock()))
    picture = [cell for cell in player.picture_cells(20)]
    player.press('\x1b[D')
    expect(player.until(r' %.1f s' % before), 'left: from %s to %s' % (before + 1, clock()))
    player.press('\x1b[C')
    player.until(r' %.1f s' % (before + 1))
    player.see(0.1)
    expect(picture == player.picture_cells(20), 'the same moment looks different the second time')
    player.press('.')
    player.see(0.2)
    player.end('pause')


def plays_what_has_no_states(program):
    player = Player(program, [PETS + '/slam-land.json', '--set', 'strength=2', '--next', 'success'])
    expect(player.until('slam-land +slam-land'), 'a lone clip is not played')
    expect(player.until(r'swap to success at [2-9]'), 'a clip that is over does not begin again')
    player.press('c')
    expect(player.until('for pets'), 'nothing is said of a click')
    player.end('a clip')
    player = Player(program, ['builtin:jelly', '--to', '0.4', '--size', '30x20', '--background', 'none'])
    expect(player.wait() == 0, '--to does not end it: %s' % player.status)
    player.end('--to')
    player = Player(program, [PETS + '/praxi', '--script', PETS + '/praxi/film.json', '--scale', '0.1'])
    expect(player.until('peekaboo'), 'the script does not click')
    expect(player.until('praxi +thinking', 8), 'the script brings no turn-start')
    player.end('a script')


def fits_any_size(program):
    player = Player(program, [PETS + '/praxi'], 200, 60)
    expect(player.until('6 error'), '200 x 60: no states')
    for columns, rows, shown in ((40, 12, 'praxi'), (132, 43, '6 error'), (10, 3, 'praxi'), (1, 1, '.'), (80, 24, '5 success'),
                                 (80, 7, 'praxi'), (24, 24, 'praxi')):
        player.resize(columns, rows)
        player.see(0.2 * SLOW) # what was on its way was for the old size
        player.screen.faults.clear()
        expect(player.until(shown), '%d x %d: no %s' % (columns, rows, shown))
        player.see(0.1)
        if (columns, rows) == (40, 12):
            player.press('?')
            expect(player.until('motion') and player.until('q +quit') and player.until('click'), '40 x 12: the help is cut')
            player.press('?')
        for text in player.screen.faults[:2]:
            fault('%d x %d: %s' % (columns, rows, text))
    player.end('sizes')


def is_told_by_signals(program):
    for number, key, name in ((signal.SIGTERM, None, 'SIGTERM'), (signal.SIGHUP, None, 'SIGHUP'), (signal.SIGINT, '\x03', 'Ctrl-C'),
                              (signal.SIGQUIT, '\x1c', 'Ctrl-\\')):
        player = Player(program, [PETS + '/praxi'])
        player.until('praxi +idle')
        if key:
            player.press(key)
        else:
            player.kill(number)
        player.wait()
        expect(player.end(name) == 128 + number, '%s ends it with %s' % (name, player.status))


def stops_and_goes_on(program):
    player = Player(program, [PETS + '/praxi'], shell=True)
    expect(player.until('praxi +idle'), 'as a job: does not begin')
    for turn in range(2):
        player.press('\x1a')
        end = time.monotonic() + 5 * SLOW
        stopped = False
        while not stopped and time.monotonic() < end:
            player.see(0.02)
            stopped = bool(select.select([player.hear], [], [], 0)[0])
        if not stopped:
            fault('Ctrl-Z does not stop it')
            break
        os.read(player.hear, 64)
        player.see(0.2)
        player.given_back('stopped')
        os.write(player.say, b'g')
        expect(player.until('praxi +idle'), 'it does not come back')
        expect(player.screen.modes.get(1049) and not player.screen.modes[25], 'it comes back without its screen')
        player.press('%d' % (turn + 4))
        expect(player.until('praxi +' + ('waiting', 'success')[turn]), 'no keys after it came back')
        player.press('1')
        player.until('praxi +idle')
    player.end('as a job')


def knows_ways(program):
    player = Player(program, [PETS + '/praxi'], env={'COLORTERM': ''})
    expect(player.until('praxi +idle'), '256 colours: does not begin')
    expect(b';2;' not in player.raw.replace(b'\x1b[0;2m', b'').replace(b'\x1b[0;1;2m', b''), 'true colours for a terminal without')
    player.end('256 colours')
    for way in ('kitty', 'sixel', 'symbols'):
        player = Player(program, [PETS + '/praxi', '--terminal', way, '--fps', '4'])
        if player.until('built without chafa', 0.5 if SLOW == 1 else 1):
            expect(player.end(way) == 2, 'without chafa: %s' % player.status)
            print('not tried: --terminal %s, built without chafa' % way)
            continue
        expect(player.until('praxi +idle'), way + ': does not begin')
        player.see(0.6)
        if way != 'symbols':
            expect(player.screen.pictures > 0, way + ': no picture')
            player.press('?')
            expect(player.until('this help'), way + ': no help')
        player.end(way)


def survives_any_claim(program):
    """Sizes that no terminal has, in cells and in pixels: what is drawn for them has an end."""
    for way, columns, rows, pixels in (('symbols', 2600, 4, 0), ('symbols', 4, 1200, 0), ('sixel', 60, 20, 65535),
                                       ('kitty', 1, 20, 65535)):
        player = Player(program, [PETS + '/praxi', '--terminal', way, '--fps', '4'])
        if player.until('built without chafa', 0.5 if SLOW == 1 else 1):
            player.end(way)
            continue
        player.until('praxi +idle')
        player.screen.feed = lambda data: None
        player.claim_pixels(columns, rows, pixels, pixels)
        player.see(1.5)
        expect(player.wait(0.1) is None, '%s, %d x %d cells, %d pixels: ends with %s' % (way, columns, rows, pixels, player.status))
        if player.status is None: # a frame of that size takes its time
            player.kill(signal.SIGKILL)
            player.wait()
        for descriptor in (player.master, player.slave, player.say, player.hear):
            os.close(descriptor)


# ------------------------------------------------------------------------------------------------ --watch

def save(path, text):
    """As editors do that are careful."""
    with open(path + '.new', 'w') as out:
        out.write(text)
    os.rename(path + '.new', path)


def takes_in_what_is_saved(program, work):
    pet = os.path.join(work, 'praxi')
    shutil.copytree(PETS + '/praxi', pet)
    config = os.path.join(pet, 'pet.json')
    with open(config) as source:
        text = source.read()
    player = Player(program, ['--watch', pet], 100, 30)
    expect(player.until('praxi +idle'), 'watch: does not begin')
    player.press('3')
    expect(player.until('praxi +working'), 'watch: no state')
    changed = json.loads(text)
    changed['global']['scale'] = 2
    save(config, json.dumps(changed))
    expect(player.until('pet.json taken in'), 'what was saved by renaming is not taken in')
    expect(player.until('praxi +working'), 'the state is lost')

    text = json.dumps(changed, indent=1)
    with open(config, 'w') as out: # slowly
        out.write(text[:len(text) // 2])
        out.flush()
        player.see(0.6)
        expect(player.until('praxi +working'), 'half a file: the state is lost')
        expect(player.until('plays on'), 'half a file: nothing is said')
        out.write(text[len(text) // 2:])
    expect(player.until('(?s)^((?!plays on).)*$'), 'the whole file: what was wrong is still shown')
    expect(player.until('praxi +working'), 'the whole file: the state is lost')

    changed['global']['scale'] = 'large'
    changed['states'] = 7
    save(config, json.dumps(changed, indent=1))
    expect(player.until('2 errors in what was saved'), 'faults are not counted')
    expect(player.until(r'pet.json:\d+:\d+: error\[petween/'), 'faults are not shown')
    frames = player.screen.frames
    player.press('2')
    expect(player.until('praxi +thinking'), 'with faults it does not play on')
    player.see(0.5)
    expect(player.screen.frames > frames, 'with faults it stands still')
    os.remove(config)
    player.see(0.3)
    save(config, text)
    expect(player.until('(?s)^((?!plays on).)*$'), 'mended: what was wrong is still shown')
    expect(player.until('praxi +thinking'), 'mended: the state is lost')

    os.remove(config)
    expect(player.until('cannot be played'), 'a file that stays away is not told of')
    expect(player.until('praxi +thinking'), 'a file that is gone: the state is lost')
    save(config, text)
    expect(player.until('(?s)^((?!cannot be played).)*$'), 'it is back and not seen')

    before = player.picture_cells(20)
    shutil.copy(PETS + '/pet/error.png', os.path.join(pet, 'idle.png'))
    shutil.copy(PETS + '/pet/idle.png', os.path.join(pet, 'success.png'))
    player.until('taken in')
    player.press('15')
    player.until('praxi +success')
    player.see(0.5)
    expect(before != player.picture_cells(20), 'pictures that are put there are not shown')
    player.press('\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D')
    expect(player.until('no way back'), 'going back behind the reload')
    player.end('watch')


def tells_what_is_gone(program, work):
    path = os.path.join(work, 'slam.json')
    shutil.copy(PETS + '/slam-land.json', path)
    with open(path) as source:
        text = source.read()
    player = Player(program, [path, '--watch'])
    expect(player.until('slam +slam-land'), 'watch a clip: does not begin')
    save(path, text.replace('user:slam-land', 'user:other'))
    expect(player.until('gone: clip slam-land') or player.until('slam.json taken in'), 'what is gone is not told')
    expect(player.until(r'slam +other'), 'the new clip is not played')
    player.end('gone')


def costs_little(program):
    player = Player(program, [PETS + '/praxi'])
    player.until('praxi +idle')
    times = lambda: sum(int(n) for n in open('/proc/%d/stat' % player.pid).read().rsplit(')', 1)[1].split()[11:13])
    before, end = times(), time.monotonic() + 3
    while time.monotonic() < end:
        player.see(0.05)
    spent = (times() - before) / os.sysconf('SC_CLK_TCK')
    player.end('cost')
    print('3 seconds of praxi in 80 x 24 cost %.2f s' % spent)
    expect(spent < 0.9 or SLOW > 1, 'it costs too much: %.2f of 3 s' % spent)


def main():
    program = os.path.abspath(sys.argv[1])
    for name in ('NO_COLOR', 'KITTY_WINDOW_ID', 'TERM_PROGRAM'):
        os.environ.pop(name, None)
    without_a_terminal(program)
    try:
        for descriptor in pty.openpty():
            os.close(descriptor)
    except OSError as error:
        print('NOT TRIED: playing; there are no pseudo-terminals here (%s)' % error)
        return bool(faults)
    with tempfile.TemporaryDirectory() as work:
        refuses_before_it_starts(program, work)
        shows_and_quits(program)
        obeys_keys(program)
        asks_a_graph(program, work)
        stands_still_and_goes_back(program)
        plays_what_has_no_states(program)
        fits_any_size(program)
        is_told_by_signals(program)
        stops_and_goes_on(program)
        knows_ways(program)
        survives_any_claim(program)
        takes_in_what_is_saved(program, work)
        tells_what_is_gone(program, work)
        if os.path.exists('/proc/self/stat'):
            costs_little(program)
    print('%d faults' % len(faults) if faults else 'all as it should be')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
