#include "lang/bip/syntax/checker.h"

#include <gtest/gtest.h>

#include "lang/bip/syntax/expression_parser.h"
#include "lang/bip/syntax/parser.h"
#include "lang/bip/syntax/types.h"
#include "unit/lang/bip/parse.h"

namespace plumb::bip {
namespace {

struct Case {
  std::string text;
  std::string expected;  ///< behind `m.bip:`
};

void expect_errors(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), "m.bip:" + c.expected) << c.text;
}

/// The body begins in line 2.
std::string in_package(const std::string& body) { return "package p\n" + body + "\nend\n"; }

const std::string kTypes =
    "port type S()\nport type I(int v)\nport type B(bool f, int v)\nconst data int N = 3 const data bool ON = true\n";

/// The body begins in line 8.
std::string in_atom(const std::string& body) {
  return in_package(kTypes + "atom type A(int k, bool flag)\ndata int x data bool b place L, M\n" + body + "\nend");
}

/// The statements begin in line 8, column 20.
std::string in_action(const std::string& statements) { return in_atom("initial to L do { " + statements + " }"); }

/// The body begins in line 7.
std::string in_connector(const std::string& body) {
  return in_package(kTypes + "connector type C(I a, B b, S c)\n" + body + "\nend");
}

/// The body begins in line 15.
std::string in_compound(const std::string& body) {
  return in_package(kTypes +
                    "atom type A(int k)\n"
                    "data int x export data bool f export data int y\n"
                    "export port S p() export port I q(x) port S hidden()\n"
                    "place L initial to L on p from L to L on q from L to L on hidden from L to L\n"
                    "end\n"
                    "connector type C(S a, S b) define a b end\n"
                    "connector type E(I a, I b) data int d export port I e(d) define a b end\n"
                    "compound type D(bool z) component A a(1) export port a.q as q export data a.f as f end\n"
                    "compound type T(int z) component A a(z), b(2) component D d(true)\n" +
                    body + "\nend");
}

TEST(BipChecker, NamesAreDeclaredOnce) {
  expect_errors({
      {in_package("port type S()\nport type S()"),
       "3:11: error: port type 'S': the name is taken\n  hint: it is declared in line 2; rename one of them"},
      {in_package("port type S(int v, bool v)"),
       "2:25: error: data 'v': the name is taken\n  hint: it is declared in line 2; rename one of them"},
      {in_package("const data int N = 1\nconst data int N = 2"),
       "3:16: error: constant 'N': the name is taken\n  hint: it is declared in line 2; rename one of them"},
      {in_package("atom type A() place L initial to L end\ncompound type A() component A a() end"),
       "3:15: error: compound type 'A': the name is taken\n  hint: it is declared in line 2; rename one of them"},
      {in_package("port type S()\nconnector type C(S a) define a end\nconnector type C(S a) define a end"),
       "4:16: error: connector type 'C': the name is taken\n  hint: it is declared in line 3; rename one of them"},
      {in_atom("data bool x initial to L"),
       "8:11: error: variable 'x': the name is taken\n  hint: it is declared in line 7; rename one of them"},
      {in_atom("data bool N initial to L"),
       "8:11: error: variable 'N': the name is taken\n  hint: it is declared in line 5; rename one of them"},
      {in_package("atom type A(int k, int k) place L initial to L end"),
       "2:24: error: parameter 'k': the name is taken\n  hint: it is declared in line 2; rename one of them"},
      {in_atom("place M initial to L"),
       "8:7: error: place 'M': the name is taken\n  hint: it is declared in line 7; rename one of them"},
      {in_atom("port S p()\nport S p() initial to L"),
       "9:8: error: port 'p': the name is taken\n  hint: it is declared in line 8; rename one of them"},
      {in_atom("port S p(), q() initial to L priority r p < q priority r q < p"),
       "8:56: error: priority 'r': the name is taken\n  hint: it is declared in line 8; rename one of them"},
      {in_connector("data int a define a b c"),
       "7:10: error: variable 'a' has the name of a port\n"
       "  hint: rename one of them"},
      {in_connector("data int d export port I a(d) define a b c"),
       "7:26: error: port 'a': the name is taken\n  hint: it is declared in line 6; rename one of them"},
      {in_compound("connector C a(a.p, b.p)"),
       "15:13: error: connector 'a': the name is taken\n  hint: it is declared in line 14; rename one of them"},
      {in_compound("component A b(1)"),
       "15:13: error: component 'b': the name is taken\n  hint: it is declared in line 14; rename one of them"},
      {in_compound("export data a.f as g export data b.f as g"),
       "15:41: error: exported variable 'g': the name is taken\n  hint: it is declared in line 15; rename one of them"},
  });
}

