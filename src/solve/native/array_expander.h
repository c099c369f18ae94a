#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "term/term_store.h"
#include "term/traverse.h"

namespace plumb::solve {

/// Replaces reads of written arrays by choices among what was written: select(store(a, j, v), i) becomes ite(i = j, v,
/// select(a, i)), each pair of array and index once, and a run of writes at constant indices (a look-up table) becomes
/// a tree over the bits of the index. The result is equivalent. Expansion stops at a total of kLimit steps; reads that
/// are left stay as they are. Not recursive in the term.
class ArrayExpander {
 public:
  explicit ArrayExpander(term::TermStore& store) : store_(store) {}

  term::Term apply(term::Term t);
  std::uint64_t steps() const noexcept { return steps_; }

 private:
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << 17;
  /// Runs at least this long become a tree.
  static constexpr std::size_t kTableRun = 4;

  struct Entry {
    BitVector index;
    term::Term element;
  };
  using Read = std::pair<term::Term, term::Term>;

  term::Term expand(term::Term array, term::Term index);
  /// The value of one read if those it depends on are known; otherwise puts them on `work`.
  term::Term step(Read read, std::vector<Read>& work);
  /// The writes at constant indices on top of `array`, by index, the newest of each; moves `array` below them.
  std::vector<Entry> table_on_top(term::Term& array) const;
  term::Term table(std::span<const Entry> entries, term::Term index, std::uint32_t bits, term::Term otherwise);

  term::TermStore& store_;
  term::TermSet seen_;  ///< terms of earlier calls are not visited again
  term::TermMap<term::Term> done_;
  absl::flat_hash_map<Read, term::Term> reads_;
  std::uint64_t steps_ = 0;
};

}  // namespace plumb::solve
