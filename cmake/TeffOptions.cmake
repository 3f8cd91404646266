# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Options of the build and the warnings that every target of the project gets.
option(TEFF_BUILD_TESTS "Build the tests" ON)
option(TEFF_TESTS_AS_ONE "Compile the files of a test program as one; OFF shows what each of them forgot to include" ON)
option(TEFF_PCH "Precompile headers of the standard library and of GoogleTest; OFF shows what a file forgot to include" ON)
option(TEFF_BUILD_BENCH "Build the benchmarks" OFF)
option(TEFF_BUILD_LIBRARIES "Build the libraries that are installed: libteff and the OpenMP drop-in" ON)
option(TEFF_BUILD_VERSUS "Add the target versus: the same programs on Teff and on other runtimes" OFF)
set(TEFF_SANITIZE "" CACHE STRING "Sanitizers for everything, as given to -fsanitize= (address,undefined or thread)")

# clang-tidy finds files that include a .cpp, but is not to find those that CMake makes of several.
set(TEFF_UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
define_property(TARGET PROPERTY UNITY_BUILD_CODE_BEFORE_INCLUDE
  INITIALIZE_FROM_VARIABLE TEFF_UNITY_BUILD_CODE_BEFORE_INCLUDE)

add_library(teff_flags INTERFACE)
target_compile_options(teff_flags INTERFACE -Wall -Wextra -Wpedantic)
# Two words that are copied stay two loads and two stores: src/task/task.h, copy_task.
target_compile_options(teff_flags INTERFACE -fno-tree-slp-vectorize)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ collects its garbage each 128 MB, which takes a tenth of the time that large tests are compiled for. In kB.
  target_compile_options(teff_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=600000>)
endif()
target_include_directories(teff_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
if(TEFF_SANITIZE)
  target_compile_options(teff_flags INTERFACE -fsanitize=${TEFF_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(teff_flags INTERFACE -fsanitize=${TEFF_SANITIZE})
  # An error that a program goes on after would pass as success; and a sixth of the time is saved that the checks take to compile.
  target_compile_options(teff_flags INTERFACE -fno-sanitize-recover=all)
  if(TEFF_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    # Its second stack for each fiber takes half of the tests' time, in the kernel.
    target_compile_options(teff_flags INTERFACE -fsanitize-address-use-after-return=never)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(teff_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Wthread-safety>)
endif()
find_package(Threads REQUIRED)
target_link_libraries(teff_flags INTERFACE Threads::Threads)
