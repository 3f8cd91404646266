# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is installed carries no debug information: with it the command alone has 60 MB. Packagers who split it off themselves say OFF.
option(TEFF_INSTALL_STRIPPED "Take the debug information out of what is installed" ON)

# teff_strip_installed(FILE WORD ...): strips an installed file, below the prefix, by these words for `strip`.
function(teff_strip_installed file)
  if(NOT TEFF_INSTALL_STRIPPED OR NOT CMAKE_STRIP)
    return()
  endif()
  if(NOT IS_ABSOLUTE "${file}")
    string(PREPEND file "\${CMAKE_INSTALL_PREFIX}/")
  endif()
  install(CODE "execute_process(COMMAND \"${CMAKE_STRIP}\" ${ARGN} \"\$ENV{DESTDIR}${file}\" COMMAND_ERROR_IS_FATAL ANY)")
endfunction()
