#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "explore/value.h"
#include "solve/solver.h"

namespace plumb::explore {

/// The ways that a step can take, one after the other: a run of the step asks where there is more than one, and the
/// numbers of the answers are its script. Also what is known of inputs on the way, and the solver that says which ways
/// there are.
class Choices {
 public:
  using Script = std::vector<std::uint32_t>;

  /// An input of the run that asks for it.
  struct Input {
    std::string name;
    Term value;
    bool is_asked = true;  ///< by the program, so that tests have it; else the world decides
  };

  Choices(TermStore& terms, std::uint64_t seed, const Budget& budget);

  // --- One run of a step ---

  /// What is known at its start, and the answers to give first. Further questions are answered with 0.
  void begin(std::vector<Term> constraints, Script script);
  /// A number below `count`, at least 1.
  std::uint32_t choose(std::uint32_t count);
  /// Whether a condition that is no constant holds: it is known from then on.
  bool decide(Term condition);
  /// Some assignment may fulfil what is known together with the condition.
  bool is_possible(Term condition);
  /// Likewise all of these together, whatever is known.
  bool are_possible(std::vector<Term> conditions);
  void learn(Term condition);
  /// Instead of what was known.
  void know(std::vector<Term> constraints) { constraints_ = std::move(constraints); }
  /// A value that it may have; nothing if none was found.
  std::optional<BitVector> example(Term t, std::span<const Term> except);
  Term fresh(std::uint32_t width, std::string_view name, bool is_asked);
  /// Variables of width 1 that no fresh() gives, the same ones each time.
  std::vector<Term> selectors(std::size_t count);

  const std::vector<Term>& constraints() const noexcept { return constraints_; }
  bool has_learnt() const noexcept { return has_learnt_; }
  /// How many answers were given.
  std::size_t taken() const noexcept { return position_; }
  /// All answers of the run.
  const Script& script() const noexcept { return script_; }
  /// The script of the next run of the same step; nothing if there is none.
  std::optional<Script> next() const;

  /// What the run has asked for, in order.
  const std::vector<Input>& inputs() const noexcept { return inputs_; }

  std::uint64_t queries() const noexcept { return queries_; }
  TermStore& terms() noexcept { return terms_; }

 private:
  solve::Answer ask(std::vector<Term> all);

  TermStore& terms_;
  std::unique_ptr<solve::Solver> solver_;
  solve::SolverOptions solver_options_;
  const Budget& budget_;
  std::vector<Term> constraints_;
  Script script_;
  std::vector<std::uint32_t> counts_;  ///< how many ways there were at each answer
  std::size_t position_ = 0;
  bool has_learnt_ = false;
  std::vector<Input> inputs_;
  absl::flat_hash_map<std::uint32_t, std::vector<Term>> scratch_;  ///< by width: variables that steps share
  absl::flat_hash_map<std::uint32_t, std::size_t> used_;
  std::vector<Term> selectors_;
  absl::flat_hash_map<std::vector<Term>, bool> known_;
  std::uint64_t queries_ = 0;
};

}  // namespace plumb::explore
