// A width-1 term is a Z3 Bool, so that Z3 sees the Boolean structure; it becomes a BitVec 1 where an operator or an
// array needs one, by `ite`, and back by `= 1`. Variables are named by their handle, as integer symbols, so a model
// leads back to terms without a table. The time limit is Z3's own parameter, after which its state is good; a watchdog
// interrupts for everything else, and as an interrupted context may stay cancelled, it is dropped and made anew at the
// next check. Z3's memory_max_size is not used: it is global to the process and its exception comes from any
// allocation, destructors included.
#include "solve/external/z3_solver.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <z3++.h>

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "solve/external/assertion_mirror.h"
#include "term/traverse.h"

namespace plumb::solve {
namespace {

using term::Op;
using term::Term;

/// Terms to Z3 expressions, each once. Not recursive.
class Translator {
 public:
  Translator(const term::TermStore& store, z3::context& context) : store_(store), context_(context) {}

  /// Bool for a term of width 1. Throws OutOfBudget; what was translated stays.
  z3::expr translate(Term root, const Budget& budget);
  bool has_arrays() const noexcept { return has_arrays_; }
  std::size_t size() const noexcept { return expressions_.size(); }

 private:
  z3::expr make(Term t);
  z3::expr make_leaf(Term t);
  z3::expr make_bitwise(Term t);
  z3::expr make_word(Term t);
  z3::expr make_overflow(Term t);
  z3::expr make_array(Term t);
  z3::expr operand(Term t, unsigned i) const { return expressions_[places_.at(store_.child(t, i))]; }
  /// The operand as a bit-vector, whatever its width.
  z3::expr bits(Term t, unsigned i) {
    const z3::expr e = operand(t, i);
    return e.is_bool() ? z3::ite(e, context_.bv_val(1U, 1), context_.bv_val(0U, 1)) : e;
  }

  const term::TermStore& store_;
  z3::context& context_;
  term::TermMap<std::uint32_t> places_;  ///< into expressions_
  std::vector<z3::expr> expressions_;
  std::vector<Term> stack_;
  bool has_arrays_ = false;
};

z3::expr Translator::translate(Term root, const Budget& budget) {
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const Term t = stack_.back();
    if (places_.contains(t)) {
      stack_.pop_back();
      continue;
    }
    const std::size_t before = stack_.size();
    for (unsigned i = 0; i < store_.arity(t); ++i)
      if (!places_.contains(store_.child(t, i))) stack_.push_back(store_.child(t, i));
    if (stack_.size() != before) continue;
    stack_.pop_back();
    expressions_.push_back(make(t));
    places_[t] = static_cast<std::uint32_t>(expressions_.size() - 1);
    if (expressions_.size() % 1024 == 0) budget.check();
  }
  return expressions_[places_.at(root)];
}

z3::expr Translator::make(Term t) {
  if (store_.is_array(t)) has_arrays_ = true;
  z3::expr e = make_word(t);
  return e.is_bv() && store_.width(t) == 1 ? e == context_.bv_val(1U, 1) : e;
}

z3::expr Translator::make_word(Term t) {
  switch (store_.op(t)) {
    case Op::Constant:
    case Op::Variable:
      return make_leaf(t);
    case Op::Not:
    case Op::And:
    case Op::Xor:
      return make_bitwise(t);
    case Op::Neg:
      return -bits(t, 0);
    case Op::Add:
      return bits(t, 0) + bits(t, 1);
    case Op::Mul:
      return bits(t, 0) * bits(t, 1);
    case Op::Udiv:
      return z3::udiv(bits(t, 0), bits(t, 1));
    case Op::Urem:
      return z3::urem(bits(t, 0), bits(t, 1));
    case Op::Shl:
      return z3::shl(bits(t, 0), bits(t, 1));
    case Op::Lshr:
      return z3::lshr(bits(t, 0), bits(t, 1));
    case Op::Ashr:
      return z3::ashr(bits(t, 0), bits(t, 1));
    case Op::Eq:
      return operand(t, 0) == operand(t, 1);
    case Op::Ult:
      return z3::ult(bits(t, 0), bits(t, 1));
    case Op::Slt:
      return z3::slt(bits(t, 0), bits(t, 1));
    case Op::UmulOverflow:
    case Op::SmulOverflow:
      return make_overflow(t);
    case Op::Concat:
      return z3::concat(bits(t, 0), bits(t, 1));
    case Op::Extract:
      return bits(t, 0).extract(store_.parameter(t) + store_.width(t) - 1, store_.parameter(t));
    case Op::SignExtend:
      return z3::sext(bits(t, 0), store_.width(t) - store_.width(store_.child(t, 0)));
    case Op::Ite:
      return z3::ite(operand(t, 0), operand(t, 1), operand(t, 2));
    default:
      return make_array(t);
  }
}

z3::expr Translator::make_leaf(Term t) {
  const term::Sort sort = store_.sort(t);
  if (store_.is_variable(t)) {
    const z3::symbol name = context_.int_symbol(static_cast<int>(t.id));
    if (sort.is_array())
      return context_.constant(name,
                               context_.array_sort(context_.bv_sort(sort.index_width), context_.bv_sort(sort.width)));
    return context_.constant(name, sort.width == 1 ? context_.bool_sort() : context_.bv_sort(sort.width));
  }
  const BitVector value = store_.value(t);
  if (sort.width == 1) return context_.bool_val(value.is_one());
  if (sort.width <= 64) return context_.bv_val(value.to_uint64(), sort.width);
  const auto bit_values = std::make_unique<bool[]>(sort.width);
  for (std::uint32_t i = 0; i < sort.width; ++i) bit_values[i] = value.bit(i);
  return context_.bv_val(sort.width, bit_values.get());
}

z3::expr Translator::make_bitwise(Term t) {
  const z3::expr a = operand(t, 0);
  if (store_.op(t) == Op::Not) return a.is_bool() ? !a : ~a;
  const z3::expr b = operand(t, 1);
  if (store_.op(t) == Op::Xor) return a ^ b;
  return a.is_bool() ? a && b : a & b;
}

z3::expr Translator::make_overflow(Term t) {
  const bool is_signed = store_.op(t) == Op::SmulOverflow;
  // Of one bit, only -1 * -1 overflows, and only when signed.
  if (store_.width(store_.child(t, 0)) == 1)
    return is_signed ? operand(t, 0) && operand(t, 1) : context_.bool_val(false);
  const z3::expr a = operand(t, 0);
  const z3::expr b = operand(t, 1);
  const z3::expr no_overflow = z3::bvmul_no_overflow(a, b, is_signed);
  return is_signed ? !(no_overflow && z3::bvmul_no_underflow(a, b)) : !no_overflow;
}

z3::expr Translator::make_array(Term t) {
  switch (store_.op(t)) {
    case Op::Select:
      return z3::select(operand(t, 0), bits(t, 1));
    case Op::Store:
      return z3::store(operand(t, 0), bits(t, 1), bits(t, 2));
    case Op::ConstantArray:
      return z3::const_array(context_.bv_sort(store_.parameter(t)), bits(t, 0));
    default:
      INVARIANT(false, "a term should have no derived operator");
  }
}

/// Values of a Z3 model. Throws z3::exception for what is no value.
class ModelReader {
 public:
  explicit ModelReader(const z3::model& model) : model_(model) {}

