#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.h"
#include "system/btor2.h"
#include "term/traverse.h"

namespace plumb::system {

namespace {

using term::Op;

std::string_view keyword(Op op) {
  switch (op) {
    case Op::And:
      return "and";
    case Op::Xor:
      return "xor";
    case Op::Neg:
      return "neg";
    case Op::Add:
      return "add";
    case Op::Mul:
      return "mul";
    case Op::Udiv:
      return "udiv";
    case Op::Urem:
      return "urem";
    case Op::Shl:
      return "sll";
    case Op::Lshr:
      return "srl";
    case Op::Ashr:
      return "sra";
    case Op::Eq:
      return "eq";
    case Op::Ult:
      return "ult";
    case Op::Slt:
      return "slt";
    case Op::UmulOverflow:
      return "umulo";
    case Op::SmulOverflow:
      return "smulo";
    case Op::Concat:
      return "concat";
    case Op::Ite:
      return "ite";
    case Op::Select:
      return "read";
    case Op::Store:
      return "write";
    default:
      break;
  }
  INVARIANT(false, "a term should have no derived operator");
}

std::string symbol(const std::string& name) {
  if (name.empty()) return {};
  std::string result = " " + name;
  const auto is_foreign = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == ';'; };
  std::replace_if(result.begin() + 1, result.end(), is_foreign, '_');
  return result;
}

/// Writes nodes as they are needed. A complement is no node: it is the negated number of what it complements.
class Btor2Writer {
 public:
  explicit Btor2Writer(const System& system) : system_(system), store_(system.store()) {}

  std::string write() {
    // An init stands before its state and refers to states that are written already.
    for (const State& state : system_.states()) write_state(state);
    for (const Term input : system_.inputs()) {
      const std::uint64_t s = sort(store_.sort(input));
      nodes_[input] = line("input {}{}", s, symbol(store_.name(input)));
    }
    for (const State& state : system_.states()) {
      if (!state.next) continue;
      const std::int64_t next = node(state.next);
      line("next {} {} {}", sort(store_.sort(state.variable)), nodes_.at(state.variable), next);
    }
    write_all("output", system_.wires());
    write_all("constraint", system_.constraints());
    write_all("bad", system_.bads());
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  std::int64_t line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), "{} ", ++last_id_);
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
    return last_id_;
  }

  std::uint64_t sort(Sort s) {
    const auto key = std::pair(s.width, s.index_width);
    if (const auto it = sorts_.find(key); it != sorts_.end()) return it->second;
    std::int64_t id = 0;
    if (s.is_array()) {
      const std::uint64_t index = sort({s.index_width, 0});
      const std::uint64_t element = sort({s.width, 0});
      id = line("sort array {} {}", index, element);
    } else {
      id = line("sort bitvec {}", s.width);
    }
    sorts_.emplace(key, static_cast<std::uint64_t>(id));
    return static_cast<std::uint64_t>(id);
  }

  void write_state(const State& state) {
    const Sort s = store_.sort(state.variable);
    std::int64_t init = 0;
    if (state.init) {
      const bool is_filled =
          store_.op(state.init) == Op::ConstantArray && store_.is_constant(store_.child(state.init, 0));
      init = node(is_filled ? store_.child(state.init, 0) : state.init);
    }
    const std::uint64_t id = sort(s);
    nodes_[state.variable] = line("state {}{}", id, symbol(store_.name(state.variable)));
    if (state.init) line("init {} {} {}", id, nodes_.at(state.variable), init);
  }

  void write_all(std::string_view kind, std::span<const NamedTerm> terms) {
    for (const NamedTerm& t : terms) {
      const std::int64_t id = node(t.term);
      line("{} {}{}", kind, id, symbol(t.name));
    }
  }

  std::int64_t node(Term root) {
    term::post_order(store_, std::array{root}, seen_, [&](Term t) {
      if (!store_.is_variable(t)) nodes_[t] = write_term(t);
      INVARIANT(nodes_.contains(t), "a variable should be written before its uses");
    });
    return nodes_.at(root);
  }

  std::int64_t write_term(Term t) {
    const Op op = store_.op(t);
    const auto child = [&](unsigned i) { return nodes_.at(store_.child(t, i)); };
    if (op == Op::Not) return -child(0);
    if (op == Op::ConstantArray) return write_constant_array(t);
    const std::uint64_t s = sort(store_.sort(t));
    if (op == Op::Constant) return write_constant(s, store_.value(t));
    if (op == Op::Extract) {
      const std::uint32_t low = store_.parameter(t);
      return line("slice {} {} {} {}", s, child(0), low + store_.width(t) - 1, low);
    }
    if (op == Op::SignExtend)
      return line("sext {} {} {}", s, child(0), store_.width(t) - store_.width(store_.child(t, 0)));
    switch (store_.arity(t)) {
      case 1:
        return line("{} {} {}", keyword(op), s, child(0));
      case 2:
        return line("{} {} {} {}", keyword(op), s, child(0), child(1));
      default:
        return line("{} {} {} {} {}", keyword(op), s, child(0), child(1), child(2));
    }
  }

  std::int64_t write_constant(std::uint64_t s, const BitVector& value) {
    if (value.is_zero()) return line("zero {}", s);
    if (value.is_one()) return line("one {}", s);
    if (value.is_ones()) return line("ones {}", s);
    return line("const {} {}", s, value.to_binary());
  }

  std::int64_t write_constant_array(Term t) {
    const Sort array = store_.sort(t);
    const Term element = store_.child(t, 0);
    const std::uint64_t s = sort(array);
    const bool is_filled = store_.is_constant(element);
    const std::int64_t init = is_filled ? nodes_.at(element) : line("zero {}", sort({array.width, 0}));
    std::int64_t result = line("state {} {}", s, kConstantArraySymbol);
    const std::int64_t state = result;
    line("init {} {} {}", s, state, init);
    line("next {} {} {}", s, state, state);
    if (is_filled) return result;
    if (array.index_width >= 64 || (std::uint64_t{1} << array.index_width) > kMaxWrittenElements)
      throw Unsupported(fmt::format("BTOR2 cannot express an array of 2^{} elements that all equal one that varies",
                                    array.index_width));
    const std::uint64_t index_sort = sort({array.index_width, 0});
    for (std::uint64_t i = 0; i < std::uint64_t{1} << array.index_width; ++i) {
      const std::int64_t index = write_constant(index_sort, BitVector(array.index_width, i));
      result = line("write {} {} {} {}", s, result, index, nodes_.at(element));
    }
    return result;
  }

  const System& system_;
  const TermStore& store_;
  std::string text_;
  std::int64_t last_id_ = 0;
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sorts_;
  term::TermMap<std::int64_t> nodes_;  ///< numbers, negated for complements
  term::TermSet seen_;
};

}  // namespace

std::string write_btor2(const System& system) { return Btor2Writer(system).write(); }

}  // namespace plumb::system
