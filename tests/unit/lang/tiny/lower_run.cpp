#include "unit/lang/tiny/lower_run.h"

#include <fmt/format.h>

#include <utility>

namespace plumb::tiny {

Program parsed(const std::string& text) {
  std::vector<Warning> warnings;
  return parse(text, "test.tiny", warnings);
}

GraphRun::GraphRun(const std::string& text, const Options& options)
    : lowered_(lower(rho(parsed(text), options), options)) {
  restart();
}

void GraphRun::restart() {
  assignment_.clear();
  failed_.clear();
  places_.clear();
  for (const auto& v : lowered_.graph.variables) {
    const term::Assignment none;
    term::Evaluator evaluator(lowered_.graph.store(), none);
    assignment_[v.term] = v.init ? evaluator.value(v.init) : term::zero_value(lowered_.graph.store().sort(v.term));
  }
}

term::Term GraphRun::variable(const std::string& name) const {
  for (const auto& v : lowered_.graph.variables) {
    if (lowered_.graph.store().name(v.term) == name) return v.term;
  }
  INVARIANT(false, "a test should ask for variables that exist");
}

void GraphRun::set(const std::string& name, std::vector<std::uint64_t> values) {
  const term::Term v = variable(name);
  const term::Sort sort = lowered_.graph.store().sort(v);
  if (!sort.is_array()) {
    assignment_[v] = BitVector(sort.width, values.front());
    return;
  }
  auto& array = std::get<term::ArrayValue>(assignment_[v]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    array.elements[BitVector(sort.index_width, i)] = BitVector(sort.width, values[i]);
  }
}

void GraphRun::choose(const std::string& name, std::uint64_t value) {
  const term::Term input = lowered_.choices.at(name);
  assignment_[input] = BitVector(lowered_.graph.store().width(input), value);
}

bool GraphRun::run(std::size_t limit) {
  system::ControlGraph::Label label = lowered_.graph.entry;
  for (statements_ = 0; statements_ < limit; ++statements_) {
    const auto& statement = lowered_.graph.statements[label];
    term::Evaluator evaluator(lowered_.graph.store(), assignment_);
    for (const auto& check : statement.checks) {
      if (evaluator.is_true(check.condition)) continue;
      failed_.insert(lowered_.graph.properties[check.property]);
      places_.insert(fmt::format("{}:{}", check.location.line, check.location.column));
    }
    if (statement.targets.empty()) return true;
    std::vector<std::pair<term::Term, term::Value>> values;
    for (const auto& a : statement.assignments) values.emplace_back(a.variable, evaluator.value(a.value));
    for (const auto& target : statement.targets) {
      if (!evaluator.is_true(target.condition)) continue;
      label = target.label;
      break;
    }
    for (auto& [v, value] : values) assignment_[v] = std::move(value);
  }
  return false;
}

std::uint64_t GraphRun::value(const std::string& name, std::uint64_t element) const {
  const term::Term v = variable(name);
  const term::Sort sort = lowered_.graph.store().sort(v);
  const term::Value& value = assignment_.at(v);
  if (!sort.is_array()) return std::get<BitVector>(value).to_uint64();
  return std::get<term::ArrayValue>(value).at(BitVector(sort.index_width, element)).to_uint64();
}

}  // namespace plumb::tiny
