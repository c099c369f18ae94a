#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/tiny/interpret/interpreter.h"
#include "system/trace.h"

namespace plumb::tiny {

/// A Tiny program on its way to the engines: source, graph and system, tied together.
struct Subject {
  Options options;
  Program program;
  std::vector<Warning> warnings;
  Lowered lowered;
  system::Encoding encoding;

  const system::System& system() const noexcept { return encoding.system; }
  /// Positions in System::bads() of what is to be proved: all but the cover, the termination bound last.
  std::vector<std::size_t> properties() const;
  std::string property_name(std::size_t bad) const;
};

/// Parses, checks, applies rho, lowers and encodes. Throws Mistakes.
Subject make_subject(std::string_view text, const std::string& file, const Options& options);

/// A counterexample in the words of the program.
struct Counterexample {
  std::size_t step = 0;  ///< of the system, in which the bad is reached
  Failure failure;
  std::vector<VariableValue> inputs;  ///< the free variables as the run starts, in the order of their declarations
  Outcome outcome;                    ///< the run of the interpreter
};

/// Replays a trace that reaches `bad` on the system, then by the interpreter on the source with the same choices.
/// Throws InternalError if the two do not fail in the same way: then one of rho, the graph or the interpreter is wrong
/// and nothing must be reported. For the termination bound the interpreter has no steps; the system's replay alone
/// counts.
Counterexample explain(const Subject& subject, std::size_t bad, const system::Trace& trace);

/// What the interpreter is given in a run of the system: the values of inputs at the start and of choices on the way.
Choices choices_of(const Subject& subject, const system::Trace& trace);

}  // namespace plumb::tiny
