#include "concolic/trace/object_access.h"

#include <gtest/gtest.h>

#include <random>

#include "term/evaluator.h"

namespace plumb::concolic {

using semantics::ConcreteBytes;
using semantics::TermBytes;
using term::Term;

namespace {

/// An object with concrete bytes and pieces of variables, beside its bytes under the assignment.
struct Sample {
  TermBytes object;
  std::vector<std::uint8_t> bytes;
};

class ObjectAccess : public ::testing::Test {
 protected:
  Sample sample(std::uint32_t size) {
    Sample result;
    for (std::uint32_t i = 0; i < size; ++i) result.bytes.push_back(static_cast<std::uint8_t>(random_()));
    result.object = TermBytes(ConcreteBytes::from(result.bytes, size));
    for (std::uint32_t at = 0; at + 8 <= size; at += 1 + static_cast<std::uint32_t>(random_() % 9)) {
      const auto count = 1U << (random_() % 4);
      const Term variable = store_.variable(8 * count, "v");
      const std::uint64_t value = random_();
      assignment_[variable] = BitVector(8 * count, value);
      result.object.store(store_, at, variable);
      for (std::uint32_t i = 0; i < count; ++i) result.bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return result;
  }

  std::uint64_t evaluate(Term t) { return term::Evaluator(store_, assignment_).bits(t).to_uint64(); }

  static std::uint64_t value_at(const std::vector<std::uint8_t>& bytes, std::uint64_t at, std::uint32_t count) {
    std::uint64_t value = 0;
    for (std::uint32_t i = count; i-- > 0;) value = value << 8 | bytes[at + i];
    return value;
  }

  term::TermStore store_;
  term::Assignment assignment_;
  std::mt19937_64 random_{7};
};

}  // namespace

TEST_F(ObjectAccess, ReadsGiveTheBytesAtEveryOffset) {
  for (const std::uint32_t size : {1U, 2U, 3U, 8U, 13U, 16U, 33U, 100U}) {
    const Sample s = sample(size);
    const Term offset = store_.variable(64, "offset");
    for (const std::uint32_t count : {1U, 2U, 3U, 4U, 8U}) {
      if (count > size) continue;
      const Term value = read_object(store_, s.object, offset, count);
      for (std::uint64_t at = 0; at + count <= size; ++at) {
        assignment_[offset] = BitVector(64, at);
        ASSERT_EQ(evaluate(value), value_at(s.bytes, at, count)) << size << ' ' << count << ' ' << at;
      }
    }
  }
}

TEST_F(ObjectAccess, ReadsOfElementsGiveThemAtEveryIndex) {
  for (const std::uint32_t element : {1U, 2U, 4U, 8U, 12U, 24U}) {
    for (const std::uint32_t start : {0U, 1U, 4U}) {
      const std::uint32_t count = element < 8 ? element : 4;
      const Sample s = sample(start + 20 * element);
      const Term index = store_.variable(8, "index");
      const Term scaled = store_.mul(store_.zero_extend(index, 64), store_.constant(64, element));
      const Term offset = store_.add(scaled, store_.constant(64, start));
      const Term value = read_object(store_, s.object, offset, count);
      for (std::uint64_t i = 0; i < 20; ++i) {
        assignment_[index] = BitVector(8, i);
        ASSERT_EQ(evaluate(value), value_at(s.bytes, start + i * element, count)) << element << ' ' << i;
      }
    }
  }
}

TEST_F(ObjectAccess, WritesChangeTheBytesAtTheOffsetAndNoOthers) {
  for (const std::uint32_t size : {1U, 4U, 9U, 16U, 40U}) {
    for (const std::uint32_t count : {1U, 2U, 4U, 8U}) {
      for (const std::uint32_t scale : {1U, 4U, 8U}) {
        if (count > size) continue;
        Sample s = sample(size);
        const Term index = store_.variable(64, "index");
        const Term offset = store_.mul(index, store_.constant(64, scale));
        const Term value = store_.variable(8 * count, "value");
        const std::uint64_t written = random_();
        assignment_[value] = BitVector(8 * count, written);
        write_object(store_, s.object, offset, value);
        for (std::uint64_t i = 0; i * scale + count <= size; ++i) {
          assignment_[index] = BitVector(64, i);
          std::vector<std::uint8_t> expected = s.bytes;
          for (std::uint32_t b = 0; b < count; ++b)
            expected[i * scale + b] = static_cast<std::uint8_t>(written >> (8 * b));
          for (std::uint32_t b = 0; b < size; ++b)
            ASSERT_EQ(evaluate(s.object.load(store_, b, 1)), expected[b]) << size << ' ' << count << ' ' << i;
        }
      }
    }
  }
}

TEST_F(ObjectAccess, AWordWrittenAtASymbolicIndexIsReadAsAWord) {
  TermBytes object(ConcreteBytes::zeroed(32));
  const Term offset = store_.shl(store_.variable(64, "index"), store_.constant(64, 2));
  write_object(store_, object, offset, store_.variable(32, "value"));
  EXPECT_EQ(store_.op(object.load(store_, 8, 4)), term::Op::Ite);
}

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

TEST_F(ObjectAccess, TreesOfConstantTablesHaveFewerTermsThanEntries) {
  std::vector<std::uint8_t> table(1024);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::uint8_t>(i % 4 == 0 ? i / 256 : 0);
  const TermBytes object(ConcreteBytes::from(table, table.size()));
  const Term offset = store_.variable(64, "offset");
  const std::uint32_t before = store_.size();
  read_object(store_, object, offset, 1);
  EXPECT_LT(store_.size() - before, 64U);
}

}  // namespace plumb::concolic
