// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/symbols.h"

#include "report/text.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace teff::cli {

namespace {

constexpr std::uint64_t table_bytes_at_most = std::uint64_t{1} << 30;

/// Returns: so many bytes of the file; empty if they are not there.
std::vector<char> bytes_at(std::ifstream& file, std::uint64_t place, std::uint64_t bytes) {
  if (bytes > table_bytes_at_most) return {};
  std::vector<char> found(bytes);
  file.clear();
  file.seekg(static_cast<std::streamoff>(place));
  file.read(found.data(), static_cast<std::streamsize>(bytes));
  if (!file.good()) found.clear();
  return found;
}

template <class Part>
std::vector<Part> parts_at(std::ifstream& file, std::uint64_t place, std::uint64_t count) {
  const std::vector<char> bytes = bytes_at(file, place, count * sizeof(Part));
  std::vector<Part> found(bytes.size() / sizeof(Part));
  if (!found.empty()) std::memcpy(found.data(), bytes.data(), found.size() * sizeof(Part));
  return found;
}

/// Returns: the text that begins there in a table of texts.
std::string text_in(const std::vector<char>& texts, std::uint64_t at) {
  if (at >= texts.size()) return {};
  return {texts.data() + at, ::strnlen(texts.data() + at, texts.size() - at)};
}

/// Returns: the name as C++ has it, if it is one of those.
std::string readable(const std::string& name) {
  int status = 0;
  char* const found = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string text = found != nullptr ? found : name;
  std::free(found);
  return text;
}

std::vector<char> content(std::ifstream& file, const std::vector<Elf64_Shdr>& sections, std::uint64_t number) {
  if (number >= sections.size()) return {};
  return bytes_at(file, sections[number].sh_offset, sections[number].sh_size);
}

}  // namespace

symbols::symbols(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto head = parts_at<Elf64_Ehdr>(file, 0, 1);
  if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0 || head[0].e_ident[EI_CLASS] != ELFCLASS64) return;
  for (const Elf64_Phdr& each : parts_at<Elf64_Phdr>(file, head[0].e_phoff, head[0].e_phnum))
    if (each.p_type == PT_LOAD) segments_.push_back({each.p_offset, each.p_filesz, each.p_vaddr});
  const auto sections = parts_at<Elf64_Shdr>(file, head[0].e_shoff, head[0].e_shnum);
  const std::vector<char> section_names = content(file, sections, head[0].e_shstrndx);
  for (const Elf64_Shdr& each : sections) {
    const std::string name = text_in(section_names, each.sh_name);
    if (name == ".debug_line") line_bytes_ = each.sh_size;
    // The second one names a file with the information.
    has_lines_ = has_lines_ || name == ".debug_line" || name == ".gnu_debuglink";
    if (each.sh_type != SHT_SYMTAB && each.sh_type != SHT_DYNSYM) continue;
    const std::vector<char> names = content(file, sections, each.sh_link);
    for (const Elf64_Sym& known : parts_at<Elf64_Sym>(file, each.sh_offset, each.sh_size / sizeof(Elf64_Sym))) {
      if (ELF64_ST_TYPE(known.st_info) != STT_FUNC || known.st_shndx == SHN_UNDEF) continue;
      functions_.try_emplace(known.st_value, function{known.st_size, text_in(names, known.st_name)});
    }
  }
}

std::optional<std::uint64_t> symbols::address_of(std::uint64_t offset) const {
  for (const segment& each : segments_)
    if (offset >= each.offset && offset - each.offset < each.bytes) return offset - each.offset + each.address;
  return std::nullopt;
}

std::string symbols::name_of(std::uint64_t address) const {
  auto after = functions_.upper_bound(address);
  if (after == functions_.begin()) return {};
  const auto& [begin, found] = *std::prev(after);
  if (address - begin >= std::max<std::uint64_t>(1, found.bytes)) return {};
  return report::format("{} + {:#x}", readable(found.name), address - begin);
}

}  // namespace teff::cli
