// Each rule stands for one experiment: a construct that Yosys 0.23 parses without a word, whose cells then compute
// something else than a simulator does. The rules look at the syntax before Yosys simplifies it, where casts, types and
// names still stand as they were written, and refuse more than what goes wrong only where telling the two apart would
// need the widths that Yosys finds later.

#include "lang/verilog/misread.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "lang/verilog/lines.h"

namespace plumb::verilog {
namespace {

constexpr unsigned kMaxDepth = 8;  ///< of expressions that are looked into for a bound

using Types = std::span<const std::string_view>;

bool is_one_of(std::string_view type, Types types) { return std::ranges::find(types, type) != types.end(); }

constexpr std::array<std::string_view, 2> kDeclarations = {"WIRE", "MEMORY"};
constexpr std::array<std::string_view, 2> kParameters = {"PARAMETER", "LOCALPARAM"};
constexpr std::array<std::string_view, 2> kSubprograms = {"TASK", "FUNCTION"};
constexpr std::array<std::string_view, 3> kAssignments = {"ASSIGN", "ASSIGN_EQ", "ASSIGN_LE"};
constexpr std::array<std::string_view, 5> kProperties = {"ASSERT", "ASSUME", "COVER", "LIVE", "FAIR"};
constexpr std::array<std::string_view, 4> kOrders = {"LT", "LE", "GT", "GE"};
/// Operators with operands as wide as the context, whose result depends on that width.
constexpr std::array<std::string_view, 11> kWidthDependent = {
    "ADD", "SUB", "MUL", "DIV", "MOD", "POW", "NEG", "BIT_NOT", "BIT_XNOR", "SHIFT_LEFT", "SHIFT_SLEFT"};
constexpr std::array<std::string_view, 4> kShifts = {"SHIFT_LEFT", "SHIFT_SLEFT", "SHIFT_RIGHT", "SHIFT_SRIGHT"};
/// Operators that hand the width of the context on to their operands.
constexpr std::array<std::string_view, 7> kTransparent = {"BIT_AND",     "BIT_OR",       "BIT_XOR", "POS",
                                                          "SHIFT_RIGHT", "SHIFT_SRIGHT", "TERNARY"};

/// Operands of one expression, through operators that hand width and sign on. The condition of ?: and the amount of a
/// shift are not among them.
void add_context_operands(const Syntax& syntax, std::size_t node, std::vector<std::size_t>& operators,
                          std::vector<std::size_t>& leaves) {
  std::vector<std::size_t> waiting{node};
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    const std::string& type = syntax[at].type;
    if (!is_one_of(type, kWidthDependent) && !is_one_of(type, kTransparent)) {
      leaves.push_back(at);
      continue;
    }
    operators.push_back(at);
    std::vector<std::size_t> operands = syntax.children(at);
    if (type == "TERNARY" && !operands.empty()) operands.erase(operands.begin());
    if ((is_one_of(type, kShifts) || type == "POW") && operands.size() > 1) operands.resize(1);
    waiting.insert(waiting.end(), operands.begin(), operands.end());
  }
}

/// Yosys counts with an int.
bool is_beyond_int(std::string_view bits) {
  const std::size_t first = bits.find('1');
  return first != std::string_view::npos && bits.size() - first > 31;
}

/// What is declared in a module, outside of its tasks and functions, and by whom.
class Module {
 public:
  Module(const Syntax& syntax, std::size_t module) : syntax_(syntax), module_(module) {
    for (std::size_t i = module; i < syntax[module].end; ++i) {
      if (is_one_of(syntax[i].type, kSubprograms)) {
        i = syntax[i].end - 1;
      } else if (is_one_of(syntax[i].type, kDeclarations)) {
        declarations_.emplace(syntax[i].name, i);
      }
    }
  }

