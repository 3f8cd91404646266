// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions that tasks take part in: what each of them adds is there once, whoever ran it, and no two members have one copy.
#include "scenes_of_reductions.h"

#include "constructs.h"

#include <cstddef>

extern "C" {
void GOMP_taskgroup_reduction_register(std::uintptr_t* words);
void GOMP_taskgroup_reduction_unregister(std::uintptr_t* words);
void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** addresses);
unsigned GOMP_parallel_reductions(outlined*, void* data, unsigned threads, unsigned flags);
void GOMP_workshare_task_reduction_unregister(bool cancelled);
bool GOMP_loop_start(long start, long end, long step, long kind, long chunk, long* from, long* to, std::uintptr_t* reductions,
                     void** memory);
void GOMP_scope_start(std::uintptr_t* reductions);
}

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

counter steps{0};

/// In pieces, so that another member may come between them; who shared the copy would lose what it adds.
void add_to(long& copy) {
  const long before = copy;
  add(steps);
  copy = before + 1;
}

/// Returns: the calling member's copy.
long& copy_of(long& variable) {
  void* address = &variable;
  GOMP_task_reduction_remap(1, 0, &address);
  return *static_cast<long*>(address);
}

/// What gcc keeps of the reduction over one variable or two.
template <std::size_t Count>
struct reduction {
  static constexpr std::size_t first = 7, bytes = 64;
  std::uintptr_t words[first + 3 * Count]{};

  template <class... Variables>
  explicit reduction(Variables&... all) {
    words[0] = Count;
    words[1] = words[2] = bytes;
    words[3] = ~std::uintptr_t{0};
    std::size_t at = first, offset = 0;
    ((words[at] = reinterpret_cast<std::uintptr_t>(&all), words[at + 1] = offset, at += 3, offset += sizeof(long)), ...);
  }
  /// Effect: adds what the members' copies hold to the variables.
  void combine(unsigned members) const {
    for (unsigned each = 0; each < members; ++each) {
      const auto* const copies = reinterpret_cast<const long*>(words[2] + words[1] * each);
      for (std::size_t number = 0; number < Count; ++number)
        *reinterpret_cast<long*>(words[first + 3 * number]) += copies[number];
    }
  }
};
template <class... Variables>
reduction(Variables&...) -> reduction<sizeof...(Variables)>;

/// `#pragma omp taskgroup task_reduction(+ : all)`.
template <class Body, class... Variables>
void reducing_group(unsigned members, Body body, Variables&... all) {
  reduction own(all...);
  GOMP_taskgroup_start();
  GOMP_taskgroup_reduction_register(own.words);
  body();
  GOMP_taskgroup_end();
  own.combine(members);
  GOMP_taskgroup_reduction_unregister(own.words);
}

void grow(long& sum, unsigned levels) {
  add_to(copy_of(sum));
  for (unsigned child = 0; levels > 0 && child < 2; ++child) task([&sum, levels] { grow(sum, levels - 1); });
}

/// Below one another, by the variable and by the copy of whoever ran the parent.
void grow_from_copies(long& sum, unsigned levels) {
  long& own = copy_of(sum);
  add_to(own);
  for (unsigned child = 0; levels > 0 && child < 2; ++child) task([&own, levels] { grow_from_copies(own, levels - 1); });
}

void reductions_of_trees(unsigned members) {
  long sum = 3, other = 4;
  parallel(members, [&] {
    single_nowait([&] {
      reducing_group(
          members,
          [&] {
            grow(sum, 2);
            task_at_once([&other] { grow_from_copies(other, 2); });
          },
          sum, other);
      expect(sum == 3 + 7 && other == 4 + 7, "a reduction over tasks lost what one has added, or has it twice");
    });
  });
}

/// Two arrays of words on one group, registered one behind the other.
void two_reductions_of_a_group(unsigned members) {
  long first = 1, second = 2;
  parallel(members, [&] {
    single_nowait([&] {
      reduction other(second);
      reducing_group(
          members,
          [&] {
            GOMP_taskgroup_reduction_register(other.words);
            grow(first, 1);
            grow(second, 1);
          },
          first);
      other.combine(members);
      GOMP_taskgroup_reduction_unregister(other.words);
      expect(first == 4 && second == 5, "of two reductions of one group one lost what a task has added");
    });
  });
}

