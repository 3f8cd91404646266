// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One meeting for each object of src/sync, which goes wrong, or does not end, if the object is wrong; Rules leaves out a step.
#pragma once

#include "meeting.h"

#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>

namespace TEFF_NAMESPACE::testing_sync {

/// A place that so many may be in.
class room {
 public:
  bool enter(unsigned at_most) { return inside_.fetch_add(1, platform::relaxed) < at_most; }
  void leave() { inside_.fetch_sub(1, platform::relaxed); }
  bool empty() const { return inside_.load(platform::relaxed) == 0; }

 private:
  platform::atomic<unsigned> inside_{0};
};

template <class Rules = sync::rules>
class mutex_meeting {
 public:
  static constexpr const char* name = "mutex";
  explicit mutex_meeting(meeting& of) : guarded_(of.policy) {
    for (unsigned party = 0; party < parties; ++party) {
      of.add([this] {
        for (unsigned round = 0; round < rounds; ++round) {
          std::lock_guard guard(guarded_);
          said_.expect(inside_.enter(1), "two are inside a mutex");
          ++sum_;
          inside_.leave();
        }
      });
    }
  }
  std::string end() {
    said_.expect(sum_ == parties * rounds, "what one owner wrote, the next one does not see");
    return said_.wrong();
  }

