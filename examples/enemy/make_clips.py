#!/usr/bin/env python3
"""Writes idle.json, hop.json and attack.json beside this file: the Bogbell in motion.

What an animator decides is written here as keys: how the body squashes, where it leans, when it blinks. What follows
by itself (stalk, bell, leaves, moss, face) is worked out from that with springs and pendulums, and then reduced to as
few Hermite keys as stay within a hair's breadth. Every clip begins and ends in the pose in which `idle` begins, so any
of them may follow any other. Only Python's own library is used and nothing is random.

    python3 make_clips.py

Units are those of the format: seconds, degrees counter-clockwise, world units with y up; tangents are per second.
The rest pose is read from rig.json.
"""

import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RATE = 60           # frames a second of the grid that keys lie on
STEP = 1 / 960      # of the springs
NAMESPACE = "bogland"
REST = {bone["name"]: {"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, **bone}
        for bone in json.loads((HERE / "rig.json").read_text("utf-8"))["bones"]}


# ---------------------------------------------------------------------------------------------------------------
# Curves
# ---------------------------------------------------------------------------------------------------------------

class Curve:
    """Keys drawn by hand: (time, value), (time, value, slope) or (time, value, slope in, slope out).

    Without a slope a key at a turn of the curve is flat and one on the way is as steep as it can be without a bump, so
    nothing swings past what is written. With `period` the curve is a ring and needs no key at its end.
    """

    def __init__(self, *keys, period=None):
        self.period = period
        if period and keys[-1][0] < period:
            keys = (*keys, (period, *keys[0][1:]))
        points = [(key[0], key[1]) for key in keys]
        self.keys = [(key[0], key[1], key[2], key[-1]) if len(key) > 2 else (*key, slope, slope)
                     for key, slope in zip(keys, self.slopes(points))]

    def slopes(self, points):
        rises = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])]
        ends = (rises[-1], rises[0]) if self.period else (0.0, 0.0)
        around = [ends[0], *rises, ends[1]]
        # The harmonic mean keeps a curve within its keys; 0 where the direction changes.
        return [2 * a * b / (a + b) if a * b > 0 else 0.0 for a, b in zip(around, around[1:])]

    def __call__(self, time):
        if self.period:
            time %= self.period
        keys = self.keys
        if time <= keys[0][0]:
            return keys[0][1]
        for a, b in zip(keys, keys[1:]):
            if time <= b[0]:
                d = b[0] - a[0]
                u = (time - a[0]) / d
                return ((2 * u**3 - 3 * u**2 + 1) * a[1] + (u**3 - 2 * u**2 + u) * d * a[3]
                        + (3 * u**2 - 2 * u**3) * b[1] + (u**3 - u**2) * d * b[2])
        return keys[-1][1]

    def track(self):
        return [key_of(*key) for key in self.keys]


def still(value):
    return Curve((0, value))


def key_of(time, value, slope_in, slope_out):
    """A key of the format; six figures are more than a picture shows."""
    short = lambda number: float(f"{number:.6g}") + 0.0
    return {"time": round(time, 6) + 0.0, "value": short(value),
            "inTangent": short(slope_in), "outTangent": short(slope_out)}


def reduced(samples, tolerance):
    """Samples at STEP to few keys on the frame grid: split where a span is furthest off, until none is."""
    every = round(1 / RATE / STEP)
    frames = (len(samples) - 1) // every

    def slope(frame):
        i = frame * every
        a, b = max(i - 1, 0), min(i + 1, len(samples) - 1)
        return (samples[b] - samples[a]) / ((b - a) * STEP)

    def worst(first, last):
        d = (last - first) / RATE
        a, b = samples[first * every], samples[last * every]
        sa, sb = slope(first) * d, slope(last) * d
        most, where = 0.0, None
        for frame in range(first + 1, last):
            u = (frame - first) / (last - first)
            guess = ((2 * u**3 - 3 * u**2 + 1) * a + (u**3 - 2 * u**2 + u) * sa
                     + (3 * u**2 - 2 * u**3) * b + (u**3 - u**2) * sb)
            off = abs(guess - samples[frame * every])
            if off > most:
                most, where = off, frame
        return most, where

    kept, spans = {0, frames}, [(0, frames)]
    while spans:
        first, last = spans.pop()
        off, where = worst(first, last)
        if off > tolerance:
            kept.add(where)
            spans += [(first, where), (where, last)]
    return [(frame / RATE, samples[frame * every], slope(frame)) for frame in sorted(kept)]


# ---------------------------------------------------------------------------------------------------------------
# What follows by itself
# ---------------------------------------------------------------------------------------------------------------

JOINTS = ["stalk-1", "stalk-2", "stalk-3", "stalk-4", "stalk-5", "stalk-6"]
GRAVITY = 14.0                           # units per second squared, as it looks right at this size
BELL_LENGTH, CLAPPER_LENGTH = 0.46, 0.16

