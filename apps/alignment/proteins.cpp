// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/alignment/proteins.h"

#include "apps/input_file.h"
#include "apps/random_stream.h"

#include <algorithm>
#include <array>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::size_t letter_count = amino_acids.size();
constexpr std::size_t certain_letters = 20;

/// BLOSUM62, below and on the diagonal, in the order of amino_acids.
constexpr std::int8_t lower_half[] = {
    4,                                                                                           // A
    -1, 5,                                                                                       // R
    -2, 0,  6,                                                                                   // N
    -2, -2, 1,  6,                                                                               // D
    0,  -3, -3, -3, 9,                                                                           // C
    -1, 1,  0,  0,  -3, 5,                                                                       // Q
    -1, 0,  0,  2,  -4, 2,  5,                                                                   // E
    0,  -2, 0,  -1, -3, -2, -2, 6,                                                               // G
    -2, 0,  1,  -1, -3, 0,  0,  -2, 8,                                                           // H
    -1, -3, -3, -3, -1, -3, -3, -4, -3, 4,                                                       // I
    -1, -2, -3, -4, -1, -2, -3, -4, -3, 2,  4,                                                   // L
    -1, 2,  0,  -1, -3, 1,  1,  -2, -1, -3, -2, 5,                                               // K
    -1, -1, -2, -3, -1, 0,  -2, -3, -2, 1,  2,  -1, 5,                                           // M
    -2, -3, -3, -3, -2, -3, -3, -3, -1, 0,  0,  -3, 0,  6,                                       // F
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7,                                   // P
    1,  -1, 1,  0,  -1, 0,  0,  0,  -1, -2, -2, 0,  -1, -2, -1, 4,                               // S
    0,  -1, 0,  -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1,  5,                           // T
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1,  -4, -3, -2, 11,                      // W
    -2, -2, -2, -3, -2, -1, -2, -3, 2,  -1, -1, -2, -1, 3,  -3, -2, -2, 2,  7,                   // Y
    0,  -3, -3, -3, -1, -2, -2, -3, -3, 3,  1,  -2, 1,  -1, -2, -2, 0,  -3, -1, 4,               // V
    -2, -1, 3,  4,  -3, 0,  1,  -1, 0,  -3, -4, 0,  -3, -3, -2, 0,  -1, -4, -3, -3, 4,           // B
    -1, 0,  0,  1,  -3, 3,  4,  -2, 0,  -3, -3, 1,  -1, -3, -1, 0,  -1, -3, -2, -2, 1,  4,       // Z
    0,  -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, 0,  0,  -2, -1, -1, -1, -1, -1,  // X
};
static_assert(std::size(lower_half) == letter_count * (letter_count + 1) / 2);

/// How many of a thousand letters are which, about (Robinson & Robinson 1991).
constexpr std::uint16_t frequency[certain_letters] = {78, 51, 45, 54, 19, 43, 63, 74, 22, 51,
                                                      90, 57, 22, 39, 52, 71, 58, 13, 32, 66};

std::uint8_t made_letter(random_stream& from) {
  auto rest = from.below(1000);
  std::uint8_t letter = 0;
  while (letter + 1u < certain_letters && rest >= frequency[letter]) rest -= frequency[letter++];
  return letter;
}

protein resembling(const protein& other, std::uint32_t percent_changed, random_stream& from) {
  protein made;
  for (const std::uint8_t letter : other) {
    const auto drawn = from.below(100);
    if (drawn >= percent_changed) made.push_back(letter);
    else if (drawn % 8 != 0) made.push_back(made_letter(from));
    else if (drawn % 16 == 0) made.insert(made.end(), {letter, made_letter(from)});
  }
  return made;
}

std::string cut_off_after(std::string_view text, std::size_t header) {
  const std::size_t end = std::min(text.find('\n', header), text.size());
  return place_of(text, header) + ": no sequence follows '" + shown(text.substr(header, end - header)) +
         "': the file is cut off, or that line is too much";
}

}  // namespace

int substitution_score(std::uint8_t one, std::uint8_t other) {
  const std::size_t low = std::min(one, other), high = std::max(one, other);
  return lower_half[high * (high + 1) / 2 + low];
}

std::string parse_fasta(std::string_view text, std::vector<protein>& sequences) {
  std::size_t header = std::string_view::npos;  // of the sequence that is read
  for (std::size_t next = 0; next < text.size(); ++next) {
    const char c = text[next];
    const bool begins_line = next == 0 || text[next - 1] == '\n';
    if (is_space(c)) continue;
    if (begins_line && c == '>') {
      if (header != std::string_view::npos && sequences.back().empty()) return cut_off_after(text, header);
      if (sequences.size() == sequences_at_most)
        return place_of(text, next) + ": it has more than " + std::to_string(sequences_at_most) + " sequences; allowed: 2 ... " +
               std::to_string(sequences_at_most);
      header = next;
      sequences.emplace_back();
      next = std::min(text.find('\n', next), text.size());
      continue;
    }
    if (header == std::string_view::npos)
      return place_of(text, next) + ": '" + shown(text.substr(next, 1)) + "' stands before the first line that begins with '>'";
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const std::size_t letter = amino_acids.find(upper);
    if (letter == std::string_view::npos)
      return place_of(text, next) + ": '" + shown(text.substr(next, 1)) +
             "' is none of the letters that BLOSUM62 scores; allowed: " + std::string(amino_acids) + ", in upper or lower case";
    if (sequences.back().size() == letters_at_most)
      return place_of(text, next) + ": sequence " + std::to_string(sequences.size()) + " has more than " +
             std::to_string(letters_at_most) + " letters; allowed: 1 ... " + std::to_string(letters_at_most);
    sequences.back().push_back(static_cast<std::uint8_t>(letter));
  }
  if (header == std::string_view::npos)
    return "it is empty; allowed: FASTA, lines that begin with '>', each with a sequence below it";
  if (sequences.back().empty()) return cut_off_after(text, header);
  return {};
}

std::vector<protein> make_proteins(std::size_t count, std::size_t length, std::uint64_t seed) {
  random_stream from(seed);
  std::vector<protein> made;
  while (made.size() < count) {
    if (made.size() % 2 == 1) {
      const protein& other = made[from.below(static_cast<std::uint32_t>(made.size()))];
      protein next = resembling(other, 10 + from.below(60), from);
      if (!next.empty()) made.push_back(std::move(next));
      continue;
    }
    protein next(length - length / 2 + from.below(static_cast<std::uint32_t>(length / 2 * 2 + 1)));
    std::generate(next.begin(), next.end(), [&] { return made_letter(from); });
    made.push_back(std::move(next));
  }
  return made;
}

}  // namespace TEFF_NAMESPACE::apps