 private:
  static constexpr unsigned parties = 4, rounds = 2;
  sync::basic_mutex<Rules> guarded_;
  verdict said_;
  room inside_;
  unsigned sum_ = 0;
};

template <class Rules = sync::rules>
class timed_mutex_meeting {
 public:
  static constexpr const char* name = "timed_mutex";
  explicit timed_mutex_meeting(meeting& of) : guarded_(of.policy) {
    for (unsigned party = 0; party < 4; ++party) {
      of.add([this, patience_ns = of.draw(3) * (1 + of.draw(20'000))] {
        if (!guarded_.try_lock_until(platform::now_ns() + patience_ns)) return;
        said_.expect(inside_.enter(1), "two are inside a mutex");
        inside_.leave();
        guarded_.unlock();
      });
    }
  }
  std::string end() {
    const bool free = guarded_.try_lock();
    said_.expect(free, "a mutex is held although nobody has it");
    if (free) guarded_.unlock();
    return said_.wrong();
  }

 private:
  sync::basic_mutex<Rules> guarded_;
  verdict said_;
  room inside_;
};

template <class Rules = sync::rules>
class recursive_mutex_meeting {
 public:
  static constexpr const char* name = "recursive_mutex";
  explicit recursive_mutex_meeting(meeting& of) : guarded_(of.policy) {
    for (unsigned party = 0; party < 3; ++party) {
      of.add([this] {
        guarded_.lock();
        said_.expect(guarded_.try_lock(), "the owner of a recursive mutex cannot lock it again");
        said_.expect(inside_.enter(1), "two are inside a recursive mutex");
        guarded_.unlock();
        if (!guarded_.is_held_by_caller()) return said_.expect(false, "one of two unlocks frees a recursive mutex");
        inside_.leave();
        guarded_.unlock();
      });
    }
  }
  std::string end() { return said_.wrong(); }

 private:
  sync::basic_recursive_mutex<Rules> guarded_;
  verdict said_;
  room inside_;
};

template <class Rules = sync::rules>
class shared_mutex_meeting {
 public:
  static constexpr const char* name = "shared_mutex";
  explicit shared_mutex_meeting(meeting& of) : guarded_(of.policy) {
    for (unsigned party = 0; party < 4; ++party) {
      of.add([this, writes = of.draw(2) == 0] {
        for (unsigned round = 0; round < 2; ++round) writes ? write() : read();
      });
    }
  }
  std::string end() { return said_.wrong(); }

 private:
  void write() {
    std::lock_guard guard(guarded_);
    said_.expect(writers_.enter(1) && readers_.empty(), "a writer is not alone");
    ++value_;
    writers_.leave();
  }
  void read() {
    std::shared_lock guard(guarded_);
    readers_.enter(1);
    const unsigned seen = value_;
    said_.expect(writers_.empty(), "a reader beside a writer");
    said_.expect(seen == value_, "a value changes while it is read");
    readers_.leave();
  }

  sync::basic_shared_mutex<Rules> guarded_;
  verdict said_;
  room writers_, readers_;
  unsigned value_ = 0;
};

/// Two readers who wait for each other inside, and a writer who gives up: the second reader may have come behind the writer.
template <class Rules = sync::rules>
class shared_timed_mutex_meeting {
 public:
  static constexpr const char* name = "shared_timed_mutex";
  explicit shared_timed_mutex_meeting(meeting& of) : guarded_(of.policy), both_(2, of.policy) {
    for (unsigned reader = 0; reader < 2; ++reader) {
      of.add([this] {
        std::shared_lock guard(guarded_);
        both_.arrive_and_wait();
      });
    }
    of.add([this, patience_ns = 1 + of.draw(20'000)] {
      if (!guarded_.try_lock_until(platform::now_ns() + patience_ns)) return;
      guarded_.unlock();
    });
  }
  std::string end() { return guarded_.try_lock() ? (guarded_.unlock(), "") : "a shared mutex is held although nobody has it"; }

 private:
  sync::basic_shared_mutex<Rules> guarded_;
  latch both_;
};

template <class Rules = sync::rules>
class condition_meeting {
 public:
  static constexpr const char* name = "condition_variable";
  explicit condition_meeting(meeting& of) : guarded_(of.policy), there_(of.policy) {
    const bool at_once = of.draw(2) == 0;
    if (at_once) {
      of.add([this] {
        add(2);
        there_.notify_all();
      });
    }
    for (unsigned pair = 0; pair < 2; ++pair) {
      if (!at_once) {
        of.add([this] {
          add(1);
          there_.notify_one();
        });
      }
      of.add([this, patience_ns = of.draw(2) * (1 + of.draw(20'000))] {
        std::unique_lock guard(guarded_);
        if (patience_ns != 0 && values_ == 0) there_.wait_until_ns(guard, platform::now_ns() + patience_ns);
        while (values_ == 0) there_.wait_until_ns(guard, sync::no_deadline);
        --values_;
      });
    }
  }
  std::string end() { return values_ == 0 ? "" : "what was waited for is still there"; }

 private:
  void add(unsigned values) {
    std::lock_guard guard(guarded_);
    values_ += values;
  }

  sync::mutex guarded_;
  sync::basic_condition<Rules> there_;
  unsigned values_ = 0;
};

template <class Rules = sync::rules>
class semaphore_meeting {
 public:
  static constexpr const char* name = "counting_semaphore";
  explicit semaphore_meeting(meeting& of) : most_(1 + of.draw(2)), units_(most_, 10, of.policy), seen_(4) {
    for (unsigned party = 0; party < 4; ++party) {
      of.add([this, party, patience_ns = of.draw(2) * (1 + of.draw(20'000))] {
        for (unsigned round = 0; round < 2; ++round) {
          const auto acquire = [&] {
            return units_.acquire_until(patience_ns == 0 ? sync::no_deadline : platform::now_ns() + patience_ns) ? 1 : 0;
          };
          if (seen_.note(party, acquires, 0, acquire) == 0) continue;
          said_.expect(inside_.enter(most_), "more have a unit than there are");
          inside_.leave();
          seen_.note(party, releases, 0, [&] { return units_.release(1), 0; });
        }
      });
    }
  }
  std::string end() {
    said_.expect(seen_.is_explained_by(model{most_}), "no order of the calls explains what a semaphore gave");
    for (unsigned unit = 0; unit < most_; ++unit) said_.expect(units_.acquire_until(sync::has_passed), "a unit is lost");
    said_.expect(!units_.acquire_until(sync::has_passed), "there is a unit too many");
    return said_.wrong();
  }

 private:
  enum : int { acquires, releases };
  struct model {
    unsigned units;
    auto operator<=>(const model&) const = default;
    bool apply(const history::call& made) {
      if (made.what == releases) return ++units != 0;
      if (units == 0) return made.result == 0;
      --units;
      return made.result == 1;
    }
  };

  const unsigned most_;
  sync::basic_semaphore<Rules> units_;
  history seen_;
  verdict said_;
  room inside_;
};

template <class Rules = sync::rules>
class barrier_meeting {
 public:
  static constexpr const char* name = "barrier";
  explicit barrier_meeting(meeting& of) : between_(parties, of.policy) {
    for (unsigned party = 0; party < parties; ++party) {
      of.add([this, leaves_early = party == 0] {
        for (unsigned phase = 0; phase < phases; ++phase) {
          arrived_[phase].fetch_add(1, platform::relaxed);
          const bool leaves = leaves_early && phase == 1;
          const auto made = between_.arrive(1, leaves ? 1 : 0);
          if (made.last) {
            said_.expect(completed_++ == phase, "a phase is completed twice or out of order");
            between_.complete();
          }
          if (leaves) return;
          between_.wait(made.phase);
          said_.expect(arrived_[phase].load(platform::relaxed) == (phase < 2 ? parties : parties - 1),
                       "a barrier opens before all are there");
          said_.expect(completed_ > phase, "a barrier opens before its phase is completed");
        }
      });
    }
  }
  std::string end() { return said_.wrong(); }

 private:
  static constexpr unsigned parties = 3, phases = 3;
  sync::basic_barrier<Rules> between_;
  verdict said_;
  platform::atomic<unsigned> arrived_[phases];
  unsigned completed_ = 0;  ///< ordered by the barrier
};

template <class Rules = sync::rules>
class latch_meeting {
 public:
  static constexpr const char* name = "latch";
  explicit latch_meeting(meeting& of) : opens_(parties, of.policy) {
    for (unsigned party = 0; party < parties; ++party) {
      of.add([this, party] {
        there_[party] = true;
        opens_.count_down(1);
        opens_.wait_until(sync::no_deadline);
        for (const bool each : there_) said_.expect(each, "a latch opens before all are there, or does not show what they did");
      });
    }
  }
  std::string end() { return said_.wrong(); }

 private:
  static constexpr unsigned parties = 4;
  sync::basic_latch<Rules> opens_;
  verdict said_;
  bool there_[parties] = {};
};

/// The first attempts fail, as with an exception.
template <class Rules = sync::rules>
class once_meeting {
 public:
  static constexpr const char* name = "once_flag";
  explicit once_meeting(meeting& of) : once_(of.policy), failures_(of.draw(3)) {
    for (unsigned party = 0; party < 4; ++party) {
      of.add([this] {
        if (once_.begin()) {
          said_.expect(inside_.enter(1), "two do at once what is done once");
          const bool fails = attempts_++ < failures_;
          if (!fails) ++done_;
          inside_.leave();
          once_.end(!fails);
          if (fails) return;
        }
        said_.expect(done_ == 1, "call_once returned before it was done");
      });
    }
  }
  std::string end() {
    said_.expect(done_ == 1 && attempts_ == failures_ + 1, "what is done once was done twice, or not after an exception");
    return said_.wrong();
  }

 private:
  sync::basic_once<Rules> once_;
  const unsigned failures_;
  verdict said_;
  room inside_;
  unsigned attempts_ = 0, done_ = 0;  ///< ordered by the flag
};

template <class Rules = sync::rules>
class event_meeting {
 public:
  static constexpr const char* name = "event";
  explicit event_meeting(meeting& of) : happened_(false, of.policy), seen_(4) {
    of.add([this, resets = of.draw(2) == 0] {
      first_ = 1;
      seen_.note(0, sets, 0, [&] { return happened_.set(), 0; });
      if (!resets) return;
      seen_.note(0, unsets, 0, [&] { return happened_.reset(), 0; });
      seen_.note(0, sets, 0, [&] { return happened_.set(), 0; });
    });
    for (unsigned party = 1; party < 4; ++party) {
      of.add([this, party, patience_ns = of.draw(2) * (1 + of.draw(20'000))] {
        const auto try_to_wait = [&] { return happened_.wait_until(platform::now_ns() + patience_ns) ? 1 : 0; };
        if (patience_ns != 0 && seen_.note(party, waits, 0, try_to_wait) == 1)
          said_.expect(first_ == 1, "an event came too early");
        seen_.note(party, waits, 0, [&] { return happened_.wait(), 1; });
        said_.expect(first_ == 1, "an event came before what it stands for");
      });
    }
  }
  std::string end() {
    said_.expect(seen_.is_explained_by(model{}), "no order of the calls explains what an event let go");
    said_.expect(happened_.is_set(), "an event is not set");
    return said_.wrong();
  }

 private:
  enum : int { sets, unsets, waits };
  struct model {
    bool set = false;
    auto operator<=>(const model&) const = default;
    bool apply(const history::call& made) {
      if (made.what == waits) return set == (made.result == 1);
      set = made.what == sets;
      return true;
    }
  };

  sync::basic_event<Rules> happened_;
  history seen_;
  verdict said_;
  unsigned first_ = 0;
};

/// A full/empty cell that is called by one at a time.
struct cell_model {
  enum : int { write_ef, read_fe, read_ff, write_f, fill, empty };
  bool full = false;
  int value = 0;
  auto operator<=>(const cell_model&) const = default;

  bool apply(const history::call& made) {
    const bool waits = made.what <= read_ff, writes = made.what == write_ef || made.what == write_f;
    if (waits && full != (made.what != write_ef)) return false;
    if (writes) value = made.argument;
    full = made.what != read_fe && made.what != empty;
    return !waits || writes || made.result == value;
  }
};

/// One more is written than is read and emptied, so that those who only read end too.
template <class Rules = sync::rules>
class full_empty_meeting {
 public:
  static constexpr const char* name = "full_empty";
  explicit full_empty_meeting(meeting& of) : cell_(of.policy), seen_(5) {
    for (unsigned writer = 0; writer < 2; ++writer) {
      of.add([this, writer] {
        for (int i = 0; i < 2; ++i) {
          const int value = static_cast<int>(10 * (writer + 1)) + i;
          seen_.note(writer, cell_model::write_ef, value, [&] { return cell_.writeEF(value), 0; });
        }
      });
    }
    for (unsigned reader = 2; reader < 4; ++reader) {
      of.add([this, reader] {
        for (unsigned i = 0; i + 2 < reader + 1; ++i) seen_.note(reader, cell_model::read_fe, 0, [&] { return cell_.readFE(); });
      });
    }
    of.add([this] { seen_.note(4, cell_model::read_ff, 0, [&] { return cell_.readFF(); }); });
  }
  std::string end() {
    return seen_.is_explained_by(cell_model{}) ? "" : "no order of the calls explains what a full/empty cell gave";
  }

 private:
  sync::basic_full_empty<int, Rules> cell_;
  history seen_;
};

/// Readers that fill the cell again when they have emptied it, and writers. While a reader is left nobody else empties it, so all
/// readers end; the last one empties it for the writers, and so does a writer that finds no reader left, for the other one.
template <class Rules = sync::rules>
class full_empty_marks_meeting {
 public:
  static constexpr const char* name = "full_empty_marks";
  explicit full_empty_marks_meeting(meeting& of) : cell_(of.policy), seen_(5) {
    cell_.fill();
    for (unsigned reader = 0; reader < 2; ++reader) {
      of.add([this, reader, writes = of.draw(2) == 0] {
        for (int round = 0; round < 2; ++round) {
          seen_.note(reader, cell_model::read_fe, 0, [&] { return cell_.readFE(); });
          const int value = static_cast<int>(10 * (reader + 1)) + round;
          if (writes) seen_.note(reader, cell_model::write_f, value, [&] { return cell_.writeF(value), 0; });
          else seen_.note(reader, cell_model::fill, 0, [&] { return cell_.fill(), 0; });
        }
        leave(reader);
      });
    }
    of.add([this] {
      seen_.note(2, cell_model::read_ff, 0, [&] { return cell_.readFF(); });
      leave(2);
    });
    for (unsigned writer = 3; writer < 5; ++writer) {
      of.add([this, writer] {
        for (int round = 0; round < 2; ++round) {
          const int value = static_cast<int>(10 * (writer + 1)) + round;
          seen_.note(writer, cell_model::write_ef, value, [&] { return cell_.writeEF(value), 0; });
          if (readers_left_.load(platform::acquire) == 0) empty(writer);
        }
      });
    }
  }
  std::string end() {
    if (cell_.is_full()) return "a full/empty cell is full after it was emptied for the last time";
    return seen_.is_explained_by(cell_model{true, 0}) ? "" : "no order of the calls explains what a full/empty cell gave";
  }

 private:
  void empty(unsigned party) {
    seen_.note(party, cell_model::empty, 0, [&] { return cell_.empty(), 0; });
  }
  void leave(unsigned reader) {
    if (readers_left_.fetch_sub(1, platform::acq_rel) == 1) empty(reader);
  }

  sync::basic_full_empty<int, Rules> cell_;
  history seen_;
  platform::atomic<unsigned> readers_left_{3};
};

template <class Rules = sync::rules>
class channel_meeting {
 public:
  static constexpr const char* name = "channel";
  explicit channel_meeting(meeting& of) : capacity_(1 + of.draw(2)), values_(capacity_, of.policy), seen_(4) {
    for (bool& each : tries_) each = of.draw(2) == 0;
    for (unsigned sender = 0; sender < senders; ++sender) {
      of.add([this, sender] {
        for (int i = 0; i < 3; ++i) {
          const int value = static_cast<int>(10 * (sender + 1)) + i;
          const bool tries = tries_[sender] && i == 1;
          if (tries) seen_.note(sender, tries_to_send, value, [&] { return values_.try_send(int{value}) ? 1 : 0; });
          else seen_.note(sender, sends, value, [&] { return values_.send(value) ? 1 : 0; });
        }
        if (senders_left_.fetch_sub(1, platform::acq_rel) == 1) seen_.note(sender, closes, 0, [&] { return values_.close(), 0; });
      });
    }
    for (unsigned receiver = 2; receiver < 4; ++receiver) {
      of.add([this, receiver] {
        if (tries_[receiver])
          seen_.note(receiver, tries_to_receive, 0, [&] { return values_.try_receive().value_or(nothing); });
        while (seen_.note(receiver, receives, 0, [&] { return values_.receive().value_or(nothing); }) != nothing) {
        }
      });
    }
  }
  std::string end() {
    return seen_.is_explained_by(model{{}, capacity_, false}) ? "" : "no order of the calls explains what a channel gave";
  }

 private:
  static constexpr unsigned senders = 2;
  static constexpr int nothing = -1;
  enum : int { sends, receives, closes, tries_to_send, tries_to_receive };
  struct model {
    std::deque<int> values;
    std::size_t capacity;
    bool closed;
    auto operator<=>(const model&) const = default;
    bool apply(const history::call& made) {
      if (made.what == closes) return closed = true;
      const bool tries = made.what >= tries_to_send;
      if (made.what == sends || made.what == tries_to_send) {
        if (closed || values.size() == capacity) return (closed || tries) && made.result == 0;
        values.push_back(made.argument);
        return made.result == 1;
      }
      if (values.empty()) return (closed || tries) && made.result == nothing;
      const int oldest = values.front();
      values.pop_front();
      return made.result == oldest;
    }
  };

  const std::size_t capacity_;
  sync::basic_channel<int, Rules> values_;
  history seen_;
  bool tries_[4];  ///< whose party also asks without waiting
  platform::atomic<unsigned> senders_left_{senders};
};

/// Effect: calls action.operator()<Scenario>() for each of them, with all their steps.
template <class Action>
void for_each_meeting(Action action) {
  action.template operator()<mutex_meeting<>>();
  action.template operator()<timed_mutex_meeting<>>();
  action.template operator()<recursive_mutex_meeting<>>();
  action.template operator()<shared_mutex_meeting<>>();
  action.template operator()<shared_timed_mutex_meeting<>>();
  action.template operator()<condition_meeting<>>();
  action.template operator()<semaphore_meeting<>>();
  action.template operator()<barrier_meeting<>>();
  action.template operator()<latch_meeting<>>();
  action.template operator()<once_meeting<>>();
  action.template operator()<event_meeting<>>();
  action.template operator()<full_empty_meeting<>>();
  action.template operator()<full_empty_marks_meeting<>>();
  action.template operator()<channel_meeting<>>();
}

}  // namespace TEFF_NAMESPACE::testing_sync
