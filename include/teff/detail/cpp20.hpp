// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One sentence for who compiles without C++20: the public headers are empty then.
#pragma once

#if __cplusplus < 202002L
#error "Teff needs C++20: compile with -std=c++20 or later (in CMake: target_link_libraries with teff::teff asks for it)"
#endif
