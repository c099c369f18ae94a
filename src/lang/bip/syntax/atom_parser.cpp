#include <fmt/format.h>

#include "lang/bip/syntax/package_parser.h"

namespace plumb::bip {

void PackageParser::atom_type() {
  tokens_.expect("atom");
  tokens_.expect("type");
  AtomType atom;
  atom.name = statements_.simple_name("an atom type");
  atom.parameters = parameters();
  while (!is_ended("atom type", atom.name)) atom_item(atom);
  package_.atom_types.push_back(std::move(atom));
}

void PackageParser::atom_item(AtomType& atom) {
  const bool is_exported = tokens_.accept("export");
  if (tokens_.is("data")) return data(atom.data, is_exported);
  if (tokens_.is("port")) return ports(atom.ports, is_exported);
  if (is_exported) tokens_.fail_expected("'data' or 'port' behind 'export'");
  if (tokens_.is("place") || tokens_.is("places")) return places(atom);
  if (tokens_.is("initial")) return initial(atom);
  if (tokens_.is("on") || tokens_.is("internal")) return transition(atom);
  if (tokens_.is("priority")) return atom_priority(atom);
  fail_item("atom type", atom.name);
}

void PackageParser::places(AtomType& atom) {
  tokens_.next();
  do atom.places.push_back(statements_.simple_name("a place"));
  while (tokens_.accept(","));
}

void PackageParser::initial(AtomType& atom) {
  const Token keyword = tokens_.expect("initial");
  if (!atom.initial_place.text.empty())
    tokens_.fail(keyword.place, fmt::format("atom type '{}' has two initial transitions", atom.name.text),
                 fmt::format("the first is in line {}; leave one", atom.initial_place.place.line));
  tokens_.expect("to", "behind 'initial'");
  atom.initial_place = statements_.simple_name("a place");
  fail_petri_net();
  if (tokens_.is("provided"))
    tokens_.fail(tokens_.peek().place, "an initial transition has no guard", "leave out 'provided'");
  if (tokens_.accept("do")) atom.initial_action = statements_.braced_block();
}

void PackageParser::fail_petri_net() {
  if (!tokens_.is(",")) return;
  throw Unsupported(tokens_.location(tokens_.peek().place),
                    "Petri nets, with several places in 'from' or 'to', are not supported",
                    "make the atom an automaton, with a place for each marking");
}

void PackageParser::transition(AtomType& atom) {
  Transition transition;
  const Token keyword = tokens_.next();
  transition.place = keyword.place;
  if (keyword.is("on")) transition.port = statements_.simple_name("a port");
  tokens_.expect("from", "in the transition", "'on PORT from PLACE to PLACE' or 'internal from PLACE to PLACE'");
  transition.from = statements_.simple_name("a place");
  fail_petri_net();
  tokens_.expect("to", "in the transition");
  transition.to = statements_.simple_name("a place");
  fail_petri_net();
  if (tokens_.accept("provided")) transition.guard = statements_.guard();
  if (tokens_.accept("do")) transition.action = statements_.braced_block();
  if (tokens_.is("provided"))
    tokens_.fail(tokens_.peek().place,
                 transition.guard ? "this transition has two guards" : "the guard stands before the action",
                 transition.guard ? "join them with '&&'" : "write 'provided (…) do {…}'");
  atom.transitions.push_back(std::move(transition));
}

void PackageParser::atom_priority(AtomType& atom) {
  tokens_.expect("priority");
  AtomPriority priority;
  priority.name = statements_.simple_name("a priority");
  if (tokens_.accept("provided")) priority.guard = statements_.guard();
  const auto side = [this]() -> std::optional<Name> {
    if (tokens_.accept("*")) return std::nullopt;
    return statements_.simple_name("a port");
  };
  const Place place = tokens_.peek().place;
  priority.low = side();
  tokens_.expect("<", "in the priority", "'priority NAME LOW < HIGH': the port with less priority is on the left");
  priority.high = side();
  if (!priority.low && !priority.high)
    tokens_.fail(place, "'*' stands on both sides of the priority", "name a port on one side");
  optional_guard(priority.guard);
  atom.priorities.push_back(std::move(priority));
}

/// Behind a rule of priority, which may have had it before.
void PackageParser::optional_guard(ExpressionPtr& guard) {
  if (!tokens_.is("provided")) return;
  if (guard) tokens_.fail(tokens_.peek().place, "this priority has two guards", "join them with '&&'");
  tokens_.next();
  guard = statements_.guard();
}

}  // namespace plumb::bip
