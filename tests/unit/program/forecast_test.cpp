#include "program/forecast.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "frontend/load.h"

namespace plumb::program {

using frontend::load_program;
using frontend::LoadOptions;
namespace {

Program program_of(std::string_view text, LoadOptions options = {}) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "p.c";
  write_file(path, text);
  options.files = {path.string()};
  return load_program(options, {});
}

std::vector<Concern> concerns(const Forecast& forecast, ConcernKind kind) {
  std::vector<Concern> found;
  std::ranges::copy_if(forecast.concerns, std::back_inserter(found), [&](const Concern& c) { return c.kind == kind; });
  return found;
}

/// Lines of the loops without a constant bound.
std::vector<std::uint32_t> unbounded_lines(std::string_view text) {
  std::vector<std::uint32_t> lines;
  for (const Concern& concern : concerns(forecast(program_of(text)), ConcernKind::UnboundedLoop))
    lines.push_back(concern.location.line);
  return lines;
}

TEST(Forecast, LoopsThatCountBetweenConstantsAreBounded) {
  EXPECT_EQ(unbounded_lines("int main(void) { int s = 0;\n"
                            "for (int i = 0; i < 10; i++) s += i;\n"
                            "for (unsigned i = 10; i != 0; i--) s += 2;\n"
                            "for (long i = 0; i <= 100; i += 3) for (char c = 0; c < 5; c++) s++;\n"
                            "for (int i = 0; i < 10; i++) { if (s == 7) break; if (s == 9) continue; s++; }\n"
                            "int k = 0; while (1) { if (k >= 4) break; k++; }\n"
                            "return s; }"),
            std::vector<std::uint32_t>{});
}

TEST(Forecast, LoopsThatDependOnDataAreNot) {
  EXPECT_EQ(unbounded_lines("int main(int n, char **v) { volatile int x = 0; int s = 0;\n"
                            "for (int i = 0; i < n; i++) s += i;\n"
                            "for (int i = n; i < 10; i++) s += i;\n"
                            "while (x == 0) s++;\n"
                            "for (int i = 0; i < 10; i += n) s += i;\n"
                            "for (int i = 0; i < 10;) { if (s > 3) i++; s += n; }\n"
                            "for (char *p = v[0]; *p; p++) s++;\n"
                            "for (int i = 0; i < 10; i++) do s *= 3; while (s < n);\n"
                            "return s; }"),
            (std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8}));
}

TEST(Forecast, MissingFunctionsAreNamedOncePerCaller) {
  const Forecast result = forecast(program_of(
      "int gone(int);\nint main(void) {\n  return gone(1) + gone(2);\n}\nint idle(void) { return gone(3); }\n"));
  const std::vector<Concern> missing = concerns(result, ConcernKind::MissingFunction);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].text, "gone");
  EXPECT_EQ(missing[0].count, 2u);
  EXPECT_EQ(missing[0].location.line, 3u);
  EXPECT_EQ(result.unused, 1u);
  EXPECT_EQ(result.functions, 1u);
}

TEST(Forecast, WithoutAnEntryEverythingCounts) {
  const Forecast result = forecast(program_of("int gone(int);\nint idle(void) { return gone(3); }\n", {.entry = ""}));
  EXPECT_EQ(concerns(result, ConcernKind::MissingFunction).size(), 1u);
  EXPECT_EQ(result.unused, 0u);
}

TEST(Forecast, FindsRecursionFloatsPointersAndInput) {
  const Program program = program_of(
      "int __VERIFIER_nondet_int(void);\n"
      "int odd(int);\nint even(int n) { return n == 0 || odd(n - 1); }\nint odd(int n) { return n != 0 && even(n - 1); "
      "}\n"
      "int (*f)(int) = even;\n"
      "int main(void) { double d = __VERIFIER_nondet_int(); return f((int)(d * 2)); }\n");
  const Forecast result = forecast(program);
  const std::vector<Concern> recursion = concerns(result, ConcernKind::Recursion);
  ASSERT_EQ(recursion.size(), 1u);
  EXPECT_NE(recursion[0].text.find("even"), std::string::npos);
  EXPECT_NE(recursion[0].text.find("odd"), std::string::npos);
  ASSERT_EQ(concerns(result, ConcernKind::FloatingPoint).size(), 1u);
  EXPECT_EQ(concerns(result, ConcernKind::FloatingPoint)[0].count, 3u);
  ASSERT_EQ(concerns(result, ConcernKind::IndirectCall).size(), 1u);
  ASSERT_EQ(concerns(result, ConcernKind::Input).size(), 1u);
  EXPECT_EQ(concerns(result, ConcernKind::Input)[0].location.line, 6u);
}

TEST(Forecast, InputThroughTheLibraryIsSeenAtTheCall) {
  const Forecast result =
      forecast(program_of("#include <stdio.h>\nint main(void) {\n  puts(\"hello\");\n  return getchar();\n}\n"));
  const std::vector<Concern> inputs = concerns(result, ConcernKind::Input);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].text, "getchar");
  EXPECT_EQ(inputs[0].location.line, 4u);
  EXPECT_GT(result.models, 0u);
  EXPECT_EQ(result.loops, 0u);
}

TEST(Forecast, WhatIsNotSupportedHasItsPlace) {
  const Forecast result = forecast(program_of("int main(void) {\n  __asm__ volatile(\"nop; hlt\");\n  return 0;\n}\n"));
  const std::vector<Concern> unsupported = concerns(result, ConcernKind::Unsupported);
  ASSERT_EQ(unsupported.size(), 1u);
  EXPECT_EQ(unsupported[0].location.line, 2u);
}

}  // namespace
}  // namespace plumb::program
