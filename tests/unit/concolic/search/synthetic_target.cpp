// The program of a SyntheticProgram run on concrete values and terms at once, with regions as formulas where the modes
// say so.
#include <algorithm>
#include <optional>

#include "concolic/search/candidate.h"
#include "runtime/checks/checks.h"
#include "unit/concolic/search/synthetic_program.h"

namespace plumb::concolic {

using Kind = Statement::Kind;
using term::Term;

namespace {

struct Cell {
  std::uint8_t value = 0;
  Term term;
};

/// The terms of a region's variables, edges and way out.
struct RegionState {
  std::vector<Term> variables;
  Term goes_on;  ///< no access failed so far
  std::vector<std::pair<EdgeId, Term>> edges;
  std::vector<std::pair<SiteId, Term>> faults;
};

class TracingRun {
 public:
  TracingRun(const SyntheticProgram& program, const SyntheticLog& log, term::TermStore& store,
             std::vector<Term>& inputs, const RunRequest& request, bool lies)
      : program_(program), log_(log), store_(store), input_terms_(inputs), request_(request), lies_(lies) {
    cells_.resize(program.variables, {0, store.zero(8)});
    coverage.resize(program.subject.edge_count);
    visits.resize(program.subject.regions.size());
  }

  void run() { execute(program_.body); }

  std::vector<std::uint8_t> coverage;
  TargetRun result;
  std::vector<std::uint64_t> visits;  ///< by region

 private:
  bool end(RunEnd how, SiteId site = 0) {
    result.end = how;
    result.error_site = site;
    result.code = 1;
    return false;
  }

  bool holds(const Statement& s) const {
    const std::uint8_t value = cells_[s.variable].value;
    return s.compare == Statement::Compare::Equal ? value == s.constant : value < s.constant;
  }
  Term condition(const Statement& s, Term variable) {
    const Term constant = store_.constant(8, s.constant);
    return s.compare == Statement::Compare::Equal ? store_.eq(variable, constant) : store_.ult(variable, constant);
  }
  EdgeId edge(const Statement& s, bool is_true) const {
    return program_.subject.sites[s.site].first_edge + (is_true ? 0 : 1);
  }

  /// At the depth the trace ends, and the run goes on.
  void add_node(PathNode node, const std::vector<Alternative>& alternatives) {
    Trace& trace = result.trace;
    trace.is_cut |= trace.nodes.size() == request_.max_nodes;
    if (trace.is_cut) return;
    node.first_alternative = static_cast<std::uint32_t>(trace.alternatives.size());
    node.alternative_count = static_cast<std::uint32_t>(alternatives.size());
    trace.alternatives.insert(trace.alternatives.end(), alternatives.begin(), alternatives.end());
    prefix_ = mix(mix(prefix_, node.taken), std::uint64_t{node.site} << 8 | static_cast<std::uint8_t>(node.kind));
    node.prefix = prefix_;
    trace.nodes.push_back(node);
  }

  /// False behind the end of the trace: nobody could tell what was read.
  bool read(const Statement& s) {
    if (reads_ >= program_.max_reads) {
      cells_[s.variable] = {0, store_.zero(8)};
      return true;
    }
    if (result.trace.is_cut) return end(RunEnd::DepthLimit);
    const std::uint32_t i = reads_++;
    std::uint8_t byte = i < log_.fill.size() ? log_.fill[i] : 0;
    if (i < request_.inputs.size() && !request_.inputs[i].bytes.empty()) byte = request_.inputs[i].bytes[0];
    if (lies_ && i == 0) byte ^= 1;
    if (i == input_terms_.size()) input_terms_.push_back(store_.variable(8, "in" + std::to_string(i)));
    result.trace.inputs.push_back({"byte", {byte}});
    result.trace.variables.push_back({input_terms_[i]});
    cells_[s.variable] = {static_cast<std::uint8_t>(byte & program_.mask),
                          store_.bit_and(input_terms_[i], store_.constant(8, program_.mask))};
    return true;
  }

  /// Branches, with `is_true` the way that the run goes.
  void branch(const Statement& s, bool is_true) {
    coverage[edge(s, is_true)] = 1;
    const Term yes = condition(s, cells_[s.variable].term);
    if (store_.is_constant(yes)) return;
    const Term taken = is_true ? yes : store_.bit_not(yes);
    PathNode node{.kind = PathNode::Kind::Branch, .site = s.site, .taken = is_true ? 0U : 1U, .condition = taken};
    add_node(node, {{.kind = Alternative::Kind::Edge,
                     .index = is_true ? 1U : 0U,
                     .condition = store_.bit_not(taken),
                     .edge = edge(s, !is_true)}});
  }

