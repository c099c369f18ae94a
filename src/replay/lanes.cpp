// Which accesses matter is seen from the whole run: those to bytes that two threads touch and one of them writes.
#include "replay/lanes.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "replay/describe_defect.h"
#include "replay/source_trace.h"

namespace plumb::replay {

using interpret::TouchedMemory;
using program::CodePoint;
using program::kNone;
using program::Program;
using semantics::ThreadCall;

namespace {

/// Of a larger access these are looked at.
constexpr std::uint64_t kMostBytes = 4096;

/// Who touches a byte.
class SharedBytes {
 public:
  void touch(const ThreadMoment& moment) {
    for (std::uint64_t i = 0; i < std::min(moment.memory->size, kMostBytes); ++i) {
      const auto [found, is_new] = bytes_.try_emplace(moment.memory->address + i, Byte{moment.thread});
      found->second.is_shared |= found->second.thread != moment.thread;
      found->second.is_written |= moment.writes;
    }
  }
  bool is_shared(const TouchedMemory& memory) const {
    for (std::uint64_t i = 0; i < std::min(memory.size, kMostBytes); ++i) {
      const auto found = bytes_.find(memory.address + i);
      if (found != bytes_.end() && found->second.is_shared && found->second.is_written) return true;
    }
    return false;
  }

 private:
  struct Byte {
    std::size_t thread = 0;
    bool is_shared = false;
    bool is_written = false;
  };
  absl::flat_hash_map<std::uint64_t, Byte> bytes_;
};

class Writer {
 public:
  Writer(const Program& program, const frontend::SourceTypes& types, std::span<const result::TestInput> inputs)
      : program_(program), types_(types), inputs_(inputs) {}

  LaneStep step(const ThreadMoment& moment) {
    LaneStep step;
    step.thread = moment.thread + 1;
    if (moment.user.function != kNone) {
      step.location = place_of(program_, moment.user);
      step.function = program_.functions[moment.user.function].name;
    }
    using Kind = ThreadMoment::Kind;
    switch (moment.kind) {
      case Kind::Access:
        step.what = is_free(moment)                 ? "free"
                    : moment.reads && moment.writes ? "update"
                    : moment.writes                 ? "write"
                                                    : "read";
        name_memory(moment, step);
        break;
      case Kind::Call:
        step.what = name(*moment.call);
        step.variable = subject(moment);
        if (moment.call == ThreadCall::Create) step.other = created_ + 1;
        if (moment.call == ThreadCall::Join) step.other = moment.argument;
        break;
      case Kind::Wake:
        step.what = "goes on";
        break;
      case Kind::Blocked:
        step.what = "waits for";
        step.variable = subject(moment);
        break;
      case Kind::Input:
        step.what = "input";
        if (next_input_ < inputs_.size()) step.value = input_text(inputs_[next_input_++]);
        break;
      case Kind::End:
        step.what = "ends";
        break;
    }
    return step;
  }

 private:
  struct Named {
    std::string text;
    std::uint32_t type = kNone;
  };

  bool is_free(const ThreadMoment& moment) const {
    const program::Instruction& i = program_.functions[moment.user.function].instructions[moment.user.instruction];
    return i.kind == program::Kind::Intrinsic &&
           (i.intrinsic() == program::Intrinsic::Free || i.intrinsic() == program::Intrinsic::Realloc);
  }

  std::optional<Named> variable(const TouchedMemory& memory) const {
    if (memory.object_kind == program::ObjectKind::Global && memory.global != kNone) {
      const std::string& symbol = program_.globals[memory.global].name;
      const auto known = types_.globals.find(symbol);
      return known == types_.globals.end() ? Named{symbol} : Named{known->second.name, known->second.type};
    }
    if (memory.object_kind != program::ObjectKind::Stack || memory.allocated.instruction == kNone) return std::nullopt;
    const program::Function& function = program_.functions[memory.allocated.function];
    const program::Instruction& made = function.instructions[memory.allocated.instruction];
    if (made.kind != program::Kind::Allocate || function.value_names[made.first_result].empty()) return std::nullopt;
    const std::string& local = function.value_names[made.first_result];
    const auto known = types_.locals.find(std::pair(function.name, local));
    return known == types_.locals.end() ? Named{local} : Named{local, known->second.type};
  }

