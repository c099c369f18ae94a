#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontend/source_types.h"
#include "replay/thread_moments.h"
#include "result/test_case.h"

namespace plumb::replay {

/// A moment of a run with threads, for people.
struct LaneStep {
  std::size_t thread = 0;  ///< from 1, as messages number them
  SourceLocation location;
  std::string function;
  std::string what;       ///< "read", "write", "update", "input", "create", "lock", "waits for", "ends", "fails"
  std::string variable;   ///< "n", "q.head", "thread 2"; empty of what has no name
  std::string value;      ///< "5"; empty where there is none
  std::size_t other = 0;  ///< the thread that is created or joined, from 1
};

/// What the threads of a run notice of each other: accesses to memory that two of them touch and one writes, and calls
/// of the library of threads, and the inputs. `types` are those of the program's variables, `inputs` those that the run
/// asked for. Nothing if one thread was all there was,
/// or threads have store buffers.
std::vector<LaneStep> lanes_of(const program::Program& program, const frontend::SourceTypes& types,
                               const ThreadMoments& moments, std::span<const result::TestInput> inputs);

/// The run ends there with what is wrong, in the thread that did something last.
LaneStep failing_step(const ThreadMoments& moments, const SourceLocation& place, const std::string& function);

}  // namespace plumb::replay