  term::Value value(const z3::expr& e, term::Sort sort) const {
    if (sort.is_array()) return array(e, sort);
    return bits(e, sort.width);
  }

 private:
  BitVector bits(z3::expr e, std::uint32_t width) const;
  term::ArrayValue array(z3::expr e, term::Sort sort) const;
  void add_function(const z3::expr& e, term::Sort sort, term::ArrayValue& result) const;

  const z3::model& model_;
};

BitVector ModelReader::bits(z3::expr e, std::uint32_t width) const {
  if (e.is_bool() ? !(e.is_true() || e.is_false()) : !e.is_numeral()) e = model_.eval(e, true);
  if (e.is_bool()) return BitVector(1, e.is_true() ? 1 : 0);
  std::uint64_t small = 0;
  if (width <= 64 && e.is_numeral_u64(small)) return BitVector(width, small);
  std::string digits;
  if (e.as_binary(digits))
    if (auto parsed = BitVector::parse(width, digits, 2)) return *std::move(parsed);
  throw z3::exception("a value in the model is not a number");
}

term::ArrayValue ModelReader::array(z3::expr e, term::Sort sort) const {
  term::ArrayValue result{sort.index_width, BitVector(sort.width, 0), {}};
  // The outermost store to an index comes first, and counts.
  while (e.is_app() && e.decl().decl_kind() == Z3_OP_STORE) {
    result.elements.try_emplace(bits(e.arg(1), sort.index_width), bits(e.arg(2), sort.width));
    e = e.arg(0);
  }
  const Z3_decl_kind kind = e.is_app() ? e.decl().decl_kind() : Z3_OP_INTERNAL;
  if (kind == Z3_OP_CONST_ARRAY) {
    result.otherwise = bits(e.arg(0), sort.width);
  } else if (kind == Z3_OP_AS_ARRAY) {
    add_function(e, sort, result);
  } else {
    throw z3::exception("an array in the model is not a value");
  }
  return result;
}

void ModelReader::add_function(const z3::expr& e, term::Sort sort, term::ArrayValue& result) const {
  z3::context& context = e.ctx();
  const z3::func_decl function(context, Z3_get_as_array_func_decl(context, e));
  if (!model_.has_interp(function)) return;
  const z3::func_interp interpretation = model_.get_func_interp(function);
  for (unsigned i = 0; i < interpretation.num_entries(); ++i) {
    const z3::func_entry entry = interpretation.entry(i);
    result.elements.try_emplace(bits(entry.arg(0), sort.index_width), bits(entry.value(), sort.width));
  }
  const z3::expr otherwise = interpretation.else_value();
  if (static_cast<Z3_ast>(otherwise) != nullptr) result.otherwise = bits(otherwise, sort.width);
}

/// Interrupts a context when a budget ends, while it lives. Leaves Z3 some time to notice the deadline by itself.
class Watchdog {
 public:
  Watchdog(z3::context& context, const Budget& budget)
      : thread_([this, &context, &budget](const std::stop_token& stop) { watch(stop, context, budget); }) {}

