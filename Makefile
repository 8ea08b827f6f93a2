# The short way in; CMakeLists.txt and CMakePresets.json are the build itself.
#
#   make           the program: build/release/bin/zoetrope
#   make demo      installs what is missing, builds, and renders the examples into build/demo
#   make test      installs what is missing, then builds and runs every test; ends with "N passed, M failed"
#   make web       installs what is missing, and builds the npm package: studio/packages/zoetrope/dist, which the pages of
#                  examples/web need
#   make hammer    kills the host at 200 points, and lets 64 clients change one library for a minute under sanitizers
#   make fuzz      lets each fuzzer run for SECONDS (default 60); what it finds is kept in build/fuzz/crashes
#   make bench     measures and compares
#   make vectors   holds the readers and the player against the cases in DIR (default tests/vectors), and our own
#   make install   PREFIX=/usr/local DESTDIR=

PREFIX ?= /usr/local
DIR ?= tests/vectors
SECONDS ?= 60
RELEASE = build/release

.PHONY: all demo web test hammer fuzz bench vectors install clean

all:
	cmake --preset release >/dev/null
	cmake --build --preset release

demo:
	tools/setup demo
	$(MAKE) all
	tools/demo

web:
	tools/setup web
	cmake --preset wasm >/dev/null
	cmake --build --preset wasm --target zoetrope-wasm
	node studio/packages/zoetrope/build.js

test:
	tools/setup test
	tools/test

hammer:
	tools/setup test
	cmake --preset dev -DZO_BUILD_TESTS=ON >/dev/null
	cmake --build --preset dev --target zoetrope-cli --target host_writer
	cmake --preset dev -B build/threads -DZO_SANITIZE=thread >/dev/null
	cmake --build build/threads --target zoetrope-cli --target host_writer
	ZO_KILLS=200 ZO_SLOW=3 python3 -B tests/host/kill.py build/dev/unit/host_writer build/dev/bin/zoetrope
	for build in dev threads; do ZO_HAMMER=60 ZO_SLOW=6 python3 -B tests/host/hammer.py build/$$build/unit/host_writer \
	    build/$$build/bin/zoetrope || exit; done

fuzz:
	tools/setup test
	tools/fuzz $(SECONDS)

bench: web
	tools/setup bench
	cmake --preset release -DZO_BUILD_BENCH=ON >/dev/null
	cmake --build --preset release
	bench/run $(RELEASE)

vectors:
	cmake --preset release -DZO_BUILD_TESTS=ON >/dev/null
	cmake --build --preset release --target zoetrope-vectors
	$(RELEASE)/bin/zoetrope-vectors $(DIR)
	$(RELEASE)/bin/zoetrope-vectors tests/cases

install: all
	DESTDIR=$(DESTDIR) cmake --install $(RELEASE) --prefix $(PREFIX)

clean:
	rm -rf build
