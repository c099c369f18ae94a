#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "lower_text.h"

namespace plumb::frontend {
namespace {

using Lanes = std::vector<std::uint64_t>;

/// A call of an intrinsic; types are LLVM's, parameters become %0, %1 and so on.
class X86Call {
 public:
  X86Call(const std::string& result, const std::string& name, const std::vector<std::string>& types,
          const std::string& constants = "") {
    std::string declared;
    std::string given;
    for (std::size_t i = 0; i < types.size(); ++i) {
      declared += fmt::format("{}{}", i == 0 ? "" : ", ", types[i]);
      given += fmt::format("{}{} %{}", i == 0 ? "" : ", ", types[i], i);
    }
    const std::string constant_types = constants.substr(0, constants.rfind(' '));
    program_ = lower_text(fmt::format(
        "declare {0} @llvm.x86.{1}({2}{3})\ndefine {0} @f({2}) {{\n %r = call {0} @llvm.x86.{1}({4}{5})\n ret {0} "
        "%r\n}}",
        result, name, declared, constant_types, given, constants));
  }

  Lanes operator()(const std::vector<Lanes>& operands) const {
    const Function& f = function(program_, "f");
    std::vector<BitVector> arguments;
    for (const Lanes& operand : operands)
      for (const std::uint64_t lane : operand)
        arguments.emplace_back(f.values[f.parameters[arguments.size()]].width, lane);
    Lanes made;
    for (const BitVector& value : evaluate(f, arguments)) made.push_back(value.to_uint64());
    return made;
  }

 private:
  Program program_;
};

Lanes repeated(std::size_t count, std::uint64_t value) { return Lanes(count, value); }

/// Values at the borders as often as any others.
Lanes some_lanes(std::mt19937_64& random, std::size_t count, std::uint32_t width) {
  const std::uint64_t all = BitVector::ones(width).to_uint64();
  const std::array borders{std::uint64_t{0}, std::uint64_t{1}, all, all >> 1, (all >> 1) + 1};
  Lanes lanes;
  for (std::size_t i = 0; i < count; ++i)
    lanes.push_back(random() % 2 == 0 ? random() & all : borders[random() % borders.size()]);
  return lanes;
}

std::int64_t as_signed(std::uint64_t value, std::uint32_t width) { return BitVector(width, value).to_int64(); }

TEST(LowerX86, AveragesOfBytesRoundUpForAllPairs) {
  const X86Call average("<32 x i8>", "avx2.pavg.b", {"<32 x i8>", "<32 x i8>"});
  for (std::uint64_t a = 0; a < 256; ++a)
    for (std::uint64_t first = 0; first < 256; first += 32) {
      Lanes b;
      for (std::uint64_t i = 0; i < 32; ++i) b.push_back(first + i);
      const Lanes made = average({repeated(32, a), b});
      for (std::size_t i = 0; i < 32; ++i) ASSERT_EQ(made[i], (a + b[i] + 1) / 2) << a << ", " << b[i];
    }
}

TEST(LowerX86, PacksClampEveryWordToTheRangeOfABytePerGroupOf128Bits) {
  const X86Call to_signed("<32 x i8>", "avx2.packsswb", {"<16 x i16>", "<16 x i16>"});
  const X86Call to_unsigned("<32 x i8>", "avx2.packuswb", {"<16 x i16>", "<16 x i16>"});
  for (std::uint64_t first = 0; first < 65536; first += 32) {
    std::vector<Lanes> operands(2);
    for (std::uint64_t i = 0; i < 32; ++i) operands[i / 16].push_back(first + i);
    const Lanes narrow = to_signed(operands);
    const Lanes positive = to_unsigned(operands);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint64_t word = operands[i / 8 % 2][i / 16 * 8 + i % 8];
      const std::int64_t value = as_signed(word, 16);
      ASSERT_EQ(narrow[i], static_cast<std::uint64_t>(std::clamp<std::int64_t>(value, -128, 127)) & 0xff) << value;
      ASSERT_EQ(positive[i], static_cast<std::uint64_t>(std::clamp<std::int64_t>(value, 0, 255))) << value;
    }
  }
}

TEST(LowerX86, HighAndRoundedProductsAreThoseOfTheWholeProduct) {
  const std::vector<std::string> types{"<8 x i16>", "<8 x i16>"};
  const X86Call high("<8 x i16>", "sse2.pmulh.w", types);
  const X86Call high_unsigned("<8 x i16>", "sse2.pmulhu.w", types);
  const X86Call rounded("<8 x i16>", "ssse3.pmul.hr.sw.128", types);
  const X86Call sums("<4 x i32>", "sse2.pmadd.wd", types);
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    const Lanes a = some_lanes(random, 8, 16);
    const Lanes b = some_lanes(random, 8, 16);
    std::array<std::int64_t, 8> products{};
    for (std::size_t i = 0; i < 8; ++i) {
      products[i] = as_signed(a[i], 16) * as_signed(b[i], 16);
      ASSERT_EQ(high({a, b})[i], static_cast<std::uint64_t>(products[i] >> 16) & 0xffff);
      ASSERT_EQ(high_unsigned({a, b})[i], a[i] * b[i] >> 16);
      ASSERT_EQ(rounded({a, b})[i], static_cast<std::uint64_t>(((products[i] >> 14) + 1) >> 1) & 0xffff);
    }
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_EQ(sums({a, b})[i], static_cast<std::uint64_t>(products[2 * i] + products[2 * i + 1]) & 0xffffffff);
  }
}

