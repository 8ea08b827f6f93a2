#!/bin/sh
# tests/cli/forge-info.sh PROGRAM: what `info` tells of Forge's files: dialect and readings, states and what leads out of
# them, where parameters and controls count, joints; the same in JSON.
set -u
. "$(dirname "$0")/common.sh"
documents=$here/../vectors/seed/forge

line_has() { # PATTERN: of a whole line
    grep -qxe "$1" out || fault "no line is: $1"
}
json_is() { # EXPRESSION VALUE: of `d`
    got=$(python3 -c "import json, sys; d = json.load(open('out')); print(json.dumps($1))") || fault "no JSON: $1"
    [ "$got" = "$2" ] || fault "$1 is $got, not $2"
}

# a machine of the draft
expect 0 info "$documents/afsm/engine.json"
line_has 'dialect       draft, .*'
line_has '.* uniform samples: pass, number i of n at i/n of one pass .*'
line_has '.* counted repeats: length, .*'
out_lacks 'keys of B3D'
line_has '  idle, the first, shows default'
line_has '      to working: instant'
line_has '  working: moving; by speed'
line_has '  speed = x: .*'
line_has '      in clip working; state working'
line_has '      a factor of time: .*'
line_has '  progress = 12 .*'
line_has '      in v of the faces of element 2: north, south, west, east'
line_has '  ring moves 2 elements'
[ "$(grep -c 'a factor of time' out)" = 1 ] || fault 'progress is no factor of time'
expect 0 info --draft-uniform samples --draft-repeat letter "$documents/afsm/engine.json"
line_has '.* uniform samples: samples, number i at time i .*'
line_has '.* counted repeats: letter, .*'
expect 0 info --output json --draft-repeat letter "$documents/afsm/engine.json"
json_is 'd["reading"]' '{"dialect": "draft", "draftUniform": "pass", "draftRepeat": "letter"}'
json_is 'd["machine"]["states"][0]["isFirst"]' true
json_is 'd["machine"]["states"][1]["transitions"]' '[{"to": "idle", "type": "instant", "blendMs": 0}]'
json_is '[(c["name"], c["isFactorOfTime"]) for c in d["controls"]]' '[["speed", true], ["progress", false]]'
json_is 'd["controls"][0]["default"]' '{"mul": 1, "add": 0}'
json_is 'd["controls"][0]["usedBy"]' '{"parameters": [], "clips": ["working"], "states": ["working"], "uv": []}'
json_is 'd["controls"][1]["usedBy"]["uv"][0]["faces"]' '["north", "south", "west", "east"]'
json_is 'd["joints"][0]["elements"]' 2
# its animation, and its model, alone
expect 0 info "$documents/animation/engine.json"
line_has 'dialect       draft, .*'
line_has '  ring moves 2 elements'
expect 0 info "$documents/models/engine.json"
out_lacks 'dialect'
line_has '      in v of the faces of element 2: .*'

# one that shows a B3D model
chest=$root/examples/forge/afsm/chest.json
expect 0 info "$chest"
line_has '.*keys of B3D: blitz, .*'
line_has '      to open: lerp, 1000 ms'
line_has '  node/lid moves [0-9]* vertices'
expect 0 info --b3d-keys forge "$chest"
line_has '.*keys of B3D: forge, .*'
expect 0 info --output json "$chest"
json_is 'd["reading"]["b3dKeys"]' '"blitz"'
json_is 'd["machine"]["states"][0]["transitions"][0]' '{"to": "open", "type": "lerp", "blendMs": 1000}'
expect 0 info --graph dot "$chest"
out_has 's1 -> s2 [style=dashed, label="1000 ms"]'
expect 0 info --graph mermaid "$chest"
out_has 's1 -.->|"1000 ms"| s2'

# the dialect that shipped, whose machine is called as the model that it moves
mkdir -p assets/demo/asms/block assets/demo/armatures/block assets/demo/models/block
cat >assets/demo/asms/block/door.json <<'J'
{"parameters": {"idle": 3, "eased": ["m", 1], "progress": ["-/", "#click", "#cycle"],
                "both": ["compose", "#eased", "#progress"], "spin": ["*", "#speed"], "sum": ["+", "#plain"]},
 "clips": {"closed": ["apply", "demo:block/door@swing", 0], "open": ["apply", "demo:block/door@swing", "#sum"],
           "opening": ["trigger_positive", ["slerp", "#closed", "#open", "#identity", "#both"], ["+-", "#progress", 1],
                       "!transition:open"],
           "spinning": ["trigger_positive", ["apply", "demo:block/door@spin", "#spin"], "#both", "boop"]},
 "states": ["closed", "opening", "open", "spinning"], "start_state": "closed",
 "transitions": {"closed": ["opening", "spinning"], "opening": "open", "spinning": "closed"}}
