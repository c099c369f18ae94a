#include <gtest/gtest.h>

#include "small_programs.h"

namespace plumb::interpret {
namespace {

using term::Op;

RunResult run_main(const SmallProgram::Body& body, const InterpreterOptions& options = {},
                   std::uint32_t pointer_width = 64) {
  SmallProgram p(pointer_width);
  p.global("table", 16, {1, 2, 3, 4, 5});
  p.main(body);
  return p.run(options);
}

ValueId offset(FunctionBuilder& b, ValueId pointer, std::uint64_t by) {
  return b.op(Op::Add, {pointer, b.constant(b.width(pointer), by)});
}

ValueId make(FunctionBuilder& b, std::uint64_t size) {
  return intrinsic(b, Intrinsic::Malloc, {b.constant(64, size)}, 64);
}

TEST(InterpreterObjects, ValuesOfEveryWidthComeBackAsStored) {
  for (const std::uint32_t width : {1, 8, 12, 16, 24, 32, 48, 64, 65, 80, 128, 200}) {
    const BitVector value = BitVector::ones(width).lshr(1);
    const RunResult result = run_main([&](FunctionBuilder& b) {
      const ValueId object = b.allocate(b.constant(64, 64), 8);
      b.store(offset(b, object, 3), b.constant(value), 1);
      const ValueId first = b.load(offset(b, object, 3), width, 1);
      b.store(offset(b, object, 4), first, 1);  // from a slot this time
      const ValueId second = b.load(offset(b, object, 4), width, 1);
      give(b, b.op(Op::ZeroExtend, {b.op(Op::Eq, {second, b.constant(value)})}, 32));
    });
    EXPECT_EQ(result.exit_code, 1) << width;
  }
}

TEST(InterpreterObjects, FaultsNameTheObject) {
  const RunResult global = run_main([](FunctionBuilder& b) {
    b.load(offset(b, b.global_address(0, 64), 13), 32, 4);
    give_number(b, 0);
  });
  EXPECT_EQ(kinds(global), Kinds{"array-pointer-out-of-bounds"});
  EXPECT_EQ(global.faults[0].object_name, "table");
  EXPECT_NE(global.faults[0].message.find("'table'"), std::string::npos) << global.faults[0].message;
  const RunResult local = run_main([](FunctionBuilder& b) {
    const ValueId object = b.allocate(b.constant(64, 8), 8);
    b.set_name(object, "buffer");
    b.store(offset(b, object, 8), b.constant(8, 1), 1);
    give_number(b, 0);
  });
  EXPECT_EQ(local.faults.at(0).object_name, "buffer");
  EXPECT_EQ(local.stack.size(), 1U);
}

TEST(InterpreterObjects, AnAccessFarFromEveryObjectIsBlamedOnTheOneThatItsAddressStartedFrom) {
  const RunResult result = run_main([](FunctionBuilder& b) {
    const ValueId object = b.allocate(b.constant(64, 20), 8);
    b.set_name(object, "row");
    const ValueId element = offset(b, object, 4);
    b.set_pointer(element);
    b.store(offset(b, element, std::uint64_t{1} << 33), b.constant(32, 1), 4);
    give_number(b, 0);
  });
  EXPECT_EQ(kinds(result), Kinds{"array-pointer-out-of-bounds"});
  EXPECT_EQ(result.faults.at(0).message,
            "write of 4 bytes at offset 8589934596: past the end of a stack object 'row' of 20 bytes");
}

TEST(InterpreterObjects, EveryMisuseOfTheHeapIsAFaultOfItsKind) {
  const auto kind = [](const SmallProgram::Body& body) {
    const RunResult result = run_main([&](FunctionBuilder& b) {
      body(b);
      give_number(b, 0);
    });
    return kinds(result);
  };
  EXPECT_EQ(kind([](FunctionBuilder& b) { b.load(offset(b, make(b, 8), 8), 8, 1); }), Kinds{"pointer-out-of-bounds"});
  EXPECT_EQ(kind([](FunctionBuilder& b) {
              const ValueId p = make(b, 8);
              b.load(p, 8, 1);
              intrinsic(b, Intrinsic::Free, {p});
              b.load(p, 8, 1);
            }),
            Kinds{"use-after-free"});
  EXPECT_EQ(kind([](FunctionBuilder& b) {
              const ValueId p = make(b, 8);
              intrinsic(b, Intrinsic::Free, {p});
              intrinsic(b, Intrinsic::Free, {p});
            }),
            Kinds{"double-free"});
  EXPECT_EQ(kind([](FunctionBuilder& b) { intrinsic(b, Intrinsic::Free, {b.global_address(0, 64)}); }),
            Kinds{"invalid-free"});
  EXPECT_EQ(kind([](FunctionBuilder& b) { intrinsic(b, Intrinsic::Free, {offset(b, make(b, 8), 4)}); }),
            Kinds{"invalid-free"});
  EXPECT_EQ(kind([](FunctionBuilder& b) {
              intrinsic(b, Intrinsic::Realloc, {b.global_address(0, 64), b.constant(64, 9)}, 64);
            }),
            Kinds{"invalid-free"});
  EXPECT_EQ(kind([](FunctionBuilder& b) { b.store(b.constant(64, 0), b.constant(32, 0), 4); }),
            Kinds{"null-dereference"});
  EXPECT_EQ(kind([](FunctionBuilder& b) {
              const ValueId p = make(b, 8);
              b.load(b.load(p, 64, 8), 8, 1);
            }),
            Kinds{"uninitialised-pointer"});
  EXPECT_EQ(kind([](FunctionBuilder& b) { intrinsic(b, Intrinsic::Free, {b.constant(64, 0)}); }), Kinds{});
}

TEST(InterpreterObjects, ReallocKeepsTheContentAndEndsTheOldObject) {
  const auto body = [](bool uses_old) {
    return [uses_old](FunctionBuilder& b) {
      const ValueId p = make(b, 4);
      b.store(p, b.constant(32, 42), 4);
      const ValueId q = intrinsic(b, Intrinsic::Realloc, {p, b.constant(64, 100)}, 64);
      const ValueId value = b.load(uses_old ? p : q, 32, 4);
      intrinsic(b, Intrinsic::Free, {q});
      give(b, value);
    };
  };
  EXPECT_EQ(run_main(body(false)).exit_code, 42);
  EXPECT_EQ(kinds(run_main(body(true))), Kinds{"use-after-free"});
}

TEST(InterpreterObjects, HeapGivesNullBeyondTheLimitAndOnOverflow) {
  InterpreterOptions options;
  options.max_memory = 1000;
  const RunResult result = run_main(
      [](FunctionBuilder& b) {
        const ValueId large = make(b, 2000);
        const ValueId product = intrinsic(
            b, Intrinsic::Calloc, {b.constant(64, std::uint64_t{1} << 33), b.constant(64, std::uint64_t{1} << 33)}, 64);
        const ValueId both = b.op(Op::Or, {large, product});
        give(b, b.op(Op::ZeroExtend, {b.op(Op::Eq, {both, b.constant(64, 0)})}, 32));
      },
      options);
  EXPECT_EQ(result.exit_code, 1);
}

TEST(InterpreterObjects, StackObjectsDieWithTheirFrameAndAtStackRestore) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) { give(b, b.load(call(b, 1, {}, {64}), 32, 4)); });
  p.add("leave", {64}, [](FunctionBuilder& b) { give(b, b.allocate(b.constant(64, 4), 4)); });
  EXPECT_EQ(kinds(p.run()), Kinds{"use-after-return"});
  EXPECT_EQ(kinds(run_main([](FunctionBuilder& b) {
              const ValueId before = b.allocate(b.constant(64, 4), 4);
              const ValueId token = intrinsic(b, Intrinsic::StackSave, {}, 64);
              const ValueId inside = b.allocate(b.constant(64, 4), 4);
              b.store(inside, b.constant(32, 1), 4);
              intrinsic(b, Intrinsic::StackRestore, {token});
              b.store(before, b.constant(32, 1), 4);
              b.store(inside, b.constant(32, 1), 4);
              give_number(b, 0);
            })),
            Kinds{"use-after-return"});
}

