#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "system/btor2.h"
#include "system/btor2_operators.h"
#include "term/traverse.h"

namespace plumb::system {

namespace {

std::string to_text(Sort sort) {
  return sort.is_array() ? fmt::format("array {} {}", sort.index_width, sort.width)
                         : fmt::format("bitvec {}", sort.width);
}

/// Reads the file line by line: every line says all about its node, and refers to earlier ones alone.
class Btor2Reader {
 public:
  Btor2Reader(std::string_view text, const std::string& file) : text_(text), file_(file), store_(system_.store()) {}

  System read() {
    while (next_line())
      if (!words_.empty()) read_line();
    add_states();
    system_.check();
    return std::move(system_);
  }

 private:
  struct Word {
    std::string_view text;
    std::uint32_t column;
  };
  /// What a node number stands for.
  struct Node {
    Term term;  ///< null: not a value
    std::optional<Sort> sort;
    std::string_view op;
  };
  static constexpr std::uint32_t kInput = std::numeric_limits<std::uint32_t>::max();

  // --- Words ---

  [[noreturn]] void fail_at(std::uint32_t column, const std::string& message) const {
    throw UserError(SourceLocation{file_, line_, column}, message);
  }
  [[noreturn]] void fail(std::size_t word, const std::string& message) const {
    fail_at(word < words_.size() ? words_[word].column : end_column_, message);
  }

  bool next_line() {
    if (text_.empty()) return false;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    words_.clear();
    std::size_t i = 0;
    while (i < end) {
      const std::size_t begin = text_.find_first_not_of(" \t\r", i);
      if (begin >= end || text_[begin] == ';') break;
      i = std::min(text_.find_first_of(" \t\r\n", begin), end);
      words_.push_back({text_.substr(begin, i - begin), static_cast<std::uint32_t>(begin + 1)});
    }
    end_column_ = static_cast<std::uint32_t>(i + 1);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++line_;
    return true;
  }

  std::string_view word(std::size_t i, const char* expected) const {
    if (i >= words_.size()) fail(i, fmt::format("expected {}, found the end of the line", expected));
    return words_[i].text;
  }

  std::uint64_t number(std::size_t i, const char* expected) const {
    const std::string_view digits = word(i, expected);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fail(i, fmt::format("expected {}, found '{}'", expected, digits));
    return value;
  }

  std::uint32_t width(std::size_t i, const char* expected) const {
    const std::uint64_t value = number(i, expected);
    if (value > BitVector::kMaxWidth)
      fail(i, fmt::format("{} bits are more than the {} that are supported", value, BitVector::kMaxWidth));
    return static_cast<std::uint32_t>(value);
  }

  Sort sort(std::size_t i) const {
    const std::uint64_t id = number(i, "the number of a sort");
    const auto it = nodes_.find(id);
    if (it == nodes_.end()) fail(i, fmt::format("sort {} is not defined", id));
    if (!it->second.sort) fail(i, fmt::format("expected a sort, but node {} is '{}'", id, it->second.op));
    return *it->second.sort;
  }

  Term operand(std::size_t i) {
    std::string_view text = word(i, "the number of a node");
    const bool is_negated = text.front() == '-';
    if (is_negated) text.remove_prefix(1);
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
      fail(i, fmt::format("expected the number of a node, found '{}'", words_[i].text));
    const auto it = nodes_.find(id);
    if (it == nodes_.end()) fail(i, fmt::format("node {} is not defined", id));
    if (!it->second.term) fail(i, fmt::format("'{}' has no value, so node {} is no operand", it->second.op, id));
    if (!is_negated) return it->second.term;
    if (store_.is_array(it->second.term)) fail(i, fmt::format("node {} is an array and cannot be negated", id));
    return store_.bit_not(it->second.term);
  }

  Term operand_of(std::size_t i, Sort expected) {
    const Term t = operand(i);
    if (store_.sort(t) != expected)
      fail(i,
           fmt::format("expected {}, but node {} is {}", to_text(expected), words_[i].text, to_text(store_.sort(t))));
    return t;
  }
  Term bits(std::size_t i) {
    const Term t = operand(i);
    if (store_.is_array(t)) fail(i, fmt::format("expected a bit-vector, but node {} is an array", words_[i].text));
    return t;
  }

  /// The word behind the operands, or nothing.
  std::string symbol(std::size_t i) const {
    if (words_.size() > i + 1) fail(i + 1, fmt::format("expected the end of the line, found '{}'", words_[i + 1].text));
    return i < words_.size() ? std::string(words_[i].text) : std::string();
  }

  // --- Lines ---

  void read_line() {
    const std::uint64_t id = number(0, "the number of a node");
    if (id == 0) fail(0, "node numbers start at 1");
    if (id <= last_id_) fail(0, fmt::format("expected a number above {}, found {}", last_id_, id));
    last_id_ = id;
    const std::string_view op = word(1, "a keyword");
    Node node{{}, {}, op};
    if (op == "sort")
      node.sort = read_sort();
    else if (op == "input" || op == "state")
      node.term = read_variable(op == "state", id);
    else if (op == "init" || op == "next")
      read_update(op == "init");
    else if (op == "bad" || op == "constraint" || op == "output")
      read_property(op);
    else if (op == "justice" || op == "fair")
      throw Unsupported(SourceLocation{file_, line_, words_[1].column},
                        fmt::format("'{}' properties are not supported", op), "safety properties are 'bad' lines");
    else
      node.term = read_value(op);
    nodes_.emplace(id, node);
  }

