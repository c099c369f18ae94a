#pragma once

#include <span>
#include <vector>

#include "paths/store.h"

namespace plumb::paths {

/// Constraints with the choices that they come from, and marks to go back to: what stores have in common.
class ConstraintStack {
 public:
  void save() { marks_.push_back(constraints_.size()); }
  void restore() {
    constraints_.resize(marks_.back());
    choices_.resize(marks_.back());
    marks_.pop_back();
  }
  void add(Term constraint, Choice choice) {
    constraints_.push_back(constraint);
    choices_.push_back(choice);
  }
  std::span<const Term> constraints() const noexcept { return constraints_; }
  Choice choice(std::size_t i) const noexcept { return choices_[i]; }

  /// The choices that some of the constraints come from, ascending.
  std::vector<Choice> choices_of(std::span<const Term> constraints) const;

 private:
  std::vector<Term> constraints_;
  std::vector<Choice> choices_;
  std::vector<std::size_t> marks_;
};

}  // namespace plumb::paths
