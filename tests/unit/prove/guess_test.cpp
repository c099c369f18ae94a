#include <gtest/gtest.h>

#include "prove/certificate.h"
#include "prove/invariant_at.h"
#include "term/traverse.h"
#include "unit/prove/guess_programs.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;
using Step = GraphProgram::Step;

Budget some_time() { return Budget().with_timeout(60s); }

void expect_holds(const System& system) {
  const Result result = guess_invariants(system, 0, some_time());
  ASSERT_EQ(result.verdict, Verdict::Holds) << result.reason;
  EXPECT_EQ(result.engine, "guess");
  EXPECT_TRUE(result.is_rechecked);
  ASSERT_TRUE(result.certificate);
  const Check check = check_certificate(system, 0, *result.certificate, some_time());
  EXPECT_TRUE(check.is_confirmed()) << check.reason;
}

void expect_not_held(const System& system) {
  const Result result = guess_invariants(system, 0, Budget().with_timeout(500ms));
  EXPECT_NE(result.verdict, Verdict::Holds);
  EXPECT_NE(result.verdict, Verdict::HoldsUpTo);
  if (result.verdict == Verdict::Violated) {
    EXPECT_TRUE(system::replay(system, *result.trace).reaches(0));
  }
}

/// x = n; y = 0; while (x > 0) { x--; y++; } assert(y == n). Broken: y stays where it is when it is 1000.
System count_up_down(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term n = p.parameter("n");
  const Term x = p.parameter("x");
  const Term y = p.variable("y", 0);
  p.add({.assignments = {{x, n}}});
  p.add({.targets = {{s.distinct(x, p.number(0)), 2}, {{}, 3}}});
  const Term more = s.add(y, p.number(1));
  p.add({.assignments = {{x, s.sub(x, p.number(1))}, {y, is_broken ? s.ite(s.eq(y, p.number(1000)), y, more) : more}},
         .targets = {{{}, 1}}});
  p.add({.check = s.eq(y, n)});
  return p.make();
}

TEST(Guess, CountUpDownHoldsByASumOfWords) {
  expect_holds(count_up_down(false));
  expect_not_held(count_up_down(true));
}

/// Two counters that an unknown number of steps moves by the same amounts. Broken: by others.
System lock_step(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term x = p.variable("x", 0);
  const Term y = p.variable("y", 5);
  const Term by = p.any();
  p.add({.targets = {{p.coin(), 1}, {{}, 2}}});
  p.add({.assignments = {{x, s.add(x, by)}, {y, s.add(y, is_broken ? s.bit_and(by, s.bit_not(p.number(8))) : by)}},
         .targets = {{{}, 0}}});
  p.add({.check = s.eq(s.add(x, p.number(5)), y)});
  return p.make();
}

TEST(Guess, CountersInLockStepStayTheirDistanceApart) {
  expect_holds(lock_step(false));
  expect_not_held(lock_step(true));
}

/// x grows by `step` for ever. assert(x % 4 == 2)
System remainders(std::uint64_t step) {
  GraphProgram p;
  auto& s = p.store();
  const Term x = p.variable("x", 2);
  p.add({.assignments = {{x, s.add(x, p.number(step))}},
         .targets = {{{}, 0}},
         .check = s.eq(s.urem(x, p.number(4)), p.number(2))});
  return p.make();
}

TEST(Guess, RemaindersOfPowersOfTwoAreBitsThatNeverChange) {
  expect_holds(remainders(12));
  expect_not_held(remainders(6));
}

/// for (i = 0; i < n; i++) for (j = 0; j < i; j++) assert(j + 1 < n). Broken: j <= i.
System nested(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term n = p.parameter("n");
  const Term i = p.variable("i", 0);
  const Term j = p.variable("j", 0);
  p.add({.targets = {{s.ult(i, n), 1}, {{}, 4}}});
  p.add({.assignments = {{j, p.number(0)}}});
  p.add({.targets = {{is_broken ? s.ule(j, i) : s.ult(j, i), 3}, {{}, 5}}});
  p.add({.assignments = {{j, s.add(j, p.number(1))}}, .targets = {{{}, 2}}, .check = s.ult(s.add(j, p.number(1)), n)});
  p.add({.targets = {{{}, 4}}});
  p.add({.assignments = {{i, s.add(i, p.number(1))}}, .targets = {{{}, 0}}});
  return p.make();
}

TEST(Guess, IndicesOfNestedLoopsAreOrdered) {
  expect_holds(nested(false));
  expect_not_held(nested(true));
}

/// for (i = 0; i < n; i++) s += k; assert(s == i * k). Broken: one k too many when i is 300.
System product(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term n = p.parameter("n");
  const Term k = p.parameter("k");
  const Term i = p.variable("i", 0);
  const Term sum = p.variable("s", 0);
  p.add({.targets = {{s.ult(i, n), 1}, {{}, 2}}});
  const Term more = s.add(sum, k);
  p.add({.assignments = {{sum, is_broken ? s.ite(s.eq(i, p.number(300)), s.add(more, k), more) : more},
                         {i, s.add(i, p.number(1))}},
         .targets = {{{}, 0}}});
  p.add({.check = s.eq(sum, s.mul(i, k))});
  return p.make();
}

