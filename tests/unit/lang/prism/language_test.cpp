// The constructs of the language, by the models and chains that they make.

#include "unit/lang/prism/run.h"

namespace plumb::prism {
namespace {

/// The value of an expression that has no variables.
double value(const std::string& expression) {
  const Built all = built("dtmc const double v = " + expression + "; module m x:[0..1]; endmodule", "v");
  return std::get<chain::Bounded>(
             chain::check(all.instance.model, all.chain, all.instance.properties.at(0), Budget(), chain::CheckOptions())
                 .value)
      .value;
}
bool truth(const std::string& expression) { return value("(" + expression + ") ? 1 : 0") == 1; }
std::uint64_t states(const std::string& model, const Constants& constants = {}) {
  return built(model, "", constants).chain.states;
}

TEST(Language, OperatorsBindAsInPrism) {
  EXPECT_EQ(value("1+2*3-4/8"), 6.5);
  EXPECT_EQ(value("-2*3"), -6);
  EXPECT_EQ(value("2-3-4"), -5);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("true ? 1 : false ? 2 : 3"), 1);
  EXPECT_TRUE(truth("!1=2")) << "! is weaker than =";
  EXPECT_TRUE(truth("1<-1=false")) << "< and - are two signs";
  EXPECT_TRUE(truth("true | false & false"));
  EXPECT_FALSE(truth("false => false => false")) << "=> is from the left";
  EXPECT_FALSE(truth("(true <=> false) | false"));
  EXPECT_TRUE(truth("true <=> 1<2"));
  EXPECT_TRUE(truth("1!=2 & 1<=1 & 2>=2 & 2>1"));
}

TEST(Language, FunctionsHaveTheirMeaning) {
  EXPECT_EQ(value("min(3,1,2)"), 1);
  EXPECT_EQ(value("max(1,2.5)"), 2.5);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("ceil(1.2)"), 2);
  EXPECT_EQ(value("round(2.5)"), 3);
  EXPECT_EQ(value("pow(2,10)"), 1024);
  EXPECT_EQ(value("pow(2.0,-1)"), 0.5);
  EXPECT_EQ(value("mod(-1,3)"), 2);
  EXPECT_EQ(value("log(8,2)"), 3);
  EXPECT_EQ(value("func(min,3,4)"), 3);
  EXPECT_EQ(value("func(floor,3.7)"), 3);
  EXPECT_EQ(value("1.5e2"), 150);
  EXPECT_EQ(value(".5"), 0.5);
}

TEST(Language, ModelTypesHaveOldNames) {
  for (const auto& [word, kind] : {std::pair{"probabilistic", chain::Kind::Dtmc},
                                   {"stochastic", chain::Kind::Ctmc},
                                   {"nondeterministic", chain::Kind::Mdp}})
    EXPECT_EQ(built(std::string(word) + " module m x:[0..1]; endmodule").chain.kind, kind);
}

TEST(Language, ThingsMayBeUsedBeforeTheyAreDefined) {
  EXPECT_EQ(states("module m x:[0..N]; [] x<f -> (x'=x+1); endmodule formula f = g-1; formula g = N; const int N = "
                   "K+1; const int K = 4; dtmc"),
            5U);
}

TEST(Language, RenamedModulesRenameVariablesActionsConstantsAndFormulas) {
  const Built all = built(R"(mdp
const int top = 2; const int high = 4;
formula full = x = top;
module a  x : [0..5] init 0;  [go] !full -> (x'=x+1);  [] full -> (x'=0); endmodule
module b = a [ x=y, top=high, go=run ] endmodule)");
  // x goes 0..2 and y 0..4, each by itself.
  EXPECT_EQ(all.chain.states, 15U);
  EXPECT_EQ(all.instance.model.variables[1].name, "y");
  EXPECT_EQ(all.instance.model.actions, (std::vector<std::string>{"", "go", "run"}));
}

TEST(Language, RangesOfRenamedModulesUseTheRenamedConstants) {
  const Built all = built(
      "mdp const int n = 1; const int k = 3; module a x:[0..n] init n; endmodule module b = a [x=y, n=k] endmodule");
  EXPECT_EQ(all.instance.model.variables[1].high, 3);
  EXPECT_EQ(all.instance.model.variables[1].initial, 3);
}

