#include "cli/prob/fingerprint.h"

#include <bit>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace plumb::cli::prob {
namespace {

/// Reads a model from front to back into two hashes. Expressions are numbered as they are met, so that their places in
/// the pool do not matter.
class Reader {
 public:
  explicit Reader(const chain::Model& model) : model_(model) {}

  Fingerprint run() {
    add(static_cast<std::uint64_t>(model_.kind));
    for (const chain::Variable& variable : model_.variables) add(variable);
    for (const chain::Component& component : model_.components) {
      add(component.name);
      for (const chain::Command& command : component.commands) add(command);
    }
    for (const chain::Composition& node : model_.composition) add(node);
    add(model_.initial);
    for (const chain::Label& label : model_.labels) {
      add(label.name);
      add(label.condition);
    }
    for (const chain::RewardStructure& rewards : model_.rewards) add(rewards);
    return hash_;
  }

 private:
  void add(std::uint64_t word) {
    // Two mixers of splitmix's kind with different constants.
    hash_[0] = mix(hash_[0] ^ word, 0xbf58476d1ce4e5b9);
    hash_[1] = mix(hash_[1] + word, 0x94d049bb133111eb);
  }
  static std::uint64_t mix(std::uint64_t x, std::uint64_t factor) {
    x = (x + 0x9e3779b97f4a7c15) * factor;
    x ^= x >> 31;
    x *= factor;
    return x ^ (x >> 29);
  }

  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }

  /// A node in front of its operands; with a stack of our own, since sums may be deep.
  void add(chain::Expression root) {
    std::vector<chain::Expression> stack{root};
    while (!stack.empty()) {
      const chain::Expression expression = stack.back();
      stack.pop_back();
      if (!expression) {
        add(std::uint64_t{0});
        continue;
      }
      const auto [place, is_new] = numbers_.try_emplace(expression.id, numbers_.size() + 1);
      add(place->second);
      if (!is_new) continue;
      const chain::ExpressionPool::Node& node = model_.expressions[expression];
      add(static_cast<std::uint64_t>(node.op) << 8 | static_cast<std::uint64_t>(node.type));
      add(node.variable);
      const bool is_fraction =
          model_.expressions.is_exact() && node.op == chain::Op::Constant && node.type == chain::Type::Double;
      if (is_fraction)  // its number depends on what came before
        add(model_.expressions.fraction(expression).to_string());
      else
        add(static_cast<std::uint64_t>(node.integer));
      add(std::bit_cast<std::uint64_t>(node.real));
      stack.insert(stack.end(), node.operands.begin(), node.operands.end());
    }
  }

  void add(const chain::Variable& variable) {
    add(variable.name);
    add(static_cast<std::uint64_t>(variable.type));
    add(static_cast<std::uint64_t>(variable.low));
    add(static_cast<std::uint64_t>(variable.high));
    add(static_cast<std::uint64_t>(variable.initial));
    add(variable.component);
  }

  void add_action(chain::Action action) { add(model_.actions[action]); }

  void add(const chain::Command& command) {
    add_action(command.action);
    add(command.guard);
    for (const chain::Alternative& alternative : command.alternatives) {
      add(alternative.weight);
      add(alternative.assignments.size());
      for (const chain::Assignment& assignment : alternative.assignments) {
        add(assignment.variable);
        add(assignment.value);
      }
    }
    add(command.alternatives.size());
  }

  void add(const chain::Composition& node) {
    add(static_cast<std::uint64_t>(node.kind));
    add(node.component);
    for (const std::uint32_t operand : node.operands) add(operand);
    for (const chain::Action action : node.actions) add_action(action);
    for (const chain::Action action : node.renamed) add_action(action);
  }

  void add(const chain::RewardStructure& rewards) {
    add(rewards.name);
    for (const chain::RewardItem& item : rewards.items) {
      add(item.guard);
      add(item.value);
      add(item.action ? std::uint64_t{1} : std::uint64_t{0});
      if (item.action) add_action(*item.action);
    }
    add(rewards.items.size());
  }

  const chain::Model& model_;
  std::unordered_map<std::uint32_t, std::uint64_t> numbers_;
  Fingerprint hash_{1, 2};
};

}  // namespace

Fingerprint fingerprint(const chain::Model& model) { return Reader(model).run(); }

}  // namespace plumb::cli::prob
