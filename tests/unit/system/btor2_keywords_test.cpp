// Every keyword of BTOR2 (the list of btor2parser, which is that of the paper's table 1): operators against arithmetic
// on integers, for all operands of small widths; the rest by what a run does; and every keyword with each of its words
// missing, undefined, of a wrong sort or one too many.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "system/btor2.h"
#include "system/simulator.h"

namespace plumb::system {
namespace {

const std::set<std::string> kKeywords = {
    "add",    "and",   "bad",     "concat", "const", "constraint", "constd", "consth",  "dec",    "eq",
    "fair",   "iff",   "implies", "inc",    "init",  "input",      "ite",    "justice", "mul",    "nand",
    "neg",    "neq",   "next",    "nor",    "not",   "one",        "ones",   "or",      "output", "read",
    "redand", "redor", "redxor",  "rol",    "ror",   "saddo",      "sdiv",   "sdivo",   "sext",   "sgt",
    "sgte",   "slice", "sll",     "slt",    "slte",  "smod",       "smulo",  "sort",    "sra",    "srem",
    "srl",    "ssubo", "state",   "sub",    "uaddo", "udiv",       "uext",   "ugt",     "ugte",   "ult",
    "ulte",   "umulo", "urem",    "usubo",  "write", "xnor",       "xor",    "zero"};

using Int = std::int64_t;

Int mask(Int width) { return (Int{1} << width) - 1; }
Int signed_value(Int x, Int width) { return (x >> (width - 1)) != 0 ? x - (Int{1} << width) : x; }
bool fits(Int x, Int width) { return x >= -(Int{1} << (width - 1)) && x < Int{1} << (width - 1); }
Int rotated(Int x, Int by, Int width) {
  by %= width;
  return ((x << by) | (x >> (width - by))) & mask(width);
}

using Unary = std::function<Int(Int width, Int a)>;
using Binary = std::function<Int(Int width, Int a, Int b)>;

struct Operators {
  std::map<std::string, Unary> to_word;
  std::map<std::string, Unary> to_bit;
};

const Operators kUnary = {
    {{"not", [](Int, Int a) { return ~a; }},
     {"inc", [](Int, Int a) { return a + 1; }},
     {"dec", [](Int, Int a) { return a - 1; }},
     {"neg", [](Int, Int a) { return -a; }}},
    {{"redand", [](Int w, Int a) { return Int{a == mask(w)}; }},
     {"redor", [](Int, Int a) { return Int{a != 0}; }},
     {"redxor", [](Int, Int a) { return Int{__builtin_popcountll(static_cast<unsigned long long>(a)) % 2}; }}},
};

const std::map<std::string, Binary> kToWord = {
    {"and", [](Int, Int a, Int b) { return a & b; }},
    {"nand", [](Int, Int a, Int b) { return ~(a & b); }},
    {"or", [](Int, Int a, Int b) { return a | b; }},
    {"nor", [](Int, Int a, Int b) { return ~(a | b); }},
    {"xor", [](Int, Int a, Int b) { return a ^ b; }},
    {"xnor", [](Int, Int a, Int b) { return ~(a ^ b); }},
    {"sll", [](Int w, Int a, Int b) { return b >= w ? 0 : a << b; }},
    {"srl", [](Int w, Int a, Int b) { return b >= w ? 0 : a >> b; }},
    {"sra", [](Int w, Int a, Int b) { return signed_value(a, w) >> (b >= w ? w : b); }},
    {"rol", [](Int w, Int a, Int b) { return rotated(a, b, w); }},
    {"ror", [](Int w, Int a, Int b) { return rotated(a, w - b % w, w); }},
    {"add", [](Int, Int a, Int b) { return a + b; }},
    {"sub", [](Int, Int a, Int b) { return a - b; }},
    {"mul", [](Int, Int a, Int b) { return a * b; }},
    {"udiv", [](Int, Int a, Int b) { return b == 0 ? -1 : a / b; }},
    {"urem", [](Int, Int a, Int b) { return b == 0 ? a : a % b; }},
    {"sdiv",
     [](Int w, Int a, Int b) {
       const Int x = signed_value(a, w);
       const Int y = signed_value(b, w);
       return y == 0 ? (x < 0 ? 1 : -1) : x / y;
     }},
    {"srem",
     [](Int w, Int a, Int b) {
       const Int y = signed_value(b, w);
       return y == 0 ? a : signed_value(a, w) % y;
     }},
    {"smod",
     [](Int w, Int a, Int b) {
       const Int y = signed_value(b, w);
       if (y == 0) return a;
       const Int rest = signed_value(a, w) % y;
       return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
     }},
};

template <typename Relation>
Binary unsigned_order(Relation relation) {
  return [relation](Int, Int a, Int b) { return Int{relation(a, b)}; };
}
template <typename Relation>
Binary signed_order(Relation relation) {
  return [relation](Int w, Int a, Int b) { return Int{relation(signed_value(a, w), signed_value(b, w))}; };
}
template <typename Operation>
Binary unsigned_overflow(Operation operation) {
  return [operation](Int w, Int a, Int b) {
    const Int result = operation(a, b);
    return Int{result < 0 || result > mask(w)};
  };
}
template <typename Operation>
Binary signed_overflow(Operation operation) {
  return [operation](Int w, Int a, Int b) { return Int{!fits(operation(signed_value(a, w), signed_value(b, w)), w)}; };
}

const std::map<std::string, Binary> kToBit = {
    {"eq", unsigned_order(std::equal_to<>())},
    {"neq", unsigned_order(std::not_equal_to<>())},
    {"ugt", unsigned_order(std::greater<>())},
    {"ugte", unsigned_order(std::greater_equal<>())},
    {"ult", unsigned_order(std::less<>())},
    {"ulte", unsigned_order(std::less_equal<>())},
    {"sgt", signed_order(std::greater<>())},
    {"sgte", signed_order(std::greater_equal<>())},
    {"slt", signed_order(std::less<>())},
    {"slte", signed_order(std::less_equal<>())},
    {"uaddo", unsigned_overflow(std::plus<>())},
    {"usubo", unsigned_overflow(std::minus<>())},
    {"umulo", unsigned_overflow(std::multiplies<>())},
    {"saddo", signed_overflow(std::plus<>())},
    {"ssubo", signed_overflow(std::minus<>())},
    {"smulo", signed_overflow(std::multiplies<>())},
    {"sdivo", signed_overflow([](Int a, Int b) { return b == 0 ? 0 : a / b; })},
};
const std::map<std::string, Binary> kOfBits = {
    {"iff", unsigned_order(std::equal_to<>())},
    {"implies", unsigned_order(std::less_equal<>())},
};

/// The value of wire `result` for each value of the inputs 3 (of sort 1) and 4 (of sort 2).
void expect_values(const std::string& text, Int first, Int second, const std::function<Int(Int, Int)>& expected,
                   Int result_width) {
  const System system = read_btor2(text, "f");
  ASSERT_EQ(system.wires().size(), 1U) << text;
  Simulator simulator(system);
  for (Int a = 0; a <= mask(first); ++a) {
    for (Int b = 0; b <= mask(second); ++b) {
      simulator.set_input(0, BitVector(static_cast<std::uint32_t>(first), static_cast<std::uint64_t>(a)));
      simulator.set_input(1, BitVector(static_cast<std::uint32_t>(second), static_cast<std::uint64_t>(b)));
      simulator.evaluate();
      ASSERT_EQ(simulator.bits(system.wires()[0].term).word(0),
                static_cast<std::uint64_t>(expected(a, b) & mask(result_width)))
          << text << "a = " << a << ", b = " << b;
    }
  }
}

std::string inputs(Int first, Int second, Int result) {
  return fmt::format("1 sort bitvec {}\n2 sort bitvec {}\n3 input 1\n4 input 2\n5 sort bitvec {}\n", first, second,
                     result);
}

TEST(Btor2Keywords, OperatorsAreArithmeticForAllOperandsOfSmallWidths) {
  for (Int w = 1; w <= 4; ++w) {
    // A negated operand is the complement.
    for (const bool negated : {false, true}) {
      const auto flip = [&](Int x) { return negated ? ~x & mask(w) : x; };
      const char* sign = negated ? "-" : "";
      const auto unary = [&](const std::string& name, const Unary& op, Int width) {
        expect_values(
            inputs(w, 1, width) + fmt::format("6 {} 5 {}3 result\n", name, sign), w, 1,
            [&](Int a, Int) { return op(w, flip(a)); }, width);
      };
      const auto binary = [&](const std::string& name, const Binary& op, Int width) {
        expect_values(
            inputs(w, w, width) + fmt::format("6 {} 5 {}3 4 result\n", name, sign), w, w,
            [&](Int a, Int b) { return op(w, flip(a), b); }, width);
        expect_values(
            inputs(w, w, width) + fmt::format("6 {} 5 3 {}4 result\n", name, sign), w, w,
            [&](Int a, Int b) { return op(w, a, flip(b)); }, width);
      };
      for (const auto& [name, op] : kUnary.to_word) unary(name, op, w);
      for (const auto& [name, op] : kUnary.to_bit) unary(name, op, 1);
      for (const auto& [name, op] : kToWord) binary(name, op, w);
      for (const auto& [name, op] : kToBit) binary(name, op, 1);
      if (w == 1)
        for (const auto& [name, op] : kOfBits) binary(name, op, 1);
      for (Int v = 1; v <= 3; ++v)
        expect_values(
            inputs(w, v, w + v) + fmt::format("6 concat 5 {}3 4 result\n", sign), w, v,
            [&](Int a, Int b) { return flip(a) << v | b; }, w + v);
      expect_values(
          inputs(w, 1, w) + fmt::format("6 constd 1 {}\n7 ite 5 4 {}3 6 result\n", mask(w) / 2, sign), w, 1,
          [&](Int a, Int b) { return b != 0 ? flip(a) : mask(w) / 2; }, w);
      for (Int more = 0; more <= 3; ++more) {
        expect_values(
            inputs(w, 1, w + more) + fmt::format("6 uext 5 {}3 {} result\n", sign, more), w, 1,
            [&](Int a, Int) { return flip(a); }, w + more);
        expect_values(
            inputs(w, 1, w + more) + fmt::format("6 sext 5 {}3 {} result\n", sign, more), w, 1,
            [&](Int a, Int) { return signed_value(flip(a), w); }, w + more);
      }
      for (Int low = 0; low < w; ++low)
        for (Int high = low; high < w; ++high)
          expect_values(
              inputs(w, 1, high - low + 1) + fmt::format("6 slice 5 {}3 {} {} result\n", sign, high, low), w, 1,
              [&](Int a, Int) { return flip(a) >> low; }, high - low + 1);
    }
    const auto constant = [&](const std::string& line, Int value) {
      expect_values(inputs(1, 1, w) + "6 " + line + " result\n", 1, 1, [&](Int, Int) { return value; }, w);
    };
    constant("zero 5", 0);
    constant("one 5", 1);
    constant("ones 5", mask(w));
    for (Int value = 0; value <= mask(w); ++value) {
      std::string bits;
      for (Int i = w; i-- > 0;) bits += (value >> i & 1) != 0 ? '1' : '0';
      constant("const 5 " + bits, value);
      constant(fmt::format("constd 5 {}", value), value);
      constant(fmt::format("consth 5 {:x}", value), value);
      if (value != 0 && value <= Int{1} << (w - 1)) constant(fmt::format("constd 5 -{}", value), -value);
    }
  }
}

TEST(Btor2Keywords, ArraysAreFunctions) {
  // write(a, i, 5)[j], with a that is 2 everywhere.
  expect_values(
      inputs(2, 2, 3) +
          "6 sort array 1 5\n7 state 6\n8 constd 5 2\n9 init 6 7 8\n10 constd 5 5\n"
          "11 write 6 7 3 10\n12 read 5 11 4 result\n13 next 6 7 7\n",
      2, 2, [](Int a, Int b) { return a == b ? 5 : 2; }, 3);
  expect_values(
      inputs(2, 2, 1) +
          "6 sort array 1 2\n7 state 6\n8 zero 2\n9 init 6 7 8\n10 write 6 7 3 4\n"
          "11 eq 5 10 7 result\n12 next 6 7 7\n",
      2, 2, [](Int, Int b) { return Int{b == 0}; }, 1);
  expect_values(
      inputs(2, 1, 2) +
          "6 sort array 1 1\n7 state 6\n8 zero 1\n9 init 6 7 8\n10 ones 1\n11 write 6 7 3 10\n"
          "12 ite 6 4 11 7\n13 read 5 12 3 result\n14 next 6 7 7\n",
      2, 1, [](Int, Int b) { return b != 0 ? 3 : 0; }, 2);
}

TEST(Btor2Keywords, StatesPropertiesAndConstraintsMakeRuns) {
  const System system = read_btor2(
      "1 sort bitvec 1\n2 sort bitvec 3\n3 state 2 counter\n4 zero 2\n5 init 2 3 4\n6 input 2 by\n7 add 2 3 6\n"
      "8 next 2 3 7\n9 constd 2 6\n10 eq 1 3 9\n11 bad 10 six\n12 bad -10\n13 constd 2 3\n14 ult 1 6 13\n"
      "15 constraint 14 small\n16 output 7 sum\n17 state 2 free\n18 state 2 start\n19 next 2 18 18\n20 init 2 18 3\n",
      "f");
  EXPECT_EQ(system.bads().size(), 2U);
  EXPECT_EQ(system.constraints().size(), 1U);
  EXPECT_EQ(system.wires().size(), 1U);
  EXPECT_FALSE(system.states()[1].next || system.states()[1].init);
  Simulator simulator(system);
  Int expected = 0;
  for (const Int by : {2, 1, 2, 1, 3}) {
    simulator.set_input(0, BitVector(3, static_cast<std::uint64_t>(by)));
    simulator.evaluate();
    EXPECT_EQ(simulator.is_bad(0), expected == 6);
    EXPECT_EQ(simulator.is_bad(1), expected != 6);
    EXPECT_EQ(simulator.violated_constraint().has_value(), by >= 3);
    EXPECT_EQ(simulator.bits(system.states()[2].variable).word(0), 0U);
    expected = (expected + by) & 7;
    simulator.step();
  }
}

/// A line for each keyword but sort, behind kHead, as node 20.
const std::string kHead =
    "1 sort bitvec 1\n2 sort bitvec 4\n3 sort bitvec 8\n4 sort array 2 3\n5 input 1\n6 input 2\n7 input 2\n8 input 3\n"
    "9 state 4\n10 state 2\n11 sort bitvec 6\n12 sort bitvec 2\n";

std::map<std::string, std::string> lines() {
  std::map<std::string, std::string> lines = {
      {"input", "2"},      {"state", "2"},     {"init", "2 10 11"},   {"next", "2 10 6"},  {"bad", "5"},
      {"constraint", "5"}, {"output", "6"},    {"const", "2 0110"},   {"constd", "2 11"},  {"consth", "2 a"},
      {"zero", "2"},       {"one", "2"},       {"ones", "2"},         {"concat", "3 6 7"}, {"ite", "2 5 6 7"},
      {"uext", "11 6 2"},  {"sext", "11 6 2"}, {"slice", "12 6 2 1"}, {"read", "3 9 6"},   {"write", "4 9 6 8"},
      {"init", "4 9 8"},   {"fair", "5"},      {"justice", "1 5"},
  };
  lines["init"] = "2 10 13";
  for (const auto& [name, op] : kUnary.to_word) lines[name] = "2 6";
  for (const auto& [name, op] : kUnary.to_bit) lines[name] = "1 6";
  for (const auto& [name, op] : kToWord) lines[name] = "2 6 7";
  for (const auto& [name, op] : kToBit) lines[name] = "1 6 7";
  for (const auto& [name, op] : kOfBits) lines[name] = "1 5 5";
  return lines;
}

/// What reading says of node 20, which is on line 14.
std::string message_of(const std::string& line) {
  try {
    read_btor2(kHead + "13 one 2\n20 " + line + "\n", "f");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Btor2Keywords, EachIsReadOrRefusedWithItsPlace) {
  const std::map<std::string, std::string> valid = lines();
  for (const std::string& keyword : kKeywords) {
    if (keyword == "sort") continue;
    ASSERT_TRUE(valid.contains(keyword)) << keyword;
    const std::string message = message_of(keyword + " " + valid.at(keyword));
    if (keyword == "fair" || keyword == "justice") {
      EXPECT_EQ(message.find("f:14:4: error: '" + keyword + "' properties are not supported"), 0U) << message;
    } else {
      EXPECT_EQ(message, "accepted") << keyword;
    }
  }
  for (const char* word : {"udivo", "nego", "Add", "add2", "bitvec", "root", "var", "acond", "-"})
    EXPECT_EQ(message_of(std::string(word) + " 2 6 7"),
              fmt::format("f:14:4: error: '{}' is no keyword of BTOR2", word));
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string joined(const std::string& keyword, std::span<const std::string> words) {
  std::string line = keyword;
  for (const std::string& word : words) line += " " + word;
  return line;
}

TEST(Btor2Keywords, EachMalformedLineIsAnErrorWithItsPlace) {
  std::size_t tried = 0;
  const auto expect_refused = [&](const std::string& line) {
    const std::string message = message_of(line);
    EXPECT_EQ(message.find("f:14:"), 0U) << line << "\n" << message;
    ++tried;
  };
  for (const auto& [keyword, rest] : lines()) {
    const std::vector<std::string> words = words_of(rest);
    // Too few words, and more than a symbol behind them.
    for (std::size_t i = 0; i < words.size(); ++i) expect_refused(joined(keyword, std::span(words).first(i)));
    expect_refused(joined(keyword, words) + " symbol more");
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::vector<std::string> changed = words;
      const auto refuse_with = [&](const std::string& word) {
        changed[i] = word;
        expect_refused(joined(keyword, changed));
        changed[i] = words[i];
      };
      const bool is_digits = keyword.starts_with("const") && keyword != "constraint" && i == 1;
      for (const char* word : {"x", "-", "0x6", "6.0", "+6", "--6", ""})
        if (!(keyword == "consth" && is_digits) && *word != '\0') refuse_with(word);
      if (is_digits) {
        for (const char* word : {"g", "11111", "100", "-ff"}) {
          if (keyword == "const" && std::string(word) == "100") continue;
          refuse_with(word);
        }
        continue;
      }
      const bool is_index = (keyword == "uext" || keyword == "sext" || keyword == "slice") && i >= 2;
      refuse_with(is_index ? "99999999999999999999" : "99");  // not defined, or out of range
      if (is_index) continue;
      refuse_with("20");  // itself
      refuse_with("0");
      if (keyword == "fair" || keyword == "justice") continue;  // refused before their operands are looked at
      const bool is_property = keyword == "bad" || keyword == "constraint" || keyword == "output";
      if (i == 0 && !is_property) {
        refuse_with("6");  // a node, no sort
        const bool is_variable = keyword == "input" || keyword == "state";
        const bool is_constant = keyword.starts_with("const") || keyword == "zero" || keyword.starts_with("one");
        if (!is_variable && !is_constant) refuse_with(words[i] == "3" ? "2" : "3");
        if (!is_variable) refuse_with(words[i] == "4" ? "2" : "4");
      } else {
        refuse_with("1");  // a sort, no node
        // Of another sort: 5 has one bit, 8 has eight, 9 is an array.
        const bool any_width = keyword == "concat" || keyword == "output" || keyword == "uext" || keyword == "sext" ||
                               keyword.starts_with("red") || keyword == "slice";
        if (!any_width) refuse_with("8" == words[i] ? "5" : "8");
        if (words[i] != "9" && keyword != "output") refuse_with("9");
        if (words[i] == "9") refuse_with("6");
      }
    }
  }
  for (const char* sort : {"sort", "sort bitvec", "sort array", "sort array 2", "sort bitvec x", "sort bitvec 0",
                           "sort bitvec -1", "sort bitvec 99999999", "sort array 2 6", "sort array 99 2", "sort real 3",
                           "sort array 4 2", "sort array 2 4", "sort bitvec 3 a b", "sort array 2 3 a b"})
    expect_refused(sort);
  for (const char* slice : {"slice 12 6 4 3", "slice 12 6 1 2", "slice 12 6 3 1", "slice 2 6 2 1"})
    expect_refused(slice);
  for (const char* init : {"init 2 10 6", "init 2 10 10", "init 4 9 9", "init 2 6 13", "next 2 6 13"})
    expect_refused(init);
  EXPECT_GT(tried, 1000U);
}

}  // namespace
}  // namespace plumb::system
