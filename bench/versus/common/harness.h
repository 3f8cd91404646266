// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The main function of every C++ program here: it reads the command line, warms the runtime up, runs and times a problem,
/// verifies each result, and prints one line of JSON; nothing if a result was wrong.
///
/// A problem (fib/fib.h, …) has: name; unit (what a time is divided by); numbers(), which --size sets; make_small() for the
/// warm-up; prepare(), not timed; units(); data_bytes(); verify(), a sentence if the result is wrong. Optional: seconds(), if it
/// takes its times itself, and repeats(). A program (fib/onetbb.cpp, …) has: runtime, forms (the first one is taken unless --form
/// names another), problem; a constructor that starts the runtime; run<Counted>(problem). Optional: told(), what the runtime
/// itself counted.
#pragma once

#include "process.h"
#include "tally.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace versus {

/// What the command line asks for.
struct wishes {
  unsigned threads = 1;
  std::string form;
  std::string size;
  unsigned runs = 1;
  bool counted = false;  ///< count tasks instead of timing them
  bool idle = false;     ///< what the runtime costs when there is nothing to do
  bool forms = false;    ///< say which forms there are, and do nothing else
};

/// A number that --size sets.
struct number {
  const char* name;
  std::uint64_t* value;
  std::uint64_t least, most;
};

/// A number of the runtime's own.
struct told_number {
  std::string name;
  std::uint64_t value;
};

/// A word of the command line that cannot be used. what() is a sentence.
class wrong_word : public std::exception {
 public:
  explicit wrong_word(std::string sentence) : sentence_(std::move(sentence)) {}
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

inline std::uint64_t number_of(const std::string& name, std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    throw wrong_word(name + " cannot be '" + std::string(text) + "'; allowed: " + std::to_string(least) + " ... " +
                     std::to_string(most));
  return value;
}

/// Effect: sets the numbers that "key=value,..." names.
inline void set_size(std::string_view text, const std::vector<number>& numbers) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::string_view name = pair.substr(0, pair.find('='));
    std::string allowed;
    for (const number& each : numbers) allowed += (allowed.empty() ? "" : ", ") + std::string(each.name);
    const auto found = std::find_if(numbers.begin(), numbers.end(), [&](const number& each) { return each.name == name; });
    if (found == numbers.end() || name.size() == pair.size())
      throw wrong_word("--size knows no '" + std::string(pair) + "'; allowed: key=value,... with the keys " + allowed);
    *found->value = number_of("--size " + std::string(name), pair.substr(name.size() + 1), found->least, found->most);
  }
}

inline std::string size_text(const std::vector<number>& numbers) {
  std::string text;
  for (const number& each : numbers)
    text += (text.empty() ? "" : ",") + std::string(each.name) + "=" + std::to_string(*each.value);
  return text;
}

template <class Forms>
wishes parse(int argc, char** argv, const Forms& forms) {
  wishes how;
  how.form = forms[0];
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--counted" || word == "--idle" || word == "--forms") {
      (word == "--idle" ? how.idle : word == "--forms" ? how.forms : how.counted) = true;
      continue;
    }
    if (word != "--threads" && word != "--form" && word != "--size" && word != "--runs")
      throw wrong_word("unknown option '" + word +
                       "'; allowed: --threads N, --form NAME, --size key=value,..., --runs N, --counted, --idle, --forms");
    if (++i == argc) throw wrong_word(word + " needs a value");
    if (word == "--threads") how.threads = static_cast<unsigned>(number_of(word, argv[i], 1, 256));
    else if (word == "--runs") how.runs = static_cast<unsigned>(number_of(word, argv[i], 1, 1000));
    else (word == "--form" ? how.form : how.size) = argv[i];
  }
  std::string allowed;
  for (const std::string form : forms) {
    if (how.form == form) return how;
    allowed += (allowed.empty() ? "" : ", ") + form;
  }
  throw wrong_word("--form cannot be '" + how.form + "'; allowed: " + allowed);
}

// --- what was measured -------------------------------------------------------------------------------------------------------

struct timing {
  double seconds, cpu_seconds;
};

/// What the process cost in the second that begins one second after the last task.
struct idle_cost {
  double cpu_share;
  std::uint64_t switches;
};

