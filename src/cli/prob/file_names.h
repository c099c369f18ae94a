#pragma once

#include <string>
#include <string_view>

#include "cli/prob/report.h"

namespace plumb::cli::prob {

/// A name that every file system takes: letters, digits, and others as underscores.
std::string plain_name(std::string_view text);

/// A question in a file's name: its own name, or "property0" (a number as --property takes) where it has none that is
/// its alone.
std::string file_name(const ExperimentReport& report, std::size_t question);

/// `file` with the name in front of its suffix: "a.svg" and "loss" give "a-loss.svg".
std::string with_name(const std::string& file, std::string_view name);

}  // namespace plumb::cli::prob
