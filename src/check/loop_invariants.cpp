// From invariants of a system back to the source. A proof speaks of variables of the graph; which of them are the value
// of a source variable at a loop's head, the front end has said by name. A name is used only if it is certain to mean
// that value there: no assignment of the source comes between where the value is made and the head, the function has
// one instance, the variable is declared before the loop in a scope around it, and has an integer type of the right
// width.
#include "check/loop_invariants.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "check/c_expression.h"
#include "prove/invariant_at.h"

namespace plumb::check {

using frontend::SourceType;
using frontend::SourceTypes;
using program::kNone;
using term::Term;
using Source = flatten::Flattened::Source;

namespace {

/// Scalars of a record among which a member is looked for.
constexpr std::size_t kMostMembers = 1000;

/// The blocks from which control can come to others, and the like, without going through one of them.
class Paths {
 public:
  explicit Paths(const program::Function& function) : function_(function), predecessors_(function.blocks.size()) {
    for (program::BlockId b = 0; b < function.blocks.size(); ++b)
      for (const program::Edge& edge : function.successors(b)) predecessors_[edge.target].push_back(b);
  }

  bool dominates(program::BlockId over, program::BlockId block) const {
    return over == block || over == 0 || !forward({0}, over)[block];
  }
  /// By block: it lies on a way from the one to the other that does not come to `from` again.
  std::vector<bool> between(program::BlockId from, program::BlockId to) const {
    std::vector<program::BlockId> first;
    for (const program::Edge& edge : function_.successors(from)) first.push_back(edge.target);
    std::vector<bool> found = forward(std::move(first), from);
    const std::vector<bool> back = search({to}, from, [&](program::BlockId b, auto&& visit) {
      for (const program::BlockId p : predecessors_[b]) visit(p);
    });
    for (std::size_t b = 0; b < found.size(); ++b) found[b] = found[b] && back[b];
    return found;
  }

 private:
  std::vector<bool> forward(std::vector<program::BlockId> roots, program::BlockId without) const {
    return search(std::move(roots), without, [&](program::BlockId b, auto&& visit) {
      for (const program::Edge& edge : function_.successors(b)) visit(edge.target);
    });
  }

  template <typename Next>
  std::vector<bool> search(std::vector<program::BlockId> pending, program::BlockId without, Next&& next) const {
    std::vector<bool> found(function_.blocks.size(), false);
    std::erase(pending, without);
    for (const program::BlockId b : pending) found[b] = true;
    while (!pending.empty()) {
      const program::BlockId block = pending.back();
      pending.pop_back();
      next(block, [&](program::BlockId b) {
        if (b == without || found[b]) return;
        found[b] = true;
        pending.push_back(b);
      });
    }
    return found;
  }

  const program::Function& function_;
  std::vector<std::vector<program::BlockId>> predecessors_;
};

class Names {
 public:
  Names(const program::Program& program, const SourceTypes& types, const flatten::Flattened& flattened)
      : program_(program), types_(types), flattened_(flattened) {
    for (const Source& source : flattened.sources)
      if (!source.name.empty() && !seen_.emplace(source.function, source.name, source.value).second)
        ambiguous_.emplace(source.function, source.name, source.value);
  }

  std::optional<CVariable> at(std::size_t variable, const SourceTypes::Loop& loop, const std::string& place) const {
    const std::uint32_t width = flattened_.graph.store().width(flattened_.graph.variables[variable].term);
    const Source& source = flattened_.sources[variable];
    if (source.name.empty() || ambiguous_.contains({source.function, source.name, source.value})) return std::nullopt;
    const std::size_t end = source.name.find_first_of(".[");
    const std::string base = source.name.substr(0, end);
    const std::uint32_t whole =
        source.function == kNone ? type_of_global(base, loop) : type_of_local(source, base, loop);
    if (whole == kNone || (source.value != kNone && !is_current(source, place))) return std::nullopt;
    return described(source.name, whole, end == std::string::npos ? "" : source.name.substr(end), width,
                     flattened_.graph.variables[variable].elements);
  }