TEST(BipChecker, NamesInAtomsExist) {
  expect_errors({
      {in_atom("port Q p() initial to L"), "8:6: error: unknown port type 'Q'\n  hint: there are S, I, B"},
      {in_atom("port I p(y) initial to L"), "8:10: error: unknown variable 'y'\n  hint: declare it before it is used"},
      {in_atom("initial to LL"), "8:12: error: unknown place 'LL'\n  hint: did you mean 'L'?"},
      {in_atom("initial to Q"), "8:12: error: unknown place 'Q'\n  hint: there are L, M"},
      {in_atom(""),
       "6:11: error: atom type 'A' has no initial transition\n"
       "  hint: say where it starts: 'initial to PLACE do {…}'"},
      {in_atom("initial to L on tick from L to L"),
       "8:17: error: unknown port 'tick'\n"
       "  hint: there is no port here"},
      {in_atom("port S tick() initial to L on tic from L to L"),
       "8:31: error: unknown port 'tic'\n"
       "  hint: did you mean 'tick'?"},
      {in_atom("port S p() initial to L on p from Q to L"), "8:35: error: unknown place 'Q'\n  hint: there are L, M"},
      {in_atom("port S p() initial to L on p from L to Q"), "8:40: error: unknown place 'Q'\n  hint: there are L, M"},
      {in_atom("port S p() initial to L priority r p < q"), "8:40: error: unknown port 'q'\n  hint: there is p"},
      {in_atom("port S p() initial to L priority r p < p"),
       "8:40: error: port 'p' gives way to itself\n"
       "  hint: name two ports"},
      {in_action("y = 1;"), "8:19: error: unknown variable 'y'\n  hint: declare it before it is used"},
      {in_action("x = flagg ? 1 : 2;"), "8:23: error: unknown variable 'flagg'\n  hint: did you mean 'flag'?"},
      {in_action("x = a.v;"),
       "8:23: error: unknown variable 'a.v'\n  hint: variables have simple names here, without a dot"},
      {in_package("const data int N = M\nconst data int M = 1"),
       "2:20: error: unknown variable 'M'\n"
       "  hint: declare it before it is used"},
      {in_atom("data int y = x initial to L"),
       "8:14: error: 'x' is not constant\n"
       "  hint: initial values are of numbers, constants and parameters; use 'initial to … do {…}'"},
  });
}

