#pragma once

#include "program/function_builder.h"

namespace plumb::program {

/// int gauss(int n) { int sum = 0; for (int i = 1; i <= n; ++i) sum += i; return sum; }
inline Function gauss() {
  FunctionBuilder b("gauss");
  const ValueId n = b.add_parameter(32, false, "n");
  b.add_result(32);
  const BlockId entry = b.add_block("entry");
  const BlockId head = b.add_block("head");
  const BlockId body = b.add_block("body");
  const BlockId end = b.add_block("end");
  const ValueId i = b.add_block_argument(head, 32, false, "i");
  const ValueId sum = b.add_block_argument(head, 32, false, "sum");
  b.select(entry);
  b.jump({head, {b.constant(32, 1), b.constant(32, 0)}});
  b.select(head);
  b.branch(b.op(term::Op::Sle, {i, n}), {body, {}}, {end, {}});
  b.select(body);
  const ValueId next_sum = b.op(term::Op::Add, {sum, i}, 0, 0, kNoSignedWrap);
  const ValueId next = b.op(term::Op::Add, {i, b.constant(32, 1)});
  b.jump({head, {next, next_sum}});
  b.select(end);
  b.return_values(std::span(&sum, 1));
  return b.finish();
}

inline Program program_of(Function function) {
  Program program;
  program.entry = 0;
  program.functions.push_back(std::move(function));
  return program;
}

}  // namespace plumb::program
