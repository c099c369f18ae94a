#include <fmt/format.h>

#include "program/interpret/machine.h"

namespace plumb::program::interpret {

std::vector<CodePoint> Machine::stack(const Decoded* at) {
  std::vector<CodePoint> points;
  const Decoded* position = at;
  for (auto frame = thread->frames.rbegin(); frame != thread->frames.rend() && position != nullptr; ++frame) {
    points.push_back({frame->code->id, position->source});
    position = frame->call;
  }
  return points;
}

void Machine::fault(const Decoded* at, Fault fault) {
  name_object(fault);
  result.faults = {std::move(fault)};
  end(at, RunResult::End::Fault, {});
}

void Machine::fault(const Decoded* at, FaultKind kind, std::string message) {
  Fault made;
  made.kind = kind;
  made.message = std::move(message);
  fault(at, std::move(made));
}

void Machine::unsupported(const Decoded* at, std::string reason, std::string remedy) {
  result.remedy = std::move(remedy);
  end(at, RunResult::End::Unsupported, std::move(reason));
}

void Machine::end(const Decoded* at, RunResult::End end, std::string reason) {
  result.end = end;
  result.reason = std::move(reason);
  result.stack = stack(at);
  settle_count(at);
  throw Ended{};
}

void Machine::name_object(Fault& fault) {
  if (!fault.object_kind) return;
  const CodePoint site = fault.allocated;
  if (fault.object_kind == ObjectKind::Global && fault.object_global != kNone) {
    fault.object_name = program.globals[fault.object_global].name;
  } else if (fault.object_kind == ObjectKind::Function && fault.object_global != kNone) {
    fault.object_name = program.functions[fault.object_global].name;
  } else if (fault.object_kind == ObjectKind::Stack && site.instruction != kNone) {
    const Function& function = program.functions[site.function];
    const Instruction& allocate = function.instructions[site.instruction];
    if (allocate.kind == Kind::Allocate) fault.object_name = function.value_names[allocate.first_result];
  }
  if (!fault.object_name.empty()) fault.message = describe(fault);
}

std::string Machine::describe_address(std::uint64_t address) {
  const std::optional<ObjectId> object = memory.object_at(address);
  if (!object) return fmt::format("0x{:x}", address);
  const ObjectInfo& info = memory.info(*object);
  Fault named;
  named.object_kind = info.kind;
  named.object_global = info.global;
  named.allocated = info.allocated;
  name_object(named);
  if (named.object_name.empty()) return fmt::format("0x{:x} ({} object)", address, name(info.kind));
  if (address == info.base) return fmt::format("'{}'", named.object_name);
  return fmt::format("'{}' + {}", named.object_name, static_cast<std::int64_t>(address - info.base));
}

}  // namespace plumb::program::interpret
