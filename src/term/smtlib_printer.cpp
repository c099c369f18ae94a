// Terms as SMT-LIB 2 text. A term of width 1 has a natural side, Bool or (_ BitVec 1), decided by its operator; an
// operator that needs the other side wraps its operand. Subterms with several users are printed once, under a name. In
// a script unshared chains are broken into named pieces as well, because other solvers parse by recursion and overflow
// their stack on terms thousands deep.
#include "term/smtlib_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "term/smtlib_names.h"
#include "term/traverse.h"

namespace plumb::term {
namespace {

/// What the context of a term wants. Bits stands for every sort but Bool.
enum class Side : std::uint8_t { Bool, Bits };

constexpr std::uint32_t kMaxPrintedDepth = 200;

Side natural_side(const TermStore& store, Term t) {
  if (store.is_array(t) || store.width(t) != 1) return Side::Bits;
  switch (store.op(t)) {
    case Op::Constant:
    case Op::Variable:
    case Op::Not:
    case Op::And:
    case Op::Xor:
    case Op::Ite:
    case Op::Eq:
    case Op::Ult:
    case Op::Slt:
    case Op::UmulOverflow:
    case Op::SmulOverflow:
      return Side::Bool;
    default:
      return Side::Bits;
  }
}

std::string_view operator_text(Op op, bool boolean) {
  switch (op) {
    case Op::Not:
      return boolean ? "not" : "bvnot";
    case Op::And:
      return boolean ? "and" : "bvand";
    case Op::Xor:
      return boolean ? "xor" : "bvxor";
    case Op::Neg:
      return "bvneg";
    case Op::Add:
      return "bvadd";
    case Op::Mul:
      return "bvmul";
    case Op::Udiv:
      return "bvudiv";
    case Op::Urem:
      return "bvurem";
    case Op::Shl:
      return "bvshl";
    case Op::Lshr:
      return "bvlshr";
    case Op::Ashr:
      return "bvashr";
    case Op::Eq:
      return "=";
    case Op::Ult:
      return "bvult";
    case Op::Slt:
      return "bvslt";
    case Op::Concat:
      return "concat";
    case Op::Ite:
      return "ite";
    case Op::Select:
      return "select";
    case Op::Store:
      return "store";
    default:
      break;
  }
  INVARIANT(false, "a store should express derived operators by the others");
}

/// The side that operand i of t must have.
Side operand_side(const TermStore& store, Term t, unsigned i) {
  const auto is_one_bit = [&](Term u) { return store.width(u) == 1 && !store.is_array(u); };
  const bool boolean = is_one_bit(t);
  switch (store.op(t)) {
    case Op::Not:
    case Op::And:
    case Op::Xor:
      return boolean ? Side::Bool : Side::Bits;
    case Op::Eq:
      return is_one_bit(store.child(t, 0)) ? Side::Bool : Side::Bits;
    case Op::Ite:
      return i == 0 || boolean ? Side::Bool : Side::Bits;
    default:
      return Side::Bits;
  }
}

void append(std::string& out, const BitVector& value) {
  if (value.width() % 4 == 0) {
    out += "#x";
    out += value.to_hex();
  } else {
    out += "#b";
    out += value.to_binary();
  }
}

/// Writes terms to a string; named ones by their name.
class Printer {
 public:
  Printer(const TermStore& store, std::string& out) : store_(store), out_(out) {}

  void set_variable_name(Term t, std::string quoted) { variables_[t] = std::move(quoted); }
  void set_name(Term t, std::string name) { names_[t] = std::move(name); }

  /// The term; its own name is not used when `define`.
  void print(Term root, Side side, bool define) {
    stack_.clear();
    if (define)
      expand(root, side);
    else
      stack_.push_back({root, {}, side});
    while (!stack_.empty()) {
      const Item item = stack_.back();
      stack_.pop_back();
      if (!item.term)
        out_ += item.text;
      else if (const std::string* name = names_.find(item.term))
        print_converted(*name, natural_side(store_, item.term), item.side);
      else
        expand(item.term, item.side);
    }
  }

 private:
  struct Item {
    Term term;  ///< if none, the text
    std::string_view text;
    Side side = Side::Bits;
  };

  void print_converted(std::string_view text, Side have, Side want) {
    if (have == want)
      out_ += text;
    else if (want == Side::Bool)
      fmt::format_to(std::back_inserter(out_), "(= {} #b1)", text);
    else
      fmt::format_to(std::back_inserter(out_), "(ite {} #b1 #b0)", text);
  }

