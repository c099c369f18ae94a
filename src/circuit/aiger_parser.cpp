#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "circuit/aiger_text.h"

namespace plumb::circuit {

namespace {

// A binary file spends no bytes on an input, an ASCII file none on a number that it skips. Variables that are used need
// bytes somewhere, so a file may declare this many more than it has bytes; beyond that its header is taken for garbage.
constexpr std::uint64_t kUnusedVariables = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxVariables = (std::uint64_t{1} << 31) - 1;

std::string describe(char c) {
  if (c == '\n') return "the end of the line";
  if (c > ' ' && c <= '~') return fmt::format("'{}'", c);
  if (c == ' ') return "a space";
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  AigerText parse() {
    parse_header();
    parse_inputs();
    parse_latches();
    result_.outputs = parse_roots(outputs_, "an output");
    result_.bads = parse_roots(bads_, "a bad state literal");
    result_.constraints = parse_roots(constraints_, "a constraint");
    if (binary_) {
      parse_binary_ands();
    } else {
      parse_ascii_ands();
    }
    parse_symbols();
    return std::move(result_);
  }

 private:
  // --- Characters, numbers, lines ---

  /// A place on the current line.
  SourceLocation place(std::size_t position) const {
    return {file_, line_, static_cast<std::uint32_t>(std::min<std::size_t>(position - line_start_ + 1, UINT32_MAX))};
  }
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const {
    fail_at(position_, message, hint);
  }
  [[noreturn]] void fail_at(std::size_t position, const std::string& message, const std::string& hint = {}) const {
    throw UserError(place(position), message, hint);
  }
  [[noreturn]] void fail_expected(std::string_view what) const {
    if (at_end()) fail(fmt::format("the file ends where {} is expected", what));
    fail(fmt::format("expected {}, found {}", what, describe(text_[position_])));
  }
  /// For the section of a binary file that has no lines.
  [[noreturn]] void fail_at_byte(std::size_t offset, const std::string& message) const {
    throw UserError(SourceLocation{file_, 0, 0}, fmt::format("at byte {}: {}", offset, message));
  }

  bool at_end() const { return position_ == text_.size(); }
  bool sees(char c) const { return !at_end() && text_[position_] == c; }
  void expect(char c, std::string_view what) {
    if (!sees(c)) fail_expected(what);
    ++position_;
  }
  void expect_space() { expect(' ', "a space"); }
  void expect_end_of_line() {
    expect('\n', "the end of the line");
    ++line_;
    line_start_ = position_;
  }

  std::uint32_t number(std::string_view what) {
    const std::size_t start = position_;
    std::uint64_t value = 0;
    while (!at_end() && text_[position_] >= '0' && text_[position_] <= '9') {
      value = value * 10 + static_cast<std::uint64_t>(text_[position_] - '0');
      if (value > std::numeric_limits<std::uint32_t>::max())
        fail_at(start, fmt::format("{} is too large a number", what));
      ++position_;
    }
    if (position_ == start) fail_expected(what);
    return static_cast<std::uint32_t>(value);
  }

  std::uint32_t literal(std::string_view what) {
    const std::size_t start = position_;
    const std::uint32_t value = number(what);
    if (value / 2 > result_.max_variable)
      fail_at(start, fmt::format("literal {} is beyond the header's maximum variable {}", value, result_.max_variable));
    return value;
  }

  /// A literal that gets its meaning here.
  std::uint32_t defined_literal(std::string_view what) {
    const std::size_t start = position_;
    const std::uint32_t value = literal(what);
    if (value < 2) fail_at(start, fmt::format("{} cannot be the constant {}", what, value));
    if (value % 2 != 0) fail_at(start, fmt::format("{} cannot be the complemented literal {}", what, value));
    if (defined_[value / 2]) fail_at(start, fmt::format("literal {} is defined twice", value));
    defined_[value / 2] = true;
    return value;
  }

  // --- Sections ---

  void parse_header() {
    if (!text_.starts_with("aag ") && !text_.starts_with("aig "))
      fail("this is not an AIGER file",
           "an AIGER file starts with \"aag\" (ASCII) or \"aig\" (binary) and five counts");
    binary_ = text_[1] == 'i';
    position_ = 3;
    constexpr std::array<std::string_view, 9> kNames = {"the maximum variable index (M)",
                                                        "the number of inputs (I)",
                                                        "the number of latches (L)",
                                                        "the number of outputs (O)",
                                                        "the number of ands (A)",
                                                        "the number of bad state literals (B)",
                                                        "the number of constraints (C)",
                                                        "the number of justice properties (J)",
                                                        "the number of fairness constraints (F)"};
    std::array<std::uint32_t, 9> counts{};
    for (std::size_t i = 0; i < counts.size() && (i < 5 || sees(' ')); ++i) {
      expect_space();
      counts[i] = number(kNames[i]);
    }
    if (counts[7] != 0) throw Unsupported(place(position_), "AIGER justice properties (J) are not supported");
    if (counts[8] != 0) throw Unsupported(place(position_), "AIGER fairness constraints (F) are not supported");
    result_.max_variable = counts[0];
    inputs_ = counts[1];
    latches_ = counts[2];
    outputs_ = counts[3];
    ands_ = counts[4];
    bads_ = counts[5];
    constraints_ = counts[6];
    check_header();
    expect_end_of_line();
    defined_.assign(std::size_t{result_.max_variable} + 1, false);
  }

  /// After this, memory in proportion to the counts is memory in proportion to the file.
  void check_header() const {
    const std::uint64_t variables = result_.max_variable;
    if (variables > kMaxVariables || variables > text_.size() + kUnusedVariables)
      fail(
          fmt::format("the header claims {} variables, more than a file of {} bytes can use", variables, text_.size()));
    const std::uint64_t defined = inputs_ + latches_ + ands_;
    if (defined > variables)
      fail(fmt::format("the header claims {} inputs, latches and ands, but at most {} variables", defined, variables));
    if (binary_ && defined != variables)
      fail(fmt::format("the header claims {} variables, but a binary file with its {} inputs, latches and ands has {}",
                       variables, defined, defined));
    // The shortest lines: an input "2", a latch "2 0", a root "0", an and "2 0 0"; binary ands have two bytes.
    const std::uint64_t roots = 2 * (outputs_ + bads_ + constraints_);
    const std::uint64_t needed =
        binary_ ? 2 * latches_ + roots + 2 * ands_ : 2 * inputs_ + 4 * latches_ + roots + 6 * ands_;
    if (needed > text_.size() - position_)
      fail(fmt::format("the header's counts need at least {} more bytes, but the file ends after {}", needed,
                       text_.size() - position_),
           "the file may have been cut off");
  }

  void parse_inputs() {
    result_.inputs.reserve(inputs_);
    for (std::uint32_t i = 0; i < inputs_; ++i) {
      if (binary_) {
        result_.inputs.push_back(2 * (i + 1));
        continue;
      }
      result_.inputs.push_back(defined_literal("an input"));
      expect_end_of_line();
    }
  }

  void parse_latches() {
    result_.latches.reserve(latches_);
    for (std::uint32_t i = 0; i < latches_; ++i) {
      std::uint32_t own = 2 * (static_cast<std::uint32_t>(inputs_) + i + 1);
      if (!binary_) {
        own = defined_literal("a latch");
        expect_space();
      }
      const std::uint32_t next = literal("a next literal");
      const LatchInit init = sees(' ') ? parse_reset(own) : LatchInit::Zero;
      expect_end_of_line();
      result_.latches.push_back({own, next, init});
    }
  }

  LatchInit parse_reset(std::uint32_t own) {
    expect_space();
    const std::size_t start = position_;
    const std::uint32_t reset = number("a reset value");
    if (reset == 0) return LatchInit::Zero;
    if (reset == 1) return LatchInit::One;
    if (reset == own) return LatchInit::Free;
    fail_at(start, fmt::format("a latch cannot be reset to {}", reset),
            fmt::format("a reset value is 0, 1 or the latch itself ({}), which leaves it free", own));
  }

  std::vector<std::uint32_t> parse_roots(std::uint64_t count, std::string_view what) {
    std::vector<std::uint32_t> roots;
    roots.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      roots.push_back(literal(what));
      expect_end_of_line();
    }
    return roots;
  }

