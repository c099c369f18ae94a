// Algorithm 1 of the {P}S{Q} paper up to the program counter: a label a statement, conditions of if and while as
// statements of their own, calls as jumps. The paper gives a call's return label as known; here a hidden variable keeps
// the site that a function was called from (a stack of them in a recursion), and the return goes to one of the sites
// that exist. A function that is called from one place alone needs no such variable.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/tiny/lower/graph.h"

namespace plumb::tiny {

GraphBuilder::GraphBuilder(const Program& program, const Options& options)
    : program_(program),
      options_(options),
      graph_(result_.graph),
      store_(graph_.store()),
      is_live_(live_functions()),
      memory_(program, options, is_live_, graph_),
      terms_(program, options, graph_, memory_, result_.choices),
      precondition_(store_.boolean(true)) {}

std::vector<bool> GraphBuilder::live_functions() const {
  std::vector<bool> live(program_.functions.size());
  std::vector<FunctionId> work{program_.entry};
  live[program_.entry] = true;
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for_each_statement(*program_.functions[f].body, [&](const Statement& s) {
      if (s.kind != Statement::Kind::CallFunction || live[s.function]) return;
      live[s.function] = true;
      work.push_back(s.function);
    });
  }
  return live;
}

Lowered GraphBuilder::build() {
  start_values();
  count_sites();
  halt_ = emit({}, {}, {});
  for (FunctionId f = 0; f < program_.functions.size(); ++f) entries_.push_back(fresh());
  CallSites& own = sites_[program_.entry];
  own.continuations.push_back(lower_end());
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    if (is_live_[f]) lower_function(f);
  }
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    if (is_live_[f]) lower_return(f);
  }
  add_wires();
  finish();
  return std::move(result_);
}

void GraphBuilder::start_values() {
  for (VariableId v = 0; v < program_.variables.size(); ++v) {
    const Variable& variable = program_.variables[v];
    if (!memory_.cell(v).term) continue;
    const bool is_input = variable.kind == Variable::Kind::Parameter && variable.function == program_.entry;
    const bool is_free_global = variable.kind == Variable::Kind::Global && variable.is_free;
    if (is_input || is_free_global) {
      memory_.make_free(v);
      result_.inputs.emplace(variable.unique_name, memory_.cell(v).term);
    } else if (variable.kind == Variable::Kind::Global && variable.definition) {
      terms_.begin(Mode::Pre);
      memory_.set_init(v, terms_.value(*variable.definition));
    }
  }
  std::vector<VariableId> preconditions;
  for_each_statement(*program_.functions[program_.entry].body, [&](const Statement& s) {
    if (is_pre_block(s)) preconditions.push_back(s.variable);
  });
  // A single one ends the run where it is false, so nothing has to be kept.
  if (preconditions.size() < 2) return;
  for (const VariableId v : preconditions) {
    const Memory::Cell& cell = memory_.cell(v);
    memory_.set_init(v, memory_.all_true(cell));
    const Term outermost =
        cell.sizes.empty() ? cell.term : store_.select(cell.term, store_.zero(memory_.index_width(cell)));
    precondition_ = store_.bit_and(precondition_, outermost);
  }
}

