#!/bin/sh
# tests/cli/charpack-build.sh PROGRAM: character packs built of pictures and taken apart. What comes out is what the
# contract takes, pictures come back bit by bit, a pack taken apart is built the same, and what fails leaves nothing.
set -u
. "$(dirname "$0")/common.sh"
packs=$here/../vectors/charpack/packs

cat >pixels.py <<'P'
"""Pictures made, and held against each other as pixels."""
import os, random, struct, sys, zlib

def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

def png(path, width, height, kind, depth, rows, more=b""):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)) + more
                   + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))

def rgba(path, width, height, seed):
    r = random.Random(seed)
    png(path, width, height, 6, 8, [bytes(r.randrange(256) for _ in range(4 * width)) for _ in range(height)])

def read(path):
    """Width, height and RGBA of an 8-bit PNG of kind 6."""
    data, at, idat = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", body[:10])
            assert (depth, kind) == (8, 6), path
        idat += body if name == b"IDAT" else b""
        at += size + 12
    raw, stride, above, out = zlib.decompress(idat), 4 * width, bytearray(4 * width), b""
    for y in range(height):
        filter, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            a, b, c = row[x - 4] if x >= 4 else 0, above[x], above[x - 4] if x >= 4 else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[x] = (row[x] + (0, a, b, (a + b) // 2, paeth)[filter]) & 255
        out, above = out + bytes(row), row
    return width, height, out
P
pixels() { python3 -c "import sys; sys.path.insert(0, '.'); from pixels import *
$1" || fault "not so: $1"; }

# ---- a source: colours under clear pixels, sides that are no multiple of four, equal frames, a mouth
mkdir fox
pixels '
for i in range(12): rgba("fox/idle/f%d.png" % i, 7, 9, 4 if i == 5 else i)
for i in range(3): rgba("fox/wave/%04d.png" % i, 8, 8, 100 + i)
rgba("fox/wave/more/0.png", 5, 5, 1)
png("fox/mouth/shut.png", 3, 3, 6, 8, [bytes((200, 10, 30, 0)) * 3] * 3)
png("fox/one.png", 1, 1, 6, 8, [b"\1\2\3\4"])
png("fox/grey.png", 4, 2, 0, 8, [bytes((0, 80, 160, 255))] * 2)
png("fox/palette.png", 4, 2, 3, 8, [bytes((0, 1, 1, 0))] * 2, chunk(b"PLTE", b"\1\2\3\xff\x80\0") + chunk(b"tRNS", b"\0"))
'
cat >fox/pack.json <<'J'
{
  "schemaVersion": 1, "type": "characterPackSource",
  "id": "fox", "displayName": "Füchsin \"F\"", "version": "1.0.0",
  "clips": [
    { "label": "idle", "folder": "idle", "fps": 24 },
    { "label": "wave", "folder": "wave", "frameIntervalMs": 80, "loopMode": "once_then_hold", "phase": "in" },
    { "label": "other", "frames": ["one.png", "grey.png", "one.png", "palette.png"], "fps": 10 }
  ],
  "nodes": [{ "id": "idle", "isRoot": true }, { "id": "w", "label": "wave" }, { "id": "again", "label": "idle" }],
  "edges": [
    { "from": "idle", "to": "idle", "prob": 0.80 },
    { "from": "idle", "to": "again", "prob": 2e-1 },
    { "id": "go", "from": "idle", "to": "w", "prob": 0 },
    { "from": "w", "to": "idle", "prob": 1 },
    { "from": "again", "to": "idle", "prob": 1 }
  ],
  "mouthOverlays": [{ "label": "idle", "folder": "mouth" }],
  "mouth": {
    "version": 2, "canvas_size": [8, 9], "profile_kind": "runtime_ktx2",
    "expressions": { "neutral": { "cx": 0, "cy": -2.50, "width": 3, "height": 2, "curve": 0.2 } },
    "profiles": { "idle": { "mouth_set": "neutral", "openness": [0.10, 1, 0.5] } }
  }
}
J

expect 0 check fox/pack.json
expect 0 charpack build fox -o fox.pack
out_has 'fox.pack: fox, 3 clips, 19 frames, 18 textures'
expect 0 check --contract amadeus fox.pack
out_has 'OK: fox 1.0.0 | nodes=3 edges=5 manual_edges=1 clips=3 frames=19'
expect 0 check --strict fox.pack
[ -e fox.pack/idle/f5.ktx2 ] && fault "equal frames are stored twice"
grep -q '"idle/f4.ktx2",$' fox.pack/runtime_manifest.json || fault "the manifest does not name the equal frame"
grep -q '"prob": 0.80' fox.pack/graph_config.json || fault "figures are not as they were written"
grep -q '"frameIntervalMs": 42' fox.pack/runtime_manifest.json || fault "24 frames a second are 42 ms each"
[ -z "$(find fox.pack -name '.*' -o -name '*.png')" ] || fault "the pack holds what does not belong to it"
expect 0 charpack build fox/pack.json -o fox.pack.2 --quiet
[ -s out ] && fault "--quiet says something"
diff -r fox.pack fox.pack.2 >/dev/null || fault "the same source gives another pack"

expect 0 charpack unpack fox.pack -o fox.back
out_has 'fox.back: 18 pictures and pack.json'
pixels '
import glob
back = sorted(glob.glob("fox.back/**/*.png", recursive=True))
assert len(back) == 18
for path in back:
    source = path.replace("fox.back", "fox")
    if os.path.basename(path) not in ("grey.png", "palette.png"):
        assert read(path) == read(source), path
assert read("fox.back/mouth/shut.png")[2] == bytes((200, 10, 30, 0)) * 9  # also under clear pixels
assert read("fox.back/grey.png")[2] == b"".join(bytes((g, g, g, 255)) for g in (0, 80, 160, 255)) * 2
assert read("fox.back/palette.png")[2] == (b"\1\2\3\0" + b"\xff\x80\0\xff" * 2 + b"\1\2\3\0") * 2
'
expect 0 check fox.back/pack.json
expect 0 charpack build fox.back -o fox.again
diff -r fox.pack fox.again >/dev/null || fault "a pack taken apart is built otherwise"
expect 0 charpack build fox -o fox.hard --level 19
grep -q '"zcmp": 19' fox.hard/runtime_manifest.json || fault "the level is not noted"
expect 0 charpack unpack fox.hard -o fox.hard.back -q
expect 0 charpack build fox.hard.back -o fox.hard.again
diff -r fox.hard fox.hard.again >/dev/null || fault "another level is forgotten on the way"

# ---- lists of speech go along; those that the documentation prints are the ones that are there without any
cat >talker.py <<'P'
import json, os, pixels, sys
labels = {"idle": "nap idle", "talk": "speaking_short", "shut": "closed_eye_trans", "glad": "trans_smile", "smile": ""}
nodes = [label for text in labels.values() for label in text.split()]
for name in labels:
    for i in range(3):
        pixels.rgba("talker/%s/%d.png" % (name, i), 8, 10, hash((name, i)) % 1000)
clips = [{"label": label, "folder": name, "fps": 25} for name, text in labels.items() for label in text.split() or [name]]
json.dump({"schemaVersion": 1, "type": "characterPackSource", "id": "talker", "displayName": "T", "version": "1",
           "clips": clips, "nodes": [{"id": n, **({"isRoot": True} if n == "idle" else {})} for n in nodes],
           "edges": [{"from": "idle", "to": "speaking_short", "prob": 0}],
           "mouthOverlays": [{"label": "speaking_short", "folder": "shut"}],
           "mouth": {"expressions": {"neutral": {}}, "profiles": {"speaking_short": {}}}}, open("talker/pack.json", "w"))
P
PYTHONHASHSEED=0 python3 talker.py
expect 0 charpack build talker -o talker.usual
expect 0 dump talker.usual
mv out usual
grep -q 'speech' usual || fault "nobody performs"
grep -q '"__runtime_post_smile"' usual || fault "nothing follows a smile"
awk '/^```json$/ { inside = 1; text = ""; next } /^```$/ { inside = 0 } inside { text = text $0 "\n" } END { printf "%s", text }' \
    "$here/../../docs/character-packs.md" >talker/speech.json
expect 0 check --strict talker/speech.json
expect 0 charpack build talker -o talker.said
cmp -s talker/speech.json talker.said/speech.json || fault "the lists of speech are not the same"
expect 0 check --strict talker.said
expect 0 dump talker.said
diff usual out >/dev/null || fault "the lists in the documentation are not the usual ones"
expect 0 charpack unpack talker.said -o talker.back
expect 0 charpack build talker.back -o talker.again
diff -r talker.said talker.again >/dev/null || fault "lists of speech are lost on the way"
echo '{}' >talker/speech.json
expect 0 charpack build talker -o talker.said --replace
expect 0 dump talker.said
grep -q 'speech' out && fault "empty lists do not switch speech off"
echo '{"entyr": "speaking_short"}' >talker/speech.json
fails 1 charpack build talker -o x
err_has 'charpack-speech/member'
echo '{"entyr": "speaking_short"}' >talker.said/speech.json
fails 1 check talker.said
expect 0 check --contract amadeus talker.said
rm talker.said/speech.json
ln -s ../talker/speech.json talker.said/speech.json
fails 1 check talker.said
out_has 'lead out of the pack'

# ---- packs of others, with textures of every encoding: what comes out is a pack with the same graph and clips
for pack in "$packs"/*/; do
    name=$(basename "$pack")
    expect 0 charpack unpack "$pack" -o "other.$name"
    expect 0 charpack build "other.$name" -o "other.$name.pack"
    expect 0 check --contract amadeus "other.$name.pack"
    python3 -c 'import json, sys
want = json.load(open(sys.argv[1]))[sys.argv[2]]["line"]
sys.exit(open("out").read().strip() != want)' "$packs/expect.json" "$name" || fault "$name: another line"
done

# ---- --replace
expect 3 charpack build fox -o fox.pack
err_has "'fox.pack' is there already and not empty"
cp -r fox fox.new
pixels 'rgba("fox.new/idle/f0.png", 7, 9, 77)'
expect 0 charpack build fox.new -o fox.pack --replace
diff -r fox.pack fox.again >/dev/null && fault "--replace replaces nothing"
[ "$(find . -maxdepth 1 -name 'fox.pack.*' | sort | tr '\n' ' ')" = './fox.pack.2 ' ] || fault "the old pack is left: $(ls)"
echo mine >fox.pack/notes.txt
fails 3 charpack build fox -o fox.pack --replace
err_has "fox.pack/notes.txt' would be lost"
mv fox.pack/idle elsewhere
ln -s ../elsewhere fox.pack/idle # a folder that is not in the pack
fails 3 charpack build fox -o fox.pack --replace
err_has "fox.pack/idle' would be lost"
[ -e fox.pack/runtime_manifest.json ] || fault "the pack is half gone"
rm fox.pack/idle
mv elsewhere fox.pack/idle
cp -r fox fox.linked # a picture that is not in the folder is neither taken nor passed over
mkdir strangers
cp fox/idle/f0.png strangers/f0.png
ln -s ../../strangers/f0.png fox.linked/idle/f000.png
fails 1 charpack build fox.linked -o fox.none
err_has "fox.linked/idle/f000.png' is a link that leads to no file in 'fox.linked'"
[ -e fox.pack/notes.txt ] || fault "a file that is no pack's is gone"
fails 3 charpack build fox -o fox.back --replace
err_has "'fox.back' is no character pack"
fails 3 charpack unpack fox.again -o fox.back
mkdir empty
expect 0 charpack build fox -o empty
expect 0 charpack build fox -o new --replace

# ---- what fails leaves nothing
sed 's/"idle", "folder": "idle"/"idle", "folder": "nowhere"/' fox/pack.json >fox/wrong.json
fails 1 charpack build fox/wrong.json -o x
err_has 'charpack-source/picture'
err_has 'fox/wrong.json:5:34'
sed 's/"mouth_set": "neutral"/"root": "here"/' fox/pack.json >fox/wrong.json
fails 1 charpack build fox/wrong.json -o x # judged as packs are
err_has 'x/spriteforge_mouth_config.json'
rm fox/wrong.json
cp -r fox damaged
head -c 60 fox/idle/f7.png >damaged/idle/f7.png
fails 1 charpack build damaged -o x
err_has "'damaged/idle/f7.png'"
fails 3 charpack build nobody -o x
fails 3 charpack build . -o x
fails 3 charpack build fox -o nobody/x
touch file
fails 3 charpack build fox -o file
cp -r fox.again broken
python3 -c 'data = bytearray(open("broken/wave/0001.ktx2", "rb").read()); data[data.index(b"\x28\xb5\x2f\xfd")] ^= 255
open("broken/wave/0001.ktx2", "wb").write(data)'
fails 1 charpack unpack broken -o x
err_has "'broken/wave/0001.ktx2' cannot be unpacked"
rm broken/wave/0001.ktx2
fails 1 charpack unpack broken -o x
err_has 'wave/0001.ktx2'
rm broken/runtime_manifest.json
fails 1 charpack unpack broken -o x
fails 3 charpack unpack nobody -o x
fails 1 charpack unpack fox -o x
err_has "'fox' is no character pack"
# A signal comes when a part is there.
pixels '
for i in range(200): rgba("large/big/%d.png" % i, 64, 64, i)
open("large/pack.json", "w").write(open("fox/pack.json").read())'
sed 's/"idle", "folder": "idle"/"idle", "folder": "big"/; s/"folder": "wave"/"folder": "big"/; s/"frames": \[[^]]*\]/"folder": "big"/; s/"folder": "mouth"/"folder": "big"/' \
    fox/pack.json >large/pack.json
for signal in INT TERM HUP; do
    before=$(ls -A)
    # Shells let what they put into the background pass over SIGINT.
    env --default-signal=INT "$program" charpack build large -o x --level 22 >out 2>err &
    child=$!
    for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -n "$(find . -path './x.*' -name '*.ktx2' | head -1)" ] && break
        sleep 0.02
    done
    kill -$signal $child
    wait $child && fault "SIG$signal does not end it"
    [ "$before" = "$(ls -A)" ] || fault "SIG$signal leaves something: $(ls -A | tr '\n' ' ')"
done

# ---- UASTC by basisu, here a program that copies what it is told to
mkdir bin nothing
python3 - "$packs" <<'P' # one texture of these packs in UASTC, and its size
import glob, os, struct, sys
for path in sorted(glob.glob(sys.argv[1] + "/moth_uastc/**/*.ktx2", recursive=True)):
    data = open(path, "rb").read()
    open("made.ktx2", "wb").write(data)
    open("size", "w").write("%d %d" % struct.unpack("<II", data[20:28]))
    break
P
cat >bin/basisu <<'S'
#!/bin/sh
echo "$*" >>"$BASISU_LOG"
[ -z "${BASISU_FAILS:-}" ] || { echo "it is a test" >&2; exit 1; }
while [ "$1" != -output_file ]; do shift; done
cp "$BASISU_MADE" "$2"
S
chmod +x bin/basisu
BASISU_LOG=$work/log BASISU_MADE=$work/made.ktx2
export BASISU_LOG BASISU_MADE
pixels '
w, h = map(int, open("size").read().split())
rgba("moth/a/0.png", w, h, 0)
rgba("moth/a/1.png", w, h, 1)
rgba("moth/b/0.png", w + 1, h, 2)'
cat >moth/pack.json <<'J'
{ "schemaVersion": 1, "type": "characterPackSource", "id": "moth", "displayName": "Moth", "version": "1", "encoding": "uastc",
  "quality": 3, "clips": [{ "label": "a", "folder": "a", "fps": 10 }], "nodes": [{ "id": "a", "isRoot": true }] }
J
sed 's/"encoding": "uastc",//; s/"quality": 3,//' moth/pack.json >moth/plain.json
sed 's/"folder": "a"/"folder": "b"/' moth/pack.json >moth/larger.json
saved=$PATH
PATH=$work/bin:$PATH
expect 0 charpack build moth -o moth.pack
grep -q '"quality": 3' moth.pack/runtime_manifest.json || fault "the quality is not noted"
grep -qF -e '-uastc_level 3' log || fault "basisu is not told the quality"
cmp -s made.ktx2 moth.pack/a/1.ktx2 || fault "what basisu has made is not what is stored"
[ "$(find moth.pack -type f | wc -l)" = 5 ] || fault "files are left in the pack"
expect 0 check --contract amadeus moth.pack
expect 0 charpack build moth/plain.json -o moth.plain --uastc --level 3
grep -qF -e '-ktx2_zstandard_level 3' log || fault "basisu is not told the level"
fails 3 charpack build moth/larger.json -o x
err_has 'no texture of its size'
BASISU_FAILS=1 fails 3 charpack build moth -o x
err_has 'it is a test'
PATH=$saved
PATH=$work/nothing "$program" charpack build moth -o x >out 2>err
[ $? = 3 ] || fault "exit $? without basisu"
[ -e x ] && fault "something is left without basisu"
err_has "want the program 'basisu'"

# ---- the examples: the smallest is what its source makes, but for what another release of zstd may pack otherwise
examples=$root/examples
expect 0 charpack build "$examples/charpack/minimal" -o minimal
for name in runtime_manifest graph_config spriteforge_mouth_config; do
    sed 's/"textureBytes": [0-9]*/"textureBytes": 0/' minimal/$name.json >a
    sed 's/"textureBytes": [0-9]*/"textureBytes": 0/' "$examples/character-pack-minimal/$name.json" >b
    same a b
done
expect 0 charpack unpack "$examples/character-pack-minimal" -o moon
pixels 'assert read("moon/moon.png") == read("'"$examples"'/charpack/minimal/moon.png")'
for pack in charpack/vesper character-pack-minimal; do
    expect 0 check --strict "$examples/$pack"
    out_lacks warning
done
expect 0 check --contract amadeus "$examples/charpack/vesper"
out_has 'OK: vesper 1.0.0 | nodes=15 edges=29 manual_edges=8 clips=15 frames=232'
expect 0 check --contract amadeus "$examples/character-pack-minimal"
out_has 'OK: minimal 1.0.0 | nodes=2 edges=3 manual_edges=1 clips=2 frames=2'

# ---- the fox that the documentation describes, which barks when somebody speaks
cat >barker.py <<'P'
import json, pixels, re, sys
blocks = [b for b in map(json.loads, re.findall(r"^```json$(.*?)^```$", open(sys.argv[1]).read(), re.S | re.M)) if isinstance(b, dict)]
fox, (speech,), (mouth,) = blocks[0], [b for b in blocks if b.get("entry") == "bark"], [b for b in blocks if "mouth" in b]
for path in ("idle/1", "wave/1", "blink/shut", "bark/1", "bark/2", "bark/3"):
    pixels.rgba("barker/%s.png" % path, 256, 256, len(path))
pixels.rgba("barker/bark/shut.png", 64, 48, 1)
fox["clips"].append({"label": "bark", "frames": ["bark/1.png", "bark/2.png", "bark/3.png"], "fps": 12})
fox["nodes"].append({"id": "bark"})
fox["edges"] += [{"from": "idle", "to": "bark", "prob": 0}, {"from": "bark", "to": "bark", "prob": 1}]
json.dump({**fox, **mouth, "level": 1}, open("barker/pack.json", "w"))
json.dump(speech, open("barker/speech.json", "w"))
P
python3 barker.py "$here/../../docs/character-packs.md"
expect 0 charpack build barker -o barks
expect 0 check --strict --deep barks
out_lacks warning
cat >script <<'J'
{"speaking": true}
{"mouth": 0.5}
{"advance_ms": 100}
{"speaking": false}
{"advance_ms": 999}
{"advance_ms": 1}
{"trigger": "HELLO"}
J
expect 0 trace barks --script script
python3 -c 'import json
lines = [json.loads(line) for line in open("out")]
assert [line["state"] for line in lines] == ["bark"] * 5 + ["idle", "wave"], lines
assert [line.get("overlay") for line in lines] == ["bark/shut.ktx2", None, None] + ["bark/shut.ktx2"] * 2 + [None] * 2, lines
assert lines[3]["held"] and lines[3]["frame"] == 2, lines' || fault "the fox of the documentation does not bark as it says"

# ---- words of the command line
fails 2 charpack
fails 2 charpack build
fails 2 charpack build fox
err_has 'wants -o'
fails 2 charpack biuld fox -o x
err_has "did you mean 'build'"
fails 2 charpack build fox -o -
fails 2 charpack build fox -o x --level 0
fails 2 charpack build fox -o x --level 5.5
fails 2 charpack unpack fox.again -o x --level 5
fails 2 charpack build fox fox -o x
expect 1 render fox/pack.json -o x.webp
err_has "'zoetrope charpack build' makes a pack"

finish
