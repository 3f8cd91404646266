// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything of the C++ interface that waits, and what tasks may ask for besides.
#include <teff/teff.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>

namespace {

unsigned fib(teff::context& here, unsigned n) {
  if (n < 2) return n;
  unsigned one_before = 0;
  teff::task_group group;
  group.put(here, [&](teff::context& child) { one_before = fib(child, n - 1); });
  auto two_before = teff::async(here, [n](teff::context& child) { return fib(child, n - 2); });
  group.wait(here);
  return one_before + two_before.get(here);
}

unsigned objects(teff::context& here) {
  using namespace std::chrono_literals;
  teff::mutex guarded;
  teff::timed_mutex timed;
  teff::recursive_mutex again;
  teff::shared_mutex shared;
  teff::condition_variable changed;
  teff::counting_semaphore<> permits(1);
  teff::barrier meeting(1);
  teff::latch door(1);
  teff::event happened;
  teff::full_empty<int> cell;
  teff::channel<int> numbers(2);
  teff::once_flag once;
  unsigned sum = 0;
  bool ready = false;
  teff::task_group group;
  group.put(here, [&] {
    std::unique_lock hold(guarded);
    changed.wait(hold, [&] { return ready; });
    sum += static_cast<unsigned>(cell.readFE());
    numbers.send(2);
  });
  if (timed.try_lock_for(1s)) timed.unlock();
  again.lock();
  again.lock();
  again.unlock();
  again.unlock();
  shared.lock_shared();
  shared.unlock_shared();
  permits.acquire();
  permits.release();
  meeting.arrive_and_wait();
  door.count_down();
  door.wait();
  happened.set();
  happened.wait();
  teff::call_once(once, [&] { cell.writeEF(40); });
  {
    std::lock_guard hold(guarded);
    ready = true;
  }
  changed.notify_all();
  const unsigned received = static_cast<unsigned>(*numbers.receive());
  {
    const teff::pin stays(here);
    const teff::no_suspend scope(here);
    group.wait(here);
  }
  teff::worker_local<unsigned> calls(0);
  teff::parallel_for(here, 0, 10, [&](teff::context& own, int) { ++calls.local(own); });
  if (calls.combine(std::plus<>()) != 10) return 0;
  return sum + received + teff::blocking([] { return 0u; });
}

/// Returns: how many of the children of a tree of groups ran in place of who waits for them, on one worker: all, if the library
/// knows them.
unsigned long long tree_in_place() {
  teff::team one({.workers = 1});
  const std::function<void(teff::context&, int)> tree = [&tree](teff::context& here, int left) {
    if (left == 0) return;
    teff::task_group group;
    for (int child = 0; child < 2; ++child) group.put(here, [&tree, left](teff::context& own) { tree(own, left - 1); });
    group.wait(here);
  };
  one.init([&](teff::context& here) { tree(here, 4); });
  one.run();
  return one.stats().value("in_place_runs");
}

}  // namespace

int main() {
  teff::team team({.workers = 2});
  unsigned number = 0, sum = 0, order = 0;
  team.init([&](teff::context& here) {
    teff::this_task::set_name("the first task");
    number = fib(here, 10);
    sum = objects(here);
    teff::task_graph graph;
    auto second = graph.add([&] { order = order * 10 + 2; }, "second");
    auto first = graph.add([&] { order = order * 10 + 1; }, "first");
    second.after(first);
    graph.run(here);
  });
  team.run();
  std::printf("fib %u, objects %u, order %u, %llu in place\n", number, sum, order, tree_in_place());
  return 0;
}