  void check() {
    find_enums();
    for (const std::size_t i : syntax_.find(module_, kParameters))
      if (std::ranges::any_of(syntax_.children(i), [&](std::size_t value) { return is_empty_string(value); }))
        empty_strings_.insert(syntax_[i].name);
    for (std::size_t i = module_; i < syntax_[module_].end; ++i) check_node(i);
  }

 private:
  [[noreturn]] void refuse(std::size_t node, const std::string& construct, const std::string& hint) const {
    throw Unsupported(syntax_.place(node), fmt::format("{}, which Yosys misreads", construct), hint);
  }

  void check_node(std::size_t i) {
    const std::string& type = syntax_[i].type;
    if (type == "CAST_SIZE") check_size_cast(i);
    if (type == "FCALL") check_query(i);
    if (is_one_of(type, kSubprograms)) check_arguments(i);
    if (type == "CONCAT" || type == "REPLICATE") check_concatenation(i);
    if (type == "RANGE") check_index(i);
    if (type == "TERNARY") check_condition(i);
    if (type == "COND" || type == "CONDZ") check_case_item(i);
    if (type == "EQX" || type == "NEX") check_identity(i);
    if (type == "PARAMETER") check_parameter(i);
    if (is_one_of(type, kOrders) || type == "DIV" || type == "MOD" || type == "SHIFT_SRIGHT") check_enum_use(i);
    if (type == "INITIAL") check_initial(i);
    if (type == "ALWAYS") check_combinational(i);
  }

  /// A cast is an assignment to that many bits, so they are the width of what is inside (6.24.1); Yosys gives the
  /// inside a width of its own. No difference where an operand is as wide already.
  void check_size_cast(std::size_t i) const {
    const std::vector<std::size_t> parts = syntax_.children(i);
    if (parts.size() != 2) return;
    std::vector<std::size_t> operators;
    std::vector<std::size_t> leaves;
    add_context_operands(syntax_, parts[1], operators, leaves);
    const bool is_signed = std::ranges::all_of(leaves, [&](std::size_t leaf) { return may_be_signed(leaf); });
    const bool depends = std::ranges::any_of(operators, [&](std::size_t at) {
      return is_one_of(syntax_[at].type, kWidthDependent) || (syntax_[at].type == "SHIFT_RIGHT" && is_signed);
    });
    if (!depends) return;
    std::uint64_t widest = 0;
    for (const std::size_t leaf : leaves) {
      if (has_width(leaf, parts[0])) return;
      widest = std::max(widest, width_of(leaf));
    }
    const auto bits = bound(parts[0], kMaxDepth);
    if (bits && *bits <= widest) return;
    refuse(i, "a size cast of an expression whose value depends on its width",
           "assign the expression to a wire of that width, or cast its operands");
  }

  /// The two bounds of a whole variable that is declared with one range, or nothing.
  std::vector<std::size_t> range_of(std::size_t leaf) const {
    const std::size_t* found = declaration(syntax_[leaf].name);
    if (syntax_[leaf].type != "IDENTIFIER" || !syntax_.children(leaf).empty() || found == nullptr ||
        syntax_[*found].type != "WIRE")
      return {};
    const std::vector<std::size_t> parts = syntax_.children(*found);
    return parts.size() == 1 && syntax_[parts[0]].type == "RANGE" ? syntax_.children(parts[0])
                                                                  : std::vector<std::size_t>{};
  }

  /// Of a constant, and of a variable with numbers in its range; 0 if that is not seen at once.
  std::uint64_t width_of(std::size_t leaf) const {
    if (syntax_[leaf].type == "CONSTANT") return syntax_[leaf].bits().size();
    const std::vector<std::size_t> range = range_of(leaf);
    if (range.size() != 2 || syntax_[range[0]].type != "CONSTANT" || syntax_[range[1]].type != "CONSTANT") return 0;
    const auto left = bound(range[0], 1);
    const auto right = bound(range[1], 1);
    return left && right ? std::max(*left, *right) - std::min(*left, *right) + 1 : 0;
  }

