#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/tiny/lower/expression.h"

namespace plumb::tiny {

using system::ControlGraph;
using Label = ControlGraph::Label;

/// A rho'd program becomes a control graph from its end to its beginning: a statement is made when the label that
/// follows it is known. Labels of loops and functions are made before what they stand for.
class GraphBuilder {
 public:
  GraphBuilder(const Program& program, const Options& options);

  Lowered build();

 private:
  using Assignments = std::vector<ControlGraph::Assignment>;
  using Targets = std::vector<ControlGraph::Target>;

  struct Loop {
    Label leave;
    Label go_on;
  };
  /// A property before all are known and have their order.
  struct PendingProperty {
    std::string name;
    std::string kind;
    Place place;
  };
  struct CallSites {
    std::size_t count = 0;             ///< of the return sites, the program's end among them
    std::vector<Label> continuations;  ///< as they are made
    Term variable;                     ///< the site to return to; null where there is one alone
    VariableId stack_pointer = kNone;  ///< by which `variable` is indexed in a recursion
    Label leave = 0;                   ///< of the return
  };

  // Labels and statements.
  Label fresh();
  void bind(Label label, Label meaning) { meaning_[label] = meaning; }
  Label resolved(Label label) const;
  Label emit(Place place, Assignments assignments, Targets targets);
  void emit_at(Label label, Place place, Assignments assignments, Targets targets);
  Targets go(Label label) const;
  Targets branch(Term condition, Label then_label, Label else_label) const;
  std::string source_line(Place place) const;

  // Statements.
  Label lower(const Statement& statement, Label next);
  Label lower_sequence(const std::vector<StatementPtr>& statements, std::size_t begin, std::size_t end, Label next);
  Label lower_block(const Statement& s, Label next);
  Label lower_declare(const Statement& s, Label next);
  Label lower_assign(const Statement& s, Label next);
  Label lower_stack_move(const Statement& s, Label next);
  Label lower_branch(const Statement& s, Label next);
  Label lower_while(const Statement& s, Label next);
  Label lower_do_while(const Statement& s, Label next);
  Label lower_for(const Statement& s, Label next);
  Label lower_together(const Statement& s, Label next);
  Label lower_assert(const Statement& s, Label next);
  Label lower_call(const Statement& s, Label next);
  /// The stack pointer, of a recursive function's @pre.
  VariableId row_of(const Statement& pre) const;
  Term assigned(const Statement& s);
  Term assigned_quantified(const Statement& s);
  void assign_together(const Statement& s, Term condition, Assignments& assignments);

  // Functions.
  void count_sites();
  void lower_function(FunctionId function);
  void lower_return(FunctionId function);
  Label lower_end();

  // Properties.
  std::size_t property(const std::string& name, const std::string& kind, Place place);
  std::size_t property_of(CheckKind kind);
  void finish();
  void drop_unreachable();
  void order_properties();

  void start_values();
  void add_wires();
  std::vector<bool> live_functions() const;

  const Program& program_;
  const Options& options_;
  Lowered result_;
  ControlGraph& graph_;
  TermStore& store_;
  std::vector<bool> is_live_;
  Memory memory_;
  ExpressionTerms terms_;

  std::vector<Label> meaning_;  ///< by label: itself, or the label that it is another name of
  std::vector<PendingProperty> pending_;
  std::vector<Label> entries_;  ///< by function
  std::vector<CallSites> sites_;
  Label halt_ = 0;
  /// Checks count while this holds: all preconditions of the entry, where it has several.
  Term precondition_;

  // Where the statement that is being lowered stands.
  FunctionId function_ = kNone;
  Mode mode_ = Mode::Code;
  Label return_label_ = 0;
  std::vector<Loop> loops_;
  VariableId pre_variable_ = kNone;  ///< x_P, inside a @pre
  Label pre_failed_ = 0;             ///< makes x_P false and leaves
};

}  // namespace plumb::tiny
