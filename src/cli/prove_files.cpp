#include "cli/prove_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "prove/certificate.h"
#include "replay/simulator_replayer.h"
#include "system/waveform.h"

namespace plumb::cli {
namespace {

using prove::Verdict;

/// A name that every file system takes.
std::string file_name(std::string_view property) {
  std::string name;
  for (const char c : property) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
    name += is_plain ? c : '_';
  }
  return name.empty() || name.front() == '.' ? "_" + name : name.substr(0, 200);
}

class FileWriter {
 public:
  FileWriter(ProofReport& report, const ReportedSystem& system, const ProvingOptions& options, const Context& context)
      : report_(report),
        system_(system.shown),
        certified_(system.proved),
        options_(options),
        directory_(context.common.out) {
    for (const ProvedProperty& answer : report.answers) {
      violated_ += answer.result.verdict == Verdict::Violated ? 1 : 0;
      proved_ += has_certificate(answer) ? 1 : 0;
    }
  }

  void run() {
    std::set<std::string> taken = {"result"};
    for (ProvedProperty& answer : report_.answers) {
      const std::string stem = file_name(answer.property.name);
      std::string name = stem;
      for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
      if (answer.result.verdict == Verdict::Violated) write_counterexample(answer, name);
      if (has_certificate(answer)) write_proof(answer, name);
    }
  }

 private:
  static bool has_certificate(const ProvedProperty& answer) {
    return is_proof(answer.result.verdict) && answer.result.certificate.has_value();
  }

  void write_counterexample(ProvedProperty& answer, const std::string& name) {
    const system::Trace& trace = *answer.result.trace;
    const auto put = [&](const char* kind, const std::string& wanted, const char* suffix, const auto& make) {
      if (wanted.empty() && directory_.empty()) return;
      const std::string text = make();
      if (!wanted.empty()) put_file(answer, kind, chosen_path(wanted, name, violated_), text);
      if (!directory_.empty()) put_file(answer, kind, directory_ / (name + suffix), text);
    };
    put("waveform", options_.vcd, ".vcd", [&] { return system::write_vcd(system_, trace); });
    put("witness", options_.witness, ".witness", [&] { return system::write_witness(system_, trace); });
    if (!answer.guide.empty()) put("guide", options_.guide, ".guide", [&] { return answer.guide; });
    put("counterexample", "", ".json", [&] {
      nlohmann::ordered_json object = result::report_head(report_.command, report_.inputs);
      object["property"] = utf8(answer.property.name);
      if (!answer.replay.is_null()) object.update(answer.replay);
      object["trace"] = answer.shown->object;
      return object.dump(2) + "\n";
    });
  }

  void write_proof(ProvedProperty& answer, const std::string& name) {
    if (options_.certificate.empty() && directory_.empty()) return;
    const std::string text =
        prove::write_certificate(certified_, {report_.inputs.front(), certified_.bads()[answer.bad].name, answer.bad,
                                              answer.result.engine, *answer.result.certificate});
    if (!options_.certificate.empty())
      put_file(answer, "certificate", chosen_path(options_.certificate, name, proved_), text);
    if (!directory_.empty()) put_file(answer, "certificate", directory_ / (name + ".smt2"), text);
  }

  /// The file that the user named; with the property's name before the suffix if there are several.
  static std::filesystem::path chosen_path(const std::string& wanted, const std::string& name, std::size_t count) {
    std::filesystem::path path = wanted;
    if (count > 1) path.replace_filename(fmt::format("{}-{}{}", path.stem().string(), name, path.extension().string()));
    return path;
  }

  static void put_file(ProvedProperty& answer, const char* kind, const std::filesystem::path& path,
                       const std::string& text) {
    write_file(path, text);
    answer.files.emplace_back(kind, path.string());
  }

  ProofReport& report_;
  const system::System& system_;
  const system::System& certified_;
  const ProvingOptions& options_;
  std::filesystem::path directory_;
  std::size_t violated_ = 0;
  std::size_t proved_ = 0;
};

}  // namespace

void prepare_out(const Context& context) {
  if (context.common.out.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(context.common.out, error);
  if (error)
    throw UserError(SourceLocation{context.common.out}, fmt::format("cannot make the directory: {}", error.message()));
}

void write_result_files(ProofReport& report, const ReportedSystem& system, const ProvingOptions& options,
                        const Context& context) {
  FileWriter(report, system, options, context).run();
}

int publish_report(const ProofReport& report, const ProvingOptions& options, const Context& context) {
  if (!context.common.json) {
    context.out << to_text(report, {options.full_trace, context.common.verbose > 0});
    context.out.flush();
  }
  return publish(context, to_report(report));
}

ProvedProperty check_certificate_file(const system::System& system, const std::vector<SystemProperty>& properties,
                                      const std::string& file, const Budget& budget) {
  const prove::CertificateFile certificate = prove::read_certificate(system, read_file(file), file);
  const prove::Check check = prove::check_certificate(system, certificate.bad, certificate.certificate, budget);
  ProvedProperty answer;
  answer.bad = certificate.bad;
  answer.property = properties.at(certificate.bad);
  answer.result.engine = certificate.engine;
  if (check.is_confirmed()) {
    answer.result.verdict = Verdict::Holds;
    answer.result.is_rechecked = true;
    answer.result.certificate = certificate.certificate;
  } else {
    answer.result.reason =
        fmt::format("{}: {}: {}", file,
                    check.outcome == prove::Check::Outcome::Refused ? "the certificate proves nothing"
                                                                    : "the certificate was not checked",
                    check.reason);
  }
  return answer;
}

std::string certificate_note(const std::string& file) {
  return fmt::format("nothing was proved anew: our own solver checked the certificate {}", file);
}

std::vector<ProvedProperty> replay_witness(const system::System& system, const std::vector<SystemProperty>& properties,
                                           const std::string& file) {
  const system::Trace trace = system::read_witness(system, read_file(file), file);
  const replay::Replay replay = replay::SimulatorReplayer(system).run({trace}, {});
  std::vector<ProvedProperty> answers;
  for (const system::Replay::Reached& reached : replay.reached) {
    ProvedProperty answer;
    answer.bad = reached.bad;
    answer.property = properties.at(reached.bad);
    answer.result.verdict = Verdict::Violated;
    answer.result.engine = "replay";
    answer.result.bound = reached.step;
    answer.result.trace = trace;
    answers.push_back(std::move(answer));
  }
  if (answers.empty()) {
    ProvedProperty none;
    none.property.name = file;
    none.result.engine = "replay";
    none.result.reason = replay.problem.empty() ? "this run violates no property" : replay.problem;
    answers.push_back(std::move(none));
  }
  return answers;
}

}  // namespace plumb::cli