  /// The part of the variable that has these bytes, or that begins there.
  Named part(const TouchedMemory& memory) const {
    std::optional<Named> whole = variable(memory);
    if (!whole && memory.object_kind == program::ObjectKind::Heap)
      whole = Named{fmt::format("object of line {}", place_of(program_, memory.allocated).line)};
    if (!whole) return {};
    if (whole->type != kNone) {
      const std::uint64_t size = memory.size == 0 ? sizeof(std::int32_t) : memory.size;
      const auto parts = frontend::parts_of(types_, whole->type, memory.offset, size, 1);
      if (parts && parts->size() == 1) {
        std::string path = parts->front().path;
        // What the types of the library have inside is nobody's business.
        if (memory.size == 0) path.resize(std::min(path.size(), path.find(".__")));
        return {whole->text + path, parts->front().type};
      }
    }
    if (memory.offset != 0) whole->text += fmt::format(" + {}", memory.offset);
    return {whole->text, kNone};
  }

  void name_memory(const ThreadMoment& moment, LaneStep& step) const {
    if (!moment.memory) return;
    const Named named = part(*moment.memory);
    step.variable = named.text;
    const std::vector<std::uint8_t>& bytes = moment.memory->bytes;
    if (bytes.empty() || bytes.size() != moment.memory->size || step.what == "free") return;
    const frontend::SourceType* type = named.type == kNone ? nullptr : &types_.types[named.type];
    if (bytes.size() > 8 && (type == nullptr || type->kind != frontend::SourceType::Kind::Float)) return;
    step.value = frontend::value_text(type, bytes);
  }

  std::string subject(const ThreadMoment& moment) {
    if (moment.call == ThreadCall::Create) return fmt::format("thread {}", ++created_ + 1);
    if (moment.call == ThreadCall::Join) return fmt::format("thread {}", moment.argument);
    return moment.memory ? part(*moment.memory).text : "";
  }

  const Program& program_;
  const frontend::SourceTypes& types_;
  std::span<const result::TestInput> inputs_;
  std::size_t next_input_ = 0;
  std::size_t created_ = 0;
};

bool is_failure(const Program& program, const ThreadMoment& moment) {
  using program::Intrinsic;
  if (moment.call != ThreadCall::Exit) return false;
  const program::Instruction& i = program.functions[moment.user.function].instructions[moment.user.instruction];
  return i.kind == program::Kind::Intrinsic && i.intrinsic() != Intrinsic::ThreadExit;
}

/// A function of the library touches memory piece by piece.
bool is_continued(const ThreadMoment& before, const ThreadMoment& moment) {
  return !moment.is_own && before.thread == moment.thread && before.user == moment.user &&
         before.writes == moment.writes && before.memory && before.memory->allocated == moment.memory->allocated &&
         before.memory->global == moment.memory->global;
}

}  // namespace

std::vector<LaneStep> lanes_of(const Program& program, const frontend::SourceTypes& types, const ThreadMoments& moments,
                               std::span<const result::TestInput> inputs) {
  if (has_store_buffers(program)) return {};
  const std::vector<ThreadMoment> all = moments.moments();
  SharedBytes shared;
  for (const ThreadMoment& moment : all)
    if (moment.kind == ThreadMoment::Kind::Access && moment.memory) shared.touch(moment);
  Writer writer(program, types, inputs);
  std::vector<LaneStep> lanes;
  const ThreadMoment* before = nullptr;
  for (const ThreadMoment& moment : all) {
    if (is_failure(program, moment)) continue;  // failing_step() shows it
    if (moment.kind == ThreadMoment::Kind::Access) {
      if (!moment.memory || !shared.is_shared(*moment.memory)) continue;
      if (before != nullptr && is_continued(*before, moment)) continue;
    }
    before = moment.kind == ThreadMoment::Kind::Access ? &moment : nullptr;
    lanes.push_back(writer.step(moment));
  }
  if (std::ranges::all_of(lanes, [](const LaneStep& step) { return step.thread == 1; })) lanes.clear();
  return lanes;
}

LaneStep failing_step(const ThreadMoments& moments, const SourceLocation& place, const std::string& function) {
  LaneStep step;
  step.thread = moments.last_thread() + 1;
  step.location = place;
  step.function = function;
  step.what = "fails";
  return step;
}

}  // namespace plumb::replay
