// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/line.h"

#include "platform/native/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>

namespace TEFF_NAMESPACE::platform {

void say(std::string_view text) noexcept {
  const int before = errno;
  while (!text.empty()) {
    const ssize_t written = files::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  errno = before;
}

void say(std::initializer_list<std::string_view> parts) noexcept {
  const int before = errno;
  iovec pieces[4];
  int count = 0;
  for (const std::string_view part : parts) {
    if (count < 4) pieces[count++] = {const_cast<char*>(part.data()), part.size()};
  }
  const ssize_t written = files::write(STDERR_FILENO, pieces, count);
  errno = before;
  if (written < 0) return;
  auto done = static_cast<std::size_t>(written);
  for (int each = 0; each < count; ++each) {
    const std::size_t skipped = std::min(done, pieces[each].iov_len);
    done -= skipped;
    say(std::string_view(static_cast<const char*>(pieces[each].iov_base) + skipped, pieces[each].iov_len - skipped));
  }
}

void add_code(line& to, const void* code) noexcept {
  Dl_info found;
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  if (dladdr(code, &found) == 0 || found.dli_fname == nullptr) {
    to.add("code at 0x");
    return to.add(address, 16);
  }
  if (found.dli_sname != nullptr && found.dli_saddr == code) {
    to.add(found.dli_sname);
    to.add(" in ");
  }
  const char* const slash = std::strrchr(found.dli_fname, '/');
  to.add(slash != nullptr ? slash + 1 : found.dli_fname);
  to.add("+0x");
  to.add(address - reinterpret_cast<std::uintptr_t>(found.dli_fbase), 16);
}

}  // namespace TEFF_NAMESPACE::platform
