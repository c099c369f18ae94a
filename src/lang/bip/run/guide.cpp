#include "lang/bip/run/guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <utility>

#include "base/error.h"
#include "base/spelling.h"

namespace plumb::bip {

namespace {

struct Word {
  std::string_view text;
  Place place;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Words are between blanks; = is one by itself. A # at the start of a word ends the line.
std::vector<Word> split(std::string_view line, std::uint32_t number) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < line.size() && (is_blank(line[i]) || line[i] != '#')) {
    const std::size_t start = i++;
    if (is_blank(line[start])) continue;
    while (line[start] != '=' && i < line.size() && !is_blank(line[i]) && line[i] != '=') ++i;
    words.push_back({line.substr(start, i - start), {number, static_cast<std::uint32_t>(start + 1)}});
  }
  return words;
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <typename Names>
std::string did_you_mean(std::string_view word, const Names& names, std::string otherwise) {
  const std::string_view near = nearest_name(word, names);
  return near.empty() ? std::move(otherwise) : fmt::format("did you mean '{}'?", near);
}

class GuideReader {
 public:
  GuideReader(const Model& model, const std::string& file)
      : model_(model), executable_(executable_interactions(model)), free_(free_variables(model)) {
    guide_.file = file;
    guide_.initial.resize(model.variables.size());
  }

  Guide read(std::string_view text) {
    std::uint32_t number = 0;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const std::vector<Word> words = split(text.substr(start, end - start), ++number);
      if (!words.empty()) read_line(words);
      start = end + 1;
    }
    return std::move(guide_);
  }

 private:
  [[noreturn]] void fail(const Word& word, std::string message, std::string hint) const {
    throw UserError({guide_.file, word.place.line, word.place.column}, std::move(message), std::move(hint));
  }

  void read_line(const std::vector<Word>& words) {
    if (words[0].text == "init") return read_initial_value(words);
    Guide::Step step{words[0].place, kNone, {}};
    if (words[0].text != "internal") step.interaction = find_interaction(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i) read_transition(words[i], step);
    std::ranges::sort(step.transitions);
    guide_.steps.push_back(std::move(step));
  }

  void read_initial_value(const std::vector<Word>& words) {
    if (words.size() != 4 || words[2].text != "=")
      fail(words[0], "an initial value is not complete", "write 'init VARIABLE = VALUE'");
    const VariableId variable = find_free_variable(words[1]);
    if (guide_.initial[variable])
      fail(words[1], fmt::format("'{}' has an initial value already", words[1].text), "remove one of the lines");
    guide_.initial[variable] = read_value(words[3], model_.variables[variable].type);
  }

  VariableId find_free_variable(const Word& word) const {
    const std::optional<VariableId> variable = model_.find_variable(word.text);
    const auto names =
        free_ | std::views::transform([&](VariableId v) -> std::string_view { return model_.variables[v].name; });
    if (!variable)
      fail(word, fmt::format("there is no variable '{}'", word.text),
           did_you_mean(word.text, names, "write it with its component: 'init COMPONENT.VARIABLE = VALUE'"));
    if (!std::ranges::binary_search(free_, *variable))
      fail(word, fmt::format("'{}' does not start with any value: the model sets it at the start", word.text),
           "remove the line");
    return *variable;
  }

  std::int64_t read_value(const Word& word, Type type) const {
    if (type == Type::Bool) {
      if (word.text != "true" && word.text != "false")
        fail(word, fmt::format("'{}' is not a bool", word.text), "write 'true' or 'false'");
      return static_cast<std::int64_t>(word.text == "true");
    }
    const std::optional<std::int64_t> value = parse_number<std::int64_t>(word.text);
    if (!value) fail(word, fmt::format("'{}' is not an int", word.text), "write a decimal number");
    if (wrap(*value, model_.bits) != *value)
      fail(word, fmt::format("{} does not fit an int of {} bits", *value, model_.bits),
           fmt::format("write a number from {} to {}", -(std::int64_t{1} << (model_.bits - 1)),
                       (std::int64_t{1} << (model_.bits - 1)) - 1));
    return *value;
  }

  InteractionId find_interaction(const Word& word) const {
    if (word.text.find_first_not_of("0123456789") == std::string_view::npos) return numbered_interaction(word);
    const auto named = std::ranges::find(model_.interactions, word.text, &Model::Interaction::name);
    const auto names = executable_ | std::views::transform([&](InteractionId i) -> std::string_view {
                         return model_.interactions[i].name;
                       });
    if (named == model_.interactions.end())
      fail(word, fmt::format("there is no interaction '{}'", word.text),
           did_you_mean(word.text, names, "write 'CONNECTOR:COMPONENT.PORT,...', or its number"));
    if (!named->is_executable)
      fail(word, fmt::format("'{}' never fires by itself: its connector has an exported port", word.text),
           "write the interaction of the outermost connector");
    return static_cast<InteractionId>(named - model_.interactions.begin());
  }

