#include "interpret/definedness.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpret/machine.h"

namespace plumb::interpret {

using program::Value;
using program::ValueKind;
using semantics::ObjectInfo;

namespace {

constexpr std::uint32_t bytes_of(std::uint32_t width) { return (width + 7) / 8; }

}  // namespace

bool Definedness::Words::is_any() const noexcept {
  return std::ranges::any_of(bits, [](std::uint64_t word) { return word != 0; });
}

Undefinedness Definedness::of(ValueId value) const {
  const FunctionCode& code = *m_.frame().code;
  const Value& described = code.function->values[value];
  if (described.kind == ValueKind::Undefined) return {BitVector::ones(described.width), {kNone, code.id, value}};
  const Operand first = code.operand_of[value];
  if ((first & kPool) != 0) return {BitVector(described.width, 0), {}};
  const std::size_t slot = m_.frame().base + first;
  const Thread& t = *m_.thread;
  const std::span<const std::uint64_t> words(t.undefined.data() + slot, words_of(described.width));
  Undefinedness found{BitVector::from_words(described.width, words), {}};
  for (std::size_t i = 0; i < words.size() && found.is_any(); ++i)
    if (words[i] != 0) found.origin = t.origins[slot + i];
  return found;
}

void Definedness::set(ValueId value, const Undefinedness& undefined) {
  const std::size_t slot = m_.frame().base + m_.frame().code->operand_of[value];
  Thread& t = *m_.thread;
  for (std::size_t i = 0; i < undefined.bits.word_count(); ++i) {
    t.undefined[slot + i] = undefined.bits.word(i);
    t.origins[slot + i] = undefined.origin;
  }
}

void Definedness::set_slot_defined(std::uint32_t slot) { m_.thread->undefined[m_.frame().base + slot] = 0; }

void Definedness::take_edge(const Edge& edge) {
  const Function& function = *m_.frame().code->function;
  const std::span<const ValueId> given = function.arguments_of(edge);
  std::vector<Undefinedness> all;
  all.reserve(given.size());
  for (const ValueId v : given) all.push_back(of(v));
  for (std::size_t i = 0; i < given.size(); ++i) set(function.blocks[edge.target].arguments[i], all[i]);
}

void Definedness::enter_frame() {
  Thread& t = *m_.thread;
  t.undefined.resize(t.slots.size());
  t.origins.resize(t.slots.size());
  const auto first = t.undefined.begin() + static_cast<std::ptrdiff_t>(t.frames.back().base);
  std::fill_n(first, t.frames.back().code->slot_count, 0);
}

Definedness::Words Definedness::words(std::span<const ValueId> values) const {
  Words made;
  for (const ValueId v : values) {
    const Undefinedness undefined = of(v);
    for (const std::uint64_t word : undefined.bits.words()) {
      made.bits.push_back(word);
      made.origins.push_back(undefined.origin);
    }
  }
  return made;
}

void Definedness::set_words(std::size_t first_slot, const Words& words, std::size_t from, std::size_t count) {
  Thread& t = *m_.thread;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_given = from + i < words.bits.size();
    t.undefined[first_slot + i] = is_given ? words.bits[from + i] : 0;
    t.origins[first_slot + i] = is_given ? words.origins[from + i] : Origin{};
  }
}

void Definedness::make(ObjectId object, std::uint64_t size, bool is_written) {
  if (object >= objects_.size()) objects_.resize(object + 1);
  objects_[object].assign(is_written ? 0 : size, 0xFF);
}

void Definedness::define(ObjectId object, std::uint64_t offset, std::uint64_t size) {
  if (object >= objects_.size() || objects_[object].empty()) return;
  std::fill_n(objects_[object].begin() + static_cast<std::ptrdiff_t>(offset), size, 0);
}

void Definedness::keep(ObjectId from, ObjectId to, std::uint64_t size) {
  define(to, 0, size);
  if (from < objects_.size() && !objects_[from].empty())
    std::copy_n(objects_[from].begin(), size, objects_[to].begin());
}

