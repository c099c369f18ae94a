#include <gtest/gtest.h>

#include "lang/bip/syntax/parser.h"
#include "unit/lang/bip/parse.h"

namespace plumb::bip {
namespace {

/// The body begins in line 2.
std::string in_package(const std::string& body) { return "package p\n" + body + "\nend\n"; }

/// The body begins in line 5.
std::string in_atom(const std::string& body) {
  return in_package("port type S()\nport type I(int v)\natom type A(int k)\n" + body + "\nend");
}

/// The statements begin in line 8, column 3.
std::string in_action(const std::string& statements) {
  return in_atom("data int x\ndata bool b\nplace L initial to L do {\n  " + statements + "\n}");
}

/// The body begins in line 5.
std::string in_connector(const std::string& body) {
  return in_package("port type S()\nport type I(int v)\nconnector type C(I a, I b)\n" + body + "\nend");
}

/// The body begins in line 9.
std::string in_compound(const std::string& body) {
  return in_package(
      "port type S()\n"
      "atom type A(int k)\n"
      "export port S p() place L initial to L on p from L to L\n"
      "end\n"
      "connector type C(S a, S b) define a b end\n"
      "compound type T(int z)\n"
      "component A a(1), b(2)\n" +
      body + "\nend");
}

struct Case {
  std::string text;
  std::string expected;  ///< behind `m.bip:`
};

void expect_errors(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), "m.bip:" + c.expected) << c.text;
}

TEST(BipParserErrors, ErrorsOfPackagesTellPlaceAndRemedy) {
  expect_errors({
      {"",
       "1:1: error: expected 'package' at the beginning, found the end of the text\n"
       "  hint: a model is 'package NAME … end'"},
      {"package", "1:8: error: expected the name of the package, found the end of the text"},
      {"package p", "1:10: error: expected 'end' of package 'p', found the end of the text"},
      {"package end end",
       "1:9: error: expected the name of the package, found 'end'\n"
       "  hint: 'end' is a keyword, which cannot be a name"},
      {in_package("") + "end",
       "4:1: error: expected nothing behind the 'end' of package 'p', found 'end'\n"
       "  hint: is there an 'end' too many before it?"},
      {in_package("atom A() end"),
       "2:1: error: expected a definition, found 'atom'\n"
       "  hint: 'port type', 'atom type', 'connector type', 'compound type' or 'const data'"},
      {in_package("part type A() end"),
       "2:1: error: expected a definition, found 'part'\n"
       "  hint: 'port type', 'atom type', 'connector type', 'compound type' or 'const data'"},
      {in_package("atom type A() end place L"),
       "2:19: error: expected a definition, found 'place'\n"
       "  hint: 'place' belongs into the definition of a type: is there an 'end' too many before it?"},
      {in_package("const int N = 1"), "2:7: error: expected 'data' behind 'const', found 'int'"},
      {in_package("const data int N"),
       "3:1: error: expected '=' behind constant 'N', found 'end'\n"
       "  hint: a constant has a value"},
      {in_package("port type S"),
       "3:1: error: expected '(' with the parameters of the type, found 'end'\n"
       "  hint: without parameters, write '()'"},
      {in_package("port type S(int)"), "2:16: error: expected the name of a parameter, found ')'"},
      {in_package("port type S(int v"), "3:1: error: expected ')' to close the parameters, found 'end'"},
      {in_package("port type S(v)"), "2:13: error: unknown type 'v'\n  hint: data is of type int or bool"},
      {in_package("port type S(to v)"), "2:13: error: expected a type, found 'to'\n  hint: int or bool"},
      {in_package("@(x)"), "2:2: error: expected the name of an annotation, found '('"},
      {in_package("@a(x"), "2:3: error: this annotation does not end\n  hint: close it with ')'"},
  });
}

