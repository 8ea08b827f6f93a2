#!/bin/sh
# tests/cli/check.sh PROGRAM: `zoetrope check` for programs (JSON, SARIF, annotations), over folders, and what --fix does to
# files. Prints each thing that is not as it should be; exit 1 if there was any. A third argument, --update, writes the
# expected documents anew.
set -u
. "$(dirname "$0")/common.sh"
exec </dev/null
update=${2:-}
slam=$root/examples/petween/slam-land.json

out_is() { # the output is the file beside this script
    [ "$update" = --update ] && cp out "$here/$1"
    diff "$here/$1" out >diff 2>&1 || { cat diff; fault "the output is not $1"; }
}

# ------------------------------------------------------------------------------------------------ wrong usage
cp "$here/three-faults.json" .
for arguments in '' '--fix -' '--fix builtin:jelly' '--dry-run three-faults.json' '- -' '--max-errors 0 three-faults.json' \
    '--max-errors 1.5 three-faults.json' '--max-errors many three-faults.json' '--output sarfi three-faults.json' \
    '--fix --format petwen three-faults.json'; do
    # shellcheck disable=SC2086 # several words are meant
    expect 2 check $arguments
    [ ! -s out ] || fault 'nothing is printed for wrong usage'
done
same three-faults.json "$here/three-faults.json"

# ------------------------------------------------------------------------------------------------ for programs
expect 1 check --output github three-faults.json
[ "$(grep -c '^::error ' out)" = 3 ] || fault 'three faults, three annotations'
out_is three-faults.github
expect 1 check --output json three-faults.json
out_is three-faults.check.json
expect 1 check --output sarif three-faults.json
sed "s/\"version\": \"$("$program" --version | cut -d ' ' -f 2)\"/\"version\": \"VERSION\"/" out >named && mv named out
out_is three-faults.sarif
[ "$(grep -c '"ruleId"' out)" = 3 ] || fault 'three faults, three results'
"$program" check --output sarif - <three-faults.json >stdin.sarif 2>err
grep -q '"uri": "%3Cstdin%3E"' stdin.sarif || fault 'the standard input has a name that is a URI'

# Lines that move do not make a result another one.
prints() { grep -o '"rulePointerValue/v1": "[0-9a-f]*"' "$1"; }
{ printf '\n\n'; sed 's/^  //' three-faults.json; } >moved.json
expect 1 check --output sarif moved.json
prints out >moved-prints
expect 1 check --output sarif three-faults.json
prints out >their-prints
same moved-prints their-prints

fixtures() { # FOLDER: one file for each diagnostic, of which many are called the same
    mkdir "$1"
    for file in "$root"/tests/diag/*/*.json; do
        group=${file%/*} && cp "$file" "$1/${group##*/}-${file##*/}"
    done
}

