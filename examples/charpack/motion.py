"""How Vesper moves: for every clip a pose at every moment, and the cap and the scarf that swing after it.

A *mood* is a loop of its own (idle, glad, glum, asleep). A *clip* leads from the beginning of a round of one mood to
the beginning of a round of another, or of the same, so clips that follow each other in the graph join without a jump.
"""

import math

import figure

TAU = 2 * math.pi


def wave(t, period, phase=0.0):
    return math.sin(TAU * (t / period + phase))


# ---------------------------------------------------------------------------------------------------------- the moods

def idle(t):
    breath, late = wave(t, 1.92), wave(t, 1.92, -0.12)
    return {**figure.REST, "squash": 0.016 * breath, "head_y": -1.6 * late, "head_turn": 1.2 * wave(t, 1.92, 0.1),
            "left": (-47 - 1.2 * breath, -43 - 1.8 * late), "right": (47 + 1.2 * breath, -43 - 1.8 * late),
            "left_turn": 12 + 3 * late, "right_turn": -12 - 3 * late, "wag": 14 * wave(t, 1.92, 0.25),
            "glow": 0.6 + 0.06 * late}


def glad(t):
    beat = wave(t, 0.48)
    return {**figure.REST, "squash": 0.022 * beat, "x": 2.0 * wave(t, 0.96), "lean": -2.2 * wave(t, 0.96),
            "head_turn": 4.0 * wave(t, 0.96, -0.1), "head_y": -1.5 * wave(t, 0.48, -0.15), "joy": 1, "curve": 1,
            "wide": 1.05, "blush": 1, "glow": 1.0 + 0.08 * beat, "brow": 0.6, "left": (-36, -60 - 3 * beat),
            "right": (36, -60 - 3 * beat), "left_turn": -38, "right_turn": 38, "wag": 38 * wave(t, 0.48),
            "sparks": (t / 0.96) % 1}


def glum(t):
    breath = wave(t, 0.96)
    return {**figure.REST, "squash": -0.035 + 0.01 * breath, "lean": -1.5, "head_y": 5 - 1.0 * wave(t, 0.96, -0.12),
            "head_x": -2, "head_turn": -5 + 1.2 * wave(t, 0.96, -0.2), "look_y": 0.7, "sorrow": 1, "curve": -0.6,
            "wide": 0.85, "blush": 0.3, "glow": 0.12, "left": (-42, -37), "right": (42, -37), "left_turn": 2,
            "right_turn": -2, "wag": -40, "tear": (t / 0.96) % 1}


def asleep(t):
    breath, late = wave(t, 2.4), wave(t, 2.4, -0.12)
    return {**figure.REST, "squash": -0.15 + 0.03 * breath, "head_y": 7 - 3 * late, "head_x": -3,
            "head_turn": -6 + 1.6 * late, "eyes": 0, "open": 0.3 + 0.16 * wave(t, 2.4, -0.2), "wide": 0.5, "curve": 0.2,
            "feet": 1, "glow": 0.1, "blush": 0.6, "left": (-40, -36), "right": (40, -36), "left_turn": -14,
            "right_turn": 14, "wag": -30, "nose_size": 0.05 * late, "sleepy": (t / 2.4) % 1}


# What flies about has no half way: it is there in the one mood and not in the other.
SUDDEN = ("tear", "sparks", "sleepy")


# ----------------------------------------------------------------------------------------------------- keys and clips

EASE = {
    "smooth": lambda s: s * s * (3 - 2 * s),
    "line": lambda s: s,
    "in": lambda s: s * s,
    "out": lambda s: s * (2 - s),
    "over": lambda s: 1 + 2.4 * (s - 1) ** 3 + 1.4 * (s - 1) ** 2,   # a little too far, and back
}


def mix(a, b, s):
    if isinstance(a, tuple):
        return tuple(u + (v - u) * s for u, v in zip(a, b))
    return a + (b - a) * s


