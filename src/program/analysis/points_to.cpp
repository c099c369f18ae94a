// Steensgaard's analysis ("Points-to analysis in almost linear time", 1996): a value and everything it is copied to
// point into one class, and a class has one content, the class that what is stored there points into; both are kept by
// union and find. As there, a copy of something that points nowhere joins nothing yet, and waits: otherwise every pair
// of structures that exchange an integer would become one. Values are bit-vectors, so any operator but a comparison may
// pass a pointer on, integers of any width may be parts of one, and only the sum with a pointer, the usual address
// computation, is taken to keep to the pointer's object.
#include "program/analysis/points_to.h"

#include <algorithm>
#include <array>

namespace plumb::program {
namespace {

using Node = std::uint32_t;

/// The classes while they are being joined. A node is a value or an object; the class of a value is what it points to.
class Classes {
 public:
  explicit Classes(std::uint32_t count) { add(count); }

  Node add(std::uint32_t count = 1) {
    const auto first = static_cast<Node>(parent_.size());
    for (std::uint32_t i = 0; i < count; ++i) parent_.push_back(first + i);
    content_.resize(parent_.size(), kNone);
    has_object_.resize(parent_.size(), false);
    waiting_.resize(parent_.size());
    return first;
  }
  Node find(Node n) {
    while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  std::size_t size() const noexcept { return parent_.size(); }
  bool has_object(Node n) { return has_object_[find(n)]; }
  Node content(Node n) {
    const Node root = find(n);
    if (content_[root] == kNone) {
      const Node made = add();
      content_[root] = made;
    }
    return find(content_[root]);
  }
  void mark_object(Node n) {
    const Node root = find(n);
    has_object_[root] = true;
    release(root);
    join_pending();
  }
  void join(Node a, Node b) {
    pending_.emplace_back(a, b);
    join_pending();
  }
  /// `to` points wherever `from` does.
  void copy(Node from, Node to) {
    const Node root = find(from);
    if (root == find(to)) return;
    if (has_object_[root])
      join(root, to);
    else
      waiting_[root].push_back(to);
  }

 private:
  void release(Node root) {
    for (const Node n : waiting_[root]) pending_.emplace_back(root, n);
    waiting_[root] = {};
  }
  void join_pending() {
    while (!pending_.empty()) {
      auto [a, b] = pending_.back();
      pending_.pop_back();
      a = find(a);
      b = find(b);
      if (a == b) continue;
      // The longer list of waiting copies stays in place, which bounds the moves and, together with path halving, the
      // cost of find().
      if (waiting_[a].size() < waiting_[b].size()) std::swap(a, b);
      parent_[b] = a;
      has_object_[a] = has_object_[a] || has_object_[b];
      waiting_[a].insert(waiting_[a].end(), waiting_[b].begin(), waiting_[b].end());
      waiting_[b] = {};
      if (content_[a] == kNone)
        content_[a] = content_[b];
      else if (content_[b] != kNone)
        pending_.emplace_back(content_[a], content_[b]);
      if (has_object_[a]) release(a);
    }
  }

  std::vector<Node> parent_;
  std::vector<Node> content_;
  std::vector<bool> has_object_;
  std::vector<std::vector<Node>> waiting_;  ///< of classes without an object: what points there once they have one
  std::vector<std::pair<Node, Node>> pending_;
};

/// Turns a program into copies and joins.
class Constraints {
 public:
  Constraints(const Program& program, const ValueFlow& flow)
      : program_(program), flow_(flow), classes_(flow.size()), outside_(object()), absolute_(object()) {
    classes_.join(classes_.content(outside_), outside_);
    add_globals();
    for (const auto& [from, to] : flow.copies()) classes_.copy(from, to);
    for (FunctionId f = 0; f < program.functions.size(); ++f) add_function(f);
    for (FunctionId f = 0; f < program.functions.size(); ++f) give_addresses_objects(f);
  }

  Classes& classes() noexcept { return classes_; }
  Node outside() const noexcept { return outside_; }
  const std::vector<Node>& globals() const noexcept { return globals_; }
  const std::vector<Node>& variadics() const noexcept { return variadics_; }

 private:
  Node object() {
    const Node made = classes_.add();
    classes_.mark_object(made);
    return made;
  }

  /// Constants are shared by unrelated uses and point nowhere, so they take no part.
  void copy(FunctionId f, ValueId v, Node to) {
    if (program_.functions[f].values[v].kind != ValueKind::Constant) classes_.copy(flow_.value(f, v), to);
  }

  void add_globals() {
    for (const GlobalObject& global : program_.globals) {
      globals_.push_back(object());
      if (global.is_external) classes_.join(globals_.back(), outside_);
    }
    for (GlobalId g = 0; g < program_.globals.size(); ++g)
      for (const Relocation& relocation : program_.globals[g].relocations)
        if (!relocation.is_function) classes_.join(classes_.content(globals_[g]), globals_[relocation.index]);
  }

  void add_function(FunctionId f) {
    const Function& function = program_.functions[f];
    for (ValueId v = 0; v < function.values.size(); ++v)
      if (function.values[v].kind == ValueKind::GlobalAddress)
        classes_.join(flow_.value(f, v), globals_[function.values[v].index]);
    variadics_.push_back(function.is_variadic ? object() : kNone);
    if (function.is_variadic) classes_.copy(flow_.variadic(f), classes_.content(variadics_[f]));
    if (!function.has_body() && !function.is_inert) add_outside_function(f);
    if (f == program_.entry)
      for (const ValueId v : function.parameters)
        if (function.values[v].is_pointer) classes_.join(flow_.value(f, v), outside_);
    for (const Instruction& instruction : function.instructions) add_instruction(f, instruction);
  }

