// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace teff::report {

/// What scripts read; nullptr is what is not known.
using fact_value = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, std::vector<unsigned>,
                                std::map<std::string, std::string>, std::vector<std::map<std::string, std::uint64_t>>>;

/// Something that was found out, and where.
struct fact {
  std::string group, name;
  fact_value of;
  std::string text;    ///< what people read; empty: the fact is for scripts only
  std::string source;  ///< empty: it goes without saying
};

}  // namespace teff::report
