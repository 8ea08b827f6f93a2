// A program that has something of everything, for the tests of this folder.
#ifndef ZP_TEST_PROGRAM_H
#define ZP_TEST_PROGRAM_H

#include "program/build.h"

// Feeds the builder; leaves finishing to the caller.
void test_program_feed(zp_build *build);
// Fed and finished with malloc. Free with zp_program_free.
zp_program *test_program(void);
// A machine that runs by itself: clips that loop and hold, states that share one, ways by weight and on request. Behind
// one that nothing drives.
zp_program *test_graph_program(void);
// Two meshes: one of two parts, moved by two bones, with a control; and a plain triangle.
zp_program *test_mesh_program(void);

// A machine that shows poses: controls, every operation and every kind of node, edges with and without a blend. Targets
// in space.
zp_program *test_poses_program(void);

#endif