  InteractionId numbered_interaction(const Word& word) const {
    const std::optional<std::size_t> number = parse_number<std::size_t>(word.text);
    if (!number || *number >= executable_.size())
      fail(word, fmt::format("there is no interaction {}", word.text),
           executable_.empty() ? "the model has no interaction"
                               : fmt::format("the numbers are 0 to {}", executable_.size() - 1));
    return executable_[*number];
  }

  void read_transition(const Word& word, Guide::Step& step) const {
    const std::size_t hash = word.text.find('#');
    const std::string_view name = word.text.substr(0, hash);
    if (hash == std::string_view::npos)
      fail(word, fmt::format("'{}' is not a transition", word.text), "write 'COMPONENT#NUMBER'; one step is one line");
    const std::optional<ComponentId> component = model_.find_component(name);
    const auto names = model_.components | std::views::transform(&Model::Component::name);
    if (!component)
      fail(word, fmt::format("there is no component '{}'", name),
           did_you_mean(name, names, "write 'COMPONENT#NUMBER'"));
    const std::size_t count = model_.components[*component].transitions.size();
    const std::optional<std::uint32_t> transition = parse_number<std::uint32_t>(word.text.substr(hash + 1));
    if (!transition || *transition >= count)
      fail(word, fmt::format("component '{}' has no transition '{}'", name, word.text.substr(hash + 1)),
           count == 0 ? "it has none" : fmt::format("the numbers are 0 to {}, in the order of the file", count - 1));
    if (std::ranges::find(step.transitions, *component, &std::pair<ComponentId, std::uint32_t>::first) !=
        step.transitions.end())
      fail(word, fmt::format("component '{}' has a transition in this step already", name), "remove one of the two");
    check_port(word, step.interaction, *component, *transition);
    step.transitions.emplace_back(*component, *transition);
  }

  void check_port(const Word& word, InteractionId interaction, ComponentId component, std::uint32_t transition) const {
    const Model::Component& owner = model_.components[component];
    const std::uint32_t port = owner.transitions[transition].port;
    if (interaction == kNone) {
      if (port != kNone)
        fail(word, fmt::format("'{}' is not an internal transition", word.text),
             fmt::format("it is one of port '{}'", owner.ports[port].name));
      return;
    }
    const std::vector<Model::PortUse>& ports = model_.interactions[interaction].ports;
    const auto use = std::ranges::find(ports, component, &Model::PortUse::component);
    if (use == ports.end())
      fail(word, fmt::format("component '{}' does not take part in the interaction", owner.name), "remove it");
    if (use->port != port)
      fail(word, fmt::format("'{}' is not a transition of port '{}'", word.text, owner.ports[use->port].name),
           port == kNone ? "it is an internal one" : fmt::format("it is one of port '{}'", owner.ports[port].name));
  }

  const Model& model_;
  std::vector<InteractionId> executable_;
  std::vector<VariableId> free_;
  Guide guide_;
};

/// The step as a line, and whether some component had several transitions to choose from.
struct WrittenStep {
  std::string line;
  bool is_ambiguous = false;
};

WrittenStep write_step(const Model& model, const Run& run, const Choice& choice) {
  const bool is_internal = choice.interaction == kNone;
  WrittenStep step{is_internal ? "internal" : model.interactions[choice.interaction].name, false};
  for (const auto& [component, transition] : choice.transitions) {
    const std::uint32_t port = model.components[component].transitions[transition].port;
    const std::size_t count =
        is_internal ? run.internal_transitions()[component].size() : run.transitions({component, port}).size();
    if (count == 1) continue;
    step.line += fmt::format(" {}#{}", model.components[component].name, transition);
    step.is_ambiguous = true;
  }
  step.line += '\n';
  return step;
}

}  // namespace

Guide read_guide(const Model& model, std::string_view text, const std::string& file) {
  return GuideReader(model, file).read(text);
}

std::string write_guide(const Model& model, const std::vector<std::optional<std::int64_t>>& initial,
                        const std::vector<Choice>& choices) {
  std::string text;
  for (const VariableId variable : free_variables(model)) {
    if (variable >= initial.size() || !initial[variable]) continue;
    const Model::Variable& v = model.variables[variable];
    const std::string value = v.type == Type::Int ? std::to_string(*initial[variable])
                                                  : std::string(*initial[variable] != 0 ? "true" : "false");
    text += fmt::format("init {} = {}\n", v.name, value);
  }
  Run run(model, initial);
  // Internal steps are left out unless one with a choice follows before the next interaction: a line stands for the
  // first internal step that comes.
  std::string pending;
  for (const Choice& choice : choices) {
    const std::string objection = run.objection(choice);
    INVARIANT(objection.empty(), objection);
    const WrittenStep step = write_step(model, run, choice);
    if (choice.interaction == kNone) {
      pending += step.line;
      if (step.is_ambiguous) text += std::exchange(pending, {});
    } else {
      text += step.line;
      pending.clear();
    }
    run.fire(choice);
  }
  return text;
}

std::vector<InteractionId> executable_interactions(const Model& model) {
  std::vector<InteractionId> executable;
  for (InteractionId i = 0; i < model.interactions.size(); ++i)
    if (model.interactions[i].is_executable) executable.push_back(i);
  return executable;
}

}  // namespace plumb::bip
