// Conditions are compiled, not interpreted: a copy of the source has a function for each of them behind its text, so
// that types, conversions, members and macros are those of the program, and what is wrong is said by the compiler, with
// the column in the formula. Copies keep the places of the source (#line). A place is a function without a body to
// speak of, whose name says which label it stands for (frontend/lower/marks.h).

#include "check/ltl_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"

namespace plumb::check {
namespace {

using program::Kind;

std::string condition_name(std::size_t atom) { return fmt::format("plumb_ltl_condition_{}", atom); }
std::string place_name(const LtlFormula::Atom& atom) {
  return fmt::format("plumb_at_{}_{}_{}", atom.function.size(), atom.function, atom.label);
}

[[noreturn]] void fail(const LtlFormula::Atom& atom, const std::string& what, const std::string& hint) {
  throw UserError(SourceLocation{LtlFormula::kSource, 1, atom.column}, what, hint);
}

std::string quoted(const std::string& text) {
  std::string made;
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made;
}

/// What stands behind the text of the source.
std::string functions_of(const LtlFormula& formula) {
  std::string text;
  for (std::size_t a = 0; a < formula.atoms().size(); ++a) {
    const LtlFormula::Atom& atom = formula.atoms()[a];
    if (atom.is_place()) {
      text += fmt::format("\n#line 1 \"--ltl\"\nvoid {0}(void);\nvoid {0}(void) {{}}", place_name(atom));
    } else {
      text += fmt::format(
          "\n#line 1 \"--ltl\"\n_Bool {0}(void);\n_Bool {0}(void) {{ return (\n#line 1 \"--ltl\"\n{1:{2}}{3}\n); }}",
          condition_name(a), "", atom.column - 1, atom.text);
    }
  }
  return text + "\n";
}

/// The compiler's own words, without those that are about our functions.
std::string first_message(const std::string& diagnostics) {
  constexpr std::string_view kWord = ": error: ";
  const std::size_t at = diagnostics.find(kWord);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + kWord.size();
  return diagnostics.substr(begin, diagnostics.find('\n', begin) - begin);
}

bool only_reads(const program::Function& f) {
  return std::ranges::all_of(f.instructions, [](const program::Instruction& i) {
    constexpr std::array kKinds = {Kind::Operator, Kind::Float,  Kind::Load,   Kind::CheckIndex,
                                   Kind::Jump,     Kind::Branch, Kind::Switch, Kind::Return};
    return std::ranges::find(kKinds, i.kind) != kKinds.end();
  });
}

bool reads_thread_locals(const program::Program& program, const program::Function& f) {
  return std::ranges::any_of(f.values, [&](const program::Value& value) {
    return value.kind == program::ValueKind::GlobalAddress && program.globals[value.index].is_thread_local;
  });
}

explore::Proposition condition_of(const program::Program& program, const LtlFormula::Atom& atom, std::size_t a) {
  const auto f = program.find_function(condition_name(a));
  INVARIANT(f, "a condition should be a function of the program");
  if (!only_reads(program.functions[*f]))
    fail(atom, fmt::format("'{}' does more than read", atom.text),
         "a condition compares and computes with global variables; it calls nothing and changes nothing");
  if (reads_thread_locals(program, program.functions[*f]))
    fail(atom, fmt::format("'{}' reads a variable that each thread has for itself", atom.text),
         "a condition is about what all threads share");
  return {.condition = *f, .places = {}};
}

explore::Proposition place_of(const program::Program& program, const LtlFormula::Atom& atom) {
  const auto stands_for = program.find_function(place_name(atom));
  INVARIANT(stands_for, "a place should be a function of the program");
  explore::Proposition made;
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) {
    const program::Function& in = program.functions[f];
    for (program::InstructionId i = 0; i < in.instructions.size(); ++i)
      if (in.instructions[i].kind == Kind::Call && in.instructions[i].parameter == *stands_for)
        made.places.push_back({f, i - 1});
  }
  if (!made.places.empty()) return made;
  const auto is_it = [&](const program::Function& f) { return f.has_body() && f.name == atom.function; };
  if (std::ranges::none_of(program.functions, is_it))
    fail(atom, fmt::format("there is no function '{}'", atom.function), "at(FUNCTION:LABEL)");
  fail(atom, fmt::format("there is no label '{}' in function '{}'", atom.label, atom.function),
       "with an optimisation, the compiler may leave out labels");
}

}  // namespace

LtlProgram load_with_formula(const frontend::LoadOptions& load, const LtlFormula& formula,
                             const std::filesystem::path& directory, const Budget& budget) {
  const std::filesystem::path source = load.files.front();
  if (source.extension() != ".c" && source.extension() != ".i")
    throw UserError(SourceLocation{source.string()}, "--ltl is for programs in C",
                    "its conditions are read at the end of the first file, which has to end in .c or .i");
  frontend::LoadOptions with = load;
  const std::filesystem::path copy = directory / "formula.c";
  write_file(copy,
             fmt::format("#line 1 \"{}\"\n{}{}", quoted(source.string()), read_file(source), functions_of(formula)));
  with.files.front() = copy.string();
  const std::filesystem::path beside = source.has_parent_path() ? source.parent_path() : ".";
  with.compiler_flags.insert(with.compiler_flags.begin(), {"-iquote", beside.string()});
  LtlProgram made;
  try {
    made.program = frontend::load_program(with, budget);
  } catch (const UserError& error) {
    if (error.location().file != LtlFormula::kSource) throw;
    throw UserError(error.location(),
                    fmt::format("this is no condition of the program: {}", first_message(error.message())),
                    "a condition is an expression of C over the globals that the end of the first file knows");
  }
  for (std::size_t a = 0; a < formula.atoms().size(); ++a) {
    const LtlFormula::Atom& atom = formula.atoms()[a];
    made.propositions.push_back(atom.is_place() ? place_of(made.program, atom) : condition_of(made.program, atom, a));
  }
  return made;
}

}  // namespace plumb::check
