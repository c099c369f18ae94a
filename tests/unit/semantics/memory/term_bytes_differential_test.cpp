// Random operations on objects of terms and, beside them, on the bytes that these are under one assignment: every byte
// and every word must be equal after each of them, at all small sizes, in both byte orders, and whether accesses are
// choices or arrays.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "semantics/memory/term_bytes.h"
#include "term/evaluator.h"
#include "unit/effort.h"

namespace plumb::semantics {
namespace {

using term::Term;
using term::TermStore;

struct Case {
  ByteOrder order;
  std::uint64_t max_choices;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << (c.order == ByteOrder::Big ? "big-endian" : "little-endian") << ", choices between " << c.max_choices;
}

/// An object and what its bytes are.
struct Modelled {
  TermBytes terms;
  std::vector<std::uint8_t> bytes;
};

class TermBytesDifferential : public testing::TestWithParam<Case> {
 protected:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  std::vector<std::uint8_t> random_bytes(std::uint64_t size) {
    std::vector<std::uint8_t> made(size);
    for (std::uint8_t& byte : made) byte = static_cast<std::uint8_t>(below(4) == 0 ? 0 : random_());
    return made;
  }
  BitVector number_of(const std::uint8_t* bytes, std::uint64_t count) const {
    BitVector number(static_cast<std::uint32_t>(count * 8), 0);
    for (std::uint32_t i = 0; i < count * 8; ++i) {
      const std::uint64_t at = GetParam().order == ByteOrder::Little ? i / 8 : count - 1 - i / 8;
      number.set_bit(i, (bytes[at] >> (i % 8) & 1) != 0);
    }
    return number;
  }
  Term value_of(const std::vector<std::uint8_t>& bytes) {
    const BitVector number = number_of(bytes.data(), bytes.size());
    if (below(3) == 0) return terms_.constant(number);
    const Term made = terms_.variable(number.width(), "v");
    assignment_[made] = number;
    return made;
  }
  Term condition(bool holds) {
    if (below(3) == 0) return terms_.boolean(holds);
    const Term made = terms_.variable(1, "c");
    assignment_[made] = BitVector(1, holds ? 1 : 0);
    return made;
  }
  /// Gives what was never written its bytes.
  BitVector bits(Term t) {
    for (const Term variable : unwritten_.all()) {
      if (assignment_.contains(variable)) continue;
      const std::string& name = terms_.name(variable);
      const std::size_t dot = name.find('.');
      const std::vector<std::uint8_t>& bytes = never_[std::stoul(name.substr(std::strlen("unwritten")))];
      const std::uint64_t unit = terms_.width(variable) / 8;
      if (!terms_.is_array(variable)) {
        assignment_[variable] = number_of(bytes.data() + std::stoul(name.substr(dot + 1)), unit);
        continue;
      }
      term::ArrayValue all = std::get<term::ArrayValue>(term::zero_value(terms_.sort(variable)));
      for (std::uint64_t i = 0; (i + 1) * unit <= bytes.size(); ++i)
        all.elements.insert_or_assign(BitVector(all.index_width, i), number_of(bytes.data() + i * unit, unit));
      assignment_[variable] = all;
    }
    return term::Evaluator(terms_, assignment_).bits(t);
  }

