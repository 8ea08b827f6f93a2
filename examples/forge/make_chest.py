#!/usr/bin/env python3
"""Makes the chest: models/chest.source.json, what it is, and models/chest.png, what is on it. Python 3 and nothing else.

    python3 make_chest.py && zoetrope convert models/chest.source.json --to b3d -o models/chest.b3d

Lengths are in sixteenths of a block, as block models have them; the model itself is in blocks. Here x goes to the right,
y up, z to whoever stands in front; the model is turned about, so that its front looks north, as fronts of blocks do. One
mesh: what belongs to the lid hangs on the bone `lid`, which lies in the hinge, and the rest on nothing. All is one sheet
of 128 by 128 texels, four to a sixteenth; SHEET says where what is."""
import json
import math
import os
import random
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = 128
TEXELS = 4  # a sixteenth

# The chest: how wide, deep and high its box is, how far it stands from the block's corner, how thick its boards are.
WIDE, DEEP, HIGH, WALL = 14.0, 12.0, 8.0, 1.0
LEFT, BACK = 1.0, 2.0
RIGHT, FRONT = LEFT + WIDE, BACK + DEEP
ARCH = 5.0      # the lid, above the box
STEPS = 10      # flat pieces of its arch
TREASURE = 5.0  # how high it lies

# Angles of the lid, degrees, at frames 1, 2, 3...: it is thrown open, swings too far, and settles.
OPENING = [0, 7, 25, 50, 78, 100, 112, 114, 109, 105]

# x, y, width and height, texels
SHEET = {
    "front": (0, 0, 56, 32),
    "side": (56, 0, 48, 32),
    "lid": (0, 32, 56, 70),
    "cap": (56, 32, 48, 20),
    "inside": (56, 52, 48, 24),
    "gold": (56, 76, 48, 40),
    "lock": (104, 0, 12, 20),
    "iron": (116, 0, 12, 20),
    "rim": (104, 20, 24, 56),
}


# ------------------------------------------------------------------------------------------------------------ the sheet

def mix(a, b, t):
    return tuple(round(p + (q - p) * t) for p, q in zip(a, b))


WOOD = [(78, 47, 27), (104, 64, 35), (128, 82, 46), (151, 101, 58), (176, 124, 75)]
IRON = [(38, 41, 48), (62, 67, 77), (92, 99, 110), (130, 138, 148), (176, 183, 190)]
BRASS = [(88, 56, 16), (140, 94, 26), (190, 139, 44), (226, 184, 82), (250, 226, 150)]
GOLD = [(120, 70, 12), (176, 116, 20), (224, 164, 36), (248, 208, 84), (255, 240, 170)]
DARK = [(36, 22, 14), (46, 29, 19), (58, 37, 24), (70, 46, 30), (84, 57, 38)]


