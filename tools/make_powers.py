#!/usr/bin/env python3
"""Writes src/base/number_table.inc: the powers of ten that reading and writing decimals need, as 128-bit fractions.

Row q - POWER_MIN holds {high, low} of 5^q scaled by a power of two to 2^127 <= value < 2^128. Exact for 0 <= q <= 55;
rounded down beyond, and below -27, where the error is known to be harmless; rounded up for -27 <= q < 0, so that a
decimal that lies half way between two doubles is seen to. Run: tools/make_powers.py > src/base/number_table.inc
"""
POWER_MIN, POWER_MAX = -342, 324


def scaled(power):
    if power >= 0:
        value = 5**power
        shift = value.bit_length() - 128
        return value >> shift if shift > 0 else value << -shift
    divisor = 5**-power
    value = (1 << (divisor.bit_length() + 127)) // divisor
    return value + 1 if power >= -27 else value


print("// Made by tools/make_powers.py.")
print(f"enum {{ POWER_MIN = {POWER_MIN}, POWER_MAX = {POWER_MAX} }};")
print("static const zb_wide powers[POWER_MAX - POWER_MIN + 1] = {")
for power in range(POWER_MIN, POWER_MAX + 1):
    value = scaled(power)
    assert value.bit_length() == 128
    print(f"    {{0x{value >> 64:016X}, 0x{value & (1 << 64) - 1:016X}}}, // {power}")
print("};")
