#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb::ltl {

using Id = std::uint32_t;

/// Formulas of linear temporal logic in negation normal form, hash-consed, over atoms that only their user knows:
/// states of a chain, of threads, of a circuit. Literals are numbered, 2i for the i-th atom and 2i + 1 for its
/// negation; a letter says of each whether it holds. Formulas are made simplified where constants and equal operands
/// allow it. An Id lives as long as its Formulas. Not thread-safe.
class Formulas {
 public:
  enum class Kind : std::uint8_t {
    False,
    True,
    Literal,
    And,
    Or,
    Next,
    Until,
    Release,
  };
  struct Node {
    Kind kind;
    std::uint32_t literal;
    Id a;
    Id b;
  };

  static constexpr Id kFalse = 0;
  static constexpr Id kTrue = 1;

  Formulas();
  Id literal(std::uint32_t number) { return intern({Kind::Literal, number, 0, 0}); }
  Id conjunction(Id a, Id b);
  Id disjunction(Id a, Id b);
  Id next(Id a);
  Id until(Id a, Id b);
  Id release(Id a, Id b);
  Id finally(Id a) { return until(kTrue, a); }
  Id globally(Id a) { return release(kFalse, a); }
  /// Holds of the words that `a` does not hold of. Of the size of `a`; each subformula is negated once.
  Id negation(Id a);

  const Node& operator[](Id id) const noexcept { return nodes_[id]; }
  /// Satisfied by finite prefixes if at all: without Release.
  bool is_co_safe(Id id) const;

 private:
  Id intern(const Node& node);
  Id dual(const Node& node, Id not_a, Id not_b);

  std::vector<Node> nodes_;
  absl::flat_hash_map<std::array<std::uint32_t, 4>, Id> table_;
  absl::flat_hash_map<Id, Id> negations_{{kFalse, kTrue}, {kTrue, kFalse}};
};

}  // namespace plumb::ltl
