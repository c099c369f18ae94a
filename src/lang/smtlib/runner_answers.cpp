#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <chrono>

#include "lang/smtlib/runner.h"
#include "term/evaluator.h"
#include "term/smtlib_printer.h"

// The commands that ask.
namespace plumb::smtlib {

using Kind = Token::Kind;
using term::Term;

void Script::Runner::check_sat() {
  reader_->expect_close();
  check({});
}

void Script::Runner::check_sat_assuming() {
  Lexer& lexer = reader_->lexer();
  reader_->expect_open("the assumptions");
  std::vector<Literal> assumptions;
  while (lexer.peek().kind != Kind::Close) {
    const std::uint32_t start = lexer.peek().offset;
    const Term term = reader_->boolean_term("check-sat-assuming").term;
    assumptions.push_back({term, lexer.text().substr(start, lexer.position() - start)});
  }
  reader_->expect_close();
  reader_->expect_close();
  check(std::move(assumptions));
}

void Script::Runner::check(std::vector<Literal> assumptions) {
  assumptions_ = std::move(assumptions);
  std::vector<Term> terms;
  for (const Assertion& assertion : assertions_)
    if (!assertion.name.empty()) terms.push_back(assertion.term);
  for (const Literal& literal : assumptions_) terms.push_back(literal.term);

  const auto start = std::chrono::steady_clock::now();
  const unsigned long milliseconds = std::stoul("0" + settings_.find(":timeout")->second.substr(0, 9));
  const Budget budget =
      milliseconds == 0 ? options_.budget : options_.budget.with_timeout(std::chrono::milliseconds(milliseconds));
  answer_ = ignored_.empty() ? solver_->check(terms, budget) : solve::Result::unknown(ignored_);

  Response response;
  response.command = command_.text;
  response.line = reader_->lexer().line(command_.offset);
  response.text = to_string(answer_->answer);
  response.reason = answer_->reason;
  response.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out_ << response.text << '\n';
  out_.flush();
  result_.add_check(std::move(response));
}

bool Script::Runner::has_answer(solve::Answer needed, std::string_view what) {
  if (!answer_)
    reader_->lexer().fail(command_.offset, fmt::format("{}: there is no answer to ask about", command_.text),
                          "it must follow a check-sat, with no assert, push or pop between");
  if (answer_->answer == needed) return true;
  // Whether a check is sat is not in the writer's hand, so asking in vain is no error of the script.
  respond(fmt::format("(error \"{}: no {}, the answer was {}\")", command_.text, what, to_string(answer_->answer)));
  return false;
}

std::string Script::Runner::value_text(term::Evaluator& evaluator, const TypedTerm& value) const {
  const Type& type = value.type;
  const auto scalar = [](const Type& of, const BitVector& bits) -> std::string {
    if (of.is_bool()) return bits.is_zero() ? "false" : "true";
    return term::to_smtlib(term::Value(bits));
  };
  if (!type.is_array()) return scalar(type, evaluator.bits(value.term));
  const auto array = std::get<term::ArrayValue>(evaluator.value(value.term));
  std::string stores;
  std::string entries;
  for (const auto& [index, element] : array.elements) {
    if (element == array.otherwise) continue;
    stores += "(store ";
    fmt::format_to(std::back_inserter(entries), " {} {})", scalar(type.index_type(), index),
                   scalar(type.element_type(), element));
  }
  return fmt::format("{}((as const {}) {}){}", stores, type.to_string(), scalar(type.element_type(), array.otherwise),
                     entries);
}

void Script::Runner::get_model() {
  reader_->expect_close();
  if (!has_answer(solve::Answer::Sat, "model")) return;
  term::Evaluator evaluator(store_, solver_->model());
  std::string text = "(\n";
  for (const auto& [name, value] : reader_->symbols().declared())
    fmt::format_to(std::back_inserter(text), "  (define-fun {} () {} {})\n", term::quote_symbol(name),
                   value.type.to_string(), value_text(evaluator, value));
  respond(text + ")");
}

void Script::Runner::get_value() {
  Lexer& lexer = reader_->lexer();
  reader_->expect_open("the terms");
  std::vector<std::pair<TypedTerm, std::string_view>> terms;
  while (lexer.peek().kind != Kind::Close) {
    const std::uint32_t start = lexer.peek().offset;
    const TypedTerm value = reader_->term();
    terms.emplace_back(value, lexer.text().substr(start, lexer.position() - start));
  }
  if (terms.empty()) lexer.fail(command_.offset, "get-value: needs a term");
  reader_->expect_close();
  reader_->expect_close();
  if (!has_answer(solve::Answer::Sat, "model")) return;
  term::Evaluator evaluator(store_, solver_->model());
  std::string text;
  for (const auto& [value, source] : terms)
    fmt::format_to(std::back_inserter(text), "{}({} {})", text.empty() ? "(" : "\n ", normalised(source),
                   value_text(evaluator, value));
  respond(text + ")");
}

void Script::Runner::get_assignment() {
  reader_->expect_close();
  if (!has_answer(solve::Answer::Sat, "model")) return;
  term::Evaluator evaluator(store_, solver_->model());
  std::string text = "(";
  for (const NamedTerm& named : named_) {
    if (!named.value.type.is_bool()) continue;
    if (text.size() > 1) text += ' ';
    fmt::format_to(std::back_inserter(text), "({} {})", term::quote_symbol(named.name),
                   value_text(evaluator, named.value));
  }
  respond(text + ")");
}

void Script::Runner::get_assertions() {
  reader_->expect_close();
  std::string text = "(";
  for (const Assertion& assertion : assertions_) {
    if (text.size() > 1) text += "\n ";
    text += normalised(assertion.text);
  }
  respond(text + ")");
}

void Script::Runner::get_unsat_core() {
  reader_->expect_close();
  if (!flag(":produce-unsat-cores"))
    reader_->lexer().fail(command_.offset, "get-unsat-core: cores are off",
                          "put (set-option :produce-unsat-cores true) before the assertions");
  if (!has_answer(solve::Answer::Unsat, "core")) return;
  const absl::flat_hash_set<Term> failed(solver_->failed_assumptions().begin(), solver_->failed_assumptions().end());
  absl::flat_hash_set<Term> shown;
  std::string text = "(";
  for (const Assertion& assertion : assertions_) {
    if (assertion.name.empty() || !failed.contains(assertion.term) || !shown.insert(assertion.term).second) continue;
    if (text.size() > 1) text += ' ';
    text += term::quote_symbol(assertion.name);
  }
  respond(text + ")");
}

void Script::Runner::get_unsat_assumptions() {
  reader_->expect_close();
  if (!has_answer(solve::Answer::Unsat, "core")) return;
  const absl::flat_hash_set<Term> failed(solver_->failed_assumptions().begin(), solver_->failed_assumptions().end());
  absl::flat_hash_set<Term> shown;
  std::string text = "(";
  for (const Literal& literal : assumptions_) {
    if (!failed.contains(literal.term) || !shown.insert(literal.term).second) continue;
    if (text.size() > 1) text += ' ';
    text += normalised(literal.text);
  }
  respond(text + ")");
}

void Script::Runner::get_info() {
  const Token keyword = reader_->lexer().next();
  if (keyword.kind != Kind::Keyword) reader_->lexer().fail_expected("a keyword", keyword);
  reader_->expect_close();
  if (keyword.text == ":name") return respond("(:name \"Plumbline\")");
  if (keyword.text == ":version") return respond(fmt::format("(:version \"{}\")", options_.version));
  if (keyword.text == ":authors") return respond("(:authors \"the Plumbline authors\")");
  if (keyword.text == ":error-behavior") return respond("(:error-behavior immediate-exit)");
  if (keyword.text == ":assertion-stack-levels")
    return respond(fmt::format("(:assertion-stack-levels {})", scopes_.size()));
  if (keyword.text == ":reason-unknown") {
    if (!has_answer(solve::Answer::Unknown, "reason")) return;
    std::string reason = answer_->reason;
    for (std::size_t at = reason.find('"'); at != std::string::npos; at = reason.find('"', at + 2))
      reason.insert(at, 1, '"');
    return respond(fmt::format("(:reason-unknown \"{}\")", reason));
  }
  if (keyword.text == ":all-statistics") {
    std::string text = "(";
    for (const auto& [name, value] : solver_->statistics())
      fmt::format_to(std::back_inserter(text), "{}:{} {}", text.size() > 1 ? "\n " : "", name, value);
    return respond(text + ")");
  }
  respond("unsupported");
}

void Script::Runner::get_option() {
  const Token keyword = reader_->lexer().next();
  if (keyword.kind != Kind::Keyword) reader_->lexer().fail_expected("a keyword", keyword);
  reader_->expect_close();
  const auto setting = settings_.find(keyword.text);
  respond(setting == settings_.end() ? "unsupported" : setting->second);
}

void Script::Runner::echo() {
  const Token token = reader_->lexer().next();
  if (token.kind != Kind::String) reader_->lexer().fail_expected("a string", token);
  reader_->expect_close();
  respond(fmt::format("\"{}\"", token.text));
}

}  // namespace plumb::smtlib