class Sheet:
    def __init__(self):
        self.texels = [[(0, 0, 0, 0)] * SIZE for _ in range(SIZE)]

    def put(self, x, y, color):
        if 0 <= x < SIZE and 0 <= y < SIZE:
            self.texels[y][x] = color + (255,)

    def get(self, x, y):
        return self.texels[y][x][:3]

    def fill(self, x, y, width, height, color):
        for row in range(y, y + height):
            for column in range(x, x + width):
                self.put(column, row, color)

    def planks(self, area, colors, board, seed):
        """Boards that lie: a light upper edge, a dark lower one, grain along them, and here and there a knot."""
        r = random.Random(seed)
        left, top, width, height = area
        for y0 in range(0, height, board):
            tall = min(board, height - y0)
            tone = r.choice([1.6, 1.9, 2.2])
            waves = [(r.uniform(0.05, 0.16), r.uniform(0, 6.3), r.uniform(0.2, 0.5)) for _ in range(3)]
            for y in range(tall):
                for x in range(width):
                    grain = sum(a * math.sin(x * f + p + y * 1.9) for f, p, a in waves)
                    level = tone + grain + r.uniform(-0.25, 0.25)
                    if y == 0:
                        level += 0.9
                    if y == tall - 1:
                        level = 0.2
                    low = max(0, min(len(colors) - 2, int(level)))
                    self.put(left + x, top + y0 + y, mix(colors[low], colors[low + 1], max(0.0, min(1.0, level - low))))
            for _ in range(r.randrange(0, 2)):
                x, y = r.randrange(4, width - 4), r.randrange(2, max(3, tall - 2))
                for dx, dy, c in ((0, 0, 0), (-1, 0, 1), (1, 0, 1), (0, -1, 1), (-2, 0, 2), (2, 0, 2)):
                    if 0 <= y + dy < tall - 1:
                        self.put(left + x + dx, top + y0 + y + dy, colors[c])

    def band(self, x, y, width, height, along):
        """Iron, lit from above and from the left, with rivets along it."""
        for row in range(height):
            for column in range(width):
                across, most = (column, width) if along == "y" else (row, height)
                color = IRON[3] if across == 0 else IRON[0] if across == most - 1 else IRON[2] if across < most / 2 else IRON[1]
                self.put(x + column, y + row, color)
        length = height if along == "y" else width
        for at in range(3, length - 2, 9):
            cx, cy = (x + width // 2 - 1, y + at) if along == "y" else (x + at, y + height // 2 - 1)
            for dx, dy, color in ((0, 0, IRON[4]), (1, 0, IRON[3]), (0, 1, IRON[2]), (1, 1, IRON[0])):
                self.put(cx + dx, cy + dy, color)

    def shade(self, x, y, width, height, by):
        for row in range(y, y + height):
            for column in range(x, x + width):
                self.put(column, row, tuple(max(0, min(255, round(c * by))) for c in self.get(column, row)))


def coins(sheet, area, seed):
    """A heap of coins, the upper ones last, each with a rim, a face and a glint; and three stones among them."""
    r = random.Random(seed)
    left, top, width, height = area
    sheet.fill(left, top, width, height, GOLD[0])
    for number in range(150):
        radius = r.choice([2.4, 2.8, 3.2])
        cx, cy = r.uniform(0, width), r.uniform(0, height)
        tone = 0.8 + 0.2 * number / 150
        for y in range(math.floor(cy - radius), math.ceil(cy + radius) + 1):
            for x in range(math.floor(cx - radius), math.ceil(cx + radius) + 1):
                away = math.hypot(x + 0.5 - cx, (y + 0.5 - cy) * 1.25)
                if away > radius or not (0 <= x < width and 0 <= y < height):
                    continue
                lit = (cx - x + cy - y) / radius
                color = GOLD[1] if away > radius - 0.8 and lit < 0 else GOLD[4] if away > radius - 0.8 and lit > 1.1 else \
                    GOLD[3] if lit > 0.4 else GOLD[2]
                sheet.put(left + x, top + y, tuple(round(c * tone) for c in color))
    for x, y, stone in ((11, 12, [(96, 8, 30), (196, 28, 62), (255, 150, 170)]),
                        (35, 24, [(10, 70, 60), (30, 160, 120), (170, 250, 210)]),
                        (22, 31, [(24, 36, 110), (60, 96, 214), (180, 206, 255)])):
        for dy, row in enumerate((".111.", "12211", "11111", "01110", ".000.")):
            for dx, sign in enumerate(row):
                if sign != ".":
                    sheet.put(left + x + dx, top + y + dy, stone[int(sign)])


def draw():
    sheet = Sheet()
    for name, board, seed in (("front", 8, 3), ("side", 8, 5), ("lid", 7, 8), ("cap", 20, 13)):
        sheet.planks(SHEET[name], WOOD, board, seed)
    sheet.planks(SHEET["inside"], DARK, 8, 21)
    sheet.planks(SHEET["rim"], WOOD[1:] + [(196, 148, 98)], 4, 34)
    for name in ("front", "lid"):  # three bands from the box up over the lid, and edges of the box
        x, y, width, height = SHEET[name]
        for at, wide in ((0, 5), (width - 5, 5)):
            sheet.band(x + at, y, wide, height, "y")
        sheet.shade(x + 5, y, 1, height, 0.72)
    x, y, width, height = SHEET["front"]
    sheet.band(x, y + height - 4, width, 4, "x")
    sheet.band(x, y, width, 3, "x")
    x, y, width, height = SHEET["side"]
    for at in (0, width - 5):
        sheet.band(x + at, y, 5, height, "y")
    sheet.band(x, y + height - 4, width, 4, "x")
    sheet.band(x, y, width, 3, "x")
    x, y, width, height = SHEET["lid"]
    for at in (0, height - 3):
        sheet.band(x, y + at, width, 3, "x")
    x, y, width, height = SHEET["cap"]
    for row in range(height):  # an arch of iron along the edge of the lid's ends
        for column in range(width):
            away = math.hypot((column + 0.5 - width / 2) / (width / 2), (height - row - 0.5) / height)
            if 0.84 < away:
                sheet.put(x + column, y + row, IRON[3] if away > 0.97 else IRON[2] if away > 0.9 else IRON[0])
    sheet.band(x, y + height - 3, width, 3, "x")
    coins(sheet, SHEET["gold"], 55)
    x, y, width, height = SHEET["iron"]
    sheet.band(x, y, width, height, "y")
    x, y, width, height = SHEET["lock"]
    for row in range(height):
        for column in range(width):
            edge = min(column, row, width - 1 - column, height - 1 - row)
            level = 3 - (column + row) / 16 if edge > 1 else 4 if column + row < 14 else 1
            level = 0.4 if edge == 1 and column + row > 14 else level
            low = max(0, min(3, int(level)))
            sheet.put(x + column, y + row, mix(BRASS[low], BRASS[low + 1], max(0.0, min(1.0, level - low))))
    for row, signs in enumerate(("..11..", ".1111.", ".1111.", "..11..", "..11..", "..11..", ".1111.")):  # the keyhole
        for column, sign in enumerate(signs):
            if sign == "1":
                sheet.put(x + 3 + column, y + 7 + row, (34, 20, 8))
    return sheet


def write_png(path, sheet):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes(c for texel in row for c in texel) for row in sheet.texels)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


