#include "lang/bip/property/property.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "lang/bip/property/resolve.h"
#include "unit/lang/bip/property/small_model.h"

namespace plumb::bip {
namespace {

using hand_made::small_model;

std::string expanded(const std::string& text) {
  const Model model = small_model();
  const Property property = parse_property(model, text, {});
  EXPECT_EQ(property.kind, Property::Kind::Invariant);
  return to_text(*property.condition->expression);
}

struct Mistake {
  std::string text;
  std::uint32_t column;
  std::string message;
  std::string hint;
};

void expect_mistake(const Mistake& mistake) {
  const Model model = small_model();
  try {
    parse_properties(model, mistake.text, {"p.txt", 7, 3});
    ADD_FAILURE() << "read: " << mistake.text;
  } catch (const UserError& error) {
    EXPECT_EQ(error.location().file, "p.txt") << mistake.text;
    EXPECT_EQ(error.location().line, 7U) << mistake.text;
    EXPECT_EQ(error.location().column, mistake.column + 2) << mistake.text << "\n" << error.what();
    EXPECT_NE(error.message().find(mistake.message), std::string::npos) << mistake.text << "\n" << error.what();
    EXPECT_NE(error.hint().find(mistake.hint), std::string::npos) << mistake.text << "\n" << error.what();
  }
}

TEST(Property, AnUnknownNameIsPointedAtWithANearOne) {
  const std::vector<Mistake> mistakes = {
      {"tmer.t <= 3", 1, "there is no component 'tmer'", "did you mean 'timer'?"},
      {"timer.t <= timer.m", 18, "component 'timer' has no variable 'm'", "it has: t, n, place"},
      {"timer.tt <= 3", 7, "component 'timer' has no variable 'tt'", "did you mean 't'?"},
      {"timer.t.x <= 3", 7, "component 'timer' has no variable 't'", ""},
      {"left.t <= 3", 1, "'left' is a compound", "left.timer"},
      {"left.timr.t <= 3", 1, "there is no component 'left.timr'", "did you mean 'left.timer'?"},
      {"timer.done == 3", 7, "'done' is a port of component 'timer'", "variables and places"},
      {"light.G", 7, "'G' is a place of component 'light'", "write 'light.place == G'"},
      {"light.place == Green", 16, "component 'light' has no place 'Green'", "its places: G, Y, R"},
      {"client1.place == IDEL", 18, "component 'client1' has no place 'IDEL'", "did you mean 'IDLE'?"},
      {"c1.tmp == 0", 1, "there is no component 'c1'", ""},
      {"t <= 3", 1, "unknown name 't'", "did you mean 'timer.t'?"},
      {"3 <= M", 6, "unknown name 'M'", "components, constants and variables: timer"},
      {"DONE", 1, "'DONE' is a place", "write 'client1.place == DONE'"},
      {"forall c in Clint: c.b", 13, "there is no atom of type 'Clint'", "did you mean 'Client'?"},
      {"forall c in cleint*: c.b", 13, "no component's name fits 'cleint*'", "components: timer, light"},
      {"exists c in Client: c.w == 3", 23, "component 'client1' has no variable 'w'", "it has: v, b, place"},
      {"forall c in *: c.t == 0", 18, "component 'light' has no variable 't'", ""},
      {"forall c in Client: d.b", 21, "there is no component 'd'", ""},
      {"forall c in Client: c.v.w == 0", 23, "component 'client1' has no variable 'v'", ""},
  };
  for (const Mistake& mistake : mistakes) expect_mistake(mistake);
}

TEST(Property, WhatIsNoPropertyIsPointedAt) {
  const std::vector<Mistake> mistakes = {
      {"timer.t", 1, "a property is an int, but a bool is needed", "!= 0"},
      {"timer.t && true", 1, "'&&' needs bools", "timer.t != 0"},
      {"!timer.t", 2, "'!' needs a bool", "timer.t == 0"},
      {"forall c in Client: c.v", 21, "the body of a quantifier is an int", "!= 0"},
      {"client1.b == 1", 14, "'==' compares a bool with an int", ""},
      // Although no two timers of this name exist, both sides of => are read.
      {"forall a, b in left.timer: a != b => a.t", 38, "'=>' needs bools", ""},
      {"timer.t == 128", 12, "128 does not fit an int of 8 bits", "--bits"},
      {"timer.t == -129", 12, "-129 does not fit an int of 8 bits", "--bits"},
      {"timer.t = 3", 9, "'=' assigns", "=="},
      {"light.place", 1, "'light.place' can only be compared with places", "write 'light.place == G'"},
      {"light.place == 1", 1, "'light.place' can only be compared with places", ""},
      {"1 == light.place", 6, "'light.place' can only be compared with places", ""},
      {"light.place + 1 == 2", 1, "'light.place' can only be compared with places", ""},
      {"light.place < G", 1, "'light.place' can only be compared with places", ""},
      {"light.place == light.m", 1, "'light.place' can only be compared with places", ""},
      {"light.place == client1.place", 16, "'light' is of type 'Light' and 'client1' of type 'Client'", ""},
      {"light", 1, "component 'light' can only be compared with components", "its place"},
      {"light == 3", 1, "component 'light' can only be compared with components", ""},
      {"forall c in Client: c == IDLE", 21, "component 'client1' can only be compared with components", ""},
      {"forall c in Client: 3 == c", 26, "component 'client1' can only be compared with components", ""},
      {"forall c in Client: c < c", 21, "component 'client1' can only be compared with components", ""},
      {"forall c, c in Client: c.b", 11, "'c' is the variable of a quantifier already", ""},
      {"forall c in Client: exists c in Client: c.b", 28, "'c' is the variable of a quantifier already", ""},
      {"forall in Client: true", 8, "expected the variable of a quantifier", "forall a, b in Client"},
      {"forall c Client: true", 10, "expected 'in'", ""},
      {"forall c in : true", 13, "expected a family of components", "atm*"},
      {"forall c in Client c.b", 20, "expected ':'", ""},
      {"forall c in Client:", 20, "expected", ""},
      {"(forall c in Client: c.b) && c.b", 30, "the quantifier over 'c' has ended", "closing parenthesis"},
      {"client1.b client2.b", 11, "expected the end of the property", ""},
      {"client1.b &&", 13, "expected", ""},
      {"", 1, "expected", ""},
      {"name:", 6, "expected", ""},
      {"a name: client1.x", 17, "component 'client1' has no variable 'x'", ""},
      {"client1. == 3", 10, "expected a name behind '.'", ""},
      {"client1.b && deadlock", 14, "'deadlock' is no condition", "alone on its line"},
      {"pre client1.b", 1, "'pre' is one side of a contract", ""},
      {"client1.b leads client2.b", 17, "expected 'to'", ""},
      {"client1.b leads to client2.b", 29, "expected 'within'", "'within 5'"},
      {"client1.b leads to client2.b within client3.v", 37, "expected a number of interactions", ""},
      {"client1.b leads to client2.b within 1000000001", 37, "1000000001 interactions are too many", ""},
      {"client1.b leads to client2.b within 3 4", 39, "expected the end of the property", ""},
      {"client1.v leads to client2.b within 3", 1, "a property is an int", ""},
      {"client1.b leads to client2.v within 3", 20, "a property is an int", ""},
      {"invariant client1.b leads to client2.b within 3", 21, "an invariant does not lead", "leave out"},
      {"exists c in Client: c.b leads to client1.b within 3", 25, "'leads to' cannot be in the body", "parentheses"},
      {"(forall c in Client: c.b) leads to c.b within 3", 36, "the quantifier over 'c' has ended", "'leads to'"},
      {"client1.b \" 3", 11, "", ""},
  };
  for (const Mistake& mistake : mistakes) expect_mistake(mistake);
}

TEST(Property, QuantifiersAreExpanded) {
  EXPECT_EQ(expanded("forall c in Client: c.v >= 0"), "client1.v >= 0 && client2.v >= 0 && client3.v >= 0");
  EXPECT_EQ(expanded("exists c in client?: c.b"), "client1.b || client2.b || client3.b");
  EXPECT_EQ(expanded("exists c in client2: c.b"), "client2.b");
  EXPECT_EQ(expanded("forall t in left.*: t.t <= t.n"),
            "left.timer.t <= left.timer.n && left.inner.timer.t <= left.inner.timer.n");
  EXPECT_EQ(expanded("forall t in Timer: t.t <= N"), "timer.t <= 4 && left.timer.t <= 4 && left.inner.timer.t <= 4");
  EXPECT_EQ(expanded("forall t in *.inner.t*: t.t < 3"), "left.inner.timer.t < 3");
  EXPECT_EQ(expanded("forall a, b in client*: a != b => a.v == b.v"),
            "client1.v == client2.v && client1.v == client3.v && client2.v == client1.v && "
            "(client2.v == client3.v && client3.v == client1.v && client3.v == client2.v)");
  EXPECT_EQ(expanded("forall a in Client, t in left.timer: a.v == t.t"),
            "client1.v == left.timer.t && client2.v == left.timer.t && client3.v == left.timer.t");
  EXPECT_EQ(expanded("exists a in Client: forall b in Client: a == b || a.v > b.v"),
            "client1.v > client2.v && client1.v > client3.v || client2.v > client1.v && client2.v > client3.v || "
            "client3.v > client1.v && client3.v > client2.v");
}

TEST(Property, TheBodyOfAQuantifierGoesAsFarAsItCan) {
  EXPECT_EQ(expanded("light.m == 0 && exists c in client?: c.b || c.v == 1 => light.m == 2"),
            expanded("light.m == 0 && (exists c in client?: ((c.b || c.v == 1) => light.m == 2))"));
  EXPECT_EQ(expanded("(exists c in client1: c.b) || light.m == 0"), "client1.b || light.m == 0");
  EXPECT_EQ(expanded("!exists c in client1: c.b || c.v == 0"), "!(client1.b || client1.v == 0)");
}

TEST(Property, NamesWithDotsAreComponentsFirst) {
  EXPECT_EQ(expanded("left.timer.t == left.inner.timer.n && timer.t == 0"),
            "left.timer.t == left.inner.timer.n && timer.t == 0");
  EXPECT_EQ(expanded("forall c in Client: c == client2 => c.b"), "client2.b");
  EXPECT_EQ(expanded("exists t in Timer: t != timer && t != left.inner.timer && t.t == 1"), "left.timer.t == 1");
}

TEST(Property, AQuantifiersVariableHidesAComponent) {
  EXPECT_EQ(expanded("forall timer in left.timer: timer.t == 0"), "left.timer.t == 0");
}

TEST(Property, PlacesAreNumbersInTheirComponent) {
  EXPECT_EQ(expanded("light.place == R"), "light.place == 2");
  EXPECT_EQ(expanded("Y != light.place"), "light.place != 1");
  EXPECT_EQ(expanded("forall c in Client: c.place == IDLE"),
            "client1.place == 0 && client2.place == 0 && client3.place == 0");
  // A constant has the same name.
  EXPECT_EQ(expanded("client1.place == WAIT && client1.v == WAIT"), "client1.place == 1 && client1.v == 7");
  EXPECT_EQ(expanded("timer.place == left.timer.place"), "timer.place == 0 && left.timer.place == 0");
  EXPECT_EQ(expanded("client1.place != client2.place"),
            "!(client1.place == 0 && client2.place == 0 || client1.place == 1 && client2.place == 1 || "
            "client1.place == 2 && client2.place == 2)");
  EXPECT_EQ(expanded("forall a in client1: a.place == a.place"), "true");
}

TEST(Property, PlacesHaveVariablesBehindThoseOfTheModel) {
  const Model model = small_model();
  const Property property = parse_property(model, "light.place == R", {});
  const Expression& comparison = *property.condition->expression;
  EXPECT_EQ(comparison.operands[0]->variable, model.variables.size() + 1);
  EXPECT_EQ(comparison.operands[0]->type, Type::Int);
  EXPECT_EQ(comparison.operands[1]->kind, Expression::Kind::Number);
  EXPECT_EQ(comparison.operands[1]->number, 2);
  EXPECT_EQ(comparison.type, Type::Bool);
}

TEST(Property, ConstantsOfThePackageAreReplaced) {
  EXPECT_EQ(expanded("timer.t <= N && (FAST == client1.b)"), "timer.t <= 4 && true == client1.b");
  EXPECT_EQ(expanded("FAST => client1.b"), "client1.b");
}

TEST(Property, NumbersReachFromTheLeastToTheGreatestInt) {
  EXPECT_EQ(expanded("timer.t >= -128 && timer.t <= 127"), "timer.t >= -128 && timer.t <= 127");
}

TEST(Property, ComponentsMayBeCalledLikeWordsOfTheLanguage) {
  Model model;
  for (const std::string name : {"forall", "exists", "pre", "post", "invariant", "leads", "deadlock", "in"})
    hand_made::add_component(model, name, "T", {"A"}, {"bool b"});
  const std::string text =
      "forall.b && exists.b && pre.b && post.b && invariant.b && leads.b && deadlock.b && in.b && deadlock.place == A";
  EXPECT_EQ(parse_property(model, text, {}).condition->text, text);
  EXPECT_EQ(parse_property(model, "pre.b leads to post.b within 2", {}).within, 2U);
  EXPECT_EQ(parse_property(model, "invariant.b", {}).condition->text, "invariant.b");
  EXPECT_EQ(parse_property(model, "invariant invariant.b", {}).condition->text, "invariant.b");
}

TEST(Property, NamesStandBeforeAColon) {
  const Model model = small_model();
  EXPECT_EQ(parse_property(model, "no-waste.1 : invariant client1.b", {}).name, "no-waste.1");
  EXPECT_EQ(parse_property(model, "  in  time: client1.b", {}).name, "in time");
  EXPECT_EQ(parse_property(model, "one exists: exists c in Client: c.b", {}).name, "one exists");
  EXPECT_EQ(parse_property(model, "forall c in Client: c.b", {}).name, "invariant");
  EXPECT_EQ(parse_property(model, "invariant exists c in Client: c.b", {}).name, "invariant");
  EXPECT_EQ(parse_property(model, "client1.b", {}).name, "invariant");
  EXPECT_EQ(parse_property(model, "client1.b ? client2.b : client3.b", {}).name, "invariant");
  EXPECT_EQ(parse_property(model, "client1.b leads to client2.b within 0", {}).name, "response");
  EXPECT_EQ(parse_property(model, " deadlock ", {}).kind, Property::Kind::Deadlock);
  EXPECT_EQ(parse_property(model, "alive: deadlock", {}).name, "alive");
}

TEST(Property, ItsTextIsAsWritten) {
  const Model model = small_model();
  const Property property =
      parse_property(model, "r: (forall c in Client:\n   c.b)   leads to  ( exists d in Client:d.b )  within 17", {});
  EXPECT_EQ(property.premise->text, "(forall c in Client: c.b)");
  EXPECT_EQ(property.condition->text, "( exists d in Client:d.b )");
}

TEST(Property, AResponseUnderForallIsOneForEachChoice) {
  const Model model = small_model();
  const auto found = parse_properties(
      model, "r: forall a in Client: forall b in client1, t in left.timer: a != b && t.t == 0 leads to a.b within 4",
      {});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "r (a = client1, b = client1, t = left.timer)");
  EXPECT_EQ(to_text(*found[0].premise->expression), "false");
  EXPECT_EQ(found[2].name, "r (a = client3, b = client1, t = left.timer)");
  EXPECT_EQ(to_text(*found[2].premise->expression), "left.timer.t == 0");
  EXPECT_EQ(to_text(*found[2].condition->expression), "client3.b");
  EXPECT_EQ(found[2].within, 4U);
  EXPECT_THROW(parse_property(model, "forall c in Client: c.b leads to !c.b within 4", {}), UserError);
  const Property one = parse_property(model, "(forall c in Client: c.b) leads to client1.v == 0 within 4", {});
  EXPECT_EQ(to_text(*one.premise->expression), "client1.b && client2.b && client3.b");
}

TEST(Property, WhatAQuantifierMakesIsLimited) {
  Model model;
  for (int i = 0; i < 60; ++i) hand_made::add_component(model, "c" + std::to_string(i), "C", {"A", "B"}, {"bool b"});
  const auto is_unsupported = [&](const std::string& text) {
    try {
      parse_properties(model, text, {});
      return false;
    } catch (const Unsupported&) {
      return true;
    }
  };
  EXPECT_FALSE(is_unsupported("forall a, b in C: a.b || b.b"));
  EXPECT_TRUE(is_unsupported("forall a, b, c in C: a.b || b.b || c.b"));
  EXPECT_TRUE(is_unsupported("forall a, b, c, d, e, f, g, h in C: true"));
  EXPECT_FALSE(is_unsupported("forall a in C: a.b leads to !a.b within 3"));
  EXPECT_TRUE(is_unsupported("forall a, b in C: a.b leads to !b.b within 3"));
}

TEST(Property, ALargeExpansionIsNotDeep) {
  Model model;
  for (int i = 0; i < 40'000; ++i) hand_made::add_component(model, "c" + std::to_string(i), "C", {"A"}, {"bool b"});
  const Property property = parse_property(model, "forall c in C: c.b", {});
  const std::function<int(const Expression&)> depth = [&](const Expression& e) {
    int most = 0;
    for (const ExpressionPtr& operand : e.operands) most = std::max(most, depth(*operand));
    return most + 1;
  };
  EXPECT_EQ(depth(*property.condition->expression), 17);
}

TEST(Property, AConditionHoldsWhereItsMeaningDoes) {
  Model model = small_model();
  model.bits = 3;
  using Meaning = std::function<bool(const State&)>;
  const auto v = [](const State& s, int client) { return s.values[static_cast<std::size_t>(3 + 2 * client)]; };
  const auto b = [](const State& s, int client) { return s.values[static_cast<std::size_t>(4 + 2 * client)] != 0; };
  const auto place = [](const State& s, int client) { return s.places[static_cast<std::size_t>(2 + client)]; };
  const auto all = [](auto claim) { return claim(0) && claim(1) && claim(2); };
  const auto any = [](auto claim) { return claim(0) || claim(1) || claim(2); };
  const std::vector<std::pair<std::string, Meaning>> cases = {
      {"forall x, y in Client: x != y => x.v != y.v",
       [&](const State& s) { return v(s, 0) != v(s, 1) && v(s, 0) != v(s, 2) && v(s, 1) != v(s, 2); }},
      {"exists x in Client: forall y in Client: x == y || x.place != y.place",
       [&](const State& s) {
         return any([&](int x) { return all([&](int y) { return x == y || place(s, x) != place(s, y); }); });
       }},
      {"forall x in Client: x.place == WAIT => exists y in Client: y != x && y.place == DONE && y.b",
       [&](const State& s) {
         return all([&](int x) {
           return place(s, x) != 1 || any([&](int y) { return y != x && place(s, y) == 2 && b(s, y); });
         });
       }},
      {"(client1.place == DONE ? 1 : 0) + (client2.place == DONE ? 1 : 0) + (client3.place == DONE ? 1 : 0) <= 1",
       [&](const State& s) { return (place(s, 0) == 2) + (place(s, 1) == 2) + (place(s, 2) == 2) <= 1; }},
      {"(client1.place == client2.place) != client3.b",
       [&](const State& s) { return (place(s, 0) == place(s, 1)) != b(s, 2); }},
      {"client1.v + client2.v >= 2", [&](const State& s) { return wrap(v(s, 0) + v(s, 1), 3) >= 2; }},
  };
  std::mt19937 random(7);
  for (const auto& [text, meaning] : cases) {
    const Property property = parse_property(model, text, {});
    int count = 0;
    for (int i = 0; i < 500; ++i) {
      State state;
      for (const Model::Component& component : model.components)
        state.places.push_back(static_cast<std::uint32_t>(random() % component.places.size()));
      for (const Model::Variable& variable : model.variables)
        state.values.push_back(variable.type == Type::Bool ? random() % 2 : wrap(random() % 8, 3));
      EXPECT_EQ(holds(model, *property.condition, state), meaning(state)) << text;
      count += meaning(state) ? 1 : 0;
    }
    EXPECT_GT(count, 0) << text;
    EXPECT_LT(count, 500) << text;
  }
}

TEST(Property, PlacesAreTheirOwnEvenIfThereAreMoreThanInts) {
  Model model;
  model.bits = 2;
  std::vector<std::string> places;
  for (int i = 0; i < 9; ++i) places.push_back("P" + std::to_string(i));
  hand_made::add_component(model, "a", "A", places, {});
  for (std::uint32_t i = 0; i < 9; ++i) {
    const Property property = parse_property(model, "a.place == P" + std::to_string(i), {});
    for (std::uint32_t j = 0; j < 9; ++j) EXPECT_EQ(holds(model, *property.condition, {{j}, {}}), i == j);
  }
}

TEST(Property, NamesThatAreTakenGetNumbers) {
  std::vector<Property> properties(7);
  const std::vector<std::string> names = {"invariant", "invariant", "x", "invariant 2", "invariant", "x", "x"};
  for (std::size_t i = 0; i < names.size(); ++i) properties[i].name = names[i];
  make_names_unique(properties);
  const std::vector<std::string> expected = {"invariant",   "invariant 3", "x",  "invariant 2",
                                             "invariant 4", "x 2",         "x 3"};
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(properties[i].name, expected[i]);
}

TEST(Property, CyclicPrioritiesAreAPropertyOnlyWhereTheyCanBe) {
  Model model = small_model();
  EXPECT_TRUE(default_properties(model, false).empty());
  ASSERT_EQ(default_properties(model, true).size(), 1U);
  EXPECT_EQ(default_properties(model, true)[0].kind, Property::Kind::Deadlock);
  model.priority_cycles.push_back(std::make_unique<Expression>());
  const auto both = default_properties(model, true);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1].kind, Property::Kind::Priorities);
  EXPECT_EQ(both[1].name, "acyclic priorities");
}

TEST(Pattern, FitsAsItsDefinitionSays) {
  const std::function<bool(std::string_view, std::string_view)> meaning = [&](std::string_view p, std::string_view n) {
    if (p.empty()) return n.empty();
    if (p[0] == '*') return meaning(p.substr(1), n) || (!n.empty() && meaning(p, n.substr(1)));
    return !n.empty() && (p[0] == '?' || p[0] == n[0]) && meaning(p.substr(1), n.substr(1));
  };
  const std::function<void(std::string, std::string_view, std::size_t, const std::function<void(const std::string&)>&)>
      words = [&](const std::string& word, std::string_view letters, std::size_t length, const auto& take) {
        take(word);
        if (length > 0)
          for (const char letter : letters) words(word + letter, letters, length - 1, take);
      };
  words("", "ab*?", 4, [&](const std::string& pattern) {
    words("", "ab", 5, [&](const std::string& name) {
      EXPECT_EQ(fits(pattern, name), meaning(pattern, name)) << pattern << " " << name;
    });
  });
}

}  // namespace
}  // namespace plumb::bip
