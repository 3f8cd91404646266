! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Resources are given up on request, in Fortran.
program fortran_pause
  use omp_lib
  implicit none
  integer :: inside, total
  total = 0
  !$omp parallel num_threads(3) reduction(+:total)
  total = total + 1
  !$omp end parallel
  call check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0, 'a soft pause fails')
  call check(omp_pause_resource_all(omp_pause_hard) == 0, 'a hard pause fails')
  call check(omp_pause_resource(omp_pause_hard, 7) /= 0, 'a device that is not there makes a pause')
  inside = 0
  !$omp parallel num_threads(2) reduction(+:inside, total)
  total = total + 1
  if (omp_pause_resource_all(omp_pause_soft) == 0) inside = inside + 1
  !$omp end parallel
  call check(inside == 0, 'there is a pause inside of a region')
  call check(total == 5, 'members of a region are missing')
contains
  include 'fortran_check.f90'
end program fortran_pause