J
cat >assets/demo/armatures/block/door.json <<'J'
{"joints": {"leaf": {"0": [1], "1": [1]}, "knob": {"1": [0.5]}}, "clips": {
 "swing": {"loop": false, "joint_clips": {"leaf": [
   {"variable": "angle", "type": "uniform", "interpolation": "linear", "samples": [0, 90]},
   {"variable": "axis_y", "type": "uniform", "interpolation": "nearest", "samples": [1]},
   {"variable": "origin_x", "type": "uniform", "interpolation": "nearest", "samples": [0]}]}, "events": {"0.5": "creak"}},
 "spin": {"loop": true, "joint_clips": {"knob": [
   {"variable": "scale", "type": "uniform", "interpolation": "linear", "samples": [1, 2]}]},
  "events": {"0.9": "!transition:closed", "0.25": "tick"}}}}
J
cat >assets/demo/models/block/door.json <<'J'
{"textures": {"a": "demo:block/wood"}, "elements": [
 {"from": [0, 0, 0], "to": [16, 16, 2], "faces": {"north": {"texture": "#a"}, "south": {"texture": "#a"}}},
 {"from": [12, 7, 2], "to": [14, 9, 3], "faces": {"south": {"texture": "#a"}}}]}
J
door=assets/demo/asms/block/door.json
expect 0 info "$door"
line_has 'dialect       shipped, .*'
line_has '.*several states may follow one: .*'
line_has '.*variables origin_x, origin_y and origin_z: since 2017'
out_lacks '1.15 to 1.17 took'
line_has 'states        4; the machine looks at the world every 50 ms, .*'
line_has '      may go to spinning'
line_has '      may go to open, and does by the trigger opening'
line_has '      may go to closed, and does by the event of demo:block/door@spin at 0.9'
line_has '      to no other' # out of open
line_has '  opening: closed, open; by progress, both; asks for open'
line_has '  spinning: demo:block/door@spin; by both, spin; tells boop'
line_has '      in parameter both; clip opening; states opening, spinning'
line_has '  speed, which wants a value: .*'
line_has '      nowhere' # idle
line_has '  at 0.25  notify tick'
line_has '  leaf moves 2 elements'
line_has '  knob moves 1 element'
expect 0 info --output json "$door"
json_is 'd["machine"]["looksEveryMs"]' 50
json_is 'd["machine"]["states"][1]["transitions"]' '[{"to": "open", "byEvents": [{"trigger": "opening"}]}]'
json_is 'd["machine"]["states"][3]["transitions"][0]["byEvents"]' '[{"clip": "demo:block/door@spin", "at": 0.9}]'
json_is '{c["name"]: c["isFactorOfTime"] for c in d["controls"]}' \
    '{"click": false, "cycle": true, "speed": true, "plain": false}'
json_is '[e["at"] for c in d["clips"] for e in c["events"]]' '[0.5, 0.25, 0.9]'
# an armature has the model of its path, if there is one
expect 0 info assets/demo/armatures/block/door.json
line_has '  leaf moves 2 elements'
cp assets/demo/armatures/block/door.json alone.json
expect 0 info alone.json
line_has '      no model is here, .*'
sed 's/"scale"/"scale_z"/' assets/demo/armatures/block/door.json >flat.json
expect 0 info flat.json
line_has '.*1.15 to 1.17 took scale_z and origin_z .*'

# other families have none of this
expect 0 info "$root/examples/petween/slam-land.json"
out_lacks 'dialect'
out_lacks 'joints'
line_has '  duration    .* ms'

# as much as a file can hold is told in no time: ten thousand states, each of ten thousand may follow the first
python3 - <<'P'
import json
names = ["s%d" % i for i in range(10000)]
clips = {n: ["apply", "demo:block/door@swing", ["*", "#c%d" % i]] for i, n in enumerate(names)}
json.dump({"parameters": {}, "clips": clips, "states": names, "transitions": {names[0]: names, names[1]: "s2"},
           "start_state": "s0"}, open("assets/demo/asms/block/many.json", "w"))
P
expect 0 info --output json assets/demo/asms/block/many.json
json_is '[len(d["controls"]), sum(c["isFactorOfTime"] for c in d["controls"])]' "[10000, 10000]"
json_is 'len(d["machine"]["states"][0]["transitions"])' 10000
finish
