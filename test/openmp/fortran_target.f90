! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Target constructs and memory of devices in Fortran.
module on_device
  implicit none
  integer :: counter = 0
  !$omp declare target (counter)
contains
  integer function count_on_device(more)
    !$omp declare target
    integer, intent(in) :: more
    counter = counter + more
    count_on_device = counter
  end function count_on_device
end module on_device

program fortran_target
  use omp_lib
  use, intrinsic :: iso_c_binding
  use on_device
  implicit none
  integer, allocatable :: cells(:)
  integer, target :: whole(20)
  integer :: x, i, threads, limit, hits(100)
  character(8) :: word
  type(c_ptr) :: memory
  x = 1
  !$omp target map(tofrom: x)
  x = x + omp_get_num_threads() + 10 * omp_get_level()
  !$omp end target
  call check(x == 2, 'a mapped variable is wrong')
  !$omp target map(tofrom: x)
  x = count_on_device(5)
  !$omp end target
  call check(x == 5, 'a function of declare target is wrong')
  call copied(7)
  allocate (cells(50))
  cells = 0
  !$omp target teams distribute parallel do map(tofrom: cells)
  do i = 1, 50
    cells(i) = cells(i) + i
  end do
  call check(sum(cells) == 1275, 'an allocatable array is wrong')
  !$omp target data map(tofrom: cells)
  !$omp target map(tofrom: cells)
  cells(3) = -3
  !$omp end target
  !$omp target update from(cells(1:5))
  !$omp end target data
  !$omp target enter data map(to: cells)
  !$omp target exit data map(from: cells)
  call check(cells(3) == -3, 'target data: the array is wrong')
  hits = 0
  !$omp target parallel do map(tofrom: hits)
  do i = 1, 100
    hits(i) = hits(i) + 1
  end do
  call check(all(hits == 1), 'target parallel do is wrong')
  threads = omp_get_max_threads()
  call omp_set_num_threads(threads + 5)
  !$omp target map(from: x, limit) thread_limit(3)
  x = omp_get_max_threads()
  limit = omp_get_thread_limit()
  !$omp end target
  call check(x == threads .and. limit == 3, 'the variables of OpenMP are wrong inside')
  call omp_set_num_threads(threads)
  whole = 0
  !$omp parallel num_threads(3)
  !$omp single
  do i = 1, 20
    !$omp target nowait depend(inout: whole) map(tofrom: whole) firstprivate(i)
    whole(i) = merge(1, whole(max(1, i - 1)) + 1, i == 1)
    !$omp end target
  end do
  !$omp end single
  !$omp end parallel
  call check(whole(20) == 20, 'a chain of target tasks is wrong')
  memory = omp_target_alloc(80_c_size_t, omp_get_initial_device())
  call check(c_associated(memory), 'there is no memory')
  call check(omp_target_is_present(memory, omp_get_initial_device()) == 1, 'memory is not present')
  call check(omp_target_memcpy(memory, c_loc(whole(1)), 80_c_size_t, 0_c_size_t, 0_c_size_t, &
                               omp_get_initial_device(), omp_get_initial_device()) == 0, 'it is not copied')
  call in_memory(memory)
  call omp_target_free(memory, omp_get_initial_device())
contains
  include 'fortran_check.f90'

  subroutine copied(count)
    integer, intent(in) :: count
    real :: values(count)
    integer :: wrong
    values = 1.5
    word = 'abcdefgh'
    wrong = 0
    !$omp target firstprivate(values, word) map(tofrom: wrong)
    if (any(values /= 1.5) .or. word /= 'abcdefgh') wrong = 1
    values = 2
    word = ''
    !$omp end target
    call check(wrong == 0, 'a firstprivate value is wrong inside')
    call check(all(values == 1.5) .and. word == 'abcdefgh', 'a firstprivate variable has changed outside')
  end subroutine copied

  subroutine in_memory(at)
    type(c_ptr), intent(in) :: at
    integer, pointer :: numbers(:)
    call c_f_pointer(at, numbers, [20])
    call check(numbers(20) == 20, 'what was copied is wrong')
  end subroutine in_memory
end program fortran_target