std::vector<std::uint8_t> Definedness::bits(std::uint64_t address, std::uint64_t size) const {
  const auto place = m_.memory.find(address, size, AccessKind::Read);
  if (!place || place->object >= objects_.size() || objects_[place->object].empty()) return {};
  const auto first = objects_[place->object].begin() + static_cast<std::ptrdiff_t>(place->offset);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

Undefinedness Definedness::load(std::uint64_t address, std::uint32_t width) const {
  const std::vector<std::uint8_t> found = bits(address, bytes_of(width));
  std::vector<std::uint64_t> words(words_of(width));
  for (std::size_t i = 0; i < found.size(); ++i) words[i / 8] |= std::uint64_t{found[i]} << (i % 8 * 8);
  Undefinedness made{BitVector::from_words(width, words), {}};
  if (made.is_any()) made.origin.object = *m_.memory.object_at(address);
  return made;
}

void Definedness::store(std::uint64_t address, const Undefinedness& undefined) {
  if (!undefined.is_any()) return;  // the access said that it is written
  std::vector<std::uint8_t> made(bytes_of(undefined.bits.width()));
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<std::uint8_t>(undefined.bits.word(i / 8) >> (i % 8 * 8));
  store_bits(address, made);
}

void Definedness::store_bits(std::uint64_t address, std::span<const std::uint8_t> bits) {
  const auto place = m_.memory.find(address, bits.size(), AccessKind::Write);
  if (!place || bits.empty()) return;
  if (place->object >= objects_.size()) objects_.resize(place->object + 1);
  std::vector<std::uint8_t>& of_object = objects_[place->object];
  if (of_object.empty()) of_object.resize(m_.memory.info(place->object).size);
  std::ranges::copy(bits, of_object.begin() + static_cast<std::ptrdiff_t>(place->offset));
}

std::string Definedness::variable(const Origin& origin) const {
  return origin.function == kNone ? "" : m_.program.functions[origin.function].value_names[origin.value];
}

void Definedness::tell(const Decoded* at, const Origin& origin, std::string_view what) {
  Fault fault;
  fault.kind = FaultKind::UninitialisedRead;
  if (origin.object != kNone) {
    const ObjectInfo& info = m_.memory.info(origin.object);
    fault.object_kind = info.kind;
    fault.object_size = info.size;
    fault.address = info.base;
    fault.allocated = info.allocated;
    fault.freed = info.freed;
    m_.name_object(fault);
  } else if (std::string name = variable(origin); !name.empty()) {
    fault.object_kind = ObjectKind::Stack;
    fault.object_name = std::move(name);
    fault.object_size = bytes_of(m_.program.functions[origin.function].values[origin.value].width);
  }
  fault.message = fmt::format("{} depends on a value that was never written", what);
  if (fault.object_kind) {
    const std::string quoted = fault.object_name.empty() ? "" : fmt::format(" '{}'", fault.object_name);
    fault.message += fmt::format(", of a {} object{} of {} byte{}", name(*fault.object_kind), quoted, fault.object_size,
                                 fault.object_size == 1 ? "" : "s");
  }
  m_.tell(at, std::move(fault));
}

bool Definedness::check(const Decoded* at, ValueId value, std::string_view what) {
  const Undefinedness undefined = of(value);
  if (!undefined.is_any()) return false;
  tell(at, undefined.origin, what);
  if (m_.frame().code->function->values[value].kind != ValueKind::Undefined)
    set(value, {BitVector(undefined.bits.width(), 0), {}});
  return true;
}

bool Definedness::check_memory(const Decoded* at, std::uint64_t address, std::uint64_t size, std::string_view what) {
  const std::vector<std::uint8_t> found = bits(address, size);
  if (std::ranges::none_of(found, [](std::uint8_t byte) { return byte != 0; })) return false;
  const ObjectId object = *m_.memory.object_at(address);
  tell(at, {object, kNone, kNone}, what);
  define(object, address - m_.base(object), size);
  return true;
}

}  // namespace plumb::interpret
