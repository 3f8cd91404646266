! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! There is one device in Fortran, too: the host.
program fortran_devices
  use omp_lib
  implicit none
  call check(omp_is_initial_device(), 'the program does not run on the initial device')
  call check(omp_get_num_devices() == 0, 'there are other devices')
  call check(omp_get_initial_device() == 0, 'the initial device is not device 0')
  call check(omp_get_device_num() == 0, 'the host is not device 0')
  call omp_set_default_device(2)
  call check(omp_get_default_device() == 2, 'omp_set_default_device(2) has no effect')
  call omp_set_default_device(3_8)
  call check(omp_get_default_device() == 3, 'omp_set_default_device(3_8) has no effect')
contains
  include 'fortran_check.f90'
end program fortran_devices
