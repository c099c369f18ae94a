#include "chain/row_stream.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel/loop.h"
#include "chain/row_maker.h"
#include "chain/row_pipeline.h"

namespace plumb::chain {
namespace {

constexpr std::uint64_t kBlockStates = 1024;
static_assert(StateStore::kChunk % kBlockStates == 0);

/// A block of rows that are kept, with the numbers that are narrow there as the block wants them.
struct KeptBlock {
  std::vector<std::uint32_t> row_counts;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> weights;

  RowBlock read(const Chain& chain, RowBlock block) {
    const auto widen = [](const NarrowArray& from, std::uint64_t first, std::uint64_t count,
                          std::vector<std::uint32_t>& into) {
      into.resize(count);
      from.visit([&](auto values) { std::copy_n(values.data() + first, count, into.data()); });
      return into.data();
    };
    if (chain.choices.size() != 0)
      block.row_counts = widen(chain.choices.counts(), block.first_state, block.states, row_counts);
    block.counts = widen(chain.rows.offsets().counts(), block.first_row, block.rows, counts);
    block.weights = widen(chain.rows.weights().index(), block.first_transition, block.transitions, weights);
    block.targets = chain.rows.targets() + block.first_transition;
    return block;
  }
};

/// Where a block is, without its arrays.
RowBlock place(const Chain& chain, std::uint64_t first) {
  RowBlock block;
  const std::uint64_t last = std::min(first + kBlockStates, chain.states);
  const auto row_of = [&](std::uint64_t s) {
    return s == chain.states ? chain.rows.size() : chain.first_row(static_cast<StateId>(s));
  };
  block.first_state = static_cast<StateId>(first);
  block.states = static_cast<std::uint32_t>(last - first);
  block.first_row = row_of(first);
  block.rows = static_cast<std::uint32_t>(row_of(last) - block.first_row);
  block.first_transition = chain.rows.begin(block.first_row);
  block.transitions = static_cast<std::uint32_t>(chain.rows.begin(row_of(last)) - block.first_transition);
  return block;
}

RowBlock with_place(const Chain& chain, const RowDraft& draft) {
  const RowBlock where = place(chain, draft.first);
  RowBlock block = draft.block();
  INVARIANT(draft.missing.empty() && block.rows == where.rows && block.transitions == where.transitions,
            "rows that are computed again should be the same");
  block.first_row = where.first_row;
  block.first_transition = where.first_transition;
  if (chain.choices.size() == 0) block.row_counts = nullptr;
  return block;
}

}  // namespace

RowStream::RowStream(const Chain& chain, unsigned threads) : chain_(chain), threads_(parallel::thread_count(threads)) {
  INVARIANT(chain.rows.is_kept() || chain.source, "rows that are not kept should have a source");
}

RowStream::~RowStream() = default;

void RowStream::in_order(const Budget& budget, const Visit& visit, Order order) const {
  const std::uint64_t blocks = (chain_.states + kBlockStates - 1) / kBlockStates;
  const auto first_state = [&](std::uint64_t i) {
    return (order == Order::Forward ? i : blocks - 1 - i) * kBlockStates;
  };
  if (chain_.rows.is_kept()) {
    KeptBlock kept;
    for (std::uint64_t i = 0; i < blocks; ++i) {
      if (i % 64 == 0) budget.check();
      visit(kept.read(chain_, place(chain_, first_state(i))));
    }
    return;
  }
  RowPipeline pipeline(*chain_.source, chain_.store, threads_);
  std::uint64_t next = 0;
  while (true) {
    for (; !pipeline.is_full() && next < blocks; ++next)
      pipeline.put(static_cast<StateId>(first_state(next)),
                   static_cast<std::uint32_t>(std::min(kBlockStates, chain_.states - first_state(next))));
    if (pipeline.next_expanded()) pipeline.set_numbered();
    while (const RowDraft* draft = pipeline.next_finished(pipeline.is_full() || next == blocks)) {
      visit(with_place(chain_, *draft));
      pipeline.drop();
    }
    if (pipeline.is_empty() && next == blocks) return;
    budget.check();
  }
}

void RowStream::in_parallel(const Budget& budget, const Visit& visit) const {
  const std::uint64_t blocks = (chain_.states + kBlockStates - 1) / kBlockStates;
  const auto threads = static_cast<unsigned>(std::clamp<std::uint64_t>(blocks / 8, 1, threads_));
  const bool computes = !chain_.rows.is_kept();
  while (computes && makers_.size() < threads)
    makers_.push_back(std::make_unique<RowMaker>(chain_.source->successors, chain_.store, chain_.source->weights));
  std::vector<KeptBlock> kept(threads);
  std::vector<RowDraft> drafts(threads);
  parallel::for_each_index(blocks, threads, budget, [&](std::uint64_t block, unsigned worker) {
    const std::uint64_t first = block * kBlockStates;
    if (!computes) return visit(kept[worker].read(chain_, place(chain_, first)));
    RowDraft& draft = drafts[worker];
    draft.first = static_cast<StateId>(first);
    draft.states = static_cast<std::uint32_t>(std::min(kBlockStates, chain_.states - first));
    makers_[worker]->expand(draft);
    makers_[worker]->look_up(draft);
    makers_[worker]->finish(draft);
    visit(with_place(chain_, draft));
  });
}

}  // namespace plumb::chain
