// Runs that go on after faults: what is told, and what the rest of the run sees.
#include <gtest/gtest.h>

#include "small_programs.h"

namespace plumb::interpret {
namespace {

using term::Op;

struct Told {
  std::vector<std::string> kinds;
  std::vector<std::vector<CodePoint>> stacks;
  std::vector<Fault> faults;
  RunResult result;
};

Told run_on(const SmallProgram& p, InterpreterOptions options = {}, std::size_t most = ~std::size_t{0}) {
  Told told;
  options.on_fault = [&](const Fault& fault, std::span<const CodePoint> stack) {
    told.kinds.emplace_back(name(fault.kind));
    told.stacks.emplace_back(stack.begin(), stack.end());
    told.faults.push_back(fault);
    return told.kinds.size() < most;
  };
  told.result = p.run(options);
  return told;
}

Told run_main_on(const SmallProgram::Body& body) {
  SmallProgram p;
  p.global("table", 16, {1, 2, 3, 4, 5});
  p.main(body);
  return run_on(p);
}

ValueId offset(FunctionBuilder& b, ValueId pointer, std::uint64_t by) {
  return b.op(Op::Add, {pointer, b.constant(b.width(pointer), by)});
}

ValueId make(FunctionBuilder& b, std::uint64_t size) {
  return intrinsic(b, Intrinsic::Malloc, {b.constant(64, size)}, 64);
}

TEST(KeepGoing, SkippedAccessesReadZerosAndWriteNothing) {
  const Told told = run_main_on([](FunctionBuilder& b) {
    const ValueId table = b.global_address(0, 64);
    const ValueId bad = b.load(offset(b, table, 14), 32, 1);
    b.store(offset(b, table, 13), b.constant(32, 7), 1);
    b.emit(Kind::CopyMemory, 0, std::array{table, offset(b, table, 8), b.constant(64, 9)});
    b.emit(Kind::FillMemory, 0, std::array{table, b.constant(8, 9), b.constant(64, ~std::uint64_t{0})});
    intrinsic(b, Intrinsic::Free, {table});
    const ValueId first = b.load(table, 32, 4);
    give(b, b.op(Op::Add, {bad, b.op(Op::Extract, {first}, 32, 0)}));
  });
  EXPECT_EQ(told.kinds, (Kinds{"array-pointer-out-of-bounds", "array-pointer-out-of-bounds",
                               "array-pointer-out-of-bounds", "array-pointer-out-of-bounds", "invalid-free"}));
  EXPECT_EQ(told.result.end, RunResult::End::Exit);
  EXPECT_EQ(told.result.exit_code, 1);  // of 0x04030201, the low byte
  EXPECT_TRUE(told.result.faults.empty());
}

TEST(KeepGoing, EndsWhenToldTo) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    for (int i = 0; i < 3; ++i) b.load(b.constant(64, 0), 8, 1);
    give_number(b, 0);
  });
  const Told told = run_on(p, {}, 2);
  EXPECT_EQ(told.kinds, (Kinds{"null-dereference", "null-dereference"}));
  EXPECT_EQ(told.result.end, RunResult::End::Fault);
  EXPECT_EQ(kinds(told.result), Kinds{"null-dereference"});
}

TEST(KeepGoing, AWrongIndexIsToldOnceAndItsAccessDoesNoHarm) {
  for (const std::uint64_t index : {2, 3, 9}) {
    const Told told = run_main_on([&](FunctionBuilder& b) {
      // table is { char field[2]; char next; … }: the neighbour is inside of the object
      const ValueId i = b.op(Op::Add, {intrinsic(b, Intrinsic::Nondet, {}, 64), b.constant(64, index)});
      b.emit(Kind::CheckIndex, 0, std::array{i, b.constant(64, 2)});
      const ValueId distance = b.op(Op::Mul, {i, b.constant(64, 2)});
      const ValueId address = b.op(Op::Add, {b.global_address(0, 64), distance});
      b.set_pointer(address);
      b.store(address, b.constant(16, 0xFFFF), 1);
      const ValueId read = b.load(address, 16, 1);
      const ValueId kept = b.load(b.global_address(0, 64, 4), 8, 1);
      give(b, b.op(Op::Add, {b.op(Op::ZeroExtend, {kept}, 32), b.op(Op::SignExtend, {read}, 32)}));
    });
    EXPECT_EQ(told.kinds, Kinds{"array-out-of-bounds"});
    EXPECT_EQ(told.result.exit_code, 4);  // the neighbour's 5, and the -1 that was written elsewhere
  }
}

