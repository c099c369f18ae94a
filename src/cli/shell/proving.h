#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/design.h"
#include "prove/abc_session.h"
#include "prove/problem.h"
#include "prove/prove.h"

namespace plumb::cli::shell {

/// A counterexample that was replayed on the system and, for a Tiny program, by the interpreter.
struct Found {
  system::Trace trace;
  std::size_t bad = 0;  ///< the property that is violated first
  std::size_t step = 0;
  std::string engine;
  std::optional<tiny::Counterexample> explained;  ///< of a Tiny program
};

/// A proving session: a design, one circuit whose only output says that one of the properties is violated, and what ABC
/// was asked to do with it so far. Reductions are kept as a script that starts from the whole circuit, so what is
/// reduced can always be traced back to the words of the design.
class Proving {
 public:
  /// Makes the circuit of these properties (positions in System::bads()). Throws OutOfBudget and Unsupported.
  Proving(std::shared_ptr<const Design> design, std::vector<std::size_t> properties, const circuit::AbcOptions& abc,
          const Budget& budget);

  const std::shared_ptr<const Design>& design() const noexcept { return design_; }
  const std::vector<std::size_t>& properties() const noexcept { return properties_; }

  /// Applies one reduction to the circuit. Throws UserError with ABC's reason if that did not work; the circuit is then
  /// as it was.
  void reduce(const circuit::AbcStep& step, const circuit::AbcOptions& abc, const Budget& budget);
  /// One proof of ABC on the circuit as it is. The result is for conclude().
  prove::Result prove(const circuit::AbcStep& step, const circuit::AbcOptions& abc, const Budget& budget,
                      bool trust_abc);
  /// Takes note of a verdict on `bad` of the design, or on all properties together. A counterexample is replayed and
  /// explained first: throws InternalError if that fails.
  void conclude(const prove::Result& result, std::optional<std::size_t> bad);
  /// Whether no run under the precondition comes to the end of a Tiny program, which makes every proof empty. Nothing
  /// if that is not known or there is no such question.
  std::optional<bool> is_vacuous(const Budget& budget) const;

  /// The size before reductions, then behind each.
  const std::vector<circuit::AbcDriver::Reduction>& sizes() const noexcept { return abc_->reduced().sizes; }
  const circuit::AigSize& size() const noexcept { return sizes().back().size; }
  std::size_t input_count() const noexcept { return abc_->driver().model().aig().inputs().size(); }
  /// The AIGER file of the circuit as it is; until the next reduction.
  std::filesystem::path circuit_file() const { return abc_->driver().circuit_file(); }
  const std::vector<circuit::AbcStep>& steps() const noexcept { return steps_; }
  /// `add : i/o = 8/ 1 lat = 18 and = 129 lev = 10`, as ABC prints it.
  std::string statistics() const;

  const std::optional<prove::Result>& last() const noexcept { return last_; }
  const std::optional<Found>& found() const noexcept { return found_; }
  double seconds() const { return watch_.seconds(); }  ///< since the session began

 private:
  void use(const circuit::AbcOptions& abc, const Budget& budget);
  Found replayed(const prove::Result& result, std::optional<std::size_t> bad) const;

  std::shared_ptr<const Design> design_;
  std::vector<std::size_t> properties_;
  system::System whole_;  ///< the design's system with one bad more: any of the properties
  prove::Problem problem_;
  std::string program_;  ///< that abc_ runs
  std::vector<circuit::AbcStep> steps_;
  std::unique_ptr<prove::AbcSession> abc_;
  std::optional<prove::Result> last_;
  std::optional<Found> found_;
  prove::Stopwatch watch_;
};

}  // namespace plumb::cli::shell
