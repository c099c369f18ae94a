// The parser knows of C what it needs to find where an expression ends: brackets, and the operators that C does not
// have. A part without temporal operators stays text, to be read by a C compiler; only what connects such parts becomes
// a tree.

#include "check/ltl_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace plumb::check {
namespace {

using Op = LtlFormula::Op;

struct Token {
  std::string_view text;
  std::size_t begin = 0;
  bool is_word = false;
  std::size_t end() const { return begin + text.size(); }
};

constexpr const char* kSyntax =
    "such as G (request == 1 -> F served), with G F U R W or [] <>, ! && || -> <-> and conditions in C";

[[noreturn]] void fail(std::size_t at, const std::string& what, const std::string& hint = kSyntax) {
  throw UserError(SourceLocation{LtlFormula::kSource, 1, static_cast<std::uint32_t>(at + 1)}, what, hint);
}

std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::array<std::string_view, 18> kLong = {"<->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                                      "->",  "<>", "[]", "++", "--", "+=", "-=", "*=", "/="};
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
      if (rest[0] == '\n') fail(at, "a formula is one line");
      ++at;
      continue;
    }
    std::size_t length = 1;
    if (is_word(rest[0])) {
      while (length < rest.size() && is_word(rest[length])) ++length;
    } else if (rest[0] == '\'') {
      while (length < rest.size() && rest[length] != '\'') length += rest[length] == '\\' ? 2 : 1;
      if (length >= rest.size()) fail(at, "this character constant does not end");
      ++length;
    } else {
      for (const std::string_view each : kLong)
        if (rest.starts_with(each)) {
          length = each.size();
          break;
        }
    }
    tokens.push_back({rest.substr(0, length), at, is_word(rest[0]) || rest[0] == '\''});
    at += length;
  }
  return tokens;
}

