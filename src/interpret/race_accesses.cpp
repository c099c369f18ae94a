#include <fmt/format.h>

#include "interpret/machine.h"
#include "interpret/touches.h"
#include "semantics/exchange.h"

namespace plumb::interpret {

using program::kAcquire;
using program::kAtomic;
using program::kRelease;

namespace {

Touches touches_of_intrinsic(const Decoded* at, Machine& m) {
  const auto whole = [&](std::uint64_t address) {
    const std::optional<ObjectId> object = m.memory.object_at(address);
    return Touch{address, object && m.base(*object) == address ? m.memory.info(*object).size : 0, true};
  };
  switch (m.source(at).intrinsic()) {
    case Intrinsic::MakeSymbolic:
      return {Touch{m.argument(at, 0), m.argument(at, 1), true}};
    case Intrinsic::HostRead:
      return {Touch{m.argument(at, 1), m.argument(at, 2), true}};
    case Intrinsic::HostWrite:
      return {Touch{m.argument(at, 1), m.argument(at, 2), false}};
    case Intrinsic::ThreadCreate:
      return {Touch{m.argument(at, 0), m.pointer_bytes(), true}};
    case Intrinsic::Free:
    case Intrinsic::Realloc:
      return {whole(m.argument(at, 0))};
    default:
      return {};
  }
}

}  // namespace

Touches touches_of(const Decoded* at, Machine& m) {
  const Instruction& i = m.source(at);
  const auto word = [&](std::uint32_t operand) { return m.low_word(m.operand(at, operand)); };
  switch (i.kind) {
    case Kind::Load:
      return {Touch{word(0), (m.width_of(i.first_result) + 7) / 8, false}};
    case Kind::Store:
      return {Touch{word(0), (m.width_of(m.operand(at, 1)) + 7) / 8, true}};
    case Kind::CopyMemory:
      return {Touch{word(1), word(2), false}, Touch{word(0), word(2), true}};
    case Kind::FillMemory:
      return {Touch{word(0), word(2), true}};
    default:
      return touches_of_intrinsic(at, m);
  }
}

namespace {

std::string describe_access(bool is_write, bool is_free) { return is_free ? "free" : is_write ? "write" : "read"; }

bool is_free(const Instruction& i) {
  return i.kind == Kind::Intrinsic && (i.intrinsic() == Intrinsic::Free || i.intrinsic() == Intrinsic::Realloc);
}

/// Nobody but the library knows it.
bool is_of_library(Machine& m, const Touch& touch) {
  const std::optional<ObjectId> object = m.memory.object_at(touch.address);
  if (!object) return true;
  const semantics::ObjectInfo& info = m.memory.info(*object);
  return info.kind == ObjectKind::Global && info.global != kNone && m.program.globals[info.global].is_model;
}

/// An exchange whose comparison fails has only read.
bool is_failed_exchange(const Decoded* at, Machine& m) {
  if (m.races->section(m.thread->index) != Races::Section::Operation) return false;
  const std::optional<ValueId> success = semantics::success_of_exchange(*m.frame().code->function, m.source(at));
  return success && m.low_word(*success) == 0;
}

void order_atomic(const Decoded* at, Machine& m, const Touch& touch) {
  const Instruction& i = m.source(at);
  const std::size_t self = m.thread->index;
  const bool is_update = m.races->section(self).has_value();
  const bool is_plain = (i.flags & kAtomic) == 0;  // in a section of a model
  if (touch.is_write) {
    m.races->atomic_write(self, touch.address, is_plain || (i.flags & kRelease) != 0, is_update);
  } else {
    m.races->atomic_read(self, touch.address, is_plain || (i.flags & kAcquire) != 0);
  }
}

}  // namespace

void Machine::find_races(Decoded* at) {
  if (threads.size() == 1) return;
  const Instruction& i = source(at);
  const std::size_t self = thread->index;
  if (i.kind == Kind::Intrinsic && i.intrinsic() == Intrinsic::Fence) {
    races->fence(self, (i.flags & kAcquire) != 0, (i.flags & kRelease) != 0);
    return;
  }
  const bool is_atomic = (i.flags & kAtomic) != 0 || races->section(self) == Races::Section::Model;
  for (const Touch& touch : touches_of(at, *this)) {
    if (touch.size == 0 || is_of_library(*this, touch)) continue;
    if (is_atomic) order_atomic(at, *this, touch);
    const bool is_write = touch.is_write && !is_failed_exchange(at, *this);
    const std::optional<Races::Race> race =
        races->access(self, {touch.address, touch.size, is_write, is_atomic, users_point(at)});
    if (!race) continue;
    const auto place = [&](CodePoint point) {
      const Function& function = program.functions[point.function];
      return fmt::format("{} in {}", program.describe(function.instructions[point.instruction].location).to_string(),
                         function.name);
    };
    tell(at, FaultKind::DataRace,
         fmt::format("{} of {} by thread {}, and {} by thread {} at {}: nothing orders the two",
                     describe_access(touch.is_write, is_free(i)), describe_address(touch.address), self + 1,
                     describe_access(race->is_write, false), race->thread + 1, place(race->at)));
  }
}

}  // namespace plumb::interpret
