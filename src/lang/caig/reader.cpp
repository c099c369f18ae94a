// A component is read in two rounds. The first splits it into declarations and assignments and knows expressions only
// as ranges of tokens, so that wires may be defined in any order. The second makes terms of them: wires in the order of
// their dependences, then properties, initial and next values.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/caig/caig.h"
#include "lang/caig/expression.h"
#include "term/traverse.h"

namespace plumb::caig {

namespace {

using system::System;

/// TARGET = EXPRESSION, or TARGET[INDEX] = EXPRESSION.
struct Assignment {
  std::size_t token = 0;  ///< of the target
  std::size_t index_begin = 0;
  std::size_t index_end = 0;  ///< equal to index_begin without an index
  std::size_t begin = 0;
  std::size_t end = 0;

  bool has_index() const noexcept { return index_end != index_begin; }
};

struct Property {
  bool is_assumption = false;
  std::string_view name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const Options& options)
      : tokens_(text, file), options_(options), expressions_(tokens_, names_, symbols_, system_.store(), options) {}

  System read() {
    parse();
    make_variables();
    define_wires();
    for (const Property& property : properties_) add_property(property);
    add_states();
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (symbols_[i].is_wire && !wires_[i].empty() && !is_unnamed(symbols_[i]))
        system_.add_wire(symbols_[i].term, std::string(symbols_[i].name));
    system_.check();
    return std::move(system_);
  }

 private:
  TermStore& store() { return system_.store(); }
  /// A wire that write_caig() made.
  bool is_unnamed(const Symbol& symbol) const {
    return symbol.name.front() == '$' && !tokens_[symbol.token].is_escaped;
  }

  // --- First round ---

  const Token& now() const { return tokens_[next_]; }
  bool take(std::string_view symbol) {
    if (!now().is(symbol)) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) tokens_.fail_expected(next_, fmt::format("'{}'", symbol));
  }
  std::size_t expect_name(std::string_view what) {
    if (now().kind != Token::Kind::Identifier) tokens_.fail_expected(next_, what);
    return next_++;
  }
  std::uint64_t expect_number(std::string_view what, std::uint64_t most) {
    const auto value = now().kind == Token::Kind::Number ? BitVector::parse(64, now().text, 10) : std::nullopt;
    if (!value) tokens_.fail_expected(next_, what);
    if (value->is_zero() || value->to_uint64() > most)
      tokens_.fail(next_, fmt::format("expected {} from 1 to {}, found {}", what, most, now().text));
    ++next_;
    return value->to_uint64();
  }
  bool at_together() const {
    return now().kind == Token::Kind::At && (now().text == "do_together" || now().text == "dotogether");
  }

  void parse() {
    while (now().is("wire") || now().is("bool") || now().is("int")) parse_declaration();
    if (symbols_.empty()) tokens_.fail_expected(next_, "a declaration");
    wires_.resize(symbols_.size());
    inits_.resize(symbols_.size());
    nexts_.resize(symbols_.size());
    while (!at_together()) {
      if (now().kind == Token::Kind::At)
        parse_property();
      else
        parse_assignment(wires_, true);
    }
    parse_block(inits_);
    expect("while");
    expect("(");
    expect("true");
    expect(")");
    expect("{");
    parse_block(nexts_);
    expect("}");
    if (now().kind != Token::Kind::End) tokens_.fail_expected(next_, "the end of the file");
  }

  void parse_declaration() {
    Symbol declared;
    declared.is_wire = take("wire");
    if (take("bool")) {
      declared.sort.width = 1;
    } else if (take("int")) {
      declared.sort.width = options_.int_width;
      if (take("<")) {
        declared.sort.width = static_cast<std::uint32_t>(expect_number("a width", BitVector::kMaxWidth));
        expect(">");
      }
    } else {
      tokens_.fail_expected(next_, "'bool' or 'int'");
    }
    const std::uint64_t elements = parse_size();
    do {
      Symbol symbol = declared;
      symbol.token = expect_name("a name");
      symbol.name = tokens_[symbol.token].text;
      symbol.elements = elements;
      if (const std::size_t place = next_; now().is("[")) {
        if (elements != 0) tokens_.fail(place, "arrays of arrays are not supported");
        symbol.elements = parse_size();
      }
      if (symbol.elements != 0) symbol.sort.index_width = index_width_for(symbol.elements);
      declare(symbol);
    } while (take(","));
    expect(";");
  }

