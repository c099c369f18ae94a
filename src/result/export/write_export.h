#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "result/export/suite.h"

namespace plumb::result {

/// Tells the files of earlier exports from those of others, by name and content.
using IsOurs = std::function<bool(std::string_view name, std::string_view content)>;

/// Makes `directory` hold exactly these files. They are all written aside first, so that a full disk changes nothing.
/// Throws UserError, before anything is changed, if there is something in the directory that is not ours.
void write_directory(const std::filesystem::path& directory, std::span<const ExportedFile> files,
                     const IsOurs& is_ours);

/// Writes one file, aside and renamed. Throws UserError if there is something at `path` that is not ours.
void write_single(const std::filesystem::path& path, std::string_view content, const IsOurs& is_ours);

}  // namespace plumb::result
