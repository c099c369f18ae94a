#include "solve/external/smtlib_answer.h"

#include <absl/container/flat_hash_map.h>

namespace plumb::solve {
namespace {

using term::Sort;
using term::Value;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The end of the atom that starts at `at`; npos if its quote is not closed.
std::size_t atom_end(std::string_view text, std::size_t at) {
  if (text[at] == '|' || text[at] == '"') {
    const std::size_t close = text.find(text[at], at + 1);
    return close == std::string_view::npos ? close : close + 1;
  }
  while (at < text.size() && !is_space(text[at]) && text[at] != '(' && text[at] != ')') ++at;
  return at;
}

/// Turns one value of an answer into a term::Value. Let-bound names are looked through, not copied.
class ValueReader {
 public:
  explicit ValueReader(const SExpressions& expressions) : expressions_(expressions) {}

  std::optional<Value> read(std::uint32_t at, Sort sort) {
    if (sort.is_array()) return array(at, sort);
    return bits(at, sort.width);
  }

 private:
  /// Leaves let and bound names behind; nothing if they lead nowhere.
  std::optional<std::uint32_t> resolve(std::uint32_t at);
  std::optional<BitVector> bits(std::uint32_t at, std::uint32_t width);
  std::optional<Value> array(std::uint32_t at, Sort sort);
  /// The element of `((as const sort) element)`.
  std::optional<std::uint32_t> constant_element(const SExpressions::Node& node) const;

