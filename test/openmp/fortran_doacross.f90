! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Doacross loops as Fortran programs write them.
program fortran_doacross
  use omp_lib
  implicit none
  integer, parameter :: length = 60
  integer(8) :: grid(0:length, 0:length), serial(0:length, 0:length), chain(0:length)
  integer :: i, j
  grid = 1
  serial = 1
  do j = 1, length
    do i = 1, length
      serial(i, j) = mod(serial(i - 1, j) + serial(i, j - 1), 100003_8)
    end do
  end do
  !$omp parallel do ordered(2) schedule(dynamic) private(i)
  do j = 1, length
    do i = 1, length
      !$omp ordered depend(sink: j - 1, i) depend(sink: j, i - 1)
      grid(i, j) = mod(grid(i - 1, j) + grid(i, j - 1), 100003_8)
      !$omp ordered depend(source)
    end do
  end do
  call check(all(grid == serial), 'a wavefront is wrong')
  chain = 0
  !$omp parallel
  !$omp do ordered(1) schedule(static, 3)
  do i = length, 1, -1
    !$omp ordered depend(sink: i + 1)
    chain(i - 1) = chain(i) + i
    !$omp ordered depend(source)
  end do
  !$omp end do
  !$omp end parallel
  call check(chain(0) == length * (length + 1) / 2, 'a chain downwards is wrong')
contains
  include 'fortran_check.f90'
end program fortran_doacross
