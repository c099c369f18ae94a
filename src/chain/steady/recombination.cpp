#include "chain/steady/recombination.h"

#include <algorithm>
#include <cmath>

#include "chain/steady/relaxation.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

/// Solves the normal equations in place by elimination with pivots; directions that add nothing get zero.
std::vector<double> solve_small(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  std::vector<double> result(n);
  std::vector<bool> is_used(n);
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, a[i][i]);
  std::vector<std::size_t> order;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!is_used[i] && (pivot == n || a[i][i] > a[pivot][pivot])) pivot = i;
    if (a[pivot][pivot] <= 1e-13 * scale || a[pivot][pivot] <= 0) break;
    is_used[pivot] = true;
    order.push_back(pivot);
    for (std::size_t i = 0; i < n; ++i) {
      if (is_used[i]) continue;
      const double factor = a[i][pivot] / a[pivot][pivot];
      for (std::size_t j = 0; j < n; ++j) a[i][j] -= factor * a[pivot][j];
      b[i] -= factor * b[pivot];
    }
  }
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::size_t pivot = order[k];
    double sum = b[pivot];
    for (std::size_t later = k + 1; later < order.size(); ++later) sum -= a[pivot][order[later]] * result[order[later]];
    result[pivot] = sum / a[pivot][pivot];
  }
  return result;
}

}  // namespace

void Recombination::combine(const Iterate& now, std::vector<double>& x) const {
  const std::size_t n = past_.size();
  // The products of differences, lower triangle, and then the right-hand side. Imbalance is measured relative to the
  // flow through each state, the norm in which reversible chains are symmetric.
  const std::size_t triangle = n * (n + 1) / 2;
  const auto parts = parallel_chunks(x.size(), threads_, std::vector<double>(triangle + n),
                                     [&](std::vector<double>& sums, std::uint64_t first, std::uint64_t last) {
                                       std::vector<double> difference(n);
                                       for (std::uint64_t j = first; j < last; ++j) {
                                         const double weight = 1 / (x[j] * inflow_.exit[j]);
                                         double* sum = sums.data();
                                         for (std::size_t a = 0; a < n; ++a) {
                                           difference[a] = past_[a].imbalance[j] - now.imbalance[j];
                                           sums[triangle + a] -= weight * difference[a] * now.imbalance[j];
                                           for (std::size_t b = 0; b <= a; ++b)
                                             *sum++ += weight * difference[a] * difference[b];
                                         }
                                       }
                                     });
  std::vector<std::vector<double>> products(n, std::vector<double>(n));
  std::vector<double> right(n);
  for (const std::vector<double>& sums : parts) {
    const double* sum = sums.data();
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b <= a; ++b) products[a][b] += *sum++;
    for (std::size_t a = 0; a < n; ++a) right[a] += sums[triangle + a];
  }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) products[a][b] = products[b][a];
  const std::vector<double> share = solve_small(std::move(products), std::move(right));
  if (std::ranges::any_of(share, [](double v) { return !std::isfinite(v); })) return;
  parallel_for(x.size(), threads_, [&](std::uint64_t j) {
    double value = now.x[j];
    for (std::size_t a = 0; a < n; ++a) value += share[a] * (past_[a].x[j] - now.x[j]);
    x[j] = std::max(value, now.x[j] / 4);
  });
  normalise(x, threads_);
}

void Recombination::improve(std::vector<double>& x) {
  Iterate now{x, {}};
  imbalance(inflow_, x, now.imbalance, threads_);
  if (!past_.empty()) combine(now, x);
  past_.push_back(std::move(now));
  if (past_.size() >= window_) past_.pop_front();
}

}  // namespace plumb::chain
