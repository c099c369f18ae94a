#include "cli/bip/emulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/bip/trace.h"
#include "cli/program_options.h"
#include "lang/bip/emit/emit.h"

namespace plumb::cli {
namespace {

using bip::EmulationEnd;
using result::Conclusion;

constexpr std::string_view end_word(EmulationEnd end) {
  switch (end) {
    case EmulationEnd::Bound:
      return "bound";
    case EmulationEnd::Guide:
      return "guide";
    case EmulationEnd::Deadlock:
      return "deadlock";
    case EmulationEnd::Divergence:
      return "divergence";
  }
  return {};
}

std::optional<std::uint64_t> bound_of(const BipOptions& options) {
  if (!options.emulate) return std::nullopt;
  return options.has_bound() ? static_cast<std::uint64_t>(*options.emulate) : 0;
}

class Emulator {
 public:
  Emulator(const BipSubject& subject, const BipOptions& options, const Context& context)
      : subject_(subject),
        options_(options),
        context_(context),
        guide_(read_guide(subject.model, options)),
        run_(subject.model, subject.properties, {bound_of(options), context.common.seed, guide_ ? &*guide_ : nullptr}),
        is_terminal_(::isatty(STDOUT_FILENO) == 1),
        keeps_choices_(!options.proving.guide.empty() || !context.common.out.empty()) {}

  int run() {
    print(bip::initial_line(subject_.model, run_.run().state()));
    initial_ = state_json(subject_.model, run_.run().state());
    tell(run_.look());
    while (can_go_on()) {
      const std::optional<bip::EmulationStep> step = next_step();
      if (!step) {
        end_ = run_.emulation().end();
        break;
      }
      put(*step);
      tell(run_.look());
    }
    if (end_ == EmulationEnd::Deadlock) tell(run_.look_at_deadlock());
    finish();
    return result::exit_code(conclusion());
  }

 private:
  bool has_bound() const { return options_.emulate ? options_.has_bound() : guide_.has_value(); }

  bool can_go_on() {
    stop_ = context_.budget.exceeded();
    if (stop_) why_stopped_ = to_string(*stop_);
    const bool has_all = !has_bound() && !subject_.properties.empty() && run_.is_all_violated() &&
                         !run_.run().is_deadlocked();  // which is an end of its own
    if (has_all) why_stopped_ = "every property is violated";
    return !stop_ && !has_all;
  }

  std::optional<bip::EmulationStep> next_step() {
    try {
      return run_.step();
    } catch (const UserError&) {
      context_.out.flush();  // how far the guide led
      throw;
    }
  }

  void put(const bip::EmulationStep& step) {
    print(bip::step_line(subject_.model, step.number, step.choice, step.before, step.after));
    if (keeps_choices_) choices_.push_back(step.choice);
    if (is_object()) steps_.push_back(step_json(subject_.model, step.choice, step.before, step.after));
  }

  void tell(const std::vector<std::size_t>& found) {
    if (found.empty()) return;
    if (!context_.common.json) context_.out << violation_lines(subject_, run_, found);
    for (const std::size_t i : found) {
      const bip::Property& property = subject_.properties[i];
      violations_[i] = {{"interactions", run_.emulation().interactions()},
                        {"message", utf8(failure_text(subject_.model, property, run_.run().state()))}};
    }
  }

  void print(const std::string& line) const {
    if (context_.common.json) return;
    context_.out << line << "\n";
    if (is_terminal_) context_.out.flush();
  }

  bool is_object() const { return context_.common.json || !context_.common.out.empty(); }

  void finish() {
    const std::uint64_t interactions = run_.emulation().interactions();
    std::string last = bip::end_line(end_.value_or(EmulationEnd::Bound), interactions);
    if (!why_stopped_.empty()) last += ": " + why_stopped_;
    print(last);
    const std::string summary = violation_summary(subject_, run_);
    if (!summary.empty()) print(summary);
    const std::vector<std::string> files = write_run(subject_.model, guide_, choices_, options_, context_.common);
    for (const std::string& file : files) print("guide: " + file);
    if (is_object()) publish(context_, report(files));
  }

  Conclusion conclusion() const {
    const Conclusion conclusion = emulation_conclusion(run_, end_, options_);
    return conclusion == Conclusion::Answered && stop_ ? Conclusion::Unknown : conclusion;
  }