 private:
  std::uint32_t type_of_local(const Source& source, const std::string& base, const SourceTypes::Loop& loop) const {
    if (program_.functions[source.function].name != loop.function) return kNone;
    const auto known = types_.locals.find(std::pair(loop.function, base));
    return known != types_.locals.end() && types_.is_in_scope(known->second, loop) ? known->second.type : kNone;
  }

  /// The value is what the variable has whenever control comes to the place: no assignment comes in between.
  bool is_current(const Source& source, const std::string& place) const {
    const program::Function& function = program_.functions[source.function];
    const auto variable = types_.locals.find(std::pair(function.name, source.name));
    const std::optional<program::BlockId> head = block_at(function, place);
    if (variable == types_.locals.end() || !head) return false;
    const program::Value& value = function.values[source.value];
    const program::BlockId made_in = value.kind == program::ValueKind::Parameter ? 0 : value.block;
    const bool is_argument = value.kind == program::ValueKind::BlockArgument;
    if (is_argument && made_in == *head) return true;
    const Paths paths(function);
    if (made_in == *head || !paths.dominates(made_in, *head)) return false;
    const std::vector<bool> between = paths.between(made_in, *head);
    std::size_t own = 0;
    for (const std::string& name : variable->second.written_in) {
      const auto block = std::ranges::find(function.blocks, name, &program::Block::name);
      if (block == function.blocks.end()) return false;
      const auto b = static_cast<program::BlockId>(block - function.blocks.begin());
      own += b == made_in ? 1 : 0;
      if (between[b]) return false;
    }
    return is_argument ? own == 0 : own == 1;
  }

  /// The only one with an instruction of the place.
  std::optional<program::BlockId> block_at(const program::Function& function, const std::string& place) const {
    std::optional<program::BlockId> found;
    for (program::BlockId b = 0; b < function.blocks.size(); ++b) {
      const auto here = function.instructions_of(b);
      if (std::ranges::none_of(here, [&](const program::Instruction& i) {
            return i.location.is_known() && program_.describe(i.location).to_string() == place;
          }))
        continue;
      if (found) return std::nullopt;
      found = b;
    }
    return found;
  }

  std::uint32_t type_of_global(const std::string& base, const SourceTypes::Loop& loop) const {
    const auto known = types_.globals.find(base);
    if (known == types_.globals.end() || known->second.name != base || known->second.is_local) return kNone;
    const SourceLocation& declared = known->second.declared;
    const bool is_before = declared.file == loop.start.file && declared.line < loop.start.line;
    const bool is_hidden = types_.locals.contains(std::pair(loop.function, base));
    return is_before && !is_hidden ? known->second.type : kNone;
  }

  std::optional<CVariable> described(const std::string& name, std::uint32_t whole, const std::string& path,
                                     std::uint32_t width, std::uint64_t elements) const {
    std::uint32_t type = whole;
    if (!path.empty()) {
      const auto parts = parts_of(types_, whole, 0, types_.types[whole].size, kMostMembers);
      if (!parts) return std::nullopt;
      const auto part = std::ranges::find(*parts, path, &frontend::SourcePart::path);
      if (part == parts->end()) return std::nullopt;
      type = part->type;
    }
    CVariable made{name};
    if (elements != 0) {
      if (types_.types[type].kind != SourceType::Kind::Array) return std::nullopt;
      const std::uint64_t size = types_.types[type].size;
      type = types_.types[type].element;
      made.count = types_.types[type].size == 0 ? 0 : std::min(elements, size / types_.types[type].size);
    }
    const SourceType& scalar = types_.types[type];
    if (scalar.kind != SourceType::Kind::Signed && scalar.kind != SourceType::Kind::Unsigned) return std::nullopt;
    // The encoded variable may be narrower than that of the graph: its lowest bits.
    if (scalar.size * 8 != width) return std::nullopt;
    made.width = width;
    made.is_signed = scalar.kind == SourceType::Kind::Signed;
    return made;
  }

