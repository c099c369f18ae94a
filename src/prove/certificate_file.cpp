#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "lang/smtlib/reader.h"
#include "prove/certificate.h"
#include "prove/invariant.h"
#include "prove/problem.h"
#include "system/copy.h"
#include "term/smtlib_printer.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

using Kind = smtlib::Token::Kind;

constexpr std::string_view kVersion = "1";
constexpr std::pair<Certificate::Kind, std::string_view> kKinds[] = {
    {Certificate::Kind::Invariant, "invariant"},
    {Certificate::Kind::Induction, "induction"},
    {Certificate::Kind::Exhaustion, "exhaustion"},
};

/// An SMT-LIB string: quotes are doubled.
std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string unquoted(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '"') ++i;
  }
  return result;
}

std::string declared_sort(term::Sort sort) { return term::to_smtlib(sort, !sort.is_array() && sort.width == 1); }

class FileReader {
 public:
  FileReader(const System& system, std::string_view text, const std::string& file)
      : system_(system), symbols_(state_symbols(system)), file_(file), reader_(store_, text, file, budget_) {}

  CertificateFile read() {
    while (lexer().peek().kind != Kind::End) command();
    result_.system = text_of("system");
    result_.property = text_of("property");
    result_.engine = text_of("engine");
    if (number_of("certificate") != 1) fail("a certificate of another version");
    result_.bad = number_of("position");
    Certificate& certificate = result_.certificate;
    const auto kind = std::ranges::find(kKinds, info("kind"), [](const auto& pair) { return pair.second; });
    if (kind == std::end(kKinds)) fail(fmt::format("'{}' is no kind of certificate", info("kind")));
    certificate.kind = kind->first;
    certificate.k = number_of("k");
    certificate.split = std::move(split_);
    for (const std::string& position : together_) certificate.together.push_back(number("together", position));
    if (certificate.kind != Certificate::Kind::Exhaustion && !certificate.split.empty())
      fail("only a proof by exhaustion tells states apart");
    certificate.from = static_cast<unsigned>(std::min<std::size_t>(number_of("from"), 2));
    if (certificate.kind == Certificate::Kind::Invariant && certificate.invariant.empty())
      fail("the invariant is missing");
    if (result_.bad >= system_.bads().size() || system_.bads()[result_.bad].name != result_.property)
      fail(fmt::format("the system has no property '{}' at position {}", result_.property, result_.bad));
    return std::move(result_);
  }

 private:
  smtlib::Lexer& lexer() { return reader_.lexer(); }
  [[noreturn]] void fail(std::string message) const {
    throw UserError(SourceLocation{file_, 0, 0}, std::move(message));
  }

  void command() {
    reader_.expect_open("a command");
    const smtlib::Token name = reader_.expect_symbol("a command");
    if (name.text == "set-info") {
      set_info();
    } else if (name.text == "declare-const") {
      declare();
    } else if (name.text == "define-fun") {
      define();
    } else {
      lexer().fail(name.offset, fmt::format("'{}' is no command of a certificate", name.text.substr(0, 40)),
                   "certificates have set-info, declare-const and define-fun");
    }
    reader_.expect_close();
  }

  void set_info() {
    const smtlib::Token key = lexer().next();
    if (key.kind != Kind::Keyword) lexer().fail_expected("a keyword", key);
    const smtlib::Token value = lexer().next();
    if (value.kind != Kind::String && value.kind != Kind::Symbol && value.kind != Kind::Numeral)
      lexer().fail_expected("a string, a word or a number", value);
    const std::string_view word = key.text.substr(key.text.front() == ':' ? 1 : 0);
    if (word == "together") {
      together_.push_back(std::string(value.text));
      return;
    }
    if (word == "split") {
      split_.push_back(value.kind == Kind::String ? unquoted(value.text) : std::string(value.text));
      if (std::ranges::find(symbols_, split_.back()) == symbols_.end())
        lexer().fail(value.offset, fmt::format("the system has no state '{}'", split_.back().substr(0, 80)));
      return;
    }
    infos_[std::string(word)] = value.kind == Kind::String ? unquoted(value.text) : std::string(value.text);
  }

