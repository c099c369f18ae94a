#include "semantics/memory/access_fault.h"

#include <gtest/gtest.h>

#include <set>

namespace plumb::semantics {

using program::describe;
using program::FaultKind;
using program::Function;
using program::kFaultKindCount;
using program::name;
namespace {

ObjectInfo object(ObjectKind kind, std::uint64_t size) {
  ObjectInfo info;
  info.base = 0x2000'0400;
  info.size = size;
  info.kind = kind;
  info.global = 7;
  info.allocated = {1, 2};
  return info;
}

std::string message(const ObjectInfo& info, std::int64_t offset, std::uint64_t size, AccessKind kind,
                    std::uint32_t alignment = 1) {
  const std::uint64_t address = info.base + static_cast<std::uint64_t>(offset);
  const std::optional<Fault> fault = access_fault(&info, {address, size, kind, alignment}, 64);
  return fault ? std::string(name(fault->kind)) + ": " + fault->message : "";
}

std::string wild(std::uint64_t address, std::uint32_t pointer_width, std::uint64_t size = 4) {
  const std::optional<Fault> fault = access_fault(nullptr, {address, size, AccessKind::Read, 1}, pointer_width);
  return std::string(name(fault->kind)) + ": " + fault->message;
}

TEST(AccessFault, SaysWhichEndWasPassed) {
  const ObjectInfo heap = object(ObjectKind::Heap, 40);
  EXPECT_EQ(message(heap, 40, 4, AccessKind::Write),
            "pointer-out-of-bounds: write of 4 bytes at offset 40: past the end of a heap object of 40 bytes");
  EXPECT_EQ(message(heap, 37, 4, AccessKind::Read),
            "pointer-out-of-bounds: read of 4 bytes at offset 37: past the end of a heap object of 40 bytes");
  EXPECT_EQ(message(object(ObjectKind::Stack, 1), -1, 1, AccessKind::Read),
            "array-pointer-out-of-bounds: read of 1 byte at offset -1: before a stack object of 1 byte");
  EXPECT_EQ(message(heap, 0, ~std::uint64_t{0}, AccessKind::Write),
            "pointer-out-of-bounds: write of 18446744073709551615 bytes at offset 0: past the end of a heap object of "
            "40 bytes");
  EXPECT_EQ(message(heap, 36, 4, AccessKind::Write), "");
}

TEST(AccessFault, AnEngineAddsTheNameAndDescribesAgain) {
  const ObjectInfo table = object(ObjectKind::Global, 16);
  Fault fault = *access_fault(&table, {table.base - 1, 1, AccessKind::Read, 1}, 64);
  EXPECT_EQ(fault.object_global, 7U);
  EXPECT_EQ(fault.allocated, (CodePoint{1, 2}));
  fault.object_name = "table";
  EXPECT_EQ(describe(fault), "read of 1 byte at offset -1: before a global object 'table' of 16 bytes");
}

TEST(AccessFault, OtherKindsAreDescribedByTheirMessage) {
  Fault fault;
  fault.kind = FaultKind::Assertion;
  fault.message = "assertion 'x > 0' failed";
  EXPECT_EQ(describe(fault), fault.message);
}

TEST(AccessFault, DeathComesBeforeBounds) {
  ObjectInfo heap = object(ObjectKind::Heap, 40);
  heap.life = Life::Freed;
  EXPECT_EQ(message(heap, 4, 4, AccessKind::Read),
            "use-after-free: read of 4 bytes at offset 4 of a heap object of 40 bytes after it was freed");
  EXPECT_EQ(message(heap, 44, 4, AccessKind::Read),
            "use-after-free: read of 4 bytes at offset 44 of a heap object of 40 bytes after it was freed");
  ObjectInfo stack = object(ObjectKind::Stack, 4);
  stack.life = Life::Returned;
  EXPECT_EQ(message(stack, 0, 4, AccessKind::Write),
            "use-after-return: write of 4 bytes at offset 0 of a stack object of 4 bytes after its scope was left");
}

TEST(AccessFault, ConstantObjectsAreReadOnly) {
  ObjectInfo constant = object(ObjectKind::Global, 4);
  constant.is_constant = true;
  EXPECT_EQ(message(constant, 0, 2, AccessKind::Write),
            "write-to-constant: write of 2 bytes at offset 0 of a constant global object of 4 bytes");
  EXPECT_EQ(message(constant, 0, 2, AccessKind::Read), "");
  EXPECT_EQ(message(constant, 0, 0, AccessKind::Write), "");
}

TEST(AccessFault, AlignmentIsCheckedWhereAsked) {
  const ObjectInfo heap = object(ObjectKind::Heap, 40);
  EXPECT_EQ(
      message(heap, 2, 4, AccessKind::Read, 4),
      "misaligned: read of 4 bytes at offset 2 of a heap object of 40 bytes: address 0x20000402 is not a multiple "
      "of 4");
  EXPECT_EQ(message(heap, 2, 4, AccessKind::Read, 2), "");
  EXPECT_EQ(message(heap, 2, 4, AccessKind::Read, 0), "");
}

TEST(AccessFault, AFunctionIsNotData) {
  const ObjectInfo function = object(ObjectKind::Function, 0);
  EXPECT_EQ(message(function, 0, 1, AccessKind::Read),
            "invalid-pointer: read of 1 byte at the address of a function, which is not data");
  Fault fault = *access_fault(&function, {function.base, 8, AccessKind::Write, 1}, 64);
  fault.object_name = "main";
  EXPECT_EQ(describe(fault), "write of 8 bytes at the address of function 'main', which is not data");
}

TEST(AccessFault, NullIsToldWithItsOffset) {
  EXPECT_EQ(wild(0, 64), "null-dereference: read of 4 bytes through a null pointer");
  EXPECT_EQ(wild(8, 32), "null-dereference: read of 4 bytes at offset 8 from a null pointer");
  EXPECT_EQ(wild(0xFFFF'FFFC, 32), "null-dereference: read of 4 bytes at offset -4 from a null pointer");
  EXPECT_EQ(wild(0xFFFF'FFFC, 64), "invalid-pointer: read of 4 bytes at address 0xfffffffc: no object is there");
  EXPECT_EQ(wild(4095, 64), "null-dereference: read of 4 bytes at offset 4095 from a null pointer");
  EXPECT_EQ(wild(4096, 64), "invalid-pointer: read of 4 bytes at address 0x1000: no object is there");
}

TEST(AccessFault, APointerNeverWrittenIsToldEvenWithAnOffset) {
  const std::string expected = "uninitialised-pointer: read of 4 bytes through a pointer that was never written";
  for (const std::int64_t offset : {0, 8, -8, 100'000, -100'000}) {
    EXPECT_EQ(wild(0xBEBE'BEBE'BEBE'BEBE + static_cast<std::uint64_t>(offset), 64), expected);
    EXPECT_EQ(wild((0xBEBE'BEBE + static_cast<std::uint64_t>(offset)) & 0xFFFF'FFFF, 32), expected);
  }
  EXPECT_EQ(wild(0xBEBE'BEBE, 64), "invalid-pointer: read of 4 bytes at address 0xbebebebe: no object is there");
}

TEST(AccessFault, FreeWantsTheBaseOfALiveHeapObject) {
  const auto freed = [](const ObjectInfo* info, std::uint64_t address) {
    const std::optional<Fault> fault = free_fault(info, address, 64);
    return fault ? std::string(name(fault->kind)) + ": " + fault->message : "";
  };
  ObjectInfo heap = object(ObjectKind::Heap, 40);
  const ObjectInfo stack = object(ObjectKind::Stack, 16);
  EXPECT_EQ(freed(nullptr, 0), "");
  EXPECT_EQ(freed(&heap, heap.base), "");
  EXPECT_EQ(freed(&heap, heap.base + 4),
            "invalid-free: free of a pointer at offset 4: not the start of a heap object of 40 bytes");
  EXPECT_EQ(freed(&stack, stack.base), "invalid-free: free of a stack object of 16 bytes: not from the heap");
  EXPECT_EQ(freed(nullptr, 0x1234'5678), "invalid-free: free of address 0x12345678: no object is there");
  EXPECT_EQ(freed(nullptr, 16), "invalid-free: free of address 0x10: no object is there");
  EXPECT_EQ(freed(nullptr, 0xBEBE'BEBE'BEBE'BEBE),
            "uninitialised-pointer: free through a pointer that was never written");
  heap.life = Life::Freed;
  EXPECT_EQ(freed(&heap, heap.base), "double-free: second free of a heap object of 40 bytes");
}

TEST(AccessFault, ALeakNamesItsObject) {
  const Fault fault = leak_fault(object(ObjectKind::Heap, 12));
  EXPECT_EQ(fault.kind, FaultKind::Leak);
  EXPECT_EQ(fault.message, "a heap object of 12 bytes is never freed");
  EXPECT_EQ(fault.allocated, (CodePoint{1, 2}));
}

TEST(Fault, KindsHaveDistinctNamesOfLowerCaseWordsAndHyphens) {
  std::set<std::string_view> names;
  for (int i = 0; i < kFaultKindCount; ++i) {
    const std::string_view kind_name = name(static_cast<FaultKind>(i));
    EXPECT_EQ(kind_name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << kind_name;
    names.insert(kind_name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kFaultKindCount));
}

}  // namespace
}  // namespace plumb::semantics
