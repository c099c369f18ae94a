// Properties from text to number, against numbers known in closed form.

#include <cmath>
#include <limits>

#include "unit/lang/prism/run.h"

namespace plumb::prism {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Knuth and Yao's die from coins.
const char* const kDie = R"(dtmc
module die
  s : [0..7] init 0;
  d : [0..6] init 0;
  [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
  [] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
  [] s=2 -> 0.5 : (s'=5) + 0.5 : (s'=6);
  [] s=3 -> 0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1);
  [] s=4 -> 0.5 : (s'=7) & (d'=2) + 0.5 : (s'=7) & (d'=3);
  [] s=5 -> 0.5 : (s'=7) & (d'=4) + 0.5 : (s'=7) & (d'=5);
  [] s=6 -> 0.5 : (s'=2) + 0.5 : (s'=7) & (d'=6);
  [] s=7 -> (s'=7);
endmodule
rewards "flips" s<7 : 1; endrewards
label "done" = s=7;
)";

/// A walk on 0..4 from 2, up with probability 0.6; both ends hold it.
const char* const kRuin = R"(dtmc
module walk
  x : [0..4] init 2;
  [] x>0 & x<4 -> 0.6 : (x'=x+1) + 0.4 : (x'=x-1);
  [] x=0 | x=4 -> true;
endmodule
rewards "steps" x>0 & x<4 : 1; endrewards
rewards "wins" [] x=3 : 0.6; endrewards
)";

double ruin(int from) {
  const double r = 0.4 / 0.6;
  return (1 - std::pow(r, from)) / (1 - std::pow(r, 4));
}

/// A choice between a sure half and a gamble, then a cycle.
const char* const kChoice = R"(mdp
module m
  x : [0..4] init 0;
  [safe] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=2);
  [bold] x=0 -> 0.7 : (x'=3) + 0.3 : (x'=0);
  [] x=1 -> true;
  [] x=2 -> (x'=4);
  [] x=3 -> 0.9 : (x'=1) + 0.1 : (x'=4);
  [] x=4 -> (x'=2);
endmodule
rewards "cost" [safe] true : 3; [bold] true : 1; x=3 : 5; endrewards
label "goal" = x=1;
)";

/// One machine that fails with rate 0.1 and is repaired with rate 2.
const char* const kMachine = R"(ctmc
module m
  up : bool init true;
  [fail] up -> 0.1 : (up'=false);
  [repair] !up -> 2 : (up'=true);
endmodule
rewards "down" !up : 1; endrewards
rewards "repairs" [repair] true : 1; endrewards
)";

TEST(CheckDtmc, KnuthYaoDieIsFair) {
  for (int d = 1; d <= 6; ++d) expect_number(kDie, "P=? [ F s=7 & d=" + std::to_string(d) + " ]", 1.0 / 6);
  expect_number(kDie, "R{\"flips\"}=? [ F \"done\" ]", 11.0 / 3);
  expect_number(kDie, "R=? [ C ]", 11.0 / 3);
}

TEST(CheckDtmc, PathOperatorsAndTheirDualsAgreeWithGamblersRuin) {
  expect_number(kRuin, "P=? [ F x=4 ]", ruin(2));
  expect_number(kRuin, "P=? [ x<3 U x=3 ]", 0.6 / (1 - 0.24));
  expect_number(kRuin, "P=? [ G x<4 ]", 1 - ruin(2));
  expect_number(kRuin, "P=? [ x<4 W x=0 ]", 1 - ruin(2));
  expect_number(kRuin, "P=? [ x=0 R x<4 ]", 1 - ruin(2));
  expect_number(kRuin, "P=? [ X x=3 ]", 0.6, 1e-12);
  expect_number(kRuin, "P=? [ F<=2 x=4 ]", 0.36);
  expect_number(kRuin, "P=? [ G<=2 x<4 ]", 0.64);
  expect_number(kRuin, "P=? [ F<3 x=4 ]", 0.36);
  expect_number(kRuin, "P=? [ F[3,4] x=4 ]", 0.36 + 2 * 0.36 * 0.24);
  expect_number(kRuin, "R{\"steps\"}=? [ C<=2 ]", 2);
  expect_number(kRuin, "R{\"steps\"}=? [ I=2 ]", 0.48);
  expect_number(kRuin, "S=? [ x=4 ]", ruin(2));
}

TEST(CheckDtmc, BoundsAreDecidedAndNest) {
  EXPECT_TRUE(holds(kRuin, "P>0.69 [ F x=4 ]"));
  EXPECT_FALSE(holds(kRuin, "P>0.7 [ F x=4 ]"));
  EXPECT_TRUE(holds(kRuin, "P<1 [ F x=4 ] & P>=1 [ F x=0|x=4 ] & !(P>0 [ F x=7-1 ])"));
  // From 3 the walk is up with 0.8769, from 2 with 0.6923.
  EXPECT_TRUE(holds(kRuin, "P>=0.59 [ X P>0.8 [ F x=4 ] ]"));
  EXPECT_FALSE(holds(kRuin, "P>=0.61 [ X P>0.8 [ F x=4 ] ]"));
  EXPECT_TRUE(holds(kRuin, "(P>=1 [ F x=4 ]) <=> x=4"));
  EXPECT_TRUE(holds(kRuin, "x=2 => R{\"steps\"}<10 [ F x=0|x=4 ]"));
}

TEST(CheckDtmc, ABoundThatIsTheValueIsDecidedExactly) {
  const char* const coin =
      "dtmc module m x:[0..3]; [] x=0 -> 0.5:(x'=0)+0.25:(x'=1)+0.25:(x'=2); [] x>0 -> true; endmodule";
  EXPECT_TRUE(holds(coin, "P>=0.5 [ F x=1 ]"));
  EXPECT_FALSE(holds(coin, "P>0.5 [ F x=1 ]"));
  EXPECT_TRUE(holds(coin, "P<=0.5 [ F x=1 ]"));
}

TEST(CheckDtmc, AnOpenBoundSaysHowFarItWasLookedAt) {
  // A fair walk from the middle is too long for fractions, and its value is the bound.
  const char* const walk = R"(dtmc module m x:[0..3000] init 1500;
    [] x>0 & x<3000 -> 0.5:(x'=x+1)+0.5:(x'=x-1); [] x=0|x=3000 -> true; endmodule)";
  const chain::PropertyResult open = checked(walk, "P>0.5 [ F x=3000 ]");
  EXPECT_EQ(open.undecided.find("the bound 0.5 is within [0.49999"), 0U) << open.undecided;
  EXPECT_FALSE(std::get<bool>(open.value));
  EXPECT_EQ(checked(walk, "P>0.4999 [ F x=3000 ]").undecided, "");
  EXPECT_NE(checked(walk, "x=1500 & P>0.5 [ F x=3000 ]").undecided, "");
  EXPECT_EQ(checked(walk, "x=0 & P>0.5 [ F x=3000 ]").undecided, "") << "it does not matter";
}

TEST(CheckDtmc, WhatAnOpenBoundLeavesOpenIsInsideOfTheInterval) {
  // In the middle it cannot be decided whether the walk is up with a probability above one half.
  const std::string walk = R"(dtmc module m x:[0..3000] init 1500;
    [] x>0 & x<3000 -> 0.5:(x'=x+1)+0.5:(x'=x-1); [] x=0|x=3000 -> true; endmodule rewards true : 1; endrewards)";
  const auto expect_between = [&](const std::string& property, double low, double high) {
    const chain::Bounded found = number(walk, property);
    EXPECT_NEAR(found.low, low, 1e-3) << property;
    EXPECT_NEAR(found.high, high, 1e-3) << property;
  };
  const std::string up = "P>0.5 [ F x=3000 ]";
  expect_between("P=? [ X " + up + " ]", 0.5, 0.5);
  expect_between("P=? [ F<=1 " + up + " ]", 0.5, 1);
  expect_between("P=? [ F<=1 !(" + up + ") ]", 0.5, 1);
  expect_between("P=? [ G<=1 " + up + " ]", 0, 0.5);
  expect_between("P=? [ (X " + up + ") & (F<=1 " + up + ") ]", 0.5, 0.5);
  expect_between("P=? [ (F<=1 " + up + ") & (X X true) ]", 0.5, 1);
  expect_between("P=? [ (F<=1 " + up + ") & (X X x<2000) ]", 0.5, 1);
  expect_between("R=? [ F x=0 | " + up + " ]", 0, 1500);
  expect_between("R=? [ F (X X true) & (x=0 | " + up + ") ]", 2, 1502);
  expect_between("R=? [ F (X X x<2000) & (x=0 | " + up + ") ]", 2, 1502);
  expect_between("filter(count, " + up + ")", 1500, 1501);
  expect_between("(" + up + ") ? 1 : 2", 1, 2);
}

