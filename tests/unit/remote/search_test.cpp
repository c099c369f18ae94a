// A search through boards finds what it finds in process, run by run.
#include <gtest/gtest.h>

#include "concolic/execute/run_end.h"
#include "concolic/search/tracing_target.h"
#include "remote/board_replayer.h"
#include "replay/confirmer.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"
#include "server_fixture.h"
#include "solve/solver.h"

namespace plumb::remote {
namespace {

using concolic::SearchReport;
using replay::RunEnd;

/// The same program without a board.
class InProcessTarget : public concolic::TracingTarget {
 public:
  explicit InProcessTarget(const instrument::Subject& subject) : TracingTarget(subject, true) {}

 protected:
  concolic::RunRecord execute(const concolic::RunRequest& request, const Budget&) override {
    std::vector<std::vector<std::uint8_t>> given;
    for (const result::TestInput& input : request.inputs) given.push_back(input.bytes);
    run_ = run_sample(given);
    coverage_.assign(subject().edge_count, 0);
    for (const std::uint32_t edge : run_.edges) coverage_[edge] = 1;
    concolic::RunRecord record;
    record.stream = run_.words;
    record.coverage = coverage_;
    const bool is_signal = run_.how == PLUMB_WIRE_SIGNALLED;
    using Kind = concolic::ProcessEnd::Kind;
    set_end(record, subject(), {is_signal ? Kind::Signalled : Kind::Exited, static_cast<int>(run_.code)});
    return record;
  }

 private:
  SampleRun run_;
  std::vector<std::uint8_t> coverage_;
};

struct Found {
  std::vector<std::vector<result::TestInput>> tests;
  SearchReport report;
};

Found search(const instrument::Subject& subject, std::function<std::unique_ptr<concolic::Target>()> make_target) {
  Found found;
  concolic::SearchOptions options;
  options.until = concolic::Until::Time;
  concolic::SearchListener listener;
  listener.on_test = [&](const concolic::FoundTest& test) { found.tests.push_back(test.test.inputs); };
  concolic::SearchParts parts;
  parts.make_target = std::move(make_target);
  parts.make_solver = [](term::TermStore& store) { return solve::make_solver(store, "native"); };
  found.report = search(subject, options, listener, Budget(), parts);
  return found;
}

class SearchTest : public ServerTest {};

TEST_F(SearchTest, FindsTheSameTestsOnBoardsAsInProcess) {
  const Found expected = search(subject_, [&] { return std::make_unique<InProcessTarget>(subject_); });
  EXPECT_EQ(expected.report.stop, SearchReport::Stop::Complete);
  EXPECT_EQ(expected.report.edges_covered, 6U);
  EXPECT_EQ(expected.report.errors.size(), 2U);
  start();
  const auto board = add_board();
  for (int boards = 1; boards <= 2; ++boards) {
    const auto second = boards == 2 ? add_board() : nullptr;
    ASSERT_TRUE(comes_true([&] { return server_->boards().size() == static_cast<std::size_t>(boards); }));
    const Found got = search(subject_, [&] { return server_->make_target(true); });
    EXPECT_EQ(got.tests, expected.tests);
    EXPECT_EQ(got.report.runs, expected.report.runs);
    EXPECT_EQ(got.report.is_exhaustive, expected.report.is_exhaustive);
    EXPECT_EQ(got.report.errors.size(), 2U);
  }
}

TEST_F(SearchTest, ConfirmsErrorsByASecondRun) {
  start();
  const auto board = add_board();
  const Found found = search(subject_, [&] { return server_->make_target(); });
  ASSERT_EQ(found.report.errors.size(), 2U);
  BoardReplayer replayer(subject_, *server_);
  replay::Confirmer confirmer(replayer);
  for (const replay::FoundError& error : found.report.errors) {
    const replay::Confirmation confirmation = confirmer.confirm(subject_, error, Budget());
    EXPECT_TRUE(confirmation.is_confirmed) << confirmation.reason;
    EXPECT_EQ(confirmation.defect.shown_by, "a second run on the target");
    EXPECT_EQ(confirmation.defect.function, "f");
    EXPECT_EQ(confirmation.defect.test, error.test);
    if (error.end != RunEnd::Defect) {
      EXPECT_EQ(confirmation.defect.message, "the error function is called");
      continue;
    }
    EXPECT_EQ(confirmation.defect.message, "read of 4 bytes at offset 20: past the end of a heap object of 20 bytes");
    EXPECT_EQ(confirmation.defect.object->kind, "heap");
    EXPECT_EQ(confirmation.defect.access->offset, 20);
    // Another input does not show it, and neither does it show another kind or place.
    for (const auto change : {0, 1, 2}) {
      replay::FoundError other = error;
      if (change == 0) other.test.inputs[1].bytes[0] ^= 1;
      if (change == 1) other.code = PLUMB_DEFECT_FREED;
      if (change == 2) other.site = kErrorSite;
      const replay::Confirmation refusal = confirmer.confirm(subject_, other, Budget());
      EXPECT_FALSE(refusal.is_confirmed);
      EXPECT_EQ(refusal.reason, "a second run on the target ended with exit code 0 and did not show it");
    }
  }
}

TEST_F(SearchTest, LeavesAnErrorUnconfirmedWithoutATarget) {
  start();
  BoardReplayer replayer(subject_, *server_);
  replay::Confirmer confirmer(replayer);
  replay::FoundError error;
  error.code = PLUMB_ERROR_REACHED;
  error.site = kErrorSite;
  const replay::Confirmation confirmation =
      confirmer.confirm(subject_, error, Budget().with_timeout(std::chrono::duration<double>(0.1)));
  EXPECT_FALSE(confirmation.is_confirmed);
  EXPECT_EQ(confirmation.reason, "out of time");
}

}  // namespace
}  // namespace plumb::remote