# Everything that can be reported is a valid document with places that are right, whatever the file is called.
fixtures 'odd ü%'
printf '[\r\n "\303\251\360\237\230\200", nil\r\n]' >'odd ü%/a:#b?.json'
expect 4 check --strict --output sarif 'odd ü%'/*.json # one of them is nested too deeply
mv out odd.sarif
expect 3 check --output sarif three-faults.json nowhere.json
grep -q '"executionSuccessful": false' out || fault 'a file that could not be read is told'
mv out unread.sarif
expect 0 check --output sarif "$slam"
mv out fine.sarif
cp three-faults.json '<stdin>' # where the validator finds the text
cp "$root/tests/diag/json/bom.json" .
"$program" check --output sarif bom.json >bom.sarif 2>err
if node "$root/tests/node/sarif.mjs" . odd.sarif unread.sarif fine.sarif stdin.sarif bom.sarif >out 2>err; then
    [ "$(sed -n 2p out)" = '3 results, 1 fixes' ] || fault 'three results in SARIF, one with its fix'
    [ "$(sed -n 3p out)" = '0 results, 0 fixes' ] || fault 'a fine file has no results'
    [ "$(sed -n 5p out)" = '1 results, 1 fixes' ] || fault 'a byte order mark has its fix'
    [ "$(sed -n 1p out | cut -d ' ' -f 1)" -gt 90 ] || fault 'the odd files have many results'
else
    fault 'these are not SARIF (the validator is fetched by tools/setup test)'
fi

# ------------------------------------------------------------------------------------------------ many files and folders
expect 1 check --output json three-faults.json "$slam" three-faults.json
[ "$(grep -c '"schema"' out)" = 1 ] || fault 'many files, one document'
out_has '"errors": 6,'
expect 1 check --max-errors 1 three-faults.json
out_has 'and 2 more'
out_has '3 errors'

mkdir -p tree/b/.hidden tree/a tree/.git tree/empty outside
cp "$slam" tree/b/z.json
cp "$slam" tree/b/.hidden/no.json
cp "$slam" tree/.git/no.json
cp three-faults.json tree/a/hop.json
cp three-faults.json outside/no.json
printf '{"name": "x", "private": true}' >tree/package.json
printf 'no JSON' >tree/README.md
ln -s ../outside tree/link
ln -s .. tree/b/up
ln -s ../outside/no.json tree/no.json
ln -s b/z.json tree/same.json
expect 1 check tree
grep -E -o '^[^ :]*(\.json): (ok|passed over)|^[^ :]*:[0-9]+:[0-9]+: [a-z]+' out | sort -u -t : -k 1,1 >seen
grep -q 'no.json' seen && fault 'hidden files and links out of the folder are left alone'
[ "$(cut -d : -f 1 seen | tr '\n' ' ')" = 'tree/a/hop.json tree/b/z.json tree/package.json tree/same.json ' ] ||
    fault "the files that were looked at: $(cat seen)"
[ "$(tail -n 1 out)" = '4 files: 2 fine, 1 with errors, 1 passed over (3 errors)' ] || fault 'the last line sums up'
first=$(grep -n -m 1 'tree/a/hop' out | cut -d : -f 1) last=$(grep -n -m 1 'tree/same' out | cut -d : -f 1)
[ "$first" -lt "$last" ] || fault 'folders are read in the order of names'
expect 1 check --output github tree
out_lacks package.json
expect 1 check tree/package.json
out_has 'source/format-unknown'
# What is no JSON is somebody else's when nobody has named it, unless it resembles an animation.
mkdir foreign
printf '{\n  // settings\n  "compilerOptions": { "strict": true, },\n}\n' >foreign/tsconfig.json
printf '{"name": "x", "lockfileVersion": 3, "packages": {' >foreign/package-lock.json
printf '\211PNG\r\n' >foreign/picture.json
: >foreign/empty.json
expect 0 check foreign
[ "$(tail -n 1 out)" = '4 files: 0 fine, 4 passed over' ] || fault 'files of others are counted'
expect 1 check foreign/*.json
[ "$(tail -n 1 out)" = '4 files: 0 fine, 4 with errors (4 errors)' ] || fault 'they are not, when they are named'
head -c 300 "$slam" >foreign/slam.json
sed 's/"once"/"once",/' "$slam" >foreign/comma.json
expect 1 check foreign
[ "$(tail -n 1 out)" = '6 files: 0 fine, 2 with errors, 4 passed over (2 errors)' ] || fault 'what resembles ours is an error'
out_has 'foreign/slam.json:'
expect 1 check --fix foreign
out_has 'foreign/comma.json:'
expect 0 check --quiet foreign/comma.json
expect 0 check --quiet tree/b tree/same.json
[ ! -s out ] || fault 'quiet, and all is well'
expect 3 check tree nowhere.json
out_has '1 not read'
expect 3 check tree/empty
err_has "no .json or .b3d file in 'tree/empty'"
deep=deep; i=0
while [ $i -lt 80 ]; do deep=$deep/d; i=$((i + 1)); done
mkdir -p "$deep" && cp "$slam" "$deep/a.json" && cp "$slam" deep/a.json
expect 3 check deep
err_has 'too deep'
out_has 'deep/a.json: ok'

# ------------------------------------------------------------------------------------------------ fixes
cat >wrong.json <<'END'
{
  version: 1,
  'id': "user:hop",
  "name": "Hop, [1,] {a: True,}",
  "kind": "Interaction",
  "durationMs": 260,
  "repeat": { "mode": "onec" },
  "tracks": [
    {
      "property": "transition.scaley",
      "keyframes": [
        { "at": 0, "value": 1.0e0, "easing": "easeOut" },
        { "at": 0.4, "value": 1.20, "easing": "eas-out", },
        { "at": 1.4, "value": 1, "easing": "ease-on" },
      ]
    }
  ],
  "extra":  [ True , None ],
  "events": [ { "at": 0.5, "type": "pose_swap", "pose": "sucess" } ],
}
END
printf '\357\273\277' | cat - wrong.json >marked.json && mv marked.json wrong.json
cat >right.json <<'END'
{
  "version": 1,
  "id": "user:hop",
  "name": "Hop, [1,] {a: True,}",
  "kind": "interaction",
  "durationMs": 260,
  "repeat": { "mode": "once" },
  "tracks": [
    {
      "property": "transition.scaleY",
      "keyframes": [
        { "at": 0, "value": 1.0e0, "easing": "ease-out" },
        { "at": 0.4, "value": 1.20, "easing": "ease-out" },
        { "at": 1.4, "value": 1, "easing": "ease-on" }
      ]
    }
  ],
  "extra":  [ true , null ],
  "events": [ { "at": 0.5, "type": "pose-swap", "pose": "success" } ]
}
END
chmod 640 wrong.json
cp wrong.json before.json
expect 1 check --fix --dry-run wrong.json
same wrong.json before.json
out_has '+  "kind": "interaction",'
sed -n '/^--- /,/^$/p' out >difference
if command -v patch >err; then
    cp before.json patched.json
    patch -s patched.json difference >out 2>err || fault 'patch takes the difference'
    same patched.json right.json
fi
expect 1 check --fix wrong.json
same wrong.json right.json # what needs guessing, 1.4 and ease-on, stays
out_has 'wrong.json:7:23: fixed: replace "onec" with "once" [petween/repeat]'
out_has '2 errors'
[ "$(stat -c %a wrong.json)" = 640 ] || fault 'the mode of the file stays'
[ "$(find . -name 'wrong.json?*' -o -name '.zoetrope*')" = '' ] || fault 'temporary files are gone'
expect 1 check --fix wrong.json
out_lacks 'fixed:'
cp before.json wrong.json
expect 1 check --fix --output json wrong.json
same wrong.json right.json
out_lacks 'fixed:'
err_has 'fixed:'

# What the manual shows is what comes out.
block() { # FILE MARKER: the fenced block behind it
    awk -v marker="<!-- $2" 'index($0, marker) { on = 1; next } on && /^```/ { if (inside) exit; inside = 1; next } on && inside' \
        "$root/$1"
}
block docs/check.md broken >nod.json
block docs/check.md output >shown
expect 1 check --fix nod.json
same out shown

# Whatever is wrong: after one call there is nothing more to fix, and what was no JSON is none or is it now.
fixtures twice
cp "$here"/*.json twice && chmod -R u+w twice
"$program" check --strict --fix twice/*.json >out 2>err
[ "$(grep -c ': fixed: ' out)" -gt 10 ] || fault 'many of these can be mended'
"$program" check --strict --fix twice/*.json >out 2>err
out_lacks ': fixed: '

# A document that would still be none is left alone.
printf '{"version": 1,\n "a": [1,],\n "b" 2}' >lost.json
cp lost.json before.json
expect 1 check --fix lost.json
same lost.json before.json
err_has 'left as it is'
out_lacks 'fixed:'
# So is what was only met in a folder and belongs to others; when it is named it is ours to mend.
mkdir others
printf '{"compilerOptions": {strict: true,}}' >others/tsconfig.json
cp others/tsconfig.json before.json
expect 0 check --fix others
same others/tsconfig.json before.json
expect 1 check --fix others/tsconfig.json
printf '{"compilerOptions": {"strict": true}}' >mended.json
same others/tsconfig.json mended.json
# A name may be as long as names can be, and so may that of a picture.
long=$(printf '%0250d' 0)
sed 's/"once"/"Once"/' "$slam" >"$long.json"
expect 0 check --fix "$long.json"
same "$long.json" "$slam"
expect 0 render --size 8x8 --at 0 "$long.json" -o "${long}a.png"
[ -s "${long}a.png" ] || fault 'a picture with a long name'
# A link stays one, and the file behind it is mended.
sed 's/"once"/"Once"/' "$slam" >behind.json
ln -s behind.json link.json
expect 0 check --fix link.json
[ -L link.json ] || fault 'the link is no link any more'
same behind.json "$slam"
# Line ends and what comes behind the last line are not ours.
sed 's/"once"/"Once"/; s/$/\r/' "$slam" | head -c -2 >crlf.json
sed 's/$/\r/' "$slam" | head -c -2 >expected.json
expect 0 check --fix crlf.json
same crlf.json expected.json
printf '[1,]' >short.json
expect 1 check --fix --dry-run short.json
out_has '\ No newline at end of file'

finish
