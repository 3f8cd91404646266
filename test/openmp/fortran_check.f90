! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What the Fortran programs of this folder check with; included by each of them.
subroutine check(holds, sentence)
  use, intrinsic :: iso_fortran_env, only: error_unit
  logical, intent(in) :: holds
  character(*), intent(in) :: sentence
  if (holds) return
  write (error_unit, '(a)') sentence
  stop 1
end subroutine check
