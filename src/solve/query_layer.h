#pragma once

#include <absl/container/flat_hash_map.h>

#include <deque>
#include <memory>
#include <vector>

#include "solve/solver.h"
#include "term/traverse.h"

namespace plumb::solve {

/// Answers what can be answered without search, for the many related queries of a path explorer (the ideas are those of
/// KLEE's solver chain, Cadar, Dunbar and Engler, 2008). The constraints of a query, assertions and assumptions alike,
/// are split into parts that share no variable. A part is answered, in this order, by the same part seen before, by a
/// known-unsat subset, by one of the last few models, and by the inner solver, which gets the part as assumptions and
/// never holds an assertion.
class QueryLayer : public Solver {
 public:
  explicit QueryLayer(std::unique_ptr<Solver> inner);
  ~QueryLayer() override;

  std::string_view name() const override { return inner_->name(); }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;

 private:
  using Part = std::vector<term::Term>;  ///< constraints, by handle
  struct Candidate;
  struct Known {
    std::shared_ptr<const term::Assignment>
        model;  ///< of a satisfiable part, for its variables; null for an unsatisfiable one
    Part core;  ///< of an unsatisfiable part
  };

  /// Itself, or the operands of a conjunction.
  const Part& conjuncts(term::Term constraint);
  Part constraints_of(std::span<const term::Term> assumptions);
  std::vector<Part> split(std::span<const term::Term> assumptions);
  Result decide_part(const Part& part, const Budget& budget);
  const Part* known_core(const Part& part);
  bool holds_in(Candidate& candidate, const Part& part);
  term::Assignment restricted(const term::Assignment& model, const Part& part);
  void take_model(const term::Assignment& part_model);
  void remember(const Part& part, Known known);
  void report_failed(std::span<const term::Term> assumptions, const Part& core);

  std::unique_ptr<Solver> inner_;
  absl::flat_hash_map<term::Term, std::unique_ptr<Part>> conjuncts_;
  absl::flat_hash_map<Part, Known> known_;
  absl::flat_hash_map<term::Term, std::vector<Part>> cores_;  ///< by their last constraint
  std::deque<std::unique_ptr<Candidate>> candidates_;         ///< the newest first
  term::TermMap<std::uint32_t> owner_;  ///< the constraint that a term was first met in, within one query
  term::TermSet in_part_;
  term::TermSet seen_;
  Part core_;  ///< of the last unsatisfiable part

  struct {
    std::uint64_t parts = 0, same = 0, subset = 0, models = 0, searches = 0;
  } counts_;
};

}  // namespace plumb::solve
