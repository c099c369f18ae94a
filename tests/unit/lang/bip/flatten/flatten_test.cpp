#include "lang/bip/flatten/flatten.h"

#include <gtest/gtest.h>

#include "unit/lang/bip/flatten/model_text.h"

namespace plumb::bip {
namespace {

constexpr std::string_view kTrafficLight = R"(package lights
  port type Sync()
  port type Int(int v)
  const data int LONG = 10
  atom type Timer(int start)
    data int t, n
    export port Sync tick()
    export port Int done(n)
    place S0
    initial to S0 do { t = 0; n = start; }
    on tick from S0 to S0 provided (t < n) do { t = t + 1; }
    on done from S0 to S0 provided (t >= n) do { t = 0; }
  end
  atom type Light()
    data int m = LONG - 7
    export port Int done(m)
    place G, Y, R
    initial to G
    on done from G to Y do { m = 5; }
    on done from Y to R do { m = LONG; }
    on done from R to G do { m = 3; }
  end
  connector type Single(Sync a)
    define a
  end
  connector type Pass(Int a, Int b)
    define a b
    on a b provided (a.v != b.v) down { a.v = b.v; }
  end
  compound type Top()
    component Timer timer(10)
    component Light light()
    connector Single c0(timer.tick)
    connector Pass c1(timer.done, light.done)
    priority p1 c0:timer.tick < c1:timer.done,light.done
  end
end
)";

TEST(Flatten, BindsTheNamesOfTheTrafficLight) {
  const Model model = read_text(kTrafficLight);
  EXPECT_EQ(components_of(model),
            "timer : Timer starts in S0 {timer.t = 0; timer.n = 10;}\n"
            "  tick S0->S0 [timer.t < timer.n] {timer.t = timer.t + 1;}\n"
            "  done S0->S0 [timer.t >= timer.n] {timer.t = 0;}\n"
            "light : Light starts in G {light.m = 3;}\n"
            "  done G->Y [true] {light.m = 5;}\n"
            "  done Y->R [true] {light.m = 10;}\n"
            "  done R->G [true] {light.m = 3;}\n");
  EXPECT_EQ(interactions_of(model),
            "c0:timer.tick\n"
            "c1:timer.done,light.done [timer.n != light.m] down {timer.n = light.m;}\n");
  EXPECT_EQ(priorities_of(model), "c0:timer.tick < c1:timer.done,light.done\n");
  EXPECT_EQ(model.priorities.at(0).place.line, 35u);
  EXPECT_EQ(model.top, "Top");
  EXPECT_EQ(model.name, "lights");
  ASSERT_EQ(model.constants.size(), 1u);
  EXPECT_EQ(model.constants[0].value, 10);
  EXPECT_EQ(model.find_component("light"), 1u);
  EXPECT_EQ(model.find_variable("light.m"), 2u);
  EXPECT_EQ(model.find_variable("light.x"), std::nullopt);
  EXPECT_EQ(model.component_variables(), 3u);
}

/// `first` goes through two compounds, with arithmetic on the way.
constexpr std::string_view kNested = R"(
  compound type Pair(int first, bool flag)
    component Cell low(first), high(flag ? first + 2 : 0)
    connector Join j(low.put, high.put)
  end
  compound type Tops(int n)
    component Pair left(n, true), right(n * 2, false)
  end
  connector type Join(Int a, Int b)
    define a b
    on a b down { a.v = b.v; }
  end)";

TEST(Flatten, ParametersAreConstantsInNestedCompounds) {
  Options options;
  options.top = "Tops(-3)";
  const Model model = read_text(with_types(kNested), options);
  EXPECT_EQ(model.top, "Tops(-3)");
  std::vector<std::string> starts;
  for (const Model::Component& component : model.components)
    starts.push_back(component.name + ": " + text_of(model, component.initial_action));
  EXPECT_EQ(starts, (std::vector<std::string>{
                        "left.low: left.low.x = -3; left.low.b = true; left.low.hidden = 0;",
                        "left.high: left.high.x = -1; left.high.b = true; left.high.hidden = 0;",
                        "right.low: right.low.x = -6; right.low.b = true; right.low.hidden = 0;",
                        "right.high: right.high.x = 0; right.high.b = true; right.high.hidden = 0;",
                    }));
  EXPECT_EQ(interactions_of(model),
            "left.j:left.low.put,left.high.put down {left.low.x = left.high.x;}\n"
            "right.j:right.low.put,right.high.put down {right.low.x = right.high.x;}\n");
}

