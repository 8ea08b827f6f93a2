// White space of a text laid out anew, in one way, so that the same content gives the same bytes. Called by whatever
// writes documents; what stands between the white space stays as it is, spelling of figures included.
#ifndef ZJ_LAYOUT_H
#define ZJ_LAYOUT_H

#include "base/arena.h"

// Of a valid text of at most 2^31 bytes: two spaces a level, what fits on a line on one, a line end behind it. In the
// arena, not ended by a zero byte; laid out again it is the same.
zo_text zj_laid_out(zb_arena *kept, zo_text json);

#endif
