#!/bin/sh
# tests/cli/trace.sh PROGRAM: scripts as people meet them: what is wrong with one is said with its line before anything is
# played, a trace means what it says and is what our schema says, and a film shows what the trace tells.
set -u
. "$(dirname "$0")/common.sh"
slam=$root/examples/petween/slam-land.json
float=$root/examples/petween/gentle-float.json

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
refuses "bad.json:2: a step is an object" '[{"advance_ms": 5},
7]'
refuses "a step is an object" 'null'
refuses "bad.json:2: this is no JSON: there is a comma behind the last step" '[{"advance_ms": 5},
]'
refuses "no JSON: it ends where a step is to come" '[{"advance_ms": 5},'
refuses "no JSON: it ends where a step is to come" '['
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

# ------------------------------------------------------------------------------------------------ a pet
praxi=$root/examples/petween/praxi
for one in "$praxi"/animations/*.json; do
    cmp -s "$one" "$root/examples/petween/$(basename "$one")" || fault "$one is not the example of that name"
done
expect 0 check "$praxi"
expect 0 check "$praxi/pet.json"
expect 0 info "$praxi"
expect 0 dump "$praxi"
expect 0 sample "$praxi" --clip user:slam-land --at 0.3
expect 0 trace "$praxi" --script "$praxi/film.json" --values
cp out film.jsonl
schema trace film.jsonl
schema script "$praxi/film.json"
lines_are 'l[-1]["t_ms"] == 12000'
lines_are '{"idle", "thinking", "working", "waiting", "success", "error"} == {x["slot"] for x in [y for z in l for y in z["events"]] if x["kind"] == "state"}'
lines_are '[x["t_ms"] for y in l for x in y["events"] if x["kind"] == "start" and x["clip"] == "user:peekaboo"] == [900]'
lines_are 'any(x["kind"] == "particle" and x["effect"] == "confetti" and x["count"] == 22 for x in l[-1]["events"])'
lines_are 'l[0]["events"][0] == {"t_ms": 0, "kind": "state", "state": "idle", "slot": "idle"}'
expect 0 trace "$praxi/pet.json" --script "$praxi/film.json" --values
cmp -s out film.jsonl || fault 'the folder and the file are the same pet'
expect 0 trace "$praxi" --script "$praxi/film.json" --values --seed 1
cmp -s out film.jsonl && fault 'the seed makes no difference'
cat >now.json <<'EOS'
{"advance_ms": 600} {"request": "active"} {"flash": "error", "ms": 50} {"advance_ms": 50} {"play": "user:peekaboo"}
{"play": "user:slam-land", "interrupt": false} {"reduced_motion": true} {"seek_ms": 600} {"event": {"type": "success",
"sessionId": "a", "ts": 600}} {"advance_ms": 60}
EOS
expect 0 trace "$praxi" --script now.json
schema trace out
lines_are 'l[1]["slot"] == "thinking" and l[2]["picture"] == "error" and l[3]["picture"] == "thinking"'
lines_are 'l[5]["refused"] and not any("refused" in x for i, x in enumerate(l) if i != 5)'
lines_are 'l[7]["slot"] == "thinking" and l[7]["picture"] == "error" and l[9]["slot"] == "success"'
refuses "there is no state 'thinkin'; did you mean 'thinking'?" '{"request": "thinkin"}' "$praxi"
refuses "there is no picture 'idel'; did you mean 'idle'?" '{"flash": "idel"}' "$praxi"
refuses "events of type 'tool_strat'; did you mean 'tool-start'?" '{"event": {"type": "tool_strat"}}' "$praxi"
refuses "nothing here listens to events of type 'lunch'" '{"event": {"type": "lunch"}}' "$praxi"
grep -q 'did you mean' err && fault 'nothing is near to lunch'
refuses "nothing here listens to events of type 'sucess'; did you mean 'success'?" '{"event": {"type": "sucess"}}' "$praxi"
expect 2 trace "$praxi" --script now.json --set strength=1
expect 0 trace "$praxi" --script one.json --clip user:gentle-float --set strength=1.5
lines_are 'l[0]["runs"][0]["clip"] == "user:gentle-float" and "state" not in l[0]'

expect 2 render "$praxi" -o film.webp --duration 1s
expect 0 render "$praxi" --script "$praxi/film.json" -o film.rgba --size 48x48 --fps 10 -q
[ "$(wc -c <film.rgba)" = $((48 * 48 * 4 * 120)) ] || fault 'a film of 12 seconds'
head -c $((48 * 48 * 4)) film.rgba | od -An -v -tx1 | grep -q '[1-9a-f]' && fault 'nothing is shown before the first swap'
expect 0 render "$praxi" --script "$praxi/film.json" -o part.rgba --size 48x48 --fps 10 --frames 60-69 -q
tail -c +$((48 * 48 * 4 * 60 + 1)) film.rgba | head -c $((48 * 48 * 4 * 10)) | cmp -s - part.rgba || fault 'a part is a part of the whole'
expect 0 render "$praxi" -o three.rgba --size 48x48 --fps 10 -q
[ "$(wc -c <three.rgba)" = $((48 * 48 * 4 * 30)) ] || fault 'a pet without a script: three seconds'

# What lies beside a pet: animations are its own, anything else does no harm, what leads away is not followed.
mkdir -p pet/animations away two none
cp "$praxi/pet.json" pet/mine.json
cp "$praxi"/animations/*.json pet/animations/
cp "$praxi/film.json" pet/
printf '{ "name": "not ours" }' >pet/package.json
printf 'no JSON' >pet/broken.json
expect 0 trace pet --script pet/film.json --values
cmp -s out film.jsonl || fault 'a pet is found by what it is'
mv pet/animations/peekaboo.json away/
expect 0 trace pet --script pet/film.json --values
lines_are 'any(x.get("clip") == "builtin:click-pop" for y in l for x in y["events"])'
if mkfifo pet/idle.png pet/animations/pipe.json 2>/dev/null; then # nobody will ever write into them
    timeout 60 "$program" trace pet --script pet/film.json >out 2>err || fault 'pipes beside a pet are waited for'
    timeout 60 "$program" render pet -o pet.png --at 0 --size 8x8 >out 2>err || fault 'a pipe is a picture'
    rm pet/idle.png pet/animations/pipe.json
fi
ln -s ../../away/peekaboo.json pet/animations/peekaboo.json
expect 0 trace pet --script pet/film.json --values
cmp -s out film.jsonl && fault 'a link out of the folder was followed'
mv away/peekaboo.json pet/inside.txt
rm pet/animations/peekaboo.json
ln -s ../inside.txt pet/animations/peekaboo.json
expect 0 trace pet --script pet/film.json --values
cmp -s out film.jsonl || fault 'a link within the folder is followed'
cp "$praxi/pet.json" two/a.json
cp "$praxi/pet.json" two/b.json
expect 3 trace two --script now.json
err_has "are pets both"
expect 3 trace none --script now.json
err_has "there is no pet in the folder 'none'"
printf '{"states": {"idle": {"enter": {"animationId": "user:nowhere"}}}}' >none/pet.json
"$program" check none/pet.json >out 2>err
grep -q 'user:nowhere' out || fault 'an animation that is not there is told of'

# Its pictures: by their names, else by what the configuration calls them; those that are not there are not shown.
mkdir -p drawn/assets
cp "$root/examples/petween/pet/success.png" drawn/idle.png
cp "$root/examples/petween/pet/error.png" drawn/assets/0123456789abcdef.png
printf '{"poses": {"idle": {"assetId": "fedcba9876543210"}, "error": {"assetId": "0123456789abcdef"}}}' >drawn/pet.json
printf '{"advance_ms": 600} {"request": "error"} {"advance_ms": 400} {"request": "waiting"} {"advance_ms": 400} {"flash": "success"}' >looks.json
expect 0 trace drawn --script looks.json
lines_are '[x["picture"] for x in l] == ["idle", "idle", "error", "error", "idle", "idle"]'
expect 0 render drawn --script looks.json -o drawn.rgba --size 48x48 --fps 10 -q
cp -r drawn other && cp "$root/examples/petween/pet/idle.png" other/idle.png
expect 0 render other --script looks.json -o other.rgba --size 48x48 --fps 10 -q
cmp -s drawn.rgba other.rgba && fault 'the picture beside a pet is not shown'
printf 'no picture' >other/idle.png
expect 3 render other --script looks.json -o broken.rgba --size 48x48 --fps 10 -q

# Which pictures are there is known before the first enter, which may show one at 0; all of a configuration may be left out.
mkdir -p first
cp "$root/examples/petween/pet/success.png" first/working.png
printf '{"states": {"idle": {"enter": {"preset": "none"}}}}' >first/pet.json
printf '{"advance_ms": 0} {"advance_ms": 400} {"seek_ms": 0}' >first.json
expect 0 trace first --script first.json
lines_are '[x["picture"] for x in l] == ["working"] * 3'
lines_are '{"t_ms": 0, "kind": "picture", "picture": "working"} in l[0]["events"]'
for text in '{}' '{"version": 1}' '{"global": {"successHoldMs": 100}}' '{"advanced": {"particles": false}}'; do
    printf '%s' "$text" >first/pet.json
    expect 0 trace first --script first.json
    lines_are 'l[1]["picture"] == "working" and l[1]["state"] == "idle"'
done
printf '{"states": ' >first/pet.json
expect 1 trace first --script first.json
err_has 'json/'

finish
