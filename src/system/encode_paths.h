#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "system/system.h"

namespace plumb::system {

/// The conditions under which the statements of a block are reached: a tree, with a condition at each node that holds
/// in addition to those above it. Where control comes together again, the branches are led up to where they parted, so
/// that behind an if the condition is again that before it, and values are chosen by the condition of the if alone.
class PathTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  /// Terms are of `store`, which must outlive the tree, as `budget` must.
  PathTree(TermStore& store, const Budget& budget);

  /// Forgets all nodes but the root.
  void clear();
  Node add(Node parent, Term condition);
  /// All conditions from the root to the node.
  Term condition(Node node);

  /// Values by position, as they are on one way to a place. A null term is a value that does not matter.
  struct Way {
    Node node = kRoot;
    std::vector<Term> values;
  };
  /// The ways to one place as one way. No two of them may be gone at once. `matters` says, if given, for which
  /// positions values are needed; others become null. Throws OutOfBudget.
  Way merge(std::vector<Way> ways, const std::vector<bool>* matters = nullptr);

 private:
  struct Entry {
    Node parent;
    std::uint32_t depth;
    Term condition;
    Term all;  ///< with those above it; null until asked for
  };
  /// A way that has been led up to a node, under a condition there.
  struct Raised {
    Node node;
    Term condition;
    std::vector<Term> values;
  };

  bool is_deeper(const Raised& a, const Raised& b) const;
  void join(Raised& to, const Raised& from, const std::vector<bool>* matters);

  TermStore& store_;
  const Budget& budget_;
  std::vector<Entry> entries_;
};

}  // namespace plumb::system
