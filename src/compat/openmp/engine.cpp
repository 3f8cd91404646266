// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/engine.h"

#include "compat/openmp/node.h"
#include "platform/tuning.h"
#include "pool/catalogue.h"

#include <algorithm>
#include <new>
#include <type_traits>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

namespace {

mem::amounts amounts_for(std::size_t task_block_bytes) {
  mem::amounts sizes;
  const std::size_t unit = alignof(std::max_align_t);
  sizes.block_bytes[static_cast<std::size_t>(mem::block_kind::task)] =
      std::max(unit, (task_block_bytes + unit - 1) / unit * unit);
  return sizes;
}

struct one_of {
  const descendants& wanted;
  unsigned* steps_left;  ///< of the whole look; nullptr: any number
  bool operator()(const task& candidate) const {
    return wanted.have(static_cast<const task_block*>(candidate.argument), steps_left);
  }
};

/// The same for a look at the ends of queues: so few tasks that each has steps of its own.
struct one_at_an_end {
  const descendants& wanted;
  bool operator()(const task& candidate) const {
    unsigned steps = tuning::ancestors_per_look;
    return one_of{wanted, &steps}(candidate);
  }
};

pool::worker_places places_of(unsigned workers, pool::domain_grid wanted, std::span<const unsigned> bound_to) {
  constexpr unsigned alone[] = {0};
  if (workers == 1) return pool::worker_places(alone);  // nobody is near or far, and the machine need not be looked at
  if (wanted.is_machines() && !bound_to.empty()) return {bound_to, wanted};
  return {workers, wanted.is_machines() || wanted.places() >= workers ? wanted : pool::domain_grid{}};
}

template <pool::task_pool Pool>
class engine_of final : public engine {
 public:
  engine_of(unsigned workers, const pool::settings& set, std::span<const unsigned> bound_to,
            const platform::atomic<std::uint32_t>& sleepers)
      : set_(set),
        places_(places_of(workers, set.domains, bound_to)),
        memory_(new mem::manager<mem::standard>(workers, amounts_for(Pool::traits.block_bytes(set_)))),
        pool_(pool::environment{workers, memory_, set_, places_, 1, &sleepers, true}) {}

  pool::get_result get(worker& current, task& next, pool::reach how) override {
    if (how == pool::reach::force && !Pool::traits.looks_by_force) return pool::get_result::empty;
    return pool_.get(current, next, how);
  }

  pool::get_result take(worker& current, const descendants& wanted, task& taken, pool::reach how) override {
    if (how == pool::reach::passing && Pool::traits.looks_by_force) return pool_.take(current, one_at_an_end{wanted}, taken, how);
    unsigned steps = tuning::ancestors_per_look;
    // The children must be found, and in a taskgroup whatever they left. What else there is has a waiter that is nearer.
    const one_of any{wanted, wanted.all ? nullptr : &steps};
    const bool passes = how == pool::reach::passing && Pool::traits.looks_in_passing;
    const pool::get_result found = pool_.take(current, any, taken, passes ? how : pool::reach::whole);
    if (found.has_task() || how != pool::reach::force || !Pool::traits.looks_by_force) return found;
    steps = tuning::ancestors_per_look;
    // Pools that look by force advise to wake one, or none.
    const pool::get_result forced = pool_.take(current, any, taken, how);
    return {forced.what, forced.advised == pool::advice::wake_none ? found.advised : forced.advised};
  }

  pool::advice share(worker& current) override {
    if constexpr (pool::shares<Pool>) return pool_.share(current);
    else return pool::advice::wake_none;
  }

  queue::lane* lane([[maybe_unused]] worker& current) override {
    if constexpr (pool::has_lane<Pool>) return &pool_.lane(current);
    else return nullptr;
  }

  pool::advice put(worker& current, task ready, [[maybe_unused]] queue::pushed begun) override {
    if constexpr (pool::has_bound<Pool>)
      return pool_.put(current, ready, begun == queue::pushed::asked ? pool::put_step::rest : pool::put_step::beyond);
    else return pool_.put(current, ready);
  }

  void close([[maybe_unused]] worker& last) override {
    if constexpr (pool::closes<Pool>) pool_.close(last);
  }

 private:
  const pool::settings set_;
  const pool::worker_places places_;
  mem::memory memory_;
  Pool pool_;
};

}  // namespace

std::unique_ptr<engine> make_engine(const std::string& pool, unsigned workers, const pool::settings& set,
                                    std::span<const unsigned> bound_to, const platform::atomic<std::uint32_t>& sleepers) {
  std::unique_ptr<engine> made;
  try {
    pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
      if (pool == each.name) made = std::make_unique<engine_of<Pool>>(workers, set, bound_to, sleepers);
    });
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return made;
}

}  // namespace TEFF_NAMESPACE::openmp
