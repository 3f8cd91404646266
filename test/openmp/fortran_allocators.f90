! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Allocators in Fortran.
program fortran_allocators
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: traits(2)
  integer(omp_allocator_handle_kind) :: mine
  integer :: i
  traits(1) = omp_alloctrait(omp_atk_alignment, 256)
  traits(2) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
  mine = omp_init_allocator(omp_default_mem_space, 2, traits)
  call try(mine)
  call omp_destroy_allocator(mine)
  mine = omp_init_allocator(omp_default_mem_space, 2_8, traits)
  call try(mine)
  call omp_destroy_allocator(mine)
  call omp_set_default_allocator(omp_large_cap_mem_alloc)
  call check(omp_get_default_allocator() == omp_large_cap_mem_alloc, 'omp_set_default_allocator has no effect')
  call limit_memory
  do i = 1, 300000
    mine = omp_init_allocator(omp_default_mem_space, 1, traits)
    call check(mine /= omp_null_allocator, 'destroyed allocators are not given back')
    call omp_destroy_allocator(mine)
  end do
contains

  subroutine try(from)
    integer(omp_allocator_handle_kind), intent(in) :: from
    type(c_ptr) :: memory
    integer, pointer :: values(:)
    call check(from /= omp_null_allocator, 'omp_init_allocator gives no allocator')
    memory = omp_alloc(4000_c_size_t, from)
    call check(c_associated(memory), 'omp_alloc gives no memory')
    call check(mod(transfer(memory, 0_c_intptr_t), 256_c_intptr_t) == 0, 'memory of an allocator of alignment 256 is not aligned')
    call c_f_pointer(memory, values, [1000])
    values = 7
    call check(sum(values) == 7000, 'the memory does not keep what is written')
    call omp_free(memory, from)
  end subroutine try

  !> From here on the address space may grow by 8 MiB.
  subroutine limit_memory
    interface
      integer(c_int) function setrlimit(which, limits) bind(c)
        use iso_c_binding, only: c_int, c_long
        integer(c_int), value :: which
        integer(c_long), intent(in) :: limits(2)
      end function setrlimit
    end interface
    integer(c_long) :: limit
    integer(c_int) :: status
    limit = memory_bytes(1) + 8 * 1048576
    status = setrlimit(9_c_int, [limit, limit])
  end subroutine limit_memory

  include 'fortran_check.f90'
  include 'fortran_memory.f90'
end program fortran_allocators
