#pragma once

#include "cli/prove_options.h"
#include "cli/prove_report.h"

namespace plumb::cli {

/// Makes the directory of --out, so that a mistake in its name shows before the work is done. Throws UserError.
void prepare_out(const Context& context);

/// A system as traces and users know it, and as certificates speak of it.
struct ReportedSystem {
  ReportedSystem(const system::System& both) : shown(both), proved(both) {}
  ReportedSystem(const system::System& as_shown, const system::System& as_proved)
      : shown(as_shown), proved(as_proved) {}

  const system::System& shown;
  const system::System& proved;
};

/// Writes what --vcd, --witness, --certificate and --out ask for, each file whole or not at all, and enters it in the
/// answers. In the directory of --out: NAME.vcd, NAME.witness, NAME.json and, of a BIP model, NAME.guide for what is
/// violated, NAME.smt2 for what holds. Throws UserError.
void write_result_files(ProofReport& report, const ReportedSystem& system, const ProvingOptions& options,
                        const Context& context);

/// Text on standard output unless --json, the object as --json and --out ask, and the exit code.
int publish_report(const ProofReport& report, const ProvingOptions& options, const Context& context);

/// What a certificate file proves: Holds, or Unknown with the reason. Throws UserError if it is none of this system's.
ProvedProperty check_certificate_file(const system::System& system, const std::vector<SystemProperty>& properties,
                                      const std::string& file, const Budget& budget);

std::string certificate_note(const std::string& file);

/// The properties that a BTOR2 witness violates; if there are none, an answer that says so. Throws UserError if it
/// cannot be read.
std::vector<ProvedProperty> replay_witness(const system::System& system, const std::vector<SystemProperty>& properties,
                                           const std::string& file);

}  // namespace plumb::cli
