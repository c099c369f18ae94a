#pragma once

#include <random>
#include <string>
#include <vector>

#include "circuit/aig.h"

namespace plumb::circuit {

/// A sequential circuit with all kinds of roots, some of them named; the same for the same seed.
inline Aig random_circuit(std::uint64_t seed, std::uint32_t inputs, std::uint32_t latches, std::uint32_t operations) {
  std::mt19937_64 random(seed);
  Aig aig;
  std::vector<Lit> pool = {kFalse};
  const auto pick = [&] { return pool[random() % pool.size()] ^ (random() % 2 == 0); };
  const auto name = [&](const char* prefix) {
    return random() % 3 == 0 ? std::string() : std::string(prefix) + std::to_string(random() % 1000) + " [x] c0";
  };
  for (std::uint32_t i = 0; i < inputs; ++i) pool.push_back(aig.add_input(name("in")));
  std::vector<Lit> states;
  for (std::uint32_t i = 0; i < latches; ++i) {
    states.push_back(aig.add_latch(static_cast<LatchInit>(random() % 3), name("state")));
    pool.push_back(states.back());
  }
  for (std::uint32_t i = 0; i < operations; ++i) {
    const Lit a = pick();
    const Lit b = pick();
    switch (random() % 4) {
      case 0:
        pool.push_back(aig.xor_(a, b));
        break;
      case 1:
        pool.push_back(aig.ite(a, b, pick()));
        break;
      default:
        pool.push_back(aig.and_(a, b));
        break;
    }
  }
  for (const Lit state : states) aig.set_next(state, pick());
  for (int i = 0; i < 4; ++i) aig.add_output(pick(), name("out"));
  for (std::uint64_t i = random() % 3; i > 0; --i) aig.add_bad(pick(), name("bad"));
  for (std::uint64_t i = random() % 3; i > 0; --i) aig.add_constraint(pick(), name("constraint"));
  return aig;
}

}  // namespace plumb::circuit
