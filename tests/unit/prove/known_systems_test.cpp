#include "unit/prove/known_systems.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/subprocess.h"
#include "prove/certificate.h"
#include "prove/engine.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

struct Case {
  std::string name;
  std::function<System()> make;
  std::optional<std::size_t> first_bad;
};

std::vector<Case> cases() {
  return {
      {"counter below its limit", [] { return counter(4, 9, 12); }, std::nullopt},
      {"counter to its limit", [] { return counter(4, 9, 9); }, 9},
      {"guarded queue", [] { return fifo(2, true); }, std::nullopt},
      {"unguarded queue", [] { return fifo(2, false); }, 5},
      {"arbiter", [] { return arbiter(5, false); }, std::nullopt},
      {"broken arbiter", [] { return arbiter(5, true); }, 2},
      {"linear search", [] { return linear_search(3, false); }, std::nullopt},
      {"wrong linear search", [] { return linear_search(3, true); }, 8},
  };
}

void expect_verdict(const Case& one, const System& system, const Result& result) {
  SCOPED_TRACE(one.name + ": " + result.engine + ": " + result.reason);
  if (one.first_bad) {
    ASSERT_EQ(result.verdict, Verdict::Violated);
    EXPECT_GE(result.bound, *one.first_bad);
    EXPECT_TRUE(system::replay(system, *result.trace).reaches(0));
    return;
  }
  ASSERT_EQ(result.verdict, Verdict::Holds);
  EXPECT_TRUE(result.is_rechecked);
  const CertificateFile file{"a \"quoted\" name", system.bads()[0].name, 0, result.engine, *result.certificate};
  const CertificateFile read = read_certificate(system, write_certificate(system, file), "certificate");
  EXPECT_EQ(read.certificate, file.certificate);
  EXPECT_EQ(read.system, file.system);
  EXPECT_EQ(read.engine, file.engine);
  EXPECT_TRUE(check_certificate(system, read.bad, read.certificate, Budget()).is_confirmed());
}

TEST(KnownSystems, KInductionDecidesAll) {
  for (const Case& one : cases()) {
    const System system = one.make();
    expect_verdict(one, system, k_induction(system, 0, Budget().with_timeout(20s)));
  }
}

TEST(KnownSystems, BmcFindsShortestCounterexamples) {
  for (const Case& one : cases()) {
    const System system = one.make();
    const Result result = bmc(system, 0, Budget().with_timeout(20s), {.max_bound = 20});
    if (one.first_bad) {
      EXPECT_EQ(result.verdict, Verdict::Violated) << one.name;
      EXPECT_EQ(result.bound, *one.first_bad) << one.name;
    } else {
      EXPECT_TRUE(result.verdict == Verdict::HoldsUpTo || result.verdict == Verdict::Holds) << one.name;
    }
  }
}

TEST(KnownSystems, BmcProvesAProgramThatEnds) {
  const System system = linear_search(4, false);
  const Result result = bmc(system, 0, Budget());
  ASSERT_EQ(result.verdict, Verdict::Holds);
  EXPECT_EQ(result.certificate->kind, Certificate::Kind::Exhaustion);
  EXPECT_GE(result.bound, 17U);
  EXPECT_TRUE(check_certificate(system, 0, *result.certificate, Budget()).is_confirmed());
  // One step less and some run is still searching.
  const Certificate early{Certificate::Kind::Exhaustion, {}, 0, 16};
  EXPECT_EQ(check_certificate(system, 0, early, Budget()).outcome, Check::Outcome::Refused);
}

TEST(KnownSystems, EveryProofOfAbcIsRecheckedAndEveryCounterexampleReplayed) {
  if (!find_program("berkeley-abc")) GTEST_SKIP() << "berkeley-abc is not installed";
  for (const Case& one : cases()) {
    const System system = one.make();
    for (const char* const script : {"pdr", "scl; scorr; dc2; balance; pdr", "int", "balance; ssweep -r; dprove"}) {
      AbcProveOptions options;
      options.script = script;
      const Result result = abc_prove(system, 0, Budget().with_timeout(20s), options);
      SCOPED_TRACE(script);
      expect_verdict(one, system, result);
    }
  }
}

TEST(KnownSystems, AProofBehindMergedSignalsIsReconstructedOnTheSystem) {
  if (!find_program("berkeley-abc")) GTEST_SKIP() << "berkeley-abc is not installed";
  // Signal correspondence finds that the upper bits stay zero, and nothing is left to prove; without it pdr counts.
  const Case one{"wide counter", [] { return counter(40, 30, std::uint64_t{1} << 35); }, std::nullopt};
  const System system = one.make();
  for (const char* const script : {"scl; scorr; dc2; balance; pdr", "balance; ssweep -r; dprove"}) {
    AbcProveOptions options;
    options.script = script;
    expect_verdict(one, system, abc_prove(system, 0, Budget().with_timeout(20s), options));
  }
}

TEST(KnownSystems, ThePortfolioDecidesAll) {
  for (const Case& one : cases()) {
    const System system = one.make();
    const Result result = prove(system, 0, Budget().with_timeout(20s));
    expect_verdict(one, system, result);
    EXPECT_EQ(result.engines.size(), engines().defaults().size());
  }
}

TEST(KnownSystems, SizesAreReportedBeforeAndBehindEachReduction) {
  if (!find_program("berkeley-abc")) GTEST_SKIP() << "berkeley-abc is not installed";
  AbcProveOptions options;
  options.script = "balance; scl -l; print_stats; rewrite; refactor; pdr";
  const Result result = abc_prove(arbiter(4, false), 0, Budget().with_timeout(20s), options);
  ASSERT_EQ(result.reductions.size(), 5U);
  EXPECT_EQ(result.reductions[0].step, "");
  EXPECT_EQ(result.reductions[0].size.latches, 8U);
  EXPECT_EQ(result.reductions[2].step, "scl -l");
  EXPECT_EQ(result.reductions[4].step, "refactor");
  for (const auto& reduction : result.reductions) EXPECT_GT(reduction.size.ands, 0U);
  EXPECT_LE(result.reductions[4].size.ands, result.reductions[0].size.ands);
}

}  // namespace
}  // namespace plumb::prove