  /// A variable that is declared with the range [width - 1 : 0].
  bool has_width(std::size_t leaf, std::size_t width) const {
    const std::vector<std::size_t> range = range_of(leaf);
    if (range.size() != 2 || syntax_[range[0]].type != "SUB" || bound(range[1], 1) != 0U) return false;
    const std::vector<std::size_t> difference = syntax_.children(range[0]);
    return difference.size() == 2 && is_same(difference[0], width) && bound(difference[1], 1) == 1U;
  }

  bool is_same(std::size_t a, std::size_t b) const {
    if (syntax_[a].end - a != syntax_[b].end - b) return false;
    for (std::size_t i = 0; i < syntax_[a].end - a; ++i) {
      const Node& left = syntax_[a + i];
      const Node& right = syntax_[b + i];
      if (left.type != right.type || left.name != right.name || left.text != right.text) return false;
    }
    return true;
  }

  bool may_be_signed(std::size_t leaf) const {
    constexpr std::array<std::string_view, 4> kUnsigned = {"CONCAT", "REPLICATE", "TO_UNSIGNED", "PREFIX"};
    if (is_one_of(syntax_[leaf].type, kUnsigned)) return false;
    if (syntax_[leaf].type == "CONSTANT") return syntax_[leaf].has("signed");
    if (syntax_[leaf].type != "IDENTIFIER") return true;
    const std::size_t* found = declaration(syntax_[leaf].name);
    if (found == nullptr || syntax_[*found].has("signed")) return true;
    return std::ranges::any_of(syntax_.children(*found),
                               [&](std::size_t part) { return syntax_[part].type == "WIRETYPE"; });
  }

  /// No value of a constant expression is above this; nothing if that is not seen at once.
  std::optional<std::uint64_t> bound(std::size_t node, unsigned depth) const {
    const std::string& type = syntax_[node].type;
    if (depth == 0) return std::nullopt;
    if (type == "CONSTANT") {
      const std::string_view bits = syntax_[node].bits();
      if (bits.empty() || bits.size() > 32 || bits.find_first_not_of("01") != std::string_view::npos)
        return std::nullopt;
      return std::accumulate(bits.begin(), bits.end(), std::uint64_t{0},
                             [](std::uint64_t value, char bit) { return 2 * value + (bit == '1' ? 1 : 0); });
    }
    if (type == "FCALL" && syntax_[node].name == "$clog2") return 32;
    if (type == "ADD") {
      const std::vector<std::size_t> operands = syntax_.children(node);
      const auto left = bound(operands[0], depth - 1);
      const auto right = bound(operands[1], depth - 1);
      return left && right ? std::optional(*left + *right) : std::nullopt;
    }
    if (type != "IDENTIFIER" || !syntax_.children(node).empty()) return std::nullopt;
    std::optional<std::uint64_t> most;
    const auto add = [&](std::size_t setting) {
      const auto value = bound(syntax_.children(setting).front(), depth - 1);
      if (value) most = std::max(most.value_or(0), *value);
      return value.has_value();
    };
    bool is_fixed = true;  // only a local parameter has the value that stands behind it
    for (const std::size_t i : syntax_.find(module_, kParameters)) {
      if (syntax_[i].name != syntax_[node].name) continue;
      is_fixed = is_fixed && syntax_[i].type == "LOCALPARAM";
      if (!add(i)) return std::nullopt;
    }
    for (std::size_t i = 0; !is_fixed && i < syntax_.nodes().size(); ++i) {
      const Node& other = syntax_[i];
      if (other.type == "DEFPARAM") return std::nullopt;
      const bool may_set = other.type == "PARASET" && (other.name.empty() || other.name == syntax_[node].name);
      if (may_set && !add(i)) return std::nullopt;
    }
    return most;
  }

  const std::size_t* declaration(const std::string& name) const {
    const auto [begin, end] = declarations_.equal_range(name);
    return begin != end && std::next(begin) == end ? &begin->second : nullptr;
  }

