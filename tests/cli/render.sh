#!/bin/sh
# tests/cli/render.sh PROGRAM: every kind of output that `zoetrope render` writes, read back by programs that know nothing
# of it (ffmpeg, webpmux, a few lines of Python) and held against the bare frames. Prints what is not as it should be;
# exit 1 if there was anything.
set -u
. "$(dirname "$0")/common.sh"
always=render
examples=$root/examples/petween
slam=$examples/slam-land.json

nothing_but() { # the folder has these files and no others
    folder=$1
    shift
    [ "$(ls -A "$folder" | tr '\n' ' ')" = "${*:+$* }" ] || fault "in $folder there is: $(ls -A "$folder" | tr '\n' ' ')and not: $*"
}
have() { command -v "$1" >/dev/null 2>&1; }
read_back() { python3 "$work/read.py" "$@" || fault "$*"; }
decode() { ffmpeg -v error "$@" -f rawvideo -pix_fmt rgba -y decoded.rgba 2>err || fault "ffmpeg cannot read: $*"; }

cat >read.py <<'PYTHON'
import json, math, struct, sys
from fractions import Fraction as F

def die(*words):
    print(*words)
    sys.exit(1)

def frames(path, width, height):
    data = open(path, "rb").read()
    size = width * height * 4
    if len(data) % size or not data:
        die(path, "is no whole number of frames")
    return [data[i:i + size] for i in range(0, len(data), size)]

def distinct(list_of_frames):
    return [f for i, f in enumerate(list_of_frames) if i == 0 or f != list_of_frames[i - 1]]

def over(frame, behind):
    out = bytearray(frame)
    for i in range(0, len(out), 4):
        a = out[i + 3]
        for c in range(3):
            out[i + c] = (out[i + c] * a + behind[c] * (255 - a) + 127) // 255
        out[i + 3] = 255
    return bytes(out)

def psnr(x, y):
    square = sum((a - b) ** 2 for a, b in zip(x, y))
    return 99.0 if square == 0 else 10 * math.log10(255 * 255 * len(x) / square)

def png_chunks(path):
    data = open(path, "rb").read()
    at = 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        yield name, data[at + 8:at + 8 + size]
        at += 12 + size

def apng_length(path):
    return sum(F(*struct.unpack(">HH", data[20:24])) for name, data in png_chunks(path) if name == b"fcTL")

def webp_length(path):
    data, at, ms = open(path, "rb").read(), 12, 0
    while at < len(data):
        name, size = struct.unpack("<4sI", data[at:at + 8])
        if name == b"ANMF":
            ms += int.from_bytes(data[at + 20:at + 23], "little")
        at += 8 + size + size % 2
    return F(ms, 1000)

def gif_length(path):
    data, at, hundredths = open(path, "rb").read(), 13, 0
    if data[10] & 0x80:
        at += 3 << (data[10] % 8 + 1)
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                hundredths += struct.unpack("<H", data[at + 4:at + 6])[0]
            at += 2
        else:
            at += 10 + (3 << (data[at + 9] % 8 + 1) if data[at + 9] & 0x80 else 0) + 1
        while data[at]:
            at += data[at] + 1
        at += 1
    return F(hundredths, 100)

def atlas_length(path):
    return F(sum(f["duration"] for f in json.load(open(path))["frames"]), 1000)

