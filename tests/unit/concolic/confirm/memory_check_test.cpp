#include "concolic/confirm/memory_check.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "concolic/confirm/interpreted_run.h"

namespace plumb::concolic {
namespace {

namespace fs = std::filesystem;
using program::FaultKind;

class MemoryCheckTest : public testing::Test {
 protected:
  MemoryCheck check_of(const std::string& text) {
    write_file(source(), text);
    program::LoadOptions options;
    options.files = {source().string()};
    return {options, work()};
  }
  fs::path source() const { return directory_.path() / "p.c"; }
  fs::path work() const {
    fs::create_directories(directory_.path() / "work");
    return directory_.path() / "work";
  }

  static result::TestCase test_of(std::uint8_t byte) {
    result::TestCase test;
    test.inputs = {{"unsigned char", {byte}}};
    return test;
  }

  TemporaryDirectory directory_;
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
  EXPECT_FALSE(check.check(test_of(1), {}));
  const auto found = check.check(test_of(9), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fault.kind, FaultKind::OutOfBounds);
  EXPECT_EQ(found->test, test_of(9));
  ASSERT_FALSE(found->stack.empty());
  const program::Function& function = check.program().functions[found->stack.front().function];
  EXPECT_EQ(check.program().describe(function.instructions[found->stack.front().instruction].location).line, 6U);
  EXPECT_EQ(check.checked(), 2U);
}

TEST_F(MemoryCheckTest, TellsEachInstructionOnce) {
  MemoryCheck check = check_of(kReadsBeyond);
  EXPECT_TRUE(check.check(test_of(9), {}));
  EXPECT_FALSE(check.check(test_of(9), {}));
}

TEST_F(MemoryCheckTest, ErrorsThatOthersFindAreNotOfMemory) {
  MemoryCheck check = check_of("#include <stdlib.h>\nint main(void) { abort(); }\n");
  EXPECT_FALSE(check.check({}, {}));
  EXPECT_EQ(check.checked(), 1U);
}

TEST_F(MemoryCheckTest, CountsWhatItCannotFollow) {
  MemoryCheck check = check_of("int nowhere(void);\nint main(void) { return nowhere(); }\n");
  EXPECT_FALSE(check.check({}, {}));
  EXPECT_EQ(check.checked(), 0U);
  EXPECT_EQ(check.unchecked(), 1U);
  EXPECT_NE(check.why_unchecked().find("nowhere"), std::string::npos) << check.why_unchecked();
  result::TestCase variables;
  variables.environment.variables = {{"LANG", "C"}};
  EXPECT_FALSE(check.check(variables, {}));
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
  EXPECT_FALSE(check.check(test, {}));
  test.environment.arguments = {"x"};
  test.environment.standard_input = {'y'};
  test.environment.files = {{"A", {'z'}}};
  EXPECT_TRUE(check.check(test, {}));
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
    EXPECT_FALSE(check.check(test, {})) << "opened " << name;
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
}  // namespace plumb::concolic
