#include "lang/bip/run/emulate.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "lang/bip/emit/emit.h"
#include "unit/lang/bip/run/models.h"

namespace plumb::bip {
namespace {

using testing::read;

/// What an emulation prints; an error as its text.
std::string emulate(const Model& model, const EmulationOptions& options) {
  Emulation emulation(model, options);
  std::string text = initial_line(model, emulation.run().state()) + "\n";
  try {
    while (const std::optional<EmulationStep> step = emulation.step())
      text += step_line(model, step->number, step->choice, step->before, step->after) + "\n";
  } catch (const UserError& error) {
    return text + error.what() + "\n";
  }
  return text + end_line(emulation.end(), emulation.interactions()) + "\n";
}

std::string emulate(const Model& model, std::string_view guide_text, std::optional<std::uint64_t> steps = {}) {
  const Guide guide = read_guide(model, guide_text, "guide.txt");
  return emulate(model, {steps, 1, &guide});
}

TEST(Emulation, PrintsTheStateThenWhatEachInteractionChanges) {
  std::string text(testing::kTrafficLight);
  text.replace(text.find("timer(10)"), 9, "timer(2) ");
  EXPECT_EQ(emulate(read(text), {4, 1, nullptr}),
            "0  initial  timer.place S0, timer.t 0, timer.n 2, light.place G, light.m 3\n"
            "1  c0:timer.tick  timer.t 0 -> 1\n"
            "2  c0:timer.tick  timer.t 1 -> 2\n"
            "3  c1:timer.done,light.done  timer.t 2 -> 0, timer.n 2 -> 3, light.place G -> Y, light.m 3 -> 5\n"
            "4  c0:timer.tick  timer.t 0 -> 1\n"
            "stopped after 4 interactions\n");
}

TEST(Emulation, InternalStepsHaveLinesOfTheirOwnAndAreNotCounted) {
  EXPECT_EQ(emulate(read(testing::kInternal), "0\n0\ninternal u#3\n"),
            "0  initial  w.place A, w.x 0, u.place A, u.x 0\n"
            "   internal  w.place A -> B, u.place A -> B\n"
            "1  c:w.go,u.go  w.place B -> C, w.x 0 -> 1, u.place B -> C, u.x 0 -> 1\n"
            "   internal  w.place C -> B, u.place C -> B\n"
            "2  c:w.go,u.go  w.place B -> C, w.x 1 -> 2, u.place B -> C, u.x 1 -> 2\n"
            "   internal  w.place C -> D, w.x 2 -> 3, u.place C -> B\n"
            "   internal  w.place D -> A\n"
            "   internal  w.place A -> B\n"
            "the guide ends after 2 interactions\n");
}

TEST(Emulation, ADeadlockIsReportedEvenWhereTheBoundIsReached) {
  const std::string text = emulate(read(testing::kInternal), {1000, 1, nullptr});
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  ASSERT_TRUE(last.starts_with("deadlock after ")) << text;
  const std::uint64_t count = std::stoul(last.substr(15));
  EXPECT_GT(count, 2U);
  EXPECT_EQ(emulate(read(testing::kInternal), {count, 1, nullptr}), text);
}

TEST(Emulation, GoesOnAtRandomBehindTheGuideIfThereIsABound) {
  const std::string text = emulate(read(testing::kTrafficLight), "0\n0\n", 5);
  EXPECT_TRUE(text.ends_with("5  c0:timer.tick  timer.t 4 -> 5\nstopped after 5 interactions\n")) << text;
  EXPECT_TRUE(emulate(read(testing::kTrafficLight), "0\n0\n", 1).ends_with("stopped after 1 interaction\n"));
}

TEST(Emulation, AStepOfTheGuideThatIsImpossibleIsAnErrorAtItsLine) {
  const std::string text = emulate(read(testing::kTrafficLight), "0\n# here:\n  1\n");
  EXPECT_TRUE(
      text.ends_with("1  c0:timer.tick  timer.t 0 -> 1\n"
                     "guide.txt:3:3: error: 'c1:timer.done,light.done' cannot be fired here: port 'timer.done' is not "
                     "enabled\n  hint: possible here: c0:timer.tick\n"))
      << text;
  const std::string internal = emulate(read(testing::kTrafficLight), "internal\n");
  EXPECT_TRUE(
      internal.ends_with("guide.txt:1:1: error: the internal transitions cannot be executed here: no internal "
                         "transition is enabled\n  hint: possible here: c0:timer.tick\n"))
      << internal;
  const std::string closed = emulate(read(testing::kBroadcast), "0 s#1\n1");
  EXPECT_NE(closed.find("cannot be fired here"), std::string::npos) << closed;
}

TEST(Emulation, InternalTransitionsWithoutEndEndTheRun) {
  const Model model = read(testing::kDivergent);
  const std::string text = emulate(model, {5, 1, nullptr});
  EXPECT_TRUE(text.starts_with("0  initial  a.place S\n1  a.p  a.place S -> T\n   internal\n"));
  EXPECT_TRUE(text.ends_with("internal transitions do not end after 1 interaction\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 3 + static_cast<std::ptrdiff_t>(Emulation::kMostInternalSteps));
}

TEST(Emulation, SeedsGiveOtherRunsAndTheSameSeedTheSame) {
  const Model model = read(testing::kBroadcast);
  EXPECT_EQ(emulate(model, {50, 7, nullptr}), emulate(model, {50, 7, nullptr}));
  EXPECT_NE(emulate(model, {50, 7, nullptr}), emulate(model, {50, 8, nullptr}));
}

TEST(Emulation, SomebodyElseMayChoose) {
  const Model model = read(testing::kBroadcast);
  Emulation emulation(model, {});
  const EmulationStep step = emulation.step(Choice{emulation.run().choices()[0], {{0, 1}, {1, 1}, {2, 0}}});
  EXPECT_EQ(step.number, 1U);
  EXPECT_EQ(step.after, emulation.run().state());
  EXPECT_EQ(emulation.interactions(), 1U);
}

TEST(ChoiceGenerator, EveryChoiceIsAsLikelyAsTheOthers) {
  ChoiceGenerator generator(0);
  std::map<std::size_t, int> counts;
  for (int i = 0; i < 70'000; ++i) ++counts[generator.choose(7)];
  ASSERT_EQ(counts.size(), 7U);
  for (const auto& [index, count] : counts) {
    EXPECT_LT(index, 7U);
    EXPECT_NEAR(count, 10'000, 500);
  }
}

TEST(ChoiceGenerator, NeighbouringSeedsDiffer) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ChoiceGenerator one(seed);
    ChoiceGenerator other(seed + 1);
    bool differs = false;
    for (int i = 0; i < 20; ++i) differs = (one.choose(1000) != other.choose(1000)) || differs;
    EXPECT_TRUE(differs) << seed;
  }
}

TEST(ChoiceGenerator, DrawsNothingWhereThereIsNoChoice) {
  ChoiceGenerator one(3);
  ChoiceGenerator other(3);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(one.choose(1), 0U);
  EXPECT_EQ(one.choose(1'000'000), other.choose(1'000'000));
}

}  // namespace
}  // namespace plumb::bip
