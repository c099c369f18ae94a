#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "term/op.h"
#include "unit/concolic/runtime_harness.h"

namespace plumb::concolic::runtime_test {
namespace {

constexpr auto code_of(term::Op op) { return static_cast<std::uint32_t>(op); }

plumb_id fresh(std::uint32_t size) {
  __plumb_nondet(size, "x");
  return __plumb_results[0];
}

plumb_id is_zero(plumb_id id) { return __plumb_binary(code_of(term::Op::Eq), 1, 32, id, 0, 0, 0); }

TEST(RuntimeExpressions, ConcreteOperandsMakeNothing) {
  start_run();
  EXPECT_EQ(__plumb_unary(code_of(term::Op::Not), 32, 0, 0), 0U);
  EXPECT_EQ(__plumb_binary(code_of(term::Op::Add), 32, 32, 0, 1, 0, 2), 0U);
  EXPECT_EQ(__plumb_select(32, 0, 0, 1, 0, 2), 0U);
  EXPECT_EQ(__plumb_float(7, 64, 0, 1, 0, 2), 0U);
  __plumb_branch(1, 0, 0);
  __plumb_switch(1, 0, 0);
  __plumb_pin(PLUMB_PIN_CALL, 1, 32, 0, 5);
  EXPECT_TRUE(stream().empty());
}

TEST(RuntimeExpressions, OperandsAreIdsOrConstantsOfTheirWidth) {
  start_run();
  const plumb_id x = fresh(4);
  const plumb_id sum = __plumb_binary(code_of(term::Op::Add), 32, 32, x, 0, 0, 0xffffffff00000005);
  const plumb_id chosen = __plumb_select(8, is_zero(sum), 0, 1, 0, 2);
  const plumb_id less = __plumb_float(8, 64, 0, 0x3ff0000000000000, fresh(8), 0);
  const Decoder decoder(stream());
  const Record add = decoder.of_kind(PLUMB_OPERATOR).at(0);
  EXPECT_EQ(add.first_id, sum);
  EXPECT_EQ(add.code, code_of(term::Op::Add));
  EXPECT_EQ(add.words[1], x);
  EXPECT_EQ(decoder.bytes(add.words[2]), (std::vector<ByteTerm>{{0, 5}, {0, 0}, {0, 0}, {0, 0}}));
  const Record ite = decoder.of_kind(PLUMB_OPERATOR).at(2);
  EXPECT_EQ(ite.first_id, chosen);
  EXPECT_EQ(ite.code, code_of(term::Op::Ite));
  EXPECT_EQ(decoder.width(ite.words[1]), 1U);
  EXPECT_EQ(decoder.bytes(ite.words[2]), (std::vector<ByteTerm>{{0, 1}}));
  EXPECT_EQ(decoder.bytes(ite.words[3]), (std::vector<ByteTerm>{{0, 2}}));
  const Record compared = decoder.of_kind(PLUMB_FLOAT).at(0);
  EXPECT_EQ(compared.first_id, less);
  EXPECT_EQ(compared.width, 64U);
}

TEST(RuntimeExpressions, AConstantIsSentOnceAndWidthsAreKeptApart) {
  start_run();
  const plumb_id x = fresh(4);
  const plumb_id y = fresh(1);
  for (int i = 0; i < 10; ++i) {
    __plumb_binary(code_of(term::Op::Add), 32, 32, x, 0, 0, 7);
    __plumb_binary(code_of(term::Op::Add), 8, 8, y, 0, 0, 7);
  }
  const Decoder decoder(stream());
  EXPECT_EQ(decoder.of_kind(PLUMB_CONSTANT).size(), 2U);
  for (const Record& record : decoder.of_kind(PLUMB_OPERATOR)) EXPECT_EQ(decoder.width(record.words[2]), record.width);
}

TEST(RuntimeControl, EventsSayWhatHappened) {
  start_run();
  const plumb_id x = fresh(4);
  const plumb_id condition = is_zero(x);
  __plumb_branch(11, 1, condition);
  __plumb_switch(12, 3, x);
  __plumb_assume(13, 1, condition);
  __plumb_check(14, 1, condition);
  __plumb_divisor(15, x, 9);
  const std::uint64_t target = 0x100000002;
  __plumb_call_target(16, x, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(target)));
  __plumb_pin(PLUMB_PIN_CALL, 17, 32, x, 0x500000006);
  __plumb_lost(PLUMB_PIN_FLOAT, 18);
  const Decoder decoder(stream());
  using Words = std::vector<std::uint32_t>;
  EXPECT_EQ(decoder.of_kind(PLUMB_BRANCH).at(0).words, (Words{11, 1, condition}));
  EXPECT_EQ(decoder.of_kind(PLUMB_SWITCH).at(0).words, (Words{12, 3, x}));
  EXPECT_EQ(decoder.of_kind(PLUMB_ASSUME).at(0).words, (Words{13, 1, condition}));
  EXPECT_EQ(decoder.of_kind(PLUMB_CHECK).at(0).words, (Words{14, 1, condition}));
  EXPECT_EQ(decoder.of_kind(PLUMB_DIVISOR).at(0).words, (Words{15, x}));
  EXPECT_EQ(decoder.of_kind(PLUMB_CALL_TARGET).at(0).words, (Words{16, x, 2, sizeof(void*) == 8 ? 1U : 0U}));
  EXPECT_EQ(decoder.of_kind(PLUMB_PIN).at(0).words, (Words{17, x, 6, 5}));
  EXPECT_EQ(decoder.of_kind(PLUMB_PIN).at(0).width, 32U);
  EXPECT_EQ(decoder.of_kind(PLUMB_LOST).at(0).words, (Words{18}));
}

TEST(RuntimeControl, WhatFailsEndsTheRunWithOrWithoutAShadow) {
  struct Case {
    void (*call)(plumb_id id);
    Ended end;
    std::uint32_t kind;  ///< of the record before the last, if the condition is symbolic
  };
  const std::array cases = {
      Case{[](plumb_id id) { __plumb_assume(1, 0, id); }, {false, PLUMB_END_ASSUME}, PLUMB_ASSUME},
      Case{[](plumb_id id) { __plumb_check(1, 0, id); }, {true, PLUMB_ERROR_CHECK}, PLUMB_CHECK},
      Case{[](plumb_id id) { __plumb_divisor(1, id, 0); }, {true, PLUMB_ERROR_DIVISION}, PLUMB_DIVISOR},
      Case{[](plumb_id) { __plumb_error(PLUMB_ERROR_REACHED, 1); }, {true, PLUMB_ERROR_REACHED}, PLUMB_INPUT}};
  for (const Case& test : cases)
    for (const bool is_symbolic : {false, true}) {
      start_run();
      const plumb_id id = fresh(4);
      const auto end = ending_of([&] { test.call(is_symbolic ? id : 0); });
      ASSERT_TRUE(end.has_value());
      EXPECT_EQ(end->is_error, test.end.is_error);
      EXPECT_EQ(end->code, test.end.code);
      const Decoder decoder(stream());
      const Record& last = decoder.records().back();
      EXPECT_EQ(last.kind, static_cast<std::uint32_t>(test.end.is_error ? PLUMB_ERROR : PLUMB_END));
      EXPECT_EQ(last.code, test.end.code);
      const Record& before = decoder.records().at(decoder.records().size() - 2);
      EXPECT_EQ(before.kind, is_symbolic ? test.kind : static_cast<std::uint32_t>(PLUMB_INPUT));
    }
}

TEST(RuntimeControl, AtTheLimitOfNodesTheTraceIsCutAndTheRunGoesOnToItsNextInput) {
  start_run({.max_nodes = 5});
  static plumb_id x;
  x = fresh(4);
  for (int i = 0; i < 5; ++i) __plumb_branch(1, 0, x);
  const std::size_t full = stream().size();
  __plumb_switch(2, 0, x);
  __plumb_branch(1, 1, x);
  __plumb_assume(3, 1, x);
  EXPECT_EQ(stream().size(), full + 1);
  EXPECT_EQ(stream().back() & 0xffU, static_cast<std::uint32_t>(PLUMB_CUT));
  const auto end = ending_of([] { __plumb_nondet(4, "int"); });
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->code, static_cast<std::uint32_t>(PLUMB_END_DEPTH));
  EXPECT_EQ(stream().size(), full + 2);
}