TEST(CheckDtmc, CertaintyWithinStepsIsAMatterOfTheGraph) {
  const char* const line =
      "dtmc module m x:[0..3]; [] x<3 -> 0.1:(x'=x+1)+0.9:(x'=min(x+2,3)); [] x=3 -> true; endmodule";
  EXPECT_TRUE(holds(line, "P>=1 [ F<=3 x=3 ]"));
  EXPECT_FALSE(holds(line, "P>=1 [ F<=2 x=3 ]"));
  EXPECT_FALSE(holds(line, "P>=1 [ F<3 x=3 ]"));
  EXPECT_TRUE(holds(line, "P>0 [ F<=2 x=3 ] & P<=0 [ F<=1 x=3 ] & P<1 [ F<=2 x=3 ]"));
  EXPECT_TRUE(holds(line, "P>=1 [ F=3 x=3 ] & P<=0 [ x<3 U[4,5] x=3 ]"));
  EXPECT_TRUE(holds(line, "P>=1 [ G<=1 x<3 ] & P<1 [ G<=2 x<3 ]"));
}

TEST(CheckDtmc, LumpingChangesNoValue) {
  // Three equal coins: only the number of heads matters.
  const std::string coins = R"(ctmc
module a x:bool; [] !x -> 2:(x'=true); [] x -> 3:(x'=false); endmodule
module b = a [x=y] endmodule
module c = a [x=z] endmodule
rewards x&y&z : 1; endrewards)";
  chain::CheckOptions lumped;
  lumped.lumping = chain::CheckOptions::Lumping::On;
  for (const char* property : {"P=? [ F<=0.5 x&y&z ]", "S=? [ x&y&z ]", "R=? [ C<=2 ]", "P=? [ !x&!y&!z U x&y&z ]",
                               "P=? [ G F x&y&z ]", "filter(min, P=? [ F<=0.5 x&y&z ])"}) {
    const chain::PropertyResult result = checked(coins, property, lumped);
    EXPECT_EQ(result.notes.at(0), "8 states lumped to 4") << property;
    EXPECT_NEAR(std::get<chain::Bounded>(result.value).value, number(coins, property).value, 1e-9) << property;
  }
  EXPECT_TRUE(checked(coins, "filter(count, x&y&z)", lumped).notes.empty()) << "counting wants the states themselves";
}

