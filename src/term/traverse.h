#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "term/term_store.h"

namespace plumb::term {

/// A map from terms to T, dense in the handle. clear() is O(1), so that one map serves thousands of small traversals.
template <typename T>
class TermMap {
 public:
  bool contains(Term t) const noexcept { return t.id < stamps_.size() && stamps_[t.id] == now_; }
  T* find(Term t) noexcept { return contains(t) ? &values_[t.id] : nullptr; }
  const T* find(Term t) const noexcept { return contains(t) ? &values_[t.id] : nullptr; }
  /// Needs contains(t).
  const T& at(Term t) const noexcept { return values_[t.id]; }
  T& operator[](Term t) {
    if (t.id >= stamps_.size()) grow(t.id);
    if (stamps_[t.id] != now_) {
      stamps_[t.id] = now_;
      values_[t.id] = T{};
    }
    return values_[t.id];
  }
  void erase(Term t) noexcept {
    if (contains(t)) stamps_[t.id] = 0;
  }
  void clear() noexcept {
    if (++now_ == 0) {
      stamps_.assign(stamps_.size(), 0);
      now_ = 1;
    }
  }

 private:
  void grow(std::uint32_t id) {
    const std::size_t size = std::max<std::size_t>(std::size_t{id} + 1, stamps_.size() * 2);
    stamps_.resize(size, 0);
    values_.resize(size);
  }
  std::vector<std::uint32_t> stamps_;
  std::vector<T> values_;
  std::uint32_t now_ = 1;
};

struct Unit {};
using TermSet = TermMap<Unit>;

/// Calls visit(term) once for each term below `roots` that is not yet in `seen`, operands before their users, and adds
/// it to `seen`. Uses no recursion. `visit` may make terms.
template <typename Visit>
void post_order(const TermStore& store, std::span<const Term> roots, TermSet& seen, Visit&& visit) {
  std::vector<std::pair<Term, bool>> stack;
  for (const Term root : roots) {
    stack.emplace_back(root, false);
    while (!stack.empty()) {
      const auto [t, expanded] = stack.back();
      if (expanded) {
        stack.pop_back();
        visit(t);
        continue;
      }
      if (seen.contains(t)) {
        stack.pop_back();
        continue;
      }
      seen[t] = {};
      stack.back().second = true;
      for (unsigned i = store.arity(t); i-- > 0;)
        if (!seen.contains(store.child(t, i))) stack.emplace_back(store.child(t, i), false);
    }
  }
}

/// The variables below `roots`, by handle. `seen` is room to work in; whoever asks often keeps it, since a new one
/// costs as much as the store is large.
std::vector<Term> support(const TermStore& store, std::span<const Term> roots, TermSet& seen);
inline std::vector<Term> support(const TermStore& store, std::span<const Term> roots) {
  TermSet seen;
  return support(store, roots, seen);
}
/// The number of different terms below `roots`.
std::size_t dag_size(const TermStore& store, std::span<const Term> roots);

}  // namespace plumb::term
