#include "lang/bip/run/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "unit/lang/bip/run/models.h"

namespace plumb::bip {
namespace {

using testing::interaction;
using testing::one_atom;
using testing::place;
using testing::read;
using testing::value;

std::vector<std::string> names(const Model& model, const std::vector<InteractionId>& ids) {
  std::vector<std::string> names;
  for (const InteractionId id : ids) names.push_back(model.interactions[id].name);
  return names;
}

/// timer.t, timer.n, timer.place, light.place, light.m: the columns of Table 4.1.
std::string row(const Model& model, const State& state) {
  return fmt::format("{} {} {} {} {}", value(model, state, "timer.t"), value(model, state, "timer.n"),
                     place(model, state, "timer"), place(model, state, "light"), value(model, state, "light.m"));
}

TEST(Run, DoesTheTrafficLightOfTable41StepByStep) {
  const Model model = read(testing::kTrafficLight);
  bip::Run run(model);
  const InteractionId tick = interaction(model, "c0:timer.tick");
  const InteractionId done = interaction(model, "c1:timer.done,light.done");
  for (int i = 0; i < 9; ++i) run.fire(run.first_choice(tick));
  EXPECT_EQ(row(model, run.state()), "9 10 S0 G 3");
  EXPECT_EQ(run.choices(), std::vector{tick});
  run.fire(run.first_choice(tick));
  EXPECT_EQ(row(model, run.state()), "10 10 S0 G 3");
  EXPECT_EQ(run.choices(), std::vector{done});
  run.fire(run.first_choice(done));
  EXPECT_EQ(row(model, run.state()), "0 3 S0 Y 5");
  EXPECT_EQ(run.choices(), std::vector{tick});
}

TEST(Run, GoesThroughAllColoursOfTheTrafficLight) {
  const Model model = read(testing::kTrafficLight);
  bip::Run run(model);
  std::string colours;
  for (int i = 0; i < 40; ++i) {
    const std::vector<InteractionId> choices = run.choices();
    ASSERT_EQ(choices.size(), 1U);
    run.fire(run.first_choice(choices[0]));
    if (model.interactions[choices[0]].ports.size() == 2) colours += place(model, run.state(), "light");
  }
  // 10 + 1 in green, 3 + 1 in yellow, 5 + 1 in red, then 10 + 1 and 3 + 1 again.
  EXPECT_EQ(colours, "YRGYR");
}

TEST(Run, ABroadcastGivesWayToLargerOnesThatAreEnabled) {
  const Model model = read(testing::kBroadcast);
  bip::Run run(model);
  EXPECT_EQ(names(model, run.choices()), std::vector<std::string>{"c:s.send,r1.receive,r2.receive"});
  // r1 becomes busy, r2 stays: its second transition.
  const InteractionId all = interaction(model, "c:s.send,r1.receive,r2.receive");
  run.fire({all, {{0, 0}, {1, 0}, {2, 1}}});
  EXPECT_EQ(names(model, run.choices()), (std::vector<std::string>{"c:s.send,r2.receive", "k1:r1.rest"}));
  EXPECT_TRUE(run.is_enabled(interaction(model, "c:s.send")));
  EXPECT_FALSE(run.is_maximal(interaction(model, "c:s.send")));
  EXPECT_EQ(run.objection(run.first_choice(interaction(model, "c:s.send"))), "it gives way to 'c:s.send,r2.receive'");
}

TEST(Run, WhereTheGuardOfALargerInteractionFailsTheSmallerIsMaximal) {
  const Model model = read(testing::kBroadcast);
  std::vector<std::optional<std::int64_t>> initial(model.variables.size());
  initial[model.find_variable("s.x").value()] = 1;
  bip::Run run(model, initial);
  const InteractionId all = interaction(model, "c:s.send,r1.receive,r2.receive");
  run.fire({all, {{0, 1}, {1, 0}, {2, 1}}});
  ASSERT_EQ(value(model, run.state(), "s.x"), 3);
  // r1 is busy, and the guard of s with r2 says no to 3.
  EXPECT_EQ(names(model, run.choices()), (std::vector<std::string>{"c:s.send", "k1:r1.rest"}));
  EXPECT_EQ(run.objection(Choice{interaction(model, "c:s.send,r2.receive"), {{0, 1}, {2, 0}}}),
            "its guard does not hold");
}

TEST(Run, ActionsSeeWhatWasMovedBefore) {
  const Model model = read(testing::kBroadcast);
  std::vector<std::optional<std::int64_t>> initial(model.variables.size());
  initial[model.find_variable("s.x").value()] = 5;
  bip::Run run(model, initial);
  run.fire(run.first_choice(interaction(model, "c:s.send,r1.receive,r2.receive")));
  // The receivers got 5 and -5, and count up and down by it; the sender's own action comes behind.
  EXPECT_EQ(value(model, run.state(), "r1.count"), 1);
  EXPECT_EQ(value(model, run.state(), "r2.count"), -1);
  EXPECT_EQ(value(model, run.state(), "s.x"), 15);
}

TEST(Run, WhichTransitionsAreEnabledIsDecidedBeforeDataIsMoved) {
  const Model model = read(R"(package p
    port type Int(int v)
    atom type A(int start)
      data int x, y
      export port Int p(x)
      place S
      initial to S do { x = start; y = 0; }
      on p from S to S provided (x < 5) do { y = x + 1; }
      on p from S to S provided (x >= 5) do { y = -x; }
    end
    connector type Swap(Int a, Int b)
      data int t
      define a b
      on a b up { t = a.v; } down { a.v = b.v; b.v = t; }
    end
    compound type Top()
      component A a(1)
      component A b(9)
      connector Swap c(a.p, b.p)
    end
  end)");
  bip::Run run(model);
  EXPECT_EQ(run.first_choice(0).transitions, (std::vector<std::pair<ComponentId, std::uint32_t>>{{0, 0}, {1, 1}}));
  EXPECT_EQ(run.objection({0, {{0, 1}, {1, 1}}}), "a#1 is not an enabled transition of port 'p'");
  run.fire(run.first_choice(0));
  EXPECT_EQ(value(model, run.state(), "a.y"), 10);
  EXPECT_EQ(value(model, run.state(), "b.y"), -1);
}

TEST(Run, KnowsWherePrioritiesAreCyclic) {
  const Model model = read(R"(package p
    port type Sync()
    atom type A()
      export data int x
      export port Sync p()
      export port Sync q()
      place S
      initial to S do { x = 0; }
      on p from S to S do { x = x + 1; }
      on q from S to S do { x = x + 2; }
    end
    connector type One(Sync a)
      define a
    end
    compound type Top()
      component A a()
      connector One c(a.p)
      connector One d(a.q)
      priority up1 c:a.p < d:a.q provided (a.x < 3)
      priority up2 d:a.q < c:a.p provided (a.x > 1)
    end
  end)");
  bip::Run run(model);
  EXPECT_FALSE(run.has_priority_cycle());
  EXPECT_EQ(names(model, run.choices()), std::vector<std::string>{"d:a.q"});
  run.fire(run.first_choice(run.choices()[0]));
  EXPECT_TRUE(run.has_priority_cycle());
  EXPECT_TRUE(run.is_deadlocked());
}

TEST(Run, ADynamicPriorityHoldsWhereItsConditionDoes) {
  const Model model = read(testing::kBroadcast);
  bip::Run run(model);
  const InteractionId all = interaction(model, "c:s.send,r1.receive,r2.receive");
  run.fire(run.first_choice(all));  // with 0: both counts are -1
  EXPECT_EQ(names(model, run.choices()), (std::vector<std::string>{"c:s.send", "k1:r1.rest", "k2:r2.rest"}));
  std::vector<std::optional<std::int64_t>> initial(model.variables.size());
  initial[model.find_variable("s.x").value()] = 4;
  bip::Run other(model, initial);
  other.fire(other.first_choice(all));  // counts 1 and -1
  EXPECT_EQ(names(model, other.choices()), (std::vector<std::string>{"c:s.send", "k2:r2.rest"}));
}

TEST(Run, InternalTransitionsComeFirstAndAllAtOnce) {
  const Model model = read(testing::kInternal);
  bip::Run run(model);
  EXPECT_FALSE(run.is_stable());
  EXPECT_FALSE(run.is_deadlocked());
  EXPECT_THROW(run.choices(), InternalError);
  EXPECT_EQ(run.objection({0, {}}), "component 'w' has an enabled internal transition, and those come first");
  EXPECT_EQ(run.objection({kNone, {{0, 0}}}), "component 'u' has to execute one of its internal transitions");
  EXPECT_EQ(run.objection({kNone, {{0, 5}, {1, 0}}}), "w#5 is not an enabled internal transition");
  run.fire(run.first_internal_choice());
  EXPECT_TRUE(run.is_stable());
  EXPECT_EQ(place(model, run.state(), "w"), "B");
  EXPECT_EQ(place(model, run.state(), "u"), "B");
  EXPECT_EQ(run.objection({kNone, {}}), "no internal transition is enabled");
}

TEST(Run, EachComponentMayTakeAnotherOfItsInternalTransitions) {
  const Model model = read(testing::kInternal);
  bip::Run run(model);
  run.fire(run.first_internal_choice());
  run.fire(run.first_choice(0));
  EXPECT_EQ(run.internal_transitions(), (std::vector<std::vector<std::uint32_t>>{{4}, {4}}));
  run.fire(run.first_internal_choice());
  run.fire(run.first_choice(0));
  EXPECT_EQ(run.internal_transitions(), (std::vector<std::vector<std::uint32_t>>{{2, 3}, {2, 3}}));
  run.fire({kNone, {{0, 2}, {1, 3}}});
  EXPECT_EQ(place(model, run.state(), "w"), "D");
  EXPECT_EQ(place(model, run.state(), "u"), "B");
  // Only w moves on.
  EXPECT_EQ(run.internal_transitions(), (std::vector<std::vector<std::uint32_t>>{{5}, {}}));
}

TEST(Run, APortGivesWayToAnotherOfItsAtom) {
  const Model model = one_atom(R"(data int x
    port Sync low()
    port Sync high()
    place S
    initial to S do { x = 0; }
    on low from S to S do { x = x + 1; }
    on high from S to S provided (x % 2 == 1) do { x = x + 1; }
    priority p low < high provided (x != 3))");
  bip::Run run(model);
  EXPECT_EQ(names(model, run.choices()), std::vector<std::string>{"a.low"});
  run.fire(run.first_choice(0));
  EXPECT_EQ(names(model, run.choices()), std::vector<std::string>{"a.high"});
  EXPECT_EQ(run.objection(run.first_choice(0)), "port 'a.low' is not enabled");
  run.fire(run.first_choice(1));
  run.fire(run.first_choice(0));
  EXPECT_EQ(names(model, run.choices()), (std::vector<std::string>{"a.low", "a.high"}));
}

TEST(Run, AStateWithoutInteractionsIsDeadlocked) {
  const Model model = one_atom(R"(data int x
    port Sync p()
    place S
    initial to S do { x = 0; }
    on p from S to S provided (x < 1) do { x = x + 1; })");
  bip::Run run(model);
  EXPECT_FALSE(run.is_deadlocked());
  run.fire(run.first_choice(0));
  EXPECT_TRUE(run.is_deadlocked());
}

TEST(Run, WrapsIntsAtTheirWidth) {
  const Model model = one_atom(R"(data int x
    port Sync p()
    place S
    initial to S do { x = 7; }
    on p from S to S do { x = x + 1; })",
                               {.bits = 4, .initialize_variables = false, .top = {}});
  bip::Run run(model);
  run.fire(run.first_choice(0));
  EXPECT_EQ(value(model, run.state(), "a.x"), -8);
}

TEST(Run, FiringWhatIsImpossibleIsOurBug) {
  const Model model = read(testing::kTrafficLight);
  bip::Run run(model);
  EXPECT_THROW(run.fire(Choice{interaction(model, "c1:timer.done,light.done"), {{0, 1}, {1, 0}}}), InternalError);
  EXPECT_EQ(run.objection({interaction(model, "c0:timer.tick"), {{0, 1}}}),
            "timer#1 is not an enabled transition of port 'tick'");
  EXPECT_EQ(run.objection({interaction(model, "c0:timer.tick"), {{0, 0}, {1, 0}}}),
            "component 'light' does not take part");
  EXPECT_EQ(run.objection({interaction(model, "c0:timer.tick"), {}}), "component 'timer' has to execute a transition");
}

constexpr std::string_view kUpAndDown = R"(package transfer
  port type Sync()
  port type Int(int v)
  atom type A(int start)
    data int x
    export port Int p(x)
    place S
    initial to S do { x = start; }
    on p from S to S do { x = x + 1; }
  end
  connector type Sum(Int a, Int b)
    data int s
    export port Int out(s)
    define a b
    on a b provided (a.v < 10) up { s = a.v + b.v; } down { a.v = s; b.v = s; }
  end
  connector type Scale(Int a, Int b)
    data int t
    define a b
    on a b provided (a.v > 3) up { t = a.v * b.v; } down { a.v = t; b.v = t + 1; }
  end
  compound type Top(int n)
    component A a(1)
    component A b(2)
    component A c(n)
    connector Sum inner(a.p, b.p)
    connector Scale outer(inner.out, c.p)
  end
end
)";

