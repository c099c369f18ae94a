#include "cli/read_system.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "circuit/aiger.h"
#include "lang/caig/caig.h"
#include "system/btor2.h"
#include "system/to_circuit.h"

namespace plumb::cli {
namespace {

[[noreturn]] void refuse_suffix(const std::string& file, const std::string& suffix) {
  std::string hint = "read are .btor2, .btor, .aig, .aag, .caig, .v and .sv";
  if (suffix == ".tiny") hint = fmt::format("programs are proved by `plumb prove {}`", file);
  throw UserError(SourceLocation{file},
                  suffix.empty() ? std::string("the format is told by the suffix, and there is none")
                                 : fmt::format("'{}' is not the suffix of a format that is read here", suffix),
                  hint);
}

/// Names that properties are chosen by: their own where they have one that no other has.
std::vector<SystemProperty> properties_of(const system::System& system) {
  std::vector<SystemProperty> properties;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < system.bads().size(); ++i) {
    std::string name = system.bads()[i].name;
    if (name.empty()) name = fmt::format("bad {}", i);
    if (!taken.insert(name).second) {
      name = fmt::format("{} ({})", name, i);
      taken.insert(name);
    }
    properties.push_back({std::move(name), {}, {}});
  }
  return properties;
}

SystemFile read_design(const std::string& file, const SystemOptions& options, const Budget& budget) {
  verilog::Design design = verilog::read({&file, 1}, options.verilog, budget);
  SystemFile read{std::move(design.system), {}, std::move(design.warnings), std::move(design.assumptions)};
  read.properties = properties_of(read.system);
  const std::string text = read_file(file);
  for (std::size_t i = 0; i < read.properties.size(); ++i) {
    read.properties[i].location = design.properties[i];
    if (design.properties[i].file == file) read.properties[i].text = line_of(text, design.properties[i].line);
  }
  return read;
}

}  // namespace

std::string line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  if (line == 0) return {};
  text = text.substr(0, text.find('\n'));
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

SystemFile read_system(const std::string& file, const SystemOptions& options, const Budget& budget) {
  const std::string suffix = std::filesystem::path(file).extension().string();
  if (suffix == ".v" || suffix == ".sv") return read_design(file, options, budget);
  SystemFile read;
  if (suffix == ".btor2" || suffix == ".btor") {
    read.system = system::read_btor2(read_file(file), file);
  } else if (suffix == ".aig" || suffix == ".aag") {
    read.system = system::system_of(circuit::read_aiger(read_file(file), file));
  } else if (suffix == ".caig") {
    read.system = caig::read_caig(read_file(file), file, {options.int_width, options.is_signed});
  } else {
    static_cast<void>(read_file(file));  // a file that is not there is the greater mistake
    refuse_suffix(file, suffix);
  }
  read.properties = properties_of(read.system);
  return read;
}

}  // namespace plumb::cli
