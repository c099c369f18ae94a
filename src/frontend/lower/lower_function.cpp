#include "frontend/lower/lower_function.h"

#include <fmt/format.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>

#include <queue>

#include "frontend/lower/lower_constants.h"

// Blocks are lowered from a queue of those that an edge made so far leads to. Every definition that dominates a block
// is therefore lowered before it, whatever the order of the queue, and phi nodes are block arguments whose values are
// known when the edge is made. A construct without lowering ends its block at once, which may cut off others; then the
// function is lowered again without them.

namespace plumb::frontend {

using program::HaltReason;
using program::ValueKind;
namespace {

BlockSet reachable_blocks(const llvm::Function& function) {
  BlockSet blocks;
  for (const llvm::BasicBlock* block : llvm::depth_first(&function.getEntryBlock())) blocks.insert(block);
  return blocks;
}

std::string part_name(llvm::StringRef name, std::size_t index, std::size_t count) {
  if (name.empty() || count == 1) return name.str();
  return fmt::format("{}.{}", std::string_view(name), index);
}

}  // namespace

Function lower_function(ModuleLowering& module, const llvm::Function& source) {
  if (const auto& library = module.library(source)) {
    FunctionLowering lowering(module, source);
    lowering.declare_signature();
    lowering.make_library_body(*library);
    return lowering.finish();
  }
  BlockSet blocks;
  if (!source.isDeclaration()) blocks = reachable_blocks(source);
  for (;;) {
    FunctionLowering lowering(module, source);
    lowering.declare_signature();
    if (source.isDeclaration()) return lowering.finish();
    try {
      BlockSet reached = lowering.lower_body(blocks);
      if (reached.size() == blocks.size()) {
        if (module.map() != nullptr) lowering.record(*module.map());
        return lowering.finish();
      }
      blocks = std::move(reached);
    } catch (const Unlowerable& reason) {
      FunctionLowering refused(module, source);
      refused.declare_signature();
      refused.make_refused_body(reason);
      return refused.finish();
    }
  }
}

FunctionLowering::FunctionLowering(ModuleLowering& module, const llvm::Function& source)
    : module_(module),
      source_(source),
      builder_(source.getName().str()),
      function_location_(module.locations().of(source.getSubprogram())) {}

void FunctionLowering::declare_signature() {
  Function& made = builder_.function();
  made.location = function_location_;
  made.is_variadic = source_.isVarArg();
  made.is_internal = source_.hasLocalLinkage();
  made.is_model = source_.hasFnAttribute(kModelAttribute);
  try {
    for (const llvm::Argument& argument : source_.args()) {
      const Shape& shape = this->shape(argument);
      Parts parts;
      for (std::size_t i = 0; i < shape.parts.size(); ++i) {
        parts.push_back(builder_.add_parameter(shape.parts[i].width, shape.parts[i].is_pointer,
                                               part_name(argument.getName(), i, shape.parts.size())));
        made.values[parts.back()].is_float = shape.parts[i].type->isFloatingPointTy();
      }
      define(argument, parts);
    }
    for (const Part& part : module_.shapes().of(source_.getReturnType()).parts) builder_.add_result(part.width);
    made.returns_float = source_.getReturnType()->isFloatingPointTy();
  } catch (const Unlowerable& reason) {
    throw Unsupported(module_.program().describe(function_location_),
                      fmt::format("function '{}' takes or gives {}, which is not supported", made.name, reason.what));
  }
}

bool FunctionLowering::is_atomic_section() const {
  return source_.getName().starts_with("__VERIFIER_atomic_") && !program::intrinsic_of(source_.getName().str());
}

void FunctionLowering::make_refused_body(const Unlowerable& reason) {
  builder_.set_location(function_location_);
  builder_.select(builder_.add_block());
  builder_.halt(HaltReason::Unsupported, module_.message(reason.what));
}

void FunctionLowering::add_blocks(const BlockSet& blocks) {
  for (const llvm::BasicBlock& block : source_) {
    if (!blocks.contains(&block)) continue;
    const BlockId id = blocks_[&block] = builder_.add_block(block.getName().str());
    for (const llvm::PHINode& phi : block.phis()) {
      const Shape& shape = this->shape(phi);
      Parts parts;
      for (std::size_t i = 0; i < shape.parts.size(); ++i)
        parts.push_back(builder_.add_block_argument(id, shape.parts[i].width, shape.parts[i].is_pointer,
                                                    part_name(phi.getName(), i, shape.parts.size())));
      define(phi, parts);
    }
  }
}

BlockSet FunctionLowering::lower_body(const BlockSet& blocks) {
  add_blocks(blocks);
  using Entry = std::pair<BlockId, const llvm::BasicBlock*>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  BlockSet reached;
  reached_.push_back(&source_.getEntryBlock());
  builder_.select(0);
  builder_.set_location(function_location_);
  allocate_copies(blocks);
  if (is_atomic_section()) mark(Intrinsic::AtomicBegin);
  for (;;) {
    for (const llvm::BasicBlock* block : reached_)
      if (reached.insert(block).second) queue.emplace(blocks_.at(block), block);
    reached_.clear();
    if (queue.empty()) return reached;
    const llvm::BasicBlock* next = queue.top().second;
    queue.pop();
    lower_block(*next);
  }
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  const bool is_entry = block.isEntryBlock();
  builder_.select(blocks_.at(&block));
  builder_.set_location(is_entry ? function_location_ : Location{});
  for (const llvm::Instruction& instruction : block) {
    name_variables(instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    if (const Location location = location_of(instruction); location.is_known()) {
      builder_.set_location(location);
      if (module_.map() != nullptr) module_.map()->locations[&instruction] = location;
    }
    try {
      if (module_.options().check_pointers) check_constant_pointers(instruction);
      lower_instruction(instruction);
    } catch (const Unlowerable& reason) {
      builder_.halt(HaltReason::Unsupported, module_.message(reason.what));
    }
    if (builder_.is_terminated()) break;
  }
  last_blocks_[&block] = builder_.selected();
}

void FunctionLowering::record(LoweringMap& map) const {
  for (const auto& [block, last] : last_blocks_) map.blocks[block] = {blocks_.at(block), last};
  for (const auto& [value, range] : values_)
    map.values[value] = {value_parts_.begin() + range.first, value_parts_.begin() + range.first + range.count};
}

Location FunctionLowering::location_of(const llvm::Instruction& instruction) {
  if (const Location location = module_.locations().at(instruction.getDebugLoc().get()); location.is_known())
    return location;
  if (!llvm::isa<llvm::AllocaInst>(instruction)) return {};
  // Where the variable is declared says more than where the frame is made.
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(const_cast<llvm::Instruction*>(&instruction)))
    return module_.locations().at(record->getVariable()->getFile(), record->getVariable()->getLine());
  return function_location_;
}

void FunctionLowering::name_variables(const llvm::Instruction& instruction) {
  for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
    if (record.getNumVariableLocationOps() == 1 && record.getExpression()->getNumElements() == 0)
      name_variable(record.getVariableLocationOp(0), *record.getVariable());
  if (const auto* old = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction);
      old != nullptr && old->getNumVariableLocationOps() == 1 && old->getExpression()->getNumElements() == 0)
    name_variable(old->getVariableLocationOp(0), *old->getVariable());
}

