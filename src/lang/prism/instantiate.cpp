#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/prism/elaborator.h"
#include "lang/prism/formulas.h"
#include "lang/prism/prism.h"

namespace plumb::prism {
namespace {

using chain::Model;

/// Makes a model of its source: modules with their renamings taken apart, then everything with constants in place.
class Instantiation {
 public:
  Instantiation(const Source& model, const std::vector<const Source*>& properties,
                const std::map<std::string, std::string>& given, Arithmetic arithmetic)
      : source_(model),
        properties_(properties),
        model_(empty_model(arithmetic)),
        elaborator_(sources(model, properties), given, model_.expressions) {
    model_.kind = model.kind;
  }

  Instance run(const std::map<std::string, std::string>& given, const std::vector<bool>* wanted) {
    for (const VariableDeclaration& global : source_.globals) add_variable(global, nullptr, ~std::uint32_t{0});
    for (const ModuleNode& module : source_.modules) add_module(module);
    for (const Part& part : parts_) set_ranges(part);
    for (const Part& part : parts_) add_commands(part);
    add_initial();
    if (source_.composition) add_composition(*source_.composition);
    add_rewards();
    add_labels();
    Instance instance;
    instance.properties = make_properties(properties_, wanted, model_, elaborator_);
    instance.model = std::move(model_);
    instance.constants.assign(given.begin(), given.end());
    instance.notes = elaborator_.notes();
    return instance;
  }

 private:
  /// A module, or the one that it is made from with its renaming.
  struct Part {
    const ModuleNode* body;
    Renaming renaming;
    std::string name;
  };

  static Model empty_model(Arithmetic arithmetic) {
    Model model;
    model.expressions = chain::ExpressionPool(arithmetic);
    return model;
  }
  static std::vector<const Source*> sources(const Source& model, const std::vector<const Source*>& properties) {
    std::vector<const Source*> result{&model};
    result.insert(result.end(), properties.begin(), properties.end());
    return result;
  }

  Part part_of(const ModuleNode& module, std::size_t depth) const;
  void add_module(const ModuleNode& module);
  void add_variable(const VariableDeclaration& declaration, const Renaming* renaming, std::uint32_t component);
  void set_ranges(const Part& part);
  void set_range(const VariableDeclaration& declaration, const std::string& name, const Renaming* renaming);
  void add_commands(const Part& part);
  chain::Command command(const CommandNode& node, const Part& part, std::uint32_t component);
  chain::Assignment assignment(const UpdateNode& node, const Part& part, std::uint32_t component);
  chain::Action action(const std::string& name);
  std::uint32_t add_composition(const SystemNode& node);
  void add_initial();
  void add_rewards();
  void add_labels();
  static std::string renamed(const std::string& name, const Renaming& renaming) {
    const auto found = renaming.find(name);
    return found == renaming.end() ? name : found->second;
  }

