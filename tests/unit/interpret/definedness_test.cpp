// C programs and what they do with values that were never written: a fault where it matters, silence where it does not.
#include <gtest/gtest.h>

#include "base/file.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"

namespace plumb::interpret {

using frontend::load_program;
using frontend::LoadOptions;
using program::Check;
using program::Function;
namespace {

struct Told {
  std::string kind;
  std::string message;
  std::uint32_t line;
  friend bool operator==(const Told& a, const Told& b) { return a.kind == b.kind && a.line == b.line; }
};

std::ostream& operator<<(std::ostream& out, const Told& told) {
  return out << told.kind << " at line " << told.line << ": " << told.message;
}

/// Faults in the user's code, in order; one run for all cases of a file, each a function that main calls.
class Definedness : public testing::Test {
 protected:
  static std::vector<Told> run(std::string_view text) {
    const TemporaryDirectory directory;
    write_file(directory.path() / "a.c", text);
    LoadOptions options;
    options.files = {(directory.path() / "a.c").string()};
    options.compiler_flags = {"-w"};
    options.checks.add(Check::Uninitialised);
    const Program program = load_program(options, {});
    Interpreter interpreter(program);
    std::vector<Told> told;
    InterpreterOptions run;
    run.on_fault = [&](const Fault& fault, std::span<const CodePoint> stack) {
      std::uint32_t line = 0;
      for (const CodePoint& point : stack) {
        const Function& function = program.functions[point.function];
        if (function.is_model) continue;
        line = function.instructions[point.instruction].location.line;
        break;
      }
      told.push_back({std::string(name(fault.kind)), fault.message, line});
      return true;
    };
    run.output = [](int, std::string_view) {};
    EXPECT_EQ(interpreter.run(run, {}).end, RunResult::End::Exit);
    return told;
  }
};

std::vector<Told> at_lines(std::initializer_list<std::uint32_t> lines) {
  std::vector<Told> made;
  for (const std::uint32_t line : lines) made.push_back({"uninitialised-read", "", line});
  return made;
}

TEST_F(Definedness, AFaultIsWhereAValueNeverWrittenDecides) {
  EXPECT_EQ(run("#include <stdlib.h>\n"
                "int branch(int c) { int x; if (c) x = 1;\n"
                "\n"
                "  if (x) return 1;\n"  // 4
                "  return 0;\n"
                "}\n"
                "int pick(void) { int a[2]; a[0] = 1;\n"
                "  switch (a[1]) { case 3: return 1; default: return 2; }\n"  // 8
                "}\n"
                "int divide(void) { struct { int n; } s; int *q = &s.n;\n"
                "  return 7 % (*q | 1);\n"  // 11
                "}\n"
                "int address(int **p) {\n"
                "  return **p;\n"  // 14
                "}\n"
                "int table[4];\n"
                "int index(void) { unsigned *p = malloc(8); unsigned i = *p; free(p);\n"
                "  return table[i & 3];\n"  // 18
                "}\n"
                "int length(char *p) {\n"
                "  int n = 0; while (p[n] && n < 3) ++n; return n; }\n"  // 21
                "int main(void) {\n"
                "  int *unset; char text[4]; text[0] = 'a'; text[2] = 'b'; text[3] = 0;\n"
                "  branch(1); branch(0); pick(); divide(); address(&unset); index(); length(text);\n"
                "  return 0;\n"
                "}\n"),
            at_lines({4, 8, 11, 14, 18, 21}));
}

TEST_F(Definedness, OutputAndTheExitCodeCount) {
  EXPECT_EQ(run("#include <unistd.h>\n"
                "int main(void) {\n"
                "  char text[4]; text[0] = 'a'; text[1] = 'b';\n"
                "  write(1, text, 2);\n"
                "  write(1, text, 3);\n"  // 5
                "  int code; int *p = &code;\n"
                "  return *p;\n"  // 7
                "}\n"),
            at_lines({5, 7}));
}

TEST_F(Definedness, OutputThatIsBufferedCountsWhereItIsGivenToTheLibrary) {
  EXPECT_EQ(run("#include <stdio.h>\n"
                "struct padded { char c; int i; };\n"
                "int main(void) {\n"
                "  char text[4]; text[0] = 'a'; char *p = text;\n"
                "  putchar(p[0]);\n"
                "  putchar(p[1]);\n"  // 6
                "  struct padded record; record.c = 'c'; record.i = 3;\n"
                "  fwrite(&record.i, sizeof record.i, 1, stdout);\n"
                "  fwrite(&record, sizeof record, 1, stdout);\n"  // 9: the padding goes out, too
                "  return 0;\n"
                "}\n"),
            at_lines({6, 9}));
}

TEST_F(Definedness, FaultsInsideOfLibraryFunctionsAreTold) {
  const std::vector<Told> told =
      run("#include <stdio.h>\n"
          "#include <string.h>\n"
          "int main(void) {\n"
          "  int x; int *p = &x;\n"
          "  printf(\"%d\", *p);\n"  // 5
          "  return 0;\n"
          "}\n");
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), (Told{"uninitialised-read", "", 5}));
  EXPECT_NE(told.front().message.find("never written"), std::string::npos);
}

