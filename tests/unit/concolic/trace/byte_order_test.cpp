// Records of targets of both byte orders: objects whose bytes are those that their expressions have in this run, so
// that the bytes alone say what a read gives and what a write leaves.
#include <gtest/gtest.h>

#include <random>

#include "concolic/trace/term_table.h"
#include "concolic/trace/trace_builder.h"
#include "sample_stream.h"
#include "term/evaluator.h"

namespace plumb::semantics {

/// Where the test framework looks for it.
inline void PrintTo(ByteOrder order, std::ostream* out) { *out << (order == ByteOrder::Big ? "Big" : "Little"); }

}  // namespace plumb::semantics

namespace plumb::concolic {
namespace {

using semantics::ByteOrder;
using term::Op;

std::vector<std::uint8_t> in_memory(std::uint64_t value, std::uint32_t size, ByteOrder order) {
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < size; ++i)
    bytes.push_back(static_cast<std::uint8_t>(value >> 8 * (order == ByteOrder::Big ? size - 1 - i : i)));
  return bytes;
}

std::uint64_t number_at(const std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint32_t size,
                        ByteOrder order) {
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < size; ++i)
    number |= std::uint64_t{bytes[offset + i]} << 8 * (order == ByteOrder::Big ? size - 1 - i : i);
  return number;
}

/// A stream of reads and writes at addresses that depend on input, with the values that they must have.
class AccessSample {
 public:
  AccessSample(ByteOrder order, std::uint32_t seed) : order_(order), random_(seed) {
    for (int i = 0; i < 6; ++i) add_input(1U << random_() % 4);
  }

  void add_read() {
    const StreamWriter::Object object = make_object();
    const std::uint32_t size = 1U << random_() % 4;
    const std::uint64_t offset = random_() % (object.bytes.size() - size + 1);
    const std::uint32_t id = writer.read(8 * size, address(offset), kBase + offset, object);
    expected.emplace_back(id, BitVector(8 * size, number_at(object.bytes, offset, size, order_)));
  }

  void add_write() {
    const StreamWriter::Object object = make_object();
    const Input& stored = inputs_[random_() % inputs_.size()];
    const std::uint64_t offset = random_() % (object.bytes.size() - stored.size + 1);
    const std::uint32_t value_id = random_() % 2 == 0 ? stored.id : 0;
    const std::uint32_t id =
        writer.write(8 * stored.size, address(offset), kBase + offset, value_id, stored.value, object);
    std::vector<std::uint8_t> after = object.bytes;
    std::ranges::copy(in_memory(stored.value, stored.size, order_),
                      after.begin() + static_cast<std::ptrdiff_t>(offset));
    for (std::uint32_t i = 0; i < after.size(); ++i) expected.emplace_back(id + i, BitVector(8, after[i]));
  }

  StreamWriter writer;
  std::vector<std::pair<std::uint32_t, BitVector>> expected;  ///< by id

 private:
  static constexpr std::uint64_t kBase = 0x1000;
  struct Input {
    std::uint32_t id = 0;
    std::uint32_t size = 0;
    std::uint64_t value = 0;
  };

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::uint64_t number(std::uint32_t size) {
    const std::uint64_t value = std::uint64_t{random_()} << 32 | random_();
    return size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
  }
  void add_input(std::uint32_t size) {
    const std::uint64_t value = number(size);
    inputs_.push_back({writer.input("x", in_memory(value, size, ByteOrder::Little), size), size, value});
  }
  /// Pieces of inputs between concrete bytes.
  StreamWriter::Object make_object() {
    StreamWriter::Object object{kBase, {}, {}, 0};
    while (object.bytes.size() < 16) {
      for (std::uint32_t i = below(3); i > 0; --i) object.bytes.push_back(static_cast<std::uint8_t>(random_()));
      const Input& input = inputs_[random_() % inputs_.size()];
      const std::uint32_t first = below(input.size);
      const std::uint32_t length = 1 + below(input.size - first);
      const std::vector<std::uint8_t> bytes = in_memory(input.value, input.size, order_);
      object.runs.push_back({static_cast<std::uint32_t>(object.bytes.size()), input.id, first, input.size, length});
      object.bytes.insert(object.bytes.end(), bytes.begin() + first, bytes.begin() + first + length);
    }
    return object;
  }
  std::uint32_t address(std::uint64_t offset) {
    const std::uint32_t index = writer.input("i", {static_cast<std::uint8_t>(offset)}, 1);
    return writer.operation(Op::Add, 64, writer.operation(Op::ZeroExtend, 64, index), writer.constant(64, kBase));
  }

  ByteOrder order_;
  std::mt19937 random_;
  std::vector<Input> inputs_;
};

