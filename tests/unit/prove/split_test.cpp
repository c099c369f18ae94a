#include "prove/split.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "prove/certificate.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;
using Outcome = Check::Outcome;

/// Two nested loops to a free `bound`, at most 3, that count how often an input is equal to a free `data`, which bounds
/// nothing. Bad: it was more than `most` times.
System nested_loops(std::uint64_t most) {
  System system;
  auto& store = system.store();
  const Term pc = system.add_state({1, 0}, "pc");
  const Term bound = system.add_state({2, 0}, "the bound");
  const Term data = system.add_state({2, 0}, "data");
  const Term i = system.add_state({2, 0}, "i");
  const Term j = system.add_state({2, 0}, "j");
  const Term count = system.add_state({4, 0}, "count");
  const Term value = system.add_input({2, 0}, "value");
  for (const std::size_t zero : {3U, 4U}) system.set_init(zero, store.zero(2));
  system.set_init(0, store.zero(1));
  system.set_init(5, store.zero(4));
  const Term one = store.one(2);
  const Term runs = store.bit_and(store.bit_not(pc), store.ult(i, bound));
  const Term is_last = store.ule(store.sub(bound, one), j);
  system.set_next(0, store.bit_or(pc, store.bit_not(runs)));
  system.set_next(1, bound);
  system.set_next(2, data);
  system.set_next(3, store.ite(store.bit_and(runs, is_last), store.add(i, one), i));
  system.set_next(4, store.ite(runs, store.ite(is_last, store.zero(2), store.add(j, one)), j));
  system.set_next(5, store.ite(store.bit_and(runs, store.eq(value, data)), store.add(count, store.one(4)), count));
  system.add_bad(store.bit_and(pc, store.ult(store.constant(4, most), count)), "turns");
  return system;
}

TEST(Split, TellsApartWhatBoundsALoopAndNotWhatIsData) {
  const Result result = bmc_split(nested_loops(9), 0, Budget());
  ASSERT_EQ(result.verdict, Verdict::Holds) << result.reason;
  ASSERT_EQ(result.certificate->split, std::vector<std::string>{"the bound"});
  EXPECT_EQ(result.certificate->kind, Certificate::Kind::Exhaustion);
}

TEST(Split, ACounterexampleSaysWhatTheStatesWereThatWereToldApart) {
  const System system = nested_loops(5);
  for (const unsigned threads : {1U, 3U}) {
    SplitOptions options;
    options.threads = threads;
    const Result result = bmc_split(system, 0, Budget(), options);
    ASSERT_EQ(result.verdict, Verdict::Violated);
    EXPECT_TRUE(system::replay(system, *result.trace).reaches(0));
    EXPECT_EQ(std::get<BitVector>(*result.trace->initial[1]).to_uint64(), 3U);
  }
}

TEST(Split, CertificatesAreConfirmedAndTamperedOnesRefused) {
  const System system = nested_loops(9);
  const Certificate good = *bmc_split(system, 0, Budget()).certificate;
  EXPECT_TRUE(check_certificate(system, 0, good, Budget()).is_confirmed());
  const auto outcome = [&](std::size_t k, std::vector<std::string> split) {
    return check_certificate(system, 0, {Certificate::Kind::Exhaustion, {}, 0, k, std::move(split)}, Budget()).outcome;
  };
  EXPECT_EQ(outcome(good.k + 3, good.split), Outcome::Confirmed);
  EXPECT_EQ(outcome(good.k, {"data", "the bound", "the bound"}), Outcome::Confirmed);
  EXPECT_EQ(outcome(good.k - 1, good.split), Outcome::Refused);
  EXPECT_EQ(outcome(good.k, {"i"}), Outcome::Refused);
  EXPECT_THROW(outcome(good.k, {"nowhere"}), UserError);
  const System unsafe = nested_loops(8);
  for (std::size_t k = 0; k < 15; ++k)
    EXPECT_EQ(check_certificate(unsafe, 0, {Certificate::Kind::Exhaustion, {}, 0, k, good.split}, Budget()).outcome,
              Outcome::Refused);
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  EXPECT_EQ(check_certificate(system, 0, good, ended).outcome, Outcome::Unknown);
}

TEST(Split, CertificatesComeBackFromFiles) {
  const System system = nested_loops(9);
  const Result result = bmc_split(system, 0, Budget());
  const CertificateFile file{"s", "turns", 0, result.engine, *result.certificate};
  const std::string text = write_certificate(system, file);
  EXPECT_EQ(read_certificate(system, text, "f").certificate, *result.certificate);
  std::string wrong = text;
  wrong.replace(wrong.find("the bound"), 9, "no bound!");
  EXPECT_THROW(read_certificate(system, wrong, "f"), UserError);
  std::string kind = text;
  kind.replace(kind.find("exhaustion"), 10, "induction");
  EXPECT_THROW(read_certificate(system, kind, "f"), UserError);
}

TEST(Split, WithoutAStateThatIsWorthItThereIsNoAnswer) {
  const Result result = bmc_split(counter(4, 9, 12), 0, Budget());
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_FALSE(result.reason.empty());
}

TEST(Split, AnEndedBudgetIsNoAnswer) {
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  const Result result = bmc_split(nested_loops(9), 0, ended);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("cancelled"), std::string::npos);
  Options options;
  options.engines = {"bmc split"};
  options.max_bound = 3;
  const Result bounded = prove(nested_loops(9), 0, Budget(), options);
  EXPECT_EQ(bounded.verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(bounded.bound, 3U);
}

}  // namespace
}  // namespace plumb::prove
