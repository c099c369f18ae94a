#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "prove/prove.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

/// Programs that are called ABC and are not.
class FakeAbc : public ::testing::Test {
 protected:
  circuit::AbcOptions fake(const std::string& script) {
    const auto path = directory_.path() / ("abc" + std::to_string(++count_));
    write_file(path, "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    circuit::AbcOptions options;
    options.program = path.string();
    return options;
  }
  /// The answer of ABC alone, which must be none, and that of the others beside it, which must be right.
  std::string reason(const circuit::AbcOptions& abc, std::chrono::duration<double> time = 20s) {
    const Budget budget = Budget().with_timeout(time);
    AbcProveOptions alone;
    alone.abc = abc;
    const Result result = abc_prove(unsafe_, 0, budget, alone);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_FALSE(result.trace || result.certificate || result.is_rechecked);
    EXPECT_EQ(abc_prove(safe_, 0, budget, alone).verdict, Verdict::Unknown);
    Options together;
    together.abc = abc;
    const Budget fresh = Budget().with_timeout(60s);
    EXPECT_EQ(prove(unsafe_, 0, fresh, together).verdict, Verdict::Violated);
    EXPECT_EQ(prove(safe_, 0, fresh, together).verdict, Verdict::Holds);
    return result.reason;
  }

  TemporaryDirectory directory_;
  int count_ = 0;
  System safe_ = counter(4, 9, 12);
  System unsafe_ = counter(4, 9, 9);
};

// What a prover prints for a proof, with the marks that the driver waits for.
const char* const kProved =
    "echo 'Property proved.  Time = 0.00 sec'; echo 'Status = 1  Frames = 1   Cex is not defined.'\n";
const char* const kViolated =
    "echo 'Output 0 of miter \"x\" was asserted in frame 1.'; echo 'Status = 0  Frames = 0   CEX: Po = 0'\n";
const char* const kEnd = "echo plumb.end\n";

TEST_F(FakeAbc, AMissingOneIsNamed) {
  circuit::AbcOptions options;
  options.program = "no-such-abc";
  EXPECT_NE(reason(options).find("no-such-abc"), std::string::npos);
}

TEST_F(FakeAbc, ACrashIsNamed) {
  EXPECT_NE(reason(fake("kill -SEGV $$")).find("killed by signal 11"), std::string::npos);
  EXPECT_NE(reason(fake("exit 3")).find("ended with code 3"), std::string::npos);
  // After the answer, as if in its destructors.
  EXPECT_NE(reason(fake(std::string(kProved) + kEnd + "kill -ABRT $$")).find("killed by signal 6"), std::string::npos);
}

TEST_F(FakeAbc, OneThatHangsIsStoppedWithTheBudget) {
  EXPECT_NE(reason(fake("sleep 100"), 0.3s).find("out of time"), std::string::npos);
}

TEST_F(FakeAbc, NonsenseIsNoAnswer) {
  EXPECT_NE(reason(fake("echo Welcome to FooSAT")).find("stopped at 'Welcome to FooSAT'"), std::string::npos);
  EXPECT_NE(reason(fake("echo plumb.end; echo hm")).find("no answer in 'hm'"), std::string::npos);
  reason(fake("head -c 100000 /dev/urandom"));
  reason(fake("true"));
  reason(fake("head -c 200000000 /dev/zero"));
}

TEST_F(FakeAbc, AProofWithoutAnInvariantIsAClaimAndNoVerdict) {
  const circuit::AbcOptions liar = fake(std::string(kProved) + kEnd);
  EXPECT_NE(reason(liar).find("could not be re-checked"), std::string::npos);
  AbcProveOptions options;
  options.abc = liar;
  EXPECT_EQ(abc_prove(safe_, 0, Budget().with_timeout(20s), options).unchecked_claim, "abc pdr");
  options.trust_abc = true;
  const Result trusted = abc_prove(safe_, 0, Budget().with_timeout(20s), options);
  EXPECT_EQ(trusted.verdict, Verdict::Holds);
  EXPECT_FALSE(trusted.is_rechecked);
  EXPECT_EQ(trusted.unchecked_claim, "abc pdr");
}

TEST_F(FakeAbc, AProofWithAWrongInvariantIsNoVerdict) {
  const std::string write = "for f in run*.abc; do s=${f%.abc}; printf '";
  const std::string to = "' > $s.pla; done\n";
  for (const char* const pla : {
           "# Inductive invariant\\n.i 1\\n.o 1\\n.p 1\\n.ilb L0\\n.ob inv\\n1 1\\n.e\\n",
           "# Inductive invariant\\n.i 0\\n.o 1\\n.p 0\\n.ilb\\n.ob inv\\n.e\\n",
           "# Inductive invariant\\n.i 1\\n.ilb L99\\n1 1\\n.e\\n",
           "# Inductive invariant\\n.i 1\\n.ilb L0\\n11 1\\n.e\\n",
           "# Inductive invariant\\n.i 1\\n.ilb L0\\n2 1\\n.e\\n",
           "# Inductive invariant\\n.i 1\\n.ilb L0\\n0 1",
       })
    EXPECT_NE(reason(fake(write + pla + to + kProved + kEnd)).find("could not be re-checked"), std::string::npos)
        << pla;
}

TEST_F(FakeAbc, AContradictionIsNoAnswer) {
  reason(fake(std::string("echo 'Status = 1  Frames = 1'\n") + kEnd));
  reason(fake(std::string("echo 'Property proved.'\n") + kEnd));
  reason(fake(std::string(kProved) + "echo 'Output 0 of miter x was asserted in frame 1.'\n" + kEnd));
}

TEST_F(FakeAbc, ACounterexampleThatIsNoneIsNoVerdict) {
  const std::string write = "for f in run*.abc; do s=${f%.abc}; printf '";
  const std::string to = "' > $s.cex; done\n";
  EXPECT_NE(reason(fake(std::string(kViolated) + kEnd)).find("without a counterexample"), std::string::npos);
  EXPECT_NE(reason(fake(write + "# COUNTEREXAMPLE LENGTH: 2\\nI0@0=1\\nI0@1=1\\n# DONE\\n" + to + kViolated + kEnd))
                .find("does not reach the bad"),
            std::string::npos);
  for (const char* const cex :
       {"# COUNTEREXAMPLE LENGTH: 2\\nI0@0=1\\n", "# COUNTEREXAMPLE LENGTH: 2\\nI0@7=1\\n# DONE",
        "# COUNTEREXAMPLE LENGTH: 99999999999\\n# DONE", "# COUNTEREXAMPLE LENGTH: 0\\n# DONE",
        "# COUNTEREXAMPLE LENGTH: 1\\nI0@0=x\\n# DONE", "garbage"})
    EXPECT_NE(reason(fake(write + cex + to + kViolated + kEnd)).find("without a counterexample"), std::string::npos)
        << cex;
}

}  // namespace
}  // namespace plumb::prove
