#include "energy/scenario_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "energy/example.h"

namespace plumb::energy {
namespace {

constexpr std::string_view kTime = "[time]\nwindows = 2\n";
constexpr std::string_view kProvider = "[[providers]]\nname = 'a'\ncapacity = 5\nprice = 10\n";
constexpr std::string_view kLoad = "[[loads]]\nname = 'x'\ndemand = [1, 2]\n";

std::string text_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

Scenario read(std::string_view text, const std::vector<Setting>& settings = {}) {
  return ScenarioFile(text, "s.toml", ".").scenario(settings);
}

std::string error_of(std::string_view text, const std::vector<Setting>& settings = {}) {
  try {
    static_cast<void>(read(text, settings));
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string with(std::string_view more) { return text_of({kTime, kProvider, kLoad, more}); }

TEST(ScenarioFile, ReadsWhatIsWrittenAndHasDefaultsForTheRest) {
  const Scenario scenario = read(with(R"(
expected_price_factor = 1.25
refuse_above = 0.5
refuse_below = 0.25
priority = -3
initial_trust = 7
estimated_price = 33
[router]
policy = "least-loaded"
order = "random"
when_full = "wait"
capacity = 12.5
[lines]
loss = 0.01
distance = [[8]]
[pricing]
conversion = 2
[payment]
delay = 0.5
[trust]
alpha = 0.25
beta = 3
neutral = 6
below_threshold = "refuse"
price_basis = "level"
)"));
  const Load& load = scenario.loads[0];
  EXPECT_EQ(load.expected_price_factor, 1.25);
  EXPECT_EQ(load.refuse_above, 0.5);
  EXPECT_EQ(load.refuse_below, 0.25);
  EXPECT_EQ(load.priority, -3);
  EXPECT_EQ(load.initial_trust, 7);
  EXPECT_EQ(load.estimated_price, (std::vector<double>{33, 33}));
  ASSERT_EQ(load.jobs.size(), 2U);
  EXPECT_EQ(load.jobs[1].start, kTicksPerHour);
  EXPECT_EQ(load.jobs[1].power, 2);
  EXPECT_EQ(scenario.policy, Policy::LeastLoaded);
  EXPECT_EQ(scenario.order, RequestOrder::Random);
  EXPECT_EQ(scenario.when_full, WhenFull::Wait);
  EXPECT_EQ(scenario.router_capacity, 12.5);
  EXPECT_EQ(scenario.loss_share(0, 0), 0.08);
  EXPECT_EQ(scenario.conversion, 2);
  EXPECT_EQ(scenario.payment_delay, kTicksPerHour / 2);
  EXPECT_EQ(scenario.trust.alpha, 0.25);
  EXPECT_EQ(scenario.trust.beta, 3);
  EXPECT_EQ(scenario.trust.neutral, 6);
  EXPECT_EQ(scenario.trust.below_threshold, BelowThreshold::Refuse);
  EXPECT_EQ(scenario.trust.price_basis, PriceBasis::TrustLevel);
  EXPECT_EQ(scenario.trust.maximum, TrustRules{}.maximum);
  EXPECT_EQ(scenario.providers[0].capacity, (std::vector<double>{5, 5}));
}

TEST(ScenarioFile, MakesTimeBasedPricingPaidUnlessTheFileSaysOtherwise) {
  EXPECT_EQ(read(with("[pricing]\nscheme = 'trust'")).payment, PaymentRule::ByExpectation);
  EXPECT_EQ(read(with("[pricing]\nscheme = 'time'")).payment, PaymentRule::Always);
  EXPECT_EQ(read(with("[pricing]\nscheme = 'time'\n[payment]\nrule = 'by-expectation'")).payment,
            PaymentRule::ByExpectation);
}

TEST(ScenarioFile, SplitsAWindowIntoJobs) {
  const Scenario scenario =
      read(with("[[loads.split]]\nduration = 0.25\nshare = 0.25\n"
                "[[loads.split]]\noffset = 0.5\nduration = 0.5\nshare = 0.75\n"));
  const std::vector<Job>& jobs = scenario.loads[0].jobs;
  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs[2].start, kTicksPerHour);
  EXPECT_EQ(jobs[2].end, kTicksPerHour * 5 / 4);
  EXPECT_EQ(jobs[2].power, 2 * 0.25 / 0.25);
  EXPECT_EQ(jobs[3].start, kTicksPerHour * 3 / 2);
  EXPECT_EQ(jobs[3].power, 2 * 0.75 / 0.5);
}

TEST(ScenarioFile, RepeatsJobs) {
  const Scenario scenario =
      read(text_of({"[time]\nwindows = 10\n", kProvider, "[[loads]]\nname = 'x'\n[[loads.jobs]]\nstart = 1\n",
                    "duration = 2\npower = 4\nevery = 3.5\n[[loads.jobs]]\nduration = 1\npower = 2\n"}));
  std::vector<double> starts;
  for (const Job& job : scenario.loads[0].jobs) starts.push_back(hours(job.start));
  EXPECT_EQ(starts, (std::vector<double>{0, 1, 4.5, 8}));
}

TEST(ScenarioFile, ReadsColumnsOfCsvFilesBesideIt) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "d.csv", "hour,demand\n0,10\n1,20\n");
  write_file(
      directory.path() / "s.toml",
      text_of({"[time]\nwindows = 4\n", kProvider,
               "[[loads]]\nname = 'x'\ndemand = {file = 'd.csv', column = 'demand', scale = 0.1, repeat = true}"}));
  const Scenario scenario = ScenarioFile(directory.path() / "s.toml").scenario();
  std::vector<double> powers;
  for (const Job& job : scenario.loads[0].jobs) powers.push_back(job.power);
  EXPECT_EQ(powers, (std::vector<double>{1, 2, 1, 2}));
}

TEST(ScenarioFile, DrawsTheSameDistancesFromTheSameSeed) {
  const auto distances = [](std::string_view seed) {
    return read(with(text_of({"[lines]\ndistance = {low = 20, high = 30, seed = ", seed, "}"}))).distance;
  };
  EXPECT_EQ(distances("1"), distances("1"));
  EXPECT_NE(distances("1"), distances("2"));
  EXPECT_GE(distances("1")[0], 20);
  EXPECT_LT(distances("1")[0], 30);
}

TEST(ScenarioFile, PutsSettingsInPlace) {
  const std::string text = text_of({kTime, kProvider, kLoad, "[[loads]]\nname = 'y'\ndemand = 3\n"});
  const Scenario all = read(text, {{"loads.expected_price_factor", "1.9", "--set"},
                                   {"loads.y.expected_price_factor", "1.2", "--set"},
                                   {"providers.a.capacity", "[7, 8]", "--set"},
                                   {"trust.beta", "2", "--sweep"},
                                   {"router.policy", "nearest", "--sweep"},
                                   {"loads.y.demand", "4", "--set"}});
  EXPECT_EQ(all.loads[0].expected_price_factor, 1.9);
  EXPECT_EQ(all.loads[1].expected_price_factor, 1.2);
  EXPECT_EQ(all.providers[0].capacity, (std::vector<double>{7, 8}));
  EXPECT_EQ(all.trust.beta, 2);
  EXPECT_EQ(all.policy, Policy::Nearest);
  EXPECT_EQ(all.loads[1].jobs[0].power, 4);
  EXPECT_EQ(read(text).trust.beta, TrustRules{}.beta) << "settings stay with the scenario that they were given for";
}

TEST(ScenarioFile, NamesThePlaceOfAMistakeAndWhatWasExpected) {
  EXPECT_EQ(error_of("[time"), "s.toml:1:6: error: Error while parsing table header: encountered end-of-file");
  EXPECT_EQ(error_of(""), "s.toml: error: time.windows is missing: expected the number of time windows");
  EXPECT_EQ(error_of("[time]\nwindows = 0"),
            "s.toml:2:11: error: time.windows: expected an integer from 1 to 10000000, but found 0");
  EXPECT_EQ(error_of("[time]\nwindow = 0.0\nwindows = 1"),
            "s.toml:2:10: error: time.window: expected a number above 0 and at most 1000000, but found 0");
  EXPECT_EQ(error_of(kTime), "s.toml:1:1: error: providers is missing: expected at least one [[providers]]");
  EXPECT_EQ(error_of(text_of({kTime, kProvider})),
            "s.toml:1:1: error: loads is missing: expected at least one [[loads]]");
  EXPECT_EQ(error_of(with("[trust]\nbeta = -1")),
            "s.toml:11:8: error: trust.beta: expected a number that is at least 0, but found -1");
  EXPECT_EQ(error_of(with("[trust]\nbeta = nan")),
            "s.toml:11:8: error: trust.beta: expected a number that is at least 0, but found nan");
  EXPECT_EQ(error_of(with("[trust]\nalpha = 1.5")),
            "s.toml:11:9: error: trust.alpha: expected a number from 0 to 1, but found 1.5");
  EXPECT_EQ(error_of(with("refuse_above = 'often'")),
            "s.toml:10:16: error: loads[1].refuse_above: expected a number from 0 to 1, but found a string");
  EXPECT_EQ(error_of(with("[lines]\ndistance = [[1, 2]]")),
            "s.toml:11:13: error: lines.distance: expected 1 distances, one for each provider, but there are 2");
  EXPECT_EQ(error_of(with("[[loads.split]]\nshare = 0.5")),
            "s.toml:10:1: error: the shares of loads[1].split sum to 0.5, but should sum to 1");
  EXPECT_EQ(error_of(with("[[loads.jobs]]\nstart = 1\nduration = 1.5\npower = 1")),
            "s.toml:10:1: error: loads[1].jobs[1] ends at hour 2.5, after the last window (hour 2)");
}

TEST(ScenarioFile, RefusesCurvesOfAnotherLengthAndProvidersWithoutPower) {
  EXPECT_EQ(error_of(text_of({"[time]\nwindows = 3\n", kProvider, kLoad})),
            "s.toml:9:10: error: loads[1].demand has 2 values, but there are 3 windows\n"
            "  hint: a table may have repeat = true");
  EXPECT_EQ(error_of(text_of({kTime, "[[providers]]\nname = 'a'\ncapacity = 0\nprice = 1\n", kLoad})),
            "s.toml:5:12: error: providers[1].capacity is zero in every window\n"
            "  hint: leave out a provider that never has power");
}

TEST(ScenarioFile, SuggestsTheNearestNameForAnUnknownKeyOrWord) {
  EXPECT_EQ(error_of(with("[trust]\nbta = 1")),
            "s.toml:11:1: error: unknown key 'trust.bta'\n  hint: did you mean 'beta'?");
  EXPECT_EQ(error_of(with("[router]\npolicy = 'lowest-prize'")),
            "s.toml:11:10: error: router.policy: expected 'lowest-cost', 'lowest-price', 'nearest', 'least-loaded' or "
            "'random', but found 'lowest-prize'\n  hint: did you mean 'lowest-price'?");
  EXPECT_EQ(error_of(text_of({kTime, kProvider, "[[loads]]\nname = 'x'\ndemnd = 1"})),
            "s.toml:9:1: error: unknown key 'loads[1].demnd'\n  hint: did you mean 'demand'?");
  EXPECT_EQ(error_of(with("[line]\nloss = 1")),
            "s.toml:10:2: error: unknown key 'line'\n  hint: did you mean 'lines'?");
}

TEST(ScenarioFile, NamesTheOptionThatASettingCameFrom) {
  const std::string text = with("");
  EXPECT_EQ(error_of(text, {{"trust.beta", "-1", "--sweep"}}),
            "--sweep trust.beta: error: trust.beta: expected a number that is at least 0, but found -1");
  EXPECT_EQ(error_of(text, {{"trust.bta", "1", "--set"}}),
            "--set trust.bta: error: unknown key 'trust.bta'\n  hint: did you mean 'beta'?");
  EXPECT_EQ(error_of(text, {{"trst.beta", "1", "--set"}}),
            "--set trst.beta: error: unknown key 'trst'\n  hint: did you mean 'trust'?");
  EXPECT_EQ(error_of(text, {{"loads.z.demand", "1", "--set"}}),
            "--set loads.z.demand: error: nothing there is named 'z'\n  hint: there are the names x");
  EXPECT_EQ(error_of(text, {{"loads.demand.scale", "1", "--set"}}),
            "--set loads.demand.scale: error: 'demand' is an array and has no keys of its own");
  EXPECT_EQ(error_of(text, {{"trust.beta", "1\nalpha = 2", "--set"}}).substr(0, 23), "--set trust.beta: error");
}

TEST(ScenarioFile, RefusesANegativePrice) {
  EXPECT_EQ(error_of(with("[trust]\nneutral = 1\nbeta = 3")),
            "s.toml: error: trust: the price at the highest trust is -1.7 times the time-based one\n"
            "  hint: with beta = 3 neutral should be at least 2.308");
}

TEST(ScenarioFile, BlamesTheOneWhoNamesAFileThatIsNotThere) {
  EXPECT_EQ(error_of(text_of({kTime, kProvider, "[[loads]]\nname = 'x'\ndemand = {file = 'no.csv', column = 'a'}"}))
                .substr(0, 32),
            "s.toml:9:18: error: cannot read ");
}

TEST(Example, IsAScenarioOfFiveDaysByTheHour) {
  const TemporaryDirectory directory;
  for (const ExampleFile& file : five_days_example()) write_file(directory.path() / file.name, file.content);
  const Scenario scenario = ScenarioFile(directory.path() / "five_days.toml").scenario();
  EXPECT_EQ(scenario.windows, 120U);
  EXPECT_EQ(scenario.window, kTicksPerHour);
  EXPECT_EQ(scenario.loads.size(), 3U);
  EXPECT_EQ(scenario.providers.size(), 3U);
  EXPECT_EQ(scenario.job_count(), 360U);
}

TEST(Example, HasTheShapeOfADay) {
  const TemporaryDirectory directory;
  for (const ExampleFile& file : five_days_example()) write_file(directory.path() / file.name, file.content);
  const Scenario scenario = ScenarioFile(directory.path() / "five_days.toml").scenario();
  const std::vector<Job>& suburbs = scenario.loads[1].jobs;
  for (std::size_t day = 0; day < 5; ++day) {
    const auto power = [&](std::size_t hour) { return suburbs[24 * day + hour].power; };
    EXPECT_LT(power(3), power(7)) << "night below morning";
    EXPECT_LT(power(13), power(7)) << "noon below morning";
    EXPECT_LT(power(7), power(18)) << "morning below evening";
    EXPECT_LT(scenario.providers[1].price[24 * day + 3], scenario.providers[1].price[24 * day + 18]);
  }
}

}  // namespace
}  // namespace plumb::energy
