#include "solve/native/array_expander.h"

#include <algorithm>
#include <map>

#include "term/substitution.h"

namespace plumb::solve {

using term::Op;
using term::Term;

Term ArrayExpander::apply(Term root) {
  term::post_order(store_, std::span(&root, 1), seen_, [&](Term t) {
    const bool is_read = store_.op(t) == Op::Select;
    const Term result =
        is_read ? expand(done_.at(store_.child(t, 0)), done_.at(store_.child(t, 1))) : term::rebuild(store_, t, done_);
    done_[t] = result;
  });
  return done_.at(root);
}

Term ArrayExpander::expand(Term array, Term index) {
  std::vector<Read> work{{array, index}};
  while (!work.empty()) {
    const Read read = work.back();
    if (reads_.contains(read)) {
      work.pop_back();
      continue;
    }
    const Term value = ++steps_ > kLimit ? store_.select(read.first, read.second) : step(read, work);
    if (!value) continue;
    reads_.emplace(read, value);
    work.pop_back();
  }
  return reads_.at({array, index});
}

Term ArrayExpander::step(Read read, std::vector<Read>& work) {
  const auto [array, index] = read;
  const auto known = [&](Term a) {
    const auto it = reads_.find({a, index});
    if (it != reads_.end()) return it->second;
    work.emplace_back(a, index);
    return Term{};
  };
  switch (store_.op(array)) {
    case Op::Ite: {
      const Term a = known(store_.child(array, 1));
      const Term b = known(store_.child(array, 2));
      return a && b ? store_.ite(store_.child(array, 0), a, b) : Term{};
    }
    case Op::Store: {
      Term below = array;
      const std::vector<Entry> entries = table_on_top(below);
      if (entries.size() >= kTableRun && !store_.is_constant(index)) {
        steps_ += entries.size();
        const Term otherwise = known(below);
        return otherwise ? table(entries, index, store_.width(index), otherwise) : Term{};
      }
      if (store_.child(array, 1) == index) return store_.child(array, 2);
      const Term rest = known(store_.child(array, 0));
      return rest ? store_.ite(store_.eq(store_.child(array, 1), index), store_.child(array, 2), rest) : Term{};
    }
    default:
      return store_.select(array, index);
  }
}

std::vector<ArrayExpander::Entry> ArrayExpander::table_on_top(Term& array) const {
  std::map<BitVector, Term> newest;
  while (store_.op(array) == Op::Store && store_.is_constant(store_.child(array, 1))) {
    newest.emplace(store_.value(store_.child(array, 1)), store_.child(array, 2));
    array = store_.child(array, 0);
  }
  std::vector<Entry> entries;
  entries.reserve(newest.size());
  for (const auto& [index, element] : newest) entries.push_back({index, element});
  return entries;
}

Term ArrayExpander::table(std::span<const Entry> entries, Term index, std::uint32_t bits, Term otherwise) {
  // Sorted entries agree on all bits above the first in which the least and the greatest differ.
  const BitVector& least = entries.front().index;
  std::uint32_t split = bits;
  while (split > 0 && least.bit(split - 1) == entries.back().index.bit(split - 1)) --split;
  Term inner = entries.front().element;
  if (split > 0) {
    const auto middle =
        std::partition_point(entries.begin(), entries.end(), [&](const Entry& e) { return !e.index.bit(split - 1); });
    const auto low = static_cast<std::size_t>(middle - entries.begin());
    inner = store_.ite(store_.bit(index, split - 1), table(entries.subspan(low), index, split - 1, otherwise),
                       table(entries.first(low), index, split - 1, otherwise));
  }
  if (split == bits) return inner;
  const Term prefix = store_.extract(index, bits - 1, split);
  return store_.ite(store_.eq(prefix, store_.constant(least.extract(bits - 1, split))), inner, otherwise);
}

}  // namespace plumb::solve
