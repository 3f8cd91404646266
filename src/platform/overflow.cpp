// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/overflow.h"

#include "platform/sanitizers.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

namespace TEFF_NAMESPACE::platform {

#if defined(TEFF_SIMULATED) || defined(TEFF_ADDRESS_SANITIZER) || defined(TEFF_THREAD_SANITIZER)

void report_overflows(overflow_reporter) noexcept {}
signal_stack::~signal_stack() {}  // natively it has something to do
void signal_stack::lend() noexcept {}
void signal_stack::take_back() noexcept {}

#else

namespace {

overflow_reporter the_reporter;
std::atomic_flag installed;
struct sigaction before_segv, before_bus;

std::size_t signal_stack_bytes() noexcept {
  const long least = sysconf(_SC_MINSIGSTKSZ);  // depends on the registers that the processor has
  return std::size_t{16} * 1024 + static_cast<std::size_t>(std::max(least, 0L));
}

void to_default(int number) noexcept {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, nullptr);
}

/// Effect: as if Teff had no handler.
void pass_on(int number, siginfo_t* about, void* where) {
  const struct sigaction& before = number == SIGBUS ? before_bus : before_segv;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, about, where);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
  to_default(number);
  // The instruction is tried again and fails again; a signal that somebody sent would not.
  if (about->si_code <= 0) raise(number);
}

void handle(int number, siginfo_t* about, void* where) {
  line sentence;
  if (about->si_code <= 0 || !the_reporter(about->si_addr, sentence)) return pass_on(number, about, where);
  say(sentence.text());
  to_default(number);  // the instruction is tried again
}

void give_back(int number, const struct sigaction& before) noexcept {
  struct sigaction now{};
  if (sigaction(number, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != handle) return;
  sigaction(number, &before, nullptr);
}

/// When the library that this lies in is closed, the handler's code goes.
[[gnu::destructor]] void give_back_handlers() noexcept {
  if (!installed.test(std::memory_order_relaxed)) return;  // relaxed: nobody else uses the library any more
  give_back(SIGSEGV, before_segv);
  give_back(SIGBUS, before_bus);
}

}  // namespace

void report_overflows(overflow_reporter reporter) noexcept {
  if (installed.test_and_set(std::memory_order_relaxed)) return;  // relaxed: it elects who installs, and nothing is read by it
  the_reporter = reporter;
  struct sigaction ours{};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGSEGV, nullptr, &before_segv);
  sigaction(SIGBUS, nullptr, &before_bus);
  sigaction(SIGSEGV, &ours, nullptr);
  sigaction(SIGBUS, &ours, nullptr);
}

signal_stack::~signal_stack() {
  if (memory_ != nullptr) munmap(memory_, signal_stack_bytes());
}

void signal_stack::lend() noexcept {
  stack_t now;
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  stack_t ours{};
  ours.ss_size = signal_stack_bytes();
  if (memory_ == nullptr) {
    void* mapped = mmap(nullptr, ours.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return;
    memory_ = mapped;
  }
  ours.ss_sp = memory_;
  lent_ = sigaltstack(&ours, nullptr) == 0;
}

void signal_stack::take_back() noexcept {
  if (!lent_) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  lent_ = false;
}

#endif

}  // namespace TEFF_NAMESPACE::platform
