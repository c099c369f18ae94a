#include "check/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/file.h"
#include "frontend/source_types.h"
#include "replay/find_defect.h"
#include "result/export/sha256.h"
#include "result/xml_text.h"

namespace plumb::check {
namespace {

/// In double quotes, as JSON and YAML have them.
std::string in_quotes(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made.push_back('\\');
    if (static_cast<unsigned char>(c) < 0x20) {
      made += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      made.push_back(c);
    }
  }
  return made + "\"";
}

/// Of the form of RFC 4122, version 4.
std::string uuid(const WitnessTask& task, const std::string& time, std::uint64_t seed) {
  std::string digits =
      result::sha256(fmt::format("{} {} {} {}", seed, time, task.specification, fmt::join(task.hashes, " ")));
  digits[12] = '4';
  digits[16] = "89ab"[static_cast<unsigned char>(digits[16]) % 4];
  const std::string_view all = digits;
  return fmt::format("{}-{}-{}-{}-{}", all.substr(0, 8), all.substr(8, 4), all.substr(12, 4), all.substr(16, 4),
                     all.substr(20, 12));
}

std::string metadata(std::string_view type, const WitnessTask& task, const std::string& time, std::uint64_t seed) {
  std::string text = fmt::format(
      "- entry_type: {}\n"
      "  metadata:\n"
      "    format_version: \"2.0\"\n"
      "    uuid: {}\n"
      "    creation_time: {}\n"
      "    producer:\n"
      "      name: \"Plumbline\"\n"
      "      version: {}\n"
      "    task:\n"
      "      input_files:\n",
      in_quotes(type), in_quotes(uuid(task, time, seed)), in_quotes(time), in_quotes(task.version));
  for (const std::string& file : task.files) text += fmt::format("      - {}\n", in_quotes(file));
  text += "      input_file_hashes:\n";
  for (std::size_t i = 0; i < task.files.size() && i < task.hashes.size(); ++i)
    text += fmt::format("        {}: {}\n", in_quotes(task.files[i]), in_quotes(task.hashes[i]));
  text += fmt::format("      specification: {}\n      data_model: {}\n      language: \"C\"\n",
                      in_quotes(task.specification), in_quotes(task.data_model));
  return text;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The source files, read when they are first asked for; empty if one cannot be read.
class Sources {
 public:
  explicit Sources(const WitnessTask& task) : task_(task) {}

  /// The place in a file of the task. Debug information of a preprocessed file speaks of the files that it was made
  /// of; a witness has to speak of the file that was given.
  SourceLocation in_task(const SourceLocation& place) {
    for (const std::string& file : task_.files)
      if (replay::is_same_file(file, place.file)) return {file, place.line, place.column};
    for (const std::string& file : task_.files)
      if (const std::uint32_t line = preprocessed_line(file, place); line != 0) return {file, line, place.column};
    return place;
  }

  /// From the place on, to the end of the file.
  std::string_view text_at(const SourceLocation& place) {
    if (place.line == 0 || place.column == 0) return {};
    std::string_view rest = text(place.file);
    for (std::uint32_t line = 1; line < place.line; ++line) {
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) return {};
      rest.remove_prefix(end + 1);
    }
    const std::size_t skipped = place.column - 1;
    return rest.substr(0, rest.find('\n')).size() <= skipped ? std::string_view() : rest.substr(skipped);
  }

 private:
  const std::string& text(const std::string& file) {
    const auto [known, is_new] = texts_.try_emplace(file);
    if (is_new) {
      try {
        known->second = read_file(file);
      } catch (const UserError&) {  // columns are left out then
      }
    }
    return known->second;
  }

  /// Lines like `# 12 "a.c" 2` say where the next one comes from.
  std::uint32_t preprocessed_line(const std::string& file, const SourceLocation& place) {
    std::string_view rest = text(file);
    bool is_place_in = false;  // what follows comes from the file of the place
    std::uint32_t origin = 0;
    for (std::uint32_t line = 1; !rest.empty(); ++line) {
      const std::string_view now = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), now.size() + 1));
      std::uint32_t number = 0;
      const bool is_marker =
          now.starts_with("# ") && std::from_chars(now.data() + 2, now.data() + now.size(), number).ec == std::errc();
      if (is_marker) {
        const std::size_t begin = now.find('"');
        const std::size_t end = now.rfind('"');
        is_place_in = begin != std::string_view::npos && end > begin &&
                      replay::is_same_file(now.substr(begin + 1, end - begin - 1), place.file);
        origin = number;
        continue;
      }
      if (is_place_in && origin == place.line) return line;
      ++origin;
    }
    return 0;
  }

  const WitnessTask& task_;
  std::map<std::string, std::string> texts_;
};

