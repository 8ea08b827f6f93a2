#!/bin/sh
# tests/cli/trace.sh PROGRAM: scripts as people meet them: what is wrong with one is said with its line before anything is
# played, a trace means what it says and is what our schema says, and a film shows what the trace tells.
set -u
program=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
slam=$root/examples/petween/slam-land.json
float=$root/examples/petween/gentle-float.json
faults=0

fault() {
    printf 'FAULT: %s\n' "$*"
    sed 's/^/    out: /' out | cut -c1-300 | head -20
    sed 's/^/    err: /' err | head -20
    faults=$((faults + 1))
}
expect() { # CODE ARGUMENT...
    code=$1
    shift
    "$program" "$@" >out 2>err
    got=$?
    [ "$got" = "$code" ] || fault "exit $got, not $code: zoetrope $*"
}
err_has() { grep -qF -e "$1" err || fault "the messages lack: $1"; }
out_empty() { [ ! -s out ] || fault "there is output: $1"; }
lines_are() { # EXPRESSION, which python3 finds true of the lines as l
    python3 -c 'import json, sys
l = [json.loads(line) for line in open("out")]
sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}
schema() { # trace|script FILE...
    node "$root/tests/node/trace.mjs" "$@" >held 2>&1 || { cat held; fault "not as the schema of a $1 says: $*"; }
}
refuses() { # TEXT STEPS [FILE]: the script is refused, and TEXT is said
    printf '%s\n' "$2" >bad.json
    expect 1 trace "${3:-$slam}" --script bad.json
    err_has "$1"
    out_empty "$2"
}
bad_schema() { # STEPS: the schema sees it too
    printf '%s\n' "$1" >bad.json
    node "$root/tests/node/trace.mjs" script bad.json >held 2>&1 && fault "the schema of scripts takes this: $1"
}

# ------------------------------------------------------------------------------------------------ what is no script
expect 2 trace "$slam"
err_has '--script'
expect 2 trace --script x.json
expect 3 trace "$slam" --script nowhere.json
printf "{}" >x.json
expect 1 trace "$slam" --script x.json --clip nothing
refuses "bad.json:2: this is no JSON: ']' is missing" '[{"advance_ms": 5}'
refuses "'01' is no number" '{"advance_ms": 01}'
refuses "no such escape" '{"play": "\q"}'
refuses "no such escape" '{"play": "\ud800"}'
refuses "does not end in its line" '{"play": "wa'
refuses "bad.json:2: this is no JSON: a step is an object" '[{"advance_ms": 5},
7]'
refuses "more behind the array" '[] []'
refuses "bad.json:3: a step has no 'advnce_ms'; did you mean 'advance_ms'?" '[
{"advance_ms": 5},
{"advnce_ms": 5}]'
refuses "'advance_ms' wants a number" '{"advance_ms": "5"}'
refuses "'advance_ms' wants a number" '{"advance_ms": null}'
refuses "'advance_ms' wants a number of ms, 0 or more" '{"advance_ms": -1}'
refuses "at most 4000000000000" '{"advance_ms": 1e300}'
refuses "'play' wants the name of a clip" '{"play": [{"a": [1, "]"]}]}'
refuses "did you mean 'user:slam-land'?" '{"play": "slam-land"}'
refuses "did you mean 'strength'?" '{"set": {"strenth": 1}}'
refuses "parameter 'strength' wants a number" '{"set": {"strength": true}}'
refuses "'interrupt' stands beside 'play'" '{"click": true, "interrupt": true}'
refuses "'advance_ms' and 'hidden' are two steps" '{"advance_ms": 5, "hidden": true}'
refuses "is given twice" '{"advance_ms": 5, "advance_ms": 6}'
refuses "this step does nothing" '{}'
refuses "'click' is for pets" '{"click": true}'
refuses "'request' is for pets" '{"request": "idle"}'
refuses "an event has no 'typ'; did you mean 'type'?" '{"event": {"typ": "idle"}}'
printf '{"advance_ms": 1}\n\n{"hiden": true}\n{"reduced_motion": 1}\n' | "$program" trace "$slam" --script - >out 2>err
[ "$(grep -c '<stdin>:[34]:' err)" = 2 ] || fault 'two faults, each with its line'
out_empty 'faults'
python3 -c 'print("[" * 100000)' >bad.json
expect 1 trace "$slam" --script bad.json
python3 -c 'print("{\"play\":" + "[" * 100000)' >bad.json
expect 1 trace "$slam" --script bad.json
python3 -c 'print("{}\n" * 30)' >bad.json
expect 1 trace "$slam" --script bad.json
err_has 'and 10 more'
for steps in '[{}]' '[{"advance_ms": -1}]' '[{"advance_ms": "5"}]' '[{"advnce_ms": 5}]' '[{"click": false}]' \
    '[{"advance_ms": 5, "hidden": true}]' '[{"click": true, "interrupt": true}]' '[{"event": {}}]' '[7]' '{}' \
    '[{"set": {"strength": true}}]' '[{"event": {"type": "idle", "typ": 1}}]'; do
    bad_schema "$steps"
