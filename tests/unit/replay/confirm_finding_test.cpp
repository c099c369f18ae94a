#include <gtest/gtest.h>

#include <csignal>

#include "base/file.h"
#include "instrument/build_subject.h"
#include "replay/confirmer.h"
#include "replay/run_directory.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {

using instrument::SiteKind;
namespace {

constexpr std::string_view kDeclarations = R"(
#include <assert.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
void reach_error(void);
#line 1
)";

result::TestCase inputs(std::initializer_list<int> values) {
  result::TestCase test;
  for (const int value : values) {
    result::TestInput input{"int", {}};
    for (int i = 0; i < 4; ++i)
      input.bytes.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(value) >> (8 * i)));
    test.inputs.push_back(input);
  }
  return test;
}

/// A program, and a subject that knows one site of it: in the function "main", at a place that a test chooses.
class ConfirmerTest : public testing::Test {
 protected:
  ConfirmerTest() {
    subject_.program.files = {(directory_.path() / "p.c").string()};
    subject_.program.functions.resize(1);
    subject_.program.functions[0].name = "main";
    subject_.sites.resize(2);
    set_site(7, 3);
  }
  void set_site(std::uint32_t line, std::uint32_t column) {
    subject_.sites[1].kind = SiteKind::Error;
    subject_.sites[1].function = 0;
    subject_.sites[1].location = {0, line, column};
  }
  void begin(std::string_view text) {
    write_file(directory_.path() / "p.c", std::string(kDeclarations) + std::string(text));
    frontend::LoadOptions options;
    options.files = {(directory_.path() / "p.c").string()};
    RunLimits limits;
    limits.time = std::chrono::duration<double>(0.5);
    builds_ = std::make_unique<Builds>(options, directory_.path());
    confirmer_ = std::make_unique<Confirmer>(*builds_, limits);
  }
  Confirmation confirm(std::string_view text, const FoundError& error, const Budget& budget = {}) {
    begin(text);
    return confirmer_->confirm(subject_, error, budget);
  }

  static FoundError error(int code, result::TestCase test) {
    FoundError found;
    found.end = RunEnd::Error;
    found.code = code;
    found.site = 1;
    found.test = std::move(test);
    return found;
  }
  static FoundError signal(int number, result::TestCase test) {
    FoundError found = error(number, std::move(test));
    found.end = RunEnd::Signal;
    return found;
  }
  static FoundError defect(int kind, result::TestCase test) {
    FoundError found = error(kind, std::move(test));
    found.end = RunEnd::Defect;
    return found;
  }

  static std::vector<std::string> calls(const std::vector<result::StackFrame>& stack) {
    std::vector<std::string> names;
    for (const result::StackFrame& frame : stack)
      if (!frame.is_model) names.push_back(frame.function + ":" + std::to_string(frame.place.line));
    return names;
  }
  using Calls = std::vector<std::string>;

  TemporaryDirectory directory_;
  Subject subject_;
  std::unique_ptr<Builds> builds_;
  std::unique_ptr<Confirmer> confirmer_;
};

TEST(GivenInputs, EachHasItsSizeAndIsPaddedToWords) {
  const std::vector<result::TestInput> list = {{"a", {1, 2, 3, 4, 5}}, {"b", {9}}, {"c", {}}};
  const std::vector<std::uint8_t> expected = {5, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(given_inputs(list), expected);
}

constexpr std::string_view kAssertion = R"(static void check(int x) { assert(x != 42); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  check(a * b);
  return 0;
})";

TEST_F(ConfirmerTest, AssertionHasTheInterpretersPlaceAndStack) {
  const Confirmation found = confirm(kAssertion, error(PLUMB_ERROR_ASSERT, inputs({6, 7})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.shown_by, "native replay: assertion");
  EXPECT_EQ(found.defect.kind, "assertion");
  EXPECT_EQ(found.defect.place.line, 1U);
  EXPECT_EQ(found.defect.test, inputs({6, 7}));
  EXPECT_EQ(calls(found.defect.stack), (Calls{"check:1", "main:4"}));
}

TEST_F(ConfirmerTest, ErrorThatTheReplayDoesNotShowIsNotConfirmed) {
  const Confirmation found = confirm(kAssertion, error(PLUMB_ERROR_ASSERT, inputs({6, 8})));
  EXPECT_FALSE(found.is_confirmed);
  EXPECT_NE(found.reason.find("exit code 0"), std::string::npos) << found.reason;
  EXPECT_EQ(found.defect.kind, "assertion");
  EXPECT_TRUE(found.defect.stack.empty());
  EXPECT_EQ(found.defect.place.line, 7U);
  EXPECT_EQ(found.defect.test, inputs({6, 8}));
}

TEST_F(ConfirmerTest, OtherErrorThanTheOneFoundDoesNotConfirmIt) {
  for (const int code : {PLUMB_ERROR_REACHED, PLUMB_ERROR_DIVISION, PLUMB_ERROR_STACK}) {
    const Confirmation found = confirm(kAssertion, error(code, inputs({6, 7})));
    EXPECT_FALSE(found.is_confirmed) << code;
    EXPECT_NE(found.reason.find("assertion"), std::string::npos) << found.reason;
  }
}

TEST_F(ConfirmerTest, CrashIsExplainedByTheInterpreter) {
  const Confirmation found = confirm(R"(int main(void) {
  int *p = __VERIFIER_nondet_int() == 5 ? 0 : malloc(4);
  *p = 1;
  return 0;
})",
                                     signal(SIGSEGV, inputs({5})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.shown_by, "native replay: SIGSEGV");
  EXPECT_EQ(found.defect.kind, "null-dereference");
  EXPECT_EQ(calls(found.defect.stack), Calls{"main:3"});
}

