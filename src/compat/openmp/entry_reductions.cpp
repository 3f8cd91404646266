// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for reductions that tasks take part in.
#include "compat/openmp/entry.h"
#include "compat/openmp/groups.h"
#include "compat/openmp/reductions.h"
#include "compat/openmp/worksharing.h"

namespace TEFF_NAMESPACE::openmp {

/// gcc has begun the group.
TEFF_ENTRY void GOMP_taskgroup_reduction_register(std::uintptr_t* words) { begin_reductions(self(), words); }
/// Behind the group's end, or the region's, when gcc has combined the copies.
TEFF_ENTRY void GOMP_taskgroup_reduction_unregister(std::uintptr_t* words) { drop_copies(self(), words); }

TEFF_ENTRY void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** addresses) {
  find_copies(self(), count, originals, addresses);
}

namespace {

/// A region whose implicit tasks take part: each is in a taskgroup of its own, and all these have the same words.
struct reducing_region {
  task_function function;
  void* data;
  std::uintptr_t* words;
};

void run_reducing(void* region) {
  const auto& all = *static_cast<const reducing_region*>(region);
  member& current = self();
  begin_group(current).reductions = all.words;
  all.function(all.data);
}

/// The memory comes from the opener, who gives it back when it has combined the copies.
void make_copies_of_region(team& made, void* region) {
  make_copies(*made.opener, static_cast<reducing_region*>(region)->words, made.size);
}

}  // namespace

/// The data begin with where the words are. Returns: of how many members there are copies.
TEFF_ENTRY unsigned GOMP_parallel_reductions(task_function function, void* data, unsigned threads, unsigned flags) {
  std::uintptr_t* const words = *static_cast<std::uintptr_t**>(data);
  reducing_region all{function, data, words};
  run_region(run_reducing, &all, threads, flags, nullptr, make_copies_of_region);
  return static_cast<unsigned>((words[reduction_words::end] - words[reduction_words::copies]) / words[reduction_words::stride]);
}

TEFF_ENTRY void GOMP_scope_start(std::uintptr_t* words) {
  constexpr loop no_iterations;
  come_to_loop(no_iterations, words, nullptr);
}

/// gcc has a barrier before, behind which all tasks of the construct have ended, unless it was cancelled. Behind the barrier here
/// what was combined is everybody's.
TEFF_ENTRY void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  member& current = self();
  end_group(current);
  if (!cancelled) barrier(current);
}

}  // namespace TEFF_NAMESPACE::openmp
