#!/bin/sh
# Shows that each check of tools/ can fail: makes a small tree that it accepts, then breaks one rule at a time and wants
# to be told so, by file and line where there is one.
set -u
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
count=0

fresh() { # the tree that all checks accept
    rm -rf tree
    mkdir -p tree/include/zoetrope tree/src/base tree/src/program tree/src/formats tree/src/draw tree/src/image tree/cli
    printf '%s\n' '#ifndef A' '#define A' '#ifdef __cplusplus' 'extern "C" {' '#endif' \
        '#define ZO_API __attribute__((visibility("default")))' 'ZO_API int zo_add(int a,' '    int b);' \
        '#ifdef __cplusplus' '}' '#endif' '#endif' >tree/include/zoetrope/base.h
    printf '%s\n' '#include <string.h>' '#include <zoetrope/base.h>' 'int zb_one(void);' >tree/src/base/base.h
    printf '%s\n' '#include "base/base.h"' '// A printf("x") in a comment; free(it).' \
        'int zo_add(int a, int b) {' '    return a + b;' '}' >tree/src/base/add.c
    printf '%s\n' '#include <stdio.h>' '#include "formats/reader.h"' 'int main(void) { puts("petween"); }' \
        >tree/src/base/add_test.c
    printf '%s\n' '#include "base.h"' >tree/src/base/arena.c
    printf '%s\n' '#include "base/base.h"' '// Rounded twice. Source: Forge 1.12.' 'int zp_f(void) {' '    return 1;' '}' \
        '// Source: petween.' 'int zp_g(void) {' '    return 1;' '}' >tree/src/program/program.c
    printf '%s\n' '#include "program/program.h"' 'const char *petween;' >tree/src/formats/reader.c
    printf '%s\n' '#include "image/image.h"' >tree/src/draw/draw.c
    printf '%s\n' 'int x;' >tree/src/image/image.h
    printf '%s\n' '#include <stdio.h>' '#include <zoetrope/base.h>' '#include "cli.h"' 'int main(void) { puts(""); }' >tree/cli/main.c
    printf '%s\n' 'int y;' >tree/cli/cli.h
    printf '%s\n' '- `include/zoetrope/base.h` what all others need' '- `src/base/{base.h,add.c,add_test.c,arena.c}` adds numbers' \
        '| `src/program/program.c` | the program is laid out here |' '* `src/formats/reader.c` reads every format' \
        '- `src/draw/draw.c`, which draws with `src/image`' '- `src/image/image.h` pixels, nothing more' \
        '- `cli/{main.c,cli.h}` the command line' >tree/ARCHITECTURE.md
}

accepts() { # check argument...
    count=$((count + 1))
    if ! says=$("$tools/$@" 2>&1); then
        printf '%s refuses a tree that is in order:\n%s\n' "$1" "$says"
        bad=1
    fi
}
refuses() { # expected-text check argument...
    count=$((count + 1))
    expected=$1
    shift
    if says=$("$tools/$@" 2>&1); then
        printf '%s accepts: %s\n' "$1" "$expected"
        bad=1
    elif ! printf '%s\n' "$says" | grep -qF -e "$expected"; then
        printf '%s should say: %s\nbut says:\n%s\n' "$1" "$expected" "$says"
        bad=1
    fi
    fresh
}
append() { printf '%s\n' "$2" >>"tree/$1"; }

