// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the command line needs of the operating system beyond files: terminals and signals. The only file of the folder that
/// knows it.
#pragma once

#include <string>

namespace teff::cli::os {

/// Effect: closed standard streams become ones that refuse writes (else the next file opened would take their place); a broken
/// pipe becomes an error of the write; an interrupt ends the program with a sentence and exit code 128 + signal, and removes
/// the files that are unfinished.
void prepare_process();

bool is_terminal(int descriptor);

/// Returns: a number that no other process has now.
long process_number();

/// Returns: whether the file may be written by this process, or does not exist.
bool may_write(const std::string& path);

/// A file that is removed if the program is interrupted. At most four at a time; longer paths than 4,095 bytes are left out.
class unfinished_file {
 public:
  explicit unfinished_file(const std::string& path);
  ~unfinished_file();
  unfinished_file(const unfinished_file&) = delete;
  unfinished_file& operator=(const unfinished_file&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace teff::cli::os
