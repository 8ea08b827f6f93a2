#!/usr/bin/env python3
"""Draws Praxi, the lantern-moth of the examples: six 256x256 pictures beside this file, one a state.

Every picture is the same character, built from the same parts: wings, body, feet, arms, collar, antennae, head and
face. A state only says how the parts are held (see STATES at the end) and which props go with it. The parts are
written as SVG and rasterised by `rsvg-convert` (Debian: librsvg2-bin); nothing else but Python's own library is used
and nothing is random, so the same librsvg gives the same pixels again.

    python3 draw_pet.py                    writes idle.png ... error.png beside this file
    python3 draw_pet.py --out DIR          writes them to DIR
    python3 draw_pet.py --svg --out DIR    keeps the SVG sources as well

Coordinates are those of the picture: 256 by 256, y down. The ground is at y = 0.96 * 256, the middle at x = 128,
which is where petween anchors a picture by default. There is no contact shadow: the picture is squashed and thrown
about, and a shadow would go with it.
"""

import argparse
import math
import pathlib
import struct
import subprocess
import zlib

SIZE = 256
MID = 128.0
GROUND = 0.96 * SIZE
OUTLINE = 4.6   # around a part
DETAIL = 3.2    # inside a part
ARM = 20.0      # thickness of an arm

LINE = "#5a3546"
FUR_LIGHT, FUR, FUR_SHADE = "#fffaf0", "#ffeed6", "#f0c79c"
CORAL_LIGHT, CORAL, CORAL_SHADE = "#ffb48a", "#f0855a", "#d9584f"
LIMB_LIGHT, LIMB, LIMB_SHADE = "#e8788a", "#cf5672", "#a53d60"
DRUM_LIGHT, DRUM, DRUM_SHADE = "#d05a66", "#b4465c", "#7f2f4f"
GLOW_LIGHT, GLOW, GLOW_DEEP = "#fffbd0", "#ffe07a", "#ffb63f"
TEAL_LIGHT, TEAL, TEAL_SHADE = "#9fe3d3", "#4fb3ab", "#2f7f88"
EYE, EYE_GLINT = "#41222f", "#a9573f"
BLUSH = "#ff8f7d"


# ---------------------------------------------------------------------------------------------------------------
# Small helpers: numbers, tags, paths
# ---------------------------------------------------------------------------------------------------------------

