#include "paths/habits.h"

#include <utility>

namespace plumb::paths {

namespace {

constexpr unsigned kDepth = 5;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15;
  return a ^ (a >> 29);
}

std::uint64_t shape_of(const Domains& domains, Cell c, unsigned depth) {
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(domains.op(c)), domains.width(c));
  if (domains.is_leaf(c)) return mixed(hash, domains.is_known(c) ? domains.domain(c).low : 1);
  if (depth == 0) return hash;
  for (const Cell operand : domains.operands(c)) hash = mixed(hash, shape_of(domains, operand, depth - 1));
  return hash;
}

}  // namespace

std::uint64_t Habits::shape(Cell c) {
  const auto [known, is_new] = shapes_.try_emplace(c, 0);
  if (is_new) known->second = shape_of(domains_, c, kDepth);
  return known->second;
}

void Habits::remember(Cell boolean, bool value) {
  own_[boolean] = value;
  of_shape_[shape(boolean)] = value;
}

std::optional<bool> Habits::of(Cell boolean) {
  if (const auto own = own_.find(boolean); own != own_.end()) return own->second;
  if (const auto other = of_shape_.find(shape(boolean)); other != of_shape_.end()) return other->second;
  return std::nullopt;
}

}  // namespace plumb::paths
