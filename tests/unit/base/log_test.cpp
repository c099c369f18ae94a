#include "base/log.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

std::string lines_at(int verbosity) {
  set_up_logging(verbosity);
  testing::internal::CaptureStderr();
  log().error("an error");
  log().warn("a warning");
  log().info("information");
  log().debug("a detail");
  const std::string text = testing::internal::GetCapturedStderr();
  set_up_logging(0);
  return text;
}

TEST(Log, VerbosityDecidesWhatIsShown) {
  EXPECT_EQ(lines_at(-1), "plumb: error: an error\n");
  EXPECT_EQ(lines_at(0), "plumb: error: an error\nplumb: warning: a warning\n");
  EXPECT_EQ(lines_at(1), "plumb: error: an error\nplumb: warning: a warning\nplumb: info: information\n");
  const std::string everything = lines_at(2);
  EXPECT_NE(everything.find("information"), std::string::npos);
  EXPECT_NE(everything.find("a detail"), std::string::npos);
}

TEST(Log, WritesNothingToStandardOutput) {
  testing::internal::CaptureStdout();
  lines_at(2);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace plumb
