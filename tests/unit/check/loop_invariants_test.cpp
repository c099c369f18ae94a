#include "check/loop_invariants.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file.h"
#include "base/subprocess.h"
#include "prove/together.h"
#include "semantics/goals.h"
#include "system/reduce/narrow.h"
#include "system/reduce/simplify.h"

namespace plumb::check {
namespace {

/// The invariants of a proof that no goal of the program can be violated.
std::vector<LoopInvariant> invariants_of(const std::string& file) {
  frontend::LoadOptions load;
  load.files = {file};
  const program::Program program = frontend::load_program(load, {});
  const std::vector<program::Goal> goals = semantics::find_goals(program, {});
  const flatten::Flattened flat = flatten::flatten(program, goals, {}, {});
  std::vector<std::size_t> properties;
  for (std::size_t p = 0; p < goals.size() + flat.limits.size(); ++p) properties.push_back(p);
  system::ControlGraph simple = system::simplify(flat.graph, {.properties = properties}, {});
  system::narrow(simple, {});
  const system::Encoding encoding = system::encode(simple, {});
  system::System joint = prove::joined(encoding.system, properties);
  prove::Options options;
  options.engines = {"guess", "abc pdr"};
  const prove::Result result =
      prove::prove(joint, joint.bads().size() - 1, Budget().with_timeout(std::chrono::seconds(20)), options);
  EXPECT_EQ(result.verdict, result::Verdict::Holds) << result.reason;
  if (!result.certificate) return {};
  return proof_invariants(program, load, flat, simple, encoding, joint, *result.certificate, {});
}

/// A program whose loop conditions begin with a comment that says where an invariant is evaluated, and inputs for it.
struct Looping {
  friend void PrintTo(const Looping& looping, std::ostream* out) { *out << looping.name; }