done

# ------------------------------------------------------------------------------------------------ a clip by itself
cat >steps.json <<'EOS'
[{"advance_ms": 0}, {"advance_ms": 134.4}, {"set": {"strength": 2}}, {"play": "user:slam-land"}, {"hidden": true},
 {"advance_ms": 30}, {"hidden": false}, {"advance_ms": 1000}, {"seek_ms": 100.000001}, {"seek_ms": 400}]
EOS
expect 0 trace "$slam" --script steps.json --values
cp out whole.jsonl
schema trace whole.jsonl
schema script steps.json
lines_are 'len(l) == 10 and [x["step"] for x in l] == list(range(1, 11))'
lines_are 'l[0]["schema"] == "zoetrope/trace@1" and l[0]["events"] == [{"t_ms": 0, "kind": "start", "clip": "user:slam-land"}]'
lines_are 'l[1]["events"] == [{"t_ms": 134.4, "kind": "swap", "picture": "success", "clip": "user:slam-land"}]'
lines_are 'len(l[3]["runs"]) == 2 and l[5]["runs"][1]["local_ms"] == 0 and l[5]["t_ms"] == 164.4'
lines_are '[e["t_ms"] for e in l[7]["events"]] == [298.8, 350, 484.4] and l[7]["runs"] == []'
lines_are 'l[8]["t_ms"] == 100.000001 and l[8]["runs"][0]["local_ms"] == 100.000001 and l[8]["events"] == []'
lines_are '[e["kind"] for e in l[9]["events"]] == ["swap", "start", "swap", "end"]'
grep -q '100.000001,' whole.jsonl || fault 'times have all their digits'
expect 0 trace "$slam" --script steps.json --values
cmp -s out whole.jsonl || fault 'the same twice'
sed 's/^\[//; s/\]$//; s/}, {/}\n{/g; s/},$/}/' steps.json | "$program" trace "$slam" --script - --values >out 2>err
cmp -s out whole.jsonl || fault 'one step a line is the same as an array'

printf '{"advance_ms": 1000}' >one.json
printf '{"advance_ms": 333.3} {"advance_ms": 0} {"advance_ms": 666.7}' >three.json
expect 0 trace "$float" --script one.json --values --set strength=1.5
tail -n 1 out | sed 's/.*"picture"//' >one
expect 0 trace "$float" --script three.json --values --set strength=1.5
tail -n 1 out | sed 's/.*"picture"//' >three
cmp -s one three || fault 'it does not matter how time is cut'
expect 0 trace "$float" --script one.json --values
tail -n 1 out | sed 's/.*"picture"//' | cmp -s - one && fault '--set makes no difference'
printf '{"seek_ms": 5000} {"seek_ms": 1000}' >back.json
expect 0 trace "$float" --script back.json --values --set strength=1.5
tail -n 1 out | sed 's/.*"picture"//' | cmp -s - one || fault 'back at a time is as it was'
: >empty.json
expect 0 trace "$slam" --script empty.json
out_empty 'no step, no line'

# ------------------------------------------------------------------------------------------------ a film of a script
printf '{"advance_ms": 200} {"play": "user:slam-land"} {"advance_ms": 400}' >film.json
expect 0 render "$slam" --script film.json -o film.rgba --size 64x64 --fps 50 -q
[ "$(wc -c <film.rgba)" = $((64 * 64 * 4 * 30)) ] || fault 'a film is as long as its script'
printf '{"advance_ms": 600}' >still.json
expect 0 render "$slam" --script still.json -o still.rgba --size 64x64 --fps 50 -q
cmp -n $((64 * 64 * 4 * 10)) -s film.rgba still.rgba || fault 'before its first call a film is as without it'
cmp -s film.rgba still.rgba && fault 'a call shows in the film'
expect 0 render "$slam" -o plain.rgba --size 64x64 --fps 50 --to 0.6s -q
cmp -s plain.rgba still.rgba || fault 'a script of time alone changes nothing'
expect 1 render "$slam" --script steps.json -o film.webp
err_has "'seek_ms' is for trace"
[ ! -e film.webp ] || fault 'a film of a refused script'

if [ $faults = 0 ]; then
    printf 'all as it should be\n'
    exit 0
fi
printf '%d faults\n' "$faults"
exit 1
