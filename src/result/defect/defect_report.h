#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "result/defect/defect.h"

namespace plumb::result {

/// All that reports for other tools are made of: the defects of a run, and what run it was.
struct DefectReport {
  std::span<const Defect> defects;     ///< suppressed ones too
  std::string version;                 ///< of plumb
  std::vector<std::string> arguments;  ///< of the command, from "test" on
  std::vector<std::string> program;    ///< files that were tested
  std::filesystem::path directory;     ///< absolute: that the names of places are relative to
  std::chrono::system_clock::time_point begin;
  std::chrono::system_clock::time_point end;
  std::string reason;     ///< the verdict in a sentence
  bool is_answer = true;  ///< false: the run ended before it could say more
  int exit_code = 0;
  std::vector<std::string> notes;  ///< what limits the answer
};

/// "2024-05-01T12:30:00Z".
std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace plumb::result
