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
/// Results are kept: runs that begin alike visit a region with the same operands again and again.
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
  struct Stage {
    std::vector<std::uint32_t> steps;  ///< operands before their users
    std::vector<std::uint32_t> roots;
  };
  void collect(term::Term root, Stage& stage);
  void make_step(std::uint32_t index);

  term::TermStore& store_;
  absl::flat_hash_map<term::Term, std::uint32_t> index_;
  std::vector<Step> steps_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> in_stage_;  ///< by step: 1 + the last stage that it was put in
  std::vector<term::Term> made_;         ///< by step; null if it is not made yet
  std::vector<std::uint32_t> operands_;  ///< set since begin(): steps and terms; the stage comes last in a key
  absl::flat_hash_map<std::vector<std::uint32_t>, std::vector<term::Term>> known_;  ///< roots
};

}  // namespace plumb::concolic
