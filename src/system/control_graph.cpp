#include "system/control_graph.h"

#include <fmt/format.h>

#include "term/traverse.h"

namespace plumb::system {

namespace {

/// Looks at everything once and notes what is wrong.
class Examiner {
 public:
  explicit Examiner(const ControlGraph& graph) : graph_(graph), store_(graph.store()) {}

  std::vector<std::string> examine() {
    examine_variables();
    if (graph_.entry >= graph_.statements.size()) note("the entry {} is no statement", graph_.entry);
    for (std::size_t label = 0; label < graph_.statements.size(); ++label) examine_statement(label);
    for (const NamedTerm& wire : graph_.wires) examine_term(wire.term, fmt::format("wire '{}'", wire.name));
    return std::move(problems_);
  }

 private:
  template <typename... Arguments>
  void note(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    problems_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  static constexpr std::size_t kNowhere = SIZE_MAX;

  void examine_variables() {
    for (const ControlGraph::Variable& variable : graph_.variables) {
      if (!variable.term || !store_.is_variable(variable.term)) {
        note("a variable of the graph is no variable of its store");
        continue;
      }
      const std::string& name = store_.name(variable.term);
      if (is_variable_.contains(variable.term)) note("variable '{}' is there twice", name);
      is_variable_[variable.term] = {};
      if (!variable.init) continue;
      if (store_.sort(variable.init) != store_.sort(variable.term)) note("the init of '{}' has another sort", name);
      if (!term::support(store_, {{variable.init}}).empty()) note("the init of '{}' refers to a variable", name);
    }
    for (const Term input : graph_.inputs) {
      if (!input || !store_.is_variable(input)) {
        note("an input of the graph is no variable of its store");
        continue;
      }
      if (is_variable_.contains(input) || readers_.contains(input))
        note("input '{}' is there twice", store_.name(input));
      readers_[input] = kNowhere;
    }
  }

  void examine_statement(std::size_t label) {
    const ControlGraph::Statement& statement = graph_.statements[label];
    const std::string place = fmt::format("statement {}", label);
    for (const ControlGraph::Check& check : statement.checks) {
      examine_condition(check.condition, place, label);
      if (check.property >= graph_.properties.size()) note("{} checks a property that does not exist", place);
    }
    term::TermSet written;
    for (const ControlGraph::Assignment& assignment : statement.assignments) {
      examine_term(assignment.value, place, label);
      if (!is_variable_.contains(assignment.variable)) {
        note("{} assigns to what is no variable of the graph", place);
        continue;
      }
      if (written.contains(assignment.variable))
        note("{} assigns to '{}' twice", place, store_.name(assignment.variable));
      written[assignment.variable] = {};
      if (assignment.value && store_.sort(assignment.value) != store_.sort(assignment.variable))
        note("{} gives '{}' a value of another sort", place, store_.name(assignment.variable));
    }
    for (const ControlGraph::Target& target : statement.targets) {
      examine_condition(target.condition, place, label);
      if (target.label >= graph_.statements.size()) note("{} goes to {}, which is no statement", place, target.label);
    }
    if (!statement.targets.empty() && !store_.is_true(statement.targets.back().condition))
      note("{} has a last target with a condition", place);
  }

  void examine_condition(Term condition, const std::string& place, std::size_t label) {
    examine_term(condition, place, label);
    if (condition && (store_.is_array(condition) || store_.width(condition) != 1))
      note("{} has a condition that is not a single bit", place);
  }

  /// `label`: of the statement that the term is in.
  void examine_term(Term t, const std::string& place, std::size_t label = kNowhere) {
    if (!t) {
      note("{} lacks a term", place);
      return;
    }
    seen_.clear();
    for (const Term variable : term::support(store_, {{t}}, seen_)) {
      std::size_t* reader = readers_.find(variable);
      if (!is_variable_.contains(variable) && reader == nullptr)
        note("{} refers to '{}', which is neither variable nor input", place, store_.name(variable));
      if (reader == nullptr) continue;
      if (*reader != kNowhere && *reader != label) note("input '{}' is read in two places", store_.name(variable));
      *reader = label;
    }
  }

  const ControlGraph& graph_;
  const TermStore& store_;
  term::TermSet is_variable_;
  term::TermMap<std::size_t> readers_;  ///< of inputs: the statement
  term::TermSet seen_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> ControlGraph::problems() const { return Examiner(*this).examine(); }

}  // namespace plumb::system
