#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/canonical.h"
#include "explore/choices.h"
#include "explore/discipline.h"
#include "explore/dominance.h"
#include "explore/payload.h"
#include "explore/slice.h"
#include "explore/store.h"
#include "explore/symmetry.h"
#include "explore/watch.h"
#include "explore/world.h"
#include "program/goal.h"
#include "result/gap.h"
#include "result/schedule.h"
#include "semantics/intrinsics.h"
#include "semantics/threads.h"

namespace plumb::explore {

using program::CodePoint;
using program::FaultKind;
using program::Instruction;
using program::ObjectKind;
using semantics::Life;

/// Which steps are told apart.
enum class Reduction : std::uint8_t {
  None,  ///< each visible operation (semantics::is_visible) is a step
  Tau,   ///< those alone that others can see: what a thread does on its own belongs to its last step
  Dpor,  ///< but those to memory that threads keep apart (discipline.h)
};

/// How a step ended.
enum class StepEnd : std::uint8_t {
  Stands,    ///< the program goes on
  Blocked,   ///< the thread cannot make its step: the state is as it was, but for what is known of inputs
  Finished,  ///< the program is over, in order
  Excluded,  ///< by an assumption
  Faulty,    ///< by a fault
  Lost,      ///< by something that is not followed
};

/// The memory that a step has touched and others can see.
struct Touch {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< 0: of a mutex or condition that is known by its address
  bool is_write = false;
  bool is_atomic = false;
  CodePoint at;
  Term symbolic{};  ///< the address of `width` bytes, if it is no number: the others are its object's
  std::uint64_t width = 0;
  std::uint64_t operation = 0;  ///< of the step, from 1
};

struct StepFault {
  FaultKind kind = FaultKind::Abort;
  CodePoint at;
};

/// One state of a program, taken apart so that a thread can make a step in it. Executes instructions as semantics
/// defines them, on numbers where it can and on terms elsewhere. What a step has to choose (both ways of a branch, the
/// object of a pointer, who is woken) is asked of Choices, so that all ways are taken one after the other.
class Machine {
 public:
  struct Options {
    Reduction reduction = Reduction::Tau;
    bool looks_at_memory = false;  ///< goals are about memory: what output reads matters
    bool has_spurious_wakeups = true;
    std::uint64_t max_threads = 64;
    Discipline* discipline = nullptr;  ///< accesses that it hides are no steps
    Dominance* dominance = nullptr;    ///< told where it would not be right
    const Watch* watch = nullptr;      ///< what is changed of it is seen
    const Slice* slice = nullptr;      ///< what it leaves out is not executed
    Symmetry* symmetry = nullptr;      ///< told where numbers of threads matter
  };
  /// All must outlive it.
  Machine(World& world, Store& store, Choices& choices, const Options& options);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // --- States ---

  /// Before the first instruction: main stands at its start, behind constructors.
  void start();
  void load(const State& state);
  /// The state that the machine is in. Its variables are named anew: renamed() says how.
  State save();
  const std::vector<std::pair<Term, Term>>& renamed() const noexcept { return renamed_; }
  /// Right after save(): the state without the data of which more is worse, and these, the larger the worse. The
  /// machine is in no state then.
  State save_without(const Dominance& dominance, std::vector<std::uint64_t>& data);
  /// Right after a step, for merging: control without the payload, its values that are terms, and the payload.
  struct Parts {
    TreeStore::Id control = 0;
    std::vector<Term> values;
    std::vector<std::pair<Value, std::uint32_t>> payload;  ///< with widths
  };
  Parts take_out(const Payload& payload);
  /// In a state that has the same parts but for the payload.
  void put_in(const Payload& payload, std::span<const Value> values);
  /// Whether a step that has chosen ends where ways meet.
  void merge(bool is_on) noexcept { merges_ = is_on; }

  // --- What the loaded state is ---

  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(rules_.count()); }
  bool has_ended(std::uint32_t t) const { return rules_.has_ended(t); }
  bool was_joined(std::uint32_t t) const { return rules_.was_joined(t); }
  /// As far as the rules know: whether it really can is seen when it makes its step.
  bool may_step(std::uint32_t t) const;
  bool is_condition_waiter(std::uint32_t t) const;
  /// And it may time out.
  bool is_timed_waiter(std::uint32_t t) const;

  // --- What tells threads apart (alike.cpp) ---