TEST(Guess, MultiplicationByAdditionIsAProduct) {
  expect_holds(product(false));
  expect_not_held(product(true));
}

/// for (i = 0; i < n; i++) s += i; assert(2 s == i (i - 1)), in words that the program never multiplies.
TEST(Guess, SumsOfCountersArePolynomials) {
  GraphProgram p;
  auto& s = p.store();
  const Term n = p.parameter("n");
  const Term i = p.variable("i", 0);
  const Term sum = p.variable("s", 0);
  const Term j = p.variable("j", 0);
  const Term again = p.variable("t", 0);
  p.add({.targets = {{s.ult(i, n), 1}, {{}, 2}}});
  p.add({.assignments = {{sum, s.add(sum, i)}, {i, s.add(i, p.number(1))}}, .targets = {{{}, 0}}});
  p.add({.targets = {{s.ult(j, i), 3}, {{}, 4}}});
  p.add({.assignments = {{again, s.add(again, j)}, {j, s.add(j, p.number(1))}}, .targets = {{{}, 2}}});
  p.add({.check = s.eq(s.add(sum, sum), s.add(again, again))});
  expect_holds(p.make());
}

/// lo and hi close in on each other; assert((lo + hi) / 2 < 1000) at each access.
System binary_search(std::uint64_t size) {
  GraphProgram p;
  auto& s = p.store();
  const Term lo = p.variable("lo", 0);
  const Term hi = p.variable("hi", size);
  const Term mid = s.udiv(s.add(lo, hi), p.number(2));
  p.add({.targets = {{s.ult(lo, hi), 1}, {{}, 3}}});
  const Term left = p.coin();
  p.add({.assignments = {{lo, s.ite(left, lo, s.add(mid, p.number(1)))}, {hi, s.ite(left, mid, hi)}},
         .targets = {{{}, 0}},
         .check = s.ult(mid, p.number(1000))});
  p.add({});
  p.add({});
  return p.make();
}

TEST(Guess, IndicesOfABinarySearchStayInTheArray) {
  expect_holds(binary_search(1000));
  expect_not_held(binary_search(2004));
}

/// A lock that is held in two of three states. Broken: it is not given back.
System machine(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term state = p.variable("state", 0);
  const Term held = p.variable("held", 0);
  const Term turns = p.variable("turns", 0);
  const auto is = [&](std::uint64_t value) { return s.eq(state, p.number(value)); };
  const Term go = p.coin();
  const Term next = s.ite(is(0), p.number(3), s.ite(is(3), p.number(7), p.number(0)));
  const Term given = is_broken ? s.ite(s.eq(turns, p.number(2000)), held, p.number(0)) : p.number(0);
  p.add({.assignments = {{state, s.ite(go, next, state)},
                         {held, s.ite(go, s.ite(is(0), p.number(1), s.ite(is(7), given, held)), held)},
                         {turns, s.add(turns, p.number(1))}},
         .targets = {{{}, 0}},
         .check = s.eq(held, s.ite(is(0), p.number(0), p.number(1)))});
  return p.make();
}

TEST(Guess, StatesOfAMachineTellWhatIsHeld) {
  expect_holds(machine(false));
  expect_not_held(machine(true));
}

/// for (i = 0; i < n; i++) with signed numbers, where n may be negative. assert(i == n || n <= 0)
TEST(Guess, CountersOfSignedLoopsEndAtTheirBoundOrAtTheirStart) {
  GraphProgram p;
  auto& s = p.store();
  const Term n = p.parameter("n");
  const Term i = p.variable("i", 0);
  p.add({.targets = {{s.slt(i, n), 1}, {{}, 2}}});
  p.add({.assignments = {{i, s.add(i, p.number(1))}}, .targets = {{{}, 0}}});
  p.add({.check = s.bit_or(s.eq(i, n), s.sle(n, p.number(0)))});
  expect_holds(p.make());
}

TEST(Guess, SystemsWithoutAProgramCounterAreOnePlace) {
  expect_holds(counter(32, 1000000, 1000001));
  expect_not_held(counter(32, 1000000, 999999));
}

/// greatest is that of four elements. assert(a[i] <= greatest) in a loop of its own. Broken: the last is left out.
System maximum(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term a = p.array("a", 2, 4);
  const Term i = p.variable("i", 0);
  const Term greatest = p.variable("greatest", 0);
  const Term element = s.select(a, s.extract(i, 1, 0));
  const Term more = s.add(i, p.number(1));
  p.add({.targets = {{s.ult(i, p.number(is_broken ? 3 : 4)), 1}, {{}, 2}}});
  p.add({.assignments = {{greatest, s.ite(s.ult(greatest, element), element, greatest)}, {i, more}},
         .targets = {{{}, 0}}});
  p.add({.assignments = {{i, p.number(0)}}});
  p.add({.targets = {{s.ult(i, p.number(4)), 4}, {{}, 5}}});
  p.add({.assignments = {{i, more}}, .targets = {{{}, 3}}, .check = s.ule(element, greatest)});
  p.add({});
  return p.make();
}