  Modelled object(std::uint64_t size) {
    const TermBytes::Options options{GetParam().order, GetParam().max_choices, GetParam().max_choices};
    Modelled made{{}, random_bytes(size)};
    if (GetParam().max_choices > 8 && below(2) == 0) {
      made.terms = TermBytes::unwritten(unwritten_, static_cast<ObjectId>(never_.size()), size);
      never_.push_back(made.bytes);
    } else {
      made.terms = TermBytes(made.bytes, size, options);
    }
    return made;
  }
  /// Of an element, in bounds; as a number or a term, often as an index and a scale.
  Term offset(std::uint64_t size, std::uint64_t count, std::uint64_t& number) {
    const std::uint64_t scale = std::uint64_t{1} << below(4);
    const std::uint64_t start = below(std::min<std::uint64_t>(scale, size - count + 1));
    const std::uint64_t index = below((size - count - start) / scale + 1);
    number = start + index * scale;
    if (below(3) == 0) return terms_.constant(64, number);
    const Term variable = terms_.variable(below(2) == 0 ? 64 : 16, "i");
    assignment_[variable] = BitVector(terms_.width(variable), index);
    const Term scaled = terms_.mul(terms_.zero_extend(variable, 64), terms_.constant(64, scale));
    return terms_.add(scaled, terms_.constant(64, start));
  }
  std::uint64_t count(std::uint64_t size) {
    const std::uint64_t wanted = below(4) == 0 ? 1 + below(20) : std::uint64_t{1} << below(4);
    return std::min(wanted, size);
  }

