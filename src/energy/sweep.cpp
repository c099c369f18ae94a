#include "energy/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"

namespace plumb::energy {
namespace {

constexpr std::size_t kMaxPoints = 100'000;
constexpr std::string_view kHint = "write it as trust.beta=1:1:3 or router.policy=nearest,lowest-cost";

std::pair<std::string, std::string> split_key(std::string_view text, std::string_view origin) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    throw UserError(SourceLocation{std::string(origin)}, fmt::format("expected KEY=VALUE, but found '{}'", text),
                    std::string(kHint));
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

double parse_number(std::string_view text, std::string_view whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw UserError(SourceLocation{"--sweep"}, fmt::format("'{}' in '{}' is not a number", text, whole),
                    std::string(kHint));
  return value;
}

std::vector<std::string> range_values(const std::vector<std::string_view>& parts, std::string_view whole) {
  const double low = parse_number(parts[0], whole);
  const double step = parse_number(parts[1], whole);
  const double high = parse_number(parts[2], whole);
  if (step <= 0 || high < low)
    throw UserError(SourceLocation{"--sweep"}, fmt::format("the range '{}' has no values", whole),
                    "a range is LOW:STEP:HIGH, with a step above zero");
  constexpr double kSlack = 1e-9;  // so that 1:0.1:2 ends with 2
  const double count = std::floor((high - low) / step + kSlack) + 1;
  if (count > static_cast<double>(kMaxPoints))
    throw UserError(SourceLocation{"--sweep"},
                    fmt::format("the range '{}' has more than {} values", whole, kMaxPoints));
  std::vector<std::string> values;
  for (double i = 0; i < count; ++i) values.push_back(fmt::format("{:.12g}", low + i * step));
  return values;
}

}  // namespace

Sweep parse_sweep(std::string_view text) {
  auto [key, rest] = split_key(text, "--sweep");
  Sweep sweep{std::move(key), {}};
  const std::vector<std::string_view> parts = split(rest, ':');
  if (parts.size() == 3) {
    sweep.values = range_values(parts, rest);
    return sweep;
  }
  for (const std::string_view value : split(rest, ',')) {
    if (value.empty())
      throw UserError(SourceLocation{"--sweep"}, fmt::format("'{}' has an empty value", text), std::string(kHint));
    if (std::ranges::find(sweep.values, value) != sweep.values.end())
      throw UserError(SourceLocation{"--sweep"}, fmt::format("'{}' has the value {} twice", text, value));
    sweep.values.emplace_back(value);
  }
  return sweep;
}

Setting parse_setting(std::string_view text, std::string origin) {
  auto [key, value] = split_key(text, origin);
  return {std::move(key), std::move(value), std::move(origin)};
}

std::vector<Setting> parse_settings(std::string_view text, const std::string& origin) {
  std::vector<Setting> settings;
  for (const std::string_view part : split(text, ',')) settings.push_back(parse_setting(part, origin));
  return settings;
}

std::vector<std::vector<Setting>> combinations(const std::vector<Sweep>& sweeps) {
  std::vector<std::vector<Setting>> result = {{}};
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    const Sweep& sweep = sweeps[i];
    for (std::size_t j = 0; j < i; ++j)
      if (sweeps[j].key == sweep.key)
        throw UserError(SourceLocation{"--sweep"}, fmt::format("{} is swept twice", sweep.key));
    if (sweep.values.size() > kMaxPoints / result.size())
      throw UserError(SourceLocation{"--sweep"}, fmt::format("there are more than {} combinations", kMaxPoints));
    std::vector<std::vector<Setting>> longer;
    for (const std::vector<Setting>& settings : result) {
      for (const std::string& value : sweep.values) {
        longer.push_back(settings);
        longer.back().push_back({sweep.key, value, "--sweep"});
      }
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace plumb::energy
