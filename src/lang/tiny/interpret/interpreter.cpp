#include "lang/tiny/interpret/interpreter.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/tiny/interpret/run.h"

namespace plumb::tiny {

namespace {

std::size_t count_preconditions(const Statement& statement) {
  std::size_t count = statement.kind == Statement::Kind::Pre ? 1 : 0;
  for (const StatementPtr& part : statement.body) count += count_preconditions(*part);
  return count;
}

/// The postconditions at the end of a body are evaluated at each return; this is where they begin.
std::size_t without_final_posts(const std::vector<StatementPtr>& body) {
  std::size_t end = body.size();
  while (end > 0 && body[end - 1]->kind == Statement::Kind::Post) --end;
  return end;
}

void add_calls(const Expression& expression, std::vector<bool>& called) {
  if (expression.kind == Expression::Kind::Call) called[expression.function] = true;
  for (const ExpressionPtr& operand : expression.operands) add_calls(*operand, called);
}

void add_calls(const Statement& statement, std::vector<bool>& called) {
  if (statement.value != nullptr) add_calls(*statement.value, called);
  if (statement.target != nullptr) add_calls(*statement.target, called);
  for (const StatementPtr& part : statement.body) add_calls(*part, called);
}

/// By function: the first of those that it calls and is called by, also through others. They share a stack.
std::vector<FunctionId> recursion_groups(const Program& program) {
  const std::size_t count = program.functions.size();
  std::vector<std::vector<bool>> calls(count, std::vector<bool>(count, false));
  for (std::size_t f = 0; f < count; ++f) add_calls(*program.functions[f].body, calls[f]);
  for (std::size_t via = 0; via < count; ++via) {
    for (std::size_t from = 0; from < count; ++from) {
      if (!calls[from][via]) continue;
      for (std::size_t to = 0; to < count; ++to) calls[from][to] = calls[from][to] || calls[via][to];
    }
  }
  std::vector<FunctionId> groups(count);
  for (FunctionId f = 0; f < count; ++f) {
    groups[f] = f;
    for (FunctionId g = 0; g < f && groups[f] == f; ++g) {
      if (calls[f][g] && calls[g][f]) groups[f] = g;
    }
  }
  return groups;
}

}  // namespace

InterpreterRun::InterpreterRun(const Program& program, const Options& options, const Choices& choices,
                               const Limits& limits)
    : program_(program),
      options_(options),
      choices_(choices),
      limits_(limits),
      words_(options.int_width, options.is_signed),
      variables_of_(program.functions.size()),
      groups_(recursion_groups(program)),
      bindings_(program.variables.size()),
      active_(program.functions.size(), 0),
      occurrences_(program.variables.size(), 0) {
  for (VariableId v = 0; v < program.variables.size(); ++v) {
    const FunctionId function = program.variables[v].function;
    if (function != kNone) variables_of_[function].push_back(v);
  }
  entry_preconditions_ = count_preconditions(*program.functions[program.entry].body);
}

Outcome InterpreterRun::run() {
  const char bottom = 0;
  stack_bottom_ = &bottom;
  try {
    start();
    run_body(program_.entry, entry_activation_);
  } catch (const EndOfRun& end) {
    outcome_.end = end.end;
  }
  outcome_.values = final_values();
  return std::move(outcome_);
}

void InterpreterRun::start() {
  for (VariableId v = 0; v < program_.variables.size(); ++v) {
    const Variable& variable = program_.variables[v];
    if (variable.function != kNone && variable.function != program_.entry) continue;
    bind(v);
    if (variable.kind == Variable::Kind::Global && variable.definition != nullptr) {
      memory_[bindings_[v].address] = evaluate_in(Context::Constant, *variable.definition);
    } else if (variable.kind == Variable::Kind::Global || variable.kind == Variable::Kind::Parameter) {
      choose_cells(v);
    }
  }
  entry_bindings_ = bindings_;
  active_[groups_[program_.entry]] = 1;
}

std::uint64_t InterpreterRun::dimension(VariableId shape, std::size_t position) const {
  return program_.variables[shape].dimensions[position].value_or(options_.max_array_size());
}

std::uint64_t InterpreterRun::element_count(VariableId variable) const {
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < program_.variables[variable].dimensions.size(); ++d) count *= dimension(variable, d);
  return count;
}

void InterpreterRun::bind(VariableId variable) {
  bindings_[variable] = {memory_.size(), variable};
  memory_.resize(memory_.size() + element_count(variable), 0);
}

