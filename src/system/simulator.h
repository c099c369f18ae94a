#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "system/array_cells.h"
#include "system/trace.h"
#include "term/traverse.h"

namespace plumb::system {

/// Runs a system step by step on concrete values. The terms are compiled once into a flat list in topological order; a
/// step is one sweep over it, on words of 64 bits where widths allow. Arrays are not computed: reads walk the writes
/// above their variable, and the next content of an array is written in place where it can be. The system must outlive
/// the simulator and not change. Not recursive, not thread-safe.
class Simulator {
 public:
  /// Starts as after reset() with nothing given, with all inputs zero.
  explicit Simulator(const System& system);

  /// To step 0: states with init get its value, the others that of `initial` (by position; missing ones are zero).
  void reset(std::span<const std::optional<Value>> initial = {});
  /// Inputs keep their value until they are set again. Values must have the variable's sort.
  void set_input(std::size_t position, const Value& value) { assign(system_.inputs()[position], value); }
  /// Of a state without next, after step(), or of one without init, after reset().
  void set_state(std::size_t position, const Value& value) { assign(system_.states()[position].variable, value); }
  /// Computes everything in this step from states and inputs.
  void evaluate();
  /// Moves every state to its next value; those without next get zero. Needs evaluate() since the last change.
  void step();

  /// Makes step `k` of a trace, from wherever the simulator is for step 0 and from step k - 1 for the others: choices,
  /// then evaluate().
  void play(const Trace& trace, std::size_t k);
  /// Only the choices of step `k`; what the trace does not choose is zero.
  void choose(const Trace& trace, std::size_t k);

  /// Of what evaluate() computed: anything below a next, wire, bad, constraint or annotation, and any state or input.
  Value value(Term t) const;
  BitVector bits(Term t) const;
  bool is_bad(std::size_t position) const { return is_true(system_.bads()[position].term); }
  /// The first constraint that is false.
  std::optional<std::size_t> violated_constraint() const;

 private:
  /// A place for a value: bit-vectors of up to 64 bits are in narrow_, others in wide_ (with kWide set). An array's is
  /// an index into nodes_.
  using Slot = std::uint32_t;
  static constexpr Slot kWide = Slot{1} << 31;

  enum class Kind : std::uint8_t { Narrow, General, Select, ArrayEqual };
  struct Instruction {
    term::Op op;
    Kind kind;
    std::uint32_t width;
    std::uint32_t operand_width;
    std::uint32_t parameter;
    Slot result;
    Slot operands[3];
  };
  using Code = std::vector<Instruction>;

  /// An array term. Store: array, index and element; Ite: condition and two arrays; ConstantArray: element; Variable:
  /// the position in cells_.
  struct ArrayNode {
    term::Op op;
    std::uint32_t operands[3];
  };
  /// An array as it is in this step: what it was written on, and the writes (nodes, the newest first).
  struct Writes {
    std::uint32_t base = 0;
    std::vector<std::uint32_t> nodes;
  };

  void compile(std::span<const Term> roots, term::TermSet& seen, Code& code);
  void compile_term(Term t, Code& code);
  void compile_array(Term t);
  Slot new_slot(std::uint32_t width);
  Slot slot(Term t) const { return slots_.at(t); }

  void run(std::span<const Instruction> code);
  void run_general(const Instruction& instruction);
  void run_select(const Instruction& instruction);
  BitVector get(Slot slot, std::uint32_t width) const;
  void put(Slot slot, const BitVector& value);
  bool same(Slot a, Slot b) const;
  bool is_true(Term t) const { return narrow_[slot(t)] == 1; }

  Writes writes(std::uint32_t node) const;
  /// The content of the array at the bottom of `writes`, whatever it is.
  ArrayCells base_cells(const Writes& writes, Sort sort) const;
  void apply(const Writes& writes, ArrayCells& cells) const;
  ArrayCells array(std::uint32_t node, Sort sort) const;

  void assign(Term variable, const Value& value);
  /// Gives the state the value of a term of its sort.
  void assign_term(const State& state, Term from);
  void step_arrays();

  const System& system_;
  const TermStore& store_;
  term::TermMap<Slot> slots_;
  std::vector<std::uint64_t> narrow_;
  std::vector<BitVector> wide_;
  std::vector<ArrayNode> nodes_;
  std::vector<ArrayCells> cells_;

  Code init_code_;
  std::vector<std::size_t> init_ends_;  ///< by state: the end of its part of init_code_
  Code code_;
  std::vector<std::uint64_t> next_narrow_;  ///< only during step(), as the next two
  std::vector<BitVector> next_wide_;
};

}  // namespace plumb::system
