// Andersen's analysis ("Program analysis and specialization for the C programming language", 1994) on instances, by a
// worklist of instructions: each is applied to what is known of its operands, and what grows wakes its users. Objects
// hold pointers by word; a store to an unknown place of an object goes to all of its words, one behind the other in
// `anywhere`. Ranges that keep growing lose their bounds, so everything comes to rest.
#include "flatten/memory/pointers.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <deque>

#include "semantics/intrinsics.h"

namespace plumb::flatten {

using program::Function;
using program::FunctionId;
using program::Instruction;
using program::InstructionId;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using program::Value;
using program::ValueId;
using program::ValueKind;

namespace {

/// Of growing values, until their ranges lose their bounds.
constexpr unsigned kPatience = 6;

}  // namespace

class PointerAnalysis {
 public:
  PointerAnalysis(Pointers& made, const program::CallGraph& calls, const Budget& budget)
      : made_(made), program_(made.program_), instances_(made.instances_), calls_(calls), budget_(budget) {
    word_ = program_.layout.pointer_width / 8;
    add_objects();
    add_values();
    hold_initial_pointers();
    find_users();
    for (InstanceId i = 0; i < instances_.all().size(); ++i)
      for (InstructionId at = 0; at < function(i).instructions.size(); ++at) wake({i, at});
    run();
  }

 private:
  struct Item {
    InstanceId instance;
    InstructionId instruction;
    friend bool operator==(const Item&, const Item&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Item& item) {
      return H::combine(std::move(h), item.instance, item.instruction);
    }
  };

  const Function& function(InstanceId i) const { return program_.functions[instances_[i].function]; }

  void add_objects() {
    using ObjectKind = AbstractObject::Kind;
    for (std::uint32_t g = 0; g < program_.globals.size(); ++g) made_.objects_.push_back({ObjectKind::Global, g});
    for (std::uint32_t f = 0; f < program_.functions.size(); ++f) made_.objects_.push_back({ObjectKind::Function, f});
    made_.objects_.push_back({ObjectKind::ProgramName});
    made_.objects_.push_back({ObjectKind::Arguments});
    made_.objects_.push_back({ObjectKind::Environment});
    for (InstanceId i = 0; i < instances_.all().size(); ++i)
      for (InstructionId at = 0; at < function(i).instructions.size(); ++at) {
        const Instruction& instruction = function(i).instructions[at];
        const bool is_heap = semantics::is_allocation(instruction);
        if (!is_heap && instruction.kind != Kind::Allocate) continue;
        made_.allocated_[{i, at}] = static_cast<ObjectId>(made_.objects_.size());
        made_.objects_.push_back({is_heap ? ObjectKind::Heap : ObjectKind::Stack, kNone, i, at});
      }
    made_.contents_.resize(made_.objects_.size());
    readers_.resize(made_.objects_.size());
    growth_.resize(made_.objects_.size(), 0);
  }

  void add_values() {
    made_.checked_.resize(program_.functions.size());
    for (InstanceId i = 0; i < instances_.all().size(); ++i) {
      const Function& f = function(i);
      std::optional<CheckedOperands>& checked = made_.checked_[instances_[i].function];
      if (!checked) checked.emplace(f);
      made_.first_value_.push_back(made_.values_.size());
      for (ValueId v = 0; v < f.values.size(); ++v) made_.values_.push_back(initial(f, v));
      made_.results_.emplace_back(f.result_widths.size());
      if (i < instances_.root_count())
        for (std::size_t p = 0; p < f.parameters.size(); ++p) give_root_argument(i, p);
    }
    changes_.resize(made_.values_.size(), 0);
  }

  Known initial(const Function& f, ValueId v) const {
    const Value& value = f.values[v];
    Known known;
    switch (value.kind) {
      case ValueKind::Constant:
        known = Known::anything();
        if (value.width <= 64)
          known.number = Progression::between(f.constant(v).to_int64(), f.constant(v).to_int64(), 0);
        break;
      case ValueKind::GlobalAddress:
        known.add({made_.global(value.index), Progression::exactly(value.offset)});
        break;
      case ValueKind::FunctionAddress:
        known.add({made_.function(value.index), Progression::exactly(0)});
        break;
      case ValueKind::Undefined:
        known = Known::anything();
        break;
      default:
        break;
    }
    return known;
  }

