#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "semantics/intrinsics.h"
#include "unroll/record.h"
#include "unroll/thread_plan.h"
#include "unroll/thread_terms.h"
#include "unroll/world.h"

namespace plumb::unroll {

using program::FaultKind;
using program::FunctionId;
using program::GlobalId;
using program::Instruction;
using program::InstructionId;

/// The goals by their places.
struct GoalPlaces {
  using Map = absl::flat_hash_map<std::pair<FunctionId, InstructionId>, std::vector<std::size_t>>;
  GoalPlaces(const Program& program, std::span<const Goal> the_goals);

  std::span<const Goal> goals;
  Map at;
  Map decided_at;  ///< a run that comes to one of these could have violated the goal
};

/// How often a state went round a cycle.
struct Round {
  std::uint64_t iteration = 0;
  std::uint64_t counted = 0;  ///< iterations that count for the bound
  PathId at_head = Paths::kRoot;
  bool is_decided = false;  ///< a constant has decided to stay in the cycle, in this iteration
  // Among other threads
  bool is_chosen = false;     ///< what is no constant has decided that, too
  std::vector<Term> carried;  ///< what the head was given last
};

struct Attempt;

/// A caller, while the calls that it made last.
struct Caller {
  std::vector<Term> values;  ///< as ThreadPlan::live_before() of the instruction behind the call; results have no term
  std::vector<Round> rounds;
};

/// What is known at the start of a block: on this path these values and this memory.
struct State {
  PathId path = Paths::kRoot;
  std::vector<Term> values;  ///< of the block's arguments and live-ins; of a return the results
  MemoryState memory;
  std::vector<Round> rounds;  ///< of the cycles around the block, the outermost first
  // Of a thread among others
  std::optional<ThreadTerms> threads;
  ThreadTerms& rules() {
    INVARIANT(threads.has_value(), "a thread among others should have rules");
    return *threads;
  }
  std::vector<Caller> callers;             ///< the outermost first
  std::uint32_t sections = 0;              ///< atomic sections that are open
  std::shared_ptr<const Attempt> attempt;  ///< where the outermost of them began; none if that depends on the path
};

/// Executes a program on terms up to a bound. Blocks are executed in the order of their places (cycle by cycle,
/// iteration by iteration, rank by rank), so that all states that come to a place are there before it is executed, and
/// are one state then. A call is executed as a whole where it stands. An iteration counts for the bound unless a
/// constant decided it and no path was left: loops over constants are unwound as far as kFree times the bound.
///
/// With Options::contexts threads are executed, too (contexts.cpp).
class Executor {
 public:
  /// `is_possible` may answer false for a condition that no assignment fulfils.
  Executor(World& world, const GoalPlaces& goals, Bound bound, std::function<bool(Term condition)> is_possible,
           const Budget& budget);

  /// Who wants to know of the execution itself, and not only of its events.
  struct Observer {
    /// A value is joined, and variables have this name for it.
    std::function<void(Term value, const std::string& name)> on_joined;
    /// A branch that no constant decides: taken to its first side where both hold, before so many events.
    std::function<void(Term reached, Term condition, std::size_t events)> on_branch;
  };
  void set_observer(Observer observer) { observer_ = std::move(observer); }
  /// Throws OutOfBudget.
  Record run();
  std::uint64_t steps() const noexcept { return steps_; }
  const std::set<std::string>& assumptions() const noexcept { return assumptions_; }

  /// Iterations that do not count, for each that does.
  static constexpr std::uint64_t kFree = 1024;
  // What a Cut is about.
  static constexpr std::size_t kUnwindingCut = 0;
  static constexpr std::size_t kContextsCut = 1;

 private:
  friend struct Attempt;
  using Key = std::vector<std::uint32_t>;
  enum class Step : std::uint8_t { Next, Ended, Called };

  /// A call that is to be made.
  struct Callee {
    FunctionId function = program::kNone;
    PathId path = Paths::kRoot;
  };
  /// An open call.
  struct Activation {
    FunctionId function = program::kNone;
    const program::UnwindingPlan* plan = nullptr;
    std::uint32_t context = 0;  ///< of World::place(): where it was called from
    PathId entered = Paths::kRoot;
    std::uint64_t counted = 0;  ///< calls of the function that are open and count for the bound
    std::uint64_t open = 0;     ///< all of them
    std::map<Key, std::vector<State>> pending;
    std::vector<std::pair<Key, State>> urgent;  ///< at blocks that end the run: not waited for
    std::vector<ObjectId> stack_objects;
    std::vector<State> returned;
    Term variadic;  ///< the address of its variable arguments
    // The block that is executed
    bool is_busy = false;
    program::BlockId block = 0;
    InstructionId next = 0;
    Key key;
    std::uint32_t place = 0;  ///< 0: not asked for yet
    State now;
    std::vector<Term> values;  ///< by ValueId
    // The call that it waits for
    std::vector<Callee> callees;  ///< still to be made, the next one last
    std::vector<Term> arguments;
    std::vector<State> results;  ///< of those that were made
    bool is_in_output = false;   ///< of what only writes to the outside, or called by it
    // Of a thread among others, where it stays for good
    Activation* caller = nullptr;
    Key prefix;  ///< where the call stands among all places of its thread
    Key called_in;
    InstructionId called_at = 0;
  };

