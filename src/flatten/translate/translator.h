#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flatten/flatten.h"
#include "flatten/instances.h"
#include "flatten/memory.h"
#include "flatten/translate/properties.h"
#include "flatten/translate/values.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/liveness.h"
#include "program/platform.h"
#include "semantics/intrinsics.h"

namespace plumb::flatten {

/// A statement in the making: a stretch of a block without calls that are entered, executed on terms.
struct Draft {
  Draft(ControlGraph::Label at, InstanceId of, const ControlGraph& graph)
      : label(at), instance(of), alive(graph.store().boolean(true)), memory(graph) {}

  ControlGraph::Label label;
  InstanceId instance;
  Term alive;  ///< control is still in the stretch: no fault, no failed assumption, no limit so far
  MemoryState memory;
  absl::flat_hash_map<program::ValueId, Term> local;  ///< what the instance's values are since they were defined here
  absl::flat_hash_map<ValuePlace, Term> undefined;    ///< inputs
  std::vector<ControlGraph::Assignment> assignments;  ///< beside those of values and memory
  std::vector<ControlGraph::Target> targets;          ///< if alive
  std::vector<ControlGraph::Check> checks;
  program::Location location;
};

/// Makes the statements of a graph from instances: all that control can come to, from the entry on.
class Translator {
 public:
  /// All arguments must outlive it; `result` has no statements yet.
  Translator(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget,
             Flattened& result);
  ~Translator();

  void run();

 private:
  using Label = ControlGraph::Label;

  /// A stretch that is still to be translated: from an instruction on to the end of the block, or to a call.
  struct Stretch {
    Label label;
    InstanceId instance;
    program::BlockId block;
    program::InstructionId first;
  };
  /// The value gets its term in the statement, if a variable turns out to be needed.
  struct Definition {
    ValuePlace origin;
    Term term;
  };
  struct Condition {
    Term condition;
    const program::Edge* edge;
  };
  /// A call of a single instance: control comes from `launch` and goes on at `landing`.
  struct CallSite {
    Label launch;
    Label landing;
    InstanceId caller;  ///< kNone: it is a root
    program::InstructionId call;
    bool is_recursive;  ///< the caller is open when the callee begins, and can be called by it
  };
  /// What calls of a single instance share.
  struct Single {
    std::size_t label = 0;             ///< the variable that says which site control goes back to
    std::vector<std::size_t> results;  ///< variables
    std::vector<CallSite> sites;
    std::vector<Label> returns;  ///< statements that leave it
  };
  /// What is known about a function whatever the instance.
  struct FunctionInfo {
    explicit FunctionInfo(const program::Function& function);
    program::Uses uses;
    program::Liveness liveness;
    std::vector<program::BlockId> block_of;  ///< by instruction
  };

  term::TermStore& store() noexcept { return graph_.store(); }
  const program::Function& function(InstanceId i) const { return values_.function(i); }
  const FunctionInfo& info(program::FunctionId f);

  // --- translator.cpp: statements ---
  Label add_statement(std::string text);
  Label stretch(InstanceId instance, program::BlockId block, program::InstructionId first);
  Label block(InstanceId instance, program::BlockId b);
  void translate(const Stretch& stretch);
  void commit(Draft& draft);
  void start();
  Label root(std::size_t position);
  Term root_parameter(InstanceId instance, std::size_t position);
  void assign_values();
  void assume(std::string text);

