#!/bin/sh
# tests/cli/charpack-check.sh PROGRAM: character packs checked: all their faults, the one line of the format's own
# validator and the script of its name, and what --fix writes into a manifest.
set -u
. "$(dirname "$0")/common.sh"
exec </dev/null
packs=$root/tests/vectors/charpack/packs
validate=$root/tools/validate_character_pack.py

pack() { # FOLDER [SED-EXPRESSION FILE]...: a pack that is fine, altered
    rm -rf "$1"
    cp -r "$packs/lamp_min" "$1"
    chmod -R u+w "$1"
    folder=$1
    shift
    while [ $# -gt 1 ]; do
        cp "$folder/$2" before
        sed -i "$1" "$folder/$2"
        cmp -s before "$folder/$2" && fault "nothing is altered by $1"
        shift 2
    done
}
one_line() { [ "$(cat out err | wc -l)" = 1 ] || fault "one line is wanted: $*"; }

# ---- the one line, and the script that is called by another name: the same of both
says() { # CODE LINE ARGUMENT: what both say; a line that begins with INVALID goes to the errors
    expect "$1" check --contract amadeus "$3"
    one_line "$3"
    case $2 in
    INVALID*) grep -q "^$2" err || fault "not said: $2" ;;
    *) grep -qxF "$2" out || fault "not said: $2" ;;
    esac
    mv out out.own
    mv err err.own
    ZOETROPE=$program "$validate" "$3" >out 2>err
    got=$?
    [ $got = "$1" ] || fault "exit $got, not $1: the script of $3"
    same out out.own
    same err err.own
}
pack fox
says 0 'OK: lamp 1.0.0 | nodes=1 edges=0 manual_edges=0 clips=1 frames=1' fox
says 0 'OK: lamp 1.0.0 | nodes=1 edges=0 manual_edges=0 clips=1 frames=1' fox/
pack ' odd "ü ' 's/"version": "1.0.0"/"version": "2"/' runtime_manifest.json
says 0 'OK: lamp 2 | nodes=1 edges=0 manual_edges=0 clips=1 frames=1' ' odd "ü '
pack ./-x
says 0 'OK: lamp 1.0.0 | nodes=1 edges=0 manual_edges=0 clips=1 frames=1' ./-x
rm -r ./-x
pack bad 's/200/0/' runtime_manifest.json
says 1 'INVALID \[invalid_manifest\]: clips.glow' bad
pack bad 's/true/1/' graph_config.json
says 1 'INVALID \[invalid_graph\]: graph.nodes\[0\]' bad
pack bad 's/"profiles": {}/"profiles": []/' spriteforge_mouth_config.json
says 1 'INVALID \[invalid_mouth_config\]: ' bad
pack bad 's/0000/0001/' runtime_manifest.json
says 1 'INVALID \[incomplete_pack\]: clips.glow.frames\[0\]' bad
rm bad/runtime_manifest.json
says 1 'INVALID \[not_installed\]: ' bad
says 1 'INVALID \[not_installed\]: ' nowhere
says 1 'INVALID \[not_installed\]: ' fox/runtime_manifest.json
pack deep # more than is read: the text is no manifest, or no graph
deep=$(printf '%2000s' '' | tr ' ' '[')$(printf '%2000s' '' | tr ' ' ']')
for file in runtime_manifest.json=manifest graph_config.json=graph spriteforge_mouth_config.json=mouth_config; do
    cp "fox/${file%=*}" "deep/${file%=*}"
    sed -i "1s/{/{\"deep\": $deep,/" "deep/${file%=*}"
    says 1 "INVALID \\[invalid_${file#*=}\\]: ${file%=*}" deep
    cp "fox/${file%=*}" "deep/${file%=*}"
done
mkdir -p folder/runtime_manifest.json
says 1 'INVALID \[not_installed\]: ' folder

for arguments in '' 'fox bad'; do
    # shellcheck disable=SC2086 # several words are meant
    ZOETROPE=$program "$validate" $arguments >out 2>err
    [ $? = 2 ] || fault "exit 2 is for wrong usage: $arguments"
    [ ! -s out ] || fault 'nothing is printed for wrong usage'
    err_has 'usage: validate_character_pack.py PACKDIR'
    # shellcheck disable=SC2086
    expect 2 check --contract amadeus $arguments
done
for more in --fix --strict '--output json'; do
    # shellcheck disable=SC2086
    expect 2 check --contract amadeus $more fox
done

