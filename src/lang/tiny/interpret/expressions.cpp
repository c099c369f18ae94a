#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "lang/tiny/interpret/run.h"

namespace plumb::tiny {

namespace {

/// Of the machine's stack, for the calls of a run; threads have 8 MiB as a rule.
constexpr std::ptrdiff_t kMaxStackBytes = std::ptrdiff_t{4} << 20;

const char* symbol(Operator op) {
  switch (op) {
    case Operator::Add:
      return "+";
    case Operator::Subtract:
      return "-";
    case Operator::Multiply:
      return "*";
    case Operator::ShiftLeft:
      return "<<";
    case Operator::ShiftRight:
      return ">>";
    default:
      return "/";
  }
}

bool is_wide_operator(const Expression& e) {
  if (e.kind == Expression::Kind::Unary) return e.op == Operator::Negate;
  return e.kind == Expression::Kind::Binary &&
         (e.op == Operator::Add || e.op == Operator::Subtract || e.op == Operator::Multiply);
}

}  // namespace

std::uint64_t InterpreterRun::evaluate_in(Context context, const Expression& expression) {
  const Context outer = context_;
  context_ = context;
  const std::uint64_t value = evaluate(expression);
  context_ = outer;
  return value;
}

std::uint64_t InterpreterRun::evaluate(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::Number:
      return expression.number & words_.mask();
    case Expression::Kind::Boolean:
      return expression.number;
    case Expression::Kind::Name:
      return evaluate_name(expression);
    case Expression::Kind::Index:
      return memory_[element(expression, evaluate_indices(expression)).address];
    case Expression::Kind::Unary:
      return evaluate_unary(expression);
    case Expression::Kind::Binary:
      return evaluate_binary(expression);
    case Expression::Kind::Conditional:
      return evaluate(*expression.operands[is_true(*expression.operands[0]) ? 1 : 2]);
    case Expression::Kind::Call:
      return call(expression);
    case Expression::Kind::Quantified:
      return evaluate_quantifier(expression);
    case Expression::Kind::Nondet:
      return nondet(expression);
    case Expression::Kind::ToBool:
      return std::uint64_t{is_true(*expression.operands[0])};
    case Expression::Kind::MaxArraySize:
      return options_.max_array_size() & words_.mask();
  }
  INVARIANT(false, "an expression of a parsed program should be known");
}

std::uint64_t InterpreterRun::evaluate_name(const Expression& expression) {
  const Variable& variable = program_.variables[expression.variable];
  if (variable.kind == Variable::Kind::Constant) return evaluate_in(Context::Constant, *variable.definition);
  if (variable.kind == Variable::Kind::Wire) {
    if (variable.definition != nullptr) return evaluate(*variable.definition);
    choose_cells(expression.variable);
  }
  return memory_[bindings_[expression.variable].address];
}

std::uint64_t InterpreterRun::nondet(const Expression& expression) {
  const std::string name = fmt::format("nondet@{}:{}", expression.place.line, expression.place.column);
  std::uint64_t& occurrence = nondet_occurrences_[&expression];
  const std::uint64_t value = choose(name, occurrence, 0, expression.type);
  ++occurrence;
  return value;
}

InterpreterRun::Indices InterpreterRun::evaluate_indices(const Expression& expression) {
  Indices indices;
  for (const ExpressionPtr& operand : expression.operands) indices.push_back(evaluate(*operand));
  return indices;
}

InterpreterRun::Element InterpreterRun::element(const Expression& expression, const Indices& indices) {
  if (program_.variables[expression.variable].kind == Variable::Kind::Wire) choose_cells(expression.variable);
  const Binding binding = bindings_[expression.variable];
  Element result;
  std::uint64_t offset = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const std::uint64_t size = dimension(binding.shape, d);
    if (indices[d] >= size) {
      result.is_inside = false;
      check_index(expression, d, indices[d], size);
    }
    offset = offset * size + std::min(indices[d], size - 1);
  }
  result.address = binding.address + offset;
  return result;
}

