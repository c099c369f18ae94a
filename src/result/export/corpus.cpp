#include "result/export/corpus.h"

#include <algorithm>

#include "result/export/sha256.h"

namespace plumb::result {
namespace {

void append(std::string& text, std::span<const std::uint8_t> bytes) { text.append(bytes.begin(), bytes.end()); }

std::string content_of(const TestCase& test) {
  std::string content;
  if (test.environment.standard_input) {
    append(content, *test.environment.standard_input);
  } else if (!test.environment.files.empty()) {
    append(content, test.environment.files.front().bytes);
  } else {
    for (const TestInput& input : test.inputs) append(content, input.bytes);
  }
  return content;
}

/// Besides the string that the fuzzer knows.
bool has_more(const TestCase& test) {
  const Environment& environment = test.environment;
  const std::size_t strings = environment.files.size() + (environment.standard_input ? 1 : 0);
  return !environment.arguments.empty() || !environment.variables.empty() || !environment.failing_calls.empty() ||
         strings > 1 || (strings == 1 && !test.inputs.empty());
}

}  // namespace

std::string corpus_file_name(std::string_view content) { return "plumb-" + sha256(content).substr(0, 16); }

Export to_corpus(std::span<const StoredTest> tests) {
  Export result;
  Losses losses;
  for (const StoredTest& test : tests) {
    std::string content = content_of(test.test);
    std::string name = corpus_file_name(content);
    if (has_more(test.test))
      losses.add(test, "more than one string of bytes, of which a corpus has the standard input or the first file");
    result.files.push_back({std::move(name), std::move(content)});
  }
  std::ranges::sort(result.files, {}, &ExportedFile::name);
  const auto same = std::ranges::unique(result.files, {}, &ExportedFile::name);
  result.files.erase(same.begin(), same.end());
  result.losses = losses.sentences();
  return result;
}

}  // namespace plumb::result
