// Algorithm 1 of the {P}S{Q} paper: a program counter says where control is, and the next value of each variable is a
// choice by it. We deviate in what a step is: by default not a statement but the whole stretch from one cut point to
// the next (encode_cut_points.cpp says where they are, encode_blocks.cpp executes the stretch), and in where variables
// are held (encode_registers.cpp). After the end the program counter stays at the value behind the last cut point.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "system/copy.h"
#include "system/encode_blocks.h"

namespace plumb::system {

namespace {

using Label = ControlGraph::Label;

std::uint32_t width_for(std::uint64_t greatest) {
  return static_cast<std::uint32_t>(std::max(1, static_cast<int>(std::bit_width(greatest))));
}

class Encoder {
 public:
  Encoder(const ControlGraph& graph, const EncodingOptions& options, const Budget& budget)
      : graph_(graph),
        options_(options),
        budget_(budget),
        store_(encoding_.system.store()),
        flow_(control_flow(graph)),
        cuts_(cut_points(graph, flow_, options.steps)),
        accesses_(graph, budget),
        registers_(assign_registers(graph, flow_, cuts_, accesses_, options.share_registers, budget)),
        pc_width_(width_for(cuts_.end_value)) {}

  Encoding encode() {
    make_variables();
    execute_blocks();
    make_states();
    make_properties();
    if (options_.termination_bound) bound_steps(*options_.termination_bound);
    make_choices();
    make_wires();
    annotate();
    encoding_.system.check();
    return std::move(encoding_);
  }

 private:
  System& system() { return encoding_.system; }
  Term at(std::uint64_t pc) { return store_.eq(pc_, store_.constant(pc_width_, pc)); }

  void make_variables();
  std::string register_name(std::size_t place) const;
  void execute_blocks();
  bool fix_constants();
  Term initial_value(std::size_t place);
  Term next_value(std::size_t place);
  void make_states();
  struct Case {
    Term condition;
    Term value;
  };
  /// The different ones among the values, by cut point, and where the program counter is for each; without null ones.
  std::vector<Case> cases(const std::vector<Term>& values);
  /// The value of the case that is true: a balanced tree of choices. If none is, `otherwise`; any, if that is null.
  Term choose(std::span<const Case> cases, Term otherwise);
  Term choose(std::span<const Case> cases);
  void make_properties();
  void bound_steps(std::uint64_t bound);
  void make_choices();
  void make_wires();
  void annotate();

  const ControlGraph& graph_;
  const EncodingOptions& options_;
  const Budget& budget_;
  Encoding encoding_;
  TermStore& store_;
  ControlFlow flow_;
  CutPoints cuts_;
  Accesses accesses_;
  Registers registers_;
  std::uint32_t pc_width_;

