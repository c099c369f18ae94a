#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/model.h"

namespace plumb::bip {

/// Names as the model has them, so that a wrong binding shows.
inline void rename(const Model& model, Expression& e) {
  if (e.kind == Expression::Kind::Name) e.name = model.variables.at(e.variable).name;
  for (const ExpressionPtr& operand : e.operands) rename(model, *operand);
}

inline void rename(const Model& model, const Block& block) {
  for (const StatementPtr& statement : block) {
    if (statement->target) rename(model, *statement->target);
    rename(model, *statement->value);
    rename(model, statement->then_branch);
    rename(model, statement->else_branch);
  }
}

inline std::string text_of(const Model& model, const ExpressionPtr& condition) {
  if (!condition) return "true";
  const ExpressionPtr copy = clone(*condition);
  rename(model, *copy);
  return to_text(*copy);
}

inline std::string text_of(const Model& model, const Block& block) {
  const Block copy = clone(block);
  rename(model, copy);
  return to_text(copy);
}

/// One line for each interaction: `name`, [guard] and {up} of each stage, then `down`; `-` before those that are not
/// executable, `needs` before those inside.
inline std::string interactions_of(const Model& model) {
  std::string text;
  for (const Model::Interaction& interaction : model.interactions) {
    text += fmt::format("{}{}", interaction.is_executable ? "" : "- ", interaction.name);
    for (const Model::Stage& stage : interaction.stages) {
      if (stage.guard) text += fmt::format(" [{}]", text_of(model, stage.guard));
      if (!stage.up.empty()) text += fmt::format(" {{{}}}", text_of(model, stage.up));
    }
    if (!interaction.down.empty()) text += fmt::format(" down {{{}}}", text_of(model, interaction.down));
    for (const InteractionId inside : interaction.maximal_inside)
      text += fmt::format(" needs {}", model.interactions.at(inside).name);
    text += '\n';
  }
  return text;
}

/// One line for each priority, sorted: `low < high if condition`.
inline std::string priorities_of(const Model& model) {
  std::vector<std::string> lines;
  for (const Model::Priority& priority : model.priorities)
    lines.push_back(fmt::format("{} < {}{}\n", model.interactions.at(priority.low).name,
                                model.interactions.at(priority.high).name,
                                priority.condition ? " if " + text_of(model, priority.condition) : ""));
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, ""));
}

/// One line for each transition: `component port from->to [guard] {action}`, and one for each component's start.
inline std::string components_of(const Model& model) {
  std::string text;
  for (const Model::Component& component : model.components) {
    text += fmt::format("{} : {} starts in {} {{{}}}\n", component.name, component.type,
                        component.places.at(component.initial_place), text_of(model, component.initial_action));
    for (const Model::Transition& transition : component.transitions)
      text += fmt::format("  {} {}->{} [{}] {{{}}}\n",
                          transition.port == kNone ? "internal" : component.ports.at(transition.port).name,
                          component.places.at(transition.from), component.places.at(transition.to),
                          text_of(model, transition.guard), text_of(model, transition.action));
    for (const Model::PortPriority& priority : component.priorities)
      text += fmt::format("  {} < {} [{}]\n", component.ports.at(priority.low).name,
                          component.ports.at(priority.high).name, text_of(model, priority.condition));
  }
  return text;
}

inline Model read_text(std::string_view text, std::vector<Warning>& warnings, const Options& options = {}) {
  return read_model(text, "m.bip", options, warnings);
}

/// Of a model that gives no warnings.
inline Model read_text(std::string_view text, const Options& options = {}) {
  std::vector<Warning> warnings;
  Model model = read_text(text, warnings, options);
  for (const Warning& warning : warnings) throw UserError(warning.location, warning.message);
  return model;
}

/// Types that most tests use: `Sync`, `Int`, an atom with exported port `p`, one with `p` and `q`, rendezvous and
/// broadcasts of two and three ports. `Cell` has data behind its port and exports it.
inline std::string with_types(std::string_view rest) {
  return R"(package test
  port type Sync()
  port type Int(int v)
  atom type A()
    export port Sync p()
    place S
    initial to S
    on p from S to S
  end
  atom type AB()
    export port Sync p()
    export port Sync q()
    place S
    initial to S
    on p from S to S
    on q from S to S
  end
  atom type Cell(int start)
    export data int x
    export data bool b
    data int hidden
    export port Int put(x)
    place S
    initial to S do { x = start; b = true; hidden = 0; }
    on put from S to S
  end
  connector type One(Sync a)
    define a
  end
  connector type Two(Sync a, Sync b)
    define a b
  end
  connector type Cast(Sync a, Sync b, Sync c)
    define a' b c
  end
)" + std::string(rest) +
         "\nend\n";
}

/// The line on which with_types() puts the first line of `rest`.
inline constexpr std::uint32_t kFirstLine = 36;

}  // namespace plumb::bip
