// Calls. An inlined instance is part of its caller: the call leads to its entry, its returns lead behind the call, and
// its parameters are the caller's values. A single instance is entered by a statement of its own for each call
// (launch), which gives the parameters and the label of the call; its returns lead by the label to a second one
// (landing), which takes the results. Recursion needs a stack for the caller's values that are live behind the call,
// and for its label: launch writes them to arrays at the depth of the caller, landing reads them back. The depth is
// that of the component, so functions that call each other count together.

#include "semantics/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "flatten/translate/translator.h"
#include "semantics/output.h"

namespace plumb::flatten {

using semantics::is_output;

namespace {

std::string mismatch_text(const Function& callee) {
  return fmt::format("'{}' is called with fewer arguments than it has parameters", callee.name);
}

std::uint32_t bits_for(std::uint32_t count) {
  return count <= 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(count - 1));
}

}  // namespace

bool Translator::call(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& caller = function(draft.instance);
  if (instruction.kind == Kind::Call) {
    const Function& callee = program_.functions[instruction.parameter];
    if (!callee.has_body() || is_output(callee)) {
      call_outside(draft, instruction, id, callee);
      return false;
    }
    const semantics::CallFit fit = semantics::call_fit(caller, instruction, callee);
    if (fit != semantics::CallFit::Exact) {
      if (fit == semantics::CallFit::Missing)
        require_limit(draft, store().boolean(false), id, Limit::Kind::Mismatch, mismatch_text(callee));
      require(draft, store().boolean(false), id, program::GoalKind::Call);
      return true;
    }
    draft.targets.push_back({store().boolean(true), enter(draft.instance, id, instruction.parameter)});
    return true;
  }
  const Term address = operand(draft, instruction, 0);
  Term is_known = store().boolean(false);
  for (const FunctionId f : possible_callees(program_, calls_, caller, instruction)) {
    if (!memory_.may_call(place(draft, id), f)) continue;
    const Term is_callee = store().eq(address, memory_.address_of_function(f));
    if (store().is_false(is_callee)) continue;
    draft.targets.push_back({is_callee, enter(draft.instance, id, f)});
    is_known = store().bit_or(is_known, is_callee);
  }
  Term is_missing = store().boolean(false);
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    if (!calls_.is_address_taken(f) || !memory_.may_call(place(draft, id), f) ||
        semantics::call_fit(caller, instruction, program_.functions[f]) != semantics::CallFit::Missing)
      continue;
    is_missing = store().bit_or(is_missing, store().eq(address, memory_.address_of_function(f)));
  }
  require_limit(draft, store().bit_not(is_missing), id, Limit::Kind::Mismatch,
                "a call with fewer arguments than the function has parameters");
  require(draft, is_known, id, program::GoalKind::Call);
  if (!draft.targets.empty()) draft.targets.back().condition = store().boolean(true);
  return true;
}

/// What an output function gives; false if its model would have to be executed to know it.
bool Translator::give_output(Draft& draft, const Instruction& instruction) {
  const Function& caller = function(draft.instance);
  if (instruction.kind != Kind::Call) return false;
  if (streams_.empty())
    for (const program::GlobalId g : semantics::standard_streams(program_))
      streams_.push_back(memory_.address_of_global(g));
  const std::optional<Term> result =
      semantics::output_result(store(), program_, caller, instruction, operands(draft, instruction), streams_);
  if (!result) return false;
  assume(semantics::kOutputSucceeds);
  define(draft, instruction.first_result, *result);
  return true;
}

/// A function that is not there: its results are arbitrary and it changes nothing.
void Translator::call_outside(Draft& draft, const Instruction& instruction, InstructionId id, const Function& callee) {
  const Function& caller = function(draft.instance);
  if (!is_output(callee))
    pass_limit(draft, id, Limit::Kind::MissingBody, semantics::missing_body_text(callee));
  else if (is_memory_asked_ && semantics::reads_memory(program_, caller, instruction))
    pass_limit(draft, id, Limit::Kind::Skipped, fmt::format("what '{}' reads", callee.name));
  if (is_output(callee) && semantics::is_result_used(caller, instruction)) {
    if (give_output(draft, instruction)) return;
    pass_limit(draft, id, Limit::Kind::Skipped, fmt::format("what '{}' gives", callee.name));
  }
  const bool is_asked = !callee.has_body();  // the interpreter asks for what has no body
  for (std::uint32_t i = 0; i < instruction.result_count; ++i) {
    const ValueId value = instruction.first_result + i;
    const Term given = input(function(draft.instance).values[value].width, point(draft, id), callee.name, is_asked);
    define_input(draft, value, given);
  }
}

