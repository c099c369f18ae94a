#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "small_programs.h"

namespace plumb::interpret {
namespace {

using term::Op;

/// f(n) = n == 0 ? 0 : n + f(n - 1), modulo 256 by main.
SmallProgram recursion(std::uint64_t depth) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) { give(b, call(b, 1, {b.constant(32, depth)}, {32})); });
  FunctionBuilder b("f");
  b.add_result(32);
  const ValueId n = b.add_parameter(32);
  const BlockId entry = b.add_block();
  const BlockId more = b.add_block();
  const BlockId end = b.add_block();
  b.select(entry);
  b.branch(b.op(Op::Eq, {n, b.constant(32, 0)}), {end, {}}, {more, {}});
  b.select(more);
  const ValueId rest = call(b, 1, {b.op(Op::Sub, {n, b.constant(32, 1)})}, {32});
  give(b, b.op(Op::Add, {n, rest}));
  b.select(end);
  give_number(b, 0);
  p.program.functions.push_back(b.finish());
  return p;
}

TEST(InterpreterCalls, RecursionKeepsTheValuesOfEveryFrame) {
  EXPECT_EQ(recursion(1000).run().exit_code, 500500 % 256);
}

TEST(InterpreterCalls, TooDeepRecursionIsAFaultWithItsStack) {
  InterpreterOptions options;
  options.max_call_depth = 100;
  const RunResult result = recursion(1000).run(options);
  EXPECT_EQ(kinds(result), Kinds{"stack-overflow"});
  EXPECT_EQ(result.faults[0].message, "more than 100 calls deep, in 'f'");
  EXPECT_EQ(result.stack.size(), 100U);
  EXPECT_EQ(result.stack.front().function, 1U);
  EXPECT_EQ(result.stack.back().function, 0U);
}

TEST(InterpreterCalls, ManyDeepRunsOfOneInterpreterAreEqual) {
  const SmallProgram p = recursion(5000);
  Interpreter interpreter(p.program);
  const RunResult first = interpreter.run({}, Budget());
  for (int i = 0; i < 3; ++i) {
    const RunResult again = interpreter.run({}, Budget());
    EXPECT_EQ(again.exit_code, first.exit_code);
    EXPECT_EQ(again.instructions, first.instructions);
  }
}

/// main calls the function at `address` with the arguments given.
RunResult call_through(std::vector<std::uint32_t> parameters, std::vector<std::uint32_t> argument_widths,
                       std::vector<std::uint32_t> expected_results) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) {
    std::vector<ValueId> arguments;
    for (const std::uint32_t w : argument_widths) arguments.push_back(b.constant(w, 40 + arguments.size()));
    const ValueId result = call_pointer(b, b.function_address(1, 64), arguments, expected_results);
    give(b, expected_results.empty() ? b.constant(32, 1) : b.op(Op::Extract, {result}, 32));
  });
  FunctionBuilder b("callee");
  b.add_result(64);
  std::vector<ValueId> values;
  for (const std::uint32_t w : parameters) values.push_back(b.add_parameter(w));
  b.select(b.add_block());
  const ValueId sum = values.empty() ? b.constant(64, 3) : b.op(Op::ZeroExtend, {values.back()}, 64);
  give(b, sum);
  p.program.functions.push_back(b.finish());
  return p.run();
}

TEST(InterpreterCalls, PointersCallFunctionsWhoseParametersFit) {
  EXPECT_EQ(call_through({32, 8}, {32, 8}, {64}).exit_code, 41);
  EXPECT_EQ(call_through({32}, {32, 8, 64}, {64}).exit_code, 40) << "arguments too many are ignored";
  EXPECT_EQ(call_through({}, {}, {}).exit_code, 1) << "a result may be ignored";
  EXPECT_EQ(call_through({32, 8}, {32}, {64}).faults.at(0).message,
            "call of 'callee' with 1 argument: it has 2 parameters");
  EXPECT_EQ(kinds(call_through({32}, {64}, {64})), Kinds{"invalid-call"});
  EXPECT_EQ(kinds(call_through({32}, {32}, {33})), Kinds{"invalid-call"});
}

TEST(InterpreterCalls, PointersToNoFunctionFault) {
  for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{12345}}) {
    SmallProgram p;
    p.main([&](FunctionBuilder& b) {
      call_pointer(b, b.constant(64, address), {});
      give_number(b, 0);
    });
    EXPECT_EQ(kinds(p.run()), Kinds{"invalid-call"});
  }
  SmallProgram p;
  p.global("table", 8);
  p.main([&](FunctionBuilder& b) {
    call_pointer(b, b.global_address(0, 64), {});
    give_number(b, 0);
  });
  EXPECT_EQ(p.run().faults.at(0).message, "call through a pointer to no function: 'table'");
}

TEST(InterpreterCalls, IntrinsicsCanBeCalledThroughPointers) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    const ValueId object = call_pointer(b, b.function_address(1, 64), {b.constant(64, 8)}, {64});
    b.store(object, b.constant(32, 77), 4);
    const ValueId value = b.load(object, 32, 4);
    call_pointer(b, b.function_address(2, 64), {object});
    give(b, value);
  });
  p.external("malloc", {64}, {64});
  p.external("free", {64}, {});
  const RunResult result = p.run();
  EXPECT_EQ(result.exit_code, 77);
  EXPECT_TRUE(result.faults.empty());
}