  void parse_ascii_ands() {
    result_.ands.reserve(ands_);
    for (std::uint64_t i = 0; i < ands_; ++i) {
      AigerText::AndLine line{};
      line.literal = defined_literal("an and");
      for (std::uint32_t& operand : line.operands) {
        expect_space();
        operand = literal("an operand");
      }
      expect_end_of_line();
      result_.ands.push_back(line);
    }
  }

  void parse_binary_ands() {
    const std::size_t start = position_;
    result_.ands.reserve(ands_);
    std::uint32_t own = 2 * static_cast<std::uint32_t>(inputs_ + latches_);
    for (std::uint64_t i = 0; i < ands_; ++i) {
      own += 2;
      const std::size_t offset = position_;
      const std::uint32_t first = delta();
      if (first == 0 || first > own)
        fail_at_byte(offset,
                     fmt::format("the first operand of and {} is {} below it, not within 1 to {}", own, first, own));
      const std::uint32_t high = own - first;
      const std::uint32_t second = delta();
      if (second > high)
        fail_at_byte(offset, fmt::format("the second operand of and {} is {} below the first, {}", own, second, high));
      result_.ands.push_back({own, {high, high - second}});
    }
    // Lines after the ands are counted as an editor counts them, by all line breaks before.
    const std::string_view section = text_.substr(start, position_ - start);
    line_ += static_cast<std::uint32_t>(std::count(section.begin(), section.end(), '\n'));
    if (const std::size_t last = section.rfind('\n'); last != std::string_view::npos) line_start_ = start + last + 1;
  }