TEST(BipParserErrors, ErrorsOfAtomsTellPlaceAndRemedy) {
  expect_errors({
      {in_atom("data int on"),
       "5:10: error: expected the name of a variable, found 'on'\n"
       "  hint: 'on' is a keyword, which cannot be a name"},
      {in_atom("export place L"), "5:8: error: expected 'data' or 'port' behind 'export', found 'place'"},
      {in_atom("port S p"), "6:1: error: expected '(' behind port 'p', found 'end'\n  hint: without data, write '()'"},
      {in_atom("port S p(x"), "6:1: error: expected ')' to close the variables of the port, found 'end'"},
      {in_atom("port S p() as q"),
       "5:12: error: 'as' names a port for outside, but this one is not exported\n"
       "  hint: write 'export port …'"},
      {in_atom("initial L"), "5:9: error: expected 'to' behind 'initial', found 'L'"},
      {in_atom("initial to L provided (true)"),
       "5:14: error: an initial transition has no guard\n"
       "  hint: leave out 'provided'"},
      {in_atom("initial to L\ninitial to L"),
       "6:1: error: atom type 'A' has two initial transitions\n"
       "  hint: the first is in line 5; leave one"},
      {in_atom("on p to L"),
       "5:6: error: expected 'from' in the transition, found 'to'\n"
       "  hint: 'on PORT from PLACE to PLACE' or 'internal from PLACE to PLACE'"},
      {in_atom("on p from L do {}"), "5:13: error: expected 'to' in the transition, found 'do'"},
      {in_atom("on p from L to L provided x"),
       "5:27: error: expected '(' behind 'provided', found 'x'\n"
       "  hint: a guard stands in parentheses: 'provided (x > 0)'"},
      {in_atom("on p from L to L provided (x"), "6:1: error: expected ')' to close the guard, found 'end'"},
      {in_atom("on p from L to L do {} provided (x)"),
       "5:24: error: the guard stands before the action\n"
       "  hint: write 'provided (…) do {…}'"},
      {in_atom("on p from L to L provided (x) provided (x)"),
       "5:31: error: this transition has two guards\n"
       "  hint: join them with '&&'"},
      {in_atom("priority p < q"), "5:12: error: expected the name of a port, found '<'"},
      {in_atom("priority r p > q"),
       "5:14: error: expected '<' in the priority, found '>'\n"
       "  hint: 'priority NAME LOW < HIGH': the port with less priority is on the left"},
      {in_atom("priority r * < *"),
       "5:12: error: '*' stands on both sides of the priority\n"
       "  hint: name a port on one side"},
      {in_atom("priority r provided (true) p < q provided (true)"),
       "5:34: error: this priority has two guards\n"
       "  hint: join them with '&&'"},
      {in_atom("intial to L"),
       "5:1: error: expected a declaration or 'end' in atom type 'A', found 'intial'\n"
       "  hint: did you mean 'initial'?"},
      {in_atom("{"), "5:1: error: expected a declaration or 'end' in atom type 'A', found '{'"},
      {"package p\natom type A()\nplace L\n",
       "4:1: error: expected 'end' of atom type 'A', found the end of the text\n"
       "  hint: the definition begins in line 2"},
      {"package p\natom type A()\nplace L\nport type S()\nend end",
       "4:1: error: expected 'end' of atom type 'A', found 'port'\n  hint: the definition begins in line 2"},
  });
}

