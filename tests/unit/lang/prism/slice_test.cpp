#include "chain/slice.h"

#include "unit/lang/prism/run.h"

namespace plumb::prism {
namespace {

const char* const kBody = R"(
module seen x:[0..3]; [] x<3 -> 0.5:(x'=x+1)+0.5:(x'=0); [go] x=3 -> (x'=1); endmodule
module partner p:[0..1]; [go] true -> (p'=1-p); endmodule
module noise n:[0..4]; [] n<4 -> (n'=n+1); [tick] n=4 -> (n'=0); endmodule
module more = noise [n=k, tick=tock] endmodule
label "loud" = n=2;
rewards "r" x=2 : 3; endrewards
)";

std::vector<std::string> dropped(const std::string& kind, const std::string& property) {
  Instance instance = instantiate(*parse_model(kind + kBody, "m"), parse_properties(property, "p").get(), {});
  return chain::drop_unseen(instance.model, instance.properties);
}

void expect_same_value(const std::string& kind, const std::string& property) {
  const chain::Bounded whole = number(kind + kBody, property);
  Instance instance = instantiate(*parse_model(kind + kBody, "m"), parse_properties(property, "p").get(), {});
  EXPECT_EQ(chain::drop_unseen(instance.model, instance.properties), (std::vector<std::string>{"noise", "more"}))
      << property;
  chain::BuildReport report;
  chain::BuildOptions options;
  options.threads = 1;
  const chain::Chain chain = chain::build(instance.model, Budget(), options, report);
  EXPECT_EQ(chain.states, 8U);
  const auto sliced =
      std::get<chain::Bounded>(chain::check(instance.model, chain, instance.properties[0], Budget(), {}).value);
  EXPECT_NEAR(sliced.value, whole.value, 2e-6) << kind << " " << property;
}

TEST(Slice, LeavesTheValuesOfPropertiesAlone) {
  for (const char* property :
       {"P=? [ x<3 U<=2 x=3 ]", "S=? [ x=2 ]", "R{\"r\"}=? [ C<=4 ]", "R{\"r\"}=? [ F p=1 ]", "P=? [ F x=3 & p=1 ]"})
    expect_same_value("ctmc", property);
  expect_same_value("dtmc", "P=? [ p=0 U x=3 ]");
  expect_same_value("mdp", "Pmax=? [ p=0 U x=3 ]");
}

/// What is dropped of a ctmc of three modules, for a property about x.
std::vector<std::string> dropped_of(const std::string& declarations, const std::string& one, const std::string& two,
                                    const std::string& property = "P=? [ F<=1 x=1 ]") {
  const std::string model = "ctmc " + declarations + " module seen x:[0..1]; " + one +
                            " endmodule module other y:[0..1]; " + two + " endmodule module noise z:bool; [] true -> " +
                            "1:(z'=!z); endmodule rewards \"moves\" [] true : 1; [b] y=0 : 1; endrewards";
  Instance instance = instantiate(*parse_model(model, "m"), parse_properties(property, "p").get(), {});
  return chain::drop_unseen(instance.model, instance.properties);
}

TEST(Slice, FollowsWhatTheSeenDependsOn) {
  const std::vector<std::string> noise{"noise"};
  const std::string step = "[] true -> 1:(x'=1-x);";
  EXPECT_EQ(dropped_of("", step, "[] true -> 1:(y'=1-y);"), (std::vector<std::string>{"other", "noise"}));
  EXPECT_EQ(dropped_of("", "[] y=0 -> 1:(x'=1-x);", "[] true -> 1:(y'=1-y);"), noise) << "a guard";
  EXPECT_EQ(dropped_of("", "[] true -> 1+y:(x'=1-x);", "[] true -> 1:(y'=1-y);"), noise) << "a rate";
  EXPECT_EQ(dropped_of("", "[] true -> 1:(x'=y);", "[] true -> 1:(y'=1-y);"), noise) << "a new value";
  EXPECT_EQ(dropped_of("", "[a] true -> 1:(x'=1-x);", "[a] y=0 -> 1:(y'=1);"), noise) << "a common action";
  EXPECT_EQ(dropped_of("global g:[0..1];", "[] g=0 -> 1:(x'=1-x);", "[] true -> 1:(y'=1-y)&(g'=y);"), noise)
      << "a global variable";
  EXPECT_TRUE(dropped_of("", step, "[] true -> 1:(y'=1-y);", "R{\"moves\"}=? [ C<=1 ]").empty())
      << "all moves without a name are paid";
}

TEST(Slice, KeepsWhatAPropertyCanSee) {
  EXPECT_EQ(dropped("ctmc", "P=? [ F n=4 ]"), (std::vector<std::string>{"seen", "partner", "more"}));
  EXPECT_EQ(dropped("ctmc", "P=? [ F \"loud\" ]"), (std::vector<std::string>{"seen", "partner", "more"}));
  EXPECT_TRUE(dropped("ctmc", "P=? [ X x=1 ]").empty()) << "the next move may be another's";
  EXPECT_TRUE(dropped("dtmc", "P=? [ F<=3 x=1 ]").empty()) << "steps are shared";
  EXPECT_TRUE(dropped("dtmc", "R{\"r\"}=? [ F x=3 ]").empty());
  EXPECT_TRUE(dropped("mdp", "Pmin=? [ F x=3 ]").empty()) << "a strategy could let others move for ever";
  EXPECT_TRUE(dropped("ctmc", "P=? [ F \"deadlock\" ]").empty());
  EXPECT_TRUE(dropped("ctmc", "filter(count, x>0)").empty()) << "there would be fewer states";
}

}  // namespace
}  // namespace plumb::prism
