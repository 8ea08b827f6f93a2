#!/bin/sh
# tests/cli/readme.sh PROGRAM LIBRARY.a [UPDATE]: what README.md shows is true. Its broken file is checked and the output held
# against the one shown; its C program is compiled, linked and run. With a third argument the shown output is rewritten.
set -eu
program=$1
library=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

block() { # the fenced block behind a marker
    awk -v marker="<!-- $1" 'index($0, marker) { on = 1; next } on && /^```/ { if (inside) exit; inside = 1; next } on && inside' \
        "$root/README.md"
}
block broken >hop.json
block output >shown.txt
block program >play.c
status=0
"$program" check hop.json >real.txt || status=$?
[ "$status" = 1 ] || { echo "the broken file gives exit $status"; exit 1; }
if [ $# -gt 2 ]; then
    awk 'FNR == NR { real = real $0 "\n"; next } { if (skip && /^```/) skip = 0; if (!skip) print }
         /^<!-- output/ { found = 1 } found && /^```text/ { printf "%s", real; skip = 1; found = 0 }' real.txt "$root/README.md" >new.md
    cp new.md "$root/README.md"
    exit 0
fi
diff shown.txt real.txt || { echo "README.md shows another output than the program gives"; exit 1; }

cat >>play.c <<'C'

#include <string.h>
int main(void) {
    const char *text = "{\"version\":1,\"id\":\"user:hop\",\"name\":\"Hop\",\"kind\":\"interaction\",\"durationMs\":500,"
        "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"transition.y\",\"keyframes\":"
        "[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":-24},{\"at\":1,\"value\":0}]}]}";
    play(text, strlen(text));
    return 0;
}
C
${CC:-cc} -std=c17 -Wall -Wextra -Werror -I"$root/include" play.c "$library" -lm -o play
./play >played.txt
[ "$(wc -l <played.txt)" = 60 ] && grep -q '^-[0-9]' played.txt || { echo "the program of README.md does not play"; exit 1; }

# The program that plays anything, as it lies in examples/: a chest of one family and a pet of another, and neither is named
# in it.
block anything >anything.c
diff anything.c "$root/examples/play_anything.c" || { echo "README.md shows another examples/play_anything.c"; exit 1; }
if grep -qiE 'forge|petween|b3d|\.json' anything.c; then echo "examples/play_anything.c names a format"; exit 1; fi
${CC:-cc} -std=c17 -O1 -Wall -Wextra -Werror -I"$root/include" anything.c "$library" -lm -o anything
(cd "$root/examples/forge" && "$work/anything" afsm/chest.json models/chest.b3d) >chest.txt
(cd "$root/examples/petween/praxi" && "$work/anything" pet.json animations/*.json) >pet.txt
grep -q '^open: yes$' chest.txt && grep -q '^y = 0.000x + -0.259y + -0.966z + 0.500$' chest.txt || {
    echo "examples/play_anything.c does not open the chest"
    exit 1
}
grep -q '^thinking: yes$' pet.txt && grep -q 's sparkle$' pet.txt || { echo "examples/play_anything.c does not play the pet"; exit 1; }
for wrong in "" "$root/examples" "$work/nothing" "$root/README.md"; do
    if ./anything $wrong >/dev/null 2>wrong.txt; then echo "examples/play_anything.c plays '$wrong'"; exit 1; fi
    [ -s wrong.txt ] || { echo "examples/play_anything.c says nothing of '$wrong'"; exit 1; }
done
