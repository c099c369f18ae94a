#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "program/goal.h"
#include "program/program.h"
#include "result/gap.h"
#include "system/control_graph.h"

namespace plumb::flatten {

using program::CodePoint;
using program::Goal;
using program::Program;
using system::ControlGraph;
using term::Term;

struct Options {
  std::uint32_t heap_objects = 8;        ///< of malloc and its like, alive or dead, in a run
  std::uint64_t heap_object_size = 256;  ///< in bytes, of one whose size is not known in advance
  std::uint32_t stack_depth = 32;        ///< open calls of the functions that call each other
  std::size_t max_statements = 100'000;  ///< of the graph; more is Unsupported
  std::uint64_t max_bytes = 1U << 20;    ///< of all objects that are written
  std::uint32_t max_copied = 20'000;     ///< instructions of all copies of functions together; see instances.h
};

/// A bound or a gap of the graph. Where one can be reached, nothing is proved of what stands behind it. A run that
/// comes there ends there, but for MissingBody and Skipped.
struct Limit {
  enum class Kind : std::uint8_t { Heap, ObjectSize, Stack, Unsupported, Mismatch, MissingBody, Pinned, Skipped };
  Kind kind = Kind::Unsupported;
  CodePoint at;
  std::string text;  ///< "more than 8 heap objects (--heap)", "floating point arithmetic"
};
/// What kind of gap it is; nothing if it is a bound.
std::optional<result::GapKind> gap_kind(Limit::Kind kind);

/// A program as a control graph: loops stay loops, calls are inlined or jumps with a return label, memory is variables.
/// Runs end where the program ends, at the first fault, where an assumption does not hold, and at limits.
struct Flattened {
  /// Properties: the goals in the order given, then the limits, then for each goal its cover, which fails when control
  /// comes to where the goal is decided: a goal that holds and whose cover holds too is vacuous.
  ControlGraph graph;
  std::size_t goal_count = 0;
  std::vector<Limit> limits;
  std::size_t limit_property(std::size_t limit) const { return goal_count + limit; }
  std::size_t cover_property(std::size_t goal) const { return goal_count + limits.size() + goal; }

  struct Input {
    CodePoint at;
    std::string name;      ///< as Intrinsic::Nondet and MakeSymbolic name it
    bool is_asked = true;  ///< an input of the program; else a value that it never set
  };
  std::vector<Input> inputs;  ///< by position in ControlGraph::inputs
  /// By position in ControlGraph::variables: the variable of the source, and where it is declared, for invariants.
  struct Source {
    std::string name;                               ///< "x", "a" (an array), "p.next"; empty: none
    program::FunctionId function = program::kNone;  ///< kNone: a global
    bool is_signed = true;
    program::ValueId value = program::kNone;  ///< the SSA value that it holds; kNone: it is memory, or made up here
  };
  std::vector<Source> sources;
  std::vector<std::string> assumptions;  ///< a sentence each: what was taken for granted
  /// Of an object with bytes that the program does not set, by the statement that does it, in their order there.
  struct Creation {
    struct Bytes {
      std::uint64_t offset = 0;
      Term value;  ///< the first byte in the lowest bits
    };
    std::string site;
    Term happens;
    std::vector<Bytes> unset;
  };
  std::map<ControlGraph::Label, std::vector<Creation>> creations;  ///< terms are over variables and inputs, as there
};

/// Throws OutOfBudget; UserError if the program has no entry. What cannot be expressed is a limit of kind Unsupported
/// with the cause in its text, never left out. `goals` may be any; a fault of another kind ends the run.
Flattened flatten(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget);

}  // namespace plumb::flatten
