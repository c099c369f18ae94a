#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <vector>

#include "base/budget.h"
#include "explore/choices.h"
#include "explore/explore.h"
#include "explore/store.h"

namespace plumb::explore {

/// Whether the valuations of a state are among those of another with the same control.
class Subsumption {
 public:
  Subsumption(TermStore& terms, Algorithm algorithm, std::uint64_t seed, const Budget& budget);

  /// `part` is a subset of `whole`. False also if that was not found out.
  bool is_subset(const Store::Data& part, const Store::Data& whole);
  std::uint64_t queries() const noexcept { return queries_; }

 private:
  /// That a valuation of `part` is one of `whole`: over the variables of `part` and those in `open`.
  Term membership(const Store::Data& part, const Store::Data& whole, std::vector<Term>& open);
  bool always_holds(const std::vector<Term>& known, Term claim);
  bool some_open_fits(const std::vector<Term>& known, Term claim, const std::vector<Term>& open);
  solve::Answer ask(const std::vector<Term>& assertions);

  TermStore& terms_;
  Algorithm algorithm_;
  const Budget& budget_;
  std::unique_ptr<solve::Solver> solver_;
  absl::flat_hash_map<std::uint32_t, std::vector<Term>> pool_;  ///< by width: variables for open ones
  std::uint64_t queries_ = 0;
};

}  // namespace plumb::explore
