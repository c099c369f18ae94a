#include "lang/verilog/drivers.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <vector>

#include "lang/verilog/lines.h"

namespace plumb::verilog {
namespace {

/// The words of a signal: names and constants, each with a selection that may follow it.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

class Drivers {
 public:
  explicit Drivers(std::string_view rtlil) {
    for (const std::string& line : lines_of(rtlil)) read_line(line);
  }

  const std::optional<SharedWire>& shared() const noexcept { return shared_; }

 private:
  struct Wire {
    std::vector<bool> is_driven;
    std::string source;
  };

  void read_line(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) return;
    if (words[0] == "module") {
      wires_.clear();
      assignments_.clear();
    } else if (words[0] == "attribute" && words.size() > 2 && words[1] == "\\src") {
      const std::size_t quote = line.find('"');
      source_ = line.substr(quote + 1, line.rfind('"') - quote - 1);
    } else if (words[0] == "wire") {
      add_wire(words);
    } else if (words[0] == "cell") {
      cell_ = words[1];
    } else if (words[0] == "end") {
      cell_.clear();
    } else if (words[0] == "connect" && cell_.empty()) {
      // The same assignment twice is one.
      if (assignments_.insert(line).second) drive(std::span(words).subspan(1));
    } else if (words[0] == "connect" && is_output(words[1])) {
      drive(std::span(words).subspan(2));
    }
  }

  /// wire width 8 offset 4 input 1 \name
  void add_wire(const std::vector<std::string>& words) {
    std::uint32_t width = 1;
    bool is_input = false;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      if (words[i] == "width") width = number(words[i + 1]).value_or(1);
      is_input = is_input || words[i] == "input";
    }
    wires_[words.back()] = {std::vector<bool>(width, is_input), source_};
    source_.clear();
  }

  /// Of a cell of Yosys: ports for data that come out are called so, and no others, but DATA of what writes a memory.
  bool is_output(const std::string& port) const {
    if (port == "\\DATA") return cell_ == "$memrd" || cell_ == "$memrd_v2";
    constexpr std::array kOutputs = {"\\Y", "\\Q", "\\RD_DATA", "\\X", "\\CO"};
    return std::ranges::find(kOutputs, port) != kOutputs.end();
  }

  /// A signal, `\name`, `\name [3]`, `\name [7:4]` or several of them in braces; what follows it is not driven.
  void drive(std::span<const std::string> words) {
    const bool has_parts = words[0] == "{";
    for (std::size_t i = has_parts ? 1 : 0; i < words.size() && words[i] != "}"; ++i) {
      const std::string& name = words[i];
      const bool is_selected = i + 1 < words.size() && words[i + 1].starts_with('[');
      if (const auto found = wires_.find(name); found != wires_.end())
        drive_bits(found->first, found->second, is_selected ? words[i + 1] : "");
      if (is_selected) ++i;
      if (!has_parts) return;
    }
  }

  void drive_bits(const std::string& name, Wire& wire, std::string_view selection) {
    std::uint32_t high = static_cast<std::uint32_t>(wire.is_driven.size()) - 1;
    std::uint32_t low = 0;
    if (!selection.empty()) {
      selection = selection.substr(1, selection.size() - 2);
      const std::size_t colon = selection.find(':');
      high = number(selection.substr(0, colon)).value_or(high);
      low = colon == std::string_view::npos ? high : number(selection.substr(colon + 1)).value_or(low);
    }
    for (std::uint32_t bit = low; bit <= high && bit < wire.is_driven.size(); ++bit) {
      if (wire.is_driven[bit] && !shared_)
        shared_ = SharedWire{name.substr(name.starts_with('\\') ? 1 : 0), wire.source};
      wire.is_driven[bit] = true;
    }
  }

  std::map<std::string, Wire> wires_;
  std::set<std::string> assignments_;
  std::string source_;
  std::string cell_;  ///< the one that lines are of
  std::optional<SharedWire> shared_;
};

}  // namespace

std::optional<SharedWire> find_shared_wire(std::string_view rtlil) { return Drivers(rtlil).shared(); }

}  // namespace plumb::verilog
