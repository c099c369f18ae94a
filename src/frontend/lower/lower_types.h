#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plumb::frontend {

/// A construct that has no lowering; becomes a Halt at its place.
struct Unlowerable {
  std::string what;
};

/// A scalar of a flattened type.
struct Part {
  llvm::Type* type;
  std::uint32_t width;
  bool is_pointer;
};

/// What one Load or Store moves: a part, or all elements of a vector whose elements do not fill bytes.
struct MemoryUnit {
  std::uint64_t offset;  ///< in bytes
  std::uint32_t width;   ///< in bits, a multiple of 8
  std::uint32_t first_part;
  std::uint32_t part_count;
};

/// A type as scalars: those of its elements one after the other.
struct Shape {
  std::vector<Part> parts;
  std::vector<MemoryUnit> units;
};

/// Shapes of the types of a module. References live as long as this.
class TypeShapes {
 public:
  explicit TypeShapes(const llvm::DataLayout& layout) : layout_(layout) {}

  /// Throws Unlowerable for a type that no value here can have (scalable, beyond the widest bit-vector, far too many
  /// elements).
  const Shape& of(llvm::Type* type);
  std::uint32_t part_count(llvm::Type* type) { return static_cast<std::uint32_t>(of(type).parts.size()); }
  /// The position of the first part of an element, by the indices of extractvalue; `type` becomes the element's.
  std::uint32_t first_part(llvm::Type*& type, llvm::ArrayRef<unsigned> indices);
  std::uint32_t pointer_width() const { return layout_.getPointerSizeInBits(0); }

 private:
  std::unique_ptr<Shape> make(llvm::Type* type);
  void add_scalar(Shape& shape, llvm::Type* type);
  void add_vector(Shape& shape, llvm::FixedVectorType* type);
  static void add_at(Shape& shape, const Shape& element, std::uint64_t offset);

  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Type*, std::unique_ptr<Shape>> shapes_;
};

/// In LLVM's notation, for messages.
std::string to_text(const llvm::Type& type);

}  // namespace plumb::frontend
