#include "system/encode_blocks.h"

#include <array>

namespace plumb::system {

namespace {

/// How many choices of an index a read is led through.
constexpr unsigned kReads = 8;
/// How many elements beyond an array's last are made zero.
constexpr std::uint64_t kExcess = 128;

}  // namespace

std::vector<std::optional<ControlGraph::Label>> readers_of_inputs(const ControlGraph& graph) {
  term::TermMap<std::size_t> positions;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) positions[graph.inputs[i]] = i;
  std::vector<std::optional<ControlGraph::Label>> readers(graph.inputs.size());
  term::TermSet seen;
  for (std::size_t label = 0; label < graph.statements.size(); ++label) {
    const ControlGraph::Statement& statement = graph.statements[label];
    std::vector<Term> terms;
    for (const ControlGraph::Check& check : statement.checks) terms.push_back(check.condition);
    for (const ControlGraph::Assignment& assignment : statement.assignments) terms.push_back(assignment.value);
    for (const ControlGraph::Target& target : statement.targets) terms.push_back(target.condition);
    seen.clear();
    for (const Term variable : term::support(graph.store(), terms, seen))
      if (const std::size_t* at = positions.find(variable)) readers[*at] = static_cast<ControlGraph::Label>(label);
  }
  return readers;
}

BlockExecutor::BlockExecutor(const ControlGraph& graph, const CutPoints& cuts, const Registers& registers,
                             const Accesses& accesses, TermStore& store, const std::vector<Term>& variables,
                             const std::vector<Term>& inputs, std::uint32_t pc_width, const Budget& budget)
    : graph_(graph),
      cuts_(cuts),
      registers_(registers),
      accesses_(accesses),
      store_(store),
      variables_(variables),
      pc_width_(pc_width),
      budget_(budget),
      reads_input_(graph.statements.size(), false),
      paths_(store, budget) {
  for (const std::optional<Label> reader : readers_of_inputs(graph))
    if (reader) reads_input_[*reader] = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs_[graph.inputs[i]] = inputs[i];
}

Block BlockExecutor::execute(Label cut) {
  Block block;
  paths_.clear();
  exits_.clear();
  execute_statement(cut, start(cut), block);
  while (!ahead_.empty()) {
    budget_.check();
    const Label label = cuts_.order[ahead_.begin()->first];
    Ways ways = std::move(ahead_.begin()->second);
    ahead_.erase(ahead_.begin());
    execute_statement(label, paths_.merge(std::move(ways), &registers_.live[label]), block);
  }
  PathTree::Way exit = paths_.merge(std::move(exits_));
  block.next_pc = exit.values.back();
  exit.values.pop_back();
  block.next = std::move(exit.values);
  return block;
}

PathTree::Way BlockExecutor::start(Label cut) {
  held_.assign(graph_.variables.size(), {});
  for (std::size_t v = 0; v < held_.size(); ++v)
    if (registers_.live[cut][v]) held_[v] = without_excess(register_of(v), graph_.variables[v].elements);
  return {PathTree::kRoot, held_};
}

Term BlockExecutor::without_excess(Term array, std::uint64_t elements) {
  const Sort sort = store_.sort(array);
  if (!sort.is_array() || elements == 0 || sort.index_width >= 32) return array;
  const std::uint64_t size = std::uint64_t{1} << sort.index_width;
  if (elements + kExcess < size) return array;
  for (std::uint64_t i = elements; i < size; ++i)
    array = store_.store(array, store_.constant(sort.index_width, i), store_.zero(sort.width));
  return array;
}

void BlockExecutor::execute_statement(Label label, PathTree::Way way, Block& block) {
  const ControlGraph::Statement& statement = graph_.statements[label];
  translated_.clear();
  for (std::size_t i = 0; i < statement.checks.size(); ++i) {
    const Term holds = translate(statement.checks[i].condition, way.values);
    if (store_.is_true(holds)) continue;
    block.failures.push_back({label, i, store_.bit_and(paths_.condition(way.node), store_.bit_not(holds))});
  }
  if (reads_input_[label]) block.visits.push_back({label, paths_.condition(way.node)});
  const std::vector<ControlGraph::Target> targets = live_targets(graph_, label);
  std::vector<Term> conditions;
  for (const ControlGraph::Target& target : targets) conditions.push_back(translate(target.condition, way.values));
  assign(label, targets, way.values);
  if (targets.empty()) lead(std::move(way), std::nullopt);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (store_.is_false(conditions[i])) continue;
    if (store_.is_true(conditions[i])) {
      lead(std::move(way), targets[i].label);
      return;
    }
    PathTree::Way branch{paths_.add(way.node, conditions[i]), way.values};
    learn(conditions[i], branch.values);
    lead(std::move(branch), targets[i].label);
    const Term otherwise = store_.bit_not(conditions[i]);
    way.node = paths_.add(way.node, otherwise);
    learn(otherwise, way.values);
  }
}

