// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error directive at run time: a warning is said and the program goes on; an error ends it. `nothing` does nothing.
#include "captured.h"
#include "check.h"

#include <string.h>

static void warn(void) {
  const char* const message = "a pipe leaks";
#pragma omp error at(execution) severity(warning) message(message)
#pragma omp error at(execution) severity(warning)
#pragma omp nothing
}

int main(int count, char** words) {
  static char text[1000];
  if (count == 1) {
    capture_errors(warn, text, sizeof text);
    check(strstr(text, "error directive encountered: a pipe leaks") != NULL, "a warning says '%s'", text);
    check(strstr(text, "error directive encountered\n") != NULL, "a warning without a message says '%s'", text);
  } else if (strcmp(words[1], "message") == 0) {
#pragma omp error at(execution) message("a pipe broke")
  } else {
#pragma omp error at(execution) severity(fatal)
  }
  return 0;
}
