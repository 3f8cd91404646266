// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What every memory manager of the catalogue must do.
#include "every_manager.h"
#include "ledger.h"
#include "mem/memory.h"
#include "test/support/sides.h"

#include <algorithm>
#include <optional>

#ifdef TEFF_SIMULATED
#include "sim/exhaustive.h"
#endif

namespace TEFF_NAMESPACE::mem {
namespace {

using testing_support::crew;
using testing_support::memory_runs_out;
using testing_support::on_this_side;
using testing_support::run_on_each;

template <class Row>
class every_manager : public ::testing::Test {
 protected:
  static constexpr spec row = Row::value;
  static constexpr bool has_lists = row.lists != free_lists::none;
  static constexpr bool has_items = has_lists && row.linked_by != links::inside;

  /// A manager and its workers.
  struct setting {
    explicit setting(unsigned workers, const amounts& sizes = small_amounts()) : staff(workers), tested(workers, sizes) {}

    void* allocate(unsigned id, block_kind kind) { return tested.allocate(staff[id], kind); }
    void release(unsigned id, block_kind kind, void* block) { tested.release(staff[id], kind, block); }
    std::vector<void*> allocate_many(unsigned id, block_kind kind, std::size_t count) {
      std::vector<void*> blocks(count);
      for (void*& each : blocks) each = allocate(id, kind);
      return blocks;
    }
    void release_many(unsigned id, block_kind kind, const std::vector<void*>& blocks) {
      for (void* each : blocks) release(id, kind, each);
    }

    /// Effect: allocates and releases by drawn workers. Returns: how many requests were refused.
    unsigned step(platform::random& draw, ledger& blocks) {
      const unsigned id = draw.below(staff.size());
      const auto kind = static_cast<block_kind>(draw.below(2));
      if (blocks.size() > draw.below(40)) {
        const auto gone = blocks.remove(draw.below(static_cast<std::uint32_t>(blocks.size())));
        release(id, gone.kind, gone.begin);
        return 0;
      }
      void* memory = allocate(id, kind);
      if (memory == nullptr) return 1;
      blocks.add(memory, kind);
      return 0;
    }

    void release_all(ledger& blocks) {
      while (blocks.size() > 0) {
        const auto gone = blocks.remove(blocks.size() - 1);
        release(0, gone.kind, gone.begin);
      }
    }

    crew staff;
    manager<row> tested;
  };
};

TYPED_TEST_SUITE(every_manager, every::rows, every::row_names);

constexpr block_kind task_kind = block_kind::task;

TYPED_TEST(every_manager, gives_whole_blocks_that_nobody_else_has) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    on_this_side([&] {
      typename TestFixture::setting with(3);
      platform::random draw(seed);
      ledger blocks;
      for (int i = 0; i < 1'000; ++i) {
        EXPECT_EQ(with.step(draw, blocks), 0u);
        EXPECT_TRUE(with.tested.peak_bytes() >= blocks.bytes() || !TestFixture::has_lists);
      }
      with.release_all(blocks);
      EXPECT_TRUE(blocks.kinds_are_apart() || !TestFixture::has_lists);
    });
    ASSERT_FALSE(this->HasFailure()) << "seed " << seed;
  }
}

TYPED_TEST(every_manager, gives_what_was_released_last_first) {
  if (!TestFixture::has_lists) return;  // that is the system's matter
  on_this_side([] {
    typename TestFixture::setting with(1);
    for (const block_kind kind : {block_kind::task, block_kind::argument, block_kind::item}) {
      auto blocks = with.allocate_many(0, kind, 3);
      with.release_many(0, kind, blocks);
      std::reverse(blocks.begin(), blocks.end());
      EXPECT_EQ(with.allocate_many(0, kind, 3), blocks);
      with.release_many(0, kind, blocks);
    }
  });
}

TYPED_TEST(every_manager, takes_a_block_back_from_another_worker) {
  on_this_side([] {
    typename TestFixture::setting with(2);
    void* block = with.allocate(0, task_kind);
    with.release(1, task_kind, block);
    void* again = with.allocate(1, task_kind);
    EXPECT_TRUE(again == block || !TestFixture::has_lists);
    with.release(0, task_kind, again);
  });
}

TYPED_TEST(every_manager, balances_through_the_central_list_if_it_has_one) {
  on_this_side([] {
    typename TestFixture::setting with(2);
    // Three blocks of four, so that no rest is left; a list of more than four hands over two: eight of twelve end up in the
    // centre.
    const auto blocks = with.allocate_many(0, task_kind, 12);
    with.release_many(1, task_kind, blocks);
    const auto asked_before = with.staff.sum(trace::counter::system_allocations);
    const auto given = with.allocate_many(0, task_kind, 8);
    const auto asked = with.staff.sum(trace::counter::system_allocations) - asked_before;
    const auto is_old = [&](void* one) { return std::find(blocks.begin(), blocks.end(), one) != blocks.end(); };
    if (TestFixture::row.central()) {
      EXPECT_EQ(asked, 0u);
      EXPECT_TRUE(std::all_of(given.begin(), given.end(), is_old));
    } else if (TestFixture::has_lists) {
      EXPECT_TRUE(std::none_of(given.begin(), given.end(), is_old));
    }
    with.release_many(0, task_kind, given);
  });
}

