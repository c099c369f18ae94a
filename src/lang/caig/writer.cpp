#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "base/error.h"
#include "lang/caig/caig.h"
#include "lang/caig/expression.h"
#include "term/traverse.h"

namespace plumb::caig {

namespace {

using system::NamedTerm;
using system::State;
using system::System;
using term::Op;

constexpr std::string_view kKeywords[] = {"wire", "bool", "int", "true", "false", "while"};

/// Short terms that are used once are written where they are used; all others become wires $1, $2 and so on.
class Writer {
 public:
  explicit Writer(const System& system) : system_(system), store_(system.store()) {}

  std::string write() {
    declare_variables();
    count_uses();
    for (const NamedTerm& wire : system_.wires()) {
      const std::string value = text(wire.term);
      define(fresh(wire.name.empty() ? "wire" : wire.name), store_.sort(wire.term), value);
    }
    for (const NamedTerm& constraint : system_.constraints())
      write_property("@assume", constraint, text(constraint.term));
    for (const NamedTerm& bad : system_.bads()) write_property("@assert", bad, fmt::format("!{}", text(bad.term)));
    std::string inits;
    std::string nexts;
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const State& state = system_.states()[i];
      if (state.init) print(inits, "  {} = {};\n", text(state.variable), text(state.init));
      if (state.next)
        print(nexts, "    {} = {};\n", text(state.variable), text(state.next));
      else if (state.init)
        print(nexts, "    {} = {};\n", text(state.variable), next_wires_[i]);
    }
    return fmt::format("{}\n{}\n@do_together {{\n{}}}\nwhile (true) {{\n  @do_together {{\n{}  }}\n}}\n", declarations_,
                       definitions_, inits, nexts);
  }

 private:
  static constexpr std::size_t kInlineLength = 60;

  template <typename... Arguments>
  static void print(std::string& to, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(to), format, std::forward<Arguments>(arguments)...);
  }

  static std::string type(Sort sort) {
    std::string result = sort.width == 1 ? "bool" : fmt::format("int<{}>", sort.width);
    if (sort.is_array()) {
      if (sort.index_width > 62)
        throw Unsupported(fmt::format("CAIG has no arrays of 2^{} elements", sort.index_width));
      result += fmt::format(" [{}]", std::uint64_t{1} << sort.index_width);
    }
    return result;
  }

