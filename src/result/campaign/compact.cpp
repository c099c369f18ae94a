#include "result/campaign/compact.h"

namespace plumb::result {

namespace {

void put(std::vector<std::uint8_t>& to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) to.push_back(static_cast<std::uint8_t>(number | 0x80));
  to.push_back(static_cast<std::uint8_t>(number));
}

/// Takes numbers and strings off the front of bytes that may be damaged.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  bool is_at_end() const { return rest_.empty(); }
  bool is_damaged() const { return is_damaged_; }

  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const std::uint8_t byte = rest_.front();
      rest_ = rest_.subspan(1);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return number;
    }
    is_damaged_ = true;
    rest_ = {};
    return 0;
  }

  std::span<const std::uint8_t> string() {
    const std::uint64_t size = number();
    if (size > rest_.size()) {
      is_damaged_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::uint8_t> rest_;
  bool is_damaged_ = false;
};

}  // namespace

std::vector<std::uint8_t> pack_rising(std::span<const std::uint32_t> numbers) {
  std::vector<std::uint8_t> bytes;
  std::uint32_t last = 0;
  for (const std::uint32_t number : numbers) {
    put(bytes, number - last);
    last = number;
  }
  return bytes;
}

std::optional<std::vector<std::uint32_t>> unpack_rising(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> numbers;
  std::uint64_t last = 0;
  Reader reader(bytes);
  while (!reader.is_at_end()) {
    const std::uint64_t step = reader.number();
    last += step;
    const bool has_risen = numbers.empty() || step > 0;
    if (reader.is_damaged() || step > UINT32_MAX || last > UINT32_MAX || !has_risen) return std::nullopt;
    numbers.push_back(static_cast<std::uint32_t>(last));
  }
  return numbers;
}

std::vector<std::uint8_t> pack_inputs(std::span<const TestInput> inputs) {
  std::vector<std::uint8_t> bytes;
  for (const TestInput& input : inputs) {
    put(bytes, input.name.size());
    bytes.insert(bytes.end(), input.name.begin(), input.name.end());
    put(bytes, input.bytes.size());
    bytes.insert(bytes.end(), input.bytes.begin(), input.bytes.end());
  }
  bytes.shrink_to_fit();
  return bytes;
}

std::optional<std::vector<TestInput>> unpack_inputs(std::span<const std::uint8_t> bytes) {
  std::vector<TestInput> inputs;
  Reader reader(bytes);
  while (!reader.is_at_end()) {
    TestInput& input = inputs.emplace_back();
    const auto name = reader.string();
    input.name.assign(name.begin(), name.end());
    const auto value = reader.string();
    input.bytes.assign(value.begin(), value.end());
    if (reader.is_damaged()) return std::nullopt;
  }
  return inputs;
}

}  // namespace plumb::result