  Term pc_;
  std::vector<Term> variables_;  ///< by register; in the end some are constants
  std::vector<Term> inputs_;     ///< by position in the graph
  std::vector<Term> is_at_;      ///< by cut point
  std::vector<Block> blocks_;    ///< by cut point
};

void Encoder::make_variables() {
  pc_ = system().add_state(Sort{pc_width_, 0}, "pc");
  for (std::size_t r = 0; r < registers_.members.size(); ++r) {
    const Sort sort = graph_.store().sort(graph_.variables[registers_.members[r].front()].term);
    variables_.push_back(store_.variable(sort, register_name(r)));
  }
  for (const Term input : graph_.inputs)
    inputs_.push_back(store_.variable(graph_.store().sort(input), graph_.store().name(input)));
  for (std::size_t i = 0; i < cuts_.labels.size(); ++i) is_at_.push_back(at(i));
  encoding_.end_value = cuts_.end_value;
  encoding_.at_end = at(cuts_.end_value);
  encoding_.pc_values = cuts_.values;
}

std::string Encoder::register_name(std::size_t place) const {
  std::string name;
  for (const std::size_t v : registers_.members[place]) {
    if (!name.empty()) name += '|';
    name += graph_.store().name(graph_.variables[v].term);
  }
  return name;
}

void Encoder::execute_blocks() {
  BlockExecutor executor(graph_, cuts_, registers_, accesses_, store_, variables_, inputs_, pc_width_, budget_);
  do {
    blocks_.clear();
    for (const Label label : cuts_.labels) blocks_.push_back(executor.execute(label));
  } while (fix_constants());
}

/// Puts a constant in the place of each register that holds nothing else while it is needed, as that of a precondition
/// behind the check that it holds. True if there was one.
bool Encoder::fix_constants() {
  bool is_found = false;
  for (std::size_t r = 0; r < variables_.size(); ++r) {
    budget_.check();
    if (!store_.is_variable(variables_[r]) || registers_.kept[registers_.members[r].front()]) continue;
    const Term value = initial_value(r);
    bool is_constant = value && store_.is_constant(value);
    for (const Block& block : blocks_)
      is_constant = is_constant && (!block.next[r] || block.next[r] == variables_[r] || block.next[r] == value);
    if (!is_constant) continue;
    variables_[r] = value;
    is_found = true;
  }
  return is_found;
}

/// That of the variable that is live at the entry; null if it is free and a property depends on it. Zero if it is live
/// only because a variable of users is kept; if there is none, any value will do, and the first constant that is
/// assigned may be the only one.
Term Encoder::initial_value(std::size_t place) {
  TermCopier copier(graph_.store(), store_);
  bool is_live = false;
  for (const std::size_t v : registers_.members[place]) {
    if (!registers_.live[graph_.entry][v]) continue;
    is_live = true;
    if (graph_.variables[v].init) return copier.copy(graph_.variables[v].init);
    if (registers_.decides_at_entry[v]) return {};
  }
  for (const Block& block : blocks_)
    if (!is_live && block.next[place] && store_.is_constant(block.next[place])) return block.next[place];
  const Sort sort = store_.sort(variables_[place]);
  const Term zero = store_.zero(sort.width);
  return sort.is_array() ? store_.constant_array(sort.index_width, zero) : zero;
}

Term Encoder::choose(std::span<const Case> cases) {
  if (cases.size() == 1) return cases.front().value;
  const std::size_t half = cases.size() / 2;
  std::vector<Term> conditions;
  for (const Case& c : cases.first(half)) conditions.push_back(c.condition);
  return store_.ite(store_.any_of(conditions), choose(cases.first(half)), choose(cases.subspan(half)));
}

Term Encoder::choose(std::span<const Case> cases, Term otherwise) {
  if (cases.empty()) return otherwise;
  if (!otherwise) return choose(cases);
  std::vector<Term> conditions;
  for (const Case& c : cases) conditions.push_back(c.condition);
  return store_.ite(store_.any_of(conditions), choose(cases), otherwise);
}

std::vector<Encoder::Case> Encoder::cases(const std::vector<Term>& values) {
  term::TermMap<std::size_t> places;
  std::vector<std::vector<Term>> conditions;
  std::vector<Case> made;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    if (!places.contains(values[i])) {
      places[values[i]] = made.size();
      made.push_back({{}, values[i]});
      conditions.emplace_back();
    }
    conditions[places.at(values[i])].push_back(is_at_[i]);
  }
  for (std::size_t i = 0; i < made.size(); ++i) made[i].condition = store_.any_of(conditions[i]);
  return made;
}

Term Encoder::next_value(std::size_t place) {
  const Term variable = variables_[place];
  bool is_kept = registers_.kept[registers_.members[place].front()];
  std::vector<Term> values;
  for (const Block& block : blocks_) {
    is_kept = is_kept || block.next[place] == variable;
    values.push_back(block.next[place] == variable ? Term{} : block.next[place]);
  }
  std::vector<Case> made = cases(values);
  // What is chosen last is the value after the end, where the register must come to rest.
  const auto constant = std::ranges::find_if(made, [&](const Case& c) { return store_.is_constant(c.value); });
  if (is_kept || constant == made.end()) return choose(made, variable);
  std::iter_swap(constant, made.end() - 1);
  return choose(made);
}

void Encoder::make_states() {
  const Term end = store_.constant(pc_width_, cuts_.end_value);
  std::vector<Term> values;
  for (const Block& block : blocks_) values.push_back(block.next_pc == end ? Term{} : block.next_pc);
  system().set_init(encoding_.pc, store_.zero(pc_width_));
  system().set_next(encoding_.pc, choose(cases(values), end));
  encoding_.registers.resize(graph_.variables.size());
  for (std::size_t r = 0; r < variables_.size(); ++r) {
    budget_.check();
    if (!store_.is_variable(variables_[r])) continue;
    const std::size_t position = system().states().size();
    system().add_state(variables_[r]);
    if (const Term init = initial_value(r)) system().set_init(position, init);
    system().set_next(position, next_value(r));
    for (const std::size_t v : registers_.members[r]) encoding_.registers[v] = position;
  }
}

void Encoder::make_properties() {
  std::vector<std::vector<std::vector<Term>>> fails(graph_.statements.size());
  for (std::size_t label = 0; label < fails.size(); ++label)
    fails[label].resize(graph_.statements[label].checks.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (const Block::Failure& failure : blocks_[i].failures)
      fails[failure.label][failure.check].push_back(store_.bit_and(is_at_[i], failure.fails));
  std::vector<std::vector<Term>> of_property(graph_.properties.size());
  for (std::size_t label = 0; label < fails.size(); ++label)
    for (std::size_t c = 0; c < fails[label].size(); ++c) {
      budget_.check();
      const ControlGraph::Check& check = graph_.statements[label].checks[c];
      const Term site = store_.any_of(fails[label][c]);
      encoding_.check_sites.push_back({check.property, check.location, site});
      of_property[check.property].push_back(site);
    }
  for (std::size_t p = 0; p < of_property.size(); ++p)
    system().add_bad(store_.any_of(of_property[p]), graph_.properties[p]);
}

void Encoder::bound_steps(std::uint64_t bound) {
  const std::uint32_t width = width_for(bound);
  const std::size_t position = system().states().size();
  const Term steps = system().add_state(Sort{width, 0}, "steps");
  const Term is_over = store_.eq(steps, store_.constant(width, bound));
  system().set_init(position, store_.zero(width));
  system().set_next(position, store_.ite(is_over, steps, store_.add(steps, store_.one(width))));
  system().add_bad(store_.bit_and(is_over, store_.bit_not(encoding_.at_end)),
                   fmt::format("termination within {} steps", bound));
}

void Encoder::make_choices() {
  std::vector<std::vector<Term>> executed(graph_.statements.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (const Block::Visit& visit : blocks_[i].visits)
      executed[visit.label].push_back(store_.bit_and(is_at_[i], visit.executed));

  const std::vector<std::optional<Label>> readers = readers_of_inputs(graph_);
  for (const std::optional<Label> reader : readers) {
    budget_.check();
    encoding_.choices.push_back({{}, reader ? store_.any_of(executed[*reader]) : store_.boolean(false)});
  }

  // An input may decide about nothing but whether another is read, or by which check a property fails.
  std::vector<Term> roots;
  for (const State& state : system().states()) roots.push_back(state.next);
  for (const Encoding::CheckSite& site : encoding_.check_sites) roots.push_back(site.fails);
  for (const Encoding::Choice& choice : encoding_.choices) roots.push_back(choice.executed);
  term::TermSet used;
  for (const Term variable : term::support(store_, roots)) used[variable] = {};
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!used.contains(inputs_[i])) continue;
    encoding_.choices[i].input = system().inputs().size();
    system().add_input(inputs_[i]);
  }
}

void Encoder::make_wires() {
  TermCopier copier(graph_.store(), store_);
  for (std::size_t v = 0; v < graph_.variables.size(); ++v)
    if (registers_.kept[v]) copier.declare(graph_.variables[v].term, variables_[*registers_.of[v]]);
  for (const NamedTerm& wire : graph_.wires) {
    bool is_shown = true;
    for (const Term variable : term::support(graph_.store(), {{wire.term}})) {
      const std::optional<std::uint32_t> position = accesses_.position(variable);
      is_shown = is_shown && position && registers_.kept[*position];
    }
    if (is_shown) system().add_wire(copier.copy(wire.term), wire.name);
  }
}

void Encoder::annotate() {
  Annotation names{"statement", pc_, {}};
  Annotation lines{"source line", pc_, {}};
  for (std::size_t i = 0; i < cuts_.labels.size(); ++i) {
    const ControlGraph::Statement& statement = graph_.statements[cuts_.labels[i]];
    const BitVector value(pc_width_, i);
    const SourceLocation& location = statement.location;
    names.texts[value] = location.line == 0 ? statement.text : fmt::format("{}: {}", location.line, statement.text);
    lines.texts[value] = SourceLocation{location.file, location.line, 0}.to_string();
  }
  names.texts[BitVector(pc_width_, cuts_.end_value)] = "end";
  system().add_annotation(std::move(names));
  system().add_annotation(std::move(lines));
}

}  // namespace

Encoding encode(const ControlGraph& graph, const EncodingOptions& options, const Budget& budget) {
  const std::vector<std::string> problems = graph.problems();
  INVARIANT(problems.empty(), problems.front());
  return Encoder(graph, options, budget).encode();
}

}  // namespace plumb::system
