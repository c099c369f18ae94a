#include "cli/prob/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace plumb::cli::prob {
namespace {

/// Exponent of ten of the first digit.
int first_digit(double number) { return static_cast<int>(std::floor(std::log10(std::abs(number)))); }

std::string digits(double value, double error, int most) {
  if (std::abs(value) <= error) return "0";  // no digit is known
  int count = most;
  if (value != 0 && error > 0) count = first_digit(value) - first_digit(error) + 1;
  return fmt::format("{:.{}g}", value, std::clamp(count, 1, most));
}

/// A range of values (of several states) rather than one with an error.
bool is_one_sided(const chain::Bounded& number) {
  const double below = number.value - number.low;
  const double above = number.high - number.value;
  return std::max(below, above) > 1e-4 * std::abs(number.value) && std::min(below, above) < std::max(below, above) / 4;
}

}  // namespace

double error_of(const chain::Bounded& number) {
  if (std::isinf(number.value) || std::isnan(number.value)) return 0;
  return std::max({number.high - number.value, number.value - number.low, 0.0});
}

std::string exact_text(const chain::ExactValue& value) { return value ? value->to_string() : "infinity"; }

std::string error_text(double error) {
  if (std::isinf(error)) return "infinity";
  // Printing rounds to nearest; a hair more than the rounding makes it an upper bound.
  std::string text = fmt::format("{:.1e}", error);
  if (std::strtod(text.c_str(), nullptr) < error)
    text = fmt::format("{:.1e}", error + 0.05 * std::pow(10.0, first_digit(error)));
  const std::size_t zero = text.find(".0e");
  return zero == std::string::npos ? text : text.erase(zero, 2);
}

ShownNumber shown(const chain::Bounded& number, int most_digits) {
  if (std::isnan(number.value)) return {"not a number", ""};
  if (std::isinf(number.value) && number.low == number.high) return {number.value > 0 ? "infinity" : "-infinity", ""};
  ShownNumber result;
  const double error = error_of(number);
  if (is_one_sided(number)) return {fmt::format("between {} and {}", number.low, number.high), ""};
  result.value = digits(number.value, error, most_digits);
  if (number.exact && exact_text(*number.exact) != result.value)
    result.value = fmt::format("{} = {}", exact_text(*number.exact), result.value);
  if (!number.exact && error > 0) {
    const double printed = std::strtod(result.value.c_str(), nullptr);
    result.error = error_text(std::max(number.high - printed, printed - number.low));
  }
  return result;
}

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1000 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  return fmt::format("{:.{}f} {}", amount, unit == 0 || amount >= 100 ? 0 : 1, kUnits[unit]);
}

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

std::string counted(std::uint64_t count, const std::string& word) {
  if (count == 1) return "1 " + word;
  if (word.ends_with("y")) return fmt::format("{} {}ies", grouped(count), word.substr(0, word.size() - 1));
  return fmt::format("{} {}s", grouped(count), word);
}

}  // namespace plumb::cli::prob