TEST(InterpreterObjects, AStackObjectIsNotToBeUsedBetweenItsScopes) {
  const auto run = [](bool is_entered_again) {
    return kinds(run_main([&](FunctionBuilder& b) {
      const ValueId object = b.allocate(b.constant(64, 4), 4);
      for (const bool is_left : {false, true}) {
        intrinsic(b, Intrinsic::EnterScope, {object});
        b.store(object, b.constant(32, 1), 4);
        intrinsic(b, Intrinsic::LeaveScope, {object});
        if (is_left && is_entered_again) intrinsic(b, Intrinsic::EnterScope, {object});
      }
      b.store(object, b.constant(32, 1), 4);
      give_number(b, 0);
    }));
  };
  EXPECT_EQ(run(true), Kinds{});
  EXPECT_EQ(run(false), Kinds{"use-after-scope"});
}

TEST(InterpreterObjects, GlobalsHaveTheirBytesAndRelocationsInEveryRun) {
  for (const std::uint32_t width : {32, 64}) {
    SmallProgram p(width);
    p.global("numbers", 12, {7, 0, 0, 0, 8});
    p.global("pointer", width / 8);
    p.program.globals[1].relocations.push_back({0, false, 0, 4});
    p.program.globals[0].is_constant = false;
    p.main([&](FunctionBuilder& b) {
      const ValueId second = b.load(b.global_address(1, width), width, width / 8);
      const ValueId value = b.load(second, 32, 4);
      b.store(second, b.constant(32, 99), 4);
      give(b, b.op(Op::Add, {value, b.load(b.global_address(0, width, 8), 32, 4)}));
    });
    Interpreter interpreter(p.program);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(interpreter.run({}, Budget()).exit_code, 8);
  }
}

