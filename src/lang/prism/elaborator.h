#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chain/model.h"
#include "lang/prism/ast.h"

namespace plumb::prism {

using chain::Expression;
using chain::Type;

/// Names for names, of a module that is made from another.
using Renaming = std::map<std::string, std::string>;

/// Turns expressions as written into those of a model: names become variables, values of constants or the formulas that
/// they stand for, and every operator gets operands of the types that it wants.
class Elaborator {
 public:
  /// `sources` (the model, then perhaps properties) and `pool` must outlive it.
  Elaborator(std::vector<const Source*> sources, const std::map<std::string, std::string>& given,
             chain::ExpressionPool& pool);

  void add_variable(const Identifier& name, Type type, std::uint32_t position);

  Expression compile(const Node& node, const Renaming* renaming = nullptr);
  /// The same, with a type that must be had; an int is taken where a double is wanted.
  Expression compile(const Node& node, Type wanted, const char* what, const Renaming* renaming = nullptr);
  /// Of expressions without variables.
  std::int64_t integer(const Node& node, const char* what, const Renaming* renaming = nullptr);
  Expression real(const Node& node, const char* what);
  /// Of constants that were given another value than the written one.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  struct Constant {
    const ConstantDeclaration* declaration = nullptr;
    Expression value;
    bool is_open = false;  ///< being evaluated
  };
  struct VariablePlace {
    Type type;
    std::uint32_t position;
  };

  void declare(const Identifier& name, const char* what);
  Expression name(const Node& node, const std::string& written, const Renaming* renaming);
  Expression constant(const std::string& name, const SourceLocation& used);
  /// Nothing for a text that is no number of a double's range; with fractions, for one with too great an exponent.
  std::optional<Expression> real_constant(const std::string& text);
  Expression given_value(const ConstantDeclaration& declaration, const std::string& text);
  Expression unary(const Node& node, const Renaming* renaming);
  Expression binary(const Node& node, const Renaming* renaming);
  Expression choice(const Node& node, const Renaming* renaming);
  Expression function(const Node& node, const Renaming* renaming);
  Expression operand(const Node& node, std::size_t i, Type wanted, const Renaming* renaming);
  /// Two operands as numbers of one type.
  void numbers(const Node& node, Expression& a, Expression& b);
  void require(const Node& at, Expression e, Type wanted, const std::string& what) const;

  chain::ExpressionPool& pool_;
  std::map<std::string, std::string> given_;
  std::vector<std::string> notes_;
  std::map<std::string, SourceLocation> declared_;
  std::map<std::string, Constant> constants_;
  std::map<std::string, VariablePlace> variables_;
  std::map<std::string, const Definition*> formulas_;
  std::map<std::pair<std::string, const Renaming*>, Expression> expanded_;  ///< formulas; a null one is being expanded
};

const char* name_of(Type type);  ///< "a bool", "an int", "a double"

}  // namespace plumb::prism