  /// Two threads are in the same local state, and nothing else in the state is about one of them but its number.
  bool are_alike(std::uint32_t a, std::uint32_t b);
  bool is_at_join(std::uint32_t t);
  struct JoinsAhead {
    /// Whom the first thread, which stands at a join, joins before it does anything that others could tell. Nothing if
    /// that is not known, or if it asks for what they leave.
    std::optional<std::vector<std::uint32_t>> threads{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> read{};  ///< cells and what they had: is_as_before()
  };
  /// The state must be loaded anew. States with the same part of the first thread give the same if they are as before.
  JoinsAhead joins_ahead();
  bool is_as_before(const JoinsAhead& ahead) const;
  std::uint32_t part_of(std::uint32_t t) const { return loaded_.elements()[component_of_thread(t)]; }

  // --- Steps ---

  /// One thread makes a step; the machine is then in the state behind it. After a Blocked the state must be loaded
  /// anew.
  StepEnd step(std::uint32_t thread);
  /// What others cannot see comes next in the thread: its last step was cut.
  bool has_rest(std::uint32_t thread);
  /// The thread makes that, up to what they can.
  StepEnd finish_step(std::uint32_t thread);
  /// Threads make what others cannot see, up to the first thing that they can.
  StepEnd settle_start();
  const StepFault& fault() const noexcept { return fault_; }
  bool has_slice() const noexcept { return options_.slice != nullptr; }
  /// Whether what the slice leaves out is executed all the same; `decide` says which way its branches take then. Steps
  /// are the same ones, with the same choices.
  void execute_left_out(std::function<bool(Term condition)> decide) { decide_left_out_ = std::move(decide); }
  std::span<const Touch> touches() const noexcept { return touches_; }
  /// The step did something that every other step depends on: made or ended threads, ended the program.
  bool is_global_step() const noexcept { return is_global_step_; }
  const result::Schedule& schedule() const noexcept { return schedule_; }  ///< of this step
  std::uint64_t instructions() const noexcept { return instructions_; }
  /// What the machine tells as it goes.
  struct Listener {
    std::function<void(const result::Gap& gap)> on_gap;
    std::function<void(CodePoint at)> on_place;  ///< of those in `places`
    std::function<void(const std::string& text)> on_assumption;
    std::function<void(CodePoint allocated)> on_leak;        ///< at the end of the program
    const std::vector<std::vector<bool>>* places = nullptr;  ///< by function and instruction
    bool looks_for_leaks = false;
  };
  Listener listener;

  // --- What formulas ask (watch.cpp) ---

  /// What a function without parameters, which reads and nothing else, gives in the state that the machine is in: after
  /// a step, before it is saved. Chooses if both are possible. Nothing if it cannot be executed there.
  std::optional<bool> holds(FunctionId condition);
  /// Some thread stands there.
  bool stands_at(std::span<const CodePoint> places);

  /// "thread 2 waits for mutex 'm'" of each that has not ended.
  std::string describe_waiting();

 private:
  /// What an instruction did.
  enum class Step : std::uint8_t {
    Next,   ///< the next one follows
    Moved,  ///< control is elsewhere, or the thread has ended
    Waits,  ///< the thread waits for a condition now, and its mutex is free
    Blocked,
    Over,    ///< the run is: end_ says how
    Before,  ///< it was not executed: the step ends before it
  };
  struct Frame {
    FunctionId function = kNone;
    InstructionId next = 0;     ///< of a caller its call
    bool is_root = false;       ///< returns to nobody
    bool is_in_output = false;  ///< of a model that only writes to the outside, or called by one
    std::uint64_t variadic = 0;
    std::size_t base = 0;  ///< in Thread::slots
    std::vector<std::pair<ValueId, Value>> undefined;
  };
  struct Thread {
    std::vector<Frame> frames;
    std::vector<Value> slots;
    bool is_loaded = false;
    bool is_changed = false;
    Value result;  ///< of one that has ended
  };
  struct Object {
    semantics::ObjectInfo info;
    std::uint32_t owner = 0;  ///< thread
    std::uint32_t depth = 0;  ///< of open calls, of a stack object
    bool is_shared = false;   ///< another thread may have a pointer to it
  };
  /// A content of the state; those of written globals come first, then those of objects.
  struct Cell {
    Content content;
    bool is_loaded = false;
    bool is_changed = false;
  };
  /// Where an address leads.
  struct Place {
    enum class Kind : std::uint8_t { Nothing, Global, Object, Function };
    Kind kind = Kind::Nothing;
    std::uint32_t index = 0;
    std::uint64_t offset = 0;
    Term symbolic{};  ///< the offset, if it is no number
  };
  using Rules = Store::Rules;

