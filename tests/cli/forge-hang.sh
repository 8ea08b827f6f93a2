#!/bin/sh
# tests/cli/forge-hang.sh PROGRAM: nothing that Forge's files say makes the program hang or fall: what goes round in circles
# is told with the way round, what is deep or large is told or done in a moment, hours of playing end.
set -u
. "$(dirname "$0")/common.sh"
printf '#!/bin/sh\nexec timeout 20 "%s" "$@"\n' "$program" >bounded # 124: it hangs
chmod +x bounded
program=$work/bounded

mkdir -p armatures/m models/m animation
python3 - <<'P'
import json
def write(name, what):
    with open(name, "w") as file: file.write(what if isinstance(what, str) else json.dumps(what))
def machine(parameters, clips, states=("a",), transitions=None):
    return {"parameters": parameters, "clips": clips, "states": list(states), "transitions": transitions or {},
            "start_state": states[0]}
def draft(clips, states=("a",), transitions=None):
    return {"animation": "d:x", "clips": clips, "states": list(states), "transitions": transitions or {}}
def armature(clips): return {"joints": {"j": {"0": [1]}}, "clips": clips}
def armature_clip(events, loop=False):
    return {"loop": loop, "joint_clips": {"j": [{"variable": "offset_y", "interpolation": "linear", "samples": [0, 1]}]},
            "events": events}

write("armatures/m/c.json", armature({"c": armature_clip({"0.25": "one", "0.75": "two"})}))
write("armatures/m/t.json", armature({to: armature_clip({"0": "!transition:" + to, "0.5": "!transition:" + to}, True)
                                      for to in "ab"}))
write("armatures/m/many.json", armature({"c": armature_clip({str(i / 200): "e" for i in range(200)}, True)}))
write("animation/x.json", {"model": "d:x", "joints": [{"name": "j", "weights": {}}], "clips": [{"name": "main", "tracks": [
    {"joint": "j", "parameter": "y", "type": "uniform", "interpolation": "linear", "samples": [0, 16]}]}]})
cube = {"from": [0, 0, 0], "to": [16, 16, 16], "faces": {"up": {"texture": "#t0"}}}
write("models/x.json", {"textures": {"t0": "d:t"}, "elements": [cube]})

# playing
write("two.json", machine({}, {"a": "d:m/c@c"})) # the one that never returned
write("fast.json", machine({}, {"a": ["apply", "d:m/many@c", ["*", 20]]}))
write("back.json", machine({}, {"a": ["apply", "d:m/c@c", ["*", -1e30]]}))
write("nan.json", machine({}, {"a": ["trigger_positive", ["apply", "d:m/c@c", ["-/", "#identity", 0]], ["*/", 0, 0], "x"]}))
write("control.json", machine({"p": ["*", "#k"]}, {"a": ["apply", "d:m/c@c", "#p"]}))
write("round.json", machine({}, {"a": "d:m/t@b", "b": "d:m/t@a"}, "ab", {"a": "b", "b": "a"}))
write("spin.json", machine({}, {s: ["apply", "d:m/t@" + to, ["*", 200]] for s, to in ("ab", "ba")}, "ab",
                           {"a": ["a", "b"], "b": ["a", "b"]}))
write("draft.json", draft({"a": [{"child": "main", "time": {"rate": -3, "count": "infinity"}}]},
                          transitions={"a -> a": {"type": "lerp", "time": 1e300}}))
count = 3000
write("states.json", machine({}, {"s%d" % i: "#identity" for i in range(count)}, ["s%d" % i for i in range(count)],
                             {"s%d" % i: ["s%d" % ((i + k) % count) for k in range(20)] for i in range(count)}))
many_states = ["s%d" % i for i in range(12000)] # the last of them is looked at as well
write("last.json", machine({}, dict({s: "#identity" for s in many_states},
                                    s11999=["trigger_positive", "#identity", "#identity", "!transition:nowhere"]),
                           many_states, {s: "s0" for s in many_states}))
write("script.json", [{"set": {}}, {"advance_ms": 50}, {"request": "a"}, {"advance_ms": 20000}, {"seek_ms": 10},
                      {"advance_ms": 20000}])
write("control-script.json", [{"set": {"k": 1e308}}, {"advance_ms": 1000}, {"set": {"k": -1e308}}, {"advance_ms": 1000},
                              {"set": {"k": 0}}, {"advance_ms": 1000}])

