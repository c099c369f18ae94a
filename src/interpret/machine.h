#pragma once

#include <absl/container/flat_hash_map.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bit_vector.h"
#include "interpret/code.h"
#include "interpret/definedness.h"
#include "interpret/interpreter.h"
#include "interpret/losses.h"
#include "interpret/observe.h"
#include "interpret/races.h"
#include "interpret/scheduler.h"
#include "interpret/thread.h"
#include "program/platform.h"
#include "semantics/memory/concrete_bytes.h"
#include "semantics/memory/memory.h"
#include "semantics/threads.h"

namespace plumb::interpret {

using program::AccessKind;
using program::FaultKind;
using program::GlobalObject;
using program::Instruction;
using program::Intrinsic;
using semantics::ConcreteBytes;
using semantics::Life;
using semantics::Memory;

/// The bytes of a live object, where the host has them: a copy of what Memory knows that an access can check in a few
/// host instructions. An entry says nothing but what is true of a live object at that address, so a hint to the wrong
/// one costs time only.
struct Mapped {
  std::uint64_t base = 0;
  std::uint64_t readable = 0;  ///< bytes; 0 if the object is dead or must be looked at closely
  std::uint64_t writable = 0;
  std::uint8_t* data = nullptr;
};

/// The calls around the allocation and the free of a heap object.
struct KeptStacks {
  std::vector<CodePoint> allocated;
  std::vector<CodePoint> freed;
};

/// Thrown to end a run; the result is complete then.
struct Ended {};
/// Thrown by exit().
struct ExitCalled {
  int code;
};

/// The state of one run. Handlers work on the public members; the rest is grouped by the file that implements it.
class Machine {
 public:
  Machine(Code& code, const InterpreterOptions& options, const Budget& budget);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  RunResult run();

  // What every handler may need
  Code& code;
  const Program& program;
  const program::Platform platform;
  const InterpreterOptions& options;
  const bool check_alignment;
  std::unique_ptr<Definedness> definedness;  ///< null without Check::Uninitialised
  std::unique_ptr<Losses> losses;            ///< null if none are to be found
  std::unique_ptr<Scheduler> scheduler;      ///< null if threads take turns
  std::unique_ptr<Races> races;              ///< null if none are to be found
  Memory<ConcreteBytes> memory;
  std::uint64_t* slots = nullptr;       ///< of the current frame
  const std::uint64_t* pool = nullptr;  ///< of its function
  Thread* thread = nullptr;             ///< the current one
  std::vector<Mapped> mapped;           ///< by ObjectId
  std::uint64_t instructions = 0;       ///< counted when a block is entered, all of it
  std::uint64_t next_check = 0;         ///< of the budget
  RunResult result;

  Frame& frame() noexcept { return thread->frames.back(); }
  std::uint64_t word(Operand operand) const noexcept {
    return (operand & kPool) != 0 ? pool[operand & ~kPool] : slots[operand];
  }
  const Instruction& source(const Decoded* at) { return frame().code->function->instructions[at->source]; }
  /// The operands of a source instruction, for what is not hot.
  ValueId operand(const Decoded* at, std::uint32_t i) {
    return frame().code->function->operands[source(at).first_operand + i];
  }
  /// The i-th argument of an intrinsic, which may be called through a pointer, too.
  std::uint64_t argument(const Decoded* at, std::uint32_t i) {
    return low_word(operand(at, source(at).kind == Kind::CallIndirect ? i + 1 : i));
  }
  /// Which one it is, however it is called.
  Intrinsic intrinsic_at(const Decoded* at);
  /// Gives the instruction's result, if it has one.
  void give(const Decoded* at, std::uint64_t value);
  std::uint32_t width_of(ValueId value) { return frame().code->function->values[value].width; }
  std::uint64_t low_word(ValueId value) { return word(frame().code->operand_of[value]); }
  BitVector value(Operand operand, std::uint32_t width) const;
  BitVector value(ValueId value) { return this->value(frame().code->operand_of[value], width_of(value)); }
  void set_value(std::uint32_t slot, const BitVector& value);
  CodePoint here(const Decoded* at) { return {frame().code->id, at->source}; }
  /// Where the program, not a library model on its behalf, stands.
  CodePoint users_point(const Decoded* at);
  std::uint32_t pointer_bytes() const noexcept { return program.layout.pointer_width / 8; }

  /// Counts a block that is entered, and asks the budget now and then.
  void enter_block(const Decoded* at, std::uint32_t count) {
    instructions += count;
    if (instructions >= next_check) [[unlikely]]
      check_budget(at, count);
  }
  /// Likewise the first block of the function whose frame was pushed; gives its first instruction.
  Decoded* enter_function(FunctionCode& callee) {
    instructions += callee.entry_instructions;
    if (instructions >= next_check) [[unlikely]]
      check_budget(callee.entry(), 1);
    return callee.entry();
  }
  /// `ahead`: how many instructions are counted that settle_count() does not know as not executed.
  void check_budget(const Decoded* at, std::uint32_t ahead);
  /// Takes off what was counted and is not executed, for the run ends at `at`.
  void settle_count(const Decoded* at);
  void settle_thread(const Thread& of, std::size_t from, const Decoded* position, bool was_executed);

