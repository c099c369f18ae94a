#include "unroll/memory.h"

#include <algorithm>

#include "semantics/one_thread.h"

namespace plumb::unroll {

namespace {

// As far apart as addresses allow: a sum of constants has lost where it started, so what lies far beyond one object
// must not lie in another.
constexpr std::uint64_t kOrigin64 = std::uint64_t{1} << 40;
constexpr std::uint64_t kGuard64 = std::uint64_t{1} << 24;
constexpr std::uint64_t kEnd64 = std::uint64_t{1} << 46;
constexpr std::uint64_t kOrigin32 = 0x1000'0000;
constexpr std::uint64_t kGuard32 = std::uint64_t{1} << 14;
constexpr std::uint64_t kEnd32 = 0xBE00'0000;

std::uint64_t round_up(std::uint64_t n, std::uint64_t power) { return (n + power - 1) & ~(power - 1); }

}  // namespace

Objects::Objects(std::uint32_t pointer_width, TermStore& terms)
    : pointer_width_(pointer_width),
      terms_(terms),
      guard_(pointer_width == 64 ? kGuard64 : kGuard32),
      next_(pointer_width == 64 ? kOrigin64 : kOrigin32),
      end_(pointer_width == 64 ? kEnd64 : kEnd32) {}

std::optional<ObjectId> Objects::add(ObjectKind kind, std::uint64_t capacity, std::uint32_t alignment) {
  const std::uint64_t base = round_up(next_ + guard_, std::max<std::uint64_t>(alignment, 16));
  if (capacity > end_ || base > end_ - capacity) return std::nullopt;
  Object object;
  object.base = base;
  object.capacity = capacity;
  object.size = terms_.constant(pointer_width_, capacity);
  object.kind = kind;
  next_ = base + capacity + guard_;
  objects_.push_back(object);
  return count() - 1;
}

ObjectId Objects::at(std::uint64_t address) const {
  // Its room begins a guard below it and ends one above.
  const auto above = std::ranges::upper_bound(objects_, address, {}, [&](const Object& o) { return o.base - guard_; });
  if (above == objects_.begin()) return kNone;
  const Object& found = *std::prev(above);
  if (address - (found.base - guard_) > found.capacity + 2 * guard_) return kNone;
  return static_cast<ObjectId>(std::prev(above) - objects_.begin());
}

MemoryState::Entry& MemoryState::writable(ObjectId object) {
  if (object / kChunk >= chunks_.size()) chunks_.resize(object / kChunk + 1);
  semantics::CowPointer<Chunk>& chunk = chunks_[object / kChunk];
  if (!chunk) chunk = semantics::CowPointer<Chunk>::make();
  return chunk.writable()[object % kChunk];
}

void MemoryState::erase(ObjectId object) {
  if (find(object) != nullptr) writable(object) = {};
}

MemoryState MemoryState::choice(TermStore& terms, Term condition, MemoryState a, const MemoryState& b) {
  if (!a.held_.empty() || !b.held_.empty()) {
    const std::uint32_t width = terms.width(a.held_.empty() ? b.held_[0] : a.held_[0]);
    MemoryState other = b;
    std::vector<Term>& own = a.held_mutexes(width, terms);
    const std::vector<Term>& others = other.held_mutexes(width, terms);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = terms.ite(condition, own[i], others[i]);
  }
  if (a.chunks_.size() < b.chunks_.size()) a.chunks_.resize(b.chunks_.size());
  for (std::size_t c = 0; c < b.chunks_.size(); ++c) {
    if (!b.chunks_[c]) continue;
    if (!a.chunks_[c]) {
      a.chunks_[c] = b.chunks_[c];
      continue;
    }
    if (&*a.chunks_[c] == &*b.chunks_[c]) continue;
    for (std::size_t i = 0; i < kChunk; ++i) {
      const Entry& other = (*b.chunks_[c])[i];
      if (!other.is_alive) continue;
      const Entry& own = (*a.chunks_[c])[i];
      if (!own.is_alive) {
        a.chunks_[c].writable()[i] = other;
        continue;
      }
      if (own.content.is_same(other.content) && own.is_alive == other.is_alive) continue;
      Entry& made = a.chunks_[c].writable()[i];
      // The content of what is dead does not matter.
      if (terms.is_false(made.is_alive)) {
        made.content = other.content;
      } else if (!terms.is_false(other.is_alive)) {
        made.content = TermBytes::choice(terms, condition, made.content, other.content);
      }
      made.is_alive = terms.ite(condition, made.is_alive, other.is_alive);
    }
  }
  return a;
}

std::vector<Term>& MemoryState::held_mutexes(std::uint32_t pointer_width, TermStore& terms) {
  if (held_.empty()) held_.assign(semantics::HeldMutexes::kSlots, terms.zero(pointer_width));
  return held_;
}

std::vector<ObjectId> MemoryState::objects() const {
  std::vector<ObjectId> found;
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    if (!chunks_[c]) continue;
    for (std::size_t i = 0; i < kChunk; ++i)
      if ((*chunks_[c])[i].is_alive) found.push_back(static_cast<ObjectId>(c * kChunk + i));
  }
  return found;
}

}  // namespace plumb::unroll