def keyed(keys, base, t):
    """The value at t of keys (time, value, ease to get there), where None is what is there without them."""
    before = keys[0]
    if t <= before[0]:
        return base if before[1] is None else before[1]
    for key in keys[1:]:
        if t < key[0]:
            s = EASE[key[2] if len(key) > 2 else "smooth"]((t - before[0]) / (key[0] - before[0]))
            return mix(base if before[1] is None else before[1], base if key[1] is None else key[1], s)
        before = key
    return base if before[1] is None else before[1]


def bump(t, start, end):
    """0, up to 1 in the middle of start..end, 0 again; smooth everywhere."""
    return 0.0 if not start < t < end else 0.5 - 0.5 * math.cos(TAU * (t - start) / (end - start))


def plateau(t, start, up, down, end):
    """0, up to 1 within `up` of the start, down again within `down` of the end."""
    if t <= start or t >= end:
        return 0.0
    return EASE["smooth"](min(1, (t - start) / up, (end - t) / down))


def swing(t):
    """Of the hand that waves, to and fro around the elbow."""
    return plateau(t, 0.42, 0.16, 0.16, 1.26) * wave(t, 0.4)


class Clip:
    """From the mood `before` to the mood `after` in `frames` steps of `step_ms`.

    keys: name in a pose to its keys. added: name to a function of time whose value is added. turn: from when to when,
    as parts of the whole, the one mood gives way to the other. mouths: (how open, how wide) a frame. Only in the last
    is the mouth shut: that frame is held when speech ends, and what follows begins where it leaves off.
    """

    def __init__(self, frames, before, after, keys=None, added=None, step_ms=80, turn=(0.25, 0.75), mouths=None,
                 once=False):
        self.frames, self.before, self.after = frames, before, after
        self.keys, self.added, self.step_ms, self.turn = keys or {}, added or {}, step_ms, turn
        self.mouths, self.once = mouths, once
        self.length = frames * step_ms / 1000

    def pose(self, t):
        a = self.before(t)
        b = self.after(t - self.length)
        s = EASE["smooth"](min(1, max(0, (t / self.length - self.turn[0]) / (self.turn[1] - self.turn[0]))))
        p = {name: (b[name] if s >= 0.5 else a[name]) if name in SUDDEN else mix(a[name], b[name], s) for name in a}
        for name, keys in self.keys.items():
            p[name] = keyed(keys, p[name], t)
        for name, function in self.added.items():
            more = function(t)
            p[name] = tuple(u + v for u, v in zip(p[name], more)) if isinstance(more, tuple) else p[name] + more
        return p


BLINK = [(0.96, None), (1.04, 0.0, "in"), (1.12, 0.0), (1.28, None, "out")]

