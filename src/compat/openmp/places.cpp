// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OMP_PLACES (OpenMP 5.2, section 21.1.6).
#include "compat/openmp/environment.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/words.h"

#include <algorithm>
#include <charconv>

namespace TEFF_NAMESPACE::openmp {

namespace {

using place = std::vector<unsigned>;

/// Of a place, and their numbers; places.
constexpr long processors_at_most = 1 << 12;
/// Of all places together.
constexpr std::size_t named_at_most = std::size_t{1} << 16;

/// What is left of a text that is read from its front.
struct reader {
  std::string_view rest;

  bool take(char wanted) {
    rest = trimmed(rest);
    if (rest.empty() || rest.front() != wanted) return false;
    rest.remove_prefix(1);
    return true;
  }
  std::optional<long> number() {
    rest = trimmed(rest);
    long value = 0;
    const auto [stopped, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || value > processors_at_most || value < -processors_at_most) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(stopped - rest.data()));
    return value;
  }
};

/// What stands behind a first thing: how many there are, and how far apart.
struct row {
  long length = 1, stride = 1;
};
std::optional<row> read_row(reader& from) {
  row read;
  if (!from.take(':')) return read;
  const auto length = from.number();
  if (!length || *length < 1 || *length > processors_at_most) return std::nullopt;
  read.length = *length;
  if (!from.take(':')) return read;
  const auto stride = from.number();
  if (!stride) return std::nullopt;
  read.stride = *stride;
  return read;
}

/// A number; or {resource, …}: each a number, or a number:length:stride; ! before one leaves it out.
std::optional<place> read_place(reader& from) {
  place read;
  if (!from.take('{')) {
    const auto only = from.number();
    return only && *only >= 0 ? std::optional(place{static_cast<unsigned>(*only)}) : std::nullopt;
  }
  do {
    const bool without = from.take('!');
    const auto first = from.number();
    const auto more = first ? read_row(from) : std::nullopt;
    if (!more) return std::nullopt;
    for (long at = 0; at < more->length; ++at) {
      const long processor = *first + at * more->stride;
      if (processor < 0 || processor > processors_at_most) return std::nullopt;
      const std::size_t was_there = std::erase(read, static_cast<unsigned>(processor));
      if (without && was_there == 0) return std::nullopt;  // there is none to leave out
      if (!without) read.push_back(static_cast<unsigned>(processor));
    }
  } while (from.take(','));
  if (!from.take('}') || read.empty()) return std::nullopt;
  std::sort(read.begin(), read.end());
  return read;
}

/// Effect: leaves out what this process may not use, and places that are then empty. One sentence names the first of these.
std::vector<place> usable(const std::vector<place>& wanted) {
  std::vector<place> left;
  std::optional<unsigned> left_out;
  for (const place& each : wanted) {
    place here;
    for (const unsigned processor : each) {
      const auto& all = platform::machine().places;
      if (std::any_of(all.begin(), all.end(), [&](const auto& at) { return at.system_index == processor; }))
        here.push_back(processor);
      else if (!left_out) left_out = processor;
    }
    if (!here.empty()) left.push_back(here);
  }
  if (left_out)
    say("the variable OMP_PLACES names processor %u, which is not there, or which this process may not use; it is left out",
        *left_out);
  return left;
}

std::optional<std::vector<place>> read_list(reader from) {
  std::vector<place> places;
  std::size_t named = 0;
  do {
    const bool without = from.take('!');
    const auto first = read_place(from);
    const auto more = first ? read_row(from) : std::nullopt;
    if (!more) return std::nullopt;
    named += first->size() * static_cast<std::size_t>(more->length);
    if (named > named_at_most) return std::nullopt;
    for (long at = 0; at < more->length; ++at) {
      place moved;
      for (const unsigned processor : *first) {
        const long to = static_cast<long>(processor) + at * more->stride;
        if (to < 0 || to > processors_at_most) return std::nullopt;
        moved.push_back(static_cast<unsigned>(to));
      }
      if (!without) {
        places.push_back(moved);
        continue;
      }
      const auto found = std::find(places.begin(), places.end(), moved);
      if (found == places.end()) return std::nullopt;  // there is no such place to leave out
      places.erase(found);
    }
  } while (from.take(','));
  return trimmed(from.rest).empty() ? std::optional(places) : std::nullopt;
}

/// threads, cores, ll_caches, sockets, numa_domains; the last are taken for packages.
std::optional<std::vector<place>> read_name(std::string_view text) {
  std::string_view rest = text;
  const std::string_view name = trimmed(take_until(rest, '('));
  std::size_t most = ~std::size_t{0};
  if (text.find('(') != text.npos) {
    if (!rest.ends_with(')')) return std::nullopt;
    const auto number = parse_number(trimmed(rest.substr(0, rest.size() - 1)), 1, processors_at_most);
    if (!number) return std::nullopt;
    most = static_cast<std::size_t>(*number);
  }
  const auto level = value_named<platform::level>(name, {{"cores", platform::level::core},
                                                         {"ll_caches", platform::level::cache},
                                                         {"sockets", platform::level::package},
                                                         {"numa_domains", platform::level::package}});
  const bool of_threads = same(name, "threads");
  if (!level && !of_threads) return std::nullopt;
  std::vector<place> places(of_threads ? 0 : platform::machine().count(*level));
  for (const auto& each : platform::machine().places) {
    if (of_threads) places.emplace_back();
    (of_threads ? places.back() : places[each.part(*level)]).push_back(each.system_index);
  }
  if (places.size() > most) places.resize(most);
  return places;
}

}  // namespace

