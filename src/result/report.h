#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "result/conclusion.h"
#include "result/finding.h"
#include "result/gap.h"

namespace plumb::result {

/// Of the shape that docs/result.schema.json describes.
inline constexpr std::string_view kReportVersion = "2.0";

/// A file that a run has written.
struct WrittenFile {
  std::string kind;  ///< "waveform", "witness", "table", …
  std::string path;
};

/// The one result of a command, of which its JSON object is made: what every command says is a member, what only some
/// say is a part by name ("properties", "defects", "stats"; docs/result-schema.md has them all).
class Report {
 public:
  Report(std::string_view command, std::vector<std::string> inputs);
  ~Report();
  Report(Report&& other) noexcept;
  Report& operator=(Report&& other) noexcept;

  std::string command;
  std::vector<std::string> inputs;  ///< files, as given
  Conclusion conclusion = Conclusion::Unknown;
  std::string reason;   ///< of the conclusion, one sentence; may be empty
  std::string stopped;  ///< why the run ended before it had an answer: "out of time"; empty if it did not
  std::vector<UserError> errors;
  std::vector<std::string> assumptions;  ///< what the answer rests on, a sentence each
  std::vector<Gap> gaps;                 ///< what was not followed exactly
  std::vector<std::string> notes;        ///< remarks that do not change what the answer means
  std::vector<WrittenFile> files;        ///< of the whole; those of a property are in its object

  /// A part, null as long as nothing was put there. Any text in it must be UTF-8 (utf8()).
  nlohmann::ordered_json& operator[](std::string_view part);

 private:
  friend nlohmann::ordered_json to_json(const Report& report);
  std::unique_ptr<nlohmann::ordered_json> parts_;
};

/// The whole object. Parts stand in the order in which they were put in, "stats" last.
nlohmann::ordered_json to_json(const Report& report);
/// {"plumb": …, "command": …, "inputs": …}: the head of the object, and of files that a later run reads.
nlohmann::ordered_json report_head(std::string_view command, const std::vector<std::string>& inputs);
/// "gap: …", "assumption: …" and "note: …", a line each.
std::string remarks_text(const std::vector<Gap>& gaps, const std::vector<std::string>& assumptions,
                         const std::vector<std::string>& notes);
/// "  waveform: run/p.vcd", a line each.
std::string files_text(const std::vector<WrittenFile>& files);

// For parts.
nlohmann::ordered_json to_json(const std::vector<std::string>& texts);
nlohmann::ordered_json to_json(const std::vector<WrittenFile>& files);
nlohmann::ordered_json to_json(const std::vector<Gap>& gaps);
nlohmann::ordered_json to_json(const Finding& finding);  ///< as one of "engines"
nlohmann::ordered_json to_json(const UserError& error);

}  // namespace plumb::result
