// Restarted GMRES (Saad and Schultz 1986; for Markov chains Philippe, Saad and Stewart, "Numerical Methods in Markov
// Chain Modelling", 1992) for the correction e of x in (D - F) e = F x - D x, where F x is the inflow and D the exit
// rates. Preconditioned from the right by the lower triangle of D - F: a sweep of Gauss-Seidel. The system is singular
// but consistent, so the residual goes to zero; the part of e along the solution itself is harmless and taken away by
// normalising.

#include "chain/steady/krylov.h"

#include <algorithm>
#include <cmath>

#include "chain/steady/relaxation.h"

namespace plumb::chain {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(const std::vector<double>& a, double factor, std::vector<double>& to) {
  for (std::size_t i = 0; i < a.size(); ++i) to[i] += factor * a[i];
}

/// Solves (D - L) z = v, where L is the flow from states before.
void precondition(const Inflow& inflow, const std::vector<double>& v, std::vector<double>& z) {
  z.resize(v.size());
  inflow.visit([&](const auto& view) {
    for (std::uint64_t j = 0; j < v.size(); ++j) {
      double sum = v[j];
      for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t)
        if (view.sources[t] < j) sum += z[view.sources[t]] * view.rate(t);
      z[j] = sum / inflow.exit[j];
    }
  });
}

/// The least-squares problem of the Hessenberg matrix, kept triangular by Givens rotations.
class LeastSquares {
 public:
  LeastSquares(unsigned depth, double norm) : columns_(depth), right_(depth + 1) { right_[0] = norm; }

  /// Takes column k of k + 2 entries; returns the norm of the residual.
  double add_column(unsigned k, std::vector<double> column) {
    for (unsigned i = 0; i < k; ++i) rotate(cosines_[i], sines_[i], column[i], column[i + 1]);
    const double length = std::hypot(column[k], column[k + 1]);
    cosines_.push_back(length == 0 ? 1 : column[k] / length);
    sines_.push_back(length == 0 ? 0 : column[k + 1] / length);
    rotate(cosines_[k], sines_[k], column[k], column[k + 1]);
    rotate(cosines_[k], sines_[k], right_[k], right_[k + 1]);
    columns_[k] = std::move(column);
    return std::abs(right_[k + 1]);
  }
  std::vector<double> solve(unsigned count) const {
    std::vector<double> result(count);
    for (unsigned i = count; i-- > 0;) {
      double sum = right_[i];
      for (unsigned j = i + 1; j < count; ++j) sum -= columns_[j][i] * result[j];
      result[i] = columns_[i][i] == 0 ? 0 : sum / columns_[i][i];
    }
    return result;
  }

 private:
  static void rotate(double c, double s, double& a, double& b) {
    const double old = a;
    a = c * old + s * b;
    b = c * b - s * old;
  }

  std::vector<std::vector<double>> columns_;
  std::vector<double> right_;
  std::vector<double> cosines_;
  std::vector<double> sines_;
};

}  // namespace

std::uint64_t gmres_round(const Inflow& inflow, std::vector<double>& x, unsigned depth, unsigned threads,
                          const Budget& budget) {
  constexpr double kReduction = 1e-8;  // in a round; more would be lost to rounding
  std::vector<std::vector<double>> basis(1);
  imbalance(inflow, x, basis[0], threads);
  const double start = std::sqrt(dot(basis[0], basis[0]));
  if (start == 0) return 0;
  for (double& v : basis[0]) v /= start;
  LeastSquares problem(depth, start);
  std::vector<double> z;
  unsigned steps = 0;
  while (steps < depth) {
    budget.check();
    precondition(inflow, basis[steps], z);
    std::vector<double> w;
    imbalance(inflow, z, w, threads);
    for (double& v : w) v = -v;
    std::vector<double> column(steps + 2);
    for (unsigned i = 0; i <= steps; ++i) {
      column[i] = dot(w, basis[i]);
      add(basis[i], -column[i], w);
    }
    column[steps + 1] = std::sqrt(dot(w, w));
    const double length = column[steps + 1];
    const double residual = problem.add_column(steps, std::move(column));
    ++steps;
    if (length == 0 || residual <= kReduction * start) break;
    for (double& v : w) v /= length;
    basis.push_back(std::move(w));
  }
  const std::vector<double> y = problem.solve(steps);
  std::vector<double> correction(x.size());
  for (unsigned i = 0; i < steps; ++i) add(basis[i], y[i], correction);
  precondition(inflow, correction, z);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = x[j] + z[j] > 0 ? x[j] + z[j] : x[j] / 16;
  normalise(x, threads);
  return steps;
}

}  // namespace plumb::chain
