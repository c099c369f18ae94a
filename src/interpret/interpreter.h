#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bit_vector.h"
#include "base/budget.h"
#include "interpret/operation_event.h"
#include "program/fault.h"
#include "program/program.h"
#include "result/test_case.h"

namespace plumb::interpret {

using program::CodePoint;
using program::Fault;
using program::GlobalId;
using program::kNone;
using program::ObjectKind;
using program::Program;

struct Code;

/// Gives the inputs in the order in which the program asks for them; nothing means that there is no more.
using InputSource = std::function<std::optional<std::vector<std::uint8_t>>(std::string_view name, std::size_t size)>;

/// A write of the program to one of its objects, as InterpreterOptions::on_store is told.
struct StoreEvent {
  CodePoint at;
  std::uint32_t depth = 0;  ///< of open calls
  ObjectKind object_kind = ObjectKind::Global;
  GlobalId global = kNone;  ///< of a Global
  CodePoint allocated;      ///< of a stack or heap object
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> bytes;
};

/// What to do at a call of a function without a body.
enum class UndefinedPolicy : std::uint8_t { Fail, Nondet, Native };

/// Threads go on in an order that is chosen at random, with few switches.
struct RandomOrder {
  std::uint64_t seed = 1;
  bool has_priorities = true;        ///< which change at a few operations; else any operation may be a switch
  std::uint64_t operations = 1'000;  ///< visible ones that a run makes, about: where priorities change
};

struct InterpreterOptions {
  std::vector<std::string> arguments;  ///< of main, the program's name first
  InputSource inputs;                  ///< without one, or when it has no more, inputs are zero
  UndefinedPolicy undefined = UndefinedPolicy::Fail;
  bool check_alignment = false;  ///< as with Check::Alignment in Program::checks
  bool check_leaks = true;       ///< if Program::checks has them
  /// The order of threads: that of a schedule, which must outlive the run, or a random one; else they take turns.
  const result::Schedule* schedule = nullptr;
  std::optional<RandomOrder> random_order;
  /// Accesses to the same bytes in two threads that nothing orders are a DataRace: the second one has the fault, and
  /// its message says where the first one is. Those of one pair of places are told of once.
  bool finds_races = false;
  /// Told of every fault with its stack (innermost first; of a leak none). True: the run goes on, if it can: a read
  /// gives zeros, a write, copy or free is not done, an index or a number is taken as it is. Division by zero, calls
  /// that lead nowhere, traps and the like end the run even then. Without it the first fault ends the run.
  std::function<bool(const Fault& fault, std::span<const CodePoint> stack)> on_fault;
  /// Fault::object of leaks that an earlier run with the same inputs had: finds where the last pointer to each was
  /// lost, at the cost of a search of the memory whenever it may have been. For programs whose variables are in memory
  /// (LoadOptions::keep_variables): a value in SSA form does not tell when its variable is overwritten.
  std::vector<std::uint32_t> find_losses;
  /// Told of every write (a Store, a copy or fill of memory, an input that goes to memory) once it is done, and of
  /// every input where it is asked for (innermost call first; of the entry's parameters none), in the order of the run:
  /// what a trace for people is made of. With LoadOptions::keep_variables every assignment of the source is a write.
  std::function<void(const StoreEvent& event)> on_store;
  std::function<void(std::span<const CodePoint> stack, const result::TestInput& input)> on_input;
  /// Told of what threads do to each other, in the order of the run: where an order is given, or races are looked for.
  std::function<void(const OperationEvent& event)> on_operation;
  bool keep_stacks = false;  ///< for Fault::allocation_stack and free_stack
  std::uint64_t max_instructions = ~std::uint64_t{0};
  std::uint32_t max_call_depth = 200'000;
  std::uint64_t max_memory = std::uint64_t{4} << 30;  ///< of the program's objects, in bytes; malloc gives null beyond
  /// What the program writes to descriptors 1 and 2.
  std::function<void(int descriptor, std::string_view text)> output;
  std::function<std::size_t(std::span<std::uint8_t> buffer)> standard_input;  ///< as read(2) of descriptor 0
  /// A call with fewer arguments than the function has parameters goes on as on a machine, with any values; else it is
  /// an InvalidCall.
  bool has_missing_arguments = false;
  std::function<int(const std::string& path, int flags)> open_file;  ///< as open(2); without it none can be opened
  /// Bytes of objects that the program does not set; all others have the pattern of memory never written. Those of the
  /// first thread alone, in a program that has marks of them (frontend/unset.h).
  std::span<const result::UnsetBytes> unset;
  /// Told of what `unset` gave, where the object is created.
  std::function<void(std::span<const CodePoint> stack, const result::UnsetBytes& bytes)> on_unset;
};

/// How a run ended.
struct RunResult {
  enum class End : std::uint8_t {
    Exit,          ///< returned from main or called exit
    Fault,         ///< and at least one fault
    AssumeFailed,  ///< the input does not count
    Unsupported,   ///< what is meant is in `reason`
    OutOfBudget,   ///< likewise
  };
  End end = End::Exit;
  int exit_code = 0;  ///< 0 to 255, as the host would see it
  std::string reason;
  std::string remedy;                     ///< what to do about it, where something is known
  std::vector<Fault> faults;              ///< one that ended the run, or leaks; not those that on_fault let pass
  std::vector<CodePoint> stack;           ///< at the end, innermost first
  std::vector<result::TestInput> inputs;  ///< those that the program asked for
  std::uint64_t instructions = 0;
  std::vector<std::string> assumptions;  ///< "function 'f' has no body; its result was taken as an input"
  std::size_t inputs_missing = 0;        ///< inputs beyond what the source had
  // Of a run whose threads do not take turns, or that looks for races
  result::Schedule schedule;     ///< the order in which they went on
  std::uint64_t operations = 0;  ///< visible ones (semantics/visible.h)
  std::size_t steps_left = 0;    ///< of the given schedule, when the run ended
};

/// Runs programs on concrete values: the oracle that replays every counterexample. Unless an order is given, threads
/// are switched where one blocks or ends, in the order of their creation. A schedule that asks for what cannot be, such
/// as a thread that waits for another one, ends the run as Unsupported. One Interpreter can run many times; each run
/// starts afresh, only the decoded form of the functions is kept. Not thread-safe.
class Interpreter {
 public:
  explicit Interpreter(const Program& program);  ///< which must outlive it
  ~Interpreter();

  /// Runs constructors, the entry function and destructors. Needs an entry. The parameters of an entry that is not
  /// main are inputs.
  RunResult run(const InterpreterOptions& options, const Budget& budget);

 private:
  std::unique_ptr<Code> code_;
};

}  // namespace plumb::interpret
