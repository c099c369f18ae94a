#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace plumb::check {

/// A node of a YAML document with its place, for messages.
struct YamlNode {
  enum class Kind : std::uint8_t { Null, Scalar, Sequence, Mapping };
  struct Entry;

  Kind kind = Kind::Null;
  SourceLocation location;
  std::string text{};             ///< of a scalar, without its quotes
  bool is_quoted = false;         ///< of a scalar: then `true` is a text
  std::vector<YamlNode> items{};  ///< of a sequence
  std::vector<Entry> entries;     ///< of a mapping, in the order of the file

  /// The value of a key of a mapping; null if there is none.
  const YamlNode* find(std::string_view key) const;
};
struct YamlNode::Entry {
  std::string key;
  SourceLocation location;
  YamlNode value;
};

/// The subset of YAML that configuration files use: one document of block and flow mappings and sequences, plain and
/// quoted scalars that end on their line, comments. Throws UserError with line and column for all else (anchors, tags,
/// block scalars), for a key that is there twice, and for mistakes. `file` is for messages.
YamlNode parse_yaml(std::string_view text, const std::string& file);

}  // namespace plumb::check
