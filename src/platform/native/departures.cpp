// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/departures.h"

#include "base/assert.h"
#include "platform/native/atomic.h"
#include "platform/native/files.h"
#include "platform/native/native.h"

#include <bit>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <new>
#include <pthread.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

namespace TEFF_NAMESPACE::platform {

uncancelled::uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
uncancelled::~uncancelled() { pthread_setcancelstate(before_, nullptr); }

namespace {

using generation = atomic<std::uint64_t>;

/// The last one that was given to this process or to one of its ancestors.
constinit generation newest{0};
/// This process's own; 0 until it has one. Lies on a page that the kernel clears in children, or, if it does not, here.
constinit generation without_page{0};
constinit atomic<generation*> own{nullptr};

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

generation* make_place() noexcept {
  void* const page = mmap(nullptr, page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    if (madvise(page, page_bytes(), MADV_WIPEONFORK) == 0) return ::new (page) generation(0);
    munmap(page, page_bytes());
  }
  // relaxed: the child has one thread.
  pthread_atfork(nullptr, nullptr, [] { without_page.store(0, relaxed); });
  return &without_page;
}

/// Without a lock, which another thread's copy would have in a child for ever: who comes second throws its own away.
[[gnu::cold, gnu::noinline]] generation& make_place_once() noexcept {
  generation* const made = make_place();
  generation* seen = nullptr;
  if (own.compare_exchange(seen, made, acq_rel)) return *made;  // release: who finds it finds it made; acquire: likewise
  if (made != &without_page) munmap(made, page_bytes());
  return *seen;
}

/// Effect: a new process gets its number, whichever of its threads asks first.
[[gnu::cold, gnu::noinline]] std::uint64_t begin_generation(generation& at) noexcept {
  // relaxed: only numbers go by them.
  const std::uint64_t made = newest.fetch_add(1, relaxed) + 1;
  std::uint64_t seen = 0;
  return at.compare_exchange(seen, made, relaxed) ? made : seen;
}

}  // namespace

std::uint64_t process_generation() noexcept {
  generation* const found = own.load(acquire);  // acquire: pairs with the release of who made it
  generation& at = found != nullptr ? *found : make_place_once();
  const std::uint64_t seen = at.load(relaxed);  // relaxed: only a number goes by it
  return seen != 0 ? seen : begin_generation(at);
}

namespace {

/// A page of marks, one in a line, that the kernel clears in children, as far as it can. Pages stay.
struct page_of_marks {
  static constexpr unsigned lines = 64;
  static constexpr std::size_t line_bytes = 64, bytes = lines * line_bytes;

  atomic<std::uint64_t>* place(unsigned line) const {
    return reinterpret_cast<atomic<std::uint64_t>*>(first + line * line_bytes);
  }
  bool has(const void* place) const { return static_cast<std::size_t>(static_cast<const char*>(place) - first) < bytes; }

  atomic<std::uint64_t> taken{0};  ///< a bit for each line; not on the page: a child keeps off what its parent has
  char* first = nullptr;
  page_of_marks* next = nullptr;
};

constinit atomic<page_of_marks*> pages_of_marks{nullptr};

/// Returns: a place on the page; nullptr if all are taken.
atomic<std::uint64_t>* take_place(page_of_marks& from) noexcept {
  std::uint64_t seen = from.taken.load(relaxed);  // relaxed: a hint
  while (~seen != 0) {
    const int line = std::countr_one(seen);
    // acquire: pairs with the release of who gave it back.
    if (from.taken.compare_exchange(seen, seen | std::uint64_t{1} << line, acq_rel)) return from.place(line);
  }
  return nullptr;
}

page_of_marks& add_page() {
  auto made = std::make_unique<page_of_marks>();
  void* const page = mmap(nullptr, page_of_marks::bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  madvise(page, page_of_marks::bytes, MADV_WIPEONFORK);
  made->first = static_cast<char*>(page);
  for (unsigned line = 0; line < page_of_marks::lines; ++line) ::new (made->place(line)) atomic<std::uint64_t>(0);
  made->next = pages_of_marks.load(relaxed);  // relaxed: the exchange below tells whether it is still so
  // release: who finds the page finds it made.
  while (!pages_of_marks.compare_exchange(made->next, made.get(), acq_rel)) {
  }
  return *made.release();
}

atomic<std::uint64_t>& take_any_place() {
  // acquire: pairs with the release of who added the page.
  for (page_of_marks* page = pages_of_marks.load(acquire); page != nullptr; page = page->next) {
    if (auto* const found = take_place(*page)) return *found;
  }
  for (;;) {
    if (auto* const found = take_place(add_page())) return *found;
  }
}

}  // namespace

process_mark::process_mark() : at_(take_any_place()) {
  at_.store(1, relaxed);  // relaxed: as clear
}

process_mark::~process_mark() {
  clear();
  page_of_marks* page = pages_of_marks.load(acquire);  // acquire: as in take_any_place
  while (!page->has(&at_)) page = page->next;
  const auto line = static_cast<unsigned>(reinterpret_cast<const char*>(&at_) - page->first) / page_of_marks::line_bytes;
  page->taken.fetch_sub(std::uint64_t{1} << line, acq_rel);  // release: it is clear for who takes it
}

void once_in_process::run_slowly(void (*what)()) noexcept {
  const uncancelled until_it_is_done;
  constexpr std::uint64_t generations = std::numeric_limits<std::uint32_t>::max() - least_generation;
  const auto own = static_cast<std::uint32_t>(least_generation + process_generation() % generations);
  for (;;) {
    std::uint32_t seen = word_.load(acquire);  // acquire: pairs with the release below
    if (seen == done) return;
    if (seen == own) {
      park(word_, own, "what another thread does once in the process");
    } else if (word_.compare_exchange(seen, own, relaxed)) {  // relaxed: it elects one; of who was elected before nothing is read
      what();
      word_.store(done, release);
      return wake_all(word_);
    }
  }
}

void in_forked_child(void (*repair)()) noexcept { pthread_atfork(nullptr, nullptr, repair); }

namespace {

constinit atomic<end_of_process (*)()> look_before_waits{nullptr};

/// Where the number of threads stands behind a process's name, in parentheses, in its `stat`.
constexpr unsigned spaces_before_threads = 18;

}  // namespace

bool is_only_thread() noexcept {
  const int file = files::open("/proc/self/stat", O_RDONLY);
  if (file < 0) return false;
  char text[512];
  const ssize_t length = files::read(file, text, sizeof text);
  files::close(file);
  const std::string_view line(text, length > 0 ? static_cast<std::size_t>(length) : 0);
  std::size_t at = line.rfind(')');  // a name may have anything in it
  for (unsigned space = 0; space < spaces_before_threads && at != line.npos; ++space) at = line.find(' ', at + 1);
  return at != line.npos && line.substr(at + 1).starts_with("1 ");
}

void before_waits_for_locks(end_of_process (*look)()) noexcept {
  end_of_process (*before)() = nullptr;
  // release: what the function reads is there.
  const bool is_first = look_before_waits.compare_exchange(before, look, acq_rel);
  TEFF_REQUIRE(is_first || before == look, "a process has workers of two kinds: of teams, and of OpenMP's regions");
}

[[gnu::cold]] end_of_process about_to_wait_for_lock() noexcept {
  end_of_process (*const look)() = look_before_waits.load(acquire);  // acquire: pairs with the release above
  return look != nullptr ? look() : nullptr;
}

void end_process_at_once(int code) noexcept { _exit(code); }

}  // namespace TEFF_NAMESPACE::platform
