#!/usr/bin/env python3
"""Draws the pictures again: art/*.svg into one sheet, sprites.png with sprites.json that says where each is, and
art/fx/*.svg into fx/*.png, a pixel a unit. Needs `rsvg-convert` (Debian: librsvg2-bin), else only Python's own library.

    python3 draw.py
"""

import base64
import json
import pathlib
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
WIDTH = 1024   # of the sheet
GAP = 4        # between pictures, so that none is smeared into its neighbour


def drawn(svg):
    return subprocess.run(["rsvg-convert"], input=svg, stdout=subprocess.PIPE, check=True).stdout


def size_of(png):
    return struct.unpack(">II", png[16:24])


def packed(pictures):
    """Places on shelves, the tallest first: name to (x, y, width, height), and the height of all."""
    places, x, y, shelf = {}, GAP, GAP, 0
    for name, png in sorted(pictures.items(), key=lambda item: (-size_of(item[1])[1], item[0])):
        width, height = size_of(png)
        if x + width + GAP > WIDTH:
            x, y, shelf = GAP, y + shelf + GAP, 0
        places[name] = (x, y, width, height)
        x, shelf = x + width + GAP, max(shelf, height)
    return places, y + shelf + GAP


def main():
    pictures = {path.stem: drawn(path.read_bytes()) for path in sorted((HERE / "art").glob("*.svg"))}
    places, height = packed(pictures)
    images = "".join(f'<image x="{x}" y="{y}" width="{w}" height="{h}" href="data:image/png;base64,'
                     f'{base64.b64encode(pictures[name]).decode()}"/>' for name, (x, y, w, h) in places.items())
    sheet = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}">{images}</svg>'
    (HERE / "sprites.png").write_bytes(drawn(sheet.encode()))
    frames = ",\n".join(f'    {json.dumps(name)}: {{ "frame": {{ "x": {x}, "y": {y}, "w": {w}, "h": {h} }} }}'
                        for name, (x, y, w, h) in sorted(places.items()))
    (HERE / "sprites.json").write_text(f'{{\n  "frames": {{\n{frames}\n  }},\n  "meta": {{ "image": "sprites.png", '
                                       f'"size": {{ "w": {WIDTH}, "h": {height} }} }}\n}}\n', encoding="utf-8")
    for path in sorted((HERE / "art" / "fx").glob("*.svg")):
        (HERE / "fx" / f"{path.stem}.png").write_bytes(drawn(path.read_bytes()))


if __name__ == "__main__":
    main()
