// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/os_thread.h"

#include "compat/openmp/environment.h"
#include "compat/openmp/forked.h"
#include "compat/openmp/groups.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/thread_end.h"
#include "platform/foreign.h"
#include "platform/tuning.h"

#include <algorithm>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Effect: nobody owns it any more.
template <class T>
void leave(std::unique_ptr<T>& owned) {
  [[maybe_unused]] const T* const left = owned.release();
}

}  // namespace

member& adopt_thread() { return os_thread::adopt(); }

member& os_thread::adopt() try {
  auto* const made = new os_thread;
  made->own_team_ = std::make_unique<team>(1);
  team& alone = *made->own_team_;
  alone.own_environment = process().initial;
  alone.environment = &alone.own_environment;
  member& first = alone[0];
  first.thread = made;
  first.places = {0, static_cast<unsigned>(process().places.size())};
  if (const auto& places = process().places; !places.empty() && platform::bind_this_thread(places[0])) made->place_ = 0;
  first.enter();
  platform::set_current(&first);
  // Refused if the program has taken all keys of the system: then the threads of this one stay when it ends.
  static_cast<void>(platform::at_thread_end(end_thread, made));
  return first;
} catch (const std::bad_alloc&) {
  fail("no memory for a thread");
}

os_thread::~os_thread() {
  if (generation_ != platform::process_generation()) {
    for (auto& each : crew_) leave(each);  // theirs is another process
    return;
  }
  end_crew();
}

void os_thread::forget_children() {
  // Another process' threads may have stopped in the midst of what a forked child has a copy of.
  if (generation_ == platform::process_generation()) end_implicit((*own_team_)[0]);
}

void os_thread::end_crew() {
  for (auto& each : crew_) each->dismiss();  // all, so that they wake up beside each other
  const unsigned rounds = std::min<unsigned>(spin_rounds(crew_.size() + 1 > processors()), tuning::member_spin_rounds);
  for (auto& each : crew_) each->await_end(rounds);
  crew_.clear();
}

void os_thread::give_back(bool threads_too) {
  // Nothing more is to be forgotten of a parent: outside of all regions the thread's group has no others, and its team no pool.
  if (abandon_if_forked()) return;
  if (threads_too) end_crew();
  // Who is not gone may be about to leave the barrier of its last region: its team stays.
  std::erase_if(idle_teams_, [&](const auto& each) { return threads_too || each->size == 1; });
}

void os_thread::send(member& self) {
  member_ = &self;
  if (word_.exchange(sent, platform::acq_rel) == asleep) platform::wake_one(word_);  // [send]
}

unsigned os_thread::first_place_of(const team& region) {
  const member& opener = *region.opener;
  // A thread that the system did not let go where it was sent is somewhere else.
  const auto at = static_cast<unsigned>(std::max(0, opener.thread->place()));
  return opener.places.has(at) ? at : opener.places.first;
}

void os_thread::give_places(team& engaged) const {
  const stretch& all = engaged.opener->places;
  const unsigned first = first_place_of(engaged);
  for (unsigned number = 0; number < engaged.size; ++number) {
    if (number != 0) engaged[number].place = place_of_member(engaged.bind, number, engaged.size, first, all);
    engaged[number].places = places_of_member(engaged.bind, number, engaged.size, first, all);
  }
}

void os_thread::send_all(team& engaged) {
  if (!process().places.empty()) give_places(engaged);
  const std::size_t first = engaged_ - (engaged.size - 1);
  for (unsigned number = 1; number < engaged.size; ++number) crew_[first + number - 1]->send(engaged[number]);
}

void os_thread::dismiss() {
  if (word_.exchange(dismissed, platform::acq_rel) == asleep) platform::wake_one(word_);  // [send]
}

void os_thread::await_end(unsigned rounds) {
  const auto is_gone = [](std::uint32_t word) { return word == gone; };
  if (platform::spin_until_for(word_, is_gone, rounds, "a thread's end")) return;
  // Awake: who is gone touches its word no more, and so wakes nobody. The processor may be the one that it needs.
  // [send] acquire: sees all that the thread did until it was gone.
  while (!is_gone(word_.load(platform::acquire))) platform::yield_processor();
}

member* os_thread::await(unsigned rounds) {
  const auto is_told = [](std::uint32_t word) { return word != idle; };
  if (!platform::spin_until_for(word_, is_told, rounds, "a region")) {
    if (generation_ != platform::process_generation()) end_forked_child();  // its crew's leader is another process' thread
    std::uint32_t expected = idle;
    // [send] acquire: who sends may have been faster.
    word_.compare_exchange(expected, asleep, platform::acq_rel);
    while (word_.load(platform::acquire) == asleep) platform::park(word_, asleep, "a region");
  }
  // [send] Nobody but this thread changes the word now.
  if (word_.load(platform::acquire) == dismissed) return nullptr;
  word_.store(idle, platform::relaxed);
  return member_;
}