TEST(BipChecker, TypesInAtomsFit) {
  const std::string make_int = "\n  hint: 'b ? 1 : 0' makes an int of a bool";
  const std::string compare = "\n  hint: compare it: '!= 0'";
  expect_errors({
      {in_action("x = b;"), "8:23: error: 'x' is of type int, but what is assigned to it of type bool" + make_int},
      {in_action("b = x + 1;"), "8:23: error: 'b' is of type bool, but what is assigned to it of type int" + compare},
      {in_action("b += 1;"), "8:19: error: '+' needs ints, but 'b' is a bool" + make_int},
      {in_action("b++;"), "8:19: error: '+' needs ints, but 'b' is a bool" + make_int},
      {in_action("if (x) { }"), "8:23: error: the condition is an int, but a bool is needed" + compare},
      {in_action("k = 1;"),
       "8:19: error: 'k' is a parameter and cannot be assigned\n"
       "  hint: copy it into data: 'data int x', 'initial to … do { x = …; }'"},
      {in_action("N = 1;"),
       "8:19: error: 'N' is a constant and cannot be assigned\n"
       "  hint: copy it into data: 'data int x', 'initial to … do { x = …; }'"},
      {in_atom("initial to L internal from L to M provided (x)"),
       "8:45: error: the guard is an int, but a bool is needed" + compare},
      {in_atom("port S p(), q() initial to L priority r p < q provided (k)"),
       "8:57: error: the guard is an int, but a bool is needed" + compare},
      {in_atom("data int y = flag initial to L"),
       "8:14: error: the value of 'y' is a bool, but an int is needed" + make_int},
      {in_package("const data bool C = 1"), "2:21: error: the value of 'C' is an int, but a bool is needed" + compare},
      {in_atom("port I p() initial to L"),
       "8:8: error: port 'p' shows 0 variables, but its type 'I' has 1\n"
       "  hint: the port type is in line 3"},
      {in_atom("port S p(x) initial to L"),
       "8:8: error: port 'p' shows 1 variable, but its type 'S' has 0\n"
       "  hint: the port type is in line 2"},
      {in_atom("port B p(x, x) initial to L"),
       "8:10: error: 'x' is of type int, but 'f' of port type 'B' is of type bool\n"
       "  hint: the port type is in line 4"},
      {in_atom("port I p(k) initial to L"),
       "8:10: error: port 'p' shows 'k', which is no data\n"
       "  hint: interactions may write it: copy it into data first"},
      {in_atom("export port S p() as e export port I q(x) as e initial to L"),
       "8:36: error: ports 'p' and 'q' are merged into 'e', but are of types 'S' and 'I'\n"
       "  hint: merged ports have the same type"},
  });
}

TEST(BipChecker, OperandsHaveTheTypesOfTheirOperators) {
  expect_errors({
      {in_action("b = x && b;"), "8:23: error: '&&' needs bools, but 'x' is an int\n  hint: write 'x != 0'"},
      {in_action("b = b || (x & 1);"),
       "8:29: error: '||' needs bools, but 'x & 1' is an int\n"
       "  hint: write '(x & 1) != 0'"},
      {in_action("b = !x;"), "8:24: error: '!' needs a bool, but 'x' is an int\n  hint: write 'x == 0'"},
      {in_action("x = -b;"),
       "8:24: error: '-' needs an int, but 'b' is a bool\n"
       "  hint: 'b ? 1 : 0' makes an int of a bool"},
      {in_action("x = ~b;"), "8:24: error: '~' needs an int, but 'b' is a bool\n  hint: negate a bool with '!'"},
      {in_action("b = b & flag;"),
       "8:23: error: '&' needs ints, but 'b' is a bool\n"
       "  hint: join bools with '&&', '||' and '!='"},
      {in_action("b = x & 1 == 0;"),
       "8:27: error: '&' needs ints, but '1 == 0' is a bool\n"
       "  hint: comparisons bind more strongly than '&': put parentheses around it, or join bools with '&&', '||' "
       "and '!='"},
      {in_action("b = 0 < x < 3;"),
       "8:23: error: '<' needs ints, but '0 < x' is a bool\n"
       "  hint: write 'a < b && b < c' for 'a < b < c'"},
      {in_action("b = b < flag;"),
       "8:23: error: '<' needs ints, but 'b' is a bool\n"
       "  hint: 'b ? 1 : 0' makes an int of a bool"},
      {in_action("b = x == b;"), "8:28: error: '==' compares an int with a bool\n  hint: write 'x != 0'"},
      {in_action("b = flag != x;"), "8:31: error: '!=' compares a bool with an int\n  hint: write 'x != 0'"},
      {in_action("x = x ? 1 : 2;"), "8:23: error: the condition 'x' of '?' is an int\n  hint: write 'x != 0'"},
      {in_action("x = b ? 1 : b;"),
       "8:31: error: the branches of '?' are an int and a bool\n"
       "  hint: give both the same type"},
  });
}

