#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "circuit/aig.h"

namespace plumb::circuit {

/// Takes clauses; literals are non-zero integers as in DIMACS.
class ClauseSink {
 public:
  virtual ~ClauseSink() = default;
  virtual void add_clause(std::span<const int> literals) = 0;
};

/// Clauses for cones of an Aig, incrementally: a node is encoded when first asked for, and in the polarity that is
/// asked for (Plaisted and Greenbaum); a later request for the other polarity adds only its clauses. And trees become
/// one gate, XOR and ITE shapes are found and encoded as such. Latches are free, like inputs. The Aig may grow between
/// calls. A call that throws leaves clauses that are true but may be useless, and the encoder usable. Not recursive,
/// not thread-safe.
class CnfEncoder {
 public:
  CnfEncoder(const Aig& aig, ClauseSink& sink) : aig_(aig), sink_(sink) {}

  /// A DIMACS literal that, when it is true, makes `lit` true: enough to assert or to assume it. Throws OutOfBudget.
  int implying(Lit lit, const Budget& budget);
  /// A DIMACS literal equivalent to `lit`.
  int equivalent(Lit lit, const Budget& budget);
  /// Clauses that make `lit` true, without variables for the gates at its top (conjunctions become clauses of their
  /// own).
  void assert_true(Lit lit, const Budget& budget);

  /// The variable of a node; 0 if it has none (then its value is that of its cone, or free).
  int variable(std::uint32_t node) const noexcept { return node < variables_.size() ? variables_[node] : 0; }
  int variable_count() const noexcept { return variable_count_; }

 private:
  /// A set of directions in which a variable is tied to its node: Up, the variable implies it; Down, its complement
  /// implies the node's.
  using Polarity = std::uint8_t;
  static constexpr Polarity kUp = 1;
  static constexpr Polarity kDown = 2;
  static constexpr Polarity kBoth = 3;
  static Polarity toward(Lit lit, Polarity polarity);

  /// How the nodes that are met during a call are used there.
  enum class Use : std::uint8_t {
    None,
    Conjunct,  ///< once, by an and, without complement
    Shared,    ///< in any other way
  };

  /// An assertion as clauses over literals of the Aig, one after the other, and ands that are to be false: those become
  /// a clause each.
  struct Assertion {
    std::vector<Lit> literals;
    std::vector<std::size_t> ends;
    std::vector<std::uint32_t> refuted;

    void add(std::initializer_list<Lit> clause);
  };

  int encode(Lit lit, Polarity polarity, const Budget& budget);
  void begin();
  void note_use(Lit lit, Use use);
  void want(Lit lit, Polarity polarity);
  void visit(std::uint32_t node, Polarity polarity, bool is_first);
  void collect(const Budget& budget);
  void emit_collected(const Budget& budget);
  void emit(std::uint32_t node, Polarity polarity);
  void emit_and(std::uint32_t node, Polarity polarity);
  bool is_absorbed(Lit lit) const;
  void start_clause(std::uint32_t node);
  int dimacs(Lit lit);
  void add_clause(std::initializer_list<int> literals) { sink_.add_clause({literals.begin(), literals.size()}); }
  Assertion flatten(Lit root, const Budget& budget);

  const Aig& aig_;
  ClauseSink& sink_;
  int variable_count_ = 0;
  std::vector<int> variables_;     ///< by node
  std::vector<Polarity> encoded_;  ///< by node: the directions whose clauses were made

  // Of the current call.
  std::vector<Polarity> wanted_;  ///< by node
  std::vector<Use> uses_;         ///< by node
  std::vector<std::uint32_t> touched_;
  std::vector<std::pair<std::uint32_t, Polarity>> queue_;
  std::vector<Lit> conjuncts_;
  std::vector<Lit> stack_;
  std::vector<int> clause_;
};

}  // namespace plumb::circuit
