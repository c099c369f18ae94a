#include "semantics/output.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "base/file.h"
#include "frontend/load.h"
#include "semantics/ends.h"

namespace plumb::semantics {
namespace {

using program::Function;
using program::Instruction;
using program::Kind;
using program::Program;
using term::Term;

Program load(const std::string& text) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "program.c").string();
  write_file(file, "#include <stdio.h>\n#include <stdlib.h>\n" + text);
  frontend::LoadOptions options;
  options.files = {file};
  return frontend::load_program(options, {});
}

const Function& named(const Program& program, std::string_view name) {
  return *std::ranges::find(program.functions, name, &Function::name);
}

const Instruction& call_in(const Function& function) {
  return *std::ranges::find(function.instructions, Kind::Call, &Instruction::kind);
}

/// What the only call of the function gives for these arguments behind the first.
std::optional<std::uint64_t> result_of(const Program& program, const Function& function,
                                       std::initializer_list<std::uint64_t> given) {
  term::TermStore store;
  const Instruction& call = call_in(function);
  const std::span<const program::ValueId> operands = function.operands_of(call);
  std::vector<Term> arguments = {store.zero(function.values[operands[0]].width)};
  for (const std::uint64_t value : given) {
    const std::uint32_t width = function.values[operands[arguments.size()]].width;
    arguments.push_back(store.constant(BitVector(width, width == 64 ? value : value & ((1ULL << width) - 1))));
  }
  const std::optional<Term> result = output_result(store, program, function, call, arguments, {});
  if (!result) return std::nullopt;
  EXPECT_TRUE(store.is_constant(*result));
  return store.value(*result).to_uint64();
}

constexpr std::array<std::uint64_t, 22> kValues = {0,           1,
                                                   2,           7,
                                                   8,           9,
                                                   10,          15,
                                                   16,          99,
                                                   100,         12345,
                                                   99'999'999,  0x7fffffff,
                                                   0x80000000,  0x80000001,
                                                   4294967295U, 4294967296,
                                                   ~0ULL,       ~9ULL,
                                                   ~99ULL,      0x8000000000000000};

template <typename Type>
void compare(const std::string& type, const std::vector<std::string>& formats) {
  std::string text = "int main(void) { return 0";
  for (std::size_t i = 0; i < formats.size(); ++i) text += " + f" + std::to_string(i) + "(3)";
  text += "; }\n";
  std::string functions;
  for (std::size_t i = 0; i < formats.size(); ++i)
    functions += "int f" + std::to_string(i) + "(" + type + " v) { return printf(\"" + formats[i] + "\", v); }\n";
  const Program program = load(functions + text);
  for (std::size_t i = 0; i < formats.size(); ++i)
    for (const std::uint64_t value : kValues) {
      const int expected = std::snprintf(nullptr, 0, formats[i].c_str(), static_cast<Type>(value));
      EXPECT_EQ(result_of(program, named(program, "f" + std::to_string(i)), {value}), expected)
          << formats[i] << " of " << value;
    }
}

TEST(OutputResult, IsWhatTheLibraryCountsOfInts) {
  compare<int>(
      "int", {"%d",   "a%ib",  "%u|",   "%x",  "%X",   "%o",  "%c",   "%+d", "% d", "%5d",     "%-5d.", "%05d", "%.3d",
              "%.0d", "%8.4d", "%+.2i", "%hd", "%hhd", "%hu", "%hhu", "%hx", "%3c", "100%%%d", "%.0u",  "%.0x"});
}

TEST(OutputResult, IsWhatTheLibraryCountsOfLongs) {
  compare<long>("long", {"%ld", "%lu", "%lx", "%lo", "%lld", "%llu", "%jd", "%zu", "%td", "%+ld", "%.20ld", "%30lx"});
}

TEST(OutputResult, IsNotKnownWhereTheArgumentsDoNotTellIt) {
  const Program program = load(
      "int a(const char *s) { return printf(\"%s\", s); }\nint b(double d) { return printf(\"%f\", d); }\n"
      "int c(int w) { return printf(\"%*d\", w, 3); }\nint d(int v) { return printf(\"%#x\", v); }\n"
      "int e(int v) { return printf(\"%ld\", v); }\nint f(FILE *s) { return fprintf(s, \"x\"); }\n"
      "int main(void) { return a(\"x\") + b(1) + c(2) + d(3) + e(4) + f(stdout); }\n");
  for (const std::string_view name : {"a", "c", "d", "e"})
    EXPECT_FALSE(result_of(program, named(program, name), {3, 4}));
  EXPECT_FALSE(result_of(program, named(program, "f"), {3}));
}

TEST(OutputResult, IsNotAskedForWhereNothingReadsIt) {
  const Program program = load(
      "int a(void) { printf(\"x\"); return 1; }\nint b(void) { return printf(\"x\"); }\n"
      "int main(void) { return a() + b(); }\n");
  EXPECT_FALSE(is_result_used(named(program, "a"), call_in(named(program, "a"))));
  EXPECT_TRUE(is_result_used(named(program, "b"), call_in(named(program, "b"))));
  EXPECT_EQ(standard_streams(program).size(), 1U);
}

TEST(FunctionsAtEnd, AreThoseOfAtexitAndThenDestructors) {
  const Program program = load(
      "static void f(void) {}\n__attribute__((destructor)) static void g(void) {}\n"
      "int main(void) { return atexit(f); }\n");
  const std::vector<program::FunctionId> found = functions_at_end(program);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(program.functions[found[0]].is_model);
  EXPECT_EQ(program.functions[found[1]].name, "g");
  EXPECT_TRUE(functions_at_end(load("int main(void) { return 0; }\n")).empty());
}

}  // namespace
}  // namespace plumb::semantics
