// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What queues and managers declare of their plain memory: who takes what another worker put pays for its lines. A line that is
/// read first, and then written, is paid for twice: for a copy, and for being its only holder.
#include "sim/sim.h"
#include "subjects.h"

#include <functional>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::queue {
namespace {

constexpr unsigned transfer = 1'000;  // more than all hits of a test together

sim::options timed(bool plain_memory_costs) {
  sim::options wanted;
  wanted.processors_at_most = 2;
  sim::machine_description& machine = wanted.machine;
  machine.cycles_per_ns = 1;
  machine.level[0].transfer = machine.level[1].transfer = transfer;
  machine.plain_hit = plain_memory_costs ? 1 : 0;
  machine.put_or_get = machine.system_allocation = machine.system_release = machine.page_touch = 0;
  return wanted;
}

/// What both workers of a test use.
struct exchange {
  virtual ~exchange() = default;
  virtual void give(worker& current) = 0;
  virtual void take(worker& current) = 0;
};

/// Returns: how many transfers the second worker, which takes, pays for what the first one gives, beyond those of atomics.
std::uint64_t transfers(const std::function<std::unique_ptr<exchange>(surroundings&)>& make) {
  const auto time = [&](bool plain_memory_costs) {
    std::uint64_t took = 0;
    const sim::outcome ended = sim::simulate(timed(plain_memory_costs), [&] {
      surroundings around(2);
      const auto between = make(around);
      platform::atomic<std::uint32_t> given{0};
      run_on_each(2, [&](unsigned me) {
        if (me == 0) {
          between->give(around.staff[0]);
          given.store(1, platform::release);
          return;
        }
        platform::spin_until(given, [](std::uint32_t done) { return done != 0; }, "what is given");
        const std::uint64_t before = platform::now_ns();
        between->take(around.staff[1]);
        took = platform::now_ns() - before;
      });
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
    return took;
  };
  return (time(true) - time(false)) / transfer;
}

template <class Queue>
struct eight_tasks final : exchange {
  explicit eight_tasks(surroundings& around) : queue({.memory = around.memory, .capacity = 8}) {}
  void give(worker& current) override {
    for (std::uintptr_t number = 1; number <= 8; ++number) queue.push(current, numbered(number));
  }
  void take(worker& current) override {
    task taken;
    for (std::uintptr_t number = 8; number >= 1; --number) {
      ASSERT_EQ(queue.template pop<end::working>(current, taken), steal_result::got);
      ASSERT_EQ(number_of(taken), number);
    }
  }
  Queue queue;
};
template <class Exchange>
std::uint64_t transfers_of() {
  return transfers([](surroundings& around) { return std::make_unique<Exchange>(around); });
}

TEST(declared, lists_have_a_line_for_each_task_and_arrays_one_for_four) {
  EXPECT_EQ(transfers_of<eight_tasks<locked<list_storage<lifo_list>>>>(), 2u * 8) << "read, then in a free list";
  EXPECT_EQ(transfers_of<eight_tasks<locked<list_storage<deque_list>>>>(), 2u + 7) << "the older one's links are written at once";
  EXPECT_EQ(transfers_of<eight_tasks<locked<list_storage<loose_list>>>>(), 2u * 8) << "as where links lead one way";
  EXPECT_EQ(transfers_of<eight_tasks<locked<array_storage>>>(), 3u) << "a line has room for three beside the array's head";
}

/// The second worker puts behind, or takes, one of two tasks of the first one's: what it touches with the lock held.
template <class Queue, bool Puts>
struct one_of_two final : exchange {
  explicit one_of_two(surroundings& around) : queue({.memory = around.memory, .capacity = 8}), around_(around) {}
  ~one_of_two() override {
    task taken;
    while (queue.template pop<end::working>(around_.staff[0], taken) == steal_result::got) {
    }
  }
  void give(worker& current) override {
    for (std::uintptr_t number = 1; number <= 2; ++number) queue.push(current, numbered(number));
  }
  void take(worker& current) override {
    task taken;
    if (Puts) ASSERT_EQ(queue.push(current, numbered(3)), push_result::added);
    else ASSERT_EQ(queue.template pop<end::working>(current, taken), steal_result::got);
  }
  Queue queue;
  surroundings& around_;
};
template <class Queue>
constexpr auto to_put = [] { return transfers_of<one_of_two<Queue, true>>(); };
template <class Queue>
constexpr auto to_take = [] { return transfers_of<one_of_two<Queue, false>>(); };

TEST(declared, who_takes_from_a_loose_list_leaves_the_task_behind_alone) {
  using deque = locked<list_storage<deque_list>>;
  using loose = locked<list_storage<loose_list>>;
  EXPECT_EQ(to_put<loose>(), to_put<deque>());
  EXPECT_EQ(to_take<loose>(), 2u) << "the task's line is read, then in a free list";
  EXPECT_EQ(to_take<deque>(), 3u) << "and the links of the one behind are written";
}

/// Eight tasks at once, of which the first is the thief's and the others go to its own queue.
struct chunk_of_eight final : exchange {
  using queue_type = locked<list_storage<loose_list>>;
  explicit chunk_of_eight(surroundings& around)
      : from({.memory = around.memory}), own({.memory = around.memory}), around_(around) {}
  ~chunk_of_eight() override {
    task taken;
    while (own.pop<end::working>(around_.staff[1], taken) == steal_result::got) {
    }
  }
  void give(worker& current) override {
    for (std::uintptr_t number = 1; number <= 8; ++number) from.push(current, numbered(number));
  }
  void take(worker& current) override {
    task taken;
    std::size_t more = 7;
    ASSERT_EQ(from.pop_several(current, taken, more, own), steal_result::got);
    ASSERT_EQ(more, 7u);
    ASSERT_EQ(number_of(taken), 1u);
  }
  queue_type from, own;
  surroundings& around_;
};

TEST(declared, a_thief_cuts_its_chunk_off) {
  EXPECT_EQ(transfers_of<chunk_of_eight>(), 7u + 1) << "a line is read for each task but the last, and its own is in a free list";
}

/// Four of eight tasks, of which three go behind one that the thief has; what stays behind is in order.
struct half_of_eight final : exchange {
  using queue_type = chunk_of_eight::queue_type;
  explicit half_of_eight(surroundings& around)
      : from({.memory = around.memory}), own({.memory = around.memory}), around_(around) {}
  ~half_of_eight() override {
    for (std::uintptr_t number : {5, 6, 7, 8}) EXPECT_EQ(next<end::opposite>(from), number);
    for (std::uintptr_t number : {9, 2, 3, 4}) EXPECT_EQ(next<end::opposite>(own), number);
  }
  void give(worker& current) override {
    for (std::uintptr_t number = 1; number <= 8; ++number) from.push(current, numbered(number));
  }
  void take(worker& current) override {
    own.push(current, numbered(9));
    task taken;
    std::size_t more = 3;
    ASSERT_EQ(from.pop_several(current, taken, more, own), steal_result::got);
    ASSERT_EQ(more, 3u);
    ASSERT_EQ(number_of(taken), 1u);
  }
  template <end From>
  std::uintptr_t next(queue_type& queue) {
    task taken;
    return queue.template pop<From>(around_.staff[1], taken) == steal_result::got ? number_of(taken) : 0;
  }
  queue_type from, own;
  surroundings& around_;
};

TEST(declared, a_thief_leaves_the_lines_of_what_stays_behind_alone) {
  EXPECT_EQ(transfers_of<half_of_eight>(), 4u + 2) << "a line is read for each task; its own is in a free list; the next one's is written";
}

struct four_blocks final : exchange {
  explicit four_blocks(surroundings& around) : memory(around.memory) {}
  void give(worker& current) override {
    for (unsigned each = 0; each < 4; ++each)
      queue.push(::new (memory.allocate(current, mem::block_kind::task)) task_block{.count = 1});
  }
  void take(worker& current) override {
    task_block* first = nullptr;
    for (unsigned each = 0; each < 4; ++each) {
      ASSERT_EQ(queue.pop(1, first, [](task_block*) {}), steal_result::got);
      memory.release(current, mem::block_kind::task, first);
    }
  }
  mem::memory& memory;
  shared_blocks queue{platform::lock_kind::mutex};
};

TEST(declared, blocks_have_a_line_for_each_block) { EXPECT_EQ(transfers_of<four_blocks>(), 2u + 3) << "as in a list both ways"; }

/// Eight blocks of the manager's, released by one worker and allocated by another one.
template <mem::spec Spec>
struct eight_blocks final : exchange {
  explicit eight_blocks(surroundings&) : memory(new mem::manager<Spec>(2, sizes())) {}
  static mem::amounts sizes() {
    mem::amounts sizes = block_sizes();
    sizes.local_limit = 2;
    return sizes;
  }
  void give(worker& current) override {
    for (void*& each : blocks) each = memory.allocate(current, mem::block_kind::task);
    for (void* const each : blocks) memory.release(current, mem::block_kind::task, each);
  }
  void take(worker& current) override {
    for (void*& each : blocks) each = memory.allocate(current, mem::block_kind::task);
    for (void* const each : blocks) memory.release(current, mem::block_kind::task, each);
  }
  mem::memory memory;
  void* blocks[8] = {};
};

TEST(declared, free_blocks_are_touched_where_links_lie_inside_of_them_and_items_where_these_link) {
  EXPECT_EQ(transfers_of<eight_blocks<mem::l>>(), 2u * 2) << "an item has a quarter of a line";
  EXPECT_EQ(transfers_of<eight_blocks<mem::clf>>(), 2u * 6) << "two have stayed with who released them";
  EXPECT_EQ(transfers_of<eight_blocks<mem::dlf>>(), 0u) << "all have";
  EXPECT_EQ(transfers_of<eight_blocks<mem::bs>>(), 0u) << "the system has them";
}

/// Eight tasks from outside, whose nodes have a line each, of which one is looked for.
template <std::uintptr_t Wanted>
struct eight_from_outside final : exchange {
  explicit eight_from_outside(surroundings&) {}
  ~eight_from_outside() override {
    for (void* const each : others) platform::system_release(each, cache_line_bytes);
  }
  void give(worker&) override {
    for (std::uintptr_t number = 1; number <= 8; ++number) {
      void* const block = others.emplace_back(platform::system_allocate(cache_line_bytes, cache_line_bytes));
      auto* const made = ::new (block) inbox::node;
      platform::touch(made, sizeof *made, platform::to_write);
      made->held = numbered(number);
      from_outside.push(*made);
    }
  }
  void take(worker&) override {
    task taken;
    ASSERT_TRUE(from_outside.take_if([](const task& each) { return number_of(each) == Wanted; }, taken));
    ASSERT_EQ(number_of(taken), Wanted);
  }
  inbox from_outside;
  std::vector<void*> others;
};

TEST(declared, who_looks_through_an_inbox_reads_each_node_and_writes_the_link_before_what_it_takes) {
  EXPECT_EQ(transfers_of<eight_from_outside<1>>(), 1u);
  EXPECT_EQ(transfers_of<eight_from_outside<2>>(), 2u + 1);
  EXPECT_EQ(transfers_of<eight_from_outside<8>>(), 8u + 1);
}

/// The second one's node comes behind the first one's.
struct one_behind_another final : exchange {
  explicit one_behind_another(surroundings&) {}
  void give(worker&) override { make(); }
  void take(worker&) override { from_outside.push(*nodes[1]); }
  void make() {
    for (inbox::node*& each : nodes) {
      each = ::new (platform::system_allocate(cache_line_bytes, cache_line_bytes)) inbox::node;
      platform::touch(each, sizeof *each, platform::to_write);
    }
    from_outside.push(*nodes[0]);
  }
  ~one_behind_another() override {
    for (inbox::node* const each : nodes) platform::system_release(each, cache_line_bytes);
  }
  inbox from_outside;
  inbox::node* nodes[2] = {};
};

TEST(declared, who_puts_a_node_into_an_inbox_writes_its_link_and_that_of_the_one_before) {
  EXPECT_EQ(transfers_of<one_behind_another>(), 2u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
