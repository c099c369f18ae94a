#pragma once

#include <array>
#include <random>
#include <vector>

#include "program/analysis/cfg.h"
#include "program/analysis/dominators.h"
#include "program/function_builder.h"

namespace plumb::concolic {

/// Random programs of one function with much that a region can contain: narrow values, conditions, switches, divisions,
/// arrays at constant and variable indices, words over bytes, copies, pointers, now and then a call or a loop.
class RandomProgram {
 public:
  /// With overflow and shift in its checks, half of the operators that can be are undefined by them.
  RandomProgram(std::mt19937& random, std::uint32_t pointer_width, program::CheckSet checks = {})
      : random_(random), width_(pointer_width), checks_(checks) {}

  program::Program make() {
    program::Program program;
    program.layout.pointer_width = width_;
    program.checks = checks_;
    add_globals(program);
    program.functions.push_back(make_function());
    program::Function outside;
    outside.name = "outside";
    program.functions.push_back(std::move(outside));
    program.entry = 0;
    return program;
  }

  static constexpr std::uint32_t kDataParameters = 6;
  static constexpr std::uint32_t kPointers = 2;
  static constexpr std::uint64_t kPointedSize = 64;
  static constexpr std::uint64_t kPointedOffset = 16;

 private:
  using ValueId = program::ValueId;
  using BlockId = program::BlockId;
  using Op = term::Op;
  static constexpr std::array<std::uint32_t, 4> kWidths{1, 8, 16, 32};

  std::uint32_t pick(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  template <typename T>
  const T& any(const std::vector<T>& items) {
    return items[pick(static_cast<std::uint32_t>(items.size()))];
  }

  /// Values by width (index in kWidths) and addresses that a block may use.
  struct Pool {
    std::array<std::vector<ValueId>, 4> data;
    std::vector<ValueId> pointers;
  };

  void add_globals(program::Program& program) {
    constexpr std::array<std::uint64_t, 5> kSizes{16, 8, 8, 100, 12};
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
      program::GlobalObject global;
      global.name = "g" + std::to_string(i);
      global.size = kSizes[i];
      global.is_constant = i == 2;
      for (std::uint64_t k = 0; k < global.size; ++k) global.bytes.push_back(static_cast<std::uint8_t>(random_()));
      program.globals.push_back(std::move(global));
    }
    sizes_.assign(kSizes.begin(), kSizes.end());
  }

  program::Cfg make_graph() {
    const std::uint32_t count = 4 + pick(14);
    const std::uint32_t loops = pick(3) == 0 ? 1 + pick(2) : 0;
    program::Cfg::EdgeList edges;
    for (BlockId b = 0; b + 1 < count; ++b) {
      const std::uint32_t shape = pick(16);
      const std::uint32_t successors = shape < 1 ? 0 : shape < 5 ? 1 : shape < 14 ? 2 : 3 + pick(2);
      for (std::uint32_t i = 0; i < successors; ++i) edges.emplace_back(b, b + 1 + pick(std::min(4U, count - b - 1)));
    }
    for (std::uint32_t i = 0; i < loops; ++i) {
      const BlockId from = pick(count);
      edges.emplace_back(from, 1 + pick(std::max(1U, from)));
    }
    std::erase_if(edges, [](const auto& edge) { return edge.second == 0; });
    return {count, edges};
  }

  program::Function make_function() {
    program::FunctionBuilder builder("f");
    builder_ = &builder;
    const program::Cfg cfg = make_graph();
    const program::DominatorTree tree = program::DominatorTree::dominators(cfg);
    std::vector<Pool> pools(cfg.size());
    for (std::uint32_t i = 0; i < kDataParameters; ++i)
      pools[0].data[i % 4].push_back(builder.add_parameter(kWidths[i % 4]));
    for (std::uint32_t i = 0; i < kPointers; ++i) pools[0].pointers.push_back(builder.add_parameter(width_, true));
    for (std::size_t w = 0; w < 4; ++w) {
      pools[0].data[w].push_back(builder.constant(kWidths[w], random_() % 5));
      pools[0].data[w].push_back(builder.constant(BitVector::ones(kWidths[w])));
      pools[0].data[w].push_back(builder.constant(BitVector::min_signed(kWidths[w])));
    }
    arguments_.assign(cfg.size(), {});
    for (BlockId b = 0; b < cfg.size(); ++b) {
      builder.add_block();
      for (std::uint32_t i = b == 0 ? 3 : pick(4); i < 3; ++i) {
        const std::uint32_t w = pick(4);
        arguments_[b].push_back({builder.add_block_argument(b, kWidths[w]), w});
      }
    }
    for (const BlockId b : tree.preorder()) {
      if (b != 0) pools[b] = pools[tree.immediate(b)];
      for (const auto& [argument, w] : arguments_[b]) pools[b].data[w].push_back(argument);
      builder.select(b);
      if (b == 0) add_allocations(pools[0]);
      for (std::uint32_t i = pick(5); i > 0; --i) add_instruction(pools[b]);
      terminate(cfg, b, pools[b]);
    }
    for (BlockId b = 0; b < cfg.size(); ++b) {
      if (tree.is_reachable(b)) continue;
      builder.select(b);
      builder.halt(program::HaltReason::Unreachable);
    }
    return builder.finish();
  }

