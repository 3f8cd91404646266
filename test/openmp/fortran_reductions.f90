! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Reductions that tasks take part in, over scalars, arrays and allocatable ones.
program fortran_reductions
  use omp_lib
  implicit none
  integer, parameter :: count = 150
  integer :: round

  do round = 1, 5
    call of_tasks()
    call of_arrays(7)
    call of_taskloops()
    call of_worksharing()
  end do
contains
  include 'fortran_check.f90'

  recursive subroutine visit(from, to, sum)
    integer, intent(in) :: from, to
    integer, intent(inout) :: sum
    integer :: middle
    if (to - from == 1) then
      sum = sum + from
      return
    end if
    middle = from + (to - from) / 2
    !$omp task in_reduction(+ : sum)
    call visit(from, middle, sum)
    !$omp end task
    !$omp task in_reduction(+ : sum)
    call visit(middle, to, sum)
    !$omp end task
  end subroutine

  subroutine of_tasks()
    integer :: sum, i
    logical :: any
    real(8) :: product
    integer :: most
    most = 0
    sum = 0
    any = .false.
    product = 1
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+ : sum) task_reduction(.or. : any) task_reduction(* : product) task_reduction(max : most)
    call visit(0, count, sum)
    do i = 1, 20
      !$omp task in_reduction(max : most) in_reduction(.or. : any) in_reduction(* : product)
      any = any .or. i == 7
      product = product * 2
      most = max(most, i)
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    call check(sum == count * (count - 1) / 2, 'a tree of tasks')
    call check(any .and. product == 2d0**20, 'a logical and a product')
    call check(most == 20, 'the largest number')
  end subroutine

  subroutine of_arrays(length)
    integer, intent(in) :: length
    integer :: fixed(5), varying(length), i
    integer, allocatable :: on_heap(:, :)
    allocate (on_heap(3, length))
    fixed = 0
    varying = 1
    on_heap = 2
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+ : fixed, varying)
    do i = 1, count
      !$omp task in_reduction(+ : varying) in_reduction(+ : fixed)
      fixed(1 + mod(i, 5)) = fixed(1 + mod(i, 5)) + 1
      varying = varying + 1
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    call check(all(fixed == count / 5), 'an array')
    call check(all(varying == 1 + count), 'an array of a length that is not known before')
    ! gfortran 12 compiles no task that takes part in the reduction of such an array.
    !$omp parallel do reduction(+ : on_heap)
    do i = 1, count
      on_heap(:, 1 + mod(i, length)) = on_heap(:, 1 + mod(i, length)) + i
    end do
    call check(sum(on_heap) == 6 * length + 3 * count * (count + 1) / 2, 'an allocatable array')
    deallocate (on_heap)
  end subroutine

  subroutine of_taskloops()
    integer :: total, i, values(4)
    integer :: one
    one = 0
    total = 0
    values = 0
    !$omp parallel
    !$omp single
    !$omp taskloop reduction(+ : total, values, one) grainsize(4)
    do i = 1, count
      total = total + i
      values(1 + mod(i, 4)) = values(1 + mod(i, 4)) + 1
      one = one + 1
    end do
    !$omp end taskloop
    !$omp taskgroup task_reduction(+ : total)
    !$omp taskloop in_reduction(+ : total) nogroup
    do i = 1, count
      total = total + i
    end do
    !$omp end taskloop
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    call check(total == count * (count + 1), 'taskloops')
    call check(sum(values) == count .and. one == count, 'a taskloop over an array')
  end subroutine

  subroutine of_worksharing()
    integer :: loop, region, members, i, parts(3)
    loop = 0
    region = 0
    members = 0
    parts = 0
    !$omp parallel reduction(task, + : region) reduction(+ : members)
    members = members + 1
    region = region + 1
    !$omp task in_reduction(+ : region)
    region = region + 10
    !$omp end task
    !$omp do reduction(task, + : loop) schedule(dynamic)
    do i = 1, count
      !$omp task in_reduction(+ : loop)
      loop = loop + i
      !$omp end task
    end do
    !$omp end do
    !$omp sections reduction(task, + : parts)
    !$omp section
    parts(1) = parts(1) + 1
    !$omp task in_reduction(+ : parts)
    parts(2) = parts(2) + 10
    !$omp end task
    !$omp section
    parts(3) = parts(3) + 100
    !$omp end sections
    !$omp end parallel
    call check(region == 11 * members, 'a region')
    call check(loop == count * (count + 1) / 2, 'a loop')
    call check(all(parts == [1, 10, 100]), 'sections over an array')
  end subroutine
end program