TYPED_TEST(every_manager, holds_no_more_after_a_million_pairs) {
  on_this_side([] {
    typename TestFixture::setting with(1);
    const auto blocks = with.allocate_many(0, task_kind, 10);
    with.release_many(0, task_kind, blocks);
    const std::uint64_t held = with.tested.peak_bytes();
    for (int i = 0; i < 1'000'000; ++i) with.release(0, task_kind, with.allocate(0, task_kind));
    EXPECT_EQ(with.tested.peak_bytes(), held);
  });
}

/// One worker allocates, another one releases: what only goes into the releasing worker's list never comes back. That also holds
/// for items, unless there is a central list for them, too.
TYPED_TEST(every_manager, says_by_its_lists_whether_a_one_way_flow_is_bounded) {
  on_this_side([] {
    typename TestFixture::setting with(2);
    const auto flow = [&](int count) {
      for (int i = 0; i < count; ++i) with.release(1, task_kind, with.allocate(0, task_kind));
    };
    flow(100);
    const std::uint64_t held = with.tested.peak_bytes();
    flow(1'000);
    const spec row = TestFixture::row;
    const bool bounded =
        row.lists == free_lists::none || row.lists == free_lists::central || (row.central() && row.linked_by != links::items);
    EXPECT_EQ(with.tested.peak_bytes() == held, bounded);
  });
}

TYPED_TEST(every_manager, answers_nullptr_when_memory_is_refused_and_goes_on) {
  for (int granted = 0; granted <= 12; ++granted) {
    on_this_side([&] {
      platform::random draw(static_cast<std::uint64_t>(granted) + 1);
      ledger blocks;
      unsigned refusals = 0;
      std::optional<typename TestFixture::setting> with;
      {
        const memory_runs_out planted(granted);
        with.emplace(2u);
        for (int i = 0; i < 500; ++i) refusals += with->step(draw, blocks);
        // What is released now may find no item to be linked by.
        with->release_all(blocks);
      }
      EXPECT_TRUE(granted > 1 || refusals > 0);
      for (int i = 0; i < 500; ++i) EXPECT_EQ(with->step(draw, blocks), 0u);
      with->release_all(blocks);
    });
    ASSERT_FALSE(this->HasFailure()) << "after " << granted << " requests";
  }
}

TYPED_TEST(every_manager, allocates_whole_lists_at_initialisation_only) {
  on_this_side([] {
    typename TestFixture::setting with(2);
    const bool whole = TestFixture::row.allocates == allocation::whole_lists;
    // Per list: 16 elements of 48, 80 and 16 bytes, and 64 bytes in front; distributed lists exist once per worker. If tasks and
    // arguments are listed at once, there are as many items.
    const std::uint64_t items = TestFixture::row.handling == block_handling::after_allocation ? 32 : 16;
    const std::uint64_t bytes = (16 * (48 + 80) + items * 16 + 3 * 64) * (TestFixture::row.distributed() ? 2 : 1);
    EXPECT_EQ(with.tested.peak_bytes(), whole ? bytes : 0);
    auto blocks = with.allocate_many(0, task_kind, 16);
    EXPECT_EQ(with.staff.sum(trace::counter::system_allocations) == 0, whole);
    // The list is used up: a further one is linked on.
    blocks.push_back(with.allocate(0, task_kind));
    EXPECT_NE(blocks.back(), nullptr);
    EXPECT_GE(with.staff.sum(trace::counter::system_allocations), 1u);
    with.release_many(0, task_kind, blocks);
  });
}

/// Workers at once: each block goes through the hands of another one.
TYPED_TEST(every_manager, serves_workers_at_once) {
  on_this_side([] {
    constexpr unsigned workers = 3;
    typename TestFixture::setting with(workers);
    platform::lock lock;
    std::vector<unsigned char*> basket;
    run_on_each(workers, [&](unsigned me) {
      platform::random draw(me + 1);
      for (int i = 0; i < 400; ++i) {
        auto* mine = static_cast<unsigned char*>(with.allocate(me, task_kind));
        std::memset(mine, static_cast<int>(me), 48);
        unsigned char* others = nullptr;
        {
          const platform::lock_guard guard(lock);
          basket.push_back(mine);
          const std::uint32_t drawn = draw.below(static_cast<std::uint32_t>(basket.size()));
          if (basket.size() > 20) {
            std::swap(basket[drawn], basket.back());
            others = basket.back();
            basket.pop_back();
          }
        }
        if (others == nullptr) continue;
        EXPECT_TRUE(std::all_of(others, others + 48, [&](unsigned char byte) { return byte == *others; }));
        with.release(me, task_kind, others);
      }
    });
    for (unsigned char* left : basket) with.release(0, task_kind, left);
  });
}

TEST(managers, tell_the_most_bytes_that_they_held) {
  on_this_side([] {
    crew staff(1);
    manager<bs> single(1, small_amounts());
    manager<dlf> listed(1, small_amounts());
    const auto pass = [&](auto& tested, std::size_t count) {
      std::vector<void*> blocks(count);
      for (void*& each : blocks) each = tested.allocate(staff[0], task_kind);
      for (void* each : blocks) tested.release(staff[0], task_kind, each);
      return tested.peak_bytes();
    };
    EXPECT_EQ(pass(single, 3), 3 * 48u);
    EXPECT_EQ(pass(single, 2), 3 * 48u);
    EXPECT_EQ(pass(single, 5), 5 * 48u);
    EXPECT_EQ(pass(listed, 3), 3 * 48u);
    EXPECT_EQ(pass(listed, 2), 3 * 48u);
    EXPECT_EQ(pass(listed, 5), 5 * 48u);
  });
}

/// Where memory for the item that would list it is refused, a block of its own goes back to the system.
TEST(managers, keep_no_element_that_they_cannot_list) {
  unsigned tried = 0;
  on_this_side([&] {
    crew staff(1);
    for_each_manager([&]<spec Spec>(const char* name, const char*, const char*) {
      if constexpr (Spec.allocates == allocation::elements && Spec.linked_by != links::inside && Spec.lists != free_lists::none) {
        manager<Spec> tested(1, small_amounts());
        void* const block = tested.allocate(staff[0], task_kind);
        const std::uint64_t before = tested.peak_bytes();
        {
          const memory_runs_out planted(0);
          tested.release(staff[0], task_kind, block);
        }
        EXPECT_EQ(tested.peak_bytes(), before - 48) << name;
        ++tried;
      }
    });
  });
  EXPECT_GT(tried, 0u);
}

/// `clf`, which sees by a hint whether its central list has blocks. A worker's list has two at most, and hands one over.
struct hinted {
  void* allocate(unsigned id) { return tested.allocate(staff[id], task_kind); }
  void release(unsigned id, void* block) { tested.release(staff[id], task_kind, block); }
  std::uint64_t requests() const { return staff.sum(trace::counter::system_allocations); }
  std::uint64_t locks() const { return staff.sum(trace::counter::central_locks); }

  crew staff{2};
  manager<clf> tested{2, {.block_bytes = {32, 32, 32}, .elements_per_block = 2, .elements_per_list = 2, .local_limit = 2}};
};

TEST(managers, see_that_a_first_block_was_handed_over_and_that_it_is_gone) {
  on_this_side([] {
    hinted with;
    void* blocks[5];
    for (unsigned each = 0; each < 3; ++each) blocks[each] = with.allocate(0);
    for (unsigned each = 0; each < 3; ++each) with.release(1, blocks[each]);
    EXPECT_EQ(with.locks(), 1u) << "one was handed over";
    blocks[3] = with.allocate(0);
    EXPECT_EQ(with.requests(), 3u) << "it is taken";
    EXPECT_EQ(with.locks(), 2u);
    blocks[4] = with.allocate(0);
    EXPECT_EQ(with.requests(), 4u);
    EXPECT_EQ(with.locks(), 2u) << "that there is no other one is seen without the lock";
    for (unsigned each = 3; each < 5; ++each) with.release(0, blocks[each]);
  });
}

#ifdef TEFF_SIMULATED
/// One worker takes the last block of the central list while the other one hands one over. Whoever was first, the first one finds
/// what was handed over when it asks again: in its own list, or in the central one, which must not be said to be empty for good.
TEST(managers, see_what_is_handed_over_while_the_last_block_is_taken_in_every_schedule) {
  std::uint64_t new_requests = 0;
  sim::options wanted;
  wanted.preemptions_at_most = 4;
  const sim::exploration found = sim::explore(
      wanted,
      [&] {
        hinted with;
        void* blocks[6] = {};
        for (unsigned each = 0; each < 4; ++each) blocks[each] = with.allocate(0);
        for (unsigned each = 0; each < 3; ++each) with.release(1, blocks[each]);
        run_on_each(2, [&](unsigned me) {
          if (me == 0) blocks[4] = with.allocate(0);
          else with.release(1, blocks[3]);
        });
        const std::uint64_t before = with.requests();
        blocks[5] = with.allocate(0);
        new_requests = with.requests() - before;
        for (unsigned each = 4; each < 6; ++each) with.release(0, blocks[each]);
      },
      [&] { return new_requests == 0; });
  EXPECT_TRUE(found.failure.empty()) << found.failure.substr(0, 1'000);
  EXPECT_TRUE(found.complete);
}
#endif

TEST(managers, are_the_same_behind_their_table) {
  on_this_side([] {
    crew staff(1);
    for_each_manager([&]<spec Spec>(const char* name, const char*, const char*) {
      memory behind(new manager<Spec>(1, small_amounts()));
      void* block = behind.allocate(staff[0], task_kind);
      ASSERT_NE(block, nullptr) << name;
      std::memset(block, 1, 48);
      behind.release(staff[0], task_kind, block);
      EXPECT_GE(behind.peak_bytes(), 48u) << name;
    });
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::mem
