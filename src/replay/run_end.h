#pragma once

#include <cstdint>
#include <string_view>

namespace plumb::replay {

/// How a traced run of an instrumented program ended, as the search and its files know it.
enum class RunEnd : std::uint8_t {
  Exit,  ///< code: the exit code
  AssumeFailed,
  InputLimit,
  DepthLimit,
  StreamLimit,
  MissingCode,  ///< a function is called that the program as it was linked does not have
  Error,        ///< an error record; code: enum plumb_error
  Signal,       ///< code: the signal's number
  /// The runtime ended it at a defect (it does inside of a region that is recorded); code: enum plumb_defect. Defects
  /// of runs that went on are told apart from how the run ends.
  Defect,
  Timeout,
  MemoryLimit,  ///< killed by the kernel, or a fatal allocation failure seen
  FileLimit,
  Corrupted,  ///< what the target wrote into shared memory makes no sense
};
std::string_view name(RunEnd end);  ///< "exit", "assume-failed"

}  // namespace plumb::replay
