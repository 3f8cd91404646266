! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The first example in Fortran 2003, by its interoperability with C: a binary tree of tasks, whose leaves are counted per worker.

module teff
  use, intrinsic :: iso_c_binding
  implicit none

  interface
    integer(c_int) function teff_create(made, pool, memory, workers, argument_bytes, settings, message, message_bytes) bind(c)
      import
      type(c_ptr), intent(out) :: made
      character(kind=c_char), intent(in) :: pool(*), memory(*)
      integer(c_int), value :: workers
      integer(c_size_t), value :: argument_bytes
      type(c_ptr), value :: settings, message
      integer(c_size_t), value :: message_bytes
    end function
    integer(c_int) function teff_finalize(team) bind(c)
      import
      type(c_ptr), intent(inout) :: team
    end function
    integer(c_int) function teff_workers(team) bind(c)
      import
      type(c_ptr), value :: team
    end function
    integer(c_int) function teff_worker_of(team, number, worker) bind(c)
      import
      type(c_ptr), value :: team
      integer(c_int), value :: number
      type(c_ptr), intent(out) :: worker
    end function
    integer(c_int) function teff_number(worker) bind(c)
      import
      type(c_ptr), value :: worker
    end function
    integer(c_int) function teff_init(worker, function, argument) bind(c)
      import
      type(c_ptr), value :: worker, argument
      type(c_funptr), value :: function
    end function
    integer(c_int) function teff_put(self, function, argument) bind(c)
      import
      type(c_ptr), value :: self, argument
      type(c_funptr), value :: function
    end function
    integer(c_int) function teff_run(team) bind(c)
      import
      type(c_ptr), value :: team
    end function
    integer(c_int) function teff_alloc(self, bytes, argument) bind(c)
      import
      type(c_ptr), value :: self
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: argument
    end function
    integer(c_int) function teff_free(self, argument) bind(c)
      import
      type(c_ptr), value :: self, argument
    end function
  end interface
end module

module tree
  use teff
  implicit none
  integer, parameter :: most_workers = 256, apart = 16
  integer :: leaves(apart, 0:most_workers - 1) = 0  ! a cache line for each worker

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status /= 0) error stop 'a call of Teff failed'
  end subroutine

  recursive subroutine split(self, argument) bind(c)
    type(c_ptr), value :: self, argument
    integer(c_int), pointer :: depth, own
    type(c_ptr) :: block
    integer :: child, left, me

    call c_f_pointer(argument, depth)
    left = depth
    call check(teff_free(self, argument))
    if (left == 0) then
      me = teff_number(self)
      leaves(1, me) = leaves(1, me) + 1
      return
    end if
    do child = 1, 2
      call check(teff_alloc(self, c_sizeof(0_c_int), block))
      call c_f_pointer(block, own)
      own = left - 1
      call check(teff_put(self, c_funloc(split), block))
    end do
  end subroutine
end module

program first
  use tree
  implicit none
  type(c_ptr) :: team, worker, argument
  integer(c_int), pointer :: depth

  call check(teff_create(team, 'dq8' // c_null_char, 'dlf' // c_null_char, 0_c_int, c_sizeof(0_c_int), c_null_ptr, c_null_ptr, &
                         0_c_size_t))
  call check(teff_worker_of(team, 0_c_int, worker))
  call check(teff_alloc(worker, c_sizeof(0_c_int), argument))
  call c_f_pointer(argument, depth)
  depth = 16
  call check(teff_init(worker, c_funloc(split), argument))
  call check(teff_run(team))
  print '(i0, a, i0, a)', sum(leaves(1, :)), ' leaves on ', teff_workers(team), ' workers'
  call check(teff_finalize(team))
end program