TEST(LowerX86, ByteProductsAndDifferencesAddUpAsDefined) {
  const X86Call products("<8 x i16>", "ssse3.pmadd.ub.sw.128", {"<16 x i8>", "<16 x i8>"});
  const X86Call distances("<2 x i64>", "sse2.psad.bw", {"<16 x i8>", "<16 x i8>"});
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    const Lanes a = some_lanes(random, 16, 8);
    const Lanes b = some_lanes(random, 16, 8);
    const Lanes made = products({a, b});
    std::array<std::uint64_t, 2> expected{};
    for (std::size_t i = 0; i < 16; i += 2) {
      const std::int64_t sum = static_cast<std::int64_t>(a[i]) * as_signed(b[i], 8) +
                               static_cast<std::int64_t>(a[i + 1]) * as_signed(b[i + 1], 8);
      ASSERT_EQ(made[i / 2], static_cast<std::uint64_t>(std::clamp<std::int64_t>(sum, -32768, 32767)) & 0xffff);
      for (const std::size_t j : {i, i + 1}) expected[j / 8] += std::max(a[j], b[j]) - std::min(a[j], b[j]);
    }
    ASSERT_EQ(distances({a, b}), Lanes(expected.begin(), expected.end()));
  }
}

TEST(LowerX86, CountsBeyondTheWidthShiftEverythingOut) {
  for (std::uint64_t count = 0; count < 40; ++count) {
    const std::uint64_t value = 0x9234;
    const std::uint64_t left = count < 16 ? value << count & 0xffff : 0;
    const std::uint64_t right = count < 16 ? value >> count : 0;
    const std::uint64_t arithmetic = static_cast<std::uint64_t>(as_signed(value, 16) >> std::min(count, 15UL)) & 0xffff;
    for (const bool is_vector : {false, true}) {
      const auto shifted = [&](const char* vector_form, const char* number_form) {
        const X86Call call("<8 x i16>", is_vector ? vector_form : number_form,
                           {"<8 x i16>", is_vector ? "<8 x i16>" : "i32"});
        // The upper half of a vector of counts does not matter.
        return call({repeated(8, value), is_vector ? Lanes{count, 0, 0, 0, 7, 7, 7, 7} : Lanes{count}});
      };
      EXPECT_EQ(shifted("sse2.psll.w", "sse2.pslli.w"), repeated(8, left)) << count;
      EXPECT_EQ(shifted("sse2.psrl.w", "sse2.psrli.w"), repeated(8, right)) << count;
      EXPECT_EQ(shifted("sse2.psra.w", "sse2.psrai.w"), repeated(8, arithmetic)) << count;
    }
  }
  const X86Call call("<8 x i16>", "sse2.psll.w", {"<8 x i16>", "<8 x i16>"});
  EXPECT_EQ(call({repeated(8, 1), {0, 0, 0, 1, 0, 0, 0, 0}}), repeated(8, 0));
}

