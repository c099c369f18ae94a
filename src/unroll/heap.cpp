#include <fmt/format.h>

#include <algorithm>

#include "semantics/intrinsics.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::Intrinsic;
using semantics::kHeapAlignment;

namespace {

/// Of an object whose size is known.
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 26;
/// Rounds of the search for pointers to objects: chains of objects longer than that count as lost.
constexpr std::size_t kMaxRounds = 64;

}  // namespace

std::optional<Term> Executor::allocate(Activation& a, ObjectKind kind, Term size, std::uint32_t alignment,
                                       bool is_zeroed) {
  std::uint64_t capacity = terms_.upper_bound(size);
  const std::uint64_t most = terms_.is_constant(size) ? kMaxSize : world_.options.heap_object_size;
  if (!terms_.is_constant(size)) {
    // What no run asks for needs no room.
    const Term here = terms_.bit_and(world_.paths.condition(a.now.path), record_.going_on());
    for (std::uint64_t enough = 64; enough < std::min(capacity, most); enough *= 16) {
      if (is_possible_(terms_.bit_and(here, terms_.ult(world_.pointer_constant(enough), size)))) continue;
      capacity = enough;
      break;
    }
  }
  const bool is_larger = capacity > most;
  if (is_larger && terms_.is_constant(size)) {
    gap(a, fmt::format("an object of more than {} bytes", most));
    return std::nullopt;
  }
  capacity = std::min(capacity, most);
  // In different contexts the same place may find another size, and an object has one.
  const std::uint32_t part = terms_.is_constant(size) ? 0 : static_cast<std::uint32_t>(context_);
  const std::optional<ObjectId> object = world_.object(event(a, part), kind, capacity, alignment);
  if (!object) {
    gap(a, "an object that finds no room in the address space");
    return std::nullopt;
  }
  Object& made = world_.objects[*object];
  made.size = size;
  made.is_larger = is_larger;
  made.allocated = {a.function, a.next - 1};
  made.made_on = a.now.path;
  a.now.memory.writable(*object) = {
      is_zeroed ? TermBytes::zeroed(capacity) : TermBytes::unwritten(world_.unwritten, *object, capacity),
      terms_.boolean(true)};
  lives_.erase(*object);
  if (kind == ObjectKind::Heap) {
    assumptions_.insert("allocation never fails");
    if (has_freed_) assumptions_.insert("memory that was freed is not allocated again");
    heap_.push_back(*object);
  } else {
    a.stack_objects.push_back(*object);
  }
  return world_.objects.address(*object);
}

Executor::Step Executor::run_heap(Activation& a, const Instruction& i, Intrinsic what,
                                  std::span<const Term> arguments) {
  if (what == Intrinsic::Free) return free_object(a, arguments[0], terms_.boolean(true)) ? Step::Next : Step::Ended;
  if (what == Intrinsic::Realloc) return reallocate(a, i, arguments[0], arguments[1]);
  std::optional<std::uint32_t> alignment = kHeapAlignment;
  if (what == Intrinsic::AlignedAlloc) {
    if (!terms_.is_constant(arguments[0])) return gap(a, "an alignment that is not known");
    alignment = semantics::heap_alignment(terms_.value(arguments[0]).to_uint64());
  }
  const Term null = world_.pointer_constant(0);
  if (!alignment) {
    give(a, i, null);
    return Step::Next;
  }
  const auto request = semantics::heap_request(terms_, what, arguments);
  const std::optional<Term> made =
      allocate(a, ObjectKind::Heap, terms_.ite(request.is_refused, null, request.size), *alignment, request.is_zeroed);
  if (!made) return Step::Ended;
  give(a, i, terms_.ite(request.is_refused, null, *made));
  return Step::Next;
}

bool Executor::free_object(Activation& a, Term address, Term when) {
  Term nowhere;
  const std::vector<Pointed::Target> all = targets(a, address, nowhere);
  const Term is_null = terms_.eq(address, world_.pointer_constant(0));
  Term violation = terms_.bit_and(nowhere, terms_.bit_not(is_null));
  std::vector<std::pair<ObjectId, Term>> freed;
  for (const Pointed::Target& target : all) {
    const MemoryState::Entry* entry = a.now.memory.find(target.object);
    Term bad = terms_.boolean(true);
    if (entry != nullptr && world_.objects[target.object].kind == ObjectKind::Heap) {
      bad = terms_.bit_or(terms_.bit_not(entry->is_alive), terms_.distinct(target.offset, world_.pointer_constant(0)));
      if (!terms_.is_true(bad)) freed.emplace_back(target.object, target.when);
    }
    violation = terms_.bit_or(violation, terms_.bit_and(target.when, bad));
  }
  if (fault(a, FaultKind::InvalidFree, terms_.bit_and(when, violation))) return false;
  has_freed_ = has_freed_ || !freed.empty();
  for (const auto& [object, is_meant] : freed) {
    MemoryState::Entry& entry = a.now.memory.writable(object);
    entry.is_alive = terms_.bit_and(entry.is_alive, terms_.bit_not(terms_.bit_and(when, is_meant)));
    if (terms_.is_false(entry.is_alive)) entry.content = {};
  }
  return true;
}

