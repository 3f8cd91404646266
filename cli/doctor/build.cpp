// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/doctor/build.h"

#include "cli/arguments.h"
#include "cli/build_information.h"
#include "platform/native/survey.h"
#include "report/json.h"
#include "report/text.h"

#include <boost/version.hpp>

#include <algorithm>

namespace teff::cli {

namespace {

std::string compiler() {
#ifdef __clang__
  return report::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return report::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

/// Boost writes 1.74 as "1_74".
std::string boost_version() {
  std::string version = BOOST_LIB_VERSION;
  std::replace(version.begin(), version.end(), '_', '.');
  return version;
}

}  // namespace

build_facts describe_build() {
  build_facts facts;
  facts.version = version_text;
  facts.commit = commit_text;
  facts.compiler = compiler();
  facts.type = TEFF_BUILD_TYPE;
#ifndef __OPTIMIZE__
  facts.optimised = false;
#endif
#ifndef NDEBUG
  facts.assertions = true;
#endif
  facts.sanitizers = TEFF_SANITIZERS;
  facts.libraries = {{"hwloc", platform::hwloc_version()},
                     {"Boost.Context", boost_version()},
                     {"fmt", report::format_version()},
                     {"CLI11", arguments_version()},
                     {"nlohmann-json", report::json_version()}};
  return facts;
}

}  // namespace teff::cli
