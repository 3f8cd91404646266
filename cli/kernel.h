// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the files of the kernel say about the machine.
///
/// `root` is put before every path, for tests with a tree of their own; it is empty for the real one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

/// A node of memory, and how far it is from each node, by the firmware: 10 is its own memory.
struct memory_node {
  unsigned number;
  std::vector<unsigned> distances;
};

/// A fact that cannot be read is missing, or an empty text.
struct kernel_facts {
  bool proc = false;  ///< whether /proc is there
  bool sys = false;   ///< whether /sys is there
  std::string processor;
  std::optional<unsigned> online;  ///< processors
  std::optional<bool> hypervisor;  ///< whether the processor has the flag of that name
  std::string clock_source;
  std::string huge_pages;              ///< always, madvise or never
  std::vector<std::string> governors;  ///< of the frequency, each once
  std::vector<memory_node> nodes;      ///< of memory, in ascending order
  std::optional<double> load;          ///< runnable threads of the whole machine, mean of the last minute
  std::optional<double> stolen;        ///< part of the processors' time since the start that the hypervisor gave to others
  std::optional<std::int64_t> counters_paranoid, mappings, overcommit, threads, process_numbers;
};

/// Effect: reads the files. `processors` are the ones whose frequency matters.
kernel_facts read_kernel(const std::string& root, const std::vector<unsigned>& processors);

/// Returns: the name of the processor's model; "unknown" if it cannot be read.
std::string read_processor_name(const std::string& root = "");

}  // namespace teff::cli
