// The listing: golden, and what becomes of names that are long or strange.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "test_program.h"

static const char golden[] =
    "program \"sample\"  profile original  hash 803fc0a2f426df9c\n"
    "stage 0 0 160 160\n"
    "mix groups 2\n"
    "\n"
    "channels\n"
    "  0  \"body.x\"         \"px\"       layer \"body\"     rest 0  add       limits -inf inf\n"
    "  1  \"body.y\"         \"px\"       layer \"body\"     rest 0  add       limits -inf inf\n"
    "  2  \"body.scaleX\"    \"factor\"   layer \"body\"     rest 1  multiply  limits -inf inf\n"
    "  3  \"body.scaleY\"    \"factor\"   layer \"body\"     rest 1  multiply  limits -inf inf\n"
    "  4  \"body.opacity\"   \"ratio\"    layer \"body\"     rest 1  multiply  limits 0 1\n"
    "  5  \"picture\"        \"picture\"  layer \"picture\"  rest 0  index     limits -inf inf\n"
    "  6  \"sway.rotation\"  \"deg\"      layer \"sway\"     rest 0  add       limits -inf inf\n"
    "\n"
    "targets\n"
    "  0  \"root\"  compose none  pivot 0 0\n"
    "  1  \"body\"  in \"root\"  compose trs2  pivot 80 144\n"
    "      x         \"body.x\"\n"
    "      y         \"body.y\"\n"
    "      rotation  \"sway.rotation\"\n"
    "      scale x   \"body.scaleX\"\n"
    "      scale y   \"body.scaleY\"\n"
    "      opacity   \"body.opacity\"\n"
    "\n"
    "sprites\n"
    "  0  \"sprite\"  on \"body\"  channel \"picture\"  cel \"idle\"  box 160 160  origin 80 144  layer -1  order 2\n"
    "\n"
    "cels\n"
    "  0  \"idle\"    image 0  size fit box  scale 1  anchor 0.5 0.96  region 0 0 0 0\n"
    "  1  \"wink \xE2\x98\x83\"  image 1  size pixels   scale 2  anchor 0.5 1     region 0 0 16 16"
    "  else \"idle\"\n"
    "\n"
    "images\n"
    "  0  \"idle.png\"  64x48\n"
    "  1  \"wink.png\"\n"
    "\n";

