#pragma once

#include <cstdint>
#include <string>

#include "chain/check.h"

namespace plumb::cli::prob {

/// A number for people, with no more digits than are known, and how far it may be from the true one.
struct ShownNumber {
  std::string value;  ///< "0.16667", "infinity", "2/3 = 0.666666666666667"
  std::string error;  ///< "3.2e-07", rounded up so that value ± error contains the interval; empty if there is none
};
constexpr int kMostDigits = 15;
ShownNumber shown(const chain::Bounded& number, int most_digits = kMostDigits);
std::string exact_text(const chain::ExactValue& value);  ///< "2/3", "infinity"
/// The greatest distance of the printed value to the ends of its interval; zero if both are infinite.
double error_of(const chain::Bounded& number);
/// Rounded up to two digits: "3.2e-07".
std::string error_text(double error);

std::string grouped(std::uint64_t number);    ///< "14,512,331"
std::string bytes_text(std::uint64_t bytes);  ///< "1.2 GiB"
std::string seconds_text(double seconds);     ///< "0.12 s"
/// "1 state", "2 states".
std::string counted(std::uint64_t count, const std::string& word);

}  // namespace plumb::cli::prob
