#include "base/spelling.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumb {
namespace {

TEST(EditDistance, CountsChangesAdditionsAndOmissions) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("router", "ruoter"), 2u);
  EXPECT_EQ(edit_distance("price", "prices"), 1u);
}

TEST(EditDistance, IsTheSameBothWaysAndObeysTheTriangle) {
  const std::string_view words[] = {"", "a", "load", "loads", "road", "provider", "divider"};
  for (const std::string_view a : words)
    for (const std::string_view b : words) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
      for (const std::string_view c : words) EXPECT_LE(edit_distance(a, c), edit_distance(a, b) + edit_distance(b, c));
    }
}

TEST(NearestName, IsTheLeastWrongOne) {
  const std::vector<std::string> names = {"revenue", "line_loss", "unserved"};
  EXPECT_EQ(nearest_name("revenu", names), "revenue");
  EXPECT_EQ(nearest_name("lineloss", names), "line_loss");
  EXPECT_EQ(nearest_name("line", names), "line_loss");
}

TEST(NearestName, IsNoneWhereAllAreFarAway) {
  const std::vector<std::string_view> names = {"revenue", "x"};
  EXPECT_EQ(nearest_name("provider", names), "");
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name(std::string(100, 'r'), names), "");
}

}  // namespace
}  // namespace plumb