  void store(Modelled& m) {
    const std::uint64_t size = count(m.bytes.size());
    std::uint64_t at = 0;
    const Term where = offset(m.bytes.size(), size, at);
    const std::vector<std::uint8_t> stored = random_bytes(size);
    const bool is_stored = below(4) != 0;
    m.terms.store(terms_, where, value_of(stored), condition(is_stored));
    if (is_stored) std::ranges::copy(stored, m.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void fill(Modelled& m) {
    const std::uint64_t size = below(m.bytes.size() + 1);
    const std::uint64_t at = below(m.bytes.size() - size + 1);
    const std::vector<std::uint8_t> byte = random_bytes(1);
    m.terms.fill(terms_, at, size, value_of(byte));
    std::fill_n(m.bytes.begin() + static_cast<std::ptrdiff_t>(at), size, byte[0]);
  }
  void copy(Modelled& to, const Modelled& from) {
    const std::uint64_t size = below(to.bytes.size() + 1);
    const std::uint64_t source = below(to.bytes.size() - size + 1);
    const std::uint64_t target = below(to.bytes.size() - size + 1);
    const std::vector<std::uint8_t> copied = from.bytes;
    to.terms.copy(terms_, target, from.terms, source, size);
    std::copy_n(copied.begin() + static_cast<std::ptrdiff_t>(source), size,
                to.bytes.begin() + static_cast<std::ptrdiff_t>(target));
  }
  void choose(Modelled& a, const Modelled& b) {
    const bool is_first = below(2) == 0;
    a.terms = TermBytes::choice(terms_, condition(is_first), a.terms, b.terms);
    if (!is_first) a.bytes = b.bytes;
  }
  void expect_equal(const Modelled& m) {
    for (std::uint64_t at = 0; at < m.bytes.size(); ++at) {
      ASSERT_EQ(bits(m.terms.load(terms_, at, 1)).to_uint64(), m.bytes[at]) << at;
      ASSERT_EQ(m.terms.number(at).value_or(m.bytes[at]), m.bytes[at]);
    }
  }
  void expect_equal_somewhere(const Modelled& m) {
    const std::uint64_t size = count(m.bytes.size());
    std::uint64_t at = 0;
    const Term read = m.terms.load(terms_, offset(m.bytes.size(), size, at), size);
    ASSERT_EQ(bits(read), number_of(m.bytes.data() + at, size)) << size << " bytes at " << at;
  }
  void step(Modelled& a, Modelled& b) {
    if (below(2) == 0) std::swap(a, b);
    arrays_ += a.terms.is_array() ? 1 : 0;
    switch (below(10)) {
      case 0:
        return fill(a);
      case 1:
        return copy(a, b);
      case 2:
        return copy(a, a);
      case 3:
        return choose(a, b);
      case 4:
        b = a;
        return;
      case 5:
      case 6:
      case 7:
        return store(a);
      default:
        return expect_equal_somewhere(a);
    }
  }
  void run(std::uint64_t size, int steps) {
    Modelled a = object(size), b = object(size);
    for (int i = 0; i < steps && !HasFatalFailure(); ++i) step(a, b);
    expect_equal(a);
    expect_equal(b);
  }

  TermStore terms_;
  UnwrittenBytes unwritten_{terms_, GetParam().order};
  std::vector<std::vector<std::uint8_t>> never_;  ///< by object: what its bytes were
  term::Assignment assignment_;
  std::mt19937_64 random_{7};
  int arrays_ = 0;
};

TEST_P(TermBytesDifferential, OperationsAreThoseOfBytes) {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 16U, 24U, 64U, 100U, 512U}) {
    const std::uint64_t rounds = test::effort(size > 256 ? 4 : 2);
    for (std::uint64_t round = 0; round < rounds && !HasFatalFailure(); ++round) {
      SCOPED_TRACE(size);
      run(size, 16);
    }
  }
  EXPECT_GT(arrays_, 10);
}

// Few choices make arrays of the smallest objects.
INSTANTIATE_TEST_SUITE_P(Ways, TermBytesDifferential,
                         testing::Values(Case{ByteOrder::Little, 256}, Case{ByteOrder::Big, 256},
                                         Case{ByteOrder::Little, 2}, Case{ByteOrder::Big, 2}));

TEST(UnwrittenBytes, AByteIsTheSameInEveryRead) {
  TermStore terms;
  UnwrittenBytes unwritten(terms);
  const TermBytes bytes = TermBytes::unwritten(unwritten, 3, 16);
  const Term middle = bytes.load(terms, 4, 4);
  EXPECT_EQ(bytes.load(terms, 4, 4), middle);
  EXPECT_EQ(bytes.load(terms, 6, 1), terms.extract(middle, 23, 16));
  const Term around = bytes.load(terms, 2, 8);
  EXPECT_EQ(terms.extract(around, 47, 16), middle);
  EXPECT_EQ(bytes.load(terms, 2, 2), terms.extract(around, 15, 0));
  EXPECT_EQ(unwritten.all().size(), 3U);
}

TEST(UnwrittenBytes, ObjectsAreToldApartAndACopyKeepsTheName) {
  TermStore terms;
  UnwrittenBytes unwritten(terms);
  const TermBytes bytes = TermBytes::unwritten(unwritten, 3, 16);
  TermBytes copy = TermBytes::unwritten(unwritten, 4, 16);
  EXPECT_NE(copy.load(terms, 4, 4), bytes.load(terms, 4, 4));
  copy.copy(terms, 4, bytes, 4, 4);
  EXPECT_EQ(copy.load(terms, 4, 4), bytes.load(terms, 4, 4));
}

TEST(UnwrittenBytes, ALargeObjectIsReadAlikeBeforeAndAfterItIsAnArray) {
  TermStore terms;
  UnwrittenBytes unwritten(terms);
  constexpr std::uint64_t kSize = 100'000;
  const TermBytes bytes = TermBytes::unwritten(unwritten, 0, kSize);
  const Term before = bytes.load(terms, 4004, 4);
  const Term index = terms.variable(64, "i");
  const Term read = bytes.load(terms, terms.shl(index, terms.constant(64, 2)), 4);
  const Term after = bytes.load(terms, 8004, 4);
  term::Assignment assignment;
  assignment[unwritten.all()[0]] = BitVector(32, 17);
  term::ArrayValue rest = std::get<term::ArrayValue>(term::zero_value(terms.sort(unwritten.all()[1])));
  rest.elements.insert_or_assign(BitVector(rest.index_width, 2001), BitVector(rest.otherwise.width(), 19));
  assignment[unwritten.all()[1]] = rest;
  for (const auto& [at, expected] : {std::pair{1001U, before}, std::pair{2001U, after}}) {
    assignment[index] = BitVector(64, at);
    term::Evaluator evaluator(terms, assignment);
    const BitVector value = evaluator.bits(read);
    EXPECT_EQ(value, evaluator.bits(expected));
    EXPECT_EQ(evaluator.bits(read).to_uint64(), at == 1001 ? 17U : 19U);
  }
}

}  // namespace
}  // namespace plumb::semantics
