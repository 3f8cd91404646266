// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/catalogue.h"
#include "test/support/workers.h"

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::pool {

using testing_support::crew;
using testing_support::number_of;
using testing_support::numbered;

inline constexpr get_result got_and_wake_one{get_result::got, advice::wake_one};

/// A trial of some pool: what is asked of each pool through it is compiled once.
class tried_pool {
 public:
  virtual advice put(unsigned id, std::uintptr_t number) = 0;
  /// Effect: puts 1 … count.
  void put_up_to(unsigned id, std::uintptr_t count) {
    for (std::uintptr_t number = 1; number <= count; ++number) put(id, number);
  }
  /// Effect: puts 1 … count from outside, together.
  advice inject_up_to(std::uintptr_t count) {
    std::vector<task> together;
    for (std::uintptr_t number = 1; number <= count; ++number) together.push_back(numbered(number));
    return inject(together);
  }

  /// Returns: 0 if there is nothing.
  virtual int get(unsigned id) = 0;
  get_result last() const { return last_; }

  std::vector<int> get_all(unsigned id) {
    std::vector<int> numbers;
    while (const int number = get(id)) numbers.push_back(number);
    return numbers;
  }

  virtual std::uint64_t count(trace::counter which) const = 0;
  virtual pool_statistics statistics() const = 0;

 protected:
  ~tried_pool() = default;
  virtual advice inject(std::span<const task> together) = 0;
  get_result last_ = get_result::empty;
};

/// Whether a question is asked through that face; the others are templates, which see the pool itself.
template <class Question>
concept asks_any_pool = requires { &Question::operator(); };
using any_question = std::function<bool(tried_pool&)>;

/// A pool with workers that only put and get when they are told to.
template <class Pool>
class trial : public tried_pool {
 public:
  explicit trial(const settings& set, unsigned workers = 2, std::uint64_t seed = 0)
      : trial(set, std::vector<unsigned>(workers, 0), seed) {}
  /// `tied`: tasks that wait are not set aside.
  trial(const settings& set, const std::vector<unsigned>& domains, std::uint64_t seed, bool tied = false)
      : staff(domains.size(), seed),
        set_(set),
        places_(domains),
        memory_(new mem::manager<mem::dlf>(staff.size(), sizes_for(set))),
        tested(environment{staff.size(), memory_, set_, places_, 1, nullptr, tied}) {}

  ~trial() {
    for (unsigned id = 0; id < staff.size(); ++id) get_all(id);
    if constexpr (closes<Pool>) tested.close(staff[0]);
  }

  advice put(unsigned id, std::uintptr_t number) final { return tested.put(staff[id], numbered(number)); }
  int get(unsigned id) final {
    task taken;
    last_ = tested.get(staff[id], taken, reach::whole);
    return last_.has_task() ? static_cast<int>(number_of(taken)) : 0;
  }
  std::uint64_t count(trace::counter which) const final { return staff.sum(which); }
  pool_statistics statistics() const final { return tested.statistics(); }
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

  advice inject(std::span<const task> together) final { return tested.inject(together); }

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
