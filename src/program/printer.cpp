#include "program/printer.h"

#include <fmt/format.h>

#include <array>

namespace plumb::program {
namespace {

std::string list(const Program& program, FunctionId f, std::span<const ValueId> values) {
  std::string text;
  for (const ValueId v : values) text += (text.empty() ? "" : ", ") + to_text(program, f, v);
  return text;
}

std::string block_name(const Function& f, BlockId b) {
  return f.blocks[b].name.empty() ? fmt::format("b{}", b) : fmt::format("b{}.{}", b, f.blocks[b].name);
}

std::string edge_text(const Program& program, FunctionId id, const Edge& e) {
  const Function& f = program.functions[id];
  const std::string arguments = list(program, id, f.arguments_of(e));
  return block_name(f, e.target) + (arguments.empty() ? "" : fmt::format("({})", arguments));
}

/// What is done, without the operands.
std::string verb(const Program& program, const Function& f, const Instruction& i) {
  switch (i.kind) {
    case Kind::Operator: {
      std::string text(term::name(i.op()));
      if (i.op() == term::Op::Extract)
        text += fmt::format("[{}:{}]", i.parameter + f.values[i.first_result].width - 1, i.parameter);
      if (i.op() == term::Op::RotateLeft || i.op() == term::Op::RotateRight) text += fmt::format("[{}]", i.parameter);
      return text + ((i.flags & kNoSignedWrap) != 0 ? ".nsw" : "") + ((i.flags & kNoUnsignedWrap) != 0 ? ".nuw" : "");
    }
    case Kind::Float:
      return std::string(name(i.float_op()));
    case Kind::Intrinsic:
      return fmt::format("{}{}", name(i.intrinsic()),
                         i.parameter == kNone ? "" : fmt::format(" \"{}\"", program.messages[i.parameter]));
    case Kind::Call:
      return fmt::format("call @{}", program.functions[i.parameter].name);
    case Kind::Load:
    case Kind::Store:
      return fmt::format("{}{}{}", name(i.kind), (i.flags & kVolatile) != 0 ? ".volatile" : "",
                         (i.flags & kAtomic) != 0 ? ".atomic" : "");
    case Kind::Halt: {
      static constexpr std::array<std::string_view, 3> kReasons = {"unreachable", "trap", "unsupported"};
      return fmt::format("halt: {}{}", kReasons[i.code],
                         i.parameter == kNone ? "" : fmt::format(": {}", program.messages[i.parameter]));
    }
    default:
      return std::string(name(i.kind));
  }
}

std::string switch_text(const Program& program, FunctionId id, const Instruction& i) {
  const Function& f = program.functions[id];
  const auto operands = f.operands_of(i);
  const auto edges = f.edges_of(i);
  std::string text = fmt::format("switch {}", to_text(program, id, operands[0]));
  for (std::size_t c = 1; c < operands.size(); ++c)
    text += fmt::format(", {} -> {}", to_text(program, id, operands[c]), edge_text(program, id, edges[c]));
  return text + fmt::format(", else -> {}", edge_text(program, id, edges[0]));
}

std::string typed_list(const Program& program, FunctionId f, std::span<const ValueId> values) {
  std::string text;
  for (const ValueId v : values) {
    const Value& value = program.functions[f].values[v];
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", to_text(program, f, v),
                        value.is_pointer ? "ptr" : fmt::format("i{}", value.width));
  }
  return text;
}

std::string place(const Program& program, const Location& location) {
  return location.is_known() ? program.describe(location).to_string() : std::string();
}

void print_global(std::ostream& out, const Program& program, const GlobalObject& g) {
  out << fmt::format("{} @{}: {} bytes, align {}{}{}{}", g.is_constant ? "constant" : "global", g.name, g.size,
                     g.alignment, g.is_external ? ", external" : "", g.is_thread_local ? ", thread-local" : "",
                     g.relocations.empty() ? "" : fmt::format(", {} pointers", g.relocations.size()));
  if (g.location.is_known()) out << "  ; " << place(program, g.location);
  out << '\n';
}

void print_header(std::ostream& out, const Program& program, FunctionId id) {
  const Function& f = program.functions[id];
  out << fmt::format("{} @{}({}{})", f.has_body() ? "function" : "declare", f.name,
                     typed_list(program, id, f.parameters),
                     !f.is_variadic         ? ""
                     : f.parameters.empty() ? "..."
                                            : ", ...");
  for (std::size_t r = 0; r < f.result_widths.size(); ++r) out << (r == 0 ? " -> i" : ", i") << f.result_widths[r];
}

}  // namespace

