// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/run_queues/run_queues.h"

#include "apps/run_queues/study.h"
#include "apps/size_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace TEFF_NAMESPACE::apps {

namespace {

/// A system that serves less than it is offered has more and more jobs in it. It is said to be saturated if in the second half of
/// a run their number grows by more than this part of those that arrive.
constexpr double growth_at_most = 0.05;
constexpr const char* queue_share = "queue_share";
constexpr const char* queue_share_means = "part of their time in which workers were at run queues, or waited for these";
/// Below that coefficient of variation, but for 0, the distribution would have hundreds of stages.
constexpr double least_cv = 0.05;

/// The defaults of §3 (Figure 3), Table 1 and Table 2. So long a unit makes little of what the runtime itself takes: some
/// thousand cycles where several tasks meet at a mutex or barrier, while Cd_in is half a million.
job_rules defaults_of(const std::string& program) {
  job_rules rules{.program = program,
                  .wait = "block",
                  .batch = "uniform",
                  .jobs = 100,
                  .warmup = 10,
                  .processors = 64,
                  .tasks = 64,
                  .iterations = 15,
                  .load = 0.7,
                  .compute = 0.24,
                  .hold = 0.01,
                  .vary = 0.5,
                  .cv = 1,
                  .network = 0.005,
                  .front = 0.0005,
                  .unit = 100'000'000};
  if (program == "fork-join") {
    rules.batch = "exponential";
    rules.compute = 1;
  } else if (program == "barrier") {
    rules.load = 0.5;
    rules.compute = 0.25;
    rules.vary = 0.25;
  }
  return rules;
}

/// Which keys a program does not use.
bool has_key(const job_rules& rules, const std::string& key) {
  if (key == "hold") return rules.is("lock");
  if (key == "network") return rules.is("barrier");
  if (key == "wait" || key == "iterations" || key == "vary") return rules.iterates();
  return true;
}

std::string whole(std::uint64_t number) { return std::to_string(number); }

/// Every key and its value, in the order in which they are written.
std::vector<std::pair<std::string, std::string>> pairs_of(const job_rules& rules) {
  return {{"program", rules.program},
          {"wait", rules.wait},
          {"jobs", whole(rules.jobs)},
          {"warmup", whole(rules.warmup)},
          {"processors", whole(rules.processors)},
          {"batch", rules.batch},
          {"tasks", whole(rules.tasks)},
          {"load", text_of(rules.load)},
          {"iterations", whole(rules.iterations)},
          {"compute", text_of(rules.compute)},
          {"hold", text_of(rules.hold)},
          {"vary", text_of(rules.vary)},
          {"cv", text_of(rules.cv)},
          {"network", text_of(rules.network)},
          {"front", text_of(rules.front)},
          {"unit", whole(rules.unit)}};
}

size_keys keys_of(job_rules& rules) {
  return {{{"jobs", &rules.jobs, 1, 10'000'000, ""},
           {"warmup", &rules.warmup, 0, 10'000'000, ""},
           {"processors", &rules.processors, 1, 1024, ""},
           {"tasks", &rules.tasks, 1, 100'000, ""},
           {"iterations", &rules.iterations, 1, 1000, ""},
           {"unit", &rules.unit, 1, 1'000'000'000, ""}},
          {{"program", &rules.program, {"fork-join", "lock", "barrier"}},
           {"wait", &rules.wait, {"spin", "block", "spin-then-block"}},
           {"batch", &rules.batch, {"fixed", "uniform", "exponential"}}},
          {{"load", &rules.load, 0.001, 100, ""},
           {"compute", &rules.compute, 0.000001, 1000, ""},
           {"hold", &rules.hold, 0, 1000, ""},
           {"vary", &rules.vary, 0, 1, ""},
           {"cv", &rules.cv, 0, 10, ""},
           {"network", &rules.network, 0, 10, ""},
           {"front", &rules.front, 0, 10, ""}}};
}

/// Returns: the value of the key in the text, if it is there.
std::optional<std::string> value_in(const std::string& text, const std::string& key) {
  const std::string all = "," + text;
  const std::size_t at = all.find("," + key + "=");
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + key.size() + 2;
  return all.substr(begin, all.find(',', begin) - begin);
}

/// Returns: an empty text, or why these rules cannot be.
std::string contradiction_in(const job_rules& rules, const std::string& text) {
  for (const auto& [key, value] : pairs_of(rules)) {
    if (!has_key(rules, key) && value_in(text, key)) return "size key " + key + " means nothing for program=" + rules.program;
  }
  if (rules.warmup >= rules.jobs)
    return "size key warmup cannot be '" + whole(rules.warmup) + "': no job of " + whole(rules.jobs) + " would count";
  if (rules.cv > 0 && rules.cv < least_cv)
    return "size key cv cannot be '" + text_of(rules.cv) + "'; allowed: 0, or " + text_of(least_cv) + " ... 10";
  return {};
}

/// Whose tasks spin at a barrier keeps that many workers until all have come: with fewer they never do.
std::string too_large_for(const job_rules& rules, std::uint64_t workers, const char* whose) {
  if (!rules.is("barrier") || rules.wait != "spin") return {};
  const std::uint64_t largest = rules.largest_batch();
  if (largest != 0 && largest <= workers) return {};
  return "tasks that spin at a barrier need a processor each: a job of " +
         (largest == 0 ? std::string("any size (batch=exponential)") : whole(largest) + " tasks (tasks=" + whole(largest) + ")") +
         " does not fit " + whole(workers) + whose + "; allowed: batch=uniform or fixed with tasks up to that, or wait=block";
}

/// Jobs in the system: those that have arrived before, and not ended.
double jobs_at(double time, const std::vector<double>& arrivals, const std::vector<double>& ends) {
  std::size_t jobs = 0;
  for (std::size_t each = 0; each < arrivals.size(); ++each) jobs += arrivals[each] < time && time < ends[each];
  return static_cast<double>(jobs);
}

class run_queues final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    std::string pairs = text;
    for (const named_size& each : run_queues_sizes()) {
      if (text == each.name) pairs = each.text;
    }
    // Each program has its own defaults.
    rules_ = defaults_of(value_in(pairs, "program").value_or("fork-join"));
    std::string wrong = parse_size(text, run_queues_sizes(), keys_of(rules_));
    if (wrong.empty()) wrong = contradiction_in(rules_, pairs);
    return wrong.empty() ? too_large_for(rules_, rules_.processors, " processors") : wrong;
  }

  std::string size() const override {
    std::string text;
    for (const auto& [key, value] : pairs_of(rules_)) {
      if (has_key(rules_, key)) text.append(text.empty() ? "" : ",").append(key).append("=").append(value);
    }
    return text;
  }

  std::string refuses(unsigned workers) const override { return too_large_for(rules_, workers, " workers"); }

  void prepare(std::uint64_t seed, unsigned) override {
    result_ = {};
    last_.reset();
    seed_ = seed;
    if (known_of_ == size() + "," + whole(seed)) return;
    known_ = {};
    go_through(known_, false);
    known_of_ = size() + "," + whole(seed);
  }

  void serial() override { go_through(result_, true); }

  void tasks(team& workers) override {
    if (const std::string sentence = refuses(workers.workers()); !sentence.empty()) throw usage_error(sentence);
    last_.emplace(rules_, seed_);
    last_->run(workers);
    result_ = last_->total();
  }

  std::string verify() const override {
    const auto differs = [](const char* what, std::uint64_t found, std::uint64_t expected) {
      return std::string(what) + ": " + whole(found) + " instead of " + whole(expected);
    };
    std::string wrong;
    if (result_.tasks != known_.tasks) wrong = differs("tasks", result_.tasks, known_.tasks);
    else if (result_.computations != known_.computations)
      wrong = differs("iterations of tasks", result_.computations, known_.computations);
    else if (result_.charged != known_.charged)
      wrong = differs("time that was charged, in units", result_.charged, known_.charged);
    else if (result_.begun_twice != 0) wrong = differs("tasks that ran twice", result_.begun_twice, 0);
    else if (result_.not_exclusive != 0) wrong = differs("times a lock was held by two", result_.not_exclusive, 0);
    else if (result_.out_of_phase != 0) wrong = differs("barriers that let a task go too early", result_.out_of_phase, 0);
    else wrong = wrong_time();
    return wrong.empty() ? wrong : "run_queues " + size() + " is wrong in " + wrong;
  }

  std::uint64_t tasks_run() const override { return result_.tasks; }

  std::vector<metric> metrics() const override;

 private:
  /// Effect: what all tasks do, job by job. With `takes_time` they take their times.
  void go_through(tally& done, bool takes_time) const {
    for (std::uint64_t number = 0; number < rules_.jobs; ++number) {
      const job_plan plan(rules_, seed_, number);
      for (std::uint32_t index = 0; index < plan.tasks(); ++index) {
        auto demands = plan.of_task(index);
        ++done.tasks;
        for (std::uint32_t iteration = 0; iteration < plan.iterations(); ++iteration) {
          const std::uint64_t units = demands.next() + (rules_.is("lock") ? plan.hold() : 0);
          ++done.computations;
          done.charged += units;
          if (takes_time) this_task::charge(units);
        }
      }
    }
  }

  /// In simulation time is exact: what was charged has passed, and no more but the looks at the clock.
  std::string wrong_time() const {
#ifdef TEFF_SIMULATED
    if (!last_) return {};
    const double charged = static_cast<double>(result_.charged) * last_->ns_per_time() / static_cast<double>(rules_.unit);
    const double looks = 2 * 100.0 * static_cast<double>(result_.computations);
    const auto elapsed = static_cast<double>(result_.elapsed_ns);
    if (elapsed < 0.999 * charged - looks || elapsed > 1.001 * charged + looks)
      return "the time that passed: " + text_of(elapsed) + " ns for " + text_of(charged) + " ns that were charged";
#endif
    return {};
  }

  /// Effect: adds what parts of their time workers spent on what. `over`: the study that has ended; `capacity_ns`:
  /// the workers' time in it.
  void add_shares(const study& over, double capacity_ns, std::vector<metric>& seen) const;

  job_rules rules_ = defaults_of("fork-join");
  std::uint64_t seed_ = 1;
  tally result_, known_;
  std::string known_of_;
  std::optional<study> last_;
};

std::vector<metric> run_queues::metrics() const {
  if (!last_) return {};
  const std::vector<double>& arrivals = last_->arrivals();
  const std::vector<double> ends = last_->ends();
  const double first = arrivals[rules_.warmup], last = arrivals.back(), middle = (first + last) / 2;
  std::vector<double> responses;
  double second_half = 0;
  for (std::size_t each = rules_.warmup; each < arrivals.size(); ++each) {
    responses.push_back(ends[each] - arrivals[each]);
    second_half += arrivals[each] > middle;
  }
  double sum = 0;
  for (const double each : responses) sum += each;
  const auto p95 = responses.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(responses.size() - 1));
  std::nth_element(responses.begin(), p95, responses.end());

  const double then = jobs_at(middle, arrivals, ends), now = jobs_at(last, arrivals, ends);
  const double growth = now - then - 2 * std::sqrt(now + then);
  const double offered = rules_.load * static_cast<double>(rules_.processors) / last_->workers();
  const bool saturated = offered >= 1 || growth > growth_at_most * second_half;
  const auto unless_saturated = [&](double value) { return saturated ? std::nullopt : std::optional(value); };

  std::vector<metric> seen = {{"offered_load", "work that arrives over what the workers can do", offered, ""},
                              {"saturated", "1: more arrives than is served, and there is no mean", saturated ? 1 : 0, ""},
                              {"response_mean", "mean time from a job's arrival to its end, in mean times of a task",
                               unless_saturated(sum / static_cast<double>(responses.size())), "saturated"},
                              {"response_p95", "95 % of the jobs are not longer there", unless_saturated(*p95), "saturated"}};
  add_shares(*last_, (last - first) * last_->ns_per_time() * last_->workers(), seen);
  seen.push_back({"front_end_thread",
                  "0: the system refused the front end a thread of its own, a worker slept with it, and nothing was measured",
                  last_->had_own_thread() ? 1 : 0, ""});
  if (!last_->had_own_thread()) {
    for (metric& each : std::span(seen).subspan(1).first(seen.size() - 2)) each.value.reset(), each.instead = "no thread";
  }
  return seen;
}

void run_queues::add_shares(const study& over, double capacity_ns, std::vector<metric>& seen) const {
  const auto share = [&](std::uint64_t ns) {
    return capacity_ns > 0 ? std::optional(static_cast<double>(ns) / capacity_ns) : std::nullopt;
  };
  const auto add = [&](const char* name, const char* what, std::optional<double> value, const char* instead = "one job") {
    seen.push_back({name, what, value, instead});
  };
  add("useful_utilisation", "part of their time in which workers computed, or held a lock", share(result_.useful_ns));
  const std::uint64_t at_queues = over.between().queues;
  if (at_queues != 0) add(queue_share, queue_share_means, share(at_queues));
  else add(queue_share, queue_share_means, std::nullopt, "not counted");
  if (!rules_.iterates()) return;
  if (rules_.wait != "block")
    add("spin_share", "part of their time in which workers waited, spinning, with a task at locks and barriers",
        share(rules_.wait == "spin" ? result_.waiting_ns : over.between().spun));
  const auto waiting = share(result_.waiting_ns);
  add("waiting_tasks", "mean number of tasks that wait at locks and barriers",
      waiting ? std::optional(*waiting * over.workers()) : std::nullopt);
}

}  // namespace

std::vector<named_size> run_queues_sizes() {
  return {{"tiny", "program=fork-join,jobs=10,warmup=1,processors=8,tasks=4,unit=2000"},
          {"small", "program=fork-join,jobs=100,warmup=10,processors=8,tasks=8,unit=20000"},
          {"medium", "program=lock,jobs=1000,warmup=100,processors=8,tasks=8,unit=100000"},
          {"paper", "program=lock,jobs=20000,warmup=2000"},
          {"figure-3", "program=fork-join,jobs=20000,warmup=2000"},
          {"table-1", "program=lock,jobs=20000,warmup=2000,wait=spin"},
          {"table-2", "program=barrier,jobs=20000,warmup=2000,wait=spin"}};
}

std::unique_ptr<workload> make_run_queues() { return std::make_unique<run_queues>(); }

}  // namespace TEFF_NAMESPACE::apps
