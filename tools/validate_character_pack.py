#!/usr/bin/env python3
"""validate_character_pack.py PACKDIR: `zoetrope check --contract amadeus PACKDIR`, for scripts that call it by this name.

The program is the one that ZOETROPE names, else the newest of this checkout's build folders, else that of PATH.
"""
import glob
import os
import shutil
import subprocess
import sys

if len(sys.argv) != 2:
    sys.stderr.write("usage: validate_character_pack.py PACKDIR\n")
    sys.exit(2)
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
built = glob.glob(os.path.join(glob.escape(root), "build/*/bin/zoetrope"))
program = os.environ.get("ZOETROPE") or max(built, key=os.path.getmtime, default=None) or shutil.which("zoetrope")
if program is None:
    sys.stderr.write("zoetrope is not there: build it, or set ZOETROPE to where it is\n")
    sys.exit(3)
sys.exit(subprocess.call([program, "check", "--contract", "amadeus", "--", sys.argv[1]]))
