#!/bin/sh
# tests/cli/docs.sh PROGRAM: every command line that README.md, docs/ and `zoetrope help` show does what it says, as they
# stand, one after another, in a folder that holds the files they speak of. Prints each that does not; exit 1 if there was
# any. What a terminal or another program is needed for is only held to be understood.
set -u
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin home animations frames out
ln -s "$program" bin/zoetrope
cp -r "$root/examples" .
chmod -R u+w examples
cp -r examples/petween/praxi praxi
cp praxi/film.json film.json
cp examples/petween/pet/idle.png cat.png
cp examples/petween/pet/success.png cat-happy.png
cp examples/petween/slam-land.json examples/petween/peekaboo.json animations
for name in slam-land bounce wave; do cp examples/petween/slam-land.json $name.json; done
sed 's/"user:slam-land"/"user:wave"/; s/"user:peekaboo"/"user:hop"/' examples/petween/praxi-pack.json >pack.json
cp pack.json lantern.json
echo 0123456789abcdef-for-tests >token.txt
cp "$root/tests/vectors/forge/b3d/static_quad.b3d" chest.b3d
cat >frog.json <<'J'
{"parameters": {}, "clips": {"sit": ["apply", "pond:frog@hop", 0]}, "states": ["sit"], "transitions": {},
 "start_state": "sit"}
J
mkdir rigs
cp -r examples/enemy slime
cp slime/hop.json .
cp slime/sprites.json slime/sprites.png rigs
cp slime/rig.json rigs/slime.json
cp -r slime/fx art
block() { awk -v n="$1" '/^```json$/ { inside = ++count == n; next } /^```$/ { inside = 0 } inside' "$root/docs/character-packs.md"; }
mkdir -p fox-source/idle fox-source/wave fox-source/blink
block 1 >fox-source/pack.json
block 2 >fox-script.json
cp examples/petween/pet/idle.png fox-source/idle/1.png
cp examples/petween/pet/waiting.png fox-source/idle/2.png
cp examples/petween/pet/success.png fox-source/wave/1.png
cp examples/petween/pet/thinking.png fox-source/blink/shut.png
HOME=$work/home
PATH=$work/bin:$PATH
export HOME PATH
unset XDG_DATA_HOME
faults=0
count=0

# The lines of fenced blocks of shell that call the program, and the examples of `help`, without what explains them.
shown() {
    for file in "$root/README.md" "$root"/docs/*.md; do
        awk '/^```/ { inside = /^```sh$/ && !inside; next } inside && /(^|[|] )zoetrope /' "$file"
    done | sed 's/  *# .*//'
    for command in $(zoetrope help | awk '/^  [a-z]+ / && $1 != "zoetrope" { print $1 }'); do
        zoetrope help "$command" | sed -n '/^Examples:/,/^$/p' | sed -n 's/^  //p'
    done | sed "s/    *[^ ].*//" # words two blanks behind the last one explain
}

shown | awk '!seen[$0]++' >lines
while read -r line; do
    case $line in '' | Examples:) continue ;; esac
    count=$((count + 1))
    want=0
    case $line in
    *'zoetrope play '*) want=2 ;; # there is no terminal
    *'zoetrope serve '*) # until it is told to end; its usual port may be another's here
        case $line in *--port*) ;; *) line="$line --port 0" ;; esac
        line="timeout --foreground --preserve-status -s TERM 2 $line" # one signal: a second one would end it at once
        ;;
    *'man -l'* | 'source '*) line=$(printf '%s\n' "$line" | sed 's/ *| man.*//; s/^source <(\(.*\))$/\1/') ;;
    esac
    bash -c "$line" >stdout 2>stderr </dev/null
    got=$?
    [ $got = $want ] || {
        printf 'exit %s: %s\n' $got "$line"
        sed 's/^/    /' stderr | head -5
        faults=$((faults + 1))
    }
    [ $want = 0 ] || grep -q 'terminal' stderr || {
        printf 'not only a terminal is missing: %s\n' "$line"
        sed 's/^/    /' stderr | head -5
        faults=$((faults + 1))
    }
done <lines
[ $count -gt 50 ] || { echo "only $count command lines were found"; faults=$((faults + 1)); }
printf '%d command lines, %d faults\n' $count $faults
[ $faults = 0 ]
