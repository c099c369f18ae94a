#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "small_programs.h"

namespace plumb::interpret {
namespace {

using term::Op;

/// Writes a text of the program to a descriptor.
void write(SmallProgram& p, FunctionBuilder& b, const std::string& words, ValueId descriptor) {
  const GlobalId text = p.text("text", words);
  intrinsic(b, Intrinsic::HostWrite, {descriptor, b.global_address(text, 64), b.constant(64, words.size())}, 64);
}

TEST(InterpreterEnvironment, InputsAreRecordedAsGiven) {
  SmallProgram p;
  const GlobalId name = p.text("name", "block");
  const std::uint32_t type = p.message("short");
  p.main([&](FunctionBuilder& b) {
    const ValueId value = intrinsic(b, Intrinsic::Nondet, {}, 16, type);
    const ValueId object = b.allocate(b.constant(64, 3), 1);
    intrinsic(b, Intrinsic::MakeSymbolic, {object, b.constant(64, 3), b.global_address(name, 64)});
    const ValueId sum =
        b.op(Op::Add, {b.op(Op::ZeroExtend, {value}, 32), b.op(Op::ZeroExtend, {b.load(object, 8, 1)}, 32)});
    intrinsic(b, Intrinsic::Nondet, {}, 8);
    give(b, sum);
  });
  InterpreterOptions options;
  int asked = 0;
  options.inputs = [&](std::string_view, std::size_t) -> std::optional<std::vector<std::uint8_t>> {
    if (++asked == 1) return std::vector<std::uint8_t>{5, 0, 1, 1};  // more than asked for
    if (asked == 2) return std::vector<std::uint8_t>{30};            // less
    return std::nullopt;
  };
  const RunResult result = p.run(options);
  EXPECT_EQ(result.exit_code, 35);
  EXPECT_EQ(result.inputs, (std::vector<result::TestInput>{{"short", {5, 0}}, {"block", {30, 0, 0}}, {"i8", {0}}}));
  EXPECT_EQ(result.inputs_missing, 1U);
}

TEST(InterpreterEnvironment, PropertiesEndTheRunWithTheirText) {
  SmallProgram p;
  const std::uint32_t words = p.message("x > 0");
  const GlobalId text = p.text("text", "y != 0");
  const auto end_of = [&](const SmallProgram::Body& body) {
    SmallProgram q = p;
    q.main([&](FunctionBuilder& b) {
      body(b);
      if (!b.is_terminated()) give_number(b, 0);
    });
    return q.run();
  };
  const RunResult assumed = end_of([](FunctionBuilder& b) { intrinsic(b, Intrinsic::Assume, {b.constant(1, 0)}); });
  EXPECT_EQ(assumed.end, RunResult::End::AssumeFailed);
  EXPECT_TRUE(assumed.faults.empty());
  const RunResult checked =
      end_of([&](FunctionBuilder& b) { intrinsic(b, Intrinsic::Check, {b.constant(1, 0)}, 0, words); });
  EXPECT_EQ(kinds(checked), Kinds{"assertion"});
  EXPECT_EQ(checked.faults[0].message, "assertion failed: x > 0");
  const RunResult failed = end_of([&](FunctionBuilder& b) {
    const ValueId address = b.global_address(text, 64);
    intrinsic(b, Intrinsic::AssertFail, {address, address, b.constant(32, 7), address});
  });
  EXPECT_EQ(failed.faults.at(0).message, "assertion failed: y != 0");
  EXPECT_EQ(kinds(end_of([](FunctionBuilder& b) { intrinsic(b, Intrinsic::Error, {}); })), Kinds{"error-reached"});
  EXPECT_EQ(kinds(end_of([](FunctionBuilder& b) { intrinsic(b, Intrinsic::Abort, {}); })), Kinds{"abort"});
  EXPECT_EQ(kinds(end_of([](FunctionBuilder& b) { b.halt(HaltReason::Trap); })), Kinds{"trap"});
  EXPECT_EQ(kinds(end_of([](FunctionBuilder& b) { b.halt(HaltReason::Unreachable); })), Kinds{"unreachable"});
  const RunResult halted = end_of([&](FunctionBuilder& b) { b.halt(HaltReason::Unsupported, words); });
  EXPECT_EQ(halted.end, RunResult::End::Unsupported);
  EXPECT_EQ(halted.reason, "x > 0");
}

TEST(InterpreterEnvironment, ConstructorsExitFunctionsAndDestructorsRunInOrder) {
  for (const bool calls_exit : {false, true}) {
    SmallProgram p;
    p.main([&](FunctionBuilder& b) {
      for (const FunctionId f : {1, 2}) intrinsic(b, Intrinsic::AtExit, {b.function_address(f, 64)}, 32);
      write(p, b, "main ", b.constant(32, 1));
      if (calls_exit) call(b, 5, {});
      give_number(b, 300);
    });
    for (const char* words : {"first ", "second ", "constructor ", "destructor "})
      p.add(words, {}, [&](FunctionBuilder& b) {
        write(p, b, words, b.constant(32, 2));
        b.return_values({});
      });
    p.add("leave", {}, [&](FunctionBuilder& b) {
      intrinsic(b, Intrinsic::Exit, {b.constant(32, 300)});
      b.halt(HaltReason::Unreachable);
    });
    p.program.constructors = {3};
    p.program.destructors = {4};
    std::string output;
    InterpreterOptions options;
    options.output = [&](int descriptor, std::string_view text) {
      output += std::to_string(descriptor) + std::string(text);
    };
    const RunResult result = p.run(options);
    EXPECT_EQ(output, "2constructor 1main 2second 2first 2destructor ");
    EXPECT_EQ(result.exit_code, 300 % 256);
    EXPECT_EQ(result.end, RunResult::End::Exit);
  }
}

TEST(InterpreterEnvironment, QuickExitRunsNothing) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) {
    intrinsic(b, Intrinsic::AtExit, {b.function_address(1, 64)}, 32);
    intrinsic(b, Intrinsic::QuickExit, {b.constant(32, 4)});
    give_number(b, 0);
  });
  p.add("never", {}, [&](FunctionBuilder& b) { b.halt(HaltReason::Trap); });
  const RunResult result = p.run();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(result.faults.empty());
}

