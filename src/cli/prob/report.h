#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "chain/check.h"
#include "result/report.h"

namespace plumb::cli::prob {

using Constants = std::map<std::string, std::string>;

/// A property as the user wrote it.
struct Question {
  std::string name;  ///< may be empty
  std::string text;
  SourceLocation location;

  const std::string& title() const noexcept { return name.empty() ? text : name; }
};

/// What became of a question for one combination of constants. Without a result, `failure` tells why.
struct Reply {
  std::size_t question = 0;
  std::size_t combination = 0;
  std::optional<std::size_t> chain;  ///< that it was asked of
  std::optional<chain::PropertyResult> result;
  std::string failure;                     ///< "out of time", or the message of an error
  std::optional<UserError> error;          ///< that was the failure
  std::vector<result::WrittenFile> files;  ///< what was written
};

/// A chain that was built, or that could not be; shared by the combinations that differ only in what properties use.
struct BuiltChain {
  std::string kind;
  Constants constants;  ///< of the first of its combinations
  chain::BuildReport report;
  std::vector<std::string> left_out;  ///< modules that no property sees
  std::string failure;                ///< why building stopped; the report has what was reached
};

/// All that a run found; text, object and table are made of this alone.
struct ExperimentReport {
  std::vector<std::string> inputs;
  std::vector<std::string> names;   ///< of the constants that were given, in the order of the command line
  std::vector<std::string> varied;  ///< those with several values
  std::vector<Constants> combinations;
  std::vector<Question> questions;
  std::vector<BuiltChain> chains;
  std::vector<std::optional<std::size_t>> chain_of;  ///< by combination
  std::vector<Reply> answers;                        ///< by combination, then by question
  std::vector<std::string> notes;
  std::vector<result::WrittenFile> files;
  std::optional<UserError> failure;  ///< a file that could not be written
  double seconds = 0;
  std::uint64_t peak_memory = 0;

  bool is_experiment() const noexcept { return combinations.size() > 1; }
};

/// Answered (a number), Holds, Violated, Unknown, Error.
result::Conclusion conclusion(const Reply& answer);
/// The worst over all; Unknown also where a part failed.
result::Conclusion conclusion(const ExperimentReport& report);

/// Without repetition: what was done to the model so that it has an answer, and remarks on the run and its results.
std::vector<std::string> all_assumptions(const ExperimentReport& report);
std::vector<std::string> all_notes(const ExperimentReport& report);

std::string to_text(const ExperimentReport& report, bool is_verbose);
result::Report to_report(const ExperimentReport& report);
/// A line a result, with a head.
std::string to_csv(const ExperimentReport& report);

}  // namespace plumb::cli::prob
