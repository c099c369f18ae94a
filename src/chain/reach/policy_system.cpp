// BiCGSTAB (van der Vorst 1992), preconditioned from the right by a symmetric Gauss-Seidel sweep inside of each of
// eight parts of the states. Sums are taken by part and added up in order, so the result does not depend on the number
// of threads. Slow chains are where this pays: the number of sweeps that Gauss-Seidel takes grows with the time that
// the chain spends in the component, that of BiCGSTAB with its square root, and a few slow modes cost next to nothing.

#include "chain/reach/policy_system.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::chain {

PolicySystem::PolicySystem(const Chain& chain, std::span<const StateId> group, std::span<const std::uint32_t> policy,
                           parallel::Crew* crew, const Budget& budget)
    : chain_(chain), group_(group), policy_(policy), crew_(crew), budget_(budget) {}

void PolicySystem::for_lanes(const std::function<void(unsigned, std::size_t, std::size_t)>& f) {
  const auto run = [&](unsigned lane) { f(lane, group_.size() * lane / kLanes, group_.size() * (lane + 1) / kLanes); };
  if (crew_ == nullptr || crew_->size() == 1)
    for (unsigned lane = 0; lane < kLanes; ++lane) run(lane);
  else
    crew_->run([&](unsigned worker) {
      for (unsigned lane = worker; lane < kLanes; lane += crew_->size()) run(lane);
    });
}

template <typename Combine>
double PolicySystem::over_lanes(Combine combine, const std::function<double(std::size_t, std::size_t)>& f) {
  std::array<double, kLanes> parts{};
  for_lanes([&](unsigned lane, std::size_t first, std::size_t last) {
    if (first < last) parts[lane] = f(place(group_[first]), place(group_[last - 1]) + 1);
  });
  double result = 0;
  for (const double part : parts) result = combine(result, part);
  return result;
}

double PolicySystem::dot(const Vector& a, const Vector& b) {
  return over_lanes(std::plus<>(), [&](std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += a[i] * b[i];
    return sum;
  });
}

double PolicySystem::greatest(const Vector& a) {
  return over_lanes([](double x, double y) { return std::max(x, y); },
                    [&](std::size_t first, std::size_t last) {
                      double result = 0;
                      for (std::size_t i = first; i < last; ++i) result = std::max(result, std::abs(a[i]));
                      return result;
                    });
}

template <typename F>
void PolicySystem::for_rows(std::size_t first, std::size_t last, bool backward, F&& f) const {
  RowWindow window;
  std::uint64_t window_first = 0;
  std::uint64_t window_end = 0;
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t i = backward ? first + (last - 1 - k) : k;
    const StateId s = group_[i];
    if (s < window_first || s >= window_end) {
      window_first = s / RowWindow::kStates * RowWindow::kStates;
      window_end = std::min(window_first + RowWindow::kStates, chain_.states);
      window.load(chain_, window_first, window_end - window_first);
    }
    const std::uint64_t* begins = window.rows(s - window_first).begins + policy_[i];
    f(s, begins[0], begins[1]);
  }
}

void PolicySystem::apply(const Vector& x, Vector& y) {
  ++passes_;
  const StateId* targets = chain_.rows.targets();
  const double* weights = chain_.rows.weights().distinct().data();
  const StateId base = group_.front();
  chain_.rows.weights().index().visit([&](auto index) {
    for_lanes([&](unsigned, std::size_t first, std::size_t last) {
      for_rows(first, last, false, [&](StateId s, std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        double total = 0;
        for (std::uint64_t t = begin; t < end; ++t) {
          if (targets[t] == s) continue;
          const double weight = weights[index[t]];
          total += weight;
          if (const std::size_t place = StateId(targets[t] - base); place < x.size()) sum += weight * x[place];
        }
        y[s - base] = x[s - base] - sum / total;
      });
    });
  });
}

void PolicySystem::precondition(const Vector& r, Vector& z) {
  passes_ += 2;
  const StateId* targets = chain_.rows.targets();
  const double* weights = chain_.rows.weights().distinct().data();
  const StateId base = group_.front();
  chain_.rows.weights().index().visit([&](auto index) {
    for_lanes([&](unsigned, std::size_t first, std::size_t last) {
      if (first == last) return;
      const StateId lane_first = group_[first];
      const StateId lane_last = group_[last - 1];
      const auto solve = [&](bool backward) {
        for_rows(first, last, backward, [&](StateId s, std::uint64_t begin, std::uint64_t end) {
          double sum = 0;
          double total = 0;
          for (std::uint64_t t = begin; t < end; ++t) {
            const StateId target = targets[t];
            if (target == s) continue;
            const double weight = weights[index[t]];
            total += weight;
            if (backward ? target > s && target <= lane_last : target < s && target >= lane_first)
              sum += weight * z[target - base];
          }
          z[s - base] = (backward ? z[s - base] : r[s - base]) + sum / total;
        });
      };
      solve(false);
      solve(true);
    });
  });
}

template <typename F>
void PolicySystem::for_places(F f) {
  for_lanes([&](unsigned, std::size_t first, std::size_t last) {
    if (first == last) return;
    const std::size_t end = place(group_[last - 1]) + 1;
    for (std::size_t i = place(group_[first]); i < end; ++i) f(i);
  });
}

bool PolicySystem::solve(const Vector& constants, Vector& x, double tolerance) {
  constexpr int kRestarts = 6;
  Work work;
  for (Vector* vector : {&work.r, &work.p, &work.v, &work.t, &work.hat}) vector->resize(size());
  double reached = HUGE_VAL;
  for (int restart = 0; restart < kRestarts; ++restart) {
    apply(x, work.r);
    for_places([&](std::size_t i) {
      work.r[i] = constants[i] - work.r[i];
      work.p[i] = work.v[i] = 0;
    });
    const double start = greatest(work.r);
    if (start <= tolerance) return true;
    // Rounding is all that is left when a restart gains nothing.
    if (!(start < 0.5 * reached)) return false;
    reached = start;
    work.shadow = work.r;
    if (!iterate(work, x, start, 0.5 * tolerance)) return false;
  }
  return false;
}

bool PolicySystem::iterate(Work& work, Vector& x, double start, double goal) {
  constexpr int kPatience = 400;  // iterations without a new best
  auto& [r, p, v, t, hat, shadow] = work;
  double rho = 1;
  double alpha = 1;
  double omega = 1;
  double best = start;
  for (int since_best = 0; since_best < kPatience; ++since_best) {
    budget_.check();
    const double next = dot(shadow, r);
    if (next == 0 || omega == 0) return true;
    const double beta = next / rho * (alpha / omega);
    rho = next;
    for_places([&](std::size_t i) { p[i] = r[i] + beta * (p[i] - omega * v[i]); });
    precondition(p, hat);
    apply(hat, v);
    const double along = dot(shadow, v);
    if (along == 0) return true;
    alpha = rho / along;
    for_places([&](std::size_t i) {
      x[i] += alpha * hat[i];
      r[i] -= alpha * v[i];
    });
    precondition(r, hat);
    apply(hat, t);
    const double square = dot(t, t);
    omega = square == 0 ? 0 : dot(t, r) / square;
    for_places([&](std::size_t i) {
      x[i] += omega * hat[i];
      r[i] -= omega * t[i];
    });
    const double now = greatest(r);
    if (!std::isfinite(now)) return false;
    if (now <= goal) return true;
    if (now >= 0.9 * best) continue;
    best = now;
    since_best = 0;
  }
  return true;
}

}  // namespace plumb::chain
