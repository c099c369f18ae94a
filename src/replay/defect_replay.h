#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "program/fault.h"
#include "result/defect/defect.h"

namespace plumb::replay {

/// What a replay of one test showed.
struct DefectReplay {
  /// In the order of the run, each kind and place once, leaks last. Without their test.
  std::vector<result::Defect> defects;
  std::string end;      ///< "exit code 0", "SIGSEGV"
  std::string problem;  ///< why it did not come to its end, so that there may be more to it; else empty
  /// In the interpreter: of each leak, in their order, the number that InterpreterOptions::find_losses takes.
  std::vector<std::uint32_t> leaked;

  /// Unless it is known, or the same access of the same calls was wrong before, in another way; says whether another
  /// one was before it.
  void add(result::Defect defect);
};

/// What the search found, as replays are searched for it.
struct SoughtDefect {
  program::FaultKind kind = program::FaultKind::Abort;
  SourceLocation place;      ///< of its site; file empty: not known
  bool is_in_model = false;  ///< of a library function: replays may have another, or the library's
};

/// The replay's defect that is the same, or null. The same is: of that kind on that line (in that column, if there is
/// a choice), in the innermost code or in the user's that called it. Which code of a library did it does not count. An
/// access that missed its object by far is of whatever kind the memory there makes it: in the same line and column,
/// that is the same.
const result::Defect* find_defect(const DefectReplay& replay, const SoughtDefect& sought);

/// The same file, named relative to its directory or in full.
bool is_same_file(std::string_view a, std::string_view b);

}  // namespace plumb::replay
