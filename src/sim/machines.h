// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machines that are described for the simulator: those that are embedded in the program (machines/*.toml), and files of the
/// user's in the same form. docs/howto/describe-a-machine.md lists every key.
///
/// Idea: a number stands beside where it is from, so that none is in a file of which nobody knows whether it was published,
/// fitted or guessed. Numbers have names under which they are listed and changed: the key of the file; of a level `socket`
/// `socket_size`, `same_socket_transfer` and `same_socket_memory`, of the last one, which is the whole machine, `remote_transfer`
/// and `remote_memory`.
/// Errors: a sentence is returned; empty means that nothing was wrong.
#pragma once

#include "sim/machine_description.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// A machine with what people want to know of it.
struct described_machine {
  std::string name;   ///< of an embedded one, or the file as the user named it
  std::string title;  ///< what it is, in one line
  machine_description costs;
  std::vector<std::string> level_names;        ///< from near to far
  std::map<std::string, std::string> sources;  ///< by the names of the numbers
};

/// One number of a machine, as lists show it.
struct machine_number {
  std::string name, value, what, source;
  double least = 0, most = 0;  ///< what it may be; of the size of a level, see set_number
};

/// A file of machines/.
struct embedded_machine {
  const char* name;
  const char* text;
};

/// Returns: all of them; the first is `generic`.
std::span<const embedded_machine> embedded_machines();

/// The name of the machine at hand, which is described by a file of the user's that `teff calibrate` writes.
inline constexpr const char* name_of_this = "this";

/// Returns: that file: teff/this.toml in $XDG_CONFIG_HOME, or else in ~/.config; nothing if neither is known.
std::string file_of_this();

/// Returns: the machine that is meant if none is named.
const described_machine& generic_machine();

/// Returns: whether a word is meant as a file: it ends in ".toml" or has a '/' before any '='.
bool is_machine_file(std::string_view word);

/// Effect: `into` becomes the embedded machine of that name, the one at hand, or the one that the file describes.
std::string choose_machine(const std::string& name_or_file, described_machine& into);

/// Effect: `into` becomes what the text describes. `file` is how sentences call it; it is the machine's name, too.
std::string read_machine(std::string_view text, const std::string& file, described_machine& into);

/// Returns: the machine as a file from which read_machine makes the same machine, but for its name.
std::string machine_text(const described_machine& machine);

/// Returns: the name of the number that says what a line costs at this level.
std::string transfer_name(const described_machine& of, unsigned level);

/// Returns: the name of the number that says what a line from the memory of a place of this level costs.
std::string memory_name(const described_machine& of, unsigned level);

/// Returns: the shortest decimal number that is read as this value; a whole one has no point and no exponent.
std::string text_of_number(double value);

std::vector<machine_number> numbers_of(const described_machine& machine);
/// Returns: name, width and transfer of each level, from near to far, as "socket 8: 100, board 32: 300".
std::string levels_of(const described_machine& machine);

/// Effect: changes one of numbers_of(), or `access_jitter`, which no file has.
std::string set_number(described_machine& machine, const std::string& name, const std::string& value);

/// Returns: the machine with its processors in so many domains of so many each instead: two levels, the costs of which are those
/// of the processors that shared a cache, and of the farthest. Each domain has as much cache as one had before.
machine_description in_domains_of(const machine_description& machine, unsigned processors_each);

}  // namespace TEFF_NAMESPACE::sim
