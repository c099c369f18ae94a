#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/bip/emit/cpp_expression.h"
#include "lang/bip/emit/cpp_names.h"
#include "lang/bip/emit/cpp_text.h"
#include "lang/bip/emit/emit.h"

namespace plumb::bip {

namespace {

constexpr std::string_view kHeading = R"(//
//     c++ -std=c++17 -O2 THIS_FILE.cpp -o emulator
//     ./emulator [--guide FILE] [--seed N] [--cycles N]
//
// --guide FILE  steps to take, one a line: the name of an interaction or its number below, then, where a component has
//               several enabled transitions, which (`light#2`); `internal light#4` for internal ones;
//               `init timer.n = 3` for a variable that starts with any value, which is 0 otherwise; # starts a comment
// --seed N      of the random choices that are made behind the end of the guide (default: 1)
// --cycles N    stop after N interactions, for N <= 0 never; by default at the end of the guide, without a guide never
//
// The first line that is printed is the state at the start; each of the others is a step with what it changed. Exit
// code: 0 at the end, 10 for a deadlock (or internal transitions without end), 2 for a guide that cannot be followed.

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
)";

/// What a comment of one line can hold.
std::string in_comment(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '\\' || static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return safe;
}

bool is_needed(const Model::Stage& stage) { return stage.guard != nullptr || !stage.up.empty(); }

class CppWriter {
 public:
  explicit CppWriter(const Model& model) : model_(model), names_(model) {}

  std::string write() {
    text_ = fmt::format("// The BIP model {} of {} as a program that runs it.\n", in_comment(model_.top),
                        in_comment(model_.file));
    text_ += kHeading;
    text_ += fmt::format("\nnamespace emulator {{\n\nusing Int = std::int64_t;\nconstexpr unsigned kBits = {};\n",
                         model_.bits);
    text_ += kCppPrologue;
    write_variables();
    write_enumerators();
    for (ComponentId c = 0; c < model_.components.size(); ++c) write_component(c);
    for (InteractionId i = 0; i < model_.interactions.size(); ++i) write_interaction(i);
    for (std::size_t p = 0; p < model_.priorities.size(); ++p) write_priority(p);
    text_ += fmt::format("\nconst std::vector<Component> components = {{\n{}}};\n", components_);
    text_ += fmt::format("\nconst std::vector<Interaction> interactions = {{\n{}}};\n", interactions_);
    text_ += fmt::format("\nconst std::vector<Priority> priorities = {{\n{}}};\n", priorities_);
    text_ += kCppRun;
    text_ += kCppGuide;
    text_ += kCppMain;
    return std::move(text_);
  }

 private:
  void write_enum(const std::vector<std::string>& names) {
    if (!names.empty()) text_ += fmt::format("enum : std::size_t {{ {} }};\n", fmt::join(names, ", "));
  }

  void write_variables() {
    std::vector<std::string> names;
    std::string table;
    const std::vector<VariableId> free = free_variables(model_);
    for (VariableId v = 0; v < model_.variables.size(); ++v) {
      names.push_back(names_.variable(v));
      table += fmt::format("    {{\"{}\", {}, {}}},\n", model_.variables[v].name,
                           model_.variables[v].type == Type::Bool, std::ranges::binary_search(free, v));
    }
    text_ += "\n// Variables, then the places and ports of each component, then components.\n";
    write_enum(names);
    text_ += fmt::format(
        "\nconst std::vector<Variable> variables = {{\n{}}};\nconstexpr std::size_t kComponentVariables = {};\n\n",
        table, model_.component_variables());
  }

  void write_enumerators() {
    std::vector<std::string> components;
    for (ComponentId c = 0; c < model_.components.size(); ++c) {
      const Model::Component& component = model_.components[c];
      std::vector<std::string> places;
      std::vector<std::string> ports;
      for (std::uint32_t p = 0; p < component.places.size(); ++p) places.push_back(names_.place(c, p));
      for (std::uint32_t p = 0; p < component.ports.size(); ++p) ports.push_back(names_.port(c, p));
      components.push_back(names_.component(c));
      write_enum(places);
      write_enum(ports);
    }
    write_enum(components);
  }

  /// The name of a new function, or nullptr.
  std::string write_condition(std::string_view prefix, const std::string& name, const ExpressionPtr& condition) {
    if (condition == nullptr) return "nullptr";
    CppBody body(names_);
    body.add_return(*condition);
    std::string function = names_.make(prefix, name);
    text_ += fmt::format("inline bool {}(const Values&{}) {{\n{}}}\n", function, body.uses_values() ? " v" : "",
                         body.text());
    return function;
  }

  std::string write_action(std::string_view prefix, const std::string& name, const Block& block) {
    if (block.empty()) return "nullptr";
    CppBody body(names_);
    body.add(block);
    std::string function = names_.make(prefix, name);
    text_ += fmt::format("inline void {}(Values&{}) {{\n{}}}\n", function, body.uses_values() ? " v" : "", body.text());
    return function;
  }

