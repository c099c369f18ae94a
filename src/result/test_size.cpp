#include "result/test_size.h"

namespace plumb::result {

TestSize size_of(const TestCase& test) {
  TestSize size;
  const auto add = [&](const auto& bytes) {
    ++size.parts;
    size.bytes += bytes.size();
    for (const auto byte : bytes) size.weight += static_cast<std::uint8_t>(byte);
  };
  for (const TestInput& input : test.inputs) add(input.bytes);
  const Environment& environment = test.environment;
  for (const std::string& argument : environment.arguments) add(argument);
  for (const Environment::File& file : environment.files) add(file.bytes);
  for (const auto& [name, value] : environment.variables) add(value);
  if (environment.standard_input) add(*environment.standard_input);
  size.parts += environment.failing_calls.size();
  return size;
}

}  // namespace plumb::result