TEST(KeepGoing, StacksLeadFromTheFaultToMain) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    call(b, 1, {});
    call(b, 1, {});
    give_number(b, 0);
  });
  p.add("misuse", {}, [](FunctionBuilder& b) {
    b.store(b.constant(64, 8), b.constant(8, 1), 1);
    b.return_values({});
  });
  const Told told = run_on(p);
  ASSERT_EQ(told.kinds.size(), 2U);
  EXPECT_EQ(told.stacks[0], (std::vector<CodePoint>{{1, 0}, {0, 0}}));
  EXPECT_EQ(told.stacks[1], (std::vector<CodePoint>{{1, 0}, {0, 1}}));
}

TEST(KeepGoing, WhatCannotGoOnEndsTheRunAndIsToldToo) {
  const auto ends = [](const SmallProgram::Body& body) {
    const Told told = run_main_on(body);
    EXPECT_EQ(told.result.end, RunResult::End::Fault);
    EXPECT_EQ(kinds(told.result), told.kinds);
    return told.kinds;
  };
  EXPECT_EQ(ends([](FunctionBuilder& b) {
              give(b, b.op(Op::Udiv, {b.constant(32, 1), intrinsic(b, Intrinsic::Nondet, {}, 32)}));
            }),
            Kinds{"division-by-zero"});
  EXPECT_EQ(ends([](FunctionBuilder& b) {
              call_pointer(b, b.constant(64, 0), {});
              give_number(b, 0);
            }),
            Kinds{"invalid-call"});
  EXPECT_EQ(ends([](FunctionBuilder& b) {
              intrinsic(b, Intrinsic::Abort, {});
              give_number(b, 0);
            }),
            Kinds{"abort"});
}

TEST(KeepGoing, LeaksAreToldAtTheEnd) {
  const Told told = run_main_on([](FunctionBuilder& b) {
    b.load(b.constant(64, 0), 8, 1);
    make(b, 3);
    const ValueId second = make(b, 4);
    intrinsic(b, Intrinsic::Free, {second});
    intrinsic(b, Intrinsic::Free, {second});
    make(b, 5);
    give_number(b, 0);
  });
  EXPECT_EQ(told.kinds, (Kinds{"null-dereference", "double-free", "leak", "leak"}));
  EXPECT_TRUE(told.stacks[2].empty());
  EXPECT_EQ(told.faults[2].object, 1U);
  EXPECT_EQ(told.faults[3].object, 3U);
  EXPECT_EQ(told.result.end, RunResult::End::Exit);
}

TEST(KeepGoing, KeptStacksSayWhoAllocatedAndFreed) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    const ValueId made = call(b, 1, {}, {64});
    call(b, 2, {made});
    b.load(made, 8, 1);
    give_number(b, 0);
  });
  p.add("allocate", {64}, [](FunctionBuilder& b) { give(b, make(b, 8)); });
  p.add("release", {}, [](FunctionBuilder& b) {
    intrinsic(b, Intrinsic::Free, {b.add_parameter(64, true)});
    b.return_values({});
  });
  InterpreterOptions options;
  EXPECT_TRUE(run_on(p, options).faults.at(0).allocation_stack.empty());
  options.keep_stacks = true;
  const Fault fault = run_on(p, options).faults.at(0);
  EXPECT_EQ(fault.kind, FaultKind::UseAfterFree);
  EXPECT_EQ(fault.allocation_stack, (std::vector<CodePoint>{{1, 0}, {0, 0}}));
  EXPECT_EQ(fault.free_stack, (std::vector<CodePoint>{{2, 0}, {0, 1}}));
}

TEST(KeepGoing, AMisalignedAccessIsToldAndDone) {
  SmallProgram p;
  p.program.checks.add(Check::Alignment);
  p.global("table", 16, {1, 2, 3, 4, 5});
  p.main([](FunctionBuilder& b) { give(b, b.load(b.global_address(0, 64, 1), 32, 4)); });
  const Told told = run_on(p);
  EXPECT_EQ(told.kinds, Kinds{"misaligned"});
  EXPECT_EQ(told.result.exit_code, 2);
}