TEST(BipChecker, NamesInConnectorsExist) {
  expect_errors({
      {in_package("connector type C(S a) define a end"),
       "2:18: error: unknown port type 'S'\n"
       "  hint: there is no port type here"},
      {in_connector("define a b d"), "7:12: error: unknown port 'd'\n  hint: there are a, b, c"},
      {in_connector("define a b"),
       "6:30: error: port 'c' is not in 'define' of connector type 'C'\n"
       "  hint: add it there, or leave it out here"},
      {in_connector("define a b (c a)"), "7:15: error: port 'a' is twice in 'define'\n  hint: leave one"},
      {in_connector("define a b c on a b d"), "7:21: error: unknown port 'd'\n  hint: there are a, b, c"},
      {in_connector("define a b c on a b b"), "7:21: error: port 'b' is twice in the interaction\n  hint: leave one"},
      {in_connector("define a b c on a b c\non c b a"),
       "8:1: error: interaction 'c b a' has two 'on'\n"
       "  hint: the first is in line 7; make one of them"},
      {in_connector("define a b c on a b c down { d.v = 1; }"),
       "7:30: error: unknown port 'd'\n"
       "  hint: there are a, b, c"},
      {in_connector("define a b c on a b c down { a.w = 1; }"),
       "7:32: error: unknown data 'w' of port type 'I'\n"
       "  hint: there is v"},
      {in_connector("define a b c on a b c down { a = 1; }"),
       "7:30: error: 'a' is a port\n"
       "  hint: name its data: 'a.v'"},
      {in_connector("define a b c on a b c down { a.v = tmp; }"),
       "7:36: error: unknown variable 'tmp'\n"
       "  hint: declare it before it is used"},
      {in_connector("define a' b c on a b down { a.v = c.v; }"),
       "7:35: error: port 'c' does not take part in this "
       "interaction\n  hint: only data of the ports behind "
       "'on' can be used"},
  });
}

TEST(BipChecker, DataInConnectorsIsMovedAsItMayBe) {
  expect_errors({
      {in_connector("data int d define a b c on a b c up { a.v = 1; }"),
       "7:39: error: 'up' assigns 'a.v' of a port\n"
       "  hint: 'up' writes data of the connector; write data of ports in 'down {…}'"},
      {in_connector("define a b c on a b c up { N = 1; }"),
       "7:28: error: 'N' is a constant and cannot be assigned\n"
       "  hint: use data of the connector: 'data int x'"},
      {in_connector("data bool d define a b c on a b c provided (d)"),
       "7:45: error: the guard reads 'd' of the connector, which has no value yet\n"
       "  hint: guards are looked at before 'up {…}'; use data of ports"},
      {in_connector("data int d = 3 define a b c"),
       "7:14: error: variable 'd' of a connector has no initial value\n"
       "  hint: it lives during an interaction alone; set it in 'up {…}'"},
      {in_connector("define a b c on a b c provided (a.v)"),
       "7:33: error: the guard is an int, but a bool is needed\n"
       "  hint: compare it: '!= 0'"},
      {in_connector("define a b c on a b c down { a.v = b.f; }"),
       "7:36: error: 'a.v' is of type int, but what is assigned to it of type bool\n"
       "  hint: 'b ? 1 : 0' makes an int of a bool"},
      {in_connector("data bool d export port I e(d) define a b c"),
       "7:29: error: 'd' is of type bool, but 'v' of port type 'I' is of type int\n"
       "  hint: the port type is in line 3"},
  });
}

TEST(BipChecker, OnNamesInteractionsThatDefineAllows) {
  const auto is_allowed = [](const std::string& define, const std::string& ports) {
    const std::string text =
        in_package("port type S() connector type C(S a, S b, S c, S d)\ndefine " + define + "\non " + ports + "\nend");
    const std::string error = error_of(text);
    if (error == "accepted") return true;
    EXPECT_EQ(error, "m.bip:4:4: error: 'define' of connector type 'C' does not allow the interaction '" + ports +
                         "'\n  hint: it needs all ports, or one that is a trigger (with a quote)");
    return false;
  };
  EXPECT_TRUE(is_allowed("a b c d", "a b c d"));
  EXPECT_TRUE(is_allowed("a b c d", "d c b a"));
  EXPECT_FALSE(is_allowed("a b c d", "a b c"));
  EXPECT_TRUE(is_allowed("a' b c d", "a"));
  EXPECT_TRUE(is_allowed("a' b c d", "a c"));
  EXPECT_FALSE(is_allowed("a' b c d", "b c d"));
  EXPECT_TRUE(is_allowed("(a b)' c d", "a b d"));
  EXPECT_FALSE(is_allowed("(a b)' c d", "a d"));
  EXPECT_FALSE(is_allowed("(a b)' c d", "a c d"));
  EXPECT_TRUE(is_allowed("(a' b) (c d)", "a c d"));
  EXPECT_FALSE(is_allowed("(a' b) (c d)", "b c d"));
  EXPECT_FALSE(is_allowed("(a' b) (c d)", "a b"));
  EXPECT_TRUE(is_allowed("((a' b) c)' d", "a c"));
  EXPECT_FALSE(is_allowed("((a' b) c)' d", "a d"));
  EXPECT_TRUE(is_allowed("a' b' c' d'", "c"));
}