/// An inner group has a variable of its own, and the outer one's copy as its variable; one without any is in between.
void reductions_in_reductions(unsigned members) {
  long sum = 0;
  parallel(members, [&] {
    single_nowait([&] {
      reducing_group(
          members,
          [&] {
            for (unsigned each = 0; each < 2; ++each)
              task([&sum, members] {
                long inner = 0, &own = copy_of(sum);
                reducing_group(
                    members,
                    [&] {
                      for (unsigned child = 0; child < 2; ++child)
                        task([&inner, &sum] {
                          add_to(copy_of(inner));
                          taskgroup([&] { task([&inner, &sum] { add_to(copy_of(sum)), add_to(copy_of(inner)); }); });
                        });
                    },
                    inner);
                expect(inner == 4, "an inner reduction lost what a task has added");
                reducing_group(
                    members,
                    [&] {
                      for (unsigned child = 0; child < 2; ++child) task([&own] { add_to(copy_of(own)); });
                    },
                    own);
              });
          },
          sum);
      expect(sum == 8, "an outer reduction lost what a task of an inner group has added");
    });
  });
}

/// Groups of several members at once, one behind the other: none sees what is left of another one's copies.
void reductions_in_a_row(unsigned members) {
  parallel(members, [&] {
    for (unsigned round = 0; round < 2; ++round) {
      long sum = 0;
      reducing_group(
          members,
          [&] {
            for (unsigned each = 0; each < 2; ++each) task([&sum] { grow(sum, 1); });
          },
          sum);
      expect(sum == 6, "of reductions in a row one lost what a task has added");
    }
  });
}

/// `#pragma omp taskloop reduction(+ : sum)`, which begins and ends the group itself.
void reducing_taskloops(unsigned members) {
  long sum = 0;
  parallel(members, [&] {
    single_nowait([&] {
      for (const long count : {5L, 0L}) {
        reduction own(sum);
        // Behind the bounds, which the library writes, gcc has the words.
        struct arguments {
          long from, to;
          std::uintptr_t* words;
          long* sum;
        } data{0, 0, own.words, &sum};
        constexpr unsigned up = 1 << 8, grainsize = 1 << 9, if_true = 1 << 10, reduces = 1 << 12;
        GOMP_taskloop(
            [](void* given) {
              auto& mine = *static_cast<arguments*>(given);
              for (long at = mine.from; at < mine.to; ++at) add_to(copy_of(*mine.sum));
            },
            &data, nullptr, sizeof data, alignof(arguments), up | grainsize | if_true | reduces, 1, 0, 0, count, 1);
        if (own.words[2] != 0) {  // some iterations
          own.combine(members);
          GOMP_taskgroup_reduction_unregister(own.words);
        }
        expect(sum == 5, "a taskloop's reduction lost what a task has added");
      }
    });
  });
}

struct region_data {
  std::uintptr_t* words;
  long* sum;
  unsigned members;
};

void reductions_of_regions(unsigned members) {
  for (long round = 0; round < 2; ++round) {
    long sum = 5;
    reduction own(sum);
    region_data data{own.words, &sum, members};
    const unsigned came = GOMP_parallel_reductions(
        [](void* given) {
          auto& all = *static_cast<region_data*>(given);
          long& mine = copy_of(*all.sum);
          add_to(mine);
          for (unsigned each = 0; each < 2; ++each) task([&all] { grow(*all.sum, 1); });
          GOMP_barrier();
          task([&mine] { grow_from_copies(mine, 1); });
        },
        &data, members, 0);
    expect(came == members, "a region with a reduction does not say of how many members it was");
    own.combine(came);
    GOMP_taskgroup_reduction_unregister(own.words);
    expect(sum == 5 + static_cast<long>(members) * 10, "a region's reduction lost what a task has added");
  }
}

