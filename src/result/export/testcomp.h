#pragma once

#include <span>
#include <string>

#include "result/export/suite.h"

namespace plumb::result {

/// What metadata.xml says besides the tests.
struct TestCompFacts {
  std::string producer;
  std::string program_hash;   ///< SHA-256 of the program's file; of all files one after the other if there are more
  std::string creation_time;  ///< ISO 8601
  bool covers_error_call = false;  ///< the suite's aim is reach_error, not all branches
};

/// A suite in the exchange format of Test-Comp, version 1.1: metadata.xml and testcase-000001.xml and on, whose numbers
/// are the tests'. An input is one value for each value that the program asks for: numbers in decimal, with the C type
/// of a nondet function as `type`; named objects of 1, 2, 4 or 8 bytes as a signed number with their name as
/// `variable`; other memory byte by byte, as __VERIFIER_nondet_memory takes it.
Export to_testcomp(std::span<const StoredTest> tests, const SuiteProgram& program, const TestCompFacts& facts);

/// How the two kinds of files begin: by this an export tells its own files from others.
std::string_view testcomp_metadata_head();
std::string_view testcomp_test_head();

}  // namespace plumb::result
