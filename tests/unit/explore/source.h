#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "frontend/load.h"
#include "semantics/goals.h"
#include "unit/run_of_test.h"

namespace plumb::explore {

inline constexpr const char* kDeclarations = R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }
#define input __VERIFIER_nondet_int
#define byte __VERIFIER_nondet_uchar
#define assume __VERIFIER_assume
)";

/// C text as a program, with the goals that it is asked for.
class Source {
 public:
  explicit Source(const std::string& text, semantics::GoalOptions wanted = {}) {
    std::string pattern = std::filesystem::temp_directory_path() / "exploreXXXXXX";
    INVARIANT(mkdtemp(pattern.data()) != nullptr, "there should be room for a directory");
    directory_ = pattern;
    std::ofstream(directory_ / "source.c") << kDeclarations << text;
    frontend::LoadOptions options;
    options.files = {directory_ / "source.c"};
    options.checks = wanted.checks;
    program = frontend::load_program(options, Budget());
    goals = semantics::find_goals(program, wanted);
  }
  ~Source() { std::filesystem::remove_all(directory_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// The goal of the whole program instead.
  Source& about(program::GoalKind kind) {
    goals = {{kind, {program.entry, 0}}};
    return *this;
  }

  program::Program program{};
  std::vector<program::Goal> goals{};

 private:
  std::filesystem::path directory_;
};

inline constexpr Reduction kReductions[] = {Reduction::None, Reduction::Tau, Reduction::Dpor};
inline constexpr Algorithm kAlgorithms[] = {Algorithm::Reachability, Algorithm::Execution, Algorithm::Limited};

/// All goals together, with what gaps take away. What is violated is replayed.
inline Verdict verdict(const Source& source, const Options& options = {}) {
  const Outcome outcome =
      explore(source.program, source.goals, options, Budget().with_timeout(std::chrono::duration<double>(60)));
  std::vector<Verdict> verdicts;
  for (std::size_t g = 0; g < outcome.answers.size(); ++g) {
    const GoalResult& answer = outcome.answers[g];
    if (answer.verdict == Verdict::Unknown) ADD_FAILURE() << answer.reason;
    if (answer.verdict == Verdict::Violated)
      EXPECT_TRUE(test::is_replayed(source.program, source.goals[g], *answer.test));
    verdicts.push_back(answer.verdict == Verdict::Violated
                           ? answer.verdict
                           : result::claim_absence(answer.verdict, answer.reason, answer.gaps, false).verdict);
  }
  return result::of_goals(verdicts);
}

/// By all reductions, and with states merged from the start, which must agree.
inline Verdict agreed(const Source& source) {
  Options merging;
  merging.merges_after = 0;
  const Verdict first = verdict(source, merging);
  for (const Reduction reduction : kReductions) {
    Options options;
    options.reduction = reduction;
    EXPECT_EQ(verdict(source, options), first) << "reductions differ";
  }
  return first;
}

}  // namespace plumb::explore
