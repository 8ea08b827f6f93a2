#!/usr/bin/env python3
"""tests/cli/bedrock.py PROGRAM: what `convert --to bedrock` writes is read back and played by Bedrock's rules, which are
written here anew, and held against the poses that `zoetrope sample` tells: at 200 times no point is farther off than a
thousandth of a block. States are worked out by Forge's rules from the same samples.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
NEAR = 1e-3
POINTS = [(0.0, 0.0, 0.0), (1.0, 0.25, 0.5), (0.3, 1.0, 1.0)]  # blocks
failed = 0


def fault(text):
    global failed
    failed += 1
    print("FAILED:", text)


def run(*args, code=0):
    done = subprocess.run([program, *args], capture_output=True, text=True, timeout=60)
    if done.returncode != code:
        fault(f"{' '.join(args)}: exit code {done.returncode}, {code} is wanted\n{done.stderr}")
    return done


# ---------------------------------------------------------------------------------------------------- matrices

def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(m, p):
    return [sum(m[i][k] * p[k] for k in range(3)) for i in range(3)]


def about(axis, degrees):
    """Right-handed rotation about an axis of length 1."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y, z = axis
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def diagonal(s):
    return [[s[i] if i == j else 0.0 for j in range(3)] for i in range(3)]


def to_bedrock(p):
    return [8 - 16 * p[0], 16 * p[1], 16 * p[2] - 8]


# ---------------------------------------------------------------------------------------------------- Bedrock's rules

def at_keys(keys, t, rest):
    """A channel: a list that stands still, or keys by time, straight from one to the next."""
    if keys is None:
        return rest
    if isinstance(keys, list):
        return keys
    stops = [(float(k), v) for k, v in keys.items()]
    if [s for s, _ in stops] != sorted({s for s, _ in stops}):
        fault("keys do not rise")
    if t <= stops[0][0]:
        return stops[0][1]
    for (t0, a), (t1, b) in zip(stops, stops[1:]):
        if t < t1:
            p = (t - t0) / (t1 - t0)
            return [a[i] + (b[i] - a[i]) * p for i in range(3)]
    return stops[-1][1]


def turn(r):
    """Of angles in a file: about x, then y, then z; x and z count the other way round."""
    return times(about((0, 0, 1), -r[2]), times(about((0, 1, 0), r[1]), about((1, 0, 0), -r[0])))


def bone_point(geometry, values, name, p):
    """A point of the model, in Bedrock's px, as the bone and those above it carry it."""
    while name is not None:
        bone = geometry[name]
        rotation, position, scale = values.get(name, ([0, 0, 0], [0, 0, 0], [1, 1, 1]))
        off = [(p[i] - bone["pivot"][i]) * scale[i] for i in range(3)]
        moved = apply(turn(rotation), off)
        p = [bone["pivot"][i] + position[i] + moved[i] for i in range(3)]
        name = bone.get("parent")
    return p


def play(animation, t):
    """The values of all bones at a time of the animation's own."""
    length = animation["animation_length"]
    t = t % length if animation["loop"] is True else min(max(t, 0.0), length)
    return {name: (at_keys(bone.get("rotation"), t, [0, 0, 0]), at_keys(bone.get("position"), t, [0, 0, 0]),
                   at_keys(bone.get("scale"), t, [1, 1, 1])) for name, bone in animation["bones"].items()}


def molang(text, variables, life_time):
    """An expression as Python has it."""
    names = {"mod": math.fmod, "floor": math.floor, "ceil": math.ceil, "min": min, "max": max,
             "clamp": lambda v, a, b: min(max(v, a), b)}
    if re.search(r"[^a-z0-9_.+\-*/(), <>=&]", text):
        fault(f"no Molang: {text}")
    text = re.sub(r"math\.([a-z]+)", r"\1", text).replace("&&", " and ")
    text = re.sub(r"variable\.([a-z0-9_]+)", lambda m: f"({float(variables[m[1]])!r})", text)
    return float(eval(text.replace("query.life_time", repr(life_time)), {"__builtins__": {}}, names))


