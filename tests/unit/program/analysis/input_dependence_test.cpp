#include "program/analysis/input_dependence.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "program/function_builder.h"
#include "random_program.h"

namespace plumb::program {
namespace {

constexpr std::uint64_t kObjectSize = 16;

/// A value that was computed: by which function, under which name.
struct Event {
  FunctionId function;
  ValueId value;
  std::uint64_t content;
};

/// Runs random programs with control made explicit: branches follow a sequence of coins and calls through pointers
/// what an earlier run did, so two runs with different inputs take the same path. Accesses outside of objects do
/// nothing.
class Runner {
 public:
  Runner(const Program& program, unsigned seed, std::uint64_t input, std::vector<FunctionId>& choices, bool replays)
      : program_(program), coins_(seed), input_(input), choices_(choices), replays_(replays) {
    for (std::size_t g = 0; g < program.globals.size(); ++g) allocate();
    for (std::size_t g = 0; g < program.globals.size(); ++g)
      for (const Relocation& relocation : program.globals[g].relocations)
        write(base(static_cast<GlobalId>(g)) + relocation.offset, base(relocation.index), 8);
  }

  std::uint64_t run(FunctionId f, const std::vector<std::uint64_t>& arguments, int depth = 0) {
    const Function& function = program_.functions[f];
    std::vector<std::uint64_t> values(function.values.size(), 0);
    for (ValueId v = 0; v < values.size(); ++v) values[v] = leaf(function, v);
    const auto define = [&](ValueId v, std::uint64_t content) {
      values[v] = content;
      events.push_back({f, v, content});
    };
    for (std::size_t i = 0; i < function.parameters.size(); ++i) define(function.parameters[i], arguments[i]);
    for (BlockId b = 0;;) {
      for (const Instruction& i : function.instructions_of(b)) {
        if (is_terminator(i.kind)) continue;
        if (const auto result = execute(function, i, values, depth)) define(i.first_result, *result);
      }
      const Instruction& terminator = function.terminator(b);
      if (terminator.kind == Kind::Return) return values[function.operands_of(terminator)[0]];
      if (++steps_ > 200) return 0;
      const Edge& edge = function.successors(b)[coins_() % terminator.edge_count];
      std::vector<std::uint64_t> given;
      for (const ValueId v : function.arguments_of(edge)) given.push_back(values[v]);
      b = edge.target;
      for (std::size_t i = 0; i < given.size(); ++i) define(function.blocks[b].arguments[i], given[i]);
    }
  }

  std::uint64_t content(GlobalId global) const { return read(base(global), 8) ^ (read(base(global) + 8, 8) << 1); }

  std::vector<Event> events;

 private:
  static std::uint64_t base(std::uint64_t object) { return 0x1000 * (object + 1); }
  std::uint64_t allocate() { return base(objects_++); }

  std::uint64_t leaf(const Function& function, ValueId v) const {
    const Value& value = function.values[v];
    switch (value.kind) {
      case ValueKind::Constant:
        return function.constant(v).to_uint64();
      case ValueKind::GlobalAddress:
        return base(value.index) + static_cast<std::uint64_t>(value.offset);
      case ValueKind::FunctionAddress:
        return value.index + 1;
      default:
        return 0;
    }
  }

  bool is_valid(std::uint64_t address, std::uint64_t size) const {
    return address >= base(0) && address < base(objects_) && address % 0x1000 + size <= kObjectSize;
  }
  std::uint64_t read(std::uint64_t address, std::uint64_t size) const {
    if (!is_valid(address, size)) return 0;
    std::uint64_t result = 0;
    for (std::uint64_t i = size; i-- > 0;) {
      const auto byte = bytes_.find(address + i);
      result = result << 8 | (byte == bytes_.end() ? 0 : byte->second);
    }
    return result;
  }
  void write(std::uint64_t address, std::uint64_t content, std::uint64_t size) {
    if (!is_valid(address, size)) return;
    for (std::uint64_t i = 0; i < size; ++i, content >>= 8) bytes_[address + i] = static_cast<std::uint8_t>(content);
  }

