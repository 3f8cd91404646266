// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task throws and nobody in it catches: the program must end by std::terminate, whatever handler is around the region.
#include <cstdio>
#include <stdexcept>

int main() {
  try {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
      throw std::runtime_error("nobody catches this");
#pragma omp taskwait
    }
  } catch (const std::exception&) {
  }
  std::puts("the program went on");
}
