#include "concolic/execute/run_end.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "runtime/checks/checks.h"
#include "unit/concolic/trace/sample_stream.h"

namespace plumb::concolic {
namespace {

using Kind = ProcessEnd::Kind;

RunRecord end_of(const StreamWriter& written, ProcessEnd end) {
  static const Subject subject = sample_subject();
  RunRecord record;
  record.stream = written.words;
  set_end(record, subject, end);
  return record;
}

TEST(RunEnd, IsTheProcesssOwnIfNothingWasWritten) {
  const StreamWriter nothing;
  EXPECT_EQ(end_of(nothing, {Kind::Exited, 3}).end, RunEnd::Exit);
  EXPECT_EQ(end_of(nothing, {Kind::Exited, 3}).code, 3);
  EXPECT_EQ(end_of(nothing, {Kind::Signalled, SIGSEGV}).end, RunEnd::Signal);
  EXPECT_EQ(end_of(nothing, {Kind::Signalled, SIGSEGV}).code, SIGSEGV);
  EXPECT_EQ(end_of(nothing, {Kind::Signalled, SIGKILL}).end, RunEnd::Killed);
  EXPECT_EQ(end_of(nothing, {Kind::Signalled, SIGXCPU}).end, RunEnd::Timeout);
  EXPECT_EQ(end_of(nothing, {Kind::Signalled, SIGXFSZ}).end, RunEnd::FileLimit);
  EXPECT_EQ(end_of(nothing, {Kind::TimedOut}).end, RunEnd::Timeout);
  EXPECT_EQ(end_of(nothing, {Kind::Lost}).end, RunEnd::Corrupted);
}

TEST(RunEnd, IsWhatTheRunWroteDown) {
  StreamWriter error;
  error.error(PLUMB_ERROR_ASSERT, kCheckSite);
  const RunRecord failed = end_of(error, {Kind::Signalled, SIGABRT});
  EXPECT_EQ(failed.end, RunEnd::Error);
  EXPECT_EQ(failed.code, PLUMB_ERROR_ASSERT);
  EXPECT_EQ(failed.error_site, kCheckSite);

  StreamWriter assumption;
  assumption.end(PLUMB_END_ASSUME);
  EXPECT_EQ(end_of(assumption, {Kind::Exited, 0}).end, RunEnd::AssumeFailed);

  StreamWriter defect;
  defect.defect(PLUMB_DEFECT_POINTER, PLUMB_OBJECT_HEAP, kCheckSite, 1);
  defect.error(PLUMB_ERROR_DEFECT, kCheckSite);
  EXPECT_EQ(end_of(defect, {Kind::Exited, 1}).end, RunEnd::Defect);
  EXPECT_EQ(end_of(defect, {Kind::Exited, 1}).code, PLUMB_DEFECT_POINTER);
}

TEST(RunEnd, OfALimitOrALossDoesNotAskWhatWasWritten) {
  StreamWriter error;
  error.error(PLUMB_ERROR_ASSERT, kCheckSite);
  EXPECT_EQ(end_of(error, {Kind::TimedOut}).end, RunEnd::Timeout);
  EXPECT_EQ(end_of(error, {Kind::Lost}).end, RunEnd::Corrupted);
  EXPECT_EQ(end_of(error, {Kind::Signalled, SIGXFSZ}).end, RunEnd::FileLimit);
}

TEST(RunEnd, IsCorruptedIfTheStreamMakesNoSense) {
  StreamWriter error;
  error.words = {0xffffffff, 5};
  error.error(PLUMB_ERROR_ASSERT, kCheckSite);
  EXPECT_EQ(end_of(error, {Kind::Signalled, SIGABRT}).end, RunEnd::Corrupted);
}

}  // namespace
}  // namespace plumb::concolic
