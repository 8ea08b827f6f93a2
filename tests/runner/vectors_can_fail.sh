#!/bin/sh
# vectors_can_fail.sh RUNNER DIR FIXTURES DIAG: a runner that cannot fail says nothing. One expected value of each file is
# altered in a copy; the runner must then say "failed" for that file, and no longer exit with 0.
set -u
runner=$1
vectors=$2
fixtures=$3
diag=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# file, what to alter (a sed expression that changes one place)
alter() {
    rm -rf "$work/v"
    mkdir -p "$work/v/charpack" "$work/v/enemy" "$work/v/forge/b3d" "$work/v/petween" "$work/v/seed"
    cp "$vectors"/seed/*.json "$work/v/seed"
    cp -r "$vectors/seed/forge" "$work/v/seed"
    cp "$vectors/$1" "$work/v/$1"
    [ ! -f "$vectors/${1%.json}.b3d" ] || cp "$vectors/${1%.json}.b3d" "$work/v/forge/b3d"
    chmod -R u+w "$work/v"
    sed -i "$2" "$work/v/$1"
    if cmp -s "$vectors/$1" "$work/v/$1"; then
        echo "$1: nothing was altered by $2"
        bad=1
    fi
    says=$("$runner" "$work/v" 2>/dev/null)
    code=$?
    if [ $code -ne 1 ] || ! printf '%s\n' "$says" | grep -q "^$1: [0-9]* passed, 1 failed, [0-9]* skipped$"; then
        echo "$1: altered by $2, and the runner exits $code with: $says"
        bad=1
    fi
}

alter charpack/graph.json '0,/"t":160,"event":"cycle"/s//"t":161,"event":"cycle"/'
alter charpack/graph.json '0,/"via":"direct"/s//"via":"trigger"/'
alter charpack/graph.json '0,/"frame":1/s//"frame":2/'
alter charpack/graph_contract.json '0,/"event":"unrouted","label":"/s//&x/'
alter charpack/graph_contract.json '0,/"draws":1/s//"draws":2/'
alter charpack/graph_contract.json '0,/"draws_used":[0-9]*/s//&1/'
alter charpack/graph_contract.json '0,/"t_sum":5/s//"t_sum":6/'
alter charpack/graph_contract.json '0,/"enters":{"a":5411/s//"enters":{"a":5410/'
alter enemy/validate.json '0,/"valid":false/s//"valid":true/'
alter enemy/validate.json '0,/"valid":true/s//"valid":false/'
alter enemy/validate.json '0,/"rule":"exclusiveMinimum"/s//"rule":"minimum"/'
alter enemy/validate.json '0,/"at":"\/tracks\/0\/keys\/0"/s//"at":"\/tracks\/0"/'
alter enemy/validate.json '0,/"missing":"shape"/s//"missing":"kind"/'
alter enemy/curves.json '0,/0.04296875/s//0.0431/'
alter enemy/curves.json '0,/"stepped":\[1,1,1\]/s//"stepped":[1,2,1]/'
alter forge/b3d/truncated.json 's/b3d-truncated/b3d-no-root/'
alter forge/b3d/newer_minor.json 's/"warn"/"ok"/'
alter forge/b3d/many_brushes.json 's/"color": \[0.5, 0.5/"color": [0.5, 0.6/'
alter forge/b3d/many_brushes.json 's/"brush": 1, "vertices"/"brush": 0, "vertices"/'
alter forge/b3d/split_keys.json 's/"2": {"position": \[2.0/"2": {"position": [2.5/'
alter forge/b3d/skinned_two_bones.json 's/0.965926, 0.258819, 0.0\], \[-0.274995/0.966926, 0.258819, 0.0], [-0.274995/'
alter forge/b3d/skinned_two_bones.json 's/\[0.939693, -0.34202, 0.0, 0.0\]/[0.939693, -0.34202, 0.0, 0.1]/'
alter forge/b3d/skinned_two_bones.json 's/\[0.819152, -0.573576, 0.0, 0.282405\]/[0.819152, -0.573576, 0.0, 0.292405]/'
alter forge/params.json '0,/-28.3725/s//-28.3726/'
alter forge/params.json '0,/"error": "missing-operand"/s//"error": "reference-cycle"/'
alter forge/draft_params.json '0,/0.0705/s//0.0706/'
alter forge/armature.json '0,/0.07954699/s//0.0796/'
alter forge/armature.json '0,/"event": "clank", "offset": 0.1/s//"event": "clank", "offset": 0.2/'
alter forge/asm.json '0,/0.38938415/s//0.39/'
alter forge/asm.json '0,/"event": "clank"/s//"event": "clonk"/'
alter forge/asm.json '0,/"error": "unknown-state"/s//"error": "no-such-transition"/'
alter petween/validate.json '0,/"valid":false/s//"valid":true/'
alter petween/validate.json '0,/"valid":true/s//"valid":false/'
alter petween/validate.json '0,/"docValid":true/s//"docValid":false/'
alter petween/validate.json '0,/"where":\["id"\]/s//"where":["tracks[7]"]/'
alter petween/validate.json '0,/layer:transition@0.8/s//layer:transition@0.7/'
alter petween/compile.json '0,/"compiled":{"definitionId":"user:lift","durationMs":400/s//"compiled":{"definitionId":"user:lift","durationMs":401/'
alter petween/compile.json '0,/"scale":"1.5 1"/s//"scale":"1.5002 1"/'
alter petween/compile.json '0,/"easing":"cubic-bezier(0.42/s//"easing":"cubic-bezier(0.43/'
alter petween/compile.json '0,/"error":"alternate-events"/s//"error":"events"/'
alter petween/samples.json '0,/"scrub":{"sway":{"rotate":\[4.8\]}/s//"scrub":{"sway":{"rotate":[4.81]}/'
alter petween/samples.json '0,/"play":{"sway":{"rotate":\[4.8\]}/s//"play":{"sway":{"rotate":[4.81]}/'
alter petween/samples.json '0,/"pose":"[a-z]*"/s//"pose":"nowhere"/'
alter petween/builtins.json '0,/"bound": 0.5/s//"bound": 0.6/'
alter petween/builtins.json '0,/"durationMs": 220/s//"durationMs": 221/'
alter petween/packs.json '0,/"status":"imported"/s//"status":"identical"/'
alter petween/packs.json '0,/"finalId":"lantern:glow-3"/s//"finalId":"lantern:glow-4"/'
alter petween/packs.json '0,/"where":\["animations\[1\]"\]/s//"where":["animations[7]"]/'
alter petween/packs.json '0,/"error":"PACK_EXPORT_EMPTY"/s//"error":"PACK_EXPORT_UNKNOWN"/'
alter petween/packs.json '0,/"details":\["user:nobody"/s//"details":["user:somebody"/'
alter seed/seed.json '0,/"verdict": "ok"/s//"verdict": "warn"/'
alter seed/seed.json '0,/"warnings": \[\]/s//"warnings": ["at"]/'
alter seed/seed.json '/charpack-graph/s/"ok"/"error"/'
alter seed/seed.json '/charpack-clips/s/"ok"/"warn"/'
alter seed/slam-land-values.json '0,/0.72115/s//0.72116/'
alter seed/slam-land-values.json '0,/7.9792/s//7.9795/'

fixture() { # what is changed in a copy of the fixtures
    rm -rf "$work/d"
    cp -r "$diag" "$work/d"
    chmod -R u+w "$work/d"
    (cd "$work/d" && eval "$1")
    if "$fixtures" "$work/d" >/dev/null 2>&1; then
        echo "the fixtures are accepted after: $1"
        bad=1
    fi
}
fixture 'rm petween/at.json petween/at.txt'
fixture 'rm petween/at.txt'
fixture 'echo x >>petween/at.txt'
fixture 'sed -i s/1.4/0.4/ petween/at.json'

mkdir "$work/empty"
"$runner" "$work/empty" >/dev/null 2>&1
[ $? -eq 3 ] || { echo 'no cases at all are accepted'; bad=1; }
"$runner" >/dev/null 2>&1
[ $? -eq 2 ] || { echo 'no folder at all is accepted'; bad=1; }
exit $bad
