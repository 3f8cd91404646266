// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The whole C++ interface of Teff.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/blocking.hpp"
#include "teff/default_team.hpp"
#include "teff/future.hpp"
#include "teff/graph.hpp"
#include "teff/group.hpp"
#include "teff/parallel.hpp"
#include "teff/runtime.hpp"
#include "teff/stats.hpp"
#include "teff/sync.hpp"
#include "teff/task.hpp"
#include "teff/worker_local.hpp"

#endif
