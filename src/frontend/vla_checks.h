#pragma once

namespace llvm {
class Module;
}

namespace plumb::frontend {

/// Clang is told to test the sizes of arrays of variable length where types with them are evaluated, and to trap. With
/// `is_wanted` the tests become Checks with the message program::kVlaCheck, else they go. In code of another compiler,
/// which has none, a test of each such variable is made: a number of elements below 0 or 0, taken as a signed one.
void settle_vla_checks(llvm::Module& module, bool is_wanted);

}  // namespace plumb::frontend