fresh
accepts check_layers tree
append src/base/add.c '#include "program/program.h"'
refuses 'src/base/add.c:6: includes program/program.h: base does not stand on program' check_layers tree
append src/program/program.c '  #  include "formats/reader.h"'
refuses 'program does not stand on formats' check_layers tree
append src/draw/draw.c '#include "image/ktx2.h"'
refuses 'draw does not stand on image' check_layers tree
append src/base/add.c '#include "../program/program.h"'
refuses 'names a folder by the way up' check_layers tree
append src/base/add.c '#include "program.h"'
refuses 'is not in this folder' check_layers tree
append src/base/add.c '#include <zoetrope/none.h>'
refuses 'no such public header' check_layers tree
append src/base/testing.h '#include "formats/reader.h"'
accepts check_layers tree
append src/base/add.c '#include "testing.h"'
refuses 'src/base/add.c:6: includes testing.h: is for tests' check_layers tree
append include/zoetrope/base.h '#include "base/base.h"'
refuses 'include/zoetrope/base.h:13: includes base/base.h: only public headers' check_layers tree
append cli/main.c '#include "base/base.h"'
refuses 'cli/main.c:5: includes base/base.h: only public headers' check_layers tree
mkdir tree/src/misc && append src/misc/a.c ''
refuses 'src/misc: a folder that is no layer' check_layers tree
rm -rf tree/*
refuses 'nothing to check' check_layers tree

accepts check_names tree
append src/program/program.c 'int petween_mode;'
refuses 'src/program/program.c:10: names a format: petween' check_names tree
append src/program/program.c '// as Minecraft has it'
refuses 'names a format: Minecraft' check_names tree
append src/program/program.c 'const char *name = "Source: enemy";'
refuses 'names a format: enemy' check_names tree
append src/draw/draw.c '// Source: Forge, one.
// Source: Forge, two.'
refuses 'src/draw/draw.c:3: a second Source: line' check_names tree
append src/draw/charpack.c ''
refuses 'named after a format' check_names tree
for line in '#include <stdio.h>' '# include <assert.h>' '#include <errno.h>' '#include <locale.h>'; do
    append src/base/add.c "$line"
    refuses 'src/base/add.c:6: not in the library: #' check_names tree
done
for call in 'printf(' 'snprintf (' 'malloc(' 'free(' 'sin(' 'powf(' 'abort(' 'rand(' 'qsort(' 'getenv(' 'strtod('; do
    append src/formats/reader.c "int f(void) { $call x); }"
    refuses "src/formats/reader.c:3: not in the library: $call" check_names tree
done
append src/base/arena.c 'void f(void) { free(malloc(1)); }'
accepts check_names tree
append src/base/arena.c 'void g(void) { realloc(0, 1); }'
refuses 'src/base/arena.c:3: not in the library: realloc(' check_names tree
append src/base/test_add.h '#include <stdio.h>'
append src/base/add.c 'void f(zo_allocator *a) { a->free(a->context, 0, 0); zb_free(a); }'
accepts check_names tree
fresh

accepts check_architecture tree
append src/base/new.c ''
refuses 'has no line for src/base/new.c' check_architecture tree
append cli/new.c ''
refuses 'has no line for cli/new.c' check_architecture tree
mkdir -p tree/tests/golden && append tests/golden/golden.c ''
refuses 'has no line for tests/golden/golden.c' check_architecture tree
rm tree/src/draw/draw.c
refuses 'ARCHITECTURE.md:5: there is no src/draw/draw.c' check_architecture tree
append ARCHITECTURE.md 'See `tools/nothing`.'
refuses 'ARCHITECTURE.md:8: there is no tools/nothing' check_architecture tree
append ARCHITECTURE.md '- `cli/cli.h` has a second line here'
refuses 'ARCHITECTURE.md:8: cli/cli.h has a line already (7)' check_architecture tree
append cli/new.c '' && append ARCHITECTURE.md '- `cli/new.c`'
refuses 'does not say what cli/new.c is for' check_architecture tree
rm tree/ARCHITECTURE.md
refuses 'ARCHITECTURE.md is missing' check_architecture tree

accepts check_width tree
line=$(printf '// %0117d' 0)
append src/base/add.c "$line" && append src/base/add_test.c "$line wider" && append cli/cli.h '// ü'"${line#// 0}"
accepts check_width tree
append src/base/add.c "$line."
refuses 'src/base/add.c:7: 121 columns wide' check_width tree
append include/zoetrope/base.h "$line."
refuses 'include/zoetrope/base.h:13: 121 columns wide' check_width tree
append cli/main_test.c "$line."
refuses 'cli/main_test.c:1: 121 columns wide' check_width tree
refuses 'nothing to check' check_width tree/none

accepts check_headers tree/include
append include/zoetrope/loose.h 'zo_text *x;'
refuses 'zoetrope/loose.h: gcc c11' check_headers tree/include
append include/zoetrope/class.h 'extern int class;'
refuses 'zoetrope/class.h: clang++-14 c++17' check_headers tree/include
append include/zoetrope/twice.h 'struct zo_twice { int a; };'
refuses "redefinition of 'zo_twice'" check_headers tree/include

# Libraries: each from one line of C, named as the real ones are.
library() { # name code [link options...]
    name=$1
    code=$2
    shift 2
    mkdir -p tree/lib
    printf '%s\n' "$code" | gcc -x c -O1 -shared -fPIC -o "tree/lib/lib$name.so" "-Wl,-soname,lib$name.so.0" - "$@"
}
both() {
    library zoetrope "$@"
    library zoetrope_runtime "$@"
}
add='int zo_add(int a, int b) { return a + b; }'
exports="check_exports tree tree/include/zoetrope"
both "$add" && accepts $exports
both "$add int zb_one(void) { return 1; }"
refuses 'exports zb_one, which no public header declares' $exports
both "$add int zo_more(void) { return 1; }"
refuses 'exports zo_more, which no public header declares' $exports
library zoetrope_runtime "$add" && library zoetrope 'int x;'
refuses 'zo_add is declared and not there' $exports
library zoetrope "$add" && library zoetrope_runtime 'int zj_parse(void); int zo_add(int a, int b) { return a + b + zj_parse(); }'
refuses 'libzoetrope_runtime.so: does not define zj_parse' $exports
both "$add" -Wl,--no-as-needed -lz
refuses 'needs libz.so.1' $exports
both "$add" -Wl,-soname,libother.so
refuses 'its SONAME is not libzoetrope.so.0' $exports
limit=$(sed -n 's/^limit=//p' "$tools/check_exports")
runtime_limit=$(sed -n "s/^runtime_limit=//p" "$tools/check_exports")
big="static const char big[$limit] = {1}; const char *volatile zo_keep __attribute__((visibility(\"hidden\"))) = big;"
both "$add $big"
refuses "libzoetrope.so: larger than $limit bytes" $exports
both "$add $big"
refuses "libzoetrope_runtime.so: larger than $runtime_limit bytes" $exports
both "$add" && rm tree/lib/libzoetrope_runtime.so
refuses 'libzoetrope_runtime.so: not built' $exports

# Programs: what valgrind must see, and an answer that depends on the optimiser.
unit() {
    mkdir -p tree/unit
    printf '#include <stdlib.h>\nint main(int c, char **v) { (void)v; %s return 0; }\n' "$1" |
        gcc -x c -O0 -g -o tree/unit/a_test -
}
unit 'free(malloc(1));' && accepts check_memory tree
unit 'int *x = malloc(4); if (x[0] == c) { c = 2; } free(x);'
refuses 'depends on uninitialised value' check_memory tree
unit 'char *x = malloc(4); x[0] = (char)c; x = NULL; (void)x;'
refuses 'definitely lost' check_memory tree
unit 'return c;'
refuses 'a test failed under it' check_memory tree
refuses 'no unit tests' check_memory tree/src

golden() {
    mkdir -p tree/tests/golden
    printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(golden C)' \
        'set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)' 'add_executable(zoetrope-golden golden.c)' \
        >tree/CMakeLists.txt
    printf '#include <stdio.h>\nint main(void) { %s return 0; }\n' "$1" >tree/golden.c
    echo 1 >tree/tests/golden/expected.txt
}
golden 'puts("1");' && accepts check_bits tree/bits tree
golden '
#ifdef __OPTIMIZE__
puts("2");
#else
puts("1");
#endif
'
refuses 'gcc-O3.txt' check_bits tree/bits tree
golden '
#ifdef __clang__
puts("2");
#else
puts("1");
#endif
'
refuses 'clang-14-O0.txt' check_bits tree/bits tree
golden '' && : >tree/tests/golden/expected.txt
refuses 'gcc-O0.txt: empty' check_bits tree/bits tree

printf '%d cases\n' $count
exit $bad