  /// [NUMBER], or nothing: 0.
  std::uint64_t parse_size() {
    if (!take("[")) return 0;
    const std::uint64_t elements = expect_number("a number of elements", kMaxElements);
    expect("]");
    return elements;
  }

  void declare(const Symbol& symbol) {
    static constexpr std::string_view kReserved[] = {"wire", "bool", "int", "true", "false", "while"};
    if (!tokens_[symbol.token].is_escaped &&
        std::find(std::begin(kReserved), std::end(kReserved), symbol.name) != std::end(kReserved))
      tokens_.fail(symbol.token, fmt::format("'{}' is a keyword", symbol.name));
    const auto [it, is_new] = names_.emplace(symbol.name, symbols_.size());
    if (!is_new)
      tokens_.fail(symbol.token, fmt::format("'{}' is declared already, in line {}", symbol.name,
                                             tokens_.location(symbols_[it->second].token).line));
    symbols_.push_back(symbol);
  }

  void parse_property() {
    Property property;
    if (now().text != "assert" && now().text != "assume")
      tokens_.fail_expected(next_, "'@do_together', '@assert', '@assume' or an assignment");
    property.is_assumption = now().text == "assume";
    ++next_;
    if (now().kind == Token::Kind::Identifier && tokens_[next_ + 1].is(":")) {
      property.name = now().text;
      next_ += 2;
    }
    property.begin = next_;
    property.end = skip_to(";");
    properties_.push_back(property);
  }

  void parse_block(std::vector<std::vector<Assignment>>& assignments) {
    if (!at_together()) tokens_.fail_expected(next_, "'@do_together'");
    ++next_;
    expect("{");
    while (!take("}")) parse_assignment(assignments, false);
  }

  void parse_assignment(std::vector<std::vector<Assignment>>& assignments, bool to_wires) {
    Assignment assignment;
    assignment.token = expect_name(to_wires ? "a wire, '@assert', '@assume' or '@do_together'" : "a register or '}'");
    const auto it = names_.find(tokens_[assignment.token].text);
    if (it == names_.end())
      tokens_.fail(assignment.token, fmt::format("'{}' is not declared", tokens_[assignment.token].text));
    const Symbol& symbol = symbols_[it->second];
    if (symbol.is_wire != to_wires)
      tokens_.fail(assignment.token,
                   to_wires ? fmt::format("'{}' is a register, and only wires are defined here", symbol.name)
                            : fmt::format("'{}' is a wire, and only registers are assigned here", symbol.name));
    if (take("[")) {
      if (!symbol.sort.is_array()) tokens_.fail(assignment.token, fmt::format("'{}' is no array", symbol.name));
      assignment.index_begin = next_;
      assignment.index_end = skip_to("]");
      if (!assignment.has_index()) tokens_.fail_expected(assignment.index_begin, "an index");
    }
    expect("=");
    assignment.begin = next_;
    assignment.end = skip_to(";");
    std::vector<Assignment>& earlier = assignments[it->second];
    if (!earlier.empty() && !(assignment.has_index() && earlier.back().has_index()))
      tokens_.fail(assignment.token, fmt::format("'{}' is assigned already, in line {}", symbol.name,
                                                 tokens_.location(earlier.back().token).line));
    earlier.push_back(assignment);
  }

  /// Behind the next `symbol`, which is ';' or the ']' that closes what is open; gives its token. What stands before it
  /// is looked at in the second round.
  std::size_t skip_to(std::string_view symbol) {
    std::size_t depth = 0;
    for (;; ++next_) {
      if (now().is(symbol) && (depth == 0 || symbol == ";")) return next_++;
      if (now().kind == Token::Kind::End || now().is(";") || now().is("{") || now().is("}"))
        tokens_.fail_expected(next_, fmt::format("'{}'", symbol));
      if (now().is("[")) ++depth;
      if (now().is("]") && depth > 0) --depth;
    }
  }

