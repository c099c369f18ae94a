// One semantics with both contents: the same random operations drive a memory of terms and, for each of some random
// assignments to its variables, a memory of concrete bytes. Every read must have the value that the concrete memory
// reads, every fault must be the same fault.

#include <gtest/gtest.h>

#include <random>

#include "semantics/memory/concrete_bytes.h"
#include "semantics/memory/memory.h"
#include "semantics/memory/term_bytes.h"
#include "term/evaluator.h"

namespace plumb::semantics {
namespace {

using term::Assignment;
using term::Evaluator;
using term::Term;
using term::TermStore;

/// The memories of one fork.
struct State {
  Memory<TermBytes> symbolic;
  std::vector<Memory<ConcreteBytes>> concrete;
  std::vector<std::uint64_t> bases;  ///< of all objects, dead ones too
};

class Differential {
 public:
  Differential(std::uint32_t pointer_width, unsigned seed, bool small_objects)
      : pointer_width_(pointer_width), random_(seed), small_objects_(small_objects), assignments_(kAssignments) {
    states_.push_back({Memory<TermBytes>(pointer_width), {kAssignments, Memory<ConcreteBytes>(pointer_width)}, {}});
  }

  void step() {
    State& state = states_[below(states_.size())];
    switch (below(16)) {
      case 0:
        allocate(state);
        break;
      case 1:
        kill(state);
        break;
      case 2:
        free(state);
        break;
      case 3:
        fork();
        break;
      case 4:
      case 5:
        fill(state);
        break;
      case 6:
      case 7:
        copy(state);
        break;
      case 8:
        symbolic_store(state);
        break;
      case 9:
        symbolic_load(state);
        break;
      case 10:
      case 11:
      case 12:
        store(state);
        break;
      default:
        load(state);
        break;
    }
  }
  int accesses() const { return accesses_; }
  int faults() const { return faults_; }

 private:
  static constexpr std::size_t kAssignments = 3;

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  /// A value of so many bytes: a term and what it is under each assignment.
  struct Both {
    Term term;
    std::vector<BitVector> values;
  };
  Both value(std::uint32_t count) {
    Both both;
    if (below(3) == 0) {
      std::vector<std::uint64_t> words;
      for (std::uint32_t i = 0; i < count; i += 8) words.push_back(random_());
      const BitVector constant = BitVector::from_words(count * 8, words);
      both.term = terms_.constant(constant);
      both.values.assign(kAssignments, constant);
      return both;
    }
    both.term = terms_.variable(count * 8, "v");
    for (Assignment& assignment : assignments_) {
      std::vector<std::uint64_t> words;
      for (std::uint32_t i = 0; i < count; i += 8) words.push_back(random_());
      both.values.push_back(BitVector::from_words(count * 8, words));
      assignment[both.term] = both.values.back();
    }
    return both;
  }
  /// In bounds of an object of `size` under each assignment; with elements of 1, 2, 4 or 8 bytes.
  Both offset(std::uint64_t size, std::uint32_t count) {
    const auto shift = static_cast<std::uint32_t>(below(4));
    const std::uint64_t elements = ((size - count) >> shift) + 1;
    Both both;
    const Term index = terms_.variable(32, "i");
    both.term = terms_.shl(terms_.zero_extend(index, pointer_width_), terms_.constant(pointer_width_, shift));
    for (Assignment& assignment : assignments_) {
      const std::uint64_t i = below(elements);
      assignment[index] = BitVector(32, i);
      both.values.emplace_back(pointer_width_, i << shift);
    }
    return both;
  }
  void expect_equal(Term read, std::size_t which, const BitVector& expected) {
    Evaluator evaluator(terms_, assignments_[which]);
    ASSERT_EQ(evaluator.bits(read), expected);
  }