TEST_F(ConfirmerTest, DivisionAndErrorFunctionAndAbortAreConfirmed) {
  constexpr std::string_view kText = R"(int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 1) reach_error();
  if (x == 2) abort();
  volatile int y = 10 / (x - 3);
  return y;
})";
  begin(kText);
  const std::vector<std::tuple<int, int, std::string>> cases = {{1, PLUMB_ERROR_REACHED, "error-reached"},
                                                                {2, PLUMB_ERROR_ABORT, "abort"},
                                                                {3, PLUMB_ERROR_DIVISION, "division-by-zero"}};
  for (const auto& [input, code, kind] : cases) {
    const Confirmation found = confirmer_->confirm(subject_, error(code, inputs({input})), {});
    EXPECT_TRUE(found.is_confirmed) << code << ": " << found.reason;
    EXPECT_EQ(found.defect.kind, kind) << code;
  }
}

TEST_F(ConfirmerTest, PlaceIsTheSitesWhereTheInterpreterCannotGoOn) {
  const Confirmation found = confirm(R"(int main(void) {
  if (getpgid(__VERIFIER_nondet_int()) > 0) reach_error();
  return 0;
})",
                                     error(PLUMB_ERROR_REACHED, inputs({0})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_TRUE(found.defect.stack.empty());
  EXPECT_NE(found.defect.note.find("getpgid"), std::string::npos) << found.defect.note;
  EXPECT_EQ(found.defect.place.line, 7U);
  EXPECT_EQ(found.defect.function, "main");
  EXPECT_EQ(found.defect.kind, "error-reached");
}

TEST_F(ConfirmerTest, FailureAfterADefectIsStillTheFailure) {
  begin(R"(int main(void) {
  int a[2] = {1, 2}, *p = a;
  if (__VERIFIER_nondet_int() == 4) p[2] = 0;
  assert(a[1] == 1);
  return 0;
})");
  const Confirmation found = confirmer_->confirm(subject_, error(PLUMB_ERROR_ASSERT, inputs({4})), {});
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.kind, "assertion");
  EXPECT_EQ(found.defect.place.line, 4U);
  EXPECT_TRUE(found.defect.is_after_another);
  EXPECT_FALSE(confirmer_->confirm(subject_, error(PLUMB_ERROR_ASSERT, inputs({5})), {}).defect.is_after_another);
}

TEST_F(ConfirmerTest, ReplayThatDoesNotEndIsCutOff) {
  const Confirmation found =
      confirm("int main(void) { volatile int i = 0; for (;;) i = i + 1; }", error(PLUMB_ERROR_ABORT, {}));
  EXPECT_FALSE(found.is_confirmed);
  EXPECT_NE(found.reason.find("time"), std::string::npos) << found.reason;
}

TEST_F(ConfirmerTest, BudgetThatIsOverLeavesTheErrorUnconfirmed) {
  const Budget budget;
  budget.cancel();
  for (const FoundError& each :
       {error(PLUMB_ERROR_ASSERT, inputs({6, 7})), defect(PLUMB_DEFECT_INDEX, inputs({6, 7}))}) {
    const Confirmation found = confirm(kAssertion, each, budget);
    EXPECT_FALSE(found.is_confirmed);
    EXPECT_EQ(found.reason, "cancelled");
  }
}

// --- Defects ---

constexpr std::string_view kHeap = R"(static void put(int* p, int i) {
  p[i] = i;
}
static int* make(unsigned n) { return malloc(n * sizeof(int)); }
int main(void) {
  int* p = make(5);
  int n = __VERIFIER_nondet_int();
  put(p, n);
  free(p);
  if (n == 6) put(p, 1);
  if (n == 7) free(p);
  return 0;
})";

