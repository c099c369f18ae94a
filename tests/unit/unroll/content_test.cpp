#include "unroll/content.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "term/evaluator.h"

namespace plumb::unroll {
namespace {

/// A content and what its bytes are under one assignment of its variables.
struct Modelled {
  Content content;
  std::vector<std::uint8_t> bytes;
};

class ContentTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  Term value(std::uint32_t width) {
    const std::uint64_t number = random_();
    if (random_() % 3 == 0) return terms_.constant(width, number);
    const Term made = terms_.variable(width, "v");
    assignment_[made] = BitVector(width, number);
    return made;
  }
  BitVector bits(Term t) {
    term::Evaluator evaluator(terms_, assignment_);
    return evaluator.bits(t);
  }
  /// An offset in bounds, as a number or a term, and sometimes a multiple of the size.
  Term offset(std::uint64_t size, std::uint64_t count, std::uint64_t& number) {
    const bool is_aligned = random_() % 2 == 0;
    number = random_() % (size - count + 1);
    if (is_aligned) number -= number % count;
    if (random_() % 3 == 0) return terms_.constant(64, number);
    const std::uint64_t scale = is_aligned ? count : 1;
    const Term index = terms_.variable(64, "i");
    assignment_[index] = BitVector(64, number / scale);
    return terms_.mul(index, terms_.constant(64, scale));
  }
  void store(Modelled& m) {
    const std::uint64_t count = std::uint64_t{1} << random_() % 4;
    std::uint64_t at = 0;
    const Term where = offset(m.bytes.size(), count, at);
    const Term what = value(static_cast<std::uint32_t>(count * 8));
    const Term when = random_() % 2 == 0 ? terms_.boolean(true) : value(1);
    m.content.store(unknowns_, where, what, when);
    if (bits(when).is_zero()) return;
    for (std::uint64_t i = 0; i < count; ++i)
      m.bytes[at + i] = static_cast<std::uint8_t>(bits(what).to_uint64() >> (8 * i));
  }
  void expect_equal(const Modelled& m) {
    for (std::uint64_t at = 0; at < m.bytes.size(); ++at)
      EXPECT_EQ(bits(m.content.load(unknowns_, at, 1)).to_uint64(), m.bytes[at]) << at;
    const std::uint64_t count = std::uint64_t{1} << random_() % 4;
    std::uint64_t at = 0;
    const BitVector loaded = bits(m.content.load(unknowns_, offset(m.bytes.size(), count, at), count));
    for (std::uint64_t i = 0; i < count; ++i)
      EXPECT_EQ(static_cast<std::uint8_t>(loaded.to_uint64() >> (8 * i)), m.bytes[at + i]);
  }

  TermStore terms_;
  Unknowns unknowns_{terms_};
  term::Assignment assignment_;
  std::mt19937_64 random_{7};
};

TEST_P(ContentTest, StoresCopiesAndChoicesAreThoseOfBytes) {
  for (int round = 0; round < 15; ++round) {
    Modelled a{Content::of(0, {}, GetParam()), std::vector<std::uint8_t>(GetParam())};
    for (int i = 0; i < 4; ++i) store(a);
    Modelled b = a;
    for (int i = 0; i < 3; ++i) store(a);
    for (int i = 0; i < 3; ++i) store(b);
    const std::uint64_t count = random_() % (GetParam() / 2);
    const std::uint64_t from = random_() % (GetParam() - count), to = random_() % (GetParam() - count);
    b.content.copy(unknowns_, to, b.content, from, count);
    std::memmove(b.bytes.data() + to, b.bytes.data() + from, count);
    expect_equal(a);
    expect_equal(b);
    const Term condition = value(1);
    expect_equal(
        {Content::choice(unknowns_, condition, a.content, b.content), bits(condition).is_one() ? a.bytes : b.bytes});
  }
}

// The last one is an array as soon as something is stored at an offset that is not known.
INSTANTIATE_TEST_SUITE_P(Sizes, ContentTest, testing::Values(8, 24, 100, 512), testing::PrintToStringParamName());

TEST(Content, WhatWasNeverWrittenIsTheSameAtEachRead) {
  TermStore terms;
  Unknowns unknowns(terms);
  const Content content = Content::unwritten(3, 16);
  EXPECT_EQ(content.load(unknowns, 4, 4), content.load(unknowns, 4, 4));
  Content copy = Content::unwritten(4, 16);
  EXPECT_NE(copy.load(unknowns, 4, 4), content.load(unknowns, 4, 4));
  copy.copy(unknowns, 4, content, 4, 4);
  EXPECT_EQ(copy.load(unknowns, 4, 4), content.load(unknowns, 4, 4));
}

TEST(Content, AWordThatWasWrittenIsTheWordThatIsRead) {
  TermStore terms;
  Unknowns unknowns(terms);
  Content content = Content::of(0, {}, 64);
  const Term word = terms.variable(32, "w");
  content.store(unknowns, 8, word);
  EXPECT_EQ(content.load(unknowns, 8, 4), word);
}

}  // namespace
}  // namespace plumb::unroll