  void allocate(State& state) {
    const std::uint64_t size = below(small_objects_ ? 40 : 400);
    const auto kind = static_cast<ObjectKind>(below(3));
    const std::uint32_t alignment = 1U << below(8);
    const bool zero = below(2) == 0;
    const CodePoint site{static_cast<std::uint32_t>(below(100)), static_cast<std::uint32_t>(below(100))};
    const std::vector<std::uint8_t> content(size, zero ? 0 : kUninitialised);
    const ObjectId object = state.symbolic.allocate(kind, size, alignment, site, TermBytes(content, size));
    const bool constant = below(20) == 0;
    if (constant) state.symbolic.set_constant(object, 1);
    for (Memory<ConcreteBytes>& memory : state.concrete) {
      ASSERT_EQ(memory.allocate(kind, size, alignment, site,
                                zero ? ConcreteBytes::zeroed(size) : ConcreteBytes::uninitialised(size)),
                object);
      ASSERT_EQ(memory.info(object).base, state.symbolic.info(object).base);
      if (constant) memory.set_constant(object, 1);
    }
    state.bases.push_back(state.symbolic.info(object).base);
  }
  void kill(State& state) {
    const std::vector<ObjectId> live = state.symbolic.live(ObjectKind::Stack);
    if (live.size() < 4) return;
    const ObjectId object = live[below(live.size())];
    state.symbolic.kill(object, Life::Returned, {1, 2});
    for (Memory<ConcreteBytes>& memory : state.concrete) memory.kill(object, Life::Returned, {1, 2});
  }
  void free(State& state) {
    if (below(3) != 0) return;
    const std::uint64_t to_free = below(3) == 0 ? address(state) : base(state);
    const std::optional<Fault> fault = state.symbolic.free(to_free, {3, 4});
    for (Memory<ConcreteBytes>& memory : state.concrete) expect_same(fault, memory.free(to_free, {3, 4}));
  }
  void fork() {
    if (states_.size() < 3) {
      states_.push_back(State(states_[below(states_.size())]));
    } else {
      states_[below(2)] = states_[2];
      states_.pop_back();
    }
  }

  std::uint64_t base(const State& state) { return state.bases.empty() ? 0 : state.bases[below(state.bases.size())]; }
  /// Mostly in an object or near it.
  std::uint64_t address(const State& state) {
    if (below(50) == 0) return below(2) == 0 ? below(5000) : random_() >> (64 - pointer_width_);
    const std::uint64_t start = base(state);
    const std::optional<ObjectId> object = state.symbolic.object_at(start);
    const std::uint64_t size = object ? state.symbolic.info(*object).size : 0;
    return start + below(size + 1) - (below(20) == 0 ? below(10) : 0);
  }
  void expect_same(const std::optional<Fault>& a, const std::optional<Fault>& b) {
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) return;
    ++faults_;
    ASSERT_EQ(a->kind, b->kind);
    ASSERT_EQ(a->message, b->message);
    ASSERT_EQ(a->allocated, b->allocated);
    ASSERT_EQ(a->freed, b->freed);
  }
  /// The place if all memories allow the access; they agree on it, on the fault otherwise, and find() with resolve().
  std::optional<Memory<TermBytes>::Place> resolve(const State& state, std::uint64_t at, std::uint64_t size,
                                                  AccessKind kind) {
    const auto symbolic = state.symbolic.resolve(at, size, kind);
    EXPECT_EQ(symbolic.index() == 0, state.symbolic.find(at, size, kind).has_value());
    for (const Memory<ConcreteBytes>& memory : state.concrete) {
      const auto concrete = memory.resolve(at, size, kind);
      EXPECT_EQ(concrete.index(), symbolic.index());
      if (symbolic.index() == 1) {
        expect_same(std::get<1>(symbolic), std::get<1>(concrete));
      } else {
        EXPECT_EQ(std::get<0>(symbolic).object, std::get<0>(concrete).object);
        EXPECT_EQ(std::get<0>(symbolic).offset, std::get<0>(concrete).offset);
      }
    }
    if (symbolic.index() == 1) return std::nullopt;
    ++accesses_;
    return std::get<0>(symbolic);
  }

