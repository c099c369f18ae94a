// Symbolic execution with path merging, as bounded model checkers of software do it (Clarke, Kroening and Lerda, "A
// Tool for Checking ANSI-C Programs", 2004), on a control flow that is unwound while it is executed. Two things differ.
// Faults and assumptions do not become part of the paths: a record has them in order, and questions exclude what comes
// before (record.h), so that a path is its decisions alone and ends where they meet (paths.h). And an iteration that
// constants decide costs no bound.

#include "unroll/executor.h"

#include <algorithm>

#include "base/error.h"
#include "program/analysis/decisions.h"
#include "semantics/ends.h"

namespace plumb::unroll {

using program::BlockId;
using program::Edge;
using program::Kind;

namespace {

constexpr std::uint64_t kCheckInterval = 256;

bool is_leak(const Goal& goal) { return goal.kind == program::GoalKind::Leak; }

}  // namespace

GoalPlaces::GoalPlaces(const Program& program, std::span<const Goal> the_goals) : goals(the_goals) {
  const program::CallGraph calls(program);
  const program::Decisions decisions(program, calls);
  for (std::size_t g = 0; g < goals.size(); ++g) {
    at[{goals[g].at.function, goals[g].at.instruction}].push_back(g);
    for (const CodePoint place : decisions.of(goals[g])) decided_at[{place.function, place.instruction}].push_back(g);
  }
}

Executor::Executor(World& world, const GoalPlaces& goals, Bound bound, std::function<bool(Term condition)> is_possible,
                   const Budget& budget)
    : world_(world),
      terms_(world.terms),
      goals_(goals),
      bound_(bound.unwind),
      contexts_(bound.contexts),
      is_possible_(std::move(is_possible)),
      budget_(budget),
      record_(world.terms),
      open_(world.program.functions.size()),
      at_end_(semantics::functions_at_end(world.program)),
      is_looked_at_after_(!at_end_.empty() || std::ranges::any_of(goals.goals, is_leak)),
      is_memory_asked_(std::ranges::any_of(goals.goals, program::is_about_memory)),
      has_left_(world.terms.boolean(false)) {}

Record Executor::run() {
  const Program& program = world_.program;
  world_.paths.forget_ended();
  State state;
  state.memory = world_.initial;
  const auto is_alive = [&] { return !world_.paths.is_impossible(state.path); };
  for (const FunctionId f : program.constructors)
    if (is_alive()) call_root(f, state, {});
  if (is_alive()) {
    const program::Function& entry = program.functions[program.entry];
    std::vector<Term> arguments;
    if (entry.name == "main") {
      arguments = world_.arguments_of_main(state.memory);
      if (!entry.parameters.empty()) assumptions_.insert("main is called with one argument, the name of the program");
    } else {
      for (const program::ValueId p : entry.parameters) {
        const auto part = static_cast<std::uint32_t>(arguments.size());
        arguments.push_back(world_.variable({0, 0, part}, entry.values[p].width, entry.value_names[p]));
        record_.add_input(terms_.boolean(true), entry.value_names[p], arguments.back());
      }
    }
    if (contexts_ > 0) {
      run_threads(state, std::move(arguments));
    } else {
      call_root(program.entry, state, std::move(arguments));
    }
  }
  // What called exit() goes on where main has returned.
  if (is_alive()) exits_.push_back(std::move(state));
  for (State& end : exits_) end.values.clear();
  if (!exits_.empty()) {
    tell_ended_calls(exits_);
    state = joined(std::exchange(exits_, {}));
    is_ending_ = true;
    for (const FunctionId f : at_end_)
      if (is_alive()) call_root(f, state, {});
    if (is_alive()) check_leaks(state);
  }
  return std::move(record_);
}

void Executor::tell_ended_calls(std::vector<State>& ends) const {
  // Pointers to objects of calls that have ended somewhere else are there: unlike other states that meet, these are not
  // in the same call.
  std::set<ObjectId> all;
  for (const State& end : ends)
    for (const ObjectId object : end.memory.objects())
      if (world_.objects[object].kind == ObjectKind::Stack) all.insert(object);
  for (State& end : ends)
    for (const ObjectId object : all)
      if (end.memory.find(object) == nullptr) end.memory.writable(object) = {{}, terms_.boolean(false)};
}

void Executor::call_root(FunctionId function, State& state, std::vector<Term> arguments) {
  if (!world_.program.functions[function].has_body()) return;
  Activation root;  // calls and is nothing else
  root.now = std::move(state);
  root.context = world_.place({function});
  stack_.push_back(std::move(root));
  Activation& caller = stack_.back();
  caller.next = 1;
  begin_call(caller, {function, caller.now.path}, arguments);
  run_calls();
  stack_.clear();
  state = State{};
  if (root_results_.empty()) {
    state.path = world_.paths.child(Paths::kRoot, terms_.boolean(false));
    return;
  }
  state = std::move(root_results_.front());
  root_results_.clear();
}

void Executor::run_calls() {
  while (stack_.size() > 1) {
    Activation& a = stack_.back();
    if (a.is_busy) {
      run_block(a);
    } else if (!a.urgent.empty() || !a.pending.empty()) {
      start_block(a);
    } else {
      finish(a);
    }
  }
  root_results_ = std::move(stack_.front().results);
}

State Executor::joined(std::vector<State> states) {
  if (states.size() == 1) {
    states.front().path = world_.paths.reduced(states.front().path);
    return std::move(states.front());
  }
  std::vector<PathId> ends;
  for (const State& s : states) ends.push_back(s.path);
  const auto join_values = [&](Term condition, std::vector<Term>& own, const std::vector<Term>& others) {
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] != others[i]) own[i] = terms_.ite(condition, own[i], others[i]);
  };
  const auto join_rounds = [&](std::vector<Round>& own, const std::vector<Round>& others) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const bool is_same = current_ != nullptr || own[i].at_head == others[i].at_head;
      own[i].counted = std::min(own[i].counted, others[i].counted);
      own[i].is_decided = own[i].is_decided && others[i].is_decided && is_same;
      own[i].is_chosen = own[i].is_chosen || others[i].is_chosen;
    }
  };
  const auto join = [&](std::size_t into, std::size_t from, Term condition) {
    State& a = states[into];
    State& b = states[from];
    join_values(condition, a.values, b.values);
    a.memory = MemoryState::choice(terms_, condition, std::move(a.memory), b.memory);
    join_rounds(a.rounds, b.rounds);
    for (std::size_t i = 0; i < a.callers.size(); ++i) {
      join_values(condition, a.callers[i].values, b.callers[i].values);
      join_rounds(a.callers[i].rounds, b.callers[i].rounds);
    }
    if (a.threads) a.threads = ThreadTerms::choice(condition, *std::move(a.threads), *b.threads);
    has_section_conflict_ = has_section_conflict_ || a.sections != b.sections;
    if (a.attempt != b.attempt) a.attempt = nullptr;
    b = State{};
  };
  const auto [left, path] = world_.paths.meet(ends, join);
  State made = std::move(states[left]);
  made.path = path;
  return made;
}