CLIPS = {
    "idle": Clip(24, idle, idle, {"eyes": BLINK}),
    # Looks to the one side, thinks better of it with a blink, and looks to the other.
    "idle1": Clip(24, idle, idle, {
        "look_x": [(0.1, None), (0.4, -1.0), (0.86, -1.0), (1.2, 0.95), (1.52, 0.95), (1.88, None)],
        "look_y": [(0.1, None), (0.4, -0.2), (0.86, -0.1), (1.2, -0.5), (1.52, -0.5), (1.88, None)],
        "eyes": [(0.82, None), (0.94, 0.0, "in"), (1.06, 0.0), (1.2, None, "out")],
        "brow": [(0.2, None), (0.4, 0.7), (1.52, 1.0), (1.84, None)],
    }, {
        "head_turn": lambda t: -3.6 * plateau(t, 0.12, 0.34, 0.34, 1.12) + 4.4 * plateau(t, 0.9, 0.34, 0.36, 1.9),
        "lean": lambda t: -1.4 * plateau(t, 0.16, 0.4, 0.34, 1.1) + 1.6 * plateau(t, 0.92, 0.4, 0.36, 1.92),
        "wag": lambda t: 16 * bump(t, 0.9, 1.7),
    }),
    # Sniffs at the night air: the nose is the best part of him, and it has five fingers.
    "idle2": Clip(18, idle, idle, {
        "look_y": [(0.05, None), (0.35, -1.0), (1.08, -1.0), (1.38, None)],
        "eyes": [(0.1, None), (0.35, 0.0), (1.1, 0.0), (1.3, None, "out")],
        "curve": [(0.1, None), (0.4, 0.15), (1.1, 0.15), (1.3, 0.9), (1.42, None)],
    }, {
        "nose": lambda t: 13 * plateau(t, 0.28, 0.15, 0.2, 1.28) * wave(t, 0.32),
        "nose_size": lambda t: (0.13 * plateau(t, 0.25, 0.2, 0.25, 1.3) +
                                0.05 * plateau(t, 0.28, 0.1, 0.1, 1.25) * wave(t, 0.32, 0.25)),
        "head_y": lambda t: -4 * plateau(t, 0.05, 0.35, 0.36, 1.42),
        "squash": lambda t: (0.03 * plateau(t, 0.1, 0.35, 0.36, 1.42) +
                             0.012 * plateau(t, 0.3, 0.1, 0.1, 1.2) * wave(t, 0.32)),
        "head_turn": lambda t: 3.5 * plateau(t, 0.3, 0.2, 0.3, 1.3) * wave(t, 0.96, 0.05),
    }),
    "speaking_short": Clip(12, idle, idle, {
        "brow": [(0.0, None), (0.2, 0.7), (0.45, 0.0), (0.62, 0.6), (0.96, None)],
    }, {
        "head_turn": lambda t: 2.4 * wave(t, 0.96) * plateau(t, 0, 0.2, 0.2, 0.96),
        "head_y": lambda t: 1.8 * wave(t, 0.48) * plateau(t, 0, 0.15, 0.15, 0.96),
        "squash": lambda t: 0.014 * wave(t, 0.48, 0.2) * plateau(t, 0, 0.15, 0.15, 0.96),
        "right_turn": lambda t: -16 * bump(t, 0.1, 0.8),
    }, mouths=[(0.15, 0.9), (0.6, 1.0), (0.95, 1.05), (0.5, 1.1), (0.12, 1.0), (0.55, 0.72), (0.8, 0.7), (0.35, 0.85),
               (0.75, 1.1), (1.0, 1.0), (0.5, 0.95), (0.0, 0.95)]),
    # The same, and a hand that explains.
    "speaking_med": Clip(16, idle, idle, {
        "brow": [(0.1, None), (0.32, 1.0), (0.7, 0.4), (0.9, 0.9), (1.28, None)],
        "right": [(0.05, None), (0.36, (64, -84), "over"), (0.62, (58, -74)), (0.84, (66, -88), "over"),
                  (1.0, (62, -80)), (1.26, None)],
        "right_turn": [(0.05, None), (0.36, -142), (0.62, -112), (0.84, -148), (1.0, -130), (1.26, None)],
        "look_x": [(0.1, None), (0.4, 0.35), (0.9, 0.35), (1.2, None)],
        "eyes": [(0.5, None), (0.6, 0.0, "in"), (0.66, 0.0), (0.8, None, "out")],
    }, {
        "head_turn": lambda t: 3.0 * bump(t, 0.1, 0.7) + 3.4 * bump(t, 0.6, 1.24) - 1.4 * bump(t, 0.4, 0.9),
        "head_y": lambda t: 2.0 * wave(t, 0.32) * plateau(t, 0, 0.2, 0.2, 1.28) * 0.7,
        "lean": lambda t: 1.6 * plateau(t, 0.1, 0.3, 0.4, 1.25),
        "squash": lambda t: 0.016 * wave(t, 0.64, 0.1) * plateau(t, 0, 0.2, 0.2, 1.28),
    }, mouths=[(0.2, 0.8), (0.7, 0.7), (0.9, 0.72), (0.4, 0.9), (0.75, 1.1), (1.0, 1.05), (0.6, 1.1), (0.2, 1.0),
               (0.12, 1.0), (0.5, 1.0), (0.9, 1.0), (0.55, 0.75), (0.85, 0.7), (0.4, 0.9), (0.6, 1.0), (0.0, 1.0)]),
    # A leap for joy; the lamp flares at the top.
    "trans_smile": Clip(11, idle, glad, {
        "y": [(0.0, 0), (0.24, 0), (0.42, -22, "out"), (0.6, 0, "in"), (0.88, 0)],
        "squash": [(0.0, None), (0.2, -0.12), (0.32, 0.10, "out"), (0.44, 0.03), (0.58, 0.06),
                   (0.66, -0.11, "out"), (0.78, 0.04), (0.88, None)],
        "left": [(0.0, None), (0.2, (-50, -34)), (0.42, (-70, -112), "out"), (0.58, (-66, -100)), (0.82, None)],
        "right": [(0.0, None), (0.2, (50, -34)), (0.42, (70, -112), "out"), (0.58, (66, -100)), (0.82, None)],
        "left_turn": [(0.0, None), (0.2, 0), (0.42, 150), (0.58, 135), (0.82, None)],
        "right_turn": [(0.0, None), (0.2, 0), (0.42, -150), (0.58, -135), (0.82, None)],
        "eyes": [(0.0, None), (0.14, 0.1), (0.2, 0.1), (0.3, 1.0), (0.88, None)],
        "joy": [(0.0, 0), (0.28, 0), (0.36, 1), (0.88, 1)],
        "open": [(0.16, None), (0.36, 0.9), (0.6, 0.9), (0.82, None)],
        "head_y": [(0.0, None), (0.2, 3), (0.4, -3), (0.66, 4), (0.82, None)],
        "glow": [(0.1, None), (0.42, 1.25), (0.88, None)],
    }, turn=(0.15, 0.6), once=True),
    "smile_speaking": Clip(12, glad, glad, mouths=[
        (0.3, 1.0), (0.8, 1.05), (1.0, 1.1), (0.55, 1.1), (0.2, 1.05), (0.7, 0.9), (0.95, 0.95), (0.5, 1.05),
        (0.85, 1.1), (0.6, 1.1), (0.25, 1.05), (0.0, 1.05)]),
    # The joy goes, a little of it stays for a moment.
    "smile": Clip(12, glad, idle, {
        "joy": [(0.0, 1), (0.48, 1), (0.6, 0), (0.96, 0)],
        "eyes": [(0.0, 0.1), (0.6, 0.1), (0.8, 1.0, "out"), (0.96, None)],
        "curve": [(0.0, None), (0.7, 1.0), (0.96, None)],
    }, {
        "head_turn": lambda t: 5 * bump(t, 0.1, 0.6) - 3 * bump(t, 0.48, 0.9),
        "squash": lambda t: 0.03 * bump(t, 0.2, 0.62) - 0.02 * bump(t, 0.55, 0.9),
    }, turn=(0.3, 0.9)),
    "wave": Clip(21, idle, idle, {
        "left": [(0.0, None), (0.2, (-52, -36)), (0.46, (-78, -122), "over"), (1.2, (-78, -122)), (1.52, None)],
        "left_turn": [(0.0, None), (0.2, -4), (0.46, 170), (1.2, 170), (1.52, None)],
        "joy": [(0.2, 0), (0.36, 1), (1.04, 1), (1.2, 0)],
        "eyes": [(0.04, None), (0.14, 0.1), (0.24, 0.1), (0.36, 1.0), (1.04, 0.0), (1.2, 0.0), (1.34, None, "out")],
        "open": [(0.3, None), (0.5, 0.95, "over"), (0.95, 0.85), (1.06, None)],
        "curve": [(0.1, None), (0.4, 1.0), (1.2, 1.0), (1.52, None)],
        "blush": [(0.2, None), (0.5, 0.9), (1.2, 0.9), (1.52, None)],
        "glow": [(0.2, None), (0.5, 1.05), (1.1, 0.95), (1.6, None)],
        "squash": [(0.0, None), (0.2, -0.06), (0.44, 0.05, "out"), (0.64, 0.0), (1.18, 0.0), (1.32, -0.03),
                   (1.64, None)],
    }, {
        "left": lambda t: (15 * swing(t), 4 * abs(swing(t))),
        "left_turn": lambda t: 22 * swing(t),
        "head_turn": lambda t: (5 * plateau(t, 0.2, 0.3, 0.36, 1.54) +
                                1.6 * plateau(t, 0.4, 0.2, 0.2, 1.24) * wave(t, 0.4, 0.1)),
        "lean": lambda t: 3 * plateau(t, 0.2, 0.3, 0.36, 1.54),
        "head_y": lambda t: 2 * bump(t, 0.05, 0.35) - 2 * bump(t, 0.3, 0.7),
        "wag": lambda t: 30 * plateau(t, 0.3, 0.2, 0.3, 1.46) * wave(t, 0.4),
    }, once=True),
    # Nods off, wakes with a start, and gives in.
    "doze": Clip(19, idle, asleep, {
        "eyes": [(0, None), (0.26, 0.45), (0.54, 0.25), (0.6, 0.95, "out"), (0.71, 0.9), (0.95, 0.3), (1.07, 0),
                 (1.52, 0)],
        "head_y": [(0, None), (0.48, 9, "in"), (0.6, -3, "out"), (0.74, 0), (1.04, 6), (1.26, 11), (1.52, None)],
        "head_turn": [(0, None), (0.48, -6), (0.6, 2), (0.74, 0), (1.12, -4), (1.52, None)],
        "look_y": [(0, None), (0.43, 0.8), (0.6, -0.4), (0.78, 0.1), (1.12, 0.5), (1.52, 0)],
        "open": [(0.6, None), (0.67, 0.25), (0.79, 0.15), (0.9, 0.2), (1, 0.75), (1.14, 0.7), (1.3, 0.25),
                 (1.52, None)],
        "wide": [(0.52, None), (0.64, 0.6), (0.95, 0.6), (1.04, 0.8), (1.3, 0.55), (1.52, None)],
        "y": [(1.05, 0), (1.16, -7, "out"), (1.26, 0, "in"), (1.52, 0)],
        "feet": [(1.04, 0), (1.23, 1), (1.52, 1)],
        "squash": [(0, None), (0.48, -0.045), (0.6, 0.03, "out"), (0.74, 0.0), (1.05, -0.06),
                   (1.16, -0.02), (1.28, -0.21, "out"), (1.42, -0.13), (1.52, None)],
        "sleepy": [(0, -1), (1.52, -1)],
    }, turn=(0.6, 0.95), once=True),
    "sleep": Clip(16, asleep, asleep, step_ms=150),
    # Up with a start, and round with the eyes: was that a star?
    "wake": Clip(13, asleep, idle, {
        "eyes": [(0.0, 0), (0.16, 0), (0.28, 1, "out"), (0.58, 1.0), (0.64, 0.0), (0.72, 0.0), (0.84, 1), (1.04, None)],
        "squash": [(0.0, None), (0.2, -0.22), (0.34, 0.09, "out"), (0.46, 0.04), (0.56, -0.09, "out"), (0.72, 0.03),
                   (0.86, 0), (1.04, None)],
        "y": [(0.0, 0), (0.22, 0), (0.38, -18, "out"), (0.52, 0, "in"), (1.04, 0)],
        "feet": [(0.0, 1), (0.24, 1), (0.36, 0), (1.04, 0)],
        "brow": [(0.18, None), (0.3, 1.2), (0.7, 1.0), (1.0, None)],
        "open": [(0.0, None), (0.2, 0.2), (0.34, 0.7), (0.55, 0.45), (0.72, 0), (1.04, None)],
        "wide": [(0.0, None), (0.3, 0.6), (0.7, 0.65), (0.9, None)],
        "look_x": [(0.44, 0), (0.54, -0.8), (0.66, -0.8), (0.78, 0.6), (0.86, 0.6), (1.04, 0)],
        "left": [(0.0, None), (0.2, (-46, -32)), (0.38, (-66, -82), "out"), (0.55, (-58, -52)), (0.9, None)],
        "right": [(0.0, None), (0.2, (46, -32)), (0.38, (66, -82), "out"), (0.55, (58, -52)), (0.9, None)],
        "left_turn": [(0.0, None), (0.38, 110), (0.55, 50), (0.9, None)],
        "right_turn": [(0.0, None), (0.38, -110), (0.55, -50), (0.9, None)],
        "glow": [(0.15, None), (0.36, 1.2), (0.7, 0.7), (1.04, None)],
        "sleepy": [(0.0, -1), (1.04, -1)],
    }, turn=(0.1, 0.4), once=True),
    "sad_trans": Clip(10, idle, glum, {
        "head_y": [(0.0, None), (0.16, -3), (0.5, 8), (0.8, None)],
        "squash": [(0.0, None), (0.16, 0.03), (0.5, -0.06), (0.8, None)],
        "eyes": [(0.1, None), (0.22, 0.0), (0.3, 0.0), (0.46, 1), (0.8, None)],
        "tear": [(0.0, -1), (0.8, -1)],
    }, turn=(0.15, 0.75), once=True),
    "sad_speaking": Clip(12, glum, glum, mouths=[
        (0.1, 0.8), (0.4, 0.8), (0.6, 0.75), (0.3, 0.7), (0.15, 0.8), (0.5, 0.85), (0.65, 0.85), (0.35, 0.8),
        (0.16, 0.8), (0.35, 0.8), (0.55, 0.7), (0.0, 0.8)]),
    # A sigh, the head comes up, and the lamp with it.
    "sad": Clip(12, glum, idle, {
        "squash": [(0.0, None), (0.28, 0.035), (0.4, 0.035), (0.66, -0.035), (0.96, None)],
        "eyes": [(0.08, None), (0.24, 0.0), (0.54, 0.0), (0.7, 1.0, "out"), (0.96, None)],
        "open": [(0.28, None), (0.4, 0.3), (0.56, 0.22), (0.68, 0), (0.96, None)],
        "wide": [(0.28, None), (0.4, 0.55), (0.62, 0.6), (0.9, None)],
        "tear": [(0.0, -1), (0.96, -1)],
    }, turn=(0.35, 0.9)),
}


