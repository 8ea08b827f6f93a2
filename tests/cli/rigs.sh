#!/bin/sh
# tests/cli/rigs.sh PROGRAM: clips of an enemy as people have them: alone, with a rig beside, with pictures, as a folder that
# plays as a set; and what is said when something is not there.
set -u
. "$(dirname "$0")/common.sh"

is() { # EXPRESSION, which python3 finds true of the output as JSON d, or of the frames f(x, y, k) of 64 x 64
    python3 -c 'import json, sys
try: d = json.load(open("out"))
except ValueError: d = None
try: raw = open("o.rgba", "rb").read()
except OSError: raw = b""
f = lambda x, y, k=0: tuple(raw[(k * 4096 + y * 64 + x) * 4:][:4])
sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}

# A red square above a blue one, 8 by 8 pixels each way; and an atlas of two such, the second turned round.
python3 - <<'P'
import struct, zlib
def png(name, width, rows):
    raw = b"".join(b"\0" + b"".join(bytes(p) for p in row) for row in rows)
    chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 6, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
R, B, G = (255, 0, 0, 255), (0, 0, 255, 255), (0, 255, 0, 255)
flag = [[R] * 8] * 4 + [[B] * 8] * 4
png("flag.png", 8, flag)
png("sheet.png", 16, [a + b for a, b in zip(flag, flag[::-1])])
png("green.png", 8, [[G] * 8] * 8)
P
mkdir alone set art faulty
key() { printf '{"time":%s,"value":%s,"inTangent":%s,"outTangent":%s}' "$1" "$2" "${3:-0}" "${3:-0}"; }
clip() { # NAME LOOP TRACKS MORE
    printf '{"schemaVersion":1,"type":"enemyAnimation","id":"p:enemy-animation/flag/%s","enemy":"p:enemy/flag",
"displayName":"%s","durationSeconds":1,"frameRate":30,"loop":%s,"tracks":[%s]%s}' "$1" "$1" "$2" "$3" "${4:-}"
}
up="{\"target\":\"bone/pole\",\"property\":\"position.y\",\"keys\":[$(key 0 0),$(key 1 1)]}"
null="{\"target\":\"bone/pole\",\"property\":\"rotation.z\",\"keys\":[$(key 0 0 null),$(key 1 270 null)]}"
clip raise false "$up" >alone/raise.json
rig='"schemaVersion":1,"type":"enemyRig","view":{"left":-2,"top":2,"right":2,"bottom":-2},
"bones":[{"name":"cloth","parent":"pole"},{"name":"pole"}]'
printf '{%s,"sprites":[{"bone":"cloth","image":"flag.png","pixelsPerUnit":8}]}' "$rig" >set/rig.json
cp flag.png set
clip raise false "$up" ',"events":[{"time":0.5,"type":"sound","file":"flap.ogg"}]' >set/a-raise.json
clip turn false "$null" >set/idle.json

# ------------------------------------------------------------------------------------------------ alone
expect 0 check alone/raise.json
out_has 'ok (enemy-animation)'
expect 0 info alone/raise.json
out_has 'bone/pole position.y'
out_has 'rig           1 bones, 0 sprites'
expect 0 render alone/raise.json -o o.png --size 64x64 --at 0.5s
expect 0 render alone/raise.json -o o.rgba --size 64x64 --fps 1
is 'any(f(x, y)[3] > 0 for x in range(64) for y in range(64))' # a bone is seen, without any picture
low='max(y for y in range(64) for x in range(64) if f(x, y, K)[3] > 0)'
is "$(echo "$low" | sed 's/K/0/') > 8 + $(echo "$low" | sed 's/K/1/')" # y is up

# ------------------------------------------------------------------------------------------------ a rig beside, and its picture
expect 0 render set/a-raise.json -o o.rgba --size 64x64 --fps 1 --nearest
err_has 'warning[enemy/file]: there is no file "flap.ogg"'
is 'f(32, 26) == (255, 0, 0, 255) and f(32, 38) == (0, 0, 255, 255)'        # upright, a unit is 16 px
is 'f(32, 10, 1) == (255, 0, 0, 255) and f(32, 22, 1) == (0, 0, 255, 255)'  # and goes up by one
expect 1 check set/a-raise.json --strict # which is an error there
expect 0 check set
out_has '3 files: 3 fine (1 warning)'

# ------------------------------------------------------------------------------------------------ a folder as a set
expect 0 info set
out_has 'p:enemy-animation/flag/turn  "turn"'
out_has 'p:enemy-animation/flag/raise  "raise"'
expect 0 sample set --at 0.5 --clip raise
is 'd["clip"] == "p:enemy-animation/flag/raise" and d["samples"][0]["bone/pole position.y"] == 0.5'
expect 0 sample set --at 0.5
is 'd["samples"][0]["bone/pole rotation.z"] == 135'   # idle.json is the first
expect 0 sample set --at 0.5 --null-tangent step
is 'd["samples"][0]["bone/pole rotation.z"] == 0'
expect 0 sample set --at 0.5 --poses sampled          # the shorter way
is 'd["samples"][0]["bone/pole rotation.z"] == -45'
expect 2 sample set --at 0.5 --clip wave
err_has "there is no clip 'wave'"
echo '{"advance_ms": 600}' | "$program" trace set --clip raise --script - >out 2>err || fault "trace of a set"
is '[e.get("arguments") for e in d["events"] if e["kind"] == "notify"] == [{"file": "flap.ogg", "volume": 1}]'
cp set/idle.json set/twin.json
expect 1 info set
err_has 'error[enemy/clip-twice]'
expect 1 check set
out_has 'error[enemy/clip-twice]'
rm set/twin.json