  /// $bits and its kin look at the declaration of a name, whatever part of it is asked for.
  void check_query(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kQueries = {"$left", "$right", "$high", "$low", "$size", "$bits"};
    const std::string& name = syntax_[i].name;
    const std::vector<std::size_t> arguments = syntax_.children(i);
    const bool counts_unknowns =
        name == "$countbits" && std::ranges::any_of(arguments, [&](std::size_t at) { return is_unknown(at, "xz"); });
    if (name == "$isunknown" || counts_unknowns)
      refuse(i, fmt::format("{} for x or z", name), "signals are 0 or 1 here: leave it out");
    if (!is_one_of(name, kQueries) || arguments.empty()) return;
    const Node& argument = syntax_[arguments.front()];
    const bool is_name = argument.type == "IDENTIFIER";
    bool is_right = name == "$bits" && !is_name && argument.type != "CAST_SIZE";
    if (is_name && syntax_.children(arguments.front()).empty()) {
      const std::size_t* found = declaration(argument.name);
      if (found != nullptr) {
        bool has_range = false;
        bool has_type = false;
        for (const std::size_t part : syntax_.children(*found)) {
          has_range = has_range || syntax_[part].type.ends_with("RANGE");
          has_type = has_type || syntax_[part].type == "WIRETYPE" || syntax_[part].type == "STRUCT";
        }
        const bool is_array = syntax_[*found].type == "MEMORY";
        is_right = has_type ? !has_range && !is_array : has_range || name == "$bits";
      } else {
        is_right = name == "$bits" && argument.name.find('.') == std::string::npos;
      }
    }
    if (!is_right) refuse(i, fmt::format("{} of anything but a whole variable with a range", name), "write the number");
  }

  /// A task or function with an inout argument works on a copy that is never written back.
  void check_arguments(std::size_t i) const {
    for (const std::size_t part : syntax_.children(i))
      if (syntax_[part].type == "WIRE" && syntax_[part].has("input") && syntax_[part].has("output"))
        refuse(part, fmt::format("an inout argument, '{}'", syntax_[part].name), "use an input and an output");
  }

  /// "" has 8 bits (5.9), and no bits with Yosys.
  void check_concatenation(std::size_t i) const {
    for (const std::size_t part : syntax_.children(i))
      if (is_empty_string(part) || (syntax_[part].type == "IDENTIFIER" && empty_strings_.contains(syntax_[part].name)))
        refuse(part, "an empty string in a concatenation", "write 8'd0, or leave it out");
  }

  bool is_empty_string(std::size_t node) const {
    return syntax_[node].type == "CONSTANT" && syntax_[node].has("range=[-1:0]");
  }

  void check_index(std::size_t i) const {
    for (const std::size_t bound : syntax_.children(i))
      if (syntax_[bound].type == "CONSTANT" && is_beyond_int(syntax_[bound].bits()))
        refuse(bound, "an index of more than 31 bits", "no such element exists");
  }

  /// Of x ? a : b each bit is x where a and b differ (11.4.11); Yosys takes b.
  void check_condition(std::size_t i) const {
    const std::size_t condition = syntax_.children(i).front();
    if (is_unknown(condition, "xz")) refuse(i, "an x as the condition of ?:", "write the value that is meant");
  }

  bool is_unknown(std::size_t node, std::string_view digits) const {
    return syntax_[node].type == "CONSTANT" && syntax_[node].bits().find_first_of(digits) != std::string_view::npos;
  }

  /// Nothing that is 0 or 1 is x or z; with Yosys x is any value, and matches some of the time.
  void check_case_item(std::size_t i) const {
    const bool is_casez = syntax_[i].type == "CONDZ";
    for (const std::size_t item : syntax_.children(i))
      if (is_unknown(item, is_casez ? "x" : "xz"))
        refuse(item, is_casez ? "x in a casez" : "x, z or ? in a case that is no casez", "write casez, and ?");
  }