bool is_unary_word(std::string_view word) { return word == "G" || word == "F" || word == "X"; }
bool is_binary_word(std::string_view word) { return word == "U" || word == "R" || word == "W"; }

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text), tokens_(tokens_of(text)) {}

  void run() {
    if (tokens_.empty()) fail(0, "the formula is empty");
    Part whole = equivalence();
    if (!at_end()) fail(here(), fmt::format("'{}' is not expected here", next()));
    settle(whole);
  }
  std::vector<LtlFormula::Node> nodes;
  std::vector<LtlFormula::Atom> atoms;

 private:
  /// A part of the formula: text as long as it can be C, and a node from then on.
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<std::uint32_t> node;
  };

  bool at_end() const { return position_ == tokens_.size(); }
  std::string_view next() const { return at_end() ? std::string_view() : tokens_[position_].text; }
  std::size_t here() const { return at_end() ? text_.size() : tokens_[position_].begin; }
  bool take(std::string_view text) {
    if (next() != text) return false;
    ++position_;
    return true;
  }

  std::uint32_t add(Op op, std::uint32_t a = 0, std::uint32_t b = 0) {
    nodes.push_back({op, a, b});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  std::uint32_t settle(const Part& part) {
    if (part.node) return *part.node;
    LtlFormula::Atom atom{text_.substr(part.begin, part.end - part.begin), static_cast<std::uint32_t>(part.begin + 1)};
    return add_atom(std::move(atom));
  }
  std::uint32_t add_atom(LtlFormula::Atom atom) {
    const auto known = std::ranges::find(atoms, atom.text, &LtlFormula::Atom::text);
    const auto number = static_cast<std::uint32_t>(known - atoms.begin());
    if (known == atoms.end()) atoms.push_back(std::move(atom));
    return add(Op::Atom, number);
  }
  Part joined(Op op, const Part& a, const Part& b) {
    const bool is_c = !a.node && !b.node && (op == Op::And || op == Op::Or);
    Part made{a.begin, b.end, {}};
    if (is_c) return made;
    const std::uint32_t left = settle(a);
    made.node = add(op, left, settle(b));
    return made;
  }

  Part equivalence() {
    Part left = implication();
    while (take("<->")) left = joined(Op::Equivalent, left, implication());
    return left;
  }
  Part implication() {
    Part left = disjunction();
    if (next() != "->") return left;
    ++position_;
    return joined(Op::Implies, left, implication());
  }
  Part disjunction() {
    Part left = conjunction();
    while (take("||")) left = joined(Op::Or, left, conjunction());
    return left;
  }
  Part conjunction() {
    Part left = until();
    while (take("&&")) left = joined(Op::And, left, until());
    return left;
  }
  Part until() {
    Part left = unary();
    const std::string_view op = next();
    if (at_end() || !is_binary_word(op)) return left;
    ++position_;
    const Part right = until();
    const std::uint32_t a = settle(left);
    const std::uint32_t b = settle(right);
    left.end = right.end;
    if (op == "U") left.node = add(Op::Until, a, b);
    if (op == "R") left.node = add(Op::Release, a, b);
    if (op == "W") left.node = add(Op::Or, add(Op::Until, a, b), add(Op::Globally, a));
    return left;
  }
  Part unary() {
    const std::size_t begin = here();
    if (at_end()) fail(begin, "a condition is expected here, and the formula ends");
    if (next() == "X")
      fail(begin, "X is not supported: how many steps a program makes depends on how it is compiled",
           "say with U, F and G what comes before what");
    const bool is_always = next() == "G" || next() == "[]";
    if (is_always || next() == "F" || next() == "<>") {
      ++position_;
      Part operand = unary();
      return {begin, operand.end, add(is_always ? Op::Globally : Op::Finally, settle(operand))};
    }
    if (next() == "!") {
      ++position_;
      Part operand = unary();
      operand.begin = begin;
      if (operand.node) operand.node = add(Op::Not, *operand.node);
      return operand;
    }
    return primary();
  }

  Part primary() {
    const std::size_t begin = here();
    if (next() == "true" || next() == "false") {
      const bool is_true = next() == "true";
      const std::size_t end = tokens_[position_++].end();
      return {begin, end, add(is_true ? Op::True : Op::False)};
    }
    if (next() == "at" && position_ + 1 < tokens_.size() && tokens_[position_ + 1].text == "(") return place();
    if (next() == "(") {
      const std::size_t close = matching(position_);
      if (!goes_on(close)) {
        ++position_;
        Part inner = equivalence();
        if (next() != ")") fail(here(), fmt::format("')' is expected here, for the '(' in column {}", begin + 1));
        inner.end = tokens_[position_++].end();
        inner.begin = begin;
        return inner;
      }
    }
    return condition();
  }

  Part place() {
    const std::size_t begin = here();
    constexpr const char* kForm = "at(FUNCTION:LABEL) holds where a thread stands at the label";
    position_ += 2;
    LtlFormula::Atom atom;
    atom.column = static_cast<std::uint32_t>(begin + 1);
    for (std::string* name : {&atom.function, &atom.label}) {
      if (at_end() || !tokens_[position_].is_word) fail(here(), "a name is expected here", kForm);
      *name = tokens_[position_++].text;
      if (!take(name == &atom.function ? ":" : ")"))
        fail(here(), fmt::format("'{}' is expected here", name == &atom.function ? ":" : ")"), kForm);
    }
    const std::size_t end = tokens_[position_ - 1].end();
    atom.text = fmt::format("at({}:{})", atom.function, atom.label);
    return {begin, end, add_atom(std::move(atom))};
  }

  /// An expression of C, up to what C does not have or has in common with formulas.
  Part condition() {
    const std::size_t first = position_;
    while (!at_end()) {
      const std::string_view now = next();
      if (now == "(" || now == "[") {
        position_ = matching(position_) + 1;
        continue;
      }
      const bool is_after_operand =
          position_ > first &&
          (tokens_[position_ - 1].is_word || tokens_[position_ - 1].text == ")" || tokens_[position_ - 1].text == "]");
      if (now == ")" || now == "]" || now == "&&" || now == "||" || now == "<->") break;
      if (now == "->" && !is_member(position_)) break;
      if (is_after_operand && is_binary_word(now)) break;
      if (now == "<>" || now == "[]" || (is_unary_word(now) && !is_after_operand))
        fail(here(), fmt::format("the operator '{}' cannot stand inside a condition", now));
      ++position_;
    }
    if (position_ == first) fail(here(), fmt::format("a condition is expected before '{}'", next()));
    return {tokens_[first].begin, tokens_[position_ - 1].end(), {}};
  }

  /// An arrow without spaces, before a word that is no operator.
  bool is_member(std::size_t arrow) const {
    if (arrow == 0 || arrow + 1 >= tokens_.size()) return false;
    const Token& before = tokens_[arrow - 1];
    const Token& after = tokens_[arrow + 1];
    return before.end() == tokens_[arrow].begin && tokens_[arrow].end() == after.begin && after.is_word &&
           !is_unary_word(after.text) && (before.is_word || before.text == ")" || before.text == "]");
  }
  /// What stands behind the bracket makes an expression of C with what it closes.
  bool goes_on(std::size_t close) const {
    if (close + 1 == tokens_.size()) return false;
    const Token& after = tokens_[close + 1];
    if (after.is_word) return !is_binary_word(after.text);
    if (after.text == "->") return is_member(close + 1);
    constexpr std::array<std::string_view, 5> kEnds = {")", "]", "&&", "||", "<->"};
    return std::ranges::find(kEnds, after.text) == kEnds.end();
  }
  std::size_t matching(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < tokens_.size(); ++at) {
      const std::string_view now = tokens_[at].text;
      if (now == "(" || now == "[") ++depth;
      if ((now == ")" || now == "]") && --depth == 0) return at;
    }
    fail(tokens_[open].begin, fmt::format("this '{}' is not closed", tokens_[open].text));
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace

LtlFormula::LtlFormula(std::string text) : text_(std::move(text)) {
  Parser parser(text_);
  parser.run();
  nodes_ = std::move(parser.nodes);
  atoms_ = std::move(parser.atoms);
  // In the order in which they stand in the formula.
  std::vector<std::uint32_t> order(atoms_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t atom) { return atoms_[atom].column; });
  std::vector<Atom> sorted;
  std::vector<std::uint32_t> number(atoms_.size());
  for (const std::uint32_t atom : order) {
    number[atom] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(atoms_[atom]));
  }
  atoms_ = std::move(sorted);
  for (Node& node : nodes_)
    if (node.op == Op::Atom) node.a = number[node.a];
}