/// Five components that go through ten places each and disturb each other: 10^5 states.
std::string five(bool alike) {
  std::string text = "ctmc\nformula far = (a=9?1:0)+(b=9?1:0)+(c=9?1:0)+(d=9?1:0)+(e=9?1:0);\nconst double r = 1;\n";
  for (const char* rate : {"r1", "r2", "r3", "r4", "r5"})
    text += std::string("const double ") + rate + " = " + (alike ? "1" : std::string("1.0") + rate[1]) + ";\n";
  text += "module one a:[0..9]; [] a<9 -> r1*(1+far):(a'=a+1); [] a=9 -> 0.5:(a'=0); endmodule\n";
  text += "module two = one [a=b, b=a, r1=r2] endmodule module three = one [a=c, c=a, r1=r3] endmodule\n";
  return text + "module four = one [a=d, d=a, r1=r4] endmodule module five = one [a=e, e=a, r1=r5] endmodule";
}

TEST(CheckLumping, IsDoneByItselfWhereItPays) {
  const std::string property = "P=? [ G<=20 far<5 ]";
  const Built all = built(five(true), property);
  ASSERT_EQ(all.chain.states, 100'000U);
  chain::CheckOptions options;
  options.analysis.threads = 1;
  const auto ask = [&](chain::CheckOptions::Lumping lumping) {
    options.lumping = lumping;
    return chain::check(all.instance.model, all.chain, all.instance.properties[0], Budget(), options);
  };
  const chain::PropertyResult automatic = ask(chain::CheckOptions::Lumping::Automatic);
  const chain::PropertyResult plain = ask(chain::CheckOptions::Lumping::Off);
  // As many as there are ways to spread five over ten places, less those that the property cannot tell apart.
  ASSERT_EQ(automatic.notes.size(), 1U);
  EXPECT_EQ(automatic.notes[0], "100000 states lumped to 2002");
  EXPECT_TRUE(plain.notes.empty());
  EXPECT_NEAR(std::get<chain::Bounded>(automatic.value).value, std::get<chain::Bounded>(plain.value).value, 2e-6);
  EXPECT_LT(automatic.bytes, plain.bytes / 20);
}

TEST(CheckLumping, IsLeftOutWhereThePropertyIsQuicklyChecked) {
  EXPECT_TRUE(checked(five(true), "P=? [ G<=2 far<5 ]").notes.empty()) << "a dozen sweeps";
  // Forty thousand states that lead to later ones alone.
  const char* const one_way = R"(dtmc module a x:[0..199]; [] x<199 -> 0.5:(x'=x+1)+0.5:(x'=min(x+2,199)); endmodule
    module b = a [x=y] endmodule)";
  EXPECT_TRUE(checked(one_way, "P=? [ F x=150 & y=150 ]").notes.empty());
}

