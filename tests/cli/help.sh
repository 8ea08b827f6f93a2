#!/bin/sh
# tests/cli/help.sh PROGRAM: what the program says of itself. Every option of every command, as `zoetrope help` lists them,
# stands in the manual page and in the completions for bash, zsh and fish; the manual page has no fault that a renderer
# warns of; the completions complete, in the shells that are here. And what is nearly right is met with what is right.
set -u
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
faults=0
count=0

fault() {
    printf 'FAULT: %s\n' "$*"
    faults=$((faults + 1))
}
here() { command -v "$1" >/dev/null 2>&1 || { printf 'not checked: %s is not here\n' "$1" && return 1; }; }

"$program" help --man >zoetrope.1 || fault 'no manual page'
for shell in bash zsh fish; do
    "$program" help --completions $shell >$shell.txt || fault "no completions for $shell"
    "$program" help "--completions=$shell" | cmp -s - $shell.txt || fault "two spellings differ: $shell"
done
"$program" help --completions tcsh >out 2>err && fault 'completions for tcsh'
grep -q 'bash, zsh or fish' err || fault 'which shells there are is not said'

# ------------------------------------------------------------------------------------------------ bash
# complete_bash WORD...: the candidates for the last word, one a line; words are given as bash takes them apart.
cat >complete.bash <<'EOF'
source ./bash.txt
COMP_WORDS=(zoetrope "$@")
COMP_CWORD=$#
_zoetrope
printf '%s\n' "${COMPREPLY[@]}"
EOF
completes() { # WANTED WORD...: WANTED is all the candidates, in order of the alphabet
    wanted=$1
    shift
    got=$(bash complete.bash "$@" 2>&1 | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')
    [ "$got" = "$wanted" ] || fault "bash: '$*' gives '$got', not '$wanted'"
}
mkdir folder && : >folder/one.json && : >bounce.json && : >bird.png
completes 'render' ren
completes '' renx
completes '--version' --v
completes 'gcc github human json sarif' check --output ''
completes 'gcc github' check --output g
completes 'gcc github' check --output = g
completes 'gcc github human json sarif' check --output =
completes 'human json' info --output ''
completes 'csv' sample x.json --output c
completes 'original' render x.json --profile o
completes '--scale --script --seed --set --sheet --show --size' render --s
completes 'bird.png' render -o bi
completes 'bird.png' render --picture idle = bi
completes 'bird.png' render --picture = idle = bi
completes '' render --fps ''
completes 'bounce.json' check bo
completes 'builtin:jelly builtin:jump' check builtin:j
completes 'jelly' check builtin : je
completes 'folder/one.json' check folder/
completes 'petween/at' explain petween/at
completes 'render' help ren
completes 'remove repair restore' library re
completes 'bird.png' library import bi
completes 'unpack' charpack u

# ------------------------------------------------------------------------------------------------ every option, everywhere
"$program" help >overview
commands=$(sed -n 's/^  \([a-z]*\)  *[[A-Z].*/\1/p' overview)
for command in $commands; do
    "$program" help "$command" >page || fault "no help for $command"
    awk 'length > 100 { print "more than 100 columns: " $0; bad = 1 } END { exit bad }' page || fault "help $command"
    awk -v name="$command" '/^\.SS/ { on = ($3 == name) } /^\.SH/ { on = ($2 == "COMMANDS") } on' zoetrope.1 >section
    awk -v name="$command" '$0 == "        " name ")" { on = 1 } on { print } /;;$/ { on = 0 }' zsh.txt >case
    bash complete.bash "$command" -- >candidates
    options=$(sed -n 's/^  .\{4\}--\([a-z0-9-]*\).*/\1/p' page)
    for option in $options; do
        count=$((count + 1))
        roff=$(printf '%s' "$option" | sed 's/-/\\\\-/g')
        grep -q -e "^\\(\\\\fB.*\\)\\{0,1\\}\\\\fB\\\\-\\\\-$roff\\\\fR" section || fault "manual: $command --$option"
        grep -qx -e "--$option" candidates || fault "bash: $command --$option"
        grep -q -e "['{,*]--$option[=['}]" case || fault "zsh: $command --$option"
        grep -q -e "_from $command' -l $option " fish.txt || fault "fish: $command --$option"
    done
    [ "$(wc -l <candidates)" = "$(printf '%s\n' $options | wc -l)" ] || fault "bash: other options for $command than the help"
    grep -q -e "__fish_use_subcommand' -a $command " fish.txt || fault "fish: $command"
    grep -q -e "^        '$command:" zsh.txt || fault "zsh: $command"
done
[ "$count" -gt 50 ] || fault "only $count options were seen"

# ------------------------------------------------------------------------------------------------ the other shells
if here fish; then
    fish_completes() { # WANTED TEXT
        got=$(HOME=$work fish -N -c "source fish.txt; complete -C '$2'" 2>&1 | cut -f 1 | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')
        [ "$got" = "$1" ] || fault "fish: '$2' gives '$got', not '$1'"
    }
    fish_completes 'render' 'zoetrope ren'
    fish_completes 'gcc github' 'zoetrope check --output g'
    fish_completes 'csv json' 'zoetrope sample --output '
    fish_completes '--scale --script --seed --set --sheet --show --size' 'zoetrope render --s'
    fish_completes 'petween/at' 'zoetrope explain petween/at'
    fish_completes 'history' 'zoetrope library his'
fi
if here zsh; then
    # A terminal of its own, in which a person would type; what completion adds is what comes back.
    cp zsh.txt _zoetrope
    cat >complete.zsh <<'EOF'
zmodload zsh/zpty
zpty shell "HOME=$PWD ZDOTDIR=$PWD zsh -f -i"
zpty -w shell 'PS1=; PS2=; unsetopt zle_bracketed_paste 2>/dev/null; stty -echo; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D'
zpty -w shell 'setopt no_list_beep no_auto_menu; LISTMAX=1000'
zpty -w shell 'show-buffer() { print -r -- "<<$BUFFER>>" >| result; zle kill-whole-line; }; zle -N show-buffer; bindkey "^X^X" show-buffer'
complete_text() {
    rm -f result
    zpty -w -n shell $'\C-u'"$1"$'\t\C-x\C-x'
    local n
    for n in {1..100}; do [[ -s result ]] && break; sleep 0.05; zpty -r -t shell junk 2>/dev/null; done
    [[ "$(<result)" == "<<$2>>" ]] || print -r -- "FAULT: zsh: '$1' becomes '$(<result)', not '<<$2>>'"
}
zpty -w shell 'print ready >| ready'
for n in {1..200}; do [[ -s ready ]] && break; sleep 0.05; zpty -r -t shell junk 2>/dev/null; done
complete_text 'zoetrope ren' 'zoetrope render '
complete_text 'zoetrope check --output hu' 'zoetrope check --output human '
complete_text 'zoetrope sample --output=c' 'zoetrope sample --output=csv '
complete_text 'zoetrope render --reduced' 'zoetrope render --reduced-motion '
complete_text 'zoetrope render --picture idle=bi' 'zoetrope render --picture idle=bird.png '
complete_text 'zoetrope explain petween/easin' 'zoetrope explain petween/easing '
complete_text 'zoetrope library hist' 'zoetrope library history '
zpty -d shell
EOF
    zsh -n zsh.txt || fault 'zsh: syntax'
    # Some containers have no pseudo-terminals; there the syntax and the options above are what can be held.
    if zsh -f -c 'zmodload zsh/zpty && zpty probe true' >/dev/null 2>&1; then
        zsh -f complete.zsh >said 2>&1
        if [ -s said ]; then
            cat said
            faults=$((faults + 1))
        fi
    else
        echo 'zsh: completing was not tried: there are no pseudo-terminals here'
    fi
fi
if here mandoc; then
    mandoc -Tlint -W warning zoetrope.1 || fault 'the manual page, says mandoc'
fi
if here groff; then
    groff -man -Tutf8 -ww zoetrope.1 2>err >rendered || fault 'groff'
    [ -s err ] && cat err && fault 'the manual page, says groff'
    for title in NAME SYNOPSIS DESCRIPTION COMMANDS 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
        grep -qx "\.SH $title" zoetrope.1 || fault "the manual page lacks $title"
    done
fi

# ------------------------------------------------------------------------------------------------ did you mean
slam=$root/examples/petween/slam-land.json
says() { # TEXT WORD...
    text=$1
    shift
    "$program" "$@" >out 2>err && fault "this should fail: $*"
    grep -qF -e "$text" err || { fault "'$*' does not say: $text" && cat err; }
}
says "did you mean 'render'?" rendr
says "did you mean 'render'?" help rendr
says "did you mean '--output'?" check --ouput json x.json
says "that is an option of sample, play, render" check --fps 3 x.json
says "did you mean '--size'?" render --sizes 3
says "did you mean 'human'?" check --output humann x.json
says "did you mean 'petween'?" check --format petwen "$slam"
says "did you mean 'petween/at'?" explain petween/att
says "did you mean 'user:slam-land'?" sample "$slam" --clip slam-land
says "did you mean 'strength'?" sample "$slam" --set strenth=2
says "did you mean 'success'?" render "$slam" -o x.webp --show sucess
says "did you mean 'idle'?" render "$slam" -o x.webp --picture Idel=x.png
"$program" check --qqqqqqqq x.json >out 2>err
grep -q 'did you mean' err && fault 'nothing is near --qqqqqqqq'

[ $faults = 0 ] && printf 'all as it should be, %d options\n' $count
[ $faults = 0 ]