  std::uint32_t delta() {
    const std::size_t offset = position_;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      if (at_end()) fail_at_byte(position_, "the file ends within the ands");
      const auto byte = static_cast<unsigned char>(text_[position_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if (value > std::numeric_limits<std::uint32_t>::max()) break;
      return static_cast<std::uint32_t>(value);
    }
    fail_at_byte(offset, "an operand's distance has more than 32 bits");
  }

  // --- Symbols ---

  void parse_symbols() {
    while (!at_end()) {
      constexpr std::string_view kKinds = "ilobc";
      const char kind = text_[position_];
      const std::size_t section = kKinds.find(kind);
      if (section == std::string_view::npos) fail_expected("a symbol (i, l, o, b or c) or the comment section");
      ++position_;
      if (kind == 'c' && sees('\n')) return;
      parse_symbol(static_cast<AigerText::Section>(section), kind);
    }
  }

  void parse_symbol(AigerText::Section section, char kind) {
    const std::array<std::uint64_t, AigerText::kSections> sizes = {inputs_, latches_, outputs_, bads_, constraints_};
    const std::size_t start = position_;
    const std::uint32_t index = number("a symbol's position");
    if (index >= sizes[section])
      fail_at(start, fmt::format("symbol {}{} names nothing: there are {} of its kind", kind, index, sizes[section]));
    expect_space();
    const std::size_t end = text_.find('\n', position_);
    if (end == std::string_view::npos) fail("the file ends within a symbol's name");
    std::vector<std::string>& names = result_.names[section];
    names.resize(sizes[section]);
    if (!names[index].empty()) fail_at(start, fmt::format("symbol {}{} is named twice", kind, index));
    names[index] = text_.substr(position_, end - position_);
    position_ = end;
    expect_end_of_line();
  }

  const std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;

  bool binary_ = false;
  // Counts of the header, wide enough that their sums do not overflow.
  std::uint64_t inputs_ = 0;
  std::uint64_t latches_ = 0;
  std::uint64_t outputs_ = 0;
  std::uint64_t ands_ = 0;
  std::uint64_t bads_ = 0;
  std::uint64_t constraints_ = 0;
  std::vector<bool> defined_;  ///< by variable, for ASCII files
  AigerText result_;
};

}  // namespace

AigerText parse_aiger(std::string_view text, const std::string& file) { return Parser(text, file).parse(); }

}  // namespace plumb::circuit
