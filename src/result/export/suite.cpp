#include "result/export/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace plumb::result {

bool reaches_error(const StoredTest& test) { return test.end == "error" && test.code == kErrorReached; }

std::string_view error_name(int code) {
  constexpr std::array<std::string_view, 8> kWords = {"error", "assertion",        "check",          "reach_error",
                                                      "abort", "division by zero", "stack overflow", "signal"};
  return kWords[code > 0 && static_cast<std::size_t>(code) < kWords.size() ? static_cast<std::size_t>(code) : 0];
}

std::string end_text(const StoredTest& test) {
  if (test.end == "exit") return fmt::format("exit code {}", test.code);
  if (test.end == "signal") return fmt::format("signal {}", test.code);
  if (test.end.empty()) return "not recorded";
  if (test.end != "error") return test.end;
  if (test.code == kMemoryError) return "error: memory, seen by the interpreter";
  const std::string_view name = error_name(test.code);
  return name == "error" ? "error" : fmt::format("error: {}", name);
}

std::string counted_tests(std::size_t count) { return fmt::format("{} test{}", count, count == 1 ? "" : "s"); }

void Losses::add(const StoredTest& test, std::string what) {
  auto loss = std::ranges::find(losses_, what, &Loss::what);
  if (loss == losses_.end()) loss = losses_.insert(loss, Loss{.what = std::move(what)});
  if (loss->tests != 0 && loss->last_test == test.number) return;
  loss->last_test = test.number;
  ++loss->tests;
}

std::vector<std::string> Losses::sentences() const {
  std::vector<std::string> sentences;
  for (const Loss& loss : losses_) sentences.push_back(fmt::format("{}: {}", counted_tests(loss.tests), loss.what));
  return sentences;
}

}  // namespace plumb::result
