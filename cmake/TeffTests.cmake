# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests are registered. A sanitizer runs a slice of them, with the label sanitizer-slice: what can show a fault that the plain run
# does not, in few processes. The target `slice` builds that and no more, the target `stress` the long tests.
find_package(GTest REQUIRED)
include(GoogleTest)
add_custom_target(slice)
add_custom_target(stress)

# teff_slice(TARGET ...): builds these with the slice.
function(teff_slice)
  add_dependencies(slice ${ARGN})
endfunction()

# teff_gtests(TARGET PREFIX [SLICE all|memory] [SHARDS n] [FILTER f]): the tests of a GoogleTest program. Without a sanitizer each is a
# process. With one those of the slice are run by so many processes: `memory` says that they have one thread, and so nothing for
# ThreadSanitizer. FILTER, as GoogleTest's, is for the slice. What is tried on both sides of the seam is in the slice natively:
# memory that the runtime asks the simulated system for is an arena, into
# which AddressSanitizer does not look.
function(teff_gtests target prefix)
  cmake_parse_arguments(ARG "" "SLICE;SHARDS;FILTER" "" ${ARGN})
  if(NOT TEFF_SANITIZE)
    gtest_discover_tests(${target} TEST_PREFIX ${prefix} DISCOVERY_TIMEOUT 60)
    return()
  endif()
  if(NOT ARG_SLICE OR (ARG_SLICE STREQUAL memory AND TEFF_SANITIZE MATCHES thread))
    return()
  endif()
  teff_slice(${target})
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
    set_tests_properties(${name} PROPERTIES LABELS sanitizer-slice
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_DEATH_TEST_STYLE=threadsafe")
  endforeach()
endfunction()
