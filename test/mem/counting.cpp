// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The book around a memory manager finds what its user, or the manager, does wrong.
#include "ledger.h"

#include "mem/wrap/counting.h"
#include "test/support/sides.h"

#include <string>
#include <vector>

namespace TEFF_NAMESPACE::mem::wrap {
namespace {

using testing_support::crew;
using testing_support::memory_runs_out;
using testing_support::on_this_side;
using testing_support::run_on_each;

memory around(block_book& book, unsigned workers = 1) {
  return counted(memory(new manager<dlf>(workers, small_amounts())), book);
}

/// Returns: what the book says after `misuse` and the manager's end.
template <class Misuse>
std::string problem_after(Misuse misuse) {
  std::string problem;
  on_this_side([&] {
    block_book book;
    crew staff(1);
    {
      memory tried = around(book);
      misuse(tried, staff[0]);
    }
    problem = book.problem();
  });
  return problem;
}

TEST(block_book, is_content_with_good_use) {
  EXPECT_EQ(problem_after([](memory& tried, worker& current) {
              for (int round = 0; round < 3; ++round) {
                std::vector<void*> held;
                for (int i = 0; i < 10; ++i) held.push_back(tried.allocate(current, block_kind::task));
                for (void* each : held) tried.release(current, block_kind::task, each);
              }
              EXPECT_GT(tried.peak_bytes(), 0u);
            }),
            "");
}

TEST(block_book, finds_leaks) {
  // A manager with chunks takes its memory with it, so that only the book knows.
  on_this_side([] {
    block_book book;
    crew staff(1);
    {
      memory tried = counted(memory(new manager<dgbkof>(1, small_amounts())), book);
      tried.allocate(staff[0], block_kind::task);
      tried.allocate(staff[0], block_kind::argument);
      EXPECT_EQ(book.blocks_out(), 2u);
    }
    EXPECT_EQ(book.problem(), "2 blocks were not given back");
    EXPECT_EQ(book.now().leaked, 2u);
  });
}

TEST(block_book, finds_double_frees_and_keeps_them_from_the_manager) {
  EXPECT_EQ(problem_after([](memory& tried, worker& current) {
              void* const block = tried.allocate(current, block_kind::task);
              tried.release(current, block_kind::task, block);
              tried.release(current, block_kind::task, block);
              // Had it been listed twice, it would be given to two owners.
              void* const first = tried.allocate(current, block_kind::task);
              void* const second = tried.allocate(current, block_kind::task);
              EXPECT_NE(first, second);
              tried.release(current, block_kind::task, first);
              tried.release(current, block_kind::task, second);
            }),
            "1 blocks were given back twice");
}

TEST(block_book, finds_foreign_blocks) {
  EXPECT_EQ(problem_after([](memory& tried, worker& current) {
              alignas(std::max_align_t) unsigned char foreign[64];
              tried.release(current, block_kind::task, foreign);
            }),
            "1 blocks were given back that the manager never gave");
}

TEST(block_book, finds_the_wrong_kind_and_repairs_it) {
  EXPECT_EQ(problem_after([](memory& tried, worker& current) {
              void* const block = tried.allocate(current, block_kind::task);
              tried.release(current, block_kind::argument, block);
              EXPECT_EQ(tried.allocate(current, block_kind::task), block);
              tried.release(current, block_kind::task, block);
            }),
            "1 blocks were given back as another kind");
}

TEST(block_book, finds_a_manager_that_gives_a_block_twice) {
  static constexpr operations same_block{
      [](void* self, worker&, block_kind) { return self; },
      [](void*, worker&, block_kind, void*) {},
      [](const void*) { return std::uint64_t{0}; },
      [](void*) {},
  };
  on_this_side([] {
    block_book book;
    crew staff(1);
    int only = 0;
    {
      memory tried = counted(memory(&only, same_block), book);
      void* const block = tried.allocate(staff[0], block_kind::task);
      tried.allocate(staff[0], block_kind::task);
      tried.release(staff[0], block_kind::task, block);
    }
    EXPECT_EQ(book.problem(), "1 blocks were given to two owners at once");
  });
}

TEST(block_book, counts_refusals_and_all_workers) {
  on_this_side([] {
    block_book book;
    {
      crew staff(3);
      memory tried = around(book, 3);
      run_on_each(3, [&](unsigned me) {
        for (int i = 0; i < 100; ++i) {
          tried.release(staff[me], block_kind::argument, tried.allocate(staff[me], block_kind::argument));
        }
      });
      const memory_runs_out planted(0);
      EXPECT_EQ(tried.allocate(staff[0], block_kind::task), nullptr);
    }
    EXPECT_EQ(book.now().allocated, 300u);
    EXPECT_EQ(book.now().released, 300u);
    EXPECT_EQ(book.now().refused, 1u);
    EXPECT_EQ(book.problem(), "");
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::mem::wrap
