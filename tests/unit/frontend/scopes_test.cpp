#include "frontend/scopes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/file.h"
#include "frontend/load.h"

namespace plumb::frontend {
namespace {

using program::Function;
using program::Instruction;
using program::Intrinsic;
using program::Kind;

constexpr const char* kPrelude =
    "int choose(void); void use(int*); int _setjmp(void*) __attribute__((returns_twice)); long room[32];\n";

/// The function f of the source.
Function lowered(const std::string& body, LoadOptions options = {}) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "p.c", kPrelude + ("int f(int n) { int *q = 0; " + body + " return n; }\n"));
  options.files = {(directory.path() / "p.c").string()};
  options.entry = "f";
  const program::Program program = load_program(options, {});
  return program.functions.at(program.find_function("f").value());
}

std::size_t count(const Function& function, Intrinsic what) {
  return static_cast<std::size_t>(std::ranges::count_if(
      function.instructions, [&](const Instruction& i) { return i.kind == Kind::Intrinsic && i.intrinsic() == what; }));
}

/// How many places begin and end a life.
std::pair<std::size_t, std::size_t> marks(const Function& function) {
  return {count(function, Intrinsic::EnterScope), count(function, Intrinsic::LeaveScope)};
}
std::pair<std::size_t, std::size_t> marks(const std::string& body) { return marks(lowered(body)); }
using Marks = std::pair<std::size_t, std::size_t>;

std::size_t branches(const Function& function) {
  return static_cast<std::size_t>(std::ranges::count_if(
      function.instructions, [](const Instruction& i) { return i.kind == Kind::Branch || i.kind == Kind::Switch; }));
}

TEST(Scopes, AreThoseOfVariablesOfBlocksWhoseAddressIsTaken) {
  EXPECT_EQ(marks("if (n) { int l = 2; q = &l; } return q ? *q : 0;"), (Marks{1, 1}));
  EXPECT_EQ(marks("for (int i = 0; i < n; i++) { int l; use(&l); }"), (Marks{1, 1}));
  EXPECT_EQ(marks("if (n) { int l[2]; l[0] = n; n = l[0]; }"), (Marks{0, 0}));
  EXPECT_EQ(marks("int l; use(&l);"), (Marks{0, 0}));
}

TEST(Scopes, EndOnEachWayOut) {
  EXPECT_EQ(marks("for (;;) { int l; use(&l); if (l == 1) break; if (l == 2) continue; if (l == 3) return 1; }"),
            (Marks{1, 4}));
  EXPECT_EQ(marks("if (n) { int l; use(&l); if (l) goto end; n = l; } end:"), (Marks{1, 2}));
}

TEST(Scopes, AreDroppedWhereItIsNotCertainThatTheyEnd) {
  EXPECT_EQ(marks("if (n) { again:; int l; use(&l); if (q) *q = 1; q = &l; if (l) goto again; }"), (Marks{0, 0}));
  EXPECT_EQ(marks("if (n) { { again:; } int l; use(&l); if (l) goto again; }"), (Marks{0, 0}));
  EXPECT_EQ(marks("switch (n) { int l; case 1: use(&l); break; default: use(&l); }"), (Marks{0, 0}));
  EXPECT_EQ(marks("if (_setjmp(room)) { int l; use(&l); }"), (Marks{0, 0}));
  LoadOptions options;
  options.optimisation = 1;
  EXPECT_EQ(marks(lowered("if (n) { int l; use(&l); }", options)), (Marks{0, 0}));
}

TEST(Scopes, AddNoBranches) {
  EXPECT_EQ(branches(lowered("for (int i = 0; i < n; i++) { int l; use(&l); if (l == 1) break; if (l == 2) continue; "
                             "if (l == 3) return 1; use(&i); }")),
            4U);
  EXPECT_EQ(branches(lowered("for (int i = 0; i < n; i++) for (int k = 0; k < i; k++) { int l; use(&l); use(&k); "
                             "use(&i); if (l) goto end; switch (k) { case 1: { int m; use(&m); continue; } default: "
                             "break; } } end:")),
            4U);
  EXPECT_EQ(branches(lowered("do { int l = choose(); use(&l); if (l) { int k; use(&k); break; } } while (n--);")), 2U);
}

}  // namespace
}  // namespace plumb::frontend
