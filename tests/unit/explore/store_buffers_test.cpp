#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "frontend/memory_model.h"
#include "source.h"

namespace plumb::explore {
namespace {

/// Threads beside main, and whether what they see together is possible.
Verdict verdict_of(const std::string& variables, const std::vector<std::string>& bodies, const std::string& seen,
                   bool has_buffers) {
  const TemporaryDirectory directory;
  frontend::LoadOptions load;
  const auto add = [&](const char* name, const std::string& text) {
    write_file(directory.path() / name, text);
    load.files.push_back((directory.path() / name).string());
  };
  std::string text = std::string(kDeclarations) + variables + "\n";
  std::string made, joined;
  for (std::size_t t = 0; t < bodies.size(); ++t) {
    const std::string number = std::to_string(t);
    text += "void *f" + number + "(void *p) {" + bodies[t] + " return 0; }\n";
    made += "pthread_create(&t[" + number + "], 0, f" + number + ", 0);\n";
    joined += "pthread_join(t[" + number + "], 0);\n";
  }
  add("source.c",
      text + "int main(void) { pthread_t t[3];\n" + made + joined + "check(!(" + seen + ")); return 0; }\n");
  if (has_buffers) add("store_buffers.c", std::string(frontend::store_buffer_source()));
  const program::Program program = frontend::load_program(load, Budget());
  semantics::GoalOptions wanted;
  wanted.checks = program::CheckSet::none();
  const std::vector<program::Goal> goals = semantics::find_goals(program, wanted);
  std::optional<Verdict> first_verdict;
  for (const Reduction reduction : {Reduction::Tau, Reduction::Dpor}) {
    Options options;
    options.reduction = reduction;
    const Outcome outcome = explore(program, goals, options, Budget().with_timeout(std::chrono::duration<double>(60)));
    const GoalResult& answer = outcome.answers.at(0);
    EXPECT_TRUE(answer.gaps.empty() || answer.verdict == Verdict::Violated);
    EXPECT_NE(answer.verdict, Verdict::Unknown) << answer.reason;
    if (first_verdict) EXPECT_EQ(*first_verdict, answer.verdict);
    first_verdict = answer.verdict;
    if (answer.verdict != Verdict::Violated) continue;
    interpret::InterpreterOptions run;
    std::size_t next = 0;
    run.inputs = [&](std::string_view, std::size_t) -> std::optional<std::vector<std::uint8_t>> {
      if (next == answer.test->inputs.size()) return std::nullopt;
      return answer.test->inputs[next++].bytes;
    };
    run.arguments = {"program"};
    run.schedule = &answer.test->schedule;
    const interpret::RunResult replayed = interpret::Interpreter(program).run(run, Budget());
    EXPECT_TRUE(!replayed.faults.empty() && program::is_violation(goals[0], replayed.faults.back().kind))
        << replayed.reason;
  }
  return *first_verdict;
}

bool is_possible(const std::string& variables, const std::string& first, const std::string& second,
                 const std::string& seen) {
  return verdict_of(variables, {first, second}, seen, true) == Verdict::Violated;
}

constexpr const char* kVariables = "int x, y, r, s, t, u;";

TEST(StoreBuffers, LoadsOvertakeStores) {
  EXPECT_TRUE(is_possible(kVariables, "x = 1; r = y;", "y = 1; s = x;", "r == 0 && s == 0"));
  EXPECT_EQ(verdict_of(kVariables, {"x = 1; r = y;", "y = 1; s = x;"}, "r == 0 && s == 0", false), Verdict::Holds);
}

TEST(StoreBuffers, NothingElseIsReordered) {
  EXPECT_FALSE(is_possible(kVariables, "x = 1; y = 1;", "r = y; s = x;", "r == 1 && s == 0"));
  EXPECT_FALSE(is_possible(kVariables, "r = x; y = 1;", "s = y; x = 1;", "r == 1 && s == 1"));
  EXPECT_TRUE(is_possible(kVariables, "x = 1; y = 2;", "y = 1; x = 2;", "x == 2 && y == 2"));
  EXPECT_FALSE(is_possible(kVariables, "x = 1; y = 2;", "y = 1; x = 2;", "x == 1 && y == 1"));
}

TEST(StoreBuffers, AThreadSeesItsOwnStores) {
  EXPECT_FALSE(is_possible(kVariables, "x = 1; r = x;", "", "r == 0"));
  EXPECT_TRUE(is_possible(kVariables, "x = 1; r = x; s = y;", "y = 1; t = y; u = x;", "r && !s && t && !u"));
  // Its own store is in memory, and another one over it.
  EXPECT_TRUE(is_possible(kVariables, "x = 2;", "x = 1; r = x; s = x;", "r == 1 && s == 2"));
}

TEST(StoreBuffers, PartsOfABufferedStoreAreReadFromMemoryBehindIt) {
  const std::string word = "union { int whole; char part[4]; } x; int y, r, s, t;";
  EXPECT_FALSE(is_possible(word, "x.whole = 0x0102; r = x.part[1];", "", "r != 1"));
  EXPECT_FALSE(is_possible(word, "x.whole = 1; r = x.part[0]; s = y;", "y = 1; t = x.whole;", "s == 0 && t == 0 && 0"));
  EXPECT_FALSE(is_possible(word, "x.whole = 1; r = x.part[0]; s = y;",
                           "y = 1; atomic_thread_fence(memory_order_seq_cst); t = x.whole;", "s == 0 && t == 0"));
}

TEST(StoreBuffers, FencesAndLockedOperationsLetNoStorePass) {
  const auto allowed = [](const std::string& between) {
    return is_possible("int x, y, r, s; atomic_int z; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
                       "x = 1;" + between + "r = y;", "y = 1;" + between + "s = x;", "r == 0 && s == 0");
  };
  EXPECT_FALSE(allowed("atomic_thread_fence(memory_order_seq_cst);"));
  EXPECT_TRUE(allowed("atomic_thread_fence(memory_order_acq_rel);"));
  EXPECT_FALSE(allowed("__sync_synchronize();"));
  EXPECT_FALSE(allowed("atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);"));
  EXPECT_FALSE(allowed("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"));
  EXPECT_FALSE(allowed("__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();"));
  EXPECT_FALSE(allowed("z = 1;"));
  EXPECT_TRUE(allowed("atomic_store_explicit(&z, 1, memory_order_release);"));
}

// --- Random programs against buffers that are made here, with a step for each store that leaves one ---

struct Operation {
  enum class Kind { Store, Load, Fence } kind = Kind::Store;
  int variable = 0;
  int value = 0;  ///< of a Store
};
using Code = std::vector<Operation>;

/// What threads can load, one after the other, and leave in memory.
class Outcomes {
 public:
  using Outcome = std::vector<int>;
  explicit Outcomes(const std::vector<Code>& code) : code_(code) {
    State first;
    first.at.resize(code.size());
    first.buffers.resize(code.size());
    first.loaded.resize(code.size());
    visit(first);
  }
  std::set<Outcome> all;

