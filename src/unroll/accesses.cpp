#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::Kind;

namespace {

/// Objects that a pointer may lead to of which nothing is known.
constexpr std::size_t kMaxUnclear = 64;
/// Bytes of a copy or fill whose size or offset is not known.
constexpr std::uint64_t kMaxVariable = 1024;

std::uint64_t bytes_of(std::uint32_t width) { return (width + 7) / 8; }

/// The largest power of two up to 8 that divides the size.
std::uint64_t word_of(std::uint64_t size) {
  for (std::uint64_t word = 8; word > 1; word /= 2)
    if (size % word == 0) return word;
  return 1;
}

}  // namespace

std::vector<Pointed::Target> Executor::targets(Activation& a, Term address, Term& nowhere) {
  const Pointed& pointed = world_.resolver.resolve(address);
  std::vector<Pointed::Target> found = pointed.targets;
  nowhere = pointed.nowhere;
  if (pointed.is_unclear) add_unclear(a, address, pointed, found, nowhere);
  for (const Pointed::Target& target : found)
    if (world_.has_unknown_size(target.object)) gap(a, target.when, "an object that is only declared, without a size");
  return found;
}

void Executor::add_unclear(Activation& a, Term address, const Pointed& pointed, std::vector<Pointed::Target>& found,
                           Term& nowhere) {
  std::vector<ObjectId> all;
  for (const ObjectId object : a.now.memory.objects())
    if (!terms_.is_false(a.now.memory.find(object)->is_alive)) all.push_back(object);
  if (all.size() > kMaxUnclear) {
    gap(a, pointed.unclear_when, "a pointer that could lead to too many objects");
    return;
  }
  Term left = pointed.unclear_when;
  for (const ObjectId object : all) {
    const Term offset = terms_.sub(address, world_.objects.address(object));
    const Term is_here = terms_.ule(offset, world_.pointer_constant(world_.objects[object].capacity));
    found.push_back({object, offset, terms_.bit_and(pointed.unclear_when, is_here)});
    left = terms_.bit_and(left, terms_.bit_not(is_here));
  }
  nowhere = terms_.bit_or(nowhere, left);
}

Term Executor::is_bad(const Activation& a, const Pointed::Target& target, Term size, bool is_write) {
  const Object& object = world_.objects[target.object];
  const MemoryState::Entry* entry = a.now.memory.find(target.object);
  if (entry == nullptr || object.kind == ObjectKind::Function || (is_write && object.is_constant))
    return terms_.boolean(true);
  const Term too_large = terms_.ult(object.size, size);
  const Term beyond = terms_.ult(terms_.sub(object.size, size), target.offset);
  return terms_.bit_or(terms_.bit_not(entry->is_alive), terms_.bit_or(too_large, beyond));
}

Executor::Checked Executor::checked_targets(Activation& a, Term address, Term size, bool is_write) {
  Checked checked;
  for (const Pointed::Target& target : targets(a, address, checked.violation)) {
    const Term bad = is_bad(a, target, size, is_write);
    checked.violation = terms_.bit_or(checked.violation, terms_.bit_and(target.when, bad));
    if (!terms_.is_true(bad)) checked.good.push_back(target);
  }
  checked.violation = terms_.bit_and(checked.violation, terms_.bit_not(terms_.eq(size, world_.pointer_constant(0))));
  // A pointer that leads to one object alone needs no choice, since the others end the run.
  if (checked.good.size() == 1) checked.good[0].when = terms_.boolean(true);
  return checked;
}

Term Executor::is_kept(const Pointed::Target& target, Term size) {
  const Object& object = world_.objects[target.object];
  if (!object.is_larger) return terms_.boolean(true);
  const Term capacity = world_.pointer_constant(object.capacity);
  return terms_.bit_and(terms_.ule(size, capacity), terms_.ule(target.offset, terms_.sub(capacity, size)));
}

bool Executor::gap_behind(Activation& a, std::span<const Pointed::Target> targets, Term size) {
  Term behind = terms_.boolean(false);
  for (const Pointed::Target& target : targets)
    behind = terms_.bit_or(behind, terms_.bit_and(target.when, terms_.bit_not(is_kept(target, size))));
  return gap(a, behind,
             fmt::format("a copy or fill behind the first {} bytes of an object whose size is not known",
                         world_.options.heap_object_size));
}

std::optional<Term> Executor::load(Activation& a, Term address, std::uint64_t count) {
  const Checked checked = checked_targets(a, address, world_.pointer_constant(count), false);
  if (fault(a, FaultKind::InvalidPointer, checked.violation) || checked.good.empty()) return std::nullopt;
  Term value;
  for (const Pointed::Target& target : checked.good) {
    Term here = a.now.memory.find(target.object)->content.load(terms_, target.offset, count);
    const Term is_here = is_kept(target, world_.pointer_constant(count));
    if (!terms_.is_true(is_here))
      here = terms_.ite(is_here, here, fresh(a, terms_.width(here), "behind what is kept", target.object + 1));
    value = value ? terms_.ite(target.when, here, value) : here;
  }
  return value;
}

