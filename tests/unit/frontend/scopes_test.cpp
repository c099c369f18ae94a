#include "frontend/scopes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "frontend/load.h"
#include "semantics/gaps.h"

namespace plumb::frontend {
namespace {

using program::Function;
using program::Instruction;
using program::Intrinsic;
using program::Kind;

constexpr const char* kPrelude =
    "int choose(void); void use(int*); int _setjmp(void*) __attribute__((returns_twice)); long room[32];\n"
    "struct S { int a[9]; }; struct S give(void); int take(struct S);\n";

/// With the function f.
program::Program load(const std::string& body, LoadOptions options) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "p.c", kPrelude + ("int f(int n) { int *q = 0; " + body + " return n; }\n"));
  options.files = {(directory.path() / "p.c").string()};
  options.entry = "f";
  return load_program(options, {});
}

Function lowered(const std::string& body, LoadOptions options = {}) {
  const program::Program program = load(body, std::move(options));
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

TEST(Scopes, EndWithTheirBlockWhereverALabelStands) {
  EXPECT_EQ(marks("if (n) { again:; int l; use(&l); if (q) *q = 1; q = &l; if (l) goto again; }"), (Marks{1, 1}));
  EXPECT_EQ(marks("if (n) { { again:; } int l; use(&l); if (l) goto again; }"), (Marks{1, 1}));
  EXPECT_EQ(marks("if (n) goto in; { int l; use(&l); in: q = &l; }"), (Marks{2, 1}));
  EXPECT_EQ(marks("switch (n) { case 1:; int l; use(&l); break; default: use(&l); }"), (Marks{2, 1}));
  EXPECT_EQ(marks("void *t[] = {&&a, &&b}; { int l; use(&l); goto *t[n]; } a: n = 1; b:"), (Marks{1, 2}));
}

TEST(Scopes, AreThoseOfCompoundLiteralsToo) {
  EXPECT_EQ(marks("if (n) { q = (int[]){n, 1}; use(q); }"), (Marks{1, 1}));
  EXPECT_EQ(marks("q = (int[]){n, 1};"), (Marks{0, 0}));
}

TEST(Scopes, EndWhereALongJumpArrives) { EXPECT_EQ(marks("if (_setjmp(room)) { int l; use(&l); }"), (Marks{1, 2})); }

/// The texts of scopes that are lost.
std::vector<std::string> lost(const std::string& body, LoadOptions options = {}) {
  std::vector<std::string> texts;
  const program::Program program = load(body, std::move(options));
  for (const Instruction& i : program.functions.at(program.find_function("f").value()).instructions)
    if (std::optional<std::string> text = semantics::lost_scope(program, i)) texts.push_back(*text);
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Scopes, AreLostWhereItIsNotCertainThatTheyEnd) {
  EXPECT_EQ(lost("switch (n) { int l; case 1: use(&l); break; default: use(&l); }"),
            (Texts{"the scope of a variable"}));
  EXPECT_EQ(lost("if (n) { int l; use(&l); if (_setjmp(room)) use(&n); }"), (Texts{"the scope of 'l'"}));
  EXPECT_EQ(lost("if (n) { int v[n]; use(v); } _setjmp(room);"), (Texts{"the scope of 'v'"}));
  EXPECT_EQ(lost("q = give().a;"), (Texts{"the scope of a variable"}));
  EXPECT_EQ(lost("void *t[] = {&&a, &&b}; if (n) goto *t[n]; { int l; a: use(&l); goto *t[l]; } b:"),
            (Texts{"the scope of 'l'"}));
  LoadOptions options;
  options.optimisation = 1;
  EXPECT_EQ(lost("if (n) { int l; use(&l); }", options), (Texts{"the scope of a variable"}));
}

TEST(Scopes, AreNotLostWhereNothingElseGetsTheAddress) {
  EXPECT_EQ(lost("switch (n) { int l; case 1: l = 2; n = l; }"), Texts{});
  EXPECT_EQ(lost("n = give().a[1] + take(give());"), Texts{});
  EXPECT_EQ(lost("int l; use(&l); _setjmp(room); use(__builtin_alloca(n)); use(__builtin_alloca(8));"), Texts{});
  EXPECT_EQ(lost("if (n) { int v[n]; use(v); }"), Texts{});
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