def main(what, *a):
    if what == "same":  # same RAW DECODED W H: byte for byte
        x, y = frames(a[0], int(a[2]), int(a[3])), frames(a[1], int(a[2]), int(a[3]))
        if x != y:
            die("frames differ:", len(x), len(y), [i for i, (p, q) in enumerate(zip(x, y)) if p != q][:5])
    elif what == "distinct":  # the same for a kind that joins equal frames
        x, y = distinct(frames(a[0], int(a[2]), int(a[3]))), frames(a[1], int(a[2]), int(a[3]))
        if x != y:
            die("frames differ:", len(x), len(y), [i for i, (p, q) in enumerate(zip(x, y)) if p != q][:5])
    elif what == "near":  # near RAW DECODED W H DB RRGGBB: over a colour, at least so near
        x, y = frames(a[0], int(a[2]), int(a[3])), frames(a[1], int(a[2]), int(a[3]))
        behind = bytes.fromhex(a[5])
        if len(x) != len(y):
            die("frames:", len(x), "were written,", len(y), "read")
        worst = min(psnr(over(p, behind), over(q, behind)) for p, q in zip(x, y))
        if worst < float(a[4]):
            die("a frame is only near by", worst, "dB")
    elif what == "alpha":  # GIF: what is clear is where it should be
        x, y = distinct(frames(a[0], int(a[2]), int(a[3]))), frames(a[1], int(a[2]), int(a[3]))
        bad = sum((p[i] >= 128) != (q[i] >= 128) for p, q in zip(x, y) for i in range(3, len(p), 4))
        if len(y) > len(x) or bad > len(y) * len(y[0]) // 400:
            die("clear pixels in wrong places:", bad, "frames", len(x), len(y))
    elif what == "middle":  # middle SMALL LARGE W H LARGE_W LARGE_H: the small frames are in the middle of the large
        w, h, large_w, large_h = map(int, a[2:])
        x, y = frames(a[0], w, h), frames(a[1], large_w, large_h)
        left, top = (large_w - w) // 2, (large_h - h) // 2
        cut = [b"".join(f[((top + row) * large_w + left) * 4:][:w * 4] for row in range(h)) for f in y]
        if cut != x:
            die("the middle differs")
    elif what == "length":  # length FILE SECONDS within SECONDS
        read = {"apng": apng_length, "webp": webp_length, "gif": gif_length, "json": atlas_length}[a[0].split(".")[-1]]
        if abs(read(a[0]) - F(a[1])) > F(a[2]):
            die(a[0], "lasts", float(read(a[0])), "and not", a[1])
    elif what == "atlas":  # atlas RAW JSON SHEET.rgba W H: the frames put together again
        book, x = json.load(open(a[1])), frames(a[0], int(a[3]), int(a[4]))
        width, height = book["meta"]["size"]["w"], book["meta"]["size"]["h"]
        sheet = open(a[2], "rb").read()
        if len(sheet) != width * height * 4 or len(book["frames"]) != len(x):
            die("sheet of", len(sheet), "bytes,", len(book["frames"]), "frames")
        taken, rows = {}, int(a[4])
        for f, wanted in zip(book["frames"], x):
            box, at, size = f["frame"], f["spriteSourceSize"], f["sourceSize"]
            if (size["w"], size["h"]) != (int(a[3]), rows) or f["rotated"] or (box["w"], box["h"]) != (at["w"], at["h"]):
                die(f)
            frame = bytearray(len(wanted))
            for y in range(box["h"]):
                start = ((box["y"] + y) * width + box["x"]) * 4
                to = ((at["y"] + y) * size["w"] + at["x"]) * 4
                frame[to:to + box["w"] * 4] = sheet[start:start + box["w"] * 4]
            if frame != wanted:
                die("frame", f["filename"], "cannot be put together again")
            taken[(box["x"], box["y"], box["w"], box["h"])] = True
        boxes = list(taken)
        for i, (x1, y1, w1, h1) in enumerate(boxes):
            if x1 < 1 or y1 < 1 or x1 + w1 + 1 > width or y1 + h1 + 1 > height:
                die("no gap at the border", boxes[i])
            for x2, y2, w2, h2 in boxes[:i]:
                if x1 < x2 + w2 + 1 and x2 < x1 + w1 + 1 and y1 < y2 + h2 + 1 and y2 < y1 + h1 + 1:
                    die("they touch:", boxes[i], (x2, y2, w2, h2))
        if len(boxes) != len(set(x)):
            die(len(set(x)), "different frames are stored as", len(boxes))
        meta = book["meta"]
        if meta["app"] != "zoetrope" or meta["format"] != "RGBA8888" or meta["scale"] != "1" or meta["layers"] != []:
            die(meta)
    elif what == "tags":  # tags JSON NAME/FROM/TO/DIRECTION...
        got = ["%s/%d/%d/%s" % (t["name"], t["from"], t["to"], t["direction"])
               for t in json.load(open(a[0]))["meta"]["frameTags"]]
        if got != list(a[1:]):
            die("tags are", got)
    elif what == "plays":  # plays FILE.apng N
        got = [struct.unpack(">II", data)[1] for name, data in png_chunks(a[0]) if name == b"acTL"]
        if got != [int(a[1])]:
            die("plays", got)

main(*sys.argv[1:])
PYTHON

