// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/sweep.h"

#include "cli/numbers.h"
#include "report/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace teff::cli {

namespace {

using report::format;

bool parse_real(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// Returns: a sentence if two words are the same number.
std::string find_same_number(const std::string& option, const std::vector<std::string>& values) {
  for (auto a = values.begin(); a != values.end(); ++a) {
    for (auto b = a + 1; b != values.end(); ++b) {
      double first, second;
      if (parse_real(*a, first) && parse_real(*b, second) && first == second)
        return format("{} has '{}' twice, the second time as '{}'", option, *a, *b);
    }
  }
  return {};
}

std::string shortest(double value) { return format("{:.10g}", value); }

/// What stands between FROM and TO, and behind TO.
struct range {
  double from = 0, to = 0, step = 0;
};

std::string read_range(const std::string& option, const std::string& values, range& made) {
  const std::size_t dots = values.find(".."), colon = values.find(':', dots);
  const std::string from = values.substr(0, dots), to = values.substr(dots + 2, colon - std::min(colon, dots + 2));
  if (from.empty() || to.empty()) return format("{} has no {}: write {}", option, from.empty() ? "begin" : "end", sweep_forms);
  for (const auto& [text, number] : {std::pair(&from, &made.from), {&to, &made.to}}) {
    if (!parse_real(*text, *number)) return format("{}: '{}' is no number: write {}", option, *text, sweep_forms);
  }
  if (made.to <= made.from) return format("{}: a range rises, but '{}' is not more than '{}'", option, to, from);
  if (colon == std::string::npos) return {};
  const std::string step = values.substr(colon + 1);
  if (!parse_real(step, made.step) || made.step <= 0)
    return format("{}: the step cannot be '{}'; allowed: more than 0", option, step);
  return {};
}

bool is_whole(double value) { return std::floor(value) == value; }

std::string expand(const std::string& option, const range& of, std::vector<std::string>& values) {
  const bool whole = is_whole(of.from) && is_whole(of.to);
  const double parts = whole ? std::min<double>(sweep_values - 1, of.to - of.from) : sweep_values - 1;
  // A last step may end a little above TO because numbers are rounded.
  const double count = of.step > 0 ? std::floor((of.to - of.from) / of.step * (1 + 1e-12)) + 1 : parts + 1;
  if (count > sweep_values_at_most)
    return format("{} has {:.0f} values; allowed: at most {}", option, count, sweep_values_at_most);
  for (unsigned number = 0; number < count; ++number) {
    const double i = number, value = of.step > 0 ? of.from + i * of.step : of.from + (of.to - of.from) * i / parts;
    values.push_back(shortest(of.step <= 0 && whole ? std::round(value) : value));
  }
  return {};
}

}  // namespace

std::string parse_sweep(const std::string& text, sweep_plan& made) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return format("--sweep cannot be '{}'; allowed: {}", text, sweep_forms);
  made.cost = text.substr(0, equals);
  const std::string values = text.substr(equals + 1), option = "--sweep '" + text + "'";
  if (values.find("..") == std::string::npos) {
    if (std::string wrong = parse_list("--sweep", values, made.values); !wrong.empty()) return wrong;
    if (std::string wrong = find_same_number(option, made.values); !wrong.empty()) return wrong;
  } else {
    range read;
    std::string wrong = read_range(option, values, read);
    if (wrong.empty()) wrong = expand(option, read, made.values);
    if (!wrong.empty()) return wrong;
  }
  const std::size_t count = made.values.size();
  if (count < 2) return format("{} has one value; allowed: 2 ... {}", option, sweep_values_at_most);
  if (count > sweep_values_at_most) return format("{} has {} values; allowed: at most {}", option, count, sweep_values_at_most);
  return {};
}

}  // namespace teff::cli
