#include "replay/symboliser.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::replay {
namespace {

/// A program with line tables that prints addresses in itself, relative to where it was loaded.
class SymboliserTest : public testing::Test {
 protected:
  std::vector<std::uint64_t> addresses() {
    write_file(directory_.path() / "p.c",
               "#include <stdio.h>\n"
               "extern const char __executable_start[];\n"
               "int counter[3];\n"
               "static void __attribute__((noinline)) tell(void) {\n"
               "  printf(\"%lx\\n\", (unsigned long)((const char*)__builtin_return_address(0) - __executable_start));\n"
               "  printf(\"%lx\\n\", (unsigned long)((const char*)counter - __executable_start));\n"
               "}\n"
               "static inline __attribute__((always_inline)) void inner(void) {\n"
               "  tell(); counter[1] = 1;\n"
               "}\n"
               "int main(void) {\n"
               "  inner();\n"
               "  return 0;\n"
               "}\n");
    const ProcessResult built = run_process(
        {"clang-19", "-g", "-O1", "-pie", "-fPIE", "-o", executable().string(), "p.c"}, {}, {}, {}, directory_.path());
    EXPECT_EQ(built.code, 0) << built.error;
    const ProcessResult run = run_process({executable().string()}, {}, {});
    std::vector<std::uint64_t> found;
    for (std::size_t at = 0, end; (end = run.output.find('\n', at)) != std::string::npos; at = end + 1)
      found.push_back(std::stoull(run.output.substr(at, end - at), nullptr, 16));
    return found;
  }
  std::filesystem::path executable() const { return directory_.path() / "p"; }

  TemporaryDirectory directory_;
};

TEST_F(SymboliserTest, FindsCallsThatWereInlinedAndVariables) {
  const std::vector<std::uint64_t> at = addresses();
  ASSERT_EQ(at.size(), 2U);
  Symboliser symboliser(executable());
  const std::vector<result::StackFrame> calls = symboliser.calls(std::span(at).first(1));
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].function, "inner");
  EXPECT_EQ(calls[0].place.to_string(), "p.c:9:3");
  EXPECT_EQ(calls[1].function, "main");
  EXPECT_EQ(calls[1].place.to_string(), "p.c:12:3");
  EXPECT_FALSE(calls[0].is_model);
  EXPECT_EQ(symboliser.variable(at[1]), "counter");
}

TEST_F(SymboliserTest, LeavesOutWhatTheProgramDidNotBringAtBothEnds) {
  const std::vector<std::uint64_t> at = addresses();
  ASSERT_EQ(at.size(), 2U);
  Symboliser symboliser(executable());
  const std::vector<std::uint64_t> stack = {0, at[0], 0, at[0], 0, 1};
  const std::vector<result::StackFrame> calls = symboliser.calls(stack);
  ASSERT_EQ(calls.size(), 5U);
  EXPECT_EQ(calls[2].function, "(library)");
  EXPECT_EQ(calls[4].function, "main");
}

TEST_F(SymboliserTest, KnowsNothingOfAFileThatIsNone) {
  Symboliser symboliser(directory_.path() / "nothing");
  const std::vector<std::uint64_t> stack = {0x1000};
  const std::vector<result::StackFrame> calls = symboliser.calls(stack);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].function, "?");
  EXPECT_EQ(symboliser.variable(0x1000), "");
}

}  // namespace
}  // namespace plumb::replay
