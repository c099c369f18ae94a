#include "lang/prism/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace plumb::prism {
namespace {

using chain::Formula;
using chain::FormulaPtr;
using Kind = Formula::Kind;

struct FilterName {
  std::string_view name;
  Formula::FilterKind kind;
};
using FilterKind = Formula::FilterKind;
constexpr FilterName kFilters[] = {
    {"min", FilterKind::Min},       {"max", FilterKind::Max},           {"avg", FilterKind::Average},
    {"sum", FilterKind::Sum},       {"count", FilterKind::Count},       {"first", FilterKind::First},
    {"range", FilterKind::Range},   {"forall", FilterKind::ForAll},     {"exists", FilterKind::Exists},
    {"print", FilterKind::Print},   {"printall", FilterKind::PrintAll}, {"argmin", FilterKind::ArgMin},
    {"argmax", FilterKind::ArgMax}, {"state", FilterKind::State},       {"+", FilterKind::Sum},
    {"&", FilterKind::ForAll},      {"|", FilterKind::Exists},
};

/// Only over the model's variables: no label, no operator of properties below.
bool is_plain(const Node& node) {
  return node.kind <= Node::Kind::Function && node.kind != Node::Kind::Label &&
         std::ranges::all_of(node.operands, [](const NodePtr& operand) { return is_plain(*operand); });
}

class Formulas {
 public:
  Formulas(const std::vector<const Source*>& sources, const chain::Model& model, Elaborator& elaborator)
      : model_(model), elaborator_(elaborator) {
    for (const Source* source : sources)
      for (const Definition& label : source->labels) add_label(label);
    for (const Source* source : sources)
      for (const PropertyNode& property : source->properties) add_property(property);
  }

  FormulaPtr make(const Node& node) {
    auto result = std::make_unique<Formula>();
    result->location = node.location;
    if (is_plain(node)) {
      result->kind = Kind::Condition;
      result->expression = elaborator_.compile(node);
      return result;
    }
    switch (node.kind) {
      case Node::Kind::Label:
        make_label(node, *result);
        break;
      case Node::Kind::Unary:
      case Node::Kind::Binary:
        make_operator(node, *result);
        break;
      case Node::Kind::Choice:
        result->kind = Kind::Arithmetic;
        result->op = chain::Op::IfThenElse;
        for (const NodePtr& operand : node.operands) result->operands.push_back(make(*operand));
        break;
      case Node::Kind::Function:
        return make_function(node);
      case Node::Kind::Probability:
      case Node::Kind::SteadyState:
        result->kind = node.kind == Node::Kind::Probability ? Kind::Probability : Kind::SteadyState;
        make_query(node, *result);
        result->operands.push_back(make(*node.operands[0]));
        break;
      case Node::Kind::Reward:
        make_reward(node, *result);
        break;
      case Node::Kind::Filter:
        make_filter(node, *result);
        break;
      case Node::Kind::Path:
        make_path(node, *result);
        break;
      case Node::Kind::Cumulative:
      case Node::Kind::Instantaneous:
        result->kind = node.kind == Node::Kind::Cumulative ? Kind::Cumulative : Kind::Instantaneous;
        make_time(node, *result);
        break;
      case Node::Kind::SteadyReward:
        result->kind = Kind::SteadyReward;
        break;
      default:
        INVARIANT(false, "what is no plain expression should be one of these");
    }
    return result;
  }

 private:
  /// What a name in quotes stands for: a label of the file or a property.
  struct Named {
    const Node* value;
    bool is_open = false;  ///< being made
  };

  bool is_label_of_model(const std::string& name) const {
    return name == "init" || name == "deadlock" ||
           std::ranges::find(model_.labels, name, &chain::Label::name) != model_.labels.end();
  }
  void add_label(const Definition& label) {
    const std::string& name = label.name.text;
    if (name == "init" || name == "deadlock")
      throw UserError(label.name.location, fmt::format("label \"{}\" has a meaning of its own", name),
                      "choose another name");
    if (is_label_of_model(name) || !named_.try_emplace(name, Named{label.value.get()}).second)
      throw UserError(label.name.location, fmt::format("there are two labels called \"{}\"", name));
  }
  void add_property(const PropertyNode& property) {
    if (property.name.empty()) return;
    if (!properties_.insert(property.name).second)
      throw UserError(property.location, fmt::format("there are two properties called \"{}\"", property.name));
    // Of a label and a property of one name, the label is meant.
    if (!is_label_of_model(property.name)) named_.try_emplace(property.name, Named{property.value.get()});
  }

