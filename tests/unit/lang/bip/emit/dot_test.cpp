#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/subprocess.h"
#include "lang/bip/emit/dot_connectors.h"
#include "lang/bip/emit/dot_text.h"
#include "lang/bip/emit/emit.h"
#include "unit/lang/bip/property/small_model.h"

namespace plumb::bip {
namespace {

using hand_made::add_component;

Model::Interaction interaction(const std::string& connector, std::vector<Model::PortUse> ports,
                               bool is_executable = true) {
  Model::Interaction result;
  result.connector = connector;
  result.name = connector + ":" + std::to_string(ports.size());
  result.ports = std::move(ports);
  result.is_executable = is_executable;
  return result;
}

/// Components a, b, c, d, each with ports p and q.
Model four_components() {
  Model model;
  for (const std::string name : {"a", "b", "c", "d"}) add_component(model, name, "T", {"S"}, {}, {"p", "q"});
  return model;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What Graphviz says against a text; nothing where it is not installed.
std::string objection(const std::string& text) {
  if (!find_program("dot")) return {};
  const ProcessResult result = run_process({"dot", "-Tsvg"}, text, Budget{});
  if (result.end != ProcessResult::End::Exited || result.code != 0) return "dot fails: " + result.error;
  return result.error;
}

TEST(DotConnectors, AnEndThatIsAnInteractionOfItsOwnIsATrigger) {
  Model model = four_components();
  model.interactions.push_back(interaction("cast", {{0, 0}}));
  model.interactions.push_back(interaction("cast", {{0, 0}, {1, 0}}));
  model.interactions.push_back(interaction("cast", {{0, 0}, {2, 0}}));
  model.interactions.push_back(interaction("cast", {{0, 0}, {1, 0}, {2, 0}}));
  model.interactions.push_back(interaction("meet", {{0, 1}, {3, 1}}));
  const auto connectors = dot::find_connectors(model);
  ASSERT_EQ(connectors.size(), 2U);
  ASSERT_EQ(connectors[0].ends.size(), 3U);
  EXPECT_TRUE(connectors[0].ends[0].is_trigger);
  EXPECT_TRUE(connectors[0].ends[0].is_always);
  EXPECT_FALSE(connectors[0].ends[1].is_trigger);
  EXPECT_FALSE(connectors[0].ends[1].is_always);
  ASSERT_EQ(connectors[1].ends.size(), 2U);
  EXPECT_FALSE(connectors[1].ends[0].is_trigger);
  EXPECT_TRUE(connectors[1].ends[0].is_always);
}

TEST(DotConnectors, AConnectorInsideAnotherIsFoundByItsPorts) {
  Model model = four_components();
  model.interactions.push_back(interaction("inner", {{1, 0}, {2, 0}}, false));
  model.interactions.push_back(interaction("elsewhere", {{1, 1}, {2, 1}}, false));
  model.interactions.push_back(interaction("half", {{2, 0}, {3, 1}}));
  model.interactions.push_back(interaction("outer", {{0, 0}, {1, 0}, {2, 0}}));
  const auto connectors = dot::find_connectors(model);
  ASSERT_EQ(connectors.size(), 4U);
  ASSERT_EQ(connectors[3].ends.size(), 2U);
  EXPECT_EQ(std::get<Model::PortUse>(connectors[3].ends[0].what), (Model::PortUse{0, 0}));
  EXPECT_EQ(std::get<std::size_t>(connectors[3].ends[1].what), 0U);
  EXPECT_FALSE(connectors[3].ends[0].is_trigger);
  // Takes one of its ports, which it never offers alone.
  EXPECT_EQ(std::get<Model::PortUse>(connectors[2].ends[0].what), (Model::PortUse{2, 0}));
}

TEST(DotConnectors, EndsOfOneTypeComeBeforeThoseOfTheNext) {
  Model model;
  add_component(model, "f1", "Fork", {"S"}, {}, {"take"});
  add_component(model, "p1", "Philosopher", {"S"}, {}, {"eat"});
  add_component(model, "f2", "Fork", {"S"}, {}, {"take"});
  model.interactions.push_back(interaction("c", {{0, 0}, {1, 0}, {2, 0}}));
  const auto connectors = dot::find_connectors(model);
  ASSERT_EQ(connectors[0].ends.size(), 3U);
  EXPECT_EQ(std::get<Model::PortUse>(connectors[0].ends[1].what).component, 2U);
  EXPECT_EQ(std::get<Model::PortUse>(connectors[0].ends[2].what).component, 1U);
}

TEST(DotConnectors, PrioritiesThatFollowAreLeftOut) {
  Model model = four_components();
  for (const std::string name : {"c0", "c1", "c2"})
    model.interactions.push_back(interaction(name, {{static_cast<ComponentId>(name[1] - '0'), 0}}));
  model.interactions.push_back(interaction("c2", {{2, 0}, {3, 0}}));
  const auto add = [&](InteractionId low, InteractionId high, std::uint32_t line, const std::string& condition = {}) {
    Model::Priority priority;
    priority.low = low;
    priority.high = high;
    priority.place = {line, 1};
    if (!condition.empty()) {
      priority.condition = std::make_unique<Expression>();
      priority.condition->kind = Expression::Kind::Name;
      priority.condition->name = condition;
    }
    model.priorities.push_back(std::move(priority));
  };
  add(0, 1, 5);
  add(1, 2, 6);
  add(0, 2, 5);
  add(2, 3, 0);  // maximal progress
  auto found = dot::find_priorities(model, dot::find_connectors(model));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(std::pair(found[0].low, found[0].high), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(std::pair(found[1].low, found[1].high), std::pair(std::size_t{1}, std::size_t{2}));
  EXPECT_TRUE(found[1].conditions.empty());
  // With a condition between, the pair is more than what follows.
  model.priorities.clear();
  add(0, 1, 5);
  add(1, 2, 6, "x");
  add(0, 2, 5);
  found = dot::find_priorities(model, dot::find_connectors(model));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[2].conditions, std::vector<std::string>{"x"});
}

TEST(DotText, LinesEndBetweenStatementsFirst) {
  EXPECT_EQ(dot::lines("done / x = y; long_name = z + 1;", 26),
            "done / x = y;<br align=\"left\"/>  long_name = z + 1;<br align=\"left\"/>");
  EXPECT_EQ(dot::lines("p [first < 1 && second < 2]", 20),
            "p [first &lt; 1<br align=\"left\"/>  &amp;&amp; second &lt; 2]<br align=\"left\"/>");
  EXPECT_EQ(dot::lines("averylongwordwithoutablank next", 10),
            "averylongwordwithoutablank<br align=\"left\"/>  next<br align=\"left\"/>");
  EXPECT_EQ(dot::lines("", 10), "");
}

TEST(DotText, NoLetterIsLostInBreakingLines) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += std::string(static_cast<std::size_t>(i * 7 % 13 + 1), static_cast<char>('a' + i % 26));
    text += i % 5 == 0 ? "; " : i % 7 == 0 ? " || " : " ";
  }
  for (std::size_t width = 1; width < 40; ++width) {
    const std::string broken = dot::lines(text, width);
    std::string letters;
    for (std::size_t i = 0; i < broken.size(); ++i)
      if (broken[i] == '<')
        i = broken.find('>', i);
      else
        letters += broken[i];
    std::string expected = text;
    std::erase(letters, ' ');
    std::erase(expected, ' ');
    EXPECT_EQ(letters, expected) << width;
  }
}

TEST(Dot, DrawsComponentsInCompoundsAndEachTypeOnce) {
  Model model;
  model.name = "lights";
  model.top = "Top";
  add_component(model, "left.deep.a", "T", {"S", "E"}, {}, {"p"});
  add_component(model, "b", "T", {"S", "E"}, {}, {"p"});
  for (Model::Component& component : model.components) component.transitions.push_back({{}, 0, 0, 1, nullptr, {}});
  model.interactions.push_back(interaction("c", {{0, 0}, {1, 0}}));
  const std::string text = to_dot(model);
  EXPECT_EQ(objection(text), "");
  for (const std::string part : {"label=\"Top\"", "label=\"left\"", "label=\"deep\"", "<b>a</b>: T", "<b>b</b>: T",
                                 "label=\"c\"", "label=\"atom T\"", "c0:p0:s -> k0", "k0 -> c1:p0:n", "t0_0 -> t0_1"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  EXPECT_EQ(text.find("label=\"atom T\""), text.rfind("label=\"atom T\""));
  // Parameters make the components different.
  model.components[1].transitions[0].to = 0;
  EXPECT_TRUE(contains(to_dot(model), "label=\"atom T (with the values of left.deep.a)\""));
}

TEST(Dot, APortThatIsNotExportedHasNoConnectorButMayGiveWay) {
  Model model = four_components();
  model.components[0].ports[1].is_exported = false;
  model.interactions.push_back(interaction("a.q", {{0, 1}}));
  model.interactions.push_back(interaction("c", {{1, 0}, {2, 0}}));
  Model::Priority priority;
  priority.low = 0;
  priority.high = 1;
  priority.place = {3, 1};
  model.priorities.push_back(std::move(priority));
  const std::string text = to_dot(model);
  EXPECT_EQ(objection(text), "");
  EXPECT_TRUE(contains(text, "<i>q</i>"));
  EXPECT_FALSE(contains(text, "k0 "));
  EXPECT_TRUE(contains(text, "c0:p1 -> k1 [style=dotted"));
}

TEST(Dot, TellsWhatItsLinesMeanOnlyWhereThereAreSuch) {
  Model model = four_components();
  model.interactions.push_back(interaction("c", {{1, 0}, {2, 0}}));
  EXPECT_TRUE(contains(to_dot(model), "  label=\"\";"));
  model.interactions.push_back(interaction("c", {{1, 0}}));
  EXPECT_TRUE(contains(to_dot(model), "  label=\"triangle: trigger   dashed: not in all interactions\";"));
}

TEST(Dot, OddNamesAreEscaped) {
  const std::vector<std::string> names = {"\"",   "\\", "\\N",  "<b>",      "a&b", "&amp;", "{x|y}", "a\nb",    "}",
                                          "end]", "é",  "node", "subgraph", "-->", "a;b",   "'",     "\x01\xff"};
  for (const std::string& name : names) {
    Model model;
    model.name = model.top = name;
    add_component(model, name, name, {name, "S"}, {}, {name, "q"});
    add_component(model, "x." + name, "T", {name}, {}, {name});
    model.interactions.push_back(interaction(name, {{0, 0}, {1, 0}}));
    model.interactions.push_back(interaction(name + "2", {{0, 1}}));
    Model::Priority priority;
    priority.high = 1;
    priority.place = {3, 1};
    priority.condition = std::make_unique<Expression>();
    priority.condition->kind = Expression::Kind::Name;
    priority.condition->name = name;
    model.components[0].transitions.push_back({{}, 0, 0, 1, clone(*priority.condition), {}});
    model.priorities.push_back(std::move(priority));
    EXPECT_EQ(objection(to_dot(model)), "") << name;
  }
}

TEST(Dot, AModelWithoutInteractionsIsDrawn) {
  Model model;
  EXPECT_EQ(objection(to_dot(model)), "");
  add_component(model, "a", "T", {"S"}, {});
  EXPECT_EQ(objection(to_dot(model)), "");
}

}  // namespace
}  // namespace plumb::bip
