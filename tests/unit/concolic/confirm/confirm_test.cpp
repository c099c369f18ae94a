#include "concolic/confirm/confirm.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/file.h"
#include "concolic/build_subject.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
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

/// A program, and a subject that knows one site of it: line 7 of "site.c" in "main".
class ConfirmerTest : public testing::Test {
 protected:
  Confirmation confirm(std::string_view text, const FoundError& error, const Budget& budget = {}) {
    write_file(directory_.path() / "p.c", std::string(kDeclarations) + std::string(text));
    program::LoadOptions options;
    options.files = {(directory_.path() / "p.c").string()};
    subject_.program.files = {"site.c"};
    subject_.program.functions.resize(1);
    subject_.program.functions[0].name = "main";
    subject_.sites.resize(2);
    subject_.sites[1] = {SiteKind::Error, 0, {0, 7, 3}, program::kNone, 0, 0, {}, false};
    RunLimits limits;
    limits.time = std::chrono::duration<double>(0.5);
    confirmer_ = std::make_unique<Confirmer>(subject_, options, limits, directory_.path());
    return confirmer_->confirm(error, budget);
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

  std::vector<std::string> stack_of(const Confirmation& confirmation) const {
    std::vector<std::string> names;
    for (const program::CodePoint point : confirmation.stack)
      if (!confirmer_->program().functions[point.function].is_model)
        names.push_back(confirmer_->program().functions[point.function].name);
    return names;
  }

  TemporaryDirectory directory_;
  Subject subject_;
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

TEST_F(ConfirmerTest, AssertionHasTheInterpretersKindAndStack) {
  const Confirmation found = confirm(kAssertion, error(PLUMB_ERROR_ASSERT, inputs({6, 7})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_EQ(found.native, "assertion");
  EXPECT_EQ(found.fault.kind, program::FaultKind::Assertion);
  EXPECT_EQ(stack_of(found), (std::vector<std::string>{"check", "main"}));
}

TEST_F(ConfirmerTest, ErrorThatTheReplayDoesNotShowIsNotConfirmed) {
  const Confirmation found = confirm(kAssertion, error(PLUMB_ERROR_ASSERT, inputs({6, 8})));
  EXPECT_FALSE(found.is_confirmed);
  EXPECT_NE(found.reason.find("exit code 0"), std::string::npos) << found.reason;
  EXPECT_TRUE(found.stack.empty());
  EXPECT_EQ(found.place.line, 7U);
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
  EXPECT_EQ(found.native, "SIGSEGV");
  EXPECT_EQ(found.fault.kind, program::FaultKind::NullDereference);
  EXPECT_EQ(stack_of(found), (std::vector<std::string>{"main"}));
}

TEST_F(ConfirmerTest, DivisionAndErrorFunctionAndAbortAreConfirmed) {
  constexpr std::string_view kText = R"(int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 1) reach_error();
  if (x == 2) abort();
  volatile int y = 10 / (x - 3);
  return y;
})";
  const std::vector<std::tuple<int, int, program::FaultKind>> cases = {
      {1, PLUMB_ERROR_REACHED, program::FaultKind::ErrorReached},
      {2, PLUMB_ERROR_ABORT, program::FaultKind::Abort},
      {3, PLUMB_ERROR_DIVISION, program::FaultKind::DivisionByZero}};
  for (const auto& [input, code, kind] : cases) {
    const Confirmation found = confirm(kText, error(code, inputs({input})));
    EXPECT_TRUE(found.is_confirmed) << code << ": " << found.reason;
    EXPECT_EQ(found.fault.kind, kind) << code;
  }
}

TEST_F(ConfirmerTest, PlaceIsTheSitesWhereTheInterpreterCannotGoOn) {
  const Confirmation found = confirm(R"(int main(void) {
  if (getpgid(__VERIFIER_nondet_int()) > 0) reach_error();
  return 0;
})",
                                     error(PLUMB_ERROR_REACHED, inputs({0})));
  EXPECT_TRUE(found.is_confirmed) << found.reason;
  EXPECT_TRUE(found.stack.empty());
  EXPECT_FALSE(found.note.empty());
  EXPECT_EQ(found.place.to_string(), "site.c:7:3");
  EXPECT_EQ(found.function, "main");
  EXPECT_EQ(found.fault.kind, program::FaultKind::ErrorReached);
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
  const Confirmation found = confirm(kAssertion, error(PLUMB_ERROR_ASSERT, inputs({6, 7})), budget);
  EXPECT_FALSE(found.is_confirmed);
  EXPECT_EQ(found.reason, "cancelled");
}

}  // namespace
}  // namespace plumb::concolic
