// SARIF wants columns in characters, places as URIs, and every file once in a list that places point into; the writer
// collects the files while it writes the results. Code of models has no file that a reader could open, so its frames
// have a name alone.
#include "result/defect/sarif.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "result/defect/defect_fingerprint.h"
#include "result/defect/defect_kinds.h"
#include "result/defect/defect_text.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kBase = "SRCROOT";
constexpr const char* kFingerprint = "plumbDefect/v1";

Json message(std::string_view text) { return {{"text", utf8(text)}}; }

/// A path as the path of a URI (RFC 3986).
std::string uri_path(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string absolute_uri(const fs::path& path) { return "file://" + uri_path(path.string()); }

std::string directory_uri(const fs::path& directory) {
  const std::string uri = absolute_uri(directory);
  return uri.ends_with('/') ? uri : uri + "/";
}

class Writer {
 public:
  Writer(const DefectReport& report, SourceLines& sources) : report_(report), sources_(sources) {}

  Json log() {
    for (const std::string& name : report_.program) file_index(name, "analysisTarget");
    Json results = Json::array();
    const std::vector<std::string> prints = fingerprints(report_.defects, sources_);
    for (std::size_t i = 0; i < report_.defects.size(); ++i) results.push_back(result(report_.defects[i], prints[i]));
    Json bases = {{kBase,
                   {{"uri", directory_uri(report_.directory)},
                    {"description", message("The directory that the program was tested in.")}}}};
    Json run = {{"tool", tool()},
                {"invocations", Json::array({invocation()})},
                {"originalUriBaseIds", std::move(bases)},
                {"artifacts", artifacts_},
                {"results", std::move(results)},
                {"columnKind", "unicodeCodePoints"}};
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  }

 private:
  Json tool() const {
    Json rules = Json::array();
    for (const DefectKind& kind : defect_kinds()) {
      Json tags = Json::array({"correctness"});
      if (kind.cwe != 0) tags.push_back(fmt::format("external/cwe/cwe-{}", kind.cwe));
      rules.push_back({{"id", kind.id},
                       {"name", rule_name(kind.id)},
                       {"shortDescription", message(kind.title)},
                       {"fullDescription", message(kind.meaning)},
                       {"help",
                        {{"text", fmt::format("{} {}", kind.meaning, kind.remedy)},
                         {"markdown", fmt::format("**{}.** {}\n\n{}", kind.title, kind.meaning, kind.remedy)}}},
                       {"defaultConfiguration", {{"level", kind.is_error ? "error" : "warning"}}},
                       {"properties", {{"tags", std::move(tags)}, {"precision", "very-high"}}}});
    }
    return {{"driver",
             {{"name", "Plumbline"}, {"version", report_.version}, {"language", "en"}, {"rules", std::move(rules)}}}};
  }

  /// "ArrayOutOfBounds" of "array-out-of-bounds".
  static std::string rule_name(std::string_view id) {
    std::string name;
    bool is_start = true;
    for (const char c : id) {
      if (c != '-') name += is_start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      is_start = c == '-';
    }
    return name;
  }

  Json invocation() const {
    Json arguments = Json::array();
    for (const std::string& argument : report_.arguments) arguments.push_back(utf8(argument));
    Json notes = Json::array();
    for (const std::string& note : report_.notes) notes.push_back({{"level", "note"}, {"message", message(note)}});
    if (!report_.is_answer)
      notes.insert(notes.begin(), Json{{"level", "warning"}, {"message", message(report_.reason)}});
    return {{"commandLine", utf8(fmt::format("plumb {}", fmt::join(report_.arguments, " ")))},
            {"arguments", std::move(arguments)},
            {"startTimeUtc", utc_text(report_.begin)},
            {"endTimeUtc", utc_text(report_.end)},
            {"exitCode", report_.exit_code},
            {"exitCodeDescription", utf8(report_.reason)},
            {"executionSuccessful", true},
            {"workingDirectory", {{"uri", directory_uri(report_.directory)}}},
            {"toolExecutionNotifications", std::move(notes)}};
  }

  /// The name below the directory of the report; empty if it is elsewhere.
  fs::path relative(const std::string& name) const {
    const fs::path path =
        (report_.directory / name).lexically_normal().lexically_relative(report_.directory.lexically_normal());
    return path.empty() || *path.begin() == ".." ? fs::path() : path;
  }

  Json artifact_location(const std::string& name) const {
    if (const fs::path path = relative(name); !path.empty())
      return {{"uri", uri_path(path.string())}, {"uriBaseId", kBase}};
    return {{"uri", absolute_uri((report_.directory / name).lexically_normal())}};
  }

  /// Position of the file in the list of artifacts.
  std::size_t file_index(const std::string& name, const char* role) {
    const Json location = artifact_location(name);
    const auto [at, is_new] = files_.try_emplace(location.dump(), artifacts_.size());
    if (is_new) {
      Json artifact = {{"location", location}, {"roles", Json::array({role})}};
      const std::string ending = fs::path(name).extension().string();
      if (ending == ".c" || ending == ".h" || ending == ".i") artifact["sourceLanguage"] = "c";
      if (ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C" || ending == ".hpp")
        artifact["sourceLanguage"] = "cplusplus";
      artifacts_.push_back(std::move(artifact));
    }
    return at->second;
  }

  Json physical(const SourceLocation& place, const char* role) {
    Json location = artifact_location(place.file);
    location["index"] = file_index(place.file, role);
    Json physical = {{"artifactLocation", std::move(location)}};
    if (place.line == 0) return physical;
    Json region = {{"startLine", place.line}};
    const auto line = sources_.line(place);
    if (place.column != 0) region["startColumn"] = line ? character_column(*line, place.column) : place.column;
    if (line) {
      // The region reaches from its column to the end of the line.
      const std::size_t from = std::min<std::size_t>(place.column == 0 ? 0 : place.column - 1, line->size());
      region["snippet"] = message(line->substr(from));
    }
    physical["region"] = std::move(region);
    return physical;
  }

  Json location(const SourceLocation& place, const std::string& function, std::string_view text = {}) {
    Json location = Json::object();
    if (!place.file.empty()) location["physicalLocation"] = physical(place, "tracedFile");
    if (!function.empty())
      location["logicalLocations"] = Json::array({{{"name", utf8(function)}, {"kind", "function"}}});
    if (!text.empty()) location["message"] = message(text);
    return location;
  }

  Json location(const StackFrame& frame, std::string_view text = {}) {
    return location(frame.is_model ? SourceLocation{} : frame.place, frame.function, text);
  }

  Json stack(std::span<const StackFrame> frames, std::string_view text) {
    Json list = Json::array();
    for (const StackFrame& frame : frames) list.push_back({{"location", location(frame)}});
    return {{"message", message(text)}, {"frames", std::move(list)}};
  }

  static const StackFrame* users_frame(std::span<const StackFrame> stack) {
    const auto found = std::ranges::find(stack, false, &StackFrame::is_model);
    return found == stack.end() ? nullptr : &*found;
  }

  /// What happened to the object before, oldest first.
  std::vector<std::pair<std::string, const StackFrame*>> earlier(const Defect& defect) const {
    std::vector<std::pair<std::string, const StackFrame*>> steps;
    if (!defect.object) return steps;
    const std::string object =
        fmt::format("the {} object of {} bytes is {} here", defect.object->kind, defect.object->size,
                    defect.object->kind == "heap" ? "allocated" : "declared");
    if (const StackFrame* frame = users_frame(defect.object->allocated)) steps.emplace_back(object, frame);
    if (const StackFrame* frame = users_frame(defect.object->freed)) steps.emplace_back("it is freed here", frame);
    return steps;
  }

  /// Allocation, free, then the calls from the outermost on to the defect.
  Json code_flow(const Defect& defect) {
    Json steps = Json::array();
    const auto add = [&](Json place, std::size_t level, const char* importance) {
      steps.push_back({{"location", std::move(place)},
                       {"nestingLevel", level},
                       {"executionOrder", steps.size() + 1},
                       {"importance", importance}});
    };
    for (const auto& [text, frame] : earlier(defect)) add(location(*frame, text), 0, "important");
    const std::size_t depth = defect.stack.size();
    // The last step is the defect itself, in the innermost call of the user's code.
    const StackFrame* blamed = users_frame(defect.stack);
    const std::size_t last = blamed == nullptr ? 0 : static_cast<std::size_t>(blamed - defect.stack.data());
    for (std::size_t i = depth; i > last + 1; --i)
      if (!defect.stack[i - 1].is_model) add(location(defect.stack[i - 1], "called here"), depth - i, "unimportant");
    if (!defect.lost_at.file.empty())
      add(location(defect.lost_at, {}, "the last pointer is lost here"), 0, "important");
    if (depth > 0) add(location(defect.place, defect.function, defect.message), depth - 1 - last, "essential");
    return {{"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
  }

  Json related(const Defect& defect) {
    Json list = Json::array();
    const auto add = [&](Json place) {
      place["id"] = list.size() + 1;
      list.push_back(std::move(place));
    };
    for (const auto& [text, frame] : earlier(defect)) add(location(*frame, text));
    if (!defect.lost_at.file.empty()) add(location(defect.lost_at, {}, "the last pointer is lost here"));
    return list;
  }

  Json stacks(const Defect& defect) {
    Json list = Json::array();
    if (!defect.stack.empty()) list.push_back(stack(defect.stack, "call stack"));
    if (defect.object && !defect.object->allocated.empty())
      list.push_back(stack(defect.object->allocated, "allocated"));
    if (defect.object && !defect.object->freed.empty()) list.push_back(stack(defect.object->freed, "freed"));
    return list;
  }

  Json suppression(const Suppression& by) {
    return {{"kind", by.is_in_source ? "inSource" : "external"},
            {"status", "accepted"},
            {"justification", utf8(by.text)},
            {"location", location(by.by, {})}};
  }

  static Json properties(const Defect& defect) {
    Json object = Json::object();
    if (!defect.shown_by.empty()) object["confirmedBy"] = confirmation_text(defect);
    if (!defect.replay_command.empty()) object["replay"] = utf8(defect.replay_command);
    if (defect.is_after_another) object["afterAnotherDefect"] = true;
    object["input"] = Json::parse(to_json(defect.test));
    return object;
  }

  Json result(const Defect& defect, const std::string& print) {
    Json result = {{"ruleId", defect.kind}};
    const DefectKind* kind = find_kind(defect.kind);
    if (kind != nullptr) result["ruleIndex"] = kind - defect_kinds().data();
    result["kind"] = "fail";
    result["level"] = kind == nullptr || kind->is_error ? "error" : "warning";
    result["message"] = message(defect.message.empty() ? defect.kind : defect.message);
    result["locations"] = Json::array({location(defect.place, defect.function)});
    if (Json list = related(defect); !list.empty()) result["relatedLocations"] = std::move(list);
    if (Json list = stacks(defect); !list.empty()) result["stacks"] = std::move(list);
    if (Json flow = code_flow(defect); !flow["threadFlows"][0]["locations"].empty())
      result["codeFlows"] = Json::array({std::move(flow)});
    result["partialFingerprints"] = {{kFingerprint, print}};
    if (!defect.file.empty()) {
      Json file = artifact_location(defect.file.string());
      file["index"] = file_index(defect.file.string(), "attachment");
      result["attachments"] = Json::array(
          {{{"description", message("an input that shows the defect")}, {"artifactLocation", std::move(file)}}});
    }
    // A run that knows suppressions has them on every result, or viewers take their absence for "not known".
    result["suppressions"] = Json::array();
    if (defect.suppressed) result["suppressions"].push_back(suppression(*defect.suppressed));
    result["properties"] = properties(defect);
    return result;
  }

  const DefectReport& report_;
  SourceLines& sources_;
  Json artifacts_ = Json::array();
  std::map<std::string, std::size_t> files_;
};

}  // namespace

std::string utc_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string to_sarif(const DefectReport& report, SourceLines& sources) {
  return Writer(report, sources).log().dump(2) + "\n";
}

}  // namespace plumb::result
