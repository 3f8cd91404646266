// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Jobs that arrive at run queues: Dandamudi & Cheng 1996. README.md says what they do.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* run_queues_keys =
    "program=fork-join|lock|barrier (what tasks of a job do), wait=spin|block|spin-then-block (what a task does that has to "
    "wait), "
    "jobs=1...10000000, warmup=0... (first jobs that do not count), processors=1...1024 (of the system that load is about), "
    "batch=fixed|uniform|exponential (how many tasks a job has), tasks=1...100000 (that number, the most or the mean), "
    "load=0.001...100 "
    "(work that arrives over what the processors can do), iterations=1...1000 (the most of a task), compute=0.000001...1000 "
    "(mean time of "
    "a computation), hold=0...1000 (time that the lock is held), vary=0...1 (how much tasks of a job differ), cv=0...10 "
    "(coefficient of "
    "variation of a computation), network=0...10 (delay of the network, in barriers), front=0...10 (delay of the front end's "
    "network), "
    "unit=1...1000000000 (units of charge in a mean time of a task)";

std::vector<named_size> run_queues_sizes();
std::unique_ptr<workload> make_run_queues();

}  // namespace TEFF_NAMESPACE::apps
