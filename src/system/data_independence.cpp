#include "system/data_independence.h"

#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.h"
#include "term/traverse.h"

namespace plumb::system {
namespace {

using term::Op;
using term::TermMap;
using term::TermSet;

/// Which terms hold the same data: a class for each word and choice between words that values go to and from.
class Classes {
 public:
  explicit Classes(const System& system) : store_(system.store()) {
    std::vector<Term> roots;
    for (const State& state : system.states())
      for (const Term t : {state.variable, state.init, state.next})
        if (t) roots.push_back(t);
    roots.insert(roots.end(), system.inputs().begin(), system.inputs().end());
    for (const auto& named : {system.bads(), system.constraints()})
      for (const NamedTerm& one : named) roots.push_back(one.term);
    TermSet seen;
    term::post_order(store_, roots, seen, [&](Term t) { look(t); });
    for (const State& state : system.states()) {
      if (state.init) join(state.variable, state.init);
      if (state.next) join(state.variable, state.next);
    }
    for (const Annotation& annotation : system.annotations()) spoil(annotation.term);
  }

  /// Of a word that is no constant.
  std::size_t find(Term t) {
    std::size_t& number = numbers_[t];
    if (number == 0) {
      classes_.push_back({classes_.size(), false, {}});
      number = classes_.size();
    }
    std::size_t root = number - 1;
    while (classes_[root].parent != root) root = classes_[root].parent = classes_[classes_[root].parent].parent;
    return root;
  }
  bool is_spoiled(std::size_t root) const { return classes_[root].is_spoiled; }
  const std::set<BitVector>& constants(std::size_t root) const { return classes_[root].constants; }
  bool is_word(Term t) const { return !store_.is_array(t) && store_.width(t) > 1; }

 private:
  struct Class {
    std::size_t parent;
    bool is_spoiled;
    std::set<BitVector> constants;
  };

  void look(Term t) {
    const bool is_choice = store_.op(t) == Op::Ite && is_word(t);
    if (is_choice) {
      join(t, store_.child(t, 1));
      join(t, store_.child(t, 2));
    } else if (store_.op(t) == Op::Eq && is_word(store_.child(t, 0))) {
      join(store_.child(t, 0), store_.child(t, 1));
    } else {
      for (unsigned i = 0; i < store_.arity(t); ++i) spoil(store_.child(t, i));
      if (store_.op(t) != Op::Variable) spoil(t);
    }
  }

  void spoil(Term t) {
    if (is_word(t) && !store_.is_constant(t)) classes_[find(t)].is_spoiled = true;
  }

  void join(Term a, Term b) {
    if (!is_word(a)) return;
    if (store_.is_constant(a)) std::swap(a, b);
    const std::size_t to = find(a);
    if (store_.is_constant(b)) {
      classes_[to].constants.insert(store_.value(b));
      return;
    }
    const std::size_t from = find(b);
    if (from == to) return;
    classes_[from].parent = to;
    classes_[to].is_spoiled = classes_[to].is_spoiled || classes_[from].is_spoiled;
    classes_[to].constants.merge(classes_[from].constants);
  }

  const TermStore& store_;
  TermMap<std::size_t> numbers_;  ///< one more than the index into classes_
  std::vector<Class> classes_;
};

class Narrowing {
 public:
  explicit Narrowing(const System& system) : system_(system), from_(system.store()), classes_(system) {}

  NarrowedSystem run() {
    find_data();
    System& narrow = result_.system;
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const Term variable = system_.states()[i].variable;
      copies_[variable] = narrow.add_state(sort_of(variable), from_.name(variable));
    }
    for (const Term input : system_.inputs()) copies_[input] = narrow.add_input(sort_of(input), from_.name(input));
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const State& state = system_.states()[i];
      if (state.init) narrow.set_init(i, copy_as(state.init, state.variable));
      if (state.next) narrow.set_next(i, copy_as(state.next, state.variable));
    }
    for (const NamedTerm& bad : system_.bads()) narrow.add_bad(copy(bad.term), bad.name);
    for (const NamedTerm& constraint : system_.constraints())
      narrow.add_constraint(copy(constraint.term), constraint.name);
    narrow.check();
    return std::move(result_);
  }

 private:
  using Data = NarrowedSystem::Data;

