#!/bin/sh
# Installs a build into a folder and uses it in the three ways a project may: find_package, pkg-config (shared and
# static), add_subdirectory; each compiles a text, stores the program and plays it with the play-only library.
# Usage: tests/install/run.sh BUILD_DIR WORK_DIR
set -eu
build=$1
work=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
here=$source/tests/install

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
log=$work/log

quiet() {
    if ! "$@" >"$log" 2>&1; then
        printf 'failed: %s\n' "$*"
        cat "$log"
        exit 1
    fi
}
# Both programs must print the version and the height half way up the hop.
expect() { # sample-program play-program
    for answer in "$("$1" "$work/hop.zo")" "$("$2" "$work/hop.zo")"; do
        if [ "$answer" != "0.1.0 -12" ]; then
            printf '%s, %s: said "%s", not "0.1.0 -12"\n' "$1" "$2" "$answer"
            exit 1
        fi
    done
    rm "$work/hop.zo"
    printf 'fine: %s\n' "${1#"$work"/}"
}

quiet cmake --install "$build" --prefix "$work/first"
# A moved tree must work as well: nothing in it may remember where it was first put.
mv "$work/first" "$work/prefix"
if grep -rlF "$work/first" "$work/prefix"; then
    echo "the files above name the folder that they were installed in"
    exit 1
fi

quiet cmake -S "$here/find_package" -B "$work/find_package" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix"
quiet cmake --build "$work/find_package"
expect "$work/find_package/sample" "$work/find_package/play"
expect "$work/find_package/sample_static" "$work/find_package/play_static"

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name zoetrope.pc)")
export PKG_CONFIG_PATH
library=$(dirname "$PKG_CONFIG_PATH")
mkdir "$work/pkg-config"
quiet cc -Wall -Wextra -Werror "$here/sample.c" -o "$work/pkg-config/sample" \
    $(pkg-config --cflags --libs zoetrope) -Wl,-rpath,"$library"
quiet cc -Wall -Wextra -Werror "$here/play.c" -o "$work/pkg-config/play" \
    $(pkg-config --cflags --libs zoetrope-runtime) -Wl,-rpath,"$library"
expect "$work/pkg-config/sample" "$work/pkg-config/play"
quiet cc "$here/sample.c" -o "$work/pkg-config/sample_static" -static $(pkg-config --cflags --static --libs zoetrope)
quiet cc "$here/play.c" -o "$work/pkg-config/play_static" -static $(pkg-config --cflags --static --libs zoetrope-runtime)
expect "$work/pkg-config/sample_static" "$work/pkg-config/play_static"

quiet cmake -S "$here/add_subdirectory" -B "$work/add_subdirectory" -G Ninja -DZOETROPE_SOURCE="$source"
quiet cmake --build "$work/add_subdirectory"
expect "$work/add_subdirectory/sample" "$work/add_subdirectory/play"
expect "$work/add_subdirectory/sample_static" "$work/add_subdirectory/play_static"
if [ -e "$work/add_subdirectory/zoetrope/bin" ]; then
    echo "add_subdirectory built more than the libraries"
    exit 1
fi

# The play-only library alone, from a build without json and formats.
quiet cmake -S "$source" -B "$work/runtime" -G Ninja -DZO_RUNTIME_ONLY=ON -DZO_BUILD_CLI=OFF \
    -DCMAKE_INSTALL_PREFIX="$work/alone"
quiet cmake --build "$work/runtime" --target install
PKG_CONFIG_PATH=$(dirname "$(find "$work/alone" -name zoetrope-runtime.pc)")
quiet cc "$here/play.c" -o "$work/runtime/play" $(pkg-config --cflags --libs zoetrope-runtime) \
    -Wl,-rpath,"$(dirname "$PKG_CONFIG_PATH")"
expect "$work/pkg-config/sample" "$work/runtime/play"
