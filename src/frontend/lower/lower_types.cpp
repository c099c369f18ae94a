#include "frontend/lower/lower_types.h"

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

#include "base/bit_vector.h"

namespace plumb::frontend {
namespace {

/// Beyond this, an aggregate as a value is a mistake of its producer, and taking it apart would not end well.
constexpr std::size_t kMaxParts = std::size_t{1} << 16;

}  // namespace

std::string to_text(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

const Shape& TypeShapes::of(llvm::Type* type) {
  if (const auto it = shapes_.find(type); it != shapes_.end()) return *it->second;
  auto shape = make(type);
  return *(shapes_[type] = std::move(shape));
}

std::unique_ptr<Shape> TypeShapes::make(llvm::Type* type) {
  auto shape = std::make_unique<Shape>();
  if (type->isVoidTy()) return shape;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure != nullptr && !structure->isOpaque()) {
    const llvm::StructLayout* layout = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      add_at(*shape, of(structure->getElementType(i)), layout->getElementOffset(i).getFixedValue());
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const Shape& element = of(array->getElementType());
    const std::uint64_t stride = layout_.getTypeAllocSize(array->getElementType()).getFixedValue();
    if (!element.parts.empty() && array->getNumElements() > kMaxParts)
      throw Unlowerable{fmt::format("a value of type {}", to_text(*type))};
    for (std::uint64_t i = 0; i < array->getNumElements() && !element.parts.empty(); ++i)
      add_at(*shape, element, i * stride);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    add_vector(*shape, vector);
  } else {
    add_scalar(*shape, type);
  }
  if (shape->parts.size() > kMaxParts) throw Unlowerable{fmt::format("a value of type {}", to_text(*type))};
  return shape;
}

void TypeShapes::add_at(Shape& shape, const Shape& element, std::uint64_t offset) {
  const auto first = static_cast<std::uint32_t>(shape.parts.size());
  shape.parts.insert(shape.parts.end(), element.parts.begin(), element.parts.end());
  for (MemoryUnit unit : element.units) {
    unit.offset += offset;
    unit.first_part += first;
    shape.units.push_back(unit);
  }
}

void TypeShapes::add_scalar(Shape& shape, llvm::Type* type) {
  const bool is_pointer = type->isPointerTy();
  if (!is_pointer && !type->isIntegerTy() && !type->isFloatingPointTy())
    throw Unlowerable{fmt::format("a value of type {}", to_text(*type))};
  const auto width = static_cast<std::uint32_t>(layout_.getTypeSizeInBits(type).getFixedValue());
  if (width > BitVector::kMaxWidth - 8) throw Unlowerable{fmt::format("a value of type {}", to_text(*type))};
  const auto first = static_cast<std::uint32_t>(shape.parts.size());
  shape.parts.push_back({type, width, is_pointer});
  shape.units.push_back({0, (width + 7) / 8 * 8, first, 1});
}

void TypeShapes::add_vector(Shape& shape, llvm::FixedVectorType* type) {
  const Shape& element = of(type->getElementType());
  const Part part = element.parts.front();
  const std::uint32_t count = type->getNumElements();
  if (part.width % 8 == 0) {
    for (std::uint32_t i = 0; i < count; ++i) add_at(shape, element, std::uint64_t{i} * (part.width / 8));
    return;
  }
  const std::uint64_t bits = std::uint64_t{count} * part.width;
  if (bits > BitVector::kMaxWidth - 8) throw Unlowerable{fmt::format("a value of type {}", to_text(*type))};
  shape.parts.assign(count, part);
  shape.units.push_back({0, static_cast<std::uint32_t>((bits + 7) / 8 * 8), 0, count});
}

std::uint32_t TypeShapes::first_part(llvm::Type*& type, llvm::ArrayRef<unsigned> indices) {
  std::uint32_t first = 0;
  for (const unsigned index : indices) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i) first += part_count(structure->getElementType(i));
      type = structure->getElementType(index);
    } else {
      type = llvm::cast<llvm::ArrayType>(type)->getElementType();
      first += index * part_count(type);
    }
  }
  return first;
}

}  // namespace plumb::frontend
