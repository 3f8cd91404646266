// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error directive at run time: a warning is said and the program goes on; an error ends it. `nothing` does nothing. A message
// is said whole, whatever its length.
#include "captured.h"
#include "check.h"

#include <string.h>

static void warn(void) {
  const char* const message = "a pipe leaks";
#pragma omp error at(execution) severity(warning) message(message)
#pragma omp error at(execution) severity(warning)
#pragma omp nothing
}

/// Characters of one to three bytes, so that a cut anywhere would be seen.
static char* fill(char* text, int bytes) {
  static const char* const pieces[] = {"a", "\xc3\xa4", "\xe2\x82\xac"};
  text[0] = 0;
  for (int used = 0, each = 0; used < bytes - 4; ++each) used += (int)strlen(strcpy(text + used, pieces[each % 3]));
  return text;
}

static char long_message[40000];

static void warn_at_length(void) {
#pragma omp error at(execution) severity(warning) message(long_message)
}

int main(int count, char** words) {
  static char text[50000], expected[50000];
  if (count == 1) {
    capture_errors(warn, text, sizeof text);
    check(strstr(text, "error directive encountered: a pipe leaks") != NULL, "a warning says '%s'", text);
    check(strstr(text, "error directive encountered\n") != NULL, "a warning without a message says '%s'", text);
    for (int bytes = 500; bytes < 520; ++bytes) {
      snprintf(expected, sizeof expected, "error directive encountered: %s\n", fill(long_message, bytes));
      capture_errors(warn_at_length, text, sizeof text);
      check(strstr(text, expected) != NULL, "a message of %d bytes is said as '%s'", (int)strlen(long_message), text);
    }
    snprintf(expected, sizeof expected, "error directive encountered: %s\n", fill(long_message, sizeof long_message));
    capture_errors(warn_at_length, text, sizeof text);
    check(strstr(text, expected) != NULL, "of a message of %d bytes %d are said", (int)strlen(long_message), (int)strlen(text));
  } else if (strcmp(words[1], "message") == 0) {
#pragma omp error at(execution) message("a pipe broke")
  } else if (strcmp(words[1], "long") == 0) {
    fill(long_message, 5000);
    strcat(long_message, " to the end");
#pragma omp error at(execution) message(long_message)
  } else {
#pragma omp error at(execution) severity(fatal)
  }
  return 0;
}