# ------------------------------------------------------------------------------------------------ an atlas, other places
printf '{%s,"pixelsPerUnit":8,"atlas":"sheet.json","sprites":[{"bone":"cloth","region":"up"}]}' "$rig" >art/flag.json
printf '{"frames":{"up":{"frame":{"x":0,"y":0,"w":8,"h":8}},"down":{"frame":{"x":8,"y":0,"w":8,"h":8}}},
"meta":{"image":"sheet.png"}}' >art/sheet.json
cp sheet.png art
swaps='[{"time":0.4,"name":"down"},{"time":0.6,"asset":"green.png","name":"x"},{"time":0.8,"name":"nowhere"}]'
clip swap false "$up" ",\"objectTracks\":[{\"target\":\"sprite/cloth\",\"property\":\"sprite\",\"keys\":$swaps}]" >swap.json
expect 0 render swap.json --rig art/flag.json -o o.rgba --size 64x64 --fps 10 --nearest
err_has 'warning[enemy/region]: "nowhere" is no region of the atlas'
is 'f(32, 26)[:3] == (255, 0, 0)'
is 'f(32, 22, 4)[:3] == (0, 0, 255)'  # turned round
is 'f(32, 20, 7)[:3] == (0, 255, 0) and f(32, 17, 9)[:3] == (0, 255, 0)' # what cannot be resolved leaves what was there
expect 0 sample swap.json --rig art/flag.json --at 0,0.5,0.7
is '[s["sprite/cloth sprite"] for s in d["samples"]] == ["up", "down", "green.png"]'
mkdir away && mv green.png away
expect 0 render swap.json --rig art/flag.json -o o.rgba --size 64x64 --fps 10
err_has 'there is no file "green.png"'
expect 0 render swap.json --rig art/flag.json --assets away -o o.rgba --size 64x64 --fps 10 --nearest
is 'f(32, 20, 7)[:3] == (0, 255, 0)'

# ------------------------------------------------------------------------------------------------ pictures of events
cp away/green.png .
flash='{"time":0.2,"type":"spriteEffect","region":"green","durationSeconds":0.4,"scale":4}'
clip flash false "$up" ",\"events\":[$flash]" >flash.json
expect 0 render flash.json --rig art/flag.json --assets . -o o.rgba --size 64x64 --fps 10 --nearest
err_has 'warning[enemy/region]: "green" is no region of the atlas'
printf '{%s}' "$rig" >bare.json
expect 0 render flash.json --rig bare.json -o o.rgba --size 64x64 --fps 10 --nearest
is '[sum(f(x, y, k)[:3] == (0, 255, 0) for x in range(64) for y in range(64)) > 9 for k in range(10)] == [2 <= k < 6 for k in range(10)]'

# ------------------------------------------------------------------------------------------------ what is wrong
expect 1 check alone/raise.json --rig alone/raise.json
err_has "is no rig"
expect 3 check alone/raise.json --rig nowhere.json
expect 2 check alone/raise.json --assets nowhere
err_has '--assets wants a folder'
printf '{"schemaVersion":1,"type":"enemyRig","bones":[{"name":"mast"}]}' >faulty/rig.json
clip raise false "$up" >faulty/raise.json
expect 1 check faulty/raise.json
out_has 'error[enemy/bone]: "pole" is no bone of the rig'
expect 0 render faulty/rig.json -o o.png --size 64x64 # a rig by itself is shown at rest
printf '{"schemaVersion":1,"type":"enemyRig","bones":[{"name":"mast","scale":2}]}' >faulty/rig.json
expect 1 check faulty
out_has '"scale" is not a member of bone'
# A rig and an atlas beside many clips are told of once, wherever they stand in the list; the clips are judged without.
clip wave false "$up" >faulty/wave.json
expect 1 check faulty
[ "$(grep -c '"scale" is not a member of bone' out)" = 1 ] || fault "a faulty rig is not told of once"
out_has 'faulty/raise.json: ok'
out_has '3 files: 2 fine, 1 with errors (1 error)'
expect 1 check faulty/wave.json faulty/raise.json
[ "$(grep -c '"scale" is not a member of bone' out)" = 1 ] || fault "a faulty rig is not told of once"
expect 1 check faulty/wave.json faulty/raise.json --rig faulty/rig.json
[ "$(grep -c '"scale" is not a member of bone' out)" = 1 ] || fault "a faulty rig is not told of once"
mkdir turned
cp faulty/wave.json faulty/raise.json turned
printf '{%s,"atlas":"sheet.json"}' "$rig" >turned/rig.json
printf '{"frames":{"a":{"frame":{"x":0,"y":0,"w":8,"h":8},"rotated":true}},"meta":{"image":"sheet.png"}}' >turned/sheet.json
expect 1 check turned
[ "$(grep -c 'error\[enemy/atlas\]' out)" = 1 ] || fault "a faulty atlas is not told of once"
out_has 'turned/sheet.json: passed over: this is no animation that can be read here; it looks like an atlas of pictures'
expect 0 schema enemy-rig
is 'd["properties"]["bones"]["minItems"] == 1'

# ------------------------------------------------------------------------------------------------ notes
clip noted false "$up" ',"warnings":["tangents of the arm were lost"],"source":{"tool":"x"}' >noted.json
expect 0 info noted.json
out_has 'tracks (stable), warnings (experimental), source (experimental)'
out_has 'notes         "tangents of the arm were lost"'
expect 0 info noted.json --output json
is 'd["stability"]["source"] == "experimental" and d["notes"] == ["tangents of the arm were lost"]'

finish