  void add_outside_function(FunctionId f) {
    const Function& function = program_.functions[f];
    for (const ValueId v : function.parameters) classes_.copy(flow_.value(f, v), outside_);
    classes_.copy(flow_.variadic(f), outside_);
    for (std::uint32_t i = 0; i < function.result_widths.size(); ++i)
      if (function.result_widths[i] == program_.layout.pointer_width) classes_.join(flow_.result(f, i), outside_);
  }

  void add_instruction(FunctionId f, const Instruction& instruction) {
    const std::span<const ValueId> operands = program_.functions[f].operands_of(instruction);
    const auto content = [&](std::size_t i) { return classes_.content(flow_.value(f, operands[i])); };
    switch (instruction.kind) {
      case Kind::Operator:
        add_operator(f, instruction);
        break;
      case Kind::Load:
        classes_.copy(content(0), flow_.value(f, instruction.first_result));
        break;
      case Kind::Store:
        copy(f, operands[1], content(0));
        break;
      case Kind::CopyMemory:
        classes_.copy(content(1), content(0));
        break;
      case Kind::Allocate:
        classes_.mark_object(flow_.value(f, instruction.first_result));
        break;
      case Kind::Intrinsic:
        add_intrinsic(f, instruction);
        break;
      default:
        break;
    }
  }

  void add_operator(FunctionId f, const Instruction& instruction) {
    const Function& function = program_.functions[f];
    if (term::is_predicate(instruction.op())) return;
    const std::span<const ValueId> operands = function.operands_of(instruction);
    const auto is_pointer = [&](ValueId v) { return function.values[v].is_pointer; };
    const bool is_sum = instruction.op() == term::Op::Add || instruction.op() == term::Op::Sub;
    const bool keeps_object =
        is_sum && is_pointer(instruction.first_result) && std::any_of(operands.begin(), operands.end(), is_pointer);
    for (const ValueId v : operands)
      if (!keeps_object || is_pointer(v)) copy(f, v, flow_.value(f, instruction.first_result));
  }

  void add_intrinsic(FunctionId f, const Instruction& instruction) {
    const std::span<const ValueId> operands = program_.functions[f].operands_of(instruction);
    switch (instruction.intrinsic()) {
      case Intrinsic::Malloc:
      case Intrinsic::Calloc:
      case Intrinsic::AlignedAlloc:
        classes_.mark_object(flow_.value(f, instruction.first_result));
        break;
      case Intrinsic::Realloc:
        // The new object has the old content.
        classes_.mark_object(flow_.value(f, instruction.first_result));
        copy(f, operands[0], flow_.value(f, instruction.first_result));
        break;
      case Intrinsic::VaStart:
        if (variadics_[f] != kNone) classes_.join(classes_.content(flow_.value(f, operands[0])), variadics_[f]);
        break;
      case Intrinsic::ThreadJoin:
        classes_.copy(flow_.thread_result(), classes_.content(flow_.value(f, operands[1])));
        break;
      default:
        break;
    }
  }

  /// An address that no object flows into must still name some memory, the same for all of them.
  void give_addresses_objects(FunctionId f) {
    const Function& function = program_.functions[f];
    for (const Instruction& instruction : function.instructions)
      for (const std::uint32_t i : address_operands(instruction)) {
        const Node address = flow_.value(f, function.operands_of(instruction)[i]);
        if (!classes_.has_object(address)) classes_.join(address, absolute_);
      }
  }

  const Program& program_;
  const ValueFlow& flow_;
  Classes classes_;
  Node outside_, absolute_;
  std::vector<Node> globals_, variadics_;
};

}  // namespace

PointsTo::PointsTo(const Program& program, const ValueFlow& flow) : flow_(flow) {
  Constraints constraints(program, flow);
  Classes& classes = constraints.classes();
  std::vector<ClassId> number(classes.size(), kNone);
  const auto class_of = [&](Node n) {
    if (n == kNone || !classes.has_object(n)) return kNone;
    ClassId& id = number[classes.find(n)];
    if (id == kNone) id = class_count_++;
    return id;
  };
  for (Node n = 0; n < flow.size(); ++n) class_of_value_.push_back(class_of(n));
  for (const Node n : constraints.globals()) class_of_global_.push_back(class_of(n));
  for (const Node n : constraints.variadics()) class_of_variadic_.push_back(class_of(n));
  outside_ = class_of(constraints.outside());
}

std::span<const std::uint32_t> address_operands(const Instruction& instruction) {
  static constexpr std::array<std::uint32_t, 2> kPositions = {0, 1};
  constexpr std::span<const std::uint32_t> kAll(kPositions);
  switch (instruction.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::FillMemory:
      return kAll.first(1);
    case Kind::CopyMemory:
      return kAll;
    case Kind::Intrinsic:
      break;
    default:
      return {};
  }
  switch (instruction.intrinsic()) {
    case Intrinsic::MakeSymbolic:
    case Intrinsic::VaStart:
    case Intrinsic::ThreadCreate:
    case Intrinsic::HostOpen:
      return kAll.first(1);
    case Intrinsic::ThreadJoin:
    case Intrinsic::HostRead:
      return kAll.last(1);
    default:
      return {};
  }
}

}  // namespace plumb::program