  const SExpressions& expressions_;
  absl::flat_hash_map<std::string_view, std::uint32_t> bound_;
};

std::optional<std::uint32_t> ValueReader::resolve(std::uint32_t at) {
  // A value visits no node twice, unless a name is bound to itself.
  for (std::size_t steps = 0; steps <= expressions_.size(); ++steps) {
    const SExpressions::Node& node = expressions_[at];
    if (!node.is_list) {
      const auto found = bound_.find(node.text);
      if (found == bound_.end()) return at;
      at = found->second;
      continue;
    }
    if (node.children.size() != 3 || !expressions_.is(node.children[0], "let")) return at;
    for (const std::uint32_t binding : expressions_[node.children[1]].children) {
      const SExpressions::Node& pair = expressions_[binding];
      if (pair.children.size() != 2) return std::nullopt;
      bound_[expressions_[pair.children[0]].text] = pair.children[1];
    }
    at = node.children[2];
  }
  return std::nullopt;
}

std::optional<BitVector> ValueReader::bits(std::uint32_t at, std::uint32_t width) {
  const auto place = resolve(at);
  if (!place) return std::nullopt;
  const SExpressions::Node& node = expressions_[*place];
  if (node.is_list) {  // (_ bv7 8)
    if (node.children.size() != 3 || !expressions_.is(node.children[0], "_")) return std::nullopt;
    const std::string_view number = expressions_[node.children[1]].text;
    if (!number.starts_with("bv") || !expressions_.is(node.children[2], std::to_string(width))) return std::nullopt;
    return BitVector::parse(width, number.substr(2), 10);
  }
  if (width == 1 && node.text == "true") return BitVector(1, 1);
  if (width == 1 && node.text == "false") return BitVector(1, 0);
  if (node.text.starts_with("#b") && node.text.size() - 2 == width)
    return BitVector::parse(width, node.text.substr(2), 2);
  if (node.text.starts_with("#x") && (node.text.size() - 2) * 4 == width)
    return BitVector::parse(width, node.text.substr(2), 16);
  return std::nullopt;
}

std::optional<std::uint32_t> ValueReader::constant_element(const SExpressions::Node& node) const {
  if (node.children.size() != 2) return std::nullopt;
  const SExpressions::Node& head = expressions_[node.children[0]];
  if (head.children.size() != 3 || !expressions_.is(head.children[0], "as") ||
      !expressions_.is(head.children[1], "const"))
    return std::nullopt;
  return node.children[1];
}

std::optional<Value> ValueReader::array(std::uint32_t at, Sort sort) {
  term::ArrayValue result{sort.index_width, BitVector(sort.width, 0), {}};
  for (std::size_t steps = 0; steps <= expressions_.size(); ++steps) {
    const auto place = resolve(at);
    if (!place) return std::nullopt;
    const SExpressions::Node& node = expressions_[*place];
    if (const auto element = constant_element(node)) {
      auto otherwise = bits(*element, sort.width);
      if (!otherwise) return std::nullopt;
      result.otherwise = *std::move(otherwise);
      return result;
    }
    if (node.children.size() != 4 || !expressions_.is(node.children[0], "store")) return std::nullopt;
    auto index = bits(node.children[2], sort.index_width);
    auto element = bits(node.children[3], sort.width);
    if (!index || !element) return std::nullopt;
    // The outermost store to an index comes first, and counts.
    result.elements.try_emplace(*std::move(index), *std::move(element));
    at = node.children[1];
  }
  return std::nullopt;
}

}  // namespace

std::optional<SExpressions> SExpressions::parse(std::string_view text) {
  SExpressions result;
  std::vector<std::uint32_t> open;
  const auto add = [&](Node node) {
    const auto place = static_cast<std::uint32_t>(result.nodes_.size());
    (open.empty() ? result.roots_ : result.nodes_[open.back()].children).push_back(place);
    result.nodes_.push_back(std::move(node));
    return place;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (text[at] == '(') {
      open.push_back(add({text.substr(at++), true, {}}));
    } else if (text[at] == ')') {
      if (open.empty()) return std::nullopt;
      Node& node = result.nodes_[open.back()];
      open.pop_back();
      node.text = node.text.substr(0, static_cast<std::size_t>(text.data() + ++at - node.text.data()));
    } else {
      const std::size_t end = atom_end(text, at);
      if (end == std::string_view::npos) return std::nullopt;
      const bool quoted = text[at] == '|';
      add({quoted ? text.substr(at + 1, end - at - 2) : text.substr(at, end - at), false, {}});
      at = end;
    }
  }
  if (!open.empty()) return std::nullopt;
  return result;
}

bool AnswerEnd::feed(std::string_view line) noexcept {
  for (const char c : line) {
    if (quote_ != 0) {
      if (c == quote_) quote_ = 0;
    } else if (c == '|' || c == '"') {
      quote_ = c;
    } else if (c == '(') {
      ++depth_;
    } else if (c == ')' && depth_ > 0) {
      --depth_;
    }
  }
  return depth_ == 0 && quote_ == 0;
}

std::optional<std::vector<Value>> parse_values(std::string_view answer, std::span<const Sort> sorts) {
  const auto expressions = SExpressions::parse(answer);
  if (!expressions || expressions->roots().empty()) return std::nullopt;
  const std::vector<std::uint32_t>& pairs = (*expressions)[expressions->roots()[0]].children;
  if (pairs.size() != sorts.size()) return std::nullopt;
  std::vector<Value> values;
  values.reserve(sorts.size());
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    const std::vector<std::uint32_t>& pair = (*expressions)[pairs[i]].children;
    if (pair.size() != 2) return std::nullopt;
    auto value = ValueReader(*expressions).read(pair[1], sorts[i]);
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

std::optional<std::vector<std::string>> parse_symbols(std::string_view answer) {
  const auto expressions = SExpressions::parse(answer);
  if (!expressions || expressions->roots().size() != 1) return std::nullopt;
  const SExpressions::Node& list = (*expressions)[expressions->roots()[0]];
  if (!list.is_list) return std::nullopt;
  std::vector<std::string> symbols;
  for (const std::uint32_t child : list.children) {
    if ((*expressions)[child].is_list) return std::nullopt;
    symbols.emplace_back((*expressions)[child].text);
  }
  return symbols;
}

}  // namespace plumb::solve
