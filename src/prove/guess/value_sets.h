#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "term/term_store.h"

namespace plumb::prove {

using term::Term;

/// The values that some words were seen to have together, as long as these are few.
class ValueSet {
 public:
  ValueSet(std::vector<Term> words, std::size_t most) : words_(std::move(words)), most_(most) {}

  const std::vector<Term>& words() const noexcept { return words_; }
  /// By word.
  void add(std::vector<std::uint64_t> values);
  /// Too many values to say anything.
  bool is_lost() const noexcept { return is_lost_; }
  void give_up() noexcept { is_lost_ = true; }
  /// The words have one of these values together, as a tree of choices word by word.
  Term term(term::TermStore& store) const;

 private:
  using Values = std::set<std::vector<std::uint64_t>>;
  Term among(term::TermStore& store, Values::const_iterator first, Values::const_iterator last, std::size_t word) const;

  std::vector<Term> words_;
  std::size_t most_;
  Values values_;
  bool is_lost_ = false;
};

}  // namespace plumb::prove