namespace {

/// Returns: of stretches as even as may be, one for each member, the number of the member's. The opener's is the one in which its
/// place lies.
unsigned stretch_of_member(unsigned number, unsigned members, unsigned first, unsigned places) {
  const std::uint64_t own = ((first + std::uint64_t{1}) * members - 1) / places;
  return static_cast<unsigned>((own + number) % members);
}

unsigned begin_of_stretch(std::uint64_t number, unsigned members, unsigned places) {
  return static_cast<unsigned>(number * places / members);
}

}  // namespace

unsigned place_of_member(std::uint8_t bind, unsigned number, unsigned members, unsigned first, unsigned places) {
  if (bind == bind_primary || number == 0) return first;
  if (members > places)  // neighbours share one
    return (first + static_cast<unsigned>(std::uint64_t{number} * places / members)) % places;
  if (bind != bind_spread) return (first + number) % places;
  return begin_of_stretch(stretch_of_member(number, members, first, places), members, places);
}

unsigned place_of_member(std::uint8_t bind, unsigned number, unsigned members, unsigned first, const stretch& of_opener) {
  return of_opener.first + place_of_member(bind, number, members, first - of_opener.first, of_opener.count);
}

stretch places_of_member(std::uint8_t bind, unsigned number, unsigned members, unsigned first, const stretch& of_opener) {
  if (bind != bind_spread) return of_opener;
  if (members > of_opener.count) return {place_of_member(bind, number, members, first, of_opener), 1};
  const unsigned own = stretch_of_member(number, members, first - of_opener.first, of_opener.count);
  const unsigned begin = begin_of_stretch(own, members, of_opener.count);
  return {of_opener.first + begin, begin_of_stretch(std::uint64_t{own} + 1, members, of_opener.count) - begin};
}

std::optional<std::vector<std::vector<unsigned>>> parse_places(std::string_view text) {
  text = trimmed(text);
  if (auto named = read_name(text)) return named;
  const auto listed = read_list({text});
  if (!listed) return std::nullopt;
  auto left = usable(*listed);
  return left.empty() ? std::nullopt : std::optional(left);
}

}  // namespace TEFF_NAMESPACE::openmp