  bool check(const Statement& s, PathNode::Kind kind, RunEnd failure) {
    const bool is_true = holds(s);
    const Term yes = condition(s, cells_[s.variable].term);
    if (!store_.is_constant(yes)) {
      const Term taken = is_true ? yes : store_.bit_not(yes);
      std::vector<Alternative> alternatives;
      // An assumption that holds has no other way: runs in which it fails do not count.
      if (!is_true)
        alternatives.push_back({.kind = Alternative::Kind::Assumption, .index = 0, .condition = yes});
      else if (kind == PathNode::Kind::Check)
        alternatives.push_back({.kind = Alternative::Kind::Violation, .index = 0, .condition = store_.bit_not(yes)});
      add_node({.kind = kind, .site = s.site, .taken = is_true ? 1U : 0U, .condition = taken}, alternatives);
    }
    return is_true || end(failure, failure == RunEnd::Error ? s.site : 0);
  }

  void tell(SiteId site) {
    const SeenDefect seen{.kind = PLUMB_DEFECT_INDEX, .site = site};
    const auto is_same = [&](const SeenDefect& d) { return d.site == site; };
    if (std::ranges::none_of(result.trace.defects, is_same)) result.trace.defects.push_back(seen);
  }

  void access(const Statement& s) {
    const bool is_true = holds(s);
    const Term yes = condition(s, cells_[s.variable].term);
    if (!store_.is_constant(yes)) {
      const Term taken = is_true ? yes : store_.bit_not(yes);
      add_node({.kind = PathNode::Kind::Check,
                .site = s.site,
                .taken = is_true ? 1U : 0U,
                .condition = taken,
                .checked = {.defect = PLUMB_DEFECT_INDEX}},
               {{.kind = is_true ? Alternative::Kind::Violation : Alternative::Kind::Assumption,
                 .index = PLUMB_DEFECT_INDEX,
                 .condition = store_.bit_not(taken)}});
    }
    if (is_true) return;
    tell(s.site);
    cells_[s.other] = {0, store_.zero(8)};
  }

  void summarise(const Statements& list, Term guard, RegionState& state) {
    for (const Statement& s : list) {
      Term& variable = state.variables[s.variable];
      switch (s.kind) {
        case Kind::Add:
          variable = store_.add(state.variables[s.other], store_.constant(8, s.constant));
          break;
        case Kind::Xor:
          variable = store_.bit_xor(variable, state.variables[s.other]);
          break;
        case Kind::Set:
          variable = store_.constant(8, s.constant);
          break;
        case Kind::Access: {
          const Term fails = store_.bit_not(condition(s, variable));
          state.faults.emplace_back(s.site, store_.bit_and(store_.bit_and(guard, state.goes_on), fails));
          state.goes_on = store_.bit_and(state.goes_on, store_.bit_not(fails));
          break;
        }
        default: {
          const Term yes = condition(s, variable);
          const Term if_yes = store_.bit_and(guard, yes), if_no = store_.bit_and(guard, store_.bit_not(yes));
          state.edges.emplace_back(edge(s, true), store_.bit_and(if_yes, state.goes_on));
          state.edges.emplace_back(edge(s, false), store_.bit_and(if_no, state.goes_on));
          RegionState arms[2] = {{state.variables, state.goes_on, {}, {}}, {state.variables, state.goes_on, {}, {}}};
          summarise(s.first, if_yes, arms[0]);
          summarise(s.second, if_no, arms[1]);
          state.goes_on = store_.ite(yes, arms[0].goes_on, arms[1].goes_on);
          for (const RegionState& arm : arms)
            state.faults.insert(state.faults.end(), arm.faults.begin(), arm.faults.end());
          for (std::size_t v = 0; v < state.variables.size(); ++v)
            state.variables[v] = store_.ite(yes, arms[0].variables[v], arms[1].variables[v]);
          for (const RegionState& arm : arms) state.edges.insert(state.edges.end(), arm.edges.begin(), arm.edges.end());
        }
      }
    }
  }