  void add_allocations(Pool& pool) {
    allocated_ = builder_->allocate(builder_->constant(width_, 8), 8);
    pool.pointers.push_back(builder_->op(Op::Add, {pool.pointers[0], builder_->constant(width_, 4)}));
    // A pointer into a global at a variable index, and one at a constant index.
    const ValueId index = builder_->op(Op::ZeroExtend, {pool.data[1][0]}, width_);
    const ValueId small = builder_->op(Op::And, {index, builder_->constant(width_, 7)});
    pool.pointers.push_back(builder_->op(Op::Add, {builder_->global_address(1, width_), small}));
    pool.pointers.push_back(builder_->op(Op::Add, {allocated_, builder_->constant(width_, 2)}));
    for (const ValueId pointer : pool.pointers) builder_->set_pointer(pointer);
  }

  program::FunctionBuilder::Target target(BlockId to, const Pool& pool) {
    program::FunctionBuilder::Target made{to, {}};
    for (const auto& [argument, w] : arguments_[to]) made.arguments.push_back(any(pool.data[w]));
    return made;
  }

  void terminate(const program::Cfg& cfg, BlockId b, Pool& pool) {
    const auto successors = cfg.successors(b);
    if (successors.empty()) return builder_->return_values({});
    if (successors.size() == 1) return builder_->jump(target(successors[0], pool));
    if (successors.size() == 2 && pick(8) != 0) {
      if (pick(2) == 0) add_comparison(pool);
      return builder_->branch(any(pool.data[0]), target(successors[0], pool), target(successors[1], pool));
    }
    std::vector<ValueId> cases;
    std::vector<program::FunctionBuilder::Target> targets;
    for (std::size_t i = 1; i < successors.size(); ++i) {
      cases.push_back(builder_->constant(16, i));
      targets.push_back(target(successors[i], pool));
    }
    const ValueId value = builder_->op(Op::And, {any(pool.data[2]), builder_->constant(16, 3)});
    builder_->switch_on(value, cases, targets, target(successors[0], pool));
  }

  void add_instruction(Pool& pool) {
    const std::uint32_t choice = pick(100);
    if (choice < 30) return add_arithmetic(pool);
    if (choice < 42) return add_comparison(pool);
    if (choice < 50) return add_conversion(pool);
    if (choice < 64) return add_known_access(pool);
    if (choice < 80) return add_indexed_access(pool);
    if (choice < 88) return add_pointer_access(pool);
    if (choice < 92) return add_block_access(pool);
    if (choice < 96) return add_address_comparison(pool);
    if (choice < 97) builder_->emit(program::Kind::Call, 0, {}, {}, 1);
  }

  void add_arithmetic(Pool& pool) {
    constexpr Op kOps[] = {Op::Add,  Op::Sub,  Op::Mul,  Op::And,  Op::Or,   Op::Xor,  Op::Shl,        Op::Lshr,
                           Op::Ashr, Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem, Op::Smod, Op::RotateLeft, Op::Add};
    const std::uint32_t w = 1 + pick(3);
    const Op op = kOps[pick(16)];
    const ValueId a = any(pool.data[w]);
    const ValueId made = pick(8) == 0 ? builder_->op(Op::Ite, {any(pool.data[0]), a, any(pool.data[w])})
                                      : builder_->op(op, {a, any(pool.data[w])}, 0, 0, flags_of(op));
    pool.data[w].push_back(made);
  }

  std::uint16_t flags_of(Op op) {
    if (checks_.is_empty() || pick(2) == 0) return 0;
    if (op == Op::Shl || op == Op::Lshr || op == Op::Ashr) return program::kSourceShift;
    return op == Op::Add || op == Op::Sub || op == Op::Mul ? program::kNoSignedWrap : 0;
  }

  void add_comparison(Pool& pool) {
    constexpr Op kOps[] = {Op::Eq, Op::Ult, Op::Slt, Op::Ule, Op::Sle, Op::SaddOverflow};
    const std::uint32_t w = 1 + pick(3);
    const ValueId a = any(pool.data[w]);
    const ValueId b = any(pool.data[w]);
    if (w == 3 && pick(8) == 0)
      pool.data[3].push_back(builder_->float_op(program::FloatOp::Convert, std::array{any(pool.data[2])}, kWidths[3]));
    if (w >= 2 && pick(6) == 0) {
      const auto op = static_cast<program::FloatOp>(static_cast<std::uint32_t>(program::FloatOp::Equal) + pick(4));
      pool.data[0].push_back(builder_->float_op(op, std::array{a, b}, 1));
      return;
    }
    pool.data[0].push_back(builder_->op(kOps[pick(6)], {a, b}));
  }

