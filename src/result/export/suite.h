#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result/campaign/campaign_store.h"
#include "result/test_case.h"

namespace plumb::result {

/// The program that tests are of, as far as other tools want to know it.
struct SuiteProgram {
  std::vector<std::string> files;  ///< as the user named them
  std::vector<std::string> compiler_flags;
  std::string entry = "main";
  unsigned word_size = 64;
};

/// One file of an export; its name has no directory.
struct ExportedFile {
  std::string name;
  std::string content;
  friend bool operator==(const ExportedFile&, const ExportedFile&) = default;
};

/// What tests are in another tool's format.
struct Export {
  std::vector<ExportedFile> files;
  /// What the format has no words for, with the number of tests that have it: a user has to know.
  std::vector<std::string> losses;
};

/// StoredTest::code of a test whose end is "error": what the runtime numbers, and what the interpreter alone has seen.
enum ErrorCode : int {
  kMemoryError = -1,
  kAssertion = 1,
  kCheck,
  kErrorReached,  ///< reach_error, __VERIFIER_error
  kAbort,
  kDivisionByZero,
  kStackOverflow,
  kOtherSignal,
};

/// "assertion", "division by zero"; "error" if it is none of these.
std::string_view error_name(int code);
/// reach_error was called, which is what Test-Comp means by an error.
bool reaches_error(const StoredTest& test);

/// "exit code 3", "signal 11", "error: assertion", "timeout".
std::string end_text(const StoredTest& test);

/// "1 test", "3 tests".
std::string counted_tests(std::size_t count);

/// Tests that a format leaves something out of, by what it is; counts each test once.
class Losses {
 public:
  void add(const StoredTest& test, std::string what);
  /// "2 tests: variables of the environment, which …", in the order in which they came up.
  std::vector<std::string> sentences() const;

 private:
  struct Loss {
    std::string what;
    std::uint32_t last_test = 0;
    std::size_t tests = 0;
  };
  std::vector<Loss> losses_;
};

}  // namespace plumb::result
