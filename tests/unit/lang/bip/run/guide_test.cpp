#include "lang/bip/run/guide.h"

#include <fmt/format.h>

#include "base/error.h"
#include "lang/bip/run/emulate.h"
#include "unit/lang/bip/run/models.h"

namespace plumb::bip {
namespace {

using testing::interaction;
using testing::read;

/// `LINE:COLUMN message (hint)` of the error that reading gives.
std::string error_of(const Model& model, std::string_view text) {
  try {
    read_guide(model, text, "guide.txt");
  } catch (const UserError& error) {
    EXPECT_EQ(error.location().file, "guide.txt");
    return fmt::format("{}:{} {} ({})", error.location().line, error.location().column, error.message(), error.hint());
  }
  return "none";
}

TEST(Guide, NamesInteractionsOrTheirNumbers) {
  const Model model = read(testing::kTrafficLight);
  const Guide guide =
      read_guide(model, "# a comment\n\n  c1:timer.done,light.done light#2 # behind\n0\r\n1 timer#1", "g");
  ASSERT_EQ(guide.steps.size(), 3U);
  EXPECT_EQ(guide.steps[0].interaction, interaction(model, "c1:timer.done,light.done"));
  EXPECT_EQ(guide.steps[0].place, (Place{3, 3}));
  EXPECT_EQ(guide.steps[0].transitions, (std::vector<std::pair<ComponentId, std::uint32_t>>{{1, 2}}));
  EXPECT_EQ(guide.steps[1].interaction, interaction(model, "c0:timer.tick"));
  EXPECT_EQ(guide.steps[2].interaction, interaction(model, "c1:timer.done,light.done"));
  EXPECT_EQ(guide.steps[2].transitions, (std::vector<std::pair<ComponentId, std::uint32_t>>{{0, 1}}));
}

TEST(Guide, GivesInitialValues) {
  const Model model = read(testing::kBroadcast);
  const Guide guide = read_guide(model, "init s.x = -5\n", "g");
  EXPECT_EQ(guide.initial[model.find_variable("s.x").value()], -5);
  EXPECT_EQ(read_guide(model, "init s.x=3", "g").initial[model.find_variable("s.x").value()], 3);
}

TEST(Guide, ErrorsHaveTheirPlaceAndARemedy) {
  const Model light = read(testing::kTrafficLight);
  EXPECT_EQ(error_of(light, "0\n c0:timer.tock"),
            "2:2 there is no interaction 'c0:timer.tock' (did you mean 'c0:timer.tick'?)");
  EXPECT_EQ(error_of(light, "nonsense-that-is-nowhere-near"),
            "1:1 there is no interaction 'nonsense-that-is-nowhere-near' (write 'CONNECTOR:COMPONENT.PORT,...', or its "
            "number)");
  EXPECT_EQ(error_of(light, "2"), "1:1 there is no interaction 2 (the numbers are 0 to 1)");
  EXPECT_EQ(error_of(light, "99999999999999999999"),
            "1:1 there is no interaction 99999999999999999999 (the numbers are 0 to 1)");
  EXPECT_EQ(error_of(light, "0 timer"),
            "1:3 'timer' is not a transition (write 'COMPONENT#NUMBER'; one step is one line)");
  EXPECT_EQ(error_of(light, "0 tmer#0"), "1:3 there is no component 'tmer' (did you mean 'timer'?)");
  EXPECT_EQ(error_of(light, "0 timer#2"),
            "1:3 component 'timer' has no transition '2' (the numbers are 0 to 1, in the order of the file)");
  EXPECT_EQ(error_of(light, "0 timer#x"),
            "1:3 component 'timer' has no transition 'x' (the numbers are 0 to 1, in the order of the file)");
  EXPECT_EQ(error_of(light, "0 timer#0 timer#0"),
            "1:11 component 'timer' has a transition in this step already (remove one of the two)");
  EXPECT_EQ(error_of(light, "0 timer#1"),
            "1:3 'timer#1' is not a transition of port 'tick' (it is one of port 'done')");
  EXPECT_EQ(error_of(light, "0 light#1"), "1:3 component 'light' does not take part in the interaction (remove it)");
  EXPECT_EQ(error_of(light, "internal light#1"),
            "1:10 'light#1' is not an internal transition (it is one of port 'done')");
  EXPECT_EQ(error_of(light, "init timer.t = 3"),
            "1:6 'timer.t' does not start with any value: the model sets it at the start (remove the line)");
}

TEST(Guide, ErrorsOfInitialValuesHaveTheirPlaceAndARemedy) {
  const Model model = read(testing::kBroadcast);
  EXPECT_EQ(error_of(model, "init s.x 3"), "1:1 an initial value is not complete (write 'init VARIABLE = VALUE')");
  EXPECT_EQ(error_of(model, "init s.x = "), "1:1 an initial value is not complete (write 'init VARIABLE = VALUE')");
  EXPECT_EQ(error_of(model, "init s.y = 3"), "1:6 there is no variable 's.y' (did you mean 's.x'?)");
  EXPECT_EQ(error_of(model, "init s.x = 3x"), "1:12 '3x' is not an int (write a decimal number)");
  EXPECT_EQ(error_of(model, "init s.x = 128"),
            "1:12 128 does not fit an int of 8 bits (write a number from -128 to 127)");
  EXPECT_EQ(error_of(model, "init s.x = 1\ninit s.x = 1"),
            "2:6 's.x' has an initial value already (remove one of the lines)");
  EXPECT_EQ(error_of(model, "init s.x = 127\ninit s.x"),
            "2:1 an initial value is not complete (write 'init VARIABLE = VALUE')");
}

TEST(Guide, BoolsAreTrueOrFalse) {
  const Model model = read(R"(package p
    port type Sync()
    atom type A()
      data bool b
      port Sync p()
      place S
      initial to S
      on p from S to S provided (b)
    end
    compound type Top() component A a() end
    end)");
  EXPECT_EQ(read_guide(model, "init a.b = true", "g").initial[0], 1);
  EXPECT_EQ(error_of(model, "init a.b = 1"), "1:12 '1' is not a bool (write 'true' or 'false')");
}

/// A random run, written as a guide and followed.
void expect_same_run(const Model& model, std::uint64_t seed) {
  std::vector<std::optional<std::int64_t>> initial(model.variables.size());
  ChoiceGenerator generator(seed);
  for (const VariableId v : free_variables(model)) initial[v] = static_cast<std::int64_t>(generator.choose(100)) - 50;
  Guide start;
  start.initial = initial;
  Emulation random(model, {30, seed, &start});
  std::vector<Choice> choices;
  while (const std::optional<EmulationStep> step = random.step()) choices.push_back(step->choice);
  const std::string text = write_guide(model, initial, choices);
  const Guide guide = read_guide(model, text, "guide.txt");
  Emulation guided(model, {std::nullopt, 1, &guide});
  for (const Choice& choice : choices) {
    const std::optional<EmulationStep> step = guided.step();
    ASSERT_TRUE(step.has_value()) << text;
    EXPECT_EQ(step->choice, choice) << text;
  }
  EXPECT_FALSE(guided.step().has_value()) << text;
  EXPECT_EQ(guided.run().state(), random.run().state());
}

TEST(Guide, WhatIsWrittenReadsAsTheSameRun) {
  for (const std::string_view text : {testing::kTrafficLight, testing::kBroadcast, testing::kInternal}) {
    const Model model = read(text);
    for (std::uint64_t seed = 0; seed < 50; ++seed) expect_same_run(model, seed);
  }
}

TEST(Guide, WritesTransitionsAndInternalStepsOnlyWhereThereIsAChoice) {
  const Model model = read(testing::kInternal);
  bip::Run run(model);
  std::vector<Choice> choices;
  const auto fire = [&](const Choice& choice) {
    run.fire(choice);
    choices.push_back(choice);
  };
  fire(run.first_internal_choice());
  fire(run.first_choice(0));
  fire(run.first_internal_choice());
  fire(run.first_choice(0));
  fire({kNone, {{0, 2}, {1, 3}}});
  fire(run.first_internal_choice());
  fire(run.first_internal_choice());
  EXPECT_EQ(write_guide(model, {}, choices), "c:w.go,u.go\nc:w.go,u.go\ninternal w#2 u#3\n");
}

}  // namespace
}  // namespace plumb::bip
