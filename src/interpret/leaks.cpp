// Heap objects that nothing can reach any more when the program exits. Roots are global objects, the stack objects of
// frames that still stand (exit() may be called deep down) and the slots of these frames; every aligned word whose
// value is an address inside an object, or just past its end, counts as a pointer to it, as in a conservative
// collector.

#include <fmt/format.h>

#include <cstring>

#include "interpret/machine.h"

namespace plumb::interpret {

using semantics::leak_fault;
using semantics::ObjectInfo;

namespace {

class Marker {
 public:
  explicit Marker(Machine& machine) : m_(machine) {}

  void mark_word(std::uint64_t address) {
    const std::optional<ObjectId> object = m_.memory.object_at(address);
    if (!object) return;
    const ObjectInfo& info = m_.memory.info(*object);
    if (info.life != Life::Live || address - info.base > info.size) return;
    mark(*object);
  }
  void mark(ObjectId object) {
    if (object >= is_marked_.size()) is_marked_.resize(object + 1);
    if (is_marked_[object]) return;
    is_marked_[object] = true;
    pending_.push_back(object);
  }
  void finish() {
    while (!pending_.empty()) {
      const ObjectId object = pending_.back();
      pending_.pop_back();
      scan(m_.memory.bytes(object));
    }
  }
  bool is_marked(ObjectId object) const { return object < is_marked_.size() && is_marked_[object]; }

 private:
  void scan(const ConcreteBytes& bytes) {
    const std::uint32_t step = m_.pointer_bytes();
    for (std::uint64_t offset = 0; offset + step <= bytes.size(); offset += step) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + offset, step);
      mark_word(word);
    }
  }

  Machine& m_;
  std::vector<bool> is_marked_;
  std::vector<ObjectId> pending_;
};

struct Lost {
  Fault fault;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

}  // namespace

void Machine::find_leaks() {
  const std::vector<ObjectId> heap = memory.live(ObjectKind::Heap);
  if (heap.empty()) return;
  Marker marker(*this);
  for (const ObjectId object : memory.live(ObjectKind::Global)) marker.mark(object);
  for (const ObjectId object : memory.live(ObjectKind::Stack)) marker.mark(object);
  for (const std::unique_ptr<Thread>& t : threads) {
    if (t->frames.empty()) continue;
    const std::size_t end = t->frames.back().base + t->frames.back().code->slot_count;
    for (std::size_t i = 0; i < end; ++i) marker.mark_word(t->slots[i]);
  }
  marker.finish();

  std::vector<Lost> lost;  // by allocation site, in the order of objects
  for (const ObjectId object : heap) {
    if (marker.is_marked(object)) continue;
    const ObjectInfo& info = memory.info(object);
    Lost* of_site = nullptr;
    for (Lost& l : lost)
      if (l.fault.allocated == info.allocated) of_site = &l;
    if (of_site == nullptr) {
      lost.push_back({leak_fault(info)});
      of_site = &lost.back();
      of_site->fault.object = heap_number[object];
      if (losses != nullptr) of_site->fault.lost = losses->lost(heap_number[object]);
    }
    ++of_site->count;
    of_site->bytes += info.size;
  }
  for (Lost& l : lost) {
    l.fault.size = l.bytes;
    if (l.count > 1)
      l.fault.message = fmt::format("{} heap objects of {} bytes in total are never freed", l.count, l.bytes);
    const bool is_told = is_let_pass(nullptr, l.fault);
    if (!is_told) result.faults.push_back(std::move(l.fault));
  }
}

}  // namespace plumb::interpret
