#include "semantics/operators.h"

#include <fmt/format.h>

#include "base/error.h"
#include "semantics/float_terms.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::ValueKind;

Term Executor::value(Activation& a, program::ValueId v) {
  const program::Function& function = a.plan->function();
  const program::Value& described = function.values[v];
  switch (described.kind) {
    case ValueKind::Parameter:
    case ValueKind::BlockArgument:
    case ValueKind::Result:
      return a.values[v];
    case ValueKind::Undefined:
      return world_.variable({place(a), kNone, v}, described.width, "undefined");
    default:
      break;
  }
  Term& known = a.values[v];
  if (!known)
    known = described.kind == ValueKind::Constant ? terms_.constant(function.constant(v)) : address_of(described);
  return known;
}

Term Executor::address_of(const program::Value& value) {
  const bool is_global = value.kind == ValueKind::GlobalAddress;
  if (current_ == nullptr || !is_global || !world_.program.globals[value.index].is_thread_local)
    return world_.address_of(value);
  const auto own = current_->locals.find(value.index);
  if (own == current_->locals.end()) return world_.address_of(value);
  return terms_.add(world_.objects.address(own->second),
                    world_.pointer_constant(static_cast<std::uint64_t>(value.offset)));
}

std::vector<Term> Executor::operands(Activation& a, const Instruction& i) {
  std::vector<Term> list;
  for (const program::ValueId v : a.plan->function().operands_of(i)) list.push_back(value(a, v));
  return list;
}

void Executor::give(Activation& a, const Instruction& i, Term result) {
  if (i.result_count > 0) a.values[i.first_result] = result;
}

Executor::Step Executor::run_operator(Activation& a, const Instruction& i) {
  const std::vector<Term> list = operands(a, i);
  const program::Function& function = a.plan->function();
  for (const auto& bad : semantics::operator_faults(function, i, world_.platform, world_.program.checks))
    if (fault(a, bad.kind, semantics::condition(terms_, bad, list))) return Step::Ended;
  const std::uint32_t width = function.values[i.first_result].width;
  give(a, i, terms_.make(i.op(), list, width, i.parameter));
  return Step::Next;
}

Executor::Step Executor::run_float(Activation& a, const Instruction& i) {
  const std::uint32_t width = a.plan->function().values[i.first_result].width;
  const std::optional<Term> result = semantics::float_result(terms_, i.float_op(), operands(a, i), width);
  if (!result) return gap(a, fmt::format("floating point arithmetic ({})", program::name(i.float_op())));
  give(a, i, *result);
  return Step::Next;
}

bool Executor::fault(Activation& a, FaultKind kind, Term condition) {
  const Term when = terms_.bit_and(world_.paths.condition(a.now.path), condition);
  if (terms_.is_false(when)) return terms_.is_true(condition);
  // Other threads could have run between this and what stands before it.
  if (is_among_others() && !could_stop_)
    pass_gap(a, condition, result::GapKind::Schedule, "what other threads do before this fault");
  bool is_goal = false;
  if (const auto here = goals_.at.find({a.function, a.next - 1}); here != goals_.at.end()) {
    for (const std::size_t g : here->second) {
      if (!program::may_violate(goals_.goals[g], kind)) continue;
      record_.add(Record::Kind::Violation, when, g);
      is_goal = true;
    }
  }
  if (!is_goal) record_.add(Record::Kind::Fault, when);
  if (terms_.is_true(condition)) end_path(a);
  return terms_.is_true(condition);
}

bool Executor::gap(Activation& a, Term condition, const std::string& what) {
  result::Gap gap = gap_here(a);
  gap.text = what;
  record_.add_gap(Record::Kind::Gap, terms_.bit_and(world_.paths.condition(a.now.path), condition), gap);
  if (terms_.is_true(condition)) end_path(a);
  return terms_.is_true(condition);
}

Executor::Step Executor::gap(Activation& a, const std::string& what) {
  gap(a, terms_.boolean(true), what);
  return Step::Ended;
}

void Executor::pass_gap(Activation& a, Term condition, result::GapKind kind, std::string what) {
  result::Gap gap = gap_here(a);
  gap.kind = kind;
  gap.text = std::move(what);
  record_.add_gap(Record::Kind::Passed, terms_.bit_and(world_.paths.condition(a.now.path), condition), gap);
}

result::Gap Executor::gap_here(const Activation& a) const {
  const auto place_in = [&](const Activation& call, InstructionId at) -> std::optional<result::Gap> {
    const program::Function& function = call.plan->function();
    const program::Location location = function.instructions[at].location;
    if (function.is_model || !location.is_known()) return std::nullopt;
    return result::Gap{.place = world_.program.describe(location), .function = function.name};
  };
  if (current_ != nullptr) {
    InstructionId at = a.next - 1;
    for (const Activation* call = &a; call != nullptr; at = call->called_at, call = call->caller)
      if (std::optional<result::Gap> here = place_in(*call, at)) return *std::move(here);
  }
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
    if (frame->plan == nullptr) break;
    if (std::optional<result::Gap> here = place_in(*frame, frame->next - 1)) return *std::move(here);
  }
  return {.function = world_.program.functions[a.function].name};
}

void Executor::cover(Activation& a, std::span<const std::size_t> goals) {
  for (const std::size_t g : goals) record_.add(Record::Kind::Cover, world_.paths.condition(a.now.path), g);
}

}  // namespace plumb::unroll
