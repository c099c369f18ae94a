#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "prove/certificate.h"
#include "prove/modes/mode_table.h"
#include "prove/prove.h"
#include "system/copy.h"
#include "term/evaluator.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

Budget some_time() { return Budget().with_timeout(60s); }

void expect_holds(const System& system) {
  const Result result = prove_by_modes(system, 0, some_time());
  ASSERT_EQ(result.verdict, Verdict::Holds) << result.reason;
  EXPECT_EQ(result.engine, "modes");
  EXPECT_TRUE(result.is_rechecked);
  ASSERT_TRUE(result.certificate);
  const Check check = check_certificate(system, 0, *result.certificate, some_time());
  EXPECT_TRUE(check.is_confirmed()) << check.reason;
}

/// A ring of machines that are idle (0), have the token (1) or work with it (2); an input says who moves. Bad: two have
/// it. Broken: the first makes a second token when a counter has come to its end, which random runs do not see.
System token_ring(std::size_t size, bool is_broken) {
  System system;
  auto& s = system.store();
  const Term who = system.add_input(term::Sort{8}, "who");
  std::vector<Term> machines;
  for (std::size_t i = 0; i < size; ++i) machines.push_back(system.add_state(term::Sort{2}, "m" + std::to_string(i)));
  const Term counter = system.add_state(term::Sort{20}, "counter");
  const auto is = [&](std::size_t i, std::uint64_t place) { return s.eq(machines[i % size], s.constant(2, place)); };
  const auto moves = [&](std::size_t i) { return s.eq(who, s.constant(8, i % size)); };
  std::vector<Term> bads;
  for (std::size_t i = 0; i < size; ++i) {
    system.set_init(i, s.constant(2, i == 0 ? 1 : 0));
    const std::size_t before = i + size - 1;
    const Term gets = s.bit_and(is(i, 0), s.bit_and(moves(before), is(before, 2)));
    const Term works = s.bit_and(is(i, 1), moves(i));
    const Term gives = s.bit_and(is(i, 2), moves(i));
    Term next =
        s.ite(gets, s.constant(2, 1), s.ite(works, s.constant(2, 2), s.ite(gives, s.constant(2, 0), machines[i])));
    if (is_broken && i == 0) next = s.ite(s.eq(counter, s.ones(20)), s.constant(2, 1), next);
    system.set_next(i, next);
    for (std::size_t j = i + 1; j < size; ++j) bads.push_back(s.bit_and(s.bit_not(is(i, 0)), s.bit_not(is(j, 0))));
  }
  system.set_init(size, s.constant(20, 0));
  system.set_next(size, s.add(counter, s.constant(20, 1)));
  system.add_bad(s.any_of(bads), "two tokens");
  return system;
}

TEST(Modes, OneTokenInARingOfTwelve) { expect_holds(token_ring(12, false)); }

TEST(Modes, ATokenThatIsMadeInStepAMillionIsNotMissed) {
  const Result result = prove_by_modes(token_ring(4, true), 0, some_time());
  EXPECT_EQ(result.verdict, Verdict::Unknown);
}

/// Clients ask a server, which answers whoever waits. Bad: it is at work for nobody, so that nothing can ever end that.
System server(std::size_t clients) {
  System system;
  auto& s = system.store();
  const Term who = system.add_input(term::Sort{4}, "who");
  std::vector<Term> waits;
  for (std::size_t i = 0; i < clients; ++i)
    waits.push_back(system.add_state(term::Sort{1}, "waits" + std::to_string(i)));
  const Term busy = system.add_state(term::Sort{1}, "busy");
  std::vector<Term> asks;
  std::vector<Term> leaves;
  for (std::size_t i = 0; i < clients; ++i) {
    const Term moves = s.eq(who, s.constant(4, i));
    asks.push_back(s.bit_and(moves, s.bit_and(s.bit_not(waits[i]), s.bit_not(busy))));
    leaves.push_back(s.bit_and(moves, s.bit_and(waits[i], busy)));
    system.set_init(i, s.boolean(false));
    system.set_next(i, s.bit_or(asks[i], s.bit_and(waits[i], s.bit_not(leaves[i]))));
  }
  system.set_init(clients, s.boolean(false));
  system.set_next(clients, s.bit_or(s.any_of(asks), s.bit_and(busy, s.bit_not(s.any_of(leaves)))));
  system.add_bad(s.bit_and(busy, s.bit_not(s.any_of(waits))), "busy for nobody");
  return system;
}

