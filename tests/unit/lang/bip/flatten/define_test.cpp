#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "unit/lang/bip/flatten/model_text.h"

namespace plumb::bip {
namespace {

/// A port expression over atoms a0, a1, …; a leaf has no members.
struct Tree {
  int atom = -1;
  bool is_trigger = false;
  std::vector<Tree> members;
};

Tree random_tree(std::mt19937& random, int& atoms, int depth) {
  Tree tree;
  tree.is_trigger = random() % 3 == 0;
  const bool is_leaf = depth == 0 || (depth < 3 && random() % 2 == 0);
  if (is_leaf) {
    tree.atom = atoms++;
    return tree;
  }
  const std::size_t count = 1 + random() % 3;
  for (std::size_t i = 0; i < count; ++i) tree.members.push_back(random_tree(random, atoms, depth - 1));
  return tree;
}

std::uint32_t atoms_of(const Tree& tree) {
  std::uint32_t mask = tree.atom >= 0 ? 1u << tree.atom : 0;
  for (const Tree& member : tree.members) mask |= atoms_of(member);
  return mask;
}

/// The rule of BIP 2 for one set of ports: what it has of each member it touches is an interaction of that member, and
/// it touches a trigger or all members.
bool is_interaction(const Tree& tree, std::uint32_t set) {
  if (tree.atom >= 0) return set == 1u << tree.atom;
  bool has_trigger = false;
  bool has_all = true;
  for (const Tree& member : tree.members) {
    const std::uint32_t part = set & atoms_of(member);
    has_all = has_all && part != 0;
    if (part == 0) continue;
    if (!is_interaction(member, part)) return false;
    has_trigger = has_trigger || member.is_trigger;
  }
  return set != 0 && (has_trigger || has_all);
}

std::set<std::uint32_t> all_interactions(const Tree& tree) {
  std::set<std::uint32_t> result;
  for (std::uint32_t set = 1; set <= atoms_of(tree); ++set)
    if ((set & ~atoms_of(tree)) == 0 && is_interaction(tree, set)) result.insert(set);
  return result;
}

std::set<std::uint32_t> interactions_in(const Model& model) {
  std::set<std::uint32_t> result;
  for (const Model::Interaction& interaction : model.interactions) {
    if (!interaction.is_executable) continue;
    std::uint32_t set = 0;
    for (const Model::PortUse& port : interaction.ports) set |= 1u << port.component;
    EXPECT_TRUE(result.insert(set).second) << interaction.name << " is there twice";
  }
  return result;
}

std::string define_text(const Tree& tree) {
  std::string text = tree.atom >= 0 ? fmt::format("x{}", tree.atom) : "(";
  for (const Tree& member : tree.members) text += " " + define_text(member);
  if (tree.atom < 0) text += " )";
  return tree.is_trigger ? text + "'" : text;
}

std::string atoms_text(int atoms) {
  std::string text;
  for (int i = 0; i < atoms; ++i) text += fmt::format("component A a{}()\n", i);
  return text;
}

std::string flat_text(const Tree& tree, int atoms) {
  std::vector<std::string> parameters;
  std::vector<std::string> ports;
  for (int i = 0; i < atoms; ++i) {
    parameters.push_back(fmt::format("Sync x{}", i));
    ports.push_back(fmt::format("a{}.p", i));
  }
  std::string define;
  for (const Tree& member : tree.members) define += " " + define_text(member);
  return with_types(fmt::format("connector type C({})\ndefine {}\nend\ncompound type Top()\n{}connector C c({})\nend",
                                fmt::join(parameters, ", "), define, atoms_text(atoms), fmt::join(ports, ", ")));
}

/// The same with a connector for each group, which those further out connect by its exported port. Returns its name.
std::string add_connector(const Tree& tree, bool is_top, std::string& types, std::string& connectors, int& count) {
  std::vector<std::string> parameters;
  std::vector<std::string> ports;
  std::string define;
  for (const Tree& member : tree.members) {
    const std::string port = fmt::format("x{}", parameters.size());
    parameters.push_back("Sync " + port);
    ports.push_back(member.atom >= 0 ? fmt::format("a{}.p", member.atom)
                                     : add_connector(member, false, types, connectors, count) + ".e");
    define += " " + port + (member.is_trigger ? "'" : "");
  }
  const int number = count++;
  types += fmt::format("connector type C{}({})\n{}define {}\nend\n", number, fmt::join(parameters, ", "),
                       is_top ? "" : "export port Sync e()\n", define);
  connectors += fmt::format("connector C{0} c{0}({1})\n", number, fmt::join(ports, ", "));
  return fmt::format("c{}", number);
}

TEST(Define, GivesTheInteractionsOfTheRuleForRandomExpressions) {
  std::mt19937 random(1);
  int done = 0;
  for (int round = 0; round < 400; ++round) {
    int atoms = 0;
    const Tree tree = random_tree(random, atoms, 3);
    if (tree.members.empty() || atoms > 8) continue;
    const std::string text = flat_text(tree, atoms);
    EXPECT_EQ(interactions_in(read_text(text)), all_interactions(tree)) << text;
    ++done;
  }
  EXPECT_GT(done, 100);
}

TEST(Define, GroupsAndConnectorsOfConnectorsAreTheSame) {
  std::mt19937 random(2);
  int done = 0;
  for (int round = 0; round < 400; ++round) {
    int atoms = 0;
    const Tree tree = random_tree(random, atoms, 3);
    if (tree.members.empty() || atoms > 8) continue;
    std::string types;
    std::string connectors;
    int count = 0;
    add_connector(tree, true, types, connectors, count);
    const std::string text =
        with_types(fmt::format("{}compound type Top()\n{}{}end", types, atoms_text(atoms), connectors));
    EXPECT_EQ(interactions_in(read_text(text)), all_interactions(tree)) << text;
    ++done;
  }
  EXPECT_GT(done, 100);
}

/// Maximal progress by its definition, over the interactions themselves.
TEST(Define, AnInteractionGivesWayToItsStrictSupersets) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    int atoms = 0;
    const Tree tree = random_tree(random, atoms, 3);
    if (tree.members.empty() || atoms > 7) continue;
    const Model model = read_text(flat_text(tree, atoms));
    std::set<std::pair<InteractionId, InteractionId>> expected;
    for (InteractionId i = 0; i < model.interactions.size(); ++i)
      for (InteractionId j = 0; j < model.interactions.size(); ++j)
        if (i != j && std::ranges::includes(model.interactions[j].ports, model.interactions[i].ports))
          expected.emplace(i, j);
    std::set<std::pair<InteractionId, InteractionId>> found;
    for (const Model::Priority& priority : model.priorities) {
      found.emplace(priority.low, priority.high);
      EXPECT_EQ(priority.place.line, 0u);
    }
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace plumb::bip
