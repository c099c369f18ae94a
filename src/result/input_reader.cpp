#include "result/input_reader.h"

#include <algorithm>

namespace plumb::result {

std::optional<unsigned> clock_input(std::string_view name) {
  const auto* const found = std::ranges::find(kClockInputs, name);
  if (found == kClockInputs.end()) return std::nullopt;
  return static_cast<unsigned>(found - kClockInputs.begin());
}

std::vector<TestInput> own_inputs(const TestCase& test) {
  std::vector<TestInput> own = test.inputs;
  std::erase_if(own, [](const TestInput& input) { return clock_input(input.name).has_value(); });
  return own;
}

const TestInput* InputReader::next(std::string_view name) {
  const bool is_clock = clock_input(name).has_value();
  std::size_t& at = is_clock ? clock_ : own_;
  while (at < test_->inputs.size() && clock_input(test_->inputs[at].name).has_value() != is_clock) ++at;
  if (at == test_->inputs.size() || (is_clock && test_->inputs[at].name != name)) return nullptr;
  return &test_->inputs[at++];
}

}  // namespace plumb::result