  /// The region on concrete values alone, as the plain code does it. Gives the site of the access that fails, or 0.
  SiteId run_plain(const Statements& list) {
    for (const Statement& s : list) {
      std::uint8_t& value = cells_[s.variable].value;
      if (s.kind == Kind::Add) value = static_cast<std::uint8_t>(cells_[s.other].value + s.constant);
      if (s.kind == Kind::Xor) value ^= cells_[s.other].value;
      if (s.kind == Kind::Set) value = s.constant;
      if (s.kind == Kind::Access && !holds(s)) return s.site;
      if (s.kind != Kind::If) continue;
      const bool is_true = holds(s);
      coverage[edge(s, is_true)] = 1;
      if (const SiteId failed = run_plain(is_true ? s.first : s.second)) return failed;
    }
    return 0;
  }

  bool region(const Statement& s) {
    if (request_.modes[s.region] != 0) {
      RegionState state;
      for (const Cell& cell : cells_) state.variables.push_back(cell.term);
      state.goes_on = store_.boolean(true);
      summarise(s.first, store_.boolean(true), state);
      // Behind the end of the trace a visit is not recorded, and goes on behind a defect.
      const bool is_behind = result.trace.is_cut || result.trace.nodes.size() == request_.max_nodes;
      if (!is_behind || state.faults.empty()) return visit(s, state);
      result.trace.is_cut = true;
    }
    if (!execute(s.first)) return false;
    const bool is_true = holds(s);
    branch(s, is_true);
    return execute(is_true ? s.second : s.third);
  }

  bool visit(const Statement& s, RegionState& state) {
    if (const SiteId failed = run_plain(s.first)) return abandon_region(s, state, failed);
    for (std::size_t v = 0; v < cells_.size(); ++v) cells_[v].term = state.variables[v];
    return leave_region(s, state);
  }

  /// All ways through the region but the destination or the access that fails.
  std::vector<Alternative> alternatives_of(const Statement& s, RegionState& state, std::uint32_t destination,
                                           SiteId failed) {
    const Term yes = condition(s, state.variables[s.variable]);
    const Term ways[2] = {store_.bit_and(state.goes_on, yes), store_.bit_and(state.goes_on, store_.bit_not(yes))};
    std::vector<Alternative> alternatives;
    const auto add = [&](Alternative alternative) {
      if (!store_.is_constant(alternative.condition)) alternatives.push_back(alternative);
    };
    for (std::uint32_t d = 0; d < 2; ++d)
      if (d != destination) add({.kind = Alternative::Kind::Destination, .index = d, .condition = ways[d]});
    state.edges.emplace_back(edge(s, true), ways[0]);
    state.edges.emplace_back(edge(s, false), ways[1]);
    for (std::uint32_t i = 0; i < state.edges.size(); ++i)
      add({.kind = Alternative::Kind::InnerEdge,
           .index = i,
           .condition = state.edges[i].second,
           .edge = state.edges[i].first});
    for (std::uint32_t f = 0; f < state.faults.size(); ++f)
      if (state.faults[f].first != failed)
        add({.kind = Alternative::Kind::Violation, .index = f, .condition = state.faults[f].second});
    ++visits[s.region];
    ++result.trace.region_visits;
    return alternatives;
  }

  bool leave_region(const Statement& s, RegionState& state) {
    const bool is_true = holds(s);
    coverage[edge(s, is_true)] = 1;
    const Term yes = condition(s, cells_[s.variable].term);
    const Term taken = store_.bit_and(state.goes_on, is_true ? yes : store_.bit_not(yes));
    const auto alternatives = alternatives_of(s, state, is_true ? 0 : 1, 0);
    if (!alternatives.empty())
      add_node({.kind = PathNode::Kind::Region, .site = s.region, .taken = is_true ? 0U : 1U, .condition = taken},
               alternatives);
    return execute(is_true ? s.second : s.third);
  }

  /// What comes behind a defect is not in the formula: the run ends.
  bool abandon_region(const Statement& s, RegionState& state, SiteId failed) {
    const auto alternatives = alternatives_of(s, state, program::kNone, failed);
    const auto fault = std::ranges::find_if(state.faults, [&](const auto& f) { return f.first == failed; });
    add_node({.kind = PathNode::Kind::Region, .site = s.region, .taken = program::kNone, .condition = fault->second},
             alternatives);
    tell(failed);
    return end(RunEnd::Defect, failed);
  }

