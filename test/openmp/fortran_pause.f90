! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! omp_pause_resource and omp_pause_resource_all.
program fortran_pause
  use omp_lib
  implicit none
  integer :: refused
  refused = 0
  !$omp parallel num_threads(2) reduction(+ : refused)
  if (omp_pause_resource_all(omp_pause_hard) /= 0) refused = refused + 1
  if (omp_pause_resource(omp_pause_hard, omp_get_initial_device()) /= 0) refused = refused + 1
  !$omp end parallel
  call check(refused == 4, 'a region gives up what it runs on')
  call check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0, 'omp_pause_resource refuses the host')
  call check(omp_pause_resource(omp_pause_soft, 99) /= 0, 'omp_pause_resource takes device 99')
  call check(omp_pause_resource_all(omp_pause_hard) == 0, 'omp_pause_resource_all refuses')
contains
  include 'fortran_check.f90'
end program fortran_pause
