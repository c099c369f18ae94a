#include "base/error.h"

#include <gtest/gtest.h>

namespace plumb {

// Outside of the anonymous namespace, so that the dynamic symbol table can name it.
[[gnu::noinline]] void break_an_invariant(int width) { INVARIANT(width > 0, "a width should be positive"); }

namespace {

TEST(SourceLocation, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ((SourceLocation{"a.smt2", 3, 7}.to_string()), "a.smt2:3:7");
  EXPECT_EQ((SourceLocation{"a.smt2", 3, 0}.to_string()), "a.smt2:3");
  EXPECT_EQ((SourceLocation{"a.smt2", 0, 7}.to_string()), "a.smt2");
  EXPECT_EQ((SourceLocation{"", 3, 7}.to_string()), "line 3:7");
  EXPECT_EQ(SourceLocation{}.to_string(), "");
}

TEST(UserError, SaysWhereWhatAndWhatToDo) {
  const UserError error({"a.c", 1, 2}, "unknown function 'f'", "declare it");
  EXPECT_STREQ(error.what(), "a.c:1:2: error: unknown function 'f'\n  hint: declare it");
  EXPECT_EQ(error.location().line, 1U);
  EXPECT_EQ(error.message(), "unknown function 'f'");
  EXPECT_EQ(error.hint(), "declare it");
  EXPECT_STREQ(UserError("no input").what(), "error: no input");
}

TEST(Unsupported, IsCaughtAsAUserError) { EXPECT_THROW(throw Unsupported("arrays of arrays"), UserError); }

TEST(Invariant, ThrowsOnlyWhenBroken) {
  EXPECT_NO_THROW(break_an_invariant(1));
  EXPECT_THROW(break_an_invariant(0), InternalError);
}

TEST(InternalError, NamesTheConditionTheSentenceThePlaceAndTheStack) {
  try {
    break_an_invariant(0);
    FAIL() << "should have thrown";
  } catch (const InternalError& error) {
    const std::string_view text = error.what();
    EXPECT_NE(text.find("a width should be positive"), std::string_view::npos) << text;
    EXPECT_NE(text.find("width > 0"), std::string_view::npos) << text;
    EXPECT_NE(text.find("error_test.cpp:"), std::string_view::npos) << text;
    // One frame a line; the runner of the tests below us makes several.
    EXPECT_GE(std::count(error.stack().begin(), error.stack().end(), '\n'), 3) << error.stack();
    EXPECT_EQ(error.stack().find("_ZN"), std::string::npos) << error.stack();
  }
}

TEST(Dcheck, FollowsTheBuild) {
  const auto broken = [] { DCHECK(false, "this should not be reached"); };
#ifdef NDEBUG
  EXPECT_NO_THROW(broken());
#else
  EXPECT_THROW(broken(), InternalError);
#endif
}

}  // namespace
}  // namespace plumb
