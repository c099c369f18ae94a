#include <fmt/format.h>

#include "lang/prism/parser.h"
#include "lang/prism/prism.h"

namespace plumb::prism {
namespace {

constexpr std::string_view kUnsupportedKinds[] = {"pta", "pomdp", "popta", "smg", "csg", "idtmc", "imdp"};

}  // namespace

Source ModelParser::parse() {
  Source source;
  bool has_kind = false;
  while (!at_end()) {
    for (const std::string_view word : kUnsupportedKinds)
      if (peek().is(word))
        throw Unsupported(here(), fmt::format("models of type {} are not supported", word), "use dtmc, ctmc or mdp");
    const bool is_kind = peek().is("dtmc") || peek().is("ctmc") || peek().is("mdp") || peek().is("probabilistic") ||
                         peek().is("stochastic") || peek().is("nondeterministic");
    if (!is_kind) {
      declaration(source);
      continue;
    }
    if (has_kind) tokens_.fail(cursor_, "the model's type is given twice");
    source.kind = kind();
    has_kind = true;
  }
  if (!has_kind) tokens_.fail(0, "the model has no type", "begin it with dtmc, ctmc or mdp");
  if (source.modules.empty()) tokens_.fail(cursor_, "the model has no module");
  return source;
}

chain::Kind ModelParser::kind() {
  const std::string_view word = next().text;
  if (word == "dtmc" || word == "probabilistic") return chain::Kind::Dtmc;
  return word == "ctmc" || word == "stochastic" ? chain::Kind::Ctmc : chain::Kind::Mdp;
}

void ModelParser::declaration(Source& source) {
  if (peek().is("const")) {
    source.constants.push_back(constant());
  } else if (peek().is("rate") || peek().is("prob")) {
    tokens_.fail(cursor_, fmt::format("expected 'const' before '{}'", peek().text));
  } else if (accept("global")) {
    source.globals.push_back(variable());
  } else if (accept("formula")) {
    source.formulas.push_back(formula());
  } else if (peek().is("label")) {
    source.labels.push_back(label());
  } else if (peek().is("module")) {
    source.modules.push_back(module());
  } else if (peek().is("rewards")) {
    source.rewards.push_back(rewards());
  } else if (peek().is("init")) {
    if (source.initial) tokens_.fail(cursor_, "the initial states are given twice");
    ++cursor_;
    source.initial = expression();
    expect("endinit");
  } else if (peek().is("system")) {
    if (source.composition) tokens_.fail(cursor_, "the composition is given twice");
    ++cursor_;
    source.composition = composition();
    expect("endsystem");
  } else if (peek().is("invariant") || peek().is("observables") || peek().is("observable")) {
    throw Unsupported(
        here(), fmt::format("'{}' belongs to models of timed or partially observable kind, which are not supported",
                            peek().text));
  } else {
    fail_expected("a declaration (const, global, formula, label, module, rewards, init or system)");
  }
}

VariableDeclaration ModelParser::variable() {
  VariableDeclaration result;
  result.name = expect_name("a variable's name");
  expect(":");
  if (accept("bool")) {
    result.is_bool = true;
  } else if (peek().is("int")) {
    result.is_unbounded = true;
    ++cursor_;
  } else if (peek().is("clock")) {
    throw Unsupported(here(), "clocks belong to timed automata, which are not supported");
  } else {
    expect("[");
    result.low = expression();
    expect("..");
    result.high = expression();
    expect("]");
  }
  if (accept("init")) result.initial = expression();
  expect(";");
  return result;
}

ModuleNode ModelParser::module() {
  expect("module");
  ModuleNode result;
  result.name = expect_name("a module's name");
  if (accept("=")) {
    result.base = expect_name("a module's name");
    expect("[");
    do {
      Identifier from = expect_name("a name");
      expect("=");
      result.renaming.emplace_back(std::move(from), expect_name("a name"));
    } while (accept(","));
    expect("]");
    expect("endmodule");
    return result;
  }
  // A reserved word before ':' is meant as a variable, and refused as one.
  while (peek().kind == Token::Kind::Name || (peek().kind == Token::Kind::Keyword && peek(1).is(":")))
    result.variables.push_back(variable());
  if (peek().is("invariant")) throw Unsupported(here(), "invariants belong to timed automata, which are not supported");
  while (peek().is("[")) result.commands.push_back(command());
  if (!accept("endmodule"))
    fail_expected(result.commands.empty() ? "a variable, a command or 'endmodule'" : "a command or 'endmodule'");
  return result;
}

CommandNode ModelParser::command() {
  CommandNode result;
  result.location = here();
  expect("[");
  if (!peek().is("]")) result.action = expect_name("an action's name");
  expect("]");
  if (peek().is("->"))
    tokens_.fail(cursor_, "expected a guard, found '->'", "write true for a command that is always enabled");
  result.guard = expression();
  expect("->");
  do result.alternatives.push_back(alternative());
  while (accept("+"));
  expect(";");
  return result;
}

AlternativeNode ModelParser::alternative() {
  AlternativeNode result;
  result.location = here();
  // An update begins with (name' or is true; anything else is a weight.
  const bool is_update = (peek().is("(") && peek(1).kind == Token::Kind::Name && peek(2).is("'")) ||
                         (peek().is("true") && (peek(1).is(";") || peek(1).is("+")));
  if (!is_update) {
    result.weight = expression();
    expect(":");
  }
  result.updates = updates();
  return result;
}

std::vector<UpdateNode> ModelParser::updates() {
  std::vector<UpdateNode> result;
  if (accept("true")) return result;
  do {
    expect("(");
    UpdateNode update{expect_name("a variable's name"), nullptr};
    expect("'");
    expect("=");
    update.value = expression();
    expect(")");
    result.push_back(std::move(update));
  } while (accept("&"));
  return result;
}

RewardsNode ModelParser::rewards() {
  RewardsNode result;
  result.location = here();
  expect("rewards");
  if (peek().kind == Token::Kind::Quoted) result.name = next().text;
  while (!accept("endrewards")) {
    RewardItemNode item;
    item.location = here();
    if (accept("[")) {
      item.is_transition = true;
      if (!peek().is("]")) item.action = expect_name("an action's name").text;
      expect("]");
    }
    item.guard = expression();
    expect(":");
    item.value = expression();
    expect(";");
    result.items.push_back(std::move(item));
  }
  return result;
}

std::vector<Identifier> ModelParser::action_list(std::string_view close) {
  std::vector<Identifier> result;
  do result.push_back(expect_name("an action's name"));
  while (accept(","));
  expect(close);
  return result;
}

// || binds least, then |||, then |[..]|.
std::unique_ptr<SystemNode> ModelParser::composition() {
  const Nesting nesting(*this);
  std::unique_ptr<SystemNode> left = interleaving();
  while (peek().is("|") && peek(1).is("|")) {
    cursor_ += 2;
    left = composed(chain::Composition::Kind::Full, {}, std::move(left), interleaving());
  }
  if (peek().is("|")) fail_expected("'||', '|||' or '|['");
  return left;
}

std::unique_ptr<SystemNode> ModelParser::interleaving() {
  std::unique_ptr<SystemNode> left = synchronisation();
  while (peek().is("|") && peek(1).is("|") && peek(2).is("|")) {
    cursor_ += 3;
    left = composed(chain::Composition::Kind::Interleaved, {}, std::move(left), synchronisation());
  }
  return left;
}

std::unique_ptr<SystemNode> ModelParser::synchronisation() {
  std::unique_ptr<SystemNode> left = composition_factor();
  while (peek().is("|") && peek(1).is("[")) {
    cursor_ += 2;
    std::vector<Identifier> actions = action_list("]");
    expect("|");
    left = composed(chain::Composition::Kind::On, std::move(actions), std::move(left), composition_factor());
  }
  return left;
}

std::unique_ptr<SystemNode> ModelParser::composed(chain::Composition::Kind kind, std::vector<Identifier> actions,
                                                  std::unique_ptr<SystemNode> left, std::unique_ptr<SystemNode> right) {
  auto node = std::make_unique<SystemNode>();
  node->kind = kind;
  node->actions = std::move(actions);
  node->operands.push_back(std::move(left));
  node->operands.push_back(std::move(right));
  return node;
}

std::unique_ptr<SystemNode> ModelParser::composition_factor() {
  using Kind = chain::Composition::Kind;
  std::unique_ptr<SystemNode> result;
  if (accept("(")) {
    result = composition();
    expect(")");
  } else {
    result = std::make_unique<SystemNode>();
    result->module = expect_name("a module's name");
  }
  while (peek().is("/") || peek().is("{")) {
    auto node = std::make_unique<SystemNode>();
    if (accept("/")) {
      node->kind = Kind::Hide;
      expect("{");
      node->actions = action_list("}");
    } else {
      expect("{");
      node->kind = Kind::Rename;
      do {
        node->actions.push_back(expect_name("an action's name"));
        expect("<");
        expect("-");
        node->renamed.push_back(expect_name("an action's name"));
      } while (accept(","));
      expect("}");
    }
    node->operands.push_back(std::move(result));
    result = std::move(node);
  }
  return result;
}

std::shared_ptr<const Source> parse_model(std::string_view text, const std::string& file) {
  return std::make_shared<const Source>(ModelParser(text, file).parse());
}

std::shared_ptr<const Source> parse_properties(std::string_view text, const std::string& file) {
  return std::make_shared<const Source>(PropertyParser(text, file).parse());
}

}  // namespace plumb::prism
