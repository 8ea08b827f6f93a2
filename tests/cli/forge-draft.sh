#!/bin/sh
# tests/cli/forge-draft.sh PROGRAM: what is said of faulty files of the draft: each fault once, at its place, with what was
# meant where that can be known; and what stands in for a model that is not there.
set -u
. "$(dirname "$0")/common.sh"
mkdir -p animation models
format=

machine() { # CLIP TRANSITIONS [STATES [TARGET]]
    cat >m.json <<J
{
  ${4:-\"animation\": \"d:a\"},
  "clips": {"one": $1, "two": [{"child": "ramp", "time": 1}]},
  "states": ${3:-[\"one\", \"two\"]},
  "transitions": {$2}
}
J
}
animation() { # JOINTS TRACK: models/m.json is what it moves
    cat >animation/b.json <<J
{
  "model": "d:m",
  "joints": $1,
  "clips": [{"name": "c", "loop": true, "tracks": [$2]}]
}
J
}
says() { # FILE TEXT...: exactly one fault, of which the report has these texts
    file=$1
    shift
    "$program" check $format "$file" >out 2>err
    [ "$(grep -c ': \(error\|warning\)\[' out)" = 1 ] || fault "$file is told of more than once, or not at all"
    for text; do out_has "$text"; done
}
clip() { # PARAMETER TEXT...
    machine "[{\"child\": \"ramp\", \"time\": $1}]" ''
    shift
    says m.json "$@"
}
cat >animation/a.json <<'J'
{"model": "d:m", "joints": [{"name": "j", "weights": {"0": [1, 1, 1, 1, 1, 1, 1, 1]}}], "clips": [{"name": "ramp",
 "loop": true, "tracks": [{"joint": "j", "parameter": "y", "type": "uniform", "interpolation": "linear",
 "samples": [0, 16]}]}]}
J
echo '{"elements": [{"from": [0, 0, 0], "to": [16, 8, 16], "faces": {}}]}' >models/m.json

# parameters
clip '"x"' 'm.json:3:47: error[forge/wrong-type]: draft machine: a parameter must be a number or an object, not "x"'
clip '["*", 2]' 'a number or an object, not an array, as the shipped dialect has it'
clip '{"rate": "#speed"}' 'm.json:3:56:' 'rate must be a number or an object, not "#speed", as the shipped dialect has it'
clip '{"count": "Infinity"}' 'count must be a number, an object or "infinity"' 'did you mean "infinity"?'
clip '{"name": "speed"}' 'a parameter has no member type' '"type": "control" has members like these'
clip '{"weight": 2, "offset": 1}' 'm.json:3:47: error[forge/missing-key]' '"type": "linear" has'
clip '{"type": "control", "name": ""}' 'name must be a text, not empty'
clip '"2"' 'warning[forge/number-as-string]'
clip '.5' 'warning[json/lenient-syntax]' # and not that it is in quotes
machine '[{"child": "ramp", "time": {}}]' '' # all is left out
expect 0 check m.json
out_has 'ok (forge-draft-machine)'

# clips
machine '[{"child": "rampp", "time": 0}]' ''
says m.json 'there is no clip "rampp"' 'did you mean "ramp"?'
machine '[{"child": "towo", "time": 0}]' '' # of the machine's own
says m.json 'did you mean "two"?'
machine '[{"from": "ramp", "to": "two", "progress": 0}]' ''
says m.json 'm.json:3:21: error[forge/missing-key]: draft machine: a clip has no member type' '"lerp" is a blend'
machine '[{"type": "lerp", "from": "ramp", "to": "two", "progress": 0, "child": "ramp"}]' ''
says m.json '"child" means nothing in this clip of the type lerp'
machine '[{"child": "ramp", "time": 0, "progress": 1}]' ''
says m.json '"progress" means nothing in this clip without the type lerp'

# states and transitions
rest='[{"child": "ramp", "time": 0}]'
machine "$rest" '' '["one", "three"]'
says m.json 'the state "three" has no clip of its name' 'add a clip of this name to clips'
out_lacks 'identity' # which the draft has not
machine "$rest" '"one -> tow": {"type": "instant"}'
says m.json 'm.json:5:19:' '"tow" is no state' 'did you mean "two"?'
machine "$rest" '"one -> two -> one": {"type": "instant"}'
says m.json 'error[forge/bad-transition-key]' '"one -> two -> one" is not of the form'
machine "$rest" '"one -> two": {"type": "instant", "time": 1}'
says m.json 'warning[forge/unknown-key]' '"time" means nothing in this transition of the type instant'
machine "$rest" '"one -> two": {"type": "instant"}, "one->two": {"type": "lerp", "time": 1}'
says m.json 'm.json:5:54: error[forge/duplicate-name]' 'm.json:5:19: note: it stands here first'
machine "$rest" '"one -> two": {"type": "instant"}, "two->one": {"type": "lerp", "time": 1}'
expect 0 check m.json
machine "$rest" '' '' '"animation": "d:"'
says m.json 'animation must be a name, "domain:path", not "d:"'
machine "$rest" '' '' '"comment": 1'
"$program" check --format forge-draft-machine m.json >out 2>err
out_has 'the file has no member animation or model'

# animations: what hangs on a joint that could not be read is not told of as well
track='{"joint": "j", "parameter": "y", "type": "uniform", "interpolation": "linear", "samples": [0, 1]}'
weights='{"0": [1, 1, 1, 1, 1, 1, 1, 1]}'
animation "{\"j\": $weights}" "$track"
format='--format forge-draft-animation' # from its content it would be another
says animation/b.json 'joints must be an array'
format=
animation "[{\"weights\": $weights}]" "$track"
says animation/b.json 'a joint has no member name'
animation "[{\"name\": \"jaw\", \"weights\": $weights}]" '{"joint": "jae", "parameter": "y", "type": "uniform",
 "interpolation": "linear", "samples": [0, 1]}'
says animation/b.json '"jae" is no joint of this file' 'did you mean "jaw"?'
animation "[{\"name\": \"j\", \"weights\": $weights}]" "${track%?}, \"times\": [0, 0.5]}"
says animation/b.json '"times" means nothing in this track of the type uniform'
animation '[{"name": "j", "weights": {"1": [1, 1, 1, 1, 1, 1, 1, 1]}}]' "$track"
says animation/b.json 'animation/b.json:3:40: warning[forge/bad-element-index]' 'the model has 1 of them, counted from 0'
animation "[{\"name\": \"j\", \"weights\": $weights}]" "$track"
expect 0 check animation/b.json
out_has 'ok (forge-draft-animation)'

# a model with faults is told of as what it is, once; by a folder of them too, as is an animation
machine "$rest" '"one -> two": {"type": "instant"}'
echo '{"elements": [{"from": [0, 0, 0], "to": [16, 8], "faces": {}}]}' >models/m.json
expect 1 check m.json
out_has 'models/m.json:1:41: error[forge/wrong-type]'
out_lacks 'unresolved-model'
expect 1 check animation/b.json
out_has 'models/m.json:1:41: error[forge/wrong-type]'
expect 1 check .
[ "$(grep -c 'error\[' out)" = 1 ] || fault 'the fault of the model is told of more than once'
mkdir -p far/afsm far/animation
sed 's/"d:a"/"d:c"/' m.json >far/afsm/m.json
sed 's/"name": "c", //' animation/b.json >far/animation/c.json
expect 1 check far
[ "$(grep -c 'error\[' out)" = 1 ] || fault 'the fault of the animation is told of more than once'

# one that is not there: a box in its place (m.json, which lies in the folder above the animation, is no model)
rm models/m.json
for file in m.json animation/b.json; do
    says "$file" 'warning[forge/unresolved-model]' 'the model "d:m" is not there; it was looked for as models/m.json'
    expect 0 render "$file" -o box.rgba --from 0 --to 0.01 --fps 1
    err_has 'forge/unresolved-model'
    python3 - <<'P' || fault "$file: no box is drawn" # a checker of magenta and black
data = open('box.rgba', 'rb').read()
seen = {data[i:i + 4] for i in range(0, len(data), 4)}
assert any(p[0] > 200 and p[1] < 30 and p[2] > 200 for p in seen), 'no magenta'
assert any(max(p[:3]) < 30 and p[3] > 200 for p in seen), 'no black'
P
done
finish