# ------------------------------------------------------------------------------------------------------------ the model

class Mesh:
    def __init__(self):
        self.positions, self.normals, self.coordinates, self.triangles, self.lid = [], [], [], [], []
        self.on_lid = False

    def vertex(self, at, normal, uv):
        length = math.sqrt(sum(c * c for c in normal))
        self.positions.append([round(c / 16, 6) for c in (16 - at[0], at[1], 16 - at[2])])
        self.normals.append([round(c / length, 6) + 0.0 for c in (-normal[0], normal[1], -normal[2])])
        self.coordinates.append([round(uv[0] / SIZE, 6), round(uv[1] / SIZE, 6)])
        if self.on_lid:
            self.lid.append(len(self.positions) - 1)
        return len(self.positions) - 1

    def quad(self, corners, area, normals=None, part=(0.0, 0.0, 1.0, 1.0)):
        """Corners from the sheet's upper left one around as the clock goes not: upper left, lower left, lower right, upper
        right, as seen from outside. `part`: of the area, from left, top to right, bottom."""
        a, b, c = corners[0], corners[1], corners[2]
        u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        flat = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        x, y, width, height = SHEET[area]
        inset = 0.02  # so that no texel of the neighbour is met
        left, top = x + part[0] * width + inset, y + part[1] * height + inset
        right, bottom = x + part[2] * width - inset, y + part[3] * height - inset
        spots = [(left, top), (left, bottom), (right, bottom), (right, top)]
        n = [self.vertex(corner, normals[i] if normals else flat, spots[i]) for i, corner in enumerate(corners)]
        self.triangles += [[n[0], n[1], n[2]], [n[0], n[2], n[3]]]

    def box(self, low, high, sides):
        """The sides of a box, by their areas of the sheet and parts of these; None: that side is not seen."""
        (x1, y1, z1), (x2, y2, z2) = low, high
        corners = {
            "front": [(x1, y2, z2), (x1, y1, z2), (x2, y1, z2), (x2, y2, z2)],
            "back": [(x2, y2, z1), (x2, y1, z1), (x1, y1, z1), (x1, y2, z1)],
            "left": [(x1, y2, z1), (x1, y1, z1), (x1, y1, z2), (x1, y2, z2)],
            "right": [(x2, y2, z2), (x2, y1, z2), (x2, y1, z1), (x2, y2, z1)],
            "top": [(x1, y2, z1), (x1, y2, z2), (x2, y2, z2), (x2, y2, z1)],
            "bottom": [(x1, y1, z2), (x1, y1, z1), (x2, y1, z1), (x2, y1, z2)],
        }
        for side, area in sides.items():
            name, part = area if isinstance(area, tuple) else (area, (0.0, 0.0, 1.0, 1.0))
            self.quad(corners[side], name, part=part)


