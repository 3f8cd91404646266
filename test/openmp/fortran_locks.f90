! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Plain and nested locks in Fortran; what a nested lock needs is given back when it is destroyed.
program fortran_locks
  use omp_lib
  implicit none
  integer :: threads
  threads = omp_get_max_threads()
  call plain(threads)
  call plain(4)
  call nested(threads)
  call nested(4)
  call many
contains

  subroutine plain(n)
    integer, intent(in) :: n
    integer(omp_lock_kind), volatile :: lock  ! the garbage must not be optimised away
    integer :: total, i
    lock = -1
    total = 0
    call omp_init_lock(lock)
    call check(omp_test_lock(lock), 'omp_test_lock does not get a free lock')
    call check(.not. omp_test_lock(lock), 'omp_test_lock gets a lock that is held')
    call omp_unset_lock(lock)
    !$omp parallel num_threads(n) private(i)
    do i = 1, 300
      call omp_set_lock(lock)
      call increment(total)
      call omp_unset_lock(lock)
    end do
    !$omp end parallel
    call check(total == 300 * n, 'a lock lets two members in')
    call omp_set_lock(lock)
    call check(.not. omp_test_lock(lock), 'omp_test_lock gets a lock that omp_set_lock holds')
    call omp_unset_lock(lock)
    call omp_destroy_lock(lock)
  end subroutine plain

  subroutine nested(n)
    integer, intent(in) :: n
    integer(omp_nest_lock_kind), volatile :: lock
    integer :: total, i
    lock = -1
    total = 0
    call omp_init_nest_lock(lock)
    call check(omp_test_nest_lock(lock) == 1, 'omp_test_nest_lock does not get a free lock')
    call omp_set_nest_lock(lock)
    call check(omp_test_nest_lock(lock) == 3, 'a lock that was taken twice is not taken the third time')
    do i = 1, 3
      call omp_unset_nest_lock(lock)
    end do
    !$omp parallel num_threads(n) private(i)
    do i = 1, 300
      call omp_set_nest_lock(lock)
      call omp_set_nest_lock(lock)
      call omp_unset_nest_lock(lock)
      call increment(total)
      call omp_unset_nest_lock(lock)
    end do
    !$omp end parallel
    call check(total == 300 * n, 'a nested lock lets two members in')
    call omp_destroy_nest_lock(lock)
  end subroutine nested

  !> Slow enough to meet another member.
  subroutine increment(total)
    integer, volatile, intent(inout) :: total
    integer :: seen
    integer, volatile :: i
    seen = total
    do i = 1, 20
    end do
    total = seen + 1
  end subroutine increment

  subroutine many
    integer(omp_nest_lock_kind) :: lock
    integer :: i
    integer(8) :: before
    before = 0
    do i = 1, 100000
      call omp_init_nest_lock(lock)
      call omp_destroy_nest_lock(lock)
      if (i == 10000) before = memory_bytes(2)
    end do
    call check(memory_bytes(2) - before < 1048576, 'destroyed nested locks keep their memory')
  end subroutine many

  include 'fortran_check.f90'
  include 'fortran_memory.f90'
end program fortran_locks
