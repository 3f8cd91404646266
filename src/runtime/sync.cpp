// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the objects of include/teff/sync.hpp answer to numbers that they cannot use.
#include "teff/sync.hpp"
#include "teff/runtime.hpp"

#include <string>

namespace TEFF_NAMESPACE::detail {

void refuse_number(const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
  std::string sentence = std::string(what) + " was made for " + std::to_string(value) + ": allowed are " + std::to_string(least);
  if (most == any_number) sentence += " and more";
  else sentence += " … " + std::to_string(most);
  throw usage_error(sentence);
}

}  // namespace TEFF_NAMESPACE::detail
