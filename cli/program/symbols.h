// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of a program or library, by address.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

/// What the tables of an ELF file say of its code.
class symbols {
 public:
  /// Effect: reads the file. One that cannot be read has neither segments nor functions.
  explicit symbols(const std::string& path);

  /// Returns: the address that the file gives to what lies there in it; nothing if it is no part of a segment.
  std::optional<std::uint64_t> address_of(std::uint64_t offset) const;
  /// Returns: "function + 0x10", as the file has the name; empty: there is none for it.
  std::string name_of(std::uint64_t address) const;
  bool has_debug_information() const { return has_lines_; }
  /// Returns: how large the table of lines in the file itself is.
  std::uint64_t line_bytes() const { return line_bytes_; }

 private:
  struct segment {
    std::uint64_t offset, bytes, address;
  };
  struct function {
    std::uint64_t bytes;
    std::string name;
  };
  std::vector<segment> segments_;
  std::map<std::uint64_t, function> functions_;  ///< by address
  bool has_lines_ = false;
  std::uint64_t line_bytes_ = 0;
};

}  // namespace teff::cli
