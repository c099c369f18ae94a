#include <gtest/gtest.h>

#include "unit/lang/tiny/mistakes_of.h"

namespace plumb::tiny {
namespace {

Options bits(std::uint32_t width, bool is_signed = false) {
  Options options;
  options.int_width = width;
  options.is_signed = is_signed;
  return options;
}

std::string with_array(std::uint64_t size, const std::string& text, std::uint32_t width = 4) {
  Options options = bits(width);
  options.array_size = size;
  return mistakes_of(text, options);
}

TEST(TinySizes, RefusesWidthsAndSizesOfZero) {
  EXPECT_EQ(mistakes_of("void main() { }", bits(0)), "0:0: an int has 1 to 64 bits, found 0 | use -b 8, for example\n");
  EXPECT_EQ(mistakes_of("void main() { }", bits(65)),
            "0:0: an int has 1 to 64 bits, found 65 | use -b 8, for example\n");
  EXPECT_EQ(with_array(0, "void main() { }"),
            "0:0: an array has at least one element, found a size of 0 | use --array 1 or more\n");
  Options options;
  options.stack_size = 0;
  EXPECT_EQ(mistakes_of("void main() { }", options),
            "0:0: the stack holds at least one call, found a size of 0 | use --stack 1 or more\n");
}

TEST(TinySizes, DefaultsArraysToTheGreatestInt) {
  EXPECT_EQ(bits(4).max_array_size(), 15U);
  EXPECT_EQ(bits(4, true).max_array_size(), 7U);
  EXPECT_EQ(bits(1).max_array_size(), 1U);
  EXPECT_EQ(bits(1, true).max_array_size(), 1U);
  EXPECT_EQ(bits(64).max_array_size(), 65535U);
  EXPECT_EQ(bits(4).max_stack_size(), 15U);
}

/// Exactly the numbers of each width are accepted, with and without sign.
TEST(TinySizes, AcceptsExactlyTheNumbersThatFit) {
  for (std::uint32_t width = 1; width <= 5; ++width)
    for (std::uint64_t number = 0; number <= 40; ++number) {
      const auto accepts = [&](const std::string& literal, bool is_signed) {
        return mistakes_of("void main() { int x = " + literal + "; x = x; }", bits(width, is_signed)) == "accepted";
      };
      const std::uint64_t most = (std::uint64_t{1} << width) - 1;
      const std::string text = std::to_string(number);
      EXPECT_EQ(accepts(text, false), number <= most) << width << " " << number;
      EXPECT_EQ(accepts("-" + text, false), number <= most) << width << " " << number;
      EXPECT_EQ(accepts(text, true), number <= most / 2) << width << " " << number;
      EXPECT_EQ(accepts("-" + text, true), number <= most / 2 + 1) << width << " " << number;
    }
  EXPECT_EQ(mistakes_of("void main() { int x = 18446744073709551615; x = x; }", bits(64)), "accepted");
}

TEST(TinySizes, SaysWhatAnIntCanHold) {
  EXPECT_EQ(mistakes_of("void main() {\n  int x = 16; x = 99; }", bits(4)),
            "2:11: the number 16 does not fit: an int of 4 bits is 0 to 15 | use more bits (-b)\n"
            "2:19: the number 99 does not fit: an int of 4 bits is 0 to 15 | use more bits (-b)\n");
  EXPECT_EQ(mistakes_of("void main() { int x = -9; x = x; }", bits(4, true)),
            "1:24: the number -9 does not fit: an int of 4 bits is -8 to 7 | use more bits (-b)\n");
}

TEST(TinySizes, RefusesReversedConstantRanges) {
  const auto range = [](const std::string& bounds, bool is_signed = false) {
    return mistakes_of("const int N = 3; const int MINUS = -1; int n; void main() { n = N + MINUS; assert(forall(i:[" +
                           bounds + "]) { i < n }); }",
                       bits(4, is_signed));
  };
  EXPECT_EQ(range("5..3"), "1:93: the range of 'i' is reversed: 5 is greater than 3 | write the lower bound first\n");
  EXPECT_EQ(range("0..-1"), "1:93: the range of 'i' is reversed: 0 is greater than -1 | write the lower bound first\n");
  EXPECT_NE(range("N..N-1"), "accepted");
  EXPECT_NE(range("0..N-4"), "accepted");
  EXPECT_EQ(range("N..N"), "accepted");
  EXPECT_EQ(range("0..n-1"), "accepted");
  EXPECT_EQ(range("n..0"), "accepted");
  EXPECT_EQ(range("-1..0"), "accepted");
  // A constant is a word, and unsigned that of -1 is the greatest.
  EXPECT_EQ(range("0..MINUS"), "accepted");
  EXPECT_NE(range("0..MINUS", true), "accepted");
}

TEST(TinySizes, AcceptsRangesUpToTheArraySizeAtEverySize) {
  EXPECT_EQ(with_array(1, "void main() { int a[]; assert(forall(i:[0..MAX_ARRAY_SIZE-2]) { a[i] > 0 }); }"),
            "accepted");
}

TEST(TinySizes, RefusesArraysThatIndicesCannotReach) {
  EXPECT_EQ(mistakes_of("int a[16]; void main() { a[0] = 1; }", bits(4)), "accepted");
  EXPECT_EQ(mistakes_of("int a[17]; void main() { a[0] = 1; }", bits(4)),
            "1:5: the array 'a' has 17 elements, more than an index can name: an int of 4 bits is 0 to 15 | use more "
            "bits (-b)\n");
  EXPECT_EQ(mistakes_of("int a[9]; void main() { a[0] = 1; }", bits(4, true)),
            "1:5: the array 'a' has 9 elements, more than an index can name: an int of 4 bits is -8 to 7 | use more "
            "bits (-b)\n");
  EXPECT_EQ(
      with_array(20, "void main() { int a[]; a[0] = 1; }"),
      "1:19: the array 'a' has 20 elements, more than an index can name: an int of 4 bits is 0 to 15 | use more bits "
      "(-b) or smaller arrays (--array)\n");
  EXPECT_EQ(with_array(16, "void main() { int x = MAX_ARRAY_SIZE; x = x; }"),
            "1:23: MAX_ARRAY_SIZE is 16 and does not fit: an int of 4 bits is 0 to 15 | use more bits (-b) or smaller "
            "arrays (--array)\n");
  EXPECT_EQ(mistakes_of("void main() { int a[][]; a[0][0] = 1; }", bits(16)),
            "1:19: the array 'a' has more than 1048576 elements | use smaller arrays (--array)\n");
}

TEST(TinySizes, RefusesConstantsThatOverflowOrDivideByZero) {
  const auto constant = [](const std::string& value) {
    return mistakes_of("const int N = 3; const int C = " + value + "; void main() { int x = C + N; x = x; }", bits(4));
  };
  EXPECT_EQ(constant("N * 5"), "accepted");
  EXPECT_EQ(constant("-1"), "accepted");
  EXPECT_EQ(constant("N * 6"),
            "1:34: the value of this constant does not fit: an int of 4 bits is 0 to 15 | use more bits (-b)\n");
  EXPECT_EQ(constant("N - 4"),
            "1:34: the value of this constant does not fit: an int of 4 bits is 0 to 15 | use more bits (-b)\n");
  EXPECT_EQ(constant("-N"),
            "1:32: the value of this constant does not fit: an int of 4 bits is 0 to 15 | use more bits (-b)\n");
  EXPECT_EQ(constant("N / (N - 3)"), "1:34: a constant is divided by zero\n");
  EXPECT_EQ(constant("N == 3 || N / 0 == 1 ? N : N * 9"), "accepted");
}

}  // namespace
}  // namespace plumb::tiny
