#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "lang/smtlib/lexer.h"
#include "lang/smtlib/macro.h"
#include "lang/smtlib/operators.h"
#include "lang/smtlib/symbols.h"

namespace plumb::smtlib {

/// A Boolean or other term that got a name by (! t :named n).
struct NamedTerm {
  std::string_view name;
  TypedTerm value;
};

/// Reads sorts and terms from the text and builds terms as it goes: a stack machine, with no tree of the text and no
/// recursion, so depth costs memory only. Throws UserError with the place of what is wrong, Unsupported for what is
/// outside, OutOfBudget. After an exception the reader is of no further use until recover(). Not thread-safe.
class Reader {
 public:
  Reader(term::TermStore& store, std::string_view text, const std::string& file, const Budget& budget);

  Lexer& lexer() noexcept { return lexer_; }
  SymbolTable& symbols() noexcept { return *symbols_; }
  /// Forgets all symbols.
  void reset_symbols();
  /// Names are defined beyond the scopes of push and pop.
  void set_global_declarations(bool global) noexcept { global_ = global; }

  TypedTerm term();
  /// A term that must be Bool; `what` is for the message: "assert: needs Bool, …".
  TypedTerm boolean_term(std::string_view what);
  /// A sort without parameters.
  Type sort() { return sort({}); }
  /// A sort in which the names stand for parameters 0, 1, …
  Type sort(const std::vector<std::string_view>& parameters);

  void expect_open(std::string_view before_what);
  void expect_close();
  /// A symbol that is not a reserved word.
  Token expect_symbol(std::string_view what);
  std::uint32_t expect_numeral(std::string_view what);
  /// Skips one balanced s-expression.
  void skip_expression();

  /// Throws UserError if the name is in use.
  void define(const Token& name, const Binding& binding);
  void define_macro(const Token& name, std::vector<TypedTerm> parameters, TypedTerm body);
  /// While on, :named is an error: the body of a macro is not closed.
  void set_inside_macro(bool inside) noexcept { inside_macro_ = inside; }
  /// Forgets the term that an exception left half read, with its lets. The lexer stays where it is.
  void recover();
  /// What :named named since the last call, in order.
  std::vector<NamedTerm> take_named();

 private:
  /// What the machine is in the middle of; frames are finished when their closing parenthesis comes.
  struct Frame {
    enum class Kind : std::uint8_t { Apply, Macro, LetBindings, LetBody, Annotation };
    Kind kind = Kind::Apply;
    std::uint32_t macro = 0;
    std::size_t operands = 0;   ///< operands_.size() at its start
    std::size_t let_names = 0;  ///< let_names_.size() at its start
    Head head;
  };

  /// Reads until a value is complete or a frame was opened.
  void step();
  void atom(const Token& token);
  void symbol(const Token& token);
  void constant(const Token& token, unsigned base);
  void open(const Token& parenthesis);
  void open_symbol(const Token& token);
  void open_compound();
  void open_let(const Token& token);
  void push_value(const TypedTerm& value);
  /// A value was completed: takes the machine on until it needs another term or is done.
  void value_done();
  void finish_application();
  void next_let_binding(Frame& frame);
  void finish_annotation(Frame& frame);
  void name_term(const Token& name, const TypedTerm& value);
  /// After `(as`: a symbol with its sort.
  TypedTerm qualified_symbol();
  /// After `(_`: a constant.
  TypedTerm indexed_constant();
  /// After `(_`: an operator with its indices, and the closing parenthesis.
  Head indexed_operator(std::uint32_t offset);
  /// After `((as`: the constant array of a sort.
  Head constant_array_operator(std::uint32_t offset);
  [[noreturn]] void fail_unknown(const Token& token, const Binding& binding);

  struct SortFrame {
    std::uint32_t offset;
    const SortDefinition* definition;  ///< none: Array
    std::size_t operands;
  };
  Type finish_sort(const SortFrame& frame, std::vector<Type>& operands);
  Type atomic_sort(const Token& token, const std::vector<std::string_view>& parameters);
  Type indexed_sort();

  term::TermStore& store_;
  Lexer lexer_;
  const Budget& budget_;
  OperatorApplier applier_;
  std::optional<SymbolTable> symbols_;
  std::vector<Macro> macros_;
  term::TermMap<std::uint32_t> scratch_;
  std::vector<Frame> frames_;
  std::vector<TypedTerm> operands_;
  std::vector<Token> let_names_;
  std::vector<NamedTerm> named_;
  bool global_ = false;
  bool inside_macro_ = false;
  std::uint32_t steps_ = 0;
};

}  // namespace plumb::smtlib