  void give_root_argument(InstanceId root, std::size_t position) {
    const Function& f = function(root);
    Known& known = made_.values_[made_.first_value_[root] + f.parameters[position]];
    const bool is_main = f.name == "main" && (position == 1 || position == 2);
    if (is_main)
      known.add({position == 1 ? made_.arguments() : made_.environment(), Progression::exactly(0)});
    else
      known = Known::anything();
  }

  void hold_initial_pointers() {
    for (program::GlobalId g = 0; g < program_.globals.size(); ++g)
      for (const program::Relocation& relocation : program_.globals[g].relocations) {
        const ObjectId target =
            relocation.is_function ? made_.function(relocation.index) : made_.global(relocation.index);
        const Pointee pointee{target, Progression::exactly(relocation.addend)};
        write(g, Progression::exactly(static_cast<std::int64_t>(relocation.offset)), word_, {&pointee, 1});
      }
    const Pointee name{made_.program_name(), Progression::exactly(0)};
    write(made_.arguments(), Progression::exactly(0), word_, {&name, 1});
  }

  void find_users() {
    users_.resize(program_.functions.size());
    callers_.resize(instances_.all().size());
    for (InstanceId i = 0; i < instances_.all().size(); ++i) {
      const Function& f = function(i);
      std::vector<std::vector<InstructionId>>& users = users_[instances_[i].function];
      const bool is_new = users.empty();
      users.resize(f.values.size());
      for (InstructionId at = 0; at < f.instructions.size(); ++at) {
        const Instruction& instruction = f.instructions[at];
        for (const FunctionId callee : program_callees(f, instruction)) {
          const InstanceId target = instances_.target(i, at, callee);
          if (target != kNone) callers_[target].push_back({i, at});
        }
        if (!is_new) continue;
        for (const ValueId v : f.operands_of(instruction)) users[v].push_back(at);
        for (const program::Edge& edge : f.edges_of(instruction))
          for (const ValueId v : f.arguments_of(edge)) users[v].push_back(at);
      }
    }
  }

  std::vector<FunctionId> program_callees(const Function& f, const Instruction& instruction) const {
    return possible_callees(program_, calls_, f, instruction);
  }

  void wake(const Item& item) {
    if (waiting_.insert(item).second) queue_.push_back(item);
  }

  void run() {
    for (std::size_t steps = 0; !queue_.empty(); ++steps) {
      if (steps % 64 == 0) budget_.check();
      const Item item = queue_.front();
      queue_.pop_front();
      waiting_.erase(item);
      apply(item);
    }
  }

  void learn(InstanceId instance, ValueId v, const Known& known) {
    const std::size_t at = made_.first_value_[instance] + v;
    if (!made_.values_[at].join(known)) return;
    if (changes_[at] < kPatience)
      ++changes_[at];
    else
      made_.values_[at].loosen();
    for (const InstructionId user : users_[instances_[instance].function][v]) wake({instance, user});
  }

  void learn_results(const Item& at, const Instruction& instruction, const Known& known) {
    for (std::uint32_t i = 0; i < instruction.result_count; ++i)
      learn(at.instance, instruction.first_result + i, known);
  }

  const Known& value(InstanceId instance, ValueId v) const { return made_.value(instance, v); }

  void apply(const Item& at) {
    const Function& f = function(at.instance);
    const Instruction& instruction = f.instructions[at.instruction];
    switch (instruction.kind) {
      case Kind::Operator:
        apply_pure(at, instruction);
        break;
      case Kind::Load:
        learn(at.instance, instruction.first_result, load(at, instruction));
        break;
      case Kind::Store:
        store(at, instruction);
        break;
      case Kind::CopyMemory:
        copy(at);
        break;
      case Kind::Call:
      case Kind::CallIndirect:
        call(at, instruction);
        break;
      case Kind::Return:
        return_values(at, instruction);
        break;
      case Kind::Allocate:
      case Kind::Intrinsic:
        allocate(at, instruction);
        break;
      default:
        learn_results(at, instruction, Known::anything());
        take_edges(at, instruction);
        break;
    }
  }

