#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models.h"
#include "system/trace.h"
#include "walk.h"

namespace plumb::bip {
namespace {

std::vector<Property> invariants(const Model& model, const std::vector<std::string>& texts) {
  std::vector<Property> result = default_properties(model, true);
  for (const std::string& text : texts) result.push_back(parse_property(model, text, SourceLocation{}));
  make_names_unique(result);
  return result;
}

struct Case {
  std::string text;
  std::uint32_t bits;
  std::vector<std::string> properties;
  std::vector<std::string> responses;
};

const std::vector<Case> kCases = {
    {models::kBroadcast, 3, {"a.got != 2", "b.place == READY", "s.v < 3"}, {"s.v == 1 leads to s.v == 3 within 1"}},
    {models::kHierarchy,
     3,
     {"pair.x.v != 0", "z.place == S || z.v == 2", "pair.y.place == S"},
     {"true leads to z.place == T within 2"}},
    {models::kInternal,
     3,
     {"!coin.heads", "left.n + right.n != 2", "coin.seen != 2"},
     {"left.n == 2 leads to left.n == 0 within 2"}},
    {models::kSeveral,
     4,
     {"b.place != Y || b.got != 3", "a.v < 5", "b.v != 3"},
     {"b.place == S leads to b.place == X within 2"}},
    {models::kPriorities, 3, {"a.n < 3", "b.n < 2 || c.n < 3", "a.n == b.n"}, {"true leads to b.n == 1 within 1"}},
    {models::kFree, 3, {"a.x != 3", "a.y != 1", "a.z != a.y || a.x < 0"}, {"a.x == 1 leads to a.x == 0 within 2"}},
    {models::kRings,
     3,
     {"x.laps < 1", "x.place == y.place", "z.laps == 0 || x.laps == 0"},
     {"z.place == A leads to z.place == C within 3"}}};

/// Follows what is known and no more: choices of a trace fire from the start to the violation.
bool is_violated_at_end(const Model& model, const Property& property, const ModelTrace& trace) {
  Run run(model, trace.initial);
  Monitor monitor(model, property);
  for (const Choice& choice : trace.choices) {
    if (run.is_stable() && monitor.is_violated(run)) return false;
    run.fire(choice);
  }
  for (std::uint64_t repetition = 0; repetition <= property.within; ++repetition) {
    if (!run.is_stable()) return false;
    if (monitor.is_violated(run)) return true;
    if (!run.is_deadlocked()) return false;
  }
  return false;
}

TEST(ToModel, WhatASystemReachesTheModelDoesAndViolates) {
  for (const Case& item : kCases)
    for (const Engine engine : walk::kEngines) {
      const Model model = models::read(item.text, item.bits);
      std::vector<std::string> texts = item.properties;
      if (engine != Engine::Parallel) texts.insert(texts.end(), item.responses.begin(), item.responses.end());
      const std::vector<Property> properties = invariants(model, texts);
      const Encoding encoding = encode(model, properties, engine);
      std::vector<std::size_t> reached(properties.size());
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const system::RandomRun run = system::random_run(encoding.system, seed, 80);
        for (std::size_t p = 0; p < properties.size(); ++p) {
          if (!run.replay.reaches(encoding.bads[p])) continue;
          const ModelTrace trace = to_model(model, properties, p, encoding, run.trace);
          ASSERT_EQ(trace.choices.size(), trace.steps.size());
          EXPECT_TRUE(std::ranges::is_sorted(trace.steps) || engine == Engine::Parallel);
          EXPECT_TRUE(is_violated_at_end(model, properties[p], trace))
              << model.name << ", " << properties[p].name << ", engine " << static_cast<int>(engine) << ", seed "
              << seed;
          ++reached[p];
        }
      }
      // That nothing is ever reached would say nothing; deadlock is not in all of them.
      for (std::size_t p = 1; p < properties.size(); ++p)
        EXPECT_GT(reached[p], 0U) << model.name << ", " << properties[p].name << ", engine "
                                  << static_cast<int>(engine);
    }
}

TEST(ToModel, ATraceThatReachesNothingIsAnInternalError) {
  const Model model = models::read(models::kRings);
  const std::vector<Property> properties = invariants(model, {});
  const Encoding encoding = encode(model, properties, Engine::OneCycle);
  system::Trace trace;
  trace.steps.resize(3);
  EXPECT_THROW(to_model(model, properties, 0, encoding, trace), InternalError);
}

TEST(ToModel, ASystemThatDoesOtherwiseIsAnInternalError) {
  const Model model = models::read(models::kTrafficLight, 8);
  std::vector<Property> properties = invariants(model, {"timer.t < 4"});
  const Encoding encoding = encode(model, properties, Engine::TwoCycle);
  system::Trace trace;
  trace.steps.resize(20);
  EXPECT_EQ(to_model(model, properties, 1, encoding, trace).choices.size(), 4U);
  std::string other = models::kTrafficLight;
  other.replace(other.find("t = t + 1"), 9, "t = t + 2");
  const Model changed = models::read(other, 8);
  EXPECT_THROW(to_model(changed, properties, 1, encoding, trace), InternalError);
}

}  // namespace
}  // namespace plumb::bip
