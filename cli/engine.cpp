// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The members of engine.h that both sides share: compiled once.
#include "cli/engine.h"

namespace teff::engine {

problem::problem() = default;
problem::~problem() = default;
bool problem::ok() const { return why == kind::none; }
void problem::set(kind reason, const std::string& text) {
  why = reason;
  sentence = text;
}

run_result::run_result() = default;
run_result::~run_result() = default;
text_table::text_table() = default;
text_table::~text_table() = default;
byte_sink::byte_sink() = default;
byte_sink::~byte_sink() = default;
program::program() = default;
program::~program() = default;
side::side() = default;
side::~side() = default;

}  // namespace teff::engine
