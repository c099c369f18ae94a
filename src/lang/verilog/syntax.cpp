#include "lang/verilog/syntax.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "lang/verilog/lines.h"

namespace plumb::verilog {
namespace {

constexpr std::string_view kAbstract = "$abstract";

std::string without_marks(std::string name) {
  if (name.starts_with(kAbstract)) name.erase(0, kAbstract.size());
  if (name.starts_with('\\')) name.erase(0, 1);
  return name;
}

/// "AST_WIRE <a.v:3.5-3.9> str='\x' signed", behind its blanks.
Node node_of(const std::string& line) {
  constexpr std::string_view kPrefix = "AST_";
  Node node;
  const std::size_t word_end = line.find(' ');
  node.type = line.substr(0, word_end);
  if (node.type == "ATTR") {
    node.name = without_marks(line.substr(word_end + 1));
    if (node.name.ends_with(':')) node.name.pop_back();
    return node;
  }
  node.type.erase(0, kPrefix.size());
  const std::size_t open = line.find('<');
  const std::size_t close = line.find('>', open);
  if (open == std::string::npos || close == std::string::npos) return node;
  node.source = line.substr(open + 1, close - open - 1);
  if (node.source.ends_with(":0.0-0.0")) node.source.clear();
  node.text = line.substr(close + 1);
  constexpr std::string_view kName = " str='";
  if (node.text.starts_with(kName)) {
    const std::size_t quote = std::min(node.text.find('\'', kName.size()), node.text.size());
    node.name = without_marks(node.text.substr(kName.size(), quote - kName.size()));
    node.text.erase(0, std::min(quote + 1, node.text.size()));
  }
  return node;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '`'; }

}  // namespace

bool Node::has(std::string_view word) const {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t behind = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (behind == text.size() || text[behind] == ' ')) return true;
  }
  return false;
}

std::string_view Node::bits() const {
  constexpr std::string_view kBits = "bits='";
  const std::size_t at = text.find(kBits);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(text).substr(at + kBits.size());
  return rest.substr(0, rest.find('\''));
}

Syntax::Syntax(const std::string& dump, const Texts& texts) : texts_(texts) {
  constexpr std::size_t kMargin = 4;
  bool inside = false;
  std::vector<std::size_t> open;  // the nodes around the next one, outermost first
  const auto close = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back()) nodes_[open.back()].end = nodes_.size();
  };
  for (const std::string& line : lines_of(dump)) {
    if (line == "Dumping AST before simplification:") inside = true;
    if (line == "--- END OF AST DUMP ---") {
      close(0);
      inside = false;
    }
    const std::size_t indent = line.find_first_not_of(' ');
    if (!inside || indent == std::string::npos || indent < kMargin) continue;
    const std::string rest = line.substr(indent);
    if (!rest.starts_with("AST_") && !rest.starts_with("ATTR ")) continue;
    close(std::min((indent - kMargin) / 2, open.size()));
    Node node = node_of(rest);
    node.parent = open.empty() ? nodes_.size() : open.back();
    if (open.empty()) modules_.push_back(nodes_.size());
    open.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
  }
  close(0);
}

std::vector<std::size_t> Syntax::children(std::size_t node) const {
  std::vector<std::size_t> found;
  for (std::size_t i = node + 1; i < nodes_[node].end; i = nodes_[i].end) found.push_back(i);
  return found;
}

std::vector<std::size_t> Syntax::find(std::size_t node, std::span<const std::string_view> types) const {
  std::vector<std::size_t> found;
  for (std::size_t i = node; i < nodes_[node].end; ++i)
    if (std::ranges::find(types, nodes_[i].type) != types.end()) found.push_back(i);
  return found;
}

SourceLocation Syntax::place(std::size_t node) const {
  while (nodes_[node].source.empty() && nodes_[node].parent != node) node = nodes_[node].parent;
  return place_of(nodes_[node].source, texts_);
}

