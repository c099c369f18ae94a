// Edges between blocks. The arguments of a block are assigned by the statement that leads there. If a branch leads to
// several blocks, all of their arguments are assigned whichever way is taken, which changes nothing where the argument
// of one is dead in the others; where it is not (a loop that tests at its end and whose variables are read behind it),
// the edge gets a statement of its own.

#include <algorithm>

#include "flatten/translate/translator.h"

namespace plumb::flatten {

using program::BlockId;
using program::Edge;
using program::HaltReason;

void Translator::terminate(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& function = this->function(draft.instance);
  const auto edges = function.edges_of(instruction);
  const Term otherwise = store().boolean(true);
  switch (instruction.kind) {
    case Kind::Jump:
      leave_by(draft, {{otherwise, &edges[0]}});
      return;
    case Kind::Branch:
      leave_by(draft, {{operand(draft, instruction, 0), &edges[0]}, {otherwise, &edges[1]}});
      return;
    case Kind::Switch: {
      std::vector<Condition> ways;
      const Term value = operand(draft, instruction, 0);
      for (std::size_t i = 1; i < edges.size(); ++i)
        ways.push_back({store().eq(value, operand(draft, instruction, i)), &edges[i]});
      ways.push_back({otherwise, &edges[0]});
      leave_by(draft, ways);
      return;
    }
    case Kind::Return:
      return_from(draft, instruction, id);
      return;
    default:
      if (instruction.halt_reason() == HaltReason::Unsupported)
        unsupported(draft, id,
                    instruction.parameter == program::kNone ? "a construct without a lowering"
                                                            : program_.messages[instruction.parameter]);
      draft.alive = store().boolean(false);
  }
}

/// An argument of the target is read behind another way out, or differs between the edges that lead to it.
bool Translator::needs_own_statement(InstanceId instance, const std::vector<Condition>& ways, BlockId target) {
  const Function& function = this->function(instance);
  const program::Liveness& liveness = info(instances_[instance].function).liveness;
  const std::vector<ValueId>& arguments = function.blocks[target].arguments;
  if (arguments.empty()) return false;
  std::size_t edges = 0;
  for (const Condition& way : ways) {
    if (way.edge->target == target) {
      ++edges;
      continue;
    }
    // By another name too: the result of an inlined call may be an argument.
    for (const ValueId live : liveness.live_in(way.edge->target)) {
      const ValuePlace origin = values_.origin({instance, live});
      if (origin.instance == instance && std::ranges::find(arguments, origin.value) != arguments.end()) return true;
    }
  }
  return edges > 1;
}

void Translator::leave_by(Draft& draft, const std::vector<Condition>& ways) {
  const Function& function = this->function(draft.instance);
  for (const Condition& way : ways) {
    if (store().is_false(way.condition)) continue;
    const BlockId target = way.edge->target;
    if (ways.size() > 1 && needs_own_statement(draft.instance, ways, target)) {
      draft.targets.push_back({way.condition, edge_statement(draft.instance, *way.edge)});
    } else {
      const auto arguments = function.arguments_of(*way.edge);
      for (std::size_t i = 0; i < arguments.size(); ++i)
        definitions_[draft.label].push_back(
            {{draft.instance, function.blocks[target].arguments[i]}, read(draft, arguments[i])});
      draft.targets.push_back({way.condition, block(draft.instance, target)});
    }
    if (store().is_true(way.condition)) break;
  }
}

Translator::Label Translator::edge_statement(InstanceId instance, const Edge& edge) {
  const Function& function = this->function(instance);
  Draft draft(add_statement(graph_.statements[block(instance, edge.target)].text), instance, graph_);
  const auto arguments = function.arguments_of(edge);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    definitions_[draft.label].push_back(
        {{instance, function.blocks[edge.target].arguments[i]}, read(draft, arguments[i])});
  draft.targets.push_back({store().boolean(true), block(instance, edge.target)});
  draft.location = function.terminator(edge.target).location;
  commit(draft);
  return draft.label;
}

/// Where a run ends as it should: leaks are looked for here.
Translator::Label Translator::finish_label() {
  if (finish_) return *finish_;
  finish_ = end_;
  if (std::none_of(goals_.begin(), goals_.end(), [](const Goal& goal) { return goal.kind == program::GoalKind::Leak; }))
    return end_;
  finish_ = add_statement("exit");
  Draft draft(*finish_, 0, graph_);
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    if (goals_[g].kind != program::GoalKind::Leak) continue;
    const Term leaked = memory_.is_leaked(draft.memory, goals_[g].at);
    const program::Location at =
        program_.functions[goals_[g].at.function].instructions[goals_[g].at.instruction].location;
    draft.checks.push_back({store().bit_not(leaked), Properties::of_goal(g), program_.describe(at)});
  }
  commit(draft);
  return *finish_;
}

}  // namespace plumb::flatten