TEST(Run, AGuardOfAConnectorSeesWhatThoseInsideComputed) {
  const Model model = read(kUpAndDown, {.bits = 8, .initialize_variables = false, .top = "Top(5)"});
  // The sum is 3, and the outer guard needs more than 3.
  EXPECT_TRUE(bip::Run(model).is_deadlocked());
  std::string text(kUpAndDown);
  text.replace(text.find("A b(2)"), 6, "A b(3)");
  const Model more = read(text, {.bits = 8, .initialize_variables = false, .top = "Top(5)"});
  EXPECT_FALSE(bip::Run(more).is_deadlocked());
}

TEST(Run, VariablesOfConnectorsAreZeroBetweenInteractions) {
  std::string text(kUpAndDown);
  text.replace(text.find("a.v > 3"), 7, "a.v > 2");
  const Model model = read(text, {.bits = 8, .initialize_variables = false, .top = "Top(5)"});
  bip::Run run(model);
  ASSERT_EQ(run.choices().size(), 1U);
  run.fire(run.first_choice(run.choices()[0]));
  // s = 3, t = 15; down: s = 15 to a and b, 16 to c; then each adds 1.
  EXPECT_EQ(value(model, run.state(), "a.x"), 16);
  EXPECT_EQ(value(model, run.state(), "b.x"), 16);
  EXPECT_EQ(value(model, run.state(), "c.x"), 17);
  for (std::size_t v = model.component_variables(); v < model.variables.size(); ++v)
    EXPECT_EQ(run.state().values[v], 0) << model.variables[v].name;
  // a.v < 10 does not hold any more.
  EXPECT_TRUE(run.is_deadlocked());
}

