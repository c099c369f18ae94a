#include "lang/bip/syntax/check_context.h"

#include <fmt/format.h>

#include "base/spelling.h"

namespace plumb::bip {

void Names::declare(const Package& package, std::string_view what, const Name& name) {
  const auto [first, is_new] = places_.try_emplace(name.text, name.place);
  if (is_new) return;
  throw UserError(package.location(name.place), fmt::format("{} '{}': the name is taken", what, name.text),
                  fmt::format("it is declared in line {}; rename one of them", first->second.line));
}

std::vector<std::string_view> Names::all() const {
  std::vector<std::string_view> result;
  for (const auto& [name, place] : places_) result.push_back(name);
  return result;
}

void Scope::declare(Variable::Kind kind, Type type, const Name& name) {
  constexpr std::string_view kWhat[] = {"variable", "parameter", "constant"};
  names_.declare(package_, kWhat[static_cast<std::size_t>(kind)], name);
  variables_[name.text] = {kind, type};
}

void Scope::declare(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters) declare(Variable::Kind::Parameter, parameter.type, parameter.name);
}

const Variable* Scope::find(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

const Variable& Scope::get(const Expression& name) const {
  if (const Variable* variable = find(name.name)) return *variable;
  const std::string_view near = nearest_name(name.name, names_.all());
  std::string hint = "declare it before it is used";
  if (name.name.find('.') != std::string::npos) hint = "variables have simple names here, without a dot";
  if (!near.empty()) hint = fmt::format("did you mean '{}'?", near);
  throw UserError(package_.location(name.place), fmt::format("unknown variable '{}'", name.name), hint);
}

TypeOfName Scope::constant_lookup() const {
  return [this](Expression& name) -> std::optional<Type> {
    const Variable& variable = get(name);
    if (variable.kind == Variable::Kind::Data)
      throw UserError(package_.location(name.place), fmt::format("'{}' is not constant", name.name),
                      "initial values are of numbers, constants and parameters; use 'initial to … do {…}'");
    return variable.type;
  };
}

CheckContext::CheckContext(Package& checked_package, std::vector<Warning>& all_warnings)
    : package(checked_package),
      warnings(all_warnings),
      locate([&checked_package](Place place) { return checked_package.location(place); }),
      constants(checked_package) {}

void CheckContext::fail(Place place, const std::string& message, const std::string& hint) const {
  throw UserError(package.location(place), message, hint);
}

void CheckContext::fail_unknown(std::string_view what, const Name& name, const std::vector<std::string_view>& names,
                                const std::string& owner) const {
  constexpr std::size_t kMost = 6;
  const std::string_view near = nearest_name(name.text, names);
  std::string hint =
      owner.empty() ? fmt::format("there is no {} here", what) : fmt::format("there is no {}{}", what, owner);
  if (!near.empty()) {
    hint = fmt::format("did you mean '{}'?", near);
  } else if (!names.empty()) {
    const std::size_t shown = std::min(names.size(), kMost);
    hint = fmt::format("there {} {}{}", names.size() == 1 ? "is" : "are",
                       fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                       shown < names.size() ? ", …" : "");
  }
  fail(name.place, fmt::format("unknown {} '{}'{}", what, name.text, owner), hint);
}

const PortType& CheckContext::port_type(const Name& name) const {
  const auto found = port_types.find(name.text);
  if (found != port_types.end()) return *found->second;
  std::vector<std::string_view> names;
  for (const PortType& type : package.port_types) names.push_back(type.name.text);
  fail_unknown("port type", name, names);
}

void CheckContext::check_guard(const ExpressionPtr& guard, const TypeOfName& type_of_name) const {
  if (guard) check_types(*guard, Type::Bool, "the guard", type_of_name, locate);
}

void CheckContext::check_block(const Block& block, const TypeOfName& type_of_name,
                               const TypeOfName& type_of_target) const {
  for (const StatementPtr& statement : block) {
    if (statement->kind == Statement::Kind::If) {
      check_types(*statement->value, Type::Bool, "the condition", type_of_name, locate);
      check_block(statement->then_branch, type_of_name, type_of_target);
      check_block(statement->else_branch, type_of_name, type_of_target);
      continue;
    }
    const auto type = check_types(*statement->target, type_of_target, locate);
    const auto value = check_types(*statement->value, type_of_name, locate);
    if (type && value && *type != *value)
      fail(statement->value->place,
           fmt::format("'{}' is of type {}, but what is assigned to it of type {}", statement->target->name,
                       to_string(*type), to_string(*value)),
           *type == Type::Bool ? "compare it: '!= 0'" : "'b ? 1 : 0' makes an int of a bool");
  }
}

void CheckContext::check_port_data(const PortDeclaration& port, const Scope& scope) const {
  const PortType& type = port_type(port.type);
  if (port.data.size() != type.data.size())
    fail(port.name.place,
         fmt::format("port '{}' shows {} variable{}, but its type '{}' has {}", port.name.text, port.data.size(),
                     port.data.size() == 1 ? "" : "s", type.name.text, type.data.size()),
         fmt::format("the port type is in line {}", type.name.place.line));
  for (std::size_t i = 0; i < port.data.size(); ++i) {
    const Name& name = port.data[i];
    Expression reference;
    reference.name = name.text;
    reference.place = name.place;
    const Variable& variable = scope.get(reference);
    if (variable.kind != Variable::Kind::Data)
      fail(name.place, fmt::format("port '{}' shows '{}', which is no data", port.name.text, name.text),
           "interactions may write it: copy it into data first");
    if (variable.type != type.data[i].type)
      fail(name.place,
           fmt::format("'{}' is of type {}, but '{}' of port type '{}' is of type {}", name.text,
                       to_string(variable.type), type.data[i].name.text, type.name.text, to_string(type.data[i].type)),
           fmt::format("the port type is in line {}", type.name.place.line));
  }
}

void CheckContext::check_data(std::vector<DataDeclaration>& data, Scope& scope) const {
  for (DataDeclaration& declaration : data) {
    scope.declare(Variable::Kind::Data, declaration.type, declaration.name);
    if (declaration.init)
      check_types(*declaration.init, declaration.type, fmt::format("the value of '{}'", declaration.name.text),
                  scope.constant_lookup(), locate);
  }
}

}  // namespace plumb::bip