  std::optional<std::uint64_t> execute(const Function& function, const Instruction& i,
                                       const std::vector<std::uint64_t>& values, int depth) {
    const std::span<const ValueId> operands = function.operands_of(i);
    const auto operand = [&](std::size_t n) { return values[operands[n]]; };
    switch (i.kind) {
      case Kind::Operator: {
        std::vector<BitVector> given;
        std::vector<const BitVector*> pointers;
        for (const ValueId v : operands) given.emplace_back(function.values[v].width, values[v]);
        for (const BitVector& each : given) pointers.push_back(&each);
        return term::evaluate(i.op(), pointers, function.values[i.first_result].width, i.parameter).to_uint64();
      }
      case Kind::Load:
        return read(operand(0), function.values[i.first_result].width / 8);
      case Kind::Store:
        write(operand(0), operand(1), function.values[operands[1]].width / 8);
        return std::nullopt;
      case Kind::CopyMemory:
        write(operand(0), read(operand(1), 8), 8);
        return std::nullopt;
      case Kind::Allocate:
        return allocate();
      case Kind::Intrinsic:
        return input_ += 0x9e3779b97f4a7c15;
      case Kind::Call: {
        std::vector<std::uint64_t> arguments;
        for (std::size_t n = 0; n < operands.size(); ++n) arguments.push_back(operand(n));
        return depth > 4 ? 0 : run(i.parameter, arguments, depth + 1);
      }
      case Kind::CallIndirect:
        return call_pointer(operand(0), operand(1), depth);
      default:
        return std::nullopt;
    }
  }

  std::uint64_t call_pointer(std::uint64_t address, std::uint64_t argument, int depth) {
    const bool is_function =
        address >= 1 && address <= program_.functions.size() && program_.functions[address - 1].parameters.size() == 1;
    if (!replays_) choices_.push_back(is_function ? static_cast<FunctionId>(address - 1) : kNone);
    const FunctionId callee = choices_[next_choice_++];
    return callee == kNone || depth > 4 ? 0 : run(callee, {argument}, depth + 1);
  }

  const Program& program_;
  std::mt19937 coins_;
  std::uint64_t input_;
  std::vector<FunctionId>& choices_;
  bool replays_;
  std::size_t next_choice_ = 0;
  int steps_ = 0;
  std::uint64_t objects_ = 0;
  std::map<std::uint64_t, std::uint8_t> bytes_;
};

constexpr FunctionId kFunctions = 4;
constexpr GlobalId kGlobals = 5;

/// Appends an instruction of one of these kinds; pointers are moved by small offsets alone.
void add_random_instruction(std::mt19937& random, const std::vector<std::uint32_t>& kinds, FunctionBuilder& builder,
                            std::vector<ValueId>& available) {
  const auto any = [&] { return available[pick(random, static_cast<std::uint32_t>(available.size()))]; };
  const auto address = [&] {
    if (pick(random, 2) != 0) return builder.global_address(pick(random, kGlobals), 64, pick(random, 2) * 8);
    return any();
  };
  const std::uint32_t width64 = 64;
  switch (kinds[pick(random, static_cast<std::uint32_t>(kinds.size()))]) {
    case 0:
      available.push_back(builder.op(pick(random, 2) == 0 ? term::Op::Sub : term::Op::Xor, {any(), any()}));
      break;
    case 1: {  // an element: a pointer, and an index that says nothing about objects
      const ValueId from = address();
      builder.set_pointer(from);
      const ValueId sum =
          builder.op(term::Op::Add, {from, builder.op(term::Op::And, {any(), builder.constant(64, 7)})});
      builder.set_pointer(sum);
      available.push_back(sum);
      break;
    }
    case 2:
    case 3:
      available.push_back(builder.load(address(), 64, 8));
      break;
    case 4:
      builder.store(address(), any(), 8);
      break;
    case 5:
      builder.store(address(), builder.global_address(pick(random, kGlobals), 64), 8);
      break;
    case 6: {  // a byte of something to a byte of something else
      const ValueId offset = builder.constant(64, pick(random, 8));
      const ValueId byte = builder.load(builder.op(term::Op::Add, {address(), offset}), 8, 1);
      builder.store(builder.op(term::Op::Add, {address(), offset}), byte, 1);
      break;
    }
    case 7:
      builder.emit(Kind::CopyMemory, 0, std::vector<ValueId>{address(), address(), builder.constant(64, 8)});
      break;
    case 8:
      available.push_back(builder.allocate(builder.constant(64, kObjectSize), 8));
      break;
    case 9:
      available.push_back(
          builder.emit(Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::Nondet), {}, {&width64, 1}));
      break;
    case 10:
      available.push_back(
          builder.emit(Kind::Call, 0, std::vector<ValueId>{any()}, {&width64, 1}, pick(random, kFunctions)));
      break;
    default:
      builder.store(address(), builder.function_address(pick(random, kFunctions), 64), 8);
      available.push_back(builder.emit(Kind::CallIndirect, 0,
                                       std::vector<ValueId>{builder.load(address(), 64, 8), any()}, {&width64, 1}));
  }
}

/// Programs differ in what they are made of, so that input does not spread everywhere and each way it can take is
/// the only one in some of them.
Program random_program(std::mt19937& random) {
  Program program;
  std::vector<std::uint32_t> kinds{2, 4, 5};
  for (std::uint32_t kind = 0; kind < 12; ++kind)
    if (kind != 9 && pick(random, 4) == 0) kinds.push_back(kind);
  bool has_input = false;
  program.globals.resize(kGlobals);
  for (GlobalObject& global : program.globals) {
    global.size = kObjectSize;
    if (pick(random, 3) == 0) global.relocations.push_back({8, false, pick(random, kGlobals), 0});
  }
  for (FunctionId f = 0; f < kFunctions; ++f) {
    program.functions.push_back(random_function(random, "f" + std::to_string(f), random_cfg(random, 4), 1,
                                                [&](FunctionBuilder& builder, std::vector<ValueId>& available) {
                                                  if (!std::exchange(has_input, true))
                                                    add_random_instruction(random, {9}, builder, available);
                                                  for (std::uint32_t i = pick(random, 9); i > 0; --i)
                                                    add_random_instruction(random, kinds, builder, available);
                                                }));
  }
  return program;
}

TEST(InputDependence, WhatDiffersBetweenTwoRunsOnOnePathDepends) {
  std::mt19937 random(41);
  std::size_t differing = 0, explicable = 0, total = 0;
  for (int round = 0; round < 4000; ++round) {
    const Program program = random_program(random);
    const InputDependence dependence(program, CallGraph(program));
    SCOPED_TRACE(round);
    std::vector<FunctionId> choices;
    const auto seed = static_cast<unsigned>(round);
    Runner first(program, seed, 1, choices, false), second(program, seed, 12345, choices, true);
    first.run(0, {0});
    second.run(0, {0});
    ASSERT_EQ(first.events.size(), second.events.size());
    for (std::size_t i = 0; i < first.events.size(); ++i) {
      const Event &a = first.events[i], &b = second.events[i];
      ASSERT_TRUE(a.function == b.function && a.value == b.value);
      ++total;
      explicable += !dependence.depends(a.function, a.value);
      if (a.content == b.content) continue;
      ++differing;
      ASSERT_TRUE(dependence.depends(a.function, a.value)) << "function " << a.function << " value " << a.value;
    }
    for (GlobalId g = 0; g < kGlobals; ++g) {
      ASSERT_TRUE(first.content(g) == second.content(g) || dependence.global_depends(g)) << "global " << g;
    }
  }
  EXPECT_GT(differing, 1000u);
  EXPECT_GT(explicable, total / 4) << "an analysis that calls everything dependent is of no use";
}

/// One function that is made by hand; globals 0 to 2 exist.
struct ByHand {
  Program program;
  FunctionBuilder builder{"main"};
  std::uint32_t width = 32;