ltl::Id LtlFormula::build(ltl::Formulas& formulas) const {
  std::vector<ltl::Id> ids;
  for (const Node& node : nodes_) {
    const auto operand = [&](std::uint32_t which) { return ids[which]; };
    switch (node.op) {
      case Op::True:
        ids.push_back(ltl::Formulas::kTrue);
        break;
      case Op::False:
        ids.push_back(ltl::Formulas::kFalse);
        break;
      case Op::Atom:
        ids.push_back(formulas.literal(2 * node.a));
        break;
      case Op::Not:
        ids.push_back(formulas.negation(operand(node.a)));
        break;
      case Op::And:
        ids.push_back(formulas.conjunction(operand(node.a), operand(node.b)));
        break;
      case Op::Or:
        ids.push_back(formulas.disjunction(operand(node.a), operand(node.b)));
        break;
      case Op::Implies:
        ids.push_back(formulas.disjunction(formulas.negation(operand(node.a)), operand(node.b)));
        break;
      case Op::Equivalent: {
        const ltl::Id both = formulas.conjunction(operand(node.a), operand(node.b));
        const ltl::Id none =
            formulas.conjunction(formulas.negation(operand(node.a)), formulas.negation(operand(node.b)));
        ids.push_back(formulas.disjunction(both, none));
        break;
      }
      case Op::Finally:
        ids.push_back(formulas.finally(operand(node.a)));
        break;
      case Op::Globally:
        ids.push_back(formulas.globally(operand(node.a)));
        break;
      case Op::Until:
        ids.push_back(formulas.until(operand(node.a), operand(node.b)));
        break;
      case Op::Release:
        ids.push_back(formulas.release(operand(node.a), operand(node.b)));
        break;
    }
  }
  return ids.back();
}

bool LtlFormula::holds(std::span<const Valuation> stem, std::span<const Valuation> cycle) const {
  const std::size_t size = stem.size() + cycle.size();
  const auto at = [&](std::size_t i) -> const Valuation& { return i < stem.size() ? stem[i] : cycle[i - stem.size()]; };
  std::vector<std::vector<bool>> truth;  // by node and position
  // From the last position back, twice around the cycle: what is awaited comes in one round or never.
  const auto backwards = [&](bool at_first, const auto& step) {
    std::vector<bool> values(size, at_first);
    for (int round = 0; round < 2; ++round)
      for (std::size_t i = size; i-- > 0;) values[i] = step(i, values[i + 1 < size ? i + 1 : stem.size()]);
    return values;
  };
  for (const Node& node : nodes_) {
    const auto a = [&](std::size_t i) { return truth[node.a][i]; };
    const auto b = [&](std::size_t i) { return truth[node.b][i]; };
    std::vector<bool> values(size);
    switch (node.op) {
      case Op::Finally:
        values = backwards(false, [&](std::size_t i, bool later) { return a(i) || later; });
        break;
      case Op::Globally:
        values = backwards(true, [&](std::size_t i, bool later) { return a(i) && later; });
        break;
      case Op::Until:
        values = backwards(false, [&](std::size_t i, bool later) { return b(i) || (a(i) && later); });
        break;
      case Op::Release:
        values = backwards(true, [&](std::size_t i, bool later) { return b(i) && (a(i) || later); });
        break;
      default:
        for (std::size_t i = 0; i < size; ++i) {
          switch (node.op) {
            case Op::True:
              values[i] = true;
              break;
            case Op::Atom:
              values[i] = at(i)[node.a];
              break;
            case Op::Not:
              values[i] = !a(i);
              break;
            case Op::And:
              values[i] = a(i) && b(i);
              break;
            case Op::Or:
              values[i] = a(i) || b(i);
              break;
            case Op::Implies:
              values[i] = !a(i) || b(i);
              break;
            case Op::Equivalent:
              values[i] = a(i) == b(i);
              break;
            default:
              values[i] = false;
          }
        }
    }
    truth.push_back(std::move(values));
  }
  return truth.back()[0];
}

}  // namespace plumb::check
