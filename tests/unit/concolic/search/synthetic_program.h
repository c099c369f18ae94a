#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "concolic/search/target.h"

namespace plumb::concolic {

/// A small program over byte variables that makes its traces itself: no compiler, no process.
struct Statement {
  enum class Kind : std::uint8_t {
    Read,    ///< variable = next input, masked
    Add,     ///< variable = other + constant
    Xor,     ///< variable = variable ^ other
    Set,     ///< variable = constant
    If,      ///< condition; first, second
    While,   ///< condition; first; at most `trips` times
    Region,  ///< first (Add, Xor, Set, If, Access), left by the condition to `second` (true) or `third`
    Check,   ///< condition
    Assume,  ///< condition
    Access,  ///< condition; a defect if it does not hold, and then `other` is 0 and the run goes on
    Error,
    Pin,  ///< variable becomes its concrete value
  };
  enum class Compare : std::uint8_t { Equal, Less };

  Kind kind = Kind::Error;
  std::uint32_t variable = 0;
  std::uint32_t other = 0;
  std::uint8_t constant = 0;
  Compare compare = Compare::Equal;  ///< of `variable` with `constant`
  SiteId site = 0;
  std::uint32_t region = 0;
  std::uint32_t trips = 3;
  std::vector<Statement> first = {};
  std::vector<Statement> second = {};
  std::vector<Statement> third = {};
};
using Statements = std::vector<Statement>;

struct SyntheticProgram {
  Statements body;
  std::uint32_t variables = 4;
  std::uint32_t max_reads = 4;  ///< reads beyond give 0
  std::uint8_t mask = 7;        ///< of inputs
  Subject subject;              ///< sites, regions and a skeleton of the code; made by finish()

  /// Numbers sites and regions, and makes the subject.
  void finish();
};

struct RandomShape {
  bool has_regions = true;
  bool has_checks = true;  ///< also assumptions and errors
  bool has_accesses = false;
  std::uint32_t max_reads = 4;
};
SyntheticProgram random_program(std::mt19937& random, const RandomShape& shape);

/// What a run does, by a plain interpreter that knows no terms.
struct ConcreteRun {
  std::vector<std::uint8_t> coverage;
  RunEnd end = RunEnd::Exit;
  SiteId error_site = 0;
  std::set<SiteId> defects;
};
ConcreteRun run_concretely(const SyntheticProgram& program, const std::vector<std::uint8_t>& inputs);

/// Of all inputs: edges of runs whose assumptions hold, and the sites of errors and defects.
struct Oracle {
  std::vector<std::uint8_t> covered;
  std::set<SiteId> errors;
  std::set<SiteId> defects;
};
Oracle enumerate_inputs(const SyntheticProgram& program);

/// What a SyntheticTarget was asked and how it shall misbehave; shared by the targets of all workers.
struct SyntheticLog {
  std::vector<std::uint64_t> paths;  ///< last prefix of each run, by one worker
  std::vector<std::uint8_t> fill;    ///< for inputs that are not given: by index; 0 beyond
  std::uint64_t lie_every = 0;       ///< each such run has another first input than it says
  std::uint64_t terms_a_visit = 10;  ///< of a region, as told to the cost model
  std::uint64_t runs = 0;
  std::uint64_t resets = 0;
  bool keeps_paths = true;  ///< off for several workers
};

std::unique_ptr<Target> make_synthetic_target(const SyntheticProgram& program, SyntheticLog& log);

}  // namespace plumb::concolic
