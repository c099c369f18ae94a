#include <gtest/gtest.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "circuit/abc_driver.h"
#include "circuit/abc_driver_script.h"

namespace plumb::circuit {
namespace {

std::string normalised(const std::string& text) {
  std::string result;
  for (const AbcStep& step : parse_abc_script(text)) result += step.text() + ";";
  return result;
}

TEST(AbcScript, StepsAreSeparatedBySemicolonsAndLines) {
  EXPECT_EQ(normalised("balance; ssweep  -r\n;;\n pdr -T 10 -r"), "balance;ssweep -r;pdr -T 10 -r;");
  EXPECT_EQ(normalised(" \n "), "");
}

TEST(AbcScript, AllOfTheTableIsThere) {
  EXPECT_NO_THROW(
      parse_abc_script("balance; scl; ssweep; scorr; rewrite; refactor; retime; ind; int; pdr; dprove; print_stats"));
}

TEST(AbcScript, WhatIsNotAStepIsRefusedWithItsPlace) {
  const auto place = [](const std::string& text) {
    try {
      parse_abc_script(text, "script");
    } catch (const UserError& error) {
      return error.location().to_string();
    }
    return std::string("none");
  };
  EXPECT_EQ(place("balance;\n  write_aiger x"), "script:2:3");
  EXPECT_EQ(place("pdr -T"), "script:1:7");
  EXPECT_EQ(place("pdr -T x"), "script:1:8");
  EXPECT_EQ(place("pdr -T -1"), "script:1:8");
  EXPECT_EQ(place("pdr -I file"), "script:1:5");
  EXPECT_EQ(place("int -i"), "script:1:5");
  EXPECT_EQ(place("dprove -u"), "script:1:8");
  EXPECT_EQ(place("balance | sh"), "script:1:9");
  EXPECT_EQ(place("balance !ls"), "script:1:9");
  EXPECT_EQ(place("!ls"), "script:1:1");
}

TEST(AbcScript, EveryStepRunsInTheInstalledAbc) {
  if (!find_program("berkeley-abc")) GTEST_SKIP() << "berkeley-abc is not installed";
  // A shift register of an input, and a bad that is never true.
  Aig aig;
  Lit last = aig.add_input("in");
  for (int i = 0; i < 3; ++i) {
    const Lit latch = aig.add_latch(LatchInit::One);
    aig.set_next(latch, last);
    last = latch;
  }
  const Lit copy = aig.add_latch(LatchInit::One);
  aig.set_next(copy, Lit::of(aig.latches()[1].node));
  aig.add_bad(aig.xor_(copy, last), "differ");
  for (const AbcCommand& command : abc_commands()) {
    if (command.kind == AbcCommand::Kind::Report) continue;
    const AbcStep step = parse_abc_script(std::string(command.name)).front();
    AbcDriver driver(aig, 0);
    if (step.is_proof()) {
      const AbcProof proof = driver.prove(step, Budget());
      EXPECT_EQ(proof.answer, AbcAnswer::Holds) << command.name << ": " << proof.reason;
    } else {
      const AbcDriver::Reduced reduced = driver.reduce({step}, Budget());
      EXPECT_TRUE(reduced.ok) << command.name << ": " << reduced.reason;
      EXPECT_EQ(reduced.sizes.front().size.latches, 4U);
    }
  }
}

}  // namespace
}  // namespace plumb::circuit