TEST(BipChecker, NamesInCompoundsExist) {
  expect_errors({
      {in_package("compound type T() end"),
       "2:15: error: compound type 'T' has no components\n"
       "  hint: 'component TYPE NAME()'"},
      {in_compound("component Aa c(1)"), "15:11: error: unknown component type 'Aa'\n  hint: did you mean 'A'?"},
      {in_compound("connector X c(a.p)"), "15:11: error: unknown connector type 'X'\n  hint: there are C, E"},
      {in_compound("connector C c(a.p, e.p)"), "15:20: error: unknown component 'e'\n  hint: there are a, b, c, d"},
      {in_compound("connector C c(a.p, b.r)"),
       "15:22: error: unknown exported port 'r' of component 'b'\n"
       "  hint: there are p, q"},
      {in_compound("connector C c(a.p, b.hidden)"),
       "15:22: error: port 'hidden' of component 'b' is not exported\n"
       "  hint: write 'export' before its declaration"},
      {in_compound("connector C c(a.p, b)"),
       "15:20: error: 'b' names no port of a component\n"
       "  hint: write 'COMPONENT.port'; what is deeper inside, compounds export"},
      {in_compound("connector C c(a.p, d.a.p)"),
       "15:20: error: 'd.a.p' names no port of a component\n"
       "  hint: write 'COMPONENT.port'; what is deeper inside, compounds export"},
      {in_compound("connector C c(a.p, b.p) connector C g(c.e, d.q)"),
       "15:41: error: unknown exported port 'e' of connector 'c'\n"
       "  hint: there is no exported port of connector 'c'"},
      {in_compound("priority r c1:* < c2:*"),
       "15:12: error: unknown connector 'c1'\n  hint: there is no connector here"},
      {in_compound("connector C c(a.p, b.p) priority r c:* < cc:*"),
       "15:42: error: unknown connector 'cc'\n"
       "  hint: did you mean 'c'?"},
      {in_compound("connector C c(a.p, b.p) priority r *:* < c:* provided (a.x > 0)"),
       "15:58: error: variable 'x' of component 'a' is not exported\n"
       "  hint: write 'export' before its declaration"},
      {in_compound("export port a.z as q"),
       "15:15: error: unknown exported port 'z' of component 'a'\n"
       "  hint: there are p, q"},
      {in_compound("export data c.f as q"), "15:13: error: unknown component 'c'\n  hint: there are a, b, d"},
      {in_compound("export data d.y as q"),
       "15:15: error: unknown exported variable 'y' of component 'd'\n"
       "  hint: there is f"},
  });
}

