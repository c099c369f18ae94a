#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "result/coverage/coverage.h"
#include "result/coverage/uncovered.h"
#include "result/test_case.h"

namespace plumb::result {

/// The index page of a coverage report: how much ran, what did not and why, and the tests.
struct CoveragePage {
  struct Test {
    std::uint32_t number = 0;
    std::string inputs;  ///< short_text()
    std::string end;
    std::string recorded;  ///< how it ended in the campaign; empty: not known
    bool is_failure = false;
    bool is_different = false;  ///< not as recorded
  };
  std::string program;
  std::filesystem::path base;  ///< that names of files are shown relative to
  Coverage coverage;
  std::vector<UncoveredSide> uncovered;
  std::vector<Test> tests;
  std::vector<std::string> notes;
  std::string sources;  ///< the directory of llvm-cov's pages, as the page refers to it
};

/// What the page says about who wrote it, by which a directory of ours is known.
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"plumb replay\"/>";

/// One page without scripts that is also well-formed XML.
std::string to_html(const CoveragePage& page);

/// `-n 3 <stdin "ab\n" A="…" x=5`: a test in a line of about `length` characters.
std::string short_text(const TestCase& test, std::size_t length);

/// "5/7" and "71.4 %"; the latter is empty if there is nothing to cover.
std::string counts(const Ratio& ratio);
std::string percent(const Ratio& ratio);

/// The name of a file beneath `base` is shown relative to it.
std::string shown_name(const std::string& file, const std::filesystem::path& base);

}  // namespace plumb::result
