#include "cli/prove_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "result/json_text.h"
#include "term/smtlib_printer.h"

namespace plumb::cli {
namespace {

using prove::Verdict;

constexpr std::size_t kShownElements = 32;
constexpr std::size_t kShownLines = 200;

/// Values as the program's text would write them.
class Words {
 public:
  Words(const tiny::Program& program, const tiny::Options& options) : options_(options) {
    if (program.entry != tiny::kNone) entry_ = program.functions[program.entry].name + "::";
  }

  /// Without the entry function's name in front.
  std::string name(const std::string& unique) const {
    return unique.starts_with(entry_) ? unique.substr(entry_.size()) : unique;
  }

  std::string text(const tiny::VariableValue& variable) const {
    if (!variable.is_array) return word(variable, variable.values.front());
    std::string list;
    for (std::size_t i = 0; i < variable.values.size() && i < kShownElements; ++i)
      list += fmt::format("{}{}", i == 0 ? "" : ", ", word(variable, variable.values[i]));
    if (variable.values.size() > kShownElements) list += fmt::format(", … ({} elements)", variable.values.size());
    return fmt::format("[{}]", list);
  }

  nlohmann::ordered_json json(const tiny::VariableValue& variable) const {
    if (!variable.is_array) return value(variable, variable.values.front());
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::uint64_t each : variable.values) list.push_back(value(variable, each));
    return list;
  }

  std::string line(const std::vector<tiny::VariableValue>& variables) const {
    std::string text_line;
    for (const tiny::VariableValue& variable : variables)
      text_line += fmt::format("{}{} = {}", text_line.empty() ? "" : ", ", name(variable.name), text(variable));
    return text_line;
  }

  nlohmann::ordered_json object(const std::vector<tiny::VariableValue>& variables) const {
    nlohmann::ordered_json found = nlohmann::ordered_json::object();
    for (const tiny::VariableValue& variable : variables) found[utf8(name(variable.name))] = json(variable);
    return found;
  }

 private:
  nlohmann::ordered_json value(const tiny::VariableValue& variable, std::uint64_t bits) const {
    if (variable.is_bool) return bits != 0;
    if (!options_.is_signed) return bits;
    const unsigned unused = 64 - options_.int_width;
    return static_cast<std::int64_t>(bits << unused) >> unused;
  }

  std::string word(const tiny::VariableValue& variable, std::uint64_t bits) const {
    return value(variable, bits).dump();
  }