  static std::string without_blanks(std::string name) {
    std::replace_if(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
    return name;
  }

  /// An identifier that nothing else has, as near to the name as can be.
  std::string fresh(const std::string& name) {
    const std::string word = without_blanks(name);
    std::string result = word;
    for (int i = 2; !taken_.insert(result).second; ++i) result = fmt::format("{}_{}", word, i);
    return escaped(result);
  }

  static std::string escaped(const std::string& word) {
    const auto is_plain = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    const bool starts_well = std::isalpha(static_cast<unsigned char>(word.front())) != 0 || word.front() == '_';
    const bool is_keyword = std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
    const bool stands = starts_well && !is_keyword && std::all_of(word.begin(), word.end(), is_plain);
    return stands ? word : fmt::format("\\{} ", word);
  }

  void declare_variables() {
    next_wires_.resize(system_.states().size());
    for (std::size_t i = 0; i < system_.states().size(); ++i) {
      const State& state = system_.states()[i];
      const std::string of_type = type(store_.sort(state.variable));
      const bool is_wire = !state.init && !state.next;
      texts_[state.variable] = fresh(system_.state_name(i));
      print(declarations_, "{}{} {};\n", is_wire ? "wire " : "", of_type, texts_[state.variable]);
      if (!state.init || state.next) continue;
      next_wires_[i] = fresh(system_.state_name(i) + ".next");
      print(declarations_, "wire {} {};\n", of_type, next_wires_[i]);
    }
    for (std::size_t i = 0; i < system_.inputs().size(); ++i) {
      texts_[system_.inputs()[i]] = fresh(system_.input_name(i));
      print(declarations_, "wire {} {};\n", type(store_.sort(system_.inputs()[i])), texts_[system_.inputs()[i]]);
    }
  }

  void count_uses() {
    std::vector<Term> roots;
    for (const NamedTerm& wire : system_.wires()) roots.push_back(wire.term);
    for (const NamedTerm& constraint : system_.constraints()) roots.push_back(constraint.term);
    for (const NamedTerm& bad : system_.bads()) roots.push_back(bad.term);
    for (const State& state : system_.states()) {
      if (state.init) roots.push_back(state.init);
      if (state.next) roots.push_back(state.next);
    }
    for (const Term root : roots) ++uses_[root];
    term::TermSet seen;
    term::post_order(store_, roots, seen, [&](Term t) {
      for (unsigned i = 0; i < store_.arity(t); ++i) ++uses_[store_.child(t, i)];
    });
  }

  void define(const std::string& name, Sort sort, const std::string& value) {
    print(declarations_, "wire {} {};\n", type(sort), name);
    print(definitions_, "{} = {};\n", name, value);
  }

  void write_property(std::string_view kind, const NamedTerm& property, const std::string& value) {
    std::string label;
    if (!property.name.empty()) label = fmt::format("{} : ", escaped(without_blanks(property.name)));
    print(definitions_, "{} {}{};\n", kind, label, value);
  }

  /// The text of a term, with what it is made of written before.
  std::string text(Term root) {
    term::post_order(store_, std::array{root}, seen_, [&](Term t) {
      if (store_.is_variable(t)) return;
      std::string made = expression(t);
      const bool is_short = made.size() <= kInlineLength && uses_[t] <= 1;
      if (!is_short && !store_.is_constant(t)) {
        std::string name = fmt::format("${}", ++last_wire_);
        define(name, store_.sort(t), made);
        made = std::move(name);
      }
      texts_[t] = std::move(made);
    });
    return *texts_.find(root);
  }

  std::string expression(Term t) const {
    const auto child = [&](unsigned i) -> const std::string& { return texts_.at(store_.child(t, i)); };
    const auto infix = [&](const char* op) { return fmt::format("({} {} {})", child(0), op, child(1)); };
    const auto call = [&](const char* function) { return fmt::format("{}({}, {})", function, child(0), child(1)); };
    switch (store_.op(t)) {
      case Op::Constant:
        return store_.width(t) == 1 ? std::string(store_.is_true(t) ? "true" : "false")
                                    : fmt::format("{}'d{}", store_.width(t), store_.value(t).to_decimal());
      case Op::Not:
        return fmt::format("~{}", child(0));
      case Op::And:
        return infix("&");
      case Op::Xor:
        return infix("^");
      case Op::Neg:
        return fmt::format("(-{})", child(0));
      case Op::Add:
        return infix("+");
      case Op::Mul:
        return infix("*");
      case Op::Udiv:
        return call("udiv");
      case Op::Urem:
        return call("urem");
      case Op::Shl:
        return infix("<<");
      case Op::Lshr:
        return call("lshr");
      case Op::Ashr:
        return call("ashr");
      case Op::Eq:
        return infix("==");
      case Op::Ult:
        return call("ult");
      case Op::Slt:
        return call("slt");
      case Op::UmulOverflow:
        return call("umulo");
      case Op::SmulOverflow:
        return call("smulo");
      case Op::Concat:
        return call("concat");
      case Op::Extract:
        return fmt::format("extract({}, {}, {})", child(0), store_.parameter(t) + store_.width(t) - 1,
                           store_.parameter(t));
      case Op::SignExtend:
        return fmt::format("sext({}, {})", child(0), store_.width(t));
      case Op::Ite:
        return fmt::format("({} ? {} : {})", child(0), child(1), child(2));
      case Op::Select:
        return fmt::format("{}[{}]", child(0), child(1));
      case Op::Store:
        return fmt::format("store({}, {}, {})", child(0), child(1), child(2));
      case Op::ConstantArray:
        (void)type(store_.sort(t));
        return fmt::format("array({}, {})", std::uint64_t{1} << store_.sort(t).index_width, child(0));
      default:
        break;
    }
    INVARIANT(false, "a term should have no derived operator");
  }

  const System& system_;
  const TermStore& store_;
  std::string declarations_;
  std::string definitions_;
  absl::flat_hash_set<std::string> taken_;
  std::vector<std::string> next_wires_;  ///< by state
  term::TermMap<std::string> texts_;
  term::TermMap<std::uint32_t> uses_;
  term::TermSet seen_;
  std::uint64_t last_wire_ = 0;
};

}  // namespace

std::string write_caig(const System& system) { return Writer(system).write(); }

}  // namespace plumb::caig
