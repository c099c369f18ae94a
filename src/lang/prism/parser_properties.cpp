#include <fmt/format.h>

#include "lang/prism/parser.h"

namespace plumb::prism {
namespace {

constexpr std::string_view kQuantifiers[] = {"P", "Pmin", "Pmax", "S", "R", "Rmin", "Rmax"};

}  // namespace

bool Parser::at_quantitative() const {
  for (const std::string_view word : kQuantifiers)
    if (peek().is(word)) return true;
  return false;
}

void Parser::refuse_unsupported() const {
  if (peek().kind == Token::Kind::Name && peek().text == "multi" && peek(1).is("("))
    throw Unsupported(here(), "multi(…), several objectives at once, is not supported", "ask for one at a time");
  if ((peek().is("E") || peek().is("A")) && peek(1).is("["))
    throw Unsupported(here(), fmt::format("{} [ … ], of paths without probabilities, is not supported", peek().text),
                      "P>0 [ F x ] says that x can be reached, P>=1 [ F x ] that it almost surely is");
  if (peek().is("<") && peek(1).is("<"))
    throw Unsupported(here(), "<<…>>, of games, is not supported", "use Pmin or Pmax of an mdp");
}

bool Parser::at_temporal() const { return is_property_ && (peek().is("X") || peek().is("F") || peek().is("G")); }

NodePtr Parser::temporal_binary() {
  NodePtr left = temporal_unary();
  // Outside of brackets an R begins the next property.
  const bool is_release = peek().is("R") && brackets_ > 0;
  if (!peek().is("U") && !peek().is("W") && !is_release) return left;
  NodePtr result = node(Node::Kind::Path, peek().text);
  ++cursor_;
  time_bound(*result);
  const Nesting nesting(*this);
  result->operands.push_back(std::move(left));
  result->operands.push_back(temporal_binary());
  return result;
}

NodePtr Parser::temporal_unary() {
  if (!at_temporal()) return choice();
  NodePtr result = node(Node::Kind::Path, peek().text);
  ++cursor_;
  if (result->text != "X") time_bound(*result);
  const Nesting nesting(*this);
  result->operands.push_back(temporal_unary());
  return result;
}

void Parser::time_bound(Node& of) {
  // A '(' without a sign before it begins the operand: F (x>3).
  const auto bound = [&] { return sum(); };
  auto time = std::make_unique<Node::Time>();
  if (peek().is("<=") || peek().is("<")) {
    time->high_is_strict = next().text == "<";
    time->high = bound();
  } else if (peek().is(">=") || peek().is(">")) {
    time->low_is_strict = next().text == ">";
    time->low = bound();
  } else if (accept("=")) {
    const std::size_t first = cursor_;
    time->low = bound();
    cursor_ = first;
    time->high = bound();
  } else if (accept("[")) {
    time->low = expression();
    expect(",");
    time->high = expression();
    expect("]");
  } else {
    return;
  }
  of.time = std::move(time);
}

void Parser::query(Node& of) {
  of.query = std::make_unique<Node::Query>();
  using Direction = chain::Query::Direction;
  const auto direction = [&](std::string_view word) {
    if (word.ends_with("min")) of.query->direction = Direction::Min;
    if (word.ends_with("max")) of.query->direction = Direction::Max;
  };
  direction(of.text);
  // Rmin{"cost"}=? and R{"cost"}min=? are the same.
  if (of.kind == Node::Kind::Reward && accept("{")) {
    if (peek().kind == Token::Kind::Quoted)
      of.operands.push_back(node(Node::Kind::Label, next().text));
    else
      of.operands.push_back(expression());
    expect("}");
  }
  if (peek().is("min") || peek().is("max")) direction(next().text);
  if (accept("=?")) return;
  if (peek().is("=") && peek(1).is("?")) {
    cursor_ += 2;
    return;
  }
  for (const std::string_view sign : {"<=", "<", ">=", ">"})
    if (accept(sign)) {
      of.query->comparison = sign;
      of.query->bound = sum();
      return;
    }
  fail_expected("'=?' or a bound such as '>=0.9'");
}

NodePtr Parser::quantitative() {
  const std::string_view word = peek().text;
  const Node::Kind kind = word[0] == 'P'   ? Node::Kind::Probability
                          : word[0] == 'S' ? Node::Kind::SteadyState
                                           : Node::Kind::Reward;
  NodePtr result = node(kind, word);
  ++cursor_;
  query(*result);
  expect("[");
  ++brackets_;
  result->operands.insert(result->operands.begin(), kind == Node::Kind::Reward ? reward_path() : expression());
  if (peek().is("{"))
    throw Unsupported(here(), "a filter in braces is not supported", "write filter(min, P=? [ … ], states)");
  expect("]");
  --brackets_;
  return result;
}

NodePtr Parser::reward_path() {
  if (peek().is("C")) {
    NodePtr result = node(Node::Kind::Cumulative);
    ++cursor_;
    if (!peek().is("<=") && !peek().is("]")) fail_expected("'C<=' and a time, or ']'");
    time_bound(*result);
    return result;
  }
  if (peek().is("I")) {
    NodePtr result = node(Node::Kind::Instantaneous);
    ++cursor_;
    if (!peek().is("=")) fail_expected("'=' and a time");
    time_bound(*result);
    return result;
  }
  if (peek().is("S")) {
    NodePtr result = node(Node::Kind::SteadyReward);
    ++cursor_;
    return result;
  }
  return expression();
}

NodePtr Parser::filter() {
  NodePtr result = node(Node::Kind::Filter);
  ++cursor_;
  expect("(");
  bool is_name = peek().kind == Token::Kind::Name;
  for (const std::string_view sign : {"min", "max", "+", "&", "|"}) is_name |= peek().is(sign);
  if (!is_name) fail_expected("a filter's name");
  result->text = next().text;
  expect(",");
  result->operands.push_back(expression());
  if (accept(",")) result->operands.push_back(expression());
  expect(")");
  return result;
}

Source PropertyParser::parse() {
  Source source;
  while (!at_end()) {
    if (accept(";")) continue;
    if (peek().is("const")) {
      source.constants.push_back(constant());
    } else if (peek().is("label")) {
      source.labels.push_back(label());
    } else if (accept("formula")) {
      source.formulas.push_back(formula());
    } else {
      PropertyNode property;
      if (peek().kind == Token::Kind::Quoted && peek(1).is(":")) {
        property.name = next().text;
        ++cursor_;
      }
      const std::size_t first = cursor_;
      property.location = here();
      property.value = expression();
      property.text = tokens_.between(first, cursor_);
      source.properties.push_back(std::move(property));
      if (!at_end() && !peek().is(";") && here().line == source.properties.back().location.line)
        fail_expected("';' or a new line");
    }
  }
  return source;
}

}  // namespace plumb::prism
