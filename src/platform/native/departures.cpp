// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/departures.h"

#include "base/assert.h"
#include "platform/native/atomic.h"

#include <bit>
#include <fcntl.h>
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
/// This process's own; 0 until it has one. Lies on a page that the kernel clears in children, or here.
constinit generation without_page{0};
generation* own = &without_page;

void prepare() {
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    if (madvise(page, bytes, MADV_WIPEONFORK) == 0) own = ::new (page) generation(0);
    else munmap(page, bytes);
  }
  // relaxed: the child has one thread.
  pthread_atfork(nullptr, nullptr, [] { own->store(0, relaxed); });
}

/// Effect: a new process gets its number, whichever of its threads asks first.
[[gnu::cold, gnu::noinline]] std::uint64_t begin_generation() noexcept {
  // relaxed: only numbers go by them.
  const std::uint64_t made = newest.fetch_add(1, relaxed) + 1;
  std::uint64_t seen = 0;
  return own->compare_exchange(seen, made, relaxed) ? made : seen;
}

}  // namespace

std::uint64_t process_generation() noexcept {
  // Not a static local object: in a child, another thread's lock of it would be held for ever.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
  const std::uint64_t seen = own->load(relaxed);  // relaxed: only a number goes by it
  return seen != 0 ? seen : begin_generation();
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

void in_forked_child(void (*repair)()) noexcept { pthread_atfork(nullptr, nullptr, repair); }

namespace {

constinit atomic<end_of_process (*)()> look_before_waits{nullptr};

/// Where the number of threads stands behind a process's name, in parentheses, in its `stat`.
constexpr unsigned spaces_before_threads = 18;

}  // namespace

bool is_only_thread() noexcept {
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[512];
  const ssize_t length = read(file, text, sizeof text);
  close(file);
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
