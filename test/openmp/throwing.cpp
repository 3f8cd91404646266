// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task throws and nobody in it catches: the program must end by std::terminate, whatever handler is around the region.
// Argument: nothing, for a task of C++, which gcc guards itself; for one that is not, as those of C: put, at_once, or leaves, for
// one that ends its thread.
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <string>

extern "C" void GOMP_task(void (*)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment, bool deferred,
                          unsigned flags, void** depend, int priority, void* event);

static void throw_it(void*) { throw std::runtime_error("nobody catches this"); }
static void leave(void*) { pthread_exit(nullptr); }

static void make_task(const std::string& how) {
  if (how.empty()) {
#pragma omp task
    throw_it(nullptr);
  } else {
    GOMP_task(how == "leaves" ? leave : throw_it, nullptr, nullptr, 0, 1, how != "at_once", 0, nullptr, 0, nullptr);
  }
#pragma omp taskwait
}

int main(int argument_count, char** arguments) {
  const std::string how = argument_count > 1 ? arguments[1] : "";
  try {
#pragma omp parallel num_threads(2)
#pragma omp single
    make_task(how);
  } catch (const std::exception&) {
  }
  std::puts("the program went on");
}
