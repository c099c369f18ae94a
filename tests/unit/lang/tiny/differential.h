#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lang/tiny/subject.h"
#include "system/simulator.h"

namespace plumb::tiny {

/// What fails in a run, as both the interpreter and the system can say it.
struct FailedCheck {
  std::string kind;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const FailedCheck&, const FailedCheck&) = default;
};

/// A run of the interpreter that goes on behind failures.
struct InterpreterRecord {
  std::vector<FailedCheck> failures;  ///< each once, in the order of the first times
  Outcome outcome;
};
InterpreterRecord interpret_all(const Program& program, const Options& options, const Choices& choices,
                                std::uint64_t statements);

struct SystemRecord {
  std::vector<std::set<FailedCheck>> failures;  ///< by step
  bool has_ended = false;
  bool is_covered = false;  ///< the end was reached under the precondition
  system::Trace trace;
  std::vector<std::optional<system::Value>> registers;  ///< by variable of the graph, in the last step
};

/// A subject's system with what the comparison asks for as wires, to be run many times.
class SystemRunner {
 public:
  explicit SystemRunner(const Subject& subject);

  /// From the given initial values, with random inputs; at most `steps` steps.
  SystemRecord run(std::vector<std::optional<system::Value>> initial, std::mt19937_64& random, std::size_t steps);
  /// Of all states without init.
  std::vector<std::optional<system::Value>> random_initial(std::mt19937_64& random) const;
  /// With the values that `choices` has for the program's inputs, and zero otherwise.
  std::vector<std::optional<system::Value>> initial_of(const Choices& choices) const;

 private:
  void look(SystemRecord& record);

  const Subject& subject_;
  system::System system_;
  term::Term at_end_;
  std::vector<term::Term> fails_;  ///< by check site
  std::optional<system::Simulator> simulator_;
};

/// What differs between a run of the system and one of the interpreter, in a sentence; empty if nothing does.
std::string difference(const SystemRecord& system, const InterpreterRecord& interpreter);
/// The same for the values of globals behind a run that finished, in a program whose properties depend on all of them
/// (what no property depends on need not have its value in the system) and without shared registers.
std::string value_difference(const Subject& subject, const SystemRecord& system, const InterpreterRecord& interpreter);
/// The first step in which the subject's circuit and the system's replay have different bads; nothing if none.
std::string circuit_difference(const Subject& subject, const system::Trace& trace);

}  // namespace plumb::tiny
