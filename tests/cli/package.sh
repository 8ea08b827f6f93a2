#!/bin/sh
# tests/cli/package.sh PROGRAM: pets in archives as people meet them. What is wrong with one is said, all of it and with the
# entry's name, and nothing is written; a pet packed and unpacked plays the same; a damaged archive never does harm.
set -u
. "$(dirname "$0")/common.sh"

look() { (cd "$1" && find . -type f | LC_ALL=C sort | while read -r f; do printf '%s ' "$f" && cksum <"$f"; done); }
trace() { "$program" trace "$1" --script film.json --values >"$2" 2>err || fault "trace $1"; }

# ---- Each package says what it must, and no more; the ids come sorted, since places are told elsewhere (tests/diag) ----
mkdir zips
python3 "$here/packages.py" zips >list || exit 1
[ "$(wc -l <list)" -gt 70 ] || fault 'there are too few packages'
while read -r name code ids; do
    "$program" check "zips/$name.zip" --output gcc --max-errors 1000 >out 2>err
    got=$?
    [ "$got" = "$code" ] || fault "exit $got, not $code: $name"
    printf '%s\n' $ids | sed '/^$/d' | LC_ALL=C sort >wanted
    sed -n 's/.*\[\([a-z0-9-]*\/[a-zA-Z0-9-]*\)\]$/\1/p' out | LC_ALL=C sort >said
    cmp -s wanted said || fault "$name: said $(tr '\n' ' ' <said), not $ids"
    [ -s err ] && fault "$name: messages"
done <list
[ -z "$(find . -newer list -type f ! -name out ! -name err ! -name wanted ! -name said)" ] || fault 'something was written'
expect 1 check zips/encrypted.zip
out_has '"assets/'
out_has 'is encrypted'
expect 1 check zips/name-escape.zip # and nothing of it reaches the terminal as it is
LC_ALL=C grep -q "$(printf '\033')" out && fault 'an escape sequence came through'

# By content, not by name; on the standard input; and by no other format.
cp zips/good.zip good.png
expect 0 info good.png
out_has 'good.png: pet, document profile'
"$program" check - <zips/good.zip >out 2>err || fault 'from the standard input'
out_has '<stdin>: ok (pet-package)'
expect 1 check zips/good.zip --format petween
expect 0 check zips/good.zip --format pet-package
expect 2 check zips/good.zip --fix
err_has 'is a package'
expect 0 sample zips/good.zip --at 50% --clip user:hop
expect 0 dump zips/good.zip
expect 0 render zips/good.zip --at 0 -o good-still.png
expect 1 render zips/exchanged.zip -o never.webp
[ -e never.webp ] && fault 'a picture of a bad package'

