#include <fmt/format.h>

#include <utility>

#include "lang/bip/property/bind.h"
#include "lang/bip/property/line_parser.h"
#include "lang/bip/property/property.h"

namespace plumb::bip {

namespace {

/// Of a file: the text of a property with its line breaks.
struct Line {
  std::string text;
  std::uint32_t number = 0;
};

/// Lines without comments, joined where they end in a backslash; none is blank.
std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  bool is_continued = false;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    line = line.substr(0, line.find_last_not_of(" \t\r\f\v") + 1);
    if (!is_continued) lines.push_back({{}, number});
    lines.back().text += line;
    is_continued = line.ends_with('\\');
    if (is_continued) lines.back().text += '\n';
  }
  std::erase_if(lines, [](const Line& line) { return line.text.find_first_not_of(" \t\n\\") == std::string::npos; });
  return lines;
}

/// The conjunction of conditions, which are at least one.
Condition conjunction(const std::vector<Condition>& conditions) {
  Condition result;
  std::vector<ExpressionPtr> expressions;
  for (const Condition& condition : conditions) {
    const std::string text = conditions.size() == 1 ? condition.text : fmt::format("({})", condition.text);
    result.text += fmt::format("{}{}", result.text.empty() ? "" : " && ", text);
    expressions.push_back(clone(*condition.expression));
  }
  result.expression = join(Operator::And, std::move(expressions), {});
  return result;
}

Property contract(const std::vector<Condition>& premises, Condition condition, const LineParser& parser) {
  Property result;
  result.kind = Property::Kind::Contract;
  result.name = parser.name().empty() ? "contract" : parser.name();
  result.location = parser.location();
  result.premise = conjunction(premises);
  result.condition = std::move(condition);
  return result;
}

}  // namespace

std::vector<Property> parse_properties(const Model& model, std::string_view text, const SourceLocation& location) {
  return LineParser(model, text, location).properties();
}

Property parse_property(const Model& model, std::string_view text, const SourceLocation& location) {
  std::vector<Property> properties = parse_properties(model, text, location);
  if (properties.size() != 1)
    throw UserError(location, fmt::format("this makes {} properties where one is wanted", properties.size()),
                    "write the response for one component");
  return std::move(properties.front());
}

std::vector<Property> read_properties(const Model& model, std::string_view text, const std::string& file) {
  std::vector<Property> result;
  std::vector<Condition> premises;
  std::optional<SourceLocation> last_premise;  // that no `post` follows
  for (const Line& line : lines_of(text)) {
    LineParser parser(model, line.text, {file, line.number, 1});
    if (parser.side() == "pre") {
      premises.push_back(parser.condition());
      last_premise = parser.location();
    } else if (parser.side() == "post") {
      if (premises.empty())
        throw UserError(parser.location(), "'post' has no 'pre' before it", "what always holds is an 'invariant'");
      result.push_back(contract(premises, parser.condition(), parser));
      last_premise.reset();
    } else {
      for (Property& property : parser.properties()) result.push_back(std::move(property));
    }
  }
  if (last_premise)
    throw UserError(*last_premise, "'pre' has no 'post' behind it",
                    "say with 'post' what holds in all runs from there");
  return result;
}

Property read_contract(const Model& model, std::string_view text, const std::string& file) {
  const std::vector<Line> lines = lines_of(text);
  if (lines.size() != 2) {
    const std::uint32_t number = lines.size() > 2 ? lines[2].number : lines.empty() ? 1 : lines.back().number;
    throw UserError({file, number, 1}, fmt::format("a contract has two lines, this file has {}", lines.size()),
                    "write a precondition and a postcondition, each on a line of its own");
  }
  LineParser pre(model, lines[0].text, {file, lines[0].number, 1});
  LineParser post(model, lines[1].text, {file, lines[1].number, 1});
  for (const LineParser* line : {&pre, &post}) {
    const std::string_view expected = line == &pre ? "pre" : "post";
    if (!line->side().empty() && line->side() != expected)
      throw UserError(line->location(), fmt::format("this line is the '{}' of the contract", expected),
                      "the precondition comes first");
  }
  std::vector<Condition> premises;
  premises.push_back(pre.condition());
  return contract(premises, post.condition(), post);
}

}  // namespace plumb::bip
