#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "frontend/load.h"
#include "interpret/interpreter.h"
#include "semantics/goals.h"
#include "unroll/unroll.h"

namespace plumb::unroll {

inline constexpr const char* kDeclarations = R"(
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }
#define input __VERIFIER_nondet_int
#define byte __VERIFIER_nondet_uchar
#define assume __VERIFIER_assume
)";

/// C text as a program, with the goals that it is asked for.
class Source {
 public:
  explicit Source(const std::string& text, semantics::GoalOptions wanted = {}, std::uint32_t word_size = 64,
                  bool marks_unset = false) {
    std::string pattern = std::filesystem::temp_directory_path() / "unrollXXXXXX";
    INVARIANT(mkdtemp(pattern.data()) != nullptr, "there should be room for a directory");
    directory_ = pattern;
    std::ofstream(directory_ / "source.c") << kDeclarations << text;
    frontend::LoadOptions options;
    options.files = {directory_ / "source.c"};
    options.word_size = word_size;
    options.checks = wanted.checks;
    options.marks_unset = marks_unset;
    program = frontend::load_program(options, Budget());
    goals = semantics::find_goals(program, wanted);
  }
  ~Source() { std::filesystem::remove_all(directory_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  Outcome unroll(const Options& options = {}, const Budget& budget = {}) const {
    return unroll::unroll(program, goals, options, budget);
  }
  interpret::RunResult replay(const result::TestCase& test) const {
    interpret::InterpreterOptions options;
    std::size_t next = 0;
    options.inputs = [&](std::string_view name, std::size_t size) -> std::optional<std::vector<std::uint8_t>> {
      if (next == test.inputs.size()) return std::nullopt;
      EXPECT_EQ(test.inputs[next].name, name);
      EXPECT_EQ(test.inputs[next].bytes.size(), size);
      return test.inputs[next++].bytes;
    };
    options.unset = test.unset;
    options.arguments = {"program"};
    options.undefined = interpret::UndefinedPolicy::Nondet;
    options.max_instructions = 10'000'000;
    return interpret::Interpreter(program).run(options, Budget());
  }
  /// The run of the test violates the goal.
  testing::AssertionResult violates(const result::TestCase& test, const program::Goal& goal) const {
    const interpret::RunResult run = replay(test);
    for (const program::Fault& fault : run.faults) {
      if (!program::is_violation(goal, fault.kind)) continue;
      if (goal.kind == program::GoalKind::Leak ? fault.allocated == goal.at : run.stack.front() == goal.at)
        return testing::AssertionSuccess();
    }
    testing::AssertionResult no = testing::AssertionFailure();
    no << to_json(test) << " ends with " << static_cast<int>(run.end) << " " << run.reason;
    for (const program::Fault& fault : run.faults) no << "; " << fault.message;
    return no;
  }

  program::Program program{};
  std::vector<program::Goal> goals{};

 private:
  std::filesystem::path directory_;
};

inline semantics::GoalOptions memory_goals() {
  semantics::GoalOptions options;
  options.checks = program::CheckSet::defaults();
  return options;
}

/// What may be said of an answer with its gaps.
inline result::Absence said_of(const GoalResult& answer) {
  if (answer.verdict == Verdict::Violated) return {answer.verdict, answer.reason};
  return result::claim_absence(answer.verdict, answer.reason, answer.gaps, false);
}

/// All goals together: the worst, with the answers of violated ones replayed.
struct Summary {
  Verdict verdict = Verdict::Holds;
  std::string reason;
};
inline Summary summary(const Source& source, const Options& options = {}, const Budget& budget = {}) {
  const Outcome outcome = source.unroll(options, budget);
  EXPECT_FALSE(source.goals.empty());
  Summary made;
  std::vector<Verdict> verdicts;
  for (std::size_t g = 0; g < source.goals.size(); ++g) {
    const GoalResult& answer = outcome.answers[g];
    const result::Absence said = said_of(answer);
    verdicts.push_back(said.verdict);
    if (answer.verdict == Verdict::Violated) EXPECT_TRUE(source.violates(*answer.test, source.goals[g]));
    if (!said.reason.empty()) made.reason = said.reason;
  }
  made.verdict = result::of_goals(verdicts);
  return made;
}

inline Summary summary(const std::string& text, semantics::GoalOptions goals = {}) {
  const Source source(text, goals);
  return summary(source);
}

}  // namespace plumb::unroll

#define EXPECT_HOLDS(...)                                                     \
  do {                                                                        \
    const ::plumb::unroll::Summary s = ::plumb::unroll::summary(__VA_ARGS__); \
    EXPECT_EQ(s.verdict, ::plumb::unroll::Verdict::Holds) << s.reason;        \
  } while (false)
#define EXPECT_VIOLATED(...)                                                  \
  do {                                                                        \
    const ::plumb::unroll::Summary s = ::plumb::unroll::summary(__VA_ARGS__); \
    EXPECT_EQ(s.verdict, ::plumb::unroll::Verdict::Violated) << s.reason;     \
  } while (false)
