#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "system/system.h"

namespace plumb::system {

/// A program in statements with labels, before it has a program counter: what front ends of sequential programs make,
/// and what encode() makes a System of (Algorithm 1 of the {P}S{Q} paper). Terms are over the graph's variables and
/// inputs, in its own store.
class ControlGraph {
 public:
  using Label = std::uint32_t;

  struct Variable {
    Term term;  ///< a variable of the store; its name is what users see
    Term init;  ///< its value when the run starts, without variables; null for any value
    /// Of an array: how many elements it has. Indices beyond are never read or written by what the front end makes.
    std::uint64_t elements = 0;
    bool is_hidden = false;  ///< a temporary, which may share a register and is not shown to users
  };
  struct Assignment {
    Term variable;
    Term value;
  };
  struct Check {
    Term condition;  ///< must be true whenever control is at the statement
    std::size_t property = 0;
    SourceLocation location;
  };
  struct Target {
    Term condition;
    Label label = 0;
  };
  /// Checks are looked at first, then all assignments are made at once, then control goes to the first target whose
  /// condition is true; conditions are over the values before the assignments. Without targets the run has ended.
  struct Statement {
    SourceLocation location;
    std::string text;  ///< the source line, for waveforms
    std::vector<Check> checks;
    std::vector<Assignment> assignments;
    std::vector<Target> targets;  ///< the last condition is true
  };

  ControlGraph() : store_(std::make_unique<TermStore>()) {}

  TermStore& store() noexcept { return *store_; }
  const TermStore& store() const noexcept { return *store_; }

  std::vector<Variable> variables;
  std::vector<Term> inputs;             ///< free at each statement that reads them; each is read by one statement alone
  std::vector<NamedTerm> wires;         ///< shown at every step
  std::vector<Statement> statements;    ///< by label
  std::vector<std::string> properties;  ///< names
  Label entry = 0;

  /// A sentence for each thing that is wrong: a label that does not exist, a term over something else, …
  std::vector<std::string> problems() const;

 private:
  std::unique_ptr<TermStore> store_;
};

struct EncodingOptions {
  enum class Steps : std::uint8_t {
    Block,      ///< a step is a whole loop-free stretch: branches inside are merged
    Statement,  ///< a step is a statement, as in the paper
  };
  Steps steps = Steps::Block;
  /// Variables that are never live together share a register; those that are live at no step's beginning have none.
  /// Without it every variable that is not hidden has its own.
  bool share_registers = true;
  /// Adds the property that every run has ended after so many steps.
  std::optional<std::uint64_t> termination_bound;
};

/// A control graph as a system, with the way back. A variable that is not hidden and is alone in its register has at
/// each step's beginning, after the end as well, the value that it has in the graph; a shared register has that of
/// whichever of its variables matters there. A free variable on whose value at the start no property depends starts
/// with zero. Terms are of the system's store, over states and inputs; they need not lie below one of its nexts or
/// bads, so that term::Evaluator tells their value in a step and the Simulator may not.
struct Encoding {
  /// Annotations of the program counter: "statement" (`12: while (i < n)`) and "source line" (`file:12`).
  System system;  ///< bads are the graph's properties, in their order; then "termination within K steps", if asked for
  std::size_t pc = 0;  ///< position of the program counter's state
  /// By label: the value of the program counter when control is there, if a step can begin there.
  std::vector<std::optional<std::uint64_t>> pc_values;
  std::uint64_t end_value = 0;  ///< of the program counter after the end
  Term at_end;                  ///< the run has ended
  /// By position in ControlGraph::variables: the state that holds it (several may share one), or nothing if it is not
  /// needed at any step's beginning or is constant where it is.
  std::vector<std::optional<std::size_t>> registers;
  /// By position in ControlGraph::inputs: the system's input, and whether the statement that reads it is executed in
  /// this step.
  struct Choice {
    std::optional<std::size_t> input;  ///< nothing if nothing depends on it
    Term executed;
  };
  std::vector<Choice> choices;
  /// The checks of the graph by statement, each with the term that is true in a step in which it fails; the bad of a
  /// property is the disjunction of its checks'.
  struct CheckSite {
    std::size_t property;
    SourceLocation location;
    Term fails;
  };
  std::vector<CheckSite> check_sites;
};
/// The graph must be without problems (INVARIANT). Costs about as much as its statements' terms are large, with a step
/// a block as with a step a statement: what is executed in several blocks is short. Throws OutOfBudget.
Encoding encode(const ControlGraph& graph, const EncodingOptions& options, const Budget& budget = {});

}  // namespace plumb::system
