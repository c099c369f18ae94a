#pragma once

#include <cstdint>
#include <vector>

#include "chain/steady/inflow.h"

namespace plumb::chain {

enum class SweepOrder : std::uint8_t { Forward, Backward };

/// One sweep of Gauss-Seidel in place: x[j] = inflow(j) / exit[j]. Large systems are cut into a fixed number of blocks
/// that see each other's values of before the sweep: the result does not depend on the number of threads. `scratch` is
/// resized as needed.
void gauss_seidel(const Inflow& inflow, std::vector<double>& x, std::vector<double>& scratch, SweepOrder order,
                  unsigned threads);

/// to[j] = (1 - damping) * from[j] + damping * inflow(j) / exit[j]. Damping keeps periodic chains from swinging for
/// ever.
void jacobi(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, double damping,
            unsigned threads);
/// to[j] = from[j] + (inflow(j) - from[j] * exit[j]) / rate.
void power(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, double rate,
           unsigned threads);
/// to[j] = inflow(j) - from[j] * exit[j]: what is missing to balance.
void imbalance(const Inflow& inflow, const std::vector<double>& from, std::vector<double>& to, unsigned threads);

/// Makes the sum one.
void normalise(std::vector<double>& x, unsigned threads);
/// The sum of |x - y|.
double distance(const std::vector<double>& x, const std::vector<double>& y, unsigned threads);
/// The flow that does not balance, relative to the whole flow.
double relative_residual(const Inflow& inflow, const std::vector<double>& x, std::vector<double>& scratch,
                         unsigned threads);

}  // namespace plumb::chain
