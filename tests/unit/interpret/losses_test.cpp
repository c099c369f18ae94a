// Where the last pointer to a leaked object is lost: two runs of a C program, the second in memory form.
#include <gtest/gtest.h>

#include "base/file.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"

namespace plumb::interpret {

using frontend::load_program;
using frontend::LoadOptions;
namespace {

struct Leak {
  std::uint32_t allocated;
  std::uint32_t lost;  ///< lines
  friend bool operator==(const Leak&, const Leak&) = default;
};

std::ostream& operator<<(std::ostream& out, const Leak& leak) {
  return out << "of line " << leak.allocated << " lost at " << leak.lost;
}

std::uint32_t line_of(const Program& program, CodePoint point) {
  if (point.function == kNone) return 0;
  return program.functions[point.function].instructions[point.instruction].location.line;
}

std::vector<Fault> leaks_of(const Program& program, std::vector<std::uint32_t> find_losses) {
  InterpreterOptions options;
  options.find_losses = std::move(find_losses);
  options.output = [](int, std::string_view) {};
  Interpreter interpreter(program);
  RunResult result = interpreter.run(options, {});
  EXPECT_EQ(result.end, RunResult::End::Exit);
  return result.faults;
}

std::vector<Leak> leaks(std::string_view text) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "a.c", text);
  LoadOptions options;
  options.files = {(directory.path() / "a.c").string()};
  options.compiler_flags = {"-w"};
  std::vector<std::uint32_t> numbers;
  for (const Fault& fault : leaks_of(load_program(options, {}), {})) numbers.push_back(fault.object);
  options.keep_variables = true;
  const Program program = load_program(options, {});
  std::vector<Leak> found;
  for (const Fault& fault : leaks_of(program, numbers))
    found.push_back({line_of(program, fault.allocated), line_of(program, fault.lost)});
  EXPECT_EQ(found.size(), numbers.size());
  return found;
}

TEST(Losses, AreWhereTheLastPointerIsOverwrittenOrItsVariableIsLeft) {
  EXPECT_EQ(leaks("#include <stdlib.h>\n"
                  "char *kept;\n"
                  "void leave(void) {\n"
                  "  char *p = malloc(1);\n"  // 4
                  "  p[0] = 1;\n"
                  "}\n"  // 6
                  "char *give(void) { return malloc(2); }\n"
                  "int main(void) {\n"
                  "  char *p = malloc(3);\n"  // 9
                  "  char *copy = p;\n"
                  "  p = 0;\n"
                  "  copy = \"\";\n"  // 12
                  "  leave();\n"
                  "  give();\n"  // 14
                  "  kept = malloc(4);\n"
                  "  kept = malloc(5);\n"  // 16: the first is lost, the second stays
                  "  return 0;\n"
                  "}\n"),
            (std::vector<Leak>{{9, 12}, {4, 6}, {7, 14}, {15, 16}}));
}

TEST(Losses, AreNotWhereTheVariableIsUsedForTheLastTime) {
  EXPECT_EQ(leaks("#include <stdlib.h>\n"
                  "int main(void) {\n"
                  "  volatile int n = 3;\n"
                  "  int *p = malloc(6);\n"
                  "  if (n == 3) {\n"
                  "    p = malloc(4);\n"
                  "  }\n"
                  "  free(p);\n"
                  "  return 0;\n"
                  "}\n"),
            (std::vector<Leak>{{4, 6}}));
}

TEST(Losses, OfAChainAreWhereItBreaks) {
  EXPECT_EQ(leaks("#include <stdlib.h>\n"
                  "struct node { struct node *next; };\n"
                  "int main(void) {\n"
                  "  struct node *list = 0;\n"
                  "  for (int i = 0; i < 50; ++i) {\n"
                  "    struct node *n = malloc(sizeof *n);\n"  // 6
                  "    n->next = list;\n"
                  "    list = n;\n"
                  "  }\n"
                  "  struct node *old = list->next;\n"
                  "  free(list);\n"
                  "  list = old;\n"
                  "  old = 0;\n"
                  "  list->next = 0;\n"  // 14: the 48 nodes behind
                  "  free(list);\n"
                  "  return 0;\n"
                  "}\n"),
            (std::vector<Leak>{{6, 14}}));
}

TEST(Losses, OfWhatAnotherObjectHeldAreAtItsFree) {
  EXPECT_EQ(leaks("#include <stdlib.h>\n"
                  "#include <string.h>\n"
                  "struct box { char *text; };\n"
                  "int main(void) {\n"
                  "  struct box *box = malloc(sizeof *box);\n"
                  "  box->text = strdup(\"abc\");\n"  // 6
                  "  free(box);\n"                    // 7
                  "  return 0;\n"
                  "}\n"),
            (std::vector<Leak>{{6, 7}}));
}

}  // namespace
}  // namespace plumb::interpret
