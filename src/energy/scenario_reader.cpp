#include "energy/scenario_reader.h"

#include <algorithm>
#include <cmath>

#include "energy/toml_reader.h"

namespace plumb::energy {
namespace {

using Range = TableReader::Range;
constexpr Range kNotNegative{};
constexpr Range kPositive{0, 1e15, true};
constexpr Range kProbability{0, 1};
constexpr Range kDuration{0, 1e6, true};  // hours
constexpr Range kMoment{0, 1e6};
constexpr std::int64_t kMaxWindows = 10'000'000;

Ticks to_ticks(double hours) { return std::llround(hours * static_cast<double>(kTicksPerHour)); }

/// Reads a scenario from the tables of its file.
class Reader {
 public:
  Reader(const toml::table& root, const std::string& file, const OpenCsv& open_csv)
      : root_(root, {}, file), open_csv_(open_csv) {}

  Scenario read() {
    root_.read("name", scenario_.name);
    read_time(root_.table("time"));
    read_router(root_.table("router"));
    read_pricing(root_.table("pricing"));
    read_payment(root_.table("payment"));
    read_trust(root_.table("trust"));
    for (TableReader& table : need_tables("providers")) read_provider(table);
    for (TableReader& table : need_tables("loads")) read_load(table);
    read_lines(root_.table("lines"));
    root_.expect_no_more();
    return std::move(scenario_);
  }

 private:
  std::vector<TableReader> need_tables(std::string_view key) {
    root_.need(key, fmt::format("at least one [[{}]]", key));
    return root_.tables(key);
  }

  void read_time(TableReader table) {
    double window = 1;
    table.read("window", window, kDuration);
    scenario_.window = std::max<Ticks>(1, to_ticks(window));
    const toml::node& windows = table.need("windows", "the number of time windows");
    scenario_.windows = static_cast<std::size_t>(table.integer(windows, "windows", 1, kMaxWindows));
    table.expect_no_more();
  }

  void read_router(TableReader table) {
    table.read<Policy>("policy", scenario_.policy,
                       {{"lowest-cost", Policy::LowestCost},
                        {"lowest-price", Policy::LowestPrice},
                        {"nearest", Policy::Nearest},
                        {"least-loaded", Policy::LeastLoaded},
                        {"random", Policy::Random}});
    table.read<RequestOrder>("order", scenario_.order,
                             {{"file", RequestOrder::File}, {"random", RequestOrder::Random}});
    table.read<WhenFull>("when_full", scenario_.when_full, {{"drop", WhenFull::Drop}, {"wait", WhenFull::Wait}});
    if (const toml::node* node = table.find("capacity"))
      scenario_.router_capacity = table.number(*node, "capacity", kPositive);
    table.expect_no_more();
  }

  void read_pricing(TableReader table) {
    table.read<PricingScheme>("scheme", scenario_.pricing,
                              {{"trust", PricingScheme::Trust}, {"time", PricingScheme::Time}});
    table.read("conversion", scenario_.conversion, kNotNegative);
    table.expect_no_more();
  }

  /// Without trust nobody would notice a refusal, so that then, unless the file says so, there are none.
  void read_payment(TableReader table) {
    scenario_.payment = scenario_.pricing == PricingScheme::Time ? PaymentRule::Always : PaymentRule::ByExpectation;
    table.read<PaymentRule>("rule", scenario_.payment,
                            {{"by-expectation", PaymentRule::ByExpectation}, {"always", PaymentRule::Always}});
    double delay = 0;
    table.read("delay", delay, kMoment);
    scenario_.payment_delay = to_ticks(delay);
    table.expect_no_more();
  }

  void read_trust(TableReader table) {
    TrustRules& rules = scenario_.trust;
    table.read("alpha", rules.alpha, kProbability);
    table.read("beta", rules.beta, kNotNegative);
    table.read("neutral", rules.neutral, kPositive);
    table.read("minimum", rules.minimum, kPositive);
    table.read("maximum", rules.maximum, {rules.minimum});
    const Range inside{rules.minimum, rules.maximum};
    table.read("initial", rules.initial, inside);
    table.read("threshold", rules.threshold, inside);
    table.read("paid", rules.paid, kNotNegative);
    table.read("unpaid", rules.unpaid, kNotNegative);
    table.read("unpaid_expensive", rules.unpaid_expensive, kNotNegative);
    table.read("threshold_paid", rules.threshold_paid, kNotNegative);
    table.read("threshold_unpaid", rules.threshold_unpaid, kNotNegative);
    table.read("threshold_expensive", rules.threshold_expensive, kNotNegative);
    table.read<BelowThreshold>("below_threshold", rules.below_threshold,
                               {{"minimum", BelowThreshold::Minimum}, {"refuse", BelowThreshold::Refuse}});
    table.read<PriceBasis>("price_basis", rules.price_basis,
                           {{"reputation", PriceBasis::Reputation}, {"level", PriceBasis::TrustLevel}});
    table.expect_no_more();
  }