  const program::Program& program_;
  const SourceTypes& types_;
  const flatten::Flattened& flattened_;
  using Key = std::tuple<program::FunctionId, std::string, program::ValueId>;
  std::set<Key> seen_;
  std::set<Key> ambiguous_;  ///< the function has several instances
};

std::string conjunction(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return texts.front();
  std::string all;
  for (const std::string& text : texts) {
    const bool is_loose = text.find("||") != std::string::npos || text.find('?') != std::string::npos;
    all += (all.empty() ? "" : " && ") + (is_loose ? "(" + text + ")" : text);
  }
  return all;
}

}  // namespace

std::vector<LoopInvariant> loop_invariants(
    const program::Program& program, const SourceTypes& types, const flatten::Flattened& flattened,
    const term::TermStore& store, std::span<const KnownAt> known,
    const std::function<std::optional<std::size_t>(Term variable)>& variable_of) {
  const Names names(program, types, flattened);
  std::map<std::string, std::size_t> statements;  // of the whole graph, by place
  for (const system::ControlGraph::Statement& statement : flattened.graph.statements)
    ++statements[statement.location.to_string()];
  std::vector<LoopInvariant> made;
  for (const KnownAt& at : known) {
    const std::string place = at.place.to_string();
    const auto loop = types.loops.find(place);
    if (loop == types.loops.end() || loop->second.scope == kNone || statements[place] != 1) continue;
    std::vector<std::string> texts;
    for (const Term conjunct : at.conjuncts) {
      const auto text = c_expression(store, conjunct, [&](Term t) -> std::optional<CVariable> {
        const std::optional<std::size_t> variable = variable_of(t);
        return variable ? names.at(*variable, loop->second, place) : std::nullopt;
      });
      if (text && *text != "1") texts.push_back(*text);
    }
    if (!texts.empty()) made.push_back({loop->second.start, loop->second.function, conjunction(texts)});
  }
  return made;
}

std::vector<LoopInvariant> proof_invariants(const program::Program& program, const frontend::LoadOptions& load,
                                            const flatten::Flattened& flattened, const system::ControlGraph& graph,
                                            const system::Encoding& encoding, system::System& system,
                                            const prove::Certificate& certificate, const Budget& budget) {
  if (certificate.invariant.empty()) return {};
  const SourceTypes types = load_typed_program(load, budget).types;
  std::vector<KnownAt> known;
  const std::uint32_t width = system.store().width(system.states()[encoding.pc].variable);
  for (system::ControlGraph::Label label = 0; label < graph.statements.size(); ++label) {
    const SourceLocation& place = graph.statements[label].location;
    // In the first step, which an invariant may leave out, control is at the entry.
    if (!encoding.pc_values[label] || label == graph.entry || !types.loops.contains(place.to_string())) continue;
    budget.check();
    const BitVector value(width, *encoding.pc_values[label]);
    known.push_back({place, prove::invariant_at(system, certificate, encoding.pc, value)});
  }
  // A register that several variables share is named after none of them.
  std::map<Term, std::optional<std::size_t>> variables;
  for (std::size_t v = 0; v < encoding.registers.size(); ++v) {
    if (!encoding.registers[v]) continue;
    const auto [known_as, is_new] = variables.try_emplace(system.states()[*encoding.registers[v]].variable, v);
    if (!is_new) known_as->second.reset();
  }
  return loop_invariants(program, types, flattened, system.store(), known, [&](Term t) -> std::optional<std::size_t> {
    const auto variable = variables.find(t);
    return variable == variables.end() ? std::nullopt : variable->second;
  });
}

}  // namespace plumb::check
