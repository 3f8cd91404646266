// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "synthetic.h"

namespace {

/// Put, and never waited for but by team::run.
struct task_a {
  int i;
  std::uint64_t f;

  void operator()(teff::context& here) const {
    versus::note(i);
    if (i > 0) {
      versus::compute(10 * f);
      here.put(task_a{i - 2, f});
      versus::compute(50 * f);
      here.put(task_a{i - 1, f});
    }
    versus::compute(100 * f);
  }
};

void by_group(teff::task_group& all, teff::context& here, int i, std::uint64_t f) {
  versus::note(i);
  if (i > 0) {
    versus::compute(10 * f);
    all.put(here, [&all, i, f](teff::context& own) { by_group(all, own, i - 2, f); });
    versus::compute(50 * f);
    all.put(here, [&all, i, f](teff::context& own) { by_group(all, own, i - 1, f); });
  }
  versus::compute(100 * f);
}

void by_context(teff::context& here, int i, std::uint64_t f) {
  versus::note(i);
  versus::compute(100 * f);
  if (i <= 0) return;
  versus::compute(60 * f);
  teff::join(
      here, [=](teff::context& own) { by_context(own, i - 1, f); }, [=](teff::context& own) { by_context(own, i - 2, f); });
}

struct program : versus::teff_runtime {
  using problem = versus::synthetic;
  /// context::put, which nobody waits for; one task_group for all; join, which waits.
  static constexpr const char* forms[] = {"put", "group", "context"};

  explicit program(const versus::wishes& how) : teff_runtime(how) {
    if (form == "put") team_.emplace(teff::team_options{.pool = "teff", .workers = how.threads});
  }

  template <bool Counted>
  void run(problem& of) {
    const int last = static_cast<int>(of.k) - 1;
    if (form == "put") {
      for (int i = last; i >= 0; --i) team_->init(task_a{i, of.f});
      return team_->run();
    }
    teff::default_team::call([&](teff::context& here) {
      teff::task_group all;
      for (int i = last; i >= 0; --i) {
        if (form == "context") by_context(here, i, of.f);
        else all.put(here, [&all, i, f = of.f](teff::context& own) { by_group(all, own, i, f); });
      }
      all.wait(here);
    });
  }

  std::vector<versus::told_number> told() const { return form == "put" ? versus::told_by(team_->stats()) : teff_runtime::told(); }

 private:
  std::optional<teff::team> team_;
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
