#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "program/operator_check.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::ValueKind;
using term::Op;

namespace {

bool is_division(Op op) { return op >= Op::Udiv && op <= Op::Smod; }
bool is_signed_division(Op op) { return op >= Op::Sdiv && op <= Op::Smod; }

}  // namespace

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
    known =
        described.kind == ValueKind::Constant ? terms_.constant(function.constant(v)) : world_.address_of(described);
  return known;
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
  if (is_division(i.op())) {
    const std::uint32_t width = terms_.width(list[1]);
    if (fault(a, FaultKind::DivisionByZero, terms_.eq(list[1], terms_.zero(width)))) return Step::Ended;
    if (is_signed_division(i.op()) && fault(a, FaultKind::SignedOverflow, terms_.sdiv_overflow(list[0], list[1])))
      return Step::Ended;
  }
  if (const std::optional<FaultKind> check = program::operator_check(function, i, world_.program.checks)) {
    const std::optional<Op> overflow = program::overflow_predicate(i.op());
    const Term is_bad = *check == FaultKind::SignedOverflow
                            ? terms_.make(*overflow, list)
                            : terms_.ule(terms_.constant(terms_.width(list[1]), terms_.width(list[0])), list[1]);
    if (fault(a, *check, is_bad)) return Step::Ended;
  }
  const std::uint32_t width = function.values[i.first_result].width;
  give(a, i, terms_.make(i.op(), list, width, i.parameter));
  return Step::Next;
}

Executor::Step Executor::run_float(Activation& a, const Instruction& i) {
  const std::vector<Term> list = operands(a, i);
  if (!std::ranges::all_of(list, [&](Term t) { return terms_.is_constant(t); }))
    return gap(a, fmt::format("floating point arithmetic ({})", program::name(i.float_op())));
  std::vector<BitVector> numbers;
  for (const Term t : list) numbers.push_back(terms_.value(t));
  std::vector<const BitVector*> pointers;
  for (const BitVector& number : numbers) pointers.push_back(&number);
  const std::uint32_t width = a.plan->function().values[i.first_result].width;
  give(a, i, terms_.constant(program::evaluate(i.float_op(), pointers, width)));
  return Step::Next;
}

bool Executor::fault(Activation& a, FaultKind kind, Term condition) {
  const Term when = terms_.bit_and(world_.paths.condition(a.now.path), condition);
  if (terms_.is_false(when)) return terms_.is_true(condition);
  bool is_goal = false;
  if (const auto here = goals_.at.find({a.function, a.next - 1}); here != goals_.at.end()) {
    for (const std::size_t g : here->second) {
      if (!program::is_violation(goals_.goals[g], kind)) continue;
      record_.add(Record::Kind::Violation, when, g);
      is_goal = true;
    }
  }
  if (!is_goal) record_.add(Record::Kind::Fault, when);
  if (terms_.is_true(condition)) end_path(a);
  return terms_.is_true(condition);
}

bool Executor::gap(Activation& a, Term condition, const std::string& what) {
  record_.add_gap(terms_.bit_and(world_.paths.condition(a.now.path), condition),
                  fmt::format("{} at {}", what, where(a)));
  if (terms_.is_true(condition)) end_path(a);
  return terms_.is_true(condition);
}

Executor::Step Executor::gap(Activation& a, const std::string& what) {
  gap(a, terms_.boolean(true), what);
  return Step::Ended;
}

std::string Executor::where(const Activation& a) const {
  // Where the user's code is, not ours.
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
    if (frame->plan == nullptr) break;
    const program::Function& function = frame->plan->function();
    const program::Location location = function.instructions[frame->next - 1].location;
    if (function.is_model || !location.is_known()) continue;
    const SourceLocation place = world_.program.describe(location);
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
  }
  return fmt::format("a place in '{}'", world_.program.functions[a.function].name);
}

void Executor::cover(Activation& a, std::span<const std::size_t> goals) {
  for (const std::size_t g : goals) record_.add(Record::Kind::Cover, world_.paths.condition(a.now.path), g);
}

}  // namespace plumb::unroll
