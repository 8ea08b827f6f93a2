"""What Vesper looks like: one pose to one picture, as SVG. Units are those of a stage 288 wide and 320 high, the origin
on the ground between the feet, y down. All shading is flat, in steps: it suits the figure, and such pictures pack
small.
"""

import math

STAGE = (288, 320)
GROUND = 309             # of the stage's 320; what is below is room for the shadow
NECK = -92               # where the head turns
MOUTH = (0, 31)          # in the head, seen from its middle, when nobody looks aside

LINE = "#2b2148"
FUR, FUR_DARK, FUR_LIGHT = "#8b7ec4", "#6c5ea8", "#a99ddb"
PALE, PALE_DARK = "#f3e9f6", "#d9cae8"
SKIN, SKIN_DARK, SKIN_LIGHT = "#f5a3b2", "#da7f98", "#ffc6cd"
CAP, CAP_DARK, CAP_LIGHT = "#2f7f9b", "#22607e", "#53a6b8"
TRIM, TRIM_DARK = "#fff3dc", "#e8d2b2"
SCARF, SCARF_DARK, SCARF_LIGHT = "#e8604f", "#bd4149", "#f78d6e"
EYE, EYE_LIGHT = "#21183a", "#45367c"

# What a pose says, and what it says when nobody has anything to add.
REST = {
    "x": 0, "y": 0,                  # where the feet are; y < 0 is in the air
    "squash": 0,                     # > 0 taller, < 0 lower; the volume stays
    "lean": 0,                       # of the body, degrees
    "head_x": 0, "head_y": 0, "head_turn": 0, "head_squash": 0,
    "look_x": 0, "look_y": 0,        # -1..1: where the face is turned
    "eyes": 1,                       # 1 open, 0 shut
    "joy": 0, "sorrow": 0,           # eyes that are arcs; brows and lids that hang
    "brow": 0,                       # up
    "open": 0, "wide": 1, "curve": 0.5,   # the mouth
    "blush": 0.5, "nose": 0, "nose_size": 0,
    "left": (-47, -43), "left_turn": 12, "right": (47, -43), "right_turn": -12,   # hands
    "feet": 0,                       # 1: toes up, as one who sits
    "glow": 0.6,                     # of the star
    "wag": 0,
    "tear": -1, "sparks": -1, "sleepy": -1,   # 0..1: how far each of these has got; less: there is none
}

CAP_REST = [(0, -44), (2, -70), (17, -92), (43, -101), (67, -90), (80, -66), (84, -40)]
CAP_HALF = [43, 36, 26, 18, 13, 9, 5]
SCARF_REST = [[(13, -80), (21, -66), (26, -52), (29, -38)], [(13, -80), (13, -66), (11, -53), (9, -41)]]


