// A discrete-event simulation of the scheduling of section 5.5: jobs ask for power at their start, the router collects
// the quotes of all providers (equation 5.6 with trust, or the time-based price), gives the job to one that has enough
// capacity, and the capacity is free again when the job ends; then the load pays or not, and the provider's trust
// follows. The paper builds this on CloudSim, with virtual machines as jobs and hosts as providers. Here the queue
// holds requests, releases, payments and expiries; at one moment capacity is given back first, then payments settle,
// and only then are new requests heard, by priority, so that a window's jobs find what the window before has released.
#include "energy/simulation.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/error.h"
#include "energy/allocation.h"
#include "energy/ledger.h"
#include "energy/random.h"

namespace plumb::energy {
namespace {

/// A job may ask for exactly what is left, which is a difference of sums.
constexpr double kCapacityTolerance = 1e-9;

/// In the order in which things of the same moment happen.
enum class Step : std::uint8_t { Release, Payment, Expiry, Request };

struct QueueEntry {
  Ticks time;
  Step step;
  std::uint32_t job;  ///< also the order of what is equal so far

  bool operator>(const QueueEntry& other) const {
    return std::tie(time, step, job) > std::tie(other.time, other.step, other.job);
  }
};

enum class JobState : std::uint8_t { Idle, Pending, Served, Done };

struct JobRecord {
  std::uint32_t load;
  std::uint32_t index;  ///< among the load's jobs
  JobState state = JobState::Idle;
  bool has_waited = false;
  double rank = 0;  ///< among requests of the same priority and start
  Ticks served_from = 0;
  double drawn = 0;  ///< MW, with line loss
  Delivery delivery{};
};

class Run {
 public:
  Run(const Scenario& scenario, std::uint64_t seed, std::uint64_t replication, EventListener* listener);

  Outcome run(const Budget& budget);

 private:
  enum class Use : std::uint32_t { Payment, Order, Policy };
  static constexpr std::uint32_t kUses = 3;

  const Job& job_of(const JobRecord& record) const { return scenario_.loads[record.load].jobs[record.index]; }
  /// A number for each job and use, whatever happened before: runs with other parameters see the same luck.
  double random(const JobRecord& record, Use use) const;
  double estimated_price(std::size_t load, std::size_t window) const;
  double capacity(std::size_t provider, Ticks from, Ticks to) const;

  void handle(const QueueEntry& entry);
  void request(std::uint32_t id);
  void release(std::uint32_t id);
  void settle(std::uint32_t id);
  void expire(std::uint32_t id);
  void dispatch();
  bool try_to_serve(std::uint32_t id);
  void collect_offers(const JobRecord& record);
  void start(std::uint32_t id, const Offer& offer);
  void give_up(JobRecord& record);
  void tell(EventKind kind, const JobRecord& record, Event event = {}) const;

