// Bad input: every message names the place, what is wrong and, of a built model, the state with its values.

#include "unit/lang/prism/run.h"

namespace plumb::prism {
namespace {

std::string build_error(const std::string& model, const Constants& constants = {}, chain::BuildOptions options = {}) {
  return error_of([&] { built(model, "", constants, options); });
}
std::string property_error(const std::string& property) {
  return error_of([&] { built("mdp module m x:[0..1]; [] true -> (x'=1-x); endmodule", property); });
}
void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}
/// A module with one variable x in 0..3 and the given command.
std::string with(const std::string& kind, const std::string& command) {
  return kind + "\nmodule m\n  x : [0..3] init 0;\n  " + command + "\nendmodule\n";
}

TEST(Errors, OfSyntaxNameThePlaceAndWhatWasExpected) {
  expect_contains(build_error("dtmc\nmodule m\n  x : [0..3] init 0\nendmodule"),
                  "model.prism:4:1: error: expected ';', found 'endmodule'");
  expect_contains(build_error("dtmc\nmodule m\n  x : [0..3];\n  [] x=0 > (x'=1);\nendmodule"), "model.prism:4:");
  expect_contains(build_error("dtmc module m x:[0..1]; [] x=0 -> (x'=1;"), "expected ')', found ';'");
  expect_contains(build_error("dtmc\nconst int N = 3 $ 4;"), "model.prism:2:17: error: unexpected character '$'");
  expect_contains(build_error("dtmc label \"a = true;"), "quote");
  expect_contains(build_error("module m endmodule"), "the model has no type");
  expect_contains(build_error("dtmc"), "no module");
  expect_contains(build_error("dtmc mdp module m x:[0..1]; endmodule"), "given twice");
  expect_contains(build_error("dtmc module m x:[0..1]; [] true -> (x'=1); "), "the end of the text");
}

TEST(Errors, AReservedWordUsedAsANameIsCalledOne) {
  expect_contains(build_error("dtmc\nmodule m\n  max : [0..3];\nendmodule"),
                  "model.prism:3:3: error: expected a variable's name, found 'max', which is a reserved word");
  expect_contains(build_error("dtmc const int F = 1;"), "a constant's name, found 'F', which is a reserved word");
  expect_contains(build_error("dtmc module rate x:[0..1]; endmodule"), "reserved word");
  expect_contains(build_error("dtmc formula P = 1; module m x:[0..1]; endmodule"), "reserved word");
  expect_contains(build_error("dtmc global min : bool; module m x:[0..1]; endmodule"), "reserved word");
  expect_contains(build_error("dtmc module m x:[0..1]; [init] true -> true; endmodule"),
                  "an action's name, found 'init', which is a reserved word");
}

TEST(Errors, UnsupportedKindsAreRefusedByName) {
  for (const char* kind : {"pta", "pomdp", "popta", "smg"})
    expect_contains(build_error(std::string(kind) + " module m x:[0..1]; endmodule"), std::string("type ") + kind);
}

TEST(Errors, DeepNestingIsRefusedAndNotACrash) {
  const std::string open(100'000, '(');
  expect_contains(build_error("dtmc const int N = " + open + "1;"), "nested too deeply");
  expect_contains(build_error("dtmc const bool N = " + std::string(100'000, '!') + "true;"), "nested too deeply");
  expect_contains(build_error("dtmc const int N = " + std::string(100'000, '-') + "1;"), "nested too deeply");
  std::string implication;
  for (int i = 0; i < 50'000; ++i) implication += "F x=1 U ";
  expect_contains(property_error("P=? [ " + implication + " x=1 ]"), "nested too deeply");
  std::string sum = "0";
  for (int i = 0; i < 900; ++i) sum += "+1";
  EXPECT_EQ(built("dtmc const int N = " + sum + "; module m x:[0..N]; endmodule").instance.model.variables[0].high,
            900);
}

TEST(Errors, ProbabilitiesAndRatesAreChecked) {
  expect_contains(build_error(with("dtmc", "[] x=0 -> 0.5:(x'=1)+0.4:(x'=2);")),
                  "model.prism:4:3: error: the probabilities of this command sum to 0.9");
  expect_contains(build_error(with("dtmc", "[] x<3 -> x/2:(x'=1)+0.5:(x'=2);")), "sum to 0.5 in state (x=0)");
  expect_contains(build_error(with("mdp", "[] x=0 -> -0.5:(x'=1)+1.5:(x'=2);")), "-0.5");
  expect_contains(build_error(with("ctmc", "[] x=0 -> 1-2*(x+1):(x'=1);")),
                  "a rate of this command is -1 in state (x=0)");
  expect_contains(build_error(with("ctmc", "[] true -> log(x,2):(x'=min(x+1,3));")), "logarithm");
  expect_contains(build_error(with("ctmc", "[] true -> pow(1e200,2)*x:(x'=min(x+1,3));")), "nan in state (x=0)");
  expect_contains(build_error(with("ctmc", "[] true -> pow(10.0,x*200):(x'=min(x+1,3));")), "is inf in state (x=2)");
  EXPECT_EQ(build_error(with("dtmc", "[] x=0 -> 1/3:(x'=1)+1/3:(x'=2)+1/3:(x'=3);")), "no error");
  EXPECT_EQ(build_error(with("ctmc", "[] x=0 -> 0:(x'=1)+2:(x'=2);")), "no error") << "a rate of zero is no transition";
}

TEST(Errors, ValuesOutOfRangeNameTheVariableTheStateAndTheRange) {
  expect_contains(build_error(with("dtmc", "[] x>=0 -> (x'=x+2);")),
                  "model.prism:4:15: error: x would become 4, which is outside of [0..3], in state (x=2)");
  expect_contains(build_error("dtmc module m x:[0..3] init 7; endmodule"),
                  "initial value 7 of 'x' is outside of [0..3]");
  expect_contains(build_error("dtmc module m x:[3..0]; endmodule"), "the range of 'x' is empty: 3..0");
  expect_contains(build_error("dtmc module m x : int; endmodule"), "variable 'x' has no range");
}

TEST(Errors, FaultsInExpressionsNameTheCommandAndTheState) {
  expect_contains(build_error(with("dtmc", "[] 1/x>0 -> (x'=1);")),
                  "model.prism:4:3: error: the guard of this command has a division by zero in state (x=0)");
  expect_contains(build_error(with("dtmc", "[] true -> (x'=mod(3,x));")),
                  "the new value of x has a modulus that is not positive in state (x=0)");
  expect_contains(build_error(with("dtmc", "[] x<3 -> (x'=x+1);") + "rewards x>=2 : 1/(x-2); endrewards"),
                  "this reward has a division by zero in state (x=2)");
  expect_contains(build_error(with("dtmc", "[] x<3 -> (x'=x+1);") + "rewards 1/(x-2)>0 : 1; endrewards"),
                  "this reward has a division by zero in state (x=2)");
  expect_contains(build_error(with("dtmc", "[] x<3 -> (x'=x+1);") + "label \"l\" = 1/(x-1) > 0;"),
                  "division by zero in state (x=1)");
  EXPECT_EQ(build_error(with("dtmc", "[] x!=0 & 1/x>0 -> (x'=1);")), "no error") << "what decides is evaluated first";
  expect_contains(build_error("dtmc module m x:[0..3]; endmodule init 1/x>0 endinit"),
                  "division by zero in state (x=0)");
  expect_contains(build_error("dtmc module m x:[0..3]; endmodule init x>7 endinit"), "no state");
}

TEST(Errors, OverlappingGuardsOfADtmcAreNoted) {
  const Built both =
      built("dtmc\nmodule m\n  x : [0..3];\n  [] x<2 -> (x'=x+1);\n  [] x=1 -> (x'=0);\n  [] x>1 -> true;\nendmodule");
  ASSERT_EQ(both.report.notes.size(), 1U);
  EXPECT_EQ(
      both.report.notes[0],
      "in 1 state several commands are enabled and have equal parts of the probability, the first is (x=1) with the "
      "commands at model.prism:4:3, model.prism:5:3");
  EXPECT_EQ(both.chain.rows.weight(both.chain.rows.begin(1)), 0.5);
  EXPECT_TRUE(built("mdp module m x:[0..3]; [] true -> (x'=0); [] true -> (x'=1); endmodule").report.notes.empty());
  EXPECT_TRUE(built("ctmc module m x:[0..3]; [] true -> (x'=0); [] true -> (x'=1); endmodule").report.notes.empty());
}

TEST(Errors, DeadlocksGetALoopOrAreRefused) {
  const std::string model = with("dtmc", "[] x<2 -> (x'=x+1);");
  const Built fixed = built(model);
  ASSERT_EQ(fixed.report.notes.size(), 1U);
  expect_contains(fixed.report.notes[0], "1 state without a way on was given a loop, the first is (x=2)");
  EXPECT_EQ(fixed.chain.deadlocks.count(), 1U);
  chain::BuildOptions strict;
  strict.fix_deadlocks = false;
  expect_contains(build_error(model, {}, strict), "state (x=2) has no way on");
}

TEST(Errors, NamesAndTypesAreChecked) {
  expect_contains(build_error("dtmc module m x:[0..1]; [] y=0 -> true; endmodule"), "'y' is not declared");
  expect_contains(build_error("dtmc module m x:[0..1]; [] x -> true; endmodule"),
                  "a guard should be a bool, and is an int");
  expect_contains(build_error("dtmc module m x:[0..1]; [] true -> (x'=0.5); endmodule"),
                  "the new value should be an int, and is a double");
  expect_contains(build_error("dtmc module m x:[0..1]; [] true & 1 -> true; endmodule"),
                  "the operand of '&' should be a bool, and is an int");
  expect_contains(build_error("dtmc module m x:[0..1]; x:[0..1]; endmodule"),
                  "variable 'x' has the name of something else");
  expect_contains(build_error("dtmc module m x:[0..1]; endmodule module m y:[0..1]; endmodule"),
                  "two modules called 'm'");
  expect_contains(build_error("dtmc module m x:[0..1]; endmodule module n y:[0..1]; [] true -> (x'=1); endmodule"),
                  "'x' belongs to module 'm'");
  expect_contains(build_error("dtmc module m x:[0..1]; [] true -> (x'=1)&(x'=0); endmodule"), "'x' is assigned twice");
  expect_contains(build_error("dtmc formula f = g; formula g = f; module m x:[0..f]; endmodule"), "depends on itself");
  expect_contains(build_error("dtmc const int a = b; const int b = a; module m x:[0..a]; endmodule"),
                  "depends on itself");
  expect_contains(build_error("dtmc label \"init\" = true; module m x:[0..1]; endmodule"), "meaning of its own");
  expect_contains(
      build_error("mdp global g:[0..1]; module m [a] true -> (g'=0); endmodule module n [a] true -> (g'=1); endmodule"),
      "g is assigned by modules that move together on action a");
  expect_contains(
      build_error("mdp module m [a] true -> true; endmodule module n [a] true -> true; endmodule system m endsystem"),
      "module n is not in the composition");
}

TEST(Errors, OpenConstantsSayHowToGiveThem) {
  const std::string model = "dtmc const int N; module m x:[0..N]; endmodule";
  expect_contains(build_error(model), "constant 'N' has no value");
  expect_contains(build_error(model), "--const N=");
  EXPECT_EQ(build_error(model, {{"N", "3"}}), "no error");
  expect_contains(build_error(model, {{"N", "3"}, {"M", "1"}}), "there is no constant 'M'");
  expect_contains(build_error(model, {{"N", "2.5"}}), "'2.5' is no value for 'N', which is an int");
}

TEST(Errors, OfPropertiesNameTheirPlace) {
  expect_contains(property_error("P=? [ F \"goal\" ]"), "props.props:1:9: error: there is no label \"goal\"");
  expect_contains(property_error("Pmax=? [ F x=1 "), "expected ']'");
  expect_contains(property_error("P [ F x=1 ]"), "expected '=?' or a bound");
  expect_contains(property_error("P>1.5 [ F x=1 ]"), "a bound on a probability is 1.5");
  expect_contains(property_error("Pmax=? [ F<=0.5 x=1 ]"), "whole number");
  expect_contains(property_error("Pmax=? [ F[3,1] x=1 ]"), "no interval");
  expect_contains(property_error("R=? [ F x=1 ]"), "the model has no rewards");
  expect_contains(property_error("filter(median, x)"), "there is no filter 'median'");
  expect_contains(error_of([] { checked("mdp module m x:[0..1]; endmodule", "Pmax=? [ x=1 ]"); }),
                  "expected a path formula");
  expect_contains(error_of([] { checked("mdp module m x:[0..1]; endmodule", "F x=1"); }),
                  "path formula stands where states");
  expect_contains(error_of([] { checked("mdp module m x:[0..1]; endmodule", "!(x+1 = Pmax=? [ F x=1 ]) & x"); }),
                  "expected a condition, found a number");
}

}  // namespace
}  // namespace plumb::prism