Translator::Label Translator::enter(InstanceId caller, InstructionId call, FunctionId callee) {
  const InstanceId target = instances_.target(caller, call, callee);
  if (target == kNone) return outside_statement(caller, call, callee);
  if (!instances_[target].is_single) return block(target, 0);
  const program::BlockId block = info(instances_[caller].function).block_of[call];
  return launch(target, caller, call, stretch(caller, block, call + 1));
}

/// Stands for a function without a body that is called through a pointer.
Translator::Label Translator::outside_statement(InstanceId caller, InstructionId call, FunctionId callee) {
  const Function& function = program_.functions[callee];
  const Instruction& instruction = this->function(caller).instructions[call];
  Draft draft(add_statement(function.name), caller, graph_);
  draft.location = instruction.location;
  if (program::intrinsic_of(function.name) && !is_output(function))
    unsupported(draft, call, fmt::format("call of '{}' through a pointer", function.name));
  else
    call_outside(draft, instruction, call, function);
  const program::BlockId block = info(instances_[caller].function).block_of[call];
  draft.targets.push_back({store().boolean(true), stretch(caller, block, call + 1)});
  commit(draft);
  return draft.label;
}

Translator::Single& Translator::single(InstanceId instance) {
  const auto [found, is_new] = singles_.try_emplace(instance);
  if (!is_new) return found->second;
  single_order_.push_back(instance);
  const Function& function = this->function(instance);
  Single made;
  const std::uint32_t width = bits_for(instances_.call_count(instance));
  made.label = values_.add_hidden({width, 0}, function.name + ".return");
  for (const std::uint32_t result : function.result_widths)
    made.results.push_back(values_.add_hidden({result, 0}, function.name + ".result"));
  found->second = std::move(made);
  return found->second;
}

std::size_t Translator::depth(std::uint32_t component) {
  std::optional<std::size_t>& depth = depths_[component];
  if (!depth) depth = values_.add_hidden({bits_for(options_.stack_depth), 0}, fmt::format("depth.{}", component));
  return *depth;
}

Translator::Label Translator::launch(InstanceId callee, InstanceId caller, InstructionId call, Label after) {
  const Instance& entered = instances_[callee];
  const Function& function = this->function(callee);
  const bool is_recursive =
      caller != kNone && entered.is_recursive && instances_[caller].component == entered.component;
  const Label back = landing(callee, caller, call, after, is_recursive);
  Draft draft(add_statement(function.name + ": call"), caller == kNone ? callee : caller, graph_);
  Single& shared = single(callee);
  const std::size_t number = shared.sites.size();
  shared.sites.push_back({draft.label, back, caller, call, is_recursive});
  const Term label = graph_.variables[shared.label].term;
  draft.assignments.push_back({label, store().constant(store().width(label), number)});
  if (caller != kNone) {
    const Instruction& instruction = this->function(caller).instructions[call];
    const std::size_t first = instruction.kind == Kind::CallIndirect ? 1 : 0;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      definitions_[draft.label].push_back({{callee, function.parameters[i]}, operand(draft, instruction, first + i)});
    draft.location = instruction.location;
  }
  if (entered.is_recursive) {
    const Term depth = graph_.variables[this->depth(entered.component)].term;
    const std::uint32_t width = store().width(depth);
    Term inner = store().zero(width);
    if (is_recursive) {
      inner = store().add(depth, store().one(width));
      require_limit(draft, store().ult(depth, store().constant(width, options_.stack_depth - 1)), call,
                    Limit::Kind::Stack,
                    fmt::format("more than {} open calls of '{}' (--stack)", options_.stack_depth, function.name));
    }
    draft.assignments.push_back({depth, inner});
  }
  draft.targets.push_back({store().boolean(true), block(callee, 0)});
  commit(draft);
  return draft.label;
}

Translator::Label Translator::landing(InstanceId callee, InstanceId caller, InstructionId call, Label after,
                                      bool is_recursive) {
  Draft draft(add_statement(function(callee).name + ": return"), caller == kNone ? callee : caller, graph_);
  if (caller != kNone) {
    const Instruction& instruction = function(caller).instructions[call];
    for (std::uint32_t i = 0; i < instruction.result_count; ++i)
      definitions_[draft.label].push_back(
          {{caller, instruction.first_result + i}, graph_.variables[single(callee).results[i]].term});
    draft.location = instruction.location;
  }
  if (is_recursive) {
    const Term depth = graph_.variables[this->depth(instances_[callee].component)].term;
    draft.assignments.push_back({depth, store().sub(depth, store().one(store().width(depth)))});
  }
  draft.targets.push_back({store().boolean(true), after});
  commit(draft);
  return draft.label;
}

