#!/usr/bin/env python3
"""Writes leap.wav, land.wav, swing.wav and hit.wav beside this file: 8 bits, mono, 16 kHz, a third of a second at most.

Only Python's own library is used; the noise is a fixed sequence, so the files come out the same every time.
"""

import math
import pathlib
import wave

RATE = 16000


def noise():
    state = 12345
    while True:
        state = (1103515245 * state + 12345) % 2**31
        yield state / 2**30 - 1


def tone(seconds, pitch, loud, hiss=0.0, soft=0.2):
    """pitch (hertz) and loud (0..1) are functions of 0..1; hiss mixes in noise, low-passed by soft."""
    out, phase, low, rough = [], 0.0, 0.0, noise()
    count = int(seconds * RATE)
    for n in range(count):
        t = n / count
        phase += pitch(t) / RATE
        low += soft * (next(rough) - low)
        value = (1 - hiss) * math.sin(2 * math.pi * phase) + hiss * 2.2 * low
        out.append(max(-1.0, min(1.0, value * loud(t) * min(1, n / 40) * min(1, (count - n) / 200))))
    return out


def write(name, samples):
    with wave.open(str(pathlib.Path(__file__).resolve().parent / name), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(RATE)
        file.writeframes(bytes(round(128 + 120 * s) for s in samples))


write("leap.wav", tone(0.22, lambda t: 150 + 420 * t * t, lambda t: 0.8 * (1 - t) ** 0.7, 0.08))
write("land.wav", tone(0.26, lambda t: 190 * (1 - t) ** 1.6 + 48, lambda t: (1 - t) ** 1.4, 0.35, 0.25))
write("swing.wav", tone(0.2, lambda t: 90, lambda t: math.sin(math.pi * t) ** 2, 0.95, 0.12 ))
write("hit.wav", tone(0.32, lambda t: 320 * math.exp(-7 * t) + 55, lambda t: (1 - t) ** 2, 0.45, 0.6))
