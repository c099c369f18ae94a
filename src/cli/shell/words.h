#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumb::cli::shell {

using Words = std::vector<std::string>;

/// The commands of a line, each in words. Commands are separated by `;`, words by blanks; `#` where a word could begin
/// starts a comment. '…' keeps everything in it, "…" all but \" and \\, and a backslash outside of quotes keeps the
/// character behind it. Throws UserError for a quote that is not closed.
std::vector<Words> split_commands(std::string_view line);

}  // namespace plumb::cli::shell
