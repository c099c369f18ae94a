#pragma once

#include <span>
#include <string>

#include "result/export/suite.h"

namespace plumb::result {

/// The tests as a corpus for fuzzers that know a single string of bytes (AFL++, libFuzzer, honggfuzz): a file for each
/// different string. That string is standard input if the test has one, else its first file, else the inputs that the
/// program asks for, one after the other, which is how a harness around LLVMFuzzerTestOneInput hands them out.
/// Names are plumb- and the first 16 digits of the content's SHA-256: the same tests give the same files whatever their
/// numbers are, and corpora can be merged by copying.
Export to_corpus(std::span<const StoredTest> tests);

std::string corpus_file_name(std::string_view content);

}  // namespace plumb::result