def mouthed(clip, index, pose):
    """The pose of a frame, with the mouth of that frame."""
    if clip.mouths:
        open_, wide = clip.mouths[index]
        pose["open"], pose["wide"] = open_ * (0.75 if pose["curve"] < 0 else 1.0), wide
    return pose


# -------------------------------------------------------------------------------------------------- what swings after

STEPS = 240      # a second
GRAVITY = 225    # units a second, a second


class Strand:
    """Points on a line that hangs by the first from a part of the figure, with a shape of its own that it springs back
    to: `firm` says how much, point by point; `drag`, what a step leaves of the speed."""

    def __init__(self, rest, firm, drag):
        self.rest, self.firm, self.drag = rest, firm, drag
        self.lengths = [math.dist(a, b) for a, b in zip(rest, rest[1:])]

    def start(self, matrix):
        points = [figure.apply(matrix, q) for q in self.rest]
        return [points, list(points)]

    def step(self, state, matrix):
        points, before = state
        rest = [figure.apply(matrix, q) for q in self.rest]
        after = [rest[0]]
        for (x, y), (u, v), (rest_x, rest_y), firm in list(zip(points, before, rest, self.firm))[1:]:
            after.append((x + (x - u) * self.drag + (rest_x - x) * firm,
                          y + (y - v) * self.drag + (rest_y - y) * firm + GRAVITY / STEPS ** 2))
        for _ in range(6):    # then what has become too long or too short is put right, some of it each time
            for i, length in enumerate(self.lengths):
                (ax, ay), (bx, by) = after[i], after[i + 1]
                far = math.hypot(bx - ax, by - ay) or 1e-9
                off = (far - length) / far * (0.5 if i else 1)
                if i:
                    after[i] = (ax + (bx - ax) * off, ay + (by - ay) * off)
                after[i + 1] = (bx - (bx - ax) * off, by - (by - ay) * off)
        return [after, points]


