#include "result/engine_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/spelling.h"

namespace plumb::result {
namespace {

/// Whether `name` is `own`, or `own` with an argument where there is one.
bool is_called(const EngineInfo& engine, std::string_view own, std::string_view name) {
  if (engine.argument.empty()) return name == own;
  return name.size() > own.size() + 1 && name.starts_with(own) && name[own.size()] == ' ';
}

std::string quoted(const std::string& name) {
  return name.find(' ') == std::string::npos ? name : fmt::format("'{}'", name);
}

}  // namespace

std::string_view to_string(EngineInput input) { return input == EngineInput::Program ? "C programs" : "systems"; }

std::string shown_name(const EngineInfo& engine) {
  return engine.argument.empty() ? std::string(engine.name) : fmt::format("{} {}", engine.name, engine.argument);
}

std::string possible_verdicts(const EngineInfo& engine) {
  std::vector<std::string_view> verdicts;
  if (engine.can_hold) verdicts.push_back("holds");
  if (engine.can_bound) verdicts.push_back("holds up to");
  if (engine.can_violate) verdicts.push_back("violated");
  return fmt::format("{}", fmt::join(verdicts, ", "));
}

bool is_default(const EngineInfo& engine) { return !engine.by_default.front().empty(); }

std::vector<std::string> EngineNames::defaults() const {
  std::vector<std::string> names;
  for (const EngineInfo* engine : infos_)
    for (const std::string_view name : engine->by_default)
      if (!name.empty()) names.emplace_back(name);
  return names;
}

std::vector<std::string> EngineNames::resolve(const std::vector<std::string>& wanted,
                                              std::vector<std::string>& notes) const {
  if (wanted.empty() || (wanted.size() == 1 && wanted.front() == "auto")) return defaults();
  std::vector<std::string> names;
  for (const std::string& name : wanted) {
    const auto former = std::ranges::find_if(
        infos_, [&](const EngineInfo* engine) { return !engine->former_name.empty() && engine->former_name == name; });
    if (former != infos_.end()) {
      names.emplace_back((*former)->name);
      notes.push_back(fmt::format("the engine '{}' is called '{}' now", name, names.back()));
      continue;
    }
    position(name);
    names.push_back(name);
  }
  return names;
}

std::size_t EngineNames::position(std::string_view name) const {
  for (std::size_t i = 0; i < infos_.size(); ++i)
    if (is_called(*infos_[i], infos_[i]->name, name)) return i;
  std::vector<std::string_view> known;
  for (const EngineInfo* engine : infos_) {
    if (engine->by_default.front().empty()) known.push_back(engine->name);
    for (const std::string_view each : engine->by_default)
      if (!each.empty()) known.push_back(each);
  }
  const std::string_view near = nearest_name(name, known);
  throw UserError(fmt::format("there is no engine '{}'", name),
                  near.empty() ? fmt::format("the engines for {} are {}", to_string(infos_.front()->takes), text())
                               : fmt::format("did you mean '{}'?", near));
}

std::string EngineNames::text() const {
  std::vector<std::string> names;
  for (const EngineInfo* engine : infos_) names.push_back(quoted(shown_name(*engine)));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace plumb::result
