#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/error.h"
#include "system/trace.h"

namespace plumb::system {

namespace {

using Choices = std::vector<std::optional<Value>>;

std::string without_blanks(std::string name) {
  std::replace_if(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return name;
}

void write_choice(std::string& text, std::size_t position, const Value& value, const std::string& name, char mark,
                  std::size_t step) {
  const auto out = std::back_inserter(text);
  const auto* array = std::get_if<term::ArrayValue>(&value);
  if (array == nullptr) {
    fmt::format_to(out, "{} {} {}{}{}\n", position, std::get<BitVector>(value).to_binary(), name, mark, step);
    return;
  }
  if (!array->otherwise.is_zero())
    fmt::format_to(out, "{} [*] {} {}{}{}\n", position, array->otherwise.to_binary(), name, mark, step);
  for (const auto& [index, element] : array->elements)
    fmt::format_to(out, "{} [{}] {} {}{}{}\n", position, index.to_binary(), element.to_binary(), name, mark, step);
}

/// Reads a witness line by line.
class WitnessReader {
 public:
  WitnessReader(const System& system, std::string_view text, const std::string& file)
      : system_(system), text_(text), file_(file) {}

  Trace read() {
    while (!is_done_ && next_line()) read_line();
    if (!has_header_) fail("expected 'sat', found the end of the file");
    if (!is_done_) fail("expected '.' at the end of the witness");
    return std::move(trace_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw UserError(SourceLocation{file_, line_, 0}, message);
  }

  bool next_line() {
    if (text_.empty()) return false;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    words_.clear();
    for (std::size_t i = 0; i < end;) {
      const std::size_t begin = text_.find_first_not_of(" \t\r", i);
      if (begin >= end || text_[begin] == ';') break;
      i = std::min(text_.find_first_of(" \t\r\n", begin), end);
      words_.push_back(text_.substr(begin, i - begin));
    }
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++line_;
    return true;
  }

  void read_line() {
    if (words_.empty()) return;
    const std::string_view first = words_[0];
    if (!has_header_) {
      if (first != "sat") fail(fmt::format("expected 'sat', found '{}'", first));
      has_header_ = true;
    } else if (first == ".") {
      is_done_ = true;
    } else if (first[0] == '#' || first[0] == '@') {
      begin_frame(first);
    } else if (first[0] == 'b' && !has_frame_) {
      return;  // which properties the writer says are reached: replay() finds out
    } else if (first[0] == 'j' && !has_frame_) {
      throw Unsupported(SourceLocation{file_, line_, 0}, "witnesses of justice properties are not supported");
    } else {
      read_choice();
    }
  }

  void begin_frame(std::string_view word) {
    step_ = number(word.substr(1));
    is_input_frame_ = word[0] == '@';
    if (step_ > trace_.steps.size()) fail(fmt::format("expected frame {}, found '{}'", trace_.steps.size(), word));
    if (step_ == trace_.steps.size()) trace_.steps.emplace_back();
    has_frame_ = true;
  }

  std::size_t number(std::string_view digits) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("expected a number, found '{}'", digits));
    return value;
  }

  BitVector bits(std::uint32_t width, std::string_view word) const {
    std::string digits(word);
    std::replace(digits.begin(), digits.end(), 'x', '0');
    const auto value = digits.size() == width ? BitVector::parse(width, digits, 2) : std::nullopt;
    if (!value) fail(fmt::format("expected {} binary digits, found '{}'", width, word));
    return *value;
  }

  void read_choice() {
    if (!has_frame_) fail("expected '#0' or '@0' before the first value");
    const std::size_t position = number(words_[0]);
    const std::size_t count = is_input_frame_ ? system_.inputs().size() : system_.states().size();
    if (position >= count)
      fail(fmt::format("there is no {} {}: the system has {}", is_input_frame_ ? "input" : "state", position, count));
    const Term variable = is_input_frame_ ? system_.inputs()[position] : system_.states()[position].variable;
    Trace::Step& step = trace_.steps[step_];
    Choices& choices = is_input_frame_ ? step.inputs : step_ == 0 ? trace_.initial : step.states;
    if (choices.size() <= position) choices.resize(position + 1);
    read_value(system_.store().sort(variable), choices[position]);
  }

  void read_value(Sort sort, std::optional<Value>& choice) {
    if (words_.size() < 2) fail("expected a value");
    if (!sort.is_array()) {
      choice = bits(sort.width, words_[1]);
      return;
    }
    const std::string_view index = words_[1];
    if (index.size() < 3 || index.front() != '[' || index.back() != ']' || words_.size() < 3)
      fail(fmt::format("expected '[INDEX] ELEMENT' of an array, found '{}'", index));
    if (!choice) choice = term::zero_value(sort);
    auto& array = std::get<term::ArrayValue>(*choice);
    const std::string_view digits = index.substr(1, index.size() - 2);
    if (digits == "*")
      array.otherwise = bits(sort.width, words_[2]);
    else
      array.elements.insert_or_assign(bits(sort.index_width, digits), bits(sort.width, words_[2]));
  }

  const System& system_;
  std::string_view text_;
  const std::string& file_;
  std::uint32_t line_ = 0;
  std::vector<std::string_view> words_;
  Trace trace_;
  std::size_t step_ = 0;
  bool has_header_ = false;
  bool has_frame_ = false;
  bool is_input_frame_ = false;
  bool is_done_ = false;
};

}  // namespace

std::string write_witness(const System& system, const Trace& trace) {
  std::string text = "sat\n";
  for (const Replay::Reached& reached : replay(system, trace).reached)
    fmt::format_to(std::back_inserter(text), "b{} ", reached.bad);
  if (text.back() == ' ') text.back() = '\n';
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const Choices& states = k == 0 ? trace.initial : trace.steps[k].states;
    const Choices& inputs = trace.steps[k].inputs;
    fmt::format_to(std::back_inserter(text), "#{}\n", k);
    for (std::size_t i = 0; i < std::min(states.size(), system.states().size()); ++i)
      if (states[i]) write_choice(text, i, *states[i], without_blanks(system.state_name(i)), '#', k);
    fmt::format_to(std::back_inserter(text), "@{}\n", k);
    for (std::size_t i = 0; i < std::min(inputs.size(), system.inputs().size()); ++i)
      if (inputs[i]) write_choice(text, i, *inputs[i], without_blanks(system.input_name(i)), '@', k);
  }
  return text + ".\n";
}

Trace read_witness(const System& system, std::string_view text, const std::string& file) {
  return WitnessReader(system, text, file).read();
}

}  // namespace plumb::system
