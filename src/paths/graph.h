#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "term/term_store.h"
#include "term/traverse.h"

namespace plumb::paths {

using term::Term;
using term::TermStore;

using VariableId = std::uint32_t;
using NodeId = std::uint32_t;
using ConditionId = std::uint32_t;

/// The annotated graph of section 2.3 of Collavizza et al., "Constraint-Based BMC: A Backjumping Strategy" (2012): an
/// unwound program in dynamic single assignment, sliced to one property. Plain data, but for the index of variables.
/// Terms are over variables of the graph and inputs, which are all other variables of the store.
struct Graph {
  /// A conditional node whose outcome decides whether a definition is reached.
  struct Ancestor {
    ConditionId condition = 0;
    bool left = true;  ///< the condition is true on the way to the definition
    friend bool operator==(const Ancestor&, const Ancestor&) = default;
  };
  /// Where a variable is defined: `v = definition`.
  struct Node {
    VariableId defines = 0;
    Term definition;
    std::vector<Ancestor> cond_anc;  ///< the outermost first
  };
  /// Defined once on each path.
  struct Variable {
    Term term;
    std::string name;
    std::vector<NodeId> def_nodes;
  };

  explicit Graph(TermStore& store) : terms(&store) {}

  VariableId add_variable(Term term, std::string name);
  NodeId add_node(VariableId defines, Term definition, std::vector<Ancestor> cond_anc);
  ConditionId add_condition(Term condition);

  /// The variable that a term of the store is, if it is one of the graph.
  std::optional<VariableId> variable_of(Term term) const;
  /// V(t): the graph's variables in a term, by rising number.
  std::vector<VariableId> variables_in(Term t) const;

  TermStore* terms;
  std::vector<Variable> variables;
  std::vector<Node> nodes;
  std::vector<Term> conditions;
  std::vector<Term> property;  ///< cstr(pre and not prop): all of these hold where the property is violated

 private:
  absl::flat_hash_map<Term, VariableId> variable_of_;
  mutable absl::flat_hash_map<Term, std::vector<VariableId>> variables_in_;
  mutable term::TermSet seen_;
};

}  // namespace plumb::paths