# Followers: what of the pose each is drawn to, how quickly (radians per second) and with how much damping (1: none
# of it swings past).
FOLLOWERS = {
    "foot bend": (15, 0.30), "tip bend": (10, 0.24), "crown.y": (72, 0.5), "crown.x": (40, 0.5),
    "cap.turn": (17, 0.30), "leaf-left.turn": (15, 0.20), "leaf-right.turn": (17, 0.20),
    "face.y": (64, 0.6), "face.x": (30, 0.6), "shine.x": (14, 0.4),
}


class Acting:
    """The curves that an animator draws for one clip; whatever is not drawn stays at rest."""

    def __init__(self, duration, period=None, **curves):
        self.duration, self.period = duration, period
        self.tall = curves.get("tall", still(1))         # height of the body; its width keeps the volume
        self.lean = curves.get("lean", still(0))         # degrees; the foot stays flat on the ground
        self.turn = curves.get("turn", still(0))         # degrees; of all of it, in the air
        self.x = curves.get("x", still(0))
        self.y = curves.get("y", still(0))
        self.look_x = curves.get("look_x", still(0))     # of the face, units
        self.look_y = curves.get("look_y", still(0))
        self.curl = curves.get("curl", still(0))         # degrees a joint, more bent to the left
        self.base = curves.get("base", still(0))         # degrees of the first joint alone
        self.wave = curves.get("wave", 0.0)              # seconds that a curl takes from joint to joint
        self.grip = curves.get("grip", still(0))         # 1: the stalk does what it is told and nothing else
        self.hang = curves.get("hang", still(0))         # degrees that the bell is held to, against the way it hangs
        self.hold = curves.get("hold", still(0))         # 1: it is held to that


def direction(degrees):
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def soft(value, most):
    """As it is while small, never beyond `most`."""
    return most * math.tanh(value / most)


def simulate(acting, start=None, rounds=1):
    """Plays the acting with everything that hangs on it. The tracks as samples, and the state at the end.

    `start` is such a state. Of several rounds the last is kept: a ring has then forgotten how it began.
    """
    joint_rest = [REST[name]["rotation"] for name in JOINTS]
    lengths = [REST[name]["y"] for name in JOINTS[1:]] + [REST["bell"]["y"]]
    crown_rest, face_rest = (REST["crown"]["x"], REST["crown"]["y"]), (REST["face"]["x"], REST["face"]["y"])
    state = json.loads(json.dumps(start)) if start else {"bell": [0.0, 0.0], "clapper": [0.0, 0.0],
                                                         **{name: [0.0, 0.0] for name in FOLLOWERS}}
    bell, clapper = state["bell"], state["clapper"]
    samples = {}
    crown_motion, tip_motion = Motion(26), Motion(26)
    for _ in range(rounds):
        samples = {}
        for n in range(round(acting.duration / STEP) + 1):
            time = n * STEP
            lean, tall, turn = acting.lean(time), acting.tall(time), acting.turn(time)
            wide = tall ** -0.62
            slant = -math.tan(math.radians(lean))
            follow = {name: state[name][0] for name in FOLLOWERS}

            # Where the crown is in the world, and how it is pushed about.
            at = crown_rest[0] + follow["crown.x"], crown_rest[1] + follow["crown.y"]
            side, up = direction(turn), direction(turn + 90)
            crown = acting.x(time) + side[0] * at[0] + up[0] * at[1], acting.y(time) + side[1] * at[0] + up[1] * at[1]
            push_x, push_y = crown_motion.to(crown)
            crown_turn = 0.55 * lean + 0.4 * follow["cap.turn"]

            # The stalk bends by two springs, one at its foot and one at its tip; the joints between share them.
            grip, before, tip, turns = acting.grip(time), turn + crown_turn, crown, []
            for i, rest in enumerate(joint_rest):
                share = i / (len(joint_rest) - 1)
                springy = soft(follow["foot bend"] * (1 - share) + follow["tip bend"] * share, 26) * (1 - grip)
                own = rest + acting.curl(time - acting.wave * i) + springy + (acting.base(time) if i == 0 else 0)
                before += own
                turns.append(own)
                along = direction(before + 90)
                tip = tip[0] + along[0] * lengths[i], tip[1] + along[1] * lengths[i]

            # The bell hangs where gravity and the stalk's own motion pull it.
            tip_push = tip_motion.to(tip)
            pull = -tip_push[0], -GRAVITY - tip_push[1]
            swing(bell, pull, BELL_LENGTH, 3.4, acting.hang(time), acting.hold(time))
            swing(clapper, pull, CLAPPER_LENGTH, 6.0, bell[0], 0.3)

            goals = {
                "foot bend": 0.40 * push_x, "tip bend": 0.30 * push_x - 0.52 * push_y,
                "crown.y": crown_rest[1] * (tall - 1), "crown.x": slant * crown_rest[1] * tall,
                "cap.turn": 0.30 * push_x, "leaf-left.turn": 0.9 * push_y - 0.3 * push_x,
                "leaf-right.turn": -0.9 * push_y - 0.3 * push_x,
                "face.y": face_rest[1] * (tall - 1) * 0.85 + acting.look_y(time),
                "face.x": slant * face_rest[1] * tall + acting.look_x(time),
                "shine.x": -0.35 * slant - 0.25 * acting.look_x(time) + 0.006 * math.radians(turn),
            }
            for name, (quick, damping) in FOLLOWERS.items():
                value = state[name]
                value[1] += (quick**2 * (goals[name] - value[0]) - 2 * damping * quick * value[1]) * STEP
                value[0] += value[1] * STEP

            def put(target, prop, value):
                samples.setdefault((target, prop), []).append(value)

            put("bone/hip", "position.x", acting.x(time))
            put("bone/hip", "position.y", acting.y(time))
            put("bone/hip", "rotation.z", turn)
            # A slant is a scale between two turns: the foot stays flat on the ground.
            half = math.degrees(math.atan(-slant / 2)) / 2
            longer = math.sqrt(1 + slant * slant / 4)
            put("bone/slant", "rotation.z", half + 45)
            put("bone/slant", "scale.x", longer + slant / 2)
            put("bone/slant", "scale.y", longer - slant / 2)
            put("bone/gel", "rotation.z", half - 45)
            put("bone/gel", "scale.x", wide)
            put("bone/gel", "scale.y", tall)
            put("bone/crown", "position.x", at[0])
            put("bone/crown", "position.y", at[1])
            put("bone/crown", "rotation.z", crown_turn)
            put("bone/cap", "rotation.z", 0.6 * follow["cap.turn"])
            put("bone/cap", "scale.x", 1 + 0.75 * (wide - 1))
            put("bone/cap", "scale.y", 1 + 0.55 * (tall - 1))
            put("bone/face", "position.x", face_rest[0] + follow["face.x"])
            put("bone/face", "position.y", face_rest[1] + follow["face.y"])
            put("bone/face", "rotation.z", 0.35 * lean)
            put("bone/face", "scale.x", 1 + 0.75 * (wide - 1) - 0.35 * abs(acting.look_x(time)))
            put("bone/face", "scale.y", 1 + 0.45 * (tall - 1))
            put("bone/shine", "position.x", REST["shine"]["x"] + follow["shine.x"])
            put("bone/leaf-left", "rotation.z", REST["leaf-left"]["rotation"] + soft(follow["leaf-left.turn"], 40))
            put("bone/leaf-right", "rotation.z", REST["leaf-right"]["rotation"] + soft(follow["leaf-right.turn"], 40))
            for name, own in zip(JOINTS, turns):
                put("bone/" + name, "rotation.z", own)
            put("bone/bell", "rotation.z", bell[0] - before)
            put("bone/clapper", "rotation.z", clapper[0] - bell[0])
            height = min(1.0, acting.y(time))
            put("bone/shadow", "position.x", acting.x(time))
            put("bone/shadow", "scale.x", wide * (1 - 0.3 * height))
            put("bone/shadow", "scale.y", 1 - 0.3 * height)
            put("sprite/shadow", "color.a", 1 - 0.55 * height)
    return samples, state


