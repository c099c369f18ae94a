#pragma once

#include <memory>

#include "circuit/aig.h"
#include "circuit/bit_blaster.h"
#include "solve/native/array_expander.h"
#include "solve/native/array_lemmas.h"
#include "solve/native/choice_lifter.h"
#include "solve/solver.h"

namespace plumb::solve {

/// The native backend's core: Term -> Aig -> CNF -> CaDiCaL. Assertions outside all scopes become clauses; those in
/// scopes are assumed at each check, so popping costs nothing and what was learned stays. Only what is new is blasted.
/// Reads of arrays are expanded up to a limit (array_expander.h); the rest are cut points that are refined with lemmas
/// until the model is one of the arrays too (array_lemmas.h). A single query that turns out hard is swept for
/// equivalent nodes (sweeper.h) and asked anew.
class BlastSolver : public Solver {
 public:
  BlastSolver(term::TermStore& store, const SolverOptions& options);
  ~BlastSolver() override;

  std::string_view name() const override { return "native"; }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;

 private:
  class Instance;

  Instance& choose_instance(std::span<const term::Term> assumed, const Budget& budget);
  void prepare_instance(std::span<const term::Term> assumed, const Budget& budget);
  std::uint32_t cone_size(std::span<const term::Term> terms, const Budget& budget);
  /// Asks the SAT solver until its model satisfies the arrays of the query as well.
  Result search(std::span<const int> assumed, const Budget& budget);
  void assert_lemma(term::Term lemma, const Budget& budget);
  /// For the query's instance.
  void assert_fact(term::Term simplified, const Budget& budget);
  /// What is known about the comparisons of the query (order_lemmas.h).
  void assert_order(std::span<const term::Term> assumed, const Budget& budget);
  /// Asks the SAT solver once.
  Answer solve(std::span<const int> assumed, const Budget& budget);
  void sweep(int max_conflicts, const Budget& budget);
  /// What is blasted in place of a term. All that looks at the query's reads looks at those in here: with an index of
  /// another shape a read is another one.
  term::Term simplified(term::Term t) { return lifter_.apply(expander_.apply(t)); }
  circuit::Lit literal(term::Term t, const Budget& budget) { return blaster_.bit(simplified(t), budget); }
  void read_model(std::span<const term::Term> assumed);

  SolverOptions options_;
  circuit::Aig aig_;
  circuit::BitBlaster blaster_;
  ArrayExpander expander_;
  ChoiceLifter lifter_;
  ArrayLemmas arrays_;
  std::vector<std::unique_ptr<Instance>> instances_;  ///< last used first
  Instance* instance_ = nullptr;                      ///< of the query at hand
  term::TermSet visited_terms_;
  std::vector<std::uint32_t> visited_nodes_;  ///< stamps
  std::uint32_t stamp_ = 0;
  std::uint64_t solves_ = 0;
  std::uint64_t made_instances_ = 0;
  std::uint64_t merged_ = 0;
};

}  // namespace plumb::solve
