#include "concolic/trace/path_recorder.h"

#include <gtest/gtest.h>

#include <set>

namespace plumb::concolic {
namespace {

TEST(PathRecorder, EqualNodesInARowHaveDifferentPrefixes) {
  const Subject subject;
  for (const PathNode::Kind kind : {PathNode::Kind::Branch, PathNode::Kind::Region, PathNode::Kind::Constraint}) {
    term::TermStore store;
    StreamReader reader(subject, {});
    Trace trace;
    PathRecorder path(store, reader, trace);
    const term::Term condition = store.variable(1, "c");
    for (int i = 0; i < 100; ++i) path.node(kind, 0, 0, condition);
    std::set<std::uint64_t> prefixes{0};
    for (const PathNode& node : trace.nodes) prefixes.insert(node.prefix);
    EXPECT_EQ(prefixes.size(), 101U);
  }
}

TEST(PathRecorder, LeavesOutWhatIsConstantAndItsAlternatives) {
  const Subject subject;
  term::TermStore store;
  StreamReader reader(subject, {});
  Trace trace;
  PathRecorder path(store, reader, trace);
  path.alternative(Alternative::Kind::Edge, 1, store.variable(1, "other"));
  path.node(PathNode::Kind::Branch, 1, 0, store.boolean(true));
  EXPECT_TRUE(trace.nodes.empty());
  EXPECT_TRUE(trace.alternatives.empty());
  path.node(PathNode::Kind::Branch, 1, 0, store.boolean(false));
  EXPECT_TRUE(reader.has_failed());
}

}  // namespace
}  // namespace plumb::concolic
