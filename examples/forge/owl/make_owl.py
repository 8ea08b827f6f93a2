#!/usr/bin/env python3
"""Makes the owl: its model, its armature, and the two textures on it. Python 3 and nothing else.

    python3 make_owl.py

Lengths are in sixteenths of a block, and the armature gets blocks. Both textures have two texels to a sixteenth. Joints of
this format have no parents, each acts in the space of the model; so what hangs on what is worked out here, and each joint
gets the whole of its motion, forty samples a clip. The owl looks north."""
import json
import math
import os
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "assets", "zoetrope")

# From dark to light.
BROWN = [(38, 24, 18), (68, 44, 30), (102, 68, 42), (136, 94, 58), (170, 126, 82), (206, 166, 120)]
CREAM = [(140, 108, 78), (184, 150, 110), (218, 192, 150), (240, 222, 186), (252, 244, 222)]
AMBER = [(112, 52, 8), (206, 118, 16), (250, 184, 44), (255, 228, 112)]
HORN = [(52, 42, 36), (96, 78, 58), (150, 124, 84), (206, 180, 124)]
BARK = [(34, 25, 20), (54, 40, 30), (78, 58, 42), (102, 78, 56), (128, 100, 72)]
WOOD = [(120, 86, 54), (150, 112, 72), (178, 138, 92), (204, 166, 116), (226, 194, 146)]
MOSS = [(34, 54, 22), (56, 84, 30), (84, 116, 42), (120, 150, 60), (160, 184, 90)]


