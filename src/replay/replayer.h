#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "instrument/subject.h"
#include "replay/evidence.h"
#include "replay/run_end.h"
#include "replay/seen_defect.h"
#include "result/defect/defect.h"

namespace plumb::replay {

/// What a replay showed.
struct Replay {
  /// In the order of the run, each kind and place once, leaks last. Without their test.
  std::vector<result::Defect> defects;
  Ending ending;        ///< of the interpreter at a fault: a Defect
  std::string end;      ///< "exit code 0", "SIGSEGV"
  std::string problem;  ///< why it did not come to its end, so that there may be more to it; else empty
  /// In the interpreter: of each leak, in their order, the number that InterpreterOptions::find_losses takes.
  std::vector<std::uint32_t> leaked;
  /// Of a run on a target, whose code knows sites: what it told, all of it, and where it ended.
  std::vector<SeenDefect> seen;
  instrument::SiteId error_site = 0;
  bool lacks_memory = false;                     ///< the target had too little: an allocation may have failed for that
  std::vector<system::Replay::Reached> reached;  ///< of the run of a system

  /// Unless it is known, or the same access of the same calls was wrong before, in another way; says whether another
  /// one was before it.
  void add(result::Defect defect);
  /// With its text, and the problem if it was cut off. `who`: "the program".
  void take(const Ending& how, std::string_view who);
};

/// A way to run evidence again that shares nothing with the engine that found it. Not thread-safe.
class Replayer {
 public:
  virtual ~Replayer() = default;
  virtual std::string_view name() const = 0;  ///< "interpreter", "native run", "checked build", "target"
  /// Evidence that it cannot run is a problem that says why. Throws OutOfBudget, and UserError where the program cannot
  /// be built.
  virtual Replay run(const Evidence& evidence, const Budget& budget) = 0;
};

/// The problem of a replayer that follows neither schedules nor systems; empty if it can run the evidence.
std::string_view problem_of(const Evidence& evidence);

}  // namespace plumb::replay
