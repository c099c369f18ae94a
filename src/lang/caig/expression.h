#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lang/caig/caig.h"
#include "lang/caig/lexer.h"

namespace plumb::caig {

using system::Sort;
using system::Term;
using system::TermStore;

/// What a declared name is and, once that is known, stands for.
struct Symbol {
  std::string_view name;
  bool is_wire = false;
  Sort sort;
  std::uint64_t elements = 0;  ///< of an array as declared, which need not be a power of two
  std::size_t token = 0;       ///< of its declaration
  Term term;                   ///< of a register its variable
};
using Symbols = absl::flat_hash_map<std::string_view, std::size_t>;  ///< to indices of a list of symbols

inline constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 62;
/// Of an array with that many elements.
std::uint32_t index_width_for(std::uint64_t elements);

/// The element of an array at an index of any width; behind the last element it is the last one, as in Algorithm 2 of
/// the paper.
Term read_element(TermStore& store, Term array, std::uint64_t elements, Term index);
/// The array with that element written; nothing changes behind the last element.
Term write_element(TermStore& store, Term array, std::uint64_t elements, Term index, Term element);

/// Reads expressions into terms by operator precedence with explicit stacks, so that their depth costs no recursion. A
/// number without a width takes that of what it meets; one that meets nothing has Options::int_width.
class ExpressionReader {
 public:
  ExpressionReader(const Tokens& tokens, const Symbols& names, const std::vector<Symbol>& symbols, TermStore& store,
                   const Options& options)
      : tokens_(tokens), names_(names), symbols_(symbols), store_(store), options_(options) {}

  /// The tokens from `begin` up to `end` as a term of that sort. All symbols in them must have their terms.
  Term read(std::size_t begin, std::size_t end, Sort sort);
  /// As an index into that many elements: of any width.
  Term read_index(std::size_t begin, std::size_t end, std::uint64_t elements);

 private:
  struct Operand {
    Term term;  ///< null for a number without a width
    std::size_t token = 0;
    bool is_negative = false;    ///< of such a number
    std::uint64_t elements = 0;  ///< of an array
  };
  using Arguments = std::array<Operand, 3>;
  struct Operator {
    enum class Kind : std::uint8_t { Unary, Binary, Paren, Index, Call, Question, Colon };
    Kind kind;
    std::string_view text;
    int precedence;
    std::size_t token;
    std::size_t operands;  ///< on the stack when it was met
  };

  Operand read_all(std::size_t begin, std::size_t end);
  void read_operand(std::size_t& i, std::size_t end);
  void read_operator(std::size_t i);
  void read_name(std::size_t i);
  void read_sized(std::size_t i);
  void close(std::size_t i);
  void comma(std::size_t i);

  /// Applies operators of at least that precedence.
  void reduce(int precedence);
  void apply(const Operator& op);
  void apply_unary(const Operator& op);
  void apply_binary(const Operator& op);
  void apply_choice(const Operator& op);
  void apply_call(const Operator& op);
  Term binary(std::string_view text, Term a, Term b);
  Term resized(std::string_view function, Arguments& a);
  Term stored(Arguments& a);

  Operand pop();
  /// Two operands of one sort.
  void unify(Operand& a, Operand& b, std::size_t token);
  void resolve(Operand& operand, std::uint32_t width);
  Term bits(Operand& operand);
  Term boolean(Operand& operand);
  std::uint64_t plain_number(const Operand& operand);
  Term index(Operand& operand, std::uint64_t elements);
  std::string describe(Sort sort) const;

  const Tokens& tokens_;
  const Symbols& names_;
  const std::vector<Symbol>& symbols_;
  TermStore& store_;
  const Options& options_;
  std::vector<Operand> operands_;
  std::vector<Operator> operators_;
  bool expects_operand_ = true;
};

}  // namespace plumb::caig