  void make_label(const Node& node, Formula& into) {
    if (is_label_of_model(node.text)) {
      into.kind = Kind::Label;
      into.name = node.text;
      return;
    }
    const auto found = named_.find(node.text);
    if (found == named_.end()) throw UserError(node.location, fmt::format("there is no label \"{}\"", node.text));
    if (found->second.is_open) throw UserError(node.location, fmt::format("\"{}\" depends on itself", node.text));
    found->second.is_open = true;
    into = std::move(*make(*found->second.value));
    found->second.is_open = false;
  }

  void make_operator(const Node& node, Formula& into) {
    struct Sign {
      std::string_view text;
      Kind kind;
      chain::Op op;
    };
    using chain::Op;
    static constexpr Sign kSigns[] = {
        {"!", Kind::Not, Op::Not},
        {"&", Kind::And, Op::And},
        {"|", Kind::Or, Op::Or},
        {"=>", Kind::Implies, Op::Or},
        {"<=>", Kind::Iff, Op::Equal},
        {"+", Kind::Arithmetic, Op::Add},
        {"-", Kind::Arithmetic, Op::Subtract},
        {"*", Kind::Arithmetic, Op::Multiply},
        {"/", Kind::Arithmetic, Op::Divide},
        {"<", Kind::Arithmetic, Op::Less},
        {"<=", Kind::Arithmetic, Op::LessEqual},
        {"=", Kind::Arithmetic, Op::Equal},
        {">", Kind::Arithmetic, Op::Less},
        {">=", Kind::Arithmetic, Op::LessEqual},
        {"!=", Kind::Arithmetic, Op::Equal},
    };
    const auto sign = std::ranges::find(kSigns, node.text, &Sign::text);
    INVARIANT(sign != std::end(kSigns), "an operator of properties should be one of these");
    into.kind = sign->kind;
    into.op = node.kind == Node::Kind::Unary && node.text == "-" ? Op::Negate : sign->op;
    for (const NodePtr& operand : node.operands) into.operands.push_back(make(*operand));
    if (node.text == ">" || node.text == ">=") std::swap(into.operands[0], into.operands[1]);
    if (node.text == "!=") {
      auto equal = std::make_unique<Formula>(std::move(into));
      into = Formula{};
      into.kind = Kind::Not;
      into.location = node.location;
      into.operands.push_back(std::move(equal));
    }
  }

  FormulaPtr make_function(const Node& node) {
    if (node.text != "min" && node.text != "max")
      throw Unsupported(node.location, fmt::format("'{}' of the value of a property is not supported", node.text),
                        "+, -, *, /, min, max, ?: and comparisons are");
    FormulaPtr result = make(*node.operands[0]);
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      auto both = std::make_unique<Formula>();
      both->kind = Kind::Arithmetic;
      both->location = node.location;
      both->op = node.text == "min" ? chain::Op::Min : chain::Op::Max;
      both->operands.push_back(std::move(result));
      both->operands.push_back(make(*node.operands[i]));
      result = std::move(both);
    }
    return result;
  }

  void make_query(const Node& node, Formula& into) {
    into.query.direction = node.query->direction;
    if (node.query->comparison.empty()) return;
    using chain::Comparison;
    const std::string& sign = node.query->comparison;
    into.query.comparison = sign == "<"    ? Comparison::Less
                            : sign == "<=" ? Comparison::LessEqual
                            : sign == ">"  ? Comparison::Greater
                                           : Comparison::GreaterEqual;
    const chain::Expression bound = elaborator_.real(*node.query->bound, "a bound");
    const chain::ExpressionPool& pool = model_.expressions;
    into.query.bound = pool[bound].real;
    if (pool.is_exact()) into.query.exact_bound = pool.fraction(bound);
    const bool is_probability = pool.is_exact() ? !into.query.exact_bound->is_negative() && *into.query.exact_bound <= 1
                                                : into.query.bound >= 0 && into.query.bound <= 1;
    if (node.kind != Node::Kind::Reward && !is_probability)
      throw UserError(node.query->bound->location, fmt::format("a bound on a probability is {}", into.query.bound));
  }

