#include "chain/row_maker.h"

#include <algorithm>

namespace plumb::chain {
namespace {

/// How many transitions ahead the lines of the table and of the states are asked for.
constexpr std::size_t kSlotAhead = 32;
constexpr std::size_t kStateAhead = 16;
constexpr std::uint32_t kShortRow = 40;

/// Rows are short, and often sorted in large parts.
void insertion_sort(std::uint64_t* keys, std::uint32_t count) {
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint64_t key = keys[i];
    std::uint32_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

}  // namespace

RowBlock RowDraft::block() const noexcept {
  RowBlock block;
  block.first_state = first;
  block.states = states;
  block.rows = static_cast<std::uint32_t>(counts.size());
  block.transitions = static_cast<std::uint32_t>(targets.size());
  block.row_counts = row_counts.data();
  block.counts = counts.data();
  block.targets = targets.data();
  block.weights = weights.data();
  return block;
}

RowMaker::RowMaker(const Successors& successors, const StateStore& store, WeightTable& weights)
    : successors_(successors), store_(store), scratch_(successors.scratch(weights)) {}

void RowMaker::expand(RowDraft& draft) {
  draft.successors.clear();
  const std::uint32_t words = store_.layout().words();
  const std::uint64_t* states = store_.state(draft.first);
  try {
    for (std::uint32_t i = 0; i < draft.states; ++i)
      successors_.expand(states + std::size_t{i} * words, *scratch_, draft.successors);
  } catch (...) {
    draft.successors.error = std::current_exception();
  }
}

void RowMaker::look_up(RowDraft& draft) const {
  const StateLayout& layout = store_.layout();
  const std::uint32_t words = layout.words();
  const std::size_t count = draft.successors.weights.size();
  const std::uint64_t* targets = draft.successors.targets.data();
  draft.ids.resize(0);
  draft.missing.resize(0);
  StateId* ids = draft.ids.extend(count);
  std::uint64_t hashes[kSlotAhead];
  for (std::size_t i = 0; i < count + kSlotAhead; ++i) {
    std::uint64_t& place = hashes[i % kSlotAhead];
    if (i >= kSlotAhead) {
      const std::size_t t = i - kSlotAhead;
      ids[t] = store_.find(targets + t * words, place);
      if (ids[t] == StateStore::kMissing) draft.missing.push_back(static_cast<std::uint32_t>(t));
    }
    if (i < count) {
      place = layout.hash(targets + i * words);
      store_.prefetch_slot(place);
    }
    if (i >= kStateAhead && i - kStateAhead < count) store_.prefetch_state(hashes[(i - kStateAhead) % kSlotAhead]);
  }
}

std::uint32_t RowMaker::finish_row(const StateId* ids, const std::uint32_t* weights, std::uint32_t count,
                                   StateId* targets, std::uint32_t* indices) {
  if (keys_.size() < count) keys_.resize(count);
  std::uint64_t* keys = keys_.data();
  for (std::uint32_t i = 0; i < count; ++i) keys[i] = std::uint64_t{ids[i]} << 32 | i;
  if (count <= kShortRow)
    insertion_sort(keys, count);
  else
    std::sort(keys, keys + count);
  std::uint32_t size = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto target = static_cast<StateId>(keys[i] >> 32);
    std::uint32_t weight = weights[static_cast<std::uint32_t>(keys[i])];
    if (size > 0 && targets[size - 1] == target) {
      Successors::Scratch& scratch = *scratch_;
      indices[size - 1] = scratch.weights.index(
          successors_.reals().add(scratch.weights.value(indices[size - 1]), scratch.weights.value(weight)));
      continue;
    }
    targets[size] = target;
    indices[size++] = weight;
  }
  return size;
}

void RowMaker::finish(RowDraft& draft) {
  const SuccessorBlock& from = draft.successors;
  const std::size_t most = from.weights.size() + from.row_counts.size();
  for (GrowingArray<std::uint32_t>* array :
       {&draft.row_counts, &draft.counts, &draft.targets, &draft.weights, &draft.actions})
    array->resize(0);
  draft.rewards.resize(0);
  draft.deadlocks.clear();
  StateId* targets = draft.targets.extend(most);
  std::uint32_t* weights = draft.weights.extend(most);
  const std::size_t structures = successors_.action_structures().size();
  std::size_t row = 0;
  std::size_t transition = 0;
  std::size_t size = 0;
  for (std::size_t s = 0; s < from.row_counts.size(); ++s) {
    const std::uint32_t rows = from.row_counts[s];
    if (rows == 0) {
      draft.deadlocks.push_back(draft.first + static_cast<StateId>(s));
      targets[size] = draft.deadlocks.back();
      weights[size++] = scratch_->weights.index(successors_.reals().one());
      draft.counts.push_back(1);
      draft.actions.push_back(0);
      std::fill_n(draft.rewards.extend(structures), structures, Value{});
    }
    for (std::uint32_t r = 0; r < rows; ++r, ++row) {
      const std::uint32_t count = from.rows[row].transitions;
      const std::uint32_t kept =
          finish_row(&draft.ids[transition], &from.weights[transition], count, targets + size, weights + size);
      size += kept;
      transition += count;
      draft.counts.push_back(kept);
      draft.actions.push_back(from.rows[row].action);
      std::copy_n(from.rewards.data() + row * structures, structures, draft.rewards.extend(structures));
    }
    draft.row_counts.push_back(rows == 0 ? 1 : rows);
  }
  draft.targets.resize(size);
  draft.weights.resize(size);
}

}  // namespace plumb::chain
