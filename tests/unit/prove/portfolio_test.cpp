#include <gtest/gtest.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "prove/certificate.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

Options only(std::vector<std::string> engines) {
  Options options;
  options.engines = std::move(engines);
  return options;
}

TEST(Portfolio, EnginesAndReductionsThatDoNotExistAreErrorsOfTheUser) {
  const System system = counter(4, 9, 12);
  for (const std::vector<std::string>& engines : std::vector<std::vector<std::string>>{
           {""}, {"magic"}, {"abc"}, {"abc balance"}, {"abc pdr; int"}, {"abc pdr -L file"}, {"bmc", "abc"}})
    EXPECT_THROW(prove(system, 0, Budget(), only(engines)), UserError);
  Options options;
  for (const char* const script :
       {"pdr", "balance; quit", "read_aiger /etc/passwd", "balance -Q", "scorr -F", "balance x"}) {
    options.reduction = script;
    EXPECT_THROW(prove(system, 0, Budget(), options), UserError) << script;
  }
}

TEST(Portfolio, EveryCommandOfAbcIsReachableAsReductionOrEngine) {
  if (!find_program("berkeley-abc")) GTEST_SKIP() << "berkeley-abc is not installed";
  const System system = arbiter(3, false);
  for (const circuit::AbcCommand& command : circuit::abc_commands()) {
    SCOPED_TRACE(command.name);
    Options options = only({"abc pdr"});
    if (command.kind == circuit::AbcCommand::Kind::Proof)
      options.engines = {"abc " + std::string(command.name)};
    else
      options.reduction = command.name;
    const Result result = prove(system, 0, Budget().with_timeout(20s), options);
    EXPECT_EQ(result.verdict, Verdict::Holds) << result.reason;
    EXPECT_TRUE(result.is_rechecked);
  }
}

TEST(Portfolio, TheVerdictIsTheSameInEveryRun) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(prove(fifo(2, true), 0, Budget().with_timeout(20s)).verdict, Verdict::Holds);
    EXPECT_EQ(prove(fifo(2, false), 0, Budget().with_timeout(20s)).verdict, Verdict::Violated);
  }
}

TEST(Portfolio, WithoutADecisionTheGreatestBoundIsTheAnswer) {
  const System system = counter(40, 9, std::uint64_t{1} << 39);
  Options options = only({"k-induction", "bmc"});
  options.max_bound = 6;
  const Result result = prove(system, 0, Budget().with_timeout(20s), options);
  EXPECT_EQ(result.verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(result.bound, 6U);
  EXPECT_EQ(result.engine, "bmc");
  EXPECT_EQ(result.reason, "bound reached");
}

TEST(Portfolio, AnEndedBudgetIsUnknownWithTheReasonOfEachEngine) {
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  const Result result = prove(counter(4, 9, 12), 0, ended);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  for (const char* const engine : {"bmc: cancelled", "k-induction: cancelled", "abc pdr: ", "abc int: "})
    EXPECT_NE(result.reason.find(engine), std::string::npos) << result.reason;
}

TEST(Portfolio, ABudgetThatEndsLeavesTheBoundThatWasReached) {
  // Too many states for exhaustion, and not inductive for any k that is reached.
  const System system = counter(60, std::uint64_t{1} << 58, std::uint64_t{1} << 59);
  const Result result = prove(system, 0, Budget().with_timeout(1s), only({"bmc", "k-induction"}));
  EXPECT_EQ(result.verdict, Verdict::HoldsUpTo);
  EXPECT_EQ(result.reason, "out of time");
  EXPECT_GT(result.bound, 2U);
}

TEST(Portfolio, ConstraintsThatCannotBeMetMakeItVacuous) {
  System system = counter(4, 9, 9);
  system.add_constraint(system.store().eq(system.states()[0].variable, system.store().constant(4, 3)), "never");
  for (const Result& result : {prove(system, 0, Budget()), bmc(system, 0, Budget()), k_induction(system, 0, Budget()),
                               abc_prove(system, 0, Budget())}) {
    EXPECT_EQ(result.verdict, Verdict::Vacuous);
    EXPECT_TRUE(check_certificate(system, 0, *result.certificate, Budget()).is_confirmed());
  }
}

TEST(Portfolio, AnArrayTooLargeForACircuitCostsAbcItsAnswerAlone) {
  System system;
  auto& store = system.store();
  const Term memory = system.add_state({8, 40}, "memory");
  const Term address = system.add_input({40, 0}, "address");
  system.set_init(0, store.constant_array(40, store.zero(8)));
  system.set_next(0, store.store(memory, address, store.constant(8, 7)));
  system.add_bad(store.eq(store.select(memory, address), store.constant(8, 7)), "seven");
  system.add_bad(store.eq(store.select(memory, address), store.constant(8, 8)), "eight");
  const Result violated = prove(system, 0, Budget().with_timeout(20s));
  EXPECT_EQ(violated.verdict, Verdict::Violated);
  EXPECT_EQ(violated.bound, 1U);
  const Result alone = prove(system, 1, Budget().with_timeout(20s), only({"abc pdr"}));
  EXPECT_EQ(alone.verdict, Verdict::Unknown);
  EXPECT_NE(alone.reason.find("abc pdr: "), std::string::npos);
  EXPECT_GT(alone.reason.size(), std::string("abc pdr: ").size());
}

TEST(Portfolio, ATraceSpeaksOfTheWholeSystem) {
  // The bad depends on the second counter alone.
  System system;
  auto& store = system.store();
  const Term first = system.add_state({8, 0}, "first");
  const Term second = system.add_state({8, 0}, "second");
  const Term unused = system.add_input({8, 0}, "unused");
  const Term step = system.add_input({8, 0}, "step");
  system.set_init(1, store.zero(8));
  system.set_next(0, store.add(first, unused));
  system.set_next(1, store.add(second, store.bit_and(step, store.constant(8, 3))));
  system.add_bad(store.eq(first, store.constant(8, 5)), "other");
  system.add_bad(store.eq(second, store.constant(8, 7)), "seven");
  for (const Result& result : {prove(system, 1, Budget().with_timeout(20s)), bmc(system, 1, Budget())}) {
    ASSERT_EQ(result.verdict, Verdict::Violated);
    EXPECT_EQ(result.trace->steps.front().inputs.size(), 2U);
    EXPECT_TRUE(system::replay(system, *result.trace).reaches(1));
  }
}

}  // namespace
}  // namespace plumb::prove
