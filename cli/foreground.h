// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program that runs in the place of this one, while this one stays to see its end.
#pragma once

#include "cli/process.h"

namespace teff::cli::os {

/// Effect: runs the program to its end as if this process had become it: with the streams, signals and processors that this
/// process was given, in its process group. Signals that somebody sends to this process go on to the program; those of the
/// terminal reach both anyway. When the program is stopped from the terminal, so is this process. Meanwhile this process holds
/// nothing open but standard error and the counter: what the program closes is closed. The program ends with this process. It
/// differs from this process in its number, and a SIGSTOP stops only whom it is sent to.
/// `ticks`: meanwhile the counter ticks every two milliseconds. Pre: nobody else waits for children of this process. What the
/// program wrote is not looked at. Post: signals wait.
ending accompany(const command_line& program, region_counter& counter, bool ticks);

/// Effect: an interrupt comes to this process again, but none of those that have come by now: they were the program's. Pre:
/// behind accompany.
void accept_interrupts();

/// Effect: this process ends as the program did: with its exit code, or by its signal (without a second core file).
[[noreturn]] void end_like(const ending& how);

}  // namespace teff::cli::os
