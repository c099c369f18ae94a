#include "flatten/translate/properties.h"

#include "program/analysis/decisions.h"

namespace plumb::flatten {

using program::GoalKind;

namespace {

std::uint64_t key(CodePoint at) { return std::uint64_t{at.function} << 32 | at.instruction; }

}  // namespace

Properties::Properties(const Program& program, const program::CallGraph& calls, std::span<const Goal> goals,
                       Flattened& result)
    : program_(program), goals_(goals), result_(result) {
  result.goal_count = goals.size();
  for (std::size_t g = 0; g < goals.size(); ++g) goals_at_[key(goals[g].at)].push_back(g);
  const program::Decisions decisions(program, calls);
  for (std::size_t g = 0; g < goals.size(); ++g)
    for (const CodePoint at : decisions.of(goals[g])) covers_at_[key(at)].push_back(g);
}

std::optional<std::size_t> Properties::goal(CodePoint at, GoalKind kind) const {
  const auto found = goals_at_.find(key(at));
  if (found == goals_at_.end()) return std::nullopt;
  for (const std::size_t g : found->second)
    if (goals_[g].kind == kind) return g;
  return std::nullopt;
}

std::span<const std::size_t> Properties::covers_at(CodePoint at) const {
  const auto found = covers_at_.find(key(at));
  return found == covers_at_.end() ? std::span<const std::size_t>{} : std::span<const std::size_t>(found->second);
}

std::size_t Properties::of_limit(Limit::Kind kind, CodePoint at, std::string text) {
  const auto [found, is_new] = limits_.try_emplace(std::pair(key(at), kind), result_.limits.size());
  if (is_new) result_.limits.push_back({kind, at, std::move(text)});
  return 2 * goals_.size() + found->second;
}

void Properties::finish() {
  const std::size_t count = goals_.size();
  for (ControlGraph::Statement& statement : result_.graph.statements)
    for (ControlGraph::Check& check : statement.checks) {
      if (check.property >= 2 * count)
        check.property -= count;
      else if (check.property >= count)
        check.property += result_.limits.size();
    }
  std::vector<std::string>& names = result_.graph.properties;
  for (const Goal& goal : goals_) names.push_back(describe(program_, goal));
  for (const Limit& limit : result_.limits) names.push_back("limit: " + limit.text);
  for (const Goal& goal : goals_) names.push_back("reached: " + describe(program_, goal));
}

}  // namespace plumb::flatten
