! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Cancellation as Fortran programs write it, with OMP_CANCELLATION=true.
program fortran_cancel
  use omp_lib
  implicit none
  integer, parameter :: length = 50
  integer(8), parameter :: for_ever = 2_8**50
  integer(8) :: i
  integer :: j, began, hits(length), past
  call check(omp_get_cancellation(), 'OMP_CANCELLATION=true, and there is no cancellation')
  began = 0
  hits = 0
  past = 0
  !$omp parallel private(i)
  !$omp do schedule(dynamic)
  do i = 1, for_ever
    !$omp atomic
    began = began + 1
    if (i > 100) then
      !$omp cancel do
    end if
    !$omp cancellation point do
  end do
  !$omp end do
  !$omp do
  do j = 1, length
    hits(j) = hits(j) + 1
  end do
  !$omp end do
  if (omp_get_thread_num() == 0) then
    !$omp cancel parallel
  end if
  !$omp barrier
  !$omp atomic
  past = past + 1
  !$omp end parallel
  call check(began > 100 .and. all(hits == 1), 'a loop behind a cancelled one is wrong')
  call check(past == 0, 'a thread is past a barrier of a cancelled region')
contains
  include 'fortran_check.f90'
end program fortran_cancel
