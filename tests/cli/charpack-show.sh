#!/bin/sh
# tests/cli/charpack-show.sh PROGRAM: character packs told of, traced and rendered: what the graph does with triggers and
# seeds, the same pixels whatever memory there is for textures, and what stands in for a texture that is damaged.
set -u
. "$(dirname "$0")/common.sh"

err_count() { [ "$(grep -cF -e "$1" err)" = "$2" ] || fault "not $2 times: $1"; }
is() { # EXPRESSION, which python3 finds true of the output's lines or of it as a whole as JSON, or of frames f(k) of 8 x 8
    python3 -c 'import json, sys
text = open("out").read()
try: d = json.loads(text)
except ValueError: d = None
try: lines = [json.loads(line) for line in text.splitlines()]
except ValueError: lines = []
try: raw = open("o.rgba", "rb").read()
except OSError: raw = b""
f = lambda k: tuple(raw[(k * 64 + 27) * 4:][:4])
RED, GREEN, BLUE = (200, 0), (0, 200), (0, 0)
rest, go = (lambda i: (200, i, 0, 255)), (lambda i: (0, 200, i, 255))
sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}

# Two clips of six frames, each of a colour of its own.
python3 - <<'P'
import json, os, struct, zlib
def png(path, color):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 6, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress((b"\0" + bytes(color) * 8) * 8)) + chunk(b"IEND", b""))
for i in range(6):
    png("lamp/rest/%d.png" % i, (200, i, 0, 255))
    png("lamp/go/%d.png" % i, (0, 200, i, 255))
json.dump({"schemaVersion": 1, "type": "characterPackSource", "id": "lamp", "displayName": "Lamp", "version": "2",
           "clips": [{"label": "rest", "folder": "rest", "frameIntervalMs": 100},
                     {"label": "go \"now\"", "folder": "go", "frameIntervalMs": 50, "loopMode": "once_then_hold"}],
           "nodes": [{"id": "a", "label": "rest", "isRoot": True}, {"id": "b<&\"\\", "label": "go \"now\""}, {"id": "c", "label": "rest"}],
           "edges": [{"from": "a", "to": "a", "prob": 3}, {"from": "a", "to": "c", "prob": 1},
                     {"from": "a", "to": "b<&\"\\", "prob": 0}, {"from": "b<&\"\\", "to": "a", "prob": 1},
                     {"from": "c", "to": "a", "prob": 1}]}, open("lamp/pack.json", "w"))
P
expect 0 charpack build lamp -o p

# ---- what is told of it
expect 0 info p
out_has 'graph         3 nodes, 5 edges, 1 of them manual'
out_has '  a, the root, plays rest, goes to a 75 %, c 25 %, on request to b<&"\'
out_has 'textures      12, '
out_has '  12 RGBA8 with Zstandard, 8x8'
expect 0 info p --output json
is 'd["graph"]["edgeCount"] == 5 and d["graph"]["manualEdgeCount"] == 1 and d["graph"]["nodes"][0]["isRoot"]'
is '[e for e in d["graph"]["edges"] if e["weight"] == 0] == [{"from": "a", "to": "b<&\"\\", "weight": 0}]'
is 'd["textures"]["count"] == 12 and d["textures"]["pixelBytes"] == 12 * 256 and d["textures"]["kinds"][0]["encoding"] == "RGBA8"'
expect 0 info p --graph dot
out_has 's2 [label="b<&\"\\\ngo \"now\"\n6 × 50 ms"];'
out_has 's1 -> s3 [label="25 %"];'
out_has 's1 -> s2 [style=dashed];'
expect 0 info p --graph mermaid
out_has 's2["b#60;#38;#34;\<br/>go #34;now#34;<br/>6 × 50 ms"]'
out_has 's1 -.-> s2'
expect 0 info "$root/examples/petween/praxi" --graph dot
out_has 'working'
expect 1 info builtin:jelly --graph dot
err_has 'has no states'
expect 2 info p --graph svg

# ---- traces
cat >script <<'J'
{"speaking": true}
{"mouth": 0.25}
{"advance_ms": 10}
{"speaking": false}
{"mouth": 0}
J
expect 0 trace p --script script
is 'lines[0]["speaking"] and "mouth" not in lines[0] and lines[1]["mouth"] == 0.25 and lines[2]["speaking"]'
is '"speaking" not in lines[3] and lines[3]["mouth"] == 0.25 and "mouth" not in lines[4]'
# The canvas of a pack may be of any size; where no texture is looked at it is what pictures are taken to be as large as.
echo '{"trigger": "speaking_short"}' >script
for canvas in 198 4294967295 1e308; do
    cp -r "$root/examples/charpack/vesper" canvas
    sed "s/\"canvas_size\": \[[^]]*\]/\"canvas_size\": [$canvas, $canvas]/" \
        "$root/examples/charpack/vesper/spriteforge_mouth_config.json" >canvas/spriteforge_mouth_config.json
    grep -q "\[$canvas" canvas/spriteforge_mouth_config.json || fault "no canvas of $canvas"
    expect 0 trace canvas --script script
    is 'lines[0]["overlay"]'
    rm -rf canvas
done
for words in '{"mouth": 1.5}' '{"mouth": -0.1}' '{"mouth": true}' '{"speaking": 1}'; do
    echo "$words" >script
    expect 1 trace p --script script
    err_has wants
