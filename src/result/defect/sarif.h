#pragma once

#include <string>

#include "result/defect/defect_report.h"
#include "result/defect/source_lines.h"

namespace plumb::result {

/// The report in SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS: a rule for each kind of defect
/// that there is; each defect a result with its call stack, a code flow from allocation to access, related locations,
/// a fingerprint that stays when lines move, and suppressions. Files below the report's directory are relative to
/// %SRCROOT%. Ends in a newline.
std::string to_sarif(const DefectReport& report, SourceLines& sources);

}  // namespace plumb::result
