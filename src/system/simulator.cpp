#include "system/simulator.h"

#include <array>

#include "base/error.h"
#include "term/narrow.h"

namespace plumb::system {

using term::ArrayValue;
using term::Op;

Simulator::Simulator(const System& system) : system_(system), store_(system.store()) {
  term::TermSet seen;
  for (const State& state : system.states()) {
    compile(std::array{state.variable}, seen, init_code_);
    if (state.init) compile(std::array{state.init}, seen, init_code_);
    init_ends_.push_back(init_code_.size());
  }
  std::vector<Term> roots;
  for (const State& state : system.states()) {
    roots.push_back(state.variable);
    if (state.next) roots.push_back(state.next);
  }
  roots.insert(roots.end(), system.inputs().begin(), system.inputs().end());
  for (const NamedTerm& wire : system.wires()) roots.push_back(wire.term);
  for (const NamedTerm& bad : system.bads()) roots.push_back(bad.term);
  for (const NamedTerm& constraint : system.constraints()) roots.push_back(constraint.term);
  for (const Annotation& annotation : system.annotations()) roots.push_back(annotation.term);
  seen.clear();
  compile(roots, seen, code_);
  reset();
}

Simulator::Slot Simulator::new_slot(std::uint32_t width) {
  if (width <= 64) {
    narrow_.push_back(0);
    return static_cast<Slot>(narrow_.size() - 1);
  }
  wide_.emplace_back(width, 0);
  return static_cast<Slot>(wide_.size() - 1) | kWide;
}

void Simulator::compile(std::span<const Term> roots, term::TermSet& seen, Code& code) {
  term::post_order(store_, roots, seen, [&](Term t) {
    if (store_.is_array(t))
      compile_array(t);
    else
      compile_term(t, code);
  });
}

void Simulator::compile_array(Term t) {
  if (slots_.contains(t)) return;
  ArrayNode node{store_.op(t), {0, 0, 0}};
  if (node.op == Op::Variable) {
    node.operands[0] = static_cast<std::uint32_t>(cells_.size());
    cells_.emplace_back(store_.sort(t));
  }
  for (unsigned i = 0; i < store_.arity(t); ++i) node.operands[i] = slot(store_.child(t, i));
  slots_[t] = static_cast<Slot>(nodes_.size());
  nodes_.push_back(node);
}

void Simulator::compile_term(Term t, Code& code) {
  const Op op = store_.op(t);
  const std::uint32_t width = store_.width(t);
  if (!slots_.contains(t)) {
    const Slot made = new_slot(width);
    slots_[t] = made;
    if (op == Op::Constant) put(made, store_.value(t));
  }
  if (op == Op::Constant || op == Op::Variable) return;
  const Term first = store_.child(t, 0);
  Instruction instruction{op, Kind::Narrow, width, store_.width(first), store_.parameter(t), slot(t), {0, 0, 0}};
  bool is_narrow = width <= 64;
  for (unsigned i = 0; i < store_.arity(t); ++i) {
    instruction.operands[i] = slot(store_.child(t, i));
    is_narrow = is_narrow && store_.width(store_.child(t, i)) <= 64;
  }
  if (op == Op::Select)
    instruction.kind = Kind::Select;
  else if (store_.is_array(first))
    instruction.kind = Kind::ArrayEqual;
  else if (!is_narrow)
    instruction.kind = Kind::General;
  if (instruction.kind == Kind::ArrayEqual || instruction.kind == Kind::Select)
    instruction.parameter = store_.sort(first).index_width;
  code.push_back(instruction);
}

BitVector Simulator::get(Slot slot, std::uint32_t width) const {
  return (slot & kWide) != 0 ? wide_[slot & ~kWide] : BitVector(width, narrow_[slot]);
}

void Simulator::put(Slot slot, const BitVector& value) {
  if ((slot & kWide) != 0)
    wide_[slot & ~kWide] = value;
  else
    narrow_[slot] = value.to_uint64();
}

bool Simulator::same(Slot a, Slot b) const {
  return (a & kWide) != 0 ? wide_[a & ~kWide] == wide_[b & ~kWide] : narrow_[a] == narrow_[b];
}

void Simulator::run(std::span<const Instruction> code) {
  for (const Instruction& i : code) {
    switch (i.kind) {
      case Kind::Narrow:
        narrow_[i.result] = term::evaluate_narrow(i.op, i.width, i.operand_width, i.parameter, narrow_[i.operands[0]],
                                                  narrow_[i.operands[1]], narrow_[i.operands[2]]);
        break;
      case Kind::General:
        run_general(i);
        break;
      case Kind::Select:
        run_select(i);
        break;
      case Kind::ArrayEqual: {
        const Sort sort{i.operand_width, i.parameter};
        narrow_[i.result] = array(i.operands[0], sort).value() == array(i.operands[1], sort).value() ? 1 : 0;
        break;
      }
    }
  }
}

void Simulator::run_general(const Instruction& i) {
  std::array<BitVector, 3> values;
  std::array<const BitVector*, 3> operands{};
  const unsigned arity = term::arity(i.op);
  for (unsigned k = 0; k < arity; ++k) {
    // Only a concatenation has narrow operands of different widths: the second is what the first leaves of the result.
    std::uint32_t width = i.operand_width;
    if (i.op == Op::Concat && k == 1) width = i.width - i.operand_width;
    if (i.op == Op::Ite && k > 0) width = i.width;
    if ((i.operands[k] & kWide) != 0) {
      operands[k] = &wide_[i.operands[k] & ~kWide];
    } else {
      values[k] = BitVector(width, narrow_[i.operands[k]]);
      operands[k] = &values[k];
    }
  }
  put(i.result, term::evaluate(i.op, std::span(operands).first(arity), i.width, i.parameter));
}

void Simulator::run_select(const Instruction& i) {
  const Slot index = i.operands[1];
  std::uint32_t node = i.operands[0];
  for (;;) {
    const ArrayNode& n = nodes_[node];
    Slot from = 0;
    if (n.op == Op::Ite) {
      node = narrow_[n.operands[0]] == 1 ? n.operands[1] : n.operands[2];
      continue;
    }
    if (n.op == Op::Store && !same(n.operands[1], index)) {
      node = n.operands[0];
      continue;
    }
    if (n.op == Op::Variable) {
      const ArrayCells& cells = cells_[n.operands[0]];
      if (cells.is_dense())
        narrow_[i.result] = cells.cell(narrow_[index]);
      else
        put(i.result, cells.at(get(index, i.parameter)));
      return;
    }
    from = n.op == Op::Store ? n.operands[2] : n.operands[0];
    if ((from & kWide) != 0)
      wide_[i.result & ~kWide] = wide_[from & ~kWide];
    else
      narrow_[i.result] = narrow_[from];
    return;
  }
}

Simulator::Writes Simulator::writes(std::uint32_t node) const {
  Writes result;
  for (;;) {
    const ArrayNode& n = nodes_[node];
    if (n.op == Op::Ite) {
      node = narrow_[n.operands[0]] == 1 ? n.operands[1] : n.operands[2];
    } else if (n.op == Op::Store) {
      result.nodes.push_back(node);
      node = n.operands[0];
    } else {
      result.base = node;
      return result;
    }
  }
}

ArrayCells Simulator::base_cells(const Writes& writes, Sort sort) const {
  const ArrayNode& base = nodes_[writes.base];
  if (base.op == Op::Variable) return cells_[base.operands[0]];
  ArrayCells cells(sort);
  cells.fill(get(base.operands[0], sort.width));
  return cells;
}

void Simulator::apply(const Writes& writes, ArrayCells& cells) const {
  for (auto it = writes.nodes.rbegin(); it != writes.nodes.rend(); ++it) {
    const ArrayNode& n = nodes_[*it];
    if (cells.is_dense())
      cells.set_cell(narrow_[n.operands[1]], narrow_[n.operands[2]]);
    else
      cells.set(get(n.operands[1], cells.sort().index_width), get(n.operands[2], cells.sort().width));
  }
}

ArrayCells Simulator::array(std::uint32_t node, Sort sort) const {
  const Writes found = writes(node);
  ArrayCells cells = base_cells(found, sort);
  apply(found, cells);
  return cells;
}

void Simulator::assign(Term variable, const Value& value) {
  if (store_.is_array(variable)) {
    INVARIANT(std::holds_alternative<ArrayValue>(value), "an array should be given an array value");
    cells_[nodes_[slot(variable)].operands[0]].assign(std::get<ArrayValue>(value));
    return;
  }
  const BitVector* bits = std::get_if<BitVector>(&value);
  INVARIANT(bits != nullptr && bits->width() == store_.width(variable), "a value should have the sort of its variable");
  put(slot(variable), *bits);
}

void Simulator::assign_term(const State& state, Term from) {
  if (store_.is_array(state.variable))
    cells_[nodes_[slot(state.variable)].operands[0]] = array(slot(from), store_.sort(from));
  else
    put(slot(state.variable), get(slot(from), store_.width(from)));
}

void Simulator::reset(std::span<const std::optional<Value>> initial) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < init_ends_.size(); ++i) {
    run(std::span(init_code_).subspan(done, init_ends_[i] - done));
    done = init_ends_[i];
    const State& state = system_.states()[i];
    if (state.init)
      assign_term(state, state.init);
    else
      assign(state.variable,
             i < initial.size() && initial[i] ? *initial[i] : term::zero_value(store_.sort(state.variable)));
  }
}

