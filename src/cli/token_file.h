#pragma once

#include <filesystem>
#include <string>

namespace plumb::cli {

/// The secret that boards and the server share: the line that the file has, without its end. Throws UserError if there
/// is more than one, or if it is too short or too long; warns if others can read the file.
std::string read_token(const std::filesystem::path& file);

}  // namespace plumb::cli
