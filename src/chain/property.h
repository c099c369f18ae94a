#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chain/expression.h"

namespace plumb::chain {

struct Formula;
using FormulaPtr = std::unique_ptr<Formula>;

enum class Comparison : std::uint8_t { Less, LessEqual, Greater, GreaterEqual };
/// What is asked of a P, S or R: a bound (`P>0.5`), or the value (`P=?`, `Pmin=?`, `Pmax=?`).
struct Query {
  enum class Direction : std::uint8_t { Unspecified, Min, Max };
  Direction direction = Direction::Unspecified;
  std::optional<Comparison> comparison;  ///< nothing: the value
  double bound = 0;
  std::optional<Fraction> exact_bound;  ///< of a model that is read exactly: what `bound` is rounded from
};

/// Time of a path operator: [low, high] of real time for a ctmc, of steps otherwise. Infinity where open.
struct TimeBound {
  double low = 0;
  double high = 0;  ///< may be infinity
  bool low_is_strict = false;
  bool high_is_strict = false;
};

/// A property after all its names are resolved and constants put in: states, paths and rewards in one tree.
struct Formula {
  enum class Kind : std::uint8_t {
    // Of states.
    Condition,  ///< `expression`, Bool or a number, over the model's variables
    Label,      ///< `name`: one of the model's or of the property file's (those are Conditions already), "init" or
                ///< "deadlock"
    Not,
    And,
    Or,
    Implies,
    Iff,
    Probability,  ///< P: `query`, operand is a path formula
    SteadyState,  ///< S: `query`, operand is a state formula
    Reward,       ///< R: `query`, `name` or `reward` picks the structure; operand is one of the reward paths below
    Filter,       ///< `filter`, operands: the property, then the states (or none for all)
    Arithmetic,   ///< a number made of numeric results by `op` (`P=? [..] / P=? [..]`)
    // Of paths.
    Next,
    Until,
    Finally,
    Globally,
    WeakUntil,
    Release,  ///< `time` or none; operands 1 or 2
    // Of rewards.
    Cumulative,     ///< C<=t (`time.high`), or C: total
    Instantaneous,  ///< I=t (`time.high`)
    ReachReward,    ///< F phi, or a co-safe LTL formula
    SteadyReward,   ///< S
  };
  enum class FilterKind : std::uint8_t {
    Min,
    Max,
    Average,
    Sum,
    Count,
    First,
    Range,
    ForAll,
    Exists,
    Print,
    PrintAll,
    ArgMin,
    ArgMax,
    State
  };

  Kind kind = Kind::Condition;
  SourceLocation location;
  Expression expression;
  std::string name;
  std::uint32_t reward = 0;
  Query query;
  std::optional<TimeBound> time;
  FilterKind filter = FilterKind::State;
  Op op = Op::Add;
  std::vector<FormulaPtr> operands;
};

struct Property {
  std::string name;  ///< in front of it in the file; may be empty
  std::string text;  ///< as written, constants as names
  SourceLocation location;
  FormulaPtr formula;
};

}  // namespace plumb::chain
