#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "paths/domains.h"

namespace plumb::paths {

/// What was learnt not to hold together: bounds of cells, most of which are Booleans. A nogood all but one of whose
/// literals hold implies that the last one does not; two literals of each are watched for that. Not thread-safe.
class Nogoods {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = ~Id{0};

  /// The first two literals are watched: those that came to hold last.
  Id add(std::span<const Literal> literals);
  std::span<const Literal> literals(Id id) const {
    return std::span(literals_).subspan(starts_[id], starts_[id + 1] - starts_[id]);
  }
  std::size_t count() const noexcept { return starts_.size() - 1; }

  /// A cell's domain has changed. Narrows what follows in `domains`; false if some domain would be empty, as
  /// Domains::conflict() says then.
  bool on_change(Cell c, const Range& before, Domains& domains);

 private:
  struct Watch {
    Id id = 0;
    Literal literal;
  };
  static std::uint64_t key(Cell c, Bounds bound) { return std::uint64_t{c} * 16 + bound; }
  /// Watches another literal that does not hold instead of the second one, if there is one.
  bool moves_watch(Id id, const Domains& domains);
  bool on_bound(Cell c, Bounds bound, Domains& domains);

  std::vector<Literal> literals_;
  std::vector<std::size_t> starts_{0};
  absl::flat_hash_map<std::uint64_t, std::vector<Watch>> watches_;
};

}  // namespace plumb::paths
