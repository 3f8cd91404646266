// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/catalogue.h"
#include "test/support/workers.h"

#include <set>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::pool {

using testing_support::crew;
using testing_support::number_of;
using testing_support::numbered;

inline constexpr get_result got_and_wake_one{get_result::got, advice::wake_one};

/// A pool with workers that only put and get when they are told to.
template <class Pool>
class trial {
 public:
  explicit trial(const settings& set, unsigned workers = 2, std::uint64_t seed = 0)
      : trial(set, std::vector<unsigned>(workers, 0), seed) {}
  trial(const settings& set, const std::vector<unsigned>& domains, std::uint64_t seed)
      : staff(domains.size(), seed),
        set_(set),
        places_(domains),
        memory_(new mem::manager<mem::dlf>(staff.size(), sizes_for(set))),
        tested(environment{staff.size(), memory_, set_, places_}) {}

  ~trial() {
    for (unsigned id = 0; id < staff.size(); ++id) get_all(id);
    if constexpr (closes<Pool>) tested.close(staff[0]);
  }

  advice put(unsigned id, std::uintptr_t number) { return tested.put(staff[id], numbered(number)); }
  /// Effect: puts 1 … count.
  void put_up_to(unsigned id, std::uintptr_t count) {
    for (std::uintptr_t number = 1; number <= count; ++number) put(id, number);
  }

  /// Returns: 0 if there is nothing.
  int get(unsigned id) {
    task taken;
    last_ = tested.get(staff[id], taken, reach::whole);
    return last_.has_task() ? static_cast<int>(number_of(taken)) : 0;
  }
  get_result last() const { return last_; }

  std::vector<int> get_all(unsigned id) {
    std::vector<int> numbers;
    while (const int number = get(id)) numbers.push_back(number);
    return numbers;
  }

  std::uint64_t count(trace::counter which) const { return staff.sum(which); }
  std::uint64_t peak_bytes() const { return memory_.peak_bytes(); }

  crew staff;

 private:
  static mem::amounts sizes_for(const settings& set) {
    mem::amounts sizes;
    sizes.block_bytes[static_cast<std::size_t>(mem::block_kind::task)] = (Pool::traits.block_bytes(set) + 15) / 16 * 16;
    return sizes;
  }

  const settings set_;
  const worker_places places_;
  mem::memory memory_;
  get_result last_ = get_result::empty;

 public:
  Pool tested;
};

/// Returns: settings that are the defaults but for these texts.
inline settings with(const std::vector<std::string>& texts) {
  settings set;
  std::vector<const char*> all;
  for (const setting& each : all_settings()) all.push_back(each.name);
  EXPECT_EQ(apply(set, texts, all, "any"), "");
  return set;
}

/// Returns: the names of the pools for which `holds.operator()<Pool>()` does.
template <class Property>
std::set<std::string> pools_for_which(Property holds) {
  std::set<std::string> names;
  for_each_pool([&]<class Pool>(const entry& each) {
    if (holds.template operator()<Pool>()) names.insert(each.name);
  });
  return names;
}

}  // namespace TEFF_NAMESPACE::pool
