#include "lang/smtlib/script.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

#include "base/error.h"

namespace plumb::smtlib {
namespace {

struct Outcome {
  std::string output;
  std::string error;  ///< what() of a UserError, or empty
  RunResult result;
};

Outcome run(const std::string& text, const Budget& budget = {}) {
  term::TermStore store;
  std::ostringstream out;
  Outcome outcome;
  Script script(
      store,
      [](term::TermStore& s, const solve::SolverOptions& options) { return solve::make_solver(s, "native", options); },
      {budget, "0"}, out);
  try {
    script.run(text, "t");
  } catch (const UserError& error) {
    outcome.error = error.what();
  }
  outcome.output = out.str();
  outcome.result = script.result();
  return outcome;
}

std::string output(const std::string& text) {
  const Outcome outcome = run(text);
  EXPECT_EQ(outcome.error, "") << text;
  return outcome.output;
}

std::string nested(std::size_t depth, const std::string& open, const std::string& middle, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += middle;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(Script, AnswersAndShowsModels) {
  EXPECT_EQ(output("(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-fun |b c| () Bool)"
                   "(assert (= (bvmul x #x03) #x0f))(assert |b c|)(check-sat)(get-model)"
                   "(get-value (x   (bvadd x\n #x01) ; comment\n |b c|))"),
            "sat\n(\n  (define-fun x () (_ BitVec 8) #x05)\n  (define-fun |b c| () Bool true)\n)\n"
            "((x #x05)\n ((bvadd x #x01) #x06)\n (|b c| true))\n");
}

TEST(Script, ShowsArraysAsStoresIntoAConstantArray) {
  EXPECT_EQ(output("(declare-const a (Array (_ BitVec 2) (_ BitVec 4)))"
                   "(assert (= a (store (store ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0) #b01 #x7) #b10 #x0)))"
                   "(check-sat)(get-value (a))"),
            "sat\n((a (store ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0) #b01 #x7)))\n");
}

TEST(Script, BooleanElementsOfArraysArePrintedAsBooleans) {
  EXPECT_EQ(
      output("(declare-const a (Array Bool Bool))(assert (= a (store ((as const (Array Bool Bool)) false) true true)))"
             "(check-sat)(get-value (a (select a true)))"),
      "sat\n((a (store ((as const (Array Bool Bool)) false) true true))\n ((select a true) true))\n");
}

TEST(Script, PopForgetsAssertionsDeclarationsAndSorts) {
  EXPECT_EQ(output("(declare-const p Bool)(assert p)(push 2)(declare-const x Bool)(define-sort S () Bool)(assert (not "
                   "p))(check-sat)"
                   "(pop 2)(check-sat)(declare-const x (_ BitVec 4))(define-sort S () (_ BitVec 4))(declare-const y S)"
                   "(assert (= x y))(check-sat)"),
            "unsat\nsat\nsat\n");
  EXPECT_NE(run("(push 1)(declare-const x Bool)(pop 1)(assert x)").error.find("t:1:46: error: unknown symbol 'x'"),
            std::string::npos);
  EXPECT_NE(run("(push 1)(pop 2)").error.find("pop of 2 scopes, 1 are open"), std::string::npos);
}

TEST(Script, GlobalDeclarationsOutliveTheirScope) {
  EXPECT_EQ(output("(set-option :global-declarations true)(push 1)(declare-const x Bool)(pop 1)(assert x)(check-sat)"),
            "sat\n");
}

TEST(Script, FunctionsWithParametersAreExpanded) {
  EXPECT_EQ(output("(declare-const x (_ BitVec 8))(define-fun twice ((a (_ BitVec 8))) (_ BitVec 8) (bvadd a a))"
                   "(define-fun swap ((x (_ BitVec 8)) (y (_ BitVec 8))) (_ BitVec 8) (bvsub y x))"
                   "(define-fun k () (_ BitVec 8) #x03)(define-const l (_ BitVec 8) #x04)"
                   "(assert (= x (twice (twice k))))(check-sat)(get-value (x (swap x l) (twice x)))"),
            "sat\n((x #x0c)\n ((swap x l) #xf8)\n ((twice x) #x18))\n");
  EXPECT_NE(
      run("(define-fun f ((a Bool)) Bool a)(assert (f #b1))").error.find("operand 1 has sort (_ BitVec 1), not Bool"),
      std::string::npos);
  EXPECT_NE(
      run("(define-fun f ((a Bool)) (_ BitVec 1) a)").error.find("is declared (_ BitVec 1), its body has sort Bool"),
      std::string::npos);
  EXPECT_NE(run("(define-fun f ((a Bool)) Bool (! a :named n))").error.find("cannot be named"), std::string::npos);
}

TEST(Script, SortsByDefinitionTakeParameters) {
  EXPECT_EQ(output("(define-sort Mem (I) (Array I (_ BitVec 8)))(define-sort Id (X) X)(define-sort W () (_ BitVec 4))"
                   "(declare-const m (Id (Id (Mem (Id W)))))(assert (= (select m #x3) #x41))(check-sat)(get-value "
                   "((select m #x3)))"),
            "sat\n(((select m #x3) #x41))\n");
  EXPECT_NE(run("(declare-const a (Array Bool (Array Bool Bool)))").error.find("array of arrays"), std::string::npos);
}

TEST(Script, LetIsParallelAndShadows) {
  EXPECT_EQ(output("(declare-const x Bool)(assert (let ((x (not x)) (y x)) (let ((z (and x (not y)))) "
                   "z)))(check-sat)(get-value (x))"),
            "sat\n((x false))\n");
}

TEST(Script, UnsatCoresNameAssertions) {
  const std::string text =
      "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)"
      "(assert (! p :named P))(assert (! r :named |R 1|))(assert (! (=> p q) :named PQ))(assert (! (not q) :named NQ))"
      "(check-sat)(get-unsat-core)";
  EXPECT_EQ(output(text), "unsat\n(P PQ NQ)\n");
  EXPECT_NE(
      run("(declare-const p Bool)(assert (and p (not p)))(check-sat)(get-unsat-core)").error.find("cores are off"),
      std::string::npos);
}

TEST(Script, UnsatAssumptionsAreShownAsWritten) {
  EXPECT_EQ(output("(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (or p q))"
                   "(check-sat-assuming (r (not p) (not q)))(get-unsat-assumptions)(check-sat-assuming (r (not "
                   "p)))(get-value (q))"),
            "unsat\n((not p) (not q))\nsat\n((q true))\n");
}

TEST(Script, NamedTermsHaveAnAssignment) {
  EXPECT_EQ(
      output(
          "(declare-const p Bool)(assert (and (! p :named a) (not (! (not p) :named b))))(check-sat)(get-assignment)"),
      "sat\n((a true) (b false))\n");
}

TEST(Script, AssertionsAreShownAsWritten) {
  EXPECT_EQ(output("(declare-const p Bool)(assert (or  p\n true))(push)(assert (! p :named "
                   "n))(get-assertions)(pop)(get-assertions)"),
            "((or p true)\n (! p :named n))\n((or p true))\n");
}

TEST(Script, OptionsAndInformation) {
  EXPECT_EQ(output("(set-option :print-success true)(set-option :print-success false)(set-option :fancy (a "
                   "b))(get-option :random-seed)"
                   "(get-option :fancy)(get-info :name)(get-info :error-behavior)(get-info :odd)(set-info :source "
                   "|a\nb|)(echo \"a\"\"b\")"),
            "success\nunsupported\n0\nunsupported\n(:name \"Plumbline\")\n(:error-behavior "
            "immediate-exit)\nunsupported\n\"a\"\"b\"\n");
}

TEST(Script, ResetForgetsEverythingAndResetAssertionsKeepsOptions) {
  EXPECT_EQ(
      output(
          "(declare-const p Bool)(assert p)(assert (not p))(check-sat)(reset)(declare-const p (_ BitVec 2))(check-sat)"
          "(assert (bvult p #b00))(check-sat)(reset-assertions)(declare-const p Bool)(assert "
          "p)(check-sat)(exit)(nonsense"),
      "unsat\nsat\nunsat\nsat\n");
}

TEST(Script, AskingForAModelAfterUnsatIsAnsweredAndTheRunGoesOn) {
  EXPECT_EQ(output("(assert false)(check-sat)(get-model)(echo \"on\")"),
            "unsat\n(error \"get-model: no model, the answer was unsat\")\n\"on\"\n");
  EXPECT_NE(run("(check-sat)(assert true)(get-model)").error.find("t:1:26: error: get-model: there is no answer"),
            std::string::npos);
}

TEST(Script, AnErrorKeepsTheAnswersBeforeIt) {
  const Outcome outcome = run("(check-sat)\n(declare-const x (_ BitVec 8))\n(assert\n  (bvult x #x1))");
  EXPECT_EQ(outcome.output, "sat\n");
  EXPECT_EQ(outcome.result.sat, 1U);
  EXPECT_NE(outcome.error.find("t:4:4: error: bvult: operands have widths 8 and 4"), std::string::npos)
      << outcome.error;
}

TEST(Script, BadCommandsAreLocated) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"check-sat", "t:1:1: error: expected '(' before a command, found 'check-sat'"},
      {"(check-sat", "t:1:11: error: unexpected end of file, expected ')'"},
      {"((", "t:1:2: error: expected a command, found '('"},
      {"(assert #b1)", "t:1:9: error: assert: needs Bool, has (_ BitVec 1)"},
      {"(declare-const x Bool)\n(declare-const x Bool)", "t:2:16: error: 'x' is already defined"},
      {"(declare-const let Bool)", "'let' is a reserved word"},
      {"(declare-const bvadd Bool)", "'bvadd' is already defined"},
      {"(declare-const x (_ BitVec 0))", "a bit-vector of 0 bits"},
      {"(declare-const x (_ BitVec 99999999999))", "a width is too large"},
      {"(declare-const x Foo)", "unknown sort 'Foo'"},
      {"(declare-const x Int)", "unsupported: sort Int"},
      {"(declare-fun f (Bool) Bool)", "unsupported: uninterpreted function 'f'"},
      {"(frob", "t:1:6: error: unexpected end of file, expected an s-expression"},
      {"(set-logic QF_LIA)", "unsupported: logic QF_LIA"},
      {"(echo |x)", "unexpected end of file in a quoted symbol"},
      {"(echo \"x)", "unexpected end of file in a string"},
      {"(assert \x01)", "t:1:9: error: unexpected byte 0x01"},
      {"(assert #q1)", "expected #x"},
      {"(assert 1x)", "a symbol cannot start with a digit"},
      {"(assert (! true :named))", "expected a name after :named"},
      {"(get-value ())", "needs a term"},
      {"; only a comment\n)", "t:2:1: error: expected '('"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_NE(run(text).error.find(message), std::string::npos) << text << "\n" << run(text).error;
}

TEST(Script, ACommandThatOnlyAsksAndIsUnknownChangesNothing) {
  for (const std::string command : {"(get-proof)", "(get-objectives)", "(eval (+ x 1))", "(simplify x)", "(help)",
                                    "(get-interpolant A (= x y))", "(display |a)b| \")\")"})
    EXPECT_EQ(
        output("(declare-const x Bool)(assert x)(check-sat)" + command + "(get-value (x))(assert (not x))(check-sat)"),
        "sat\nunsupported\n((x true))\nunsat\n")
        << command;
}

TEST(Script, AfterACommandThatIsNotFollowedChecksAreUnknownUpToAReset) {
  for (const std::string command :
       {"(declare-sort S 0)", "(declare-datatype L ((nil)))", "(declare-datatypes ((L 0)) (((nil))))",
        "(define-fun-rec f ((x Bool)) Bool (f x))", "(define-funs-rec ((f ((x Bool)) Bool)) ((f x)))", "(frob)",
        "(frob (a (b c)) :d \"(\" |)|)", "(minimize x)", "(assert-soft x :weight 2)", "(rule (q x))", "(Check-sat)",
        "(assert! x)"}) {
    const std::string name = command.substr(1, command.find_first_of(" )") - 1);
    for (const bool check_before : {false, true}) {
      const std::string before = check_before ? "(check-sat)" : "";
      const Outcome outcome =
          run("(declare-const x Bool)" + before + "\n" + command +
              "(check-sat)(get-info :reason-unknown)(push)(assert false)(check-sat)(pop)"
              "(check-sat-assuming (x))(reset-assertions)(check-sat)(reset)(assert false)(check-sat)");
      EXPECT_EQ(outcome.error, "") << command;
      EXPECT_EQ(outcome.result.unknown, 4U) << command;
      EXPECT_EQ(outcome.result.unsat, 1U) << command;
      EXPECT_EQ(outcome.result.sat, check_before ? 1U : 0U) << command;
      EXPECT_TRUE(outcome.output.starts_with(check_before ? "sat\nunsupported\nunknown\n(:reason-unknown"
                                                          : "unsupported\nunknown\n(:reason-unknown"))
          << outcome.output;
      EXPECT_NE(outcome.output.find(name), std::string::npos) << outcome.output;
      EXPECT_NE(outcome.output.find("at line 2 was not followed"), std::string::npos) << outcome.output;
    }
  }
}

TEST(Script, WhatUsesNamesOfAnIgnoredCommandIsUnsupportedAndTheRunGoesOn) {
  EXPECT_EQ(output("(define-fun-rec f ((x Bool)) Bool (f x))(declare-const p Bool)(declare-const s S)"
                   "(assert (let ((p (not p)) (q p)) (let ((r q)) (and p r (f q)))))(assert (not p))(check-sat)"
                   "(define-fun g ((p (_ BitVec 3))) Bool (let ((p (f p))) p))(check-sat-assuming ((f p)))"
                   "(get-value ((f p)))(echo \"on\")(reset)(declare-const p Bool)(assert p)(check-sat)(get-value (p))"),
            "unsupported\nunsupported\nunsupported\nunknown\nunsupported\nunknown\nunsupported\n\"on\"\nsat\n"
            "((p true))\n");
  // Names have their meaning after a let that was left in the middle.
  EXPECT_EQ(output("(frob)(declare-const p Bool)(assert (let ((p #b101)) (f p)))(define-fun g ((p (_ BitVec 3))) Bool "
                   "(f p))(assert (or p (not p)))(check-sat)"),
            "unsupported\nunsupported\nunsupported\nunknown\n");
  EXPECT_NE(run("(assert (f true))(frob)").error.find("unknown symbol 'f'"), std::string::npos);
  EXPECT_NE(run("(frob)(assert (f true)").error.find("unexpected end of file"), std::string::npos);
  EXPECT_NE(run("(frob)(pop 1)").error.find("pop of 1 scopes"), std::string::npos);
}

TEST(Script, EveryCommandOfTheStandardIsKnown) {
  // SMT-LIB 2.6, section 4.2 and appendix B.
  const std::string script =
      "(set-logic QF_ABV)(set-info :status sat)(set-option :produce-unsat-cores true)(set-option :print-success true)"
      "(set-option :print-success false)(declare-const x (_ BitVec 4))(declare-fun y () (_ BitVec 4))"
      "(define-sort B () Bool)(define-fun f ((a B)) B (not a))(define-const c B (f true))"
      "(assert (! (= x y) :named same))(get-assertions)(check-sat)(get-value (x))(get-assignment)(get-model)"
      "(check-sat-assuming ((not (= x y))))(get-unsat-assumptions)(get-unsat-core)(get-info :name)"
      "(get-option :produce-models)(push 1)(pop 1)(echo \"e\")(get-proof)(reset-assertions)(reset)";
  const Outcome outcome = run(script + "(exit)(frob)");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.result.unknown, 0U) << outcome.output;
}

TEST(Script, DepthCostsNoStack) {
  constexpr std::size_t kDepth = 200'000;
  EXPECT_EQ(output("(declare-const p Bool)(assert " + nested(kDepth, "(let ((p (not p))) ", "p", ")") +
                   ")(check-sat)(get-value (p))"),
            "sat\n((p true))\n");
  EXPECT_EQ(output("(declare-const p Bool)(assert " + nested(kDepth, "(let ((q ", "p", ")) q)") + ")(check-sat)"),
            "sat\n");
  EXPECT_EQ(output("(declare-const p Bool)(assert " + nested(kDepth, "(! ", "p", " :x)") + ")(check-sat)"), "sat\n");
  EXPECT_EQ(output("(set-info :x " + nested(kDepth, "(", "", ")") + ")(check-sat)"), "sat\n");
  EXPECT_EQ(
      output("(define-sort I (X) X)(declare-const p " + nested(kDepth, "(I ", "Bool", ")") + ")(assert p)(check-sat)"),
      "sat\n");
  EXPECT_EQ(output("(declare-const p Bool)(declare-const q (_ BitVec 8))(assert (= q " +
                   nested(kDepth, "(bvxor #x01 (bvadd q ", "q", "))") + "))(push)(pop)"),
            "");
}

TEST(Script, UnclosedParenthesesEndInALocatedError) {
  EXPECT_NE(run("(assert " + nested(3'000'000, "(not", "", "")).error.find("unexpected end of file"),
            std::string::npos);
  EXPECT_NE(run(std::string(10'000'000, '(')).error.find("t:1:2: error: expected a command, found '('"),
            std::string::npos);
}

TEST(Script, ACallCostsNoMoreThanItsBody) {
  // Each function calls its predecessor once on a large shared argument: quadratic expansion would take minutes.
  std::string text =
      "(declare-const x (_ BitVec 32))(define-fun f0 ((a (_ BitVec 32))) (_ BitVec 32) (bvxor (bvmul a x) a))";
  constexpr int kCalls = 20'000;
  text += "(define-fun c0 () (_ BitVec 32) (f0 x))";
  for (int i = 1; i < kCalls; ++i)
    text += "(define-fun c" + std::to_string(i) + " () (_ BitVec 32) (f0 c" + std::to_string(i - 1) + "))";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(output(text), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Script, AnExponentialExpansionEndsWithTheBudget) {
  std::string text =
      "(declare-const x (_ BitVec 32))(define-fun f0 ((a (_ BitVec 32))) (_ BitVec 32) (bvmul (bvadd a x) a))";
  for (int i = 1; i < 60; ++i) {
    const std::string before = std::string("f").append(std::to_string(i - 1));
    text +=
        "(define-fun f" + std::to_string(i) + " ((a (_ BitVec 32))) (_ BitVec 32) (" + before + " (" + before + " a)))";
  }
  const Outcome outcome = run(text, Budget().with_timeout(std::chrono::duration<double>(0.3)));
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.result.stopped.find("out of time"), std::string::npos);
  EXPECT_EQ(outcome.output, "");
  const Outcome checked =
      run(text + "(check-sat)(check-sat)", Budget().with_timeout(std::chrono::duration<double>(0.3)));
  EXPECT_EQ(checked.output, "unknown\n");
  EXPECT_EQ(checked.result.unknown, 1U);
}

TEST(Script, ABudgetThatEndedMakesChecksUnknown) {
  const Outcome outcome =
      run("(check-sat)(get-info :reason-unknown)", Budget().with_timeout(std::chrono::duration<double>(0)));
  EXPECT_EQ(outcome.output, "unknown\n(:reason-unknown \"out of time\")\n");
  EXPECT_EQ(outcome.result.unknown, 1U);
}

TEST(OneShot, IsTrueOnlyForOneCheckWithoutScopes) {
  EXPECT_TRUE(is_one_shot("(declare-const push1 Bool)(assert push1)(check-sat)(get-model)"));
  EXPECT_TRUE(is_one_shot(""));
  EXPECT_FALSE(is_one_shot("(check-sat)(check-sat)"));
  EXPECT_FALSE(is_one_shot("(check-sat)( ;c\ncheck-sat-assuming (a))"));
  EXPECT_FALSE(is_one_shot("(push 1)(check-sat)"));
  EXPECT_FALSE(is_one_shot("(\tpush)(check-sat)"));
  EXPECT_FALSE(is_one_shot("(push;\n1)(check-sat)"));
}

}  // namespace
}  // namespace plumb::smtlib
