#include "program/analysis/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"
#include "program/analysis/governors.h"
#include "program/printer.h"

namespace plumb::program {
namespace {

/// Okabe and Ito's palette, which people with any common colour blindness can tell apart, and a light tint of each for
/// the background of text.
struct Colours {
  std::string_view line, fill;
};
constexpr std::array<Colours, 7> kPalette = {{{"#0072B2", "#CCE3F0"},
                                              {"#D55E00", "#F7DFCC"},
                                              {"#009E73", "#CCECE3"},
                                              {"#CC79A7", "#F5E4ED"},
                                              {"#E69F00", "#FAECCC"},
                                              {"#56B4E9", "#DDF0FB"},
                                              {"#B8A900", "#FCFAD9"}}};
constexpr std::size_t kTextWidth = 88;
constexpr std::size_t kLegendRows = 24;
constexpr std::size_t kLegendBlocks = 12;

/// The length of the UTF-8 sequence that begins the text; 0 if it is not valid.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) >= 0xc0) return 0;
  return length;
}

/// Calls put(character) for each character; what Graphviz would not take becomes a question mark.
template <typename Put>
void for_each_character(std::string_view text, Put put) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const bool is_printable = length != 0 && static_cast<unsigned char>(text[0]) >= 0x20 && text[0] != 0x7f;
    put(is_printable ? text.substr(0, length) : std::string_view("?"));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

/// For use inside a quoted string.
std::string escaped(std::string_view text) {
  std::string result;
  for_each_character(text, [&](std::string_view c) {
    if (c == "\"" || c == "\\") result += '\\';
    result += c;
  });
  return result;
}

/// For use inside an HTML-like label.
std::string html(std::string_view text) {
  std::string result;
  for_each_character(text, [&](std::string_view c) {
    if (c == "&")
      result += "&amp;";
    else if (c == "<")
      result += "&lt;";
    else if (c == ">")
      result += "&gt;";
    else if (c == "\"")
      result += "&quot;";
    else
      result += c;
  });
  return result;
}

/// Broken after spaces into lines of about kTextWidth, the later ones indented.
std::vector<std::string> wrapped(std::string_view text) {
  std::vector<std::string> lines;
  while (text.size() > kTextWidth) {
    std::size_t end = text.rfind(' ', kTextWidth);
    if (end == std::string_view::npos || end < kTextWidth / 2) end = text.find(' ', kTextWidth);
    if (end == std::string_view::npos) break;
    lines.push_back((lines.empty() ? "" : "    ") + std::string(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  lines.push_back((lines.empty() ? "" : "    ") + std::string(text));
  return lines;
}

class DotWriter {
 public:
  DotWriter(std::ostream& out, const Program& program, FunctionId id)
      : out_(out), program_(program), id_(id), function_(program.functions[id]), governors_(function_) {
    for (std::size_t g = 0; g < governors_.all().size(); ++g)
      for (const BlockId d : governors_.all()[g].destinations) destination_of_[d].push_back(g);
  }

  void write() {
    const std::string place = program_.describe(function_.location).to_string();
    out_ << fmt::format("digraph \"{}\" {{\n", escaped(function_.name));
    out_ << fmt::format("  graph [label=\"{}{}\", labelloc=t, fontname=\"Helvetica\", fontsize=18];\n",
                        escaped(function_.name), function_.location.is_known() ? "  " + escaped(place) : "");
    out_
        << "  node [shape=box, style=filled, fillcolor=white, color=\"#444444\", fontname=\"Courier\", fontsize=10];\n";
    out_ << "  edge [color=\"#444444\", fontname=\"Helvetica\", fontsize=10];\n";
    for (BlockId b = 0; b < function_.blocks.size(); ++b) write_block(b);
    for (BlockId b = 0; b < function_.blocks.size(); ++b) write_edges(b);
    if (!governors_.all().empty()) write_legend();
    out_ << "}\n";
  }

 private:
  static const Colours& colours(std::size_t governor) { return kPalette[governor % kPalette.size()]; }

  std::size_t index_of(BlockId governor) const {
    return static_cast<std::size_t>(governors_.find(governor) - governors_.all().data());
  }

  std::string title(BlockId b) const {
    const std::string& name = function_.blocks[b].name;
    return name.empty() ? fmt::format("b{}", b) : fmt::format("b{}.{}", b, name);
  }

  /// The first few, by rising index.
  static std::string names(std::vector<BlockId> blocks) {
    std::sort(blocks.begin(), blocks.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(blocks.size(), kLegendBlocks); ++i)
      text += fmt::format("{}b{}", i == 0 ? "" : ", ", blocks[i]);
    if (blocks.size() > kLegendBlocks) text += fmt::format(" and {} more", blocks.size() - kLegendBlocks);
    return text;
  }

  /// What the block is to governors, in words.
  std::string role(BlockId b) const {
    std::string text;
    const auto add = [&](std::string part) { text += (text.empty() ? "" : "; ") + part; };
    if (!governors_.dominators().is_reachable(b)) add("unreachable");
    if (governors_.find(b) != nullptr) add("governor");
    if (governors_.governor_of(b) != kNone) add(fmt::format("governed by b{}", governors_.governor_of(b)));
    if (governors_.is_candidate(b) && governors_.find(b) == nullptr) add("candidate");
    std::vector<BlockId> from;
    for (const std::size_t g : destinations_at(b)) from.push_back(governors_.all()[g].block);
    if (!from.empty()) add("destination of " + names(from));
    return text;
  }

  std::span<const std::size_t> destinations_at(BlockId b) const { return destination_of_[b]; }

  std::string arguments(BlockId b) const {
    std::string text;
    for (const ValueId v : function_.blocks[b].arguments)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", to_text(program_, id_, v), function_.values[v].width);
    return text.empty() ? "" : fmt::format("({})", text);
  }

  std::string label(BlockId b) const {
    std::string text;
    const auto add = [&](std::string_view line) { text += escaped(line) + "\\l"; };
    const std::string part = role(b);
    for (const std::string& line : wrapped(title(b) + arguments(b))) add(line);
    if (!part.empty()) add("[" + part + "]");
    std::uint32_t last_line = 0;
    for (const Instruction& instruction : function_.instructions_of(b)) {
      const std::uint32_t line = instruction.location.line;
      std::string gutter = line == 0 || line == last_line ? "" : fmt::format("{}", line);
      for (const std::string& each : wrapped(to_text(program_, id_, instruction))) {
        add(fmt::format("{:>5} | {}", gutter, each));
        gutter.clear();
      }
      last_line = line;
    }
    return text;
  }

  void write_block(BlockId b) const {
    std::string attributes;
    const BlockId owner = governors_.governor_of(b);
    const auto destinations = destinations_at(b);
    if (owner != kNone) attributes += fmt::format(", fillcolor=\"{}\"", colours(index_of(owner)).fill);
    if (governors_.find(b) != nullptr)
      attributes += fmt::format(", penwidth=4, color=\"{}\"", colours(index_of(b)).line);
    else if (!destinations.empty())
      attributes += fmt::format(", penwidth=2, color=\"{}\"", colours(destinations.front()).line);
    else if (owner != kNone)
      attributes += fmt::format(", color=\"{}\"", colours(index_of(owner)).line);
    if (!destinations.empty()) attributes += ", peripheries=2";
    if (!governors_.dominators().is_reachable(b)) attributes += ", style=dotted, fontcolor=\"#777777\"";
    out_ << fmt::format("  b{} [label=\"{}\"{}];\n", b, label(b), attributes);
  }

  std::string edge_label(const Instruction& terminator, std::size_t edge) const {
    if (terminator.kind == Kind::Branch) return edge == 0 ? "true" : "false";
    if (terminator.kind != Kind::Switch) return "";
    return edge == 0 ? "default" : to_text(program_, id_, function_.operands_of(terminator)[edge]);
  }

  void write_edges(BlockId b) const {
    const Instruction& terminator = function_.terminator(b);
    const std::span<const Edge> edges = function_.edges_of(terminator);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      std::string attributes;
      const auto add = [&](const std::string& each) { attributes += (attributes.empty() ? "" : ", ") + each; };
      const std::string text = edge_label(terminator, e);
      if (!text.empty()) add(fmt::format("label=\" {}\"", escaped(text)));
      if (governors_.depth_first().is_back_edge(b, edges[e].target)) add("style=dashed");
      out_ << fmt::format("  b{} -> b{}{};\n", b, edges[e].target,
                          attributes.empty() ? "" : fmt::format(" [{}]", attributes));
    }
  }

  void write_legend() const {
    const std::span<const Governor> all = governors_.all();
    out_ << "  legend [shape=plain, style=\"\", fontname=\"Helvetica\", label=<\n"
            "    <table border=\"0\" cellborder=\"1\" cellspacing=\"3\" cellpadding=\"4\">\n"
            "      <tr><td border=\"0\"><b>governor</b><br/>thick border</td><td border=\"0\"><b>governs</b><br/>filled"
            "</td><td border=\"0\"><b>destinations</b><br/>double border</td></tr>\n";
    for (std::size_t g = 0; g < std::min(all.size(), kLegendRows); ++g) {
      const Colours& c = colours(g);
      out_ << fmt::format(
          "      <tr><td color=\"{0}\" border=\"4\">{1}</td><td color=\"{0}\" bgcolor=\"{2}\">{3}</td>"
          "<td color=\"{0}\" border=\"2\">{4}</td></tr>\n",
          c.line, html(title(all[g].block)), c.fill, names(all[g].region), names(all[g].destinations));
    }
    out_ << "      <tr><td border=\"0\" colspan=\"3\">dashed: back edge</td></tr>\n";
    if (all.size() > kLegendRows)
      out_ << fmt::format("      <tr><td border=\"0\" colspan=\"3\">and {} more; colours repeat after {}</td></tr>\n",
                          all.size() - kLegendRows, kPalette.size());
    out_ << "    </table>>];\n";
  }

  std::ostream& out_;
  const Program& program_;
  FunctionId id_;
  const Function& function_;
  Governors governors_;
  std::vector<std::vector<std::size_t>> destination_of_ =
      std::vector<std::vector<std::size_t>>(function_.blocks.size());  ///< by block: of which governors, as indices
};

}  // namespace

void write_dot(std::ostream& out, const Program& program, FunctionId function) {
  INVARIANT(program.functions[function].has_body(), "a function that is drawn should have a body");
  DotWriter(out, program, function).write();
}

}  // namespace plumb::program