/// The name of the function that a call at the beginning of the text calls; empty if there is none.
std::string_view called_name(std::string_view text) {
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin());
  const std::size_t next = text.find_first_not_of(" \t\n", end);
  return next != std::string_view::npos && text[next] == '(' ? text.substr(0, end) : std::string_view();
}

/// Of the call at the place, its closing parenthesis; without a column if it is not found there.
SourceLocation closing_parenthesis(const SourceLocation& call, std::string_view text) {
  SourceLocation at{call.file, call.line, 0};
  if (called_name(text).empty()) return at;
  std::uint32_t line = call.line;
  std::uint32_t column = call.column;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return {call.file, line, column};
    if (c == '"' || c == '\'' || c == ';') return at;  // no more than a look at plain calls
    ++column;
    if (c == '\n') {
      ++line;
      column = 1;
    }
  }
  return at;
}

std::string location(const SourceLocation& place, const std::string& function, std::string_view indent) {
  std::string text =
      fmt::format("{0}location:\n{0}  file_name: {1}\n{0}  line: {2}\n", indent, in_quotes(place.file), place.line);
  if (place.column != 0) text += fmt::format("{}  column: {}\n", indent, place.column);
  if (!function.empty()) text += fmt::format("{}  function: {}\n", indent, in_quotes(function));
  return text;
}

/// A constant of C; empty for what has none.
std::string constant(const result::TestInput& input) {
  if (input.bytes.empty() || input.bytes.size() > 8 || input.name.ends_with('*')) return {};
  frontend::SourceType type;
  type.kind = frontend::SourceType::Kind::Signed;
  if (input.name.starts_with("unsigned") || input.name == "size_t") type.kind = frontend::SourceType::Kind::Unsigned;
  if (input.name == "_Bool") return (input.bytes.front() & 1) != 0 ? "1" : "0";
  if (input.name == "float" || input.name == "double") return {};  // NaN and its like are none
  std::string text = frontend::value_text(&type, input.bytes);
  constexpr std::string_view kLargestSigned = "9223372036854775807";
  const bool is_larger =
      text.size() > kLargestSigned.size() || (text.size() == kLargestSigned.size() && text > kLargestSigned);
  if (type.kind == frontend::SourceType::Kind::Unsigned && is_larger) text += "ULL";
  if (text == "-9223372036854775808") text = "-9223372036854775807 - 1";
  return text;
}

std::string waypoint(std::string_view type, const std::string& constraint, const std::string& place) {
  std::string text = fmt::format(
      "  - segment:\n"
      "    - waypoint:\n"
      "        type: {}\n"
      "        action: \"follow\"\n",
      in_quotes(type));
  if (!constraint.empty())
    text += fmt::format(
        "        constraint:\n"
        "          value: {}\n"
        "          format: {}\n",
        in_quotes(constraint), in_quotes(type == "assumption" ? "c_expression" : "acsl_expression"));
  return text + place;
}

bool fills_an_object(std::string_view function) {
  return function == "plumb_symbolic" || function == "klee_make_symbolic" || function == "__VERIFIER_nondet_memory";
}