  void apply_pure(const Item& at, const Instruction& instruction) {
    std::vector<Known> operands;
    for (std::size_t i = 0; i < instruction.operand_count; ++i)
      operands.push_back(made_.operand(at.instance, at.instruction, i));
    learn(at.instance, instruction.first_result, apply_operator(function(at.instance), instruction, operands));
  }

  void take_edges(const Item& at, const Instruction& terminator) {
    const Function& f = function(at.instance);
    for (const program::Edge& edge : f.edges_of(terminator)) {
      const std::span<const ValueId> given = f.arguments_of(edge);
      for (std::size_t i = 0; i < given.size(); ++i)
        learn(at.instance, f.blocks[edge.target].arguments[i], Known(value(at.instance, given[i])));
    }
  }

  void call(const Item& at, const Instruction& instruction) {
    const Function& f = function(at.instance);
    const std::size_t first = instruction.kind == Kind::CallIndirect ? 1 : 0;
    const std::span<const ValueId> arguments = f.operands_of(instruction).subspan(first);
    for (const FunctionId callee : program_callees(f, instruction)) {
      const InstanceId target = instances_.target(at.instance, at.instruction, callee);
      if (target == kNone) {
        learn_results(at, instruction, Known::anything());
        continue;
      }
      const std::vector<ValueId>& parameters = program_.functions[callee].parameters;
      for (std::size_t i = 0; i < std::min(parameters.size(), arguments.size()); ++i)
        learn(target, parameters[i], Known(value(at.instance, arguments[i])));
      const std::vector<Known>& results = made_.results_[target];
      for (std::uint32_t i = 0; i < std::min<std::size_t>(instruction.result_count, results.size()); ++i)
        learn(at.instance, instruction.first_result + i, Known(results[i]));
    }
    if (instruction.kind == Kind::CallIndirect) learn_results(at, instruction, Known::anything());
  }

  void return_values(const Item& at, const Instruction& instruction) {
    const std::span<const ValueId> operands = function(at.instance).operands_of(instruction);
    bool has_changed = false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Known& result = made_.results_[at.instance][i];
      // The values have lost their bounds where they grow for long, so this comes to rest as well.
      has_changed = result.join(value(at.instance, operands[i])) || has_changed;
    }
    if (!has_changed) return;
    for (const Item& caller : callers_[at.instance]) wake(caller);
  }

  void allocate(const Item& at, const Instruction& instruction) {
    const ObjectId object = made_.allocated(at.instance, at.instruction);
    if (object == kNone) {
      learn_results(at, instruction, Known::anything());
      return;
    }
    Known known;
    known.add({object, Progression::exactly(0)});
    if (instruction.kind == Kind::Intrinsic && instruction.intrinsic() == Intrinsic::Realloc) {
      known.join(Known::anything());  // a size of 0 gives null
      for (const Pointee& old : made_.operand(at.instance, at.instruction, 0).pointees)
        copy_all(at, old.object, object);
    }
    learn(at.instance, instruction.first_result, known);
  }

  Known load(const Item& at, const Instruction& instruction) {
    const Function& f = function(at.instance);
    const std::uint32_t width = f.values[instruction.first_result].width;
    Known made = Known::anything();
    bool is_whole = width == word_ * 8;
    std::vector<Pointee> found;
    for (const Pointee& place : value(at.instance, f.operands_of(instruction)[0]).pointees) {
      is_whole = is_whole && is_aligned(place.offset);
      read(at, place.object, place.offset, (width + 7) / 8, found);
    }
    made.pointees = std::move(found);
    return is_whole ? made : made.somewhere();
  }

  bool is_aligned(const Progression& offset) const {
    return offset.stride() % word_ == 0 && offset.first() % word_ == 0;
  }

