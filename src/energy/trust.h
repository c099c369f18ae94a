#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb::energy {

/// What a provider does with a request of a load that it trusts too little.
enum class BelowThreshold : std::uint8_t {
  Minimum,  ///< serves at the price of the lowest reputation: the load always finds power
  Refuse,   ///< gives no quote
};

/// What the price of equation 5.6 depends on.
enum class PriceBasis : std::uint8_t { Reputation, TrustLevel };

/// The numbers of the trust system. Names of the paper: alpha, beta, `neutral` is its D.
struct TrustRules {
  double alpha = 0.5;  ///< weight of a provider's own experience against that of the others
  double beta = 1;     ///< weight of trust in the price
  double neutral = 5;  ///< the reputation at which the price is the one without trust
  double minimum = 1;
  double maximum = 10;
  double initial = 5;
  double paid = 0.1;              ///< added to the reputation for a job that was paid
  double unpaid = 0.2;            ///< taken from it for one that was not paid though it was as cheap as expected
  double unpaid_expensive = 0.4;  ///< for one that was not paid and dearer than expected
  double threshold = 1;         ///< a load whose trust level is not above it is refused; never leaves the trust's range
  double threshold_paid = 0.1;  ///< taken from the threshold for a job that was paid
  double threshold_unpaid = 0.2;
  double threshold_expensive = 0.4;
  BelowThreshold below_threshold = BelowThreshold::Minimum;
  PriceBasis price_basis = PriceBasis::Reputation;
};

/// Equation 5.6: C (beta / tr + 1 - beta / D) Pr(t), where `time_price` is C Pr(t).
double trust_price(const TrustRules& rules, double reputation, double time_price);

/// What each provider holds of each load: reputation tr, whether they have dealt with each other (know), threshold th.
class TrustTable {
 public:
  /// `initial` has the reputation of each load, the same at every provider.
  TrustTable(const TrustRules& rules, const std::vector<double>& initial, std::size_t providers);

  double reputation(std::size_t load, std::size_t provider) const { return at(load, provider).reputation; }
  double threshold(std::size_t load, std::size_t provider) const { return at(load, provider).threshold; }
  bool knows(std::size_t load, std::size_t provider) const { return at(load, provider).is_known; }
  /// Equation 5.5: the mean reputation at the other providers that know the load; its own where none does.
  double recommendation(std::size_t load, std::size_t provider) const;
  /// Equation 5.4: alpha tr + (1 - alpha) rec.
  double level(std::size_t load, std::size_t provider) const;

  /// Whether a request of the load is refused, its level not being above the threshold. Under BelowThreshold::Minimum
  /// such a request is served, but the reputation drops to the minimum.
  bool receive_request(std::size_t load, std::size_t provider);
  /// What equation 5.6 divides beta by.
  double price_trust(std::size_t load, std::size_t provider) const;
  void record_service(std::size_t load, std::size_t provider) { at(load, provider).is_known = true; }
  void record_payment(std::size_t load, std::size_t provider);
  void record_default(std::size_t load, std::size_t provider, bool was_expensive);

 private:
  struct Relation {
    double reputation;
    double threshold;
    bool is_known = false;
  };
  const Relation& at(std::size_t load, std::size_t provider) const { return relations_[load * providers_ + provider]; }
  Relation& at(std::size_t load, std::size_t provider) { return relations_[load * providers_ + provider]; }
  double clamp(double value) const;

  TrustRules rules_;
  std::size_t providers_;
  std::vector<Relation> relations_;
};

}  // namespace plumb::energy
