#include "replay/memory_check.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;
using program::FaultKind;

class MemoryCheckTest : public testing::Test {
 protected:
  MemoryCheck check_of(const std::string& text, program::CheckSet checks = program::CheckSet::defaults()) {
    write_file(source(), text);
    frontend::LoadOptions options;
    options.files = {source().string()};
    options.checks = checks;
    fs::create_directories(work());
    builds_ = std::make_unique<Builds>(options, work());
    return MemoryCheck(*builds_);
  }
  fs::path source() const { return directory_.path() / "p.c"; }
  fs::path work() const { return directory_.path() / "work"; }

  static result::TestCase test_of(std::uint8_t byte) {
    result::TestCase test;
    test.inputs = {{"unsigned char", {byte}}};
    return test;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Builds> builds_;
};

constexpr const char* kReadsBeyond =
    "unsigned char __VERIFIER_nondet_uchar(void);\n"
    "int main(void) {\n"
    "  char a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};\n"
    "  volatile char* p = a;\n"
    "  int i = __VERIFIER_nondet_uchar();\n"
    "  if (i == 9) return b[0] + p[4];\n"
    "  return p[i & 3];\n"
    "}\n";

TEST_F(MemoryCheckTest, FindsAnAccessThatDoesNotCrash) {
  MemoryCheck check = check_of(kReadsBeyond);
  EXPECT_TRUE(check.check(test_of(1), {}).empty());
  const auto found = check.check(test_of(9), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().kind, name(FaultKind::ArrayPointerOutOfBounds));
  EXPECT_EQ(found.front().test, test_of(9));
  EXPECT_EQ(found.front().place.line, 6U);
  EXPECT_EQ(found.front().function, "main");
  EXPECT_EQ(found.front().shown_by, "interpreter");
  EXPECT_EQ(check.checked(), 2U);
}

TEST_F(MemoryCheckTest, TellsEachPlaceOnce) {
  MemoryCheck check = check_of(kReadsBeyond);
  EXPECT_EQ(check.check(test_of(9), {}).size(), 1U);
  EXPECT_TRUE(check.check(test_of(9), {}).empty());
}

TEST_F(MemoryCheckTest, TellsAllThatOneRunDoesWrong) {
  MemoryCheck check = check_of(
      "#include <stdlib.h>\n"
      "int main(void) {\n"
      "  int* p = malloc(8);\n"
      "  p[2] = 1;\n"
      "  free(p);\n"
      "  p[0] = 1;\n"
      "  return 0;\n"
      "}\n");
  const auto found = check.check({}, {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, "pointer-out-of-bounds");
  EXPECT_FALSE(found[0].is_after_another);
  EXPECT_EQ(found[1].kind, "use-after-free");
  EXPECT_TRUE(found[1].is_after_another);
}

TEST_F(MemoryCheckTest, FindsReadsOfWhatWasNeverWrittenIfAskedTo) {
  constexpr const char* kText =
      "#include <stdlib.h>\n"
      "int main(void) {\n"
      "  int* p = malloc(8);\n"
      "  if (p[1] == 3) return 1;\n"
      "  free(p);\n"
      "  return 0;\n"
      "}\n";
  EXPECT_TRUE(check_of(kText).check({}, {}).empty());
  const auto found = check_of(kText, program::CheckSet::all()).check({}, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().kind, "uninitialised-read");
  EXPECT_EQ(found.front().place.line, 4U);
}

TEST_F(MemoryCheckTest, ErrorsThatOthersFindAreNotOfMemory) {
  MemoryCheck check = check_of("#include <stdlib.h>\nint main(void) { abort(); }\n");
  EXPECT_TRUE(check.check({}, {}).empty());
  EXPECT_EQ(check.checked(), 1U);
}

TEST_F(MemoryCheckTest, CountsWhatItCannotFollow) {
  MemoryCheck check = check_of("int nowhere(void);\nint main(void) { return nowhere(); }\n");
  EXPECT_TRUE(check.check({}, {}).empty());
  EXPECT_EQ(check.checked(), 0U);
  EXPECT_EQ(check.unchecked(), 1U);
  EXPECT_NE(check.why_unchecked().find("nowhere"), std::string::npos) << check.why_unchecked();
  result::TestCase variables;
  variables.environment.variables = {{"LANG", "C"}};
  EXPECT_TRUE(check.check(variables, {}).empty());
  EXPECT_EQ(check.unchecked(), 2U);
}

TEST_F(MemoryCheckTest, FollowsArgumentsStandardInputAndFiles) {
  MemoryCheck check = check_of(
      "#include <stdio.h>\n"
      "int main(int argc, char** argv) {\n"
      "  char a[2] = {0, 0};\n"
      "  FILE* f = fopen(\"A\", \"r\");\n"
      "  if (argc != 2 || argv[1][0] != 'x' || getchar() != 'y' || !f || fgetc(f) != 'z') return 1;\n"
      "  return ((volatile char*)a)[2];\n"
      "}\n");
  result::TestCase test;
  EXPECT_TRUE(check.check(test, {}).empty());
  test.environment.arguments = {"x"};
  test.environment.standard_input = {'y'};
  test.environment.files = {{"A", {'z'}}};
  EXPECT_FALSE(check.check(test, {}).empty());
}

TEST_F(MemoryCheckTest, WhatTheProgramWritesStaysInsideAndGoesAway) {
  const fs::path outside = directory_.path() / "outside";
  write_file(outside, "precious");
  MemoryCheck check = check_of(
      "#include <stdio.h>\n"
      "int main(int argc, char** argv) {\n"
      "  FILE* out = fopen(argv[1], \"w\");\n"
      "  FILE* own = fopen(\"own\", \"w\");\n"
      "  char a[1];\n"
      "  if (out != NULL || own == NULL || argc != 2) return ((volatile char*)a)[1];\n"
      "  fputs(\"x\", own);\n"
      "  return 0;\n"
      "}\n");
  for (const std::string& name : {outside.string(), std::string("../../outside")}) {
    result::TestCase test;
    test.environment.arguments = {name};
    EXPECT_TRUE(check.check(test, {}).empty()) << "opened " << name;
  }
  EXPECT_EQ(check.checked(), 2U) << check.why_unchecked();
  EXPECT_EQ(read_file(outside), "precious");
  EXPECT_TRUE(fs::is_empty(work()));
}

TEST_F(MemoryCheckTest, EndsWithItsBudget) {
  MemoryCheck check = check_of("int main(void) { for (;;) continue; }\n");
  EXPECT_THROW(static_cast<void>(check.check({}, Budget{}.with_timeout(std::chrono::milliseconds(200)))), OutOfBudget);
}

}  // namespace
}  // namespace plumb::replay
