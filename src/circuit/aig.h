#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace plumb::circuit {

/// A node with a sign: 2 * node + (complemented). Node 0 is constant false.
struct Lit {
  std::uint32_t code = 0;

  static constexpr Lit of(std::uint32_t node, bool complemented = false) {
    return Lit{node * 2 + (complemented ? 1U : 0U)};
  }
  constexpr std::uint32_t node() const noexcept { return code >> 1; }
  constexpr bool complemented() const noexcept { return (code & 1) != 0; }
  constexpr Lit operator~() const noexcept { return Lit{code ^ 1}; }
  /// Complemented if `flip`.
  constexpr Lit operator^(bool flip) const noexcept { return Lit{code ^ (flip ? 1U : 0U)}; }
  constexpr Lit regular() const noexcept { return Lit{code & ~1U}; }
  friend constexpr bool operator==(Lit, Lit) = default;
  friend constexpr auto operator<=>(Lit, Lit) = default;
  template <typename H>
  friend H AbslHashValue(H h, Lit l) {
    return H::combine(std::move(h), l.code);
  }
};
inline constexpr Lit kFalse{0};
inline constexpr Lit kTrue{1};

enum class LatchInit : std::uint8_t { Zero, One, Free };

struct Latch {
  std::uint32_t node;
  Lit next = kFalse;
  LatchInit init = LatchInit::Zero;
  std::string name;
};

struct NamedLit {
  Lit lit;
  std::string name;
};

/// An and-inverter graph, combinational or sequential (AIGER 1.9 without justice and fairness). Fanins have smaller
/// indices than their node, so one forward sweep is a topological order. And nodes are structurally hashed and
/// simplified over two levels (Brummayer and Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup",
/// 2006): and_ may return any equal literal. Eight bytes a node and a hash slot. Copyable. Not thread-safe.
class Aig {
 public:
  Aig();

  std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(fanins_.size());
  }  ///< nodes, the constant included
  std::uint32_t and_count() const noexcept;
  bool is_and(std::uint32_t node) const noexcept { return fanins_[node].first.code >= 2; }
  bool is_input(std::uint32_t node) const noexcept { return fanins_[node].first.code == kInputMark; }
  bool is_latch(std::uint32_t node) const noexcept { return fanins_[node].first.code == kLatchMark && node != 0; }
  /// Of an and node: fanin0 < fanin1, of different nodes, neither constant.
  Lit fanin0(std::uint32_t node) const noexcept { return fanins_[node].first; }
  Lit fanin1(std::uint32_t node) const noexcept { return fanins_[node].second; }
  /// The position of an input node in inputs(), of a latch node in latches().
  std::uint32_t ordinal(std::uint32_t node) const noexcept { return fanins_[node].second.code; }

  Lit add_input(std::string name = {});
  Lit add_latch(LatchInit init = LatchInit::Zero, std::string name = {});
  /// Needs a literal made by add_latch, not complemented.
  void set_next(Lit latch, Lit next);

  /// The operands must be literals of this graph. Beyond trivial cases, exclusive or is ~(a & b) & ~(~a & ~b) of
  /// uncomplemented operands, and a choice is ~(~(c & t) & ~(~c & e)) with c and t uncomplemented, each up to the sign
  /// of the result, unless the rules for and_ find something smaller.
  Lit and_(Lit a, Lit b);
  Lit or_(Lit a, Lit b) { return ~and_(~a, ~b); }
  Lit xor_(Lit a, Lit b);
  Lit ite(Lit condition, Lit then_lit, Lit else_lit);

  void add_output(Lit lit, std::string name = {}) { outputs_.push_back({lit, std::move(name)}); }
  void add_bad(Lit lit, std::string name = {}) { bads_.push_back({lit, std::move(name)}); }
  void add_constraint(Lit lit, std::string name = {}) { constraints_.push_back({lit, std::move(name)}); }

  struct Input {
    std::uint32_t node;
    std::string name;
  };
  std::span<const Input> inputs() const noexcept { return inputs_; }
  std::span<const Latch> latches() const noexcept { return latches_; }
  std::span<const NamedLit> outputs() const noexcept { return outputs_; }
  std::span<const NamedLit> bads() const noexcept { return bads_; }
  std::span<const NamedLit> constraints() const noexcept { return constraints_; }

  /// Nodes reachable from `roots` through and nodes and, with `through_latches`, next functions; ascending,
  /// the constant included if it is reached. Costs a bit for each node of the graph.
  std::vector<std::uint32_t> cone(std::span<const Lit> roots, bool through_latches = false) const;
  /// The longest chain of and nodes.
  std::uint32_t levels() const;

 private:
  // An and node has fanins with codes of at least 2; leaves are marked by codes that no fanin has (0 and 1).
  static constexpr std::uint32_t kInputMark = 1;
  static constexpr std::uint32_t kLatchMark = 0;

  Lit add_node(Lit first, Lit second);
  /// Needs a < b, both of different nodes and not constant.
  Lit hashed_and(Lit a, Lit b);
  void grow_table();

  std::vector<std::pair<Lit, Lit>> fanins_;
  std::vector<std::uint32_t> table_;  ///< open addressing, a power of two of slots, at most half full; 0 is empty
  std::vector<Input> inputs_;
  std::vector<Latch> latches_;
  std::vector<NamedLit> outputs_;
  std::vector<NamedLit> bads_;
  std::vector<NamedLit> constraints_;
};

}  // namespace plumb::circuit