void os_thread::go_to(unsigned place) {
  const auto& places = process().places;
  if (places.empty() || place_ == static_cast<int>(place)) return;
  if (platform::bind_this_thread(places[place])) place_ = static_cast<int>(place);
}

namespace {

void leave(member& self) {
  end_part(self);
  barrier_at_end(self);
}

/// The opener reads what the member has done when all have come to the barrier.
[[gnu::noinline]] void leave_measured(member& self) {
  end_part(self);
  self.clock->bring_up_to_date();
  barrier_at_end(self);
  self.clock->end();
}

}  // namespace

void os_thread::work(void* itself) {
  os_thread& own = *static_cast<os_thread*>(itself);
  static_cast<void>(platform::at_thread_end(end_thread, &own));  // refused, as above: then nobody says that it ended in a region
  unsigned rounds = spin_rounds(false);
  while (member* const self = own.await(rounds)) {
    rounds = self->in.spin();  // the next region is likely to be as crowded
    platform::set_current(self);
    own.go_to(self->place);
    self->enter();
    if (process().display_affinity) own.show_affinity(*self);
    self->in.function(self->in.data);
    self->clock != nullptr ? leave_measured(*self) : leave(*self);
  }
  own.end_crew();
  own.idle_teams_.clear();
  platform::set_current(nullptr);
  static_cast<void>(platform::at_thread_end(end_thread, nullptr));
  own.word_.store(gone, platform::release);  // release: pairs with the look in await_end, after which its memory goes
}

unsigned os_thread::hire(unsigned wanted) {
  const process_icvs& all = process();
  static platform::atomic<bool> told{false};
  crew_.reserve(engaged_ + wanted);  // a thread that has begun must have its place in the row
  while (crew_.size() < engaged_ + wanted) {
    auto added = std::make_unique<os_thread>();
    const std::size_t number = crew_.size() + 1;
    if (!all.places.empty())
      added->place_ = static_cast<int>((static_cast<std::size_t>(std::max(0, place_)) + number) % all.places.size());
    const auto& place = all.places.empty() ? std::vector<unsigned>{} : all.places[static_cast<std::size_t>(added->place_)];
    if (!platform::start_detached(work, added.get(), all.stack_bytes, place)) {
      // relaxed: it is said once, and nothing goes by it.
      if (!told.exchange(true, platform::relaxed))
        say("the system refuses thread number %zu of a region; it runs with fewer threads", number + 1);
      break;
    }
    crew_.push_back(std::move(added));
  }
  return std::min<unsigned>(wanted, static_cast<unsigned>(crew_.size()) - engaged_);
}

/// A member is always the same thread's: it may be about to leave the barrier of the last region when the next one begins.
team& os_thread::team_of(unsigned size) {
  for (std::size_t at = idle_teams_.size(); at-- > 0;) {
    team& found = *idle_teams_[at];
    if (found.size != size || (size > 1 && found.first_thread != crew_[engaged_].get())) continue;
    leave(idle_teams_[at]);
    idle_teams_.erase(idle_teams_.begin() + static_cast<std::ptrdiff_t>(at));
    return found;
  }
  team& made = *new team(size, size > 1 ? crew_[engaged_].get() : nullptr);
  made[0].thread = this;
  for (unsigned number = 1; number < size; ++number) made[number].thread = crew_[engaged_ + number - 1].get();
  return made;
}

bool os_thread::abandon_if_forked() {
  const std::uint64_t now = platform::process_generation();
  if (generation_ == now) return false;
  for (auto& each : crew_) leave(each);
  crew_.clear();
  for (auto& each : idle_teams_) leave(each);
  idle_teams_.clear();
  engaged_ = 0;
  generation_ = now;
  return true;
}

team& os_thread::engage(unsigned size) try {
  const unsigned others = size > 1 ? hire(size - 1) : 0;
  team& found = team_of(others + 1);
  engaged_ += others;
  return found;
} catch (const std::bad_alloc&) {
  fail("no memory for a team of %u threads", size);
}

void os_thread::disengage(team& idle) try {
  engaged_ -= idle.size - 1;
  idle_teams_.emplace_back(&idle);
} catch (const std::bad_alloc&) {
  fail("no memory to keep a team of %u threads", idle.size);
}

}  // namespace TEFF_NAMESPACE::openmp
