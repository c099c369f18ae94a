#pragma once

#include <map>
#include <optional>
#include <vector>

#include "system/encode_paths.h"
#include "system/encode_registers.h"

namespace plumb::system {

/// A step from a cut point to the next one, as terms over registers and inputs. All of them hold when the program
/// counter is at the cut point.
struct Block {
  std::vector<Term> next;  ///< by register; null where the value does not matter
  Term next_pc;
  struct Failure {
    ControlGraph::Label label;
    std::size_t check;  ///< of the statement
    Term fails;
  };
  std::vector<Failure> failures;
  struct Visit {
    ControlGraph::Label label;
    Term executed;
  };
  std::vector<Visit> visits;  ///< of the statements that read inputs
};

/// By position in ControlGraph::inputs: the statement that reads it, if any does.
std::vector<std::optional<ControlGraph::Label>> readers_of_inputs(const ControlGraph& graph);

/// Executes the stretches between cut points symbolically: each statement once, in topological order, with the values
/// of variables as terms over the registers at the start of the step.
class BlockExecutor {
 public:
  /// `variables`: of the registers, in `store`. `inputs`: by position in ControlGraph::inputs. All must outlive it.
  BlockExecutor(const ControlGraph& graph, const CutPoints& cuts, const Registers& registers, const Accesses& accesses,
                TermStore& store, const std::vector<Term>& variables, const std::vector<Term>& inputs,
                std::uint32_t pc_width, const Budget& budget);

  /// Throws OutOfBudget.
  Block execute(ControlGraph::Label cut);

 private:
  using Label = ControlGraph::Label;
  using Ways = std::vector<PathTree::Way>;

  Term register_of(std::size_t variable) const { return variables_[*registers_.of[variable]]; }
  PathTree::Way start(Label cut);
  /// The array with zeros behind its last element: they are never read, and registers for them fall away.
  Term without_excess(Term array, std::uint64_t elements);
  void execute_statement(Label label, PathTree::Way way, Block& block);
  void assign(Label label, const std::vector<ControlGraph::Target>& targets, std::vector<Term>& values);
  /// Where the condition is true: values that are known by it.
  void learn(Term condition, std::vector<Term>& values) const;
  /// Leads on to a statement, or out of the block if a step ends there.
  void lead(PathTree::Way way, std::optional<Label> to);
  /// The term over registers and inputs; `values` are those of variables.
  Term translate(Term t, const std::vector<Term>& values);
  /// A read by an index that is one of two, one of them constant: a choice between two reads. One costs nothing, the
  /// other is likely to be made elsewhere.
  Term select(Term array, Term index, unsigned depth);
  Term translate_variable(Term t, const std::vector<Term>& values) const;

  const ControlGraph& graph_;
  const CutPoints& cuts_;
  const Registers& registers_;
  const Accesses& accesses_;
  TermStore& store_;
  const std::vector<Term>& variables_;
  std::uint32_t pc_width_;
  const Budget& budget_;
  term::TermMap<Term> inputs_;
  std::vector<bool> reads_input_;  ///< by label
  PathTree paths_;
  std::vector<Term> held_;               ///< by variable: its value at the start of the step
  std::map<std::uint32_t, Ways> ahead_;  ///< statements to be executed, by rank
  Ways exits_;                           ///< values by register, then that of the program counter
  term::TermMap<Term> translated_;       ///< in the statement at hand
};

}  // namespace plumb::system