  /// Where a thread stands: at the start of a block, or before an instruction that others may run before.
  struct Position {
    Activation* call = nullptr;
    Key key;  ///< in its call: of the block
    program::BlockId block = 0;
    std::optional<InstructionId> before{};
    InstructionId instruction() const {
      INVARIANT(before.has_value(), "a thread that stands before an instruction should know which");
      return *before;
    }
    bool is_second_half = false;  ///< of a CondWait
  };
  struct Stand {
    Position position;
    State state;  ///< without memory and threads
    Term when;
  };
  struct Arrived {
    Position position;
    std::vector<State> states;
  };
  struct Thread {
    std::size_t number = 0;
    std::deque<Activation> calls;  ///< the first is that of its function
    std::map<Key, Activation*> call_at;
    std::vector<std::pair<Key, Stand>> stands;
    std::map<GlobalId, ObjectId> locals;
  };

  // executor.cpp: order, blocks, edges
  void call_root(FunctionId function, State& state, std::vector<Term> arguments);
  void run_calls();
  void start_block(Activation& a);
  void tell_joined(const Activation& a, std::span<const program::ValueId> values) const;
  void tell_branch(PathId path, Term condition) const;
  void run_block(Activation& a);
  bool go_round(Activation& a);
  /// No run goes on with the state that is executed.
  void end_path(Activation& a) { world_.paths.mark_ended(a.now.path); }
  Step execute(Activation& a, InstructionId id, const Instruction& i);
  Step terminate(Activation& a, const Instruction& i);
  void branch(Activation& a, const Instruction& i);
  void switch_on(Activation& a, const Instruction& i);
  void follow(Activation& a, const program::Edge& edge, PathId path, bool is_last);
  void mark_decided(Activation& a, const Instruction& i, const program::Edge& taken);
  void mark_chosen(Activation& a, const Instruction& i);
  State joined(std::vector<State> states);
  /// In each of the states that the program ends in, objects of calls that only others are in are dead.
  void tell_ended_calls(std::vector<State>& ends) const;
  std::uint32_t place(Activation& a);
  EventId event(Activation& a, std::uint32_t part = 0) { return {place(a), a.next - 1, part}; }

  // contexts.cpp: threads
  void run_threads(State& state, std::vector<Term> arguments);
  void run_context(Thread& thread, State& shared);
  void exclude_idle_turns(const Thread& thread, const State& shared);
  void run_from(Arrived arrived);
  void restore(Activation& a, const Position& position);
  std::vector<Term> kept(Activation& a, InstructionId before);
  bool is_blocking(const Instruction& i) const;
  /// Some run goes on from here in this context; what does not is left standing.
  bool goes_on(Activation& a, const Position& position);
  void stand(Activation& a, const Position& position, PathId path);
  void stop(const State& state, PathId path);
  static State without_memory(const State& state);
  /// Another thread may run before it, and that can make a difference.
  bool is_switch(Activation& a, InstructionId i);
  /// What the instruction touches of memory; nothing if that is not known.
  std::optional<std::vector<SharedAccesses::Range>> accesses(Activation& a, const Instruction& i);
  bool is_shared_access(Activation& a, const Instruction& i);
  void note_accesses(Activation& a, const Instruction& i);
  Term blocks(Activation& a, const Position& position);
  void arrive(Position position, State state);
  Activation& call_from(Activation& a, FunctionId function);
  void enter_in_thread(Activation& a, const Callee& callee, std::span<const Term> arguments);
  void return_in_thread(Activation& a, std::vector<Term> results);
  void end_thread(Activation& a, Term result);
  void cut_contexts(const State& shared);
  Key full_key(const Position& position) const;
  ThreadPlan& thread_plan(FunctionId function);
  Activation& make_call(Thread& thread, FunctionId function, std::uint32_t context);
  bool is_among_others() const noexcept { return current_ != nullptr && threads_.size() > 1; }
  void count_operation(const Activation& a, const Instruction& i);
  void note(const Activation& a, std::size_t thread, Record::Operation::Kind kind);

