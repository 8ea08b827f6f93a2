#!/bin/sh
# tests/cli/library-store.sh PROGRAM: a library in a file as people meet it. Every verb and every refusal; what goes in comes
# out byte for byte, in whatever format; names that try to leave write nothing; a file that is locked, read-only, full,
# foreign or damaged is told of and left as it was.
set -u
. "$(dirname "$0")/common.sh"
always=library
examples=$root/examples
HOME=$work/home
XDG_DATA_HOME=
export HOME XDG_DATA_HOME
db=lib.db

json_is() { # EXPRESSION, which python3 finds true of the output as d
    python3 -c 'import json, sys; d = json.load(open("out")); sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}
on() { # CODE VERB ARGUMENT...: on the library of the test
    want=$1
    shift
    expect "$want" "$@" --library $db
}
revision() { # of the last change
    "$program" library show --library $db --output json | python3 -c 'import json, sys; print(json.load(sys.stdin)["revision"])'
}
unchanged() { # nothing has happened since `before=$(revision)`
    [ "$(revision)" = "$before" ] || fault "the library has changed: $(revision), not $before"
}
ended_is() { # the output is what FILE has before its last line end, which no pack keeps
    { cat out && echo; } | cmp -s - "$1" || fault "the output is not $1"
}
animation() { # ID KIND DURATION
    printf '{ "version": 1, "id": "%s", "name": "N", "kind": "%s", "durationMs": %s,\n' "$1" "$2" "$3"
    printf '  "repeat": { "mode": "%s" }, "tracks": [] }' "$([ "$2" = ambient ] && echo loop || echo once)"
}
sql() { python3 - "$@" <<'PY'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as c:
    for line in sys.argv[2:]:
        c.execute(line)
c.close()
PY
}

# ------------------------------------------------------------------------------------------------ usage
expect 2
err_has 'import, export, list, show, clone, remove, mount, history, restore, check, repair or backup'
expect 2 restoer x
err_has "did you mean 'restore'"
for verb in import clone remove restore; do
    on 2 $verb
    err_has "$verb wants"
done
on 2 export
on 2 export a --ids b
on 2 export a b
on 2 export --ids a --revision 3
on 2 export a --name b
on 2 export a --output json
err_has '-o'
on 2 export --ids a --output json
for number in 0 -1 1x x 99999999999999999999; do
    on 2 show a --revision $number
    err_has '--revision wants'
done
on 2 show --revision 3
on 2 show a b --revision 3
on 2 restore a b --revision 3
on 2 history a b
on 2 check a
on 2 list --output csv
on 2 list --format petwen
on 2 clone builtin:jelly
err_has '--id'
on 2 backup
on 2 backup -o -
on 2 mount a b c
on 2 mount --clear
on 2 mount a nowhere
err_has 'idle, thinking'
on 2 mount a sucess
err_has "did you mean 'success'"
on 2 mount a click.enter
on 2 mount a success.leave
on 2 list --revision 3
err_has 'list takes no --revision'
on 2 remove a --clear
expect 2 list --library .
err_has 'is a folder'
err_has "'zoetrope library import'"
expect 2 list --library ''
expect 2 show a --dir .
[ "$(ls)" = "$(printf 'err\nout')" ] || fault "something was made: $(ls)"

# ------------------------------------------------------------------------------------------------ where it is
for verb in list 'show a' 'history a' 'export a' 'remove a' 'restore a' 'mount a click' mount check repair 'backup -o b.db'; do
    expect 3 $verb
    [ -s err ] || fault "$verb says nothing"
    [ ! -e home ] || fault "$verb made the user's folder"
    expect 3 $verb --library $db
    [ ! -e $db ] || fault "$verb made the library"
done
err_has "$db"
expect 3 list
err_has "'zoetrope library import FILE' makes"
expect 3 import "$examples/petween/peekaboo.json" --library nowhere/lib.db
[ ! -e nowhere ] || fault 'a folder that --library names was made'
expect 0 import "$examples/petween/peekaboo.json"
[ -f home/.local/share/zoetrope/library.db ] || fault "the user's own library is not there"
[ "$(stat -c %a home/.local/share/zoetrope)" = 700 ] || fault "the user's folder is open to others"
XDG_DATA_HOME=$work/data expect 0 import "$examples/petween/peekaboo.json"
[ -f data/zoetrope/library.db ] || fault 'XDG_DATA_HOME is not honoured'
XDG_DATA_HOME=elsewhere expect 0 list # no absolute path, so it does not count
[ ! -e elsewhere ] || fault 'a relative XDG_DATA_HOME'
out_has 'user:peekaboo'
(unset HOME XDG_DATA_HOME && "$program" library list >out 2>err)
[ $? = 2 ] || fault 'without HOME'
err_has '--library'
rm -r home data

# ------------------------------------------------------------------------------------------------ a pack
on 0 import "$examples/petween/praxi-pack.json" --dry-run
out_has 'would be: 4 imported, 0 renamed, 0 held already'
[ ! -e $db ] || fault '--dry-run made the library'
on 0 import "$examples/petween/praxi-pack.json"
out_has '4 imported, 0 renamed, 0 held already'
out_has 'success is to be entered by user:slam-land'
for name in slam-land curtain-spin gentle-float peekaboo; do
    on 0 export user:$name
    ended_is "$examples/petween/$name.json"
done
before=$(revision)
on 0 import "$examples/petween/praxi-pack.json" --output json
json_is '[e["status"] for e in d["imports"][0]["entries"]] == ["identical"] * 4'
json_is 'd["imports"][0]["applyPatch"]["states"]["waiting"]["ambient"]["customAnimationId"] == "user:gentle-float"'
unchanged
on 0 export --ids user:slam-land,user:peekaboo,user:slam-land -o pack.json --name ' Two '
out_has 'pack.json: 2 animations, namespace user'
on 0 import pack.json
out_has '0 imported, 0 renamed, 2 held already'
sed 's/"durationMs": 1700/"durationMs": 1701/' "$examples/petween/praxi-pack.json" >other.json
on 0 import other.json
out_has 'renamed    user:gentle-float as user:gentle-float-2: the library holds another user:gentle-float'
on 0 export user:gentle-float-2
{ sed 's/gentle-float-2/gentle-float/; s/1701/1700/' out && echo; } >back.json
same back.json "$examples/petween/gentle-float.json"
on 1 export --ids user:slam-land,user:none,builtin:jelly -o none.json
err_has "'user:none'"
err_has "'builtin:jelly'"
on 1 export --ids user:none -o none.json --output json
json_is 'd["error"] == "PACK_EXPORT_UNKNOWN" and d["details"] == ["user:none"]'
on 2 export --ids ' , ,' -o none.json
[ ! -e none.json ] || fault 'a refused export wrote a file'
before=$(revision)
printf '{ "format": "motion-pack", "version": 1, "name": "P", "namespace": "lantern", "animations": [%s, %s]}' \
    "$(animation lantern:a ambient 0)" "$(animation user:c ambient 10)" >bad.json
on 1 import "$examples/petween/peekaboo.json" bad.json # of several, too, it is all or nothing
err_has 'petween/durationMs'
err_has 'petween/pack-outside-namespace'
err_has 'nothing was imported'
on 1 import bad.json --output json
json_is 'd["schema"] == "zoetrope/check@1"'
on 3 import "$examples/petween/peekaboo.json" nothing.json
unchanged

# ------------------------------------------------------------------------------------------------ list, show
on 0 list
out_has 'user:slam-land'
[ "$(grep -c '^user:' out)" = 5 ] || fault 'five animations are listed'
! grep -q ' $' out || fault 'spaces at the end of a line'
on 0 list slam --format petween
[ "$(wc -l <out)" = 1 ] || fault 'one has the word'
on 0 list nosuchword
err_has 'nothing is there with these words'
on 0 list --format petween --output json
json_is 'len(d["things"]) == 5 and all(t["area"] == "item" for t in d["things"])'
json_is '[t["durationMs"] for t in d["things"] if t["id"] == "user:peekaboo"] == [1500]'
on 0 show user:peekaboo
out_has 'petween, interaction'
out_has '1500 ms'
on 0 show user:peekaboo item/user:slam-land --output json
json_is '[t["id"] for t in d["things"]] == ["user:peekaboo", "user:slam-land"]'
on 0 export user:peekaboo -o peekaboo.json
on 0 show user:peekaboo --output json
json_is "d['things'][0]['files'][0]['sha256'] == '$(sha256sum <peekaboo.json | cut -d ' ' -f 1)'"
on 1 show user:peekabo
err_has "did you mean 'user:peekaboo'"
on 1 show pet/user:peekaboo
on 1 show builtin:jelly
err_has 'built in'
on 1 show '../../etc/passwd'
on 1 show ''
on 1 show nothing --output json
json_is 'd["error"] == "not-found" and d["message"]'
on 0 show --output json
json_is 'd["items"] == 8 and d["pets"] == 0 and len(d["libraryId"]) == 32' # three packs are kept

# ------------------------------------------------------------------------------------------------ clone
for source in comic-pop click-spin sway; do
    on 0 clone builtin:$source --id user:my-$source
    on 0 export user:my-$source -o my.json
    "$program" check my.json >out 2>&1 || fault "the clone of $source is not valid"
done
on 0 clone user:peekaboo --id user:twice --output json
json_is 'd["of"] == "user:peekaboo" and d["id"] == "user:twice"'
on 0 export user:twice
sed 's/user:twice/user:peekaboo/' out | cmp -s - peekaboo.json || fault 'more than the id is another'
before=$(revision)
on 0 clone user:twice --id user:thrice --dry-run
out_has 'would be stored: user:thrice'
on 1 clone builtin:jelly --id user:twice
err_has 'already'
on 1 clone builtin:jely --id user:other
on 1 clone builtin:jelly --id builtin:mine
err_has 'petween/reserved-namespace'
on 1 clone builtin:jelly --id user:0draft
on 1 clone builtin:jelly --id User:mine
on 1 clone builtin:jelly --id ../x
on 2 clone builtin:jelly --id 'x"y'
unchanged

# ------------------------------------------------------------------------------------------------ mount
on 0 mount user:my-comic-pop success
out_has 'success is entered by user:my-comic-pop'
on 0 mount user:my-sway idle.ambient --output json
json_is 'd["slot"] == "idle" and d["parts"] == ["ambient"] and d["animation"] == "user:my-sway"'
on 0 mount user:my-click-spin click
on 0 mount builtin:soft working.enter
on 0 mount
out_has 'user:my-comic-pop'
on 0 mount --output json
json_is 'd["mounts"]["idle"] == {"ambient": "user:my-sway"} and d["click"] == "user:my-click-spin"'
json_is 'd["mounts"]["working"] == {"enter": "builtin:soft"} and d["activePetId"] is None'
before=$(revision)
on 0 mount user:my-sway waiting --dry-run
out_has 'would be: waiting is accompanied by'
on 1 mount user:my-sway success.enter
err_has 'a transition'
on 1 mount user:my-sway click
err_has 'an interaction'
on 1 mount user:my-comic-pop idle.ambient
on 1 mount user:my-click-spin idle
err_has 'only the slot click'
on 1 mount builtin:sway idle
err_has 'library clone'
on 1 mount user:nobody idle
on 1 mount user:my-comic-pop idle --pet pet_nobody
err_has "no pet 'pet_nobody'"
on 2 mount user:my-sway
err_has 'wants a slot'
unchanged
on 0 mount --clear idle
on 0 mount --output json
json_is 'd["mounts"]["idle"] == {}'
on 0 mount user:my-sway idle

# ------------------------------------------------------------------------------------------------ remove, restore, history
before=$(revision)
on 1 remove user:twice user:my-comic-pop
err_has "config 'petween' (/states/success/enter/animationId)"
on 1 remove user:my-comic-pop --output json
json_is 'd["error"] == "in-use" and d["usedBy"][0]["where"] == "/states/success/enter/animationId"'
on 1 remove user:twice user:nobody
on 1 remove builtin:jelly
on 0 remove user:twice --dry-run
out_has 'would remove user:twice'
unchanged
on 0 remove user:my-comic-pop user:my-sway user:my-click-spin petween user:twice user:twice # each waits for what uses it
[ "$(grep -c '^removed' out)" = 5 ] || fault 'five are removed'
on 1 show user:twice
err_has "'zoetrope library restore user:twice'"
on 0 history user:twice
[ "$(awk '{ print $4 }' out | tr '\n' ' ')" = 'removed created ' ] || fault 'what happened to it'
on 0 history user:twice --output json
json_is '[h["change"] for h in d["history"]] == ["removed", "created"]'
on 0 history --output json
json_is '[h["revision"] for h in d["history"]] == list(range(d["history"][0]["revision"], 0, -1))'
before=$(revision)
on 2 restore user:peekaboo
err_has '--revision'
on 1 restore user:twice user:nobody
on 1 restore user:twice --revision 1
on 0 restore user:twice --dry-run
out_has 'would restore user:twice'
unchanged
on 0 restore petween user:my-comic-pop user:my-sway user:my-click-spin user:twice
on 0 mount --output json
json_is 'd["mounts"]["success"] == {"enter": "user:my-comic-pop"}'
first=$("$program" library history user:peekaboo --library $db --output json | python3 -c 'import json, sys; print(json.load(sys.stdin)["history"][-1]["revision"])')
sed 's/1500/1600/' "$examples/petween/peekaboo.json" >longer.json
on 0 import longer.json --replace
on 0 export user:peekaboo
same out longer.json
on 0 export user:peekaboo --revision "$first" -o first.json
same first.json peekaboo.json
on 0 show user:peekaboo --revision "$first"
out_has '1500 ms'
out_has 'not what is there now'
on 1 show user:peekaboo --revision 999999
err_has 'has no revision 999999'
on 1 export user:peekaboo --revision 999999
on 0 restore user:peekaboo --revision "$first"
on 0 export user:peekaboo
same out peekaboo.json
before=$(revision)
on 0 restore user:peekaboo --revision "$first"
out_has 'is as it was'
unchanged
on 0 remove user:twice
on 0 export user:twice --revision "$(revision)" # as it was until then
[ -s out ] || fault 'what was removed can be read'
sed 's/"interaction"/"transition"/; s/"user:peekaboo"/"user:my-click-spin"/' "$examples/petween/peekaboo.json" >kind.json
before=$(revision)
on 1 import kind.json --replace # a click plays it
unchanged

# ------------------------------------------------------------------------------------------------ every format, there and back
db=all.db
there_and_back() { # ID PATH...: imported, written out, held against where it came from, imported again
    id=$1
    shift
    on 0 import "$@" --output json
    json_is 'all(e["status"] == "imported" for i in d["imports"] for e in i["entries"])'
    before=$(revision)
    on 0 import "$@" --output json
    json_is 'all(e["status"] == "identical" for i in d["imports"] for e in i["entries"])'
    unchanged
    rm -rf back
    on 0 export "$id" -o back
}
again() { # what was written out, put into a library where it is already
    on 0 import "$@" --output json
    json_is 'all(e["status"] == "identical" for i in d["imports"] for e in i["entries"])'
}
there_and_back afsm.chest "$examples/forge/afsm/chest.json"
same back/afsm/chest.json "$examples/forge/afsm/chest.json"
(cd back && find . -type f) | while read -r file; do
    cmp -s "back/$file" "$examples/forge/$file" || echo "$file"
done >differ
[ ! -s differ ] || fault "a machine's files: $(cat differ)"
[ "$(find back -type f | wc -l)" -gt 1 ] || fault 'the model of a machine came along'
"$program" info back/afsm/chest.json >out 2>err || fault 'what was written out does not work'
again back/afsm/chest.json
owl=assets/zoetrope/asms/block/owl.json # in a resource pack, where all kinds of files are called alike
there_and_back assets.zoetrope.asms.block.owl "$examples/forge/owl/$owl" --assets "$examples/forge/owl/assets"
[ "$(find back -type f | wc -l)" = 5 ] || fault 'the armature, the model and the textures of a machine came along'
"$program" check back/$owl >out 2>err || fault 'what was written out of a resource pack does not work'
again back/$owl
there_and_back hop "$examples/enemy/hop.json"
same back/hop.json "$examples/enemy/hop.json"
same back/rig.json "$examples/enemy/rig.json"
again back/hop.json
there_and_back minimal "$examples/character-pack-minimal"
diff -r back "$examples/character-pack-minimal" >diffs || fault "a character pack: $(head -3 diffs)"
again back
again back/runtime_manifest.json
python3 - "$examples/character-pack-minimal" <<'PY'
import os, sys, zipfile
with zipfile.ZipFile("minimal.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for name in sorted(os.listdir(sys.argv[1])):
        z.write(os.path.join(sys.argv[1], name), name)
PY
again minimal.zip # it is the same pack
there_and_back praxi "$examples/petween/praxi"
diff -r back "$examples/petween/praxi" >diffs || fault "a pet's folder: $(head -3 diffs)"
there_and_back changed-set "$examples/enemy" --id changed-set
same back/attack.json "$examples/enemy/attack.json"
cp "$examples/petween/pet/idle.png" idle.png
asset=$(sha256sum <idle.png | cut -c 1-16)
there_and_back "$asset" idle.png
same back idle.png
on 0 list
out_has "asset/$asset"
"$program" convert "$examples/petween/praxi" --to pet-package -o praxi.zip --assets "$examples/petween/pet" >out 2>err || fault 'no package'
on 0 import praxi.zip --output json
json_is 'd["imports"][0]["petId"].startswith("pet_")'
pet=$(python3 -c 'import json; print(json.load(open("out"))["imports"][0]["petId"])')
kept=$(python3 -c 'import json; print(json.load(open("out"))["imports"][0]["keptAs"])')
on 0 export "$kept" -o kept.zip
same kept.zip praxi.zip
on 0 mount "$pet"
out_has "$pet is the active pet"
on 0 mount user:slam-land error
out_has "(pet/$pet)"
on 0 export "pet/$pet"
grep -q '"animationId": *"user:slam-land"' out || fault 'the pet does not have it'
on 0 mount --output json
json_is "d['activePetId'] == '$pet' and d['id'] == '$pet' and d['mounts']['error'] == {'enter': 'user:slam-land'}"
on 0 show "pet/$pet"
out_has 'uses'
on 0 show config/petween # its own slots are seen by nobody now
out_lacks 'uses'
on 1 remove user:slam-land
err_has "pet '$pet'"
python3 - <<'PY' >odd.json # members that nobody knows, their order, and the spelling of numbers
print('{"zz": 1.50e0, "version":1.0,\n  "id": "user:odd", "name": "Odd", "kind": "ambient", "durationMs": 1e3, "a": {"y": 0.10, "x": -0},\n'
      '"repeat": {"mode": "loop"}, "tracks": [] }', end="")
PY
there_and_back user:odd odd.json
same back odd.json
on 0 export --ids user:odd -o pack.json
again pack.json
"$program" library import - --library $db <odd.json >out 2>err || fault 'from the standard input'
out_has '1 held already'
"$program" library import - --library $db <idle.png >out 2>err || fault 'a picture from the standard input'
out_has "identical  asset/$asset"
mkdir folder
on 0 export user:odd -o folder
same folder/odd.json odd.json
on 3 export user:odd -o new/
on 3 export afsm.chest -o folder # not empty
err_has 'not empty'
on 2 export afsm.chest
err_has '-o FOLDER'
on 1 import "$examples/forge/afsm/chest.json" --id user:0draft
on 0 import "$examples/forge/afsm/chest.json" --id second
on 0 show second
mkdir changed
cp -r "$examples/enemy/." changed
sed -i 's/"schemaVersion"/ "schemaVersion"/' changed/hop.json
before=$(revision)
on 0 import changed/hop.json --dry-run
out_has 'would be: 0 imported, 1 renamed, 0 held already'
unchanged
on 0 import changed/hop.json
out_has 'renamed    hop as hop-2'
on 0 import changed/hop.json --replace
on 0 show hop
out_has '2nd version'
on 0 import changed # a set goes by its folder's name
out_has 'imported   changed'
on 0 check
out_has 'nothing is wrong'

# ------------------------------------------------------------------------------------------------ a petween's own folder
mkdir -p own/animations
animation user:one ambient 1000 >own/animations/user_one.json
animation old:a ambient 1000 | sed 's/"mode": "loop"/"mode": "random-interval", "minDelayMs": 0, "maxDelayMs": 0/' >own/animations/old_a.json
printf '{' >own/animations/broken.json
animation builtin:jelly ambient 9 >own/animations/builtin_jelly.json
db=own.db
on 0 import own
out_has 'imported   user:one'
out_has 'of older rules'
out_has 'skipped    '
grep '^skipped' out | grep -q 'broken.json' || fault 'the broken file is named'
out_has '2 imported, 0 renamed, 0 held already, 2 skipped; 1 of older rules'
mkdir -p own/notes
for n in 1 2 3 4 5; do echo x >own/notes/$n.txt; done # of one reason the first three are named, the others counted
printf '{"format": "motion-pack", "version": 1, "name": "P", "namespace": "user", "animations": [%s]}' \
    "$(animation user:p ambient 9)" >own/notes/pack.json
on 0 import own
out_has 'skipped    notes/3.txt: it is neither JSON nor a picture'
out_lacks 'notes/4.txt'
out_has 'skipped    2 more: it is neither JSON nor a picture'
out_has 'nothing of the format motion-pack: import it by itself'
on 0 import own --output json
json_is 'len(d["imports"][0]["entries"]) == 10' # all of them
rm -r own/notes
cp -r "$examples/petween/praxi" noted
on 0 import noted # what a thing passes over is for check to tell
! grep -q note err || fault 'a note was said'
on 0 list noted
out_has '  noted' # it is called as its folder, and not as each such file is
echo >>noted/pet.json
on 0 import noted
out_has 'renamed    noted as noted-2'
on 0 import noted --replace
out_has 'imported   noted'
on 1 import noted/pet.json --id noted-2
err_has "there is a 'noted-2' already"
err_has '--replace puts the new one in its place'
on 0 remove noted noted-2
on 0 export old:a
same out own/animations/old_a.json
on 0 export --ids old:a -o old.json
again old.json
on 0 export --ids old:a
grep -q '"minDelayMs": 1, "maxDelayMs": 1' out || fault 'a pack has it as it would be written today'
on 0 check
before=$(revision)
on 0 import own --output json
json_is 'sorted(e["status"] for e in d["imports"][0]["entries"]) == ["identical", "identical", "skipped", "skipped"]'
unchanged

# ------------------------------------------------------------------------------------------------ names that try to leave
db=lib.db
before=$(revision)
mkdir victim
for name in ../evil.png /evil.png 'C:/evil.png' 'assets\evil.png' assets/../../evil.png; do
    python3 - "$name" <<'PY'
import sys, zipfile
with zipfile.ZipFile("evil.zip", "w") as z:
    z.writestr("manifest.json", '{"format": "pet-package", "version": 1, "name": "x", "pet": {}, "assets": []}')
    info = zipfile.ZipInfo("x")
    info.filename = sys.argv[1]
    z.writestr(info, b"evil")
PY
    on 1 import evil.zip
    grep -qF -e "$(printf '%s' "$name" | tr '\\' '?' | cut -c 1-4 | tr -d '?')" err || fault "the name is not said: $name"
done
cp -r "$examples/character-pack-minimal" linked
ln -s /etc/passwd linked/moon2.ktx2
on 1 import linked
err_has 'moon2.ktx2'
rm linked/moon2.ktx2
unchanged
on 0 import linked --id linked
ln -s "$work/victim/x" folder/odd-link
db=evil.db
cp lib.db evil.db
for name in ../victim/x /victim/x 'a/../../victim/x'; do
    python3 - evil.db "$name" <<'PY'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("UPDATE past_file SET name = ? WHERE revision = (SELECT revision FROM item WHERE id = 'linked') AND position = 1", (sys.argv[2],))
c.commit()
c.close()
PY
    on 1 export linked -o unpacked
    err_has 'leads out of the folder'
    [ ! -e unpacked ] && [ -z "$(ls victim)" ] || fault "something was written for $name"
done
db=all.db
rm -f folder/odd.json
ln -s "$work/victim/x" folder/odd.json
on 1 export user:odd -o folder
err_has 'link'
[ -z "$(ls victim)" ] || fault 'something was written through a link'

# ------------------------------------------------------------------------------------------------ files that are not as they should be
db=lib.db
before=$(revision)
python3 - $db <<'PY' &
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("BEGIN IMMEDIATE")
open("locked", "w").close()
time.sleep(7)
PY
holder=$!
while [ ! -e locked ]; do sleep 0.1; done
on 0 list # readers never wait
on 3 import "$examples/petween/peekaboo.json"
err_has 'lib.db'
wait $holder
unchanged
printf 'no library\n' >text.db
cp text.db text.before
expect 3 list --library text.db
err_has 'text.db'
expect 3 import "$examples/petween/peekaboo.json" --library text.db
same text.db text.before
sql other.db 'CREATE TABLE t(a)'
cp other.db other.before
expect 3 import "$examples/petween/peekaboo.json" --library other.db
same other.db other.before
"$program" library backup -o newer.db --library $db >out 2>err || fault 'no backup'
sql newer.db 'PRAGMA user_version = 999'
expect 3 list --library newer.db
err_has 'newer'
expect 3 list --library newer.db --output json
json_is 'd["error"] == "newer"'
"$program" library backup -o copy.db --library $db >out 2>err
expect 3 backup -o copy.db --library $db
err_has 'already'
[ "$("$program" library list --library copy.db)" = "$("$program" library list --library $db)" ] || fault 'the copy is another'
as_nobody= # root may write everything
[ "$(id -u)" != 0 ] || as_nobody='setpriv --reuid 65534 --clear-groups'
if $as_nobody true 2>/dev/null; then
    mkdir ro
    cp copy.db ro/lib.db
    chmod 444 ro/lib.db
    chmod 555 ro
    chmod 755 "$work"
    HOME=$work/home $as_nobody "$program" library list --library "$work/ro/lib.db" >out 2>err || fault 'a read-only library cannot be read'
    out_has 'user:peekaboo'
    $as_nobody "$program" library remove user:peekaboo --library "$work/ro/lib.db" >out 2>err
    [ $? = 3 ] || fault 'a read-only library'
    err_has 'lib.db'
    chmod 755 ro
fi
python3 - <<'PY'
text = open("odd.json").read()
open("large.json", "w").write(text.replace('"zz": 1.50e0', '"zz": "' + "x" * 3000000 + '"').replace("user:odd", "user:large"))
PY
before=$(revision)
(
    ulimit -f 1000
    "$program" library import large.json --library $db >out 2>err
)
code=$?
[ $code = 3 ] || fault "a full disk: exit $code"
err_has 'is as it was'
unchanged
on 0 check
on 0 check --quiet
[ ! -s out ] || fault '--quiet'
on 0 check --output json
json_is 'd["sound"] and d["findings"] == []'
on 0 import large.json
python3 - <<'PY' # a byte within a content
data = bytearray(open("lib.db", "rb").read())
at = data.index(b"x" * 3000) # a page has no more in one piece
data[at + 1500] ^= 1
open("lib.db", "wb").write(data)
PY
on 1 check
out_has 'user:large'
out_has "'zoetrope library repair'"
on 3 export user:large -o large.out
[ ! -e large.out ] || fault 'damaged bytes were written'
on 0 export user:peekaboo # what is whole can be had
on 0 repair
[ -f lib.db.damaged ] || fault 'what was damaged is not kept'
on 0 check
on 1 show user:large
on 0 show user:peekaboo
on 0 repair
out_has 'as it was'

finish
