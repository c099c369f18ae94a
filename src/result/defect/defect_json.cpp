#include "result/defect/defect_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "result/defect/defect_text.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

nlohmann::ordered_json frame_object(const StackFrame& frame) {
  nlohmann::ordered_json object = {{"function", utf8(frame.function.empty() ? "?" : frame.function)}};
  put_place(object, frame.place);
  if (frame.is_model) object["library"] = true;
  return object;
}

nlohmann::ordered_json frames(std::span<const StackFrame> stack) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::size_t i : part_of_stack(stack).shown) list.push_back(frame_object(stack[i]));
  return list;
}

/// Where a user would look: the innermost call in their own code.
const StackFrame& users_frame(std::span<const StackFrame> stack) {
  const auto found = std::ranges::find(stack, false, &StackFrame::is_model);
  return found == stack.end() ? stack.front() : *found;
}

nlohmann::ordered_json object_of(const Defect& defect) {
  const DefectObject& object = *defect.object;
  nlohmann::ordered_json described = {{"kind", object.kind}, {"size", object.size}};
  if (!object.name.empty()) described["name"] = utf8(object.name);
  if (defect.access) described["offset"] = defect.access->offset;
  for (const auto& [name, stack] :
       {std::pair<std::string, const std::vector<StackFrame>&>{"allocated", object.allocated},
        {"freed", object.freed}}) {
    if (stack.empty()) continue;
    described[name] = frame_object(users_frame(stack));
    described[name + "_stack"] = frames(stack);
  }
  return described;
}

std::string confirmed_by(const Defect& defect) {
  if (defect.shown_by == "interpreter")
    return "the interpreter, which checks every access; the native run need not fail";
  return defect.shown_by == "checked build" ? "native replay with checks" : utf8(defect.shown_by);
}

void put_test(nlohmann::ordered_json& object, const TestCase& test) {
  nlohmann::ordered_json text = nlohmann::ordered_json::parse(to_json(test));
  object["failing_inputs"] = std::move(text["inputs"]);
  if (text.contains("environment")) object["failing_environment"] = std::move(text["environment"]);
}

}  // namespace

nlohmann::ordered_json to_json(const Defect& defect) {
  nlohmann::ordered_json object = {{"kind", defect.kind}};
  put_place(object, defect.place);
  if (!defect.function.empty()) object["function"] = utf8(defect.function);
  object["message"] = utf8(defect.message);
  object["stack"] = frames(defect.stack);
  if (const StackPart part = part_of_stack(defect.stack); part.left_out > 0)
    object["stack_left_out"] = {{"after", part.gap}, {"count", part.left_out}};
  if (!defect.note.empty()) object[defect.stack.empty() ? "stack_missing" : "note"] = utf8(defect.note);
  if (defect.access)
    object["access"] = {{"kind", defect.access->is_write ? "write" : "read"},
                        {"offset", defect.access->offset},
                        {"size", defect.access->size}};
  if (defect.object) object["object"] = object_of(defect);
  if (!defect.lost_at.file.empty()) put_place(object["lost_at"], defect.lost_at);
  if (defect.is_after_another) object["after_another"] = true;
  if (defect.suppressed) {
    object["suppressed"] = {{"in_source", defect.suppressed->is_in_source}, {"text", utf8(defect.suppressed->text)}};
    put_place(object["suppressed"], defect.suppressed->by);
  }
  if (!defect.file.empty()) object["test"] = utf8(defect.file.string());
  if (!defect.shown_by.empty()) object["confirmed_by"] = confirmed_by(defect);
  if (!defect.replay_command.empty()) object["replay"] = utf8(defect.replay_command);
  put_test(object, defect.test);
  return object;
}

}  // namespace plumb::result
