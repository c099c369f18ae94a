// Where the last pointer to an object is lost. An object is reached as long as one chain of pointers leads to it from a
// global, a variable of a call that has not returned, or a value that is used later on; one such chain is kept as a
// witness. Nothing has to be looked at until something happens to the witness: a pointer of it is overwritten, an
// object of it dies, its value is used for the last time. Then memory is searched for another one, and if there is none
// the instruction that just ran lost the object. Words count as pointers as in leaks.cpp.

#include "interpret/losses.h"

#include <algorithm>
#include <cstring>

#include "interpret/machine.h"

namespace plumb::interpret {

using semantics::ObjectInfo;

namespace {

/// Words that all searches of a run look at: beyond that losses stay unknown.
constexpr std::uint64_t kMostWords = std::uint64_t{1} << 28;

}  // namespace

/// A breadth-first search from what can be reached at once.
class Losses::Search {
 public:
  explicit Search(Machine& machine) : m_(machine) {}

  void add_root(ObjectId object) { add(object, {kNone, 0}); }
  void add_value(std::uint64_t word, const Slot& slot) {
    const std::optional<ObjectId> object = pointed(word);
    if (!object || found_.contains(*object)) return;
    add(*object, {kNone, 0});
    values_.emplace(*object, slot);
  }
  /// Which heap object the word points to.
  std::optional<ObjectId> pointed(std::uint64_t word) const {
    const std::optional<ObjectId> object = m_.memory.object_at(word);
    if (!object) return std::nullopt;
    const ObjectInfo& info = m_.memory.info(*object);
    if (info.kind != ObjectKind::Heap || info.life != Life::Live || word - info.base > info.size) return std::nullopt;
    return object;
  }
  std::optional<Witness> find(ObjectId target) {
    for (std::size_t i = 0; i < pending_.size() && !found_.contains(target); ++i) scan(pending_[i]);
    if (!found_.contains(target)) return std::nullopt;
    Witness made;
    ObjectId object = target;
    for (From from = found_.at(object); from.object != kNone; from = found_.at(object)) {
      made.pointers[from.object] = from.offset;
      object = from.object;
    }
    if (const auto value = values_.find(object); value != values_.end()) made.value = value->second;
    return made;
  }
  std::uint64_t scanned() const noexcept { return scanned_; }

 private:
  /// Where the pointer is that led to an object.
  struct From {
    ObjectId object;
    std::uint64_t offset;
  };
  void add(ObjectId object, From from) {
    if (found_.emplace(object, from).second) pending_.push_back(object);
  }
  void scan(ObjectId object) {
    const ConcreteBytes& bytes = m_.memory.bytes(object);
    const std::uint32_t step = m_.pointer_bytes();
    for (std::uint64_t offset = 0; offset + step <= bytes.size(); offset += step, ++scanned_) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + offset, step);
      if (const std::optional<ObjectId> to = pointed(word)) add(*to, {object, offset});
    }
  }

  Machine& m_;
  absl::flat_hash_map<ObjectId, From> found_;
  absl::flat_hash_map<ObjectId, Slot> values_;
  std::vector<ObjectId> pending_;
  std::uint64_t scanned_ = 0;
};

Losses::Losses(Machine& machine) : m_(machine) {
  for (const std::uint32_t number : machine.options.find_losses) watched_.push_back({number, kNone, {}, false, {}});
}

void Losses::allocated(ObjectId object, std::uint32_t number) {
  for (Watched& w : watched_) {
    if (w.number != number) continue;
    w.object = object;
    w.is_doubtful = true;
  }
}

void Losses::written(ObjectId object, std::uint64_t offset, std::uint64_t size) {
  for (Watched& w : watched_) {
    const auto pointer = w.witness.pointers.find(object);
    if (pointer == w.witness.pointers.end()) continue;
    if (offset < pointer->second + m_.pointer_bytes() && pointer->second < offset + size) w.is_doubtful = true;
  }
}

void Losses::died(ObjectId object) {
  for (Watched& w : watched_) {
    if (w.object == object) w = {w.number, kNone, {}, false, {}};
    if (w.witness.pointers.contains(object)) w.is_doubtful = true;
  }
}

