// Every fault, in a small program that commits it for the input 2, breaks an assertion behind it for the input 1 and
// does nothing wrong for 0 and 3. The interpreter names the fault; unroll, flatten and the native program see it too if
// it is one that a goal is about, and in any case nothing behind it, or the gap is listed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "flatten/flatten.h"
#include "frontend/load.h"
#include "gaps.h"
#include "interpret/interpreter.h"
#include "replay/builds.h"
#include "replay/checked_replayer.h"
#include "replay/native_run.h"
#include "runtime/concolic/protocol.h"
#include "semantics/goals.h"
#include "system/graph_run.h"
#include "unroll/unroll.h"

namespace plumb::check::agreement {
namespace {

using program::FaultKind;
using program::Goal;
using program::GoalKind;
using result::Verdict;

constexpr const char* kPrelude = R"(
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern void plumb_assume(int), plumb_check(int), reach_error(void), abort(void), free(void*), *malloc(size_t);
extern void __assert_fail(const char*, const char*, unsigned, const char*) __attribute__((noreturn));
typedef struct { long room[5]; } mutex;
extern int pthread_mutex_lock(mutex*);
mutex m; int g, h[4], *hold, *wild[2]; const int fixed = 1; char bytes[16];
int same(int k) { return k; }
void leave(void) { int local = 1; hold = &local; }
int deep(int k) { volatile int room[16]; room[0] = k; return k == 2 ? deep(k) + room[0] : 0; }
)";

/// `x` is an input from 0 to 3 when the body begins.
struct Case {
  FaultKind kind;
  const char* body;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << name(c.kind); }
};
const std::vector<Case> kCases = {
    {FaultKind::ArrayOutOfBounds, "h[x == 2 ? 4 : x] = 1;"},
    {FaultKind::PointerOutOfBounds, "int* p = malloc(8); int* q = p + (x == 2 ? 2 : 1); *q = 1; free(p);"},
    {FaultKind::ArrayPointerOutOfBounds, "int* p = h; p += x == 2 ? 4 : x; *p = 1;"},
    {FaultKind::UseAfterFree, "int* p = malloc(8); if (x == 2) free(p); *p = 1; free(p);"},
    {FaultKind::UseAfterReturn, "hold = &g; if (x == 2) leave(); *hold = 1;"},
    {FaultKind::UseAfterScope, "int* p = &g; if (x == 2) { int local = 1; p = &local; } *p = 1;"},
    {FaultKind::DoubleFree, "int* p = malloc(8); if (x == 2) free(p); free(p);"},
    {FaultKind::InvalidFree, "char* p = malloc(8); free(x == 2 ? p + 1 : p);"},
    {FaultKind::NullDereference, "int* p = x == 2 ? 0 : &g; *p = 1;"},
    {FaultKind::UninitialisedPointer, "int** p = malloc(16); p[0] = &g; int* q = p[x == 2]; free(p); *q = 1;"},
    {FaultKind::InvalidPointer, "int* p = x == 2 ? (int*)77777777L : &g; *p = 1;"},
    {FaultKind::InvalidCall, "int (*f)(int) = x == 2 ? (int (*)(int))&g : same; g = f(1);"},
    {FaultKind::WriteToConstant, "int* p = x == 2 ? (int*)&fixed : &g; *p = 1;"},
    {FaultKind::Misaligned, "int* p = (int*)(bytes + (x == 2 ? 1 : 4)); *p = 1;"},
    {FaultKind::Leak, "void* p = malloc(8); if (x != 2) free(p); p = 0;"},
    {FaultKind::DivisionByZero, "g = 7 / (x - 2);"},
    {FaultKind::SignedOverflow, "g = 2147483645 + (x == 3 ? 0 : x) * 2;"},
    {FaultKind::ShiftOutOfRange, "g = 1 << (x == 2 ? 32 : x);"},
    {FaultKind::UninitialisedRead, "int* p = malloc(8); p[0] = 1; if (p[x == 2]) g = 1; free(p);"},
    {FaultKind::Assertion, "if (x == 2) __assert_fail(\"x\", \"f\", 1, \"main\");"},
    {FaultKind::ErrorReached, "if (x == 2) reach_error();"},
    {FaultKind::Abort, "if (x == 2) abort();"},
    {FaultKind::Trap, "if (x == 2) __builtin_trap();"},
    {FaultKind::Unreachable, "if (x == 2) __builtin_unreachable();"},
    {FaultKind::StackOverflow, "g = deep(x);"},
    {FaultKind::PointerArithmetic, "int* p = h + x; p += x == 2 ? 3 : 1; g = p == h;"},
    {FaultKind::VlaSize, "int n = x == 2 ? -1 : 3; char room[n]; room[0] = 1; g = room[0];"},
    {FaultKind::Deadlock, "if (x == 2) pthread_mutex_lock(&m); pthread_mutex_lock(&m);"},
};