  bool has_interrupted() const noexcept { return interrupted_; }

 private:
  static constexpr std::chrono::milliseconds kPeriod{10};
  static constexpr int kGracePeriods = 20;

  void watch(const std::stop_token& stop, z3::context& context, const Budget& budget) {
    std::unique_lock lock(mutex_);
    int grace = kGracePeriods;
    while (!wake_.wait_for(lock, stop, kPeriod, [&] { return stop.stop_requested(); })) {
      const auto reason = budget.exceeded();
      if (!reason || (reason == Stop::Time && grace-- > 0)) continue;
      interrupted_ = true;
      context.interrupt();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::atomic<bool> interrupted_ = false;
  std::jthread thread_;  // last: ends before what it uses
};

}  // namespace

class Z3Solver::Session {
 public:
  explicit Session(const term::TermStore& store)
      : store_(store), solver_(context_, "QF_BV"), translator_(store, context_) {}

  Result check(std::span<const Term> assertions, std::size_t permanent, std::span<const Term> assumptions,
               const Budget& budget);
  void read_model(term::Assignment& model) const;
  std::vector<Term> failed(std::span<const Term> assumptions) const;
  bool is_spoilt() const noexcept { return spoilt_; }
  void popped(std::size_t kept) noexcept { mirror_.popped(kept); }
  std::size_t translated() const noexcept { return translator_.size(); }

  // What AssertionMirror asks for.
  void push() { solver_.push(); }
  void pop(std::size_t n);
  void add(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) solver_.add(translator_.translate(assertions_[i], *budget_));
  }

 private:
  void choose_solver(std::span<const Term> assumptions);
  z3::expr literal(Term t);
  void set_timeout(const Budget& budget);
  Result unknown(const Budget& budget) const;

  /// A Bool that implies an assumption which is no literal; asserted in a scope.
  struct Indicator {
    Term assumption;
    z3::expr variable;
    std::size_t depth;
  };

