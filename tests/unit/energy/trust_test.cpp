#include "energy/trust.h"

#include <gtest/gtest.h>

namespace plumb::energy {
namespace {

TrustRules whole_steps() {
  TrustRules rules;
  rules.paid = 1;
  rules.unpaid = 2;
  rules.unpaid_expensive = 3;
  rules.threshold = 2;
  rules.threshold_paid = 0.5;
  rules.threshold_unpaid = 1;
  rules.threshold_expensive = 1.5;
  return rules;
}

TEST(TrustPrice, IsEquation56ByHand) {
  TrustRules rules;
  rules.neutral = 5;
  rules.beta = 1;
  EXPECT_DOUBLE_EQ(trust_price(rules, 2, 40), 52);  // (1/2 + 1 - 1/5) 40
  EXPECT_DOUBLE_EQ(trust_price(rules, 10, 40), 36);
  rules.beta = 3;
  EXPECT_DOUBLE_EQ(trust_price(rules, 2, 40), 76);  // (3/2 + 1 - 3/5) 40
  EXPECT_DOUBLE_EQ(trust_price(rules, 1, 40), 136);
  rules.neutral = 8;
  EXPECT_DOUBLE_EQ(trust_price(rules, 4, 16), 22);  // (3/4 + 1 - 3/8) 16
}

TEST(TrustPrice, IsTheTimeBasedOneAtNeutralTrustWhateverBeta) {
  TrustRules rules;
  for (const double beta : {0.0, 0.5, 1.0, 3.0, 100.0}) {
    rules.beta = beta;
    EXPECT_NEAR(trust_price(rules, rules.neutral, 33), 33, 1e-12);
  }
}

TEST(TrustTable, RecommendsItselfWhereNobodyElseKnowsTheLoad) {
  TrustTable table(whole_steps(), {5}, 3);
  table.record_service(0, 1);
  table.record_payment(0, 1);
  EXPECT_DOUBLE_EQ(table.recommendation(0, 1), 6);  // its own knowledge is no recommendation
}

TEST(TrustTable, RecommendsTheMeanOfThoseWhoKnow) {
  TrustTable table(whole_steps(), {5}, 4);
  table.record_service(0, 1);
  table.record_payment(0, 1);  // 6
  EXPECT_DOUBLE_EQ(table.recommendation(0, 0), 6);
  table.record_service(0, 2);
  table.record_default(0, 2, true);  // 2
  EXPECT_DOUBLE_EQ(table.recommendation(0, 0), 4);
  EXPECT_DOUBLE_EQ(table.recommendation(0, 1), 2);
  EXPECT_DOUBLE_EQ(table.recommendation(0, 3), 4);
}

TEST(TrustTable, WeighsOwnExperienceByAlpha) {
  TrustRules rules = whole_steps();
  for (const double alpha : {0.0, 0.25, 1.0}) {
    rules.alpha = alpha;
    TrustTable table(rules, {5}, 2);
    table.record_service(0, 1);
    table.record_payment(0, 1);
    table.record_payment(0, 1);
    table.record_payment(0, 1);  // 8
    EXPECT_DOUBLE_EQ(table.level(0, 0), alpha * 5 + (1 - alpha) * 8);
  }
}

TEST(TrustTable, KeepsLoadsApart) {
  TrustTable table(whole_steps(), {5, 7}, 2);
  table.record_service(0, 0);
  table.record_default(0, 0, false);
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 3);
  EXPECT_DOUBLE_EQ(table.reputation(0, 1), 5);
  EXPECT_DOUBLE_EQ(table.reputation(1, 0), 7);
  EXPECT_TRUE(table.knows(0, 0));
  EXPECT_FALSE(table.knows(1, 0));
}

TEST(TrustTable, StepsByPaymentAndStaysInRange) {
  TrustTable table(whole_steps(), {9}, 1);
  table.record_payment(0, 0);
  table.record_payment(0, 0);
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 10);
  EXPECT_DOUBLE_EQ(table.threshold(0, 0), 1);
  table.record_default(0, 0, false);
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 8);
  EXPECT_DOUBLE_EQ(table.threshold(0, 0), 2);
  table.record_default(0, 0, true);
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 5);
  EXPECT_DOUBLE_EQ(table.threshold(0, 0), 3.5);
  for (int i = 0; i < 10; ++i) table.record_default(0, 0, true);
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 1);
  EXPECT_DOUBLE_EQ(table.threshold(0, 0), 10);
}

TEST(TrustTable, DropsAnUntrustedLoadToTheMinimumInsteadOfRefusing) {
  TrustRules rules = whole_steps();
  rules.threshold = 5;
  TrustTable table(rules, {5}, 1);
  EXPECT_TRUE(table.receive_request(0, 0)) << "5 is not above 5";
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 1);
  rules.threshold = 4.5;
  TrustTable trusting(rules, {5}, 1);
  EXPECT_FALSE(trusting.receive_request(0, 0));
  EXPECT_DOUBLE_EQ(trusting.reputation(0, 0), 5);
}

TEST(TrustTable, LeavesTheReputationAloneWhereItRefuses) {
  TrustRules rules = whole_steps();
  rules.threshold = 6;
  rules.below_threshold = BelowThreshold::Refuse;
  TrustTable table(rules, {5}, 1);
  EXPECT_TRUE(table.receive_request(0, 0));
  EXPECT_DOUBLE_EQ(table.reputation(0, 0), 5);
}

TEST(TrustTable, PricesByReputationOrByLevel) {
  TrustRules rules = whole_steps();
  TrustTable by_reputation(rules, {5}, 2);
  rules.price_basis = PriceBasis::TrustLevel;
  TrustTable by_level(rules, {5}, 2);
  for (TrustTable* table : {&by_reputation, &by_level}) {
    table->record_service(0, 1);
    table->record_payment(0, 1);  // 6 at the other
  }
  EXPECT_DOUBLE_EQ(by_reputation.price_trust(0, 0), 5);
  EXPECT_DOUBLE_EQ(by_level.price_trust(0, 0), 5.5);
}

}  // namespace
}  // namespace plumb::energy
