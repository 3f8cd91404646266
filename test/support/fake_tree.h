// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace TEFF_NAMESPACE::testing_support {

/// A tree of files like those of the kernel, in a temporary folder that goes away with it.
class fake_tree {
 public:
  fake_tree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "teff-tree-XXXXXX").string();
    root_ = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
    EXPECT_FALSE(root_.empty());
  }
  ~fake_tree() { std::filesystem::remove_all(root_); }
  fake_tree(const fake_tree&) = delete;
  fake_tree& operator=(const fake_tree&) = delete;

  fake_tree& file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
    return *this;
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

}  // namespace TEFF_NAMESPACE::testing_support