/// Where the statement behind the declaration of one integer begins, `int x;`, and the type; nothing if the source has
/// another form there.
struct Declared {
  std::string type;
  SourceLocation next;
};
std::optional<Declared> declared_integer(Sources& sources, const SourceLocation& place, std::string_view variable) {
  constexpr std::array<std::string_view, 7> kTypes = {"unsigned", "signed", "char", "short", "int", "long", "_Bool"};
  const std::string_view line = sources.text_at({place.file, place.line, 1});
  std::string_view rest = sources.text_at(place);
  if (variable.empty() || !rest.starts_with(variable) || !rest.substr(variable.size()).starts_with(';')) return {};
  Declared made{{}, {place.file, place.line, place.column}};
  for (std::string_view before = line.substr(0, place.column - 1); !before.empty();) {
    const std::string_view word = before.substr(0, before.find_first_of(" \t"));
    before.remove_prefix(std::min(before.size(), word.size() + 1));
    if (word.empty()) continue;
    if (std::ranges::find(kTypes, word) == kTypes.end()) return {};
    made.type += made.type.empty() ? std::string(word) : fmt::format(" {}", word);
  }
  std::size_t skipped = variable.size() + 1;
  for (; skipped < rest.size() && std::isspace(static_cast<unsigned char>(rest[skipped])) != 0; ++skipped) {
    if (rest[skipped] != '\n') continue;
    ++made.next.line;
    made.next.column = 0;
    rest.remove_prefix(skipped);
    skipped = 0;
  }
  made.next.column += static_cast<std::uint32_t>(skipped);
  constexpr std::string_view kNoStatement = "}/#";
  if (made.type.empty() || skipped == rest.size() || kNoStatement.find(rest[skipped]) != kNoStatement.npos) return {};
  return made;
}

/// The waypoint that says the value of a variable that nothing set; empty if that has no form here.
std::string unset_waypoint(Sources& sources, const result::UnsetBytes& unset, const SourceLocation& created,
                           std::string_view indent) {
  // Waypoints follow each other, and none says which of several creations is meant.
  if (unset.creation > 0 || unset.offset > 0) return {};
  const std::string_view site = unset.site;
  const std::size_t end = site.rfind(':');
  const std::size_t begin = site.substr(0, end).rfind('.');
  if (end == site.npos || begin == site.npos) return {};
  const std::string_view variable = site.substr(begin + 1, end - begin - 1);
  const std::optional<Declared> declared = declared_integer(sources, sources.in_task(created), variable);
  const std::string value = declared ? constant({declared->type, unset.bytes}) : "";
  if (value.empty()) return {};
  return waypoint("assumption", fmt::format("{} == {}", variable, value), location(declared->next, {}, indent));
}

std::string datum(std::string_view key, std::string_view value) {
  return fmt::format("   <data key=\"{}\">{}</data>\n", key, result::xml_text(value));
}

/// Of a document in GraphML, up to the entry.
std::string graph_head(const WitnessTask& task, const std::string& time) {
  constexpr std::array<std::array<std::string_view, 3>, 18> kKeys = {{{"entry", "node", "boolean"},
                                                                      {"violation", "node", "boolean"},
                                                                      {"witness-type", "graph", "string"},
                                                                      {"sourcecodelang", "graph", "string"},
                                                                      {"producer", "graph", "string"},
                                                                      {"specification", "graph", "string"},
                                                                      {"programfile", "graph", "string"},
                                                                      {"programhash", "graph", "string"},
                                                                      {"architecture", "graph", "string"},
                                                                      {"creationtime", "graph", "string"},
                                                                      {"threadId", "edge", "int"},
                                                                      {"createThread", "edge", "int"},
                                                                      {"startline", "edge", "int"},
                                                                      {"originfile", "edge", "string"},
                                                                      {"enterFunction", "edge", "string"},
                                                                      {"assumption", "edge", "string"},
                                                                      {"assumption.scope", "edge", "string"},
                                                                      {"assumption.resultfunction", "edge", "string"}}};
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (const auto& [name, what, type] : kKeys)
    text += fmt::format(" <key id=\"{0}\" attr.name=\"{1}\" attr.type=\"{3}\" for=\"{2}\"{4}\n", name,
                        name == "entry"       ? "isEntryNode"
                        : name == "violation" ? "isViolationNode"
                                              : name,
                        what, type, type == "boolean" ? "><default>false</default></key>" : "/>");
  text += " <graph edgedefault=\"directed\">\n";
  text += datum("witness-type", "violation_witness") + datum("sourcecodelang", "C") +
          datum("producer", "Plumbline " + task.version) + datum("specification", task.specification);
  for (std::size_t i = 0; i < task.files.size() && i < task.hashes.size(); ++i)
    text += datum("programfile", task.files[i]) + datum("programhash", task.hashes[i]);
  text += datum("architecture", task.data_model == "ILP32" ? "32bit" : "64bit") + datum("creationtime", time);
  return text + "  <node id=\"N0\"><data key=\"entry\">true</data></node>\n";
}

}  // namespace

