// A recursive descent over characters: the indentation of a block is the column of its first character, and what stands
// further right belongs to its last entry. Nesting has a limit, so that recursion has one.
#include "check/yaml.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::check {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::string_view kRefused = "&*!|>%@`?";
constexpr std::string_view kSubset = "read are mappings, sequences and scalars that end on their line";

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  YamlNode document() {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    to_content();
    if (at_marker("---")) {
      skip(3);
      to_content();
    }
    YamlNode node = null_here();
    if (!at_end() && !at_marker("...")) node = block_node(0);
    if (at_marker("...")) {
      skip(3);
      to_content();
    }
    if (at_marker("---")) fail("a second document begins here", "a task is one document");
    if (!at_end()) fail("this belongs to nothing before it", "it has another indentation than what stands above");
    return node;
  }

 private:
  bool at_end() const { return position_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  bool at_blank(std::size_t ahead = 0) const {
    const char c = peek(ahead);
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || position_ + ahead >= text_.size();
  }
  bool at_marker(std::string_view marker) const {
    return column_ == 1 && text_.substr(position_).starts_with(marker) && at_blank(marker.size());
  }
  bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }
  bool at_comment() const { return peek() == '#' && (position_ == 0 || is_blank(text_[position_ - 1])); }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  void skip(std::size_t count = 1) {
    for (; count > 0 && !at_end(); --count) {
      if (text_[position_++] == '\n') {
        ++line_;
        column_ = 1;
      } else {
        ++column_;
      }
    }
  }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t') skip();
  }
  void skip_comment() {
    if (at_comment())
      while (!at_end() && peek() != '\n') skip();
  }

  /// To the next character that is no blank and in no comment.
  void to_content() {
    for (;;) {
      skip_spaces();
      skip_comment();
      if (at_end() || !at_line_end()) break;
      skip();
    }
    if (at_end() || column_ == 1) return;
    const std::string_view indentation = text_.substr(position_ - (column_ - 1), column_ - 1);
    if (std::ranges::all_of(indentation, is_blank) && indentation.find('\t') != std::string_view::npos)
      fail("a tab in the indentation", "YAML wants spaces");
  }

  SourceLocation here() const { return {file_, line_, column_}; }
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const {
    throw UserError(here(), message, hint);
  }
  YamlNode null_here() const { return {.location = here(), .entries = {}}; }

  static void enter(int depth, const Parser& parser) {
    if (depth > kMaxDepth) parser.fail(fmt::format("nested more than {} levels deep", kMaxDepth));
  }

  bool at_item() const { return peek() == '-' && at_blank(1); }

  /// At the first character of a block: whatever stands in this column and further right.
  YamlNode block_node(int depth) {
    enter(depth, *this);
    if (at_item()) return block_sequence(depth);
    const std::uint32_t indentation = column_;
    const SourceLocation location = here();
    YamlNode first = inline_node(depth, false);
    if (!at_colon()) {
      end_of_line();
      return first;
    }
    if (first.kind != YamlNode::Kind::Scalar) throw UserError(location, "a key should be a scalar");
    YamlNode mapping{.kind = YamlNode::Kind::Mapping, .location = location, .entries = {}};
    for (;;) {
      add_entry(mapping, std::move(first), block_value(indentation, depth));
      if (!is_next_at(indentation)) return mapping;
      if (at_item()) fail("an item of a list among the keys of a mapping");
      first = inline_node(depth, false);
      if (first.kind != YamlNode::Kind::Scalar) throw UserError(first.location, "a key should be a scalar");
      if (!at_colon()) fail(fmt::format("a colon is missing after '{}'", first.text));
    }
  }

  bool at_colon() const { return peek() == ':' && at_blank(1); }

  /// After the content of a block of this indentation: whether there is more of it.
  bool is_next_at(std::uint32_t indentation) {
    if (at_end() || at_marker("---") || at_marker("...") || column_ < indentation) return false;
    if (column_ > indentation) fail("indented further than what it belongs to");
    return true;
  }

  /// Behind a key, at the colon.
  YamlNode block_value(std::uint32_t indentation, int depth) {
    skip();
    skip_spaces();
    if (!at_line_end() && !at_comment()) {
      if (at_item()) fail("a list that begins behind a key", "begin it on the next line");
      YamlNode value = inline_node(depth + 1, false);
      if (at_colon()) fail("a mapping that begins behind a key", "begin it on the next line");
      end_of_line();
      return value;
    }
    YamlNode nothing = null_here();
    to_content();
    if (at_end() || at_marker("---") || at_marker("...")) return nothing;
    if (column_ > indentation || (column_ == indentation && at_item())) return block_node(depth + 1);
    return nothing;
  }

  YamlNode block_sequence(int depth) {
    const std::uint32_t indentation = column_;
    YamlNode sequence{.kind = YamlNode::Kind::Sequence, .location = here(), .entries = {}};
    do {
      skip();
      const std::uint32_t line = line_;
      to_content();
      const bool is_empty = at_end() || (line_ != line && column_ <= indentation);
      sequence.items.push_back(is_empty ? null_here() : block_node(depth + 1));
    } while (is_next_at_item(indentation));
    return sequence;
  }

  bool is_next_at_item(std::uint32_t indentation) {
    if (at_end() || column_ < indentation) return false;
    if (column_ > indentation) fail("indented further than the list it stands in");
    return at_item();  // a list may stand in the column of the key that it is the value of
  }

  void end_of_line() {
    skip_spaces();
    skip_comment();
    if (!at_line_end()) fail("nothing more is expected on this line");
    to_content();
  }

  /// A scalar or a flow collection.
  YamlNode inline_node(int depth, bool is_in_flow) {
    enter(depth, *this);
    const char c = peek();
    if (c == '[' || c == '{') return flow_collection(depth);
    if (c == '"' || c == '\'') return quoted_scalar(c);
    if (kRefused.find(c) != std::string_view::npos)
      fail(fmt::format("'{}' begins something of YAML that is not read here", c), std::string(kSubset));
    return plain_scalar(is_in_flow);
  }

  YamlNode flow_collection(int depth) {
    const bool is_mapping = peek() == '{';
    const char close = is_mapping ? '}' : ']';
    YamlNode node{
        .kind = is_mapping ? YamlNode::Kind::Mapping : YamlNode::Kind::Sequence, .location = here(), .entries = {}};
    skip();
    for (;;) {
      to_content();
      if (at_end()) throw UserError(node.location, fmt::format("this is never closed by '{}'", close));
      if (peek() == close) break;
      YamlNode item = inline_node(depth + 1, true);
      to_content();
      if (is_mapping) {
        add_entry(node, std::move(item), flow_value(depth));
        to_content();
      } else {
        node.items.push_back(std::move(item));
      }
      if (peek() == ',')
        skip();
      else if (peek() != close && !at_end())
        fail(fmt::format("a comma or '{}' is expected", close));
    }
    skip();
    skip_spaces();
    return node;
  }

  YamlNode flow_value(int depth) {
    if (peek() != ':') return null_here();
    skip();
    to_content();
    return peek() == ',' || peek() == '}' ? null_here() : inline_node(depth + 1, true);
  }

  YamlNode quoted_scalar(char quote) {
    YamlNode node{.kind = YamlNode::Kind::Scalar, .location = here(), .is_quoted = true, .entries = {}};
    skip();
    for (;; skip()) {
      if (at_line_end()) throw UserError(node.location, "the quote is not closed on its line", std::string(kSubset));
      if (quote == '"' && peek() == '\\') {
        skip();
        node.text += escaped();
      } else if (peek() != quote) {
        node.text += peek();
      } else if (quote == '\'' && peek(1) == quote) {
        node.text += quote;
        skip();
      } else {
        break;
      }
    }
    skip();
    skip_spaces();
    return node;
  }

  char escaped() const {
    constexpr std::string_view kNames = "nrt0\"\\/ ";
    constexpr std::string_view kMeanings("\n\r\t\0\"\\/ ", 8);
    const std::size_t found = kNames.find(peek());
    if (found == std::string_view::npos || at_end())
      fail(fmt::format("'\\{}' is an escape that is not read here", peek()));
    return kMeanings[found];
  }

  YamlNode plain_scalar(bool is_in_flow) {
    YamlNode node{.kind = YamlNode::Kind::Scalar, .location = here(), .entries = {}};
    while (!at_line_end() && !at_comment() && !at_colon()) {
      if (is_in_flow && std::string_view(",[]{}").find(peek()) != std::string_view::npos) break;
      node.text += peek();
      skip();
    }
    while (!node.text.empty() && is_blank(node.text.back())) node.text.pop_back();
    if (node.text.empty()) fail("a value is expected");
    if (node.text == "~" || node.text == "null") node.kind = YamlNode::Kind::Null;
    return node;
  }

  void add_entry(YamlNode& mapping, YamlNode key, YamlNode value) const {
    if (mapping.find(key.text) != nullptr) throw UserError(key.location, fmt::format("'{}' is there twice", key.text));
    mapping.entries.push_back({std::move(key.text), std::move(key.location), std::move(value)});
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &found->value;
}

YamlNode parse_yaml(std::string_view text, const std::string& file) { return Parser(text, file).document(); }

}  // namespace plumb::check
