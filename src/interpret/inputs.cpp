#include <algorithm>

#include "interpret/machine.h"

namespace plumb::interpret {

std::vector<std::uint8_t> Machine::input(const Decoded* at, std::string_view name, std::size_t size) {
  std::optional<std::vector<std::uint8_t>> given;
  if (options.inputs) given = options.inputs(name, size);
  if (!given) ++result.inputs_missing;
  std::vector<std::uint8_t> bytes = given ? std::move(*given) : std::vector<std::uint8_t>();
  bytes.resize(size);
  result.inputs.push_back({std::string(name), bytes});
  if (options.on_input) options.on_input(at != nullptr ? stack(at) : std::vector<CodePoint>(), result.inputs.back());
  return bytes;
}

BitVector Machine::input_value(const Decoded* at, std::string_view name, std::uint32_t width) {
  const std::vector<std::uint8_t> bytes = input(at, name, (width + 7) / 8);
  std::vector<std::uint64_t> words(words_of(width));
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 8] |= std::uint64_t{bytes[i]} << (i % 8 * 8);
  return BitVector::from_words(width, words);
}

}  // namespace plumb::interpret
