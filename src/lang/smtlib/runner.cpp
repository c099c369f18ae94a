#include "lang/smtlib/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::smtlib {

using Kind = Token::Kind;
using term::Term;

namespace {

constexpr std::array<std::string_view, 9> kLogics = {"QF_BV", "QF_ABV", "QF_AUFBV", "QF_UFBV", "BV",
                                                     "ABV",   "UFBV",   "AUFBV",    "ALL"};

/// Commands of other solvers that only ask.
constexpr std::array<std::string_view, 6> kForeignQueries = {"apply", "display", "eval", "help", "labels", "simplify"};
/// Commands of other solvers that change what later answers mean.
constexpr std::array<std::string_view, 8> kForeign = {"assert-soft", "check-allsat", "declare-rel", "declare-var",
                                                      "maximize",    "minimize",     "query",       "rule"};

bool is_foreign_query(std::string_view command) {
  return command.starts_with("get-") || std::ranges::find(kForeignQueries, command) != kForeignQueries.end();
}

bool is_foreign(std::string_view command) { return std::ranges::find(kForeign, command) != kForeign.end(); }

/// Options with their values at the start.
const std::map<std::string, std::string, std::less<>> kSettings = {
    {":global-declarations", "false"}, {":print-success", "false"}, {":produce-assertions", "true"},
    {":produce-assignments", "true"},  {":produce-models", "true"}, {":produce-unsat-assumptions", "true"},
    {":produce-unsat-cores", "false"}, {":random-seed", "0"},       {":timeout", "0"},
    {":interactive-mode", "true"},
};

/// The text of a term is `(! …`; then its own name is the last that was given.
bool starts_annotation(std::string_view text) {
  Lexer lexer(text, {});
  return lexer.next().kind == Kind::Open && lexer.next().text == "!";
}

}  // namespace

Script::Script(term::TermStore& store, SolverFactory make_solver, ScriptOptions options, std::ostream& out)
    : runner_(std::make_unique<Runner>(store, std::move(make_solver), std::move(options), out)) {}

Script::~Script() = default;

const RunResult& Script::run(std::string_view text, const std::string& file) {
  runner_->run(text, file);
  return runner_->result();
}

const RunResult& Script::result() const noexcept { return runner_->result(); }

void RunResult::add_check(Response response) {
  ++(response.text == "sat" ? sat : response.text == "unsat" ? unsat : unknown);
  responses.push_back(std::move(response));
}

Script::Runner::Runner(term::TermStore& store, SolverFactory make_solver, ScriptOptions options, std::ostream& out)
    : store_(store),
      make_solver_(std::move(make_solver)),
      options_(std::move(options)),
      out_(out),
      settings_(kSettings) {}

void Script::Runner::run(std::string_view text, const std::string& file) {
  INVARIANT(!reader_, "a script should be run once");
  solver_options_.one_shot = is_one_shot(text);
  reader_.emplace(store_, text, file, options_.budget);
  make_solver();
  try {
    while (!exited_ && reader_->lexer().peek().kind != Kind::End) one_command();
  } catch (const OutOfBudget& end) {
    stop(to_string(end.stop));
  } catch (const Unsupported&) {
    if (options_.hands_over) refuse_unknown_commands();
    throw;
  }
  result_.statistics = solver_->statistics();
  out_.flush();
}

void Script::Runner::stop(std::string_view reason) {
  Lexer& lexer = reader_->lexer();
  result_.stopped = fmt::format("{} while reading the command at line {}", reason, lexer.line(command_.offset));
  if (lexer.text().find("(check-sat", lexer.position()) == std::string_view::npos) return;
  // A check that was not reached is as unknown as one that was.
  Response response;
  response.command = "check-sat";
  response.text = "unknown";
  response.reason = reason;
  out_ << response.text << '\n';
  result_.add_check(std::move(response));
}

