#include "cli/bip/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "cli/command.h"
#include "lang/bip/emit/emit.h"

namespace plumb::cli {
namespace {

constexpr std::size_t kShownSteps = 60;  ///< of a long counterexample: the first few and the last ones
constexpr std::size_t kShownFirst = 10;
constexpr std::size_t kShownComponents = 16;
constexpr std::size_t kShownValues = 24;

nlohmann::ordered_json value_json(const bip::Model& model, bip::VariableId variable, std::int64_t value) {
  if (model.variables[variable].type == bip::Type::Bool) return value != 0;
  return value;
}

const std::string& place_name(const bip::Model& model, bip::ComponentId component, const bip::State& state) {
  return model.components[component].places[state.places[component]];
}

void collect_variables(const bip::Expression& expression, std::set<bip::VariableId>& found) {
  if (expression.kind == bip::Expression::Kind::Name && expression.variable != bip::kNone)
    found.insert(expression.variable);
  for (const bip::ExpressionPtr& operand : expression.operands) collect_variables(*operand, found);
}

/// "timer.t = 11, light.place = G": what the condition looks at.
std::string values_text(const bip::Model& model, const bip::Condition& condition, const bip::State& state) {
  std::set<bip::VariableId> variables;
  collect_variables(*condition.expression, variables);
  std::string text;
  std::size_t shown = 0;
  for (const bip::VariableId variable : variables) {
    if (shown == kShownValues) return text + fmt::format(" and {} more", variables.size() - shown);
    const bool is_place = variable >= model.variables.size();
    const auto component = static_cast<bip::ComponentId>(variable - model.variables.size());
    text += fmt::format(
        "{}{} = {}", shown++ == 0 ? "" : ", ",
        is_place ? model.components[component].name + ".place" : model.variables[variable].name,
        is_place ? place_name(model, component, state) : value_text(model, variable, state.values[variable]));
  }
  return text;
}

std::string falsified_text(const bip::Model& model, const bip::Condition& condition, const bip::State& state) {
  const std::string values = values_text(model, condition, state);
  return fmt::format("'{}' is false{}{}", condition.text, values.empty() ? "" : ": ", values);
}

std::string places_text(const bip::Model& model, const bip::State& state) {
  std::string text;
  const std::size_t count = model.components.size();
  for (bip::ComponentId i = 0; i < std::min(count, kShownComponents); ++i)
    text += fmt::format("{}{} in {}", i == 0 ? "" : ", ", model.components[i].name, place_name(model, i, state));
  return text + (count > kShownComponents ? fmt::format(" and {} more", count - kShownComponents) : "");
}

/// The run that a counterexample makes, line by line and as objects.
struct ShownRun {
  std::vector<std::string> lines;
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  std::size_t interactions = 0;
  bip::State end;
};

ShownRun show_run(const bip::Model& model, const bip::ModelTrace& trace) {
  bip::Run run(model, trace.initial);
  ShownRun shown;
  for (std::size_t i = 0; i < trace.choices.size(); ++i) {
    const bip::Choice& choice = trace.choices[i];
    if (choice.interaction != bip::kNone) ++shown.interactions;
    const bip::State before = run.state();
    run.fire(choice);
    shown.lines.push_back(bip::step_line(model, shown.interactions, choice, before, run.state()));
    shown.steps.push_back(step_json(model, choice, before, run.state()));
    if (i < trace.steps.size()) shown.steps.back()["step"] = trace.steps[i];
  }
  shown.end = run.state();
  return shown;
}

std::string lines_text(const std::vector<std::string>& lines, bool is_full) {
  const bool is_cut = !is_full && lines.size() > kShownSteps;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_cut && i == kShownFirst) {
      const std::size_t left_out = lines.size() - kShownSteps;
      text += fmt::format("  … {} more (--full-trace shows them)\n", left_out);
      i += left_out;
    }
    text += fmt::format("  {}\n", lines[i]);
  }
  return text;
}

}  // namespace

std::string value_text(const bip::Model& model, bip::VariableId variable, std::int64_t value) {
  return value_json(model, variable, value).dump();
}

