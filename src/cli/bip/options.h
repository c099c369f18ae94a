#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/prove_options.h"
#include "lang/bip/model.h"

namespace plumb::cli {

/// Options of `plumb bip`.
struct BipOptions {
  std::string file;
  bip::Options model;
  std::vector<std::string> properties;      ///< texts of --prop
  std::vector<std::string> property_files;  ///< of --props
  std::string contract;
  bool deadlock = false;
  bool no_deadlock = false;
  bool no_vacuity = false;
  std::string engine = "auto";
  bool keep_width = false;
  ProvingOptions proving;

  std::optional<std::int64_t> emulate;  ///< how many interactions; no more than 0: no bound, as in the paper
  std::string guide;
  bool is_interactive = false;

  std::string emit_cpp;            ///< a file, or "-"
  std::optional<std::string> dot;  ///< a file, or "-"

  bool is_emulation() const { return emulate || is_interactive || !guide.empty(); }
  bool has_bound() const { return emulate && *emulate > 0; }
};
void add_bip_options(CLI::App& app, BipOptions& options);

/// What is wrong with the options as such, before anything is read: throws UserError. `--dot FILE.bip` without another
/// file means the model, not the picture.
void check_bip_options(BipOptions& options, const CommonOptions& common);

}  // namespace plumb::cli
