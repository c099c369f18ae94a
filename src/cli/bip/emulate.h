#pragma once

#include "cli/bip/subject.h"
#include "cli/bip/watched_run.h"
#include "lang/bip/run/guide.h"

namespace plumb::cli {

/// `plumb bip --emulate`: prints each step and what is violated where. Returns the exit code: 10 for a violation and,
/// without --no-deadlock, for a deadlock; 20 if the budget ended first. Throws UserError for a guide that cannot be
/// followed, behind the steps that can.
int emulate(const BipSubject& subject, const BipOptions& options, const Context& context);

/// The guide that the options name, if they do.
std::optional<bip::Guide> read_guide(const bip::Model& model, const BipOptions& options);

/// "  violated: mutex: 'a.x == 0' is false: a.x = 3", a line for each of the properties that were found.
std::string violation_lines(const BipSubject& subject, const WatchedRun& run, const std::vector<std::size_t>& found);

/// "violated: mutex, deadlock", "no property was violated"; empty if there are no properties.
std::string violation_summary(const BipSubject& subject, const WatchedRun& run);

/// Of a run that ended so; `end` is nothing if it was broken off.
result::Conclusion emulation_conclusion(const WatchedRun& run, std::optional<bip::EmulationEnd> end,
                                        const BipOptions& options);

/// The values that free variables start with: what the guide gives, otherwise zero.
std::vector<std::optional<std::int64_t>> initial_values(const bip::Model& model,
                                                        const std::optional<bip::Guide>& guide);

/// Writes the run as a guide, where --guide-out and --out ask for it; returns the files.
std::vector<std::string> write_run(const bip::Model& model, const std::optional<bip::Guide>& guide,
                                   const std::vector<bip::Choice>& choices, const BipOptions& options,
                                   const CommonOptions& common);

}  // namespace plumb::cli
