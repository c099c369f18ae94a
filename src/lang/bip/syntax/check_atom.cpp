#include <fmt/format.h>

#include "lang/bip/syntax/check_context.h"

namespace plumb::bip {

namespace {

class AtomChecker {
 public:
  AtomChecker(CheckContext& context, AtomType& atom) : context_(context), atom_(atom), scope_(context.constants) {}

  void check() {
    scope_.declare(atom_.parameters);
    context_.check_data(atom_.data, scope_);
    check_ports();
    check_places();
    check_actions();
    check_priorities();
    warn_of_idle_ports();
    fill_interface();
  }

 private:
  void check_ports() {
    std::map<std::string, const PortDeclaration*> exported;
    for (const PortDeclaration& port : atom_.ports) {
      ports_.declare(context_.package, "port", port.name);
      context_.check_port_data(port, scope_);
      if (!port.is_exported) continue;
      const auto [first, is_new] = exported.try_emplace(port.exported_as, &port);
      if (!is_new && first->second->type.text != port.type.text)
        context_.fail(port.type.place,
                      fmt::format("ports '{}' and '{}' are merged into '{}', but are of types '{}' and '{}'",
                                  first->second->name.text, port.name.text, port.exported_as, first->second->type.text,
                                  port.type.text),
                      "merged ports have the same type");
    }
  }

  void check_places() {
    for (const Name& place : atom_.places) places_.declare(context_.package, "place", place);
    if (atom_.initial_place.text.empty())
      context_.fail(atom_.name.place, fmt::format("atom type '{}' has no initial transition", atom_.name.text),
                    "say where it starts: 'initial to PLACE do {…}'");
    check_place(atom_.initial_place);
  }

  void check_place(const Name& place) const {
    if (!places_.contains(place.text)) context_.fail_unknown("place", place, places_.all());
  }

  void check_port(const Name& port) const {
    if (!ports_.contains(port.text)) context_.fail_unknown("port", port, ports_.all());
  }

  void check_actions() {
    check_block(atom_.initial_action);
    for (const Transition& transition : atom_.transitions) {
      if (transition.port) check_port(*transition.port);
      check_place(transition.from);
      check_place(transition.to);
      context_.check_guard(transition.guard, lookup());
      check_block(transition.action);
    }
  }

  void check_block(const Block& block) const {
    const TypeOfName target = [this](Expression& name) -> std::optional<Type> {
      const Variable& variable = scope_.get(name);
      if (variable.kind != Variable::Kind::Data)
        context_.fail(name.place,
                      fmt::format("'{}' is a {} and cannot be assigned", name.name,
                                  variable.kind == Variable::Kind::Parameter ? "parameter" : "constant"),
                      "copy it into data: 'data int x', 'initial to … do { x = …; }'");
      return variable.type;
    };
    context_.check_block(block, lookup(), target);
  }

  void check_priorities() {
    Names names;
    for (const AtomPriority& priority : atom_.priorities) {
      names.declare(context_.package, "priority", priority.name);
      if (priority.low) check_port(*priority.low);
      if (priority.high) check_port(*priority.high);
      if (priority.low && priority.high && priority.low->text == priority.high->text)
        context_.fail(priority.high->place, fmt::format("port '{}' gives way to itself", priority.low->text),
                      "name two ports");
      context_.check_guard(priority.guard, lookup());
    }
  }

  void warn_of_idle_ports() const {
    std::unordered_set<std::string_view> used;
    for (const Transition& transition : atom_.transitions)
      if (transition.port) used.insert(transition.port->text);
    for (const PortDeclaration& port : atom_.ports)
      if (!used.contains(port.name.text))
        context_.warnings.push_back({context_.package.location(port.name.place),
                                     fmt::format("port '{}' of atom type '{}' has no transition and is never enabled",
                                                 port.name.text, atom_.name.text)});
  }

  void fill_interface() {
    Interface& interface = context_.interfaces[atom_.name.text];
    interface.parameters = &atom_.parameters;
    for (const PortDeclaration& port : atom_.ports) {
      if (port.is_exported)
        interface.ports[port.exported_as] = port.type.text;
      else
        interface.hidden.insert(port.name.text);
    }
    for (const DataDeclaration& data : atom_.data) {
      if (data.is_exported)
        interface.data[data.name.text] = data.type;
      else
        interface.hidden.insert(data.name.text);
    }
  }

  TypeOfName lookup() const {
    return [this](Expression& name) -> std::optional<Type> { return scope_.get(name).type; };
  }

  CheckContext& context_;
  AtomType& atom_;
  Scope scope_;
  Names ports_;
  Names places_;
};

}  // namespace

void check_atom(CheckContext& context, AtomType& atom) { AtomChecker(context, atom).check(); }

}  // namespace plumb::bip
