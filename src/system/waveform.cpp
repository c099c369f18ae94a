#include "system/waveform.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "system/simulator.h"

namespace plumb::system {

namespace {

/// Printable characters but blanks, quotes and backslashes stand for themselves.
std::string escaped(const std::string& text) {
  if (text.empty()) return "\\000";
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code > ' ' && code <= '~' && c != '\\' && c != '"' && c != '\'' && c != '?')
      result += c;
    else
      fmt::format_to(std::back_inserter(result), "\\{:03o}", code);
  }
  return result;
}

struct Signal {
  std::vector<std::string> scopes;
  std::string name;
  Term term;
  std::optional<BitVector> element;        ///< the index, of an array
  const Annotation* annotation = nullptr;  ///< of a string
  std::uint32_t width = 1;
  std::string code;
  std::string last;  ///< the value that was written last
};

class VcdWriter {
 public:
  VcdWriter(const System& system, const Trace& trace, const WaveformOptions& options)
      : system_(system), store_(system.store()), trace_(trace), options_(options) {}

  std::string write() {
    collect();
    write_header();
    Simulator simulator(system_);
    for (std::size_t k = 0; k < trace_.steps.size(); ++k) {
      simulator.play(trace_, k);
      write_step(simulator, k);
    }
    print("#{}\n", trace_.steps.size());
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void collect() {
    for (std::size_t i = 0; i < system_.states().size(); ++i) add(system_.state_name(i), system_.states()[i].variable);
    for (std::size_t i = 0; i < system_.inputs().size(); ++i) add(system_.input_name(i), system_.inputs()[i]);
    add_all("wire", "", system_.wires());
    for (const Annotation& annotation : system_.annotations()) {
      Signal signal = named(annotation.name);
      signal.term = annotation.term;
      signal.annotation = &annotation;
      push(std::move(signal));
    }
    add_all("constraint", "constraint.", system_.constraints());
    add_all("bad", "bad.", system_.bads());
    std::stable_sort(signals_.begin(), signals_.end(),
                     [](const Signal& a, const Signal& b) { return a.scopes < b.scopes; });
    for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].code = code(i);
  }

  void add_all(std::string_view kind, std::string_view scope, std::span<const NamedTerm> terms) {
    for (std::size_t i = 0; i < terms.size(); ++i)
      add(terms[i].name.empty() ? fmt::format("{}{}{}", scope, kind, i) : fmt::format("{}{}", scope, terms[i].name),
          terms[i].term);
  }

  /// Splits a name at its dots; dots that would make an empty scope or name belong to the name.
  Signal named(const std::string& name) const {
    Signal signal;
    signal.scopes.push_back(options_.top);
    std::string clean = name.empty() ? "unnamed" : name;
    // A dollar sign starts the keywords of the format.
    const auto is_foreign = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '$'; };
    std::replace_if(clean.begin(), clean.end(), is_foreign, '_');
    std::size_t begin = 0;
    for (std::size_t dot = clean.find('.', 1); dot != std::string::npos; dot = clean.find('.', dot + 1)) {
      if (dot == begin || dot + 1 == clean.size()) continue;
      signal.scopes.push_back(clean.substr(begin, dot - begin));
      begin = dot + 1;
    }
    signal.name = clean.substr(begin);
    return signal;
  }

  void add(const std::string& name, Term t) {
    Signal signal = named(name);
    signal.term = t;
    signal.width = store_.width(t);
    const Sort sort = store_.sort(t);
    if (!sort.is_array()) {
      push(std::move(signal));
      return;
    }
    if (sort.index_width >= 64 || (std::uint64_t{1} << sort.index_width) > options_.max_elements) {
      hidden_.push_back(fmt::format("{} has 2^{} elements and is not shown", name, sort.index_width));
      return;
    }
    for (std::uint64_t i = 0; i < std::uint64_t{1} << sort.index_width; ++i) {
      Signal element = signal;
      element.element = BitVector(sort.index_width, i);
      element.name += fmt::format("[{}]", i);
      push(std::move(element));
    }
  }

  void push(Signal signal) {
    const std::string name = signal.name;
    for (int i = 2;; ++i) {
      const auto [it, is_new] = taken_.try_emplace(std::pair(signal.scopes, signal.name), signal.term);
      if (is_new) break;
      // A wire that only gives a state its name once more shows nothing new.
      if (it->second == signal.term && signal.annotation == nullptr) return;
      signal.name = fmt::format("{}_{}", name, i);
    }
    signals_.push_back(std::move(signal));
  }

  /// A short identifier of printable characters.
  static std::string code(std::size_t number) {
    std::string result;
    do {
      result += static_cast<char>('!' + number % 94);
      number /= 94;
    } while (number != 0);
    return result;
  }

  void write_header() {
    print("$version plumb $end\n$timescale 1 ns $end\n");
    for (const std::string& text : hidden_) print("$comment {} $end\n", text);
    std::vector<std::string> open;
    const auto go_to = [&](const std::vector<std::string>& scopes) {
      const auto [differs, unused] = std::mismatch(open.begin(), open.end(), scopes.begin(), scopes.end());
      const auto common = static_cast<std::size_t>(differs - open.begin());
      for (; open.size() > common; open.pop_back()) print("$upscope $end\n");
      for (; open.size() < scopes.size(); open.push_back(scopes[open.size()]))
        print("$scope module {} $end\n", scopes[open.size()]);
    };
    go_to({options_.top});
    for (const Signal& signal : signals_) {
      go_to(signal.scopes);
      if (signal.annotation != nullptr)
        print("$var string 1 {} {} $end\n", signal.code, signal.name);
      else if (signal.width == 1)
        print("$var wire 1 {} {} $end\n", signal.code, signal.name);
      else
        print("$var wire {} {} {} [{}:0] $end\n", signal.width, signal.code, signal.name, signal.width - 1);
    }
    go_to({});
    print("$enddefinitions $end\n");
  }

  void write_step(const Simulator& simulator, std::size_t k) {
    print("#{}\n", k);
    if (k == 0) print("$dumpvars\n");
    Term array;
    term::ArrayValue content;
    for (Signal& signal : signals_) {
      // The elements of an array stand side by side, so its content is taken once.
      if (signal.element && signal.term != array) {
        array = signal.term;
        content = std::get<term::ArrayValue>(simulator.value(array));
      }
      std::string value = change(signal, signal.element ? content.at(*signal.element) : simulator.bits(signal.term));
      if (value == signal.last) continue;
      print("{}{}\n", value, signal.code);
      signal.last = std::move(value);
    }
    if (k == 0) print("$end\n");
  }

  static std::string change(const Signal& signal, const BitVector& value) {
    if (signal.annotation != nullptr) {
      const auto it = signal.annotation->texts.find(value);
      return fmt::format("s{} ", escaped(it == signal.annotation->texts.end() ? std::string() : it->second));
    }
    return signal.width == 1 ? value.to_binary() : fmt::format("b{} ", value.to_binary());
  }

  const System& system_;
  const TermStore& store_;
  const Trace& trace_;
  const WaveformOptions& options_;
  std::vector<Signal> signals_;
  std::vector<std::string> hidden_;
  absl::flat_hash_map<std::pair<std::vector<std::string>, std::string>, Term> taken_;
  std::string text_;
};

}  // namespace

std::string write_vcd(const System& system, const Trace& trace, const WaveformOptions& options) {
  return VcdWriter(system, trace, options).write();
}

}  // namespace plumb::system
