// From blocks to statements. A statement is a stretch of a block up to a call that is entered, or to its end: executed
// symbolically, its values are terms over the variables at its start. What can end a run in the middle of it (a fault,
// an assumption, a limit) is joined into the condition `alive`, which guards every later check and, as the first
// target, leads to the end. Variables hold what one statement leaves to another: which values these are turns out while
// statements are made, so definitions are kept and become assignments at the end.

#include "flatten/translate/translator.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::flatten {

using program::BlockId;

Translator::FunctionInfo::FunctionInfo(const Function& function) : uses(function), liveness(function, uses) {
  block_of.resize(function.instructions.size());
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    for (std::uint32_t i = 0; i < function.blocks[b].instruction_count; ++i)
      block_of[function.blocks[b].first_instruction + i] = b;
}

Translator::Translator(const Program& program, std::span<const Goal> goals, const Options& options,
                       const Budget& budget, Flattened& result)
    : program_(program),
      platform_(program::platform_of(program.layout)),
      goals_(goals),
      is_memory_asked_(std::ranges::any_of(goals, program::is_about_memory)),
      options_(options),
      budget_(budget),
      result_(result),
      graph_(result.graph),
      calls_(program),
      instances_(program, calls_, options),
      memory_(program, calls_, instances_, options, result, budget),
      properties_(program, calls_, goals, result),
      values_(program, instances_, memory_, result),
      depths_(instances_.component_count()) {}

Translator::~Translator() = default;

const Translator::FunctionInfo& Translator::info(FunctionId f) {
  std::unique_ptr<FunctionInfo>& info = infos_[f];
  if (!info) info = std::make_unique<FunctionInfo>(program_.functions[f]);
  return *info;
}

void Translator::run() {
  end_ = add_statement("end");
  start();
  while (!pending_.empty()) {
    budget_.check();
    const Stretch next = pending_.back();
    pending_.pop_back();
    translate(next);
  }
  connect_returns();
  save_values();
  assign_values();
  properties_.finish();
  for (std::string& assumption : memory_.assumptions()) assume(std::move(assumption));
}

Translator::Label Translator::add_statement(std::string text) {
  if (graph_.statements.size() >= options_.max_statements)
    throw Unsupported(
        fmt::format("the program has more than {} basic blocks, calls counted each", options_.max_statements));
  const auto label = static_cast<Label>(graph_.statements.size());
  graph_.statements.emplace_back();
  graph_.statements.back().text = std::move(text);
  definitions_.emplace_back();
  return label;
}

Translator::Label Translator::stretch(InstanceId instance, BlockId block, InstructionId first) {
  const auto [found, is_new] = labels_.try_emplace(std::uint64_t{instance} << 32 | first, 0);
  if (is_new) {
    const Function& function = this->function(instance);
    const Label label = add_statement(fmt::format("{}: {}", function.name, function.blocks[block].name));
    found->second = label;
    pending_.push_back({label, instance, block, first});
  }
  return found->second;
}

Translator::Label Translator::block(InstanceId instance, BlockId b) {
  return stretch(instance, b, function(instance).blocks[b].first_instruction);
}

void Translator::translate(const Stretch& stretch) {
  const Function& function = this->function(stretch.instance);
  const program::Block& block = function.blocks[stretch.block];
  Draft draft(stretch.label, stretch.instance, graph_);
  for (InstructionId i = stretch.first;; ++i) {
    INVARIANT(i < block.first_instruction + block.instruction_count, "a block should end in a terminator");
    const Instruction& instruction = function.instructions[i];
    if (!draft.location.is_known()) draft.location = instruction.location;
    cover(draft, i);
    if (program::is_terminator(instruction.kind)) {
      terminate(draft, instruction, i);
      break;
    }
    if (instruction.kind == Kind::Call || instruction.kind == Kind::CallIndirect) {
      if (call(draft, instruction, i)) break;
    } else {
      execute(draft, instruction, i);
    }
    if (store().is_false(draft.alive) || !draft.targets.empty()) break;
  }
  commit(draft);
}

void Translator::commit(Draft& draft) {
  ControlGraph::Statement& statement = graph_.statements[draft.label];
  statement.location = program_.describe(draft.location);
  statement.checks = std::move(draft.checks);
  statement.assignments = draft.memory.assignments();
  statement.assignments.insert(statement.assignments.end(), draft.assignments.begin(), draft.assignments.end());
  if (store().is_false(draft.alive)) draft.targets.clear();
  if (!draft.targets.empty() && !store().is_true(draft.alive))
    statement.targets.push_back({store().bit_not(draft.alive), end_});
  statement.targets.insert(statement.targets.end(), draft.targets.begin(), draft.targets.end());
}

Term Translator::root_parameter(InstanceId instance, std::size_t position) {
  const Function& function = this->function(instance);
  const Value& value = function.values[function.parameters[position]];
  if (function.name != "main") {
    const std::string& name = function.value_names[function.parameters[position]];
    return input(value.width, {instances_[instance].function, 0}, name, true);
  }
  if (position == 0) return store().one(value.width);
  const Term address = position == 1 ? memory_.address_of_arguments() : memory_.address_of_environment();
  INVARIANT(store().width(address) == value.width, "the second and third parameter of main should be pointers");
  return address;
}

void Translator::start() {
  graph_.entry = add_statement("start");
  Draft draft(graph_.entry, 0, graph_);
  const auto entry = static_cast<InstanceId>(program_.constructors.size());
  const Function& function = this->function(entry);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ValuePlace place = {entry, function.parameters[i]};
    const Term term = root_parameter(entry, i);
    if (store().is_variable(term) || instances_[entry].is_single)
      draft.assignments.push_back({graph_.variables[values_.variable(place)].term, term});
    else
      values_.set_constant(place, term);
  }
  if (function.name == "main" && !function.parameters.empty())
    assume("main is called with one argument, the name of the program");
  draft.targets.push_back({store().boolean(true), root(0)});
  commit(draft);
}

/// Where the root with this position, and then those behind it, are run.
Translator::Label Translator::root(std::size_t position) {
  if (position == instances_.root_count()) return finish_label();
  const auto instance = static_cast<InstanceId>(position);
  if (!instances_[instance].is_single) return block(instance, 0);
  if (const auto known = root_launches_.find(instance); known != root_launches_.end()) return known->second;
  const Label made = launch(instance, kNone, kNone, root(position + 1));
  root_launches_[instance] = made;
  return made;
}

void Translator::assume(std::string text) {
  std::vector<std::string>& all = result_.assumptions;
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

void Translator::assign_values() {
  for (Label label = 0; label < definitions_.size(); ++label)
    for (const Definition& definition : definitions_[label])
      if (const auto variable = values_.existing_variable(definition.origin))
        if (const Term term = graph_.variables[*variable].term; term != definition.term)
          graph_.statements[label].assignments.push_back({term, definition.term});
  definitions_.clear();
}

}  // namespace plumb::flatten
