#include "lang/bip/syntax/parser.h"

#include <gtest/gtest.h>

#include "unit/lang/bip/parse.h"

namespace plumb::bip {
namespace {

TEST(BipParser, ReadsAllDeclarationsOfAnAtom) {
  const Package package = parse(kEveryConstruct);
  EXPECT_EQ(package.name.text, "my.lights");
  ASSERT_EQ(package.constants.size(), 3U);
  EXPECT_EQ(to_text(*package.constants[1].init), "N + 1");
  ASSERT_EQ(package.atom_types.size(), 1U);
  const AtomType& timer = package.atom_types[0];
  EXPECT_EQ(timer.name.text, "Timer");
  EXPECT_EQ(timer.name.place, (Place{9, 13}));
  ASSERT_EQ(timer.parameters.size(), 2U);
  EXPECT_EQ(timer.parameters[1].type, Type::Bool);
  ASSERT_EQ(timer.data.size(), 3U);
  EXPECT_EQ(to_text(*timer.data[0].init), "start * 2");
  EXPECT_EQ(timer.data[1].init, nullptr);
  EXPECT_FALSE(timer.data[1].is_exported);
  EXPECT_TRUE(timer.data[2].is_exported);
  ASSERT_EQ(timer.ports.size(), 5U);
  EXPECT_EQ(timer.ports[0].exported_as, "beat");
  EXPECT_EQ(timer.ports[1].exported_as, "beat");
  EXPECT_EQ(timer.ports[2].exported_as, "done");
  EXPECT_FALSE(timer.ports[3].is_exported);
  EXPECT_EQ(timer.ports[3].type.text, "Sync");
  ASSERT_EQ(timer.ports[4].data.size(), 2U);
  EXPECT_EQ(timer.places.size(), 2U);
  EXPECT_EQ(timer.initial_place.text, "S0");
  EXPECT_EQ(to_text(timer.initial_action), "t = 0; n = start; is_on = ON;");
}

TEST(BipParser, ReadsTransitionsInTheirOrder) {
  const Package package = parse(kEveryConstruct);
  const auto& transitions = package.atom_types[0].transitions;
  ASSERT_EQ(transitions.size(), 6U);
  EXPECT_EQ(transitions[0].place, (Place{18, 5}));
  EXPECT_EQ(to_text(*transitions[0].guard), "t < n && !fast");
  EXPECT_EQ(to_text(transitions[1].action), "t = 0; n = n + 1; n = n - 1; n = n + 2; n = n << 1;");
  EXPECT_EQ(transitions[2].guard, nullptr);
  EXPECT_EQ(transitions[2].from.text, "S1");
  EXPECT_EQ(transitions[2].to.text, "S0");
  EXPECT_EQ(to_text(transitions[3].action),
            "if (t == 0) { t = 1; } else { if (t > 3) { t = 2; n = -1; } } "
            "if (is_on) { t = 5; n = 0; } else { n = 6; }");
  EXPECT_FALSE(transitions[4].port.has_value());
  EXPECT_EQ(to_text(transitions[4].action), "t = 16;");
}

TEST(BipParser, ReadsPrioritiesOfAtoms) {
  const Package package = parse(kEveryConstruct);
  const auto& priorities = package.atom_types[0].priorities;
  ASSERT_EQ(priorities.size(), 2U);
  EXPECT_EQ(priorities[0].low->text, "tick");
  EXPECT_EQ(priorities[0].high->text, "done");
  EXPECT_EQ(to_text(*priorities[0].guard), "n > 0");
  EXPECT_FALSE(priorities[1].low.has_value());
  EXPECT_EQ(to_text(*priorities[1].guard), "ON");
}

TEST(BipParser, ReadsConnectorTypes) {
  const Package package = parse(kEveryConstruct);
  ASSERT_EQ(package.connector_types.size(), 3U);
  const ConnectorType& pass = package.connector_types[0];
  EXPECT_EQ(pass.ports.size(), 3U);
  EXPECT_EQ(pass.data.size(), 2U);
  EXPECT_EQ(pass.exported->name.text, "out");
  ASSERT_EQ(pass.define.group.size(), 2U);
  EXPECT_TRUE(pass.define.group[0].is_trigger);
  EXPECT_EQ(pass.define.group[0].group.size(), 2U);
  EXPECT_FALSE(pass.define.group[1].is_trigger);
  EXPECT_EQ(pass.define.group[1].port->text, "c");
  ASSERT_EQ(pass.interactions.size(), 2U);
  EXPECT_EQ(to_text(*pass.interactions[0].guard), "a.v != b.v");
  EXPECT_EQ(to_text(pass.interactions[0].up), "x = a.v;");
  EXPECT_EQ(to_text(pass.interactions[0].down), "a.v = x; b.v = y;");
  EXPECT_EQ(pass.interactions[1].ports.size(), 3U);
  EXPECT_EQ(package.connector_types[2].interactions[0].ports.size(), 2U);
}

TEST(BipParser, ReadsCompoundTypes) {
  const Package package = parse(kEveryConstruct);
  ASSERT_EQ(package.compound_types.size(), 2U);
  const CompoundType& inner = package.compound_types[0];
  ASSERT_EQ(inner.components.size(), 3U);
  EXPECT_EQ(inner.components[1].type.text, "Timer");
  EXPECT_EQ(to_text(*inner.components[1].arguments[0]), "k + N");
  ASSERT_EQ(inner.connectors.size(), 3U);
  EXPECT_EQ(inner.connectors[2].ports[0].text, "c.out");
  ASSERT_EQ(inner.priorities.size(), 2U);
  EXPECT_EQ(inner.priorities[0].low.ports->size(), 2U);
  EXPECT_EQ(inner.priorities[0].high.connector->text, "e");
  EXPECT_FALSE(inner.priorities[0].high.ports.has_value());
  EXPECT_FALSE(inner.priorities[1].low.connector.has_value());
  EXPECT_EQ(to_text(*inner.priorities[1].guard), "p.is_on && k > 0");
  ASSERT_EQ(inner.port_exports.size(), 2U);
  EXPECT_EQ(inner.port_exports[0].inner.size(), 2U);
  EXPECT_EQ(inner.port_exports[0].name.text, "o");
  ASSERT_EQ(inner.data_exports.size(), 1U);
  EXPECT_EQ(inner.data_exports[0].inner[0].text, "p.is_on");
}

TEST(BipParser, TheTopComponentHasArgumentsWithTypes) {
  const ComponentDeclaration plain = parse_top("Top");
  EXPECT_EQ(plain.type.text, "Top");
  EXPECT_TRUE(plain.arguments.empty());
  EXPECT_TRUE(parse_top(" Top ( ) ").arguments.empty());
  const ComponentDeclaration top = parse_top("Top(1, -2, 1 < 2, true)");
  ASSERT_EQ(top.arguments.size(), 4U);
  EXPECT_EQ(top.arguments[1]->kind, Expression::Kind::Number);
  EXPECT_EQ(top.arguments[1]->number, -2);
  EXPECT_EQ(top.arguments[2]->type, Type::Bool);
  EXPECT_EQ(top.arguments[3]->type, Type::Bool);
}

std::string top_error_of(std::string_view text) {
  try {
    parse_top(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BipParser, ATopComponentThatIsWrongIsQuoted) {
  EXPECT_EQ(top_error_of("Top(1"),
            "error: in the top component 'Top(1': expected ')' to close the arguments, found the "
            "end of the text");
  EXPECT_EQ(top_error_of("Top(x)"),
            "error: in the top component 'Top(x)': 'x' is no value\n  hint: arguments are of "
            "numbers, true and false");
  EXPECT_EQ(top_error_of(""),
            "error: in the top component '': expected the name of a compound type, found the end of "
            "the text");
  EXPECT_EQ(top_error_of("Top() x"), "error: in the top component 'Top() x': expected nothing more, found 'x'");
  EXPECT_EQ(top_error_of("Top(1 + true)"),
            "error: in the top component 'Top(1 + true)': '+' needs ints, but 'true' is "
            "a bool\n  hint: 'b ? 1 : 0' makes an int of a bool");
}

}  // namespace
}  // namespace plumb::bip