  void check_identity(std::size_t i) const {
    for (const std::size_t operand : syntax_.children(i))
      if (is_unknown(operand, "xz")) refuse(i, "a comparison with x or z", "signals are 0 or 1 here: leave it out");
  }

  /// `parameter signed P = 3` takes its width from the value that it is given and stays signed (6.20.2).
  void check_parameter(std::size_t i) const {
    if (!syntax_[i].has("signed")) return;
    for (const std::size_t part : syntax_.children(i))
      if (syntax_[part].type == "RANGE") return;
    refuse(i, fmt::format("a signed parameter without a range, '{}'", syntax_[i].name),
           fmt::format("declare it as 'parameter int {}'", syntax_[i].name));
  }

  /// An enum without a type is an int, and signed (6.19); with Yosys its items and variables are unsigned.
  void find_enums() {
    for (std::size_t i = module_; i < syntax_[module_].end; ++i) {
      const bool is_item = syntax_[i].type == "ENUM_ITEM";
      if (!is_item && !(syntax_[i].type == "WIRE" && syntax_[i].has("type=enum"))) continue;
      if (syntax_[i].has("signed")) continue;
      for (const std::size_t part : syntax_.children(i)) {
        if (syntax_[part].type == "RANGE" && syntax_[part].has("signed")) enums_.insert(syntax_[i].name);
        if (is_item && syntax_[part].type == "NEG" && syntax_[syntax_.children(i).back()].has("signed"))
          refuse(i, fmt::format("a negative item, '{}', in an enum without a type", syntax_[i].name),
                 "write 'enum int'");
      }
    }
  }

  void check_enum_use(std::size_t i) const {
    const bool is_order = is_one_of(syntax_[i].type, kOrders);
    bool has_enum = false;
    bool is_plain = is_order;
    for (const std::size_t operand : syntax_.children(i)) {
      std::vector<std::size_t> operators;
      std::vector<std::size_t> leaves;
      add_context_operands(syntax_, operand, operators, leaves);
      for (const std::size_t leaf : leaves) {
        const bool is_enum = syntax_[leaf].type == "IDENTIFIER" && enums_.contains(syntax_[leaf].name);
        has_enum = has_enum || is_enum;
        is_plain = is_plain && (is_enum || syntax_[leaf].type == "CONSTANT");
      }
      is_plain = is_plain && operators.empty();
    }
    if (has_enum && !is_plain) refuse(i, "arithmetic with an enum without a type", "write 'enum int'");
  }

  /// Of names in an expression, those that are variables or wires of this module. `local` are declared in the block.
  bool is_signal(const std::string& name, const std::set<std::string>& local) const {
    return declarations_.contains(name) && !local.contains(name);
  }

  std::set<std::string> locals(std::size_t block) const {
    std::set<std::string> names;
    for (const std::size_t i : syntax_.find(block, kDeclarations)) names.insert(syntax_[i].name);
    return names;
  }

  struct Access {
    std::size_t node;
    bool is_write;
    bool is_whole;  ///< not an element or a part
    bool is_blocking;
  };

