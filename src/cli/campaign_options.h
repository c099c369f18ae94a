#pragma once

#include <map>
#include <string>

#include "cli/command.h"
#include "instrument/symbolic_environment.h"

namespace plumb::cli {

/// The options that a campaign goes on with, by name, as JSON: the words that the command line gave them. Not those of
/// one session: where results go, how long it takes, what is said.
std::map<std::string, std::string> words_of(const CLI::App& command);
/// Sets the options that the command line did not give to what `stored` has. Words that an option does not take any
/// more are a UserError.
void restore_words(CLI::App& command, const std::map<std::string, std::string>& stored);

/// Under these names the command, the symbolic environment and the checks stand among a campaign's options.
inline constexpr const char* kCommandWord = "command";
inline constexpr const char* kEnvironmentWord = "environment";
inline constexpr const char* kChecksWord = "checks";
std::string to_json(const instrument::SymbolicEnvironment& environment);
/// Throws UserError if the text is none of to_json().
instrument::SymbolicEnvironment environment_from_json(const std::string& text);

}  // namespace plumb::cli
