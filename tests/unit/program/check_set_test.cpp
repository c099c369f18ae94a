#include "program/check_set.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "program/fault.h"

namespace plumb::program {
namespace {

TEST(CheckSet, DefaultsAreAllButTheSixBehindFlags) {
  EXPECT_EQ(to_string(CheckSet::defaults()), "bounds,null,use-after-free,use-after-return,free,leak,division,call");
  EXPECT_EQ(
      to_string(CheckSet::all()),
      "bounds,null,use-after-free,use-after-return,free,leak,division,overflow,shift,alignment,uninitialised,call,"
      "vla,pointer-arithmetic");
  EXPECT_EQ(to_string(CheckSet::undefined()),
            "bounds,null,use-after-free,use-after-return,free,division,overflow,shift,call,vla,pointer-arithmetic");
  EXPECT_EQ(to_string(CheckSet::none()), "none");
}

TEST(CheckSet, ListsAreReadFromTheLeft) {
  EXPECT_EQ(parse_checks("default"), CheckSet::defaults());
  EXPECT_EQ(parse_checks("all"), CheckSet::all());
  EXPECT_EQ(parse_checks("none"), CheckSet::none());
  EXPECT_EQ(parse_checks("undefined"), CheckSet::undefined());
  EXPECT_EQ(to_string(parse_checks("leak,undefined,-null")),
            "bounds,use-after-free,use-after-return,free,leak,division,overflow,shift,call,vla,pointer-arithmetic");
  EXPECT_EQ(to_string(parse_checks("bounds,free")), "bounds,free");
  EXPECT_EQ(to_string(parse_checks(" free , bounds")), "bounds,free");
  EXPECT_EQ(to_string(parse_checks("default,overflow")),
            "bounds,null,use-after-free,use-after-return,free,leak,division,overflow,call");
  EXPECT_EQ(to_string(parse_checks("-leak")), "bounds,null,use-after-free,use-after-return,free,division,call");
  EXPECT_EQ(to_string(parse_checks("all,-leak,-bounds")),
            "null,use-after-free,use-after-return,free,division,overflow,shift,alignment,uninitialised,call,vla,"
            "pointer-arithmetic");
  EXPECT_EQ(to_string(parse_checks("leak,-leak")), "none");
  EXPECT_EQ(to_string(parse_checks("all,none,shift")), "shift");
}

TEST(CheckSet, EverySetIsReadBackFromItsText) {
  for (unsigned bits = 0; bits < 1U << kCheckCount; ++bits) {
    CheckSet checks;
    for (int i = 0; i < kCheckCount; ++i)
      if ((bits >> i & 1U) != 0) checks.add(static_cast<Check>(i));
    ASSERT_EQ(parse_checks(to_string(checks)), checks) << to_string(checks);
  }
}

TEST(CheckSet, UnknownNamesAreRefusedWithThoseThatThereAre) {
  for (const char* text : {"leaks", "bounds,", "", "-", "-all", "bounds;null", "Bounds"}) {
    try {
      parse_checks(text);
      FAIL() << text;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("use-after-return"), std::string::npos) << error.what();
    }
  }
}

TEST(CheckSet, NamesAreThoseOfOneTable) {
  for (int i = 0; i < kCheckCount; ++i) {
    const auto check = static_cast<Check>(i);
    EXPECT_EQ(find_check(name(check)), check);
    EXPECT_NE(check_names().find(name(check)), std::string::npos);
  }
  EXPECT_FALSE(find_check("undefined"));
}

TEST(CheckSet, KindsAreReportedIfTheirCheckIsOn) {
  EXPECT_TRUE(is_checked(FaultKind::ArrayPointerOutOfBounds, parse_checks("bounds")));
  EXPECT_FALSE(is_checked(FaultKind::ArrayPointerOutOfBounds, parse_checks("-bounds")));
  EXPECT_FALSE(is_checked(FaultKind::ShiftOutOfRange, CheckSet::defaults()));
  EXPECT_TRUE(is_checked(FaultKind::ShiftOutOfRange, parse_checks("shift")));
  EXPECT_FALSE(is_checked(FaultKind::DoubleFree, parse_checks("-free")));
  EXPECT_TRUE(is_checked(FaultKind::Assertion, CheckSet::none()));
  // Each check is that of some kind, and no kind is left out of all of them and of none.
  for (int i = 0; i < kCheckCount; ++i) {
    CheckSet one;
    one.add(static_cast<Check>(i));
    int kinds = 0;
    for (int k = 0; k < kFaultKindCount; ++k) {
      const auto kind = static_cast<FaultKind>(k);
      EXPECT_TRUE(is_checked(kind, CheckSet::all()));
      kinds += is_checked(kind, one) && !is_checked(kind, CheckSet::none());
    }
    EXPECT_GT(kinds, 0) << name(static_cast<Check>(i));
  }
}

}  // namespace
}  // namespace plumb::program
