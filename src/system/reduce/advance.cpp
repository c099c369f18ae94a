#include <optional>

#include "program/analysis/components.h"
#include "system/reduce/simplify.h"
#include "term/evaluator.h"
#include "term/substitution.h"

namespace plumb::system {

using term::Term;
using Label = ControlGraph::Label;

namespace {

/// Of an array that is written out as a term.
constexpr std::size_t kMaxElements = 4096;

/// Partial evaluation of a graph's beginning. Control goes on as long as every branch is decided by variables whose
/// values are known. Assignments of known values are made here; the others, and checks of what is not known, become
/// statements of a row, with constants in the place of what is known. Where control enters a loop the state is kept: if
/// the loop cannot be executed to its end, it is left as a whole, so that what is true at its head stays so from its
/// first iteration on.
class Advance {
 public:
  Advance(ControlGraph& graph, const Budget& budget)
      : graph_(graph), budget_(budget), now_{.at = graph.entry}, evaluator_(graph.store(), now_.values) {
    for (std::size_t v = 0; v < graph.variables.size(); ++v) position_[graph.variables[v].term] = v;
    for (const Term input : graph.inputs) is_input_[input] = {};
    find_loops();
    for (std::size_t v = 0; v < graph.variables.size(); ++v) {
      now_.is_known.push_back(static_cast<bool>(graph.variables[v].init));
      if (graph.variables[v].init) now_.values[graph.variables[v].term] = evaluator_.value(graph.variables[v].init);
    }
  }

  void execute(std::uint64_t max_statements) {
    std::optional<Snapshot> at_loop;  // as control came to the loop that it is in
    for (; !now_.has_ended; ++cost_) {
      if (cost_ % 64 == 0) budget_.check();
      if (!in_loop_[now_.at]) at_loop.reset();
      if (in_loop_[now_.at] && (!at_loop || loop_of_[at_loop->at] != loop_of_[now_.at])) at_loop = now_;
      if (cost_ >= max_statements || !step()) break;
    }
    if (at_loop && !now_.has_ended) now_ = std::move(*at_loop);
    finish();
  }

 private:
  struct Snapshot {
    Label at = 0;
    term::Assignment values{};     ///< of known variables
    std::vector<bool> is_known{};  ///< by variable
    std::vector<ControlGraph::Statement> row{};
    bool has_ended = false;
  };

  void find_loops() {
    program::Cfg::EdgeList edges;
    for (std::size_t label = 0; label < graph_.statements.size(); ++label)
      for (const ControlGraph::Target& target : graph_.statements[label].targets)
        edges.emplace_back(static_cast<Label>(label), target.label);
    const program::Cfg cfg(static_cast<std::uint32_t>(graph_.statements.size()), edges);
    const program::Components components(cfg);
    in_loop_.assign(cfg.size(), false);
    for (Label label = 0; label < cfg.size(); ++label) {
      loop_of_.push_back(components.component_of(label));
      in_loop_[label] = components.members(loop_of_.back()).size() > 1;
    }
    for (const auto& [from, to] : edges)
      if (from == to) in_loop_[from] = true;
  }

  /// What a term needs: variables that are not known, known arrays, inputs.
  struct Needs {
    bool is_unknown = false;
    bool has_input = false;
    std::vector<std::size_t> arrays;
  };
  Needs needs(Term t) {
    seen_.clear();
    Needs found;
    for (const Term variable : term::support(graph_.store(), {{t}}, seen_)) {
      if (is_input_.contains(variable)) {
        found.has_input = found.is_unknown = true;
        continue;
      }
      const std::size_t v = position_.at(variable);
      if (!now_.is_known[v]) {
        found.is_unknown = true;
      } else if (graph_.store().is_array(variable)) {
        found.arrays.push_back(v);
      }
    }
    return found;
  }

  /// The term over what is not known. Arrays in it are held.
  Term residue(Term t) {
    term::Substitution known(graph_.store());
    seen_.clear();
    for (const Term variable : term::support(graph_.store(), {{t}}, seen_))
      if (!is_input_.contains(variable) && now_.is_known[position_.at(variable)])
        known.add(variable, constant(now_.values.at(variable)));
    return known.apply(t);
  }

  /// A known array becomes one that is held.
  void write_out(std::size_t v) {
    if (!now_.is_known[v]) return;
    const Term variable = graph_.variables[v].term;
    ControlGraph::Statement& statement = now_.row.emplace_back();
    statement.location = graph_.statements[now_.at].location;
    statement.text = graph_.statements[now_.at].text;
    statement.assignments.push_back({variable, constant(now_.values.at(variable))});
    forget(v);
  }

  void forget(std::size_t v) {
    now_.is_known[v] = false;
    now_.values.erase(graph_.variables[v].term);
  }

  static bool is_large(const term::Value& value) {
    const auto* array = std::get_if<term::ArrayValue>(&value);
    return array != nullptr && array->elements.size() > kMaxElements;
  }
  Term constant(const term::Value& value) {
    term::TermStore& store = graph_.store();
    if (const BitVector* bits = std::get_if<BitVector>(&value)) return store.constant(*bits);
    const auto& array = std::get<term::ArrayValue>(value);
    Term made = store.constant_array(array.index_width, store.constant(array.otherwise));
    for (const auto& [index, element] : array.elements)
      made = store.store(made, store.constant(index), store.constant(element));
    return made;
  }