# ---------------------------------------------------------------------------------------------------- Forge's rules

class Rig:
    """Poses of an armature's clips, as `zoetrope sample` tells their channels."""

    def __init__(self, path, armature):
        self.path, self.joints, self.kept = path, list(armature["joints"]), {}

    def ask(self, clip, moments):
        moments = sorted({m - math.floor(m) for m in moments} - {m for c, m in self.kept if c == clip})
        for i in range(0, len(moments), 500):
            out = run("sample", self.path, "--clip", clip, "--at", ",".join(f"{m:.17f}" for m in moments[i:i + 500]))
            for m, row in zip(moments[i:i + 500], json.loads(out.stdout)["samples"]):
                self.kept[clip, m] = row

    def parts(self, clip, t, joint):
        """Translation of the corner, rotation, scale."""
        t -= math.floor(t)
        if (clip, t) not in self.kept:
            self.ask(clip, [t])
        row = self.kept[clip, t]
        offset, axis, scale, origin = ([row.get(f"{joint}.{what}_{k}", rest) for k in "xyz"] for what, rest in
                                       (("offset", 0.0), ("axis", 0.0), ("scale", 1.0), ("origin", 0.5)))
        size = math.sqrt(sum(k * k for k in axis))
        rotation = about([k / size for k in axis], row.get(f"{joint}.angle", 0.0)) if size > 1e-6 else diagonal([1] * 3)
        back = apply(times(rotation, diagonal(scale)), origin)
        return [origin[i] + offset[i] - back[i] for i in range(3)], rotation, scale


def slerp(a, b, p):
    """Two rotations on the short way."""
    way = times(b, [list(row) for row in zip(*a)])
    cosine = min(1.0, max(-1.0, (way[0][0] + way[1][1] + way[2][2] - 1) / 2))
    axis = [way[2][1] - way[1][2], way[0][2] - way[2][0], way[1][0] - way[0][1]]
    size = math.sqrt(sum(k * k for k in axis))
    return a if size < 1e-9 else times(about([k / size for k in axis], math.degrees(math.acos(cosine)) * p), a)


def blend(a, b, p):
    p = min(1.0, max(0.0, p))
    mix = [[x + (y - x) * p for x, y in zip(a[k], b[k])] for k in (0, 2)]
    return mix[0], slerp(a[1], b[1], p), mix[1]


def carry(parts, p):
    moved = apply(times(parts[1], diagonal(parts[2])), p)
    return [parts[0][i] + moved[i] for i in range(3)]


# ---------------------------------------------------------------------------------------------------- creatures

def track(variable, samples, interpolation="linear"):
    return {"variable": variable, "type": "uniform", "interpolation": interpolation, "samples": samples}


def clip(loop=True, events=None, **joints):
    return {"loop": loop, "joint_clips": joints, "events": events or {}}


def element(start, end, **more):
    return {"from": start, "to": end, "faces": {side: {"texture": "#skin"} for side in
                                               ("down", "up", "north", "south", "west", "east")}, **more}


MODEL = {"textures": {"skin": "pond:block/frog"}, "elements": [
    element([4, 0, 4], [12, 4, 12]),
    element([4, 4, 4], [12, 6, 12], rotation={"origin": [8, 4, 12], "axis": "x", "angle": 22.5, "rescale": True}),
    element([2, 0, 2], [4, 3, 4], rotation={"origin": [3, 0, 3], "axis": "y", "angle": -45}),
    element([12, 0, 2], [14, 3, 4], rotation={"origin": [13, 1, 3], "axis": "z", "angle": 45}),
    element([6, 6, 6], [10, 8, 10])]}
