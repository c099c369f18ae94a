#include "cli/defect_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/program_options.h"

namespace plumb::cli {
namespace {

using program::CodePoint;
using program::Program;

/// Of a deep stack, its two ends.
constexpr std::size_t kInnermost = 24;
constexpr std::size_t kOutermost = 4;

bool is_known(CodePoint point) { return point.function != program::kNone; }

std::string function_name(const Program& program, CodePoint point) {
  return is_known(point) ? program.functions[point.function].name : "?";
}

std::string place_text(const Program& program, CodePoint point) {
  const std::string place = place_of(program, point).to_string();
  return place.empty() ? "(place not known)" : place;
}

/// How many calls between the two ends are left out.
std::size_t left_out(std::span<const CodePoint> stack) {
  return stack.size() > kInnermost + kOutermost ? stack.size() - kInnermost - kOutermost : 0;
}

/// Which calls are shown.
std::vector<std::size_t> shown(std::span<const CodePoint> stack) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (i == kInnermost) i += left_out(stack);
    places.push_back(i);
  }
  return places;
}

std::string stack_text(const Program& program, std::span<const CodePoint> stack) {
  std::string text;
  for (const std::size_t i : shown(stack)) {
    if (i == kInnermost + left_out(stack) && i != kInnermost) text += fmt::format("    … {} more\n", left_out(stack));
    text += fmt::format("    #{} {} {}\n", i, function_name(program, stack[i]), place_text(program, stack[i]));
  }
  return text;
}

std::string object_text(const Program& program, const program::Fault& fault) {
  if (!fault.object_kind) return {};
  const bool is_function = *fault.object_kind == program::ObjectKind::Function;
  const std::string what = fault.object_name.empty() ? std::string() : fmt::format(" '{}'", fault.object_name);
  std::string text = is_function ? fmt::format("  the function{}\n", what)
                                 : fmt::format("  the {} object{} of {} byte{}\n", name(*fault.object_kind), what,
                                               fault.object_size, fault.object_size == 1 ? "" : "s");
  for (const auto& [word, point] : {std::pair{"allocated", fault.allocated}, std::pair{"freed", fault.freed}})
    if (is_known(point))
      text += fmt::format("    {} in {} {}\n", word, function_name(program, point), place_text(program, point));
  return text;
}

nlohmann::ordered_json point_object(const Program& program, CodePoint point) {
  nlohmann::ordered_json object = {{"function", utf8(function_name(program, point))}};
  put_place(object, place_of(program, point));
  return object;
}

}  // namespace

SourceLocation place_of(const Program& program, CodePoint point) {
  if (!is_known(point)) return {};
  const program::Function& function = program.functions[point.function];
  if (point.instruction < function.instructions.size()) {
    const program::Location& location = function.instructions[point.instruction].location;
    if (location.is_known()) return program.describe(location);
  }
  return program.describe(function.location);
}

CodePoint blamed_point(const Program& program, const Defect& defect) {
  if (defect.stack.empty() || defect.fault.kind == program::FaultKind::Leak) return defect.fault.allocated;
  const auto is_users = [&](CodePoint point) { return is_known(point) && !program.functions[point.function].is_model; };
  const auto found = std::ranges::find_if(defect.stack, is_users);
  return found == defect.stack.end() ? defect.stack.front() : *found;
}

std::string to_line(const Program& program, const Defect& defect) {
  const CodePoint point = blamed_point(program, defect);
  return fmt::format("{} at {} in {}: {}", name(defect.fault.kind), place_text(program, point),
                     function_name(program, point), defect.fault.message);
}

std::string to_text(const Program& program, const Defect& defect) {
  const bool is_leak = defect.fault.kind == program::FaultKind::Leak;
  return fmt::format("defect: {}\n{}{}", to_line(program, defect),
                     is_leak ? std::string() : stack_text(program, defect.stack), object_text(program, defect.fault));
}

nlohmann::ordered_json to_json(const Program& program, const Defect& defect) {
  const program::Fault& fault = defect.fault;
  const CodePoint point = blamed_point(program, defect);
  nlohmann::ordered_json object = {{"kind", name(fault.kind)}};
  put_place(object, place_of(program, point));
  object["function"] = utf8(function_name(program, point));
  object["message"] = utf8(fault.message);
  nlohmann::ordered_json stack = nlohmann::ordered_json::array();
  for (const std::size_t i : shown(defect.stack)) stack.push_back(point_object(program, defect.stack[i]));
  object["stack"] = std::move(stack);
  if (left_out(defect.stack) > 0) {
    object["stack_left_out"] = {{"after", kInnermost}, {"count", left_out(defect.stack)}};
  }
  if (fault.object_kind) {
    nlohmann::ordered_json described = {{"kind", name(*fault.object_kind)}, {"size", fault.object_size}};
    if (!fault.object_name.empty()) described["name"] = utf8(fault.object_name);
    described["offset"] = fault.offset;
    if (is_known(fault.allocated)) described["allocated"] = point_object(program, fault.allocated);
    if (is_known(fault.freed)) described["freed"] = point_object(program, fault.freed);
    object["object"] = std::move(described);
  }
  return object;
}

}  // namespace plumb::cli
