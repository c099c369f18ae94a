#include "semantics/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "program/platform.h"
#include "semantics/output.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::Function;
using program::Kind;
using program::ValueId;
using semantics::CallFit;
using semantics::is_output;

Executor::Step Executor::run_call(Activation& a, const Instruction& i) {
  if (i.kind == Kind::CallIndirect) return call_through(a, i);
  const Function& callee = world_.program.functions[i.parameter];
  a.arguments = operands(a, i);
  if (!callee.has_body()) return call_undefined(a, i, callee);
  const Function& caller = a.plan->function();
  // What output reads of memory is only looked at where that is asked for.
  if (is_output(callee) && !(is_memory_asked_ && semantics::reads_memory(world_.program, caller, i))) {
    if (!semantics::is_result_used(caller, i)) return call_undefined(a, i, callee);
    const std::optional<Term> result =
        semantics::output_result(terms_, world_.program, caller, i, a.arguments, world_.output_streams);
    if (result) return give_output(a, i, *result);
  }
  if (!enters(a, i, callee)) return Step::Ended;
  a.results.clear();
  a.callees = {{i.parameter, a.now.path}};
  next_call(a);
  return Step::Called;
}

Executor::Step Executor::call_through(Activation& a, const Instruction& i) {
  std::vector<Term> list = operands(a, i);
  const Term address = list[0];
  a.arguments.assign(list.begin() + 1, list.end());
  const Pointed& pointed = world_.resolver.resolve(address);
  if (pointed.is_unclear && gap(a, pointed.unclear_when, "a call through a pointer of which nothing is known"))
    return Step::Ended;
  std::vector<Pointed::Target> functions;
  Term invalid = pointed.nowhere;
  for (const Pointed::Target& target : pointed.targets) {
    const bool is_function = world_.objects[target.object].kind == ObjectKind::Function;
    const Term is_start = terms_.eq(target.offset, world_.pointer_constant(0));
    if (is_function && !terms_.is_false(is_start)) {
      functions.push_back(target);
      invalid = terms_.bit_or(invalid, terms_.bit_and(target.when, terms_.bit_not(is_start)));
    } else {
      invalid = terms_.bit_or(invalid, target.when);
    }
  }
  if (fault(a, FaultKind::InvalidCall, invalid) || functions.empty()) return Step::Ended;
  if (functions.size() == 1) {
    const FunctionId only = world_.function_of(functions[0].object);
    const Function& callee = world_.program.functions[only];
    const bool is_skipped = is_output(callee) && !is_memory_asked_ && !semantics::is_result_used(a.plan->function(), i);
    if (!callee.has_body() || is_skipped) return call_undefined(a, i, callee);
  }
  a.results.clear();
  a.callees.clear();
  PathId rest = a.now.path;
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const FunctionId id = world_.function_of(functions[k].object);
    const Function& callee = world_.program.functions[id];
    const Term when = functions[k].when;
    const bool is_last = k + 1 == functions.size();
    if (!callee.has_body()) {
      gap(a, when,
          fmt::format("a call of '{}', which has no body, through a pointer to several functions", callee.name));
    } else if (!is_last || functions.size() == 1) {
      a.callees.push_back({id, functions.size() == 1 ? rest : world_.paths.child(rest, when)});
    } else {
      a.callees.push_back({id, rest});  // what leads elsewhere has ended
    }
    if (!is_last) rest = world_.paths.child(rest, terms_.bit_not(when));
  }
  std::erase_if(a.callees, [&](const Callee& c) {
    if (world_.paths.is_impossible(c.path)) return true;
    const PathId path = std::exchange(a.now.path, c.path);
    const bool is_fit = enters(a, i, world_.program.functions[c.function]);
    a.now.path = path;
    return !is_fit;
  });
  std::ranges::reverse(a.callees);
  next_call(a);
  return Step::Called;
}

bool Executor::enters(Activation& a, const Instruction& i, const Function& callee) {
  switch (semantics::call_fit(a.plan->function(), i, callee)) {
    case CallFit::Exact:
      return true;
    case CallFit::Missing:
      pass_gap(a, terms_.boolean(true), result::GapKind::Mismatch,
               fmt::format("'{}' is called with fewer arguments than it has parameters", callee.name));
      return true;
    case CallFit::Wrong:
      break;
  }
  fault(a, FaultKind::InvalidCall, terms_.boolean(true));
  return false;
}