  const Scenario& scenario_;
  std::uint64_t seed_;
  std::uint64_t replication_;
  EventListener* listener_;
  Ledger ledger_;
  TrustTable trust_;
  std::vector<double> mean_price_;  ///< of the providers, for each window
  std::vector<JobRecord> jobs_;
  std::priority_queue<QueueEntry, std::vector<QueueEntry>, std::greater<>> queue_;
  std::vector<std::uint32_t> pending_;  ///< requests that are not served yet
  std::vector<Offer> offers_;
  Ticks now_ = 0;
};

std::vector<double> initial_trust(const Scenario& scenario) {
  std::vector<double> initial;
  for (const Load& load : scenario.loads) initial.push_back(load.initial_trust.value_or(scenario.trust.initial));
  return initial;
}

std::vector<double> mean_prices(const Scenario& scenario) {
  std::vector<double> means(scenario.windows);
  for (std::size_t w = 0; w < means.size(); ++w) {
    for (const Provider& provider : scenario.providers) means[w] += provider.price[w];
    means[w] *= scenario.conversion / static_cast<double>(scenario.providers.size());
  }
  return means;
}

Run::Run(const Scenario& scenario, std::uint64_t seed, std::uint64_t replication, EventListener* listener)
    : scenario_(scenario),
      seed_(seed),
      replication_(replication),
      listener_(listener),
      ledger_(scenario),
      trust_(scenario.trust, initial_trust(scenario), scenario.providers.size()),
      mean_price_(mean_prices(scenario)) {
  jobs_.reserve(scenario.job_count());
  std::vector<QueueEntry> requests;
  requests.reserve(scenario.job_count());
  for (std::size_t l = 0; l < scenario.loads.size(); ++l) {
    for (std::size_t i = 0; i < scenario.loads[l].jobs.size(); ++i) {
      const auto id = static_cast<std::uint32_t>(jobs_.size());
      jobs_.push_back({static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(i)});
      JobRecord& record = jobs_.back();
      record.rank = scenario.order == RequestOrder::Random ? random(record, Use::Order) : 0;
      requests.push_back({scenario.loads[l].jobs[i].start, Step::Request, id});
    }
  }
  queue_ = decltype(queue_)(std::greater<>(), std::move(requests));
}

double Run::random(const JobRecord& record, Use use) const {
  return RandomStream(seed_, replication_, record.load * kUses + static_cast<std::uint32_t>(use)).uniform(record.index);
}

double Run::estimated_price(std::size_t load, std::size_t window) const {
  const std::vector<double>& own = scenario_.loads[load].estimated_price;
  return own.empty() ? mean_price_[window] : own[window];
}

/// The least of the windows that an interval touches.
double Run::capacity(std::size_t provider, Ticks from, Ticks to) const {
  const std::vector<double>& curve = scenario_.providers[provider].capacity;
  const auto begin = curve.begin() + static_cast<std::ptrdiff_t>(scenario_.window_of(from));
  const auto end = curve.begin() + static_cast<std::ptrdiff_t>(scenario_.window_of(to - 1)) + 1;
  return *std::min_element(begin, end);
}

Outcome Run::run(const Budget& budget) {
  constexpr std::uint64_t kEventsBetweenChecks = 4096;
  std::uint64_t events = 0;
  while (!queue_.empty()) {
    now_ = queue_.top().time;
    while (!queue_.empty() && queue_.top().time == now_) {
      const QueueEntry entry = queue_.top();
      queue_.pop();
      handle(entry);
      if (++events % kEventsBetweenChecks == 0) budget.check();
    }
    dispatch();
  }
  Outcome outcome = ledger_.close(trust_);
  outcome.events = events;
  return outcome;
}

void Run::handle(const QueueEntry& entry) {
  switch (entry.step) {
    case Step::Release:
      release(entry.job);
      return;
    case Step::Payment:
      settle(entry.job);
      return;
    case Step::Expiry:
      expire(entry.job);
      return;
    case Step::Request:
      request(entry.job);
      return;
  }
}

void Run::request(std::uint32_t id) {
  JobRecord& record = jobs_[id];
  const Job& job = job_of(record);
  record.state = JobState::Pending;
  ledger_.record_request(record.load, job.power * hours(job.end - job.start));
  pending_.push_back(id);
  tell(EventKind::Request, record, {.power = job.power});
}

/// Everybody who waits, the highest priority first.
void Run::dispatch() {
  if (pending_.empty()) return;
  std::ranges::sort(pending_, {}, [this](std::uint32_t id) {
    const JobRecord& record = jobs_[id];
    return std::tuple(-scenario_.loads[record.load].priority, job_of(record).start, record.rank, id);
  });
  std::erase_if(pending_, [this](std::uint32_t id) {
    if (try_to_serve(id)) return true;
    JobRecord& record = jobs_[id];
    if (scenario_.when_full == WhenFull::Drop) {
      give_up(record);
      return true;
    }
    if (!record.has_waited) {
      record.has_waited = true;
      queue_.push({job_of(record).end, Step::Expiry, id});
      tell(EventKind::Wait, record);
    }
    return false;
  });
}

bool Run::try_to_serve(std::uint32_t id) {
  collect_offers(jobs_[id]);
  if (offers_.empty()) return false;
  const double luck = scenario_.policy == Policy::Random ? random(jobs_[id], Use::Policy) : 0;
  start(id, choose(scenario_.policy, offers_, luck));
  return true;
}

/// Every provider is asked; those with enough capacity for the job and its line loss are in the choice.
void Run::collect_offers(const JobRecord& record) {
  const Job& job = job_of(record);
  const std::size_t window = scenario_.window_of(now_);
  offers_.clear();
  for (std::size_t p = 0; p < scenario_.providers.size(); ++p) {
    const double time_price = scenario_.conversion * scenario_.providers[p].price[window];
    Offer offer{p, time_price};
    if (scenario_.pricing == PricingScheme::Trust) {
      if (trust_.receive_request(record.load, p)) {
        ledger_.record_distrust(record.load, p);
        tell(EventKind::Distrust, record, {.provider = p, .trust = trust_.reputation(record.load, p)});
        if (scenario_.trust.below_threshold == BelowThreshold::Refuse) continue;
      }
      offer.price = trust_price(scenario_.trust, trust_.price_trust(record.load, p), time_price);
    }
    const double loss_share = scenario_.loss_share(record.load, p);
    const double all = capacity(p, now_, job.end);
    const double drawn = job.power * (1 + loss_share);
    offer.loss = offer.price * loss_share;
    offer.distance = scenario_.distance[record.load * scenario_.providers.size() + p];
    offer.free_share = all > 0 ? 1 - ledger_.provider(p).in_use() / all : 0;
    tell(EventKind::Quote, record,
         {.provider = p, .price = offer.price, .loss = offer.loss, .trust = trust_.reputation(record.load, p)});
    const auto fits = [&](const PowerMeter& meter, double limit) {
      return meter.in_use() + drawn <= limit * (1 + kCapacityTolerance);
    };
    if (!fits(ledger_.provider(p), all)) continue;
    if (scenario_.router_capacity && !fits(ledger_.router(), *scenario_.router_capacity)) continue;
    offers_.push_back(offer);
  }
}

void Run::start(std::uint32_t id, const Offer& offer) {
  JobRecord& record = jobs_[id];
  const Job& job = job_of(record);
  const Load& load = scenario_.loads[record.load];
  const double expected = load.expected_price_factor * estimated_price(record.load, scenario_.window_of(now_));
  record.state = JobState::Served;
  record.served_from = now_;
  Delivery& delivery = record.delivery;
  delivery.load = record.load;
  delivery.provider = offer.provider;
  delivery.energy = job.power * hours(job.end - now_);
  delivery.price = offer.price;
  delivery.loss_share = scenario_.loss_share(record.load, offer.provider);
  delivery.is_expensive = offer.cost() > expected;
  record.drawn = job.power * (1 + delivery.loss_share);
  ledger_.draw(now_, offer.provider, record.drawn);
  if (now_ > job.start) {
    ledger_.record_wait(record.load, now_ - job.start);
    ledger_.record_unserved(record.load, job.power * hours(now_ - job.start), false);
  }
  trust_.record_service(record.load, offer.provider);
  queue_.push({job.end, Step::Release, id});
  tell(EventKind::Start, record,
       {.provider = offer.provider,
        .power = job.power,
        .energy = delivery.energy,
        .price = offer.price,
        .loss = offer.loss,
        .expected = expected});
}

void Run::release(std::uint32_t id) {
  JobRecord& record = jobs_[id];
  INVARIANT(record.state == JobState::Served, "only a job that is served should be released");
  const std::size_t provider = record.delivery.provider;
  ledger_.release(now_, provider, record.drawn);
  ledger_.record_delivery(record.delivery);
  record.state = JobState::Done;
  queue_.push({now_ + scenario_.payment_delay, Step::Payment, id});
  tell(EventKind::Release, record, {.provider = provider, .energy = record.delivery.energy});
}

void Run::settle(std::uint32_t id) {
  const JobRecord& record = jobs_[id];
  const Delivery& delivery = record.delivery;
  const Load& load = scenario_.loads[record.load];
  const double refusal = delivery.is_expensive ? load.refuse_above : load.refuse_below;
  const bool is_paid = scenario_.payment == PaymentRule::Always || random(record, Use::Payment) >= refusal;
  ledger_.record_settlement(delivery, is_paid);
  if (is_paid)
    trust_.record_payment(record.load, delivery.provider);
  else
    trust_.record_default(record.load, delivery.provider, delivery.is_expensive);
  tell(is_paid ? EventKind::Pay : EventKind::Refuse, record,
       {.provider = delivery.provider,
        .amount = delivery.value(),
        .trust = trust_.reputation(record.load, delivery.provider)});
}

void Run::expire(std::uint32_t id) {
  JobRecord& record = jobs_[id];
  if (record.state != JobState::Pending) return;
  std::erase(pending_, id);
  ledger_.record_wait(record.load, now_ - job_of(record).start);
  give_up(record);
}

void Run::give_up(JobRecord& record) {
  const Job& job = job_of(record);
  record.state = JobState::Done;
  ledger_.record_unserved(record.load, job.power * hours(job.end - job.start), true);
  tell(EventKind::Unserved, record, {.power = job.power});
}

void Run::tell(EventKind kind, const JobRecord& record, Event event) const {
  if (listener_ == nullptr) return;
  event.time = now_;
  event.kind = kind;
  event.load = record.load;
  event.job = record.index;
  listener_->on_event(event);
}

}  // namespace

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::Request:
      return "request";
    case EventKind::Distrust:
      return "distrust";
    case EventKind::Quote:
      return "quote";
    case EventKind::Start:
      return "start";
    case EventKind::Wait:
      return "wait";
    case EventKind::Unserved:
      return "unserved";
    case EventKind::Release:
      return "release";
    case EventKind::Pay:
      return "pay";
    case EventKind::Refuse:
      return "refuse";
  }
  INVARIANT(false, "an event should have a name");
}

Outcome simulate(const Scenario& scenario, std::uint64_t seed, std::uint64_t replication, const Budget& budget,
                 EventListener* listener) {
  return Run(scenario, seed, replication, listener).run(budget);
}

}  // namespace plumb::energy
