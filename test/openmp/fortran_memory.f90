! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! How much memory this process has now; included by the programs that bound it.

!> Returns: the number in that column of /proc/self/statm, in bytes. Column 1: address space; 2: resident.
integer(8) function memory_bytes(column)
  integer, intent(in) :: column
  integer(8) :: pages(2)
  integer :: unit
  open (newunit=unit, file='/proc/self/statm', action='read')
  read (unit, *) pages
  close (unit)
  memory_bytes = pages(column) * 4096
end function memory_bytes