  /// The target, or nothing if it is not known which; `has_ended` if there is none.
  struct Way {
    bool has_ended = false;
    Label label = 0;
  };
  std::optional<Way> way() {
    const ControlGraph::Statement& statement = graph_.statements[now_.at];
    if (statement.targets.empty()) return Way{true, 0};
    for (const ControlGraph::Target& target : statement.targets) {
      if (needs(target.condition).is_unknown) return std::nullopt;
      if (evaluator_.is_true(target.condition)) return Way{false, target.label};
    }
    return std::nullopt;
  }

  /// Executes the statement that control is at, if it can be; else everything is as before.
  bool step() {
    evaluator_.clear();
    const std::optional<Way> next = way();
    if (!next || !may_execute()) return false;
    const ControlGraph::Statement& from = graph_.statements[now_.at];
    ControlGraph::Statement left;
    left.location = from.location;
    left.text = from.text;
    for (const ControlGraph::Check& check : from.checks) {
      if (needs(check.condition).is_unknown)
        left.checks.push_back({residue(check.condition), check.property, check.location});
    }
    std::vector<std::pair<std::size_t, term::Value>> known;
    for (const ControlGraph::Assignment& assignment : from.assignments) {
      if (needs(assignment.value).is_unknown) {
        left.assignments.push_back({assignment.variable, residue(assignment.value)});
        continue;
      }
      known.emplace_back(position_.at(assignment.variable), evaluator_.value(assignment.value));
      if (const auto* array = std::get_if<term::ArrayValue>(&known.back().second)) cost_ += array->elements.size() / 8;
    }
    for (const ControlGraph::Assignment& assignment : left.assignments) forget(position_.at(assignment.variable));
    for (auto& [v, value] : known) {
      now_.is_known[v] = true;
      now_.values[graph_.variables[v].term] = std::move(value);
    }
    if (!left.checks.empty() || !left.assignments.empty()) now_.row.push_back(std::move(left));
    now_.at = next->label;
    now_.has_ended = next->has_ended;
    return true;
  }

  /// No check fails that is known, inputs are asked for here alone, and all that is left can be written. Known arrays
  /// that what is left reads are held from here on.
  bool may_execute() {
    std::vector<Term> terms;
    for (const ControlGraph::Check& check : graph_.statements[now_.at].checks) {
      if (!needs(check.condition).is_unknown && !evaluator_.is_true(check.condition)) return false;
      terms.push_back(check.condition);
    }
    for (const ControlGraph::Assignment& assignment : graph_.statements[now_.at].assignments)
      terms.push_back(assignment.value);
    std::vector<std::size_t> arrays;
    for (const Term t : terms) {
      const Needs wanted = needs(t);
      if (wanted.has_input && in_loop_[now_.at]) return false;
      if (!wanted.is_unknown) continue;
      for (const std::size_t v : wanted.arrays) {
        if (is_large(now_.values.at(graph_.variables[v].term))) return false;
        arrays.push_back(v);
      }
    }
    for (const std::size_t v : arrays) write_out(v);
    if (!arrays.empty()) evaluator_.clear();
    return true;
  }

  /// By variable: it is read or written there.
  std::vector<bool> touched_in_row() {
    std::vector<bool> is_touched(graph_.variables.size(), false);
    const auto touch = [&](Term t) {
      seen_.clear();
      for (const Term variable : term::support(graph_.store(), {{t}}, seen_))
        if (!is_input_.contains(variable)) is_touched[position_.at(variable)] = true;
    };
    for (ControlGraph::Statement& statement : now_.row) {
      for_each_term(statement, [&](Term& t) { touch(t); });
      for (const ControlGraph::Assignment& assignment : statement.assignments) touch(assignment.variable);
    }
    return is_touched;
  }

  /// The graph starts with the row, or where control is if there is none.
  void finish() {
    if (now_.at == graph_.entry && now_.row.empty() && !now_.has_ended) return;
    for (const auto& [variable, value] : now_.values)
      if (is_large(value)) return;
    const std::vector<bool> is_touched = touched_in_row();
    ControlGraph::Statement last;
    last.location = graph_.statements[now_.at].location;
    last.text = graph_.statements[now_.at].text;
    for (std::size_t v = 0; v < graph_.variables.size(); ++v) {
      ControlGraph::Variable& variable = graph_.variables[v];
      if (!now_.is_known[v]) continue;
      const Term value = constant(now_.values.at(variable.term));
      if (is_touched[v]) {
        last.assignments.push_back({variable.term, value});
      } else {
        variable.init = value;
      }
    }
    if (!now_.has_ended) last.targets.push_back({graph_.store().boolean(true), now_.at});
    now_.row.push_back(std::move(last));
    graph_.entry = static_cast<Label>(graph_.statements.size());
    for (std::size_t i = 0; i < now_.row.size(); ++i) {
      if (i + 1 < now_.row.size())
        now_.row[i].targets.push_back({graph_.store().boolean(true), static_cast<Label>(graph_.entry + i + 1)});
      graph_.statements.push_back(std::move(now_.row[i]));
    }
  }

  ControlGraph& graph_;
  const Budget& budget_;
  Snapshot now_;
  term::Evaluator evaluator_;
  term::TermMap<std::size_t> position_;  ///< of variables
  term::TermSet is_input_;
  term::TermSet seen_;
  std::vector<bool> in_loop_;           ///< by label
  std::vector<std::uint32_t> loop_of_;  ///< by label: its strongly connected component
  std::uint64_t cost_ = 0;              ///< in statements
};

}  // namespace

void execute_in_advance(ControlGraph& graph, std::uint64_t max_statements, const Budget& budget) {
  Advance(graph, budget).execute(max_statements);
}

}  // namespace plumb::system