TEST(BipParserErrors, ErrorsOfStatementsTellPlaceAndRemedy) {
  expect_errors({
      {in_action("x = 1"), "9:1: error: expected ';' behind the assignment, found '}'"},
      {in_action("x"), "9:1: error: expected '=' behind 'x', found '}'\n  hint: 'x = e;', 'x += e;', 'x++;'"},
      {in_action("x == 1;"), "8:5: error: expected '=' behind 'x', found '=='\n  hint: 'x = e;', 'x += e;', 'x++;'"},
      {in_action("++x;"), "8:3: error: expected a statement, found '++'\n  hint: write '++' behind the variable"},
      {in_action("5 = x;"),
       "8:3: error: expected a statement, found '5'\n"
       "  hint: an assignment 'x = e;' or 'if (c) { … } else { … }'"},
      {in_action("x = = 1;"),
       "8:7: error: expected a value, found '='\n"
       "  hint: a number, true, false, a name or an expression in parentheses"},
      {in_action("x = 1 +;"),
       "8:10: error: expected a value, found ';'\n"
       "  hint: a number, true, false, a name or an expression in parentheses"},
      {in_action("x = x++;"), "8:8: error: expected ';' behind the assignment, found '++'"},
      {in_action("x = ++x;"),
       "8:7: error: expected a value, found '++'\n"
       "  hint: '++' and '--' stand alone, behind a variable, as statements"},
      {in_action("x = +x;"), "8:7: error: expected a value, found '+'\n  hint: leave out the sign"},
      {in_action("x = to;"),
       "8:7: error: expected a value, found 'to'\n"
       "  hint: 'to' is a keyword, which cannot be a name"},
      {in_action("x = (1 + 2;"), "8:13: error: expected ')' to close the parenthesis, found ';'"},
      {in_action("x = b ? 1;"), "8:12: error: expected ':' between the branches of '?', found ';'"},
      {in_action("b = x = 1;"),
       "8:9: error: '=' assigns and is no part of an expression\n"
       "  hint: write '==' to compare"},
      {in_action("b = b => b;"),
       "8:9: error: '=>' is an operator of properties alone\n"
       "  hint: write '!a || b' for an implication, '>=' for a comparison"},
      {in_action("if x == 0 { }"), "8:6: error: expected '(' behind 'if', found 'x'"},
      {in_action("if (b { }"), "8:9: error: expected ')' to close the condition, found '{'"},
      {in_action("if (b) then x = 1;"),
       "9:1: error: expected a statement, found '}'\n"
       "  hint: an assignment 'x = e;' or 'if (c) { … } else { … }'"},
      {in_action("else x = 1;"),
       "8:3: error: expected a statement or '}', found 'else'\n"
       "  hint: the block begins in line 7"},
      {in_action("if (b) else x = 1;"),
       "8:10: error: expected a statement, found 'else'\n"
       "  hint: no 'if' is open here"},
      {in_atom("initial to L do { x = 1;"),
       "6:1: error: expected a statement or '}', found 'end'\n"
       "  hint: the block begins in line 5"},
      {in_action("x = 9223372036854775808;"),
       "8:7: error: this number does not fit in 63 bits\n"
       "  hint: the largest is 9223372036854775807"},
  });
}

TEST(BipParserErrors, ErrorsOfConnectorsTellPlaceAndRemedy) {
  expect_errors({
      {in_package("connector type C() end"), "2:18: error: expected the name of a port type, found ')'"},
      {in_package("connector type C(S a define a end"), "2:22: error: expected ')' to close the ports, found 'define'"},
      {in_connector(""),
       "4:16: error: connector type 'C' has no 'define'\n"
       "  hint: say which ports interact: 'define a b', or 'define a' b' with a trigger"},
      {in_connector("define"), "6:1: error: expected a port or a group of ports in parentheses, found 'end'"},
      {in_connector("define ()"), "5:9: error: expected a port or a group of ports in parentheses, found ')'"},
      {in_connector("define (a b"), "6:1: error: expected ')' to close the group of ports, found 'end'"},
      {in_connector("define a b\ndefine a b"), "6:1: error: connector type 'C' has two 'define'\n  hint: leave one"},
      {in_connector("data int x export port I e(x) export port I f(x)"),
       "5:31: error: connector type 'C' has two exported ports\n  hint: a connector exports at most one port"},
      {in_connector("data int x export port I e(x), f(x)"),
       "5:32: error: connector type 'C' has two exported ports\n  hint: a connector exports at most one port"},
      {in_connector("data int x export port I e(x) as f"),
       "5:26: error: the exported port of a connector has one name\n  hint: leave out 'as'"},
      {in_connector("define a b on a' b"),
       "5:16: error: which port is a trigger is said by 'define'\n"
       "  hint: leave out the quote"},
      {in_connector("define a b on a b down { } up { }"),
       "5:28: error: 'up' is out of order\n"
       "  hint: write 'on … provided (…) up {…} down {…}', each at most once"},
      {in_connector("define a b on a b do { }"),
       "5:19: error: 'do' is for transitions\n"
       "  hint: interactions move data with 'up {…}' and 'down {…}'"},
      {in_connector("define a b on"),
       "6:1: error: expected the name of a port, found 'end'\n"
       "  hint: 'end' is a keyword, which cannot be a name"},
      {in_connector("place L"), "5:1: error: expected a declaration or 'end' in connector type 'C', found 'place'"},
  });
}

