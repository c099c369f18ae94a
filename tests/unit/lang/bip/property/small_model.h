#pragma once

#include <string>
#include <vector>

#include "lang/bip/model.h"

namespace plumb::bip::hand_made {

/// A component without transitions; variables as "int t", "bool b".
inline void add_component(Model& model, const std::string& name, const std::string& type,
                          const std::vector<std::string>& places, const std::vector<std::string>& variables,
                          const std::vector<std::string>& ports = {}) {
  Model::Component component;
  component.name = name;
  component.type = type;
  component.places = places;
  for (const std::string& text : variables) {
    const std::size_t blank = text.find(' ');
    Model::Variable variable;
    variable.name = name + "." + text.substr(blank + 1);
    variable.type = text.substr(0, blank) == "int" ? Type::Int : Type::Bool;
    variable.component = static_cast<ComponentId>(model.components.size());
    component.variables.push_back(static_cast<VariableId>(model.variables.size()));
    model.variables.push_back(variable);
  }
  for (const std::string& text : ports) {
    Model::Port port;
    port.name = text;
    port.is_exported = true;
    component.ports.push_back(port);
  }
  model.components.push_back(std::move(component));
}

/// Two lights in compounds, three clients, a variable of a connector, two constants.
inline Model small_model() {
  Model model;
  model.file = "small.bip";
  add_component(model, "timer", "Timer", {"S0"}, {"int t", "int n"}, {"tick", "done"});
  add_component(model, "light", "Light", {"G", "Y", "R"}, {"int m"}, {"done"});
  add_component(model, "client1", "Client", {"IDLE", "WAIT", "DONE"}, {"int v", "bool b"});
  add_component(model, "client2", "Client", {"IDLE", "WAIT", "DONE"}, {"int v", "bool b"});
  add_component(model, "client3", "Client", {"IDLE", "WAIT", "DONE"}, {"int v", "bool b"});
  add_component(model, "left.timer", "Timer", {"S0"}, {"int t", "int n"}, {"tick", "done"});
  add_component(model, "left.inner.timer", "Timer", {"S0"}, {"int t", "int n"}, {"tick", "done"});
  Model::Variable temporary;
  temporary.name = "c1.tmp";
  model.variables.push_back(temporary);
  model.constants.push_back({"N", Type::Int, 4});
  model.constants.push_back({"FAST", Type::Bool, 1});
  model.constants.push_back({"WAIT", Type::Int, 7});
  return model;
}

}  // namespace plumb::bip::hand_made