void Executor::start_block(Activation& a) {
  budget_.check();
  if (!a.urgent.empty()) {
    std::tie(a.key, a.now) = std::move(a.urgent.back());
    a.urgent.pop_back();
  } else {
    auto first = a.pending.extract(a.pending.begin());
    a.key = std::move(first.key());
    a.now = joined(std::move(first.mapped()));
  }
  a.block = a.plan->order().block_at(a.key.back());
  a.place = 0;
  const program::Function& function = a.plan->function();
  const program::Block& block = function.blocks[a.block];
  const std::vector<Term>& values = a.now.values;
  std::size_t at = 0;
  for (const program::ValueId v : block.arguments) a.values[v] = values[at++];
  for (const program::ValueId v : a.plan->live_ins(a.block)) a.values[v] = values[at++];
  if (observer_.on_joined) {
    tell_joined(a, block.arguments);
    tell_joined(a, a.plan->live_ins(a.block));
  }
  a.next = block.first_instruction;
  a.is_busy = go_round(a);
}

void Executor::tell_joined(const Activation& a, std::span<const program::ValueId> values) const {
  for (const program::ValueId v : values) {
    const std::string& name = a.plan->function().value_names[v];
    if (!name.empty() && terms_.op(a.values[v]) == term::Op::Ite) observer_.on_joined(a.values[v], name);
  }
}