inline idle_cost measure_idle() {
  constexpr std::uint64_t second = 1'000'000'000;
  versus_rest(second);
  const double before = versus_cpu_seconds();
  const std::uint64_t switches = versus_context_switches();
  const auto start = std::chrono::steady_clock::now();
  versus_rest(second);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {(versus_cpu_seconds() - before) / elapsed.count(), versus_context_switches() - switches};
}

// --- one line of JSON --------------------------------------------------------------------------------------------------------

struct findings {
  std::vector<timing> timings;
  std::vector<std::uint64_t> tasks_by_thread;
  std::vector<told_number> told;
  std::optional<idle_cost> idle;
};

template <class Program, class Problem>
void print(const wishes& how, Problem& of, const findings& found) {
  std::printf(
      "{\"workload\": \"%s\", \"runtime\": \"%s\", \"form\": \"%s\", \"threads\": %u, \"size\": \"%s\", \"unit\": \"%s\", ",
      Problem::name, Program::runtime, how.form.c_str(), how.threads, size_text(of.numbers()).c_str(), Problem::unit);
  std::printf("\"units\": %.0f, \"runs\": [", static_cast<double>(of.units()));
  const char* comma = "";
  for (const timing& each : found.timings) {
    std::printf("%s{\"seconds\": %.9f, \"cpu_seconds\": %.6f}", comma, each.seconds, each.cpu_seconds);
    comma = ", ";
  }
  std::printf("], \"tasks_by_thread\": [");
  comma = "";
  for (const std::uint64_t each : found.tasks_by_thread) {
    std::printf("%s%llu", comma, static_cast<unsigned long long>(each));
    comma = ", ";
  }
  std::printf("], \"told\": {");
  comma = "";
  for (const told_number& each : found.told) {
    std::printf("%s\"%s\": %llu", comma, each.name.c_str(), static_cast<unsigned long long>(each.value));
    comma = ", ";
  }
  std::printf("}, ");
  if (found.idle)
    std::printf("\"idle\": {\"cpu_share\": %.6f, \"switches\": %llu}, ", found.idle->cpu_share,
                static_cast<unsigned long long>(found.idle->switches));
  std::printf("\"data_bytes\": %llu, \"peak_bytes\": %llu, \"compiler\": \"%s\", \"flags\": \"%s\"}\n",
              static_cast<unsigned long long>(of.data_bytes()), static_cast<unsigned long long>(versus_peak_bytes()),
              VERSUS_COMPILER, VERSUS_FLAGS);
}

/// A wrong result. what() is a sentence.
class wrong_result : public wrong_word {
 public:
  using wrong_word::wrong_word;
};

template <bool Counted, class Program, class Problem>
timing run_once(Program& by, Problem& of) {
  of.prepare();
  clear_tallies();
  const double cpu = versus_cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  by.template run<Counted>(of);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  timing taken{elapsed.count(), versus_cpu_seconds() - cpu};
  if constexpr (requires { of.seconds(); }) taken.seconds = of.seconds();
  if (const std::string wrong = of.verify(); !wrong.empty())
    throw wrong_result(std::string(Problem::name) + " by " + Program::runtime + ": " + wrong);
  return taken;
}

template <class Program, class Problem>
void measure(const wishes& how, Program& by, Problem& of) {
  Problem small;
  small.make_small();
  run_once<false>(by, small);
  findings found;
  if (how.counted) {
    run_once<true>(by, of);
    found.tasks_by_thread = tasks_by_thread();
  } else {
    unsigned runs = how.runs;
    if constexpr (requires { of.repeats(); }) runs *= of.repeats();
    for (unsigned i = 0; i < runs; ++i) found.timings.push_back(run_once<false>(by, of));
  }
  if (how.idle) found.idle = measure_idle();
  if constexpr (requires { by.told(); }) found.told = by.told();
  print<Program>(how, of, found);
}

/// Returns: the exit code: 0; 1 if a result was wrong; 2 for a word that cannot be used.
template <class Program>
int main_of(int argc, char** argv) {
  using problem = typename Program::problem;
  try {
    const wishes how = parse(argc, argv, Program::forms);
    if (how.forms) {
      for (const char* form : Program::forms) std::puts(form);
      return 0;
    }
    problem of;
    set_size(how.size, of.numbers());
    Program by(how);
    measure(how, by, of);
    return 0;
  } catch (const wrong_result& wrong) {
    std::fprintf(stderr, "wrong result: %s\n", wrong.what());
    return 1;
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 2;
  }
}

}  // namespace versus
