// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/fact.h"
#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

/// Returns: the object that docs/run-record.schema.json describes, with a newline at its end.
std::string json(const record_set& set);

/// Returns: an array of objects, one per row: the columns are their keys. Pre: every row has a cell for each column.
std::string json(const std::vector<std::string>& columns, const std::vector<std::string>& cells);

/// Returns: an object of the groups; in each the facts by name, as objects of value and source (if there is one). `advice` is
/// one more member, an array.
std::string json(const std::vector<fact>& facts, const std::vector<std::string>& advice);

/// Returns: the version of the JSON library.
std::string json_version();

}  // namespace teff::report
