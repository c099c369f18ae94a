#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "lower_text.h"

namespace plumb::frontend {
namespace {

using Unary = std::function<std::uint64_t(std::uint64_t)>;
using Binary = std::function<std::uint64_t(std::uint64_t, std::uint64_t)>;

constexpr std::uint32_t kWidths[] = {1, 2, 3, 5, 8};

std::uint64_t mask(std::uint32_t width) { return (std::uint64_t{1} << width) - 1; }
std::int64_t as_signed(std::uint64_t value, std::uint32_t width) { return BitVector(width, value).to_int64(); }

void expect_unary(const std::string& call, std::uint32_t width, const Unary& expected) {
  const Program program = lower_text(fmt::format(
      "declare i{0} @llvm.{1}\ndefine i{0} @f(i{0} %a) {{\n %r = call i{0} @llvm.{2}\n ret i{0} %r\n}}", width,
      fmt::vformat(call, fmt::make_format_args(width, "")), fmt::vformat(call, fmt::make_format_args(width, " %a"))));
  for (std::uint64_t a = 0; a <= mask(width); ++a) {
    const auto result = evaluate(function(program, "f"), {BitVector(width, a)});
    ASSERT_EQ(result.at(0).to_uint64(), expected(a) & mask(width)) << call << " of " << a << ", width " << width;
  }
}

/// `text` defines f(a, b) on i`width`.
void expect_binary(const std::string& text, std::uint32_t width, const Binary& expected) {
  const Program program = lower_text(text);
  const Function& f = function(program, "f");
  for (std::uint64_t a = 0; a <= mask(width); ++a)
    for (std::uint64_t b = 0; b <= mask(width); ++b) {
      const auto result = evaluate(f, {BitVector(width, a), BitVector(width, b)});
      ASSERT_EQ(result.at(0).to_uint64(), expected(a, b) & mask(f.result_widths[0])) << text << a << ", " << b;
    }
}

std::string intrinsic_of_two(const std::string& name, std::uint32_t width) {
  return fmt::format(
      "declare i{0} @llvm.{1}.i{0}(i{0}, i{0})\ndefine i{0} @f(i{0} %a, i{0} %b) {{\n %r = call i{0} "
      "@llvm.{1}.i{0}(i{0} %a, i{0} %b)\n ret i{0} %r\n}}",
      width, name);
}

TEST(LoweringValues, BitCountsAreRightForEveryValueOfSmallWidths) {
  for (const std::uint32_t width : kWidths) {
    expect_unary("ctpop.i{0}(i{0}{1})", width, [](std::uint64_t a) { return std::popcount(a); });
    const Unary leading = [&](std::uint64_t a) { return std::countl_zero(a) - 64 + static_cast<int>(width); };
    expect_unary("bitreverse.i{0}(i{0}{1})", width, [&](std::uint64_t a) {
      std::uint64_t reversed = 0;
      for (std::uint32_t i = 0; i < width; ++i) reversed |= ((a >> i) & 1) << (width - 1 - i);
      return reversed;
    });
    const auto count = [&](const char* name, const Unary& expected) {
      const Program program =
          lower_text(fmt::format("declare i{0} @llvm.{1}.i{0}(i{0}, i1)\ndefine i{0} @f(i{0} %a) {{\n %r = call i{0} "
                                 "@llvm.{1}.i{0}(i{0} %a, i1 "
                                 "false)\n ret i{0} %r\n}}",
                                 width, name));
      for (std::uint64_t a = 0; a <= mask(width); ++a)
        ASSERT_EQ(evaluate(function(program, "f"), {BitVector(width, a)}).at(0).to_uint64(), expected(a) & mask(width))
            << name << " of " << a << ", width " << width;
    };
    count("ctlz", leading);
    count("cttz", [&](std::uint64_t a) { return std::min<std::uint64_t>(std::countr_zero(a), width); });
  }
}

TEST(LoweringValues, SwappedBytesAreReversed) {
  const Program program = lower_text(
      "declare i48 @llvm.bswap.i48(i48)\ndefine i48 @f(i48 %a) {\n %r = call i48 @llvm.bswap.i48(i48 %a)\n ret i48 "
      "%r\n}");
  const auto result = evaluate(function(program, "f"), {BitVector(48, 0x010203040506)});
  EXPECT_EQ(result.at(0).to_uint64(), 0x060504030201U);
}

TEST(LoweringValues, SaturatingArithmeticClampsForEveryPairOfSmallWidths) {
  for (const std::uint32_t w : kWidths) {
    if (w > 5) continue;
    const std::int64_t high = as_signed(mask(w) >> 1, w);
    const std::int64_t low = -high - 1;
    const auto top = static_cast<std::int64_t>(mask(w));
    const auto clamp = [](std::int64_t v, std::int64_t l, std::int64_t h) {
      return static_cast<std::uint64_t>(std::clamp(v, l, h));
    };
    const auto s = [w](std::uint64_t v) { return as_signed(v, w); };
    const auto u = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    expect_binary(intrinsic_of_two("sadd.sat", w), w, [&](auto a, auto b) { return clamp(s(a) + s(b), low, high); });
    expect_binary(intrinsic_of_two("ssub.sat", w), w, [&](auto a, auto b) { return clamp(s(a) - s(b), low, high); });
    expect_binary(intrinsic_of_two("uadd.sat", w), w, [&](auto a, auto b) { return clamp(u(a) + u(b), 0, top); });
    expect_binary(intrinsic_of_two("usub.sat", w), w, [&](auto a, auto b) { return clamp(u(a) - u(b), 0, top); });
    expect_binary(intrinsic_of_two("smin", w), w, [&](auto a, auto b) { return s(a) < s(b) ? a : b; });
    expect_binary(intrinsic_of_two("smax", w), w, [&](auto a, auto b) { return s(a) > s(b) ? a : b; });
    expect_binary(intrinsic_of_two("umin", w), w, [&](auto a, auto b) { return std::min(a, b); });
    expect_binary(intrinsic_of_two("umax", w), w, [&](auto a, auto b) { return std::max(a, b); });
  }
}

TEST(LoweringValues, OverflowFlagsAreRightForEveryPairOfSmallWidths) {
  constexpr std::uint32_t kWidth = 4;
  struct Case {
    const char* name;
    bool is_signed;
    std::int64_t (*exact)(std::int64_t, std::int64_t);
  };
  const auto sum = [](std::int64_t a, std::int64_t b) { return a + b; };
  const auto difference = [](std::int64_t a, std::int64_t b) { return a - b; };
  const auto product = [](std::int64_t a, std::int64_t b) { return a * b; };
  for (const Case& c : {Case{"sadd", true, sum}, Case{"uadd", false, sum}, Case{"ssub", true, difference},
                        Case{"usub", false, difference}, Case{"smul", true, product}, Case{"umul", false, product}}) {
    const std::string text = fmt::format(
        "declare {{i4, i1}} @llvm.{0}.with.overflow.i4(i4, i4)\ndefine i1 @f(i4 %a, i4 %b) {{\n %p = call {{i4, i1}} "
        "@llvm.{0}.with.overflow.i4(i4 %a, i4 %b)\n %r = extractvalue {{i4, i1}} %p, 1\n ret i1 %r\n}}",
        c.name);
    expect_binary(text, kWidth, [&](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
      const auto read = [&](std::uint64_t v) {
        return c.is_signed ? as_signed(v, kWidth) : static_cast<std::int64_t>(v);
      };
      const std::int64_t exact = c.exact(read(a), read(b));
      return c.is_signed ? exact < -8 || exact > 7 : exact < 0 || exact > 15;
    });
  }
}

TEST(LoweringValues, FunnelShiftsTakeTheAmountModuloTheWidth) {
  for (const bool is_left : {true, false})
    for (const std::uint64_t amount : {0, 1, 4, 5, 6, 31}) {
      const std::string text = fmt::format(
          "declare i5 @llvm.{0}.i5(i5, i5, i5)\ndefine i5 @f(i5 %a, i5 %b) {{\n %r = call i5 @llvm.{0}.i5(i5 %a, i5 "
          "%b, "
          "i5 {1})\n ret i5 %r\n}}",
          is_left ? "fshl" : "fshr", amount);
      expect_binary(text, 5, [&](std::uint64_t a, std::uint64_t b) {
        const std::uint64_t both = (a << 5) | b;
        return is_left ? (both << (amount % 5)) >> 5 : both >> (amount % 5);
      });
    }
}

TEST(LoweringValues, IntegerComparisonsFollowTheirPredicate) {
  const std::pair<const char*, Binary> predicates[] = {
      {"eq", [](auto a, auto b) { return a == b; }},
      {"ne", [](auto a, auto b) { return a != b; }},
      {"ult", [](auto a, auto b) { return a < b; }},
      {"ule", [](auto a, auto b) { return a <= b; }},
      {"ugt", [](auto a, auto b) { return a > b; }},
      {"uge", [](auto a, auto b) { return a >= b; }},
      {"slt", [](auto a, auto b) { return as_signed(a, 3) < as_signed(b, 3); }},
      {"sle", [](auto a, auto b) { return as_signed(a, 3) <= as_signed(b, 3); }},
      {"sgt", [](auto a, auto b) { return as_signed(a, 3) > as_signed(b, 3); }},
      {"sge", [](auto a, auto b) { return as_signed(a, 3) >= as_signed(b, 3); }}};
  for (const auto& [name, expected] : predicates)
    expect_binary(fmt::format("define i1 @f(i3 %a, i3 %b) {{\n %r = icmp {} i3 %a, %b\n ret i1 %r\n}}", name), 3,
                  expected);
}

TEST(LoweringValues, FloatComparisonsFollowTheirPredicateOnEveryKindOfValue) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {std::nan(""), -inf, -1.5, -0.0, 0.0, 1.5, inf};
  // By whether a < b, a == b, a > b or neither can be said: the bits of LLVM's predicate encoding.
  const char* names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                         "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
  for (unsigned predicate = 0; predicate < 16; ++predicate) {
    const Program program = lower_text(fmt::format(
        "define i1 @f(double %a, double %b) {{\n %r = fcmp {} double %a, %b\n ret i1 %r\n}}", names[predicate]));
    for (const double a : values)
      for (const double b : values) {
        const unsigned relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
        const auto result = evaluate(function(program, "f"), {BitVector(64, std::bit_cast<std::uint64_t>(a)),
                                                              BitVector(64, std::bit_cast<std::uint64_t>(b))});
        EXPECT_EQ(result.at(0).to_uint64(), (predicate & relation) != 0) << names[predicate] << " " << a << " " << b;
      }
  }
}

TEST(LoweringValues, EveryClassOfFloatsIsToldFromTheOthers) {
  const std::pair<std::uint32_t, unsigned> samples[] = {
      {0x7f800001, 1},  {0x7fc00000, 2},  {0xff800000, 4},   {0xc0000000, 8},   {0x80000001, 16},
      {0x80000000, 32}, {0x00000000, 64}, {0x00000001, 128}, {0x3f800000, 256}, {0x7f800000, 512}};
  for (unsigned flags = 0; flags < 1024; ++flags) {
    const Program program = lower_text(
        fmt::format("declare i1 @llvm.is.fpclass.f32(float, i32 immarg)\ndefine i1 @f(float %a) {{\n %r = call i1 "
                    "@llvm.is.fpclass.f32(float %a, i32 {})\n ret i1 %r\n}}",
                    flags));
    for (const auto& [bits, kind] : samples)
      ASSERT_EQ(evaluate(function(program, "f"), {BitVector(32, bits)}).at(0).to_uint64(), (flags & kind) != 0)
          << flags << " of " << bits;
  }
}

TEST(LoweringValues, SaturatingConversionsClampAndTakeNaNAsZero) {
  const auto convert = [](const char* sign, double value) {
    const Program program = lower_text(
        fmt::format("declare i8 @llvm.fpto{0}i.sat.i8.f64(double)\ndefine i8 @f(double %a) {{\n %r = call i8 "
                    "@llvm.fpto{0}i.sat.i8.f64(double %a)\n ret i8 %r\n}}",
                    sign));
    return evaluate(function(program, "f"), {BitVector(64, std::bit_cast<std::uint64_t>(value))}).at(0);
  };
  const std::tuple<double, int, unsigned> cases[] = {
      {-1e30, -128, 0}, {-128.9, -128, 0}, {-1.5, -1, 0},   {-0.5, 0, 0},     {127.9, 127, 127},
      {128, 127, 128},  {255.5, 127, 255}, {256, 127, 255}, {1e30, 127, 255}, {std::nan(""), 0, 0}};
  for (const auto& [value, as_int, as_unsigned] : cases) {
    EXPECT_EQ(convert("s", value).to_int64(), as_int) << value;
    EXPECT_EQ(convert("u", value).to_uint64(), as_unsigned) << value;
  }
}

TEST(LoweringValues, VectorsComputeLaneByLane) {
  const Program program = lower_text(R"(
define i8 @f(i8 %a, i8 %b, i32 %which) {
  %v0 = insertelement <4 x i8> <i8 1, i8 2, i8 3, i8 4>, i8 %a, i32 1
  %v1 = insertelement <4 x i8> %v0, i8 %b, i32 %which
  %v2 = shufflevector <4 x i8> %v1, <4 x i8> <i8 10, i8 20, i8 30, i8 40>, <4 x i32> <i32 3, i32 2, i32 5, i32 0>
  %v3 = add <4 x i8> %v2, %v1
  %r = extractelement <4 x i8> %v3, i32 %which
  ret i8 %r
})");
  for (std::uint64_t which = 0; which < 4; ++which) {
    std::uint64_t v1[] = {1, 100, 3, 4};
    v1[which] = 7;
    const std::uint64_t v2[] = {v1[3], v1[2], 20, v1[0]};
    const auto result = evaluate(function(program, "f"), {BitVector(8, 100), BitVector(8, 7), BitVector(32, which)});
    EXPECT_EQ(result.at(0).to_uint64(), (v1[which] + v2[which]) & 255) << which;
  }
}

TEST(LoweringValues, ReductionsCombineEveryLane) {
  const std::pair<const char*, int> cases[] = {{"add", 11}, {"mul", -42}, {"smax", 7},  {"smin", -1},
                                               {"or", -1},  {"and", 2},   {"umax", -1}, {"umin", 2}};
  for (const auto& [name, expected] : cases) {
    const Program program = lower_text(fmt::format(R"(
declare i8 @llvm.vector.reduce.{0}.v4i8(<4 x i8>)
define i8 @f(i8 %a) {{
  %v = insertelement <4 x i8> <i8 0, i8 3, i8 -1, i8 2>, i8 %a, i32 0
  %r = call i8 @llvm.vector.reduce.{0}.v4i8(<4 x i8> %v)
  ret i8 %r
}})",
                                                   name));
    EXPECT_EQ(evaluate(function(program, "f"), {BitVector(8, 7)}).at(0).to_int64(), expected) << name;
  }
}