done
echo '{"speaking": true}' >script
expect 1 trace builtin:jelly --script script
err_has 'here is none'
cat >script <<'J'
{"advance_ms": 250}
{"trigger": "go \"now\""}
{"advance_ms": 299}
{"advance_ms": 1}
{"trigger": " nobody "}
{"release": true}
{"advance_ms": 100}
J
expect 0 trace p --script script
is 'lines[0]["frame"] == 2 and lines[0]["picture"] == "rest/2.ktx2" and lines[0]["via"] == "start" and lines[0]["draws"] == 0'
is 'lines[1]["events"][0]["via"] == "trigger" and lines[1]["slot"] == "b<&\"\\" and lines[1]["frame"] == 0'
is 'lines[2]["frame"] == 5 and lines[2]["events"] == []'
is '[e["kind"] for e in lines[3]["events"]][:2] == ["cycle", "state"] and lines[3]["draws"] == 1 and lines[3]["slot"] == "a"'
is 'lines[4]["refused"] and lines[4]["events"] == [{"t_ms": 550, "kind": "unrouted", "label": "nobody"}]'
is 'lines[5]["via"] == "release" and lines[6]["frame"] == 1'
held() { # KIND FILE
    node "$root/tests/node/trace.mjs" "$@" >held 2>&1 || { cat held; fault "not as the schema of a $1 says: $2"; }
}
mv out traced
touch out
held trace traced
printf '[%s]' "$(paste -sd, script)" >script.json
held script script.json
printf '[{"trigger": 3}, {"release": false}, {"after_speech": true, "advance_ms": 1}, {"trigger": "a", "release": true}]' >wrong
expect 1 trace p --script wrong
err_has "wrong:1: 'trigger' wants a label"
err_has "wrong:1: 'release' wants true"
err_has "wrong:1: 'after_speech' stands beside 'trigger'"
err_has "wrong:1: 'trigger' and 'release' are two steps"
echo '{"trigger": "idle"}' >wrong
expect 1 trace "$root/examples/petween/praxi" --script wrong
err_has "'trigger' is for characters with a graph: here is none"
# Of 40 choices at 3 to 1 some go each way, others with another seed, and the same with the same.
echo '{"advance_ms": 40000}' >long
for seed in 1 2 1; do
    expect 0 trace p --script long --seed $seed
    is 'lines[0]["draws"] > 40 and {e["slot"] for e in lines[0]["events"] if e["kind"] == "state"} == {"a", "c"}'
    mv out trace.$seed.$((seed + $(ls trace.* 2>/dev/null | wc -l)))
    touch out
done
cmp -s trace.1.1 trace.2.3 && fault "seeds make no difference"
cmp -s trace.1.1 trace.1.3 || fault "the same seed is another one"

# ---- pixels
render() { expect 0 render p -o o.rgba --size 8x8 --fps 20 -q "$@"; }
render --to 1.2s
is 'len(raw) == 24 * 256 and all(f(k) == rest(k // 2 % 6) for k in range(24))'
cp o.rgba whole.rgba
for memory in 0 100 1K 2000 1.5M 1G; do
    render --to 1.2s --memory $memory
    cmp -s o.rgba whole.rgba || fault "with --memory $memory other pixels"
done
expect 2 render p -o o.rgba --memory much
expect 2 render p -o o.rgba --memory -1
expect 2 render p -o o.rgba --memory 1T
render --script script
is 'all(f(k) == rest(k // 2) for k in range(5)) and all(f(5 + k) == go(k) for k in range(6)) and f(11) == rest(0) and f(12) == rest(0)'
render --clip 'go "now"'
is 'all(f(k) == go(min(k, 5)) for k in range(12))'
expect 0 render p -o still.png --at 0.2s

# ---- what is damaged
cp -r p d
for name in 2 3; do python3 -c 'import sys; n = len(open(sys.argv[1], "rb").read()); open(sys.argv[1], "wb").write(b"x" * n)' d/rest/$name.ktx2; done
python3 -c 'import sys; n = len(open(sys.argv[1], "rb").read()); open(sys.argv[1], "wb").write(b"x" * n)' d/go/0.ktx2
expect 0 render d -o o.rgba --size 8x8 --fps 10 --to 1.2s -q
is '[f(k) for k in range(12)] == [rest(i) for i in (0, 1, 1, 1, 4, 5)] * 2'
err_count "d/rest/2.ktx2' cannot be shown, so the picture before it stays" 1
err_count "d/rest/3.ktx2'" 1
err_count "d/go/0.ktx2'" 0 # loaded ahead, perhaps, and never to be shown
expect 0 render d -o o.rgba --size 8x8 --fps 10 --frames 3-3 --to 1.2s -q
is 'f(0) == rest(1)' # alone as among others
expect 0 render d -o o.rgba --size 8x8 --fps 20 --clip 'go "now"' -q
is 'f(0) == go(1) and f(1) == go(1) and f(2) == go(2)'
for name in d/rest/*.ktx2; do python3 -c 'import sys; n = len(open(sys.argv[1], "rb").read()); open(sys.argv[1], "wb").write(b"x" * n)' $name; done
expect 0 render d -o o.rgba --size 8x8 --fps 10 --to 0.6s -q
is 'all(f(k) == (0, 0, 0, 0) for k in range(6))'
rm d/rest/0.ktx2
expect 1 render d -o o.rgba
err_has 'rest/0.ktx2'

finish
