// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cancellation of regions, loops, sections and taskgroups: README.md, *Cancellation*.
#pragma once

#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

/// What is cancelled, by the numbers that gcc's calls give it.
enum class cancellable : std::uint32_t { region = 1, loop = 2, sections = 4, group = 8 };

/// Effect: the construct around the running task is cancelled. Returns: whether the caller is to go to its end; false if there is
/// no such construct.
bool cancel(member& current, cancellable which);
/// Returns: whether somebody has cancelled it.
bool is_cancelled(const member& current, cancellable which);

/// Effect: a taskgroup that was cancelled is over.
void forget_cancelled_group(team& all);

/// Returns: whether a task, or one that the node would get for a child, is not to begin any more. Of a taskgroup very far above
/// it false: such a task begins.
bool is_discarded(const member& current, const node* from);
/// Whether that is worth a look. A hint: who has cancelled sees it.
[[gnu::always_inline]] inline bool may_discard(const member& current) { return current.in.has_cancelled(); }

}  // namespace TEFF_NAMESPACE::openmp
