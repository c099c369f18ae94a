#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/design.h"
#include "system/trace.h"

namespace plumb::cli::shell {

/// A run of a design that was made once and can be looked at: by random choices, or by those of a counterexample.
class Simulation {
 public:
  /// `origin` says where the trace is from, for people.
  Simulation(std::shared_ptr<const Design> design, system::Trace trace, std::string origin);

  const Design& design() const noexcept { return *design_; }
  const system::Trace& trace() const noexcept { return trace_; }
  const std::string& origin() const noexcept { return origin_; }
  std::size_t frames() const noexcept { return trace_.steps.size(); }
  const system::Replay& replay() const noexcept { return replay_; }

  /// A signal that can be shown: a variable of a Tiny program, a state, an input, a wire, a property or an annotation
  /// of the system, or an element of an array.
  struct Signal {
    std::string name;
    system::Term term;
    std::optional<BitVector> element;  ///< of an array
    std::uint64_t elements = 0;        ///< of a whole array, if known
    const system::Annotation* texts = nullptr;
    bool is_flag = false;  ///< one bit, shown as 0 or 1
  };
  std::vector<std::string> names() const;
  /// By name, by its end where that is only one's (`z` for `main::z`), and with an index for an element. Throws
  /// UserError with the nearest name.
  Signal signal(const std::string& name) const;
  /// Values of the signals, as text, by frame from `from` to `to`.
  std::vector<std::vector<std::string>> values(const std::vector<Signal>& signals, std::size_t from,
                                               std::size_t to) const;

 private:
  std::vector<Signal> signals() const;

  std::shared_ptr<const Design> design_;
  system::Trace trace_;
  std::string origin_;
  system::Replay replay_;
};

/// A table with a head and columns set right.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);

}  // namespace plumb::cli::shell
