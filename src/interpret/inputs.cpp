#include <algorithm>

#include "interpret/machine.h"

namespace plumb::interpret {

std::vector<std::uint8_t> Machine::input(const Decoded* at, std::string_view name, std::size_t size) {
  std::optional<std::vector<std::uint8_t>> given;
  if (options.inputs) given = options.inputs(name, size);
  if (!given) ++result.inputs_missing;
  std::vector<std::uint8_t> bytes = given ? std::move(*given) : std::vector<std::uint8_t>();
  bytes.resize(size);
  tell_of(OperationEvent::Kind::Input, at);
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

void Machine::give_unset(const Decoded* at, std::uint8_t* to, std::uint64_t size) {
  if (options.unset.empty() || thread != threads.front().get()) return;
  const std::string& site = program.message_of(source(at));
  const std::uint32_t creation = created_[source(at).parameter]++;
  for (const result::UnsetBytes& given : options.unset) {
    if (given.creation != creation || given.offset >= size || given.site != site) continue;
    std::copy_n(given.bytes.begin(), std::min<std::uint64_t>(given.bytes.size(), size - given.offset),
                to + given.offset);
    if (options.on_unset) options.on_unset(stack(at), given);
  }
}

}  // namespace plumb::interpret
