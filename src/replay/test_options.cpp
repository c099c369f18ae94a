#include "replay/test_options.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "result/input_reader.h"

namespace plumb::replay {

interpret::InterpreterOptions test_options(const result::TestCase& test, std::string program, ProgramFiles& files) {
  interpret::InterpreterOptions options;
  options.arguments = {std::move(program)};
  options.arguments.insert(options.arguments.end(), test.environment.arguments.begin(),
                           test.environment.arguments.end());
  options.inputs = [reader = result::InputReader(test)](
                       std::string_view name, std::size_t size) mutable -> std::optional<std::vector<std::uint8_t>> {
    const result::TestInput* input = reader.next(name);
    if (input == nullptr) return std::nullopt;
    std::vector<std::uint8_t> bytes = input->bytes;
    bytes.resize(size);
    return bytes;
  };
  options.unset = test.unset;
  std::span<const std::uint8_t> standard_input;
  if (test.environment.standard_input) standard_input = *test.environment.standard_input;
  options.standard_input = [rest = standard_input](std::span<std::uint8_t> buffer) mutable {
    const std::size_t size = std::min(buffer.size(), rest.size());
    std::copy_n(rest.begin(), size, buffer.begin());
    rest = rest.subspan(size);
    return size;
  };
  if (!test.schedule.empty()) options.schedule = &test.schedule;
  options.open_file = [&files](const std::string& path, int flags) { return files.open(path, flags); };
  return options;
}

}  // namespace plumb::replay
