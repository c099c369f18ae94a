// What a run did, in the words of its source. The program runs once more with its variables in memory, so that every
// assignment is a write that the interpreter tells of; debug information says what the written bytes are called and how
// they are read. An input that is stored at once is one step, not two.
#include "replay/source_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "replay/describe_defect.h"
#include "replay/violated_goals.h"
#include "semantics/memory/concrete_bytes.h"

namespace plumb::replay {

using program::CodePoint;
using program::kNone;
using program::Program;

namespace {

/// Events beyond this make the first half be forgotten.
constexpr std::size_t kMostEvents = 20'000;
/// Scalars of one write that get a step each.
constexpr std::size_t kMostParts = 8;

bool is_unsigned(std::string_view type) {
  return type.starts_with("unsigned") || type == "_Bool" || type == "size_t" || type.starts_with("u");
}

/// What the interpreter told of: a write, or an input with the calls around it.
struct Event {
  std::optional<interpret::StoreEvent> store;
  result::TestInput input;
  std::vector<CodePoint> stack;
};

/// What the source calls the memory that an instruction writes to, where its address is made of variables, members and
/// pointers in them alone: "head->next->key".
class Places {
 public:
  Places(const frontend::TypedProgram& typed, const program::Function& function)
      : program_(typed.program), types_(typed.types), function_(function) {}

  struct Place {
    std::string text;
    std::uint32_t type = kNone;
  };
  std::optional<Place> of(program::ValueId address, std::uint64_t size) const {
    std::vector<Step> steps;  // outermost last
    for (;;) {
      const Step step = without_offset(address, size);
      steps.push_back(step);
      const program::Instruction* load = instruction_of(step.base);
      if (load == nullptr || load->kind != program::Kind::Load) break;
      address = function_.operands_of(*load)[0];
      size = program_.layout.pointer_width / 8;
    }
    std::optional<Place> place = variable(steps.back().base);
    for (auto step = steps.rbegin(); place && step != steps.rend(); ++step)
      place = part(*place, *step, step != steps.rbegin());
    return place;
  }

 private:
  /// An address: a base and a constant.
  struct Step {
    program::ValueId base;
    std::uint64_t offset;
    std::uint64_t size;
  };

  const program::Instruction* instruction_of(program::ValueId value) const {
    const program::Value& v = function_.values[value];
    return v.kind == program::ValueKind::Result ? &function_.instructions[v.index] : nullptr;
  }

  Step without_offset(program::ValueId address, std::uint64_t size) const {
    std::uint64_t offset = 0;
    for (;;) {
      const program::Instruction* add = instruction_of(address);
      if (add == nullptr || add->kind != program::Kind::Operator || add->op() != term::Op::Add) break;
      const std::span<const program::ValueId> operands = function_.operands_of(*add);
      if (function_.values[operands[1]].kind != program::ValueKind::Constant) break;
      offset += function_.constant(operands[1]).to_uint64();
      address = operands[0];
    }
    return {address, offset, size};
  }

  std::optional<Place> variable(program::ValueId base) const {
    const program::Value& value = function_.values[base];
    if (value.kind == program::ValueKind::GlobalAddress && value.offset == 0) {
      const auto known = types_.globals.find(program_.globals[value.index].name);
      if (known != types_.globals.end()) return Place{known->second.name, known->second.type};
    }
    const program::Instruction* made = instruction_of(base);
    if (made == nullptr || made->kind != program::Kind::Allocate) return std::nullopt;
    const auto known = types_.locals.find(std::pair(function_.name, function_.value_names[base]));
    if (known == types_.locals.end()) return std::nullopt;
    return Place{known->first.second, known->second.type};
  }

  /// Of the variable, or of what it points to.
  std::optional<Place> part(const Place& of, const Step& step, bool is_pointed) const {
    std::uint32_t type = of.type;
    if (type != kNone && is_pointed)
      type = types_.types[type].kind == frontend::SourceType::Kind::Pointer ? types_.types[type].element : kNone;
    if (type == kNone) return std::nullopt;
    const auto parts = frontend::parts_of(types_, type, step.offset, step.size, 1);
    if (!parts || parts->size() != 1) return std::nullopt;
    const std::string& path = parts->front().path;
    if (!is_pointed) return Place{of.text + path, parts->front().type};
    if (path.empty()) return Place{"*" + of.text, parts->front().type};
    return Place{path.front() == '.' ? of.text + "->" + path.substr(1) : "(*" + of.text + ")" + path,
                 parts->front().type};
  }