bool Executor::can_use(Activation& a, const semantics::IntrinsicRule& rule, std::span<const Term> arguments) {
  if (!rule.use) return true;
  const Term size = rule.use->count ? arguments[*rule.use->count] : world_.pointer_constant(1);
  const bool is_write = rule.use->kind == program::AccessKind::Write;
  return !fault(a, FaultKind::InvalidPointer,
                checked_targets(a, arguments[rule.use->address], size, is_write).violation);
}

bool Executor::store(Activation& a, Term address, Term value) {
  const Checked checked = checked_targets(a, address, world_.pointer_constant(terms_.width(value) / 8), true);
  if (fault(a, FaultKind::InvalidPointer, checked.violation) || checked.good.empty()) return false;
  for (const Pointed::Target& target : checked.good) {
    const Term is_here = is_kept(target, world_.pointer_constant(terms_.width(value) / 8));
    a.now.memory.writable(target.object)
        .content.store(terms_, target.offset, value, terms_.bit_and(target.when, is_here));
  }
  return true;
}

Executor::Step Executor::run_access(Activation& a, const Instruction& i) {
  const std::vector<Term> list = operands(a, i);
  switch (i.kind) {
    case Kind::Load: {
      const std::uint32_t width = a.plan->function().values[i.first_result].width;
      const std::optional<Term> loaded = load(a, list[0], bytes_of(width));
      if (!loaded) return Step::Ended;
      give(a, i, terms_.extract(*loaded, width - 1, 0));
      return Step::Next;
    }
    case Kind::Store: {
      const std::uint32_t width = terms_.width(list[1]);
      const Term bytes = terms_.zero_extend(list[1], static_cast<std::uint32_t>(bytes_of(width) * 8));
      return store(a, list[0], bytes) ? Step::Next : Step::Ended;
    }
    case Kind::Allocate: {
      const std::optional<Term> made = allocate(a, ObjectKind::Stack, list[0], i.parameter, false);
      if (!made) return Step::Ended;
      give(a, i, *made);
      return Step::Next;
    }
    case Kind::CopyMemory:
      return copy_memory(a, list[0], list[1], list[2]);
    case Kind::FillMemory:
      return fill_memory(a, list[0], list[1], list[2]);
    default:
      return fault(a, FaultKind::ArrayOutOfBounds, terms_.ule(list[1], list[0])) ? Step::Ended : Step::Next;
  }
}

std::optional<std::uint64_t> Executor::known_size(Activation& a, Term size, std::span<const Pointed::Target> targets) {
  if (terms_.is_constant(size)) return terms_.value(size).to_uint64();
  std::uint64_t room = 0;
  for (const Pointed::Target& target : targets) room = std::max(room, world_.objects[target.object].capacity);
  const std::uint64_t most = std::min(room, terms_.upper_bound(size));
  if (most <= kMaxVariable) return most;
  const Term too_large = terms_.ult(world_.pointer_constant(kMaxVariable), size);
  const Term here = terms_.bit_and(world_.paths.condition(a.now.path), record_.going_on());
  if (is_possible_(terms_.bit_and(here, too_large)))
    if (gap(a, too_large, "a copy or fill of more bytes than are looked at")) return std::nullopt;
  return kMaxVariable;
}

std::optional<TermBytes> Executor::bytes_at(Activation& a, std::span<const Pointed::Target> from, std::uint64_t count,
                                            bool is_known) {
  // Up to a size that is not known, the bytes behind it may be beyond the object: no word may have some of them.
  const std::uint64_t word = is_known ? word_of(count) : 1;
  std::optional<TermBytes> bytes;
  for (const Pointed::Target& target : from) {
    const TermBytes& source = a.now.memory.find(target.object)->content;
    TermBytes here = TermBytes::zeroed(count);
    if (terms_.is_constant(target.offset)) {
      const std::uint64_t offset = terms_.value(target.offset).to_uint64();
      if (offset <= source.size()) here.copy(terms_, 0, source, offset, std::min(count, source.size() - offset));
    } else {
      if (count > kMaxVariable) return std::nullopt;
      for (std::uint64_t i = 0; i < count; i += word)
        here.store(terms_, i, source.load(terms_, terms_.add(target.offset, world_.pointer_constant(i)), word));
    }
    bytes = bytes ? TermBytes::choice(terms_, target.when, here, *bytes) : here;
  }
  return bytes;
}

