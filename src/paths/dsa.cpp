#include "paths/dsa.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::paths {

namespace {

class GraphBuilder {
 public:
  GraphBuilder(TermStore& terms, const JoinedNames& names, const Budget& budget)
      : terms_(terms), names_(names), budget_(budget), graph_(terms) {}

  Graph build(std::span<const Term> property) {
    count_uses(property);
    seen_.clear();
    term::post_order(terms_, property, seen_, [&](Term t) {
      budget_.check();
      rebuilt_[t] = is_join(t) ? join(t) : rebuild(t);
    });
    for (const Term each : property) graph_.property.push_back(rebuilt_.at(each));
    return std::move(graph_);
  }

 private:
  bool is_join(Term t) const { return terms_.op(t) == term::Op::Ite && !terms_.is_array(t); }

  void count_uses(std::span<const Term> property) {
    for (const Term each : property) ++uses_[each];
    term::post_order(terms_, property, seen_, [&](Term t) {
      for (unsigned i = 0; i < terms_.arity(t); ++i) {
        const Term child = terms_.child(t, i);
        ++uses_[child];
        if (is_join(t) && i > 0 && is_join(child)) is_branch_[child] = {};
      }
    });
  }

  /// Used as a branch of one join and nowhere else.
  bool is_part(Term t) { return is_join(t) && is_branch_.contains(t) && uses_[t] == 1; }

  Term rebuild(Term t) {
    bool is_same = true;
    std::vector<Term> operands;
    for (unsigned i = 0; i < terms_.arity(t); ++i) {
      operands.push_back(rebuilt_.at(terms_.child(t, i)));
      is_same = is_same && operands.back() == terms_.child(t, i);
    }
    return is_same ? t : terms_.make(terms_.op(t), operands, terms_.width(t), terms_.parameter(t));
  }

  Term join(Term t) {
    if (is_part(t)) return t;  // looked at from where it is used
    const auto named = names_.find(t);
    const std::size_t number = graph_.variables.size();
    const std::string name = named == names_.end() ? fmt::format("v{}", number) : named->second;
    const Term variable = terms_.variable(terms_.width(t), name);
    const VariableId v = graph_.add_variable(variable, name);
    std::vector<std::pair<Term, std::vector<Graph::Ancestor>>> open{{t, {}}};
    while (!open.empty()) {
      auto [branch, ancestors] = std::move(open.back());
      open.pop_back();
      if (branch != t && !is_part(branch)) {
        graph_.add_node(v, rebuilt_.at(branch), std::move(ancestors));
        continue;
      }
      const ConditionId condition = condition_of(terms_.child(branch, 0));
      for (const bool left : {false, true}) {
        if (std::ranges::count(ancestors, Graph::Ancestor{condition, !left}) > 0) continue;
        open.emplace_back(terms_.child(branch, left ? 1 : 2), ancestors);
        open.back().second.push_back({condition, left});
      }
    }
    return variable;
  }

  ConditionId condition_of(Term condition) {
    const auto [known, is_new] = conditions_.try_emplace(condition, 0);
    if (is_new) known->second = graph_.add_condition(rebuilt_.at(condition));
    return known->second;
  }

  TermStore& terms_;
  const JoinedNames& names_;
  const Budget& budget_;
  Graph graph_;
  term::TermMap<std::uint32_t> uses_;
  term::TermSet is_branch_;
  term::TermSet seen_;
  term::TermMap<Term> rebuilt_;
  absl::flat_hash_map<Term, ConditionId> conditions_;
};

}  // namespace

Graph graph_of(TermStore& terms, std::span<const Term> property, const JoinedNames& names, const Budget& budget) {
  return GraphBuilder(terms, names, budget).build(property);
}

}  // namespace plumb::paths