  // --- control.cpp: terminators ---
  void terminate(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void leave_by(Draft& draft, const std::vector<Condition>& ways);
  bool needs_own_statement(InstanceId instance, const std::vector<Condition>& ways, program::BlockId target);
  Label edge_statement(InstanceId instance, const program::Edge& edge);
  Label finish_label();

  // --- calls.cpp ---
  /// False: the call is no instruction that ends a stretch, and was translated.
  bool call(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void call_outside(Draft& draft, const program::Instruction& instruction, program::InstructionId id,
                    const program::Function& callee);
  bool give_output(Draft& draft, const program::Instruction& instruction);
  Label enter(InstanceId caller, program::InstructionId call, program::FunctionId callee);
  Label outside_statement(InstanceId caller, program::InstructionId call, program::FunctionId callee);
  Label launch(InstanceId callee, InstanceId caller, program::InstructionId call, Label after);
  Label landing(InstanceId callee, InstanceId caller, program::InstructionId call, Label after, bool is_recursive);
  void return_from(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  Single& single(InstanceId instance);
  std::size_t depth(std::uint32_t component);
  std::vector<program::ValueId> live_after(InstanceId instance, program::InstructionId call);
  void connect_returns();
  void save_values();
  void save(const CallSite& site, std::size_t variable, std::uint32_t component);

  // --- instructions.cpp, intrinsics.cpp: the inside of stretches ---
  void execute(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void execute_operator(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void execute_float(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void execute_access(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void execute_intrinsic(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void execute_heap(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  /// An object whose bytes the program does not set: an UnsetValue or UnsetMemory.
  void create(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void make_symbolic(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void allocated(Draft& draft, program::InstructionId id, const Memory::Allocated& made, Limit::Kind full);
  void allocate(Draft& draft, const program::Instruction& instruction, program::InstructionId id);
  void execute_thread(Draft& draft, const program::Instruction& instruction, program::InstructionId id,
                      const semantics::IntrinsicRule& rule);
  /// Requires the memory that an intrinsic uses. False: that cannot be expressed.
  bool require_use(Draft& draft, const program::Instruction& instruction, program::InstructionId id,
                   const semantics::IntrinsicRule& rule);
  void exit_program(Draft& draft, program::InstructionId id);
  void define_number(Draft& draft, const program::Instruction& instruction, std::uint64_t number);

  Term read(Draft& draft, program::ValueId value) { return read(draft, {draft.instance, value}); }
  Term read(Draft& draft, ValuePlace place);
  Term operand(Draft& draft, const program::Instruction& instruction, std::size_t i) {
    return read(draft, function(draft.instance).operands_of(instruction)[i]);
  }
  std::vector<Term> operands(Draft& draft, const program::Instruction& instruction);
  void define(Draft& draft, program::ValueId value, Term term);
  /// The value gets a variable even if nothing needs it, so that the statement reads the input.
  void define_input(Draft& draft, program::ValueId value, Term input);
  Term input(std::uint32_t width, CodePoint at, std::string name, bool is_asked);
  CodePoint point(const Draft& draft, program::InstructionId id) const {
    return {instances_[draft.instance].function, id};
  }
  /// Of an instruction in a model of a library function, where the program calls it, as far as that is one place.
  CodePoint user_point(const Draft& draft, program::InstructionId id) const;
  Memory::Place place(const Draft& draft, program::InstructionId id);
  /// The run goes on if ok; otherwise it ends, and violates the goal of this kind at the instruction, if there is one.
  void require(Draft& draft, Term ok, program::InstructionId id, program::GoalKind kind);
  void require_limit(Draft& draft, Term ok, program::InstructionId id, Limit::Kind kind, std::string text);
  void unsupported(Draft& draft, program::InstructionId id, std::string text);
  /// The run goes on, but not exactly as the program does.
  void pass_limit(Draft& draft, program::InstructionId id, Limit::Kind kind, std::string text);
  void add_check(Draft& draft, Term condition, std::size_t property, program::InstructionId id);
  void cover(Draft& draft, program::InstructionId id);

  const Program& program_;
  const program::Platform platform_;
  std::span<const Goal> goals_;
  const bool is_memory_asked_;  ///< of a goal
  const Options& options_;
  const Budget& budget_;
  Flattened& result_;
  ControlGraph& graph_;
  program::CallGraph calls_;
  Instances instances_;
  Memory memory_;
  Properties properties_;
  Values values_;
  std::vector<Stretch> pending_;
  absl::flat_hash_map<std::uint64_t, Label> labels_;   ///< of stretches, by instance and first instruction
  absl::flat_hash_map<std::uint64_t, Label> entries_;  ///< of ways into a call, by instance and instruction
  std::vector<std::vector<Definition>> definitions_;   ///< by label
  absl::flat_hash_map<InstanceId, Single> singles_;
  std::vector<InstanceId> single_order_;
  std::vector<std::optional<std::size_t>> depths_;        ///< by component: the variable
  absl::flat_hash_map<std::size_t, std::size_t> stacks_;  ///< by variable: that of its stack
  absl::flat_hash_map<program::FunctionId, std::unique_ptr<FunctionInfo>> infos_;
  absl::flat_hash_map<InstanceId, Label> root_launches_;  ///< of single roots
  std::optional<std::size_t> self_;                       ///< the variable of what the thread is called
  std::vector<std::size_t> mutexes_;                      ///< variables: the slots of semantics::HeldMutexes
  std::vector<Term> streams_;  ///< addresses of semantics::standard_streams(), once they are asked for
  std::optional<Label> finish_;
  Label end_ = 0;
};

}  // namespace plumb::flatten