/// The first thing that goes wrong in a run.
using Wrong = std::optional<FaultKind>;

class FaultAgreement : public testing::TestWithParam<Case> {
 protected:
  FaultAgreement() {
    // What is wrong at the end of the program comes after the assertions.
    const bool is_last = GetParam().kind == FaultKind::Leak;
    write_file(directory_.path() / "p.c",
               fmt::format("{}int main(void) {{ int x = __VERIFIER_nondet_int(); plumb_assume(x >= 0 && x < 4);\n{}\n"
                           "{} plumb_check(x != 1); return 0; }}\n",
                           kPrelude, GetParam().body, is_last ? "" : "plumb_check(x != 2);"));
    load_.files = {(directory_.path() / "p.c").string()};
    // These two see what others would see behind them.
    load_.checks = program::CheckSet::all();
    if (GetParam().kind != FaultKind::Misaligned) load_.checks.remove(program::Check::Alignment);
    if (GetParam().kind != FaultKind::UninitialisedRead) load_.checks.remove(program::Check::Uninitialised);
    program_ = frontend::load_program(load_, {});
    goals_ = semantics::find_goals(program_, {.checks = load_.checks});
  }

  Wrong expected(std::uint64_t x) const {
    return x == 1 ? Wrong(FaultKind::Assertion) : x == 2 ? Wrong(GetParam().kind) : std::nullopt;
  }
  /// What the fault is a violation of, among the goals that these engines are asked about.
  std::optional<GoalKind> goal_kind() const {
    const std::optional<GoalKind> kind = program::violated_kind(GetParam().kind);
    return kind && program::is_about_threads({*kind, {}}) ? std::nullopt : kind;
  }

  Wrong interpreted(std::uint64_t x, const Goal* goal = nullptr) {
    interpret::InterpreterOptions options;
    options.arguments = {"program"};
    options.max_call_depth = 1000;
    options.inputs = [&](std::string_view, std::size_t size) {
      std::vector<std::uint8_t> bytes(size);
      bytes[0] = static_cast<std::uint8_t>(x);
      return bytes;
    };
    const interpret::RunResult run = interpret::Interpreter(program_).run(options, {});
    EXPECT_NE(run.end, interpret::RunResult::End::Unsupported) << run.reason;
    if (run.faults.empty()) return std::nullopt;
    if (goal != nullptr) EXPECT_TRUE(program::is_violation(*goal, run.faults.front().kind));
    return run.faults.front().kind;
  }

