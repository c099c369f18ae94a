#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/bip/property/property.h"
#include "lang/bip/syntax/expression_parser.h"

namespace plumb::bip {

/// The most operands that a condition may have when its quantifiers are expanded.
inline constexpr std::size_t kMaximalExpansion = 100'000;

/// Reads conditions. A quantifier is expanded where it is read: its body is read again for every choice of components,
/// and the copies are joined to a tree of least depth, for whoever goes through it may recurse. What comparisons of
/// components (`a != b`) decide is decided here, so that `a != b => …` leaves no trace where a is b.
class ConditionParser : private ExpressionParser {
 public:
  /// `text` is that of the tokens; all three must outlive it.
  ConditionParser(const Model& model, std::string_view text, Tokens& tokens)
      : ExpressionParser(tokens, Implication::Allowed), model_(model), text_(text) {}

  /// Reads as far as a condition goes. Throws UserError, and Unsupported if the expansion is too large.
  Condition condition();

  /// Reads `forall a, b in FAMILY:` and calls `read`, which reads what follows, once for every choice of components.
  void for_each_choice(const std::function<void()>& read);
  /// What the variables of the quantifiers around stand for: "a = client1, b = client2".
  std::string choice_text() const;

 private:
  /// Variables of a quantifier, each with its family.
  using Families = std::vector<std::pair<std::string, std::vector<ComponentId>>>;

  ExpressionPtr extension() override;
  bool is_reserved(std::string_view word) const override;

  ExpressionPtr quantified();
  Families families();
  std::string variable(const Families& before);
  std::vector<ComponentId> members();
  ExpressionPtr name();
  /// Names, types, and constants: what an expression needs before it is part of another.
  ExpressionPtr finished(ExpressionPtr expression, std::string_view what);
  void count_operand();

  const Model& model_;
  std::string_view text_;
  std::vector<std::pair<std::string, ComponentId>> bindings_;  ///< of the quantifiers around
  std::set<std::string, std::less<>> ended_;                   ///< variables of quantifiers that were read
  std::size_t operands_ = 0;
};

}  // namespace plumb::bip
