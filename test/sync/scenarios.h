// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One meeting for each object of src/sync, which goes wrong, or does not end, if the object is wrong; Rules leaves out a step.
#pragma once

#include "meeting.h"

#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>

namespace teff::inline TEFF_PLATFORM::testing_sync {

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
    for (unsigned pair = 0; pair < 2; ++pair) {
      of.add([this] {
        {
          std::lock_guard guard(guarded_);
          ++values_;
        }
        there_.notify_one();
      });
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
  sync::mutex guarded_;
  sync::basic_condition<Rules> there_;
  unsigned values_ = 0;
};

template <class Rules = sync::rules>
class semaphore_meeting {
 public:
  static constexpr const char* name = "counting_semaphore";
  explicit semaphore_meeting(meeting& of) : most_(1 + of.draw(2)), units_(most_, 10, of.policy) {
    for (unsigned party = 0; party < 4; ++party) {
      of.add([this, patience_ns = of.draw(2) * (1 + of.draw(20'000))] {
        for (unsigned round = 0; round < 2; ++round) {
          if (!units_.acquire_until(patience_ns == 0 ? sync::no_deadline : platform::now_ns() + patience_ns)) continue;
          said_.expect(inside_.enter(most_), "more have a unit than there are");
          inside_.leave();
          units_.release(1);
        }
      });
    }
  }
  std::string end() {
    for (unsigned unit = 0; unit < most_; ++unit) said_.expect(units_.acquire_until(sync::has_passed), "a unit is lost");
    said_.expect(!units_.acquire_until(sync::has_passed), "there is a unit too many");
    return said_.wrong();
  }

 private:
  const unsigned most_;
  sync::basic_semaphore<Rules> units_;
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
  explicit event_meeting(meeting& of) : happened_(false, of.policy) {
    of.add([this, resets = of.draw(2) == 0] {
      first_ = 1;
      happened_.set();
      if (!resets) return;
      happened_.reset();
      happened_.set();
    });
    for (unsigned party = 0; party < 3; ++party) {
      of.add([this, patience_ns = of.draw(2) * (1 + of.draw(20'000))] {
        if (patience_ns != 0 && happened_.wait_until(platform::now_ns() + patience_ns))
          said_.expect(first_ == 1, "an event came too early");
        happened_.wait();
        said_.expect(first_ == 1, "an event came before what it stands for");
      });
    }
  }
  std::string end() {
    said_.expect(happened_.is_set(), "an event is not set");
    return said_.wrong();
  }

 private:
  sync::basic_event<Rules> happened_;
  verdict said_;
  unsigned first_ = 0;
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
          seen_.note(writer, write_ef, value, [&] { return cell_.writeEF(value), 0; });
        }
      });
    }
    for (unsigned reader = 2; reader < 4; ++reader) {
      of.add([this, reader] {
        for (unsigned i = 0; i + 2 < reader + 1; ++i) seen_.note(reader, read_fe, 0, [&] { return cell_.readFE(); });
      });
    }
    of.add([this] { seen_.note(4, read_ff, 0, [&] { return cell_.readFF(); }); });
  }
  std::string end() { return seen_.is_explained_by(model{}) ? "" : "no order of the calls explains what a full/empty cell gave"; }

 private:
  enum : int { write_ef, read_fe, read_ff };
  struct model {
    bool full = false;
    int value = 0;
    auto operator<=>(const model&) const = default;
    bool apply(const history::call& made) {
      if (full != (made.what != write_ef)) return false;
      if (made.what == write_ef) value = made.argument;
      if (made.what != read_ff) full = !full;
      return made.what == write_ef || made.result == value;
    }
  };

  sync::basic_full_empty<int, Rules> cell_;
  history seen_;
};

template <class Rules = sync::rules>
class channel_meeting {
 public:
  static constexpr const char* name = "channel";
  explicit channel_meeting(meeting& of) : capacity_(1 + of.draw(2)), values_(capacity_, of.policy), seen_(4) {
    for (unsigned sender = 0; sender < senders; ++sender) {
      of.add([this, sender] {
        for (int i = 0; i < 3; ++i) {
          const int value = static_cast<int>(10 * (sender + 1)) + i;
          seen_.note(sender, sends, value, [&] { return values_.send(value) ? 1 : 0; });
        }
        if (senders_left_.fetch_sub(1, platform::acq_rel) == 1) seen_.note(sender, closes, 0, [&] { return values_.close(), 0; });
      });
    }
    for (unsigned receiver = 2; receiver < 4; ++receiver) {
      of.add([this, receiver] {
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
  enum : int { sends, receives, closes };
  struct model {
    std::deque<int> values;
    std::size_t capacity;
    bool closed;
    auto operator<=>(const model&) const = default;
    bool apply(const history::call& made) {
      if (made.what == closes) return closed = true;
      if (made.what == sends) {
        if (closed || values.size() == capacity) return closed && made.result == 0;
        values.push_back(made.argument);
        return made.result == 1;
      }
      if (values.empty()) return closed && made.result == nothing;
      const int oldest = values.front();
      values.pop_front();
      return made.result == oldest;
    }
  };

  const std::size_t capacity_;
  sync::basic_channel<int, Rules> values_;
  history seen_;
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
  action.template operator()<channel_meeting<>>();
}

}  // namespace teff::inline TEFF_PLATFORM::testing_sync