  const Program& program_;
  const frontend::SourceTypes& types_;
  const program::Function& function_;
};

/// Makes steps of events.
class Writer {
 public:
  explicit Writer(const frontend::TypedProgram& typed) : typed_(typed), program_(typed.program), types_(typed.types) {}

  void input(std::span<const CodePoint> stack, const result::TestInput& input) {
    flush();
    const CodePoint at = stack.empty() ? CodePoint{program_.entry, kNone} : users_point(program_, stack);
    TraceStep step = made_at(at, stack.empty() ? 0 : static_cast<std::uint32_t>(stack.size() - 1));
    if (stack.empty()) step.variable = input.name;
    step.value = input_text(input);
    step.is_input = true;
    pending_ = {std::move(step), input.bytes};
  }

  void store(const interpret::StoreEvent& event) {
    const program::Function& function = program_.functions[event.at.function];
    std::vector<TraceStep> steps = steps_of(event);
    const bool is_of_input = pending_ && !steps.empty() && pending_->bytes == event.bytes &&
                             pending_->step.function == function.name &&
                             steps.front().location.line == pending_->step.location.line;
    if (is_of_input) {
      pending_.reset();
      for (TraceStep& step : steps) step.is_input = true;
    } else if (!steps.empty()) {
      flush();
    }
    for (TraceStep& step : steps) add(std::move(step));
  }

  std::vector<TraceStep> take() {
    flush();
    return std::move(steps_);
  }

 private:
  struct Input {
    TraceStep step;
    std::vector<std::uint8_t> bytes;
  };
  struct Target {
    std::string name;
    std::uint32_t type = kNone;
  };

  TraceStep made_at(CodePoint at, std::uint32_t depth) const {
    TraceStep step;
    step.location = place_of(program_, at);
    step.function = program_.functions[at.function].name;
    step.depth = depth;
    return step;
  }

  /// Nothing for what the source has no name for.
  std::optional<Target> target_of(const interpret::StoreEvent& event) const {
    switch (event.object_kind) {
      case program::ObjectKind::Global: {
        if (event.global == kNone || program_.globals[event.global].is_model) return std::nullopt;
        const auto known = types_.globals.find(program_.globals[event.global].name);
        if (known == types_.globals.end()) return std::nullopt;
        return Target{known->second.name, known->second.type};
      }
      case program::ObjectKind::Stack: {
        const program::Function& function = program_.functions[event.allocated.function];
        const program::Instruction& made = function.instructions[event.allocated.instruction];
        if (made.kind != program::Kind::Allocate) return std::nullopt;
        const auto known = types_.locals.find(std::pair(function.name, function.value_names[made.first_result]));
        if (known == types_.locals.end()) return std::nullopt;
        return Target{known->first.second, known->second.type};
      }
      case program::ObjectKind::Heap: {
        const std::uint32_t line = place_of(program_, event.allocated).line;
        return Target{fmt::format("heap object of line {}", line), kNone};
      }
      case program::ObjectKind::Function:
        break;
    }
    return std::nullopt;
  }

  std::optional<Places::Place> pointed_place(const interpret::StoreEvent& event) const {
    const program::Function& function = program_.functions[event.at.function];
    const program::Instruction& store = function.instructions[event.at.instruction];
    if (store.kind != program::Kind::Store) return std::nullopt;
    return Places(typed_, function).of(function.operands_of(store)[0], event.bytes.size());
  }