TEST(InterpreterEnvironment, MainGetsItsArguments) {
  for (const std::uint32_t width : {32, 64}) {
    SmallProgram p(width);
    FunctionBuilder b("main");
    b.add_result(32);
    const ValueId count = b.add_parameter(32);
    const ValueId vector = b.add_parameter(width);
    b.select(b.add_block());
    const std::uint32_t bytes = width / 8;
    const auto element = [&](std::uint64_t i) {
      return b.load(b.op(Op::Add, {vector, b.constant(width, i * bytes)}), width, bytes);
    };
    const ValueId letter = b.op(Op::ZeroExtend, {b.load(element(1), 8, 1)}, 32);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {element(2), b.constant(width, 0)})});
    give(b, b.op(Op::Add, {letter, count}));
    p.program.functions.push_back(b.finish());
    InterpreterOptions options;
    options.arguments = {"program", "A"};
    EXPECT_EQ(p.run(options).exit_code, 'A' + 2);
  }
}

TEST(InterpreterEnvironment, FilesAreWrittenAndReadBack) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("plumb_interpret_" + std::to_string(::getpid()));
  SmallProgram p;
  const GlobalId file_name = p.text("file", path.string());
  p.main([&](FunctionBuilder& b) {
    const ValueId name = b.global_address(file_name, 64);
    const ValueId out = intrinsic(b, Intrinsic::HostOpen, {name, b.constant(32, 1)}, 32);
    write(p, b, "abc", out);
    intrinsic(b, Intrinsic::HostClose, {out}, 32);
    const ValueId in = intrinsic(b, Intrinsic::HostOpen, {name, b.constant(32, 0)}, 32);
    intrinsic(b, Intrinsic::HostSeek, {in, b.constant(64, 2), b.constant(32, 0)}, 64);
    const ValueId buffer = b.allocate(b.constant(64, 8), 1);
    const ValueId count = intrinsic(b, Intrinsic::HostRead, {in, buffer, b.constant(64, 8)}, 64);
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {count, b.constant(64, 1)})});
    intrinsic(b, Intrinsic::Check, {b.op(Op::Eq, {out, b.constant(32, 3)})});
    give(b, b.op(Op::ZeroExtend, {b.load(buffer, 8, 1)}, 32));
  });
  EXPECT_EQ(kinds(p.run()), Kinds{"assertion"}) << "without open_file there are no files";
  EXPECT_FALSE(std::filesystem::exists(path));
  InterpreterOptions options;
  options.open_file = [](const std::string& name, int flags) { return ::open(name.c_str(), flags, 0600); };
  const RunResult result = p.run(options);
  EXPECT_EQ(kinds(result), Kinds{});
  EXPECT_EQ(result.exit_code, 'c');
  std::filesystem::remove(path);
  SmallProgram missing;
  const GlobalId no_file = missing.text("file", "/nonexistent/file");
  missing.main([&](FunctionBuilder& b) {
    give(b, intrinsic(b, Intrinsic::HostOpen, {b.global_address(no_file, 64), b.constant(32, 0)}, 32));
  });
  EXPECT_EQ(missing.run().exit_code, 255);
}

