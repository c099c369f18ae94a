#pragma once

#include <span>

#include "cli/command.h"
#include "cli/defect_files.h"
#include "cli/replay/checked.h"
#include "cli/serve/board_link.h"
#include "instrument/board_program.h"
#include "result/campaign/campaign_store.h"

namespace plumb::cli {

/// Runs each test on a target, which tells of every defect that a run has. What one run shows and another of the same
/// test does not is a note.
CheckedOutcome replay_on_board(const instrument::BoardProgram& program, BoardLink& link,
                               std::span<const result::StoredTest> tests, DefectFiles& files, const Context& context);

}  // namespace plumb::cli
