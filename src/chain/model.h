#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chain/expression.h"

namespace plumb::chain {

enum class Kind : std::uint8_t { Dtmc, Ctmc, Mdp };
std::string_view to_string(Kind kind);  ///< "dtmc", "ctmc", "mdp"

using Action = std::uint32_t;  ///< index into Model::actions; 0 is the unnamed one, on which nothing synchronises

struct Assignment {
  std::uint32_t variable = 0;
  Expression value;
  SourceLocation location;
};
/// One way on, with its probability (dtmc, mdp) or rate (ctmc).
struct Alternative {
  Expression weight;  ///< Double
  std::vector<Assignment> assignments;
  SourceLocation location;
};
struct Command {
  Action action = 0;
  Expression guard;  ///< Bool
  std::vector<Alternative> alternatives;
  SourceLocation location;
};
struct Component {
  std::string name;
  std::vector<Command> commands;
};

/// How components run together, as a tree over `nodes`; the root is the last.
struct Composition {
  enum class Kind : std::uint8_t {
    Leaf,         ///< `component`
    Full,         ///< a || b || …: on all actions that both have
    Interleaved,  ///< a ||| b: on none
    On,           ///< a |[x, y]| b: on `actions`
    Hide,         ///< a / {x, y}: `actions` become unnamed
    Rename,       ///< a {x <- y}: actions[i] becomes renamed[i]
  };
  Kind kind = Kind::Leaf;
  std::uint32_t component = 0;
  std::vector<std::uint32_t> operands;  ///< smaller positions in the tree
  std::vector<Action> actions;
  std::vector<Action> renamed;
};

struct Variable {
  std::string name;
  Type type = Type::Int;  ///< Bool or Int
  std::int64_t low = 0;   ///< 0 and 1 for a bool
  std::int64_t high = 0;
  std::int64_t initial = 0;
  std::uint32_t component = ~std::uint32_t{0};  ///< that may assign it; none for a global
  SourceLocation location;
};

struct RewardItem {
  Expression guard;
  Expression value;              ///< Double
  std::optional<Action> action;  ///< of transitions with that action; of states without
  SourceLocation location;
};
struct RewardStructure {
  std::string name;  ///< may be empty
  std::vector<RewardItem> items;
};
struct Label {
  std::string name;
  Expression condition;
};

/// A model of guarded commands, with all constants in place: what the PRISM language comes down to and what build()
/// explores. Movable, not copyable in practice (large).
struct Model {
  Kind kind = Kind::Mdp;
  ExpressionPool expressions;
  std::vector<std::string> actions{""};
  std::vector<Variable> variables;
  std::vector<Component> components;
  std::vector<Composition> composition;  ///< empty: Full over all components
  /// States with this start the run; without it the one state of Variable::initial.
  Expression initial;
  SourceLocation initial_location;
  std::vector<Label> labels;
  std::vector<RewardStructure> rewards;
};

}  // namespace plumb::chain
