#include "lang/bip/encode/encode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models.h"
#include "system/to_circuit.h"
#include "walk.h"

namespace plumb::bip {
namespace {

using walk::View;

std::size_t input(const Encoding& encoding, const std::string& name) {
  for (std::size_t i = 0; i < encoding.system.inputs().size(); ++i)
    if (encoding.system.input_name(i) == name) return i;
  throw std::runtime_error("no input " + name);
}

std::size_t state(const Encoding& encoding, const std::string& name) {
  for (std::size_t i = 0; i < encoding.system.states().size(); ++i)
    if (encoding.system.state_name(i) == name) return i;
  throw std::runtime_error("no state " + name);
}

TEST(Encode, TheTrafficLightRunsAsInTable41) {
  const Model model = models::read(models::kTrafficLight, 8);
  const Encoding encoding = encode(model, {}, Engine::TwoCycle);
  View view(model, encoding);
  const auto value = [&](const std::string& name) {
    const std::size_t position = state(encoding, name);
    return view.simulator().bits(encoding.system.states()[position].variable).to_uint64();
  };
  const auto row = [&] {
    view.simulator().evaluate();
    return std::vector<std::uint64_t>{value("timer.t"), value("timer.n"), value("timer.place"), value("light.place"),
                                      value("light.m")};
  };
  using Row = std::vector<std::uint64_t>;
  // Nine ticks of two cycles each; then the interaction of `timer` has been selected: that is cycle c.
  for (int i = 0; i < 19; ++i) {
    view.simulator().evaluate();
    view.simulator().step();
  }
  EXPECT_EQ(row(), (Row{9, 10, 0, 0, 3}));
  EXPECT_TRUE(view.wire("timer.timer.s"));
  view.simulator().step();
  EXPECT_EQ(row(), (Row{10, 10, 0, 0, 3}));
  view.simulator().step();
  EXPECT_EQ(row(), (Row{10, 3, 0, 0, 3}));
  EXPECT_TRUE(view.wire("timer.done.s") && view.wire("light.done.s"));
  view.simulator().step();
  EXPECT_EQ(row(), (Row{0, 3, 0, 1, 5}));
}

/// Calls check() in every state with places of `light` and values of t, n below the bounds, for each selector.
template <typename Check>
void for_all_lights(const Model& model, const Encoding& encoding, Check check) {
  View view(model, encoding);
  system::Simulator& simulator = view.simulator();
  for (std::uint64_t t = 0; t < 4; ++t)
    for (std::uint64_t n = 0; n < 4; ++n)
      for (std::uint64_t place = 0; place < 4; ++place)
        for (std::uint64_t selector = 0; selector < 2; ++selector) {
          simulator.reset();
          simulator.set_state(state(encoding, "timer.t"), BitVector(model.bits, t));
          simulator.set_state(state(encoding, "timer.n"), BitVector(model.bits, n));
          simulator.set_state(state(encoding, "light.place"), BitVector(2, place));
          simulator.set_input(input(encoding, "selector"), BitVector(1, selector));
          simulator.evaluate();
          check(view, t, n, place, selector);
        }
}

TEST(Encode, TheWiresAreThoseOfListing42) {
  const Model model = models::read(models::kTrafficLight, 8);
  for (const Engine engine : {Engine::TwoCycle, Engine::OneCycle}) {
    const Encoding encoding = encode(model, {}, engine);
    for_all_lights(model, encoding,
                   [](const View& view, std::uint64_t t, std::uint64_t n, std::uint64_t place, std::uint64_t selector) {
                     // The fourth code of a place of the light stands for none.
                     const bool e[] = {t < n, t >= n && place < 3};
                     EXPECT_EQ(view.wire("timer.timer.e"), t < n);
                     EXPECT_EQ(view.wire("timer.done.e"), t >= n);
                     EXPECT_EQ(view.wire("light.done.e"), place < 3);
                     EXPECT_EQ(view.wire("ie[0]"), e[0]);
                     EXPECT_EQ(view.wire("ie[1]"), e[1]);
                     const bool ip[] = {e[0] && !e[1], e[1]};
                     EXPECT_EQ(view.wire("ip[0]"), ip[0]);
                     EXPECT_EQ(view.wire("ip[1]"), ip[1]);
                     const bool is[] = {ip[0] && (selector == 0 || (!ip[selector] && !ip[1])),
                                        ip[1] && (selector == 1 || !ip[selector])};
                     EXPECT_EQ(view.wire("is[0]"), is[0]);
                     EXPECT_EQ(view.wire("is[1]"), is[1]);
                     EXPECT_EQ(view.wire("timer.timer.s"), is[0]);
                     EXPECT_EQ(view.wire("timer.done.s"), is[1]);
                     EXPECT_EQ(view.wire("light.done.s"), is[1]);
                   });
  }
}

TEST(Encode, ACodeThatIsNoPlaceStaysAsItIs) {
  const Model model = models::read(models::kTrafficLight, 8);
  for (const Engine engine : walk::kEngines) {
    const Encoding encoding = encode(model, {}, engine);
    View view(model, encoding);
    view.simulator().set_state(state(encoding, "light.place"), BitVector(2, 3));
    for (int i = 0; i < 30; ++i) {
      view.simulator().evaluate();
      EXPECT_EQ(view.state().places[1], 3U);
      view.simulator().step();
    }
  }
}

TEST(Encode, OneCycleHasNoRegistersButPlacesAndData) {
  for (const auto& [name, text, bits] : models::kAll) {
    const Model model = models::read(text, bits, true);
    const Encoding encoding = encode(model, {}, Engine::OneCycle);
    EXPECT_EQ(encoding.system.states().size(), model.components.size() + model.component_variables()) << name;
  }
}

TEST(Encode, InputsAreMadeOnlyWhereThereIsAChoice) {
  const Model light = models::read(models::kTrafficLight, 8);
  EXPECT_EQ(encode(light, {}, Engine::OneCycle).system.inputs().size(), 1U);
  // The guards of the timer's transitions exclude each other; `b` chooses between transitions, `a` in one place alone.
  const Model several = models::read(models::kSeveral);
  const Encoding encoding = encode(several, {}, Engine::OneCycle);
  EXPECT_EQ(encoding.system.inputs().size(), 3U);
  EXPECT_EQ(encoding.system.store().width(encoding.system.inputs()[input(encoding, "a.transition")]), 1U);
  EXPECT_EQ(encoding.system.store().width(encoding.system.inputs()[input(encoding, "b.transition")]), 2U);
}

TEST(Encode, TwoCyclesKeepATransitionOnlyWhereValuesDoNotTellIt) {
  const auto keeps = [](const std::string& text) {
    const Encoding encoding = encode(models::read(text), {}, Engine::TwoCycle);
    return std::ranges::any_of(encoding.system.states(), [&](const system::State& state) {
      return encoding.system.store().name(state.variable) == "s.taken";
    });
  };
  // The guards of the sender's transitions look at v, which the largest interaction writes.
  std::string text = models::kBroadcast;
  EXPECT_TRUE(keeps(text));
  text.replace(text.find(" s.v = b.v;"), 11, "");
  EXPECT_FALSE(keeps(text));
}

TEST(Encode, WaveformsCanNamePlaces) {
  const Model model = models::read(models::kTrafficLight, 8);
  const Encoding encoding = encode(model, {}, Engine::OneCycle);
  ASSERT_EQ(encoding.system.annotations().size(), 2U);
  EXPECT_EQ(encoding.system.annotations()[1].texts.at(BitVector(2, 1)), "Y");
}

TEST(Encode, APlaceWithoutAlternativeCostsNothing) {
  const Model model = models::read(models::kTrafficLight, 8);
  const std::vector<Property> properties = default_properties(model, true);
  const Encoding encoding = encode(model, properties, Engine::OneCycle);
  EXPECT_EQ(system::to_circuit(encoding.system, Budget()).latches.size(), 3U * 8 + 2);
}

TEST(Encode, ResponsesAreNotForTheParallelEngine) {
  const Model model = models::read(models::kTrafficLight, 8);
  std::vector<Property> properties;
  properties.push_back(parse_property(model, "timer.t == 0 leads to timer.t == 3 within 3", SourceLocation{}));
  EXPECT_THROW(encode(model, properties, Engine::Parallel), Unsupported);
}

}  // namespace
}  // namespace plumb::bip
