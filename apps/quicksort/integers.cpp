// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/quicksort/integers.h"

#include "apps/input_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>

namespace TEFF_NAMESPACE::apps {

static_assert(std::endian::native == std::endian::little, "binary files are little endian, and are read as they lie in memory");

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

std::string integers_of_bytes(const std::string& bytes, std::vector<std::int64_t>& integers) {
  constexpr std::size_t width = sizeof(std::int64_t);
  if (bytes.size() % width != 0)
    return std::to_string(bytes.size()) + " bytes are no whole number of 64-bit integers: the last one is cut off";
  integers.resize(bytes.size() / width);
  if (!bytes.empty()) std::memcpy(integers.data(), bytes.data(), bytes.size());
  return {};
}

bool write_text(sink& to, const std::int64_t* integers, std::size_t count) {
  constexpr std::size_t longest_line = 21;  // a sign, 19 digits, the end of the line
  const auto buffer = std::make_unique<char[]>(buffer_bytes);
  char* const end = buffer.get() + buffer_bytes;
  char* next = buffer.get();
  for (std::size_t i = 0; i < count; ++i) {
    next = std::to_chars(next, end, integers[i]).ptr;
    *next++ = '\n';
    if (static_cast<std::size_t>(end - next) >= longest_line && i + 1 < count) continue;
    if (!to.write(buffer.get(), static_cast<std::size_t>(next - buffer.get()))) return false;
    next = buffer.get();
  }
  return true;
}

}  // namespace

std::string choose_format(integer_format& chosen, const std::string& path, const std::string& name) {
  if (name.empty()) {
    chosen = path.ends_with(".bin") || path.ends_with(".i64") ? integer_format::binary : integer_format::text;
    return {};
  }
  if (name != "text" && name != "binary") return unknown_name("format", name, {"text", "binary"});
  chosen = name == "text" ? integer_format::text : integer_format::binary;
  return {};
}

std::string parse_integers(std::string_view text, std::vector<std::int64_t>& integers) {
  const char *const begin = text.data(), *const end = begin + text.size();
  for (const char* next = begin; next != end;) {
    if (is_space(*next)) {
      ++next;
      continue;
    }
    const char* const word_end = std::find_if(next, end, is_space);
    const bool plus = *next == '+' && word_end - next > 1 && next[1] != '-';
    std::int64_t value = 0;
    const auto [parsed, error] = std::from_chars(plus ? next + 1 : next, word_end, value);
    if (error != std::errc() || parsed != word_end) {
      const std::string word = shown({next, static_cast<std::size_t>(word_end - next)});
      const bool too_large = error == std::errc::result_out_of_range && parsed == word_end;
      return place_of(text, static_cast<std::size_t>(next - begin)) + ": '" + word +
             (too_large ? "' does not fit 64 bits; allowed: -9223372036854775808 ... 9223372036854775807"
                        : "' is no integer; allowed: decimal integers separated by white space");
    }
    integers.push_back(value);
    next = word_end;
  }
  return {};
}

std::string read_integers(const std::string& path, integer_format format, std::vector<std::int64_t>& integers) {
  std::string bytes;
  integers.clear();
  if (std::string wrong = read_bytes(path, bytes); !wrong.empty()) return wrong;
  std::string wrong = format == integer_format::text ? parse_integers(bytes, integers) : integers_of_bytes(bytes, integers);
  if (wrong.empty()) return {};
  integers.clear();
  return "'" + path + "': " + wrong;
}

bool write_integers(sink& to, integer_format format, const std::int64_t* integers, std::size_t count) {
  if (format == integer_format::text) return write_text(to, integers, count);
  return to.write(reinterpret_cast<const char*>(integers), count * sizeof(std::int64_t));
}

}  // namespace TEFF_NAMESPACE::apps