  /// A name that none of the others has.
  template <typename Named>
  static std::string name_of(TableReader& table, const std::vector<Named>& others) {
    const toml::node& node = table.need("name", "a string");
    std::string name = table.text(node, "name");
    if (name.empty()) table.fail(node, fmt::format("{} is empty", table.name_of("name")));
    if (std::ranges::find(others, name, &Named::name) != others.end())
      table.fail(node, fmt::format("{}: another one is named '{}'", table.name_of("name"), name));
    return name;
  }

  void read_provider(TableReader& table) {
    Provider provider;
    provider.name = name_of(table, scenario_.providers);
    provider.capacity = curve(table, "capacity", table.need("capacity", "MW"));
    provider.price = curve(table, "price", table.need("price", "$/MWh"));
    if (std::ranges::all_of(provider.capacity, [](double mw) { return mw == 0; }))
      table.fail(*table.find("capacity"), fmt::format("{} is zero in every window", table.name_of("capacity")),
                 "leave out a provider that never has power");
    table.expect_no_more();
    scenario_.providers.push_back(std::move(provider));
  }

  void read_load(TableReader& table) {
    Load load;
    load.name = name_of(table, scenario_.loads);
    const std::vector<JobShape> shapes = split_of(table);
    const toml::node* demand = table.find("demand");
    if (demand != nullptr) load.jobs = make_jobs(curve(table, "demand", *demand), scenario_.window, shapes);
    for (TableReader& job : table.tables("jobs")) read_jobs(job, load.jobs);
    if (demand == nullptr && table.find("jobs") == nullptr)
      static_cast<void>(table.need("demand", "MWh for each window, or [[loads.jobs]]"));
    std::ranges::stable_sort(load.jobs, {}, &Job::start);
    table.read("expected_price_factor", load.expected_price_factor, kNotNegative);
    table.read("refuse_above", load.refuse_above, kProbability);
    table.read("refuse_below", load.refuse_below, kProbability);
    if (const toml::node* node = table.find("estimated_price"))
      load.estimated_price = curve(table, "estimated_price", *node);
    if (const toml::node* node = table.find("priority"))
      load.priority = table.integer(*node, "priority", -1'000'000, 1'000'000);
    if (const toml::node* node = table.find("initial_trust"))
      load.initial_trust = table.number(*node, "initial_trust", {scenario_.trust.minimum, scenario_.trust.maximum});
    table.expect_no_more();
    scenario_.loads.push_back(std::move(load));
  }

  /// The jobs that each window of a demand falls into; one as long as the window by default.
  std::vector<JobShape> split_of(TableReader& table) {
    std::vector<JobShape> shapes;
    double sum = 0;
    const std::vector<TableReader> parts = table.tables("split");
    for (TableReader part : parts) {
      double offset = 0;
      double duration = hours(scenario_.window);
      JobShape shape;
      part.read("offset", offset, kMoment);
      part.read("duration", duration, kDuration);
      part.read("share", shape.share, {0, 1, true});
      part.expect_no_more();
      shape.offset = to_ticks(offset);
      shape.duration = std::max<Ticks>(1, to_ticks(duration));
      if (shape.offset + shape.duration > scenario_.window)
        throw UserError(part.place(), fmt::format("{} ends at hour {} of a window of {} hours", part.path(),
                                                  offset + duration, hours(scenario_.window)));
      sum += shape.share;
      shapes.push_back(shape);
    }
    if (shapes.empty()) return {{0, scenario_.window, 1}};
    if (std::abs(sum - 1) > 1e-9)
      throw UserError(parts.front().place(),
                      fmt::format("the shares of {} sum to {}, but should sum to 1", table.name_of("split"), sum));
    return shapes;
  }

  void read_jobs(TableReader& table, std::vector<Job>& jobs) {
    double start = 0;
    double every = 0;
    table.read("start", start, kMoment);
    const double duration = table.number(table.need("duration", "hours"), "duration", kDuration);
    const double power = table.number(table.need("power", "MW"), "power", kPositive);
    table.read("every", every, kDuration);
    table.expect_no_more();
    Job job{to_ticks(start), to_ticks(start) + std::max<Ticks>(1, to_ticks(duration)), power};
    if (job.end > scenario_.horizon())
      throw UserError(table.place(), fmt::format("{} ends at hour {}, after the last window (hour {})", table.path(),
                                                 hours(job.end), hours(scenario_.horizon())));
    const Ticks step = every == 0 ? scenario_.horizon() : std::max<Ticks>(1, to_ticks(every));
    if (every != 0 && step < job.end - job.start)
      throw UserError(table.place(),
                      fmt::format("{} begins again every {} hours, before it ends", table.path(), every));
    for (; job.end <= scenario_.horizon(); job.start += step, job.end += step) jobs.push_back(job);
  }

