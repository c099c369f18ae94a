#pragma once

#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Module;
class User;
}  // namespace llvm

namespace plumb::frontend {

/// Marks where variables and heap objects are created with values that nothing has set. A mark is a call with a site,
/// whose name is the same in all that is made of the module: `FUNCTION.VARIABLE:LINE`. Of a variable that will be a
/// value the call gives it, and is stored; of all else the call gets the address and the size (Intrinsic::UnsetValue,
/// UnsetMemory). Where the source reaches the declaration again, so does the mark. Variables that their block sets as
/// wholes before anything reads them have none, nor has what the compiler made. Needs debug information and markers of
/// lifetimes as clang made them.
void mark_unset(llvm::Module& module);

/// Where the source reaches the declaration of a variable that will be a value, it is set to one that is not known:
/// in the next round of a loop it would else keep what it was set to in this one. Needs markers of lifetimes as clang
/// made them; with marks there is no need for it.
void forget_values(llvm::Module& module);

/// Takes out the marks whose values nothing uses.
void drop_unused_marks(llvm::Function& function);

/// Values come from memory that is marked, so that a runtime has to know plumb_unset() alone.
void settle_marks(llvm::Module& module);

bool is_unset_mark(const llvm::User& user);
/// Of a mark.
std::optional<std::string> unset_site(const llvm::CallBase& call);

}  // namespace plumb::frontend
