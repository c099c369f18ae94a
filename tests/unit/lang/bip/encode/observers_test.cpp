#include "lang/bip/encode/observers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models.h"
#include "system/trace.h"
#include "walk.h"

namespace plumb::bip {
namespace {

/// Counts from 0 to `end`, then nothing happens any more; the first `early` steps are internal, before anybody looks.
Model counter(int early, int end) {
  return models::read(fmt::format("package p\n"
                                  "  port type Sync()\n"
                                  "  atom type A()\n"
                                  "    data int x\n"
                                  "    port Sync tick()\n"
                                  "    place S\n"
                                  "    initial to S do {{ x = 0; }}\n"
                                  "    internal from S to S provided (x < {}) do {{ x = x + 1; }}\n"
                                  "    on tick from S to S provided (x >= {} && x < {}) do {{ x = x + 1; }}\n"
                                  "  end\n"
                                  "  compound type Top()\n"
                                  "    component A a()\n"
                                  "  end\n"
                                  "end\n",
                                  early, early, end),
                      6);
}

std::vector<Property> properties(const Model& model, const std::vector<std::string>& texts) {
  std::vector<Property> result;
  for (const std::string& text : texts) result.push_back(parse_property(model, text, SourceLocation{}));
  return result;
}

Property contract(const Model& model, const std::string& premise, const std::string& condition) {
  Property property;
  property.kind = Property::Kind::Contract;
  property.name = "contract";
  property.premise = std::move(parse_property(model, premise, SourceLocation{}).condition);
  property.condition = std::move(parse_property(model, condition, SourceLocation{}).condition);
  return property;
}

/// The first step in which a bad is reached, without any choice.
std::optional<std::size_t> first_step(const Encoding& encoding, std::size_t bad, std::size_t steps = 40) {
  system::Trace trace;
  trace.steps.resize(steps);
  for (const system::Replay::Reached& reached : system::replay(encoding.system, trace).reached)
    if (reached.bad == bad) return reached.step;
  return std::nullopt;
}

TEST(Observers, AResponseIsDueAfterExactlyItsBound) {
  const Model model = counter(0, 20);
  for (std::uint64_t distance = 0; distance <= 9; ++distance)
    for (std::uint64_t within = 0; within <= 9; ++within) {
      const auto both = properties(model, {fmt::format("a.x == 3 leads to a.x == {} within {}", 3 + distance, within)});
      const Encoding one = encode(model, both, Engine::OneCycle);
      const Encoding two = encode(model, both, Engine::TwoCycle);
      const auto expected = within < distance ? std::optional<std::size_t>(3 + within) : std::nullopt;
      EXPECT_EQ(first_step(one, one.bads[0]), expected) << distance << " within " << within;
      EXPECT_EQ(first_step(two, two.bads[0]), within < distance ? std::optional(2 * (3 + within)) : std::nullopt);
    }
}

TEST(Observers, ADeadlockedStateGoesOnCounting) {
  const Model model = counter(0, 5);
  const auto response = properties(model, {"a.x == 4 leads to a.x == 6 within 7"});
  for (const Engine engine : {Engine::OneCycle, Engine::TwoCycle}) {
    const Encoding encoding = encode(model, response, engine);
    EXPECT_EQ(first_step(encoding, encoding.bads[0]).has_value(), true);
  }
  const Encoding encoding = encode(model, response, Engine::OneCycle);
  EXPECT_EQ(first_step(encoding, encoding.bads[0]), 4 + 7U);
}

TEST(Observers, InternalStepsAreNotCountedAndNotSeen) {
  const Model model = counter(4, 9);
  const auto list = properties(model, {"a.x >= 4", "a.x == 4 leads to a.x == 6 within 2",
                                       "a.x == 4 leads to a.x == 6 within 1", "a.x < 4 leads to a.x == 9 within 1"});
  const Encoding encoding = encode(model, list, Engine::OneCycle);
  EXPECT_EQ(first_step(encoding, encoding.bads[0]), std::nullopt);
  EXPECT_EQ(first_step(encoding, encoding.bads[1]), std::nullopt);
  EXPECT_EQ(first_step(encoding, encoding.bads[2]), 5U);
  EXPECT_EQ(first_step(encoding, encoding.bads[3]), std::nullopt);
  EXPECT_EQ(first_step(encoding, *encoding.covers[1]), 4U);
  EXPECT_EQ(first_step(encoding, *encoding.covers[3]), std::nullopt);
  EXPECT_EQ(encoding.covers[0], std::nullopt);
}

TEST(Observers, ADeadlockIsFoundWhereNothingIsEnabled) {
  for (const Engine engine : walk::kEngines) {
    const Model model = counter(2, 9);
    const Encoding encoding = encode(model, default_properties(model, true), engine);
    EXPECT_EQ(first_step(encoding, encoding.bads[0]), engine == Engine::TwoCycle ? 2 + 2 * 7U : 9U);
  }
}

TEST(Observers, AContractLooksAtItsPremiseInTheFirstVisibleState) {
  for (const int early : {0, 3}) {
    const Model model = counter(early, 9);
    std::vector<Property> list;
    list.push_back(contract(model, fmt::format("a.x == {}", early), "a.x < 6"));
    list.push_back(contract(model, "a.x == 1", "a.x < 6"));
    list.push_back(contract(model, fmt::format("a.x == {}", early), fmt::format("a.x >= {}", early)));
    for (const Engine engine : walk::kEngines) {
      const Encoding encoding = encode(model, list, engine);
      const auto step = [&](std::size_t x) {
        return x <= static_cast<std::size_t>(early) || engine != Engine::TwoCycle
                   ? x
                   : 2 * x - static_cast<std::size_t>(early);
      };
      EXPECT_EQ(first_step(encoding, encoding.bads[0]), step(6));
      EXPECT_EQ(first_step(encoding, encoding.bads[1]), std::nullopt);
      EXPECT_EQ(first_step(encoding, encoding.bads[2]), std::nullopt);
      EXPECT_EQ(first_step(encoding, *encoding.covers[0]), static_cast<std::size_t>(early));
      EXPECT_EQ(first_step(encoding, *encoding.covers[1]), std::nullopt);
    }
  }
}

TEST(Observers, APremiseOfFreeVariablesChoosesRuns) {
  const Model model = models::read(models::kFree, 3);
  std::vector<Property> list;
  list.push_back(contract(model, "a.x == 3", "a.x != 3"));
  list.push_back(contract(model, "a.x == 3", "a.y == 2"));
  const Encoding encoding = encode(model, list, Engine::OneCycle);
  bool is_first_reached = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const system::RandomRun run = system::random_run(encoding.system, seed, 10);
    is_first_reached |= run.replay.reaches(encoding.bads[0]);
    EXPECT_FALSE(run.replay.reaches(encoding.bads[1]));
  }
  EXPECT_TRUE(is_first_reached);
}

TEST(Observers, PlacesBeyondTheRangeOfAnIntCanBeComparedWith) {
  const std::string text = R"(
package p
  port type Sync()
  atom type A()
    port Sync s()
    place P0, P1, P2, P3, P4
    initial to P0
    on s from P0 to P1
    on s from P1 to P2
    on s from P2 to P3
    on s from P3 to P4
  end
  compound type Top()
    component A a()
  end
end
)";
  const Model model = models::read(text, 2);
  const auto list = properties(model, {"a.place != P4", "a.place == P0", "a.place != P3"});
  const Encoding encoding = encode(model, list, Engine::OneCycle);
  EXPECT_EQ(first_step(encoding, encoding.bads[0]), 4U);
  EXPECT_EQ(first_step(encoding, encoding.bads[1]), 1U);
  EXPECT_EQ(first_step(encoding, encoding.bads[2]), 3U);
}

}  // namespace
}  // namespace plumb::bip