class Motion:
    """How a point is pushed about, from where it is step by step: its acceleration, smoothed and within `most`."""

    def __init__(self, most):
        self.most, self.was, self.speed, self.push = most, None, None, [0.0, 0.0]

    def to(self, at):
        if self.was is not None:
            now = [(a - b) / STEP for a, b in zip(at, self.was)]
            if self.speed is not None:   # half of what is new comes through in 15 ms
                self.push = [p + 0.05 * ((a - b) / STEP - p) for p, a, b in zip(self.push, now, self.speed)]
            self.speed = now
        self.was = at
        return [soft(p, self.most) for p in self.push]


def swing(pendulum, pull, length, damping, held_to, hold):
    """One step of a pendulum: angle from straight down and its speed, in degrees."""
    angle = math.radians(pendulum[0])
    sideways = pull[0] * math.cos(angle) + pull[1] * math.sin(angle)
    turn = math.degrees(sideways / length) * (1 - hold)
    turn += hold * 9000 * (held_to - pendulum[0]) - (damping + 150 * hold) * pendulum[1]
    pendulum[1] += turn * STEP
    pendulum[0] += pendulum[1] * STEP


def homing(samples, home, leave, arrive):
    """Lets the first seconds glide out of the home pose and the last ones into it."""
    for target, values in samples.items():
        goal, last = home[target], len(values) - 1
        for seconds, at in ((leave, lambda i: i), (arrive, lambda i: last - i)):
            steps = round(seconds / STEP)
            for i in range(steps + 1):
                u = 1 - i / steps
                weight = u * u * u * (u * (6 * u - 15) + 10)
                values[at(i)] += (goal - values[at(i)]) * weight


TOLERANCE = {"rotation.z": 0.12, "position.x": 0.0012, "position.y": 0.0012, "scale.x": 0.0015, "scale.y": 0.0015,
             "color.a": 0.004}


def rest_of(target, prop):
    bone = REST[target.split("/")[1]]
    member = {"position.x": "x", "position.y": "y", "rotation.z": "rotation", "scale.x": "scaleX",
              "scale.y": "scaleY"}
    return bone[member[prop]] if prop in member else 1.0


