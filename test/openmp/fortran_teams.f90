! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! teams and devices in Fortran.
program fortran_teams
  use omp_lib
  implicit none
  integer :: ran(0:7), total, i
  ran = 0
  !$omp teams num_teams(3) thread_limit(2) shared(ran)
  ran(omp_get_team_num()) = ran(omp_get_team_num()) + omp_get_num_teams()
  !$omp end teams
  call check(all(ran(0:2) == 3) .and. all(ran(3:) == 0), 'not each of three teams ran once')
  total = 0
  !$omp teams distribute parallel do num_teams(2) reduction(+:total)
  do i = 1, 100
    total = total + i
  end do
  call check(total == 5050, 'the reduction over teams is wrong')
  call omp_set_num_teams(3)
  call check(omp_get_max_teams() == 3, 'omp_set_num_teams(3) has no effect')
  call omp_set_num_teams(2_8)
  call check(omp_get_max_teams() == 2, 'omp_set_num_teams(2_8) has no effect')
  call omp_set_teams_thread_limit(4)
  call check(omp_get_teams_thread_limit() == 4, 'omp_set_teams_thread_limit(4) has no effect')
  call omp_set_teams_thread_limit(5_8)
  call check(omp_get_teams_thread_limit() == 5, 'omp_set_teams_thread_limit(5_8) has no effect')
contains
  include 'fortran_check.f90'
end program fortran_teams
