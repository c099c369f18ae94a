#include "result/defect/defect_kinds.h"

#include <gtest/gtest.h>

#include "program/fault.h"

namespace plumb::program {
namespace {

TEST(DefectKinds, EveryKindOfFaultHasOneAndNoOtherIsThere) {
  for (int i = 0; i < kFaultKindCount; ++i)
    EXPECT_NE(result::find_kind(name(static_cast<FaultKind>(i))), nullptr) << name(static_cast<FaultKind>(i));
  EXPECT_EQ(result::defect_kinds().size(), static_cast<std::size_t>(kFaultKindCount));
}

}  // namespace
}  // namespace plumb::program
