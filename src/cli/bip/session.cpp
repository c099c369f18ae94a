#include "cli/bip/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "cli/bip/emulate.h"
#include "cli/bip/trace.h"
#include "lang/bip/emit/emit.h"

namespace plumb::cli {
namespace {

constexpr std::string_view kHelp =
    "  NUMBER or NAME  fire that interaction; 'NAME light#2' with transition 2 of component light\n"
    "  r [N]           N interactions at random, 1 if not given\n"
    "  b [N]           back N steps, 1 if not given\n"
    "  l               list what can be fired\n"
    "  s               the state: every place and value\n"
    "  g               the run so far as a guide\n"
    "  q               quit; so does the end of input\n";

/// A word and what follows it, without blanks around.
std::pair<std::string, std::string> split_word(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  std::string rest;
  words >> first >> std::ws;
  std::getline(words, rest);
  return {first, rest.substr(0, rest.find_last_not_of(" \t\r") + 1)};
}

class Session {
 public:
  Session(const BipSubject& subject, const BipOptions& options, const Context& context, std::istream& in, bool prompts)
      : subject_(subject),
        model_(subject.model),
        options_(options),
        context_(context),
        in_(in),
        prompts_(prompts),
        guide_(read_guide(subject.model, options)),
        numbers_(bip::executable_interactions(subject.model)),
        generator_(context.common.seed) {
    history_.emplace_back(model_, subject.properties,
                          bip::EmulationOptions{{}, context.common.seed, guide_ ? &*guide_ : nullptr});
  }

  int run() {
    context_.out << bip::initial_line(model_, here().run().state()) << "\n";
    try {
      look();
      follow_guide();
      settle();
      list();
      std::string line;
      while (!is_over() && ask(line) && execute(line)) context_.budget.check();
    } catch (const OutOfBudget&) {
      finish();  // keeps the run
      throw;
    }
    return finish();
  }

 private:
  WatchedRun& here() { return history_.back(); }

  bool ask(std::string& line) {
    if (prompts_) context_.out << "bip> ";
    context_.out.flush();
    if (std::getline(in_, line)) return true;
    if (prompts_) context_.out << "\n";
    return false;
  }

  /// False if the session is to end.
  bool execute(const std::string& line) {
    const auto [word, rest] = split_word(line);
    try {
      if (word.empty()) return true;
      if (word == "q" || word == "quit") return false;
      if (word == "?" || word == "h" || word == "help") {
        context_.out << kHelp;
      } else if (word == "l") {
        list();
      } else if (word == "s") {
        show_state();
      } else if (word == "g") {
        context_.out << guide_text();
      } else if (word == "b") {
        go_back(count_of(rest));
      } else if (word == "r") {
        go_on(count_of(rest));
      } else {
        fire(line);
      }
    } catch (const UserError& error) {
      context_.out << "  " << error.message() << (error.hint().empty() ? "" : " (" + error.hint() + ")") << "\n";
    }
    return true;
  }

  static std::size_t count_of(const std::string& text) {
    std::size_t count = 1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (!text.empty() && (error != std::errc{} || end != text.data() + text.size() || count == 0))
      throw UserError(fmt::format("'{}' is no number of steps", text));
    return count;
  }

  /// The interactions that can be fired, with their numbers in guides.
  void list() {
    if (is_deadlocked()) return;
    if (!here().run().is_stable()) {
      list_internal();
      return;
    }
    for (const bip::InteractionId interaction : here().run().choices()) {
      const auto number = std::ranges::find(numbers_, interaction) - numbers_.begin();
      context_.out << fmt::format("  {:>4}  {}{}\n", number, model_.interactions[interaction].name,
                                  alternatives(interaction));
    }
  }

  /// Where a component has several transitions to choose from: "  light#1|light#2".
  std::string alternatives(bip::InteractionId interaction) {
    std::string text;
    for (const bip::Model::PortUse& port : model_.interactions[interaction].ports)
      text += alternatives(port.component, here().run().transitions(port));
    return text;
  }

  std::string alternatives(bip::ComponentId component, const std::vector<std::uint32_t>& transitions) const {
    if (transitions.size() < 2) return {};
    std::string text = " ";
    for (const std::uint32_t transition : transitions)
      text += fmt::format("{}{}#{}", text.size() == 1 ? " " : "|", model_.components[component].name, transition);
    return text;
  }

  void list_internal() {
    std::string text;
    const std::vector<std::vector<std::uint32_t>> internal = here().run().internal_transitions();
    for (bip::ComponentId i = 0; i < internal.size(); ++i) text += alternatives(i, internal[i]);
    context_.out << fmt::format("        internal{}\n", text);
  }