# Where the script finds the program: the environment, then the checkout's builds, the newest of them, then PATH.
mkdir -p tree/tools tree/build/old/bin tree/build/new/bin path
cp "$validate" tree/tools
stub() { # FILE WORD: a program that says the word and its arguments
    printf '#!/bin/sh\necho %s "$@"\n' "$2" >"$1"
    chmod +x "$1"
}
finds() { # WORD: which of them is called
    PATH=$work/path:$PATH tree/tools/validate_character_pack.py 'a  b' >out 2>err
    out_has "$1 check --contract amadeus -- a  b"
}
python=$(dirname "$(command -v python3)")
if [ -x "$python/zoetrope" ] || [ -x /usr/bin/zoetrope ]; then
    echo 'a program of this name is installed, so nothing tells whether its absence is noticed'
else
    PATH=$python:/usr/bin:/bin tree/tools/validate_character_pack.py fox >out 2>err
    [ $? = 3 ] || fault 'there is no program to be found'
    err_has 'set ZOETROPE'
fi
stub path/zoetrope path
finds path
stub tree/build/old/bin/zoetrope old
touch -d '2020-01-01' tree/build/old/bin/zoetrope
finds old
stub tree/build/new/bin/zoetrope new
finds new
stub named named
export ZOETROPE="$work/named"
finds named
unset ZOETROPE

# ---- all faults, and the category of the first in the validator's order, whichever file it is in
pack bad 's/200/0/; s/"loopMode": "loop"/"loopMode": "once"/' runtime_manifest.json 's/true/1/' graph_config.json
expect 1 check bad
out_has 'error[charpack/interval]'
out_has 'error[charpack/loop-mode]'
out_has 'error[charpack/root-flag]'
out_has 'refused as invalid_graph'
expect 1 check --output json bad
out_has '"category": "invalid_graph"'
expect 3 check nowhere
mkdir none
for file in graph_config.json spriteforge_mouth_config.json; do # a pack by either, without its manifest
    cp "fox/$file" none
    expect 1 check none
    out_has 'error[charpack/not-installed]'
    out_has 'refused as not_installed'
    rm "none/$file"
done
expect 1 check --format character-pack-v1/runtime_manifest none
out_has 'error[charpack/not-installed]'