CAP = Strand(figure.CAP_REST, [1, 0.05, 0.026, 0.014, 0.008, 0.0045, 0.003], 0.985)
ENDS = [Strand(rest, [1, 0.02, 0.010, 0.007], 0.975) for rest in figure.SCARF_REST]
STRANDS = [(CAP, figure.head_matrix)] + [(end, figure.body_matrix) for end in ENDS]


def settled(mood, length):
    """The strands' states at the beginning of a round of a mood, after so many rounds that nothing changes any more."""
    states = [strand.start(matrix(mood(0))) for strand, matrix in STRANDS]
    for i in range(round(STEPS * length * max(3, math.ceil(6 / length)))):
        p = mood((i + 1) / STEPS)
        states = [strand.step(state, matrix(p)) for state, (strand, matrix) in zip(states, STRANDS)]
    return states


def local(states, p):
    """The lines in their parts' own space. How they differ from their rest is smoothed along them: cloth makes no
    corners."""
    out = []
    for state, (strand, matrix) in zip(states, STRANDS):
        m = matrix(p)
        off = [(x - rx, y - ry) for (x, y), (rx, ry) in zip((figure.unapply(m, q) for q in state[0]), strand.rest)]
        for _ in range(2):
            inner = [tuple((u + 2 * v + w) / 4 for u, v, w in zip(*three)) for three in zip(off, off[1:], off[2:])]
            off = [off[0], *inner, mix(off[-2], off[-1], 0.5)]
        out.append([(rx + x, ry + y) for (rx, ry), (x, y) in zip(strand.rest, off)])
    return out


