#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/property/condition_parser.h"
#include "lang/bip/property/property.h"
#include "lang/bip/syntax/lexer.h"

namespace plumb::bip {

/// One property, or one side of a contract: a text of one line or, where lines end in a backslash, of several.
class LineParser {
 public:
  /// `location` is where the text starts; line 0 and column 0 of it count as 1. Throws UserError.
  LineParser(const Model& model, std::string_view text, const SourceLocation& location);

  /// "pre" or "post", if the line starts with it before or behind its name; else empty.
  const std::string& side() const noexcept { return side_; }
  /// The line is an invariant, a response or deadlock freedom.
  std::vector<Property> properties();
  /// The line is a condition.
  Condition condition();
  const std::string& name() const noexcept { return name_; }  ///< empty if the line gives none
  /// Of the first thing on the line.
  SourceLocation location() const { return tokens_.location(first_); }

 private:
  void read_side();
  void read_name();
  bool is_at(std::string_view word) const;
  bool accept_word(std::string_view word);
  Property property(Property::Kind kind, std::string_view default_name) const;
  /// An invariant or a response, once for every choice of components if all of it is quantified.
  void read_claim(std::vector<Property>& properties);
  std::uint64_t distance();
  void expect_end() const;

  std::string text_;
  SourceLocation start_;
  Tokens tokens_;
  ConditionParser conditions_;
  Place first_;
  std::string side_;
  std::string name_;
  bool is_invariant_ = false;
};

}  // namespace plumb::bip