TEST(Flatten, TheLastCompoundThatNoOtherContainsIsTheTop) {
  const std::string text = with_types(
      "compound type First()\ncomponent A a()\nconnector One c(a.p)\nend\n"
      "compound type Second()\ncomponent Inner i()\nend\n"
      "compound type Inner()\ncomponent A b()\nconnector One c(b.p)\nend\n");
  std::vector<Warning> warnings;
  EXPECT_EQ(read_text(text, warnings).top, "Second");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].location.line, kFirstLine + 4);
  EXPECT_NE(warnings[0].message.find("--top"), std::string::npos);
  Options options;
  options.top = "First";
  EXPECT_EQ(read_text(text, options).top, "First");
}

TEST(Flatten, ATriggerMakesABroadcastWithMaximalProgress) {
  const Model model =
      read_text(with_types("compound type Top()\ncomponent A s(), r1(), r2()\n"
                           "connector Cast c(s.p, r1.p, r2.p)\nend"));
  EXPECT_EQ(interactions_of(model), "c:s.p\nc:s.p,r1.p\nc:s.p,r2.p\nc:s.p,r1.p,r2.p\n");
  EXPECT_EQ(priorities_of(model),
            "c:s.p < c:s.p,r1.p\nc:s.p < c:s.p,r1.p,r2.p\nc:s.p < c:s.p,r2.p\n"
            "c:s.p,r1.p < c:s.p,r1.p,r2.p\nc:s.p,r2.p < c:s.p,r1.p,r2.p\n");
}

constexpr std::string_view kMaximum = R"(
  connector type Max(Int a, Int b)
    data int m
    export port Int e(m)
    define a b
    on a b provided (a.v != b.v) up { m = a.v > b.v ? a.v : b.v; } down { a.v = m; b.v = m; }
  end
  connector type Sum(Int a, Int b)
    data int s
    define a b
    on a b provided (a.v > 0) up { s = a.v + b.v; } down { a.v = s; b.v = s; }
  end
)";

