! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The queries and settings in their Fortran forms, with arguments of 4 and of 8 bytes. The program is run with
! OMP_MAX_TASK_PRIORITY=7.
program fortran_queries
  use omp_lib
  implicit none
  integer :: threads
  threads = omp_get_max_threads()
  call outside
  call settings
  call wide_settings
  call inside
  call times
contains

  subroutine outside
    call check(omp_get_num_threads() == 1, 'outside of any region there is not one thread')
    call check(omp_get_thread_num() == 0, 'outside of any region the thread is not number 0')
    call check(.not. omp_in_parallel(), 'omp_in_parallel is true outside of any region')
    call check(omp_get_level() == 0, 'outside of any region the level is not 0')
    call check(omp_get_active_level() == 0, 'outside of any region the active level is not 0')
    call check(omp_get_num_procs() > 0, 'there are no processors')
    call check(threads > 0, 'there are no threads')
    call check(omp_get_thread_limit() >= 64, 'the limit of threads is below 64')
    call check(omp_get_supported_active_levels() >= 20, 'fewer than 20 levels are supported')
    call check(omp_get_max_task_priority() == 7, 'OMP_MAX_TASK_PRIORITY=7 has no effect')
    call check(.not. omp_get_cancellation(), 'there is cancellation that nobody asked for')
    call check(.not. omp_in_final(), 'omp_in_final is true outside')
  end subroutine outside

  subroutine settings
    integer(omp_sched_kind) :: kind
    integer :: chunk
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), 'omp_set_dynamic(.true.) has no effect')
    call omp_set_dynamic(.false.)
    call check(.not. omp_get_dynamic(), 'omp_set_dynamic(.false.) has no effect')
    call omp_set_nested(.true.)
    call check(omp_get_nested(), 'omp_set_nested(.true.) has no effect')
    call omp_set_max_active_levels(3)
    call check(omp_get_max_active_levels() == 3, 'omp_set_max_active_levels(3) has no effect')
    call omp_set_schedule(omp_sched_dynamic, 5)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_dynamic .and. chunk == 5, 'omp_set_schedule has no effect')
    call omp_set_num_threads(4)
    call check(omp_get_max_threads() == 4, 'omp_set_num_threads(4) has no effect')
  end subroutine settings

  subroutine wide_settings
    integer(omp_sched_kind) :: kind
    integer(8) :: chunk
    call omp_set_dynamic(.true._8)
    call check(omp_get_dynamic(), 'omp_set_dynamic(.true._8) has no effect')
    call omp_set_dynamic(.false._8)
    call omp_set_nested(.false._8)
    call check(.not. omp_get_nested(), 'omp_set_nested(.false._8) has no effect')
    call omp_set_max_active_levels(2_8)
    call check(omp_get_max_active_levels() == 2, 'omp_set_max_active_levels(2_8) has no effect')
    call omp_set_schedule(omp_sched_guided, 6_8)
    chunk = -1
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_guided .and. chunk == 6, 'omp_set_schedule with a wide chunk has no effect')
    call omp_set_num_threads(3_8)
    call check(omp_get_max_threads() == 3, 'omp_set_num_threads(3_8) has no effect')
  end subroutine wide_settings

  subroutine inside
    integer :: seen(0:5), total, finals
    seen = 0
    total = 0
    finals = 0
    !$omp parallel num_threads(3) reduction(+:total)
    seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
    total = total + omp_get_num_threads()
    call check(omp_in_parallel(), 'omp_in_parallel is false in a region')
    call check(omp_get_level() == 1, 'the level is not 1')
    call check(omp_get_active_level() == 1, 'the active level is not 1')
    call check(omp_get_team_size(1) == 3, 'the size of a team is wrong')
    call check(omp_get_team_size(0_8) == 1, 'outside the size of the team is not 1')
    call check(omp_get_team_size(1_8) == 3, 'the size of a team is wrong with a wide level')
    call check(omp_get_ancestor_thread_num(1) == omp_get_thread_num(), 'the ancestor is wrong')
    call check(omp_get_ancestor_thread_num(1_8) == omp_get_thread_num(), 'the ancestor is wrong with a wide level')
    !$omp barrier
    !$omp single
    !$omp task final(.true.) shared(finals)
    if (omp_in_final()) finals = finals + 1
    !$omp end task
    !$omp end single
    !$omp end parallel
    call check(all(seen(0:2) == 1) .and. all(seen(3:) == 0), 'not every member ran once')
    call check(total == 9, 'a region of 3 has another size')
    call check(finals == 1, 'omp_in_final is false in a final task')
  end subroutine inside

  subroutine times
    double precision :: start, tick
    start = omp_get_wtime()
    tick = omp_get_wtick()
    call check(start > 0 .and. tick > 0 .and. tick < 1, 'the clock or its tick is not above 0')
    do while (omp_get_wtime() <= start)
    end do
  end subroutine times

  include 'fortran_check.f90'
end program fortran_queries