void Executor::write_bytes(Activation& a, std::span<const Pointed::Target> to, const TermBytes& bytes,
                           std::uint64_t count, Term size) {
  const bool is_known = terms_.is_constant(size);
  for (const Pointed::Target& target : to) {
    TermBytes& content = a.now.memory.writable(target.object).content;
    if (terms_.is_constant(target.offset) && is_known) {
      const std::uint64_t offset = terms_.value(target.offset).to_uint64();
      if (offset > content.size()) continue;
      TermBytes written = content;
      written.copy(terms_, offset, bytes, 0, std::min(count, content.size() - offset));
      content = TermBytes::choice(terms_, target.when, written, content);
      continue;
    }
    const std::uint64_t word = is_known ? word_of(count) : 1;
    for (std::uint64_t i = 0; i < count; i += word) {
      Term when = target.when;
      if (!is_known) when = terms_.bit_and(when, terms_.ult(world_.pointer_constant(i), size));
      content.store(terms_, terms_.add(target.offset, world_.pointer_constant(i)), bytes.load(terms_, i, word), when);
    }
  }
}

Executor::Step Executor::copy_memory(Activation& a, Term to, Term from, Term size) {
  if (terms_.is_true(terms_.eq(size, world_.pointer_constant(0)))) return Step::Next;
  const Checked source = checked_targets(a, from, size, false);
  const Checked target = checked_targets(a, to, size, true);
  if (fault(a, FaultKind::InvalidPointer, terms_.bit_or(source.violation, target.violation))) return Step::Ended;
  if (source.good.empty() || target.good.empty()) return Step::Next;  // of size 0 then
  if (gap_behind(a, source.good, size) || gap_behind(a, target.good, size)) return Step::Ended;
  const std::optional<std::uint64_t> count = known_size(a, size, target.good);
  if (!count) return Step::Ended;
  if (*count == 0) return Step::Next;
  const std::optional<TermBytes> bytes = bytes_at(a, source.good, *count, terms_.is_constant(size));
  if (!bytes) return gap(a, "a copy of many bytes at an offset that is not known");
  const bool is_long = *count > kMaxVariable &&
                       !std::ranges::all_of(target.good, [&](const auto& t) { return terms_.is_constant(t.offset); });
  if (is_long) return gap(a, "a copy of many bytes to an offset that is not known");
  write_bytes(a, target.good, *bytes, *count, size);
  return Step::Next;
}

bool Executor::fill_object(Activation& a, std::span<const Pointed::Target> to, Term byte, Term size) {
  if (to.size() != 1 || !terms_.is_constant(byte) || terms_.is_constant(size)) return false;
  const Object& object = world_.objects[to[0].object];
  if (object.size != size || to[0].offset != world_.pointer_constant(0)) return false;
  // Behind its end nothing is read.
  const std::vector<std::uint8_t> bytes(object.capacity, static_cast<std::uint8_t>(terms_.value(byte).to_uint64()));
  a.now.memory.writable(to[0].object).content = TermBytes(bytes, object.capacity);
  return true;
}

Executor::Step Executor::fill_memory(Activation& a, Term to, Term byte, Term size) {
  if (terms_.is_true(terms_.eq(size, world_.pointer_constant(0)))) return Step::Next;
  const Checked target = checked_targets(a, to, size, true);
  if (fault(a, FaultKind::InvalidPointer, target.violation)) return Step::Ended;
  if (target.good.empty() || fill_object(a, target.good, byte, size)) return Step::Next;
  if (gap_behind(a, target.good, size)) return Step::Ended;
  const std::optional<std::uint64_t> count = known_size(a, size, target.good);
  if (!count) return Step::Ended;
  if (*count == 0) return Step::Next;
  TermBytes bytes = TermBytes::zeroed(*count);
  bytes.fill(terms_, 0, *count, byte);
  write_bytes(a, target.good, bytes, *count, size);
  return Step::Next;
}

std::optional<std::string> Executor::text_at(Activation& a, Term address) {
  const Pointed& pointed = world_.resolver.resolve(address);
  if (pointed.targets.size() != 1 || !terms_.is_constant(pointed.targets[0].offset)) return std::nullopt;
  const MemoryState::Entry* entry = a.now.memory.find(pointed.targets[0].object);
  if (entry == nullptr) return std::nullopt;
  std::string text;
  for (std::uint64_t i = terms_.value(pointed.targets[0].offset).to_uint64(); i < entry->content.size(); ++i) {
    const std::optional<std::uint8_t> byte = entry->content.number(i);
    if (!byte) return std::nullopt;
    if (*byte == 0) return text;
    text.push_back(static_cast<char>(*byte));
  }
  return std::nullopt;
}

}  // namespace plumb::unroll
