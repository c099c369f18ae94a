#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "result/test_case.h"

namespace plumb::result {

/// A test that a campaign keeps.
struct StoredTest {
  std::uint32_t number = 0;  ///< from 1
  TestCase test;
  std::string end;  ///< "exit", "error", "signal", "timeout", …
  int code = 0;
  double seconds = 0;                ///< of the campaign, when it was found
  std::vector<std::uint32_t> edges;  ///< all that it covers, of those that count, rising
};
/// The run ended in an error: an assertion, a crash, a division by zero.
bool is_error(const StoredTest& test);

/// An error that a campaign found: one a kind and place.
struct StoredError {
  std::string end;
  int code = 0;
  std::uint32_t site = 0;  ///< with `edge`, the place
  std::uint32_t edge = 0;
  TestCase test;                  ///< the shortest
  std::uint32_t test_number = 0;  ///< of the test that shows it
  std::uint64_t runs = 0;
};

/// One side of a condition, or one case of a switch, as the campaign sees it.
struct StoredBranch {
  enum class State : std::uint8_t {
    Covered,
    Infeasible,  ///< the whole program was explored, and no run takes it
    Refuted,     ///< no run on one of the paths seen can take it; other paths may
    TimedOut,    ///< the solver had no answer in time, at least once
    Open,        ///< its condition was reached; it was not asked for before the end
    NotReached,  ///< no run came to its condition
  };
  std::uint32_t edge = 0;
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;
  std::string side;  ///< "true", "false", "default", "case 3"
  State state = State::NotReached;
};
std::string_view name(StoredBranch::State state);  ///< "covered", "not-reached"

/// What a campaign tests and how: enough to go on with it, to build the program again and to tell whether two campaigns
/// are about the same program.
struct StoredProgram {
  std::string fingerprint;                  ///< of the code that is tested: two campaigns with the same share edges
  std::string directory;                    ///< that file names are relative to
  std::vector<std::string> files;           ///< as the command was given them
  std::vector<std::string> compiler_flags;  ///< of clang, those that options of plumb stand for included
  std::string entry;
  std::map<std::string, std::string> options;  ///< of the search and the symbolic environment, as words
};

/// A run whose path no other had: what it takes to make it again.
struct StoredRun {
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t random_seed = 0;
  std::vector<std::uint8_t> inputs;  ///< of pack_inputs()
};

/// Where a search stands besides its tests and runs. Keys are of candidates and targets, as the search makes them.
struct StoredSearch {
  double seconds = 0;  ///< of all sessions
  std::uint64_t runs = 0;
  std::uint64_t sessions = 0;  ///< begun
  std::uint64_t divergences = 0;
  std::uint32_t depth = 0;
  bool is_incomplete = false;           ///< a run did not tell all
  bool has_switched = false;            ///< regions between formulas and paths
  std::string stop;                     ///< of the last session: "complete", "all-branches", …; empty: it was killed
  std::vector<std::uint8_t> modes;      ///< of regions
  std::vector<std::uint64_t> refuted;   ///< candidates that no input takes
  std::vector<std::uint64_t> run_ones;  ///< candidates whose answer was run
  std::vector<std::uint64_t> settled;   ///< targets that gave an error
};

/// How far a campaign was at a time.
struct StoredProgress {
  double seconds = 0;
  std::uint64_t runs = 0;
  std::uint32_t covered = 0;
  std::uint32_t total = 0;
};

/// DIR/campaign.db. What add_test() was given is in the file when it returns: a process that is killed at any moment
/// after that does not lose it. What the other functions were given is written with the next test or commit(), in their
/// order, so that the file always shows the campaign at one moment. Throws UserError if the file is no database of
/// ours, if it was made by another version, if another process is writing to it, or if the disk is full (naming the
/// file and the remedy). Not thread-safe.
class CampaignStore {
 public:
  enum class Mode : std::uint8_t {
    Create,  ///< a new one, in place of what is there: until it is complete, that is what a reader sees
    Resume,
    Read,
  };
  /// `before_replacing`, of Create: called when no other process writes to the campaign any more, and the old one is
  /// still there.
  CampaignStore(const std::filesystem::path& directory, Mode mode, const std::function<void()>& before_replacing = {});
  ~CampaignStore();
  CampaignStore(CampaignStore&&) noexcept;
  CampaignStore& operator=(CampaignStore&&) noexcept;

  static bool exists(const std::filesystem::path& directory);

  void set_program(const StoredProgram& program);
  StoredProgram program() const;

  void add_test(const StoredTest& test);
  std::vector<StoredTest> tests() const;  ///< by number
  /// All of them or none.
  void remove_tests(const std::vector<std::uint32_t>& numbers);

  /// In place of what is known of the same kind and place.
  void set_error(const StoredError& error);
  std::vector<StoredError> errors() const;

  /// In place of all that are there.
  void set_branches(const std::vector<StoredBranch>& branches);
  std::vector<StoredBranch> branches() const;

  void add_progress(const StoredProgress& progress);
  std::vector<StoredProgress> progress() const;

  /// `replaces`: the number of a run that goes a part of the same way; 0: none.
  void add_run(const StoredRun& run, std::uint64_t replaces = 0);
  std::vector<StoredRun> runs() const;
  void add_refuted(std::uint64_t key);
  void add_run_one(std::uint64_t key);
  void add_settled(std::uint64_t target);
  /// All but the keys.
  void set_search(const StoredSearch& search);
  StoredSearch search() const;

  void commit();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plumb::result