/// One operator on an input that is 0 and a constant.
Told run_operator(CheckSet checks, Op op, std::uint32_t width, std::uint64_t first, std::uint64_t second,
                  std::uint16_t flags, bool is_model = false) {
  SmallProgram p;
  p.program.checks = checks;
  p.main([&](FunctionBuilder& b) {
    const ValueId zero = intrinsic(b, Intrinsic::Nondet, {}, width);
    const ValueId a = b.op(Op::Xor, {zero, b.constant(width, first)});
    const ValueId made =
        term::arity(op) == 1 ? b.op(op, {a}, 0, 0, flags) : b.op(op, {a, b.constant(width, second)}, 0, 0, flags);
    give(b, width > 32 ? b.op(Op::Extract, {made}, 32, 0) : b.op(Op::ZeroExtend, {made}, 32));
  });
  p.program.functions[0].is_model = is_model;
  return run_on(p);
}

TEST(KeepGoing, SignedOverflowIsToldIfItIsCheckedForAndTheResultWraps) {
  CheckSet checks = CheckSet::defaults();
  checks.add(Check::Overflow);
  const Told sum = run_operator(checks, Op::Add, 16, 32767, 2, kNoSignedWrap);
  EXPECT_EQ(sum.kinds, Kinds{"signed-overflow"});
  EXPECT_EQ(sum.faults[0].message, "32767 + 2 does not fit into a signed number of 16 bits");
  EXPECT_EQ(sum.result.exit_code, 0x01);
  EXPECT_EQ(run_operator(checks, Op::Sub, 32, 0, 0x8000'0000, kNoSignedWrap).kinds, Kinds{"signed-overflow"});
  EXPECT_EQ(run_operator(checks, Op::Mul, 64, std::uint64_t{1} << 32, std::uint64_t{1} << 31, kNoSignedWrap).kinds,
            Kinds{"signed-overflow"});
  EXPECT_EQ(run_operator(checks, Op::Neg, 8, 0x80, 0, kNoSignedWrap).kinds, Kinds{"signed-overflow"});
  EXPECT_EQ(run_operator(checks, Op::Add, 16, 32767, 2, 0).kinds, Kinds{});
  EXPECT_EQ(run_operator(checks, Op::Add, 16, 32765, 2, kNoSignedWrap).kinds, Kinds{});
  EXPECT_EQ(run_operator(checks, Op::Add, 16, 32767, 2, kNoSignedWrap, true).kinds, Kinds{});
  EXPECT_EQ(run_operator(CheckSet::defaults(), Op::Add, 16, 32767, 2, kNoSignedWrap).kinds, Kinds{});
}

TEST(KeepGoing, ShiftsOutOfRangeAreToldIfTheyAreCheckedFor) {
  CheckSet checks = CheckSet::defaults();
  checks.add(Check::Shift);
  const Told far = run_operator(checks, Op::Shl, 32, 1, 32, kSourceShift);
  EXPECT_EQ(far.kinds, Kinds{"shift-out-of-range"});
  EXPECT_EQ(far.faults[0].message, "a number of 32 bits is shifted by 32");
  EXPECT_EQ(run_operator(checks, Op::Ashr, 32, 1, 0xFFFF'FFFF, kSourceShift).faults.at(0).message,
            "a number of 32 bits is shifted by -1");
  EXPECT_EQ(run_operator(checks, Op::Lshr, 128, 1, 128, kSourceShift).kinds, Kinds{"shift-out-of-range"});
  EXPECT_EQ(run_operator(checks, Op::Shl, 32, 1, 31, kSourceShift).kinds, Kinds{});
  EXPECT_EQ(run_operator(checks, Op::Shl, 32, 1, 40, 0).kinds, Kinds{});
  EXPECT_EQ(run_operator(CheckSet::defaults(), Op::Shl, 32, 1, 32, kSourceShift).kinds, Kinds{});
}

TEST(KeepGoing, UndefinedOperationsOnConstantsStayWhereTheyAre) {
  SmallProgram p;
  p.program.checks = CheckSet::all();
  p.main([](FunctionBuilder& b) {
    b.op(Op::Add, {b.constant(32, 0x7FFF'FFFF), b.constant(32, 1)}, 0, 0, kNoSignedWrap);
    b.op(Op::Shl, {b.constant(32, 1), b.constant(32, 33)}, 0, 0, kSourceShift);
    b.op(Op::Add, {b.constant(32, 1), b.constant(32, 1)}, 0, 0, kNoSignedWrap);
    give_number(b, 0);
  });
  EXPECT_EQ(run_on(p).kinds, (Kinds{"signed-overflow", "shift-out-of-range"}));
}

}  // namespace
}  // namespace plumb::interpret
