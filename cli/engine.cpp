// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The members of engine.h that both sides share: compiled once.
#include "cli/engine.h"

#include <utility>

namespace teff::engine {

problem::problem() = default;
problem::~problem() = default;
bool problem::ok() const { return why == kind::none; }
void problem::set(kind reason, const std::string& text) {
  why = reason;
  sentence = text;
}

metric::metric(std::string its_name, std::string its_what, std::optional<double> its_value, std::string if_none)
    : name(std::move(its_name)), what(std::move(its_what)), value(its_value), instead(std::move(if_none)) {}
metric::metric(const metric& other) = default;
metric& metric::operator=(const metric& other) = default;
metric::~metric() = default;

run_result::run_result() = default;
run_result::~run_result() = default;
void run_result::add_metric(const char* name, const char* what, std::optional<double> value, const char* instead) {
  metrics.emplace_back(name, what, value, instead);
}
text_table::text_table() = default;
text_table::~text_table() = default;
byte_sink::byte_sink() = default;
byte_sink::~byte_sink() = default;
program::program() = default;
program::~program() = default;
side::side() = default;
side::~side() = default;

}  // namespace teff::engine
