// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the kernel's files say about where processors sit. Considered: hwloc, which costs 6–40 ms, binds the calling thread to
/// one processor after the other on x86, and (2.9) does not bear being refused memory. It serves those who ask for a survey.
#include "platform/native/files.h"
#include "platform/native/processors.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <dirent.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace TEFF_NAMESPACE::platform {

namespace {

/// Effect: takes the number at the begin of a text off it. Returns: nothing if there is none, or a negative one, which means that
/// the kernel does not know.
std::optional<unsigned> take_number(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<unsigned> number_in(const std::string& path) {
  const std::string line = files::text_of(path, files::part::line);
  std::string_view text = line;
  return take_number(text);
}

/// Processors of which one file says that they share a thing, so that it need not be looked up for each of them.
struct sharers {
  unsigned number;  ///< of the thing
  std::vector<std::pair<unsigned, unsigned>> ranges;

  bool have(unsigned processor) const {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const auto& range) { return range.first <= processor && processor <= range.second; });
  }
};

/// Returns: the processors of a list such as 0-3,8; as far as it can be understood.
std::vector<std::pair<unsigned, unsigned>> ranges_in(std::string_view list) {
  std::vector<std::pair<unsigned, unsigned>> ranges;
  while (const auto first = take_number(list)) {
    const bool has_last = list.starts_with('-');
    if (has_last) list.remove_prefix(1);
    const auto last = has_last ? take_number(list) : first;
    if (!last) break;
    ranges.emplace_back(*first, *last);
    if (!list.starts_with(',')) break;
    list.remove_prefix(1);
  }
  return ranges;
}

/// Returns: the processor's memory node: a link to it lies in the processor's folder.
std::optional<sharers> read_node(const std::string& folder, const std::string& root) {
  struct closer {
    void operator()(DIR* opened) const { closedir(opened); }
  };
  const std::unique_ptr<DIR, closer> opened(opendir(folder.c_str()));
  unsigned number = 0;
  while (const dirent* const each = opened != nullptr ? readdir(opened.get()) : nullptr) {
    if (std::sscanf(each->d_name, "node%u", &number) != 1) continue;
    const std::string list = root + "/sys/devices/system/node/node" + std::to_string(number) + "/cpulist";
    return sharers{number, ranges_in(files::text_of(list, files::part::line))};
  }
  return std::nullopt;
}

/// Returns: the third-level cache, for which the first of the processors that share it stands.
std::optional<sharers> read_cache(const std::string& folder) {
  for (unsigned index = 0;; ++index) {
    const std::string cache = folder + "/cache/index" + std::to_string(index);
    const std::optional<unsigned> level = number_in(cache + "/level");
    if (!level) return std::nullopt;
    if (*level != 3) continue;
    auto ranges = ranges_in(files::text_of(cache + "/shared_cpu_list", files::part::line));
    if (ranges.empty()) return std::nullopt;
    const unsigned first = ranges.front().first;
    return sharers{first, std::move(ranges)};
  }
}

/// Returns: the number of the processor's thing, which is read if nobody is known to share it.
template <class Read>
std::optional<unsigned> shared_number(std::vector<sharers>& known, unsigned processor, Read read) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const sharers& each) { return each.have(processor); });
  if (found != known.end()) return found->number;
  std::optional<sharers> one_more = read();
  if (!one_more) return std::nullopt;
  return known.emplace_back(std::move(*one_more)).number;
}

class locator {
 public:
  explicit locator(const std::string& root) : root_(root) {}

  processor_location locate(unsigned processor) {
    const std::string folder = root_ + "/sys/devices/system/cpu/cpu" + std::to_string(processor);
    std::optional<unsigned> package = number_in(folder + "/topology/physical_package_id");
    const bool has_package = package.has_value();
    const std::optional<unsigned> node = shared_number(nodes_, processor, [&] { return read_node(folder, root_); });
    const std::optional<unsigned> cache = shared_number(caches_, processor, [&] { return read_cache(folder); });
    if (!package) package = node;
    return {processor,
            number_in(folder + "/topology/core_id").value_or(processor),
            cache.value_or(package.value_or(0)),
            package.value_or(0),
            has_package,
            node};
  }

 private:
  const std::string& root_;
  std::vector<sharers> nodes_, caches_;
};

}  // namespace

std::vector<processor_location> locate_processors(const std::vector<unsigned>& processors, const std::string& root) {
  locator files(root);
  std::vector<processor_location> locations;
  for (const unsigned processor : processors) locations.push_back(files.locate(processor));
  return locations;
}

}  // namespace TEFF_NAMESPACE::platform