void Simulator::evaluate() { run(code_); }

void Simulator::step() {
  // All next values are read before any state is written.
  next_narrow_.clear();
  next_wide_.clear();
  for (const State& state : system_.states()) {
    if (!state.next || store_.is_array(state.variable)) continue;
    const Slot from = slot(state.next);
    if ((from & kWide) != 0)
      next_wide_.push_back(wide_[from & ~kWide]);
    else
      next_narrow_.push_back(narrow_[from]);
  }
  step_arrays();
  std::size_t narrow = 0;
  std::size_t wide = 0;
  for (const State& state : system_.states()) {
    if (store_.is_array(state.variable)) continue;
    const Slot to = slot(state.variable);
    if (!state.next)
      put(to, BitVector(store_.width(state.variable), 0));
    else if ((to & kWide) != 0)
      wide_[to & ~kWide] = next_wide_[wide++];
    else
      narrow_[to] = next_narrow_[narrow++];
  }
}

void Simulator::step_arrays() {
  // Arrays made from others (or from nothing) are made aside first, while all contents are still those of this step;
  // then the others are written in place.
  std::vector<std::pair<std::uint32_t, ArrayCells>> moved;
  std::vector<std::pair<std::uint32_t, Writes>> in_place;
  for (const State& state : system_.states()) {
    if (!store_.is_array(state.variable)) continue;
    const std::uint32_t own = slot(state.variable);
    const std::uint32_t cells = nodes_[own].operands[0];
    if (!state.next) {
      moved.emplace_back(cells, ArrayCells(store_.sort(state.variable)));
      continue;
    }
    Writes found = writes(slot(state.next));
    if (found.base == own) {
      in_place.emplace_back(cells, std::move(found));
    } else {
      ArrayCells made = base_cells(found, store_.sort(state.variable));
      apply(found, made);
      moved.emplace_back(cells, std::move(made));
    }
  }
  for (const auto& [cells, found] : in_place) apply(found, cells_[cells]);
  for (auto& [cells, made] : moved) cells_[cells] = std::move(made);
}