TEST(LowerX86, BytesAreShuffledWithinTheirGroup) {
  const X86Call shuffle("<32 x i8>", "avx2.pshuf.b", {"<32 x i8>", "<32 x i8>"});
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const Lanes a = some_lanes(random, 32, 8);
    const Lanes index = some_lanes(random, 32, 8);
    const Lanes made = shuffle({a, index});
    for (std::size_t i = 0; i < 32; ++i)
      ASSERT_EQ(made[i], index[i] >= 128 ? 0 : a[i / 16 * 16 + index[i] % 16]) << index[i];
  }
}

TEST(LowerX86, ShufflesByConstantsNeedNoInstruction) {
  const Program program = lower_text(
      "declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)\n"
      "define <16 x i8> @f(<16 x i8> %a) {\n %r = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %a, "
      "<16 x i8> <i8 15, i8 14, i8 13, i8 12, i8 11, i8 10, i8 9, i8 8, i8 7, i8 6, i8 5, i8 4, i8 3, i8 2, i8 1, "
      "i8 -1>)\n ret <16 x i8> %r\n}");
  EXPECT_EQ(function(program, "f").instructions.size(), 1U);
  std::vector<BitVector> arguments;
  for (std::uint64_t i = 0; i < 16; ++i) arguments.emplace_back(8, 100 + i);
  const auto made = evaluate(function(program, "f"), arguments);
  EXPECT_EQ(made.front().to_uint64(), 115U);
  EXPECT_EQ(made.back().to_uint64(), 0U);
}

TEST(LowerX86, MasksCollectSignsLowestLaneFirst) {
  const X86Call mask("i32", "sse2.pmovmskb.128", {"<16 x i8>"});
  for (std::uint64_t expected = 0; expected < 65536; expected += 257) {
    Lanes a;
    for (std::uint32_t i = 0; i < 16; ++i) a.push_back((expected >> i & 1) != 0 ? 0x80 + i : 0x7f - i);
    EXPECT_EQ(mask({a}), Lanes{expected});
  }
}

std::array<std::uint64_t, 2> carryless(std::uint64_t a, std::uint64_t b) {
  std::array<std::uint64_t, 2> product{};
  for (unsigned i = 0; i < 64; ++i) {
    if ((b >> i & 1) == 0) continue;
    product[0] ^= a << i;
    if (i > 0) product[1] ^= a >> (64 - i);
  }
  return product;
}

TEST(LowerX86, CarrylessProductsTakeTheHalvesThatAreNamed) {
  std::mt19937_64 random(4);
  for (const unsigned choice : {0x00U, 0x01U, 0x10U, 0x11U}) {
    const X86Call multiply("<2 x i64>", "pclmulqdq", {"<2 x i64>", "<2 x i64>"}, fmt::format(", i8 {}", choice));
    for (int round = 0; round < 50; ++round) {
      const Lanes a = some_lanes(random, 2, 64);
      const Lanes b = some_lanes(random, 2, 64);
      const auto expected = carryless(a[choice & 1], b[choice >> 4]);
      ASSERT_EQ(multiply({a, b}), Lanes(expected.begin(), expected.end()));
    }
  }
}

TEST(LowerX86, CarrylessProductsByAConstantAreTheSameOnBothSides) {
  std::mt19937_64 random(5);
  const std::uint64_t constant = 0x1c6e41596;
  for (const char* arguments :
       {"<2 x i64> %0, <2 x i64> <i64 7631803798, i64 0>", "<2 x i64> <i64 7631803798, i64 0>, <2 x i64> %0"}) {
    const Program program = lower_text(fmt::format(
        "declare <2 x i64> @llvm.x86.pclmulqdq(<2 x i64>, <2 x i64>, i8)\ndefine <2 x i64> @f(<2 x i64>) {{\n %r = "
        "call <2 x i64> @llvm.x86.pclmulqdq({}, i8 0)\n ret <2 x i64> %r\n}}",
        arguments));
    for (int round = 0; round < 50; ++round) {
      const std::uint64_t a = random();
      const auto made = evaluate(function(program, "f"), {BitVector(64, a), BitVector(64, random())});
      EXPECT_EQ(made.at(0).to_uint64(), carryless(a, constant)[0]);
      EXPECT_EQ(made.at(1).to_uint64(), carryless(a, constant)[1]);
    }
  }
}

