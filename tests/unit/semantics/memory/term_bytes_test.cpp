#include "semantics/memory/term_bytes.h"

#include <gtest/gtest.h>

#include "term/evaluator.h"
#include "term/traverse.h"

namespace plumb::semantics {
namespace {

using term::Assignment;
using term::Evaluator;
using term::Op;
using term::Term;
using term::TermStore;

TEST(TermBytes, AWordWrittenIsTheWordReadWithoutANewTerm) {
  TermStore terms;
  TermBytes bytes = TermBytes::zeroed(64);
  for (const std::uint32_t width : {8U, 16U, 32U, 64U, 128U, 256U}) {
    const Term word = terms.variable(width, "w");
    bytes.store(terms, 3, word);
    const std::uint32_t before = terms.size();
    EXPECT_EQ(bytes.load(terms, 3, width / 8), word);
    EXPECT_EQ(terms.size(), before);
  }
}

TEST(TermBytes, AWordCopiedIsTheWordRead) {
  TermStore terms;
  const Term word = terms.variable(64, "w");
  TermBytes from = TermBytes::zeroed(16);
  TermBytes to = TermBytes::zeroed(40);
  from.store(terms, 8, word);
  to.copy(terms, 5, from, 4, 12);
  EXPECT_EQ(to.load(terms, 9, 8), word);
  EXPECT_EQ(to.load(terms, 5, 4), terms.zero(32));
  to.copy(terms, 7, to, 5, 12);
  EXPECT_EQ(to.load(terms, 11, 8), word);
}

TEST(TermBytes, ConstantsStayNumbers) {
  TermStore terms;
  TermBytes bytes = TermBytes::zeroed(16);
  bytes.store(terms, 0, terms.variable(128, "w"));
  EXPECT_FALSE(bytes.number(4));
  bytes.store(terms, 4, terms.constant(32, 0xDEADBEEF));
  EXPECT_EQ(bytes.number(4), 0xEF);
  EXPECT_EQ(bytes.number(7), 0xDE);
  EXPECT_FALSE(bytes.number(8));
  bytes.fill(terms, 0, 16, terms.constant(8, 1));
  EXPECT_EQ(bytes.load(terms, 6, 2), terms.constant(16, 0x0101));
}

TEST(TermBytes, MixedReadsAreTheirParts) {
  TermStore terms;
  const Term word = terms.variable(32, "w");
  TermBytes bytes = TermBytes::zeroed(8);
  bytes.store(terms, 2, word);
  EXPECT_EQ(bytes.load(terms, 2, 2), terms.extract(word, 15, 0));
  EXPECT_EQ(bytes.load(terms, 5, 1), terms.extract(word, 31, 24));
  EXPECT_EQ(bytes.load(terms, 0, 4), terms.concat(terms.extract(word, 15, 0), terms.zero(16)));
  EXPECT_EQ(bytes.load(terms, 4, 4), terms.concat(terms.zero(16), terms.extract(word, 31, 16)));
}

TEST(TermBytes, ACopyIsIndependent) {
  TermStore terms;
  const Term a = terms.variable(32, "a");
  const Term b = terms.variable(32, "b");
  TermBytes original = TermBytes::zeroed(8);
  original.store(terms, 0, a);
  TermBytes copy = original;
  copy.store(terms, 0, b);
  original.store(terms, 4, b);
  EXPECT_EQ(original.load(terms, 0, 4), a);
  EXPECT_EQ(copy.load(terms, 0, 4), b);
  EXPECT_EQ(copy.load(terms, 4, 4), terms.zero(32));
}

/// An index into elements of 2^shift bytes, as a compiler computes offsets.
Term element_offset(TermStore& terms, Term index, std::uint32_t shift) {
  return terms.shl(terms.zero_extend(index, 64), terms.constant(64, shift));
}

TEST(TermBytes, SmallTablesAreReadAndWrittenWithoutArrays) {
  TermStore terms;
  const Term index = terms.variable(32, "i");
  const Term offset = element_offset(terms, index, 2);
  const Term word = terms.variable(32, "w");
  TermBytes bytes = TermBytes::zeroed(40);
  bytes.store(terms, offset, word, terms.boolean(true));
  const Term read = bytes.load(terms, offset, 4);
  term::TermSet seen;
  term::post_order(terms, std::vector<Term>{read}, seen, [&](Term t) {
    EXPECT_NE(terms.op(t), Op::Select);
    // Element by element: no word is taken apart
    EXPECT_FALSE(terms.op(t) == Op::Extract && terms.child(t, 0) == word);
  });
}

TEST(TermBytes, WhatIsStoredAfterASymbolicStoreToALargeObjectIsReadAsItWas) {
  TermStore terms;
  const Term offset = terms.zero_extend(terms.variable(16, "i"), 64);
  const Term word = terms.variable(32, "w");
  TermBytes bytes = TermBytes::zeroed(100'000);
  bytes.store(terms, offset, terms.variable(8, "b"), terms.boolean(true));
  bytes.store(terms, 1000, word);
  EXPECT_EQ(bytes.load(terms, 1000, 4), word);
  bytes.store(terms, 1001, terms.constant(16, 0x1234));
  EXPECT_EQ(bytes.load(terms, 1001, 2), terms.constant(16, 0x1234));
}

TEST(TermBytes, ALargeTableIsMadeAnArrayOnce) {
  TermStore terms;
  TermBytes bytes = TermBytes::zeroed(4096);
  for (std::uint64_t i = 0; i < 4096; i += 4) bytes.store(terms, i, terms.constant(32, i * i));
  const Term i = terms.zero_extend(terms.variable(12, "i"), 64);
  const Term j = terms.zero_extend(terms.variable(12, "j"), 64);
  bytes.load(terms, i, 1);
  const std::uint32_t before = terms.size();
  bytes.load(terms, j, 1);
  EXPECT_LT(terms.size() - before, 10U);
  bytes.store(terms, 8, terms.variable(32, "w"));
  bytes.load(terms, i, 1);
  EXPECT_LT(terms.size() - before, 60U);
}

TEST(TermBytes, SymbolicReadsSeeAllWritesBetweenThemFewOrMany) {
  TermStore terms;
  const Term to = terms.variable(64, "to");
  const Term from = terms.variable(64, "from");
  const Term value = terms.variable(8, "v");
  Assignment assignment;
  assignment[to] = BitVector(64, 77);
  assignment[value] = BitVector(8, 0xAB);
  for (const std::uint64_t count : {1U, 10U, 64U, 65U, 66U, 300U}) {
    TermBytes bytes = TermBytes::zeroed(500);
    ConcreteBytes expected = ConcreteBytes::zeroed(500);
    bytes.store(terms, to, value, terms.boolean(true));
    expected.store(77, 0xAB, 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      bytes.store(terms, i, i % 3 == 0 ? value : terms.constant(8, i));
      expected.store(i, i % 3 == 0 ? 0xAB : i, 1);
    }
    const Term read = bytes.load(terms, from, 2);
    for (std::uint64_t i = 0; i < 499; ++i) {
      assignment[from] = BitVector(64, i);
      Evaluator evaluator(terms, assignment);
      ASSERT_EQ(evaluator.bits(read), expected.load_wide(i, 2)) << count << " " << i;
    }
  }
}

TEST(TermBytes, WhatOverwritesAllOfAnArrayIsNoArray) {
  TermStore terms;
  TermBytes bytes = TermBytes::zeroed(300);
  bytes.store(terms, terms.variable(64, "i"), terms.variable(8, "b"), terms.boolean(true));
  EXPECT_TRUE(bytes.is_array());
  bytes.fill(terms, 0, 300, terms.one(8));
  EXPECT_FALSE(bytes.is_array());
  EXPECT_EQ(bytes.load(terms, 296, 4), terms.constant(32, 0x01010101));
}

/// Writes at every offset and reads at every offset, by choice and by array, agree with plain bytes.
void check_all_offsets(std::uint64_t size, std::uint32_t written, std::uint32_t read, std::uint32_t width) {
  TermStore terms;
  const Term to = terms.variable(width, "to");
  const Term from = terms.variable(width, "from");
  const Term value = terms.variable(written * 8, "v");
  TermBytes bytes = TermBytes::zeroed(size);
  ConcreteBytes plain = ConcreteBytes::zeroed(size);
  for (std::uint64_t i = 0; i < size; ++i) plain.store(i, i * 37 + 11, 1);
  for (std::uint64_t i = 0; i < size; ++i) bytes.store(terms, i, terms.constant(8, i * 37 + 11));
  bytes.store(terms, to, value, terms.boolean(true));
  const Term result = bytes.load(terms, from, read);
  const std::uint64_t step = size > 32 ? 7 : 1;
  for (std::uint64_t i = 0; i + written <= size; i += step) {
    for (std::uint64_t j = 0; j + read <= size; j += step) {
      Assignment assignment;
      assignment[to] = BitVector(width, i);
      assignment[from] = BitVector(width, j);
      assignment[value] = BitVector(written * 8, 0xF1E2'D3C4'B5A6'9788);
      ConcreteBytes expected = plain;
      expected.store(i, 0xF1E2'D3C4'B5A6'9788, written);
      Evaluator evaluator(terms, assignment);
      ASSERT_EQ(evaluator.bits(result), expected.load_wide(j, read)) << i << " " << j;
    }
  }
}

TEST(TermBytes, SymbolicOffsetsMeanWhatTheirValuesMean) {
  for (const std::uint32_t width : {32U, 64U}) {
    for (const std::uint64_t size : {1U, 2U, 7U, 16U, 300U}) {
      for (const std::uint32_t written : {1U, 2U, 4U, 8U}) {
        for (const std::uint32_t read : {1U, 4U, 8U}) {
          if (written <= size && read <= size) check_all_offsets(size, written, read, width);
        }
      }
    }
  }
}

TEST(TermBytes, ElementsAreChosenWhateverTheirSizeAndPlace) {
  TermStore terms;
  Assignment assignment;
  for (const std::uint64_t element : {1U, 2U, 4U, 8U, 12U, 24U}) {
    for (const std::uint64_t start : {0U, 1U, 4U}) {
      const std::uint64_t count = element < 8 ? element : 4;
      std::vector<std::uint8_t> content;
      for (std::uint64_t i = 0; i < start + 20 * element; ++i) content.push_back(static_cast<std::uint8_t>(i * 37 + 5));
      const TermBytes bytes(content, content.size());
      const ConcreteBytes plain = ConcreteBytes::from(content, content.size());
      const Term index = terms.variable(8, "i");
      const Term scaled = terms.mul(terms.zero_extend(index, 64), terms.constant(64, element));
      const Term read = bytes.load(terms, terms.add(scaled, terms.constant(64, start)), count);
      for (std::uint64_t i = 0; i < 20; ++i) {
        assignment[index] = BitVector(8, i);
        Evaluator evaluator(terms, assignment);
        ASSERT_EQ(evaluator.bits(read), plain.load_wide(start + i * element, static_cast<std::uint32_t>(count)))
            << element << ' ' << i;
      }
    }
  }
}

TEST(TermBytes, AnOffsetThatIsNeverInBoundsReadsZerosAndWritesNothing) {
  TermStore terms;
  TermBytes bytes = TermBytes::zeroed(8);
  const Term odd = terms.add(terms.shl(terms.variable(64, "i"), terms.constant(64, 3)), terms.constant(64, 7));
  bytes.store(terms, odd, terms.ones(32), terms.boolean(true));
  EXPECT_EQ(bytes.load(terms, 0, 8), terms.zero(64));
  EXPECT_EQ(bytes.load(terms, odd, 2), terms.zero(16));
}

}  // namespace
}  // namespace plumb::semantics