void FunctionLowering::name_variable(const llvm::Value* value, const llvm::DILocalVariable& variable) {
  const auto it = values_.find(value);
  if (it == values_.end() || variable.getName().empty() || variable.isArtificial()) return;
  for (std::uint32_t i = 0; i < it->second.count; ++i) {
    const ValueId id = value_parts_[it->second.first + i];
    const ValueKind kind = builder_.function().values[id].kind;
    const bool has_name = kind == ValueKind::Parameter || kind == ValueKind::BlockArgument || kind == ValueKind::Result;
    if (has_name && variables_.insert(id).second)
      builder_.set_name(id, part_name(variable.getName(), i, it->second.count));
  }
}

void FunctionLowering::define(const llvm::Value& value, llvm::ArrayRef<ValueId> parts) {
  const Shape& shape = this->shape(value);
  INVARIANT(parts.size() == shape.parts.size(), "a value should have as many parts as its type");
  const auto first = static_cast<std::uint32_t>(value_parts_.size());
  value_parts_.insert(value_parts_.end(), parts.begin(), parts.end());
  values_[&value] = {first, static_cast<std::uint32_t>(parts.size())};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    INVARIANT(builder_.width(parts[i]) == shape.parts[i].width, "a part should have the width of its type");
    if (builder_.function().values[parts[i]].kind != ValueKind::Result) continue;
    if (shape.parts[i].is_pointer) builder_.set_pointer(parts[i]);
    if (value.hasName() && builder_.function().value_names[parts[i]].empty())
      builder_.set_name(parts[i], part_name(value.getName(), i, parts.size()));
  }
}