std::string violation_witness(const WitnessTask& task, const Counterexample& counterexample, const std::string& time,
                              std::uint64_t seed) {
  constexpr std::string_view kIndent = "        ";
  Sources sources(task);
  std::string text = metadata("violation_sequence", task, time, seed) + "  content:\n";
  std::size_t unset = 0;
  const auto add_unset_until = [&](std::size_t inputs) {
    for (; unset < counterexample.unset_places.size() && counterexample.unset_places[unset].second <= inputs; ++unset)
      text +=
          unset_waypoint(sources, counterexample.test.unset[unset], counterexample.unset_places[unset].first, kIndent);
  };
  for (std::size_t i = 0; i < counterexample.test.inputs.size() && i < counterexample.input_places.size(); ++i) {
    add_unset_until(i);
    const SourceLocation place = sources.in_task(counterexample.input_places[i]);
    const std::string value = constant(counterexample.test.inputs[i]);
    const std::string_view call = sources.text_at(place);
    if (value.empty() || place.line == 0 || fills_an_object(called_name(call))) continue;
    text +=
        waypoint("function_return", "\\result == " + value, location(closing_parenthesis(place, call), {}, kIndent));
  }
  add_unset_until(counterexample.test.inputs.size());
  SourceLocation target = sources.in_task(counterexample.failure);
  // Where it is no call, debug information has the place of an operator, not of the statement.
  if (called_name(sources.text_at(target)).empty()) target.column = 0;
  return text + waypoint("target", {}, location(target, counterexample.function, kIndent));
}

std::string concurrent_witness(const WitnessTask& task, const Counterexample& counterexample, const std::string& time) {
  Sources sources(task);
  std::string text = graph_head(task, time);
  std::set<std::size_t> seen;
  std::size_t node = 0, input = 0;
  for (const replay::LaneStep& step : counterexample.lanes) {
    const bool is_last = &step == &counterexample.lanes.back();
    text += fmt::format("  <edge source=\"N{}\" target=\"N{}\">\n", node, node + 1);
    text += datum("threadId", std::to_string(step.thread - 1));
    const SourceLocation place = sources.in_task(step.location);
    if (place.line != 0) text += datum("originfile", place.file) + datum("startline", std::to_string(place.line));
    if (step.what == "create") text += datum("createThread", std::to_string(step.other - 1));
    if (seen.insert(step.thread).second && step.thread == 1) text += datum("enterFunction", "main");
    if (step.what == "input" && input < counterexample.test.inputs.size()) {
      const std::string value = constant(counterexample.test.inputs[input++]);
      const std::string_view function = called_name(sources.text_at(place));
      if (!value.empty() && !function.empty() && !fills_an_object(function))
        text += datum("assumption", "\\result == " + value) + datum("assumption.scope", step.function) +
                datum("assumption.resultfunction", function);
    }
    text += "  </edge>\n";
    text += fmt::format("  <node id=\"N{}\">{}</node>\n", ++node, is_last ? "<data key=\"violation\">true</data>" : "");
  }
  return text + " </graph>\n</graphml>\n";
}

std::string correctness_witness(const WitnessTask& task, const std::vector<LoopInvariant>& invariants,
                                const std::string& time, std::uint64_t seed) {
  Sources sources(task);
  std::string text = metadata("invariant_set", task, time, seed);
  text += invariants.empty() ? "  content: []\n" : "  content:\n";
  for (const LoopInvariant& invariant : invariants) {
    text += "  - invariant:\n      type: \"loop_invariant\"\n";
    text += location(sources.in_task(invariant.location), invariant.function, "      ");
    text += fmt::format("      value: {}\n      format: \"c_expression\"\n", in_quotes(invariant.text));
  }
  return text;
}

}  // namespace plumb::check
