#include "prove/guess/value_sets.h"

namespace plumb::prove {

void ValueSet::add(std::vector<std::uint64_t> values) {
  if (is_lost_) return;
  values_.insert(std::move(values));
  is_lost_ = values_.size() > most_;
}

/// The recursion is as deep as there are words, which are few.
Term ValueSet::among(term::TermStore& store, Values::const_iterator first, Values::const_iterator last,
                     std::size_t word) const {
  if (word == words_.size()) return store.boolean(true);
  std::vector<Term> choices;
  while (first != last) {
    auto end = first;
    while (end != last && (*end)[word] == (*first)[word]) ++end;
    const Term is = store.eq(words_[word], store.constant(store.width(words_[word]), (*first)[word]));
    choices.push_back(store.bit_and(is, among(store, first, end, word + 1)));
    first = end;
  }
  return store.any_of(choices);
}

Term ValueSet::term(term::TermStore& store) const {
  return is_lost_ ? store.boolean(true) : among(store, values_.begin(), values_.end(), 0);
}

}  // namespace plumb::prove