TEST(BipParserErrors, ErrorsOfCompoundsTellPlaceAndRemedy) {
  expect_errors({
      {in_compound("component A c"),
       "10:1: error: expected '(' behind component 'c', found 'end'\n"
       "  hint: without arguments, write '()'"},
      {in_compound("component A c(1"), "10:1: error: expected ')' to close the arguments, found 'end'"},
      {in_compound("connector C c"), "10:1: error: expected '(' behind connector 'c', found 'end'"},
      {in_compound("connector C c(a.p, b.p"), "10:1: error: expected ')' to close the ports, found 'end'"},
      {in_compound("priority c:* < d:*"),
       "9:10: error: expected the name of the priority, found 'c'\n"
       "  hint: 'priority NAME c1:… < c2:…'"},
      {in_compound("priority r c < d"),
       "9:14: error: expected ':' in the interaction, found '<'\n"
       "  hint: 'CONNECTOR:a.p,b.q', 'CONNECTOR:*' or '*:*'"},
      {in_compound("priority r *:a.p < d:*"),
       "9:14: error: expected '*' behind '*:', found 'a'\n"
       "  hint: 'CONNECTOR:a.p,b.q', 'CONNECTOR:*' or '*:*'"},
      {in_compound("priority r c:* > d:*"),
       "9:16: error: expected '<' in the priority, found '>'\n"
       "  hint: 'priority NAME LOW < HIGH': what gives way is on the left"},
      {in_compound("priority r *:* < *:*"),
       "9:12: error: '*:*' stands on both sides of the priority\n"
       "  hint: name a connector on one side"},
      {in_compound("export a.p as q"), "9:8: error: expected 'port' or 'data' behind 'export', found 'a'"},
      {in_compound("export port a.p"),
       "10:1: error: expected 'as' behind what is exported, found 'end'\n"
       "  hint: 'export port c.p as q'"},
      {in_compound("conector C c(a.p)"),
       "9:1: error: expected a declaration or 'end' in compound type 'T', found "
       "'conector'\n  hint: did you mean 'connector'?"},
      {in_package("compound type T()\nconnector type C(S a) define a end"),
       "3:1: error: expected 'end' of compound type 'T', found 'connector'\n"
       "  hint: the definition begins in line 2"},
  });
}