TEST(CheckLumping, IsLeftOutWhereComponentsDiffer) {
  EXPECT_TRUE(checked(five(false), "P=? [ G<=20 far<5 ]").notes.empty());
}

TEST(CheckDtmc, ARewardThatMayNeverEndIsInfinite) {
  EXPECT_EQ(number(kRuin, "R{\"steps\"}=? [ F x=4 ]").value, kInfinity);
  expect_number(kRuin, "R{\"wins\"}=? [ C ]", ruin(2));
}

TEST(CheckDtmc, ResultsAreNumbersToReckonWith) {
  expect_number(kRuin, "P=? [ F x=4 ] / (P=? [ F x=4 ] + P=? [ F x=0 ])", ruin(2), 1e-5);
  expect_number(kRuin, "1 - P=? [ F x=4 ]", 1 - ruin(2));
  EXPECT_TRUE(holds(kRuin, "P=? [ F x=0 ] < P=? [ F x=4 ]"));
  EXPECT_NE(checked(kRuin, "P=? [ F x=4 ] = 9/13").undecided, "") << "intervals cannot show that numbers are equal";
}

TEST(CheckDtmc, FiltersWorkOverTheirStates) {
  expect_number(kRuin, "filter(min, P=? [ F x=4 ], x>0)", ruin(1));
  expect_number(kRuin, "filter(max, P=? [ F x=4 ], x<4)", ruin(3));
  expect_number(kRuin, "filter(avg, P=? [ F x=4 ], x=1|x=2)", (ruin(1) + ruin(2)) / 2);
  expect_number(kRuin, "filter(sum, P=? [ F x=4 ])", ruin(1) + ruin(2) + ruin(3) + 1, 1e-5);
  expect_number(kRuin, "filter(count, P>0.5 [ F x=4 ])", 3, 0);
  expect_number(kRuin, "filter(first, P=? [ F x=4 ], x=3)", ruin(3));
  expect_number(kRuin, "filter(state, P=? [ F x=4 ], x=1)", ruin(1));
  EXPECT_TRUE(holds(kRuin, "filter(forall, P>0 [ F x=4 ], x>0)"));
  EXPECT_FALSE(holds(kRuin, "filter(forall, P>0 [ F x=4 ])"));
  EXPECT_TRUE(holds(kRuin, "filter(exists, P>=1 [ F x=4 ])"));
  const chain::PropertyResult range = checked(kRuin, "filter(range, P=? [ F x=4 ], x>0)");
  EXPECT_NEAR(std::get<chain::Bounded>(range.value).low, ruin(1), 1e-6);
  EXPECT_NEAR(std::get<chain::Bounded>(range.value).high, 1, 1e-6);
  EXPECT_NE(error_of([] { checked(kRuin, "filter(state, P=? [ F x=4 ], x<3)"); }).find("3 satisfy its condition"),
            std::string::npos);
  EXPECT_NE(error_of([] { checked(kRuin, "filter(min, P=? [ F x=4 ], x=9)"); }).find("no state"), std::string::npos);
  EXPECT_NE(error_of([] { checked(kRuin, "filter(min, x=4)"); }).find("true or false"), std::string::npos);
}