# ---- --fix: the values that missing members usually have, and nothing else of the file
lacks() { # MEMBER...: a pack without these members of the manifest
    rm -rf moth
    cp -r "$packs/lamp_min" moth
    chmod -R u+w moth
    for member in "$@"; do sed -i "/^ \"$member\": /d" moth/runtime_manifest.json; done
    cp moth/runtime_manifest.json lacking
}
mended() { # TEXT: what stands behind the first bracket now; the rest is as it was
    sed "1s/^{\$/{$1/" lacking >wanted
    same moth/runtime_manifest.json wanted
    cp moth/runtime_manifest.json once
    expect 0 check --fix moth
    out_lacks 'fixed:'
    same moth/runtime_manifest.json once
    expect 0 check --contract amadeus moth
}
for member in 'graph=graph_config.json' 'mouthConfig=spriteforge_mouth_config.json' 'textureFormat=ktx2' 'id=moth'; do
    name=${member%%=*} value=${member#*=}
    lacks "$name"
    expect 1 check moth
    out_has "$name must be"
    out_has 'and is missing'
    out_has "hint: usually it is \"$value\""
    expect 0 check --fix --dry-run moth
    same moth/runtime_manifest.json lacking
    out_has "moth/runtime_manifest.json:1:1: to be fixed: write \"$name\": \"$value\""
    out_has "+{\"$name\": \"$value\","
    expect 0 check --fix moth
    out_has "moth/runtime_manifest.json:1:1: fixed: write \"$name\": \"$value\""
    mended "\"$name\": \"$value\","
done
lacks textureFormat mouthConfig graph id
expect 0 check --fix moth
[ "$(grep -c 'fixed: write' out)" = 4 ] || fault 'four members are written'
mended '"mouthConfig": "spriteforge_mouth_config.json", "graph": "graph_config.json", "id": "moth", "textureFormat": "ktx2",'
lacks id # the folder's name, however the folder is called
(cd moth && "$program" check --fix . >../out 2>../err) || fault 'the folder is where we are'
mended '"id": "moth",'
lacks id
(cd moth && "$program" check --fix runtime_manifest.json >../out 2>../err) || fault 'the file is where we are'
mended '"id": "moth",'
lacks id
expect 0 check --fix moth/textures/..
mended '"id": "moth",'

# Members without a usual value stay missing, and what is there stays as it is, be it wrong.
for member in displayName version format; do
    lacks $member
    expect 1 check --fix moth
    out_lacks 'fixed:'
    same moth/runtime_manifest.json lacking
done
for change in 's/"graph": .*/"graph": "",/' 's/"id": .*/"id": null,/' 's/"textureFormat": .*/"textureFormat": "png",/' \
    's/"mouthConfig": .*/"mouthConfig": "..\/m.json",/' 's/"clipCount": 1/"clipCount": 2/'; do
    pack moth "$change" runtime_manifest.json
    cp moth/runtime_manifest.json lacking
    expect 1 check --fix moth
    out_lacks 'fixed:'
    same moth/runtime_manifest.json lacking
done

# Line ends, marks and layout are not ours; a manifest on one line stays on one line.
lacks id
sed -i 's/$/\r/' moth/runtime_manifest.json
cp moth/runtime_manifest.json lacking
expect 0 check --fix moth
sed "1s/^{\r\$/{\"id\": \"moth\",\r/" lacking >wanted
same moth/runtime_manifest.json wanted
lacks graph
tr -d '\n' <moth/runtime_manifest.json >flat
cp flat moth/runtime_manifest.json
expect 0 check --fix moth
sed 's/^{ "format"/{"graph": "graph_config.json", "format"/' flat >wanted
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' moth/runtime_manifest.json || fault 'one line, and JSON'
[ "$(wc -l <moth/runtime_manifest.json)" = 0 ] || fault 'one line stays one'
printf '{}' >moth/runtime_manifest.json
expect 1 check --fix moth
python3 -c 'import json, sys
sys.exit(json.load(open(sys.argv[1])) != {"graph": "graph_config.json", "mouthConfig": "spriteforge_mouth_config.json",
                                          "id": "moth", "textureFormat": "ktx2"})' moth/runtime_manifest.json ||
    fault 'four members, and no comma too many'

# The files that the manifest names are the pack's as well; what was surely meant is written.
pack moth '/"graph"/d; s/"loopMode": "loop"/"loopMode": "Loop"/; s/\(": 316\)$/\1,/' runtime_manifest.json \
    's/"edges": \[\]/edges: [],/' graph_config.json 's/"profiles": {}/"profiles": {},/' spriteforge_mouth_config.json
cp -r moth marred
expect 0 check --fix --dry-run moth
diff -r moth marred >diff 2>&1 || fault 'a dry run changes something'
out_has '+ "edges": []'
out_has '+ "profiles": {}'
expect 0 check --fix moth
out_has 'moth/graph_config.json:9:2: fixed:'
out_has 'moth/spriteforge_mouth_config.json:3:16: fixed: remove the comma [json/trailing-comma]'
same moth/graph_config.json "$packs/lamp_min/graph_config.json"
same moth/spriteforge_mouth_config.json "$packs/lamp_min/spriteforge_mouth_config.json"
expect 0 check --fix moth
out_lacks 'fixed:'

# Where something is mended and more stays wrong, the rest is told; a file that would still be no JSON is left alone.
pack moth '/"id"/d; s/200/0/' runtime_manifest.json
expect 1 check --fix moth
out_has 'fixed: write "id": "moth"'
out_has 'error[charpack/interval]'
pack moth '/"id"/d' runtime_manifest.json 's/: true/&,/; s/"edges":/"edges"/' graph_config.json
cp moth/graph_config.json lacking
expect 1 check --fix moth
same moth/graph_config.json lacking
err_has 'moth/graph_config.json: left as it is'
grep -q '"id": "moth"' moth/runtime_manifest.json || fault 'the manifest is mended all the same'

# ---- --strict: the schemas, and what was left over from authoring
pack moth 's/"id": "glow"/"id": "glow", "name": "C:\\\\glow.png"/' graph_config.json
expect 0 check moth
out_has 'warning[charpack/authoring-leftover]'
expect 1 check --strict moth
out_has 'error[charpack/authoring-leftover]'
out_has 'error[charpack/schema-additionalProperties]'
expect 0 check --contract amadeus moth

# ---- whatever stands in the manifest's place, the folder is a pack
pack odd
rm odd/runtime_manifest.json
mkdir odd/runtime_manifest.json
mv odd/graph_config.json odd/g.json
expect 1 check odd
out_has 'not_installed'
rmdir odd/runtime_manifest.json
mkfifo odd/runtime_manifest.json
expect 1 check odd
pack odd
mv odd/runtime_manifest.json elsewhere.json
ln -s ../elsewhere.json odd/runtime_manifest.json
expect 0 check odd
expect 0 check --contract amadeus odd

# ---- an id may hold anything, the line stays one
pack odd 's/"id": "[a-z]*"/"id": "x\\n\\u001b[31mOK: y"/' runtime_manifest.json
expect 0 check --contract amadeus odd
[ "$(wc -l <out)" = 1 ] || fault 'two lines'
! grep -q "$(printf '\033')" out || fault 'a sequence for terminals'

finish
