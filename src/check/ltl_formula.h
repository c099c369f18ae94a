#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ltl/formula.h"

namespace plumb::check {

/// A formula of linear temporal logic over a program in C, as users write it: `G (request == 1 -> F served)`. Temporal
/// operators are G, F, U, R and W, or [] and <>; between them stand ! && || -> <-> true false, expressions of C over
/// globals, and at(f:L): a thread stands at label L of function f. What has no temporal operator in it is one condition
/// and read as C. Without spaces around it, -> is C's.
class LtlFormula {
 public:
  /// Throws UserError at the column of kSource.
  explicit LtlFormula(std::string text);

  struct Atom {
    std::string text;          ///< an expression of C; else that of at(…)
    std::uint32_t column = 1;  ///< where it begins
    std::string function{};    ///< of at(…)
    std::string label{};
    bool is_place() const noexcept { return !label.empty(); }
  };
  const std::string& text() const noexcept { return text_; }
  const std::vector<Atom>& atoms() const noexcept { return atoms_; }

  /// Literal 2i is the i-th atom, 2i + 1 its negation.
  ltl::Id build(ltl::Formulas& formulas) const;

  /// Which atoms hold.
  using Valuation = std::vector<bool>;
  /// Whether the word that begins with `stem` and goes on with `cycle` for ever fulfils it; the cycle is not empty.
  /// From the meaning of the operators, by nothing that build() uses.
  bool holds(std::span<const Valuation> stem, std::span<const Valuation> cycle) const;

  /// What places in a formula are given as: a file of that name.
  static constexpr const char* kSource = "--ltl";

  // Public for its parser.
  enum class Op : std::uint8_t {
    True,
    False,
    Atom,
    Not,
    And,
    Or,
    Implies,
    Equivalent,
    Finally,
    Globally,
    Until,
    Release
  };
  struct Node {
    Op op = Op::True;
    std::uint32_t a = 0;  ///< an earlier node; of an Atom its number
    std::uint32_t b = 0;
  };

 private:
  std::string text_;
  std::vector<Atom> atoms_;
  std::vector<Node> nodes_;  ///< operands before their users; the last one is the formula
};

}  // namespace plumb::check