 private:
  struct State {
    std::vector<std::size_t> at;
    std::vector<std::vector<std::pair<int, int>>> buffers;
    std::array<int, 2> memory{};
    std::vector<Outcome> loaded;
    auto operator<=>(const State&) const = default;
  };
  void visit(const State& s) {
    if (!seen_.insert(s).second) return;
    bool is_over = true;
    for (std::size_t t = 0; t < code_.size(); ++t) {
      if (!s.buffers[t].empty()) {
        is_over = false;
        State next = s;
        next.memory[static_cast<std::size_t>(s.buffers[t][0].first)] = s.buffers[t][0].second;
        next.buffers[t].erase(next.buffers[t].begin());
        visit(next);
      }
      if (s.at[t] == code_[t].size()) continue;
      is_over = false;
      const Operation& op = code_[t][s.at[t]];
      State next = s;
      ++next.at[t];
      if (op.kind == Operation::Kind::Store) {
        next.buffers[t].emplace_back(op.variable, op.value);
      } else if (op.kind == Operation::Kind::Load) {
        int value = s.memory[static_cast<std::size_t>(op.variable)];
        for (const auto& [variable, stored] : s.buffers[t])
          if (variable == op.variable) value = stored;
        next.loaded[t].push_back(value);
      } else if (!s.buffers[t].empty()) {
        continue;
      }
      visit(next);
    }
    if (!is_over) return;
    Outcome outcome;
    for (const Outcome& each : s.loaded) outcome.insert(outcome.end(), each.begin(), each.end());
    outcome.insert(outcome.end(), s.memory.begin(), s.memory.end());
    all.insert(outcome);
  }

