// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Detached tasks: whoever waits for one goes on when its code has ended and its event is fulfilled, by whom and when that may
/// be.
#include "scenes_of_events.h"

#include "constructs.h"

extern "C" void omp_fulfill_event(void* event);

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

/// `#pragma omp task detach(event)`, with the event as the first of its arguments. Returns: it.
template <class Body>
void* detached(Body body, bool deferred = true) {
  struct arguments {
    void* event;
    Body call;
  } all{nullptr, body};
  static_assert(std::is_trivially_copyable_v<arguments>);
  constexpr unsigned detach = 1 << 13;
  void* event = nullptr;
  GOMP_task(
      [](void* data) {
        auto& own = *static_cast<arguments*>(data);
        own.call(own.event);
      },
      &all, nullptr, sizeof all, alignof(arguments), deferred, detach, nullptr, 0, &event);
  return event;
}

/// A thread that is none of OpenMP's fulfils what it is told.
class outsider {
 public:
  outsider() {
    const auto run = [](void* itself) {
      auto& own = *static_cast<outsider*>(itself);
      platform::spin_until(own.event_, [](void* told) { return told != nullptr; }, "an event");
      add(own.fulfilled);
      omp_fulfill_event(own.event_.load(platform::acquire));
    };
    if (!thread_.start(run, this, -1)) expect(false, "the system refuses a thread");
  }
  ~outsider() { thread_.join(); }
  void fulfil(void* event) { event_.store(event, platform::release); }
  counter fulfilled{0};

 private:
  platform::atomic<void*> event_{nullptr};
  platform::thread thread_;
};

/// By its own code, by who has made it, before it begins or later, and by another task.
void events_of_members(unsigned members) {
  counter ran{0}, fulfilled{0};
  parallel(members, [&] {
    single_nowait([&] {
      detached([&ran, &fulfilled](void* own) {
        add(fulfilled);
        omp_fulfill_event(own);
        add(ran);
      });
      void* const early = detached([&ran](void*) { add(ran); });
      add(fulfilled);
      omp_fulfill_event(early);
      void* const others = detached([&ran](void*) { add(ran); });
      task([&fulfilled, others] {
        add(fulfilled);
        omp_fulfill_event(others);
      });
      GOMP_taskwait();
      expect(read(ran) == 3 && read(fulfilled) == 3,
             "a taskwait let its task go before a child had ended and its event was fulfilled");
    });
  });
}

/// In a taskgroup, of a grandchild; and in the barrier at the region's end.
void events_in_groups(unsigned members) {
  outsider one, other;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { task([&] { one.fulfil(detached([&ran](void*) { add(ran); })); }); });
      expect(read(one.fulfilled) == 1 && read(ran) == 1, "a taskgroup let its task go before an event was fulfilled");
      other.fulfil(detached([&ran](void*) { add(ran); }));
    });
    GOMP_barrier();
    expect(read(other.fulfilled) == 1 && read(ran) == 2, "a barrier let a member go before an event was fulfilled");
  });
}

void an_event_at_the_end(unsigned members) {
  outsider one;
  counter ran{0};
  parallel(members, [&] {
    if (number() + 1 == members) one.fulfil(detached([&ran](void*) { add(ran); }));
  });
  expect(read(one.fulfilled) == 1 && read(ran) == 1, "a region ended before an event was fulfilled");
}

/// The creator waits for both; what the task leaves behind it does not wait for.
void an_event_of_a_task_at_once(unsigned members) {
  outsider one;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      const bool deferred = false;
      detached(
          [&](void* own) {
            one.fulfil(own);
            add(ran);
          },
          deferred);
      expect(read(one.fulfilled) == 1 && read(ran) == 1,
             "a task that is not deferred let its creator go before its event was fulfilled");
    });
  });
}

constexpr scene all_with_events[] = {
    {"events_of_members", 3, events_of_members},
    {"events_in_groups", 3, events_in_groups},
    {"an_event_at_the_end", 3, an_event_at_the_end},
    {"an_event_at_the_end_of_one", 1, an_event_at_the_end},
    {"an_event_of_a_task_at_once", 3, an_event_of_a_task_at_once},
};

}  // namespace

std::span<const scene> scenes_of_events() { return all_with_events; }

}  // namespace TEFF_NAMESPACE::testing_openmp