std::string initial_text(const bip::Model& model, const BipInitialValues& initial) {
  std::string text;
  for (bip::VariableId i = 0; i < initial.size(); ++i)
    if (initial[i])
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", model.variables[i].name,
                          value_text(model, i, *initial[i]));
  return text;
}

nlohmann::ordered_json initial_json(const bip::Model& model, const BipInitialValues& initial) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (bip::VariableId i = 0; i < initial.size(); ++i)
    if (initial[i]) object[utf8(model.variables[i].name)] = value_json(model, i, *initial[i]);
  return object;
}

nlohmann::ordered_json state_json(const bip::Model& model, const bip::State& state) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (bip::ComponentId i = 0; i < model.components.size(); ++i) {
    const bip::Model::Component& component = model.components[i];
    object[utf8(component.name + ".place")] = utf8(place_name(model, i, state));
    for (const bip::VariableId variable : component.variables)
      object[utf8(model.variables[variable].name)] = value_json(model, variable, state.values[variable]);
  }
  return object;
}

nlohmann::ordered_json step_json(const bip::Model& model, const bip::Choice& choice, const bip::State& before,
                                 const bip::State& after) {
  nlohmann::ordered_json object;
  object["interaction"] = nullptr;
  if (choice.interaction != bip::kNone) object["interaction"] = utf8(model.interactions[choice.interaction].name);
  object["changes"] = nlohmann::ordered_json::object();
  const nlohmann::ordered_json old_values = state_json(model, before);
  const nlohmann::ordered_json new_values = state_json(model, after);
  for (const auto& [name, value] : new_values.items())
    if (old_values.at(name) != value) object["changes"][name] = {old_values.at(name), value};
  return object;
}

std::string moment_text(std::size_t interactions) {
  if (interactions == 0) return "at the start";
  return fmt::format("after {} interaction{}", interactions, interactions == 1 ? "" : "s");
}

std::string failure_text(const bip::Model& model, const bip::Property& property, const bip::State& state) {
  using Kind = bip::Property::Kind;
  switch (property.kind) {
    case Kind::Deadlock:
      return fmt::format("no interaction can be fired: {}", places_text(model, state));
    case Kind::Invariant:
      return falsified_text(model, *property.condition, state);
    case Kind::Contract:
      return fmt::format("'{}' was true at the start, {}", property.premise->text,
                         falsified_text(model, *property.condition, state));
    case Kind::Response:
      return fmt::format("'{}' was true, and '{}' has not been true within {} interaction{}", property.premise->text,
                         property.condition->text, property.within, property.within == 1 ? "" : "s");
    case Kind::Priorities:
      return "priorities are cyclic here";
  }
  INVARIANT(false, "every kind of property should have a text");
}

void explain_answer(ProvedProperty& answer, const bip::Model& model, const std::vector<bip::Property>& properties,
                    std::size_t position, const bip::Encoding& encoding, bool is_full) {
  const bip::ModelTrace trace = bip::to_model(model, properties, position, encoding, *answer.result.trace);
  const ShownRun run = show_run(model, trace);
  const std::string initial = initial_text(model, trace.initial);
  answer.moment = moment_text(run.interactions);
  answer.failure = failure_text(model, properties[position], run.end);
  ShownTrace shown;
  if (!initial.empty()) shown.text += fmt::format("  any value at the start, here: {}\n", initial);
  shown.text += lines_text(run.lines, is_full);
  shown.object = {{"interactions", run.interactions},
                  {"initial", initial_json(model, trace.initial)},
                  {"steps", run.steps},
                  {"end", state_json(model, run.end)}};
  if (is_full) {
    ShownTrace signals = show_trace(encoding.system, answer.bad, *answer.result.trace, true);
    shown.full = std::move(signals.full);
    shown.object["signals"] = std::move(signals.object["signals"]);
  }
  answer.shown = std::move(shown);
  answer.guide = fmt::format("# {}: {} is violated {}\n{}", model.file, answer.property.name, answer.moment,
                             bip::write_guide(model, trace.initial, trace.choices));
}

}  // namespace plumb::cli
