#include "instrument/build_subject.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>

#include <functional>

#include "frontend/canonicalise.h"
#include "frontend/load_module.h"
#include "frontend/module.h"
#include "frontend/scopes.h"
#include "frontend/unset.h"
#include "instrument/checks/check_module.h"
#include "instrument/entry_main.h"
#include "instrument/instrumenter.h"
#include "instrument/order_points.h"
#include "instrument/runtime_objects.h"
#include "instrument/subject_linker.h"

namespace plumb::instrument {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> machine_of(std::uint32_t word_size) { return {fmt::format("-m{}", word_size)}; }

/// With the replay runtime; `prepare` is given the module with its marks.
fs::path build_plain(const frontend::LoadOptions& options, const char* name,
                     const std::function<void(llvm::Module&)>& prepare, const fs::path& directory,
                     const Budget& budget) {
  llvm::LLVMContext context;
  const frontend::Diagnostics silence(context);
  const frontend::LoadedModule loaded = load_module(options, frontend::ModelSet::Pure, context, budget);
  make_entry_main(*loaded.module, loaded.entry);
  prepare(*loaded.module);
  frontend::drop_scopes(*loaded.module);
  frontend::settle_marks(*loaded.module);
  LinkJob job{*loaded.module, loaded.needs, name, directory, machine_of(loaded.word_size), "-O0"};
  job.runtime = replay_object(loaded.word_size);
  return link_subject(job, options, budget);
}

}  // namespace

Subject build_subject(const frontend::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  return build_subject(options, SymbolicEnvironment{}, directory, budget);
}

Subject build_subject(const frontend::LoadOptions& options, const SymbolicEnvironment& environment,
                      const fs::path& directory, const Budget& budget) {
  PreparedModule prepared = prepare_module(options, environment, budget);
  instrument(prepared, budget);
  frontend::drop_scopes(*prepared.module);  // of variables that are in no frame
  check_module(*prepared.module);
  const std::uint32_t bits = prepared.subject.program.layout.pointer_width;
  llvm::StripDebugInfo(*prepared.module);  // sites have their places; the code generator would carry them along
  LinkJob job{*prepared.module, prepared.needs, "subject", directory, machine_of(bits)};
  job.runtime = runtime_object(bits);
  prepared.subject.executable = link_subject(job, options, budget);
  return std::move(prepared.subject);
}

fs::path build_replay(const frontend::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  return build_plain(options, "replay", [](llvm::Module&) {}, directory, budget);
}

fs::path build_ordered_replay(const frontend::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  const auto add_points = [](llvm::Module& module) {
    frontend::canonicalise(module);
    add_order_points(module);
  };
  return build_plain(options, "ordered", add_points, directory, budget);
}

fs::path build_checked_replay(const frontend::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  PlainModule plain = prepare_plain_module(options, budget);
  llvm::stripNonLineTableDebugInfo(*plain.module);  // variables are moved, and lines are what call stacks need
  frontend::settle_marks(*plain.module);
  add_checks(*plain.module, options.checks, *plain.entry, !plain.needs.native_objects.empty(), budget);
  frontend::drop_scopes(*plain.module);
  check_module(*plain.module);
  LinkJob job{*plain.module, plain.needs, "checked", directory, machine_of(plain.word_size), "-O0"};
  job.runtime = checked_replay_object(plain.word_size);
  return link_subject(job, options, budget);
}

}  // namespace plumb::instrument
