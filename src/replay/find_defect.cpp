#include "replay/find_defect.h"

#include <algorithm>
#include <array>

namespace plumb::replay {
namespace {

using program::FaultKind;
using result::Defect;

/// The code that did it; of a leak, that allocated.
const std::vector<result::StackFrame>& deciding_stack(const Defect& defect) {
  return defect.stack.empty() && defect.object ? defect.object->allocated : defect.stack;
}

bool is_same_line(const SourceLocation& a, const SourceLocation& b) {
  return a.line == b.line && is_same_file(a.file, b.file);
}

bool is_on_line(const Defect& defect, const SourceLocation& place) {
  const std::vector<result::StackFrame>& stack = deciding_stack(defect);
  return is_same_line(defect.place, place) || (!stack.empty() && is_same_line(stack.front().place, place));
}

bool is_at(const Defect& defect, const SourceLocation& place) {
  const std::vector<result::StackFrame>& stack = deciding_stack(defect);
  return is_on_line(defect, place) &&
         (defect.place.column == place.column || (!stack.empty() && stack.front().place.column == place.column));
}

}  // namespace

bool is_wrong_address(std::string_view kind) {
  using enum FaultKind;
  return std::ranges::any_of(
      std::array{ArrayOutOfBounds, PointerOutOfBounds, ArrayPointerOutOfBounds, UseAfterFree, UseAfterReturn,
                 UseAfterScope, NullDereference, UninitialisedPointer, InvalidPointer, InvalidCall},
      [kind](FaultKind each) { return name(each) == kind; });
}

bool is_same_file(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  if (a.size() < b.size()) std::swap(a, b);
  if (!a.ends_with(b)) return false;
  return a.size() == b.size() || b.front() == '/' || a[a.size() - b.size() - 1] == '/';
}

const Defect* find_defect(const Replay& replay, const SoughtDefect& sought) {
  const auto first = [&](const auto& is_it) -> const Defect* {
    const auto found = std::ranges::find_if(replay.defects, is_it);
    return found == replay.defects.end() ? nullptr : &*found;
  };
  const std::string_view kind = name(sought.kind);
  const auto is_of_kind = [&](const Defect& defect) { return defect.kind == kind; };
  if (const Defect* exact = first([&](const Defect& d) { return is_of_kind(d) && is_at(d, sought.place); }))
    return exact;
  if (const Defect* near = first([&](const Defect& d) { return is_of_kind(d) && is_on_line(d, sought.place); }))
    return near;
  if (sought.place.file.empty() || sought.is_in_model)
    if (const Defect* any = first(is_of_kind)) return any;
  if (!is_wrong_address(kind)) return nullptr;
  return first([&](const Defect& d) { return is_wrong_address(d.kind) && is_at(d, sought.place); });
}

}  // namespace plumb::replay