bool Executor::begin_call(Activation& a, const Callee& callee, std::span<const Term> arguments) {
  const Function& function = world_.program.functions[callee.function];
  Activation made;
  made.function = callee.function;
  made.plan = &world_.plan(callee.function);
  made.entered = callee.path;
  made.is_in_output = a.is_in_output || is_output(function);
  if (!open_[callee.function].empty()) {
    const Activation& outer = stack_[open_[callee.function].back()];
    made.open = outer.open + 1;
    made.counted = outer.counted + (outer.entered == callee.path ? 0 : 1);
    const Term condition = world_.paths.condition(callee.path);
    const bool is_too_deep = made.counted > bound_ || made.open > kFree * (bound_ + 1);
    if (made.counted > outer.counted || is_too_deep) {
      const bool is_possible = is_possible_(terms_.bit_and(condition, record_.going_on()));
      if (is_possible && is_too_deep) record_.add(Record::Kind::Cut, condition, kUnwindingCut);
      if (!is_possible || is_too_deep) {
        world_.paths.mark_ended(callee.path);
        return false;
      }
    }
  }
  made.context = world_.place({place(a), a.next - 1, callee.function});
  made.values.resize(function.values.size());
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const ValueId parameter = function.parameters[p];
    made.values[parameter] = p < arguments.size()
                                 ? arguments[p]
                                 : world_.variable({made.context, kNone, static_cast<std::uint32_t>(p) + 1},
                                                   function.values[parameter].width, function.value_names[parameter]);
  }
  State start;
  start.path = callee.path;
  start.memory = a.callees.empty() ? std::move(a.now.memory) : a.now.memory;
  const std::uint32_t rank = made.plan->order().rank(0);
  open_[callee.function].push_back(stack_.size());
  stack_.push_back(std::move(made));
  Activation& pushed = stack_.back();
  pushed.now = std::move(start);
  if (function.is_variadic) pass_variadic(pushed, function, arguments);
  pushed.pending[{rank}].push_back(std::move(pushed.now));
  return true;
}

void Executor::pass_variadic(Activation& callee, const Function& function, std::span<const Term> arguments) {
  const std::uint64_t pointer_bytes = world_.pointer_width() / 8;
  std::uint64_t size = 0;
  for (std::size_t i = function.parameters.size(); i < arguments.size(); ++i)
    program::next_variadic(size, terms_.width(arguments[i]), pointer_bytes);
  const EventId made{callee.context, kNone, 0};
  const std::optional<ObjectId> object = world_.object(made, ObjectKind::Stack, size, 16);
  if (!object) throw OutOfBudget{Stop::Memory};
  callee.stack_objects.push_back(*object);
  TermBytes content = TermBytes::zeroed(size);
  std::uint64_t end = 0;
  for (std::size_t i = function.parameters.size(); i < arguments.size(); ++i) {
    const std::uint32_t width = terms_.width(arguments[i]);
    const auto slot = program::next_variadic(end, width, pointer_bytes);
    content.store(terms_, slot.offset, terms_.zero_extend(arguments[i], (width + 7) / 8 * 8));
  }
  callee.now.memory.writable(*object) = {std::move(content), terms_.boolean(true)};
  callee.variadic = world_.objects.address(*object);
}

void Executor::next_call(Activation& a) {
  if (current_ != nullptr) {
    for (const Callee& callee : a.callees) enter_in_thread(a, callee, a.arguments);
    a.callees.clear();
    return;
  }
  while (!a.callees.empty()) {
    const Callee callee = a.callees.back();
    a.callees.pop_back();
    if (begin_call(a, callee, a.arguments)) return;
  }
  if (a.results.empty()) {
    a.is_busy = false;
    return;
  }
  State result = joined(std::exchange(a.results, {}));
  a.now.path = result.path;
  a.now.memory = std::move(result.memory);
  const Instruction& call = a.plan->function().instructions[a.next - 1];
  for (std::uint32_t r = 0; r < call.result_count; ++r) a.values[call.first_result + r] = result.values[r];
}

void Executor::return_from(Activation& a, const Instruction& i) {
  if (current_ != nullptr) return return_in_thread(a, operands(a, i));
  State end;
  end.path = a.now.path;
  end.values = operands(a, i);
  end.memory = std::move(a.now.memory);
  for (const ObjectId object : a.stack_objects) end.memory.erase(object);
  a.returned.push_back(std::move(end));
}

void Executor::finish(Activation& a) {
  std::vector<State> returned = std::move(a.returned);
  open_[a.function].pop_back();
  stack_.pop_back();
  Activation& caller = stack_.back();
  if (!returned.empty()) caller.results.push_back(joined(std::move(returned)));
  if (stack_.size() > 1) next_call(caller);
}

Executor::Step Executor::give_output(Activation& a, const Instruction& i, Term result) {
  assumptions_.insert(semantics::kOutputSucceeds);
  give(a, i, result);
  return Step::Next;
}

Executor::Step Executor::call_undefined(Activation& a, const Instruction& i, const Function& callee) {
  if (!callee.has_body())
    if (const auto intrinsic = program::intrinsic_of(callee.name)) return run_intrinsic(a, i, *intrinsic, a.arguments);
  const Term here = world_.paths.condition(a.now.path);
  for (std::uint32_t r = 0; r < i.result_count; ++r) {
    const std::uint32_t width = a.plan->function().values[i.first_result + r].width;
    const Term result = fresh(a, width, callee.name, r);
    a.values[i.first_result + r] = result;
    // The interpreter asks for what has no body, and executes models of output.
    if (!callee.has_body()) record_.add_input(here, callee.name, result);
  }
  if (!is_output(callee))
    pass_gap(a, terms_.boolean(true), result::GapKind::MissingBody, semantics::missing_body_text(callee));
  else if (is_memory_asked_ && semantics::reads_memory(world_.program, a.plan->function(), i))
    pass_gap(a, terms_.boolean(true), result::GapKind::Skipped, fmt::format("what '{}' reads", callee.name));
  return Step::Next;
}

}  // namespace plumb::unroll
