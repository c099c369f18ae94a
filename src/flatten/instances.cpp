// Which functions are copied. A copy for each call keeps the graph free of cycles that are no loops of the program, so
// that a step of the encoded system is an iteration of a loop whatever it calls, and each copy's values are known as
// precisely as its call's arguments. So everything that can be copied is, as long as the whole stays small; past that,
// functions whose copies cost most get a single instance, one after the other. Recursion is found on calls that fit:
// pointers to functions of other types close no circles.

#include "flatten/instances.h"

#include <algorithm>

#include "program/analysis/cfg.h"
#include "program/analysis/components.h"
#include "semantics/calls.h"
#include "semantics/ends.h"

namespace plumb::flatten {

using program::Function;
using program::FunctionId;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::kNone;

using semantics::is_output;

bool fits(const Function& caller, const Instruction& call, const Function& callee) {
  return semantics::call_fit(caller, call, callee) == semantics::CallFit::Exact;
}

std::vector<FunctionId> possible_callees(const Program& program, const program::CallGraph& calls,
                                         const Function& caller, const Instruction& instruction) {
  std::vector<FunctionId> callees;
  if (instruction.kind == Kind::Call) {
    callees.push_back(instruction.parameter);
  } else if (instruction.kind == Kind::CallIndirect) {
    for (const FunctionId f : calls.indirect_targets(instruction.operand_count - 1))
      if (fits(caller, instruction, program.functions[f])) callees.push_back(f);
  }
  return callees;
}

/// Makes the instances of a program.
class InstanceMaker {
 public:
  InstanceMaker(const Program& program, const program::CallGraph& calls, const Options& options, Instances& made)
      : program_(program),
        max_copied_(options.max_copied),
        made_(made),
        sites_(program.functions.size()),
        is_single_(program.functions.size(), false) {
    find_roots();
    find_sites(calls);
    find_recursion();
    choose();
    make();
  }

 private:
  struct Site {
    InstructionId call;
    FunctionId callee;
  };

  void find_roots() {
    roots_ = program_.constructors;
    roots_.push_back(program_.entry);
    const std::vector<FunctionId> at_end = semantics::functions_at_end(program_);
    roots_.insert(roots_.end(), at_end.begin(), at_end.end());
  }

  bool has_instance(const Function& caller, const Instruction& call, FunctionId callee) const {
    const Function& function = program_.functions[callee];
    return function.has_body() && !is_output(function) && fits(caller, call, function);
  }

  /// Of the functions that the roots can reach, which are in order_.
  void find_sites(const program::CallGraph& calls) {
    std::vector<bool> is_seen(program_.functions.size(), false);
    const auto see = [&](FunctionId f) {
      if (!is_seen[f]) order_.push_back(f);
      is_seen[f] = true;
    };
    for (const FunctionId root : roots_) see(root);
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const Function& function = program_.functions[order_[next]];
      for (InstructionId i = 0; i < function.instructions.size(); ++i)
        for (const FunctionId callee : possible_callees(program_, calls, function, function.instructions[i])) {
          if (!has_instance(function, function.instructions[i], callee)) continue;
          sites_[order_[next]].push_back({i, callee});
          see(callee);
        }
    }
  }

  /// Sorts order_ so that callers stand before callees, but for those that call each other.
  void find_recursion() {
    program::Cfg::EdgeList edges;
    for (const FunctionId f : order_)
      for (const Site& site : sites_[f]) edges.emplace_back(f, site.callee);
    const program::Cfg graph(static_cast<std::uint32_t>(program_.functions.size()), edges);
    const program::Components components(graph);
    component_.assign(program_.functions.size(), kNone);
    std::vector<std::uint32_t> number(components.size(), kNone);
    for (const FunctionId f : order_) {
      const std::uint32_t component = components.component_of(f);
      const bool calls_itself =
          std::any_of(sites_[f].begin(), sites_[f].end(), [&](const Site& s) { return s.callee == f; });
      if (components.members(component).size() == 1 && !calls_itself) continue;
      if (number[component] == kNone) number[component] = made_.component_count_++;
      component_[f] = number[component];
      is_single_[f] = true;
    }
    std::stable_sort(order_.begin(), order_.end(), [&](FunctionId a, FunctionId b) {
      return components.component_of(a) > components.component_of(b);
    });
  }

  double size(FunctionId f) const { return static_cast<double>(program_.functions[f].instructions.size()); }

  std::vector<double> count_copies() const {
    std::vector<double> copies(program_.functions.size(), 0);
    for (const FunctionId root : roots_) copies[root] += 1;
    for (const FunctionId f : order_) {
      if (is_single_[f]) copies[f] = 1;
      for (const Site& site : sites_[f]) copies[site.callee] += copies[f];
    }
    return copies;
  }

  void choose() {
    for (;;) {
      const std::vector<double> copies = count_copies();
      double sum = 0;
      double greatest = 0;
      for (const FunctionId f : order_) {
        sum += copies[f] * size(f);
        if (!is_single_[f]) greatest = std::max(greatest, (copies[f] - 1) * size(f));
      }
      if (sum <= max_copied_ || greatest <= 0) return;
      // All that come near the greatest at once, so that large programs take few rounds.
      for (const FunctionId f : order_)
        if (!is_single_[f] && (copies[f] - 1) * size(f) * 2 > greatest) is_single_[f] = true;
    }
  }

  InstanceId add(FunctionId function, InstanceId caller, InstructionId call) {
    const auto id = static_cast<InstanceId>(made_.instances_.size());
    made_.instances_.push_back(
        {function, caller, call, component_[function] != kNone, component_[function], is_single_[function]});
    made_.call_counts_.push_back(0);
    return id;
  }

  InstanceId instance_of(InstanceId caller, const Site& site) {
    if (!is_single_[site.callee]) return add(site.callee, caller, site.call);
    InstanceId& single = single_[site.callee];
    if (single == kNone) single = add(site.callee, kNone, kNone);
    return single;
  }

  void make() {
    single_.assign(program_.functions.size(), kNone);
    for (const FunctionId root : roots_) {
      const InstanceId made = add(root, kNone, kNone);
      if (is_single_[root] && single_[root] == kNone) single_[root] = made;
      ++made_.call_counts_[made];
    }
    made_.root_count_ = static_cast<std::uint32_t>(roots_.size());
    for (InstanceId i = 0; i < made_.instances_.size(); ++i)
      for (const Site& site : sites_[made_.instances_[i].function]) {
        const InstanceId target = instance_of(i, site);
        made_.targets_.emplace(std::tuple(i, site.call, site.callee), target);
        ++made_.call_counts_[target];
      }
  }

  const Program& program_;
  double max_copied_;
  Instances& made_;
  std::vector<FunctionId> roots_;
  std::vector<FunctionId> order_;
  std::vector<std::vector<Site>> sites_;  ///< by function
  std::vector<bool> is_single_;
  std::vector<std::uint32_t> component_;
  std::vector<InstanceId> single_;  ///< by function
};

Instances::Instances(const Program& program, const program::CallGraph& calls, const Options& options) {
  INVARIANT(program.entry != kNone, "a program that is flattened should have an entry");
  InstanceMaker(program, calls, options, *this);
}

InstanceId Instances::target(InstanceId caller, InstructionId call, FunctionId callee) const {
  const auto found = targets_.find(std::tuple(caller, call, callee));
  return found == targets_.end() ? kNone : found->second;
}

}  // namespace plumb::flatten
