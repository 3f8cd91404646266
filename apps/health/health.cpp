// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/health/health.h"

#include "apps/health/country.h"
#include "apps/in_tasks.h"
#include "apps/size_text.h"


namespace TEFF_NAMESPACE::apps {

namespace {

/// Each has twenty inhabitants at least.
constexpr std::uint64_t villages_at_most = 4'000'000;
static_assert(sizeof(inhabitant) == 20, "the least country of so many villages takes 1.6 thousand million bytes for its people");
/// Of a village, and of each inhabitant: a draw and a list's next element.
constexpr std::uint64_t cycles_per_village = 60, cycles_per_inhabitant = 5;

class health final : public in_tasks<health> {
 public:
  static constexpr const char* name = "health";
  static constexpr const char* compared = "what became of the patients";
  static constexpr bool tasks_vary = false;

  std::string choose_size(const std::string& text) override {
    std::string wrong =
        parse_size(text, health_sizes(),
                   {{{"levels", &levels_, 1, 8, ""}, {"cities", &cities_, 1, 1'000, ""}, {"steps", &steps_, 1, 100'000, ""}},
                    {{"cutoff", &cutoff_, {"none", "manual"}}}});
    levels_put_ = cutoff_ == "none" ? static_cast<std::uint32_t>(levels_) : levels_of_tasks;
    if (!wrong.empty()) return wrong;
    if (villages_of(levels_, cities_, villages_at_most + 1) > villages_at_most)
      return "size keys levels and cities cannot be '" + std::to_string(levels_) + "' and '" + std::to_string(cities_) +
             "' together, which are too many villages; allowed: 1 ... " + std::to_string(villages_at_most);
    return {};
  }

  std::string size() const override {
    return "levels=" + std::to_string(levels_) + ",cities=" + std::to_string(cities_) + ",steps=" + std::to_string(steps_) +
           ",cutoff=" + cutoff_;
  }

  void make(std::uint64_t seed) {
    made_ = country(static_cast<std::uint32_t>(levels_), static_cast<std::uint32_t>(cities_), seed);
  }
  void clear(unsigned) { country_ = made_; }
  void touch_all() const { country_.touch_all(); }
  std::uint64_t result() const { return country_.fingerprint_of_all(); }

  template <class Run>
  void solve(Run& run) {
    country_.declare(run.is_timed());
    for (std::uint64_t step = 0; step < steps_; ++step) advance(run, 0);
  }

 private:
  static constexpr std::uint32_t levels_of_tasks = 2;  ///< with a cut-off, below the highest one

  template <class Run>
  void advance(Run& run, std::uint32_t number) {
    const village& here = country_.at(number);
    const bool in_tasks_below = country_.levels() - here.level < levels_put_;
    if (here.children != 0) {
      typename Run::group below;
      for (std::uint32_t i = 0; i < here.children; ++i)
        put_or_call(run, below, in_tasks_below, [this, child = here.first_child + i](Run& task) { advance(task, child); });
      below.wait(run);
    }
    run.work(cycles_per_village + country_.advance(number) * cycles_per_inhabitant);
  }

  std::uint64_t levels_ = 4, cities_ = 6, steps_ = 50;
  std::string cutoff_ = "none";
  std::uint32_t levels_put_ = 4;  ///< levels below the highest one whose villages are tasks
  country made_, country_;
};

}  // namespace

std::vector<named_size> health_sizes() {
  return {{"tiny", "levels=3,cities=3,steps=8,cutoff=none"},
          {"small", "levels=4,cities=6,steps=50,cutoff=none"},
          {"medium", "levels=4,cities=18,steps=365,cutoff=none"},
          {"paper", "levels=4,cities=36,steps=365,cutoff=manual"}};
}

std::unique_ptr<workload> make_health() { return std::make_unique<health>(); }

}  // namespace TEFF_NAMESPACE::apps
