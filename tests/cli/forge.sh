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

# textures: beside the model, beside its folder, below assets, or given; else a checker, and it is said
color() { # EXPECTED ARGUMENT...: of the upper side, which is the brightest; or a checker
    wanted=$1
    shift
    expect 0 render "$@" -o o.rgba --frames 0 --size 64x64 -q
    python3 -c 'import sys
raw = open("o.rgba", "rb").read()
drawn = [tuple(raw[i:i + 3]) for i in range(0, len(raw), 4) if raw[i + 3] == 255]
is_checker = sum(p[0] == p[2] > 100 and p[1] == 0 for p in drawn) > len(drawn) / 10
color = max(drawn, key=sum)
sys.exit(("checker" if is_checker else "%02x%02x%02x" % color) != sys.argv[1])' "$wanted" || fault "not $wanted: $*"
}
python3 - <<'P'
import struct, zlib
chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
for name, color in ("red", (255, 0, 0)), ("blue", (0, 0, 255)):
    open(name + ".png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
                                    + chunk(b"IDAT", zlib.compress(b"\0" + bytes(color))) + chunk(b"IEND", b""))
P
cube() { # TEXTURES
    side='{"texture": "#all"}'
    echo "{\"textures\": $1, \"elements\": [{\"from\": [0, 0, 0], \"to\": [16, 16, 16], \"faces\": {\"up\": $side,
        \"north\": $side, \"east\": $side, \"south\": $side, \"west\": $side}}]}"
}
mkdir -p t/models t/textures tree/assets/dom/textures/block flat
cube '{"all": "dom:block/stone"}' >t/models/cube.json
cp t/models/cube.json flat
color checker t/models/cube.json
err_has 'warning[forge/unresolved-texture]: block model: there is no picture of the texture "dom:block/stone"'
cp red.png t/textures/stone.png
color ff0000 t/models/cube.json
cp red.png flat/stone.png
color ff0000 flat/cube.json
rm flat/stone.png
mkdir -p flat/textures/block
cp red.png flat/textures/block/stone.png
color ff0000 flat/cube.json
expect 0 render "$root/examples/forge/engine/models/engine.json" -o smooth.rgba --frames 0 --size 96x96 -q # texels of blocks keep their edges
expect 0 render "$root/examples/forge/engine/models/engine.json" -o edges.rgba --frames 0 --size 96x96 -q --nearest
cmp -s smooth.rgba edges.rgba || fault 'texels of a block are smoothed'
rm -r flat/textures
cp red.png tree/assets/dom/textures/block/stone.png
color checker flat/cube.json
color ff0000 flat/cube.json --assets tree
[ ! -s err ] || fault 'something is said of a texture that is there'
for name in all dom:block/stone; do # one that is given stands before one that is there, and for one that is not
    color 0000ff flat/cube.json --picture "$name=blue.png"
    color 0000ff flat/cube.json --assets tree --picture "$name=blue.png"
    [ ! -s err ] || fault 'something is said of a texture that is given'
done
fails 2 render flat/cube.json -o o.png --at 0 --picture stone=blue.png
err_has "there is no picture 'stone'"
# by key alone: of a model, of what moves one, and of a machine
mkdir -p key/afsm key/animation key/models
cube '{}' >key/models/d.json
cp animation/d.json key/animation
cp draft.json key/afsm
color checker key/models/d.json
err_has 'there is no picture of the texture "all"'
color checker key/afsm/draft.json
for file in models/d.json animation/d.json afsm/draft.json; do color 0000ff "key/$file" --picture all=blue.png; done
# a machine tells of a file that is not there where it names the model, and `check` leaves pictures alone
mkdir -p pack/assets/demo/models/block
cp t/models/cube.json pack/assets/demo/models/block/x.json
color checker pack/assets/demo/asms/block/x.json
err_has 'there is no picture of the texture "dom:block/stone"'
color 0000ff pack/assets/demo/asms/block/x.json --picture all=blue.png
expect 0 check --strict pack/assets/demo/models/block/x.json