  // machine.cpp: states
  Thread& thread(std::uint32_t t);
  Cell& cell(std::uint32_t index);
  std::uint32_t component_of_thread(std::uint32_t t) const { return kFixed + t; }
  std::uint32_t component_of_cell(std::uint32_t c) const { return kFixed + loaded_threads_ + c; }
  std::span<const Term> holes_of(std::uint32_t component);
  void unpack();
  /// The control of the state that the machine is in, and what its holes have.
  TreeStore::Id assemble(std::vector<Term>& values);
  /// Calls visit(value, width, function, variable) for what has a place in states, with kNone for global variables.
  template <typename Data, typename Visit>
  void visit_data(const Data& data, const Visit& visit);
  State put_together(const std::vector<Term>& constraints);
  void compose(const std::vector<std::pair<Term, Term>>& first);
  void find_holes();
  /// A frame below one that returns to it stands at its call.
  static bool is_calling(const Thread& thread, std::size_t frame);
  std::span<const ValueId> live_in(const Thread& thread, std::size_t frame);
  void encode_thread(std::uint32_t t, std::vector<std::uint8_t>& out, std::vector<Term>& holes);
  void decode_thread(std::uint32_t t, std::span<const std::uint8_t> in, std::span<const Term> holes);
  void decode_shape(std::span<const std::uint8_t> in);
  std::vector<std::uint8_t> encode_shape() const;
  void forget_dead();
  bool has_pointer_to(const Object& dead);

  // step.cpp: control
  StepEnd run(std::uint32_t t, bool is_first_done);
  Step execute(const Instruction& i);
  bool is_alone() const noexcept { return alive_ <= 1; }
  /// And whatever other threads did comes before what it does now, in whatever order steps are made.
  bool is_alone_for_good() const;
  /// The step ends before it: others can see it.
  bool is_boundary(const Instruction& i);
  bool is_left_out() { return options_.slice != nullptr && options_.slice->leaves_out(here()); }
  /// What is there next instead of an instruction that is left out.
  void pass(const Instruction& i);
  void pass_branch(const Instruction& i);
  bool is_shared_access(const Instruction& i);
  bool is_watched(const Instruction& i);
  std::optional<bool> run_condition();
  Discipline::Access access_of(std::uint64_t address, std::uint64_t size, bool is_write);
  /// Leaving the call ends objects that others may have pointers to.
  bool ends_shared_objects();
  Frame& frame() { return current_->frames.back(); }
  const program::Function& function() { return world_.program.functions[frame().function]; }
  CodePoint here() { return {frame().function, frame().next}; }
  void count_visible(std::uint32_t woken = result::kNobody);
  Step over(StepEnd end);
  Step fail(FaultKind kind);
  /// Not followed: what stands behind it is not looked at.
  Step lose(std::string what);
  void note_gap(result::GapKind kind, std::string what);
  void assume(const std::string& text);
  void take_edge(const program::Edge& edge);
  Step branch(const Instruction& i);
  Step switch_on(const Instruction& i);
  Step halt(const Instruction& i);
  Step call(const Instruction& i);
  Step enter(FunctionId callee, std::span<const Value> arguments);
  /// What output gives that does not fail; false if its model has to be executed.
  bool give_output(const Instruction& i);
  Step call_undefined(const Instruction& i, const program::Function& callee, std::span<const Value> arguments);
  /// Nothing: the address is that of no function.
  std::optional<FunctionId> function_of(const Value& address);
  Step return_from(const Instruction& i);
  void push_frame(Thread& to, FunctionId f, bool is_root);
  Step end_thread(Value result);
  Step end_program();

  // alike.cpp
  bool follows_join(const Instruction& i, JoinsAhead& ahead);

  // values.cpp
  Value value(ValueId v);
  std::uint32_t width_of(ValueId v) { return function().values[v].width; }
  Value operand(const Instruction& i, std::uint32_t position) { return value(function().operands_of(i)[position]); }
  std::uint32_t operand_width(const Instruction& i, std::uint32_t position) {
    return width_of(function().operands_of(i)[position]);
  }
  Term operand_term(const Instruction& i, std::uint32_t position) {
    return term_of(terms_, operand(i, position), operand_width(i, position));
  }
  void give(const Instruction& i, const Value& result, std::uint32_t which = 0);
  Step run_operator(const Instruction& i);
  /// Where it makes more of less, nothing dominates.
  void look_at_growth(const Instruction& i);
  Step run_float(const Instruction& i);
  /// Whether a condition holds; chooses if both are possible.
  bool decide(Term condition) {
    return terms_.is_constant(condition) ? terms_.is_true(condition) : choices_.decide(condition);
  }
  bool is_nonzero(const Value& value, std::uint32_t width);
  Term constant(std::uint64_t n) { return terms_.constant(world_.pointer_width(), n); }