constexpr std::string_view kFiltered = R"(package filtered
  port type Sync()
  atom type A(int times)
    data int x
    export port Sync p()
    place S
    initial to S do { x = 0; }
    on p from S to S provided (x < times) do { x = x + 1; }
  end
  connector type Offer(Sync p)
    export port Sync out()
    define p
  end
  connector type Take(Sync p)
    define p
  end
  compound type Inside()
    component A a(9)
    component A b(1)
    connector Offer c1(a.p)
    connector Offer c2(b.p)
    priority later c1:a.p < c2:b.p
    export port c1.out, c2.out as out
  end
  compound type Top()
    component Inside in()
    connector Take take(in.out)
  end
end
)";

TEST(Run, PrioritiesOfACompoundFilterWhatItsExportedConnectorsOffer) {
  const Model model = read(kFiltered);
  bip::Run run(model);
  ASSERT_EQ(run.choices().size(), 1U);
  const Model::Interaction& first = model.interactions[run.choices()[0]];
  EXPECT_EQ(first.ports, (std::vector<Model::PortUse>{{1, 0}}));
  // The one of a is not made of what is maximal inside.
  for (InteractionId i = 0; i < model.interactions.size(); ++i) {
    const Model::Interaction& other = model.interactions[i];
    if (!other.is_executable || other.ports == first.ports) continue;
    ASSERT_EQ(other.maximal_inside.size(), 1U);
    EXPECT_EQ(run.objection(run.first_choice(i)), fmt::format("'{}' inside it is not enabled or gives way to another",
                                                              model.interactions[other.maximal_inside[0]].name));
  }
  run.fire(run.first_choice(run.choices()[0]));
  ASSERT_EQ(run.choices().size(), 1U);
  EXPECT_EQ(model.interactions[run.choices()[0]].ports, (std::vector<Model::PortUse>{{0, 0}}));
}

TEST(Run, AnInteractionOfAConnectorWithAnExportedPortNeverFiresByItself) {
  const Model model = read(kFiltered);
  const bip::Run run(model);
  const auto inner = std::ranges::find(model.interactions, std::string("in.c2"), &Model::Interaction::connector);
  ASSERT_NE(inner, model.interactions.end());
  const auto id = static_cast<InteractionId>(inner - model.interactions.begin());
  EXPECT_TRUE(run.is_maximal(id));
  EXPECT_EQ(run.objection(run.first_choice(id)), "connector 'in.c2' has an exported port and never fires by itself");
}

}  // namespace
}  // namespace plumb::bip
