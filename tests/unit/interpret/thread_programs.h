#pragma once

#include <string>

#include "small_programs.h"

namespace plumb::interpret {

using term::Op;

/// Threads that note their steps as digits in the global "log" (64 bits), and a mutex, a condition and a flag.
struct Scene {
  Scene() {
    log = p.global("log", 8);
    mutex = p.global("mutex", 40);
    other_mutex = p.global("other", 40);
    condition = p.global("condition", 48);
    own = p.global("own", 8, {1});
    p.program.globals[own].is_thread_local = true;
  }
  void note(FunctionBuilder& b, std::uint64_t digit) const {
    const ValueId address = b.global_address(log, 64);
    const ValueId shifted = b.op(Op::Mul, {b.load(address, 64, 8), b.constant(64, 10)});
    b.store(address, b.op(Op::Add, {shifted, b.constant(64, digit)}), 8);
  }
  ValueId lock(FunctionBuilder& b, GlobalId which) const {
    return intrinsic(b, Intrinsic::MutexLock, {b.global_address(which, 64)}, 32);
  }
  ValueId unlock(FunctionBuilder& b, GlobalId which) const {
    return intrinsic(b, Intrinsic::MutexUnlock, {b.global_address(which, 64)}, 32);
  }
  static ValueId create(FunctionBuilder& b, FunctionId function, std::uint64_t argument = 0) {
    const ValueId slot = b.allocate(b.constant(64, 8), 8);
    intrinsic(b, Intrinsic::ThreadCreate,
              {slot, b.constant(64, 0), b.function_address(function, 64), b.constant(64, argument)}, 32);
    return b.load(slot, 64, 8);
  }
  static ValueId join(FunctionBuilder& b, ValueId thread, ValueId result_slot) {
    return intrinsic(b, Intrinsic::ThreadJoin, {thread, result_slot}, 32);
  }
  /// Ends main: exits with the low byte of what `digits` should be compared to.
  void check_log(FunctionBuilder& b, std::uint64_t digits) const {
    const ValueId value = b.load(b.global_address(log, 64), 64, 8);
    give(b, b.op(Op::ZeroExtend, {b.op(Op::Eq, {value, b.constant(64, digits)})}, 32));
  }
  void thread(const std::string& name, const SmallProgram::Body& body) {
    FunctionBuilder b(name);
    b.add_result(64);
    b.add_parameter(64, true);
    b.select(b.add_block());
    body(b);
    if (!b.is_terminated()) give(b, b.function().parameters[0]);
    p.program.functions.push_back(b.finish());
  }

  SmallProgram p;
  GlobalId log, mutex, other_mutex, condition, own;
};

}  // namespace plumb::interpret