static const char golden_effects[] =
    "shapes\n"
    "  0  \"strip\"    rounded  aspect 1.9  corner 1.5\n"
    "  1  \"strip\"    rounded  aspect 1.9  corner 1.5\n"
    "  2  \"dot\"      ellipse  aspect 1    corner 0\n"
    "  3  \"rhombus\"  polygon  aspect 1.5  corner 0    corners 0.5 0 1 0.5 0.5 1 0 0.5\n"
    "\n"
    "effects\n"
    "  0  \"confetti\"  on \"body\"  at 80 80  motion path\n"
    "      particles 22, at most 24, alive 96\n"
    "      size 5 to 8  travel 46 to 92  spin 140 to 320  life 620 to 980 times 1 ms  fall 26\n"
    "      colours 1 0.5 0.25 1, 0 0 1 0.5\n"
    "      shapes \"strip\", \"strip\", \"dot\", \"rhombus\"  layer 0  order 3  whole sizes  keys in hundredths\n"
    "      ease 0.42 0 0.58 1\n"
    "      0    distance 0    fall 0  turn 0    opacity 1\n"
    "      0.7  distance 0.7  fall 0  turn 0.7  opacity 1\n"
    "      1    distance 1    fall 1  turn 1    opacity 0\n"
    "  1  \"drops\"  on \"body\"  at 80 80  motion path\n"
    "      particles 22, at most 24, alive 96\n"
    "      size 5 to 8  travel 46 to 92  spin 140 to 320  life 620 to 980 times 1 ms  fall 26\n"
    "      colours 1 0.5 0.25 1, 0 0 1 0.5\n"
    "      shapes \"dot\"  layer 0  order 3\n"
    "      0    distance 0    fall 0  turn 0    opacity 1\n"
    "      0.7  distance 0.7  fall 0  turn 0.7  opacity 1\n"
    "      1    distance 1    fall 1  turn 1    opacity 0\n"
    "  2  \"sparks\"  on \"body\"  motion integrated\n"
    "      particles  duration 1000 ms, looping  until it is left  at 1 2 0  scale 1 1 1\n"
    "      turn 1 0 0 0 1 0 0 0 1  pull 0 -9.81 0\n"
    "      layer 0  order 4  cel 0\n"
    "      particles at most 100, in the world  from a cone of radius 0.5, angle 25  facing view\n"
    "      burst at 0.25 s  particles 2 to 4  cycles 2  interval 0.5 s  probability 0.75\n"
    "      rate 0.5 to 1.5\n"
    "      rate by way 0.5 to 1.5\n"
    "      life 0.5 to 1.5\n"
    "      speed 0.5 to 1.5\n"
    "      size 0.5 to 1.5\n"
    "      gravity 2 times [0 0 1 1, 1 1 1 1] to [0 1 -1 -1, 1 0 -1 -1]\n"
    "      velocity x 2 times [0 0 1 1, 1 1 1 1] to [0 1 -1 -1, 1 0 -1 -1]\n"
    "      velocity y 0.5 to 1.5\n"
    "      spin 2 times [0 0 1 1, 1 1 1 1] to [0 1 -1 -1, 1 0 -1 -1]\n"
    "      size over life 2 times [0 0 1 1, 1 1 1 1] to [0 1 -1 -1, 1 0 -1 -1]\n"
    "      colour over life gradient [0 1 1 1 1, 1 1 1 1 0]\n"
    "      noise in 2 dimensions, octaves 2  frequency, gain, lacunarity 0.5 0.5 2\n"
    "      noise 0.5 to 1.5\n"
    "      sheet 4 by 2  cycles 3  from 0\n"
    "      sheet moves 2 times [0 0 1 1, 1 1 1 1] to [0 1 -1 -1, 1 0 -1 -1]\n"
    "  3  \"glow\"  on \"body\"  motion integrated\n"
    "      light  duration 500 ms  over after 500 ms  at 0 0 0  scale 1 1 1\n"
    "      turn 1 0 0 0 1 0 0 0 1  pull 0 0 0\n"
    "      layer 0  order 4  added  colour 1 0.5 0.25 1\n"
    "      radius 3  inner 1  intensity 0.5\n"
    "  4  \"trail\"  on \"body\"  motion integrated\n"
    "      trail  duration 500 ms  over after 500 ms  at 0 0 0  scale 1 1 1\n"
    "      turn 1 0 0 0 1 0 0 0 1  pull 0 0 0\n"
    "      layer 0  order 4  colour 1 0.5 0.25 1 to 0 0 1 0\n"
    "      width 0.5  points apart 0.02  each 250 ms\n"
    "  5  \"crack\"  on \"body\"  motion integrated\n"
    "      decal  duration 500 ms  over after 500 ms  at 0 0 0  scale 1 1 1\n"
    "      turn 1 0 0 0 1 0 0 0 1  pull 0 0 0\n"
    "      layer 0  order 4  cel 1  colour 1 0.5 0.25 1\n"
    "      units a pixel 0.03125\n"
    "      sheet 2 by 1  frame 1\n"
    "\n";

