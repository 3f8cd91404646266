// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/entrance.h"

#include "base/assert.h"
#include "queue/inbox.h"
#include "sync/event.h"
#include "worker/guest.h"

#include <new>
#include <utility>

namespace TEFF_NAMESPACE::runtime {

namespace {

/// What a caller waits for. Lies on its stack, with the node by which the task waits for a worker: a call needs no memory.
struct root {
  void (*function)(context& here, void* argument);
  void* argument;
  workers::guest caller{};
  sync::event done{false, sync::wait_policy::spin_then_block};
  queue::inbox::with_node waiting{{&run, this}};

  static void run(worker& current, void* pointer) {
    auto& self = *static_cast<root*>(pointer);
    context& here = *head(current).here;
    here.frame->begin(nullptr);
    self.function(here, self.argument);
    static_cast<workers::member&>(here.current()).team.end_on_caller(self.caller);
    self.done.set();  // it may be gone from here on
  }
};

}  // namespace

entrance::entrance(std::unique_ptr<workers::team_base> team) : team_(std::move(team)) {
  team_->open_source(true);
  if (!thread_.start(&thread_main, this, {})) team_->close_source();
}

entrance::~entrance() {
  if (!thread_.started()) return;
  team_->close_source();
  thread_.join();
}

void entrance::thread_main(void* self) { static_cast<entrance*>(self)->team_->run(); }

void entrance::call(void (*function)(context& here, void* argument), void* argument) {
  root made{function, argument};
  const task ready = made.waiting.ready();
  if (!thread_.started()) {
    if (!run_alone(ready)) throw std::bad_alloc();
    return;
  }
  if (!team_->run_on_caller({&root::run, &made}, made.caller) && !team_->inject(ready)) throw std::bad_alloc();
  made.done.wait();
}

bool entrance::put(task ready) { return thread_.started() ? team_->inject(ready) : run_alone(ready); }

bool entrance::run_alone(task root) {
  alone_.lock();
  const bool accepted = team_->init(root);
  const workers::run_result ended = accepted ? team_->run() : workers::run_result::finished;
  alone_.unlock();
  TEFF_REQUIRE(ended == workers::run_result::finished, "a call in the default team cannot end, as was said above");
  return accepted;
}

}  // namespace TEFF_NAMESPACE::runtime
