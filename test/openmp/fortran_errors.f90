! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Standard error as a file; included by the programs that look at what is shown there.

!> From here on standard error goes to a file of this process alone. Post: `name` is that file's.
subroutine redirect_errors(name)
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  character(*), intent(out) :: name
  interface
    integer(c_int) function creat(path, mode) bind(c)
      use, intrinsic :: iso_c_binding, only: c_char, c_int
      character(c_char), intent(in) :: path(*)
      integer(c_int), value :: mode
    end function creat
    integer(c_int) function dup2(from, to) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: from, to
    end function dup2
  end interface
  intrinsic :: getpid
  integer(c_int) :: ignored
  write (name, '(a,i0)') 'fortran_errors.', getpid()
  ignored = dup2(creat(trim(name) // c_null_char, int(o'600', c_int)), 2_c_int)
end subroutine redirect_errors
