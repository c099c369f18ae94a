// A big-endian object is a little-endian one whose bytes are read from the other end: what is stored at an offset of
// one and at its mirror image in the other is read alike, with any sizes, at known and at symbolic offsets.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "semantics/memory/term_bytes.h"
#include "term/evaluator.h"

namespace plumb::semantics {
namespace {

using term::Term;
using term::TermStore;

/// An object and its mirror image.
class Mirror {
 public:
  Mirror(std::uint64_t size, std::uint32_t seed) : random_(seed), size_(size) {
    std::vector<std::uint8_t> bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_());
    little_ = TermBytes(bytes, size);
    std::ranges::reverse(bytes);
    big_ = TermBytes(bytes, size, {.order = ByteOrder::Big});
  }

  void step() {
    const std::uint32_t count = 1U << random_() % 5;
    const std::uint64_t offset = random_() % (size_ - count + 1);
    switch (random_() % 7) {
      case 0:
      case 1:
        return store(offset, value(count * 8));
      case 2:
        return store_somewhere(value(count * 8), count);
      case 3: {
        const Term byte = value(8);
        little_.fill(terms, offset, count, byte);
        return big_.fill(terms, mirrored(offset, count), count, byte);
      }
      case 4: {
        const std::uint64_t from = random_() % (size_ - count + 1);
        little_.copy(terms, offset, little_, from, count);
        return big_.copy(terms, mirrored(offset, count), big_, mirrored(from, count), count);
      }
      case 5:
        return compare(little_.load(terms, offset, count), big_.load(terms, mirrored(offset, count), count));
      default: {
        const auto [a, b] = places(count);
        compare(little_.load(terms, a, count), big_.load(terms, b, count));
      }
    }
  }
  std::uint64_t compared() const { return compared_; }

  TermStore terms;

 private:
  std::uint64_t mirrored(std::uint64_t offset, std::uint32_t count) const { return size_ - count - offset; }

  Term value(std::uint32_t width) {
    BitVector number(width, 0);
    for (std::uint32_t i = 0; i < width; ++i) number.set_bit(i, random_() % 2 != 0);
    if (random_() % 3 == 0) return terms.constant(number);
    const Term variable = terms.variable(width, "v");
    assignment_[variable] = number;
    return variable;
  }
  void store(std::uint64_t offset, Term stored) {
    little_.store(terms, offset, stored);
    big_.store(terms, mirrored(offset, terms.width(stored) / 8), stored);
  }
  /// A symbolic offset that is in bounds, and its image.
  std::pair<Term, Term> places(std::uint32_t count) {
    const Term offset = terms.variable(64, "at");
    assignment_[offset] = BitVector(64, random_() % (size_ - count + 1));
    return {offset, terms.sub(terms.constant(64, size_ - count), offset)};
  }
  void store_somewhere(Term stored, std::uint32_t count) {
    const auto [a, b] = places(count);
    little_.store(terms, a, stored, terms.boolean(true));
    big_.store(terms, b, stored, terms.boolean(true));
  }
  void compare(Term a, Term b) {
    ++compared_;
    term::Evaluator evaluator(terms, assignment_);
    const BitVector little = evaluator.bits(a);
    EXPECT_EQ(little, evaluator.bits(b));
  }

  std::mt19937 random_;
  std::uint64_t size_;
  TermBytes little_, big_;
  term::Assignment assignment_;
  std::uint64_t compared_ = 0;
};

TEST(ByteOrder, ABigEndianObjectIsTheMirrorImageOfALittleEndianOne) {
  std::uint64_t compared = 0;
  for (std::uint32_t seed = 0; seed < 40 && !HasFailure(); ++seed) {
    Mirror mirror(seed % 2 == 0 ? 24 : 300, seed);  // choices between offsets, and arrays
    for (int i = 0; i < 60 && !HasFailure(); ++i) mirror.step();
    compared += mirror.compared();
  }
  EXPECT_GT(compared, 400U);
}

TEST(ByteOrder, TheFirstByteOfABigEndianWordIsItsHighest) {
  TermStore terms;
  TermBytes bytes({}, 8, {.order = ByteOrder::Big});
  const Term word = terms.variable(32, "w");
  bytes.store(terms, 2, word);
  EXPECT_EQ(bytes.load(terms, 2, 4), word);
  EXPECT_EQ(bytes.load(terms, 2, 1), terms.extract(word, 31, 24));
  EXPECT_EQ(bytes.load(terms, 3, 2), terms.extract(word, 23, 8));
  EXPECT_EQ(bytes.load(terms, 4, 4), terms.concat(terms.extract(word, 15, 0), terms.zero(16)));
  bytes.store(terms, 0, terms.constant(32, 0x11223344));
  EXPECT_EQ(bytes.number(0), 0x11);
  EXPECT_EQ(bytes.load(terms, 1, 2), terms.constant(16, 0x2233));
}

TEST(ByteOrder, WideNumbersAreTurnedAroundAsAWhole) {
  ConcreteBytes bytes = ConcreteBytes::zeroed(16);
  const std::uint64_t words[] = {0x0102030405060708, 0x090a0b0c0d0e0f10};
  const BitVector wide = BitVector::from_words(128, words);
  bytes.store_wide(0, wide, ByteOrder::Big);
  EXPECT_EQ(bytes.load(0, 1), 0x09U);
  EXPECT_EQ(bytes.load(15, 1), 0x08U);
  EXPECT_EQ(bytes.load_wide(0, 16, ByteOrder::Big), wide);
  EXPECT_EQ(bytes.load_wide(1, 3, ByteOrder::Big), BitVector(24, 0x0a0b0c));
}

}  // namespace
}  // namespace plumb::semantics