  Sort read_sort() {
    const std::string_view kind = word(2, "'bitvec' or 'array'");
    Sort result;
    if (kind == "bitvec") {
      result = {width(3, "a width"), 0};
      if (result.width == 0) fail(3, "a width should be at least 1");
    } else if (kind == "array") {
      const Sort index = sort(3);
      const Sort element = sort(4);
      if (index.is_array() || element.is_array())
        throw Unsupported(SourceLocation{file_, line_, words_[index.is_array() ? 3 : 4].column},
                          "arrays of arrays are not supported");
      result = {element.width, index.width};
    } else {
      fail(2, fmt::format("expected 'bitvec' or 'array', found '{}'", kind));
    }
    symbol(kind == "bitvec" ? 4 : 5);
    return result;
  }

  Term read_variable(bool is_state, std::uint64_t id) {
    const Sort s = sort(2);
    std::string name = symbol(3);
    if (!is_state) {
      const Term variable = system_.add_input(s, std::move(name));
      reach_[variable] = kInput;
      return variable;
    }
    const Term variable = store_.variable(s, std::move(name));
    state_ids_.emplace(id, states_.size());
    states_.push_back({variable, {}, {}});
    reach_[variable] = static_cast<std::uint32_t>(states_.size());
    return variable;
  }

  void read_update(bool is_init) {
    const Sort s = sort(2);
    const std::uint64_t id = number(3, "the number of a state");
    const auto it = state_ids_.find(id);
    if (it == state_ids_.end()) {
      if (!nodes_.contains(id)) fail(3, fmt::format("state {} is not defined", id));
      fail(3, fmt::format("expected a state, but node {} is '{}'", id, nodes_.at(id).op));
    }
    State& state = states_[it->second];
    if (store_.sort(state.variable) != s)
      fail(2, fmt::format("expected the sort of the state, {}, found {}", to_text(store_.sort(state.variable)),
                          to_text(s)));
    if (is_init ? state.init : state.next)
      fail(3, fmt::format("state {} has {} already", id, is_init ? "an init" : "a next"));
    Term value = operand(4);
    if (is_init && s.is_array() && store_.sort(value) == Sort{s.width, 0})
      value = store_.constant_array(s.index_width, value);
    else
      value = operand_of(4, s);
    symbol(5);
    if (is_init) {
      check_init(value, it->second);
      state.init = value;
    } else {
      state.next = value;
      note_constant_array(state, id);
    }
  }

  /// Keeps for every term below `value` the last state that it depends on, and compares.
  void check_init(Term value, std::size_t position) {
    term::post_order(store_, std::array{value}, reached_, [&](Term t) {
      if (store_.is_variable(t)) return;
      std::uint32_t last = 0;
      for (unsigned i = 0; i < store_.arity(t); ++i) last = std::max(last, reach_[store_.child(t, i)]);
      reach_[t] = last;
    });
    if (reach_[value] == kInput) fail(4, "an initial value should not depend on an input");
    if (reach_[value] > position)
      fail(4, "an initial value should depend on no state but those before the one that it is for");
  }

  /// A state that write_btor2() made for a constant array is that array from here on. Its init and next follow it at
  /// once, so nothing else has named it.
  void note_constant_array(State& state, std::uint64_t id) {
    if (store_.name(state.variable) != kConstantArraySymbol || state.next != state.variable || !state.init) return;
    if (store_.op(state.init) != term::Op::ConstantArray || !store_.is_constant(store_.child(state.init, 0))) return;
    if (last_id_ != id + 2) return;
    nodes_[id].term = state.init;
    state.variable = {};
  }

  void add_states() {
    for (const State& state : states_) {
      if (!state.variable) continue;
      system_.add_state(state.variable);
      const std::size_t position = system_.states().size() - 1;
      if (state.init) system_.set_init(position, state.init);
      if (state.next) system_.set_next(position, state.next);
    }
  }

  void read_property(std::string_view op) {
    if (op == "output") {
      const Term t = operand(2);
      add_wire(t, symbol(3));
      return;
    }
    const Term t = operand_of(2, {1, 0});
    if (op == "bad")
      system_.add_bad(t, symbol(3));
    else
      system_.add_constraint(t, symbol(3));
  }

  void add_wire(Term t, std::string name) {
    if (wires_.emplace(t, name).second) system_.add_wire(t, std::move(name));
  }

