// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names for addresses of code: by file and line, by symbol, or by the file that they lie in.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace teff::cli {

/// An address, by the file that is mapped there.
struct code_place {
  std::string object;        ///< empty: none is known
  std::uint64_t offset = 0;  ///< in the file; or the address
  bool is_behind = false;    ///< it is where a call returns to: what is meant lies before it

  auto operator<=>(const code_place&) const = default;
};

struct code_names {
  std::map<code_place, std::string> of;
  std::string remark;  ///< a sentence if places that have debug information were not looked up in it; empty: none
};

/// Returns: for each place "file.c:12 (function)" if there is debug information, else "symbol + 0x10", else "object + 0x1234".
/// Effect: debug information is read by binutils' addr2line, once for each file.
code_names name_places(const std::vector<code_place>& places);

}  // namespace teff::cli