# circles
write("circle.json", machine({"p": ["compose", "#q", 1], "q": ["+", "#r"], "r": "#p"},
                             {"a": ["apply", "#b", 1], "b": ["slerp", "#c", "#a", 1, 0], "c": "#c"}))
write("draft-circle.json", draft({"a": [{"child": "b", "time": 1}],
                                  "b": [{"type": "lerp", "from": "a", "to": "main", "progress": 1}]}))
for name, parent in ("ab", "bc", "ca"): write("models/%s.json" % name, {"parent": "d:" + parent})
write("models/texture-circle.json", {"textures": {"t0": "#t1", "t1": "#t2", "t2": "#t0"}, "elements": [cube]})

# deep and large
deep = 100000
write("deep-compose.json", json.dumps(machine({"p": 0}, {"a": "#identity"})).replace(
    "0", '["compose", ' * deep + "1" + ", 1]" * deep, 1))
write("deep-apply.json", json.dumps(machine({}, {"a": 0})).replace("0", '["apply", ' * deep + '"#a"' + ", 1]" * deep, 1))
write("deep-draft.json", json.dumps(draft({"a": [{"child": "main", "time": 0}]})).replace(
    "0", '{"rate": ' * deep + "1" + "}" * deep, 1))
write("inner.json", json.dumps(machine({}, {"a": ["apply", "d:m/c@c", 0]})).replace(
    "0", '["compose", ' * 400 + "1" + ", 1]" * 400, 1))
chain = 20000
write("chain.json", machine(dict({"p%d" % i: ["+", "#p%d" % (i + 1)] for i in range(chain)}, **{"p%d" % chain: 1}),
                            {"a": ["apply", "d:m/c@c", "#p0"]}))
write("chain-clips.json", machine({}, dict({"a": "#c0"}, **{"c%d" % i: "#c%d" % (i + 1) for i in range(chain)},
                                           **{"c%d" % chain: "d:m/c@c"})))
write("double.json", machine(dict({"p%d" % i: ["+*", "#p%d" % (i + 1), "#p%d" % (i + 1)] for i in range(64)}, p64=1),
                             {"a": ["apply", "d:m/c@c", "#p0"]}))
write("double-clips.json", machine({}, dict({"a": "#c0"}, c64="d:m/c@c",
    **{"c%d" % i: ["slerp", "#c%d" % (i + 1), "#c%d" % (i + 1), 1, 0] for i in range(64)})))
write("led-back.json", machine({"p%d" % i: ["++", "#p0", "#p%d" % ((i + 1) % chain)] for i in range(chain)}, {"a": "#identity"}))
write("led-back-clips.json", machine({}, dict({"a": "#c0"},
    **{"c%d" % i: ["slerp", "#c0", "#c%d" % ((i + 1) % chain), 0, 0] for i in range(chain)})))
# one armature and one model of a thousand names; the faults of a file are told once, whatever it is called
write("armatures/m/big.json", armature({"c": {"loop": True, "joint_clips": {"j": [
    {"variable": "offset_x", "interpolation": "linear", "samples": [0.5] * 10000}]}, "events": {}}}))
write("models/m/big.json", {"textures": {"t0": "d:t"}, "elements": [cube] * 500})
write("names.json", machine({}, dict({"a": "d:m/big@c"}, **{"c%d" % i: "d%d:m/big@c" % i for i in range(1000)})))
write("armatures/m/broken.json", {"joints": 5, "clips": {}})
write("broken.json", machine({}, {"a": "d:m/broken@c", "b": "d:m/broken#x@c", "c": "d:models/m/broken.json@c", "d": "e:m/broken@c"}))
# as many joints as clips: what is needed for each of them is not needed for each pair
many = 12000
write("many-both-draft.json", {"model": "d:x", "joints": [{"name": "j%d" % i, "weights": {}} for i in range(many)],
                               "clips": [{"name": "c%d" % i, "tracks": [], "loop": True} for i in range(many)]})
write("many-both.json", {"joints": {"j%d" % i: {"0": [1]} for i in range(many)},
                         "clips": {"c%d" % i: armature_clip({}) for i in range(many)}})
