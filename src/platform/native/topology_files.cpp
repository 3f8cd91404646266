// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the kernel's files say about where processors sit, for those who must not load hwloc into other people's processes.
#include "platform/native/processors.h"

#include <cstdio>
#include <string>

namespace teff::inline TEFF_PLATFORM::platform {

namespace {

/// Returns: the number in a file of the processor's folder, or `otherwise`.
unsigned number_in(unsigned processor, const char* file, unsigned otherwise) {
  const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/" + file;
  std::FILE* const opened = std::fopen(path.c_str(), "re");
  if (opened == nullptr) return otherwise;
  unsigned number = otherwise;
  if (std::fscanf(opened, "%u", &number) != 1) number = otherwise;
  std::fclose(opened);
  return number;
}

}  // namespace

std::vector<processor_location> locate_processors(const std::vector<unsigned>& processors, const char*) {
  std::vector<processor_location> locations;
  for (const unsigned processor : processors) {
    const unsigned package = number_in(processor, "topology/physical_package_id", 0);
    locations.push_back({processor, number_in(processor, "topology/core_id", processor),
                         number_in(processor, "cache/index3/id", package), package});
  }
  return locations;
}

}  // namespace teff::inline TEFF_PLATFORM::platform
