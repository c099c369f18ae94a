#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "chain/analysis.h"
#include "chain/build.h"
#include "chain/property.h"

namespace plumb::chain {

struct CheckOptions {
  AnalysisOptions analysis;
  enum class Lumping : std::uint8_t { Automatic, On, Off };
  Lumping lumping = Lumping::Automatic;
  std::size_t max_listing = 1000;  ///< lines of a print filter
};

/// A number with the interval that surely contains it; equal ends mean exact. Infinity is a value.
struct Bounded {
  double value = 0;
  double low = 0;
  double high = 0;
  bool is_guaranteed = true;        ///< otherwise `low` and `high` are an estimate (steady state by iteration)
  std::optional<ExactValue> exact;  ///< where it was computed in fractions
};

struct PropertyResult {
  std::variant<bool, Bounded> value;
  /// Why a bound could not be decided; `value` is then false and no answer. Of a number: why it is not as precise as
  /// was asked for. Empty otherwise.
  std::string undecided;
  std::vector<std::string> listing;  ///< of print filters, argmin, …: a line a state
  std::string method;                ///< "interval iteration over 12 components", "uniformisation, 1,204 steps"
  std::uint64_t iterations = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;              ///< of vectors while solving
  std::vector<std::string> notes;       ///< "17,203 states lumped to 512", "1 deadlock state has a loop"
  std::vector<std::uint32_t> strategy;  ///< by state: the choice, counted from the state's first
};

/// Throws UserError where the property does not fit the model (S of an mdp, …), OutOfBudget.
PropertyResult check(const Model& model, const Chain& chain, const Property& property, const Budget& budget,
                     const CheckOptions& options);

}  // namespace plumb::chain