TEST(RuntimeControl, AFailureIsToldBeyondTheLimitOfNodes) {
  static plumb_id x;
  for (const bool is_cut : {false, true}) {
    start_run({.max_nodes = 1});
    x = fresh(4);
    __plumb_branch(1, 0, x);
    if (is_cut) __plumb_branch(1, 0, x);
    const auto failed = ending_of([] { __plumb_check(2, 0, x); });
    ASSERT_TRUE(failed.has_value());
    EXPECT_TRUE(failed->is_error);
    EXPECT_EQ(stream().at(stream().size() - 2) & 0xffU, static_cast<std::uint32_t>(PLUMB_ERROR));
  }
  start_run({.max_nodes = 0});
  x = fresh(4);
  __plumb_branch(1, 0, x);
  const auto skipped = ending_of([] { __plumb_assume(2, 0, x); });
  ASSERT_TRUE(skipped.has_value());
  EXPECT_FALSE(skipped->is_error);
  EXPECT_EQ(skipped->code, static_cast<std::uint32_t>(PLUMB_END_ASSUME));
}

TEST(RuntimeControl, ACallOfWhatNobodyDefinesEndsTheRunAlsoBeyondTheLimitOfNodes) {
  for (const bool is_cut : {false, true}) {
    start_run({.max_nodes = is_cut ? 0U : 1U});
    __plumb_branch(1, 0, fresh(4));
    const auto end = ending_of([] { __plumb_missing("lost"); });
    ASSERT_TRUE(end.has_value());
    EXPECT_FALSE(end->is_error);
    EXPECT_EQ(end->code, static_cast<std::uint32_t>(PLUMB_END_MISSING));
    EXPECT_EQ(stream().back(), PLUMB_END | PLUMB_END_MISSING << 8);
  }
}