  // memory.cpp
  /// The term with each choice in it decided that is a choice of addresses.
  Term without_choices(Term address);
  std::optional<std::uint32_t> object_at(std::uint64_t address) const;
  Place place_of(std::uint64_t address) const;
  /// Chooses where a term leads; nothing: the way is not followed, and a gap says so.
  std::optional<Place> resolve(const Value& address);
  const semantics::ObjectInfo* info_of(const Place& place) const;
  /// The cell of its content; nothing for what is no part of states.
  std::optional<std::uint32_t> cell_of(const Place& place) const;
  const Content& content_of(const Place& place);
  Content& writable(const Place& place);
  /// Bytes that may be accessed; Over, Before: they may not.
  Step check_access(Place& place, const Value& address, std::uint64_t size, program::AccessKind kind);
  Value read(const Place& place, std::uint64_t size);
  void write(const Place& place, const Value& value, std::uint32_t width);
  /// What was never written gets a value.
  void define(const Place& place, std::uint64_t offset, std::uint64_t count);
  Step run_access(const Instruction& i);
  Step allocate_on_stack(const Instruction& i);
  Step copy_memory(const Instruction& i);
  Step fill_memory(const Instruction& i);
  Step check_index(const Instruction& i);
  std::optional<std::uint64_t> known(const Value& value, std::uint32_t width);
  /// Others would see parts of it.
  void assume_one_step(std::uint64_t size);
  void touch(const Place& place, std::uint64_t size, bool is_write);
  bool is_private(const Place& place) const;
  /// Others may have pointers to what the value points to.
  void publish(const Value& value);
  void publish_object(std::uint32_t object);
  /// Likewise, where a part of an address was read.
  void publish_part(const Place& place);
  /// Nothing if there is no room.
  std::optional<std::uint32_t> add_object(ObjectKind kind, std::uint64_t size, std::uint32_t alignment,
                                          Content content);
  void kill_object(std::uint32_t object, Life life);
  void make_thread_locals(std::uint32_t t);
  std::optional<std::string> text_at(const Value& address);

  // intrinsics.cpp
  Step run_intrinsic(const Instruction& i, program::Intrinsic what, std::span<const Value> arguments);
  Step nondet(const Instruction& i);
  Step make_symbolic(std::span<const Value> arguments);
  Step run_heap(const Instruction& i, program::Intrinsic what, std::span<const Value> arguments);
  Step free_object(const Value& address);
  Step check_free(const Place& place, const Value& address);
  Step leave_by_exit();
  Step run_stack(const Instruction& i, program::Intrinsic what, std::span<const Value> arguments);
  Step run_threads(const Instruction& i, program::Intrinsic what, std::span<const Value> arguments);
  Step create_thread(const Instruction& i, std::span<const Value> arguments);
  Step finish(const Instruction& i, Rules::Outcome outcome);
  Value fresh(std::uint32_t width, std::string_view name, bool is_input);
  void find_leaks();

  static constexpr std::uint64_t kMaxObjectSize = std::uint64_t{1} << 24;
  static constexpr std::uint32_t kFixed = 3;  ///< words of a state before threads: rules, shape, number of threads

  World& world_;
  TermStore& terms_;
  Store& store_;
  Choices& choices_;
  Options options_;

  // The loaded state
  TreeStore::Tree loaded_;
  Store::Data loaded_data_;
  std::uint32_t loaded_threads_ = 0;
  std::vector<std::uint32_t> hole_start_;  ///< by component; empty if there are none
  Rules rules_;
  bool is_rules_changed_ = false;
  std::uint32_t alive_ = 0;      ///< threads that have not ended
  std::vector<Object> objects_;  ///< by rising base
  bool is_shape_changed_ = false;
  bool has_died_ = false;
  std::vector<Thread> threads_;
  std::vector<Cell> cells_;
  std::uint32_t loaded_cells_ = 0;
  std::vector<std::uint32_t> cell_component_;  ///< by cell: its component in the loaded state, kNone of a new one
  TreeStore::Tree saved_;
  Canoniser canoniser_;
  std::vector<std::pair<Term, Term>> renamed_;
  std::vector<std::uint8_t> buffer_;

  // The step
  Thread* current_ = nullptr;
  std::uint32_t current_thread_ = 0;
  bool is_first_ = true;  ///< what others can see was not done yet
  StepEnd end_ = StepEnd::Stands;
  StepFault fault_;
  std::vector<Touch> touches_;
  bool is_global_step_ = false;
  result::Schedule schedule_;
  std::uint64_t instructions_ = 0;
  std::uint64_t since_boundary_ = 0;
  std::uint32_t woken_ = result::kNobody;  ///< by the signal that is executed
  bool is_cut_ = false;                    ///< control has come to a loop, or to where ways meet
  bool merges_ = false;
  std::function<bool(Term condition)> decide_left_out_;
  std::vector<std::uint32_t> started_;  ///< threads that the step has made
  std::vector<Value> arguments_;
  std::vector<Value> edge_values_;
  std::vector<std::uint64_t> held_;  ///< of access_of()
};

}  // namespace plumb::explore