bool Executor::go_round(Activation& a) {
  const program::BlockOrder& order = a.plan->order();
  const std::uint32_t cycle = order.cycle_of(a.block);
  if (cycle == kNone || order.cycle(cycle).head != a.block) return true;
  Round& round = a.now.rounds.back();
  bool is_same = round.at_head == a.now.path;
  if (current_ != nullptr) {
    // Paths change wherever others may run. A loop that counts has values of its own that change; one that waits for
    // what others do has not, though memory may be constant as long as nobody has done it.
    const std::size_t count = a.plan->function().blocks[a.block].arguments.size();
    std::vector<Term> carried(a.now.values.begin(), a.now.values.begin() + static_cast<std::ptrdiff_t>(count));
    is_same = !round.is_chosen && carried != round.carried;
    round.carried = std::move(carried);
  }
  const bool is_free = round.is_decided && is_same;
  round.is_decided = false;
  round.is_chosen = false;
  round.at_head = a.now.path;
  if (round.iteration == 0) return true;
  if (is_free && round.iteration < kFree * (bound_ + 1)) return true;
  ++round.counted;
  const Term condition = world_.paths.condition(a.now.path);
  const bool is_possible = is_possible_(terms_.bit_and(condition, record_.going_on()));
  if (is_possible && round.counted <= bound_ && !is_free) return true;
  if (is_possible) record_.add(Record::Kind::Cut, condition, kUnwindingCut);
  end_path(a);
  return false;
}

void Executor::run_block(Activation& a) {
  const program::Function& function = a.plan->function();
  for (;;) {
    const InstructionId id = a.next++;
    if (++steps_ % kCheckInterval == 0) budget_.check();
    const Step step = execute(a, id, function.instructions[id]);
    if (step == Step::Next) continue;
    if (step == Step::Ended) a.is_busy = false;
    return;
  }
}

Executor::Step Executor::execute(Activation& a, InstructionId id, const Instruction& i) {
  const auto decided = goals_.decided_at.find({a.function, id});
  if (decided != goals_.decided_at.end()) cover(a, decided->second);
  if (contexts_ > 0) count_operation(a, i);
  switch (i.kind) {
    case Kind::Operator:
      return run_operator(a, i);
    case Kind::Float:
      return run_float(a, i);
    case Kind::Load:
    case Kind::Store:
    case Kind::Allocate:
    case Kind::CopyMemory:
    case Kind::FillMemory:
    case Kind::CheckIndex:
      return run_access(a, i);
    case Kind::Call:
    case Kind::CallIndirect:
      return run_call(a, i);
    case Kind::Intrinsic:
      return run_intrinsic(a, i, i.intrinsic(), operands(a, i));
    default:
      return terminate(a, i);
  }
}

Executor::Step Executor::terminate(Activation& a, const Instruction& i) {
  switch (i.kind) {
    case Kind::Jump:
      follow(a, a.plan->function().edges_of(i)[0], a.now.path, true);
      return Step::Ended;
    case Kind::Branch:
      branch(a, i);
      return Step::Ended;
    case Kind::Switch:
      switch_on(a, i);
      return Step::Ended;
    case Kind::Return:
      return_from(a, i);
      return Step::Ended;
    default:
      break;
  }
  const std::string message = i.parameter == kNone ? "" : world_.program.messages[i.parameter];
  if (i.halt_reason() == program::HaltReason::Unsupported) return gap(a, message);
  const bool is_trap = i.halt_reason() == program::HaltReason::Trap;
  fault(a, is_trap ? FaultKind::Trap : FaultKind::Unreachable, terms_.boolean(true));
  return Step::Ended;
}

void Executor::branch(Activation& a, const Instruction& i) {
  const program::Function& function = a.plan->function();
  const std::span<const Edge> edges = function.edges_of(i);
  const Term condition = world_.paths.decided(a.now.path, value(a, function.operands_of(i)[0]));
  if (terms_.is_constant(condition)) {
    const Edge& taken = edges[terms_.is_true(condition) ? 0 : 1];
    mark_decided(a, i, taken);
    return follow(a, taken, a.now.path, true);
  }
  const PathId path = a.now.path;
  mark_chosen(a, i);
  tell_branch(path, condition);
  follow(a, edges[0], world_.paths.child(path, condition), false);
  follow(a, edges[1], world_.paths.child(path, terms_.bit_not(condition)), true);
}

