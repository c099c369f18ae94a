#include "flatten/flatten.h"

#include "flatten/translate/translator.h"

namespace plumb::flatten {

std::optional<result::GapKind> gap_kind(Limit::Kind kind) {
  switch (kind) {
    case Limit::Kind::Heap:
    case Limit::Kind::ObjectSize:
    case Limit::Kind::Stack:
      return std::nullopt;
    case Limit::Kind::Unsupported:
      return result::GapKind::Unsupported;
    case Limit::Kind::Mismatch:
      return result::GapKind::Mismatch;
    case Limit::Kind::MissingBody:
      return result::GapKind::MissingBody;
    case Limit::Kind::Pinned:
      return result::GapKind::Pinned;
    case Limit::Kind::Skipped:
      return result::GapKind::Skipped;
  }
  INVARIANT(false, "a kind of limit should be one of those declared");
}

Flattened flatten(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget) {
  if (program.entry == program::kNone || !program.functions[program.entry].has_body())
    throw UserError("the program has no entry function", "give the file that defines main, or another entry");
  Flattened result;
  Translator(program, goals, options, budget, result).run();
  INVARIANT(result.sources.size() == result.graph.variables.size(), "every variable should have its source");
  INVARIANT(result.inputs.size() == result.graph.inputs.size(), "every input should be described");
  return result;
}

}  // namespace plumb::flatten
