#include "instrument/fingerprint.h"

#include "result/export/sha256.h"

namespace plumb::instrument {

namespace {

/// Collects numbers and texts so that different sequences give different bytes.
class Collector {
 public:
  void add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) text_ += static_cast<char>(number >> (8 * i));
  }
  void add(std::string_view text) {
    add(text.size());
    text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add(Collector& to, const program::Function& function) {
  to.add(function.name);
  for (const program::Value& value : function.values) {
    to.add(static_cast<std::uint64_t>(value.kind) << 32 | value.width);
    to.add(std::uint64_t{value.index} << 32 | value.block);
    to.add(static_cast<std::uint64_t>(value.offset));
  }
  for (const BitVector& constant : function.constants) to.add(constant.to_hex());
  for (const program::Instruction& i : function.instructions) {
    to.add(static_cast<std::uint64_t>(i.kind) << 32 | std::uint64_t{i.code} << 16 | i.flags);
    to.add(std::uint64_t{i.parameter} << 32 | i.first_operand);
    to.add(std::uint64_t{i.operand_count} << 32 | i.first_edge);
  }
  for (const program::ValueId operand : function.operands) to.add(std::uint64_t{operand});
  for (const program::Edge& edge : function.edges) {
    to.add(std::uint64_t{edge.target} << 32 | edge.first_argument);
    to.add(std::uint64_t{edge.argument_count});
  }
  for (const program::Block& block : function.blocks)
    to.add(std::uint64_t{block.first_instruction} << 32 | block.instruction_count);
}

void add(Collector& to, const program::GlobalObject& global) {
  to.add(global.name);
  to.add(global.size);
  to.add(std::string_view(reinterpret_cast<const char*>(global.bytes.data()), global.bytes.size()));
  for (const program::Relocation& relocation : global.relocations) {
    to.add(relocation.offset);
    to.add(std::uint64_t{relocation.index} << 32 | static_cast<std::uint32_t>(relocation.addend));
  }
}

void add(Collector& to, const Site& site) {
  to.add(static_cast<std::uint64_t>(site.kind) << 32 | site.function);
  to.add(std::uint64_t{site.location.line} << 32 | site.location.column);
  to.add(std::uint64_t{site.first_edge} << 32 | site.edge_count);
  to.add(std::uint64_t{site.is_counted});
  for (const std::uint64_t value : site.cases) to.add(value);
}

}  // namespace

std::string fingerprint(const Subject& subject) {
  Collector all;
  all.add(subject.program.layout.triple);
  all.add(program::to_string(subject.program.checks));
  for (const program::Function& function : subject.program.functions) add(all, function);
  for (const program::GlobalObject& global : subject.program.globals) add(all, global);
  for (const Site& site : subject.sites) add(all, site);
  for (const RegionPlan& region : subject.regions) all.add(std::uint64_t{region.function});
  return result::sha256(all.text());
}

}  // namespace plumb::instrument