std::optional<std::size_t> InterpreterRun::target_address(const Expression& target, const Indices& indices) {
  if (target.kind == Expression::Kind::Name) return bindings_[target.variable].address;
  const Element found = element(target, indices);
  if (!found.is_inside) return std::nullopt;
  return found.address;
}

std::uint64_t InterpreterRun::evaluate_unary(const Expression& expression) {
  const Expression& operand = *expression.operands[0];
  const std::uint64_t value = evaluate(operand);
  if (expression.op == Operator::Not) return std::uint64_t{value == 0};
  if (expression.op == Operator::Complement) return words_.complement(value);
  const Words::Result result = words_.negate(value);
  // A number with a minus sign is written as the word that it stands for.
  if (operand.kind != Expression::Kind::Number) {
    check_overflow(expression, result.overflows, "-" + words_.text(value));
  }
  return result.word;
}

std::uint64_t InterpreterRun::evaluate_binary(const Expression& expression) {
  const Operator op = expression.op;
  const Expression& right = *expression.operands[1];
  const std::uint64_t a = evaluate(*expression.operands[0]);
  if (op == Operator::And) return a == 0 ? 0 : evaluate(right);
  if (op == Operator::Or) return a != 0 ? 1 : evaluate(right);
  if (op == Operator::Implies) return a == 0 ? 1 : evaluate(right);
  const std::uint64_t b = evaluate(right);
  if (op == Operator::Equal) return std::uint64_t{a == b};
  if (op == Operator::NotEqual) return std::uint64_t{a != b};
  if (op >= Operator::Less && op <= Operator::GreaterEqual) return std::uint64_t{words_.compare(op, a, b)};
  const Words::Result result = words_.apply(op, a, b);
  if ((op == Operator::Divide || op == Operator::Remainder) && b == 0) check_division(expression, a, b);
  if (result.overflows) {
    check_overflow(expression, true, fmt::format("{} {} {}", words_.text(a), symbol(op), words_.text(b)));
  }
  return result.word;
}

Words::Integer InterpreterRun::evaluate_bound(const Expression& expression) {
  if (expression.kind == Expression::Kind::Number) return expression.number;
  if (!is_wide_operator(expression)) return words_.to_integer(evaluate(expression));
  const Words::Integer a = evaluate_bound(*expression.operands[0]);
  if (expression.kind == Expression::Kind::Unary) return -a;
  const Words::Integer b = evaluate_bound(*expression.operands[1]);
  Words::Integer result = 0;
  const bool is_too_wide = expression.op == Operator::Add        ? __builtin_add_overflow(a, b, &result)
                           : expression.op == Operator::Subtract ? __builtin_sub_overflow(a, b, &result)
                                                                 : __builtin_mul_overflow(a, b, &result);
  if (is_too_wide) throw Unsupported(program_.location(expression.place), "a range's bound of more than 127 bits");
  return result;
}

std::uint64_t InterpreterRun::evaluate_quantifier(const Expression& expression) {
  const Words::Integer low = std::max(evaluate_bound(*expression.operands[0]), words_.least());
  const Words::Integer high = std::min(evaluate_bound(*expression.operands[1]), words_.greatest());
  const std::size_t address = bindings_[expression.variable].address;
  for (Words::Integer i = low; i <= high; ++i) {
    count_step();
    memory_[address] = words_.to_word(i);
    if (is_true(*expression.operands[2]) != expression.is_forall) return std::uint64_t{!expression.is_forall};
  }
  return std::uint64_t{expression.is_forall};
}