TEST(Flatten, ConnectorsOfConnectorsMoveDataUpAndDown) {
  const Model model = read_text(with_types(std::string(kMaximum) + R"(
  compound type Top()
    component Cell a(1), b(2), c(3), d(4)
    connector Sum top(left.e, right.e)
    connector Max left(a.put, b.put), right(c.put, d.put)
  end)"));
  EXPECT_EQ(interactions_of(model),
            "top:a.put,b.put,c.put,d.put"
            " [a.x != b.x] {left.m = a.x > b.x ? a.x : b.x;}"
            " [c.x != d.x] {right.m = c.x > d.x ? c.x : d.x;}"
            " [left.m > 0] {top.s = left.m + right.m;}"
            " down {left.m = top.s; right.m = top.s; c.x = right.m; d.x = right.m; a.x = left.m; b.x = left.m;}\n");
  std::vector<std::string> temporaries;
  for (const VariableId variable : model.interactions.at(0).temporaries) {
    EXPECT_EQ(model.variables.at(variable).component, kNone);
    EXPECT_GE(variable, model.component_variables());
    temporaries.push_back(model.variables.at(variable).name);
  }
  EXPECT_EQ(temporaries, (std::vector<std::string>{"top.s", "left.m", "right.m"}));
}

TEST(Flatten, MergedPortsAreAlternatives) {
  const Model model = read_text(with_types(R"(
  atom type Either()
    data int i, j
    export port Int r(i) as any
    export port Int s(j) as any
    place S
    initial to S do { i = 0; j = 0; }
    on r from S to S
    on s from S to S
  end
  compound type Box()
    component Cell a(1), b(2)
    export port a.put, b.put as out
    export data b.x as level
  end
  connector type Move(Int a, Int b)
    define a b
    on a b down { a.v = b.v; }
  end
  connector type Sole(Int a)
    define a
  end
  compound type Top()
    component Either e()
    component Box box()
    connector Move m(e.any, box.out)
    connector Sole s(box.out)
    priority o provided (box.level > 1) m:* < s:box.out
    priority q m:e.r,box.a.put < m:e.s,box.b.put
  end)"));
  EXPECT_EQ(interactions_of(model),
            "m:e.r,box.a.put down {e.i = box.a.x;}\n"
            "m:e.r,box.b.put down {e.i = box.b.x;}\n"
            "m:e.s,box.a.put down {e.j = box.a.x;}\n"
            "m:e.s,box.b.put down {e.j = box.b.x;}\n"
            "s:box.a.put\n"
            "s:box.b.put\n");
  std::string expected;
  for (const char* low : {"m:e.r,box.a.put", "m:e.r,box.b.put", "m:e.s,box.a.put", "m:e.s,box.b.put"}) {
    if (std::string_view(low) == "m:e.r,box.a.put") expected += std::string(low) + " < m:e.s,box.b.put\n";
    for (const char* high : {"s:box.a.put", "s:box.b.put"})
      expected += fmt::format("{} < {} if box.b.x > 1\n", low, high);
  }
  EXPECT_EQ(priorities_of(model), expected);
}

/// What a compound offers through its connectors is filtered by its own priorities first, at each level.
TEST(Flatten, AnExportedConnectorOffersWhatIsMaximalInside) {
  const Model model = read_text(with_types(R"(
  connector type Out(Sync a, Sync b)
    export port Sync e()
    define a' b
  end
  compound type Inner()
    component A x(), y(), z()
    connector Out o(x.p, y.p)
    connector One z1(z.p)
    priority r o:* < z1:*
    export port o.e as e
  end
  compound type Middle()
    component Inner i()
    component A w()
    connector Out o(w.p, i.e)
    export port o.e as e
    export port i.e as direct
  end
  compound type Top()
    component Middle m()
    connector One c(m.e), d(m.direct)
  end)"));
  EXPECT_EQ(interactions_of(model),
            "- m.i.o:m.i.x.p\n"
            "- m.i.o:m.i.x.p,m.i.y.p\n"
            "m.i.z1:m.i.z.p\n"
            "- m.o:m.w.p\n"
            "- m.o:m.w.p,m.i.x.p needs m.i.o:m.i.x.p\n"
            "- m.o:m.w.p,m.i.x.p,m.i.y.p needs m.i.o:m.i.x.p,m.i.y.p\n"
            "c:m.w.p needs m.o:m.w.p\n"
            "c:m.w.p,m.i.x.p needs m.o:m.w.p,m.i.x.p\n"
            "c:m.w.p,m.i.x.p,m.i.y.p needs m.o:m.w.p,m.i.x.p,m.i.y.p\n"
            "d:m.i.x.p needs m.i.o:m.i.x.p\n"
            "d:m.i.x.p,m.i.y.p needs m.i.o:m.i.x.p,m.i.y.p\n");
  EXPECT_EQ(priorities_of(model),
            "c:m.w.p < c:m.w.p,m.i.x.p\n"
            "c:m.w.p < c:m.w.p,m.i.x.p,m.i.y.p\n"
            "c:m.w.p,m.i.x.p < c:m.w.p,m.i.x.p,m.i.y.p\n"
            "d:m.i.x.p < d:m.i.x.p,m.i.y.p\n"
            "m.i.o:m.i.x.p < m.i.o:m.i.x.p,m.i.y.p\n"
            "m.i.o:m.i.x.p < m.i.z1:m.i.z.p\n"
            "m.i.o:m.i.x.p,m.i.y.p < m.i.z1:m.i.z.p\n"
            "m.o:m.w.p < m.o:m.w.p,m.i.x.p\n"
            "m.o:m.w.p < m.o:m.w.p,m.i.x.p,m.i.y.p\n"
            "m.o:m.w.p,m.i.x.p < m.o:m.w.p,m.i.x.p,m.i.y.p\n");
}

/// The connector between a compound's port and the one that fires hides nothing.
TEST(Flatten, WhatIsMaximalInsideCountsThroughConnectorsOfTheSameCompound) {
  const Model model = read_text(with_types(R"(
  connector type Out(Sync a)
    export port Sync e()
    define a
  end
  compound type Box()
    component A a()
    connector Out o(a.p)
    export port o.e as e
  end
  compound type Top()
    component Box l(), r()
    connector Two both(x.e, y.e)
    connector Out x(l.e), y(r.e)
  end)"));
  EXPECT_EQ(interactions_of(model), "- l.o:l.a.p\n- r.o:r.a.p\nboth:l.a.p,r.a.p needs l.o:l.a.p needs r.o:r.a.p\n");
}

TEST(Flatten, PortsThatAreNotExportedAreInteractionsOfTheirOwn) {
  const Model model = read_text(with_types(R"(
  atom type Clock()
    data int t
    port Sync tick()
    export port Sync ring()
    place S
    initial to S do { t = 0; }
    on tick from S to S provided (t < 5) do { t = t + 1; }
    on ring from S to S
    internal from S to S provided (t > 9)
    priority first tick < ring provided (t > 2)
    priority second ring < tick provided (t <= 2)
  end
  compound type Top()
    component A a()
    component Clock clock()
    connector Two c(a.p, clock.ring)
  end)"));
  EXPECT_EQ(interactions_of(model), "clock.tick\nc:a.p,clock.ring\n");
  EXPECT_EQ(model.interactions.at(0).connector, "clock.tick");
  EXPECT_FALSE(model.components.at(1).ports.at(0).is_exported);
  EXPECT_EQ(components_of(model),
            "a : A starts in S {}\n  p S->S [true] {}\n"
            "clock : Clock starts in S {clock.t = 0;}\n"
            "  tick S->S [clock.t < 5] {clock.t = clock.t + 1;}\n"
            "  ring S->S [true] {}\n"
            "  internal S->S [clock.t > 9] {}\n"
            "  tick < ring [clock.t > 2]\n"
            "  ring < tick [clock.t <= 2]\n");
}

TEST(Flatten, InteractionsOfTheSamePortsHaveDifferentNames) {
  const Model model = read_text(with_types(R"(
  connector type Out(Sync a)
    export port Sync e()
    define a
  end
  compound type Box()
    component A a()
    connector Out x(a.p), y(a.p)
    export port x.e, y.e as e
  end
  compound type Top()
    component Box box()
    connector One c(box.e)
  end)"));
  EXPECT_EQ(interactions_of(model),
            "- box.x:box.a.p\n- box.y:box.a.p\nc:box.a.p needs box.x:box.a.p\nc:box.a.p/2 needs box.y:box.a.p\n");
}

TEST(Flatten, TheSmallestIntIsANumber) {
  const Model model =
      read_text(with_types("compound type Top()\ncomponent Cell a(-128)\nconnector Sole c(a.put)\nend\n"
                           "connector type Sole(Int a)\ndefine a\non a provided (a.v > -128)\nend"));
  EXPECT_EQ(interactions_of(model), "c:a.put [a.x > -128]\n");
}

TEST(Flatten, WarnsOfDivisorsThatMayBeZeroOnceParametersAreBound) {
  const auto warnings_for = [](std::string_view argument) {
    std::vector<Warning> warnings;
    read_text(
        with_types(fmt::format("atom type D(int n)\ndata int x\nexport port Sync p()\nplace S\n"
                               "initial to S do {{ x = 9 / n; }}\non p from S to S do {{ x = x % (n + 1); }}\nend\n"
                               "compound type Top()\ncomponent D d({})\nconnector One c(d.p)\nend",
                               argument)),
        warnings);
    std::string text;
    for (const Warning& warning : warnings)
      text += fmt::format("{}: {}\n", warning.location.line - kFirstLine, warning.message);
    return text;
  };
  EXPECT_EQ(warnings_for("3"), "");
  EXPECT_EQ(warnings_for("0"), "4: the divisor '0' is zero: then x / 0 is 0\n");
  EXPECT_EQ(warnings_for("-1"), "5: the divisor '-1 + 1' is zero: then x % 0 is x\n");
}

TEST(Flatten, WarnsOfExportedPortsThatNobodyUses) {
  std::vector<Warning> warnings;
  const Model model = read_text(with_types(R"(connector type Out(Sync a)
    export port Sync e()
    define a
  end
  compound type Top()
    component AB x()
    connector One c(x.p)
    connector Out o(x.p)
  end)"),
                                warnings);
  EXPECT_EQ(interactions_of(model), "c:x.p\n- o:x.p\n");
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].location.line, kFirstLine + 5);
  EXPECT_NE(warnings[0].message.find("'q' of component 'x'"), std::string::npos) << warnings[0].message;
  EXPECT_EQ(warnings[1].location.line, kFirstLine + 7);
  EXPECT_NE(warnings[1].message.find("never fire"), std::string::npos) << warnings[1].message;
}

}  // namespace
}  // namespace plumb::bip
