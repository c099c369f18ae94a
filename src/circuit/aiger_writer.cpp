#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "circuit/aiger.h"

namespace plumb::circuit {

namespace {

class Writer {
 public:
  Writer(const Aig& aig, AigerFormat format) : aig_(aig), format_(format), numbers_(aig.size(), 0) {}

  std::string write() {
    number_nodes();
    write_header();
    write_latches_and_roots();
    write_ands();
    write_symbols();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  std::uint32_t literal(Lit lit) const { return numbers_[lit.node()] * 2 + (lit.complemented() ? 1U : 0U); }

  /// Fanins have smaller indices than their node, and a cone ascends: the numbers of ands ascend as the binary format
  /// demands.
  void number_nodes() {
    std::uint32_t next = 1;
    for (const Aig::Input& input : aig_.inputs()) numbers_[input.node] = next++;
    for (const Latch& latch : aig_.latches()) numbers_[latch.node] = next++;

    std::vector<Lit> roots;
    for (const Latch& latch : aig_.latches()) roots.push_back(latch.next);
    for (const auto& named : {aig_.outputs(), aig_.bads(), aig_.constraints()})
      for (const NamedLit& root : named) roots.push_back(root.lit);
    for (const std::uint32_t node : aig_.cone(roots)) {
      if (!aig_.is_and(node)) continue;
      numbers_[node] = next++;
      ands_.push_back(node);
    }
  }

  void write_header() {
    const std::size_t inputs = aig_.inputs().size();
    const std::size_t latches = aig_.latches().size();
    print("{} {} {} {} {} {}", format_ == AigerFormat::Ascii ? "aag" : "aig", inputs + latches + ands_.size(), inputs,
          latches, aig_.outputs().size(), ands_.size());
    if (!aig_.bads().empty() || !aig_.constraints().empty()) print(" {}", aig_.bads().size());
    if (!aig_.constraints().empty()) print(" {}", aig_.constraints().size());
    text_ += '\n';
  }

  void write_latches_and_roots() {
    const bool ascii = format_ == AigerFormat::Ascii;
    if (ascii)
      for (const Aig::Input& input : aig_.inputs()) print("{}\n", literal(Lit::of(input.node)));
    for (const Latch& latch : aig_.latches()) {
      const std::uint32_t own = literal(Lit::of(latch.node));
      if (ascii) print("{} ", own);
      print("{}", literal(latch.next));
      if (latch.init == LatchInit::One) print(" 1");
      if (latch.init == LatchInit::Free) print(" {}", own);
      text_ += '\n';
    }
    for (const auto& named : {aig_.outputs(), aig_.bads(), aig_.constraints()})
      for (const NamedLit& root : named) print("{}\n", literal(root.lit));
  }

  void write_ands() {
    for (const std::uint32_t node : ands_) {
      const std::uint32_t own = literal(Lit::of(node));
      std::uint32_t high = literal(aig_.fanin0(node));
      std::uint32_t low = literal(aig_.fanin1(node));
      if (high < low) std::swap(high, low);
      if (format_ == AigerFormat::Ascii) {
        print("{} {} {}\n", own, high, low);
      } else {
        write_delta(own - high);
        write_delta(high - low);
      }
    }
  }

  /// Seven bits a byte, the lowest first; the top bit says that more follow.
  void write_delta(std::uint32_t delta) {
    for (; delta >= 0x80; delta >>= 7) text_ += static_cast<char>((delta & 0x7f) | 0x80);
    text_ += static_cast<char>(delta);
  }

  template <typename Range>
  void write_names(char kind, const Range& range) {
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (range[i].name.empty()) continue;
      std::string name = range[i].name;
      std::replace(name.begin(), name.end(), '\n', ' ');
      print("{}{} {}\n", kind, i, name);
    }
  }

  void write_symbols() {
    write_names('i', aig_.inputs());
    write_names('l', aig_.latches());
    write_names('o', aig_.outputs());
    write_names('b', aig_.bads());
    write_names('c', aig_.constraints());
  }

  const Aig& aig_;
  const AigerFormat format_;
  std::vector<std::uint32_t> numbers_;  ///< by node: its variable in the file
  std::vector<std::uint32_t> ands_;
  std::string text_;
};

}  // namespace

std::string write_aiger(const Aig& aig, AigerFormat format) { return Writer(aig, format).write(); }

}  // namespace plumb::circuit
