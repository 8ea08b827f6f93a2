#!/bin/sh
# tests/cli/run.sh PROGRAM: runs the program on good and bad input and looks at exit codes, messages and what is left on the
# disk. Prints each thing that is not as it should be; exit 1 if there was any.
set -u
. "$(dirname "$0")/common.sh"
slam=$root/examples/petween/slam-land.json

# expect CODE ARGUMENT...: runs it; stdout goes to ./out, stderr to ./err. A sanitizer's exit code or a signal is none of ours.
out_empty() { [ ! -s out ] || fault "there is output: $1"; }
absent() { # neither the file nor a temporary one
    for f in "$1" "$1".* "$(dirname "$1")"/.zoetrope-*; do [ ! -e "$f" ] || fault "'$f' was left behind"; done
}

# ------------------------------------------------------------------------------------------------ help and usage
expect 2
err_has 'Usage: zoetrope COMMAND'
expect 0 --version
out_has 'zoetrope 0.'
expect 0 help
out_has 'render'
for command in check info sample trace play render dump explain library schema help; do
    expect 0 help "$command"
    out_has 'Usage:'
    [ "$command" = help ] || out_has 'Examples:'
    cp out helped
    expect 0 "$command" --help
    cmp -s out helped || fault "'$command --help' and 'help $command' differ"
done
expect 2 chekc "$slam"
err_has "did you mean 'check'"
expect 2 check
expect 2 check --formt auto "$slam"
err_has "did you mean '--format'"
expect 2 check --format petwen "$slam"
err_has "did you mean 'petween'"
expect 2 check --output sideways "$slam"
expect 2 check --output
expect 2 render "$slam"
expect 2 render "$slam" -o x.bmp
err_has '.webp'
expect 2 render "$slam" -o x.png --size 0x4
expect 2 render "$slam" -o x.png --size 99999x4
expect 2 render "$slam" -o x.webp --fps zero
expect 2 render "$slam" -o x.webp --from 2s --to 1s
expect 2 render "$slam" -o x.webp --picture nobody=x.png
err_has 'idle'
expect 2 render "$slam" -o x.webp --background mauve
expect 2 render "$slam" -o x.webp --repeat alternate
absent x.webp
expect 2 sample "$slam" --at 0.1,never
out_empty 'nothing is printed when a time makes no sense'
expect 2 sample "$slam" --set strenth=1
expect 2 explain petween/att
err_has "did you mean 'petween/at'"

# ------------------------------------------------------------------------------------------------ schema
expect 2 schema petwen
err_has "did you mean 'petween'"
out_empty 'no schema of a format that is not there'
expect 2 schema petween petween
expect 2 schema petween --profile orginal
expect 0 schema
out_has 'petween'
expect 0 schema petween
out_has '"$schema": "https://json-schema.org/draft/2020-12/schema"'
out_has '"^[a-z0-9-]+:[A-Za-z0-9_-]+$"'
expect 0 schema petween --profile original
out_has '"^[a-z][a-z0-9-]*:[A-Za-z0-9][A-Za-z0-9_-]*$"'