  Term read_value(std::string_view op) {
    std::size_t end = 3;
    Term result;
    if (op == "zero" || op == "one" || op == "ones" || op == "const" || op == "constd" || op == "consth") {
      result = read_constant(op, end);
    } else if (op == "sext" || op == "uext" || op == "slice") {
      result = read_indexed(op, end);
    } else {
      const Btor2Operator* found = find_btor2_operator(op);
      if (found == nullptr) fail(1, fmt::format("'{}' is no keyword of BTOR2", op));
      result = read_operator(*found);
      end = 3 + operand_count(found->shape);
    }
    const Sort s = sort(2);
    if (store_.sort(result) != s)
      fail(2, fmt::format("'{}' gives {} here, but sort {} is {}", op, to_text(store_.sort(result)), words_[2].text,
                          to_text(s)));
    std::string name = symbol(end);
    if (!name.empty()) add_wire(result, std::move(name));
    return result;
  }

  Term read_constant(std::string_view op, std::size_t& end) {
    const Sort s = sort(2);
    if (s.is_array()) fail(2, fmt::format("expected a bit-vector sort, found {}", to_text(s)));
    if (op == "zero") return store_.zero(s.width);
    if (op == "one") return store_.one(s.width);
    if (op == "ones") return store_.ones(s.width);
    end = 4;
    std::string_view digits = word(3, "a constant");
    const unsigned base = op == "const" ? 2 : op == "constd" ? 10 : 16;
    const bool is_negative = base == 10 && digits.front() == '-';
    if (is_negative) digits.remove_prefix(1);
    const auto value = BitVector::parse(s.width, digits, base);
    const bool fits = value && (!is_negative || (-*value).sign() || value->is_zero());
    if (!fits)
      fail(3, fmt::format("expected a number of base {} that fits {} bits, found '{}'", base, s.width, words_[3].text));
    return store_.constant(is_negative ? -*value : *value);
  }

  Term read_indexed(std::string_view op, std::size_t& end) {
    const Term a = bits(3);
    const std::uint32_t from = store_.width(a);
    end = op == "slice" ? 6 : 5;
    if (op == "slice") {
      const std::uint32_t high = width(4, "the upper bit");
      const std::uint32_t low = width(5, "the lower bit");
      if (high >= from) fail(4, fmt::format("bit {} is outside of the {} bits of node {}", high, from, words_[3].text));
      if (low > high) fail(5, fmt::format("the lower bit, {}, is above the upper one, {}", low, high));
      return store_.extract(a, high, low);
    }
    const std::uint32_t extension = width(4, "the number of bits to add");
    if (from + extension > BitVector::kMaxWidth)
      fail(4, fmt::format("{} bits are more than the {} that are supported", from + extension, BitVector::kMaxWidth));
    return op == "sext" ? store_.sign_extend(a, from + extension) : store_.zero_extend(a, from + extension);
  }

  Term read_operator(const Btor2Operator& op) {
    Term a, b, c;
    switch (op.shape) {
      case Btor2Shape::Unary:
      case Btor2Shape::Reduction:
        a = bits(3);
        break;
      case Btor2Shape::Logical:
        a = operand_of(3, {1, 0});
        b = operand_of(4, {1, 0});
        break;
      case Btor2Shape::Binary:
      case Btor2Shape::Comparison:
        a = bits(3);
        b = operand_of(4, store_.sort(a));
        break;
      case Btor2Shape::Equality:
        a = operand(3);
        b = operand_of(4, store_.sort(a));
        break;
      case Btor2Shape::Concat:
        a = bits(3);
        b = bits(4);
        if (store_.width(a) + store_.width(b) > BitVector::kMaxWidth)
          fail(1, fmt::format("more than the {} bits that are supported", BitVector::kMaxWidth));
        break;
      case Btor2Shape::Read:
      case Btor2Shape::Write:
        a = operand(3);
        if (!store_.is_array(a)) fail(3, fmt::format("expected an array, but node {} is a bit-vector", words_[3].text));
        b = operand_of(4, {store_.sort(a).index_width, 0});
        if (op.shape == Btor2Shape::Write) c = operand_of(5, {store_.width(a), 0});
        break;
      case Btor2Shape::Ite:
        a = operand_of(3, {1, 0});
        b = operand(4);
        c = operand_of(5, store_.sort(b));
        break;
    }
    return op.make(store_, a, b, c);
  }

  std::string_view text_;
  const std::string& file_;
  System system_;
  TermStore& store_;
  std::uint32_t line_ = 0;
  std::uint32_t end_column_ = 1;
  std::vector<Word> words_;
  std::uint64_t last_id_ = 0;
  absl::flat_hash_map<std::uint64_t, Node> nodes_;
  std::vector<State> states_;  ///< added to the system last, so that constant arrays can be left out
  absl::flat_hash_map<std::uint64_t, std::size_t> state_ids_;  ///< to indices of states_
  absl::flat_hash_set<std::pair<Term, std::string>> wires_;
  /// Of a term: one more than the position of the last state it depends on, kInput if it depends on an input.
  term::TermMap<std::uint32_t> reach_;
  term::TermSet reached_;
};

}  // namespace

System read_btor2(std::string_view text, const std::string& file) { return Btor2Reader(text, file).read(); }

}  // namespace plumb::system
