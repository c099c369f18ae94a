// Labels, statements and properties of the control graph that a program becomes.
#include "lang/tiny/lower/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace plumb::tiny {

Label GraphBuilder::fresh() {
  const auto label = static_cast<Label>(graph_.statements.size());
  graph_.statements.emplace_back();
  meaning_.push_back(label);
  return label;
}

Label GraphBuilder::resolved(Label label) const {
  while (meaning_[label] != label) label = meaning_[label];
  return label;
}

GraphBuilder::Targets GraphBuilder::go(Label label) const { return {{store_.boolean(true), label}}; }

GraphBuilder::Targets GraphBuilder::branch(Term condition, Label then_label, Label else_label) const {
  if (store_.is_true(condition)) return go(then_label);
  if (store_.is_false(condition)) return go(else_label);
  return {{condition, then_label}, {store_.boolean(true), else_label}};
}

std::string GraphBuilder::source_line(Place place) const {
  if (place.line == 0) return {};
  std::string_view text = program_.text;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

Label GraphBuilder::emit(Place place, Assignments assignments, Targets targets) {
  const Label label = fresh();
  emit_at(label, place, std::move(assignments), std::move(targets));
  return label;
}

void GraphBuilder::emit_at(Label label, Place place, Assignments assignments, Targets targets) {
  std::vector<MadeCheck> checks = terms_.take_checks();
  ControlGraph::Statement statement;
  statement.location = program_.location(place);
  statement.text = source_line(place);
  if (mode_ == Mode::Pre) {
    Term passed = store_.boolean(true);
    for (const MadeCheck& check : checks) passed = store_.bit_and(passed, check.condition);
    const bool is_result = assignments.size() == 1 && assignments[0].variable == memory_.cell(pre_variable_).term;
    if (is_result && memory_.cell(pre_variable_).sizes.empty()) {
      assignments[0].value = store_.bit_and(assignments[0].value, passed);
    } else if (!store_.is_true(passed)) {
      targets.insert(targets.begin(), {store_.bit_not(passed), pre_failed_});
    }
  } else {
    for (const MadeCheck& check : checks) {
      statement.checks.push_back(
          {store_.implies(precondition_, check.condition), property_of(check.kind), program_.location(check.place)});
    }
  }
  statement.assignments = std::move(assignments);
  statement.targets = std::move(targets);
  graph_.statements[label] = std::move(statement);
}

std::size_t GraphBuilder::property(const std::string& name, const std::string& kind, Place place) {
  pending_.push_back({name, kind, place});
  return pending_.size() - 1;
}

std::size_t GraphBuilder::property_of(CheckKind kind) {
  static constexpr std::pair<const char*, const char*> kNames[] = {{"index in bounds", "index"},
                                                                   {"overflow", "overflow"},
                                                                   {"division by zero", "division"},
                                                                   {"recursion depth", "recursion"}};
  const auto& [name, word] = kNames[static_cast<std::size_t>(kind)];
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (pending_[i].kind == word) return i;
  }
  return property(name, word, {});
}

void GraphBuilder::finish() {
  drop_unreachable();
  order_properties();
  const std::vector<std::string> problems = graph_.problems();
  INVARIANT(problems.empty(), "a lowered program should be a well-formed graph");
}

void GraphBuilder::drop_unreachable() {
  // Depth first along the first targets, so that labels follow the program.
  std::vector<std::optional<Label>> place(graph_.statements.size());
  std::vector<Label> order;
  std::vector<Label> work{resolved(entries_[program_.entry])};
  while (!work.empty()) {
    const Label label = work.back();
    work.pop_back();
    if (place[label]) continue;
    place[label] = static_cast<Label>(order.size());
    order.push_back(label);
    const Targets& targets = graph_.statements[label].targets;
    for (auto it = targets.rbegin(); it != targets.rend(); ++it) work.push_back(resolved(it->label));
  }
  std::vector<ControlGraph::Statement> kept;
  for (const Label label : order) {
    ControlGraph::Statement statement = std::move(graph_.statements[label]);
    for (ControlGraph::Target& target : statement.targets) target.label = *place[resolved(target.label)];
    kept.push_back(std::move(statement));
  }
  graph_.statements = std::move(kept);
  graph_.entry = 0;
}

void GraphBuilder::order_properties() {
  static constexpr std::string_view kOrder[] = {"postcondition", "assertion", "index", "overflow",
                                                "division",      "recursion", "cover"};
  const auto rank = [](const std::string& kind) {
    return std::find(std::begin(kOrder), std::end(kOrder), kind) - std::begin(kOrder);
  };
  std::vector<bool> occurs(pending_.size());
  for (const ControlGraph::Statement& s : graph_.statements) {
    for (const ControlGraph::Check& check : s.checks) occurs[check.property] = true;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    // What the user wrote is answered for even where control never comes.
    if (occurs[i] || rank(pending_[i].kind) < 2) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t i) {
      return std::tuple(rank(pending_[i].kind), pending_[i].place.line, pending_[i].place.column);
    };
    return key(a) < key(b);
  });
  std::vector<std::size_t> position(pending_.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PendingProperty& p = pending_[order[i]];
    position[order[i]] = i;
    result_.properties.push_back({p.name, p.kind, !occurs[order[i]]});
    graph_.properties.push_back(p.name);
    if (p.kind == "cover") result_.cover = i;
  }
  for (ControlGraph::Statement& s : graph_.statements) {
    for (ControlGraph::Check& check : s.checks) check.property = position[check.property];
  }
}

}  // namespace plumb::tiny