TEST(BipChecker, TypesInCompoundsFit) {
  expect_errors({
      {in_compound("component A c()"),
       "15:13: error: component 'c' has 0 arguments, but its type 'A' has 1 parameter\n"
       "  hint: give a value to each parameter"},
      {in_compound("component A c(true)"),
       "15:15: error: the value of parameter 'k' is a bool, but an int is needed\n"
       "  hint: 'b ? 1 : 0' makes an int of a bool"},
      {in_compound("component A c(w)"), "15:15: error: unknown variable 'w'\n  hint: declare it before it is used"},
      {in_compound("connector C c(a.p)"),
       "15:13: error: connector 'c' has 1 port, but its type 'C' has 2\n"
       "  hint: give a port to each parameter"},
      {in_compound("connector C c(a.p, d.q)"),
       "15:20: error: port 'd.q' is of type 'I', but port 'b' of connector type 'C' is of type 'S'\n"
       "  hint: connect ports of the same type"},
      {in_compound("connector E c(a.q, b.q) connector C g(a.p, c.e)"),
       "15:44: error: port 'c.e' is of type 'I', but port 'b' of connector type 'C' is of type 'S'\n"
       "  hint: connect ports of the same type"},
      {in_compound("export port a.p, a.q as q"),
       "15:18: error: ports of types 'S' and 'I' are merged into 'q'\n"
       "  hint: merged ports have the same type"},
      {in_compound("connector C c(a.p, b.p) priority r *:* < c:* provided (a.y)"),
       "15:56: error: the guard is an int, but a bool is needed\n  hint: compare it: '!= 0'"},
      {in_compound("connector C c(a.p, b.p) priority r *:* < c:* provided (d.f && z)"),
       "15:63: error: '&&' needs bools, but 'z' is an int\n  hint: write 'z != 0'"},
  });
}

TEST(BipChecker, NothingContainsItself) {
  expect_errors({
      {in_package("compound type T() component U u() end\ncompound type U() component T t() end"),
       "2:15: error: compound type 'T' contains itself\n"
       "  hint: a component cannot be inside a component of its own type"},
      {in_package("compound type O() component T u() end\ncompound type T() component T t() end"),
       "3:15: error: compound type 'T' contains itself\n"
       "  hint: a component cannot be inside a component of its own type"},
      {in_compound("connector E c(a.q, g.e) connector E g(b.q, c.e)"),
       "15:13: error: connector 'c' connects itself\n"
       "  hint: connectors of connectors must not form a circle"},
  });
}

TEST(BipChecker, CompoundsMayBeDefinedBeforeWhatTheyContain) {
  EXPECT_EQ(error_of(in_package("compound type T() component U u() connector C c(u.p) end\n"
                                "compound type U() component A a() export port a.p as p end\n"
                                "connector type C(S a) define a end\n"
                                "atom type A() export port S p() place L initial to L on p from L to L end\n"
                                "port type S()")),
            "accepted");
}

TEST(BipChecker, ManyCompoundsInsideEachOtherAreNoCrash) {
  std::string text = "atom type A0() place L initial to L end\n";
  for (int i = 1; i < 20'000; ++i)
    text += "compound type A" + std::to_string(i) + "() component A" + std::to_string(i - 1) + " a() end\n";
  EXPECT_EQ(error_of(in_package(text)), "accepted");
}

TEST(BipChecker, APortWithoutTransitionsIsWarnedOf) {
  std::vector<Warning> warnings;
  parse_package(in_atom("port S p(), q() initial to L on q from L to L"), "m.bip", warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].location.to_string(), "m.bip:8:8");
  EXPECT_EQ(warnings[0].message, "port 'p' of atom type 'A' has no transition and is never enabled");
}

TEST(BipChecker, DataThatAConnectorShowsAndNeverSetsIsWarnedOf) {
  const auto warnings_of = [](const std::string& interactions) {
    std::vector<Warning> warnings;
    parse_package(in_connector("data int d data bool f export port B e(f, d) define a b c " + interactions), "m.bip",
                  warnings);
    std::string text;
    for (const Warning& warning : warnings) text += warning.location.to_string() + ": " + warning.message + "\n";
    return text;
  };
  EXPECT_EQ(warnings_of("on a b c up { d = 1; if (b.f) { f = true; } }"), "");
  EXPECT_EQ(
      warnings_of("on a b c up { d = 1; } down { f = b.f; }"),
      "m.bip:7:40: exported port 'e' of connector type 'C' shows 'f', which no 'up' assigns: it is always false\n");
  EXPECT_EQ(warnings_of("on a b c up { f = true; }"),
            "m.bip:7:43: exported port 'e' of connector type 'C' shows 'd', which no 'up' assigns: it is always 0\n");
}

void expect_type(const ExpressionPtr& expression, Type type) {
  EXPECT_EQ(expression->type, type) << to_text(*expression);
}