  const tiny::Options& options_;
  std::string entry_ = "::";
};

/// What a run asks for, by name, occurrence and element.
using Asked = std::map<std::string, std::vector<std::vector<std::uint64_t>>>;

tiny::Choices recording(tiny::Choices choices, Asked& asked) {
  return
      [choices = std::move(choices), &asked](const std::string& name, std::uint64_t occurrence, std::uint64_t element) {
        const std::uint64_t value = choices(name, occurrence, element);
        auto& occurrences = asked[name];
        if (occurrences.size() <= occurrence) occurrences.resize(occurrence + 1);
        auto& elements = occurrences[occurrence];
        if (elements.size() <= element) elements.resize(element + 1);
        elements[element] = value;
        return value;
      };
}

tiny::Limits ending_at(const std::string& kind, const std::string& name) {
  tiny::Limits limits;
  limits.ends_at = [kind, name](const tiny::Failure& failure) { return failure.kind == kind && failure.name == name; };
  return limits;
}

std::string run_text(const tiny::Program& program, const tiny::Outcome& outcome) {
  std::string text = fmt::format("  the run, {} statements:\n", outcome.statements);
  for (std::size_t i = 0; i < outcome.lines.size() && i < kShownLines; ++i)
    text += fmt::format("    {:>4}: {}\n", outcome.lines[i].line, line_of(program.text, outcome.lines[i].line));
  if (outcome.statements > kShownLines) text += fmt::format("    and {} more\n", outcome.statements - kShownLines);
  return text;
}

ShownTrace shown_run(const tiny::Program& program, const tiny::Options& options,
                     const std::vector<tiny::VariableValue>& inputs, const tiny::Outcome& outcome, bool is_full) {
  const Words words(program, options);
  ShownTrace shown;
  if (!inputs.empty()) shown.text += fmt::format("  inputs: {}\n", words.line(inputs));
  // What the run has not changed was said already, and a result that it has not come to is none.
  std::vector<tiny::VariableValue> changed;
  for (const tiny::VariableValue& value : outcome.values) {
    const bool is_input = std::ranges::any_of(inputs, [&](const tiny::VariableValue& input) {
      return input.name == value.name && input.values == value.values;
    });
    const bool is_result =
        words.name(value.name) == "rv" && !(outcome.failure && outcome.failure->kind == "postcondition");
    if (!is_input && !is_result) changed.push_back(value);
  }
  if (!changed.empty()) shown.text += fmt::format("  then:   {}\n", words.line(changed));
  if (is_full) shown.full = run_text(program, outcome);
  shown.object = {{"inputs", words.object(inputs)}, {"values", words.object(outcome.values)}};
  shown.object["statements"] = outcome.statements;
  if (is_full)
    for (const tiny::Place& place : outcome.lines) shown.object["lines"].push_back(place.line);
  return shown;
}

void put_failure(ProvedProperty& answer, const tiny::Program& program, const tiny::Failure& failure) {
  if (failure.place.line != 0) {
    answer.property.location = program.location(failure.place);
    answer.property.text = line_of(program.text, failure.place.line);
  }
  answer.failure = failure.message;
}

/// The variables among what a run was given, in the order of their declarations.
std::vector<tiny::VariableValue> inputs_of(const tiny::Program& program, const Asked& given) {
  std::vector<tiny::VariableValue> inputs;
  for (const tiny::Variable& variable : program.variables) {
    const auto found = given.find(variable.unique_name);
    if (found == given.end() || found->second.empty() || found->second.front().empty()) continue;
    inputs.push_back(
        {variable.unique_name, variable.type == tiny::Type::Bool, variable.is_array(), found->second.front()});
  }
  return inputs;
}

/// What the run was given on its way, in the order of the names: "nondet@4:9 = 3, 0".
void put_choices(ShownTrace& shown, const std::vector<tiny::VariableValue>& inputs, const Asked& asked) {
  for (const auto& [name, occurrences] : asked) {
    if (std::ranges::count(inputs, name, &tiny::VariableValue::name) > 0) continue;
    std::vector<std::string> texts;
    for (const std::vector<std::uint64_t>& elements : occurrences)
      if (texts.size() < kShownElements)
        texts.push_back(elements.size() == 1 ? std::to_string(elements.front())
                                             : fmt::format("[{}]", fmt::join(elements, ", ")));
    if (occurrences.size() > kShownElements) texts.push_back(fmt::format("… ({} times)", occurrences.size()));
    shown.text += fmt::format("  chosen on the way: {} = {}\n", name, fmt::join(texts, ", "));
    shown.object["choices"][name] = occurrences;
  }
}

std::string end_text(const tiny::Outcome& outcome) {
  switch (outcome.end) {
    case tiny::Outcome::End::Finished:
      return "it comes to its end without a failure";
    case tiny::Outcome::End::PreconditionFalse:
      return "its inputs do not satisfy the precondition";
    case tiny::Outcome::End::Assumption:
      return "its inputs do not satisfy an assumption";
    case tiny::Outcome::End::OutOfSteps:
      return "it does not end within a million statements";
    case tiny::Outcome::End::OutOfStack:
      return "it ends at a call beyond the stack";
    case tiny::Outcome::End::Failed:
      break;
  }
  return "it fails";
}

}  // namespace

void explain_answer(ProvedProperty& answer, const tiny::Subject& subject, bool is_full) {
  const tiny::Counterexample found = tiny::explain(subject, answer.bad, *answer.result.trace);
  answer.result.bound = found.step;
  put_failure(answer, subject.program, found.failure);
  answer.shown = shown_run(subject.program, subject.options, found.inputs, found.outcome, is_full);
  Asked asked;
  static_cast<void>(tiny::interpret(subject.program, subject.options,
                                    recording(tiny::choices_of(subject, *answer.result.trace), asked),
                                    ending_at(found.failure.kind, found.failure.name)));
  put_choices(*answer.shown, found.inputs, asked);
  answer.replay = {{"options", options_json(subject.options)},
                   {"failure", {{"kind", found.failure.kind}, {"name", utf8(found.failure.name)}}},
                   {"choices", asked}};
}

nlohmann::ordered_json options_json(const tiny::Options& options) {
  return {{"bits", options.int_width},          {"array", options.max_array_size()},
          {"stack", options.max_stack_size()},  {"signed", options.is_signed},
          {"index", options.check_index},       {"overflow", options.check_overflow},
          {"division", options.check_division}, {"recursion", options.check_recursion}};
}

tiny::Options options_of(const nlohmann::json& object, const std::string& file) {
  tiny::Options options;
  try {
    options.int_width = object.at("bits").get<std::uint32_t>();
    options.array_size = object.at("array").get<std::uint64_t>();
    options.stack_size = object.at("stack").get<std::uint64_t>();
    options.is_signed = object.at("signed").get<bool>();
    options.check_index = object.at("index").get<bool>();
    options.check_overflow = object.at("overflow").get<bool>();
    options.check_division = object.at("division").get<bool>();
    options.check_recursion = object.at("recursion").get<bool>();
  } catch (const nlohmann::json::exception& error) {
    throw UserError(SourceLocation{file}, fmt::format("not a counterexample of `plumb prove`: {}", error.what()));
  }
  if (options.int_width < 1 || options.int_width > 64)
    throw UserError(SourceLocation{file}, "\"bits\" should be from 1 to 64");
  return options;
}