  // --- Second round ---

  void make_variables() {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      Symbol& symbol = symbols_[i];
      if (symbol.is_wire && !wires_[i].empty() && !wires_[i].front().has_index()) continue;
      const bool is_part = symbol.is_wire && !wires_[i].empty();
      symbol.term = store().variable(symbol.sort, std::string(symbol.name) + (is_part ? ".free" : ""));
      if (symbol.is_wire) free_wires_.push_back(symbol.term);
    }
  }

  /// Calls visit(symbol) for each defined wire that is named from `begin` to `end`.
  template <typename Visit>
  void for_each_wire(std::size_t begin, std::size_t end, const Visit& visit) const {
    for (std::size_t t = begin; t < end; ++t) {
      if (tokens_[t].kind != Token::Kind::Identifier) continue;
      const auto it = names_.find(tokens_[t].text);
      if (it != names_.end() && symbols_[it->second].is_wire && !wires_[it->second].empty()) visit(it->second);
    }
  }

  void define_wires() {
    enum class Mark : std::uint8_t { New, Open, Done };
    std::vector<Mark> marks(symbols_.size(), Mark::New);
    std::vector<std::size_t> stack;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (!symbols_[i].is_wire || wires_[i].empty()) continue;
      stack.push_back(i);
      while (!stack.empty()) {
        const std::size_t wire = stack.back();
        if (marks[wire] != Mark::New) {
          stack.pop_back();
          if (marks[wire] == Mark::Open) define_wire(wire);
          marks[wire] = Mark::Done;
          continue;
        }
        marks[wire] = Mark::Open;
        const auto push = [&](std::size_t needed) {
          if (marks[needed] == Mark::Open) fail_circular(needed, wire);
          if (marks[needed] == Mark::New) stack.push_back(needed);
        };
        for (const Assignment& a : wires_[wire]) {
          for_each_wire(a.index_begin, a.index_end, push);
          for_each_wire(a.begin, a.end, push);
        }
      }
    }
  }

  [[noreturn]] void fail_circular(std::size_t needed, std::size_t wire) const {
    const std::string_view name = symbols_[needed].name;
    const std::string hint = needed == wire ? std::string() : fmt::format("through '{}'", symbols_[wire].name);
    tokens_.fail(wires_[needed].front().token, fmt::format("wire '{}' depends on itself", name), hint);
  }

  void define_wire(std::size_t i) {
    Symbol& symbol = symbols_[i];
    symbol.term = assigned(symbol, wires_[i], symbol.term);
  }

  /// What the assignments make of an array `before` (not looked at for scalars). They happen together, so all of them
  /// see the values from before.
  Term assigned(const Symbol& symbol, const std::vector<Assignment>& assignments, Term before) {
    const Assignment& first = assignments.front();
    if (!first.has_index()) return expressions_.read(first.begin, first.end, symbol.sort);
    Term result = before;
    absl::flat_hash_map<std::uint64_t, std::size_t> constants;  // to tokens
    for (const Assignment& a : assignments) {
      const Term index = expressions_.read_index(a.index_begin, a.index_end, symbol.elements);
      if (store().is_constant(index) && store().value(index).fits_uint64()) {
        const auto [it, is_new] = constants.emplace(store().value(index).to_uint64(), a.token);
        if (!is_new)
          tokens_.fail(a.token, fmt::format("this element of '{}' is assigned already, in line {}", symbol.name,
                                            tokens_.location(it->second).line));
      }
      const Term element = expressions_.read(a.begin, a.end, {symbol.sort.width, 0});
      result = write_element(store(), result, symbol.elements, index, element);
    }
    return result;
  }

  void add_property(const Property& property) {
    const Term t = expressions_.read(property.begin, property.end, {1, 0});
    if (property.is_assumption)
      system_.add_constraint(t, std::string(property.name));
    else
      system_.add_bad(store().bit_not(t), std::string(property.name));
  }

  /// The initial value of a register, null if it is free.
  Term initial_value(const Symbol& symbol, const std::vector<Assignment>& assignments) {
    if (assignments.empty()) return {};
    Term before;
    if (assignments.front().has_index()) {
      // Elements without a value are free, unless all have one.
      const bool is_whole =
          assignments.size() == symbol.elements &&
          std::all_of(assignments.begin(), assignments.end(), [&](const Assignment& a) {
            return a.index_end - a.index_begin == 1 && tokens_[a.index_begin].kind == Token::Kind::Number;
          });
      if (is_whole) {
        before = store().constant_array(symbol.sort.index_width, store().zero(symbol.sort.width));
      } else {
        before = store().variable(symbol.sort, std::string(symbol.name) + ".init");
        free_wires_.push_back(before);
      }
    }
    return assigned(symbol, assignments, before);
  }

  void add_states() {
    std::vector<Term> inits(symbols_.size());
    term::TermMap<std::size_t> registers;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (symbols_[i].is_wire) continue;
      registers[symbols_[i].term] = i;
      inits[i] = initial_value(symbols_[i], inits_[i]);
    }
    std::vector<Term> all;
    for (const Term init : inits)
      if (init) all.push_back(init);
    const std::vector<Term> below = term::support(store(), all);
    for (const Term wire : free_wires_) {
      if (std::binary_search(below.begin(), below.end(), wire))
        system_.add_state(wire);
      else
        system_.add_input(wire);
    }
    for (const std::size_t i : in_order_of_init(inits, registers)) {
      const std::size_t position = system_.states().size();
      system_.add_state(symbols_[i].term);
      if (inits[i]) system_.set_init(position, inits[i]);
      system_.set_next(position,
                       nexts_[i].empty() ? symbols_[i].term : assigned(symbols_[i], nexts_[i], symbols_[i].term));
    }
  }

  /// Registers as declared, but each behind those that its initial value refers to.
  std::vector<std::size_t> in_order_of_init(const std::vector<Term>& inits,
                                            const term::TermMap<std::size_t>& registers) {
    enum class Mark : std::uint8_t { New, Open, Done };
    std::vector<Mark> marks(symbols_.size(), Mark::New);
    std::vector<std::size_t> order;
    std::vector<std::size_t> stack;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (!symbols_[i].is_wire) stack.push_back(i);
      while (!stack.empty()) {
        const std::size_t top = stack.back();
        if (marks[top] != Mark::New) {
          stack.pop_back();
          if (marks[top] == Mark::Open) order.push_back(top);
          marks[top] = Mark::Done;
          continue;
        }
        marks[top] = Mark::Open;
        if (!inits[top]) continue;
        for (const Term t : term::support(store(), std::array{inits[top]})) {
          const std::size_t* needed = registers.find(t);
          if (needed == nullptr || marks[*needed] == Mark::Done) continue;
          if (marks[*needed] == Mark::Open)
            tokens_.fail(inits_[top].front().token,
                         fmt::format("the initial value of '{}' depends on itself", symbols_[*needed].name));
          stack.push_back(*needed);
        }
      }
    }
    return order;
  }

  Tokens tokens_;
  const Options& options_;
  System system_;
  Symbols names_;
  std::vector<Symbol> symbols_;
  ExpressionReader expressions_;
  std::size_t next_ = 0;

  // By symbol.
  std::vector<std::vector<Assignment>> wires_;
  std::vector<std::vector<Assignment>> inits_;
  std::vector<std::vector<Assignment>> nexts_;
  std::vector<Property> properties_;
  std::vector<Term> free_wires_;
};

}  // namespace

System read_caig(std::string_view text, const std::string& file, const Options& options) {
  INVARIANT(options.int_width > 0 && options.int_width <= BitVector::kMaxWidth, "a width should be possible");
  return Reader(text, file, options).read();
}

}  // namespace plumb::caig