static const char golden_clips[] =
    "clip 0 \"demo:bounce\"  label \"a label.\"  kind \"kind\"\n"
    "  duration 260 ms (may be 60 to 2000 ms)  repeat once  complete 260 ms  times in fractions\n"
    "  layers \"body\"  reduced motion \"demo:bounce~still\"  segmented  never alternates\n"
    "  parameter  \"strength\"  default 1  limits 0 3\n"
    "  event  0.4  104 ms  show cel      \"wink \xE2\x98\x83\"\n"
    "  event  0.4  104 ms  show cel      as given\n"
    "  event  0.5  130 ms  start effect  \"confetti\"\n"
    "  event  1    260 ms  notify        \"landed\"    \"force\" = 2.5, \"ground\" = \"sand\"\n"
    "  curve \"body.x\"  explicit, per interval, f64, p = \"strength\"\n"
    "      0    0 + 0 p   ease 0.42 0 0.58 1\n"
    "      0.4  10 + 4 p  ease 0.34 1.56 0.64 1\n"
    "      1    0 + 0 p\n"
    "  curve \"body.scaleX\" \"body.scaleY\"  explicit, per interval, f64\n"
    "      0    1    1    ease 0.42 0 0.58 1\n"
    "      0.4  1.3  0.7  ease 0.34 1.56 0.64 1\n"
    "      1    1    1\n"
    "\n"
    "clip 1 \"demo:bounce~still\"  label \"a label.\"  kind \"kind\"\n"
    "  duration 120 ms (may be 60 to 2000 ms)  repeat hold  complete 120 ms  times in fractions\n"
    "  layers \"body\"\n"
    "  parameter  \"strength\"  default 1  limits 0 3\n"
    "  curve \"body.opacity\"  explicit, linear, f64\n"
    "      0  1\n"
    "\n"
    "clip 2 \"demo:blink\"  label \"a label.\"  kind \"kind\"\n"
    "  duration 100 ms (may be 60 to 2000 ms)  repeat random interval after 1500 to 4000.5 times 1 ms"
    "  complete 100 ms  times in fractions\n"
    "  layers \"picture\" \"sway\"  mix group 0\n"
    "  parameter  \"depth\"  default 0.5  limits 0 1\n"
    "  curve \"picture\"  explicit, hold, index\n"
    "      0     0 ms    \"idle\"\n"
    "      0.25  25 ms   \"wink \xE2\x98\x83\"\n"
    "      1     100 ms  \"idle\"\n"
    "  curve \"sway.rotation\"  explicit, linear, f64, p = \"depth\"\n"
    "      0     (0 + 0 p .. 0 + 0 p at 0)\n"
    "      0.25  (0 + 0 p .. 0 + -20 p at 0.75)\n"
    "      1     (0 + -20 p .. 0 + 0 p at 0)\n"
    "\n"
    "clip 3 \"demo:machine\"  label \"a label.\"  kind \"kind\"\n"
    "  duration 1500 ms (may be 60 to 2000 ms)  repeat alternate  complete 1500 ms  times in seconds\n"
    "  layers \"body\" \"picture\" \"sway\"\n"
    "  curve \"picture\"  step 41.666666 ms, hold, index\n"
    "      0  \"idle\"\n"
    "      1  \"wink \xE2\x98\x83\"\n"
    "      2  \"wink \xE2\x98\x83\"\n"
    "  curve \"sway.rotation\"  uniform loop, linear, f32 product, wraps\n"
    "      0  0\n"
    "      1  90\n"
    "      2  180\n"
    "      3  270\n"
    "  curve \"body.y\"  explicit, linear, f64, wraps, rounded\n"
    "      0.1   0.5\n"
    "      0.5   1.5\n"
    "      1.25  2.5\n"
    "\n"
    "clip 4 \"demo:ticker\"  label \"a label.\"  kind \"kind\"\n"
    "  duration 500 ms (may be 60 to 2000 ms)  repeat loop  complete 0 ms  times in fractions\n"
    "  layers none\n"
    "  event  0  0 ms  request state  \"tick\"\n"
    "\n"
    "first runs\n"
    "  \"demo:blink\"   cel \"idle\"\n"
    "  \"demo:ticker\"  cel none\n";

