#include "result/defect/defect_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "result/defect/defect_kinds.h"
#include "result/json_text.h"
#include "result/test_text.h"

namespace plumb::result {
namespace {

constexpr std::size_t kInnermost = 24;
constexpr std::size_t kOutermost = 4;
/// In the line of a kind.
constexpr std::size_t kPlaces = 24;

std::string place_text(const SourceLocation& place) {
  const std::string text = utf8(place.to_string());
  return text.empty() ? "(place not known)" : text;
}

std::string function_text(const std::string& function) { return function.empty() ? "?" : utf8(function); }

std::string frame_text(std::size_t number, const StackFrame& frame, SourceLines& sources) {
  const std::string head = fmt::format("    #{} {} ", number, function_text(frame.function));
  if (frame.is_model) return head + "(library)\n";
  std::string text = head + place_text(frame.place) + "\n";
  if (const auto line = sources.shown(frame.place)) text += fmt::format("         {}\n", *line);
  return text;
}

std::string stack_text(std::span<const StackFrame> stack, SourceLines& sources) {
  const StackPart part = part_of_stack(stack);
  std::string text;
  for (std::size_t i = 0; i < part.shown.size(); ++i) {
    if (part.left_out > 0 && i == part.gap) text += fmt::format("    … {} more\n", part.left_out);
    text += frame_text(part.shown[i], stack[part.shown[i]], sources);
  }
  return text;
}

/// "20-byte heap object", "8-byte stack object 'buffer'".
std::string object_name(const DefectObject& object) {
  const std::string name = object.name.empty() ? std::string() : fmt::format(" '{}'", utf8(object.name));
  if (object.kind == "function") return "function" + name;
  return fmt::format("{}-byte {} object{}", object.size, object.kind, name);
}

std::string object_text(const DefectObject& object, SourceLines& sources) {
  const std::string word = object.kind == "heap" ? "allocated" : "declared";
  std::string text =
      fmt::format("  {}{}\n", object_name(object), object.allocated.empty() ? "" : fmt::format(" {} here:", word));
  text += stack_text(object.allocated, sources);
  if (!object.freed.empty()) text += "  freed here:\n" + stack_text(object.freed, sources);
  return text;
}

std::string lost_text(const Defect& defect, SourceLines& sources) {
  if (defect.lost_at.file.empty()) return {};
  std::string text = fmt::format("  the last pointer to it is lost at {}\n", place_text(defect.lost_at));
  if (const auto line = sources.shown(defect.lost_at)) text += fmt::format("         {}\n", *line);
  return text;
}

std::string input_text(const Defect& defect) {
  const std::size_t count = defect.test.inputs.size();
  const bool has_none = count == 0 && defect.test.environment == Environment{};
  std::string text = fmt::format("  confirmed by {}; shortest failing input", confirmation_text(defect));
  if (has_none) text += ": none";
  if (count > 0) text += count == 1 ? " (1 value)" : fmt::format(" ({} values)", count);
  if (!defect.file.empty()) text += fmt::format(", in {}", utf8(defect.file.string()));
  text += has_none ? "\n" : ":\n";
  text += to_text(defect.test);
  if (!defect.replay_command.empty()) text += fmt::format("  to see it again: {}\n", utf8(defect.replay_command));
  return text;
}

}  // namespace

StackPart part_of_stack(std::span<const StackFrame> stack) {
  StackPart part;
  if (stack.size() > kInnermost + kOutermost) {
    part.left_out = stack.size() - kInnermost - kOutermost;
    part.gap = kInnermost;
  }
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (part.left_out > 0 && i == kInnermost) i += part.left_out;
    part.shown.push_back(i);
  }
  return part;
}

std::string confirmation_text(const Defect& defect) {
  constexpr std::string_view kNative = "native replay: ";
  if (defect.shown_by.starts_with(kNative))
    return fmt::format("a native replay ({})", utf8(defect.shown_by.substr(kNative.size())));
  if (defect.shown_by == "interpreter") return "the interpreter, which checks every access";
  if (defect.shown_by == "checked build") return "a native replay with checks";
  return utf8(defect.shown_by);
}

std::string to_line(const Defect& defect) {
  return fmt::format("{} at {} in {}: {}", defect.kind, place_text(defect.place), function_text(defect.function),
                     utf8(defect.message));
}

std::string kinds_text(std::span<const Defect* const> defects, std::size_t width) {
  std::vector<std::string_view> kinds;
  for (const DefectKind& kind : defect_kinds()) kinds.push_back(kind.id);
  for (const Defect* defect : defects)
    if (std::ranges::find(kinds, defect->kind) == kinds.end()) kinds.push_back(defect->kind);
  std::string text;
  for (const std::string_view kind : kinds) {
    std::vector<std::string> places;
    for (const Defect* defect : defects) {
      if (defect->kind != kind) continue;
      std::string place = place_text({defect->place.file, defect->place.line, 0});
      if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
    }
    if (places.empty()) continue;
    const std::size_t left_out = places.size() > kPlaces ? places.size() - kPlaces : 0;
    places.resize(places.size() - left_out);
    text += fmt::format("{:<{}}{}{}\n", kind, width, fmt::join(places, ", "),
                        left_out == 0 ? "" : fmt::format(" and {} more", left_out));
  }
  return text;
}

std::string to_text_without_input(const Defect& defect, SourceLines& sources) {
  std::string text = fmt::format("defect: {}\n", to_line(defect));
  text += stack_text(defect.stack, sources);
  if (!defect.note.empty())
    text += fmt::format("  {}: {}\n", defect.stack.empty() ? "without a call stack" : "note", utf8(defect.note));
  if (defect.object) text += object_text(*defect.object, sources);
  text += lost_text(defect, sources);
  if (defect.is_after_another) text += "  the run had another defect before, of which this may be a consequence\n";
  return text;
}

std::string to_text(const Defect& defect, SourceLines& sources) {
  return to_text_without_input(defect, sources) + input_text(defect);
}

}  // namespace plumb::result
