#include "result/defect/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "result/defect/defect_kinds.h"
#include "result/defect/defect_text.h"
#include "result/xml_text.h"

namespace plumb::result {
namespace {

/// Text of an element, with its lines.
std::string xml_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += xml_text(text.substr(0, end));
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string case_head(const Defect& defect) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">\n",
                     xml_text(defect.place.file.empty() ? "?" : defect.place.file),
                     xml_text(fmt::format("{} at {} in {}", defect.kind, defect.place.to_string(),
                                          defect.function.empty() ? "?" : defect.function)));
}

std::string defect_case(const Defect& defect, SourceLines& sources) {
  std::string text = case_head(defect);
  if (defect.suppressed) {
    const Suppression& by = *defect.suppressed;
    text += fmt::format("      <skipped message=\"{}\"/>\n",
                        xml_text(fmt::format("suppressed by {}: {}", by.by.to_string(), by.text)));
  } else {
    text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", xml_text(defect.kind),
                        xml_text(defect.message), xml_lines(to_text(defect, sources)));
  }
  return text + "    </testcase>\n";
}

std::string search_case(const DefectReport& report, const std::string& name, double seconds) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"search for defects\" time=\"{:.3f}\">\n", name, seconds);
  if (!report.is_answer) text += fmt::format("      <skipped message=\"{}\"/>\n", xml_text(report.reason));
  std::string said = report.reason + "\n";
  for (const std::string& note : report.notes) said += fmt::format("note: {}\n", note);
  return text + fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", xml_lines(said));
}

}  // namespace

std::string to_junit(const DefectReport& report, SourceLines& sources) {
  const auto skipped = static_cast<std::size_t>(
      std::ranges::count_if(report.defects, [](const Defect& defect) { return defect.suppressed.has_value(); }));
  const double seconds = std::chrono::duration<double>(report.end - report.begin).count();
  const std::string name = xml_text(report.program.empty() ? "?" : report.program.front());
  // The time of day without its zone is what the format has.
  const std::string time = utc_text(report.begin).substr(0, 19);
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", report.defects.size() + 1,
                                         report.defects.size() - skipped);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {} time=\"{:.3f}\">\n"
      "  <testsuite name=\"plumb test {}\" {} skipped=\"{}\" time=\"{:.3f}\" timestamp=\"{}\">\n",
      counts, seconds, name, counts, skipped + (report.is_answer ? 0 : 1), seconds, time);
  text += search_case(report, name, seconds);
  for (const Defect& defect : report.defects) text += defect_case(defect, sources);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace plumb::result