JOINTS = {"lid": {"1": [1.0]}, "leg": {"2": [1.0]}, "Leg": {"3": [0.5]}, "hat": {"4": [1.0]}}
HINGE = [track("origin_y", [0.25], "nearest"), track("origin_z", [0.75], "nearest")]
CLIPS = {
    "hop": clip(events={"0.5": "croak", "0.75": "!transition:sit"},
                lid=[track("offset_y", [0, 0.25, 0.5, 0.1]), track("offset_x", [0.125, -0.5])]),
    "nod": clip(False, lid=[track("axis_x", [1], "nearest"), track("angle", [0, 60, -30]), *HINGE]),
    "turn": clip(leg=[track("axis_y", [1]), track("angle", [0, 120, 240]), track("origin_x", [0.2])],
                 lid=[track("axis_z", [-2]), track("angle", [10, 100]), *HINGE]),
    "skew": clip(Leg=[track("axis_x", [1]), track("axis_y", [2]), track("axis_z", [-1]), track("angle", [0, 120, 240]),
                      track("offset_x", [0, 0.3]), track("origin_y", [0.1, 0.4])]),
    "swell": clip(hat=[track("scale_x", [1, -1.5, 2]), track("scale_y", [1, 0.5])], leg=[track("scale", [0.5, 2])]),
    "both": clip(hat=[track("axis_x", [1]), track("angle", [0, 90, 180, 270])],
                 leg=[track("scale_z", [1, 3]), track("axis_z", [1]), track("axis_y", [0.3, 1]), track("angle", [0, 170])]),
    "steps": clip(hat=[track("offset_x", [0, 0.5, 1], "nearest")],
                  leg=[track("axis_x", [1]), track("angle", [0, 90, 180], "nearest")]),
    "still": clip(hat=[track("axis_x", [1]), track("axis_z", [1]), track("angle", [200]), track("offset_z", [0.5])]),
    "wide": clip(hat=[track("axis_y", [1]), track("angle", [70]), track("scale_x", [2]), track("offset_y", [0.25])]),
}
C = "pond:block/frog@"
MACHINE = {
    "parameters": {"length": 2, "since": ["-/", "#click", "#length"], "third": ["/+", 3, 0.25]},
    "clips": {"sit": C + "still", "up": ["apply", C + "nod", 0.75],
              "walk": ["apply", C + "skew", "#third"],
              "rise": ["trigger_positive", ["slerp", C + "still", C + "wide", "#identity", "#since"],
                       ["compose", ["-", 1], "#since"], "!transition:up"],
              "stir": ["slerp", ["apply", C + "still", 0.2], C + "turn", ["/", 2], 0.3],
              "mill": ["slerp", ["apply", C + "turn", ["/", 2]], ["apply", C + "both", ["/", 3]], "#identity", 0.4],
              "hurry": ["apply", C + "hop", ["*", "#speed"]]},
    "states": ["sit", "rise", "up", "walk", "stir", "mill", "hurry"],
    "transitions": {"sit": ["rise", "walk"], "rise": "up", "up": ["sit", "stir", "mill"], "walk": "sit", "hurry": "sit"},
    "start_state": "sit"}


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# ---------------------------------------------------------------------------------------------------- comparing

def compare(what, geometry, values, poses):
    """The worst distance, in blocks, of all points that all joints carry."""
    worst = 0.0
    for joint, parts in poses.items():
        for p in POINTS:
            ours = to_bedrock(carry(parts, p))
            theirs = bone_point(geometry, values, NAMES[joint], to_bedrock(p))
            worst = max(worst, math.dist(ours, theirs) / 16)
    if not worst <= NEAR:
        fault(f"{what}: {worst:.6f} blocks off")
    return worst


NAMES = {"lid": "lid", "leg": "leg", "Leg": "Leg_2", "hat": "hat"}
MOMENTS = [(i + 0.377) / 200 for i in range(200)]


def check_clips(rig, geometry, animations):
    for name in CLIPS:
        rig.ask(name, MOMENTS)
        animation = animations[f"animation.frog.pond_block_frog_{name}"]
        worst = max(compare(f"clip {name} at {t}", geometry, play(animation, t),
                            {j: rig.parts(name, t, j) for j in rig.joints}) for t in MOMENTS)
        keys = sum(len(c) for b in animation["bones"].values() for c in b.values() if isinstance(c, dict))
        print(f"{name}: {worst:.6f} blocks off at most, {keys} keys")