TEST(RuntimeControl, AFailureIsToldAtTheLimitOfNodes) {
  static plumb_id x;
  start_run({.max_nodes = 1});
  x = fresh(4);
  __plumb_branch(1, 0, x);
  const auto failed = ending_of([] { __plumb_check(2, 0, x); });
  ASSERT_TRUE(failed.has_value());
  EXPECT_TRUE(failed->is_error);
}

TEST(RuntimeControl, AnAbortThatTheProgramHandlesIsNotRecorded) {
  for (const bool is_handled : {false, true}) {
    start_run({.abort_is_handled = is_handled});
    const auto end = ending_of([] { __plumb_error(PLUMB_ERROR_ABORT, 3); });
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->code, static_cast<std::uint32_t>(PLUMB_ERROR_ABORT));
    EXPECT_EQ(stream().empty(), is_handled);
  }
}

/// A little of everything, until the stream is full.
void fill_stream() {
  static std::array<std::uint8_t, 70> memory;
  const plumb_id x = fresh(4);
  __plumb_make_symbolic(memory.data(), 33, "memory", 1);
  for (;;) {
    const plumb_id sum = __plumb_binary(code_of(term::Op::Add), 32, 32, x, 0, 0, 3);
    __plumb_branch(1, 0, is_zero(sum));
    __plumb_read(1, x, memory.data(), 1, memory.data(), memory.size(), 0);
    __plumb_pin(PLUMB_PIN_CALL, 1, 32, x, 5);
    __plumb_write(1, x, memory.data() + 3, 1, x, 0, memory.data(), memory.size());
    memory[3] = 0;
    __plumb_lost(PLUMB_PIN_CALL, 1);
  }
}

TEST(RuntimeStream, AFullStreamEndsTheRunAfterACompleteRecordAtEveryCapacity) {
  for (std::uint32_t words = reserved_words() + 1; words < 600; ++words) {
    start_run({.stream_words = words});
    const auto end = ending_of([] { fill_stream(); });
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->code, static_cast<std::uint32_t>(PLUMB_END_STREAM));
    const Decoder decoder(stream());
    EXPECT_EQ(decoder.records().back().kind, static_cast<std::uint32_t>(PLUMB_END));
    EXPECT_LE(stream().size(), words);
  }
}

TEST(RuntimeStream, OtherThreadsLeaveNoRecordAndGetConcreteData) {
  start_run();
  static std::uint32_t word;
  static plumb_id x;
  x = fresh(4);
  __plumb_store(&word, 4, x);
  const std::vector<std::uint32_t> before = stream();
  std::thread([] {
    EXPECT_EQ(__plumb_load(&word, 4), 0U);
    EXPECT_EQ(__plumb_binary(code_of(term::Op::Add), 32, 32, x, 0, 0, 3), 0U);
    EXPECT_EQ(__plumb_nondet(4, "y"), 0U);
    __plumb_branch(1, 0, x);
    __plumb_cleared(&word, 4);
    __plumb_free(__plumb_malloc(10));
  }).join();
  EXPECT_EQ(stream(), before);
  EXPECT_EQ(__plumb_load(&word, 4), x);
}

}  // namespace
}  // namespace plumb::concolic::runtime_test
