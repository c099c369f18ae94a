#include "lang/bip/property/condition_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "lang/bip/property/bind.h"
#include "lang/bip/property/resolve.h"
#include "lang/bip/syntax/types.h"

namespace plumb::bip {

namespace {

constexpr std::array<std::string_view, 10> kWords = {"forall", "exists", "in",        "leads", "within",
                                                     "pre",    "post",   "invariant", "true",  "false"};

bool is_word(std::string_view text) { return std::ranges::find(kWords, text) != kWords.end(); }

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

}  // namespace

Condition ConditionParser::condition() {
  operands_ = 0;
  const std::size_t begin = tokens().peek().offset;
  Condition result;
  result.expression = finished(expression(), "a property");
  result.text = on_one_line(text_.substr(begin, tokens().peek().offset - begin));
  return result;
}

bool ConditionParser::is_reserved(std::string_view word) const { return is_word(word); }

void ConditionParser::count_operand() {
  if (++operands_ <= kMaximalExpansion) return;
  throw Unsupported(
      tokens().location(tokens().peek().place),
      fmt::format("this property has more than {} operands when its quantifiers are expanded", kMaximalExpansion),
      "quantify over smaller families");
}

ExpressionPtr ConditionParser::extension() {
  count_operand();
  const Token& token = tokens().peek();
  if (token.kind != Token::Kind::Identifier) return nullptr;
  if (tokens().peek(1).is(".")) return name();
  if (token.text == "forall" || token.text == "exists") return quantified();
  if (token.text == "deadlock")
    tokens().fail(token.place, "'deadlock' is no condition", "alone on its line it stands for deadlock freedom");
  return is_word(token.text) ? nullptr : name();
}

std::string ConditionParser::variable(const Families& before) {
  const Token& token = tokens().peek();
  if (token.kind != Token::Kind::Identifier || is_word(token.text))
    tokens().fail_expected("the variable of a quantifier", "as in 'forall a, b in Client: a != b => a.v == b.v'");
  const auto is_it = [&](const auto& other) { return other.first == token.text; };
  if (std::ranges::any_of(before, is_it) || std::ranges::any_of(bindings_, is_it))
    tokens().fail(token.place, fmt::format("'{}' is the variable of a quantifier already", token.text),
                  "choose another name");
  return std::string(tokens().next().text);
}

std::vector<ComponentId> ConditionParser::members() {
  const Token first = tokens().peek();
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '*' || c == '?';
  };
  const std::string_view rest = text_.substr(std::min(first.offset, text_.size()));
  const auto end = std::ranges::find_if_not(rest, is_part);
  const std::string_view pattern = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  if (pattern.empty())
    tokens().fail_expected("a family of components", "the name of an atom type, or a pattern such as 'atm*'");
  while (!tokens().is_at_end() && tokens().peek().offset < first.offset + pattern.size()) tokens().next();
  return family(model_, pattern, first.place, tokens());
}

ConditionParser::Families ConditionParser::families() {
  Families result;
  do {
    const std::size_t first = result.size();
    do {
      result.emplace_back(variable(result), std::vector<ComponentId>{});
    } while (tokens().accept(","));
    tokens().expect("in", "behind the variables of a quantifier");
    const std::vector<ComponentId> found = members();
    for (std::size_t i = first; i < result.size(); ++i) result[i].second = found;
  } while (tokens().accept(","));
  tokens().expect(":", "behind the family of a quantifier");
  return result;
}

/// Choices are numbers whose digits are positions in the families.
void ConditionParser::for_each_choice(const std::function<void()>& read) {
  tokens().next();
  const Families families = this->families();
  const std::size_t begin = tokens().position();
  const std::size_t outer = bindings_.size();
  for (const auto& [name, members] : families) bindings_.emplace_back(name, members.front());
  std::vector<std::size_t> digits(families.size(), 0);
  for (bool is_last = false; !is_last;) {
    tokens().set_position(begin);
    read();
    std::size_t digit = families.size();
    while (digit > 0 && ++digits[digit - 1] == families[digit - 1].second.size()) digits[--digit] = 0;
    is_last = digit == 0;
    for (std::size_t i = 0; i < families.size(); ++i) bindings_[outer + i].second = families[i].second[digits[i]];
  }
  bindings_.resize(outer);
  for (const auto& [name, members] : families) ended_.insert(name);
}

std::string ConditionParser::choice_text() const {
  std::string text;
  for (const auto& [name, component] : bindings_)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, model_.components[component].name);
  return text;
}

ExpressionPtr ConditionParser::quantified() {
  const Place place = tokens().peek().place;
  const Operator op = tokens().is("forall") ? Operator::And : Operator::Or;
  std::vector<ExpressionPtr> instances;
  for_each_choice([&] { instances.push_back(finished(expression(), "the body of a quantifier")); });
  return join(op, std::move(instances), place);
}

ExpressionPtr ConditionParser::name() {
  Path path;
  do {
    if (tokens().peek().kind != Token::Kind::Identifier) tokens().fail_expected("a name behind '.'");
    path.push_back(tokens().next());
  } while (tokens().accept("."));
  const Token& first = path.front();
  const auto binding = std::ranges::find(bindings_, first.text, &std::pair<std::string, ComponentId>::first);
  const bool is_bound = binding != bindings_.end();
  if (!is_bound && path.size() == 2 && ended_.contains(first.text) && !model_.find_component(first.text))
    tokens().fail(first.place, fmt::format("the quantifier over '{}' has ended", first.text),
                  "its body ends at a closing parenthesis and at 'leads to'");
  const Reference found =
      is_bound ? resolve_in(model_, binding->second, path, tokens()) : resolve(model_, path, tokens());
  auto result = std::make_unique<Expression>();
  result->kind = Expression::Kind::Name;
  result->place = first.place;
  result->variable = number_of(model_, found);
  switch (found.kind) {
    case Reference::Kind::Variable:
      result->name = model_.variables[found.id].name;
      break;
    case Reference::Kind::Place:
      result->name = model_.components[found.id].name + ".place";
      break;
    case Reference::Kind::Component:
      result->name = model_.components[found.id].name;
      break;
    case Reference::Kind::Constant:
    case Reference::Kind::Unknown:
      result->name = first.text;
      break;
  }
  return result;
}

ExpressionPtr ConditionParser::finished(ExpressionPtr expression, std::string_view what) {
  bind_names(expression, model_, tokens());
  const auto type = [&](const Expression& name) -> std::optional<Type> {
    return name.variable < model_.variables.size() ? model_.variables[name.variable].type : Type::Int;
  };
  check_types(*expression, Type::Bool, what, type, [&](Place place) { return tokens().location(place); });
  return simplified(std::move(expression));
}

}  // namespace plumb::bip