def state_pose(rig, state, t, variables, joint):
    since = (t - variables["click"]) / 2
    if state == "sit":
        return rig.parts("still", t, joint)
    if state == "up":
        return rig.parts("nod", 0.75, joint)
    if state == "walk":
        return rig.parts("skew", t / 3 + 0.25, joint)
    if state == "rise":
        return blend(rig.parts("still", 0.0, joint), rig.parts("wide", 0.0, joint), since)
    if state == "stir":
        return blend(rig.parts("still", 0.2, joint), rig.parts("turn", t / 2, joint), 0.3)
    if state == "hurry":
        return rig.parts("hop", t * variables["speed"], joint)
    return blend(rig.parts("turn", t / 2, joint), rig.parts("both", t / 3, joint), 0.4)


def check_states(rig, geometry, animations, controller, entity):
    variables = {"click": 3.5, "speed": 1.7}
    for clip_name, rate in (("skew", 3), ("turn", 2), ("both", 3)):
        rig.ask(clip_name, [m * 12 / rate + (0.25 if clip_name == "skew" else 0) for m in MOMENTS])
    rig.ask("hop", [m * 12 * variables["speed"] for m in MOMENTS])
    for state in MACHINE["states"]:
        shown = controller["states"][state]["animations"]
        if len(shown) != 1 or not isinstance(shown[0], str):
            fault(f"state {state} plays {shown}")
            continue
        animation, worst = animations[entity["animations"][shown[0]]], 0.0
        for t in (m * 12 for m in MOMENTS):
            clock = molang(animation["anim_time_update"], variables, t) if "anim_time_update" in animation else t
            worst = max(worst, compare(f"state {state} at {t}", geometry, play(animation, clock),
                                       {j: state_pose(rig, state, t, variables, j) for j in rig.joints}))
        print(f"state {state}: {worst:.6f} blocks off at most")


def check_machine(controller, scripts):
    """Ticks of a script that asks for `rise` at 3.5 s, where the clip that shows it ends two seconds later."""
    variables, state, seen = {"click": 0.0, "speed": 1.0}, controller["initial_state"], []
    for line in scripts["initialize"]:
        name, value = re.fullmatch(r"variable\.(\w+) = (.+);", line).groups()
        variables.setdefault(name, molang(value, variables, 0.0))
    for tick in range(200):
        t = tick / 20
        if tick == 70:
            variables["click"], variables["request"] = t, MACHINE["states"].index("rise") + 1
        for line in scripts["pre_animation"]:
            name, value = re.fullmatch(r"variable\.(\w+) = (.+);", line).groups()
            variables[name] = molang(value, variables, t)
        for way in controller["states"][state]["transitions"]:
            (to, when), = way.items()
            if molang(when, variables, t) != 0.0:
                state = to
                variables["request"] = 0.0
                seen.append((to, tick))
                break
    if seen != [("rise", 70), ("up", 110)]:
        fault(f"the machine went {seen}")


def check_cubes(geometry):
    """Corners of cubes, turned by their own rotation, against the elements of the model."""
    bones = {"root": [0], "lid": [1], "leg": [2], "Leg_2": [3], "hat": [4]}
    for name, elements in bones.items():
        for cube, e in zip(geometry[name]["cubes"], (MODEL["elements"][i] for i in elements), strict=True):
            rule = e.get("rotation", {"origin": [0, 0, 0], "axis": "x", "angle": 0})
            axis = "xyz".index(rule["axis"])
            more = 1 / math.cos(math.radians(22.5 if abs(rule["angle"]) == 22.5 else 45)) if rule.get("rescale") else 1
            for corner in range(8):
                p = [(e["from"], e["to"])[corner >> i & 1][i] - rule["origin"][i] for i in range(3)]
                p = apply(about([int(i == axis) for i in range(3)], rule["angle"]), p)
                p = [(p[i] * (1 if i == axis else more) + rule["origin"][i]) / 16 for i in range(3)]
                q = [cube["origin"][i] + cube["size"][i] * ((corner >> i & 1) ^ (i == 0)) for i in range(3)]
                pivot = cube.get("pivot", [0, 0, 0])
                q = apply(turn(cube.get("rotation", [0, 0, 0])), [q[i] - pivot[i] for i in range(3)])
                if math.dist(to_bedrock(p), [q[i] + pivot[i] for i in range(3)]) > 1e-4:
                    fault(f"a cube of {name} has another corner {corner}")
            for side, face in cube["uv"].items():
                if set(face) != {"uv", "uv_size"} or (face["uv_size"][0] < 0) != (side in ("up", "down")):
                    fault(f"face {side} of {name}: {face}")


