// What InterpreterOptions::on_store and on_input tell of runs of C programs in memory form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"

namespace plumb::interpret {

using frontend::load_program;
using frontend::LoadOptions;
using program::Function;
namespace {

Program load(std::string_view text) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "a.c", text);
  LoadOptions options;
  options.files = {(directory.path() / "a.c").string()};
  options.keep_variables = true;
  return load_program(options, {});
}

std::string object_name(const Program& program, const StoreEvent& event) {
  if (event.object_kind == ObjectKind::Global) return program.globals[event.global].name;
  if (event.object_kind == ObjectKind::Heap) return "heap";
  const Function& function = program.functions[event.allocated.function];
  return function.value_names[function.instructions[event.allocated.instruction].first_result];
}

/// Writes of the user's code and inputs, in their order: "3 x+0=07000000", "4 input 05".
std::vector<std::string> events_of(const Program& program, RunResult* result = nullptr) {
  std::vector<std::string> events;
  InterpreterOptions options;
  const auto line = [&](CodePoint p) {
    return program.functions[p.function].instructions[p.instruction].location.line;
  };
  const auto hex = [](const std::vector<std::uint8_t>& bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); };
  options.inputs = [](std::string_view, std::size_t size) { return std::vector<std::uint8_t>(size, 5); };
  options.on_store = [&](const StoreEvent& e) {
    if (program.functions[e.at.function].is_model) return;
    events.push_back(fmt::format("{} {}+{}={}", line(e.at), object_name(program, e), e.offset, hex(e.bytes)));
  };
  options.on_input = [&](std::span<const CodePoint> stack, const result::TestInput& input) {
    events.push_back(fmt::format("{} input {}", line(stack.front()), hex(input.bytes)));
  };
  Interpreter interpreter(program);
  const RunResult ended = interpreter.run(options, {});
  if (result != nullptr) *result = ended;
  return events;
}

using Events = std::vector<std::string>;

TEST(Stores, AreToldInTheOrderOfTheRunWithObjectOffsetAndBytes) {
  const Program program = load(
      "#include <stdlib.h>\n"
      "char plumb_nondet_char(void); short s; struct { char a, b; } g;\n"
      "void f(char *p) { *p = 2; }\n"
      "int main(void) {\n"
      "  char x = plumb_nondet_char();\n"
      "  s = 0x102;\n"
      "  f(&g.b);\n"
      "  char *h = malloc(3);\n"
      "  h[2] = x;\n"
      "  free(h);\n"
      "}\n");
  Events events;
  for (const std::string& each : events_of(program))
    if (each.find(" retval+") == std::string::npos && each.find(" p+") == std::string::npos &&
        each.find(" h+") == std::string::npos)  // addresses
      events.push_back(each);
  EXPECT_EQ(events, (Events{"5 input 05", "5 x+0=05", "6 s+0=0201", "3 g+1=02", "9 heap+2=05"}));
}

TEST(Stores, OfBlocksAndThreadLocalVariablesAreToldOnce) {
  const Program program = load(
      "struct { char c[3]; } a = {\"xy\"}, b; _Thread_local char t; void plumb_symbolic(void*, unsigned long, const "
      "char*);\n"
      "void f(void) {\n"
      "  b = a;\n"
      "  t = 7;\n"
      "  plumb_symbolic(&a.c[1], 2, \"c\");\n"
      "}\n"
      "int main(void) { f(); }\n");
  EXPECT_EQ(events_of(program), (Events{"3 b+0=787900", "4 t+0=07", "5 input 0505", "5 a+1=0505"}));
}

TEST(Stores, ThatAreFaultsAreNotTold) {
  const Program program = load("char *volatile p; int main(void) {\n*p = 1; }\n");
  RunResult result;
  for (const std::string& each : events_of(program, &result)) EXPECT_EQ(each.find("+0=01"), std::string::npos) << each;
  EXPECT_EQ(result.end, RunResult::End::Fault);
}

TEST(Stores, OfARunThatIsWatchedEndItAsOfOneThatIsNot) {
  const Program program = load(
      "unsigned plumb_nondet_uint(void); int a[10];\n"
      "int main(void) { unsigned s = 0; for (int i = 0; i < 10; ++i) s += a[i] = plumb_nondet_uint() + s; return s % "
      "251; }");
  RunResult watched;
  events_of(program, &watched);
  InterpreterOptions options;
  options.inputs = [](std::string_view, std::size_t size) { return std::vector<std::uint8_t>(size, 5); };
  Interpreter interpreter(program);
  const RunResult plain = interpreter.run(options, {});
  EXPECT_EQ(watched.exit_code, plain.exit_code);
  EXPECT_EQ(watched.instructions, plain.instructions);
  EXPECT_EQ(watched.inputs, plain.inputs);
}

}  // namespace
}  // namespace plumb::interpret
