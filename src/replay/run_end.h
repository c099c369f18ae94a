#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumb::replay {

/// How a run of a program ended, as the search, its files and replays know it.
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
  Killed,  ///< by SIGKILL: of the kernel, for its memory, or of nobody knows whom
  FileLimit,
  Corrupted,  ///< what the target wrote into shared memory makes no sense
};
std::string_view name(RunEnd end);  ///< "exit", "assume-failed"
std::optional<RunEnd> run_end(std::string_view name);
bool is_cut(RunEnd end);  ///< there may be more to it

struct Ending {
  RunEnd end = RunEnd::Exit;
  int code = 0;
  bool is_sent = false;  ///< of a Signal: by the program or to it; nothing that the program did wrong caused it
};
/// "exit code 3", "SIGSEGV", "assertion", "out of time".
std::string describe(const Ending& ending);
/// Likewise; what was killed was so by the kernel, for its memory, or by nobody knows whom.
bool is_cut(const Ending& ending);
/// A property of the program does not hold, or the machine refused what it did. Who wants the program to end sends
/// another signal.
bool is_failure(const Ending& ending);
/// A run without instrumentation ended as the traced run had. What fails in another way is the same as long as both are
/// of one class: the properties that the program states, or what the machine refuses (where layout and libc decide
/// about the signal). A run that was cut off, or that ended at a defect, may end in any way now; one that was out of
/// time was cut off again.
bool is_same_end(const Ending& traced, const Ending& plain);

/// The signal says that the program did something wrong, and not that somebody wants it to end.
bool is_crash(int signal);
std::string signal_name(int signal);  ///< "SIGSEGV"

}  // namespace plumb::replay
