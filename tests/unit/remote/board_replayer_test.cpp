// What counts of what a second run on a board shows.
#include "remote/board_replayer.h"

#include <gtest/gtest.h>

#include <csignal>

#include "replay/confirmer.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"
#include "runtime/link/wire.h"
#include "server_fixture.h"
#include "unit/concolic/trace/stream_writer.h"

namespace plumb::remote {
namespace {

using replay::Confirmation;
using replay::FoundError;
using replay::RunEnd;

SampleRun run_of(concolic::StreamWriter writer) {
  SampleRun run;
  run.words = std::move(writer.words);
  return run;
}

FoundError defect(std::uint32_t kind, std::uint32_t site, std::uint32_t place) {
  FoundError error;
  error.end = RunEnd::Defect;
  error.code = static_cast<int>(kind);
  error.site = site;
  error.last_edge = place;
  return error;
}

class BoardReplayerTest : public ServerTest {
 protected:
  /// With a board whose runs all are this one.
  void start(const SampleRun& run) {
    identity_.fingerprint = digest_of(instrument::fingerprint(subject_));
    ServerTest::start();
    board_ = add_board([run](const auto&) { return run; });
  }
  Confirmation confirm(const FoundError& error) {
    BoardReplayer replayer(subject_, *server_);
    return replay::Confirmer(replayer).confirm(subject_, error, Budget());
  }

  std::unique_ptr<TestBoard> board_;
};

TEST_F(BoardReplayerTest, PlacesWhatIsWrongInAModelAtItsCall) {
  // f is a model, which "user" calls at two sites.
  instrument::Subject other = sample_subject();
  other.program.functions[0].name = "user";
  subject_.program.functions[0].is_model = true;
  subject_.program.functions.push_back(std::move(other.program.functions[0]));
  subject_.terminator_sites.push_back(other.terminator_sites[0]);
  const auto call = static_cast<instrument::SiteId>(subject_.sites.size());
  for (const std::uint32_t line : {11U, 12U}) {
    instrument::Site site;
    site.kind = instrument::SiteKind::Call;
    site.function = 1;
    site.location.line = line;
    subject_.sites.push_back(site);
  }
  concolic::StreamWriter writer;
  writer.defect(PLUMB_DEFECT_POINTER, PLUMB_OBJECT_HEAP, kDefectSite, call);
  start(run_of(std::move(writer)));
  const Confirmation shown = confirm(defect(PLUMB_DEFECT_POINTER, kDefectSite, call));
  EXPECT_TRUE(shown.is_confirmed) << shown.reason;
  EXPECT_EQ(shown.defect.function, "user");
  // The same place of the model, called from elsewhere.
  const Confirmation elsewhere = confirm(defect(PLUMB_DEFECT_POINTER, kDefectSite, call + 1));
  EXPECT_FALSE(elsewhere.is_confirmed);
  EXPECT_EQ(elsewhere.defect.function, "user");
  // What is no call outside of models says nothing of the caller: sums of stacks, sites of other kinds, no site at all.
  for (const std::uint32_t place : {0x80000001U, std::uint32_t{kOuterSite}, 0U, 1000U}) {
    const Confirmation unknown = confirm(defect(PLUMB_DEFECT_POINTER, kDefectSite, place));
    EXPECT_TRUE(unknown.is_confirmed) << unknown.reason;
    EXPECT_EQ(unknown.defect.function, "f");
  }
  // A site that is in no model is the place, whatever comes with it.
  EXPECT_EQ(confirm(defect(PLUMB_DEFECT_POINTER, call + 1, call)).defect.function, "user");
  EXPECT_EQ(instrument::SiteId{0}, site_of_model_call(subject_, defect(PLUMB_DEFECT_POINTER, call + 1, call)));
}

TEST_F(BoardReplayerTest, TakesNoSignalForADefectThatIsNoCrash) {
  for (const int signal : {SIGTERM, SIGPIPE, SIGKILL, SIGSEGV, SIGABRT}) {
    SampleRun run;
    run.how = PLUMB_WIRE_SIGNALLED;
    run.code = static_cast<std::uint32_t>(signal);
    board_.reset();
    start(run);
    FoundError error;
    error.end = RunEnd::Signal;
    error.code = signal;
    const Confirmation confirmation = confirm(error);
    EXPECT_EQ(confirmation.is_confirmed, signal == SIGSEGV || signal == SIGABRT) << signal;
    if (signal == SIGTERM) {
      EXPECT_EQ(confirmation.reason, "SIGTERM was sent to the program");
    }
  }
}

TEST_F(BoardReplayerTest, TellsWhatTheSearchWouldHaveFound) {
  concolic::StreamWriter writer;
  writer.defect(PLUMB_DEFECT_POINTER, PLUMB_OBJECT_HEAP, kDefectSite, 0x80000000U);
  SampleRun run = run_of(std::move(writer));
  run.how = PLUMB_WIRE_SIGNALLED;
  run.code = SIGTERM;
  start(run);
  BoardReplayer replayer(subject_, *server_);
  const replay::Replay replay = replayer.run({result::TestCase{}}, {});
  EXPECT_EQ(replay.end, "SIGTERM");
  EXPECT_EQ(replay.problem, "");
  EXPECT_FALSE(is_failure(replay.ending)) << "somebody wanted it to end";
  const std::vector<FoundError> errors = errors_of(replay, {});
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].site, kDefectSite);
  EXPECT_TRUE(errors[1].is_after_another);
  EXPECT_TRUE(confirm(errors[0]).is_confirmed);
  EXPECT_NE(replayer.run({result::TestCase{{}, {}, {{0, 1}}}}, {}).problem, "");
}

TEST_F(BoardReplayerTest, BlamesNoProgramForAHeapThatIsFull) {
  for (const bool is_full : {false, true})
    for (const char* triple : {"thumbv7m-none-unknown-eabi", "arm-unknown-linux-gnueabihf"})
      for (const std::uint32_t kind : {PLUMB_DEFECT_NULL, PLUMB_DEFECT_POINTER}) {
        subject_.program.layout.triple = triple;
        concolic::StreamWriter writer;
        if (is_full) writer.lost(PLUMB_PIN_FULL, 0);
        writer.defect(kind, PLUMB_OBJECT_NONE, kDefectSite, 0x80000000U);
        board_.reset();
        start(run_of(std::move(writer)));
        const Confirmation confirmation = confirm(defect(kind, kDefectSite, program::kNone));
        const bool is_ours = is_full && kind == PLUMB_DEFECT_NULL && std::string_view(triple).starts_with("thumb");
        EXPECT_EQ(confirmation.is_confirmed, !is_ours) << triple << kind << is_full;
        EXPECT_EQ(confirmation.reason.find("the memory of the runtime was full") == 0, is_ours);
      }
}

}  // namespace
}  // namespace plumb::remote
