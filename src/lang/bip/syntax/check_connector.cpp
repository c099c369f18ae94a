#include <fmt/format.h>

#include <algorithm>

#include "lang/bip/syntax/check_context.h"

namespace plumb::bip {

namespace {

using PortSet = std::unordered_set<std::string_view>;

/// How an interaction looks at a port expression.
enum class Part : std::uint8_t {
  Absent,   ///< it has no port of it
  Allowed,  ///< its ports in it are one of its interactions
  Wrong,    ///< they are not
};

/// A group's interactions are unions of interactions of its parts that have one of a trigger, or one of every part.
/// No port is in two parts, so what an interaction has of a part is its intersection with it.
Part part_of(const PortExpression& expression, const PortSet& ports) {
  if (expression.port) return ports.contains(expression.port->text) ? Part::Allowed : Part::Absent;
  bool has_trigger = false;
  bool has_all = true;
  bool has_any = false;
  for (const PortExpression& part : expression.group) {
    const Part found = part_of(part, ports);
    if (found == Part::Wrong) return Part::Wrong;
    has_any = has_any || found == Part::Allowed;
    has_all = has_all && found == Part::Allowed;
    has_trigger = has_trigger || (part.is_trigger && found == Part::Allowed);
  }
  if (!has_any) return Part::Absent;
  return has_trigger || has_all ? Part::Allowed : Part::Wrong;
}

class ConnectorChecker {
 public:
  ConnectorChecker(const CheckContext& context, ConnectorType& connector)
      : context_(context), connector_(connector), scope_(context.constants) {}

  void check() {
    for (const auto& port : connector_.ports) {
      ports_.declare(context_.package, "port", port.name);
      types_[port.name.text] = &context_.port_type(port.type);
    }
    check_data();
    check_define(connector_.define);
    for (const auto& port : connector_.ports)
      if (!defined_.contains(port.name.text))
        context_.fail(
            port.name.place,
            fmt::format("port '{}' is not in 'define' of connector type '{}'", port.name.text, connector_.name.text),
            "add it there, or leave it out here");
    for (ConnectorInteraction& interaction : connector_.interactions) check_interaction(interaction);
    warn_of_unset_data();
  }

 private:
  void check_data() {
    for (const DataDeclaration& data : connector_.data)
      if (ports_.contains(data.name.text))
        context_.fail(data.name.place, fmt::format("variable '{}' has the name of a port", data.name.text),
                      "rename one of them");
    context_.check_data(connector_.data, scope_);
    for (const DataDeclaration& data : connector_.data)
      if (data.init)
        context_.fail(data.init->place,
                      fmt::format("variable '{}' of a connector has no initial value", data.name.text),
                      "it lives during an interaction alone; set it in 'up {…}'");
    if (!connector_.exported) return;
    ports_.declare(context_.package, "port", connector_.exported->name);
    context_.check_port_data(*connector_.exported, scope_);
  }

  void check_define(const PortExpression& expression) {
    for (const PortExpression& part : expression.group) check_define(part);
    if (!expression.port) return;
    const Name& port = *expression.port;
    if (!types_.contains(port.text)) context_.fail_unknown("port", port, port_names());
    if (!defined_.insert(port.text).second)
      context_.fail(port.place, fmt::format("port '{}' is twice in 'define'", port.text), "leave one");
  }

  void check_interaction(ConnectorInteraction& interaction) {
    PortSet ports;
    for (const Name& port : interaction.ports) {
      if (!types_.contains(port.text)) context_.fail_unknown("port", port, port_names());
      if (!ports.insert(port.text).second)
        context_.fail(port.place, fmt::format("port '{}' is twice in the interaction", port.text), "leave one");
    }
    if (part_of(connector_.define, ports) != Part::Allowed)
      context_.fail(interaction.ports[0].place,
                    fmt::format("'define' of connector type '{}' does not allow the interaction '{}'",
                                connector_.name.text, text_of(interaction)),
                    "it needs all ports, or one that is a trigger (with a quote)");
    check_unique(interaction);
    const TypeOfName in_guard = [&](Expression& name) -> std::optional<Type> {
      const Variable* local = scope_.find(name.name);
      if (local != nullptr && local->kind == Variable::Kind::Data)
        context_.fail(name.place,
                      fmt::format("the guard reads '{}' of the connector, which has no value yet", name.name),
                      "guards are looked at before 'up {…}'; use data of ports");
      return type_of(name, ports);
    };
    const TypeOfName in_action = [&](Expression& name) -> std::optional<Type> { return type_of(name, ports); };
    const TypeOfName up_target = [&](Expression& name) { return type_of_target(name, ports, true); };
    const TypeOfName down_target = [&](Expression& name) { return type_of_target(name, ports, false); };
    context_.check_guard(interaction.guard, in_guard);
    context_.check_block(interaction.up, in_action, up_target);
    context_.check_block(interaction.down, in_action, down_target);
  }