# ------------------------------------------------------------------------------------------------ check
expect 0 check "$slam"
out_has 'slam-land.json: ok'
expect 0 check --quiet "$slam"
out_empty 'quiet'
"$program" check - <"$slam" >out 2>err || fault 'check from the standard input'
expect 0 check "$root"/examples/petween/*.json
cp "$here/ten-mistakes.json" .
expect 1 check ten-mistakes.json
for place in 2:14 3:9 4:11 5:11 6:17 7:23 10:19 16:29 17:17 18:44; do
    out_has "ten-mistakes.json:$place: error["
done
out_has '10 errors'
[ "$(grep -c 'error\[' out)" = 10 ] || fault 'ten mistakes, ten errors'
expect 1 check --output gcc ten-mistakes.json
[ "$(grep -c ' error: ' out)" = 10 ] || fault 'ten lines for an editor'
expect 1 check --output json ten-mistakes.json
out_has '"schema": "zoetrope/check@1"'
expect 1 check "$slam" ten-mistakes.json "$slam"
NO_COLOR=1 "$program" check --color always ten-mistakes.json >out 2>err
grep -q "$(printf '\033')" out || fault 'asked for colour'
expect 1 check ten-mistakes.json
grep -q "$(printf '\033')" out && fault 'colour in a file'

# ------------------------------------------------------------------------------------------------ bad input
expect 3 check nowhere.json
err_has 'nowhere.json'
mkdir folder
expect 3 check folder
err_has 'folder'
: >empty.json
expect 1 check empty.json
out_has 'error[json/'
head -c 4096 /dev/zero >zero.json
expect 1 check zero.json
cp "$program" binary.json 2>/dev/null && head -c 100000 binary.json >b.json && expect 1 check b.json
printf '{"version": 1, "name": "\303' >truncated.json
expect 1 check truncated.json
for word in NaN Infinity -Infinity nan; do
    printf '{"version": %s}' "$word" >word.json
    expect 1 check word.json
    out_has 'error[json/'
done
sed 's/"durationMs": 320/"durationMs": 1e400/' "$slam" >huge.json
expect 1 check huge.json
out_has 'petween/durationMs'
sed 's/"version": 1/"version": 2/' "$slam" >newer.json
expect 1 check newer.json
out_has 'petween/version-newer'
sed 's/"kind"/"author": {"deep": [1, {"x": null}]}, "kind"/; s/"at": 0.3,/"at": 0.3, "note": "kept",/' "$slam" >unknown.json
expect 0 check unknown.json
out_has 'ok'
expect 0 check --strict unknown.json
out_has 'author'
head -c 67108864 /dev/zero | tr '\000' ' ' >spaces.json
expect 1 check spaces.json
printf ' ' >>spaces.json
expect 4 check spaces.json
rm spaces.json
head -c 100000 /dev/zero | tr '\000' '[' >deep.json
expect 4 check deep.json
out_has 'json/'
# 30 MB of keyframes: fine, then with one mistake at the end
awk 'BEGIN {
    printf "{\"version\":1,\"id\":\"user:long\",\"name\":\"Long\",\"kind\":\"ambient\",\"durationMs\":5000,\"repeat\":{\"mode\":\"loop\"},"
    printf "\"tracks\":[{\"property\":\"bounce.y\",\"keyframes\":[";
    for (i = 0; i < 800000; i++) printf "%s{\"at\":%.7f,\"value\":%d}", i ? ",\n" : "", i / 800000, i % 7;
    printf "]}]}" }' >long.json
expect 0 check long.json
sed 's/^{"at":0.9999988,/{"at":1.9999988,/' long.json >wrong.json
expect 1 check wrong.json
out_has '1 error'
expect 3 check wrong.json nowhere.json
err_has 'nowhere.json'
rm long.json wrong.json
expect 1 info ten-mistakes.json
out_empty 'no information of a faulty file'
expect 1 render ten-mistakes.json -o x.webp
absent x.webp
expect 1 dump ten-mistakes.json
out_empty 'no dump of a faulty file'

# ------------------------------------------------------------------------------------------------ info, sample, dump, explain
expect 0 info "$slam"
out_has 'user:slam-land'
out_has '320 ms'
printf '{"version":1,"id":"user:a","name":"\\u001b[2J\\u009b","kind":"ambient","durationMs":9,"repeat":{"mode":"once"},"tracks":[]}' >named.json
expect 0 info named.json
out_has 'user:a  "␛[2J�"'
expect 3 info "$(printf 'no\033[2J\nsuch.json')"
err_has "cannot read 'no␛[2J␊such.json'"
expect 0 info "$slam" --output json
out_has '"zoetrope/info@1"'
expect 0 info builtin:jelly
out_has '380 ms'
expect 0 sample "$slam" --at 0.3,42%,160ms --output csv
out_has '96,0.3,1.22,0.76,'
[ "$(wc -l <out)" = 4 ] || fault 'one line a time and the head'
expect 0 sample "$slam" --at 0.3 --set strength=9 --output csv
out_has '1.396'
err_has 'is cut from 9 to 1.8'
expect 0 sample "$slam" --fps 50
out_has '"zoetrope/sample@1"'
expect 0 dump "$slam"
out_has 'slam-land'
cp out dumped
expect 0 dump "$slam"
cmp -s out dumped || fault 'two dumps of one file differ'
expect 0 dump "$slam" --keyframes
out_has '"zoetrope/frames@1"'
pack=$(dirname "$slam")/praxi-pack.json
expect 2 dump "$pack" --clip user:curtain-spin
expect 2 dump "$pack" --keyframes --clip user:curtain-spn
err_has "did you mean 'user:curtain-spin'?"
out_empty 'there is no such clip'
expect 0 dump "$pack" --keyframes --clip user:curtain-spin
cp out one.json
expect 0 dump "$(dirname "$slam")/curtain-spin.json" --keyframes
cmp -s out one.json || fault 'an animation of a pack has other keyframe lists than the same alone'
expect 0 dump "$pack" --keyframes
[ "$(grep -c '"zoetrope/frames@1"' out)" = "$(grep -c '"durationMs"' "$pack")" ] ||
    fault 'a pack gives the lists of all its animations'
expect 0 explain
out_has 'petween/layer-easing'
expect 0 explain petween/layer-easing json/duplicate-key
expect 0 explain petween/at
out_has 'petween/at'

# ------------------------------------------------------------------------------------------------ render
expect 0 render "$slam" -o a.webp --size 96x96
expect 0 render "$slam" -o b.webp --size 96x96
cmp -s a.webp b.webp || fault 'two renders differ'
expect 0 render "$slam" -o a.gif --size 96x96 --fps 50
expect 0 render "$slam" -o a.png --at 50%
expect 0 render "$slam" -o 'frame-%03d.png' --size 32x32 --to 0.1s
[ -e frame-002.png ] && [ ! -e frame-003.png ] || fault 'a tenth of a second at 30 frames a second is three frames'
expect 0 render "$slam" -o sheet.png --sheet 6 --size 64x64
err_has "sheet.png: 224x152" # the picture, not a cell of it
expect 0 render "$slam" -o whole.rgba --size 64x64 --fps 25 --to 1s
[ "$(wc -c <whole.rgba)" = $((64 * 64 * 4 * 25)) ] || fault 'raw frames of the wrong size'
expect 0 render "$slam" -o part.rgba --size 64x64 --fps 25 --from 0.4s --to 1s
tail -c +$((64 * 64 * 4 * 10 + 1)) whole.rgba | cmp -s - part.rgba || fault 'frames rendered alone differ from the whole'
expect 0 render builtin:celebrate -o c.webp --size 64x64 --quiet
[ ! -s err ] || fault 'quiet'
expect 0 render "$slam" -o one.webp --size 64x64 --picture idle="$root/examples/petween/pet/error.png"
expect 3 render "$slam" -o x.webp --picture idle=nowhere.png
absent x.webp
printf 'not a picture' >fake.png
expect 3 render "$slam" -o x.webp --picture idle=fake.png
absent x.webp
expect 3 render "$slam" -o no/such/folder/x.webp
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod 555 locked
    expect 3 render "$slam" -o locked/x.webp
fi
for words in "check - -" "trace - --script -" "render a.json --script - --picture idle=- -o x.gif" "render - --picture idle=- -o x.gif"; do
    expect 2 $words </dev/null
    err_has 'only once'
done
expect 2 check --max-errors 0 "$slam"
err_has 'from 1 to 1000000,'
printf 'as it was' >kept.webp
expect 1 render ten-mistakes.json -o kept.webp
[ "$(cat kept.webp)" = 'as it was' ] || fault 'a failed render changed what was there'
expect 0 render "$root/examples/petween/peekaboo.json" -o p.webp --size 64x64 --picture idle="$root/examples/petween/pet/idle.png"
err_has 'no picture for'
if [ -w /dev/full ]; then
    "$program" info "$slam" >/dev/full 2>err
    [ $? = 3 ] || fault 'a full disk goes unnoticed'
fi
(
    ulimit -f 8
    "$program" render "$slam" -o large.webp 2>err
)
[ $? = 3 ] || fault 'a file that may not grow is no error'
err_has 'cannot write'
absent large.webp
# What is said must not end up in a file that is written meanwhile, because its stream is closed.
expect 0 render "$root/examples/petween/peekaboo.json" -o open.rgba --size 8x8
"$program" render "$root/examples/petween/peekaboo.json" -o shut.rgba --size 8x8 <&- >&- 2>&-
cmp -s open.rgba shut.rgba || fault 'without standard streams another file is written'
"$program" info "$slam" >&- 2>err
[ $? = 3 ] || fault 'a closed output goes unnoticed'

finish