  std::string transition_text(const Model::Component& component, const Model::Transition& transition) const {
    const std::string label = transition.port == kNone ? "internal" : "on " + component.ports[transition.port].name;
    std::string text =
        fmt::format("{} from {} to {}", label, component.places[transition.from], component.places[transition.to]);
    if (transition.guard != nullptr) text += fmt::format(" provided ({})", to_text(*transition.guard));
    if (!transition.action.empty()) text += fmt::format(" do {{ {} }}", to_text(transition.action));
    return text;
  }

  std::string write_transitions(ComponentId c) {
    const Model::Component& component = model_.components[c];
    std::string table;
    for (std::uint32_t t = 0; t < component.transitions.size(); ++t) {
      const Model::Transition& transition = component.transitions[t];
      const std::string name = fmt::format("{}.{}", component.name, t);
      text_ += fmt::format("// {}#{}: {}\n", component.name, t, in_comment(transition_text(component, transition)));
      const std::string guard = write_condition("guard", name, transition.guard);
      const std::string action = write_action("action", name, transition.action);
      table += fmt::format("{}{{{}, {}, {}, {}, {}}}", t == 0 ? "" : ",\n      ",
                           transition.port == kNone ? "kNone" : names_.port(c, transition.port),
                           names_.place(c, transition.from), names_.place(c, transition.to), guard, action);
    }
    return table;
  }

  void write_component(ComponentId c) {
    const Model::Component& component = model_.components[c];
    text_ += fmt::format("\n// Component {} of type {}.\n", component.name, component.type);
    const std::string initial = write_action("initial", component.name, component.initial_action);
    const std::string transitions = write_transitions(c);
    std::string priorities;
    for (std::size_t p = 0; p < component.priorities.size(); ++p) {
      const Model::PortPriority& priority = component.priorities[p];
      priorities += fmt::format(
          "{}{{{}, {}, {}}}", p == 0 ? "" : ", ", names_.port(c, priority.low), names_.port(c, priority.high),
          write_condition("gives_way", fmt::format("{}.{}", component.name, p), priority.condition));
    }
    std::vector<std::string> ports;
    std::vector<std::string> places;
    std::vector<std::string> variables;
    for (const Model::Port& port : component.ports) ports.push_back(fmt::format("\"{}\"", port.name));
    for (const std::string& place : component.places) places.push_back(fmt::format("\"{}\"", place));
    for (const VariableId variable : component.variables) variables.push_back(names_.variable(variable));
    components_ +=
        fmt::format("    {{\"{}\", {{{}}}, {{{}}}, {{{}}}, {}, {},\n     {{{}}},\n     {{{}}}}},\n", component.name,
                    fmt::join(ports, ", "), fmt::join(places, ", "), fmt::join(variables, ", "),
                    names_.place(c, component.initial_place), initial, transitions, priorities);
  }

  void write_interaction(InteractionId i) {
    const Model::Interaction& interaction = model_.interactions[i];
    std::vector<std::string> ports;
    std::vector<std::string> stages;
    const bool has_functions = !interaction.down.empty() || std::ranges::any_of(interaction.stages, is_needed);
    if (has_functions) text_ += fmt::format("\n// Interaction {}.\n", interaction.name);
    for (const Model::PortUse& use : interaction.ports)
      ports.push_back(fmt::format("{{{}, {}}}", names_.component(use.component), names_.port(use.component, use.port)));
    for (const Model::Stage& stage : interaction.stages) {
      if (!is_needed(stage)) continue;
      const std::string guard = write_condition("guard", interaction.connector, stage.guard);
      stages.push_back(fmt::format("{{{}, {}}}", guard, write_action("up", interaction.connector, stage.up)));
    }
    const std::string down = write_action("down", interaction.connector, interaction.down);
    // Their numbers in guides count those that may be fired.
    const std::string comment = interaction.is_executable ? fmt::format("  // {}", executable_++) : "";
    interactions_ += fmt::format("    {{\"{}\", {}, {{{}}}, {{{}}}, {}, {{{}}}}},{}\n", interaction.name,
                                 interaction.is_executable, fmt::join(ports, ", "), fmt::join(stages, ", "), down,
                                 fmt::join(interaction.maximal_inside, ", "), comment);
  }

  void write_priority(std::size_t p) {
    const Model::Priority& priority = model_.priorities[p];
    const std::string condition = write_condition("gives_way", fmt::format("priority.{}", p), priority.condition);
    priorities_ += fmt::format("    {{{}, {}, {}}},\n", priority.low, priority.high, condition);
  }

  const Model& model_;
  CppNames names_;
  std::string text_;
  std::string components_;
  std::string interactions_;
  std::string priorities_;
  std::size_t executable_ = 0;
};

}  // namespace

std::string to_cpp(const Model& model) { return CppWriter(model).write(); }

}  // namespace plumb::bip