def n(value):
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def curve(points, closed=True):
    """A smooth path through points (Catmull-Rom, as cubic Beziers)."""
    count = len(points)
    at = (lambda i: points[i % count]) if closed else (lambda i: points[min(max(i, 0), count - 1)])
    out = [f"M{n(points[0][0])},{n(points[0][1])}"]
    for i in range(count if closed else count - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = at(i - 1), at(i), at(i + 1), at(i + 2)
        out.append(f"C{n(bx + (cx - ax) / 6)},{n(by + (cy - ay) / 6)} {n(cx - (dx - bx) / 6)},{n(cy - (dy - by) / 6)} "
                   f"{n(cx)},{n(cy)}")
    return "".join(out) + ("Z" if closed else "")


def ribbon(line, halves):
    """The two edges of a band around a line: left and right of the way along it."""
    left, right = [], []
    for i, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1
        nx, ny = (by - ay) / length, -(bx - ax) / length
        left.append((x + nx * halves[i], y + ny * halves[i]))
        right.append((x - nx * halves[i], y - ny * halves[i]))
    return left, right


def star(x, y, radius, inner, turn=0, points=5, wiggle=0):
    out = []
    for i in range(points * 2):
        angle = math.radians(turn - 90 + i * 180 / points + (wiggle * (-1) ** (i // 2) if i % 2 == 0 else 0))
        size = radius if i % 2 == 0 else inner
        out.append(f"{n(x + size * math.cos(angle))},{n(y + size * math.sin(angle))}")
    return "M" + "L".join(out) + "Z"


def path(d, fill, line=0, more=""):
    stroke = f' stroke="{LINE}" stroke-width="{n(line)}" stroke-linejoin="round" stroke-linecap="round"' if line else ""
    return f'<path d="{d}" fill="{fill}"{stroke}{more}/>'


def stroked(d, colour, width, more=""):
    return (f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{n(width)}" stroke-linecap="round" '
            f'stroke-linejoin="round"{more}/>')


def oval(x, y, rx, ry, fill, line=0, more=""):
    stroke = f' stroke="{LINE}" stroke-width="{n(line)}"' if line else ""
    return f'<ellipse cx="{n(x)}" cy="{n(y)}" rx="{n(rx)}" ry="{n(ry)}" fill="{fill}"{stroke}{more}/>'


def round_path(x, y, rx, ry):
    """An ellipse as a path, to cut with."""
    half = f"a{n(rx)},{n(ry)} 0 1 0 "
    return f"M{n(x - rx)},{n(y)}{half}{n(2 * rx)},0{half}{n(-2 * rx)},0Z"


def clipped(name, d, inside):
    """What is inside, only where the path d is."""
    return f'<clipPath id="{name}"><path d="{d}"/></clipPath><g clip-path="url(#{name})">{inside}</g>'


# --------------------------------------------------------------------------------------------------------- the frames

def body_matrix(p):
    """Where a point of the body is on the stage: (a, b, c, d, e, f) as SVG has it."""
    sy = 1 + p["squash"]
    sx = 1 / math.sqrt(sy)
    shear = math.tan(math.radians(p["lean"]))
    return (sx, 0, -shear * sy, sy, p["x"], p["y"])


def head_matrix(p):
    """The same for the head, whose origin is its middle. It turns at the neck and does not shrink as the body does."""
    a, b, c, d, e, f = body_matrix(p)
    neck = (c * NECK + e + p["head_x"], d * NECK + f + p["head_y"])
    angle = math.radians(p["head_turn"] + p["lean"] * 0.5)
    sy = 1 + p["head_squash"]
    sx = 1 / math.sqrt(sy)
    cos, sin = math.cos(angle), math.sin(angle)
    m = (cos * sx, sin * sx, -sin * sy, cos * sy)
    return (*m, neck[0] - m[2] * 46, neck[1] - m[3] * 46)


def apply(m, point):
    return (m[0] * point[0] + m[2] * point[1] + m[4], m[1] * point[0] + m[3] * point[1] + m[5])


def unapply(m, point):
    x, y, det = point[0] - m[4], point[1] - m[5], m[0] * m[3] - m[1] * m[2]
    return ((m[3] * x - m[2] * y) / det, (m[0] * y - m[1] * x) / det)


def group(m, inside):
    return f'<g transform="matrix({",".join(n4(v) for v in m)})">{inside}</g>'


def n4(value):
    return f"{value:.5f}"


# ---------------------------------------------------------------------------------------------------------- the parts

def tail(p):
    angle = math.radians(p["wag"])
    line = [(40, -14), (56, -16), (68 + 4 * math.sin(angle), -26 - 6 * math.sin(angle)),
            (74 + 10 * math.sin(angle), -40 - 4 * math.sin(angle))]
    d = curve(line, False)
    return stroked(d, LINE, 14) + stroked(d, SKIN_DARK, 8.5)


def foot(side, p):
    up = p["feet"]
    x, y, rx, ry = side * (27 + 5 * up), -7 - 7 * up, 21 - 3 * up, 10 + 8 * up
    toes = "".join(oval(x + side * 2 + k * (8 - 1.5 * up), y - ry * (0.15 + 0.55 * up) + abs(k) * 2.0, 2.6 + up,
                        2.4 + up, SKIN_LIGHT) for k in (-1, 0, 1))
    sole = oval(x + side * 1.5, y + 3.5, 7.5 * up, 6.5 * up, SKIN_DARK) if up > 0.2 else ""
    return oval(x, y, rx, ry, SKIN, 5) + oval(x, y, rx, ry, SKIN) + toes + sole


BODY = ("M0,-104C26,-104 42,-88 49,-62C57,-34 53,-5 30,-4C14,-3 -14,-3 -30,-4"
        "C-53,-5 -57,-34 -49,-62C-42,-88 -26,-104 0,-104Z")


def body():
    shade = (path("M-70,-110L-22,-110C-46,-80 -48,-30 -22,0L-70,10Z", FUR_DARK) +
             path("M-60,-16C-30,-6 30,-6 60,-16L60,4L-60,4Z", FUR_DARK) +
             oval(3, -40, 33, 37, PALE_DARK) + oval(6, -43, 29, 35, PALE) +
             stroked("M44,-70C51,-50 52,-34 46,-18", FUR_LIGHT, 4))
    return path(BODY, FUR, 5) + path(BODY, FUR) + clipped("body", BODY, shade)


def arm(side, hand, turn):
    sx, sy = side * 40, -74
    hx, hy = hand
    bend = side * (12 if hy > -70 else 20)
    mx, my = (sx + hx) / 2 + bend, (sy + hy) / 2 + (4 if hy > -70 else 14)
    d = f"M{n(sx)},{n(sy)}Q{n(mx)},{n(my)} {n(hx)},{n(hy)}"
    parts = [(0, 0, 12.5, 11.5, 0)]
    for k, spread in enumerate((-52, -18, 16, 50)):
        a = math.radians(spread)
        parts.append((math.sin(a) * 12.5, math.cos(a) * 12.5, 4.6, 7.6 if k in (1, 2) else 6.6, -spread))

    def oval_at(q, fill, grow):
        turned = f' transform="rotate({n(q[4])} {n(q[0])} {n(q[1])})"'
        return oval(q[0], q[1], q[2] + grow, q[3] + grow, fill, 0, turned)

    fingers = "".join(oval_at(q, LINE, 2.5) for q in parts) + "".join(oval_at(q, SKIN, 0) for q in parts)
    for q in parts[1:]:
        fingers += oval_at((q[0] * 1.28, q[1] * 1.28, 2.2, 3.0, q[4]), SKIN_LIGHT, 0)
    fingers += oval(-1, -2, 8.5, 7, SKIN_LIGHT, 0, ' opacity="0.55"')
    light = f"M{n(sx + 3)},{n(sy)}Q{n(mx + 3)},{n(my - 1)} {n(hx + 4)},{n(hy - 2)}"
    return (stroked(d, LINE, 27) + stroked(d, FUR if side > 0 else FUR_DARK, 22) +
            (stroked(light, FUR_LIGHT, 4) if side > 0 else stroked(light, FUR, 12)) +
            f'<g transform="translate({n(hx)},{n(hy)}) rotate({n(turn)})">{fingers}</g>')


def scarf(ends):
    band = "M-43,-96C-24,-74 24,-74 43,-96C47,-90 47,-80 42,-75C24,-56 -24,-56 -42,-75C-47,-80 -47,-90 -43,-96Z"
    out = ""
    for k, line in enumerate(ends):
        halves = [6, 8, 9, 9.5]
        left, right = ribbon(line, halves)
        d = curve(left, False) + "L" + curve(right[::-1], False)[1:] + "Z"
        (ax, ay), (bx, by) = left[-1], right[-1]
        (cx, cy), (dx, dy) = line[-1], line[-2]
        length = math.hypot(cx - dx, cy - dy) or 1
        ux, uy = (cx - dx) / length * 7, (cy - dy) / length * 7
        fringe = "".join(f"M{n(ax + (bx - ax) * s)},{n(ay + (by - ay) * s)}l{n(ux)},{n(uy)}"
                         for s in (0.1, 0.37, 0.63, 0.9))
        stripe = f"M{n(left[2][0])},{n(left[2][1])}L{n(right[2][0])},{n(right[2][1])}"
        out += (stroked(fringe, LINE, 7) + path(d, SCARF if k == 0 else SCARF_DARK, 5) + stroked(fringe, TRIM, 2.8) +
                path(d, SCARF if k == 0 else SCARF_DARK) +
                clipped(f"end{k}", d, stroked(stripe, TRIM if k == 0 else TRIM_DARK, 4.5)))
    inside = (path("M-50,-82C-24,-58 24,-58 50,-82L50,-50L-50,-50Z", SCARF_DARK) +
              stroked("M-36,-76C-18,-62 0,-62 14,-66", SCARF_LIGHT, 3) +
              stroked("M-30,-96l-6,30M-2,-90l-1,30M28,-96l7,30", TRIM, 4.5, ' opacity="0.9"'))
    knot = "M4,-82C8,-90 22,-90 26,-80C28,-72 22,-66 14,-67C6,-68 2,-74 4,-82Z"
    return (out + path(band, SCARF, 5) + path(band, SCARF) + clipped("band", band, inside) +
            path(knot, SCARF, 5) + path(knot, SCARF) + stroked("M9,-80C12,-83 18,-83 21,-80", SCARF_LIGHT, 3))


HEAD = ("M0,-54C34,-54 60,-36 64,-4C65,2 69,7 76,9C72,13 70,15 69,18C70,22 73,25 76,27C67,29 62,33 57,38"
        "C42,52 18,56 0,56C-18,56 -42,52 -57,38C-62,33 -67,29 -76,27C-73,25 -70,22 -69,18C-70,15 -72,13 -76,9"
        "C-69,7 -65,2 -64,-4C-60,-36 -34,-54 0,-54Z")


def eye(side, p):
    x, y = side * 29, -6
    wide = 9.8 - 1.3 * max(0, side * p["look_x"])
    open_ = p["eyes"]
    if p["joy"] > 0.5:
        lift = 9 * (p["joy"] - 0.35)
        return stroked(f"M{n(x - 9.5)},{n(y + 3)}Q{n(x)},{n(y - 7 - lift)} {n(x + 9.5)},{n(y + 3)}", EYE, 4.6)
    if open_ < 0.2:
        drop = 5 - 3 * p["sorrow"]
        return (stroked(f"M{n(x - 9.5)},{n(y + 1)}Q{n(x)},{n(y + 3 + drop * 1.4)} {n(x + 9.5)},{n(y + 1)}", EYE, 4.2) +
                stroked(f"M{n(x + side * 9.5)},{n(y + 1)}l{n(side * 3.5)},-1.5", EYE, 3))
    high = 13
    px, py = p["look_x"] * 1.6, p["look_y"] * 1.6
    ball = oval(x, y, wide, high, EYE)
    iris = path(f"M{n(x - wide)},{n(y + 2 + py)}Q{n(x + px)},{n(y + 9 + py)} {n(x + wide)},{n(y + 2 + py)}"
                f"L{n(x + wide)},{n(y + 14)}L{n(x - wide)},{n(y + 14)}Z", EYE_LIGHT)
    shut = 1 - open_
    shine = (oval(x + 2.8 + px, y - 4.8 + 9 * shut + py, 3.7 - 1.4 * shut, 4.4 - 2.2 * shut, "#fff") +
             oval(x - 3.4 + px, y + 5 + py + 2 * shut, 1.9, 2.1, "#e8e0ff"))
    ellipse = round_path(x, y, wide, high)
    out = ball + clipped(f"eye{side}", ellipse, iris + shine)
    # The lid comes down from above, round as the eye is; in sorrow its outer end hangs.
    cover = 21 * shut + 7 * p["sorrow"]
    if cover > 0.5:
        tilt, sag = side * p["sorrow"] * 6.5, min(7 * shut, 18 * shut - 5.5)
        top = y - high + cover
        edge = f"M{n(x - wide - 3)},{n(top - tilt - sag)}Q{n(x)},{n(top + sag)} {n(x + wide + 3)},{n(top + tilt - sag)}"
        lid = f"{edge}L{n(x + wide + 4)},{n(y - high - 9)}L{n(x - wide - 4)},{n(y - high - 9)}Z"
        colour = FUR if p["sorrow"] > 0.5 else FUR_LIGHT
        out += clipped(f"lid{side}", round_path(x, y, wide + 1, high + 1), path(lid, colour) + stroked(edge, EYE, 3.4))
    else:
        lash = x + side * wide
        out += stroked(f"M{n(lash - side * 1.5)},{n(y - high * 0.46)}l{n(side * 4.5)},-3", EYE, 3)
    return out


def brow(side, p):
    x, y, hang = side * 30, -25 - 4 * p["brow"] - 2 * p["joy"], 5 * p["sorrow"]
    d = f"M{n(x - side * 7)},{n(y - hang)}Q{n(x)},{n(y - 4)} {n(x + side * 7)},{n(y + 1 + hang)}"
    return stroked(d, FUR_DARK, 3.8)


def mouth(p):
    x, y = MOUTH
    wide, open_, bend = 11 * p["wide"], p["open"], p["curve"]
    if open_ < 0.08:
        end = n(y - 2.4 * bend)
        return stroked(f"M{n(x - wide)},{end}Q{n(x)},{n(y + 6.5 * bend)} {n(x + wide)},{end}", LINE, 3.2)
    top, low = y - 3.4 * open_ - 1.5, y + 11.5 * open_
    corner = y - 3.0 * bend * (1 - 0.4 * open_) - 1
    wide *= 1 - 0.12 * open_
    d = (f"M{n(x - wide)},{n(corner)}Q{n(x)},{n(top + 3 * bend)} {n(x + wide)},{n(corner)}"
         f"C{n(x + wide * 0.98)},{n(low - 3 * open_)} {n(x + wide * 0.55)},{n(low + 1.5)} {n(x)},{n(low + 1.5)}"
         f"C{n(x - wide * 0.55)},{n(low + 1.5)} {n(x - wide * 0.98)},{n(low - 3 * open_)} {n(x - wide)},{n(corner)}Z")
    tongue = oval(x, low + 1.5, wide * 0.62, 6.5 * min(1, open_ * 1.3), "#ee7f8f")
    return path(d, "#54203f", 3.2) + clipped("mouth", d, tongue) + stroked(d, LINE, 3.2)


def face(p):
    lx, ly = p["look_x"], p["look_y"]
    muzzle = oval(0, 27, 35, 24, PALE_DARK) + oval(1, 26, 34, 23, PALE)
    bridge = "M-9,14C-8,-6 -7,-22 0,-32C7,-22 8,-6 9,14Z"
    blush = f' opacity="{round(p["blush"] * 5) / 5}"'
    cheeks = "".join(oval(side * 45, 15, 9.5, 6.2, "#f08fa8", 0, blush) for side in (-1, 1))
    size = 1 + p["nose_size"]
    x, y = lx * 3.5, 10 + ly * 2.5
    nose_star = star(x, y, 14.5 * size, 8.4 * size, 0, 5, p["nose"])
    nose = (path(nose_star, SKIN_DARK, 8.5) + stroked(nose_star, SKIN_DARK, 4) + path(nose_star, SKIN_DARK) +
            path(star(x + 0.6, y - 1.2, 13 * size, 7.4 * size, 0, 5, p["nose"]), SKIN, 0,
                 f' stroke="{SKIN}" stroke-width="2.5" stroke-linejoin="round"') +
            oval(x - 3.4, y + 2.2, 1.7, 2.1, "#9a4767") + oval(x + 3.4, y + 2.2, 1.7, 2.1, "#9a4767") +
            oval(x + 1.5, y - 7, 2.6, 1.9, "#ffe3e4"))
    eyes = eye(-1, p) + eye(1, p) + brow(-1, p) + brow(1, p)
    inside = path(bridge, FUR_LIGHT) + muzzle + cheeks + eyes + mouth(p) + nose
    return f'<g transform="translate({n(lx * 8)},{n(ly * 5)})">{inside}</g>'


def head(p, line):
    """The head with face and cap; the line is where the cap's middle runs, in the head."""
    shade = (path("M-90,-60L-38,-60C-58,-30 -56,20 -20,60L-90,60Z", FUR_DARK) +
             stroked("M30,-44C48,-34 57,-18 59,0", FUR_LIGHT, 4.5))
    out = path(HEAD, FUR, 5) + path(HEAD, FUR) + clipped("head", HEAD, shade) + face(p)

    left, right = ribbon(line, CAP_HALF)
    tip = line[-1]
    (bx, by) = line[-2]
    length = math.hypot(tip[0] - bx, tip[1] - by) or 1
    ux, uy = (tip[0] - bx) / length, (tip[1] - by) / length
    end = (tip[0] + ux * 3, tip[1] + uy * 3)
    outline = curve(left + [end], False) + "L" + curve([end] + right[::-1], False)[1:] + "Z"
    under = (curve(ribbon(line, [h * 0.3 for h in CAP_HALF])[1], False) + "L" +
             curve(ribbon(line, [h * 1.3 for h in CAP_HALF])[1][::-1], False)[1:] + "Z")
    glint = curve(ribbon(line, [h * 0.62 for h in CAP_HALF])[0][1:5], False)
    spots = ""
    for k, (at, across, size) in enumerate(((0.75, -0.28, 5.2), (1.75, 0.15, 4.3), (2.9, -0.25, 3.6))):
        i, f = int(at), at - int(at)
        (ax, ay), (cx, cy) = line[i], line[i + 1]
        half = CAP_HALF[i] + (CAP_HALF[i + 1] - CAP_HALF[i]) * f
        length = math.hypot(cx - ax, cy - ay) or 1
        nx, ny = (cy - ay) / length, -(cx - ax) / length
        at_x, at_y = ax + (cx - ax) * f - nx * half * across, ay + (cy - ay) * f - ny * half * across
        spots += path(star(at_x, at_y, size, size * 0.48, k * 23), TRIM, 0,
                      f' opacity="0.85" stroke="{TRIM}" stroke-width="1.2" stroke-linejoin="round"')
    out += path(outline, CAP, 5) + path(outline, CAP)
    out += clipped("cap", outline, path(under, CAP_DARK) + stroked(glint, CAP_LIGHT, 4) + spots)
    band = "M-53,-31C-34,-55 34,-55 53,-31"
    out += (stroked(band, LINE, 24) + stroked(band, TRIM_DARK, 19) +
            stroked("M-50,-34C-32,-57 34,-57 52,-34", TRIM, 12))
    centre = (tip[0] + ux * 13, tip[1] + uy * 13)
    turn = math.degrees(math.atan2(uy, ux)) - 90
    return out, centre, turn


def light(centre, glow):
    """What the star sheds around it, in three steps. It lies behind the figure, else it would tint it in many
    colours."""
    grown = 0.5 + 0.6 * glow
    return "".join(oval(*centre, radius * grown, radius * grown, "#ffdf7a", 0, f' opacity="{alpha}"')
                   for radius, alpha in ((34, 0.14), (26, 0.2), (19, 0.3)) if glow > 0.3)


def lamp(centre, turn, glow):
    """The star at the tip of the cap. Its colour has steps, as each is a colour of the palette."""
    x, y = centre
    body_ = star(x, y, 13, 6.6, turn)
    warm = round(min(1, max(0, glow)) * 5) / 5
    mix = lambda a, b: "#" + "".join(f"{round(u + (v - u) * warm):02x}" for u, v in zip(a, b))
    fill, dark = mix((214, 176, 110), (255, 219, 96)), mix((176, 134, 84), (247, 172, 62))
    return (path(body_, dark, 9.5) + stroked(body_, dark, 4.5) + path(body_, dark) +
            path(star(x + 0.8, y - 1, 11, 5.6, turn), fill, 0,
                 f' stroke="{fill}" stroke-width="3.4" stroke-linejoin="round"') +
            oval(x + 2, y - 3.5, 2.4, 1.9, "#fffbe6"))


def extras(p, head_at):
    """What flies about: sparks of joy, a tear, the letters of sleep."""
    out = ""
    if p["sparks"] >= 0:
        for k in range(5):
            t = (p["sparks"] + k * 0.2) % 1
            angle = math.radians((-160, -131, 176, 6, 26)[k])
            far = 80 + 24 * t
            size = 8.5 * math.sin(math.pi * t) * (1, 0.75, 0.8, 0.7, 0.6)[k]
            x, y = head_at[0] + far * math.cos(angle) * 1.05, head_at[1] + far * math.sin(angle) * 0.95
            if size > 0.8:
                d = star(x, y, size, size * 0.32, 20 * t, 4)
                out += path(d, "#ffe48a", 3.2) + path(d, "#ffe48a")
    if p["sleepy"] >= 0:
        for k in range(2):
            t = (p["sleepy"] + k * 0.5) % 1
            size = (5 + 8 * t) * min(1, t * 6, (1 - t) * 4)    # no fading: it would take colours from the rest
            x = -66 - 38 * t + 7 * math.sin(2 * math.pi * (t + 0.1))
            y = -172 - 84 * t
            d = f"M{n(x - size / 2)},{n(y - size / 2)}h{n(size)}l{n(-size)},{n(size)}h{n(size)}"
            if size > 2:
                out += (f'<g transform="rotate({n(-12 + 10 * math.sin(6.3 * t))} {n(x)} {n(y)})">' +
                        stroked(d, LINE, 6.5) + stroked(d, "#cfe6f5", 3) + "</g>")
    return out


def tear(p, m):
    if p["tear"] < 0:
        return ""
    t = p["tear"]
    x, y = apply(m, (37 + p["look_x"] * 8 + 5 * t, 6 + 40 * t * t + p["look_y"] * 5))
    size = 4.6 * min(1, t * 5, (1 - t) * 6 + 0.001)
    if size < 0.5:
        return ""
    d = "M0,-1.7C.5,-.6 1,-.2 1,.3A1,1 0 1 1 -1,.3C-1,-.2 -.5,-.6 0,-1.7Z"
    drop = path(d, "#9fdcf7", 3.4 / size) + path(d, "#9fdcf7") + oval(0.25, -0.1, 0.28, 0.38, "#fff")
    return f'<g transform="translate({n(x)},{n(y)}) scale({n(size)})">{drop}</g>'


def picture(p, cap_line, scarf_lines, crop=None, scale=1.0):
    """The whole picture of a pose. crop: (x, y, width, height) of the stage that is wanted, in stage units."""
    bm, hm = body_matrix(p), head_matrix(p)
    head_part, centre, turn = head(p, cap_line)
    air = max(0, -p["y"]) / 60
    shadow = oval(p["x"], 0, 62 * (1 - 0.35 * air) / math.sqrt(1 + p["squash"]), 8.5 * (1 - 0.35 * air), LINE, 0,
                  f' opacity="{n(0.24 - 0.1 * air)}"')
    whole = (shadow + group(hm, light(centre, p["glow"])) +
             group(bm, tail(p) + body() + foot(-1, p) + foot(1, p)) +
             group(bm, scarf(scarf_lines)) +
             group(hm, head_part + lamp(centre, turn, p["glow"])) +
             group(bm, arm(-1, p["left"], p["left_turn"]) + arm(1, p["right"], p["right_turn"])) +
             tear(p, hm) + extras(p, apply(hm, (0, 0))))
    x, y, w, h = crop or (-STAGE[0] / 2, -GROUND, *STAGE)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{n(w * scale)}" height="{n(h * scale)}" '
            f'viewBox="{n(x)} {n(y)} {n(w)} {n(h)}">{whole}</svg>')
