#include "cli/prob/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "cli/prob/number_text.h"
#include "cli/program_options.h"

namespace plumb::cli::prob {
namespace {

using result::Conclusion;
using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json number_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

Json constants_json(const Constants& constants) {
  Json object = Json::object();
  for (const auto& [name, value] : constants) object[utf8(name)] = utf8(value);
  return object;
}

void put_result(Json& object, const chain::PropertyResult& result) {
  if (const auto* number = std::get_if<chain::Bounded>(&result.value)) {
    object["value"] = number_json(number->value);
    object["interval"] = {number_json(number->low), number_json(number->high)};
    object["error"] = number_json(error_of(*number));
    object["guaranteed"] = number->is_guaranteed;
    if (number->exact) object["exact"] = exact_text(*number->exact);
  } else if (result.undecided.empty()) {
    object["value"] = std::get<bool>(result.value);
  }
  if (!result.undecided.empty()) object["reason"] = utf8(result.undecided);
  object["method"] = result.method;
  object["iterations"] = result.iterations;
  object["seconds"] = result.seconds;
  object["bytes"] = result.bytes;
  if (!result.listing.empty()) object["listing"] = result::to_json(result.listing);
  if (!result.notes.empty()) object["notes"] = result::to_json(result.notes);
}

Json answer_json(const ExperimentReport& report, const Reply& answer) {
  const Question& question = report.questions[answer.question];
  Json object = {{"property", utf8(question.text)}};
  if (!question.name.empty()) object["name"] = utf8(question.name);
  put_place(object, question.location);
  object["constants"] = constants_json(report.combinations[answer.combination]);
  object["verdict"] = to_string(conclusion(answer));
  if (answer.chain) object["model"] = *answer.chain;
  if (answer.result)
    put_result(object, *answer.result);
  else
    object["reason"] = utf8(answer.failure);
  if (!answer.files.empty()) object["files"] = result::to_json(answer.files);
  return object;
}

Json chain_json(const BuiltChain& built) {
  const chain::BuildReport& report = built.report;
  Json object = {{"kind", built.kind},
                 {"constants", constants_json(built.constants)},
                 {"states", report.states},
                 {"transitions", report.transitions},
                 {"seconds", report.seconds},
                 {"bytes_states", report.bytes_states},
                 {"bytes_transitions", report.bytes_transitions}};
  if (!built.left_out.empty()) object["left_out"] = result::to_json(built.left_out);
  if (!report.notes.empty()) object["notes"] = result::to_json(report.notes);
  if (!built.failure.empty()) object["stopped"] = utf8(built.failure);
  return object;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted(1, '"');
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

std::string csv_number(double number) {
  return std::isinf(number) ? (number > 0 ? "inf" : "-inf") : fmt::format("{}", number);
}

std::vector<std::string> result_fields(const Reply& answer) {
  if (!answer.result) return {"", "", "", "", std::string(to_string(conclusion(answer))), "", "", "", answer.failure};
  const chain::PropertyResult& result = *answer.result;
  std::vector<std::string> fields;
  if (const auto* number = std::get_if<chain::Bounded>(&result.value))
    fields = {csv_number(number->value), csv_number(number->low), csv_number(number->high),
              number->is_guaranteed ? "true" : "false"};
  else
    fields = {result.undecided.empty() ? (std::get<bool>(result.value) ? "true" : "false") : "", "", "", ""};
  fields.emplace_back(to_string(conclusion(answer)));
  fields.push_back(result.method);
  fields.push_back(fmt::format("{}", result.iterations));
  fields.push_back(fmt::format("{:.6f}", result.seconds));
  fields.push_back(result.undecided);
  return fields;
}

}  // namespace

Conclusion conclusion(const Reply& answer) {
  if (!answer.result) return answer.error ? Conclusion::Error : Conclusion::Unknown;
  if (!answer.result->undecided.empty()) return Conclusion::Unknown;
  if (std::holds_alternative<chain::Bounded>(answer.result->value)) return Conclusion::Answered;
  return std::get<bool>(answer.result->value) ? Conclusion::Holds : Conclusion::Violated;
}

Conclusion conclusion(const ExperimentReport& report) {
  std::vector<Conclusion> parts = {Conclusion::Answered};
  for (const Reply& answer : report.answers) parts.push_back(conclusion(answer));
  // Without a property, what was asked for is the chain.
  for (const BuiltChain& built : report.chains)
    if (!built.failure.empty()) parts.push_back(Conclusion::Unknown);
  return result::worst(parts);
}

namespace {

/// Texts as they come, each once.
class Texts {
 public:
  void add(const std::string& text) {
    if (known_.insert(text).second) list_.push_back(text);
  }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::vector<std::string> list_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<std::string> all_assumptions(const ExperimentReport& report) {
  Texts texts;
  for (const BuiltChain& built : report.chains)
    for (const std::string& note : built.report.notes) texts.add(note);
  return texts.take();
}

std::vector<std::string> all_notes(const ExperimentReport& report) {
  Texts texts;
  for (const std::string& note : report.notes) texts.add(note);
  for (const BuiltChain& built : report.chains)
    if (!built.left_out.empty())
      texts.add(fmt::format("left out, since no property sees it: module {}", fmt::join(built.left_out, ", ")));
  for (const Reply& answer : report.answers)
    if (answer.result)
      for (const std::string& note : answer.result->notes)
        texts.add(report.questions.size() > 1 ? fmt::format("{}: {}", report.questions[answer.question].title(), note)
                                              : note);
  return texts.take();
}

result::Report to_report(const ExperimentReport& found) {
  result::Report report("prob", found.inputs);
  report.conclusion = found.failure ? Conclusion::Error : conclusion(found);
  if (found.failure) report.errors = {*found.failure};
  Json results = Json::array();
  for (const Reply& answer : found.answers) results.push_back(answer_json(found, answer));
  report["results"] = std::move(results);
  Json models = Json::array();
  for (const BuiltChain& built : found.chains) models.push_back(chain_json(built));
  report["models"] = std::move(models);
  report.assumptions = all_assumptions(found);
  report.notes = all_notes(found);
  report.files = found.files;
  report["stats"] = {{"seconds", found.seconds}, {"peak_memory", found.peak_memory}};
  return report;
}

std::string to_csv(const ExperimentReport& report) {
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(fields[i]);
    text += "\n";
  };
  std::vector<std::string> head = report.names;
  for (const char* name : {"property", "value", "low", "high", "guaranteed", "verdict", "method", "iterations",
                           "seconds", "reason", "states", "transitions", "build_seconds"})
    head.emplace_back(name);
  add_line(head);
  for (const Reply& answer : report.answers) {
    std::vector<std::string> fields;
    for (const std::string& name : report.names) fields.push_back(report.combinations[answer.combination].at(name));
    fields.push_back(report.questions[answer.question].title());
    for (std::string& field : result_fields(answer)) fields.push_back(std::move(field));
    const chain::BuildReport none;
    const chain::BuildReport& built = answer.chain ? report.chains[*answer.chain].report : none;
    fields.push_back(fmt::format("{}", built.states));
    fields.push_back(fmt::format("{}", built.transitions));
    fields.push_back(fmt::format("{:.6f}", built.seconds));
    add_line(fields);
  }
  return text;
}

}  // namespace plumb::cli::prob
