// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cells, and a floor on which the first of them stand.
#pragma once

#include "base/namespace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr std::size_t cells_at_most = 20;

struct cell_shape {
  std::uint16_t width, height;
};

/// A cell that may have one of some shapes. It stands to the right of one of two earlier cells, their upper edges in a line, or
/// below one of them, their left edges in a line.
struct floor_cell {
  std::vector<cell_shape> shapes;
  std::array<std::uint32_t, 2> beside;
};

/// Returns: so many cells, the same for the same seed.
std::vector<floor_cell> make_cells(std::size_t count, std::uint64_t seed);

/// The first cells where they stand.
class floor_plan {
 public:
  std::size_t cells() const { return cells_; }
  std::uint32_t area() const { return std::uint32_t{width_} * height_; }
  /// Returns: the floor with one more cell; nothing if it would stand on another one. `place` is one of places_of(cells()).
  std::optional<floor_plan> with(const floor_cell& cell, const cell_shape& shape, std::size_t place) const;

 private:
  struct rectangle {
    std::uint16_t left, top, right, bottom;  ///< the last two excluded
  };

  std::array<rectangle, cells_at_most> taken_{};
  std::uint8_t cells_ = 0;
  std::uint16_t width_ = 0, height_ = 0;
};

/// Returns: in how many places that cell may stand: the first one in the corner.
inline std::size_t places_of(std::size_t number) { return number == 0 ? 1 : 4; }

}  // namespace TEFF_NAMESPACE::apps
