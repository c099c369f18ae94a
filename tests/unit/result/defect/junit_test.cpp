#include "result/defect/junit.h"

#include <gtest/gtest.h>

#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

std::string junit(const SampleProgram& program, const std::vector<Defect>& defects, bool is_answer = true) {
  SourceLines sources(program.path());
  DefectReport report = program.report(defects);
  report.is_answer = is_answer;
  return to_junit(report, sources);
}

TEST(Junit, HasAFailureForEachDefectAndASkippedCaseForEachSuppressedOne) {
  const SampleProgram program;
  Defect known = SampleProgram::leak();
  known.suppressed.emplace(SourceLocation{"known.txt", 3, 0}, false, "leak:*");
  const std::string text = junit(program, {SampleProgram::double_free(), known});
  EXPECT_NE(text.find("<testsuites tests=\"3\" failures=\"1\" errors=\"0\" time=\"2.000\">"), std::string::npos)
      << text;
  EXPECT_NE(text.find("skipped=\"1\" time=\"2.000\" timestamp=\"2023-11-14T22:13:20\">"), std::string::npos) << text;
  EXPECT_NE(text.find("name=\"double-free at list.c:4:3 in clear\""), std::string::npos);
  EXPECT_NE(text.find("<failure type=\"double-free\" message=\"second free of a heap object of 20 bytes\">defect: "),
            std::string::npos);
  EXPECT_NE(text.find("\n    #1 clear list.c:4:3\n"), std::string::npos) << "the report keeps its lines";
  EXPECT_NE(text.find("<skipped message=\"suppressed by known.txt:3: leak:*\"/>"), std::string::npos);
}

TEST(Junit, ASearchWithoutAnAnswerIsSkippedNotPassed) {
  const SampleProgram program;
  EXPECT_EQ(junit(program, {}).find("<skipped"), std::string::npos);
  const std::string text = junit(program, {}, false);
  EXPECT_NE(text.find("name=\"search for defects\" time=\"2.000\">\n      <skipped message=\"2 defects found"),
            std::string::npos);
  EXPECT_NE(text.find(" failures=\"0\" errors=\"0\" skipped=\"1\""), std::string::npos);
}

TEST(Junit, EscapesWhatXmlHasNoPlaceFor) {
  const SampleProgram program;
  Defect defect = SampleProgram::bad_index();
  defect.message = "a < b && \"c\" \x01 \xff";
  defect.function = "operator<<";
  const std::string text = junit(program, {defect});
  EXPECT_NE(text.find("message=\"a &lt; b &amp;&amp; &quot;c&quot;   \xef\xbf\xbd\""), std::string::npos) << text;
  EXPECT_NE(text.find("in operator&lt;&lt;\""), std::string::npos);
}

}  // namespace
}  // namespace plumb::result
