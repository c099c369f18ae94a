#include "circuit/aiger.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "circuit/simulator.h"
#include "random_circuit.h"

namespace plumb::circuit {
namespace {

using namespace std::string_literals;

const std::string kHalfAdder =
    "aag 7 2 0 2 3\n2\n4\n6\n12\n6 13 15\n12 2 4\n14 3 5\ni0 x\ni1 y\no0 s\no1 c\nc\nhalf adder\n";
const std::string kBinaryHalfAdder =
    "aig 5 2 0 2 3\n10\n6\n\x02\x02\x03\x02\x01\x02i0 x\ni1 y\no0 s\no1 c\nc\nhalf adder\n";
const std::string kToggleWithEnable =
    "aag 7 2 1 2 4\n2\n4\n6 8\n6\n7\n8 4 10\n10 13 15\n12 2 6\n14 3 7\ni0 enable\ni1 reset\no0 Q\no1 !Q\n";

template <typename Range>
std::vector<std::string> names(const Range& range) {
  std::vector<std::string> result;
  for (const auto& item : range) result.push_back(item.name);
  return result;
}

/// The values of all roots over some steps on random inputs, the same for the same seed.
std::vector<std::uint64_t> behaviour(const Aig& aig, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> free(aig.latches().size());
  for (std::uint64_t& word : free) word = random();
  std::vector<std::uint64_t> trace;
  Simulator simulator(aig);
  simulator.reset(free);
  for (int step = 0; step < 12; ++step) {
    for (std::uint32_t i = 0; i < aig.inputs().size(); ++i) simulator.set_input(i, random());
    simulator.evaluate();
    for (const auto& roots : {aig.outputs(), aig.bads(), aig.constraints()})
      for (const NamedLit& root : roots) trace.push_back(simulator.value(root.lit));
    for (const Latch& latch : aig.latches()) trace.push_back(simulator.value(Lit::of(latch.node)));
    simulator.step();
  }
  return trace;
}

void expect_same_circuit(const Aig& a, const Aig& b) {
  ASSERT_EQ(names(a.inputs()), names(b.inputs()));
  ASSERT_EQ(names(a.latches()), names(b.latches()));
  ASSERT_EQ(names(a.outputs()), names(b.outputs()));
  ASSERT_EQ(names(a.bads()), names(b.bads()));
  ASSERT_EQ(names(a.constraints()), names(b.constraints()));
  for (std::size_t i = 0; i < a.latches().size(); ++i) ASSERT_EQ(a.latches()[i].init, b.latches()[i].init);
  ASSERT_EQ(behaviour(a, 5), behaviour(b, 5));
}

/// The values of an output in run 0..3, where inputs 0 and 1 take all four combinations.
std::uint64_t output_on_two_inputs(const Aig& aig, std::size_t output) {
  Simulator simulator(aig);
  for (std::uint32_t i = 0; i < aig.inputs().size(); ++i) simulator.set_input(i, i == 0 ? 0b1010 : 0b1100);
  simulator.evaluate();
  return simulator.value(aig.outputs()[output].lit) & 0b1111;
}

TEST(Aiger, SmallestFilesOfTheFormatsDefinitionMeanWhatItSays) {
  EXPECT_EQ(read_aiger("aag 0 0 0 0 0\n", "f").size(), 1U);
  EXPECT_EQ(read_aiger("aig 0 0 0 0 0\n", "f").size(), 1U);
  EXPECT_EQ(read_aiger("aag 0 0 0 1 0\n0\n", "f").outputs()[0].lit, kFalse);
  EXPECT_EQ(read_aiger("aag 0 0 0 1 0\n1\n", "f").outputs()[0].lit, kTrue);
  EXPECT_EQ(output_on_two_inputs(read_aiger("aag 1 1 0 1 0\n2\n2\n", "buffer"), 0), 0b1010U);
  EXPECT_EQ(output_on_two_inputs(read_aiger("aag 1 1 0 1 0\n2\n3\n", "inverter"), 0), 0b0101U);
  EXPECT_EQ(output_on_two_inputs(read_aiger("aag 3 2 0 1 1\n2\n4\n6\n6 2 4\n", "and"), 0), 0b1000U);
  EXPECT_EQ(output_on_two_inputs(read_aiger("aag 3 2 0 1 1\n2\n4\n7\n6 3 5\n", "or"), 0), 0b1110U);
}

TEST(Aiger, HalfAdderIsTheSameInAsciiAndBinary) {
  for (const std::string& text : {kHalfAdder, kBinaryHalfAdder}) {
    const Aig aig = read_aiger(text, "half-adder");
    EXPECT_EQ(names(aig.inputs()), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(names(aig.outputs()), (std::vector<std::string>{"s", "c"}));
    EXPECT_EQ(output_on_two_inputs(aig, 0), 0b0110U);
    EXPECT_EQ(output_on_two_inputs(aig, 1), 0b1000U);
  }
}

TEST(Aiger, ToggleFlipFlopToggles) {
  const Aig aig = read_aiger("aag 1 0 1 2 0\n2 3\n2\n3\n", "toggle");
  Simulator simulator(aig);
  for (int step = 0; step < 4; ++step) {
    simulator.evaluate();
    EXPECT_EQ(simulator.value(aig.outputs()[0].lit) & 1, step % 2 == 0 ? 0U : 1U);
    EXPECT_EQ(simulator.value(aig.outputs()[1].lit) & 1, step % 2 == 0 ? 1U : 0U);
    simulator.step();
  }
}

TEST(Aiger, ResetValuesBadsAndConstraintsAreRead) {
  const Aig aig = read_aiger("aag 4 1 3 0 0 2 1\n2\n4 2 1\n6 5 6\n8 8 0\n4\n7\n3\nl1 free\nb1 wrong\nc0 assume\n", "f");
  ASSERT_EQ(aig.latches().size(), 3U);
  EXPECT_EQ(aig.latches()[0].init, LatchInit::One);
  EXPECT_EQ(aig.latches()[1].init, LatchInit::Free);
  EXPECT_EQ(aig.latches()[2].init, LatchInit::Zero);
  EXPECT_EQ(aig.latches()[1].next, ~Lit::of(aig.latches()[0].node));
  EXPECT_EQ(names(aig.latches()), (std::vector<std::string>{"", "free", ""}));
  EXPECT_EQ(names(aig.bads()), (std::vector<std::string>{"", "wrong"}));
  ASSERT_EQ(aig.constraints().size(), 1U);
  EXPECT_EQ(aig.constraints()[0].name, "assume");
  EXPECT_EQ(aig.constraints()[0].lit, ~Lit::of(aig.inputs()[0].node));
}

TEST(Aiger, AsciiDefinitionsStandInAnyOrderAndNumbersMayBeSkipped) {
  const Aig aig = read_aiger("aag 900 2 0 1 3\n1800\n4\n6\n6 13 15\n12 1800 4\n14 1801 5\n", "f");
  EXPECT_EQ(output_on_two_inputs(aig, 0), 0b0110U);
}

TEST(Aiger, WriterPrintsTheFormatsDefinition) {
  Aig aig;
  const Lit x = aig.add_input("x");
  const Lit y = aig.add_input();
  const Lit q = aig.add_latch(LatchInit::Free, "q");
  aig.and_(~x, ~q);  // in no cone
  const Lit gate = aig.and_(x, ~y);
  aig.set_next(q, gate);
  aig.add_output(~gate, "two\nlines");
  EXPECT_EQ(write_aiger(aig, AigerFormat::Ascii), "aag 4 2 1 1 1\n2\n4\n6 8 6\n9\n8 5 2\ni0 x\nl0 q\no0 two lines\n");
  EXPECT_EQ(write_aiger(aig, AigerFormat::Binary), "aig 4 2 1 1 1\n8 6\n9\n\x03\x03i0 x\nl0 q\no0 two lines\n"s);
  aig.add_constraint(x);
  EXPECT_TRUE(write_aiger(aig, AigerFormat::Ascii).starts_with("aag 4 2 1 1 1 0 1\n"));
  EXPECT_EQ(write_aiger(Aig(), AigerFormat::Binary), "aig 0 0 0 0 0\n");
}

TEST(Aiger, RoundTripsPreserveBehaviourAndNamesOfRandomCircuits) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Aig aig = random_circuit(seed, 1 + seed % 7, seed % 5, seed * seed);
    const std::string ascii = write_aiger(aig, AigerFormat::Ascii);
    const std::string binary = write_aiger(aig, AigerFormat::Binary);
    const Aig from_ascii = read_aiger(ascii, "ascii");
    const Aig from_binary = read_aiger(binary, "binary");
    expect_same_circuit(aig, from_ascii);
    expect_same_circuit(aig, from_binary);
    expect_same_circuit(aig, read_aiger(write_aiger(from_ascii, AigerFormat::Binary), "ascii to binary"));
    expect_same_circuit(aig, read_aiger(write_aiger(from_binary, AigerFormat::Ascii), "binary to ascii"));
    EXPECT_EQ(write_aiger(aig, AigerFormat::Binary), binary) << "writing is deterministic";
  }
}

TEST(Aiger, ChainOfAMillionAndsIsWrittenAndReadBackEvenWhenDefinedBackwards) {
  constexpr std::uint32_t kLength = 1'000'000;
  Aig aig;
  Lit chain = aig.add_input();
  const Lit other = aig.add_input();
  const Lit third = aig.add_input();
  for (std::uint32_t i = 0; i < kLength; ++i) chain = aig.and_(~chain, i % 2 == 0 ? other : third);
  aig.add_output(chain);
  ASSERT_EQ(aig.and_count(), kLength);
  const Aig back = read_aiger(write_aiger(aig, AigerFormat::Binary), "binary");
  EXPECT_EQ(back.and_count(), aig.and_count());

  // The deepest and comes first, so the reader has to walk to the end of the chain before it can build any.
  std::string text = "aag "s + std::to_string(kLength + 2) + " 2 0 1 " + std::to_string(kLength) + "\n2\n4\n";
  text += std::to_string(2 * (kLength + 2)) + "\n";
  for (std::uint32_t i = kLength; i > 0; --i) {
    const std::uint32_t own = 2 * (i + 2);
    text += std::to_string(own) + " " + std::to_string(i == 1 ? 2 : own - 1) + " 4\n";
  }
  EXPECT_EQ(read_aiger(text, "backwards").outputs().size(), 1U);
}

struct Malformed {
  std::string text;
  std::string fragment;
};

TEST(Aiger, MalformedFilesAreRejectedWithTheReason) {
  const std::vector<Malformed> table = {
      {"", "not an AIGER file"},
      {"aag", "not an AIGER file"},
      {"agg 0 0 0 0 0\n", "not an AIGER file"},
      {"aag 0 0 0 0\n", "f:1:12: error: expected a space, found the end of the line"},
      {"aag 0 0 0 0 ", "the file ends where the number of ands (A) is expected"},
      {"aag 0 0 0 0 0", "the file ends where the end of the line is expected"},
      {"aag 0 0 0 0 0\r\n", "byte 0x0d"},
      {"aag x 0 0 0 0\n", "expected the maximum variable index (M), found 'x'"},
      {"aag -1 0 0 0 0\n", "found '-'"},
      {"aag 0 0 0 0 0 0 0 0 0 0\n", "expected the end of the line"},
      {"aag 99999999999999999999 0 0 0 0\n", "too large a number"},
      {"aag 4294967295 0 0 0 0\n", "claims 4294967295 variables"},
      {"aig 4000000000 4000000000 0 0 0\n", "claims 4000000000 variables"},
      {"aig 4000000000 0 0 0 4000000000\n", "claims 4000000000 variables"},
      {"aag 0 0 0 4000000000 0\n", "need at least 8000000000 more bytes"},
      {"aag 0 0 0 0 0 4000000000 4000000000\n", "need at least 16000000000 more bytes"},
      {"aag 1000 1000 0 0 0\n2\n", "need at least 2000 more bytes"},
      {"aag 1 1 0 1 1\n2\n2\n2 2 2\n", "claims 2 inputs, latches and ands, but at most 1 variables"},
      {"aig 3 1 0 0 1\n\x02\x02", "claims 3 variables"},
      {"aag 1 1 0 0 0\n3\n", "f:2:1: error: an input cannot be the complemented literal 3"},
      {"aag 1 1 0 0 0\n0\n", "an input cannot be the constant 0"},
      {"aag 1 1 0 0 0\n4\n", "literal 4 is beyond the header's maximum variable 1"},
      {"aag 2 2 0 0 0\n2\n2\n", "f:3:1: error: literal 2 is defined twice"},
      {"aag 2 1 1 0 0\n2\n2 0\n", "literal 2 is defined twice"},
      {"aag 2 1 0 0 1\n2\n2 0 0\n", "literal 2 is defined twice"},
      {"aag 1 0 1 0 0\n2 3 4\n", "a latch cannot be reset to 4"},
      {"aag 1 0 1 0 0\n2 3 1 1\n", "expected the end of the line, found a space"},
      {"aag 2 1 1 0 0\n2\n4 7\n", "literal 7 is beyond"},
      {"aag 3 1 1 0 0\n2\n4 7\n", "f:3: error: literal 7 is not defined"},
      {"aag 2 1 0 1 0\n2\n5\n", "f:3: error: literal 5 is not defined"},
      {"aag 2 1 0 0 0 1\n2\n4\n", "f:3: error: literal 4 is not defined"},
      {"aag 2 1 0 0 0 0 1\n2\n4\n", "f:3: error: literal 4 is not defined"},
      {"aag 3 1 0 0 1\n2\n6 2 5\n", "f:3: error: literal 5 is not defined"},
      {"aag 2 1 0 0 1\n2\n4 2 5\n", "and 4 depends on itself"},
      {"aag 3 1 0 0 2\n2\n4 2 6\n6 2 4\n", "depends on itself"},
      {"aag 2 1 0 0 1\n2\n4 2\n\n", "expected a space"},
      {"aag 1 1 0 0 0\n2\ni1 x\n", "symbol i1 names nothing: there are 1 of its kind"},
      {"aag 1 1 0 0 0\n2\ni0 x\ni0 y\n", "f:4:2: error: symbol i0 is named twice"},
      {"aag 1 1 0 0 0\n2\ni0 x", "ends within a symbol's name"},
      {"aag 1 1 0 0 0\n2\ni0\n", "expected a space"},
      {"aag 1 1 0 0 0\n2\nx0 x\n", "expected a symbol (i, l, o, b or c) or the comment section, found 'x'"},
      {"aag 1 1 0 0 0\n2\nc0 x\n", "symbol c0 names nothing"},
      {"aag 1 1 0 0 0\n2\nc", "the file ends where a symbol's position is expected"},
      {"aig 2 1 0 0 1\n\x00\x02"s, "at byte 14: the first operand of and 4 is 0 below it"},
      {"aig 2 1 0 0 1\n\x05\x02"s, "the first operand of and 4 is 5 below it"},
      {"aig 2 1 0 0 1\n\x02\x03"s, "the second operand of and 4 is 3 below the first, 2"},
      {"aig 2 1 0 0 1\n\x82\x80"s, "at byte 16: the file ends within the ands"},
      {"aig 2 1 0 0 1\n\xff\xff\xff\xff\xff\xff"s, "at byte 14: an operand's distance has more than 32 bits"},
      {"aig 2 1 0 0 1\n\xff\xff\xff\xff\x7f"s, "more than 32 bits"},
      {"aig 2 1 0 0 1\n\x02\x02z\n"s, "f:2:3: error: expected a symbol"},
  };
  for (const Malformed& malformed : table) {
    try {
      read_aiger(malformed.text, "f");
      ADD_FAILURE() << "accepted: " << malformed.text;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(malformed.fragment), std::string::npos)
          << malformed.text << "\nhas the message: " << error.what();
    }
  }
}

