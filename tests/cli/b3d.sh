#!/bin/sh
# tests/cli/b3d.sh PROGRAM: B3D models on the command line: judged, sampled, made text and back, and nothing left of what
# fails.
set -u
. "$(dirname "$0")/common.sh"
models=$here/../vectors/forge/b3d

expect 0 check "$models/skinned_two_bones.b3d"
out_has 'ok (b3d)'
expect 1 check "$models/bad_vertex_index.b3d"
out_has 'vertex 3 at byte 150 is none of the 3 that there are'
out_lacks '1 |' # no line of a file that has none
expect 1 check --output json "$models/bad_vertex_index.b3d"
out_has '"line": 0'
out_has '"offset": 150'
cp "$models/static_quad.b3d" quad # by its bytes
expect 0 info quad
out_has 'quad: b3d'
printf nothing >empty.b3d # by its name
expect 1 check empty.b3d
out_has 'b3d/bad-magic'
rm quad empty.b3d

# between frames, and after the last
expect 0 sample "$models/sparse_keys.b3d" --at 2.5,20 --output csv
out_has ',2.5,0,1.5,0,'
out_has ',20,0,3,0,'
expect 0 sample "$models/sparse_keys.b3d" --at 2.5,20 --output csv --b3d-keys forge
out_has ',2.5,0,1,0,'
out_has ',20,0,1,0,'
expect 2 sample "$models/sparse_keys.b3d" --b3d-keys maya

# text, and back
expect 0 convert "$models/many_brushes.b3d" --to b3d-source -o text.json
expect 0 check text.json
out_has 'ok (b3d-source)'
expect 0 convert text.json --to b3d -o back.b3d
same back.b3d "$models/many_brushes.b3d"
"$program" convert text.json --to b3d -o - >piped.b3d 2>err || fault 'to the standard output'
same piped.b3d back.b3d
expect 0 dump back.b3d
cp out of-bytes
expect 0 dump text.json
same out of-bytes
expect 0 convert text.json --to b3d-source -o again.json
same again.json text.json

fails 1 convert "$models/truncated.b3d" --to b3d-source -o never.json
err_has 'b3d/truncated'
fails 1 convert "$root/examples/petween/slam-land.json" --to b3d -o never.b3d
err_has 'which cannot be made b3d'
fails 1 convert text.json --to pet -o never
err_has 'is no pet'
fails 3 convert text.json --to b3d -o nowhere/never.b3d
fails 3 convert nobody.json --to b3d -o never.b3d
sed 's/"positions"/"places"/' text.json >wrong.json
fails 1 convert wrong.json --to b3d -o never.b3d
err_has 'b3d-source/member'

expect 0 schema b3d-source
out_has '"b3dSource"'
finish