TEST_F(ConfirmerTest, DefectHasItsObjectAndStacks) {
  set_site(2, 8);
  const Confirmation found = confirm(kHeap, defect(PLUMB_DEFECT_POINTER, inputs({5})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.shown_by, "interpreter");
  EXPECT_EQ(found.defect.kind, "pointer-out-of-bounds");
  EXPECT_EQ(found.defect.message, "write of 4 bytes at offset 20: past the end of a heap object of 20 bytes");
  EXPECT_EQ(found.defect.function, "put");
  EXPECT_EQ(found.defect.place.line, 2U);
  EXPECT_EQ(calls(found.defect.stack), (Calls{"put:2", "main:8"}));
  ASSERT_TRUE(found.defect.access && found.defect.object);
  EXPECT_TRUE(found.defect.access->is_write);
  EXPECT_EQ(found.defect.access->offset, 20);
  EXPECT_EQ(found.defect.access->size, 4U);
  EXPECT_EQ(found.defect.object->kind, "heap");
  EXPECT_EQ(found.defect.object->size, 20U);
  EXPECT_EQ(calls(found.defect.object->allocated), (Calls{"make:4", "main:6"}));
  EXPECT_TRUE(found.defect.object->freed.empty());
  EXPECT_FALSE(found.defect.is_after_another);
  EXPECT_EQ(found.defect.test, inputs({5}));
}

TEST_F(ConfirmerTest, SeveralDefectsOfOneRunAreToldApart) {
  begin(kHeap);
  set_site(2, 8);
  const Confirmation use = confirmer_->confirm(subject_, defect(PLUMB_DEFECT_FREED, inputs({6})), {});
  EXPECT_TRUE(use.is_confirmed) << use.reason;
  EXPECT_EQ(use.defect.kind, "use-after-free");
  EXPECT_TRUE(use.defect.is_after_another);
  ASSERT_TRUE(use.defect.object);
  EXPECT_EQ(calls(use.defect.object->freed), Calls{"main:9"});
  const Confirmation beyond = confirmer_->confirm(subject_, defect(PLUMB_DEFECT_POINTER, inputs({6})), {});
  EXPECT_TRUE(beyond.is_confirmed) << beyond.reason;
  EXPECT_FALSE(beyond.defect.is_after_another);
  set_site(11, 15);
  const Confirmation twice = confirmer_->confirm(subject_, defect(PLUMB_DEFECT_DOUBLE_FREE, inputs({7})), {});
  EXPECT_TRUE(twice.is_confirmed) << twice.reason;
  EXPECT_EQ(twice.defect.kind, "double-free");
}

TEST_F(ConfirmerTest, DefectThatIsMadeUpIsNotConfirmed) {
  begin(kHeap);
  set_site(2, 8);
  for (const int kind : {PLUMB_DEFECT_POINTER, PLUMB_DEFECT_FREED, PLUMB_DEFECT_LEAK, PLUMB_DEFECT_DOUBLE_FREE}) {
    const Confirmation found = confirmer_->confirm(subject_, defect(kind, inputs({4})), {});
    EXPECT_FALSE(found.is_confirmed) << kind;
    EXPECT_NE(found.reason.find("exit code 0"), std::string::npos) << found.reason;
    EXPECT_EQ(found.defect.place.line, 2U);
    EXPECT_EQ(found.defect.test, inputs({4}));
  }
  set_site(8, 3);
  EXPECT_FALSE(confirmer_->confirm(subject_, defect(PLUMB_DEFECT_POINTER, inputs({5})), {}).is_confirmed);
}

TEST_F(ConfirmerTest, AccessFarBeyondItsObjectNamesTheObjectThatItStartedFrom) {
  set_site(2, 8);
  const Confirmation found = confirm(kHeap, defect(PLUMB_DEFECT_POINTER, inputs({100'000'000})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.kind, "pointer-out-of-bounds");
  ASSERT_TRUE(found.defect.object);
  EXPECT_EQ(found.defect.object->size, 20U);
  EXPECT_EQ(found.defect.access->offset, 400'000'000);
}

TEST_F(ConfirmerTest, LeakSaysWhereTheLastPointerWasLost) {
  set_site(3, 12);
  const Confirmation found = confirm(R"(int main(void) {
  int n = __VERIFIER_nondet_int();
  int* p = malloc(6);
  if (n == 3) {
    p = malloc(4);
  }
  free(p);
  return 0;
})",
                                     defect(PLUMB_DEFECT_LEAK, inputs({3})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.kind, "leak");
  EXPECT_EQ(found.defect.place.line, 3U);
  EXPECT_EQ(found.defect.lost_at.line, 5U);
  ASSERT_TRUE(found.defect.object);
  EXPECT_EQ(found.defect.object->size, 6U);
  EXPECT_TRUE(found.defect.stack.empty());
  EXPECT_TRUE(found.others.empty());
}

TEST_F(ConfirmerTest, LeakWithoutAPlaceBringsAllOfTheRun) {
  FoundError leak = defect(PLUMB_DEFECT_LEAK, {});
  leak.site = 0;
  const Confirmation found = confirm(R"(int main(void) {
  malloc(6);
  malloc(4);
  return 0;
})",
                                     leak);
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.place.line, 2U);
  ASSERT_EQ(found.others.size(), 1U);
  EXPECT_EQ(found.others[0].place.line, 3U);
}

