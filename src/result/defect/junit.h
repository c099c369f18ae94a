#pragma once

#include <string>

#include "result/defect/defect_report.h"
#include "result/defect/source_lines.h"

namespace plumb::result {

/// The report as JUnit's XML, for what collects the results of tests. The first test case is the search itself, skipped
/// if it could not give an answer; then each defect is a failed one, with its report as text, or a skipped one if it is
/// suppressed. Ends in a newline.
std::string to_junit(const DefectReport& report, SourceLines& sources);

}  // namespace plumb::result