static const char golden_director[] =
    "\n"
    "machine 0 \"lamp\"\n"
    "  state \"dark\"  group \"\"  first\n"
    "\n"
    "machine 1 \"pet\"\n"
    "  state \"idle\"  group \"\"  cel \"idle\"  first\n"
    "    while  \"demo:blink\"  cel \"idle\"  mix group 1\n"
    "  state \"thinking\"  group \"active\"  activity \"thought\"  cel \"idle\"\n"
    "    enter  \"demo:bounce\"  cel \"wink \xE2\x98\x83\"  500 ms  p = 0.5\n"
    "    while  \"demo:bounce\"  cel none      random interval 10.5 20 ms\n"
    "  state \"working\"  group \"active\"  activity \"thought\"  cel \"wink \xE2\x98\x83\"\n"
    "    while  \"demo:bounce\"  cel none  random interval 10.5 20 ms\n"
    "  state \"done\"  group \"\"\n"
    "    enter  \"demo:bounce\"  cel \"wink \xE2\x98\x83\"  500 ms  p = 0.5\n"
    "\n"
    "director of slots\n"
    "  quiet 100 ms, at the latest 400 ms, swaps by play, keeps slot, click swaps, effects\n"
    "  swap   \"demo:bounce\"  cel \"wink \xE2\x98\x83\"  500 ms  p = 0.5\n"
    "  click  \"demo:bounce\"  cel none      random interval 10.5 20 ms\n"
    "  slot  \"idle\"      rank 0\n"
    "  slot  \"thinking\"  rank 1                      counts for 9000 ms\n"
    "  slot  \"working\"   rank 2                                          overtakes\n"
    "  slot  \"done\"      rank 3  ends after 1500 ms  counts for 0 ms\n"
    "  signal  \"tool\"  \"edit\"  \"working\"  \"coding\"\n"
    "  signal  \"tool\"  \"\"      \"working\"  \"\"\n"
    "  signal  \"over\"  \"\"      \"\"         \"\"\n";