  ByHand() {
    program.globals.resize(3);
    for (GlobalObject& global : program.globals) global.size = kObjectSize;
    builder.select(builder.add_block());
  }
  ValueId nondet() {
    return builder.emit(Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::Nondet), {}, {&width, 1});
  }
  ValueId global(GlobalId g) { return builder.global_address(g, 64); }
  InputDependence finish() {
    builder.return_values({});
    program.functions.insert(program.functions.begin(), builder.finish());
    program.entry = 0;
    return InputDependence(program, CallGraph(program));
  }
};

TEST(InputDependence, InputsAreDependentAndConstantsAreExplicable) {
  ByHand hand;
  const ValueId argument = hand.builder.add_parameter(32);
  const ValueId input = hand.nondet();
  const ValueId sum = hand.builder.op(term::Op::Add, {input, hand.builder.constant(32, 1)});
  const ValueId loaded = hand.builder.load(hand.global(0), 32, 4);
  const ValueId twice = hand.builder.op(term::Op::Add, {loaded, loaded});
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.depends(0, argument));
  EXPECT_TRUE(dependence.depends(0, sum));
  EXPECT_FALSE(dependence.depends(0, twice));
  ASSERT_EQ(dependence.sources().size(), 1u);
  EXPECT_EQ(dependence.sources()[0].function, 0u);
}

TEST(InputDependence, MemoryObjectsAreKeptApart) {
  ByHand hand;
  const ValueId heap =
      hand.builder.emit(Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::Malloc),
                        std::vector<ValueId>{hand.builder.constant(64, 8)}, std::vector<std::uint32_t>{64});
  hand.builder.store(hand.global(0), hand.nondet(), 4);
  hand.builder.store(hand.global(1), hand.builder.constant(32, 7), 4);
  // An integer that both objects hold does not make them one.
  hand.builder.store(hand.global(2), hand.builder.load(hand.global(1), 32, 4), 4);
  const ValueId from_input = hand.builder.load(hand.global(0), 32, 4);
  const ValueId from_constant = hand.builder.load(hand.global(2), 32, 4);
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.depends(0, from_input));
  EXPECT_FALSE(dependence.depends(0, from_constant));
  EXPECT_TRUE(dependence.global_depends(0));
  EXPECT_FALSE(dependence.global_depends(1));
  EXPECT_FALSE(dependence.global_depends(2));
  EXPECT_FALSE(dependence.pointees_depend(0, heap));
}

