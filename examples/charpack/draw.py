#!/usr/bin/env python3
"""Draws Vesper, a star-nosed mole on night watch: every frame of every clip as PNG, and the pack.json that says what
they are. `zoetrope charpack build` makes the pack of it. Needs `rsvg-convert` (Debian: librsvg2-bin), else only
Python's own library.

    python3 examples/charpack/draw.py build/vesper-source
    zoetrope charpack build build/vesper-source -o examples/charpack/vesper --replace
"""

import collections
import functools
import json
import multiprocessing
import pathlib
import struct
import subprocess
import sys
import zlib

import figure
import motion

SCALE = 0.6875    # pixels a unit of the stage
COLOURS = 62    # of all pictures together, the clear one included
PALETTE = pathlib.Path(__file__).with_name("palette.txt")    # which: red, green, blue, alpha
PATCH = (64, 48)                 # pixels of the picture of a shut mouth
MOUTH_SIZE = (15.5, 8.2)         # pixels; what is pasted is an ellipse 1.8 times as wide and 2.1 times as high
MOUTH_DROP = 4.6                 # units from where the mouth is drawn to the middle of what it takes up when it is open

EDGES = [
    ("idle", "idle", 0.66), ("idle", "idle1", 0.16), ("idle", "idle2", 0.12), ("idle", "doze", 0.06),
    ("idle1", "idle", 1), ("idle2", "idle", 1),
    # Speech is let go of by a release, or by somebody who says that it has ended; by chance it goes from short to long.
    ("idle", "speaking_short", 0), ("speaking_short", "speaking_short", 0.55), ("speaking_short", "speaking_med", 0.45),
    ("speaking_med", "speaking_short", 0.8), ("speaking_med", "speaking_med", 0.2), ("speaking_short", "idle", 0),
    ("speaking_med", "idle", 0),
    ("idle", "trans_smile", 0), ("trans_smile", "smile_speaking", 1), ("smile_speaking", "smile_speaking", 1),
    ("smile_speaking", "smile", 0), ("smile", "idle", 1),
    ("idle", "sad_trans", 0), ("sad_trans", "sad_speaking", 1), ("sad_speaking", "sad_speaking", 1),
    ("sad_speaking", "sad", 0), ("sad", "idle", 1),
    ("idle", "wave", 0), ("wave", "idle", 1),
    ("doze", "sleep", 1), ("sleep", "sleep", 0.8), ("sleep", "wake", 0.2), ("wake", "idle", 1),
]


# ---------------------------------------------------------------------------------------------------------------- PNG