  // thread_intrinsics.cpp
  std::optional<Step> run_thread_intrinsic(Activation& a, const Instruction& i, program::Intrinsic what,
                                           std::span<const Term> arguments);
  Step create_thread(Activation& a, const Instruction& i, std::span<const Term> arguments);
  /// The function that a thread runs; nothing if no run goes on.
  std::optional<FunctionId> start_of_thread(Activation& a, Term address);
  /// The thread has its own of each variable that threads have.
  void make_locals(Activation& a, Thread& thread, std::uint32_t created);
  Step join_thread(Activation& a, const Instruction& i, std::span<const Term> arguments);
  Step call_mutex(Activation& a, const Instruction& i, program::Intrinsic what, std::span<const Term> arguments);
  Step wait_for_condition(Activation& a, const Instruction& i, std::span<const Term> arguments);
  Step wait_in_section(Activation& a, const Instruction& i);
  void give_outcome(Activation& a, const Instruction& i, const ThreadTerms::Outcome& outcome);
  /// Nothing if that is not known.
  std::optional<std::vector<ThreadTerms::Target>> mutexes_at(Term address);

  // operators.cpp: values
  Term value(Activation& a, program::ValueId v);
  Term address_of(const program::Value& value);
  std::vector<Term> operands(Activation& a, const Instruction& i);
  void give(Activation& a, const Instruction& i, Term result);
  Step run_operator(Activation& a, const Instruction& i);
  Step run_float(Activation& a, const Instruction& i);

  // What goes wrong. Each is meant where the condition holds and gives whether the run surely ends.
  bool fault(Activation& a, FaultKind kind, Term condition);
  bool gap(Activation& a, Term condition, const std::string& what);
  Step gap(Activation& a, const std::string& what);
  /// Where the condition holds, what follows is not exactly what the program does; the run goes on.
  void pass_gap(Activation& a, Term condition, result::GapKind kind, std::string what);
  /// Without kind and text: the place in the user's code, not ours.
  result::Gap gap_here(const Activation& a) const;
  void cover(Activation& a, std::span<const std::size_t> goals);

  // accesses.cpp
  Step run_access(Activation& a, const Instruction& i);
  /// All targets, those of unclear pointers too.
  std::vector<Pointed::Target> targets(Activation& a, Term address, Term& nowhere);
  /// An unclear pointer may lead to every object that is alive.
  void add_unclear(Activation& a, Term address, const Pointed& pointed, std::vector<Pointed::Target>& found,
                   Term& nowhere);
  Term is_bad(const Activation& a, const Pointed::Target& target, Term size, bool is_write);
  /// Gives nothing if the run surely ends.
  std::optional<Term> load(Activation& a, Term address, std::uint64_t count);
  bool store(Activation& a, Term address, Term value);
  /// Of an access of so many bytes: the targets but those that are surely wrong, and when it is wrong.
  struct Checked {
    std::vector<Pointed::Target> good;
    Term violation;
  };
  Checked checked_targets(Activation& a, Term address, Term size, bool is_write);
  /// The memory that an intrinsic uses is there; false if it never is.
  bool can_use(Activation& a, const semantics::IntrinsicRule& rule, std::span<const Term> arguments);
  Step copy_memory(Activation& a, Term to, Term from, Term size);
  Step fill_memory(Activation& a, Term to, Term byte, Term size);
  /// The bytes from there on are within the object's capacity.
  Term is_kept(const Pointed::Target& target, Term size);
  /// Where some are not, a copy or fill is a gap; true if it surely is.
  bool gap_behind(Activation& a, std::span<const Pointed::Target> targets, Term size);
  /// Fills all of an object, whatever its size; false if it is not that.
  bool fill_object(Activation& a, std::span<const Pointed::Target> to, Term byte, Term size);
  std::optional<std::uint64_t> known_size(Activation& a, Term size, std::span<const Pointed::Target> targets);
  std::optional<TermBytes> bytes_at(Activation& a, std::span<const Pointed::Target> from, std::uint64_t count,
                                    bool is_known);
  void write_bytes(Activation& a, std::span<const Pointed::Target> to, const TermBytes& bytes, std::uint64_t count,
                   Term size);
  std::optional<std::string> text_at(Activation& a, Term address);

