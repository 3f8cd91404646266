// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/floorplan/floor.h"

#include "apps/random_stream.h"

#include <algorithm>

namespace TEFF_NAMESPACE::apps {

std::vector<floor_cell> make_cells(std::size_t count, std::uint64_t seed) {
  random_stream from(seed);
  std::vector<floor_cell> made(count);
  for (std::uint32_t number = 0; number < count; ++number) {
    const auto length = [&] { return static_cast<std::uint16_t>(1 + from.below(8)); };
    const cell_shape shape{length(), length()};
    made[number].shapes.push_back(shape);
    if (shape.width != shape.height) made[number].shapes.push_back({shape.height, shape.width});
    if (number == 0) continue;
    made[number].beside = {number - 1, from.below(number)};
  }
  return made;
}

std::optional<floor_plan> floor_plan::with(const floor_cell& cell, const cell_shape& shape, std::size_t place) const {
  rectangle own{0, 0, shape.width, shape.height};
  if (cells_ != 0) {
    const rectangle& other = taken_[cell.beside[place / 2]];
    own.left = place % 2 == 0 ? other.right : other.left;
    own.top = place % 2 == 0 ? other.top : other.bottom;
    own.right = static_cast<std::uint16_t>(own.left + shape.width);
    own.bottom = static_cast<std::uint16_t>(own.top + shape.height);
  }
  for (std::size_t i = 0; i < cells_; ++i) {
    const rectangle& each = taken_[i];
    if (own.left < each.right && each.left < own.right && own.top < each.bottom && each.top < own.bottom) return std::nullopt;
  }
  floor_plan more = *this;
  more.taken_[more.cells_++] = own;
  more.width_ = std::max(width_, own.right);
  more.height_ = std::max(height_, own.bottom);
  return more;
}

}  // namespace TEFF_NAMESPACE::apps