TEST(Modes, WhereTheServerIsBusySomebodyWaits) { expect_holds(server(9)); }

/// A value goes to a copy when that is fetched, and the value changes only before. Bad: a copy that differs.
System copied_value() {
  System system;
  auto& s = system.store();
  const Term input = system.add_input(term::Sort{16}, "input");
  const Term act = system.add_input(term::Sort{1}, "act");
  const Term value = system.add_state(term::Sort{16}, "value");
  const Term copy = system.add_state(term::Sort{16}, "copy");
  const Term place = system.add_state(term::Sort{2}, "place");  // 0 choosing, 1 chosen, 2 copied
  const auto at = [&](std::uint64_t k) { return s.eq(place, s.constant(2, k)); };
  system.set_init(0, s.constant(16, 0));
  system.set_next(0, s.ite(at(0), input, value));
  system.set_init(1, s.constant(16, 0));
  system.set_next(1, s.ite(s.bit_and(at(1), act), value, copy));
  system.set_init(2, s.constant(2, 0));
  system.set_next(
      2, s.ite(s.bit_and(at(0), act), s.constant(2, 1), s.ite(s.bit_and(at(1), act), s.constant(2, 2), place)));
  system.add_bad(s.bit_and(at(2), s.distinct(value, copy)), "copy differs");
  return system;
}

TEST(Modes, ACopyEqualsItsValueWhereItWasFetched) { expect_holds(copied_value()); }

/// All that the table believes, and that it believes all that two literals can say.
TEST(ModeTable, OfManyValuesEndsWithItsBudget) {
  std::mt19937_64 random(7);
  System system;
  for (int i = 0; i < 100; ++i) system.add_state(term::Sort{32}, "s" + std::to_string(i));
  std::vector<ModeTable::State> states(90, ModeTable::State(100));
  for (ModeTable::State& state : states)
    for (std::uint64_t& value : state) value = random() & 0xffffffff;
  const ModeTable table(system, states, {});
  const Budget ended = Budget().with_timeout(std::chrono::seconds(0));
  EXPECT_THROW(table.relations(ModeTable::Scope::Wide, ended), OutOfBudget);
  EXPECT_THROW(ModeTable(system, states, ended), OutOfBudget);
}

TEST(ModeTable, BelievesWhatHoldsInAllStatesAndNoLess) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    System system;
    for (int i = 0; i < 4; ++i) system.add_state(term::Sort{2}, "s" + std::to_string(i));
    std::vector<ModeTable::State> states;
    for (int i = 0; i < 8; ++i) {
      states.emplace_back();
      for (int j = 0; j < 4; ++j) states.back().push_back(random() % 3);
    }
    const ModeTable table(system, states, {});
    for (const auto scope : {ModeTable::Scope::Narrow, ModeTable::Scope::Wide}) {
      const std::vector<ModeTable::Relation> believed = table.relations(scope, {});
      for (std::uint64_t code = 0; code < 256; ++code) {
        term::Assignment assignment;
        ModeTable::State state;
        for (std::size_t j = 0; j < 4; ++j) {
          state.push_back(code >> (2 * j) & 3);
          assignment[system.states()[j].variable] = BitVector(2, state[j]);
        }
        const auto seen = [&](std::size_t a, std::size_t b) {
          return std::ranges::any_of(states, [&](const auto& s) { return s[a] == state[a] && s[b] == state[b]; });
        };
        bool are_pairs_seen = true;
        for (std::size_t a = 0; a < 4; ++a)
          for (std::size_t b = 0; b < 4; ++b) are_pairs_seen = are_pairs_seen && seen(a, b);
        term::Evaluator evaluator(system.store(), assignment);
        bool is_believed = true;
        for (const ModeTable::Relation& relation : believed) {
          EXPECT_EQ(relation.holds(state), evaluator.is_true(relation.term(system, system.store())));
          is_believed = is_believed && relation.holds(state);
        }
        const bool is_seen = std::ranges::find(states, state) != states.end();
        EXPECT_TRUE(is_believed || !is_seen);
        // In the narrow scope, what was never seen is excluded by itself.
        EXPECT_FALSE(is_believed && !are_pairs_seen) << "two values that were never seen together are believed in";
      }
    }
  }
}

}  // namespace
}  // namespace plumb::prove
