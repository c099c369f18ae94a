#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "result/export/suite.h"

namespace plumb::result {

/// The content of a .ktest file of KLEE, format version 3.
struct KTest {
  std::vector<std::string> arguments;  ///< the program's name, then KLEE's words for its environment
  std::vector<std::pair<std::string, std::string>> objects;  ///< names and bytes
};

/// The bytes of the file. Empty arguments, and objects without a name or bytes, would make KLEE's reader fail.
std::string to_bytes(const KTest& test);

/// One test as KLEE would have written it: an object for every input of the program, in order. If the test has an
/// environment, what klee-replay needs to set it up comes before, in the order in which KLEE's POSIX runtime asks for
/// it: an argument is "-sym-arg N" and the object arg00, files are "-sym-files COUNT SIZE" and A_data, A_data_stat, …,
/// standard input is "-sym-stdin N" and stdin, stdin_stat; model_version is the last.
/// What KLEE cannot say is added to `losses`.
KTest to_ktest(const StoredTest& test, const SuiteProgram& program, Losses& losses);

/// test000001.ktest and on, whose numbers are the tests', and tests.txt: a line for each with its SHA-256, its name and
/// how the run ended, for what KLEE has *.err files.
Export to_ktest(std::span<const StoredTest> tests, const SuiteProgram& program);

/// Whether `listing`, the content of a tests.txt, names the file with this content.
bool lists(std::string_view listing, std::string_view name, std::string_view content);

}  // namespace plumb::result
