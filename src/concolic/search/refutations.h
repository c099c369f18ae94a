#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <span>
#include <vector>

#include "term/term_store.h"

namespace plumb::concolic {

/// Sets of conditions that cannot hold together, as the solver found them. Most ways that cannot be taken are so for
/// the same few reasons on every path, so most questions about them need no solver. Every set has the condition that
/// was asked for: those before it hold on a run. Terms of one store; not thread-safe.
class Refutations {
 public:
  /// All of `core` cannot hold together. Without effect if `asked` is not in it.
  void add(std::span<const term::Term> core, term::Term asked);
  /// A set that was added is a part of the query, which asks for `asked`.
  bool refute(std::span<const term::Term> query, term::Term asked);
  void clear();

 private:
  struct Core {
    std::vector<term::Term> others;  ///< besides what was asked for
  };

  absl::flat_hash_map<term::Term, std::vector<Core>> cores_;  ///< by what was asked for
  absl::flat_hash_set<term::Term> members_;                   ///< room for refute()
};

}  // namespace plumb::concolic