  /// The goal that a run of the graph violates, by its kind; a gap if it comes to one.
  struct Graph {
    std::optional<GoalKind> violated{};
    bool is_gap = false;
  };
  Graph flattened(const flatten::Flattened& flat, std::uint64_t x) {
    const auto source = [&](std::size_t input) -> term::Value {
      const term::Term variable = flat.graph.inputs[input];
      if (!flat.inputs[input].is_asked) return term::zero_value(flat.graph.store().sort(variable));
      return BitVector(flat.graph.store().width(variable), x);
    };
    system::GraphRun run(flat.graph, source);
    for (std::uint64_t steps = 0; run.step() && steps < 10'000; ++steps)
      for (const std::size_t property : run.failed()) {
        if (property >= flat.cover_property(0)) continue;
        if (property >= flat.goal_count) return {.is_gap = true};
        return {.violated = goals_[property].kind};
      }
    return {};
  }

  /// What the checked build tells first, or how the plain one ends.
  std::string native(replay::Builds& builds, std::uint64_t x) {
    result::TestCase test;
    test.inputs.push_back({"int", {static_cast<std::uint8_t>(x), 0, 0, 0}});
    replay::RunLimits limits;
    limits.time = std::chrono::duration<double>(0.5);
    const replay::Replay checked = replay::CheckedReplayer(builds, limits).run({test}, {});
    if (!checked.defects.empty()) return checked.defects.front().kind;
    const replay::Ending end = replay::run_natively(builds.plain({}), test, limits, directory_.path(), {}).ending;
    if (end.end == replay::RunEnd::Error && end.code <= PLUMB_ERROR_REACHED)
      return end.code == PLUMB_ERROR_REACHED ? "error-reached" : "assertion";
    if (end.end == replay::RunEnd::Exit && end.code == 0) return "";
    return replay::describe(end);
  }
  /// What native code makes of the fault: its name, or how it ends.
  static std::string native_name(FaultKind kind) {
    switch (kind) {
      case FaultKind::Trap:
        return "SIGILL";
      case FaultKind::StackOverflow:
        return "SIGSEGV";
      case FaultKind::InvalidCall:
        return "invalid-pointer";
      case FaultKind::VlaSize:
        return "assertion";
      case FaultKind::Deadlock:
        return "out of time";
      default:
        return std::string(name(kind));
    }
  }

  TemporaryDirectory directory_;
  frontend::LoadOptions load_;
  program::Program program_{};
  std::vector<Goal> goals_;
};

TEST_P(FaultAgreement, OfInterpreterUnrollFlattenAndNativeCode) {
  const std::string_view what = name(GetParam().kind);
  for (std::uint64_t x = 0; x < 4; ++x) EXPECT_EQ(interpreted(x), expected(x)) << "interpreter on " << x;

  const flatten::Flattened flat = flatten::flatten(program_, goals_, {}, {});
  bool graph_differs = false;
  for (std::uint64_t x = 0; x < 4; ++x) {
    const Graph graph = flattened(flat, x);
    const auto violated = x == 1 ? std::optional(GoalKind::Assertion) : x == 2 ? goal_kind() : std::nullopt;
    const bool differs = graph.is_gap || graph.violated != violated;
    graph_differs = graph_differs || differs;
    if (!is_gap(Engine::Flatten, what))
      EXPECT_FALSE(differs) << "flatten on " << x << (graph.is_gap ? " has a gap" : " differs");
  }
  EXPECT_EQ(graph_differs, is_gap(Engine::Flatten, what));

  bool does_fault = false, unroll_differs = false;
  const unroll::Outcome outcome = unroll::unroll(program_, goals_, {.unwind = 8}, {});
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    const unroll::GoalResult& answer = outcome.answers[i];
    if (answer.verdict == Verdict::Violated) {
      const std::uint64_t x = answer.test->inputs.at(0).bytes[0];
      const bool is_true = interpreted(x) && program::is_violation(goals_[i], *interpreted(x));
      if (!is_gap(Engine::Unroll, what)) EXPECT_TRUE(is_true) << describe(program_, goals_[i]) << " by " << x;
      unroll_differs = unroll_differs || !is_true;
      does_fault = does_fault || x == 2;
    } else if (!result::is_proof(answer.verdict) || !answer.gaps.empty()) {
      unroll_differs = true;
      if (!is_gap(Engine::Unroll, what)) ADD_FAILURE() << describe(program_, goals_[i]) << ": " << answer.reason;
    }
  }
  unroll_differs = unroll_differs || does_fault != goal_kind().has_value();
  EXPECT_EQ(unroll_differs, is_gap(Engine::Unroll, what));

  replay::Builds builds(load_, directory_.path());
  bool native_differs = false;
  for (std::uint64_t x = 0; x < 4; ++x) {
    const std::string wanted = x == 1 ? "assertion" : x == 2 ? native_name(GetParam().kind) : "";
    const std::string found = native(builds, x);
    native_differs = native_differs || found != wanted;
    if (!is_gap(Engine::Native, what)) EXPECT_EQ(found, wanted) << "native on " << x;
  }
  EXPECT_EQ(native_differs, is_gap(Engine::Native, what));
}

INSTANTIATE_TEST_SUITE_P(All, FaultAgreement, testing::ValuesIn(kCases), [](const auto& parameter) {
  std::string text(name(parameter.param.kind));
  std::ranges::replace(text, '-', '_');
  return text;
});

TEST(FaultAgreementCases, HaveEveryFaultOnce) {
  std::set<FaultKind> found;
  for (const Case& c : kCases) EXPECT_TRUE(found.insert(c.kind).second);
  EXPECT_FALSE(found.contains(FaultKind::DataRace));  // which one thread has not
  EXPECT_EQ(found.size() + 1, static_cast<std::size_t>(program::kFaultKindCount));
}

}  // namespace
}  // namespace plumb::check::agreement
