#pragma once

#include <string_view>
#include <vector>

namespace llvm {
class Argument;
class Instruction;
class Module;
}  // namespace llvm

namespace plumb::frontend {

/// Code that is not optimised puts each parameter into a variable, whether it is read or not.
bool is_read(const llvm::Argument& parameter);

/// What the gaps of these places say, as getenv() does.
inline constexpr const char* kEnvironment = "what the environment has";

/// Where the user's code comes to the environment other than by a call: an instruction that names `environ`; the first
/// of `entry` if a constant of the program has its address, or if the entry is a main that reads its third parameter.
std::vector<llvm::Instruction*> uses_of_environment(llvm::Module& module, std::string_view entry);

/// Has the program ask plumb_host_gap() there: models have an environment that is empty.
void mark_environment(llvm::Module& module, std::string_view entry);

}  // namespace plumb::frontend
