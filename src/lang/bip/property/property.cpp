#include "lang/bip/property/property.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace plumb::bip {

std::vector<Property> default_properties(const Model& model, bool with_deadlock) {
  std::vector<Property> properties;
  const auto add = [&](Property::Kind kind, std::string name) {
    Property& property = properties.emplace_back();
    property.kind = kind;
    property.name = std::move(name);
  };
  if (with_deadlock) add(Property::Kind::Deadlock, "deadlock");
  if (!model.priority_cycles.empty()) add(Property::Kind::Priorities, "acyclic priorities");
  return properties;
}

void make_names_unique(std::vector<Property>& properties) {
  std::set<std::string> given;
  for (const Property& property : properties) given.insert(property.name);
  std::set<std::string> taken;
  for (Property& property : properties) {
    if (taken.insert(property.name).second) continue;
    std::string name;
    for (std::size_t number = 2; name.empty() || given.contains(name) || taken.contains(name); ++number)
      name = fmt::format("{} {}", property.name, number);
    taken.insert(name);
    property.name = std::move(name);
  }
}

bool holds(const Model& model, const Condition& condition, const State& state) {
  Values values = state.values;
  values.resize(model.variables.size());
  values.insert(values.end(), state.places.begin(), state.places.end());
  return evaluate(*condition.expression, values, model.bits) != 0;
}

bool Monitor::is_violated(const Run& run) {
  const bool is_first = std::exchange(is_first_, false);
  const auto is_true = [&](const std::optional<Condition>& condition) {
    INVARIANT(condition.has_value(), "a property of this kind should have its conditions");
    return holds(model_, *condition, run.state());
  };
  switch (property_.kind) {
    case Property::Kind::Deadlock:
      return run.is_deadlocked();
    case Property::Kind::Priorities:
      return run.has_priority_cycle();
    case Property::Kind::Invariant:
      return !is_true(property_.condition);
    case Property::Kind::Contract:
      if (is_first) has_premise_ = is_true(property_.premise);
      return has_premise_ && !is_true(property_.condition);
    case Property::Kind::Response:
      break;
  }
  if (is_true(property_.condition)) {
    age_.reset();
    return false;
  }
  // The oldest premise that still waits is the first to be late; what answers it answers the others.
  if (age_)
    ++*age_;
  else if (is_true(property_.premise))
    age_ = 0;
  return age_ && *age_ >= property_.within;
}

}  // namespace plumb::bip
