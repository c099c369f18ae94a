// Heap objects that are lost when the program ends. Which objects the words of globals and of other heap objects point
// to is computed once for every pair; then reachability goes through as many rounds as there are objects. Where that
// would be too much, everything that is alive counts as lost: the claim is never too small.

#include <algorithm>

#include "flatten/memory/access.h"

namespace plumb::flatten {

using program::kNone;
using term::TermStore;
using ObjectKind = AbstractObject::Kind;

namespace {

/// Heap objects times words that may hold their addresses.
constexpr std::size_t kMostPairs = 4096;

class LeakSearch {
 public:
  LeakSearch(const Memory::Plan& plan, const MemoryState& state) : plan_(plan), state_(state), store_(plan.store()) {
    for (std::uint32_t g = 0; g < plan_.groups.size(); ++g) {
      const Group& group = plan_.groups[g];
      if (group.kind != ObjectKind::Heap || group.gap) continue;
      for (std::uint32_t s = 0; s < group.slots; ++s) objects_.push_back({g, s, is_alive(group, slot(group, s)), {}});
    }
    for (Object& object : objects_) object.reached = store_.boolean(false);
    find_words();
    if (words_.size() * objects_.size() <= kMostPairs) reach();
  }

  /// Alive, not reached, and made by an instruction at this place.
  Term lost_from(CodePoint allocation) const {
    std::vector<Term> lost;
    for (const Object& object : objects_) {
      const Term is_lost = store_.bit_and(object.is_alive, store_.bit_not(object.reached));
      lost.push_back(store_.bit_and(is_lost, is_from(object, allocation)));
    }
    return store_.any_of(lost);
  }

 private:
  struct Object {
    std::uint32_t group;
    std::uint32_t slot;
    Term is_alive;
    Term reached;
  };
  /// A word that may hold the address of a heap object.
  struct Word {
    std::size_t holder;  ///< in objects_, or kGlobal
    Term value;
  };
  static constexpr std::size_t kGlobal = SIZE_MAX;

  Term slot(const Group& group, std::uint32_t s) const {
    return group.slot_bits == 0 ? Term{} : store_.constant(group.slot_bits, s);
  }

  Term is_alive(const Group& group, Term at) const {
    if (group.dead != kNoVariable) return store_.bit_not(slot_value(plan_, state_, group.dead, at));
    return slot_value(plan_, state_, group.there, at);
  }

  Term is_from(const Object& object, CodePoint allocation) const {
    const Group& group = plan_.groups[object.group];
    std::vector<Term> ways;
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      const ObjectId o = group.members[m];
      const AbstractObject& member = plan_.pointers.objects()[o];
      const CodePoint site{plan_.instances[member.instance].function, member.instruction};
      const bool has_slot = plan_.slot[o] ? *plan_.slot[o] == object.slot : object.slot >= group.first_free;
      if (!(site == allocation) || !has_slot) continue;
      if (group.sites == kNoVariable || plan_.slot[o]) return store_.boolean(true);
      const Term made_by = slot_value(plan_, state_, group.sites, slot(group, object.slot));
      ways.push_back(store_.eq(made_by, store_.constant(store_.width(made_by), m)));
    }
    return store_.any_of(ways);
  }

  bool holds_heap(const Group& group) const {
    return std::any_of(group.members.begin(), group.members.end(), [&](ObjectId o) {
      const std::vector<ObjectId> held = plan_.pointers.held_by(o);
      return std::any_of(held.begin(), held.end(),
                         [&](ObjectId h) { return plan_.pointers.objects()[h].kind == ObjectKind::Heap; });
    });
  }

  void find_words() {
    for (const Group& group : plan_.groups)
      if (group.kind == ObjectKind::Global && !group.gap && holds_heap(group)) add_words(group, {}, kGlobal);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const Group& group = plan_.groups[objects_[i].group];
      if (holds_heap(group)) add_words(group, slot(group, objects_[i].slot), i);
    }
  }

  /// Those that are in one element each; pointers in pieces are not looked for.
  void add_words(const Group& group, Term at, std::size_t holder) {
    const std::uint64_t word = plan_.pointer_width / 8;
    for (const Part& part : group.parts)
      for (std::uint64_t i = 0; i < part.count && words_.size() <= kMostPairs; ++i) {
        const std::uint64_t first = part.start + i * part.element;
        const Term index = part.index_bits == 0 ? Term{} : store_.constant(part.index_bits, i);
        for (std::uint64_t offset = (first + word - 1) / word * word; offset + word <= first + part.element;
             offset += word) {
          const Term whole = element(plan_, state_, part, at, index);
          const auto low = static_cast<std::uint32_t>((offset - first) * 8);
          words_.push_back({holder, store_.extract(whole, low + plan_.pointer_width - 1, low)});
        }
      }
  }

  /// Into the object, or just past its end.
  Term points_to(Term word, const Object& object) const {
    const Group& group = plan_.groups[object.group];
    const std::uint64_t base = group.base + (std::uint64_t{object.slot} << group.room_bits);
    const Term size =
        group.sizes == kNoVariable
            ? plan_.address(group.size)
            : store_.zero_extend(slot_value(plan_, state_, group.sizes, slot(group, object.slot)), plan_.pointer_width);
    return store_.ule(store_.sub(word, plan_.address(base)), size);
  }

  void reach() {
    std::vector<std::vector<Term>> points(objects_.size());  // by object, then word
    for (std::size_t i = 0; i < objects_.size(); ++i)
      for (const Word& word : words_) points[i].push_back(points_to(word.value, objects_[i]));
    for (std::size_t round = 0; round <= objects_.size(); ++round) {
      std::vector<Term> reached;
      for (std::size_t i = 0; i < objects_.size(); ++i) {
        std::vector<Term> ways;
        for (std::size_t w = 0; w < words_.size(); ++w) {
          const Term from = words_[w].holder == kGlobal ? store_.boolean(true) : objects_[words_[w].holder].reached;
          ways.push_back(store_.bit_and(from, points[i][w]));
        }
        reached.push_back(store_.bit_and(objects_[i].is_alive, store_.any_of(ways)));
      }
      bool is_same = true;
      for (std::size_t i = 0; i < objects_.size(); ++i) {
        is_same = is_same && objects_[i].reached == reached[i];
        objects_[i].reached = reached[i];
      }
      if (is_same) return;
    }
  }

  const Memory::Plan& plan_;
  const MemoryState& state_;
  TermStore& store_;
  std::vector<Object> objects_;
  std::vector<Word> words_;
};

}  // namespace

Term Memory::is_leaked(const MemoryState& state, CodePoint allocation) const {
  return LeakSearch(*plan_, state).lost_from(allocation);
}

}  // namespace plumb::flatten