std::string to_text(const Program& program, FunctionId function, ValueId v) {
  const Function& f = program.functions[function];
  const Value& value = f.values[v];
  switch (value.kind) {
    case ValueKind::Constant: {
      const BitVector& constant = f.constant(v);
      const std::int64_t number = constant.to_int64();
      if (value.width <= 64 && number > -1024 && number < 1024) return fmt::format("{}:{}", number, value.width);
      return fmt::format("0x{}:{}", constant.to_hex(), value.width);
    }
    case ValueKind::GlobalAddress:
      return value.offset == 0 ? fmt::format("@{}", program.globals[value.index].name)
                               : fmt::format("@{}{:+}", program.globals[value.index].name, value.offset);
    case ValueKind::FunctionAddress:
      return fmt::format("@{}", program.functions[value.index].name);
    case ValueKind::Undefined:
      return fmt::format("undefined:{}", value.width);
    default:
      return f.value_names[v].empty() ? fmt::format("%{}", v) : fmt::format("%{}.{}", f.value_names[v], v);
  }
}

std::string to_text(const Program& program, FunctionId id, const Instruction& i) {
  const Function& f = program.functions[id];
  std::string text;
  for (std::uint32_t r = 0; r < i.result_count; ++r) {
    const ValueId v = i.first_result + r;
    text += fmt::format("{}{}:{}", r == 0 ? "" : ", ", to_text(program, id, v), f.values[v].width);
  }
  if (i.result_count != 0) text += " = ";
  if (i.kind == Kind::Switch) return text + switch_text(program, id, i);
  text += verb(program, f, i);
  if (i.operand_count != 0) text += " " + list(program, id, f.operands_of(i));
  for (const Edge& e : f.edges_of(i))
    text +=
        fmt::format("{} {}", &e == f.edges_of(i).data() && i.operand_count == 0 ? "" : ",", edge_text(program, id, e));
  return text;
}

void print(std::ostream& out, const Program& program, FunctionId id) {
  const Function& f = program.functions[id];
  print_header(out, program, id);
  if (!f.has_body()) {
    out << '\n';
    return;
  }
  out << " {";
  if (f.location.is_known()) out << "  ; " << place(program, f.location);
  out << '\n';
  for (BlockId b = 0; b < f.blocks.size(); ++b) {
    const std::string arguments = typed_list(program, id, f.blocks[b].arguments);
    out << block_name(f, b) << (arguments.empty() ? "" : fmt::format("({})", arguments)) << ":\n";
    Location last;
    for (const Instruction& i : f.instructions_of(b)) {
      const std::string text = to_text(program, id, i);
      const bool is_new_line = i.location.is_known() && !(i.location == last);
      out << (is_new_line ? fmt::format("  {:<60}  ; {}", text, place(program, i.location)) : "  " + text) << '\n';
      last = i.location;
    }
  }
  out << "}\n";
}

void print(std::ostream& out, const Program& program) {
  out << fmt::format("target {} ({}-bit)\n\n", program.layout.triple, program.layout.pointer_width);
  for (const GlobalObject& global : program.globals) print_global(out, program, global);
  for (FunctionId id = 0; id < program.functions.size(); ++id) {
    out << '\n';
    print(out, program, id);
  }
}

}  // namespace plumb::program
