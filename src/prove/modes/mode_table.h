#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "system/system.h"

namespace plumb::prove {

using system::System;
using term::Term;

/// What registers were seen to have in common in the states of runs: the places of machines that work side by side, and
/// the data that goes between them. A mode is a register with few values; a literal says that one has a value.
class ModeTable {
 public:
  enum class Scope : std::uint8_t {
    Narrow,  ///< between literals that were seen; one of several alike modes has a certain value where a literal holds
    Wide,    ///< also of values that were never seen; … one of two values
  };

  /// The values of all registers in a state, by position in System::states(); those of arrays and of words that are too
  /// wide are not looked at.
  using State = std::vector<std::uint64_t>;

  struct Literal {
    std::size_t position = 0;
    std::uint64_t value = 0;

    bool holds(const State& state) const { return state[position] == value; }
  };

  /// Where the condition holds, if there is one: one of `choices` holds, or the two registers of `equation` are equal.
  struct Relation {
    static constexpr std::size_t kAlways = ~std::size_t{0};
    Literal condition{kAlways, 0};
    bool is_exclusion = false;  ///< `excluded` does not hold; the usual case, without a list
    Literal excluded = {};
    std::vector<Literal> choices = {};
    std::size_t first = 0, second = 0;  ///< without choices: positions

    bool holds(const State& state) const;
    Term term(const System& system, term::TermStore& store) const;
  };

  /// Throws OutOfBudget.
  ModeTable(const System& system, std::span<const State> states, const Budget& budget);

  /// Relations that hold in all of these states, the first million. Throws OutOfBudget.
  std::vector<Relation> relations(Scope scope, const Budget& budget) const;

 private:
  static constexpr std::size_t kMaxValues = 96;   ///< of a mode
  static constexpr std::uint32_t kNarrow = 5;     ///< bits of a mode that has a literal for every value, seen or not
  static constexpr std::size_t kMaxPairs = 1500;  ///< of registers that are compared
  static constexpr std::size_t kMaxLiterals = 10'000;
  static constexpr std::size_t kMaxRelations = 1'000'000;

  struct Mode {
    std::size_t position = 0;
    std::vector<std::uint64_t> values;  ///< that were seen, or all of a narrow one; sorted
    std::size_t first = 0;              ///< number of the first one's literal
  };
  struct Pair {
    std::size_t a = 0, b = 0;  ///< positions
  };
  /// Modes of one width whose names differ in digits alone: machines of one kind.
  using Family = std::vector<std::size_t>;
  using Bits = std::vector<bool>;

  bool is_word(std::size_t position) const;
  std::uint32_t width(std::size_t position) const;
  void find_modes();
  void find_pairs();
  void find_families();
  void look(const State& state);
  static std::size_t literal(const Mode& mode, const State& state);
  bool is_seen(std::size_t literal) const { return together_[literal][literal]; }
  void add_single_values(std::vector<Relation>& result) const;
  void add_exclusions(bool with_unseen, const Budget& budget, std::vector<Relation>& result) const;
  void add_equations(const Budget& budget, std::vector<Relation>& result) const;
  void add_families(Scope scope, const Budget& budget, std::vector<Relation>& result) const;
  void add_choices(const Family& family, const std::vector<std::uint64_t>& among, std::vector<Relation>& result) const;

  const System& system_;
  std::span<const State> states_;
  std::vector<Mode> modes_;
  std::vector<Literal> literals_;
  std::vector<std::size_t> mode_of_;  ///< by literal
  std::vector<Pair> pairs_;
  std::vector<Family> families_;
  std::vector<Bits> together_;   ///< by literal: literals that were seen with it
  std::vector<Bits> different_;  ///< by literal: pairs that were seen to differ where it holds
};

}  // namespace plumb::prove
