# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# teff_twice(NAME SOURCES ... [LINK ...]): one static library for each side of the seam, NAME_native and NAME_simulated, from the
# same sources. LINK names libraries: one that was made by teff_twice is linked in the matching variant.
function(teff_twice name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  foreach(side native simulated)
    add_library(${name}_${side} STATIC ${ARG_SOURCES})
    teff_side(${name}_${side} ${side} ${ARG_LINK})
  endforeach()
endfunction()

# teff_quickly_compiled(TARGET): under a sanitizer its speed is nothing beside what it costs to optimise it.
function(teff_quickly_compiled target)
  if(TEFF_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# teff_simulated_tests(TARGET): code of tests that is hardly optimised is so a bit less in simulation, where no processor and no compiler
# can reorder accesses: that takes a third off its compilation, and little is added to the run.
function(teff_simulated_tests target)
  get_target_property(options ${target} COMPILE_OPTIONS)
  if(options STREQUAL -O1)
    set_target_properties(${target} PROPERTIES COMPILE_OPTIONS -Og)
  endif()
endfunction()

# teff_in_batches(TARGET...): eight files are one for the compiler, where only tests run what is compiled, or hardly anybody feels its
# speed. A change of one compiles eight again.
function(teff_in_batches)
  if(TEFF_TESTS_AS_ONE)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# teff_side(TARGET native|simulated [LIBRARY ...]): compiles a target against one side.
function(teff_side target side)
  target_link_libraries(${target} PUBLIC teff_flags)
  target_compile_definitions(${target} PUBLIC TEFF_PLATFORM=${side})
  if(side STREQUAL simulated)
    target_compile_definitions(${target} PUBLIC TEFF_SIMULATED=1)
    teff_quickly_compiled(${target})
    teff_simulated_tests(${target})
  endif()
  foreach(library ${ARGN})
    if(TARGET ${library}_${side})
      target_link_libraries(${target} PUBLIC ${library}_${side})
    else()
      target_link_libraries(${target} PUBLIC ${library})
    endif()
  endforeach()
endfunction()
