#include "unit/concolic/instrument/instrumenter_fixture.h"

#include <gtest/gtest.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/subprocess.h"
#include "frontend/canonicalise.h"
#include "frontend/module.h"
#include "instrument/instrumenter.h"
#include "instrument/runtime_objects.h"
#include "instrument/sites/sites.h"
#include "term/smtlib_printer.h"

namespace plumb::concolic::testing {

using instrument::complete_sites;
using instrument::functions_of_sites;
using instrument::instrument;
using instrument::number_sites;
using instrument::prepare_module;
using instrument::replay_object;
using instrument::runtime_object;
using instrument::Subject;
using instrument::SymbolicEnvironment;
namespace {

namespace fs = std::filesystem;

void run_command(const std::vector<std::string>& command) {
  const ProcessResult result = run_process(command, "", Budget());
  INVARIANT(result.end == ProcessResult::End::Exited && result.code == 0, result.error);
}

void link_program(const llvm::Module& module, std::string_view runtime, const fs::path& executable,
                  const std::string& level) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  const fs::path bitcode = executable.string() + ".bc";
  const fs::path object = executable.string() + ".o";
  write_file(bitcode, bytes);
  write_file(object, runtime);
  run_command(
      {"clang-19", level, "-w", bitcode.string(), object.string(), "-o", executable.string(), "-lm", "-lpthread"});
}

std::string as_given_inputs(const std::vector<result::TestInput>& inputs) {
  std::string text;
  const auto add_word = [&](std::size_t word) {
    for (unsigned i = 0; i < 4; ++i) text.push_back(static_cast<char>(word >> (8 * i) & 0xff));
  };
  for (const result::TestInput& input : inputs) {
    add_word(input.bytes.size());
    text.append(input.bytes.begin(), input.bytes.end());
    text.resize((text.size() + 3) / 4 * 4);
  }
  return text;
}

}  // namespace

std::size_t TracedRun::count(PathNode::Kind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(trace.nodes, [&](const PathNode& node) { return node.kind == kind; }));
}

std::uint64_t TracedRun::lost(std::uint32_t reason) const {
  std::uint64_t sum = 0;
  for (const auto& [what, times] : trace.lost)
    if (what.reason == reason) sum += times;
  return sum;
}

InstrumentedProgram::InstrumentedProgram(const std::string& source, Form form) {
  const fs::path text = directory_.path() / (form == Form::Llvm ? "program.ll" : "program.c");
  write_file(text, source);
  plain_ = directory_.path() / "plain";
  if (form == Form::Prepared) {
    prepare(text);
  } else {
    prepare_by_hand(text, form);
  }
  instrument(prepared_);
  const llvm::Module& module = *prepared_.module;
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  INVARIANT(!llvm::verifyModule(module, &stream), problems);
  Subject& subject = prepared_.subject;
  subject.executable = directory_.path() / "subject";
  link_program(module, runtime_object(64), subject.executable, "-O2");
  executor_ = std::make_unique<Executor>(subject, RunLimits());
  store_ = std::make_unique<term::TermStore>();
  builder_ = std::make_unique<TraceBuilder>(subject, *store_);
}

void InstrumentedProgram::prepare(const fs::path& file) {
  frontend::LoadOptions options;
  options.files = {file.string()};
  prepared_ = prepare_module(options, SymbolicEnvironment{}, Budget());
  write_file(directory_.path() / "replay.o", replay_object(64));
  run_command({"clang-19", "-w", "-O1", file.string(), (directory_.path() / "replay.o").string(), "-o", plain_.string(),
               "-lm"});
}

void InstrumentedProgram::prepare_by_hand(const fs::path& file, Form form) {
  const fs::path bitcode = form == Form::C ? directory_.path() / "program.bc" : file;
  if (form == Form::C)
    run_command({"clang-19", "-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-c", "-emit-llvm", file.string(),
                 "-o", bitcode.string()});
  prepared_.context = std::make_unique<llvm::LLVMContext>();
  prepared_.module = frontend::read_module(bitcode, frontend::Origin::Compiler, *prepared_.context);
  llvm::Module& module = *prepared_.module;
  frontend::canonicalise(module);
  link_program(module, replay_object(64), plain_, "-O1");
  Subject& subject = prepared_.subject;
  subject.sites = number_sites(module, prepared_.checks);
  const auto origins = functions_of_sites(module, subject.sites.size());
  prepared_.entry = module.getFunction("main");
  subject.program = frontend::lower(module, {"main", true}, &prepared_.map);
  complete_sites(subject, module, prepared_.map, origins);
  prepared_.values.resize(subject.program.functions.size());
  prepared_.blocks.resize(subject.program.functions.size());
}

TracedRun InstrumentedProgram::run(const RunRequest& request) {
  const RunRecord record = executor_->run(request, Budget());
  TracedRun made;
  made.end = record.end;
  made.code = record.code;
  made.coverage.assign(record.coverage.begin(), record.coverage.end());
  made.trace = builder_->build(record.stream);
  made.first_false = TraceBuilder::first_false_node(*store_, made.trace);
  return made;
}

TracedRun InstrumentedProgram::run(std::uint64_t random_seed, bool with_regions) {
  RunRequest request;
  const std::vector<std::uint8_t> modes(prepared_.subject.regions.size(), with_regions ? 1 : 0);
  request.modes = modes;
  request.random_seed = random_seed;
  return run(request);
}

TracedRun InstrumentedProgram::run(const std::vector<result::TestInput>& inputs) {
  RunRequest request;
  request.inputs = inputs;
  return run(request);
}

int InstrumentedProgram::plain_exit_code(const std::vector<result::TestInput>& inputs) {
  const fs::path test = directory_.path() / "test";
  write_file(test, as_given_inputs(inputs));
  setenv("PLUMB_TEST", test.c_str(), 1);
  const ProcessResult result = run_process({plain_.string()}, "", Budget());
  return result.end == ProcessResult::End::Signalled ? 128 + result.code : result.code;
}

std::string InstrumentedProgram::describe(const PathNode& node) const {
  if (node.kind == PathNode::Kind::Region) return "region " + std::to_string(node.site);
  const program::Location place = prepared_.subject.sites[node.site].location;
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ", taken " +
         std::to_string(node.taken) + ": " + term::to_smtlib(*store_, node.condition);
}

std::vector<TracedRun> check_runs(InstrumentedProgram& program, std::uint64_t seeds, bool with_regions) {
  std::vector<TracedRun> runs;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    TracedRun run = program.run(seed, with_regions);
    EXPECT_EQ(run.end, RunEnd::Exit) << "seed " << seed << ": " << name(run.end) << " " << run.code;
    EXPECT_TRUE(run.trace.is_complete) << run.trace.problem;
    const bool is_consistent = run.first_false == run.trace.nodes.size();
    EXPECT_TRUE(is_consistent) << "seed " << seed << ", node " << run.first_false << ": "
                               << program.describe(run.trace.nodes[is_consistent ? 0 : run.first_false]);
    EXPECT_EQ(run.code, program.plain_exit_code(run.trace.inputs)) << "seed " << seed;
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace plumb::concolic::testing
