// The trust system of electricity trading, equations 5.4 to 5.6. Reputation goes up with every payment and down with
// every default, by more if the price was above what the load expected; so does the threshold, the other way round. The
// paper leaves the steps open: they are TrustRules. It writes the price with the reputation tr and refuses by the trust
// level T; PriceBasis::TrustLevel puts T into the price as well.
#include "energy/trust.h"

#include <algorithm>

namespace plumb::energy {

double trust_price(const TrustRules& rules, double reputation, double time_price) {
  return (rules.beta / reputation + 1 - rules.beta / rules.neutral) * time_price;
}

TrustTable::TrustTable(const TrustRules& rules, const std::vector<double>& initial, std::size_t providers)
    : rules_(rules), providers_(providers) {
  relations_.reserve(initial.size() * providers);
  for (const double reputation : initial)
    relations_.insert(relations_.end(), providers, Relation{clamp(reputation), clamp(rules.threshold)});
}

double TrustTable::clamp(double value) const { return std::clamp(value, rules_.minimum, rules_.maximum); }

double TrustTable::recommendation(std::size_t load, std::size_t provider) const {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t other = 0; other < providers_; ++other) {
    if (other == provider || !at(load, other).is_known) continue;
    sum += at(load, other).reputation;
    ++count;
  }
  return count == 0 ? at(load, provider).reputation : sum / static_cast<double>(count);
}

double TrustTable::level(std::size_t load, std::size_t provider) const {
  return rules_.alpha * at(load, provider).reputation + (1 - rules_.alpha) * recommendation(load, provider);
}

bool TrustTable::receive_request(std::size_t load, std::size_t provider) {
  Relation& relation = at(load, provider);
  if (level(load, provider) > relation.threshold) return false;
  if (rules_.below_threshold == BelowThreshold::Minimum) relation.reputation = rules_.minimum;
  return true;
}

double TrustTable::price_trust(std::size_t load, std::size_t provider) const {
  return rules_.price_basis == PriceBasis::Reputation ? reputation(load, provider) : level(load, provider);
}

void TrustTable::record_payment(std::size_t load, std::size_t provider) {
  Relation& relation = at(load, provider);
  relation.reputation = clamp(relation.reputation + rules_.paid);
  relation.threshold = clamp(relation.threshold - rules_.threshold_paid);
}

void TrustTable::record_default(std::size_t load, std::size_t provider, bool was_expensive) {
  Relation& relation = at(load, provider);
  relation.reputation = clamp(relation.reputation - (was_expensive ? rules_.unpaid_expensive : rules_.unpaid));
  relation.threshold =
      clamp(relation.threshold + (was_expensive ? rules_.threshold_expensive : rules_.threshold_unpaid));
}

}  // namespace plumb::energy
