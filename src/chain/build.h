#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"

namespace plumb::chain {

/// Whether the transitions are stored, or computed anew whenever an analysis goes through them.
enum class KeepRows : std::uint8_t {
  Always,
  Never,
  Automatic,  ///< as long as the memory limit of the budget leaves room for them
};

struct BuildOptions {
  unsigned threads = 0;       ///< 0: all cores
  bool keep_actions = false;  ///< Chain::actions, for strategies and exports
  KeepRows keep_rows = KeepRows::Always;
  bool fix_deadlocks = true;  ///< otherwise a deadlock is a UserError that names the state
  std::uint64_t max_states = ~std::uint64_t{0};
  std::function<void(std::uint64_t states, std::uint64_t transitions)> progress;  ///< now and then; may be empty
};

struct BuildReport {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  double seconds = 0;
  std::uint64_t bytes_states = 0;
  std::uint64_t bytes_transitions = 0;
  std::vector<std::string> notes;  ///< "3 deadlock states were given a loop: (x=3,y=0), …"
};

/// Explores breadth first from the initial states by the compiled successor function (successors.h); the result does
/// not depend on the number of threads. Several enabled commands of a dtmc get equal parts, and a note says so. Throws
/// UserError naming the command, the state and the values: a variable out of its range, a negative or NaN rate,
/// probabilities that do not sum to one (within 1e-12 times their number), a fault in an expression, no initial state.
/// Throws OutOfBudget; `report` then has the number of states reached. The model must outlive a chain whose rows are
/// not kept.
Chain build(const Model& model, const Budget& budget, const BuildOptions& options, BuildReport& report);

/// The value of an expression over the model's variables in every state of the chain. Throws UserError for a fault.
StateSet states_with(const Chain& chain, const Model& model, Expression condition, const Budget& budget);
std::vector<double> values_of(const Chain& chain, const Model& model, Expression value, const Budget& budget);
/// The same of a model that is read exactly.
std::vector<Fraction> fractions_of(const Chain& chain, const Model& model, Expression value, const Budget& budget);
/// "(sr=1,qsize=12)", booleans as true and false.
std::string describe(const Chain& chain, const Model& model, StateId state);

}  // namespace plumb::chain