void expect_unsupported(const std::string& text, const std::string& expected) {
  try {
    parse(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const Unsupported& error) {
    EXPECT_STREQ(error.what(), ("m.bip:" + expected).c_str()) << text;
  } catch (const UserError& error) {
    ADD_FAILURE() << error.what();
  }
}

TEST(BipParserErrors, ConstructsThatAreNotReadAreNamed) {
  expect_unsupported(in_package("use other.pack"),
                     "2:1: error: use of other packages is not supported: 'other'\n"
                     "  hint: put the types into this package");
  const std::string external = "\n  hint: data is of type int or bool, and actions are written out";
  expect_unsupported(in_package("extern data type T"), "2:1: error: external types are not supported" + external);
  expect_unsupported(in_package("extern function f()"), "2:1: error: external functions are not supported" + external);
  expect_unsupported(in_package("extern operator int +(int, int)"),
                     "2:1: error: external operators are not supported" + external);
  expect_unsupported(in_package("port type S(float x)"),
                     "2:13: error: type 'float' is not supported\n  hint: use int or bool");
  expect_unsupported(in_atom("data string s"), "5:6: error: type 'string' is not supported\n  hint: use int or bool");
  expect_unsupported(in_atom("data int x[3]"),
                     "5:10: error: arrays are not supported: 'x'\n"
                     "  hint: use a variable for each element");
  expect_unsupported(in_atom("port other.S p()"),
                     "5:6: error: types of other packages are not supported: 'other.S'\n"
                     "  hint: put the type into this package");
  const std::string petri =
      ": error: Petri nets, with several places in 'from' or 'to', are not supported\n"
      "  hint: make the atom an automaton, with a place for each marking";
  expect_unsupported(in_atom("initial to L, M"), "5:13" + petri);
  expect_unsupported(in_atom("on p from L, M to L"), "5:12" + petri);
  expect_unsupported(in_atom("on p from L to L, M"), "5:17" + petri);
  expect_unsupported(in_atom("clock c"),
                     "5:1: error: 'clock' of real-time BIP is not supported\n"
                     "  hint: count time in data of type int");
  expect_unsupported(in_atom("on p from L to L when (x < 3)"),
                     "5:18: error: 'when' of real-time BIP is not supported\n"
                     "  hint: count time in data of type int");
  expect_unsupported(in_action("x = f(1);"),
                     "8:7: error: calls of functions are not supported: 'f'\n"
                     "  hint: write out what it computes");
  expect_unsupported(in_action("print(x);"),
                     "8:3: error: calls of functions are not supported: 'print'\n"
                     "  hint: write out what it computes");
  expect_unsupported(in_action("while (b) { }"),
                     "8:3: error: loops are not supported: 'while'\n"
                     "  hint: take a transition for each round");
  expect_unsupported(in_action("x[0] = 1;"),
                     "8:3: error: arrays are not supported: 'x'\n"
                     "  hint: use a variable for each element");
  expect_unsupported(in_action("x = 1.5;"),
                     "8:7: error: floating-point numbers are not supported\n"
                     "  hint: data is of type int or bool");
  expect_unsupported(in_action("x = \"a\";"),
                     "8:7: error: strings are not supported\n"
                     "  hint: data is of type int or bool");
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// Line, column and hint aside.
std::string message_of(const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    return error.message();
  }
  return "accepted";
}

TEST(BipParserErrors, WhatIsTooDeepIsAnErrorAndNoCrash) {
  constexpr int kMany = 100'000;
  const std::string expression = "this expression is more than 1000 levels deep";
  const std::string statements = "statements are nested more than 1000 levels deep";
  EXPECT_EQ(message_of(in_action("x = " + repeated("(", kMany) + "1" + repeated(")", kMany) + ";")), expression);
  EXPECT_EQ(message_of(in_action("b = " + repeated("!", kMany) + "b;")), expression);
  EXPECT_EQ(message_of(in_action("x = " + repeated("b ? 1 : ", kMany) + "1;")), expression);
  EXPECT_EQ(message_of(in_action("x = 1" + repeated(" + 1", kMany) + ";")), expression);
  EXPECT_EQ(message_of(in_action(repeated("{", kMany) + repeated("}", kMany))), statements);
  EXPECT_EQ(message_of(in_action(repeated("if (b) ", kMany) + "x = 1;")), statements);
  EXPECT_EQ(message_of(in_action(repeated("if (b) then ", kMany) + "x = 1;")), statements);
  EXPECT_EQ(message_of(in_action(repeated("if (b) x = 1; else ", kMany) + "x = 2;")), statements);
  EXPECT_EQ(message_of(in_connector("define " + repeated("(", kMany) + "a b" + repeated(")", kMany))),
            "groups of ports are nested more than 1000 levels deep");
}

TEST(BipParserErrors, ADepthBelowTheLimitIsRead) {
  constexpr int kMany = 990;
  EXPECT_EQ(message_of(in_action("x = " + repeated("(", kMany) + "1" + repeated(")", kMany) + ";")), "accepted");
  EXPECT_EQ(message_of(in_action("x = 1" + repeated(" + 1", kMany) + ";")), "accepted");
  EXPECT_EQ(message_of(in_action(repeated("if (b) ", kMany) + "x = 1;")), "accepted");
  EXPECT_EQ(message_of(in_connector("define " + repeated("(", kMany) + "a b" + repeated(")", kMany))), "accepted");
}

TEST(BipParserErrors, ChainsOfHighOperandsCountTheirHeights) {
  // Each level adds a chain of 500 to the left operand: no call is deep, but the tree would be.
  std::string text = "1";
  for (int i = 0; i < 10; ++i) text = "(" + text + ")" + repeated(" + 1", 500);
  EXPECT_EQ(message_of(in_action("x = " + text + ";")), "this expression is more than 1000 levels deep");
}

}  // namespace
}  // namespace plumb::bip
