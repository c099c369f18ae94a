#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "concolic/search/explore.h"
#include "concolic/subject.h"

namespace plumb::cli {

/// What tells errors apart: a shorter input for the same one has the same key.
using ErrorKey = std::tuple<concolic::RunEnd, int, concolic::SiteId, concolic::EdgeId>;
ErrorKey key_of(const concolic::FoundError& error);

/// "true" and "false" of a branch, "default" and "case 3" of a switch.
std::string edge_name(const concolic::Subject& subject, concolic::EdgeId edge);
/// {"file", "line", "column", "function", "branch"} of an edge.
nlohmann::ordered_json edge_object(const concolic::Subject& subject, concolic::EdgeId edge);

/// Where the tests of a run go: DIR/tests/test-000001.json, one a file, and DIR/errors/error-001.json. Files of an
/// earlier run are replaced; what else lies in DIR is left alone. Every file is written aside and renamed.
class TestDirectory {
 public:
  /// Throws UserError if DIR/tests or DIR/errors hold anything that no run of ours wrote. Changes nothing.
  explicit TestDirectory(std::filesystem::path path);

  /// Makes the directories and removes the tests of an earlier run. Gives how many those were.
  std::size_t prepare() const;
  void write_test(const concolic::Subject& subject, const concolic::FoundTest& found) const;
  /// A shorter input for a known error goes to the file that the error has.
  std::filesystem::path write_error(const concolic::FoundError& error, const nlohmann::ordered_json& described);

  std::filesystem::path tests() const { return path_ / "tests"; }
  std::filesystem::path errors() const { return path_ / "errors"; }

 private:
  std::filesystem::path path_;
  std::map<ErrorKey, std::size_t> numbers_;  ///< of errors, from 1
};

}  // namespace plumb::cli