  // faults.cpp: ends, and what goes on after a fault
  /// Tells of a fault that a run can go on after; comes back only if it does.
  void tell(const Decoded* at, Fault fault);
  void tell(const Decoded* at, FaultKind kind, std::string message);
  [[noreturn]] void fault(const Decoded* at, Fault fault);
  [[noreturn]] void fault(const Decoded* at, FaultKind kind, std::string message);
  [[noreturn]] void unsupported(const Decoded* at, std::string reason, std::string remedy = {});
  [[noreturn]] void end(const Decoded* at, RunResult::End end, std::string reason);
  /// The call stack, innermost first.
  std::vector<CodePoint> stack(const Decoded* at, std::size_t most = ~std::size_t{0});
  /// Completes the fault and tells of it: true if whoever runs the program wants to go on.
  bool is_let_pass(const Decoded* at, Fault& fault);
  void add_stacks(Fault& fault);
  absl::flat_hash_map<ObjectId, KeptStacks> kept_stacks;  ///< if they are asked for
  /// Names the object of a memory fault, in its message too.
  void name_object(Fault& fault);
  /// "'m'", "'table' + 8" or the bare number.
  std::string describe_address(std::uint64_t address);

  // objects.cpp: memory
  /// The host's bytes of an access by the program. If it is not allowed and the run goes on: zeros that nobody uses.
  [[gnu::always_inline]] std::uint8_t* access(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind) {
    const Mapped& m = mapped.data()[at->hint];
    const std::uint64_t offset = address - m.base;
    const std::uint64_t end = kind == AccessKind::Read ? m.readable : m.writable;
    if (offset < end && end - offset >= size) [[likely]]
      return m.data + offset;
    return look_up(at, address, size, kind);
  }
  std::uint8_t* look_up(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind);
  /// Likewise of a block of any size but 0: null if it is not allowed.
  std::uint8_t* block(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind) {
    const Mapped& m = mapped.data()[at->hint];
    const std::uint64_t offset = address - m.base;
    const std::uint64_t end = kind == AccessKind::Read ? m.readable : m.writable;
    return offset < end && end - offset >= size ? m.data + offset : find_bytes(at, address, size, kind);
  }
  std::uint8_t* find_bytes(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind);
  /// The live object from whose address a load or store computes its own, as far as the function's code shows it.
  std::optional<ObjectId> origin_of(const Decoded* at);
  /// The address of zeros that nobody uses, for a pointer that was found wrong.
  std::uint64_t nowhere();
  std::uint64_t load_word(Decoded* at, std::uint64_t address, std::uint32_t bytes);
  void store_word(Decoded* at, std::uint64_t address, std::uint64_t value, std::uint32_t bytes);
  /// The C string at an address.
  std::string text_at(Decoded* at, std::uint64_t address);
  ObjectId new_object(ObjectKind kind, std::uint32_t alignment, CodePoint site, ConcreteBytes content);
  void map(ObjectId object);
  bool is_undefined(ObjectId object) const;  ///< a global without a definition
  bool is_looked_at_closely() const;         ///< every access comes to look_up()
  std::uint32_t alignment_of(const Decoded* at);
  std::uint64_t base(ObjectId object) const { return memory.info(object).base; }
  /// A stack object of the current frame.
  std::uint64_t push_stack_object(const Decoded* at, CodePoint site, std::uint64_t size, std::uint32_t alignment);
  void kill_stack_objects(Thread& of, std::size_t from, CodePoint site);
  void kill(ObjectId object, Life life, CodePoint site);
  void enter_scope(ObjectId object);
  void leave_scope(ObjectId object, CodePoint site);
  /// Its bytes are as if they had never been written.
  void unset(ObjectId object);
  /// A heap object, or 0 if there is no room.
  std::uint64_t allocate_heap(const Decoded* at, std::uint64_t size, std::uint32_t alignment, bool zero);
  void free_heap(const Decoded* at, std::uint64_t address);
  bool has_room(std::uint64_t size) const { return size <= options.max_memory && in_use <= options.max_memory - size; }
  std::uint64_t in_use = 0;  ///< bytes of all live objects
  std::uint32_t heap_count = 0;
  std::vector<std::uint32_t> heap_number;  ///< by ObjectId, of heap objects: in the order of their allocation
  std::uint64_t thread_local_address(GlobalId global) const { return thread->locals.at(global); }
  void lay_out_globals();
  ConcreteBytes initial_content(const GlobalObject& global) const;
  void make_thread_locals(Thread& of);