void BlockExecutor::assign(Label label, const std::vector<ControlGraph::Target>& targets, std::vector<Term>& values) {
  const std::vector<ControlGraph::Assignment>& assignments = graph_.statements[label].assignments;
  const std::vector<Accesses::Write>& writes = accesses_[label].writes;
  std::vector<Term> assigned(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    bool matters = registers_.kept[writes[i].variable];
    for (const ControlGraph::Target& target : targets)
      matters = matters || registers_.live[target.label][writes[i].variable];
    if (matters) assigned[i] = translate(assignments[i].value, values);
  }
  for (std::size_t i = 0; i < writes.size(); ++i) values[writes[i].variable] = assigned[i];
}

void BlockExecutor::learn(Term condition, std::vector<Term>& values) const {
  const Term opposite = store_.bit_not(condition);
  for (Term& value : values) {
    if (value == condition) value = store_.boolean(true);
    if (value == opposite) value = store_.boolean(false);
  }
}

void BlockExecutor::lead(PathTree::Way way, std::optional<Label> to) {
  if (to && !cuts_.values[*to]) {
    ahead_[cuts_.ranks[*to]].push_back(std::move(way));
    return;
  }
  const std::uint64_t pc = to ? *cuts_.values[*to] : cuts_.end_value;
  const VariableSet& live = pc == cuts_.end_value ? registers_.kept : registers_.live[*to];
  PathTree::Way& exit = exits_.emplace_back();
  exit.node = way.node;
  exit.values.resize(registers_.members.size() + 1);
  for (std::size_t v = 0; v < live.size(); ++v)
    if (live[v]) exit.values[*registers_.of[v]] = way.values[v] == held_[v] ? register_of(v) : way.values[v];
  exit.values.back() = store_.constant(pc_width_, pc);
}

Term BlockExecutor::translate_variable(Term t, const std::vector<Term>& values) const {
  if (const Term* input = inputs_.find(t)) return *input;
  const std::optional<std::uint32_t> variable = accesses_.position(t);
  INVARIANT(variable && values[*variable], "a variable that is read should be live");
  return values[*variable];
}

Term BlockExecutor::select(Term array, Term index, unsigned depth) {
  if (depth == 0 || store_.op(index) != term::Op::Ite) return store_.select(array, index);
  const Term a = store_.child(index, 1);
  const Term b = store_.child(index, 2);
  if (!store_.is_constant(a) && !store_.is_constant(b)) return store_.select(array, index);
  return store_.ite(store_.child(index, 0), select(array, a, depth - 1), select(array, b, depth - 1));
}

Term BlockExecutor::translate(Term root, const std::vector<Term>& values) {
  const TermStore& from = graph_.store();
  std::vector<Term> stack = {root};
  while (!stack.empty()) {
    const Term t = stack.back();
    if (translated_.contains(t)) {
      stack.pop_back();
      continue;
    }
    const std::size_t before = stack.size();
    const unsigned arity = from.arity(t);
    for (unsigned i = arity; i-- > 0;)
      if (!translated_.contains(from.child(t, i))) stack.push_back(from.child(t, i));
    if (stack.size() != before) continue;
    stack.pop_back();
    if (from.is_constant(t)) {
      translated_[t] = store_.constant(from.value(t));
    } else if (from.is_variable(t)) {
      translated_[t] = translate_variable(t, values);
    } else if (from.op(t) == term::Op::Select) {
      const Term read = select(translated_.at(from.child(t, 0)), translated_.at(from.child(t, 1)), kReads);
      translated_[t] = read;
    } else {
      std::array<Term, 3> operands{};
      for (unsigned i = 0; i < arity; ++i) operands[i] = translated_.at(from.child(t, i));
      translated_[t] = store_.make(from.op(t), std::span(operands).first(arity), from.width(t), from.parameter(t));
    }
  }
  return translated_.at(root);
}

}  // namespace plumb::system
