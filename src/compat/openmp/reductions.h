// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Copies of the variables of reductions that tasks take part in: README.md, *Reductions over tasks*.
#pragma once

#include "platform/platform.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace TEFF_NAMESPACE::openmp {

struct member;

/// What gcc writes of the variables of one construct, and reads when it combines their copies: words of the program's, one array
/// for all members, or one for each. It writes them anew for each construct: so the library may put into word 2 where the copies
/// are, once it has read the alignment.
///
/// | word       | by gcc                                              | by the library                                    |
/// |------------|-----------------------------------------------------|---------------------------------------------------|
/// | 0          | how many variables                                  |                                                   |
/// | 1          | bytes of one member's copies                        |                                                   |
/// | 2          | their alignment                                     | from then on where the copies are, by member      |
/// | 3          |                                                     | where the memory comes from                       |
/// | 4          |                                                     | the group's other words, registered before        |
/// | 6          |                                                     | the end of the copies                             |
/// | 7 + 3 i    | where the variable number i is                      |                                                   |
/// | 8 + 3 i    | where in a member's copies its copy is              |                                                   |
struct reduction_words {
  enum : unsigned { count = 0, stride = 1, alignment = 2, copies = 2, source = 3, others = 4, end = 6 };
  static constexpr unsigned variable(std::uintptr_t number) { return 7 + 3 * static_cast<unsigned>(number); }
  static constexpr unsigned length(std::uintptr_t variables) { return variable(variables); }
};

/// Effect: makes copies for so many members, of zeros, which gcc takes for "not begun". Errors: ends the program if there is no
/// memory.
void make_copies(member& current, std::uintptr_t* words, unsigned members);
/// Effect: the innermost taskgroup, which is the running node, has these variables, too, and copies of them.
void begin_reductions(member& current, std::uintptr_t* words);
/// Effect: says of words, if there are some, that there are no copies, as nobody takes part. gcc looks at it behind a taskloop.
inline void have_no_copies(std::uintptr_t* words) {
  if (words != nullptr) words[reduction_words::copies] = 0;
}
/// Effect: gives them back. Pre: the groups that have them are over. Threads: who has made them.
void drop_copies(member& current, const std::uintptr_t* words);

/// Copies that the members of a team share in a worksharing construct. Ownership: of all that use them: the construct's
/// workshare, as long as members may come to it, and the taskgroup of each member from then on until that ends. Behind the head
/// are words as above, which all these groups have: the program's own may be gone when a member has left a cancelled region from
/// inside. Behind them are the copies.
struct alignas(std::uintptr_t) shared_copies {
  platform::atomic<std::uint32_t> users;  ///< [left] acq_rel: the last one comes behind all that the others did with the copies

  std::uintptr_t* words() { return reinterpret_cast<std::uintptr_t*>(this + 1); }
  /// Returns: copies for each of so many members, with one user. Errors: ends the program if there is no memory.
  static shared_copies* make(const std::uintptr_t* words, unsigned members);
  void leave();

  struct leaver {
    void operator()(shared_copies* all) const { all->leave(); }
  };
  using handle = std::unique_ptr<shared_copies, leaver>;
};
/// Effect: a taskgroup begins in the running task, which has the copies of the workshare that the member is at.
void join_reductions(member& current, std::uintptr_t* words);

/// Returns: whether the running task may take part in a reduction.
bool is_in_reduction(const member& current);
/// Effect: each of the addresses, of a variable of a reduction or of a copy of it, becomes that of the calling member's copy;
/// behind them all are put those of the variables themselves, of the first `originals`. The innermost taskgroup that has the
/// variable counts. Errors: ends the program if none has it.
void find_copies(const member& current, std::size_t count, std::size_t originals, void** addresses);

}  // namespace TEFF_NAMESPACE::openmp
