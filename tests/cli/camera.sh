#!/bin/sh
# tests/cli/camera.sh PROGRAM: what stands in space, seen from where --camera says: sizes, sides, textures, soft borders;
# and what is said of a camera that is none.
set -u
. "$(dirname "$0")/common.sh"
quad=$root/tests/vectors/forge/b3d/static_quad.b3d # of 1 by 1, textured, seen from the front alone

is() { # EXPRESSION, which python3 finds true of the 64 x 64 px f(x, y) and of the box of what is drawn
    python3 -c 'import sys
raw = open("o.rgba", "rb").read()
f = lambda x, y: tuple(raw[(y * 64 + x) * 4:][:4])
drawn = [(x, y) for y in range(64) for x in range(64) if f(x, y)[3]]
box = drawn and [g(p[c] for p in drawn) for g in (min, max) for c in (0, 1)]
sys.exit(not eval(sys.argv[1]))' "$1" || fault "not so: $1"
}
look() { # CAMERA ARGUMENT...
    camera=$1
    shift
    expect 0 render "$quad" -o o.rgba --frames 0 --size 64x64 --picture stone.png=four.png --nearest --camera "$camera" "$@"
}

# Red and green above blue and white.
python3 - <<'P'
import struct, zlib
rows = [[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]]
raw = b"".join(b"\0" + b"".join(bytes(p) for p in row) for row in rows)
chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
open("four.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0))
                             + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
P

# From the front it fills the picture, the right way up, four fifths as bright as from above; in perspective too.
for camera in 0,0 0,0,1 0,0,1,60; do
    look $camera
    is 'f(10, 10) == (204, 0, 0, 255) and f(50, 10) == (0, 204, 0, 255) and f(10, 50) == (0, 0, 204, 255)'
    is 'box == [0, 0, 63, 63] and f(63, 63) == (204, 204, 204, 255)'
done
look 0,0,0.5
is 'box == [16, 16, 47, 47]'
look 0,0,2
is 'f(0, 0) == (204, 0, 0, 255) and f(63, 63) == (204, 204, 204, 255)'
look 0,0,1 --scale 16
is 'box[2] - box[0] == 15 and box[3] - box[1] == 15'

# Turned its right side comes nearer or goes away, which shows in perspective alone; from behind there is nothing.
look 60,0
is 'box == [16, 0, 47, 63] and f(20, 1)[3] == f(44, 1)[3]'
look 60,0,1,70
is 'sum(f(x, 2)[3] > 0 for x in range(32)) != sum(f(x, 2)[3] > 0 for x in range(32, 64))'
look 180,0
is 'not drawn'

# Borders are soft.
look 30,30,0.9
is 'any(0 < f(x, y)[3] < 255 for x, y in drawn) and sum(f(x, y)[3] == 255 for x, y in drawn) > 300'

# Without its picture its form is seen. Over a background it is laid.
expect 0 render "$quad" -o o.rgba --frames 0 --size 64x64 --camera 0,0,0.5 --background '#102030'
is 'f(32, 32)[3] == 255 and f(32, 32)[:3] != (16, 32, 48) and f(2, 2) == (16, 32, 48, 255)'

# As blocks stand in an inventory when nothing is said: of what looks south only the back could be seen.
expect 0 render "$quad" -o o.rgba --frames 0 --size 64x64
is 'not drawn'
look 225,30
is 'not drawn'

for camera in 1 , 1, 1,91 1,-91 1,2,0 1,2,3,171 1,2,3,4,5 x,y '' 1,2,nan; do
    fails 2 render "$quad" -o o.png --at 0 --camera "$camera"
    err_has '--camera wants YAW,PITCH[,ZOOM[,FIELD]]'
done
fails 2 check "$quad" --camera 1,2
finish
