// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each of the nineteen managers needs for one sequence of calls, derived by hand from Korch & Rauber 2002, Table 1.
///
/// Every block and every array has two elements, of 32 bytes whatever their kind. A worker's list of more than two hands one over
/// to the central list; from there come at most one besides the one that is asked for. The sequence, in six steps:
///
///   A  worker 0 allocates five tasks           D  worker 1 gives two of these back
///   B  worker 1 gives the five back            E  worker 1 allocates a task
///   C  worker 0 allocates five tasks again     F  worker 0 allocates an argument
///
/// Where items link the lists, to list a block is also to allocate an item, and a block that comes from a list (not one that is
/// fresh) gives its item back. So the costs of a manager are those of its blocks plus those of its items.
#include "every_manager.h"
#include "ledger.h"
#include "mem/manager.h"
#include "test/support/sides.h"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <string>

namespace TEFF_NAMESPACE::mem {
namespace {

using testing_support::crew;
using testing_support::on_this_side;

/// Requests to the system, acquisitions of a central list's lock, looks into a list.
struct costs {
  std::uint64_t requests, locks, looks;

  friend auto operator<=>(const costs&, const costs&) = default;
  friend constexpr costs operator+(const costs& one, const costs& other) {
    return {one.requests + other.requests, one.locks + other.locks, one.looks + other.looks};
  }
  friend costs operator-(const costs& one, const costs& other) {
    return {one.requests - other.requests, one.locks - other.locks, one.looks - other.looks};
  }
  friend std::ostream& operator<<(std::ostream& text, const costs& all) {
    return text << all.requests << " requests, " << all.locks << " locks, " << all.looks << " looks";
  }
};

/// Of the steps A … F.
using step_costs = std::array<costs, 6>;

// --- the blocks ------------------------------------------------------------------------------------------------------------
// An allocation looks into the worker's own list, if there is one (a look), then into the central one, if there is one (a lock
// and a look), then asks the system. To give a block back costs nothing, or a lock if the list is central.

/// No list: each of the twelve allocations is a request.
constexpr step_costs blocks_of_the_system{{{5, 0, 0}, {}, {5, 0, 0}, {}, {1, 0, 0}, {1, 0, 0}}};

/// Each allocation looks into the central list. In A it is empty, and in F, because it is another one for arguments: requests. In
/// C and E it has what was given back in B and D.
constexpr step_costs central_elements{{{5, 5, 5}, {0, 5, 0}, {0, 5, 5}, {0, 2, 0}, {0, 1, 1}, {1, 1, 1}}};
/// Where the list is empty, the lock is taken a second time, for the array. The one from the initialisation serves two tasks in A
/// (further ones are requested for the third and the fifth), and the argument in F.
constexpr step_costs central_arrays{{{2, 10, 5}, {0, 5, 0}, {0, 5, 5}, {0, 2, 0}, {0, 1, 1}, {0, 2, 1}}};

/// What worker 1 has since B does not come back to worker 0, which finds its list empty in C as in A. In E worker 1 takes what it
/// has.
constexpr step_costs own_elements{{{5, 0, 5}, {}, {5, 0, 5}, {}, {0, 0, 1}, {1, 0, 1}}};
/// The ten tasks are five blocks of two, three of them in A; F's is a block of its own. It does not matter whether the second
/// element of a block waits there or in the list.
constexpr step_costs own_blocks{{{3, 0, 5}, {}, {2, 0, 5}, {}, {0, 0, 1}, {1, 0, 1}}};
/// As own_blocks, but the first array of each list is there from the initialisation.
constexpr step_costs own_arrays{{{2, 0, 5}, {}, {2, 0, 5}, {}, {0, 0, 1}, {0, 0, 1}}};

/// A: both lists are empty. B: each of the last three makes the list too long; then worker 1 has two and the centre three. C: the
/// first gets two from the centre, of which one is for the second; the third gets the last; the fourth and fifth find both lists
/// empty. D: both make worker 1's list too long, which then has two; E takes one. F: both lists are empty.
constexpr step_costs both_elements{{{5, 5, 10}, {0, 3, 0}, {2, 4, 9}, {0, 2, 0}, {0, 0, 1}, {1, 1, 2}}};
/// As both_elements, but a centre that is empty is not asked: no lock and no look there in A, by C's fourth and fifth, and in F.
constexpr step_costs both_elements_hinted{{{5, 0, 5}, {0, 3, 0}, {2, 2, 7}, {0, 2, 0}, {0, 0, 1}, {1, 0, 1}}};
/// The centre is asked before the rest of a block, so all is as before, but for the requests: the first, third and fifth in A,
/// and the fifth in C, where the fourth has the rest of A's third block.
constexpr step_costs both_blocks{{{3, 5, 10}, {0, 3, 0}, {1, 4, 9}, {0, 2, 0}, {0, 0, 1}, {1, 1, 2}}};
/// The rest of a block comes first: A's second and fourth and C's first do not ask the centre. C's second and fourth get its
/// three tasks, two and one; the fifth is a request. A rest that was listed at once also comes before the centre: it costs the
/// same.
constexpr step_costs both_blocks_rest_first{{{3, 3, 8}, {0, 3, 0}, {1, 3, 8}, {0, 2, 0}, {0, 0, 1}, {1, 1, 2}}};

// --- the items -------------------------------------------------------------------------------------------------------------
// B needs five and D two. An item comes back with each block that comes from a list: in C five from central lists, none from a
// worker's own, three from balanced ones; in E one.

constexpr step_costs no_items{};

/// B: as the blocks in A. C and E: a lock for each item that comes back. D: those of C are in the list.
constexpr step_costs central_items{{{}, {5, 5, 5}, {0, 5, 0}, {0, 2, 2}, {0, 1, 0}, {}}};
/// B: as the blocks in A. The rest as central_items.
constexpr step_costs central_array_items{{{}, {2, 10, 5}, {0, 5, 0}, {0, 2, 2}, {0, 1, 0}, {}}};

/// Worker 1 needs seven before it has one back: without a central list for items, those of worker 0 are of no use to it.
constexpr step_costs own_items{{{}, {5, 0, 5}, {}, {2, 0, 2}, {}, {}}};
/// The seven are four blocks of two, three of them in B.
constexpr step_costs own_block_items{{{}, {3, 0, 5}, {}, {1, 0, 2}, {}, {}}};
/// As own_block_items, but the first array is there from the initialisation.
constexpr step_costs own_array_items{{{}, {2, 0, 5}, {}, {1, 0, 2}, {}, {}}};

/// Worker 0 also needs an item, a look, for the second element of each fresh block: three in A, two in C, one in F. The first is
/// a request, and leaves one item in the list; from then on each item that is needed was there, as every second task gives one
/// back.
constexpr step_costs own_block_items_all_listed{{{1, 0, 3}, {3, 0, 5}, {0, 0, 2}, {1, 0, 2}, {}, {0, 0, 1}}};
/// The first arrays are listed at the initialisation with all of the items that were allocated then, so B's first needs an array.
/// Worker 0 needs an item for the second element of each further array: two in A, two in C; they come back with the others.
constexpr step_costs own_array_items_all_listed{{{0, 0, 2}, {3, 0, 5}, {0, 0, 2}, {1, 0, 2}, {}, {}}};
/// As own_block_items_all_listed, but C has one fresh block instead of two: three tasks come from the centre.
constexpr step_costs balanced_block_items_all_listed{{{1, 0, 3}, {3, 0, 5}, {0, 0, 1}, {1, 0, 2}, {}, {0, 0, 1}}};

/// With a central list for items, too. B: both lists are empty. C: the third item that comes back is one too many for worker 0's
/// list, which hands one over. D: the first gets that; the second finds both lists empty.
constexpr step_costs centred_items{{{}, {5, 5, 10}, {0, 1, 0}, {1, 2, 4}, {}, {}}};
/// As centred_items, in blocks of two; D's second gets the rest of B's third block.
constexpr step_costs centred_block_items{{{}, {3, 5, 10}, {0, 1, 0}, {0, 2, 4}, {}, {}}};
/// The rest of a block comes first: B's second and fourth and D's first do not ask the centre. D's second gets what C handed
/// over.
constexpr step_costs centred_block_items_rest_first{{{}, {3, 3, 8}, {0, 1, 0}, {0, 1, 3}, {}, {}}};
/// A: as own_block_items_all_listed; the first of the three looks also asks the centre. B and D: as
/// centred_block_items_rest_first. C: four tasks come from a list, the first of them from A's third block; with the one item that
/// A left, their items are five, of which three are one too many each. C's fifth needs one, as F.
constexpr step_costs centred_block_items_all_listed{{{1, 1, 4}, {3, 3, 8}, {0, 3, 1}, {0, 1, 3}, {}, {0, 0, 1}}};

struct expectation {
  const char* name;
  step_costs blocks, items;
  costs total;
  std::uint64_t initial_bytes = 0;
};

/// With 64 bytes in front of the elements.
constexpr std::uint64_t array_of_two_bytes = 64 + 2 * 32, array_of_four_bytes = 64 + 4 * 32;

constexpr expectation expected[] = {
    {"bs", blocks_of_the_system, no_items, {12, 0, 0}},
    {"l", central_elements, central_items, {11, 32, 19}},
    {"bk", central_arrays, central_array_items, {4, 43, 19}, 3 * array_of_two_bytes},
    {"dl", own_elements, own_items, {18, 0, 19}},
    {"dlf", own_elements, no_items, {11, 0, 12}},
    {"dbk", own_arrays, own_array_items, {7, 0, 19}, 2 * 3 * array_of_two_bytes},
    {"dbko", own_arrays, own_array_items_all_listed, {8, 0, 23}, 2 * (2 * array_of_two_bytes + array_of_four_bytes)},
    {"dgbk", own_blocks, own_block_items, {10, 0, 19}},
    {"dgbko", own_blocks, own_block_items_all_listed, {11, 0, 25}},
    {"dgbkof", own_blocks, no_items, {6, 0, 12}},
    {"cl", both_elements, own_items, {15, 15, 29}},
    {"clf", both_elements_hinted, no_items, {8, 7, 14}},
    {"clb", both_elements, centred_items, {14, 23, 36}},
    {"cgbk", both_blocks, own_block_items, {9, 15, 29}},
    {"cgbkb", both_blocks, centred_block_items, {8, 23, 36}},
    {"cgbko", both_blocks_rest_first, balanced_block_items_all_listed, {10, 12, 31}},
    {"cgbkob", both_blocks_rest_first, centred_block_items_all_listed, {9, 20, 36}},
    {"cgbk1", both_blocks_rest_first, own_block_items, {9, 12, 26}},
    {"cgbk1b", both_blocks_rest_first, centred_block_items_rest_first, {8, 17, 30}},
};

constexpr amounts two_of_each{.block_bytes = {32, 32, 32}, .elements_per_block = 2, .elements_per_list = 2, .local_limit = 2};

/// One manager, its workers, and what they hold.
template <spec Spec>
class play {
 public:
  /// Effect: goes through the steps and gives everything back. Returns: the costs of each step.
  step_costs steps() {
    const costs after[] = {now(), allocate_five(), give_back(5), allocate_five(), give_back(2), allocate(1), allocate_argument()};
    step_costs each{};
    for (std::size_t step = 0; step < each.size(); ++step) each[step] = after[step + 1] - after[step];
    bytes_ = staff_.sum(trace::counter::system_bytes);
    peak_bytes_ = tested_.peak_bytes();
    give_back(tasks_.size());
    tested_.release(staff_[0], block_kind::argument, argument_);
    return each;
  }

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  costs now() const {
    using enum trace::counter;
    return {staff_.sum(system_allocations), staff_.sum(central_locks), staff_.sum(list_visits)};
  }
  costs allocate(unsigned id) {
    tasks_.push_back(tested_.allocate(staff_[id], block_kind::task));
    return now();
  }
  costs allocate_five() {
    for (int i = 0; i < 5; ++i) allocate(0);
    return now();
  }
  costs allocate_argument() {
    argument_ = tested_.allocate(staff_[0], block_kind::argument);
    return now();
  }
  costs give_back(std::size_t count) {
    for (; count > 0; --count) {
      tested_.release(staff_[1], block_kind::task, tasks_.back());
      tasks_.pop_back();
    }
    return now();
  }

