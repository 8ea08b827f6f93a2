# What `cmake --install` puts where: headers, both libraries (shared and static), the CMake package and two pkg-config
# files. cli/CMakeLists.txt adds the program.
include(CMakePackageConfigHelpers)

set(ZO_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Zoetrope)
# The .pc files find everything from where they lie, so that --prefix at install time, or a moved tree, still works.
file(RELATIVE_PATH ZO_PC_UP "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" ZO_PC_UP "${ZO_PC_UP}")
set(ZO_PC_PREFIX "\${pcfiledir}/${ZO_PC_UP}")
set(ZO_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(ZO_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(ZO_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
    set(ZO_PC_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
    set(ZO_PC_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
endif()

function(zo_install_library name pc description)
    if(NOT TARGET ${name})
        return()
    endif()
    install(TARGETS ${name} ${name}_static EXPORT ZoetropeTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    set(ZO_PC_NAME ${name})
    set(ZO_PC_DESCRIPTION "${description}")
    configure_file(${PROJECT_SOURCE_DIR}/cmake/zoetrope.pc.in ${PROJECT_BINARY_DIR}/${pc}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

zo_install_library(zoetrope zoetrope "Plays, checks and renders data-driven animation")
zo_install_library(zoetrope_runtime zoetrope-runtime "Plays animation programs that zoetrope compiled and stored")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/zoetrope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
if(TARGET zoetrope_runtime)
    install(EXPORT ZoetropeTargets NAMESPACE zoetrope:: DESTINATION ${ZO_CMAKE_DIR})
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ZoetropeConfig.cmake.in
    ${PROJECT_BINARY_DIR}/ZoetropeConfig.cmake INSTALL_DESTINATION ${ZO_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ZoetropeConfigVersion.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ZoetropeConfig.cmake ${PROJECT_BINARY_DIR}/ZoetropeConfigVersion.cmake
    DESTINATION ${ZO_CMAKE_DIR})
