# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests are registered. A sanitizer runs a slice of them, with the label sanitizer-slice: what can show a fault that the plain run
# does not, in few processes. The target `slice` builds that and no more, the target `stress` the long tests. For
# ./dev test --quick there is a target for each folder, tests_of_<folder>, and the target `quick` with the label of that name:
# a few tests of everything.
find_package(GTest REQUIRED)
include(GoogleTest)
add_custom_target(slice)
add_custom_target(quick)
add_custom_target(stress)

# teff_slice(TARGET ...): builds these with the slice.
function(teff_slice)
  add_dependencies(slice ${ARGN})
endfunction()

# teff_needs(TARGET ...): what scripts of this folder of tests call. Targets that are not there are left out.
function(teff_needs)
  set_property(DIRECTORY APPEND PROPERTY TEFF_NEEDS ${ARGN})
endfunction()

# teff_tests_of(FOLDER): the target that builds what the tests of a folder need. Pre: it was added.
function(teff_tests_of folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(needed DIRECTORY ${folder} PROPERTY TEFF_NEEDS)
  add_custom_target(tests_of_${folder})
  foreach(target ${targets} ${needed})
    if(TARGET ${target})
      add_dependencies(tests_of_${folder} ${target})
    endif()
  endforeach()
endfunction()

# teff_gtests(TARGET PREFIX [QUICK] [SLICE all|memory|stress] [SHARDS n] [FILTER f]): the tests of a GoogleTest program. QUICK: also in
# ./dev test --quick, whatever changed. Without a sanitizer each is a process. With one those of the slice are run by so many
# processes: `memory` leaves ThreadSanitizer out: they have one thread, or are none of its business; `stress` likewise, and ./dev stress runs them. FILTER, as GoogleTest's, is for the
# slice. What is tried on both sides of the seam is in the slice natively: memory that the runtime asks the simulated system for
# is an arena, into which AddressSanitizer does not look.
function(teff_gtests target prefix)
  cmake_parse_arguments(ARG "QUICK" "SLICE;SHARDS;FILTER" "" ${ARGN})
  if(NOT TEFF_SANITIZE)
    set(labels)
    if(ARG_QUICK)
      add_dependencies(quick ${target})
      set(labels PROPERTIES LABELS quick)
    endif()
    gtest_discover_tests(${target} TEST_PREFIX ${prefix} DISCOVERY_TIMEOUT 60 ${labels})
    return()
  endif()
  if(NOT ARG_SLICE OR (NOT ARG_SLICE STREQUAL all AND TEFF_SANITIZE MATCHES thread))
    return()
  endif()
  if(ARG_SLICE STREQUAL stress)
    set(label stress)
    add_dependencies(stress ${target})
  else()
    set(label sanitizer-slice)
    teff_slice(${target})
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  if(NOT ARG_FILTER)
    set(ARG_FILTER "*")
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  # Who expects a death starts the program anew: other tests' threads would be in a forked child's memory, and not in it.
  foreach(shard RANGE ${last})
    set(name ${prefix}${target}.${shard})
    add_test(NAME ${name} COMMAND ${target} --gtest_filter=${ARG_FILTER})
    set_tests_properties(${name} PROPERTIES LABELS ${label}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_DEATH_TEST_STYLE=threadsafe")
  endforeach()
endfunction()
