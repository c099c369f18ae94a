#pragma once

#include <ctime>
#include <span>
#include <string>
#include <string_view>

#include "result/export/suite.h"

namespace plumb::result {

/// The files as one zip archive (PKWARE's APPNOTE 6.3, without compression and without the extensions for more than
/// 65,535 files or 4 GiB; throws UserError if those were needed). Names are UTF-8. `time`: of all files, as UTC.
std::string zip_archive(std::span<const ExportedFile> files, std::time_t time, std::string_view comment);

/// The comment at the end of an archive; empty if the bytes end in none.
std::string_view zip_comment(std::string_view archive);

/// As zip and many others have it: reflected polynomial 0xedb88320.
std::uint32_t crc32(std::string_view bytes);

}  // namespace plumb::result
