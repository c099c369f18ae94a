#include "frontend/source_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace plumb::frontend {

namespace {

/// Collects the scalars of a range; unnests types with a stack of its own, for arrays of records may be deep and large.
class PartFinder {
 public:
  PartFinder(const SourceTypes& types, std::uint64_t begin, std::uint64_t end, std::size_t limit)
      : types_(types), begin_(begin), end_(end), limit_(limit) {}

  bool find(std::uint32_t root) {
    std::vector<SourcePart> pending = {{"", root, 0}};
    while (!pending.empty()) {
      const SourcePart part = std::move(pending.back());
      pending.pop_back();
      if (part.type == kNone) return false;
      const SourceType& type = types_.types[part.type];
      if (part.offset >= end_ || part.offset + type.size <= begin_) continue;
      const std::size_t first = pending.size();
      if (!unnest(type, part, pending)) return false;
      std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
    }
    return true;
  }
  std::vector<SourcePart> take() { return std::move(found_); }

 private:
  /// False if the range cuts a scalar, or has too many.
  bool unnest(const SourceType& type, const SourcePart& part, std::vector<SourcePart>& pending) {
    switch (type.kind) {
      case SourceType::Kind::Array: {
        const SourceType* element = type.element == kNone ? nullptr : &types_.types[type.element];
        if (element == nullptr || element->size == 0) return false;
        const std::uint64_t skipped = part.offset < begin_ ? (begin_ - part.offset) / element->size : 0;
        for (std::uint64_t i = skipped; i < type.size / element->size; ++i) {
          const std::uint64_t offset = part.offset + i * element->size;
          if (offset >= end_) break;
          if (i - skipped >= limit_) return false;
          pending.push_back({fmt::format("{}[{}]", part.path, i), type.element, offset});
        }
        return true;
      }
      case SourceType::Kind::Record:
        for (const SourceType::Field& field : type.fields)
          pending.push_back({field.name.empty() ? part.path : fmt::format("{}.{}", part.path, field.name), field.type,
                             part.offset + field.offset});
        return true;
      default:
        if (part.offset < begin_ || part.offset + type.size > end_ || found_.size() == limit_) return false;
        found_.push_back(part);
        return true;
    }
  }

  const SourceTypes& types_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::size_t limit_;
  std::vector<SourcePart> found_;
};

template <typename T>
std::string float_text(std::span<const std::uint8_t> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return fmt::format("{}", value);
}

}  // namespace

bool SourceTypes::is_in_scope(const Local& variable, const Loop& loop) const {
  if (variable.scope == kNone || variable.line >= loop.start.line) return false;
  std::uint32_t scope = loop.scope;
  // The head of a `for` is a scope that begins at the keyword.
  while (scope != kNone && scopes[scope].line == loop.start.line && scopes[scope].column == loop.start.column)
    scope = scopes[scope].parent;
  while (scope != kNone && scope != variable.scope) scope = scopes[scope].parent;
  return scope != kNone;
}

std::optional<std::vector<SourcePart>> parts_of(const SourceTypes& types, std::uint32_t type, std::uint64_t offset,
                                                std::uint64_t size, std::size_t limit) {
  PartFinder finder(types, offset, offset + size, limit);
  if (!finder.find(type)) return std::nullopt;
  return finder.take();
}

std::string value_text(const SourceType* type, std::span<const std::uint8_t> bytes) {
  using Scalar = SourceType::Kind;
  const Scalar kind = type == nullptr ? Scalar::Signed : type->kind;
  if (kind == Scalar::Float && bytes.size() == sizeof(float)) return float_text<float>(bytes);
  if (kind == Scalar::Float && bytes.size() == sizeof(double)) return float_text<double>(bytes);
  if (bytes.size() > 8 || bytes.empty()) {
    std::string text = "0x";
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) text += fmt::format("{:02x}", *byte);
    return text;
  }
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  switch (kind) {
    case Scalar::Pointer:
      return value == 0 ? "NULL" : fmt::format("{:#x}", value);
    case Scalar::Unsigned:
    case Scalar::Boolean:
      return std::to_string(value);
    default: {
      const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
      return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
    }
  }
}

}  // namespace plumb::frontend