std::vector<std::size_t> Syntax::reachable(std::string_view top) const {
  std::multimap<std::string_view, std::size_t> by_name;
  for (const std::size_t module : modules_) by_name.emplace(nodes_[module].name, module);
  std::vector<std::size_t> found;
  std::set<std::string_view> seen{top};
  std::vector<std::string_view> waiting{top};
  while (!waiting.empty()) {
    const auto [begin, end] = by_name.equal_range(waiting.back());
    waiting.pop_back();
    for (auto it = begin; it != end; ++it) {
      found.push_back(it->second);
      for (const std::size_t type : find(it->second, std::array<std::string_view, 1>{"CELLTYPE"}))
        if (seen.insert(nodes_[type].name).second) waiting.push_back(nodes_[type].name);
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> Syntax::tops() const {
  std::set<std::string_view> instantiated;
  for (const Node& node : nodes_)
    if (node.type == "CELLTYPE") instantiated.insert(node.name);
  std::vector<std::string> found;
  for (const std::size_t module : modules_) {
    const bool is_box = std::ranges::any_of(children(module), [&](std::size_t child) {
      return nodes_[child].type == "ATTR" && (nodes_[child].name == "blackbox" || nodes_[child].name == "whitebox");
    });
    const std::string& name = nodes_[module].name;
    if (nodes_[module].type == "MODULE" && !is_box && !instantiated.contains(name) &&
        std::ranges::find(found, name) == found.end())
      found.push_back(name);
  }
  return found;
}

std::vector<SourceToken> tokens_of(const std::string& dump) {
  std::vector<SourceToken> tokens;
  std::vector<SourceLocation> files;
  const std::string_view text = dump;
  std::size_t at = 0;
  constexpr std::string_view kBegin = "-- Verilog code after preprocessor --\n";
  constexpr std::string_view kEnd = "\n-- END OF DUMP --\n";
  for (;;) {
    at = text.find(kBegin, at);
    if (at == std::string_view::npos) return tokens;
    at += kBegin.size();
    const std::size_t end = std::min(text.find(kEnd, at), text.size());
    files.assign(1, {});
    while (at < end) {
      const std::size_t start = at;
      const char c = text[at];
      if (c == '"') {
        for (++at; at < end && text[at] != '"' && text[at] != '\n'; ++at) at += text[at] == '\\' ? 1 : 0;
        at = std::min(at + 1, end);
      } else if (text.compare(at, 2, "//") == 0) {
        at = std::min(text.find('\n', at), end);
        continue;
      } else if (text.compare(at, 2, "/*") == 0) {
        at = std::min(text.find("*/", at + 2), end - std::min<std::size_t>(end, 2)) + 2;
        const std::string_view comment = text.substr(start, at - start);
        if (comment.find("translate_o") != std::string_view::npos) tokens.push_back({comment, files.back()});
        files.back().line += static_cast<std::uint32_t>(std::ranges::count(text.substr(start, at - start), '\n'));
        continue;
      } else if (c == '\\') {
        at = std::min(text.find_first_of(" \t\n", at), end);
      } else if (is_word(c)) {
        while (at < end && is_word(text[at])) ++at;
      } else {
        ++at;
        if (c == '#' && at < end && text[at] == '#') ++at;
        if (c == '\n') ++files.back().line;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
      }
      const std::string_view word = text.substr(start, at - start);
      if (word == "`file_push") {
        const std::size_t quote = text.find('"', at) + 1;
        const std::size_t stop = std::min(text.find('"', quote), end);
        files.push_back({std::string(text.substr(quote, stop - quote)), 1, 0});
        at = std::min(text.find('\n', stop) + 1, end);
      } else if (word == "`file_pop") {
        if (files.size() > 1) files.pop_back();
        at = std::min(text.find('\n', at) + 1, end);
      } else {
        tokens.push_back({word, files.back()});
      }
    }
  }
}

}  // namespace plumb::verilog