void Executor::switch_on(Activation& a, const Instruction& i) {
  const program::Function& function = a.plan->function();
  const std::span<const Edge> edges = function.edges_of(i);
  const std::span<const program::ValueId> values = function.operands_of(i);
  const Term selector = value(a, values[0]);
  // Cases that lead to the same block are one decision; each decision excludes those before it.
  std::vector<std::pair<const Edge*, Term>> ways;
  for (std::size_t c = 1; c < edges.size(); ++c) {
    const Term is_case = terms_.eq(selector, value(a, values[c]));
    const auto same = std::ranges::find_if(
        ways, [&](const auto& way) { return way.first->target == edges[c].target && edges[c].argument_count == 0; });
    if (same == ways.end()) {
      ways.emplace_back(&edges[c], is_case);
    } else {
      same->second = terms_.bit_or(same->second, is_case);
    }
  }
  if (terms_.is_constant(selector)) {
    const auto taken = std::ranges::find_if(ways, [&](const auto& way) { return terms_.is_true(way.second); });
    const Edge& edge = taken == ways.end() ? edges[0] : *taken->first;
    mark_decided(a, i, edge);
    return follow(a, edge, a.now.path, true);
  }
  PathId rest = a.now.path;
  mark_chosen(a, i);
  for (const auto& [edge, condition] : ways) {
    if (edge->target == edges[0].target && edge->argument_count == 0) continue;  // as the default
    tell_branch(rest, condition);
    follow(a, *edge, world_.paths.child(rest, condition), false);
    rest = world_.paths.child(rest, terms_.bit_not(condition));
  }
  follow(a, edges[0], rest, true);
}

void Executor::tell_branch(PathId path, Term condition) const {
  if (observer_.on_branch) observer_.on_branch(world_.paths.condition(path), condition, record_.events().size());
}

void Executor::mark_decided(Activation& a, const Instruction& i, const Edge& taken) {
  const program::BlockOrder& order = a.plan->order();
  const std::span<const std::uint32_t> nest = order.nest(a.block);
  for (const Edge& edge : a.plan->function().edges_of(i)) {
    if (edge.target == taken.target) continue;
    for (std::size_t depth = 0; depth < nest.size(); ++depth)
      if (!order.contains(nest[depth], edge.target)) a.now.rounds[depth].is_decided = true;
  }
}

void Executor::mark_chosen(Activation& a, const Instruction& i) {
  const program::BlockOrder& order = a.plan->order();
  const std::span<const std::uint32_t> nest = order.nest(a.block);
  for (const Edge& edge : a.plan->function().edges_of(i))
    for (std::size_t depth = 0; depth < nest.size(); ++depth)
      if (!order.contains(nest[depth], edge.target)) a.now.rounds[depth].is_chosen = true;
}

void Executor::follow(Activation& a, const Edge& edge, PathId path, bool is_last) {
  if (world_.paths.is_impossible(path)) return world_.paths.mark_ended(path);
  const program::Function& function = a.plan->function();
  const program::BlockOrder& order = a.plan->order();
  State state;
  state.path = path;
  for (const program::ValueId v : function.arguments_of(edge)) state.values.push_back(value(a, v));
  for (const program::ValueId v : a.plan->live_ins(edge.target)) state.values.push_back(value(a, v));
  if (is_last) {
    state.memory = std::move(a.now.memory);
  } else {
    state.memory = a.now.memory;
  }
  if (current_ != nullptr) {
    state.threads = a.now.threads;
    state.callers = a.now.callers;
    state.sections = a.now.sections;
    state.attempt = a.now.attempt;
  } else if (a.plan->is_end(edge.target)) {
    Key key = a.key;
    key.push_back(order.rank(edge.target));
    a.urgent.emplace_back(std::move(key), std::move(state));
    return;
  }
  const std::span<const std::uint32_t> from = order.nest(a.block);
  const std::span<const std::uint32_t> to = order.nest(edge.target);
  Key key;
  bool is_common = true;
  for (std::size_t depth = 0; depth < to.size(); ++depth) {
    is_common = is_common && depth < from.size() && from[depth] == to[depth];
    Round round;
    round.at_head = path;
    if (is_common) round = a.now.rounds[depth];
    if (is_common && order.cycle(to[depth]).head == edge.target) ++round.iteration;
    state.rounds.push_back(round);
    key.push_back(order.cycle(to[depth]).first);
    key.push_back(static_cast<std::uint32_t>(round.iteration));
  }
  key.push_back(order.rank(edge.target));
  if (current_ != nullptr) return arrive({&a, std::move(key), edge.target, {}}, std::move(state));
  a.pending[std::move(key)].push_back(std::move(state));
}

std::uint32_t Executor::place(Activation& a) {
  if (a.place != 0) return a.place;
  std::vector<std::uint32_t> description{a.context};
  description.insert(description.end(), a.key.begin(), a.key.end());
  a.place = world_.place(std::move(description));
  return a.place;
}

}  // namespace plumb::unroll
