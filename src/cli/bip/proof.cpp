#include "cli/bip/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/error.h"
#include "cli/bip/trace.h"
#include "cli/prove_files.h"
#include "lang/bip/encode/encode.h"
#include "system/data_independence.h"

namespace plumb::cli {
namespace {

using prove::Verdict;

bip::Engine engine_of(const std::string& name, const std::vector<bip::Property>& properties) {
  if (name == "two-cycle") return bip::Engine::TwoCycle;
  const auto counts = [](const bip::Property& property) { return property.kind == bip::Property::Kind::Response; };
  if (name == "one-cycle" || (name == "auto" && std::ranges::any_of(properties, counts))) return bip::Engine::OneCycle;
  return bip::Engine::Parallel;
}

std::string_view kind_text(bip::Property::Kind kind) {
  switch (kind) {
    case bip::Property::Kind::Deadlock:
      return "deadlock";
    case bip::Property::Kind::Invariant:
      return "invariant";
    case bip::Property::Kind::Contract:
      return "contract";
    case bip::Property::Kind::Response:
      return "response";
    case bip::Property::Kind::Priorities:
      return "priorities";
  }
  return {};
}

class BipProof {
 public:
  BipProof(const BipSubject& subject, const BipOptions& options, const Context& context)
      : subject_(subject),
        options_(options),
        context_(context),
        encoding_(bip::encode(subject.model, subject.properties, engine_of(options.engine, subject.properties))) {
    const auto is_internal = [](const bip::Model::Transition& transition) { return transition.port == bip::kNone; };
    for (const bip::Model::Component& component : subject.model.components)
      if (!visible_ && std::ranges::any_of(component.transitions, is_internal)) {
        visible_ = encoding_.system.bads().size();
        encoding_.system.add_bad(encoding_.visible, "a visible state");
      }
    if (!options.keep_width) narrowed_ = system::narrow_independent_data(encoding_.system);
  }

  int run() {
    const auto start = std::chrono::steady_clock::now();
    ProofReport report;
    report.command = "bip";
    report.inputs = {options_.file};
    report.model = model_json(subject_.model);
    report.assumptions = model_assumptions(subject_.model);
    report.notes = {size_note(subject_.model)};
    if (options_.engine == "two-cycle") report.notes.emplace_back("two-cycle engine: an interaction takes two steps");
    measure(report, proved());
    if (narrowed_)
      for (const system::NarrowedSystem::Data& data : narrowed_->data) report.notes.push_back(narrowing_text(data));
    if (!options_.proving.check_certificate.empty()) {
      check_certificate(report);
    } else {
      prove(report);
    }
    if (!options_.no_vacuity) check_vacuity(report);
    write_result_files(report, {encoding_.system, proved()}, options_.proving, context_);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return publish_report(report, options_.proving, context_);
  }

 private:
  const system::System& proved() const { return narrowed_ ? narrowed_->system : encoding_.system; }

  /// "3 bits instead of 8 for client1.proposal and 15 other words: only moved and compared".
  std::string narrowing_text(const system::NarrowedSystem::Data& data) const {
    const std::size_t others = data.states.size() + data.inputs.size() - 1;
    const std::string first = data.states.empty() ? encoding_.system.input_name(data.inputs.front())
                                                  : encoding_.system.state_name(data.states.front());
    return fmt::format("{} bit{} instead of {} for {}{}: only moved and compared", data.bits, data.bits == 1 ? "" : "s",
                       data.width, first,
                       others == 0 ? "" : fmt::format(" and {} other word{}", others, others == 1 ? "" : "s"));
  }

  static SystemProperty system_property(const bip::Property& property) {
    const bool is_in_file = property.location.file != "--prop";
    return {property.name, is_in_file ? property.location : SourceLocation{}, {}};
  }

  std::vector<SystemProperty> system_properties() const {
    std::vector<SystemProperty> all;
    for (const bip::Property& property : subject_.properties) all.push_back(system_property(property));
    return all;
  }