TEST(InterpreterEnvironment, StandardInputComesFromTheOptions) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    const ValueId buffer = b.allocate(b.constant(64, 8), 1);
    intrinsic(b, Intrinsic::HostRead, {b.constant(32, 0), buffer, b.constant(64, 8)}, 64);
    give(b, b.op(Op::ZeroExtend, {b.load(buffer, 8, 1)}, 32));
  });
  InterpreterOptions options;
  options.standard_input = [](std::span<std::uint8_t> buffer) {
    buffer[0] = 'x';
    return std::size_t{1};
  };
  EXPECT_EQ(p.run(options).exit_code, 'x');
}

TEST(InterpreterEnvironment, TheBudgetEndsAnEndlessLoop) {
  SmallProgram p;
  p.main([](FunctionBuilder& b) {
    const BlockId loop = b.add_block();
    b.jump({loop, {}});
    b.select(loop);
    b.jump({loop, {}});
  });
  Interpreter interpreter(p.program);
  const RunResult result = interpreter.run({}, Budget().with_timeout(std::chrono::duration<double>(0.02)));
  EXPECT_EQ(result.end, RunResult::End::OutOfBudget);
  EXPECT_EQ(result.reason, "out of time");
  EXPECT_EQ(result.stack.size(), 1U);
}

TEST(InterpreterEnvironment, AnInputWithoutBytesIsNotAskedForAndItsNameNotRead) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) {
    const ValueId nowhere = b.constant(64, 8);
    intrinsic(b, Intrinsic::MakeSymbolic, {nowhere, b.constant(64, 0), nowhere});
    give(b, intrinsic(b, Intrinsic::Nondet, {}, 32));
  });
  InterpreterOptions options;
  options.inputs = [](std::string_view, std::size_t) { return std::vector<std::uint8_t>{9}; };
  const RunResult result = p.run(options);
  EXPECT_EQ(result.exit_code, 9);
  EXPECT_EQ(result.inputs.size(), 1U);
}

TEST(InterpreterEnvironment, AlignedAllocationsRoundUpAsTheLibraryDoes) {
  SmallProgram p;
  p.main([&](FunctionBuilder& b) {
    const auto made = [&](std::uint64_t alignment) {
      return intrinsic(b, Intrinsic::AlignedAlloc, {b.constant(64, alignment), b.constant(64, 8)}, 64);
    };
    const ValueId is_there = b.op(Op::Not, {b.op(Op::Eq, {made(3), b.constant(64, 0)})});
    const ValueId is_aligned = b.op(Op::Eq, {b.op(Op::Extract, {made(48)}, 6, 0), b.constant(6, 0)});
    const ValueId is_refused = b.op(Op::Eq, {made(std::uint64_t{1} << 62), b.constant(64, 0)});
    give(b, b.op(Op::ZeroExtend, {b.op(Op::And, {is_there, b.op(Op::And, {is_aligned, is_refused})})}, 32));
  });
  EXPECT_EQ(p.run({}).exit_code, 1);
}

}  // namespace
}  // namespace plumb::interpret
