// How much of what tests do at random is to be done: all of it, or with ZO_TEST_SHARE=N one N-th. Under valgrind, which
// takes thirty times as long, a tenth of the rounds meets the same lines of code.
#ifndef ZB_TEST_SHARE_H
#define ZB_TEST_SHARE_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t test_share(uint64_t rounds) { // at least 1
    const char *text = getenv("ZO_TEST_SHARE");
    const uint64_t parts = text ? strtoull(text, NULL, 10) : 1;
    return parts > 1 ? rounds / parts + 1 : rounds;
}

#endif
