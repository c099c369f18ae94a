#include "frontend/unset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
#include "frontend/load.h"

namespace plumb::frontend {
namespace {

using program::Instruction;
using program::Intrinsic;
using program::Kind;

/// The sites of the source's functions, in their order, those of memory with an exclamation mark.
std::vector<std::string> sites(const std::string& text, bool is_marked = true) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "p.c",
             "#include <stdlib.h>\nint choose(void); int get(int*); void use(int);\n" + text + "\n");
  LoadOptions options;
  options.files = {(directory.path() / "p.c").string()};
  options.entry = "f";
  options.marks_unset = is_marked;
  const program::Program program = load_program(options, {});
  std::vector<std::string> found;
  for (const program::Function& function : program.functions)
    for (const Instruction& i : function.instructions) {
      if (i.kind != Kind::Intrinsic) continue;
      if (i.intrinsic() == Intrinsic::UnsetValue) found.push_back(program.message_of(i));
      if (i.intrinsic() == Intrinsic::UnsetMemory) found.push_back("!" + program.message_of(i));
    }
  return found;
}
using Sites = std::vector<std::string>;

TEST(Unset, AVariableThatMayBeReadBeforeItIsSetHasAMark) {
  EXPECT_EQ(sites("int f(void) { int x; if (choose()) x = 1; return x; }"), (Sites{"f.x:3"}));
  EXPECT_EQ(sites("int f(void) { int x; return get(&x) + x; }"), (Sites{"!f.x:3"}));
  EXPECT_EQ(sites("int f(void) { int a[3]; return a[choose()]; }"), (Sites{"!f.a:3"}));
  EXPECT_EQ(sites("int f(void) { struct { int a, b; } s; s.a = 1; return s.b; }"), (Sites{"!f.s:3"}));
  EXPECT_EQ(sites("int f(int n) { int a[n]; return a[0]; }"), (Sites{"!f.a:3"}));
}

TEST(Unset, AVariableThatIsAlwaysSetHasNone) {
  EXPECT_EQ(sites("int f(int n) { int x, y = n; x = choose(); return x + y; }"), Sites{});
  EXPECT_EQ(sites("int f(void) { int a[3] = {0}; return a[choose()]; }"), Sites{});
  EXPECT_EQ(sites("int f(void) { int x = 0; return get(&x) + x; }"), Sites{});
  EXPECT_EQ(sites("static int g[4]; int f(void) { static int h; return g[1] + h; }"), Sites{});
}

TEST(Unset, AHeapObjectHasAMarkUnlessItIsZero) {
  EXPECT_EQ(sites("int f(void) { int *p = malloc(4); return *p; }"), (Sites{"!f.malloc:3"}));
  EXPECT_EQ(sites("int f(int *p) { p = realloc(p, 8); return p[1]; }"), (Sites{"!f.realloc:3"}));
  EXPECT_EQ(sites("int f(void) { int *p = calloc(4, 1); return *p; }"), Sites{});
}

TEST(Unset, SeveralOfOneLineAndNameAreToldApart) {
  EXPECT_EQ(sites("int f(void) { int *p = malloc(4), *q = malloc(4); return *p + *q; }"),
            (Sites{"!f.malloc:3", "!f.malloc:3#2"}));
}

TEST(Unset, AVariableOfALoopIsCreatedInEachIteration) {
  // If it were created once, the value of an iteration would go to the next.
  EXPECT_EQ(sites("int f(int n) {\n while (n--) {\n int x;\n if (n == 3) x = 1; use(x); } return 0; }"),
            (Sites{"f.x:5"}));
}

TEST(Unset, WithoutTheOptionThereAreNoMarks) {
  EXPECT_EQ(sites("int f(void) { int x, a[3]; return x + a[choose()]; }", false), Sites{});
}

}  // namespace
}  // namespace plumb::frontend
