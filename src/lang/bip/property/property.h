#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/run/run.h"

namespace plumb::bip {

/// A condition on a state of a model: an expression over component variables, `place` of components and constants,
/// with quantifiers over components already expanded. The value of `COMPONENT.place` is an index into its places.
struct Condition {
  /// Bound as in the model; a place of component c is the variable Model::variables.size() + c, of type Int, which is
  /// compared (== and !=) with numbers of places alone.
  ExpressionPtr expression;
  std::string text;  ///< as written
};

struct Property {
  enum class Kind : std::uint8_t {
    Deadlock,    ///< some interaction is always enabled
    Invariant,   ///< `condition` holds in every visible state
    Contract,    ///< in runs from states with `premise`, `condition` holds in every visible state (Fig. 5.3)
    Response,    ///< whenever `premise` holds, `condition` holds there or within `within` interactions
    Priorities,  ///< priorities are never cyclic
  };
  Kind kind = Kind::Deadlock;
  std::string name;  ///< as given, or "deadlock", "invariant 2", "contract", "response", "acyclic priorities"; unique
  SourceLocation location;  ///< in the file of properties; empty for the command line
  std::optional<Condition> premise;
  std::optional<Condition> condition;
  std::uint64_t within = 0;
};

/// A property in the language of docs/bip.md:
///
///     [NAME:] [invariant] EXPRESSION
///     [NAME:] EXPRESSION leads to EXPRESSION within N
///     [NAME:] deadlock
///
/// A name has one or several words. Expressions have C's operators, `=>`, constants of the package,
/// `COMPONENT.variable`, `COMPONENT.place == PLACE` and quantifiers over families of components:
///
///     forall a, b in Client: a != b => a.v == b.v         all atoms of a type
///     exists c in atm*: c.place == IDLE                    all components whose name fits the pattern
///
/// The body of a quantifier goes as far as it can. A response that is all the body of `forall` makes a property for
/// each choice of components, which its name tells: "response (a = atm1)". Line 0 or column 0 of the location stand
/// for 1. Throws UserError: unknown components, places, types; a family that is empty; Unsupported for quantifiers that
/// make too much of a property.
std::vector<Property> parse_properties(const Model& model, std::string_view text, const SourceLocation& location);

/// One of those that make one property: else a UserError.
Property parse_property(const Model& model, std::string_view text, const SourceLocation& location);

/// A file of properties: one on each line or, with a line that ends in a backslash, on several; # starts a comment.
/// `pre EXPRESSION` and `post EXPRESSION` lines make a contract: each post goes with the pres before it in the file.
std::vector<Property> read_properties(const Model& model, std::string_view text, const std::string& file);

/// The file of Fig. 5.3: a precondition and a postcondition, on two lines.
Property read_contract(const Model& model, std::string_view text, const std::string& file);

/// Deadlock freedom (if `with_deadlock`), and acyclic priorities where Model::priority_cycles is not empty.
std::vector<Property> default_properties(const Model& model, bool with_deadlock);

/// Gives names that are taken twice a number.
void make_names_unique(std::vector<Property>& properties);

bool holds(const Model& model, const Condition& condition, const State& state);

/// Follows a property along a run, visible state by visible state.
class Monitor {
 public:
  Monitor(const Model& model, const Property& property) : model_(model), property_(property) {}

  /// `run` is in a visible (stable) state: the first, or the one behind one more interaction. A deadlocked state
  /// repeats: for it, call again. Returns true if the property is violated here.
  bool is_violated(const Run& run);

 private:
  const Model& model_;
  const Property& property_;
  bool is_first_ = true;
  bool has_premise_ = false;          ///< of a contract: the run started with it
  std::optional<std::uint64_t> age_;  ///< of a response: interactions since the premise held
};

}  // namespace plumb::bip