const absl::flat_hash_map<std::string_view, Script::Runner::Command>& Script::Runner::commands() {
  static const absl::flat_hash_map<std::string_view, Command> table = {
      {"assert", &Runner::assert_term},
      {"check-sat", &Runner::check_sat},
      {"check-sat-assuming", &Runner::check_sat_assuming},
      {"declare-const", &Runner::declare_const},
      {"declare-datatype", &Runner::unsupported_command},
      {"declare-datatypes", &Runner::unsupported_command},
      {"declare-fun", &Runner::declare_fun},
      {"declare-sort", &Runner::unsupported_command},
      {"define-const", &Runner::define_const},
      {"define-fun", &Runner::define_fun},
      {"define-fun-rec", &Runner::unsupported_command},
      {"define-funs-rec", &Runner::unsupported_command},
      {"define-sort", &Runner::define_sort},
      {"echo", &Runner::echo},
      {"exit", &Runner::exit},
      {"get-assertions", &Runner::get_assertions},
      {"get-assignment", &Runner::get_assignment},
      {"get-info", &Runner::get_info},
      {"get-model", &Runner::get_model},
      {"get-option", &Runner::get_option},
      {"get-proof", &Runner::unsupported_query},
      {"get-unsat-assumptions", &Runner::get_unsat_assumptions},
      {"get-unsat-core", &Runner::get_unsat_core},
      {"get-value", &Runner::get_value},
      {"pop", &Runner::pop},
      {"push", &Runner::push},
      {"reset", &Runner::reset},
      {"reset-assertions", &Runner::reset_assertions},
      {"set-info", &Runner::set_info},
      {"set-logic", &Runner::set_logic},
      {"set-option", &Runner::set_option},
  };
  return table;
}

void Script::Runner::one_command() {
  reader_->expect_open("a command");
  command_ = reader_->lexer().next();
  if (command_.kind != Kind::Symbol) reader_->lexer().fail_expected("a command", command_);
  const auto found = commands().find(command_.text);
  if (found == commands().end()) {
    if (is_foreign_query(command_.text)) return unsupported_query();
    if (is_foreign(command_.text)) return unsupported_command();
    return ignore(fmt::format("the unknown command '{}'", command_.text.substr(0, 80)));
  }
  try {
    (this->*found->second)();
  } catch (const UserError&) {
    if (ignored_.empty() || !may_lack_names()) throw;
    reader_->recover();
    skip_command();
    if (command_.text == "check-sat-assuming") return check({});
    return respond("unsupported");
  }
  const std::vector<NamedTerm> named = reader_->take_named();
  named_.insert(named_.end(), named.begin(), named.end());
}

void Script::Runner::refuse_unknown_commands() {
  Lexer& lexer = reader_->lexer();
  for (skip_command(); lexer.peek().kind != Kind::End; skip_command()) {
    reader_->expect_open("a command");
    command_ = lexer.next();
    if (command_.kind != Kind::Symbol) lexer.fail_expected("a command", command_);
    if (!commands().contains(command_.text) && !is_foreign_query(command_.text) && !is_foreign(command_.text))
      lexer.fail(command_.offset, fmt::format("unknown command '{}'", command_.text.substr(0, 80)),
                 "another solver that is given this script may answer as if it was not there");
  }
}

bool Script::Runner::may_lack_names() const {
  constexpr std::array<std::string_view, 9> kReadTerms = {"assert",      "check-sat-assuming", "declare-const",
                                                          "declare-fun", "define-const",       "define-fun",
                                                          "define-sort", "get-value",          "set-logic"};
  return std::ranges::find(kReadTerms, command_.text) != kReadTerms.end();
}

void Script::Runner::skip_command() {
  Lexer& lexer = reader_->lexer();
  lexer.rewind(command_.offset);
  lexer.next();
  while (lexer.peek().kind != Kind::Close) reader_->skip_expression();
  reader_->expect_close();
}

void Script::Runner::unsupported_query() {
  skip_command();
  respond("unsupported");
}

void Script::Runner::unsupported_command() {
  if (options_.hands_over && ignored_.empty() && result_.sat + result_.unsat + result_.unknown == 0)
    reader_->lexer().fail_unsupported(command_.offset, fmt::format("command {}", command_.text));
  ignore(fmt::format("the command {}", command_.text));
}

void Script::Runner::ignore(std::string_view what) {
  const std::uint32_t line = reader_->lexer().line(command_.offset);
  skip_command();
  if (ignored_.empty()) ignored_ = fmt::format("{} at line {} was not followed", what, line);
  forget_answer();
  respond("unsupported");
}

