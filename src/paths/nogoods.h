#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "paths/domains.h"

namespace plumb::paths {

/// Choices that were learnt not to hold together. A nogood all but one of whose literals hold implies that the last one
/// does not; two literals of each are watched for that. Not thread-safe.
class Nogoods {
 public:
  using Id = std::uint32_t;

  /// Needs at least two literals. The first two are watched: those that were set last.
  Id add(std::span<const Literal> literals);
  std::span<const Literal> literals(Id id) const {
    return std::span(literals_).subspan(starts_[id], starts_[id + 1] - starts_[id]);
  }
  std::size_t count() const noexcept { return starts_.size() - 1; }

  /// A literal has come to hold. Sets what follows in `domains`; gives a nogood all literals of which hold, if there is
  /// one, otherwise kNone.
  Id on_set(Literal literal, Domains& domains);
  static constexpr Id kNone = ~Id{0};

 private:
  static std::uint64_t key(Literal a) { return std::uint64_t{a.cell} * 2 + (a.value ? 1 : 0); }
  /// Watches another literal that does not hold instead of the second one, if there is one.
  bool moves_watch(Id id, const Domains& domains);

  std::vector<Literal> literals_;
  std::vector<std::size_t> starts_{0};
  absl::flat_hash_map<std::uint64_t, std::vector<Id>> watches_;
};

}  // namespace plumb::paths