TEST(LoweringValues, BitcastsOfVectorsKeepTheBitsInMemoryOrder) {
  const Program program = lower_text(R"(
define i64 @f(i16 %a, i16 %b) {
  %v0 = insertelement <4 x i16> <i16 1, i16 2, i16 3, i16 4>, i16 %a, i32 0
  %v1 = insertelement <4 x i16> %v0, i16 %b, i32 3
  %w = bitcast <4 x i16> %v1 to <2 x i32>
  %r = bitcast <2 x i32> %w to i64
  ret i64 %r
})");
  const auto result = evaluate(function(program, "f"), {BitVector(16, 0xaaaa), BitVector(16, 0xbbbb)});
  EXPECT_EQ(result.at(0).to_uint64(), 0xbbbb00030002aaaaU);
}

TEST(LoweringValues, AggregatesAreTakenApartAndPutTogether) {
  const Program program = lower_text(R"(
define { i8, [2 x i16] } @f({ i8, [2 x i16] } %s, i16 %x) {
  %a = extractvalue { i8, [2 x i16] } %s, 1, 0
  %b = add i16 %a, %x
  %t = insertvalue { i8, [2 x i16] } %s, i16 %b, 1, 1
  ret { i8, [2 x i16] } %t
})");
  EXPECT_EQ(function(program, "f").result_widths, (std::vector<std::uint32_t>{8, 16, 16}));
  const auto result =
      evaluate(function(program, "f"), {BitVector(8, 1), BitVector(16, 20), BitVector(16, 300), BitVector(16, 5)});
  EXPECT_EQ(result, (std::vector<BitVector>{BitVector(8, 1), BitVector(16, 20), BitVector(16, 25)}));
}

}  // namespace
}  // namespace plumb::frontend