def tracks_of(samples, ring):
    """Sampled tracks to numeric tracks, without those that never leave their rest value."""
    tracks = []
    for (target, prop), values in samples.items():
        keys = reduced(values, TOLERANCE[prop])
        if max(abs(value - rest_of(target, prop)) for value in values) < TOLERANCE[prop] / 3:
            continue
        if ring and len(keys) > 1:   # the ends are one moment
            value, slope = (keys[0][1] + keys[-1][1]) / 2, (keys[0][2] + keys[-1][2]) / 2
            keys[0], keys[-1] = (0.0, value, slope), (keys[-1][0], value, slope)
        tracks.append({"target": target, "property": prop,
                       "keys": [key_of(time, value, slope, slope) for time, value, slope in keys]})
    return tracks


def drawn(target, prop, curve):
    return {"target": target, "property": prop, "keys": curve.track()}


def sized(target, curve):
    return [drawn(target, "scale.x", curve), drawn(target, "scale.y", curve)]


def shown(target, *keys):
    """A sprite track: (time, picture)."""
    return {"target": target, "property": "sprite", "keys": [{"time": time, "name": name} for time, name in keys]}


def eyes(*keys):
    """Both eyes at once; a pair of names where they differ."""
    pair = lambda name, side: name if isinstance(name, str) else name[side]
    return [shown("sprite/eye-near", *((time, pair(name, 0)) for time, name in keys)),
            shown("sprite/eye-far", *((time, pair(name, 1)) for time, name in keys))]


def blink(at, hold=0.07):
    return [(at, "eye-half"), (at + 0.035, "eye-closed"), (at + 0.035 + hold, "eye-half"),
            (at + 0.08 + hold, "eye-open")]


# ---------------------------------------------------------------------------------------------------------------
# Effects
# ---------------------------------------------------------------------------------------------------------------

def rgba(text, alpha=1.0):
    return {"r": int(text[1:3], 16) / 255, "g": int(text[3:5], 16) / 255, "b": int(text[5:7], 16) / 255, "a": alpha}


def effect(name, kind, target, duration, **more):
    """All members that the format asks for, of any kind; `more` has those that matter."""
    color = more.pop("color", rgba("#ffffff"))
    made = {
        "id": name, "kind": kind, "trigger": more.pop("trigger", "animation"), "index": 0, "target": target,
        "durationSeconds": duration, "loop": False, "maxParticles": 0,
        "startLifetimeMin": 0, "startLifetimeMax": 0, "startSpeedMin": 0, "startSpeedMax": 0,
        "startSizeMin": 0, "startSizeMax": 0, "gravityMin": 0, "gravityMax": 0,
        "scaleX": 1, "scaleY": 1, "scaleZ": 1, "simulationSpace": "World",
        "startColorMin": color, "startColorMax": color, "emissionRateMin": 0, "emissionRateMax": 0,
        "shapeEnabled": False, "shape": "Cone", "shapeRadius": 0, "shapeAngle": 0,
        "textureSheetTilesX": 1, "textureSheetTilesY": 1, "textureSheetSprites": [], "sortingOrder": 0, "source": {},
    }
    made.update(more)
    made["startColorMin"] = {k: round(v, 4) for k, v in made["startColorMin"].items()}
    made["startColorMax"] = {k: round(v, 4) for k, v in made["startColorMax"].items()}
    return made


def fixed(value):
    return {"mode": "Constant", "multiplier": 1, "constantMin": value, "constantMax": value, "curveMin": [],
            "curveMax": []}


def between(low, high):
    return {"mode": "TwoConstants", "multiplier": 1, "constantMin": low, "constantMax": high, "curveMin": [],
            "curveMax": []}


def over_life(*keys, multiplier=1):
    """A curve over normalised age."""
    return {"mode": "Curve", "multiplier": multiplier, "constantMin": 0, "constantMax": 0, "curveMin": [],
            "curveMax": Curve(*keys).track()}


def axes(curve, space="Local", **more):
    return {"enabled": True, "separateAxes": bool(more), "space": space, "x": curve, **more}


def fading(*keys):
    """A gradient of colours over normalised age: (age, colour, alpha)."""
    return {"mode": "Gradient", "gradientMin": [],
            "gradientMax": [{"time": time, "color": {k: round(v, 4) for k, v in rgba(text, alpha).items()}}
                            for time, text, alpha in keys]}


def burst(time, low, high, cycles=1, interval=0):
    return {"time": time, "countMin": low, "countMax": high, "cycleCount": cycles, "repeatInterval": interval,
            "probability": 1}


def lamp(duration, intensity=0.09, radius=0.95):
    return effect("lamp", "light", "bone/bell", duration, positionY=-0.5, color=rgba("#ffc764"),
                  lightIntensity=intensity, lightRadius=radius, sortingOrder=17)


# ---------------------------------------------------------------------------------------------------------------
# The clips
# ---------------------------------------------------------------------------------------------------------------

