// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/libraries.h"

#include <filesystem>
#include <optional>
#include <sstream>

namespace teff::cli {

namespace {

struct known_runtime {
  const char* beginning;  ///< of the library's name
  runtime_kind kind;
  const char* what;
};
// The first whose beginning fits.
constexpr known_runtime known[] = {
    {"libgomp.so", runtime_kind::openmp, gcc_words},
    {"libgomp-", runtime_kind::openmp, gcc_words},  // a copy that a Python package brings along: libgomp-e985bcbb.so.1.0.0
    {"libomp.so", runtime_kind::openmp, "LLVM's OpenMP"},
    {"libomp5.so", runtime_kind::openmp, "LLVM's OpenMP"},
    {"libiomp5.so", runtime_kind::openmp, "Intel's OpenMP"},
    {"libnvomp.so", runtime_kind::openmp, "NVIDIA's OpenMP"},
    {"libtbb.so", runtime_kind::tbb, "oneTBB"},
    {"libtbb_debug.so", runtime_kind::tbb, "oneTBB"},
    {"libopenblas", runtime_kind::blas, "OpenBLAS"},
    {"libmkl_rt.so", runtime_kind::blas, "Intel's MKL"},
    {"libmkl_core.so", runtime_kind::blas, "Intel's MKL"},
    {"libblis", runtime_kind::blas, "BLIS"},
    {"libflexiblas.so", runtime_kind::blas, "FlexiBLAS"},
    {"libatlas", runtime_kind::blas, "ATLAS"},
    {"libcblas.so", runtime_kind::blas, "BLAS"},
    {"libblas.so", runtime_kind::blas, "BLAS"},
    {"liblapack.so", runtime_kind::blas, "LAPACK"},
};

/// A line of the loader's list: "name => path (address)" or "path (address)".
std::optional<library> read_line(const std::string& line) {
  std::istringstream words(line);
  library found;
  std::string arrow;
  if (!(words >> found.name)) return std::nullopt;
  if (words >> arrow && arrow == "=>") {
    words >> found.path;
    return found;
  }
  if (!found.name.starts_with("/")) return std::nullopt;  // made by the kernel
  found.path = found.name;
  found.name = std::filesystem::path(found.path).filename();
  return found;
}

bool is_in(const std::string& path, const std::string& folder) {
  std::error_code error;
  return std::filesystem::equivalent(std::filesystem::path(path).parent_path(), folder, error) && !error;
}

/// What a general name really is here: Debian's libblas.so.3 may be a link to OpenBLAS.
std::string real_name(const library& of) {
  std::error_code error;
  const auto path = std::filesystem::canonical(of.path, error);
  return error ? of.name : path.filename().string();
}

const known_runtime* find(const std::string& name) {
  for (const known_runtime& each : known) {
    if (name.starts_with(each.beginning)) return &each;
  }
  return nullptr;
}

}  // namespace

library_list libraries_of(const std::string& program, const std::string& loader, const std::vector<os::variable>& environment) {
  library_list found;
  const os::ending list = os::run({loader, {loader, "--list", program}, environment});
  if (list.error != 0) found.wrong = loader + ": " + os::error_text(list.error);
  else if (list.exit_code != 0) found.wrong = list.errors.substr(0, list.errors.find('\n'));
  else found.complaints = list.errors;
  std::istringstream lines(list.output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto each = read_line(line)) found.libraries.push_back(*each);
  }
  return found;
}

std::string missing_version(const library_list& of, const std::string& folder) {
  // "PROGRAM: FOLDER/libgomp.so.1: version `NAME' not found (required by FILE)"
  const std::string before = folder + "/" + gomp_name + ": version `";
  const std::size_t place = of.complaints.find(before);
  if (folder.empty() || place == std::string::npos) return {};
  const std::size_t name = place + before.size();
  return of.complaints.substr(name, of.complaints.find('\'', name) - name);
}

bool is_like_gcc(const parallel_runtime& of) {
  return of.kind == runtime_kind::openmp && (of.what == gcc_words || of.what == teff_words);
}

std::vector<parallel_runtime> runtimes_in(const std::vector<library>& libraries, const std::string& drop_in) {
  std::vector<parallel_runtime> found;
  for (const library& each : libraries) {
    const known_runtime* const which = find(each.name);
    if (which == nullptr) continue;
    std::string what = which->what;
    if (each.name == gomp_name && is_in(each.path, drop_in)) what = teff_words;
    const known_runtime* const real = find(real_name(each));
    if (which->kind == runtime_kind::blas && real != nullptr && real->what != which->what)
      what += std::string(", here ") + real->what;
    found.push_back({which->kind, what, each});
  }
  return found;
}

}  // namespace teff::cli
