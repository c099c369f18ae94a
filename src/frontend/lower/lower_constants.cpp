#include "frontend/lower/lower_constants.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <iterator>

#include "frontend/lower/lower_module.h"

namespace plumb::frontend {

using program::Relocation;
namespace {

using Base = LinkConstant::Base;

std::string to_text(const llvm::Constant& constant) {
  std::string text;
  llvm::raw_string_ostream(text) << constant;
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

std::uint64_t low_bits(std::uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// A weak symbol that nothing defines is null.
bool is_absent(const ModuleLowering& module, const llvm::Constant& constant) {
  const auto* symbol = llvm::dyn_cast<llvm::GlobalValue>(&constant);
  if (symbol == nullptr || !symbol->hasExternalWeakLinkage()) return false;
  const auto* function = llvm::dyn_cast<llvm::Function>(symbol);
  return function == nullptr || !module.library(*function);
}

std::optional<LinkConstant> combine(const LinkConstant& a, const LinkConstant& b, bool is_difference) {
  if (!is_difference) {
    if (a.base != Base::None && b.base != Base::None) return std::nullopt;
    const LinkConstant& base = a.base != Base::None ? a : b;
    return LinkConstant{base.base, base.index, a.offset + b.offset};
  }
  if (b.base == Base::None) return LinkConstant{a.base, a.index, a.offset - b.offset};
  if (a.base == b.base && a.index == b.index) return LinkConstant{Base::None, kNone, a.offset - b.offset};
  return std::nullopt;
}

std::optional<LinkConstant> link_expression(ModuleLowering& module, const llvm::ConstantExpr& expression) {
  const auto operand = [&](unsigned i) { return link_constant(module, *expression.getOperand(i)); };
  const auto width = static_cast<unsigned>(module.layout().getTypeSizeInBits(expression.getType()));
  std::optional<LinkConstant> result;
  switch (expression.getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
      const auto& gep = llvm::cast<llvm::GEPOperator>(expression);
      llvm::APInt offset(module.layout().getIndexTypeSizeInBits(gep.getType()), 0);
      result = operand(0);
      if (!result || !gep.accumulateConstantOffset(module.layout(), offset)) return std::nullopt;
      result->offset += static_cast<std::uint64_t>(offset.getSExtValue());
      break;
    }
    case llvm::Instruction::BitCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::Trunc:
      result = operand(0);
      break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      const auto a = operand(0);
      const auto b = operand(1);
      if (a && b) result = combine(*a, *b, expression.getOpcode() == llvm::Instruction::Sub);
      break;
    }
    default:
      return std::nullopt;
  }
  if (!result) return result;
  // An address that was cut short is no relocation.
  if (result->base != Base::None && width != module.pointer_width()) return std::nullopt;
  result->offset = low_bits(result->offset, width);
  return result;
}

/// Writes constants into the bytes of an object.
class InitialiserWriter {
 public:
  InitialiserWriter(ModuleLowering& module, GlobalObject& object) : module_(module), object_(object) {}

  void write(const llvm::Constant& constant, std::uint64_t offset);
  void write_relative_table(const llvm::GlobalVariable& table);

 private:
  void write_bits(const llvm::APInt& value, std::uint64_t offset);
  /// Of a number as the host has it.
  void write_number(const char* data, std::size_t count, std::uint64_t offset);
  void write_bytes(const char* data, std::size_t count, std::uint64_t offset);
  void write_aggregate(const llvm::Constant& constant, std::uint64_t offset);
  void write_packed(const llvm::Constant& constant, const llvm::FixedVectorType& type, std::uint64_t offset);
  void write_link(const llvm::Constant& constant, std::uint64_t offset);

