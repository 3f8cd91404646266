! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The constructs as Fortran programs write them: do, sections, workshare, single, critical,
! ordered, task, taskloop, threadprivate.
program fortran_constructs
  use omp_lib
  implicit none
  integer, parameter :: length = 300
  integer :: n
  n = omp_get_max_threads()
  call loops
  call shared_work
  call blocks
  call tasks
  call values_of_threads
contains

  subroutine loops
    integer :: hits(length), total, last, i, position
    hits = 0
    total = 0
    last = 0
    !$omp parallel do schedule(dynamic, 3) reduction(+:total) lastprivate(last) num_threads(n)
    do i = 1, length
      hits(i) = hits(i) + 1
      total = total + i
      last = i
    end do
    !$omp end parallel do
    call check(all(hits == 1) .and. total == length * (length + 1) / 2 .and. last == length, 'a dynamic do is wrong')
    position = 0
    !$omp parallel do ordered schedule(guided) num_threads(n)
    do i = length, 1, -1
      !$omp ordered
      position = position + 1
      if (position /= length - i + 1) position = 1000000
      !$omp end ordered
    end do
    call check(position == length, 'an ordered do is out of order')
    hits = 0
    call omp_set_schedule(omp_sched_guided, 2)
    !$omp parallel num_threads(n)
    !$omp do schedule(runtime)
    do i = 1, length
      hits(i) = hits(i) + 1
    end do
    !$omp end do nowait
    !$omp do schedule(static)
    do i = 1, length
      !$omp atomic
      hits(i) = hits(i) + 1
    end do
    !$omp end parallel
    call check(all(hits == 2), 'two loops without wait are wrong')
  end subroutine loops

  subroutine shared_work
    real(8) :: a(length), b(length)
    integer :: i, first, second
    a = [(real(i, 8), i=1, length)]
    b = 0
    !$omp parallel workshare num_threads(n)
    b = a * 2
    a = b + 1
    !$omp end parallel workshare
    call check(all(abs(b - [(2d0 * i, i=1, length)]) < 1d-9) .and. all(abs(a - b - 1) < 1d-9), 'workshare is wrong')
    first = 0
    second = 0
    !$omp parallel sections num_threads(n)
    !$omp section
    first = 1
    !$omp section
    second = 2
    !$omp end parallel sections
    call check(first == 1 .and. second == 2, 'a section did not run')
  end subroutine shared_work

  subroutine blocks
    integer :: singles, total, copied, masters
    singles = 0
    total = 0
    masters = 0
    !$omp parallel num_threads(n) private(copied)
    !$omp single
    singles = singles + 1
    copied = 41
    !$omp end single copyprivate(copied)
    call check(copied == 41, 'copyprivate is wrong')
    !$omp critical (name)
    total = total + copied
    !$omp end critical (name)
    !$omp barrier
    call check(total == 41 * n, 'critical or barrier is wrong')
    !$omp master
    masters = masters + 1
    !$omp end master
    !$omp end parallel
    call check(singles == 1 .and. masters == 1, 'single or master ran more than once')
  end subroutine blocks

  subroutine tasks
    integer :: answer, hits(length), i
    answer = 0
    hits = 0
    !$omp parallel num_threads(n)
    !$omp single
    answer = fib(15)
    !$omp taskloop grainsize(10)
    do i = 1, length
      hits(i) = hits(i) + 1
    end do
    !$omp taskgroup
    !$omp task shared(hits)
    hits(1) = hits(1) + 1
    !$omp end task
    !$omp end taskgroup
    hits(1) = hits(1) - 1
    !$omp end single
    !$omp end parallel
    call check(answer == 610, 'fib(15) is wrong')
    call check(all(hits == 1), 'taskloop or taskgroup is wrong')
  end subroutine tasks

  recursive integer function fib(k) result(answer)
    integer, intent(in) :: k
    integer :: a, b
    answer = k
    if (k < 2) return
    !$omp task shared(a)
    a = fib(k - 1)
    !$omp end task
    !$omp task shared(b)
    b = fib(k - 2)
    !$omp end task
    !$omp taskwait
    answer = a + b
  end function fib

  subroutine values_of_threads
    integer :: wrong, kept
    common /kept_values/ kept
    !$omp threadprivate(/kept_values/)
    wrong = 0
    kept = 5
    !$omp parallel num_threads(n) copyin(/kept_values/) reduction(+:wrong)
    if (kept /= 5) wrong = wrong + 1
    kept = omp_get_thread_num()
    !$omp end parallel
    !$omp parallel num_threads(n) reduction(+:wrong)
    if (kept /= omp_get_thread_num()) wrong = wrong + 1
    !$omp end parallel
    call check(wrong == 0, 'threadprivate values or copyin are wrong')
  end subroutine values_of_threads

  include 'fortran_check.f90'
end program fortran_constructs
