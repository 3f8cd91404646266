// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/record.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace teff::report {

std::optional<std::uint64_t> record::value(const std::string& name) const {
  const auto found = std::find_if(counters.begin(), counters.end(), [&](const counter& each) { return each.name == name; });
  if (found == counters.end()) return std::nullopt;
  return found->value;
}

std::uint64_t account_part::total() const { return std::accumulate(ns_by_worker.begin(), ns_by_worker.end(), std::uint64_t{0}); }

std::optional<double> record::share(const std::string& part) const {
  const auto found = std::find_if(account.begin(), account.end(), [&](const account_part& each) { return each.name == part; });
  if (found == account.end() || account_ns == 0 || found->ns_by_worker.empty()) return std::nullopt;
  return static_cast<double>(found->total()) / static_cast<double>(account_ns * found->ns_by_worker.size());
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

std::size_t median_index(const std::vector<double>& samples) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return samples[a] != samples[b] ? samples[a] < samples[b] : a < b; });
  return order[(samples.size() - 1) / 2];
}

double quantile(std::vector<double> samples, double fraction) {
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<std::size_t>(std::llround(fraction * static_cast<double>(samples.size() - 1)))];
}

std::pair<double, double> middle_half(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  // As many are left out below as above, so that neither side is the more noisy one.
  const std::size_t left_out = (samples.size() - 1) / 4;
  return {samples[left_out], samples[samples.size() - 1 - left_out]};
}

double spread(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double middle = median(samples);
  return middle > 0 ? (*most - *least) / middle : 0;
}

std::optional<double> median_seconds(const record& of) {
  if (!of.verified || of.seconds.empty()) return std::nullopt;
  return median(of.seconds);
}

std::optional<double> speedup(const record& of) {
  const auto own = median_seconds(of);
  if (!own || *own <= 0 || of.serial_seconds.empty() || median(of.serial_seconds) < no_time_seconds) return std::nullopt;
  return median(of.serial_seconds) / *own;
}

}  // namespace teff::report