  void add_conversion(Pool& pool) {
    const std::uint32_t from = pick(4);
    const std::uint32_t to = pick(4);
    const ValueId value = any(pool.data[from]);
    if (kWidths[from] < kWidths[to])
      pool.data[to].push_back(builder_->op(pick(2) == 0 ? Op::ZeroExtend : Op::SignExtend, {value}, kWidths[to]));
    else
      pool.data[to].push_back(builder_->op(Op::Extract, {value}, kWidths[to], pick(kWidths[from] - kWidths[to] + 1)));
  }

  /// Loads to or stores from the pool.
  void access(Pool& pool, ValueId address, std::uint32_t w, bool is_write) {
    if (is_write)
      builder_->store(address, any(pool.data[w]), 1);
    else
      pool.data[w].push_back(builder_->load(address, kWidths[w], 1));
  }

  /// Of the global, or 5 for the allocated object.
  ValueId address_of(std::uint32_t object, std::uint64_t offset) {
    if (object < sizes_.size()) return builder_->global_address(object, width_, static_cast<std::int64_t>(offset));
    return builder_->op(Op::Add, {allocated_, builder_->constant(width_, offset)});
  }

  void add_known_access(Pool& pool) {
    const std::uint32_t object = pick(6);
    const std::uint64_t size = object < 5 ? sizes_[object] : 8;
    const std::uint32_t w = 1 + pick(3);
    const std::uint64_t offset = pick(static_cast<std::uint32_t>(size - kWidths[w] / 8 + 1));
    access(pool, address_of(object, pick(2) == 0 ? offset & ~std::uint64_t{3} : offset), w,
           object != 2 && pick(2) == 0);
  }

  void add_indexed_access(Pool& pool) {
    const std::uint32_t object = pick(6);
    const std::uint64_t size = object < 5 ? sizes_[object] : 8;
    const std::uint32_t w = 1 + pick(3);
    const std::uint64_t bytes = kWidths[w] / 8;
    const std::uint64_t count = size / bytes;
    const std::uint32_t from = 1 + pick(3);
    ValueId index = builder_->op(pick(2) == 0 ? Op::ZeroExtend : Op::SignExtend, {any(pool.data[from])}, width_);
    if (pick(3) != 0) index = builder_->op(Op::Urem, {index, builder_->constant(width_, count + pick(3))});
    if (pick(2) == 0)
      builder_->emit(program::Kind::CheckIndex, 0, std::array{index, builder_->constant(width_, count + pick(2))});
    const ValueId distance = builder_->op(Op::Mul, {index, builder_->constant(width_, bytes)});
    // Upwards from the start or downwards from the last element.
    const ValueId address = pick(4) == 0 ? builder_->op(Op::Sub, {address_of(object, size - bytes), distance})
                                         : builder_->op(Op::Add, {address_of(object, pick(8) == 0 ? 1 : 0), distance});
    access(pool, address, w, object != 2 && pick(2) == 0);
  }

  void add_pointer_access(Pool& pool) {
    const ValueId pointer = any(pool.pointers);
    const ValueId offset = builder_->constant(width_, pick(12));
    const bool is_write = pick(2) == 0;
    const std::uint32_t w = 1 + pick(3);
    const std::uint32_t direction = pick(5);
    access(pool, direction == 0 ? pointer : builder_->op(direction == 1 ? Op::Sub : Op::Add, {pointer, offset}), w,
           is_write);
  }

  void add_block_access(Pool& pool) {
    const ValueId size = builder_->constant(width_, 1 + pick(8));
    const ValueId to = pick(3) == 0 ? any(pool.pointers) : address_of(pick(2) == 0 ? 4 : 0, pick(5));
    if (pick(2) == 0) {
      builder_->emit(program::Kind::FillMemory, 0, std::array{to, any(pool.data[1]), size});
      return;
    }
    const ValueId from = pick(3) == 0 ? any(pool.pointers) : address_of(pick(2) == 0 ? 3 : 4, pick(5));
    builder_->emit(program::Kind::CopyMemory, 0, std::array{to, from, size});
  }

  void add_address_comparison(Pool& pool) {
    const ValueId address = builder_->global_address(pick(5), width_, pick(3));
    const ValueId other = pick(2) == 0 ? any(pool.pointers) : builder_->global_address(1, width_, pick(3));
    pool.data[0].push_back(builder_->op(pick(2) == 0 ? Op::Eq : Op::Ult, {address, other}));
    pool.data[2].push_back(builder_->op(Op::Extract, {address}, 16, 8));
  }

  std::mt19937& random_;
  std::uint32_t width_;
  program::CheckSet checks_;
  program::FunctionBuilder* builder_ = nullptr;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::vector<std::pair<ValueId, std::uint32_t>>> arguments_;
  ValueId allocated_ = program::kNone;
};

}  // namespace plumb::concolic
