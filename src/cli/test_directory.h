#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <tuple>

#include "concolic/search/search.h"
#include "instrument/subject.h"
#include "result/campaign/campaign_store.h"

namespace plumb::cli {

/// What tells errors apart: a shorter input for the same one has the same key.
using ErrorKey = std::tuple<replay::RunEnd, int, instrument::SiteId, instrument::EdgeId>;
ErrorKey key_of(const replay::FoundError& error);

/// Errors as they are stored; one whose end is not known is left out.
std::vector<replay::FoundError> found_errors(const std::vector<result::StoredError>& stored);

/// "true" and "false" of a branch, "default" and "case 3" of a switch.
std::string edge_name(const instrument::Subject& subject, instrument::EdgeId edge);
std::string edge_name(const instrument::Site& site, instrument::EdgeId edge);
/// {"file", "line", "column", "function", "branch"} of an edge.
nlohmann::ordered_json edge_object(const instrument::Subject& subject, instrument::EdgeId edge);
nlohmann::ordered_json edge_object(const result::StoredBranch& branch);

/// The branches that count, by edge.
using BranchTable = std::map<instrument::EdgeId, result::StoredBranch>;
BranchTable branches_of(const instrument::Subject& subject);

/// Where the tests of a run go: DIR/tests/test-000001.json, one a file, and DIR/errors/error-001.json. Files of an
/// earlier run are replaced; what else lies in DIR is left alone. Every file is written aside and renamed; what a
/// killed run left aside is removed.
class TestDirectory {
 public:
  /// Throws UserError if DIR/tests or DIR/errors hold anything that no run of ours wrote. Changes nothing.
  explicit TestDirectory(std::filesystem::path path);

  /// Makes the directories and removes the tests of an earlier run. Gives how many those were.
  std::size_t prepare() const;
  /// Makes the files those of the tests and errors: writes what is missing, removes what is none of them.
  void restore(std::span<const result::StoredTest> tests, std::span<const replay::FoundError> errors,
               const BranchTable& branches);
  void write_test(const result::StoredTest& test, std::span<const instrument::EdgeId> new_edges,
                  const BranchTable& branches) const;
  void remove_test(std::uint32_t number) const;
  /// A shorter input for a known error goes to the file that the error has.
  std::filesystem::path write_error(const replay::FoundError& error, const nlohmann::ordered_json& described);
  /// Its file if a defect is told there that this very input was confirmed to show; else empty.
  std::filesystem::path confirmed_file(const replay::FoundError& error) const;

  std::filesystem::path tests() const { return path_ / "tests"; }
  std::filesystem::path errors() const { return path_ / "errors"; }

 private:
  std::filesystem::path test_file(std::uint32_t number) const;
  std::filesystem::path error_file(std::size_t number) const;

  std::filesystem::path path_;
  std::map<ErrorKey, std::size_t> numbers_;  ///< of errors, from 1
};

}  // namespace plumb::cli
