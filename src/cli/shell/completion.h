#pragma once

#include <string>
#include <vector>

#include "cli/shell/line_editor.h"
#include "cli/shell/session.h"

namespace plumb::cli::shell {

/// What can be typed at the end of `before`, where `word` has been begun: names of commands, their options, files,
/// commands of ABC, variables of the simulation, settings, formats.
Completions completions(const Session& session, const std::string& before, const std::string& word);

}  // namespace plumb::cli::shell