# ------------------------------------------------------------------------------------------------ every kind, read back
expect 0 "$slam" -o raw.rgba --size 96x80 --fps 30
expect 0 "$slam" -o a.apng --size 96x80 --fps 30
expect 0 "$slam" -o b.apng --size 96x80 --fps 30
cmp -s a.apng b.apng || fault 'two renders of one .apng differ'
read_back length a.apng 0.82 0
expect 0 "$slam" -o a.webp --size 96x80 --fps 30
read_back length a.webp 0.82 0
expect 0 "$slam" -o a.gif --size 96x80 --fps 30
read_back length a.gif 0.82 0
expect 0 "$slam" -o a.json --size 96x80 --fps 30
read_back length a.json 0.82 0
read_back tags a.json 'Slam Land/0/24/forward' 'success/5/5/forward'
mkdir numbered
expect 0 "$slam" -o 'numbered/%03d.png' --size 96x80 --fps 30
if have webpmux; then
    webpmux -info a.webp >info 2>err || fault 'webpmux cannot read the .webp'
    grep -q 'Canvas size: 96 x 80' info || fault 'webpmux sees another size'
    grep -q 'Number of frames: 11' info || fault "webpmux sees $(grep 'Number of frames' info)"
fi
if have ffmpeg; then
    decode -f apng -i a.apng -vsync 0
    read_back distinct raw.rgba decoded.rgba 96 80
    decode -i a.gif -vsync 0
    read_back alpha raw.rgba decoded.rgba 96 80
    decode -i numbered/%03d.png -vsync 0
    read_back same raw.rgba decoded.rgba 96 80
    decode -i a.png
    read_back atlas raw.rgba a.json decoded.rgba 96 80

    expect 0 "$slam" -o a.mp4 --size 96x80 --fps 30
    err_has 'white behind it'
    expect 0 "$slam" -o b.mp4 --size 96x80 --fps 30 --quiet
    cmp -s a.mp4 b.mp4 || fault 'two renders of one .mp4 differ'
    [ ! -s err ] || fault 'quiet'
    decode -sws_flags accurate_rnd+full_chroma_int -i a.mp4 -vsync 0
    read_back near raw.rgba decoded.rgba 96 80 30 ffffff
    expect 0 "$slam" -o a.webm --size 96x80 --fps 30
    expect 0 "$slam" -o b.webm --size 96x80 --fps 30
    cmp -s a.webm b.webm || fault 'two renders of one .webm differ'
    decode -c:v libvpx-vp9 -i a.webm -vsync 0
    read_back near raw.rgba decoded.rgba 96 80 30 000000
    read_back near raw.rgba decoded.rgba 96 80 30 ffffff
    expect 0 "$slam" -o c.mp4 --size 97x81 --fps 12.5 --background '#102030' --loop 2 # odd sides, and twice
    probe=$(ffprobe -v error -count_frames -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 c.mp4)
    [ "$probe" = 98,82,25/2,22 ] || fault "c.mp4 is $probe"
    expect 0 "$slam" -o c.webm --size 97x81 --background '#102030'
    probe=$(ffprobe -v error -show_entries stream=width,height,pix_fmt:stream_tags=alpha_mode -of csv=p=0 c.webm)
    [ "$probe" = 97,81,yuv420p ] || fault "c.webm is $probe"
else
    echo 'no ffmpeg here: videos and decoded frames are not looked at'
fi
mkdir none
(
    PATH=$work/none
    "$program" render "$slam" -o none/x.mp4 >out 2>err
    [ $? = 3 ]
) || fault 'a video without ffmpeg'
err_has "the program 'ffmpeg'"
nothing_but none
mkdir fake
printf '#!/bin/sh\necho first line >&2\necho the last line >&2\nexit 9\n' >fake/ffmpeg
chmod +x fake/ffmpeg
(
    PATH=$work/fake:$PATH
    "$program" render "$slam" -o none/x.webm >out 2>err
    [ $? = 3 ]
) || fault 'a video with an ffmpeg that fails'
err_has 'the last line'
nothing_but none

# ------------------------------------------------------------------------------------------------ time is right
for fps in 12 24 30 50 60 144; do
    for kind in apng webp gif json; do expect 0 "$slam" -o t.$kind --size 24x24 --fps $fps --to 1s; done
    read_back length t.apng 1 0
    read_back length t.webp 1 0
    read_back length t.gif 1 0
    read_back length t.json 1 0
    if have ffmpeg; then
        expect 0 "$slam" -o t.mp4 --size 24x24 --fps $fps --to 1s -q
        probe=$(ffprobe -v error -show_entries stream=r_frame_rate,nb_frames,duration -of csv=p=0 t.mp4)
        [ "$probe" = "$fps/1,1.000000,$fps" ] || fault "t.mp4 is $probe at $fps frames a second"
    fi
done

