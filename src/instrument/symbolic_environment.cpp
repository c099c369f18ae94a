// One list of inputs, walked in one order by everything here and by runtime/environment/arguments.c:
//   a group of arguments whose number is open: n_args (1 byte, how many more than the least), then every argument;
//   a variable: its bytes; a file, then standard input: how many bytes it lacks (4 bytes), then its bytes;
//   a call that fails: 0 for none, else one more than its number (4 bytes).
// A text ends at its first zero byte; what is beyond the size of a file, or beyond the number of arguments, has no
// meaning, but stays in the list, so that an input's place never depends on another input.
#include "instrument/symbolic_environment.h"

#include <fmt/format.h>

#include <algorithm>

#include "result/environment_json.h"

namespace plumb::instrument {
namespace {

using result::TestInput;
using Bytes = std::vector<std::uint8_t>;

Bytes word(std::uint32_t value) {
  Bytes bytes;
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return bytes;
}

std::uint32_t value_of(const Bytes& bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4 && i < bytes.size(); ++i) value |= std::uint32_t{bytes[i]} << (8 * i);
  return value;
}

Bytes padded(std::span<const std::uint8_t> bytes, std::uint32_t size) {
  Bytes made(bytes.begin(), bytes.end());
  made.resize(size);
  return made;
}

Bytes padded(const std::string& text, std::uint32_t size) {
  return padded({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, size);
}

std::string text_of(const Bytes& bytes) { return {bytes.begin(), std::ranges::find(bytes, std::uint8_t{0})}; }

std::string argument_name(std::uint32_t number) { return fmt::format("arg{:02}", number % 100); }

/// How many symbolic arguments each group has of those that a test brings: a plain one takes its own, and the groups
/// before it leave as many as those behind need at least.
std::vector<std::vector<std::string>> shares(const SymbolicEnvironment& environment,
                                             const std::vector<std::string>& given) {
  std::vector<std::vector<std::string>> shares(environment.arguments.size());
  std::size_t needed = 0;
  for (const auto& group : environment.arguments) needed += group.maximum == 0 ? 1 : group.minimum;
  std::size_t next = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const SymbolicEnvironment::Arguments& group = environment.arguments[i];
    const std::size_t least = group.maximum == 0 ? 1 : group.minimum;
    const std::size_t most = group.maximum == 0 ? 1 : group.maximum;
    needed -= least;
    const std::size_t left = given.size() - next;
    const std::size_t taken = std::min({most, left, std::max(least, left > needed ? left - needed : 0)});
    shares[i].assign(given.begin() + static_cast<std::ptrdiff_t>(next),
                     given.begin() + static_cast<std::ptrdiff_t>(next + taken));
    next += taken;
  }
  return shares;
}

void add_file(std::vector<TestInput>& inputs, const std::string& name, std::span<const std::uint8_t> bytes,
              std::uint32_t size) {
  if (size == 0) return;
  const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), size));
  inputs.push_back({name + "-missing", word(size - length)});
  inputs.push_back({name + "-data", padded(bytes, size)});
}

/// Takes the inputs of a run one after the other; what is missing is zero.
class Taker {
 public:
  explicit Taker(std::span<const TestInput> inputs) : inputs_(inputs) {}

  Bytes take(std::uint32_t size) { return next_ < inputs_.size() ? padded(inputs_[next_++].bytes, size) : Bytes(size); }

  Bytes take_file(std::uint32_t size) {
    if (size == 0) return {};
    const std::uint32_t missing = value_of(take(4));
    Bytes bytes = take(size);
    bytes.resize(size - std::min(missing, size));
    return bytes;
  }

  std::span<const TestInput> rest() const { return inputs_.subspan(next_); }

 private:
  std::span<const TestInput> inputs_;
  std::size_t next_ = 0;
};

void take_arguments(Taker& inputs, const SymbolicEnvironment::Arguments& group, std::vector<std::string>& arguments) {
  if (group.maximum == 0) {
    arguments.push_back(group.text);
    return;
  }
  std::uint32_t count = group.maximum;
  if (group.minimum < group.maximum) count = std::min(group.maximum, group.minimum + inputs.take(1)[0]);
  if (group.length == 0) {
    arguments.insert(arguments.end(), count, {});
    return;
  }
  for (std::uint32_t i = 0; i < group.maximum; ++i) {
    const Bytes bytes = inputs.take(group.length);
    if (i < count) arguments.push_back(text_of(bytes));
  }
}

}  // namespace

bool SymbolicEnvironment::is_empty() const {
  return arguments.empty() && standard_input == 0 && file_count == 0 && variables.empty() && failing_calls == 0;
}