  crew staff_{2};
  manager<Spec> tested_{2, two_of_each};
  std::vector<void*> tasks_;
  void* argument_ = nullptr;
  std::uint64_t bytes_ = 0, peak_bytes_ = 0;
};

const expectation& expectation_of(const std::string& name) {
  return *std::find_if(std::begin(expected), std::end(expected), [&](const expectation& each) { return name == each.name; });
}

costs sum_of(const step_costs& steps) {
  costs total{};
  for (const costs& each : steps) total = total + each;
  return total;
}

TEST(fixed_sequence, has_an_expectation_for_each_manager) {
  ASSERT_EQ(std::size(expected), every::count);
  for (std::size_t place = 0; place < every::count; ++place) {
    EXPECT_STREQ(expected[place].name, every::names[place]);
    EXPECT_EQ(sum_of(expected[place].blocks) + sum_of(expected[place].items), expected[place].total) << expected[place].name;
  }
}

TEST(fixed_sequence, needs_what_table_1_says) {
  on_this_side([] {
    for_each_manager([]<spec Spec>(const char* name, const char*, const char*) {
      const expectation& wanted = expectation_of(name);
      play<Spec> played;
      const step_costs steps = played.steps();
      for (std::size_t step = 0; step < steps.size(); ++step) {
        EXPECT_EQ(steps[step], wanted.blocks[step] + wanted.items[step]) << name << ", step " << "ABCDEF"[step];
      }
      const std::uint64_t request_bytes = Spec.allocates == allocation::elements ? 32 : array_of_two_bytes;
      EXPECT_EQ(played.bytes(), wanted.total.requests * request_bytes) << name;
      if (Spec.lists == free_lists::none) return;  // it has several workers' peak now and then only
      EXPECT_EQ(played.peak_bytes(), wanted.initial_bytes + played.bytes()) << name;
    });
  });
}

TEST(fixed_sequence, tells_any_two_managers_apart) {
  on_this_side([] {
    std::map<costs, std::string> seen;
    for_each_manager([&]<spec Spec>(const char* name, const char*, const char*) {
      const auto [other, is_new] = seen.emplace(sum_of(play<Spec>().steps()), name);
      EXPECT_TRUE(is_new) << name << " and " << other->second << " both need " << other->first;
    });
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::mem