  void find_data() {
    std::map<std::size_t, Data> by_class;
    std::map<std::size_t, std::size_t> free_starts;
    std::set<std::size_t> has_fresh;  // values that come later than the start
    const auto enter = [&](Term variable) -> std::optional<std::size_t> {
      if (!classes_.is_word(variable)) return std::nullopt;
      const std::size_t number = classes_.find(variable);
      if (classes_.is_spoiled(number)) return std::nullopt;
      by_class[number].width = from_.width(variable);
      return number;
    };
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const State& state = system_.states()[i];
      const auto number = enter(state.variable);
      if (!number) continue;
      by_class[*number].states.push_back(i);
      if (!state.init) ++free_starts[*number];
      if (!state.next) has_fresh.insert(*number);
    }
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      if (const auto number = enter(system_.inputs()[i])) {
        by_class[*number].inputs.push_back(i);
        has_fresh.insert(*number);
      }
    for (auto& [number, data] : by_class) {
      const std::size_t others =
          has_fresh.contains(number) ? data.states.size() + data.inputs.size() : free_starts[number];
      if (give_codes(data, classes_.constants(number), others)) {
        indices_[number] = result_.data.size();
        result_.data.push_back(std::move(data));
      }
    }
  }

  /// False if that many values need all the bits that there are.
  static bool give_codes(Data& data, const std::set<BitVector>& constants, std::size_t others) {
    const std::uint64_t count = std::max<std::uint64_t>(constants.size() + others, 2);
    data.bits = static_cast<std::uint32_t>(std::bit_width(count - 1));
    if (data.bits >= data.width || data.bits > kMaxBits) return false;
    data.values.assign(constants.begin(), constants.end());
    for (std::uint64_t value = 0; data.values.size() < std::uint64_t{1} << data.bits; ++value)
      if (const BitVector bits(data.width, value); !constants.contains(bits)) data.values.push_back(bits);
    return true;
  }

  const Data* data_of(Term word) {
    if (!classes_.is_word(word) || from_.is_constant(word)) return nullptr;
    const auto at = indices_.find(classes_.find(word));
    return at == indices_.end() ? nullptr : &result_.data[at->second];
  }

  Sort sort_of(Term variable) {
    const Data* data = data_of(variable);
    return data == nullptr ? from_.sort(variable) : Sort{data->bits, 0};
  }

  Term copy(Term root) {
    const Term roots[] = {root};
    term::post_order(from_, roots, seen_, [&](Term t) {
      if (!copies_.contains(t)) copies_[t] = made(t);
    });
    return copies_.at(root);
  }

  /// As data of the kind that `word` is.
  Term copy_as(Term t, Term word) {
    const Data* data = data_of(word);
    if (data == nullptr || !from_.is_constant(t)) return copy(t);
    return code(*data, t);
  }

  Term code(const Data& data, Term constant) {
    const auto at = std::ranges::find(data.values, from_.value(constant));
    return result_.system.store().constant(data.bits, static_cast<std::uint64_t>(at - data.values.begin()));
  }

  Term made(Term t) {
    TermStore& to = result_.system.store();
    if (from_.is_constant(t)) return to.constant(from_.value(t));
    INVARIANT(!from_.is_variable(t), "a variable should be a state or an input");
    std::vector<Term> operands;
    for (unsigned i = 0; i < from_.arity(t); ++i) operands.push_back(copies_.at(from_.child(t, i)));
    const bool is_choice = from_.op(t) == Op::Ite;
    if (is_choice || from_.op(t) == Op::Eq) {
      const Term word = is_choice ? t : from_.is_constant(from_.child(t, 0)) ? from_.child(t, 1) : from_.child(t, 0);
      const Data* data = data_of(word);
      for (unsigned i = is_choice ? 1 : 0; data != nullptr && i < from_.arity(t); ++i)
        if (from_.is_constant(from_.child(t, i))) operands[i] = code(*data, from_.child(t, i));
      if (data != nullptr && is_choice) return to.ite(operands[0], operands[1], operands[2]);
    }
    return to.make(from_.op(t), operands, from_.width(t), from_.parameter(t));
  }

  static constexpr std::uint32_t kMaxBits = 16;

  const System& system_;
  const TermStore& from_;
  Classes classes_;
  NarrowedSystem result_;
  std::map<std::size_t, std::size_t> indices_;  ///< by class: index into the data
  TermMap<Term> copies_;
  TermSet seen_;
};

}  // namespace

NarrowedSystem narrow_independent_data(const System& system) { return Narrowing(system).run(); }

Trace NarrowedSystem::widened(const Trace& trace) const {
  Trace result = trace;
  const auto widen = [](const Data& one, std::vector<std::optional<Value>>& values, std::size_t position) {
    if (position >= values.size()) values.resize(position + 1);
    std::optional<Value>& value = values[position];
    const std::uint64_t code = value ? std::get<BitVector>(*value).to_uint64() : 0;
    value = one.values[code];
  };
  for (const Data& one : data) {
    for (const std::size_t position : one.states) {
      widen(one, result.initial, position);
      for (Trace::Step& step : result.steps) widen(one, step.states, position);
    }
    for (const std::size_t position : one.inputs)
      for (Trace::Step& step : result.steps) widen(one, step.inputs, position);
  }
  return result;
}

}  // namespace plumb::system