  void check_unique(const ConnectorInteraction& interaction) {
    std::vector<std::string> sorted;
    for (const Name& port : interaction.ports) sorted.push_back(port.text);
    std::ranges::sort(sorted);
    const auto [first, is_new] = seen_.try_emplace(std::move(sorted), interaction.place);
    if (!is_new)
      context_.fail(interaction.place, fmt::format("interaction '{}' has two 'on'", text_of(interaction)),
                    fmt::format("the first is in line {}; make one of them", first->second.line));
  }

  void warn_of_unset_data() const {
    if (!connector_.exported) return;
    std::unordered_set<std::string> assigned;
    for (const ConnectorInteraction& interaction : connector_.interactions) collect_targets(interaction.up, assigned);
    for (const Name& data : connector_.exported->data)
      if (!assigned.contains(data.text))
        context_.warnings.push_back(
            {context_.package.location(data.place),
             fmt::format("exported port '{}' of connector type '{}' shows '{}', which no 'up' assigns: it is always {}",
                         connector_.exported->name.text, connector_.name.text, data.text,
                         scope_.find(data.text)->type == Type::Int ? "0" : "false")});
  }

  static void collect_targets(const Block& block, std::unordered_set<std::string>& targets) {
    for (const StatementPtr& statement : block) {
      if (statement->target) targets.insert(statement->target->name);
      collect_targets(statement->then_branch, targets);
      collect_targets(statement->else_branch, targets);
    }
  }

  static std::string text_of(const ConnectorInteraction& interaction) {
    std::string text;
    for (const Name& port : interaction.ports) text += (text.empty() ? "" : " ") + port.text;
    return text;
  }

  Type type_of(const Expression& name, const PortSet& ports) const {
    const std::size_t dot = name.name.find('.');
    if (dot == std::string::npos) {
      if (types_.contains(name.name))
        context_.fail(name.place, fmt::format("'{}' is a port", name.name),
                      fmt::format("name its data: '{}.v'", name.name));
      return scope_.get(name).type;
    }
    const Name port{name.name.substr(0, dot), name.place};
    const auto found = types_.find(port.text);
    if (found == types_.end()) context_.fail_unknown("port", port, port_names());
    if (!ports.contains(port.text))
      context_.fail(name.place, fmt::format("port '{}' does not take part in this interaction", port.text),
                    "only data of the ports behind 'on' can be used");
    const std::string member = name.name.substr(dot + 1);
    std::vector<std::string_view> names;
    for (const Parameter& data : found->second->data) {
      if (data.name.text == member) return data.type;
      names.push_back(data.name.text);
    }
    const Place place{name.place.line, name.place.column + static_cast<std::uint32_t>(dot) + 1};
    context_.fail_unknown("data", {member, place}, names, fmt::format(" of port type '{}'", found->second->name.text));
  }

  std::optional<Type> type_of_target(Expression& name, const PortSet& ports, bool is_up) const {
    const Type type = type_of(name, ports);
    const Variable* local = scope_.find(name.name);
    if (local != nullptr && local->kind != Variable::Kind::Data)
      context_.fail(name.place, fmt::format("'{}' is a constant and cannot be assigned", name.name),
                    "use data of the connector: 'data int x'");
    if (local == nullptr && is_up)
      context_.fail(name.place, fmt::format("'up' assigns '{}' of a port", name.name),
                    "'up' writes data of the connector; write data of ports in 'down {…}'");
    return type;
  }

  std::vector<std::string_view> port_names() const {
    std::vector<std::string_view> names;
    for (const auto& port : connector_.ports) names.push_back(port.name.text);
    return names;
  }

  const CheckContext& context_;
  ConnectorType& connector_;
  Scope scope_;
  Names ports_;
  std::unordered_map<std::string, const PortType*> types_;
  std::unordered_set<std::string> defined_;
  std::map<std::vector<std::string>, Place> seen_;
};

}  // namespace

void check_connector(const CheckContext& context, ConnectorType& connector) {
  ConnectorChecker(context, connector).check();
}

}  // namespace plumb::bip
