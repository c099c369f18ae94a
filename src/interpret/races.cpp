// Happens-before by vector clocks: each thread has one, and what it gives to others by mutexes, creation, joins and
// atomic operations takes its clock along (Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race
// Detection", 2009, section 3). An access is its thread's time there, an epoch. Where the paper keeps one epoch of
// writes a variable, the last access of each kind of each thread is kept here, by bytes; a plain write drops what is
// ordered before it, since whoever races with that races with the write too. Atomic operations order as in C11: an
// acquiring read takes what the releasing write that it reads from knew, through later updates; fences do it for
// operations that do not.

#include "interpret/races.h"

#include <algorithm>

namespace plumb::interpret {
namespace {

constexpr std::uint64_t kWord = 8;

void join(VectorClock& to, const VectorClock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t t = 0; t < from.size(); ++t) to[t] = std::max(to[t], from[t]);
}

std::uint8_t bytes_of(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::uint8_t>(((1U << (to - from)) - 1) << from);
}

}  // namespace

Races::State& Races::state(std::size_t t) {
  while (threads_.size() <= t) {
    State& made = threads_.emplace_back();
    made.clock.resize(threads_.size());
    made.clock.back() = 1;
  }
  return threads_[t];
}

void Races::created(std::size_t parent, std::size_t child) {
  const VectorClock known = state(parent).clock;
  join(state(child).clock, known);
  step(parent);
}

void Races::joined(std::size_t self, std::size_t other) {
  const VectorClock known = state(other).clock;
  join(state(self).clock, known);
}

void Races::locked(std::size_t self, std::uint64_t mutex) { join(state(self).clock, mutexes_[mutex]); }

void Races::unlocked(std::size_t self, std::uint64_t mutex) {
  mutexes_[mutex] = state(self).clock;
  step(self);
}

void Races::fence(std::size_t self, bool acquires, bool releases) {
  State& s = state(self);
  if (acquires) join(s.clock, s.read);
  if (!releases) return;
  s.released = s.clock;
  step(self);
}

void Races::atomic_read(std::size_t self, std::uint64_t address, bool acquires) {
  const auto known = atomics_.find(address);
  if (known == atomics_.end()) return;
  join(acquires ? state(self).clock : state(self).read, known->second.clock);
}

void Races::atomic_write(std::size_t self, std::uint64_t address, bool releases, bool is_update) {
  const VectorClock& given = releases ? state(self).clock : state(self).released;
  Atomic& left = atomics_.try_emplace(address, Atomic{{}, self}).first->second;
  // A thread's later writes go on with what its release began, as updates by anybody do (C17, 5.1.2.4, release
  // sequence).
  if (is_update || left.thread == self) {
    join(left.clock, given);
  } else {
    left = {given, self};
  }
  if (releases) step(self);
}

void Races::begin_section(std::size_t self, Section kind) {
  State& s = state(self);
  if (kind == Section::User && std::ranges::find(s.sections, Section::User) == s.sections.end())
    join(s.clock, sections_);
  s.sections.push_back(kind);
}

void Races::end_section(std::size_t self) {
  State& s = state(self);
  if (s.sections.empty()) return;
  const Section kind = s.sections.back();
  s.sections.pop_back();
  if (kind != Section::User || std::ranges::find(s.sections, Section::User) != s.sections.end()) return;
  sections_ = s.clock;
  step(self);
}

std::optional<Races::Section> Races::section(std::size_t self) const {
  if (self >= threads_.size() || threads_[self].sections.empty()) return std::nullopt;
  return threads_[self].sections.back();
}

bool Races::is_ordered(const Record& before, std::size_t self) const {
  const VectorClock& clock = threads_[self].clock;
  return before.thread == self || (before.thread < clock.size() && before.time <= clock[before.thread]);
}

bool Races::is_new(CodePoint a, CodePoint b) {
  std::pair first(a.function, a.instruction), second(b.function, b.instruction);
  if (second < first) std::swap(first, second);
  return told_.emplace(first, second).second;
}

std::optional<Races::Race> Races::access(std::size_t self, const Access& access) {
  std::optional<Race> race;
  state(self);
  const std::uint64_t end = access.address + access.size;
  for (std::uint64_t word = access.address / kWord; word * kWord < end; ++word) {
    const std::uint64_t first = std::max(access.address, word * kWord) - word * kWord;
    const std::uint64_t last = std::min(end, (word + 1) * kWord) - word * kWord;
    look(self, access, word, bytes_of(first, last), race);
  }
  return race;
}

void Races::look(std::size_t self, const Access& access, std::uint64_t word, std::uint8_t bytes,
                 std::optional<Race>& race) {
  std::vector<Record>& records = words_[word];
  for (Record& record : records) {
    if ((record.bytes & bytes) == 0) continue;
    const bool is_same_kind = record.is_write == access.is_write && record.is_atomic == access.is_atomic;
    const bool is_before = is_ordered(record, self);
    const bool conflicts =
        (record.is_write || access.is_write) && !(record.is_atomic && access.is_atomic) && !is_before;
    if (conflicts && !race && is_new(record.at, access.at)) race = Race{record.thread, record.is_write, record.at};
    const bool is_replaced = record.thread == self && is_same_kind;
    const bool is_covered = access.is_write && !access.is_atomic && is_before;
    if (is_replaced || is_covered) record.bytes = static_cast<std::uint8_t>(record.bytes & ~bytes);
  }
  std::erase_if(records, [](const Record& record) { return record.bytes == 0; });
  records.push_back({static_cast<std::uint32_t>(self), threads_[self].clock[self], bytes, access.is_write,
                     access.is_atomic, access.at});
}

void Races::forget(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t word = address / kWord; word * kWord < address + size; ++word) words_.erase(word);
}

}  // namespace plumb::interpret