void Simulator::choose(const Trace& trace, std::size_t k) {
  const Trace::Step& step = trace.steps[k];
  for (std::size_t i = 0; i < system_.inputs().size(); ++i)
    set_input(i, i < step.inputs.size() && step.inputs[i] ? *step.inputs[i]
                                                          : term::zero_value(store_.sort(system_.inputs()[i])));
  if (k == 0) return;
  for (std::size_t i = 0; i < system_.states().size(); ++i)
    if (!system_.states()[i].next)
      set_state(i, i < step.states.size() && step.states[i]
                       ? *step.states[i]
                       : term::zero_value(store_.sort(system_.states()[i].variable)));
}

void Simulator::play(const Trace& trace, std::size_t k) {
  if (k == 0)
    reset(trace.initial);
  else
    step();
  choose(trace, k);
  evaluate();
}

BitVector Simulator::bits(Term t) const { return get(slot(t), store_.width(t)); }

Value Simulator::value(Term t) const {
  if (store_.is_array(t)) return array(slot(t), store_.sort(t)).value();
  return bits(t);
}

std::optional<std::size_t> Simulator::violated_constraint() const {
  for (std::size_t i = 0; i < system_.constraints().size(); ++i)
    if (!is_true(system_.constraints()[i].term)) return i;
  return std::nullopt;
}

}  // namespace plumb::system
