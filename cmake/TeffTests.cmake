# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests are registered. A sanitizer runs a slice of them, with the label sanitizer-slice: what can show a fault that the plain run
# does not, in few processes. The target `slice` builds that and no more, the target `stress` the long tests. For
# ./dev test --quick there is a target for each folder, tests_of_<folder>, and the target `quick` with the label of that name:
# a few tests of everything.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
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

# teff_gtests(TARGET PREFIX [QUICK] [ALONE] [ALONE_TESTS f] [SLICE all|memory|stress] [SHARDS n] [FILTER f]): the tests of a
# GoogleTest program. QUICK: also in ./dev test --quick, whatever changed. ctest runs each as a process, under its name; with
# the option `-C batches`, and `--label-exclude single`, so many processes run them, as a process costs more than most tests do.
# ALONE: never, as these tests want a process that nothing has happened in, or end it; ALONE_TESTS: so do those of this filter,
# as GoogleTest's. With a sanitizer there are these batches alone, of those of the slice: `memory` leaves ThreadSanitizer out:
# they have one thread, or are none of its business; `stress` likewise, and ./dev stress runs them. FILTER, as GoogleTest's, is
# for the slice. What is tried on both sides of the seam is in the slice natively: memory that the runtime asks the simulated
# system for is an arena, into which AddressSanitizer does not look.
function(teff_gtests target prefix)
  cmake_parse_arguments(ARG "QUICK;ALONE" "SLICE;SHARDS;FILTER;ALONE_TESTS" "" ${ARGN})
  if(ARG_QUICK)
    add_dependencies(quick ${target})
    set(quick -quick)
  endif()
  if(NOT TEFF_SANITIZE)
    if(ARG_ALONE)
      gtest_discover_tests(${target} TEST_PREFIX ${prefix} DISCOVERY_TIMEOUT 60 NO_PRETTY_TYPES NO_PRETTY_VALUES
        PROPERTIES LABELS alone${quick})
      return()
    endif()
    gtest_discover_tests(${target} TEST_PREFIX ${prefix} DISCOVERY_TIMEOUT 60 NO_PRETTY_TYPES NO_PRETTY_VALUES
      PROPERTIES LABELS single${quick})
    teff_batches(${target} ${prefix} "${ARG_SHARDS}" "" "${ARG_ALONE_TESTS}" LABELS batch${quick} CONFIGURATIONS batches)
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
  teff_batches(${target} ${prefix} "${ARG_SHARDS}" "${ARG_FILTER}" "${ARG_ALONE_TESTS}" LABELS ${label})
endfunction()

# teff_batches(TARGET PREFIX SHARDS FILTER ALONE LABELS label [CONFIGURATIONS configuration]): the tests of FILTER, by SHARDS processes.
# Each is a test of ctest's; it says itself which of its tests fail, and which one hangs.
function(teff_batches target prefix shards filter alone)
  cmake_parse_arguments(ARG "" "LABELS;CONFIGURATIONS" "" ${ARGN})
  if(NOT shards)
    set(shards 1)
  endif()
  set(configurations)
  if(ARG_CONFIGURATIONS)
    set(configurations CONFIGURATIONS ${ARG_CONFIGURATIONS})
  endif()
  math(EXPR last "${shards} - 1")
  foreach(shard RANGE ${last})
    set(name ${prefix}${target}.${shard})
    add_test(NAME ${name} ${configurations} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test/support/run_tests.py
      --name ${name} --prefix ${prefix} --shard ${shard}/${shards} "--filter=${filter}" "--alone=${alone}" $<TARGET_FILE:${target}>)
    set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABELS} TIMEOUT 3600 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
  endforeach()
endfunction()
