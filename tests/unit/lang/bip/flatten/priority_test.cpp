#include <gtest/gtest.h>

#include "unit/lang/bip/flatten/model_text.h"

namespace plumb::bip {
namespace {

/// Four single interactions a to d, of cells w to z where guards are over data.
std::string with_rules(std::string_view rules) {
  return with_types(fmt::format(R"(
  connector type Sole(Int a)
    define a
  end
  compound type Top()
    component Cell w(0), x(0), y(0), z(0)
    connector Sole a(w.put), b(x.put), c(y.put), d(z.put)
    {}
  end)",
                                rules));
}

TEST(Priorities, AreClosedOverConditions) {
  const Model model =
      read_text(with_rules("priority p a:* < b:x.put provided (w.x > 0)\n"
                           "priority q b:* < c:*\npriority r c:* < d:* provided (w.b)\n"
                           "priority s a:* < c:* provided (w.x > 0 && z.b)\n"));
  EXPECT_EQ(priorities_of(model),
            "a:w.put < b:x.put if w.x > 0\n"
            "a:w.put < c:y.put if w.x > 0\n"
            "a:w.put < c:y.put if w.x > 0 && z.b\n"
            "a:w.put < d:z.put if w.b && (w.x > 0 && z.b)\n"
            "a:w.put < d:z.put if w.x > 0 && w.b\n"
            "b:x.put < c:y.put\n"
            "b:x.put < d:z.put if w.b\n"
            "c:y.put < d:z.put if w.b\n");
}

TEST(Priorities, AStarStandsForAllOthers) {
  EXPECT_EQ(priorities_of(read_text(with_rules("priority p *:* < c:*"))),
            "a:w.put < c:y.put\nb:x.put < c:y.put\nd:z.put < c:y.put\n");
  EXPECT_EQ(priorities_of(read_text(with_rules("priority p c:y.put < *:*"))),
            "c:y.put < a:w.put\nc:y.put < b:x.put\nc:y.put < d:z.put\n");
  const Model model =
      read_text(with_types("compound type Top()\ncomponent A s(), r1(), r2()\n"
                           "connector Cast c(s.p, r1.p, r2.p)\n"
                           "priority p c:s.p,r1.p < c:s.p,r2.p\nend"));
  EXPECT_NE(priorities_of(model).find("c:s.p,r1.p < c:s.p,r2.p\n"), std::string::npos);
}

TEST(Priorities, AStarStandsForWhatTheCompoundItselfCanDo) {
  const Model model = read_text(with_types(R"(
  atom type Clock()
    port Sync tick()
    place S
    initial to S
    on tick from S to S
  end
  connector type Out(Sync a)
    export port Sync e()
    define a
  end
  compound type Box()
    component Clock clock()
  end
  compound type Top()
    component Clock clock()
    component Box box()
    component A a(), b()
    connector Out part(a.p)
    connector One outer(part.e), urgent(b.p)
    priority p *:* < urgent:*
  end)"));
  EXPECT_EQ(priorities_of(model), "clock.tick < urgent:b.p\nouter:a.p < urgent:b.p\n");
}

TEST(Priorities, AConditionOverConstantsIsDecidedAtOnce) {
  EXPECT_EQ(priorities_of(read_text(with_rules("priority p a:* < b:* provided (1 < 2)\n"
                                               "priority q b:* < a:* provided (2 < 1)"))),
            "a:w.put < b:x.put\n");
}

TEST(Priorities, EqualConditionsAreOne) {
  EXPECT_EQ(
      priorities_of(read_text(with_rules("priority p a:* < b:* provided (w.b)\npriority q b:* < c:* provided (w.b)\n"
                                         "priority r c:* < d:* provided (w.b)"))),
      "a:w.put < b:x.put if w.b\na:w.put < c:y.put if w.b\na:w.put < d:z.put if w.b\n"
      "b:x.put < c:y.put if w.b\nb:x.put < d:z.put if w.b\nc:y.put < d:z.put if w.b\n");
}

TEST(Priorities, OppositeConditionsAreNoCycle) {
  const Model model =
      read_text(with_rules("priority p a:* < b:* provided (w.x == 0)\n"
                           "priority q b:* < a:* provided (w.x != 0)"));
  EXPECT_TRUE(model.priority_cycles.empty());
  EXPECT_EQ(priorities_of(model), "a:w.put < b:x.put if w.x == 0\nb:x.put < a:w.put if w.x != 0\n");
}

TEST(Priorities, ACycleThatNeedsConditionsIsAWarningAndAProperty) {
  std::vector<Warning> warnings;
  const Model model = read_text(with_rules("priority p a:* < b:* provided (w.x <= 0)\n"
                                           "priority r b:* < c:*\n"
                                           "priority q c:* < a:* provided (w.x >= 0)"),
                                warnings);
  ASSERT_EQ(model.priority_cycles.size(), 1u);
  EXPECT_EQ(text_of(model, model.priority_cycles[0]), "w.x <= 0 && w.x >= 0");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].message.find("'w.x <= 0 && w.x >= 0'"), std::string::npos) << warnings[0].message;
  EXPECT_NE(warnings[0].message.find("'a:w.put' < 'b:x.put' < 'c:y.put' < 'a:w.put'"), std::string::npos)
      << warnings[0].message;
}

}  // namespace
}  // namespace plumb::bip
