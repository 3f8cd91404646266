// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequences of amino acids: from a file in FASTA format, or made.
#pragma once

#include "apps/declared_memory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// The letters that a sequence may have: the twenty amino acids, then B (D or N), Z (E or Q) and X (any).
inline constexpr std::string_view amino_acids = "ARNDCQEGHILKMFPSTWYVBZX";

/// Bounds of a file: of n sequences there are n² results of 32 bytes at most, and a pair takes as long as its lengths' product.
inline constexpr std::size_t sequences_at_most = 2'000, letters_at_most = 100'000;

/// Each letter as its place in amino_acids.
using protein = declared_vector<std::uint8_t>;

/// Returns: what it counts that one letter stands beside the other: BLOSUM62 (Henikoff & Henikoff 1992).
int substitution_score(std::uint8_t one, std::uint8_t other);

/// Effect: appends the sequences of a FASTA text. Returns: an empty text, or a sentence without the file's name.
std::string parse_fasta(std::string_view text, std::vector<protein>& sequences);

/// Returns: so many sequences, the same for the same seed. Half of them resemble an earlier one, with letters exchanged, left out
/// and put in; lengths differ from the given one by up to a half.
std::vector<protein> make_proteins(std::size_t count, std::size_t length, std::uint64_t seed);

}  // namespace TEFF_NAMESPACE::apps