TEST(CheckDtmc, PrintFiltersListStates) {
  EXPECT_EQ(checked(kRuin, "filter(print, x=4 | x=3)").listing,
            (std::vector<std::string>{"1:(x=3)=true", "3:(x=4)=true"}));
  EXPECT_EQ(checked(kRuin, "filter(printall, x>3)").listing.size(), 5U);
  EXPECT_EQ(checked(kRuin, "filter(argmax, P=? [ F x=4 ], x<4)").listing.size(), 1U);
  chain::CheckOptions few;
  few.max_listing = 2;
  const chain::PropertyResult cut = checked(kRuin, "filter(printall, x>3)", few);
  EXPECT_EQ(cut.listing.size(), 2U);
  EXPECT_EQ(cut.notes.front(), "2 of 5 lines are shown");
}

TEST(CheckDtmc, SeveralInitialStatesGiveARange) {
  const std::string model =
      "dtmc module m x:[0..2]; [] x<2 -> 0.5:(x'=2)+0.5:(x'=x); [] x=2 -> true; endmodule init x<2 endinit";
  expect_number(model, "P=? [ F x=2 ]", 1);
  const chain::PropertyResult result = checked(model, "P=? [ X x=0 ]");
  const auto value = std::get<chain::Bounded>(result.value);
  EXPECT_EQ(value.low, 0);
  EXPECT_NEAR(value.high, 0.5, 1e-12);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("differs over 2 initial states: from 0 to 0.5"), std::string::npos);
  EXPECT_FALSE(holds(model, "P>0 [ X x=0 ]"));
  EXPECT_TRUE(holds(model, "filter(exists, P>0 [ X x=0 ], \"init\")"));
}

TEST(CheckDtmc, DeadlockIsALabel) {
  const char* const stuck = "dtmc module m x:[0..1]; [] x=0 -> (x'=1); endmodule";
  EXPECT_TRUE(holds(stuck, "P>=1 [ F \"deadlock\" ]"));
  EXPECT_FALSE(holds(stuck, "\"deadlock\""));
  EXPECT_TRUE(holds(stuck, "\"init\" & x=0"));
}

TEST(CheckMdp, MinimumAndMaximumAreOverStrategies) {
  expect_number(kChoice, "Pmax=? [ F \"goal\" ]", 0.9);
  expect_number(kChoice, "Pmin=? [ F \"goal\" ]", 0.5);
  expect_number(kChoice, "Pmax=? [ G !\"goal\" ]", 0.5);
  expect_number(kChoice, "Pmin=? [ G !\"goal\" ]", 0.1);
  EXPECT_TRUE(holds(kChoice, "P>=0.5 [ F \"goal\" ]")) << "a bound is for all strategies";
  EXPECT_FALSE(holds(kChoice, "P>=0.6 [ F \"goal\" ]"));
  EXPECT_TRUE(holds(kChoice, "P<=0.91 [ F \"goal\" ]"));
  EXPECT_FALSE(holds(kChoice, "P<=0.8 [ F \"goal\" ]"));
  EXPECT_TRUE(holds(kChoice, "Pmax>=0.89 [ F<=200 \"goal\" ]"));
  expect_number(kChoice, "Rmin=? [ F x!=0 ]", 1 / 0.7);
  expect_number(kChoice, "R{\"cost\"}max=? [ F x!=0 ]", 3);
  EXPECT_NE(error_of([] { checked(kChoice, "P=? [ F x=1 ]"); }).find("Pmin=? or Pmax=?"), std::string::npos);
  EXPECT_NE(error_of([] { checked(kChoice, "S=? [ x=1 ]"); }).find("mdp"), std::string::npos);
}

