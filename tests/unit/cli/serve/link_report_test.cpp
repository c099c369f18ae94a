#include "cli/serve/link_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/test_report.h"

namespace plumb::cli {
namespace {

LinkReport busy() {
  LinkReport report;
  report.statistics = {.bytes_received = 9'000,
                       .bytes_sent = 1'000,
                       .runs = 40,
                       .run_bytes_received = 7'400,
                       .run_bytes_sent = 600,
                       .runs_repeated = 2,
                       .events = 500,
                       .left_out = 0,
                       .sessions = 3,
                       .refused = 4,
                       .broken = 1};
  report.boards = {{"board \xff", "127.0.0.1:5", 25, true}, {"other", "/dev/ttyS1", 15, false}};
  return report;
}

TEST(LinkReport, TellsBytesOfBothDirectionsARunAndAnEvent) {
  const std::string text = to_text(busy());
  EXPECT_NE(text.find("2 targets, 40 runs, 9000 bytes received, 1000 sent; 200 bytes a run, 16.0 a symbolic event"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("3 sessions, 4 refused, 1 broken off, 2 runs made again"), std::string::npos) << text;
  const nlohmann::ordered_json object = to_json(busy());
  EXPECT_EQ(object["bytes_per_run"], 200);
  EXPECT_EQ(object["bytes_per_event"], 16);
  EXPECT_EQ(object["targets"].size(), 2U);
  EXPECT_EQ(object["targets"][1]["runs"], 15);
  EXPECT_EQ(object["runs_repeated"], 2);
  EXPECT_FALSE(object.contains("lost"));
  EXPECT_NO_THROW(object.dump());
}

TEST(LinkReport, NothingIsDividedByNothing) {
  const LinkReport idle;
  EXPECT_EQ(bytes_per_run(idle.statistics), 0);
  EXPECT_EQ(bytes_per_event(idle.statistics), 0);
  EXPECT_EQ(to_text(idle).find("a run"), std::string::npos);
  EXPECT_TRUE(assumptions_of(idle).empty());
}

TEST(LinkReport, EventsWithoutRoomAreAnAssumption) {
  LinkReport report = busy();
  report.statistics.left_out = 7;
  ASSERT_EQ(assumptions_of(report).size(), 1U);
  EXPECT_NE(assumptions_of(report)[0].find("7 symbolic events"), std::string::npos);
  EXPECT_EQ(to_json(report)["left_out"], 7);
}

TEST(LinkReport, RunsThatWereGivenUpAreNoCompleteSearch) {
  instrument::Subject subject;
  subject.sites.resize(1);
  concolic::SearchReport report;
  report.edges_total = 2;
  report.runs = 1;
  report.tests = 1;
  TestOutcome outcome{subject, report, program::CheckSet::defaults()};
  outcome.link = busy();
  outcome.link->statistics.runs_given_up = 3;
  EXPECT_EQ(to_json(*outcome.link)["runs_given_up"], 3);
  EXPECT_NE(to_text(*outcome.link).find("2 runs made again, 3 given up\n"), std::string::npos);
  ASSERT_EQ(assumptions_of(*outcome.link).size(), 1U);
  EXPECT_EQ(assumptions_of(*outcome.link)[0], "3 runs were given up after their targets were lost");
  EXPECT_TRUE(verdict_of(outcome).reason.starts_with("runs were lost with their targets"))
      << verdict_of(outcome).reason;
  const nlohmann::ordered_json object = to_json(to_report("serve", {"a.c"}, outcome));
  // Nobody knows whether the program would have asked for an input.
  EXPECT_EQ(object["tests"]["why_alone"], "no test beyond the first: runs were lost with their targets");
}

TEST(LinkReport, CampaignWithoutTargetsIsUnknownAndSaysWhy) {
  instrument::Subject subject;
  subject.sites.resize(1);
  concolic::SearchReport report;
  report.edges_total = 2;
  report.edges_covered = 1;
  report.stop = concolic::SearchReport::Stop::Budget;
  TestOutcome outcome{subject, report, program::CheckSet::defaults()};
  outcome.link = busy();
  EXPECT_NE(verdict_of(outcome).reason.find("the budget is over"), std::string::npos);
  outcome.link->lost = "no target was connected for 30 s";
  const result::Judgement verdict = verdict_of(outcome);
  EXPECT_EQ(verdict.conclusion, result::Conclusion::Unknown);
  EXPECT_TRUE(verdict.reason.starts_with("no target was connected for 30 s")) << verdict.reason;
  const nlohmann::ordered_json object = to_json(to_report("serve", {"a.c"}, outcome));
  EXPECT_EQ(object["link"]["lost"], "no target was connected for 30 s");
  // The program did not run here, so nothing is said about a sandbox of this machine.
  for (const std::string& sentence : assumptions_of(outcome))
    EXPECT_EQ(sentence.find("sandbox"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace plumb::cli
