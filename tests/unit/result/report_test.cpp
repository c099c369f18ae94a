#include "result/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plumb::result {
namespace {

using Json = nlohmann::ordered_json;

TEST(Report, WhatEveryCommandSaysIsAlwaysThere) {
  const Json object = to_json(Report("prove", {"a.tiny"}));
  EXPECT_EQ(object, Json::parse(R"({"plumb": "2.0", "command": "prove", "inputs": ["a.tiny"], "verdict": "unknown",
                                    "gaps": [], "assumptions": [], "notes": [], "files": []})"));
}

TEST(Report, PartsStandInTheirOrderAndStatsLast) {
  Report report("check", {});
  report["stats"] = {{"seconds", 1}};
  report["properties"] = Json::array();
  report.conclusion = Conclusion::Violated;
  report.reason = "so it is";
  report.files = {{"waveform", "a.vcd"}, {"waveform", "out/a.vcd"}};
  std::vector<std::string> names;
  const Json object = to_json(report);
  for (const auto& [name, value] : object.items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"plumb", "command", "inputs", "verdict", "reason", "properties", "gaps",
                                             "assumptions", "notes", "files", "stats"}));
  // Two files of a kind are two.
  EXPECT_EQ(object["files"], Json::parse(R"([{"kind": "waveform", "path": "a.vcd"}, {"kind": "waveform",
                                              "path": "out/a.vcd"}])"));
}

TEST(Report, TheFirstMistakeIsTheErrorAndSeveralAreAList) {
  Report report("prove", {"a.tiny"});
  report.conclusion = Conclusion::Error;
  report.errors = {UserError(SourceLocation{"a.tiny", 3, 5}, "expected a term", "such as x")};
  const Json one = to_json(report);
  EXPECT_EQ(one["error"], Json::parse(R"({"message": "expected a term", "file": "a.tiny", "line": 3, "column": 5,
                                          "hint": "such as x"})"));
  EXPECT_FALSE(one.contains("errors"));
  report.errors.emplace_back("another");
  EXPECT_EQ(to_json(report)["errors"].size(), 2U);
}

TEST(Report, WhatIsNotUtf8CanBeDumped) {
  Report report("run", {"a\xff.c"});
  report.notes = {"\xfe"};
  report.files = {{"table", "\xfd"}};
  report.stopped = "\xfc";
  EXPECT_NO_THROW(static_cast<void>(to_json(report).dump()));
}

TEST(Report, TextsAndObjectsHaveTheSameRemarks) {
  EXPECT_EQ(remarks_text({{.text = "asm"}}, {"int has 8 bits"}, {"slow"}),
            "gap: unsupported: asm\nassumption: int has 8 bits\nnote: slow\n");
  EXPECT_EQ(files_text({{"witness", "w.yml"}}), "  witness: w.yml\n");
}

TEST(Report, AnEngineSaysItsBoundOnlyWhereItHasOne) {
  const Json unknown = to_json(Finding{.engine = "bmc", .reason = "out of time", .seconds = 2});
  EXPECT_EQ(unknown, Json::parse(R"({"name": "bmc", "verdict": "unknown", "seconds": 2.0, "reason": "out of time"})"));
  EXPECT_EQ(to_json(Finding{.engine = "bmc", .verdict = Verdict::HoldsUpTo, .bound = 7})["bound"], 7);
}

}  // namespace
}  // namespace plumb::result