TEST_F(ConfirmerTest, DefectInAModelIsBlamedOnItsCaller) {
  subject_.program.functions[0].is_model = true;
  const Confirmation found = confirm(R"(#include <string.h>
int main(void) {
  char text[4];
  strcpy(text, __VERIFIER_nondet_int() == 2 ? "1234" : "123");
  return 0;
})",
                                     defect(PLUMB_DEFECT_ARRAY, inputs({2})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.kind, "array-pointer-out-of-bounds");
  EXPECT_EQ(found.defect.function, "main");
  EXPECT_EQ(found.defect.place.line, 4U);
  ASSERT_TRUE(found.defect.object);
  EXPECT_EQ(found.defect.object->name, "text");
}

// --- Where the interpreter has no say ---

constexpr std::string_view kOutside = R"(static int get(int* p, int i) {
  return p[i];
}
int main(void) {
  int* p = calloc(3, sizeof *p);
  int n = getpgid(0) > 0 ? __VERIFIER_nondet_int() : 0;
  volatile int x = get(p, n);
  free(p);
  return 0 * x;
})";

TEST_F(ConfirmerTest, CheckedBuildShowsWhatTheInterpreterCannotRun) {
  begin(kOutside);
  set_site(2, 10);
  const Confirmation found = confirmer_->confirm(subject_, defect(PLUMB_DEFECT_POINTER, inputs({3})), {});
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.shown_by, "checked build");
  EXPECT_EQ(found.defect.kind, "pointer-out-of-bounds");
  EXPECT_EQ(found.defect.message, "read of 4 bytes at offset 12: past the end of a heap object of 12 bytes");
  EXPECT_EQ(found.defect.place.line, 2U);
  EXPECT_EQ(found.defect.place.column, 10U);
  EXPECT_EQ(calls(found.defect.stack), (Calls{"get:2", "main:7"}));
  ASSERT_TRUE(found.defect.object);
  EXPECT_EQ(calls(found.defect.object->allocated), Calls{"main:5"});

  const Confirmation none = confirmer_->confirm(subject_, defect(PLUMB_DEFECT_POINTER, inputs({2})), {});
  EXPECT_FALSE(none.is_confirmed);
  EXPECT_NE(none.reason.find("getpgid"), std::string::npos) << none.reason;
  EXPECT_NE(none.reason.find("exit code 0"), std::string::npos) << none.reason;
}

TEST_F(ConfirmerTest, CheckedBuildHasTheVariablesOfTheTest) {
  begin(R"(int main(void) {
  char name[3] = "ab";
  const char* v = getenv("V");
  int i = v == 0 ? 0 : v[0] - '0';
  return name[i] == 'x';
})");
  set_site(5, 10);
  result::TestCase test;
  test.environment.variables = {{"V", "3"}};
  const Confirmation found = confirmer_->confirm(subject_, defect(PLUMB_DEFECT_INDEX, test), {});
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.shown_by, "checked build");
  EXPECT_EQ(found.defect.place.line, 5U);
  test.environment.variables = {{"V", "2"}};
  EXPECT_FALSE(confirmer_->confirm(subject_, defect(PLUMB_DEFECT_INDEX, test), {}).is_confirmed);
}

TEST_F(ConfirmerTest, DefectBeforeTheInterpreterStopsIsItsOwn) {
  set_site(2, 8);
  const Confirmation found = confirm(R"(int main(void) { int* p = malloc(4);
  p[1] = __VERIFIER_nondet_int();
  free(p);
  return getpgid(0) < 0;
})",
                                     defect(PLUMB_DEFECT_POINTER, inputs({1})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.defect.shown_by, "interpreter");
}

}  // namespace
}  // namespace plumb::replay
