#include <fmt/format.h>

#include <cstring>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "term/narrow.h"

namespace plumb::interpret {

using program::kSignedIndex;
using program::Location;

namespace {

constexpr std::uint32_t bytes_of(std::uint32_t width) { return (width + 7) / 8; }

/// Of a type as wide as the access: one host instruction. The address is a slot or the immediate.
template <typename T, bool kConstantAddress>
Decoded* load(Decoded* at, std::uint64_t* slots, Machine& m) {
  const std::uint64_t address = kConstantAddress ? at->immediate : slots[at->a];
  T value;
  std::memcpy(&value, m.access(at, address, sizeof value, AccessKind::Read), sizeof value);
  slots[at->result] = value;
  return at + 1;
}

template <typename T, bool kConstantValue>
Decoded* store(Decoded* at, std::uint64_t* slots, Machine& m) {
  const T value = static_cast<T>(kConstantValue ? at->immediate : slots[at->b]);
  std::memcpy(m.access(at, m.word(at->a), sizeof value, AccessKind::Write), &value, sizeof value);
  return at + 1;
}

/// Of any width. Bits between the width and the next byte are stored as zeros and ignored when loaded.
Decoded* load_any(Decoded* at, std::uint64_t* slots, Machine& m) {
  const std::uint32_t words = words_of(at->width);
  const std::uint8_t* from = m.access(at, m.word(at->a), bytes_of(at->width), AccessKind::Read);
  std::uint64_t* to = slots + at->result;
  to[words - 1] = 0;
  std::memcpy(to, from, bytes_of(at->width));
  to[words - 1] &= term::narrow_mask((at->width - 1) % 64 + 1);
  return at + 1;
}

Decoded* store_any(Decoded* at, std::uint64_t* slots, Machine& m) {
  const std::uint64_t* from = (at->b & kPool) != 0 ? m.pool + (at->b & ~kPool) : slots + at->b;
  std::uint8_t* to = m.access(at, m.word(at->a), bytes_of(at->width), AccessKind::Write);
  std::memcpy(to, from, bytes_of(at->width));
  return at + 1;
}

template <bool kConstantAddress>
Handler load_of(std::uint32_t width) {
  switch (width) {
    case 8:
      return load<std::uint8_t, kConstantAddress>;
    case 16:
      return load<std::uint16_t, kConstantAddress>;
    case 32:
      return load<std::uint32_t, kConstantAddress>;
    case 64:
      return load<std::uint64_t, kConstantAddress>;
    default:
      return load_any;
  }
}

template <bool kConstantValue>
Handler store_of(std::uint32_t width) {
  switch (width) {
    case 8:
      return store<std::uint8_t, kConstantValue>;
    case 16:
      return store<std::uint16_t, kConstantValue>;
    case 32:
      return store<std::uint32_t, kConstantValue>;
    case 64:
      return store<std::uint64_t, kConstantValue>;
    default:
      return store_any;
  }
}

/// The last instruction of the address computation that the check belongs to, which has its place in the source; null
/// if the address is a constant.
Decoded* address_after(Decoded* check, Machine& m) {
  const FunctionCode& code = *m.frame().code;
  const Function& function = *code.function;
  const Location place = m.source(check).location;
  Decoded* found = nullptr;
  for (Decoded* d = check + 1; d != code.code.data() + code.code.size(); ++d) {
    const Instruction& next = function.instructions[d->source];
    const bool is_more = next.kind == Kind::Operator || (next.kind == Kind::CheckIndex && found == nullptr);
    if (!is_more || next.location != place) break;
    if (next.kind == Kind::Operator && next.op() == term::Op::Add && function.values[next.first_result].is_pointer)
      found = d;
  }
  return found;
}

}  // namespace

Handler load_handler(std::uint32_t width, bool is_constant_address) {
  return is_constant_address ? load_of<true>(width) : load_of<false>(width);
}

Handler store_handler(std::uint32_t width, bool is_constant_value) {
  return is_constant_value ? store_of<true>(width) : store_of<false>(width);
}

Decoded* allocate(Decoded* at, std::uint64_t* slots, Machine& m) {
  slots[at->result] = m.push_stack_object(at, m.here(at), m.word(at->a), m.source(at).parameter);
  return at + 1;
}

Decoded* copy_memory(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t size = m.word(at->b);
  // C wants valid pointers even here, but compilers emit such calls and no byte is touched.
  if (size == 0) return at + 1;
  const std::uint8_t* from = m.block(at, m.argument(at, 1), size, AccessKind::Read);
  std::uint8_t* to = m.block(at, m.word(at->a), size, AccessKind::Write);
  if (from != nullptr && to != nullptr) std::memmove(to, from, size);
  return at + 1;
}

Decoded* fill_memory(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t size = m.word(at->b);
  if (size == 0) return at + 1;
  std::uint8_t* to = m.block(at, m.word(at->a), size, AccessKind::Write);
  if (to != nullptr) std::memset(to, static_cast<int>(m.argument(at, 1)), size);
  return at + 1;
}

/// So that the access is not told of once more.
Decoded* go_nowhere(Decoded* check, std::uint64_t* slots, Machine& m) {
  const Decoded* last = address_after(check, m);
  Decoded* at = check + 1;
  if (last == nullptr) return at;
  while (at <= last) at = at->run(at, slots, m);
  slots[last->result] = m.nowhere();
  if (m.definedness != nullptr) m.definedness->set_slot_defined(last->result);
  return at;
}

Decoded* check_index(Decoded* at, std::uint64_t* slots, Machine& m) {
  const std::uint64_t index = m.word(at->a);
  const std::uint64_t count = m.word(at->b);
  if (index < count) [[likely]]
    return at + 1;
  const std::string text = (m.source(at).flags & kSignedIndex) != 0
                               ? std::to_string(term::narrow_signed(at->width, index))
                               : std::to_string(index);
  m.tell(at, FaultKind::ArrayOutOfBounds,
         fmt::format("index {} is outside of an array of {} element{}", text, count, count == 1 ? "" : "s"));
  return go_nowhere(at, slots, m);
}

Decoded* thread_local_address(Decoded* at, std::uint64_t* slots, Machine& m) {
  slots[at->result] =
      (m.thread_local_address(at->a) + at->immediate) & term::narrow_mask(m.program.layout.pointer_width);
  return at + 1;
}

}  // namespace plumb::interpret
