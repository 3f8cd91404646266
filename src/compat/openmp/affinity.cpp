// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Places, and the texts that say where threads run.
#include "compat/openmp/entry.h"
#include "compat/openmp/environment.h"
#include "compat/openmp/os_thread.h"
#include "compat/openmp/refuse.h"
#include "platform/foreign.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <numeric>
#include <string_view>

namespace TEFF_NAMESPACE::openmp {

namespace {

const std::vector<unsigned>* place_of(int number) {
  const auto& places = process().places;
  return number >= 0 && static_cast<std::size_t>(number) < places.size() ? &places[static_cast<std::size_t>(number)] : nullptr;
}

/// Returns: the places of the calling thread's regions.
stretch own_places() {
  const member* const known = known_self();
  return known != nullptr ? known->places : stretch{0, static_cast<unsigned>(process().places.size())};
}

/// Returns: the numbers, neighbours joined: 0-3,8.
std::string ranges_of(const std::vector<unsigned>& numbers) {
  std::string text;
  for (std::size_t at = 0; at < numbers.size();) {
    std::size_t last = at;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[at]);
    if (last != at) text += "-" + std::to_string(numbers[last]);
    at = last + 1;
  }
  return text;
}

std::string host() {
  char name[256];
  platform::machine_name(name, sizeof name);
  return name;
}

/// What a format's field may be called (OpenMP 5.2, section 21.7.4).
struct field {
  char letter;
  const char* name;
  std::string (*value)(member&);
  bool is_number = true;  ///< it may have zeros in front of it, behind its sign
};
constexpr field fields[] = {
    {'t', "team_num", [](member& of) { return std::to_string(of.in.team_number); }},
    {'T', "num_teams", [](member& of) { return std::to_string(of.in.teams); }},
    {'L', "nesting_level", [](member& of) { return std::to_string(of.in.level); }},
    {'n', "thread_num", [](member& of) { return std::to_string(of.id); }},
    {'N', "num_threads", [](member& of) { return std::to_string(of.in.size); }},
    {'a', "ancestor_tnum", [](member& of) { return of.in.level > 0 ? std::to_string(of.in.opener->id) : std::string("-1"); }},
    {'H', "host", [](member&) { return host(); }, false},
    {'P', "process_id", [](member&) { return std::to_string(platform::process_number()); }},
    {'i', "native_thread_id", [](member&) { return std::to_string(platform::thread_number()); }},
    {'A', "thread_affinity", [](member&) { return ranges_of(platform::processors_of_this_thread()); }, false},
};

/// A field as it stands in a format.
struct wanted_field {
  const field* is;  ///< nullptr: there is none of that name, or it is not written as one is
  std::size_t width;
  bool right;  ///< its value stands at the end of that width, not at the begin
  bool zeros;
};

/// Effect: reads a field behind its %.
wanted_field read_field(std::string_view& rest) {
  const auto take = [&](char wanted) {
    if (rest.empty() || rest.front() != wanted) return false;
    rest.remove_prefix(1);
    return true;
  };
  const bool zeros = take('0'), right = take('.');
  std::size_t width = 0;
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9' && width < 10'000) {
    width = width * 10 + static_cast<std::size_t>(rest.front() - '0');
    rest.remove_prefix(1);
  }
  const bool is_long = take('{');
  const std::size_t end = is_long ? rest.find('}') : std::min<std::size_t>(rest.size(), 1);
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), name.size() + (is_long ? 1 : 0)));
  const auto* const known = std::find_if(std::begin(fields), std::end(fields), [&](const field& each) {
    return is_long ? name == each.name : name.size() == 1 && name[0] == each.letter;
  });
  const bool is_whole = end != rest.npos && (right || !zeros) && (width != 0 || !right);
  return {is_whole && known != std::end(fields) ? known : nullptr, width, right, zeros};
}

/// Effect: calls `letter` and `found` for what a format is made of, until one of them returns false. Returns: whether none did.
template <class Letter, class Found>
bool read_format(std::string_view format, Letter letter, Found found) {
  for (std::string_view rest = format; !rest.empty();) {
    const char next = rest.front();
    rest.remove_prefix(1);
    const bool is_field = next == '%' && !rest.starts_with('%');
    if (next == '%' && !is_field) rest.remove_prefix(1);
    if (is_field ? !found(read_field(rest)) : !letter(next)) return false;
  }
  return true;
}

void append_field(std::string& text, const wanted_field& wanted, member& of) {
  const std::string value = wanted.is != nullptr ? wanted.is->value(of) : "undefined";
  const bool padded = wanted.zeros && wanted.right && wanted.is != nullptr && wanted.is->is_number;
  const std::string filling(wanted.width > value.size() ? wanted.width - value.size() : 0, padded ? '0' : ' ');
  const std::size_t sign = padded && value.starts_with('-') ? 1 : 0;
  text += wanted.right ? value.substr(0, sign) + filling + value.substr(sign) : value + filling;
}

std::string expanded(std::string_view format) try {
  if (format.empty()) format = process().affinity_format;
  std::string text;
  const auto letter = [&](char next) {
    text += next;
    return true;
  };
  read_format(format, letter, [&](const wanted_field& wanted) {
    append_field(text, wanted, self());
    return true;
  });
  return text;
} catch (const std::bad_alloc&) {
  fail("no memory for a text of OpenMP's affinity format");
}