void Script::Runner::set_logic() {
  const Token logic = reader_->expect_symbol("a logic");
  if (std::ranges::find(kLogics, logic.text) == kLogics.end())
    reader_->lexer().fail_unsupported(logic.offset, fmt::format("logic {}", logic.text.substr(0, 80)));
  reader_->expect_close();
  succeed();
}

void Script::Runner::set_info() {
  Lexer& lexer = reader_->lexer();
  if (const Token keyword = lexer.next(); keyword.kind != Kind::Keyword) lexer.fail_expected("a keyword", keyword);
  if (lexer.peek().kind != Kind::Close) reader_->skip_expression();
  reader_->expect_close();
  succeed();
}

void Script::Runner::set_option() {
  Lexer& lexer = reader_->lexer();
  const Token keyword = lexer.next();
  if (keyword.kind != Kind::Keyword) lexer.fail_expected("an option", keyword);
  const auto setting = settings_.find(keyword.text);
  if (setting == settings_.end()) {
    if (lexer.peek().kind != Kind::Close) reader_->skip_expression();
    reader_->expect_close();
    return respond("unsupported");
  }
  const Token value = lexer.next();
  const bool numeric = setting->second.find_first_not_of("0123456789") == std::string::npos;
  if (numeric ? value.kind != Kind::Numeral : value.text != "true" && value.text != "false")
    lexer.fail_expected(numeric ? "a numeral" : "true or false", value);
  setting->second = value.text;
  reader_->set_global_declarations(flag(":global-declarations"));
  reader_->expect_close();
  succeed();
}

bool Script::Runner::flag(std::string_view option) const { return settings_.find(option)->second == "true"; }

void Script::Runner::declare(const Token& name, const Type& type) {
  reader_->expect_close();
  Binding binding;
  binding.kind = Binding::Kind::Value;
  binding.declared = true;
  binding.value = {store_.variable(type.sort(), std::string(name.text)), type};
  reader_->define(name, binding);
  succeed();
}

void Script::Runner::declare_const() {
  const Token name = reader_->expect_symbol("a name");
  declare(name, reader_->sort());
}

void Script::Runner::declare_fun() {
  const Token name = reader_->expect_symbol("a name");
  reader_->expect_open("the sorts of the operands");
  if (reader_->lexer().peek().kind != Kind::Close)
    reader_->lexer().fail_unsupported(name.offset, fmt::format("uninterpreted function '{}'", name.text.substr(0, 80)));
  reader_->expect_close();
  declare(name, reader_->sort());
}

void Script::Runner::define_fun() {
  const Token name = reader_->expect_symbol("a name");
  reader_->expect_open("the parameters");
  std::vector<TypedTerm> parameters;
  std::vector<Token> names;
  Token token = reader_->lexer().next();
  for (; token.kind == Kind::Open; token = reader_->lexer().next()) {
    names.push_back(reader_->expect_symbol("the name of a parameter"));
    const Type type = reader_->sort();
    parameters.push_back({store_.variable(type.sort(), std::string(names.back().text)), type});
    reader_->expect_close();
  }
  if (token.kind != Kind::Close) reader_->lexer().fail_expected("'(' or ')'", token);
  const Type type = reader_->sort();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Binding binding;
    binding.kind = Binding::Kind::Value;
    binding.value = parameters[i];
    reader_->symbols().shadow(names[i].text, binding);
  }
  reader_->set_inside_macro(!names.empty());
  const TypedTerm body = [&] {
    try {
      return reader_->term();
    } catch (...) {
      reader_->recover();
      reader_->symbols().unshadow(names.size());
      throw;
    }
  }();
  reader_->set_inside_macro(false);
  reader_->symbols().unshadow(names.size());
  reader_->expect_close();
  if (body.type != type)
    reader_->lexer().fail(name.offset, fmt::format("'{}' is declared {}, its body has sort {}", name.text,
                                                   type.to_string(), body.type.to_string()));
  if (!names.empty()) {
    reader_->define_macro(name, std::move(parameters), body);
  } else {
    Binding binding;
    binding.kind = Binding::Kind::Value;
    binding.value = body;
    reader_->define(name, binding);
  }
  succeed();
}

