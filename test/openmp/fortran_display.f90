! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! omp_display_env in Fortran, with a flag of 4 and of 8 bytes: the lines go to standard error, which is a file of this program.
program fortran_display
  use omp_lib
  implicit none
  character(40) :: name
  integer :: unit
  call redirect_errors(name)
  call omp_display_env(.false.)
  call expect_blocks(1)
  call omp_display_env(.true._8)
  call expect_blocks(2)
  open (newunit=unit, file=name)
  close (unit, status='delete')
contains

  subroutine expect_blocks(expected)
    integer, intent(in) :: expected
    character(200) :: line
    integer :: unit, status, begins, ends
    begins = 0
    ends = 0
    open (newunit=unit, file=name, action='read')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      if (index(line, 'OPENMP DISPLAY ENVIRONMENT BEGIN') > 0) begins = begins + 1
      if (index(line, 'OPENMP DISPLAY ENVIRONMENT END') > 0) ends = ends + 1
    end do
    close (unit)
    if (begins == expected .and. ends == expected) return
    print '(a)', 'omp_display_env does not show what is in force'
    stop 1
  end subroutine expect_blocks

  include 'fortran_errors.f90'
end program fortran_display