  const Source& source_;
  const std::vector<const Source*>& properties_;
  Model model_;
  Elaborator elaborator_;
  std::vector<Part> parts_;
  std::map<std::string, std::uint32_t> places_;  ///< of variables
  std::map<std::string, chain::Action> actions_;
};

chain::Action Instantiation::action(const std::string& name) {
  if (name.empty()) return 0;
  const auto [place, is_new] = actions_.try_emplace(name, static_cast<chain::Action>(model_.actions.size()));
  if (is_new) model_.actions.push_back(name);
  return place->second;
}

void Instantiation::add_variable(const VariableDeclaration& declaration, const Renaming* renaming,
                                 std::uint32_t component) {
  Identifier name = declaration.name;
  if (renaming) {
    name.text = renamed(name.text, *renaming);
    if (name.text == declaration.name.text)
      throw UserError(source_.modules[component].name.location,
                      fmt::format("variable '{}' of the module that this one is made from is not renamed", name.text));
  }
  if (declaration.is_unbounded)
    throw UserError(declaration.name.location, fmt::format("variable '{}' has no range", declaration.name.text),
                    "write [low..high] instead of int");
  chain::Variable variable;
  variable.name = name.text;
  variable.type = declaration.is_bool ? Type::Bool : Type::Int;
  variable.component = component;
  variable.location = declaration.name.location;
  const auto position = static_cast<std::uint32_t>(model_.variables.size());
  elaborator_.add_variable(name, variable.type, position);
  places_[name.text] = position;
  model_.variables.push_back(std::move(variable));
}

Instantiation::Part Instantiation::part_of(const ModuleNode& module, std::size_t depth) const {
  if (!module.base) return {&module, {}, module.name.text};
  const auto base =
      std::ranges::find(source_.modules, module.base->text, [](const ModuleNode& m) { return m.name.text; });
  if (base == source_.modules.end())
    throw UserError(module.base->location, fmt::format("there is no module '{}'", module.base->text));
  if (depth > source_.modules.size())
    throw UserError(module.base->location, fmt::format("module '{}' is made from itself", module.name.text));
  Part part = part_of(*base, depth + 1);
  part.name = module.name.text;
  Renaming renaming;
  for (const auto& [from, to] : module.renaming)
    if (!renaming.emplace(from.text, to.text).second)
      throw UserError(from.location, fmt::format("'{}' is renamed twice", from.text));
  for (auto& [from, to] : part.renaming) to = renamed(to, renaming);
  part.renaming.merge(renaming);  // the base's own renamings come first
  return part;
}

void Instantiation::add_module(const ModuleNode& module) {
  Part part = part_of(module, 0);
  for (const Part& other : parts_)
    if (other.name == part.name)
      throw UserError(module.name.location, fmt::format("there are two modules called '{}'", part.name));
  const auto component = static_cast<std::uint32_t>(parts_.size());
  parts_.push_back(std::move(part));
  const Part& added = parts_.back();
  for (const VariableDeclaration& variable : added.body->variables)
    add_variable(variable, module.base ? &added.renaming : nullptr, component);
}

void Instantiation::set_range(const VariableDeclaration& declaration, const std::string& name,
                              const Renaming* renaming) {
  chain::Variable& variable = model_.variables[places_.at(name)];
  if (variable.type == Type::Bool) {
    variable.high = 1;
    if (declaration.initial) {
      const Expression value = elaborator_.compile(*declaration.initial, Type::Bool, "an initial value", renaming);
      if (!model_.expressions.is_constant(value))
        throw UserError(declaration.initial->location, "an initial value should be constant");
      variable.initial = model_.expressions[value].integer;
    }
  } else {
    variable.low = elaborator_.integer(*declaration.low, "the end of a range", renaming);
    variable.high = elaborator_.integer(*declaration.high, "the end of a range", renaming);
    if (variable.low > variable.high)
      throw UserError(declaration.low->location,
                      fmt::format("the range of '{}' is empty: {}..{}", name, variable.low, variable.high));
    variable.initial =
        declaration.initial ? elaborator_.integer(*declaration.initial, "an initial value", renaming) : variable.low;
    if (variable.initial < variable.low || variable.initial > variable.high)
      throw UserError(declaration.initial->location, fmt::format("the initial value {} of '{}' is outside of [{}..{}]",
                                                                 variable.initial, name, variable.low, variable.high));
  }
  if (declaration.initial && source_.initial)
    throw UserError(declaration.initial->location, "an initial value stands beside init … endinit", "use one of them");
}

void Instantiation::set_ranges(const Part& part) {
  if (&part == &parts_.front())
    for (const VariableDeclaration& global : source_.globals) set_range(global, global.name.text, nullptr);
  for (const VariableDeclaration& variable : part.body->variables)
    set_range(variable, renamed(variable.name.text, part.renaming), &part.renaming);
}

chain::Assignment Instantiation::assignment(const UpdateNode& node, const Part& part, std::uint32_t component) {
  const std::string name = renamed(node.variable.text, part.renaming);
  const auto place = places_.find(name);
  if (place == places_.end()) throw UserError(node.variable.location, fmt::format("there is no variable '{}'", name));
  const chain::Variable& variable = model_.variables[place->second];
  if (variable.component != component && variable.component != ~std::uint32_t{0})
    throw UserError(node.variable.location, fmt::format("'{}' belongs to module '{}', which alone may assign it", name,
                                                        parts_[variable.component].name));
  const Expression value = elaborator_.compile(*node.value, variable.type, "the new value", &part.renaming);
  return {place->second, value, node.variable.location};
}

chain::Command Instantiation::command(const CommandNode& node, const Part& part, std::uint32_t component) {
  chain::Command result;
  result.action = action(renamed(node.action.text, part.renaming));
  result.guard = elaborator_.compile(*node.guard, Type::Bool, "a guard", &part.renaming);
  result.location = node.location;
  for (const AlternativeNode& alternative : node.alternatives) {
    chain::Alternative into;
    into.location = alternative.location;
    const char* what = model_.kind == chain::Kind::Ctmc ? "a rate" : "a probability";
    into.weight = alternative.weight ? elaborator_.compile(*alternative.weight, Type::Double, what, &part.renaming)
                                     : model_.expressions.real(1);
    std::set<std::uint32_t> assigned;
    for (const UpdateNode& update : alternative.updates) {
      into.assignments.push_back(assignment(update, part, component));
      if (!assigned.insert(into.assignments.back().variable).second)
        throw UserError(update.variable.location, fmt::format("'{}' is assigned twice", update.variable.text));
    }
    result.alternatives.push_back(std::move(into));
  }
  return result;
}

void Instantiation::add_commands(const Part& part) {
  const auto component = static_cast<std::uint32_t>(model_.components.size());
  chain::Component result;
  result.name = part.name;
  for (const CommandNode& node : part.body->commands) result.commands.push_back(command(node, part, component));
  model_.components.push_back(std::move(result));
}

void Instantiation::add_initial() {
  if (!source_.initial) return;
  model_.initial = elaborator_.compile(*source_.initial, Type::Bool, "the condition of the initial states");
  model_.initial_location = source_.initial->location;
}

std::uint32_t Instantiation::add_composition(const SystemNode& node) {
  chain::Composition result;
  result.kind = node.kind;
  for (const auto& operand : node.operands) result.operands.push_back(add_composition(*operand));
  if (node.kind == chain::Composition::Kind::Leaf) {
    const auto part = std::ranges::find(parts_, node.module.text, &Part::name);
    if (part == parts_.end())
      throw UserError(node.module.location, fmt::format("there is no module '{}'", node.module.text));
    result.component = static_cast<std::uint32_t>(part - parts_.begin());
  }
  for (const Identifier& name : node.actions) result.actions.push_back(action(name.text));
  for (const Identifier& name : node.renamed) result.renamed.push_back(action(name.text));
  model_.composition.push_back(std::move(result));
  return static_cast<std::uint32_t>(model_.composition.size() - 1);
}

void Instantiation::add_rewards() {
  for (const RewardsNode& node : source_.rewards) {
    chain::RewardStructure structure;
    structure.name = node.name;
    for (const chain::RewardStructure& other : model_.rewards)
      if (!node.name.empty() && other.name == node.name)
        throw UserError(node.location, fmt::format("there are two reward structures called \"{}\"", node.name));
    for (const RewardItemNode& item : node.items) {
      chain::RewardItem into;
      into.guard = elaborator_.compile(*item.guard, Type::Bool, "the condition of a reward");
      into.value = elaborator_.compile(*item.value, Type::Double, "a reward");
      if (item.is_transition) into.action = action(item.action);
      into.location = item.location;
      structure.items.push_back(std::move(into));
    }
    model_.rewards.push_back(std::move(structure));
  }
}

void Instantiation::add_labels() {
  std::set<std::string> names;
  for (const Definition& label : source_.labels) {
    if (label.name.text == "init" || label.name.text == "deadlock")
      throw UserError(label.name.location, fmt::format("label \"{}\" has a meaning of its own", label.name.text),
                      "choose another name");
    if (!names.insert(label.name.text).second)
      throw UserError(label.name.location, fmt::format("there are two labels called \"{}\"", label.name.text));
    model_.labels.push_back({label.name.text, elaborator_.compile(*label.value, Type::Bool, "a label")});
  }
}

}  // namespace

std::vector<std::string> open_constants(const Source& source) {
  std::vector<std::string> result;
  for (const ConstantDeclaration& constant : source.constants)
    if (!constant.value) result.push_back(constant.name.text);
  return result;
}

Instance instantiate(const Source& model, const std::vector<const Source*>& properties,
                     const std::map<std::string, std::string>& constants, const std::vector<bool>* wanted,
                     Arithmetic arithmetic) {
  return Instantiation(model, properties, constants, arithmetic).run(constants, wanted);
}

Instance instantiate(const Source& model, const Source* properties, const std::map<std::string, std::string>& constants,
                     Arithmetic arithmetic) {
  const std::vector<const Source*> sources(properties ? 1 : 0, properties);
  return instantiate(model, sources, constants, nullptr, arithmetic);
}

}  // namespace plumb::prism
