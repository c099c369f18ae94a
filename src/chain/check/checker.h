#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <string>
#include <vector>

#include "chain/check.h"
#include "chain/check/values.h"

namespace plumb::chain {

/// Computes the values of formulas in the states of one chain, innermost first. What is found on the way (methods,
/// iterations, notes) goes into the result of the property.
class Checker {
 public:
  /// Values of Conditions and Labels that are known already: those of a quotient, which has no variables.
  using Atoms = absl::flat_hash_map<const Formula*, Values>;

  Checker(const Model& model, const Chain& chain, Atoms atoms, const Budget& budget, const CheckOptions& options,
          PropertyResult& result);

  /// The property's value by its filter; without one that of the initial states.
  void check(const Formula& formula);

  /// `asked` are the states whose values matter: bounds are decided there, and elsewhere as far as that costs nothing.
  /// Null: all.
  Values evaluate(const Formula& formula, const StateSet* asked);
  Truth truth(const Formula& formula, const StateSet* asked);

 private:
  /// A number to be computed as precisely as it takes to decide a bound.
  struct Question {
    std::function<Numbers(const AnalysisOptions&)> solve;
    std::function<StateSet()> zero;  ///< exactly the states where it is zero; may be empty
    std::function<StateSet()> one;
  };

  Values atom(const Formula& formula);
  Values arithmetic(const Formula& formula, const StateSet* asked);
  Values choice(const Formula& formula, const StateSet* asked);
  Values comparison(Op op, const Numbers& a, const Numbers& b);
  Values quantity(const Formula& formula, const StateSet* asked);
  Direction direction(const Formula& formula) const;

  Question probability(const Formula& path, Direction direction, const StateSet* asked);
  Question simple_path(const Formula& path, Direction direction);
  Question until_question(Truth allowed, Truth target, Direction direction);
  Question bounded_question(Truth allowed, Truth target, const TimeBound& time, Direction direction);
  Question long_run(const Formula& formula);
  Question ltl_path(const Formula& path, Direction direction, const StateSet* asked);
  Question reward(const Formula& formula, Direction direction, const StateSet* asked);
  Question reach_reward_question(std::size_t rewards, Truth target, Direction direction);
  Question co_safe_reward(const Formula& path, std::size_t rewards, Direction direction, const StateSet* asked);
  static Question complement_of(Question question);
  /// Solves for the surely and for the possibly held operands, if these differ.
  template <typename Solve>
  Numbers between(bool is_decided, Solve solve);

  Truth decide(const Formula& formula, const Question& question, const StateSet* asked);
  Numbers note(Solution&& solution);
  void add_note(std::string text);
  /// Why a comparison is open in some state; told if the answer depends on it.
  void note_open(std::string why) { open_ = std::move(why); }

  // By filters.
  StateSet filter_states(const Formula& filter);
  void check_filter(const Formula& filter);
  void check_plain(const Values& values, const StateSet& states, const char* which);
  void check_truth_filter(const Formula& filter, const Truth& values, const StateSet& states);
  void check_number_filter(const Formula& filter, const Numbers& values, const StateSet& states);
  void list(const Values& values, const StateSet& states, bool with_zeros);
  /// Those that may have the extreme: fractions are equal to it, intervals reach `bound`.
  void list_extremes(const Numbers& values, const StateSet& states, double bound, const ExactValue& extreme,
                     bool is_minimum);
  void add_line(std::uint64_t& lines, const std::string& text);
  std::string state_name(StateId s) const;
  void answer(bool yes, bool possible);
  /// Notes a number whose error is greater than was asked for.
  void require_precision(const Bounded& number);

  const Model& model_;
  const Chain& chain_;
  Atoms atoms_;
  const Budget& budget_;
  const CheckOptions& options_;
  PropertyResult& result_;
  const Formula* strategy_for_ = nullptr;  ///< the outermost P or R, whose strategy is kept
  bool keeps_strategy_ = false;
  std::string open_;
};

/// Whether a formula is about paths: a temporal operator that is not inside of P, S, R or a filter.
bool is_path(const Formula& formula);

}  // namespace plumb::chain
