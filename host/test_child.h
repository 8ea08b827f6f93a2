// The end of a process that a test has forked: another program takes its place, so that what watches over memory has
// nothing to say of what it leaves behind.
#ifndef HOST_TEST_CHILD_H
#define HOST_TEST_CHILD_H

#include <stdio.h>
#include <unistd.h>

static inline void test_end_child(int code) {
    char text[16];
    snprintf(text, sizeof text, "%d", code);
    execl("/bin/sh", "sh", "-c", "exit \"$0\"", text, (char *)NULL);
    _exit(127);
}

#endif