class Texture:
    def __init__(self, size):
        self.size = size
        self.texels = [[(0, 0, 0, 0)] * size for _ in range(size)]

    def put(self, x, y, color):
        if 0 <= x < self.size and 0 <= y < self.size:
            self.texels[y][x] = tuple(color) + (255,)

    def fill(self, x, y, width, height, color):
        for row in range(y, y + height):
            for column in range(x, x + width):
                self.put(column, row, color)

    def rows(self, x, y, legend, rows):
        for dy, row in enumerate(rows):
            for dx, sign in enumerate(row):
                if sign in legend:
                    self.put(x + dx, y + dy, legend[sign])

    def feathers(self, x, y, width, height, colors, level):
        """Soft down, darker towards the lower end, with rows of light tips that have a shadow below."""
        for row in range(height):
            for column in range(width):
                at = (column + (2 if row // 3 % 2 else 0)) % 4
                tip, under = row % 3 == 0 and at == 1, row % 3 == 1 and at in (0, 2)
                step = (1 if tip else -1 if under else 0) + (1 if row < 2 else 0) - (1 if row > height * 0.75 else 0)
                self.put(x + column, y + row, colors[max(0, min(len(colors) - 1, level + step))])

    def write(self, name):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        raw = b"".join(b"\0" + bytes(c for texel in row for c in texel) for row in self.texels)
        with open(os.path.join(OUT, "textures", "block", name + ".png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", self.size, self.size, 8, 6, 0, 0, 0)) +
                       chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


# x, y, width and height, texels
PLUMAGE = {
    "face": (0, 0, 16, 12), "cheek": (16, 0, 14, 12), "crown": (30, 0, 16, 14), "nape": (46, 0, 16, 12),
    "belly": (0, 14, 14, 13), "flank": (14, 14, 12, 13), "back": (26, 14, 14, 13), "shoulder": (40, 14, 14, 12),
    "wing": (0, 28, 12, 14), "wing inside": (12, 28, 12, 14), "wing edge": (24, 28, 3, 14), "lid": (28, 28, 6, 6),
    "beak": (34, 28, 3, 4), "tuft": (38, 28, 4, 5), "foot": (42, 28, 4, 4), "toes": (42, 32, 4, 2), "tail": (48, 28, 8, 10),
}


def draw_plumage():
    t = Texture(64)
    for name, colors, level in (("cheek", BROWN, 3), ("crown", BROWN, 3), ("nape", BROWN, 2), ("flank", BROWN, 3),
                                ("back", BROWN, 2), ("shoulder", BROWN, 3), ("tail", BROWN, 2)):
        t.feathers(*PLUMAGE[name], colors, level)
    face(t)
    x, y, width, height = PLUMAGE["belly"]
    t.feathers(x, y, width, height, BROWN, 3)
    for row in range(height):  # a bib of cream, with a row of arrowheads on every third line
        inset = (3, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4)[row]
        for column in range(inset, width - inset):
            level = 3 if row < 7 else 2
            level -= 1 if column in (inset, width - inset - 1) else 0
            t.put(x + column, y + row, CREAM[level])
            if row % 3 == 1 and (column + 2 * (row // 3 % 2)) % 4 == 1 or row % 3 == 2 and (column + 2 * (row // 3 % 2)) % 4 in (0, 2):
                t.put(x + column, y + row, BROWN[3 if row % 3 == 1 else 4])
    wings(t)
    x, y, width, height = PLUMAGE["lid"]
    for row, level in enumerate((3, 4, 4, 3, 3, 0)):
        t.fill(x, y + row, width, 1, BROWN[level])
    for column in (1, 4):
        t.put(x + column, y + 3, BROWN[5])
    t.rows(*PLUMAGE["beak"][:2], {"1": HORN[0], "2": HORN[1], "3": HORN[2], "4": HORN[3]}, ["344", "233", "233", "122"])
    x, y, width, height = PLUMAGE["tuft"]
    t.rows(x, y, {str(i): c for i, c in enumerate(BROWN)}, ["0110", "1221", "1342", "2342", "2332"])
    t.rows(*PLUMAGE["foot"][:2], {"1": HORN[1], "2": HORN[2], "3": HORN[3]}, ["2323", "2313", "2212", "1212"])
    t.rows(*PLUMAGE["toes"][:2], {"1": HORN[0], "2": HORN[2], "3": HORN[3]}, ["3131", "2121"])
    x, y, width, height = PLUMAGE["tail"]
    for row in range(height):
        for column in range(width):
            bar = row % 4 == 3
            t.put(x + column, y + row, BROWN[1 if column % 3 == 2 else 4 if bar else 2 + (column % 3 == 0)])
    x, y, width, height = PLUMAGE["crown"]
    for row in range(height):  # a dark stripe over the middle of the crown, and light beside it
        for column in (6, 7, 8, 9):
            t.put(x + column, y + row, BROWN[(3, 1, 1, 3)[column - 6] + (1 if row % 4 == 2 else 0)])
    return t


def face(t):
    """Two discs around large eyes, and between them the light that runs from the brow to the beak."""
    half = ["21112234",
            "1oooo123",
            "oCdddCo3",
            "odaAAadc",
            "oCAkkbCc",
            "oCakkbCc",
            "odcbbcdc",
            "1oCCCCoC",
            "11oCCCcC",
            "321occCC",
            "2321occC",
            "12321ooc"]
    legend = {str(i): c for i, c in enumerate(BROWN)}
    legend.update({"o": BROWN[1], "c": CREAM[2], "C": CREAM[3], "d": CREAM[1], "a": AMBER[2], "A": AMBER[3], "b": AMBER[1],
                   "k": (16, 12, 14)})
    x, y = PLUMAGE["face"][:2]
    t.rows(x, y, legend, [row + row[::-1] for row in half])
    for column in (3, 11):  # a glint in each eye, on the side of the light
        t.put(x + column, y + 4, (255, 255, 255))


def wings(t):
    for name, level in (("wing", 3), ("wing inside", 4)):
        x, y, width, height = PLUMAGE[name]
        t.feathers(x, y, width, 6, BROWN, level)
        for column in range(width):  # coverts above, long feathers below, each barred and with a dark tip
            length = height - 6 - (0 if column % 3 != 2 else 1)
            for row in range(length):
                color = BROWN[level - 2] if column % 3 == 2 else BROWN[level + (1 if column % 3 == 0 else 0)]
                if row % 4 == 2 and column % 3 != 2:
                    color = CREAM[1]
                if row == length - 1:
                    color = BROWN[0]
                t.put(x + column, y + 6 + row, color)
            if length < height - 6:
                t.put(x + column, y + height - 1, BROWN[0])
        t.fill(x, y + 6, width, 1, BROWN[level - 2])
    x, y, width, height = PLUMAGE["wing edge"]
    for row in range(height):
        for column in range(width):
            t.put(x + column, y + row, BROWN[4 if column == 0 else 3 if column == 1 else 2] if row < height - 2 else BROWN[0])


STUMP = {"rings": (0, 0, 20, 20), "bark": (0, 20, 20, 6), "root": (20, 0, 6, 4), "moss": (20, 8, 12, 12)}


def draw_stump():
    t = Texture(32)
    x, y, width, height = STUMP["rings"]
    for row in range(height):
        for column in range(width):
            dx, dy = column - 9.2, row - 10.1
            away = max(abs(dx), abs(dy)) * 0.45 + math.hypot(dx, dy) * 0.55 + 0.3 * math.sin(3 * math.atan2(dy, dx))
            level = (3, 2, 3, 4, 3, 2)[int(away * 1.15) % 6]
            color = BARK[3] if away > 9.6 else BARK[2] if away > 8.9 else WOOD[level]
            t.put(x + column, y + row, color)
    t.rows(13, 3, {"#": WOOD[0], "+": WOOD[1]}, ["..+#", ".+#.", "+#..", "#..."])  # a crack
    moss = {"0": MOSS[0], "1": MOSS[1], "2": MOSS[2], "3": MOSS[3], "4": MOSS[4]}
    t.rows(0, 0, moss, ["3343223222", "4332321211", "33221211..", "232111....", "32211.....", "2211......", "321.......", "21........",
                        "11........", "2........."])
    t.rows(13, 15, moss, ["......1", "....122", "...1233", ".112343", "1223432"])
    x, y, width, height = STUMP["bark"]
    for column in range(width):
        level = (2, 3, 1, 2, 4, 2, 0, 3, 2, 1, 3, 4, 2, 1, 2, 3, 0, 2, 3, 1)[column]
        for row in range(height):
            at = level - (1 if row == height - 1 else 0) + (1 if (column * 3 + row * 2) % 7 == 0 else 0)
            t.put(x + column, y + row, BARK[max(0, min(4, at))])
    t.rows(x, y, moss, ["32233221.1.11.122332",
                        "212121.......1.21121",
                        "1..1.............1.1"])
    x, y, width, height = STUMP["root"]
    for column in range(width):
        for row in range(height):
            t.put(x + column, y + row, BARK[(3, 2, 4, 2, 1, 2)[column] - (1 if row > 2 and column != 4 else 0)])
    return t


# ------------------------------------------------------------------------------------------------------------- the model

def face_of(texture, area, sheet, size, flip=False):
    x, y, width, height = sheet[area]
    u = 16 / size
    left, right = (x + width, x) if flip else (x, x + width)
    return {"uv": [round(v * u, 4) for v in (left, y, right, y + height)], "texture": "#" + texture}


def box(low, high, sides, rotation=None, texture="plumage"):
    sheet, size = (PLUMAGE, 64) if texture == "plumage" else (STUMP, 32)
    element = {"from": low, "to": high}
    if rotation:
        element["rotation"] = rotation
    element["faces"] = {side: face_of(texture, area.lstrip("-"), sheet, size, area.startswith("-"))
                        for side, area in sides.items()}
    return element


def around(area):
    return {side: area for side in ("north", "south", "west", "east")}


def model():
    elements, parts = [], {}

    def add(joint, element):
        if joint:
            parts.setdefault(joint, []).append(len(elements))
        elements.append(element)
    stump = dict(texture="stump")
    add(None, box([3, 0, 3], [13, 3, 13], {**around("bark"), "up": "rings", "down": "rings"}, **stump))
    for low, high in (([1.5, 0, 4], [3, 1.5, 7]), ([13, 0, 8], [14.5, 1.5, 11]), ([5, 0, 1.5], [8, 1.75, 3]),
                      ([9, 0, 13], [12, 1.5, 14.5])):
        add(None, box(low, high, {**around("root"), "up": "root", "down": "root"}, **stump))
    for x in (5.25, 8.75):
        add(None, box([x, 3, 3.75], [x + 2, 3.75, 6], {**around("toes"), "up": "foot"}))
    add("body", box([4.5, 3.25, 4.75], [11.5, 10, 10.75],
                    {"north": "belly", "south": "back", "west": "flank", "east": "-flank", "up": "shoulder", "down": "shoulder"}))
    add("body", box([6, 3.5, 10], [10, 4.5, 14.5], {"up": "tail", "down": "tail", **around("tuft")},
                    {"origin": [8, 4, 10.5], "axis": "x", "angle": 22.5}))
    add("head", box([4, 9.5, 4], [12, 15.5, 11],
                    {"north": "face", "south": "nape", "west": "cheek", "east": "-cheek", "up": "crown", "down": "crown"}))
    add("head", box([7.25, 10.75, 3], [8.75, 12.5, 4], {**around("beak"), "up": "beak", "down": "beak"}))
    for x, angle in ((4.2, 22.5), (9.8, -22.5)):
        add("head", box([x, 15, 5], [x + 2, 17.5, 6.5], {**around("tuft"), "up": "tuft"},
                        {"origin": [x + 1, 15, 5.75], "axis": "z", "angle": angle}))
    for x in (4.5, 8.5):
        add("lids", box([x, 11.5, 3.7], [x + 3, 14.5, 3.98],
                        {"north": "lid", "west": "lid", "east": "lid", "up": "lid", "down": "lid"}))
    add("wing_west", box([3.25, 3.5, 4.75], [4.5, 10.25, 10.75], {"west": "wing", "east": "wing inside", "north": "wing edge",
                                                                 "south": "wing edge", "up": "wing edge", "down": "wing edge"}))
    add("wing_east", box([11.5, 3.5, 4.75], [12.75, 10.25, 10.75], {"east": "-wing", "west": "-wing inside", "north": "wing edge",
                                                                    "south": "wing edge", "up": "wing edge", "down": "wing edge"}))
    return {"textures": {"plumage": "zoetrope:block/owl", "stump": "zoetrope:block/owl_stump", "particle": "#stump"},
            "elements": elements}, parts


# ------------------------------------------------------------------------------------------------------------ the motion

def smooth(x):
    x = max(0.0, min(1.0, x))
    return x * x * (3 - 2 * x)


def keyed(p, *keys):
    """Between keys (at, value) with rest at each."""
    if p <= keys[0][0]:
        return keys[0][1]
    for (a, x), (b, y) in zip(keys, keys[1:]):
        if p < b:
            return x + (y - x) * smooth((p - a) / (b - a))
    return keys[-1][1]


def pose(**values):
    """Of a moment: breath -1..1, hop and lean of the body, how the head is bowed, turned and tilted (degrees), how far the
    wings are lifted (degrees) and how far the eyes are shut (0..1)."""
    return {"breath": 0.0, "hop": 0.0, "lean": 0.0, "bow": 0.0, "turn": 0.0, "tilt": 0.0, "lift": 0.0, "shut": 0.0, "rise": 0.0,
            **values}


BOWED, NAP = 16, 1.0


def asleep(p):
    breath = math.sin(2 * math.pi * p)
    return pose(breath=breath, bow=BOWED + 1.5 * math.sin(2 * math.pi * p - 0.6), tilt=5, shut=NAP, lift=2 + 1.5 * breath)


def wake(p):
    """One eye after the other would be more than the lids can do; so: a peep, a start, a great stretch, two hoots."""
    return pose(
        breath=keyed(p, (0, 0), (.12, -.4), (.2, 1.2), (.3, 1.6), (.42, 0), (.5, 1.4), (.56, -.4), (.66, 1.4), (.72, -.4), (.85, 0)),
        hop=keyed(p, (0, 0), (.15, 0), (.24, 1.1), (.33, 0), (1, 0)),
        bow=keyed(p, (0, BOWED), (.08, BOWED - 4), (.13, BOWED + 1), (.24, -12), (.36, 4), (.48, -8), (.56, 10), (.64, -8), (.72, 10), (.88, 0)),
        tilt=keyed(p, (0, 5), (.08, 7), (.2, 0), (1, 0)),
        turn=keyed(p, (0, 0), (.3, 0), (.35, 9), (.39, -9), (.43, 5), (.47, 0), (1, 0)),
        lift=keyed(p, (0, 2), (.13, 0), (.24, 104), (.29, 84), (.34, 100), (.46, 2), (.5, 14), (.58, 0), (.66, 14), (.76, 0), (1, 0)),
        shut=keyed(p, (0, NAP), (.05, .55), (.08, .6), (.12, NAP), (.19, 0), (.36, 0), (.5, .35), (.58, 0), (.66, .35), (.74, 0), (1, 0)))


def awake(p):
    """Looks about as owls do: quickly, and then not at all."""
    blink = max((1 - abs(p - at) / .03 for at in (.1, .46, .53, .9)), default=0)
    return pose(
        breath=math.sin(4 * math.pi * p) * .6,
        turn=keyed(p, (0, 0), (.12, 0), (.18, 30), (.36, 30), (.4, 18), (.46, 18), (.56, -62), (.74, -62), (.82, 0), (1, 0)),
        tilt=keyed(p, (0, 0), (.22, 0), (.27, 12), (.34, 12), (.4, 0), (.6, 0), (.64, -18), (.72, -18), (.76, 0), (1, 0)),
        bow=keyed(p, (0, 0), (.4, 0), (.44, -5), (.5, 0), (.84, 0), (.88, 5), (.95, 0), (1, 0)),
        lift=keyed(p, (0, 0), (.84, 0), (.87, 12), (.9, 2), (.93, 9), (1, 0)),
        shut=max(0.0, min(1.0, blink * 1.3)))


def doze(p):
    """Yawns with the whole body, nods, starts up once more, and sinks down."""
    return pose(
        breath=keyed(p, (0, 0), (.15, 1.3), (.3, -.6), (.5, .3), (.58, .8), (.8, -.4), (1, 0)),
        bow=keyed(p, (0, 0), (.15, -10), (.4, 13), (.46, 13), (.54, -1), (.64, 2), (.94, BOWED), (1, BOWED)),
        tilt=keyed(p, (0, 0), (.4, 3), (.54, 0), (.94, 5), (1, 5)),
        turn=0,
        lift=keyed(p, (0, 0), (.15, 22), (.3, 0), (.52, 0), (.56, 10), (.66, 0), (1, 2)),
        shut=keyed(p, (0, 0), (.15, .6), (.25, .3), (.42, .95), (.47, .95), (.53, 0), (.62, .2), (.86, NAP), (1, NAP)))


def turn_about(axis, degrees):
    """Rows of a turn."""
    x, y, z = axis
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(m, v):
    return [sum(m[i][k] * v[k] for k in range(3)) for i in range(3)]


def axis_of(m, before):
    """Axis and degrees of a turn; of the two ways to say it the one that goes on from the axis before."""
    trace = max(-1.0, min(1.0, (m[0][0] + m[1][1] + m[2][2] - 1) / 2))
    degrees = math.degrees(math.acos(trace))
    axis = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    length = math.sqrt(sum(c * c for c in axis))
    if length < 1e-6:
        return before, 0.0
    axis = [c / length for c in axis]
    if sum(a * b for a, b in zip(axis, before)) < 0:
        return [-c for c in axis], -degrees
    return axis, degrees


X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
PLACES = {"body": [8, 3.25, 7.75], "head": [8, 10, 8], "lids": [8, 14.5, 8], "wing_west": [4.25, 9.75, 7.5],
          "wing_east": [11.75, 9.75, 7.5]}


def joints_at(v):
    """By joint: its turn, its shift and its scale."""
    tall = 1 + 0.03 * v["breath"]
    wide = 1 - 0.012 * v["breath"]
    head_turn = times(turn_about(Y, v["turn"]), times(turn_about(Z, v["tilt"]), turn_about(X, -v["bow"])))
    head_shift = [0, v["hop"] + 6.5 * (tall - 1), -0.045 * v["bow"]]
    origin, own = PLACES["head"], PLACES["lids"]
    away = [a - b for a, b in zip(own, origin)]
    lid_shift = [a - b + c for a, b, c in zip(apply(head_turn, away), away, head_shift)]
    wing_shift = [0, v["hop"] + 6.5 * (tall - 1), 0]
    still = turn_about(Y, 0)
    return {"body": (still, [0, v["hop"], 0], [wide, tall, wide]),
            "head": (head_turn, head_shift, [1, 1, 1]),
            "lids": (head_turn, lid_shift, [1, 0.08 + 0.92 * v["shut"], 1]),
            "wing_west": (turn_about(Z, -v["lift"]), wing_shift, [1, 1, 1]),
            "wing_east": (turn_about(Z, v["lift"]), wing_shift, [1, 1, 1])}


SAMPLES = 48


def bake(curve, loop):
    last = SAMPLES if loop else SAMPLES - 1
    frames = [joints_at(curve(i / last)) for i in range(SAMPLES)]
    clip = {}
    for joint, place in PLACES.items():
        lists = {name: [] for name in ("offset_x", "offset_y", "offset_z", "axis_x", "axis_y", "axis_z", "angle", "scale_x",
                                       "scale_y", "scale_z")}
        axis = next((a for a, d in (axis_of(f[joint][0], Y) for f in frames) if d != 0), Y)
        for turn, shift, scale in (f[joint] for f in frames):
            axis, degrees = axis_of(turn, axis)
            for k, letter in enumerate("xyz"):
                lists["offset_" + letter].append(shift[k] / 16)
                lists["axis_" + letter].append(axis[k])
                lists["scale_" + letter].append(scale[k])
            lists["angle"].append(degrees)
        moves = any(abs(a) > 1e-4 for a in lists["angle"])
        out = []
        for name, samples in lists.items():
            rest = 1.0 if name.startswith("scale") else 0.0
            if all(abs(s - rest) < 1e-5 for s in samples) or (name.startswith(("axis", "angle")) and not moves):
                continue
            short = [round(s, 4) + 0.0 for s in samples]
            if all(s == short[0] for s in short):
                short = short[:1]
            out.append({"variable": name, "type": "uniform", "interpolation": "nearest" if len(short) == 1 else "linear",
                        "samples": short})
        for k, letter in enumerate("xyz"):
            out.append({"variable": "origin_" + letter, "type": "uniform", "interpolation": "nearest",
                        "samples": [round(place[k] / 16, 6)]})
        clip[joint] = out
    return clip


def armature(parts):
    clips = {}
    for name, curve, loop, events in (("asleep", asleep, True, {"0.55": "snore"}),
                                      ("wake", wake, False, {"0.2": "ruffle", "0.5": "hoot", "0.66": "hoot"}),
                                      ("awake", awake, True, {"0.1": "blink", "0.87": "ruffle"}),
                                      ("doze", doze, False, {"0.15": "yawn"})):
        clips[name] = {"loop": loop, "joint_clips": bake(curve, loop), "events": events}
    return {"joints": {joint: {str(i): [1.0] for i in parts[joint]} for joint in PLACES}, "clips": clips}


def text(value, indent=0):
    """JSON, with what holds nothing but plain values on one line."""
    pad = "  " * indent
    if isinstance(value, dict) and any(isinstance(v, (dict, list)) and len(str(v)) > 60 for v in value.values()):
        return "{\n" + ",\n".join(f'{pad}  {json.dumps(k)}: {text(v, indent + 1)}' for k, v in value.items()) + f"\n{pad}}}"
    if isinstance(value, list) and any(isinstance(v, dict) for v in value):
        return "[\n" + ",\n".join(f"{pad}  {text(v, indent + 1)}" for v in value) + f"\n{pad}]"
    return json.dumps(value)


def write(path, value):
    with open(os.path.join(OUT, path), "w", encoding="utf-8") as file:
        file.write(text(value) + "\n")


if __name__ == "__main__":
    draw_plumage().write("owl")
    draw_stump().write("owl_stump")
    owl, by_joint = model()
    write("models/block/owl.json", owl)
    write("armatures/block/owl.json", armature(by_joint))