  std::uint32_t count() {
    return static_cast<std::uint32_t>(below(8) == 0 ? 1 + below(20) : std::uint64_t{1} << below(4));
  }

  void load(State& state) {
    const std::uint32_t size = count();
    const auto place = resolve(state, address(state), size, AccessKind::Read);
    if (!place) return;
    const Term read = state.symbolic.bytes(place->object).load(terms_, place->offset, size);
    for (std::size_t i = 0; i < kAssignments; ++i)
      expect_equal(read, i, state.concrete[i].bytes(place->object).load_wide(place->offset, size));
  }
  void store(State& state) {
    const std::uint32_t size = count();
    const auto place = resolve(state, address(state), size, AccessKind::Write);
    if (!place) return;
    const Both stored = value(size);
    state.symbolic.writable(place->object).store(terms_, place->offset, stored.term);
    for (std::size_t i = 0; i < kAssignments; ++i)
      state.concrete[i].writable(place->object).store_wide(place->offset, stored.values[i]);
  }
  void fill(State& state) {
    const std::uint64_t size = below(60);
    const auto place = resolve(state, address(state), size, AccessKind::Write);
    if (!place) return;
    const Both byte = value(1);
    state.symbolic.writable(place->object).fill(terms_, place->offset, size, byte.term);
    for (std::size_t i = 0; i < kAssignments; ++i)
      state.concrete[i]
          .writable(place->object)
          .fill(place->offset, size, static_cast<std::uint8_t>(byte.values[i].to_uint64()));
  }
  void copy(State& state) {
    const std::uint64_t size = below(40);
    const std::uint64_t source = address(state);
    const auto from = resolve(state, source, size, AccessKind::Read);
    const std::uint64_t target = below(2) == 0 ? source + below(20) - 10 : address(state);
    const auto to = resolve(state, target, size, AccessKind::Write);
    if (!from || !to) return;
    state.symbolic.writable(to->object)
        .copy(terms_, to->offset, state.symbolic.bytes(from->object), from->offset, size);
    for (Memory<ConcreteBytes>& memory : state.concrete)
      memory.writable(to->object).copy(to->offset, memory.bytes(from->object), from->offset, size);
  }
  void symbolic_load(State& state) {
    const std::uint32_t size = count();
    const auto place = resolve(state, base(state), size, AccessKind::Read);
    if (!place) return;
    const Both at = offset(state.symbolic.info(place->object).size, size);
    const Term read = state.symbolic.bytes(place->object).load(terms_, at.term, size);
    for (std::size_t i = 0; i < kAssignments; ++i)
      expect_equal(read, i, state.concrete[i].bytes(place->object).load_wide(at.values[i].to_uint64(), size));
  }
  void symbolic_store(State& state) {
    const std::uint32_t size = count();
    const auto place = resolve(state, base(state), size, AccessKind::Write);
    if (!place) return;
    const Both at = offset(state.symbolic.info(place->object).size, size);
    const Both stored = value(size);
    state.symbolic.writable(place->object).store(terms_, at.term, stored.term, terms_.boolean(true));
    for (std::size_t i = 0; i < kAssignments; ++i)
      state.concrete[i].writable(place->object).store_wide(at.values[i].to_uint64(), stored.values[i]);
  }

  std::uint32_t pointer_width_;
  std::mt19937_64 random_;
  bool small_objects_;
  TermStore terms_;
  std::vector<Assignment> assignments_;
  std::vector<State> states_;
  int accesses_ = 0;
  int faults_ = 0;
};

TEST(MemoryDifferential, TermsAndBytesAgreeOnValuesAndFaults) {
  int accesses = 0;
  int faults = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Differential differential(seed % 2 == 0 ? 64 : 32, seed, seed % 4 < 2);
    for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) differential.step();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    accesses += differential.accesses();
    faults += differential.faults();
  }
  // Neither side of the comparison is empty
  EXPECT_GT(accesses, 5000);
  EXPECT_GT(faults, 2000);
}

}  // namespace
}  // namespace plumb::semantics