/// sum(n, ...) adds n values of 32 bits, read as va_arg does from the area that va_start gives.
SmallProgram variadic(std::uint32_t pointer_width) {
  SmallProgram p(pointer_width);
  const std::uint32_t w = pointer_width;
  p.main([&](FunctionBuilder& b) {
    give(b,
         call(b, 1, {b.constant(32, 2), b.constant(32, 30), b.constant(BitVector(80, 12)), b.constant(64, 5)}, {32}));
  });
  FunctionBuilder b("sum");
  b.add_result(32);
  b.add_parameter(32);
  b.function().is_variadic = true;
  b.select(b.add_block());
  const ValueId list = b.allocate(b.constant(w, 24), 8);
  intrinsic(b, Intrinsic::VaStart, {list});
  const ValueId pointer = w == 64 ? b.op(Op::Add, {list, b.constant(w, 8)}) : list;
  const ValueId area = b.load(pointer, w, w / 8);
  const auto at = [&](std::uint64_t offset, std::uint32_t width) {
    return b.op(Op::Extract, {b.load(b.op(Op::Add, {area, b.constant(w, offset)}), width, 4)}, 32);
  };
  // 64: int at 0, the 80 bits at 16, long at 32. 32: int at 0, the 80 bits at 4, long long at 16.
  const ValueId first = b.load(area, 32, 4);
  const ValueId second = at(w == 64 ? 16 : 4, 80);
  const ValueId third = at(w == 64 ? 32 : 16, 64);
  give(b, b.op(Op::Add, {b.op(Op::Add, {first, second}), third}));
  p.program.functions.push_back(b.finish());
  return p;
}

TEST(InterpreterCalls, VariadicArgumentsLieAsVaArgReadsThem) {
  EXPECT_EQ(variadic(64).run().exit_code, 47);
  EXPECT_EQ(variadic(32).run().exit_code, 47);
}

SmallProgram calls_external(const std::string& name) {
  SmallProgram p;
  const GlobalId text = p.text("text", "hello");
  p.main([&](FunctionBuilder& b) { give(b, b.op(Op::Extract, {call(b, 1, {b.global_address(text, 64)}, {64})}, 32)); });
  p.external(name, {64}, {64});
  return p;
}

TEST(InterpreterCalls, WhatHasNoBodyFollowsThePolicy) {
  const RunResult failed = calls_external("mystery").run();
  EXPECT_EQ(failed.end, RunResult::End::Unsupported);
  EXPECT_EQ(failed.reason, "call of 'mystery', which has no body and no model");
  EXPECT_FALSE(failed.remedy.empty());

  InterpreterOptions options;
  options.undefined = UndefinedPolicy::Nondet;
  options.inputs = [](std::string_view, std::size_t) { return std::vector<std::uint8_t>{9}; };
  const RunResult assumed = calls_external("mystery").run(options);
  EXPECT_EQ(assumed.exit_code, 9);
  EXPECT_EQ(assumed.assumptions,
            std::vector<std::string>{"function 'mystery' has no body; its result was taken as an input"});
  EXPECT_EQ(assumed.inputs, (std::vector<result::TestInput>{{"mystery", {9, 0, 0, 0, 0, 0, 0, 0}}}));
}

TEST(InterpreterCalls, NativeCallsGetTheProgramsBytes) {
  InterpreterOptions options;
  options.undefined = UndefinedPolicy::Native;
  const RunResult result = calls_external("strlen").run(options);
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.assumptions.size(), 1U);
  EXPECT_EQ(calls_external("no_such_function_of_the_host").run(options).end, RunResult::End::Unsupported);
}

TEST(InterpreterCalls, NativePointersIntoAnObjectComeBackAsTheProgramsAddresses) {
  SmallProgram p;
  const GlobalId text = p.text("text", "hello");
  p.main([&](FunctionBuilder& b) {
    const ValueId found = call(b, 1, {b.global_address(text, 64), b.constant(32, 'l')}, {64});
    give(b, b.op(Op::Extract, {b.op(Op::Sub, {found, b.global_address(text, 64)})}, 32));
  });
  p.external("strchr", {64, 32}, {64});
  InterpreterOptions options;
  options.undefined = UndefinedPolicy::Native;
  EXPECT_EQ(p.run(options).exit_code, 2);
}

TEST(InterpreterCalls, NativeCallsPassFloatingPointNumbersInTheirOwnRegisters) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) {
    const ValueId scaled = call(b, 1, {b.constant(64, std::bit_cast<std::uint64_t>(2.5)), b.constant(32, 4)}, {64});
    give(b, b.float_op(FloatOp::ToSigned, std::span(&scaled, 1), 32));
  });
  Function& ldexp = p.program.functions[p.external("ldexp", {64, 32}, {64})];
  ldexp.values[ldexp.parameters[0]].is_float = true;
  ldexp.returns_float = true;
  InterpreterOptions options;
  options.undefined = UndefinedPolicy::Native;
  EXPECT_EQ(p.run(options).exit_code, 40);
}

TEST(InterpreterCalls, ParametersOfAnEntryThatIsNotMainAreInputs) {
  FunctionBuilder b("difference");
  const ValueId x = b.add_parameter(32, false, "x");
  const ValueId y = b.add_parameter(8, false, "y");
  b.add_result(32);
  b.select(b.add_block());
  const ValueId difference = b.op(Op::Sub, {x, b.op(Op::ZeroExtend, {y}, 32)});
  b.return_values(std::span(&difference, 1));
  Program program;
  program.functions.push_back(b.finish());
  program.entry = 0;
  InterpreterOptions options;
  options.inputs = [](std::string_view name, std::size_t) {
    return std::vector<std::uint8_t>(1, name == "x" ? 50 : 8);
  };
  const RunResult result = Interpreter(program).run(options, Budget());
  EXPECT_EQ(result.exit_code, 42);
  EXPECT_EQ(result.inputs, (std::vector<result::TestInput>{{"x", {50, 0, 0, 0}}, {"y", {8}}}));
}

}  // namespace
}  // namespace plumb::interpret