ROUND = {idle: 1.92, glad: 0.96, glum: 0.96, asleep: 2.4}


def strands_of(clip, begin):
    """For every frame of a clip the lines of cap and scarf, in their parts' own space."""
    states = begin[clip.before]
    per_frame = STEPS * clip.step_ms // 1000
    out = []
    fade = min(0.5, clip.length * 0.6)
    # What the mood that follows would do before its beginning: the same, a round earlier.
    length = ROUND[clip.after]
    lead = begin[clip.after]
    turns = []
    for i in range(round(STEPS * length)):
        turns.append(local(lead, clip.after(i / STEPS)))
        p = clip.after((i + 1) / STEPS)
        lead = [strand.step(state, matrix(p)) for state, (strand, matrix) in zip(lead, STRANDS)]
    for index in range(clip.frames):
        t = index * clip.step_ms / 1000
        lines = local(states, clip.pose(t))
        s = EASE["smooth"](min(1, max(0, (t - (clip.length - fade)) / fade)))
        if s > 0:
            wanted = turns[round((t - clip.length) * STEPS) % len(turns)]
            lines = [[mix(a, b, s) for a, b in zip(x, y)] for x, y in zip(lines, wanted)]
        out.append(lines)
        for i in range(per_frame):
            p = clip.pose(t + (i + 1) / STEPS)
            states = [strand.step(state, matrix(p)) for state, (strand, matrix) in zip(states, STRANDS)]
    return out


def frames():
    """All of it: label to a list of (pose, cap line, scarf lines), one a frame."""
    begin = {mood: settled(mood, length) for mood, length in ROUND.items()}
    out = {}
    for label, clip in CLIPS.items():
        lines = strands_of(clip, begin)
        out[label] = [(mouthed(clip, i, clip.pose(i * clip.step_ms / 1000)), lines[i][0], lines[i][1:])
                      for i in range(clip.frames)]
    return out
