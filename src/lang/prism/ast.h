#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "chain/model.h"
#include "chain/property.h"

namespace plumb::prism {

struct Node;
using NodePtr = std::unique_ptr<Node>;

/// An expression or a property as written.
struct Node {
  enum class Kind : std::uint8_t {
    Integer,   ///< `text`
    Real,      ///< `text`
    Boolean,   ///< `text` is true or false
    Name,      ///< `text`
    Label,     ///< "text"
    Unary,     ///< `text` is the operator: - or !
    Binary,    ///< `text` is the operator
    Choice,    ///< a ? b : c
    Function,  ///< `text` is min, max, floor, …
    // Of properties alone.
    Probability,  ///< P; `query`, operand is a path
    SteadyState,
    Reward,      ///< `text` or index (operands[1]) of the structure; operands[0] is what is asked
    Filter,      ///< `text` is its kind; operands: property, states
    Path,        ///< `text` is X, U, F, G, W or R; `time`
    Cumulative,  ///< C or C<=t
    Instantaneous,
    SteadyReward,
  };
  struct Query {
    chain::Query::Direction direction = chain::Query::Direction::Unspecified;
    std::string comparison;  ///< empty for =?
    NodePtr bound;
  };
  struct Time {
    NodePtr low;   ///< null: from the start
    NodePtr high;  ///< null: for ever
    bool low_is_strict = false;
    bool high_is_strict = false;
  };

  Kind kind = Kind::Integer;
  SourceLocation location;
  std::string text;
  std::vector<NodePtr> operands;
  std::unique_ptr<Query> query;
  std::unique_ptr<Time> time;
};

/// A name with its place, as in declarations.
struct Identifier {
  std::string text;
  SourceLocation location;
};

struct ConstantDeclaration {
  Identifier name;
  chain::Type type = chain::Type::Int;
  NodePtr value;  ///< null if it is left open
};
struct VariableDeclaration {
  Identifier name;
  bool is_bool = false;
  bool is_unbounded = false;  ///< `int` without a range
  NodePtr low;
  NodePtr high;
  NodePtr initial;  ///< may be null
};
struct Definition {  ///< of a formula or a label
  Identifier name;
  NodePtr value;
};
struct UpdateNode {
  Identifier variable;
  NodePtr value;
};
struct AlternativeNode {
  NodePtr weight;  ///< null: one
  std::vector<UpdateNode> updates;
  SourceLocation location;
};
struct CommandNode {
  Identifier action;  ///< empty text: none
  NodePtr guard;
  std::vector<AlternativeNode> alternatives;
  SourceLocation location;
};
struct ModuleNode {
  Identifier name;
  std::vector<VariableDeclaration> variables;
  std::vector<CommandNode> commands;
  /// module a = b [ x = y, … ] endmodule
  std::optional<Identifier> base;
  std::vector<std::pair<Identifier, Identifier>> renaming;
};
struct RewardItemNode {
  bool is_transition = false;
  std::string action;
  NodePtr guard;
  NodePtr value;
  SourceLocation location;
};
struct RewardsNode {
  std::string name;
  SourceLocation location;
  std::vector<RewardItemNode> items;
};
struct SystemNode {
  chain::Composition::Kind kind = chain::Composition::Kind::Leaf;
  Identifier module;
  std::vector<std::unique_ptr<SystemNode>> operands;
  std::vector<Identifier> actions;
  std::vector<Identifier> renamed;
};
struct PropertyNode {
  std::string name;
  std::string text;
  SourceLocation location;
  NodePtr value;
};

/// A model, or a file of properties.
class Source {
 public:
  chain::Kind kind = chain::Kind::Mdp;
  std::vector<ConstantDeclaration> constants;
  std::vector<VariableDeclaration> globals;
  std::vector<Definition> formulas;
  std::vector<Definition> labels;
  std::vector<ModuleNode> modules;
  std::vector<RewardsNode> rewards;
  NodePtr initial;
  std::unique_ptr<SystemNode> composition;
  std::vector<PropertyNode> properties;
};

}  // namespace plumb::prism