  // calls.cpp
  /// Pushes a frame whose arguments the caller fills in: through the slots returned.
  std::uint64_t* push_frame(FunctionCode& callee, Decoded* call);
  Decoded* enter(FunctionId callee, Decoded* call);
  FunctionId function_at(const Decoded* at, std::uint64_t address);
  /// Calls a function with words as arguments and runs until it returns; its first result word, or 0.
  std::uint64_t call_and_run(FunctionId function, std::span<const std::uint64_t> arguments);
  void activate();  ///< slots and pool are those of the current thread's last frame

  // undefined.cpp, native_call.cpp: functions without a body
  Decoded* call_undefined(Decoded* at, const Function& callee);
  void call_native(Decoded* at, const Function& callee);
  void assume(std::string text);  ///< once

  // inputs.cpp: what the program asks for
  /// `at` is null for the parameters of the entry.
  std::vector<std::uint8_t> input(const Decoded* at, std::string_view name, std::size_t size);
  /// An object of the mark's site is created: the given bytes go to `to`, where `size` there are.
  void give_unset(const Decoded* at, std::uint8_t* to, std::uint64_t size);
  BitVector input_value(const Decoded* at, std::string_view name, std::uint32_t width);

  // threads.cpp
  Thread& add_thread();
  /// Another thread runs; this one goes on at `resume` once it can.
  Decoded* yield(Decoded* resume);
  Decoded* next_thread(const Decoded* at);
  Decoded* end_thread(const Decoded* at, std::uint64_t value);
  [[noreturn]] void deadlock(const Decoded* at);
  /// The thread goes on; if it waits, it is woken though nobody did.
  Decoded* go_on_with(std::size_t t);
  std::vector<std::unique_ptr<Thread>> threads;
  ThreadRules thread_rules;  ///< by Thread::index

  // schedules.cpp: orders of threads that are given, and what atomic sections need
  bool is_ordered() const { return scheduler != nullptr && !is_leaving && !scheduler->is_done(); }
  /// What the scheduler says; a schedule that does not fit ends the run.
  template <typename Question>
  std::size_t asked(const Decoded* at, Question question) {
    try {
      return question(*scheduler);
    } catch (const Misfit& misfit) {
      unsupported(at, misfit.reason, "it is the schedule of another program, or of one that was built otherwise");
    }
  }
  /// One instruction, with the scheduler asked before and the races told.
  Decoded* step_in_order(Decoded* at);
  /// So many operations at the end of what was done have had no effect.
  void take_back(std::uint64_t operations);
  /// The step that RunResult::schedule ends with is the current thread's.
  result::ScheduleStep& current_step();
  void begin_section(Decoded* at);
  void end_section();
  /// The section that was begun last waits, and will be made again.
  Decoded* retract_section(Decoded* at, bool is_timed);
  bool is_leaving = false;  ///< functions run at exit: their thread alone goes on

  // observe.cpp
  const std::function<bool(const Sight&)>* observer = nullptr;  ///< null if nobody looks
  bool has_shown = false;
  Sight sight(const Decoded* at);
  bool holds(program::FunctionId condition);
  /// Shows the moment before the operation, unless it is inside an atomic section.
  void show(const Decoded* at);

  // operations.cpp: what InterpreterOptions::on_operation is told
  OperationEvent event_at(OperationEvent::Kind kind, const Decoded* at);
  void begin_operation(const Decoded* at);
  /// Of the operation that was begun last, unless that was done.
  void tell_operation();
  void tell_of(OperationEvent::Kind kind, const Decoded* at);
  std::optional<OperationEvent> shown;  ///< begun, and not told of yet
  std::uint64_t shown_before = 0;       ///< RunResult::operations with it

  // race_accesses.cpp: what instructions do to memory that others see
  void find_races(Decoded* at);

  // jumps.cpp
  absl::flat_hash_map<std::uint64_t, JumpPoint> jump_points;  ///< by the address of the jmp_buf
  std::uint64_t last_jump_mark = 0;

  // stores.cpp
  /// One instruction, with InterpreterOptions::on_store told of what it wrote.
  Decoded* step_and_tell(Decoded* at);

  // leaks.cpp
  void find_leaks();

  // host_io.cpp
  int host_file(std::uint64_t descriptor) const;  ///< -1 if the program did not open it
  std::vector<int> open_files;                    ///< of the host; the first is the program's kFirstDescriptor

  std::vector<std::uint64_t> exit_functions;  ///< addresses, in the order of their registration
  std::uint64_t returned = 0;                 ///< by the last bottom frame
  std::size_t settled_frames = 0;             ///< of the current thread, below what runs at exit: counted already

 private:
  std::vector<std::uint64_t> arguments_of_main();
  int call_entry();
  void run_exit_functions();
  void execute(Decoded* at);
  Decoded* step(Decoded* at) { return losses != nullptr ? losses->step(at) : at->run(at, slots, *this); }

  std::vector<std::uint8_t> skipped_;  ///< what a skipped access gets
  ObjectId nowhere_ = kNone;
  const Budget& budget_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t>
      created_;  ///< objects by site, which is a message; if any are given
};

}  // namespace plumb::interpret
