#include "flatten/translate/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "program/analysis/loops.h"

namespace plumb::flatten {

namespace {

/// What clang calls values that no variable holds; a number may follow.
constexpr std::array<std::string_view, 40> kTemporaries = {
    "add",  "sub",    "mul",     "div",     "rem",      "inc",     "dec",    "incdec",   "cmp",        "conv",
    "call", "tobool", "lnot",    "land",    "lor",      "cond",    "neg",    "not",      "and",        "or",
    "xor",  "shl",    "shr",     "bf",      "retval",   "idxprom", "idx",    "arrayidx", "arraydecay", "frombool",
    "fneg", "unused", "storedv", "loadedv", "promoted", "resize",  "coerce", "ref",      "tmp",        "saved_stack"};

bool is_temporary(std::string_view name) {
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  return name.empty() || std::find(kTemporaries.begin(), kTemporaries.end(), name) != kTemporaries.end();
}

/// Promotion of variables numbers them: "x.0".
std::string without_number(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::string(name);
  const std::string_view number = name.substr(dot + 1);
  const bool is_number = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? std::string(name.substr(0, dot)) : std::string();
}

}  // namespace

Values::Values(const Program& program, const Instances& instances, const Memory& memory, Flattened& result)
    : program_(program), instances_(instances), memory_(memory), result_(result) {}

const Values::FunctionInfo& Values::info(FunctionId f) const {
  std::unique_ptr<FunctionInfo>& kept = infos_[f];
  if (kept) return *kept;
  kept = std::make_unique<FunctionInfo>();
  FunctionInfo& info = *kept;
  const Function& function = program_.functions[f];
  std::uint32_t returns = 0;
  for (InstructionId i = 0; i < function.instructions.size(); ++i)
    if (function.instructions[i].kind == Kind::Return) {
      ++returns;
      info.only_return = i;
    }
  if (returns != 1) info.only_return = kNone;
  info.is_loop_head.resize(function.blocks.size());
  const program::LoopForest loops{program::Cfg(function)};
  for (const program::Loop& loop : loops.all()) info.is_loop_head[loop.header] = true;
  for (const std::string& name : function.value_names)
    if (!name.empty()) ++info.name_counts[without_number(name)];
  return info;
}

bool Values::is_transparent(InstanceId caller, const Instruction& call, InstructionId id) const {
  if (call.kind != Kind::Call) return false;
  const InstanceId target = instances_.target(caller, id, call.parameter);
  return target != kNone && !instances_[target].is_single && info(call.parameter).only_return != kNone;
}

ValuePlace Values::origin(ValuePlace place) const {
  for (;;) {
    const Value& value = this->value(place);
    const Instance& instance = instances_[place.instance];
    if (value.kind == ValueKind::Parameter && instance.caller != kNone) {
      const Function& caller = function(instance.caller);
      const Instruction& call = caller.instructions[instance.call];
      const std::size_t first = call.kind == Kind::CallIndirect ? 1 : 0;
      place = {instance.caller, caller.operands_of(call)[first + value.index]};
      continue;
    }
    if (value.kind == ValueKind::Result) {
      const Function& function = this->function(place.instance);
      const Instruction& call = function.instructions[value.index];
      if (is_transparent(place.instance, call, value.index)) {
        const InstanceId callee = instances_.target(place.instance, value.index, call.parameter);
        const Function& entered = this->function(callee);
        const Instruction& leave = entered.instructions[info(call.parameter).only_return];
        place = {callee, entered.operands_of(leave)[place.value - call.first_result]};
        continue;
      }
    }
    return place;
  }
}

Term Values::constant(ValuePlace origin) const {
  if (const auto found = constants_.find(origin); found != constants_.end()) return found->second;
  const Value& value = this->value(origin);
  term::TermStore& store = result_.graph.store();
  switch (value.kind) {
    case ValueKind::Constant:
      return store.constant(function(origin.instance).constant(origin.value));
    case ValueKind::GlobalAddress: {
      const Term base = memory_.address_of_global(value.index);
      return store.add(base, store.constant(BitVector(value.width, static_cast<std::uint64_t>(value.offset))));
    }
    case ValueKind::FunctionAddress:
      return memory_.address_of_function(value.index);
    default:
      return {};
  }
}

std::string Values::source_name(ValuePlace place) const {
  const Function& function = this->function(place.instance);
  if (function.is_model || place.value >= function.value_names.size()) return {};
  const std::string name = without_number(function.value_names[place.value]);
  if (name.empty() || is_temporary(name)) return {};
  const Value& value = this->value(place);
  const FunctionInfo& info = this->info(instances_[place.instance].function);
  if (value.kind == ValueKind::BlockArgument && info.is_loop_head[value.block]) return name;
  // Of a variable with several values only one is right at a place, and nothing here tells which.
  return info.name_counts.at(name) == 1 ? name : std::string();
}

std::size_t Values::variable(ValuePlace origin) {
  const auto [found, is_new] = variables_.try_emplace(origin, result_.graph.variables.size());
  if (!is_new) return found->second;
  const Function& function = this->function(origin.instance);
  const std::string& own = function.value_names[origin.value];
  const std::string source = source_name(origin);
  const std::string name = !source.empty() ? source : fmt::format("{}.{}{}", function.name, own, origin.value);
  const Term term = result_.graph.store().variable(value(origin).width, name);
  result_.graph.variables.push_back({term, Term{}, 0, source.empty()});
  result_.sources.push_back({source, instances_[origin.instance].function, true, origin.value});
  return found->second;
}

std::optional<std::size_t> Values::existing_variable(ValuePlace origin) const {
  const auto found = variables_.find(origin);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Values::add_hidden(term::Sort sort, std::string name, std::uint64_t elements) {
  const std::size_t position = result_.graph.variables.size();
  result_.graph.variables.push_back({result_.graph.store().variable(sort, std::move(name)), Term{}, elements, true});
  result_.sources.emplace_back();
  return position;
}

}  // namespace plumb::flatten
