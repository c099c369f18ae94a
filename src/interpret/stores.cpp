#include <optional>

#include "interpret/handlers.h"
#include "interpret/machine.h"

namespace plumb::interpret {

using semantics::ObjectInfo;

namespace {

struct Write {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/// What the instruction is about to write.
std::optional<Write> write_of(const Decoded* at, Machine& m) {
  const Instruction& source = m.source(at);
  switch (source.kind) {
    case Kind::Store:
      return Write{m.low_word(m.operand(at, 0)), (m.width_of(m.operand(at, 1)) + 7) / 8};
    case Kind::CopyMemory:
    case Kind::FillMemory:
      return Write{m.low_word(m.operand(at, 0)), m.low_word(m.operand(at, 2))};
    case Kind::Intrinsic:
      if (source.intrinsic() == Intrinsic::MakeSymbolic) return Write{m.argument(at, 0), m.argument(at, 1)};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Decoded* Machine::step_and_tell(Decoded* at) {
  // Before an access to a thread-local variable its address is computed, in a Decoded of the same source.
  if (at->run == &plumb::interpret::thread_local_address) return step(at);
  const std::optional<Write> write = write_of(at, *this);
  if (!write || write->size == 0) return step(at);
  StoreEvent event;
  event.at = here(at);
  event.depth = static_cast<std::uint32_t>(thread->frames.size());
  Decoded* next = step(at);
  const auto place = memory.find(write->address, write->size, AccessKind::Write);
  if (!place) return next;  // a fault that the run went on after
  const ObjectInfo& info = memory.info(place->object);
  event.object_kind = info.kind;
  event.global = info.kind == ObjectKind::Global ? info.global : kNone;
  event.allocated = info.allocated;
  event.offset = place->offset;
  const std::uint8_t* bytes = memory.bytes(place->object).data() + place->offset;
  event.bytes.assign(bytes, bytes + write->size);
  options.on_store(event);
  return next;
}

}  // namespace plumb::interpret