TEST(LowerX86, CyclicChecksGiveTheCheckValueOfCrc32cAtEveryWidth) {
  const X86Call by_8("i32", "sse42.crc32.32.8", {"i32", "i8"});
  const X86Call by_16("i32", "sse42.crc32.32.16", {"i32", "i16"});
  const X86Call by_32("i32", "sse42.crc32.32.32", {"i32", "i32"});
  const X86Call by_64("i64", "sse42.crc32.64.64", {"i64", "i64"});
  const auto bytes = [](unsigned first, unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= static_cast<std::uint64_t>('1' + first + i) << (8 * i);
    return value;
  };
  const auto check = [&](std::uint64_t crc) { return (by_8({{crc}, {'9'}})[0] ^ 0xffffffff) == 0xe3069283; };
  const std::uint64_t start = 0xffffffff;
  std::array<std::uint64_t, 3> crcs{start, start, start};
  for (unsigned i = 0; i < 8; i += 1) crcs[0] = by_8({{crcs[0]}, {bytes(i, 1)}})[0];
  for (unsigned i = 0; i < 8; i += 2) crcs[1] = by_16({{crcs[1]}, {bytes(i, 2)}})[0];
  for (unsigned i = 0; i < 8; i += 4) crcs[2] = by_32({{crcs[2]}, {bytes(i, 4)}})[0];
  for (const std::uint64_t crc : crcs) EXPECT_TRUE(check(crc));
  // The upper half of the start is ignored, that of the result is zero.
  const std::uint64_t whole = by_64({{start | 0xabcdULL << 40}, {bytes(0, 8)}})[0];
  EXPECT_EQ(whole >> 32, 0U);
  EXPECT_TRUE(check(whole));
}

TEST(LowerX86, BitsAreExtractedAndDepositedUnderAMask) {
  const X86Call extract("i32", "bmi.pext.32", {"i32", "i32"});
  const X86Call deposit("i32", "bmi.pdep.32", {"i32", "i32"});
  std::mt19937_64 random(6);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t value = some_lanes(random, 1, 32)[0];
    const std::uint64_t mask = some_lanes(random, 1, 32)[0];
    std::uint64_t extracted = 0;
    std::uint64_t deposited = 0;
    unsigned place = 0;
    for (unsigned i = 0; i < 32; ++i) {
      if ((mask >> i & 1) == 0) continue;
      extracted |= (value >> i & 1) << place;
      deposited |= (value >> place & 1) << i;
      ++place;
    }
    ASSERT_EQ(extract({{value}, {mask}}), Lanes{extracted});
    ASSERT_EQ(deposit({{value}, {mask}}), Lanes{deposited});
  }
}

TEST(LowerX86, CarriesAndBorrowsComeBesideTheResult) {
  const X86Call add("{ i8, i64 }", "addcarry.64", {"i8", "i64", "i64"});
  const X86Call subtract("{ i8, i64 }", "subborrow.64", {"i8", "i64", "i64"});
  const std::uint64_t top = ~std::uint64_t{0};
  EXPECT_EQ(add({{0}, {top}, {0}}), (Lanes{0, top}));
  EXPECT_EQ(add({{1}, {top}, {0}}), (Lanes{1, 0}));
  EXPECT_EQ(add({{255}, {top}, {top}}), (Lanes{1, top}));
  EXPECT_EQ(subtract({{0}, {5}, {5}}), (Lanes{0, 0}));
  EXPECT_EQ(subtract({{2}, {5}, {5}}), (Lanes{1, top}));
  EXPECT_EQ(subtract({{1}, {0}, {top}}), (Lanes{1, 0}));
}

TEST(LowerX86, AnInstructionWithoutALoweringIsNamed) {
  const Program program = lower_text(
      "declare <2 x i64> @llvm.x86.aesni.aesenc(<2 x i64>, <2 x i64>)\ndefine <2 x i64> @f(<2 x i64> %a) {\n %r = "
      "call <2 x i64> @llvm.x86.aesni.aesenc(<2 x i64> %a, <2 x i64> %a)\n ret <2 x i64> %r\n}");
  const auto halts = of_kind(function(program, "f"), Kind::Halt);
  ASSERT_EQ(halts.size(), 1U);
  EXPECT_EQ(program.messages[halts[0]->parameter], "intrinsic 'llvm.x86.aesni.aesenc'");
}

}  // namespace
}  // namespace plumb::frontend
