#include "lang/tiny/lower/memory.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace plumb::tiny {

std::uint32_t bits_for(std::uint64_t count) {
  return count <= 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(count - 1));
}

std::uint64_t Memory::Cell::elements() const {
  std::uint64_t count = 1;
  for (const std::uint64_t size : sizes) count *= size;
  return count;
}

Memory::Memory(const Program& program, const Options& options, const std::vector<bool>& is_live,
               system::ControlGraph& graph)
    : program_(program), options_(options), graph_(graph), cells_(program.variables.size()) {
  std::vector<bool> is_used(program.variables.size());
  const auto use = [&](const Expression& root) {
    for_each_expression(root, [&](const Expression& e) {
      if (e.variable != kNone && e.kind != Expression::Kind::Quantified) is_used[e.variable] = true;
    });
  };
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!is_live[f]) continue;
    for_each_root(*program.functions[f].body, use);
    for_each_statement(*program.functions[f].body, [&](const Statement& s) {
      if (s.variable != kNone) is_used[s.variable] = true;
    });
  }
  for (const Variable& v : program.variables) {
    const bool is_shown = v.function == kNone || is_live[v.function];
    if (v.kind == Variable::Kind::Wire && v.definition && is_shown) use(*v.definition);
  }
  // What the user declared as the program's input is shown even if nothing reads it.
  for (const VariableId v : program.functions[program.entry].parameters) is_used[v] = true;
  for (VariableId v = 0; v < program.variables.size(); ++v) {
    const Variable::Kind kind = program.variables[v].kind;
    if (kind == Variable::Kind::Wire || kind == Variable::Kind::Constant) continue;
    if (is_used[v] || kind == Variable::Kind::Global) add(v);
  }
}

std::uint32_t Memory::stack_pointer_width() const { return bits_for(options_.max_stack_size()); }

std::uint32_t Memory::width_of(const Variable& variable) const {
  if (is_stack_pointer(variable)) return stack_pointer_width();
  if (variable.type == Type::Bool) return 1;
  return variable.kind == Variable::Kind::Quantified ? quantified_width() : options_.int_width;
}

void Memory::add(VariableId variable) {
  const Variable& v = program_.variables[variable];
  Cell& cell = cells_[variable];
  cell.width = width_of(v);
  cell.sizes = sizes_of(v, options_);
  const Sort sort{cell.width, v.is_array() ? index_width(cell) : 0};
  cell.term = graph_.store().variable(sort, v.unique_name);
  cell.position = graph_.variables.size();
  system::ControlGraph::Variable made;
  made.term = cell.term;
  made.init = zero(cell);
  made.elements = v.is_array() ? cell.elements() : 0;
  made.is_hidden = v.place.line == 0 && !is_stack_pointer(v);
  graph_.variables.push_back(made);
}

std::uint32_t Memory::index_width(const Cell& cell) const { return bits_for(cell.elements()); }

void Memory::make_free(VariableId variable) { graph_.variables[cells_[variable].position].init = Term{}; }

void Memory::set_init(VariableId variable, Term value) { graph_.variables[cells_[variable].position].init = value; }

Term Memory::zero(const Cell& cell) const {
  TermStore& store = graph_.store();
  const Term element = store.zero(cell.width);
  return cell.sizes.empty() ? element : store.constant_array(index_width(cell), element);
}

Term Memory::all_true(const Cell& cell) const {
  TermStore& store = graph_.store();
  return cell.sizes.empty() ? store.boolean(true) : store.constant_array(index_width(cell), store.boolean(true));
}

Term Memory::add_hidden(Sort sort, std::string name, std::uint64_t elements, Term init) {
  system::ControlGraph::Variable made;
  made.term = graph_.store().variable(sort, std::move(name));
  made.init = init;
  made.elements = elements;
  made.is_hidden = true;
  graph_.variables.push_back(made);
  return made.term;
}

}  // namespace plumb::tiny