  ModuleLowering& module_;
  GlobalObject& object_;
};

void InitialiserWriter::write_bytes(const char* data, std::size_t count, std::uint64_t offset) {
  while (count > 0 && data[count - 1] == 0) --count;
  if (count == 0) return;
  if (object_.bytes.size() < offset + count) object_.bytes.resize(offset + count);
  std::memcpy(object_.bytes.data() + offset, data, count);
}

void InitialiserWriter::write_bits(const llvm::APInt& value, std::uint64_t offset) {
  const std::size_t count = (value.getBitWidth() + 7) / 8;
  write_number(reinterpret_cast<const char*>(value.getRawData()), count, offset);
}

void InitialiserWriter::write_number(const char* data, std::size_t count, std::uint64_t offset) {
  if (module_.layout().isLittleEndian()) return write_bytes(data, count, offset);
  const std::string turned(std::reverse_iterator(data + count), std::reverse_iterator(data));
  write_bytes(turned.data(), count, offset);
}

void InitialiserWriter::write(const llvm::Constant& constant, std::uint64_t offset) {
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const llvm::StringRef raw = data->getRawDataValues();  // elements as the host has them
    const std::size_t size = data->getElementByteSize();
    if (size == 1 || module_.layout().isLittleEndian()) return write_bytes(raw.data(), raw.size(), offset);
    for (std::size_t at = 0; at < raw.size(); at += size) write_number(raw.data() + at, size, offset + at);
    return;
  }
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType());
  if (vector != nullptr && module_.layout().getTypeSizeInBits(vector->getElementType()) % 8 != 0)
    return write_packed(constant, *vector, offset);
  if (llvm::isa<llvm::ConstantAggregate>(constant)) return write_aggregate(constant, offset);
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant); integer != nullptr && vector == nullptr)
    return write_bits(integer->getValue(), offset);
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant); real != nullptr && vector == nullptr)
    return write_bits(real->getValueAPF().bitcastToAPInt(), offset);
  write_link(constant, offset);
}

void InitialiserWriter::write_aggregate(const llvm::Constant& constant, std::uint64_t offset) {
  const llvm::DataLayout& layout = module_.layout();
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(constant.getType())) {
    const llvm::StructLayout* fields = layout.getStructLayout(structure);
    for (unsigned i = 0; i < constant.getNumOperands(); ++i)
      write(*llvm::cast<llvm::Constant>(constant.getOperand(i)), offset + fields->getElementOffset(i).getFixedValue());
    return;
  }
  llvm::Type* element = constant.getOperand(0)->getType();
  const std::uint64_t stride = constant.getType()->isVectorTy() ? layout.getTypeSizeInBits(element).getFixedValue() / 8
                                                                : layout.getTypeAllocSize(element).getFixedValue();
  for (unsigned i = 0; i < constant.getNumOperands(); ++i)
    write(*llvm::cast<llvm::Constant>(constant.getOperand(i)), offset + i * stride);
}

void InitialiserWriter::write_packed(const llvm::Constant& constant, const llvm::FixedVectorType& type,
                                     std::uint64_t offset) {
  const auto width = static_cast<unsigned>(module_.layout().getTypeSizeInBits(type.getElementType()));
  llvm::APInt bits(width * type.getNumElements(), 0);
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    const llvm::Constant* element = constant.getAggregateElement(i);
    if (element == nullptr) throw Unlowerable{to_text(constant)};
    const unsigned place = module_.layout().isLittleEndian() ? i : type.getNumElements() - 1 - i;
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(element))
      bits.insertBits(integer->getValue(), place * width);
    else if (!llvm::isa<llvm::UndefValue>(element))
      throw Unlowerable{to_text(constant)};
  }
  write_bits(bits, offset);
}

void InitialiserWriter::write_link(const llvm::Constant& constant, std::uint64_t offset) {
  const auto link = link_constant(module_, constant);
  if (!link) throw Unlowerable{to_text(constant)};
  if (link->base == Base::None) {
    const auto width = static_cast<unsigned>(module_.layout().getTypeSizeInBits(constant.getType()));
    return write_bits(llvm::APInt(width, link->offset), offset);
  }
  Relocation relocation;
  relocation.offset = offset;
  relocation.is_function = link->base == Base::Function;
  relocation.index = link->index;
  relocation.addend = BitVector(module_.pointer_width(), link->offset).to_int64();
  object_.relocations.push_back(relocation);
}

