#include "concolic/search/search_tree.h"

#include <algorithm>

namespace plumb::concolic {

namespace {

/// Work after which what was before counts half: some hundred runs.
constexpr double kHalf = 4000;
constexpr double kLeast = 0.25;

}  // namespace

void Shares::spend(TreeId tree, std::uint64_t cost) {
  Side& side = sides_[static_cast<std::size_t>(tree)];
  side.lately += static_cast<double>(cost);
  const double share = share_of_paths();
  ahead_ += tree == TreeId::Paths ? (1 - share) * static_cast<double>(cost) : -share * static_cast<double>(cost);
  if (sides_[0].lately + sides_[1].lately < kHalf) return;
  for (Side& each : sides_) {
    each.lately /= 2;
    each.gain /= 2;
  }
}

void Shares::ran(TreeId tree, std::uint64_t new_edges) {
  sides_[static_cast<std::size_t>(tree)].gain += static_cast<double>(new_edges);
  spend(tree, kRun);
}

double Shares::share_of_paths() const {
  // A little gain for nothing, so that sides that both find nothing have the same.
  const auto rate = [](const Side& side) { return (side.gain + 1) / (side.lately + 1000); };
  const double paths = rate(sides_[1]);
  return std::clamp(paths / (rate(sides_[0]) + paths), kLeast, 1 - kLeast);
}

bool Shares::is_turn_of_paths() const { return ahead_ < 0; }

void Shares::start() { *this = Shares(); }

}  // namespace plumb::concolic
