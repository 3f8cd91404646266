// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "subject.h"

namespace TEFF_NAMESPACE::conformance {

namespace {

pool::settings in_domains(pool::domain_grid wanted) {
  pool::settings set;
  set.domains = wanted;
  return set;
}

}  // namespace

subject::subject(const trial& of, const plan& how, findings& found, pool::wake_policy wake, pool::wait_policy wait)
    : dressed_(of.dressed),
      found_(found),
      set_(in_domains(how.domains)),
      instruments_{&numbers_, nullptr, &violations_, &how.planted} {
  const workers::team_shape shape{.workers = how.workers, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = wake, .wait = wait};
  team_ = of.make_team(
      shape, set_,
      [&](unsigned workers, std::size_t task_block_bytes) {
        // Small amounts, so that blocks are used up and lists are handed over often.
        mem::amounts sizes;
        sizes.elements_per_block = 8;
        sizes.elements_per_list = 32;
        sizes.local_limit = 4;
        mem::memory plain = runtime::make_memory(how.memory, workers, task_block_bytes, 64, sizes);
        return dressed_ == dressing::checked ? mem::wrap::counted(std::move(plain), blocks_) : std::move(plain);
      },
      instruments_);
}

subject::~subject() {
  // What runs first because of the bound is never put; a creator that keeps its worker goes on without the pool.
  const auto puts = value(trace::counter::puts) - value(trace::counter::run_first), inits = value(trace::counter::inits);
  team_.reset();
  if (dressed_ == dressing::bare) return;
  found_.expect_none(violations_.first());
  found_.expect_none(blocks_.problem());
  found_.expect_none(numbers_.add_up(0));
  using pool::wrap::answer;
  using pool::wrap::operation;
  found_.expect(numbers_.calls(operation::put) - numbers_.value(operation::put, answer::full) == puts,
                "the pool saw other puts than the team counted");
  found_.expect(numbers_.calls(operation::init) - numbers_.value(operation::init, answer::refused) == inits,
                "the pool saw other initial tasks than the team counted");
}

void subject::run() {
  const auto result = team().run();
  found_.expect(result == workers::run_result::finished, "the run is stuck: tasks are left that no worker can get");
  using enum trace::counter;
  found_.expect(value(tasks_run) == value(puts) + value(inits) + value(injections),
                "tasks_run is " + std::to_string(value(tasks_run)) + ", but puts, inits and injections are " +
                    std::to_string(value(puts) + value(inits) + value(injections)));
  found_.expect(value(steal_attempts) == value(steals_got) + value(steals_empty) + value(steals_lost),
                "steal attempts are not the sum of those that got, found nothing, and lost");
  found_.expect(value(tasks_stolen) >= value(steals_got), "fewer tasks were stolen than steals succeeded");
}

}  // namespace TEFF_NAMESPACE::conformance
