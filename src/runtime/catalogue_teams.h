// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The teams on the pools of the catalogue are compiled once, in catalogue_teams.cpp, whoever names them.
#pragma once

#include "pool/catalogue.h"
#include "worker/loop.h"

namespace TEFF_NAMESPACE::workers {

extern template class team_of<pool::sq1>;
extern template class team_of<pool::sq2>;
extern template class team_of<pool::sq3>;
extern template class team_of<pool::sq4>;
extern template class team_of<pool::dq1>;
extern template class team_of<pool::dq2>;
extern template class team_of<pool::dq3>;
extern template class team_of<pool::dq4>;
extern template class team_of<pool::dq5>;
extern template class team_of<pool::dq6>;
extern template class team_of<pool::dq7>;
extern template class team_of<pool::dq8>;
extern template class team_of<pool::sdq1>;
extern template class team_of<pool::rq1>;
extern template class team_of<pool::rq2>;
extern template class team_of<pool::rq3>;
extern template class team_of<pool::centralised_run_queue>;
extern template class team_of<pool::distributed_run_queues>;
extern template class team_of<pool::hierarchical_run_queues>;
extern template class team_of<pool::q>;
extern template class team_of<pool::l>;
extern template class team_of<pool::cq>;
extern template class team_of<pool::ws>;
extern template class team_of<pool::mts>;
extern template class team_of<pool::default_pool>;

}  // namespace TEFF_NAMESPACE::workers