void Script::Runner::define_const() {
  const Token name = reader_->expect_symbol("a name");
  const Type type = reader_->sort();
  const TypedTerm body = reader_->term();
  reader_->expect_close();
  if (body.type != type)
    reader_->lexer().fail(name.offset, fmt::format("'{}' is declared {}, its body has sort {}", name.text,
                                                   type.to_string(), body.type.to_string()));
  Binding binding;
  binding.kind = Binding::Kind::Value;
  binding.value = body;
  reader_->define(name, binding);
  succeed();
}

void Script::Runner::define_sort() {
  const Token name = reader_->expect_symbol("a name");
  reader_->expect_open("the parameters");
  std::vector<std::string_view> parameters;
  while (reader_->lexer().peek().kind == Kind::Symbol) parameters.push_back(reader_->lexer().next().text);
  reader_->expect_close();
  const Type body = reader_->sort(parameters);
  reader_->expect_close();
  const bool taken = name.text == "Bool" || name.text == "Array" || name.text == "BitVec";
  const SortDefinition definition{static_cast<std::uint32_t>(parameters.size()), body};
  if (taken || !reader_->symbols().define_sort(name.text, definition, flag(":global-declarations")))
    reader_->lexer().fail(name.offset, fmt::format("sort '{}' is already defined", name.text));
  succeed();
}

void Script::Runner::assert_term() {
  Lexer& lexer = reader_->lexer();
  const std::uint32_t start = lexer.peek().offset;
  const TypedTerm value = reader_->boolean_term("assert");
  const std::string_view text = lexer.text().substr(start, lexer.position() - start);
  reader_->expect_close();
  const std::vector<NamedTerm> named = reader_->take_named();
  named_.insert(named_.end(), named.begin(), named.end());
  forget_answer();
  if (flag(":produce-unsat-cores") && !named.empty() && named.back().value.term == value.term &&
      starts_annotation(text)) {
    assertions_.push_back({value.term, text, named.back().name});
  } else {
    assertions_.push_back({value.term, text, {}});
    solver_->assert_true(value.term);
  }
  succeed();
}

void Script::Runner::push() {
  const std::uint32_t count =
      reader_->lexer().peek().kind == Kind::Close ? 1 : reader_->expect_numeral("a number of scopes");
  reader_->expect_close();
  add_scopes(count);
  succeed();
}

void Script::Runner::add_scopes(std::size_t count) {
  forget_answer();
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 4096 == 4095) options_.budget.check();
    solver_->push();
    reader_->symbols().push();
    scopes_.push_back({assertions_.size(), named_.size()});
  }
}

void Script::Runner::pop() {
  const std::uint32_t offset = reader_->lexer().peek().offset;
  const std::uint32_t count =
      reader_->lexer().peek().kind == Kind::Close ? 1 : reader_->expect_numeral("a number of scopes");
  reader_->expect_close();
  if (count > scopes_.size())
    reader_->lexer().fail(offset, fmt::format("pop of {} scopes, {} are open", count, scopes_.size()));
  forget_answer();
  if (count > 0) {
    const Scope scope = scopes_[scopes_.size() - count];
    scopes_.resize(scopes_.size() - count);
    assertions_.resize(scope.assertions);
    named_.resize(scope.named);
    solver_->pop(count);
    reader_->symbols().pop(count);
  }
  succeed();
}

void Script::Runner::make_solver() {
  assertions_.clear();
  named_.clear();
  scopes_.clear();
  forget_answer();
  solver_ = make_solver_(store_, solver_options_);
}

void Script::Runner::reset() {
  reader_->expect_close();
  settings_ = kSettings;
  reader_->reset_symbols();
  reader_->set_global_declarations(false);
  ignored_.clear();
  make_solver();
  succeed();
}

void Script::Runner::reset_assertions() {
  reader_->expect_close();
  reader_->symbols().clear_scopes();
  make_solver();
  succeed();
}

void Script::Runner::exit() {
  reader_->expect_close();
  exited_ = true;
  succeed();
}

void Script::Runner::respond(std::string text) {
  out_ << text << '\n';
  Response response;
  response.command = command_.text;
  response.line = reader_->lexer().line(command_.offset);
  response.text = std::move(text);
  result_.responses.push_back(std::move(response));
}

void Script::Runner::succeed() {
  if (flag(":print-success")) respond("success");
}

}  // namespace plumb::smtlib