  void declare() {
    const smtlib::Token name = reader_.expect_symbol("the symbol of a state");
    const smtlib::Type type = reader_.sort();
    const auto found = std::ranges::find(symbols_, name.text);
    if (found == symbols_.end())
      lexer().fail(name.offset, fmt::format("the system has no state '{}'", name.text.substr(0, 80)));
    const auto position = static_cast<std::size_t>(found - symbols_.begin());
    const std::string sort = declared_sort(system_.store().sort(system_.states()[position].variable));
    if (type.to_string() != sort)
      lexer().fail(name.offset, fmt::format("state '{}' is {}, declared as {}", name.text, sort, type.to_string()));
  }

  void define() {
    const smtlib::Token name = reader_.expect_symbol("invariant");
    if (name.text != "invariant") lexer().fail_expected("invariant", name);
    reader_.expect_open("no parameters");
    reader_.expect_close();
    if (!reader_.sort().is_bool()) lexer().fail(name.offset, "an invariant should be Bool");
    const std::uint32_t start = lexer().peek().offset;
    reader_.skip_expression();
    result_.certificate.invariant = lexer().text().substr(start, lexer().position() - start);
  }

  const std::string& info(const std::string& key) const {
    const auto found = infos_.find(key);
    if (found == infos_.end()) fail(fmt::format("not a certificate: there is no (set-info :{} …)", key));
    return found->second;
  }
  std::string text_of(const std::string& key) const { return info(key); }
  std::size_t number_of(const std::string& key) const { return number(key, info(key)); }
  std::size_t number(const std::string& key, const std::string& text) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("expected a number for :{}, found '{}'", key, text.substr(0, 40)));
    return value;
  }

  const System& system_;
  std::vector<std::string> symbols_;
  const std::string& file_;
  Budget budget_;
  term::TermStore store_;
  smtlib::Reader reader_;
  std::map<std::string, std::string> infos_;
  std::vector<std::string> split_;
  std::vector<std::string> together_;
  CertificateFile result_;
};

}  // namespace

std::string write_certificate(const System& system, const CertificateFile& file) {
  const Certificate& certificate = file.certificate;
  std::string text = fmt::format("(set-info :certificate {})\n", kVersion);
  text += fmt::format("(set-info :system {})\n", string_literal(file.system));
  text += fmt::format("(set-info :property {})\n(set-info :position {})\n", string_literal(file.property), file.bad);
  text += fmt::format("(set-info :engine {})\n", string_literal(file.engine));
  const auto kind = std::ranges::find(kKinds, certificate.kind, [](const auto& pair) { return pair.first; });
  text += fmt::format("(set-info :kind {})\n(set-info :k {})\n(set-info :from {})\n", kind->second, certificate.k,
                      certificate.from);
  for (const std::string& symbol : certificate.split)
    text += fmt::format("(set-info :split {})\n", string_literal(symbol));
  for (const std::size_t position : certificate.together) text += fmt::format("(set-info :together {})\n", position);
  if (certificate.invariant.empty()) return text;
  System copy = system::copy(system);
  const std::vector<std::string> symbols = state_symbols(system);
  const Term invariant[] = {read_invariant(copy, symbols, certificate.invariant, Budget())};
  term::TermSet used;
  for (const Term variable : term::support(copy.store(), invariant)) used[variable] = {};
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (const Term variable = copy.states()[i].variable; used.contains(variable))
      text += fmt::format("(declare-const {} {})\n", term::quote_symbol(symbols[i]),
                          declared_sort(copy.store().sort(variable)));
  return text + fmt::format("(define-fun invariant () Bool\n  {})\n", certificate.invariant);
}

CertificateFile read_certificate(const System& system, std::string_view text, const std::string& file) {
  return FileReader(system, text, file).read();
}

}  // namespace plumb::prove
