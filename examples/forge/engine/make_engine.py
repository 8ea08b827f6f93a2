#!/usr/bin/env python3
"""Makes the engine: its model, its animation, and the five textures on it. Python 3 and nothing else.

    python3 make_engine.py

Lengths are in sixteenths of a block. A texture has 32 by 32 texels, two to a sixteenth, and light that comes from the
upper left. What stands where on a texture is said in texels where it is drawn, and once more where a side shows it."""
import json
import math
import os
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = 32

# From dark to light.
IRON = [(24, 27, 34), (38, 43, 53), (55, 62, 74), (77, 86, 99), (108, 118, 130), (150, 160, 168)]
BRASS = [(62, 36, 14), (104, 64, 22), (150, 98, 34), (194, 138, 52), (230, 184, 88), (252, 226, 150)]
COPPER = [(60, 26, 18), (102, 44, 28), (148, 70, 42), (188, 100, 62), (220, 140, 96), (246, 188, 146)]
LEATHER = [(56, 16, 20), (92, 26, 28), (136, 40, 36), (172, 60, 46), (206, 92, 64), (236, 136, 96)]
EMBER = [(60, 12, 8), (140, 30, 10), (214, 74, 16), (250, 136, 32), (255, 200, 84), (255, 244, 190)]


class Texture:
    def __init__(self):
        self.texels = [[(0, 0, 0, 0)] * SIZE for _ in range(SIZE)]

    def put(self, x, y, color):
        if 0 <= x < SIZE and 0 <= y < SIZE:
            self.texels[y][x] = tuple(color) + (255,)

    def fill(self, x, y, width, height, color):
        for row in range(y, y + height):
            for column in range(x, x + width):
                self.put(column, row, color)

    def plate(self, x, y, width, height, colors, level=2):
        """Metal with a bevel: light above and at the left, dark below and at the right."""
        self.fill(x, y, width, height, colors[level])
        for column in range(x, x + width):
            self.put(column, y, colors[level + 2])
            self.put(column, y + height - 1, colors[max(0, level - 2)])
        for row in range(y, y + height):
            self.put(x, row, colors[level + 2] if row < y + height - 1 else colors[level])
            self.put(x + width - 1, row, colors[max(0, level - 2)] if row > y else colors[level])

    def bolt(self, x, y, colors, level=3):
        self.put(x, y, colors[min(5, level + 2)])
        self.put(x + 1, y, colors[level])
        self.put(x, y + 1, colors[level])
        self.put(x + 1, y + 1, colors[max(0, level - 2)])

    def strokes(self, colors, level, lines):
        """Scratches and worn places: x, y and how long each lies."""
        for x, y, length in lines:
            for column in range(x, x + length):
                self.put(column, y, colors[level])

    def rows(self, x, y, legend, rows):
        """Texels as they stand in text; what the legend does not know stays."""
        for dy, row in enumerate(rows):
            for dx, sign in enumerate(row):
                if sign in legend:
                    self.put(x + dx, y + dy, legend[sign])

    def write(self, name):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        raw = b"".join(b"\0" + bytes(c for texel in row for c in texel) for row in self.texels)
        with open(os.path.join(HERE, "textures", name + ".png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)) +
                       chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def draw_base():
    """The foot seen from above: an iron plate with a frame, bolts, and treads in the field."""
    t = Texture()
    t.plate(0, 0, 32, 32, IRON)
    for at in (5, 15, 25):
        for x, y in ((at, 0), (at, 30), (0, at), (30, at)):
            t.bolt(x if x else 0, y if y else 0, IRON)
    return t


def draw_side():
    """Sides: the foot at 0, 0 (32 by 6), the step at 0, 6 (28 by 4), the ring at 0, 10 (28 by 8), the step's top at 0, 18."""
    t = Texture()
    t.plate(0, 0, 32, 6, IRON)
    for x in (2, 28):
        t.bolt(x, 2, IRON)
    t.rows(11, 1, {"#": IRON[0], "-": IRON[1], "o": EMBER[2], "O": EMBER[4], "+": IRON[4]},
           ["-########-", "#oOOooOOo#", "#oooOOooo#", "-########+"])  # the grate of the fire
    for x in (13, 16, 19):
        t.put(x, 2, IRON[0])
        t.put(x, 3, IRON[0])
    t.plate(0, 6, 28, 4, COPPER)
    t.strokes(COPPER, 3, [(3, 7, 5), (12, 7, 8), (22, 8, 3)])
    t.strokes(COPPER, 1, [(6, 8, 4), (15, 8, 5)])
    t.plate(0, 10, 28, 8, BRASS, 3)
    t.fill(2, 12, 24, 4, BRASS[2])  # a sunken band: shadow below its upper edge, light on its lower one
    t.fill(2, 12, 24, 1, BRASS[1])
    t.fill(2, 15, 24, 1, BRASS[4])
    for x in (4, 9, 17, 22):
        t.bolt(x, 13, BRASS)
    t.rows(12, 12, {"1": BRASS[1], "3": BRASS[3], "4": BRASS[4], "5": BRASS[5], "e": EMBER[3], "E": EMBER[5]},
           ["4555", "5eE1", "5eE1", "3111"])  # a gauge
    return t


def draw_ring():
    """The ring from above (28 by 28 at 0, 0): a bevel, a round groove, eight bolts, and dark around the column."""
    t = Texture()
    t.plate(0, 0, 28, 28, BRASS, 3)
    for y in range(1, 27):
        for x in range(1, 27):
            dx, dy = x - 13.5, y - 13.5
            away, lit = math.hypot(dx, dy), -(dx + dy) / (math.hypot(dx, dy) + 0.01)
            if 10.4 < away < 11.6:  # a groove: its far wall catches the light
                t.put(x, y, BRASS[4] if lit < -0.5 else BRASS[1] if lit > 0.5 else BRASS[2])
            elif 7.4 < away <= 8.4:  # an edge
                t.put(x, y, BRASS[5] if lit > 0.6 else BRASS[2] if lit < -0.6 else BRASS[4])
            elif away <= 7.4:
                t.put(x, y, BRASS[2] if away > 6.4 else BRASS[1])
    for x, y in ((12, 2), (12, 24), (2, 12), (24, 12)):
        t.bolt(x, y, BRASS)
        t.put(x + 2, y + 1, BRASS[2])
    t.strokes(BRASS, 4, [(3, 3, 5), (21, 22, 4)])
    t.strokes(BRASS, 2, [(20, 3, 3), (3, 23, 3)])
    return t


def draw_bellows():
    """20 by 12 at 0, 0: pleats of leather, each with a lit upper fold and a dark valley, and a seam at each end."""
    t = Texture()
    for pleat in range(4):
        for x in range(20):
            edge = x in (0, 19)
            for row, level in enumerate((4, 2, 0)):
                level = level + (1 if row == 0 and 2 <= x < 8 else 0) - (1 if x > 15 and level > 0 else 0)
                t.put(x, pleat * 3 + row, BRASS[3 if row == 0 else 1] if edge else LEATHER[level])
        for x in (4 + pleat % 2, 13 - pleat % 2):
            t.put(x, pleat * 3 + 1, LEATHER[3])
    return t


def draw_column():
    """The column at 0, 0 (10 by 18), rods at 12, 0 (4 by 18), the cap's side at 0, 20 (12 by 4), its top at 18, 0 (12 by 12),
    a nut's side at 18, 14 (4 by 2), its top at 24, 14 (4 by 4)."""
    t = Texture()
    for x, level in enumerate((2, 3, 4, 5, 4, 3, 3, 2, 1, 1)):  # round, lit from the left
        t.fill(x, 0, 1, 18, IRON[level])
    for y in (0, 1, 6, 12):
        for x, level in enumerate((1, 2, 3, 4, 3, 2, 2, 1, 0, 0)):
            t.put(x, y, IRON[level])
    t.rows(3, 2, {"#": IRON[0], "o": EMBER[2], "O": EMBER[4], "^": EMBER[5]},
           ["####", "#oo#", "####", "....", "....", "####", "#OO#", "#oo#", "####", "....", "....", "####", "#^^#", "#OO#", "####"])
    for x, level in enumerate((3, 5, 4, 2)):
        t.fill(12 + x, 0, 1, 18, IRON[level])
    t.plate(0, 20, 12, 4, COPPER)
    for x in (2, 9):
        t.put(x, 21, COPPER[5])
        t.put(x, 22, COPPER[1])
    t.plate(18, 0, 12, 12, COPPER)
    t.rows(20, 2, {"1": COPPER[1], "0": COPPER[0], "a": EMBER[1], "b": EMBER[2], "c": EMBER[3], "d": EMBER[4], "e": EMBER[5],
                   "4": COPPER[4]},
           ["..1111..",
            ".10aa01.",
            "10abba04",
            "1abddba4",
            "1abdeba4",
            "10abba04",
            ".10aa04.",
            "..1444.."])
    t.plate(18, 14, 4, 2, BRASS, 3)
    t.plate(24, 14, 4, 4, BRASS, 3)
    return t


# ------------------------------------------------------------------------------------------------------------- the model

SIDES = ("north", "south", "west", "east")


def box(low, high, top, side, bottom=None):
    """An element; `top`, `side`, `bottom`: texture, x, y, width, height in texels. None: not seen."""
    def face(spec):
        name, x, y, width, height = spec
        return {"uv": [x / 2, y / 2, (x + width) / 2, (y + height) / 2], "texture": "#" + name}
    faces = {}
    if bottom:
        faces["down"] = face(bottom)
    if top:
        faces["up"] = face(top)
    if side:
        faces.update({name: face(side) for name in SIDES})
    return {"from": low, "to": high, "faces": faces}


RING, BELLOWS, CAP = 2, 3, 5  # indices of elements


def model():
    elements = [
        box([0, 0, 0], [16, 3, 16], ("base", 0, 0, 32, 32), ("side", 0, 0, 32, 6), ("base", 0, 0, 32, 32)),
        box([1, 3, 1], [15, 5, 15], ("step", 0, 0, 28, 28), ("side", 0, 6, 28, 4)),
        box([1, 5, 1], [15, 9, 15], ("ring", 0, 0, 28, 28), ("side", 0, 10, 28, 8), ("ring", 0, 0, 28, 28)),
        box([3, 5, 3], [13, 5, 13], None, ("bellows", 0, 0, 20, 12)),  # flat at rest: its upper corners go with the ring
        box([5.5, 5, 5.5], [10.5, 14, 10.5], None, ("column", 0, 0, 10, 18)),
        box([5, 14, 5], [11, 16, 11], ("column", 18, 0, 12, 12), ("column", 0, 20, 12, 4), ("column", 0, 20, 12, 12)),
    ]
    for x in (2.25, 12.25):
        for z in (2.25, 12.25):
            elements.append(box([x, 5, z], [x + 1.5, 14, z + 1.5], None, ("column", 12, 0, 4, 18)))
            elements.append(box([x - 0.25, 14, z - 0.25], [x + 1.75, 15, z + 1.75], ("column", 24, 14, 4, 4),
                                ("column", 18, 14, 4, 2), ("column", 24, 14, 4, 4)))
    names = ("base", "side", "step", "ring", "bellows", "column")
    return {"textures": {name: "zoetrope:block/engine_" + name for name in names}, "elements": elements}


def draw_step():
    """The step from above: copper, darker where the bellows stand."""
    t = Texture()
    t.plate(0, 0, 28, 28, COPPER)
    t.fill(4, 4, 20, 20, COPPER[1])
    for x, y in ((1, 12), (25, 12), (12, 1), (12, 25)):
        t.bolt(x, y, COPPER)
    return t


# --------------------------------------------------------------------------------------------------------- the animation

SAMPLES = 40


def ring_at(p):
    """Up slowly, as the bellows draw breath, a moment's rest, and down with a blow that rebounds once."""
    if p < 0.56:
        return 4.5 * (1 - math.cos(math.pi * p / 0.56)) / 2
    if p < 0.64:
        return 4.5
    if p < 0.78:
        return 4.5 * (1 - ((p - 0.64) / 0.14) ** 2)
    if p < 0.9:
        return 0.55 * math.sin(math.pi * (p - 0.78) / 0.12)
    return 0.0


def cap_at(p):
    """Lifted by what escapes at the blow."""
    if p < 0.76:
        return 0.0
    if p < 0.82:
        return 1.0 * math.sin(math.pi / 2 * (p - 0.76) / 0.06)
    return (1 + math.cos(math.pi * (p - 0.82) / 0.18)) / 2


def animation():
    def track(joint, curve):
        return {"joint": joint, "parameter": "y", "type": "uniform", "interpolation": "linear",
                "samples": [round(curve(i / SAMPLES), 3) for i in range(SAMPLES)]}
    all_of, upper = [1] * 8, [0, 0, 1, 1, 0, 0, 1, 1]
    return {"model": "zoetrope:engine",
            "joints": [{"name": "ring", "weights": {str(RING): all_of, str(BELLOWS): upper}},
                       {"name": "cap", "weights": {str(CAP): all_of}}],
            "clips": [{"name": "rest", "tracks": [], "loop": False},
                      {"name": "pump", "tracks": [track("ring", ring_at), track("cap", cap_at)], "loop": True}]}


def write(path, value):
    def short(v):  # numbers of one list on one line
        return json.dumps(v)

    def lines(v, indent):
        pad = "  " * indent
        if isinstance(v, dict) and not all(not isinstance(x, (dict, list)) or (isinstance(x, list) and len(x) < 9 and
                                           not any(isinstance(y, (dict, list)) for y in x)) for x in v.values()):
            return "{\n" + ",\n".join(f'{pad}  "{k}": {lines(x, indent + 1)}' for k, x in v.items()) + f"\n{pad}}}"
        if isinstance(v, list) and any(isinstance(x, (dict, list)) for x in v):
            return "[\n" + ",\n".join(f"{pad}  {lines(x, indent + 1)}" for x in v) + f"\n{pad}]"
        return short(v)
    with open(os.path.join(HERE, path), "w", encoding="utf-8") as file:
        file.write(lines(value, 0) + "\n")


if __name__ == "__main__":
    for part, make in (("base", draw_base), ("side", draw_side), ("step", draw_step), ("ring", draw_ring),
                       ("bellows", draw_bellows), ("column", draw_column)):
        make().write("engine_" + part)
    write("models/engine.json", model())
    write("animation/engine.json", animation())