TEST(Guess, ElementsBelowAnIndexAreAtMostTheGreatest) {
  expect_holds(maximum(false));
  expect_not_held(maximum(true));
}

/// Three attributes that events change together; what an event does depends on two of them.
System events(bool is_broken) {
  GraphProgram p;
  auto& s = p.store();
  const Term a = p.variable("a", 3);
  const Term b = p.variable("b", 8);
  const Term c = p.variable("c", 5);
  const Term event = p.any();
  const auto rule = [&](std::uint64_t number, std::uint64_t if_a, std::uint64_t if_b) {
    return s.bit_and(s.eq(event, p.number(number)), s.bit_and(s.eq(a, p.number(if_a)), s.eq(b, p.number(if_b))));
  };
  const Term first = rule(1, 3, 8);
  const Term second = rule(2, 7, 8);
  const Term third = rule(3, 7, 2);
  p.add({.assignments = {{a, s.ite(first, p.number(7), s.ite(third, p.number(3), a))},
                         {b, s.ite(second, p.number(2), s.ite(third, p.number(8), b))},
                         {c, s.ite(second, p.number(is_broken ? 5 : 9), s.ite(third, p.number(5), c))}},
         .targets = {{{}, 0}},
         .check =
             s.bit_not(s.all_of(std::vector<Term>{s.eq(a, p.number(7)), s.eq(b, p.number(2)), s.eq(c, p.number(5))}))});
  return p.make();
}

TEST(Guess, AttributesOfAnEventSystemHaveFewValuesTogether) {
  expect_holds(events(false));
  expect_not_held(events(true));
}

TEST(Guess, AnInvariantMayHelpAnInduction) {
  const System system = counter(8, 5, 200);
  Certificate certificate{Certificate::Kind::Induction, "(bvule count #x05)", 0, 1};
  EXPECT_TRUE(check_certificate(system, 0, certificate, some_time()).is_confirmed());
  certificate.invariant = "(bvule count #x04)";
  EXPECT_EQ(check_certificate(system, 0, certificate, some_time()).outcome, Check::Outcome::Refused);
  certificate.invariant = "(bvule count #xff)";
  EXPECT_EQ(check_certificate(system, 0, certificate, some_time()).outcome, Check::Outcome::Refused);
  certificate.invariant.clear();
  EXPECT_EQ(check_certificate(system, 0, certificate, some_time()).outcome, Check::Outcome::Refused);
  const System unsafe = counter(8, 5, 4);
  certificate.invariant = "(bvule count #x03)";
  EXPECT_EQ(check_certificate(unsafe, 0, certificate, some_time()).outcome, Check::Outcome::Refused);
}

TEST(Guess, AnInvariantOfAnInductionComesBackFromAFile) {
  const System system = counter(8, 5, 200);
  const Certificate certificate{Certificate::Kind::Induction, "(bvule count #x05)", 0, 2};
  const std::string text = write_certificate(system, {"counter", "target", 0, "guess", certificate});
  EXPECT_EQ(read_certificate(system, text, "file").certificate, certificate);
}

TEST(Guess, InvariantsAreSaidPlaceByPlace) {
  System system = count_up_down(false);
  const Result result = guess_invariants(system, 0, some_time());
  ASSERT_EQ(result.verdict, Verdict::Holds);
  std::size_t pc = 0;
  while (system.state_name(pc) != "pc") ++pc;
  const std::uint32_t width = system.store().width(system.states()[pc].variable);
  std::size_t somewhere = 0;
  std::size_t nowhere = 0;
  for (std::uint64_t value = 0; value < (std::uint64_t{1} << width); ++value) {
    const std::vector<Term> said = invariant_at(system, *result.certificate, pc, BitVector(width, value));
    if (said.size() == 1 && system.store().is_false(said.front())) {
      ++nowhere;
    } else if (!said.empty()) {
      ++somewhere;
    }
    for (const Term t : said) {
      const Term root[] = {t};
      for (const Term variable : term::support(system.store(), root)) EXPECT_NE(variable, system.states()[pc].variable);
    }
  }
  EXPECT_GE(somewhere, 1U);
  EXPECT_EQ(nowhere, 1U);
}

TEST(Guess, ABudgetThatEndsIsUnknownWithItsReason) {
  const Budget none = Budget().with_timeout(0s);
  const Result result = guess_invariants(count_up_down(false), 0, none);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "out of time");
}

TEST(Guess, TheSameSeedGivesTheSameInvariant) {
  const System system = lock_step(false);
  const Result a = guess_invariants(system, 0, some_time());
  const Result b = guess_invariants(system, 0, some_time());
  ASSERT_TRUE(a.certificate && b.certificate);
  EXPECT_EQ(*a.certificate, *b.certificate);
}

}  // namespace
}  // namespace plumb::prove