# ---- There and back ----
cp -r "$root/examples/petween/praxi" praxi
cp praxi/film.json film.json
cp "$root"/examples/petween/pet/*.png praxi/
expect 0 convert praxi --to pet-package -o praxi.zip
out_has 'praxi.zip: praxi, 6 pictures'
expect 0 check praxi.zip --strict
expect 0 convert praxi.zip --to pet -o back
[ -f back/pet.json ] && [ -f back/animations/user_slam-land.json ] || fault 'the folder lacks files'
expect 0 convert back --to pet-package -o again.zip
same praxi.zip again.zip
expect 0 convert praxi.zip --to pet-package -o straight.zip
same praxi.zip straight.zip
expect 0 convert praxi --to pet -o straight
look back >before
look straight | cmp -s - before || fault 'folder to folder is another way'
for pet in praxi praxi.zip back; do trace $pet "trace-$pet"; done
same trace-praxi trace-praxi.zip
same trace-praxi trace-back
python3 - praxi.zip <<'PY' || fault 'the archive is not as it should be'
import sys, zipfile
entries = zipfile.ZipFile(sys.argv[1]).infolist()
names = [e.filename for e in entries]
assert names == sorted(names) and len(names) == 7
assert all(e.date_time == (1980, 1, 1, 0, 0, 0) for e in entries)
assert all((e.compress_type == 8) == (e.filename == "manifest.json") for e in entries)
PY

# Names and what comes with a pet; members that nobody knows; only what the pet names goes in.
expect 0 convert zips/good.zip --to pet -o good
python3 - good/pet.json good/animations/user_float.json <<'PY' || fault 'something was lost on the way'
import json, sys
pet, animation = (json.load(open(name)) for name in sys.argv[1:3])
assert pet["name"] == "Cat" and pet["attribution"]["more"] == 1 and pet["attribution"]["creators"] == ["Ann"]
assert pet["pluginConfigs"]["bells"]["animationIdRemap"] == {"user:hop": "user:hop-2"}
assert animation["mine"] == [1.5, None] and animation["tracks"][0]["keyframes"][1]["note"] == "kept"
PY
expect 0 convert good --to pet-package -o good-1.zip
expect 0 convert good-1.zip --to pet -o good-2
look good >before
look good-2 | cmp -s - before || fault 'a foreign package is not the same after the second way'
expect 0 convert zips/mounts-only.zip --to pet -o mounts # mounts become what the states say
grep -qF '"customAnimationId": "user:float"' mounts/pet.json || fault 'the mounts were lost'
trace zips/mounts-only.zip trace-a
trace mounts trace-b
same trace-a trace-b
expect 0 convert praxi --to pet-package -o named.zip --name 'Katze "Mia"'
out_has 'Katze "Mia"'
expect 2 convert praxi --to pet-package -o never.zip --name ' '
cat praxi/animations/slam-land.json | sed 's/user:slam-land/user:nobody/' >praxi/animations/nobody.json
cp praxi/idle.png praxi/other.png
expect 0 convert praxi --to pet-package -o lean.zip
same praxi.zip lean.zip
"$program" convert praxi --to pet-package -o - >piped.zip 2>err || fault 'to the standard output'
same praxi.zip piped.zip
cp praxi/idle.png praxi/error.png # equal pictures are in it once
expect 0 convert praxi --to pet-package -o equal.zip
[ "$(python3 -c 'import zipfile; print(len(zipfile.ZipFile("equal.zip").namelist()))')" = 6 ] || fault 'equal pictures'

# WebP and JPEG, in folders, packages and --picture.
mkdir mixed
cp praxi/pet.json mixed/
cp -r praxi/animations mixed/
if command -v ffmpeg >err && command -v cwebp >>err; then
    cwebp -quiet -lossless -exact praxi/idle.png -o mixed/idle.webp 2>err
    ffmpeg -v error -i praxi/thinking.png -q:v 2 mixed/thinking.jpg 2>err </dev/null
    expect 0 convert mixed --to pet-package -o mixed.zip
    expect 0 convert mixed.zip --to pet -o unmixed
    [ "$(ls unmixed/assets | sed 's/.*\.//' | sort | tr '\n' ' ')" = 'jpeg webp ' ] || fault 'endings'
    for pet in mixed mixed.zip unmixed; do
        expect 0 render $pet --script film.json --frames 30-30 --size 128x128 -o "$pet.rgba"
    done
    same mixed.rgba mixed.zip.rgba
    same mixed.rgba unmixed.rgba
    expect 0 render builtin:jelly --frames 0-0 --picture idle=praxi/idle.png --size 64x64 -o a.rgba
    expect 0 render builtin:jelly --frames 0-0 --picture idle=mixed/idle.webp --size 64x64 -o b.rgba
    same a.rgba b.rgba
    expect 0 render builtin:jelly --frames 0-0 --picture idle=mixed/thinking.jpg --size 64x64 -o c.rgba
    head -c 900 mixed/thinking.jpg >cut.jpg
    head -c 900 mixed/idle.webp >cut.webp
    expect 3 render builtin:jelly --frames 0-0 --picture idle=cut.webp -o never.webp
    err_has 'damaged WebP'
fi
printf 'no picture' >none.png
expect 3 render builtin:jelly --frames 0-0 --picture idle=none.png -o never.webp
err_has 'is not a PNG, WebP or JPEG picture'

# ---- What cannot be packed, and what stands in the way ----
mkdir poor
printf '{"poses":{"idle":{"assetId":"gone"}},"states":{"error":{"enter":{"animationId":"user:gone"}}}}' >poor/pet.json
expect 1 convert poor --to pet-package -o poor.zip
err_has 'petween/package-picture'
err_has 'petween/package-animation'
cp none.png poor/idle.png
expect 1 convert poor --to pet-package -o poor.zip
[ -e poor.zip ] && fault 'a package of a poor pet'
expect 1 convert "$root/examples/petween/slam-land.json" --to pet-package -o never.zip
err_has 'is no pet'
expect 1 convert zips/exchanged.zip --to pet -o never
expect 3 convert praxi.zip --to pet -o back
err_has 'is there already and not empty'
look back >after
expect 3 convert praxi.zip --to pet -o film.json
expect 3 convert praxi.zip --to pet -o no/such/place
expect 3 convert praxi --to pet-package -o no/such/place.zip
expect 2 convert praxi.zip --to pet -o -
expect 2 convert praxi.zip --to zip -o x
expect 2 convert praxi.zip -o x
expect 2 convert praxi.zip --to pet
[ -e never ] || [ -e never.zip ] && fault 'something was written'
mkdir empty
expect 0 convert praxi.zip --to pet -o empty/ # an empty folder gives way
ls -a | grep -q '\.[A-Za-z0-9]\{6\}$' && fault 'temporary files were left'

# ---- The animations of a package into a library ----
expect 0 library import zips/good.zip --dir lib
out_has 'imported   user:hop'
out_has 'mount      idle is to be accompanied by user:float'
expect 1 library import zips/exchanged.zip --dir lib
err_has 'package/hash'
expect 1 library import zips/plain.zip --dir lib
err_has 'brings no animations of its own'
[ "$(ls lib)" = "$(printf 'user_float.json\nuser_hop.json')" ] || fault 'the library'

# ---- Damaged archives: every offset of the beginning and of the directory, a thousand others, every length ----
python3 - "$program" zips/good.zip <<'PY' || fault 'damaged archives'
import random, resource, subprocess, sys
program, name = sys.argv[1:3]
whole = open(name, "rb").read()
directory = whole.index(b"PK\1\2")
draw = random.Random(4)
places = set(range(min(300, len(whole)))) | set(range(directory, len(whole)))
places |= {draw.randrange(len(whole)) for _ in range(1000)}
cases = [whole[:at] + bytes([whole[at] ^ draw.choice([1, 0x80, 0xFF, draw.randrange(1, 256)])]) + whole[at + 1:]
         for at in sorted(places)]
cases += [whole[:size] for size in range(0, len(whole), 7)]
def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
bad = 0
for start in range(0, len(cases), 200):
    files = []
    for i, case in enumerate(cases[start:start + 200]):
        files.append("flip-%d.zip" % i)
        open(files[-1], "wb").write(case)
    run = subprocess.run([program, "check", "--output", "gcc"] + files, preexec_fn=limit, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=120)
    if run.returncode not in (0, 1):
        bad += 1
        print("exit", run.returncode, "from", start, run.stderr[-2000:].decode(errors="replace"))
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(len(cases), "damaged archives,", peak, "kB at most")
sys.exit(bad != 0 or peak > 400000)
PY
# A small archive of a large content takes neither the memory nor the time of what it holds.
python3 - "$program" zips/bomb.zip <<'PY' || fault 'the bomb'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "check", sys.argv[2]], stdout=subprocess.DEVNULL, timeout=20)
sys.exit(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 200000)
PY

finish
