#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "chain/analysis.h"
#include "chain/chain.h"

namespace plumb::chain::testing {

using Matrix = std::vector<std::vector<double>>;

inline Chain chain_of(Kind kind, const Matrix& weights) {
  Chain chain;
  chain.kind = kind;
  chain.states = weights.size();
  for (const std::vector<double>& row : weights) {
    std::vector<Rows::Entry> entries;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) entries.push_back({static_cast<StateId>(j), row[j]});
    chain.rows.add_row(entries);
  }
  chain.rows.finish();
  chain.initial = {0};
  chain.deadlocks = StateSet(chain.states);
  return chain;
}

inline StateSet set_of_states(const Chain& chain, const std::vector<StateId>& states) {
  StateSet result(chain.states);
  for (const StateId s : states) result.insert(s);
  return result;
}

using LongMatrix = std::vector<std::vector<long double>>;

inline LongMatrix multiply(const LongMatrix& a, const LongMatrix& b) {
  LongMatrix result(a.size(), std::vector<long double>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t j = 0; j < a.size(); ++j) result[i][j] += a[i][k] * b[k][j];
  return result;
}

/// exp(a * time) by Taylor's series after scaling, and squaring; in long doubles, since squaring doubles errors.
inline Matrix exponential(const Matrix& a, double time) {
  const std::size_t n = a.size();
  double norm = 0;
  for (const auto& row : a)
    for (const double v : row) norm = std::max(norm, std::abs(v) * time * static_cast<double>(n));
  int squarings = 0;
  for (; norm > 0.25; norm /= 2) ++squarings;
  LongMatrix result(n, std::vector<long double>(n));
  LongMatrix scaled = result;
  for (std::size_t i = 0; i < n; ++i) {
    result[i][i] = 1;
    for (std::size_t j = 0; j < n; ++j) scaled[i][j] = std::ldexp(static_cast<long double>(a[i][j]) * time, -squarings);
  }
  LongMatrix term = result;
  for (int k = 1; k <= 18; ++k) {
    term = multiply(term, scaled);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) result[i][j] += (term[i][j] /= k);
  }
  for (int i = 0; i < squarings; ++i) result = multiply(result, result);
  Matrix rounded(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) rounded[i][j] = static_cast<double>(result[i][j]);
  return rounded;
}

/// The generator of a chain whose states outside `active` are absorbing.
inline Matrix generator(const Matrix& rates, const StateSet* active = nullptr) {
  Matrix result(rates.size(), std::vector<double>(rates.size()));
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (active && !active->contains(static_cast<StateId>(i))) continue;
    for (std::size_t j = 0; j < rates.size(); ++j)
      if (i != j) {
        result[i][j] += rates[i][j];
        result[i][i] -= rates[i][j];
      }
  }
  return result;
}

inline Matrix random_rates(std::mt19937& random, std::size_t states, double density) {
  std::uniform_real_distribution<double> uniform(0, 1);
  Matrix result(states, std::vector<double>(states));
  for (std::size_t i = 0; i < states; ++i) {
    for (std::size_t j = 0; j < states; ++j)
      if (uniform(random) < density) result[i][j] = std::pow(10, 2 * uniform(random) - 1);
    result[i][(i + 1) % states] += 0.1;
  }
  return result;
}

inline Matrix random_probabilities(std::mt19937& random, std::size_t states, double density) {
  Matrix result = random_rates(random, states, density);
  for (auto& row : result) {
    double sum = 0;
    for (const double v : row) sum += v;
    for (double& v : row) v /= sum;
  }
  return result;
}

}  // namespace plumb::chain::testing
