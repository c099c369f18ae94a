#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "flatten/flatten.h"
#include "frontend/load.h"
#include "interpret/interpreter.h"
#include "program/goal.h"
#include "semantics/goals.h"
#include "system/graph_run.h"

namespace plumb::flatten {

inline constexpr std::string_view kDeclarations =
    "typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32;\n"
    "extern u8 __VERIFIER_nondet_uchar(void); extern int __VERIFIER_nondet_int(void);\n"
    "extern u32 __VERIFIER_nondet_uint(void); extern char __VERIFIER_nondet_char(void);\n"
    "extern void __VERIFIER_assume(int); extern void reach_error(void); extern void abort(void);\n"
    "extern void exit(int); extern void *malloc(unsigned long); extern void free(void *);\n"
    "#define CHECK(c) do { if (!(c)) reach_error(); } while (0)\n";

inline Program program_of(std::string_view text, program::CheckSet checks = program::CheckSet::defaults()) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "p.c";
  write_file(path, std::string(kDeclarations) + std::string(text));
  frontend::LoadOptions options;
  options.files = {path.string()};
  options.checks = checks;
  return frontend::load_program(options, {});
}

/// A program with its goals and its graph.
struct Subject {
  explicit Subject(Program given, semantics::GoalOptions wanted = {}, Options limits = {})
      : program(std::move(given)),
        goals(semantics::find_goals(program, wanted)),
        flattened(flatten(program, goals, limits, {})) {
    for (const std::string& problem : flattened.graph.problems()) ADD_FAILURE() << problem;
  }
  explicit Subject(std::string_view text, semantics::GoalOptions wanted = {}, Options limits = {})
      : Subject(program_of(text, with_defaults(wanted.checks)), wanted, limits) {}

  static program::CheckSet with_defaults(program::CheckSet checks) {
    program::CheckSet all = program::CheckSet::defaults();
    for (int i = 0; i < program::kCheckCount; ++i)
      if (checks.has(static_cast<program::Check>(i))) all.add(static_cast<program::Check>(i));
    return all;
  }

  Program program;
  std::vector<Goal> goals;
  Flattened flattened;
};

/// How a run ended, for the interpreter and for the graph alike.
struct Ending {
  enum class Kind : std::uint8_t { End, Goal, Limit, Unfinished };
  Kind kind = Kind::End;
  std::size_t goal = 0;             ///< of Goal, or the limit
  std::vector<std::string> inputs;  ///< names, in the order in which they were asked for
  std::vector<bool> covered;        ///< by goal
  std::vector<std::size_t> passed;  ///< limits at which the run went on
};

/// The i-th input of a run.
using Choice = std::function<std::uint64_t(std::size_t i)>;

inline Choice listed(std::vector<std::uint64_t> values) {
  return [=](std::size_t i) { return i < values.size() ? values[i] : 0; };
}
/// Small numbers mostly.
inline Choice random_choice(std::uint32_t seed) {
  return [=](std::size_t i) {
    std::mt19937_64 random(seed * 1000003ULL + i);
    return random() % 3 == 0 ? random() : random() % 10;
  };
}

inline Ending interpret(const Subject& subject, const Choice& choice, std::uint64_t max_instructions = 100'000) {
  interpret::InterpreterOptions options;
  options.arguments = {"program"};
  options.undefined = interpret::UndefinedPolicy::Nondet;
  options.max_instructions = max_instructions;
  Ending ending;
  options.inputs = [&](std::string_view name, std::size_t size) {
    const std::uint64_t value = choice(ending.inputs.size());
    ending.inputs.emplace_back(name);
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i < 8 ? value >> (8 * i) : 0);
    return bytes;
  };
  const interpret::RunResult result = interpret::Interpreter(subject.program).run(options, {});
  using End = interpret::RunResult::End;
  if (result.end == End::OutOfBudget || result.end == End::Unsupported) ending.kind = Ending::Kind::Unfinished;
  for (const program::Fault& fault : result.faults)
    for (std::size_t g = 0; g < subject.goals.size(); ++g) {
      const CodePoint at = fault.kind == program::FaultKind::Leak ? fault.allocated : result.stack.front();
      if (subject.goals[g].at != at || !program::is_violation(subject.goals[g], fault.kind)) continue;
      ending.kind = Ending::Kind::Goal;
      ending.goal = g;
    }
  return ending;
}

/// A run goes on behind it.
inline bool is_passed(const Limit& limit) {
  return limit.kind == Limit::Kind::MissingBody || limit.kind == Limit::Kind::Skipped;
}

inline Ending run_graph(const Subject& subject, const Choice& choice, std::uint64_t max_statements = 100'000) {
  const Flattened& flattened = subject.flattened;
  Ending ending;
  ending.covered.resize(subject.goals.size());
  const auto source = [&](std::size_t input) -> term::Value {
    const Term term = flattened.graph.inputs[input];
    if (!flattened.inputs[input].is_asked) return term::zero_value(flattened.graph.store().sort(term));
    const std::uint32_t width = flattened.graph.store().width(term);
    const std::uint64_t value = choice(ending.inputs.size());
    ending.inputs.push_back(flattened.inputs[input].name);
    if (width <= 64) return BitVector(width, value);
    std::vector<std::uint64_t> words((width + 63) / 64);
    words[0] = value;
    return BitVector::from_words(width, words);
  };
  system::GraphRun run(flattened.graph, source);
  for (std::uint64_t steps = 0; run.step(); ++steps) {
    for (const std::size_t property : run.failed()) {
      if (property >= flattened.cover_property(0)) {
        ending.covered[property - flattened.cover_property(0)] = true;
      } else if (property >= flattened.goal_count && is_passed(flattened.limits[property - flattened.goal_count])) {
        ending.passed.push_back(property - flattened.goal_count);
      } else if (ending.kind == Ending::Kind::End) {
        const bool is_goal = property < flattened.goal_count;
        ending.kind = is_goal ? Ending::Kind::Goal : Ending::Kind::Limit;
        ending.goal = is_goal ? property : property - flattened.goal_count;
      } else {
        ADD_FAILURE() << "a run should violate one property at most";
      }
    }
    if (ending.kind == Ending::Kind::End && steps >= max_statements) {
      ending.kind = Ending::Kind::Unfinished;
      break;
    }
  }
  return ending;
}

/// The graph does what the interpreter does: the same end, the same goal, the same inputs in the same order.
inline Ending expect_same_run(const Subject& subject, const Choice& choice, bool may_be_limited = false) {
  const Ending expected = interpret(subject, choice);
  const Ending found = run_graph(subject, choice);
  if (expected.kind == Ending::Kind::Unfinished || found.kind == Ending::Kind::Unfinished) return found;
  if (may_be_limited && found.kind == Ending::Kind::Limit) return found;
  EXPECT_NE(found.kind, Ending::Kind::Limit) << subject.flattened.limits[found.goal].text;
  EXPECT_EQ(static_cast<int>(expected.kind), static_cast<int>(found.kind));
  if (expected.kind == Ending::Kind::Goal && found.kind == Ending::Kind::Goal) {
    EXPECT_EQ(expected.goal, found.goal);
    EXPECT_TRUE(found.covered[found.goal]);
  }
  // What stands behind a fault in the same block is asked for in the graph alone.
  EXPECT_LE(expected.inputs.size(), found.inputs.size());
  for (std::size_t i = 0; i < std::min(expected.inputs.size(), found.inputs.size()); ++i)
    EXPECT_EQ(expected.inputs[i], found.inputs[i]);
  return found;
}

}  // namespace plumb::flatten
