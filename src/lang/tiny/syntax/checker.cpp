// Names and types. Globals, functions and predicates are known everywhere, so that order does not matter among them;
// locals from their declaration on. Constants come first, because sizes of arrays need them.

#include "lang/tiny/syntax/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/spelling.h"

namespace plumb::tiny {

std::string_view to_string(Variable::Kind kind) {
  switch (kind) {
    case Variable::Kind::Global:
      return "a global variable";
    case Variable::Kind::Parameter:
      return "a parameter";
    case Variable::Kind::Local:
      return "a local variable";
    case Variable::Kind::Quantified:
      return "a quantified variable";
    case Variable::Kind::Wire:
      return "a wire";
    case Variable::Kind::Constant:
      return "a constant";
  }
  return "";
}

std::string_view to_string(Type type) {
  switch (type) {
    case Type::Void:
      return "void";
    case Type::Int:
      return "int";
    case Type::Bool:
      return "bool";
  }
  return "";
}

Checker::Checker(WrittenProgram written, std::vector<UserError>& errors, std::vector<Warning>& warnings)
    : program_(std::move(written.program)), errors_(errors), warnings_(warnings) {
  for (WrittenSize& size : written.sizes) {
    const VariableId id = size.variable;
    sizes_.emplace(id, std::move(size));
  }
  facts_.resize(program_.functions.size());
}

Program Checker::check() {
  scopes_.emplace_back();
  enter_functions();
  enter_globals();
  for (FunctionId id = 0; id < program_.functions.size(); ++id) check_function(id);
  name_variables();
  if (errors_.empty()) check_calls(program_, facts_, definition_facts_, errors_);
  if (errors_.empty()) warn_of_unused();
  return std::move(program_);
}

void Checker::report(Place place, std::string message, std::string hint) {
  errors_.emplace_back(program_.location(place), std::move(message), std::move(hint));
}

void Checker::warn(Place place, std::string message) {
  warnings_.push_back({program_.location(place), std::move(message)});
}

// --- The program ---

void Checker::enter_functions() {
  if (program_.functions.empty() && errors_.empty())
    errors_.emplace_back(SourceLocation{program_.file, 0, 0}, "there is no function in this file",
                         "a program is at least 'void main() { }'");
  for (FunctionId id = 0; id < program_.functions.size(); ++id) {
    const Function& function = program_.functions[id];
    const auto [first, is_new] = functions_.emplace(function.name, id);
    if (!is_new)
      report(function.place, fmt::format("the function '{}' is defined twice, first at line {}", function.name,
                                         program_.functions[first->second].place.line));
    if (function.name == "main" && function.result != Type::Void)
      report(function.place, fmt::format("expected 'void main', found '{} main'", to_string(function.result)),
             "the entry of a program returns nothing; any other name may return a value");
  }
}

void Checker::enter_globals() {
  std::vector<VariableId> globals;
  for (VariableId id = 0; id < program_.variables.size(); ++id)
    if (variable(id).function == kNone && variable(id).kind != Variable::Kind::Quantified) globals.push_back(id);
  for (const VariableId id : globals) enter(id);
  for (const VariableId id : globals)
    if (variable(id).kind == Variable::Kind::Constant) check_constant(id);
  const std::size_t mistakes = errors_.size();
  check_circles(program_, facts_, definition_facts_, errors_);
  has_circle_ = errors_.size() != mistakes;
  for (const VariableId id : globals) compute_sizes(id);
  for (const Function& function : program_.functions)
    for (const VariableId id : function.parameters) compute_sizes(id);
  for (const VariableId id : globals) {
    if (variable(id).kind == Variable::Kind::Wire) check_wire(id);
    if (variable(id).kind == Variable::Kind::Global && variable(id).definition) check_constant(id);
  }
}

/// The definition of a constant, or the initial value of a global.
void Checker::check_constant(VariableId id) {
  check_definition(
      id, {.what = "a constant expression", .allows_calls = false, .allows_nondet = false, .is_constant = true});
}

void Checker::check_wire(VariableId id) {
  check_definition(id, {.what = "the definition of a wire", .allows_calls = false, .allows_nondet = false});
}

void Checker::check_definition(VariableId id, const Setting& setting) {
  if (!variable(id).definition) return;
  const Setting around = setting_;
  FunctionFacts* const outer = current_;
  setting_ = setting;
  current_ = &definition_facts_[id];
  need(variable(id).type, variable(id).definition, fmt::format("'{}'", variable(id).name));
  setting_ = around;
  current_ = outer;
}

void Checker::compute_sizes(VariableId id) {
  const auto [begin, end] = sizes_.equal_range(id);
  for (auto size = begin; size != end; ++size) {
    Expression& expression = *size->second.expression;
    const std::size_t mistakes = errors_.size();
    const Setting around = setting_;
    setting_ = {.what = "the size of an array", .allows_calls = false, .allows_nondet = false, .is_constant = true};
    need_int(expression, "the size of an array");
    setting_ = around;
    if (errors_.size() != mistakes || has_circle_) continue;
    const auto value = exact_value(program_, expression);
    if (!value)
      report(expression.place, "expected the size of an array, found no number",
             "'[]' and '[MAX_ARRAY_SIZE]' leave the size to --array");
    else if (*value <= 0)
      report(expression.place, fmt::format("expected the size of an array, found {}", *value),
             "an array has at least one element");
    else
      variable(id).dimensions[size->second.dimension] = static_cast<std::uint64_t>(*value);
  }
}

void Checker::check_function(FunctionId id) {
  Function& function = program_.functions[id];
  function_ = id;
  current_ = &facts_[id];
  loops_ = 0;
  has_returned_ = false;
  late_.clear();
  scopes_.emplace_back();
  for (const VariableId parameter : function.parameters) enter(parameter);
  auto& body = function.body->body;
  final_posts_ = body.size();
  while (final_posts_ > 0 && body[final_posts_ - 1]->kind == Statement::Kind::Post) --final_posts_;
  setting_ = {.what = "a statement"};
  if (function.is_predicate) {
    setting_ = {.what = "a predicate", .allows_nondet = false, .is_property = true};
    need_bool(body[0]->value);
  } else {
    // Not by check_block: parameters and the body's own names share a scope.
    for (const StatementPtr& statement : body) check_statement(*statement);
    check_contracts(function);
    if (function.result != Type::Void && can_fall_through(function))
      report(function.place, fmt::format("not every path through '{}' returns a value", function.name),
             "expected a 'return' at the end of its body");
  }
  scopes_.pop_back();
  function_ = kNone;
  current_ = nullptr;
}

namespace {

void collect_contracts(const Statement& statement, std::vector<const Statement*>& pres,
                       std::vector<const Statement*>& posts) {
  if (statement.kind == Statement::Kind::Pre) pres.push_back(&statement);
  if (statement.kind == Statement::Kind::Post) posts.push_back(&statement);
  for (const StatementPtr& part : statement.body) collect_contracts(*part, pres, posts);
}

bool has_name(const std::vector<const Statement*>& statements, const std::string& name) {
  return std::any_of(statements.begin(), statements.end(), [&](const Statement* s) { return s->name == name; });
}

}  // namespace

void Checker::check_contracts(const Function& function) {
  std::vector<const Statement*> pres;
  std::vector<const Statement*> posts;
  collect_contracts(*function.body, pres, posts);
  std::map<std::string, Place> first;
  for (const Statement* pre : pres) {
    const auto [found, is_new] = first.emplace(pre->name, pre->place);
    if (!is_new)
      report(pre->place,
             fmt::format("the precondition '{}' of '{}' stands twice, first at line {}", pre->name, function.name,
                         found->second.line),
             "write both properties in one @pre");
    if (!has_name(posts, pre->name))
      warn(pre->place, fmt::format("@pre {} of '{}' has no @post of the same name", pre->name, function.name));
  }
  for (const Statement* post : posts)
    if (!has_name(pres, post->name))
      warn(post->place, fmt::format("@post {} of '{}' has no @pre of the same name: it has to hold on all runs",
                                    post->name, function.name));
}

void Checker::name_variables() {
  std::set<std::string> taken;
  for (Variable& one : program_.variables) {
    const std::string plain =
        one.function == kNone ? one.name : fmt::format("{}::{}", program_.functions[one.function].name, one.name);
    one.unique_name = plain;
    for (int i = 2; !taken.insert(one.unique_name).second; ++i) one.unique_name = fmt::format("{}#{}", plain, i);
  }
}

void Checker::warn_of_unused() {
  for (VariableId id = 0; id < program_.variables.size(); ++id) {
    const Variable& one = variable(id);
    // Wires are there to be looked at.
    if (used_.contains(id) || one.kind == Variable::Kind::Wire || one.name == "rv") continue;
    warn(one.place, fmt::format("'{}', {}, is never used", one.name, to_string(one.kind)));
  }
}

// --- Names ---

void Checker::enter(VariableId id) {
  const Variable& one = variable(id);
  const auto [first, is_new] = scopes_.back().emplace(one.name, id);
  if (!is_new)
    return report(one.place, fmt::format("'{}' is declared twice, first at line {}", one.name,
                                         variable(first->second).place.line));
  if (scopes_.size() == 1)
    if (const auto function = functions_.find(one.name); function != functions_.end())
      report(one.place, fmt::format("'{}' is declared twice, as a variable and as a function at line {}", one.name,
                                    program_.functions[function->second].place.line));
}

VariableId Checker::find(std::string_view name) const {
  const std::string key(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(key); found != scope->end()) return found->second;
  return kNone;
}

/// "did you mean 'x'?", or nothing. At least one letter has to be right.
std::string Checker::similar_name(std::string_view name, bool is_function) const {
  const std::size_t most = std::min<std::size_t>(name.size() - 1, name.size() <= 3 ? 1 : 2);
  std::pair<std::size_t, std::string> best{most + 1, ""};
  const auto look_at = [&](const std::string& other) {
    if (const std::size_t d = edit_distance(name, other); d < other.size()) best = std::min(best, std::pair{d, other});
  };
  if (is_function)
    for (const auto& [other, id] : functions_) look_at(other);
  else
    for (const Scope& scope : scopes_)
      for (const auto& [other, id] : scope) look_at(other);
  return best.second.empty() ? "" : fmt::format("did you mean '{}'?", best.second);
}

/// Enters the variable of a Name or Index; kNone after an error.
VariableId Checker::resolve(Expression& name) {
  VariableId id = find(name.name);
  if (name.name == "rv") {
    id = function_ == kNone ? kNone : program_.functions[function_].return_variable;
    if (!setting_.is_final_post || id == kNone) {
      report(name.place, id == kNone ? "there is no 'rv' here: nothing is returned" : "'rv' has no value here",
             "rv is what a function returns, in the @post at the end of its body");
      return kNone;
    }
  } else if (id == kNone) {
    const bool is_function = functions_.contains(name.name);
    report(name.place,
           is_function ? fmt::format("expected a variable, found the function '{}'", name.name)
                       : fmt::format("'{}' is not declared", name.name),
           is_function ? fmt::format("write {}(…) to call it", name.name) : similar_name(name.name, false));
    return kNone;
  }
  name.variable = id;
  used_.insert(id);
  if (setting_.is_constant && variable(id).kind != Variable::Kind::Constant) {
    report(name.place, fmt::format("expected a constant in {}, found '{}', {}", setting_.what, name.name,
                                   to_string(variable(id).kind)));
    return kNone;
  }
  if (setting_.is_final_post && late_.contains(id)) {
    report(name.place, fmt::format("'{}' has no value in this @post where an earlier return is taken", name.name),
           "declare it before the first return");
    return kNone;
  }
  if (current_ != nullptr) current_->named.insert(id);
  return id;
}

}  // namespace plumb::tiny