TEST(InterpreterObjects, ConstantsCannotBeWritten) {
  SmallProgram p;
  p.text("words", "abc");
  p.program.globals[0].is_constant = true;
  p.main([](FunctionBuilder& b) {
    b.load(b.global_address(0, 64), 8, 1);
    b.store(b.global_address(0, 64), b.constant(8, 0), 1);
    give_number(b, 0);
  });
  EXPECT_EQ(kinds(p.run()), Kinds{"write-to-constant"});
}

TEST(InterpreterObjects, GlobalsWithoutDefinitionAreUnsupportedWhereTheyAreRead) {
  SmallProgram p;
  p.global("elsewhere", 0);
  p.global("environ", 8);
  p.program.globals[0].is_external = true;
  p.program.globals[1].is_external = true;
  p.main([](FunctionBuilder& b) {
    const ValueId environment = b.load(b.global_address(1, 64), 64, 8);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {environment, b.constant(64, 0)})});
    b.load(b.global_address(0, 64, 40), 32, 4);
    give_number(b, 0);
  });
  const RunResult result = p.run();
  EXPECT_EQ(result.end, RunResult::End::Unsupported);
  EXPECT_EQ(result.reason, "global 'elsewhere' has no definition");
}

TEST(InterpreterObjects, MemoryIsCopiedAndFilled) {
  const RunResult result = run_main([](FunctionBuilder& b) {
    const ValueId object = b.allocate(b.constant(64, 16), 8);
    b.emit(Kind::FillMemory, 0, std::array{object, b.constant(8, 9), b.constant(64, 16)});
    b.emit(Kind::CopyMemory, 0, std::array{object, b.global_address(0, 64), b.constant(64, 5)});
    b.emit(Kind::CopyMemory, 0, std::array{offset(b, object, 1), object, b.constant(64, 5)});  // overlapping
    const ValueId last = b.op(Op::ZeroExtend, {b.load(offset(b, object, 5), 8, 1)}, 32);
    const ValueId after = b.op(Op::ZeroExtend, {b.load(offset(b, object, 6), 8, 1)}, 32);
    give(b, b.op(Op::Add, {b.op(Op::Mul, {last, b.constant(32, 10)}), after}));
  });
  EXPECT_EQ(result.exit_code, 59);
  EXPECT_EQ(kinds(run_main([](FunctionBuilder& b) {
              const ValueId object = b.allocate(b.constant(64, 16), 8);
              b.emit(Kind::CopyMemory, 0, std::array{object, b.global_address(0, 64), b.constant(64, 17)});
              give_number(b, 0);
            })),
            Kinds{"array-pointer-out-of-bounds"});
}