def idle():
    """Breathes, sways, looks about once, blinks; gas rises in the body and the lamp gives off spores."""
    T = 5.0
    acting = Acting(
        T, period=T,
        tall=Curve((0, 1), (1.2, 1.05), (2.5, 1), (3.7, 1.05), period=T),
        lean=Curve((0, 0), (1.5, 1.5), (2.6, 0.6), (3.2, -2.4), (4.1, -1.6), period=T),
        look_x=Curve((0, 0), (2.62, 0), (2.9, -0.17), (3.95, -0.15), (4.25, 0), period=T),
        look_y=Curve((0, 0), (2.62, 0), (2.9, 0.03), (3.95, 0.025), (4.25, 0), period=T),
        curl=Curve((0, 0), (1.3, 1.7), (3.0, -1.9), (4.2, 0.9), period=T), wave=0.09)
    samples, state = simulate(acting, rounds=4)
    tracks = tracks_of(samples, ring=True)
    for name, begin, end, low, high, big in (("bubble-a", 0.3, 2.5, 0.2, 0.66, 1.0),
                                             ("bubble-b", 2.3, 4.5, 0.18, 0.6, 0.7)):
        x, span = REST[name]["x"], end - begin
        tracks += [
            drawn("bone/" + name, "position.y", Curve((0, low), (begin, low), (end, high), (T, low))),
            drawn("bone/" + name, "position.x", Curve((0, x), (begin, x), (begin + span * 0.35, x + 0.05),
                                                      (begin + span * 0.7, x - 0.03), (end, x + 0.02), (T, x))),
            *sized("bone/" + name, Curve((0, 0.3 * big), (begin, 0.3 * big), (end - 0.1, big), (end, big * 1.35),
                                         (T, 0.3 * big))),
            drawn("sprite/" + name, "color.a", Curve((0, 0), (begin, 0), (begin + 0.5, 0.95), (end - 0.12, 0.95),
                                                     (end, 0), (T, 0))),
        ]
    glow = Curve((0, 0.72), (0.9, 0.95), (2.1, 0.68), (3.2, 1), (4.2, 0.75), period=T)
    size = Curve((0, 1), (0.9, 1.09), (2.1, 0.98), (3.2, 1.12), (4.2, 1.01), period=T)
    tracks += [drawn("sprite/halo", "color.a", glow), *sized("bone/halo", size)]
    effects = [
        lamp(T),
        # All of them are gone before the clip is over: it may be shown as a loop by itself.
        effect("spores", "particle", "bone/bell", 2.6, positionY=-0.5, maxParticles=24, startLifetimeMin=1.5,
               startLifetimeMax=2.2, startSpeedMin=0.15, startSpeedMax=0.4, startSizeMin=0.16, startSizeMax=0.28,
               gravityMin=-0.035, gravityMax=-0.01, emissionRateMin=4, emissionRateMax=4, shapeEnabled=True,
               shape="Circle", shapeRadius=0.2, texture="fx/spore.png", sortingOrder=18,
               color=rgba("#fff0a8"),
               sizeOverLifetime=axes(over_life((0, 0.2), (0.25, 1), (0.7, 0.8), (1, 0))),
               colorOverLifetime=fading((0, "#ffffff", 0), (0.15, "#ffffff", 1), (0.6, "#ffd27a", 0.9),
                                        (1, "#ff9a5c", 0)),
               noise={"enabled": True, "separateAxes": False, "damping": True, "frequency": 0.9, "octaveCount": 1,
                      "octaveMultiplier": 0.5, "octaveScale": 2, "strengthX": fixed(0.4), "scrollSpeed": fixed(0.35)}),
    ]
    object_tracks = eyes((0, "eye-open"), *blink(1.05), *blink(2.58, 0.1), *blink(3.96), *blink(4.15))
    clip = document("idle", "Bogbell: idle", T, True, tracks, object_tracks,
                    [{"time": 2.6, "type": "cue", "cue": "idle.look"}], effects,
                    [{"time": 0, "source": "bell", "effects": ["lamp"]},
                     {"time": 0.1, "source": "bell", "effects": ["spores"]}])
    return clip, {target: values[0] for target, values in samples.items()}, state


