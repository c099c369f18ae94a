#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "chain/build.h"
#include "chain/check.h"
#include "lang/prism/prism.h"

namespace plumb::prism {

using Constants = std::map<std::string, std::string>;

/// A model and its chain, from text.
struct Built {
  Instance instance;
  chain::Chain chain;
  chain::BuildReport report;
};

inline Built built(const std::string& model, const std::string& properties = "", const Constants& constants = {},
                   chain::BuildOptions options = {}, Arithmetic arithmetic = Arithmetic::Doubles) {
  const auto source = parse_model(model, "model.prism");
  const auto asked = parse_properties(properties, "props.props");
  Built result{instantiate(*source, asked.get(), constants, arithmetic), {}, {}};
  options.threads = options.threads == 0 ? 1 : options.threads;
  result.chain = chain::build(result.instance.model, Budget(), options, result.report);
  return result;
}

/// The result of one property.
inline chain::PropertyResult checked(const std::string& model, const std::string& property,
                                     chain::CheckOptions options = {}, const Constants& constants = {}) {
  const bool is_exact = options.analysis.method == chain::AnalysisOptions::Method::Exact;
  const Built all = built(model, property, constants, {}, is_exact ? Arithmetic::Exact : Arithmetic::Doubles);
  options.analysis.threads = 1;
  return chain::check(all.instance.model, all.chain, all.instance.properties.at(0), Budget(), options);
}

inline chain::Bounded number(const std::string& model, const std::string& property, chain::CheckOptions options = {}) {
  return std::get<chain::Bounded>(checked(model, property, options).value);
}

inline bool holds(const std::string& model, const std::string& property) {
  const chain::PropertyResult result = checked(model, property);
  EXPECT_EQ(result.undecided, "") << property;
  return std::get<bool>(result.value);
}

/// The interval contains the number and is narrow.
inline void expect_number(const std::string& model, const std::string& property, double expected, double width = 2e-6) {
  const chain::Bounded found = number(model, property);
  const double slack = 1e-12 * std::max(1.0, std::abs(expected));
  EXPECT_LE(found.low, expected + slack) << property;
  EXPECT_GE(found.high, expected - slack) << property;
  EXPECT_LE(found.high - found.low, width * std::max(1.0, std::abs(expected))) << property;
}

/// The text of the error that something ends in.
template <typename F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace plumb::prism