  void pin(const Statement& s) {
    Cell& cell = cells_[s.variable];
    if (store_.is_constant(cell.term) || result.trace.is_cut) return;
    const Term value = store_.constant(8, cell.value);
    const Term equal = store_.eq(cell.term, value);
    cell.term = value;
    ++result.trace.lost[{1, 0}];
    add_node({.kind = PathNode::Kind::Constraint, .site = 0, .taken = cell.value, .condition = equal}, {});
  }

  bool execute(const Statements& list) {
    for (const Statement& s : list)
      if (!execute(s)) return false;
    return true;
  }

  bool execute(const Statement& s) {
    Cell& cell = cells_[s.variable];
    switch (s.kind) {
      case Kind::Read:
        return read(s);
      case Kind::Add: {
        const Cell& other = cells_[s.other];
        cell = {static_cast<std::uint8_t>(other.value + s.constant),
                store_.add(other.term, store_.constant(8, s.constant))};
        return true;
      }
      case Kind::Xor:
        cell = {static_cast<std::uint8_t>(cell.value ^ cells_[s.other].value),
                store_.bit_xor(cell.term, cells_[s.other].term)};
        return true;
      case Kind::Set:
        cell = {s.constant, store_.constant(8, s.constant)};
        return true;
      case Kind::If: {
        const bool is_true = holds(s);
        branch(s, is_true);
        return execute(is_true ? s.first : s.second);
      }
      case Kind::While:
        for (std::uint32_t i = 0; i < s.trips; ++i) {
          const bool is_true = holds(s);
          branch(s, is_true);
          if (!is_true) return true;
          if (!execute(s.first)) return false;
        }
        return true;
      case Kind::Region:
        return region(s);
      case Kind::Check:
        return check(s, PathNode::Kind::Check, RunEnd::Error);
      case Kind::Assume:
        return check(s, PathNode::Kind::Assume, RunEnd::AssumeFailed);
      case Kind::Access:
        access(s);
        return true;
      case Kind::Error:
        return end(RunEnd::Error, s.site);
      case Kind::Pin:
        pin(s);
        return true;
    }
    return true;
  }

  const SyntheticProgram& program_;
  const SyntheticLog& log_;
  term::TermStore& store_;
  std::vector<Term>& input_terms_;
  const RunRequest& request_;
  bool lies_;
  std::vector<Cell> cells_;
  std::uint32_t reads_ = 0;
  std::uint64_t prefix_ = 0;
};

class SyntheticTarget : public Target {
 public:
  SyntheticTarget(const SyntheticProgram& program, SyntheticLog& log) : program_(program), log_(log) {
    store_.emplace();
    costs_.resize(program.subject.regions.size());
  }

  TargetRun run(const RunRequest& request, const Budget&) override {
    bool lies = false;
    if (log_.keeps_paths) lies = ++log_.runs % std::max<std::uint64_t>(log_.lie_every, 1) == 0 && log_.lie_every != 0;
    TracingRun tracing(program_, log_, *store_, inputs_, request, lies);
    tracing.run();
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      costs_[i].visits += tracing.visits[i];
      costs_[i].terms += tracing.visits[i] * log_.terms_a_visit;
    }
    coverage_ = std::move(tracing.coverage);
    TargetRun run = std::move(tracing.result);
    run.coverage = coverage_;
    if (log_.keeps_paths) log_.paths.push_back(run.trace.nodes.empty() ? 0 : run.trace.nodes.back().prefix);
    return run;
  }

  term::TermStore& store() override { return *store_; }

  std::vector<result::TestInput> inputs_of(const Trace& parent, const term::Assignment& model) override {
    auto inputs = parent.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (const auto it = model.find(parent.variables[i][0]); it != model.end())
        inputs[i].bytes[0] = static_cast<std::uint8_t>(std::get<BitVector>(it->second).to_uint64());
    return inputs;
  }

  void reset() override {
    ++log_.resets;
    inputs_.clear();
    store_.emplace();
    costs_.assign(costs_.size(), {});
  }

  std::span<const TraceBuilder::RegionCost> region_costs() override { return costs_; }

 private:
  const SyntheticProgram& program_;
  SyntheticLog& log_;
  std::optional<term::TermStore> store_;
  std::vector<Term> inputs_;
  std::vector<std::uint8_t> coverage_;
  std::vector<TraceBuilder::RegionCost> costs_;
};

}  // namespace

std::unique_ptr<Target> make_synthetic_target(const SyntheticProgram& program, SyntheticLog& log) {
  return std::make_unique<SyntheticTarget>(program, log);
}

}  // namespace plumb::concolic
