#include "result/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "result/json_text.h"

namespace plumb::result {

using Json = nlohmann::ordered_json;

Report::Report(std::string_view of, std::vector<std::string> given)
    : command(of), inputs(std::move(given)), parts_(std::make_unique<Json>(Json::object())) {}
Report::~Report() = default;
Report::Report(Report&& other) noexcept = default;
Report& Report::operator=(Report&& other) noexcept = default;

Json& Report::operator[](std::string_view part) { return (*parts_)[std::string(part)]; }

Json report_head(std::string_view command, const std::vector<std::string>& inputs) {
  return {{"plumb", kReportVersion}, {"command", command}, {"inputs", to_json(inputs)}};
}

Json to_json(const Report& report) {
  Json object = report_head(report.command, report.inputs);
  object["verdict"] = to_string(report.conclusion);
  if (!report.reason.empty()) object["reason"] = utf8(report.reason);
  if (!report.stopped.empty()) object["stopped"] = utf8(report.stopped);
  if (!report.errors.empty()) object["error"] = to_json(report.errors.front());
  if (report.errors.size() > 1) {
    Json errors = Json::array();
    for (const UserError& error : report.errors) errors.push_back(to_json(error));
    object["errors"] = std::move(errors);
  }
  for (const auto& [name, part] : report.parts_->items())
    if (name != "stats") object[name] = part;
  object["gaps"] = to_json(report.gaps);
  object["assumptions"] = to_json(report.assumptions);
  object["notes"] = to_json(report.notes);
  object["files"] = to_json(report.files);
  if (report.parts_->contains("stats")) object["stats"] = report.parts_->at("stats");
  return object;
}

std::string remarks_text(const std::vector<Gap>& gaps, const std::vector<std::string>& assumptions,
                         const std::vector<std::string>& notes) {
  std::string text;
  for (const Gap& gap : gaps) text += fmt::format("gap: {}\n", to_text(gap));
  for (const std::string& assumption : assumptions) text += fmt::format("assumption: {}\n", assumption);
  for (const std::string& note : notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string files_text(const std::vector<WrittenFile>& files) {
  std::string text;
  for (const WrittenFile& file : files) text += fmt::format("  {}: {}\n", file.kind, file.path);
  return text;
}

Json to_json(const std::vector<Gap>& gaps) {
  Json list = Json::array();
  for (const Gap& gap : gaps) {
    Json object = {{"kind", to_string(gap.kind)}, {"text", utf8(gap.text)}, {"weakens", to_string(gap.weakens)}};
    if (!gap.place.file.empty()) object["file"] = utf8(gap.place.file);
    if (gap.place.line > 0) object["line"] = gap.place.line;
    if (gap.place.column > 0) object["column"] = gap.place.column;
    if (!gap.function.empty()) object["function"] = utf8(gap.function);
    list.push_back(std::move(object));
  }
  return list;
}

Json to_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(utf8(text));
  return list;
}

Json to_json(const std::vector<WrittenFile>& files) {
  Json list = Json::array();
  for (const WrittenFile& file : files) list.push_back({{"kind", file.kind}, {"path", utf8(file.path)}});
  return list;
}

Json to_json(const Finding& finding) {
  Json object = {{"name", finding.engine}, {"verdict", to_string(finding.verdict)}, {"seconds", finding.seconds}};
  if (finding.bound) object["bound"] = *finding.bound;
  if (!finding.detail.empty()) object["detail"] = utf8(finding.detail);
  if (!finding.reason.empty()) object["reason"] = utf8(finding.reason);
  return object;
}

Json to_json(const UserError& error) {
  Json object = {{"message", utf8(error.message())}};
  put_place(object, error.location());
  if (!error.hint().empty()) object["hint"] = utf8(error.hint());
  return object;
}

}  // namespace plumb::result
