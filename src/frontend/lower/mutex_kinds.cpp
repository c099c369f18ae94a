#include "frontend/lower/mutex_kinds.h"

#include <algorithm>
#include <array>

#include "program/function_builder.h"

namespace plumb::frontend {
namespace {

constexpr std::uint32_t kRecursive = 1;
constexpr std::uint32_t kErrorCheck = 2;
/// Of an array of mutexes; the others are taken as normal ones.
constexpr std::uint64_t kMostElements = 4096;

struct Finder {
  const llvm::DataLayout& layout;
  program::GlobalId global;
  std::span<const std::uint8_t> bytes;
  std::vector<InitialMutexKind> found{};

  void look(llvm::Type* type, std::uint64_t offset) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      if (structure->hasName() && structure->getName().starts_with("struct.__pthread_mutex_s")) return add(offset);
      const llvm::StructLayout& fields = *layout.getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        look(structure->getElementType(i), offset + fields.getElementOffset(i).getFixedValue());
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type); array != nullptr && may_hold(array)) {
      const std::uint64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
      for (std::uint64_t i = 0; i < std::min(array->getNumElements(), kMostElements); ++i)
        look(array->getElementType(), offset + i * size);
    }
  }

  static bool may_hold(const llvm::ArrayType* array) { return array->getElementType()->isAggregateType(); }

  void add(std::uint64_t offset) {
    const std::uint64_t at = offset + (layout.getPointerSizeInBits(0) == 64 ? 16 : 12);
    const std::uint32_t kind = at < bytes.size() ? bytes[at] & 3U : 0;
    if (kind == kRecursive || kind == kErrorCheck) found.push_back({global, offset, kind});
  }
};

}  // namespace

std::vector<InitialMutexKind> mutex_kinds(llvm::Type* type, const llvm::DataLayout& layout, program::GlobalId global,
                                          std::span<const std::uint8_t> bytes) {
  Finder finder{layout, global, bytes};
  // Zeros are normal mutexes.
  if (std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; })) finder.look(type, 0);
  return std::move(finder.found);
}

program::Function mutex_kinds_function(std::span<const InitialMutexKind> kinds, std::uint32_t pointer_width) {
  program::FunctionBuilder b("plumb.mutex_kinds");
  b.function().is_model = true;
  b.select(b.add_block());
  for (const InitialMutexKind& each : kinds) {
    const std::array operands = {b.global_address(each.global, pointer_width, static_cast<std::int64_t>(each.offset)),
                                 b.constant(32, each.kind)};
    b.emit(program::Kind::Intrinsic, static_cast<std::uint8_t>(program::Intrinsic::MutexKind), operands);
  }
  b.return_values({});
  return b.finish();
}

}  // namespace plumb::frontend
