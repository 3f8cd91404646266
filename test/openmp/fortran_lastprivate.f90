! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What lastprivate leaves behind, of loops whose iterations come in any order, as Fortran programs write them.
program fortran_lastprivate
  use omp_lib
  implicit none
  integer :: round, n, i, last
  call omp_set_schedule(omp_sched_dynamic, 1)
  do round = 1, 200
    n = 1500 + mod(round, 7)
    last = 0
    !$omp parallel do schedule(runtime) lastprivate(last)
    do i = 1, n
      call work(i, n)
      last = i
    end do
    call check(last == n, 'a loop by the variable leaves another value of lastprivate')
    last = 0
    !$omp parallel do schedule(dynamic) lastprivate(last)
    do i = n, 1, -1
      call work(n + 1 - i, n)
      last = i
    end do
    call check(last == 1, 'a dynamic loop leaves another value of lastprivate')
  end do
contains
  include 'fortran_check.f90'
  subroutine work(at, of)
    integer, intent(in) :: at, of
    double precision :: until
    if (omp_get_num_threads() == 1) return
    if (omp_get_thread_num() /= 0 .or. at <= of / 2 .or. mod(at, 50) /= 0) return
    until = omp_get_wtime() + 100d-6
    do while (omp_get_wtime() < until)
    end do
  end subroutine
end program fortran_lastprivate
