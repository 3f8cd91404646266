# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What other projects get: libteff.so, libteff.a, headers, the CMake package, the pkg-config file and the command.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# While the major number is 0, each minor version may change the binary interface.
set(teff_soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The public headers, and those that they include, as teff/internal/...
set(teff_installed_headers ${PROJECT_BINARY_DIR}/installed_headers)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h* ${PROJECT_SOURCE_DIR}/src/*.h)
add_custom_command(
  OUTPUT ${teff_installed_headers}.done
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/install_headers.py ${PROJECT_SOURCE_DIR} ${teff_installed_headers}
  COMMAND ${CMAKE_COMMAND} -E touch ${teff_installed_headers}.done
  DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/tools/install_headers.py
  COMMENT "Collecting the public headers"
  VERBATIM
)
add_custom_target(teff_collect_headers ALL DEPENDS ${teff_installed_headers}.done)

set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
add_library(teff_shared SHARED)
target_link_options(teff_shared PRIVATE LINKER:--version-script=${exports} LINKER:-Bsymbolic-functions LINKER:--no-undefined)
set_target_properties(teff_shared PROPERTIES
  EXPORT_NAME teff VERSION ${PROJECT_VERSION} SOVERSION ${teff_soversion} LINK_DEPENDS ${exports})
target_link_libraries(teff_shared PRIVATE ${BOOST_CONTEXT_LIBRARY} Threads::Threads)

add_library(teff_static STATIC)
set_target_properties(teff_static PROPERTIES EXPORT_NAME static)
# By name: where they are is the other machine's matter. C programs need the C++ library too.
target_link_libraries(teff_static INTERFACE boost_context pthread stdc++ m)

foreach(library teff_shared teff_static)
  foreach(part teff_base_native teff_platform_native teff_native)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${part}>)
  endforeach()
  set_target_properties(${library} PROPERTIES OUTPUT_NAME teff LINKER_LANGUAGE CXX)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
if(TEFF_SANITIZE)
  target_link_libraries(teff_shared PRIVATE teff_flags)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/teff)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/teffConfig.cmake.in ${PROJECT_BINARY_DIR}/teffConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/teffConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# Relative folders move with the prefix; absolute ones stay where they are.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(teff_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH teff_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(PREPEND teff_pc_prefix "\${pcfiledir}/")
endif()
foreach(folder LIBDIR INCLUDEDIR)
  set(teff_pc_${folder} ${CMAKE_INSTALL_${folder}})
  if(NOT IS_ABSOLUTE "${teff_pc_${folder}}")
    string(PREPEND teff_pc_${folder} "\${prefix}/")
  endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/teff.pc.in ${PROJECT_BINARY_DIR}/teff.pc @ONLY)

install(TARGETS teff_shared teff_static EXPORT teffTargets)
teff_strip_installed(${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:teff_shared> --strip-unneeded)
teff_strip_installed(${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:teff_static> --strip-debug)
install(EXPORT teffTargets NAMESPACE teff:: DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/teffConfig.cmake ${PROJECT_BINARY_DIR}/teffConfigVersion.cmake DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/teff.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY ${teff_installed_headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Documentation lies as in the source tree, so that its links hold.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/*.md ${PROJECT_SOURCE_DIR}/bench/*.md ${PROJECT_SOURCE_DIR}/apps/*.md
  ${PROJECT_SOURCE_DIR}/src/sim/machines/*.toml)  # which users copy and change
foreach(page ${pages})
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
