#include <gtest/gtest.h>

#include "base/error.h"
#include "prove/certificate.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

/// A counter to 9 with a bad for each of the values, in that order.
System counter_with(const std::vector<std::uint64_t>& values) {
  System system = counter(6, 9, values.front());
  for (std::size_t i = 1; i < values.size(); ++i)
    system.add_bad(system.store().eq(system.states()[0].variable, system.store().constant(6, values[i])), "next");
  return system;
}

TEST(ProveAll, EachBadHasItsOwnAnswerWhateverTheOthersAre) {
  const System system = counter_with({12, 3, 40, 7, 9, 20});
  const std::vector<std::size_t> bads{5, 1, 0, 3, 2, 4};
  const std::vector<Result> results = prove_all(system, bads, Budget().with_timeout(60s), Options());
  ASSERT_EQ(results.size(), bads.size());
  for (std::size_t i = 0; i < bads.size(); ++i) {
    SCOPED_TRACE(bads[i]);
    const bool is_reached = bads[i] == 1 || bads[i] == 3 || bads[i] == 4;
    if (is_reached) {
      ASSERT_EQ(results[i].verdict, Verdict::Violated);
      const system::Replay replay = system::replay(system, *results[i].trace);
      EXPECT_TRUE(replay.reaches(bads[i]));
      EXPECT_EQ(results[i].trace->steps.size(), results[i].bound + 1);
    } else {
      ASSERT_EQ(results[i].verdict, Verdict::Holds);
      EXPECT_TRUE(results[i].is_rechecked);
      EXPECT_TRUE(check_certificate(system, bads[i], *results[i].certificate, Budget()).is_confirmed());
    }
  }
}

TEST(ProveAll, AProofOfSeveralIsOneOfEachAndOfNoOther) {
  const System system = counter_with({12, 3, 40});
  const std::vector<std::size_t> safe{0, 2};
  for (const char* const engine : {"k-induction", "abc pdr"}) {
    Options options;
    options.engines = {engine};
    const std::vector<Result> results = prove_all(system, safe, Budget().with_timeout(60s), options);
    ASSERT_EQ(results[0].verdict, Verdict::Holds) << results[0].reason;
    const Certificate& certificate = *results[0].certificate;
    EXPECT_EQ(certificate.together, safe);
    for (const std::size_t bad : safe) {
      EXPECT_TRUE(check_certificate(system, bad, certificate, Budget()).is_confirmed());
      const CertificateFile file{"s", system.bads()[bad].name, bad, engine, certificate};
      EXPECT_EQ(read_certificate(system, write_certificate(system, file), "f").certificate, certificate);
    }
    EXPECT_EQ(check_certificate(system, 1, certificate, Budget()).outcome, Check::Outcome::Refused);
    Certificate more = certificate;
    more.together.push_back(1);
    EXPECT_EQ(check_certificate(system, 0, more, Budget()).outcome, Check::Outcome::Refused);
    more.together.back() = 17;
    EXPECT_EQ(check_certificate(system, 0, more, Budget()).outcome, Check::Outcome::Refused);
  }
}

TEST(ProveAll, AHardBadDoesNotCostTheOthersTheirAnswers) {
  // The first cannot be decided by these engines in time.
  System system = counter(60, std::uint64_t{1} << 58, std::uint64_t{1} << 59);
  auto& store = system.store();
  const Term count = system.states()[0].variable;
  system.add_bad(store.eq(count, store.constant(60, 2)), "two");
  system.add_bad(store.bit_and(store.bit(count, 0), store.bit_not(store.bit(count, 0))), "never");
  Options options;
  options.engines = {"bmc", "k-induction"};
  const std::vector<std::size_t> bads{0, 1, 2};
  const std::vector<Result> results = prove_all(system, bads, Budget().with_timeout(2s), options);
  EXPECT_EQ(results[0].verdict, Verdict::HoldsUpTo);
  EXPECT_GT(results[0].bound, 2U);
  EXPECT_EQ(results[1].verdict, Verdict::Violated);
  EXPECT_EQ(results[2].verdict, Verdict::Holds);
}

TEST(ProveAll, TimeThatIsLeftOverGoesToThoseThatRanOutOfTheirs) {
  System system = counter(60, std::uint64_t{1} << 58, std::uint64_t{1} << 59);
  auto& store = system.store();
  const Term count = system.states()[0].variable;
  const Term low = store.bit(count, 0);
  for (int i = 0; i < 3; ++i) system.add_bad(store.bit_and(low, store.bit_not(low)), "never");
  Options options;
  options.engines = {"bmc", "k-induction"};
  const std::vector<std::size_t> bads{0, 1, 2, 3};
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Result> results = prove_all(system, bads, Budget().with_timeout(4s), options);
  // Of the half for each alone the first has a quarter, and the others need little of theirs.
  EXPECT_GT(std::chrono::steady_clock::now() - start, 3.4s);
  EXPECT_EQ(results[0].verdict, Verdict::HoldsUpTo);
  for (std::size_t i = 1; i < bads.size(); ++i) EXPECT_EQ(results[i].verdict, Verdict::Holds);
}

TEST(ProveAll, EnginesThatEndByThemselvesAreNotAskedAgainWithoutALimitOfTime) {
  const System system = counter_with({12, 40, 3});
  Options options;
  options.engines = {"bmc"};
  options.max_bound = 5;
  const std::vector<std::size_t> bads{0, 1, 2};
  const std::vector<Result> results = prove_all(system, bads, Budget(), options);
  EXPECT_EQ(results[0].verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(results[1].verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(results[1].bound, 5U);
  EXPECT_EQ(results[2].verdict, Verdict::Violated);
}

TEST(ProveAll, NoBadsAndEndedBudgetsAreNoFailure) {
  const System system = counter_with({12, 3});
  EXPECT_TRUE(prove_all(system, {}, Budget(), Options()).empty());
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  const std::vector<std::size_t> bads{0, 1};
  for (const Result& result : prove_all(system, bads, ended, Options())) {
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_FALSE(result.reason.empty());
  }
}

}  // namespace
}  // namespace plumb::prove