ProvedProperty replay_program(const std::string& text, const std::string& file, const std::string& counterexample_file,
                              bool is_full) {
  const nlohmann::json object = result::parse_json(read_file(counterexample_file), counterexample_file);
  const tiny::Options options = options_of(object.value("options", nlohmann::json::object()), counterexample_file);
  Asked given;
  ProvedProperty answer;
  std::string kind;
  std::string name;
  try {
    given = object.at("choices").get<Asked>();
    answer.property.name = object.at("property").get<std::string>();
    kind = object.at("failure").at("kind").get<std::string>();
    name = object.at("failure").at("name").get<std::string>();
  } catch (const nlohmann::json::exception& error) {
    throw UserError(SourceLocation{counterexample_file},
                    fmt::format("not a counterexample of `plumb prove`: {}", error.what()));
  }
  if (kind == "termination")
    throw Unsupported(SourceLocation{counterexample_file}, "replaying a run that is too long",
                      "its witness can be replayed on the system: plumb prove --show btor2, then plumb check --replay");
  std::vector<tiny::Warning> warnings;
  const tiny::Program program = tiny::parse(text, file, warnings);
  tiny::check_sizes(program, options);
  const tiny::Choices choices = [&](const std::string& wanted, std::uint64_t occurrence,
                                    std::uint64_t element) -> std::uint64_t {
    const auto found = given.find(wanted);
    if (found == given.end() || occurrence >= found->second.size()) return 0;
    const auto& elements = found->second[occurrence];
    return element < elements.size() ? elements[element] : 0;
  };
  const tiny::Outcome outcome = tiny::interpret(program, options, choices, ending_at(kind, name));
  answer.kind = kind;
  answer.result.engine = "replay";
  if (outcome.failure) {
    answer.result.verdict = Verdict::Violated;
    put_failure(answer, program, *outcome.failure);
    answer.shown = shown_run(program, options, inputs_of(program, given), outcome, is_full);
  } else {
    answer.result.reason = fmt::format("this run violates nothing: {}", end_text(outcome));
  }
  return answer;
}

std::vector<std::string> option_assumptions(const tiny::Options& options) {
  std::vector<std::string> list = {fmt::format("int has {} bit{}, {}; MAX_ARRAY_SIZE is {}", options.int_width,
                                               options.int_width == 1 ? "" : "s",
                                               options.is_signed ? "signed" : "unsigned", options.max_array_size())};
  std::vector<std::string> off;
  if (!options.check_index) off.emplace_back("index in bounds");
  if (!options.check_overflow) off.emplace_back("overflow");
  if (!options.check_division) off.emplace_back("division by zero");
  if (!options.check_recursion) off.emplace_back("recursion depth");
  if (!off.empty()) list.push_back(fmt::format("not checked, as asked: {}", fmt::join(off, ", ")));
  return list;
}

std::string graph_text(const system::ControlGraph& graph) {
  const auto term = [&](system::Term t) { return term::to_smtlib(graph.store(), t); };
  std::string text = fmt::format("entry {}\n", graph.entry);
  for (const system::ControlGraph::Variable& variable : graph.variables)
    text += fmt::format("variable {} {}{}\n", term(variable.term),
                        term::to_smtlib(graph.store().sort(variable.term), false),
                        variable.init ? " = " + term(variable.init) : std::string());
  for (std::size_t label = 0; label < graph.statements.size(); ++label) {
    const system::ControlGraph::Statement& statement = graph.statements[label];
    text += fmt::format("{}:{}{}\n", label, statement.text.empty() ? "" : "  // ", statement.text);
    for (const system::ControlGraph::Check& check : statement.checks)
      text += fmt::format("    check {}: {}\n", graph.properties[check.property], term(check.condition));
    for (const system::ControlGraph::Assignment& assignment : statement.assignments)
      text += fmt::format("    {} := {}\n", term(assignment.variable), term(assignment.value));
    for (const system::ControlGraph::Target& target : statement.targets)
      text += graph.store().is_true(target.condition)
                  ? fmt::format("    goto {}\n", target.label)
                  : fmt::format("    if {} goto {}\n", term(target.condition), target.label);
    if (statement.targets.empty()) text += "    end\n";
  }
  return text;
}

}  // namespace plumb::cli
