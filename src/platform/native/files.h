// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files by the system's calls themselves. A C program may well have functions of its own that are called read, write, open or
/// close, and what it loads would call those. (Not so with names of the language's own library, such as fopen.)
#pragma once

#include "base/namespace.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace TEFF_NAMESPACE::platform::files {

/// Returns: a descriptor; less than 0 and errno if there is none. `flags`: as open has them, without those that make a file.
inline int open(const char* path, int flags) noexcept {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0));
}
inline void close(int file) noexcept { syscall(SYS_close, file); }

/// Returns: what the call does, which is made again if a signal interrupts it.
template <class Call>
ssize_t uninterrupted(Call call) noexcept {
  ssize_t done;
  do done = call();
  while (done < 0 && errno == EINTR);
  return done;
}

// Each returns how many bytes; less than 0 and errno if it failed.
inline ssize_t read(int file, void* into, std::size_t bytes) noexcept {
  return uninterrupted([&] { return syscall(SYS_read, file, into, bytes); });
}
inline ssize_t read_begin(int file, void* into, std::size_t bytes) noexcept {
  static_assert(sizeof(long) == sizeof(off_t), "elsewhere an offset takes two arguments");
  return uninterrupted([&] { return syscall(SYS_pread64, file, into, bytes, off_t{0}); });
}
inline ssize_t write(int file, const void* from, std::size_t bytes) noexcept {
  return uninterrupted([&] { return syscall(SYS_write, file, from, bytes); });
}
inline ssize_t write(int file, const iovec* pieces, int count) noexcept {
  return uninterrupted([&] { return syscall(SYS_writev, file, pieces, count); });
}
/// Of a file that has a size.
inline off_t size(int file) noexcept { return syscall(SYS_lseek, file, off_t{0}, SEEK_END); }

/// Whether the file may get so many bytes more. Else a write is cut short, or ends the process (SIGXFSZ).
inline bool may_grow_by(int file, std::size_t bytes) noexcept {
  rlimit most{};
  return syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &most) != 0 || most.rlim_cur == RLIM_INFINITY ||
         static_cast<rlim_t>(size(file)) + bytes <= most.rlim_cur;
}

enum class part {
  all,
  line,  ///< of a file of one line, whose end is not looked for behind that
};
/// Returns: what is in the file; an empty text if it cannot be read.
inline std::string text_of(const std::string& path, part wanted = part::all) {
  struct opened {
    int file;
    ~opened() {
      if (file >= 0) files::close(file);
    }
  };
  const opened from{open(path.c_str(), O_RDONLY)};
  if (from.file < 0) return {};
  std::string text;
  char bytes[4096];
  ssize_t got = 0;
  while ((got = read(from.file, bytes, sizeof bytes)) > 0) {
    text.append(bytes, static_cast<std::size_t>(got));
    if (wanted == part::line && text.back() == '\n') return text;
  }
  return got == 0 ? text : std::string();
}

}  // namespace TEFF_NAMESPACE::platform::files