Executor::Step Executor::reallocate(Activation& a, const Instruction& i, Term address, Term size) {
  const auto request = semantics::realloc_request(terms_, address, size);
  if (terms_.is_false(request.is_made)) {
    if (!free_object(a, address, terms_.boolean(true))) return Step::Ended;
    give(a, i, world_.pointer_constant(0));
    return Step::Next;
  }
  const MemoryState before = a.now.memory;
  Term nowhere;
  const std::vector<Pointed::Target> all = targets(a, address, nowhere);
  if (!free_object(a, address, request.has_old)) return Step::Ended;
  const std::optional<Term> made = allocate(a, ObjectKind::Heap, size, kHeapAlignment, false);
  if (!made) return Step::Ended;
  const ObjectId object = heap_.back();
  for (const Pointed::Target& target : all) {
    const MemoryState::Entry* old = before.find(target.object);
    if (old == nullptr || old->content.size() == 0) continue;
    TermBytes& content = a.now.memory.writable(object).content;
    TermBytes kept = content;
    kept.copy(terms_, 0, old->content, 0, std::min(old->content.size(), content.size()));
    content = TermBytes::choice(terms_, target.when, kept, content);
  }
  // An object that nobody gets is none.
  a.now.memory.writable(object).is_alive = request.is_made;
  give(a, i, terms_.ite(request.is_made, *made, world_.pointer_constant(0)));
  return Step::Next;
}

std::vector<Term> Executor::reached_objects(const State& state, std::span<const ObjectId> heap) {
  absl::flat_hash_map<ObjectId, std::size_t> position;
  for (std::size_t i = 0; i < heap.size(); ++i) position[heap[i]] = i;
  struct Link {
    std::size_t from, to;
    Term when;
  };
  std::vector<Link> links;
  std::vector<Term> reached(heap.size(), terms_.boolean(false));
  for (const ObjectId object : state.memory.objects()) {
    budget_.check();
    const MemoryState::Entry& entry = *state.memory.find(object);
    if (terms_.is_false(entry.is_alive)) continue;
    const auto from = position.find(object);
    for (const Term word : entry.content.words(terms_, world_.pointer_width() / 8)) {
      for (const Pointed::Target& target : world_.resolver.resolve(word).targets) {
        const auto to = position.find(target.object);
        if (to == position.end()) continue;
        const Term is_inside = terms_.ule(target.offset, world_.objects[target.object].size);
        const Term when = terms_.bit_and(entry.is_alive, terms_.bit_and(target.when, is_inside));
        if (from != position.end()) {
          links.push_back({from->second, to->second, when});
        } else {
          reached[to->second] = terms_.bit_or(reached[to->second], when);
        }
      }
    }
  }
  bool is_changed = true;
  for (std::size_t round = 0; is_changed && round < std::min(kMaxRounds, heap.size()); ++round) {
    is_changed = false;
    for (const Link& link : links) {
      const Term more = terms_.bit_or(reached[link.to], terms_.bit_and(reached[link.from], link.when));
      is_changed = is_changed || more != reached[link.to];
      reached[link.to] = more;
    }
  }
  return reached;
}

void Executor::check_leaks(const State& state) {
  const auto is_leak = [](const Goal& goal) { return goal.kind == program::GoalKind::Leak; };
  if (std::ranges::none_of(goals_.goals, is_leak)) return;
  const std::vector<Term> reached = reached_objects(state, heap_);
  for (std::size_t i = 0; i < heap_.size(); ++i) {
    const Object& object = world_.objects[heap_[i]];
    const MemoryState::Entry* entry = state.memory.find(heap_[i]);
    if (entry == nullptr) continue;
    const Term is_there = terms_.bit_and(world_.paths.condition(object.made_on), entry->is_alive);
    const Term is_lost = terms_.bit_and(is_there, terms_.bit_not(reached[i]));
    const Term when = terms_.bit_and(world_.paths.condition(state.path), is_lost);
    const auto here = goals_.at.find({object.allocated.function, object.allocated.instruction});
    if (here == goals_.at.end()) continue;
    for (const std::size_t g : here->second)
      if (is_leak(goals_.goals[g])) record_.add(Record::Kind::Leak, when, g);
  }
}

}  // namespace plumb::unroll
