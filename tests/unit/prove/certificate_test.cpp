#include "prove/certificate.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

using Outcome = Check::Outcome;

Check check(const System& system, const std::string& invariant, unsigned from = 0) {
  return check_certificate(system, 0, {Certificate::Kind::Invariant, invariant, from, 0}, Budget());
}

// Counts 0 to 9; the bad is 12.
System safe_counter() { return counter(4, 9, 12); }

TEST(Certificate, InvariantsThatProveAreConfirmed) {
  EXPECT_TRUE(check(safe_counter(), "(bvule count #x9)").is_confirmed());
  EXPECT_TRUE(check(safe_counter(), "(bvule count #x9)", 1).is_confirmed());
  EXPECT_TRUE(check(safe_counter(), "(not (bvuge count #xa))").is_confirmed());
}

TEST(Certificate, EachConditionThatFailsIsNamed) {
  const auto reason = [](const Check& check) {
    EXPECT_EQ(check.outcome, Outcome::Refused);
    return check.reason.substr(0, check.reason.find(':'));
  };
  EXPECT_EQ(reason(check(safe_counter(), "(bvugt count #x0)")), "initiation");
  EXPECT_EQ(reason(check(safe_counter(), "(bvule count #x5)")), "consecution");
  EXPECT_EQ(reason(check(safe_counter(), "true")), "safety");
  EXPECT_EQ(reason(check(safe_counter(), "false")), "initiation");
  EXPECT_EQ(reason(check(safe_counter(), "false", 1)), "initiation");
  EXPECT_EQ(reason(check(counter(4, 9, 0), "true", 1)), "safety");
}

TEST(Certificate, NothingProvesAViolatedProperty) {
  const System system = counter(3, 7, 5);
  for (unsigned set = 0; set < 256; ++set) {
    std::string invariant = "(or false";
    for (unsigned value = 0; value < 8; ++value)
      if ((set >> value & 1) != 0) invariant += " (= count #b" + BitVector(3, value).to_binary() + ")";
    for (const unsigned from : {0U, 1U}) EXPECT_EQ(check(system, invariant + ")", from).outcome, Outcome::Refused);
  }
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_EQ(check_certificate(system, 0, {Certificate::Kind::Induction, {}, 0, k}, Budget()).outcome,
              Outcome::Refused);
    EXPECT_EQ(check_certificate(system, 0, {Certificate::Kind::Exhaustion, {}, 0, k}, Budget()).outcome,
              Outcome::Refused);
  }
}

TEST(Certificate, AKThatIsTooSmallIsRefused) {
  // From 13 on the counter runs to 15 and then to 0: 12 is not reached from there, but it is from 10 by 11.
  const System system = safe_counter();
  const Result result = k_induction(system, 0, Budget());
  ASSERT_EQ(result.verdict, Verdict::Holds);
  const std::size_t k = result.certificate->k;
  ASSERT_GT(k, 1U);
  const auto outcome = [&](std::size_t of) {
    return check_certificate(system, 0, {Certificate::Kind::Induction, {}, 0, of}, Budget()).outcome;
  };
  EXPECT_EQ(outcome(k), Outcome::Confirmed);
  EXPECT_EQ(outcome(k + 1), Outcome::Confirmed);
  EXPECT_EQ(outcome(k - 1), Outcome::Refused);
  EXPECT_EQ(outcome(0), Outcome::Refused);
}

TEST(Certificate, AnEndedBudgetIsUnknown) {
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  for (const auto kind : {Certificate::Kind::Invariant, Certificate::Kind::Induction, Certificate::Kind::Exhaustion})
    EXPECT_EQ(check_certificate(safe_counter(), 0, {kind, "(bvule count #x9)", 0, 3}, ended).outcome, Outcome::Unknown);
}

TEST(Certificate, StatesWithStrangeNamesAndSortsComeBack) {
  System system;
  auto& store = system.store();
  const Term names[] = {system.add_state({1, 0}, "a b"), system.add_state({1, 0}, "a b"),
                        system.add_state({1, 2}, "and"), system.add_state({8, 0}, ""), system.add_state({1, 0}, "x|y")};
  for (std::size_t i = 0; i < 5; ++i) {
    const Sort sort = store.sort(names[i]);
    const Term zero = sort.is_array() ? store.constant_array(sort.index_width, store.zero(1)) : store.zero(sort.width);
    system.set_init(i, zero);
    system.set_next(i, names[i]);
  }
  system.add_bad(store.bit_or(store.bit_or(names[0], names[1]),
                              store.bit_or(store.select(names[2], store.constant(2, 3)), names[4])),
                 "b");
  const std::vector<std::string> symbols{"|a b|", "|a b!1|"};
  const std::string invariant =
      "(and (not |a b|) (not |a b!1|) (= (select and!1 #b11) #b0) (= state3 #x00) (not |x_y|))";
  const CertificateFile file{"s", "b", 0, "hand", {Certificate::Kind::Invariant, invariant, 0, 0}};
  const CertificateFile read = read_certificate(system, write_certificate(system, file), "f");
  EXPECT_TRUE(check_certificate(system, 0, read.certificate, Budget()).is_confirmed());
}

TEST(Certificate, FilesThatDoNotFitAreRefusedWithTheirPlace) {
  const System system = safe_counter();
  const CertificateFile file{"s", "target", 0, "hand", {Certificate::Kind::Invariant, "(bvule count #x9)", 0, 0}};
  const std::string good = write_certificate(system, file);
  EXPECT_NO_THROW(read_certificate(system, good, "f"));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& text :
       {replaced("(_ BitVec 4)", "(_ BitVec 5)"), replaced("declare-const count", "declare-const counter"),
        replaced("\"target\"", "\"other\""), replaced(":position 0", ":position 1"),
        replaced("kind invariant", "kind faith"), replaced("certificate 1", "certificate 2"),
        replaced("(set-info :k 0)", ""), replaced("define-fun invariant", "define-fun variant"),
        replaced("() Bool", "() (_ BitVec 1)"), good.substr(0, good.size() / 2), std::string("nonsense"),
        std::string()}) {
    EXPECT_THROW(read_certificate(system, text, "f"), UserError) << text;
  }
  EXPECT_THROW(check(system, "(bvule counter #x9)"), UserError);
  EXPECT_THROW(check(system, "count"), UserError);
  EXPECT_THROW(check(system, "(bvule count #x9) true"), UserError);
  EXPECT_THROW(check(system, ""), UserError);
}

}  // namespace
}  // namespace plumb::prove
