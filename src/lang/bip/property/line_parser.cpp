#include "lang/bip/property/line_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace plumb::bip {

namespace {

constexpr std::size_t kMaximalResponses = 1000;  // of one line
constexpr std::int64_t kMaximalDistance = 1'000'000'000;

std::string without_backslashes(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i + 1 < result.size(); ++i)
    if (result[i] == '\\' && result[i + 1] == '\n') result[i] = ' ';
  return result;
}

/// What is between blanks.
std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at < text.size(); at = text.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// `forall …`, `… exists a in`.
bool has_quantifier(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if ((words[i] == "forall" || words[i] == "exists") && (i == 0 || (i + 2 < words.size() && words[i + 2] == "in")))
      return true;
  return false;
}

SourceLocation moved(const SourceLocation& start, Place place) {
  const std::uint32_t line = std::max(start.line, 1U) + place.line - 1;
  const std::uint32_t column = place.line == 1 ? std::max(start.column, 1U) + place.column - 1 : place.column;
  return {start.file, line, column};
}

}  // namespace

LineParser::LineParser(const Model& model, std::string_view text, const SourceLocation& location)
    : text_(without_backslashes(text)),
      start_(location),
      tokens_(text_, [location](Place place) { return moved(location, place); }),
      conditions_(model, text_, tokens_),
      first_(tokens_.peek().place) {
  read_side();
  read_name();
  if (side_.empty()) read_side();
}

void LineParser::read_side() {
  for (const std::string_view word : {"pre", "post"}) {
    if (!accept_word(word)) continue;
    side_ = word;
    tokens_.accept(":");
    return;
  }
}

/// Words, which may have dashes and dots, before a colon; that of a quantifier is none.
void LineParser::read_name() {
  const std::size_t begin = tokens_.peek().offset;
  const std::size_t colon = text_.find(':', begin);
  if (colon == std::string::npos) return;
  const std::vector<std::string_view> words = words_of(std::string_view(text_).substr(begin, colon - begin));
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  const auto is_word = [&](std::string_view word) { return std::ranges::all_of(word, is_part); };
  if (words.empty() || !std::ranges::all_of(words, is_word) || has_quantifier(words)) return;
  name_ = fmt::format("{}", fmt::join(words, " "));
  while (!tokens_.is_at_end() && tokens_.peek().offset <= colon) tokens_.next();
}

bool LineParser::is_at(std::string_view word) const { return tokens_.is(word) && !tokens_.peek(1).is("."); }

bool LineParser::accept_word(std::string_view word) { return is_at(word) && tokens_.accept(word); }

Property LineParser::property(Property::Kind kind, std::string_view default_name) const {
  Property result;
  result.kind = kind;
  result.name = name_.empty() ? std::string(default_name) : name_;
  if (const std::string choice = conditions_.choice_text(); !choice.empty())
    result.name += fmt::format(" ({})", choice);
  if (!start_.file.empty()) result.location = location();
  return result;
}

std::vector<Property> LineParser::properties() {
  if (!side_.empty())
    tokens_.fail(first_, fmt::format("'{}' is one side of a contract, not a property", side_),
                 "write 'pre' and 'post' on two lines of a file of properties");
  std::vector<Property> result;
  if (tokens_.is("deadlock") && tokens_.peek(1).kind == Token::Kind::End) {
    result.push_back(property(Property::Kind::Deadlock, "deadlock"));
    return result;
  }
  is_invariant_ = accept_word("invariant");
  read_claim(result);
  expect_end();
  return result;
}

void LineParser::read_claim(std::vector<Property>& properties) {
  const std::size_t begin = tokens_.position();
  Condition condition = conditions_.condition();
  if (!is_at("leads")) {
    Property& invariant = properties.emplace_back(property(Property::Kind::Invariant, "invariant"));
    invariant.condition = std::move(condition);
    return;
  }
  const Token leads = tokens_.peek();
  if (is_invariant_) tokens_.fail(leads.place, "an invariant does not lead to something", "leave out 'invariant'");
  tokens_.set_position(begin);
  if (is_at("exists"))
    tokens_.fail(leads.place, "'leads to' cannot be in the body of 'exists'",
                 "put the quantifier and its body in parentheses");
  if (is_at("forall")) return conditions_.for_each_choice([&] { read_claim(properties); });
  if (properties.size() == kMaximalResponses)
    throw Unsupported(tokens_.location(leads.place),
                      fmt::format("this line makes more than {} properties", kMaximalResponses),
                      "quantify over a smaller family");
  condition = conditions_.condition();
  Property& response = properties.emplace_back(property(Property::Kind::Response, "response"));
  response.premise = std::move(condition);
  tokens_.expect("leads");
  tokens_.expect("to", "behind 'leads'");
  response.condition = conditions_.condition();
  tokens_.expect("within", "behind what is led to", "say how many interactions it may take, as in 'within 5'");
  response.within = distance();
}

std::uint64_t LineParser::distance() {
  const Token& token = tokens_.peek();
  if (token.kind != Token::Kind::Number) tokens_.fail_expected("a number of interactions");
  if (token.number > kMaximalDistance)
    tokens_.fail(token.place, fmt::format("{} interactions are too many", token.number),
                 fmt::format("the most are {}", kMaximalDistance));
  return static_cast<std::uint64_t>(tokens_.next().number);
}

Condition LineParser::condition() {
  Condition result = conditions_.condition();
  expect_end();
  return result;
}

void LineParser::expect_end() const {
  if (tokens_.is_at_end()) return;
  tokens_.fail_expected("the end of the property", "operators are those of C, and '=>'; one property a line");
}

}  // namespace plumb::bip
