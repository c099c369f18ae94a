#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/prove_trace.h"
#include "cli/read_system.h"
#include "prove/prove.h"
#include "result/report.h"

namespace plumb::cli {

/// A property and what became of it.
struct ProvedProperty {
  std::size_t bad = 0;  ///< position in System::bads()
  SystemProperty property;
  std::string kind;  ///< of a program's property: "postcondition", "index", …; empty otherwise
  prove::Result result;
  std::string vacuity;              ///< of Vacuous: why; empty: no run satisfies the assumptions
  std::string moment;               ///< of a counterexample: when, "after 3 interactions"; empty: in step `bound`
  std::string failure;              ///< of a counterexample: what went wrong, in words; may be empty
  std::optional<ShownTrace> shown;  ///< the counterexample
  nlohmann::ordered_json replay;    ///< of a program's counterexample: what --replay reads; null otherwise
  std::string guide;                ///< of a BIP model's counterexample: what --guide reads; empty otherwise
  std::vector<result::WrittenFile> files;  ///< what was written
};

/// All that a run of a proving command found; text and object are made of this alone.
struct ProofReport {
  std::string command;
  std::vector<std::string> inputs;
  bool is_program = false;  ///< steps are those of a program, which ends
  std::vector<ProvedProperty> answers;
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  std::size_t states = 0;
  std::uint64_t state_bits = 0;
  std::size_t system_inputs = 0;
  nlohmann::ordered_json model;  ///< sizes of a BIP model; null otherwise
  double seconds = 0;
};

/// Fills in the sizes of the system.
void measure(ProofReport& report, const system::System& system);

/// "holds", "holds up to 12 steps", "violated", "unknown", "vacuous".
std::string verdict_text(const ProvedProperty& answer);
/// The worst over all.
result::Verdict verdict(const ProofReport& report);

struct ReportOptions {
  bool full_trace = false;
  bool is_verbose = false;  ///< every engine and every step of the reduction
};
std::string to_text(const ProofReport& report, const ReportOptions& options);
result::Report to_report(const ProofReport& report);

}  // namespace plumb::cli