def check_shapes(files):
    geometry, animation, controllers, entity = files
    if (geometry["format_version"], animation["format_version"], controllers["format_version"],
            entity["format_version"]) != ("1.12.0", "1.8.0", "1.19.0", "1.10.0"):
        fault("versions of the formats")
    for name, one in animation["animations"].items():
        if not (name.startswith("animation.frog.") and one["loop"] in (True, "hold_on_last_frame")
                and one["animation_length"] > 0 and set(one) <= {"loop", "animation_length", "anim_time_update", "bones",
                                                                  "timeline"}):
            fault(f"shape of {name}")
        for bone in one["bones"].values():
            for channel, keys in bone.items():
                rows = keys.values() if isinstance(keys, dict) else [keys]
                if channel not in ("rotation", "position", "scale") or any(len(r) != 3 for r in rows):
                    fault(f"channel {channel} of {name}")
    hop = animation["animations"]["animation.frog.pond_block_frog_hop"]["timeline"]
    if hop != {"0.5": ["variable.event_croak = 1;"], "0.75": ["variable.request = 1;"]}:
        fault(f"timeline of hop: {hop}")
    d = entity["minecraft:client_entity"]["description"]
    if d["textures"] != {"skin": "textures/block/frog", "default": "textures/block/frog"} or d["geometry"] != {"default": "geometry.frog"}:
        fault("what the entity names")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        machine, armature = "assets/pond/asms/block/frog.json", "assets/pond/armatures/block/frog.json"
        write(machine, MACHINE)
        write(armature, {"joints": JOINTS, "clips": CLIPS})
        write("assets/pond/models/block/frog.json", MODEL)
        done = run("convert", machine, "--to", "bedrock", "-o", "out")
        if "out: frog, 4 files" not in done.stdout or "bedrock/inexact" in done.stderr:
            fault(f"convert says {done.stdout}{done.stderr}")
        run("convert", machine, "--to", "bedrock", "-o", "again", "--quiet")
        for name in os.listdir("out"):
            with open(f"out/{name}", "rb") as one, open(f"again/{name}", "rb") as other:
                if one.read() != other.read():
                    fault(f"{name} is not the same twice")
        files = [read(f"out/frog.{kind}.json") for kind in ("geo", "animation", "animation_controllers", "entity")]
        check_shapes(files)
        geometry = {bone["name"]: bone for bone in files[0]["minecraft:geometry"][0]["bones"]}
        animations = files[1]["animations"]
        controller = files[2]["animation_controllers"]["controller.animation.frog"]
        entity = files[3]["minecraft:client_entity"]["description"]
        rig = Rig(armature, {"joints": JOINTS})
        check_cubes(geometry)
        check_clips(rig, geometry, animations)
        check_states(rig, geometry, animations, controller, entity)
        check_machine(controller, entity["scripts"])
        # what cannot be converted leaves nothing behind
        run("convert", machine, "--to", "bedrock", "-o", "-", code=2)
        run("convert", armature, "--to", "bedrock", "-o", "never", code=1)
        write("./bad.json", {**MACHINE, "start_state": "nobody"})
        run("convert", "bad.json", "--to", "bedrock", "-o", "never", code=1)
        if os.path.exists("never"):
            fault("a folder is left behind")
    sys.exit(1 if failed else 0)


main()
