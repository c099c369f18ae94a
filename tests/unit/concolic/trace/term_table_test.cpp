#include "concolic/trace/term_table.h"

#include <gtest/gtest.h>

#include <random>

#include "concolic/trace/operator_check.h"
#include "concolic/trace/trace_builder.h"
#include "sample_stream.h"
#include "term/evaluator.h"

namespace plumb::concolic {
namespace {

using term::Op;

/// A random operator on earlier expressions, with the value that term::evaluate gives.
class RandomExpressions {
 public:
  explicit RandomExpressions(std::uint32_t seed) : random_(seed) {}

  void add_inputs(int count) {
    for (int i = 0; i < count; ++i) {
      const std::uint32_t size = 1U << random_() % 4;
      std::vector<std::uint8_t> bytes(size);
      std::uint64_t value = 0;
      for (std::uint32_t b = 0; b < size; ++b) {
        bytes[b] = static_cast<std::uint8_t>(random_());
        value |= std::uint64_t{bytes[b]} << (8 * b);
      }
      writer.input("x", bytes, size);
      values.emplace_back(8 * size, value);
    }
  }

  void add_operator() {
    for (;;) {
      const auto code = static_cast<std::uint32_t>(random_() % term::kOpCount);
      if (!is_expression_operator(code)) continue;
      const auto op = static_cast<Op>(code);
      std::vector<std::uint32_t> ids;
      std::vector<std::uint32_t> widths;
      std::vector<const BitVector*> operands;
      for (unsigned i = 0; i < term::arity(op); ++i) {
        ids.push_back(static_cast<std::uint32_t>(random_() % values.size()));
        operands.push_back(&values[ids.back()]);
        widths.push_back(operands.back()->width());
      }
      const std::uint32_t parameter = static_cast<std::uint32_t>(op == Op::Extract ? random_() % 64 : 0);
      const std::uint32_t width =
          static_cast<std::uint32_t>(random_() % 8 == 0 ? 1 + random_() % 64 : likely(op, widths));
      if (!fits(op, widths, width, parameter)) continue;
      BitVector value = term::evaluate(op, operands, width, parameter);
      ids.resize(3, ~0U);
      writer.operation(op, width, ids[0] + 1, ids[1] + 1, ids[2] + 1, parameter);
      values.push_back(std::move(value));
      return;
    }
  }

  StreamWriter writer;
  std::vector<BitVector> values;  ///< of id i + 1

 private:
  std::uint32_t likely(Op op, const std::vector<std::uint32_t>& widths) {
    if (term::is_predicate(op)) return 1;
    if (op == Op::Concat) return widths[0] + widths[1];
    return op == Op::Ite ? widths[1] : widths[0];
  }
  std::mt19937 random_;
};

TEST(TermTable, RandomExpressionsHaveTheValuesOfTheirOperators) {
  const Subject subject = sample_subject();
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RandomExpressions sample(seed);
    sample.add_inputs(5);
    for (int i = 0; i < 150; ++i) sample.add_operator();
    term::TermStore store;
    TermTable table(subject, store);
    Trace trace;
    StreamReader reader(subject, sample.writer.words);
    while (const std::optional<RecordHead> head = reader.next()) {
      if (head->kind == PLUMB_INPUT) {
        table.input(reader, trace);
      } else {
        table.operation(reader, *head);
      }
    }
    ASSERT_FALSE(reader.has_failed()) << reader.problem();
    const term::Assignment assignment = assignment_of(store, trace);
    term::Evaluator evaluator(store, assignment);
    for (std::uint32_t id = 1; id <= sample.values.size(); ++id) {
      const term::Term t = table.term(reader, id, sample.values[id - 1].width());
      ASSERT_TRUE(t);
      EXPECT_EQ(evaluator.bits(t), sample.values[id - 1]) << seed << ' ' << id;
    }
  }
}

TEST(TermTable, WidthsThatFitAreExactlyThoseThatTheStoreTakes) {
  const std::vector<std::uint32_t> widths{1, 2, 3, 8};
  for (std::uint32_t code = 0; code < 256; ++code) {
    if (!is_expression_operator(code)) continue;
    const auto op = static_cast<Op>(code);
    const unsigned arity = term::arity(op);
    term::TermStore store;
    std::vector<term::Term> variables;
    for (const std::uint32_t width : widths) variables.push_back(store.variable(width, "v"));
    for (std::uint32_t choice = 0; choice < (1U << 2 * arity); ++choice) {
      std::vector<std::uint32_t> given;
      std::vector<term::Term> operands;
      for (unsigned i = 0; i < arity; ++i) {
        given.push_back(widths[choice >> 2 * i & 3U]);
        operands.push_back(variables[choice >> 2 * i & 3U]);
      }
      for (std::uint32_t width = 1; width <= 17; ++width) {
        for (std::uint32_t parameter = 0; parameter < (op == Op::Extract ? 10U : 1U); ++parameter) {
          bool is_taken = false;
          try {
            is_taken = store.width(store.make(op, operands, width, parameter)) == width;
          } catch (const InternalError&) {
          }
          EXPECT_EQ(fits(op, given, width, parameter), is_taken) << term::name(op) << ' ' << width;
        }
      }
    }
  }
}

}  // namespace
}  // namespace plumb::concolic