TEST(InterpreterObjects, IndicesOutsideOfTheirArrayFault) {
  const auto check = [](std::uint64_t index) {
    return run_main([&](FunctionBuilder& b) {
      const ValueId i = intrinsic(b, Intrinsic::Nondet, {}, 32);
      const ValueId given = b.op(Op::Add, {i, b.constant(32, index)});
      b.emit(Kind::CheckIndex, 0, std::array{given, b.constant(32, 10)}, {}, kNone, kSignedIndex);
      give_number(b, 0);
    });
  };
  EXPECT_TRUE(check(9).faults.empty());
  EXPECT_EQ(kinds(check(10)), Kinds{"array-out-of-bounds"});
  EXPECT_EQ(check(10).faults.at(0).message, "index 10 is outside of an array of 10 elements");
  EXPECT_EQ(check(~std::uint64_t{0}).faults.at(0).message, "index -1 is outside of an array of 10 elements");
}

TEST(InterpreterObjects, AlignmentIsCheckedIfAsked) {
  const auto body = [](FunctionBuilder& b) {
    b.load(offset(b, b.global_address(0, 64), 1), 32, 4);
    give_number(b, 0);
  };
  EXPECT_TRUE(run_main(body).faults.empty());
  InterpreterOptions options;
  options.check_alignment = true;
  EXPECT_EQ(kinds(run_main(body, options)), Kinds{"misaligned"});
}

TEST(InterpreterObjects, LeaksAreWhatNothingReaches) {
  const RunResult result = run_main([](FunctionBuilder& b) {
    const ValueId head = make(b, 16);  // reached from the global
    b.store(b.global_address(0, 64), head, 8);
    b.store(head, offset(b, make(b, 16), 4), 8);  // reached from there, by its middle
    make(b, 10);                                  // lost
    make(b, 20);                                  // lost
    give_number(b, 0);
  });
  EXPECT_EQ(result.end, RunResult::End::Exit);
  ASSERT_EQ(kinds(result), (Kinds{"leak", "leak"}));
  EXPECT_EQ(result.faults[0].size, 10U);
  EXPECT_EQ(result.faults[1].size, 20U);
  EXPECT_NE(result.faults[0].allocated.instruction, kNone);
}

TEST(InterpreterObjects, LeaksOfOneSiteAreOneFault) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    for (int i = 0; i < 3; ++i) call(b, 1, {});
    give_number(b, 0);
  });
  p.add("lose", {}, [](FunctionBuilder& b) {
    make(b, 10);
    b.return_values({});
  });
  const RunResult result = p.run();
  ASSERT_EQ(kinds(result), Kinds{"leak"});
  EXPECT_EQ(result.faults[0].message, "3 heap objects of 30 bytes in total are never freed");
  InterpreterOptions options;
  options.check_leaks = false;
  EXPECT_TRUE(p.run(options).faults.empty());
}

TEST(InterpreterObjects, WhatLiveFramesHoldAtExitIsNoLeak) {
  const auto body = [](bool exits) {
    return [exits](FunctionBuilder& b) {
      const ValueId kept = b.allocate(b.constant(64, 8), 8);
      b.store(kept, make(b, 10), 8);
      if (exits) intrinsic(b, Intrinsic::Exit, {b.constant(32, 3)});
      give_number(b, 3);
    };
  };
  EXPECT_EQ(kinds(run_main(body(true))), Kinds{});
  EXPECT_EQ(kinds(run_main(body(false))), Kinds{"leak"});
  EXPECT_EQ(run_main(body(true)).exit_code, 3);
}

}  // namespace
}  // namespace plumb::interpret