  std::vector<TraceStep> steps_of(const interpret::StoreEvent& event) const {
    const std::optional<Target> target = target_of(event);
    if (!target) return {};
    const TraceStep base = made_at(event.at, event.depth - 1);
    if (event.object_kind == program::ObjectKind::Heap)
      if (const std::optional<Places::Place> place = pointed_place(event)) {
        TraceStep step = base;
        step.variable = place->text;
        step.value = frontend::value_text(&types_.types[place->type], event.bytes);
        return {step};
      }
    std::vector<TraceStep> steps;
    const auto parts = target->type == kNone
                           ? std::nullopt
                           : frontend::parts_of(types_, target->type, event.offset, event.bytes.size(), kMostParts);
    if (!parts || parts->empty()) {
      TraceStep step = base;
      step.variable = event.offset == 0 && event.object_kind != program::ObjectKind::Heap
                          ? target->name
                          : fmt::format("{} + {}", target->name, event.offset);
      step.value = event.bytes.size() <= 8 ? frontend::value_text(nullptr, event.bytes)
                                           : fmt::format("{} bytes", event.bytes.size());
      return {step};
    }
    for (const frontend::SourcePart& part : *parts) {
      TraceStep step = base;
      step.variable = target->name + part.path;
      const frontend::SourceType& type = types_.types[part.type];
      step.value = frontend::value_text(&type, std::span(event.bytes).subspan(part.offset - event.offset, type.size));
      steps.push_back(std::move(step));
    }
    return steps;
  }

  void flush() {
    if (pending_) add(std::move(pending_->step));
    pending_.reset();
  }

  void add(TraceStep step) { steps_.push_back(std::move(step)); }

  const frontend::TypedProgram& typed_;
  const Program& program_;
  const frontend::SourceTypes& types_;
  std::optional<Input> pending_;
  std::vector<TraceStep> steps_;
};

/// A variable begins to be, with no value that the test gives.
bool leaves_unset(const Program& program, const interpret::StoreEvent& event) {
  const program::Function& function = program.functions[event.at.function];
  const program::Instruction& store = function.instructions[event.at.instruction];
  if (store.kind != program::Kind::Store) return false;
  const program::Value& value = function.values[function.operands_of(store)[1]];
  if (value.kind != program::ValueKind::Result) return false;
  const program::Instruction& made = function.instructions[value.index];
  return made.kind == program::Kind::Intrinsic && made.intrinsic() == program::Intrinsic::UnsetValue &&
         std::ranges::all_of(event.bytes, [](std::uint8_t byte) { return byte == semantics::kUninitialised; });
}

}  // namespace

std::string input_text(const result::TestInput& input) {
  frontend::SourceType type;
  type.kind = is_unsigned(input.name) ? frontend::SourceType::Kind::Unsigned : frontend::SourceType::Kind::Signed;
  if (input.name.ends_with('*')) type.kind = frontend::SourceType::Kind::Pointer;
  if (input.name == "float" || input.name == "double") type.kind = frontend::SourceType::Kind::Float;
  return frontend::value_text(&type, input.bytes);
}

CodePoint users_point(const Program& program, std::span<const CodePoint> stack) {
  const auto users = std::ranges::find_if(stack, [&](CodePoint point) {
    return !program.functions[point.function].is_model && place_of(program, point).line != 0;
  });
  if (users != stack.end()) return *users;
  return stack.empty() ? CodePoint{} : stack.front();
}

SourceTrace run_with_trace(const frontend::TypedProgram& typed, const result::TestCase& test, const Budget& budget) {
  std::vector<Event> events;  // texts are made of those alone that are kept
  const auto add = [&](Event event) {
    if (events.size() == kMostEvents) events.erase(events.begin(), events.begin() + kMostEvents / 2);
    events.push_back(std::move(event));
  };
  ProgramFiles files(ProgramFiles::Start::Empty, test.environment);
  interpret::InterpreterOptions options = goal_options(test, files);
  options.on_store = [&](const interpret::StoreEvent& event) {
    if (!typed.program.functions[event.at.function].is_model && !leaves_unset(typed.program, event))
      add({event, {}, {}});
  };
  options.on_input = [&](std::span<const CodePoint> stack, const result::TestInput& input) {
    add({std::nullopt, input, {stack.begin(), stack.end()}});
  };
  interpret::Interpreter interpreter(typed.program);
  SourceTrace trace;
  trace.end = interpreter.run(options, budget);
  Writer writer(typed);
  for (const Event& event : events) event.store ? writer.store(*event.store) : writer.input(event.stack, event.input);
  trace.steps = writer.take();
  return trace;
}

}  // namespace plumb::replay