TEST(BipChecker, SetsTheTypesOfAllExpressions) {
  std::vector<Warning> warnings;
  const Package package = parse_package(
      in_package(kTypes + "atom type A(bool flag) data int x = N data bool b = flag export data bool g\n"
                          "export port B p(b, x) export port I q(x) place L initial to L do { b = ON; }\n"
                          "on p from L to L provided (x == 0 ? b : flag) do { if (!b) { x = -x; } }\n"
                          "on q from L to L end\n"
                          "connector type C(B r, I s) data bool d define r s on r s provided (r.f) up { d = r.f; }\n"
                          "down { s.v = d ? r.v : N; } end\n"
                          "compound type T(bool z) component A a(z), b(!z) connector C c(a.p, b.q)\n"
                          "priority w c:* < *:* provided (a.g == b.g) end"),
      "m.bip", warnings);
  const AtomType& atom = package.atom_types[0];
  expect_type(atom.data[0].init, Type::Int);
  expect_type(atom.data[1].init, Type::Bool);
  expect_type(atom.initial_action[0]->target, Type::Bool);
  expect_type(atom.initial_action[0]->value, Type::Bool);
  const Expression& guard = *atom.transitions[0].guard;
  EXPECT_EQ(guard.type, Type::Bool);
  expect_type(guard.operands[0], Type::Bool);
  expect_type(guard.operands[0]->operands[0], Type::Int);
  expect_type(guard.operands[1], Type::Bool);
  expect_type(guard.operands[2], Type::Bool);
  const Statement& choice = *atom.transitions[0].action[0];
  expect_type(choice.value, Type::Bool);
  expect_type(choice.value->operands[0], Type::Bool);
  expect_type(choice.then_branch[0]->value, Type::Int);
  const ConnectorInteraction& interaction = package.connector_types[0].interactions[0];
  expect_type(interaction.guard, Type::Bool);
  expect_type(interaction.up[0]->target, Type::Bool);
  expect_type(interaction.down[0]->target, Type::Int);
  expect_type(interaction.down[0]->value, Type::Int);
  expect_type(interaction.down[0]->value->operands[0], Type::Bool);
  const CompoundType& compound = package.compound_types[0];
  expect_type(compound.components[1].arguments[0], Type::Bool);
  expect_type(compound.priorities[0].guard->operands[0], Type::Bool);
}

std::string type_of(const std::string& text, std::optional<Type> type_of_x) {
  const Locate locate = [](Place place) { return SourceLocation{"e", place.line, place.column}; };
  Tokens tokens(text, locate);
  ExpressionParser parser(tokens, ExpressionParser::Implication::Allowed);
  const ExpressionPtr expression = parser.expression();
  try {
    const auto type = check_types(*expression, [&](Expression&) { return type_of_x; }, locate);
    return type ? std::string(to_string(*type)) : "open";
  } catch (const UserError& error) {
    return error.message();
  }
}

TEST(BipChecker, NamesOfUnknownTypeFitEverywhere) {
  EXPECT_EQ(type_of("x", std::nullopt), "open");
  EXPECT_EQ(type_of("x == 1 && x || !x", std::nullopt), "bool");
  EXPECT_EQ(type_of("x + 1", std::nullopt), "int");
  EXPECT_EQ(type_of("x ? x : true", std::nullopt), "bool");
  EXPECT_EQ(type_of("x == x", std::nullopt), "bool");
  EXPECT_EQ(type_of("x + true", std::nullopt), "'+' needs ints, but 'true' is a bool");
}

TEST(BipChecker, AnImplicationIsBetweenBools) {
  EXPECT_EQ(type_of("x => x", Type::Bool), "bool");
  EXPECT_EQ(type_of("x => x", Type::Int), "'=>' needs bools, but 'x' is an int");
}

TEST(BipChecker, ALongOperandIsNotRepeated) {
  std::string sum = "x";
  for (int i = 0; i < 50; ++i) sum += " + x";
  EXPECT_EQ(type_of("!(" + sum + ")", Type::Int), "'!' needs a bool, but this is an int");
}

}  // namespace
}  // namespace plumb::bip
