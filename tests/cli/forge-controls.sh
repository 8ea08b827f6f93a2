#!/bin/sh
# tests/cli/forge-controls.sh PROGRAM: the controls of Forge's machines: --set with numbers and lines wherever there is
# --set, steps of scripts that set them, let them change and look at the world, and what a trace tells of all that.
set -u
. "$(dirname "$0")/common.sh"

lines_are() { # EXPRESSION, which python3 finds true of the lines as l
    python3 -c 'import json, sys
l = [json.loads(line) for line in open("out")]
sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}
sample_is() { # EXPRESSION VALUE: of the samples as s
    got=$(python3 -c 'import json, sys
s = json.load(open("out"))["samples"]
print(json.dumps(eval(sys.argv[1])))' "$1") || fault "no samples: $1"
    [ "$got" = "$2" ] || fault "$1 is $got, not $2"
}
schema() { # trace|script FILE...
    node "$root/tests/node/trace.mjs" "$@" >held 2>&1 || { cat held; fault "not as the schema of a $1 says: $*"; }
}
refuses() { # TEXT STEPS [FILE]: the script is refused, and TEXT is said
    printf '%s\n' "$2" >bad.json
    expect 1 trace "${3:-door.json}" --script bad.json
    err_has "$1"
    [ ! -s out ] || fault "there is output: $2"
}
bad_schema() { # STEPS: the schema sees it too
    printf '%s\n' "$1" >bad.json
    node "$root/tests/node/trace.mjs" script bad.json >held 2>&1 && fault "the schema of scripts takes this: $1"
}

mkdir -p armatures/block models/block
cat >door.json <<'J'
{"parameters": {"spin": ["*", "#speed"], "since": ["-", "#click"]},
 "clips": {"closed": ["apply", "demo:block/door@swing", 0],
           "opening": ["trigger_positive", ["apply", "demo:block/door@swing", "#since"], ["compose", ["-", 1], "#since"],
                       "!transition:closed"],
           "spinning": ["apply", "demo:block/door@turn", "#spin"]},
 "states": ["closed", "opening", "spinning"], "start_state": "closed",
 "transitions": {"closed": ["opening", "spinning"], "opening": "closed", "spinning": "closed"}}
J
cat >armatures/block/door.json <<'J'
{"joints": {"leaf": {"0": [1]}}, "clips": {
 "swing": {"loop": false, "joint_clips": {"leaf": [
   {"variable": "offset_y", "type": "uniform", "interpolation": "linear", "samples": [0, 1]}]}, "events": {}},
 "turn": {"loop": true, "joint_clips": {"leaf": [
   {"variable": "offset_x", "type": "uniform", "interpolation": "linear", "samples": [0, 1]}]},
  "events": {"0.25": "tick"}}}}
J
cat >models/block/door.json <<'J'
{"elements": [{"from": [0, 0, 0], "to": [8, 8, 8], "faces": {"up": {"texture": "#a"}, "south": {"texture": "#a"},
 "east": {"texture": "#a"}}}]}
J

# ------------------------------------------------------------------------------------------------ lines
# What a line makes of the time 2: the parameter tells.
is_at_two() { # LINE VALUE
    expect 0 sample door.json --at 2 --set "speed=$1"
    sample_is 's[0]["parameters"]["speed"]' "$2"
}
is_at_two 3 3
is_at_two -0.5 -0.5
is_at_two +1e1 10
is_at_two x 2
is_at_two -x -2
is_at_two 2x 4
is_at_two .5x 1
is_at_two 0x 0
is_at_two 0.5x+1 2
is_at_two 1+0.5x 2
is_at_two x-1 1
is_at_two 5-x 3
is_at_two ' 2 * x - 1.5e0 ' 2.5
is_at_two 1e-1x+0 0.2
for bad in '' ' ' + - y 2y xx x+x 1+2 x+ +-x 2* '2*3' 0x10 1e 1ex 1e999 nan inf infinity 1,5 x2 '2 x x' 1e999x \
    "$(printf '%0100d' 0)"; do
    expect 2 sample door.json --at 2 --set "speed=$bad"
    err_has "line such as 2x or 0.5x+1"
done
expect 2 sample door.json --at 2 --set speed
err_has "--set wants NAME=VALUE"
expect 2 sample door.json --at 2 --set sped=2
err_has "'machine' has no parameter 'sped'; did you mean 'speed'?"
# of several the last counts, and a name is whole
expect 0 sample door.json --at 2 --set speed=1 --set click=0.5x --set speed=4x
sample_is '[s[0]["parameters"][k] for k in ("speed", "click", "spin", "since")]' '[8, 1, 16, 1]'
expect 2 sample door.json --at 2 --set spee=1
# a parameter of a clip is a plain number
slam=$root/examples/petween/slam-land.json
expect 0 sample "$slam" --at 0.5 --set strength=1.5
expect 2 sample "$slam" --at 0.5 --set strength=1.5x
err_has "'strength' of 'user:slam-land' is a plain number, and '1.5x' is a line, which only controls can be"
# a clip by itself has no use for one
expect 0 sample door.json --clip turn --at 0.25 --set speed=2
err_has 'a clip by itself asks no control'
sample_is 's[0]["leaf.offset_x"]' 0.5

# ------------------------------------------------------------------------------------------------ samples of a machine
expect 0 sample door.json --at 1,0.5 --set speed=1 --set click=0 # in any order
sample_is '[(x["time"], x["tMs"], x["state"], x["joints"]) for x in s]' \
    '[[1, 1000, "closed", {}], [0.5, 500, "closed", {}]]'
expect 0 sample door.json --fps 2 --from 1 --to 2 --all --set speed=x
sample_is '[x["parameters"]["spin"] for x in s]' '[1, 2.25, 4]'
sample_is 's[0]["joints"]["leaf"]' '[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]'
expect 0 sample door.json --at 2 --output csv --set speed=2
[ "$(head -n 1 out | tr ',' '\n' | wc -l)" = "$(tail -n 1 out | tr ',' '\n' | wc -l)" ] || fault 'a column has no head'
out_has 't_ms,time,state,spin,since,speed,click,leaf.m00,leaf.m01'
out_has '2000,2,closed,4,0,2,2,1,0,0,0,'

# ------------------------------------------------------------------------------------------------ what a film shows
film() { # NAME ARGUMENT...
    name=$1
    shift
    expect 0 render door.json --script spin.json -o "$name" --size 48x48 --fps 20 -q "$@"
}
printf '{"request": "spinning"} {"advance_ms": 500}' >spin.json
film slow.rgba --set speed=1
film fast.rgba --set speed=2
film line.rgba --set speed=0x+2
cmp -s slow.rgba fast.rgba && fault '--set speed makes no difference'
same fast.rgba line.rgba
printf '{"set": {"speed": 2}} {"request": "spinning"} {"advance_ms": 500}' >spin.json
film step.rgba --set speed=1
same fast.rgba step.rgba
expect 2 render door.json -o x.webp --duration 1s
err_has 'this is a machine'

# ------------------------------------------------------------------------------------------------ steps
cat >steps.json <<'J'
[{"set": {"speed": {"mul": 0.5, "add": 1}, "click": 0}}, {"request": "spinning"}, {"advance_ms": 1000},
 {"ramp": {"speed": 2}}, {"advance_ms": 500}, {"set": {"speed": {"mul": -1}}}, {"advance_ms": 0},
 {"ramp": {"click": {"to": 4, "ms": 250}}}, {"advance_ms": 125}, {"advance_ms": 1000}, {"request": "nearly"}]
J
sed 's/, {"request": "nearly"}//' steps.json >good.json
expect 1 trace door.json --script steps.json
err_has "there is no state 'nearly'"
schema script good.json
expect 0 trace door.json --script good.json --values
cp out whole.jsonl
schema trace whole.jsonl
lines_are '[x["step"] for x in l] == list(range(1, 11))'
lines_are '[x["t_ms"] for x in l] == [0, 0, 1000, 1000, 1500, 1500, 1500, 1500, 1625, 2625]'
lines_are '[x["parameters"]["speed"] for x in l] == [1, 1, 1.5, 1.5, 2.5, -1.5, -1.5, -1.5, -1.625, -2.625]'
lines_are '[x["parameters"]["click"] for x in l] == [0, 0, 0, 0, 0, 0, 0, 0, 2, 4]'
lines_are 'l[0]["state"] == "closed" and l[0]["via"] == "start" and "frame" not in l[0]'
lines_are 'l[1]["slot"] == "spinning" and l[1]["via"] == "request" and l[1]["weight"] == 0 and l[2]["weight"] == 1'
lines_are 'l[2]["joints"]["leaf"][3] == 0 + (1.5 % 1) * 2 or l[2]["joints"]["leaf"][3] == 1' # half of the pass
# told at the look, with the time at which it happened: (0.5 t + 1) t = 0.25, to within a look
lines_are '[(e["kind"], e["name"], e["clip"], e["t_ms"], 0.15 < e["at_s"] < 0.25) for e in l[2]["events"]][0] == ("notify", "tick", "demo:block/door@turn", 250, True)'
lines_are '"fault" not in l[0]'
# without a value a control is asked for in vain
printf '{"request": "spinning"} {"advance_ms": 60}' >one.json
expect 0 trace door.json --script one.json
schema trace out
lines_are 'l[1]["fault"] == "unresolved-parameter"'
expect 0 trace door.json --script one.json --set speed=2
lines_are '"fault" not in l[1]'
# the trigger, told of without a clip, leads back
printf '{"set": {"click": 0.1}} {"request": "opening"} {"advance_ms": 2000} {"request": "closed"}' >one.json
expect 0 trace door.json --script one.json
schema trace out
lines_are '[(e["kind"], e.get("name"), e.get("clip"), e.get("via"), e["t_ms"]) for e in l[2]["events"]] == [("request", "closed", None, None, 1100), ("state", None, None, "event", 1100)]'
lines_are 'l[3]["refused"]'

# a ramp that ends: however time is cut, sought, or the ramp replaced
ramp='{"ramp": {"speed": {"to": 3, "ms": 400}, "click": {"to": 1, "ms": 600}}}'
printf '%s {"advance_ms": 1000}' "$ramp" >one.json
expect 0 trace door.json --script one.json --values --set speed=1 --set click=0

lines_are 'len(l) == 2 and [l[1]["parameters"][k] for k in ("speed", "click")] == [3, 1]'
tail -n 1 out | sed 's/.*"values"//' >ended
printf '%s {"advance_ms": 400} {"advance_ms": 199.999999} {"advance_ms": 400.000001}' "$ramp" >one.json
expect 0 trace door.json --script one.json --values --set speed=1 --set click=0
lines_are 'len(l) == 4 and l[1]["parameters"]["speed"] == 3 and l[2]["parameters"]["click"] != 1 and abs(l[2]["parameters"]["click"] - 1) < 1e-6'
tail -n 1 out | sed 's/.*"values"//' | cmp -s - ended || fault 'it does not matter how time is cut'
printf '%s {"seek_ms": 900} {"seek_ms": 200} {"seek_ms": 1000}' "$ramp" >one.json
expect 0 trace door.json --script one.json --values --set speed=1 --set click=0
lines_are 'abs(l[2]["parameters"]["speed"] - 2) < 1e-6 and l[1]["parameters"]["speed"] == 3'
tail -n 1 out | sed 's/.*"values"//' | cmp -s - ended || fault 'nor whether it was sought'
# a call on the way back drops what came later, the end of the ramp too, which then comes again
printf '%s {"seek_ms": 900} {"seek_ms": 200} {"hidden": false} {"seek_ms": 1000}' "$ramp" >one.json
expect 0 trace door.json --script one.json --values --set speed=1 --set click=0
tail -n 1 out | sed 's/.*"values"//' | cmp -s - ended || fault 'nor what was called on the way back'
# before it began it never was
printf '{"advance_ms": 100} %s {"advance_ms": 900} {"seek_ms": 50} {"hidden": false} {"advance_ms": 950}' "$ramp" >one.json
expect 0 trace door.json --script one.json --values --set speed=1 --set click=0
lines_are '[x["parameters"]["speed"] for x in l] == [1, 1, 3, 1, 1, 1]'
# what is set meanwhile stays
printf '%s {"advance_ms": 100} {"set": {"speed": 7}} {"advance_ms": 900}' "$ramp" >one.json
expect 0 trace door.json --script one.json --values --set speed=1 --set click=0
lines_are '[l[-1]["parameters"][k] for k in ("speed", "click")] == [7, 1]'
printf '%s {"request": "spinning"} {"advance_ms": 700}' "$ramp" >spin.json
expect 0 render door.json --script spin.json -o ramp.rgba --size 48x48 --fps 20 -q --set speed=1 --set click=0
[ "$(wc -c <ramp.rgba)" = $((48 * 48 * 4 * 14)) ] || fault 'a film is as long as its script, ramps or not'

# looks of the host's: at any time, backwards too, and none besides
cat >polls.json <<'J'
[{"set": {"speed": 1}}, {"request": "spinning"}, {"advance_ms": 1000}, {"poll_s": 0.2}, {"poll_s": 0.3}, {"poll_s": 0.1},
 {"poll_s": -5}, {"advance_ms": 1000}, {"poll_s": 1.3}]
J
schema script polls.json
expect 0 trace door.json --script polls.json --values
schema trace out
lines_are '[x["time_s"] for x in l][3:7] == [0.20000000298023224, 0.30000001192092896, 0.10000000149011612, -5]'
lines_are 'l[2]["weight"] == 0 and l[2]["events"] == []'
lines_are '[[e["name"] for e in x["events"] if e["kind"] == "notify"] for x in l][3:] == [[], ["tick"], [], [], [], ["tick"] * 7]'
lines_are 'not any("refused" in x for x in l)'
printf '{"request": "spinning"} {"poll_s": 0.2} {"poll_s": 0.4}' >spin.json
expect 0 render door.json --script spin.json -o polled.png --at 0 -q --set speed=1

# ------------------------------------------------------------------------------------------------ what is refused
refuses "there is no parameter 'sped'; did you mean 'speed'?" '{"set": {"sped": 1}}'
refuses "there is no parameter 'sped'; did you mean 'speed'?" '{"ramp": {"sped": 1}}'
refuses "parameter 'speed' wants a number" '{"set": {"speed": "2x"}}'
refuses "parameter 'speed' wants a number" '{"set": {"speed": [1]}}'
refuses "wants a number that is not so large" '{"set": {"speed": 1e999}}'
refuses "wants 'mul', as in" '{"set": {"speed": {"add": 1}}}'
refuses "here 'mul' and 'add' may stand, and no 'by'" '{"set": {"speed": {"mul": 1, "by": 1}}}'
refuses "'mul' is given twice" '{"set": {"speed": {"mul": 1, "mul": 1}}}'
refuses "'add' wants a number" '{"set": {"speed": {"mul": 1, "add": true}}}'
refuses "a ramp of 'speed' wants a slope, or where it leads" '{"ramp": {"speed": {"to": 1}}}'
refuses "a ramp of 'speed' wants a slope, or where it leads" '{"ramp": {"speed": {"to": 1, "ms": 0}}}'
refuses "a ramp of 'speed' wants a slope, or where it leads" '{"ramp": {"speed": {"to": 1, "ms": 1e15}}}'
refuses "'ramp' wants an object of controls" '{"ramp": 1}'
refuses "no JSON" '{"set": {"speed": {"mul": 1'
refuses "'poll_s' wants a time in seconds" '{"poll_s": "1"}'
refuses "'poll_s' wants a time in seconds" '{"poll_s": 1e999}'
refuses "a step has no 'pol_s'; did you mean 'poll_s'?" '{"pol_s": 1}'
refuses "'strength' is a plain number: only controls change with time" '{"set": {"strength": {"mul": 1}}}' "$slam"
refuses "'strength' is a plain number: only controls change with time" '{"ramp": {"strength": 1}}' "$slam"
refuses "'poll_s' is for machines that look at the world every so often: here is none" '{"poll_s": 1}' "$slam"
refuses "'poll_s' is for machines that look at the world every so often: here is none" '{"poll_s": 1}' \
    "$root/examples/forge/afsm/chest.json"
for steps in '[{"set": {"speed": {"add": 1}}}]' '[{"set": {"speed": {"mul": 1, "by": 1}}}]' '[{"ramp": 1}]' \
    '[{"ramp": {"speed": {"to": 1}}}]' '[{"ramp": {"speed": {"to": 1, "ms": 0}}}]' '[{"poll_s": "1"}]'; do
    bad_schema "$steps"
done
# what the machine leaves to whoever plays it is told of where it is looked at, and where it is played without that
owl=$root/examples/forge/owl
machine=$owl/assets/zoetrope/asms/block/owl.json
told() { # NAMES ARGUMENT...
    names=$1
    shift
    expect 0 "$@"
    cat out err | sed -n 's/.*note.forge.supplied-parameter.*parameter "\(.*\)" is supplied.*/\1/p' | tr '\n' ' ' >names
    [ "$(cat names)" = "$names" ] || fault "told of $(cat names), not of $names"
}
told 'cycle click_time doze_time ' check "$machine"
told 'cycle click_time doze_time ' info "$machine"
told '' info --graph dot "$machine"
told '' trace "$machine" --script "$owl/film.json"
told '' render "$machine" --script "$owl/film.json" --at 0 --size 16x16 -o o.png
told 'cycle click_time doze_time ' render "$machine" --at 0 --size 16x16 -o o.png
told 'cycle doze_time ' render "$machine" --at 0 --size 16x16 -o o.png --set click_time=1
told 'cycle doze_time ' sample "$machine" --at 0 --set click_time=1
echo '[{"set": {"doze_time": 1}}]' >doze.json
told 'cycle ' trace "$machine" --script doze.json --set click_time=1
told '' render "$machine" --at 0 --size 16x16 -o o.png -q
told '' library import "$machine" --library owl.db
cat >when.json <<'J' # which is more likely a mistake
{"parameters": {}, "clips": {"a": ["apply", "demo:block/door@swing", "#when"]}, "states": ["a"], "transitions": {},
 "start_state": "a"}
J
for words in '' -q; do
    expect 0 render when.json --at 0 --size 16x16 -o o.png $words
    [ "$(grep -c forge/unresolved-parameter err)" = 1 ] || fault 'the warning is not told once'
done
expect 0 render when.json --at 0 --size 16x16 -o o.png --set when=1
! grep -q forge/unresolved-parameter err || fault 'it is told of what is set'
finish
