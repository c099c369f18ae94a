#include "semantics/memory/memory.h"

#include <gtest/gtest.h>

#include "semantics/memory/concrete_bytes.h"
#include "semantics/memory/term_bytes.h"

namespace plumb::semantics {

using program::FaultKind;
using program::Function;
namespace {

/// Of terms too the tests want an object of some size, whatever is in it.
struct ObjectOfTerms : TermBytes {
  using TermBytes::TermBytes;
  static ObjectOfTerms uninitialised(std::uint64_t size) { return {std::span<const std::uint8_t>(), size}; }
};

template <typename Bytes>
class MemoryTest : public testing::Test {
 public:
  using Objects = Memory<Bytes>;
  static ObjectId make(Objects& memory, ObjectKind kind, std::uint64_t size, CodePoint site = {}) {
    return memory.allocate(kind, size, 8, site, Bytes::uninitialised(size));
  }
  static FaultKind fault_of(const Objects& memory, std::uint64_t address, std::uint64_t size,
                            AccessKind kind = AccessKind::Read) {
    return std::get<Fault>(memory.resolve(address, size, kind)).kind;
  }
};
using BothContents = testing::Types<ConcreteBytes, ObjectOfTerms>;
TYPED_TEST_SUITE(MemoryTest, BothContents);

TYPED_TEST(MemoryTest, EveryAccessToEverySmallObjectIsAllowedExactlyIfItIsInside) {
  for (const std::uint32_t pointer_width : {32U, 64U}) {
    Memory<TypeParam> memory(pointer_width);
    for (std::uint64_t size = 0; size <= 16; ++size) {
      const ObjectId object = this->make(memory, ObjectKind::Heap, size);
      const std::uint64_t base = memory.info(object).base;
      for (std::int64_t offset = -16; offset <= 32; ++offset) {
        for (std::uint64_t count = 0; count <= 20; ++count) {
          const std::uint64_t address = base + static_cast<std::uint64_t>(offset);
          const bool is_inside = offset >= 0 && static_cast<std::uint64_t>(offset) + count <= size;
          const auto found = memory.find(address, count, AccessKind::Write);
          const auto resolved = memory.resolve(address, count, AccessKind::Write);
          ASSERT_EQ(found.has_value(), is_inside);
          ASSERT_EQ(resolved.index() == 0, is_inside);
          if (is_inside) {
            ASSERT_EQ(found->object, object);
            ASSERT_EQ(found->offset, static_cast<std::uint64_t>(offset));
            ASSERT_EQ(std::get<0>(resolved).offset, found->offset);
            continue;
          }
          // One further than the upper guard of the smallest rooms is the next object's: a fault all the same
          const Fault& fault = std::get<Fault>(resolved);
          if (memory.object_at(address) != object) continue;
          ASSERT_EQ(fault.kind, FaultKind::PointerOutOfBounds);
          ASSERT_EQ(fault.offset, offset);
          ASSERT_EQ(fault.object_size, size);
        }
      }
    }
  }
}

TYPED_TEST(MemoryTest, FreedObjectsKeepBothSites) {
  Memory<TypeParam> memory(64);
  const ObjectId object = this->make(memory, ObjectKind::Heap, 40, {1, 10});
  const std::uint64_t base = memory.info(object).base;
  EXPECT_FALSE(memory.free(base, {2, 20}));
  const Fault use = std::get<Fault>(memory.resolve(base + 4, 4, AccessKind::Write));
  EXPECT_EQ(use.kind, FaultKind::UseAfterFree);
  EXPECT_EQ(use.allocated, (CodePoint{1, 10}));
  EXPECT_EQ(use.freed, (CodePoint{2, 20}));
  const Fault again = memory.free(base, {3, 30}).value();
  EXPECT_EQ(again.kind, FaultKind::DoubleFree);
  EXPECT_EQ(again.freed, (CodePoint{2, 20}));
  EXPECT_FALSE(memory.find(base, 0, AccessKind::Read));
}

TYPED_TEST(MemoryTest, OnlyTheBaseOfALiveHeapObjectCanBeFreed) {
  Memory<TypeParam> memory(32);
  const ObjectId heap = this->make(memory, ObjectKind::Heap, 8);
  const ObjectId stack = this->make(memory, ObjectKind::Stack, 8);
  const ObjectId global = this->make(memory, ObjectKind::Global, 8);
  EXPECT_FALSE(memory.free(0, {}));
  EXPECT_EQ(memory.free(memory.info(heap).base + 1, {})->kind, FaultKind::InvalidFree);
  EXPECT_EQ(memory.free(memory.info(heap).base - 1, {})->kind, FaultKind::InvalidFree);
  EXPECT_EQ(memory.free(memory.info(stack).base, {})->kind, FaultKind::InvalidFree);
  EXPECT_EQ(memory.free(memory.info(global).base, {})->kind, FaultKind::InvalidFree);
  EXPECT_EQ(memory.info(heap).life, Life::Live);
  EXPECT_FALSE(memory.free(memory.info(heap).base, {}));
  EXPECT_EQ(memory.info(heap).life, Life::Freed);
}

TYPED_TEST(MemoryTest, StackObjectsAreGoneAfterReturn) {
  Memory<TypeParam> memory(64);
  const ObjectId object = this->make(memory, ObjectKind::Stack, 4);
  const std::uint64_t base = memory.info(object).base;
  memory.kill(object, Life::Returned, {5, 6});
  EXPECT_EQ(this->fault_of(memory, base, 4), FaultKind::UseAfterReturn);
  EXPECT_EQ(this->fault_of(memory, base + 100, 4), FaultKind::UseAfterReturn);
}

TYPED_TEST(MemoryTest, OutOfScopeAnObjectKeepsItsRoom) {
  Memory<TypeParam> memory(64);
  const ObjectId object = this->make(memory, ObjectKind::Stack, 4);
  const std::uint64_t base = memory.info(object).base;
  memory.leave_scope(object, {5, 6});
  memory.leave_scope(object, {5, 7});
  EXPECT_EQ(this->fault_of(memory, base, 4), FaultKind::UseAfterScope);
  EXPECT_FALSE(memory.find(base, 4, AccessKind::Read));
  memory.enter_scope(object, TypeParam::uninitialised(4));
  EXPECT_EQ(memory.find(base, 4, AccessKind::Write)->object, object);
  memory.leave_scope(object, {5, 6});
  memory.kill(object, Life::Returned, {5, 8});
  EXPECT_EQ(this->fault_of(memory, base, 4), FaultKind::UseAfterReturn);
}

TYPED_TEST(MemoryTest, ConstantObjectsAreReadButNotWritten) {
  Memory<TypeParam> memory(64);
  const ObjectId object = this->make(memory, ObjectKind::Global, 4);
  const std::uint64_t base = memory.info(object).base;
  memory.set_constant(object, 3);
  EXPECT_TRUE(memory.find(base, 4, AccessKind::Read));
  EXPECT_FALSE(memory.find(base, 4, AccessKind::Write));
  EXPECT_TRUE(memory.find(base, 0, AccessKind::Write));
  EXPECT_EQ(this->fault_of(memory, base, 4, AccessKind::Write), FaultKind::WriteToConstant);
  EXPECT_EQ(this->fault_of(memory, base, 5, AccessKind::Write), FaultKind::ArrayPointerOutOfBounds);
  EXPECT_EQ(std::get<Fault>(memory.resolve(base, 4, AccessKind::Write)).object_global, 3U);
}

TYPED_TEST(MemoryTest, FunctionsHaveAddressesButNoBytes) {
  Memory<TypeParam> memory(64);
  const ObjectId object = memory.allocate(ObjectKind::Function, 0, 16, {}, TypeParam());
  memory.set_global(object, 12);
  const std::uint64_t base = memory.info(object).base;
  EXPECT_EQ(memory.object_at(base), object);
  EXPECT_EQ(this->fault_of(memory, base, 1), FaultKind::InvalidPointer);
  EXPECT_EQ(this->fault_of(memory, base + 1, 1), FaultKind::InvalidPointer);
  EXPECT_FALSE(memory.find(base, 1, AccessKind::Read));
}

TYPED_TEST(MemoryTest, PointersToNothingAreToldApart) {
  Memory<TypeParam> memory(64);
  this->make(memory, ObjectKind::Heap, 4);
  EXPECT_EQ(this->fault_of(memory, 0, 4), FaultKind::NullDereference);
  EXPECT_EQ(this->fault_of(memory, 0, 0), FaultKind::NullDereference);
  EXPECT_EQ(this->fault_of(memory, 24, 4), FaultKind::NullDereference);
  EXPECT_EQ(this->fault_of(memory, 0xBEBE'BEBE'BEBE'BEC6, 4), FaultKind::UninitialisedPointer);
  EXPECT_EQ(this->fault_of(memory, 0x1234'5678, 4), FaultKind::InvalidPointer);
}

TYPED_TEST(MemoryTest, LiveListsByKindAndRisingIdentity) {
  Memory<TypeParam> memory(64);
  const ObjectId a = this->make(memory, ObjectKind::Heap, 4);
  this->make(memory, ObjectKind::Stack, 4);
  const ObjectId b = this->make(memory, ObjectKind::Heap, 4);
  const ObjectId c = this->make(memory, ObjectKind::Heap, 4);
  EXPECT_FALSE(memory.free(memory.info(b).base, {}));
  EXPECT_EQ(memory.live(ObjectKind::Heap), (std::vector<ObjectId>{a, c}));
}

TYPED_TEST(MemoryTest, AReusedObjectIsNew) {
  Memory<TypeParam> memory(64);
  const ObjectId first = this->make(memory, ObjectKind::Heap, 8, {1, 1});
  memory.set_constant(first, 9);
  const std::uint64_t base = memory.info(first).base;
  memory.kill(first, Life::Freed, {2, 2});
  for (std::size_t i = 0; i < Memory<TypeParam>::kQuarantine; ++i) {
    ASSERT_EQ(this->fault_of(memory, base, 8), FaultKind::UseAfterFree);
    memory.kill(this->make(memory, ObjectKind::Stack, 8), Life::Returned, {});
  }
  const ObjectId reused = this->make(memory, ObjectKind::Stack, 4, {3, 3});
  EXPECT_EQ(reused, first);
  EXPECT_EQ(memory.info(reused).base, base);
  EXPECT_EQ(memory.info(reused).allocated, (CodePoint{3, 3}));
  EXPECT_EQ(memory.info(reused).freed, CodePoint{});
  EXPECT_TRUE(memory.find(base, 4, AccessKind::Write));
  EXPECT_FALSE(memory.find(base, 5, AccessKind::Read));
}

/// Content that counts its copies, which a shared chunk of the object table makes when it is written.
struct CountedBytes {
  std::uint64_t length = 0;
  static inline std::size_t copies = 0;

  CountedBytes() = default;
  explicit CountedBytes(std::uint64_t n) : length(n) {}
  CountedBytes(const CountedBytes& other) : length(other.length) { ++copies; }
  CountedBytes& operator=(const CountedBytes& other) {
    length = other.length;
    ++copies;
    return *this;
  }
  CountedBytes(CountedBytes&&) noexcept = default;
  CountedBytes& operator=(CountedBytes&&) noexcept = default;
  ~CountedBytes() = default;
  std::uint64_t size() const { return length; }
};

TEST(Memory, AForkCopiesNoObjectAndAWriteAfterItOneChunk) {
  Memory<CountedBytes> memory(64);
  for (int i = 0; i < 100'000; ++i) memory.allocate(ObjectKind::Heap, 8, 8, {}, CountedBytes(8));
  CountedBytes::copies = 0;
  Memory<CountedBytes> fork = memory;
  EXPECT_EQ(CountedBytes::copies, 0U);
  fork.writable(500).length = 8;
  EXPECT_EQ(CountedBytes::copies, 64U);
  fork.writable(501).length = 8;
  memory.writable(502).length = 8;
  EXPECT_EQ(CountedBytes::copies, 64U);
  EXPECT_FALSE(fork.free(fork.info(50'000).base, {}));
  EXPECT_EQ(CountedBytes::copies, 128U);
  EXPECT_EQ(memory.info(50'000).life, Life::Live);
}

TEST(Memory, ForksOwnTheirBytesAndLives) {
  Memory<ConcreteBytes> memory(64);
  const ObjectId a = memory.allocate(ObjectKind::Heap, 8, 8, {}, ConcreteBytes::zeroed(8));
  const std::uint64_t base = memory.info(a).base;
  Memory<ConcreteBytes> fork = memory;
  EXPECT_TRUE(fork.bytes(a).shares_with(memory.bytes(a)));
  fork.writable(a).store(0, 1, 8);
  memory.writable(a).store(0, 2, 8);
  EXPECT_EQ(fork.bytes(a).load(0, 8), 1U);
  EXPECT_EQ(memory.bytes(a).load(0, 8), 2U);
  EXPECT_FALSE(fork.free(base, {}));
  EXPECT_TRUE(memory.find(base, 8, AccessKind::Write));
  EXPECT_FALSE(fork.find(base, 8, AccessKind::Write));
  const ObjectId b = memory.allocate(ObjectKind::Heap, 16, 8, {}, ConcreteBytes::zeroed(16));
  EXPECT_FALSE(fork.object_at(memory.info(b).base));
}

TEST(Memory, AnObjectLargerThanTheAddressSpaceIsOutOfMemoryAndLeavesTheRestAlone) {
  Memory<CountedBytes> memory(32);
  const std::uint64_t size = std::uint64_t{1} << 33;
  EXPECT_THROW(memory.allocate(ObjectKind::Heap, size, 8, {}, CountedBytes(size)), OutOfMemory);
  EXPECT_EQ(memory.allocate(ObjectKind::Heap, 8, 8, {}, CountedBytes(8)), 0U);
}

}  // namespace
}  // namespace plumb::semantics
