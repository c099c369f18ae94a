#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/file.h"
#include "circuit/abc_driver_model.h"
#include "circuit/abc_driver_script.h"

namespace plumb::circuit {

/// As the paper's tables count.
struct AigSize {
  std::uint32_t latches = 0;
  std::uint32_t ands = 0;
  std::uint32_t levels = 0;

  friend bool operator==(const AigSize&, const AigSize&) = default;
};

struct AbcOptions {
  std::string program = "berkeley-abc";  ///< on PATH, or a path
  /// Address space of each process; the budget's memory limit if absent.
  std::optional<std::uint64_t> memory;
};

/// What ABC says holds in each step behind the first (in every step unless AbcModel::has_free_start()) of a run that
/// keeps the constraints. Not believed by anyone: whoever uses it proves it. A combinational graph whose inputs are the
/// latches of the circuit, by ordinal; all outputs hold together.
struct AbcInvariant {
  Aig aig;
};

enum class AbcAnswer : std::uint8_t {
  Holds,     ///< a claim
  Violated,  ///< a claim, with a counterexample
  Undecided,
  Failed,  ///< no ABC, a crash, a limit, or an answer that makes no sense
};

struct AbcProof {
  AbcAnswer answer = AbcAnswer::Failed;
  std::string reason;  ///< of Undecided and Failed
  std::optional<AbcCounterexample> counterexample;
  /// Of pdr and int, unless the reduction made latches that the circuit does not have.
  std::optional<AbcInvariant> invariant;
  double seconds = 0;
};

/// One circuit and one of its bads in the hands of ABC: a process for all reductions, then one for each proof, with
/// files in a temporary directory of this object. The circuit need not live on. prove() may be called from several
/// threads at once, after reduce() has returned. Nothing that ABC does is an exception: it costs an answer, with the
/// reason.
class AbcDriver {
 public:
  AbcDriver(const Aig& circuit, std::size_t bad, AbcOptions options = {}, const Budget& budget = {});

  struct Reduction {
    std::string step;  ///< empty for the circuit as it was given
    AigSize size;      ///< behind the step
  };
  struct Reduced {
    bool ok = false;  ///< otherwise proofs work on the circuit as it was
    /// Why it is not ok, or which steps were left out: ABC retimes even where it finds no initial values for the new
    /// latches, which would change the circuit.
    std::string reason;
    std::vector<Reduction> sizes;  ///< the size before, then one a step
    double seconds = 0;
  };
  /// Runs the steps, none of which may be a proof. Each call starts from the circuit as it was given.
  Reduced reduce(const std::vector<AbcStep>& steps, const Budget& budget);

  enum class Target : std::uint8_t { Reduced, Original };
  /// On the circuit as reduce() left it, or as it was given. Needs a step that is a proof. The claim of `ind` is that
  /// of the inductive case alone. Where no latch is left, `ind` and `int`, which need one, get the circuit as it was
  /// given.
  AbcProof prove(const AbcStep& step, const Budget& budget, Target target = Target::Reduced) const;

  const AbcModel& model() const noexcept { return model_; }
  /// The size of the circuit as ABC gets it.
  const AigSize& size() const noexcept { return size_; }
  /// The AIGER file of the circuit as reduce() left it, or as it was given; lives as long as this object.
  std::filesystem::path circuit_file() const;

 private:
  struct Run {
    bool ok = false;
    std::string reason;
    std::string output;
    double seconds = 0;
  };
  Run run_reduction(const std::vector<AbcStep>& steps, const Budget& budget) const;
  Run run(const std::string& script, const std::filesystem::path& script_file, const Budget& budget) const;
  struct Job {
    const AbcStep& step;
    std::string input;  ///< the file that ABC reads
    std::string stem;   ///< of the files that it writes
  };
  void read_answer(const Job& job, const Run& run, AbcProof& proof) const;
  void read_counterexample(const std::filesystem::path& file, AbcProof& proof) const;
  void read_invariant(const Job& job, AbcProof& proof) const;

  AbcModel model_;
  AbcOptions options_;
  AigSize size_;
  TemporaryDirectory directory_;
  bool is_reduced_ = false;
  bool is_combinational_ = false;  ///< behind the reduction
};

}  // namespace plumb::circuit
