// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A country of villages, each with a hospital and people who fall ill.
#pragma once

#include "apps/declared_memory.h"
#include "apps/random_stream.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// People in an order, each in one list at a time. Owns nothing: the links lie in the country's people.
struct list_of_people {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  std::uint32_t first = nobody, last = nobody;
};

struct inhabitant {
  std::uint32_t next, previous;
  std::uint32_t home;               ///< the village
  std::uint16_t steps_left = 0;     ///< until what is done with the patient ends
  std::uint16_t hospitals = 0;      ///< visited
  std::uint32_t steps_waiting = 0;  ///< in all
};

/// What a village has, and what only the task of that village touches, but for `healthy`: higher hospitals send their patients
/// back there, after the tasks below them have ended.
struct village {
  std::uint32_t level;  ///< 1: the lowest
  std::uint32_t first_child, children;
  std::uint32_t free_staff;
  random_stream fate;
  list_of_people healthy, waiting, examined, treated, sent_up;
};

/// Returns: a number that says where everybody is, in which order, and what the villages will draw next.
std::uint64_t fingerprint_of_country(std::span<const village> villages, std::span<const inhabitant> people);

class country {
 public:
  country() = default;  ///< of no villages, to be assigned to
  /// `levels` levels of villages; each but the lowest ones has `cities` below it.
  country(std::uint32_t levels, std::uint32_t cities, std::uint64_t seed);

  const village& at(std::uint32_t number) const { return villages_[number]; }
  std::uint32_t levels() const { return villages_.front().level; }
  std::size_t villages() const { return villages_.size(); }
  /// Effect: from now on steps declare what they touch, or not. Pre: no step goes on.
  void declare(bool wanted) { declares_ = wanted; }
  /// Effect: a step of one village. Pre: those below it have made theirs. Returns: people it looked at, healthy and ill.
  std::uint64_t advance(std::uint32_t number);

  /// Effect: the calling thread declares that it has written all of it.
  void touch_all() const {
    writes(villages_.data(), villages_.size());
    writes(people_.data(), people_.size());
  }
  std::uint64_t fingerprint_of_all() const { return fingerprint_of_country(villages_, people_); }
  /// Returns: people in all lists, each once. It never changes.
  std::uint64_t people_in_lists() const;
  std::uint64_t people() const { return people_.size(); }
  /// Returns: how many there are in a list of a village of this country.
  std::uint64_t count(const list_of_people& in) const;

 private:
  /// Effect: says that somebody, or a village, is looked at or changed.
  template <class T>
  void declare_read(const T& what) const {
    if (declares_memory && declares_) reads(&what);
  }
  template <class T>
  void declare_write(const T& what) const {
    if (declares_memory && declares_) writes(&what);
  }
  void append(list_of_people& to, std::uint32_t who);
  void remove(list_of_people& from, std::uint32_t who);
  void send_home(std::uint32_t who);
  void move_all(list_of_people& from, list_of_people& to);
  template <class Visitor>
  std::uint64_t visit(const list_of_people& all, Visitor visitor);
  void decide_about(village& here, std::uint32_t who, bool is_top);

  declared_vector<village> villages_;
  declared_vector<inhabitant> people_;
  bool declares_ = false;
};

/// Returns: villages of such a country; `at_most`, if there are more. Pre: cities × at_most is less than 2⁶⁴.
std::uint64_t villages_of(std::uint64_t levels, std::uint64_t cities, std::uint64_t at_most);

}  // namespace TEFF_NAMESPACE::apps