/// `#pragma omp for reduction(task, + : sum)`, or without iterations a scope: what gcc has behind it is the same.
template <class Body>
void end_of_worksharing(const reduction<1>& own, unsigned members, Body expect_result) {
  GOMP_barrier();
  if (number() == 0) own.combine(members);
  GOMP_workshare_task_reduction_unregister(false);
  expect_result();
}

/// One behind the other: the second has memory that the first may have given back.
void reductions_of_loops(unsigned members) {
  long sums[2] = {0, 0};
  parallel(members, [&] {
    for (long& sum : sums) {
      reduction own(sum);
      constexpr long any_dynamic = 2;
      long from = 0, to = 0;
      for (bool more = GOMP_loop_start(0, 5, 1, any_dynamic, 1, &from, &to, own.words, nullptr); more;
           more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
        add_to(copy_of(sum));
        task([&sum] { grow(sum, 1); });
      }
      end_of_worksharing(own, members,
                         [&sum] { expect(sum == 20, "a member went on from a loop before its reduction was done"); });
    }
  });
}

/// Loops inside of a scope come and go: it keeps its copies.
void a_reduction_of_a_scope(unsigned members) {
  long sum = 0;
  parallel(members, [&] {
    reduction own(sum);
    GOMP_scope_start(own.words);
    for (unsigned round = 0; round < 3; ++round)
      loop_nowait(dynamic, 3, [&sum](long) { task([&sum] { add_to(copy_of(sum)); }); });
    add_to(copy_of(sum));
    end_of_worksharing(own, members, [&] {
      expect(sum == 9 + static_cast<long>(members), "a scope with loops in it lost what a task has added");
    });
  });
}

/// What a cancelled group comes to is what those of its tasks have added that ran; the next one is whole.
void reductions_of_cancelled_groups(unsigned members) {
  constexpr int group = 8;
  long sum = 0;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      reducing_group(
          members,
          [&] {
            for (unsigned each = 0; each < 5; ++each)
              task([&sum, &ran, each] {
                add_to(copy_of(sum));
                add(ran);
                if (each == 1) GOMP_cancel(group, true);
              });
          },
          sum);
      expect(sum == static_cast<long>(read(ran)), "of a cancelled taskgroup not all is added that its tasks have come to");
      sum = 0;
      reducing_group(members, [&] { grow(sum, 1); }, sum);
      expect(sum == 3, "a reduction behind a cancelled one has something of it");
    });
  });
}

/// Of a long chain, whose steps take part after they have made the next one, so that each looks all the way up.
void step_that_adds(long& sum, unsigned left) {
  if (left > 0) task([&sum, left] { step_that_adds(sum, left - 1); });
  for (unsigned looks = 0; looks < left % 4; ++looks) add_to(copy_of(sum));
}
void a_reduction_of_a_long_chain(unsigned members) {
  constexpr unsigned steps = 32;
  long sum = 0;
  parallel(members, [&] { single_nowait([&] { reducing_group(members, [&] { step_that_adds(sum, steps - 1); }, sum); }); });
  expect(sum == steps / 4 * 6, "a reduction over a long chain has not what its tasks have added");
}

constexpr scene all_with_reductions[] = {
    {"reductions_of_trees", 3, reductions_of_trees},
    {"reductions_of_trees_of_one", 1, reductions_of_trees},
    {"two_reductions_of_a_group", 2, two_reductions_of_a_group},
    {"reductions_in_reductions", 3, reductions_in_reductions},
    {"reductions_in_a_row", 3, reductions_in_a_row},
    {"reducing_taskloops", 3, reducing_taskloops},
    {"reductions_of_regions", 3, reductions_of_regions},
    {"reductions_of_loops", 3, reductions_of_loops},
    {"a_reduction_of_a_scope", 3, a_reduction_of_a_scope},
    {"a_reduction_of_a_long_chain", 3, a_reduction_of_a_long_chain},
    {"reductions_of_cancelled_groups", 3, reductions_of_cancelled_groups, false, true},
};

}  // namespace

std::span<const scene> scenes_of_reductions() { return all_with_reductions; }

}  // namespace TEFF_NAMESPACE::testing_openmp