  result::Report report(const std::vector<std::string>& files) const {
    result::Report found("bip", {options_.file});
    found.conclusion = conclusion();
    if (stop_) found.stopped = to_string(*stop_);
    found["end"] = end_ ? end_word(*end_) : "stopped";
    found["interactions"] = run_.emulation().interactions();
    found["initial"] = initial_;
    found["steps"] = steps_;
    nlohmann::ordered_json properties = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < subject_.properties.size(); ++i) {
      const bip::Property& property = subject_.properties[i];
      nlohmann::ordered_json entry = {{"name", utf8(property.name)}};
      put_place(entry, property.location);
      entry["verdict"] = run_.is_violated(i) ? "violated" : "unknown";
      if (const auto violation = violations_.find(i); violation != violations_.end()) entry.update(violation->second);
      properties.push_back(std::move(entry));
    }
    found["properties"] = std::move(properties);
    found.assumptions = model_assumptions(subject_.model);
    found.notes = {size_note(subject_.model)};
    for (const std::string& file : files) found.files.emplace_back("guide", file);
    found["stats"]["model"] = model_json(subject_.model);
    return found;
  }

  const BipSubject& subject_;
  const BipOptions& options_;
  const Context& context_;
  std::optional<bip::Guide> guide_;
  WatchedRun run_;
  bool is_terminal_;
  bool keeps_choices_;
  std::optional<EmulationEnd> end_;  ///< nothing if the run was broken off
  std::optional<Stop> stop_;
  std::string why_stopped_;
  std::vector<bip::Choice> choices_;
  std::map<std::size_t, nlohmann::ordered_json> violations_;  ///< by property
  nlohmann::ordered_json initial_;
  nlohmann::ordered_json steps_ = nlohmann::ordered_json::array();
};

}  // namespace

int emulate(const BipSubject& subject, const BipOptions& options, const Context& context) {
  return Emulator(subject, options, context).run();
}

std::optional<bip::Guide> read_guide(const bip::Model& model, const BipOptions& options) {
  if (options.guide.empty()) return std::nullopt;
  return bip::read_guide(model, plumb::read_file(options.guide), options.guide);
}

std::string violation_lines(const BipSubject& subject, const WatchedRun& run, const std::vector<std::size_t>& found) {
  std::string text;
  for (const std::size_t i : found)
    text += fmt::format("  violated: {}: {}\n", subject.properties[i].name,
                        failure_text(subject.model, subject.properties[i], run.run().state()));
  return text;
}

std::string violation_summary(const BipSubject& subject, const WatchedRun& run) {
  std::string names;
  for (std::size_t i = 0; i < subject.properties.size(); ++i)
    if (run.is_violated(i)) names += fmt::format("{}{}", names.empty() ? "" : ", ", subject.properties[i].name);
  if (!names.empty()) return "violated: " + names;
  return subject.properties.empty() ? "" : "no property is violated in this run";
}

Conclusion emulation_conclusion(const WatchedRun& run, std::optional<EmulationEnd> end, const BipOptions& options) {
  if (run.is_any_violated() || end == EmulationEnd::Divergence) return Conclusion::Violated;
  return end == EmulationEnd::Deadlock && !options.no_deadlock ? Conclusion::Violated : Conclusion::Answered;
}

BipInitialValues initial_values(const bip::Model& model, const std::optional<bip::Guide>& guide) {
  BipInitialValues initial(model.variables.size());
  for (const bip::VariableId variable : bip::free_variables(model)) {
    const bool is_given = guide && variable < guide->initial.size() && guide->initial[variable];
    initial[variable] = is_given ? *guide->initial[variable] : 0;
  }
  return initial;
}

std::vector<std::string> write_run(const bip::Model& model, const std::optional<bip::Guide>& guide,
                                   const std::vector<bip::Choice>& choices, const BipOptions& options,
                                   const CommonOptions& common) {
  std::vector<std::string> files;
  if (!options.proving.guide.empty()) files.push_back(options.proving.guide);
  if (!common.out.empty()) files.push_back((std::filesystem::path(common.out) / "run.guide").string());
  if (files.empty()) return files;
  const std::string text = bip::write_guide(model, initial_values(model, guide), choices);
  for (const std::string& file : files) write_file(file, text);
  return files;
}

}  // namespace plumb::cli