static void a_very_long_name_is_cut_and_odd_bytes_are_escaped(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    char text[200];
    memset(text, 'n', sizeof text);
    memcpy(text, "a\"b\n\xFF", 5);
    zp_build_image(build, &(zp_image){.name = zp_build_name(build, (zo_text){text, sizeof text})});
    zp_program *program = zp_build_finish(build, NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zp_program_dump(program, &out);
    const char *listing = zb_buffer_text(&out);
    assert_non_null(strstr(listing, "\"a\\\"b\\n\xEF\xBF\xBDnnnn"));
    assert_non_null(strstr(listing, "nnn\"..."));
    assert_null(strstr(listing, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"));
    zp_program_free(program);
    zb_arena_close(&arena);
}

static void every_record_is_listed(void **state) {
    (void)state;
    zp_program *program = test_program();
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zp_program_dump(program, &out);
    zb_buffer expected = zb_buffer_open(&arena);
    zb_put(&expected, golden);
    zb_put(&expected, golden_effects);
    zb_put(&expected, golden_clips);
    zb_put(&expected, golden_director);
    assert_string_equal(zb_buffer_text(&out), zb_buffer_text(&expected));
    assert_null(strstr(zb_buffer_text(&out), " \n"));
    zb_arena_close(&arena);
    zp_program_free(program);
}

static const char golden_graph[] =
    "machine 0 \"lamp\"\n"
    "  state \"dark\"  group \"\"  first\n"
    "\n"
    "machine 1 \"walk\"\n"
    "  asked for: first hop and on, at once, else from the first state, else direct; dead ends stay; ends of steps count\n"
    "  state \"rest a\"  group \"rest\"\n"
    "    plays  \"rest\"    goes on\n"
    "    to     \"wave\"\n"
    "    to     \"rest b\"  3\n"
    "  state \"rest b\"  group \"rest\"  first\n"
    "    plays  \"rest\"    goes on, or again\n"
    "    to     \"rest b\"  0.8\n"
    "    to     \"rest a\"  0.2\n"
    "  state \"wave\"  group \"wave\"\n"
    "    plays  \"wave\"    restarts\n"
    "    to     \"rest a\"  1e+300\n";

static void a_machine_that_runs_is_listed(void **state) {
    (void)state;
    zp_program *program = test_graph_program();
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zp_program_dump(program, &out);
    const char *machines = strstr(zb_buffer_text(&out), "machine 0");
    assert_non_null(machines);
    assert_string_equal(machines, golden_graph);
    zb_arena_close(&arena);
    zp_program_free(program);
}

static const char golden_poses[] =
    "targets\n"
    "  0  \"lid\"  compose axis angle\n"
    "      offset x  0\n"
    "      offset y  0\n"
    "      offset z  0\n"
    "      axis x    1\n"
    "      axis y    0\n"
    "      axis z    0\n"
    "      angle     \"lid.angle\"\n"
    "      scale x   1\n"
    "      scale y   1\n"
    "      scale z   1\n"
    "      origin x  0.5\n"
    "      origin y  0.5\n"
    "      origin z  0.5\n"
    "  1  \"arm\"  in \"lid\"  compose trs3\n"
    "      x           0\n"
    "      y           0\n"
    "      z           1\n"
    "      rotation x  \"arm.x\"\n"
    "      rotation y  \"arm.y\"\n"
    "      rotation z  \"arm.z\"\n"
    "      rotation w  \"arm.w\"\n"
    "      scale x     1\n"
    "      scale y     1\n"
    "      scale z     1\n"
    "\n"
    "clip 0 \"swing\"  label \"\"  kind \"\"\n"
    "  duration 1000 ms (may be 0.000001 to 9000 ms)  repeat loop  complete 1000 ms  times in fractions, "
    "wrapped\n"
    "  layers \"joints\"\n"
    "  parameter  \"depth\"  default 1  limits 0 1\n"
    "  event  0.25  250 ms  notify         \"clank\"\n"
    "  event  0.75  750 ms  request state  \"shut\"\n"
    "  curve \"lid.angle\"  uniform loop, angle, f32 product\n"
    "      0  0\n"
    "      1  120\n"
    "      2  240\n"
    "\n"
    "clip 1 \"main\"  label \"\"  kind \"\"\n"
    "  duration 1000 ms (may be 0.000001 to 9000 ms)  repeat loop  complete 1000 ms  times in frames of 40 "
    "ms, open\n"
    "  layers \"joints\"\n"
    "  curve \"arm.x\" \"arm.y\" \"arm.z\" \"arm.w\"  explicit, per interval, f64\n"
    "      1   0  0  0  1  hold next\n"
    "      2   1  0  0  1  slerp\n"
    "      26  0  1  0  0\n"
    "\n"
    "controls\n"
    "  1 \"speed\"  0 + 1 x\n"
    "  2 \"len\"  2 + 0 x  needed\n"
    "\n"
    "expressions\n"
    "  0 \"by\"  f32  x, control 1, x, control 2, /\n"
    "  1  f64  x, expression 0, 0.5, +, 0.5, -, 0.5, *, 0.5, /, 0.5, min, 0.5, max, 0.5, round down, 0.5, "
    "round up, 0.5, rest up, 0.5, rest down, 0.5, 4, clamp, 0.5, modulo, 0.5, 4, repeat by count, 0.5, 4, "
    "bezier, fault: missing operand\n"
    "\n"
    "nodes\n"
    "  0  rest\n"
    "  1  clip \"swing\"\n"
    "  2  clip \"main\"\n"
    "  3  time of node 2 by expression 0\n"
    "  4  trigger of node 1 by expression 0, tells \"ding\"\n"
    "  5 \"up\"  trigger of node 3 by expression 1, asks for \"shut\"\n"
    "  6  fault: unresolved clip\n"
    "  7  product of node 5 and node 6\n"
    "  8  blend of node 4 and node 7 by expression 1\n"
    "\n"
    "machine 0 \"lamp\"\n"
    "  state \"dark\"  group \"\"  first\n"
    "\n"
    "machine 1 \"door\"\n"
    "  changes at once, times in f32\n"
    "  state \"shut\"  node 0\n"
    "    to \"open\" in 1500 ms\n"
    "  state \"open\"  node 8  first\n"
    "    to \"shut\"\n";

static void controls_expressions_and_nodes_are_listed(void **state) {
    (void)state;
    zp_program *program = test_poses_program();
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zp_program_dump(program, &out);
    const char *targets = strstr(zb_buffer_text(&out), "targets");
    assert_non_null(targets);
    assert_string_equal(targets, golden_poses);
    zb_arena_close(&arena);
    zp_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_very_long_name_is_cut_and_odd_bytes_are_escaped),
        cmocka_unit_test(every_record_is_listed),
        cmocka_unit_test(a_machine_that_runs_is_listed),
        cmocka_unit_test(controls_expressions_and_nodes_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