  void expand(Term t, Side side) {
    const bool one_bit = store_.width(t) == 1 && !store_.is_array(t);
    if (store_.is_constant(t)) {
      if (one_bit && side == Side::Bool)
        out_ += store_.is_true(t) ? "true" : "false";
      else
        append(out_, store_.value(t));
      return;
    }
    const Side natural = natural_side(store_, t);
    if (store_.is_variable(t)) {
      const std::string* name = variables_.find(t);
      print_converted(name != nullptr ? *name : quote_symbol(store_.name(t)), natural, side);
      return;
    }
    if (natural != side) {
      out_ += side == Side::Bool ? "(= " : "(ite ";
      stack_.push_back({{}, side == Side::Bool ? " #b1)" : " #b1 #b0)"});
    }
    apply(t);
  }

  /// Writes up to the first operand and leaves the rest on the stack.
  void apply(Term t) {
    const auto out = std::back_inserter(out_);
    const Op op = store_.op(t);
    const std::uint32_t width = store_.width(t);
    const std::uint32_t low = store_.parameter(t);
    switch (op) {
      case Op::Extract:
        fmt::format_to(out, "((_ extract {} {})", low + width - 1, low);
        break;
      case Op::SignExtend:
        fmt::format_to(out, "((_ sign_extend {})", width - store_.width(store_.child(t, 0)));
        break;
      case Op::ConstantArray:
        fmt::format_to(out, "((as const {})", to_smtlib(store_.sort(t), false));
        break;
      case Op::UmulOverflow:
      case Op::SmulOverflow:
        apply_multiplication_overflow(t);
        return;
      default:
        out_ += '(';
        out_ += operator_text(op, width == 1 && !store_.is_array(t));
    }
    stack_.push_back({{}, ")"});
    for (unsigned i = store_.arity(t); i-- > 0;) {
      stack_.push_back({store_.child(t, i), {}, operand_side(store_, t, i)});
      stack_.push_back({{}, " "});
    }
  }

  // The overflow predicates are younger than the solvers that read our scripts, so they are spelled out: the product of
  // the extended operands differs from its own lower half, extended.
  void apply_multiplication_overflow(Term t) {
    const std::uint32_t width = store_.width(store_.child(t, 0));
    const std::string_view extend = store_.op(t) == Op::UmulOverflow ? "zero_extend" : "sign_extend";
    texts_.push_back(std::make_unique<std::string>(fmt::format("((_ {} {}) ", extend, width)));
    const std::string_view open = *texts_.back();
    texts_.push_back(std::make_unique<std::string>(
        fmt::format(")))) (distinct product ((_ {} {}) ((_ extract {} 0) product))))", extend, width, width - 1)));
    fmt::format_to(std::back_inserter(out_), "(let ((product (bvmul {}", open);
    stack_.push_back({{}, *texts_.back()});
    stack_.push_back({store_.child(t, 1), {}, Side::Bits});
    stack_.push_back({{}, open});
    stack_.push_back({{}, ") "});
    stack_.push_back({store_.child(t, 0), {}, Side::Bits});
  }

