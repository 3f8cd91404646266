// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/binary.h"

#include "report/text.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace teff::cli {

namespace {

#if defined(__x86_64__)
constexpr int own_architecture = EM_X86_64;
#elif defined(__aarch64__)
constexpr int own_architecture = EM_AARCH64;
#else
#error "which number has this architecture in an ELF file?"
#endif
constexpr std::size_t loader_bytes_at_most = 4096;

template <class Part>
bool read_at(std::ifstream& file, std::uint64_t place, Part& into, std::size_t bytes = sizeof(Part)) {
  file.seekg(static_cast<std::streamoff>(place));
  file.read(reinterpret_cast<char*>(&into), static_cast<std::streamsize>(bytes));
  return file.good();
}

std::string architecture_name(int number) {
  switch (number) {
    case EM_386:
      return "i386";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "arm";
    case EM_AARCH64:
      return "aarch64";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390";
    case EM_RISCV:
      return "riscv";
    default:
      return report::format("number {}", number);
  }
}

std::string read_loader(std::ifstream& file, const Elf64_Phdr& segment) {
  std::vector<char> text(std::min<std::size_t>(segment.p_filesz, loader_bytes_at_most) + 1, '\0');
  return read_at(file, segment.p_offset, text.front(), text.size() - 1) ? text.data() : "";
}

binary read_program(std::ifstream& file) {
  Elf64_Ehdr head{};
  if (!read_at(file, 0, head)) return {binary::kind::unknown, "", ""};
  if (head.e_machine != own_architecture || head.e_ident[EI_CLASS] != ELFCLASS64)
    return {binary::kind::foreign, architecture_name(head.e_machine), ""};
  if (head.e_type != ET_EXEC && head.e_type != ET_DYN) return {binary::kind::unknown, "", ""};
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(file, head.e_phoff + std::uint64_t{i} * head.e_phentsize, segment)) return {binary::kind::unknown, "", ""};
    if (segment.p_type == PT_INTERP) return {binary::kind::dynamic, "", read_loader(file, segment)};
  }
  return {binary::kind::fixed, "", ""};
}

}  // namespace

binary read_binary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  unsigned char begin[EI_NIDENT] = {};
  file.read(reinterpret_cast<char*>(begin), sizeof begin);
  if (file.gcount() >= 2 && begin[0] == '#' && begin[1] == '!') return {binary::kind::script, "", ""};
  if (!file.is_open()) return {binary::kind::unreadable, "", ""};
  if (file.gcount() < EI_NIDENT || std::memcmp(begin, ELFMAG, SELFMAG) != 0) return {binary::kind::unknown, "", ""};
  return read_program(file);
}

}  // namespace teff::cli
