! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Dependences as Fortran programs write them.
program fortran_depend
  use omp_lib
  implicit none
  integer(omp_depend_kind) :: object
  integer :: x, i, j, cell(0:40, 0:40)
  x = 0
  cell = 1
  !$omp depobj(object) depend(inout: x)
  !$omp parallel private(i, j)
  !$omp single
  do i = 1, 100
    !$omp task depend(inout: x) shared(x)
    x = x * 2 - i
    !$omp end task
    !$omp task depend(depobj: object) shared(x)
    x = mod(x, 1000)
    !$omp end task
  end do
  !$omp taskwait depend(in: x)
  call check(x == serial(), 'a chain of tasks comes to another number than a loop')
  do i = 1, 40
    do j = 1, 40
      !$omp task depend(in: cell(i - 1, j), cell(i, j - 1)) depend(out: cell(i, j)) shared(cell) firstprivate(i, j)
      cell(i, j) = mod(cell(i - 1, j) + cell(i, j - 1), 10007)
      !$omp end task
    end do
  end do
  !$omp end single
  !$omp end parallel
  do i = 1, 40
    do j = 1, 40
      call check(cell(i, j) == mod(cell(i - 1, j) + cell(i, j - 1), 10007), 'a wavefront has a cell that was too early')
    end do
  end do
  !$omp depobj(object) destroy
contains
  integer function serial()
    integer :: k
    serial = 0
    do k = 1, 100
      serial = mod(serial * 2 - k, 1000)
    end do
  end function serial
  include 'fortran_check.f90'
end program fortran_depend
