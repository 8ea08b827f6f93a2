// Numbers and their decimal texts, without locale and without stdio. Both ways correctly rounded (nearest, ties to
// even): the same answer as strtod and as the shortest form of ECMAScript, on every machine.
#ifndef ZB_NUMBER_H
#define ZB_NUMBER_H

#include "base/base.h"

// A JSON number (RFC 8259 grammar, already scanned: the whole text must be one). Out of range gives infinity with its
// sign, too small gives zero with its sign. The text may be of any length; time is linear in it.
double zb_number_parse(const char *text, size_t size);

// The last step of reading a decimal: digits * 10^exponent, where `digits` holds the first 19 significant digits and
// `more` says that further ones were cut off (then the text decides). For scanners that collect digits as they go.
double zb_number_make(uint64_t digits, int64_t exponent, bool negative, bool more, const char *text, size_t size);

enum { ZB_NUMBER_TEXT_MAX = 32 }; // bytes that zb_number_text writes at most

// The shortest decimal text that reads back to the same double, as ECMAScript's Number::toString lays it out (1e+21 and
// up, below 1e-6 with exponent), but "-0" keeps its sign. Infinity and NaN: "inf", "-inf", "nan". Returns the length;
// no zero byte.
size_t zb_number_text(double value, char text[ZB_NUMBER_TEXT_MAX]);

// Fixed point with `decimals` (0..17) digits after the point, correctly rounded half to even on the exact value; any
// double below 1e21 in size. Returns the length; `text` needs 48 bytes.
size_t zb_number_fixed(double value, uint32_t decimals, char text[48]);

size_t zb_int_text(int64_t value, char text[ZB_NUMBER_TEXT_MAX]);

#endif
