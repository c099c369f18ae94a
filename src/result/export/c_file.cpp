#include "result/export/c_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/embed.h"
#include "base/error.h"
#include "result/input_reader.h"

namespace plumb::result {
namespace {

PLUMB_EMBED(export_harness_text, PLUMB_EXPORT_HARNESS);

constexpr std::string_view kHead = "/*\n * Tests written by plumb export.";
constexpr std::size_t kLongestLiteral = 4095;
constexpr std::size_t kColumns = 96;
constexpr std::size_t kLongestName = 200;

/// Text that cannot end or begin a comment, or a line of it.
std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_plain = c >= 0x20 && c < 0x7f && c != '\\' && c != '?';
    if (!result.empty() && ((result.back() == '*' && c == '/') || (result.back() == '/' && c == '*'))) result += ' ';
    result += is_plain ? c : '_';
  }
  return result;
}

/// A word of a command line, quoted for a shell if it needs to be.
std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

bool is_source(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".c" || extension == ".i";
}

std::string commands(const SuiteProgram& program, const std::string& name) {
  std::string stem = std::filesystem::path(name).stem().string();
  std::string words = "-D__PLUMB__";
  if (program.word_size == 32) words += " -m32";
  for (const std::string& flag : program.compiler_flags)
    if (flag != "-m32" && flag != "-m64") words += fmt::format(" {}", shell_word(flag));
  std::string files;
  for (const std::string& file : program.files) files += fmt::format(" {}", shell_word(file));
  if (std::ranges::all_of(program.files, is_source) && !program.files.empty())
    return comment_text(
        fmt::format("cc {} -Wl,--wrap=main {}{} -o {}", words, shell_word(name), files, shell_word(stem)));
  return comment_text(fmt::format("cc {} -c {} -o {}.o", words, shell_word(name), shell_word(stem))) +
         "\n * and link that object with those of" + comment_text(files) + " by the command that links these, with\n" +
         " *     -Wl,--wrap=main\n * added to it";
}

std::string head(const SuiteProgram& program, const std::string& name) {
  return fmt::format(
      "{} Compile them with the program:\n"
      " *\n"
      " *     {}\n"
      " *\n"
      " * (-I with the directory of plumb/plumb.h or klee/klee.h if the program includes them.) Then\n"
      " *\n"
      " *     ./{} 3\n"
      " *\n"
      " * runs test 3 in its process, for a debugger; without a number all tests run, each in a process and an empty\n"
      " * directory of its own, and the exit code is 1 if one does not end as recorded.\n"
      " *\n"
      " * The program runs with all rights of its user: what `plumb test` kept it from, it can do here.\n"
      " *\n"
      " * Linkers without --wrap: compile the program's files with -Dmain=plumb_program_main and this one with\n"
      " * -DPLUMB_RENAMED_MAIN. A main that ends without a return gives no defined exit code then.\n"
      " */\n",
      kHead, commands(program, name), comment_text(std::filesystem::path(name).stem().string()));
}

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

/// As struct plumb_test of the harness has it.
std::string recorded_end(const StoredTest& test) {
  const bool is_of_interpreter = test.end == "error" && test.code == kMemoryError;
  if (!test.test.environment.failing_calls.empty() || is_of_interpreter) return "PLUMB_ENDS, 0";
  if (test.end == "exit") return fmt::format("PLUMB_EXITS, {}", test.code);
  if (test.end == "signal") return fmt::format("PLUMB_IS_KILLED, {}", test.code);
  if (test.end == "error") return "PLUMB_FAILS, 0";
  return test.end == "assume-failed" ? "PLUMB_EXITS, PLUMB_SKIPPED" : "PLUMB_ENDS, 0";
}

/// The function of one test.
class TestFunction {
 public:
  explicit TestFunction(const StoredTest& test) : test_(test) {}