def arch(t, deep, high):
    """A point of the lid's profile, z and y, from the front (0) over the top to the back (1); and its normal."""
    angle = math.pi * t
    z, y = BACK + DEEP / 2 + deep / 2 * math.cos(angle), HIGH + high * math.sin(angle)
    return z, y, math.cos(angle) / (deep / 2), math.sin(angle) / high


def build_box(mesh):
    mesh.box((LEFT, 0, BACK), (RIGHT, HIGH, FRONT),
             {"front": "front", "back": "front", "left": "side", "right": "side", "bottom": "inside"})
    inner_left, inner_right, inner_back, inner_front = LEFT + WALL, RIGHT - WALL, BACK + WALL, FRONT - WALL
    for x1, x2, z1, z2 in ((LEFT, RIGHT, inner_front, FRONT), (LEFT, RIGHT, BACK, inner_back),
                           (LEFT, inner_left, inner_back, inner_front), (inner_right, RIGHT, inner_back, inner_front)):
        lying = x2 - x1 > z2 - z1
        corners = [(x1, HIGH, z1), (x1, HIGH, z2), (x2, HIGH, z2), (x2, HIGH, z1)]
        mesh.quad(corners if not lying else corners[1:] + corners[:1], "rim", part=(0.0, 0.0, 1 / 6, 1.0))
    y1, y2 = TREASURE, HIGH
    upper = (0.0, 0.0, 1.0, 0.5)
    mesh.quad([(inner_left, y2, inner_back), (inner_left, y1, inner_back), (inner_right, y1, inner_back),
               (inner_right, y2, inner_back)], "inside", part=upper)
    mesh.quad([(inner_right, y2, inner_front), (inner_right, y1, inner_front), (inner_left, y1, inner_front),
               (inner_left, y2, inner_front)], "inside", part=upper)
    mesh.quad([(inner_left, y2, inner_front), (inner_left, y1, inner_front), (inner_left, y1, inner_back),
               (inner_left, y2, inner_back)], "inside", part=upper)
    mesh.quad([(inner_right, y2, inner_back), (inner_right, y1, inner_back), (inner_right, y1, inner_front),
               (inner_right, y2, inner_front)], "inside", part=upper)
    build_treasure(mesh, inner_left, inner_right, inner_back, inner_front)


def build_treasure(mesh, left, right, back, front):
    """A heap: higher in the middle than at the walls."""
    columns, rows = 6, 5

    def at(i, k):
        u, v = i / columns, k / rows
        swell = math.sin(math.pi * u) * math.sin(math.pi * v)
        return (left + (right - left) * u, TREASURE + 1.7 * swell, back + (front - back) * v)

    def normal(i, k):
        u, v = i / columns, k / rows
        return (-1.7 * math.pi * math.cos(math.pi * u) * math.sin(math.pi * v) / (right - left), 1.0,
                -1.7 * math.pi * math.sin(math.pi * u) * math.cos(math.pi * v) / (front - back))
    for i in range(columns):
        for k in range(rows):
            steps = [(i, k), (i, k + 1), (i + 1, k + 1), (i + 1, k)]
            mesh.quad([at(*s) for s in steps], "gold", [normal(*s) for s in steps],
                      (i / columns, k / rows, (i + 1) / columns, (k + 1) / rows))


