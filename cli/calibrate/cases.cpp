// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/calibrate/cases.h"

#include "apps/workload.h"
#include "teff/teff.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::cli {

namespace {

using platform::atomic;
using platform::now_ns;
using platform::relaxed;

constexpr std::size_t line_bytes = 64;
constexpr const char* refused_thread = "the system refuses a thread, and calibration needs three besides its own";

/// A word with a line of its own.
struct alignas(line_bytes) lone_word {
  atomic<std::uint32_t> value{0};
};

/// Two threads at two places, let loose together. Who does that sleeps meanwhile: it may share a processor with one of them.
class two_threads {
 public:
  two_threads(unsigned first_place, unsigned second_place) : places_{first_place, second_place} {}

  /// Errors: usage_error if the system refuses a thread; then neither function was called.
  void run(const std::function<void()>& one, const std::function<void()>& other) {
    bodies_ = {body{this, &one}, body{this, &other}};
    const bool started = start(0) && start(1);
    gate_.value.store(started ? go : leave, platform::release);  // [gate]
    platform::wake_all(gate_.value);
    for (platform::thread& each : threads_) each.join();
    if (!started) throw usage_error(refused_thread);
  }

 private:
  static constexpr std::uint32_t closed = 0, go = 1, leave = 2;
  struct body {
    two_threads* own = nullptr;
    const std::function<void()>* function = nullptr;
  };

  bool start(unsigned which) {
    return threads_[which].start(&two_threads::enter, &bodies_[which], {&places_[which], 1});
  }

  static void enter(void* argument) {
    const body& self = *static_cast<body*>(argument);
    atomic<std::uint32_t>& gate = self.own->gate_.value;
    while (gate.load(platform::acquire) == closed) platform::park(gate, closed, "the begin of a case");  // [gate]
    if (gate.load(platform::acquire) == go) (*self.function)();                                          // [gate]
  }

  std::array<unsigned, 2> places_;
  std::array<body, 2> bodies_;
  std::array<platform::thread, 2> threads_;
  lone_word gate_;
};

/// The parts of a case, each timed by itself: their median hardly knows of those in which a thread lost its processor.
class timed_parts {
 public:
  static constexpr std::uint32_t usual = 10;

  template <class Function>
  void time(std::uint64_t operations, Function function) {
    const std::uint64_t begin = now_ns();
    for (std::uint64_t i = 0; i < operations; ++i) function();
    add(begin, now_ns(), operations);
  }
  void add(std::uint64_t begin, std::uint64_t end, std::uint64_t operations) {
    times_.push_back(static_cast<double>(end - begin) / static_cast<double>(operations));
  }
  double median() {
    const auto middle = times_.begin() + static_cast<std::ptrdiff_t>(times_.size() / 2);
    std::nth_element(times_.begin(), middle, times_.end());
    return *middle;
  }

