! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Places and the display of affinity in Fortran. The program is run with OMP_PLACES=threads and OMP_PROC_BIND=close.
program fortran_places
  use omp_lib
  implicit none
  call places
  call wide_places
  call formats
contains

  subroutine places
    integer :: number, id(4)
    integer, allocatable :: numbers(:)
    call check(omp_get_num_places() > 0, 'with OMP_PLACES=threads there are no places')
    call check(omp_get_partition_num_places() > 0, 'the partition has no places')
    call check(omp_get_proc_bind() == omp_proc_bind_close, 'OMP_PROC_BIND=close has no effect')
    allocate (numbers(omp_get_partition_num_places()))
    numbers = -7
    call omp_get_partition_place_nums(numbers)
    call check(all(numbers >= 0), 'the partition has places that are not there')
    do number = 0, omp_get_num_places() - 1
      call check(omp_get_place_num_procs(number) == 1, 'a place has not one processor')
      id = -7
      call omp_get_place_proc_ids(number, id)
      call check(id(1) >= 0, 'a place has no processor')
    end do
    !$omp parallel
    call check(omp_get_place_num() >= 0, 'a member has no place')
    !$omp end parallel
    call check(place_outside() == 0, 'the first thread is not at the first place')
  end subroutine places

  integer function place_outside()
    integer :: highest
    highest = 0
    !$omp parallel num_threads(2) reduction(max:highest)
    highest = omp_get_place_num()
    !$omp end parallel
    ! Two members, close: at two places, where there are two.
    call check(highest == min(1, omp_get_num_places() - 1), 'two members that are bound close are not at places 0 and 1')
    place_outside = omp_get_place_num()
  end function place_outside

  subroutine wide_places
    integer(8) :: id(4)
    integer(8), allocatable :: numbers(:)
    allocate (numbers(omp_get_partition_num_places()))
    numbers = -7
    call omp_get_partition_place_nums(numbers)
    call check(all(numbers >= 0), 'the partition has places that are not there (wide)')
    call check(omp_get_place_num_procs(0_8) == 1, 'place 0 has not one processor (wide)')
    id = -7
    call omp_get_place_proc_ids(0_8, id)
    call check(id(1) >= 0, 'place 0 has no processor (wide)')
  end subroutine wide_places

  subroutine formats
    character(60) :: text, shown, file
    integer :: length, unit
    call omp_set_affinity_format('member %n of %N')
    length = omp_get_affinity_format(text)
    call check(length == 15 .and. text == 'member %n of %N', 'omp_set_affinity_format has no effect')
    length = omp_capture_affinity(text, '')
    call check(length == 13 .and. text == 'member 0 of 1', 'the captured affinity is: ' // trim(text))
    length = omp_capture_affinity(text, '%n|%N')
    call check(text == '0|1', 'the captured affinity of a format is: ' // trim(text))
    call redirect_errors(file)
    call omp_display_affinity('shown %n')
    open (newunit=unit, file=file, action='read')
    read (unit, '(a)') shown
    close (unit, status='delete')
    call check(shown == 'shown 0', 'omp_display_affinity shows: ' // trim(shown))
  end subroutine formats

  include 'fortran_check.f90'
  include 'fortran_errors.f90'
end program fortran_places