  void show_state() {
    const nlohmann::ordered_json state = state_json(model_, here().run().state());
    for (const auto& [name, value] : state.items())
      context_.out << fmt::format("  {} = {}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
  }

  std::string guide_text() { return bip::write_guide(model_, initial_values(model_, guide_), choices_); }

  void go_back(std::size_t count) {
    if (choices_.empty()) throw UserError("this is the start");
    for (; count > 0 && !choices_.empty(); --count) {
      history_.pop_back();
      choices_.pop_back();
    }
    // Internal transitions that nobody chose are undone with the interaction before them.
    while (!choices_.empty() && !here().run().is_stable() && !has_internal_choice()) {
      history_.pop_back();
      choices_.pop_back();
    }
    context_.out << fmt::format("  back: {}\n", moment_text(here().emulation().interactions()));
    list();
  }

  void go_on(std::size_t count) {
    const std::uint64_t first = here().emulation().interactions();
    while (here().emulation().interactions() < first + count || !here().run().is_stable()) {
      context_.budget.check();
      if (is_deadlocked() || is_over()) break;
      step([&](WatchedRun& run) { return std::optional(run.step(random_choice(run.run()))); });
    }
    list();
  }

  bip::Choice random_choice(const bip::Run& run) {
    bip::Choice choice;
    const auto choose = [&](bip::ComponentId component, const std::vector<std::uint32_t>& transitions) {
      if (!transitions.empty())
        choice.transitions.emplace_back(component, transitions[generator_.choose(transitions.size())]);
    };
    if (!run.is_stable()) {
      const std::vector<std::vector<std::uint32_t>> internal = run.internal_transitions();
      for (bip::ComponentId i = 0; i < internal.size(); ++i) choose(i, internal[i]);
      return choice;
    }
    const std::vector<bip::InteractionId> choices = run.choices();
    choice.interaction = choices[generator_.choose(choices.size())];
    for (const bip::Model::PortUse& port : model_.interactions[choice.interaction].ports)
      choose(port.component, run.transitions(port));
    return choice;
  }

  void follow_guide() {
    if (!guide_) return;
    while (step([](WatchedRun& run) { return run.step(); })) context_.budget.check();
  }

  void fire(const std::string& line) {
    const bip::Choice choice = choice_of(line);
    const std::string objection = here().run().objection(choice);
    if (!objection.empty()) throw UserError(objection, "l lists what can be fired, ? is help");
    step([&](WatchedRun& run) { return std::optional(run.step(choice)); });
    settle();
    list();
  }

  /// What the line says, as a guide's line; what it leaves open is the first.
  bip::Choice choice_of(const std::string& line) {
    const bip::Guide guide = bip::read_guide(model_, line, "standard input");
    if (guide.steps.size() != 1) throw UserError(fmt::format("'{}' is no interaction", line), "? is help");
    const bip::Guide::Step& step = guide.steps.front();
    bip::Choice choice{step.interaction, step.transitions};
    if (step.interaction == bip::kNone) {
      if (!here().run().is_stable()) choice = here().run().first_internal_choice();
    } else if (here().run().is_stable() && here().run().is_maximal(step.interaction)) {
      choice = here().run().first_choice(step.interaction);
    }
    for (const auto& [component, transition] : step.transitions) {
      const auto place = std::ranges::find(choice.transitions, component, [](const auto& pair) { return pair.first; });
      if (place == choice.transitions.end()) {
        choice.transitions.emplace_back(component, transition);
      } else {
        place->second = transition;
      }
    }
    std::ranges::sort(choice.transitions);
    return choice;
  }

  bool has_internal_choice() {
    return std::ranges::any_of(here().run().internal_transitions(),
                               [](const std::vector<std::uint32_t>& each) { return each.size() > 1; });
  }

  /// Internal transitions that leave no choice.
  void settle() {
    for (std::uint64_t i = 0; i < bip::Emulation::kMostInternalSteps; ++i) {
      if (here().run().is_stable() || has_internal_choice()) return;
      context_.budget.check();
      step([](WatchedRun& run) { return std::optional(run.step(run.run().first_internal_choice())); });
    }
  }

  /// False if there is no next step.
  template <typename Make>
  bool step(const Make& make) {
    history_.push_back(history_.back());
    std::optional<bip::EmulationStep> made;
    try {
      made = make(here());
    } catch (...) {
      history_.pop_back();
      throw;
    }
    if (!made) {
      history_.pop_back();
      return false;
    }
    choices_.push_back(made->choice);
    context_.out << bip::step_line(model_, made->number, made->choice, made->before, made->after) << "\n";
    look();
    return true;
  }

  void look() {
    context_.out << violation_lines(subject_, here(), here().look());
    if (!is_deadlocked()) return;
    context_.out << violation_lines(subject_, here(), here().look_at_deadlock())
                 << bip::end_line(bip::EmulationEnd::Deadlock, here().emulation().interactions()) << "\n";
  }

  bool is_deadlocked() { return here().run().is_deadlocked(); }

  /// Behind as many interactions as --emulate says.
  bool is_over() {
    return options_.has_bound() && here().run().is_stable() &&
           here().emulation().interactions() >= static_cast<std::uint64_t>(*options_.emulate);
  }

  int finish() {
    if (!is_deadlocked())
      context_.out << bip::end_line(bip::EmulationEnd::Bound, here().emulation().interactions()) << "\n";
    const std::string summary = violation_summary(subject_, here());
    if (!summary.empty()) context_.out << summary << "\n";
    for (const std::string& file : write_run(model_, guide_, choices_, options_, context_.common))
      context_.out << "guide: " << file << "\n";
    const std::optional<bip::EmulationEnd> end =
        is_deadlocked() ? std::optional(bip::EmulationEnd::Deadlock) : std::nullopt;
    return result::exit_code(emulation_conclusion(here(), end, options_));
  }

  const BipSubject& subject_;
  const bip::Model& model_;
  const BipOptions& options_;
  const Context& context_;
  std::istream& in_;
  bool prompts_;
  std::optional<bip::Guide> guide_;
  std::vector<bip::InteractionId> numbers_;
  bip::ChoiceGenerator generator_;
  std::vector<WatchedRun> history_;   ///< the run in each of its states; the last is where it is
  std::vector<bip::Choice> choices_;  ///< one less
};

}  // namespace

int run_session(const BipSubject& subject, const BipOptions& options, const Context& context, std::istream& in,
                bool prompts) {
  return Session(subject, options, context, in, prompts).run();
}

}  // namespace plumb::cli