def hop(home, state):
    """One leap on the spot: the impulse carries it forward, the clip only up and down."""
    T, OFF, LAND, HIGH = 1.4, 0.34, 0.84, 0.95
    push = 4 * HIGH / (LAND - OFF)   # a thrown thing: up and down at one speed
    acting = Acting(
        T,
        tall=Curve((0, 1), (0.19, 0.66), (0.27, 0.69), (OFF + 0.02, 1.27), (0.47, 1.08), (0.59, 0.95), (0.74, 1.1),
                   (LAND, 1.17), (LAND + 0.07, 0.6), (LAND + 0.19, 1.15), (LAND + 0.31, 0.93),
                   (LAND + 0.42, 1.03), (T, 1)),
        lean=Curve((0, 0), (0.2, 9), (OFF, -12), (0.5, 0), (LAND, 5), (LAND + 0.07, -7), (LAND + 0.25, 3),
                   (LAND + 0.4, -1), (T, 0)),
        turn=Curve((0, 0), (OFF - 0.02, 0), (0.44, -9), (0.6, 0), (0.75, 6), (LAND + 0.02, 0), (T, 0)),
        y=Curve((0, 0), (OFF, 0, 0, push), ((OFF + LAND) / 2, HIGH, 0), (LAND, 0, -push, 0), (T, 0)),
        look_y=Curve((0, 0), (0.2, -0.07), (0.4, 0.06), (0.6, 0.03), (0.8, -0.06), (0.91, -0.1), (1.02, -0.04),
                     (1.2, 0)),
        look_x=Curve((0, 0), (0.2, 0.02), (0.45, 0.06), (0.8, 0.04), (1.15, 0)),
        curl=Curve((0, 0), (0.2, -4), (0.42, -5), (0.62, 6), (0.86, 3), (1.1, 0)), wave=0.025)
    samples, _ = simulate(acting, state)
    homing(samples, home, 0.2, 0.42)
    tracks = tracks_of(samples, ring=False)
    mouth = Curve((0, 0.9), (0.18, 0.72), (0.36, 1.05), (0.6, 0.9), (0.84, 1.0), (0.92, 0.8), (1.1, 0.9))
    tracks += [drawn("bone/mouth", "scale.y", mouth), drawn("sprite/bubble-a", "color.a", still(0)),
               drawn("sprite/bubble-b", "color.a", still(0)),
               drawn("sprite/halo", "color.a", Curve((0, 0.72), (0.28, 0.5), (0.5, 1), (0.84, 0.8), (0.96, 1),
                                                     (T, 0.72)))]
    object_tracks = eyes((0, "eye-open"), (0.12, "eye-half"), (0.17, "eye-joy"), (0.32, "eye-open"),
                         (LAND + 0.02, "eye-joy"),
                         (LAND + 0.2, "eye-half"), (LAND + 0.24, "eye-open"))
    object_tracks.append(shown("sprite/mouth", (0, "mouth-smile"), (0.13, "mouth-grit"), (OFF, "mouth-oh"),
                               (LAND + 0.02, "mouth-grit"), (LAND + 0.2, "mouth-smile")))
    effects = [
        lamp(T),
        dust("dust-off", 7, 8, 0.75), dust("dust-land", 15, 17, 1.1),
        drops("drips", "fx/drop.png", 9, 11, 3, 5, 0.08, 0.15, 0.7, 75, positionY=0.08, rotationX=-90,
              sortingOrder=-1),
    ]
    events = [
        {"time": OFF, "type": "sound", "file": "sounds/leap.wav", "volume": 0.7},
        {"time": OFF, "type": "impulse", "x": 2.4, "y": 0.4},
        {"time": LAND, "type": "sound", "file": "sounds/land.wav", "volume": 0.9},
        {"time": LAND, "type": "cameraShake", "amount": 0.15},
        {"time": LAND, "type": "cue", "cue": "particle.unique", "index": 0},
    ]
    return document("hop", "Bogbell: hop", T, False, tracks, object_tracks, events, effects, [
        {"time": 0, "source": "bell", "effects": ["lamp"]},
        {"time": OFF, "source": "ground", "effects": ["dust-off"]},
        {"time": LAND, "source": "ground", "effects": ["dust-land", "drips"]}])


def dust(name, low, high, strength):
    """Puffs that run out along the ground: a circle that lies flat."""
    return effect(name, "particle", "bone/root", 0.3, positionY=0.1, rotationX=80, maxParticles=24,
                  startLifetimeMin=0.34, startLifetimeMax=0.54,
                  startSizeMin=0.32 * strength, startSizeMax=0.6 * strength,
                  gravityMin=-0.03, gravityMax=-0.06, shapeEnabled=True, shape="CircleEdge", shapeRadius=0.7,
                  startSpeedMin=1.3 * strength, startSpeedMax=2.5 * strength, color=rgba("#f6efe2", 0.95),
                  texture="fx/puff.png", textureSheetTilesX=2, textureSheetTilesY=2, sortingOrder=-1,
                  textureSheetFrameOverTime=over_life((0, 0, 0, 0.9999), (1, 0.9999, 0.9999, 0)),
                  sizeOverLifetime=axes(over_life((0, 0.4, 4, 4), (0.3, 1), (1, 1.25))),
                  rotationOverLifetime={"enabled": True, "separateAxes": False, "z": between(-1.2, 1.2)},
                  colorOverLifetime=fading((0, "#ffffff", 1), (0.5, "#ffffff", 0.85), (1, "#ffffff", 0)),
                  bursts=[burst(0, low, high)])


def drops(name, texture, low, high, slow, fast, small, large, radius, angle, **more):
    """What flies up from the ground and falls."""
    return effect(name, "particle", "bone/root", 0.3, maxParticles=40, startLifetimeMin=0.35, startLifetimeMax=0.55,
                  startSpeedMin=slow, startSpeedMax=fast, startSizeMin=small, startSizeMax=large,
                  gravityMin=1.2, gravityMax=1.5, shapeEnabled=True, shape="Cone", shapeRadius=radius, shapeAngle=angle,
                  texture=texture, renderMode="Stretch", **more,
                  sizeOverLifetime=axes(over_life((0, 0.3), (0.12, 1), (0.7, 0.85), (1, 0))),
                  bursts=[burst(0, low, high)])


