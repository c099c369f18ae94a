#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "base/budget.h"
#include "cli/shell/design.h"
#include "cli/shell/proving.h"
#include "cli/shell/simulation.h"

namespace plumb::cli::shell {

/// What `set` changes.
struct Settings {
  std::optional<std::chrono::duration<double>> timeout;  ///< of each command
  std::optional<std::uint64_t> memory;
  std::uint64_t seed = 1;
  circuit::AbcOptions abc;
  bool trust_abc = false;  ///< a proof of ABC that could not be re-checked counts
};

/// All that one command leaves to the next. Commands change it only when they succeed: what throws leaves the session
/// as it was.
struct Session {
  Session(std::ostream& stream, Settings initial) : out(stream), settings(std::move(initial)) {}

  std::ostream& out;
  Settings settings;
  tiny::Options configuration;  ///< of the next session; start_prove and start_sim change it
  std::optional<Source> source;
  std::unique_ptr<Proving> proving;
  std::unique_ptr<Simulation> simulation;

  Budget budget;  ///< of the command that runs
  double last_seconds = 0;
  double total_seconds = 0;
  std::optional<prove::Verdict> last_verdict;
  bool has_quit = false;

  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out << fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  // What a command needs; throw UserError that says which command comes first.
  const Source& needed_source() const;
  Proving& needed_proving() const;
  Simulation& needed_simulation() const;
  /// The design of the proving session, or a new one of the program at the configuration.
  std::shared_ptr<const Design> current_design() const;
};

}  // namespace plumb::cli::shell
