// A program for a board carries what the server needs: the code that it was made of, settled as the linker saw it
// (driver/carried_code.h), and a few words on how it was made. The server prepares the same module from that, and a sum
// of it (fingerprint.h) in the program's own memory tells whether a board runs what the server believes.
#include "instrument/board_program.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "frontend/carried_module.h"
#include "frontend/scopes.h"
#include "frontend/toolchain/board_command.h"
#include "frontend/toolchain/carried_code.h"
#include "frontend/toolchain/object_file.h"
#include "instrument/fingerprint.h"
#include "instrument/instrumenter.h"
#include "instrument/machine_runtime.h"
#include "instrument/prepared_module.h"
#include "instrument/subject_linker.h"

namespace plumb::instrument {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kSection = ".plumb.board";

Machine machine_of(const BoardBuild& build) {
  Machine machine{build.machine, build.machine_flags, build.arena};
  if (machine.is_bare_metal() && !build.link_command.empty()) machine.linker = build.link_command.front();
  return machine;
}

std::string byte_list(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{},", static_cast<unsigned char>(byte));
  return text;
}

/// Of hexadecimal digits.
std::string bytes_of(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// What the runtime tells the server of the program (docs/remote-protocol.md); on bare metal also the token that it
/// answers with, and room for a bit an edge.
std::string identity_source(const Subject& subject, const BoardBuild& build) {
  std::string text = fmt::format(
      "#include <stdint.h>\n"
      "const struct {{ uint8_t fingerprint[32]; uint32_t edges; uint32_t regions; }} __plumb_identity = "
      "{{ {{ {} }}, {}u, {}u }};\n",
      byte_list(bytes_of(fingerprint(subject))), subject.edge_count, subject.regions.size());
  if (is_bare_metal(build.machine))
    text += fmt::format(
        "const uint8_t __plumb_token[] = {{ {}0 }};\n"
        "const uint32_t __plumb_token_size = {}u;\n"
        "uint8_t __plumb_coverage_before[{}];\n",
        byte_list(build.token), build.token.size(), subject.edge_count / 8 + 1);
  return text;
}

std::string description(const frontend::LoadOptions& load, const BoardBuild& build, const Subject& subject) {
  const json object = {{"plumb", PLUMB_VERSION},
                       {"machine", build.machine},
                       {"flags", build.machine_flags},
                       {"entry", load.entry},
                       {"checks", program::to_string(load.checks)},
                       {"arena", build.arena},
                       {"bare_metal", is_bare_metal(build.machine)},
                       {"fingerprint", fingerprint(subject)}};
  return object.dump();
}

/// The code as it was found at linking, with the names that files outside of it refer to: these files need not be where
/// the server is.
std::string settled_code(const frontend::LoadOptions& load) {
  frontend::CarriedCode code = frontend::read_carried_code(load.files.front());
  const std::set<std::string> roots = frontend::outside_references(code);
  code.components.front().exported.assign(roots.begin(), roots.end());
  code.link_words.clear();
  return frontend::settled_records(code);
}

/// Variables are moved, and lines are what people look for. GNU ld crashes on relocations that LLVM has for ranges of
/// DWARF 5 on RISC-V.
void keep_line_tables(llvm::Module& module) {
  llvm::stripNonLineTableDebugInfo(module);
  constexpr std::uint32_t kVersion = 4;
  module.setModuleFlag(llvm::Module::Max, "Dwarf Version", kVersion);
}

/// Puts sections into an object.
void carry(const fs::path& object, const std::vector<std::pair<std::string_view, std::string_view>>& sections) {
  std::string bytes = read_file(object);
  for (const auto& [name, content] : sections) bytes = frontend::with_section(bytes, name, content);
  write_file(object, bytes, Sync::No);
}

/// With the permissions that the linker gave. It can be made again, so nothing waits for the disk.
void put_in_place(const fs::path& linked, const fs::path& output) {
  write_file(output, read_file(linked), Sync::No);
  fs::permissions(output, fs::status(linked).permissions());
}

[[noreturn]] void complain(const fs::path& file, std::string_view what) {
  throw UserError(SourceLocation{file.string()}, std::string(what),
                  "make it with plumb cc --target MACHINE … -o PROGRAM, of the same version of plumb");
}

json read_description(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw UserError(SourceLocation{file.string()}, "there is no such file");
  if (frontend::format_of(file) != frontend::FileFormat::Elf) complain(file, "this is no program for a board");
  const std::string text = frontend::read_objects(file, kSection).front().carried;
  if (text.empty()) complain(file, "this is no program for a board that plumb cc made");
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto is_text = [&](const char* key) { return object.contains(key) && object[key].is_string(); };
  if (!object.is_object() || !is_text("plumb") || !is_text("machine") || !is_text("entry") || !is_text("checks") ||
      !is_text("fingerprint") || !object.contains("flags") || !object["flags"].is_array())
    complain(file, "what it says of itself is damaged");
  for (const json& flag : object["flags"])
    if (!flag.is_string()) complain(file, "what it says of itself is damaged");
  if (object["plumb"].get<std::string>() != PLUMB_VERSION)
    complain(file,
             fmt::format("it was made by plumb {}, and this is {}", object["plumb"].get<std::string>(), PLUMB_VERSION));
  return object;
}

}  // namespace

bool is_bare_metal(const std::string& machine) { return frontend::is_bare_metal(machine); }

Subject build_board_program(const frontend::LoadOptions& load, const BoardBuild& build, const fs::path& output,
                            const Budget& budget) {
  if (load.files.size() != 1)
    throw UserError("a program for a board is made of one file that carries the code of all", "link it with plumb cc");
  frontend::LoadOptions options = load;
  options.is_board = true;
  // Only the interpreter looks for these.
  options.checks.remove(program::Check::Uninitialised);
  options.checks.remove(program::Check::PointerArithmetic);
  options.machine_flags = build.machine_flags;
  const std::string code = settled_code(options);
  const Machine machine = machine_of(build);
  const TemporaryDirectory directory;
  PreparedModule prepared = prepare_module(options, SymbolicEnvironment{}, budget);
  prepared.needs.imported.insert(build.open_names.begin(), build.open_names.end());
  const std::string identity = identity_source(prepared.subject, build);
  const std::string told = description(options, build, prepared.subject);
  prepared.build.arena = build.arena;
  instrument(prepared, budget);
  frontend::drop_scopes(*prepared.module);
  check_module(*prepared.module);
  keep_line_tables(*prepared.module);

  LinkJob job{*prepared.module, prepared.needs, "program", directory.path(), machine.words()};
  job.code_flags = machine.code_flags();
  job.objects.push_back(compile_runtime(machine, directory.path(), budget));
  job.objects.push_back(compile_source(machine, "identity", identity, directory.path(), budget));
  // With the only object that every program refers to, so that no linker leaves it out.
  carry(job.objects.back(), {{frontend::kCarriedSection, code}, {kSection, told}});
  if (machine.is_bare_metal()) {
    job.optimisation = "-Os";
    job.linker = build.link_command;
  } else {
    job.code_flags.emplace_back("-fno-pie");
    job.link_flags = {"-no-pie"};
  }
  const fs::path linked = link_subject(job, options, budget);
  if (read_file(linked).find(told) == std::string::npos)
    throw UserError(SourceLocation{output.string()}, fmt::format("the linker has left out the section {}", kSection),
                    "a linker script must not discard sections that it does not know");
  put_in_place(linked, output);
  prepared.subject.executable = output;
  return std::move(prepared.subject);
}

bool is_board_program(const fs::path& file) {
  try {
    return frontend::format_of(file) == frontend::FileFormat::Elf &&
           !frontend::read_objects(file, kSection).front().carried.empty();
  } catch (const UserError&) {
    return false;
  }
}

BoardProgram read_board_program(const fs::path& file, const Budget& budget) {
  const json told = read_description(file);
  BoardProgram board;
  board.machine = told["machine"].get<std::string>();
  board.load.files = {file.string()};
  board.load.entry = told["entry"].get<std::string>();
  board.load.checks = program::parse_checks(told["checks"].get<std::string>());
  board.load.is_board = true;
  board.load.machine_flags = told["flags"].get<std::vector<std::string>>();
  board.subject = prepare_module(board.load, SymbolicEnvironment{}, budget).subject;
  board.subject.executable = file;
  if (fingerprint(board.subject) != told["fingerprint"].get<std::string>())
    complain(file, "its code is not what plumb makes of it here: another version of clang, or of plumb, made it");
  return board;
}

void build_target_program(const BoardBuild& build, const fs::path& output, const Budget& budget) {
  if (is_bare_metal(build.machine))
    throw UserError(fmt::format("plumb-target is for systems, and {} has none", build.machine),
                    "there the program itself speaks with the server");
  const TemporaryDirectory directory;
  const fs::path linked = compile_target(machine_of(build), build.link_command, directory.path(), budget);
  put_in_place(linked, output);
}

}  // namespace plumb::instrument