Parts FunctionLowering::parts(const llvm::Value& value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return constant_parts(*constant);
  if (llvm::isa<llvm::MetadataAsValue, llvm::InlineAsm>(value)) throw Unlowerable{"metadata as a value"};
  const auto it = values_.find(&value);
  INVARIANT(it != values_.end(), "a value should be lowered before its uses");
  const ValueId* first = value_parts_.data() + it->second.first;
  return Parts(first, first + it->second.count);
}

ValueId FunctionLowering::scalar(const llvm::Value& value) {
  const Parts all = parts(value);
  INVARIANT(all.size() == 1, "an operand should be a scalar");
  return all.front();
}

Parts FunctionLowering::constant_parts(const llvm::Constant& constant) {
  const Shape& shape = this->shape(constant);
  Parts made;
  if (llvm::isa<llvm::UndefValue>(constant)) {
    for (const Part& part : shape.parts) made.push_back(builder_.undefined(part.width));
    return made;
  }
  if (llvm::isa<llvm::ConstantAggregateZero>(constant)) {
    for (const Part& part : shape.parts) made.push_back(builder_.constant(part.width, 0));
    return made;
  }
  if (shape.parts.size() == 1)
    if (const auto value = scalar_constant(constant, shape.parts.front().width)) return {builder_.constant(*value)};
  if (constant.getType()->isAggregateType() || constant.getType()->isVectorTy()) {
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) return expression_parts(*expression);
    for (unsigned i = 0; const llvm::Constant* element = constant.getAggregateElement(i); ++i)
      made.append(constant_parts(*element));
    return made;
  }
  if (const auto link = link_constant(module_, constant)) {
    const std::int64_t offset = BitVector(pointer_width(), link->offset).to_int64();
    if (link->base == LinkConstant::Base::None) return {builder_.constant(shape.parts.front().width, link->offset)};
    if (link->base == LinkConstant::Base::Global)
      return {builder_.global_address(link->index, pointer_width(), offset)};
    return {offset_address(builder_.function_address(link->index, pointer_width()), offset)};
  }
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) return expression_parts(*expression);
  throw Unlowerable{fmt::format("a constant of type {}", to_text(*constant.getType()))};
}

Parts FunctionLowering::expression_parts(const llvm::ConstantExpr& expression) {
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&expression)) return address(*gep);
  if (expression.isCast()) return cast(expression.getOpcode(), *expression.getOperand(0), expression.getType());
  const Parts a = parts(*expression.getOperand(0));
  const Parts b = parts(*expression.getOperand(1));
  Parts made;
  for (std::size_t i = 0; i < a.size(); ++i) {
    using term::Op;
    switch (expression.getOpcode()) {
      case llvm::Instruction::Add:
        made.push_back(builder_.op(Op::Add, {a[i], b[i]}));
        break;
      case llvm::Instruction::Sub:
        made.push_back(builder_.op(Op::Sub, {a[i], b[i]}));
        break;
      case llvm::Instruction::Mul:
        made.push_back(builder_.op(Op::Mul, {a[i], b[i]}));
        break;
      case llvm::Instruction::Shl:
        made.push_back(builder_.op(Op::Shl, {a[i], b[i]}));
        break;
      case llvm::Instruction::Xor:
        made.push_back(builder_.op(Op::Xor, {a[i], b[i]}));
        break;
      default:
        throw Unlowerable{fmt::format("constant expression '{}'", expression.getOpcodeName())};
    }
  }
  return made;
}

std::optional<BitVector> FunctionLowering::known(ValueId value) {
  const Function& f = builder_.function();
  if (f.values[value].kind != ValueKind::Constant) return std::nullopt;
  return f.constant(value);
}

ValueId FunctionLowering::resize(ValueId value, std::uint32_t width, bool is_signed) {
  const std::uint32_t from = builder_.width(value);
  if (from == width) return value;
  if (from > width) return builder_.op(term::Op::Extract, {value}, width, 0);
  return builder_.op(is_signed ? term::Op::SignExtend : term::Op::ZeroExtend, {value}, width);
}

}  // namespace plumb::frontend
