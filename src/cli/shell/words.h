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

/// The name that is closest to `word`, if one is close enough to be meant. Empty otherwise.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace plumb::cli::shell
