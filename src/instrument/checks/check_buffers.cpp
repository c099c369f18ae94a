#include "instrument/checks/check_buffers.h"

#include <absl/container/flat_hash_map.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <string_view>

namespace plumb::instrument {
namespace {

using Written = Buffer::Written;

const absl::flat_hash_map<std::string_view, Buffer>& table() {
  static const absl::flat_hash_map<std::string_view, Buffer> buffers = {
      {"read", {1, true, 2}},
      {"pread", {1, true, 2}},
      {"pread64", {1, true, 2}},
      {"recv", {1, true, 2}},
      {"readlink", {1, true, 2}},
      {"readlinkat", {2, true, 3}},
      {"getrandom", {0, true, 1}},
      {"fread", {0, true, 1, 2, Written::Items}},
      {"fread_unlocked", {0, true, 1, 2, Written::Items}},
      {"fgets", {0, true, 1, -1, Written::String}},
      {"fgets_unlocked", {0, true, 1, -1, Written::String}},
      {"getcwd", {0, true, 1, -1, Written::String}},
      {"write", {1, false, 2}},
      {"pwrite", {1, false, 2}},
      {"pwrite64", {1, false, 2}},
      {"send", {1, false, 2}},
      {"sendto", {1, false, 2}},
      {"fwrite", {0, false, 1, 2}},
      {"fwrite_unlocked", {0, false, 1, 2}},
  };
  return buffers;
}

/// Bits: arguments 0 to 2.
const absl::flat_hash_map<std::string_view, unsigned>& texts() {
  static const absl::flat_hash_map<std::string_view, unsigned> arguments = {
      {"puts", 1},   {"fputs", 1},   {"perror", 1},  {"open", 1},   {"open64", 1},  {"creat", 1},  {"fopen", 3},
      {"unlink", 1}, {"remove", 1},  {"rename", 3},  {"mkdir", 1},  {"rmdir", 1},   {"chdir", 1},  {"system", 1},
      {"printf", 1}, {"fprintf", 2}, {"dprintf", 2}, {"getenv", 1}, {"opendir", 1}, {"access", 1}, {"popen", 3}};
  return arguments;
}

bool is_integer(const llvm::CallBase& call, unsigned argument) {
  return argument < call.arg_size() && call.getArgOperand(argument)->getType()->isIntegerTy();
}

bool is_library_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic() && llvm::isa<llvm::CallInst>(call);
}

}  // namespace

llvm::SmallVector<unsigned, 2> texts_of(const llvm::CallBase& call) {
  if (!is_library_call(call)) return {};
  const auto found = texts().find(std::string_view(call.getCalledFunction()->getName()));
  llvm::SmallVector<unsigned, 2> arguments;
  for (unsigned i = 0; found != texts().end() && i < std::min(call.arg_size(), 3U); ++i)
    if ((found->second >> i & 1U) != 0 && call.getArgOperand(i)->getType()->isPointerTy()) arguments.push_back(i);
  return arguments;
}

llvm::SmallVector<Buffer, 1> buffers_of(const llvm::CallBase& call) {
  if (!is_library_call(call)) return {};
  const llvm::Function* callee = call.getCalledFunction();
  const auto found = table().find(std::string_view(callee->getName()));
  if (found == table().end()) return {};
  const Buffer& buffer = found->second;
  const bool is_fitting =
      buffer.argument < call.arg_size() && call.getArgOperand(buffer.argument)->getType()->isPointerTy() &&
      is_integer(call, buffer.size) && (buffer.count < 0 || is_integer(call, static_cast<unsigned>(buffer.count))) &&
      (buffer.written == Written::String ? call.getType()->isPointerTy() : call.getType()->isIntegerTy());
  if (!is_fitting) return {};  // a function of the program's own that has the name
  return {buffer};
}

}  // namespace plumb::instrument
