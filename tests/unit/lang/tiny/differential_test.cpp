#include "unit/lang/tiny/differential.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "unit/lang/tiny/random_program.h"

namespace plumb::tiny {
namespace {

constexpr std::uint64_t kMaxStatements = 4'000;
constexpr std::size_t kMaxSteps = 40'000;

/// How many programs; PLUMB_TINY_PROGRAMS sets it for longer runs, PLUMB_TINY_SEED where they begin.
std::uint64_t setting(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

Options random_options(std::mt19937_64& random) {
  const auto chance = [&](std::uint64_t percent) { return random() % 100 < percent; };
  Options options;
  options.int_width = static_cast<std::uint32_t>(2 + random() % 4);
  options.is_signed = chance(40);
  const std::uint64_t greatest = (std::uint64_t{1} << (options.int_width - (options.is_signed ? 1 : 0))) - 1;
  options.array_size = 2 + random() % std::min<std::uint64_t>(4, greatest);
  options.stack_size = 2 + random() % 4;
  if (options.int_width == 2) options.stack_size = 2;
  if (chance(25)) {
    options.check_index = chance(50);
    options.check_overflow = chance(50);
    options.check_division = chance(50);
    options.check_recursion = chance(50);
  }
  options.unroll_quantifiers = chance(60);
  options.encoding.steps =
      chance(60) ? system::EncodingOptions::Steps::Block : system::EncodingOptions::Steps::Statement;
  options.encoding.share_registers = chance(50);
  return options;
}

std::string describe(const Options& o) {
  return fmt::format(
      "-b {}{} --array {} --stack {} index {} overflow {} division {} recursion {} unroll {} {} share {}", o.int_width,
      o.is_signed ? " --signed" : "", o.max_array_size(), o.max_stack_size(), o.check_index, o.check_overflow,
      o.check_division, o.check_recursion, o.unroll_quantifiers,
      o.encoding.steps == system::EncodingOptions::Steps::Block ? "block" : "statement", o.encoding.share_registers);
}

struct Sample {
  std::string text;
  Options options;
  bool observes_all = false;
  std::string description;
};

Sample random_sample(std::uint64_t seed, RandomProgram::Shape shape) {
  std::mt19937_64 random(seed * 7919 + 1);
  Sample sample;
  sample.options = random_options(random);
  shape.int_width = sample.options.int_width;
  shape.is_signed = sample.options.is_signed;
  shape.array_size = sample.options.max_array_size();
  sample.observes_all = shape.observes_all;
  sample.text = RandomProgram(seed, shape).make();
  sample.description = fmt::format("seed {}, {}\n{}", seed, describe(sample.options), sample.text);
  return sample;
}

/// Counts what the runs of a test were like: a comparison of runs that show nothing proves nothing.
struct Tally {
  std::uint64_t runs = 0;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  std::uint64_t unended = 0;
};

/// The first difference between runs of the subject and of the program; empty if there is none.
std::string compare_random_runs(const Sample& sample, std::uint64_t seed, int runs, Tally& tally) {
  const Subject subject = make_subject(sample.text, "t.tiny", sample.options);
  SystemRunner runner(subject);
  std::mt19937_64 random(seed);
  for (int run = 0; run < runs; ++run) {
    const SystemRecord system = runner.run(runner.random_initial(random), random, kMaxSteps);
    const InterpreterRecord interpreter =
        interpret_all(subject.program, subject.options, choices_of(subject, system.trace), kMaxStatements);
    ++tally.runs;
    const Outcome::End end = interpreter.outcome.end;
    if (end == Outcome::End::OutOfSteps) {
      ++tally.unended;
      continue;
    }
    std::string found = difference(system, interpreter);
    const bool has_all_values = sample.observes_all && !sample.options.encoding.share_registers;
    if (end == Outcome::End::Finished && has_all_values) found += value_difference(subject, system, interpreter);
    if (!found.empty()) return found;
    if (end == Outcome::End::Finished) ++tally.finished;
    if (!interpreter.failures.empty()) ++tally.failed;
  }
  return "";
}

TEST(Differential, SystemFailsWhereAndEndsAsTheProgramDoes) {
  const std::uint64_t first = setting("PLUMB_TINY_SEED", 1);
  const std::uint64_t count = setting("PLUMB_TINY_PROGRAMS", 400);
  Tally tally;
  std::uint64_t unsupported = 0;
  for (std::uint64_t seed = first, differences = 0; seed < first + count && differences < 5; ++seed) {
    RandomProgram::Shape shape;
    shape.observes_all = seed % 3 == 0;
    shape.statements = 4 + static_cast<std::uint32_t>(seed % 8);
    const Sample sample = random_sample(seed, shape);
    std::string found;
    try {
      found = compare_random_runs(sample, seed, 4, tally);
    } catch (const Unsupported&) {
      ++unsupported;
    } catch (const std::exception& error) {
      found = error.what();
    }
    EXPECT_EQ(found, "") << sample.description;
    if (!found.empty()) ++differences;
  }
  EXPECT_GT(tally.finished, tally.runs / 4);
  EXPECT_GT(tally.failed, tally.runs / 4);
  EXPECT_LT(tally.unended, tally.runs / 20 + 1);
  EXPECT_LT(unsupported, count / 20 + 1);
}

/// Nothing if the program has what rho refuses by name.
std::optional<Subject> make_supported_subject(const Sample& sample) {
  try {
    return make_subject(sample.text, "t.tiny", sample.options);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

TEST(Differential, CircuitHasTheBadsOfTheSystemInEveryStep) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomProgram::Shape shape;
    shape.statements = 5;
    shape.input_bits = 30;
    const Sample sample = random_sample(seed + 1'000'000, shape);
    const std::optional<Subject> made = make_supported_subject(sample);
    if (!made) continue;
    ++compared;
    const Subject& subject = *made;
    SystemRunner runner(subject);
    std::mt19937_64 random(seed);
    const SystemRecord record = runner.run(runner.random_initial(random), random, 200);
    ASSERT_EQ(circuit_difference(subject, record.trace), "") << sample.description;
  }
  EXPECT_GT(compared, 50);
}

/// All values of the inputs that the interpreter asks for, bit by bit, as digits of `assignment`.
class EnumeratedChoices {
 public:
  EnumeratedChoices(const Program& program, const Options& options) {
    for (const Variable& variable : program.variables) {
      const bool is_input = variable.kind == Variable::Kind::Parameter
                                ? variable.function == program.entry
                                : variable.kind == Variable::Kind::Global && variable.definition == nullptr;
      if (!is_input) continue;
      std::uint64_t elements = 1;
      for (const auto& size : variable.dimensions) elements *= size.value_or(options.max_array_size());
      const std::uint32_t width = variable.type == Type::Bool ? 1 : options.int_width;
      places_[variable.unique_name] = {bits_, width};
      bits_ += static_cast<std::uint32_t>(elements) * width;
    }
  }

  std::uint32_t bits() const { return bits_; }
  Choices of(std::uint64_t assignment) const {
    return [this, assignment](const std::string& name, std::uint64_t, std::uint64_t element) -> std::uint64_t {
      const auto found = places_.find(name);
      if (found == places_.end()) return 0;
      const auto [first, width] = found->second;
      return (assignment >> (first + element * width)) & ((std::uint64_t{1} << width) - 1);
    };
  }

 private:
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> places_;
  std::uint32_t bits_ = 0;
};

TEST(Differential, SystemFailsOnExactlyTheInputsOnWhichTheProgramDoes) {
  const std::uint64_t first = setting("PLUMB_TINY_SEED", 1);
  const std::uint64_t count = setting("PLUMB_TINY_PROGRAMS", 400) / 5;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    RandomProgram::Shape shape;
    shape.input_bits = 9;
    shape.has_choices = false;
    const Sample sample = random_sample(seed + 2'000'000, shape);
    const std::optional<Subject> made = make_supported_subject(sample);
    if (!made) continue;
    ++compared;
    const Subject& subject = *made;
    const EnumeratedChoices choices(subject.program, subject.options);
    ASSERT_LE(choices.bits(), 9U);
    SystemRunner runner(subject);
    std::mt19937_64 random(seed);
    for (std::uint64_t assignment = 0; assignment < std::uint64_t{1} << choices.bits(); ++assignment) {
      const InterpreterRecord interpreter =
          interpret_all(subject.program, subject.options, choices.of(assignment), kMaxStatements);
      if (interpreter.outcome.end == Outcome::End::OutOfSteps) continue;
      const SystemRecord system = runner.run(runner.initial_of(choices.of(assignment)), random, kMaxSteps);
      ASSERT_EQ(difference(system, interpreter), "") << assignment << "\n" << sample.description;
    }
  }
  EXPECT_GT(compared, count * 9 / 10);
}

}  // namespace
}  // namespace plumb::tiny