void Translator::return_from(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Instance& instance = instances_[draft.instance];
  memory_.leave(draft.memory, place(draft, id), store().boolean(true));
  if (instance.is_single) {
    Single& shared = single(draft.instance);
    shared.returns.push_back(draft.label);
    for (std::size_t i = 0; i < shared.results.size(); ++i)
      draft.assignments.push_back({graph_.variables[shared.results[i]].term, operand(draft, instruction, i)});
    draft.targets.push_back({store().boolean(true), end_});  // connect_returns() knows where to
    return;
  }
  if (instance.caller == kNone) {
    draft.targets.push_back({store().boolean(true), root(std::size_t{draft.instance} + 1)});
    return;
  }
  const Function& caller = this->function(instance.caller);
  const Instruction& call = caller.instructions[instance.call];
  if (!values_.is_transparent(instance.caller, call, instance.call))
    for (std::uint32_t i = 0; i < call.result_count; ++i)
      definitions_[draft.label].push_back({{instance.caller, call.first_result + i}, operand(draft, instruction, i)});
  const program::BlockId block = info(instances_[instance.caller].function).block_of[instance.call];
  draft.targets.push_back({store().boolean(true), stretch(instance.caller, block, instance.call + 1)});
}

void Translator::connect_returns() {
  for (const InstanceId instance : single_order_) {
    const Single& shared = singles_.at(instance);
    const Term label = graph_.variables[shared.label].term;
    for (const Label at : shared.returns) {
      std::vector<ControlGraph::Target>& targets = graph_.statements[at].targets;
      if (targets.empty()) continue;
      targets.pop_back();
      for (std::size_t i = 0; i < shared.sites.size(); ++i) {
        const bool is_last = i + 1 == shared.sites.size();
        const Term is_site = store().eq(label, store().constant(store().width(label), i));
        targets.push_back({is_last ? store().boolean(true) : is_site, shared.sites[i].landing});
      }
    }
  }
}

/// Values that are defined before the call and used behind it.
std::vector<ValueId> Translator::live_after(InstanceId instance, InstructionId call) {
  const Function& function = this->function(instance);
  const FunctionInfo& info = this->info(instances_[instance].function);
  const program::BlockId b = info.block_of[call];
  const auto out = info.liveness.live_out(b);
  std::vector<ValueId> live(out.begin(), out.end());
  const InstructionId end = function.blocks[b].first_instruction + function.blocks[b].instruction_count;
  const auto use = [&](std::span<const ValueId> used) {
    for (const ValueId v : used)
      if (program::is_variable(function.values[v])) live.push_back(v);
  };
  for (InstructionId i = call + 1; i < end; ++i) {
    use(function.operands_of(function.instructions[i]));
    for (const program::Edge& edge : function.edges_of(function.instructions[i])) use(function.arguments_of(edge));
  }
  std::sort(live.begin(), live.end());
  live.erase(std::unique(live.begin(), live.end()), live.end());
  std::erase_if(live, [&](ValueId v) {
    const Value& value = function.values[v];
    return value.kind == program::ValueKind::Result && value.index >= call && value.index < end;
  });
  return live;
}

void Translator::save_values() {
  for (const InstanceId instance : single_order_)
    for (const CallSite& site : singles_.at(instance).sites) {
      if (!site.is_recursive) continue;
      const std::uint32_t component = instances_[instance].component;
      std::vector<std::size_t> saved = {singles_.at(site.caller).label};
      for (const ValueId v : live_after(site.caller, site.call))
        if (const auto variable = values_.existing_variable(values_.origin({site.caller, v})))
          if (std::find(saved.begin(), saved.end(), *variable) == saved.end()) saved.push_back(*variable);
      for (const std::size_t variable : saved) save(site, variable, component);
    }
}

void Translator::save(const CallSite& site, std::size_t variable, std::uint32_t component) {
  const Term depth = graph_.variables[this->depth(component)].term;
  const Term term = graph_.variables[variable].term;
  const std::uint32_t index_width = store().width(depth);
  const auto [found, is_new] = stacks_.try_emplace(variable, 0);
  if (is_new)
    found->second =
        values_.add_hidden({store().width(term), index_width}, store().name(term) + ".stack", options_.stack_depth);
  const Term stack = graph_.variables[found->second].term;
  graph_.statements[site.launch].assignments.push_back({stack, store().store(stack, depth, term)});
  const Term outer = store().sub(depth, store().one(index_width));
  graph_.statements[site.landing].assignments.push_back({term, store().select(stack, outer)});
}

}  // namespace plumb::flatten