  void check_certificate(ProofReport& report) {
    std::vector<SystemProperty> by_bad;
    for (const system::NamedTerm& bad : encoding_.system.bads()) by_bad.push_back({bad.name, {}, {}});
    for (std::size_t i = 0; i < subject_.properties.size(); ++i)
      by_bad[encoding_.bads[i]] = system_property(subject_.properties[i]);
    report.notes.push_back(certificate_note(options_.proving.check_certificate));
    report.answers = {check_certificate_file(proved(), by_bad, options_.proving.check_certificate, context_.budget)};
    const auto property = std::ranges::find(encoding_.bads, report.answers.front().bad);
    if (property != encoding_.bads.end()) chosen_ = {static_cast<std::size_t>(property - encoding_.bads.begin())};
  }

  void prove(ProofReport& report) {
    chosen_ = chosen_properties(options_.proving, system_properties());
    std::vector<std::size_t> bads;
    for (const std::size_t i : chosen_) bads.push_back(encoding_.bads[i]);
    std::vector<prove::Result> results = prove_chosen(proved(), bads, options_.proving, context_, options_.file);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      ProvedProperty answer;
      answer.bad = bads[i];
      answer.property = system_property(subject_.properties[chosen_[i]]);
      answer.kind = kind_text(subject_.properties[chosen_[i]].kind);
      answer.result = std::move(results[i]);
      if (answer.result.trace && narrowed_) answer.result.trace = narrowed_->widened(*answer.result.trace);
      if (answer.result.trace)
        explain_answer(answer, subject_.model, subject_.properties, chosen_[i], encoding_, options_.proving.full_trace);
      for (const std::string& note : answer.result.notes)
        if (std::ranges::count(report.notes, note) == 0) report.notes.push_back(note);
      report.answers.push_back(std::move(answer));
    }
  }

  /// What holds says nothing if its premise never does, or if internal transitions never end.
  void check_vacuity(ProofReport& report) const {
    std::vector<std::size_t> covers;
    std::vector<Cover> asked;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Verdict verdict = report.answers[i].result.verdict;
      if (verdict > Verdict::HoldsUpTo) continue;
      const bip::Property& property = subject_.properties[chosen_[i]];
      if (visible_) asked.push_back({i, *visible_, "no state is visible: internal transitions never end"});
      if (const std::optional<std::size_t> cover = encoding_.covers[chosen_[i]])
        asked.push_back({i, *cover, fmt::format("'{}' is never true", property.premise->text)});
    }
    for (const Cover& cover : asked)
      if (std::ranges::count(covers, cover.bad) == 0) covers.push_back(cover.bad);
    if (covers.empty()) return;
    ProvingOptions proving = options_.proving;
    proving.script.clear();
    const std::vector<prove::Result> results = prove_chosen(proved(), covers, proving, context_, options_.file);
    for (const Cover& cover : asked) {
      ProvedProperty& answer = report.answers[cover.answer];
      const Verdict verdict =
          results[static_cast<std::size_t>(std::ranges::find(covers, cover.bad) - covers.begin())].verdict;
      if (is_proof(verdict)) {
        if (answer.result.verdict != Verdict::Vacuous) answer.vacuity = cover.otherwise;
        answer.result.verdict = Verdict::Vacuous;
      } else if (verdict != Verdict::Violated) {
        report.notes.push_back(
            fmt::format("{} may hold vacuously: it is not known whether {}", answer.property.name, cover.otherwise));
      }
    }
  }

  /// A bad that must be reachable if an answer is to say something, and what is the case otherwise.
  struct Cover {
    std::size_t answer;
    std::size_t bad;
    std::string otherwise;
  };

  const BipSubject& subject_;
  const BipOptions& options_;
  const Context& context_;
  bip::Encoding encoding_;
  std::optional<std::size_t> visible_;  ///< the bad that is reached in visible states, where not all are
  std::optional<system::NarrowedSystem> narrowed_;
  std::vector<std::size_t> chosen_;  ///< positions in BipSubject::properties, by answer
};

}  // namespace

int prove_bip(const BipSubject& subject, const BipOptions& options, const Context& context) {
  if (subject.properties.empty())
    throw UserError(SourceLocation{options.file}, "there is nothing to prove",
                    "give --prop, --props or --contract, or leave out --no-deadlock");
  return BipProof(subject, options, context).run();
}

std::string bip_system_text(const BipSubject& subject, const BipOptions& options, const Budget& budget) {
  const bip::Encoding encoding =
      bip::encode(subject.model, subject.properties, engine_of(options.engine, subject.properties));
  return system_text(encoding.system, options.proving.show, budget);
}

}  // namespace plumb::cli
