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
# and in a folder, with and without its machine
mkdir folder
mv empty.b3d folder/EMPTY.B3D
cp "$models/static_quad.b3d" folder
expect 1 check folder
out_has 'folder/static_quad.b3d: ok (b3d)'
out_has 'folder/EMPTY.B3D: error[b3d/bad-magic]'
out_has '2 files: 1 fine, 1 with errors'
expect 1 check --fix folder
same folder/static_quad.b3d "$models/static_quad.b3d"
cp -r "$root/examples/forge" folder/forge
cp "$models/truncated.b3d" folder/forge/models/chest.b3d
expect 1 check folder/forge
[ "$(grep -c b3d/truncated out)" = 1 ] || fault 'what is wrong with a model is not told once'
rm -r quad folder

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

# the chest: what is there is what is made of its text, and its pictures and keys are seen
cp -r "$root/examples/forge" forge
cp forge/models/chest.b3d .
expect 0 convert forge/models/chest.source.json --to b3d -o made.b3d
same made.b3d chest.b3d
expect 0 render forge/models/chest.b3d --at 1 -o shut.png --size 64x64
expect 0 render forge/models/chest.b3d --at 10 -o open.png --size 64x64
! cmp -s shut.png open.png || fault 'the lid does not move'
expect 0 render forge/models/chest.b3d --at 0.5s -o end.png --size 64x64 # twenty frames a second
same end.png open.png
expect 0 render chest.b3d --at 1 -o bare.png --size 64x64 --assets . # which says that there are no others
err_has 'the picture "chest.png" is not beside the model'
! cmp -s shut.png bare.png || fault 'the picture is not seen'
rm bare.png
expect 0 render chest.b3d --at 1 -o bare.png --size 64x64
err_has 'the picture "chest.png" is not beside the model' # nor need anyone say so
[ "$(grep -c b3d/texture err)" = 1 ] || fault 'it is said more than once'
expect 0 check chest.b3d # which leaves pictures alone
out_has 'ok (b3d)'
expect 0 render chest.b3d --at 1 -o given.png --size 64x64 -q --picture chest.png=forge/models/chest.png
[ ! -s err ] || fault 'something is said of a picture that is given'
same given.png shut.png
mv forge/afsm/chest.json forge # where the model lies below it
expect 0 trace forge/chest.json --script forge/film.json
out_has '"slot": "open", "via": "request"'
expect 0 render forge/chest.json --script forge/film.json --at 3.3s -o again.png --size 64x64
same again.png shut.png

expect 0 schema b3d-source
out_has '"b3dSource"'
finish
