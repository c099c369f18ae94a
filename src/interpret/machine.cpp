#include "interpret/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "term/narrow.h"

namespace plumb::interpret {

using program::Block;
using program::Check;
using program::to_string;

namespace {

constexpr std::uint64_t kCheckInterval = 100'000;

}  // namespace

Machine::Machine(Code& of, const InterpreterOptions& with, const Budget& budget)
    : code(of),
      program(of.program),
      platform(program::platform_of(of.program.layout)),
      options(with),
      check_alignment(with.check_alignment || of.program.checks.has(Check::Alignment)),
      memory(of.program.layout.pointer_width),
      mapped(of.object_count),
      budget_(budget) {
  next_check = std::min(kCheckInterval, options.max_instructions);
  if (program.checks.has(Check::Uninitialised)) definedness = std::make_unique<Definedness>(*this);
  if (!options.find_losses.empty()) losses = std::make_unique<Losses>(*this);
  if (options.schedule != nullptr && !options.schedule->empty()) scheduler = follow(*options.schedule);
  if (options.random_order) scheduler = choose_at_random(*options.random_order);
  if (options.finds_races) races = std::make_unique<Races>();
}

Machine::~Machine() {
  code.object_count = std::max(code.object_count, mapped.size());
  for (const int file : open_files)
    if (file >= 0) ::close(file);
}

BitVector Machine::value(Operand operand, std::uint32_t width) const {
  if (width <= 64) return {width, word(operand)};
  const std::uint64_t* first = (operand & kPool) != 0 ? pool + (operand & ~kPool) : slots + operand;
  return BitVector::from_words(width, {first, words_of(width)});
}

void Machine::set_value(std::uint32_t slot, const BitVector& value) {
  std::copy(value.words().begin(), value.words().end(), slots + slot);
}

void Machine::give(const Decoded* at, std::uint64_t value) {
  const Instruction& instruction = source(at);
  if (instruction.result_count == 0) return;
  const std::uint32_t width = width_of(instruction.first_result);
  set_value(at->result, BitVector(width, value));
}

void Machine::check_budget(const Decoded* at, std::uint32_t ahead) {
  std::string why;
  if (instructions > options.max_instructions) {
    why = fmt::format("more than {} instructions", options.max_instructions);
  } else if (const std::optional<Stop> stop = budget_.exceeded()) {
    why = to_string(*stop);
  }
  if (!why.empty()) {
    instructions -= ahead;
    end(at, RunResult::End::OutOfBudget, why);
  }
  next_check = std::min(instructions + kCheckInterval, std::max(options.max_instructions, instructions + 1));
}

/// A block is counted as a whole when it is entered: takes off what the thread's frames did not get to. `position`: of
/// the innermost one.
void Machine::settle_thread(const Thread& of, std::size_t from, const Decoded* position, bool was_executed) {
  for (std::size_t i = of.frames.size(); i-- > from && position != nullptr;) {
    const Frame& frame = of.frames[i];
    const Function& function = *frame.code->function;
    const Block& block = function.blocks[frame.code->block_of[position->source]];
    const std::uint64_t rest = block.first_instruction + block.instruction_count - position->source;
    const bool is_fused = function.instructions[position->source].kind == Kind::Operator && position->edges != nullptr;
    if (!was_executed) {
      instructions -= rest;
    } else if (!is_fused) {
      instructions -= rest - 1;
    }
    position = frame.call;
    was_executed = true;
  }
}

void Machine::settle_count(const Decoded* at) {
  settle_thread(*thread, settled_frames, at, true);
  if (settled_frames > 0) return;
  for (const std::unique_ptr<Thread>& t : threads)
    if (t.get() != thread) settle_thread(*t, 0, t->resume, false);
}

void Machine::execute(Decoded* at) {
  if (scheduler != nullptr || races != nullptr || observer != nullptr) {
    while (at != nullptr) at = step_in_order(at);
    return;
  }
  if (options.on_store) {
    while (at != nullptr) at = step_and_tell(at);
    return;
  }
  if (losses != nullptr) {
    while (at != nullptr) at = losses->step(at);
    return;
  }
  while (at != nullptr) at = at->run(at, slots, *this);
}

/// argc, argv and the environment, as after execve: the vector ends in null, and the environment, which is empty,
/// follows.
std::vector<std::uint64_t> Machine::arguments_of_main() {
  const std::uint32_t bytes = pointer_bytes();
  const std::size_t count = options.arguments.size();
  ConcreteBytes vector = ConcreteBytes::zeroed((count + 2) * bytes);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& text = options.arguments[i];
    const std::span content(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    const ObjectId object = new_object(ObjectKind::Global, 1, {}, ConcreteBytes::from(content, text.size() + 1));
    vector.store(i * bytes, base(object), bytes);
  }
  const std::uint64_t address = base(new_object(ObjectKind::Global, bytes, {}, std::move(vector)));
  return {count, address, address + (count + 1) * bytes};
}

int Machine::call_entry() {
  const Function& entry = program.functions[program.entry];
  std::vector<std::uint64_t> arguments;
  if (entry.name == "main") {
    if (!entry.parameters.empty()) arguments = arguments_of_main();
  } else {
    for (const ValueId p : entry.parameters) {
      const BitVector value = input_value(nullptr, entry.value_names[p], entry.values[p].width);
      arguments.insert(arguments.end(), value.words().begin(), value.words().end());
    }
  }
  const std::uint64_t returned_value = call_and_run(program.entry, arguments);
  return entry.result_widths.empty() ? 0 : static_cast<int>(static_cast<std::uint32_t>(returned_value));
}

void Machine::run_exit_functions() {
  while (!exit_functions.empty()) {
    const std::uint64_t address = exit_functions.back();
    exit_functions.pop_back();
    call_and_run(code.function_at.at(address), {});
  }
}

RunResult Machine::run() {
  try {
    thread = &add_thread();
    lay_out_globals();
    make_thread_locals(*thread);
    std::size_t destructors_done = 0;
    const auto finish = [&] {
      is_leaving = true;
      run_exit_functions();
      while (destructors_done < program.destructors.size()) call_and_run(program.destructors[destructors_done++], {});
    };
    int exit_code = 0;
    bool is_started = false;
    for (bool is_done = false; !is_done;) {
      try {
        if (!is_started) {
          is_started = true;
          for (const FunctionId f : program.constructors) call_and_run(f, {});
          exit_code = call_entry();
        }
        finish();
        is_done = true;
      } catch (const ExitCalled& called) {
        exit_code = called.code;
      }
    }
    result.exit_code = exit_code & 0xFF;
    settle_count(nullptr);
    if (options.check_leaks && program.checks.has(Check::Leak)) find_leaks();
  } catch (const Ended&) {  // the result is complete
  } catch (const std::bad_alloc&) {
    result.end = RunResult::End::OutOfBudget;
    result.reason = "out of memory: the objects of the program do not fit";
  }
  tell_operation();
  result.instructions = instructions;
  if (scheduler != nullptr) result.steps_left = scheduler->steps_left();
  return std::move(result);
}

}  // namespace plumb::interpret
