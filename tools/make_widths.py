#!/usr/bin/env python3
"""Writes src/base/width_table.inc: which code points take no column or two columns on a terminal.

Wide: East Asian Width W or F (emoji shown as pictures are among them). None: combining marks (Mn, Me), format signs
(Cf, but for the soft hyphen and the Arabic number signs, which terminals show) and the vowels and finals that Hangul
syllables are composed of. Run: tools/make_widths.py > src/base/width_table.inc
"""
import unicodedata

# Unassigned code points that are wide all the same (UAX #11); of others Python's answer is not to be trusted.
WIDE_PLACES = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x2FFFE),
               range(0x30000, 0x3FFFE))
SHOWN_FORMAT_SIGNS = {0xAD, *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def width(code):
    char = chr(code)
    category = unicodedata.category(char)
    if category in ("Mn", "Me") or 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF or code == 0x200B:
        return 0
    if category == "Cf" and code not in SHOWN_FORMAT_SIGNS:
        return 0
    if category == "Cn":
        return 2 if any(code in place for place in WIDE_PLACES) else 1
    if unicodedata.east_asian_width(char) in ("W", "F"):
        return 2
    return 1


def ranges(wanted):
    """Unassigned code points between two that are in the list count as in it: fewer ranges, and nothing shown."""
    found = []
    gap = False
    for code in range(0x80, 0x110000):
        if width(code) == wanted:
            if found and (found[-1][1] == code - 1 or gap):
                found[-1][1] = code
            else:
                found.append([code, code])
            gap = True
        elif unicodedata.category(chr(code)) != "Cn" or width(code) != 1:
            gap = False
    return found


MORE_MAX = 2047  # of what a zb_range says follows its first


def pieces(first, last):
    return [(at, min(last - at, MORE_MAX)) for at in range(first, last + 1, MORE_MAX + 1)]


print(f"// Made by tools/make_widths.py from Unicode {unicodedata.unidata_version}; first of each range, and how many follow.")
for name, wanted in (("none", 0), ("wide", 2)):
    rows = [f"{{0x{first:X}, {more}}}," for whole in ranges(wanted) for first, more in pieces(*whole)]
    print(f"static const zb_range {name}[] = {{")
    line = "   "
    for row in rows:
        if len(line) + 1 + len(row) > 118:
            print(line)
            line = "   "
        line += " " + row
    print(line)
    print("};")
