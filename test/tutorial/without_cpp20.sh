#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: without_cpp20.sh COMPILER TREE: each public header, compiled as C++17, answers by one error, which says what is needed.
set -u
wrong=0
for header in "$2"/include/teff/*.hpp; do
  name=teff/$(basename "$header")
  said=$(printf '#include "%s"\n#include "teff/teff.hpp"\nint main() {}\n' "$name" |
    LC_ALL=C "$1" -std=c++17 -I"$2/include" -I"$2/src" -x c++ -fsyntax-only - 2>&1)
  if [ "$(grep -c 'error:' <<<"$said")" != 1 ] || ! grep -q 'Teff needs C++20' <<<"$said"; then
    printf '%s: not one sentence:\n%s\n' "$name" "$(head -5 <<<"$said")"
    wrong=1
  fi
done
exit $wrong