Subject subject_of(ByteOrder order) {
  Subject subject = sample_subject();
  subject.program.layout.is_big_endian = order == ByteOrder::Big;
  return subject;
}

void read_stream(StreamReader& reader, TermTable& table, Trace& trace) {
  while (const std::optional<RecordHead> head = reader.next()) {
    if (head->kind == PLUMB_INPUT) {
      table.input(reader, trace);
    } else if (head->kind == PLUMB_CONSTANT) {
      table.constant(reader, *head);
    } else if (head->kind == PLUMB_OPERATOR) {
      table.operation(reader, *head);
    } else if (head->kind == PLUMB_READ) {
      table.read(reader, *head);
    } else {
      table.write(reader, *head);
    }
  }
}

class TraceOfByteOrder : public testing::TestWithParam<ByteOrder> {};

TEST_P(TraceOfByteOrder, AccessesHaveTheValuesThatTheBytesHave) {
  const Subject subject = subject_of(GetParam());
  for (std::uint32_t seed = 0; seed < 80; ++seed) {
    AccessSample sample(GetParam(), seed);
    for (int i = 0; i < 6; ++i) i % 2 == 0 ? sample.add_read() : sample.add_write();
    term::TermStore store;
    TermTable table(subject, store);
    Trace trace;
    StreamReader reader(subject, sample.writer.words);
    read_stream(reader, table, trace);
    ASSERT_FALSE(reader.has_failed()) << reader.problem();
    const term::Assignment assignment = assignment_of(store, trace);
    term::Evaluator evaluator(store, assignment);
    for (const auto& [id, value] : sample.expected)
      ASSERT_EQ(evaluator.bits(table.term(reader, id, value.width())), value) << seed << ' ' << id;
  }
}

TEST_P(TraceOfByteOrder, AWordOfAConstantTableIsInTheOrderOfTheTarget) {
  const Subject subject = subject_of(GetParam());
  StreamWriter w;
  const std::uint32_t index = w.input("i", {8}, 1);
  const std::uint32_t address =
      w.operation(Op::Add, 64, w.operation(Op::ZeroExtend, 64, index), w.constant(64, 0x1000));
  const std::uint32_t id = w.read(32, address, 0x1008, {0x1000, {}, {}, 1});
  term::TermStore store;
  TermTable table(subject, store);
  Trace trace;
  StreamReader reader(subject, w.words);
  read_stream(reader, table, trace);
  ASSERT_FALSE(reader.has_failed()) << reader.problem();
  const term::Assignment assignment = assignment_of(store, trace);
  EXPECT_EQ(term::Evaluator(store, assignment).bits(table.term(reader, id, 32)),
            BitVector(32, GetParam() == ByteOrder::Big ? 0xf7f6f5f4 : 0xf4f5f6f7));
}

/// What a region gets from memory, and what it leaves there: *p = x + 1.
TEST_P(TraceOfByteOrder, ARegionsCellIsReadInTheOrderOfTheTarget) {
  const Subject subject = subject_of(GetParam());
  StreamWriter w;
  const std::uint32_t x = w.input("x", {7, 0, 0, 0}, 4);
  enter_sample_region(w, subject, x, 7);
  const auto outs = static_cast<std::uint32_t>(subject.regions[0].outs.size());
  const std::uint32_t cell = w.region_exit(0, 0, outs + 1) + outs;
  // The byte that holds x + 1 is 8, so the branch is taken by its first edge.
  const std::uint32_t last = GetParam() == ByteOrder::Big ? 3 : 0;
  const std::uint32_t low = w.input("i", {static_cast<std::uint8_t>(last)}, 1);
  const std::uint32_t address = w.operation(Op::Add, 64, w.operation(Op::ZeroExtend, 64, low), w.constant(64, 0x2000));
  const std::vector<std::uint8_t> bytes = in_memory(8, 4, GetParam());
  const std::uint32_t byte = w.read(8, address, 0x2000 + last, {0x2000, bytes, {{0, cell, 0, 4, 4}}, 0});
  w.branch(kBranchSite, 0, w.operation(Op::Eq, 1, byte, w.constant(8, 8)));
  term::TermStore store;
  TraceBuilder builder(subject, store);
  const Trace trace = builder.build(w.words);
  ASSERT_TRUE(trace.is_complete) << trace.problem;
  EXPECT_EQ(builder.first_false_node(trace), trace.nodes.size());
  EXPECT_EQ(trace.nodes.back().kind, PathNode::Kind::Branch);
}

INSTANTIATE_TEST_SUITE_P(Orders, TraceOfByteOrder, testing::Values(ByteOrder::Little, ByteOrder::Big),
                         [](const auto& order) { return order.param == ByteOrder::Big ? "Big" : "Little"; });

}  // namespace
}  // namespace plumb::concolic