TEST_F(Definedness, AVariableOfALoopIsNewInEachRound) {
  EXPECT_EQ(run("int main(void) {\n"
                "  int sum = 0;\n"
                "  for (int i = 0; i < 2; i++) {\n"
                "    int x, y;\n"
                "    y = i;\n"
                "    if (i == 0) x = 1;\n"
                "    if (y == 1) sum++;\n"
                "    if (x == 1) sum++;\n"  // 8
                "  }\n"
                "  return 0;\n"
                "}\n"),
            at_lines({8}));
}

TEST_F(Definedness, TheObjectIsNamed) {
  const std::vector<Told> told =
      run("int main(void) {\n"
          "  int values[3]; values[1] = 4;\n"
          "  if (values[2]) values[1] = 0;\n"
          "  long only;\n"
          "  if (only == 3) return 0;\n"
          "  return 0;\n"
          "}\n");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].message,
            "a branch depends on a value that was never written, of a stack object 'values' of 12 bytes");
  EXPECT_EQ(told[1].message, "a branch depends on a value that was never written, of a stack object 'only' of 8 bytes");
}

TEST_F(Definedness, CopiesPaddingFieldsAndMasksAreNoFault) {
  EXPECT_EQ(run("#include <stdarg.h>\n"
                "#include <stdio.h>\n"
                "#include <stdlib.h>\n"
                "#include <string.h>\n"
                "struct padded { char c; int i; short s; };\n"
                "struct fields { unsigned a : 3; unsigned b : 7; signed c : 9; unsigned d : 1; };\n"
                "struct small { char a; short b; };\n"
                "static struct padded make(int i) { struct padded p; p.c = 1; p.i = i; p.s = 3; return p; }\n"
                "static struct small get(struct small s) { s.b++; return s; }\n"
                "static int sum(int n, ...) { va_list l; va_start(l, n); int t = 0; while (n--) t += va_arg(l, int);\n"
                "  double d = va_arg(l, double); struct small s = va_arg(l, struct small); va_end(l);\n"
                "  return t + (int)d + s.b; }\n"
                "static int compare(const void *a, const void *b) {\n"
                "  return ((const struct padded *)a)->i - ((const struct padded *)b)->i; }\n"
                "int main(void) {\n"
                "  struct padded p = make(4), q, *h = malloc(sizeof *h);\n"
                "  q = p; memcpy(h, &q, sizeof q);\n"
                "  if (h->i != 4 || h->c != 1 || h->s != 3) return 1;\n"
                "  h = realloc(h, 3 * sizeof *h); h[1] = make(2); h[2] = make(3);\n"
                "  qsort(h, 3, sizeof *h, compare);\n"
                "  if (h[0].i != 2) return 2;\n"
                "  struct fields f; f.a = 5; f.b = 100; f.c = -7;\n"
                "  if (f.a != 5 || f.b != 100 || f.c != -7) return 3;\n"
                "  struct fields g = f; if (g.c >= 0) return 4;\n"
                "  unsigned char raw[8]; raw[0] = 3;\n"
                "  unsigned word; memcpy(&word, raw, 4); if ((word & 0xff) != 3) return 5;\n"
                "  word <<= 24; if (word >> 24 != 3) return 6;\n"
                "  word = (word & ~0xffu) | 0x10; if ((word & 0xff) != 0x10) return 7;\n"
                "  struct small s; s.a = 1; s.b = 2; s = get(s); if (s.b != 3) return 8;\n"
                "  if (sum(2, 3, 4, 5.5, s) != 15) return 9;\n"
                "  char text[32]; snprintf(text, sizeof text, \"%d %s %5.2f\", 42, \"abc\", 1.5);\n"
                "  if (strcmp(text, \"42 abc  1.50\")) return 10;\n"
                "  char line[64]; strcpy(line, text); strcat(line, \"!\"); if (strlen(line) != 13) return 11;\n"
                "  long double wide = 2.5L; long double *w = &wide; if (*w != 2.5L) return 12;\n"
                "  union { int i; char c[8]; } u; u.i = 7; if (u.c[0] != 7) return 13;\n"
                "  _Bool flag; _Bool *b = &flag; *b = s.b > 1; if (!*b) return 14;\n"
                "  int matrix[3][3]; for (int i = 0; i < 3; ++i) for (int k = 0; k < 3; ++k) matrix[i][k] = i * k;\n"
                "  if (matrix[2][2] != 4) return 15;\n"
                "  int unused; int copy = unused; int *pc = &copy; copy = *pc;\n"
                "  printf(\"%s\\n\", line); free(h);\n"
                "  return 0;\n"
                "}\n"),
            at_lines({}));
}

}  // namespace
}  // namespace plumb::interpret
