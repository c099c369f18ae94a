// What InterpreterOptions::on_operation is told. An operation is told of when the next one begins or the run ends: then
// it is known what it left in memory, and whether it was taken back.

#include <algorithm>

#include "interpret/machine.h"
#include "interpret/touches.h"

namespace plumb::interpret {

namespace {

constexpr std::uint64_t kMostBytes = 16;

std::optional<TouchedMemory> described(Machine& m, const Touch& touch) {
  const std::optional<ObjectId> object = m.memory.object_at(touch.address);
  if (!object) return std::nullopt;
  const semantics::ObjectInfo& info = m.memory.info(*object);
  if (info.life != Life::Live) return std::nullopt;
  TouchedMemory made;
  made.address = touch.address;
  made.size = touch.size;
  made.is_write = touch.is_write;
  made.object_kind = info.kind;
  made.global = info.kind == ObjectKind::Global ? info.global : kNone;
  made.allocated = info.allocated;
  made.offset = touch.address - info.base;
  return made;
}

/// Of the user's function, which need not be the one that runs.
std::uint64_t first_argument(const Thread& thread, const Frame& user, InstructionId call) {
  const Function& function = *user.code->function;
  const Instruction& i = function.instructions[call];
  const std::uint32_t first = i.kind == Kind::CallIndirect ? 1 : 0;
  if (i.kind != Kind::Call && i.kind != Kind::CallIndirect && i.kind != Kind::Intrinsic) return 0;
  if (i.operand_count <= first) return 0;
  const Operand operand = user.code->operand_of[function.operands[i.first_operand + first]];
  return (operand & kPool) != 0 ? user.code->pool[operand & ~kPool] : thread.slots[user.base + operand];
}

}  // namespace

OperationEvent Machine::event_at(OperationEvent::Kind kind, const Decoded* at) {
  OperationEvent event;
  event.kind = kind;
  event.thread = thread->index;
  if (at == nullptr || thread->frames.empty()) return event;
  event.at = event.user = here(at);
  event.depth = thread->frames.size() - 1;
  const Decoded* position = at;
  for (std::size_t i = thread->frames.size(); i-- > 0 && position != nullptr; position = thread->frames[i].call) {
    const Frame& frame = thread->frames[i];
    if (frame.code->function->is_model) continue;
    event.user = {frame.code->id, position->source};
    event.depth = i;
    event.argument = first_argument(*thread, frame, position->source);
    if (event.argument != 0) event.subject = described(*this, Touch{event.argument});
    break;
  }
  return event;
}

void Machine::tell_operation() {
  if (!shown) return;
  OperationEvent event = std::move(*shown);
  shown.reset();
  event.taken_back = shown_before > result.operations ? shown_before - result.operations : 0;
  for (std::optional<TouchedMemory>& touched : event.memory) {
    if (!touched || event.taken_back > 0) continue;
    const auto place = memory.find(touched->address, touched->size, AccessKind::Read);
    if (!place) continue;
    const std::uint8_t* bytes = memory.bytes(place->object).data() + place->offset;
    touched->bytes.assign(bytes, bytes + std::min(touched->size, kMostBytes));
  }
  options.on_operation(event);
}

void Machine::tell_of(OperationEvent::Kind kind, const Decoded* at) {
  if (!options.on_operation || (scheduler == nullptr && races == nullptr)) return;
  if (kind != OperationEvent::Kind::Input) tell_operation();
  options.on_operation(event_at(kind, at));
}

void Machine::begin_operation(const Decoded* at) {
  shown = event_at(OperationEvent::Kind::Operation, at);
  shown_before = result.operations;
  shown->is_in_section = thread->is_in_update;
  const Instruction& i = source(at);
  if (i.kind == Kind::Intrinsic && (i.flags & program::kSynthetic) != 0) {
    if (i.intrinsic() == Intrinsic::AtomicBegin) thread->is_in_update = true;
    if (i.intrinsic() == Intrinsic::AtomicEnd) thread->is_in_update = false;
  }
  const Touches touches = touches_of(at, *this);
  for (std::size_t t = 0; t < touches.size(); ++t)
    if (touches[t].size > 0) shown->memory[t] = described(*this, touches[t]);
}

}  // namespace plumb::interpret