  const std::vector<Code>& code_;
  std::set<State> seen_;
};

TEST(StoreBuffers, RandomProgramsHaveTheOutcomesOfTheirBuffers) {
  std::mt19937 random(3);
  const auto choose = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  for (int round = 0; round < 9; ++round) {
    std::vector<Code> code(round % 3 == 0 ? 3 : 2);
    std::vector<std::string> text(code.size());
    std::vector<std::string> results;
    for (std::size_t t = 0; t < code.size(); ++t) {
      for (int i = 0, count = 2 + choose(code.size() == 3 ? 2 : 3); i < count; ++i) {
        const int kind = choose(9);
        const Operation op{kind < 4   ? Operation::Kind::Store
                           : kind < 8 ? Operation::Kind::Load
                                      : Operation::Kind::Fence,
                           choose(2), 1 + choose(2)};
        code[t].push_back(op);
        const std::string variable = op.variable == 0 ? "x" : "y";
        if (op.kind == Operation::Kind::Store) {
          text[t] += variable + " = " + std::to_string(op.value) + ";";
        } else if (op.kind == Operation::Kind::Load) {
          results.push_back("r" + std::to_string(results.size()));
          text[t] += results.back() + " = " + variable + ";";
        } else {
          text[t] += "__sync_synchronize();";
        }
      }
    }
    std::string variables = "int x, y";
    for (const std::string& result : results) variables += ", " + result;
    results.insert(results.end(), {"x", "y"});
    const Outcomes outcomes(code);
    const auto seen = [&](const Outcomes::Outcome& outcome) {
      std::string condition = "1";
      for (std::size_t i = 0; i < results.size(); ++i)
        condition += " && " + results[i] + " == " + std::to_string(outcome[i]);
      return condition;
    };
    // One outcome that there is, and all of them: nothing else comes out.
    auto some = outcomes.all.begin();
    std::advance(some, choose(static_cast<int>(outcomes.all.size())));
    EXPECT_EQ(verdict_of(variables + ";", text, seen(*some), true), Verdict::Violated) << testing::PrintToString(text);
    std::string none = "1";
    for (const Outcomes::Outcome& outcome : outcomes.all) none += " && !(" + seen(outcome) + ")";
    EXPECT_EQ(verdict_of(variables + ";", text, none, true), Verdict::Holds) << testing::PrintToString(text);
  }
}

TEST(StoreBuffers, WhatAFullBufferWouldDoIsAGap) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "source.c",
             std::string(kDeclarations) +
                 "int x; void *f(void *p) { for (int i = 0; i < 20; i++) x = i; return 0; }\n"
                 "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); check(x == 19); }");
  write_file(directory.path() / "store_buffers.c", frontend::store_buffer_source());
  frontend::LoadOptions load;
  load.files = {(directory.path() / "source.c").string(), (directory.path() / "store_buffers.c").string()};
  const program::Program program = frontend::load_program(load, Budget());
  semantics::GoalOptions wanted;
  wanted.checks = program::CheckSet::none();
  const auto goals = semantics::find_goals(program, wanted);
  const Outcome outcome = explore(program, goals, {}, Budget());
  EXPECT_EQ(outcome.answers.at(0).verdict, Verdict::Holds);
  EXPECT_FALSE(outcome.answers.at(0).gaps.empty());
}

}  // namespace
}  // namespace plumb::explore
