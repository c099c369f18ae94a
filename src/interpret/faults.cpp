#include <fmt/format.h>

#include "interpret/machine.h"

namespace plumb::interpret {

using program::describe;
using semantics::ObjectInfo;

std::vector<CodePoint> Machine::stack(const Decoded* at, std::size_t most) {
  std::vector<CodePoint> points;
  const Decoded* position = at;
  for (auto frame = thread->frames.rbegin(); frame != thread->frames.rend() && position != nullptr; ++frame) {
    if (points.size() == most) break;
    points.push_back({frame->code->id, position->source});
    position = frame->call;
  }
  return points;
}

namespace {

Fault made(FaultKind kind, std::string message) {
  Fault fault;
  fault.kind = kind;
  fault.message = std::move(message);
  return fault;
}

}  // namespace

bool Machine::is_let_pass(const Decoded* at, Fault& fault) {
  name_object(fault);
  if (fault.object_kind) add_stacks(fault);
  return options.on_fault && options.on_fault(fault, stack(at));
}

void Machine::fault(const Decoded* at, Fault fault) {
  is_let_pass(at, fault);
  result.faults = {std::move(fault)};
  end(at, RunResult::End::Fault, {});
}

void Machine::fault(const Decoded* at, FaultKind kind, std::string message) {
  fault(at, made(kind, std::move(message)));
}

void Machine::tell(const Decoded* at, Fault fault) {
  if (is_let_pass(at, fault)) return;
  result.faults = {std::move(fault)};
  end(at, RunResult::End::Fault, {});
}

void Machine::tell(const Decoded* at, FaultKind kind, std::string message) { tell(at, made(kind, std::move(message))); }

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

void Machine::add_stacks(Fault& fault) {
  const std::optional<ObjectId> object = memory.object_at(fault.address - static_cast<std::uint64_t>(fault.offset));
  const auto kept = object ? kept_stacks.find(*object) : kept_stacks.end();
  if (kept == kept_stacks.end()) return;
  fault.allocation_stack = kept->second.allocated;
  fault.free_stack = kept->second.freed;
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

}  // namespace plumb::interpret
