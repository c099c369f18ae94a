#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lang/tiny/lower/memory.h"
#include "lang/tiny/rho/quantifiers.h"

namespace plumb::tiny {

enum class CheckKind : std::uint8_t { Index, Overflow, Division, Recursion };

/// What has to be true when a statement is executed.
struct MadeCheck {
  CheckKind kind = CheckKind::Index;
  Term condition;
  Place place;
};

/// Expressions of a rho'd program as terms, with the checks that evaluating them makes: each under the condition that
/// short circuits and early exits let its expression be evaluated at all.
class ExpressionTerms {
 public:
  /// `choices` gets the inputs that are made for nondet().
  ExpressionTerms(const Program& program, const Options& options, system::ControlGraph& graph, const Memory& memory,
                  std::map<std::string, Term>& choices)
      : program_(program),
        options_(options),
        graph_(graph),
        store_(graph.store()),
        memory_(memory),
        choices_(choices),
        guard_(graph.store().boolean(true)) {}

  /// A new statement: its checks from none.
  void begin(Mode mode);
  std::vector<MadeCheck> take_checks();

  Term value(const Expression& e);
  /// As value(), evaluated only where `condition` is true.
  Term value_under(Term condition, const Expression& e);
  /// An array after an assignment to the element or row that `target` names; `content` is the array before it, `value`
  /// the element or the row's elements.
  Term stored(Term content, const Expression& target, const std::vector<Term>& value);
  Term stored_under(Term condition, Term content, const Expression& target, const std::vector<Term>& value);
  /// The elements of an array's row, or of the whole array, that an expression with fewer indices than dimensions
  /// names.
  std::vector<Term> row(const Expression& e);
  /// A quantified variable's first value, where the loop of it starts: the bound, or the least int.
  Term loop_start(const Expression& bound);
  /// An integer that is cut to a quantified variable's width, at the least and greatest where it does not fit.
  Term loop_bound(const Expression& bound);
  Term loop_step(const Expression& variable);
  /// The stack pointer, it plus or minus one, or a number.
  Term row_index(const Expression& e, std::uint32_t width);
  void add_check(CheckKind kind, Term condition, Place place);

 private:
  struct Access {
    Term index;      ///< in the flat array, always in bounds
    Term in_bounds;  ///< the indices as written are
  };

  /// A two's complement word that is wide enough, with bounds of its value.
  struct ExactInteger {
    Term term;
    Integer least = 0;
    Integer greatest = 0;
  };

  Term name(const Expression& e);
  Term unary(const Expression& e);
  Term binary(const Expression& e);
  Term connective(const Expression& e);
  Term arithmetic(const Expression& e, Term a, Term b);
  Term division(const Expression& e, Term a, Term b);
  Term shift(const Expression& e, Term a, Term b);
  Term comparison(Operator op, Term a, Term b);
  Term exact_comparison(const Expression& e);
  Term pointer_comparison(const Expression& e);
  Term conditional(const Expression& e);
  Term quantified(const Expression& e);
  Term nondet(const Expression& e);
  Access access(const Expression& e);
  ExactInteger integer(const Expression& e);
  ExactInteger exact_sum(Operator op, const ExactInteger& a, const ExactInteger& b);
  Term constant_integer(Integer value, std::uint32_t width);
  Term not_greater(Term a, Term b);
  Term clamped(Term value, Integer least, Integer greatest);
  /// Some value of the segment is between the bounds.
  Term some_in_range(const ExactInteger& low, const ExactInteger& high, const Segment& segment);
  /// Refers to the whole of a quantified variable that became a loop, not to its word.
  bool is_loop_variable(const Expression& e) const;
  Term loop_element(const Expression& e);
  Term free_wire(VariableId variable, Place place);
  /// The first index of an access is the row of an activation.
  bool has_rows(const Expression& e) const;
  Term resized(Term t, std::uint32_t width);
  bool is_row_index(const Expression& e) const;

  const Program& program_;
  const Options& options_;
  system::ControlGraph& graph_;
  TermStore& store_;
  const Memory& memory_;
  std::map<std::string, Term>& choices_;
  Mode mode_ = Mode::Code;
  Term guard_;
  std::vector<MadeCheck> checks_;
  std::map<VariableId, Term> bound_;  ///< quantified variables that are being unrolled
};

}  // namespace plumb::tiny