  /// Reads and writes below a node as they happen in one pass from top to bottom.
  std::vector<Access> accesses(std::size_t block) const {
    std::vector<Access> found;
    struct Pending {
      std::size_t end;
      Access write;
    };
    std::vector<Pending> pending;
    std::set<std::size_t> targets;
    const auto finish = [&](std::size_t at) {
      while (!pending.empty() && pending.back().end <= at) {
        found.push_back(pending.back().write);
        pending.pop_back();
      }
    };
    for (std::size_t i = block; i < syntax_[block].end; ++i) {
      finish(i);
      const Node& node = syntax_[i];
      if (is_one_of(node.type, kAssignments)) {
        std::vector<std::size_t> waiting{syntax_.children(i).front()};
        while (!waiting.empty()) {
          const std::size_t at = waiting.back();
          waiting.pop_back();
          if (syntax_[at].type == "CONCAT") {
            for (const std::size_t part : syntax_.children(at)) waiting.push_back(part);
          } else if (syntax_[at].type == "IDENTIFIER") {
            targets.insert(at);
            pending.push_back({node.end, {at, true, syntax_.children(at).empty(), node.type == "ASSIGN_EQ"}});
          }
        }
      } else if (node.type == "IDENTIFIER" && !targets.contains(i)) {
        found.push_back({i, false, syntax_.children(i).empty(), false});
      } else if (node.type == "TCALL") {
        // Which arguments a task reads and which it writes is not known here: both, but for those of the language.
        for (const std::size_t argument : syntax_.children(i)) {
          if (node.name.starts_with('$')) targets.insert(argument);
          if (syntax_[argument].type == "IDENTIFIER")
            pending.push_back({node.end, {argument, true, syntax_.children(argument).empty(), false}});
        }
      }
    }
    finish(syntax_[block].end);
    return found;
  }

  bool is_below_property(std::size_t node, std::size_t block) const {
    for (; node != block; node = syntax_[node].parent)
      if (is_one_of(syntax_[node].type, kProperties)) return true;
    return false;
  }

  /// Yosys makes `initial r = w` the wire r = w for ever.
  void check_initial(std::size_t i) const {
    const std::set<std::string> local = locals(i);
    std::set<std::string> written;
    for (const Access& access : accesses(i)) {
      const std::string& name = syntax_[access.node].name;
      if (access.is_write) {
        written.insert(name);
      } else if (is_signal(name, local) && !written.contains(name) && !is_below_property(access.node, i)) {
        refuse(access.node, fmt::format("an initial value that depends on '{}'", name),
               "use a constant, or 'initial assume (…)'");
      }
    }
  }

  /// What an event list leaves out, and what is read before the block writes it, keeps its former value in simulation.
  void check_combinational(std::size_t i) const {
    std::set<std::string> list;
    for (const std::size_t part : syntax_.children(i)) {
      if (syntax_[part].type == "POSEDGE" || syntax_[part].type == "NEGEDGE") return;
      if (syntax_[part].type != "EDGE") continue;
      for (const std::size_t name : syntax_.find(part, std::array<std::string_view, 1>{"IDENTIFIER"}))
        list.insert(syntax_[name].name);
    }
    const std::set<std::string> local = locals(i);
    std::vector<Access> all;
    for (const std::size_t part : syntax_.children(i)) {
      if (syntax_[part].type != "BLOCK") continue;
      const std::vector<Access> found = accesses(part);
      all.insert(all.end(), found.begin(), found.end());
    }
    std::set<std::string> ever_written;
    for (const Access& access : all)
      if (access.is_write) ever_written.insert(syntax_[access.node].name);
    std::map<std::string, Access> read;
    std::set<std::string> written;
    for (const Access& access : all) {
      const std::string& name = syntax_[access.node].name;
      if (!is_signal(name, local)) continue;
      if (access.is_write) {
        const auto before = read.find(name);
        if (before != read.end() && !written.contains(name) && access.is_blocking &&
            (before->second.is_whole || access.is_whole))
          refuse(before->second.node,
                 fmt::format("'{}', read before the block that is to compute it has assigned it", name),
                 "assign it first");
        written.insert(name);
      } else {
        if (!list.empty() && !list.contains(name) && !ever_written.contains(name))
          refuse(access.node, fmt::format("an event list without '{}', which the block reads", name), "write @*");
        read.emplace(name, access);
      }
    }
  }

  const Syntax& syntax_;
  std::size_t module_;
  std::multimap<std::string, std::size_t> declarations_;
  std::set<std::string> empty_strings_;  ///< parameters
  std::set<std::string> enums_;          ///< items and variables of enums without a type
};

}  // namespace