TEST(InputDependence, FollowsPointersThatWereStoredLoadedAndCopied) {
  ByHand hand;
  hand.builder.store(hand.global(0), hand.global(1), 8);  // 0 holds a pointer to 1
  const ValueId stack = hand.builder.allocate(hand.builder.constant(64, kObjectSize), 8);
  hand.builder.emit(Kind::CopyMemory, 0, std::vector<ValueId>{stack, hand.global(0), hand.builder.constant(64, 8)});
  const ValueId pointer = hand.builder.load(stack, 64, 8);
  hand.builder.store(pointer, hand.nondet(), 4);
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.global_depends(1));
  EXPECT_FALSE(dependence.global_depends(0));
  EXPECT_FALSE(dependence.global_depends(2));
  EXPECT_FALSE(dependence.pointees_depend(0, stack));
}

TEST(InputDependence, FollowsAPointerThatIsCopiedByteByByte) {
  ByHand hand;
  hand.builder.store(hand.global(0), hand.global(1), 8);
  for (std::int64_t i = 0; i < 8; ++i)
    hand.builder.store(hand.builder.global_address(2, 64, i),
                       hand.builder.load(hand.builder.global_address(0, 64, i), 8, 1), 1);
  hand.builder.store(hand.builder.load(hand.global(2), 64, 8), hand.nondet(), 4);
  EXPECT_TRUE(hand.finish().global_depends(1));
}

TEST(InputDependence, CopiedBytesCarryInput) {
  ByHand hand;
  hand.builder.store(hand.global(0), hand.nondet(), 4);
  hand.builder.emit(Kind::CopyMemory, 0,
                    std::vector<ValueId>{hand.global(1), hand.global(0), hand.builder.constant(64, 8)});
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.global_depends(1));
  EXPECT_FALSE(dependence.global_depends(2));
}

TEST(InputDependence, AddressesFromNowhereAreOnePlace) {
  ByHand hand;
  hand.builder.store(hand.builder.constant(64, 0x1000), hand.nondet(), 4);
  const ValueId address = hand.builder.load(hand.global(0), 64, 8);
  const ValueId loaded = hand.builder.load(address, 32, 4);
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.depends(0, loaded));
  EXPECT_FALSE(dependence.depends(0, address));
}

TEST(InputDependence, AnIndexThatDependsMakesTheElementAndTheObjectDepend) {
  ByHand hand;
  hand.width = 64;
  const ValueId index = hand.builder.op(term::Op::And, {hand.nondet(), hand.builder.constant(64, 7)});
  const ValueId element = hand.builder.op(term::Op::Add, {hand.global(0), index});
  hand.builder.set_pointer(element);
  const ValueId read = hand.builder.load(element, 8, 1);
  const ValueId other = hand.builder.op(term::Op::Add, {hand.global(1), index});
  hand.builder.set_pointer(other);
  hand.builder.store(other, hand.builder.constant(8, 1), 1);
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.depends(0, read));
  EXPECT_FALSE(dependence.global_depends(0));
  EXPECT_TRUE(dependence.global_depends(1));
}

TEST(InputDependence, AFunctionWithoutABodyReturnsInputAndMayWriteWhatItIsGiven) {
  ByHand hand;
  Function outside;
  outside.name = "outside";
  outside.result_widths = {32};
  outside.values.push_back({.kind = ValueKind::Parameter, .is_pointer = true, .width = 64, .index = 0});
  outside.value_names.emplace_back();
  outside.parameters = {0};
  hand.program.functions.push_back(outside);
  hand.program.globals[0].relocations.push_back({0, false, 1, 0});  // global 1 can be reached from global 0
  const ValueId result = hand.builder.emit(Kind::Call, 0, std::vector<ValueId>{hand.global(0)}, {&hand.width, 1}, 1);
  const InputDependence dependence = hand.finish();
  EXPECT_TRUE(dependence.depends(0, result));
  EXPECT_TRUE(dependence.global_depends(0));
  EXPECT_TRUE(dependence.global_depends(1));
  EXPECT_FALSE(dependence.global_depends(2));
}

TEST(InputDependence, OnlyReadsThatMayBeOfStandardInputAreInput) {
  for (const std::uint64_t descriptor : {0u, 3u}) {
    ByHand hand;
    const ValueId count = hand.builder.emit(
        Kind::Intrinsic, static_cast<std::uint8_t>(Intrinsic::HostRead),
        std::vector<ValueId>{hand.builder.constant(32, descriptor), hand.global(0), hand.builder.constant(64, 8)},
        std::vector<std::uint32_t>{64});
    const InputDependence dependence = hand.finish();
    EXPECT_EQ(dependence.depends(0, count), descriptor == 0);
    EXPECT_EQ(dependence.global_depends(0), descriptor == 0);
  }
}

}  // namespace
}  // namespace plumb::program
