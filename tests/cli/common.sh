# What the tests of the command line share: sourced by them, with the program as the first argument. They run in a folder
# of their own, which is gone afterwards. `out` and `err` are what the last command has printed.
program=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
touch out err
faults=0
always= # the words that `expect` puts in front of the arguments

fault() {
    printf 'FAULT: %s\n' "$*"
    cut -c 1-300 out | sed 's/^/    out: /' | head -20
    cut -c 1-300 err | sed 's/^/    err: /' | head -20
    faults=$((faults + 1))
}
expect() { # CODE ARGUMENT...
    code=$1
    shift
    "$program" $always "$@" >out 2>err
    got=$?
    [ "$got" = "$code" ] || fault "exit $got, not $code: zoetrope $always${always:+ }$*"
}
fails() { # CODE ARGUMENT...; nothing is left of it
    before=$(ls -A)
    expect "$@"
    [ "$before" = "$(ls -A)" ] || fault "zoetrope $* leaves something: $(ls -A | tr '\n' ' ')"
}
out_has() { grep -qF -e "$1" out || fault "the output lacks: $1"; }
out_lacks() { ! grep -qF -e "$1" out || fault "the output has: $1"; }
err_has() { grep -qF -e "$1" err || fault "the messages lack: $1"; }
same() { cmp -s "$1" "$2" || fault "'$1' is not '$2'"; }
finish() { # the last word
    [ "$faults" = 0 ] || { printf '%d faults\n' "$faults"; exit 1; }
    echo 'all as it should be'
}