  void read_lines(TableReader table) {
    table.read("loss", scenario_.loss, kNotNegative);
    const std::size_t loads = scenario_.loads.size();
    const std::size_t providers = scenario_.providers.size();
    const toml::node* node = table.find("distance");
    if (node == nullptr) {
      scenario_.distance.assign(loads * providers, 0);
    } else if (node->is_array()) {
      scenario_.distance = distance_matrix(table, *node->as_array());
    } else {
      TableReader random = table.table("distance");
      const double low = random.number(random.need("low", "a distance"), "low", kNotNegative);
      const double high = random.number(random.need("high", "a distance"), "high", {low});
      const std::int64_t seed =
          random.integer(random.need("seed", "an integer"), "seed", 0, std::numeric_limits<std::int64_t>::max());
      random.expect_no_more();
      scenario_.distance = random_distances(loads, providers, low, high, static_cast<std::uint64_t>(seed));
    }
    table.expect_no_more();
  }

  std::vector<double> distance_matrix(const TableReader& table, const toml::array& rows) const {
    std::vector<double> distances;
    const auto need_size = [&](const toml::array& array, std::size_t size, std::string_view whose) {
      if (array.size() != size)
        table.fail(array, fmt::format("lines.distance: expected {} {}, but there are {}", size, whose, array.size()));
    };
    need_size(rows, scenario_.loads.size(), "rows, one for each load");
    for (const toml::node& row : rows) {
      if (!row.is_array())
        table.fail(row, fmt::format("lines.distance: expected an array for each load, but found {}", kind_of(row)));
      need_size(*row.as_array(), scenario_.providers.size(), "distances, one for each provider");
      for (const toml::node& cell : *row.as_array()) distances.push_back(table.number(cell, "distance", kNotNegative));
    }
    return distances;
  }

  /// A number for all windows, an array with one for each, or a column of a CSV file.
  std::vector<double> curve(const TableReader& table, std::string_view key, const toml::node& node) {
    if (node.is_number()) return std::vector<double>(scenario_.windows, table.number(node, key, kNotNegative));
    std::vector<double> values;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) values.push_back(table.number(element, key, kNotNegative));
      return fitted(table, key, node, std::move(values), false);
    }
    if (!node.is_table())
      table.fail(node, fmt::format("{}: expected a number, an array or {{file = …, column = …}}, but found {}",
                                   table.name_of(key), kind_of(node)));
    TableReader source(*node.as_table(), table.name_of(key), table.file());
    const toml::node& name = source.need("file", "the name of a CSV file");
    const std::string column = source.text(source.need("column", "the name of a column"), "column");
    double scale = 1;
    source.read("scale", scale, kNotNegative);
    const toml::node* repeat = source.find("repeat");
    if (repeat != nullptr && !repeat->is_boolean())
      source.fail(*repeat,
                  fmt::format("{}: expected true or false, but found {}", source.name_of("repeat"), kind_of(*repeat)));
    source.expect_no_more();
    values = open(source, name).column(column);
    for (double& value : values) value *= scale;
    return fitted(table, key, node, std::move(values), repeat != nullptr && *repeat->value<bool>());
  }

  const CsvTable& open(const TableReader& source, const toml::node& name) const {
    try {
      return open_csv_(source.text(name, "file"));
    } catch (const UserError& error) {
      if (!error.location().file.empty()) throw;
      source.fail(name, error.message(), error.hint());  // a file that cannot be read is a mistake of who names it
    }
  }

  /// One value for each window.
  std::vector<double> fitted(const TableReader& table, std::string_view key, const toml::node& node,
                             std::vector<double> values, bool is_repeated) const {
    const std::size_t given = values.size();
    if (is_repeated && given > 0) {
      values.resize(scenario_.windows);
      for (std::size_t i = given; i < values.size(); ++i) values[i] = values[i - given];
    }
    if (values.size() != scenario_.windows)
      table.fail(
          node, fmt::format("{} has {} values, but there are {} windows", table.name_of(key), given, scenario_.windows),
          given > 0 && given < scenario_.windows ? "a table may have repeat = true" : "");
    return values;
  }

  TableReader root_;
  const OpenCsv& open_csv_;
  Scenario scenario_;
};

}  // namespace

Scenario read_scenario(const toml::table& root, const std::string& file, const OpenCsv& open_csv) {
  Scenario scenario = Reader(root, file, open_csv).read();
  try {
    check(scenario);
  } catch (const UserError& error) {
    throw UserError(SourceLocation{file}, error.message(), error.hint());
  }
  return scenario;
}

}  // namespace plumb::energy
