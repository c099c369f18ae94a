#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "lang/bip/run/run.h"

namespace plumb::bip {

namespace {

/// Which variables a block sets on every path, and which it may read before.
class Initialization {
 public:
  void visit(const Block& block) {
    for (const StatementPtr& statement : block) {
      read(*statement->value);
      if (statement->kind == Statement::Kind::Assign)
        set_.insert(statement->target->variable);
      else
        visit_branches(*statement);
    }
  }
  bool is_free(VariableId variable) const { return !set_.contains(variable) || read_early_.contains(variable); }

 private:
  void read(const Expression& expression) {
    if (expression.kind == Expression::Kind::Name && !set_.contains(expression.variable))
      read_early_.insert(expression.variable);
    for (const ExpressionPtr& operand : expression.operands) read(*operand);
  }

  void visit_branches(const Statement& statement) {
    const std::set<VariableId> before = set_;
    visit(statement.then_branch);
    const std::set<VariableId> behind_then = std::exchange(set_, before);
    visit(statement.else_branch);
    std::erase_if(set_, [&](VariableId variable) { return !behind_then.contains(variable); });
  }

  std::set<VariableId> set_;
  std::set<VariableId> read_early_;
};

}  // namespace

std::vector<VariableId> free_variables(const Model& model) {
  std::vector<VariableId> free;
  if (model.initialize_variables) return free;
  for (const Model::Component& component : model.components) {
    Initialization initialization;
    initialization.visit(component.initial_action);
    std::ranges::copy_if(component.variables, std::back_inserter(free),
                         [&](VariableId variable) { return initialization.is_free(variable); });
  }
  std::ranges::sort(free);
  return free;
}

}  // namespace plumb::bip