std::string name_of_file(std::uint32_t index) { return {static_cast<char>('A' + index)}; }

std::uint32_t most_arguments(const SymbolicEnvironment& environment) {
  std::uint32_t most = 1;
  for (const auto& group : environment.arguments) most += group.maximum == 0 ? 1 : group.maximum;
  return most;
}

std::vector<TestInput> to_inputs(const SymbolicEnvironment& environment, const result::TestCase& test) {
  std::vector<TestInput> inputs;
  const auto given = shares(environment, test.environment.arguments);
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const SymbolicEnvironment::Arguments& group = environment.arguments[i];
    if (group.maximum == 0) continue;
    const auto count = std::max(static_cast<std::uint32_t>(given[i].size()), group.minimum);
    if (group.minimum < group.maximum)
      inputs.push_back({"n_args", {static_cast<std::uint8_t>(std::min(count - group.minimum, 255U))}});
    for (std::uint32_t k = 0; k < group.maximum && group.length != 0; ++k)
      inputs.push_back(
          {argument_name(number + k), padded(k < given[i].size() ? given[i][k] : std::string(), group.length)});
    number += group.maximum;
  }
  for (const auto& [name, length] : environment.variables) {
    if (length == 0) continue;
    const auto found = std::ranges::find(test.environment.variables, name, &std::pair<std::string, std::string>::first);
    inputs.push_back(
        {"env-" + name, padded(found == test.environment.variables.end() ? std::string() : found->second, length)});
  }
  for (std::uint32_t i = 0; i < environment.file_count; ++i) {
    const std::string name = name_of_file(i);
    const auto found = std::ranges::find(test.environment.files, name, &result::Environment::File::name);
    // A test without the file is a test without anything to say about it: as large as it can be.
    add_file(inputs, name, found != test.environment.files.end() ? found->bytes : Bytes(environment.file_size),
             environment.file_size);
  }
  add_file(inputs, "stdin", test.environment.standard_input.value_or(Bytes(environment.standard_input)),
           environment.standard_input);
  for (std::uint32_t i = 0; i < environment.failing_calls; ++i) {
    const bool is_given = i < test.environment.failing_calls.size();
    inputs.push_back({fmt::format("fail-io-{:02}", i), word(is_given ? test.environment.failing_calls[i] + 1 : 0)});
  }
  inputs.insert(inputs.end(), test.inputs.begin(), test.inputs.end());
  return inputs;
}

result::TestCase to_test(const SymbolicEnvironment& environment, std::span<const TestInput> inputs) {
  result::TestCase test;
  Taker taker(inputs);
  for (const auto& group : environment.arguments) take_arguments(taker, group, test.environment.arguments);
  for (const auto& [name, length] : environment.variables)
    test.environment.variables.emplace_back(name, length == 0 ? std::string() : text_of(taker.take(length)));
  for (std::uint32_t i = 0; i < environment.file_count; ++i)
    test.environment.files.push_back({name_of_file(i), taker.take_file(environment.file_size)});
  if (environment.standard_input != 0) test.environment.standard_input = taker.take_file(environment.standard_input);
  for (std::uint32_t i = 0; i < environment.failing_calls; ++i)
    if (const std::uint32_t number = value_of(taker.take(4)); number != 0)
      test.environment.failing_calls.push_back(number - 1);
  std::ranges::sort(test.environment.failing_calls);
  const auto same = std::ranges::unique(test.environment.failing_calls);
  test.environment.failing_calls.erase(same.begin(), same.end());
  test.inputs.assign(taker.rest().begin(), taker.rest().end());
  return test;
}

std::string to_text(const SymbolicEnvironment& environment, const std::string& name) {
  const auto digits = [](const std::string& text) {
    return result::to_digits({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  std::string text = fmt::format("text {}\n", digits(name));
  for (const auto& group : environment.arguments)
    text += group.maximum == 0 ? fmt::format("text {}\n", digits(group.text))
                               : fmt::format("arguments {} {} {}\n", group.minimum, group.maximum, group.length);
  for (const auto& [variable, length] : environment.variables)
    text += fmt::format("variable {} {}\n", variable, length);
  if (environment.file_count != 0) text += fmt::format("files {} {}\n", environment.file_count, environment.file_size);
  if (environment.standard_input != 0) text += fmt::format("stdin {}\n", environment.standard_input);
  if (environment.failing_calls != 0) text += fmt::format("failing {}\n", environment.failing_calls);
  return text;
}

}  // namespace plumb::instrument
