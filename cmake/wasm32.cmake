# The toolchain of the WebAssembly module: Debian's clang 14 with its lld, wasi-libc and the compiler's own run time.
# Given to CMake by the preset `wasm`. The same files serve programs that run under WASI, which the tests are.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-14)
set(CMAKE_RANLIB llvm-ranlib-14)
set(CMAKE_C_FLAGS_INIT "-fno-exceptions")
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
# Nothing of the machine that builds is of use to the one that is built for.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
