#include "result/defect/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "result/defect/defect_kinds.h"
#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

nlohmann::json run_of(const SampleProgram& program, const std::vector<Defect>& defects) {
  SourceLines sources(program.path());
  nlohmann::json log = nlohmann::json::parse(to_sarif(program.report(defects), sources));
  EXPECT_EQ(log["version"], "2.1.0");
  return log["runs"].at(0);
}

TEST(Sarif, HasARuleWithHelpForEachKindAndResultsPointToThem) {
  const SampleProgram program;
  const nlohmann::json run = run_of(program, {SampleProgram::double_free(), SampleProgram::leak()});
  const nlohmann::json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.size(), defect_kinds().size());
  for (const nlohmann::json& result : run["results"])
    EXPECT_EQ(rules.at(result["ruleIndex"].get<std::size_t>())["id"], result["ruleId"]);
  for (const nlohmann::json& rule : rules) EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][1]["level"], "warning");
}

TEST(Sarif, PlacesAreRelativeUrisWithColumnsInCharacters) {
  const SampleProgram program;
  const nlohmann::json run = run_of(program, {SampleProgram::bad_index()});
  const nlohmann::json& place = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "main%20file.c");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "SRCROOT");
  EXPECT_EQ(place["region"]["startLine"], 2);
  EXPECT_EQ(place["region"]["startColumn"], 36);
  EXPECT_EQ(place["region"]["snippet"]["text"], "a[7] = 1; return *s; }");
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  const nlohmann::json& artifact = run["artifacts"].at(place["artifactLocation"]["index"].get<std::size_t>());
  EXPECT_EQ(artifact["location"]["uri"], "main%20file.c");
  const std::string root = run["originalUriBaseIds"]["SRCROOT"]["uri"];
  EXPECT_TRUE(root.starts_with("file:///") && root.ends_with('/')) << root;
}

TEST(Sarif, FilesElsewhereHaveFullUris) {
  const SampleProgram program;
  Defect defect = SampleProgram::bad_index();
  for (const auto& [name, uri] :
       {std::pair{"/usr/include/x.h", "file:///usr/include/x.h"}, std::pair{"/a%b.c", "file:///a%25b.c"}}) {
    defect.place.file = name;
    const nlohmann::json run = run_of(program, {defect});
    const nlohmann::json& file = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    EXPECT_EQ(file["uri"], uri);
    EXPECT_FALSE(file.contains("uriBaseId"));
  }
  defect.place.file = "../x.c";
  const nlohmann::json run = run_of(program, {defect});
  const std::string uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  EXPECT_TRUE(uri.starts_with("file:///") && uri.ends_with("/x.c") && uri.find("..") == std::string::npos) << uri;
}

TEST(Sarif, HasStacksCodeFlowAndRelatedLocationsOfAllocationAndFree) {
  const SampleProgram program;
  const nlohmann::json run = run_of(program, {SampleProgram::double_free()});
  const nlohmann::json& result = run["results"][0];
  ASSERT_EQ(result["stacks"].size(), 3U);
  EXPECT_EQ(result["stacks"][0]["frames"].size(), 3U);
  EXPECT_FALSE(result["stacks"][0]["frames"][0]["location"].contains("physicalLocation")) << "no file of the library";
  ASSERT_EQ(result["relatedLocations"].size(), 2U);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 7);
  EXPECT_EQ(result["relatedLocations"][1]["physicalLocation"]["region"]["startLine"], 3);
  const nlohmann::json& flow = result["codeFlows"][0]["threadFlows"][0]["locations"];
  std::vector<int> lines;
  for (const nlohmann::json& step : flow) lines.push_back(step["location"]["physicalLocation"]["region"]["startLine"]);
  EXPECT_EQ(lines, (std::vector<int>{7, 3, 2, 4})) << "allocated, freed, called, and the defect";
}

TEST(Sarif, ALeakHasAllocationAndLossAndNoStackOfItsOwn) {
  const SampleProgram program;
  const nlohmann::json run = run_of(program, {SampleProgram::leak()});
  const nlohmann::json& result = run["results"][0];
  EXPECT_EQ(result["relatedLocations"][1]["physicalLocation"]["region"]["startLine"], 5);
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"].size(), 2U);
}

TEST(Sarif, EveryResultSaysWhetherItIsSuppressed) {
  const SampleProgram program;
  Defect in_file = SampleProgram::double_free();
  in_file.suppressed.emplace(SourceLocation{"known.txt", 3, 0}, false, "*:list.c");
  Defect in_source = SampleProgram::leak();
  in_source.suppressed.emplace(SourceLocation{"list.c", 7, 0}, true, "ignore(leak)");
  const nlohmann::json run = run_of(program, {in_file, in_source, SampleProgram::bad_index()});
  EXPECT_EQ(run["results"][0]["suppressions"][0]["kind"], "external");
  EXPECT_EQ(run["results"][1]["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(run["results"][2]["suppressions"], nlohmann::json::array());
}

TEST(Sarif, TellsHowPlumbWasRunAndWhatItDidNotLookFor) {
  const SampleProgram program;
  const nlohmann::json run = run_of(program, {});
  const nlohmann::json& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["startTimeUtc"], "2023-11-14T22:13:20Z");
  EXPECT_EQ(invocation["exitCode"], 10);
  EXPECT_EQ(invocation["arguments"].size(), 3U);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "not checked: overflow");
  EXPECT_TRUE(run["results"].is_array() && run["results"].empty()) << "no results is an answer, not an absence";
}

TEST(Sarif, IsTextWhateverBytesNamesHave) {
  const SampleProgram program;
  Defect defect = SampleProgram::bad_index();
  defect.place.file = "\xff x.c";
  defect.function = "\xfe";
  defect.message = "";
  defect.kind = "new-kind";
  const nlohmann::json run = run_of(program, {defect});
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "%FF%20x.c");
  EXPECT_FALSE(run["results"][0].contains("ruleIndex"));
}

}  // namespace
}  // namespace plumb::result
