// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where results go: standard output, and files that appear when they are complete.
#pragma once

#include "cli/engine.h"
#include "cli/system.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace teff::cli {

/// As the name of a file where that may be.
inline constexpr const char* standard_output = "-";

/// A file that gets its name when all is written; until then it lies beside it under another one. What is no regular file (a
/// device, a pipe) is written directly. Functions return an empty text, or a sentence.
class output_file final : public engine::byte_sink {
 public:
  output_file();
  ~output_file() override;
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Effect: finds out whether the file can be written, before anything is measured for it.
  std::string open(const std::string& path);
  /// Returns: false after an error, which commit reports.
  bool write(const char* bytes, std::size_t count) override;
  /// Effect: gives the file its name. Pre: open.
  std::string commit();

 private:
  std::string open_beside(const std::string& path);
  std::string failed(int error) const;
  void remove();

  std::string path_;       ///< as the user wrote it
  std::string final_;      ///< symbolic links followed
  std::string temporary_;  ///< empty: written directly
  std::FILE* file_ = nullptr;
  int error_ = 0;  ///< of the first write that failed
  std::optional<os::unfinished_file> unfinished_;
};

/// Returns: an empty text if a file of that name may be written later, as far as can be known now, or a sentence.
std::string check_output(const std::string& path);

/// Returns: whether two names are of one file, which need not be there.
bool is_same_file(const std::string& a, const std::string& b);

/// Text for people.
class console {
 public:
  /// `results` is where results go: standard error if standard output belongs to a JSON object or a page.
  explicit console(bool results_to_error) : results_(results_to_error ? stderr : stdout) {}

  void result(std::string_view text);
  void machine_readable(std::string_view text);
  /// Effect: prints "teff: <sentence>" on standard error.
  void complain(std::string_view sentence);
  /// Effect: shows a line that the next one replaces; nothing if standard error is no terminal.
  void progress(std::string_view text);
  void clear_progress();
  /// Returns: an empty text if standard output, and what results go to, took everything, or a sentence.
  std::string finish();

 private:
  void write(std::FILE* to, std::string_view text);

  std::FILE* results_;
  int error_ = 0;
  std::FILE* failed_ = nullptr;  ///< where error_ was
  bool progress_shown_ = false;
};

}  // namespace teff::cli
