// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What waiting costs: a raw switch, a mutex handed from fiber to fiber on one worker, a mutex that nobody else wants.
/// usage: sync_costs        prints medians in ns, and what they are measured against
#include "teff/teff.hpp"

#include "platform/context.h"
#include "platform/stack.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

constexpr unsigned samples = 31;
constexpr unsigned rounds = 200'000;

/// Returns: the median of ns per operation, each sample being `operations` of them.
double median_ns(unsigned operations, const std::function<void()>& sample) {
  std::array<double, samples> ns;
  sample();
  for (double& each : ns) {
    const auto begin = std::chrono::steady_clock::now();
    sample();
    each = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / operations;
  }
  std::nth_element(ns.begin(), ns.begin() + samples / 2, ns.end());
  return ns[samples / 2];
}

/// Two threads of control that switch to each other, and nothing else.
struct ping_pong {
  platform::context outside, inside;
  static void answer(void* self) {
    auto& both = *static_cast<ping_pong*>(self);
    for (;;) both.inside.switch_to(both.outside);
  }
};

double raw_switch_ns() {
  ping_pong both;
  std::vector<char> memory(64 * 1024);
  both.inside.make(memory.data(), memory.size(), &ping_pong::answer, &both);
  return median_ns(2 * rounds, [&] {
    for (unsigned i = 0; i < rounds; ++i) both.outside.switch_to(both.inside);
  });
}

/// Effect: runs the body as a task of a team of one.
void in_a_task(const char* pool, const std::function<void(context&)>& body) {
  team alone({.pool = pool, .workers = 1});
  alone.init([&](context& here) { body(here); });
  alone.run();
}

/// Two fibers take turns: each takes the mutex while the other holds it, so that every unlock hands it over and every lock waits.
double hand_over_ns(const char* pool) {
  double result = 0;
  in_a_task(pool, [&](context& here) {
    mutex passed;
    bool stop = false;
    std::uint64_t turns = 0;
    // While one holds it, the other comes and waits; from then on both always find it held.
    const auto take_turns = [&] {
      passed.unlock();
      passed.lock();
      ++turns;
    };
    task_group other;
    event waits;
    passed.lock();
    other.put(here, [&] {
      waits.set();
      passed.lock();
      while (!stop) take_turns();
      passed.unlock();
    });
    waits.wait();
    result = median_ns(2 * rounds, [&] {
      for (unsigned i = 0; i < rounds; ++i) take_turns();
    });
    if (turns < 2ull * (samples + 1) * rounds - 2) std::puts("sync_costs: the mutex was not handed over in each turn");
    stop = true;
    passed.unlock();
    other.wait(here);
  });
  return result;
}

template <class Mutex>
double uncontended_ns() {
  Mutex free;
  std::uint64_t inside = 0;
  const double ns = median_ns(rounds, [&] {
    for (unsigned i = 0; i < rounds; ++i) {
      std::lock_guard guard(free);
      asm volatile("" : "+r"(inside)::"memory");
    }
  });
  return ns;
}

int main_of() {
  // With one thread alone the C library's mutex takes short cuts that a program with workers never sees.
  std::mutex ends;
  ends.lock();
  std::thread second([&] { std::lock_guard guard(ends); });
  const double raw = raw_switch_ns();
  std::printf("raw switch                     %6.1f ns\n", raw);
  for (const char* pool : {"teff", "dq8", "sdq1", "dq1", "sq1", "dq5"}) {
    const double ns = hand_over_ns(pool);
    std::printf("mutex handed over (%-4s)       %6.1f ns   %.1f raw switches\n", pool, ns, ns / raw);
  }
  const double theirs = uncontended_ns<std::mutex>();
  double from_thread = uncontended_ns<mutex>(), from_task = 0;
  in_a_task("dq8", [&](context&) { from_task = uncontended_ns<mutex>(); });
  std::printf("std::mutex lock + unlock       %6.1f ns\n", theirs);
  std::printf("teff::mutex, from a task       %6.1f ns   ratio %.2f\n", from_task, from_task / theirs);
  std::printf("teff::mutex, from a thread     %6.1f ns   ratio %.2f\n", from_thread, from_thread / theirs);
  ends.unlock();
  second.join();
  return 0;
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main() { return teff::main_of(); }