TEST(CheckMdp, StrategiesAreGivenOrSaidToBeMissing) {
  chain::CheckOptions options;
  options.analysis.want_strategy = true;
  const chain::PropertyResult reach = checked(kChoice, "Pmax=? [ F \"goal\" ]", options);
  ASSERT_EQ(reach.strategy.size(), 5U);
  EXPECT_EQ(reach.strategy[0], 1U) << "bold";
  EXPECT_EQ(checked(kChoice, "Pmin=? [ F \"goal\" ]", options).strategy[0], 0U) << "safe";
  EXPECT_EQ(checked(kChoice, "filter(state, Pmax=? [ F P>=1 [ X \"goal\" ] ], x=0)", options).strategy.size(), 5U);
  const chain::PropertyResult logic = checked(kChoice, "Pmax=? [ G F \"goal\" ]", options);
  EXPECT_TRUE(logic.strategy.empty());
  EXPECT_NE(logic.notes.back().find("no strategy"), std::string::npos);
}

TEST(CheckMdp, RewardsThatMayNeverEndAreInfinite) {
  // Wait for ever, or go on with even odds of a trap.
  const char* const model =
      R"(mdp module m x:[0..2]; [wait] x=0 -> true; [go] x=0 -> 0.5:(x'=1)+0.5:(x'=2); [] x>0 -> true;
    endmodule rewards "r" [wait] true : 1; [go] true : 3; endrewards rewards "free" [go] true : 3; endrewards)";
  EXPECT_EQ(number(model, "R{\"r\"}max=? [ F x>0 ]").value, kInfinity) << "waiting earns for ever";
  expect_number(model, "R{\"r\"}min=? [ F x>0 ]", 3);
  EXPECT_EQ(number(model, "R{\"free\"}max=? [ F x>0 ]").value, kInfinity) << "x>0 may be missed";
  EXPECT_EQ(number(model, "R{\"r\"}min=? [ F x=1 ]").value, kInfinity) << "whatever one does";
  EXPECT_EQ(number(model, "R{\"r\"}max=? [ C ]").value, kInfinity);
  expect_number(model, "R{\"free\"}max=? [ C ]", 3);
  expect_number(model, "R{\"r\"}max=? [ C<=5 ]", 7);
  EXPECT_TRUE(holds(model, "R{\"r\"}>=1000 [ F x=1 ]"));
  EXPECT_FALSE(holds(model, "R{\"r\"}<1000 [ F x>0 ]"));
}

TEST(CheckCtmc, OneMachineHasItsClosedForm) {
  const double sum = 2.1;
  const auto down_at = [&](double t) { return 0.1 / sum * (1 - std::exp(-sum * t)); };
  expect_number(kMachine, "S=? [ !up ]", 0.1 / sum);
  expect_number(kMachine, "P=? [ F=0.7 !up ]", down_at(0.7));
  expect_number(kMachine, "P=? [ F<=3 !up ]", 1 - std::exp(-0.3));
  expect_number(kMachine, "P=? [ G<=3 up ]", std::exp(-0.3));
  expect_number(kMachine, "P=? [ X !up ]", 1);
  expect_number(kMachine, "R{\"down\"}=? [ C<=5 ]", 0.1 / sum * (5 - (1 - std::exp(-5 * sum)) / sum));
  expect_number(kMachine, "R{\"down\"}=? [ I=0.7 ]", down_at(0.7));
  expect_number(kMachine, "R{\"down\"}=? [ S ]", 0.1 / sum);
  expect_number(kMachine, "R{\"repairs\"}=? [ S ]", 0.2 / sum);
  expect_number(kMachine, "R{\"down\"}=? [ F !up ]", 0);
  EXPECT_EQ(number(kMachine, "R{\"down\"}=? [ C ]").value, kInfinity);
  EXPECT_TRUE(holds(kMachine, "S<0.05 [ !up ]"));
}

