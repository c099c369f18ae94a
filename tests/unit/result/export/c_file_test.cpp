#include "result/export/c_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::result {
namespace {

StoredTest stored(std::uint32_t number, std::vector<TestInput> inputs, std::string end, int code) {
  StoredTest test;
  test.number = number;
  test.test.inputs = std::move(inputs);
  test.end = std::move(end);
  test.code = code;
  return test;
}

/// A file with the tests, compiled with a program; warnings of the file are errors.
class Compiled {
 public:
  Compiled(std::span<const StoredTest> tests, const std::string& program) {
    write_file(path("program.c"), program);
    write_file(path("tests.c"), to_c_file(tests, {{"program.c"}, {}, "main", 64}, "tests.c").files.front().content);
    const ProcessResult end = run_process({"gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror",
                                           "-Wl,--wrap=main", path("tests.c"), path("program.c"), "-o", path("tests")},
                                          "", Budget{});
    EXPECT_EQ(end.code, 0) << end.error;
  }
  ProcessResult run(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), path("tests"));
    return run_process(arguments, "", Budget{});
  }

 private:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  TemporaryDirectory directory_;
};

TEST(CFile, RunsEachTestOnItsInputs) {
  const std::vector<StoredTest> tests = {stored(1, {{"int", {3, 0, 0, 0}}, {"s", {'a', 'b', 0}}}, "exit", 3),
                                         stored(4, {{"int", {7, 0, 0, 0}}}, "exit", 7),
                                         stored(9, {{"int", {0, 0, 0, 0}}}, "error", 1)};
  const Compiled compiled(tests,
                          "#include <stdlib.h>\n"
                          "#include <string.h>\n"
                          "int __VERIFIER_nondet_int(void);\n"
                          "void klee_make_symbolic(void*, size_t, const char*);\n"
                          "int main(void) {\n"
                          "  int n = __VERIFIER_nondet_int();\n"
                          "  char s[3];\n"
                          "  klee_make_symbolic(s, sizeof s, \"s\");\n"
                          "  if (n == 0) abort();\n"
                          "  if (n == 3 && strcmp(s, \"ab\") != 0) return 100;\n"
                          "  return n;\n"
                          "}\n");
  const ProcessResult all = compiled.run();
  EXPECT_EQ(all.output, "test 1: exit code 3\ntest 4: exit code 7\ntest 9: signal 6\n3 of 3 tests end as recorded\n");
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(compiled.run({"4"}).code, 7);
  EXPECT_EQ(compiled.run({"5"}).code, 2);
  EXPECT_EQ(compiled.run({"x"}).code, 2);
}

TEST(CFile, SaysWhenATestDoesNotEndAsRecorded) {
  const std::vector<StoredTest> tests = {stored(1, {}, "exit", 5), stored(2, {}, "error", 1),
                                         stored(3, {}, "timeout", 0)};
  const Compiled compiled(tests, "int main(void) {}\n");  // without a return: exit code 0 all the same
  const ProcessResult all = compiled.run();
  EXPECT_EQ(all.output,
            "test 1: exit code 0, which is not as recorded\n"
            "test 2: exit code 0, which is not as recorded\n"
            "test 3: exit code 0\n"
            "1 of 3 tests end as recorded\n");
  EXPECT_EQ(all.code, 1);
}

TEST(CFile, AssumptionsThatDoNotHoldSkipTheRun) {
  const std::vector<StoredTest> tests = {stored(1, {}, "assume-failed", 0)};
  const Compiled compiled(tests, "void __VERIFIER_assume(int);\nint main(void) { __VERIFIER_assume(0); return 0; }\n");
  EXPECT_EQ(compiled.run().code, 0);
}

TEST(CFile, SetsUpTheEnvironment) {
  StoredTest test = stored(1, {}, "exit", 42);
  std::vector<std::uint8_t> all_bytes;
  for (int i = 0; i < 9000; ++i) all_bytes.push_back(static_cast<std::uint8_t>(i % 256));
  test.test.environment.arguments = {"-n", "",
                                     "\xff\"\\?"
                                     "?/\n",
                                     std::string(5000, 'x')};
  test.test.environment.standard_input = all_bytes;
  test.test.environment.files = {{"A", {'a', 0, 'b'}}, {"B", {}}};
  test.test.environment.variables = {{"PLUMB_COLOUR", "red \"green\""}};
  const std::vector<StoredTest> tests = {test};
  const Compiled compiled(
      tests,
      "#include <stdio.h>\n"
      "#include <stdlib.h>\n"
      "#include <string.h>\n"
      "int main(int argc, char** argv) {\n"
      "  char bytes[8];\n"
      "  int c, i = 0;\n"
      "  FILE* a = fopen(\"A\", \"rb\");\n"
      "  FILE* b = fopen(\"B\", \"rb\");\n"
      "  if (argc != 5 || argv[5] != NULL) return 1;\n"
      "  if (strcmp(argv[1], \"-n\") != 0 || *argv[2] != 0 || strlen(argv[4]) != 5000) return 2;\n"
      "  if (strcmp(argv[3], \"\\377\\\"\\\\\\?\\?/\\n\") != 0) return 3;\n"
      "  if (a == NULL || fread(bytes, 1, 8, a) != 3 || memcmp(bytes, \"a\\0b\", 3) != 0) return 4;\n"
      "  if (b == NULL || fgetc(b) != EOF) return 5;\n"
      "  if (strcmp(getenv(\"PLUMB_COLOUR\"), \"red \\\"green\\\"\") != 0) return 6;\n"
      "  while ((c = getchar()) != EOF)\n"
      "    if (c != i++ % 256) return 7;\n"
      "  if (getenv(\"HOME\") != NULL || getenv(\"PATH\") == NULL) return 9;\n"
      "  argv[1][0] = 'x';\n"
      "  return i == 9000 ? 42 : 8;\n"
      "}\n");
  const ProcessResult all = compiled.run();
  EXPECT_EQ(all.output, "test 1: exit code 42\n1 of 1 tests end as recorded\n") << all.error;
}

TEST(CFile, NamesCannotBreakTheComment) {
  const std::vector<StoredTest> tests = {stored(1, {{"*/ /* \" \\", {1}}}, "*/ int x; /*", 0)};
  const Export made = to_c_file(tests,
                                {{"a*/b/*c\\\n?"
                                  "?/.c"},
                                 {"-DX='*/'"},
                                 "main",
                                 64},
                                "te*/sts.c");
  const TemporaryDirectory directory;
  write_file(directory.path() / "t.c", made.files.front().content);
  const ProcessResult end = run_process({"gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                         (directory.path() / "t.c").string()},
                                        "", Budget{});
  EXPECT_EQ(end.code, 0) << end.error;
}

TEST(CFile, AnEntryOtherThanMainIsRefused) {
  const std::vector<StoredTest> tests = {stored(1, {}, "exit", 0)};
  EXPECT_THROW(to_c_file(tests, {{"a.c"}, {}, "parse", 64}, "t.c"), UserError);
}

TEST(CLiteral, EscapesWhatACompilerMightTakeForSomethingElse) {
  EXPECT_EQ(c_literal("a\"\\?1"), R"("a\042\134\0771")");
  EXPECT_EQ(c_literal(std::string("\0"
                                  "7",
                                  2)),
            R"("\0007")");
}

}  // namespace
}  // namespace plumb::result