  std::string text() {
    const Environment& environment = test_.test.environment;
    std::vector<Bytes> inputs, files, variables;
    for (const TestInput& input : own_inputs(test_.test))
      if (!input.bytes.empty()) inputs.push_back({input.name, text_of(input.bytes)});
    for (const Environment::File& file : environment.files) files.push_back({file.name, text_of(file.bytes)});
    for (const auto& [name, value] : environment.variables) variables.push_back({name, value});
    const std::string input_list = list("inputs", inputs);
    const std::string argument_list = arguments(environment.arguments);
    std::string standard_input = "NULL";
    if (environment.standard_input) {
      list("standard_input", {{"stdin", text_of(*environment.standard_input)}});
      standard_input = "standard_input";
    }
    const std::string file_list = list("files", files);
    const std::string variable_list = list("variables", variables);
    return fmt::format(
        "\n/* Test {0}: {1}.{2} */\n"
        "static int plumb_test_{0}(void) {{\n"
        "{3}"
        "  static const struct plumb_case test = {{{4},\n      {5},\n      {6},\n      {7},\n      {8}}};\n"
        "  return plumb_run(&test);\n"
        "}}\n",
        test_.number, comment_text(end_text(test_)),
        environment.failing_calls.empty() ? "" : " Calls that failed in its run do not fail here.", declarations_,
        input_list, argument_list, standard_input, file_list, variable_list);
  }

 private:
  struct Bytes {
    std::string name;
    std::string content;
  };

  /// An expression for a pointer to the bytes, with a zero behind them; long ones get an array of their own.
  std::string pointer_to(const std::string& content) {
    if (content.size() <= kLongestLiteral) return c_literal(content);
    const std::string name = fmt::format("bytes_{}", arrays_++);
    declarations_ += fmt::format("  static const unsigned char {}[] = {{", name);
    std::string line;
    for (const char c : content) {
      line += fmt::format("{}, ", static_cast<unsigned char>(c));
      if (line.size() >= kColumns) {
        declarations_ += fmt::format("\n      {}", line);
        line.clear();
      }
    }
    declarations_ += fmt::format("\n      {}0}};\n", line);
    return name;
  }

  /// Declares the array and gives the two initialisers, of a pointer and a count.
  std::string list(const std::string& name, const std::vector<Bytes>& entries) {
    if (entries.empty()) return "NULL, 0";
    std::string text;
    for (const Bytes& entry : entries) {
      const std::string pointer = pointer_to(entry.content);
      text += fmt::format("      {{{}, {},\n       {}}},\n", c_literal(entry.name.substr(0, kLongestName)),
                          entry.content.size(), pointer);
    }
    declarations_ += fmt::format("  static const struct plumb_bytes {}[] = {{\n{}  }};\n", name, text);
    return fmt::format("{}, {}", name, entries.size());
  }

  std::string arguments(const std::vector<std::string>& words) {
    if (words.empty()) return "NULL, 0";
    std::string text;
    for (const std::string& word : words) {
      const std::string pointer = pointer_to(word);
      text += fmt::format("      {}{},\n", word.size() <= kLongestLiteral ? "" : "(const char*)", pointer);
    }
    declarations_ += fmt::format("  static const char* const arguments[] = {{\n{}  }};\n", text);
    return fmt::format("arguments, {}", words.size());
  }

  const StoredTest& test_;
  std::string declarations_;
  unsigned arrays_ = 0;
};

}  // namespace

std::string_view c_file_head() { return kHead; }

std::string c_literal(std::string_view bytes) {
  std::string result = "\"";
  std::size_t column = 0;
  for (const char c : bytes) {
    if (column >= kColumns) {
      result += "\"\n       \"";
      column = 0;
    }
    // Three octal digits never join with what follows, and no question marks make no trigraphs.
    const bool is_plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?';
    result += is_plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    column += is_plain ? 1 : 4;
  }
  return result + '"';
}

Export to_c_file(std::span<const StoredTest> tests, const SuiteProgram& program, const std::string& name) {
  if (program.entry != "main")
    throw UserError(fmt::format("the tests are of the function '{}', and a C file can only call main", program.entry),
                    "write a main that calls it and test that, or choose another format");
  Losses losses;
  std::string text = head(program, name);
  text += std::string_view(export_harness_text, export_harness_text_end);
  std::string table;
  for (const StoredTest& test : tests) {
    text += TestFunction(test).text();
    table += fmt::format("    {{{0}, plumb_test_{0}, {1}}},\n", test.number, recorded_end(test));
    if (!test.test.environment.failing_calls.empty())
      losses.add(test, "calls that fail, which a C file cannot make fail");
  }
  text += fmt::format(
      "\nstatic const struct plumb_test plumb_tests[] = {{\n{}}};\n\n"
      "int PLUMB_MAIN(int argc, char** argv) {{\n"
      "  return plumb_run_tests(argc, argv, plumb_tests, sizeof plumb_tests / sizeof *plumb_tests);\n"
      "}}\n",
      table);
  return {{{name, std::move(text)}}, losses.sentences()};
}

}  // namespace plumb::result
