#include <gtest/gtest.h>

#include "lang/bip/flatten/flatten.h"
#include "unit/lang/bip/flatten/model_text.h"

namespace plumb::bip {
namespace {

/// A model that is wrong, with the line of `rest` that is to blame (from 0), a part of the message and one of the hint.
struct Wrong {
  const char* name;
  const char* rest;
  std::uint32_t line;
  const char* message;
  const char* hint;
  bool is_unsupported = false;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class FlattenErrors : public testing::TestWithParam<Wrong> {};

TEST_P(FlattenErrors, HaveAPlaceAndARemedy) {
  const Wrong& wrong = GetParam();
  std::vector<Warning> warnings;
  try {
    read_text(with_types(wrong.rest), warnings);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.location().file, "m.bip");
    EXPECT_EQ(error.location().line, kFirstLine + wrong.line) << error.what();
    EXPECT_GT(error.location().column, 0u);
    EXPECT_NE(error.message().find(wrong.message), std::string::npos) << error.what();
    EXPECT_NE(error.hint().find(wrong.hint), std::string::npos) << error.what();
    EXPECT_FALSE(error.hint().starts_with("hint:")) << error.what();
    EXPECT_EQ(dynamic_cast<const Unsupported*>(&error) != nullptr, wrong.is_unsupported) << error.what();
  }
}

const Wrong kWrong[] = {
    {"UnknownComponent", "compound type Top()\ncomponent A a()\nconnector One c(b.p)\nend", 2, "component 'b'", "a"},
    {"UnknownPort", "compound type Top()\ncomponent A a()\nconnector One c(a.pp)\nend", 2, "'pp'", "'p'"},
    {"UnknownComponentType", "compound type Top()\ncomponent AA a()\nconnector One c(a.p)\nend", 1, "'AA'", "'A"},
    {"UnknownConnectorType", "compound type Top()\ncomponent A a()\nconnector Oone c(a.p)\nend", 2, "'Oone'", "'One'"},
    {"UnknownConnectorInPriority",
     "compound type Top()\ncomponent A a()\nconnector One c1(a.p), d(a.p)\npriority x e1:* < d:*\nend", 3, "'e1'",
     "'c1'"},
    {"PortNotExported",
     "atom type H()\nport Sync h()\nplace S\ninitial to S\non h from S to S\nend\n"
     "compound type Top()\ncomponent H a()\nconnector One c(a.h)\nend",
     8, "not exported", "export"},
    {"PortOfAnotherType", "compound type Top()\ncomponent Cell a(1)\nconnector One c(a.put)\nend", 2, "'Int'", "type"},
    {"TooFewPorts", "compound type Top()\ncomponent A a()\nconnector Two c(a.p)\nend", 2, "2", "port"},
    {"TooManyArguments", "compound type Top()\ncomponent A a(1)\nconnector One c(a.p)\nend", 1, "1 argument",
     "parameter"},
    {"ArgumentOfAnotherType",
     "compound type Top()\ncomponent Cell a(true)\nconnector Sole c(a.put)\nend\n"
     "connector type Sole(Int a)\ndefine a\nend",
     1, "bool", ""},
    {"ArgumentThatDoesNotFit",
     "compound type Top()\ncomponent Cell a(1), b(100 + 28)\nconnector Sole c(a.put), d(b.put)\nend\n"
     "connector type Sole(Int a)\ndefine a\nend",
     1, "parameter 'start' 128 does not fit", "--bits 9"},
    {"NumberThatDoesNotFit",
     "connector type Sole(Int a)\ndefine a\non a provided (a.v < -129)\nend\n"
     "compound type Top()\ncomponent Cell a(1)\nconnector Sole c(a.put)\nend",
     2, "-129 does not fit", "from -128 to 127"},
    {"ConstantThatDoesNotFit",
     "const data int N = 64 * 2\ncompound type Top()\ncomponent A a()\nconnector One c(a.p)\nend", 0,
     "constant 'N' 128", "--bits 9"},
    {"TwoPortsOfOneComponent", "compound type Top()\ncomponent AB a()\nconnector Two c(a.p,\na.q)\nend", 3,
     "two ports of component 'a': 'p' and 'q'", "another component"},
    {"OnePortTwice", "compound type Top()\ncomponent A a()\nconnector Two c(a.p,\na.p)\nend", 3, "port 'p' twice",
     "another component"},
    {"TwoPortsOfOneComponentThroughAConnector",
     "connector type Out(Sync a, Sync b)\nexport port Sync e()\ndefine a' b\nend\n"
     "compound type Top()\ncomponent AB a()\ncomponent A b()\nconnector Out o(b.p, a.q)\nconnector Two c(a.p, "
     "o.e)\nend",
     8, "two ports of component 'a'", "at most one port"},
    {"TwoPortsOfOneComponentThroughACompound",
     "compound type Box()\ncomponent AB a()\nexport port a.p as x\nexport port a.q as y\nend\n"
     "compound type Top()\ncomponent Box b()\nconnector Two c(b.x, b.y)\nend",
     7, "two ports of component 'b.a'", "at most one port"},
    {"UnconnectedComponent", "compound type Top()\ncomponent A a()\ncomponent AB b()\nconnector One c(a.p)\nend", 2,
     "'b' is not connected", "ports 'p' and 'q'"},
    {"ComponentWithoutPorts",
     "atom type Idle()\nplace S\ninitial to S\nend\n"
     "compound type Top()\ncomponent A a()\ncomponent Idle b()\nconnector One c(a.p)\nend",
     6, "'b' is not connected", "internal transition"},
    {"CyclicPriority",
     "compound type Top()\ncomponent A a()\nconnector One c(a.p), d(a.p), e(a.p)\n"
     "priority x c:* < d:*\npriority y d:* < e:*\npriority z e:* < c:*\nend",
     3, "'c:a.p' < 'd:a.p' < 'e:a.p' < 'c:a.p'", "remove one"},
    {"PriorityOfAnInteractionOverItself",
     "compound type Top()\ncomponent A a()\nconnector One c(a.p)\npriority x c:a.p < c:a.p\nend", 3,
     "'c:a.p' < 'c:a.p'", "remove one"},
    {"PriorityAgainstMaximalProgress",
     "compound type Top()\ncomponent A a(), b(), d()\nconnector Cast c(a.p, b.p, d.p)\n"
     "priority x c:a.p,b.p < c:a.p\nend",
     3, "cyclic", "larger ones"},
    {"CyclicPriorityOfPorts",
     "atom type P()\nport Sync p()\nport Sync q()\nplace S\ninitial to S\non p from S to S\non q from S to S\n"
     "priority x p < q\npriority y q < p\nend\ncompound type Top()\ncomponent P a()\nend",
     7, "'a.p' < 'a.q' < 'a.p'", "remove one"},
    {"PriorityOverAConnectorAndItself",
     "compound type Top()\ncomponent A a()\nconnector One c(a.p)\npriority x c:* < c:*\nend", 3, "same interactions",
     "another connector"},
    {"PriorityOfAnInteractionThatIsNotDefined",
     "compound type Top()\ncomponent A a(), b()\nconnector Two c(a.p, b.p)\nconnector One d(a.p)\n"
     "priority x d:* < c:a.p\nend",
     4, "'c' defines no interaction", "'c:a.p,b.p'"},
    {"PriorityOfAPortThatIsNotConnected",
     "compound type Top()\ncomponent A a(), b()\nconnector Two c(a.p, b.p)\nconnector One d(a.p)\n"
     "priority x d:* < c:a.p,bb.p\nend",
     4, "'bb.p'", "'b.p'"},
    {"PriorityOverAConnectorInsideAnother",
     "connector type Out(Sync a)\nexport port Sync e()\ndefine a\nend\n"
     "compound type Top()\ncomponent A a(), b()\nconnector Out o(a.p)\nconnector One c(o.e), d(b.p)\n"
     "priority x d:* < o:*\nend",
     8, "connector 'o'", "connectors that use it", true},
    {"GuardOfThePriorityIsAnInt",
     "connector type Sole(Int a)\ndefine a\nend\ncompound type Top()\ncomponent Cell a(1)\nconnector Sole c(a.put), "
     "d(a.put)\n"
     "priority x c:* < d:* provided (a.x)\nend",
     6, "int", "!= 0"},
    {"GuardOfThePriorityOverHiddenData",
     "connector type Sole(Int a)\ndefine a\nend\ncompound type Top()\ncomponent Cell a(1)\nconnector Sole c(a.put), "
     "d(a.put)\n"
     "priority x c:* < d:* provided (a.hidden == 0)\nend",
     6, "not exported", "export"},
    {"CompoundTypesThatContainThemselves",
     "compound type X()\ncomponent Y y()\nend\ncompound type Y()\ncomponent X x()\nend", 0, "contains itself", ""},
    {"ConnectorsThatConnectEachOther",
     "connector type Out(Sync a)\nexport port Sync e()\ndefine a\nend\n"
     "compound type Top()\ncomponent A a()\nconnector Out c(d.e), d(c.e)\nconnector One o(a.p)\nend",
     6, "connects itself", "circle"},
    {"TwoComponentsOfOneName", "compound type Top()\ncomponent A a()\ncomponent A a()\nconnector One c(a.p)\nend", 2,
     "'a'", ""},
    {"TopWithParameters",
     "compound type Top(int n)\ncomponent Cell a(n)\nconnector Sole c(a.put)\nend\n"
     "connector type Sole(Int a)\ndefine a\nend",
     0, "'Top' has parameters", "--top 'Top("},
    {"PortsOfDifferentTypesMerged",
     "compound type Box()\ncomponent A a()\ncomponent Cell b(1)\nexport port a.p, b.put as e\nend\n"
     "compound type Top()\ncomponent Box b()\nconnector One c(b.e)\nend",
     3, "'Sync'", "same type"},
};

INSTANTIATE_TEST_SUITE_P(All, FlattenErrors, testing::ValuesIn(kWrong),
                         [](const auto& test) { return std::string(test.param.name); });

std::string error_of(const std::string& text, const Options& options) {
  std::vector<Warning> warnings;
  try {
    read_text(text, warnings, options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FlattenErrors, OfTheTopThatIsAskedForNameIt) {
  const std::string text = with_types(
      "compound type Top(int n, bool b)\ncomponent Cell a(n)\nconnector Sole c(a.put)\nend\n"
      "connector type Sole(Int a)\ndefine a\nend");
  const auto with_top = [&](const std::string& top) {
    Options options;
    options.top = top;
    return error_of(text, options);
  };
  EXPECT_EQ(with_top("Top(1, true)"), "no error");
  EXPECT_NE(with_top("Tip(1, true)").find("did you mean 'Top'"), std::string::npos);
  EXPECT_NE(with_top("Cell(1)").find("no compound type 'Cell'"), std::string::npos);
  EXPECT_NE(with_top("Top(1)").find("'Top' takes (int n, bool b)"), std::string::npos);
  EXPECT_NE(with_top("Top(true, true)").find("'n' is not of type int"), std::string::npos);
  EXPECT_NE(with_top("Top(200, true)").find("200 does not fit"), std::string::npos);
}

TEST(FlattenErrors, APackageNeedsACompoundType) {
  EXPECT_NE(error_of(with_types(""), {}).find("has no compound type"), std::string::npos);
}

TEST(FlattenErrors, WidthsThatAreNotSupportedAreNamed) {
  Options options;
  options.bits = 63;
  EXPECT_NE(
      error_of(with_types("compound type Top()\ncomponent A a()\nconnector One c(a.p)\nend"), options).find("2 to 62"),
      std::string::npos);
}

/// A broadcast to `receivers` atoms has two to that power many interactions.
std::string broadcast(int receivers) {
  std::string parameters = "Sync s";
  std::string define = "s'";
  std::string components = "component A s()\n";
  std::string ports = "s.p";
  for (int i = 0; i < receivers; ++i) {
    parameters += fmt::format(", Sync r{}", i);
    define += fmt::format(" r{}", i);
    components += fmt::format("component A r{}()\n", i);
    ports += fmt::format(", r{}.p", i);
  }
  return with_types(
      fmt::format("connector type C({})\ndefine {}\nend\ncompound type Top()\n{}connector C wide({})\nend", parameters,
                  define, components, ports));
}

TEST(FlattenErrors, TooManyInteractionsNameTheConnector) {
  EXPECT_EQ(read_text(broadcast(10)).interactions.size(), 1024u);
  EXPECT_NE(error_of(broadcast(13), {}).find("connector 'wide' brings the interactions to more than 4096"),
            std::string::npos);
  EXPECT_NE(error_of(broadcast(60), {}).find("connector 'wide'"), std::string::npos);
}

TEST(FlattenErrors, CompoundsThatDoubleAreTooLargeBeforeMemoryIs) {
  std::string text = "compound type T0()\ncomponent A a()\nconnector One c(a.p)\nend\n";
  for (int i = 1; i < 40; ++i) text += fmt::format("compound type T{0}()\ncomponent T{1} l(), r()\nend\n", i, i - 1);
  EXPECT_NE(error_of(with_types(text), {}).find("more than 10000 components"), std::string::npos);
}

}  // namespace
}  // namespace plumb::bip
