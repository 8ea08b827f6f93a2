#!/bin/sh
# tests/cli/library.sh PROGRAM: a library in a folder as people meet it: imports that change all or nothing, packs that lead
# back to the same files, clones that play like their sources, and what is said in each case.
set -u
. "$(dirname "$0")/common.sh"
always=library
examples=$root/examples/petween

json_is() { # EXPRESSION, which python3 finds true of the output as d
    python3 -c 'import json, sys; d = json.load(open("out")); sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}
look() { # everything in a folder, hidden files too
    (cd "$1" && find . -type f | LC_ALL=C sort | while read -r f; do printf '%s ' "$f" && cksum <"$f"; done)
}
unchanged() { # FOLDER: as it was when `look` wrote `before`
    look "$1" | cmp -s - before || fault "'$1' is not as it was"
}
animation() { # ID, and what its durationMs is
    printf '{ "version": 1, "id": "%s", "name": "N", "kind": "ambient", "durationMs": %s,\n' "$1" "$2"
    printf '  "repeat": { "mode": "loop" }, "tracks": [] }'
}
pack() { # NAMESPACE ANIMATION...
    printf '{ "format": "motion-pack", "version": 1, "name": "P", "namespace": "%s", "animations": [\n' "$1"
    shift
    before_it=
    for one in "$@"; do
        printf '%s%s' "$before_it" "$one"
        before_it=',
'
    done
    printf ']}\n'
}

# ------------------------------------------------------------------------------------------------ usage
expect 2
err_has 'import, export, list, show, clone, remove,'
expect 2 improt x.json --dir lib
err_has "did you mean 'import'"
expect 2 show user:a --dir lib
err_has '--library'
expect 2 list --dir . --library lib.db
err_has 'not both'
expect 2 list --dir . --format petween
err_has 'with --dir'
expect 2 import --dir lib
expect 2 import a.json b.json --dir lib
expect 2 export --dir .
err_has '--ids'
expect 2 export --dir . --ids ' , ,'
expect 2 clone builtin:jelly --dir lib
expect 2 list --dir . --output csv
expect 2 list user:a --dir .
expect 2 list --dir . --ids user:a
err_has 'takes no --ids'
expect 2 list --dir ''
expect 3 import nowhere.json --dir lib
expect 3 list --dir nowhere
err_has "cannot read 'nowhere'"
[ ! -e lib ] && [ ! -e nowhere ] || fault 'a failure made a folder'

# ------------------------------------------------------------------------------------------------ a pack is refused whole
pack lantern "$(animation lantern:a 0)" "$(animation lantern:b 10)" "$(animation user:c 10)" >bad.json
expect 1 import bad.json --dir lib
err_has 'petween/durationMs'
err_has '/animations/0/durationMs'
err_has 'petween/pack-outside-namespace'
err_has '2 errors'
[ ! -e lib ] || fault 'a refused pack made a folder'
mkdir lib
animation lantern:b 10 >lib/lantern_b.json
look lib >before
expect 1 import bad.json --dir lib --output json
json_is 'd["schema"] == "zoetrope/check@1"'
unchanged lib
pack x "$(animation x:a 9)" | sed 's/"version": 1, "name"/"version": 2, "name"/' >newer.json
expect 1 import newer.json --dir lib
err_has 'newer petween'
unchanged lib
animation user:0draft 9 >draft.json
expect 1 import draft.json --dir lib
err_has 'petween/reserved-id'
unchanged lib

# ------------------------------------------------------------------------------------------------ import
expect 0 import "$examples/praxi-pack.json" --dir lib --dry-run
out_has 'would be: 4 imported'
unchanged lib
expect 0 import "$examples/praxi-pack.json" --dir lib
out_has '4 imported, 0 renamed, 0 held already'
out_has 'success is to be entered by user:slam-land'
for name in slam-land curtain-spin gentle-float peekaboo; do
    cmp -s "lib/user_$name.json" "$examples/$name.json" || fault "user_$name.json is not the example"
done
look lib >before
expect 0 import "$examples/praxi-pack.json" --dir lib --output json
json_is '[e["status"] for e in d["entries"]] == ["identical"] * 4 and d["namespace"] == "user"'
json_is 'd["applyPatch"]["states"]["waiting"]["ambient"]["customAnimationId"] == "user:gentle-float"'
unchanged lib
expect 0 import "$examples/slam-land.json" --dir lib
out_has '0 imported, 0 renamed, 1 held already'
unchanged lib
sed 's/"durationMs": 1700/"durationMs": 1701/' "$examples/praxi-pack.json" >other.json
expect 0 import other.json --dir lib
out_has 'renamed    user:gentle-float as user:gentle-float-2: the library holds another user:gentle-float'
out_has 'idle is to be accompanied by user:gentle-float-2'
grep -q '"id": "user:gentle-float-2"' lib/user_gentle-float-2.json || fault 'the id in the file'
sed 's/gentle-float-2/gentle-float/; s/1701/1700/' lib/user_gentle-float-2.json | cmp -s - "$examples/gentle-float.json" ||
    fault 'more than the id was changed'
expect 0 import other.json --dir lib
out_has 'as user:gentle-float-2: the library holds another user:gentle-float, and this one from an earlier import'
expect 0 import other.json --dir lib --profile original
out_has 'as user:gentle-float-3'
python3 - "$examples/gentle-float.json" >turned.json <<'EOF'
import json, sys
d = json.load(open(sys.argv[1]))
json.dump(dict(reversed(d.items())), sys.stdout)
EOF
expect 0 import turned.json --dir lib
out_has 'differs only in the order of members'
"$program" library import - --dir lib <"$examples/peekaboo.json" >out 2>err || fault 'from the standard input'

# ------------------------------------------------------------------------------------------------ all or nothing
# The third file grows beyond what may be written.
pack half "$(animation half:a 10)" "$(animation half:b 10)" "$(animation half:c 10)" >half.json
python3 - <<'EOF'
text = open("half.json").read()
at = text.rindex('"N"') + 1
open("half.json", "w").write(text[:at] + "x" * 200000 + text[at:])
EOF
look lib >before
(
    ulimit -f 100
    "$program" library import half.json --dir lib >out 2>err
)
[ $? = 3 ] || fault 'a write that fails half-way'
err_has 'half_c.json'
err_has 'is as it was'
unchanged lib
mkdir lib/half_b.json # a name that is taken
expect 3 import half.json --dir lib
err_has 'half_b.json'
rmdir lib/half_b.json
unchanged lib
printf '+half_a.json\n' >lib/.zoetrope-journal # the traces of one that never came to its end
printf x >lib/half_a.json
printf x >lib/.zoetrope-new-half_b.json
expect 0 list --dir lib
unchanged lib
expect 0 import half.json --dir lib
expect 0 remove half:a half:b half:c half:a --dir lib
out_has 'removed 3 animations'
unchanged lib
if command -v flock >/dev/null 2>&1; then
    : >lib/.zoetrope-lock
    flock lib/.zoetrope-lock sleep 4 &
    holder=$!
    sleep 0.3
    expect 3 import half.json --dir lib
    err_has 'another program'
    wait $holder
    expect 0 list --dir lib
    unchanged lib
fi

# ------------------------------------------------------------------------------------------------ list, remove
printf '{' >lib/broken.json
animation builtin:jelly 9 >lib/builtin_jelly.json
expect 0 list --dir lib
out_has 'user:slam-land'
err_has "broken.json' is passed over"
err_has 'builtin_jelly.json'
expect 0 list --dir lib --output json
json_is 'len(d["warnings"]) == 2 and d["warnings"][0]["file"] == "broken.json"'
json_is '[a["durationMs"] for a in d["animations"] if a["id"] == "user:peekaboo"] == [1500]'
look lib >before
expect 1 remove user:slam-land user:none --dir lib
err_has 'nothing was removed'
unchanged lib
expect 1 remove builtin:jelly --dir lib
err_has 'built in'
unchanged lib
rm lib/broken.json lib/builtin_jelly.json
odd=$(printf 'od\377d\360\237\226\274')
if mkdir "$odd" 2>/dev/null; then # no JSON may have such a name
    expect 0 list --dir "$odd" --output json
    json_is 'd["dir"] == "od\ufffdd\U0001f5bc"'
    rmdir "$odd"
fi
animation user:last 9 >lib/user_last.json # where nothing can be written any more, it still can be made room
(
    ulimit -f 0
    "$program" library remove user:last --dir lib >/dev/null
) || fault 'on a full disk an animation cannot be removed'
[ ! -e lib/user_last.json ] || fault 'it is still there'
animation old:a 9 | sed 's/"mode": "loop"/"mode": "random-interval", "minDelayMs": 0, "maxDelayMs": 0/' >lib/old_a.json
look lib >before
expect 0 list --dir lib
err_has "old_a.json' is of older rules"
out_has 'old:a'
expect 0 list --dir lib --output json
json_is 'd["normalized"] == ["old_a.json"] and d["warnings"] == []'
expect 0 export --dir lib --ids old:a
grep -q '"minDelayMs": 1, "maxDelayMs": 1' out || fault 'the export of a file of older rules'
unchanged lib
rm lib/old_a.json

# ------------------------------------------------------------------------------------------------ export
expect 0 export --dir lib --ids user:peekaboo,lantern:b,user:peekaboo -o pack.json --name '  Two  '
out_has 'pack.json: 2 animations, namespace mixed'
"$program" check pack.json >out 2>&1 || fault 'the export is not valid'
expect 0 import pack.json --dir other
cmp -s other/user_peekaboo.json "$examples/peekaboo.json" || fault 'there and back'
expect 0 import pack.json --dir lib
out_has '0 imported, 0 renamed, 2 held already'
expect 0 export --dir lib --ids lantern:b
cp out once.json
grep -q '"namespace": "lantern"' once.json || fault 'the common namespace'
expect 1 export --dir lib --ids user:peekaboo,user:none,builtin:jelly -o none.json
err_has "no 'user:none'"
err_has "no 'builtin:jelly'"
[ ! -e none.json ] || fault 'a refused export wrote a file'
expect 1 export --dir lib --ids user:none -o none.json --output json
json_is 'd["error"] == "PACK_EXPORT_UNKNOWN" and d["details"] == ["user:none"]'
expect 2 export --dir lib --ids lantern:b --output json

# ------------------------------------------------------------------------------------------------ clone
for source in comic-pop jelly flip celebrate click-spin bounce sway breathe none; do
    expect 0 clone "builtin:$source" --id "user:my-$source" --dir mine
    "$program" check "mine/user_my-$source.json" >out 2>&1 || fault "the clone of $source is not valid"
    for strength in 0 1 1.5; do
        "$program" sample "builtin:$source" --fps 120 --all --output csv --set strength=$strength >a 2>/dev/null
        "$program" sample "mine/user_my-$source.json" --fps 120 --all --output csv --set strength=$strength >b 2>/dev/null
        [ -s a ] && cmp -s a b || fault "the clone of $source plays otherwise at strength $strength"
    done
done
expect 0 clone user:my-jelly --id user:twice --dir mine
sed 's/user:twice/user:my-jelly/' mine/user_twice.json | cmp -s - mine/user_my-jelly.json || fault 'a clone of a clone'
look mine >before
expect 1 clone builtin:jelly --id user:twice --dir mine
err_has 'already'
expect 1 clone builtin:jely --id user:other --dir mine
err_has "did you mean 'builtin:jelly'"
expect 1 clone builtin:jelly --id builtin:mine --dir mine
err_has 'petween/reserved-namespace'
expect 1 clone builtin:jelly --id User:mine --dir mine
err_has 'petween/id'
expect 1 clone builtin:jelly --id user:0draft --dir mine
unchanged mine

finish