  // heap.cpp
  std::optional<Term> allocate(Activation& a, ObjectKind kind, Term size, std::uint32_t alignment, bool is_zeroed);
  Step run_heap(Activation& a, const Instruction& i, program::Intrinsic what, std::span<const Term> arguments);
  Step reallocate(Activation& a, const Instruction& i, Term address, Term size);
  bool free_object(Activation& a, Term address, Term when);
  void check_leaks(const State& state);
  std::vector<Term> reached_objects(const State& state, std::span<const ObjectId> heap);

  // calls.cpp
  Step run_call(Activation& a, const Instruction& i);
  Step call_through(Activation& a, const Instruction& i);
  bool begin_call(Activation& a, const Callee& callee, std::span<const Term> arguments);
  /// The call can be made; if not, runs end here.
  bool enters(Activation& a, const Instruction& i, const program::Function& callee);
  void pass_variadic(Activation& callee, const program::Function& function, std::span<const Term> arguments);
  void next_call(Activation& a);
  void finish(Activation& a);
  void return_from(Activation& a, const Instruction& i);
  Step call_undefined(Activation& a, const Instruction& i, const program::Function& callee);
  /// What output gives that does not fail.
  Step give_output(Activation& a, const Instruction& i, Term result);

  // intrinsics.cpp
  Step run_intrinsic(Activation& a, const Instruction& i, program::Intrinsic what, std::vector<Term> arguments);
  void end_program(Activation& a);
  Step nondet(Activation& a, const Instruction& i);
  Step run_mutex(Activation& a, const Instruction& i, const semantics::IntrinsicRule& rule,
                 std::span<const Term> arguments);
  Step require_pointer(Activation& a, FaultKind kind, Term from, Term to);
  void give_number(Activation& a, const Instruction& i, std::uint64_t number);
  Step make_symbolic(Activation& a, std::span<const Term> arguments);
  /// An object's address: it begins a life, or ends one.
  Step run_scope(Activation& a, bool is_entered, Term address);
  Step run_stack(Activation& a, const Instruction& i, program::Intrinsic what, std::span<const Term> arguments);
  /// An object whose bytes the program does not set: an UnsetValue or UnsetMemory.
  Step create(Activation& a, const Instruction& i, std::span<const Term> arguments);
  /// Its bytes are those of a life of it that begins here, not those of the lives before.
  void begin_life(Activation& a, ObjectId object);
  Term fresh(Activation& a, std::uint32_t width, const std::string& name, std::uint32_t part = 0);

  World& world_;
  TermStore& terms_;
  const GoalPlaces& goals_;
  std::uint64_t bound_;
  std::uint64_t contexts_;
  std::function<bool(Term condition)> is_possible_;
  Observer observer_;
  const Budget& budget_;
  Record record_;
  std::deque<Activation> stack_;
  std::vector<std::vector<std::size_t>> open_;  ///< by function: positions in stack_
  std::vector<State> root_results_;
  std::vector<State> exits_;
  std::vector<FunctionId> at_end_;                 ///< semantics::functions_at_end()
  bool is_looked_at_after_;                        ///< the end of main: something is done or asked for there
  bool is_ending_ = false;                         ///< at_end_ are called
  bool is_memory_asked_;                           ///< of a goal
  std::vector<ObjectId> heap_;                     ///< in the order of their allocation
  absl::flat_hash_map<ObjectId, ObjectId> lives_;  ///< by object: whose unwritten bytes it has, if not its own
  bool has_freed_ = false;
  // Of threads
  std::deque<Thread> threads_;
  std::map<std::uint32_t, std::size_t> thread_at_;  ///< by World::place() of its creation
  Thread* current_ = nullptr;
  std::uint64_t context_ = 0;
  bool is_second_half_ = false;     ///< of a CondWait that is executed
  bool could_stop_ = false;         ///< before the instruction that is executed
  std::map<Key, Arrived> arrived_;  ///< of the thread that runs
  Term has_left_;                   ///< in this context, for what is done at the end of the program
  struct Turn {
    std::size_t thread = 0;
    Term has_moved;  ///< it went on
  };
  std::vector<Turn> turns_;
  std::vector<State> stops_;           ///< where it was left standing, in this context
  bool has_section_conflict_ = false;  ///< states were joined of which one is in an atomic section, and one is not
  std::vector<std::unique_ptr<ThreadPlan>> thread_plans_;  ///< by function
  std::set<std::string> assumptions_;
  std::uint64_t steps_ = 0;
};

/// A thread before it began an atomic section.
struct Attempt {
  Executor::Position position;
  State state;     ///< without memory and threads
  Term had_moved;  ///< ThreadTerms::has_moved
};

}  // namespace plumb::unroll
