#include "concolic/trace/trace_check.h"

#include <gtest/gtest.h>

#include "concolic/trace/trace_builder.h"
#include "sample_stream.h"

namespace plumb::concolic {
namespace {

using term::Op;

class TraceCheckTest : public ::testing::Test {
 protected:
  std::string contradiction(const std::vector<std::uint8_t>& coverage) {
    return contradiction_of(subject_, store_, builder_.build(w_.words), coverage);
  }
  std::vector<std::uint8_t> all_edges() const { return std::vector<std::uint8_t>(subject_.edge_count, 1); }

  const Subject subject_ = sample_subject();
  term::TermStore store_;
  TraceBuilder builder_{subject_, store_};
  StreamWriter w_;
};

TEST_F(TraceCheckTest, AStreamOfAllKindsContradictsNothing) {
  w_ = sample_stream();
  EXPECT_EQ(contradiction(all_edges()), "");
}

TEST_F(TraceCheckTest, ABranchThatTookTheOtherEdgeIsFound) {
  for (const std::uint32_t edge : {0U, 1U}) {
    w_ = {};
    const std::uint32_t x = w_.input("int", {3, 0, 0, 0}, 4);
    w_.branch(kBranchSite, edge, w_.operation(Op::Ult, 1, x, w_.constant(32, 5)));
    EXPECT_EQ(contradiction(all_edges()).empty(), edge == 0);
  }
}

TEST_F(TraceCheckTest, AnEdgeInsideOfARegionThatTheRunDidNotCoverIsFound) {
  w_ = sample_stream();
  EXPECT_NE(contradiction(std::vector<std::uint8_t>(subject_.edge_count, 0)), "");
}

TEST_F(TraceCheckTest, AStreamThatMakesNoSenseIsFound) {
  w_ = sample_stream();
  w_.words.resize(w_.words.size() - 1);
  w_.words.push_back(0xff);
  w_.words.push_back(0xff);
  EXPECT_NE(contradiction(all_edges()), "");
}

}  // namespace
}  // namespace plumb::concolic
