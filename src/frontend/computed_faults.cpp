// What clang computes without a trace in its code. Its warnings name most of it, but not all, and a pragma hides them.
// So the source is compiled with clang's own tests of arithmetic, unoptimised: a test with a constant result that
// fails, and a sum of constants that overflows, stand where the expression was. Where the test is of an operation that
// is in the code, with an operand that is no constant, the checks of the program find it. Constants of initialisers are
// evaluated before any code is made, and a quotient that does not fit goes unnoticed there, but not in clang's new
// evaluator of constants; that one refuses some programs.
#include "frontend/computed_faults.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <optional>

#include "frontend/module.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using program::Check;
using program::CheckSet;

CheckSet set_of(Check check) {
  CheckSet set;
  set.add(check);
  return set;
}

/// Clang's warnings about what it computes.
struct WarningKind {
  std::string_view name;
  Check check;
};
constexpr std::array kWarnings = {
    WarningKind{"integer-overflow", Check::Overflow}, WarningKind{"division-by-zero", Check::Division},
    WarningKind{"shift-count-overflow", Check::Shift}, WarningKind{"shift-count-negative", Check::Shift}};

std::vector<ComputedFault> faults_of_warnings(std::string_view text) {
  std::vector<ComputedFault> found;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    constexpr std::string_view kWord = ": warning: ";
    const std::size_t word = line.find(kWord);
    if (word == std::string_view::npos) continue;
    for (const WarningKind& kind : kWarnings) {
      const std::string flag = fmt::format(" [-W{}]", kind.name);
      if (!line.ends_with(flag)) continue;
      const std::string_view message = line.substr(word + kWord.size());
      found.push_back({parse_place(line.substr(0, word)).value_or(SourceLocation{}), set_of(kind.check),
                       std::string(message.substr(0, message.size() - flag.size()))});
    }
  }
  return found;
}

/// The numbers that clang 19 gives its traps, of SanitizerHandler.
constexpr std::uint64_t kDivisionTrap = 3;
constexpr std::uint64_t kShiftTrap = 20;

SourceLocation place_of(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& at = instruction.getDebugLoc();
  if (!at) return {};
  return {llvm::cast<llvm::DIScope>(at.getScope())->getFilename().str(), at.getLine(), at.getCol()};
}

/// Of the block that a test leads to when it fails.
std::optional<std::uint64_t> trap_of(const llvm::BasicBlock& block) {
  const auto* trap = llvm::dyn_cast<llvm::IntrinsicInst>(&*block.getFirstNonPHIOrDbg());
  if (trap == nullptr || trap->getIntrinsicID() != llvm::Intrinsic::ubsantrap) return std::nullopt;
  return llvm::cast<llvm::ConstantInt>(trap->getArgOperand(0))->getZExtValue();
}

/// The operation that was tested is the first one behind its test, unless it was computed.
bool is_in_code(const llvm::BranchInst& test) {
  const llvm::Instruction& next = *test.getSuccessor(0)->getFirstNonPHIOrDbg();
  return (next.isShift() || next.isIntDivRem()) && next.getDebugLoc() == test.getDebugLoc();
}

std::optional<ComputedFault> fault_of_test(const llvm::BranchInst& test, Check of_quotients) {
  if (!test.isConditional() || !llvm::isa<llvm::Constant>(test.getCondition())) return std::nullopt;
  const auto* result = llvm::dyn_cast<llvm::ConstantInt>(test.getCondition());
  if (result != nullptr && result->isOne()) return std::nullopt;
  const std::optional<std::uint64_t> trap = trap_of(*test.getSuccessor(1));
  if (!trap || is_in_code(test)) return std::nullopt;
  if (*trap == kDivisionTrap)
    return ComputedFault{place_of(test), set_of(of_quotients),
                         of_quotients == Check::Division ? "a division by zero" : "a quotient that does not fit"};
  if (*trap == kShiftTrap) return ComputedFault{place_of(test), set_of(Check::Shift), "a shift out of range"};
  return std::nullopt;
}

