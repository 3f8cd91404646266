! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Detached tasks as Fortran programs write them.
program fortran_detach
  use omp_lib
  implicit none
  integer(omp_event_handle_kind) :: event
  integer :: ran, i
  ran = 0
  !$omp parallel private(event)
  !$omp single
  ! gcc's library puts 64 tasks for each thread, and then waits for the event of the next one where it is made.
  do i = 1, 40
    !$omp task detach(event) shared(ran)
    !$omp atomic
    ran = ran + 1
    !$omp end task
    if (mod(i, 2) == 0) call omp_fulfill_event(event)
    if (mod(i, 2) == 1) then
      !$omp task firstprivate(event)
      call omp_fulfill_event(event)
      !$omp end task
    end if
  end do
  !$omp taskwait
  call check(ran == 40, 'a taskwait ends before detached tasks')
  !$omp end single
  !$omp end parallel
contains
  include 'fortran_check.f90'
end program fortran_detach