  void make_reward(const Node& node, Formula& into) {
    into.kind = Kind::Reward;
    make_query(node, into);
    if (model_.rewards.empty()) throw UserError(node.location, "the model has no rewards");
    if (node.operands.size() > 1) {
      const Node& which = *node.operands[1];
      if (which.kind == Node::Kind::Label) {
        const auto found = std::ranges::find(model_.rewards, which.text, &chain::RewardStructure::name);
        if (found == model_.rewards.end())
          throw UserError(which.location, fmt::format("there is no reward structure \"{}\"", which.text));
        into.reward = static_cast<std::uint32_t>(found - model_.rewards.begin());
      } else {
        const std::int64_t index = elaborator_.integer(which, "the number of a reward structure");
        if (index < 1 || index > static_cast<std::int64_t>(model_.rewards.size()))
          throw UserError(which.location,
                          fmt::format("there is no reward structure {}; there are {}", index, model_.rewards.size()));
        into.reward = static_cast<std::uint32_t>(index - 1);
      }
    }
    into.name = model_.rewards[into.reward].name;
    FormulaPtr what = make(*node.operands[0]);
    const bool is_path =
        what->kind != Kind::Cumulative && what->kind != Kind::Instantaneous && what->kind != Kind::SteadyReward;
    if (is_path) {
      auto reach = std::make_unique<Formula>();
      reach->kind = Kind::ReachReward;
      reach->location = what->location;
      reach->operands.push_back(std::move(what));
      what = std::move(reach);
    }
    into.operands.push_back(std::move(what));
  }

  void make_filter(const Node& node, Formula& into) {
    const auto found = std::ranges::find(kFilters, node.text, &FilterName::name);
    if (found == std::end(kFilters)) throw UserError(node.location, fmt::format("there is no filter '{}'", node.text));
    into.kind = Kind::Filter;
    into.filter = found->kind;
    for (const NodePtr& operand : node.operands) into.operands.push_back(make(*operand));
  }

  void make_path(const Node& node, Formula& into) {
    const std::string& sign = node.text;
    into.kind = sign == "X"   ? Kind::Next
                : sign == "U" ? Kind::Until
                : sign == "F" ? Kind::Finally
                : sign == "G" ? Kind::Globally
                : sign == "W" ? Kind::WeakUntil
                              : Kind::Release;
    make_time(node, into);
    for (const NodePtr& operand : node.operands) into.operands.push_back(make(*operand));
  }

  void make_time(const Node& node, Formula& into) {
    if (!node.time) return;
    chain::TimeBound time;
    time.high = std::numeric_limits<double>::infinity();
    time.low_is_strict = node.time->low_is_strict;
    time.high_is_strict = node.time->high_is_strict;
    if (node.time->low) time.low = time_bound(*node.time->low);
    if (node.time->high) time.high = time_bound(*node.time->high);
    if (!(time.low >= 0) || !(time.high >= time.low))
      throw UserError(node.location, fmt::format("the time bound [{}, {}] is no interval", time.low, time.high));
    into.time = time;
  }

  double time_bound(const Node& node) {
    const chain::Expression bound = elaborator_.real(node, "a time bound");
    constexpr double kMost = 1e15;  // up to which doubles have all whole numbers
    const double time = model_.expressions[bound].real;
    if (model_.kind == chain::Kind::Ctmc || !std::isfinite(time)) return time;
    if (!model_.expressions.fraction(bound).is_integer() || time > kMost)
      throw UserError(node.location, "a bound on steps should be a whole number, and not beyond 10^15");
    return time;
  }

  const chain::Model& model_;
  Elaborator& elaborator_;
  std::map<std::string, Named> named_;
  std::set<std::string> properties_;  ///< their names
};

}  // namespace

std::vector<chain::Property> make_properties(const std::vector<const Source*>& sources, const std::vector<bool>* wanted,
                                             const chain::Model& model, Elaborator& elaborator) {
  Formulas formulas(sources, model, elaborator);
  std::vector<chain::Property> result;
  std::size_t position = 0;
  for (const Source* source : sources)
    for (const PropertyNode& node : source->properties)
      if (const std::size_t i = position++; !wanted || wanted->at(i))
        result.push_back({node.name, node.text, node.location, formulas.make(*node.value)});
  return result;
}

}  // namespace plumb::prism