bool overflows(llvm::Intrinsic::ID operation, const llvm::APInt& a, const llvm::APInt& b) {
  bool is_over = false;
  if (operation == llvm::Intrinsic::sadd_with_overflow) static_cast<void>(a.sadd_ov(b, is_over));
  if (operation == llvm::Intrinsic::ssub_with_overflow) static_cast<void>(a.ssub_ov(b, is_over));
  if (operation == llvm::Intrinsic::smul_with_overflow) static_cast<void>(a.smul_ov(b, is_over));
  return is_over;
}

std::optional<ComputedFault> fault_of_call(const llvm::IntrinsicInst& call) {
  if (call.arg_size() != 2) return std::nullopt;
  const auto* a = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  const auto* b = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  if (a == nullptr || b == nullptr || !overflows(call.getIntrinsicID(), a->getValue(), b->getValue()))
    return std::nullopt;
  return ComputedFault{place_of(call), set_of(Check::Overflow), "an overflow"};
}

std::vector<ComputedFault> faults_of_tests(const llvm::Module& module, Check of_quotients) {
  std::vector<ComputedFault> found;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      std::optional<ComputedFault> fault;
      if (const auto* test = llvm::dyn_cast<llvm::BranchInst>(&instruction)) fault = fault_of_test(*test, of_quotients);
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) fault = fault_of_call(*call);
      if (fault) found.push_back(*std::move(fault));
    }
  }
  return found;
}

/// The same file may have two names.
bool says_all_of(const ComputedFault& said, const ComputedFault& fault) {
  return fs::path(said.place.file).filename() == fs::path(fault.place.file).filename() &&
         said.place.line == fault.place.line && said.place.column == fault.place.column &&
         joined(said.checks, fault.checks) == said.checks;
}

class Compilation {
 public:
  Compilation(const CompileJob& job, const CompileSettings& settings, const fs::path& directory, const Budget& budget)
      : job_(job), bitcode_(directory / "tested.bc"), budget_(budget) {
    command_ = bitcode_command(job, settings, write_headers(directory), bitcode_);
    command_.insert(command_.end(), {"-Xclang", "-disable-llvm-passes"});
    for (const WarningKind& kind : kWarnings) command_.push_back(fmt::format("-W{}", kind.name));
  }

  /// With these tests; a quotient is tested for one thing alone. False if clang makes nothing of it.
  bool run(std::string_view tests, Check of_quotients, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = command_;
    command.insert(command.end(), {fmt::format("-fsanitize={}", tests), fmt::format("-fsanitize-trap={}", tests)});
    command.insert(command.end(), more.begin(), more.end());
    try {
      add(faults_of_warnings(run_compiler({job_}, {command}, budget_).front()));
    } catch (const UserError&) {
      return false;
    }
    llvm::LLVMContext context;
    add(faults_of_tests(*read_module(bitcode_, Origin::Compiler, context, Machines::Any), of_quotients));
    return true;
  }

  std::vector<ComputedFault> found;

 private:
  void add(std::vector<ComputedFault> faults) {
    for (ComputedFault& fault : faults)
      if (std::ranges::none_of(found, [&](const ComputedFault& said) { return says_all_of(said, fault); }))
        found.push_back(std::move(fault));
  }

  const CompileJob& job_;
  fs::path bitcode_;
  const Budget& budget_;
  std::vector<std::string> command_;
};

}  // namespace

std::vector<ComputedFault> computed_faults(const CompileJob& job, const CompileSettings& settings, CheckSet asked,
                                           const fs::path& directory, const Budget& budget) {
  Compilation compilation(job, settings, directory, budget);
  if (!compilation.run("integer-divide-by-zero,shift-exponent", Check::Division))
    return {{{job.source.string(), 1, 1}, CheckSet::all(), "its source cannot be compiled again"}};
  if (asked.has(Check::Overflow) && !compilation.run("signed-integer-overflow", Check::Overflow,
                                                     {"-Xclang", "-fexperimental-new-constant-interpreter"}))
    compilation.run("signed-integer-overflow", Check::Overflow);
  return std::move(compilation.found);
}

}  // namespace plumb::frontend
