// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/matrix_file.h"

#include "apps/input_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t matrix_rows_at_most = 100'000;

/// Reads words line by line, and says where what is wrong stands.
class matrix_reader {
 public:
  explicit matrix_reader(std::string_view text) : text_(text) {}

  /// Effect: goes to the next word, of whatever line. Returns: false at the end of the text.
  bool find_word() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ < text_.size();
  }
  /// Effect: goes on behind the end of the line.
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  char here() const { return text_[at_]; }
  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && !is_space(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view line() const { return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_); }
  std::string place() const { return place_of(text_, at_); }
  std::string wrong(const std::string& what) const { return place() + ": '" + shown(word()) + "' " + what; }

  /// Effect: reads the next word. Returns: an empty text, or a sentence.
  template <class Number>
  std::string read(Number& value, const std::string& what) {
    if (!find_word()) return place() + ": it ends where " + what + " should stand: the file is cut off";
    const std::string_view own = word();
    const auto [end, error] = std::from_chars(own.data(), own.data() + own.size(), value);
    if (error != std::errc() || end != own.data() + own.size()) return wrong("is not " + what);
    at_ += own.size();
    return {};
  }
  std::string read_finite(double& value) {
    const std::size_t before = at_;
    if (std::string sentence = read(value, "a number"); !sentence.empty()) return sentence;
    if (std::isfinite(value)) return {};
    at_ = before;
    find_word();
    return wrong("is not a number that has an end");
  }
  /// Effect: as read, of a whole number from 1 to `most`; otherwise it stays where it is.
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
  std::string_view text_;
  std::size_t at_ = 0;
};

struct matrix_head {
  bool array, symmetric;
};

/// Returns: an empty text, or a sentence.
std::string read_head(matrix_reader& from, matrix_head& found) {
  if (!from.find_word()) return "it is empty; allowed: a matrix in Matrix Market format";
  std::string head(from.line());
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  while (!head.empty() && (head.back() == '\r' || head.back() == ' ')) head.pop_back();
  for (const std::string layout : {"coordinate ", "array "}) {
    for (const std::string numbers : {"real ", "integer "}) {
      for (const std::string form : {"general", "symmetric"}) {
        if (head != std::string("%%matrixmarket matrix ").append(layout).append(numbers).append(form)) continue;
        found = {layout[0] == 'a', form[0] == 's'};
        from.skip_line();
        return {};
      }
    }
  }
  return from.wrong("begins no head of a matrix; allowed: %%MatrixMarket matrix coordinate|array real|integer general|symmetric");
}

/// Effect: adds an entry, and of a symmetric matrix that on the other side of the diagonal; none that is 0.
void add(matrix_entries& matrix, std::uint64_t row, std::uint64_t column, double value, bool symmetric) {
  if (value == 0) return;
  const auto low = static_cast<std::uint32_t>(row), right = static_cast<std::uint32_t>(column);
  matrix.all.push_back({low, right, value});
  if (symmetric && low != right) matrix.all.push_back({right, low, value});
}

std::string read_coordinates(matrix_reader& from, bool symmetric, std::uint64_t& count, matrix_entries& matrix) {
  const std::uint64_t rows = matrix.rows;
  if (std::string wrong = from.read_index(count, rows * rows, "the number of entries"); !wrong.empty()) return wrong;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t row = 0, column = 0;
    double value = 0;
    if (std::string wrong = from.read_index(row, rows, "a row"); !wrong.empty()) return wrong;
    if (std::string wrong = from.read_index(column, rows, "a column"); !wrong.empty()) return wrong;
    if (std::string wrong = from.read_finite(value); !wrong.empty()) return wrong;
    add(matrix, row - 1, column - 1, value, symmetric);
  }
  return {};
}

/// Column by column, of a symmetric matrix from the diagonal on.
std::string read_array(matrix_reader& from, bool symmetric, std::uint64_t& count, matrix_entries& matrix) {
  for (std::uint64_t column = 0; column < matrix.rows; ++column) {
    for (std::uint64_t row = symmetric ? column : 0; row < matrix.rows; ++row, ++count) {
      double value = 0;
      if (std::string wrong = from.read_finite(value); !wrong.empty()) return wrong;
      add(matrix, row, column, value, symmetric);
    }
  }
  return {};
}

}  // namespace

std::string parse_matrix(std::string_view text, matrix_entries& matrix) {
  matrix = {};
  matrix_reader from(text);
  matrix_head head{};
  if (std::string wrong = read_head(from, head); !wrong.empty()) return wrong;
  while (from.find_word() && from.here() == '%') from.skip_line();
  std::uint64_t rows = 0, columns = 0, count = 0;
  if (std::string wrong = from.read_index(rows, matrix_rows_at_most, "the number of rows"); !wrong.empty()) return wrong;
  const std::string place = from.find_word() ? from.place() + ": " : "";
  if (std::string wrong = from.read(columns, "the number of columns"); !wrong.empty()) return wrong;
  if (columns != rows)
    return place + "it has " + std::to_string(rows) + " rows and " + std::to_string(columns) +
           " columns; allowed: as many of both";
  matrix.rows = static_cast<std::uint32_t>(rows);
  const auto read = head.array ? read_array : read_coordinates;
  if (std::string wrong = read(from, head.symmetric, count, matrix); !wrong.empty()) return wrong;
  if (from.find_word())
    return from.wrong("stands behind the last of the " + std::to_string(count) + " entries that there should be");
  return {};
}

}  // namespace TEFF_NAMESPACE::apps
