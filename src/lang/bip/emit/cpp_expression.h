#pragma once

#include <cstddef>
#include <string>

#include "lang/bip/emit/cpp_names.h"

namespace plumb::bip {

/// The body of a C++ function: `v` has the values. Int operators that may leave the range of an int are functions of
/// the emitted engine (`add(a, b)`).
class CppBody {
 public:
  explicit CppBody(const CppNames& names) : names_(names) {}

  /// `return EXPRESSION;`, of type bool.
  void add_return(const Expression& condition);
  void add(const Block& block) { add(block, 1); }

  const std::string& text() const noexcept { return text_; }
  /// `v` occurs: a parameter that does not has no name, or compilers warn.
  bool uses_values() const noexcept { return uses_values_; }

 private:
  /// How an expression is written. Compilers limit how deep brackets nest (clang: 256).
  struct Written {
    std::string text;
    std::size_t depth = 0;
    bool is_operand = true;  ///< needs no brackets beside an operator
    Operator op = Operator::Add;
  };

  void add(const Block& block, std::size_t indentation);
  void add_assignment(const Statement& statement, std::size_t indentation);
  void add_if(const Statement& statement, std::size_t indentation);
  void add_line(std::size_t indentation, const std::string& line);

  /// Expressions have no effects, so that parts of deep ones may be computed before, into constants, on lines of their
  /// own.
  Written write(const Expression& expression, std::size_t indentation);
  Written write_whole(const Expression& expression, std::size_t indentation);
  Written write_unary(const Expression& expression, std::size_t indentation);
  Written write_binary(const Expression& expression, std::size_t indentation);
  Written write_conditional(const Expression& expression, std::size_t indentation);

  const CppNames& names_;
  std::string text_;
  bool uses_values_ = false;
  std::size_t constants_ = 0;
};

}  // namespace plumb::bip
