#!/usr/bin/env python3
"""gen_corpus.py OUTDIR

Writes the JSON files that the benchmarks read. The same bytes every time: all figures come from one seeded generator.

anim_small.json   one animation definition in one line, about 7 KB
anim_pretty.json  the same, indented by two spaces
anim_valid.json   one without fault and without advice: what a checker passes from end to end, about 8 KB
anim_big.json     2,500 definitions in one array, about 18 MB
enemy.json        one pack of Hermite tracks: many long numbers, about 3 MB
enemy_clip.json   a clip without fault with as many tracks as are allowed, about 4 MB
particles.json    a clip with two effects that hold 100,500 particles between them, their ages spread
text.json         translated texts: long strings, most of them not ASCII, some with escapes, about 2 MB
"""
import json
import os
import random
import sys

PROPERTIES = [layer + "." + name
              for layer, names in (("transition", "scaleX scaleY x y rotation opacity"), ("sway", "rotation"),
                                   ("bounce", "x y scaleX scaleY"), ("breathe", "scaleX scaleY"))
              for name in names.split()]
EASINGS = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "spring-soft", "spring-snappy", "overshoot",
           "anticipate"]


class Corpus:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def figure(self, low, high, decimals):
        return round(self.random.uniform(low, high), decimals)

    def easing(self):
        choice = self.random.randrange(len(EASINGS) + 1)
        if choice < len(EASINGS):
            return EASINGS[choice]
        x1, y1, x2, y2 = (self.figure(*span, 3) for span in ((0, 1), (-0.5, 1.5), (0, 1), (-0.5, 1.5)))
        return f"cubic-bezier({x1:g}, {y1:g}, {x2:g}, {y2:g})"

    def keyframe(self, at):
        bound = self.random.random() < 0.4
        value = ({"base": self.figure(0, 1, 2), "parameter": "strength", "amount": self.figure(-1, 1, 4)} if bound
                 else self.figure(-20, 20, 4))
        return {"at": round(at, 4), "value": value, "easing": self.easing()}

    def definition(self, number, keys=7):
        return {
            "version": 1,
            "id": f"user:anim-{number:05d}",
            "name": f"Animation {number} \u52d5",
            "kind": "interaction",
            "durationMs": self.random.randint(100, 4000),
            "repeat": {"mode": self.random.choice(["once", "loop"])},
            "tracks": [{"property": name, "keyframes": [self.keyframe(k / (keys - 1)) for k in range(keys)]}
                       for name in PROPERTIES],
            "events": [{"at": self.figure(0, 1, 3), "type": "particle",
                        "effect": self.random.choice(["confetti", "star-burst", "sparkle"])}],
            "parameters": {"strength": {"default": 1, "min": 0, "max": 1.8}},
        }

    def valid(self, keys=7):
        definition = dict(self.definition(0, keys), repeat={"mode": "once"})
        easings = [self.easing() for _ in range(keys)] # one a time: tracks of a layer must agree
        for track in definition["tracks"]:
            rest = 1 if "scale" in track["property"] or "opacity" in track["property"] else 0
            for number, key in enumerate(track["keyframes"]):
                key["easing"] = easings[number]
                key["value"] = ({"base": 0.5, "parameter": "strength", "amount": self.figure(-0.25, 0.25, 4)}
                                if number % 2 else self.figure(0.1, 1, 4))
            key["value"] = rest
        return definition

    def hermite_key(self, time):
        tangent = self.random.uniform
        return {"time": round(time, 6), "value": tangent(-3, 3),
                "inTangent": self.random.choice([None, tangent(-9, 9)]), "outTangent": tangent(-9, 9)}

    def enemy(self, bones=160, keys=31, tracks=960, step=12):
        components = ("position.x", "position.y", "rotation.z", "scale.x", "scale.y", "color.a")
        return {"schemaVersion": 1, "type": "enemyAnimation", "id": "core:enemy-animation/slime",
                "enemy": "core:enemy/slime", "displayName": "Slime", "durationSeconds": 2.5, "frameRate": 60,
                "loop": True,
                "tracks": [{"target": f"bone/b{bone}", "property": component,
                            "keys": [self.hermite_key(k / step) for k in range(keys)]}
                           for bone in range(bones) for component in components][:tracks]}

    def particles(self, effects=2, alive=100500, life=(1.5, 2.5)):
        white, plain = dict(r=1, g=1, b=1, a=1), {"multiplier": 1, "constantMin": 0, "constantMax": 0}
        still = {"mode": "Constant", "curveMin": [], "curveMax": [], **plain}

        def curve(*keys):
            return {**still, "mode": "Curve",
                    "curveMax": [dict(zip(("time", "value", "inTangent", "outTangent"), key)) for key in keys]}

        def gradient(*colours):
            return {"mode": "Gradient", "gradientMin": [],
                    "gradientMax": [{"time": time, "color": dict(zip("rgba", colour))} for time, colour in colours]}

        def spans(name, low, high):
            return {name + "Min": low, name + "Max": high}

        rate = 2 * alive / effects / sum(life)
        effect = {
            "kind": "particle", "trigger": "animation", "index": 0, "target": "bone/root", "durationSeconds": 5, "loop": True,
            "maxParticles": 100000, **spans("startLifetime", *life), **spans("startSpeed", 1, 3), **spans("startSize", 0.1, 0.3),
            **spans("gravity", 0, 0), "scaleX": 1, "scaleY": 1, "scaleZ": 1, "simulationSpace": "World",
            "startColorMin": white, "startColorMax": dict(white, g=0.5), **spans("emissionRate", rate, rate),
            "shapeEnabled": True, "shape": "Cone", "shapeRadius": 1, "shapeAngle": 25, "textureSheetTilesX": 1,
            "textureSheetTilesY": 1, "textureSheetSprites": [], "sortingOrder": 0, "source": {},
            "velocityOverLifetime": {"enabled": True, "separateAxes": True, "space": "World", "z": still,
                                     "x": curve((0, 0, 0, 1), (0.5, 1, 0.5, 0.5), (1, 0.25, -2, 0)),
                                     "y": curve((0, 2, 0, -1), (0.4, 1, -1, -1), (1, -1, -3, 0))},
            "sizeOverLifetime": {"enabled": True, "separateAxes": False,
                                 "x": curve((0, 0.2, 0, 3), (0.3, 1, 0, 0), (1, 0, -2, 0))},
            "rotationOverLifetime": {"enabled": True, "separateAxes": False,
                                     "z": curve((0, 4, 0, -2), (0.6, 2, -1, -1), (1, 0.5, 0, 0))},
            "colorOverLifetime": gradient((0, (1, 1, 0.5, 0)), (0.2, (1, 0.8, 0.3, 1)), (1, (0.5, 0.1, 0, 0))),
        }
        names = [f"crowd-{number}" for number in range(effects)]
        return {"schemaVersion": 1, "type": "enemyAnimation", "id": "core:enemy-animation/crowd", "enemy": "core:enemy/crowd",
                "displayName": "Crowd", "durationSeconds": 60, "frameRate": 60, "loop": False,
                "tracks": [{"target": "bone/root", "property": "position.x", "keys": [dict(self.hermite_key(0), value=0)]}],
                "effects": [{"id": name, **effect} for name in names],
                "effectTriggers": [{"time": 0, "source": "crowd", "effects": names}]}

    def texts(self, count=10000):
        words = ["\u5f3e\u3080", "\u63fa\u308c\u308b", "hop", "springen", "na\u00efve",
                 "\u043f\u0440\u044b\u0436\u043e\u043a", "\U0001f431", "\"quoted\"", "two\nlines",
                 "sway gently in the wind"]
        return {f"text.{i:05d}": " ".join(self.random.choice(words) for _ in range(16)) for i in range(count)}


def write(folder, name, value, indent=None):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    corpus = Corpus(12345)
    small = corpus.definition(0)
    write(folder, "anim_small.json", small)
    write(folder, "anim_pretty.json", small, 2)
    write(folder, "anim_big.json", [corpus.definition(i) for i in range(2500)])
    write(folder, "anim_valid.json", Corpus(7).valid())
    write(folder, "enemy.json", corpus.enemy())
    write(folder, "enemy_clip.json", Corpus(5).enemy(171, 40, 1024, 16))
    write(folder, "particles.json", corpus.particles())
    write(folder, "text.json", corpus.texts())


main()