TEST(CheckLtl, OfADtmcIsAboutItsBottomComponents) {
  // From 0: into a cycle 1-2, or into the trap 3.
  const char* const model = R"(dtmc module m x:[0..3];
    [] x=0 -> 0.3:(x'=1)+0.5:(x'=3)+0.2:(x'=0); [] x=1 -> (x'=2); [] x=2 -> 0.5:(x'=1)+0.5:(x'=2); [] x=3 -> true; endmodule)";
  expect_number(model, "P=? [ G F x=1 ]", 0.375);
  expect_number(model, "P=? [ F G x=3 ]", 0.625);
  expect_number(model, "P=? [ (G F x=1) | (F G x=2) ]", 0.375);
  expect_number(model, "P=? [ (G F x=1) & (G F x=2) ]", 0.375);
  expect_number(model, "P=? [ F (x=1 & X x=2) ]", 0.375);
  expect_number(model, "P=? [ X X x=3 ]", 0.5 + 0.2 * 0.5);
  expect_number(model, "P=? [ (X x=0) & (F x=3) ]", 0.2 * 0.625);
  expect_number(model, "P=? [ !(F G x=3) ]", 0.375);
  expect_number(model, "P=? [ (F<=2 x=3) & (X x=0) ]", 0.2 * 0.5);
  EXPECT_TRUE(holds(model, "P>0 [ G F x=1 ] & P<1 [ G F x=1 ] & P>=1 [ (F G x=3) | (G F x=1) ]"));
  EXPECT_TRUE(holds(model, "filter(forall, P>=1 [ G F x=1 ], x=1|x=2)"));
}

TEST(CheckLtl, OfAnMdpIsAboutItsEndComponents) {
  const char* const model = R"(mdp module m x:[0..2];
    [a] x=0 -> (x'=0); [b] x=0 -> 0.5:(x'=1)+0.5:(x'=2); [] x=1 -> (x'=0); [] x=2 -> true; endmodule)";
  expect_number(model, "Pmax=? [ G F x=1 ]", 0);
  expect_number(model, "Pmax=? [ F G x=0 ]", 1);
  expect_number(model, "Pmin=? [ F G x=0 ]", 0);
  expect_number(model, "Pmin=? [ (F G x=0) | (F G x=2) ]", 1);
  expect_number(model, "Pmax=? [ (F x=1) & (F G x=0) ]", 0.5);
  expect_number(model, "Pmax=? [ (X x=0) & (F x=2) ]", 1);
  expect_number(model, "Pmin=? [ (X x=0) | (F x=2) ]", 0.5);
}

TEST(CheckLtl, RewardsAreEarnedUpToACoSafeFormula) {
  EXPECT_EQ(number(kDie, "R{\"flips\"}=? [ F (s=1 & F \"done\") ]").value, kInfinity) << "s=1 may be missed";
  expect_number(kRuin, "R{\"steps\"}=? [ F (x!=2 & F (x=0|x=4)) ]", 2 / (1 - 0.48));
  EXPECT_NE(error_of([] { checked(kRuin, "R{\"steps\"}=? [ F G x=4 ]"); }).find("finite path"), std::string::npos);
}

/// The fraction that a property is, as text.
std::string exact(const std::string& model, const std::string& property, const Constants& constants = {}) {
  chain::CheckOptions options;
  options.analysis.method = chain::AnalysisOptions::Method::Exact;
  const chain::PropertyResult result = checked(model, property, options, constants);
  EXPECT_EQ(result.undecided, "") << property;
  if (const bool* holds = std::get_if<bool>(&result.value)) return *holds ? "true" : "false";
  const chain::Bounded& found = std::get<chain::Bounded>(result.value);
  if (!found.exact) return "an interval";
  return *found.exact ? (*found.exact)->to_string() : "infinity";
}

TEST(CheckExact, GivesFractions) {
  EXPECT_EQ(exact(kDie, "P=? [ F d=3 ]"), "1/6");
  EXPECT_EQ(exact(kDie, "P=? [ G d!=3 ]"), "5/6");
}

