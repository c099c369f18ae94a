#include "paths/dpvs.h"

#include "base/error.h"

namespace plumb::paths {

Dpvs::Dpvs(const Graph& graph, Store& store, QueueOrder order, OnStep on_step)
    : graph_(graph),
      store_(store),
      order_(order),
      on_step_(std::move(on_step)),
      marked_(graph.variables.size(), false),
      choice_(graph.conditions.size(), Side::None) {}

Answer Dpvs::run(const Budget& budget) {
  for (const Term constraint : graph_.property) {
    store_.add(constraint, kNoChoice);
    push_new(constraint);
  }
  if (queue_.empty()) return store_.solve(budget);
  bool is_known = true;
  call();
  while (!frames_.empty()) {
    budget.check();
    Frame& frame = frames_.back();
    const std::vector<NodeId>& definitions = graph_.variables[frame.variable].def_nodes;
    if (frame.next == definitions.size()) {  // line 43; the caller goes on at line 41
      frames_.pop_back();
      if (!frames_.empty()) restore();
      continue;
    }
    DpvsStep step{frame.variable, definitions[frame.next++]};
    save();
    const bool is_cut = !take(step.node);
    step.outcome = go_on(is_cut, budget);
    if (on_step_) on_step_(step);
    if (step.outcome == DpvsStep::Outcome::Solution) return Answer::Sat;
    if (step.outcome == DpvsStep::Outcome::Unsolved) is_known = false;
    if (step.outcome == DpvsStep::Outcome::Feasible) {
      call();
    } else {
      restore();
    }
  }
  return is_known ? Answer::Unsat : Answer::Unknown;
}

/// Line 1, of a call.
void Dpvs::call() {
  const Key first = *queue_.begin();
  queue_.erase(queue_.begin());
  queue_log_.emplace_back(first, false);
  frames_.push_back({first.second, 0});
}

/// Lines 4 to 25; false if the way to the definition is cut.
bool Dpvs::take(NodeId node) {
  const Graph::Node& n = graph_.nodes[node];
  store_.add(graph_.terms->eq(graph_.variables[n.defines].term, n.definition), node);
  push_new(n.definition);
  for (const Graph::Ancestor& ancestor : n.cond_anc)
    if (!pass(node, ancestor)) return false;
  return true;
}

/// Lines 9 to 23.
bool Dpvs::pass(NodeId node, const Graph::Ancestor& ancestor) {
  Side& side = choice_[ancestor.condition];
  const Side wanted = ancestor.left ? Side::Left : Side::Right;
  if (side != Side::None) return side == wanted;
  const Term condition = graph_.conditions[ancestor.condition];
  push_new(condition);
  store_.add(ancestor.left ? condition : graph_.terms->bit_not(condition), node);
  side = wanted;
  choice_log_.push_back(ancestor.condition);
  return true;
}

/// Lines 26 to 40.
DpvsStep::Outcome Dpvs::go_on(bool is_cut, const Budget& budget) {
  using Outcome = DpvsStep::Outcome;
  if (is_cut) return Outcome::Cut;
  if (!queue_.empty()) return store_.is_feasible(budget) == Answer::Unsat ? Outcome::Infeasible : Outcome::Feasible;
  const Answer answer = store_.solve(budget);
  if (answer == Answer::Unknown) return Outcome::Unsolved;
  return answer == Answer::Sat ? Outcome::Solution : Outcome::NoSolution;
}

void Dpvs::push_new(Term t) {
  for (const VariableId v : graph_.variables_in(t)) {
    if (marked_[v]) continue;
    marked_[v] = true;
    const Key key{priority(v), v};
    queue_.insert(key);
    queue_log_.emplace_back(key, true);
  }
}

std::uint64_t Dpvs::priority(VariableId v) {
  switch (order_) {
    case QueueOrder::First:
      return pushed_++;
    case QueueOrder::Latest:
      return graph_.variables.size() - v;
    case QueueOrder::FewestDefinitions:
      return graph_.variables[v].def_nodes.size();
  }
  INVARIANT(false, "a queue should have an order");
}

void Dpvs::save() {
  store_.save();
  saved_.push_back({queue_log_.size(), choice_log_.size()});
}

void Dpvs::restore() {
  const Saved to = saved_.back();
  saved_.pop_back();
  for (; queue_log_.size() > to.queue_log; queue_log_.pop_back()) {
    const auto& [key, is_pushed] = queue_log_.back();
    if (is_pushed) {
      queue_.erase(key);
      marked_[key.second] = false;
    } else {
      queue_.insert(key);
    }
  }
  for (; choice_log_.size() > to.choice_log; choice_log_.pop_back()) choice_[choice_log_.back()] = Side::None;
  store_.restore();
}

}  // namespace plumb::paths