std::uint64_t InterpreterRun::choose(const std::string& name, std::uint64_t& occurrence, std::uint64_t element,
                                     Type type) {
  const std::uint64_t value = choices_(name, occurrence, element);
  return type == Type::Bool ? std::uint64_t{value != 0} : value & words_.mask();
}

void InterpreterRun::choose_cells(VariableId variable) {
  const Variable& v = program_.variables[variable];
  const std::uint64_t count = element_count(variable);
  for (std::uint64_t e = 0; e < count; ++e) {
    memory_[bindings_[variable].address + e] = choose(v.unique_name, occurrences_[variable], e, v.type);
  }
  ++occurrences_[variable];
}

void InterpreterRun::count_step() {
  if (++steps_ > limits_.statements) throw EndOfRun{Outcome::End::OutOfSteps};
}

InterpreterRun::Flow InterpreterRun::execute_all(const std::vector<StatementPtr>& body, std::size_t end) {
  for (std::size_t i = 0; i < end; ++i) {
    const Flow flow = execute(*body[i]);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

InterpreterRun::Flow InterpreterRun::execute(const Statement& statement) {
  if (statement.kind == Statement::Kind::Block) return execute_all(statement.body, statement.body.size());
  count_step();
  ++outcome_.statements;
  if (outcome_.lines.size() < limits_.lines) outcome_.lines.push_back(statement.place);
  switch (statement.kind) {
    case Statement::Kind::If:
      if (is_true(*statement.value)) return execute(*statement.body[0]);
      return statement.body.size() > 1 ? execute(*statement.body[1]) : Flow::Next;
    case Statement::Kind::While:
    case Statement::Kind::DoWhile:
    case Statement::Kind::For:
      return execute_loop(statement);
    default:
      return execute_simple(statement);
  }
}

InterpreterRun::Flow InterpreterRun::execute_loop(const Statement& statement) {
  const bool is_for = statement.kind == Statement::Kind::For;
  const Statement& body = *statement.body[is_for ? 2 : 0];
  if (is_for) execute(*statement.body[0]);
  bool is_first = true;
  while (true) {
    count_step();
    const bool is_tested = statement.value != nullptr && !(is_first && statement.kind == Statement::Kind::DoWhile);
    if (is_tested && !is_true(*statement.value)) return Flow::Next;
    is_first = false;
    const Flow flow = execute(body);
    if (flow == Flow::Break) return Flow::Next;
    if (flow == Flow::Return) return flow;
    if (is_for) execute(*statement.body[1]);
  }
}

InterpreterRun::Flow InterpreterRun::execute_simple(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Declare:
      declare(statement);
      break;
    case Statement::Kind::Assign:
      assign(statement);
      break;
    case Statement::Kind::Call:
      evaluate(*statement.value);
      break;
    case Statement::Kind::Break:
      return Flow::Break;
    case Statement::Kind::Continue:
      return Flow::Continue;
    case Statement::Kind::Return:
      execute_return(statement);
      return Flow::Return;
    case Statement::Kind::Together: {
      std::vector<Store> stores;
      for (const StatementPtr& part : statement.body) collect_stores(*part, stores);
      for (const Store& store : stores) {
        if (store.address) memory_[*store.address] = store.value;
      }
      break;
    }
    case Statement::Kind::Pre:
      execute_pre(statement);
      break;
    case Statement::Kind::Post:
      execute_post(statement);
      break;
    case Statement::Kind::Assert:
      if (!is_true(*statement.value)) {
        report("assertion", statement.name, statement.place, fmt::format("{} is false", statement.name));
      }
      break;
    case Statement::Kind::Assume:
      if (!is_true(*statement.value)) throw EndOfRun{Outcome::End::Assumption};
      break;
    default:
      INVARIANT(false, "a statement of a parsed program should be known");
  }
  return Flow::Next;
}

void InterpreterRun::declare(const Statement& statement) {
  const Variable& variable = program_.variables[statement.variable];
  if (variable.kind == Variable::Kind::Wire || variable.kind == Variable::Kind::Constant) return;
  if (statement.value == nullptr) {
    choose_cells(statement.variable);
    return;
  }
  const std::uint64_t value = evaluate(*statement.value);
  memory_[bindings_[statement.variable].address] = value;
}

void InterpreterRun::assign(const Statement& statement) {
  const Indices indices = evaluate_indices(*statement.target);
  const std::uint64_t value = evaluate(*statement.value);
  const std::optional<std::size_t> address = target_address(*statement.target, indices);
  if (address) memory_[*address] = value;
}

void InterpreterRun::execute_return(const Statement& statement) {
  if (statement.value == nullptr) return;
  const std::uint64_t value = evaluate(*statement.value);
  memory_[bindings_[program_.functions[activation_->function].return_variable].address] = value;
}

void InterpreterRun::collect_stores(const Statement& statement, std::vector<Store>& stores) {
  switch (statement.kind) {
    case Statement::Kind::Block:
      for (const StatementPtr& part : statement.body) collect_stores(*part, stores);
      break;
    case Statement::Kind::Assign: {
      const Indices indices = evaluate_indices(*statement.target);
      const std::uint64_t value = evaluate(*statement.value);
      stores.push_back({target_address(*statement.target, indices), value});
      break;
    }
    case Statement::Kind::If:
      if (is_true(*statement.value)) {
        collect_stores(*statement.body[0], stores);
      } else if (statement.body.size() > 1) {
        collect_stores(*statement.body[1], stores);
      }
      break;
    default:
      INVARIANT(false, "a do-together block should consist of assignments and ifs");
  }
}

void InterpreterRun::execute_pre(const Statement& statement) {
  const std::vector<Binding> bindings = bindings_;
  const std::size_t top = memory_.size();
  bool holds = false;
  try {
    holds = evaluate_in(Context::Pre, *statement.value) != 0;
  } catch (const BrokenPrecondition&) {
    // Out of the predicates that were being evaluated.
    context_ = Context::Code;
    bindings_ = bindings;
    memory_.resize(top);
  }
  activation_->preconditions[statement.name] = holds;
  if (!holds && activation_ == &entry_activation_ && entry_preconditions_ == 1) {
    throw EndOfRun{Outcome::End::PreconditionFalse};
  }
}

void InterpreterRun::execute_post(const Statement& statement) {
  const bool value = evaluate_in(Context::Post, *statement.value) != 0;
  const auto precondition = activation_->preconditions.find(statement.name);
  if (value || (precondition != activation_->preconditions.end() && !precondition->second)) return;
  report("postcondition", statement.name, statement.place, fmt::format("postcondition {} is false", statement.name));
}

void InterpreterRun::run_body(FunctionId function, Activation& activation) {
  activation.function = function;
  activation_ = &activation;
  const std::vector<StatementPtr>& body = program_.functions[function].body->body;
  const std::size_t end = without_final_posts(body);
  execute_all(body, end);
  for (std::size_t i = end; i < body.size(); ++i) execute(*body[i]);
}

bool InterpreterRun::counts() const {
  return std::all_of(entry_activation_.preconditions.begin(), entry_activation_.preconditions.end(),
                     [](const auto& precondition) { return precondition.second; });
}

void InterpreterRun::report(const std::string& kind, const std::string& name, Place place, std::string message) {
  // The entry function's own postconditions depend on the preconditions of their names alone.
  const bool is_own = kind == "postcondition" && activation_ == &entry_activation_;
  if (!is_own && !counts()) return;
  Failure failure{kind, name, place, std::move(message)};
  if (limits_.ends_at && !limits_.ends_at(failure)) return;
  outcome_.failure = std::move(failure);
  throw EndOfRun{Outcome::End::Failed};
}

std::vector<VariableValue> InterpreterRun::final_values() const {
  std::vector<VariableValue> values;
  for (VariableId v = 0; v < program_.variables.size(); ++v) {
    const Variable& variable = program_.variables[v];
    if (variable.function != kNone && variable.function != program_.entry) continue;
    if (variable.kind != Variable::Kind::Global && variable.kind != Variable::Kind::Parameter &&
        variable.kind != Variable::Kind::Local) {
      continue;
    }
    const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(entry_bindings_[v].address);
    VariableValue value{variable.unique_name, variable.type == Type::Bool, variable.is_array(), {}};
    value.values.assign(begin, begin + static_cast<std::ptrdiff_t>(element_count(v)));
    values.push_back(std::move(value));
  }
  return values;
}

Outcome interpret(const Program& program, const Options& options, const Choices& choices, const Limits& limits) {
  return InterpreterRun(program, options, choices, limits).run();
}

}  // namespace plumb::tiny