/// What an entry of a relative table points to; null if it is no such entry.
const llvm::Constant* relative_target(const llvm::Constant& entry, const llvm::GlobalVariable& table) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&entry);
  if (expression != nullptr && expression->getOpcode() == llvm::Instruction::Trunc)
    expression = llvm::dyn_cast<llvm::ConstantExpr>(expression->getOperand(0));
  if (expression == nullptr || expression->getOpcode() != llvm::Instruction::Sub) return nullptr;
  const auto pointer = [&](unsigned i) -> const llvm::Constant* {
    const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(expression->getOperand(i));
    return cast != nullptr && cast->getOpcode() == llvm::Instruction::PtrToInt ? cast->getOperand(0) : nullptr;
  };
  return pointer(1) == &table ? pointer(0) : nullptr;
}

void InitialiserWriter::write_relative_table(const llvm::GlobalVariable& table) {
  const llvm::Constant& entries = *table.getInitializer();
  for (unsigned i = 0; i < entries.getNumOperands(); ++i)
    write_link(*relative_target(*llvm::cast<llvm::Constant>(entries.getOperand(i)), table),
               std::uint64_t{i} * (module_.pointer_width() / 8));
}

}  // namespace

bool is_relative_table(const llvm::GlobalVariable& global) {
  const auto* entries =
      global.hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(global.getInitializer()) : nullptr;
  if (entries == nullptr || !entries->getType()->getElementType()->isIntegerTy(8 * kRelativeEntrySize)) return false;
  const auto is_reader = [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (call != nullptr) return call->getIntrinsicID() == llvm::Intrinsic::load_relative;
    return llvm::isa<llvm::ConstantExpr>(user);  // in its own entries
  };
  return llvm::all_of(global.users(), is_reader) && llvm::all_of(entries->operands(), [&](const llvm::Use& entry) {
           return relative_target(*llvm::cast<llvm::Constant>(entry.get()), global) != nullptr;
         });
}

BitVector to_bit_vector(const llvm::APInt& value) {
  return BitVector::from_words(value.getBitWidth(), {value.getRawData(), value.getNumWords()});
}

std::optional<BitVector> scalar_constant(const llvm::Constant& constant, std::uint32_t width) {
  if (constant.getType()->isVectorTy()) return std::nullopt;
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) return to_bit_vector(integer->getValue());
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return to_bit_vector(real->getValueAPF().bitcastToAPInt());
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return BitVector(width, 0);
  return std::nullopt;
}

std::optional<LinkConstant> link_constant(ModuleLowering& module, const llvm::Constant& constant) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (integer->getBitWidth() > 64) return std::nullopt;
    return LinkConstant{Base::None, kNone, integer->getZExtValue()};
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant) || is_absent(module, constant)) return LinkConstant{};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return LinkConstant{Base::Global, module.global(*global), 0};
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&constant))
    return LinkConstant{Base::Function, module.function(*function), 0};
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant))
    return link_constant(module, *alias->getAliasee());
  if (const auto* equivalent = llvm::dyn_cast<llvm::DSOLocalEquivalent>(&constant))
    return link_constant(module, *equivalent->getGlobalValue());
  if (const auto* plain = llvm::dyn_cast<llvm::NoCFIValue>(&constant))
    return link_constant(module, *plain->getGlobalValue());
  if (const auto* block = llvm::dyn_cast<llvm::BlockAddress>(&constant))
    return LinkConstant{Base::None, kNone, module.block_number(*block->getBasicBlock())};
  if (const auto* resolver = llvm::dyn_cast<llvm::GlobalIFunc>(&constant))
    throw Unlowerable{fmt::format("indirect function '{}'", resolver->getName().str())};
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant))
    return link_expression(module, *expression);
  return std::nullopt;
}

void write_initialiser(ModuleLowering& module, const llvm::GlobalVariable& global, GlobalObject& object) {
  InitialiserWriter writer(module, object);
  if (is_relative_table(global)) return writer.write_relative_table(global);
  writer.write(*global.getInitializer(), 0);
}

}  // namespace plumb::frontend
