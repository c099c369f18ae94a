// A picture of a model in two parts: the components with their ports in the boxes of their compounds, with connectors
// as diamonds between them; and the automaton of each atom type. As in BIP's own pictures, an end with a bullet waits
// for others and one with a triangle is a trigger.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lang/bip/emit/dot_connectors.h"
#include "lang/bip/emit/dot_text.h"
#include "lang/bip/emit/emit.h"

namespace plumb::bip {

namespace {

using dot::Connector;
using dot::escaped;
using dot::html;
using dot::label_of;
using dot::lines;

constexpr std::size_t kLabelWidth = 30;
constexpr std::size_t kPortsInARow = 12;
constexpr std::size_t kConditions = 3;     // of a priority
constexpr std::size_t kInteractions = 20;  // in the tooltip of a connector

constexpr std::string_view kHeader =
    "  graph [labelloc=b, fontname=\"Helvetica\", fontsize=13, nodesep=0.35, ranksep=0.5];\n"
    "  node [fontname=\"Helvetica\", fontsize=11, color=\"#444444\"];\n"
    "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#444444\"];\n";

/// `left` of `left.timer`, empty for what is in the top compound.
std::string compound_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? std::string() : name.substr(0, dot);
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

/// `port [guard] / action`, the port in bold, for one label may have several transitions.
std::string label(const Model::Component& component, const Model::Transition& transition) {
  const std::string port = transition.port == kNone ? "internal" : component.ports[transition.port].name;
  std::string text = port;
  if (transition.guard) text += fmt::format(" [{}]", to_text(*transition.guard));
  if (!transition.action.empty()) text += " / " + to_text(transition.action);
  const std::string all = lines(text, kLabelWidth);
  const std::string first = html(port);
  if (first.empty() || !all.starts_with(first)) return all;
  return fmt::format("<b>{}</b>{}", first, all.substr(first.size()));
}

/// The automaton of a component, the names of whose nodes start with `prefix`. Transitions between the same places
/// share an arrow.
std::string automaton(const Model::Component& component, const std::string& prefix) {
  std::string text = "    node [shape=circle, style=filled, fillcolor=white];\n";
  for (std::size_t p = 0; p < component.places.size(); ++p)
    text += fmt::format("    {}_{} [label=\"{}\"{}];\n", prefix, p, escaped(component.places[p]),
                        p == component.initial_place ? ", penwidth=2.5" : "");
  text += fmt::format("    {} [shape=point, width=0.1, fillcolor=\"#444444\", label=\"\"];\n", prefix);
  text += fmt::format("    {0} -> {0}_{1} [label={2}];\n", prefix, component.initial_place,
                      label_of(lines(to_text(component.initial_action), kLabelWidth)));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> labels;
  for (const Model::Transition& transition : component.transitions)
    labels[{transition.from, transition.to}] += label(component, transition);
  for (const auto& [places, all] : labels)
    text += fmt::format("    {0}_{1} -> {0}_{2} [label={3}];\n", prefix, places.first, places.second, label_of(all));
  return text;
}

class Picture {
 public:
  explicit Picture(const Model& model)
      : model_(model), connectors_(dot::find_connectors(model)), priorities_(dot::find_priorities(model, connectors_)) {
    for (ComponentId c = 0; c < model_.components.size(); ++c) {
      compounds_[compound_of(model_.components[c].name)].components.push_back(c);
      types_[model_.components[c].type].push_back(c);
    }
    for (std::size_t c = 0; c < connectors_.size(); ++c)
      if (!connectors_[c].is_port) compounds_[compound_of(connectors_[c].name)].connectors.push_back(c);
    // Compounds may have nothing of their own but compounds.
    for (const auto& [name, contents] : std::map(compounds_))
      for (std::string inner = name; !inner.empty(); inner = compound_of(inner)) compounds_[compound_of(inner)];
    for (const Connector& connector : connectors_)
      if (const auto* port = connector.ends.empty() ? nullptr : port_of(connector.ends[0])) upper_.insert(*port);
  }