# ------------------------------------------------------------------------------------------------ options
expect 0 "$slam" -o some.rgba --size 96x80 --fps 30 --frames 4-9
frame=$((96 * 80 * 4))
tail -c +$((4 * frame + 1)) raw.rgba | head -c $((6 * frame)) | cmp -s - some.rgba || fault '--frames are not those of the whole'
expect 0 "$slam" -o one.rgba --size 96x80 --fps 30 --frames 24-24
tail -c $frame raw.rgba | cmp -s - one.rgba || fault 'the last frame alone'
expect 0 "$slam" -o some.apng --size 24x24 --fps 30 --frames 0-3
read_back length some.apng 2/15 0
mkdir part
expect 0 "$slam" -o 'part/%02d.png' --size 96x80 --frames 7-8
nothing_but part 07.png 08.png
cmp -s part/07.png numbered/007.png || fault 'a numbered frame alone differs'
for bad in 25-25 9-4 -1-3 a-b 1-2-3 1- '' 3-+4 '1- 2'; do
    expect 2 "$slam" -o x.rgba "--frames=$bad"
done
expect 0 "$slam" -o five.rgba --size 96x80 --frames 5
expect 2 "$slam" -o x.png --frames 1-2
expect 0 "$slam" -o l.apng --size 24x24 --loop 3
read_back plays l.apng 3
read_back plays a.apng 0
expect 2 "$slam" -o x.webp --loop 1.5
expect 2 "$slam" -o x.webp --loop -1
expect 2 "$slam" -o x.rgba --loop 2
err_has '--loop goes with'
expect 0 "$slam" -o s.png --at 0 --scale 0.5
err_has 's.png: 128x128'
expect 0 "$slam" -o f.png --at 0 --size 128x128
cmp -s s.png f.png || fault '--scale 0.5 of a stage of 256 units is 128 pixels'
expect 0 "$slam" -o square.rgba --scale 0.5 --frames 4-6
expect 0 "$slam" -o wide.rgba --scale 0.5 --frames 4-6 --size 160x130 # as large, with more around it
read_back middle square.rgba wide.rgba 128 128 160 130
expect 2 "$slam" -o x.webp --scale 1000
expect 2 "$slam" -o x.webp --scale 0
expect 0 "$examples/gentle-float.json" -o float.json --size 48x48 --fps 10
grep -q '"direction": "pingpong"' float.json || fault 'a clip that alternates is a ping-pong'
expect 2 "$slam" -o .json
expect 2 "$slam" -o x.bmp

# ------------------------------------------------------------------------------------------------ several inputs
mkdir many
expect 0 "$slam" "$examples/peekaboo.json" builtin:jelly -o 'many/{name}.webp' --size 24x24
nothing_but many jelly.webp peekaboo.webp slam-land.webp
err_has '3 of 3 rendered'
expect 0 "$slam" -o 'many/{name}-{name}.gif' --size 24x24
rm -r many && mkdir many
expect 2 "$slam" "$examples/peekaboo.json" -o many/x.webp
err_has '{name}'
mkdir copy && cp "$slam" copy
expect 2 "$slam" copy/slam-land.json -o 'many/{name}.webp'
err_has 'two inputs'
nothing_but many
expect 3 "$here/ten-mistakes.json" nowhere.json "$slam" -o 'many/{name}.webp' --size 24x24
err_has '1 of 3 rendered'
err_has "'nowhere.json' was not rendered"
nothing_but many slam-land.webp
expect 1 "$here/ten-mistakes.json" "$slam" -o 'many/{name}.webp' --size 24x24 -q
expect 3 "$slam" builtin:jelly -o 'no/such/{name}.webp'
cp "$slam" '100%.json'
mkdir percent
expect 0 '100%.json' -o 'percent/{name}-%d.png' --size 24x24 --frames 0-1
nothing_but percent '100%-0.png' '100%-1.png'

# ------------------------------------------------------------------------------------------------ nothing half done
mkdir inputs && cp "$slam" inputs/hop.json && cp "$examples/pet/idle.png" inputs/cat.png
expect 2 inputs/hop.json -o inputs/hop.json # an atlas over its own source
err_has 'is an input'
(cd inputs && ln -s hop.json other.json && "$program" render hop.json -o other.json >/dev/null 2>&1) && fault 'through a link'
expect 2 "$slam" -o inputs/cat.png --at 0 --picture idle=inputs/cat.png
expect 2 "$slam" -o inputs/cat.json --picture idle=inputs/cat.png
cmp -s "$slam" inputs/hop.json && cmp -s "$examples/pet/idle.png" inputs/cat.png || fault 'an input was changed'
nothing_but inputs cat.png hop.json other.json
# A signal in the middle: what was there stays, nothing else does. A minute of frames takes longer than the wait.
if have timeout; then
    for kind in webp apng gif rgba json mp4 webm; do
        case $kind in mp4 | webm) have ffmpeg || continue ;; esac
        for signal in INT TERM; do
            mkdir half && printf old >half/x.$kind
            timeout --preserve-status -s $signal 0.3 "$program" render "$slam" -q -o half/x.$kind --size 700x700 --fps 1000 --to 60s \
                --repeat loop --next success >out 2>err
            code=$?
            case $signal in INT) wanted=130 ;; *) wanted=143 ;; esac
            [ $code = $wanted ] || fault "SIG$signal while writing .$kind: exit $code"
            nothing_but half x.$kind
            [ "$(cat half/x.$kind)" = old ] || fault "SIG$signal changed the old .$kind"
            rm -r half
        done
    done
