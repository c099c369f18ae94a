#include "semantics/intrinsics.h"

#include <gtest/gtest.h>

#include <array>

#include "term/term_store.h"

namespace plumb::semantics {
namespace {

using program::FaultKind;
using program::Intrinsic;

TEST(IntrinsicRules, EndARunIfAndOnlyIfControlDoesNotComeBack) {
  for (int code = 0; code < program::kIntrinsicCount; ++code) {
    const auto intrinsic = static_cast<Intrinsic>(code);
    const Effect effect = rule_of(intrinsic).effect;
    if (effect == Effect::Gap) continue;
    const bool ends = effect == Effect::Fault || effect == Effect::Quit || effect == Effect::Exit;
    EXPECT_EQ(ends, program::is_final(intrinsic)) << name(intrinsic);
  }
}

TEST(IntrinsicRules, StandAtTheirIntrinsic) {
  EXPECT_EQ(rule_of(Intrinsic::MakeSymbolic).effect, Effect::InputBytes);
  EXPECT_EQ(rule_of(Intrinsic::Check).fault, FaultKind::Assertion);
  EXPECT_EQ(rule_of(Intrinsic::Error).fault, FaultKind::ErrorReached);
  EXPECT_EQ(rule_of(Intrinsic::Exit).effect, Effect::Exit);
  EXPECT_EQ(rule_of(Intrinsic::Free).effect, Effect::Free);
  EXPECT_EQ(rule_of(Intrinsic::VaStart).effect, Effect::VaStart);
  EXPECT_EQ(rule_of(Intrinsic::LongJump).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::ThreadCreate).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::ThreadSelf).effect, Effect::Self);
  EXPECT_EQ(rule_of(Intrinsic::ThreadYield).effect, Effect::Nothing);
  EXPECT_EQ(rule_of(Intrinsic::ThreadWait).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::ThreadTimedWait).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::MutexKind).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::CondTimedWait).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::MutexLock).effect, Effect::Lock);
  EXPECT_EQ(rule_of(Intrinsic::MutexUnlock).use->kind, program::AccessKind::Write);
  EXPECT_EQ(rule_of(Intrinsic::CondWait).effect, Effect::Wait);
  EXPECT_EQ(rule_of(Intrinsic::Fence).effect, Effect::Nothing);
  EXPECT_EQ(rule_of(Intrinsic::UnsetValue).effect, Effect::UnsetValue);
  EXPECT_EQ(rule_of(Intrinsic::UnsetMemory).effect, Effect::UnsetMemory);
  EXPECT_EQ(rule_of(Intrinsic::HostWrite).effect, Effect::Anything);
  EXPECT_EQ(rule_of(Intrinsic::HostClock).effect, Effect::Input);
  EXPECT_EQ(rule_of(Intrinsic::HostAny).effect, Effect::Anything);
  EXPECT_EQ(rule_of(Intrinsic::HostGap).effect, Effect::Outside);
  EXPECT_EQ(rule_of(Intrinsic::HostSeek).effect, Effect::Gap);
  EXPECT_EQ(rule_of(Intrinsic::CheckPointer).effect, Effect::RequirePointer);
}

TEST(HeapAlignment, IsTheNextPowerOfTwoAndNeverLessThanThatOfMalloc) {
  EXPECT_EQ(heap_alignment(0), 16U);
  EXPECT_EQ(heap_alignment(3), 16U);
  EXPECT_EQ(heap_alignment(48), 64U);
  EXPECT_EQ(heap_alignment(64), 64U);
  EXPECT_EQ(heap_alignment(kMaxAlignment), kMaxAlignment);
  EXPECT_FALSE(heap_alignment(kMaxAlignment + 1));
}

TEST(HeapRequest, IsRefusedIfAProductDoesNotFit) {
  term::TermStore store;
  for (std::uint64_t a = 0; a < 16; ++a)
    for (std::uint64_t b = 0; b < 16; ++b) {
      const std::array arguments = {store.constant(4, a), store.constant(4, b)};
      const auto request = heap_request(store, Intrinsic::Calloc, std::span<const term::Term>(arguments));
      EXPECT_EQ(store.is_true(request.is_refused), a * b > 15);
      if (a * b <= 15) EXPECT_EQ(store.value(request.size).to_uint64(), a * b);
      EXPECT_TRUE(request.is_zeroed);
      const auto aligned = heap_request(store, Intrinsic::AlignedAlloc, std::span<const term::Term>(arguments));
      EXPECT_EQ(aligned.size, arguments[1]);
    }
}

TEST(ReallocRequest, OfNothingIsAnAllocationAndOfSizeZeroARelease) {
  term::TermStore store;
  for (const std::uint64_t address : {0, 5})
    for (const std::uint64_t size : {0, 3}) {
      const auto request = realloc_request(store, store.constant(4, address), store.constant(4, size));
      EXPECT_EQ(store.is_true(request.has_old), address != 0);
      EXPECT_EQ(store.is_true(request.is_made), address == 0 || size != 0);
    }
}

}  // namespace
}  // namespace plumb::semantics