# many models of one large parent, and one file of elements that say nothing
write("models/shared.json", {"textures": {"t0": "d:t"}, "elements": [cube] * 1000})
for i in range(40): write("models/m/shared%d.json" % i, {"parent": "d:shared"})
write("crowd.json", machine({}, dict({"a": "#identity"}, **{"c%d" % i: "d:m/shared%d@c" % i for i in range(40)})))
write("room.json", machine({}, dict({"a": "#identity"}, **{"c%d" % i: "d:m/shared%d@c" % i for i in range(16)})))
write("models/nothings.json", '{"textures": {}, "elements": [' + "{}," * 700000 + "{}]}")
write("models/ways.json", {"textures": dict({"t%d" % i: "#t%d" % (i + 1) for i in range(60000)}, t60000="d:t", into="#round0",
    **{"round%d" % i: "#round%d" % ((i + 1) % 100) for i in range(100)}),
    "elements": [{"from": [0, 0, 0], "to": [16, 16, 16], "faces": {"up": {"texture": "#t%d" % (6 * i)}}} for i in range(10000)] +
    [{"from": [0, 0, 0], "to": [16, 16, 16], "faces": {"up": {"texture": "#round0"}, "down": {"texture": "#into"}}}]})
write("models/textures.json", {"textures": dict({"t%d" % i: "#t%d" % (i + 1) for i in range(20000)}), "elements": [cube] * 2000})
P

# ------------------------------------------------------------------------------------------------------------- playing

for name in two fast back nan round spin draft; do
    expect 0 check $name.json
    expect 0 info $name.json
    expect 0 trace $name.json --script script.json
done
expect 1 check last.json
out_has 'forge/event-transition-unknown-state'
expect 0 check states.json
expect 0 info states.json
echo '[{"request": "s1"}, {"advance_ms": 60000}, {"request": "s20"}, {"advance_ms": 60000}]' >states-script.json
expect 0 trace states.json --script states-script.json
expect 0 trace control.json --script control-script.json
echo '[{"advance_ms": 3600000}]' >hour.json
expect 0 trace two.json --script hour.json
[ "$(grep -o '"name": "two"' out | wc -l)" = 3600 ] || fault "an hour does not tell each of its events once"
# thirty years of looks that find nothing are passed over
echo '[{"set": {"k": 0}}, {"advance_ms": 1e12}]' >age.json
expect 0 trace control.json --script age.json
out_has '"t_ms": 1000000000000'
# one state follows another, once a look at most
echo '[{"advance_ms": 600}]' >moment.json
expect 0 trace round.json --script moment.json
[ "$(grep -o '"via": "event"' out | wc -l)" -le 13 ] || fault "more than one state a look"

# ------------------------------------------------------------------------------------------------------------- circles

expect 1 check circle.json
out_has 'p -> q -> r -> p'
out_has 'a -> b -> a'
out_has 'c -> c'
expect 1 check draft-circle.json
out_has 'a -> b -> a'
expect 1 check --format forge-model models/a.json
out_has 'forge/parent-loop'
expect 0 check models/texture-circle.json
out_has 'forge/texture-loop'

# ------------------------------------------------------------------------------------------------------ deep and large

for name in deep-compose deep-apply deep-draft; do
    expect 4 check $name.json
    out_has 'json/depth'
done
for name in inner chain double double-clips; do
    expect 1 check $name.json
    out_has 'too deep or takes too long'
    expect 1 info $name.json
    err_has 'too deep or takes too long'
done
for name in led-back led-back-clips; do
    expect 1 check $name.json
    out_has 'forge/reference-cycle'
done
expect 0 info names.json
out_has 'd:m/big'
expect 1 check broken.json
[ "$(grep -c 'error\[' out)" = 1 ] || fault "a file's fault is told for each of its names"
expect 0 info chain-clips.json
expect 0 check models/textures.json
out_has 'forge/unresolved-texture' # a long way is no circle
expect 0 check models/ways.json
out_has 'the texture "round0" leads in a circle'
out_has 'the texture "into" leads in a circle'
[ "$(grep -c 'warning\[' out)" = 2 ] || fault "ways of textures are told wrongly"
expect 1 check crowd.json
out_has 'error[forge/too-many-elements]: shipped machine: 17000 elements'
out_has 'at: /clips/c16'
[ "$(grep -c 'error\[' out)" = 1 ] || fault "a crowd is told more than once"
expect 1 check models/nothings.json
out_has '700001 elements'
[ "$(grep -c 'error\[' out)" = 1 ] || fault "elements that are too many are told of one by one"
expect 0 check room.json
expect 0 info room.json
expect 0 check many-both-draft.json
expect 0 sample many-both.json --at 0
expect 0 render many-both-draft.json --at 0 --size 16x16 -o o.png # a camera that takes in all clips
expect 0 info many-both.json
out_has 'c11999'
expect 0 info --output json many-both.json
out_has 'c11999'
finish
