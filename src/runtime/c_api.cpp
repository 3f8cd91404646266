// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// include/teff/teff.h on teams. Natively only.
#include "teff/teff.h"

#include "base/utf8.h"
#include "runtime/c_answer.h"
#include "runtime/make_team.h"
#include "teff/runtime.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

struct teff_team {
  std::unique_ptr<teff::workers::team_base> team;
};

namespace {

using teff::runtime::answered;

using teff::workers::member;
using teff::workers::run_result;
using teff::workers::team_base;

teff_worker* handle(teff::worker& of) { return reinterpret_cast<teff_worker*>(&of); }
member& behind(teff_worker* self) { return static_cast<member&>(*reinterpret_cast<teff::worker*>(self)); }

/// A task of a C program.
struct c_task {
  teff_function function;
  void* argument;
  void operator()(teff::context& here) const {
    here.frame->full()->code = reinterpret_cast<const void*>(function);
    here.frame->show(teff::task_frame::c_function);
    // The worker is asked for at the start of the task, on the thread that runs it.
    // A begin whose end is missing holds for its task, not for those that follow on this fiber.
    struct at_the_end {
      teff::context& here;
      const unsigned scopes = here.no_suspend_scopes;
      ~at_the_end() { here.no_suspend_scopes = scopes; }
    } guard{here};
    function(handle(*static_cast<teff::worker*>(teff::platform::current())), argument);
  }
};

/// Whether the calling thread is this worker, in a run.
bool is_current(const member& self) { return teff::platform::current() == static_cast<const teff::worker*>(&self); }

/// Returns: TEFF_OK if the caller is a task on this worker.
teff_status may_act(const member& self) {
  if (is_current(self)) return TEFF_OK;
  if (!self.team.is_of_this_process()) return TEFF_OTHER_PROCESS;
  return self.team.running() ? TEFF_NOT_THIS_WORKER : TEFF_NOT_NOW;
}

/// For a scope, a task that is set aside because it put too many others goes on on its own worker: C code keeps a handle on that.
class keeping_its_worker {
 public:
  explicit keeping_its_worker(teff::context& here) : here_(here) { ++here_.kept_handles; }
  ~keeping_its_worker() { --here_.kept_handles; }
  keeping_its_worker(const keeping_its_worker&) = delete;
  keeping_its_worker& operator=(const keeping_its_worker&) = delete;