const char* const kLongDecimals = R"(dtmc
  const double p = 0.12345678901234567890123;
  const double q;
  module m
    s : [0..3];
    [] s=0 -> p : (s'=1) + 1-p : (s'=2);
    [a] s=1 & 0.1+0.2=0.3 -> 1/3 : (s'=1) + 1/3 : (s'=2) + 1/3 : (s'=3);
    [] s=1 & 1/3=0.333333333333333333333333 -> (s'=3);
    [] s>1 -> true;
  endmodule
  rewards "r" s=0 : 0.1; [a] true : q; endrewards)";

TEST(CheckExact, NoLiteralGoesThroughADouble) {
  const Constants given{{"q", "0.30000000000000000000001"}};
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F s=1 ]", given), "12345678901234567890123/100000000000000000000000");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F s=3 ]", given), "12345678901234567890123/200000000000000000000000");
  EXPECT_EQ(exact(kLongDecimals, "1/3 = 0.333333333333333333333333", given), "false");
  EXPECT_EQ(exact(kLongDecimals, "P>=0.12345678901234567890123 [ F s=1 ]", given), "true");
  EXPECT_EQ(exact(kLongDecimals, "P>0.12345678901234567890123 [ F s=1 ]", given), "false");
  EXPECT_EQ(exact(kLongDecimals, "P>0.12345678901234567890122 [ F s=1 ]", given), "true");
  EXPECT_EQ(exact(kLongDecimals, "P<=0.12345678901234567890122 [ F s=1 ]", given), "false");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F s=1 ] - 2*P=? [ F s=3 ]", given), "0");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F s=1 ] = p", given), "true");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F s=1 ] = p + 1e-30", given), "false");
  EXPECT_EQ(exact(kLongDecimals, "filter(max, R{\"r\"}=? [ F s>1 ], s=1)", given),
            "90000000000000000000003/200000000000000000000000");
  EXPECT_EQ(exact(kLongDecimals, "q", given), "30000000000000000000001/100000000000000000000000");
  EXPECT_EQ(exact(kLongDecimals, "filter(sum, q + s, s!=2) - 3*q", given), "4");
}

TEST(CheckExact, StepsAndFormulasHaveFractionsToo) {
  const Constants given{{"q", "1"}};
  EXPECT_EQ(exact(kLongDecimals, "P=? [ X s=1 ] / p", given), "1");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F<=3 s=3 ] / p", given), "4/9");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F[3,3] s=1 ] / p", given), "1/9");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F>=2 s=1 ] / p", given), "1/3");
  EXPECT_EQ(exact(kLongDecimals, "(R{\"r\"}=? [ C<=2 ] - 0.1) / p", given), "1");
  EXPECT_EQ(exact(kLongDecimals, "(R{\"r\"}=? [ I=0 ])", given), "1/10");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ F (s=1 & X s=1) ] / p", given), "1/3");
  EXPECT_EQ(exact(kLongDecimals, "P=? [ G F s=3 ] / p", given), "1/2");
  EXPECT_EQ(exact(kLongDecimals, "S=? [ s=3 ]", given), "an interval");
}

TEST(CheckExact, RefusesWhatIsNoFraction) {
  const auto refusal = [](const std::string& value) {
    return error_of([&] {
      exact("dtmc module m x:[0..2] init 1; [] true -> " + value + ":(x'=0) + 1-" + value + ":(x'=1); endmodule",
            "P=? [ F x=0 ]");
    });
  };
  EXPECT_NE(refusal("log(2,10)").find("model.prism:1:"), std::string::npos) << refusal("log(2,10)");
  EXPECT_NE(refusal("pow(0.5,0.5)").find("model.prism:1:"), std::string::npos) << refusal("pow(0.5,0.5)");
  EXPECT_NE(refusal("pow(0.5,x/2)").find("no fraction"), std::string::npos) << refusal("pow(0.5,x/2)");
  EXPECT_EQ(refusal("pow(0.5,2)"), "no error");
}

TEST(CheckExact, ProbabilitiesHaveToSumToOneExactly) {
  const std::string text = error_of([] {
    exact("dtmc module m x:[0..1]; [] true -> 0.3333333333333333:(x'=0) + 0.6666666666666666:(x'=1); endmodule",
          "P=? [ F x=1 ]");
  });
  EXPECT_NE(text.find("sum to 9999999999999999/10000000000000000"), std::string::npos) << text;
}

TEST(CheckLtl, ARewardCountsTheStepOfANext) {
  const char* const model = R"(dtmc module m s:[0..2]; [] s<2 -> 0.5:(s'=s+1)+0.5:(s'=0); [] s=2 -> true; endmodule
    rewards true : 1; endrewards)";
  expect_number(model, "R=? [ X s>=0 ]", 1);
  expect_number(model, "R=? [ X true ]", 1);
  expect_number(model, "R=? [ X X s>=0 ]", 2);
  expect_number(model, "R=? [ X s<=1 ]", 1);
  expect_number(model, "R=? [ F s>=0 ]", 0);
  expect_number(model, "R=? [ s=0 U s>=0 ]", 0);
}

}  // namespace
}  // namespace plumb::prism
