#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lang/tiny/tiny.h"
#include "term/evaluator.h"

namespace plumb::tiny {

/// A program as far as its control graph, run on the graph alone.
class GraphRun {
 public:
  GraphRun(const std::string& text, const Options& options);

  const Lowered& lowered() const { return lowered_; }
  /// Back to the start, with nothing set.
  void restart();
  /// Initial values by the variables' unique names; elements of arrays in their order. What is not given is zero.
  void set(const std::string& name, std::vector<std::uint64_t> values);
  /// The value that an input has whenever it is read.
  void choose(const std::string& name, std::uint64_t value);
  /// Runs to the end, or `limit` statements. Says whether it has ended.
  bool run(std::size_t limit = 10000);

  std::uint64_t value(const std::string& name, std::uint64_t element = 0) const;
  /// Names of properties that failed on the way.
  const std::set<std::string>& failed() const { return failed_; }
  /// `line:column` of the checks that failed.
  const std::set<std::string>& places() const { return places_; }
  std::size_t statements() const { return statements_; }

 private:
  term::Term variable(const std::string& name) const;

  Lowered lowered_;
  term::Assignment assignment_;
  std::set<std::string> failed_;
  std::set<std::string> places_;
  std::size_t statements_ = 0;
};

Program parsed(const std::string& text);

}  // namespace plumb::tiny
