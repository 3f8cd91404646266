// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/foreground.h"

#include "cli/system.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <iterator>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace teff::cli::os {

namespace {

constexpr int killed = 128;  ///< and the signal: the exit code of a program that a signal has ended, as shells have it

/// All signals wait until they are asked for, or for ever: what has ended the program is pending here, too. Children are
/// announced, even if our parent ignored its own.
class all_signals {
 public:
  all_signals() {
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &usual, &children_before_);
    ::sigfillset(&all_);
    ::sigprocmask(SIG_BLOCK, &all_, &mask_before_);
  }
  void give_back() const {
    ::sigaction(SIGCHLD, &children_before_, nullptr);
    ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  int next(siginfo_t& info) const { return ::sigwaitinfo(&all_, &info); }
  /// Returns: -1 if none comes within that time.
  int next(siginfo_t& info, const timespec& within) const { return ::sigtimedwait(&all_, &info, &within); }

 private:
  sigset_t all_, mask_before_;
  struct sigaction children_before_;
};

/// In the child.
void be_what_the_parent_was(const all_signals& held, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(killed + SIGKILL);
  give_back_signals();
  held.give_back();
  give_back_streams();
}

/// Effect: closes these and all between them. Before Linux 5.9 one by one, and no more than programs usually have.
void close_all(unsigned first, unsigned last) {
  if (first > last || ::close_range(first, last, 0) == 0) return;
  constexpr unsigned usual_files = 65'536;
  for (unsigned each = first; each <= last && each < usual_files; ++each) ::close(static_cast<int>(each));
}

/// Effect: closes what the program got as well, so that it is closed when the program closes it.
void let_go(const region_counter& counter) {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) {
    if (nothing < 0 || ::dup2(nothing, stream) < 0) ::close(stream);
  }
  if (counter.descriptor() < 0) return close_all(STDERR_FILENO + 1, UINT_MAX);
  const auto kept = static_cast<unsigned>(counter.descriptor());
  close_all(STDERR_FILENO + 1, kept - 1);
  close_all(kept + 1, UINT_MAX);
}

/// Whether the terminal sends it, and then to the whole process group.
bool is_of_terminal(int signal) {
  constexpr int sent[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};
  return std::find(std::begin(sent), std::end(sent), signal) != std::end(sent);
}

void pass_on(const siginfo_t& info, pid_t child) {
  const bool sent_by_process = info.si_code <= 0;
  if (info.si_code == SI_QUEUE) ::sigqueue(child, info.si_signo, info.si_value);
  else if (sent_by_process || !is_of_terminal(info.si_signo)) ::kill(child, info.si_signo);
}

/// Effect: looks at what became of children. Returns: whether that one has ended; then `how` says so. `waits`: until it has.
bool has_ended(pid_t child, ending& how, bool waits) {
  int status = 0;
  rusage used{};
  // Others than that one belong to the first process of a container.
  for (pid_t seen; (seen = ::wait4(-1, &status, (waits ? 0 : WNOHANG) | WUNTRACED, &used)) > 0;) {
    if (seen != child) continue;
    if (!WIFSTOPPED(status)) {
      take_end(status, used, how);
      return true;
    }
    // A debugger's SIGSTOP is taken back by a SIGCONT to the program alone.
    if (WSTOPSIG(status) != SIGSTOP) ::raise(SIGSTOP);
  }
  return false;
}

/// Effect: waits for a signal; makes ticks meanwhile, if there are to be some. Returns: the signal's number; less than 0 if the
/// wait was interrupted, or refused.
int wait_for_signal(const all_signals& held, siginfo_t& info, region_counter* ticking) {
  if (ticking == nullptr) return held.next(info);
  constexpr timespec between_ticks{0, region_ticks::least_apart_ns};
  int got;
  // While the time runs out nothing becomes of a child: it would be told by a signal.
  while ((got = held.next(info, between_ticks)) < 0 && errno == EAGAIN) ticking->tick();
  return got;
}

}  // namespace

ending accompany(const command_line& program, region_counter& counter, bool ticks) {
  ending how;
  if (ticks) counter.tick();
  const pid_t parent = ::getpid();
  const all_signals held;
  const auto begin = std::chrono::steady_clock::now();
  const auto child = static_cast<pid_t>(start(program, [&] { be_what_the_parent_was(held, parent); }, how.error));
  if (child < 0) {
    held.give_back();
    return how;
  }
  let_go(counter);
  bool is_refused = false;  // as by a filter of system calls: then no signal is passed on, and no more ticks are made
  while (!has_ended(child, how, is_refused)) {
    siginfo_t info{};
    const int got = wait_for_signal(held, info, ticks ? &counter : nullptr);
    is_refused = got < 0 && errno != EINTR;
    if (got > 0 && got != SIGCHLD) pass_on(info, child);
  }
  how.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return how;
}

void accept_interrupts() {
  sigset_t all;
  ::sigfillset(&all);
  siginfo_t info{};
  for (constexpr timespec none{}; ::sigtimedwait(&all, &info, &none) > 0;) {
  }
  sigset_t interrupts;
  ::sigemptyset(&interrupts);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&interrupts, each);
  ::sigprocmask(SIG_UNBLOCK, &interrupts, nullptr);
}

void end_like(const ending& how) {
  if (how.signal == 0) std::_Exit(how.exit_code);
  ::prctl(PR_SET_DUMPABLE, 0);
  std::signal(how.signal, SIG_DFL);
  sigset_t others;
  ::sigfillset(&others);
  ::sigdelset(&others, how.signal);
  ::sigprocmask(SIG_SETMASK, &others, nullptr);
  ::raise(how.signal);
  std::_Exit(killed + how.signal);
}

}  // namespace teff::cli::os
