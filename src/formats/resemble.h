// Whether a text that cannot be read as JSON was meant to be of a format, told by the names in it. Called by formats.c
// for files that nobody has named. Knows tables of fields, no format.
#ifndef ZF_RESEMBLE_H
#define ZF_RESEMBLE_H

#include "formats/fields.h"

// Whether what stands at the text's beginning, up to some dozens of members and a quarter of a mebibyte, is mostly what
// the table says an object of the format holds. A text of fewer than three members says too little, unless one of them
// names the format.
bool zf_resembles(zo_text text, const zf_object *object);

#endif