  std::string text() {
    out_ = fmt::format("digraph \"{}\" {{\n", escaped(model_.name));
    out_ += kHeader;
    out_ += fmt::format("  label=\"{}\";\n", legend());
    write_compound("", 1);
    for (std::size_t c = 0; c < connectors_.size(); ++c)
      if (!connectors_[c].is_port) write_ends(c);
    for (const dot::ConnectorPriority& priority : priorities_) write_priority(priority);
    for (const auto& [type, components] : types_) write_automaton(type, components);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  struct Compound {
    std::vector<ComponentId> components;
    std::vector<std::size_t> connectors;
  };

  static const Model::PortUse* port_of(const Connector::End& end) { return std::get_if<Model::PortUse>(&end.what); }

  /// What in this picture does not speak for itself.
  std::string legend() const {
    bool has_trigger = false;
    bool has_optional = false;
    bool has_port = false;
    for (const Connector& connector : connectors_) {
      has_port = has_port || connector.is_port;
      for (const Connector::End& end : connector.ends) {
        has_trigger = has_trigger || end.is_trigger;
        has_optional = has_optional || !end.is_always;
      }
    }
    std::string text;
    const auto add = [&](bool is_needed, std::string_view line) {
      if (is_needed) text += fmt::format("{}{}", text.empty() ? "" : "   ", line);
    };
    add(has_trigger, "triangle: trigger");
    add(has_optional, "dashed: not in all interactions");
    add(has_port, "italic: an interaction of its own");
    add(!priorities_.empty(), "dotted: gives way to");
    return text;
  }

  void write_compound(const std::string& name, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    out_ += fmt::format("{}subgraph cluster_{} {{\n", indent, number_of_cluster_++);
    out_ += fmt::format("{}  label=\"{}\"; labelloc=t; style=rounded; color=\"#999999\"; margin=14;\n", indent,
                        escaped(name.empty() ? model_.top : last_part(name)));
    const Compound& compound = compounds_[name];
    for (const ComponentId c : compound.components) write_component(c, indent + "  ");
    for (const std::size_t c : compound.connectors) write_connector(c, indent + "  ");
    for (const auto& [inner, contents] : compounds_)
      if (!inner.empty() && compound_of(inner) == name) write_compound(inner, depth + 1);
    out_ += indent + "}\n";
  }

  void write_connector(std::size_t c, const std::string& indent) {
    const Connector& connector = connectors_[c];
    std::string names;
    for (std::size_t i = 0; i < std::min(connector.interactions.size(), kInteractions); ++i)
      names += fmt::format("{}{}", i == 0 ? "" : "\\n", escaped(model_.interactions[connector.interactions[i]].name));
    if (connector.interactions.size() > kInteractions) names += "\\n...";
    const std::string name = last_part(connector.name);
    out_ += fmt::format(
        "{}k{} [shape=diamond, style=filled, fillcolor=\"{}\", fontsize=10, fixedsize=true, width={:.2f}, height=0.4, "
        "label=\"{}\", tooltip=\"{}\"];\n",
        indent, c, connector.is_executable ? "#FAECCC" : "#EEEEEE", 0.4 + 0.085 * static_cast<double>(name.size()),
        escaped(name), names);
  }

  /// Ports that connectors above are connected to are above the name, the others below.
  void write_component(ComponentId id, const std::string& indent) {
    const Model::Component& component = model_.components[id];
    std::vector<std::uint32_t> above;
    std::vector<std::uint32_t> below;
    for (std::uint32_t p = 0; p < component.ports.size(); ++p) (is_below({id, p}) ? below : above).push_back(p);
    out_ += fmt::format(
        "{}c{} [shape=plain, label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"1\" "
        "bgcolor=\"white\" color=\"#444444\">\n",
        indent, id);
    write_ports(component, above, indent);
    out_ += fmt::format("{}  <tr><td bgcolor=\"#CCE3F0\" cellpadding=\"4\"><b>{}</b>: {}</td></tr>\n", indent,
                        html(last_part(component.name)), html(component.type));
    write_ports(component, below, indent);
    out_ += indent + "  </table>>];\n";
  }

  bool is_below(const Model::PortUse& port) const {
    return upper_.contains(port) || !model_.components[port.component].ports[port.port].is_exported;
  }

  void write_ports(const Model::Component& component, const std::vector<std::uint32_t>& ports,
                   const std::string& indent) {
    for (std::size_t first = 0; first < ports.size(); first += kPortsInARow) {
      out_ += indent + "  <tr><td><table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\"><tr>";
      for (std::size_t i = first; i < std::min(first + kPortsInARow, ports.size()); ++i) {
        const Model::Port& port = component.ports[ports[i]];
        const std::string name = port.is_exported ? html(port.name) : fmt::format("<i>{}</i>", html(port.name));
        out_ += fmt::format("<td port=\"p{}\">{}</td>", ports[i], name);
      }
      out_ += "</tr></table></td></tr>\n";
    }
  }

  /// The first end is above the connector and the others are below, so that what is connected is not in one row.
  void write_ends(std::size_t c) {
    const Connector& connector = connectors_[c];
    for (const Connector::End& end : connector.ends) {
      const bool is_first = &end == connector.ends.data();
      const Model::PortUse* port = port_of(end);
      std::string other = port != nullptr ? node_of(*port) : fmt::format("k{}", std::get<std::size_t>(end.what));
      if (port != nullptr && is_first == is_below(*port)) other += is_first ? ":s" : ":n";
      const std::string diamond = fmt::format("k{}", c);
      const std::string_view shape = end.is_trigger ? "inv, arrowsize=1" : "dot, arrowsize=0.6";
      out_ += fmt::format("  {} -> {} [dir={}, {}={}{}];\n", is_first ? other : diamond, is_first ? diamond : other,
                          is_first ? "back" : "forward", is_first ? "arrowtail" : "arrowhead", shape,
                          end.is_always ? "" : ", style=dashed");
    }
  }

  static std::string node_of(const Model::PortUse& port) { return fmt::format("c{}:p{}", port.component, port.port); }

  std::string node_of(std::size_t connector) const {
    if (!connectors_[connector].is_port) return fmt::format("k{}", connector);
    return node_of(std::get<Model::PortUse>(connectors_[connector].ends[0].what));
  }

  void write_priority(const dot::ConnectorPriority& priority) {
    std::string text;
    for (std::size_t i = 0; i < std::min(priority.conditions.size(), kConditions); ++i)
      text += lines((i == 0 ? "" : "or ") + priority.conditions[i], kLabelWidth);
    if (priority.conditions.size() > kConditions) text += lines("or ...", kLabelWidth);
    out_ += fmt::format(
        "  {} -> {} [style=dotted, penwidth=1.5, color=\"#D55E00\", fontcolor=\"#D55E00\", constraint=false, "
        "label={}];\n",
        node_of(priority.low), node_of(priority.high), label_of(text));
  }

  /// That of the first component; parameters are values already and may make others different.
  void write_automaton(const std::string& type, const std::vector<ComponentId>& components) {
    const Model::Component& first = model_.components[components.front()];
    const std::string prefix = fmt::format("t{}", number_of_type_++);
    const std::string text = automaton(first, prefix);
    const bool is_unique =
        std::ranges::all_of(components, [&](ComponentId c) { return automaton(model_.components[c], prefix) == text; });
    out_ += fmt::format("  subgraph cluster_{} {{\n", number_of_cluster_++);
    out_ += fmt::format(
        "    label=\"atom {}{}\"; labelloc=t; margin=16; style=\"rounded,filled\"; color=\"#999999\"; "
        "fillcolor=\"#F7F7F7\";\n",
        escaped(type), is_unique ? "" : fmt::format(" (with the values of {})", escaped(first.name)));
    out_ += text + "  }\n";
  }

  const Model& model_;
  std::vector<Connector> connectors_;
  std::vector<dot::ConnectorPriority> priorities_;
  std::map<std::string, Compound> compounds_;
  std::map<std::string, std::vector<ComponentId>> types_;
  std::set<Model::PortUse> upper_;  ///< ports that some connector is below of
  std::size_t number_of_cluster_ = 0;
  std::size_t number_of_type_ = 0;
  std::string out_;
};

}  // namespace

std::string to_dot(const Model& model) { return Picture(model).text(); }

}  // namespace plumb::bip