 private:
  std::vector<double> times_;
};

/// Returns: the time of one call of the function.
template <class Function>
double time_of(std::uint64_t operations, Function function) {
  function();  // lines and code are where they will be
  timed_parts parts;
  for (std::uint32_t i = 0; i < timed_parts::usual; ++i) parts.time(operations / timed_parts::usual, function);
  return parts.median();
}

/// As tasks do it: of a number that the compiler does not know. Of a known one it makes a loop that counts down, which takes
/// twice the time on some processors.
void work(std::uint64_t units) {
  asm volatile("" : "+r"(units));
  this_task::charge(units);
}

double charge() {
  constexpr std::uint64_t units = 100'000;
  return time_of(timed_parts::usual, [] { work(units); }) / units;
}

/// Of accesses none of which waits for another, as those of pools hardly do: processors overlap them.
double hit() {
  constexpr std::uint64_t accesses = 16;
  std::array<lone_word, accesses / 2> read, written;
  std::uint32_t sum = 0;
  const auto all_of_them = [&] {
    for (std::size_t i = 0; i < read.size(); ++i) {
      sum += read[i].value.load(relaxed);  // relaxed: one thread
      written[i].value.store(1, relaxed);  // relaxed: one thread
    }
  };
  const double found = time_of(2'000, all_of_them) / accesses;
  if (sum != 0) throw std::logic_error("nobody wrote to these words");  // so that the loads are needed
  return found;
}

double add() {
  lone_word word;
  return time_of(10'000, [&] { word.value.fetch_add(1, relaxed); });  // relaxed: one thread
}

std::optional<double> fence_everywhere(unsigned first, unsigned second) {
  constexpr std::uint64_t rounds = 20;
  lone_word spins, stop;
  const auto is_set = [](std::uint32_t word) { return word != 0; };
  double found = 0;
  bool works = true;
  two_threads(first, second)
      .run(
          [&] {
            platform::spin_until(spins.value, is_set, "the other thread of a case");
            found = time_of(rounds, [&] { works = platform::fence_everywhere() && works; });
            stop.value.store(1, platform::release);  // [stop] orders nothing: the other one leaves
          },
          [&] {
            spins.value.store(1, platform::release);  // [spins] orders nothing: the other one goes on
            platform::spin_until(stop.value, is_set, "the end of a case");
          });
  return works ? std::optional(found) : std::nullopt;
}

double ping_pong(unsigned first, unsigned second) {
  constexpr std::uint32_t rounds = 50;
  constexpr std::uint32_t all = rounds * timed_parts::usual;
  lone_word ball;
  timed_parts parts;
  // No pause between two looks, and no long wait: how often the other one looks is no part of what a transfer takes.
  const auto wait_for = [&](std::uint32_t value) {
    while (ball.value.load(platform::acquire) != value) {  // [ball]
    }
  };
  const auto serve = [&](std::uint32_t round) {
    ball.value.store(2 * round + 1, platform::release);  // [ball]
    wait_for(2 * round + 2);
  };
  two_threads(first, second)
      .run(
          [&] {
            std::uint32_t round = 0;
            serve(round);
            for (std::uint32_t i = 0; i < timed_parts::usual; ++i) parts.time(rounds, [&] { serve(++round); });
          },
          [&] {
            for (std::uint32_t i = 0; i <= all; ++i) {
              wait_for(2 * i + 1);
              ball.value.store(2 * i + 2, platform::release);  // [ball]
            }
          });
  return parts.median() / 2;
}

/// Returns: the time of one operation if two threads do nothing else: until both have done theirs.
double contended(unsigned first, unsigned second, std::uint32_t each, const std::function<void()>& operation) {
  lone_word arrived;
  timed_parts parts;
  const auto meet = [&](std::uint32_t all) {
    arrived.value.fetch_add(1, platform::acq_rel);  // [meet]
    platform::spin_until(arrived.value, [&](std::uint32_t word) { return word >= all; }, "the other thread of a case");
  };
  const auto all_of_them = [&] {
    for (std::uint32_t i = 0; i < each; ++i) operation();
  };
  two_threads(first, second)
      .run(
          [&] {
            for (std::uint32_t part = 0; part < timed_parts::usual; ++part) {
              meet(4 * part + 2);
              const std::uint64_t begin = now_ns();
              all_of_them();
              meet(4 * part + 4);
              parts.add(begin, now_ns(), std::uint64_t{2} * each);
            }
          },
          [&] {
            for (std::uint32_t part = 0; part < timed_parts::usual; ++part) {
              meet(4 * part + 2);
              all_of_them();
              meet(4 * part + 4);
            }
          });
  return parts.median();
}

double contended_add(unsigned first, unsigned second) {
  lone_word word;
  // relaxed: nobody reads it
  return contended(first, second, 500, [&] { word.value.fetch_add(1, relaxed); });
}

/// What is done under a lock, and then without it, so that the other one may come in between.
constexpr std::uint64_t section_units = 50;

double lock_handoff(unsigned first, unsigned second) {
  platform::lock shared;
  return contended(first, second, 200, [&] {
    shared.acquire();
    work(section_units);
    shared.release();
    work(section_units);
  });
}

double fifo_lock_handoff(unsigned first, unsigned second) {
  platform::fifo_lock shared;
  return contended(first, second, 200, [&] {
    platform::fifo_lock::place own;
    shared.acquire(own);
    work(section_units);
    shared.release(own);
    work(section_units);
  });
}

double park_in_vain() {
  lone_word word;
  return time_of(2'000, [&] { platform::park(word.value, 1, "nothing"); });
}

/// Returns: what waking somebody takes who is asleep; if `until_answer`, until the woken one's answer is there.
double wake(unsigned first, unsigned second, bool until_answer) {
  constexpr std::uint32_t rounds = 50;
  constexpr std::uint64_t until_it_sleeps = 100'000;  // units
  lone_word bell, answer;
  const auto wait_for_answer = [&](std::uint32_t wanted) {
    platform::spin_until(answer.value, [&](std::uint32_t word) { return word == wanted; }, "an answer");
  };
  timed_parts parts;
  const auto waker = [&] {
    for (std::uint32_t i = 0; i < rounds; ++i) {
      wait_for_answer(i);
      work(until_it_sleeps);
      bell.value.store(i + 1, platform::release);  // [bell] orders nothing: the other one goes on
      const std::uint64_t begin = now_ns();
      platform::wake_one(bell.value);
      if (until_answer) wait_for_answer(i + 1);
      parts.add(begin, now_ns(), 1);
    }
  };
  const auto sleeper = [&] {
    for (std::uint32_t i = 0; i < rounds; ++i) {
      while (bell.value.load(platform::acquire) == i) platform::park(bell.value, i, "a bell");
      answer.value.store(i + 1, platform::release);  // [answer] orders nothing: the other one goes on
    }
  };
  two_threads(first, second).run(waker, sleeper);
  return parts.median();
}

double round_trip(unsigned first, unsigned second) {
  constexpr std::uint32_t rounds = 10;
  constexpr std::uint32_t all = rounds * timed_parts::usual;
  lone_word turn;
  timed_parts parts;
  const auto wait_for = [&](std::uint32_t value) {
    std::uint32_t seen = turn.value.load(platform::acquire);  // [turn]
    while (seen != value) {
      platform::park(turn.value, seen, "its turn");
      seen = turn.value.load(platform::acquire);  // [turn]
    }
  };
  const auto give = [&](std::uint32_t value) {
    turn.value.store(value, platform::release);  // [turn]
    platform::wake_one(turn.value);
  };
  two_threads(first, second)
      .run(
          [&] {
            std::uint32_t round = 0;
            for (std::uint32_t i = 0; i < timed_parts::usual; ++i) {
              parts.time(rounds, [&] {
                give(2 * round + 1);
                wait_for(2 * round + 2);
                ++round;
              });
            }
          },
          [&] {
            for (std::uint32_t i = 0; i < all; ++i) {
              wait_for(2 * i + 1);
              give(2 * i + 2);
            }
          });
  return parts.median() / 2;
}

/// Returns: what starting a thread at the second place takes, until it is seen to run, or until it is joined.
double thread_start(unsigned first, unsigned second, bool until_joined) {
  constexpr std::uint32_t rounds = 20;
  lone_word running;
  timed_parts parts;
  bool started_all = true;
  const auto run = [](void* word) {
    static_cast<lone_word*>(word)->value.store(1, platform::release);  // [running] orders nothing: the starter goes on
  };
  const auto start = [&] {
    running.value.store(0, relaxed);  // relaxed: before the thread is there
    platform::thread started;
    const std::uint64_t begin = now_ns();
    if (!started.start(run, &running, {&second, 1})) return false;
    if (!until_joined) {
      platform::spin_until(running.value, [](std::uint32_t word) { return word != 0; }, "a thread that begins");
      parts.add(begin, now_ns(), 1);
    }
    started.join();
    if (until_joined) parts.add(begin, now_ns(), 1);
    return true;
  };
  two_threads(first, second)
      .run(
          [&] {
            for (std::uint32_t i = 0; i < rounds && started_all; ++i) started_all = start();
          },
          [] {});
  if (!started_all) throw usage_error(refused_thread);
  return parts.median();
}

/// Returns: what memory from the system takes, or to give it back. Several blocks at once: else the last one is handed out again
/// and again.
double allocation(bool to_release) {
  constexpr std::size_t block_bytes = 64;
  std::array<void*, 64> blocks{};
  timed_parts parts;
  const auto allocate = [&] {
    for (void*& each : blocks) {
      each = platform::system_allocate(block_bytes);
      if (each == nullptr) throw std::bad_alloc();
    }
  };
  const auto release = [&] {
    for (void* const each : blocks) platform::system_release(each, block_bytes);
  };
  allocate();
  release();
  for (std::uint32_t i = 0; i < 4 * timed_parts::usual; ++i) {
    const std::uint64_t begin = now_ns();
    allocate();
    const std::uint64_t middle = now_ns();
    release();
    if (to_release) parts.add(middle, now_ns(), blocks.size());
    else parts.add(begin, middle, blocks.size());
  }
  return parts.median();
}

double page_touch() {
  // Each part is as large as a huge page of most systems, and begins where one does: where the system gives such pages each part
  // has one fault, and not just some of them, of which a median would not know.
  constexpr std::size_t page_bytes = 4096, pages = 512;
  // So much that the C library hands out no memory that it has had before.
  constexpr std::size_t block_bytes = std::size_t{64} << 20;
  static_assert(block_bytes >= pages * timed_parts::usual * page_bytes);
  char* const block = static_cast<char*>(platform::system_allocate(block_bytes, pages * page_bytes));
  if (block == nullptr) throw std::bad_alloc();
  timed_parts parts;
  char* page = block;
  for (std::uint32_t i = 0; i < timed_parts::usual; ++i) {
    parts.time(pages, [&] {
      platform::touch(page, 1, platform::to_write);
      *const_cast<volatile char*>(page) = 1;
      page += page_bytes;
    });
  }
  platform::system_release(block, block_bytes);
  return parts.median();
}

/// Effect: calls the function on a thread at the first place, as the first worker of a team whose others are bound to theirs.
void on_first_place(const std::function<void()>& function) {
  struct call {
    const std::function<void()>* function;
    std::exception_ptr thrown;
  } made{&function, nullptr};
  const auto enter = [](void* argument) {
    auto& own = *static_cast<call*>(argument);
    try {
      (*own.function)();
    } catch (...) {
      own.thrown = std::current_exception();
    }
  };
  platform::thread caller;
  constexpr unsigned first = 0;
  if (!caller.start(enter, &made, {&first, 1})) throw usage_error(refused_thread);
  caller.join();
  if (made.thrown) std::rethrow_exception(made.thrown);
}

double run_tasks_here(const engine::tasks_request& wanted) {
  const auto workload = apps::make_workload("synthetic");
  if (workload == nullptr) throw std::logic_error("there is no workload synthetic");
  const std::string wrong = workload->choose_size("k=" + std::to_string(wanted.k) + ",f=" + std::to_string(wanted.f));
  if (!wrong.empty()) throw usage_error(wrong);
  team_options options;
  options.pool = wanted.pool;
  options.workers = wanted.workers;
  options.pin = true;
  team made(options);
  // Pages and caches of a new thread are another matter than tasks: they are there when the second run begins.
  timed_parts second;
  for (const bool is_second : {false, true}) {
    workload->prepare(1, wanted.workers);
    const std::uint64_t begin = now_ns();
    workload->tasks(made);
    if (is_second) second.add(begin, now_ns(), workload->tasks_run());
  }
  if (const std::string sentence = workload->verify(); !sentence.empty()) throw std::runtime_error(sentence);
  if (made.workers() != wanted.workers) throw usage_error(refused_thread);
  return second.median();
}

}  // namespace

std::optional<double> run_case(engine::trial which, unsigned first, unsigned second) {
  using engine::trial;
  switch (which) {
    case trial::cycle:
      break;
    case trial::charge:
      return charge();
    case trial::hit:
      return hit();
    case trial::add:
      return add();
    case trial::fence:
      return time_of(5'000, [] { platform::fence(platform::seq_cst); });  // [calibrate] its cost is wanted, not its order
    case trial::pause:
      return time_of(5'000, [] { platform::pause(); });
    case trial::clock:
      return time_of(2'000, [] { now_ns(); });
    case trial::fence_everywhere:
      return fence_everywhere(first, second);
    case trial::ping_pong:
      return ping_pong(first, second);
    case trial::contended_add:
      return contended_add(first, second);
    case trial::lock:
      return lock_handoff(first, second);
    case trial::fifo_lock:
      return fifo_lock_handoff(first, second);
    case trial::park:
      return park_in_vain();
    case trial::wake:
      return wake(first, second, false);
    case trial::answer:
      return wake(first, second, true);
    case trial::round_trip:
      return round_trip(first, second);
    case trial::thread_start:
      return thread_start(first, second, false);
    case trial::start_and_join:
      return thread_start(first, second, true);
    case trial::allocation:
      return allocation(false);
    case trial::release:
      return allocation(true);
    case trial::page_touch:
      return page_touch();
  }
  throw std::logic_error("a case of calibration has no code");
}

double run_tasks(const engine::tasks_request& wanted) {
  double found = 0;
  on_first_place([&] { found = run_tasks_here(wanted); });
  return found;
}

engine::machine_parts parts_of(const platform::topology& machine) {
  engine::machine_parts found{};
  const auto places = static_cast<unsigned>(machine.places.size());
  found.processors = std::min(machine.usable_processors, places);
  for (unsigned kind = 0; kind < engine::part_kinds; ++kind) {
    engine::machine_part& part = found.of[kind];
    const auto level = static_cast<platform::level>(kind);
    for (unsigned i = 0; i < places; ++i) {
      unsigned width = 0;
      for (unsigned j = 0; j < places; ++j) {
        const platform::level common = nearest_common(machine.places[i], machine.places[j]);
        width += common <= level ? 1 : 0;
        if (i == j || common != level || part.is_there) continue;
        part.is_there = true;
        part.first = i;
        part.second = j;
      }
      part.width = std::max(part.width, width);
    }
  }
  return found;
}

}  // namespace TEFF_NAMESPACE::cli