void InterpreterRun::check_depth(const Expression& expression) {
  const Function& function = program_.functions[expression.function];
  const std::uint64_t active = active_[groups_[expression.function]];
  if (function.is_recursive && active >= options_.max_stack_size()) {
    if (options_.check_recursion) {
      report("recursion", "", expression.place,
             fmt::format("call of {} when {} calls are active already", function.name, active));
    }
    throw EndOfRun{Outcome::End::OutOfStack};
  }
  const char here = 0;
  if (std::abs(stack_bottom_ - &here) > kMaxStackBytes) {
    throw Unsupported(program_.location(expression.place),
                      fmt::format("a run in which {} calls of {} are active at once", active, function.name));
  }
}

void InterpreterRun::bind_call(const Expression& expression, const Function& function) {
  // Arguments are evaluated in the caller's names, all of them before the callee's have their new addresses.
  std::vector<std::uint64_t> values;
  std::vector<Binding> arrays;
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    const bool is_array = program_.variables[function.parameters[i]].is_array();
    values.push_back(is_array ? 0 : evaluate(*expression.operands[i]));
    arrays.push_back(is_array ? bindings_[expression.operands[i]->variable] : Binding{});
  }
  check_depth(expression);
  for (const VariableId v : variables_of_[expression.function]) {
    const bool is_reference =
        program_.variables[v].kind == Variable::Kind::Parameter && program_.variables[v].is_array();
    if (!is_reference) bind(v);
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const VariableId parameter = function.parameters[i];
    if (program_.variables[parameter].is_array()) {
      bindings_[parameter] = arrays[i];
    } else {
      memory_[bindings_[parameter].address] = values[i];
    }
  }
}

std::uint64_t InterpreterRun::run_function(FunctionId id) {
  Activation* const caller = activation_;
  const Context context = context_;
  context_ = Context::Code;
  ++active_[groups_[id]];
  Activation activation;
  run_body(id, activation);
  --active_[groups_[id]];
  context_ = context;
  activation_ = caller;
  const VariableId result = program_.functions[id].return_variable;
  return result == kNone ? 0 : memory_[bindings_[result].address];
}

std::uint64_t InterpreterRun::call(const Expression& expression) {
  count_step();
  const Function& function = program_.functions[expression.function];
  const std::vector<VariableId>& variables = variables_of_[expression.function];
  std::vector<Binding> saved;
  saved.reserve(variables.size());
  for (const VariableId v : variables) saved.push_back(bindings_[v]);
  const std::size_t top = memory_.size();
  bind_call(expression, function);
  std::uint64_t value = 0;
  if (function.is_predicate) {
    value = evaluate(*function.body->body.front()->value);
  } else {
    value = run_function(expression.function);
  }
  for (std::size_t i = 0; i < variables.size(); ++i) bindings_[variables[i]] = saved[i];
  memory_.resize(top);
  return value;
}

void InterpreterRun::check_overflow(const Expression& expression, bool overflows, const std::string& text) {
  if (!overflows || !options_.check_overflow || context_ != Context::Code) return;
  report("overflow", "", expression.place, fmt::format("{} does not fit {} bits", text, words_.width()));
}

void InterpreterRun::check_division(const Expression& expression, std::uint64_t dividend, std::uint64_t divisor) {
  if (divisor != 0 || !options_.check_division || context_ == Context::Constant) return;
  if (context_ == Context::Pre) throw BrokenPrecondition{};
  report("division", "", expression.place, fmt::format("division of {} by zero", words_.text(dividend)));
}

void InterpreterRun::check_index(const Expression& expression, std::size_t position, std::uint64_t index,
                                 std::uint64_t size) {
  if (!options_.check_index) return;
  if (context_ == Context::Pre) throw BrokenPrecondition{};
  const std::string& name = program_.variables[expression.variable].name;
  const std::string dimension =
      expression.operands.size() == 1 ? "has" : fmt::format("in dimension {} has", position + 1);
  report("index", "", expression.place,
         fmt::format("index {} of {}, which {} {} elements", words_.text(index), name, dimension, size));
}

}  // namespace plumb::tiny
