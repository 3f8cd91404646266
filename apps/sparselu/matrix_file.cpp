// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/sparselu/matrix_file.h"

#include "apps/input_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t matrix_rows_at_most = 100'000;

/// Reads words line by line, and says where what is wrong stands.
class matrix_reader {
 public:
  explicit matrix_reader(std::string_view text) : text_(text) {}

  /// Effect: goes to the next word, of whatever line. Returns: false at the end of the text.
  bool find_word() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size();
  }
  /// Effect: goes on behind the end of the line.
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  char here() const { return text_[at_]; }
  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view line() const { return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_); }
  std::string wrong(const std::string& what) const { return place_of(text_, at_) + ": '" + shown(word()) + "' " + what; }

  /// Effect: reads the next word. Returns: an empty text, or a sentence.
  template <class Number>
  std::string read(Number& value, const std::string& what) {
    if (!find_word()) return "it ends where " + what + " should stand: the file is cut off";
    const std::string_view own = word();
    const auto [end, error] = std::from_chars(own.data(), own.data() + own.size(), value);
    if (error != std::errc() || end != own.data() + own.size()) return wrong("is not " + what);
    at_ += own.size();
    return {};
  }
  /// Effect: as above, of a whole number from 1 to `most`; otherwise it stays where it is.
  std::string read_index(std::uint64_t& value, std::uint64_t most, const std::string& what) {
    const std::string allowed = what + ", a whole number from 1 to " + std::to_string(most);
    const std::size_t before = at_;
    if (std::string sentence = read(value, allowed); !sentence.empty()) return sentence;
    if (value >= 1 && value <= most) return {};
    at_ = before;
    find_word();
    return wrong("is not " + allowed);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Returns: an empty text, or a sentence. Effect: says whether only the lower triangle follows.
std::string read_head(matrix_reader& from, bool& symmetric) {
  if (!from.find_word()) return "it is empty; allowed: a matrix in Matrix Market format";
  std::string head(from.line());
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  while (!head.empty() && (head.back() == '\r' || head.back() == ' ')) head.pop_back();
  const std::string begin = "%%matrixmarket matrix coordinate ";
  for (const char* numbers : {"real", "integer"}) {
    for (const char* form : {"general", "symmetric"}) {
      if (head != begin + numbers + " " + form) continue;
      symmetric = form[0] == 's';
      from.skip_line();
      return {};
    }
  }
  return from.wrong("begins no head of a matrix; allowed: %%MatrixMarket matrix coordinate real|integer general|symmetric");
}

}  // namespace

std::string parse_matrix(std::string_view text, sparse_entries& matrix) {
  matrix = {};
  matrix_reader from(text);
  bool symmetric = false;
  if (std::string wrong = read_head(from, symmetric); !wrong.empty()) return wrong;
  while (from.find_word() && from.here() == '%') from.skip_line();
  std::uint64_t rows = 0, columns = 0, count = 0;
  if (std::string wrong = from.read_index(rows, matrix_rows_at_most, "the number of rows"); !wrong.empty()) return wrong;
  if (std::string wrong = from.read(columns, "the number of columns"); !wrong.empty()) return wrong;
  if (columns != rows)
    return "it has " + std::to_string(rows) + " rows and " + std::to_string(columns) + " columns; allowed: as many of both";
  if (std::string wrong = from.read_index(count, rows * rows, "the number of entries"); !wrong.empty()) return wrong;
  matrix.rows = static_cast<std::uint32_t>(rows);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t row = 0, column = 0;
    double value = 0;
    if (std::string wrong = from.read_index(row, rows, "a row"); !wrong.empty()) return wrong;
    if (std::string wrong = from.read_index(column, rows, "a column"); !wrong.empty()) return wrong;
    if (std::string wrong = from.read(value, "a number"); !wrong.empty()) return wrong;
    const auto low = static_cast<std::uint32_t>(row - 1), right = static_cast<std::uint32_t>(column - 1);
    matrix.all.push_back({low, right, static_cast<float>(value)});
    if (symmetric && low != right) matrix.all.push_back({right, low, static_cast<float>(value)});
  }
  if (from.find_word())
    return from.wrong("stands behind the last of the " + std::to_string(count) + " entries that there should be");
  return {};
}

block_matrix blocks_of_entries(const sparse_entries& matrix, std::size_t m) {
  const std::size_t n = (matrix.rows + m - 1) / m;
  block_matrix made(n, m);
  for (std::size_t i = 0; i < n; ++i) made.make_block(i, i);
  for (const auto& [row, column, value] : matrix.all) made.make_block(row / m, column / m)[row % m * m + column % m] = value;
  for (std::size_t row = matrix.rows; row < n * m; ++row) made.make_block(row / m, row / m)[row % m * m + row % m] = 1;
  return made;
}

}  // namespace TEFF_NAMESPACE::apps
