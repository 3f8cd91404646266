// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/cgroup.h"

#include "platform/native/files.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

namespace TEFF_NAMESPACE::platform {

namespace {

enum class version { one, two };

/// A mounted hierarchy that can hold limits of the kind that is looked for.
struct mount {
  version kind;
  std::string hierarchy_path;  ///< the group that stands at the mount point
  std::string mount_point;
};

/// The group of this process in each of the two kinds of hierarchy, if it is in one.
struct membership {
  std::optional<std::string> one, two;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    fields.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

/// Effect: `see` gets each line. (A stream would bring the C++ library's locales along, which the drop-in has linked in.)
template <class See>
void for_each_line(std::string_view text, See see) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    see(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool contains(const std::vector<std::string>& fields, std::string_view wanted) {
  return std::find(fields.begin(), fields.end(), wanted) != fields.end();
}

/// The kernel writes blanks, line ends and backslashes in mountinfo as a backslash and three octal digits.
std::string without_octal_escapes(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size() && std::all_of(&text[i + 1], &text[i + 1] + 3, is_octal);
    if (!escape) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

/// Lines of /proc/self/cgroup: number ':' controllers ':' path. Version 2 has number 0 and no controllers.
membership read_membership(const std::string& root, const char* controller) {
  membership groups;
  for_each_line(files::text_of(root + "/proc/self/cgroup"), [&](std::string_view line) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) return;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (controllers.empty()) groups.two = path;
    else if (contains(split(controllers, ','), controller)) groups.one = path;
  });
  return groups;
}

/// One line of /proc/self/mountinfo: … (3) path in the hierarchy, (4) mount point, options … '-' type, source, options.
std::optional<mount> parse_mount(std::string_view line, const char* controller) {
  const std::vector<std::string> fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 5 || fields.end() - dash < 4) return std::nullopt;
  const std::string& type = dash[1];
  const bool one = type == "cgroup" && contains(split(dash[3], ','), controller);
  if (!one && type != "cgroup2") return std::nullopt;
  return mount{one ? version::one : version::two, without_octal_escapes(fields[3]), without_octal_escapes(fields[4])};
}

std::vector<mount> read_mounts(const std::string& root, const char* controller) {
  std::vector<mount> mounts;
  for_each_line(files::text_of(root + "/proc/self/mountinfo"), [&](std::string_view line) {
    if (line.find(" - cgroup") == line.npos) return;
    if (auto found = parse_mount(line, controller)) mounts.push_back(std::move(*found));
  });
  return mounts;
}

/// Returns: the part of `path` below `top` ("" if they are equal), or nothing if it is not below it.
std::optional<std::string> path_below(const std::string& path, const std::string& top) {
  if (path == "/.." || path.starts_with("/../")) return std::nullopt;  // outside the namespace of groups that we see
  if (top == "/") return path == "/" ? "" : path;
  if (!path.starts_with(top)) return std::nullopt;
  if (path.size() > top.size() && path[top.size()] != '/') return std::nullopt;
  return path.substr(top.size());
}

std::optional<long long> parse_number(std::string_view text) {
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns: the words of a file of one line; none if it cannot be read.
std::vector<std::string> read_words(const std::string& path) {
  constexpr std::string_view blanks = " \t\n";
  std::vector<std::string> words;
  const std::string text = files::text_of(path, files::part::line);
  for (std::size_t begin = 0; (begin = text.find_first_not_of(blanks, begin)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

/// What is looked for: the controller's name, and how a folder of a group is read.
struct search {
  const std::string& root;
  const char* controller;
  std::optional<cgroup_limit> (*limit_of_group)(const std::string& root, version kind, const std::string& folder);
};

/// Returns: nothing for "no limit" (-1 or "max") and for what makes no sense.
std::optional<cgroup_limit> quota_of_group(const std::string& root, version kind, const std::string& folder) {
  const std::string file = folder + (kind == version::two ? "/cpu.max" : "/cpu.cfs_quota_us");
  std::vector<std::string> words = read_words(root + file);
  if (kind == version::one && !words.empty() && !words[0].starts_with('-')) {
    for (std::string& word : read_words(root + folder + "/cpu.cfs_period_us")) words.push_back(std::move(word));
  }
  if (words.size() != 2) return std::nullopt;
  const auto quota = parse_number(words[0]), period = parse_number(words[1]);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return cgroup_limit{static_cast<double>(*quota) / static_cast<double>(*period), file, words[0] + " " + words[1]};
}

std::optional<cgroup_limit> threads_of_group(const std::string& root, version, const std::string& folder) {
  const std::string file = folder + "/pids.max";
  const std::vector<std::string> words = read_words(root + file);
  const auto number = words.size() == 1 ? parse_number(words[0]) : std::nullopt;
  if (!number || *number < 0) return std::nullopt;
  return cgroup_limit{static_cast<double>(*number), file, words[0]};
}

void lower(std::optional<cgroup_limit>& smallest, std::optional<cgroup_limit> candidate) {
  if (candidate && (!smallest || candidate->amount < smallest->amount)) smallest = std::move(candidate);
}

/// Returns: the smallest limit from the group `below` the mount point up to the mount point itself.
std::optional<cgroup_limit> smallest_above(const search& wanted, const mount& where, std::string below) {
  std::optional<cgroup_limit> smallest;
  for (;;) {
    lower(smallest, wanted.limit_of_group(wanted.root, where.kind, where.mount_point + below));
    if (below.empty()) return smallest;
    below.resize(below.rfind('/') == std::string::npos ? 0 : below.rfind('/'));
  }
}

std::optional<cgroup_limit> smallest_of_kind(const search& wanted, version kind, const std::vector<mount>& mounts,
                                             const std::string& group) {
  std::optional<cgroup_limit> smallest;
  bool found = false;
  for (const mount& candidate : mounts) {
    if (candidate.kind != kind) continue;
    const auto below = path_below(group, candidate.hierarchy_path);
    if (!below) continue;
    found = true;
    lower(smallest, smallest_above(wanted, candidate, *below));
  }
  if (found) return smallest;
  // In some containers the path names a group that no mount shows: what stands at the mount points is then the nearest known.
  for (const mount& candidate : mounts) {
    if (candidate.kind == kind) lower(smallest, wanted.limit_of_group(wanted.root, kind, candidate.mount_point));
  }
  return smallest;
}

std::optional<cgroup_limit> smallest_limit(const search& wanted) {
  const membership groups = read_membership(wanted.root, wanted.controller);
  const std::vector<mount> mounts = read_mounts(wanted.root, wanted.controller);
  std::optional<cgroup_limit> smallest;
  if (groups.one) lower(smallest, smallest_of_kind(wanted, version::one, mounts, *groups.one));
  if (groups.two) lower(smallest, smallest_of_kind(wanted, version::two, mounts, *groups.two));
  return smallest;
}

}  // namespace

std::optional<cgroup_limit> cgroup_quota(const std::string& root) { return smallest_limit({root, "cpu", quota_of_group}); }

std::optional<cgroup_limit> cgroup_threads(const std::string& root) { return smallest_limit({root, "pids", threads_of_group}); }

unsigned whole_processors(const cgroup_limit& quota) {
  return static_cast<unsigned>(std::clamp(quota.amount, 1.0, double{std::numeric_limits<unsigned>::max()}));
}

}  // namespace TEFF_NAMESPACE::platform