  std::string_view name;
  std::string_view text;
};

class LoopInvariantsTest : public testing::TestWithParam<Looping> {};

TEST_P(LoopInvariantsTest, HoldWheneverTheConditionIsEvaluated) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.c").string();
  std::string text(GetParam().text);
  write_file(file, text);
  const std::vector<LoopInvariant> found = invariants_of(file);
  ASSERT_FALSE(found.empty());
  std::vector<std::string> lines = {""};
  for (const char c : text) c == '\n' ? lines.emplace_back() : (lines.back() += c, lines.back());
  for (const LoopInvariant& invariant : found) {
    ASSERT_EQ(invariant.location.file, file);
    std::string& line = lines[invariant.location.line - 1];
    const std::string marker = "/**/";
    const std::size_t at = line.find(marker);
    ASSERT_NE(at, std::string::npos) << line;
    line.replace(at, marker.size(), "((" + invariant.text + ") ? 0 : (__builtin_trap(), 0)), ");
  }
  std::string source =
      "int next_input;\nint __VERIFIER_nondet_int(void) { return next_input = next_input * 1103515245 + 12345; }\n";
  source += "unsigned __VERIFIER_nondet_uint(void) { return __VERIFIER_nondet_int(); }\n#define main checked_main\n";
  for (const std::string& line : lines) source += line + "\n";
  source +=
      "#undef main\n#include <stdlib.h>\nint main(int c, char **v) { next_input = atoi(v[1]); return checked_main(), "
      "0; }\n";
  const std::string program = (directory.path() / "checked").string();
  write_file(directory.path() / "b.c", source);
  const ProcessResult compiled =
      run_process({"clang-19", "-w", "-o", program, (directory.path() / "b.c").string()}, {}, {});
  ASSERT_EQ(compiled.code, 0) << compiled.error << source;
  for (int seed = -20; seed < 20; ++seed)
    EXPECT_EQ(run_process({program, std::to_string(seed)}, {}, {}).end, ProcessResult::End::Exited) << source;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, LoopInvariantsTest,
    testing::Values(
        Looping{"Counter",
                "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                "int main(void) {\n  int x = 0;\n"
                "  while (/**/ __VERIFIER_nondet_int() % 7 && x < 100)\n    x += 2;\n"
                "  assert(x != 51);\n}\n"},
        Looping{"UpDown",
                "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\n"
                "int main(void) {\n  unsigned char n = __VERIFIER_nondet_uint();\n  unsigned char x = n, y = 0;\n"
                "  while (/**/ x > 0) {\n    x--;\n    y++;\n  }\n"
                "  assert(y == n);\n}\n"},
        Looping{"Nested",
                "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                "int main(void) {\n  unsigned char x = 0, i, k;\n  char s = 5;\n"
                "  for (i = 0; /**/ i < 3; i++) {\n"
                "    k = 0;\n"
                "    while (/**/ __VERIFIER_nondet_int() % 5)\n    { if (k < 4) k++; x = s; }\n"
                "    s = x < 3 ? 5 : 7;\n"
                "    assert(k <= 4 && x != 6);\n  }\n}\n"},
        Looping{"Global",
                "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint lock;\nstatic unsigned char held;\n"
                "int main(void) {\n  int turns = 0;\n"
                "  for (turns = 0; /**/ turns < 20 && __VERIFIER_nondet_int() % 9; turns++) {\n"
                "    assert(lock == held);\n    if (__VERIFIER_nondet_int() % 2)\n      lock = held = 1;\n"
                "    else\n      lock = held = 0;\n  }\n}\n"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(LoopInvariants, NameAVariableOnlyWhereItHasTheValue) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.c").string();
  write_file(file,
             "int __VERIFIER_nondet_int(void); void plumb_check(int);\n"
             "int main(void) {\n"
             "  int a = __VERIFIER_nondet_int();\n"
             "  int x = __VERIFIER_nondet_int();\n"
             "  while (x < 10) x++;\n"  // 5
             "  int y = x;\n"
             "  x = __VERIFIER_nondet_int();\n"
             "  while (__VERIFIER_nondet_int()) {\n"  // 8
             "    if (x < a) x++;\n"
             "    while (__VERIFIER_nondet_int()) a == 3 ? 0 : __VERIFIER_nondet_int();\n"  // 10
             "  }\n"
             "  int z = x;\n"
             "  x = 0;\n"
             "  while (__VERIFIER_nondet_int()) { }\n"  // 14
             "  plumb_check(x + y + z + a);\n"
             "}\n");
  frontend::LoadOptions load;
  load.files = {file};
  const frontend::TypedProgram typed = load_typed_program(load, {});
  flatten::Flattened flat = flatten::flatten(typed.program, semantics::find_goals(typed.program, {}), {}, {});
  term::TermStore& store = flat.graph.store();
  std::map<std::string, std::set<std::string>> named;  // by line
  for (const system::ControlGraph::Statement& statement : flat.graph.statements)
    for (std::size_t v = 0; v < flat.graph.variables.size(); ++v) {
      const term::Term variable = flat.graph.variables[v].term;
      if (store.is_array(variable) || store.width(variable) != 32) continue;
      const std::vector<KnownAt> known = {{statement.location, {store.slt(variable, store.zero(32))}}};
      for (const LoopInvariant& made :
           loop_invariants(typed.program, typed.types, flat, store, known,
                           [&](term::Term t) { return t == variable ? std::optional(v) : std::nullopt; }))
        named[std::to_string(made.location.line)].insert(made.text);
    }
  EXPECT_EQ(named["5"], (std::set<std::string>{"a < 0", "x < 0"}));
  EXPECT_EQ(named["8"], (std::set<std::string>{"a < 0", "x < 0"}));
  EXPECT_EQ(named["14"], (std::set<std::string>{"a < 0"}));
  for (const std::string& text : named["10"]) EXPECT_TRUE(text == "a < 0" || text == "x < 0") << text;
}

}  // namespace
}  // namespace plumb::check