TEST(Language, CompositionsSynchroniseAsTheySay) {
  const std::string modules = R"(mdp
module a x:[0..1]; [go] x=0 -> (x'=1); endmodule
module b y:[0..1]; [go] y=0 -> (y'=1); endmodule
)";
  EXPECT_EQ(states(modules), 2U);
  EXPECT_EQ(states(modules + "system a || b endsystem"), 2U);
  EXPECT_EQ(states(modules + "system a ||| b endsystem"), 4U);
  EXPECT_EQ(states(modules + "system a |[go]| b endsystem"), 2U);
  EXPECT_EQ(states(modules + "system a |[stop]| b endsystem"), 4U);
  EXPECT_EQ(states(modules + "system (a / {go}) || b endsystem"), 4U);
  EXPECT_EQ(states(modules + "system a{go<-run} || b endsystem"), 4U);
  EXPECT_EQ(states(modules + "system a{go<-run} || b{go<-run} endsystem"), 2U);
}

TEST(Language, InitialStatesMayBeMany) {
  const Built all =
      built("mdp global g : bool; module m x:[0..3]; [] x>0 -> (x'=x-1); endmodule init x>=2 & !g endinit");
  EXPECT_EQ(all.chain.initial.size(), 2U);
  EXPECT_EQ(all.chain.states, 4U);
}

TEST(Language, RewardsAreOfStatesAndOfActions) {
  const Built all = built(R"(ctmc
module m x:[0..1]; [up] x=0 -> 3:(x'=1); [] x=1 -> 4:(x'=0); endmodule
rewards "s" x=1 : 2; true : x; endrewards
rewards "a" [up] true : 5; [] x=1 : 7; endrewards)");
  EXPECT_EQ(all.chain.rewards[0].states[1], 3);
  EXPECT_EQ(all.chain.rewards[0].rows.size(), 0U);
  EXPECT_EQ(all.chain.rewards[1].rows[0], 15) << "per unit of time";
  EXPECT_EQ(all.chain.rewards[1].rows[1], 28);
}

TEST(Language, PropertyFilesHaveConstantsLabelsAndNames) {
  const Built all = built("dtmc module m x:[0..9]; [] x<9 -> (x'=x+1); [] x=9 -> true; endmodule", R"(
const int k; // up to which
label "far" = x>k;
"reach": P=? [ F "far" ];
P>=1 [ F<=k+1 "far" ]
filter(min, P=? [ F x=0 ], x>0);
)",
                          {{"k", "5"}});
  ASSERT_EQ(all.instance.properties.size(), 3U);
  EXPECT_EQ(all.instance.properties[0].name, "reach");
  EXPECT_EQ(all.instance.properties[0].text, "P=? [ F \"far\" ]");
  EXPECT_EQ(all.instance.properties[1].location.line, 5U);
  EXPECT_TRUE(std::get<bool>(
      chain::check(all.instance.model, all.chain, all.instance.properties[1], Budget(), chain::CheckOptions()).value));
}

TEST(Language, PathOperatorsReachAsFarAsTheyCan) {
  const std::string model = "dtmc module m x:[0..3]; [] x<3 -> (x'=x+1); [] x=3 -> true; endmodule";
  EXPECT_TRUE(holds(model, "P>=1 [ F x=3 & true ]"));
  EXPECT_TRUE(holds(model, "P>=1 [ x<1 | x<3 U x=3 | x=7-1 ]"));
  EXPECT_TRUE(holds(model, "P>=1 [ G F x=3 & x>1 ]"));
  EXPECT_TRUE(holds(model, "P>=1 [ x=0 & F x=3 ]"));
  EXPECT_TRUE(holds(model, "P>=1 [ X X X G x=3 ]"));
}

TEST(Constants, AreGivenAsValuesAndExactRanges) {
  const auto given = parse_constants({"a=1,b=0.1:0.1:0.4", "c=2:4"});
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(given[1].values, (std::vector<std::string>{"0.1", "0.2", "0.3", "0.4"}));
  EXPECT_EQ(given[2].values, (std::vector<std::string>{"2", "3", "4"}));
  EXPECT_EQ(combinations(given).size(), 12U);
  for (const char* bad : {"a", "a=", "=3", "a=1:0:2", "a=3:1", "a=x:y", "a=1:2:3:4", "a=0:0.0000001:1"})
    EXPECT_NE(error_of([&] { parse_constants({bad}); }), "no error") << bad;
  EXPECT_NE(error_of([] { parse_constants({"a=1", "a=2"}); }), "no error");
}

}  // namespace
}  // namespace plumb::prism
