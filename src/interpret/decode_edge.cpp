#include <absl/container/flat_hash_map.h>

#include "interpret/decode.h"

namespace plumb::interpret {

using program::Block;
using program::Edge;

namespace {

/// Orders moves that happen at once. One whose target no other move still reads can go first; if there is none, what
/// is left are cycles, and saving one target in the spare slot opens its cycle. Linear but for the number of cycles.
std::vector<Move> sequence(std::vector<Move> moves, std::uint32_t spare) {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> readers;
  absl::flat_hash_map<std::uint32_t, std::size_t> writer;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    ++readers[moves[i].from];
    writer[moves[i].to] = i;
  }
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (!readers.contains(moves[i].to)) ready.push_back(i);
  std::vector<bool> is_done(moves.size());
  std::vector<Move> result;
  for (std::size_t next = 0; next < moves.size();) {
    if (ready.empty()) {
      if (is_done[next]) {
        ++next;
        continue;
      }
      const std::uint32_t saved = moves[next].to;
      result.push_back({spare, saved});
      for (std::size_t i = next; i < moves.size(); ++i)
        if (!is_done[i] && moves[i].from == saved) moves[i].from = spare;
      ready.push_back(next);
    }
    const Move move = moves[ready.back()];
    is_done[ready.back()] = true;
    ready.pop_back();
    result.push_back(move);
    if (move.from == spare || --readers[move.from] != 0) continue;
    if (const auto it = writer.find(move.from); it != writer.end()) ready.push_back(it->second);
  }
  return result;
}

}  // namespace

void Decoder::decode_edge(std::size_t edge) {
  const Edge& source = function_.edges[edge];
  const Block& target = function_.blocks[source.target];
  const std::span<const ValueId> arguments = function_.arguments_of(source);
  std::vector<Move> moves;
  std::vector<Set> sets;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::uint32_t words = words_of(function_.values[arguments[i]].width);
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint32_t to = operand(target.arguments[i]) + w;
      const Operand from = operand(arguments[i]) + w;
      if (is_constant(from)) {
        sets.push_back({to, pool_word(from)});
      } else if (from != to) {
        moves.push_back({to, from});
      }
    }
  }
  if (moves.size() > 1) {
    if (spare_slot_ == kNone) spare_slot_ = new_slots(64);
    moves = sequence(std::move(moves), spare_slot_);
  }
  out_.moves.push_back(std::move(moves));
  out_.sets.push_back(std::move(sets));
  EdgeCode& code = out_.edges[edge];
  code.target = out_.code.data() + block_start_[source.target];
  code.moves = out_.moves.back().data();
  code.move_count = static_cast<std::uint32_t>(out_.moves.back().size());
  code.sets = out_.sets.back().data();
  code.set_count = static_cast<std::uint32_t>(out_.sets.back().size());
  code.instructions = target.instruction_count;
}

}  // namespace plumb::interpret