def attack(home, state):
    """Winds the bell up behind it and brings it down in front."""
    T, GO, HIT = 1.6, 0.5, 0.65
    acting = Acting(
        T,
        tall=Curve((0, 1), (0.12, 1.03), (0.36, 0.79), (GO - 0.02, 0.77), (GO + 0.07, 1.24), (HIT, 1.0),
                   (HIT + 0.06, 0.72),
                   (HIT + 0.2, 1.12), (HIT + 0.34, 0.93), (HIT + 0.48, 1.03), (T, 1)),
        lean=Curve((0, 0), (0.12, -4), (0.36, 14), (GO, 16), (HIT, -22), (HIT + 0.07, -23), (HIT + 0.32, 5),
                   (HIT + 0.5, -1.5), (T, 0)),
        x=Curve((0, 0), (0.12, 0.04), (0.36, -0.17), (GO, -0.21), (HIT, 0.40), (HIT + 0.08, 0.44),
                (HIT + 0.45, 0.03), (T, 0)),
        y=Curve((0, 0), (GO + 0.01, 0), (GO + 0.08, 0.16), (HIT, 0), (T, 0)),
        look_x=Curve((0, 0), (0.3, 0.03), (0.5, 0.02), (HIT, 0.08), (HIT + 0.15, 0.07), (HIT + 0.5, 0)),
        look_y=Curve((0, 0), (0.4, 0.03), (HIT, -0.02), (HIT + 0.5, 0)),
        curl=Curve((0, 0), (0.1, -3), (0.34, 15), (GO - 0.02, 18), (HIT - 0.06, 19), (HIT, 15), (HIT + 0.08, 9),
                   (HIT + 0.3, 0), (T, 0)),
        base=Curve((0, 0), (0.36, 6), (GO, 8), (HIT, -128), (HIT + 0.06, -108), (HIT + 0.12, -80), (HIT + 0.4, 6),
                   (HIT + 0.65, 0)),
        wave=0.004,
        grip=Curve((0, 0), (0.3, 0.3), (GO, 0.6), (HIT - 0.06, 1), (HIT + 0.1, 1), (HIT + 0.3, 0), (T, 0)),
        hang=Curve((0, 0), (0.36, -35), (GO, -50), (GO + 0.08, -105), (HIT - 0.03, -60), (HIT, -2), (HIT + 0.05, 5),
                   (HIT + 0.2, 0), (T, 0)),
        hold=Curve((0, 0), (0.3, 0), (0.42, 0.3), (GO + 0.04, 1), (HIT + 0.1, 1), (HIT + 0.25, 0)))
    samples, _ = simulate(acting, state)
    homing(samples, home, 0.2, 0.5)
    tracks = tracks_of(samples, ring=False)
    tracks += [
        drawn("bone/mouth", "scale.x", Curve((0, 0.9), (0.4, 0.8), (HIT - 0.04, 1.1), (HIT + 0.2, 1), (1.2, 0.9))),
        drawn("bone/mouth", "scale.y", Curve((0, 0.9), (0.4, 0.8), (HIT - 0.04, 1.15), (HIT + 0.2, 1), (1.2, 0.9))),
        drawn("bone/bell", "scale.x", Curve((0, 0.92), (0.42, 0.98), (GO + 0.06, 0.86), (HIT, 1.0),
                                            (HIT + 0.05, 1.25), (HIT + 0.16, 0.9),
                                            (HIT + 0.3, 0.95), (T, 0.92))),
        drawn("bone/bell", "scale.y", Curve((0, 0.92), (0.42, 1.0), (GO + 0.06, 1.15), (HIT, 1.05),
                                            (HIT + 0.05, 0.66), (HIT + 0.16, 1.02),
                                            (HIT + 0.3, 0.9), (T, 0.92))),
        drawn("sprite/halo", "color.a", Curve((0, 0.72), (0.42, 1), (HIT, 1), (HIT + 0.5, 0.45), (T, 0.72))),
        *sized("bone/halo", Curve((0, 1), (0.42, 1.5), (GO, 1.55), (HIT, 1.2), (HIT + 0.06, 2.1), (HIT + 0.4, 0.9),
                                  (T, 1))),
        drawn("sprite/bubble-a", "color.a", still(0)), drawn("sprite/bubble-b", "color.a", still(0)),
    ]
    fierce = ("eye-fierce-near", "eye-fierce-far")
    object_tracks = eyes((0, "eye-open"), (0.1, "eye-half"), (0.16, fierce), (HIT + 0.2, "eye-closed"),
                         (HIT + 0.3, "eye-half"),
                         (HIT + 0.35, "eye-open"))
    object_tracks.append(shown("sprite/mouth", (0, "mouth-smile"), (0.14, "mouth-grit"), (GO + 0.03, "mouth-roar"),
                               (HIT + 0.26, "mouth-oh"), (HIT + 0.45, "mouth-smile")))
    # A puddle where the bell came down. A decal neither moves nor fades, so each frame of it is one: where one ends the
    # next begins.
    SPOT, splat, splat_triggers, at = 1.82, [], [], HIT
    for frame, seconds in enumerate((0.05, 0.05, 0.5, 0.06, 0.06, 0.06)):
        name = f"splat-{frame}"
        splat.append(effect(name, "decal", "bone/root", seconds, positionX=SPOT, positionY=-0.02,
                            texture="fx/splat.png",
                            textureSheetTilesX=3, textureSheetTilesY=2, textureSheetFrame=frame, decalPixelsPerUnit=200,
                            sortingOrder=-5))
        splat_triggers.append({"time": round(at, 9), "source": "ground", "effects": [name]})
        at += seconds
    effects = [
        lamp(T),
        *(effect(name, "light", "bone/bell", 0.05, positionY=-0.4, color=rgba("#ffc764"), lightIntensity=bright,
                 lightRadius=1.3, sortingOrder=17) for name, bright in (("flare", 0.26), ("afterglow", 0.12))),
        effect("swish", "trail", "bone/bell", HIT - GO + 0.04, positionY=-0.32, trailWidth=0.5, trailTime=0.15,
               sortingOrder=7,
               texture="fx/swish.png",
               startColorMin=rgba("#ffd25c", 0.95), startColorMax=rgba("#ff7a3c", 0)),
        drops("spatter", "fx/nectar.png", 15, 17, 3, 6.5, 0.09, 0.2, 0.25, 55, positionX=SPOT, positionY=0.08,
              rotationX=-90, sortingOrder=21,
              velocityOverLifetime=axes(between(0.2, 2.2), "World", y=fixed(0), z=fixed(0))),
        effect("shock", "particle", "bone/root", 0.1, positionX=SPOT, positionY=0.02, maxParticles=2,
               startLifetimeMin=0.28,
               startLifetimeMax=0.28, startSizeMin=2.4, startSizeMax=2.4, texture="fx/ring.png", sortingOrder=-4,
               color=rgba("#ffffff", 0.9), sizeOverLifetime=axes(over_life((0, 0.15, 4, 4), (1, 1, 0, 0)),
                                                                 y=over_life((0, 0.05, 1.2, 1.2), (1, 0.3, 0, 0))),
               colorOverLifetime=fading((0, "#ffffff", 1), (0.4, "#ffffff", 0.8), (1, "#ffffff", 0)),
               bursts=[burst(0, 1, 1)]),
        *splat,
    ]
    events = [
        {"time": 0.12, "type": "cue", "cue": "attack.windup"},
        {"time": GO, "type": "sound", "file": "sounds/swing.wav", "volume": 0.8},
        {"time": GO, "type": "impulse", "x": 1.5, "y": 0.2},
        {"time": HIT, "type": "attackHit"},
        {"time": HIT, "type": "sound", "file": "sounds/hit.wav"},
        {"time": HIT, "type": "cameraShake", "amount": 0.45},
        {"time": HIT, "type": "spriteEffect", "region": "impact", "x": 0, "y": -0.5, "bone": "bell",
         "durationSeconds": 0.12,
         "scale": 1, "sortingOrder": 30},
    ]
    return document("attack", "Bogbell: bell blow", T, False, tracks, object_tracks, events, effects, [
        {"time": 0, "source": "bell", "effects": ["lamp"]},
        {"time": GO - 0.02, "source": "bell", "effects": ["swish"]},
        {"time": HIT, "source": "bell", "effects": ["flare", "spatter", "shock"]}, *splat_triggers[:2],
        {"time": round(HIT + 0.05, 9), "source": "bell", "effects": ["afterglow"]}, *splat_triggers[2:]])


