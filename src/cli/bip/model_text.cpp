#include "cli/bip/model_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lang/bip/run/guide.h"

namespace plumb::cli {
namespace {

using bip::Model;

std::string guard_text(const bip::ExpressionPtr& guard) {
  return guard ? fmt::format(" provided ({})", bip::to_text(*guard)) : std::string();
}

std::string block_text(std::string_view word, const bip::Block& block) {
  return block.empty() ? std::string() : fmt::format(" {} {{ {} }}", word, bip::to_text(block));
}

std::string port_text(const Model& model, const Model::Port& port) {
  std::vector<std::string> data;
  for (const bip::VariableId variable : port.data) data.push_back(model.variables[variable].name);
  return fmt::format("    {}port {}({})\n", port.is_exported ? "export " : "", port.name, fmt::join(data, ", "));
}

std::string transition_text(const Model::Component& component, const Model::Transition& transition,
                            std::size_t number) {
  return fmt::format("    #{} {} from {} to {}{}{}\n", number,
                     transition.port == bip::kNone ? "internal" : "on " + component.ports[transition.port].name,
                     component.places[transition.from], component.places[transition.to], guard_text(transition.guard),
                     block_text("do", transition.action));
}

std::string component_text(const Model& model, const Model::Component& component) {
  std::string text = fmt::format("  {} : {}\n", component.name, component.type);
  for (const bip::VariableId variable : component.variables)
    text += fmt::format("    data {} {}\n", to_string(model.variables[variable].type), model.variables[variable].name);
  for (const Model::Port& port : component.ports) text += port_text(model, port);
  text += fmt::format("    place {}\n", fmt::join(component.places, ", "));
  text += fmt::format("    initial to {}{}\n", component.places[component.initial_place],
                      block_text("do", component.initial_action));
  for (std::size_t i = 0; i < component.transitions.size(); ++i)
    text += transition_text(component, component.transitions[i], i);
  for (const Model::PortPriority& priority : component.priorities)
    text += fmt::format("    priority {} < {}{}\n", component.ports[priority.low].name,
                        component.ports[priority.high].name, guard_text(priority.condition));
  return text;
}

std::string interaction_text(const Model::Interaction& interaction, const std::string& number) {
  std::string text = fmt::format("  {:>4}  {}", number, interaction.name);
  for (const Model::Stage& stage : interaction.stages) text += guard_text(stage.guard) + block_text("up", stage.up);
  return text + block_text("down", interaction.down) + "\n";
}

}  // namespace

std::string model_text(const Model& model) {
  std::string text = fmt::format("package {}, {}; int has {} bits\n\ncomponents\n", model.name, model.top, model.bits);
  for (const Model::Component& component : model.components) text += component_text(model, component);
  text += "\ninteractions\n";
  const std::vector<bip::InteractionId> executable = bip::executable_interactions(model);
  std::size_t number = 0;
  for (bip::InteractionId i = 0; i < model.interactions.size(); ++i) {
    const bool is_executable = number < executable.size() && executable[number] == i;
    text += interaction_text(model.interactions[i], is_executable ? std::to_string(number) : "-");
    if (is_executable) ++number;
  }
  if (executable.size() < model.interactions.size())
    text += "  those with - are parts of others and do not fire by themselves\n";
  if (!model.priorities.empty()) text += "\npriorities\n";
  for (const Model::Priority& priority : model.priorities)
    text +=
        fmt::format("  {} < {}{}{}\n", model.interactions[priority.low].name, model.interactions[priority.high].name,
                    guard_text(priority.condition), priority.place.line == 0 ? " (maximal progress)" : "");
  return text;
}

}  // namespace plumb::cli