CodePoint Losses::lost(std::uint32_t number) const {
  const auto it = std::ranges::find(watched_, number, &Watched::number);
  return it == watched_.end() ? CodePoint{} : it->lost;
}

const Losses::FunctionUses& Losses::uses_of(FunctionId function) {
  std::unique_ptr<FunctionUses>& found = uses_[function];
  if (found == nullptr) {
    const Function& f = m_.program.functions[function];
    const Uses uses(f);
    found = std::make_unique<FunctionUses>(FunctionUses{uses, Liveness(f, uses)});
  }
  return *found;
}

bool Losses::is_live(const FunctionCode& code, const Decoded* next, ValueId value) {
  const Function& function = *code.function;
  const BlockId block = code.block_of[next->source];
  const InstructionId end = function.blocks[block].first_instruction + function.blocks[block].instruction_count;
  const auto uses = [&](std::span<const ValueId> values) { return std::ranges::find(values, value) != values.end(); };
  for (InstructionId i = next->source; i < end; ++i) {
    if (uses(function.operands_of(function.instructions[i]))) return true;
    for (const Edge& edge : function.edges_of(function.instructions[i]))
      if (uses(function.arguments_of(edge))) return true;
  }
  return std::ranges::binary_search(uses_of(code.id).liveness.live_out(block), value);
}

bool Losses::is_live(const Slot& slot, const Decoded* next) {
  const Thread& t = *m_.threads[slot.thread];
  if (slot.frame >= t.frames.size()) return false;
  const bool is_top = slot.frame + 1 == t.frames.size();
  if (&t != m_.thread) return true;  // it stands somewhere: what it still uses is not worth to know
  if (is_top) return next != nullptr && is_live(*t.frames[slot.frame].code, next, slot.value);
  const Decoded* call = t.frames[slot.frame + 1].call;
  return call == nullptr || is_live(*t.frames[slot.frame].code, call + 1, slot.value);
}

void Losses::look(Watched& watched, const Decoded* next, CodePoint at) {
  watched.is_doubtful = false;
  if (scanned_ > kMostWords) {
    watched.object = kNone;
    return;
  }
  Search search(m_);
  for (const ObjectId object : m_.memory.live(ObjectKind::Global)) search.add_root(object);
  for (const ObjectId object : m_.memory.live(ObjectKind::Stack)) search.add_root(object);
  for (const std::unique_ptr<Thread>& t : m_.threads) {
    for (std::size_t f = 0; f < t->frames.size(); ++f) {
      const FunctionCode& code = *t->frames[f].code;
      for (ValueId v = 0; v < code.operand_of.size(); ++v) {
        const Slot slot{t->index, f, v};
        const Operand operand = code.operand_of[v];
        if ((operand & kPool) != 0 || code.function->values[v].width > 64) continue;
        const std::uint64_t word = t->slots[t->frames[f].base + operand];
        if (search.pointed(word) && is_live(slot, next)) search.add_value(word, slot);
      }
    }
  }
  std::optional<Witness> witness = search.find(watched.object);
  scanned_ += search.scanned() + m_.mapped.size();
  if (witness) {
    watched.witness = std::move(*witness);
    return;
  }
  watched.lost = at;
  watched.object = kNone;
  watched.witness = {};
}

Decoded* Losses::step(Decoded* at) {
  CodePoint here = m_.users_point(at);
  const Instruction& source = m_.source(at);
  std::uint64_t returned = 0;
  if (source.kind == Kind::Return && source.operand_count > 0) {
    // What the caller gets and does not use is lost where it calls.
    returned = m_.low_word(m_.operand(at, 0));
    if (m_.frame().call == nullptr) returned = 0;
  }
  Decoded* const call = m_.frame().call;
  Decoded* next = at->run(at, m_.slots, m_);
  for (Watched& w : watched_) {
    if (w.object == kNone) continue;
    if (w.witness.value && !is_live(*w.witness.value, next)) w.is_doubtful = true;
    if (!w.is_doubtful) continue;
    const bool was_returned = returned != 0 && m_.memory.object_at(returned) == w.object;
    look(w, next, was_returned ? m_.users_point(call) : here);
  }
  return next;
}

}  // namespace plumb::interpret