  const term::TermStore& store_;
  z3::context context_;
  z3::solver solver_;
  Translator translator_;
  AssertionMirror mirror_;
  std::vector<Indicator> indicators_;
  term::TermMap<std::uint32_t> indicator_places_;  ///< into indicators_
  std::vector<z3::expr> literals_;                 ///< of the current assumptions
  std::span<const Term> assertions_;               ///< of the current check
  const Budget* budget_ = nullptr;                 ///< of the current check
  bool general_ = false;
  bool spoilt_ = false;
};

void Z3Solver::Session::choose_solver(std::span<const Term> assumptions) {
  for (const Term t : assertions_) translator_.translate(t, *budget_);
  for (const Term t : assumptions) translator_.translate(t, *budget_);
  if (general_ || !translator_.has_arrays()) return;
  general_ = true;
  solver_ = z3::solver(context_);
  mirror_.reset();
  indicators_.clear();
  indicator_places_.clear();
}

void Z3Solver::Session::pop(std::size_t n) {
  solver_.pop(static_cast<unsigned>(n));
  while (!indicators_.empty() && indicators_.back().depth > mirror_.depth()) {
    indicator_places_.erase(indicators_.back().assumption);
    indicators_.pop_back();
  }
}

z3::expr Z3Solver::Session::literal(Term t) {
  const Term atom = store_.op(t) == Op::Not ? store_.child(t, 0) : t;
  const z3::expr e = translator_.translate(t, *budget_);
  if (store_.is_variable(atom)) return e;
  if (const std::uint32_t* place = indicator_places_.find(t)) return indicators_[*place].variable;
  const z3::expr variable(context_, Z3_mk_fresh_const(context_, "assumption", context_.bool_sort()));
  solver_.add(z3::implies(variable, e));
  indicator_places_[t] = static_cast<std::uint32_t>(indicators_.size());
  indicators_.push_back({t, variable, mirror_.depth()});
  return variable;
}

void Z3Solver::Session::set_timeout(const Budget& budget) {
  unsigned timeout = std::numeric_limits<unsigned>::max();
  if (const auto left = budget.time_left()) {
    const double milliseconds = left->count() * 1000 + 1;
    if (milliseconds < static_cast<double>(timeout)) timeout = static_cast<unsigned>(milliseconds);
  }
  z3::params parameters(context_);
  parameters.set("timeout", timeout);
  solver_.set(parameters);
}

Result Z3Solver::Session::check(std::span<const Term> assertions, std::size_t permanent,
                                std::span<const Term> assumptions, const Budget& budget) {
  assertions_ = assertions;
  budget_ = &budget;
  choose_solver(assumptions);
  mirror_.synchronise(*this, permanent, assertions.size());
  literals_.clear();
  for (const Term t : assumptions) literals_.push_back(literal(t));
  set_timeout(budget);
  z3::check_result answer = z3::unknown;
  {
    Watchdog watchdog(context_, budget);
    // Without a copy through an array of expressions, which z3++ would make.
    const std::vector<Z3_ast> handles(literals_.begin(), literals_.end());
    const Z3_lbool raw =
        Z3_solver_check_assumptions(context_, solver_, static_cast<unsigned>(handles.size()), handles.data());
    spoilt_ = watchdog.has_interrupted();
    if (!spoilt_) context_.check_error();
    answer = z3::to_check_result(raw);
  }
  if (spoilt_ || answer == z3::unknown) return unknown(budget);
  return answer == z3::sat ? Result::sat() : Result::unsat();
}

Result Z3Solver::Session::unknown(const Budget& budget) const {
  if (const auto stop = budget.exceeded()) return Result::unknown(std::string(to_string(*stop)));
  const std::string reason = solver_.reason_unknown();
  return Result::unknown(fmt::format("z3: {}", reason.empty() ? "gave no reason" : reason));
}

void Z3Solver::Session::read_model(term::Assignment& model) const {
  const z3::model z3_model = solver_.get_model();
  const ModelReader reader(z3_model);
  for (unsigned i = 0; i < z3_model.num_consts(); ++i) {
    const z3::func_decl constant = z3_model.get_const_decl(i);
    if (constant.name().kind() != Z3_INT_SYMBOL) continue;
    const Term variable{static_cast<std::uint32_t>(constant.name().to_int())};
    model.emplace(variable, reader.value(z3_model.get_const_interp(constant), store_.sort(variable)));
  }
}

std::vector<Term> Z3Solver::Session::failed(std::span<const Term> assumptions) const {
  absl::flat_hash_set<unsigned> core;
  const z3::expr_vector literals = solver_.unsat_core();
  for (unsigned i = 0; i < literals.size(); ++i) core.insert(literals[static_cast<int>(i)].id());
  std::vector<Term> result;
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    if (core.contains(literals_[i].id())) result.push_back(assumptions[i]);
  return result;
}

Z3Solver::Z3Solver(term::TermStore& store) : Solver(store) {}
Z3Solver::~Z3Solver() = default;

void Z3Solver::popped(std::size_t kept) {
  if (session_) session_->popped(kept);
}

Result Z3Solver::decide(std::span<const Term> assumptions, const Budget& budget) {
  ++checks_;
  try {
    if (!session_) session_ = std::make_unique<Session>(store());
    Result result = session_->check(assertions(), permanent(), assumptions, budget);
    if (result.answer == Answer::Sat) session_->read_model(model_);
    if (result.answer == Answer::Unsat) failed_ = session_->failed(assumptions);
    if (session_->is_spoilt()) session_.reset();
    return result;
  } catch (const z3::exception& e) {
    session_.reset();
    if (const auto stop = budget.exceeded()) return Result::unknown(std::string(to_string(*stop)));
    return Result::unknown(fmt::format("z3: {}", e.what()));
  } catch (const std::bad_alloc&) {
    session_.reset();
    throw;
  }
}

std::vector<std::pair<std::string, double>> Z3Solver::statistics() const {
  return {{"z3 checks", static_cast<double>(checks_)},
          {"z3 terms", session_ ? static_cast<double>(session_->translated()) : 0}};
}

}  // namespace plumb::solve
