#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.h"
#include "lang/prism/prism.h"

namespace plumb::prism {
namespace {

constexpr std::size_t kMostValues = 1'000'000;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

/// A decimal as a whole number of units of 10^-digits.
struct Decimal {
  __int128 units = 0;
  int digits = 0;
};

Decimal read_decimal(const std::string& text, const std::string& whole) {
  Decimal result;
  bool is_negative = false;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) is_negative = text[i++] == '-';
  bool has_point = false;
  bool has_digit = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9' || result.digits > 15)
      throw UserError(fmt::format("--const: '{}' in '{}' is no decimal number", text, whole));
    has_digit = true;
    result.units = result.units * 10 + (text[i] - '0');
    if (has_point) ++result.digits;
  }
  if (!has_digit) throw UserError(fmt::format("--const: '{}' in '{}' is no decimal number", text, whole));
  if (is_negative) result.units = -result.units;
  return result;
}

std::string write_decimal(__int128 units, int digits) {
  const bool is_negative = units < 0;
  if (is_negative) units = -units;
  std::string text;
  for (int i = 0; i <= digits || units > 0; ++i, units /= 10) {
    if (i == digits && digits > 0) text += '.';
    text += static_cast<char>('0' + static_cast<int>(units % 10));
  }
  if (is_negative) text += '-';
  std::ranges::reverse(text);
  return text;
}

/// LOW:STEP:HIGH or LOW:HIGH, exactly.
std::vector<std::string> range(const std::vector<std::string>& parts, const std::string& whole) {
  Decimal low = read_decimal(parts[0], whole);
  Decimal step = parts.size() == 3 ? read_decimal(parts[1], whole) : Decimal{1, 0};
  Decimal high = read_decimal(parts.back(), whole);
  const int digits = std::max({low.digits, step.digits, high.digits});
  const auto scale = [&](Decimal& decimal) {
    for (; decimal.digits < digits; ++decimal.digits) decimal.units *= 10;
  };
  scale(low);
  scale(step);
  scale(high);
  if (step.units <= 0 || low.units > high.units)
    throw UserError(fmt::format("--const: the range '{}' is empty", whole), "write LOW:STEP:HIGH with a positive step");
  std::vector<std::string> values;
  for (__int128 units = low.units; units <= high.units; units += step.units) {
    if (values.size() == kMostValues)
      throw UserError(fmt::format("--const: the range '{}' has over a million values", whole));
    values.push_back(write_decimal(units, digits));
  }
  return values;
}

}  // namespace

std::vector<GivenConstant> parse_constants(const std::vector<std::string>& texts) {
  std::vector<GivenConstant> result;
  std::set<std::string> names;
  for (const std::string& text : texts)
    for (const std::string& item : split(text, ',')) {
      const std::size_t equals = item.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == item.size())
        throw UserError(fmt::format("--const: '{}' gives no value", item), "write NAME=VALUE or NAME=LOW:STEP:HIGH");
      GivenConstant constant{item.substr(0, equals), {}};
      if (!names.insert(constant.name).second)
        throw UserError(fmt::format("--const: '{}' is given twice", constant.name));
      const std::vector<std::string> parts = split(item.substr(equals + 1), ':');
      if (parts.size() > 3)
        throw UserError(fmt::format("--const: '{}' has too many parts", item), "write NAME=LOW:STEP:HIGH");
      constant.values = parts.size() == 1 ? parts : range(parts, item);
      result.push_back(std::move(constant));
    }
  return result;
}

std::vector<std::map<std::string, std::string>> combinations(const std::vector<GivenConstant>& constants) {
  std::vector<std::map<std::string, std::string>> result{{}};
  for (const GivenConstant& constant : constants) {
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& combination : result)
      for (const std::string& value : constant.values) {
        longer.push_back(combination);
        longer.back()[constant.name] = value;
      }
    result = std::move(longer);
  }
  return result;
}

}  // namespace plumb::prism