void set_format(std::string_view format) try { process().affinity_format = format; } catch (const std::bad_alloc&) {
  fail("no memory for OpenMP's affinity format");
}

/// Effect: to = the text, cut, with a 0 behind it (C) or blanks (Fortran). Returns: how long the text is.
std::size_t copy_out(const std::string& text, char* to, std::size_t bytes, bool blanks) {
  if (bytes == 0 || to == nullptr) return text.size();
  const std::size_t most = blanks ? bytes : bytes - 1;
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(to, text.data(), length);
  if (blanks) std::memset(to + length, ' ', bytes - length);
  else to[length] = 0;
  return text.size();
}

std::string_view without_blanks(const char* text, std::size_t bytes) {
  while (bytes > 0 && text[bytes - 1] == ' ') --bytes;
  return {text, bytes};
}

template <class Number>
void copy_processors(int place, Number* to) {
  if (const auto* const found = place_of(place)) std::copy(found->begin(), found->end(), to);
}
template <class Number>
void number_places(Number* to) {
  const stretch own = own_places();
  std::iota(to, to + own.count, static_cast<Number>(own.first));
}

}  // namespace

bool is_affinity_format(std::string_view text) {
  return read_format(text, [](char) { return true; }, [](const wanted_field& wanted) { return wanted.is != nullptr; });
}

void display_affinity(std::string_view format) { std::fprintf(stderr, "%s\n", expanded(format).c_str()); }

// With the rest of what is said of places.
void os_thread::show_affinity(const member& self) {
  if (self.in.size == 1) return;  // as gcc's library: calls of regions inside of regions say nothing
  std::uint64_t& shown = shown_[self.in.level % std::size(shown_)];
  const std::uint64_t now = std::uint64_t{self.in.level} << 48 | std::uint64_t{self.in.size} << 32 |
                            std::uint64_t{self.id} << 16 | static_cast<std::uint16_t>(place_);
  if (now == shown) return;
  shown = now;
  display_affinity({});
}

TEFF_ENTRY int omp_get_proc_bind() { return current_icvs().bind; }
TEFF_ENTRY int omp_get_num_places() { return static_cast<int>(process().places.size()); }
TEFF_ENTRY int omp_get_place_num_procs(int place) {
  const auto* const found = place_of(place);
  return found != nullptr ? static_cast<int>(found->size()) : 0;
}
TEFF_ENTRY void omp_get_place_proc_ids(int place, int* ids) { copy_processors(place, ids); }
/// A thread that is bound to nothing is asked without becoming a member.
TEFF_ENTRY int omp_get_place_num() {
  if (known_self() == nullptr && process().places.empty()) return -1;
  return self().thread->place();
}
TEFF_ENTRY int omp_get_partition_num_places() { return static_cast<int>(own_places().count); }
TEFF_ENTRY void omp_get_partition_place_nums(int* numbers) { number_places(numbers); }

TEFF_ENTRY void omp_set_affinity_format(const char* format) { set_format(format); }
TEFF_ENTRY std::size_t omp_get_affinity_format(char* to, std::size_t bytes) {
  return copy_out(process().affinity_format, to, bytes, false);
}
TEFF_ENTRY void omp_display_affinity(const char* format) { display_affinity(format != nullptr ? format : ""); }
TEFF_ENTRY std::size_t omp_capture_affinity(char* to, std::size_t bytes, const char* format) {
  return copy_out(expanded(format != nullptr ? format : ""), to, bytes, false);
}

// Fortran's texts have no end but their length, which follows the other arguments.
TEFF_ENTRY void omp_set_affinity_format_(const char* format, std::size_t length) { set_format(without_blanks(format, length)); }
TEFF_ENTRY int omp_get_affinity_format_(char* to, std::size_t bytes) {
  return static_cast<int>(copy_out(process().affinity_format, to, bytes, true));
}
TEFF_ENTRY void omp_display_affinity_(const char* format, std::size_t length) {
  display_affinity(without_blanks(format, length));
}
TEFF_ENTRY int omp_capture_affinity_(char* to, const char* format, std::size_t bytes, std::size_t length) {
  return static_cast<int>(copy_out(expanded(without_blanks(format, length)), to, bytes, true));
}

TEFF_ENTRY narrow omp_get_place_num_procs_(const narrow* place) { return omp_get_place_num_procs(*place); }
TEFF_ENTRY narrow omp_get_place_num_procs_8_(const wide* place) { return omp_get_place_num_procs(cut(*place)); }
TEFF_ENTRY void omp_get_place_proc_ids_(const narrow* place, narrow* ids) { copy_processors(*place, ids); }
TEFF_ENTRY void omp_get_place_proc_ids_8_(const wide* place, wide* ids) { copy_processors(cut(*place), ids); }
TEFF_ENTRY void omp_get_partition_place_nums_(narrow* numbers) { number_places(numbers); }
TEFF_ENTRY void omp_get_partition_place_nums_8_(wide* numbers) { number_places(numbers); }

TEFF_FORTRAN(omp_get_proc_bind);
TEFF_FORTRAN(omp_get_num_places);
TEFF_FORTRAN(omp_get_place_num);
TEFF_FORTRAN(omp_get_partition_num_places);

}  // namespace TEFF_NAMESPACE::openmp
