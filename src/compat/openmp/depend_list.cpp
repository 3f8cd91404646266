// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How gcc passes depend clauses.
#include "compat/openmp/depend.h"
#include "compat/openmp/refuse.h"

namespace TEFF_NAMESPACE::openmp {

dependence_list::dependence_list(void** passed) {
  const auto number = [passed](unsigned at) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(passed[at])); };
  const bool is_long = number(0) == 0;
  size_ = number(is_long ? 1 : 0);
  if (size_ == 0) {  // an iterator of no steps: nothing lies behind the two zeros
    first_ = passed + 2;
    out_ = exclusive_ = in_ = 0;
    return;
  }
  out_ = number(is_long ? 2 : 1);
  exclusive_ = is_long ? number(3) : 0;
  in_ = is_long ? number(4) : size_ - out_;
  first_ = passed + (is_long ? 5 : 2);
}

dependence_list::item dependence_list::operator[](std::uint32_t number) const {
  void* const passed = first_[number];
  if (number < out_) return {passed, access::out};
  if (number < out_ + exclusive_) return {passed, access::mutexinoutset};
  if (number < out_ + exclusive_ + in_) return {passed, access::in};
  void* const* const object = static_cast<void**>(passed);
  const auto how = reinterpret_cast<std::uintptr_t>(object[1]);
  if (how < std::uintptr_t{static_cast<std::uint8_t>(access::in)} ||
      how > std::uintptr_t{static_cast<std::uint8_t>(access::inoutset)})
    refuse("a depend object says %#zx of how its address is used; allowed: 1 ... 5: it is not initialised, or was destroyed",
           static_cast<std::size_t>(how));
  const auto named = static_cast<access>(how);
  return {object[0], named == access::inout ? access::out : named};
}

std::uint32_t dependence_list::exclusive() const {
  std::uint32_t found = exclusive_;
  for (std::uint32_t number = out_ + exclusive_ + in_; number < size_; ++number)
    found += (*this)[number].how == access::mutexinoutset ? 1 : 0;
  return found;
}

}  // namespace TEFF_NAMESPACE::openmp
