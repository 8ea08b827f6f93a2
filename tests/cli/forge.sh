#!/bin/sh
# tests/cli/forge.sh PROGRAM: Forge's files on the command line: what they name is found beside them, above and below
# assets, advice on a file is told once, and the switches of the draft do what they say.
set -u
. "$(dirname "$0")/common.sh"
documents=$here/../vectors/seed/forge

# the documents' own layout, as it stands
expect 0 check "$documents/afsm/engine.json"
out_has 'json/missing-comma'
out_has '1 warning' # none of the animation's
expect 0 info "$documents/afsm/engine.json"
out_has 'ring.offset_y'
expect 1 check "$documents/clips.grammar"
out_has 'a grammar, not a document'
expect 1 check "$documents/afsm/chest.json" # there is no model
out_has 'models/chest.b3d, chest.b3d, assets/yourmod/models/chest.b3d'

# below assets, found from the machine's own place
mkdir -p pack/assets/demo/asms/block pack/assets/demo/armatures/block pack/assets/other/armatures
cat >pack/assets/demo/asms/block/x.json <<'J'
{"parameters": {}, "clips": {"a": "demo:block/x@c", "b": "other:y@c"}, "states": ["a", "b"],
 "transitions": {"a": "b"}, "start_state": "a"}
J
armature='{"joints": {"lid": {"0": [1]}}, "clips": {"c": {"loop": true, "joint_clips": {"lid": [{"variable": "offset_y",
 "type": "uniform", "interpolation": "linear", "samples": [0, 1]}]}, "events": {}}}}'
echo "$armature" >pack/assets/demo/armatures/block/x.json
expect 0 check pack/assets/demo/asms/block/x.json
out_has 'other:y" has no clip "c"'
echo "$armature" >pack/assets/other/armatures/y.json
expect 0 check pack/assets/demo/asms/block/x.json
out_has 'ok (forge-machine)'
expect 0 info --graph dot pack/assets/demo/asms/block/x.json
out_has 's1 -> s2'
# and from elsewhere by --assets
cp pack/assets/demo/asms/block/x.json lone.json
expect 0 check lone.json
out_has '2 warnings'
expect 0 check --assets pack lone.json
out_has 'ok (forge-machine)'

# a counted repeat: of two passes of two seconds the third second is the first of the second pass, and by the letter too
cat >draft.json <<'J'
{"animation": "demo:d", "clips": {"a": [{"child": "c", "time": {"length": 2, "count": 2}}]}, "states": ["a"],
 "transitions": {}}
J
mkdir -p animation
cat >animation/d.json <<'J'
{"model": "demo:d", "joints": [{"name": "j", "weights": {}}], "clips": [{"name": "c", "tracks": [{"joint": "j",
 "parameter": "y", "type": "uniform", "interpolation": "linear", "samples": [0, 16]}], "loop": false}]}
J
expect 0 check draft.json
out_has 'wraps at the length here'
expect 0 check --draft-repeat letter draft.json
out_has 'wraps at the count here'
expect 2 check --draft-repeat never draft.json
expect 0 dump draft.json
cp out plain
expect 0 dump --draft-uniform samples draft.json
if cmp -s out plain; then fault 'uniform samples lie the same either way'; fi

for format in forge-machine forge-draft-machine forge-armature forge-draft-animation forge-model; do
    expect 0 schema "$format"
    out_has "zoetrope:$format"
done
finish
