// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/circles.h"

namespace TEFF_NAMESPACE::fibers {

namespace {

constexpr std::size_t not_on_path = ~std::size_t{0};

struct step {
  std::size_t at;
  std::vector<std::size_t> needed;
};

}  // namespace

std::vector<std::vector<std::size_t>> find_circles(std::size_t count,
                                                   const std::function<std::vector<std::size_t>(std::size_t)>& needed_by,
                                                   std::size_t at_most) {
  std::vector<unsigned char> visited(count);
  std::vector<std::size_t> depth(count, not_on_path);  // `not_on_path`, too: in a circle that was found
  std::vector<std::vector<std::size_t>> circles;
  for (std::size_t root = count; root-- > 0 && circles.size() < at_most;) {
    std::vector<step> path;
    const auto enter = [&](std::size_t at) {
      if (visited[at]) return;
      visited[at] = 1;
      depth[at] = path.size();
      path.push_back({at, needed_by(at)});
    };
    for (enter(root); !path.empty();) {
      step& last = path.back();
      if (last.needed.empty()) {
        depth[last.at] = not_on_path;
        path.pop_back();
        continue;
      }
      const std::size_t next = last.needed.back();
      last.needed.pop_back();
      if (depth[next] == not_on_path) {
        enter(next);
        continue;
      }
      auto& circle = circles.emplace_back();
      for (std::size_t at = depth[next]; at < path.size(); ++at) {
        circle.push_back(path[at].at);
        depth[path[at].at] = not_on_path;
        path[at].needed.clear();
      }
    }
  }
  return circles;
}

}  // namespace TEFF_NAMESPACE::fibers