TEST(Aiger, JusticeAndFairnessAreUnsupportedByNameUnlessThereAreNone) {
  EXPECT_NO_THROW(read_aiger("aag 0 0 0 0 0 0 0 0 0\n", "f"));
  const auto message = [](const std::string& text) -> std::string {
    try {
      read_aiger(text, "f");
    } catch (const Unsupported& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("aag 0 0 0 0 0 0 0 1\n1\n0\n").find("justice"), std::string::npos);
  EXPECT_NE(message("aag 0 0 0 0 0 0 0 0 1\n0\n").find("fairness"), std::string::npos);
}

TEST(Aiger, UnusedInputsNeedNoBytesInABinaryFile) {
  EXPECT_EQ(read_aiger("aig 100000 100000 0 0 0\n", "f").inputs().size(), 100'000U);
}

/// True if the text is accepted; then what was read must survive being written. Anything but a UserError escapes.
bool accepts(const std::string& text) {
  try {
    const Aig aig = read_aiger(text, "mutant");
    if (aig.inputs().size() > 1000) return true;
    expect_same_circuit(aig, read_aiger(write_aiger(aig, AigerFormat::Binary), "binary"));
    expect_same_circuit(aig, read_aiger(write_aiger(aig, AigerFormat::Ascii), "ascii"));
    return true;
  } catch (const UserError&) {
    return false;
  }
}

std::vector<std::string> valid_files() {
  std::vector<std::string> files = {kHalfAdder, kBinaryHalfAdder, kToggleWithEnable};
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const Aig aig = random_circuit(seed, 3, 3, 40);
    files.push_back(write_aiger(aig, AigerFormat::Ascii));
    files.push_back(write_aiger(aig, AigerFormat::Binary));
  }
  return files;
}

TEST(Aiger, TruncatedFilesParseOnlyWhereSymbolsOrCommentsAreCut) {
  for (const std::string& file : valid_files()) {
    for (std::size_t length = 0; length <= file.size(); ++length) {
      const std::string cut = file.substr(0, length);
      if (!accepts(cut)) continue;
      EXPECT_EQ(behaviour(read_aiger(cut, "cut"), 1), behaviour(read_aiger(file, "whole"), 1));
    }
    EXPECT_TRUE(accepts(file));
  }
}

TEST(Aiger, MutatedFilesParseOrAreUserErrors) {
  std::mt19937_64 random(11);
  const std::vector<std::string> files = valid_files();
  int accepted = 0;
  int rejected = 0;
  for (int round = 0; round < 12'000; ++round) {
    std::string text = files[random() % files.size()];
    for (std::uint64_t i = 1 + random() % 3; i > 0; --i) {
      const std::size_t position = random() % text.size();
      const char digit = static_cast<char>('0' + random() % 10);
      switch (random() % 5) {
        case 0:
          text[position] = static_cast<char>(random() % 256);
          break;
        case 1:
          text[position] = digit;
          break;
        case 2:
          text.insert(position, 1, digit);
          break;
        case 3:
          text.erase(position, 1 + random() % 2);
          break;
        default:
          text.insert(position, text.substr(random() % text.size(), random() % 8));
          break;
      }
      if (text.empty()) text.push_back('a');
    }
    ++(accepts(text) ? accepted : rejected);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(rejected, 1000);
}

}  // namespace
}  // namespace plumb::circuit
