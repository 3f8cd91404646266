// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::size_t bytes_read_at_once = 1 << 20;
constexpr std::size_t longest_word_shown = 40;

struct file_closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using file_pointer = std::unique_ptr<std::FILE, file_closer>;

}  // namespace

std::string read_bytes(const std::string& path, std::string& bytes) {
  const file_pointer file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return "cannot read '" + path + "': " + std::strerror(errno);
  const auto buffer = std::make_unique<char[]>(bytes_read_at_once);
  while (std::feof(file.get()) == 0 && std::ferror(file.get()) == 0)
    bytes.append(buffer.get(), std::fread(buffer.get(), 1, bytes_read_at_once, file.get()));
  if (std::ferror(file.get()) != 0) return "cannot read '" + path + "': " + std::strerror(errno);
  return {};
}

std::string shown(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, longest_word_shown)) text += c > ' ' && c != '\x7f' ? c : '?';
  return word.size() > longest_word_shown ? text + "..." : text;
}

std::string place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  return "line " + std::to_string(line) + ", column " + std::to_string(offset - line_start + 1);
}

}  // namespace TEFF_NAMESPACE::apps
