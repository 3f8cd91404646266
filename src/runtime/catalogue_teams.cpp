// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/catalogue_teams.h"

namespace TEFF_NAMESPACE::workers {

template class team_of<pool::sq1>;
template class team_of<pool::sq2>;
template class team_of<pool::sq3>;
template class team_of<pool::sq4>;
template class team_of<pool::dq1>;
template class team_of<pool::dq2>;
template class team_of<pool::dq3>;
template class team_of<pool::dq4>;
template class team_of<pool::dq5>;
template class team_of<pool::dq6>;
template class team_of<pool::dq7>;
template class team_of<pool::dq8>;
template class team_of<pool::sdq1>;
template class team_of<pool::rq1>;
template class team_of<pool::rq2>;
template class team_of<pool::rq3>;
template class team_of<pool::centralised_run_queue>;
template class team_of<pool::distributed_run_queues>;
template class team_of<pool::hierarchical_run_queues>;
template class team_of<pool::q>;
template class team_of<pool::l>;
template class team_of<pool::cq>;
template class team_of<pool::ws>;
template class team_of<pool::mts>;
template class team_of<pool::default_pool>;

}  // namespace TEFF_NAMESPACE::workers
