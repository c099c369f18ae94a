#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "circuit/aig.h"
#include "circuit/cnf.h"
#include "solve/native/sat_solver.h"

namespace plumb::solve {

/// Merges equivalent nodes (Mishchenko et al., "FRAIGs: A Unifying Representation for Logic Synthesis and
/// Verification", 2005). Nodes that simulation cannot tell apart are candidates; from the inputs upwards, each is
/// compared with the first of its class by SAT queries over what was merged so far, with a limit on conflicts. A
/// difference that is found joins the simulation and splits the classes; what stays open stays apart. Two computations
/// of the same function, as in an equivalence check, thus meet node by node and not only at their outputs.
class Sweeper {
 public:
  /// Adds nodes to `aig`, which must outlive the sweeper. `max_conflicts`: of one query.
  Sweeper(circuit::Aig& aig, int max_conflicts, const Budget& budget);

  /// Literals equal to `roots`, with equivalent nodes of their cones merged; when the budget ends, with what was merged
  /// by then. To be called once.
  std::vector<circuit::Lit> sweep(std::span<const circuit::Lit> roots);
  std::uint64_t merged() const noexcept { return merged_; }

 private:
  /// Simulates 64 more patterns: random ones or, after a query was satisfiable, its model and neighbours of it.
  void add_patterns(bool from_model);
  void group(std::size_t processed);
  bool prove_equal(circuit::Lit a, circuit::Lit b);
  circuit::Lit rebuilt(circuit::Lit lit) const { return map_[place_[lit.node()]] ^ lit.complemented(); }
  std::uint64_t random();

  circuit::Aig& aig_;
  int max_conflicts_;
  const Budget& budget_;
  SatSolver sat_;
  circuit::CnfEncoder cnf_;
  std::vector<std::uint32_t> cone_;                            ///< the nodes, ascending; the constant first
  std::vector<std::uint32_t> place_;                           ///< of a node in cone_
  std::vector<std::uint64_t> words_;                           ///< of the last 64 patterns, by place
  std::vector<std::uint64_t> hashes_;                          ///< of all patterns, by place; equal for complements
  std::vector<bool> phases_;                                   ///< by place: the value in the first pattern
  absl::flat_hash_map<std::uint64_t, std::uint32_t> classes_;  ///< the first place with a hash
  std::vector<circuit::Lit> map_;                              ///< what each place became
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
  std::uint64_t merged_ = 0;
};

}  // namespace plumb::solve
