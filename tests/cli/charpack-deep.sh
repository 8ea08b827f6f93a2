#!/bin/sh
# tests/cli/charpack-deep.sh PROGRAM: `check --deep` of character packs: textures that are damaged, too large or of another
# size than their neighbours are told of, each file once and with both places, one picture at a time in memory.
set -u
. "$(dirname "$0")/common.sh"

out_count() { [ "$(grep -cF -e "$1" out)" = "$2" ] || fault "not $2 times: $1"; }
python3 - <<'P'
import json, os, struct, zlib
def png(path, width, height, seed):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    rows = b"".join(b"\0" + bytes((x * seed + y * 3 + c) % 251 for x in range(width) for c in range(4)) for y in range(height))
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))
def pack(folder, clips, overlays):
    json.dump({"schemaVersion": 1, "type": "characterPackSource", "id": folder, "displayName": "Lamp", "version": "2",
               "clips": [{"label": label, "folder": label, "frameIntervalMs": 50} for label in clips],
               "nodes": [{"id": label, "isRoot": label == clips[0]} for label in clips],
               "edges": [{"from": clips[0], "to": clips[0], "prob": 1}],
               "mouthOverlays": [{"label": label, "folder": "shut"} for label in overlays]}, open(folder + "/pack.json", "w"))
for i in range(4):
    png("lamp/rest/%d.png" % i, 8, 8, i + 1)
    png("lamp/go/%d.png" % i, 8, 8 + i // 2, i + 5)
png("lamp/shut/0.png", 8, 8, 11)
pack("lamp", ["rest", "go"], ["rest"])
for i in range(12):
    png("large/many/%02d.png" % i, 512, 512, i + 1)
pack("large", ["many"], [])
P
expect 0 charpack build lamp -o p
expect 0 charpack build large --level 1 -o large-p

# ---- nothing is wrong but a size
expect 0 check p
out_has 'p/runtime_manifest.json: ok'
expect 0 check --deep p
out_has 'warning[charpack/texture-size]: clips.go.frames[2]: the picture has 8 x 9 pixels, and those before it have 8 x 8'
out_count 'warning[' 1
out_lacks 'error['

# ---- what is packed is damaged, a header, a picture that is named twice, a mouth, and one whose sides are no picture's
python3 - <<'P'
def change(path, at, value):
    data = bytearray(open(path, "rb").read())
    data[at:at + len(value)] = value
    open(path, "wb").write(data)
import json, os, shutil
level = int.from_bytes(open("p/rest/1.ktx2", "rb").read()[80:88], "little")
change("p/rest/1.ktx2", level, b"\xff\xff\xff\xff")
change("p/rest/2.ktx2", 20, b"\0\0\0\0")
change("p/shut/0.ktx2", 0, b"PNG")
change("p/go/1.ktx2", 20, (16385).to_bytes(4, "little"))
manifest = json.load(open("p/runtime_manifest.json"))
manifest["clips"]["go"]["frames"].append("./rest/2.ktx2")
os.symlink("2.ktx2", "p/rest/again.ktx2")
manifest["clips"]["go"]["frames"].append("rest/again.ktx2")
manifest["frameCount"] += 2
json.dump(manifest, open("p/runtime_manifest.json", "w"), indent=2)
P
expect 0 check p
expect 0 check --contract amadeus p
expect 1 check --deep p
out_count 'error[charpack/texture]' 4
out_has "clips.rest.frames[1]: 'rest/1.ktx2' cannot be shown: what is packed is damaged, or has another size (byte "
out_has "clips.rest.frames[2]: 'rest/2.ktx2' cannot be shown: the width is 0 (byte 20)"
out_has "clips.go.frames[1]: 'go/1.ktx2' cannot be shown: a side has more than 16384 pixels (byte 20)"
out_has "mouthOverlays.rest[0]: 'shut/0.ktx2' cannot be shown: this is not the identifier of a KTX2 file (byte 0)"
out_has '   at: /mouthOverlays/rest/0'
out_has 'p/rest/1.ktx2: note: the texture'
expect 1 check --deep --output gcc p
out_has "p/runtime_manifest.json:"
out_has "error: clips.rest.frames[2]: 'rest/2.ktx2' cannot be shown"
for output in json sarif; do
    expect 1 check --deep --output $output p
    python3 - $output <<'P' || fault "not so in $output"
import json, sys
d = json.load(open("out"))
if sys.argv[1] == "json":
    found = [(x["pointer"], x["related"]["file"]) for x in d["diagnostics"] if x["id"] == "charpack/texture"]
    sys.exit(("/mouthOverlays/rest/0", "p/shut/0.ktx2") not in found or len(found) != 4)
results = [r for r in d["runs"][0]["results"] if r["ruleId"] == "charpack/texture"]
places = [r["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results]
sys.exit(sorted(places) != ["p/go/1.ktx2", "p/rest/1.ktx2", "p/rest/2.ktx2", "p/shut/0.ktx2"])
P
done

# ---- what is missing does not keep the others from being looked at
rm p/go/3.ktx2
expect 1 check --deep p
out_count 'error[charpack/file]' 1
out_count 'error[charpack/texture]' 4
out_lacks 'charpack/texture-size'

# ---- a folder in the pack that is called as the pack is
mkdir -p sub/p
mv p/go sub/p
expect 1 check p
sed -i 's,"go/,"p/go/,' p/runtime_manifest.json
expect 1 check p
out_has "clips.go.frames[0]: there is no file 'p/go/0.ktx2' in the pack"
expect 1 check p --assets sub
out_lacks 'p/go/0.ktx2'
out_has "there is no file 'p/go/3.ktx2' in the pack"
mv sub/p p/p
expect 1 check p
out_lacks 'p/go/0.ktx2'

# ---- many pictures take no more memory than one
peak() { # CLIP-LENGTH...: kB
    python3 - "$program" "$@" <<'P'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
}
plain=$(peak check large-p)
deep=$(peak check --deep large-p)
# A picture here is 1 MB, and packed not much less; sanitizers keep what is freed for a while.
case $(nm -D "$program" 2>/dev/null) in
*__asan_init*) ;;
*) [ $((deep - plain)) -lt 4096 ] || fault "--deep takes $deep kB, and $plain kB without it" ;;
esac

# ---- it means nothing to others, and what means nothing together is said
expect 0 check --deep "$root/examples/petween/slam-land.json"
expect 2 check --deep --contract amadeus p
err_has 'no --fix, --strict, --output or --deep'
for pack in "$root"/tests/vectors/charpack/packs/*/; do
    [ -d "$pack" ] || continue
    expect 0 check --deep --quiet "${pack%/}"
    out_lacks 'charpack/texture]'
done
finish
