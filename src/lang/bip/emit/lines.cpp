#include <fmt/format.h>

#include "lang/bip/emit/emit.h"

namespace plumb::bip {

namespace {

/// Names of places and variables with their values, one after the other, by component.
class Facts {
 public:
  explicit Facts(const Model& model) : model_(model) {}

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (ComponentId c = 0; c < model_.components.size(); ++c) {
      visit(model_.components[c].name + ".place",
            [this, c](const State& state) { return model_.components[c].places[state.places[c]]; });
      for (const VariableId v : model_.components[c].variables)
        visit(model_.variables[v].name, [this, v](const State& state) { return value_text(v, state.values[v]); });
    }
  }

 private:
  std::string value_text(VariableId variable, std::int64_t value) const {
    if (model_.variables[variable].type == Type::Bool) return value != 0 ? "true" : "false";
    return std::to_string(value);
  }

  const Model& model_;
};

}  // namespace

std::string initial_line(const Model& model, const State& state) {
  std::string line = "0  initial";
  const char* separator = "  ";
  Facts(model).for_each([&](const std::string& name, const auto& value) {
    line += fmt::format("{}{} {}", separator, name, value(state));
    separator = ", ";
  });
  return line;
}

std::string step_line(const Model& model, std::size_t number, const Choice& choice, const State& before,
                      const State& after) {
  std::string line = choice.interaction == kNone
                         ? "   internal"
                         : fmt::format("{}  {}", number, model.interactions[choice.interaction].name);
  const char* separator = "  ";
  Facts(model).for_each([&](const std::string& name, const auto& value) {
    const std::string old = value(before);
    const std::string now = value(after);
    if (old == now) return;
    line += fmt::format("{}{} {} -> {}", separator, name, old, now);
    separator = ", ";
  });
  return line;
}

std::string end_line(EmulationEnd end, std::uint64_t interactions) {
  const std::string count = fmt::format("{} interaction{}", interactions, interactions == 1 ? "" : "s");
  switch (end) {
    case EmulationEnd::Bound:
      return "stopped after " + count;
    case EmulationEnd::Guide:
      return "the guide ends after " + count;
    case EmulationEnd::Deadlock:
      return "deadlock after " + count;
    case EmulationEnd::Divergence:
      return "internal transitions do not end after " + count;
  }
  return {};
}

}  // namespace plumb::bip