fi
mkdir pair && mkdir pair/x.png
expect 3 "$slam" -o pair/x.json --size 24x24
nothing_but pair x.png
rmdir pair/x.png && printf old >pair/x.png && mkdir pair/x.json
expect 3 "$slam" -o pair/x.json --size 24x24
nothing_but pair x.json x.png
[ "$(cat pair/x.png)" = old ] || fault 'half an atlas was written'

# What is there already: a source is not lost, a link stays a link, and what may not be written is not.
mkdir kept && cp "$slam" kept/a.json
expect 2 kept/a.json -o kept/a.json --size 8x8
err_has 'is an input'
expect 2 kept/a.json "$examples/peekaboo.json" -o 'kept/../kept/{name}.json' --size 8x8
cmp -s "$slam" kept/a.json || fault 'an animation was written over'
printf old >kept/real.png
ln -s real.png kept/link.png
expect 0 "$slam" -o kept/link.png --at 0 --size 8x8
[ -L kept/link.png ] || fault 'a link was replaced by a file'
[ "$(head -c 4 kept/real.png | tail -c 3)" = PNG ] || fault 'a link was not followed'
printf old >kept/locked.png
chmod 444 kept/locked.png
if [ ! -w kept/locked.png ]; then # of the administrator nothing is locked
    expect 3 "$slam" -o kept/locked.png --at 0 --size 8x8
    [ "$(cat kept/locked.png)" = old ] || fault 'a file that is only for reading was written'
fi
nothing_but kept a.json link.png locked.png real.png

# A clip that stops is shown until its particles are gone, and no longer; a millisecond a frame says when that is.
for seed in 0 7; do
    expect 0 builtin:celebrate -o gone.rgba --size 4x4 --fps 1000 --seed "$seed" -q
    ms=$(($(wc -c <gone.rgba) / 64))
    [ "$ms" -gt 920 ] && [ "$ms" -le 1169 ] || fault "from 189 ms on confetti flies for 620 to 980 ms, and this film has $ms"
    printf '{"advance_ms": %d} {"advance_ms": 1}' $((ms - 1)) >gone.json
    "$program" trace builtin:celebrate --script gone.json --seed "$seed" >out
    [ "$(grep -o '"particles": [0-9]*' out | tr -d '\n')" = '"particles": 1"particles": 0' ] || fault 'not when the last one is gone'
done
expect 0 builtin:celebrate -o gone.rgba --size 4x4 --fps 100 --reduced-motion -q
[ $(($(wc -c <gone.rgba) / 64)) = 62 ] || fault 'no particles: half a second'

# For programs: progress, the report and what was written, a JSON object a line, and nothing else on that stream.
expect 0 "$slam" -o told.webp --size 33x31 --fps 20 --output json
expect 0 "$slam" -o plain.webp --size 33x31 --fps 20 -q
same told.webp plain.webp
expect 0 "$slam" -o told.webp --size 33x31 --fps 20 --output json
python3 - <<'PYTHON' || fault 'lines for programs'
import json
lines = [json.loads(line) for line in open("out")]
steps = lines[:-1]
assert lines[-1] == {"width": 33, "height": 31, "frames": 17, "durationMs": 820}, lines[-1]
assert steps and all(set(step) == {"done", "total"} for step in steps), steps
assert [s["done"] for s in steps] == sorted(s["done"] for s in steps) and steps[-1] == {"done": 17, "total": 17}
PYTHON
[ ! -s err ] || fault 'the messages say what the lines have said'
expect 1 "$root/tests/cli/three-faults.json" -o told.webp --output json
python3 -c 'import json
lines = [json.loads(line) for line in open("out")]
assert len(lines) == 1 and lines[0]["errors"] == 3 and len(lines[0]["diagnostics"]) == 3' || fault 'the report for programs'
[ ! -s err ] || fault 'the report is told twice'
expect 2 "$slam" -o told.webp --output csv

finish