 private:
  teff::context& here_;
};

/// Returns: TEFF_OK if the caller may use the worker's memory.
teff_status may_allocate(const member& self) {
  if (!self.team.is_of_this_process()) return TEFF_OTHER_PROCESS;
  return !self.team.running() || is_current(self) ? TEFF_OK : TEFF_NOT_THIS_WORKER;
}

std::vector<std::string> words_of(const char* text) {
  std::vector<std::string> words;
  std::istringstream stream(text != nullptr ? text : "");
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Returns: the team, or a sentence that says which word is wrong. Errors: std::bad_alloc.
std::unique_ptr<team_base> made_team(const char* pool, const char* memory, int workers, std::size_t argument_bytes,
                                     const char* settings, std::string& wrong) {
  if (workers < 0) {
    wrong = "the number of workers cannot be " + std::to_string(workers) + "; allowed: 1 … 256, or 0 for the usable processors";
    return nullptr;
  }
  teff::team_options wanted;
  if (pool != nullptr) wanted.pool = pool;
  if (memory != nullptr) wanted.memory = memory;
  wanted.workers = static_cast<unsigned>(workers);
  wanted.settings = words_of(settings);
  wanted.argument_bytes = std::max(argument_bytes, sizeof(c_task));
  teff::runtime::team_plan plan;
  wrong = teff::runtime::understand(wanted, plan);
  if (!wrong.empty()) return nullptr;
  auto made = teff::runtime::make_team(wanted, plan);
  if (made->workers() < plan.shape.workers) {
    wrong = "the system refused a thread: this team has " + std::to_string(made->workers()) + " workers instead of " +
            std::to_string(plan.shape.workers);
  }
  return made;
}

}  // namespace

extern "C" {

teff_status teff_create(teff_team** made, const char* pool, const char* memory, int workers, size_t argument_bytes,
                        const char* settings, char* message, size_t message_bytes) {
  if (made == nullptr) return TEFF_NULL_POINTER;
  *made = nullptr;
  std::string wrong;
  const teff_status found = answered([&] {
    auto team = made_team(pool, memory, workers, argument_bytes, settings, wrong);
    if (team == nullptr) return TEFF_UNKNOWN_NAME;
    *made = new teff_team{std::move(team)};
    return TEFF_OK;
  });
  if (message != nullptr && message_bytes > 0) {
    const std::string_view whole = wrong.empty() ? teff_status_text(found) : std::string_view(wrong);
    const std::string_view fitting = teff::begin_of(whole, message_bytes - 1);
    fitting.copy(message, fitting.size());
    message[fitting.size()] = '\0';
  }
  return found;
}

teff_status teff_finalize(teff_team** team) {
  if (team == nullptr || *team == nullptr) return TEFF_NULL_POINTER;
  team_base& ended = *(*team)->team;
  if (ended.is_of_this_process() && (ended.running() || ended.is_inside())) return TEFF_NOT_NOW;
  teff::runtime::end_or_abandon(std::move((*team)->team));
  delete *team;
  *team = nullptr;
  return TEFF_OK;
}

int teff_workers(const teff_team* team) { return team != nullptr ? static_cast<int>(team->team->workers()) : 0; }

teff_status teff_worker_of(teff_team* team, int number, teff_worker** worker) {
  if (team == nullptr || worker == nullptr) return TEFF_NULL_POINTER;
  *worker = nullptr;
  if (!team->team->is_of_this_process()) return TEFF_OTHER_PROCESS;
  if (number < 0 || number >= teff_workers(team)) return TEFF_NO_SUCH_WORKER;
  *worker = handle(team->team->worker_at(static_cast<unsigned>(number)));
  return TEFF_OK;
}

int teff_number(const teff_worker* worker) {
  return worker != nullptr ? static_cast<int>(behind(const_cast<teff_worker*>(worker)).id) : -1;
}

teff_status teff_init(teff_worker* worker, teff_function function, void* argument) {
  if (worker == nullptr || function == nullptr) return TEFF_NULL_POINTER;
  member& first = behind(worker);
  if (!first.team.is_of_this_process()) return TEFF_OTHER_PROCESS;
  if (first.team.running()) return TEFF_NOT_NOW;
  return answered([&] {
    const teff::task initial = teff::detail::make_outside_task(c_task{function, argument});
    if (first.team.init(first.id, initial)) return TEFF_OK;
    first.team.dispose(initial);
    return TEFF_NO_MEMORY;
  });
}

teff_status teff_put(teff_worker* self, teff_function function, void* argument) {
  if (self == nullptr || function == nullptr) return TEFF_NULL_POINTER;
  member& current = behind(self);
  if (const teff_status wrong = may_act(current); wrong != TEFF_OK) return wrong;
  return answered([&] {
    const keeping_its_worker stays(*current.here);
    teff::detail::put(static_cast<teff::worker&>(current), c_task{function, argument});
    return TEFF_OK;
  });
}

teff_status teff_no_suspend_begin(teff_worker* self) {
  if (self == nullptr) return TEFF_NULL_POINTER;
  member& current = behind(self);
  if (const teff_status wrong = may_act(current); wrong != TEFF_OK) return wrong;
  ++current.here->no_suspend_scopes;
  return TEFF_OK;
}

teff_status teff_no_suspend_end(teff_worker* self) {
  if (self == nullptr) return TEFF_NULL_POINTER;
  member& current = behind(self);
  if (const teff_status wrong = may_act(current); wrong != TEFF_OK) return wrong;
  if (current.here->no_suspend_scopes == 0) return TEFF_NOT_NOW;
  --current.here->no_suspend_scopes;
  return TEFF_OK;
}

teff_status teff_run(teff_team* team) {
  if (team == nullptr) return TEFF_NULL_POINTER;
  team_base& own = *team->team;
  if (!own.is_of_this_process()) return TEFF_OTHER_PROCESS;
  return answered([&] {
    switch (own.run()) {
      case run_result::finished:
        return own.take_exception() == nullptr ? TEFF_OK : TEFF_EXCEPTION;
      case run_result::nested:
        return TEFF_NOT_NOW;
      case run_result::stuck:
        break;
    }
    return TEFF_STUCK;
  });
}

teff_status teff_alloc(teff_worker* self, size_t bytes, void** argument) {
  if (self == nullptr || argument == nullptr) return TEFF_NULL_POINTER;
  *argument = nullptr;
  member& owner = behind(self);
  if (const teff_status found = may_allocate(owner); found != TEFF_OK) return found;
  if (bytes > owner.operations->argument_bytes) return TEFF_TOO_LARGE;
  *argument = owner.operations->allocate_argument(owner);
  return *argument != nullptr ? TEFF_OK : TEFF_NO_MEMORY;
}

teff_status teff_free(teff_worker* self, void* argument) {
  if (self == nullptr || argument == nullptr) return TEFF_NULL_POINTER;
  member& owner = behind(self);
  if (const teff_status found = may_allocate(owner); found != TEFF_OK) return found;
  owner.operations->release_argument(owner, argument);
  return TEFF_OK;
}

}  // extern "C"
