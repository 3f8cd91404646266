// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

constexpr int standard_error = 2;

}  // namespace

output_file::output_file() = default;

output_file::~output_file() { remove(); }

std::string output_file::failed(int error) const {
  return "cannot write '" + path_ + "': " + std::strerror(error) + "; nothing was written";
}

std::string output_file::open(const std::string& path) {
  path_ = path;
  if (path.empty()) return "the name of an output file is empty";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return failed(EISDIR);
  if (!os::may_write(path)) return failed(EACCES);
  if (!fs::exists(status) || fs::is_regular_file(status)) return open_beside(path);
  file_ = std::fopen(path.c_str(), "wb");
  return file_ == nullptr ? failed(errno) : "";
}

std::string output_file::open_beside(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  final_ = error ? path : target.string();
  temporary_ = final_ + ".part-" + std::to_string(os::process_number());
  file_ = std::fopen(temporary_.c_str(), "wbx");
  if (file_ == nullptr) {
    const int reason = errno;
    temporary_.clear();
    return failed(reason);
  }
  unfinished_.emplace(temporary_);
  const fs::file_status before = fs::status(final_, error);
  if (fs::exists(before)) fs::permissions(temporary_, before.permissions(), error);
  return {};
}

bool output_file::write(const char* bytes, std::size_t count) {
  if (error_ == 0 && std::fwrite(bytes, 1, count, file_) != count) error_ = errno;
  return error_ == 0;
}

std::string output_file::commit() {
  if (std::fflush(file_) != 0 && error_ == 0) error_ = errno;
  std::FILE* const closed = file_;
  file_ = nullptr;
  if (std::fclose(closed) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !temporary_.empty() && std::rename(temporary_.c_str(), final_.c_str()) != 0) error_ = errno;
  const int reason = error_;
  if (reason == 0) temporary_.clear();
  remove();
  return reason == 0 ? "" : failed(reason);
}

void output_file::remove() {
  if (file_ != nullptr) std::fclose(file_);
  file_ = nullptr;
  if (!temporary_.empty()) std::remove(temporary_.c_str());
  temporary_.clear();
  unfinished_.reset();
}

std::string check_output(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  output_file tried;
  // What is no regular file would begin to be written, or wait for who reads it.
  if (path.empty() || !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) return tried.open(path);
  return os::may_write(path) ? "" : "cannot write '" + path + "': " + std::strerror(EACCES) + "; nothing was written";
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error_a, error_b;
  // Absolute, as what is not there is else left as it is spelt.
  const auto real_a = fs::weakly_canonical(fs::absolute(a), error_a), real_b = fs::weakly_canonical(fs::absolute(b), error_b);
  return a == b || (!error_a && !error_b && real_a == real_b);
}

void console::write(std::FILE* to, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size();
  if (written || (to != stdout && to != results_) || error_ != 0) return;
  error_ = errno;
  failed_ = to;
}

void console::result(std::string_view text) { write(results_, text); }

void console::machine_readable(std::string_view text) { write(stdout, text); }

void console::complain(std::string_view sentence) {
  clear_progress();
  std::fflush(stdout);  // in the order in which it happened, where both go to one place
  write(stderr, "teff: " + std::string(sentence) + "\n");
}

void console::progress(std::string_view text) {
  if (!os::is_terminal(standard_error)) return;
  write(stderr, "\r\033[K" + std::string(text));
  std::fflush(stderr);
  progress_shown_ = true;
}

void console::clear_progress() {
  if (progress_shown_) write(stderr, "\r\033[K");
  progress_shown_ = false;
}

std::string console::finish() {
  clear_progress();
  if (std::fflush(stdout) != 0 && error_ == 0) {
    error_ = errno;
    failed_ = stdout;
  }
  const std::string name = failed_ == stdout ? "standard output" : "standard error";
  return error_ == 0 ? "" : "cannot write to " + name + ": " + std::strerror(error_);
}

}  // namespace teff::cli