# ---------------------------------------------------------------------------------------------------------------
# Documents
# ---------------------------------------------------------------------------------------------------------------

def document(name, title, duration, loop, tracks, object_tracks, events, effects, triggers):
    return {"schemaVersion": 1, "type": "enemyAnimation", "id": f"{NAMESPACE}:enemy-animation/bogbell/{name}",
            "enemy": f"{NAMESPACE}:enemy/bogbell", "displayName": title, "durationSeconds": duration, "frameRate": RATE,
            "loop": loop, "tracks": tracks, "objectTracks": object_tracks, "events": events, "effects": effects,
            "effectTriggers": triggers, "source": {"tool": "make_clips.py"}}


def number(value):
    return int(value) if isinstance(value, float) and value == int(value) else value


def text_of(value, depth=0):
    """JSON with a line for each thing that fits one, as somebody would write it by hand."""
    if isinstance(value, float):
        value = number(round(value, 9))
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        inner = [f"{json.dumps(key)}: {text_of(item, depth + 1)}" for key, item in value.items()]
    else:
        inner = [text_of(item, depth + 1) for item in value]
    one = ", ".join(inner)
    left, right = ("{ ", " }") if isinstance(value, dict) else ("[", "]")
    if depth > 1 and "\n" not in one and len(one) + 2 * depth < 118:
        return left + one + right
    pad = "\n" + "  " * (depth + 1)
    return left.strip() + pad + ("," + pad).join(inner) + "\n" + "  " * depth + right.strip()


def main():
    clip, home, state = idle()
    for made in (clip, hop(home, state), attack(home, state)):
        name = made["id"].rsplit("/", 1)[1]
        (HERE / f"{name}.json").write_text(text_of(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