  const TermStore& store_;
  std::string& out_;
  TermMap<std::string> names_;
  TermMap<std::string> variables_;
  std::vector<Item> stack_;
  std::vector<std::unique_ptr<std::string>> texts_;  ///< what items on the stack refer to
};

/// The subterms to print under a name, operands first: those with several users, and with `break_chains` every one at
/// which the text would nest deeper than kMaxPrintedDepth.
std::vector<Term> terms_to_name(const TermStore& store, std::span<const Term> roots, bool break_chains) {
  TermMap<std::uint32_t> users;
  std::vector<Term> order;
  TermSet seen;
  for (const Term root : roots) ++users[root];
  post_order(store, roots, seen, [&](Term t) {
    order.push_back(t);
    for (unsigned i = 0; i < store.arity(t); ++i) ++users[store.child(t, i)];
  });
  TermMap<std::uint32_t> depths;
  std::vector<Term> named;
  for (const Term t : order) {
    if (store.arity(t) == 0) continue;
    std::uint32_t depth = 1;
    for (unsigned i = 0; i < store.arity(t); ++i)
      if (const std::uint32_t* below = depths.find(store.child(t, i))) depth = std::max(depth, *below + 1);
    const bool name = users[t] > 1 || (break_chains && depth >= kMaxPrintedDepth);
    if (name) named.push_back(t);
    depths[t] = name ? 0 : depth;
  }
  return named;
}

// Z3 does not have constant arrays in QF_ABV, so a script with them asks for everything.
std::string_view logic_of(const TermStore& store, std::span<const Term> roots) {
  bool arrays = false;
  bool constants = false;
  TermSet seen;
  post_order(store, roots, seen, [&](Term t) {
    arrays = arrays || store.is_array(t);
    constants = constants || store.op(t) == Op::ConstantArray;
  });
  return constants ? "ALL" : arrays ? "QF_ABV" : "QF_BV";
}

}  // namespace

std::string to_smtlib(const TermStore& store, Term t) {
  std::string out;
  Printer printer(store, out);
  SmtlibNames names;
  const std::array<Term, 1> roots{t};
  for (const Term variable : support(store, roots)) names.unique(store.name(variable));
  const std::vector<Term> named = terms_to_name(store, roots, false);
  for (const Term shared : named) {
    std::string name = names.fresh();
    fmt::format_to(std::back_inserter(out), "(let (({} ", name);
    printer.print(shared, natural_side(store, shared), true);
    out += ")) ";
    printer.set_name(shared, std::move(name));
  }
  printer.print(t, natural_side(store, t), false);
  out.append(named.size(), ')');
  return out;
}

std::string to_smtlib_script(const TermStore& store, std::span<const Term> assertions,
                             std::span<const Term> assumptions) {
  std::vector<Term> roots(assertions.begin(), assertions.end());
  roots.insert(roots.end(), assumptions.begin(), assumptions.end());
  std::string out = fmt::format("(set-logic {})\n", logic_of(store, roots));
  Printer printer(store, out);
  SmtlibNames names;
  for (const Term variable : support(store, roots)) {
    std::string name = names.unique(store.name(variable));
    fmt::format_to(std::back_inserter(out), "(declare-const {} {})\n", name, to_smtlib(store.sort(variable), true));
    printer.set_variable_name(variable, std::move(name));
  }
  const auto define = [&](Term t, Side side, bool expand) {
    std::string name = names.fresh();
    fmt::format_to(std::back_inserter(out), "(define-fun {} () {} ", name,
                   to_smtlib(store.sort(t), side == Side::Bool));
    printer.print(t, side, expand);
    out += ")\n";
    return name;
  };
  for (const Term shared : terms_to_name(store, roots, true))
    printer.set_name(shared, define(shared, natural_side(store, shared), true));
  for (const Term t : assertions) {
    out += "(assert ";
    printer.print(t, Side::Bool, false);
    out += ")\n";
  }
  // check-sat-assuming takes literals only, so what is assumed needs a name.
  std::vector<std::string> assumed;
  for (const Term t : assumptions) assumed.push_back(define(t, Side::Bool, false));
  out += assumptions.empty() ? "(check-sat)\n" : fmt::format("(check-sat-assuming ({}))\n", fmt::join(assumed, " "));
  return out;
}

std::string to_smtlib(Sort sort, bool boolean) {
  if (sort.is_array()) return fmt::format("(Array (_ BitVec {}) (_ BitVec {}))", sort.index_width, sort.width);
  if (boolean && sort.width == 1) return "Bool";
  return fmt::format("(_ BitVec {})", sort.width);
}

std::string to_smtlib(const Value& value) {
  std::string out;
  if (const BitVector* bits = std::get_if<BitVector>(&value)) {
    append(out, *bits);
    return out;
  }
  const ArrayValue& array = std::get<ArrayValue>(value);
  std::vector<const std::pair<const BitVector, BitVector>*> entries;
  for (const auto& entry : array.elements)
    if (entry.second != array.otherwise) entries.push_back(&entry);
  for (std::size_t i = 0; i < entries.size(); ++i) out += "(store ";
  fmt::format_to(std::back_inserter(out), "((as const {}) ",
                 to_smtlib(Sort{array.otherwise.width(), array.index_width}, false));
  append(out, array.otherwise);
  out += ')';
  for (const auto* entry : entries) {
    out += ' ';
    append(out, entry->first);
    out += ' ';
    append(out, entry->second);
    out += ')';
  }
  return out;
}

}  // namespace plumb::term
