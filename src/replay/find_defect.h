#pragma once

#include <string_view>

#include "base/error.h"
#include "program/fault.h"
#include "replay/replayer.h"
#include "result/defect/defect.h"

namespace plumb::replay {

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
const result::Defect* find_defect(const Replay& replay, const SoughtDefect& sought);

/// The kind is of an access whose address is wrong: what that is called depends on what lies there.
bool is_wrong_address(std::string_view kind);

/// The same file, named relative to its directory or in full.
bool is_same_file(std::string_view a, std::string_view b);

}  // namespace plumb::replay
