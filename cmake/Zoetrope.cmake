# How every part of the tree is compiled. Folders call zo_layer, zo_unit_test and zo_program; only the top CMakeLists.txt
# calls zo_library.

# What every target of ours is compiled with. Never exported: a user of the library keeps his own flags, save that he
# cannot change the bits our code computes (-ffp-contract=off is on our objects, not on his).
add_library(zo_flags INTERFACE)
target_compile_features(zo_flags INTERFACE c_std_17)
target_include_directories(zo_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(zo_flags INTERFACE
    -ffp-contract=off       # a fused multiply-add would round once where the promise says twice
    -fno-math-errno         # sqrt becomes one instruction; the core never looks at errno
    -fno-asynchronous-unwind-tables # a tenth of the library; debug builds have .debug_frame instead
    -ffunction-sections -fdata-sections
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wdouble-promotion -Werror=implicit-function-declaration
    $<$<BOOL:${ZO_WERROR}>:-Werror>)
if(NOT APPLE)
    target_link_options(zo_flags INTERFACE -Wl,--gc-sections)
endif()
if(ZO_SANITIZE)
    set(sanitize -fsanitize=${ZO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(zo_flags INTERFACE ${sanitize})
    target_link_options(zo_flags INTERFACE ${sanitize})
endif()
if(ZO_COVERAGE)
    target_compile_options(zo_flags INTERFACE --coverage)
    target_link_options(zo_flags INTERFACE --coverage)
endif()

# What is not worth speed: what runs once a file, or only when something is wrong.
include(CheckCCompilerFlag)
check_c_compiler_flag(-Oz ZO_HAS_OZ)
set(ZO_FOR_SIZE $<$<CONFIG:Release>:$<IF:$<BOOL:${ZO_HAS_OZ}>,-Oz,-Os>>)

function(zo_set_common target)
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
endfunction()

function(zo_objects layer)
    add_library(zo_${layer} OBJECT ${ARGN})
    zo_set_common(zo_${layer})
    # One set of objects serves the static and the shared library, hence position independent for both.
    get_property(can_share GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
    set_target_properties(zo_${layer} PROPERTIES POSITION_INDEPENDENT_CODE ${can_share} C_VISIBILITY_PRESET hidden)
    target_link_libraries(zo_${layer} PRIVATE zo_flags)
    if(layer MATCHES "^(diag|formats|api|api_runtime|director)$")
        target_compile_options(zo_${layer} PRIVATE ${ZO_FOR_SIZE})
    endif()
    set_property(GLOBAL APPEND PROPERTY ZO_OBJECTS zo_${layer})
    if(layer IN_LIST ZO_RUNTIME_LAYERS)
        set_property(GLOBAL APPEND PROPERTY ZO_RUNTIME_OBJECTS zo_${layer})
    endif()
endfunction()

# zo_layer(<layer> source...): one layer of the library. The public functions are two layers: api_runtime is what the
# play-only library offers and does without json and formats, api is the rest.
function(zo_layer layer)
    if(ZO_RUNTIME_ONLY AND NOT layer IN_LIST ZO_RUNTIME_LAYERS)
        return()
    endif()
    zo_objects(${layer} ${ARGN})
endfunction()

# zo_unit_test(<layer> <name>_test.c [more sources...]): a cmocka program beside the code it tests. It is linked with the
# whole static library, internals included, and runs in the source tree's root so that it may open tests/ by name.
function(zo_unit_test layer source)
    if(NOT ZO_BUILD_TESTS OR ZO_RUNTIME_ONLY OR CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
        return()
    endif()
    get_filename_component(name ${source} NAME_WE)
    set(target ${layer}_${name})
    add_executable(${target} ${source} ${ARGN})
    zo_set_common(${target})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L ZO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    # NAN and INFINITY are floats; tests put them where doubles go. On the sources, to come after the flags of all.
    set_source_files_properties(${source} ${ARGN} PROPERTIES COMPILE_OPTIONS -Wno-double-promotion)
    target_link_libraries(${target} PRIVATE zo_flags zoetrope_static PkgConfig::cmocka)
    add_test(NAME ${layer}/${name} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${layer}/${name} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

# zo_program(<name> source...): a program of ours in bin/, with libc and POSIX at hand and the static library in it. As
# `zoetrope` is the library, the command line is the target zoetrope-cli (OUTPUT_NAME zoetrope).
function(zo_program name)
    add_executable(${name} ${ARGN})
    zo_set_common(${name})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    target_compile_definitions(${name} PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200809L)
    target_link_libraries(${name} PRIVATE zo_flags zoetrope_static)
endfunction()

# zo_library(<name> [RUNTIME]): <name> (shared, hidden visibility) and <name>_static from the objects of all layers, or
# of those that can play.
function(zo_library name)
    if("RUNTIME" IN_LIST ARGN)
        get_property(objects GLOBAL PROPERTY ZO_RUNTIME_OBJECTS)
        set(export_name runtime)
    else()
        get_property(objects GLOBAL PROPERTY ZO_OBJECTS)
        set(export_name zoetrope)
    endif()
    if(NOT objects)
        return()
    endif()
    list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")

    set(made ${name}_static)
    add_library(${name}_static STATIC ${objects})
    set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${export_name}_static
        LINKER_LANGUAGE C)
    target_link_libraries(${name}_static PUBLIC m)
    get_property(can_share GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS) # WebAssembly cannot
    if(can_share)
        list(APPEND made ${name})
        add_library(${name} SHARED ${objects})
        set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 EXPORT_NAME ${export_name}
            LINKER_LANGUAGE C)
        # PRIVATE with BUILD_INTERFACE: our flags reach the link of our own shared library and go nowhere else.
        target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:zo_flags> m)
        add_library(zoetrope::${export_name} ALIAS ${name})
    endif()
    if(can_share AND NOT APPLE AND NOT ZO_SANITIZE)
        # The library's own calls of its public functions are direct.
        target_link_options(${name} PRIVATE -Wl,-z,defs -Wl,-z,noseparate-code -Wl,-Bsymbolic-functions)
        # Tables full of pointers cost three words of relocation each otherwise; older linkers and C libraries do without.
        include(CheckLinkerFlag)
        check_linker_flag(C -Wl,-z,pack-relative-relocs ZO_HAS_PACKED_RELOCATIONS)
        if(ZO_HAS_PACKED_RELOCATIONS)
            target_link_options(${name} PRIVATE -Wl,-z,pack-relative-relocs)
        endif()
    endif()
    foreach(target IN LISTS made)
        target_include_directories(${target} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        set_target_properties(${target} PROPERTIES
            ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    endforeach()
    add_library(zoetrope::${export_name}_static ALIAS ${name}_static)
endfunction()
