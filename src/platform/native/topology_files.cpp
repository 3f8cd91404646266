// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the kernel's files say about where processors sit. Considered: hwloc, which costs 6–40 ms, binds the calling thread to
/// one processor after the other on x86, and (2.9) does not bear being refused memory. It serves those who ask for a survey.
#include "platform/native/processors.h"

#include <cstdio>
#include <dirent.h>
#include <memory>
#include <optional>
#include <string>

namespace TEFF_NAMESPACE::platform {

namespace {

/// Returns: the number at the begin of a file, as that of a list; nothing if there is none, or a negative one, which means that
/// the kernel does not know.
std::optional<unsigned> number_in(const std::string& path) {
  std::FILE* const opened = std::fopen(path.c_str(), "re");
  if (opened == nullptr) return std::nullopt;
  long long number = -1;
  const bool read = std::fscanf(opened, "%lld", &number) == 1;
  std::fclose(opened);
  return read && number >= 0 ? std::optional(static_cast<unsigned>(number)) : std::nullopt;
}

/// Returns: the number of the processor's memory node: a link to it lies in the processor's folder.
std::optional<unsigned> node_in(const std::string& folder) {
  struct closer {
    void operator()(DIR* opened) const { closedir(opened); }
  };
  const std::unique_ptr<DIR, closer> opened(opendir(folder.c_str()));
  unsigned number = 0;
  while (const dirent* const each = opened != nullptr ? readdir(opened.get()) : nullptr) {
    if (std::sscanf(each->d_name, "node%u", &number) == 1) return number;
  }
  return std::nullopt;
}

/// Returns: the first of the processors that share the third-level cache, which stands for the cache.
std::optional<unsigned> cache_in(const std::string& folder) {
  for (unsigned index = 0;; ++index) {
    const std::string cache = folder + "/cache/index" + std::to_string(index);
    const std::optional<unsigned> level = number_in(cache + "/level");
    if (!level) return std::nullopt;
    if (*level == 3) return number_in(cache + "/shared_cpu_list");
  }
}

processor_location locate(unsigned processor, const std::string& root) {
  const std::string folder = root + "/sys/devices/system/cpu/cpu" + std::to_string(processor);
  std::optional<unsigned> package = number_in(folder + "/topology/physical_package_id");
  const bool has_package = package.has_value();
  const std::optional<unsigned> node = node_in(folder);
  if (!package) package = node;
  return {processor,
          number_in(folder + "/topology/core_id").value_or(processor),
          cache_in(folder).value_or(package.value_or(0)),
          package.value_or(0),
          has_package,
          node};
}

}  // namespace

std::vector<processor_location> locate_processors(const std::vector<unsigned>& processors, const std::string& root) {
  std::vector<processor_location> locations;
  for (const unsigned processor : processors) locations.push_back(locate(processor, root));
  return locations;
}

}  // namespace TEFF_NAMESPACE::platform
