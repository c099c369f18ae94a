#include "paths/constraint_stack.h"

#include <absl/container/flat_hash_set.h>

#include <set>

namespace plumb::paths {

std::vector<Choice> ConstraintStack::choices_of(std::span<const Term> constraints) const {
  const absl::flat_hash_set<Term> wanted(constraints.begin(), constraints.end());
  absl::flat_hash_set<Term> met;  // the first that made a constraint is enough
  std::set<Choice> choices;
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    if (wanted.contains(constraints_[i]) && met.insert(constraints_[i]).second && choices_[i] != kNoChoice)
      choices.insert(choices_[i]);
  return {choices.begin(), choices.end()};
}

}  // namespace plumb::paths