def rows_of(png):
    """Width, height and the bytes, four a pixel, of a picture as rsvg-convert writes it: 8 bits, not interlaced, RGBA
    or, where nothing is clear, RGB."""
    width, height = struct.unpack(">II", png[16:24])
    depth = {2: 3, 6: 4}[png[25]]
    at, packed = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IDAT":
            packed += png[at + 8:at + 8 + size]
        at += 12 + size
    data, step, out, above = zlib.decompress(packed), width * depth, bytearray(), bytearray(width * depth)
    for y in range(height):
        kind, row = data[y * (step + 1)], bytearray(data[y * (step + 1) + 1:(y + 1) * (step + 1)])
        if kind == 1:
            for i in range(depth, step):
                row[i] = (row[i] + row[i - depth]) & 255
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, above))
        elif kind == 3:
            for i in range(step):
                row[i] = (row[i] + ((row[i - depth] if i >= depth else 0) + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(step):
                a, b, c = (row[i - depth], above[i], above[i - depth]) if i >= depth else (0, above[i], 0)
                p = a + b - c
                row[i] = (row[i] + (a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else
                                    b if abs(p - b) <= abs(p - c) else c)) & 255
        out += row if depth == 4 else b"".join(row[i:i + 3] + b"\xff" for i in range(0, step, 3))
        above = row
    return width, height, bytes(out)


def png_of(width, height, pixels):
    step = width * 4
    data = zlib.compress(b"".join(b"\0" + pixels[y * step:(y + 1) * step] for y in range(height)), 6)
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", data) + chunk(b"IEND", b""))


def drawn(svg):
    return rows_of(subprocess.run(["rsvg-convert"], input=svg.encode(), stdout=subprocess.PIPE, check=True).stdout)


# ------------------------------------------------------------------------------------------------------------ colours

def distance(a, b):
    """How unlike two colours look: how unlike they are over black, and over white."""
    out = 0
    for u, v in zip(a[:3], b[:3]):
        black = (u * a[3] - v * b[3]) / 255
        white = black - (a[3] - b[3])
        out += black * black + white * white
    return out


def palette_of(counts):
    """The colours that all pictures are drawn with. One by one that colour joins which is the worst off: by how unlike
    it is to all that are there, and by how often it is seen."""
    colours = sorted(counts, key=lambda c: (-counts[c], c))
    weights = [counts[c] ** 0.5 for c in colours]
    palette = [(0, 0, 0, 0)]
    far = [distance(c, palette[0]) for c in colours]
    while len(palette) < COLOURS:
        palette.append(colours[max(range(len(colours)), key=lambda i: far[i] * weights[i])])
        far = [min(f, distance(c, palette[-1])) for f, c in zip(far, colours)]
    return palette


def words(pixels):
    return (word for word, in struct.iter_unpack("<I", pixels))


def chosen(pictures):
    """A palette of all pictures. Colours that are much alike, by their upper bits, are judged together."""
    counts = collections.Counter(word for _, _, pixels in pictures.values() for word in words(pixels))
    bins = {}
    for word, count in counts.most_common():
        bins.setdefault(word >> 2 & 0x3F3F3F3F, [tuple(word.to_bytes(4, "little")), 0])[1] += count
    return palette_of({colour: count for colour, count in bins.values() if colour[3] > 0})


def with_palette(pictures):
    """The pictures again, each pixel the nearest colour of the palette: Zstandard then finds what repeats. The palette
    is kept, so that pictures which nobody changes stay as they are; delete its file to have one chosen anew."""
    if not PALETTE.exists():
        PALETTE.write_text("".join(bytes(colour).hex() + "\n" for colour in sorted(chosen(pictures))))
    palette = [bytes.fromhex(line) for line in PALETTE.read_text().split()]

    @functools.cache
    def nearest(key):
        middle = ((key << 2) + 0x02020202).to_bytes(4, "little")
        return min(palette, key=lambda colour: distance(colour, middle)) if middle[3] > 2 else palette[0]

    return {name: (width, height, b"".join(nearest(word >> 2 & 0x3F3F3F3F) for word in words(pixels)))
            for name, (width, height, pixels) in pictures.items()}


# --------------------------------------------------------------------------------------------------------- the mouths

def mouth_at(pose):
    """Where the middle of the mouth is on the stage."""
    x, y = figure.MOUTH
    return figure.apply(figure.head_matrix(pose), (x + 8 * pose["look_x"], y + 5 * pose["look_y"] + MOUTH_DROP))


def from_middle(point):
    """A point of the stage as the mouth file wants it: pixels from the middle of the picture."""
    return (round(point[0] * SCALE, 2), round((point[1] + figure.GROUND - figure.STAGE[1] / 2) * SCALE, 2))


def anchor(point, size=MOUTH_SIZE):
    return {"cx": point[0], "cy": point[1], "width": size[0], "height": size[1]}


def shut(label, frames):
    """The picture of the shut mouth of a clip, cut out of that frame of it in which the mouth is least open."""
    pose, cap, scarf = min(frames, key=lambda f: f[0]["open"])
    pose = {**pose, "open": 0}
    x, y = mouth_at(pose)
    w, h = PATCH[0] / SCALE, PATCH[1] / SCALE
    return figure.picture(pose, cap, scarf, (x - w / 2, y - h / 2, w, h), SCALE)


def mouth_file(frames):
    rest = from_middle(mouth_at(motion.idle(0)))
    profiles = {}
    for label, clip in motion.CLIPS.items():
        if clip.mouths:
            profiles[label] = {
                "mouth_set": "neutral",
                "openness": [round(pose["open"], 3) for pose, _, _ in frames[label]],
                "anchor_track": [{**anchor(from_middle(mouth_at(pose))), "score": 1} for pose, _, _ in frames[label]],
                "runtime_overlay_anchor": anchor((0, 0)),
            }
    return {"canvas_size": [round(figure.STAGE[0] * SCALE), round(figure.STAGE[1] * SCALE)],
            "expressions": {"neutral": {**anchor(rest), "curve": 0.2}}, "profiles": profiles}


def pack(frames):
    clips = []
    for label, clip in motion.CLIPS.items():
        one = {"label": label, "folder": label, "frameIntervalMs": clip.step_ms}
        if clip.once:
            one["loopMode"] = "once_then_hold"
        clips.append(one)
    return {
        "schemaVersion": 1, "type": "characterPackSource", "id": "vesper", "displayName": "Vesper", "version": "1.0.0",
        "level": 19, "clips": clips,
        "nodes": [{"id": label, **({"isRoot": True} if label == "idle" else {})} for label in motion.CLIPS],
        "edges": [{"from": a, "to": b, "prob": weight} for a, b, weight in EDGES],
        "mouthOverlays": [{"label": label, "frames": [f"mouths/{label}.png"]}
                          for label, clip in motion.CLIPS.items() if clip.mouths],
        "mouth": mouth_file(frames),
    }


def main(out):
    frames = motion.frames()
    svgs = {f"{label}/{i + 1:02}.png": figure.picture(*frame, scale=SCALE)
            for label, clip in frames.items() for i, frame in enumerate(clip)}
    svgs |= {f"mouths/{label}.png": shut(label, frames[label]) for label, clip in motion.CLIPS.items() if clip.mouths}
    with multiprocessing.Pool() as pool:
        pictures = with_palette(dict(zip(svgs, pool.map(drawn, svgs.values()))))
    for name, picture in pictures.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(png_of(*picture))
    (out / "pack.json").write_text(json.dumps(pack(frames), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
