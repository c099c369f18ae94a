// The numbers of files are llvm-cov's own. The branches are taken from the functions, where constant conditions are
// left out and each region tells by its file number whether it comes from a macro; regions of expansion lead from there
// to the use of the macro, which is the only place that a debugger, and so the search, knows of it.
#include "result/coverage/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <tuple>

#include "base/error.h"

namespace plumb::result {
namespace {

using nlohmann::json;

constexpr int kExpansionRegion = 1;

Ratio ratio_of(const json& summary, const char* key) {
  const auto found = summary.find(key);
  if (found == summary.end()) return {};
  return {found->at("covered").get<std::uint64_t>(), found->at("count").get<std::uint64_t>()};
}

CoverageSummary summary_of(const json& summary) {
  return {ratio_of(summary, "lines"), ratio_of(summary, "branches"), ratio_of(summary, "mcdc"),
          ratio_of(summary, "functions"), ratio_of(summary, "regions")};
}

TextPosition position(const json& region, std::size_t at) {
  return {region.at(at).get<std::uint32_t>(), region.at(at + 1).get<std::uint32_t>()};
}

/// Static functions are called FILE:NAME.
std::string plain_name(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  const bool is_qualified = colon == std::string::npos || (colon > 0 && name[colon - 1] == ':');
  return is_qualified ? name : name.substr(colon + 1);
}

/// The regions of one function, whose files are numbered: 0 is where it is written, others are the macros that are used
/// in it, one a use, and files that are included in its middle.
class FunctionRegions {
 public:
  explicit FunctionRegions(const json& function) : function_(function) {
    for (const json& region : function.at("regions"))
      if (region.at(7).get<int>() == kExpansionRegion)
        expansions_.emplace(region.at(6).get<std::size_t>(), std::pair(region.at(5).get<std::size_t>(), &region));
  }

  void add_branches(std::vector<BranchRegion>& branches) const {
    const std::string name = plain_name(function_.at("name").get<std::string>());
    for (const json& region : function_.at("branches")) {
      BranchRegion branch;
      std::size_t file = region.at(6).get<std::size_t>();
      branch.function = name;
      branch.file = file_name(file);
      branch.begin = branch.use = position(region, 0);
      branch.end = position(region, 2);
      branch.times_true = region.at(4).get<std::uint64_t>();
      branch.times_false = region.at(5).get<std::uint64_t>();
      // A file number leads to a smaller one, so this ends.
      for (auto up = expansions_.find(file); up != expansions_.end() && up->second.first < file;
           up = expansions_.find(file)) {
        branch.use = position(*up->second.second, 0);
        branch.is_in_macro = true;
        file = up->second.first;
      }
      branch.use_file = file_name(file);
      branches.push_back(std::move(branch));
    }
  }

 private:
  std::string file_name(std::size_t number) const { return function_.at("filenames").at(number).get<std::string>(); }

  const json& function_;
  std::map<std::size_t, std::pair<std::size_t, const json*>> expansions_;  ///< by file: the file and region of its use
};

/// Branches of functions by where those are written: copies that several units have of a header's are added up.
using FunctionKey = std::tuple<std::string, TextPosition, std::size_t>;
using BranchesByFunction = std::map<FunctionKey, std::vector<BranchRegion>>;

void add_function(const json& function, BranchesByFunction& all) {
  std::vector<BranchRegion> branches;
  FunctionRegions(function).add_branches(branches);
  if (branches.empty()) return;
  const FunctionKey key{function.at("filenames").at(0).get<std::string>(), position(function.at("regions").at(0), 0),
                        branches.size()};
  const auto [known, is_new] = all.try_emplace(key, branches);
  if (is_new) return;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    known->second[i].times_true += branches[i].times_true;
    known->second[i].times_false += branches[i].times_false;
  }
}

}  // namespace

Ratio& Ratio::operator+=(const Ratio& other) {
  covered += other.covered;
  total += other.total;
  return *this;
}

CoverageSummary& CoverageSummary::operator+=(const CoverageSummary& other) {
  lines += other.lines;
  branches += other.branches;
  conditions += other.conditions;
  functions += other.functions;
  regions += other.regions;
  return *this;
}

CoverageSummary Coverage::totals() const {
  CoverageSummary all;
  for (const FileCoverage& file : files) all += file.summary;
  return all;
}

Coverage parse_coverage(std::string_view text) {
  Coverage coverage;
  BranchesByFunction branches;
  try {
    const json object = json::parse(text);
    for (const json& part : object.at("data")) {
      for (const json& file : part.at("files"))
        coverage.files.push_back({file.at("filename").get<std::string>(), summary_of(file.at("summary"))});
      for (const json& function : part.at("functions")) add_function(function, branches);
    }
  } catch (const json::exception& error) {
    throw UserError(fmt::format("llvm-cov printed something that is not understood: {}", error.what()),
                    "plumb needs llvm-cov of LLVM 19");
  }
  for (auto& [key, regions] : branches) std::ranges::move(regions, std::back_inserter(coverage.branches));
  std::ranges::stable_sort(coverage.branches, {},
                           [](const BranchRegion& branch) { return std::tie(branch.use_file, branch.use); });
  std::ranges::sort(coverage.files, {}, &FileCoverage::file);
  return coverage;
}

Coverage restricted(const Coverage& coverage, const std::string& expression) {
  std::regex wanted;
  try {
    wanted.assign(expression, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw UserError(fmt::format("'{}' is no regular expression: {}", expression, error.what()));
  }
  const auto is_unwanted = [&](const std::string& file) { return !std::regex_search(file, wanted); };
  Coverage part = coverage;
  std::erase_if(part.files, [&](const FileCoverage& file) { return is_unwanted(file.file); });
  // A macro's branch counts for the file that uses it.
  std::erase_if(part.branches, [&](const BranchRegion& branch) { return is_unwanted(branch.use_file); });
  return part;
}

}  // namespace plumb::result
