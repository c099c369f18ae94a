#pragma once

#include <absl/container/flat_hash_map.h>

#include <utility>
#include <vector>

#include "explore/store.h"

namespace plumb::explore {

/// Makes equal sets of valuations look alike, as far as that is cheap: a variable with one value is that value, what is
/// known of variables that no value has is dropped, and the others are numbered in the order in which they come.
class Canoniser {
 public:
  explicit Canoniser(TermStore& terms) : terms_(terms) {}

  /// Needs constraints that some assignment fulfils.
  Store::Data canonical(Store::Data data);
  /// Of the last one: variables, and those that stand for them now.
  const std::vector<std::pair<Term, Term>>& renamed() const noexcept { return renamed_; }

 private:
  void substitute_known(Store::Data& data);
  void drop_unused(Store::Data& data);
  void rename(Store::Data& data);
  std::vector<Term> variables_of(Term t);

  TermStore& terms_;
  absl::flat_hash_map<std::uint32_t, std::vector<Term>> pool_;  ///< by width
  absl::flat_hash_map<Term, std::vector<Term>> variables_;
  std::vector<std::pair<Term, Term>> renamed_;
};

}  // namespace plumb::explore