  void store(const Item& at, const Instruction& instruction) {
    const Function& f = function(at.instance);
    const std::span<const ValueId> operands = f.operands_of(instruction);
    const Known stored = value(at.instance, operands[1]);
    if (stored.pointees.empty()) return;
    const std::uint32_t width = f.values[operands[1]].width;
    const Known part = stored.somewhere();
    for (const Pointee& place : value(at.instance, operands[0]).pointees) {
      const bool is_whole = width == word_ * 8 && is_aligned(place.offset);
      write(place.object, place.offset, (width + 7) / 8, is_whole ? stored.pointees : part.pointees);
    }
  }

  void copy(const Item& at) {
    const Known to = made_.operand(at.instance, at.instruction, 0);
    const Known from = made_.operand(at.instance, at.instruction, 1);
    const Progression size = made_.operand(at.instance, at.instruction, 2).number;
    for (const Pointee& source : from.pointees)
      for (const Pointee& target : to.pointees) {
        const bool is_known = size.is_exact() && source.offset.is_exact() && target.offset.is_exact() &&
                              is_aligned(source.offset) && is_aligned(target.offset) && size.first() % word_ == 0;
        if (is_known)
          copy_words(at, source, target, size.first() / word_);
        else
          copy_all(at, source.object, target.object);
      }
  }

  void copy_words(const Item& at, const Pointee& source, const Pointee& target, std::int64_t count) {
    register_reader(at, source.object);
    const std::int64_t shift = (target.offset.first() - source.offset.first()) / word_;
    const std::int64_t first = source.offset.first() / word_;
    const HeldPointers content = made_.contents_[source.object];
    for (const HeldPointers::Word& word : content.words)
      if (first <= word.index && word.index < first + count)
        write(target.object, Progression::exactly((word.index + shift) * word_), word_, word.pointees);
    if (content.anywhere.empty()) return;
    write(target.object,
          Progression::between(target.offset.first(), target.offset.first() + (count - 1) * word_, word_), word_,
          content.anywhere);
  }

  /// From any place to any other; pieces of pointers too.
  void copy_all(const Item& at, ObjectId source, ObjectId target) {
    register_reader(at, source);
    std::vector<Pointee> all;
    read(at, source, Progression::any(), 1, all);
    for (Pointee& pointee : all) pointee.offset = Progression::any();
    write(target, Progression::any(), 1, all);
  }

  void register_reader(const Item& at, ObjectId object) {
    if (known_readers_.insert({at, object}).second) readers_[object].push_back(at);
  }

  void read(const Item& at, ObjectId object, const Progression& offset, std::uint32_t bytes,
            std::vector<Pointee>& found) {
    register_reader(at, object);
    made_.contents_[object].read(offset, bytes, word_, found);
  }

  void write(ObjectId object, const Progression& offset, std::uint32_t bytes, std::span<const Pointee> stored) {
    budget_.check();  // In large programs one step can write thousands of pointers to thousands of objects.
    std::vector<Pointee> loose;
    if (growth_[object] > kPatience * kWords) {
      for (const Pointee& pointee : stored) loose.push_back({pointee.object, pointee.offset.loosened()});
      stored = loose;
    }
    if (!made_.contents_[object].write(offset, bytes, word_, stored)) return;
    ++growth_[object];
    for (const Item& reader : readers_[object]) wake(reader);
  }

  Pointers& made_;
  const Program& program_;
  const Instances& instances_;
  const program::CallGraph& calls_;
  const Budget& budget_;
  std::uint32_t word_ = 8;
  std::vector<std::vector<std::vector<InstructionId>>> users_;  ///< by function and value
  std::vector<std::vector<Item>> callers_;                      ///< by instance
  std::vector<std::vector<Item>> readers_;                      ///< by object
  absl::flat_hash_set<std::pair<Item, ObjectId>> known_readers_;
  std::vector<unsigned> changes_;  ///< by value
  std::vector<unsigned> growth_;   ///< by object
  std::deque<Item> queue_;
  absl::flat_hash_set<Item> waiting_;  ///< those in the queue
};

Pointers::Pointers(const Program& program, const program::CallGraph& calls, const Instances& instances,
                   const Budget& budget)
    : program_(program), instances_(instances) {
  PointerAnalysis(*this, calls, budget);
}

}  // namespace plumb::flatten
