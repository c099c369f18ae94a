#include "replay/find_defect.h"

#include <gtest/gtest.h>

#include <set>

#include "replay/describe_defect.h"
#include "runtime/checks/checks.h"

namespace plumb::replay {
namespace {

using program::FaultKind;
using result::Defect;
using result::StackFrame;

Defect defect(FaultKind kind, std::vector<StackFrame> stack) {
  Defect made;
  made.kind = name(kind);
  made.stack = std::move(stack);
  blame_user_code(made);
  return made;
}

Defect leak(std::vector<StackFrame> allocated) {
  Defect made;
  made.kind = name(FaultKind::Leak);
  made.object = result::DefectObject{"heap", "", 4, std::move(allocated), {}};
  blame_user_code(made);
  return made;
}

StackFrame users(std::uint32_t line, std::uint32_t column = 3) { return {"f", {"p.c", line, column}, false}; }
StackFrame models(std::uint32_t line) { return {"strcpy", {"runtime/models/string_copy.c", line, 5}, true}; }

Replay replay_of(std::vector<Defect> defects) {
  Replay replay;
  for (Defect& each : defects) replay.add(std::move(each));
  return replay;
}

TEST(KindOfDefect, EachKindOfTheRuntimeHasOneOfItsOwn) {
  std::set<FaultKind> kinds;
  for (std::uint32_t kind = PLUMB_DEFECT_INDEX; kind <= PLUMB_DEFECT_SCOPE; ++kind) kinds.insert(kind_of_defect(kind));
  EXPECT_EQ(kinds.size(), std::size_t{PLUMB_DEFECT_SCOPE});
}

TEST(BlameUserCode, BlamesTheInnermostCallThatIsNoModel) {
  EXPECT_EQ(defect(FaultKind::PointerOutOfBounds, {models(9), users(4), users(8)}).place.to_string(), "p.c:4:3");
  EXPECT_EQ(leak({models(9), users(6)}).place.to_string(), "p.c:6:3");
}

TEST(BlameUserCode, CodeWithoutAPlaceIsNotBlamedIfOtherCodeCanBe) {
  EXPECT_EQ(defect(FaultKind::DoubleFree, {{"(library)", {}, false}, users(4)}).place.line, 4U);
  const Defect alone = defect(FaultKind::DoubleFree, {models(9)});
  EXPECT_EQ(alone.place.line, 9U);
}

TEST(SameFile, HoldsForTheEndOfAPathAtAFolder) {
  EXPECT_TRUE(is_same_file("p.c", "p.c"));
  EXPECT_TRUE(is_same_file("/a/b/p.c", "b/p.c"));
  EXPECT_TRUE(is_same_file("p.c", "/a/p.c"));
  EXPECT_FALSE(is_same_file("/a/xp.c", "p.c"));
  EXPECT_FALSE(is_same_file("/a/p.c", "/b/p.c"));
  EXPECT_FALSE(is_same_file("", "p.c"));
}

TEST(Replay, KnowsEachKindAndPlaceOnce) {
  const Replay replay =
      replay_of({defect(FaultKind::NullDereference, {users(3)}),
                 defect(FaultKind::NullDereference, {users(3), users(9)}), defect(FaultKind::DoubleFree, {users(3)})});
  EXPECT_EQ(replay.defects.size(), 2U);
}

TEST(Replay, WhatAWrongAccessComesToInTheSameCallsIsLeftOut) {
  const Replay replay = replay_of({defect(FaultKind::ArrayPointerOutOfBounds, {users(3), users(9)}),
                                   defect(FaultKind::UseAfterReturn, {users(3), users(9)}),
                                   defect(FaultKind::UseAfterFree, {users(3), users(10)})});
  ASSERT_EQ(replay.defects.size(), 2U);
  EXPECT_EQ(replay.defects[0].kind, "array-pointer-out-of-bounds");
  EXPECT_EQ(replay.defects[1].kind, "use-after-free");
  EXPECT_EQ(find_defect(replay, {FaultKind::UseAfterReturn, {"p.c", 3, 3}, false}), &replay.defects[0]);
}

TEST(Replay, SaysWhatCameAfterAnother) {
  const Replay replay = replay_of(
      {defect(FaultKind::NullDereference, {users(3)}), defect(FaultKind::UseAfterFree, {users(5)}), leak({users(7)})});
  EXPECT_FALSE(replay.defects[0].is_after_another);
  EXPECT_TRUE(replay.defects[1].is_after_another);
  EXPECT_TRUE(replay.defects[2].is_after_another);
}

TEST(Replay, LeaksAreNotTheConsequenceOfLeaks) {
  const Replay replay = replay_of({leak({users(3)}), leak({users(5)})});
  EXPECT_FALSE(replay.defects[1].is_after_another);
}

TEST(FindDefect, TakesTheColumnIfItCan) {
  const Replay replay =
      replay_of({defect(FaultKind::DoubleFree, {users(3, 5)}), defect(FaultKind::DoubleFree, {users(3, 9)})});
  EXPECT_EQ(find_defect(replay, {FaultKind::DoubleFree, {"p.c", 3, 9}, false}), &replay.defects[1]);
  EXPECT_EQ(find_defect(replay, {FaultKind::DoubleFree, {"p.c", 3, 1}, false}), &replay.defects[0]);
}

TEST(FindDefect, OtherLinesAndOtherKindsAreNotTheSame) {
  const Replay replay = replay_of({defect(FaultKind::DoubleFree, {users(3)}), leak({users(5)})});
  EXPECT_EQ(find_defect(replay, {FaultKind::DoubleFree, {"p.c", 5, 3}, false}), nullptr);
  EXPECT_EQ(find_defect(replay, {FaultKind::InvalidFree, {"p.c", 3, 3}, false}), nullptr);
  EXPECT_EQ(find_defect(replay, {FaultKind::UseAfterFree, {"p.c", 3, 3}, false}), nullptr);
  EXPECT_EQ(find_defect(replay, {FaultKind::Leak, {"q.c", 5, 3}, false}), nullptr);
}

TEST(FindDefect, AWrongAddressAtThePlaceIsTheSameWhateverLiesThere) {
  const Replay replay = replay_of(
      {defect(FaultKind::ArrayOutOfBounds, {users(3, 14)}), defect(FaultKind::InvalidPointer, {users(3, 12)})});
  EXPECT_EQ(find_defect(replay, {FaultKind::PointerOutOfBounds, {"p.c", 3, 12}, false}), &replay.defects[1]);
  EXPECT_EQ(find_defect(replay, {FaultKind::PointerOutOfBounds, {"p.c", 3, 9}, false}), nullptr);
  EXPECT_EQ(find_defect(replay, {FaultKind::PointerOutOfBounds, {"p.c", 4, 12}, false}), nullptr);
}

TEST(FindDefect, InAModelItDoesNotCountWhichLineOfItIsWrong) {
  const Replay replay = replay_of(
      {defect(FaultKind::UseAfterFree, {users(2)}), defect(FaultKind::PointerOutOfBounds, {models(9), users(4)})});
  EXPECT_EQ(find_defect(replay, {FaultKind::PointerOutOfBounds, {"runtime/models/string.c", 7, 1}, true}),
            &replay.defects[1]);
  EXPECT_EQ(find_defect(replay, {FaultKind::DoubleFree, {"runtime/models/string.c", 7, 1}, true}), nullptr);
}

TEST(FindDefect, AModelsCallerIsItsPlaceToo) {
  const Replay replay = replay_of({defect(FaultKind::PointerOutOfBounds, {models(9), users(4)})});
  EXPECT_EQ(find_defect(replay, {FaultKind::PointerOutOfBounds, {"p.c", 4, 3}, false}), &replay.defects[0]);
}

}  // namespace
}  // namespace plumb::replay