# models of the game's own are not here, and it is said where they may come from
cube '{"all": "dom:block/stone"}' | sed 's/"elements".*/"parent": "block\/cube_all"}/;/^ /d' >own.json
expect 0 check own.json
out_has '"block/cube_all" is not there'
out_has "the game's own models do not come with this program"
mkdir -p game/assets/minecraft/models/block
cube '{}' >game/assets/minecraft/models/block/cube_all.json
expect 0 check --assets game own.json
out_has 'ok (forge-model)'

for format in forge-machine forge-draft-machine forge-armature forge-draft-animation forge-model; do
    expect 0 schema "$format"
    out_has "zoetrope:$format"
done
# what a pack names lies in it: not above it, and not where a link leads out of it; names that no file can have are told of
mkdir -p links/assets/l/models links/assets/l/textures outside
echo '{"textures": {"t": "l:red"}, "elements": [{"from": [0, 0, 0], "to": [16, 16, 16], "faces": {"up": {"texture": "#t"}}}]}' >outside/x.json
cp red.png outside/red.png
cp outside/x.json links/assets/l/models/inside.json
ln -s inside.json links/assets/l/models/within.json
ln -s ../../../../outside/x.json links/assets/l/models/file.json
ln -s ../../../../outside links/assets/l/models/folder
ln -s ../../../../outside/red.png links/assets/l/textures/red.png
for name in file folder/x ../../../../outside/x; do
    echo '{"parent": "l:'$name'", "textures": {}}' >lone.json
    expect 0 check lone.json --assets links
    out_has 'forge/unresolved-model'
done
echo '{"parent": "l:file", "textures": {}}' >lone.json
expect 0 check lone.json --assets links
out_has 'assets/l/models/file.json, where a link leads out of the folder'
echo '{"parent": "l:within", "textures": {}}' >lone.json
expect 0 check lone.json --assets links
out_has 'ok (forge-model)'
mkdir -p sub/sub && cp lone.json sub/sub/lone.json # from where red.png is not found beside it
color checker sub/sub/lone.json --assets links
rm links/assets/l/textures/red.png && cp red.png links/assets/l/textures/red.png
color ff0000 sub/sub/lone.json --assets links
for name in 'l:' 'l:a\u0000b' ':'; do
    echo '{"parent": "'$name'", "textures": {}}' >lone.json
    expect 1 check lone.json
    out_has 'parent must be a name, "domain:path", not'
    echo '{"model": "'$name'", "joints": [], "clips": []}' >lone.json
    expect 1 check --format forge-draft-animation lone.json
    out_has 'model must be a name, "domain:path", not'
    echo '{"parameters": {}, "clips": {"a": "'$name'@c"}, "states": ["a"], "transitions": {}, "start_state": "a"}' >lone.json
    expect 0 info lone.json
    err_has 'what stands before the @ is "domain:path", with a path'
done
echo '{"parameters": {}, "clips": {"a": "demo:nope@c"}, "states": ["a"], "transitions": {}, "start_state": "a"}' >lone.json
expect 0 check lone.json
out_has 'it has no armature; that was looked for as armatures/nope.json, assets/demo/armatures/nope.json'
# a broken one that is not named is told of for what it is, not only for its comment; and words that look like numbers
cat >broken.json <<'J'
// mine
{joints: {lid: {'0': [1]}, pot: {'1': [1]}}, clips: {open: {loop: false, joint_clips: {lid: [{variable: angle, type: uniform,
 interpolation: linear, samples: [0, 90}]}, events: {}}}}
J
expect 1 check broken.json
out_has 'json/bracket'
cat >figures.json <<'J'
{"joints": {"lid": {"0": [01]}}, "clips": {"open": {"loop": false, "joint_clips": {"lid": [{"variable": "offset_y",
 "type": "uniform", "interpolation": "linear", "samples": [-.5, 5.]}]}, "events": {}}}}
J
expect 0 check figures.json
out_has 'json/lenient-syntax'
expect 0 sample figures.json --at 0.5
out_has '"lid.offset_y": 2.25'
finish
