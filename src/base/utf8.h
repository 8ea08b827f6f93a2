// UTF-8: decoding with validation, and the width of text on a terminal (East Asian wide, combining marks, emoji), for
// carets that line up.
#ifndef ZB_UTF8_H
#define ZB_UTF8_H

#include "base/base.h"

// Decodes one code point at text[*at] (at < size) and moves *at past it. Ill-formed: returns 0xFFFD, moves by one byte
// at least and sets *ok to false (NULL: not wanted). Overlong forms, surrogates and > U+10FFFF are ill-formed.
uint32_t zb_utf8_next(const char *text, size_t size, size_t *at, bool *ok);

// Byte offset of the first ill-formed sequence, or size. Fast on ASCII.
size_t zb_utf8_valid_prefix(const char *text, size_t size);

// Without the white space at both ends; what that is the caller says. Ill-formed bytes are U+FFFD.
zo_text zb_utf8_trim(zo_text text, bool (*is_white)(uint32_t code_point));
// White_Space of Unicode, and the four separators below U+0020.
bool zb_is_white(uint32_t code_point);

// The small letter of a capital of the alphabets in use (Latin, Greek, Cyrillic, Armenian, full width); else itself.
uint32_t zb_lower(uint32_t code_point);

uint32_t zb_utf8_count(const char *text, size_t size);  // code points; an ill-formed byte counts as one
uint32_t zb_utf16_count(const char *text, size_t size); // UTF-16 units

// Columns on a terminal: 0 for combining marks and zero-width signs, 2 for wide ones, else 1. Tabs and controls: 1.
uint32_t zb_code_point_width(uint32_t code_point);

#endif
