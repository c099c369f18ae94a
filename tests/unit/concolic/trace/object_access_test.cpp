#include "concolic/trace/object_access.h"

#include <gtest/gtest.h>

#include "term/evaluator.h"

namespace plumb::concolic {

using term::Term;

namespace {

class ObjectAccess : public ::testing::Test {
 protected:
  std::uint64_t evaluate(Term t) { return term::Evaluator(store_, assignment_).bits(t).to_uint64(); }

  term::TermStore store_;
  term::Assignment assignment_;
};

}  // namespace

TEST_F(ObjectAccess, OffsetsThatContradictTheirLowBitsOrBoundAreSeen) {
  const Term index = store_.variable(8, "index");
  const Term offset = store_.mul(store_.zero_extend(index, 64), store_.constant(64, 4));
  EXPECT_TRUE(may_be(store_, offset, 0));
  EXPECT_TRUE(may_be(store_, offset, 1020));
  EXPECT_FALSE(may_be(store_, offset, 2));
  EXPECT_FALSE(may_be(store_, offset, 1024));
}

TEST_F(ObjectAccess, OffsetsAreAddressesLessTheBase) {
  const Term x = store_.variable(8, "x");
  for (const std::uint64_t base : {0x5000U, 0x5001U, 0x50f0U}) {
    for (const std::uint64_t scale : {1U, 2U, 12U}) {
      const Term index = store_.mul(store_.zero_extend(x, 64), store_.constant(64, scale));
      const Term offset = offset_in_object(store_, store_.add(index, store_.constant(64, 0x5010)), base);
      for (std::uint64_t value = 0; value < 256; ++value) {
        assignment_[x] = BitVector(8, value);
        ASSERT_EQ(evaluate(offset), value * scale + 0x5010 - base);
      }
    }
  }
  const Term aligned = store_.add(store_.zero_extend(x, 64), store_.constant(64, 0x5000));
  EXPECT_EQ(offset_in_object(store_, aligned, 0x5000), store_.zero_extend(x, 64));
}

}  // namespace plumb::concolic
