#include "result/test_size.h"

namespace plumb::result {

TestSize size_of(const TestCase& test) {
  TestSize size;
  const auto add = [&](std::size_t bytes) {
    ++size.parts;
    size.bytes += bytes;
  };
  for (const TestInput& input : test.inputs) add(input.bytes.size());
  const Environment& environment = test.environment;
  for (const std::string& argument : environment.arguments) add(argument.size());
  for (const Environment::File& file : environment.files) add(file.bytes.size());
  for (const auto& [name, value] : environment.variables) add(value.size());
  if (environment.standard_input) add(environment.standard_input->size());
  size.parts += environment.failing_calls.size();
  return size;
}

}  // namespace plumb::result