void GraphBuilder::count_sites() {
  sites_.resize(program_.functions.size());
  sites_[program_.entry].count = 1;
  std::vector<VariableId> pointers(program_.functions.size(), kNone);
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    if (!is_live_[f]) continue;
    VariableId pointer = kNone;
    for_each_statement(*program_.functions[f].body, [&](const Statement& s) {
      // rho puts the stack pointer's increment right before a recursive call.
      const bool moves = s.kind == Statement::Kind::Assign && s.target->kind == Expression::Kind::Name &&
                         is_stack_pointer(program_.variables[s.target->variable]) && s.value->op == Operator::Add;
      if (moves) pointer = s.target->variable;
      if (s.kind != Statement::Kind::CallFunction) return;
      ++sites_[s.function].count;
      if (pointer != kNone) sites_[s.function].stack_pointer = pointer;
      pointer = kNone;
    });
  }
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    CallSites& sites = sites_[f];
    if (!is_live_[f] || sites.count < 2) continue;
    const std::uint32_t width = bits_for(sites.count);
    const std::string name = program_.functions[f].name + "::return";
    if (sites.stack_pointer == kNone) {
      sites.variable = memory_.add_hidden(Sort{width, 0}, name, 0, store_.zero(width));
    } else {
      const std::uint32_t index = memory_.stack_pointer_width();
      sites.variable = memory_.add_hidden(Sort{width, index}, name, options_.max_stack_size(),
                                          store_.constant_array(index, store_.zero(width)));
    }
  }
}

void GraphBuilder::lower_function(FunctionId function) {
  const Statement& body = *program_.functions[function].body;
  function_ = function;
  const std::size_t epilogue = epilogue_begin(body);
  // What stands behind the postconditions is the return itself, made when all calls are known.
  const Label leave = fresh();
  sites_[function].leave = leave;
  return_label_ = leave;
  return_label_ = lower_sequence(body.body, epilogue, body.body.size(), leave);
  bind(entries_[function], lower_sequence(body.body, 0, epilogue, return_label_));
}

void GraphBuilder::lower_return(FunctionId function) {
  const CallSites& sites = sites_[function];
  INVARIANT(sites.continuations.size() == sites.count, "every call should have been lowered once");
  if (!sites.variable) {
    bind(sites.leave, sites.continuations.front());
    return;
  }
  Term site = sites.variable;
  if (sites.stack_pointer != kNone) site = store_.select(site, memory_.cell(sites.stack_pointer).term);
  Targets targets;
  for (std::size_t i = 0; i < sites.count; ++i) {
    const Term here =
        i + 1 == sites.count ? store_.boolean(true) : store_.eq(site, store_.constant(store_.width(site), i));
    targets.push_back({here, sites.continuations[i]});
  }
  terms_.begin(Mode::Code);
  emit_at(sites.leave, program_.functions[function].place, {}, std::move(targets));
}

Label GraphBuilder::lower_end() {
  terms_.begin(Mode::Code);
  const Label end = emit(program_.functions[program_.entry].place, {}, {});
  const std::size_t cover = property("the end is reached", "cover", {});
  graph_.statements[end].checks.push_back(
      {store_.bit_not(precondition_), cover, program_.location(program_.functions[program_.entry].place)});
  return end;
}

Label GraphBuilder::lower_call(const Statement& s, Label next) {
  CallSites& sites = sites_[s.function];
  const std::size_t site = sites.continuations.size();
  sites.continuations.push_back(next);
  terms_.begin(Mode::Code);
  Assignments assignments;
  if (sites.variable) {
    const bool is_stack = sites.stack_pointer != kNone;
    const std::uint32_t width = store_.sort(sites.variable).width;
    const Term number = store_.constant(width, site);
    const Term kept = is_stack ? store_.store(sites.variable, memory_.cell(sites.stack_pointer).term, number) : number;
    assignments.push_back({sites.variable, kept});
  }
  return emit(s.place, std::move(assignments), go(entries_[s.function]));
}

void GraphBuilder::add_wires() {
  for (const Variable& v : program_.variables) {
    if (v.kind != Variable::Kind::Wire || !v.definition) continue;
    if (v.function != kNone && !is_live_[v.function]) continue;
    // A wire over free wires is not a function of the state, so it cannot be shown.
    if (has_choice(program_, *v.definition)) continue;
    terms_.begin(Mode::Pre);
    graph_.wires.push_back({terms_.value(*v.definition), v.unique_name});
  }
  terms_.begin(Mode::Code);
}

Lowered lower(const Program& program, const Options& options) { return GraphBuilder(program, options).build(); }

}  // namespace plumb::tiny
