#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "term/term_store.h"

namespace plumb::concolic {

/// Terms over parameters (variables) laid out for being made again and again with other operands: what a Substitution
/// does, but without looking at the terms again, and with memory and time of the order of these terms whatever else the
/// store holds. Terms come in stages; a stage costs what it needs beyond stages that were made for the same operands.
/// Only what the operands at hand ask for is made: of a choice whose condition they decide one side, of an array that
/// is read at a place that they decide one element. Results are kept: runs that begin alike visit a region with the
/// same operands again and again.
class TermRecipe {
 public:
  explicit TermRecipe(term::TermStore& store) : store_(store) {}

  /// Stages are numbered from 0.
  void add_stage(std::span<const term::Term> roots);
  /// Number of terms of all stages.
  std::size_t size() const noexcept { return steps_.size(); }
  /// The parameter occurs in a stage.
  bool uses(term::Term parameter) const { return index_.contains(parameter); }

  /// Forgets operands and what was made of them.
  void begin();
  /// Each parameter that occurs needs an operand of its sort before make().
  void set(term::Term parameter, term::Term operand);
  /// The roots of a stage. Null terms stay null.
  std::vector<term::Term> make(std::size_t stage);

 private:
  struct Step {
    term::Term original;
    std::array<std::uint32_t, 3> operands{};
  };
  /// Stores at constant places, one over the other: the step of the element at each place, and what lies below.
  struct Chain {
    absl::flat_hash_map<std::uint64_t, std::uint32_t> elements;
    std::uint32_t below = 0;
  };
  void collect(term::Term root);
  /// Makes the step and all that it needs.
  void demand(std::uint32_t root);
  /// Makes the step if what it needs is made; else puts that on the stack.
  void try_make(std::uint32_t step);
  void make_step(std::uint32_t index);
  /// A step with the same value as this one for the operands at hand; kNoStep if there is none, or if it takes another
  /// step to tell, which is on the stack then.
  std::uint32_t shortcut(std::uint32_t step);
  std::uint32_t element_of(std::uint32_t array, std::uint32_t place);
  const Chain& chain_of(std::uint32_t array);
  bool is_made(std::uint32_t step);

  term::TermStore& store_;
  absl::flat_hash_map<term::Term, std::uint32_t> index_;
  std::vector<Step> steps_;
  std::vector<std::vector<std::uint32_t>> stages_;    ///< roots
  absl::flat_hash_map<std::uint32_t, Chain> chains_;  ///< by the step of the array
  std::vector<std::uint32_t> stack_;                  ///< of demand()
  std::vector<term::Term> made_;                      ///< by step; null if it is not made yet
  std::vector<std::uint32_t> operands_;  ///< set since begin(): steps and terms; the stage comes last in a key
  absl::flat_hash_map<std::vector<std::uint32_t>, std::vector<term::Term>> known_;  ///< roots
};

}  // namespace plumb::concolic
