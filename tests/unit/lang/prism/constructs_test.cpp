// What PRISM accepts is accepted, construct by construct, and means what it means there.

#include <cmath>

#include "unit/lang/prism/run.h"

namespace plumb::prism {
namespace {

std::uint64_t states(const std::string& model, const Constants& constants = {}) {
  return built(model, "", constants).chain.states;
}
void expect_error(const std::string& model, const std::string& part, const std::string& property = "") {
  const std::string text = error_of([&] { checked(model, property.empty() ? "true" : property); });
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}
void expect_property_error(const std::string& property, const std::string& part) {
  expect_error("dtmc module m x:[0..1]; [] true -> (x'=1-x); endmodule rewards true : 1; endrewards", part, property);
}

/// Goes from 0 to 9 and stays; each step with probability 1/2.
const char* const kSlow = R"(dtmc
const int top = 9;
module m x:[0..top]; [go] x<top -> 0.5:(x'=x+1) + 0.5:true; [stay] x=top -> true; endmodule
label "a" = x>=2;
rewards "go" [go] true : 1; endrewards
rewards "x" true : x; endrewards)";

// --- Models ---

TEST(Constructs, UpdatesAreTrueOrAssignmentsInParentheses) {
  const char* const variables = "dtmc module m x:[0..3]; y:bool; ";
  EXPECT_EQ(states(std::string(variables) + "[] x=0 -> (x'=1)&(y'=true); [] x=1 -> true; endmodule"), 2U);
  EXPECT_EQ(states(std::string(variables) + "[] x=0 -> 1/2:true + 1/2:(y'=!y)&(x'=2); [] x=2 -> 1:true; endmodule"),
            2U);
  EXPECT_EQ(states(std::string(variables) + "[] x=0 -> (1-0.5):(x'=x+1) + (0.5):(x'=x+2); [] x>0->true; endmodule"),
            3U);
  EXPECT_EQ(states(std::string(variables) + "[] true -> (x'=3); endmodule // comment without a newline"), 2U);
  expect_error(std::string(variables) + "[] -> (x'=1); endmodule", "expected a guard");
  expect_error(std::string(variables) + "[] x=0 -> x'=1; endmodule", "expected");
}

TEST(Constructs, InitialValuesAndRangesAreExpressions) {
  const Built all = built(
      "dtmc const int n = 3; const bool b = n>2; module m x:[n-4..2*n] init max(n,1)-1; y:bool init "
      "b&true; z:[-3..-1]; endmodule");
  EXPECT_EQ(all.instance.model.variables[0].low, -1);
  EXPECT_EQ(all.instance.model.variables[0].high, 6);
  EXPECT_EQ(all.instance.model.variables[0].initial, 2);
  EXPECT_EQ(all.instance.model.variables[1].initial, 1);
  EXPECT_EQ(all.instance.model.variables[2].initial, -3) << "the lower end unless it is given";
  EXPECT_EQ(describe(all.chain, all.instance.model, 0), "(x=2,y=true,z=-3)");
}

TEST(Constructs, FormulasReachEverywhereAndAreRenamed) {
  const Built all = built(R"(mdp
module a x:[0..4] init start; [go] can -> (x'=next); endmodule
module b = a [x=y, start=other, go=run, step=jump] endmodule
formula can = next<=4; formula next = x+step; formula step = 1; formula jump = 2;
formula start = 0; formula other = 1;
label "far" = can; rewards "r" can : next; endrewards)");
  // x: 0,1,2,3,4 by one; y: 1,3 by two.
  EXPECT_EQ(all.chain.states, 10U);
  EXPECT_EQ(all.chain.rewards[0].states[0], 1) << "rewards and labels are about the names that they say";
}

TEST(Constructs, ModulesMayBeMadeFromRenamedOnes) {
  EXPECT_EQ(states("mdp module a x:[0..2]; [] x<2 -> (x'=x+1); endmodule module b = a [x=y] endmodule "
                   "module c = b [y=z] endmodule"),
            27U);
  EXPECT_EQ(states("mdp module c = b [y=z] endmodule module b = a [x=y] endmodule "
                   "module a x:[0..2]; [] x<2 -> (x'=x+1); endmodule"),
            27U);
  expect_error("mdp module a = b [x=y] endmodule module b = a [y=x] endmodule", "made from itself");
  expect_error("mdp module a x:[0..1]; endmodule module b = a [z=y] endmodule", "'x'");
  expect_error("mdp module a x:[0..1]; endmodule module b = c [x=y] endmodule", "there is no module 'c'");
}

TEST(Constructs, RenamingGoesBothWaysAtOnce) {
  // Two processes that read each other: x and y swap.
  const Built all = built(R"(mdp module a x:[0..1]; [] x=0 & y=0 -> (x'=1); endmodule
    module b = a [x=y, y=x] endmodule)");
  EXPECT_EQ(all.chain.states, 3U) << "whoever moves first stops the other";
}

TEST(Constructs, CompositionsBindAsInPrism) {
  const std::string modules = R"(mdp
module a x:[0..1]; [go] x=0 -> (x'=1); endmodule
module b y:[0..1]; [go] y=0 -> (y'=1); endmodule
module c z:[0..1]; [go] z=0 -> (z'=1); endmodule
)";
  EXPECT_EQ(states(modules + "system a || b || c endsystem"), 2U);
  EXPECT_EQ(states(modules + "system a ||| b ||| c endsystem"), 8U);
  // a moves with one of b and c.
  EXPECT_EQ(states(modules + "system a || b ||| c endsystem"), states(modules + "system a || (b ||| c) endsystem"));
  EXPECT_EQ(states(modules + "system a ||| b || c endsystem"), states(modules + "system (a ||| b) || c endsystem"));
  EXPECT_EQ(states(modules + "system a ||| b |[go]| c endsystem"), 4U) << "a alone, b and c together";
  EXPECT_EQ(states(modules + "system a |[go]| b |[go]| c endsystem"), 2U);
  EXPECT_EQ(states(modules + "system (a || b)/{go} || c endsystem"), 4U);
  EXPECT_EQ(states(modules + "system ((a{go<-up}) || b{go<-up}){up<-go} || c endsystem"), 2U);
  EXPECT_EQ(states(modules + "system a{go<-up} || b / {go} ||| c endsystem"), 8U);
  expect_error(modules + "system a || b endsystem", "module c is not in the composition");
  expect_error(modules + "system a || b || c || a endsystem", "a");
  expect_error(modules + "system a | b || c endsystem", "'||'");
}

TEST(Constructs, GlobalVariablesAreWrittenByAnyModule) {
  EXPECT_EQ(
      states("mdp global g:[0..2]; module a [] g<2 -> (g'=g+1); endmodule module b [] g>0 -> (g'=g-1); endmodule"), 3U);
  EXPECT_EQ(
      states("mdp global g:[0..2] init 1; global h:bool init true; module a [] h -> (h'=false)&(g'=0); endmodule"), 2U);
}

TEST(Constructs, IntegersReachBeyond32Bits) {
  const Built all = built(
      "dtmc const int big = 5000000000; module m x:[0..big] init big-1; [] x<big -> (x'=x+1); [] x=big "
      "-> true; endmodule",
      "x>4294967296");
  EXPECT_EQ(all.chain.states, 2U);
  EXPECT_EQ(describe(all.chain, all.instance.model, 1), "(x=5000000000)");
  EXPECT_TRUE(holds("dtmc module m x:[0..1]; endmodule", "pow(2,40)=1099511627776 & mod(pow(3,39),10)=7"));
  expect_error("dtmc const int n = 99999999999999999999; module m x:[0..n]; endmodule", "too large for an int");
}

TEST(Constructs, NumbersHaveTheTypesOfPrism) {
  const auto yes = [](const std::string& text) {
    EXPECT_TRUE(holds("dtmc module m x:[-3..7] init 7; b:bool; [] x<7 -> (x'=x+1); [] x=7 -> true; endmodule", text))
        << text;
  };
  yes("x/2 = 3.5");
  yes("floor(x/2) = 3 & ceil(x/2) = 4 & round(x/2) = 4 & round(-2.5) = -2");
  yes("mod(-x,4) = 1 & mod(x,4) = 3 & mod(-8,4) = 0");
  yes("pow(-2,3) = -8 & pow(2,-1.0) = 0.5 & pow(4,0.5) = 2 & pow(0,0) = 1");
  yes("log(x+1,2) = 3 & log(0.25,2) = -2 & log(2,0.5) = -1");
  yes("min(x,2.5) = 2.5 & max(x,7.0,3) = x");
  yes("-x = 0-7 & --x = 7 & 3--1 = 4 & -(-x) = x & 2*-3 = -6");
  yes("(b ? 1 : 2.5) = 2.5 & (x>0 => !b) & (b <=> false) & (b = false) & (b != true)");
  yes("1e3 = 1000 & 2.5E-1 = 0.25 & .5 = 1/2 & 1. = 1");
  yes("x>6 & x>=7 & x<8 & x<=7 & x!=8 & !(x=6) & !x=6");
  yes("false & 1/0 > 0 | true");
  const auto no = [](const std::string& text, const std::string& part) {
    expect_error("dtmc module m x:[0..3]; [] " + text + " -> true; endmodule", part);
  };
  no("x", "a guard should be a bool, and is an int");
  no("x+true>1", "should be a number, and is a bool");
  no("mod(x,0)=1", "modulus");
  no("mod(x,2.0)=1", "should be an int, and is a double");
  no("1/x>0", "division by zero in state (x=0)");
  no("log(x,2)>0", "logarithm");
  no("log(2,1)>0", "logarithm");
  no("pow(2,x-1)>0", "power");
  no("pow(x-1,0.5)>0", "power");
  no("floor(1e300)>0", "too large");
  no("9223372036854775807+x>=0 & 9223372036854775807+x+1>0", "64 bits");
  no("min(x)=1", "at least two");
  no("floor(x,1)=1", "one operand");
  no("pow(x)=1", "two operands");
}

TEST(Constructs, RewardsOfActionsAreEarnedByTheirTransitionsAlone) {
  const std::string model = R"(mdp module m x:[0..2]; [a] x=0 -> (x'=1); [] x=1 -> (x'=2); [b] x=2 -> true; endmodule
    rewards "named" [a] x<5 : 1; [a] true : x+10; endrewards
    rewards "unnamed" [] true : 3; endrewards
    rewards "both" true : 1; [b] true : 1; endrewards)";
  expect_number(model, "R{\"named\"}max=? [ F x=2 ]", 11);
  expect_number(model, "R{\"unnamed\"}max=? [ F x=2 ]", 3);
  expect_number(model, "R{3}min=? [ C<=4 ]", 6);
  expect_number(model, "Rmax{\"both\"}=? [ C<=2 ]", 2);
  expect_number(model, "R{\"both\"}min=? [ I=3 ]", 1);
}

TEST(Constructs, NamesMayBeginWithALineAndHoldDigits) {
  EXPECT_EQ(states("dtmc module _m1 _x_1:[0..1]; [_go2] true -> (_x_1'=1-_x_1); endmodule"), 2U);
}

// --- Properties ---

TEST(Constructs, PropertiesHaveLabelsConstantsFormulasAndNames) {
  const Built all = built(kSlow, R"(
const int k; const double half = 1/2; const bool yes = true; const T = 3; formula far = x>k;
label "b" = far | x=0; // of the file
"one": P=? [ F<=T ("a" & x<3) ];
"two": "one" + half;
P>=half [ F<=T+1 "b" & yes ]; "one">0; P = ? [ F "b" ]
R{"x"}=? [ C<=k ])",
                          {{"k", "5"}});
  ASSERT_EQ(all.instance.properties.size(), 6U);
  const auto value = [&](std::size_t i) {
    return chain::check(all.instance.model, all.chain, all.instance.properties[i], Budget(), {}).value;
  };
  EXPECT_NEAR(std::get<chain::Bounded>(value(0)).value, 0.5, 1e-9);
  EXPECT_NEAR(std::get<chain::Bounded>(value(1)).value, 1, 1e-9);
  EXPECT_TRUE(std::get<bool>(value(2)));
  EXPECT_TRUE(std::get<bool>(value(3)));
  EXPECT_NEAR(std::get<chain::Bounded>(value(4)).value, 1, 1e-9);
  EXPECT_NEAR(std::get<chain::Bounded>(value(5)).value, 0.5 * (0 + 1 + 2 + 3 + 4), 1e-6);
  EXPECT_EQ(all.instance.properties[3].text, "\"one\">0");
  expect_property_error("\"a\": P>0 [ F \"b\" ]; \"b\": P>0 [ F \"a\" ]", "depends on itself");
  expect_property_error("\"a\": true; \"a\": false", "two properties called");
  EXPECT_TRUE(holds(kSlow, "!\"a\"; \"a\": x>7")) << "the label is meant";
  expect_property_error("label \"a\" = true; label \"a\" = false; true", "two labels");
  expect_property_error("label \"deadlock\" = true; true", "meaning of its own");
}

TEST(Constructs, SourcesOfPropertiesSeeEachOther) {
  const auto model = parse_model(kSlow, "m.prism");
  const auto file = parse_properties("const int k; label \"b\" = x=k; \"p\": P=? [ F<=2 \"b\" ];", "f.props");
  const auto text = parse_properties("\"p\" * 2; P=? [ F<=k \"b\" ]", "--prop");
  const Instance instance = instantiate(*model, {file.get(), text.get()}, {{"k", "2"}});
  ASSERT_EQ(instance.properties.size(), 3U);
  EXPECT_EQ(instance.properties[2].location.file, "--prop");
  EXPECT_EQ(instance.model.labels.size(), 1U) << "labels of property files are not the model's";
  EXPECT_EQ(open_constants(*file), std::vector<std::string>{"k"});
  EXPECT_TRUE(open_constants(*model).empty());
  chain::BuildReport report;
  const chain::Chain chain = chain::build(instance.model, Budget(), {}, report);
  const auto value = chain::check(instance.model, chain, instance.properties[1], Budget(), {}).value;
  EXPECT_NEAR(std::get<chain::Bounded>(value).value, 0.5, 1e-9);
}

TEST(Constructs, PropertiesThatAreNotWantedNeedNoConstants) {
  const auto model = parse_model(kSlow, "m.prism");
  const auto file =
      parse_properties("const int k; \"p\": P=? [ F<=k x=1 ]; \"q\": P=? [ F<=2 x=1 ]; \"p\">0", "f.props");
  const auto made = [&](std::vector<bool> wanted) { return instantiate(*model, {file.get()}, {}, &wanted).properties; };
  EXPECT_EQ(made({false, true, false}).at(0).name, "q");
  EXPECT_NE(error_of([&] { made({false, true, true}); }).find("constant 'k' has no value"), std::string::npos);
}

TEST(Constructs, GivenConstantsWinOverWrittenOnesAndSaySo) {
  const Built all = built(kSlow, "", {{"top", "4"}});
  EXPECT_EQ(all.chain.states, 5U);
  ASSERT_EQ(all.instance.notes.size(), 1U);
  EXPECT_EQ(all.instance.notes[0], "constant top is 4 as given, and not as written at model.prism:2:11");
  EXPECT_TRUE(built(kSlow).instance.notes.empty());
}

TEST(Constructs, TimeBoundsHaveAllForms) {
  const auto is = [](const std::string& property, double expected) { expect_number(kSlow, property, expected); };
  is("P=? [ F<=3 x>=2 ]", 0.5);
  is("P=? [ F<4 x>=2 ]", 0.5);
  is("P=? [ F[2,3] x=2 ]", 0.25 + 0.5 - 0.25 + 0.0);
  is("P=? [ F=2 x=2 ]", 0.25);
  is("P=? [ F>=2 x=1 ]", 0.75);
  is("P=? [ F>1 x=1 ]", 0.75);
  is("P=? [ x<2 U[2,3] x=2 ]", 0.5);
  is("P=? [ true U<=1+2 x>=2 ]", 0.5);
  is("P=? [ G<=(3) x<2 ]", 0.5);
  is("P=? [ G[1,2] x=1 ]", 0.25);
  is("P=? [ F<=top-6 x>=2 ]", 0.5);
  is("P=? [ F<=3 (-x<-1) ]", 0.5);
  const std::string clock = "ctmc module m x:[0..1]; [] x=0 -> 2:(x'=1); [] x=1 -> 1:true; endmodule";
  expect_number(clock, "P=? [ F<=0.5 x=1 ]", 1 - std::exp(-1));
  expect_number(clock, "P=? [ F[0.25,0.5] x=1 ]", 1 - std::exp(-1));
  expect_number(clock, "P=? [ x=0 U[0.25,0.5] x=1 ]", std::exp(-0.5) - std::exp(-1));
  expect_number(clock, "P=? [ x=0 U>=0.5 x=1 ]", std::exp(-1));
  expect_number(clock, "P=? [ x=0 U>0.5 x=1 ]", std::exp(-1));
  expect_number(clock, "P=? [ G<=0.5 x=0 ]", std::exp(-1));
  expect_number(clock, "P=? [ F=0.5 x=0 ]", std::exp(-1));
  expect_property_error("P=? [ F<=-1 x=1 ]", "no interval");
  expect_property_error("P=? [ F[2,x] x=1 ]", "should be constant");
  expect_property_error("P=? [ F<=0.5 x=1 ]", "whole number");
  expect_property_error("R=? [ C>=2 ]", "C<=");
  expect_property_error("R=? [ I<=2 ]", "'='");
}

TEST(Constructs, ValuesOfPropertiesAreReckonedWith) {
  const auto is = [](const std::string& property, double expected) { expect_number(kSlow, property, expected, 1e-5); };
  is("(P=? [ F<=2 x=2 ]) / (P=? [ F<=3 x=2 ])", 0.5);
  is("1 - 2*P=? [ F<=2 x=2 ] + R{\"x\"}=? [ I=2 ]", 1 - 0.5 + 1);
  is("min(P=? [ X x=1 ], 0.75, x+2)", 0.5);
  is("max(P=? [ X x=1 ], x+2)", 2);
  is("\"a\" ? 1 : P=? [ X x=1 ]", 0.5);
  is("P>0.9 [ X x=1 ] ? 1 : 2", 2);
  is("-P=? [ X x=1 ]", -0.5);
  is("filter(max, x) * 2", 18);
  is("filter(min, P=? [ F x=9 ]) + 1", 2);
  EXPECT_TRUE(holds(kSlow, "P=? [ X x=1 ] > 0.4 & P=? [ X x=1 ] < 0.6 & P=? [ X x=1 ] >= 0.1 & 0.1 <= P=? [ X x=1 ]"));
  EXPECT_TRUE(holds(kSlow, "P=? [ X x=1 ] != 0.25"));
  EXPECT_TRUE(holds(kSlow, "!(filter(max, x) < 9) & filter(max, x) <= 9 & filter(max, x) = 9 & !(filter(max, x) > 9)"));
  EXPECT_TRUE(holds(kSlow, "(\"a\" = false) & (P>0 [ F x=9 ]) = true & (x=0 ? !\"a\" : \"a\")"));
  expect_error(kSlow, "'log' of the value of a property", "log(P=? [ X x=1 ], 2)");
  expect_error(kSlow, "one side of '?:'", "\"a\" ? P=? [ X x=1 ] : P>0 [ X x=1 ]");
  expect_error(kSlow, "expected a number, found a condition", "\"a\" + P=? [ X x=1 ]");
}

TEST(Constructs, FiltersHaveAllTheirNames) {
  const auto is = [](const std::string& property, double expected) { expect_number(kSlow, property, expected, 1e-5); };
  is("filter(sum, x)", 45);
  is("filter(+, x, x>7)", 17);
  is("filter(avg, x, x<=4)", 2);
  is("filter(count, x>7)", 2);
  is("filter(count, x>7, x<9)", 1);
  is("filter(argmax, x)", 9);
  is("filter(argmin, x, x>3)", 4);
  is("filter(first, x, x>3)", 4);
  is("filter(range, x, x=3)", 3);
  is("filter(state, x, x=3)", 3);
  is("filter(print, x, x=3)", 3);
  is("filter(printall, x, \"init\")", 0);
  EXPECT_TRUE(holds(kSlow, "filter(forall, x<=9) & filter(&, x<=9) & filter(exists, x=4) & filter(|, x=4)"));
  EXPECT_FALSE(holds(kSlow, "filter(&, x<9)"));
  EXPECT_TRUE(holds(kSlow, "filter(forall, \"init\" => x=0)"));
  expect_property_error("filter(forall, x)", "wants a condition");
  expect_property_error("filter(avg, x=1)", "wants numbers");
  expect_property_error("filter(3, x=1)", "a filter's name");
}

TEST(Constructs, WhatIsNotSupportedIsRefusedByName) {
  expect_property_error("multi(Pmax=? [ F x=1 ], P>=0.5 [ G x=1 ])", "multi(");
  expect_property_error("E [ F x=1 ]", "E [");
  expect_property_error("A [ G x=1 ]", "A [");
  expect_property_error("<<p>> Pmax=? [ F x=1 ]", "<<");
  expect_property_error("P=? [ F x=1 {x=0}{min} ]", "braces");
  for (const char* kind : {"pta", "pomdp", "popta", "smg", "csg", "idtmc", "imdp"})
    expect_error(std::string(kind) + " module m x:[0..1]; endmodule", std::string("type ") + kind);
  expect_error("dtmc module m x:clock; endmodule", "clock");
  expect_error("dtmc module m x:[0..1]; invariant x<1 endinvariant endmodule", "invariant");
  expect_error("dtmc observables x endobservables module m x:[0..1]; endmodule", "observables");
  expect_error("dtmc module m x:int; endmodule", "variable 'x' has no range");
  expect_error("mdp player p m endplayer module m x:[0..1]; endmodule", "player");
}

TEST(Constructs, SeveralRewardQuestionsHaveTheirForms) {
  const auto is = [](const std::string& property, double expected) { expect_number(kSlow, property, expected, 1e-5); };
  is("R{\"go\"}=? [ C ]", 18);
  is("R{1}=? [ F x=9 ]", 18);
  is("R=? [ F \"a\" ]", 4);
  is("R{\"x\"}=? [ S ]", 9);
  is("R{\"x\"}=? [ I=1 ]", 0.5);
  is("R{\"go\"}max=? [ C<=3 ]", 3);
  EXPECT_TRUE(holds(kSlow, "R{\"go\"}<=18.5 [ F x=9 ] & R{\"go\"}>17 [ C ] & R{\"x\"}>=9 [ S ]"));
  expect_error(kSlow, "no reward structure \"z\"", "R{\"z\"}=? [ C ]");
  expect_error(kSlow, "no reward structure 3", "R{3}=? [ C ]");
}

}  // namespace
}  // namespace plumb::prism