void refuse_misread(const Syntax& syntax, std::span<const std::size_t> modules) {
  for (const std::size_t module : modules) Module(syntax, module).check();
}

void refuse_dropped(std::span<const SourceToken> tokens) {
  constexpr std::array<std::string_view, 11> kBeforeStatement = {
      ";", "begin", "end", "else", "initial", "always", "always_comb", "always_ff", "always_latch", ")", ":"};
  constexpr std::array<std::string_view, 4> kClaims = {"assert", "assume", "cover", "restrict"};
  bool is_off = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text.starts_with("/*")) {
      is_off = text.find("translate_off") != std::string_view::npos;
    } else if (is_off) {
      if (is_one_of(text, kClaims))
        throw Unsupported(tokens[i].place, fmt::format("'{}' where translation is off, which Yosys drops", text),
                          "end the comment with translate_on before it");
    } else if (text == "bind") {
      throw Unsupported(tokens[i].place, "a bind, which Yosys drops", "instantiate the module where it is bound to");
    } else if (text == "checker") {
      throw Unsupported(tokens[i].place, "a checker, which Yosys misreads", "write a module");
    } else if (text == "notif0") {
      throw Unsupported(tokens[i].place, "notif0, which Yosys misreads",
                        "write notif1 with the complement of the control");
    } else if (text == "#" && i > 0 && is_one_of(tokens[i - 1].text, kBeforeStatement)) {
      throw Unsupported(tokens[i].place, "a delay between statements, which Yosys misreads",
                        "only delays inside of an assignment are left out without harm");
    }
  }
}

std::vector<SourceLocation> untranslated(std::span<const SourceToken> tokens) {
  std::vector<SourceLocation> places;
  for (const SourceToken& token : tokens)
    if (token.text.starts_with("/*") && token.text.find("translate_off") != std::string_view::npos)
      places.push_back(token.place);
  return places;
}

void refuse_shifts(const std::string& rtlil, const Texts& texts) {
  constexpr std::array<std::string_view, 4> kCells = {"$shl", "$sshl", "$shr", "$sshr"};
  std::string source;
  bool is_shift = false;
  for (const std::string& line : lines_of(rtlil)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view rest = std::string_view(line).substr(indent);
    constexpr std::string_view kSource = "attribute \\src \"";
    constexpr std::string_view kAmount = "connect \\B ";
    if (rest.starts_with(kSource)) source = rest.substr(kSource.size(), rest.size() - kSource.size() - 1);
    if (rest.starts_with("cell ")) is_shift = is_one_of(rest.substr(5, rest.find(' ', 5) - 5), kCells);
    if (is_shift && rest.starts_with(kAmount) && is_beyond_int(rest.substr(std::min(rest.find('\''), rest.size()))))
      throw Unsupported(place_of(source, texts),
                        "a shift by a constant that is negative or has more than 31 bits, which Yosys misreads",
                        "write the value that it gives");
  }
}

void refuse_foreign_writes(const Syntax& syntax, std::span<const std::size_t> modules,
                           std::span<const std::string> names) {
  for (const std::size_t module : modules)
    for (const std::size_t i : syntax.find(module, std::array<std::string_view, 1>{"IDENTIFIER"})) {
      if (std::ranges::find(names, syntax[i].name) == names.end()) continue;
      std::size_t below = i;
      std::size_t at = syntax[i].parent;
      for (; syntax[at].type == "CONCAT"; at = syntax[at].parent) below = at;
      const bool is_written = is_one_of(syntax[at].type, kAssignments) && syntax.children(at).front() == below;
      if (is_written || syntax[at].type == "ARGUMENT" || syntax[at].type == "TCALL")
        throw Unsupported(syntax.place(i), fmt::format("'{}', a name of another instance or interface", syntax[i].name),
                          "connect it through a port");
    }
}

}  // namespace plumb::verilog