def num(value):
    """A coordinate as short text, always with the same digits for the same value."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tag(name, body="", **attributes):
    """One SVG element; an underscore in a keyword stands for a hyphen."""
    parts = [f'{key.replace("_", "-")}="{num(val) if isinstance(val, (int, float)) else val}"'
             for key, val in attributes.items() if val is not None]
    head = " ".join([name] + parts)
    return f"<{head}>{body}</{name}>" if body else f"<{head}/>"


def shape(d, fill, line=OUTLINE, **more):
    """A filled path with the outline; line 0 leaves the outline away."""
    stroke = {"stroke": LINE, "stroke_width": line} if line else {}
    return tag("path", d=d, fill=fill, **stroke, **more)


def stroke(d, width=DETAIL, colour=LINE, **more):
    return tag("path", d=d, fill="none", stroke=colour, stroke_width=width, **more)


def circle(x, y, r, fill, line=0.0, **more):
    outline = {"stroke": LINE, "stroke_width": line} if line else {}
    return tag("circle", cx=x, cy=y, r=r, fill=fill, **outline, **more)


def oval(x, y, rx, ry, fill, line=0.0, **more):
    outline = {"stroke": LINE, "stroke_width": line} if line else {}
    return tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **outline, **more)


def group(body, transform=None, **more):
    return tag("g", body, transform=transform, **more)


def mirrored(body):
    """The same drawing on the other side of the middle line."""
    return group(body, f"translate({num(2 * MID)} 0) scale(-1 1)")


def turned(body, degrees, x, y, dx=0.0, dy=0.0, scale=1.0):
    """Turned and scaled about a point, then moved."""
    grow = f" translate({num(x)} {num(y)}) scale({num(scale)}) translate({num(-x)} {num(-y)})" if scale != 1 else ""
    return group(body, f"translate({num(dx)} {num(dy)}) rotate({num(degrees)} {num(x)} {num(y)}){grow}")


def point(x, y):
    return f"{num(x)},{num(y)}"


def symmetric(start, curves):
    """A closed path from its right half: a start on the middle line, then cubic curves down to the middle line."""
    flip = lambda p: (2 * MID - p[0], p[1])
    d = "M" + point(*start)
    for c1, c2, end in curves:
        d += f" C{point(*c1)} {point(*c2)} {point(*end)}"
    starts = [start] + [c[2] for c in curves]
    for index in reversed(range(len(curves))):
        c1, c2, _ = curves[index]
        d += f" C{point(*flip(c2))} {point(*flip(c1))} {point(*flip(starts[index]))}"
    return d + "Z"


def bezier(p0, p1, p2, p3, t):
    """Point and unit normal of a cubic curve."""
    u = 1 - t
    at = [u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * e for a, b, c, e in zip(p0, p1, p2, p3)]
    dx, dy = [3 * (u * u * (b - a) + 2 * u * t * (c - b) + t * t * (e - c)) for a, b, c, e in zip(p0, p1, p2, p3)]
    length = math.hypot(dx, dy) or 1.0
    return at[0], at[1], -dy / length, dx / length


def gradient(name, colours, kind="linearGradient", **where):
    stops = "".join(tag("stop", offset=num(at), stop_color=colour, stop_opacity=alpha)
                    for at, colour, alpha in (c if len(c) == 3 else (*c, None) for c in colours))
    return tag(kind, stops, id=name, **where)


# ---------------------------------------------------------------------------------------------------------------
# Paints used by more than one part
# ---------------------------------------------------------------------------------------------------------------

def paints():
    user = {"gradientUnits": "userSpaceOnUse"}
    down = {"x1": "0", "y1": "0", "x2": "0", "y2": "1"}
    return "".join([
        gradient("head", [(0, FUR_LIGHT), (0.55, FUR), (1, FUR_SHADE)], "radialGradient",
                 cx="0.42", cy="0.28", r="0.82"),
        gradient("lamp", [(0, "#ffb070", 0.8), (1, "#ffb070", 0)], "radialGradient"),
        gradient("gloom", [(at, "#8078b8", alpha) for at, alpha in ((0, 0.9), (0.45, 0.5), (0.8, 0.1), (1, 0))],
                 **down),
        gradient("hood", [(0, "#ffcf94"), (1, "#ffe3bb")], **down),
        gradient("body", [(0, FUR), (1, FUR_SHADE)], **down),
        gradient("collar", [(0, FUR), (0.55, FUR_LIGHT), (1, "#ffe6c4")], **down),
        gradient("wing", [(0, "#ffe0a6"), (0.45, "#fbb26b"), (1, "#ec7459")], "radialGradient",
                 cx=108, cy=176, r=104, **user),
        gradient("wing-low", [(0, "#fbb26b"), (1, "#d95a5c")], "radialGradient", cx=108, cy=176, r=86, **user),
        gradient("limb", [(0, LIMB_LIGHT), (0.5, LIMB), (1, LIMB_SHADE)], **down),
        gradient("feather", [(0, CORAL_SHADE), (0.45, CORAL), (1, "#ffc98a")], x1="0", y1="1", x2="0", y2="0"),
        gradient("drum", [(0, DRUM_SHADE), (0.28, DRUM), (0.45, DRUM_LIGHT), (0.7, DRUM), (1, DRUM_SHADE)],
                 x1=82, y1=0, x2=174, y2=0, **user),
        gradient("eye", [(0, EYE), (0.55, EYE), (1, EYE_GLINT)], **down),
        gradient("eye-screen", [(0, EYE), (0.5, EYE), (1, TEAL)], **down),
        gradient("blush", [(0, BLUSH, 0.75), (0.5, BLUSH, 0.5), (1, BLUSH, 0)], "radialGradient"),
        gradient("teal", [(0, TEAL_LIGHT), (0.45, TEAL), (1, TEAL_SHADE)], **down),
        gradient("teal-light", [(0, "#c4f2e4"), (1, TEAL)], **down),
        gradient("gold", [(0, GLOW_LIGHT), (0.45, GLOW), (1, GLOW_DEEP)], **down),
        gradient("coral", [(0, CORAL_LIGHT), (1, CORAL_SHADE)], x1=0, y1=14, x2=0, y2=90, **user),
    ])


def slit_paint(light):
    """Light behind the slits of the drum: 0 is out, 1 a soft lamp, above 1 bright."""
    if light <= 0:
        return gradient("slit", [(0, "#5b2a45"), (1, "#6d3650")], x1="0", y1="0", x2="0", y2="1")
    if light > 1:
        return gradient("slit", [(0, "#ffffff"), (0.5, GLOW_LIGHT), (1, GLOW)], x1="0", y1="0", x2="0", y2="1")
    return gradient("slit", [(0, GLOW_LIGHT), (0.5, GLOW), (1, GLOW_DEEP)], x1="0", y1="0", x2="0", y2="1")


# ---------------------------------------------------------------------------------------------------------------
# The parts of the moth
# ---------------------------------------------------------------------------------------------------------------

SHOULDER = (108.0, 176.0)
UPPER_WING = ("M112,172 C96,138 66,106 38,107 C19,108 11,126 15,146 C17,160 17,174 31,180"
              " C38,183 44,181 49,185 C56,192 66,190 72,191 C86,193 100,188 112,180 Z")
LOWER_WING = ("M112,180 C88,182 56,190 44,204 C36,214 42,225 52,226 C58,232 68,234 76,229 C94,220 106,202 112,180 Z")


def wheel(x, y, r, rim, hub):
    """The mark on wings and laptop: a zoetrope seen from above, a ring with slits."""
    slits = "".join(stroke(f"M{point(x + math.cos(a) * r * 0.56, y + math.sin(a) * r * 0.56)}"
                           f" L{point(x + math.cos(a) * r * 0.86, y + math.sin(a) * r * 0.86)}",
                           r * 0.2, hub) for a in (i * math.pi / 4 for i in range(8)))
    return circle(x, y, r, rim) + slits + circle(x, y, r * 0.3, hub)


def wing(lift, low_lift, spread=1.0, prefix="left"):
    """The left pair of wings; positive lift raises the tip, in degrees; spread below 1 folds it."""
    def blade(name, d, paint, border):
        clip = tag("clipPath", tag("path", d=d), id=name)
        edge = group(stroke(d, 19, border), clip_path=f"url(#{name})")
        return clip + shape(d, paint, 0) + edge

    low = blade(f"{prefix}-low", LOWER_WING, "url(#wing-low)", "#b94658") + circle(66, 209, 5.5, "#ffd9a0")
    low += stroke(LOWER_WING, OUTLINE)
    up = blade(f"{prefix}-up", UPPER_WING, "url(#wing)", "#dc5f5b")
    up += circle(47, 146, 16, "#ffe9c4") + wheel(47, 146, 12.5, TEAL_SHADE, TEAL_LIGHT)
    up += stroke(UPPER_WING, OUTLINE)
    x, y = SHOULDER
    fold = f"translate({num(x)} 0) scale({num(spread)} 1) translate({num(-x)} 0)"
    return group(turned(low, low_lift, x, y) + turned(up, lift, x, y), fold)


BODY = symmetric((MID, 150), [((152, 150), (168, 158), (175, 176)), ((184, 196), (188, 216), (178, 228)),
                              ((168, 237), (147, 239), (MID, 239))])


def feet():
    """Toes in front of the body; the lower edge of their outline is the ground."""
    base = GROUND - OUTLINE / 2
    left = (f"M85,{num(base - 6)} C84,229 95,224 105,224 C116,224 127,229 125,{num(base - 6)}"
            f" C124,{num(base)} 119,{num(base)} 105,{num(base)} C91,{num(base)} 86,{num(base)} 85,{num(base - 6)}Z")
    one = shape(left, "url(#limb)") + oval(101, 230, 7, 2.4, "#ffffff", opacity="0.35")
    return one + mirrored(one)


def drum(light):
    """The belly: a zoetrope drum around the body, lit from inside."""
    top, bottom, sag = 183, 215, 8

    def bow(y):
        return f"M66,{num(y)} Q{num(MID)},{num(y + 2 * sag)} 190,{num(y)}"

    band = f"{bow(top)} L190,{bottom} Q{num(MID)},{num(bottom + 2 * sag)} 66,{bottom}Z"
    parts = [shape(band, "url(#drum)", 0)]
    if light > 0:
        parts.append(oval(MID, 205, 46, 22, "url(#lamp)", opacity=num(min(1.0, 0.6 * light))))
    for index in range(-3, 4):
        angle = math.radians(index * 21)
        x, half = MID + 53 * math.sin(angle), 5.2 * math.cos(angle)
        y = top + 16 + sag * math.cos(angle) ** 1.5
        slit = {"x": x - half, "y": y - 10, "width": 2 * half, "height": 20, "rx": half}
        parts.append(tag("rect", **slit, fill="url(#slit)", stroke=DRUM_SHADE, stroke_width=2))
    for y, light in ((top, "#ee929a"), (bottom, "#d0687c")):
        parts.append(stroke(bow(y), 7.5, DRUM_SHADE) + stroke(bow(y - 1), 3, light))
    return "".join(parts)


def body(light):
    clip = tag("clipPath", tag("path", d=BODY), id="clip-body")
    under = oval(MID, 170, 52, 19, "#c98a6c", opacity="0.45")
    inside = group(drum(light) + under, clip_path="url(#clip-body)")
    return clip + shape(BODY, "url(#body)", 0) + inside + stroke(BODY, OUTLINE)


COLLAR = symmetric((MID, 144), [((160, 142), (186, 144), (197, 165)), ((187, 165), (182, 166), (177, 168)),
                                ((177, 175), (174, 181), (168, 186)), ((163, 180), (158, 177), (152, 176)),
                                ((147, 185), (138, 192), (MID, 196))])


def collar():
    hair = stroke("M96,169 Q97,173 101,176 M117,176 Q120,181 124,184 M142,174 Q141,178 138,181"
                  " M165,167 Q164,171 160,174", 2.6, FUR_SHADE)
    return shape(COLLAR, "url(#collar)") + hair


def antenna(base, c1, c2, tip, width=10.5, lobes=5):
    """A plume on the left side: a bent rib, scalloped on the outer side of the bend, smooth on the inner one."""
    def edge(t, scale):
        x, y, nx, ny = bezier(base, c1, c2, tip, t)
        reach = width * scale * (0.28 + 0.72 * math.sin(math.pi * (0.04 + 0.86 * t)))
        return x + nx * reach, y + ny * reach

    def along(first, last, scale):
        return [point(*edge(first + (last - first) * i / 24, scale)) for i in range(25)]

    first, last = 0.02, 0.95
    step = (last - first) / lobes
    d = "M" + point(*edge(first, 0.6))
    for i in range(lobes):
        d += f" Q{point(*edge(first + (i + 0.7) * step, 1.75))} {point(*edge(first + (i + 1) * step, 0.72))}"
    d += f" Q{point(*edge(1.05, 0.6))} {point(*edge(1.0, -0.55))} L" + " L".join(along(0.97, first, -0.8)) + "Z"
    rib = "M" + " L".join(along(0.16, 0.88, 0))
    return shape(d, "url(#feather)") + stroke(rib, 2.8, "#b9504f")


HEAD = symmetric((MID, 60), [((160, 60), (186, 78), (189, 108)), ((192, 113), (196, 116), (203, 119)),
                             ((200, 124), (195, 127), (191, 128)), ((193, 134), (195, 138), (198, 141)),
                             ((192, 144), (187, 145), (182, 145)), ((170, 161), (150, 167), (MID, 167))])


def head_shell(gloom=0.0):
    clip = tag("clipPath", tag("path", d=HEAD), id="clip-head")
    hood = symmetric((MID, 50), [((170, 50), (200, 80), (196, 106)), ((184, 92), (172, 86), (160, 85)),
                                 ((148, 84), (136, 86), (MID, 97))])
    shade = "M50,108 C62,150 96,158 128,158 C160,158 194,150 206,108 L206,180 L50,180Z"
    shine = oval(101, 75, 19, 7.5, "#ffffff", opacity="0.8", transform="rotate(-24 101 75)")
    inside = group(shape(shade, "#f3c79f", 0, opacity="0.55") + shape(hood, "url(#hood)", 0)
                   + (shape("M50,40 H206 V150 H50Z", "url(#gloom)", 0, opacity=num(gloom)) if gloom else "") + shine,
                   clip_path="url(#clip-head)")
    tuft = "M112,66 C112,54 118,47 126,43 C125,48 126,51 127,53 C131,49 136,48 141,49 C136,54 136,59 136,66"
    return shape(tuft, "#ffe2b4") + clip + shape(HEAD, "url(#head)", 0) + inside + stroke(HEAD, OUTLINE)


EYES = ((101.0, 120.0), (155.0, 120.0))


def eyes_open(look=(0.0, 0.0), wide=1.0, paint="eye"):
    """Round eyes; look moves them and the light in them, wide scales them."""
    parts = []
    for x, y in EYES:
        x, y = x + look[0], y + look[1]
        rx, ry = 13 * wide, 16.5 * wide
        eye = oval(x, y, rx, ry, f"url(#{paint})")
        eye += circle(x - 4 + look[0] * 0.4, y - 6 + look[1] * 0.3, 5.4 * wide, "#ffffff")
        eye += circle(x + 4.6 + look[0] * 0.3, y + 6.4 + look[1] * 0.3, 2.7 * wide, "#ffe9d0")
        parts.append(eye)
    return "".join(parts)


def eyes_joy():
    return "".join(stroke(f"M{point(x - 12, y + 5)} Q{point(x, y - 17)} {point(x + 12, y + 5)}", 5) for x, y in EYES)


def eyes_dizzy():
    """A spiral in each eye."""
    parts = []
    for x, y in EYES:
        steps = [(x + math.cos(a) * a * 0.92, y + math.sin(a) * a * 0.92)
                 for a in (0.4 + i * 0.3 for i in range(48)) if a <= 14.2]
        parts.append(stroke("M" + " L".join(point(*p) for p in steps), 3.6))
    return "".join(parts)


def cheeks(strength=1.0):
    return "".join(oval(x, 142, 13, 8.5, "url(#blush)", opacity=num(strength)) for x in (86, 170))


def brows(left, right):
    """Each brow: inner and outer height above the eye, or None."""
    parts = []
    for side, brow in ((-1, left), (1, right)):
        if brow:
            inner, outer = brow
            x = MID + side * 27
            parts.append(stroke(f"M{point(x - side * 9, 100 - inner)} Q{point(x, 97 - (inner + outer) / 2)}"
                                f" {point(x + side * 10, 100 - outer)}", 4))
    return "".join(parts)


MOUTHS = {
    "smile": stroke("M118,138 Q128,149 138,138", 4),
    "hum": stroke("M120,141 Q127,146 137,139", 4),
    "focus": stroke("M117,141 Q128,146 140,140", 4) + shape("M127,143.5 C126,156 140,155 138.5,141.5Z", "#ff9d8e", 3),
    "ask": shape("M120,140 Q128,137 136,140 C137,149 133,152 128,152 C123,152 119,149 120,140Z", "#9c3b49", 3.6)
           + oval(128, 148.5, 4, 2.2, "#ff9d8e"),
    "laugh": shape("M109,134 Q128,140 147,134 C148,153 139,160 128,160 C117,160 108,153 109,134Z", "#9c3b49", 4)
             + tag("path", d="M116,151 C121,143 135,143 140,151 C137,159 119,159 116,151Z", fill="#ff9d8e"),
    "wobble": stroke("M109,146 Q115,138 121,145 T134,145 T147,144", 4),
}


def arm(root, c1, c2, hand):
    """A thick line with an outline. The collar or the body hides its root."""
    name = f"arm-{num(hand[0])}-{num(hand[1])}"
    top, bottom = min(root[1], hand[1]) - ARM / 2, max(root[1], hand[1]) + ARM / 2
    paint = gradient(name, [(0, LIMB_LIGHT), (1, LIMB)], gradientUnits="userSpaceOnUse", x1=0, y1=top, x2=0, y2=bottom)
    d = f"M{point(*root)} C{point(*c1)} {point(*c2)} {point(*hand)}"
    return paint + stroke(d, ARM + OUTLINE) + stroke(d, ARM - OUTLINE, f"url(#{name})")


def open_arm(root, c1, c2, hand):
    """A forearm in front of all else: no outline at its root, which lies on the upper arm."""
    d = f"M{point(*root)} C{point(*c1)} {point(*c2)} {point(*hand)}"
    return stroke(d, ARM + OUTLINE, stroke_linecap="butt") + circle(*hand, (ARM + OUTLINE) / 2, LINE) + stroke(
        d, ARM - OUTLINE, LIMB)


# ---------------------------------------------------------------------------------------------------------------
# Props
# ---------------------------------------------------------------------------------------------------------------

def thought_dots():
    return (circle(196, 66, 6, "url(#gold)", 4) + circle(212, 47, 9, "url(#gold)", OUTLINE)
            + circle(229, 23, 13, "url(#gold)", OUTLINE))


def question():
    d = "M205,36 C205,14 241,14 240,38 C239,52 224,50 223,64"
    parts = stroke(d, 11 + 2 * OUTLINE) + circle(223, 82, 6.4 + OUTLINE, LINE)
    return parts + stroke(d, 11, "url(#coral)") + circle(223, 82, 6.4, CORAL_SHADE)


def gear(x, y, r, teeth, paint, turn=0.0):
    points = []
    for index in range(teeth):
        for part, radius in ((-0.30, 0.76), (-0.20, 1.0), (0.20, 1.0), (0.30, 0.76)):
            a = (index + part) * 2 * math.pi / teeth + turn
            points.append(point(x + math.cos(a) * r * radius, y + math.sin(a) * r * radius))
    hole = r * 0.32
    ring = (f" M{point(x + hole, y)} A{num(hole)},{num(hole)} 0 1 0 {point(x - hole, y)}"
            f" A{num(hole)},{num(hole)} 0 1 0 {point(x + hole, y)}Z")
    return shape("M" + " L".join(points) + "Z" + ring, paint, 4, fill_rule="evenodd")


def laptop():
    lid = "M85,184 Q85,178 92,178 L164,178 Q171,178 171,184 L178,226 L78,226Z"
    base = "M74,224 L182,224 Q186,224 185,229 Q183,235 176,235 L80,235 Q73,235 71,229 Q70,224 74,224Z"
    glint = tag("path", d="M90,181 L112,181 L98,222 L84,222Z", fill="#ffffff", opacity="0.22")
    return (shape(lid, "url(#teal)") + glint + wheel(128, 201, 14, GLOW_LIGHT, TEAL_SHADE)
            + shape(base, "#d8f3e6"))


def sparkle(x, y, r, paint="url(#gold)", line=3.8):
    k = r * 0.27
    return shape(f"M{point(x, y - r)} Q{point(x + k, y - k)} {point(x + r, y)} Q{point(x + k, y + k)} {point(x, y + r)}"
                 f" Q{point(x - k, y + k)} {point(x - r, y)} Q{point(x - k, y - k)} {point(x, y - r)}Z", paint, line)


def drop(x, y):
    """Sweat; (x, y) is the middle."""
    curves = [((x + 5, y - 5), (x + 10, y), (x + 9, y + 6)), ((x + 7, y + 16), (x - 7, y + 16), (x - 9, y + 6)),
              ((x - 10, y), (x - 5, y - 5), (x, y - 15))]
    d = f"M{point(x, y - 15)} C" + " ".join(point(*p) for curve in curves for p in curve) + "Z"
    return shape(d, "url(#teal)", 4)


def dizzy_ring():
    """Stars on an orbit above the head."""
    orbit = "M90,36 C94,20 160,18 168,32 C172,44 112,50 92,41"
    return (stroke(orbit, 8.4) + stroke(orbit, 2.6, GLOW)
            + sparkle(92, 38, 12) + sparkle(132, 24, 10) + sparkle(164, 42, 13))


# ---------------------------------------------------------------------------------------------------------------
# States
# ---------------------------------------------------------------------------------------------------------------

class Pose:
    """How one state holds the parts.

    wings     left and right: (lift of the upper blade, of the lower one, fold), degrees and a factor
    antennae  drawn in the head's own place; arms: four points of a cubic curve, shoulder to hand
    head      (tilt in degrees, dx, dy); light: see slit_paint
    front     what is held before the body; over: what floats in the air
    """

    def __init__(self, wings, antennae, arms, face, head=(0.0, 0.0, 0.0), light=1.0, front="", over=""):
        self.wings, self.antennae, self.arms, self.face = wings, antennae, arms, face
        self.head, self.light = head, light
        self.front, self.over = front, over


ARM_LEFT = ((92, 178), (86, 184), (78, 194), (79, 208))
ARM_RIGHT = ((164, 178), (170, 184), (178, 194), (177, 208))
CALM = antenna((106, 72), (100, 48), (84, 28), (56, 38))
PERKY = antenna((106, 72), (110, 48), (98, 22), (72, 22))
DROOPY = antenna((106, 72), (88, 44), (56, 50), (48, 88))

STATES = {
    "idle": Pose(
        wings=((-4, 0), (-4, 0)), antennae=CALM + mirrored(CALM), arms=[ARM_LEFT, ARM_RIGHT],
        face=eyes_open() + cheeks() + MOUTHS["smile"]),
    "thinking": Pose(
        wings=((-2, 0), (-6, 0)), head=(-5, -2, 0), antennae=CALM + mirrored(PERKY),
        arms=[ARM_LEFT, ((164, 176), (172, 182), (184, 190), (182, 204))],
        face=eyes_open((4, -5)) + cheeks(0.8) + brows((5, 4), (8, 8)) + MOUTHS["hum"],
        front=open_arm((181, 203), (174, 194), (164, 182), (149, 169)), over=thought_dots()),
    "working": Pose(
        wings=((0, 0), (0, 0)), head=(0, 0, 3), antennae=PERKY + mirrored(PERKY),
        arms=[((92, 178), (84, 184), (74, 194), (78, 212)), ((164, 178), (172, 184), (182, 194), (178, 212))],
        face=eyes_open((0, 4), 0.95, "eye-screen") + cheeks(0.8) + brows((-1, 3), (-1, 3)) + MOUTHS["focus"],
        front=laptop(), over=gear(215, 76, 22, 8, "url(#gold)") + gear(226, 30, 17, 6, "url(#teal-light)", 0.25)),
    "waiting": Pose(
        wings=((-18, -4, 0.94), (-6, 0)), head=(-4, 0, 0), antennae=CALM + mirrored(PERKY),
        arms=[((87, 174), (70, 184), (50, 168), (43, 136)), ARM_RIGHT],
        face=eyes_open((0, 0), 1.06) + cheeks() + brows((8, 6), (8, 6)) + MOUTHS["ask"], over=question()),
    "success": Pose(
        wings=((-16, -2, 0.95), (-16, -2, 0.95)), head=(0, 0, -3), light=2, antennae=PERKY + mirrored(PERKY),
        arms=[((87, 174), (70, 184), (50, 168), (43, 134)), ((169, 174), (186, 184), (206, 168), (213, 134))],
        face=eyes_joy() + cheeks(1) + MOUTHS["laugh"],
        over=sparkle(34, 82, 21) + sparkle(223, 76, 23) + sparkle(206, 32, 13) + sparkle(48, 38, 12)),
    "error": Pose(
        wings=((-22, -6, 0.9), (-22, -6, 0.9)), head=(5, 0, 7), light=0, antennae=DROOPY + mirrored(DROOPY),
        arms=[ARM_LEFT, ARM_RIGHT],
        face=eyes_dizzy() + cheeks(0.6) + brows((8, 1), (8, 1)) + MOUTHS["wobble"] + drop(182, 92),
        over=dizzy_ring()),
}


def picture(pose):
    """The whole SVG of one state, back to front."""
    tilt, dx, dy = pose.head
    hold = lambda part: turned(part, tilt, MID, 164, dx, dy, 0.95)
    left, right = pose.wings
    layers = [
        wing(*left), mirrored(wing(*right, prefix="right")),
        body(pose.light), feet(), "".join(arm(*path) for path in pose.arms),
        hold(pose.antennae), collar(),
        hold(head_shell(0.0 if pose.light > 0 else 0.62) + pose.face),
        pose.front, pose.over,
    ]
    defs = tag("defs", paints() + slit_paint(pose.light))
    root = group("".join(layers), stroke_linecap="round", stroke_linejoin="round")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}">'
            f"{defs}{root}</svg>")


# ---------------------------------------------------------------------------------------------------------------
# PNG: the rasteriser's file, rounded and packed again
# ---------------------------------------------------------------------------------------------------------------

STEP = 4   # colours are rounded to multiples of this: not visible, and a third off the file


def paeth(a, b, c):
    pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def filtered(kind, row, above, undo=False):
    """One row of RGBA bytes through a PNG filter, or back."""
    out = bytearray(len(row))
    known = out if undo else row
    for i, value in enumerate(row):
        a, b, c = (known[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
        guess = (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]
        out[i] = (value + guess if undo else value - guess) & 255
    return out


def unpack(png):
    """Rows of RGBA bytes of an 8-bit, not interlaced RGBA file, which is what rsvg-convert writes."""
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        chunk = png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", chunk)
            if (width, height) != (SIZE, SIZE) or form != [8, 6, 0, 0, 0]:
                raise SystemExit("rsvg-convert wrote another form of PNG than expected")
        elif kind == b"IDAT":
            data += chunk
        at += size + 12
    raw, stride, rows = zlib.decompress(data), 4 * SIZE, []
    for y in range(SIZE):
        line = raw[y * (stride + 1):(y + 1) * (stride + 1)]
        rows.append(filtered(line[0], line[1:], rows[-1] if rows else bytes(stride), undo=True))
    return rows


def rounded(row):
    """Colours to multiples of STEP (0 and 255 stay), no colour where nothing is seen."""
    out = bytearray(row)
    for i in range(0, len(row), 4):
        if row[i + 3] == 0:
            out[i:i + 3] = b"\0\0\0"
            continue
        for k in range(i, i + 3):
            out[k] = min(255, (row[k] + STEP // 2) // STEP * STEP)
    return out


def pack(rows):
    """A PNG file: one filter for all rows, or the best guess for each row, whichever comes out smallest."""
    lines = []
    for y, row in enumerate(rows):
        above = rows[y - 1] if y else bytes(4 * SIZE)
        lines.append([bytes([kind]) + filtered(kind, row, above) for kind in range(5)])
    rough = lambda line: sum(min(v, 256 - v) for v in line[1:])
    bodies = [b"".join(line[kind] for line in lines) for kind in range(5)]
    bodies.append(b"".join(min(line, key=rough) for line in lines))
    data = min((zlib.compress(body, 9) for body in bodies), key=len)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def render(svg, path):
    drawn = subprocess.run(["rsvg-convert", "-w", str(SIZE), "-h", str(SIZE), "-f", "png"],
                           input=svg.encode("utf-8"), stdout=subprocess.PIPE, check=True).stdout
    path.write_bytes(pack([rounded(row) for row in unpack(drawn)]))


def main():
    parser = argparse.ArgumentParser(description="Draw the example pet.")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    parser.add_argument("--svg", action="store_true", help="keep the SVG sources too")
    options = parser.parse_args()
    for state, pose in STATES.items():
        svg = picture(pose)
        if options.svg:
            (options.out / f"{state}.svg").write_text(svg, encoding="utf-8")
        render(svg, options.out / f"{state}.png")


if __name__ == "__main__":
    main()