def build_lid(mesh):
    mesh.on_lid = True
    inner_left, inner_right = LEFT + WALL, RIGHT - WALL
    for step in range(STEPS):
        t1, t2 = step / STEPS, (step + 1) / STEPS
        z1, y1, nz1, ny1 = arch(t1, DEEP, ARCH)
        z2, y2, nz2, ny2 = arch(t2, DEEP, ARCH)
        first, second = (0.0, ny1, nz1), (0.0, ny2, nz2)
        mesh.quad([(LEFT, y2, z2), (LEFT, y1, z1), (RIGHT, y1, z1), (RIGHT, y2, z2)], "lid",
                  [second, first, first, second], (0.0, 1 - t2, 1.0, 1 - t1))
        for x, outward in ((LEFT, -1), (RIGHT, 1)):  # the ends, a strip a step from the hinge's height up
            build_cap(mesh, x, outward, (z1, y1), (z2, y2))
        iz1, iy1, inz1, iny1 = arch(t1, DEEP - 2 * WALL, ARCH - WALL)
        iz2, iy2, inz2, iny2 = arch(t2, DEEP - 2 * WALL, ARCH - WALL)
        first, second = (0.0, -iny1, -inz1), (0.0, -iny2, -inz2)
        mesh.quad([(inner_right, iy2, iz2), (inner_right, iy1, iz1), (inner_left, iy1, iz1), (inner_left, iy2, iz2)],
                  "inside", [second, first, first, second], (0.0, t1, 1.0, t2))
        for x, inward in ((inner_left, 1), (inner_right, -1)):
            build_cap(mesh, x, inward, (iz1, iy1), (iz2, iy2), "inside")
    for x1, x2, z1, z2 in ((LEFT, RIGHT, FRONT - WALL, FRONT), (LEFT, RIGHT, BACK, BACK + WALL),
                           (LEFT, inner_left, BACK + WALL, FRONT - WALL),
                           (inner_right, RIGHT, BACK + WALL, FRONT - WALL)):  # its rim, seen when it is open
        lying = x2 - x1 > z2 - z1
        corners = [(x1, HIGH, z2), (x1, HIGH, z1), (x2, HIGH, z1), (x2, HIGH, z2)]
        mesh.quad(corners if not lying else corners[1:] + corners[:1], "rim", part=(0.5, 0.0, 4 / 6, 1.0))
    middle = (LEFT + RIGHT) / 2
    plate, edge = ("lock", (0.0, 0.0, 1.0, 1.0)), ("lock", (0.0, 0.0, 0.25, 1.0))
    top = ("lock", (0.0, 0.0, 1.0, 0.2))
    mesh.box((middle - 1.5, HIGH - 3, FRONT), (middle + 1.5, HIGH + 2, FRONT + 1),
             {"front": plate, "left": edge, "right": edge, "top": top, "bottom": top, "back": "iron"})
    mesh.on_lid = False


def build_cap(mesh, x, outward, first, second, area="cap"):
    (z1, y1), (z2, y2) = first, second
    lower, upper = [(x, HIGH, z2), (x, HIGH, z1)], [(x, y1, z1), (x, y2, z2)]

    def spot(z, y):
        u = (z - BACK) / DEEP if outward < 0 else (FRONT - z) / DEEP
        return u, 1 - (y - HIGH) / ARCH
    corners = lower + upper if outward > 0 else [upper[0], lower[1], lower[0], upper[1]]
    px, py, width, height = SHEET[area]
    n = []
    for at in corners:
        u, v = spot(at[2], at[1])
        n.append(mesh.vertex(at, (outward, 0, 0), (px + 0.02 + u * (width - 0.04), py + 0.02 + v * (height - 0.04))))
    a, b, c, d = n
    order = [[a, b, c], [a, c, d]]
    for three in order:
        p, q, s = (mesh.positions[i] for i in three)
        flat = (q[1] - p[1]) * (s[2] - p[2]) - (q[2] - p[2]) * (s[1] - p[1])
        if abs(flat) > 1e-9:  # at the ends of the arch a strip is a triangle
            mesh.triangles.append(three if flat * outward < 0 else three[::-1])


def rotation(degrees):
    half = math.radians(degrees) / 2
    return [round(math.cos(half), 7), round(math.sin(half), 7), 0, 0]


def build():
    mesh = Mesh()
    build_box(mesh)
    build_lid(mesh)
    hinge = [(LEFT + RIGHT) / 2 / 16, HIGH / 16, 1 - BACK / 16]
    return {
        "schemaVersion": 1,
        "type": "b3dSource",
        "textures": [{"file": "chest.png"}],
        "brushes": [{"name": "chest", "textures": [0]}],
        "nodes": [
            {"name": "chest", "animation": {"frames": len(OPENING), "fps": 20},
             "mesh": {"brush": 0, "positions": mesh.positions, "normals": mesh.normals, "coordinates": [mesh.coordinates],
                      "triangles": [{"brush": 0, "vertices": mesh.triangles}]}},
            {"name": "lid", "parent": 0, "position": hinge, "bone": [[vertex, 1] for vertex in mesh.lid],
             "keys": [{"frame": i + 1, "position": hinge, "scale": [1, 1, 1], "rotation": rotation(angle)}
                      for i, angle in enumerate(OPENING)]},
        ],
    }


if __name__ == "__main__":
    write_png(os.path.join(HERE, "models", "chest.png"), draw())
    with open(os.path.join(HERE, "models", "chest.source.json"), "w", encoding="utf-8") as file:
        json.dump(build(), file, separators=(",", ":"))
